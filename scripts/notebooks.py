"""Run, normalise and test the notebooks that are committed.

    python scripts/notebooks.py run [NAME ...]   execute against untouched stubs, normalise, write
    python scripts/notebooks.py check            every cell was run, and normalising would change nothing
    python scripts/notebooks.py test [MODE ...] [NAME ...]  check, then run each notebook in each mode, two at once

The modes differ in what lies in the learner's folder, and in the language:

    stubs      nothing is solved, the reference falls in: every output is as committed, in every form
    solved     the solutions lie in the exercises: every output is as committed, except that verdicts say "passed";
               in a copy of the course that ends with this lesson, for none needs what comes after it
    disorder   files are missing, broken or wrong: no cell may fail, whatever it shows
    spanish    nothing is solved, and the course speaks Spanish: no cell may fail, and its verdicts speak it too

A cell that shows a verdict, an engine's badge or progress carries the tag `verdict`; normalising sets it. Where a cell
depends on the learner's files in a way that cannot be read off its code, set the tag by hand: it is kept. A cell that
shows what each learner is dealt (`planted`, `found`, `review`) carries the tag `dealt`, in the same way. Here everybody
is dealt the same: the folder's number is fixed.

A course folder is laid out for each run, so a learner's own half-solved exercises change nothing here.
"""

from __future__ import annotations

import ast
import base64
import json
import os
import re
import shutil
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nbformat
import publish
from nbclient import NotebookClient
from publish import as_text

from minitorch.course import manifest
from minitorch.course.files import source_code
from minitorch.course.files.learner import write_learner
from minitorch.course.files.stubs import stub_source
from minitorch.course.judging.mistakes import full_source, of_exercise
from minitorch.course.judging.verdict import Kind

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = ROOT / "notebooks"
CELL_SECONDS = 120
AT_ONCE = 2
LEARNER = "0" * 32  # who runs the notebooks that are committed
VERDICT = "verdict"  # the tag of a cell whose output depends on what the learner has solved
DEALT = "dealt"  # the tag of a cell whose output differs from learner to learner
DEAL = {"planted", "found", "review"}
SHOW_VERDICTS = {"check", "check_button", "status"}
PACKED = re.compile(r"atob\((?:&#x27;|')([A-Za-z0-9+/=]+)(?:&#x27;|')\)")  # in minitorch/viz/drawing/html.py
NOT_PASSED = re.compile(r"(?:^|\s)[○✗!◷↺] \w")  # a sign that stands before a verdict other than passed


# --------------------------------------------------------------------------------------- what is committed


def normalise(notebook: dict[str, Any]) -> dict[str, Any]:
    """Return the notebook without what differs between two runs, its cells that show verdicts tagged."""
    clean = publish.normalise(notebook)
    engines: set[str] = set()
    for cell in clean["cells"]:
        if cell["cell_type"] == "code" and shows_a_verdict("".join(cell["source"]), engines):
            tag(cell, VERDICT)
        if cell["cell_type"] == "code" and deals("".join(cell["source"])):
            tag(cell, DEALT)
    return clean


def tag(cell: dict[str, Any], name: str) -> None:
    """Give a cell a tag, once."""
    cell["metadata"]["tags"] = sorted({*cell["metadata"].get("tags", ()), name})


