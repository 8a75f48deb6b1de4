"""What an exercise's check is made of, and reading a lesson's `checks.py`.

    @exercise("mul", limit_s=2)
    class Mul:
        def inputs(self, rng): ...        # parent: the cases, a list of plain values
        def observe(learner, x): ...      # child: its source text is shipped; returns plain values
        def judge(self, x, got): ...      # parent: None when right, a Wrong, a But, or a sentence
                                          # with a third argument `printed`: what the learner's code printed, too
        def given(...): ...               # child, if it has one: shipped like the driver, and handed to it as `given`
        def line(self, x): ...            # parent, if it has one: Python that repeats the case, `m` is the module
        def wanted(self, x): ...          # parent, if it has one: the exception that this case wants, or None
        def compared(self, x, got): ...   # parent, if many values are the same mistake: what mistakes are told by
        in_order = True                   # if the first failing case is the one to show, not the smallest

The child never sees an expectation; nothing that it can send means "passed".
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import numpy as np

from minitorch.course.course_error import CourseError
from minitorch.course.judging.compare import (
    But,
    Wrong,
    first_wrong,
    pair,
    same_array,
    same_number,
    same_numbers,
    same_value,
    with_hint,
)
from minitorch.course.judging.properties import judged_array
from minitorch.course.manifest import PACKAGE, Exercise, Lesson
from minitorch.course.sandbox.outcome import Outcome
from minitorch.course.sandbox.platforms import Platform
from minitorch.course.sandbox.values import as_python
from minitorch.language import Message

__all__ = [
    "But",
    "Check",
    "Message",
    "Wrong",
    "as_python",
    "drawn",
    "exercise",
    "first_wrong",
    "judged_array",
    "load_checks",
    "same_array",
    "same_number",
    "same_numbers",
    "same_value",
    "with_hint",
]

T = TypeVar("T", bound=type)
PUBLIC_SEED = 0
JUDGING = "arrays behaviour checks compare contract diagnosis facts judge known_mistakes mistakes properties reasons"
SANDBOX = "child deadline family inside keeper limits outcome platforms runner surroundings values wire worker"
MACHINERY = (  # what a verdict comes from, besides the lesson
    "files/source_code.py",
    *(f"judging/{name}.py" for name in JUDGING.split()),
    *(f"sandbox/{name}.py" for name in SANDBOX.split()),
)


def exercise(name: str, *, limit_s: float = 2.0) -> Callable[[T], T]:
    """Mark a class as the check of the exercise `name`; one call of the learner's code may take `limit_s` seconds."""

    def mark(cls: T) -> T:
        cls._exercise = (name, limit_s)  # type: ignore[attr-defined]
        return cls

    return mark


