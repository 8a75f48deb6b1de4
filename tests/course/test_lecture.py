"""`minitorch lecture 02`: a lesson as slides."""

import re

import pytest
from click.testing import CliRunner

from minitorch.course import manifest
from minitorch.course.activities.lecture import lecture_of
from minitorch.course.activities.rerun import rerun
from minitorch.course.cli import cli
from minitorch.viz.views.step import Stepper


@pytest.fixture
def here(tmp_path, monkeypatch):
    """Stand in an empty folder, which is no course folder."""
    monkeypatch.delenv("MINITORCH_COURSE", raising=False)
    monkeypatch.setenv("MINITORCH_LANG", "en")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words, code):
    result = CliRunner().invoke(cli, words)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == code, result.output
    return result.output


@pytest.fixture(scope="module")
def backward():
    """The lecture of lesson 02, in English."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MINITORCH_LANG", "en")
        return lecture_of(manifest.load().lesson("02"), "en")


def test_a_lecture_is_written_beside_where_one_stands(here):
    said = run("lecture", "02", code=0)
    assert re.fullmatch(
        r"lecture_02_backward\.html: \d+ slides, \d+ steps\. Open it in a browser: f is full screen, \? shows .*\n",
        said,
    )
    page = (here / "lecture_02_backward.html").read_text(encoding="utf-8")
    assert "<title>Backward</title>" in page
    assert "src=" not in re.sub(r"atob\('[^']*'\)", "", page), "something would be loaded"
    assert sorted(path.name for path in here.iterdir()) == ["lecture_02_backward.html"]


def test_what_is_there_is_left_as_it_is(here):
    (here / "mine.html").write_text("changed by hand", encoding="utf-8")
    assert "mine.html is there already and is left as it is" in run("lecture", "02", "mine.html", code=2)
    assert (here / "mine.html").read_text(encoding="utf-8") == "changed by hand"


def test_a_slip_is_answered_in_a_sentence(here):
    assert "there is no lesson '0Z'" in run("lecture", "0Z", code=2)
    assert "a lecture is written as .html or .pdf" in run("lecture", "02", "a.docx", code=2)
    assert not list(here.iterdir())


def test_pages_for_other_programs(here):
    run("lecture", "02", "slides", code=0)
    assert (here / "slides" / "01.svg").is_file()
    run("lecture", "02", "slides.pdf", code=0)
    assert (here / "slides.pdf").read_bytes().startswith(b"%PDF")


def test_it_has_the_lessons_pictures_and_questions_in_order(backward):
    made, failed = backward
    assert failed == []
    kinds = [type(each.picture).__name__ for each in made.slides if each.picture is not None]
    assert kinds[:4] == ["GraphPicture", "Stepper", "GraphPicture", "FanOut"]
    asked = [each.question for each in made.slides if each.choices]
    assert asked[:2] == ["What is x.grad after root.backward()?", "Nobody has called backward yet. What is x.grad?"]
    quiz = next(each for each in made.slides if each.choices)
    assert quiz.right == "11"
    assert quiz.answer.startswith("Right: 2")
    assert "✗ 3" in quiz.notes


def test_predictions_come_before_what_is_predicted(backward):
    stepper = next(each for each in backward[0].slides if isinstance(each.picture, Stepper))
    assert stepper.question.startswith("Predict how the last step is written")
    assert [stop.kind for stop in stepper.shown.stops][:2] == ["question", "picture"]


def test_every_picture_has_one_sentence_without_marks_of_markdown(backward):
    for each in backward[0].slides:
        assert each.sentence or each.question
        assert not re.search(r"\*\*|`|\]\(", each.sentence + each.question + each.notes)
        if each.picture is not None:
            assert "\n" not in each.sentence
            assert len(each.sentence) <= 130


@pytest.mark.parametrize("lesson", [each.number for each in manifest.load().lessons])
@pytest.mark.parametrize("lang", ["en", "es"])
def test_every_lesson_makes_one_in_both_languages(lesson, lang, monkeypatch):
    monkeypatch.setenv("MINITORCH_LANG", lang)
    made, failed = lecture_of(manifest.load().lesson(lesson), lang)
    assert failed == []
    assert len(made.slides) >= 2
    assert made.title == manifest.load().lesson(lesson).title.to(lang)


def test_the_same_lesson_is_the_same_bytes(backward):
    again, _ = lecture_of(manifest.load().lesson("02"), "en")
    assert again._page() == backward[0]._page()


def test_a_cell_that_raises_does_not_end_the_lecture():
    seen = rerun(["a = 1", "a / 0", "%magic", "print(a)", "check('02')"])
    assert [each.failed.partition(":")[0] for each in seen] == ["", "ZeroDivisionError", "SyntaxError", "", ""]
    assert seen[3].printed == "1"
