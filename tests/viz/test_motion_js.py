"""Light on its way along the edges of a stepper: what a reader sees while it moves, and where nothing moves."""

import pytest
from viz_models import gpt
from viz_pictures import product_and_sum, random_values
from widget_page import Stepper, widget_page

from minitorch import viz

pytestmark = [pytest.mark.browser, pytest.mark.timeout(1800)]
LIGHTS = "views[0].el.shadowRoot.querySelectorAll('.light')"
RUNNING = "views[0].el.shadowRoot.querySelector('.canvas > svg').getAnimations({ subtree: true })"


@pytest.fixture(params=["no-preference"])
def view(browser, request):
    """A stepper of x * y + x, in a page whose reader wants motion, or does not."""
    with widget_page(browser, "graph.js", 800, request.param) as page:
        yield shown(page, viz.step(product_and_sum()[0]))


def shown(page, stepper):
    page.evaluate("state => show(state)", {"scene": stepper._player().state["scene"], "step": 0})
    view = Stepper(page, 0)
    view.root.locator(".box").first.wait_for()
    view.svg.focus()
    return view


def slowly(view):
    """Until `s` has been pressed often enough, so that there is time to look."""
    while "slow" not in view.root.locator(".pace").inner_text():
        view.press("s")


def lights(view):
    return view.page.evaluate(f"{LIGHTS}.length")


def arrived(view):
    view.page.wait_for_function(f"{LIGHTS}.length === 0")


def at(view, share):
    """Stops the light at a share of its way, and gives where its middle is seen."""
    return view.page.evaluate(
        f"""share => {{
          for (const each of {RUNNING}) {{ each.pause(); each.currentTime = share * each.effect.getTiming().duration; }}
          const {{ left, top, width, height }} = {LIGHTS}[0].getBoundingClientRect();
          return [left + width / 2, top + height / 2];
        }}""",
        share,
    )


def middle(view, node):
    box = view.node(node).locator("rect").first.bounding_box()
    return box["x"] + box["width"] / 2, box["y"], box["y"] + box["height"]


def test_the_number_goes_from_the_operation_to_its_operand_and_only_then_is_there(view):
    slowly(view)
    view.press("ArrowRight", "ArrowRight", "ArrowRight")  # loss to x: = 1
    assert (view.step(), lights(view)) == (3, 1)
    assert "adds to x" not in view.status()
    assert "sets the gradient of x" in view.status()
    assert view.states()[0] == ("no gradient yet", "none")  # it is on its way
    _, top, _ = middle(view, 3)
    start, end = at(view, 0.0), at(view, 0.99)
    assert abs(start[1] - top) < 30, "it starts at the operation, which is the result"
    across, _, foot = middle(view, 0)
    assert abs(end[0] - across) < 4
    assert foot - 24 < end[1] < foot, "it ends on the chip of x"
    view.page.evaluate(f"{RUNNING}.forEach(each => each.play())")
    arrived(view)
    assert view.states()[0] == ("grad 1", "some")


def test_it_carries_the_number_and_lands_as_an_addition(view):
    slowly(view)
    view.press("ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight")
    texts = view.root.locator(".light text")

    def seen(share):
        at(view, share)
        return texts.evaluate_all(
            "all => all.filter(each => getComputedStyle(each).opacity > 0.5).map(each => each.textContent)"
        )

    assert seen(0.3) == ["−3"]
    assert seen(0.9) == ["+= −3"]
    assert view.states()[0] == ("grad 1", "some")
    label = [said for look, said in view.edges().values() if "now" in look]
    assert label == [""], "its label stands there when it has landed"
    view.page.evaluate(f"{RUNNING}.forEach(each => each.finish())")
    arrived(view)
    assert view.states()[0] == ("grad −2", "some")
    assert [said for look, said in view.edges().values() if "now" in look] == ["+= −3"]


def test_a_second_press_finishes_what_is_on_its_way_at_once(view):
    slowly(view)
    view.press("ArrowRight", "ArrowRight", "ArrowRight")
    assert view.states()[0] == ("no gradient yet", "none")
    view.press("ArrowRight")
    assert (view.states()[0], lights(view), view.step()) == (("grad 1", "some"), 1, 4)


