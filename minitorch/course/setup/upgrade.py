"""`minitorch upgrade`: a course folder made with an older version gets what is new, and keeps what the learner wrote.

`shipped.json` lists every stub that was ever shipped: a hash of the file, of each exercise's definition in it, and of
the rest (the frame: what is given). By them a learner's file is told to be

* a stub that nobody touched: this version's takes its place;
* a shipped frame with answers in it: this version's stub takes its place, with the answers laid into it as they are;
* anything else: it stays. Only definitions that are still a shipped stub, word for word, follow this version's.

Stubs are shipped in each language that there is. What nobody touched follows in the language that the learner speaks
now; a file with answers in it keeps the language that it has.

Every file that is changed is kept in a dated backup first, and written in one move, so that an upgrade can be
interrupted at any place and run again.
"""

from __future__ import annotations

import ast
import builtins
import enum
import functools
import hashlib
import json
import symtable
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from minitorch.course import manifest
from minitorch.course.course_error import CourseError, busy
from minitorch.course.files import source_code
from minitorch.course.files.chosen import keep_language
from minitorch.course.files.course_folder import exercise_path, private_folder
from minitorch.course.files.learner_file import LearnerFile
from minitorch.course.files.reset import put_in_place
from minitorch.course.files.stubs import FIRST_LANGUAGE, stub_source
from minitorch.course.manifest import Course, Lesson
from minitorch.course.setup.workspace import Refreshed, refresh_notebooks
from minitorch.language import N_, Message, languages
from minitorch.serialization.atomic import write_atomically

SHIPPED = Path(__file__).with_name("shipped.json")
BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Stub:
    """One stub as it was shipped: hashes of the file, of its frame, and of each exercise's definition by target."""

    file: str
    frame: str
    targets: Mapping[str, str]
    lang: str = FIRST_LANGUAGE

    @classmethod
    def of(cls, source: str, targets: Iterable[str], lang: str = FIRST_LANGUAGE) -> Stub:
        """Take the hashes of a stub's text."""
        listed = list(targets)
        frame = _frame(source, listed)
        if frame is None:
            raise ValueError("a stub defines every exercise, each in lines of its own")
        return cls(_hash(source), _hash(frame), {each: _hash_of(source, each) for each in listed}, lang)


class Fate(enum.Enum):
    """What happens to a learner's file."""

    SAME = "same"
    NEW = "new"
    REPLACED = "replaced"
    MERGED = "merged"
    PARTS = "parts"
    KEPT = "kept"
    UNREADABLE = "unreadable"


WORDS = {
    Fate.NEW: N_("{file}: new"),
    Fate.REPLACED: N_("{file}: replaced by this version's stub; you had not changed it"),
    Fate.MERGED: N_("{file}: this version's stub with your answers in it ({names})"),
    Fate.PARTS: N_("{file}: brought up to date where you had written nothing yet ({names})"),
    Fate.KEPT: N_("{file}: changed by you, left as it is"),
}


@dataclass(frozen=True, slots=True)
class FilePlan:
    """What is to be done with one lesson's file."""

    lesson: Lesson
    fate: Fate
    before: bytes | None = None
    after: bytes | None = None  # None: nothing is written
    names: tuple[str, ...] = ()  # the answers laid in, or the exercises brought up to date
    lacking: tuple[str, ...] = ()  # what this version asks for and the file does not define
    problem: Message | None = None


@dataclass(frozen=True, slots=True)
class Upgraded:
    """What was done, or would be: the files with their backups, and the notebooks."""

    plans: tuple[FilePlan, ...]
    notebooks: Refreshed
    backups: Mapping[str, Path] = field(default_factory=dict)  # by lesson number

    @property
    def is_empty(self) -> bool:
        """Whether nothing is to be done and nothing to be said."""
        books = self.notebooks
        return not (
            books.added
            or books.updated
            or books.kept
            or books.other
            or any(plan.fate is not Fate.SAME for plan in self.plans)
        )


