"""`minitorch grade report` and `minitorch grade doctor`: what is written and said, and what is left alone."""

from __future__ import annotations

import html
import re
import sqlite3
import sys

import pytest
from click.testing import CliRunner
from grading_class import NAME as LESSON_FILE
from grading_class import SOLUTION, SQUARED, Here, hand_in, pretend, write_own
from pseudo_language import NAME, english_in, is_whole, lay_out

from minitorch.course.cli import cli
from minitorch.course.grading import commands, corpus
from minitorch.course.sandbox import tiers


def grade(*words: str, lang="en"):
    return CliRunner().invoke(cli, ["grade", *words], env={"MINITORCH_LANG": lang, "COLUMNS": "200"})


RUN = ("run", "class", "--tier", "none", "--allow-root")


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A folder with a class that was graded by somebody who pretends to."""
    own = write_own(tmp_path / "mine")
    hand_in(tmp_path / "class", ana=SOLUTION, ben=SQUARED)
    (tmp_path / "course.toml").write_text('title = "Autumn"\nown_lessons = "mine"\nlessons = ["T1"]\n')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(commands, "crew_of", lambda *_: Here(lambda job: pretend(job, own)))
    assert grade(*RUN).exit_code == 0
    return tmp_path


def test_the_class_and_each_student_get_a_page(desk):
    done = grade("report")
    assert done.exit_code == 0, done.output
    assert "report/class.html: the class; 2 pages for students in report/students" in done.output
    page = (desk / "report" / "class.html").read_text("utf-8")
    assert "<h1>Autumn: what the class has understood</h1>" in page
    for name in ("001-ana.html", "002-ben.html"):
        assert f'href="students/{name}"' in page
        assert (desk / "report" / "students" / name).is_file()


def test_a_language_that_is_typed_counts_before_that_of_the_course_and_one_that_is_set_does_not(desk):
    with (desk / "course.toml").open("a") as file:
        file.write('language = "en"\n')
    spoken = {"MINITORCH_LANG": "es", "COLUMNS": "200"}
    assert CliRunner().invoke(cli, ["grade", "report"], env=spoken).exit_code == 0
    assert '<html lang="en">' in (desk / "report" / "class.html").read_text("utf-8")
    for words in (["--lang", "es", "grade", "report", "one"], ["grade", "report", "other", "--lang", "es"]):
        assert CliRunner().invoke(cli, words, env={"MINITORCH_LANG": "en", "COLUMNS": "200"}).exit_code == 0
    for folder in ("one", "other"):
        assert '<html lang="es">' in (desk / folder / "class.html").read_text("utf-8")
        assert '<html lang="es">' in (desk / folder / "students" / "001-ana.html").read_text("utf-8")


def test_the_points_are_those_of_course_toml(desk):
    """Ben's `half_of` is right, and a quarter of the lesson here; `twice_of` is wrong."""
    with (desk / "course.toml").open("a") as file:
        file.write('more = "count"\n[points]\ntwice_of = 3\nhalf_of = 1\n')
    assert grade("report").exit_code == 0
    page = (desk / "report" / "class.html").read_text("utf-8")
    assert "ben</a></th><td>0 / 1</td><td>25 %" in page


def test_a_hand_in_without_a_result_is_told_as_that(desk, monkeypatch):
    """As it is when a run was stopped: the store knows the hand-in, and nobody has judged it."""

    def fails(job):
        raise MemoryError("no room")

    monkeypatch.setattr(commands, "crew_of", lambda *_: Here(fails))
    hand_in(desk / "class", eva=SOLUTION + "# another one\n")
    assert grade(*RUN).exit_code == 1
    with sqlite3.connect(desk / "grades" / "grades.sqlite") as store:
        store.execute("DELETE FROM failures")
    assert grade("report").exit_code == 0
    assert "Hand-ins without a result yet: 1." in (desk / "report" / "class.html").read_text("utf-8")
    page = (desk / "report" / "students" / "003-eva.html").read_text("utf-8")
    assert "Lesson T1 was handed in and has no result yet." in page


def test_what_could_not_be_read_stands_on_the_class_page_with_its_reason(desk):
    (desk / "class" / "eva").mkdir()
    (desk / "class" / "eva" / LESSON_FILE).write_bytes("x = 'ñ'".encode("latin-1"))
    assert f"eva: eva/{LESSON_FILE}, line 1, is not UTF-8 text" in grade(*RUN).output
    assert grade("report").exit_code == 0
    page = (desk / "report" / "class.html").read_text("utf-8")
    notes = page.partition("<h2>What was not read</h2>")[2]
    assert f"eva</th><td></td><td>eva/{LESSON_FILE}, line 1, is not UTF-8 text" in notes
    helped = page.partition('id="help"')[2].partition("<h2")[0]
    assert f"T1: eva/{LESSON_FILE}, line 1, is not UTF-8 text" in helped


