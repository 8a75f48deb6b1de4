"""How long a lesson takes, computed from its notebook by one rule; no clock is asked.

    words of Markdown   120 a minute: tables, formulas and what is folded away included, the stuck table not
    a code cell         40 s
    a question          2 min, instead of its cell's 40 s
    an exercise         10 min, or what its `minutes` say
    a bug hunt          12 min

What stands in a section "More …" or "Find the planted bug", in a box, or in `<details>`, and every exercise that is not
required is *more*; the rest is the core path. Both are rounded up to full steps of five minutes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from minitorch.course.manifest import Lesson

WORDS_A_MINUTE = 120
CELL_SECONDS, QUESTION_SECONDS, HUNT_SECONDS = 40, 120, 720
STEP_SECONDS = 300
BOXES = ("In PyTorch", "In the machine", "Who found it", "Read next")
HUNT, STUCK = "Find the planted bug", "When you are stuck"
FENCE, HEADING = re.compile(r"^ *(?:```|~~~)"), re.compile(r"^(#{1,3}) +(.*)")
DETAILS = re.compile(r"(</?details\b[^>]*>)")
TAG = re.compile(r"<[/a-zA-Z!][^>]*>")
QUESTION = re.compile(r"\bquiz\(\s*[\"']")


@dataclass(frozen=True, slots=True)
class Minutes:
    """What a lesson takes: on its core path, and for everything else."""

    core: int
    more: int

    @classmethod
    def of(cls, lesson: Lesson, cells: Iterable[Mapping[str, Any]]) -> Minutes:
        """The minutes of a lesson whose notebook holds these cells, as a notebook's JSON has them."""
        seconds = {False: 0.0, True: 0.0}  # by whether it is more
        for exercise in lesson.exercises:
            seconds[not exercise.required] += exercise.minutes * 60
        place = _Place()
        for cell in cells:
            source = "".join(cell["source"])
            if cell["cell_type"] == "markdown":
                for words, more in place.read(source):
                    seconds[more] += words * 60 / WORDS_A_MINUTE
            elif cell["cell_type"] == "code":
                asked = len(QUESTION.findall(source))
                seconds[place.is_more] += asked * QUESTION_SECONDS if asked else CELL_SECONDS
        seconds[True] += HUNT_SECONDS if place.hunts else 0
        return cls(_rounded(seconds[False]), _rounded(seconds[True]))


@dataclass
class _Place:
    """Where in a notebook one is, reading from the top."""

    section: str = ""
    boxed: bool = False
    folded: bool = False
    hunts: bool = False

    @property
    def is_more(self) -> bool:
        return self.section.startswith("More") or HUNT in self.section or self.boxed or self.folded

    def read(self, source: str) -> Iterator[tuple[int, bool]]:
        """Go through a Markdown cell; yield numbers of words, and whether they are more."""
        fenced = self.folded = False
        for line in source.splitlines():
            fenced ^= bool(FENCE.match(line))
            heading = None if fenced else HEADING.match(line)
            if heading:
                self._enter(len(heading[1]), heading[2].strip())
            if self.section == STUCK and line.lstrip().startswith("|"):
                continue
            for part in [line] if fenced else DETAILS.split(line):
                if DETAILS.fullmatch(part):
                    self.folded = not part.startswith("</")
                else:
                    yield words(part if fenced else TAG.sub(" ", part)), self.is_more
        self.folded = False

    def _enter(self, level: int, name: str) -> None:
        self.boxed = level == 3 and name in BOXES
        if level < 3:
            self.section = name
            self.hunts = self.hunts or HUNT in name


def words(text: str) -> int:
    """How many words there are: what stands between blanks and has a letter or a digit in it."""
    return sum(any(map(str.isalnum, word)) for word in text.split())


def _rounded(seconds: float) -> int:
    """Seconds as minutes, rounded up to a full step."""
    return -int(-seconds // STEP_SECONDS) * STEP_SECONDS // 60
