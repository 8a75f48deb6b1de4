"""A learner's first hour, as a browser sees it: JupyterLab from `minitorch lab`, lesson 01 from top to bottom."""

import json
import os
import re
import sys
import time
import urllib.parse
from collections.abc import Iterator
from pathlib import Path

import pytest
from jupyterlab_page import PATIENCE, OpenNotebook, jupyterlab
from publish import NOTEBOOK_METADATA

import minitorch
from minitorch.course import manifest
from minitorch.course.files.stubs import stub_source
from minitorch.course.judging.mistakes import wrong_source
from minitorch.course.setup.workspace import init_course, refresh_notebooks

pytestmark = [
    pytest.mark.browser,
    pytest.mark.timeout(1800),
    pytest.mark.skipif(os.name != "posix", reason="drives Debian's Chromium"),
]
PROGRAMS = ("minitorch", "pytest", "python")  # on the path of JupyterLab's terminal


@pytest.fixture(scope="module")
def course(tmp_path_factory) -> Path:
    course = tmp_path_factory.mktemp("learner") / "course"
    init_course(course)
    return course


@pytest.fixture(scope="module")
def server_says(course) -> Path:
    """What JupyterLab and its kernels write to stderr."""
    return course.parent / "stderr"


@pytest.fixture(scope="module")
def address(course, server_says) -> Iterator[str]:
    """Start JupyterLab as a learner does; yield the address it prints."""
    pytest.importorskip("jupyterlab")
    with jupyterlab(course, server_says) as address:
        yield address


@pytest.fixture(scope="module")
def requests() -> set[str]:
    """The hosts that the page has asked for anything."""
    return set()


@pytest.fixture(scope="module")
def window(browser):
    """A browser window, whose tabs share what was loaded already."""
    window = browser.new_context(viewport={"width": 1400, "height": 1000})
    window.set_default_timeout(PATIENCE)
    yield window
    window.close()


@pytest.fixture(scope="module")
def page(window, address, requests):
    page = window.new_page()
    page.on("request", lambda request: requests.add(urllib.parse.urlsplit(request.url).netloc))
    return page


@pytest.fixture(scope="module")
def lesson(page, address) -> OpenNotebook:
    """Lesson 01, run from top to bottom against untouched stubs."""
    notebook = OpenNotebook(page, address, "01_scalar_nodes.ipynb")
    notebook.run_all()
    return notebook


def stepper_of(lesson: OpenNotebook):
    """Return the frame with the stepper of loss = x * y + x, and its scrub bar, which has the keyboard.

    A frame that nobody sees is not laid out, and what is drawn waits for that: the focus brings it into view.
    """
    frame = lesson.cell("viz.step(loss)").frame_locator("iframe")
    scrub = frame.get_by_label("step of the backward pass")
    scrub.focus()
    frame.locator("[data-node]").first.wait_for()
    return frame, scrub


def shown(frame) -> dict[str, str]:
    """Return name -> what the stepper says about the gradient of each node, as a screen reader has it."""
    spoken = frame.locator("[data-node]").evaluate_all("boxes => boxes.map(box => box.getAttribute('aria-label'))")
    return {words.split(", ")[0]: words.split(", ")[-1] for words in spoken}


def test_the_address_opens_lesson_00_with_its_exercises_at_the_first_and_a_watch_below(page, address, course):
    page.goto(address)
    page.wait_for_selector(".jp-Notebook .jp-CodeCell", timeout=PATIENCE)
    page.locator(".lm-TabBar-tab.jp-mod-current", has_text="00_start_here.ipynb").first.wait_for()
    editor = page.locator(".jp-FileEditor")
    editor.get_by_text("def hello_gradient").wait_for()
    page.locator(".jp-Terminal").wait_for()
    assert editor.bounding_box()["x"] > page.locator(".jp-Notebook").bounding_box()["x"]
    assert page.locator(".jp-Terminal").bounding_box()["y"] > editor.bounding_box()["y"]
    editor.locator(".cm-content").evaluate("text => text.focus()")
    lines = (course / "exercises" / "lesson_00_start_here.py").read_text(encoding="utf-8").splitlines()
    first = 1 + next(number for number, line in enumerate(lines) if line.startswith("def hello_gradient"))
    page.locator("#jp-main-statusbar").get_by_text(f"Ln {first}, Col 1").wait_for()
    page.wait_for_url(lambda url: "at=" not in url)
    page.wait_for_selector('.jp-Notebook-ExecutionIndicator[data-status="idle"]', timeout=PATIENCE)
    time.sleep(3)  # a kernel that has answered makes a notebook unsaved at once, or never
    assert page.locator(".jp-mod-dirty").count() == 0


