"""A reader who wants no motion sees none: in the stepper, in films, and on the board of a training while it runs."""

import pytest
from viz_pictures import product_and_sum
from widget_page import widget_page

from minitorch import Tensor, optim, viz

pytestmark = [pytest.mark.browser, pytest.mark.timeout(1800)]
PAINTED = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
RUNNING = "views[0].el.shadowRoot.getAnimations().length"
PLACES = (
    "[...views[0].el.shadowRoot.querySelectorAll('.stage text, .stage rect')]"
    ".map(each => each.getBoundingClientRect().x)"
)
FILMS = {
    "unbroadcast": lambda: viz.unbroadcast((2, 3), (3,)),
    "transpose": lambda: viz.transpose((2, 3), (1, 0)),
    "reshape": lambda: viz.reshape((2, 3), (3, 2)),
    "getitem": lambda: viz.getitem((4, 3), (slice(0, 2),)),
    "fan_out": lambda: viz.fan_out(product_and_sum()[0]),
}


def board(steps):
    w = Tensor([3.0, -1.0], requires_grad=True)
    optimizer = optim.SGD([w], lr=0.05)
    with viz.live({"w": w}, optimizer) as followed:
        for _ in range(steps):
            optimizer.zero_grad()
            loss = (w.relu() ** 2).sum()
            loss.backward()
            optimizer.step()
            followed.loss(loss)
    return followed._player().state


def most_animations(page, picture, steps):
    """How many animations ran at most, looked at after each of some steps."""
    page.evaluate("state => show(state)", picture._player().state)
    page.locator(".stage, .canvas > svg").first.focus()
    found = []
    for _ in range(steps):
        page.keyboard.press("ArrowRight")
        page.evaluate(PAINTED)
        found.append(page.evaluate(RUNNING))
    return max(found)


@pytest.mark.parametrize("name", FILMS)
def test_a_film_stands_still(browser, name):
    with widget_page(browser, "film.js", 1000, "reduce") as page:
        assert most_animations(page, FILMS[name](), 4) == 0


def test_a_film_moves_for_those_who_want_it(browser):
    """What the test above would see if anything moved."""
    with widget_page(browser, "film.js", 1000, "no-preference") as page:
        assert most_animations(page, FILMS["transpose"](), 4) > 0


@pytest.mark.parametrize(("motion", "moves"), [("reduce", False), ("no-preference", True)])
def test_a_stepper_stands_still_where_it_would_move(browser, motion, moves):
    with widget_page(browser, "graph.js", 800, motion) as page:
        page.evaluate("state => show(state)", viz.step(product_and_sum()[0])._player().state)
        page.locator(".canvas > svg").focus()
        found = []
        for _ in range(4):
            page.keyboard.press("ArrowRight")
            found.append(page.evaluate(RUNNING))
        assert (max(found) > 0) == moves


def test_a_board_jumps_from_frame_to_frame(browser):
    with widget_page(browser, "live.js", 1000, "reduce") as page:
        page.evaluate("state => show(state)", board(5))
        for steps in (10, 40):
            page.evaluate(
                """text => { const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
                views[0].model.set("frame", new DataView(bytes.buffer)); }""",
                board(steps)["frame"],
            )
            page.evaluate(PAINTED)
            assert page.evaluate(RUNNING) == 0
            before = page.evaluate(PLACES)
            page.wait_for_timeout(120)
            assert page.evaluate(PLACES) == before, "it is still on its way"
