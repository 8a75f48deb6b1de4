"""`viz.nudge`: a graph of single numbers as a calculation, what does not agree in it, its forms and its errors."""

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from viz_forms import has_every_form
from viz_pictures import neuron, odd_labels, product_and_sum

import minitorch as mt
from minitorch import Tensor, viz
from minitorch.scalar import Value
from minitorch.viz import drawing
from minitorch.viz.facts.nudging import calculation


class Own:
    """A learner's node as many are written: parents in a set, numbers wrapped, grads that start at 0."""

    def __init__(self, data, prev=(), op=""):
        self.data, self._prev, self._op, self.grad = data, set(prev), op, 0.0

    def __add__(self, other):
        other = other if isinstance(other, Own) else Own(other)
        return Own(self.data + other.data, (self, other), "+")

    def __mul__(self, other):
        other = other if isinstance(other, Own) else Own(other)
        return Own(self.data * other.data, (self, other), "*")

    def __pow__(self, n):
        return Own(self.data**n, (self,), f"**{n}")

    def tanh(self):
        return Own(math.tanh(self.data), (self,), "tanh")


class Wrong(Own):
    def __mul__(self, other):
        return Own(self.data + other.data, (self, other), "*")


def named(picture):
    """Name → (value, gradient)."""
    return {node.label: (node.value.values[0], node.grad.values[0]) for node in picture.graph.nodes if node.label}


@pytest.mark.parametrize("maker", [product_and_sum, neuron, odd_labels])
def test_it_has_every_form(maker, tmp_path):
    has_every_form(lambda: viz.nudge(maker()[0]), tmp_path)


GOLDEN = Path(__file__).with_name("golden")


@pytest.mark.parametrize("form", ["svg", "txt"])
def test_the_picture_is_the_golden_one(form):
    x, y, z = Value(2.0, label="x"), Value(3.0, label="y"), Value(-4.0, label="z")
    picture = viz.nudge((x * y + z).relu() * 0.5)
    drawn = picture.svg() if form == "svg" else picture.text() + "\n"
    assert drawn == GOLDEN.joinpath(f"nudge.{form}").read_text(encoding="utf-8")


def test_a_lecture_says_its_finite_differences():
    (moment,) = viz.nudge(product_and_sum()[0]).moments()
    assert moment.sentence.endswith("Finite differences of loss, with h = 0.0001: x −2, y 2.")


# -- what is computed --------------------------------------------------------------------------------------------------


def every_operation(x, y):
    """Each operation that a Value has, with numbers on both sides."""
    out = (x * y + 0.1) * 3 - 7 + (2 - x) + x / 3 + 1 / y + -x + x**3 + y**-0.5 + 2**x
    out = out + x.exp() + y.log() + x.tanh() + y.sigmoid() + (x - y).relu() + (x * x - x / y)
    return out + Value.dot([x, y, x], [y, 2.5, 4.0], start=0.75) + Value.dot([x], [3.0], start=y) + x**y


@given(st.floats(0.1, 4), st.floats(0.1, 5))
def test_numbers_that_no_node_remembers_are_worked_out_exactly(a, b):
    x, y = Value(0.3, label="x"), Value(2.0, label="y")
    found = calculation(every_operation(x, y), {})
    assert {3.0, 0.1, 7.0, -0.5, 2.5, 0.75} <= set(found.start)
    x, y = Value(a), Value(b)
    assert found.at({0: a, 1: b})[found.graph.root] == pytest.approx(every_operation(x, y).data, rel=1e-12, abs=1e-12)


def test_values_and_gradients_are_those_of_the_engine():
    x, y = Value(0.3, label="x"), Value(2.0, label="y")
    f = every_operation(x, y)
    picture = viz.nudge(f, {"f": f})
    f.backward()
    expected = {"x": (0.3, x.grad), "y": (2.0, y.grad), "f": (f.data, 1.0)}
    assert named(picture) == {name: pytest.approx(pair, rel=1e-12) for name, pair in expected.items()}


def test_no_grad_is_read_as_the_gradient_or_changed():
    x = Value(3.0, label="x")
    f = x * x
    viz.nudge(f)
    assert (x.grad, f.grad) == (None, None)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_tensors_of_one_number_are_computed_in_float64(dtype):
    x, y = (Tensor(dtype(value), requires_grad=True) for value in (1.5, 0.3))
    s = x * y + 0.2
    f = (s**2).relu() + mt.sqrt(x) / 4 - mt.maximum(x, y).sum()
    found = calculation(f, {"x": x, "y": y, "s": s})
    f.backward()
    slack = 1e-6 if dtype is np.float32 else 1e-14
    grads = [found.graph.nodes[leaf].grad.values[0] for leaf in found.leaves]
    assert grads == pytest.approx([x.grad.item(), y.grad.item()], rel=slack)
    assert found.at({})[found.graph.root] == pytest.approx(f.item(), rel=slack)
    assert 0.2 in found.start


