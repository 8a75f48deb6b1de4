"""static/graph.js in a headless Chromium, with a model of our own instead of Jupyter's."""

import gzip
import json
import re

import numpy as np
import pytest
from viz_pictures import PICTURES, layer, odd_labels, product_and_sum, random_values, square, zero_gradients
from widget_page import STATIC, Stepper, text_of, widget_page

from minitorch import Tensor, viz
from minitorch.viz.drawing import palette
from minitorch.viz.drawing.player import lean
from minitorch.viz.drawing.step import as_traits
from minitorch.viz.facts import words

pytestmark = [pytest.mark.browser, pytest.mark.timeout(1800)]

SCRIPT = text_of("graph.js")


@pytest.fixture
def page(browser):
    with widget_page(browser, "graph.js", 800) as page:
        yield page


@pytest.fixture
def show(page):
    """Shows a stepper and returns its view."""

    def shown(root, names=None):
        scene = as_traits(viz.step(root, names=names, fold=False)._scene)
        page.evaluate("state => show(state)", {"scene": scene, "step": 0})
        view = Stepper(page, page.locator(".root").count() - 1)
        view.root.locator(".box").first.wait_for()
        return view

    return shown


# -- what is there ---------------------------------------------------------------------------------------------------


def packed(script):
    return len(gzip.compress(lean(script).encode(), 9))


def test_the_script_is_small_and_our_own():
    """What a document carries is counted, all of it; a part counts as what it would be smaller without that part."""
    beside = {}
    for name in ("levels.js", "finder.js", "motion.js"):
        part = re.sub(r"^(import .*\n|export )", "", (STATIC / name).read_text(), flags=re.MULTILINE).strip()
        head, _, tail = SCRIPT.partition(part.partition("\n\n")[2])
        assert tail
        beside[name] = packed(SCRIPT) - packed(head + tail)
    beside["predict.js"] = packed(text_of("predict.js")) - packed(SCRIPT)
    assert max(beside.values()) <= 5_000
    assert packed(SCRIPT) <= 13_800  # of which the stepper alone, of a graph that is seen whole:
    assert packed(SCRIPT) + beside["predict.js"] - sum(beside.values()) <= 12_000
    assert not re.search(r"^\s*import\b|\bimport\(|\bfetch\(|XMLHttpRequest|\beval\(|innerHTML", SCRIPT, re.MULTILINE)
    assert re.findall(r"https?://[^\"'` ]+", SCRIPT) == ["http://www.w3.org/2000/svg"]


def test_every_colour_that_the_script_uses_is_in_the_palette():
    used = set(re.findall(r"var\(--([a-z-]+)\)", SCRIPT))
    assert used == set(palette.LIGHT)
    assert set(palette.LIGHT) == set(palette.DARK)


@pytest.mark.parametrize("name", ["product_and_sum", "square", "zero_gradients", "layer", "shared_leaf", "stacked"])
def test_every_step_shows_what_python_says(show, name):
    root, names = PICTURES[name]()
    stepper = viz.step(root, names=names)
    view = show(root, names)
    called = words.names(stepper.graph)
    view.page.evaluate("views[0].el.shadowRoot.querySelector('.stage').style.height = '2000px'")  # all in view
    view.root.get_by_role("button", name="show all of it (0)").click()
    for step in range(len(stepper.steps) + 1):
        assert view.step() == step
        assert view.status() == words.sentence(stepper.trace, step, called, words.TYPESET)
        grads, states = stepper.trace.gradients(step), view.states()
        assert set(states) == {node.idx for node in stepper.graph.nodes}
        for node in stepper.graph.nodes:
            grad = grads.get(node.idx)
            said = words.gradient(node, grad, words.TYPESET) if grad else words.ungraded(node)
            assert states[node.idx] == (said, "none" if grad is None else "zero" if grad.is_zero else "some")
        for number, (look, label) in view.edges().items():
            arrival = stepper._scene.labels[number].arrival
            came = arrival is not None and arrival <= step
            assert ("came" in look, "now" in look) == (came, arrival == step)
            assert label == (stepper._scene.labels[number].backward if came else stepper._scene.labels[number].forward)
        view.root.get_by_role("button", name="next step (right arrow)").click(force=True)
    assert view.root.get_by_role("button", name="next step (right arrow)").is_disabled()


