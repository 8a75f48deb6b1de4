"""nbval on the course's notebooks: `pytest --nbval notebooks/` runs each in its language and compares every output.

`notebooks/conftest.py`, and the one that `minitorch init --outputs` lays beside a learner's copies, hand these hooks to
pytest. nbval runs the cells and compares; what the course adds is the kernel's surroundings (the language, a course
folder, one set of kernels) and two rules for cells that depend on the learner:

- a verdict, an engine's badge or progress (tag `verdict`): its text is as stored where nothing is solved; else all of
  it must have passed, as `minitorch check --notebooks` asks
- a question or a bug that is dealt to each learner (tag `dealt`): compared only for the learner number of the stored
  outputs

A shipped notebook runs in a course folder of its own with untouched stubs, so that a clone's half-solved exercises
change nothing; `MINITORCH_COURSE` names another folder. A learner's copy runs in the learner's folder.
"""

from __future__ import annotations

import base64
import os
import re
import tempfile
import zlib
from collections.abc import Generator, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from nbformat import from_dict
from nbval.plugin import IPyNbCell, IPyNbFile

from minitorch.course import manifest
from minitorch.course.activities.notebooks import DEALT, VERDICT, not_passed, shown_text
from minitorch.course.course_error import CourseError
from minitorch.course.files.course_folder import exercise_path, find_course_folder
from minitorch.course.files.learner import learner_id, write_learner
from minitorch.course.files.notebook_json import read_notebook
from minitorch.course.files.stubs import stub_source
from minitorch.course.setup import shadowing
from minitorch.course.setup.processor import common_kernels
from minitorch.course.setup.workspace import init_course, language_of
from minitorch.language import gettext, languages

STORED_LEARNER = "0" * 32  # the outputs that are shipped were made by this one
# A player's document carries its program deflated; zlib-ng packs the same program into other bytes.
PACKED = re.compile(r"atob\((?:&#x27;|')([A-Za-z0-9+/=]+)(?:&#x27;|')\)")


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path, parent: pytest.Collector
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Replace the collector that nbval gives a notebook."""
    found = yield
    return [Notebook.from_parent(parent, path=file_path) if isinstance(each, IPyNbFile) else each for each in found]


class Notebook(IPyNbFile):
    """A notebook of the course, run from top to bottom in a kernel of its own."""

    def collect(self) -> Iterator[Cell]:
        """Yield the code cells. Raises CollectError, in a sentence, where the notebook cannot be run as it is."""
        try:
            notebook = read_notebook(self.path, for_jupyter=True)
            if self.compare_outputs and not any(cell.get("execution_count") for cell in notebook["cells"]):
                raise CourseError(
                    "{file} keeps no outputs to compare with: `minitorch init DIR --outputs` lays out "
                    "copies that do, and `minitorch check --notebooks` compares without them",
                    file=f"{self.path.parent.name}/{self.path.name}",
                )
        except CourseError as error:
            raise self.CollectError(str(error)) from None
        for path, name in shadowing.hiding(self.path.parent):
            raise self.CollectError(gettext(shadowing.HIDES, file=f"{path.parent.name}/{path.name}", name=name))
        for cell in super().collect():
            yield Cell.from_parent(self, name=cell.name, cell_num=cell.cell_num, cell=cell.cell, options=cell.options)

    def setup(self) -> None:
        """Start the kernel in the notebook's language, in a course folder."""
        options = self.config.option
        options.nbval_current_env = options.nbval_current_env or not options.nbval_kernel_name
        self.displays: dict[str, Any] = {}
        self.surroundings = ExitStack()
        found = _learners_course(self.path)
        course = found or self.surroundings.enter_context(_fresh_course(self.path))
        self.is_learners = found is not None
        self.is_untouched = _is_untouched(course)
        self.is_stored_learner = learner_id(course) == STORED_LEARNER
        own = {"MINITORCH_COURSE": str(course), "MINITORCH_LANG": _language_of(self.path, self.nb)}
        with _environment({**common_kernels(), **own}):
            super().setup()

    def teardown(self) -> None:
        """Stop the kernel, then remove the course folder that was laid out for it."""
        super().teardown()
        self.surroundings.close()

    def get_kernel_message(self, timeout: float | None = None, stream: str = "iopub") -> Any:
        """Return the kernel's next message; an `update_display_data` changes what was displayed, as in JupyterLab.

        nbval ignores these messages, and `viz.live` shows its last picture by one.
        """
        message = super().get_kernel_message(timeout=timeout, stream=stream)
        content = message["content"]
        name = content.get("transient", {}).get("display_id")
        if name and message["msg_type"] == "display_data":
            # nbval keeps this very object: a plain dict it would copy
            content["data"] = self.displays[name] = from_dict(content["data"])  # type: ignore[no-untyped-call]
        elif name in self.displays and message["msg_type"] == "update_display_data":
            self.displays[name].clear()
            self.displays[name].update(content["data"])
        return message


