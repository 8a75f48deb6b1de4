"""A language that nobody speaks, made of the English one: every letter that can has an accent, and each line is longer.

A line begins with ⟦ and ends with ⟧, so that one that was cut is seen. Fields and what stands in `code` stay. A number
has three forms, as in Czech.
"""

from __future__ import annotations

import io
import re
from pathlib import Path

import messages
import spanish_texts
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

from minitorch.translations import FILE

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


def sentences() -> list[messages.Key]:
    """Every message of the code, and every English text of the lessons' tables, stubs, solutions and exports."""
    texts = (spanish_texts.tables, spanish_texts.stubs, spanish_texts.solutions, spanish_texts.exports)
    lessons = [english.strip("\n") for each in texts for _, _, english, spanish in each() if english != spanish]
    known = {key if isinstance(key, str) else key[0] for key in messages.messages()}
    return [
        *messages.messages(),
        *(said for said in dict.fromkeys(lessons) if messages.has_words(said) and said not in known),
    ]


def lay_out(folder: Path, *further: str) -> Path:
    """Write the language's file below a folder, with some further sentences; return the folder."""
    catalog = Catalog(locale="cs", fuzzy=False)  # for its plural rule
    for key in dict.fromkeys([*sentences(), *further]):
        several = not isinstance(key, str)
        catalog.add(key, [pseudo(key[0]), pseudo(key[1]), pseudo(key[1])] if several else pseudo(key))
    out = io.BytesIO()
    write_po(out, catalog, width=120)
    (folder / NAME / FILE).parent.mkdir(parents=True)
    (folder / NAME / FILE).write_bytes(out.getvalue())
    return folder


def english_in(shown: str) -> set[str]:
    """The words of a text that are not in the language."""
    return set(ENGLISH.findall(shown))


def is_whole(shown: str) -> bool:
    """Say whether no line of the language was cut."""
    return 0 < shown.count("⟦") == shown.count("⟧")
