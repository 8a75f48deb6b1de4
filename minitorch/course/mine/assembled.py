"""An engine out of the learner's pieces: `engine("mine")` in a notebook.

Each lesson's file is taken as it is, with every definition whose exercise has not passed replaced by the solution's.
It runs in a module object of its own that nobody else sees, so two engines share nothing and nothing is patched.
What one lesson asks for and a later one gives is one and the same in both: `carrying.py`.
With `even_wrong` the learner's definitions that fail stay where they are, so that what they lead to can be seen.
A file that does not parse, is missing, or fails when it is put together comes whole from the solutions.
"""

from __future__ import annotations

import ast
import contextlib
import difflib
import functools
import io
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from types import CodeType, ModuleType
from typing import Any

from minitorch.course.cards.report import Card
from minitorch.course.course_error import CourseError
from minitorch.course.files import source_code
from minitorch.course.files.course_folder import exercise_path, read_exercises
from minitorch.course.files.learner_file import LearnerFile
from minitorch.course.files.statements import raising_in
from minitorch.course.judging.judge import FileJudge
from minitorch.course.judging.verdict import Kind, Verdict
from minitorch.course.manifest import Course, Exercise, Lesson, as_label
from minitorch.course.mine import carrying, classes, loading, merging
from minitorch.course.mine.badge import Owner, Piece, badge
from minitorch.course.session import Session
from minitorch.language import Message, either

USABLE = {Kind.WRONG, Kind.ERROR}  # wrong, and yet no danger to the notebook: it returns or raises
READS = 3  # how often a file is read again because it was saved meanwhile


@dataclass(frozen=True)
class Part:
    """One lesson of an engine."""

    lesson: Lesson
    module: ModuleType
    pieces: tuple[Piece, ...]
    notes: tuple[Message, ...]
    code: Code


@dataclass(frozen=True)
class Code:
    """The code that a part was run from: what `written.py` writes down again as text."""

    tree: ast.Module
    own: str  # the learner's file, from which its statements are; "" where none is
    taken: Mapping[str, str]  # name -> number of the lesson before that it is taken over from


class NoSuchNameError(AttributeError):
    """An engine has no such name; in a notebook the sentence is shown without a traceback."""

    def _render_traceback_(self) -> list[str]:
        return [f"AttributeError: {self}"]


class Engine:
    """The pieces of some lessons, put together.

    `engine.NAME` is what the lesson defines in which NAME is an exercise; other names are looked up from the newest
    lesson back. So a helper that a later lesson is given never stands before what was written.
    Shown by itself, it says which pieces are the learner's and which the reference's.
    """

    def __init__(self, parts: Sequence[Part], lang: str, notes: Sequence[str] = ()) -> None:
        self._modules = {part.lesson.number: part.module for part in parts}
        self._exercises = tuple(exercise for part in parts for exercise in part.lesson.exercises)
        self._homes = {exercise.target.partition(".")[0]: exercise.lesson for exercise in self._exercises}
        self._lang = lang
        self._notes = (*(note.to(lang) for part in parts for note in part.notes), *notes)
        self.pieces = tuple(piece for part in parts for piece in part.pieces)
        classes.settle(self._modules, class_names(self._exercises))

    def lesson(self, number: str | int) -> ModuleType:
        """What one lesson defines. Raises CourseError when the engine does not reach that far."""
        found = self._modules.get(as_label(str(number)))
        if found is None:
            raise CourseError(
                "this engine has no lesson {lesson}; it has {names}",
                lesson=repr(number),
                names=", ".join(self._modules),
            )
        return found

    def owner(self, exercise: str) -> Owner:
        """Whose piece an exercise is here: "yours" or "reference". Raises CourseError when it has no such piece."""
        for piece in self.pieces:
            if piece.name == exercise:
                return piece.owner
        last = list(self._modules)[-1]
        raise CourseError(
            "the engine up to lesson {last} has no {name}; {more}",
            last=last,
            name=repr(exercise),
            more=self._near(exercise),
        )

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_"):
            home = [self._modules[self._homes[name]]] if name in self._homes else []
            for module in (*home, *reversed(self._modules.values())):
                if name in vars(module):
                    return vars(module)[name]
            last = list(self._modules)[-1]
            raise NoSuchNameError(
                Message(
                    "the engine up to lesson {last} has no {name}; {more}",
                    last=last,
                    name=repr(name),
                    more=self._near(name),
                ).to(self._lang)
            )
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __dir__(self) -> list[str]:
        return sorted({"lesson", "owner", "pieces", *self._names()})

    def __repr__(self) -> str:
        return self._badge().text

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return self._badge()._repr_mimebundle_()

    def _badge(self) -> Card:
        return badge(self.pieces, self._lang, self._notes)

    def _names(self) -> set[str]:
        return {name for module in self._modules.values() for name in vars(module) if not name.startswith("_")}

    def _near(self, name: str) -> Message:
        near = difflib.get_close_matches(name, sorted(self._names()), n=3, cutoff=0.6)
        if near:
            return Message("did you mean {names}?", names=either(near))
        return Message("the exercises are: {names}", names=", ".join(exercise.name for exercise in self._exercises))