def upgrade(folder: Path, course: Course, *, lang: str = FIRST_LANGUAGE, dry_run: bool = False) -> Upgraded:
    """Bring a course folder up to this version, in a language. A `dry_run` writes nothing and returns the same.

    Raises CourseError when the folder cannot be written to; what was done before that holds.
    """
    known = read_shipped()
    plans = tuple(plan(folder, lesson, known.get(lesson.file_name, ()), lang) for lesson in course.lessons)
    notebooks = manifest.material() / "notebooks"
    backups: dict[str, Path] = {}
    try:
        if not dry_run:
            for each in plans:
                backup = _carry_out(folder, each, lang)
                if backup is not None:
                    backups[each.lesson.number] = backup
            keep_language(folder, lang)
        return Upgraded(plans, refresh_notebooks(folder, notebooks, lang=lang, dry_run=dry_run), backups)
    except OSError as error:
        raise CourseError(
            "{folder} cannot be written: {why}; what was done so far holds, and `minitorch upgrade` goes on",
            folder=folder,
            why=error.strerror or error,
        ) from error


def plan(folder: Path, lesson: Lesson, shipped: Iterable[Stub], lang: str = FIRST_LANGUAGE) -> FilePlan:
    """What is to be done with one lesson's file. `shipped` are the stubs that it may have been made from."""
    path, new = exercise_path(folder, lesson), stub_source(lesson, lang)
    if not path.exists() and not path.is_symlink():
        return FilePlan(lesson, Fate.NEW, after=new.encode())
    file = LearnerFile.read(path)
    if file.problem is not None:
        return FilePlan(lesson, Fate.UNREADABLE, problem=file.problem)
    before = path.read_bytes()
    if hashlib.sha256(before).hexdigest() != file.sha256:
        raise busy(path)
    source = _lf(file.source)
    stubs = list(shipped)
    if _hash(source) == _hash(new):
        return FilePlan(lesson, Fate.SAME)
    if _hash(source) in {stub.file for stub in stubs}:
        return FilePlan(lesson, Fate.REPLACED, before, _as(file, before, new))
    merged = _merged(source, lesson, stubs)
    if merged is not None:
        text, names = merged
        if _hash(text) == _hash(source):
            return FilePlan(lesson, Fate.SAME)
        return FilePlan(lesson, Fate.MERGED, before, _as(file, before, text), names)
    return _in_parts(lesson, file, before, stubs)


# ------------------------------------------------------------------------------- a shipped frame with answers


def _merged(source: str, lesson: Lesson, stubs: list[Stub]) -> tuple[str, tuple[str, ...]] | None:
    """This version's stub, in the file's language, with the learner's answers in it, and their exercises' names.

    None when the file has no shipped frame, or an answer would not find in the new one what it had in the old.
    """
    for stub in stubs:
        frame = _frame(source, stub.targets)
        if frame is None or _hash(frame) != stub.frame:
            continue
        answers = [target for target, shipped in stub.targets.items() if _hash_of(source, target) != shipped]
        names = {exercise.target: exercise.name for exercise in lesson.exercises}
        text: str | None = stub_source(lesson, stub.lang)
        for target in answers:
            text = _laid_in(text, target, source) if text is not None and target in names else None
        if text is None or _lost(source, text, answers):
            return None
        return text, tuple(names[target] for target in answers)
    return None


def _laid_in(text: str, target: str, source: str) -> str | None:
    """`text` with the definition of `target` as `source` has it, to the letter; None when it does not fit."""
    place, mine = source_code.find(text, target), source_code.find(source, target)
    if place is None or mine is None or place.indent != mine.indent:
        return None
    answer = source_code.lines_of(source)[mine.first - 1 : mine.last]
    if not answer[-1].endswith("\n"):
        answer[-1] += "\n"
    listed = source_code.lines_of(text)
    listed[place.first - 1 : place.last] = answer
    laid = "".join(listed)
    return laid if source_code.parses(laid) and source_code.text_of(laid, target) == "".join(answer) else None


def _lost(old: str, new: str, answers: Iterable[str]) -> set[str]:
    """The names that answers use, that the old file defines at its top and the new one does not."""
    nodes = [node for node in ast.walk(ast.parse(old)) if isinstance(node, ast.Name)]
    spans = [source_code.find(old, target) for target in answers]
    used = {node.id for span in spans if span for node in nodes if span.first <= node.lineno <= span.last}
    return used & (_top_names(old) - _top_names(new))


# ------------------------------------------------------------------------------------ a file of their own


