"""Errors name the operation and both shapes, in one plain sentence."""

from typing import Any

import numpy as np
import pytest

import minitorch
from minitorch import Tensor


def leaf(*values: float) -> Tensor:
    return Tensor(np.array(values), requires_grad=True)


X = Tensor(np.zeros((2, 3)))


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (lambda: leaf(1.0, 2.0) * leaf(1.0, 2.0, 3.0), ValueError, r"^mul: shapes \(2,\) and \(3,\) do not fit"),
        (lambda: minitorch.maximum(X, np.ones(2)), ValueError, r"^maximum: shapes \(2, 3\) and \(2,\)"),
        (lambda: X ** np.ones(4), ValueError, r"^pow: .*\(2,3\).*\(4,\)|^pow: shapes \(2, 3\) and \(4,\)"),
        (lambda: minitorch.where(X > 0, X, np.ones(4)), ValueError, r"^where: .*\(2,3\).*\(4,\)|^where: shapes"),
        (lambda: X @ X, ValueError, r"^matmul: shapes \(2, 3\) and \(2, 3\): the inner sizes 3 and 2 must be equal"),
        (lambda: X @ 2.0, ValueError, r"^matmul: shapes \(2, 3\) and \(\): a single number takes no part in @"),
        (
            lambda: Tensor(np.ones((2, 2, 3))) @ Tensor(np.ones((4, 3, 1))),
            ValueError,
            r"^matmul: shapes \(2, 2, 3\) and \(4, 3, 1\): the leading axes must be equal or 1",
        ),
        (lambda: X.reshape(4, 2), ValueError, r"^reshape: cannot put 6 numbers of shape \(2, 3\) into shape \(4, 2\)"),
        (
            lambda: X.permute(0, 0),
            ValueError,
            r"^permute: dims \(0, 0\) must name each of the 2 axes of shape \(2, 3\)",
        ),
        (lambda: X.permute(0), ValueError, r"^permute: dims \(0,\) must name each"),
        (lambda: X.expand(2, 4), ValueError, r"^expand: shape \(2, 3\) cannot be expanded to \(2, 4\)"),
        (lambda: X.expand(3), ValueError, r"^expand: shape \(2, 3\) cannot be expanded to \(3,\)"),
        (lambda: X.squeeze(2), IndexError, r"^squeeze: axis 2 does not exist in shape \(2, 3\)"),
        (lambda: X.unsqueeze(4), (ValueError, IndexError), "^unsqueeze: axis 4 is out of bounds"),
        (lambda: X.transpose(0, 2), (ValueError, IndexError), "^transpose: .*axis 2 is out of bounds"),
        (lambda: X.sum(dim=(0, 0)), ValueError, "^sum: duplicate value in 'axis'"),
        (lambda: X.mean(dim=2), (ValueError, IndexError), "^mean: axis 2 is out of bounds"),
        (lambda: X.var(dim=2), (ValueError, IndexError), "^var: axis 2 is out of bounds"),
        (lambda: X.amax(dim=2), (ValueError, IndexError), "^amax: axis 2 is out of bounds"),
        (lambda: X.max(dim=2), IndexError, r"^max: axis 2 does not exist in shape \(2, 3\)"),
        (lambda: X.logsumexp(dim=2), (ValueError, IndexError), "^logsumexp: axis 2 is out of bounds"),
        (lambda: X.softmax(dim=2), (ValueError, IndexError), "^softmax: axis 2 is out of bounds"),
        (lambda: Tensor(np.zeros((0, 3))).amax(dim=0), ValueError, r"^amax: shape \(0, 3\) has nothing along dim 0"),
        (lambda: Tensor(np.zeros((0, 3))).max(dim=0), ValueError, r"^max: axis 0 of shape \(0, 3\) has size 0"),
        (
            lambda: minitorch.cat([X, np.ones((2, 3, 1))]),
            ValueError,
            r"^cat: shapes \(2, 3\) and \(2, 3, 1\) must have",
        ),
        (
            lambda: minitorch.cat([X, np.ones((2, 4))]),
            ValueError,
            r"^cat: shapes \(2, 3\) and \(2, 4\) may differ along",
        ),
        (lambda: minitorch.cat([X, X], dim=2), IndexError, "^cat: axis 2 does not exist"),
        (lambda: minitorch.cat([Tensor(1.0)]), ValueError, "^cat: single numbers have no axis .*: use stack"),
        (lambda: minitorch.cat([]), ValueError, "^cat: at least one tensor is needed"),
        (lambda: minitorch.stack([]), ValueError, "^stack: at least one tensor is needed"),
        (lambda: minitorch.stack([X, np.ones(3)]), ValueError, r"^stack: shapes \(2, 3\) and \(3,\) must all be equal"),
    ],
)
def test_errors_name_the_operation_and_the_shapes(wrong: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        wrong()


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (
            lambda: Tensor([[1.0]]) @ Tensor(np.ones((1, 1))),
            TypeError,
            r"^matmul: float32 and float64 do not mix: convert other, as in x\.to\('float32'\)$",
        ),
        (
            lambda: Tensor([[1]]) @ Tensor([[1.0]]),
            TypeError,
            r"^matmul: int64 and float32 .*, as in x\.to\('float32'\)$",
        ),
        (
            lambda: X.backward(),
            RuntimeError,
            r"^backward\(\) on a constant: nothing it was made from has requires_grad",
        ),
        (
            lambda: (leaf(1.0, 2.0) * 2.0).backward(),
            RuntimeError,
            r"^backward\(\) starts from one number, not from shape \(2,\): reduce it first, as in loss\.sum",
        ),
    ],
)
def test_each_mistake_is_one_sentence_that_says_what_to_do(wrong: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message) as caught:
        wrong()
    assert "\n" not in str(caught.value)