def test_back_and_far_away_there_is_no_light(view):
    slowly(view)
    for keys, step in ((["End"], 5), (["ArrowLeft"], 4), (["Home"], 0)):
        view.press(*keys)
        assert (view.step(), lights(view)) == (step, 0)
    view.scrub.fill("3")
    assert (lights(view), view.states()[0]) == (0, ("grad 1", "some"))
    view.press("ArrowRight")  # in the scrub bar
    assert (view.step(), lights(view)) == (4, 0)


def test_nothing_but_transforms_and_opacity_moves_and_nothing_is_left(view):
    slowly(view)
    view.press("ArrowRight", "ArrowRight")
    moved = view.page.evaluate(
        f"{RUNNING}.flatMap(each => each.effect.getKeyframes().flatMap(frame => Object.keys(frame)))"
    )
    assert set(moved) - {"offset", "computedOffset", "easing", "composite"} == {"transform", "opacity"}
    view.press("End")
    assert view.page.evaluate(f"{RUNNING}.length") == 0


def test_the_speed_goes_round_and_playing_takes_it(view):
    pace = view.root.locator(".pace")
    said = [pace.get_attribute("aria-label")]
    for _ in range(3):
        view.press("s")
        said.append(pace.get_attribute("aria-label"))
    assert said == ["speed: normal (s)", "speed: fast (s)", "speed: slow (s)", "speed: normal (s)"]

    def lasts():
        return view.page.evaluate(f"{RUNNING}[0].effect.getTiming().duration")

    times = {}
    for _ in range(3):
        view.press("Home", "ArrowRight", "ArrowRight")
        times[pace.inner_text()] = lasts()
        pace.click()
    assert times["fast"] < times["normal"] < times["slow"]


def test_playing_at_a_speed(browser):
    with widget_page(browser, "graph.js", 800) as page:
        page.clock.install()
        view = shown(page, viz.step(product_and_sum()[0]))
        view.press("s", " ")  # fast
        page.clock.run_for(1100)
        assert view.step() == 3
        view.press("s")  # slow, while it plays
        page.clock.run_for(1900)
        assert view.step() == 3
        page.clock.run_for(200)
        assert view.step() == 4


@pytest.mark.parametrize("view", ["reduce"], indirect=True)
def test_a_reader_who_wants_no_motion_sees_none(view):
    slowly(view)
    view.press("ArrowRight", "ArrowRight", "ArrowRight")
    assert (lights(view), view.states()[0]) == (0, ("grad 1", "some"))
    assert view.page.evaluate(f"{RUNNING}.length") == 0


def test_the_details_and_the_words_of_a_box_wait_for_the_light(view):
    slowly(view)
    view.node(0).click()
    view.press(".", ".", ".")
    facts = view.root.get_by_role("region", name="details")
    assert "= 1 × 1 = 1" not in facts.inner_text()
    assert "no gradient yet" in view.node(0).get_attribute("aria-label")
    view.page.evaluate(f"{RUNNING}.forEach(each => each.finish())")
    arrived(view)
    assert "= 1 × 1 = 1" in facts.inner_text()
    assert view.node(0).get_attribute("aria-label").endswith("grad 1")


def test_light_comes_out_of_a_closed_group_and_opening_it_ends_that(browser):
    model, loss = gpt()
    with widget_page(browser, "graph.js", 800, "no-preference") as page:
        view = shown(page, viz.step(loss, model=model))
        slowly(view)
        for _ in range(40):
            view.press("ArrowRight")
            if lights(view):
                break
        assert lights(view) == 1
        view.root.locator(".box[aria-expanded=false]").first.click()
        assert lights(view) == 0


def test_no_light_in_a_drawing_that_is_far_away(browser):
    with widget_page(browser, "graph.js", 800, "no-preference") as page:
        view = shown(page, viz.step(random_values(400), fold=False))
        view.press("0", "ArrowRight", "ArrowRight")
        assert "far" in view.svg.get_attribute("class")
        assert (view.step(), lights(view)) == (2, 0)
