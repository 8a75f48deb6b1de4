"""What a picture says about a graph is what the engine knows."""

import gc
import weakref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from viz_pictures import PICTURES, diamond, layer, random_values, square, zero_gradients

import minitorch as mt
from minitorch import Tensor, no_grad, viz
from minitorch.autograd.operation import Declaration
from minitorch.compat.ops import arithmetic as rare_arithmetic
from minitorch.compat.ops import elementwise, gamma
from minitorch.ops import arithmetic, choice, movement
from minitorch.scalar import Value
from minitorch.viz.facts import formulas, reading
from minitorch.viz.facts.capture import snapshot, trace
from minitorch.viz.facts.model import Edge, Graph, Reading, Trace, from_json, to_json


def reached(root):
    """Every Node or Value behind root, with its parents."""
    found, stack = {}, [root]
    while stack:
        node = stack.pop()
        if id(node) not in found:
            found[id(node)] = node
            stack += [parent for parent in getattr(node, "parents", None) or node._prev if parent is not None]
    return sorted(found.values(), key=lambda node: node.uid)


def test_every_scalar_node_is_there_with_its_facts():
    loss, _ = diamond()
    graph = snapshot(loss)
    values = reached(loss)
    assert [node.value.values[0] for node in graph.nodes] == [value.data for value in values]
    assert [node.op for node in graph.nodes] == [value._op for value in values]
    assert [node.is_leaf for node in graph.nodes] == [not value._prev for value in values]
    assert graph.nodes[graph.root].value.values == (loss.data,)
    for node, value in zip(graph.nodes, values, strict=True):
        operands = graph.operands[node.idx]
        assert [values[edge.src] for edge in operands] == list(value._prev)
        assert [edge.local for edge in operands] == list(value._local_grads)


def test_every_tensor_node_is_there_with_its_facts():
    loss, names = layer()
    graph = snapshot(loss, names)
    places = reached(loss._node)
    drawn = [node for node in graph.nodes if node.kind != "constant"]
    assert [node.op for node in drawn] == [place.op for place in places]
    assert [node.shape for node in drawn] == [place.shape for place in places]
    assert [node.dtype for node in drawn] == [str(place.dtype) for place in places]
    for node, place in zip(drawn, places, strict=True):
        sources = [graph.nodes[edge.src] for edge in graph.operands[node.idx]]
        assert [source.kind == "constant" for source in sources] == [parent is None for parent in place.parents]
    by_name = {node.label: node for node in graph.nodes if node.label}
    assert set(by_name) == set(names)
    assert by_name["b"].value.values == pytest.approx((0.1, 0.2, 0.3))


def test_a_square_has_two_edges():
    root, _ = square()
    assert [(edge.src, edge.slot) for edge in snapshot(root).edges] == [(0, 0), (0, 1)]


def test_parents_stand_before_children():
    for maker in PICTURES.values():
        root, names = maker()
        assert all(edge.src < edge.dst for edge in snapshot(root, names).edges)


def test_names_win_over_labels_and_what_is_no_node_is_ignored():
    x = Value(1.0, label="old")
    y = x + x
    graph = snapshot(y, {"x": x, "n": 3, "_hidden": y, "text": "x"})
    assert [node.label for node in graph.nodes] == ["x", ""]


@pytest.mark.parametrize("thing", [3.0, "x", None, np.ones(2), [Value(1.0)]])
def test_what_is_neither_tensor_nor_value_is_refused(thing):
    with pytest.raises(TypeError, match="a picture needs a Tensor or a scalar Value, not"):
        snapshot(thing)


def test_a_leaf_a_constant_and_a_result_of_no_grad_can_be_drawn():
    assert snapshot(Tensor([1.0], requires_grad=True)).nodes[0].kind == "leaf"
    constant = Tensor([1.0, 2.0])
    assert snapshot(constant, {"c": constant}).nodes[0].label == "c"
    with no_grad():
        assert snapshot(Tensor([1.0], requires_grad=True) * 2).nodes[0].kind == "constant"
    assert snapshot(Value(1.0)).nodes[0].kind == "leaf"


