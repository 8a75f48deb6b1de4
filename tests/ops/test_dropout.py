"""Dropout: how many go, what stays, and where the random numbers come from."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minitorch
from minitorch import Tensor
from minitorch.nn.functional import (
    alpha_dropout,
    dropout,
    dropout1d,
    dropout2d,
    dropout3d,
    feature_alpha_dropout,
    scaled_dot_product_attention,
)


def ones(*shape: int) -> Tensor:
    return Tensor(np.ones(shape, np.float32), requires_grad=True)


@pytest.mark.parametrize("p", [0.1, 0.5, 0.9])
def test_a_share_of_p_becomes_zero_and_the_rest_grows_by_as_much(p: float) -> None:
    out = dropout(ones(100, 200), p).data
    assert set(np.unique(out)) == {np.float32(0), np.float32(1 / (1 - p))}
    assert (out == 0).mean() == pytest.approx(p, abs=0.02)
    assert out.mean() == pytest.approx(1, abs=0.06)
    assert out.dtype == np.float32


def test_the_gradient_passes_where_the_number_stayed() -> None:
    x = ones(20, 20)
    out = dropout(x, 0.3)
    out.sum().backward()
    np.testing.assert_array_equal(x.grad, out.data)


def test_a_channel_goes_as_one() -> None:
    out = dropout2d(ones(50, 40, 2, 3), 0.4).data
    np.testing.assert_array_equal(out, np.broadcast_to(out[:, :, :1, :1], out.shape))
    assert (out == 0).mean() == pytest.approx(0.4, abs=0.06)


@pytest.mark.filterwarnings("ignore:dropout2d")
def test_a_channel_of_a_sequence_goes_as_one() -> None:
    out = dropout2d(ones(50, 40, 5), 0.4).data
    np.testing.assert_array_equal(out, np.broadcast_to(out[:, :, :1], out.shape))
    assert 0 < (out == 0).mean() < 1


def test_the_same_seed_drops_the_same() -> None:
    def drawn() -> Any:
        minitorch.manual_seed(7)
        return dropout(ones(50), 0.5).data

    np.testing.assert_array_equal(drawn(), drawn())


def test_both_float_widths_drop_the_same() -> None:
    minitorch.manual_seed(7)
    narrow = dropout(ones(50), 0.5)
    minitorch.manual_seed(7)
    wide = dropout(Tensor(np.ones(50)), 0.5)
    assert wide.dtype == np.float64
    np.testing.assert_array_equal(wide.data, narrow.data)


# How many leading axes have a number of the mask each, by the number of axes, as PyTorch 2.13 draws it; its warning.
AXES = [
    *[(dropout1d, count, leading, None) for count, leading in ((2, 1), (3, 2))],
    (dropout2d, 3, 2, "is taken as (N, C, L)"),
    (dropout2d, 4, 2, None),
    *[(dropout2d, count, 2, "should have shape (N, C, H, W)") for count in (2, 5, 6)],
    *[(dropout3d, count, 1, "should have shape (N, C, D, H, W)") for count in (1, 2, 3, 6)],
    *[(dropout3d, count, leading, None) for count, leading in ((4, 1), (5, 2))],
    *[(alpha_dropout, count, count, None) for count in range(6)],
    *[(feature_alpha_dropout, count, 2, None) for count in range(2, 7)],
]


@pytest.mark.parametrize(("drop", "count", "leading", "words"), AXES)
def test_any_number_of_axes_is_dropped_as_pytorch_does(drop: Any, count: int, leading: int, words: str | None) -> None:
    shape = (7, 6, 5, 4, 3, 2)[:count]
    minitorch.manual_seed(0)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        out = drop(ones(*shape), 0.5, True).data
    minitorch.manual_seed(0)
    mask = dropout(ones(*shape[:leading]), 0.5).data > 0
    np.testing.assert_array_equal(
        out > 0, np.broadcast_to(mask.reshape((*shape[:leading], *[1] * (count - leading))), shape)
    )
    assert len(caught) == (words is not None)
    assert words is None or words in str(caught[0].message)


@pytest.mark.parametrize("drop", [dropout2d, dropout3d, feature_alpha_dropout])
@pytest.mark.filterwarnings("ignore:dropout")
def test_too_few_axes_matter_only_to_a_mask(drop: Callable[..., Any]) -> None:
    single = ones()
    assert drop(single, 0.5, training=False) is single
    assert drop(single, 0.0, training=True) is single
    assert drop(single, 1.0, training=True).item() == 0
    with pytest.raises(ValueError, match=r"input of shape \(\) has no channels: use dropout"):
        drop(single, 0.5, training=True)


@pytest.mark.filterwarnings("ignore:dropout2d")
@pytest.mark.parametrize("drop", [dropout, dropout2d])
def test_nothing_happens_unless_training(drop: Callable[..., Any]) -> None:
    x = ones(2, 3, 4)
    assert drop(x, 0.5, training=False) is x
    assert drop(x, 0.0) is x


def test_integers_become_floats() -> None:
    assert dropout(Tensor([1, 2, 3]), 0.5).dtype == np.float32


def test_attention_drops_weights_and_keeps_the_mean() -> None:
    query, value = ones(200, 4, 2), ones(200, 16, 1)
    out = scaled_dot_product_attention(query, ones(200, 16, 2), value, dropout_p=0.5).data
    assert out.std() > 0.1
    assert out.mean() == pytest.approx(1, abs=0.1)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: dropout(ones(2), 1.5), "dropout: p must be a probability between 0 and 1, not 1.5"),
        (lambda: dropout(ones(2), -0.1, training=False), "dropout: p must be a probability between 0 and 1, not -0.1"),
        (lambda: dropout2d(ones(2, 2, 2, 2), 2), "dropout2d: p must be a probability between 0 and 1, not 2"),
        (lambda: feature_alpha_dropout(ones(3), training=True), r"feature_alpha_dropout: input of shape \(3,\) has no"),
        (lambda: dropout1d(ones(2, 3, 4, 5)), r"dropout1d: input must have shape \(N, C, L\) or \(C, L\)"),
    ],
)
def test_what_does_not_fit_is_named(wrong: Callable[[], Any], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}"):
        wrong()
