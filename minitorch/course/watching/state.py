"""`minitorch watch` without a terminal: an event comes in, the state changes, and what is to be done goes out.

    state, effects = step(state, Key("h"))

Nothing here reads a key, draws, checks or touches a file, so every situation can be told and tested as plain data.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from minitorch.course.cards import hints
from minitorch.course.judging.progress import Record
from minitorch.course.judging.verdict import Kind, Verdict
from minitorch.course.manifest import Course, Exercise
from minitorch.language import Message

END = -1  # scrolled to the end, however long it is
PAGE_STEP = 10
FINE = {Kind.PASSED, Kind.PASSED_BUT, Kind.NOT_STARTED}  # what needs no word when the learner is elsewhere
YES = frozenset("yYsS")  # "yes" and "sí", whichever language is spoken


class Page(enum.Enum):
    """What fills the screen."""

    EXERCISE = "exercise"
    LIST = "list"
    HELP = "help"


class Filter(enum.Enum):
    """Which exercises the list shows."""

    ALL = "all"
    OPEN = "open"
    PASSED = "passed"


class Ask(enum.Enum):
    """A question that the next key answers."""

    RESET = "reset"
    SOLUTION = "solution"
    SKIP = "skip"


# ------------------------------------------------------------------------------------------------- events


@dataclass(frozen=True, slots=True)
class Key:
    """A key was pressed: a character, or "up", "down", "pageup", "pagedown", "home", "end", "enter", "escape",
    "interrupt" (Ctrl-C).
    """

    name: str
    reach: int = 0  # how far the page that is shown can be scrolled


@dataclass(frozen=True, slots=True)
class Saved:
    """The files of some lessons have changed on disk."""

    lessons: frozenset[str]


@dataclass(frozen=True, slots=True)
class Checked:
    """A verdict arrived."""

    job: int
    verdict: Verdict
    line: int | None = None  # where the definition begins in the learner's file
    at: str = ""  # the time of day


@dataclass(frozen=True, slots=True)
class Failed:
    """A check could not be made at all."""

    job: int
    why: str


@dataclass(frozen=True, slots=True)
class Told:
    """Something that was asked for is done, or could not be; a sentence says which."""

    note: Message


Event = Key | Saved | Checked | Failed | Told

# ------------------------------------------------------------------------------------------------ effects


@dataclass(frozen=True, slots=True)
class Check:
    """Judge these exercises in this order, and drop what is being judged now."""

    job: int
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reset:
    """Take one exercise back to its stub."""

    name: str


@dataclass(frozen=True, slots=True)
class HintShown:
    """One step of the hints was shown."""

    name: str
    step: int


@dataclass(frozen=True, slots=True)
class Leave:
    """The learner wants to go."""


Effect = Check | Reset | HintShown | Leave

# -------------------------------------------------------------------------------------------------- state


@dataclass(frozen=True, slots=True)
class State:
    """Everything that the screen shows."""

    course: Course
    current: str
    verdicts: Mapping[str, Verdict] = field(default_factory=dict)
    stale: tuple[str, ...] = ()  # what has yet to be judged, in course order
    solved: frozenset[str] = frozenset()  # what has passed at some time
    opening: bool = False  # still looking for the first exercise that does not pass
    job: int = 0
    page: Page = Page.EXERCISE
    hint: int = 0  # the step that is shown; 0 for none
    asking: Ask | None = None
    cursor: str = ""  # the list's line
    shown: Filter = Filter.ALL
    scroll: int = 0
    note: Message | None = None
    resetting: bool = False  # the next change on disk is the learner's own wish
    fault: str = ""  # why checks cannot be made
    everything: bool = False  # the whole course is being checked because the learner asked for it
    lines: Mapping[str, int] = field(default_factory=dict)
    checked_at: str = ""

    @property
    def exercise(self) -> Exercise:
        """The exercise on the screen."""
        return self.course.exercise(self.current)

    @property
    def verdict(self) -> Verdict | None:
        """The last verdict on the exercise on the screen."""
        return self.verdicts.get(self.current)

    def passed(self, name: str) -> bool:
        """Whether the last verdict on an exercise lets it count."""
        verdict = self.verdicts.get(name)
        return verdict is not None and verdict.passed

    def broken(self) -> list[str]:
        """What has passed before and now does not, apart from the exercise on the screen and from what was emptied."""
        names = (each.name for each in self.course.exercises if each.name in self.solved and each.name != self.current)
        return [name for name in names if (now := self.verdicts.get(name)) and now.kind not in FINE]

    def listed(self) -> list[str]:
        """The exercises that the list shows."""
        names = [exercise.name for exercise in self.course.exercises]
        if self.shown is Filter.ALL:
            return names
        return [name for name in names if self.passed(name) is (self.shown is Filter.PASSED)]

    def following(self) -> str | None:
        """The next exercise that has not passed: after this one, else from the start; None when all have.

        What is not required comes when nothing else is left.
        """
        exercises = list(self.course.exercises)
        at = exercises.index(self.exercise)
        others = required_first(exercises[at + 1 :] + exercises[:at])
        return next((each.name for each in others if not self.passed(each.name)), None)

    def previous(self) -> str | None:
        """The exercise before this one, passed or not."""
        names = [exercise.name for exercise in self.course.exercises]
        at = names.index(self.current)
        return names[at - 1] if at else None


def required_first(exercises: Iterable[Exercise]) -> list[Exercise]:
    """The same exercises; those that are not required stand last."""
    return sorted(exercises, key=lambda each: not each.required)


def begin(course: Course, known: Mapping[str, Record], at: str | None = None) -> tuple[State, list[Effect]]:
    """The first state: at the exercise `at`, or at the first one that has no verdict of passed.

    `known` are the records that still hold; everything else is judged.
    """
    names = [exercise.name for exercise in course.exercises]
    verdicts = {name: record.verdict for name, record in known.items()}
    in_turn = (each.name for each in required_first(course.exercises))
    unpassed = (name for name in in_turn if name not in verdicts or not verdicts[name].passed)
    current = at or next(unpassed, names[-1])
    state = State(
        course,
        current,
        verdicts=verdicts,
        # the one on the screen is judged in any case: its verdict is what the learner came for
        stale=tuple(name for name in names if name not in verdicts or name == current),
        solved=frozenset(name for name, record in known.items() if record.passed_first is not None),
        opening=at is None and current not in verdicts,
    )
    return _check(state)


def step(state: State, event: Event) -> tuple[State, list[Effect]]:
    """The state after an event, and what is to be done."""
    if isinstance(event, Key):
        return _key(replace(state, opening=False), event)
    if isinstance(event, Saved):
        return _saved(state, event.lessons)
    if isinstance(event, Checked):
        return (_checked(state, event), []) if event.job == state.job else (state, [])
    if isinstance(event, Failed):
        return (replace(state, fault=event.why), []) if event.job == state.job else (state, [])
    return replace(state, note=event.note), []


# ------------------------------------------------------------------------------------- files and verdicts


def _check(state: State) -> tuple[State, list[Effect]]:
    """Have everything stale judged: the exercise on the screen first, then its file, then the rest."""
    lesson = state.exercise.lesson

    def rank(name: str) -> int:
        return 0 if name == state.current else 1 if state.course.exercise(name).lesson == lesson else 2

    state = replace(state, job=state.job + 1, fault="")
    return state, [Check(state.job, tuple(sorted(state.stale, key=rank)))]


def _saved(state: State, lessons: frozenset[str]) -> tuple[State, list[Effect]]:
    stale = {*state.stale, *(each.name for each in state.course.exercises if each.lesson in lessons)}
    opening = state.opening and state.exercise.lesson not in lessons
    state = replace(
        state,
        stale=_ordered(state.course, stale),
        opening=opening,
        asking=None if state.exercise.lesson in lessons else state.asking,
        note=state.note if state.resetting else None,
        resetting=False,
    )
    return _check(state)


def _checked(state: State, event: Checked) -> State:
    verdict, name = event.verdict, event.verdict.exercise
    before = state.verdicts.get(name)
    lines = {key: line for key, line in state.lines.items() if key != name}
    if event.line is not None:
        lines[name] = event.line
    state = replace(
        state,
        verdicts={**state.verdicts, name: verdict},
        stale=tuple(each for each in state.stale if each != name),
        solved=state.solved | {name} if verdict.passed else state.solved,
        lines=lines,
    )
    if name == state.current:
        state = _here(state, before, verdict, event.at)
    if state.everything and not state.stale:
        passed = sum(map(state.passed, (each.name for each in state.course.exercises)))
        note = Message(
            "everything is checked: {passed} of {total} passed", passed=passed, total=len(state.course.exercises)
        )
        state = replace(state, everything=False, note=note)
    return state


def _here(state: State, before: Verdict | None, verdict: Verdict, at: str) -> State:
    """Take in the verdict on the exercise on the screen."""
    state = replace(state, checked_at=at)
    if before is None or (before.kind, before.diagnosis) != (verdict.kind, verdict.diagnosis):
        state = replace(state, hint=0, scroll=0)  # what was hinted at is another mistake
    if not state.opening:
        return state
    following = state.following()
    if not verdict.passed or following is None:
        return replace(state, opening=False)
    known = following in state.verdicts and following not in state.stale
    return replace(_at(state, following), opening=not known)


def _ordered(course: Course, names: set[str]) -> tuple[str, ...]:
    return tuple(exercise.name for exercise in course.exercises if exercise.name in names)


# --------------------------------------------------------------------------------------------------- keys


def _key(state: State, key: Key) -> tuple[State, list[Effect]]:
    if key.name == "interrupt":
        return state, [Leave()]
    if state.asking is not None:
        return _answer(replace(state, asking=None), state.asking, key.name)
    state = replace(state, note=None, resetting=False)
    if state.page is Page.HELP:
        return replace(state, page=Page.EXERCISE, scroll=0), []
    if state.page is Page.LIST:
        return _list_key(state, key.name)
    return _exercise_key(state, key)


def _exercise_key(state: State, key: Key) -> tuple[State, list[Effect]]:
    name = key.name
    scrolled = _scrolled(state.scroll, name, key.reach)
    if scrolled is not None:
        return replace(state, scroll=scrolled), []
    if name == "q":
        return state, [Leave()]
    if name == "h":
        return _hint(state)
    if name == "l":
        return replace(state, page=Page.LIST, cursor=state.current, shown=Filter.ALL, scroll=0), []
    if name == "?":
        return replace(state, page=Page.HELP, scroll=0), []
    if name == "a":
        names = tuple(each.name for each in state.course.exercises)
        return _check(replace(state, stale=names, everything=True))
    if name == "r":
        return replace(state, asking=Ask.RESET), []
    if name == "p":
        before = state.previous()
        return (
            (replace(state, note=Message("this is the first exercise")), []) if before is None else _go(state, before)
        )
    if name in {"n", "enter"}:
        return _onward(state, name)
    return state, []


def _onward(state: State, name: str) -> tuple[State, list[Effect]]:
    following = state.following()
    if following is None:
        return replace(
            state, note=Message("all done") if state.passed(state.current) else Message("this is the only one left")
        ), []
    if state.passed(state.current):
        return _go(state, following)
    if name == "enter":  # pressed without thinking; leaving an exercise open takes the key that says so
        return state, []
    return replace(state, asking=Ask.SKIP), []


def _answer(state: State, ask: Ask, key: str) -> tuple[State, list[Effect]]:
    if ask is Ask.SKIP:
        following = state.following()
        return _go(state, following) if key == "n" and following else (state, [])
    if key not in YES:
        return state, []
    if ask is Ask.RESET:
        return replace(state, resetting=True), [Reset(state.current)]
    return _show_hint(state, hints.steps(state.exercise))


def _hint(state: State) -> tuple[State, list[Effect]]:
    if state.course.lesson_of(state.exercise).checkpoint and state.current not in state.solved:
        return replace(
            state,
            note=Message("A checkpoint has no hints: you have met everything that it takes, and you may look it up."),
        ), []
    last = hints.steps(state.exercise)
    if state.hint:
        wanted = min(state.hint + 1, last)
    else:
        wanted = hints.pointed(state.exercise, state.verdict) or 1
    if wanted == last and state.hint != last and state.current not in state.solved:
        return replace(state, asking=Ask.SOLUTION), []
    return _show_hint(state, wanted)


def _show_hint(state: State, wanted: int) -> tuple[State, list[Effect]]:
    return replace(state, hint=wanted, scroll=END), [HintShown(state.current, wanted)]


def _list_key(state: State, key: str) -> tuple[State, list[Effect]]:
    names = state.listed()
    moves = {"up": -1, "k": -1, "down": 1, "j": 1, "pageup": -PAGE_STEP, "pagedown": PAGE_STEP}
    moves |= {"home": -len(names), "end": len(names)}
    if key in moves and names:
        at = names.index(state.cursor) if state.cursor in names else 0
        return replace(state, cursor=names[max(0, min(len(names) - 1, at + moves[key]))]), []
    if key == "f":
        kinds = list(Filter)
        state = replace(state, shown=kinds[(kinds.index(state.shown) + 1) % len(kinds)])
        names = state.listed()
        return (replace(state, cursor=names[0]) if names and state.cursor not in names else state), []
    if key == "enter" and state.cursor in names:
        return _go(replace(state, page=Page.EXERCISE), state.cursor)
    if key in {"l", "q", "escape"}:
        return replace(state, page=Page.EXERCISE), []
    return state, []


def _scrolled(scroll: int, key: str, reach: int) -> int | None:
    """The new position, or None for a key that does not scroll."""
    moves = {"up": -1, "k": -1, "down": 1, "j": 1, "pageup": -PAGE_STEP, "pagedown": PAGE_STEP, " ": PAGE_STEP}
    moves |= {"home": -reach, "end": reach}
    if key not in moves:
        return None
    at = reach if scroll == END else min(scroll, reach)
    return max(0, min(reach, at + moves[key]))


def _go(state: State, name: str) -> tuple[State, list[Effect]]:
    """Put another exercise on the screen; what is still to be judged is judged in the order that now matters."""
    state = _at(state, name)
    return _check(state) if name in state.stale else (state, [])


def _at(state: State, name: str) -> State:
    return replace(state, current=name, hint=0, scroll=0, note=None, asking=None, checked_at="")
