"""Code inside a sentence: the texts have it between backticks; what is shown has it as code, or in quotes."""

from __future__ import annotations

import html
import re

CODE = re.compile(r"`([^`\n]+)`")


def code_html(text: str) -> str:
    """The sentence as HTML, its code set as code."""
    pieces = CODE.split(text)  # every other piece is code
    return "".join(
        f"<code>{html.escape(piece)}</code>" if at % 2 else html.escape(piece) for at, piece in enumerate(pieces)
    )


def code_plain(text: str) -> str:
    """The sentence where nothing can be set as code: in quotes."""
    return CODE.sub(lambda found: f'"{found[1]}"' if "'" in found[1] else f"'{found[1]}'", text)
