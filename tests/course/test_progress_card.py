"""The progress card: what has passed, what is left and what to do next, the same in a terminal and in a notebook."""

from __future__ import annotations

import dataclasses
import json
import re

import pytest

from minitorch.course import check, hint, manifest, status
from minitorch.course.cards.hint_log import HintLog
from minitorch.course.cards.report import summary
from minitorch.course.cards.standing import about, standing
from minitorch.course.course_error import CourseError
from minitorch.course.files.stubs import stub_source, write_stubs
from minitorch.course.session import Session

SECOND = """
number = "02"
order = 20
slug = "after"
minutes = 40
prerequisites = ["01"]
title = { en = "After", es = "Después" }
summary = { en = "One more.", es = "Uno más." }

[[exercise]]
name = "half"
target = "half"
checks = 1
points = 2
asks = { en = "Return half of x.", es = "Devuelve la mitad de x." }
hint = [{ en = "Divide.", es = "Divide." }]
"""
SECOND_CHECKS = """
from minitorch.course.judging.checks import exercise, same_number


@exercise("half", limit_s=2)
class Half:
    def inputs(self, rng):
        return [4.0]

    def observe(learner, x):
        return learner.half(x)

    def judge(self, x, got):
        return same_number(got, x / 2)
"""


@pytest.fixture
def two(tiny, tmp_path):
    """The tiny course with a lesson after it."""
    folder = tiny.lessons[0].folder.with_name("lesson_02_after")
    folder.mkdir()
    (folder / "lesson.toml").write_text(SECOND, encoding="utf-8")
    (folder / "checks.py").write_text(SECOND_CHECKS, encoding="utf-8")
    solution = 'def half(x):\n    """Return half of x."""\n    return x / 2\n'
    (tiny.lessons[0].solution.parent / "lesson_02_after.py").write_text(solution, encoding="utf-8")
    manifest._load.cache_clear()
    return manifest.load(folder.parent, tiny.lessons[0].solution.parent)


@pytest.fixture
def here(two, tmp_path, monkeypatch):
    """A fresh course folder, seen from where a notebook's kernel stands."""
    folder = tmp_path / "mine"
    write_stubs(folder / "exercises", two)
    monkeypatch.setattr(manifest, "load", lambda *_: two)
    monkeypatch.delenv("MINITORCH_COURSE", raising=False)
    monkeypatch.setenv("MINITORCH_LANG", "en")
    (folder / "work").mkdir()
    monkeypatch.chdir(folder / "work")
    return folder


def write(folder, source, name="lesson_01_tiny.py"):
    (folder / "exercises" / name).write_text(source, encoding="utf-8")


def test_a_fresh_folder_shows_the_whole_course_and_where_to_begin(here):
    line = (here / "exercises" / "lesson_01_tiny.py").read_text(encoding="utf-8").splitlines().index("def double(x):")
    assert status().text.splitlines() == [
        "your progress: 0 of 4 passed · 0 of 5 points · about 45 min left",
        "  01  Tiny   0/3  about 5 min left   ○ not started: double, grid, total",
        "  02  After  0/1  about 40 min left  ○ not started: half",
        f'next: write double in exercises/lesson_01_tiny.py:{line + 1}, then check("double")',
    ]


def test_two_looks_at_the_same_files_give_the_same_bytes(here):
    first, again = status()._repr_mimebundle_(), status()._repr_mimebundle_()
    assert first == again
    assert str(here) not in first["text/html"] + first["text/plain"]


def test_every_state_is_told_by_sign_and_word(here, solution):
    write(here, solution.replace("return 2 * x", "return x * x").replace("sum(self.things)", "1 / 0"))
    card = status()
    assert card.text.splitlines()[1].endswith("✓ passed: grid · ✗ wrong: double · ! error: total")
    spans = re.findall(r"<span [^>]*>([^<]*)</span>", card.html)
    assert spans == ["✓ passed", "✗ wrong", "! error", "○ not started"]


def test_one_lesson_shows_one_line_an_exercise(here, solution):
    write(here, solution.replace("return 2 * x", "return x * x"))
    lines = status("01").text.splitlines()
    assert lines[:4] == [
        "01 Tiny: 2 of 3 passed · 2 of 3 points · about 5 min left",
        "  ✗ wrong   double  1 point",
        "  ✓ passed  grid    1 point",
        "  ✓ passed  total   1 point",
    ]
    assert re.fullmatch(r'next: mend double in exercises/lesson_01_tiny\.py:\d+, then check\("double"\)', lines[4])
    assert status("tiny").text == status("01").text


def test_a_finished_lesson_names_the_next_notebook(here, solution):
    write(here, solution)
    assert (
        status("01").text.splitlines()[-1]
        == "all that is required here has passed · after this notebook: lesson 02 After, 02_after.ipynb"
    )
    assert status().text.splitlines()[-1].startswith("next: write half in exercises/lesson_02_after.py:1")
    write(here, "def half(x):\n    return x / 2\n", "lesson_02_after.py")
    assert status().text.splitlines()[0] == "your progress: 4 of 4 passed · 5 of 5 points"
    assert status().text.splitlines()[-1] == "all done"


