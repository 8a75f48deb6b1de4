"""Look for faults of the installation: the part of `minitorch doctor` that reads the machine."""

from __future__ import annotations

import importlib
import importlib.metadata
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from minitorch.course import manifest
from minitorch.course.course_error import CourseError
from minitorch.course.files.course_folder import exercise_path
from minitorch.course.files.learner_file import LearnerFile
from minitorch.course.files.notebook_json import read_notebook
from minitorch.course.setup import memory, products, shadowing
from minitorch.language import N_, gettext, language

OLDEST_PYTHON = (3, 11)
PROBE_BYTES = 1 << 16
WORTH_A_NOTE = 0.95  # of the time of a product now: below, other kernels are worth a line
LITTLE_ROOM = 50 << 20  # bytes on a disk that is nearly full
# (import name, the extra that brings it: without one it is always needed)
_PACKAGES = (
    ("numpy", ""),
    ("rustworkx", ""),
    ("watchfiles", "course"),
    ("jupyterlab", "lab"),
    ("ipywidgets", "viz"),
    ("anywidget", "viz"),
    ("graphviz", "viz"),
)

# What there is not without a package of an extra.
_WITHOUT = {
    "course": N_('{name} is not installed. Only `minitorch watch` needs it: pip install "minitorch-course[course]"'),
    "lab": N_(
        '{name} is not installed. Only `minitorch lab` and notebooks need it: pip install "minitorch-course[lab]"'
    ),
    "viz": N_('{name} is not installed. Only some pictures in notebooks need it: pip install "minitorch-course[viz]"'),
}


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at: in order, worth a note, or a fault that stops the course."""

    level: Literal["ok", "note", "fault"]
    text: str


def diagnose(course: Path | None) -> list[Finding]:
    """Look at Python, the packages, the engine, the course folder and the notebooks' kernel."""
    found = [_python(), *map(_package, *zip(*_PACKAGES, strict=True)), _engine()]
    found += [*_course(course), _temporary(), _memory()]
    found += _kernel()
    found += [
        _program(
            N_("dot, optional, for pictures laid out by Graphviz: {path}"),
            N_("dot is not installed. Only pictures laid out by Graphviz need it; the course does not"),
            "dot",
        ),
        _program(
            N_("Chromium, optional, for the browser tests: {path}"),
            N_("Chromium is not installed. Only the browser tests need it; the course does not"),
            "chromium",
            "chromium-browser",
            "google-chrome",
        ),
        _threads(),
    ]
    found += _products()
    return found


def _python() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info[:2] < OLDEST_PYTHON:
        return Finding("fault", gettext("Python {version} is too old: the course needs 3.11 or newer", version=version))
    return Finding("ok", gettext("Python {version}", version=version))


def _package(name: str, extra: str) -> Finding:
    """A distribution and what is imported from it have the same name in all that we look at."""
    try:
        version = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        if extra:
            return Finding("note", gettext(_WITHOUT[extra], name=name))
        return Finding("fault", gettext("{name} is missing. Install it with: pip install minitorch-course", name=name))
    try:
        importlib.import_module(name)
    except (ImportError, MemoryError) as error:
        return Finding(
            "fault",
            gettext("{name} is installed but cannot be imported: {why}", name=name, why=error or type(error).__name__),
        )
    if name == "numpy" and int(version.split(".")[0]) < 2:
        return Finding("fault", gettext("numpy {version} is too old: the course needs 2 or newer", version=version))
    return Finding("ok", gettext("{name} {version}", name=name, version=version))


def _engine() -> Finding:
    from minitorch.scalar import Value

    x = Value(3.0)
    (x * x).backward()
    if x.grad != 6.0:
        return Finding(
            "fault",
            gettext("the engine is broken: the gradient of x*x at 3 came out as {value}, not 6.0", value=x.grad),
        )
    return Finding("ok", gettext("the engine works: the gradient of x*x at 3 is {value}", value=x.grad))


def _course(course: Path | None) -> Iterator[Finding]:
    if course is None:
        yield Finding(
            "note",
            gettext("there is no course folder here. Go into yours (cd), or make one with: minitorch init my-course"),
        )
        return
    if (why := _refusal(course)) is not None:
        yield Finding(
            "fault",
            gettext(
                "{folder} cannot be written ({why}), so your progress and notebooks cannot be kept",
                folder=course,
                why=why,
            ),
        )
    else:
        yield Finding("ok", gettext("course folder: {folder}", folder=course))
        free = shutil.disk_usage(course).free
        low = free < LITTLE_ROOM
        yield Finding(
            "note" if low else "ok",
            gettext(
                "only {free} MB are free on the disk of {folder}: soon nothing can be saved"
                if low
                else "room on the disk of {folder}: {free} MB",
                folder=course,
                free=free >> 20,
            ),
        )
    lessons = manifest.load().lessons
    paths = [exercise_path(course, lesson) for lesson in lessons]
    missing = [path.name for path in paths if not path.exists() and not path.is_symlink()]
    if missing:
        yield Finding(
            "fault",
            gettext("exercise files missing: {names}. `minitorch lab` writes them anew", names=", ".join(missing)),
        )
    else:
        yield Finding("ok", gettext("exercise files: all {count} are there", count=len(paths)))
    problems = [LearnerFile.read(path).problem for path in paths if path.name not in missing]
    yield from (Finding("fault", problem.to(language())) for problem in problems if problem is not None)
    for lesson in lessons:
        path = course / "work" / lesson.notebook_name
        try:
            if path.exists():
                read_notebook(path, for_jupyter=True)
        except CourseError as error:
            yield Finding("fault", str(error))
    yield from _hiding(course)