def test_its_terminal_is_a_shell_of_this_installation(page, address, course):
    """After `q`, which leaves the watch: `minitorch` and `pytest` are found there, whatever the profile says."""
    found, said, deadline = course / "found", "", time.monotonic() + PATIENCE / 1000
    asked = "; ".join(f"command -v {name} >> found" for name in PROGRAMS)  # a plain sh answers for the first of several
    while f"minitorch {minitorch.__version__}" not in said:
        assert time.monotonic() < deadline, said or "nothing was found"
        page.locator(".jp-Terminal").click()
        page.keyboard.press("q")
        time.sleep(3)
        page.keyboard.press("Control+u")  # where the watch was left before, the q is on the line
        page.keyboard.type(f"rm -f found; {asked}; minitorch --version >> found\n")
        time.sleep(4)
        said = found.read_text() if found.is_file() else ""
    programs = Path(sys.executable).parent
    assert said.splitlines()[:3] == [str(programs / name) for name in PROGRAMS]


def test_nothing_alarming_is_printed(lesson, server_says):
    """Neither lines of log nor a kernel's warning that it is overheard: the terminal holds our own sentence alone."""
    assert server_says.read_text(encoding="utf-8") == ""


def test_no_request_leaves_this_machine_and_nothing_is_asked(lesson, requests):
    assert {host.split(":")[0] for host in requests if host} == {"localhost"}  # a data: address has no host
    assert lesson.page.locator(".Toastify__toast").count() == 0


def test_lesson_01_runs_from_top_to_bottom(lesson):
    assert lesson.faults() == []
    picture = lesson.cell("viz.graph(loss)").locator(".jp-OutputArea-output img")
    assert picture.evaluate("image => image.complete && image.naturalWidth") > 100
    assert picture.get_attribute("alt").startswith("Computation graph of loss.")


def test_the_stepper_scrubbed_to_the_end_shows_the_right_gradients(lesson):
    frame, _ = stepper_of(lesson)
    lesson.page.keyboard.press("Home")
    assert set(shown(frame).values()) == {"no gradient yet"}
    lesson.page.keyboard.press("End")
    # loss = x * y + x at x = 2, y = -3: the gradient of x is y + 1, that of y is x
    assert shown(frame) == {"x": "grad −2", "y": "grad 2", "p": "grad 1", "loss": "grad 1"}


def test_the_stepper_tells_the_first_contribution_from_the_next(lesson):
    frame, scrub = stepper_of(lesson)
    status = frame.get_by_role("status")
    lesson.page.keyboard.press("Home")
    said = []
    for _ in range(int(scrub.get_attribute("max"))):
        lesson.page.keyboard.press("ArrowRight")
        said.append((shown(frame)["x"], status.inner_text()))
    changes = [after for before, after in zip([("no gradient yet", ""), *said], said) if before[0] != after[0]]
    assert [state for state, _ in changes] == ["grad 1", "grad −2"]
    assert "first contribution" in changes[0][1]
    assert "first contribution" not in changes[1][1]
    assert "adds" in changes[1][1]


def test_the_check_card_says_not_started_then_wrong_by_name_then_passed(lesson, course):
    answers = course / "exercises" / "lesson_01_scalar_nodes.py"
    cell = lesson.cell('check("mul")')
    card = cell.locator(".minitorch-card")
    assert "mul: not started" in card.inner_text()

    answers.write_text(wrong_source("mul", "mul-own-operand"), encoding="utf-8")
    lesson.run(cell)
    assert "mul: wrong" in card.inner_text()
    assert "You used each operand's own number as its local gradient." in card.inner_text()

    answers.write_text(manifest.load().lesson("01").solution_source(), encoding="utf-8")
    lesson.run(cell)
    assert "mul: passed" in card.inner_text()
    assert "wrong" not in card.inner_text()