def assemble(
    word: str, upto: str | None, course: Course, session: Callable[[], Session], lang: str, *, even_wrong: bool = False
) -> Engine:
    """The engine that `word` names, "mine" or "reference", from lesson 01 up to the lesson `upto`.

    even_wrong: whether pieces of the learner's that fail are used as they are. session: opens the learner's folder;
    called for "mine" only. Raises CourseError for another word, for a lesson that does not exist or that has no piece
    of an engine.
    """
    if word not in ("mine", "reference"):
        raise CourseError("there is no engine {word}; there are 'mine' and 'reference'", word=repr(word))
    lessons = [lesson for lesson in course.lessons if lesson.engine]
    if upto is not None:
        last = course.lesson(str(upto)).order
        lessons = [lesson for lesson in lessons if lesson.order <= last]
    if not lessons:
        raise CourseError(
            "lesson {lesson} has no piece of an engine: the first ones are written in lesson 01", lesson=repr(upto)
        )
    opened = session() if word == "mine" else None
    parts = parts_of(lessons, opened, lang, even_wrong=even_wrong)
    return Engine(parts, lang, opened.notes(lang) if opened else ())


def parts_of(lessons: Sequence[Lesson], session: Session | None, lang: str, *, even_wrong: bool = False) -> list[Part]:
    """The lessons' parts of an engine, the learner's in that folder or, without one, the reference's.

    lang: in which the reference's pieces say what they raise.
    """
    parts: list[Part] = []
    for lesson in lessons:
        before = Before.of(lesson, parts)
        if session is None:
            parts.append(_reference(lesson, before, lang, dict.fromkeys(lesson.exercises)))
        else:
            parts.append(_own(session, lesson, before, lang, even_wrong))
    return parts


def class_names(exercises: Sequence[Exercise]) -> set[str]:
    """The classes whose methods are exercises, of several lessons perhaps."""
    return {exercise.target.partition(".")[0] for exercise in exercises if "." in exercise.target}


# ------------------------------------------------------------------------------------------- one lesson


@dataclass(frozen=True)
class Before:
    """What the lessons before one have made of what it gives."""

    carried: carrying.Carried
    things: Mapping[str, object]

    @classmethod
    def of(cls, lesson: Lesson, parts: Sequence[Part]) -> Before:
        """What `lesson` takes over from the parts that are made already."""
        carried = carrying.between(lesson, tuple(part.lesson for part in parts))
        return cls(carried, carried.out_of({part.lesson.number: part.module for part in parts}))

    def take_out(self, tree: ast.Module) -> None:
        """Take what is taken over out of the lesson's own code."""
        carrying.take_out(tree, self.carried, self.things.keys())

    def code(self, tree: ast.Module, own: str = "") -> Code:
        """A lesson's code, from which that has been taken out."""
        return Code(tree, own, {name: self.carried.homes[name] for name in self.things})


def _reference(
    lesson: Lesson, before: Before, lang: str, kinds: dict[Exercise, Kind | None], notes: Sequence[Message] = ()
) -> Part:
    tree = ast.parse(lesson.solution_source())
    before.take_out(tree)
    told = raising_in(tree, lesson, lang)
    module = _run(lesson, compile(told, _reference_name(lesson), "exec", dont_inherit=True), before)
    ast.increment_lineno(tree, merging.SHIFT)
    return Part(lesson, module, _pieces(lesson, kinds), tuple(notes), before.code(tree))


