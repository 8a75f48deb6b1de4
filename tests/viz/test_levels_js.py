"""static/levels.js, pass.js and finder.js: a folded graph in a browser, opened, stepped, searched and walked."""

import json

import numpy as np
import pytest
from viz_models import LARGE, chain, gpt, scalar_mlp, unrolled
from viz_pictures import product_and_sum, random_values
from widget_page import Stepper, widget_page

from minitorch import Tensor, nn, viz
from minitorch.scalar import Value
from minitorch.viz.drawing.step import as_traits

pytestmark = [pytest.mark.browser, pytest.mark.timeout(1800)]


@pytest.fixture
def page(browser):
    with widget_page(browser, "graph.js", 900) as page:
        yield page


@pytest.fixture
def show(page):
    """Shows a picture's player and returns its view."""

    def shown(picture):
        page.evaluate("state => show(state)", dict(picture._player().state))
        view = Stepper(page, page.locator(".root").count() - 1)
        view.root.locator(".box").first.wait_for()
        return view

    return shown


def stepper_of(maker):
    model, loss = maker()
    return viz.step(loss, model=model)


def titles(view):
    """What is drawn: the names of boxes, and whether they are frames around an open group."""
    found = view.root.locator(".box").evaluate_all(
        "all => all.map(each => [each.getAttribute('aria-label').split(',')[0], each.classList.contains('frame')])"
    )
    return dict(found)


def named(view, name):
    return view.root.locator(f".box:not(.copy)[aria-label^='{name},']")


def whole(view):
    """All of it in view."""
    view.svg.focus()
    view.press("0")


def overlaps(page):
    """Pairs of boxes that cover each other without one being around the other."""
    return page.evaluate("""() => {
      const rects = [...document.querySelector('div').shadowRoot.querySelectorAll('.box')].map(box => {
        const { x, y, width, height } = box.querySelector('rect:not(.behind)').getBoundingClientRect();
        return [x, y, x + width, y + height, box.getAttribute('aria-label')];
      });
      const around = (a, b) => a[0] <= b[0] && a[1] <= b[1] && a[2] >= b[2] && a[3] >= b[3];
      return rects.flatMap((a, i) => rects.slice(i + 1).filter(b =>
        a[0] < b[2] - 1 && b[0] < a[2] - 1 && a[1] < b[3] - 1 && b[1] < a[3] - 1 && !around(a, b) && !around(b, a)
      ).map(b => [a[4], b[4]]));
    }""")


def crossings(page):
    """Arrows that run through a frame in which they neither begin nor end."""
    return page.evaluate("""() => {
      const root = document.querySelector('div').shadowRoot;
      const shown = [...root.querySelectorAll('.box.frame > rect:not(.ring)')];
      const frames = shown.map(rect => rect.getBoundingClientRect());
      return [...root.querySelectorAll('.edge path')].filter(path => {
        const to = path.getScreenCTM(), length = path.getTotalLength();
        const at = part => path.getPointAtLength(part * length).matrixTransform(to);
        const within = (box, { x, y }) => x > box.x + 2 && x < box.right - 2 && y > box.y + 2 && y < box.bottom - 2;
        return frames.some(box => !within(box, at(0)) && !within(box, at(1)) &&
          Array.from({ length: 60 }, (_, each) => at(each / 60)).some(point => within(box, point)));
      }).length;
    }""")


# -- the first screen ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("maker", [*LARGE.values(), lambda: (None, random_values(3000))], ids=[*LARGE, "random"])
def test_the_first_screen_can_be_read_and_cuts_no_row_at_its_top(page, show, maker):
    view = show(stepper_of(maker))
    sizes = view.svg.evaluate("""svg => [...svg.querySelectorAll('text')].filter(text => text.textContent.trim())
      .map(text => parseFloat(getComputedStyle(text).fontSize) * svg.getScreenCTM().a)""")
    assert min(sizes) >= 11
    top = view.svg.bounding_box()["y"]
    tops = view.root.locator(".box").evaluate_all("all => all.map(box => box.getBoundingClientRect().y)")
    assert min(tops) >= top - 1


