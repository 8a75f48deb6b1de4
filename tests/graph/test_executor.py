"""The executor computes what Tensor.backward computes, to the bit, and an abandoned pass leaves no trace."""

import numpy as np
import pytest
from hypothesis import given
from programs import FEW, Program, programs

import minitorch
from minitorch import Tensor
from minitorch.graph import AutogradGraph, GraphExecutor, autograd_graph, with_autograd_graph


def bits(array):
    return None if array is None else (array.shape, str(array.dtype), array.tobytes())


def test_a_number_in_place_of_the_loss_is_refused_with_what_to_do():
    with autograd_graph() as graph:
        loss = (Tensor([1.0], requires_grad=True) * 2.0).sum()
    with pytest.raises(RuntimeError, match=r"requires grad; 2\.0 is a plain number.*not loss\.item\(\)"):
        GraphExecutor(graph).backward(loss.item())


@FEW
@given(programs(longest=12))
def test_backward_equals_the_engines_to_the_bit(program: Program):
    grads = []
    for use_executor in (False, True):
        leaves = [Tensor(values, requires_grad=True) for values in program.inputs()]
        for each in leaves:
            each.grad = each.data * 0.1
        with autograd_graph() as graph:
            loss = program.loss(leaves)
        if use_executor:
            GraphExecutor(graph).backward(loss)
        else:
            loss.backward()
        grads.append([bits(each.grad) for each in leaves] + [bits(loss.grad)])
    assert grads[0] == grads[1]


@FEW
@given(programs())
def test_the_steps_add_up_to_the_gradients(program: Program):
    leaves = [Tensor(values, requires_grad=True) for values in program.inputs()]
    with autograd_graph() as graph:
        loss = program.loss(leaves)
    found = {step.node.uid: bits(step.gradient) for step in GraphExecutor(graph).steps(loss)}
    assert all(each.grad is None for each in leaves)
    loss.backward()
    for each in leaves:
        node = graph.find(each)
        assert bits(each.grad) == (None if node is None else found.get(node.uid))


def test_a_residual_connection_counts_each_path_once():
    x = Tensor(np.array(0.5), requires_grad=True)
    with autograd_graph() as graph:
        z = x + x.exp()
    GraphExecutor(graph).backward(z)
    assert x.grad == 1.0 + np.exp(0.5)


def test_an_abandoned_pass_leaves_nothing_changed():
    x = Tensor([1.0, 2.0], requires_grad=True)
    with autograd_graph() as graph:
        hidden = x.exp()
        loss = (hidden * x).sum()
    steps = GraphExecutor(graph).steps(loss)
    next(steps)
    next(steps)
    steps.close()
    assert x.grad is None
    assert hidden.grad is None
    assert all(node.gradient is None for node in graph.nodes())
    loss.backward()
    expected = x.grad.copy()
    x.grad = None
    again = Tensor([1.0, 2.0], requires_grad=True)
    (again.exp() * again).sum().backward()
    assert np.array_equal(expected, again.grad)


def test_a_step_says_what_happened():
    x, b = Tensor(np.ones((2, 3)), requires_grad=True), Tensor(np.ones(3), requires_grad=True)
    with autograd_graph() as graph:
        loss = (x + b).sum()
    summed, added, *leaves = GraphExecutor(graph).steps()
    assert (summed.node.op, added.node.op) == ("sum", "add")
    assert [(each.parent, each.slot, each.reduced_axes) for each in added.contributions] == [
        (graph.find(x), 0, ()),
        (graph.find(b), 1, (0,)),
    ]
    assert added.contributions[1].gradient.tolist() == [2.0, 2.0, 2.0]
    assert {step.node for step in leaves} == {graph.find(x), graph.find(b)}
    assert loss.grad is None


def test_backward_frees_keeps_and_refuses_as_the_engine_does():
    x = Tensor([1.0, 2.0], requires_grad=True)
    with autograd_graph() as graph:
        hidden = x.exp()
        loss = hidden.sum()
    executor = GraphExecutor(graph)
    executor.backward(loss, retain_graph=True)
    executor.backward(loss)
    assert np.array_equal(x.grad, 2 * np.exp(x.data))
    assert np.array_equal(hidden.grad, np.ones(2))
    assert not np.shares_memory(hidden.grad, x.grad)
    with pytest.raises(RuntimeError, match="freed by an earlier backward"):
        executor.backward(loss)
    with pytest.raises(RuntimeError, match="starts from one number"):
        executor.backward(hidden)
    with pytest.raises(RuntimeError, match="on a constant"):
        executor.backward(Tensor([1.0]))


def test_hooks_are_called_once_a_pass():
    called = []
    x = Tensor([1.0, 2.0], requires_grad=True)
    with autograd_graph() as graph:
        hidden = x * 3.0
        hidden.register_hook(lambda g: called.append(1) or g * 10)
        loss = hidden.sum()
    GraphExecutor(graph).backward(loss)
    assert x.grad.tolist() == [30.0, 30.0]
    assert called == [1]