def deals(source: str) -> bool:
    """Say whether a cell shows something that is dealt to a learner: its last line, or what it prints."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return False
    last = tree.body[-1] if tree.body else None
    shown = [last.value] if isinstance(last, ast.Expr) else []
    calls = [node for each in shown for node in ast.walk(each) if isinstance(node, ast.Call)]
    return any(isinstance(call.func, ast.Name) and call.func.id in DEAL for call in calls)


def shows_a_verdict(source: str, engines: set[str]) -> bool:
    """Say whether a cell shows a verdict, a badge, or a hint that a verdict chose.

    engines: the names that hold an engine of the learner's; those that the cell binds are added.
    """
    try:
        tree = ast.parse(source)
    except SyntaxError:  # a cell with a command of IPython's
        return False
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and _is_own_engine(node.value):
            engines |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    last = tree.body[-1] if tree.body else None
    shown = [last.value] if isinstance(last, ast.Expr) else []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            name, words = node.func.id, len(node.args) + len(node.keywords)
            if name in SHOW_VERDICTS or (name == "hint" and words < 2):
                return True
            if name in {"print", "display"}:
                shown += node.args
        if isinstance(node, ast.Attribute) and node.attr == "pieces":
            shown.append(node.value)
    return any(_is_own_engine(node) or (isinstance(node, ast.Name) and node.id in engines) for node in shown)


def _is_own_engine(node: ast.expr) -> bool:
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "engine"):
        return False
    words = [*node.args, *(word.value for word in node.keywords if word.arg == "word")]
    return not (words and isinstance(words[0], ast.Constant) and words[0].value == "reference")


def faults(path: Path) -> list[str]:
    """Say what is wrong with a committed notebook, as sentences; nothing when it is in order."""
    text = path.read_text(encoding="utf-8")
    notebook = nbformat.reads(text, as_version=4)
    found = []
    for number, cell in enumerate(code_cells(notebook), start=1):
        if cell.execution_count is None:
            found.append(f"{path.name}: code cell {number} was never run")
        if any(output.get("name") == "stderr" for output in cell.outputs):
            found.append(f"{path.name}: code cell {number} wrote to stderr")
    if not found and as_text(normalise(notebook)) != text:
        found.append(f"{path.name}: not normalised; run: python scripts/notebooks.py run {path.name}")
    return found


def code_cells(notebook: dict[str, Any]) -> list[Any]:
    """Return the cells that are run."""
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


# ------------------------------------------------------------------------------------- the learner's folder


def leave_stubs(exercises: Path) -> None:
    """Solve nothing."""


def lay_solutions(exercises: Path) -> None:
    """Solve everything."""
    for lesson in manifest.load().lessons:
        (exercises / lesson.file_name).write_text(lesson.solution_source(), encoding="utf-8")


def lay_disorder(exercises: Path) -> None:
    """Leave each lesson's file in another kind of disorder, in turn."""
    kinds: list[Callable[[manifest.Lesson], str | None]] = [_wrong, _broken, _missing, _half_solved, _raising]
    for number, lesson in enumerate(manifest.load().lessons):
        source = kinds[number % len(kinds)](lesson)
        path = exercises / lesson.file_name
        if source is None:
            path.unlink()
        else:
            path.write_text(source, encoding="utf-8")


def _wrong(lesson: manifest.Lesson) -> str:
    return full_source(lesson, of_exercise(lesson, lesson.exercises[0])[0])


def _broken(lesson: manifest.Lesson) -> str:
    return lesson.solution_source() + "\n\ndef broken(:\n"


def _missing(_lesson: manifest.Lesson) -> None:
    return None


def _half_solved(lesson: manifest.Lesson) -> str:
    source, stub = lesson.solution_source(), stub_source(lesson)
    for exercise in lesson.exercises[::2]:
        source = source_code.replace(source, exercise.target, source_code.text_of(stub, exercise.target))
    return source


def _raising(lesson: manifest.Lesson) -> str:
    return lesson.solution_source() + '\n\nraise RuntimeError("this file is not finished")\n'


