"""`viz.compare`: mine against the reference, with faults planted in mine."""

import random
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from closure_engine import Engine, Tensor, layer, layer_by_minitorch, numbers, operation
from viz_pictures import PICTURES, product_and_sum, random_values

import minitorch as mt
from minitorch import viz
from minitorch.scalar import Value
from minitorch.viz.facts import formulas


def against_minitorch(engine=None, **options):
    mine, _ = layer(engine, **options)
    reference, names = layer_by_minitorch()
    return viz.compare(mine, reference, reference_names=names)


# -- equal graphs ------------------------------------------------------------------------------------------------------


def test_equal_graphs_are_the_same_whatever_engine_made_them():
    assert against_minitorch().verdict == "the same, 7 nodes, 7 gradients"
    mine, _ = layer()
    other, _ = layer()
    assert viz.compare(mine, other).verdict == "the same, 7 nodes, 7 gradients"
    reference, names = layer_by_minitorch()
    assert viz.compare(reference, mine, names=names).differences == ()


def test_what_the_reference_has_freed_is_left_out_and_counted():
    mine, _ = layer()
    reference, names = layer_by_minitorch()
    reference.backward()
    found = viz.compare(mine, reference, reference_names=names)
    assert found.verdict == "the same, 7 nodes, 4 gradients (3 more are kept by one of the two alone)"
    assert found.same


def test_the_references_gradients_are_worked_out_aside():
    mine, _ = layer()
    reference, names = layer_by_minitorch()
    viz.compare(mine, reference, reference_names=names)
    assert all(each.grad is None for each in names.values())


def test_without_any_backward_pass_values_are_compared():
    mine, _ = layer(backward=False)
    other, _ = layer(backward=False)
    assert viz.compare(mine, other).verdict == "the same, 7 nodes, 0 gradients: no backward pass has run yet"
    mine.backward()
    assert viz.compare(mine, other).verdict == (
        "the same, 7 nodes, 0 gradients: the reference holds no gradients, so only values were compared"
    )


class OwnValue:
    """What a learner writes in the scalar lessons, with closures and without labels of its own."""

    def __init__(self, data, parents=(), op="", local=()):
        self.data, self.grad, self._prev, self._op = data, None, parents, op
        self._local_grads = local

    def __add__(self, other):
        return OwnValue(self.data + other.data, (self, other), "plus", (1.0, 1.0))

    def __mul__(self, other):
        return OwnValue(self.data * other.data, (self, other), "times", (other.data, self.data))


def test_a_learners_value_a_value_and_tensors_of_one_number_meet():
    a, b = OwnValue(2.0), OwnValue(-3.0)
    mine = a * b + a
    reference, _ = product_and_sum()
    reference.backward()
    for node, grad in ((mine, 1.0), (mine._prev[0], 1.0), (a, -2.0), (b, 2.0)):
        node.grad = grad
    assert viz.compare(mine, reference).verdict == "the same, 4 nodes, 4 gradients"
    x, y = mt.Tensor(np.float64(2.0), requires_grad=True), mt.Tensor(np.float64(-3.0), requires_grad=True)
    assert viz.compare(reference, x * y + x).verdict == "the same, 4 nodes, 4 gradients"


@pytest.mark.parametrize("maker", PICTURES.values(), ids=PICTURES)
def test_every_graph_is_the_same_as_its_twin(maker):
    (one, names), (other, other_names) = maker(), maker()
    one.backward()
    found = viz.compare(one, other, names=names, reference_names=other_names)
    assert found.same, found.verdict


@pytest.mark.parametrize("seed", range(5))
def test_random_graphs_are_the_same_as_their_twins(seed):
    one, other = random_values(60, seed), random_values(60, seed)
    one.backward()
    found = viz.compare(one, other)
    assert found.verdict == f"the same, {len(viz.graph(one).graph.nodes)} nodes, " + found.verdict.split(", ")[2]
    assert found.same


def test_operands_of_a_sum_may_come_in_the_other_order():
    def made(swapped):
        x, w = Value(2.0, label="x"), Value(3.0, label="w")
        h = x * w
        root = (w + h if swapped else h + w).tanh()
        root.backward()
        return root

    assert viz.compare(made(False), made(True)).verdict == "the same, 5 nodes, 5 gradients"


def test_float32_and_float64_agree_up_to_the_rounding_of_float32():
    assert against_minitorch(dtype=np.float32).same
    mine, tensors = layer(dtype=np.float32)
    tensors["b"].grad[3] *= 1.01
    reference, names = layer_by_minitorch()
    assert viz.compare(mine, reference, reference_names=names).first == "b"


