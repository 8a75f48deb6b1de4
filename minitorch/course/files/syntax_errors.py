"""A text that is no Python: what Python says of it, and what to do where the cause can be seen."""

from __future__ import annotations

import codeop
import re
import unicodedata

from minitorch.course.files.source_code import lines_of
from minitorch.language import N_, Message

CONFLICT = re.compile(r"(?:<{7}|>{7}|\|{7})(?:\s|$)")  # a line that git leaves where two versions do not agree
MIDDLE = re.compile(r"={7}\s*$")  # counts only where Python stumbles: it may also underline a title
CHARACTER = re.compile(r"invalid (?:non-printable )?character .*U\+([0-9A-F]{4,6})")
BARS = re.compile(r"(?:\breturn|[=(,+*/-])\s*\|[^|]+\|")  # return |a|, and not a | b
# What web pages and word processors write -> what Python reads. NFKC knows the wide signs of East Asian keyboards.
WRITTEN = {"\u2212": "-", "\u2013": "-", "\u2014": "-", "\u00d7": "*", "\u22c5": "*", "\u00b7": "*", "\u00f7": "/"}
WRITTEN |= dict.fromkeys("“”„‟«»″", '"') | dict.fromkeys("‘’‚‛´′", "'")
WRITTEN |= {"≤": "<=", "≥": ">=", "≠": "!=", "→": "->", "²": "**2", "³": "**3"}


def explained(
    source: str,
    text: str,
    line: int | None,
    *,
    end: str = N_(
        "Python cannot read the file: {text}. The file ends before that is complete. If its last lines are lost, copy "
        "the end back from .minitorch/backups or your editor's history"
    ),
) -> Message:
    """Say what is wrong with a file, and what to do. text, line: what Python's SyntaxError says, and where.

    end: the message about a text that ends in the middle of a statement.
    """
    lines = lines_of(source)
    here = lines[line - 1] if line and line <= len(lines) else ""
    if (mark := _conflict(lines, line or 0)) is not None:
        return Message(
            "Python cannot read the file: line {line} is a mark of a merge conflict: git left both versions there. "
            "Keep one of them, and delete the lines that begin with <<<<<<<, ======= and >>>>>>>",
            line=mark,
        )
    if found := CHARACTER.match(text):
        return _character(chr(int(found[1], 16)), line)
    if text.startswith(("inconsistent use of tabs", "unindent does not match")) and "\t" in source:
        return Message(
            "Python cannot read the file: tabs and spaces are mixed in the indentation of line "
            "{line}: indent every line with spaces, four for each step",
            line=line,
        )
    if text == "invalid decimal literal":
        return Message("Python cannot read the file: {text}. A product needs its sign: write 2 * x for 2x", text=text)
    if BARS.search(here):
        return Message("Python cannot read the file: {text}. The size |a| is written abs(a)", text=text)
    return Message(end if _is_incomplete(source) else N_("Python cannot read the file: {text}"), text=text)


def _conflict(lines: list[str], line: int) -> int | None:
    """The first line that is a mark of a merge conflict."""
    found = (number for number, each in enumerate(lines, start=1) if CONFLICT.match(each))
    middle = line if 0 < line <= len(lines) and MIDDLE.match(lines[line - 1]) else None
    return next(found, middle)


def _character(sign: str, line: int | None) -> Message:
    shown = f"{sign} (U+{ord(sign):04X})" if sign.isprintable() else f"U+{ord(sign):04X}"
    plain = WRITTEN.get(sign) or unicodedata.normalize("NFKC", sign)
    fields = {"shown": shown, "line": line, "instead": plain}
    if not sign.isprintable():
        return Message(
            "Python cannot read the file: {shown} in line {line} is an invisible character, as in "
            "text from a web page: write a blank in its place"
            if plain.isspace() and plain.isprintable()
            else "Python cannot read the file: {shown} in line {line} is an invisible character, as in "
            "text from a web page: delete it",
            **fields,
        )
    return Message(
        "Python cannot read the file: {shown} in line {line} is no Python, as in text from a "
        "web page: write {instead} in its place"
        if plain.isascii()
        else "Python cannot read the file: {shown} in line {line} is no Python: delete it, or "
        "write it in Python's own signs",
        **fields,
    )


def _is_incomplete(source: str) -> bool:
    """Return whether the text could still become Python: it ends in the middle of a statement."""
    try:
        return codeop.compile_command(source, symbol="exec") is None
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return False
