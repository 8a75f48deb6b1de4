"""The folder a learner works in: laid out once, kept up to date, never overwritten."""

from __future__ import annotations

import functools
import hashlib
import json
import os
import platform
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from minitorch.course import manifest
from minitorch.course.course_error import CourseError, busy
from minitorch.course.files.chosen import keep_language
from minitorch.course.files.course_folder import private_folder
from minitorch.course.files.stubs import FIRST_LANGUAGE, write_stubs
from minitorch.language import Message, gettext, language, languages
from minitorch.serialization.atomic import write_atomically

RECORD = "notebooks.json"
OUTPUTS = "outputs"  # lies in the private folder where copies keep their outputs
NOTHING: Mapping[str, bytes] = MappingProxyType({})
CHOICE = "`minitorch --lang es lab`"  # what an English working copy says where the shipped one links to the Spanish one


class WorkspaceError(CourseError):
    """The course folder, or JupyterLab, is not as it must be; the message says what to do."""


# ------------------------------------------------------------------------------------- the notebooks


@dataclass(frozen=True)
class Refreshed:
    """What `refresh_notebooks` did, by file name."""

    added: tuple[str, ...]
    updated: tuple[str, ...]
    kept: tuple[str, ...]
    other: tuple[str, ...] = ()  # kept, too: they are up to date, and in another language


def refresh_notebooks(course: Path, shipped: Path, *, lang: str = FIRST_LANGUAGE, dry_run: bool = False) -> Refreshed:
    """Bring `course/work` up to the shipped notebooks without ever touching a learner's copy.

    Where there is a notebook in the language `lang`, that is the shipped one; its copy has the same name.

    A notebook that has no copy gets one. A copy that nobody changed follows the shipped one. A copy that was
    changed stays as it is, and is named in `kept` when the shipped one has moved on since. A `dry_run` writes
    nothing and returns the same.
    """
    work, outputs = course / "work", (private_folder(course) / OUTPUTS).exists()
    record = _read_record(course)
    added: list[str] = []
    updated: list[str] = []
    kept: list[str] = []
    other: list[str] = []
    fresh: dict[Path, tuple[bytes, bytes | None]] = {}  # what is written, and what it may take the place of
    for name in _shipped_names(shipped):
        copy = work / name
        content = working_copy(in_language(shipped / name, lang), outputs)
        new, last = _digest(content), record.get(name)
        if not copy.exists():
            fresh[copy] = content, None
            added.append(name)
        elif (present := _digest(found := copy.read_bytes())) == new:
            pass
        elif present == last:
            fresh[copy] = content, found
            updated.append(name)
        else:
            if last != new:
                (other if last in _other_copies(shipped / name, lang, outputs) else kept).append(name)
            continue
        record[name] = new
    if not dry_run:
        work.mkdir(parents=True, exist_ok=True)
        for copy, (content, before) in fresh.items():
            write_atomically(copy, content, before_replacing=functools.partial(_look_again, copy, before))
        write_atomically(private_folder(course) / RECORD, json.dumps(record, indent=1, sort_keys=True).encode())
    return Refreshed(tuple(added), tuple(updated), tuple(kept), tuple(other))


def bring_up_to_date(course: Path, lang: str) -> Refreshed:
    """Lay out what a course folder lacks: stubs, notebooks, the language. What a learner wrote stays.

    Raises WorkspaceError where nothing can be written.
    """
    try:
        course.mkdir(parents=True, exist_ok=True)
        return _fill(course, lang)
    except OSError as error:
        raise WorkspaceError(gettext("{folder} cannot be written: {why}.", folder=course, why=error.strerror)) from None


def _fill(course: Path, lang: str) -> Refreshed:
    write_stubs(course / "exercises", lang=lang)
    done = refresh_notebooks(course, manifest.material() / "notebooks", lang=lang)
    keep_language(course, lang)
    return done