def test_all_of_a_long_chain_fits(show):
    _, loss = chain(300)
    view = show(viz.step(loss, fold=False))
    view.svg.focus()
    view.press("0")
    x, y, width, height = map(float, view.svg.get_attribute("viewBox").split())
    last = as_traits(viz.step(loss, fold=False)._scene)["levels"][0]["boxes"]
    assert y <= 0
    assert y + height >= max(box["y"] + box["h"] for box in last)
    assert x + width >= max(box["x"] + box["w"] / 2 for box in last)


# -- opening and closing ---------------------------------------------------------------------------------------------


def test_a_click_opens_a_group_around_what_is_in_it_and_a_click_on_its_frame_closes_it(page, show):
    view = show(stepper_of(gpt))
    whole(view)
    assert named(view, "blocks").get_attribute("aria-expanded") == "false"
    named(view, "blocks").click()
    assert named(view, "blocks").get_attribute("aria-expanded") == "true"
    assert {"blocks.0", "blocks.1"} <= set(titles(view))
    assert overlaps(page) == []
    named(view, "blocks.0").click()
    view.press("0")
    assert {"blocks.0.qkv", "blocks.0.mlp", "blocks.5", "token"} <= set(titles(view))
    assert [name for name, frame in titles(view).items() if frame] == ["blocks", "blocks.0"]
    assert overlaps(page) == []
    named(view, "blocks").click(position={"x": 10, "y": 20})
    assert "blocks.0" not in titles(view)


def test_enter_opens_and_escape_closes(show):
    view = show(stepper_of(gpt))
    whole(view)
    named(view, "blocks").focus()
    view.press("Enter")
    assert titles(view)["blocks"]
    view.press("Escape")
    assert not titles(view)["blocks"]


@pytest.mark.parametrize("maker", LARGE.values(), ids=LARGE)
def test_every_group_can_be_opened_and_nothing_overlaps(page, show, maker):
    view = show(stepper_of(maker))
    view.svg.focus()
    for _ in range(6):
        view.press("0")
        closed = view.root.locator(".box[aria-expanded=false]")
        if not closed.count():
            break
        closed.first.focus()
        view.press("Enter", "0")
        assert overlaps(page) == []
        assert crossings(page) == 0


def test_what_comes_in_from_outside_is_a_dashed_copy_that_leads_to_the_original(show):
    view = show(stepper_of(gpt))
    whole(view)
    named(view, "blocks").click()
    view.press("0")
    copy = view.root.locator(".box.copy[aria-label^='v3,']")
    assert copy.count() == 1
    copy.click()
    assert view.page.evaluate("views[0].el.shadowRoot.activeElement.getAttribute('aria-label')").startswith("v3,")


# -- stepping --------------------------------------------------------------------------------------------------------


def test_a_pass_steps_over_a_closed_group_and_says_what_happened_inside(show):
    stepper = stepper_of(gpt)
    view = show(stepper)
    view.svg.focus()
    seen = []
    while view.step() < len(stepper.steps):
        view.press("ArrowRight")
        seen.append(view.status())
    assert len(seen) < 40
    assert any(" happen inside blocks: " in said for said in seen)
    assert view.page.evaluate("views[0].model.get('step')") == len(stepper.steps)
    view.press("ArrowLeft", "Home")
    assert view.step() == 0


def test_the_steps_inside_are_there_once_the_group_is_open(show):
    stepper = stepper_of(scalar_mlp)
    view = show(stepper)

    def stops():
        view.svg.focus()
        view.press("Home")
        count = 0
        while view.step() < len(stepper.steps):
            view.press(".")
            count += 1
        return count

    closed = stops()
    view.press("0")
    view.root.locator(".box[aria-expanded=false]").first.focus()
    view.press("Enter")
    assert stops() > closed


