"""What a backward pass leaves behind: on leaves, in between, and in the graph."""

import numpy as np
import pytest

from minitorch import Tensor, grad
from minitorch.autograd import backward


def leaf(*values: float) -> Tensor:
    return Tensor(np.array(values), requires_grad=True)


def test_leaf_gradients_accumulate_over_passes() -> None:
    x = leaf(1.0, 2.0)
    for _ in range(3):
        (x * x).sum().backward()
    np.testing.assert_array_equal(x.grad, [6.0, 12.0])


def test_setting_grad_to_none_starts_anew() -> None:
    x = leaf(1.0, 2.0)
    (x * x).sum().backward()
    x.grad = None
    (x * 5.0).sum().backward()
    np.testing.assert_array_equal(x.grad, [5.0, 5.0])


def test_interior_gradients_describe_the_latest_pass() -> None:
    x = leaf(1.0, 2.0)
    hidden = x * 3.0
    loss = (hidden * hidden).sum()
    loss.backward(retain_graph=True)
    first = hidden.grad
    loss.backward()
    np.testing.assert_array_equal(hidden.grad, first)
    np.testing.assert_array_equal(x.grad, 2 * 18.0 * x.data)


def test_two_losses_that_share_a_hidden_tensor_give_the_right_sum() -> None:
    x = leaf(1.0, -2.0)
    hidden = x * 3.0
    first, second = (hidden * hidden).sum(), (hidden * 2.0).sum()
    first.backward(retain_graph=True)
    second.backward()
    np.testing.assert_allclose(x.grad, 18.0 * x.data + 6.0)
    np.testing.assert_array_equal(hidden.grad, [2.0, 2.0])


def test_a_held_interior_tensor_keeps_its_gradient_and_a_dropped_one_does_not() -> None:
    x = leaf(1.0)
    held = x * 2.0
    dropped = held * 3.0
    node = dropped._node
    loss = (dropped * 4.0).sum()
    del dropped
    loss.backward()
    np.testing.assert_array_equal(held.grad, [12.0])
    np.testing.assert_array_equal(loss.grad, 1.0)
    assert node is not None
    assert node.tensor is None
    assert node.grad is None


def test_every_path_through_a_diamond_counts() -> None:
    x = leaf(0.5)
    left, right = x.exp(), x.sqrt()
    (left * right + left - right).sum().backward()
    e, s = np.exp(0.5), np.sqrt(0.5)
    np.testing.assert_allclose(x.grad, [e * s + e / (2 * s) + e - 1 / (2 * s)])


def test_a_shallow_and_a_deep_path_meet_in_the_right_order() -> None:
    x = leaf(2.0)
    deep = x
    for _ in range(10):
        deep = deep * 1.5
    (deep * x).sum().backward()
    np.testing.assert_allclose(x.grad, [2 * 2.0 * 1.5**10])


@pytest.mark.parametrize(
    "seed", [[1.0, 2.0], (1, 2), np.array([1, 2]), np.array([1.0, 2.0], np.float32), Tensor([1.0, 2.0])], ids=repr
)
def test_a_seed_may_be_anything_that_is_an_array(seed: object) -> None:
    x = leaf(3.0, 4.0)
    y = x * x
    y.backward(seed)
    np.testing.assert_array_equal(x.grad, [6.0, 16.0])
    assert y.grad is not None
    assert y.grad.dtype == np.float64


@pytest.mark.parametrize("shape", [(), (1,), (1, 1)])
def test_the_seed_of_one_number_is_an_array_like_it(shape: tuple[int, ...]) -> None:
    loss = Tensor(np.full(shape, 3.0, np.float32), requires_grad=True) * 2.0
    loss.backward()
    assert type(loss.grad) is np.ndarray
    assert (loss.grad.shape, loss.grad.dtype, loss.grad.sum()) == (shape, np.float32, 1.0)


def test_a_root_that_is_a_leaf_accumulates_too() -> None:
    x = leaf(3.0)
    x.backward()
    x.backward()
    assert x.grad is not None
    assert x.grad.tolist() == [2.0]


def test_a_seed_of_another_shape_is_refused() -> None:
    y = leaf(1.0, 2.0) * 2.0
    with pytest.raises(ValueError, match=r"gradient has shape \(3,\), but the Tensor has shape \(2,\)"):
        y.backward(np.ones(3))
    with pytest.raises(ValueError, match=r"gradient has shape \(\), but the Tensor has shape \(2,\)"):
        y.backward(1.0)


def test_a_second_pass_over_a_freed_graph_names_retain_graph() -> None:
    x = leaf(2.0)
    loss = (x * x).sum()
    loss.backward()
    with pytest.raises(
        RuntimeError, match=r"freed by an earlier backward\(\) \(at mul, shape \(1,\)\).*retain_graph=True"
    ):
        loss.backward()
    with pytest.raises(RuntimeError, match=r"or compute the result again$"):  # no state is carried over
        loss.backward()
    assert x.grad is not None
    assert x.grad.tolist() == [4.0]  # the pass that was refused added nothing


def test_a_new_graph_on_a_freed_one_is_refused_before_anything_changes() -> None:
    x = leaf(2.0)
    hidden = x.exp()
    hidden.sum().backward()
    before = x.grad
    with pytest.raises(RuntimeError, match=r"retain_graph=True .* cut off there, as in h = h\.detach\(\)$"):
        (hidden * x).sum().backward()
    assert x.grad is before


def test_retain_graph_allows_any_number_of_passes() -> None:
    x = leaf(2.0)
    loss = (x * x).sum()
    for _ in range(4):
        loss.backward(retain_graph=True)
    assert x.grad is not None
    assert x.grad.tolist() == [16.0]