def test_every_synonym_leads_to_a_name_that_is_no_synonym():
    assert not set(formulas.SYNONYMS.values()) & set(formulas.SYNONYMS)
    assert formulas.canonical("*", 2) == formulas.canonical("mul", 2) == formulas.canonical("__mul__", 2) == "mul"
    assert formulas.canonical("-", 2) == "sub"
    assert formulas.canonical("-", 1) == "neg"


# -- planted faults ----------------------------------------------------------------------------------------------------


def rounded(text):
    """Without decimal numbers and places, which are not what these tests are about."""
    return re.sub(r"\[\d+(, \d+)*\]", "[…]", re.sub(r"-?\d+\.\d+(e-?\d+)?|\d+e-\d+", "#", text))


FAULTS = {
    "unbroadcast forgotten": (
        Engine(fit=lambda g, shape: g), "b",
        "b.grad is (64, 16) here and (16,) there: this is where an un-broadcast is missing (not summed over axis 0)",
    ),
    "mean instead of sum": (
        Engine(fit=lambda g, shape: g if g.shape == shape else g.mean(axis=0)), "b",
        "b.grad is norm # here and norm # there: mine is # times the reference",
    ),
    "summed too far": (
        Engine(fit=lambda g, shape: g if g.shape == shape else g.sum()), "b",
        "b.grad is () here and (16,) there: summed too far",
    ),
    "keepdims instead of none": (
        Engine(fit=lambda g, shape: g if g.shape == shape else g.sum(axis=0, keepdims=True)), "b",
        "b.grad is (1, 16) here and (16,) there: this is where an un-broadcast is missing (not summed over axis 0)",
    ),
    "sign of a product": (
        Engine(**{"@": lambda g: (np.zeros((64, 8)), -numbers()[0].T @ g)}), "w",
        "w.grad is norm # on both sides, furthest apart at […]: # and #: the sign is turned",
    ),
    "zeros": (
        Engine(**{"@": lambda g: (np.zeros((64, 8)), np.zeros((8, 16)))}), "w",
        "w.grad is 0 here and norm # there, furthest apart at […]: 0 and #: it is 0 everywhere",
    ),
    "upstream ignored": (
        Engine(relu=lambda g: (np.ones_like(g),)), "v2",
        "v2.grad is norm 32 here and norm # there, furthest apart at […]: 1 and 0",
    ),
    "one divided by n forgotten": (
        Engine(mean=lambda g: (np.ones((64, 16)),)), "v3",
        "v3.grad is norm 32 here and norm # there, furthest apart at […]: 1 and #: mine is 1024 times the reference",
    ),
    "nothing handed on": (
        None, "v2", "v2 has no gradient here; there it is (64, 16): nothing was handed on to it",
    ),
    "not a number": (
        Engine(relu=lambda g: (g * np.nan,)), "v2",
        "v2.grad is not finite here (1024 nan of 1024 numbers), and is there",
    ),
}  # fmt: skip


def hands_nothing_on():
    mine, tensors = layer(backward=False)
    tensors["h"]._backward = None
    mine.backward()
    return mine


@pytest.mark.parametrize("fault", FAULTS)
def test_the_first_difference_is_the_planted_fault(fault):
    engine, place, said = FAULTS[fault]
    mine = hands_nothing_on() if engine is None else layer(engine)[0]
    reference, names = layer_by_minitorch()
    found = viz.compare(mine, reference, reference_names=names)
    assert found.first == place
    made = {"b": "+ (v2)", "w": "@ (v1)", "v2": "relu (h)", "v3": "mean (loss)"}[place]
    assert rounded(found.verdict) == f"first difference: {said}, in the backward of {made}"
    assert found.blamed == (made.split("(")[1].removesuffix(")"),)
    assert found.text().splitlines()[0] == found.verdict
    assert re.search(rf"^!=>  {place} ", found.text(), re.MULTILINE)


def test_a_contribution_that_overwrites_is_found_at_the_fan_out():
    mine, tensors = layer(backward=False)

    def overwrites(gradient):
        tensors["h"].grad = np.array(gradient)

    tensors["h"].accumulate = overwrites
    mine.backward()
    reference, names = layer_by_minitorch()
    found = viz.compare(mine, reference, reference_names=names)
    assert found.first == "h"
    assert found.verdict.endswith("it is used 2 times, and a contribution of * (v3) is lost, in the backward of * (v3)")


