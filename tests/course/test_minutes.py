"""How long a lesson takes is computed from its notebook, by a rule that can be followed with a pencil."""

from __future__ import annotations

import dataclasses

import pytest

from minitorch.course.activities.minutes import Minutes, words


def markdown(text: str) -> dict:
    return {"cell_type": "markdown", "source": text}


def code(text: str) -> dict:
    return {"cell_type": "code", "source": text.splitlines(keepends=True)}


def prose(count: int) -> str:
    return " ".join(["word"] * count)


@pytest.fixture
def lesson(tiny):
    """Three exercises of 10 minutes each, of which the last is not required."""
    (lesson,) = tiny.lessons
    *required, last = lesson.exercises
    return dataclasses.replace(lesson, exercises=(*required, dataclasses.replace(last, required=False)))


@pytest.fixture
def bare(lesson):
    return dataclasses.replace(lesson, exercises=())


def test_exercises_take_ten_minutes_each_or_what_they_say(lesson):
    assert Minutes.of(lesson, []) == Minutes(20, 10)
    first, *rest = lesson.exercises
    longer = dataclasses.replace(lesson, exercises=(dataclasses.replace(first, minutes=12), *rest))
    assert Minutes.of(longer, []) == Minutes(25, 10)  # 22, rounded up


@pytest.mark.parametrize(
    ("cells", "core", "more"),
    [
        ([], 0, 0),
        ([markdown(prose(600))], 5, 0),
        ([markdown(prose(601))], 10, 0),  # every step that is begun counts
        ([code("1")] * 7, 5, 0),  # 280 s
        ([code("1")] * 8, 10, 0),  # 320 s
        ([code('quiz("a")')] * 2, 5, 0),
        ([code('quiz("a")')] * 3, 10, 0),
        ([code('quiz("a")\nquiz("b")\nquiz("c")')], 10, 0),
        ([markdown("## 1. Words"), markdown(prose(590)), markdown(f"## More: by pencil\n\n{prose(590)}")], 5, 5),
        ([markdown("## More: by pencil"), code("1"), markdown("## Recap"), code("1")], 5, 5),
        ([markdown("## Find the planted bug")], 0, 15),  # 12 minutes and its four words
        ([markdown(f"## 9. Find the planted bug\n{prose(359)}")], 0, 20),  # 12 min + 3 min + 4 words
        ([markdown(f"<details><summary>Why?</summary>\n\n{prose(590)}\n\n</details>\n\n{prose(590)}")], 5, 5),
        ([markdown(f"## 1. Words\n\n### In the machine\n\n{prose(590)}\n\n## 2. Words\n\n{prose(590)}")], 5, 5),
        ([markdown(f"## When you are stuck\n\n| message | what |\n|---|---|\n| {prose(900)} | b |")], 5, 0),
        ([markdown(f"| message | what |\n|---|---|\n| {prose(700)} | b |")], 10, 0),
        ([markdown("```python\n" + "# ## More: no heading\n" * 3 + f"```\n{prose(500)}")], 5, 0),
    ],
)
def test_the_rule(bare, cells, core, more):
    assert Minutes.of(bare, cells) == Minutes(core, more)


def test_formulas_and_signs_are_counted_by_what_stands_between_blanks():
    assert words(r"$$\frac{a}{b} = 3 \cdot c$$") == 4  # not the sign "="
    assert words("a · b – **c** | |---|") == 3
