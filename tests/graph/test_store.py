"""What the graph store promises about nodes, edges and limits."""

import gc
import threading

import numpy as np
import pytest

import minitorch
from minitorch import Tensor
from minitorch.graph import AutogradGraph, GraphExecutor, GraphFullError, ReferenceManager, autograd_graph
from minitorch.graph.node import GraphNode


def leaf(*values: float) -> Tensor:
    return Tensor(np.array(values), requires_grad=True)


def ops(graph: AutogradGraph) -> list[str]:
    return [node.op or "leaf" for node in graph.nodes()]


def facts(graph: AutogradGraph, root: Tensor) -> list[tuple]:
    return [
        (node.uid, node.op, node.shape, node.dtype, [(slot, each.uid) for slot, each in graph.operands(node)])
        for node in graph.reverse_toposort(root)
    ]


def test_an_empty_graph_is_a_graph():
    """`graph or AutogradGraph()` keeps the graph that it was given."""
    graph = AutogradGraph()
    assert len(graph) == 0
    assert (graph or AutogradGraph()) is graph


def test_operations_and_operands_are_recorded_as_they_happen():
    x, w = leaf(1.0, 2.0), leaf(3.0, 4.0)
    with autograd_graph() as graph:
        y = (x * w).sum()
    assert ops(graph) == ["leaf", "leaf", "mul", "sum"]
    product = graph.parents(graph.find(y))[0]
    assert graph.parents(product) == [graph.find(x), graph.find(w)]
    assert graph.children(graph.find(x)) == [product]
    assert product.shape == (2,)
    assert product.dtype == "float64"
    assert product.backend == "minitorch"
    assert product.value.tolist() == [3.0, 8.0]
    assert graph.is_acyclic()


def test_an_operand_used_twice_has_two_edges():
    x = leaf(3.0)
    with autograd_graph() as graph:
        y = x * x
    assert graph.operands(graph.find(y)) == [(0, graph.find(x)), (1, graph.find(x))]
    assert len(graph.children(graph.find(x))) == 2


def test_constants_are_known_beside_the_parents():
    x, c = leaf(1.0, 2.0), Tensor(np.ones(100).reshape(50, 2))
    with autograd_graph() as graph:
        y = minitorch.where(np.array([True, False]), x * 2.0, c)
    where, product = graph.reverse_toposort(y)[:2]
    assert [tuple(each) for each in product.constants] == [(1, (), 2.0)]
    assert [tuple(each) for each in where.constants] == [(1, (50, 2), None)]


def test_values_of_more_than_16_numbers_are_not_kept():
    x = Tensor(np.ones(17), requires_grad=True)
    with autograd_graph() as graph:
        y = x * 2.0
    assert graph.find(y).value is None


def test_a_snapshot_does_not_change_with_the_tensor():
    x = leaf(1.0)
    with autograd_graph() as graph:
        y = x * 2.0
    y.data[...] = 7.0
    assert graph.find(y).value.tolist() == [2.0]


def test_reverse_toposort_puts_children_first_and_leaves_out_what_does_not_lead_to_the_root():
    x = leaf(1.0)
    with autograd_graph() as graph:
        a = x.exp()
        other = x * 5.0
        y = a * x
    order = graph.reverse_toposort(y)
    assert [node.op for node in order] == ["mul", "exp", ""]
    assert len(graph.reverse_toposort()) == 4
    uids = [node.uid for node in order]
    assert uids == sorted(uids, reverse=True)
    assert graph.find(other) not in order


def test_a_uid_is_never_used_again_though_the_index_is():
    x = leaf(1.0)
    seen = set()
    indices = set()
    with autograd_graph() as graph:
        for _ in range(50):
            y = x * 2.0
            node = graph.find(y)
            assert node.uid not in seen
            seen.add(node.uid)
            indices.add(graph._index[node.uid])
            del y
            assert graph.sweep() == 1
    assert len(seen) == 50
    assert len(indices) < 50


def test_a_uid_grows_along_every_edge():
    x = leaf(1.0, 2.0)
    with autograd_graph() as graph:
        y = x.tanh()
        y += x
        z = minitorch.stack([y, x]).sum()
    assert graph.find(z) is not None
    assert all(parent.uid < child.uid for parent, child, _ in graph.edges())


def test_a_change_in_place_moves_on_to_a_newer_node():
    x = leaf(1.0)
    with autograd_graph() as graph:
        y = x * 2.0
        before = graph.find(y)
        y += 1.0
    after = graph.find(y)
    assert ops(graph) == ["leaf", "mul", "add"]
    assert graph.parents(after) == [before]
    assert graph.tensor(before) is None
    assert graph.tensor(after) is y
    assert [tuple(each) for each in after.constants] == [(1, (), 1.0)]


