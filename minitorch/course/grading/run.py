"""Grading a class: what has no result yet is judged, and each hand-in's results are kept as soon as they are there.

A run that was ended at any moment is simply run again: what is kept is not judged a second time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from dataclasses import dataclass, replace
from pathlib import Path

from minitorch.course.grading.courses import versions
from minitorch.course.grading.crew import Crew, NobodyLeftError
from minitorch.course.grading.judged import Job, unread
from minitorch.course.grading.keys import Key
from minitorch.course.grading.store import Result, Store
from minitorch.course.grading.submissions import HandIn
from minitorch.course.judging.verdict import Kind
from minitorch.course.manifest import Lesson

MORE_PATIENCE = 4.0  # how much longer a call may take where one has run out of time before
LOOK_S = 2.0  # how often it is looked whether anybody is left who judges


@dataclass(frozen=True, slots=True)
class Plan:
    """How a class is graded."""

    lessons: Sequence[Lesson]
    key: Key
    tier: str
    own: Path | None = None
    cache: Path | None = None
    only: frozenset[str] | None = None  # these exercises, and no others
    again: bool = False  # also what has a result


@dataclass(frozen=True, slots=True)
class Step:
    """One hand-in, done."""

    hand_in: HandIn
    results: tuple[Result, ...]
    failure: str | None = None


@dataclass(frozen=True, slots=True)
class _Task:
    hand_in: HandIn
    job: Job


def to_do(plan: Plan, store: Store, hand_ins: Iterable[HandIn]) -> list[tuple[HandIn, tuple[str, ...]]]:
    """The hand-ins that are to be judged, each with the exercises that have no result."""
    by_number = {lesson.number: lesson for lesson in plan.lessons}
    found = []
    for hand_in in hand_ins:
        lesson = by_number.get(hand_in.lesson)
        if lesson is None:
            continue
        wanted = {name: each for name, each in versions(lesson).items() if plan.only is None or name in plan.only}
        names = tuple(wanted) if plan.again else store.missing(hand_in, plan.key.id, wanted)
        if names:
            found.append((hand_in, names))
    return found


def grade(plan: Plan, store: Store, crew: Crew, work: Iterable[tuple[HandIn, tuple[str, ...]]]) -> Iterator[Step]:
    """Judge what is to be done; yield each hand-in when its results are kept.

    A worker that dies takes down what was being judged beside it. Each of these is judged once more, alone; the one
    whose worker dies again is written down as a failure, and tried again by the next run. What ran out of time is
    judged again alone, too, at the end, and each of its calls may take four times as long then: a score must not depend
    on how busy the machine was.

    Raises NobodyLeftError when a cluster's scheduler is gone; what was judged until then is kept.
    """
    by_number = {lesson.number: lesson for lesson in plan.lessons}
    tasks: deque[_Task] = deque()
    for hand_in, names in work:
        if hand_in.file.problem is not None:
            results = unread(hand_in.file, by_number[hand_in.lesson], names, plan.tier)
            yield _kept(plan, store, hand_in, results)
        else:
            tasks.append(_Task(hand_in, _job(plan, hand_in, names)))
    suspects: list[_Task] = []
    out: dict[Future[list[Result]], _Task] = {}
    while tasks or out:
        while tasks and len(out) < crew.width:
            task = tasks.popleft()
            out[crew.submit(task.job)] = task
        broken = False
        for future in _done(crew, out):
            task = out.pop(future)
            try:
                results = future.result()
            except (Exception, CancelledError) as error:  # noqa: BLE001 - whatever it was, it is tried once more
                broken = broken or isinstance(error, BrokenExecutor)
                suspects.append(task)
            else:
                if any(_was_late(each) for each in results):
                    slowly = replace(task.job, patience=MORE_PATIENCE)
                    suspects.append(replace(task, job=slowly))  # perhaps it was the machine, which had others to serve
                    continue
                yield _kept(plan, store, task.hand_in, results)
        if broken:
            suspects += out.values()
            out.clear()
            crew.renew()
    for task in suspects:
        yield _once_more(plan, store, crew, task)


def _was_late(result: Result) -> bool:
    """Return True for a call that ran out of time; a file that never comes to its end is not helped by more of it."""
    return result.verdict.kind is Kind.TIMEOUT and result.verdict.input is not None


def _done(crew: Crew, out: Collection[Future[list[Result]]]) -> set[Future[list[Result]]]:
    """Those that are done, one at least."""
    while not (done := wait(out, timeout=LOOK_S, return_when=FIRST_COMPLETED).done):
        crew.check()
    return done


def _once_more(plan: Plan, store: Store, crew: Crew, task: _Task) -> Step:
    """Judge a hand-in with nothing else beside it."""
    try:
        [future] = _done(crew, [crew.submit(task.job)])
        results = future.result()
    except NobodyLeftError:
        raise
    except (Exception, CancelledError) as error:  # noqa: BLE001 - whatever it was, the others go on
        if isinstance(error, BrokenExecutor):
            crew.renew()
        why = f"{type(error).__name__}: {error}"[:500]
        store.fail(task.hand_in, why)
        return Step(task.hand_in, (), why)
    return _kept(plan, store, task.hand_in, results)


def _kept(plan: Plan, store: Store, hand_in: HandIn, results: Sequence[Result]) -> Step:
    store.add(hand_in, plan.key.id, results, again=plan.again)
    return Step(hand_in, tuple(results))


def _job(plan: Plan, hand_in: HandIn, names: tuple[str, ...]) -> Job:
    return Job(
        hand_in.student,
        hand_in.lesson,
        hand_in.file.source,
        hand_in.file.sha256,
        plan.key.seed(hand_in.student, hand_in.lesson),
        names,
        plan.tier,
        own=str(plan.own) if plan.own else None,
        cache=str(plan.cache) if plan.cache else None,
    )
