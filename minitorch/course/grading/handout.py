"""What goes out: the folder that students begin with, and the zip that Gradescope judges with."""

from __future__ import annotations

import io
import tempfile
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from pathlib import Path

from minitorch.course import manifest
from minitorch.course.course_error import CourseError
from minitorch.course.files.stubs import stub_source
from minitorch.course.grading.keys import Key
from minitorch.course.manifest import Lesson
from minitorch.course.setup.workspace import in_language, init_course, working_copy
from minitorch.serialization.atomic import write_atomically

DATE = (1980, 1, 1, 0, 0, 0)  # so that the same content is the same file
RUNS = 0o755
PLAIN = 0o644
AUTOGRADER = ("setup.sh", "run_autograder")


def handout(lessons: Sequence[Lesson], lang: str, own: Path | None = None) -> dict[str, bytes]:
    """The files of a student's folder: stubs and notebooks of these lessons, and no solution."""
    with tempfile.TemporaryDirectory() as folder:
        course = Path(folder) / "course"
        init_course(course, lang)
        laid = {path.relative_to(course).as_posix(): path.read_bytes() for path in course.rglob("*") if path.is_file()}
    out = {each.file_name for each in manifest.load().lessons} | {
        each.notebook_name for each in manifest.load().lessons
    }
    out -= {name for lesson in lessons for name in (lesson.file_name, lesson.notebook_name)}
    files = {name: data for name, data in laid.items() if name.rpartition("/")[2] not in out}
    for lesson in lessons:
        files.setdefault(f"exercises/{lesson.file_name}", stub_source(lesson, lang).encode())
        notebook = in_language(own / "notebooks" / lesson.notebook_name, lang) if own else None
        if notebook is not None and notebook.is_file():
            files.setdefault(f"work/{lesson.notebook_name}", working_copy(notebook))
    return files


def autograder(lessons: Iterable[Lesson], course: bytes | None, key: Key, own: Path | None = None) -> dict[str, bytes]:
    """The files of Gradescope's zip: how it is set up and run, this package, its solutions, the key.

    course: the text of `course.toml`.
    """
    here = resources.files("minitorch.course.grading") / "gradescope"
    files = {name: (here / f"{name}.txt").read_bytes() for name in AUTOGRADER}
    files["lessons"] = (",".join(lesson.number for lesson in lessons) + "\n").encode()
    files["key"] = (key.secret.hex() + "\n").encode()
    if course is not None:
        files["course.toml"] = course
    package = manifest.PACKAGE.parent
    files |= _tree(package, package.name, leave={"notebooks"})
    if not (manifest.PACKAGE / "material").is_dir():
        files |= _tree(manifest.material() / "solutions", "solutions")
    if own is not None:
        files |= _tree(own, "own")
    return files


def write_zip(path: Path, files: Mapping[str, bytes], top: str = "") -> None:
    """Write a zip; a file that is there already is left. Raises CourseError."""
    if path.suffix != ".zip":
        raise CourseError("{file} must end in .zip", file=path)
    if path.exists():
        raise CourseError("{file} is there already and is left as it is: name another file", file=path)
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            info = zipfile.ZipInfo(f"{top}/{name}" if top else name, DATE)
            info.external_attr = (RUNS if name in AUTOGRADER else PLAIN) << 16
            archive.writestr(info, files[name], zipfile.ZIP_DEFLATED)
    try:
        write_atomically(path, data.getvalue())
    except OSError as error:
        raise CourseError("{file} cannot be written: {why}", file=path, why=error.strerror) from None


def _tree(folder: Path, name: str, leave: Iterable[str] = ()) -> dict[str, bytes]:
    left = {"__pycache__", *leave}
    return {
        f"{name}/{path.relative_to(folder).as_posix()}": path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not left.intersection(path.relative_to(folder).parts)
    }