# -- constants and numbers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (lambda v: v * 3, "* 3"),
        (lambda v: 3 * v, "* 3"),
        (lambda v: v + 0.25, "+ 0.25"),
        (lambda v: v - 4, "- 4"),
        (lambda v: 4 - v, "4 -"),
        (lambda v: v / 4, "/ 4"),
        (lambda v: 4 / v, "4 /"),
        (lambda v: v**3, "** 3"),
        (lambda v: v**-1, "** -1"),
        (lambda v: v**0, "** 0"),
        (lambda v: 3**v, "3 **"),
        (lambda v: v + 1e-12, "+ const"),
        (lambda v: -v, ""),
        (lambda v: v * v, ""),
        (lambda v: v.exp(), ""),
    ],
)
@pytest.mark.parametrize("data", [2.0, 0.7, 5.0])
def test_a_python_number_is_named(made, said, data):
    graph = snapshot(made(Value(data)))
    assert graph.nodes[graph.root].folded == said


def test_a_python_number_is_named_below_zero_and_at_zero():
    assert [snapshot(made).nodes[1].folded for made in (Value(-2.0) ** 3, 2 ** Value(-3.0), Value(0.0) * 5)] == [
        "** 3",
        "2 **",
        "* 5",
    ]


def test_a_local_gradient_that_contradicts_the_value_does_not_name_a_number():
    x = Value(3.0)
    wrong = Value(9.0, (x,), "**", (2.0 * 9.0,))  # n · xⁿ
    assert snapshot(wrong).nodes[1].folded == "** const"


def test_constants_are_known_while_the_operation_keeps_them():
    w, x = Tensor(np.ones((2, 3)), requires_grad=True), Tensor(np.ones((4, 2)))
    y = (x @ w) * 2.5
    constants = [node for node in snapshot(y, {"x": x}).nodes if node.kind == "constant"]
    assert [(node.label, node.shape) for node in constants] == [("x", (4, 2)), ("", ())]
    assert constants[1].value.values == (2.5,)
    y.sum().backward()
    assert [node.label for node in snapshot(y, {"x": x}).nodes if node.kind == "constant"] == ["", ""]


# -- stretched and summed axes -----------------------------------------------------------------------------------


def stretched(root):
    return [edge.broadcast_axes for edge in snapshot(root).edges]


def test_stretched_axes_are_those_that_broadcasting_added_or_repeated():
    a, b, c = (Tensor(np.ones(shape), requires_grad=True) for shape in ((4, 3), (3,), (4, 1)))
    assert stretched(a + b) == [(), (0,)]
    assert stretched(c * b) == [(1,), (0,)]
    assert stretched(mt.where(np.ones((4, 3), bool), a, c)) == [(), (1,)]
    assert stretched(b.expand(4, 3)) == [(0,)]
    assert stretched(a * 2) == [(), ()]  # a number is stretched, but that is no news
    batch, matrix = (Tensor(np.ones(shape), requires_grad=True) for shape in ((5, 4, 3), (3, 2)))
    assert stretched(batch @ matrix) == [(), (0,)]


def test_what_changes_a_shape_without_stretching_is_not_called_stretched():
    x = Tensor(np.ones((1, 3)), requires_grad=True)
    for root in (x.sum(), x.reshape(1, 1, 3), x.unsqueeze(0), x.transpose(0, 1), mt.stack([x, x]), x.squeeze(0)):
        assert set(stretched(root)) == {()}


def test_every_elementwise_operation_of_several_operands_is_known_to_stretch():
    declared = {
        each.declaration.name: each.declaration
        for module in (arithmetic, rare_arithmetic, choice, elementwise, gamma, movement)
        for each in vars(module).values()
        if isinstance(getattr(each, "declaration", None), Declaration)
    }
    several = {name for name, each in declared.items() if len(each.rules) > 1 and not each.variadic}
    several |= {"igamma", "igammac", "zeta"}  # of two operands, and no gradient is known for the one of them
    assert several | {"expand", "broadcast_to"} == formulas.STRETCHING
    assert set(declared) >= formulas.STRETCHING


def test_summed_axes_and_the_shape_before_are_told():
    w, b = Tensor(np.ones((64, 16)), requires_grad=True), Tensor(np.ones(16), requires_grad=True)
    events = trace((w + b).sum()).events
    assert [(event.reduced_axes, event.reduced_from) for event in events[2:]] == [((), None), ((0,), (64, 16))]


# -- gradients ---------------------------------------------------------------------------------------------------


def gradients_by_engine(root):
    """Gradients of all nodes, as `backward` leaves them, oldest node first."""
    if isinstance(root, Value):
        root.backward()
        return [value.grad for value in reached(root)]
    held = [place.tensor for place in reached(root._node)]
    root.backward(retain_graph=True)
    return [place.grad if tensor is not None else None for place, tensor in zip(reached(root._node), held, strict=True)]


