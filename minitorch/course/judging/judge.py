"""Judging: every case of a check goes to the child, its plain values come back, and the verdict is made here.

No evidence is no pass: a verdict of "passed" needs every case that the manifest counts, each with a value that its
judge finds nothing wrong with.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from minitorch.course.course_error import CourseError
from minitorch.course.files.learner_file import LearnerFile
from minitorch.course.files.source_code import given_functions
from minitorch.course.judging import diagnosis, reasons
from minitorch.course.judging.behaviour import for_versions
from minitorch.course.judging.checks import PUBLIC_SEED, But, Check, Wrong, load_checks
from minitorch.course.judging.diagnosis import Diagnosis
from minitorch.course.judging.mistakes import Mistake
from minitorch.course.judging.verdict import Kind, Place, Verdict
from minitorch.course.manifest import Exercise, Lesson
from minitorch.course.sandbox.outcome import Outcome
from minitorch.course.sandbox.platforms import runner_for
from minitorch.course.sandbox.values import is_odd, show_input, size, type_name
from minitorch.language import Message

if TYPE_CHECKING:
    from minitorch.course.sandbox.runner import Runner

NUMBERS = re.compile(r"-?\d[\d.]*(e[+-]?\d+)?")


class Runs(Protocol):
    """What can call the learner's code: a `Runner`, or the runner in this process."""

    def call(self, check: Check, x: Any) -> Outcome:
        """Observe the learner's code on one case."""
        ...

    def renew(self) -> bool:
        """Go on in a fresh process if this one has served another exercise; return whether it has."""
        ...

    def settle(self) -> Outcome | None:
        """What the code did that nobody asked for, once an exercise is done."""
        ...


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found out about one case."""

    x: Any
    outcome: Outcome
    wrong: Wrong | But | None  # of a value, or of an exception where another one is wanted
    refused: bool = False  # the exception that the case wants was raised

    @property
    def right(self) -> bool:
        """Whether this case says nothing against the answer."""
        as_it_should = self.outcome.kind == "value" or self.refused
        return as_it_should and not self.outcome.patched and not isinstance(self.wrong, Wrong)


class FileJudge:
    """Judges the exercises of one learner's file, with one child for all of them.

    versions: what runs the known-wrong versions, if that serves other judges, too (`behaviour.for_versions`).

    with FileJudge(lesson, LearnerFile.read(path)) as judge:
        verdict = judge.verdict("add")
    """

    def __init__(
        self,
        lesson: Lesson,
        file: LearnerFile,
        *,
        seed: int = PUBLIC_SEED,
        runs: Runs | None = None,
        versions: Runner | None = None,
    ) -> None:
        self.lesson = lesson
        self.file = file
        self.seed = seed
        self.checks = load_checks(lesson)
        self._found: dict[str, list[Finding]] = {}
        self._runner = runner_for(file.source, lesson.file_name)
        self._runs = runs or self._runner
        self._own_versions = for_versions()
        self._versions = versions or self._own_versions

    def __enter__(self) -> FileJudge:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the children, if any run."""
        self._runner.close()
        self._own_versions.close()

    def verdict(self, name: str) -> Verdict:
        """The verdict on the exercise `name`."""
        check = self.checks[name]
        if self.file.problem is not None:
            return _verdict(check, Kind.ERROR, self.file.problem)
        findings = self._findings_of(check)
        failing = [finding for finding in findings if not finding.right]
        if not failing:
            return _passed(check, findings)
        return self._failed(check, findings, _worth_showing(check, failing))

    def _findings_of(self, check: Check) -> list[Finding]:
        name = check.exercise.name
        if name not in self._found:
            findings = self.findings(check)
            if may_be_anothers_fault(findings, check) and self._runs.renew():
                again = self.findings(check)
                findings = findings if _says_less(again[-1].outcome) else again
            self._found[name] = findings
        return self._found[name]

    def findings(self, check: Check, *, to_the_first: bool = False) -> list[Finding]:
        """Run a check's cases. It stops where the rest would say the same again: a hang, a death, no function.

        to_the_first: at the first that is wrong, too.
        """
        findings = []
        for x in check.cases(self.seed):
            outcome = self._runs.call(check, x)
            findings.append(judged_case(check, x, outcome))
            if _settles_it(outcome, check) or (to_the_first and not findings[-1].right):
                return findings
        unasked = self._runs.settle()
        if unasked is not None:
            findings[-1] = Finding(findings[-1].x, unasked, None)
        return findings

    def _failed(self, check: Check, findings: Sequence[Finding], shown: Finding) -> Verdict:
        exercise, outcome = check.exercise, shown.outcome
        kind, reason = reasons.reason(check, shown.x, shown.outcome, shown.wrong, self.file)
        if kind is Kind.NOT_STARTED:
            return _verdict(check, kind, reason)
        known, first = None, None
        if not outcome.loading and outcome.kind in diagnosis.COMPARABLE and not outcome.patched:
            first = self._to_begin_with(check, outcome)
            if first is None:
                known = self._diagnosis(check, findings)
        if first is not None:
            reason = Message(
                "`{other}` does not pass yet: begin there. What happens here: {rest}", other=first, rest=reason
            )
        if known is not None:
            kind, reason = Kind.WRONG, self._recognised(check, known, findings, shown)
        if kind is Kind.WRONG and (slip := reasons.thrown_away(self.file, exercise.target)):
            reason, known = slip, None
        wrong = shown.wrong if isinstance(shown.wrong, Wrong) else None
        return _verdict(
            check,
            kind,
            reason,
            input=show_input(shown.x) if _was_called(outcome) else None,
            line=check.line(shown.x) if _was_called(outcome) else None,
            expected=wrong.expected if wrong else None,
            got=wrong.got if wrong else None,
            finding=wrong.reason if wrong and known else None,
            diagnosis=known.mistake.id if known else None,
            also=known.also.id if known and known.also else None,
            hint=None if first else _hint(exercise, known.mistake if known else None, shown),
            place=_place(outcome, self.file, self.lesson),
            printed=outcome.printed,
            checks_run=len(findings),
        )

    def _diagnosis(self, check: Check, findings: Sequence[Finding]) -> Diagnosis | None:
        failing = [case for case, finding in enumerate(findings) if not finding.right]
        outcomes = [finding.outcome for finding in findings]
        return diagnosis.find(self.lesson, check, outcomes, failing, self.file.cache, self.seed, self._versions)

    def _recognised(self, check: Check, known: Diagnosis, findings: Sequence[Finding], shown: Finding) -> Message:
        """What was recognised; then the second mistake, or what the smallest case that is not explained shows."""
        if known.also is not None:
            return Message("{first} And: {second}", first=known.mistake.text, second=known.also.text)
        if not known.unexplained:
            return known.mistake.text
        explained = [each for case, each in enumerate(findings) if not each.right and case not in known.unexplained]
        said = {_without_numbers(self._reason(check, each)) for each in explained or [shown]}
        for left in sorted((findings[case] for case in known.unexplained), key=lambda finding: size(finding.x)):
            reason = self._reason(check, left)
            if _without_numbers(reason) not in said:
                return Message("{first} And this is left: {second}", first=known.mistake.text, second=reason)
        return Message(
            "{first} That does not explain everything: something else is wrong as well.", first=known.mistake.text
        )

    def _reason(self, check: Check, finding: Finding) -> Message:
        return reasons.reason(check, finding.x, finding.outcome, finding.wrong, self.file)[1]

    def _to_begin_with(self, check: Check, outcome: Outcome) -> str | None:
        """An earlier exercise of the lesson that is written, does not pass, and takes part in this failure."""
        for other in self.lesson.exercises:
            if other.name == check.exercise.name:
                return None
            if not (other.name in check.exercise.needs or reasons.inside(outcome, other.target)):
                continue
            if self.is_wrong(other):
                return other.name
        return None

    def is_wrong(self, exercise: Exercise) -> bool:
        """Whether an exercise is begun, and does not pass."""
        findings = self._findings_of(self.checks[exercise.name])
        begun = not any(reasons.not_started(finding.outcome, exercise.target) for finding in findings)
        return begun and not all(finding.right for finding in findings)


