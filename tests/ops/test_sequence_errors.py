"""CTC and the losses of margins between classes: what they refuse, and in which words."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from minitorch import Tensor, nn
from minitorch.nn import functional as fn

LOGS = Tensor(np.log(np.full((4, 2, 3), 1 / 3)))
TWO = Tensor([[1, 2], [2, 1]])
ROWS = Tensor(np.zeros((2, 3)))


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (
            lambda: fn.ctc_loss(LOGS[0, 0], TWO, [4, 4], [2, 2]),
            ValueError,
            r"^ctc_loss: log_probs must be floats \(T, N, C\) or \(T, C\), not float64 \(3,\)",
        ),
        (lambda: fn.ctc_loss(LOGS, TWO, [4, 4], [2, 2], 3), ValueError, "^ctc_loss: blank is class 3, but .* 0 to 2"),
        (lambda: fn.ctc_loss(LOGS, TWO, [4], [2, 2]), ValueError, "^ctc_loss: 2 samples need .* not 1 and 2"),
        (
            lambda: fn.ctc_loss(LOGS, TWO, [4, 5], [2, 2]),
            ValueError,
            r"^ctc_loss: input_lengths \[4, 5\] must lie between 0 and 4, and target_lengths \[2, 2\] not be negative",
        ),
        (lambda: fn.ctc_loss(LOGS, TWO, [4, 4], [2, -1]), ValueError, r"target_lengths \[2, -1\] not be negative"),
        (lambda: fn.ctc_loss(LOGS, TWO, [4.0, 4.0], [2, 2]), TypeError, "^ctc_loss: input_lengths must be integers"),
        (lambda: fn.ctc_loss(LOGS, TWO.double(), [4, 4], [2, 2]), TypeError, "^ctc_loss: targets must hold class num"),
        (
            lambda: fn.ctc_loss(LOGS, TWO, [4, 4], [2, 3]),
            ValueError,
            r"^ctc_loss: targets have shape \(2, 2\), but \(2, 3 or more\) or \(5,\) is needed for target_lengths",
        ),
        (
            lambda: fn.ctc_loss(LOGS, TWO + 1, [4, 4], [2, 2]),
            IndexError,
            "^ctc_loss: class 3 in targets, but .* 0 to 2",
        ),
        (lambda: fn.ctc_loss(LOGS, TWO, [4, 4], [2, 2], reduction="max"), ValueError, "^ctc_loss: reduction must be"),
        (lambda: nn.CTCLoss(reduction="max"), ValueError, "^CTCLoss: reduction must be"),
        (lambda: fn.multi_margin_loss(ROWS, Tensor([0, 1]), p=3), ValueError, "^multi_margin_loss: p must be 1 or 2"),
        (
            lambda: fn.multi_margin_loss(ROWS, Tensor([0])),
            ValueError,
            r"^multi_margin_loss: input has shape \(2, 3\) and target \(1,\), but .* and \(2,\)",
        ),
        (lambda: fn.multi_margin_loss(ROWS, Tensor([0, 3])), IndexError, "^multi_margin_loss: class 3 .* 0 to 2"),
        (lambda: fn.multi_margin_loss(ROWS, Tensor([0, -1])), IndexError, "^multi_margin_loss: class -1 in target"),
        (lambda: fn.multi_margin_loss(ROWS, Tensor([0.0, 1.0])), TypeError, "^multi_margin_loss: target must hold"),
        (
            lambda: fn.multi_margin_loss(ROWS, Tensor([0, 1]), weight=ROWS),
            ValueError,
            r"^multi_margin_loss: weight has shape \(2, 3\), not \(3,\)",
        ),
        (lambda: nn.MultiMarginLoss(p=0), ValueError, "^MultiMarginLoss: p must be 1 or 2, not 0"),
        (lambda: fn.multilabel_margin_loss(ROWS, TWO), ValueError, r"^multilabel_margin_loss: .* and \(2, 3\)"),
        (
            lambda: fn.multilabel_margin_loss(ROWS, Tensor([[0, 1, 2], [-2, 0, 0]])),
            IndexError,
            "^multilabel_margin_loss: class -2 in target",
        ),
        (lambda: fn.rrelu(ROWS, 0.5, 0.1), ValueError, "^rrelu: lower 0.5 is larger than upper 0.1"),
        (lambda: fn.alpha_dropout(ROWS, 1.5), ValueError, "^alpha_dropout: p must be a probability"),
        (lambda: fn.local_response_norm(ROWS, 2), ValueError, "^local_response_norm: input must have .* three axes"),
        (lambda: fn.local_response_norm(LOGS, 0), ValueError, "^local_response_norm: size must be at least 1, not 0"),
        (lambda: fn.pdist(LOGS), ValueError, r"^pdist: input must have shape \(n, d\)"),
        (lambda: nn.Softmax2d()(ROWS), ValueError, r"^Softmax2d: input must have shape \(N, C, H, W\) or"),
        (
            lambda: nn.AdaptiveLogSoftmaxWithLoss(3, 5, [2, 2]),
            ValueError,
            r"^AdaptiveLogSoftmaxWithLoss: cutoffs must be increasing integers between 1 and 4, not \[2, 2\]",
        ),
        (lambda: nn.AdaptiveLogSoftmaxWithLoss(3, 5, [5]), ValueError, "^AdaptiveLogSoftmaxWithLoss: cutoffs must be"),
        (
            lambda: nn.AdaptiveLogSoftmaxWithLoss(3, 5, [2])(ROWS.float(), Tensor([0, 5])),
            IndexError,
            "^AdaptiveLogSoftmaxWithLoss: class 5 in target, but the classes are 0 to 4",
        ),
        (
            lambda: nn.AdaptiveLogSoftmaxWithLoss(3, 5, [2])(ROWS.float(), Tensor([0])),
            ValueError,
            r"^AdaptiveLogSoftmaxWithLoss: input has shape \(2, 3\) and target \(1,\)",
        ),
    ],
)
def test_errors_name_the_operation_and_what_is_wrong(
    wrong: Callable[[], object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        wrong()


def test_what_alpha_dropout_leaves_has_mean_0_and_variance_1() -> None:
    x = Tensor(np.random.default_rng(0).standard_normal((400, 500)))
    for drop in (nn.AlphaDropout(0.3), nn.FeatureAlphaDropout(0.3)):
        out = drop(x).data
        np.testing.assert_allclose([out.mean(), out.var()], [0.0, 1.0], atol=0.02)
        _, counts = np.unique(out.round(9), return_counts=True)
        assert 0.29 < counts.max() / out.size < 0.31


def test_slopes_of_rrelu_are_drawn_between_the_bounds() -> None:
    x = Tensor(np.full(2000, -1.0), requires_grad=True)
    out = nn.RReLU(0.2, 0.4)(x)
    assert 0.2 <= -out.data.max() < 0.21
    assert 0.39 < -out.data.min() <= 0.4
    out.sum().backward()
    np.testing.assert_array_equal(np.asarray(x.grad), -out.data)