@pytest.mark.parametrize("maker", PICTURES.values(), ids=PICTURES)
def test_the_trace_ends_at_the_gradients_of_backward(maker):
    root, names = maker()
    found = trace(root, names)
    last = found.gradients()
    nodes = [node for node in found.graph.nodes if node.kind != "constant"]
    for node, grad in zip(nodes, gradients_by_engine(root), strict=True):
        if grad is None:
            continue
        if last[node.idx].values is None:
            assert last[node.idx].norm == pytest.approx(np.linalg.norm(grad), rel=1e-6)
        else:
            assert last[node.idx].values == pytest.approx(tuple(np.ravel(grad)), rel=1e-6)
        assert last[node.idx].shape == np.shape(grad)


@pytest.mark.parametrize("maker", PICTURES.values(), ids=PICTURES)
def test_adding_up_contributions_gives_each_gradient_after_each_step(maker):
    found = trace(*maker())
    sums = {}
    for step, event in enumerate(found.events, start=1):
        if event.contribution.values is None:
            continue
        assert (event.node in sums) == (event.kind == "add")
        sums[event.node] = sums.get(event.node, 0.0) + np.array(event.contribution.values)
        assert found.gradients(step)[event.node].values == pytest.approx(tuple(sums[event.node]), rel=1e-6)
    assert found.gradients(0) == {}


@given(st.integers(0, 10_000))
def test_the_trace_of_random_programs_ends_at_the_gradients_of_backward(seed):
    root = random_values(40, seed)
    found = trace(root).gradients()
    root.backward()
    assert [found[idx].values[0] if idx in found else None for idx in range(len(reached(root)))] == [
        value.grad for value in reached(root)
    ]


@pytest.mark.parametrize("maker", PICTURES.values(), ids=PICTURES)
def test_stepping_changes_no_gradient(maker):
    root, names = maker()
    trace(root, names)
    places = reached(root if isinstance(root, Value) else root._node)
    assert all(place.grad is None for place in places)
    root.backward(**({} if isinstance(root, Value) else {"retain_graph": True}))
    before = [None if place.grad is None else np.array(place.grad) for place in places]
    trace(root, names)
    for place, grad in zip(places, before, strict=True):
        np.testing.assert_array_equal(place.grad, grad)


def test_no_gradient_yet_zero_and_freed_are_three_things():
    root, _ = zero_gradients()
    assert {node.grad for node in snapshot(root).nodes} == {None}
    root.backward()
    graph = snapshot(root)
    assert graph.nodes[0].grad.is_zero
    loss, names = layer()
    loss.backward()
    after = {node.label or node.op: node for node in snapshot(loss, names).nodes}
    assert after["w"].grad is not None
    assert not after["w"].freed
    assert after["h"].grad is not None  # somebody holds it
    assert after["matmul"].grad is None
    assert after["matmul"].freed


def test_structure_is_drawn_after_backward():
    loss, names = layer()
    before = snapshot(loss, names)
    loss.backward()
    after = snapshot(loss, names)
    assert [(node.op, node.shape) for node in after.nodes if node.kind != "constant"] == [
        (node.op, node.shape) for node in before.nodes if node.kind != "constant"
    ]
    assert after.edges == before.edges


def test_a_trace_fails_as_backward_does():
    loss, _ = layer()
    loss.backward()
    with pytest.raises(RuntimeError, match="retain_graph=True"):
        trace(loss)
    with pytest.raises(RuntimeError, match="constant"):
        trace(Tensor([1.0]))
    with pytest.raises(RuntimeError, match="one number"):
        trace(Tensor([1.0, 2.0], requires_grad=True) * 2)


def test_a_rule_made_by_hand_is_stepped_through_and_leaves_no_gradient():
    x = Tensor([1.0, 2.0], requires_grad=True)
    out = Tensor(x.data**2, requires_grad=True, _prev=(x,), _op="square")

    def _backward():
        x.grad = (x.grad if x.grad is not None else 0) + 2 * x.data * out.grad

    out._backward = _backward
    found = trace(out.sum())
    assert found.gradients()[0].values == (2.0, 4.0)
    assert x.grad is None


# -- other people's Values ---------------------------------------------------------------------------------------


