"""course.toml: every key may be left out, and a wrong one is told by name with what is allowed."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from grading_class import write_own

from minitorch.course import manifest
from minitorch.course.course_error import CourseError
from minitorch.course.grading.courses import chosen, course_with
from minitorch.course.grading.settings import Settings, parsed, read

HERE = Path("course.toml")
WHOLE = """
title = "Networks, spring"
language = "es"
timezone = "Europe/Madrid"
lessons = ["01-03", "C1"]
more = "count"
[points]
add = 2.5
[weights]
"01" = 2
[due]
"01" = 2026-10-01
"02" = 2026-10-08T20:00:00
"03" = 2026-10-15T20:00:00Z
[late]
free_days = 3
penalty = 20
most_days = 5
[extra_days]
ana = 2
[drop]
lowest = 1
keep = ["c1"]
"""


def test_every_key_may_be_left_out():
    assert parsed("", HERE) == Settings()
    lessons = Settings().graded_lessons()
    assert [lesson.number for lesson in lessons] == [lesson.number for lesson in Settings().course.lessons]


def test_what_is_said_counts():
    made = parsed(WHOLE, HERE)
    assert (made.title, made.language, made.more, made.drop, made.keep) == (
        "Networks, spring",
        "es",
        "count",
        1,
        frozenset({"C1"}),
    )
    assert made.lessons == ("01", "02", "03", "C1")
    assert made.points == {"add": 2.5}
    assert (made.late.free_days, made.late.penalty, made.late.most_days) == (3, 20.0, 5)
    assert made.extra_days == {"ana": 2}
    assert made.due["01"].astimezone(UTC) == datetime(2026, 10, 1, 21, 59, 59, tzinfo=UTC)  # the day's end in Madrid
    assert made.due["02"].astimezone(UTC) == datetime(2026, 10, 8, 18, tzinfo=UTC)
    assert made.due["03"] == datetime(2026, 10, 15, 20, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("titel = 'x'", "there is no key titel; near it are: title"),
        ("[points]\nad = 1", "there is no key points.ad; near it are: add"),
        ("[weights]\n'99' = 1", "there is no key weights.99; near it are:"),
        ("[points]\nadd = -1", "points.add must be a number from 0 to 1,000,000"),
        ("[points]\nadd = nan", "points.add must be a number"),
        ("[points]\nadd = true", "points.add must be a number"),
        ("points = 3", "points must be a section of its own"),
        ("language = 'fr'", 'language must be one of "en", "es"'),
        ("lessons = '01'", "lessons must be a list of texts"),
        ("lessons = ['99']", "lessons must be"),
        ("more = 3", 'more must be one of "bonus", "count", "ignore"'),
        ("timezone = 'Mars/Base'", "timezone must be a time zone"),
        ("timezone = '../../etc/passwd'", "timezone must be a time zone"),
        ("[due]\n'01' = 'tomorrow'", "due.01 must be a date"),
        ("[due]\n'01' = '2026-10-01'", "2026-10-01T20:00:00, without quotation marks"),
        ("[late]\npenalty = 120", "late.penalty must be a number from 0 to 100"),
        ("[late]\nfree_days = 1.5", "late.free_days must be a whole number"),
        ("[drop]\nkeep = ['zz']", "drop.keep must be"),
        ("own_lessons = 'nowhere'", "own_lessons must be a folder beside this file"),
        ("a = = 1", "is not written as TOML"),
    ],
)
def test_a_wrong_key_is_named_with_what_is_allowed(text, said):
    with pytest.raises(CourseError) as caught:
        parsed(text, HERE)
    assert said in str(caught.value)
    assert str(caught.value).startswith("course.toml")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("date", ["tomorrow", "01.10.2026", "2026-10-1", "2026-02-30", "10 Oct 2026", "2026/10/01", ""])
@pytest.mark.parametrize("end", ["", "\n", "\n[late]\nfree_days = 3\n"])
def test_of_a_date_that_is_none_it_is_said_what_one_looks_like(date, end, monkeypatch):
    text = f'title = "Autumn"\n\n[ due ]  # days\n"01" = {date}{end}'
    with pytest.raises(CourseError) as caught:
        parsed(text, HERE)
    assert str(caught.value).startswith("course.toml, line 4: a line of [due] is a lesson and a date, such as")
    assert '"02" = 2026-10-01, or a time, such as "02" = 2026-10-01T20:00:00 (' in str(caught.value)
    monkeypatch.setenv("MINITORCH_LANG", "es")
    with pytest.raises(CourseError, match=r"^course.toml, línea 4: una línea de \[due\] es una lección y una fecha"):
        parsed(text, HERE)


@pytest.mark.parametrize(
    "text",
    ["[due]\n'01' = 2026-10-01\n[late\n", "[due\n", "[due]\n[due]\n", "[late]\npenalty = ten\n[due]\n", "title = ["],
)
def test_of_another_line_nothing_is_said_of_dates(text):
    with pytest.raises(CourseError, match="is not written as TOML"):
        parsed(text, HERE)


def test_lessons_of_an_instructors_own_are_graded_beside_the_others(tmp_path):
    write_own(tmp_path / "mine")
    path = tmp_path / "course.toml"
    path.write_text('own_lessons = "mine"\nlessons = ["01", "T1"]\n[points]\ntwice_of = 4\n')
    made = read(path)
    assert [lesson.number for lesson in made.graded_lessons()] == ["01", "T1"]
    assert made.points == {"twice_of": 4.0}


def test_an_own_lesson_whose_name_is_taken_is_refused(tmp_path):
    root = write_own(tmp_path)
    toml = root / "lessons" / "lesson_T1_twice" / "lesson.toml"
    toml.write_text(toml.read_text().replace('name = "half_of"', 'name = "add"'))
    with pytest.raises(CourseError, match="the name add is taken"):
        course_with(root)
    with pytest.raises(CourseError, match="holds no lessons"):
        course_with(tmp_path / "lessons")


def test_an_own_lesson_builds_on_lessons_of_the_course_and_on_no_others(tmp_path):
    root = write_own(tmp_path)
    assert course_with(root).lesson("T1").prerequisites == ("02",)
    toml = root / "lessons" / "lesson_T1_twice" / "lesson.toml"
    toml.write_text(toml.read_text().replace('["02"]', '["02", "99"]'))
    course_with.cache_clear()
    manifest._load.cache_clear()
    with pytest.raises(CourseError, match="lesson T1 builds on lesson 99, which does not come before it"):
        course_with(root)


def test_stretches_of_lessons():
    course = course_with(None)
    assert [each.number for each in chosen(course, ["01-03,6"])] == ["01", "02", "03", "06"]
    with pytest.raises(CourseError, match="ends before it begins"):
        chosen(course, ["03-01"])


def test_a_missing_file_is_one_sentence(tmp_path):
    with pytest.raises(CourseError, match=r"nothing\.toml"):
        read(tmp_path / "nothing.toml")


def test_a_file_in_another_encoding_is_named(tmp_path):
    path = tmp_path / "course.toml"
    path.write_bytes('title = "Otoño"'.encode("latin-1"))
    with pytest.raises(CourseError, match=r"course\.toml is not UTF-8 text: save it with the encoding UTF-8"):
        read(path)