def judge_source(lesson: Lesson, source: str, *, seed: int = PUBLIC_SEED) -> dict[str, Verdict]:
    """The verdicts on a file given as text, by exercise name."""
    with FileJudge(lesson, LearnerFile.of(source, lesson.file_name), seed=seed) as judge:
        return {exercise.name: judge.verdict(exercise.name) for exercise in lesson.exercises}


def _verdict(check: Check, kind: Kind, reason: Message, **more: Any) -> Verdict:
    exercise = check.exercise
    return Verdict(exercise.name, exercise.lesson, kind, reason, exercise.asks, checks=exercise.checks, **more)


def _passed(check: Check, findings: Sequence[Finding]) -> Verdict:
    remarks = [finding.wrong for finding in findings if isinstance(finding.wrong, But)]
    kind, reason = (Kind.PASSED_BUT, remarks[0].reason) if remarks else (Kind.PASSED, reasons.EMPTY)
    if len(findings) != check.exercise.checks or not findings:
        kind, reason = (
            Kind.ERROR,
            Message(
                "{run} of {checks} checks were run, so nothing counts: the course itself is at fault",
                run=len(findings),
                checks=check.exercise.checks,
            ),
        )
    printed = next((finding.outcome.printed for finding in findings if finding.outcome.printed), "")
    return _verdict(check, kind, reason, printed=printed, checks_run=len(findings))