def test_the_pages_are_in_the_language_of_the_course(desk):
    with (desk / "course.toml").open("a") as file:
        file.write('language = "es"\n')
    assert grade("report").exit_code == 0
    assert "lo que la clase ha entendido" in (desk / "report" / "class.html").read_text("utf-8")


def test_a_page_of_somebody_who_left_goes_and_other_files_stay(desk):
    assert grade("report").exit_code == 0
    folder = desk / "report" / "students"
    (folder / "003-cleo.html").write_text((folder / "001-ana.html").read_text("utf-8"), encoding="utf-8")
    (folder / "notes.txt").write_text("mine")
    assert grade("report").exit_code == 0
    assert sorted(path.name for path in folder.iterdir()) == ["001-ana.html", "002-ben.html", "notes.txt"]


def test_what_is_no_report_is_not_written_over(desk):
    (desk / "report").mkdir()
    (desk / "report" / "class.html").write_text("my own page")
    done = grade("report")
    assert done.exit_code == 2
    assert "class.html" in done.output
    assert (desk / "report" / "class.html").read_text() == "my own page"


def test_without_results_it_says_how_to_get_some(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = grade("report")
    assert done.exit_code == 2
    assert "minitorch grade run" in done.output


ATTACK = corpus.File("an attack", "lies", "01", "add", b"")


def told(**more):
    return corpus.Trial(ATTACK, **({"paid": False, "seconds": 0.2, "left": ()} | more))


@pytest.fixture
def doctor(monkeypatch):
    """A doctor who tries nothing for real."""

    def examined(trial, *words, **faults):
        known = {"fork": None, "landlock": None, "bwrap": "there is no program bwrap here", "none": None}
        monkeypatch.setattr(tiers, "faults", lambda: known | faults)
        monkeypatch.setattr(corpus, "files", lambda: iter([ATTACK]))
        monkeypatch.setattr(corpus, "trial", lambda _sandbox, _file: trial)
        return grade("doctor", *words)

    return examined


def test_a_machine_that_holds_is_told_so(doctor):
    done = doctor(told())
    assert done.exit_code == 0, done.output
    assert "✓ fork: stops what it must" in done.output
    assert "✗ bwrap: not to be relied on here: there is no program bwrap here" in done.output
    assert "1 files, none paid" in done.output


@pytest.mark.parametrize(
    ("trial", "said"),
    [
        (told(paid=True), "an attack (lesson 01) was paid"),
        (told(seconds=61.0), "an attack (lesson 01): 61.0 s"),
        (told(left=("process 7",)), "process 7"),
    ],
)
def test_what_does_not_hold_is_named_and_the_exit_status_says_so(doctor, trial, said):
    done = doctor(trial)
    assert done.exit_code == 1
    assert said in done.output
    assert "1 of 1 files gained something" in done.output


def test_the_best_tier_that_holds_is_taken(doctor):
    assert "landlock: putting the corpus through it" in doctor(told(), fork="no Landlock").output
    assert doctor(told(), "--tier", "fork", fork="no Landlock").exit_code == 1


@pytest.mark.skipif(sys.platform != "linux", reason="the tiers are Linux's")
def test_quick_tries_the_tiers_of_this_machine():
    done = grade("doctor", "--quick", lang="es")
    assert "none: el código honrado trabaja" in done.output
    assert done.exit_code == 0, done.output


def test_in_a_third_language_no_english_is_left(desk, tmp_path_factory, monkeypatch):
    lessons = [file.read_text("utf-8") for file in (desk / "mine").rglob("*.toml")]
    own = [said for lesson in lessons for said in re.findall(r'en = "(.*?)"', lesson)]
    monkeypatch.setenv("MINITORCH_LANGUAGES", str(lay_out(tmp_path_factory.mktemp("languages"), *own)))
    settings = desk / "course.toml"
    settings.write_text(f'language = "{NAME}"\n{settings.read_text("utf-8")}', "utf-8")
    assert grade("report", lang=NAME).exit_code == 0
    for page in (desk / "report").rglob("*.html"):
        read = re.sub(r"<(style|script|pre|code).*?</\1>|<[^>]*>", " ", page.read_text("utf-8"), flags=re.DOTALL)
        words = html.unescape(read)
        assert is_whole(words), words
        assert english_in(words) - {"Autumn", "ana", "ben", "none", "twice", "half", "of"} == set(), words