def test_a_second_contribution_is_an_addition_in_words_on_the_edge_and_in_the_details(show):
    view = show(*square())
    view.svg.focus()
    view.press("ArrowRight", "ArrowRight")
    assert "sets the gradient of x, its first contribution: grad = 1 × 3 = 3" in view.status()
    view.press("ArrowRight")
    assert "adds to x: grad += 1 × 3 = 3, now 6" in view.status()
    assert sorted(label for _, label in view.edges().values()) == ["+= 3", "= 3"]
    view.node(0).click()
    facts = view.root.get_by_role("region", name="details").inner_text()
    assert "= 1 × 3 = 3, from v1" in facts
    assert "+= 1 × 3 = 3, from v1" in facts


def test_summed_axes_are_named_on_the_way_back_and_stretched_ones_on_the_way_forward(show):
    view = show(*layer())
    assert any(label == "stretched along axis 0" and "wide" in look for look, label in view.edges().values())
    view.svg.focus()
    view.press("End", "0")
    assert any(label.endswith("(Σ axis 0)") and "wide" not in look for look, label in view.edges().values())


def test_no_gradient_zero_and_constant_are_told_apart(show):
    view = show(*zero_gradients())
    assert {state for state, _ in view.states().values()} == {"no gradient yet"}
    view.svg.focus()
    view.press("End")
    assert view.states()[0] == ("grad 0", "zero")
    drawn = view.node(0).locator(".chip").evaluate("chip => getComputedStyle(chip).stroke")
    assert drawn != view.node(5).locator(".chip").evaluate("chip => getComputedStyle(chip).stroke")
    other = show(*layer())
    other.svg.focus()
    other.press("0")
    assert other.states()[2] == ("constant", "none")
    assert "constant" in other.root.locator(".box[data-node='2']").first.get_attribute("class")


# -- keyboard, mouse, screen reader ----------------------------------------------------------------------------------


def test_arrows_home_and_end_step(show):
    view = show(*product_and_sum())
    view.svg.focus()
    steps = []
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "End", "ArrowRight", "Home", "ArrowLeft"):
        view.press(key)
        steps.append(view.step())
    assert steps == [1, 2, 1, 5, 5, 0, 0]


def test_the_scrub_bar_steps_and_follows(show):
    view = show(*product_and_sum())
    view.scrub.fill("4")
    assert view.step() == 4
    view.scrub.focus()
    view.press("ArrowLeft")
    assert (view.step(), view.scrub.input_value()) == (3, "3")
    view.press("Home")
    assert (view.step(), view.root.locator(".count").inner_text()) == (0, "0 / 5")


def test_space_plays_to_the_end_and_pauses(page, show):
    page.clock.install()
    view = show(*product_and_sum())
    view.svg.focus()
    view.press(" ")
    assert view.step() == 1  # the first step comes at once
    page.clock.run_for(2100)
    assert view.step() == 3
    view.root.get_by_role("button", name="pause (space)").wait_for()
    view.press(" ")
    page.clock.run_for(5000)
    assert view.step() == 3
    view.root.get_by_role("button", name="play (space)").click()
    page.clock.run_for(10_000)
    assert view.step() == 5
    view.root.get_by_role("button", name="play (space)").click()  # from the start again
    assert view.step() == 0


def test_up_and_down_walk_the_graph_and_enter_opens_the_details(page, show):
    view = show(*product_and_sum())
    view.svg.focus()
    walked = []
    for key in ("ArrowDown", "ArrowUp", "ArrowUp", "ArrowDown"):
        view.press(key)
        walked.append(page.evaluate("views[0].el.shadowRoot.activeElement.getAttribute('aria-label').split(',')[0]"))
    assert walked == ["loss", "v1", "x", "v1"]
    facts = view.root.get_by_role("region", name="details")
    assert facts.is_hidden()
    view.press("Enter")
    assert facts.inner_text().split("\n")[0] == "v1"
    assert "x * y" in facts.inner_text()
    view.press("Escape")
    assert facts.is_hidden()


def test_a_click_opens_the_details_and_they_follow_the_steps(show):
    view = show(*product_and_sum())
    view.node(0).click()
    facts = view.root.get_by_role("region", name="details")
    assert "no gradient yet" in facts.inner_text()
    view.press("End")
    assert "−2" in facts.inner_text()
    facts.get_by_role("button", name="close the details (Escape)").click()
    assert facts.is_hidden()