def test_a_closed_group_says_how_far_the_pass_has_come_inside_it(show):
    stepper = stepper_of(gpt)
    view = show(stepper)
    whole(view)
    view.scrub.fill("60")
    said = named(view, "blocks").get_attribute("aria-label")
    assert " of " in said
    assert "gradients" in said
    assert view.status().startswith("Inside blocks: Step 60 of")
    view.scrub.fill(str(len(stepper.steps)))
    result = next(each for each in reversed(stepper.steps) if each.node == result_of(stepper, "blocks"))
    assert f"norm {result.after.norm:.3g}" in named(view, "blocks").get_attribute("aria-label").replace("−", "-")


def result_of(stepper, name):
    return stepper._level.shows[stepper._level.names.index(name)][-1]


def test_at_every_stop_each_group_shows_the_gradient_of_its_result(show):
    stepper = stepper_of(unrolled)
    view = show(stepper)
    view.svg.focus()
    view.press("0", "End")
    final = stepper._level.trace(stepper.trace).gradients()
    for place, name in enumerate(stepper._level.names):
        if len(stepper._level.shows[place]) == 1 and place in final:
            label = named(view, name).get_attribute("aria-label")
            assert "no gradient" not in label


# -- finding ---------------------------------------------------------------------------------------------------------


def test_a_search_opens_what_the_node_is_in_and_shows_it(page, show):
    view = show(stepper_of(gpt))
    field = view.root.get_by_role("searchbox")
    field.fill("blocks.3.mlp.0.weight")
    field.press("Enter")
    assert named(view, "blocks.3.mlp.0.weight").is_visible()
    assert "picked" in named(view, "blocks.3.mlp.0.weight").get_attribute("class")
    field.fill("softmax")
    assert view.root.locator(".hits").inner_text() == "6"
    field.press("Enter")
    assert view.root.locator(".hits").inner_text() == "1 of 6"
    field.fill("no such thing")
    assert view.root.locator(".hits").inner_text() == "not found"


def test_the_overview_is_there_while_something_is_out_of_view_and_moves_the_view(page, show):
    view = show(stepper_of(gpt))
    strip = view.root.locator(".overview")
    assert strip.is_visible()
    before = view.svg.get_attribute("viewBox")
    strip.click(position={"x": 40, "y": 5})
    assert view.svg.get_attribute("viewBox") != before
    view.svg.focus()
    view.press("0")
    assert strip.is_hidden()


def test_the_keyboard_reaches_every_box(page, show):
    view = show(stepper_of(gpt))
    whole(view)
    view.press("ArrowUp")
    reached = set()
    for _ in range(12):
        reached.add(page.evaluate("views[0].el.shadowRoot.activeElement.dataset.box"))
        view.press("ArrowRight")
    assert reached == {str(box) for box in range(view.root.locator(".box").count())}


def test_from_a_result_every_operand_is_one_arrow_away_from_the_first(page, show):
    view = show(viz.step(product_and_sum()[0]))
    view.svg.focus()
    view.press("ArrowDown", "ArrowUp", "ArrowUp")
    named_ = "views[0].el.shadowRoot.activeElement.getAttribute('aria-label').split(',')[0]"
    walked = [page.evaluate(named_)]
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft"):
        view.press(key)
        walked.append(page.evaluate(named_))
    assert walked == ["x", "y", "x", "y"]


def test_a_graph_without_a_pass_has_no_steps_and_shows_what_it_holds(show):
    model, loss = gpt()
    loss.backward()
    view = show(viz.graph(loss, model=model))
    assert view.root.locator(".play").count() == 0
    view.svg.focus()
    view.press("0")
    assert "gradient freed" in named(view, "blocks").get_attribute("aria-label")
    assert "freed" in named(view, "blocks").get_attribute("class").split()


def test_what_the_script_needs_is_plain_json_and_says_each_node_once():
    for maker in LARGE.values():
        stepper = stepper_of(maker)
        traits = stepper._player().state["scene"]
        json.dumps(traits, allow_nan=False)
        own = [box["node"] for level in traits["levels"] for box in level["boxes"] if "copy" not in box]
        assert len(own) == len(set(own))


