"""`review("08")`: four questions, two about misconceptions that this learner met, the others of earlier lessons."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from minitorch.course import check, manifest, quiz, review
from minitorch.course.activities.review import about_what_was_met, of_earlier_lessons
from minitorch.course.cards.questions import load_questions
from minitorch.course.course_error import CourseError
from minitorch.course.files.stubs import write_stubs
from minitorch.course.judging.met import Met
from minitorch.course.judging.mistakes import wrong_source

COURSE = manifest.load()


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """A learner's folder of untouched stubs."""
    monkeypatch.delenv("MINITORCH_COURSE", raising=False)
    monkeypatch.setenv("MINITORCH_LANG", "en")
    write_stubs(tmp_path / "exercises")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def tied() -> list[tuple[str, str, str]]:
    """Return (exercise, mistake, question) of lessons 01 and 02, wherever a question speaks of a known mistake."""
    from minitorch.course.judging.mistakes import load_mistakes

    return [
        (one.exercise, one.id, question.id)
        for lesson in COURSE.lessons[1:3]
        for one in load_mistakes(lesson)
        for question in load_questions(lesson)
        if any(option.mistake == one.id for option in question.options)
    ]


def asked(number: str) -> list[str]:
    return [quiz._question.id for quiz in review(number).quizzes]


def lessons_of(ids: list[str]) -> list[str]:
    home = {question.id: question.lesson for lesson in COURSE.lessons for question in load_questions(lesson)}
    return [home[id] for id in ids]


@pytest.mark.parametrize("lesson", COURSE.lessons[2:], ids=lambda lesson: lesson.number)
def test_without_a_history_there_are_four_questions_of_earlier_lessons(folder, lesson):
    before = {each.number for each in COURSE.lessons if each.order < lesson.order}
    ids = asked(lesson.number)
    assert len(set(ids)) == 4
    assert set(lessons_of(ids)) <= before
    assert len(set(lessons_of(ids))) == min(
        4, len([each for each in COURSE.lessons if each.number in before and load_questions(each)])
    )
    assert ids == asked(lesson.number)


def test_the_first_lesson_has_nothing_to_look_back_at(folder):
    assert repr(review("00")) == "nothing to look back at yet: this is where the course begins"


def test_a_named_mistake_is_kept_and_asked_about(folder):
    exercise, mistake, _ = tied()[0]
    lesson = COURSE.lesson_of(COURSE.exercise(exercise))
    (folder / "exercises" / lesson.file_name).write_text(wrong_source(exercise, mistake), encoding="utf-8")
    check(exercise)
    assert Met(folder).pairs() == ((exercise, mistake),)
    shutil.copy(lesson.solution, folder / "exercises" / lesson.file_name)
    check(exercise)
    assert Met(folder).pairs() == ((exercise, mistake),)  # a pass forgets nothing
    assert asked("08")[0] == about_what_was_met(COURSE, COURSE.lesson("08"), [(exercise, mistake)])[0].id
    assert repr(review("08")).startswith(
        "4 questions before you begin: 1 about what you met in your checks, 3 from before"
    )


def test_two_of_four_are_about_what_was_met_last(folder):
    rows = tied()
    for exercise, mistake, _ in rows:
        note(folder, exercise, mistake)
    own = about_what_was_met(COURSE, COURSE.lesson("08"), Met(folder).pairs())
    assert len(own) > 2
    assert asked("08")[:2] == [question.id for question in own[:2]]
    assert len(set(asked("08"))) == 4
    assert own[0].id in {question for exercise, mistake, question in rows if (exercise, mistake) == rows[-1][:2]}


def note(folder: Path, exercise: str, mistake: str) -> None:
    from minitorch.course.judging.verdict import Kind, Verdict
    from minitorch.language import Message

    empty = Message("")
    Met(folder).note(Verdict(exercise, COURSE.exercise(exercise).lesson, Kind.WRONG, empty, empty, diagnosis=mistake))


def test_no_question_of_the_lesson_itself_or_a_later_one_is_asked(folder):
    for lesson in COURSE.lessons[1:]:
        place = {each.number: each.order for each in COURSE.lessons}
        for question in of_earlier_lessons(COURSE, lesson):
            assert place[question.lesson] < lesson.order


@pytest.mark.parametrize(
    "spoilt", [b"", b"[]", b"\xff", b'{"format": 1}', b'{"format": 1, "met": 3}', b'{"format": 9}']
)
def test_a_spoilt_memory_counts_as_none_and_is_written_anew(folder, spoilt):
    (folder / ".minitorch").mkdir()
    (folder / ".minitorch" / "met.json").write_bytes(spoilt)
    assert Met(folder).pairs() == ()
    note(folder, "add", "some-id")
    assert Met(folder).pairs() == (("add", "some-id"),)


def test_a_mistake_that_is_none_any_more_asks_nothing(folder):
    note(folder, "add", "gone-since")
    assert about_what_was_met(COURSE, COURSE.lesson("08"), (*Met(folder).pairs(), ("gone", "gone"))) == []


def test_it_is_shown_as_a_heading_and_four_quizzes(folder, monkeypatch):
    shown: list[object] = []
    monkeypatch.setattr("IPython.display.display", lambda *things: shown.extend(things))
    review("08")._ipython_display_()
    assert len(shown) == 5
    assert "preguntas antes de empezar" in repr(review("08", lang="es"))


def test_without_a_lesson_it_is_the_one_that_the_learner_is_at(folder):
    shutil.copy(COURSE.lesson("00").solution, folder / "exercises" / COURSE.lesson("00").file_name)
    assert set(lessons_of([quiz._question.id for quiz in review().quizzes])) == {"00"}
    with pytest.raises(CourseError, match="no lesson '99'"):
        review("99")


def test_the_idea_behind_a_wrong_answer_is_asked_about_once_more(folder):
    question = next(each for each in load_questions(COURSE.lessons[1]) if any(one.mistake for one in each.options))
    letter, option = next((letter, each) for letter, each in question.lettered() if each.mistake)
    right = next(letter for letter, each in question.lettered() if each.correct)
    quiz(question.id).answer(right)
    assert Met(folder).pairs() == ()
    quiz(question.id).answer(letter)
    assert Met(folder).pairs() == ((question.id, option.mistake),)
    assert question in about_what_was_met(COURSE, COURSE.lessons[3], Met(folder).pairs())
    assert "1 about what you met" in repr(review(COURSE.lessons[3].number))


def test_a_question_may_be_asked_without_a_course_folder(folder, monkeypatch):
    (folder / "empty").mkdir()
    for each in (folder / "exercises").iterdir():
        each.unlink()
    (folder / "exercises").rmdir()
    monkeypatch.chdir(folder / "empty")
    question = load_questions(COURSE.lessons[1])[0]
    assert quiz(question.id).answer(question.lettered()[0][0]).text