@pytest.mark.parametrize(("value", "right"), [(-2.0, -0.6), (0.0, 0.0), (4.0, 4.0)])
def test_a_leaky_relu_keeps_its_slope_wherever_it_is(value, right):
    x = Tensor(value, requires_grad=True)
    found = calculation(mt.nn.functional.leaky_relu(x, 0.3), {"x": x})
    assert found.at({})[found.graph.root] == pytest.approx(right)
    assert found.at({0: -10.0})[found.graph.root] == -3.0
    assert found.difference(0, 1e-4) == pytest.approx({-2.0: 0.3, 0.0: 0.65, 4.0: 1.0}[value])


def test_the_slope_of_a_learners_leaky_relu_is_worked_out_below_0_and_nowhere_else():
    a = Own(-2.0)
    assert 0.15 in calculation(Own(-0.3, (a,), "leaky_relu"), {"a": a}).start
    a = Own(2.0)
    with pytest.raises(ValueError, match=r"the slope below 0 of 'leaky_relu', which made v1.*its operand is 2"):
        viz.nudge(Own(2.0, (a,), "leaky_relu"), {"a": a})


def test_constants_are_named_by_what_takes_them():
    x = Value(2.0, label="x")
    picture = viz.nudge(3 * x + Value.dot([x, x], [4.0, 5.0]))
    said = [each["title"] for each in picture._player().state["scene"]["nudge"]["constants"]]
    assert said == ["number in v1", "number 1 in v2", "number 2 in v2"]


def test_finite_differences_stand_beside_the_gradients():
    x = Value(3.0, label="x")
    assert viz.nudge(x**3, h=0.1).calculation.difference(0, 0.1) == pytest.approx(27.01)
    rows = {row.split()[0]: row.split()[1:] for row in viz.nudge(x**3).text().splitlines()[-2:]}
    assert rows["x"] == ["27", "27"]
    assert "x                                27                 28" in viz.nudge(x**3, h=1.0).text()
    assert "with h = 1: x 28, " in viz.nudge(x**3, h=1.0)._told()


def test_constants_that_can_be_nudged_are_listed_with_their_finite_differences():
    x = Value(2.0, label="x")
    picture = viz.nudge(x * 3 + 1)
    told = [row.split("  ") for row in picture.text().splitlines()[-3:]]
    listed = [[cell.strip() for cell in row if cell.strip()] for row in told]
    assert listed == [
        ["x", "3", "3"],
        ["number in v1 (constant)", "needs none", "2"],
        ["number in v2 (constant)", "needs none", "1"],
    ]
    assert "x 3, number in v1 (constant) 2, number in v2 (constant) 1." in picture._told()
    assert "and 6 more." in viz.nudge(x + 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10 + 11)._told()


def test_at_a_kink_the_two_differ_and_nothing_raises():
    x = Value(0.0, label="x")
    assert viz.nudge(x.relu()).text().splitlines()[-1].split() == ["x", "0", "0.5"]


def test_where_nothing_is_defined_nan_and_inf_are_shown():
    x = Value(1e-5, label="x")
    assert viz.nudge(x.log(), h=1e-4).text().splitlines()[-1].split() == ["x", "1e5", "nan"]


# -- what a learner wrote ----------------------------------------------------------------------------------------------


def test_a_learners_graph_is_computed_parents_in_a_set_and_wrapped_numbers_too():
    a, b = Own(2.0), Own(-1.5)
    f = (a * a + b * 3) ** 2 + a.tanh()
    found = calculation(f, {"a": a, "b": b})
    assert found.notes == ()
    assert found.at({})[found.graph.root] == f.data
    want = [2 * (4 - 4.5) * 4 + 1 - math.tanh(2) ** 2, 2 * (4 - 4.5) * 3]
    by_name = {node.label: node.grad.values[0] for node in found.graph.nodes if node.label}
    assert by_name == pytest.approx({"a": want[0], "b": want[1]})


def test_what_is_used_twice_has_two_arrows():
    a = Own(2.0)
    picture = viz.nudge(a * a, {"a": a})
    assert [(edge.src, edge.local) for edge in picture.graph.edges] == [(0, 2.0), (0, 2.0)]


def test_a_wrong_operation_is_named_with_its_numbers_and_only_that_one():
    a, b = Wrong(2.0), Wrong(3.0)
    picture = viz.nudge(a * b + b, {"a": a, "b": b})
    assert len(picture.notes) == 1
    assert picture.notes[0].startswith("Your × gave 5 where 2 × 3 is 6.") or "3 × 2 is 6" in picture.notes[0]
    for said in (picture.text(), picture.svg().replace("\n", " "), picture._told(), picture._page()):
        assert "gave 5" in said
    assert named(picture)["a"] == (2.0, 3.0)


