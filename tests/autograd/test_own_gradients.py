"""Every `.grad` is an array of its own, and every output has the dtype that the function gave it."""

import numpy as np

from minitorch import Tensor, primitive
from minitorch.autograd import Function, checkpoint
from minitorch.graph import AutogradGraph, GraphExecutor


def leaf(*values, dtype="float32"):
    return Tensor(np.array(values, dtype), requires_grad=True)


def own(*tensors):
    """Whether the gradients share memory with nobody: not with each other, and not with an array at hand."""
    grads = [each.grad for each in tensors]
    pairs = [(a, b) for at, a in enumerate(grads) for b in grads[at + 1 :]]
    return not any(np.shares_memory(a, b) for a, b in pairs)


def test_a_rule_that_keeps_its_array_gives_each_leaf_a_copy():
    kept = np.ones(2, np.float32)
    plain = primitive(lambda x: x + 0, name="plain", x=lambda g: kept)
    a, b = leaf(1.0, 2.0), leaf(3.0, 4.0)
    (plain(a) + plain(b)).sum().backward()
    assert own(a, b)
    a.grad *= 5
    np.testing.assert_array_equal(b.grad, [1.0, 1.0])
    np.testing.assert_array_equal(kept, [1.0, 1.0])


def test_a_rule_that_keeps_its_last_result_gives_a_copy_in_every_pass():
    results = []

    def rule(g):
        results.append(g * 2)
        return results[-1]

    double = primitive(lambda x: x * 2, name="double", x=rule)
    a = leaf(1.0, 2.0)
    double(a).sum().backward()
    assert not np.shares_memory(a.grad, results[-1])


def test_a_rule_that_hands_out_one_array_for_both_operands_gives_two():
    given = {}

    def once(g):
        return given.setdefault("array", g * 1)

    both = primitive(lambda x, y: x + y, name="both", x=once, y=once)
    a, b = leaf(1.0, 2.0), leaf(3.0, 4.0)
    both(a, b).sum().backward()
    assert own(a, b)
    assert not np.shares_memory(a.grad, given["array"])


def test_create_graph_gives_each_leaf_a_gradient_of_its_own():
    a, b = leaf(1.0, 2.0), leaf(3.0, 4.0)
    seed = Tensor([1.0, 1.0])
    (a + b).backward(seed, create_graph=True)
    assert a.grad is not b.grad
    for one, other in ((a.grad, b.grad), (a.grad, seed), (b.grad, seed)):
        assert not np.shares_memory(one.data, other.data)


def test_create_graph_copies_the_array_that_a_rule_keeps():
    kept = np.ones(2, np.float32)
    plain = primitive(lambda x: x + 0, name="plain", x=lambda g: kept)
    a = leaf(1.0, 2.0)
    plain(a).sum().backward(create_graph=True)
    assert isinstance(a.grad, Tensor)
    assert not np.shares_memory(a.grad.data, kept)


class Number:
    """What a backend of somebody else's may call a tensor."""

    shape = (2,)
    dtype = np.dtype(np.float64)

    def __init__(self, values):
        self.values, self.grad = values, None

    def __mul__(self, other):
        return self.values * other


def test_a_pass_over_pulled_operations_gives_each_leaf_an_array_of_its_own():
    a, b, total = (Number(np.ones(2)) for _ in range(3))
    graph = AutogradGraph()
    graph.record("add", [(0, a), (1, b)], total, backend="mine", pull=lambda g: [(0, g), (1, g)])
    GraphExecutor(graph).backward(total, np.ones(2))
    assert own(a, b, total)


def test_checkpoint_keeps_the_dtype_of_each_output():
    x = leaf(1.0, 2.0)
    one, two = checkpoint(lambda x: (x * 1, x.double() * 2), x)
    assert (one.dtype, two.dtype) == (np.float32, np.float64)
    (one.sum() + two.sum()).backward()
    assert x.grad.dtype == np.float32
    np.testing.assert_array_equal(x.grad, [3.0, 3.0])


class Split(Function):
    """x as it is, and twice x in float64."""

    seen = ()

    @staticmethod
    def forward(ctx, x):
        return x * 1, x.double() * 2

    @staticmethod
    def backward(ctx, g, h):
        Split.seen = g.dtype, h.dtype
        return g + h * 2


def test_a_function_keeps_the_dtype_of_each_output_and_gives_its_gradient_in_it():
    x = leaf(1.0, 2.0)
    one, two = Split.apply(x)
    assert (one.dtype, two.dtype) == (np.float32, np.float64)
    assert two.data.tolist() == [2.0, 4.0]
    (one.sum() + (two * two).sum()).backward()
    assert Split.seen == (np.float32, np.float64)
    np.testing.assert_array_equal(x.grad, [1 + 4 * 2, 1 + 8 * 2])
    assert x.grad.dtype == np.float32


def test_second_derivatives_pass_through_outputs_of_two_dtypes():
    x = leaf(3.0)
    _, two = Split.apply(x)
    (two * two).sum().backward(create_graph=True)  # 4x²: 8x, then 8
    first, x.grad = x.grad, None
    assert first.item() == 24.0
    first.sum().backward()
    np.testing.assert_array_equal(x.grad, [8.0])
