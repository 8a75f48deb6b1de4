"""The cells of a lesson's notebook, run for what they draw: in this process, in a folder where nothing is solved.

What a cell shows as a verdict, a hint or a question is left out: only its pictures and what it prints are wanted.
"""

from __future__ import annotations

import ast
import contextlib
import io
import os
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from minitorch.course.files.stubs import write_stubs
from minitorch.viz.views.picture import Picture

SILENT = frozenset({"check", "check_button", "status", "hint", "quiz", "review", "planted", "found", "here"})


@dataclass
class Seen:
    """What one cell showed. failed: what it raised, "" where nothing was."""

    pictures: list[Picture] = field(default_factory=list)
    printed: str = ""
    failed: str = ""


def rerun(sources: Sequence[str]) -> list[Seen]:
    """Runs cells one after another, in one namespace, as a fresh notebook would."""
    with tempfile.TemporaryDirectory(prefix="minitorch-lecture-") as folder, _at_home(Path(folder)):
        space: dict[str, Any] = {"__name__": "__main__"}
        return [_run(source, space) for source in sources]


@contextlib.contextmanager
def _at_home(folder: Path) -> Iterator[None]:
    """A course folder of untouched stubs, for as long as cells run."""
    write_stubs(folder / "exercises")
    (folder / "work").mkdir()
    before, here = os.environ.get("MINITORCH_COURSE"), Path.cwd()
    os.environ["MINITORCH_COURSE"] = str(folder)
    os.chdir(folder / "work")
    try:
        yield
    finally:
        os.chdir(here)
        if before is None:
            del os.environ["MINITORCH_COURSE"]
        else:
            os.environ["MINITORCH_COURSE"] = before


def _run(source: str, space: dict[str, Any]) -> Seen:
    seen = Seen()
    space["display"] = lambda *things: seen.pictures.extend(each for each in things if isinstance(each, Picture))
    try:
        tree = ast.parse(source)
    except SyntaxError as error:  # a command of IPython's
        seen.failed = f"SyntaxError: {error.msg}"
        return seen
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
        try:
            exec(compile(tree, "<cell>", "exec"), space)  # noqa: S102 - the lesson's own cells
            if isinstance(last, ast.Expr) and not _is_silent(last.value):
                shown = eval(compile(ast.Expression(last.value), "<cell>", "eval"), space)  # noqa: S307
                seen.pictures += [shown] if isinstance(shown, Picture) else []
        except Exception as error:  # noqa: BLE001 - one cell must not end the lecture
            seen.failed = f"{type(error).__name__}: {error}"
    seen.printed = printed.getvalue().rstrip()
    return seen


def _is_silent(shown: ast.expr) -> bool:
    """Whether it is a call of the course's own, or of something that such a call gives back."""
    while isinstance(shown, (ast.Call, ast.Attribute)):
        shown = shown.func if isinstance(shown, ast.Call) else shown.value
    return isinstance(shown, ast.Name) and shown.id in SILENT
