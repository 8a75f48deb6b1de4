"""static/nudge.js in a headless Chromium: a reader changes numbers, and reads what follows."""

import gzip
import math
import re

import pytest
from viz_models import scalar_mlp
from viz_pictures import neuron, product_and_sum
from widget_page import STATIC, View, text_of, widget_page

from minitorch import Tensor, viz
from minitorch.nn.functional import leaky_relu
from minitorch.scalar import Value
from minitorch.viz.drawing import palette
from minitorch.viz.facts.nudging import exact

pytestmark = [pytest.mark.browser, pytest.mark.timeout(1800)]

OWN = ("nudge.js", "arithmetic.js", "agreement.js", "knob.js", "panel.js", "plot.js")


@pytest.fixture
def page(browser):
    with widget_page(browser, "nudge.js", 900) as page:
        yield page


class Nudged(View):
    """One picture whose numbers change."""

    def __init__(self, page, index):
        super().__init__(page, index)
        self.number = self.root.locator("input[type=number]")
        self.slider = self.root.locator("input[type=range]")
        self.leaf = self.root.get_by_label("number to nudge")
        self.h = self.root.get_by_label("h of the finite difference")
        self.back = self.root.get_by_role("button", name="put all numbers back as they were")

    def settled(self):
        """What is painted in the next frame is painted."""
        self.page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        return self

    def boxes(self):
        """Name → (what its box says of the value, of the gradient)."""
        self.settled()
        found = self.root.locator(".box").evaluate_all(
            "all => all.map(b => [b.querySelector('tspan').textContent, b.querySelector('tspan + tspan').textContent,"
            " b.querySelector('.state').textContent])"
        )
        return {name: (value.strip(), grad) for name, value, grad in found}

    def arrows(self):
        self.settled()
        return self.root.locator(".edge text").all_text_contents()

    def panel(self):
        self.settled()
        terms = self.root.locator(".facts dt").all_inner_texts()
        return dict(zip(terms, self.root.locator(".facts dd").all_inner_texts(), strict=True))

    def verdict(self):
        self.settled()
        return self.root.locator(".verdict").inner_text()

    def line(self):
        self.settled()
        return self.root.locator(".status").inner_text()

    def told(self):
        """What a screen reader is told."""
        return self.root.get_by_role("status").inner_text()

    def box(self, name):
        return self.root.locator(f".box[aria-label^='{name},']").first

    def put(self, value):
        self.number.fill(str(value))
        return self.settled()

    def drag(self, name, pixels, steps=4, drop=True):
        at = self.box(name).bounding_box()
        x, y = at["x"] + 10, at["y"] + at["height"] / 2
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        for step in range(1, steps + 1):
            self.page.mouse.move(x + pixels * step / steps, y)
        if drop:
            self.page.mouse.up()
        return self.settled()


@pytest.fixture
def show(page):
    def shown(root, names=None, **options):
        picture = viz.nudge(root, names, **options)
        page.evaluate("state => show(state)", dict(picture._player().state))
        view = Nudged(page, page.locator(".root").count() - 1)
        view.root.locator(".box").first.wait_for()
        return view.settled()

    return shown


def kinked():
    """f = relu(x * y + z), with its kink at x = 4 / 3."""
    x, y, z = Value(2.0, label="x"), Value(3.0, label="y"), Value(-4.0, label="z")
    f = (x * y + z).relu()
    f.label = "f"
    return f


# -- what is there ---------------------------------------------------------------------------------------------------


def test_the_scripts_are_small_and_our_own():
    for name in OWN:
        source = STATIC.joinpath(name).read_text("utf-8")
        assert len(gzip.compress(source.encode(), 9)) <= 5_000, name
        assert not re.search(r"\bimport\(|\bfetch\(|XMLHttpRequest|\beval\(|innerHTML|https?://", source)


def test_every_colour_of_the_script_is_in_the_palette():
    assert set(re.findall(r"var\(--([a-z-]+)\)", text_of("nudge.js"))) <= set(palette.LIGHT)


# -- a reader at work --------------------------------------------------------------------------------------------------


