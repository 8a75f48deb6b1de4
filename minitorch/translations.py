"""Translations: the messages of one language, read from its `.po` file.

A language is a folder of its name (two letters) with `LC_MESSAGES/minitorch.po` in it, in `minitorch/locale/` or in the
folder that `MINITORCH_LANGUAGES` names. The file is text, and no build step makes a `.mo` of it: a clone, an editable
install, a wheel and Pyodide read it as it lies there. docs/adding-a-language.md shows how one is made.
"""

from __future__ import annotations

import functools
import gettext
import io
import os
import re
import struct
import warnings
from collections.abc import Iterator
from pathlib import Path

LOCALE = Path(__file__).with_name("locale")
FILE = Path("LC_MESSAGES", "minitorch.po")
_PART = re.compile(r'^(msgid|msgid_plural|msgstr)(?:\[(\d)\])? ((?:"(?:[^"\\]|\\.)*"\s*)+)$', re.MULTILINE)
_ESCAPE = re.compile(r'"\s*"|\\(.)', re.DOTALL)  # the seam of two lines, or a sign behind a backslash
_SIGNS = {"n": "\n", "t": "\t", "r": "\r"}


def languages() -> tuple[str, ...]:
    """Return English, and the languages that have a file of translations."""
    return _languages(os.environ.get("MINITORCH_LANGUAGES"))


def translations(lang: str) -> gettext.NullTranslations:
    """Return the translations into a language; those that leave every message as it is where there is no file."""
    return _translations(lang, os.environ.get("MINITORCH_LANGUAGES"))


# Both are cached: to look into the folders for each sentence takes 20 times as long as to say it.
@functools.cache
def _languages(further: str | None) -> tuple[str, ...]:
    found = {path.parents[1].name for home in _homes(further) for path in home.glob(f"[a-z][a-z]/{FILE}")}
    return ("en", *sorted(found - {"en"}))


@functools.cache
def _translations(lang: str, further: str | None) -> gettext.NullTranslations:
    return _read(tuple(path for home in _homes(further) if (path := home / lang / FILE).is_file()))


def _homes(further: str | None) -> list[Path]:
    """Return the folders of languages, first the one that counts most."""
    return [Path(further), LOCALE] if further else [LOCALE]


@functools.cache
def _read(paths: tuple[Path, ...]) -> gettext.NullTranslations:
    found = gettext.NullTranslations()
    for path in reversed(paths):
        try:
            one = gettext.GNUTranslations(io.BytesIO(_compiled(path.read_text(encoding="utf-8"))))
        except (OSError, ValueError) as error:
            warnings.warn(f"{path} cannot be read ({error}): its messages stay in English", stacklevel=2)
            continue
        one.add_fallback(found)
        found = one
    return found


def _compiled(text: str) -> bytes:
    """Return the `.mo` form of a `.po` file's text, which is what gettext reads.

    A header of 28 bytes, two tables of (length, offset), the ids and the translations; all sorted by id.
    """
    messages = sorted((one.encode(), other.encode()) for one, other in _messages(text))
    place = 28 + 16 * len(messages)
    tables: tuple[list[int], list[int]] = ([], [])
    body = b""
    for side in (0, 1):
        for message in messages:
            tables[side].extend((len(message[side]), place + len(body)))
            body += message[side] + b"\0"
    head = struct.pack("<7I", 0x950412DE, 0, len(messages), 28, 28 + 8 * len(messages), 0, 0)
    return head + struct.pack(f"<{4 * len(messages)}I", *tables[0], *tables[1]) + body


def _messages(text: str) -> Iterator[tuple[str, str]]:
    """Yield each message and its translation, plural forms joined by null bytes as gettext wants them.

    A message without a translation, or with one that is marked fuzzy, is left out: it stays English.
    """
    for entry in re.split(r"\n\s*\n", text):
        parts = {(name, place or "0"): _unquoted(quoted) for name, place, quoted in _PART.findall(entry)}
        forms = [said for (name, _), said in parts.items() if name == "msgstr"]
        if all(forms) and forms and not re.search(r"^#,.*\bfuzzy\b", entry, re.MULTILINE):
            several = parts.get(("msgid_plural", "0"))
            one = parts.get(("msgid", "0"), "")
            yield one if several is None else f"{one}\0{several}", "\0".join(forms)


def _unquoted(quoted: str) -> str:
    return _ESCAPE.sub(lambda found: _SIGNS.get(found[1], found[1]) if found[1] else "", quoted.strip()[1:-1])