def test_a_saved_pass_does_not_outlive_the_answer(here, solution, two):
    write(here, solution)
    assert status("01").text.splitlines()[0].startswith("01 Tiny: 3 of 3 passed")
    for record in (here / ".minitorch" / "progress").glob("*.json"):
        assert json.loads(record.read_text(encoding="utf-8"))["passed_first"]
    write(here, stub_source(two.lessons[0]))
    assert status("01").text.splitlines()[0].startswith("01 Tiny: 0 of 3 passed")


def test_the_card_of_one_lesson_starts_no_check_of_another(here, two):
    standing(Session(two, here), [two.lessons[0]])
    assert {path.stem for path in (here / ".minitorch" / "progress").glob("*.json")} == {"double", "grid", "total"}


def test_hints_that_were_shown_are_named(here):
    hint("double")
    hint("double", 3)
    hint("double", 4)  # the solution: offered, not shown
    assert "  ○ not started  double  1 point · hints used: 1 question, 3 pseudo-code" in status("01").text.splitlines()
    hint("double", 4, confirm=True)
    hint("half")
    used = "hints used: double (1 question, 3 pseudo-code, solution); half (1 question)"
    assert f"  {used}" in status().text.splitlines()
    assert used in status().html
    assert "pistas usadas: 1 pregunta, 3 pseudocódigo, solución" in status("01", lang="es").text


@pytest.mark.parametrize("spoilt", [b"", b"[]", b"\xff", b'{"format": 1}', b'{"format": 1, "steps": 3}', b"[" * 99_999])
def test_a_spoilt_note_on_hints_counts_as_none_and_is_written_anew(here, spoilt):
    log, double = HintLog(here), manifest.load().exercise("double")
    log.add(double, 1)
    (here / ".minitorch" / "hints" / "double.json").write_bytes(spoilt)
    assert log.shown("double") == ()
    log.add(double, 2)
    assert log.shown("double") == (2,)


def test_a_hint_is_shown_even_if_that_cannot_be_noted(here):
    (here / ".minitorch").mkdir()
    (here / ".minitorch" / "hints").write_text("", encoding="utf-8")
    assert "hint 1 of 4" in hint("double").text
    assert "hints used" not in status().text


def test_a_file_that_does_not_parse_still_says_where(here, solution):
    write(here, solution.replace("return 2 * x", "return 2 *"))
    line = solution.splitlines().index("def double(x):") + 1
    last = status("01").text.splitlines()[-1]
    assert last == f'next: mend double in exercises/lesson_01_tiny.py:{line}, then check("double")'


def test_a_definition_that_is_gone_has_no_line(here, solution):
    write(here, solution.replace("def double", "def dubble"))
    last = status("01").text.splitlines()[-1]
    assert last == 'next: mend double in exercises/lesson_01_tiny.py, then check("double")'


def test_the_file_is_a_link_only_where_a_notebook_would_find_it(here, monkeypatch):
    assert '<a href="../exercises/lesson_01_tiny.py#line=5" ' in status().html
    monkeypatch.chdir(here)
    assert '<a href="exercises/lesson_01_tiny.py#line=5" ' in status().html
    monkeypatch.setenv("MINITORCH_COURSE", str(here))
    monkeypatch.chdir(here.parent)
    assert "<a " not in status().html


def test_what_is_left_is_never_0_minutes():
    assert [about(minutes) for minutes in (0, 0.1, 5, 5.1, 90)] == [0, 5, 5, 10, 90]


@pytest.mark.parametrize(
    ("minutes", "en", "es"),
    [
        (175, "about 175 min left", "quedan unos 175 min"),
        (850, "about 15 h left", "quedan unas 15 h"),
        (840, "about 14 h left", "quedan unas 14 h"),
    ],
)
def test_much_time_is_told_in_hours(two, here, monkeypatch, minutes, en, es):
    lesson = dataclasses.replace(two.lessons[1], minutes=minutes - 5)
    monkeypatch.setattr(manifest, "load", lambda *_: dataclasses.replace(two, lessons=(two.lessons[0], lesson)))
    assert status().text.splitlines()[0].endswith(en)
    assert status(lang="es").text.splitlines()[0].endswith(es)


def test_the_time_of_a_lesson_stays_on_its_line(here):
    assert '<div style="white-space:nowrap">about 40 min left</div>' in status().html


def test_the_card_speaks_spanish(here):
    lines = status(lang="es").text.splitlines()
    assert lines[0] == "tu progreso: superaste 0 de 4 · 0 de 5 puntos · quedan unos 45 min"
    assert lines[-1].startswith("siguiente: escribe double en exercises/lesson_01_tiny.py:")


# ------------------------------------------------------------------------------- what is not required