def drawn(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Numbers of both signs for a case: away from 0, all different, rounded so that they can be read."""
    return np.asarray(np.round(rng.uniform(0.5, 3.0, shape) * rng.choice([-1.0, 1.0], shape), 3))


@dataclass(frozen=True)
class Check:
    """The check of one exercise: cases, a driver for the child, and a judge."""

    exercise: Exercise
    limit_s: float
    version: str  # changes with anything that could change a verdict
    definition: Any
    observe: str  # source text of the driver
    observe_name: str
    given: str = ""  # source text of what the driver has beside the learner's module, in the learner's own process
    given_name: str = ""
    reads_prints: bool = False  # whether the judge looks at what was printed

    def cases(self, seed: int = PUBLIC_SEED) -> list[Any]:
        """The cases for a seed. Raises CourseError when there are not exactly as many as the manifest says."""
        key = hashlib.sha256(f"{self.exercise.name}:{seed}".encode()).digest()
        rng = np.random.default_rng(int.from_bytes(key[:16], "little"))
        cases = list(self.definition.inputs(rng))
        if len(cases) != self.exercise.checks:
            raise CourseError(
                f"the check of {self.exercise.name} has {len(cases)} cases, but lesson.toml says "
                f"{self.exercise.checks}; nothing was judged"
            )
        return [_no_deeper(x, Platform.here().deepest) for x in cases]

    def line(self, x: Any) -> str | None:
        """A line that can be copied and run: it repeats the case `x` on the learner's own file."""
        if not hasattr(self.definition, "line"):
            return None
        repeated = self.definition.line(x)
        if repeated is None:  # this case cannot be written as a line
            return None
        numpy = "import numpy as np; " if "np." in repeated else ""
        return f'{numpy}from minitorch.course import yours; m = yours("{self.exercise.lesson}"); {repeated}'

    def compared(self, x: Any, outcome: Outcome) -> Outcome:
        """What mistakes are told by: the outcome, or what the check makes of its value."""
        if outcome.kind != "value" or not hasattr(self.definition, "compared"):
            return outcome
        try:
            return replace(outcome, value=self.definition.compared(x, outcome.value))
        except Exception:  # noqa: BLE001 - a value so odd is like no other
            return outcome

    @property
    def in_order(self) -> bool:
        """Whether the first failing case is the gentlest to look at, whatever its size."""
        return getattr(self.definition, "in_order", False) is True

    def wanted(self, x: Any) -> str | None:
        """The name of the exception that the case `x` wants, if it wants one."""
        name = self.definition.wanted(x) if hasattr(self.definition, "wanted") else None
        return name if isinstance(name, str) else None

    def judge(self, x: Any, got: Any, printed: str = "") -> Wrong | But | None:
        """What is wrong with `got` for the case `x`, or None."""
        finding = self.definition.judge(x, got, *([printed] if self.reads_prints else []))
        if finding is None or isinstance(finding, (Wrong, But)):
            return finding
        if isinstance(finding, (str, Message)):
            return Wrong(finding)
        raise CourseError(f"the judge of {self.exercise.name} returned a {type(finding).__name__}")


def __getattr__(name: str) -> Any:
    """Give checks of the second edition the name that messages had there."""
    if name == "Text":
        return pair
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@functools.lru_cache(maxsize=64)
def load_checks(lesson: Lesson) -> dict[str, Check]:
    """The lesson's checks by exercise name, from `checks.py` or, in a long lesson, from several `checks_….py`.

    Raises CourseError when they do not match `lesson.toml`.
    """
    modules = [load_lesson_module(lesson, path.stem) for path in check_files(lesson)]
    classes = {vars(cls)["_exercise"][0]: cls for module in modules for cls in vars(module).values() if _is_check(cls)}
    wanted = {exercise.name: exercise for exercise in lesson.exercises}
    if set(classes) != set(wanted):
        odd = ", ".join(sorted(set(classes) ^ set(wanted)))
        raise CourseError(f"lesson {lesson.number}: lesson.toml and checks.py do not name the same exercises: {odd}")
    version = lesson_version(lesson)
    return {name: _check(wanted[name], classes[name], version) for name in wanted}


def _no_deeper(x: Any, deepest: int | None) -> Any:
    """The case, its graph no deeper than the platform bears."""
    too_deep = deepest is not None and isinstance(x, dict) and x.get("deep", 0) > deepest
    return {**x, "deep": deepest} if too_deep else x


def is_cut(x: Any) -> bool:
    """Whether a case of `Check.cases` is less deep here than where processes are."""
    deepest = Platform.here().deepest
    return deepest is not None and isinstance(x, dict) and x.get("deep", 0) >= deepest


def _is_check(thing: object) -> bool:
    return isinstance(thing, type) and "_exercise" in vars(thing)


def _check(exercise: Exercise, cls: type, version: str) -> Check:
    for method in ("inputs", "observe", "judge"):
        if not callable(getattr(cls, method, None)):
            raise CourseError(f"the check of {exercise.name} has no {method}()")
    observe, observe_name = _text_of(cls.observe)  # type: ignore[attr-defined]
    given, given_name = _text_of(cls.given) if hasattr(cls, "given") else ("", "")
    return Check(
        exercise=exercise,
        limit_s=vars(cls)["_exercise"][1],
        version=version,
        definition=cls(),
        observe=observe,
        observe_name=observe_name,
        given=given,
        given_name=given_name,
        reads_prints="printed" in inspect.signature(cls.judge).parameters,  # type: ignore[attr-defined]
    )


def _text_of(function: Callable[..., Any]) -> tuple[str, str]:
    """The source text of what is shipped to the child, and its name."""
    function = inspect.unwrap(function)
    return textwrap.dedent(inspect.getsource(function)), function.__name__


def check_files(lesson: Lesson) -> list[Path]:
    """The files that hold the lesson's checks."""
    return sorted(lesson.folder.glob("checks*.py"))


def load_lesson_module(lesson: Lesson, name: str) -> ModuleType:
    """Run one Python file of the lesson's data (never the learner's) and return it as a module."""
    path = lesson.folder / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"{lesson.stem}_{name}", path)
    if spec is None or spec.loader is None or not path.is_file():
        raise CourseError(f"lesson {lesson.number} has no {name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@functools.lru_cache(maxsize=64)
def lesson_version(lesson: Lesson) -> str:
    """A hash of everything that decides a verdict: how it is judged, and the mistakes that are known.

    The solution is not read. In a checkout it decides which mistake a behaviour is called, and nothing else.
    """
    known = [*sorted(lesson.folder.glob("mistakes/*.toml")), lesson.known_mistakes]
    return _hash(
        *[(path.name, path.read_bytes()) for path in known if path.is_file()], ("", judged_by(lesson).encode())
    )


@functools.lru_cache(maxsize=64)
def judged_by(lesson: Lesson) -> str:
    """A hash of what decides how a lesson's answers are observed and judged: its checks and the machinery."""
    paths = [lesson.folder / "lesson.toml", *check_files(lesson)]
    return _hash(*[(path.name, path.read_bytes()) for path in paths], *_machinery())


@functools.cache
def _machinery() -> list[tuple[str, bytes]]:
    return [(name, (PACKAGE / name).read_bytes()) for name in MACHINERY]


def _hash(*files: tuple[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name, data in files:
        digest.update(name.encode() + b"\0" + data + b"\0")
    return digest.hexdigest()[:16]
