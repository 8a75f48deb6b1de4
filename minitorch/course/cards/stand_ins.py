"""Stand-ins for signs that a terminal's encoding lacks: verdicts stay different, columns stay where they are."""

from __future__ import annotations

import codecs
import unicodedata
from typing import IO, Any

HANDLER = "minitorch.stand_ins"
# A sign before a verdict takes one column, and so does its stand-in: what is set in columns stays so.
SIGNS = {"✓": "+", "✗": "x", "○": "o", "◷": "t", "↺": "r", "·": "-", "│": "|", "█": "#", "░": "."}
SIGNS |= dict.fromkeys("“”„«»", '"') | dict.fromkeys("‘’", "'") | dict.fromkeys("–—−─", "-")
SIGNS |= {"→": "->", "←": "<-", "↑": "^", "↓": "v", "…": "...", "×": "x", "÷": "/", "⋅": "*", "≤": "<=", "≥": ">="}
SIGNS |= {"≠": "!=", "≈": "~", "√": "sqrt", "∂": "d", "∞": "inf", "∈": "in", "¿": "", "¡": ""}
WORDS = "GREEK SMALL LETTER "


def use_stand_ins(*streams: IO[Any] | None) -> None:
    """Let streams write a stand-in for what their encoding lacks, where they would raise or write a question mark."""
    codecs.register_error(HANDLER, _stood_in)
    for stream in streams:
        if stream is not None and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=HANDLER)


def plain(text: str, encoding: str | None) -> str:
    """A text as a stream of this encoding shows it."""
    codecs.register_error(HANDLER, _stood_in)
    name = encoding or "utf-8"
    return text.encode(name, HANDLER).decode(name)


def _stood_in(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text, written = error.object[error.start : error.end], ""
    for at, sign in enumerate(text):
        raised = unicodedata.decomposition(sign).startswith("<super>")
        follows = at > 0 and unicodedata.decomposition(text[at - 1]).startswith("<super>")
        written += "^" if raised and not follows else ""
        written += SIGNS[sign] if sign in SIGNS else _letters(sign)
    return written, error.end


def _letters(sign: str) -> str:
    """A letter without its accent, a Greek letter's name, or a question mark."""
    found = "".join(SIGNS.get(each, each) for each in unicodedata.normalize("NFKD", sign))
    kept = found.encode("ascii", "ignore").decode()
    name = unicodedata.name(sign, "")
    return kept or (name.removeprefix(WORDS).lower() if name.startswith(WORDS) else "?")