class Homemade:
    """As little as a learner's own Value may have."""

    def __init__(self, data, _prev=(), _op="", _local_grads=()):
        self.data, self._prev, self._op, self._local_grads = data, _prev, _op, _local_grads


def test_a_learners_own_value_is_drawn_and_stepped_through():
    a = Homemade(3)
    b = Homemade(9.0, (a, a), "*", (3.0, 3.0))
    found = trace(Homemade(12.0, (b, a), "+", (1.0, 1.0)), {"a": a})
    assert found.gradients()[0].values == (7.0,)
    assert [node.label for node in found.graph.nodes] == ["a", "", ""]


def test_a_value_without_local_gradients_is_drawn_but_not_stepped_through():
    a = Homemade(3.0)
    b = Homemade(6.0, (a, a), "+")
    assert [edge.local for edge in snapshot(b).edges] == [None, None]
    with pytest.raises(ValueError, match=r"'\+' has 2 parents and 0 local gradients"):
        trace(b)


def test_a_value_among_its_own_ancestors_is_refused():
    a = Homemade(1.0)
    b = Homemade(1.0, (a,), "+", (1.0,))
    a._prev = (b,)
    with pytest.raises(ValueError, match="goes round in a circle"):
        snapshot(b)


def test_a_deep_graph_needs_no_recursion():
    value = Value(1.0)
    for _ in range(20_000):
        value = value + 1.0
    assert len(snapshot(value).nodes) == 20_001
    assert trace(value).gradients()[0].values == (1.0,)


# -- nothing is kept ---------------------------------------------------------------------------------------------


def test_pictures_keep_nothing_alive():
    gc.collect()
    gc.disable()
    try:
        loss, names = layer()
        gone = [weakref.ref(tensor) for tensor in names.values()] + [weakref.ref(names["w"].data)]
        kept = [viz.graph(loss, names=names), viz.step(loss, names=names)]
        kept += [kept[0].svg(), kept[1].svg(3), kept[1].text(), kept[1].widget()]
        del loss, names
        assert [each() for each in gone] == [None] * len(gone)
    finally:
        gc.enable()
    kept[1].widget().close()


def test_pictures_keep_no_value_alive():
    class Watched(Value):  # a plain Value has no room for a weak reference
        pass

    x = Watched(2.0)
    kept = viz.step(x * x)
    gone = weakref.ref(x)
    del x
    gc.collect()
    assert gone() is None
    assert "grad" in kept.svg()


# -- JSON --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("maker", PICTURES.values(), ids=PICTURES)
def test_json_brings_everything_back(maker):
    root, names = maker()
    for facts in (snapshot(root, names), trace(root, names)):
        assert from_json(to_json(facts)) == facts


def test_json_brings_infinities_back_and_other_versions_are_refused():
    x = Value(1.0)
    graph = Graph(snapshot(x + x).nodes, (Edge(0, 1, 0, local=float("-inf")), Edge(0, 1, 1)), 1, scalar=True)
    assert from_json(to_json(graph)) == graph
    nan = from_json(to_json(Trace(graph, trace(x + x).events))).graph.edges[0].local
    assert nan == float("-inf")
    with pytest.raises(ValueError, match="version 3; this minitorch reads version 2"):
        from_json(to_json(graph).replace('"version":2', '"version":3'))
    with pytest.raises(ValueError, match="expected a Graph or a Trace"):
        from_json('{"version":1,"type":"Cat"}')


def test_a_reading_of_a_large_array_is_its_norm():
    read = reading.read(np.full((10, 10), 2.0))
    assert read == Reading((10, 10), 20.0, None)
    assert reading.read(np.array([np.nan])).is_zero is False


@pytest.mark.parametrize(
    ("wrong", "said"),
    [(np.ones((2, 2)), "(2, 2) [[1, 1], [1, 1]]"), ([1.0, 2.0], "(2,) [1, 2]"), (object(), "no gradient yet")],
    ids=["array", "list", "object"],
)
def test_a_gradient_that_is_no_number_is_shown_and_does_not_end_the_picture(wrong, said):
    x = Value(3.0, label="x")
    root = x * x
    root.backward()
    x.grad = wrong
    assert said in viz.graph(root).text()
    assert "now 6" in viz.step(root).text()
    fault = viz.shapes(root).wrong[0]
    assert fault.startswith("x: type: the gradient is a object, not a number" if said[0] == "n" else "x: shape: ")
