"""The pages of a class: what is counted, that code shows nobody, that nothing of a learner's is markup."""

from __future__ import annotations

import html
import html.parser
import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from minitorch.course import manifest
from minitorch.course.files.learner_file import LearnerFile
from minitorch.course.files.stubs import stub_source
from minitorch.course.grading import charts, judged
from minitorch.course.grading.anonymous import without_names
from minitorch.course.grading.class_page import FLAGS, ClassPage, class_page
from minitorch.course.grading.insight import insight
from minitorch.course.grading.store import Graded, Result
from minitorch.course.grading.student_page import file_name, student_page
from minitorch.course.grading.submissions import Note
from minitorch.course.judging.judge import FileJudge
from minitorch.course.judging.mistakes import full_source, of_exercise
from minitorch.course.judging.verdict import Kind
from minitorch.language import Message

COURSE = manifest.load()
LESSON = COURSE.lesson("08")
EVIL = "<script>alert(1)</script> & 'Ana' \u202egnp"
RIGHT = LESSON.solution_source()
ENDLESS = {"what": Message("the file itself"), "limit": "10"}


def graded(student, source, seconds=0.1):
    """A hand-in of lesson 08, judged here."""
    results = {}
    with FileJudge(LESSON, LearnerFile.of(source, LESSON.file_name)) as judge:
        for exercise in LESSON.exercises:
            results[exercise.name] = Result(exercise.name, "1", judge.verdict(exercise.name), seconds, (), "fork")
    time = datetime(2026, 10, 1, tzinfo=UTC)
    return Graded(student, "08", f"{student}/{LESSON.file_name}", time, "0", source, None, None, results)


@pytest.fixture(scope="module")
def forgetful():
    """The source of somebody who made a known mistake in `mul_vjp`, and signed it."""
    mistake = next(each for each in of_exercise(LESSON, COURSE.exercise("mul_vjp")) if each.id == "mul-not-summed-back")
    source = full_source(LESSON, mistake)
    return source.replace("def mul_vjp(", "# by Ana Gómez\ndef mul_vjp(", 1)


@pytest.fixture(scope="module")
def hand_ins(forgetful):
    return [graded("Ana", forgetful), graded("Ben", forgetful), graded("Cleo", RIGHT, 0.3)]


@pytest.fixture(scope="module")
def found(hand_ins):
    return insight(hand_ins, COURSE, ["08"], ["Ana", "Ben", "Cleo", "Dan"])


def about(**more):
    known = {"name": "Autumn", "date": "2026-11-22", "lessons": ("08",), "hand_ins": 3, "tiers": ("fork",)}
    return ClassPage(**(known | more))


