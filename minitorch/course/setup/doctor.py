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
from minitorch.course.files.course_folder import exercise_path
from minitorch.course.files.learner_file import LearnerFile
from minitorch.course.files.notebook_json import read_notebook
from minitorch.course.setup import memory, products, shadowing
from minitorch.course.texts.error import CourseError
from minitorch.course.texts.setup import tell
from minitorch.language import language

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
    found += [_program("dot", "dot"), _program("chromium", "chromium", "chromium-browser", "google-chrome"), _threads()]
    found += _products()
    return found


def _python() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info[:2] < OLDEST_PYTHON:
        return Finding("fault", tell("python old", version=version))
    return Finding("ok", tell("python", version=version))


def _package(name: str, extra: str) -> Finding:
    """A distribution and what is imported from it have the same name in all that we look at."""
    try:
        version = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        if extra:
            return Finding("note", tell(f"optional {extra}", name=name))
        return Finding("fault", tell("package missing", name=name))
    try:
        importlib.import_module(name)
    except (ImportError, MemoryError) as error:
        return Finding("fault", tell("package broken", name=name, why=error or type(error).__name__))
    if name == "numpy" and int(version.split(".")[0]) < 2:
        return Finding("fault", tell("numpy old", version=version))
    return Finding("ok", tell("package", name=name, version=version))


def _engine() -> Finding:
    from minitorch.scalar import Value

    x = Value(3.0)
    (x * x).backward()
    if x.grad != 6.0:
        return Finding("fault", tell("engine wrong", value=x.grad))
    return Finding("ok", tell("engine", value=x.grad))


def _course(course: Path | None) -> Iterator[Finding]:
    if course is None:
        yield Finding("note", tell("no course"))
        return
    if (why := _refusal(course)) is not None:
        yield Finding("fault", tell("course locked", folder=course, why=why))
    else:
        yield Finding("ok", tell("course", folder=course))
        free = shutil.disk_usage(course).free
        low = free < LITTLE_ROOM
        yield Finding("note" if low else "ok", tell("disk low" if low else "disk", folder=course, free=free >> 20))
    lessons = manifest.load().lessons
    paths = [exercise_path(course, lesson) for lesson in lessons]
    missing = [path.name for path in paths if not path.exists() and not path.is_symlink()]
    if missing:
        yield Finding("fault", tell("stubs missing", names=", ".join(missing)))
    else:
        yield Finding("ok", tell("stubs", count=len(paths)))
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
            key = "hides package" if name in shadowing.PACKAGES and folder in books else "hides module"
            key = "hides in root" if folder == course else key
            place = folder if folder == course else folder.relative_to(course).as_posix()
            told = tell(key, file=shadowing.shown(path, course), name=name, folder=place)
            yield Finding("note" if key == "hides module" else "fault", told)


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
        return Finding("fault", tell("temporary full", folder="TMPDIR, /tmp", why=error.strerror or error))
    why = _refusal(folder)
    return Finding("fault" if why else "ok", tell("temporary full" if why else "temporary", folder=folder, why=why))


def _memory() -> Finding:
    bound = memory.address_space()
    if bound is None or bound >= memory.ENOUGH:
        return Finding("ok", tell("memory"))
    return Finding("note", tell("memory low", have=bound >> 20, enough=memory.ENOUGH >> 20))


def _kernel() -> Iterator[Finding]:
    try:
        from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel
    except ImportError:
        return  # no Jupyter: said above
    try:
        command = KernelSpecManager().get_kernel_spec("python3").argv[0]
    except NoSuchKernel:
        yield Finding("fault", tell("kernel missing"))
        return
    # A bare name is replaced by the Python that JupyterLab itself runs in.
    own = {"python", "python3", f"python{sys.version_info[0]}.{sys.version_info[1]}", sys.executable}
    if command in own:
        yield Finding("ok", tell("kernel", path=sys.executable))
    else:
        yield Finding("fault", tell("kernel other", path=command))


def _program(key: str, *names: str) -> Finding:
    path = next(filter(None, map(shutil.which, names)), None)
    if path is None:
        return Finding("note", tell(f"{key} missing"))
    return Finding("ok", tell(key, path=path))


def _threads() -> Finding:
    return (
        Finding("ok", tell("threads"))
        if os.environ.get("OPENBLAS_NUM_THREADS") == "1"
        else Finding("note", tell("threads many"))
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
            tell(
                "products slow",
                library=blas.library,
                version=blas.version,
                kernels=blas.kernels,
                setting=setting,
                part=f"{part:.2f}",
            ),
        )
    else:
        yield Finding("ok", tell("products", library=blas.library, version=blas.version, kernels=blas.kernels))