def test_a_hand_made_node_and_a_checkpoint_take_part():
    x = Tensor(np.array(2.0), requires_grad=True)
    with autograd_graph() as graph:
        y = Tensor(x.data**2, requires_grad=True, _prev=(x,), _op="square")

        def backward() -> None:
            x.grad = (0 if x.grad is None else x.grad) + 2 * x.data * y.grad

        y._backward = backward
        z = minitorch.autograd.checkpoint(lambda t: t * 3.0, y)
    before = len(graph)
    assert [step.node.op for step in GraphExecutor(graph).steps(z)] == ["checkpoint", "square", ""]
    with graph:
        GraphExecutor(graph).backward(z)
    assert x.grad == 12.0
    assert len(graph) == before


def test_statistics_are_filled_by_the_pass():
    x = Tensor([-1.0, 2.0, 0.0, 3.0], requires_grad=True)
    with autograd_graph() as graph:
        loss = minitorch.relu(x).sum()
    GraphExecutor(graph).backward(loss)
    assert tuple(graph.find(x).gradient) == (2**0.5, 0.0, 1.0, 0.5)
    assert all(node.gradient is not None for node in graph.nodes())


def test_recorded_pulls_are_run_and_freed():
    graph = AutogradGraph()
    x, y, z = Number(3.0), Number(9.0), Number(12.0)
    graph.record("square", [(0, x), (1, x)], y, backend="numbers", pull=lambda g: [(0, g * 3.0), (1, g * 3.0)])
    graph.record("add", [(0, y), (1, x)], z, backend="numbers", pull=lambda g: [(0, g), (1, g)])
    GraphExecutor(graph).backward(z)
    assert x.grad.value == 7.0
    assert all(node.pull is None for node in graph.nodes())
    with pytest.raises(RuntimeError, match="its pull was freed"):
        GraphExecutor(graph).backward(z)


class Number:
    """A tensor of no library."""

    shape = ()
    dtype = "float"

    def __init__(self, value: float) -> None:
        self.value = value
        self.grad = None

    def __mul__(self, other):
        return Number(self.value * getattr(other, "value", other))

    def __add__(self, other):
        return Number(self.value + getattr(other, "value", other))


def test_the_pass_of_a_backend_is_injected():
    class Pass:
        def __init__(self, graph, root, gradient=None, *, retain_graph=False):
            self.seen = (graph, root, gradient, retain_graph)

        def steps(self):
            return iter([self.seen])

        def run(self):
            ran.append(self.seen)

    ran, graph, x, y = [], AutogradGraph(), Number(1.0), Number(1.0)
    graph.passes["numbers"] = Pass
    graph.record("op", [(0, x)], y, backend="numbers")
    assert list(GraphExecutor(graph).steps(y)) == [(graph, y, None, True)]
    GraphExecutor(graph).backward(y, 2.0)
    assert ran == [(graph, y, 2.0, False)]


def test_the_block_runs_backward_from_its_one_living_scalar():
    x = Tensor([1.0, 2.0], requires_grad=True)
    with with_autograd_graph() as (graph, refs):
        assert graph.refs is refs
        logits = x * 3.0
        (logits * 2.0).sum()  # nobody holds it
        loss = logits.sum()
    assert x.grad.tolist() == [3.0, 3.0]
    assert loss.grad == 1.0


def block(compute):
    with with_autograd_graph() as (graph, _):
        held = compute()
    return graph, held


def test_the_block_names_the_candidates():
    x = Tensor([1.0, 2.0], requires_grad=True)
    with pytest.raises(RuntimeError, match=r"2 scalars could be the root.*sum \(shape \(\).*mean \(shape \(\)"):
        block(lambda: (x.sum(), x.mean()))
    with pytest.raises(RuntimeError, match=r"no living scalar.*keep the loss.*no scalar: mul \(shape \(2,\)"):
        block(lambda: x * 2.0)
    with pytest.raises(RuntimeError, match="no living scalar"):
        block(lambda: None)
    assert x.grad is None
    assert block(lambda: x.sum())[0].closed
    assert x.grad.tolist() == [1.0, 1.0]


def test_an_exception_in_the_block_changes_no_gradient():
    x = Tensor([1.0, 2.0], requires_grad=True)
    with pytest.raises(ZeroDivisionError), with_autograd_graph() as (graph, refs):  # noqa: PT012
        loss = x.sum()
        raise ZeroDivisionError
    assert x.grad is None
    assert graph.closed
    assert refs.leaves == ()
    assert loss.item() == 3.0


def test_nested_blocks_each_run_their_own_pass():
    x, w = Tensor([1.0], requires_grad=True), Tensor([2.0], requires_grad=True)
    with with_autograd_graph():
        outer = (x * 3.0).sum()
        with with_autograd_graph():
            inner = (w * 5.0).sum()
    assert (x.grad.item(), w.grad.item()) == (3.0, 5.0)
    assert (outer.item(), inner.item()) == (3.0, 10.0)
