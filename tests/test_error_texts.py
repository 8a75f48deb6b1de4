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
        (lambda: X + np.ones(4), ValueError, r"^add: shapes \(2, 3\) and \(4,\) do not fit together"),
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
        (lambda: Tensor(np.zeros(0)).max(), ValueError, r"shape \(0,\) has nothing"),
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


def twice(x: Tensor) -> None:
    loss = (x * x).sum()
    loss.backward()
    loss.backward()


def differentiated_after_its_part_was_freed(x: Tensor) -> None:
    hidden = x * x
    hidden.sum().backward()
    (hidden * 2.0).sum().backward()


def changed_while_needed(x: Tensor) -> None:
    factor = Tensor(np.ones(2))
    kept = x * factor
    factor[0] = 2.0
    kept.sum().backward()


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (
            lambda: Tensor([[1.0]]) @ Tensor(np.ones((1, 1))),
            TypeError,
            r"^matmul: float32 and float64 do not mix: convert other, as in x\.to\('float32'\)$",
        ),
        (lambda: Tensor([[1.0]]) @ Tensor([[1]]), TypeError, "^matmul: float32 and int64 do not mix: convert other"),
        (
            lambda: Tensor([[1]]) @ Tensor([[1.0]]),
            TypeError,
            r"^matmul: int64 and float32 .*, as in x\.to\('float32'\)$",
        ),
        (
            lambda: leaf(1.0).__setitem__(0, 2.0),
            RuntimeError,
            "^setitem: a leaf that requires grad cannot be changed in place while operations are recorded: write `with",
        ),
        (
            lambda: changed_while_needed(leaf(1.0, 2.0)),
            RuntimeError,
            r"^mul saved numbers of shape \(2,\) for its gradient, which setitem has changed in place since: call",
        ),
        (
            lambda: twice(leaf(1.0, 2.0)),
            RuntimeError,
            r"^the graph behind this Tensor was freed by an earlier backward\(\) .* pass retain_graph=True to that",
        ),
        (
            lambda: differentiated_after_its_part_was_freed(leaf(1.0, 2.0)),
            RuntimeError,
            r"^the graph behind this Tensor was freed by an earlier backward\(\) \(at mul, shape \(2,\)\): pass retain",
        ),
        (lambda: X[:, 5], IndexError, r"^getitem: index 5 is out of bounds for axis 1 with size 3 \(the Tensor has"),
        (lambda: X.gather(1, Tensor([[7], [0]])), IndexError, r"^gather: .*7.*"),
        (
            lambda: np.percentile(X, 50),
            TypeError,
            r"^np\.percentile is not an operation on Tensors: use minitorch\.quantile$",
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