def _in_parts(lesson: Lesson, file: LearnerFile, before: bytes, stubs: list[Stub]) -> FilePlan:
    """Bring up to date what is still a stub in a file whose frame is the learner's own; leave all else as it is."""
    if not source_code.parses(file.source):
        return FilePlan(lesson, Fate.KEPT)
    text, names, lacking = file.source, [], []
    for exercise in lesson.exercises:
        target = exercise.target
        mine = _definition(text, target)
        if mine is None:
            lacking.append(exercise.name)
            continue
        made_from = {stub.lang for stub in stubs if stub.targets.get(target) == _hash(mine)}
        fresh = _definition(stub_source(lesson, min(made_from, default=FIRST_LANGUAGE)), target) or ""
        if made_from and _hash(mine) != _hash(fresh) and _loads_like(mine, fresh):
            candidate = source_code.replace(text, target, fresh)
            if source_code.parses(candidate):
                text = candidate
                names.append(exercise.name)
    if not names:
        return FilePlan(lesson, Fate.KEPT, lacking=tuple(lacking))
    after = (BOM if before.startswith(BOM) else b"") + text.encode()
    return FilePlan(lesson, Fate.PARTS, before, after, tuple(names), tuple(lacking))


def _loads_like(old: str, new: str) -> bool:
    """Whether loading the new definition needs no name that loading the old one did not."""
    needed = _names_on_loading(ast.parse(textwrap.dedent(new))) - _names_on_loading(ast.parse(textwrap.dedent(old)))
    return needed <= set(dir(builtins))


def _names_on_loading(node: ast.AST) -> set[str]:
    """The names that are looked up when a definition is loaded: in its line with `def`, not in its body."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        head: list[ast.AST] = [node.args, *node.decorator_list, *([node.returns] if node.returns else [])]
        return set().union(*map(_names, head))
    if isinstance(node, ast.Name):
        return {node.id}
    return set().union(*map(_names_on_loading, ast.iter_child_nodes(node)))


# --------------------------------------------------------------------------------------------------- texts


def _definition(source: str, target: str) -> str | None:
    """The text of a definition with its lines to the left and ended the same; None when there is none."""
    try:
        return textwrap.dedent(_lf(source_code.text_of(source, target)))
    except (CourseError, SyntaxError, ValueError, RecursionError):
        return None


def _hash_of(source: str, target: str) -> str:
    return _hash(_definition(source, target) or "")


def _frame(source: str, targets: Iterable[str]) -> str | None:
    """A file's text with a mark in the place of every target; None when one is not defined."""
    text, listed = _lf(source), list(targets)
    outer = [each for each in listed if not any(each.startswith(f"{other}.") for other in listed)]
    try:
        spans = {target: source_code.find(text, target) for target in outer}
    except (SyntaxError, ValueError, RecursionError):
        return None
    lines = source_code.lines_of(text)
    for target, span in sorted(spans.items(), key=lambda item: item[1].first if item[1] else 0, reverse=True):
        if span is None:
            return None
        lines[span.first - 1 : span.last] = [f"{span.indent}<{target}>\n"]
    return "".join(lines)


