"""Findings of a file, printed for a person or as JSON, and the file with the certain changes made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, count
from pathlib import Path
from typing import Any

from minitorch.compat.porting.porting_rules import findings_in
from minitorch.compat.porting.rewriting import Draft, Finding, rewritten
from minitorch.course.course_error import CourseError
from minitorch.course.files.syntax_errors import explained
from minitorch.course.porting.program_file import Source
from minitorch.language import Message, language
from minitorch.serialization.atomic import write_atomically

LONGEST = 100  # letters of a line that is shown


def found_in(source: Source) -> list[Finding]:
    """Return what must change. Raises CourseError for what is no Python."""
    try:
        return findings_in(source.text)
    except (SyntaxError, ValueError, RecursionError) as error:
        line = getattr(error, "lineno", None) or 1
        why = explained(source.text, getattr(error, "msg", str(error)), line, end="syntax")
        place = _place(source, line)
        raise CourseError("{file}, line {line}: {why}", file=source.path, line=place, why=why) from error


def write(source: Source, findings: Sequence[Finding]) -> Path:
    """Make the changes that are certain, and keep what was there beside the program, whole or not at all."""
    names = (source.path.with_suffix(f".torch{number}.py") for number in chain([""], count(2)))
    backup = next(each for each in names if not each.exists())
    try:
        write_atomically(backup, source.path.read_bytes())
        write_atomically(source.path, rewritten(source.text, findings).encode(source.encoding))
    except OSError as error:
        raise CourseError("{file} cannot be written: {why}", file=source.path, why=error.strerror or error) from error
    return backup


def as_dicts(source: Source, findings: Sequence[Finding]) -> list[dict[str, Any]]:
    """Return the findings for a program."""
    draft = Draft(source.text, [finding.edit for finding in findings if finding.edit])
    return [
        {
            "line": finding.span[0],
            "place": _place(source, finding.span[0]),
            "code": draft.before(finding.span),
            "instead": draft.after(finding.edit.span) if finding.edit else None,
            "why": finding.why.to(language()),
        }
        for finding in findings
    ]


def lines(source: Source, findings: Sequence[Finding]) -> Iterator[str]:
    """Iterate over the findings as lines for a person."""
    for told in as_dicts(source, findings):
        yield f"{'!' if told['instead'] is None else ' '} {told['place']}  {told['why']}"
        yield f"      {_short(told['code'])}"
        if told["instead"] is not None:
            yield f"    → {_short(told['instead']) or Message('(leave it out)').to(language())}"
    left = sum(finding.edit is None for finding in findings)
    fields = {"all": len(findings), "certain": len(findings) - left, "left": left}
    yield Message(
        "{all} changes, of which {certain} are certain (--write makes them) and {left} are left to you"
        if findings
        else "{file}: nothing has to change",
        file=source.path,
        **fields,
    ).to(language())


def _place(source: Source, line: int) -> str:
    if not source.cells:
        return str(line)
    cell, inside = source.cells[min(line, len(source.cells)) - 1]
    return Message("cell {cell}, line {line}", cell=cell, line=inside).to(language())


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
