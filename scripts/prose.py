"""Check the words of all prose: forms that the field does not use are named with file, line and replacement.

    python scripts/prose.py               # print what is red beyond the list of today; exit 1 if anything is
    python scripts/prose.py --all         # print all that is red
    python scripts/prose.py --update      # lower the list's numbers to what is red now; none rises
    python scripts/prose.py --start RULE  # put on the list what a new rule finds

The rules are data in `scripts/prose/`: `english.toml`, `spanish.toml`, `openings.toml` (first words of docstrings) and
`vocabulary.toml` (the terms that each lesson introduces). `today.toml` counts what is red today, by file and rule.
The check knows words, not style. Neither linter serves: Vale's wheel fetches its binary from a host that CI does not
reach, and proselint has no rules but its own, in Python modules.

In a rule, `words` stand between word boundaries, and a `pattern` is taken as it is. Both are regular expressions
without named groups, for text in lower case whose paragraphs are one line each. `kinds` limits a rule to kinds of text:
notebook, page (Markdown), lesson (TOML), docstring, opening (its first line), comment, message (any other string) and
formula. A rule without `kinds` is for all but openings and formulas.
"""

from __future__ import annotations

import argparse
import functools
import re
import sys
import tomllib
from bisect import bisect
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from prose_texts import Text, files, markdown, texts

ROOT = Path(__file__).resolve().parents[1]
RULES = ROOT / "scripts" / "prose"
TODAY = RULES / "today.toml"
BOLD = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)
HEAD = re.compile(r"^\| ([^|(,]+)(?<! )[^|]*? \((\w\w)\) \|", re.MULTILINE)  # a row of the glossary: term and lesson

Counts = dict[str, dict[str, int]]  # by file, then by rule
Terms = dict[str, dict[str, str]]  # by lesson: the English term, then the Spanish one


class Rule(NamedTuple):
    """A form that one language bans, its replacement, and a sentence with each."""

    name: str
    language: str
    expression: str
    is_words: bool
    write: str
    kinds: tuple[str, ...]
    wrong: str
    right: str


class Hit(NamedTuple):
    """A banned form, or a missing term, with its file and line."""

    path: str
    line: int
    rule: str
    form: str
    write: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.form!r} ({self.rule}): write {self.write}"


# ------------------------------------------------------------------------------------------------------------ rules


@functools.cache
def rules() -> tuple[Rule, ...]:
    """Return all rules of `scripts/prose/`, those of English first."""
    return tuple(
        Rule(
            name=name,
            language=language,
            expression=each.get("words") or each["pattern"],
            is_words="words" in each,
            write=each["write"],
            kinds=tuple(each.get("kinds", ())),
            wrong=each["wrong"],
            right=each["right"],
        )
        for file, language in (("english", "en"), ("openings", "en"), ("spanish", "es"))
        for name, each in _loaded(RULES / f"{file}.toml").items()
    )