def _names(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _top_names(source: str) -> set[str]:
    return set(symtable.symtable(source, "exercises", "exec").get_identifiers())


def _lf(text: str) -> str:
    return text.replace("\r\n", "\n")


def _as(file: LearnerFile, before: bytes, text: str) -> bytes:
    """`text` as UTF-8, with the line ends, and the mark of UTF-8 at the beginning, that the file has."""
    if "\r\n" in file.source:
        text = text.replace("\n", "\r\n")
    return (BOM if before.startswith(BOM) else b"") + text.encode()


def _hash(text: str) -> str:
    """A hash that the blanks at the ends of lines and of the text do not change."""
    lines = [line.rstrip() for line in _lf(text).strip("\n").split("\n")]
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()


# ------------------------------------------------------------------------------------------------- the work


def _carry_out(folder: Path, each: FilePlan, lang: str) -> Path | None:
    """Write what is to be written; return where the file that was there is kept."""
    if each.lacking:
        write_atomically(_stub_beside(folder, each.lesson), stub_source(each.lesson, lang).encode())
    if each.after is None:
        return None
    return put_in_place(folder, each.lesson, each.before, each.after)


def _stub_beside(folder: Path, lesson: Lesson) -> Path:
    """Where this version's stub is laid for a learner to copy from."""
    return private_folder(folder) / "stubs" / lesson.file_name


def lines(done: Upgraded, folder: Path, lang: str, *, dry_run: bool) -> list[str]:
    """What was done, or would be, in words."""
    if done.is_empty:
        return [Message("everything is up to date: nothing to do").to(lang)]
    told = [line for each in done.plans for line in _file_lines(each, done, folder, lang)]
    books = done.notebooks
    told += [Message("work/{name}: new", name=name).to(lang) for name in books.added]
    told += [
        Message("work/{name}: replaced by this version's; you had not changed it", name=name).to(lang)
        for name in books.updated
    ]
    told += [
        Message(
            "work/{name}: changed by you, left as it is; to get this version's, rename yours and "
            "say `minitorch upgrade`",
            name=name,
        ).to(lang)
        for name in books.kept
    ]
    told += [
        Message(
            "work/{name}: you have worked in it, so it stays in its language; to get it in this "
            "one, rename yours and say `minitorch upgrade`",
            name=name,
        ).to(lang)
        for name in books.other
    ]
    written = any(each.before is not None for each in done.plans)
    if dry_run:
        told.append(Message("nothing was written (--dry-run); `minitorch upgrade` does what is listed above").to(lang))
    elif written:
        told.append(Message("is one of these files open in an editor? Load it again there before you type").to(lang))
    return told


def _file_lines(each: FilePlan, done: Upgraded, folder: Path, lang: str) -> list[str]:
    if each.fate is Fate.SAME:
        return []
    if each.problem is not None:
        return [each.problem.to(lang)]
    fields = {"file": f"exercises/{each.lesson.file_name}", "names": ", ".join(each.names)}
    told = [] if each.fate is Fate.KEPT and each.lacking else [Message(WORDS[each.fate], **fields).to(lang)]
    if each.lacking:
        stub = _stub_beside(folder, each.lesson).relative_to(folder).as_posix()
        told.append(
            Message(
                "{file}: changed by you, left as it is; new in this version: {names} (see {stub})",
                **{**fields, "names": ", ".join(each.lacking)},
                stub=stub,
            ).to(lang)
        )
    if each.lesson.number in done.backups:
        backup = done.backups[each.lesson.number].relative_to(folder).as_posix()
        told.append(Message("    what was there is kept in {backup}", backup=backup).to(lang))
        if (path := exercise_path(folder, each.lesson)).is_symlink():
            link = Message("{file} is a link, so this was written to {written}", written=path.resolve(), **fields)
            told.append(f"    {link.to(lang)}")
    return told


# ------------------------------------------------------------------------------------------- what was shipped


def read_shipped(path: Path | None = None) -> dict[str, list[Stub]]:
    """The stubs that were ever shipped, by file name, the newest first."""
    data: dict[str, list[dict[str, Any]]] = json.loads((path or SHIPPED).read_text(encoding="utf-8"))
    return {name: [Stub(**each) for each in reversed(stubs)] for name, stubs in data.items()}


def shipped_text(known: Mapping[str, list[Stub]], course: Course) -> str:
    """The text of `shipped.json` with this version's stubs added to those of before."""
    table = {name: [_as_dict(stub) for stub in reversed(stubs)] for name, stubs in known.items()}
    for lesson in course.lessons:
        stubs = table.setdefault(lesson.file_name, [])
        stubs += [row for row in map(_as_dict, todays(lesson)) if row not in stubs]
    return json.dumps(table, indent=1, sort_keys=True) + "\n"


@functools.lru_cache(maxsize=64)
def todays(lesson: Lesson) -> tuple[Stub, ...]:
    """The hashes of this version's stubs of a lesson: one in each language that somebody has translated it to."""
    targets = tuple(exercise.target for exercise in lesson.exercises)
    stubs = {lang: stub_source(lesson, lang) for lang in languages()}
    others = [lang for lang in stubs if stubs[lang] != stubs[FIRST_LANGUAGE]]
    return tuple(Stub.of(stubs[lang], targets, lang) for lang in (FIRST_LANGUAGE, *others))


def _as_dict(stub: Stub) -> dict[str, Any]:
    row = {"file": stub.file, "frame": stub.frame, "targets": dict(stub.targets)}
    return row if stub.lang == FIRST_LANGUAGE else {**row, "lang": stub.lang}