class Cell(IPyNbCell):
    """A code cell, compared with its stored output."""

    def compare_outputs(self, test: list[Any], ref: list[Any], skip_compare: Any = None) -> bool:
        """Compare strictly, except for what depends on the learner."""
        tags = self.cell.metadata.get("tags", ())
        if DEALT in tags and not self.parent.is_stored_learner:
            return True
        if VERDICT in tags and self.parent.is_learners:
            return self._is_passed(shown_text({"outputs": test}), shown_text({"outputs": ref}))
        return bool(super().compare_outputs(test, ref, skip_compare))

    def _is_passed(self, text: str, stored: str) -> bool:
        wrong = list(not_passed(text))
        self.comparison_traceback = [f"not passed: {line}" for line in wrong] or ["the cell shows no verdict"]
        return (bool(text) and not wrong) or (self.parent.is_untouched and text == stored)

    def sanitize(self, s: Any) -> Any:
        """Inflate the program of a document before it is compared."""
        return super().sanitize(PACKED.sub(_inflated, s) if isinstance(s, str) else s)


def _inflated(found: re.Match[str]) -> str:
    return zlib.decompress(base64.b64decode(found[1]), -zlib.MAX_WBITS).decode()


def _learners_course(notebook: Path) -> Path | None:
    """Return the course folder that a notebook belongs to; None for one of those that are shipped."""
    if named := os.environ.get("MINITORCH_COURSE"):
        return Path(named)
    is_shipped = notebook.is_relative_to(manifest.material() / "notebooks")
    return None if is_shipped else find_course_folder(notebook.parent)


@contextmanager
def _fresh_course(notebook: Path) -> Iterator[Path]:
    """Lay out a course folder for a shipped notebook, with untouched stubs in its language."""
    with tempfile.TemporaryDirectory(prefix="minitorch-nbval-", ignore_cleanup_errors=True) as folder:
        course = Path(folder) / "course"
        init_course(course, _language_of(notebook))
        write_learner(course, STORED_LEARNER)
        yield course


def _language_of(path: Path, notebook: Mapping[str, Any] | None = None) -> str:
    """Return the language that a notebook is written in: a shipped one's folder has its name, a copy says it."""
    return path.parent.name if path.parent.name in languages() else language_of(dict(notebook or {}))


def _is_untouched(course: Path) -> bool:
    """Return whether every exercise of a course folder is as it was handed out, in one language or another."""
    for lesson in manifest.load().lessons:
        path = exercise_path(course, lesson)
        if not path.is_file() or path.read_bytes() not in {stub_source(lesson, each).encode() for each in languages()}:
            return False
    return True


@contextmanager
def _environment(own: Mapping[str, str]) -> Iterator[None]:
    """Give this process an environment for as long as a kernel is started: nbval starts it with this one."""
    before = dict(os.environ)
    os.environ.update(own)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
