"""Layers as functions: what does not fit is named, and running statistics follow the batches."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from minitorch import Tensor
from minitorch.nn import functional


def zeros(*shape: int) -> Tensor:
    return Tensor(np.zeros(shape, np.float32))


X = zeros(2, 3)
ATTENTION = "scaled_dot_product_attention: "


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (
            lambda: functional.linear(X, zeros(4, 2)),
            ValueError,
            r"linear: weight of shape \(4, 2\) takes inputs of shape \(…, 2\), not \(2, 3\)",
        ),
        (
            lambda: functional.linear(Tensor(1.0), zeros(4, 2)),
            ValueError,
            r"linear: weight of shape \(4, 2\) takes inputs",
        ),
        (
            lambda: functional.linear(X, zeros(1, 4, 3)),
            ValueError,
            r"linear: weight must have shape \(out_features, in_feat",
        ),
        (
            lambda: functional.linear(X, zeros(4, 3), zeros(3)),
            ValueError,
            r"linear: bias has shape \(3,\), but weight of shape \(4, 3\) needs \(4,\)",
        ),
        (lambda: functional.linear(X, zeros(3), zeros(1)), ValueError, "linear: a bias needs a weight of shape"),
        (lambda: functional.linear(X, Tensor(np.zeros((4, 3)))), TypeError, "linear: float32 and float64 do not mix"),
        (lambda: functional.gelu(X, "erf"), ValueError, "gelu: approximate must be 'none' or 'tanh', not 'erf'"),
        (lambda: functional.hardtanh(X, 1.0, -1.0), ValueError, "hardtanh: min_val 1.0 is larger than max_val -1.0"),
        (lambda: functional.celu(X, 0.0), ValueError, "celu: alpha must not be 0"),
        (
            lambda: functional.prelu(X, zeros(2)),
            ValueError,
            r"prelu: weight of shape \(2,\) must hold one number, or one for each channel \(axis 1\) of input",
        ),
        (
            lambda: functional.prelu(zeros(3), zeros(3)),
            ValueError,
            r"prelu: weight of shape \(3,\) must hold one number",
        ),
        (lambda: functional.glu(X), ValueError, r"glu: axis -1 of shape \(2, 3\) must have an even size"),
        (lambda: functional.glu(X, 2), IndexError, r"glu: axis 2 does not exist in shape \(2, 3\)"),
        (
            lambda: functional.layer_norm(X, (2,)),
            ValueError,
            r"layer_norm: input of shape \(2, 3\) does not end with the axes \(2,\) of normalized_shape",
        ),
        (
            lambda: functional.layer_norm(X, 3),
            TypeError,
            r"layer_norm: normalized_shape must be a tuple such as \(3,\), not 3",
        ),
        (
            lambda: functional.layer_norm(X, (3,), zeros(2)),
            ValueError,
            r"layer_norm: weight has shape \(2,\), but normalized_shape is \(3,\)",
        ),
        (lambda: functional.rms_norm(X, (4, 2, 3)), ValueError, "rms_norm: input of shape"),
        (lambda: functional.layer_norm(X, (3,), np.zeros(3)), TypeError, "layer_norm: float32 and float64 do not mix"),
        (
            lambda: functional.batch_norm(zeros(3), None, None),
            ValueError,
            r"batch_norm: input must have shape \(N, C\) or",
        ),
        (
            lambda: functional.batch_norm(X, None, None),
            ValueError,
            "batch_norm: in evaluation mode running_mean and running_var must be given",
        ),
        (
            lambda: functional.batch_norm(zeros(1, 3), None, None, training=True),
            ValueError,
            r"batch_norm: shape \(1, 3\) has one number in each channel, which has no variance",
        ),
        (
            lambda: functional.batch_norm(X, zeros(2), zeros(3)),
            ValueError,
            r"batch_norm: running_mean has shape \(2,\), but there are 3 channels",
        ),
        (
            lambda: functional.group_norm(X, 2),
            ValueError,
            r"group_norm: 3 channels of shape \(2, 3\) do not fall into 2 equal groups",
        ),
        (lambda: functional.group_norm(zeros(3), 1), ValueError, "group_norm: input must have shape"),
        (
            lambda: functional.group_norm(zeros(1, 3), 3),
            ValueError,
            r"group_norm: shape \(1, 3\) has one number in each of 3",
        ),
        (
            lambda: functional.instance_norm(X),
            ValueError,
            r"instance_norm: shape \(2, 3\) has one number in each channel",
        ),
        (
            lambda: functional.instance_norm(X, use_input_stats=False),
            ValueError,
            "instance_norm: without input stats running_mean and running_var must be given",
        ),
        (
            lambda: functional.embedding([0, 3], X),
            IndexError,
            "embedding: number 3 is out of range: there are the rows 0 to 1",
        ),
        (lambda: functional.embedding([-1], X), IndexError, "embedding: number -1 is out of range"),
        (
            lambda: functional.embedding([0.5], X),
            TypeError,
            "embedding: the numbers of rows must be integers, not float32",
        ),
        (
            lambda: functional.embedding([0], zeros(3)),
            ValueError,
            r"embedding: weight must have shape \(rows, features\)",
        ),
        (
            lambda: functional.embedding([0], X, 2),
            IndexError,
            "embedding: padding_idx 2 is none of the 2 rows of weight",
        ),
        (lambda: functional.embedding([0], X, max_norm=1.0), ValueError, "embedding: max_norm would change the table"),
        (
            lambda: functional.one_hot([3], 3),
            IndexError,
            "one_hot: number 3 is out of range: there are the rows 0 to 2",
        ),
        (lambda: functional.one_hot([-1]), IndexError, "one_hot: number -1 is out of range"),
        (lambda: functional.one_hot([0.0]), TypeError, "one_hot: the numbers of rows must be integers, not float32"),
        (
            lambda: functional.one_hot(Tensor([], dtype="int64")),
            ValueError,
            r"one_hot: shape \(0,\) holds no number to tell",
        ),
        (
            lambda: functional.one_hot([0], 0),
            ValueError,
            "one_hot: num_classes must be positive, or -1 to be found out, not 0",
        ),
        (
            lambda: functional.scaled_dot_product_attention(X, zeros(2, 4), X),
            ValueError,
            ATTENTION + r"query \(2, 3\), key \(2, 4\) and value \(2, 3\) must have shapes",
        ),
        (
            lambda: functional.scaled_dot_product_attention(X, X, X, zeros(2, 2), is_causal=True),
            ValueError,
            ATTENTION + "pass attn_mask or is_causal=True, not both",
        ),
        (
            lambda: functional.scaled_dot_product_attention(X, X, X, [[1, 0], [1, 1]]),
            TypeError,
            ATTENTION + "attn_mask must hold bools or floats, not int64",
        ),
        (
            lambda: functional.scaled_dot_product_attention(X, X, X, zeros(1, 2, 2)),
            ValueError,
            ATTENTION + r"attn_mask of shape \(1, 2, 2\) does not broadcast to the scores, \(2, 2\)",
        ),
        (
            lambda: functional.scaled_dot_product_attention(
                zeros(3, 2, 2), zeros(2, 2, 2), zeros(2, 2, 2), enable_gqa=True
            ),
            ValueError,
            ATTENTION + "3 query heads cannot share 2 heads evenly",
        ),
    ],
)
def test_what_does_not_fit_is_named(wrong: Callable[[], Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=f"^{message}"):
        wrong()


def running() -> tuple[Tensor, Tensor]:
    return Tensor(np.zeros(2, np.float32)), Tensor(np.ones(2, np.float32))


def test_batch_norm_moves_the_running_statistics_towards_the_batch() -> None:
    mean, variance = running()
    held = mean.data
    functional.batch_norm(Tensor([[1.0, 0.0], [3.0, 8.0]]), mean, variance, training=True, momentum=0.5)
    np.testing.assert_allclose(mean.data, [1.0, 2.0])
    np.testing.assert_allclose(variance.data, [0.5 + 1.0, 0.5 + 16.0])  # the unbiased variances are 2 and 32
    assert mean.data is held


def test_batch_norm_leaves_the_running_statistics_alone_in_evaluation() -> None:
    mean, variance = running()
    out = functional.batch_norm(Tensor([[1.0, 0.0], [3.0, 8.0]]), mean, variance, eps=0.0)
    np.testing.assert_allclose(out.data, [[1.0, 0.0], [3.0, 8.0]])
    np.testing.assert_array_equal(mean.data, [0.0, 0.0])


def test_instance_norm_moves_the_running_statistics_towards_the_mean_over_samples() -> None:
    mean, variance = running()
    batch = Tensor([[[1.0, 3.0], [0.0, 8.0]], [[3.0, 3.0], [0.0, 0.0]]])
    functional.instance_norm(batch, mean, variance, momentum=0.5)
    np.testing.assert_allclose(mean.data, [1.25, 1.0])
    np.testing.assert_allclose(variance.data, [0.5 + 0.5, 0.5 + 8.0])


def test_integers_are_normalised_as_floats() -> None:
    out = functional.layer_norm(Tensor([[1, 3]]), (2,))
    assert out.dtype == np.float32
    np.testing.assert_allclose(out.data, [[-1.0, 1.0]], rtol=1e-4)


def test_the_row_of_the_padding_gets_no_gradient() -> None:
    table = Tensor(np.ones((3, 2)), requires_grad=True)
    functional.embedding([0, 2, 2], table, padding_idx=2).sum().backward()
    np.testing.assert_array_equal(table.grad, [[1.0, 1.0], [0.0, 0.0], [0.0, 0.0]])


def test_a_query_that_sees_no_key_gets_zeros_and_gives_no_gradient() -> None:
    query = Tensor(np.ones((2, 3)), requires_grad=True)
    out = functional.scaled_dot_product_attention(
        query, query, query, attn_mask=np.array([[True, True], [False, False]])
    )
    np.testing.assert_array_equal(out.data[1], np.zeros(3))
    out.sum().backward()
    assert query.grad is not None
    assert np.isfinite(query.grad).all()
