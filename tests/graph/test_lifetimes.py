"""Recording is invisible: to values, to gradients and to how long arrays live."""

import contextlib
import gc
import subprocess
import sys
import weakref

import numpy as np
import pytest
from array_count import counted_arrays, large_array
from effort import within_processor_time
from hypothesis import given
from programs import FEW, Program, programs

from minitorch import Tensor
from minitorch.graph import AutogradGraph, GraphExecutor, autograd_graph, with_autograd_graph


@pytest.fixture(autouse=True)
def without_gc():
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def chain(x: Tensor, length: int = 50) -> Tensor:
    for _ in range(length):
        x = (x * 0.5).tanh()
    return x.sum()


def peaks(record: bool) -> tuple[int, int]:
    """The most arrays that lived during the forward and the backward pass of a chain of 100 operations."""
    with counted_arrays() as count:
        x = Tensor(large_array(), requires_grad=True)
        with AutogradGraph() if record else contextlib.nullcontext():
            count.forget_peak()
            loss = chain(x)
            forward = count.peak()
            count.forget_peak()
            loss.backward()
            return forward, count.peak()


def test_the_peak_is_the_same_with_and_without_recording():
    assert peaks(record=True) == peaks(record=False)


def test_the_executors_peak_is_the_engines():
    with counted_arrays() as count:
        x = Tensor(large_array(), requires_grad=True)
        with AutogradGraph() as graph:
            loss = chain(x)
            count.forget_peak()
            GraphExecutor(graph).backward(loss)
            assert count.peak() <= peaks(record=False)[1] + 1


def test_an_intermediate_dies_when_its_last_holder_lets_go():
    x = Tensor([1.0], requires_grad=True)
    with autograd_graph() as graph:
        y = x * 2.0
        watched = weakref.ref(y)
        node = graph.find(y)
        del y
        assert watched() is None
        assert graph.tensor(node) is None


def test_leaves_live_until_close_and_close_may_be_called_twice():
    x = Tensor([1.0], requires_grad=True)
    watched = weakref.ref(x)
    with autograd_graph() as graph:
        y = x * 2.0
    del x
    assert watched() is not None
    assert len(graph.refs.leaves) == 1
    graph.close()
    assert watched() is None
    assert y.item() == 2.0
    graph.close()
    assert [node.op for node in graph.nodes()] == ["", "mul"]
    with pytest.raises(RuntimeError, match=r"closed> cannot record"):
        graph.record("op", [], y, backend="minitorch")
    with pytest.raises(RuntimeError, match="cannot record"), graph:
        pass


def test_a_graph_is_closed_by_an_exception_and_forgets():
    with pytest.raises(ZeroDivisionError), autograd_graph() as graph:  # noqa: PT012
        x = Tensor([1.0], requires_grad=True)
        watched = weakref.ref(x)
        y = x * 2.0
        raise ZeroDivisionError
    assert graph.closed
    assert y.item() == 2.0
    del x
    assert watched() is None
    z = Tensor([1.0], requires_grad=True) * 2.0
    assert graph.find(z) is None


def test_closing_inside_the_block_ends_the_recording():
    x = Tensor([1.0], requires_grad=True)
    with autograd_graph() as graph:
        x * 2.0
        graph.close()
        y = x * 3.0
    assert graph.find(y) is None
    assert len(graph) == 2


def test_sweep_drops_what_is_gone_and_keeps_what_something_alive_came_from():
    x = Tensor([1.0], requires_grad=True)
    with autograd_graph() as graph:
        y = (x * 2.0).exp()
        z = (x * 3.0).tanh().sin()
        del z
    assert graph.sweep() == 3
    assert graph.sweep() == 0
    assert [node.op for node in graph.nodes()] == ["", "mul", "exp"]
    del y
    assert graph.sweep() == 2
    assert [node.op for node in graph.alive()] == [""]


def test_a_destructor_only_notes_the_departure():
    x = Tensor([1.0], requires_grad=True)
    with autograd_graph() as graph:
        y = x * 2.0
    nodes = len(graph)
    del y
    assert len(graph) == nodes
    assert len(graph.refs.gone) == 1


def test_a_training_loop_in_one_block_does_not_grow():
    x = Tensor([1.0], requires_grad=True)
    with autograd_graph() as graph:
        for _ in range(6_000):
            (x * 2.0).exp().sum()
    assert len(graph) < 12_000


@FEW
@given(programs())
def test_recording_changes_no_value_and_no_gradient(program: Program):
    plain = [Tensor(values, requires_grad=True) for values in program.inputs()]
    recorded = [Tensor(values, requires_grad=True) for values in program.inputs()]
    expected = program.loss(plain)
    expected.backward()
    with autograd_graph() as graph:
        loss = program.loss(recorded)
    assert graph.is_acyclic()
    assert loss.data.tobytes() == expected.data.tobytes()
    loss.backward()
    for a, b in zip(plain, recorded, strict=True):
        assert (a.grad is None) == (b.grad is None)
        assert a.grad is None or a.grad.tobytes() == b.grad.tobytes()


LONG = """
import threading
from minitorch import Tensor
from minitorch.graph import AutogradGraph, GraphExecutor

def work():
    x = Tensor(1.0, requires_grad=True)
    with AutogradGraph() as graph:
        y = x
        for _ in range(300_000):
            y = y + x
    assert len(graph) == 300_001 and graph.is_acyclic()
    assert len(AutogradGraph.from_tensor(y)) == 300_001
    GraphExecutor(graph).backward(y)
    assert x.grad == 300_001
    del y
    assert graph.sweep() == 300_000
    done.append(True)

done = []
threading.stack_size(256 * 1024)
thread = threading.Thread(target=work)
thread.start()
thread.join()
assert done
"""


def test_a_chain_of_300_000_operations_on_a_small_stack():
    subprocess.run([sys.executable, "-c", LONG], check=True, **within_processor_time(120))


def test_with_autograd_graph_lets_go_of_the_leaves():
    x = Tensor(np.ones(3), requires_grad=True)
    watched = weakref.ref(x)
    with with_autograd_graph() as (graph, refs):
        loss = (x * x).sum()
    assert x.grad.tolist() == [2.0, 2.0, 2.0]
    assert loss.item() == 3.0
    assert graph.closed
    assert refs.leaves == ()
    del x
    assert watched() is None


@pytest.mark.parametrize("swept", [True, False])
def test_a_loop_with_a_new_leaf_in_every_step_does_not_grow_when_leaves_are_swept(swept):
    w = Tensor([2.0], requires_grad=True)
    inputs = []
    with AutogradGraph().label(w=w) as graph:
        for _ in range(50):
            x = Tensor([3.0], requires_grad=True)
            loss = (x * w).sum()
            inputs.append(weakref.ref(x))
            GraphExecutor(graph).backward(loss)
            del x, loss
            graph.sweep(leaves=swept)
    alive = sum(each() is not None for each in inputs)
    assert (alive, len(graph)) == ((0, 1) if swept else (50, 51))
    assert graph.node(w).name == "w"
    assert w.grad.tolist() == [150.0]


def test_a_leaf_that_something_alive_was_made_from_is_held_through_a_sweep_of_leaves():
    with AutogradGraph() as graph:
        loss = (Tensor([3.0], requires_grad=True) * 2).sum()
        assert graph.sweep(leaves=True) == 0
        (leaf,) = [node for node in graph.nodes() if node.is_leaf]
        GraphExecutor(graph).backward(loss)
        assert graph.tensor(leaf).grad.tolist() == [2.0]
        del loss
        assert graph.sweep(leaves=True) == 3
    assert len(graph) == 0