def test_typing_a_number_changes_values_gradients_and_the_finite_difference_together(show):
    view = show(kinked())
    assert view.boxes()["v1"] == ("= 6", "grad 1")
    assert view.arrows() == ["3", "2", "1", "1", "1"]
    view.put(5)
    assert view.boxes()["x"] == ("= 5 ↑", "grad 3")
    assert view.boxes()["v1"] == ("= 15 ↑", "grad 1")
    assert view.boxes()["f"] == ("= 11 ↑", "grad 1")
    assert view.boxes()["y"] == ("= 3", "grad 5")
    assert view.arrows() == ["3", "5", "1", "1", "1"]
    panel = view.panel()
    assert (panel["gradient df/dx"], panel["finite difference"]) == ("3", "3")
    assert (panel["f(x + h)"], panel["f(x − h)"]) == ("11.0003", "10.9997")
    assert "was 2" in panel
    assert view.verdict().startswith("The two agree in ")


def test_what_a_box_says_is_what_a_screen_reader_hears_of_it(show):
    view = show(kinked())
    view.put(1)
    heard = view.box("v1").get_attribute("aria-label")
    assert heard == "v1, x * y, value 3, fell by 3, grad 0"


def test_a_box_is_dragged_and_the_picture_stays_where_it_is(show):
    view = show(kinked())
    before = view.root.locator(".canvas > svg").get_attribute("viewBox")
    view.drag("y", -60)  # ten units of 0.1
    assert view.boxes()["y"] == ("= 2 ↓", "grad 0")
    assert view.number.input_value() == "2"
    assert view.line() == "y −1 → f −2 (the gradient said −2). On the way f = relu(v2) met its kink."
    assert view.root.locator(".canvas > svg").get_attribute("viewBox") == before
    view.drag("x", 120)
    assert view.boxes()["x"] == ("= 4 ↑", "grad 2")


def test_anything_but_a_leaf_moves_the_picture(show):
    view = show(kinked())
    before = view.root.locator(".canvas > svg").get_attribute("viewBox")
    view.drag("v1", -60)
    assert view.root.locator(".canvas > svg").get_attribute("viewBox") != before
    assert view.boxes()["v1"] == ("= 6", "grad 1")


def test_escape_while_dragging_puts_the_number_back(show):
    view = show(kinked())
    view.put(3)
    view.drag("x", -120, drop=False)
    assert view.boxes()["x"][0] == "= 1 ↓"
    view.press("Escape")
    assert view.settled().number.input_value() == "3"
    view.page.mouse.move(5, 300)
    assert view.settled().number.input_value() == "3"
    view.page.mouse.up()
    assert view.boxes()["f"][0].startswith("= 5")


def test_a_finger_drags_a_box(browser):
    with widget_page(browser, "nudge.js", 900) as page:
        page.evaluate("state => show(state)", dict(viz.nudge(kinked())._player().state))
        view = Nudged(page, 0).settled()
        at = view.box("x").bounding_box()
        x, y = at["x"] + 20, at["y"] + 20
        client = page.context.new_cdp_session(page)
        client.send("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 1})
        client.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        for moved in (20, 40, 60):
            client.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x + moved, "y": y}]})
        client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        assert view.boxes()["x"] == ("= 3 ↑", "grad 3")


def test_the_keyboard_nudges_a_leaf_in_its_box_and_in_its_field(show):
    view = show(kinked())
    view.box("x").focus()
    view.press("ArrowUp", "ArrowUp", "ArrowUp")
    assert view.settled().number.input_value() == "2.3"  # not 2.3000000000000003
    view.press("Shift+ArrowDown")
    assert view.settled().number.input_value() == "1.3"
    view.number.focus()
    view.press("ArrowUp")
    assert view.settled().number.input_value() == "1.4"
    view.slider.focus()
    view.press("ArrowRight")
    assert view.boxes()["x"][0].startswith("= 1.5")


def test_the_keyboard_goes_from_box_to_box_and_what_is_no_leaf_is_walked(show):
    view = show(kinked())
    view.root.locator(".canvas > svg").focus()
    view.press("ArrowUp", "ArrowUp")  # to the result, to what it is made of
    heard = "document.querySelector('div').shadowRoot.activeElement.getAttribute('aria-label').split(',')[0]"
    assert view.page.evaluate(heard) == "v2"
    view.press("Enter")
    assert view.panel()["made by"] == "v1 + z"
    view.press("ArrowRight")
    assert view.page.evaluate(heard) in {"f", "z", "v1"}


