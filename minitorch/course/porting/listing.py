"""Findings of a file, printed for a person or as JSON, and the file with the certain changes made."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from minitorch.compat.porting.porting_rules import read
from minitorch.compat.porting.rewriting import Draft, Finding, rewritten
from minitorch.course.porting.source import Source, conflict
from minitorch.course.texts.error import CourseError
from minitorch.course.texts.messages import say
from minitorch.language import language
from minitorch.serialization.atomic import write_atomically

BACKUP = ".torch.py"
LONGEST = 100  # letters of a line that is shown


def found_in(source: Source) -> list[Finding]:
    """Return what must change. Raises CourseError for what is no Python."""
    try:
        return read(source.text)
    except (SyntaxError, ValueError) as error:
        why = getattr(error, "msg", None) or str(error)
        line = getattr(error, "lineno", None) or 1
        raise conflict(source.path, source.text) or CourseError(
            say("port_no_python", file=source.path, line=_place(source, line), why=why)
        ) from error
    except RecursionError as error:
        raise CourseError(say("port_deep", file=source.path)) from error


def ported(source: Source, findings: Sequence[Finding]) -> str:
    """Return the program with all changes that are certain."""
    return rewritten(source.text, findings)


def write(source: Source, text: str) -> Path:
    """Put the program's new text in its place, and what was there beside it, whole or not at all."""
    backup = source.path.with_name(source.path.stem + BACKUP)
    count = 1
    while backup.exists():
        count += 1
        backup = source.path.with_name(f"{source.path.stem}.torch{count}.py")
    try:
        write_atomically(backup, source.path.read_bytes())
        write_atomically(source.path, text.encode(source.encoding))
    except OSError as error:
        raise CourseError(say("port_unwritten", file=source.path, why=error.strerror or error)) from error
    return backup


def lines(source: Source, findings: Sequence[Finding]) -> list[str]:
    """Return the findings as lines for a person."""
    lang = language()
    if not findings:
        return [say("port_nothing", file=source.path).to(lang)]
    told: list[str] = []
    draft = _draft(source, findings)
    for finding in findings:
        mark = " " if finding.edit else "!"
        told.append(f"{mark} {_place(source, finding.line)}  {finding.why.to(lang)}")
        told.append(f"      {_short(draft.before(finding.span))}")
        if finding.edit:
            told.append(f"    → {_short(draft.after(finding.edit.span)) or say('port_leave_out').to(lang)}")
    left = sum(finding.edit is None for finding in findings)
    told.append(say("port_count", all=len(findings), certain=len(findings) - left, left=left).to(lang))
    return told


def as_dicts(source: Source, findings: Sequence[Finding]) -> list[dict[str, Any]]:
    """Return the findings for a program."""
    draft = _draft(source, findings)
    return [
        {
            "line": finding.line,
            "place": _place(source, finding.line),
            "code": draft.before(finding.span),
            "instead": draft.after(finding.edit.span) if finding.edit else None,
            "why": finding.why.to(language()),
        }
        for finding in findings
    ]


def _draft(source: Source, findings: Sequence[Finding]) -> Draft:
    return Draft(source.text, [finding.edit for finding in findings if finding.edit])


def _place(source: Source, line: int) -> str:
    if not source.is_notebook:
        return str(line)
    cell, inside = source.cells[min(line, len(source.cells)) - 1]
    return say("port_cell", cell=cell, line=inside).to(language())


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