def _loaded(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


@functools.cache
def _search(kind: str, language: str) -> tuple[re.Pattern[str], ...]:
    """Return the rules for such text in two expressions, words and patterns; the group r3 is the rule of index 3."""
    fit: dict[bool, list[str]] = {True: [], False: []}
    for index, rule in enumerate(rules()):
        if rule.language == language and (kind in rule.kinds if rule.kinds else kind not in {"opening", "formula"}):
            fit[rule.is_words].append(f"(?P<r{index}>{rule.expression})")
    # One boundary before all words: the search then tries the rules at the beginnings of words alone.
    found = (rf"\b(?:{'|'.join(fit[True])})\b" if fit[True] else "", "|".join(fit[False]))
    return tuple(re.compile(each, re.MULTILINE) for each in found if each)


def hits(path: str, text: Text) -> Iterator[Hit]:
    """Yield each form of this text that a rule bans."""
    starts, flat = [], ""
    for line in text.prose.split("\n"):
        starts.append(len(flat))
        flat += f"{line.strip()} " if line.strip() else "\n"
    lower = flat.lower()
    for expression in _search(text.kind, text.language):
        for match in expression.finditer(lower):
            rule = rules()[int((match.lastgroup or "r0")[1:])]
            form = flat[match.start() : match.end()].strip()
            yield Hit(path, bisect(starts, match.start()), rule.name, form, rule.write)


# ------------------------------------------------------------------------------------------------------- vocabulary


def lessons() -> Terms:
    """Return the terms that each lesson introduces, English and Spanish, by the lesson's number."""
    return _loaded(RULES / "vocabulary.toml")


def vocabulary(root: Path, introduced: Terms) -> Iterator[Hit]:
    """Yield each term that its lesson does not use, or not in bold, or that the glossary does not define once."""
    for folder in (root / "notebooks", root / "notebooks" / "es"):
        glossary = folder / "glossary.md"
        heads = HEAD.findall(glossary.read_text(encoding="utf-8").lower())
        for number, terms in introduced.items():
            (path,) = folder.glob(f"{number}_*.ipynb")
            cells = "\n\n".join(text for _, text in markdown(path.read_text(encoding="utf-8"))).lower()
            bold = "\n".join(BOLD.findall(cells))
            for english, spanish in terms.items():
                term = spanish if folder.name == "es" else english
                name = term.split("|")[0]
                words = term.lower().replace(" ", r"\s+")
                expression = re.compile(rf"\b(?:{words})(?:e?s)?\b")
                if not expression.search(bold):
                    rule = "term-in-bold" if expression.search(cells) else "term-in-its-lesson"
                    write = f"**{name}** where the lesson introduces it"
                    yield Hit(path.relative_to(root).as_posix(), 1, rule, name, write)
                rows = [head for head, lesson in heads if lesson == number.lower() and expression.fullmatch(head)]
                if len(rows) != 1:
                    write = f"one row for it (lesson {number})"
                    yield Hit(glossary.relative_to(root).as_posix(), 1, "term-in-glossary", name, write)


# ------------------------------------------------------------------------------------------------ the list of today


def everything() -> list[Hit]:
    """Return all that is red in this repository."""
    return sorted([*banned(ROOT), *vocabulary(ROOT, lessons())])


def banned(root: Path) -> Iterator[Hit]:
    """Yield each banned form in the files of a repository."""
    for path in files(root):
        for text in texts(path, root):
            yield from hits(path.relative_to(root).as_posix(), text)


def counted(found: Iterable[Hit]) -> Counts:
    """Return how many hits each rule has in each file."""
    counts: Counts = {}
    for hit in found:
        numbers = counts.setdefault(hit.path, {})
        numbers[hit.rule] = numbers.get(hit.rule, 0) + 1
    return counts


def listed() -> Counts:
    """Return the list of what is red today."""
    return _loaded(TODAY)


def above(counts: Counts, other: Counts) -> set[tuple[str, str]]:
    """Return the files and rules whose number is higher than the other counts have."""
    return {
        (path, rule)
        for path, numbers in counts.items()
        for rule, number in numbers.items()
        if number > other.get(path, {}).get(rule, 0)
    }


def lowered(today: Counts, counts: Counts) -> Counts:
    """Return the list with every number at most what is red now; none rises."""
    return {
        path: {rule: min(number, counts[path].get(rule, 0)) for rule, number in numbers.items()}
        for path, numbers in today.items()
        if path in counts
    }


def started(today: Counts, counts: Counts, rule: str) -> Counts:
    """Return the list with all that a new rule finds now."""
    found = {path: {rule: numbers[rule]} for path, numbers in counts.items() if rule in numbers}
    return {path: today.get(path, {}) | found.get(path, {}) for path in today.keys() | found.keys()}


def written(counts: Counts) -> str:
    """Return the list as TOML: a line for each file, sorted; rules that find nothing are left out."""
    lines = ["# What is red today, by file and rule. A number may only go down: python scripts/prose.py --update", ""]
    for path, numbers in sorted(counts.items()):
        if entries := ", ".join(f"{rule} = {number}" for rule, number in sorted(numbers.items()) if number):
            lines.append(f'"{path}" = {{{entries}}}')
    return "\n".join(lines) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """Print what is red, or change the list; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--all", action="store_true", help="print all that is red, listed or not")
    parser.add_argument("--update", action="store_true", help="lower the list's numbers to what is red now")
    parser.add_argument("--start", metavar="RULE", help="put on the list what a new rule finds")
    options = parser.parse_args(arguments)
    found = everything()
    counts, today = counted(found), listed()
    if options.start:
        if any(options.start in numbers for numbers in today.values()):
            parser.error(f"{options.start} is on the list already: its numbers may only go down")
        today = started(today, counts, options.start)
    if options.update:
        today = lowered(today, counts)
    if options.start or options.update:
        TODAY.write_text(written(today), encoding="utf-8")
    red, stale = above(counts, today), above(today, counts)
    for hit in found:
        if options.all or (hit.path, hit.rule) in red:
            print(hit)
    print(f"{len(found)} forms are red; {len(red)} numbers are above those of {TODAY.name}, {len(stale)} below")
    if stale:
        print("The list may shrink: run python scripts/prose.py --update")
    return int(bool(red or stale))


if __name__ == "__main__":
    sys.exit(main())