def test_the_keyboard_reaches_every_control_and_every_box(show):
    view = show(kinked())
    view.put(1)
    inside = "document.querySelector('div').shadowRoot.activeElement"
    controls = view.root.locator("button:enabled, input, select").count()
    view.leaf.focus()
    reached = {view.page.evaluate(f"{inside}.getAttribute('aria-label')")}
    for _ in range(controls + 1):
        view.press("Tab")
        reached.add(view.page.evaluate(f"{inside}?.getAttribute('aria-label')"))
    assert len(reached) == controls + 2, "the controls, the graph, and what stands beside it"
    view.root.locator(".canvas > svg").focus()
    view.press("ArrowUp")
    boxes = set()
    for _ in range(6):
        view.press("ArrowRight")
        boxes.add(view.page.evaluate(f"{inside}.dataset.node"))
    assert boxes == set("012345")


def test_choosing_another_leaf_asks_about_that_one(show):
    view = show(kinked())
    view.leaf.select_option("z")
    assert view.panel()["gradient df/dz"] == "1"
    assert view.root.get_by_label("value of z", exact=True).input_value() == "-4"
    assert "picked" in view.box("z").get_attribute("class")
    view.box("y").click()
    assert view.leaf.input_value() == "1"
    assert view.panel()["gradient df/dy"] == "2"


def test_put_back_is_there_once_something_has_changed(show):
    view = show(kinked())
    assert view.back.is_disabled()
    view.put(0.5)
    assert view.back.is_enabled()
    view.back.click()
    assert view.boxes() == show(kinked()).boxes()
    assert view.back.is_disabled()
    assert view.line() == "All numbers are as they were."


def test_the_last_change_is_told_once_when_it_is_over(page, show):
    page.clock.install()
    view = show(product_and_sum()[0])
    heard = page.evaluate_handle(
        "() => { const heard = [], told = views[0].el.shadowRoot.querySelector('[role=status]');"
        " new MutationObserver(() => heard.push(told.textContent)).observe(told, { childList: true }); return heard; }"
    )
    view.box("x").focus()
    for _ in range(5):
        view.press("ArrowUp")
    page.clock.run_for(100)
    assert view.line() == "x +0.5 → loss −1 (the gradient said −1)."
    assert heard.json_value() == []
    page.clock.run_for(1000)
    assert heard.json_value() == ["x +0.5 → loss −1 (the gradient said −1)."]
    page.clock.run_for(5000)
    assert len(heard.json_value()) == 1
    assert view.root.locator(".status").get_attribute("aria-hidden") == "true"


def test_a_plain_number_is_nudged_too_and_said_to_be_a_constant(show):
    x = Value(2.0, label="x")
    view = show(3 * x + x**2)
    view.leaf.select_option(label="number in v1 (constant)")
    assert view.panel()["gradient dv3/dc"] == "needs none"
    assert view.panel()["finite difference"] == "2"
    assert view.verdict() == (
        "A constant needs no gradient, so backward computes none for it. v3 would change with it all the same: by 2 "
        "for each unit, says the finite difference."
    )
    assert view.root.locator(".plot .tangent").get_attribute("d") == ""
    view.root.get_by_label("value of number in v1", exact=False).first.fill("-4.5")
    view.settled()
    assert view.boxes()["v1"] == ("= −9 ↓", "grad 1")
    assert view.boxes()["x"] == ("= 2", "grad −0.5")
    assert view.line() == "number in v1 −7.5 → v3 −15 (a constant has no gradient that could say so)."
    box = view.box("v1")
    assert box.locator(".badge").text_content() == "× −4.5"
    assert box.locator("title").text_content() == "v1 = x * −4.5"
    assert "x * −4.5" in box.get_attribute("aria-label")
    view.back.click()
    assert view.settled().box("v1").locator(".badge").text_content() == "× 3"


