"""Run, normalise and test the notebooks that are committed.

    python scripts/notebooks.py run [NAME ...]   execute against untouched stubs, normalise, write
    python scripts/notebooks.py check            every cell was run, and normalising would change nothing
    python scripts/notebooks.py test [MODE ...] [NAME ...]  check, then run each notebook in each mode, two at once
    python scripts/notebooks.py translated NAME ...         you have looked: the translated ones are up to date

NAME is a number (`02`), a notebook (`02_backward`) and then the Spanish one with it, or that alone (`es/02_backward`).
A notebook is run in its language, which is that of its folder. `test` is nbval (`pytest --nbval notebooks/`) in four
modes. They differ in what lies in the learner's folder, and in the language:

    stubs      nothing is solved, the reference falls in: every output is as committed, in every form
    solved     the solutions lie in the exercises: every output is as committed, except that verdicts say "passed";
               in a copy of the course that ends with this lesson, for none needs what comes after it
    disorder   files are missing, broken or wrong: no cell may fail, whatever it shows. Of each lesson one notebook is
               run: the first in English, the next in Spanish, and so on
    spanish    nothing is solved, and the course speaks Spanish: every output of a Spanish notebook is as committed

A cell that shows a verdict, an engine's badge or progress carries the tag `verdict`; normalising sets it. Where a cell
depends on the learner's files in a way that cannot be read off its code, set the tag by hand: it is kept. A cell that
shows what each learner is dealt (`planted`, `found`, `review`) carries the tag `dealt`, in the same way. Here everybody
is dealt the same: the folder's number is fixed.

A course folder is laid out for each run, so a learner's own half-solved exercises change nothing here.
"""

from __future__ import annotations

import ast
import functools
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nbformat
import publish
import translations
from nbclient import NotebookClient
from publish import as_text
from translations import is_translated, language_of, shown_name

from minitorch.course import manifest
from minitorch.course.activities.nbval_notebook import STORED_LEARNER
from minitorch.course.activities.notebooks import DEALT, VERDICT
from minitorch.course.files import source_code
from minitorch.course.files.learner import write_learner
from minitorch.course.files.statements import in_language
from minitorch.course.files.stubs import FIRST_LANGUAGE, stub_source
from minitorch.course.judging.mistakes import full_source, of_exercise
from minitorch.course.setup.processor import common_kernels

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = ROOT / "notebooks"
CELL_SECONDS = 600  # a cell that takes longer hangs, on a busy machine too
AT_ONCE = 2
DEAL = {"planted", "found", "review"}
SHOW_VERDICTS = {"check", "check_button", "status"}


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
    text, name = path.read_text(encoding="utf-8"), shown_name(path)
    notebook = nbformat.reads(text, as_version=4)
    found = []
    for number, cell in enumerate(code_cells(notebook), start=1):
        if cell.execution_count is None:
            found.append(f"{name}: code cell {number} was never run")
        if any(output.get("name") == "stderr" for output in cell.outputs):
            found.append(f"{name}: code cell {number} wrote to stderr")
    if not found and as_text(normalise(notebook)) != text:
        found.append(f"{name}: not normalised; run: python scripts/notebooks.py run {name}")
    if is_translated(path):
        english = nbformat.read(translations.english_of(path), as_version=4)
        found += [f"{name}: {fault}" for fault in translations.faults(english, notebook, language_of(path))]
    return found


def code_cells(notebook: dict[str, Any]) -> list[Any]:
    """Return the cells that are run."""
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


# ------------------------------------------------------------------------------------- the learner's folder


def leave_stubs(exercises: Path) -> None:
    """Solve nothing."""


def lay_solutions(exercises: Path, language: str = FIRST_LANGUAGE) -> None:
    """Solve everything; what is given around the answers speaks the learner's language."""
    for name, source in solutions(language).items():
        (exercises / name).write_text(source, encoding="utf-8")


@functools.cache
def solutions(language: str) -> dict[str, str]:
    """Every solution in a language, by the name of its file. In two threads at once Python 3.11 fails to parse them."""
    return {
        lesson.file_name: in_language(lesson.solution_source(), lesson, language)
        if language != FIRST_LANGUAGE
        else lesson.solution_source()
        for lesson in manifest.load().lessons
    }


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
    lay: Callable[[Path], None] = leave_stubs, last: str = "", *, language: str = "en"
) -> Iterator[dict[str, str]]:
    """Lay out a fresh course folder; yield an environment: its name and language, and the same kernels on any machine.

    last: the number of the lesson that the course ends with, in a copy of the package; "" for the course as it is.
    """
    from minitorch.course.setup.workspace import init_course

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        course = Path(folder) / "course"
        init_course(course, language)
        write_learner(course, STORED_LEARNER)
        lay(course / "exercises")
        named = {"MINITORCH_COURSE": str(course), "MINITORCH_LANG": language}
        if last:
            named["PYTHONPATH"] = str(copy_until(last, Path(folder) / "copy"))
            remove_after(last, course / "exercises")
        yield {**os.environ, **named, **common_kernels()}


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


def execute(path: Path, env: dict[str, str]) -> Any:
    """Return the notebook as a fresh kernel leaves it."""
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=CELL_SECONDS,
        kernel_name="python3",
        resources={"metadata": {"path": str(path.parent)}},
        extra_arguments=["--log-level=ERROR"],
    )
    client.execute(env=env)
    return notebook