def _look_again(copy: Path, before: bytes | None) -> None:
    """Raise CourseError when a notebook was saved after it was looked at: it is then the learner's."""
    if (copy.read_bytes() if copy.exists() else None) != before:
        raise busy(copy)


def in_language(path: Path, lang: str) -> Path:
    """A notebook of the shipped ones in a language, or as it is where there is no other.

    Those of the first language lie at the top of `notebooks/`, those of another in a folder of its name.
    """
    found = path.parent / lang / path.name
    return found if lang != FIRST_LANGUAGE and found.is_file() else path


def _other_copies(path: Path, lang: str, outputs: bool) -> set[str]:
    """The digests of what a learner gets who has chosen another language."""
    return {_digest(working_copy(in_language(path, each), outputs)) for each in languages() if each != lang}


def working_copy(source: Path, outputs: bool = False) -> bytes:
    """Return a learner's copy: the notebook without its outputs, so that predicting comes before seeing.

    outputs: keep them, for `pytest --nbval work/`.

    It names its language as the kernel does; else JupyterLab writes that in, and shows the notebook as unsaved. All
    copies lie in one folder, whatever their language: links between them are made to fit.
    """
    if source.suffix != ".ipynb":
        return source.read_bytes()
    notebook = json.loads(source.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell.update({} if outputs else {"outputs": [], "execution_count": None})
        else:
            cell["source"] = "".join(cell["source"]).splitlines(keepends=True)
            cell["source"] = [_fitting_links(line) for line in cell["source"]]
    notebook["metadata"]["language_info"] = _language_info()
    if source.parent.name in languages():
        notebook["metadata"]["minitorch"] = {"language": source.parent.name}
    return (json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n").encode()


def _fitting_links(line: str) -> str:
    line = re.sub(rf"\[([^\]]+)\]\((?:{'|'.join(languages())})/[^)]*\.ipynb\)", rf"\1, {CHOICE}", line)
    return line.replace("](../", "](")


def language_of(notebook: dict[str, Any]) -> str:
    """The language of a working copy."""
    own = notebook.get("metadata", {}).get("minitorch")
    lang = own.get("language") if isinstance(own, dict) else None
    return lang if lang in languages() else FIRST_LANGUAGE


def _language_info() -> dict[str, Any]:
    """What IPython's kernel says of its language."""
    return {
        "codemirror_mode": {"name": "ipython", "version": sys.version_info.major},
        "file_extension": ".py",
        "mimetype": "text/x-python",
        "name": "python",
        "nbconvert_exporter": "python",
        "pygments_lexer": f"ipython{sys.version_info.major}",
        "version": platform.python_version(),
    }


def _shipped_names(shipped: Path) -> Iterator[str]:
    """What every learner gets, whatever the language: names as they are in `notebooks/`."""
    for path in sorted(shipped.rglob("*")):
        name = path.relative_to(shipped)
        hidden = any(part.startswith(".") for part in name.parts)
        if path.suffix in {".ipynb", ".md"} and not hidden and name.parts[0] not in languages():
            yield name.as_posix()


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _read_record(course: Path) -> dict[str, str]:
    """Name -> digest of the copy as it was handed out; an unreadable record counts as none."""
    try:
        record = json.loads((private_folder(course) / RECORD).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}


# ------------------------------------------------------------------------------------ a course folder


def init_course(
    folder: Path, lang: str | None = None, brought: Mapping[str, bytes] = NOTHING, *, outputs: bool = False
) -> None:
    """Lay a course folder out: stubs, notebooks, a pointer to the first step. Never into a folder in use.

    lang: the language of what is laid out; by default the one that is spoken. brought: files that take the place of
    what is laid out, by their names in the folder. outputs: the notebooks keep theirs, and nbval can compare with them.
    The folder appears whole or not at all: it is built beside its place and then moved there.
    """
    folder = _absolute(folder)
    try:
        _must_be_free(folder)
    except OSError as error:
        raise WorkspaceError(gettext("{folder} cannot be written: {why}.", folder=folder, why=error.strerror)) from None
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        building = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
    except OSError as error:
        raise WorkspaceError(
            gettext("{folder} cannot be written: {why}.", folder=folder.parent, why=error.strerror)
        ) from None
    try:
        _lay_out(building, language(lang), outputs)
        for name, content in brought.items():
            (building / name).parent.mkdir(parents=True, exist_ok=True)
            (building / name).write_bytes(content)
        if folder.exists():
            # The folder may be somebody's current directory, so it stays and its content moves in: the stubs last.
            for entry in sorted(building.iterdir(), key=lambda path: path.name == "exercises"):
                entry.rename(folder / entry.name)
        else:
            building.chmod(0o755)
            building.rename(folder)
    except OSError as error:
        raise WorkspaceError(gettext("{folder} cannot be written: {why}.", folder=folder, why=error.strerror)) from None
    finally:
        shutil.rmtree(building, ignore_errors=True)


def require_apart(folder: Path) -> None:
    """Raise WorkspaceError where a folder that somebody names for a course lies inside another one."""
    folder = _absolute(folder)
    for above in folder.parents:
        if any((above / "exercises").glob("lesson_*.py")):
            raise WorkspaceError(
                gettext(
                    "{folder} would lie inside the course in {course}. Nothing was changed. Name a folder "
                    "outside it, for example: minitorch init {free}",
                    folder=folder,
                    course=above,
                    free=above.with_name("my-course"),
                )
            )


def _absolute(folder: Path) -> Path:
    return Path(os.path.abspath(folder.expanduser()))  # noqa: PTH100 - without `..`, and a link stays a link


def _must_be_free(folder: Path) -> None:
    """Raise WorkspaceError where a course folder must not be laid out. Raises OSError."""
    if folder.is_symlink() and not folder.exists():
        raise WorkspaceError(
            gettext(
                "{folder} is a link to {target}, and it leads nowhere. Name another folder.",
                folder=folder,
                target=folder.readlink(),
            )
        )
    there = next(each for each in (folder, *folder.parents) if each.exists())
    if not there.is_dir():
        raise WorkspaceError(gettext("{folder} is a file, so no course can lie in it. Name a folder.", folder=there))
    if (folder / "exercises").exists():
        raise WorkspaceError(
            gettext(
                "{folder} already holds a course. Nothing was changed. To go on: cd into it and run `minitorch lab`.",
                folder=folder,
            )
        )
    if there == folder and any(folder.iterdir()):
        raise WorkspaceError(
            gettext(
                "{folder} is not empty. Nothing was changed. Name a new folder, for example: minitorch init my-course",
                folder=folder,
            )
        )


def _lay_out(folder: Path, lang: str, outputs: bool) -> None:
    if outputs:
        private_folder(folder).mkdir()
        (private_folder(folder) / OUTPUTS).touch()
        (folder / "work").mkdir()
        shutil.copy(manifest.material() / "notebooks" / "conftest.py", folder / "work")
    _fill(folder, lang)
    (folder / "README.md").write_text(
        Message(
            "# My minitorch course\n\nStart with `minitorch lab`: it opens JupyterLab on "
            "`work/00_start_here.ipynb`.\n\n- `work/` holds the notebooks. They are yours to change.\n- `exercises/` "
            "holds the functions that you write. They are the only place where your answers live.\n\n`minitorch "
            "status` shows where you are. `minitorch check` judges what you wrote, `minitorch watch` does so whenever "
            "you\nsave. `minitorch doctor` looks for faults of the installation. After `pip install --upgrade`, "
            "`minitorch upgrade` brings\nthis folder up to date and leaves what you wrote.\n"
        ).to(language(lang)),
        encoding="utf-8",
    )
    (folder / ".gitignore").write_text(".minitorch/\n.ipynb_checkpoints/\n__pycache__/\n", encoding="utf-8")