@pytest.fixture
def with_more(two, here, monkeypatch):
    """The first lesson with 35 minutes more, in which `grid` is not required."""
    first = two.lessons[0]
    exercises = tuple(dataclasses.replace(each, required=each.name != "grid") for each in first.exercises)
    first = dataclasses.replace(first, exercises=exercises, minutes=85, more=35)
    course = dataclasses.replace(two, lessons=(first, two.lessons[1]))
    monkeypatch.setattr(manifest, "load", lambda *_: course)
    return here


def test_what_is_not_required_is_counted_and_timed_apart(with_more):
    lines = status().text.splitlines()
    assert lines[0] == "your progress: 0 of 3 passed, 1 more open · 0 of 5 points · about 125 min left, 35 min more"
    assert lines[1].startswith("  01  Tiny   0/2 + 0/1  about 85 min left, 35 min more  ○")
    assert lines[2].startswith("  02  After  0/1        about 40 min left               ○")
    assert status("01").text.splitlines()[2] == "  ○ not started  grid    1 point · more"
    assert status("01", lang="es").text.splitlines()[0] == (
        "01 Diminuta: superaste 0 de 2, extras por hacer: 1 · 0 de 3 puntos · quedan unos 85 min, 35 min de extras"
    )


def test_a_lesson_is_done_without_what_is_not_required(with_more, solution):
    write(with_more, solution.replace("return np.ones((n, 2))", "raise NotImplementedError"))
    lines = status("01").text.splitlines()
    assert lines[0] == "01 Tiny: 2 of 2 passed, 1 more open · 2 of 3 points · 35 min more"
    assert lines[-1] == "all that is required here has passed · after this notebook: lesson 02 After, 02_after.ipynb"
    assert "2/2 + 0/1  done, 35 min more" in status().text
    card = check("double", "grid", "total").text.splitlines()
    assert card[-2:] == [
        "2 of 2 passed, 1 more open",
        "all that is required here has passed · after this notebook: lesson 02 After, 02_after.ipynb",
    ]
    assert Session(manifest.load(), with_more).current_lesson().number == "02"


def test_after_the_last_lesson_what_is_open_in_an_earlier_one_comes(with_more, solution):
    write(with_more, "def half(x):\n    return x / 2\n", "lesson_02_after.py")
    assert (
        check("half").text.splitlines()[-1]
        == "all that is required here has passed · after this notebook: lesson 01 Tiny, 01_tiny.ipynb"
    )
    write(with_more, solution.replace("return np.ones((n, 2))", "raise NotImplementedError"))
    check("double", "grid", "total")
    assert check("half").text.splitlines()[-1].startswith("next: write grid in exercises/lesson_01_tiny.py:")
    write(with_more, solution)
    check("double", "grid", "total")
    assert check("half").text.splitlines()[-1] == "all done"


def test_what_passed_is_not_asked_for_again_because_its_file_has_changed(with_more, solution):
    total, half = "return sum(self.things)", "def half(x):\n    return x / 2\n"
    write(with_more, solution.replace(total, "raise NotImplementedError"))
    check("double")
    check("grid")
    write(with_more, solution)  # the file is another one now; nobody has judged double in it
    assert (
        check("total").text.splitlines()[-1]
        == "all that is required here has passed · after this notebook: lesson 02 After, 02_after.ipynb"
    )
    write(with_more, half, "lesson_02_after.py")
    assert check("half").text.splitlines()[-1].startswith("next: double in exercises/lesson_01_tiny.py:")
    assert check("01").text.splitlines()[-1] == "all done"


def test_what_passed_and_was_put_back_is_asked_for_again(with_more, solution):
    write(with_more, solution)
    check("double", "grid", "total")
    write(with_more, solution.replace("return sum(self.things)", "raise NotImplementedError"))
    assert check("double").text.splitlines()[-1].startswith("next: Box.total in exercises/lesson_01_tiny.py:")


def test_what_is_not_required_is_named_last(with_more, solution):
    write(with_more, solution.replace("return np.ones((n, 2))", "raise NotImplementedError"))
    write(with_more, "def half(x):\n    return x / 2\n", "lesson_02_after.py")
    assert status().text.splitlines()[-1].startswith("next: write grid in exercises/lesson_01_tiny.py:")
    assert check("half").text.splitlines()[-1].startswith("next: write grid in exercises/lesson_01_tiny.py:")
    assert check("double").text.splitlines()[-1].startswith("next: write grid in")
    write(with_more, solution)
    assert status().text.splitlines()[0] == "your progress: 3 of 3 passed, 1 more passed · 5 of 5 points"


def test_an_exercise_that_is_not_required_counts_where_it_is_asked_for_alone(with_more):
    assert summary(check_all(with_more, "grid"), "en", {"grid"}) == "0 of 1 passed"


def check_all(folder, *names):
    course = manifest.load()
    return list(Session(course, folder).check(course.select(names)))


def test_a_lesson_that_is_none_is_refused_in_one_sentence(here):
    with pytest.raises(CourseError, match="there is no lesson '77'; the lessons are: 01, 02"):
        status("77")
