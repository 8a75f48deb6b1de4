"""Every lesson of the second edition keeps its rules, and every rule sees a notebook that breaks it."""

from __future__ import annotations

import copy
import dataclasses
from pathlib import Path

import nbformat
import pytest
import second_edition as rules

from minitorch.course import manifest
from minitorch.course.manifest import Lesson

ROOT = Path(__file__).resolve().parents[2]
COURSE = manifest.load()
SECOND = [lesson for lesson in COURSE.lessons if lesson.edition == 2]


def test_readme_says_how_long_the_course_takes():
    """Hours rounded up, as the progress card has them."""
    said = f"about {-(-COURSE.minutes // 60)} hours"
    said += f" and {-(-COURSE.more // 60)} more for what is not required" if COURSE.more else ""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f", {said}." in text


@pytest.mark.parametrize("lesson", SECOND, ids=lambda lesson: lesson.number)
@pytest.mark.parametrize("rule", rules.RULES, ids=lambda rule: rule.__name__)
def test_a_lesson_of_the_second_edition_keeps_its_rules(lesson, rule):
    if lesson.checkpoint and rule in rules.FOR_TEACHING:
        pytest.skip("a checkpoint teaches nothing")
    cells = nbformat.read(ROOT / "notebooks" / lesson.notebook_name, as_version=4).cells
    assert list(rule(rules.Notebook(lesson, cells))) == []


# -------------------------------------------------------------------------------- a notebook that keeps them

TORCH = """### In PyTorch

```python
import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
loss = (x * x).sum()
loss.backward()
print(x.grad)
```

```text
tensor([2., 4.])
```
"""
CELLS = (
    """# 08 · Broadcasting backwards

> **En español:** [cuaderno en español](es/08_broadcasting.ipynb). Lo que se estira se suma.

A bias has one row, a batch has many. **After this lesson you will be able to** sum back.

It takes about 40 minutes, and 30 more for what is not required. You need lesson 05. Your answers go into
`exercises/lesson_08_broadcasting.py`.""",
    'from minitorch import viz\nreview("08")',
    "## 1. Stretch\n\n**The wrong way first.** Copy it.",
    '=mine = engine("mine", upto="08")\nmine',
    "=viz.graph(x)",
    '=quiz("stretched")',
    '=check("unbroadcast")',
    '=check_button("08")',
    "## 2. Sum back\n\nThe other way.",
    "=viz.curve([1, 2])",
    '=check("add_vjp")',
    '=check("mul_vjp")',
    "## Find the planted bug",
    '=planted("08")',
    '=found("08", "?")',
    "## More: by pencil\n\nWork it out.\n\n<details><summary>The answer</summary>\n\nSix.\n\n</details>",
    '=quiz("by_pencil")',
    "## More: on your own\n\nNow division.",
    '=check("div_vjp")',
    f"## More: three boxes\n\n{TORCH}",
    "### In the machine\n\nA stride of 0.",
    "### Who found it\n\nSomebody, in 1995.",
    "### Read next\n\n- one\n- two\n- three",
    "## Recap\n\nSum back.",
    "## When you are stuck\n\n| message | what to do |\n|---|---|\n| " + "word " * 200 + " | wait |",
)


def cell(text: str) -> dict:
    code = text.startswith(("=", "from "))
    return {"cell_type": "code" if code else "markdown", "source": text.removeprefix("=")}


@pytest.fixture
def lesson(tmp_path) -> Lesson:
    shipped = COURSE.lesson("08")
    *required, last = shipped.exercises[:4]
    last = dataclasses.replace(last, required=False, transfer=True)
    required = [dataclasses.replace(each, required=True, transfer=False) for each in required]
    (tmp_path / "planted.toml").write_text("", encoding="utf-8")
    return dataclasses.replace(
        shipped, folder=tmp_path, exercises=(*required, last), minutes=40, more=30, edition=2, prerequisites=()
    )


def faults(lesson: Lesson, cells, name: str) -> list[str]:
    return list(getattr(rules, name)(rules.Notebook(lesson, cells)))


def changed(old: str, new: str) -> list[dict]:
    """The sample with one text in it replaced."""
    cells = [cell(text) for text in CELLS]
    hits = [each for each in cells if old in each["source"]]
    assert hits, old
    for each in hits:
        each["source"] = each["source"].replace(old, new)
    return cells


@pytest.mark.parametrize("rule", rules.RULES, ids=lambda rule: rule.__name__)
def test_the_sample_keeps_every_rule(lesson, rule):
    assert faults(lesson, [cell(text) for text in CELLS], rule.__name__) == []


