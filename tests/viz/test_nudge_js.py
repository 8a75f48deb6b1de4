"""static/nudge.js, arithmetic.js and agreement.js in a headless Chromium: the same numbers as Python, and a reader."""

import gzip
import math
import re
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from widget_page import STATIC, View, text_of, widget_page

from minitorch import viz
from minitorch.scalar import Value
from minitorch.viz.drawing import palette
from minitorch.viz.facts import words
from minitorch.viz.facts.calculating import ONE, TWO, result, slopes
from minitorch.viz.facts.nudging import exact

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

OWN = ("nudge.js", "arithmetic.js", "agreement.js", "knob.js")
EXACT = {"positive", "neg", "add", "sub", "mul", "div", "square", "reciprocal", "sqrt", "abs", "relu", "dot"}
EXACT |= {"maximum", "minimum"}


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
        return self.root.locator(".edge text").all_inner_texts()

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


# -- the same numbers as Python --------------------------------------------------------------------------------------

IMPORTED = re.sub(r"^export ", "", STATIC.joinpath("arithmetic.js").read_text("utf-8"), flags=re.MULTILINE)
SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 1e-300, -1e300, 710.0, -800.0, math.inf, -math.inf, math.nan]
NUMBERS = st.one_of(st.sampled_from(SPECIAL), st.floats(-50, 50), st.floats(), st.integers(-4, 4).map(float))


@st.composite
def programs(draw):
    """A graph as the browser gets it: leaves, then operations on what is before them."""
    leaves = draw(st.lists(NUMBERS, min_size=1, max_size=4))
    rules = [None] * len(leaves)
    for _ in range(draw(st.integers(1, 12))):
        before = st.integers(0, len(rules) - 1)
        op = draw(st.sampled_from(sorted(ONE | TWO | {"dot"})))
        count = 1 if op in ONE else 2 if op in TWO else 1 + 2 * draw(st.integers(1, 2))
        rules.append([op, [draw(before) for _ in range(count)]])
    return leaves, rules


def sent(value):
    return str(value).replace("inf", "Infinity").replace("nan", "NaN")


def got(text):
    return float(text.replace("Infinity", "inf"))


def near(op, mine, theirs):
    """Arithmetic to the bit, the sign of zero too; what a library computes to a few units in the last place."""
    if math.isnan(mine) or math.isnan(theirs):
        return math.isnan(mine) and math.isnan(theirs)
    if op in EXACT:
        return struct.pack("<d", mine) == struct.pack("<d", theirs)
    return mine == theirs or abs(mine - theirs) <= 8 * max(math.ulp(mine), math.ulp(theirs))


@pytest.fixture(scope="module")
def engine(browser):
    """static/arithmetic.js on an empty page: all tests of numbers take one session."""
    page = browser.new_page()
    page.evaluate(f"() => {{ {IMPORTED}; window.engine = {{ Calculation, OPERATIONS, written, exact }}; }}")
    yield page
    page.close()


def test_both_sides_know_the_same_operations(engine):
    assert set(engine.evaluate("Object.keys(engine.OPERATIONS)")) == ONE | TWO


def test_values_and_gradients_are_pythons_float64(engine):
    made = []

    @settings(max_examples=600)
    @given(programs())
    def collect(program):
        made.append(program)

    collect()
    found = engine.evaluate(
        """programs => programs.map(({ start, rules }) => {
          const calculation = new engine.Calculation({ rules, root: rules.length - 1 });
          const say = all => all.map(each => (Object.is(each, -0) ? "-0" : String(each)));
          const numbers = calculation.forward(start.map(Number)), { gradients, slopes } = calculation.backward(numbers);
          return [say(numbers), say(gradients), slopes.map(say)];
        })""",
        [
            {"start": [sent(each) for each in leaves] + ["0"] * (len(rules) - len(leaves)), "rules": rules}
            for leaves, rules in made
        ],
    )
    kinds = set()
    for (leaves, rules), (numbers, gradients, steep) in zip(made, found, strict=True):
        numbers, gradients = list(map(got, numbers)), list(map(got, gradients))
        steep = [list(map(got, each)) for each in steep]
        assert all(near("add", mine, theirs) for mine, theirs in zip(numbers, leaves, strict=False))
        total = {len(rules) - 1: 1.0}
        for place in range(len(rules) - 1, -1, -1):
            if rules[place] is None:
                continue
            op, operands = rules[place]
            kinds.add(op)
            taken = [numbers[each] for each in operands]
            assert near(op, numbers[place], result(op, taken)), (op, taken)
            for mine, theirs in zip(steep[place], slopes(op, taken, numbers[place]), strict=True):
                assert near(op, mine, theirs), (op, taken)
            for operand, slope in zip(operands, steep[place], strict=True):
                if place in total:
                    with np.errstate(all="ignore"):
                        comes = float(np.float64(slope) * total[place])
                        total[operand] = comes if operand not in total else float(np.float64(total[operand]) + comes)
        for place, gradient in total.items():
            assert near("add", gradients[place], gradient)
    assert kinds == ONE | TWO | {"dot"}, "an operation that was never tried"


def test_numbers_are_written_as_python_writes_them(engine):
    made = [0.125, 1.125, 2.125, -1.375, 0.0009995, 99999.5, 1e5, 123456.0, 1e-4, 1e-5, 999.5, 1e21, -0.0, 5e-324]

    @settings(max_examples=1000)
    @given(st.one_of(NUMBERS, st.integers(-(10**6), 10**6).map(lambda each: each / 1024)))
    def collect(value):
        made.append(value)

    collect()
    found = engine.evaluate(
        "all => all.map(Number).map(each => [engine.written(each), engine.exact(each)])", [*map(sent, made)]
    )
    assert [each[0] for each in found] == [words.number(each, words.TYPESET) for each in made]
    wrong = [(value, mine, exact(value)) for value, (_, mine) in zip(made, found, strict=True) if mine != exact(value)]
    assert [each for each in wrong if float(each[1].replace("−", "-")) != pytest.approx(each[0], rel=2e-10)] == []