def test_tensors_are_known_by_identity_not_by_value():
    x, twin = leaf(1.0), leaf(1.0)
    with autograd_graph() as graph:
        y, z = x * 1.0, twin * 1.0
    assert len({graph.find(each).uid for each in (x, twin, y, z)}) == 4
    assert graph.find(leaf(1.0)) is None


def test_what_was_made_before_is_traced():
    x = leaf(1.0)
    early = x.exp().tanh()
    with autograd_graph() as graph:
        late = early * 2.0
    assert ops(graph) == ["leaf", "exp", "tanh", "mul"]
    assert graph.parents(graph.find(late)) == [graph.find(early)]


def test_from_tensor_equals_recorded():
    x, w = leaf(1.0, 2.0), leaf(0.5, 0.25)
    with autograd_graph() as graph:
        y = x * w
        y -= 0.5
        a, b = minitorch.split(y.exp(), 1)
        loss = (a * b + minitorch.autograd.checkpoint(lambda t: t.tanh().sum(), y)).sum()
    assert facts(AutogradGraph.from_tensor(loss), loss) == facts(graph, loss)


def test_from_tensor_refuses_what_has_no_graph():
    with pytest.raises(RuntimeError, match="a constant has no graph"):
        AutogradGraph.from_tensor(Tensor([1.0]))
    with pytest.raises(TypeError, match="not a list"):
        AutogradGraph.from_tensor([1.0])


def test_a_result_of_a_checkpoint_and_a_hand_made_one_are_recorded():
    x = leaf(1.0)
    with autograd_graph() as graph:
        y = minitorch.autograd.checkpoint(lambda t: t.exp(), x)
        z = Tensor(2 * x.data, requires_grad=True, _prev=(x,), _op="twice")
    assert graph.find(y).op == "checkpoint"
    assert graph.find(z).op == "twice"


def test_a_failed_operation_leaves_no_node():
    x, w = leaf(1.0, 2.0), leaf(1.0, 2.0, 3.0)
    with autograd_graph() as graph:
        x * 1.0
        before = len(graph)
        with pytest.raises(ValueError, match="do not fit"):
            x * w
    assert len(graph) == before


def test_max_nodes_is_said_clearly_and_nothing_is_added():
    x = leaf(1.0)
    held = []
    with autograd_graph(name="small", max_nodes=3) as graph:
        held += [x * 2.0]
        held += [x * 3.0]
        with pytest.raises(GraphFullError, match=r"'small'.*full \(max_nodes=3\): close it, record less"):
            x * 4.0
    assert len(graph) == 3
    with pytest.raises(ValueError, match="at least 1"):
        AutogradGraph(max_nodes=0)


def test_a_full_graph_first_forgets_what_nobody_needs():
    x = leaf(1.0)
    with autograd_graph(max_nodes=20) as graph:
        for _ in range(200):
            y = (x * 2.0).exp().sum()
    assert graph.find(y) is not None
    assert len(graph) <= 20


def test_nested_graphs_are_isolated():
    x = leaf(1.0)
    with autograd_graph() as outer:
        a = x * 2.0
        with autograd_graph() as inner:
            b = x.exp()
        c = a + 1.0
    assert ops(outer) == ["leaf", "mul", "add"]
    assert ops(inner) == ["leaf", "exp"]
    assert outer.find(b) is None
    assert inner.find(c) is None
    assert outer.find(x) is not inner.find(x)


def test_ten_threads_with_ten_graphs():
    found = {}
    gate = threading.Barrier(10)

    def work(number: int) -> None:
        x = leaf(float(number))
        gate.wait()
        with autograd_graph() as graph:
            y = x
            for _ in range(200):
                y = y * 1.01
        found[number] = (ops(graph), graph.is_acyclic(), len({node.uid for node in graph}))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(10)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(found) == 10
    assert all(result == (["leaf"] + ["mul"] * 200, True, 201) for result in found.values())