def test_a_screen_reader_hears_every_step_and_every_node(show):
    view = show(*product_and_sum())
    status = view.root.locator("[role=status]")
    assert status.get_attribute("aria-live") == "polite"
    assert view.svg.get_attribute("aria-label") == "Backward pass from loss"
    assert view.node(0).get_attribute("aria-label") == "x, leaf, value 2, no gradient yet"
    assert view.node(0).get_attribute("role") == "button"
    view.scrub.fill("5")
    assert view.scrub.get_attribute("aria-valuetext") == view.status()
    assert view.node(0).get_attribute("aria-label") == "x, leaf, value 2, grad −2"
    assert all(button.get_attribute("aria-label") for button in view.root.locator("button").all())


def test_keys_do_not_reach_the_page_and_jupyters_shortcuts_are_off(page, show):
    view = show(*product_and_sum())
    page.evaluate("window.heard = []; document.addEventListener('keydown', event => heard.push(event.key))")
    view.svg.focus()
    view.press("ArrowDown", "Enter", " ", "a")
    assert page.evaluate("heard") == []
    assert page.evaluate("views[0].el.getAttribute('data-lm-suppress-shortcuts')") == "true"


def test_the_wheel_zooms_once_the_picture_is_in_use_and_dragging_moves(page, show):
    view = show(*product_and_sum())

    def seen():
        return [float(each) for each in view.svg.get_attribute("viewBox").split()]

    place = view.svg.bounding_box()
    middle = (place["x"] + place["width"] / 2, place["y"] + place["height"] - 12)
    page.mouse.move(*middle)
    before = seen()
    page.mouse.wheel(0, -200)
    page.wait_for_timeout(100)
    assert seen() == before
    page.mouse.click(*middle)
    page.mouse.wheel(0, -200)
    page.wait_for_function(
        "width => views[0].el.shadowRoot.querySelector('svg[viewBox][tabindex]').viewBox.baseVal.width < width",
        arg=before[2],
    )
    before = seen()
    page.mouse.down()
    page.mouse.move(middle[0] + 50, middle[1] - 30, steps=3)
    page.mouse.up()
    assert seen()[0] < before[0]
    assert seen()[1] > before[1]
    view.root.get_by_role("button", name="show all of it (0)").click()
    x, _, width, _ = seen()
    assert x <= 0
    assert x + width >= as_traits(viz.step(product_and_sum()[0])._scene)["levels"][0]["right"]


# -- pages -----------------------------------------------------------------------------------------------------------


def test_two_graphs_on_one_page_keep_apart(page, show):
    first, second, third = show(*product_and_sum()), show(*square()), show(*product_and_sum())
    first.svg.focus()
    first.press("End")
    assert [view.step() for view in (first, second, third)] == [5, 0, 0]
    assert third.states()[0] == ("no gradient yet", "none")
    ids = page.locator("marker").evaluate_all("all => all.map(each => each.id)")
    assert len(ids) == len(set(ids)) == 9


def test_two_views_of_one_model_step_together_and_the_kernel_is_not_asked(page, show):
    first = show(*product_and_sum())
    page.evaluate("show(null, views[0].model)")
    second = Stepper(page, 1)
    first.svg.focus()
    first.press("ArrowRight", "ArrowRight")
    assert second.status() == first.status()
    assert page.evaluate("views[0].model.saved") == 0


def test_a_view_that_is_taken_away_hears_nothing_more(page, show):
    page.clock.install()
    view = show(*product_and_sum())
    view.svg.focus()
    view.press(" ")
    page.evaluate("views[0].stop()")
    page.clock.run_for(5000)
    assert view.step() == 1
    assert page.evaluate("Object.values(views[0].model.heard).flat().length") == 0


def test_the_theme_follows_jupyterlab_else_the_system(page, show):
    view = show(*product_and_sum())

    root = view.root.element_handle()
    now = "([root, paper]) => getComputedStyle(root).getPropertyValue('--paper') === paper"

    def wait_for(colours):
        page.wait_for_function(now, arg=[root, colours["paper"]])

    wait_for(palette.LIGHT)
    page.emulate_media(color_scheme="dark")
    wait_for(palette.DARK)
    page.evaluate("document.body.dataset.jpThemeLight = 'true'")
    wait_for(palette.LIGHT)
    page.evaluate("document.body.dataset.jpThemeLight = 'false'")
    wait_for(palette.DARK)