def on_stubs(path: Path) -> str:
    """Compare every output with a run on untouched stubs: nbval's hooks lay them out."""
    return nbval(path)


def solved(path: Path) -> str:
    """Compare every output with a run on solved exercises, in a course that ends with this lesson."""
    last = [lesson.number for lesson in manifest.load().lessons if lesson.notebook_name == path.name]
    lay = functools.partial(lay_solutions, language=language_of(path))
    with course_folder(lay, *last, language=language_of(path)) as env:
        return nbval(path, env)


def in_disorder(path: Path) -> str:
    """Run every cell in a folder in disorder; outputs are not compared."""
    with course_folder(lay_disorder, language=language_of(path)) as env:
        return nbval(path, env, compare="--nbval-lax")


def nbval(path: Path, env: dict[str, str] | None = None, compare: str = "--nbval") -> str:
    """Return what nbval says of a notebook that is not as it must be; "" where it is."""
    words = [
        "-m",
        "pytest",
        "-q",
        "--color=no",
        "-p",
        "no:cacheprovider",
        compare,
        f"--nbval-cell-timeout={CELL_SECONDS}",
    ]
    done = subprocess.run(
        [sys.executable, *words, path], cwd=ROOT, env=env, capture_output=True, text=True, check=False
    )
    return f"{done.stdout}{done.stderr}" if done.returncode else ""


# ------------------------------------------------------------------------------------------------- commands

RUNS: dict[str, Callable[[Path], str]] = {
    "stubs": on_stubs,
    "solved": solved,
    "disorder": in_disorder,
    "spanish": on_stubs,
}


def run(paths: list[Path]) -> int:
    """Execute the notebooks and write them back, normalised."""
    for language in (FIRST_LANGUAGE, *translations.folders()):
        chosen = [path for path in paths if language_of(path) == language]
        if not chosen:
            continue
        with course_folder(language=language) as env:
            for path in chosen:
                path.write_text(as_text(normalise(execute(path, env))), encoding="utf-8")
                print(f"{shown_name(path)}: written")
    return 0


def check(paths: list[Path]) -> int:
    """Print what is wrong with the committed notebooks; 1 when anything is."""
    found = [fault for path in paths for fault in faults(path)]
    print(*found, sep="\n", end="\n" if found else "")
    if not paths:
        print(f"there is no notebook in {NOTEBOOKS.name}/")
    return int(bool(found) or not paths)


def translated(paths: list[Path]) -> int:
    """Stamp the translated notebooks among these: somebody has looked at what was changed in the English ones."""
    status = 0
    for path in filter(is_translated, paths):
        english, own = (nbformat.read(each, as_version=4) for each in (translations.english_of(path), path))
        try:
            names = translations.renewed(english, own)
        except ValueError as error:
            print(f"{shown_name(path)}: {error}")
            status = 1
            continue
        path.write_text(as_text(normalise(own)), encoding="utf-8")
        print(f"{shown_name(path)}: {', '.join(names) if names else 'nothing had changed'}")
    return status


def test(paths: list[Path], modes: list[str]) -> int:
    """Check, then run every notebook in these modes."""
    status = check(paths)
    jobs = [(path, name) for path in paths for name in modes if belongs(path, name)]
    for language in {language_of(path) for path, name in jobs if name == "solved"}:
        solutions(language)  # once, for all processes
    # Not threads: Python 3.11 cannot parse in two at once, and laying out a course parses.
    with ProcessPoolExecutor(AT_ONCE) as pool:
        for (path, name), (said, seconds) in zip(jobs, pool.map(_timed, jobs), strict=True):
            ending = f"{'not ' if said else ''}as it must be ({seconds:.0f} s)"
            print(f"{shown_name(path)}, {name}: {ending}", said, sep="\n" if said else "", flush=True)
            status |= bool(said)
    return int(status)


def belongs(path: Path, mode: str) -> bool:
    """Say whether a notebook is run in a mode: on stubs in its own language, in disorder in one of its languages."""
    if mode == "disorder":
        number = sorted(each.name for each in NOTEBOOKS.glob("*.ipynb")).index(path.name)
        versions = sorted(NOTEBOOKS.rglob(path.name))  # the English one first
        return path == versions[number % len(versions)]
    return {"stubs": not is_translated(path), "spanish": language_of(path) == "es"}.get(mode, True)


def _timed(job: tuple[Path, str]) -> tuple[str, float]:
    path, name = job
    start = time.perf_counter()
    said = RUNS[name](path)
    return said, time.perf_counter() - start


def main(words: list[str]) -> int:
    """Read the command line."""
    command, *words = words or [""]
    modes = [word for word in words if command == "test" and word in RUNS]
    names = [word for word in words if word not in modes]
    shipped = sorted(path for folder in (".", *translations.folders()) for path in NOTEBOOKS.glob(f"{folder}/*.ipynb"))
    chosen = [path for path in shipped if not names or any(is_named(path, name) for name in names)]
    if command == "test":
        return test(chosen, modes or list(RUNS))
    if command == "translated" and names:
        return translated(chosen)
    if command in {"run", "check"}:
        return run(chosen) if command == "run" else check(chosen)
    print(__doc__)
    return 2


def is_named(path: Path, name: str) -> bool:
    """Say whether a word of the command line names this notebook: its number, its name, or `es/` and its name."""
    own = shown_name(path).removesuffix(".ipynb")
    return name.removesuffix(".ipynb") in {own, path.stem, path.stem.partition("_")[0]}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