def test_ten_threads_that_write_into_one_graph():
    graph = AutogradGraph()
    held = []

    def work() -> None:
        previous = Place()
        for _ in range(300):
            out = Place()
            graph.record("op", [(0, previous)], out, backend="other")
            held.append(out)
            Place(), graph.record("lost", [(0, out)], Place(), backend="other")
            graph.sweep()
            previous = out

    threads = [threading.Thread(target=work) for _ in range(10)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    graph.sweep()
    assert len(graph) == 10 * 301
    assert graph.is_acyclic()


class Place:
    """A tensor of no library."""

    shape = (2,)
    dtype = "float32"


def test_nodes_of_two_backends_in_one_graph():
    x = leaf(1.0)
    a, b = Place(), Place()
    with autograd_graph() as graph:
        y = x * 2.0
        node = graph.record("relu", [(0, a)], b, backend="torch", value=np.zeros(2), name="b")
    assert [each.backend for each in graph.nodes()] == ["minitorch", "minitorch", "torch", "torch"]
    assert graph.find(b) is node
    assert graph.parents(node) == [graph.find(a)]
    assert (node.name, node.title, node.shape) == ("b", "b", (2,))
    assert graph.find(y).op == "mul"


def test_a_call_with_several_outputs_is_a_node_without_a_tensor():
    graph, a, b, c = AutogradGraph(), Place(), Place(), Place()
    call = graph.record("split", [(0, a)], None, backend="torch")
    for output in (b, c):
        graph.record("output", [(0, call)], output, backend="torch")
    assert [node.op for node in graph.children(call)] == ["output", "output"]
    del b, c, output
    assert graph.sweep() == 3
    assert graph.nodes() == [graph.find(a)]


def test_a_node_of_another_graph_is_refused():
    one, other, a = AutogradGraph(name="one"), AutogradGraph(name="other"), Place()
    node = one.leaf(a, backend="torch")
    with pytest.raises(KeyError, match="belongs to another graph"):
        other.record("relu", [(0, node)], Place(), backend="torch")
    with pytest.raises(KeyError, match="belongs to another graph"):
        other.parents(node)
    assert isinstance(node, GraphNode)


def test_references_serve_one_graph():
    refs = ReferenceManager()
    assert AutogradGraph(refs).refs is refs
    with pytest.raises(ValueError, match="serves another graph"):
        AutogradGraph(refs)


def test_the_same_graph_is_not_entered_twice():
    with autograd_graph() as graph:
        with pytest.raises(RuntimeError, match="records already"), graph:
            pass
        x = leaf(1.0)
        y = x * 2.0
    assert graph.find(y) is not None
    with graph:
        z = y * 2.0
    assert graph.find(z) is not None


def test_names_are_given_to_leaves_before_and_to_results_after():
    w = leaf(1.0)
    with autograd_graph() as graph:
        graph.label(w=w)
        y = w * 2.0
        graph.label(y=y)
    assert [node.name for node in graph.nodes()] == ["w", "y"]


def test_nothing_is_recorded_of_constants_and_under_no_grad():
    x = leaf(1.0)
    with autograd_graph() as graph:
        y = Tensor([1.0]) * 2.0
        with minitorch.no_grad():
            x * 2.0
    assert len(graph) == 0
    assert graph.find(y) is None
    with pytest.raises(KeyError, match="does not know this Tensor"):
        graph.node(y)


def test_what_is_no_tensor_and_no_number_of_nodes_is_refused():
    x = leaf(1.0)
    with autograd_graph() as graph:
        x * 2.0
    for ask in (graph.node, graph.reverse_toposort, GraphExecutor(graph).backward):
        with pytest.raises(TypeError, match="a node is found by its tensor; this is a str"):
            ask("x")
    with pytest.raises(TypeError, match="max_nodes is a whole number, not a str"):
        AutogradGraph(max_nodes="10")


def test_a_graph_is_freed_without_the_garbage_collector():
    import weakref

    gc.collect()
    gc.disable()
    try:
        x = leaf(1.0)
        with autograd_graph() as graph:
            y = (x * 2.0).exp()
        watched = weakref.ref(graph)
        del graph
        assert watched() is None
        assert y.requires_grad
    finally:
        gc.enable()


@pytest.mark.parametrize("in_place", [False, True])
@pytest.mark.parametrize("op", ["addmm", "baddbmm"])
@pytest.mark.parametrize(
    ("given", "told"), [({}, []), ({"beta": 2, "alpha": 0.5}, [2, 0.5]), ({"beta": 0}, [0, 1]), ({"alpha": 3}, [1, 3])]
)
def test_the_numbers_that_scale_a_product_are_written_down(op, given, told, in_place):
    shape = (1, 2, 2) if op == "baddbmm" else (2, 2)
    x, a, b = (Tensor(np.ones(shape), requires_grad=True) for _ in range(3))
    with autograd_graph() as graph:
        y = getattr(x * 1.0, op + "_" * in_place)(a, b, **given)
    constants = graph.find(y).constants
    assert [(each.slot, each.value) for each in constants] == list(enumerate(told, 3))


def test_the_number_of_an_addcmul_is_one_of_its_factors():
    x, a, b = leaf(1.0), leaf(2.0), leaf(3.0)
    with autograd_graph() as graph:
        y = minitorch.addcmul(x, a, b, value=0.5)
    (scale,) = [node for node in graph.reverse_toposort(y) if node.constants]
    assert (scale.op, [(each.slot, each.value) for each in scale.constants]) == ("mul", [(1, 0.5)])


@pytest.mark.parametrize(
    ("given", "said"),
    [({"keep": 3}, "keep=….*uids of nodes"), ({"keep": ["x"]}, "keep=…"), ({"leaves": 1}, "leaves=….*True or False")],
)
def test_a_sweep_says_what_it_takes(given, said):
    with pytest.raises(TypeError, match=said):
        AutogradGraph().sweep(**given)