def test_the_graph_can_be_drawn_after_it_was_freed() -> None:
    x = leaf(1.0, 2.0)
    loss = (x.exp() * x).sum()
    loss.backward()
    assert loss._op == "sum"
    (product,) = loss._prev
    assert (product._op, product.shape, product.dtype) == ("mul", (2,), np.float64)
    exponential, same = product._prev
    assert exponential._op == "exp"
    assert same is x


def test_prev_gives_tensors_while_they_are_held_and_nodes_afterwards() -> None:
    x = leaf(1.0)
    y = x * 2.0
    z = y + 1.0
    assert z._prev == (y,)
    node = y._node
    del y
    assert z._prev == (node,)
    assert z._prev[0]._prev == (x,)


def test_the_same_parent_twice_is_two_parents() -> None:
    x = leaf(3.0)
    assert (x * x)._prev == (x, x)


def test_a_constant_operand_is_no_parent() -> None:
    x = leaf(3.0)
    assert (Tensor(2.0) * x)._prev == (x,)
    assert (x + 1.0)._prev == (x,)


def test_uid_grows_along_every_edge_and_is_never_used_again() -> None:
    seen: set[int] = set()
    for _ in range(3):
        x = leaf(1.0)
        y = ((x * x).exp() + x).sum()
        stack = [y._node]
        while stack:
            node = stack.pop()
            assert node is not None
            for parent in node.parents:
                if parent is not None:
                    assert parent.uid < node.uid
                    stack.append(parent)
        nodes = {y._node.uid, x._node.uid}
        assert not nodes & seen
        seen |= nodes
        del x, y, stack, node


def test_a_failed_operation_leaves_no_node() -> None:
    x = leaf(1.0, 2.0, 3.0)
    node = x._node
    import sys

    holders = sys.getrefcount(node)
    for wrong in (
        lambda: x + np.ones(4),
        lambda: x @ np.ones((2, 2)),
        lambda: x.reshape(2, 2),
        lambda: x[7],
        lambda: x.sum(dim=3),
        lambda: x + "one",
    ):
        with pytest.raises((ValueError, IndexError, TypeError)):
            wrong()
    assert sys.getrefcount(node) == holders


def test_nothing_is_compared_by_value(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Tensor, other: object) -> bool:
        raise AssertionError("two Tensors were compared with ==")

    monkeypatch.setattr(Tensor, "__eq__", refuse)
    monkeypatch.setattr(Tensor, "__hash__", object.__hash__)
    x, w = leaf(1.0, 2.0), leaf(3.0, 4.0)
    hidden = (x * w + w * w).relu()
    (hidden.sum() + hidden[np.array([0, 0])].sum() + x.max(dim=0).values).backward()
    np.testing.assert_array_equal(x.grad, [9.0, 5.0])


def test_an_infinite_derivative_raises_no_warning() -> None:
    x = leaf(0.0)
    x.sqrt().sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == [np.inf]


def test_a_gradient_of_another_shape_cannot_be_assigned() -> None:
    x = leaf(1.0, 2.0)
    with pytest.raises(ValueError, match=r"grad of shape \(3,\) given to a Tensor of shape \(2,\)"):
        x.grad = np.ones(3)


def test_a_constant_cannot_be_given_a_gradient() -> None:
    with pytest.raises(RuntimeError, match="a constant has no gradient: make the Tensor with requires_grad=True"):
        Tensor([1.0]).grad = np.ones(1)


def test_backward_from_several_tensors_is_one_walk_with_the_sum() -> None:
    x = leaf(1.0, -3.0)
    hidden = x.exp()
    backward([hidden.sum(), hidden * x, hidden], [None, np.array([2.0, 0.5]), np.ones(2)])
    slope = np.exp(x.data)
    np.testing.assert_allclose(x.grad, 2 * slope + [2.0, 0.5] * slope * (x.data + 1))
    backward((x * 2.0).sum())
    np.testing.assert_allclose(x.grad, 2 * slope + [2.0, 0.5] * slope * (x.data + 1) + 2.0)


def test_backward_from_several_tensors_knows_create_graph_and_inputs() -> None:
    x, y = leaf(1.0, 2.0), leaf(3.0, 4.0)
    backward([(x * x * y).sum(), (x * y).sum()], create_graph=True, inputs=x)
    assert y.grad is None
    (second,) = grad(x.grad.sum(), x)
    np.testing.assert_allclose(second.data, 2 * y.data)


def test_backward_from_several_tensors_names_what_is_wrong() -> None:
    x = leaf(1.0, 2.0)
    with pytest.raises(ValueError, match="backward: 1 grad_tensors for 2 tensors"):
        backward([x.sum(), x.sum()], [np.array(1.0)])
    with pytest.raises(RuntimeError, match=r"backward: tensors\[1\] does not require grad"):
        backward([x.sum(), Tensor(1.0)])


def test_no_inputs_at_all_are_a_mistake() -> None:
    x = leaf(1.0, 2.0)
    with pytest.raises(ValueError, match="backward: inputs is empty: name a Tensor, or leave inputs out"):
        x.sum().backward(inputs=[])
    with pytest.raises(ValueError, match="grad: inputs is empty: name the Tensors"):
        grad(x.sum(), [])


def test_zeros_for_unused_inputs_and_a_refusal_of_them_contradict_each_other() -> None:
    x = leaf(1.0, 2.0)
    with pytest.raises(ValueError, match=r"grad: materialize_grads=True gives zeros .* leave allow_unused=False out"):
        grad(x.sum(), [x], allow_unused=False, materialize_grads=True)
