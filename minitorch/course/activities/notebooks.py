"""`minitorch check --notebooks 08`: a learner's notebook, run from top to bottom on the learner's engine, and compared.

The copy in `work/` is run as it is, in a fresh kernel, and never written to. Each cell that is as the lesson has it
must show what the lesson shows; where it shows a verdict or an engine's badge, that must say that all is passed and the
learner's own. Cells that the learner added or changed are run and not compared, like those that are dealt to each
learner differently.
"""

from __future__ import annotations

import importlib.util
import json
import logging
import os
import re
import subprocess
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from minitorch.course.cards.report import one_line
from minitorch.course.course_error import CourseError
from minitorch.course.files.notebook_json import read_notebook
from minitorch.course.manifest import Lesson, load, material
from minitorch.course.setup import shadowing
from minitorch.course.setup.processor import common_kernels
from minitorch.course.setup.workspace import in_language, language_of
from minitorch.language import Message, remarked

CELL_SECONDS = 60
NOTEBOOK_SECONDS = 300
VERDICT, DEALT = "verdict", "dealt"  # tags of cells: see scripts/notebooks.py
NOT_PASSED = re.compile(r"(?:^|\s)[○✗!◷↺] \w")  # a sign that stands before a verdict other than passed
OPEN = "○"  # stands before what is not started
SHOWN = 70  # letters of a line that is quoted


