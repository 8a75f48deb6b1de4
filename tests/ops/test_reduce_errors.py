"""What reductions, running sums and orders refuse, in words; and what they do that the table cannot say."""

from typing import Any

import numpy as np
import pytest

import minitorch
from minitorch import Tensor
from minitorch.ops.norms import vector_norm
from minitorch.ops.sort import pick_along, put_along

X = Tensor(np.arange(6.0).reshape(2, 3))
NOTHING = Tensor(np.zeros((0, 3)))
PLACES = Tensor([0, 1])


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (lambda: minitorch.sum(X, 2), IndexError, "^sum: axis 2 is out of bounds"),
        (lambda: minitorch.prod(X, -3), IndexError, "^prod: axis -3 is out of bounds"),
        (lambda: minitorch.std(X, 2), IndexError, "^var: axis 2 is out of bounds|^std: axis 2 is out of bounds"),
        (lambda: minitorch.nansum(X, (0, 0)), ValueError, "^nansum: duplicate value in 'axis'"),
        (lambda: minitorch.mean(X, dtype="int64"), TypeError, "^mean: a mean is a float, so dtype cannot be int64"),
        (lambda: minitorch.amin(NOTHING, 0), ValueError, r"^amin: shape \(0, 3\) has nothing along dim 0"),
        (lambda: minitorch.amax(NOTHING), ValueError, r"^amax: shape \(0, 3\) has nothing along dim None"),
        (lambda: minitorch.aminmax(NOTHING), ValueError, r"^amin: shape \(0, 3\) has nothing along dim None"),
        (lambda: minitorch.max(NOTHING), ValueError, r"^max: shape \(0, 3\) has nothing .* to take the largest of"),
        (lambda: minitorch.min(NOTHING), ValueError, r"^min: shape \(0, 3\) has nothing .* to take the smallest of"),
        (lambda: minitorch.min(NOTHING, 0), ValueError, r"^min: axis 0 of shape \(0, 3\) has size 0"),
        (lambda: minitorch.min(X, 2), IndexError, r"^min: axis 2 does not exist in shape \(2, 3\)"),
        (lambda: minitorch.median(NOTHING), ValueError, r"^median: shape \(0, 3\) has nothing"),
        (lambda: minitorch.median(NOTHING, 0), ValueError, r"^median: axis 0 of shape \(0, 3\) has size 0"),
        (lambda: minitorch.median(X, -3), IndexError, r"^median: axis -3 does not exist"),
        (lambda: minitorch.norm(X, "nuc", 0), ValueError, r"^norm: the nuclear norm is over two axes .*, not \(0,\)"),
        (lambda: minitorch.norm(X, "max"), ValueError, "^norm: p is a number, 'fro', 'nuc', inf or -inf, not 'max'"),
        (
            lambda: minitorch.norm(NOTHING, float("inf"), 0),
            ValueError,
            r"^norm: shape \(0, 3\) has nothing along dim 0, so there is no norm of order inf",
        ),
        (lambda: minitorch.cumsum(X, 2), IndexError, r"^cumsum: axis 2 does not exist in shape \(2, 3\)"),
        (lambda: minitorch.cumprod(X, -3), IndexError, r"^cumprod: axis -3 does not exist in shape \(2, 3\)"),
        (lambda: minitorch.diff(X, -1), ValueError, "^diff: n is how many times to take differences, .* be -1"),
        (lambda: minitorch.diff(Tensor(1.0)), ValueError, "^diff: a single number has no axis"),
        (lambda: minitorch.diff(X, 1, 2), IndexError, "^diff: axis 2 does not exist"),
        (lambda: minitorch.sort(X, 2), IndexError, "^sort: axis 2 does not exist"),
        (lambda: minitorch.argsort(X, 2), IndexError, "^argsort: axis 2 does not exist"),
        (lambda: minitorch.topk(X, 4), ValueError, r"^topk: k is 4, but axis -1 of shape \(2, 3\) has 3 to choose"),
        (lambda: minitorch.topk(X, 1, 2), IndexError, "^topk: axis 2 does not exist"),
        (lambda: minitorch.argmax(NOTHING), ValueError, r"^argmax: shape \(0, 3\) has nothing along dim None"),
        (lambda: minitorch.argmin(NOTHING, 0), ValueError, r"^argmin: shape \(0, 3\) has nothing along dim 0"),
        (lambda: minitorch.argmax(X, 2), IndexError, "^argmax: axis 2 does not exist"),
        (lambda: minitorch.unique(Tensor(1.0), dim=0), IndexError, "^unique: a single number has no axis"),
        (lambda: minitorch.unique(X, dim=2), IndexError, "^unique: axis 2 does not exist"),
        (
            lambda: minitorch.searchsorted(X, Tensor([1.0])),
            ValueError,
            r"^searchsorted: sequences of shape \(2, 3\) and input of shape \(1,\) need the same axes but the last",
        ),
        (
            lambda: minitorch.searchsorted(X, X, right=True, side="left"),
            ValueError,
            "^searchsorted: side 'left' and right=True do not fit",
        ),
        (lambda: minitorch.bincount(Tensor([-1])), ValueError, "^bincount: input is one axis of integers from 0"),
        (lambda: minitorch.bincount(X), ValueError, r"^bincount: .*, not float64 of shape \(2, 3\)"),
        (lambda: minitorch.bincount(PLACES, Tensor([1.0])), ValueError, "^bincount: input of shape .* must match"),
    ],
)
def test_refused_in_one_sentence(wrong: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        wrong()


def test_integers_add_up_as_int64_and_average_to_the_default_float() -> None:
    small = Tensor(np.array([200, 100], np.uint8))
    for operation in (minitorch.sum, minitorch.prod, minitorch.nansum):
        assert operation(small).dtype == np.int64
    assert minitorch.cumsum(small, 0).tolist() == [200, 300]
    for operation in (minitorch.mean, minitorch.var, minitorch.std, minitorch.norm, minitorch.nanmean):
        assert operation(small).dtype == np.float32


def test_a_wider_dtype_is_what_is_computed_in_and_the_gradient_comes_back_narrow() -> None:
    x = Tensor(np.array([1.0, 2.0], np.float32), requires_grad=True)
    for operation in (minitorch.sum, minitorch.mean, minitorch.prod, minitorch.nansum, minitorch.norm):
        out = operation(x, dtype="float64")
        assert out.dtype == np.float64
        out.backward()
    out = minitorch.cumprod(x, 0, dtype="float64")
    out.backward(np.ones(2))
    assert out.dtype == np.float64
    assert x.grad is not None
    assert x.grad.dtype == np.float32


def test_the_first_of_equal_medians_is_named() -> None:
    assert minitorch.median(Tensor([3.0, 1.0, 3.0, 3.0, 5.0]), 0).indices.item() == 0


def test_values_and_indices_can_be_taken_apart_by_place_and_by_name() -> None:
    for result in (X.max(dim=1), minitorch.min(X, 1), minitorch.median(X, 1), minitorch.sort(X), minitorch.topk(X, 2)):
        values, places = result
        assert values is result.values
        assert places is result.indices
        assert places.dtype == np.int64
        assert not places.requires_grad


def test_weights_of_a_count_get_the_gradient_of_their_place() -> None:
    weights = Tensor(np.array([0.5, 0.25, 1.0]), requires_grad=True)
    minitorch.bincount(Tensor([1, 1, 3]), weights).backward(np.array([1.0, 2.0, 3.0, 4.0]))
    np.testing.assert_array_equal(weights.grad, [2.0, 2.0, 4.0])
    assert minitorch.bincount(Tensor([1]), Tensor(np.ones(1, np.float32))).dtype == np.float32
    assert minitorch.bincount(Tensor([1]), Tensor([2])).dtype == np.float64


def test_integers_for_searchsorted_can_be_narrow() -> None:
    assert minitorch.searchsorted(Tensor([1.0, 2.0]), Tensor([1.5]), out_int32=True).dtype == np.int32


def test_picking_and_putting_are_each_other_s_gradient() -> None:
    index = np.array([[2, 0], [1, 2]])
    x = Tensor(np.arange(6.0).reshape(2, 3), requires_grad=True)
    assert minitorch.gradcheck(lambda x: pick_along(x, index, 1), x)
    assert minitorch.gradcheck(lambda v: put_along(v, index, 1, (2, 3)), Tensor(np.ones((2, 2)), requires_grad=True))
    single = Tensor(np.ones(1), requires_grad=True)
    assert minitorch.gradcheck(lambda v: put_along(v, np.zeros((), np.int64), 0, ()), single)


def test_a_norm_of_numbers_only_takes_a_number() -> None:
    with pytest.raises(TypeError):
        vector_norm(X, "fro")
