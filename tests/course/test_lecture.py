"""`minitorch lecture 02`: a lesson as slides."""

import re

import pytest
from click.testing import CliRunner

from minitorch.course import manifest
from minitorch.course.activities import lecture as lectures
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


@pytest.fixture
def unread(monkeypatch):
    """The notebook may not be run."""
    monkeypatch.setattr(lectures, "lecture_of", lambda *_: pytest.fail("the notebook was run"))


def test_where_nothing_can_be_written_is_said_before_the_notebook_is_run(here, unread):
    (here / "notes").write_text("", encoding="utf-8")
    said = " ".join(run("lecture", "02", "notes/a.html", code=2).split())
    assert "notes/a.html cannot be written" in said
    assert "notes is no folder that you may write into" in said


def test_a_notebook_that_is_not_there_says_what_to_do(here, monkeypatch, tmp_path):
    monkeypatch.setattr(lectures, "material", lambda: tmp_path / "nowhere")
    said = " ".join(run("lecture", "02", "a.html", code=2).split())
    assert re.search(r"nowhere/notebooks/02_\S+\.ipynb is missing from this installation: install", said)


@pytest.mark.parametrize("text", ["no JSON", "{}"])
def test_a_notebook_that_is_none_is_named(here, monkeypatch, tmp_path, text):
    name = manifest.load().lesson("02").notebook_name
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks" / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(lectures, "material", lambda: tmp_path)
    said = " ".join(run("lecture", "02", "a.html", code=2).split())
    assert f"notebooks/{name} is no notebook: its cells cannot be read" in said


def test_all_steps_are_asked_for_by_an_option(here, monkeypatch):
    given = []
    monkeypatch.setattr(lectures, "_slides", lambda *_: [lectures.slide("One")])
    monkeypatch.setattr(lectures, "lecture_of", lambda *how: given.append(lecture_of(*how)) or given[-1])
    run("lecture", "02", "a.html", "--all", code=0)
    run("lecture", "02", "b.html", code=0)
    assert [[each.whole for each in made.slides] for made, _ in given] == [[True, True], [False, False]]
    assert "--all" in run("lecture", "--help", code=0)


def told(*cells):
    """The slides of a notebook with these cells: Markdown, or code with what it prints."""
    kinds = [("markdown", each) if isinstance(each, str) else ("code", each[0]) for each in cells]
    seen = [lectures.Seen() if isinstance(each, str) else lectures.Seen(printed=each[1]) for each in cells]
    return list(lectures._slides(kinds, seen, {}, "en", True))


def test_what_leads_to_code_is_no_part_of_the_question():
    (slide,) = told("**Predict** what is printed. In PyTorch it is spelled like this:", ("print(1)", "1"))
    assert slide.question == "Predict what is printed."


def test_what_one_section_asks_is_not_answered_by_the_next():
    assert told("## A\n\n**Play.** Change it, predict, run.", "## B\n\nSomething else.", ("print(1)", "1")) == []


def test_a_question_that_does_not_say_of_what_shows_the_code():
    (slide,) = told("**Predict**, then run.", ("print(1 + 1)", "2"))
    assert (slide.code, slide.answer) == ("print(1 + 1)", "2")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("`x ** n` gives $n \\, x^{n-1}$.", "x ** n gives n x^(n-1)."),
        ("**Always** `a * b` and *b*", "Always a * b and b"),
        (r"$2 \cdot 5^2 \le 10^{-3}$", "2 · 5² ≤ 10⁻³"),
        ("a [link](there.md) to `[0](1)`", "a link to [0](1)"),
    ],
)
def test_a_sentence_keeps_its_code_and_says_its_formulas(written, meant):
    assert lectures._plain(written) == meant


def test_pages_for_other_programs(here):
    (here / "slides").mkdir()
    assert re.fullmatch(r"slides: \d+ slides on \d+ pages\n", run("lecture", "02", "slides", code=0))
    assert (here / "slides" / "01.svg").is_file()
    run("lecture", "02", "slides.pdf", code=0)
    assert (here / "slides.pdf").read_bytes().startswith(b"%PDF")


def test_it_has_the_lessons_pictures_and_questions_in_order(backward):
    made, failed = backward
    assert failed == []
    kinds = [type(each.picture).__name__ for each in made.slides if each.picture is not None]
    assert kinds[:5] == ["GraphPicture", "GraphPicture", "Prediction", "GraphPicture", "FanOut"]
    asked = [each.question for each in made.slides if each.choices]
    assert asked[:2] == ["What is x.grad after root.backward()?", "Nobody has called backward yet. What is x.grad?"]
    quiz = next(each for each in made.slides if each.choices)
    assert quiz.right == "11"
    assert quiz.answer.startswith("Right: 2")
    assert "✗ 3" in quiz.notes


def test_predictions_come_before_what_is_predicted(backward):
    stepper = next(each for each in backward[0].slides if isinstance(each.picture, Stepper))
    assert stepper.question.startswith("Predict each number before it is shown")
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


def test_a_notebook_in_the_learners_language_is_the_one_that_is_used(monkeypatch):
    monkeypatch.setenv("MINITORCH_LANG", "es")
    made, _ = lecture_of(manifest.load().lesson("00"), "es")
    asked = next(each for each in made.slides if each.question)
    assert asked.question.startswith("Primero predice")
    assert "Haz clic en una celda gris" in " ".join(each.notes for each in made.slides)


def test_where_there_is_none_in_it_nothing_is_said_in_another_one(monkeypatch):
    monkeypatch.setenv("MINITORCH_LANG", "es")
    made, _ = lecture_of(manifest.load().lesson("03"), "es")
    said = " ".join(f"{each.sentence} {each.notes} {each.question}" for each in made.slides)
    assert not re.search(r"\b(the|and|which|what|before)\b", said, re.IGNORECASE)


def test_the_same_lesson_is_the_same_bytes(backward):
    again, _ = lecture_of(manifest.load().lesson("02"), "en")
    assert again._page() == backward[0]._page()


def test_a_cell_that_raises_does_not_end_the_lecture():
    seen = rerun(["a = 1", "a / 0", "%magic", "print(a)", "check('02')"])
    assert [each.failed.partition(":")[0] for each in seen] == ["", "ZeroDivisionError", "SyntaxError", "", ""]
    assert seen[3].printed == "1"
