"""The check button: each press judges the files on disk; no press is lost, and nothing is judged twice."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest

from minitorch.course import check, check_button, hint, manifest, status
from minitorch.course.cards.check_button import CheckButton
from minitorch.course.course_error import CourseError
from minitorch.course.session import Session

PATIENCE = 600
PASSED = """✓ double: passed
next: grid in exercises/lesson_01_tiny.py:11, then check("grid")"""


@pytest.fixture
def here(tiny, course_folder, monkeypatch):
    """Stand where a kernel stands: in the folder of the notebooks."""
    monkeypatch.setattr(manifest, "load", lambda *_: tiny)
    monkeypatch.delenv("MINITORCH_COURSE", raising=False)
    monkeypatch.setenv("MINITORCH_LANG", "en")
    (course_folder / "work").mkdir()
    monkeypatch.chdir(course_folder / "work")
    return course_folder


def write(folder, source):
    (folder / "exercises" / "lesson_01_tiny.py").write_text(source, encoding="utf-8")


def pressed(button: CheckButton) -> str:
    button.press()
    button.wait(PATIENCE)
    return repr(button)


class Hold:
    """Holds every run until it is let go, and counts them."""

    def __init__(self) -> None:
        self.threads: list[int] = []
        self.begun, self.go = threading.Event(), threading.Event()

    def session(self, course, folder) -> Session:
        session = Session(course, folder)
        check = session.check

        def held(exercises):
            self.threads.append(threading.get_ident())
            self.begun.set()
            assert self.go.wait(PATIENCE)
            return check(exercises)

        session.check = held
        return session


@pytest.fixture
def hold(here, monkeypatch):
    """A button whose runs wait from its first press on."""
    hold = Hold()
    hold.button = check_button("double")
    monkeypatch.setattr("minitorch.course.cards.check_button.Session", hold.session)
    yield hold
    hold.go.set()


# ---------------------------------------------------------------------------------------------- presses


def test_it_begins_with_the_verdict_of_check(here, solution):
    assert repr(check_button("double")) == repr(check("double"))
    write(here, solution)
    assert check_button("double").card() == check("double")
    assert repr(check_button("01")) == repr(check("01")) == repr(check_button())


def test_each_press_judges_the_file_as_it_is_then(here, solution):
    button = check_button("double")
    assert repr(button) == "○ double: not started"
    write(here, solution.replace("return 2 * x", "return x * x"))
    assert pressed(button).startswith("✗ double: wrong. You squared x.")
    write(here, solution)
    assert pressed(button) == PASSED
    assert button.said == "checked again"
    assert status().text.splitlines()[1].startswith("  ✓ passed  double")


def test_a_file_that_was_not_saved_is_asked_about(here, solution):
    button = check_button("double")
    pressed(button)
    assert button.said == (
        "checked again: exercises/lesson_01_tiny.py has not changed since the last check. Is it saved (Ctrl+S)?"
    )
    write(here, solution)
    pressed(button)
    pressed(button)
    assert button.said == "checked again"  # what has passed needs no saving


def test_a_press_during_a_run_is_kept_and_judges_the_changed_file(here, solution, hold):
    hold.button.press()
    assert hold.begun.wait(PATIENCE)
    write(here, solution)
    for _ in range(5):
        hold.button.press()
    hold.go.set()
    hold.button.wait(PATIENCE)
    assert repr(hold.button) == PASSED
    assert len(hold.threads) == 2


def test_presses_during_a_run_on_an_unchanged_file_judge_it_once(hold):
    hold.button.press()
    assert hold.begun.wait(PATIENCE)
    for _ in range(5):
        hold.button.press()
    hold.go.set()
    hold.button.wait(PATIENCE)
    assert len(hold.threads) == 1


def test_a_press_does_not_wait_for_the_verdict(hold):
    hold.button.press()
    assert hold.begun.wait(PATIENCE)
    assert hold.button.said == "checking double …"
    with pytest.raises(TimeoutError, match="double was still being checked"):
        hold.button.wait(0.01)
    hold.go.set()
    hold.button.wait(PATIENCE)
    assert hold.threads != [threading.get_ident()]


def test_a_fault_of_the_course_is_told_and_the_next_press_works(here, solution, monkeypatch):
    button = check_button("double")

    def faulty(*_):
        raise CourseError("the material is <missing>")

    with monkeypatch.context() as patch:
        patch.setattr(Session, "check", faulty)
        assert pressed(button) == "the material is <missing>"
        assert "&lt;missing&gt;" in button.card().html
    write(here, solution)
    assert pressed(button) == PASSED


def test_a_file_that_was_deleted_is_an_error_with_the_way_back(here):
    button = check_button("double")
    (here / "exercises" / "lesson_01_tiny.py").unlink()
    assert "'minitorch reset 01' brings it back" in pressed(button)


def test_an_unknown_name_is_refused_before_there_is_a_button(here):
    with pytest.raises(CourseError, match="did you mean double"):
        check_button("duble")


# ---------------------------------------------------------------------------------------------- hints


def test_each_press_of_hint_shows_the_next_step_and_never_the_solution_unasked(here, solution):
    button = check_button("double")
    shown = []
    for _ in range(5):
        button.hint()
        shown.append(repr(button).splitlines()[1:])
    assert shown[0] == ["double: hint 1 of 4", "    What is x + x?", "more: press “hint” again"]
    assert shown[1] == ["double: hint 2 of 4", "    Multiply by 2.", "more: press “hint” again"]
    assert shown[2] == ["double: hint 3 of 4", "    return x times 2", "more: press “hint” again"]
    assert shown[3] == shown[4]
    assert 'hint("double", 4, confirm=True)' in shown[4][1]
    assert "return 2 * x" not in button.card().html
    assert "hints used: 1 question, 2 pointer, 3 pseudo-code" in status("01").text
    assert "solution" not in status("01").text


def test_hints_go_on_after_the_one_on_the_verdicts_card(here, solution):
    write(here, solution.replace("return 2 * x", "return x + 3"))  # no known mistake, no hint
    button = check_button("double")
    button.hint()
    assert "double: hint 1 of 4" in repr(button)
    write(here, solution.replace("return 2 * x", "return x * x"))  # its hint is the second
    assert "Multiply by 2." in pressed(button)
    button.hint()
    assert "double: hint 3 of 4" in repr(button)


def test_the_button_and_the_terminal_count_together(here):
    hint("double")
    button = check_button("double")
    button.hint()
    assert "double: hint 2 of 4" in repr(button)


def test_hints_advance_where_nothing_can_be_written(here):
    (here / ".minitorch").mkdir(exist_ok=True)
    (here / ".minitorch" / "hints").write_text("", encoding="utf-8")
    button = check_button("double")
    for number in (1, 2):
        button.hint()
        assert f"double: hint {number} of 4" in repr(button)


def test_a_hint_goes_when_its_exercise_has_passed(here, solution):
    button = check_button("double")
    button.hint()
    write(here, solution)
    assert pressed(button) == PASSED


def test_the_hint_of_a_whole_lesson_is_for_the_first_that_has_not_passed(here, solution):
    write(here, solution.replace("np.ones((n, 2))", "np.ones((2, n))"))
    button = check_button("01")
    button.hint()
    assert "grid: hint 1 of 2" in repr(button)


# ---------------------------------------------------------------------------------------------- on a page


def press(view, what):
    """Press a button of the widget, as the page does."""
    view.live.widget._handle_custom_msg({"say": what}, [])


def shown(view):
    """What the widget holds: name -> HTML."""
    return dict(view.live.widget.parts)


VIEW = "application/vnd.jupyter.widget-view+json"


def test_a_cell_gets_the_card_by_itself_and_the_widget_with_words_beside_it(here, published):
    check_button("double")._ipython_display_()
    (card, place, update), (widget, _, _) = published
    assert not update
    assert place["display_id"]
    assert card["text/plain"] == "○ double: not started"
    assert "○ double: not started" in card["text/html"]
    assert VIEW not in card
    assert set(widget) == {VIEW, "text/plain"}
    assert widget["text/plain"] == "run this cell to get the buttons “check double” and “hint”"


def test_without_the_widgets_view_two_runs_publish_the_same(here, published):
    for _ in range(2):
        check_button("double")._ipython_display_()
    kept = [{kind: data for kind, data in bundle.items() if kind != VIEW} for bundle, _, _ in published]
    assert kept[:2] == kept[2:]


def test_a_press_of_the_widget_changes_its_card_and_the_one_in_the_notebook(here, published, solution):
    button = check_button("double")
    button._ipython_display_()
    view = button._view
    write(here, solution)
    press(view, "check")
    button.wait(PATIENCE)
    assert "✓ double: passed" in shown(view)["card"]
    assert "checked again" in shown(view)["said"]
    data, place, update = published[-1]
    assert update
    assert place["display_id"] == published[0][1]["display_id"]
    assert data["text/plain"] == PASSED


def test_a_press_of_hint_shows_it_below_the_verdict(here, published):
    button = check_button("double")
    button._ipython_display_()
    press(button._view, "hint")
    assert "What is x + x?" in shown(button._view)["hint"]
    assert published[-1][0]["text/plain"].startswith("○ double: not started\ndouble: hint 1 of 4")


def test_the_buttons_say_what_they_are_for_in_both_languages(here, published):
    for lang, words in (("en", ["check double", "hint"]), ("es", ["comprobar double", "pista"])):
        button = check_button("double", lang=lang)
        button._ipython_display_()
        assert [button._view.check, button._view.hint] == words
        assert all(f">{word}</button>" in shown(button._view)["bar"] for word in words)


def test_the_hint_stands_between_the_buttons_and_the_card(here, published):
    button = check_button("double")
    button._ipython_display_()
    assert list(shown(button._view)) == ["bar", "said", "hint", "card"]


def test_without_anywidget_it_is_the_card_and_a_sentence_that_says_what_to_install(here, published, monkeypatch):
    monkeypatch.setitem(sys.modules, "anywidget", None)
    check_button("double")._ipython_display_()
    ((data, _, _),) = published
    assert data["text/plain"].splitlines()[0] == "○ double: not started"
    assert data["text/plain"].splitlines()[1].startswith("the check button needs anywidget, which is missing.")
    assert "pip install &quot;minitorch-course[viz]&quot;" in data["text/html"]


def test_the_course_is_used_without_widgets_being_loaded(here):
    heavy = ("anywidget", "ipywidgets", "IPython", "traitlets")
    code = f"import sys; import minitorch.course.notebook; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
