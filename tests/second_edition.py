"""What a notebook of the second edition must have, as rules: each yields a sentence for every fault that it finds.

The conventions are told in docs/writing-a-lesson.md. A checkpoint owes what stands in `FOR_ALL`. It teaches nothing, so
it has no button for hints, no pencil, no transfer exercise and no boxes: those are `FOR_TEACHING`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from minitorch.course.activities.minutes import BOXES, HUNT, STUCK, TAG, Minutes, words
from minitorch.course.manifest import Lesson

MOST_WORDS, MOST_LINES, MOST_MINUTES, MOST_WRONG_WAYS = 120, 25, 90, 3
FIRST_CELLS = 4  # code cells in which the learner's engine is made
PENCIL, TRANSFER, THREE_BOXES = "More: by pencil", "More: on your own", "More: three boxes"
LAST = [HUNT, PENCIL, TRANSFER, THREE_BOXES, "Recap", STUCK]
LAST_IN_A_CHECKPOINT = [HUNT, "Recap", STUCK]
PYTORCH_LINES = range(6, 11)
IN_PYTORCH = re.compile(
    r"^```python\n(?P<code>(?:(?!```).*\n)*)```\s*^```text\n(?P<output>(?:(?!```).*\n)*)```", re.MULTILINE
)


@dataclass(frozen=True)
class Section:
    """One `##` section: its cells in order. A heading in the middle of a cell divides that cell."""

    heading: str
    cells: tuple[Any, ...]

    @property
    def number(self) -> int | None:
        found = re.match(r"(\d+)\. ", self.heading)
        return int(found[1]) if found else None

    @property
    def prose(self) -> str:
        return "\n\n".join(cell["source"] for cell in self.cells if cell["cell_type"] == "markdown")

    @property
    def code(self) -> list[str]:
        return [cell["source"] for cell in self.cells if cell["cell_type"] == "code"]


@dataclass(frozen=True)
class Notebook:
    """A lesson and the cells of its notebook."""

    lesson: Lesson
    cells: Sequence[Any]

    @property
    def sections(self) -> list[Section]:
        """The sections; what stands above the first one is called "top"."""
        found: list[tuple[str, list[Any]]] = [("top", [])]
        for cell in self.cells:
            parts = re.split(r"^(?=## )", cell["source"], flags=re.MULTILINE) if cell["cell_type"] == "markdown" else []
            for part in parts:
                if part.startswith("## "):
                    found.append((part[3:].splitlines()[0].strip(), []))
                if part.strip():
                    found[-1][1].append({"cell_type": "markdown", "source": part})
            if not parts:
                found[-1][1].append(cell)
        return [Section(heading, tuple(cells)) for heading, cells in found]

    @property
    def code(self) -> list[str]:
        return [cell["source"] for cell in self.cells if cell["cell_type"] == "code"]

    def section(self, heading: str) -> Section:
        return next((each for each in self.sections if each.heading == heading), Section(heading, ()))

    def box(self, name: str) -> str:
        """The text of a box, its heading left out."""
        parts = re.split(r"^### +(.*)$", self.section(THREE_BOXES).prose, flags=re.MULTILINE)
        return dict(zip(parts[1::2], parts[2::2], strict=True)).get(name, "")


# ------------------------------------------------------------------------------------------- every lesson


def top(notebook: Notebook) -> Iterator[str]:
    lesson, prose = notebook.lesson, notebook.section("top").prose
    said = " ".join(prose.split())
    if not said.startswith(f"# {lesson.number} · {lesson.title.to('en')} "):
        yield f"the first line must be: # {lesson.number} · {lesson.title.to('en')}"
    spanish = f"> **En español:** [cuaderno en español](es/{lesson.notebook_name})."
    if said.count(spanish) != 1 or not re.search(re.escape(spanish) + r"\s(?:> )?\w", prose):
        yield f"the line in Spanish must begin with {spanish} and go on with one sentence"
    everything = "\n".join(cell["source"] for cell in notebook.cells)
    if everything.count("En español") != said.count("En español") or said.count("En español") > 1:
        yield "there is more Spanish than the one line at the top"
    promise = "This checkpoint shows whether you can" if lesson.checkpoint else "After this lesson you will be able to"
    if f"**{promise}**" not in said:
        yield f"the top must say: **{promise}**"
    took = f"It takes about {lesson.minutes} minutes" + (f", and {lesson.more} more for" if lesson.more else "")
    if took not in said:
        yield f"the top must say: {took}"
    if f"exercises/{lesson.file_name}" not in said:
        yield f"the top must say where the answers go: exercises/{lesson.file_name}"


def review(notebook: Notebook) -> Iterator[str]:
    first = notebook.code[0] if notebook.code else ""
    if notebook.lesson.order > 0 and f'review("{notebook.lesson.number}")' not in first:
        yield f'the first code cell must end with review("{notebook.lesson.number}")'


def sizes(notebook: Notebook) -> Iterator[str]:
    for cell in notebook.cells:
        first = cell["source"].strip().splitlines()[0] if cell["source"].strip() else ""
        if cell["cell_type"] == "markdown" and (count := words(plain(cell["source"]))) > MOST_WORDS:
            yield f"{count} words in one cell, {MOST_WORDS} are the most: {first}"
        if cell["cell_type"] == "code" and (count := len(cell["source"].splitlines())) > MOST_LINES:
            yield f"{count} lines in one cell, {MOST_LINES} are the most: {first}"


def plain(source: str) -> str:
    """The English prose of a cell: no tables, fences, formulas or tags, and not the line in Spanish."""
    source = re.sub(r"^ *(```|~~~).*?^ *\1|\$\$.*?\$\$", " ", source, flags=re.MULTILINE | re.DOTALL)
    source = re.sub(r"^> \*\*En español:\*\*(?:.+\n?)*", " ", source, flags=re.MULTILINE)
    return TAG.sub(" ", re.sub(r"^ *\|.*$", " ", source, flags=re.MULTILINE))


def minutes(notebook: Notebook) -> Iterator[str]:
    lesson, found = notebook.lesson, Minutes.of(notebook.lesson, notebook.cells)
    if (lesson.minutes, lesson.more) != (found.core, found.more):
        yield f"lesson.toml must say: minutes = {found.core}, more = {found.more}"
    if found.core > MOST_MINUTES:
        yield f"the core path takes {found.core} minutes, {MOST_MINUTES} are the most"


def sections(notebook: Notebook) -> Iterator[str]:
    found = notebook.sections[1:]
    numbers = [each.number for each in found if each.number is not None]
    if not numbers or numbers != list(range(1, len(numbers) + 1)):
        yield f"the sections must be numbered 1, 2, 3 …, and are {numbers}"
    last = LAST_IN_A_CHECKPOINT if notebook.lesson.checkpoint else LAST
    own = [each.heading for each in found[len(numbers) :]]
    at = slice(own.index(TRANSFER) + 1, own.index(THREE_BOXES)) if {TRANSFER, THREE_BOXES} <= set(own) else slice(0)
    if all(heading.startswith("More: ") for heading in own[at]):
        del own[at]  # what a lesson has more than others stands between the two
    if own != last:
        yield f"after the numbered sections come {', '.join(last)}; they are {[each.heading for each in found]}"


def figures(notebook: Notebook) -> Iterator[str]:
    for section in notebook.sections:
        drawn = any(re.search(r"\bviz\.\w+\(", source) or shows_a_picture(source) for source in section.code)
        shown = any(shows_a_picture(str(cell.get("outputs", ""))) for cell in section.cells)
        if section.number is not None and not (drawn or shown or shows_a_picture(section.prose)):
            yield f"no figure in section {section.heading}"


def shows_a_picture(text: str) -> bool:
    return "<img " in text or "<svg" in text


def own_engine(notebook: Notebook) -> Iterator[str]:
    number = notebook.lesson.number
    made = re.compile(rf"= engine\(\s*\"mine\",\s*(?:upto=)?\"{number}\"")
    if notebook.lesson.order >= 10 and not any(map(made.search, notebook.code[:FIRST_CELLS])):
        yield f'one of the first {FIRST_CELLS} code cells must say: mine = engine("mine", upto="{number}")'


def planted(notebook: Notebook) -> Iterator[str]:
    lesson, code = notebook.lesson, "\n".join(notebook.section(HUNT).code)
    for call in (f'planted("{lesson.number}")', f'found("{lesson.number}", "?")'):
        if call not in code:
            yield f"{call} is missing below {HUNT}"
    if not (lesson.folder / "planted.toml").is_file():
        yield "the lesson has no planted.toml"


# ------------------------------------------------------------------------------ every lesson that teaches


def wrong_ways(notebook: Notebook) -> Iterator[str]:
    told = "\n".join(cell["source"] for cell in notebook.cells if cell["cell_type"] == "markdown")
    count = len(re.findall(r"wrong way first", told, re.IGNORECASE))
    if count > MOST_WRONG_WAYS:
        yield f"the wrong way comes first {count} times, {MOST_WRONG_WAYS} are the most"


def button(notebook: Notebook) -> Iterator[str]:
    checked = [number for number, source in enumerate(notebook.code) if re.search(r"^check\(", source, re.MULTILINE)]
    if checked and not any("check_button(" in source for source in notebook.code[checked[0] : checked[0] + 2]):
        yield "a check_button must follow the first check"


def pencil(notebook: Notebook) -> Iterator[str]:
    section = notebook.section(PENCIL)
    if not re.search(r"<details>.*\S.*</details>", section.prose, re.DOTALL):
        yield f"no answer in <details> below {PENCIL}"
    if not any('quiz("' in source for source in section.code):
        yield f"no quiz checks the answer below {PENCIL}"


def transfer(notebook: Notebook) -> Iterator[str]:
    for exercise in notebook.lesson.exercises:
        if not exercise.transfer:
            continue
        if not any(f'check("{exercise.name}")' in source for source in notebook.section(TRANSFER).code):
            yield f'check("{exercise.name}") is missing below {TRANSFER}'
        above = list(takewhile(lambda each: each.heading != TRANSFER, notebook.sections))
        name = exercise.target.rpartition(".")[2]
        if any(re.search(rf"\b{name}\(", source) for section in above for source in section.code):
            yield f"{name} is called above its exercise, which nothing is to show"


def boxes(notebook: Notebook) -> Iterator[str]:
    headings = re.findall(r"^### +(.*)$", notebook.section(THREE_BOXES).prose, re.MULTILINE)
    if headings != list(BOXES):
        yield f"below {THREE_BOXES} stand {', '.join(BOXES)}, and not {headings}"
        return
    yield from in_pytorch(notebook)
    if not re.search(r"\b1[5-9]\d\d\b|\b20\d\d\b", notebook.box("Who found it")):
        yield "Who found it says no year"
    items = re.findall(r"^(?:[-*]|\d\.) ", notebook.box("Read next"), re.MULTILINE)
    if len(items) != 3:
        yield f"Read next lists {len(items)} references instead of three"


def in_pytorch(notebook: Notebook) -> Iterator[str]:
    """What can be said of the box without PyTorch; tests/lessons/test_pytorch_boxes.py runs it."""
    box = notebook.box("In PyTorch")
    if box.count("```python") != 1 or not (found := IN_PYTORCH.search(box)):
        yield "In PyTorch needs one ```python fence and directly after it a ```text fence with its output"
        return
    if (lines := len(found["code"].strip().splitlines())) not in PYTORCH_LINES:
        yield f"the fence In PyTorch has {lines} lines; 6 to 10 are asked for"
    try:
        ast.parse(found["code"])
    except SyntaxError as error:
        yield f"the fence In PyTorch is no Python: {error}"
    if not found["output"].strip():
        yield "the output In PyTorch is empty"


Rule = Callable[[Notebook], Iterator[str]]
FOR_ALL: tuple[Rule, ...] = (top, review, sizes, minutes, sections, figures, own_engine, planted)
FOR_TEACHING: tuple[Rule, ...] = (wrong_ways, button, pencil, transfer, boxes)
RULES = FOR_ALL + FOR_TEACHING