def _hiding(course: Path) -> Iterator[Finding]:
    """Look for files that have a module's name, wherever notebooks and programs of the course are run."""
    modules = shadowing.modules()
    books = {path.parent for path in (course / "work").rglob("*.ipynb")} | {
        path.parent for path in course.glob("*.ipynb")
    }
    for folder in sorted({course, course / "work", course / "exercises", *books}):
        for path, name in shadowing.hiding(folder, shadowing.PACKAGES | modules):
            package = name in shadowing.PACKAGES and folder in books
            fault = package or folder == course
            if folder == course:
                key = N_(
                    "{file} hides the module {name} from `python -m minitorch` and `python -m pytest` in "
                    "{folder}: rename it; until then use the commands `minitorch` and `pytest`"
                )
            elif package:
                key = shadowing.HIDES
            else:
                key = N_("{file} hides the module {name} from programs that are started in {folder}: rename it")
            place = folder if folder == course else folder.relative_to(course).as_posix()
            told = gettext(key, file=shadowing.shown(path, course), name=name, folder=place)
            yield Finding("fault" if fault else "note", told)


def _refusal(folder: Path) -> str | None:
    """Why a file cannot be written into a folder; a folder's mode does not say that the disk is full."""
    try:
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(bytes(PROBE_BYTES))
            probe.flush()
            os.fsync(probe.fileno())
    except OSError as error:
        return error.strerror or str(error)
    return None


def _temporary() -> Finding:
    try:
        folder = Path(tempfile.gettempdir())
    except OSError as error:
        return Finding(
            "fault",
            gettext(
                "checks cannot work in {folder} ({why}); another folder can be named in TMPDIR",
                folder="TMPDIR, /tmp",
                why=error.strerror or error,
            ),
        )
    why = _refusal(folder)
    return Finding(
        "fault" if why else "ok",
        gettext(
            "checks cannot work in {folder} ({why}); another folder can be named in TMPDIR"
            if why
            else "checks work in {folder}",
            folder=folder,
            why=why,
        ),
    )


def _memory() -> Finding:
    bound = memory.address_space()
    if bound is None or bound >= memory.ENOUGH:
        return Finding("ok", gettext("memory that a program may use: no bound below 1 GiB"))
    return Finding(
        "note",
        gettext(
            "a program may use {have} MB of memory here (`ulimit -v`); a check may need up to {enough} MB",
            have=bound >> 20,
            enough=memory.ENOUGH >> 20,
        ),
    )


def _kernel() -> Iterator[Finding]:
    try:
        from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel
    except ImportError:
        return  # no Jupyter: said above
    try:
        command = KernelSpecManager().get_kernel_spec("python3").argv[0]
    except NoSuchKernel:
        yield Finding(
            "fault", gettext("JupyterLab knows no Python to run the notebooks in. Install: pip install ipykernel")
        )
        return
    # A bare name is replaced by the Python that JupyterLab itself runs in.
    own = {"python", "python3", sys.executable}
    if command in own:
        yield Finding("ok", gettext("the notebooks run in this Python: {path}", path=sys.executable))
    else:
        yield Finding(
            "fault",
            gettext(
                "the notebooks would run in another Python: {path}. Start JupyterLab with `minitorch lab`", path=command
            ),
        )


def _program(there: str, missing: str, *names: str) -> Finding:
    path = next(filter(None, map(shutil.which, names)), None)
    if path is None:
        return Finding("note", gettext(missing))
    return Finding("ok", gettext(there, path=path))


def _threads() -> Finding:
    return (
        Finding("ok", gettext("array threads: 1 (`minitorch lab` and every check set it)"))
        if os.environ.get("OPENBLAS_NUM_THREADS") == "1"
        else Finding(
            "note",
            gettext("array threads: not set in this terminal, which is fine: `minitorch lab` and every check use 1"),
        )
    )


def _products() -> Iterator[Finding]:
    """Of kernels that would be quicker it tells only what was measured here and now."""
    blas = products.blas()
    if blas is None:
        return
    part = products.time_with_wide_kernels() if products.could_be_wider(blas) else None
    if part is not None and part < WORTH_A_NOTE:
        setting = f"{products.CORETYPE}={products.WIDE}"
        yield Finding(
            "note",
            gettext(
                "products of matrices: {library} {version}, kernels for {kernels}. With {setting} set "
                "before Python starts, one takes {part} of the time here",
                library=blas.library,
                version=blas.version,
                kernels=blas.kernels,
                setting=setting,
                part=f"{part:.2f}",
            ),
        )
    else:
        yield Finding(
            "ok",
            gettext(
                "products of matrices: {library} {version}, kernels for {kernels}",
                library=blas.library,
                version=blas.version,
                kernels=blas.kernels,
            ),
        )
