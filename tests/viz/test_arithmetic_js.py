"""static/arithmetic.js in a headless Chromium: the same numbers as Python's, and written alike."""

import math
import re
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from widget_page import STATIC

from minitorch import viz
from minitorch.scalar import Value
from minitorch.viz.facts import words
from minitorch.viz.facts.calculating import ONE, TWO, result, slopes
from minitorch.viz.facts.nudging import exact

pytestmark = [pytest.mark.browser, pytest.mark.timeout(1800)]

EXACT = {
    "positive",
    "neg",
    "add",
    "sub",
    "mul",
    "div",
    "square",
    "reciprocal",
    "sqrt",
    "abs",
    "relu",
    "leaky_relu",
    "dot",
}
# Not maximum and minimum: of 0 and -0 NumPy leaves it open which one is the larger.
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


# Of two Values and a Python number. The power of 0 cannot be worked out, which an error says.
# fmt: off
MADE = [
    lambda a, b, c: a + b,           lambda a, b, c: a * b,              lambda a, b, c: a - b,
    lambda a, b, c: a + c,           lambda a, b, c: c * a,              lambda a, b, c: c - a,
    lambda a, b, c: a / c,           lambda a, b, c: c / (a * a + 1),    lambda a, b, c: a / (b * b + c),
    lambda a, b, c: -a,              lambda a, b, c: (a * a + c) ** c,   lambda a, b, c: a**2 if a.data else a,
    lambda a, b, c: a.tanh(),        lambda a, b, c: c ** a.tanh(),      lambda a, b, c: a.sigmoid(),
    lambda a, b, c: a.tanh().exp(),  lambda a, b, c: (a * a + c).log(),  lambda a, b, c: a.relu(),
    lambda a, b, c: Value.dot([a, b], [b, c], c),
]
# fmt: on


@st.composite
def expressions(draw):
    """A graph of Values, and Python numbers on either side of its operations; none of it leaves the numbers."""
    values = [Value(draw(st.floats(0.1, 3)), label=name) for name in "xyz"]
    number = st.floats(0.5, 2).map(lambda each: round(each, 2))
    for _ in range(draw(st.integers(2, 10))):
        a, b, c = draw(st.sampled_from(values)), draw(st.sampled_from(values)), draw(number)
        made = draw(st.sampled_from(MADE))
        values.append(made(a, b, c))
    return sum(values[3:], values[0])


def test_graphs_of_values_come_to_the_same_numbers_and_gradients(engine):
    roots = []

    @settings(max_examples=200)
    @given(expressions())
    def collect(root):
        roots.append(root)

    collect()
    pictures = [viz.nudge(root, fold=False) for root in roots]
    found = engine.evaluate(
        """all => all.map(facts => {
          const calculation = new engine.Calculation(facts), numbers = calculation.forward(facts.start.map(Number));
          return [numbers, calculation.backward(numbers).gradients];
        })""",
        [picture._player().state["scene"]["nudge"] for picture in pictures],
    )
    for root, picture, (numbers, gradients) in zip(roots, pictures, found, strict=True):
        root.backward()
        assert picture.notes == ()
        assert numbers[picture.graph.root] == pytest.approx(root.data, rel=1e-10, abs=1e-10)
        leaves = {each.label: each for each in root._ancestors() if each.label}
        for idx in picture.calculation.leaves:
            leaf = leaves[picture.graph.nodes[idx].label]
            assert gradients[idx] == pytest.approx(leaf.grad, rel=1e-8, abs=1e-8)


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
