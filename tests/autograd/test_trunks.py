"""A part of the graph that two losses share: what saved no values has nothing to lose, and can be passed again."""

import numpy as np
import pytest

from minitorch import Tensor


def leaf(*values):
    return Tensor(list(values), requires_grad=True)


def test_a_trunk_that_saved_nothing_serves_a_second_loss():
    x = leaf(1.0, 2.0)
    h = x + 2
    h.sum().backward()
    (h * h).sum().backward()
    np.testing.assert_array_equal(x.grad, [7.0, 9.0])  # 1 + 2(x + 2), as in PyTorch


@pytest.mark.parametrize(
    "trunk",
    [lambda x: x.reshape(1, 2), lambda x: x.sum(dim=0, keepdim=True), lambda x: -x.T],
    ids=["reshape", "sum", "transpose"],
)
def test_shapes_and_axes_are_no_values(trunk):
    x = leaf(1.0, 2.0)
    h = trunk(x)
    h.sum().backward()
    once = x.grad.copy()
    h.sum().backward()
    np.testing.assert_array_equal(x.grad, 2 * once)


def test_a_trunk_that_saved_something_is_freed_and_named():
    x = leaf(1.0, 2.0)
    h = (x * x) + 2
    h.sum().backward()
    with pytest.raises(RuntimeError, match=r"freed by an earlier backward\(\) \(at mul, shape \(2,\)\)"):
        h.sum().backward()


def test_a_hand_made_node_is_freed_though_it_saved_nothing():
    x = leaf(1.0)
    y = Tensor(x.data * 3, requires_grad=True, _prev=(x,), _op="triple")

    def _backward():
        x.grad = (0 if x.grad is None else x.grad) + 3 * y.grad

    y._backward = _backward
    y.backward()
    with pytest.raises(RuntimeError, match="freed by an earlier backward"):
        y.backward()


def test_hooks_on_a_trunk_are_called_in_both_passes():
    x = leaf(1.0, 2.0)
    h = x + 2
    h.register_hook(lambda g: g * 10)
    h.sum().backward()
    h.sum().backward()
    np.testing.assert_array_equal(x.grad, [20.0, 20.0])