def test_a_constant_with_a_box_is_dragged_and_reached_by_keyboard(show):
    t, c = Tensor(2.0, requires_grad=True), Tensor(3.0)
    s = t * c
    view = show(s + 5.0, {"t": t, "c": c, "s": s})
    view.drag("c", 60)  # ten units of 0.1
    assert view.boxes()["c"] == ("= 4 ↑", "constant")
    assert view.boxes()["s"][0] == "= 8 ↑"
    assert view.panel()["gradient dv1/dc"] == "needs none"
    view.box("5").focus()
    view.press("Shift+ArrowUp")
    assert view.boxes()["v1"] == ("= 14 ↑", "grad 1")
    assert view.box("v1").locator("title").text_content() == "v1 = add(s, 6)"


def test_a_leaky_relu_follows_and_so_does_its_slope(show):
    x = Tensor(-2.0, requires_grad=True)
    y = leaky_relu(x, 0.2)
    view = show(y, {"x": x, "y": y})
    assert view.boxes()["y"] == ("= −0.4", "grad 1")
    assert view.panel()["gradient dy/dx"] == "0.2"
    view.put(3)
    assert view.boxes()["y"][0] == "= 3 ↑"
    view.put(0)
    assert view.verdict().endswith("leaky_relu has the slope there that it has below 0.")
    view.put(-2)
    view.leaf.select_option(label="slope below 0 in y (constant)")
    assert view.panel()["finite difference"] == "−2"


# -- where the two differ ----------------------------------------------------------------------------------------------


def test_through_the_kink_of_relu(page, show):
    page.clock.install()
    view = show(kinked())
    view.h.select_option("0.1")
    view.put(1.3)  # v2 = −0.1, the kink 0.033 above
    assert view.panel()["gradient df/dx"] == "0"
    assert view.panel()["finite difference"] == "1"
    assert view.verdict() == (
        "f = relu(v2) has a kink between x − h and x + h: the slope of f is 0 on its left and 3 on its right, and the "
        "finite difference mixes the two."
    )
    view.page.clock.run_for(1000)
    assert view.told().startswith(
        "x −0.7 → f −2 (the gradient said −2.1). On the way f = relu(v2) met its kink. f = relu"
    )
    view.put(4 / 3)
    assert view.verdict().endswith("At the kink itself backward has a rule: relu passes nothing on at 0.")
    view.put(1)
    assert view.verdict() == "The two are equal."
    assert view.line() == "x −0.3 → f +0 (the gradient said +0)."


def test_the_curve_its_tangent_and_the_line_of_the_difference_are_drawn(show):
    x = Value(2.0, label="x")
    view = show((x * x).relu(), names={})
    view.h.select_option("1")
    plot = view.root.get_by_role("img", name="v2 against x, from -2 to 6".replace("-", "−"))
    assert "the tangent at x has the slope 4, the line through the points at x − h and x + h the slope 4." in (
        plot.get_attribute("aria-label")
    )
    curve = plot.locator(".curve").get_attribute("d")
    tangent, secant = plot.locator(".tangent"), plot.locator(".secant")
    assert curve.count("L") == 80
    slope = "path => { const [a, b, c, d] = path.getAttribute('d').match(/-?[\\d.]+/g); return (d - b) / (c - a); }"
    assert tangent.evaluate(slope) == pytest.approx(secant.evaluate(slope), rel=0.01)
    before = view.root.locator(".here").get_attribute("cx")
    view.put(3)
    assert plot.locator(".curve").get_attribute("d") == curve, "the curve stays while the point goes along it"
    assert float(view.root.locator(".here").get_attribute("cx")) > float(before)
    assert "slope 6" in view.root.locator(".plot").get_attribute("aria-label")


def test_the_curve_has_a_gap_where_there_is_no_number(show):
    view = show(Value(1.0, label="x").log())
    assert view.root.locator(".curve").get_attribute("d").count("M") == 1
    view.put(-1)
    assert view.root.locator(".here").evaluate("here => here.style.display") == "none"
    assert view.root.locator(".plot .tangent").get_attribute("d") == ""