def test_labels_are_text_and_never_markup(page, show):
    view = show(*odd_labels())
    assert "alert(1)" in view.node(1).get_attribute("aria-label")
    assert page.locator("script").count() == 1
    view.node(0).click()
    assert view.root.locator("h4").inner_text().startswith("<b>\"&'|{x}")
    assert view.root.locator("b").count() == 0


def test_of_a_large_graph_only_what_is_in_view_is_in_the_page(show):
    view = show(random_values(4000))
    assert len(as_traits(viz.step(random_values(4000), fold=False)._scene)["levels"][0]["boxes"]) > 2500
    assert 0 < view.root.locator(".box").count() < 200
    view.svg.focus()
    view.press("End")
    assert view.step() > 2500
    assert view.root.locator(".box.active").count() == 1  # the view went with the step
    assert view.root.locator(".box").count() < 300


# -- the static picture ----------------------------------------------------------------------------------------------

FITS = """() => [...document.querySelectorAll('g[transform] > rect:first-child')].flatMap(rect => {
  const box = rect.getBBox();
  return [...rect.parentNode.querySelectorAll('text')].filter(text => {
    const { x, width } = text.getBBox();
    return x < box.x + 2 || x + width > box.x + box.width - 2;
  }).map(text => text.textContent);
})"""


@pytest.mark.parametrize("name", PICTURES)
def test_every_text_fits_its_box(page, name):
    root, names = PICTURES[name]()
    stepper = viz.step(root, names=names)
    for svg in (viz.graph(root, names=names).svg(), stepper.svg(), stepper.svg(0)):
        page.set_content(svg)
        assert page.evaluate(FITS) == []
        drawn = page.evaluate("() => { const b = document.querySelector('svg > g').getBBox(); return [b.x, b.width]; }")
        assert drawn[0] + drawn[1] <= page.evaluate("document.querySelector('svg').viewBox.baseVal.width") + 2


def test_the_static_picture_follows_the_readers_theme(page):
    page.set_content(viz.step(product_and_sum()[0]).svg())
    paint = "getComputedStyle(document.querySelector('.p')).fill"
    light = page.evaluate(paint)
    page.emulate_media(color_scheme="dark")
    assert (light, page.evaluate(paint)) == ("rgb(255, 255, 255)", "rgb(20, 24, 29)")


def test_what_the_script_needs_is_plain_json():
    for maker in PICTURES.values():
        root, names = maker()
        json.dumps(as_traits(viz.step(root, names=names)._scene), allow_nan=False)


def test_the_ring_where_a_nan_begins_lies_behind_its_box_and_looks_alike_around_a_leaf(page):
    x = Tensor(np.array([0.0, 1.0]), requires_grad=True)
    w = Tensor(np.array([1.0, 2.0]), requires_grad=True)
    with np.errstate(all="ignore"):
        held = (x * w).log()
        loss = (held * 0.0).sum()
        loss.backward()
    del held
    scene = as_traits(viz.graph(loss, names={"x": x, "w": w}, fold=False)._scene)
    page.evaluate("state => show(state)", {"scene": scene, "step": 0})
    page.locator(".isborn").first.wait_for()
    rings = page.locator(".isborn").evaluate_all("""all => all.map(box => {
      const parts = [...box.children], at = name => parts.findIndex(each => each.classList.contains(name));
      const { stroke } = getComputedStyle(box.querySelector('.born rect'));
      const said = [...box.querySelectorAll('.born rect')].at(-1);
      const frame = parts.findIndex(each => each.tagName === 'rect');
      return [at('born') < frame, stroke, getComputedStyle(said).fill];
    })""")
    assert {*map(tuple, rings)} == {(True, rings[0][1], "rgb(255, 255, 255)")}
    assert any(
        "leaf" in each for each in page.locator(".isborn").evaluate_all("all => all.map(b => b.className.baseVal)")
    )


def test_numbers_on_the_edges_are_not_read_apart_from_what_they_belong_to(show):
    view = show(*product_and_sum())
    view.scrub.fill("5")
    assert view.root.locator(".edge text").all_inner_texts()
    heard = view.svg.aria_snapshot()
    assert "button" in heard
    assert "text:" not in heard