# -- seen by somebody who looked ---------------------------------------------------------------------------------------


def covered(box):
    """Whether the strip that shows all lies over a box."""
    return box.evaluate("""box => {
      const strip = box.getRootNode().querySelector('.overview'), a = strip.getBoundingClientRect();
      const b = box.querySelector('rect').getBoundingClientRect();
      return !strip.hidden && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    }""")


def test_what_a_step_changes_is_never_below_the_overview(show):
    x = Value(1.0, label="x")
    for place in range(12):
        x = x * Value(1.0, label=f"a long name to the right {place}")
    view = show(viz.step(x))
    view.svg.focus()
    view.press("+", "+", "+")
    view.root.locator(".overview:not([hidden])").wait_for()
    for _ in range(25):
        view.press(".")
        assert not covered(view.root.locator(".box.active").first)


def test_what_a_search_finds_stands_in_the_middle(page, show):
    view, picked = show(stepper_of(gpt)), None
    for wanted in ("softmax", "mul"):
        view.root.locator("input[type=search]").fill(wanted)
        view.root.locator("input[type=search]").press("Enter")
        page.wait_for_function(
            """before => {
              const root = views[0].el.shadowRoot;
              const box = root.querySelector('.box.picked');
              if (!box || box.dataset.node === before) return false;
              const seen = box.querySelector('rect').getBoundingClientRect();
              const all = root.querySelector('.canvas').getBoundingClientRect();
              const middle = (seen.top + seen.height / 2 - all.top) / all.height;
              return 0.3 < middle && middle < 0.7;
            }""",
            arg=picked,
        )
        picked = view.root.locator(".box.picked").first.get_attribute("data-node")
        assert picked


def test_leaves_that_are_drawn_as_one_box_are_named_beside_it_each_with_its_gradient(page, show):
    view = show(stepper_of(unrolled))
    view.root.locator(".box[aria-expanded=false]").first.click(position={"x": 12, "y": 20})
    several = view.root.locator(".box.leaf:not(.copy)[aria-label*=' leaves']").first
    several.click()
    view.press("End")
    stepper = stepper_of(unrolled)
    names = [stepper._names[node.idx] for node in stepper.graph.nodes if node.kind == "leaf"]
    said = dict(
        zip(
            view.root.locator(".facts dt").all_inner_texts(),
            view.root.locator(".facts dd").all_inner_texts(),
            strict=True,
        )
    )
    assert len([name for name in names if said.get(name, "").startswith("grad ")]) > 1


def test_a_badge_is_no_wider_than_its_box_in_an_open_group(page, show):
    layer = nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0, batch_first=True)
    model = nn.Sequential(nn.TransformerEncoder(layer, 2), nn.Linear(4, 3))
    view = show(viz.step(model(Tensor(np.ones((1, 3, 4), "f"))).sum(), model=model))
    for _ in range(4):
        whole(view)
        view.root.locator(".box[aria-expanded=false]").last.click()
    wider = view.root.locator(".box").evaluate_all("""all => all.filter(box => {
      const pill = box.querySelector('.pill');
      const wide = each => each.getBoundingClientRect().width;
      return pill && wide(pill) > wide(box.querySelector('rect:not(.behind)'));
    }).map(box => box.getAttribute('aria-label'))""")
    assert wider == []


def test_every_result_is_marked_and_its_group_as_long_as_it_is_closed(page, show):
    x = hidden = Tensor([1.0, 2.0], requires_grad=True)
    made = []
    for _ in range(80):
        hidden = hidden * x
        made.append(hidden)
    view = show(viz.graph({"early": made[10], "late": made[-1]}))
    whole(view)
    closed = view.root.locator(".box.top")
    assert closed.count() == 2
    assert named(view, "early").count() == 0
    view.root.get_by_role("searchbox").first.fill("early")
    view.root.get_by_role("searchbox").first.press("Enter")
    assert "top" in named(view, "early").get_attribute("class")
    one = show(viz.graph(made[-1]))
    assert one.root.locator(".box.top").count() == 1
