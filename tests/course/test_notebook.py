"""`check`, `hint`, `quiz` and `status` in a notebook: the same words as on the command line, on cards."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from minitorch.course import check, hint, manifest, quiz, status
from minitorch.course.course_error import CourseError


@pytest.fixture
def here(tiny, course_folder, monkeypatch):
    """Stand where a kernel stands: in the folder of the notebooks."""
    monkeypatch.setattr(manifest, "load", lambda *_: tiny)
    monkeypatch.delenv("MINITORCH_COURSE", raising=False)
    monkeypatch.setenv("MINITORCH_LANG", "en")
    (course_folder / "work").mkdir()
    monkeypatch.chdir(course_folder / "work")
    return course_folder


def write(folder: Path, source: str) -> None:
    (folder / "exercises" / "lesson_01_tiny.py").write_text(source, encoding="utf-8")


def test_check_judges_the_file_on_disk(here, solution):
    assert repr(check("double")) == "○ double: not started"
    write(here, solution.replace("return 2 * x", "return x * x"))
    assert repr(check("double")).startswith("✗ double: wrong. You squared x.")
    write(here, solution)
    assert repr(check("double")).splitlines()[0] == "✓ double: passed"
    assert repr(check("01")) == "✓ double: passed\n✓ grid: passed\n✓ total: passed\n3 of 3 passed\nall done"
    assert repr(check()) == repr(check("01"))


def test_a_card_holds_nothing_that_changes(here, solution):
    write(here, solution.replace("return 2 * x", "import time; time.sleep(9)"))
    bundles = [check("double")._repr_mimebundle_(include=None, exclude=None) for _ in range(2)]
    assert bundles[0] == bundles[1]
    assert str(here) not in bundles[0]["text/html"] + bundles[0]["text/plain"]


def test_an_unknown_name_shows_a_sentence_and_no_traceback(here):
    with pytest.raises(CourseError) as caught:
        check("duble")
    assert caught.value._render_traceback_() == [
        "CourseError: there is no exercise or lesson 'duble'; did you mean double?"
    ]


def test_hint_and_status(here, solution):
    first = hint("double").text
    assert "hint 1 of 4" in first
    assert 'more: hint("double")' in first
    assert "hint 2 of 4" in hint("double").text
    assert "confirm=True" in hint("double", 4).text
    assert "return 2 * x" in hint("double", 4, confirm=True).html
    write(here, solution)
    assert status().text.splitlines()[-1] == "all done"
    assert "return 2 * x" in hint("double", 4).text
    assert "todo hecho" in status(lang="es").html


def test_a_quiz_asks_and_gives_the_reason(here):
    asked = quiz("twice")
    bundle = asked.card()._repr_mimebundle_()
    assert bundle["text/plain"].splitlines() == [
        "? What is twice <3>?",
        "    a) 9",
        "    b) 6",
        '    to answer, put your letter in: quiz("twice").answer("?")',
    ]
    assert "<3>" not in bundle["text/html"]
    assert repr(asked.answer("a")).splitlines() == [
        "? What is twice <3>?",
        "  ✗ a) 9",
        "    b) 6",
        "✗ not this one",
        "    That is 3 squared.",
        'another try: quiz("twice").answer("?")',
    ]
    right = asked.answer(" B ")
    assert repr(right).splitlines() == ["? What is twice <3>?", "    a) 9", "  ✓ b) 6", "✓ right", "    3 + 3."]
    assert "What is twice &lt;3&gt;?" in right.html
    assert "<strong>✓ b) 6</strong>" in right.html
    with pytest.raises(CourseError, match="has the options a, b; 'z' is none of them"):
        asked.answer("z")
    with pytest.raises(CourseError, match="there is no question 'twise'; there is twice"):
        quiz("twise")


def test_a_quiz_that_is_pressed_keeps_its_question_and_takes_another_try(here, published):
    asked = quiz("twice")
    asked._ipython_display_()
    (still, place, _), (live, _, _) = published
    assert "What is twice" in still["text/plain"]
    assert live["text/plain"] == "run this cell to answer with a click"
    replies = asked._view.widget.replies
    assert [name for name, _ in replies["a"]] == [name for name, _ in asked._view.widget.parts]
    assert dict(replies["a"])["question"] == dict(asked._view.widget.parts)["question"]
    assert "That is 3 squared." in dict(replies["a"])["said"]
    assert "choose another answer" in dict(replies["a"])["said"]
    assert "choose another answer" not in dict(replies["b"])["said"]
    assert 'data-say="b" aria-pressed="true">✓ b) 6</button>' in dict(replies["b"])["options"]
    for letter in "ab":
        asked._view.widget._handle_custom_msg({"say": letter}, [])
        data, transient, update = published[-1]
        assert (update, transient["display_id"]) == (True, place["display_id"])
        assert data["text/plain"] == repr(asked.answer(letter))  # the saved notebook has the answer, too


def test_without_anywidget_a_quiz_is_its_card(here, published, monkeypatch):
    monkeypatch.setitem(sys.modules, "anywidget", None)
    quiz("twice")._ipython_display_()
    ((data, _, _),) = published
    assert data["text/plain"] == repr(quiz("twice"))


def test_a_verdict_on_a_card_links_to_its_line_and_shows_no_backtick(here, solution):
    write(here, solution.replace("return 2 * x", "return x.nothing"))
    shown = check("double")
    line = solution.splitlines().index("    return 2 * x") + 1
    assert f'<a href="../exercises/lesson_01_tiny.py#line={line - 1}" ' in shown.html
    assert f">line {line} of lesson_01_tiny.py</a>: return x.nothing" in shown.html
    assert "<code>double</code> raised AttributeError" in shown.html
    assert "'double' raised AttributeError" in shown.text
    assert "`" not in shown.html + shown.text


def test_after_the_last_exercise_of_a_lesson_comes_the_next_lesson(here, solution):
    write(here, solution)
    assert "next: Box.total in exercises/lesson_01_tiny.py:" in check("double", "grid").text
    assert check("total").text.splitlines()[1] == "all done"
    write(here, solution.replace("return 2 * x", "return x * x"))
    assert check("total").text.splitlines()[1].startswith("next: double in exercises/lesson_01_tiny.py:6")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [("correct = true", "correct = false", "exactly one right option"), ("correct = false", "", "KeyError")],
)
def test_a_faulty_quiz_is_refused(make_course, tiny, monkeypatch, old, new, said):
    text = (tiny.lessons[0].folder / "quiz.toml").read_text(encoding="utf-8")
    course = make_course(quiz=text.replace(old, new))
    monkeypatch.setattr(manifest, "load", lambda *_: course)
    with pytest.raises(CourseError, match=said):
        quiz("twice")


def test_the_course_is_not_imported_with_the_engine():
    code = "import sys, minitorch; print([name for name in sys.modules if name.startswith('minitorch.course')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=Path.cwd())
    assert done.stdout.strip() == "[]"


def test_a_name_that_the_package_does_not_have():
    import minitorch.course

    with pytest.raises(AttributeError, match="no attribute 'chekc'"):
        minitorch.course.chekc  # noqa: B018


def test_no_module_hides_a_name_that_notebooks_use():
    import minitorch.course

    modules = {path.stem for path in Path(minitorch.course.__file__).parent.iterdir()}
    assert modules.isdisjoint(minitorch.course.__all__)