def test_an_operation_that_is_another_one_there_is_blamed_with_both_names(monkeypatch):
    """2 + 2 is 2 · 2: the forward agrees, and the gradients of what goes into it do not."""
    x, other = Value(2.0, label="x"), Value(2.0, label="x")
    mine, reference = ((x + x) * 3.0, (other * other) * 3.0)
    mine.backward()
    reference.backward()
    found = viz.compare(mine, reference)
    assert found.first == "x"
    assert found.verdict.endswith("in the backward of + (v1; there it is *)")
    monkeypatch.setenv("MINITORCH_LANG", "es")
    assert viz.compare(mine, reference).verdict.endswith("en la pasada hacia atrás de + (v1; allí es *)")


def of_two_uses(plus, minus):
    """x goes into a product and into a sum; what either hands back is up to the test."""
    x, y = Value(3.0, label="x"), Value(4.0, label="y")
    product = Value(12.0, (x, y), "*", (plus, 3.0))
    return Value(15.0, (product, x), "+", (1.0, minus))


@pytest.mark.parametrize(
    ("plus", "minus", "said"),
    [
        (0.0, 1.0, "a contribution of * (v1) is lost, in the backward of * (v1)"),
        (4.0, 0.0, "a contribution of + (v2) is lost, in the backward of + (v2)"),
        (8.0, 1.0, "a contribution of * (v1) counts twice, in the backward of * (v1)"),
        (-4.0, 1.0, "a contribution of * (v1) has its sign turned, in the backward of * (v1)"),
        (4.5, 1.0, "one of its 2 contributions is wrong or lost, in the backward of * (v1) and + (v2)"),
    ],
)
def test_of_several_operations_that_one_is_blamed_whose_contribution_explains_it(plus, minus, said):
    mine, reference = of_two_uses(plus, minus), of_two_uses(4.0, 1.0)
    mine.backward()
    found = viz.compare(mine, reference)
    assert found.first == "x"
    assert found.verdict.endswith(said)


def test_a_wrong_value_is_found_where_it_is_made_and_not_where_it_arrives():
    def bad_relu(self, a):
        return operation("relu", np.abs(a.data), (a,), lambda g: (g * (a.data > 0),))

    class Bad(Engine):
        relu = bad_relu

    found = against_minitorch(Bad())
    assert found.first == "h"
    assert found.verdict.endswith("the forward of relu differs, or one before it, whose numbers are not kept")


def test_different_inputs_are_named_as_such():
    one, other = Value(2.0, label="x") * Value(3.0, label="y"), Value(2.0, label="x") * Value(4.0, label="y")
    assert viz.compare(one, other).verdict == (
        "first difference: y is 3 here and 4 there: the two graphs start from different numbers"
    )


def test_a_gradient_of_a_constant_is_a_difference():
    mine, tensors = layer()
    tensors["x"].grad = np.ones((64, 8))
    reference, _ = layer()
    assert viz.compare(mine, reference).verdict == (
        "first difference: x.grad is (64, 8) here and None there: constants take no gradient, in the backward of @ (v1)"
    )


def test_a_changed_dtype_is_a_difference():
    mine, tensors = layer(dtype=np.float32)
    tensors["b"].grad = tensors["b"].grad.astype(np.float64)
    reference, _ = layer(dtype=np.float32)
    assert viz.compare(mine, reference).verdict == (
        "first difference: b.grad is float64 here, and b itself is float32, in the backward of + (v2)"
    )


def test_a_backward_that_has_not_run_is_named_at_the_result():
    mine, _ = layer(backward=False)
    reference, _ = layer()
    assert viz.compare(mine, reference).verdict == (
        "first difference: loss has no gradient here; there it is 1: "
        "the backward pass has not run, or does not seed the result"
    )


def test_parents_that_were_not_recorded_end_the_graph():
    mine, tensors = layer(backward=False)
    tensors["h"]._prev, tensors["h"]._backward = (), None
    mine.backward()
    reference, _ = layer()
    found = viz.compare(mine, reference)
    assert found.verdict == ("first difference: the graph ends at h here, and there relu made it: its parents are lost")
    assert {each.kind for each in found.differences[1:]} == {"missing"}


def test_a_flag_that_was_lost_is_found():
    mine, tensors = layer(backward=False)
    tensors["b"].requires_grad = False
    mine.backward()
    reference, _ = layer()
    assert viz.compare(mine, reference).verdict == (
        "first difference: b is a constant here and takes a gradient there: requires_grad is not set or lost"
    )


# -- different topologies ----------------------------------------------------------------------------------------------


