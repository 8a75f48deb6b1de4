"""cross_entropy says in plain words what does not fit."""

from typing import Any

import numpy as np
import pytest

from minitorch import Tensor
from minitorch.nn.functional import cross_entropy

LOGITS = Tensor(np.zeros((2, 3)))


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        ((LOGITS, Tensor([0, 3])), {}, IndexError, "class 3 in target, but the classes are 0 to 2"),
        ((LOGITS, Tensor([-1, 0])), {}, IndexError, "class -1 in target, but the classes are 0 to 2"),
        (
            (LOGITS, Tensor([0, 1, 2])),
            {},
            ValueError,
            r"target has shape \(3,\), but input of shape \(2, 3\) needs \(2,\)",
        ),
        ((LOGITS, Tensor([[0], [1]])), {}, ValueError, r"target has shape \(2, 1\)"),
        (
            (LOGITS, Tensor([0.0, 1.0])),
            {},
            ValueError,
            "target holds floats, so it must be probabilities of input's shape",
        ),
        ((Tensor(0.0), Tensor(0)), {}, ValueError, r"input must have a class axis: \(C,\), \(N, C\)"),
        (
            (LOGITS, Tensor([0, 1])),
            {"weight": Tensor(np.ones(3), requires_grad=True)},
            TypeError,
            r"no gradient rule for 'weight': pass weight\.detach\(\)",
        ),
        ((LOGITS, Tensor([0, 1])), {"weight": [1.0]}, ValueError, r"weight has shape \(1,\), but there are 3 classes"),
        (
            (LOGITS, Tensor([0, 1])),
            {"reduction": "max"},
            ValueError,
            "reduction must be 'mean', 'sum' or 'none', not 'max'",
        ),
        (
            (LOGITS, Tensor([0, 1])),
            {"label_smoothing": 1.5},
            ValueError,
            "label_smoothing must lie between 0 and 1, not 1.5",
        ),
    ],
)
def test_what_does_not_fit_is_named(arguments: Any, options: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=f"^cross_entropy: {message}"):
        cross_entropy(*arguments, **options)


def test_an_ignored_class_outside_the_range_is_no_error() -> None:
    assert cross_entropy(LOGITS, Tensor([0, 7]), ignore_index=7).item() == pytest.approx(np.log(3.0))


def test_target_and_weight_may_be_arrays_or_lists() -> None:
    expected = cross_entropy(LOGITS, Tensor([0, 1])).item()
    assert cross_entropy(LOGITS, [0, 1]).item() == expected
    assert cross_entropy(LOGITS, np.array([0, 1], np.int32), weight=[1.0, 1.0, 1.0]).item() == expected


def test_the_gradient_is_softmax_minus_the_target() -> None:
    logits = Tensor([[1.0, 2.0, 0.5]], requires_grad=True)
    cross_entropy(logits, [1]).backward()
    np.testing.assert_allclose(logits.grad, logits.detach().softmax(dim=1).data - [[0.0, 1.0, 0.0]], rtol=1e-6)
