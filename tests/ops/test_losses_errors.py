"""The losses say in plain words what does not fit."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from minitorch import Tensor
from minitorch.nn import functional
from minitorch.nn.functional import cross_entropy, nll_loss

LOGITS = Tensor(np.zeros((2, 3)))
CLASSES = Tensor([0, 1])


@pytest.mark.parametrize("loss", [cross_entropy, nll_loss])
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
            (LOGITS, Tensor([True, False])),
            {},
            TypeError,
            "target must hold class numbers, which are integers, not bool",
        ),
        ((Tensor(0.0), Tensor(0)), {}, ValueError, r"input must have a class axis: \(C,\), \(N, C\)"),
        (
            (LOGITS, CLASSES),
            {"weight": Tensor(np.ones(3), requires_grad=True)},
            TypeError,
            r"no gradient rule for 'weight': pass weight\.detach\(\)",
        ),
        ((LOGITS, CLASSES), {"weight": [1.0]}, ValueError, r"weight has shape \(1,\), but there are 3 classes"),
        (
            (LOGITS, CLASSES),
            {"reduction": "max"},
            ValueError,
            "reduction must be 'mean', 'sum' or 'none', not 'max'",
        ),
    ],
)
def test_classes_that_do_not_fit_are_named(
    loss: Any, arguments: Any, options: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=f"^{loss.__name__}: {message}"):
        loss(*arguments, **options)


def pair(op: str, left: Any, right: Any, **options: Any) -> Callable[[], Any]:
    return lambda: getattr(functional, op)(Tensor(left), Tensor(right), **options)


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (
            pair("cross_entropy", np.zeros((2, 3)), [0.0, 1.0]),
            ValueError,
            "cross_entropy: target holds floats, so it must be probabilities of input's shape",
        ),
        (
            pair("cross_entropy", np.zeros((2, 3)), [0, 1], label_smoothing=1.5),
            ValueError,
            "cross_entropy: label_smoothing must lie between 0 and 1, not 1.5",
        ),
        (
            pair("nll_loss", np.zeros((2, 3)), [0.0, 1.0]),
            TypeError,
            "nll_loss: target must hold class numbers, which are integers, not float32",
        ),
        (
            pair("mse_loss", [1.0], [1.0], reduction="batchmean"),
            ValueError,
            "mse_loss: reduction must be 'mean', 'sum' or 'none', not 'batchmean'",
        ),
        (
            pair("kl_div", [1.0], [1.0], reduction="max"),
            ValueError,
            "kl_div: reduction must be 'mean', 'sum', 'none' or 'batchmean', not 'max'",
        ),
        (pair("smooth_l1_loss", [1.0], [1.0], beta=-1.0), ValueError, "smooth_l1_loss: beta must not be negative"),
        (pair("huber_loss", [1.0], [1.0], delta=0.0), ValueError, "huber_loss: delta must be positive, but is 0.0"),
        (
            pair("binary_cross_entropy", [0.5], [[0.5]]),
            ValueError,
            r"binary_cross_entropy: input has shape \(1,\), but target \(1, 1\): they must be equal",
        ),
        (
            pair("binary_cross_entropy_with_logits", [0.5], [[0.5]]),
            ValueError,
            r"binary_cross_entropy_with_logits: input has shape \(1,\), but target \(1, 1\)",
        ),
        (
            pair("binary_cross_entropy", [1.5], [0.5]),
            ValueError,
            "binary_cross_entropy: input must hold probabilities between 0 and 1",
        ),
        (
            pair("binary_cross_entropy", [0.5], [np.nan]),
            ValueError,
            "binary_cross_entropy: target must hold probabilities between 0 and 1",
        ),
        (
            pair("binary_cross_entropy", np.array([0.5]), np.array([0.5], np.float32)),
            TypeError,
            "binary_cross_entropy: float64 and float32 do not mix",
        ),
    ],
)
def test_what_does_not_fit_is_named(wrong: Callable[[], Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=f"^{message}"):
        wrong()


@pytest.mark.parametrize("op", ["mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss"])
def test_shapes_that_differ_are_broadcast_with_a_warning(op: str) -> None:
    column, row = Tensor([[1.0], [2.0]]), Tensor([1.0, 2.0])
    with pytest.warns(UserWarning, match=rf"^{op}: input has shape \(2, 1\) and target \(2,\); every pairing"):
        out = getattr(functional, op)(column, row, reduction="none")
    assert out.shape == (2, 2)


def test_an_ignored_class_outside_the_range_is_no_error() -> None:
    assert cross_entropy(LOGITS, Tensor([0, 7]), ignore_index=7).item() == pytest.approx(np.log(3.0))


def test_target_and_weight_may_be_arrays_or_lists() -> None:
    expected = cross_entropy(LOGITS, CLASSES).item()
    assert cross_entropy(LOGITS, [0, 1]).item() == expected
    assert cross_entropy(LOGITS, np.array([0, 1], np.int32), weight=[1.0, 1.0, 1.0]).item() == expected


def test_the_gradient_is_softmax_minus_the_target() -> None:
    logits = Tensor([[1.0, 2.0, 0.5]], requires_grad=True)
    cross_entropy(logits, [1]).backward()
    np.testing.assert_allclose(logits.grad, logits.detach().softmax(dim=1).data - [[0.0, 1.0, 0.0]], rtol=1e-6)


def test_nll_loss_of_log_softmax_is_cross_entropy() -> None:
    logits = Tensor(np.arange(6.0).reshape(2, 3))
    assert nll_loss(functional.log_softmax(logits, 1), CLASSES).item() == pytest.approx(
        cross_entropy(logits, CLASSES).item()
    )


def test_the_divergence_averaged_over_numbers_is_the_batch_mean_divided_by_the_row() -> None:
    logarithms, target = Tensor(np.log([[0.2, 0.8], [0.5, 0.5]])), Tensor(np.array([[0.6, 0.4], [0.1, 0.9]]))
    per_row = functional.kl_div(logarithms, target, reduction="batchmean").item()
    assert functional.kl_div(logarithms, target).item() == pytest.approx(per_row / 2)


def test_the_loss_of_a_certain_mistake_is_finite() -> None:
    assert functional.binary_cross_entropy(Tensor([0.0]), Tensor([1.0])).item() == 100.0