def test_h_can_be_too_large_and_too_small(show):
    x = Value(1.0, label="x")
    f = x.exp()
    f.label = "f"
    view = show(f)
    view.h.select_option("1")
    assert view.panel()["finite difference"] == exact((math.e**2 - 1) / 2)
    assert view.verdict() == "The two differ by 0.476: f bends between x − h and x + h. A smaller h comes nearer."
    view.h.select_option("0.00001")
    assert re.fullmatch(r"The two agree in 1\d digits\.", view.verdict())
    view.h.select_option("1e-15")
    assert "from rounding" in view.verdict()
    view.h.select_option("1e-16")
    view.put(3)
    assert view.verdict() == "h is so small that x + h is x, rounded: nothing moves."


def test_where_something_is_not_defined_it_says_what_and_where(show):
    x = Value(0.5, label="x")
    view = show(x.log())
    view.put(-2)
    assert view.boxes()["x"][1] == "grad −0.5"
    assert view.verdict() == "At x, v1 = log(x) is nan: log needs a number above 0 and gets −2."
    view.h.select_option("1")
    view.put(0.5)
    assert view.verdict() == "At x − h, v1 = log(x) is nan: log needs a number above 0 and gets −0.5."


BRANCHES = "so f(x + h) and f(x − h) lie on different branches."


@pytest.mark.parametrize(
    ("make", "value", "said"),
    [
        (lambda x: 1 / x, 0, "At x, v1 = 1 / x is inf: a division by 0."),
        (lambda x: x**0.5, -4, "At x, v1 = x ** 0.5 is nan: −4 to a power that is not whole is no real number."),
        (lambda x: x**-2, 0, "At x, v1 = x ** -2 is inf: 0 to a negative power is a division by 0."),
        (lambda x: x.exp(), 1000, "At x, v1 = exp(x) is inf: it is too large for a float64."),
        (lambda x: 1 / x, 1e-5, f"v1 = 1 / x divides by 0 between x − h and x + h, {BRANCHES}"),
    ],
)
def test_each_way_to_be_undefined_has_its_sentence(show, make, value, said):
    view = show(make(Value(2.0, label="x")))
    view.put(value)
    assert view.verdict() == said


def test_a_learner_reads_what_is_wrong_and_their_own_gradient(show):
    class Own:
        def __init__(self, data, prev=(), op="", grad=0.0):
            self.data, self._prev, self._op, self.grad = data, prev, op, grad

    a, b = Own(2.0, grad=2.0), Own(3.0, grad=2.0)
    view = show(Own(5.0, (a, b), "*", 1.0), {"a": a, "b": b})
    assert view.boxes()["v1"] == ("= 6", "grad 1")
    notes = view.root.locator(".note").all_inner_texts()
    assert notes[0].startswith("Your × gave 5 where 2 × 3 is 6.")
    assert notes[1] == "Your backward pass left 2 in the grad of a; the gradient is 3."
    assert view.panel()["your backward pass"] == "2"
    view.leaf.select_option("b")
    assert "your backward pass" not in view.panel()


def test_a_folded_graph_follows_and_its_groups_open(show):
    _, loss = scalar_mlp()
    view = show(loss)
    assert view.root.locator(".box").count() < 40
    before = view.boxes()["loss"][0]
    norm = view.root.locator(".box .state").all_text_contents()
    view.put(1.5)
    assert view.boxes()["loss"][0] != before
    assert view.root.locator(".box .state").all_text_contents() != norm
    group = view.root.locator(".box[aria-expanded=false]").first
    group.click()
    assert view.root.locator(".box.frame").count() == 1
    for each in view.root.locator(".box:not(.frame)").all():
        assert "= " in each.text_content() or "grad norm" in each.text_content()


def test_a_saved_page_lives_without_a_kernel_in_spanish_too(browser, tmp_path, monkeypatch):
    monkeypatch.setenv("MINITORCH_LANG", "es")
    saved = viz.nudge(neuron()[0]).html(tmp_path / "a.html")
    context = browser.new_context(offline=True)
    page = context.new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(saved.as_uri())
    page.locator("#player input[type=number]").fill("0")
    page.wait_for_function(
        "document.querySelector('#player').shadowRoot.querySelector('.status').textContent[0] === 'w'"
    )
    said = page.locator("#player .status").inner_text()
    context.close()
    assert said.startswith("w +3 → out +0.")
    assert "(el gradiente decía" in said
    assert errors == []