def _own(session: Session, lesson: Lesson, before: Before, lang: str, even_wrong: bool) -> Part:
    """The lesson with the learner's pieces that have passed or may be wrong, and the reference's for the others."""
    file, verdicts = _judged(session, lesson)
    kinds: dict[Exercise, Kind | None] = {each: verdicts[each.name].kind for each in lesson.exercises}
    own = [exercise for exercise in lesson.exercises if verdicts[exercise.name].passed]
    if even_wrong:
        own = [each for each in lesson.exercises if each in own or _is_usable(each, kinds[each], file)]
    notes = _file_faults(lesson, verdicts.values())
    path = exercise_path(session.folder, lesson)
    while own:
        try:
            with warnings.catch_warnings(action="ignore"):
                merged = _merged(lesson, file, own)
                misfits = _misfits(lesson, merged.source()) if merged.borrowed and not even_wrong else frozenset()
                if not misfits:
                    before.take_out(merged.tree)
                    said = replace(merged, tree=raising_in(merged.tree, lesson, lang, merging.SHIFT))
                    module = _run(lesson, said.code(str(path), _reference_name(lesson)), before)
                    changed = [name for name in merged.changed if not before.carried.holds(name)]
                    told = (*notes, *_changed(lesson, changed))
                    return Part(
                        lesson, module, _pieces(lesson, kinds, own), told, before.code(merged.tree, file.source)
                    )
        except CourseError:
            raise
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever the learner's file raises
            notes.append(
                Message(
                    "lesson {lesson} comes whole from the reference: its checks ran your file, but here "
                    "running it raised {error}",
                    lesson=lesson.number,
                    error=loading.told(error, path),
                )
            )
            break
        staying = [exercise for exercise in own if exercise.name not in misfits]
        if len(staying) == len(own):
            staying = []  # it is the reference that does not work in this file: none of the learner's is to blame alone
        lost = ", ".join(f"`{exercise.name}`" for exercise in own if exercise not in staying)
        notes.append(
            Message(
                "lesson {lesson}: {names} passed in your file, but not beside the reference's pieces; "
                "two mistakes may be making up for each other",
                lesson=lesson.number,
                names=lost,
            )
        )
        own = staying
    return _reference(lesson, before, lang, kinds, notes)


def _is_usable(exercise: Exercise, kind: Kind | None, file: LearnerFile) -> bool:
    """Whether a piece that has not passed can be used: it is written, and what it does ends."""
    try:
        return kind in USABLE and source_code.find(file.source, exercise.target) is not None
    except (SyntaxError, ValueError):
        return False


def _merged(lesson: Lesson, file: LearnerFile, keep: Sequence[Exercise]) -> merging.Merged:
    return merging.merge(
        file.source,
        lesson.solution_source(),
        targets=[exercise.target for exercise in lesson.exercises],
        keep=[exercise.target for exercise in keep],
    )


def _pieces(lesson: Lesson, kinds: dict[Exercise, Kind | None], own: Sequence[Exercise] = ()) -> tuple[Piece, ...]:
    return tuple(
        Piece(exercise.name, lesson.number, "yours" if exercise in own else "reference", kind)
        for exercise, kind in kinds.items()
    )


def _changed(lesson: Lesson, changed: Sequence[str]) -> list[Message]:
    """Say which given parts the learner's file defines in its own way: they are used, and no check is about them."""
    names = ", ".join(f"`{name}`" for name in changed)
    return (
        [
            Message(
                "lesson {lesson}: what was given is used as you changed it: {names}", lesson=lesson.number, names=names
            )
        ]
        if names
        else []
    )


def _judged(session: Session, lesson: Lesson) -> tuple[LearnerFile, dict[str, Verdict]]:
    """The learner's file and the verdicts on it: the very same text, though it may be saved meanwhile."""
    for _ in range(READS):
        file = read_exercises(session.folder, lesson)
        verdicts = session.status([lesson])
        if read_exercises(session.folder, lesson).sha256 == file.sha256:
            break
    return file, {verdict.exercise: verdict for verdict in verdicts}


@functools.lru_cache(maxsize=64)
def _misfits(lesson: Lesson, source: str) -> frozenset[str]:
    """The exercises that do not pass in a merged file.

    Two mistakes can make up for each other: a backward pass that walks a list forwards passes its check on top of a
    toposort that is turned round, and would be wrong on top of the reference's.
    """
    with FileJudge(lesson, LearnerFile.of(source, lesson.file_name)) as judge:
        return frozenset(
            name for name, check in judge.checks.items() if not all(each.right for each in judge.findings(check))
        )


def _file_faults(lesson: Lesson, verdicts: Collection[Verdict]) -> list[Message]:
    """What kept the whole file from being judged: one sentence, not one for each exercise."""
    first = next(iter(verdicts))
    whole_file = first.kind in (Kind.ERROR, Kind.TIMEOUT, Kind.OUT_OF_MEMORY) and first.input is None
    if not whole_file or any(verdict.reason != first.reason for verdict in verdicts):
        return []
    reason = first.reason
    if first.place is not None and first.kind is not Kind.TIMEOUT:  # that one names its line
        reason = loading.at(reason, first.place.line, first.place.file)
    return [Message("lesson {lesson} comes whole from the reference: {reason}", lesson=lesson.number, reason=reason)]


def _reference_name(lesson: Lesson) -> str:
    """The file name that a traceback shows for the solution's code: a name only, its lines give answers away."""
    return f"<reference: {lesson.file_name}>"


# ------------------------------------------------------------------------------------------ running it


def _run(lesson: Lesson, code: CodeType, before: Before) -> ModuleType:
    """Run a lesson's code in a fresh module. What it prints was shown by its check already."""
    silent = io.StringIO()
    with contextlib.redirect_stdout(silent), contextlib.redirect_stderr(silent):
        return loading.run(lesson, code, lesson.file_name, before.things)