class Tags(html.parser.HTMLParser):
    """The tags of a page, and whether each is closed."""

    def __init__(self, text):
        super().__init__()
        self.seen, self.open = [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.seen.append(tag)
        if tag not in {"meta", "br", "rect", "path"}:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.seen.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_a_misconception_is_counted_by_student_with_its_sentence_and_code(found):
    first = found.missed[0]
    assert (first.exercise.name, first.students, first.of) == ("mul_vjp", ("Ana", "Ben"), 3)
    assert "g * b" in first.examples[0]
    assert len(first.examples) == 1  # two students, one and the same code


def test_exercises_and_students_are_counted(found):
    answers = {each.exercise.name: each for each in found.answers}
    assert (answers["mul_vjp"].passed, answers["mul_vjp"].wrong, answers["mul_vjp"].count) == (1, 2, 3)
    assert answers["unbroadcast"].passed == 3
    assert found.hardest.exercise.name == "mul_vjp"
    required = len(LESSON.required)
    standings = {each.student: each for each in found.standings}
    assert standings["Cleo"].passed == required
    assert standings["Ana"].passed == required - 1
    assert standings["Dan"].missing == ("08",)
    assert [each.student for each in found.helped] == ["Dan"]
    assert sum(found.distribution) == 4
    assert found.distribution[-1] == 1
    assert found.distribution[0] == 1


def test_whoever_nothing_of_has_a_value_has_a_reason(hand_ins):
    """A file that Python cannot read, one that runs without end, one that is not begun, one that nobody could judge."""
    cut = graded("Ana", f"{RIGHT}print(")
    loading = {
        name: replace(
            each,
            verdict=replace(
                each.verdict, kind=Kind.TIMEOUT, reason=Message("{what} was still running after {limit} s", **ENDLESS)
            ),
        )
        for name, each in hand_ins[2].results.items()
    }
    endless = replace(hand_ins[2], student="Ben", results=loading)
    empty = graded("Cleo", stub_source(LESSON))
    failed = replace(hand_ins[0], student="Dan", failure="MemoryError", results={})
    unread = replace(failed, student="Eva", problem=Message.of({"en": "it is no text", "es": "no es texto"}))
    names = ["Ana", "Ben", "Cleo", "Dan", "Eva"]
    found = insight([cut, endless, empty, failed, unread], COURSE, ["08"], names)
    assert {each.missing for each in found.standings} == {()}
    page = class_page(found, about(), "en")
    for why in (
        "08: Python cannot read the file: '(' was never closed. The file ends before that is complete.",
        f"(line {len(RIGHT.splitlines()) + 1})",
        "08: the file itself was still running after 10 s",
        "08: nothing is begun",
        "08: could not be judged (MemoryError)",
        "08: it is no text",
    ):
        assert html.unescape(page).count(why) == 2, why  # who needs help, and everybody
    assert "08: nada empezado" in class_page(found, about(), "es")


def test_of_whom_one_answer_has_a_value_nothing_is_told_to_have_stopped(hand_ins):
    """Ana has one wrong answer. Where that one is stopped and the rest is right, the file runs."""
    wrong = hand_ins[0].results
    verdict = replace(wrong["mul_vjp"].verdict, kind=Kind.ERROR)
    other = replace(hand_ins[0], student="Ben", results=wrong | {"mul_vjp": replace(wrong["mul_vjp"], verdict=verdict)})
    only = replace(hand_ins[0], student="Cleo", results={"mul_vjp": wrong["mul_vjp"]})
    found = insight([hand_ins[0], other, only], COURSE, ["08"], ["Ana", "Ben", "Cleo"])
    assert [each.stopped for each in found.standings] == [()] * 3


def test_given_points_decide_who_needs_help(hand_ins):
    shares = {"Ana": 0.9, "Ben": 0.2, "Cleo": 0.4}
    found = insight(hand_ins, COURSE, ["08"], ["Ana", "Ben", "Cleo"], shares)
    assert [each.student for each in found.helped] == ["Ben", "Cleo"]


def test_the_slowest_is_the_one_whose_typical_answer_takes_longest(hand_ins):
    slow = dict(hand_ins[0].results)
    slow["div_vjp"] = Result("div_vjp", "1", slow["div_vjp"].verdict, 9.0)
    one = Graded("Ana", "08", "a", None, "0", "", None, None, slow)
    assert insight([one], COURSE, ["08"], ["Ana"]).slowest.exercise.name == "div_vjp"


def test_an_empty_class_has_a_page():
    empty = insight([], COURSE, ["08"], [])
    assert empty.distribution == (0,) * 10
    assert "No known mistake" in class_page(empty, about(hand_ins=0), "en")


@pytest.mark.parametrize("lang", ["en", "es"])
def test_pages_are_whole_without_scripts_or_requests_and_say_no_key(found, hand_ins, lang):
    own = {"08": hand_ins[0]}
    for text in (
        class_page(
            found, about(notes=(Note("Ana", "a.zip", Message.of({"en": "no zip", "es": "no es un zip"})),)), lang
        ),
        student_page(found.standings[0], own, COURSE, ["08"], lang),
    ):
        tags = Tags(text)
        assert tags.open == []
        assert not {"script", "link", "img", "iframe"} & set(tags.seen)
        assert not re.search(r"\b(src|href)=\"(?:\w+:|//)|@import|url\(", text)
        assert f'<html lang="{lang}">' in text
        assert not re.search(r"\{\w+\}|class_\w+|student_\w+", text.partition("</style>")[2])


def test_what_a_learner_wrote_is_never_markup(hand_ins):
    bad = Graded(EVIL, "08", EVIL, None, "0", hand_ins[0].source, None, None, hand_ins[0].results)
    found = insight([bad], COURSE, ["08"], [EVIL], alike={EVIL: (EVIL,)})
    for text in (
        class_page(
            found,
            about(name=EVIL, notes=(Note(EVIL, EVIL, Message.of(EVIL)),), links={EVIL: '"><b>'}),
            "en",
        ),
        student_page(found.standings[0], {"08": bad}, COURSE, ["08"], "en"),
    ):
        assert "<script" not in text
        assert "<b>" not in text
        assert "\u202e" not in text
        assert Tags(text).open == []


def test_the_tier_none_is_told_on_the_page(found):
    assert "believe these results" in class_page(found, about(tiers=("fork", "none")), "en")
    assert "believe these results" not in class_page(found, about(), "en")


def test_a_student_reads_what_is_wrong_and_the_next_step(found, hand_ins):
    text = student_page(found.standings[0], {"08": hand_ins[0]}, COURSE, ["08"], "en")
    step = text.partition('<section class="next">')[2].partition("</section>")[0]
    assert "mul_vjp" in step
    assert hand_ins[0].results["mul_vjp"].verdict.hint.to("en")[:20] in step
    done = next(each for each in found.standings if each.student == "Cleo")
    assert "All required exercises have passed" in student_page(done, {"08": hand_ins[2]}, COURSE, ["08"], "en")


def test_what_was_wanted_is_told_in_the_students_language(found, hand_ins):
    wanted, own = Message.of({"en": "or another order", "es": "u otro orden"}), dict(hand_ins[0].results)
    verdict = replace(own["mul_vjp"].verdict, expected=wanted, got="[1, 2]")
    own["mul_vjp"] = replace(own["mul_vjp"], verdict=verdict)
    page = student_page(found.standings[0], {"08": replace(hand_ins[0], results=own)}, COURSE, ["08"], "es")
    assert "u otro orden" in page
    assert "or another order" not in page
    assert "[1, 2]" in page


def test_a_lesson_that_is_missing_unread_or_not_judged_is_told(found):
    dan = next(each for each in found.standings if each.student == "Dan")
    assert "was not handed in" in student_page(dan, {}, COURSE, ["08"], "en")
    unread = Graded("Dan", "08", "d", None, "0", "", Message.of({"en": "it is no text", "es": "no es texto"}), None, {})
    assert "it is no text" in student_page(dan, {"08": unread}, COURSE, ["08"], "en")
    failed = Graded("Dan", "08", "d", None, "0", "", None, "the worker died twice", {})
    assert "the worker died twice" in student_page(dan, {"08": failed}, COURSE, ["08"], "en")


@pytest.mark.parametrize(
    ("student", "name"),
    [
        ("Ana Núñez / 7", "003-ana-nunez-7.html"),
        ("../../etc/passwd", "003-etc-passwd.html"),
        ("王伟", "003.html"),
        ("CON", "003-con.html"),
        ("a" * 300, "003-" + "a" * 60 + ".html"),
    ],
)
def test_pages_have_names_that_every_system_takes(student, name):
    assert file_name(student, 3) == name


# ------------------------------------------------------------------------------------------------ code of nobody's


def test_comments_texts_and_names_are_gone_and_what_is_done_stays():
    code = '''
def unbroadcast(mi_gradiente, forma):
    """Trabajo de Ana."""
    aviso = f"hola {forma}"  # ana@example
    def ayuda(secreto: "Ana") -> "Ana":
        return secreto.shape
    for eje, largo in enumerate(forma):
        mi_gradiente = mi_gradiente.sum(axis=eje, keepdims=True)
    return mi_gradiente
'''
    shown = without_names(code, "unbroadcast")
    assert shown.startswith("def unbroadcast(")
    assert not re.search(r"(?i)ana|gradiente|forma|aviso|hola|ayuda|secreto|eje|largo", shown)
    assert ".sum(axis=" in shown
    assert "enumerate(" in shown
    assert ".shape" in shown


def test_what_is_renamed_does_the_same():
    code = "def f(first, second):\n    total = 0\n    for each in first:\n        total += each * second\n"
    code += "    return total\n"
    spaces = [{}, {}]
    exec(code, spaces[0])
    exec(without_names(code, "f"), spaces[1])
    assert spaces[0]["f"]([1, 2, 3], 4) == spaces[1]["f"]([1, 2, 3], 4) == 24


@pytest.mark.parametrize(
    "code",
    [
        "def f(:\n",
        "",
        "x = " + "(" * 300 + ")" * 300,
        "def f():\n    return " + "-" * 5000 + "1\n",
        "def f():\n\treturn 1\n  x\n",
    ],
)
def test_code_that_cannot_be_read_is_not_shown_or_shown_harmlessly(code):
    shown = without_names(code, "f")
    assert shown is None or shown == ""


def test_long_code_is_cut():
    shown = without_names("def f():\n" + "    pass\n" * 100, "f")
    assert len(shown.splitlines()) == 31
    assert shown.endswith("…")


# ------------------------------------------------------------------------------------------------------- charts


def test_bars_are_as_long_as_what_they_count():
    text = charts.stacked([("passed", 30), ("wrong", 10)], "words & more")
    widths = [float(each) for each in re.findall(r'<rect[^>]*width="([\d.]+)"', text)]
    assert widths == [360.0, 120.0]
    assert 'aria-label="words &amp; more"' in text
    heights = [float(each) for each in re.findall(r'height="([\d.]+)"', charts.distribution([1, 2, 4, 0], ""))]
    assert heights == [34.0, 68.0, 136.0, 0.0]


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "right on the published cases alone, wrong on the hidden ones; the same code as Ben, Cleo, Dan and 2"),
        ("es", "acierta solo los casos publicados y falla los ocultos; el mismo código que Ben, Cleo, Dan y 2"),
    ],
)
def test_what_a_human_should_look_at_is_told_in_words(hand_ins, lang, said):
    names = ("Ben", "Cleo", "Dan", "Eva", "Uli")
    results = {name: replace(each, flags=("hidden",)) for name, each in hand_ins[0].results.items()}
    found = insight([replace(hand_ins[0], results=results)], COURSE, ["08"], ["Ana"], alike={"Ana": names})
    assert said in class_page(found, about(), lang)


def test_every_flag_has_a_sentence():
    assert {*FLAGS, "same"} == set(judged.FLAGS)  # "same" is told with the names