def test_what_the_learner_ran_is_kept(lesson, course):
    """A second `minitorch lab` leaves a notebook that was run and saved as it is."""
    copy = course / "work" / "01_scalar_nodes.ipynb"
    saved = lesson.save(copy, "mul: passed")
    done = refresh_notebooks(course, manifest.material() / "notebooks")
    assert (done.added, done.updated, copy.read_bytes()) == ((), (), saved)


# ---------------------------------------------------------------------------------------- the check button

IMPORT, SHOW = "from minitorch.course import check, check_button, quiz", 'check_button("mul")'
ASK, LOOK = 'quiz("local_of_a_product")', 'check("mul")'
STALE = ".jp-OutputArea-child:not(:has([data-mime-type]))"  # neither HTML nor text: a widget
BUSY = "import pathlib, time\nwhile not pathlib.Path('go on').exists():\n    time.sleep(0.05)"


@pytest.fixture(scope="module")
def answers(course) -> Path:
    """The learner's file that the button looks at."""
    return course / "exercises" / "lesson_01_scalar_nodes.py"


@pytest.fixture(scope="module")
def copy(course) -> Path:
    """A notebook with one check button, and a cell that runs until there is a file called `go on`."""
    cells = [
        {"cell_type": "code", "id": f"cell-{number}", "metadata": {}, "source": source, "outputs": []}
        | {"execution_count": None}
        for number, source in enumerate((IMPORT, SHOW, BUSY, ASK, LOOK))
    ]
    copy = course / "work" / "button.ipynb"
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": NOTEBOOK_METADATA, "cells": cells}
    copy.write_text(json.dumps(notebook), encoding="utf-8")
    return copy


@pytest.fixture(scope="module")
def button(window, address, copy, answers) -> OpenNotebook:
    """That notebook in a tab of its own, run against an untouched stub."""
    answers.write_text(stub_source(manifest.load().lesson("01")), encoding="utf-8")
    copy.with_name("go on").touch()
    opened = OpenNotebook(window.new_page(), address, copy.name)
    opened.run_all()
    return opened


def live(button: OpenNotebook):
    """Return the widget: two buttons, a line, and the card."""
    widget = button.cell(SHOW).locator(".minitorch-live")
    widget.wait_for()
    return widget


def still(button: OpenNotebook):
    """Return the card that a page shows where no kernel runs."""
    return button.cell(SHOW).locator(".minitorch-still")


def test_the_check_button_shows_one_card(button):
    live(button).get_by_text("mul: not started").wait_for()
    still(button).wait_for(state="hidden")
    cards = button.cell(SHOW).get_by_text("mul: not started")
    assert [card.is_visible() for card in cards.all()] == [False, True]
    assert button.faults() == []


def test_the_check_button_is_pressed_by_keyboard_and_keeps_the_focus(button, answers):
    answers.write_text(wrong_source("mul", "mul-own-operand"), encoding="utf-8")
    widget = live(button)
    check = widget.get_by_role("button", name="check mul")
    check.focus()
    button.page.keyboard.press("Enter")
    widget.get_by_text("You used each operand's own number as its local gradient.").wait_for()
    assert check.evaluate("pressed => pressed === document.activeElement")
    button.page.keyboard.press("Tab")
    button.page.keyboard.press("Space")
    widget.get_by_text("mul: hint 2 of 4").wait_for()  # the verdict's card shows the first
    button.page.keyboard.press("Enter")
    widget.get_by_text("mul: hint 3 of 4").wait_for()


def test_the_hint_stands_right_below_its_button_and_in_view(button):
    widget = live(button)
    bar, hint, card = (widget.locator(f"[data-part={name}]").bounding_box() for name in ("bar", "hint", "card"))
    assert bar["y"] < hint["y"] < card["y"]
    assert hint["y"] + hint["height"] <= button.page.viewport_size["height"]
    assert widget.locator("[data-part=hint]").get_attribute("role") == "status"