def _plain(fields: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    return {name: each.as_dict() if isinstance(each, Message) else each for name, each in fields}


@dataclass(frozen=True, slots=True)
class Difference:
    """A cell that is not as the lesson has it."""

    cell: int  # among the code cells of the learner's notebook, counted from 1; 0 where it is missing
    source: str  # its first line
    why: Message


@dataclass(frozen=True, slots=True)
class Stop:
    """Where a notebook stopped before its end."""

    cell: str  # its id
    why: Message


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one notebook."""

    name: str
    compared: int
    own: int  # cells that the learner added or changed
    differences: tuple[Difference, ...]

    @property
    def passed(self) -> bool:
        """Whether every cell that was compared is as the lesson has it."""
        return not self.differences

    def as_dict(self) -> dict[str, Any]:
        """The outcome as plain data, ready for JSON."""
        return {**asdict(self, dict_factory=_plain), "passed": self.passed}

    def lines(self, lang: str) -> list[str]:
        """The outcome in words: a headline, then a sentence for each cell that differs."""
        counts = {"name": self.name, "count": self.compared, "own": self.own, "wrong": len(self.differences)}
        head = Message(
            "✓ {name}: all {count} cells as in the lesson, on your engine; {own} of your own were run"
            if self.passed
            else "✗ {name}: {wrong} of {count} cells differ from the lesson; {own} of your own were run",
            **counts,
        ).to(lang)
        return [head, *(f"    {_sentence(each).to(lang)}" for each in self.differences)]


def check_notebook(folder: Path, lesson: Lesson) -> Outcome:
    """Run and compare the learner's notebook of a lesson.

    Raises CourseError when it is missing or is no notebook, when a file beside it hides a package, or when what runs
    notebooks is not installed.
    """
    for package in ("nbclient", "nbformat", "ipykernel"):
        if importlib.util.find_spec(package) is None:
            raise CourseError('to run notebooks {name} is needed: pip install "minitorch-course[lab]"', name=package)
    path = folder / "work" / lesson.notebook_name
    for hiding, name in shadowing.hiding(path.parent):
        raise CourseError(shadowing.HIDES, file=shadowing.shown(hiding, folder), name=name)
    own = _node(read_notebook(path))
    lang = language_of(own)
    shipped = _node(read_notebook(in_language(material() / "notebooks" / lesson.notebook_name, lang)))
    stopped = _run(own, path, folder, lang)
    return _compared(lesson.notebook_name, _code_cells(shipped), _code_cells(own), stopped)


def _node(notebook: dict[str, Any]) -> Any:
    """The notebook as nbclient takes it: every cell has a name of its own."""
    import nbformat

    taken: set[str] = set()
    for number, cell in enumerate(notebook["cells"]):
        name = cell.get("id")
        if not isinstance(name, str) or name in taken:
            name = cell["id"] = f"cell-{number}-{len(taken)}"
        taken.add(name)
    notebook.setdefault("metadata", {})
    return nbformat.from_dict(notebook)  # type: ignore[no-untyped-call]


def _code_cells(notebook: Any) -> list[Any]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code" and cell["source"].strip()]


# ------------------------------------------------------------------------------------------- running it


def _run(notebook: Any, path: Path, folder: Path, lang: str) -> Stop | None:
    """Run every cell, errors or not; return where and why it stopped before the end, if it did."""
    from jupyter_client.kernelspec import NoSuchKernel
    from nbclient import NotebookClient
    from nbclient.exceptions import CellTimeoutError, DeadKernelError

    begun, at = time.monotonic(), ""

    def watch_the_time(cell: Any, **_: object) -> None:
        nonlocal at
        at = cell["id"]
        if time.monotonic() - begun > NOTEBOOK_SECONDS:
            raise TimeoutError

    for cell in _code_cells(notebook):
        cell["outputs"], cell["execution_count"] = [], None
    client = NotebookClient(
        notebook,
        timeout=CELL_SECONDS,
        kernel_name="python3",
        resources={"metadata": {"path": str(path.parent)}},
        allow_errors=True,
        on_cell_execute=watch_the_time,
        log=logging.Logger("notebooks", logging.CRITICAL),  # noqa: LOG001 - its own: what it has to say is said here
    )
    try:
        client.execute(env=_environment(folder, lang), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    except CellTimeoutError:
        return Stop(
            at, Message("was still running after {limit} s; the cells below it were not run", limit=CELL_SECONDS)
        )
    except TimeoutError:
        return Stop(
            at, Message("was not reached: the notebook was still running after {limit} s", limit=NOTEBOOK_SECONDS)
        )
    except DeadKernelError:
        return Stop(at, Message("ended the Python process; the cells below it were not run"))
    except NoSuchKernel as error:
        raise CourseError(
            'to run notebooks {name} is needed: pip install "minitorch-course[lab]"', name="ipykernel"
        ) from error
    return None


def _environment(folder: Path, lang: str) -> dict[str, str]:
    """Return the environment of the kernel: the learner's folder, and kernels and language of the stored outputs."""
    own = {"MINITORCH_COURSE": str(folder), "MINITORCH_LANG": lang, "JUPYTER_PREFER_ENV_PATH": "1"}
    return {**os.environ, **common_kernels(), **own}


# ------------------------------------------------------------------------------------------ comparing it


def _compared(name: str, shipped: Sequence[Any], own: Sequence[Any], stopped: Stop | None) -> Outcome:
    lessons, wanted = _lessons_cells(shipped, own)
    found: list[Difference] = []
    changed: list[int] = []
    compared = 0
    for number, (cell, lesson_cell) in enumerate(zip(own, lessons, strict=True), start=1):
        if stopped is not None and cell["id"] == stopped.cell:
            found.append(Difference(number, _first_line(cell), stopped.why))
            return Outcome(name, compared, len(changed), tuple(found))
        if lesson_cell is None or lesson_cell["source"] != cell["source"]:
            changed.append(number)
            continue
        compared += DEALT not in lesson_cell["metadata"].get("tags", ())
        why = _difference(lesson_cell, cell)
        if why is not None:
            found.append(Difference(number, _first_line(cell), _with_cause(why, found, changed, lesson_cell)))
    missing = [Difference(0, _first_line(cell), Message("is not in your notebook")) for cell in wanted]
    return Outcome(name, compared, len(changed), (*found, *missing))


def _lessons_cells(shipped: Sequence[Any], own: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """The lesson's cell that each of one's own is, or None; and the lesson's cells that are not there.

    A cell is known by its name and what stands in it, else by what stands in it, else by its name: editors and merges
    rename cells, double their names or drop them.
    """
    left, found = list(shipped), [None] * len(own)
    for keys in (("id", "source"), ("source",), ("id",)):
        for at, cell in enumerate(own):
            if found[at] is None:
                found[at] = next((each for each in left if all(each[key] == cell[key] for key in keys)), None)
                left = [each for each in left if each is not found[at]]
    return found, left


def _difference(lesson_cell: Any, cell: Any) -> Message | None:
    """Why a cell is not as the lesson has it; None where it is."""
    for output in cell["outputs"]:
        if output["output_type"] == "error":
            error = one_line(f"{output['ename']}: {output['evalue']}", 160)
            return Message("raised {error}", error=error)
    tags = lesson_cell["metadata"].get("tags", ())
    if DEALT in tags:
        return None
    shown = shown_text(cell)
    if VERDICT in tags:
        bad = next(not_passed(shown), None)
        return (
            None
            if bad is None
            else Message("says that something is not passed, or not yours: {line}", line=_quoted(bad))
        )
    wanted = shown_text(lesson_cell)
    return None if shown == wanted else _first_difference(wanted, shown)


def not_passed(text: str) -> Iterator[str]:
    """Yield the lines that show something not passed, or not the learner's; an optional exercise may be left open."""
    course = load()
    names = {exercise.name for exercise in course.exercises}
    for line in text.splitlines():
        named = names.intersection(re.findall(r"\w+", line))
        is_left_open = OPEN in line and bool(named) and named <= course.more_names
        if NOT_PASSED.search(line) and not is_left_open:
            yield line.strip()


def _first_difference(wanted: str, shown: str) -> Message:
    lines, theirs = shown.splitlines(), wanted.splitlines()
    for own, other in zip(lines, theirs, strict=False):
        if own != other:
            return Message("shows “{got}” where the lesson shows “{want}”", got=_quoted(own), want=_quoted(other))
    if len(lines) < len(theirs):
        return Message("ends before the line “{want}” of the lesson", want=_quoted(theirs[len(lines)]))
    return Message("shows a line more than the lesson: “{got}”", got=_quoted(lines[len(theirs)]))


def _with_cause(why: Message, earlier: Sequence[Difference], changed: Sequence[int], lesson_cell: Any) -> Message:
    """`why`, and what stands before it that it may come from."""
    if VERDICT in lesson_cell["metadata"].get("tags", ()):
        return why
    if earlier:
        cause = Message("cell {cell} before it differs, too", cell=earlier[0].cell)
    elif changed:
        cause = Message("you changed or added cell {cell} before it", cell=changed[-1])
    else:
        return why
    return remarked(why, cause)


def shown_text(cell: Any) -> str:
    """What a cell shows, as plain text: what is printed at once joined, pictures by their listing."""
    pieces = []
    for output in cell["outputs"]:
        if output["output_type"] == "stream":
            pieces.append(_text(output["text"]))
        else:
            data = output.get("data", {})
            kinds = ["text/plain"] if "text/plain" in data else sorted(set(data) - {"text/html"})
            pieces += [f"{_text(data[kind])}\n" for kind in kinds]
    return "".join(pieces).rstrip()


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value) if isinstance(value, dict) else "".join(value)


def _first_line(cell: Any) -> str:
    return _quoted(next((line for line in cell["source"].splitlines() if line.strip()), ""))


def _quoted(line: str) -> str:
    return one_line(line.strip(), SHOWN) or "-"


def _sentence(each: Difference) -> Message:
    if not each.cell:
        return Message("the lesson's cell `{source}` {why}", source=each.source, why=each.why)
    return Message("cell {cell}, `{source}`, {why}", cell=each.cell, source=each.source, why=each.why)
