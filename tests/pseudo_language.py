"""A language that nobody speaks, made of the English one: every letter that can has an accent, and each line is longer.

A line begins with ⟦ and ends with ⟧, so that one that was cut is seen. Fields and what stands in `code` stay.
"""

from __future__ import annotations

import re
from pathlib import Path

import languages

NAME = "qx"
ACCENTS = str.maketrans("aeiouycnszAEIOUYCNSZ", "áéíóúýçñšžÁÉÍÓÚÝÇÑŠŽ")
KEPT = re.compile(r"(\{\w+\}|`[^`\n]*`)")
LONGER = 0.3  # of a line's letters at least
ENGLISH = re.compile(r"[^\W\d_]*[aeiouyAEIOUY][^\W\d_]*")  # a word with a bare vowel


def pseudo(sentence: str) -> str:
    """A sentence in the language."""
    return "\n".join(map(_line, sentence.split("\n")))


def _line(line: str) -> str:
    before, words, after = re.fullmatch(r"([\s#\b]*(?:- )?)(.*?)(\s*)", line, re.DOTALL).groups()
    if not words:
        return line
    accented = "".join(part if KEPT.fullmatch(part) else part.translate(ACCENTS) for part in KEPT.split(words))
    more = "ñandú" * max(1, -(-int(LONGER * len(words)) // 5))
    return f"{before}⟦{accented} {more.translate(ACCENTS)}⟧{after}"


def lay_out(folder: Path, *further: str) -> Path:
    """Write the whole catalogue of the language below a folder, with some further sentences; return the folder."""
    own = folder / NAME
    languages.write(own)
    for table in own.glob("*.toml"):
        said = languages.read_table(table)
        table.write_text(languages.table_of({each: pseudo(each) for each in said}), encoding="utf-8")
    (own / "further.toml").write_text(languages.table_of({each: pseudo(each) for each in further}), encoding="utf-8")
    return folder


def english_in(shown: str) -> set[str]:
    """The words of a text that are not in the language."""
    return set(ENGLISH.findall(shown))


def is_whole(shown: str) -> bool:
    """Say whether no line of the language was cut."""
    return 0 < shown.count("⟦") == shown.count("⟧")