@pytest.mark.parametrize(
    ("rule", "old", "new", "said"),
    [
        ("top", "# 08 · Broadcasting backwards", "# 08 Broadcasting", "the first line must be"),
        ("top", "(es/08_broadcasting.ipynb). Lo que se estira se suma.", "(es/08_broadcasting.ipynb).", "in Spanish"),
        ("top", "es/08_broad", "es/07_broad", "in Spanish must begin"),
        ("top", "Sum back.", "> **En español.** Suma.", "more Spanish than the one line"),
        ("top", "After this lesson", "Afterwards", "must say: **After this lesson"),
        ("top", "and 30 more", "and 35 more", "It takes about 40 minutes, and 30 more for"),
        ("top", "exercises/lesson_08", "exercises/lesson_07", "where the answers go"),
        ("review", 'review("08")', "viz", 'must end with review("08")'),
        ("sizes", "The other way.", "word " * 121, "124 words in one cell, 120 are the most: ## 2. Sum back"),
        ("sizes", "viz.graph(x)", "viz.graph(x)\n" * 26, "26 lines in one cell, 25 are the most: viz.graph(x)"),
        ("minutes", "Copy it.", "word " * 700, "must say: minutes = 45, more = 30"),
        ("minutes", "Copy it.", "word " * 7000, "the core path takes 100 minutes, 90 are the most"),
        ("minutes", "A stride of 0.", "word " * 600, "minutes = 40, more = 35"),
        ("sections", "## 2. Sum back", "## 3. Sum back", "must be numbered 1, 2, 3"),
        ("sections", "## Recap", "## The end", "after the numbered sections come"),
        ("sections", "## More: on your own", "### More: on your own", "after the numbered sections come"),
        ("figures", "viz.curve([1, 2])", "print(1)", "no figure in section 2. Sum back"),
        ("wrong_ways", "The other way.", "The wrong way first. " * 3, "comes first 4 times, 3 are the most"),
        ("own_engine", 'upto="08"', 'upto="05"', 'must say: mine = engine("mine", upto="08")'),
        ("own_engine", 'engine("mine"', 'engine("reference"', "must say: mine = engine"),
        ("button", 'check_button("08")', "viz", "a check_button must follow"),
        ("planted", 'planted("08")', "viz", 'planted("08") is missing'),
        ("planted", 'found("08", "?")', "viz", 'found("08", "?") is missing'),
        ("pencil", "<details>", "", "no answer in <details>"),
        ("pencil", 'quiz("by_pencil")', "viz", "no quiz checks the answer"),
        ("transfer", 'check("div_vjp")', "viz", 'check("div_vjp") is missing below More: on your own'),
        ("transfer", "viz.graph(x)", "mine.div_vjp(g, a, b)", "div_vjp is called above its exercise"),
        ("boxes", "### Who found it", "### Who?", "stand In PyTorch, In the machine"),
        ("boxes", "1995", "former times", "says no year"),
        ("boxes", "- three", "and three", "lists 2 references"),
        ("boxes", "```text", "and it prints\n\n```text", "directly after it a ```text fence"),
        ("boxes", "import torch\n\nx", "x", "has 4 lines; 6 to 10"),
        ("boxes", "(x * x).sum()", "(x * x.sum()", "is no Python"),
        ("boxes", "tensor([2., 4.])", "", "is empty"),
    ],
)
def test_a_notebook_that_breaks_a_rule_is_seen(lesson, rule, old, new, said):
    found = faults(lesson, changed(old, new), rule)
    assert any(said in fault for fault in found), found


def test_a_lesson_without_bugs_to_plant_is_seen(lesson):
    (lesson.folder / "planted.toml").unlink()
    assert faults(lesson, [cell(text) for text in CELLS], "planted") == ["the lesson has no planted.toml"]


def test_lesson_00_has_nothing_to_look_back_at(lesson):
    first = dataclasses.replace(lesson, number="00", order=0)
    cells = copy.deepcopy(changed('review("08")', "viz"))
    assert faults(first, cells, "review") == []
    assert faults(first, changed('engine("mine"', 'engine("reference"'), "own_engine") == []


def test_what_a_lesson_has_more_than_others_stands_between_the_transfer_exercise_and_the_boxes(lesson):
    assert (
        faults(lesson, changed("## More: three boxes", "## More: a compiler\n\n## More: three boxes"), "sections") == []
    )
    for other in ("## A compiler\n\n## More: three boxes", "## More: three boxes\n\n## More: a compiler"):
        assert faults(lesson, changed("## More: three boxes", other), "sections") != []


def test_a_checkpoint_ends_without_pencil_transfer_and_boxes(lesson):
    """What a checkpoint lacks is no fault of it; what it keeps of a lesson's end stands in a lesson's order."""
    checkpoint = dataclasses.replace(lesson, checkpoint=True)
    cells = [cell(text) for text in CELLS]
    (found,) = faults(checkpoint, cells, "sections")
    assert found.startswith("after the numbered sections come Find the planted bug, Recap, When you are stuck;")
    headings = [each["source"].split("\n")[0] for each in cells]
    kept = cells[: headings.index("## More: by pencil")] + cells[headings.index("## Recap") :]
    assert faults(checkpoint, kept, "sections") == []
    assert faults(lesson, kept, "sections") != []
