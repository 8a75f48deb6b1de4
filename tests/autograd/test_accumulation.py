"""Where gradients meet they are added up: in place where nobody can see it, and never in an array that is seen."""

import numpy as np
import pytest
from array_count import LENGTH, counted_arrays, large_array

from minitorch import Tensor, unbind


def leaf(values: object) -> Tensor:
    return Tensor(np.array(values, dtype=float), requires_grad=True)


def test_a_gradient_that_somebody_took_stays_as_it_was() -> None:
    x = leaf([1.0, 2.0])
    (x * 3.0).sum().backward()
    taken = x.grad
    (x * 3.0).sum().backward()
    np.testing.assert_array_equal(taken, [3.0, 3.0])
    np.testing.assert_array_equal(x.grad, [6.0, 6.0])


def test_so_does_a_view_of_it() -> None:
    x = leaf([1.0, 2.0])
    (x * 3.0).sum().backward()
    view = x.grad[:1]
    (x * 3.0).sum().backward()
    np.testing.assert_array_equal(view, [3.0])


def test_an_upstream_gradient_that_went_to_two_parents_is_not_changed_by_what_meets_it() -> None:
    """a + b hands one array to both; what a then gets besides must not arrive at b."""
    x, y = leaf([1.0, 2.0]), leaf([5.0, 7.0])
    a, b = x * 1.0, y * 1.0
    ((a + b) + a * 10.0).backward(np.array([1.0, 1.0]))
    np.testing.assert_array_equal(x.grad, [11.0, 11.0])
    np.testing.assert_array_equal(y.grad, [1.0, 1.0])


def test_the_seed_is_not_changed() -> None:
    x, seed = leaf([1.0, 2.0]), np.array([1.0, 10.0])
    y = x * 1.0
    (y + y).backward(seed)
    np.testing.assert_array_equal(seed, [1.0, 10.0])
    np.testing.assert_array_equal(x.grad, [2.0, 20.0])


@pytest.mark.parametrize("held", [False, True])
def test_parts_of_a_tensor_give_back_their_gradients(held: bool) -> None:
    x = leaf(np.arange(12.0).reshape(4, 3))
    whole = x * 1.0
    parts = list(unbind(whole)) if held else unbind(whole)
    loss = sum(((number + 1.0) * part).sum() for number, part in enumerate(parts)) + (2.0 * whole[1:3, :2]).sum()
    loss.backward()
    expected = np.repeat([[1.0], [2.0], [3.0], [4.0]], 3, axis=1)
    expected[1:3, :2] += 2.0
    np.testing.assert_array_equal(x.grad, expected)


def test_picked_twice_and_sliced_at_once() -> None:
    x = leaf([1.0, 2.0, 3.0])
    y = x * 1.0
    (y[1:].sum() + y[[0, 0, 2]].sum() + y[0]).backward()
    np.testing.assert_array_equal(x.grad, [3.0, 1.0, 2.0])


def test_many_parts_share_one_array_of_zeros() -> None:
    parts = 64
    x = Tensor(large_array().reshape(parts, LENGTH // parts), requires_grad=True)
    total = sum((part * 2.0).sum() for part in unbind(x * 1.0))
    with counted_arrays() as arrays:
        total.backward()
        assert arrays.peak() <= 4
    np.testing.assert_array_equal(x.grad, np.full(x.shape, 2.0))