def test_presses_while_the_kernel_is_busy_are_not_lost(button, copy, answers):
    go_on = copy.with_name("go on")
    go_on.unlink()
    button.cell("time.sleep").locator(".cm-content").click()
    button.page.keyboard.press("Control+Enter")
    button.page.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status='busy']")
    answers.write_text(manifest.load().lesson("01").solution_source(), encoding="utf-8")
    widget = live(button)
    for _ in range(3):
        widget.get_by_role("button", name="check mul").click()
    go_on.touch()
    widget.get_by_text("mul: passed").wait_for()
    assert "hint 3 of 4" not in widget.inner_text()


def test_a_quiz_is_answered_by_keyboard_keeps_its_question_and_takes_another_try(button):
    widget = button.cell(ASK).locator(".minitorch-live")
    button.cell(ASK).locator(".minitorch-still").wait_for(state="hidden")
    options = widget.get_by_role("group", name="What is the local gradient of out for a?").get_by_role("button")
    options.nth(0).focus()
    button.page.keyboard.press("Space")
    said = widget.get_by_role("status").filter(has_text="not this one")
    said.wait_for()
    assert "That is" in said.inner_text() or "choose another answer" in said.inner_text()
    assert options.nth(0).evaluate("pressed => pressed === document.activeElement")
    assert options.nth(0).get_attribute("aria-pressed") == "true"
    button.page.keyboard.press("Tab")
    button.page.keyboard.press("Enter")
    widget.get_by_text("✓ b) right").wait_for()
    assert options.nth(0).get_attribute("aria-pressed") == "false"
    assert "What is the local gradient of out for a?" in widget.inner_text()
    assert "out = a * b" in widget.inner_text()
    assert button.faults() == []


def test_a_link_to_an_exercise_opens_it_beside_the_notebook_at_the_line(button, answers):
    right = manifest.load().lesson("01").solution_source()
    wrong = right.replace("self.data * other.data", "self.data * other.nothing", 1)
    answers.write_text(wrong, encoding="utf-8")
    button.run(button.cell(LOOK))
    card = button.cell(LOOK).locator(".minitorch-card")
    line = next(number for number, text in enumerate(wrong.splitlines(), start=1) if "other.nothing" in text)
    card.get_by_role("link", name=f"line {line} of lesson_01_scalar_nodes.py").click()
    button.page.locator("#jp-main-statusbar").get_by_text(f"Ln {line}, Col 1").wait_for()
    notebook, editor = (button.page.locator(place).bounding_box() for place in (".jp-NotebookPanel", ".jp-FileEditor"))
    assert editor["x"] >= notebook["x"] + notebook["width"]  # side by side, and both in view
    answers.write_text(right, encoding="utf-8")
    live(button).get_by_role("button", name="check mul").click()
    following = live(button).locator(".minitorch-next")
    following.get_by_text("lesson_01_scalar_nodes.py").wait_for()
    following.get_by_role("link").click()  # the same file: it is shown again, not opened twice
    button.page.locator("#jp-main-statusbar").get_by_text(re.compile(r"^Ln \d+, Col 1$")).wait_for()
    assert button.page.locator(".jp-FileEditor").count() == 1
    button.cell(ASK).locator(".jp-InputPrompt").first.click()  # back to the notebook


def test_the_last_verdict_can_be_read_when_the_kernel_is_gone(button, copy):
    still(button).get_by_text("mul: passed").wait_for(state="attached")
    button.save(copy, "mul: passed")
    button.reopen()
    still(button).get_by_text("mul: passed").wait_for()
    # JupyterLab looks for the widget and finds none. Below the card nothing is said of that, now or later.
    stale = button.cell(SHOW).locator(STALE)
    stale.get_by_text("model not found").wait_for(state="attached")
    assert not stale.is_visible()
    assert not button.cell(ASK).locator(STALE).is_visible()
    assert button.cell(ASK).locator(".minitorch-still").is_visible()
