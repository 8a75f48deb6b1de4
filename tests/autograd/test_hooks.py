"""register_hook: sees the whole gradient of a pass, may replace it, and can be taken away."""

import numpy as np
import pytest

from minitorch import Tensor, grad


def leaf(*values: float) -> Tensor:
    return Tensor(np.array(values), requires_grad=True)


def test_a_hook_sees_the_sum_of_all_contributions_once() -> None:
    x, seen = leaf(1.0, 2.0), []
    h = x * 2.0
    h.register_hook(seen.append)
    (h * h + h).sum().backward()
    assert len(seen) == 1
    np.testing.assert_array_equal(seen[0], [5.0, 9.0])


def test_what_a_hook_returns_replaces_the_gradient_from_there_on() -> None:
    x = leaf(1.0, 2.0)
    h = x * 2.0
    h.register_hook(lambda g: g * 10)
    h.sum().backward()
    np.testing.assert_array_equal(h.grad, [10.0, 10.0])
    np.testing.assert_array_equal(x.grad, [20.0, 20.0])


def test_a_leafs_hook_sees_this_pass_alone_and_not_what_was_gathered_before() -> None:
    x, seen = leaf(1.0, 2.0), []
    x.register_hook(lambda g: seen.append(g.copy()))
    x.sum().backward()
    (x * 3.0).sum().backward()
    np.testing.assert_array_equal(seen, [[1.0, 1.0], [3.0, 3.0]])
    np.testing.assert_array_equal(x.grad, [4.0, 4.0])


def test_hooks_run_in_the_order_of_their_registration() -> None:
    x = leaf(1.0)
    x.register_hook(lambda g: g + 1)
    x.register_hook(lambda g: g * 10)
    x.sum().backward()
    np.testing.assert_array_equal(x.grad, [20.0])


def test_a_removed_hook_is_not_called() -> None:
    x = leaf(1.0)
    handle = x.register_hook(lambda g: g * 10)
    handle.remove()
    handle.remove()
    x.sum().backward()
    np.testing.assert_array_equal(x.grad, [1.0])


def test_grad_and_create_graph_call_hooks_too() -> None:
    x = leaf(1.0, 2.0)
    x.register_hook(lambda g: g * 10)
    (g,) = grad((x * x).sum(), x)
    np.testing.assert_array_equal(g.data, [20.0, 40.0])
    (g,) = grad((x * x).sum(), x, create_graph=True)
    assert isinstance(g, Tensor)
    np.testing.assert_array_equal(g.data, [20.0, 40.0])


def test_a_hook_may_return_a_tensor_and_must_keep_the_shape() -> None:
    x = leaf(1.0, 2.0)
    handle = x.register_hook(lambda g: Tensor(g) * 2.0)
    x.sum().backward()
    np.testing.assert_array_equal(x.grad, [2.0, 2.0])
    handle.remove()
    x.register_hook(lambda g: g[:1])
    with pytest.raises(ValueError, match=r"a hook of .* returned shape \(1,\) for a gradient of shape \(2,\)"):
        x.sum().backward()


def test_a_constant_has_no_hooks() -> None:
    with pytest.raises(RuntimeError, match="register_hook on a constant"):
        Tensor(1.0).register_hook(print)


def test_a_leaf_tells_when_its_gradient_is_there_and_may_step_and_forget_it() -> None:
    x, y, seen = leaf(1.0, 2.0), leaf(3.0, 4.0), []

    def step(each: Tensor) -> None:
        seen.append(each is x)
        each.detach().sub_(0.1 * each.grad)
        each.grad = None

    handles = [each.register_post_accumulate_grad_hook(step) for each in (x, y)]
    (x * x + y).sum().backward()
    assert sorted(seen) == [False, True]
    np.testing.assert_allclose(x.data, [0.8, 1.6])
    np.testing.assert_allclose(y.data, [2.9, 3.9])
    assert x.grad is None
    assert y.grad is None
    grad((x * x).sum(), x)
    handles[0].remove()
    x.sum().backward()
    assert len(seen) == 2
    np.testing.assert_array_equal(x.grad, [1.0, 1.0])


def test_only_a_leaf_gathers_a_gradient() -> None:
    for wrong in (Tensor([1.0]), leaf(1.0) * 2):
        with pytest.raises(RuntimeError, match="only a leaf"):
            wrong.register_post_accumulate_grad_hook(print)