def test_a_wrong_local_gradient_is_named():
    x, y = Value(2.0, label="x"), Value(3.0, label="y")
    Learner = type("Learner", (Value,), {"__module__": "exercises.lesson_01"})
    f = Learner(6.0, (x, y), "*", (2.0, 2.0))
    assert viz.nudge(f).notes == ("Your × says that its local gradient towards x is 2; that of 2 × 3 is 3.",)


def test_a_learners_own_gradients_stand_beside_where_they_differ():
    a, b = Own(2.0), Own(3.0)
    f = a * b
    a.grad, b.grad, f.grad = 3.0, 5.0, 1.0
    picture = viz.nudge(f, {"a": a, "b": b})
    assert picture.notes == ("Your backward pass left 5 in the grad of b; the gradient is 2.",)
    a.grad = b.grad = f.grad = 0.0  # no backward pass was run
    assert viz.nudge(f).notes == ()


# -- what cannot be ----------------------------------------------------------------------------------------------------


def test_an_operation_that_is_not_known_is_named():
    a = Own(2.0)
    with pytest.raises(
        ValueError, match=r"cannot compute 'gelu' of 1 operand, which made v1.* or look at it with viz.step"
    ):
        viz.nudge(Own(1.9, (a,), "gelu"), {"a": a})
    with pytest.raises(ValueError, match="an operation without a name in _op"):
        viz.nudge(Own(1.9, (a,), ""), {"a": a})


def test_arrays_are_refused_with_name_and_shape():
    w = Tensor([1.0, 2.0], requires_grad=True)
    with pytest.raises(ValueError, match=r"single numbers, and w has the shape \(2,\)"):
        viz.nudge((w * w).sum(), {"w": w})


def test_a_number_that_is_lost_is_refused():
    x = Tensor(2.0, requires_grad=True)
    with pytest.raises(ValueError, match=r"the number that took part in 'add', which made v1.*keep that result"):
        viz.nudge((x + 3.0).tanh(), {"x": x})


@pytest.mark.parametrize(
    ("make", "value", "number"),
    [
        (lambda x: x * 1.37, 0.0, 1.37),
        (lambda x: x / 1.37, 0.0, 1.37),
        (lambda x: x**2.5, 1.0, 2.5),
        (lambda x: 2.5**x, 0.0, 2.5),
        (lambda x: 0.7 - x, 0.0, 0.7),
    ],
)
def test_where_the_result_says_nothing_of_a_number_the_local_gradient_does(make, value, number):
    assert number in viz.nudge(make(Value(value))).calculation.start


def test_a_power_of_0_is_refused_for_any_above_1_gives_0():
    x = Value(0.0, label="x")
    with pytest.raises(ValueError, match=r"the power that made v1.*0 to any power above 1 is 0.*as a product"):
        viz.nudge(x**2)


def test_a_value_that_was_changed_after_it_was_used_is_refused():
    x, y = Value(2.0, label="x"), Value(3.0, label="y")
    f = (x * y).tanh()
    x.data = 1.0
    with pytest.raises(ValueError, match=r"v1 does not hold what its operands give now.*Compute the result anew"):
        viz.nudge(f)


@pytest.mark.parametrize("h", [0, -1e-3, float("nan"), float("inf"), "small"])
def test_h_is_a_number_above_0(h):
    with pytest.raises(ValueError, match="h must be a number above 0"):
        viz.nudge(Value(1.0), h=h)


def test_a_graph_without_leaves_and_what_is_no_graph_are_refused():
    with pytest.raises(ValueError, match="this graph has none"):
        viz.nudge(Tensor(2.0))
    with pytest.raises(TypeError, match="a picture needs a Tensor or a scalar Value, not int"):
        viz.nudge(3)


def test_numbers_that_json_lacks_are_sent_all_the_same():
    x = Value(math.inf, label="x")
    state = viz.nudge(x * 2.0)._player().state
    assert json.loads(json.dumps(state, allow_nan=False))["scene"]["nudge"]["start"][0] == "Infinity"


def test_a_large_graph_is_folded():
    x = Value(0.1, label="x")
    out = x
    for _ in range(40):
        out = (out * 1.01).tanh()
    picture = viz.nudge(out)
    assert "boxes" in picture._told() or "drawn as" in picture._told()
    assert len(picture._player().state["scene"]["levels"]) > 1


def test_every_word_that_the_player_asks_for_is_there():
    """A word that is missing is shown as "undefined"."""
    words = viz.nudge(Value(2.0, label="x") * 3.0).widget().scene["nudge"]["words"]
    static = Path(drawing.__file__).with_name("static")
    for name in ("nudge", "agreement", "knob", "panel", "plot"):
        asked = set(re.findall(r"\bsaid\.(\w+)", (static / f"{name}.js").read_text(encoding="utf-8")))
        assert asked <= {*words}, name
