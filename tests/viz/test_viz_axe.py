"""What axe, which looks for what keeps people out, finds in every view: nothing serious, light and dark."""

import pytest
from sampled import one_of_each
from viz_models import gpt
from viz_pictures import VIEWS, layer, neuron, odd_labels, short_training

from minitorch import Tensor, nn, viz
from minitorch.scalar import Value
from minitorch.train import History
from minitorch.viz.drawing import html
from minitorch.viz.views import reprs

pytestmark = pytest.mark.browser


def folded():
    model, loss = gpt()
    return viz.step(loss, model=model)


# As a notebook shows it: the player in its frame, the image below it. A page around it says its language.
CELLS = {
    **VIEWS,
    "layer": lambda: viz.step(layer()[0], names=layer()[1]),
    "odd labels": lambda: viz.graph(odd_labels()[0]),
    "training": short_training,
    "folded": folded,
    "predicted": lambda: viz.step(neuron()[0], predict=True),
}
REPRS = {
    "tensor": lambda: reprs.tensor(Tensor([[1.0, -2.0], [float("nan"), 0.0]])),
    "module": lambda: reprs.module(nn.Sequential(nn.Linear(2, 3), nn.ReLU())),
    "history": lambda: reprs.history(History([2.0, 1.0], [0.1, 0.1])),
}

THEMES = ("light", "dark")


@pytest.fixture(scope="module")
def axe():
    module = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed"
    )
    return module.Axe()


def serious(axe, browser, page, theme, act=lambda opened: None):
    """What axe finds in a file that is serious, after a reader did what `act` does."""
    context = browser.new_context(color_scheme=theme, viewport={"width": 800, "height": 900})
    try:
        opened = context.new_page()
        opened.goto(page.as_uri())
        opened.wait_for_timeout(300)
        act(opened)
        found = axe.run(opened).response["violations"]
        return [
            f"{each['id']}: {each['help']}: {node['html'][:160]} {node['any'][:1]}"
            for each in found
            if each["impact"] in ("serious", "critical")
            for node in each["nodes"]
        ]
    finally:
        context.close()


def in_one_theme(names, themes):
    """Return each view in one theme, by turns, and in the other as exhaustive."""
    pairs = [(name, theme) for name in names for theme in themes]
    return one_of_each(pairs, lambda pair: pair[0], "-".join)


@pytest.mark.parametrize(("name", "theme"), in_one_theme(CELLS, THEMES))
def test_a_page_of_its_own_keeps_nobody_out(axe, browser, tmp_path, name, theme):
    assert serious(axe, browser, CELLS[name]().html(tmp_path / "a.html"), theme) == []


@pytest.mark.parametrize("theme", THEMES)
def test_a_stepper_amid_a_pass_with_details_open_keeps_nobody_out(axe, browser, tmp_path, theme):
    def act(opened):
        opened.locator("#player .box").last.click()
        opened.keyboard.press("ArrowRight")
        opened.keyboard.press("ArrowRight")
        assert opened.locator("#player .facts").is_visible()

    assert serious(axe, browser, CELLS["layer"]().html(tmp_path / "a.html"), theme, act) == []


@pytest.mark.parametrize("theme", THEMES)
def test_numbers_that_were_changed_to_where_nothing_is_defined_keep_nobody_out(axe, browser, tmp_path, theme):
    def act(opened):
        opened.locator("#player input[type=number]").fill("-1")
        opened.locator("#player .box").last.click()
        assert opened.locator("#player .verdict.other").is_visible()

    picture = viz.nudge(Value(2.0, label="x").log() * 2)
    assert serious(axe, browser, picture.html(tmp_path / "a.html"), theme, act) == []


@pytest.mark.parametrize("theme", THEMES)
def test_a_wrong_answer_and_its_reply_keep_nobody_out(axe, browser, tmp_path, theme):
    def act(opened):
        for answer in ("1", "7", "8"):
            opened.get_by_label("your answer").fill(answer)
            opened.keyboard.press("Enter")
        assert opened.get_by_role("button", name="show me").is_visible()

    assert serious(axe, browser, CELLS["predicted"]().html(tmp_path / "a.html"), theme, act) == []


@pytest.mark.parametrize(("name", "theme"), in_one_theme((*CELLS, *REPRS), THEMES[::-1]))
def test_a_cell_of_a_notebook_keeps_nobody_out(axe, browser, tmp_path, name, theme):
    shown = REPRS[name]() if name in REPRS else CELLS[name]()._repr_mimebundle_()["text/html"]
    page = tmp_path / "a.html"
    page.write_text(html.page("A cell", f"<main><h1>A cell</h1>{shown}</main>"), encoding="utf-8")
    assert serious(axe, browser, page, theme) == []


def test_axe_finds_what_keeps_people_out(axe, browser, tmp_path):
    page = tmp_path / "a.html"
    page.write_text(
        html.page("Bad", '<main><h1>Bad</h1><p style="color:#ccc;background:#fff">faint</p><img src="x"></main>')
    )
    found = serious(axe, browser, page, "light")
    assert {each.split(":")[0] for each in found} == {"color-contrast", "image-alt"}