def difference_of_two(in_one_step):
    engine = Engine()
    x, y = Tensor([0.0, 1.0, 2.0], True, label="x"), Tensor([1.0, 1.0, 1.0], True, label="y")
    d = engine.sub(x, y) if in_one_step else engine.add(x, engine.neg(y))
    loss = engine.mean(engine.mul(d, d))
    loss.backward()
    return loss


def test_an_extra_node_is_said_to_be_extra_and_the_rest_stays_aligned():
    found = viz.compare(difference_of_two(False), difference_of_two(True))
    assert [each.kind for each in found.differences] == ["operation", "extra"]
    assert found.verdict == (
        "first difference: v2 is made by + here and by - there; every value and gradient that both have is the same"
    )
    assert "also: v1 (neg) is extra here: the reference has no such node" in found.text()
    back = viz.compare(difference_of_two(True), difference_of_two(False))
    assert "also: v1 (neg) is missing here: the reference has such a node" in back.text()


def scalars(compute):
    out = compute(Value(2.0, label="x"), Value(-3.0, label="w"), Value(1.0, label="b"))
    out.label = "out"
    return out


@pytest.mark.parametrize(
    ("mine", "reference", "cause"),
    [
        (lambda x, w, b: (x * w + b) * 2, lambda x, w, b: (x * w + b).tanh() * 2, "v3 (tanh) is missing here"),
        (lambda x, w, b: (x * w).exp(), lambda x, w, b: (x * w + b).exp(), "v2 (+) is missing here"),
        (lambda x, w, b: (x * w).relu() + b, lambda x, w, b: x * w + b, "v2 (relu) is extra here"),
    ],
)
def test_a_value_is_other_because_the_way_to_it_is_built_in_another_way(mine, reference, cause):
    found = viz.compare(scalars(mine), scalars(reference))
    assert found.differences[0].kind == "value"
    assert f": on the way to it, {cause}: " in found.verdict
    assert "this is where the forward" not in found.verdict


def test_the_forward_of_an_operation_is_blamed_where_all_that_goes_into_it_agrees():
    x = Value(3.0, label="x")
    found = viz.compare(Value(8.0, (x, x), "*", (3.0, 3.0)) + 1, (lambda y: y * y + 1)(Value(3.0, label="x")))
    assert found.verdict.endswith("this is where the forward of * differs")


def test_an_operation_too_many_in_a_chain_is_skipped():
    def chain(*steps):
        node = Value(0.3, label="x")
        for step in steps:
            node = getattr(node, step)()
        node.backward()
        return node

    found = viz.compare(chain("exp", "tanh", "relu", "sigmoid"), chain("exp", "tanh", "sigmoid"))
    assert [(each.kind, each.said.split(":")[0]) for each in found.differences] == [
        ("extra", "v3 (relu) is extra here")
    ]


def test_a_mean_against_a_sum_and_a_product():
    engine = Engine()

    def made(by_parts):
        x = Tensor([1.0, 2.0, 3.0, 6.0], True, label="x")
        loss = engine.mul(engine.sum(x), Tensor(0.25)) if by_parts else engine.mean(x)
        loss.label = "loss"
        loss.backward()
        return loss

    found = viz.compare(made(True), made(False))
    assert {each.kind for each in found.differences} <= {"operation", "extra", "missing"}
    assert "every value and gradient that both have is the same" in found.verdict
    assert "x" not in [each.said.split(" ")[0] for each in found.differences]


@pytest.mark.parametrize("seed", range(20))
def test_any_two_graphs_can_be_compared(seed):
    """Graphs that have nothing to do with each other: no circle, no node twice, nothing left out."""
    pick = random.Random(seed)
    one, other = random_values(pick.randint(5, 40), seed), random_values(pick.randint(5, 40), seed + 100)
    found = viz.compare(one, other)
    facts = found._facts
    for side, root in ((0, one), (1, other)):
        shown = [place[side] for place in facts.alignment.places if place[side] is not None]
        assert sorted(shown) == list(range(len(viz.graph(root).graph.nodes)))
        edges = sum(owners[side] for owners in facts.alignment.owners)
        assert edges == len(viz.graph(root).graph.edges)
    assert all(edge.src < edge.dst for edge in facts.alignment.edges)
    ET.fromstring(found.svg())


def test_what_is_no_graph_is_refused():
    broken = operation("*", 6.0, (Tensor(2.0, True),), lambda g: (g,))
    broken._prev = (*broken._prev, 3.0)
    with pytest.raises(ValueError, match=r"among the parents of a node '\*' is a float, which is no node"):
        viz.compare(broken, broken)
    with pytest.raises(TypeError, match="needs a Tensor or a scalar Value, not float"):
        viz.compare(1.0, Value(1.0))