@contextmanager
def course_folder(
    lay: Callable[[Path], None] = leave_stubs, last: str = "", language: str = "en"
) -> Iterator[dict[str, str]]:
    """Lay out a fresh course folder; yield an environment that names it and its language, with one array thread.

    last: the number of the lesson that the course ends with, in a copy of the package; "" for the course as it is.
    """
    from minitorch.course.setup.workspace import init_course

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        course = Path(folder) / "course"
        init_course(course)
        write_learner(course, LEARNER)
        lay(course / "exercises")
        named = {"MINITORCH_COURSE": str(course), "MINITORCH_LANG": language}
        if last:
            named["PYTHONPATH"] = str(copy_until(last, Path(folder) / "copy"))
            remove_after(last, course / "exercises")
        yield {**os.environ, **named, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


def copy_until(last: str, copy: Path) -> Path:
    """Return a copy of the package and its material that knows no lesson after `last`."""
    for part in ("minitorch", "solutions", "notebooks"):
        shutil.copytree(ROOT / part, copy / part, ignore=shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints"))
    for place in (copy / "minitorch" / "course" / "lessons", copy / "solutions"):
        remove_after(last, place)
    return copy


def remove_after(last: str, place: Path) -> None:
    """Remove every lesson_NN… of a folder that comes after the lesson `last`."""
    course = manifest.load()
    for lesson in course.lessons:
        if lesson.order > course.lesson(last).order:
            for path in place.glob(f"{lesson.stem}*"):
                shutil.rmtree(path) if path.is_dir() else path.unlink()


# -------------------------------------------------------------------------------------------------- the modes


def execute(path: Path, env: dict[str, str], *, allow_errors: bool = False) -> Any:
    """Return the notebook as a fresh kernel leaves it."""
    notebook = nbformat.read(path, as_version=4)
    place = {"metadata": {"path": str(path.parent)}}
    client = NotebookClient(
        notebook,
        timeout=CELL_SECONDS,
        kernel_name="python3",
        resources=place,
        allow_errors=allow_errors,
        extra_arguments=["--log-level=ERROR"],
    )
    client.execute(env=env)
    return notebook


def with_stubs(path: Path) -> list[str]:
    """Compare every output with a run on untouched stubs."""
    with course_folder() as env:
        fresh = normalise(execute(path, env, allow_errors=True))
    kept = publish.normalise(nbformat.read(path, as_version=4))
    return [
        f"{path.name}, with stubs: code cell {number} {fault}"
        for number, (old, new) in enumerate(zip(code_cells(kept), code_cells(fresh), strict=True), start=1)
        if (fault := changed(old, new))
    ]


def with_solutions(path: Path) -> list[str]:
    """Compare every output with a run on solved exercises; a verdict must say that all is passed."""
    last = [lesson.number for lesson in manifest.load().lessons if lesson.notebook_name == path.name]
    with course_folder(lay_solutions, *last) as env:
        fresh = normalise(execute(path, env, allow_errors=True))
    kept = publish.normalise(nbformat.read(path, as_version=4))
    return [
        f"{path.name}, solved: code cell {number} {fault}"
        for number, (old, new) in enumerate(zip(code_cells(kept), code_cells(fresh), strict=True), start=1)
        if (fault := difference(old, new))
    ]


def with_disorder(path: Path) -> list[str]:
    """Say which cells fail in a folder in disorder."""
    with course_folder(lay_disorder) as env:
        fresh = execute(path, env, allow_errors=True)
    return [
        f"{path.name}, in disorder: code cell {number} raised {error}"
        for number, cell in enumerate(code_cells(fresh), start=1)
        if (error := raised(cell))
    ]


def in_spanish(path: Path) -> list[str]:
    """Say which cells fail, or show a verdict that is not in Spanish."""
    with course_folder(language="es") as env:
        fresh = execute(path, env, allow_errors=True)
    kept = nbformat.read(path, as_version=4)
    return [
        f"{path.name}, in Spanish: code cell {number} {fault}"
        for number, (old, new) in enumerate(zip(code_cells(kept), code_cells(fresh), strict=True), start=1)
        if (fault := untranslated(old, new))
    ]


def untranslated(kept: dict[str, Any], fresh: dict[str, Any]) -> str:
    """Say what is wrong with a cell's output in Spanish, where nothing is solved; or nothing."""
    if error := raised(fresh):
        return f"raised {error}"
    english, spanish = (Kind.NOT_STARTED.to(language) for language in ("en", "es"))
    text = shown_text(fresh)
    is_in_spanish = (spanish in text) == (english in shown_text(kept)) and english not in text
    return "" if is_in_spanish else f"shows no verdict in Spanish:\n{text}"


def changed(kept: dict[str, Any], fresh: dict[str, Any]) -> str:
    """Say how a cell's output differs from the committed one, in any form of it; or nothing."""
    if error := raised(fresh):
        return f"raised {error}"
    if unpacked(kept["outputs"]) != unpacked(fresh["outputs"]):
        return f"shows something else:\n{shown_text(fresh)}\ninstead of:\n{shown_text(kept)}"
    return ""


def unpacked(outputs: list[dict[str, Any]]) -> str:
    """Return the outputs with the programs of documents inflated: machines deflate the same to other bytes."""
    text = json.dumps(outputs, sort_keys=True)
    return PACKED.sub(lambda found: zlib.decompress(base64.b64decode(found[1]), -zlib.MAX_WBITS).decode(), text)


def difference(kept: dict[str, Any], fresh: dict[str, Any]) -> str:
    """Say the same, but of a cell with a verdict only whether it says that all is passed."""
    if error := raised(fresh):
        return f"raised {error}"
    if VERDICT in fresh["metadata"].get("tags", ()):
        text = shown_text(fresh)
        bad = NOT_PASSED.search(text)
        return "shows nothing" if not text else f"shows a verdict other than passed:\n{text}" if bad else ""
    return changed(kept, fresh)


def raised(cell: dict[str, Any]) -> str:
    """Return what a cell raised, in one line."""
    errors = [output for output in cell["outputs"] if output["output_type"] == "error"]
    return f"{errors[0]['ename']}: {errors[0]['evalue']}" if errors else ""


def shown_text(cell: dict[str, Any]) -> str:
    """Return what a cell shows, as plain text."""
    texts = [output.get("text") or output.get("data", {}).get("text/plain", "") for output in cell["outputs"]]
    return "\n".join("".join(text) for text in texts)


# ------------------------------------------------------------------------------------------------- commands

RUNS: dict[str, Callable[[Path], list[str]]] = {
    "stubs": with_stubs,
    "solved": with_solutions,
    "disorder": with_disorder,
    "spanish": in_spanish,
}


def run(paths: list[Path]) -> int:
    """Execute the notebooks and write them back, normalised."""
    with course_folder() as env:
        for path in paths:
            path.write_text(as_text(normalise(execute(path, env))), encoding="utf-8")
            print(f"{path.name}: written")
    return 0


def check(paths: list[Path]) -> int:
    """Print what is wrong with the committed notebooks; 1 when anything is."""
    found = [fault for path in paths for fault in faults(path)]
    print(*found, sep="\n", end="\n" if found else "")
    if not paths:
        print(f"there is no notebook in {NOTEBOOKS.name}/")
    return int(bool(found) or not paths)


def test(paths: list[Path], modes: list[str]) -> int:
    """Check, then run every notebook in these modes."""
    status = check(paths)
    jobs = [(path, name) for path in paths for name in modes]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for (path, name), (found, seconds) in zip(jobs, pool.map(_timed, jobs), strict=True):
            print(f"{path.name}, {name}: {'not ' if found else ''}as it must be ({seconds:.0f} s)", flush=True)
            print(*found, sep="\n", end="\n" if found else "", flush=True)
            status |= bool(found)
    return int(status)


def _timed(job: tuple[Path, str]) -> tuple[list[str], float]:
    path, name = job
    start = time.perf_counter()
    try:
        found = RUNS[name](path)
    except (RuntimeError, TimeoutError) as error:  # the kernel died, or a cell took longer than CELL_SECONDS
        found = [f"{path.name}, {name}: {error}"]
    return found, time.perf_counter() - start


def main(words: list[str]) -> int:
    """Read the command line."""
    command, *words = words or [""]
    modes = [word for word in words if command == "test" and word in RUNS]
    names = [word for word in words if word not in modes]
    shipped = sorted(NOTEBOOKS.glob("*.ipynb"))
    chosen = [path for path in shipped if not names or path.name in names or path.stem in names]
    if command == "test":
        return test(chosen, modes or list(RUNS))
    if command in {"run", "check"}:
        return run(chosen) if command == "run" else check(chosen)
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
