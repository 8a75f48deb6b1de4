"""Verdicts and lines in a terminal: in colour, broken between words, with links to the learner's files."""

from __future__ import annotations

import re
from pathlib import Path

from rich.console import Console
from rich.style import Style
from rich.text import Text as RichText

from minitorch.course.cards.links import Links
from minitorch.course.cards.report import Block, blocks, summary
from minitorch.course.judging.verdict import Kind, Verdict
from minitorch.course.session import Session

STYLES = {
    Kind.NOT_STARTED: "bright_black",
    Kind.WRONG: "red",
    Kind.ERROR: "red",
    Kind.TIMEOUT: "yellow",
    Kind.OUT_OF_MEMORY: "yellow",
    Kind.PASSED: "green",
    Kind.PASSED_BUT: "green",
}
FILE = re.compile(r"(?:exercises/)?(?P<name>lesson_\w+\.py)(?::\d+)?")


def terminal() -> Console:
    """Return the terminal."""
    return Console(highlight=False, emoji=False)


def show(console: Console, verdicts: list[Verdict], lang: str, session: Session) -> None:
    """Print verdicts, and how many passed."""
    for block in blocks(verdicts, lang):
        _show_block(console, block, session.folder)
    if len(verdicts) > 1:
        console.print(summary(verdicts, lang, session.course.more_names), markup=False)


def _show_block(console: Console, block: Block, folder: Path) -> None:
    first, *more = block.text_lines()
    line = linked(first, folder)
    line.stylize(f"bold {STYLES[block.kind]}", 0, len(block.title))
    print_line(console, line)
    for each in more:
        print_line(console, linked(each, folder))


def print_line(console: Console, line: RichText) -> None:
    """Print a line. A terminal that is narrower gets it broken between words, below where its last column begins."""
    width = console.width
    if not console.is_terminal or line.cell_len <= width:
        console.print(line, soft_wrap=True)
        return
    starts = [found.end() for found in re.finditer(r"^ +|(?<=\S)  +", line.plain) if found.end() <= width // 2]
    indent = starts[-1] if starts else 0
    first, *more = line[indent:].wrap(console, width - indent)
    for before, part in [(line[:indent], first), *((RichText(" " * indent), each) for each in more)]:
        part.rstrip()
        console.print(before + part, soft_wrap=True)


def linked(line: str, folder: Path) -> RichText:
    """A line whose names of the learner's files can be clicked, in terminals that know how."""
    text, links = RichText(line), Links(folder)
    for found in FILE.finditer(line):
        if (folder / "exercises" / found["name"]).is_file():
            text.stylize(Style(link=links.uri(f"exercises/{found['name']}")), *found.span())
    return text
