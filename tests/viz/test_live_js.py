"""static/live.js in a headless Chromium: the board of a training, as bytes arrive and as a document."""

import gzip
import re

import numpy as np
import pytest
from widget_page import View, text_of, widget_page

from minitorch import Tensor, optim, viz
from minitorch.viz.drawing import palette
from minitorch.viz.drawing.player import lean

pytestmark = [pytest.mark.browser, pytest.mark.timeout(1800)]

SCRIPT = text_of("live.js")
DRAWN = """stage => ({
  paths: [...stage.querySelectorAll('[data-curve]')].map(path => path.getAttribute('d')),
  texts: [...stage.querySelectorAll('text')].map(text => text.textContent),
})"""
PARSED = f"svg => ({DRAWN})(new DOMParser().parseFromString(svg, 'image/svg+xml'))"
SEND = """([index, name, text]) => {
  const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
  views[index].model.set(name, new DataView(bytes.buffer));
}"""
PAINTED = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def trained(steps, lost=None, relu=True):
    """The board of a training whose gradient of `a` is inf in step `lost`."""
    a, b = Tensor([3.0, -1.0], requires_grad=True), Tensor([0.5], requires_grad=True)
    optimizer = optim.SGD([a, b], lr=0.05)
    with viz.live({"a": a, "b": b}, optimizer) as board, np.errstate(all="ignore"):
        for number in range(1, steps + 1):
            optimizer.zero_grad()
            out = (a.relu() if relu else a) * b
            loss = (out + (a * 0).sqrt() if number == lost else out).sum() ** 2
            loss.backward()
            optimizer.step()
            board.loss(loss)
    return board


class Board(View):
    """One board."""

    def drawn(self):
        return self.root.locator(".stage").evaluate(DRAWN)


@pytest.fixture
def page(browser):
    with widget_page(browser, "live.js", 1000) as page:
        yield page


@pytest.fixture
def show(page):
    def shown(board):
        page.evaluate("state => show(state)", board._player().state)
        return Board(page, page.locator(".root").count() - 1)

    return shown


def still(page, board):
    return page.evaluate(PARSED, board.svg())


def test_the_script_is_small_and_our_own():
    assert len(gzip.compress(lean(SCRIPT).encode(), 9)) <= 5_000
    assert not re.search(r"^\s*import\b|\bimport\(|\bfetch\(|XMLHttpRequest|\beval\(|innerHTML", SCRIPT, re.MULTILINE)
    assert re.findall(r"https?://[^\"'` ]+", SCRIPT) == ["http://www.w3.org/2000/svg"]
    assert set(re.findall(r"var\(--([a-z-]+)\)", SCRIPT)) <= set(palette.LIGHT)


BOARDS = {"none": viz.live(), "one": trained(1), "many": trained(700), "lost": trained(30, lost=9)}


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_a_document_shows_what_the_still_shows(page, show, board):
    assert show(board).drawn() == still(page, board)


def test_a_frame_of_bytes_is_drawn_and_of_many_only_the_newest(page, show):
    early, late = trained(5), trained(60)
    view = show(early)
    page.evaluate("window.changes = 0")
    page.evaluate(
        "new MutationObserver(seen => { changes += 1; }).observe("
        "views[0].el.shadowRoot.querySelector('[data-curve=\"1\"]'), { attributes: true })"
    )
    frames = [board._player().state["frame"] for board in (trained(10), trained(20), late)]
    page.evaluate(f"frames => frames.forEach(text => ({SEND})([0, 'frame', text]))", frames)
    page.evaluate(PAINTED)
    assert view.drawn() == still(page, late)
    assert page.evaluate("changes") == 1


def test_a_new_shell_comes_with_its_rows(page, show):
    view = show(trained(5, relu=False))
    more = trained(8)
    state = more._player().state
    page.evaluate(SEND, [0, "frame", state["frame"]])
    page.evaluate(PAINTED)  # a frame of another shell is not drawn into this one
    page.evaluate("board => views[0].model.set('board', board)", state["board"])
    page.evaluate(PAINTED)
    assert view.drawn() == still(page, more)


def test_the_keyboard_reads_every_number(page, show):
    board = trained(30)
    view = show(board)
    assert "30 steps." in page.locator(".status").inner_text()
    page.locator(".stage").focus()
    view.press("End")
    assert page.locator(".status").inner_text().startswith("Steps 30 to 30: loss ")
    value = float(page.locator(".status").inner_text().split()[-1])
    assert value == pytest.approx(board.facts.loss, abs=0.02 * board.facts.first_loss)
    view.press("Home", "ArrowDown", "ArrowRight")
    said = page.locator(".status").inner_text()
    assert said.startswith("Steps 2 to 2: a gradient norm ")
    assert float(said.split()[-1]) == pytest.approx(float(np.sqrt(board.facts.squares.columns()[1, 0])), rel=0.15)
    view.press("Escape")
    assert "30 steps." in page.locator(".status").inner_text()


def test_before_the_first_step_there_is_no_number_to_read(page, show):
    view = show(viz.live())
    page.locator(".stage").focus()
    view.press("End", "ArrowDown", "ArrowLeft", "Home")
    assert page.locator(".status").inner_text() == "Before the first step."


def test_the_pointer_reads_the_nearest_curve(page, show):
    show(trained(30))
    box = page.locator(".stage svg").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 130)
    assert "loss" in page.locator(".status").inner_text()
    page.mouse.move(5, 890)


def test_a_screen_reader_is_told_the_facts(page, show):
    board = trained(30, lost=9)
    show(board)
    image = page.locator(".stage svg").first
    assert image.get_attribute("role") == "img"
    assert "In step 9 the gradient of a was the first to become" in image.get_attribute("aria-label")
    assert page.locator(".status").get_attribute("aria-live") == "polite"