def judged_case(check: Check, x: Any, outcome: Outcome) -> Finding:
    """What one outcome says of the answer."""
    wanted = check.wanted(x) if outcome.kind == "raised" and not outcome.loading else None
    if wanted is None or reasons.not_started(outcome, check.exercise.target):
        return Finding(x, outcome, _judged(check, x, outcome))
    if outcome.error == wanted:
        return Finding(x, outcome, None, refused=True)
    wrong = Wrong(
        "this input must be refused with `{wanted}`, but `{target}` raised {error}",
        target=check.exercise.target,
        error=reasons.error_of(outcome),
        wanted=wanted,
    )
    return Finding(x, outcome, wrong)


def _judged(check: Check, x: Any, outcome: Outcome) -> Wrong | But | None:
    if outcome.kind != "value":
        return None
    try:
        return check.judge(x, outcome.value, outcome.printed)
    except CourseError:
        raise
    except Exception:  # noqa: BLE001 - a value so odd that the judge stumbles over it is not a right one
        return Wrong(
            "what came back is of type {type}, and no number or list could be read out of it",
            type=type_name(outcome.value),
            got=show_input(outcome.value),
        )


def _settles_it(outcome: Outcome, check: Check) -> bool:
    if outcome.ended_the_child or outcome.loading or outcome.patched:
        return True
    return outcome.kind in {"missing", "not callable", "syntax"} or reasons.not_started(outcome, check.exercise.target)


def may_be_anothers_fault(findings: Sequence[Finding], check: Check) -> bool:
    """Whether a failure is worth a second look without what the file's other functions left behind.

    A hang at a known line is not: it would have to be waited for once more.
    """
    if all(finding.right for finding in findings):
        return False
    last = findings[-1].outcome
    if last.loading or reasons.not_started(last, check.exercise.target):
        return False
    return last.kind != "timeout" or (last.place is None and last.ran_out is None)


def _says_less(outcome: Outcome) -> bool:
    """Whether a second look ended for want of time, or before it began: the first one then stands."""
    return outcome.loading or outcome.ran_out is not None


def _without_numbers(reason: Message) -> str:
    """What a reason says, whatever the numbers in it: to tell another failure from the same one in another case."""
    return NUMBERS.sub("", reason.to("en"))


def _was_called(outcome: Outcome) -> bool:
    return not outcome.loading and outcome.kind != "missing"


def _hint(exercise: Exercise, known: Mistake | None, shown: Finding) -> Message | None:
    """The hint that fits: the diagnosis's, the judge's, or what helps where there is no value to look at.

    The last of an exercise's hints is pseudo-code, and comes only to whoever asks for it: a verdict never shows it.
    """
    if not exercise.hints and (known is not None or isinstance(shown.wrong, Wrong)):
        return None  # in a checkpoint
    if known is not None:
        return _step(exercise, known.hint)
    if isinstance(shown.wrong, Wrong):
        step = shown.wrong.hint
        return _step(exercise, step) if isinstance(step, int) else step
    if shown.outcome.kind == "missing":
        return Message(
            "Put the name back as it was, or take the whole file back with `minitorch reset {lesson}`",
            lesson=exercise.lesson,
        )
    if shown.outcome.kind == "timeout" and not shown.outcome.loading:
        return Message("Is there a loop that never ends, or one that grows with every round?")
    return None


def _step(exercise: Exercise, step: int) -> Message | None:
    return exercise.hints[step - 1] if step < len(exercise.hints) else None


def _worth_showing(check: Check, failing: Sequence[Finding]) -> Finding:
    """What ended the process, if something did; otherwise the failure with the smallest input that is not odd.

    Where a check has put its cases in order, the gentle ones first, it is the first failure.
    """
    for finding in failing:
        if finding.outcome.ended_the_child or finding.outcome.patched:
            return finding
    if check.in_order:
        return failing[0]
    return min(failing, key=lambda finding: (is_odd(finding.x), size(finding.x)))


def _place(outcome: Outcome, file: LearnerFile, lesson: Lesson) -> Place | None:
    """The innermost line that the learner wrote: not one of a given function, nor the `raise` of a stub."""
    frames = outcome.frames
    if not frames:
        return None
    called_a_stub = outcome.error == "NotImplementedError" and len(frames) > 1
    given = given_functions(file.source) if len(frames) > 1 else frozenset()
    shown = frames[:-1] if called_a_stub else frames
    own = [each for each in shown if given.isdisjoint({each.function, each.function.split(".")[0]})]
    frame = own[-1] if own else frames[-1]
    return Place(lesson.file_name, frame.line, frame.function, file.line(frame.line), outcome.column)
