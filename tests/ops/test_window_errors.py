"""Convolutions, pools, padding and resizing: what they refuse, and in which words; and what no table row can say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from op_table.case import Stream

from minitorch import Tensor
from minitorch.nn import functional as fn
from minitorch.nn.functional.conv import _convolve


def zeros(*shape: int) -> Tensor:
    return Tensor(np.zeros(shape))


def numbers(*shape: int) -> Tensor:
    return Tensor(Stream("windows").uniform(-1.0, 1.0, shape), requires_grad=True)


IMAGE, WEIGHT = zeros(2, 3, 5, 5), zeros(4, 3, 3, 3)


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (
            lambda: fn.conv2d(zeros(5, 5), WEIGHT),
            ValueError,
            r"^conv2d: input has shape \(5, 5\), but \(N, C, H, W\) or",
        ),
        (
            lambda: fn.conv1d(IMAGE, zeros(4, 3, 3)),
            ValueError,
            r"^conv1d: input has shape .* \(N, C, L\) or \(C, L\) is",
        ),
        (lambda: fn.conv2d(IMAGE, zeros(4, 3, 3)), ValueError, r"^conv2d: weight has shape \(4, 3, 3\), but 4 axes"),
        (
            lambda: fn.conv2d(IMAGE, zeros(4, 2, 3, 3)),
            ValueError,
            r"^conv2d: input \(2, 3, 5, 5\) has 3 channels, but weight \(4, 2, 3, 3\) with groups=1 is for 2",
        ),
        (lambda: fn.conv2d(IMAGE, zeros(4, 1, 3, 3), groups=3), ValueError, r"^conv2d: the 4 outputs of .* 3 groups"),
        (lambda: fn.conv2d(IMAGE, WEIGHT, groups=0), ValueError, "^conv2d: groups=0 must be at least 1"),
        (lambda: fn.conv2d(IMAGE, WEIGHT, zeros(3)), ValueError, r"^conv2d: bias has shape \(3,\), but .* need \(4,\)"),
        (lambda: fn.conv2d(IMAGE, WEIGHT, stride=0), ValueError, "^conv2d: stride 0×0 must be at least 1"),
        (lambda: fn.conv2d(IMAGE, WEIGHT, dilation=(1, 0)), ValueError, "^conv2d: dilation 1×0 must be at least 1"),
        (lambda: fn.conv2d(IMAGE, WEIGHT, padding=-1), ValueError, "^conv2d: padding -1×-1 must not be negative"),
        (lambda: fn.conv2d(IMAGE, WEIGHT, padding=(1, 1, 1)), ValueError, "^conv2d: padding 1×1×1 must be one .* or 2"),
        (lambda: fn.conv2d(IMAGE, WEIGHT, padding="full"), ValueError, "^conv2d: padding 'full' is not known"),
        (lambda: fn.conv2d(IMAGE, WEIGHT, None, 2, "same"), ValueError, "^conv2d: padding 'same' needs stride 1"),
        (
            lambda: fn.conv2d(zeros(1, 3, 2, 2), WEIGHT),
            ValueError,
            "^conv2d: a window of 3×3 does not fit into an input of 2×2 with padding 0×0",
        ),
        (lambda: fn.conv2d(IMAGE, Tensor(np.zeros((4, 3, 3, 3), np.float32))), TypeError, "^conv: float64 and float32"),
        (lambda: fn.conv_transpose2d(IMAGE, zeros(4, 3, 3, 3)), ValueError, "^conv_transpose2d: input .* 3 channels"),
        (lambda: fn.conv_transpose2d(IMAGE, zeros(3, 4, 3, 3), zeros(3)), ValueError, "^conv_transpose2d: bias has"),
        (
            lambda: fn.conv_transpose2d(IMAGE, zeros(3, 4, 3, 3), output_padding=1),
            ValueError,
            r"^conv_transpose2d: output_padding \(1, 1\) must be smaller than stride \(1, 1\) or dilation \(1, 1\)",
        ),
        (
            lambda: fn.conv_transpose2d(zeros(1, 1, 1, 1), zeros(1, 1, 1, 1), padding=1),
            ValueError,
            r"^conv_transpose2d: input \(1, 1, 1, 1\) with padding \(1, 1\) would have the output size \(-1, -1\)",
        ),
        (lambda: fn.max_pool2d(zeros(5, 5), 2), ValueError, r"^max_pool2d: input has shape \(5, 5\), but"),
        (lambda: fn.max_pool2d(IMAGE, 2, padding=2), ValueError, r"^max_pool2d: padding \(2, 2\) must be at most half"),
        (lambda: fn.max_pool2d(IMAGE, 7), ValueError, "^max_pool2d: a window of 7×7 does not fit"),
        (
            lambda: fn.max_pool2d(IMAGE, (2, 2, 2)),
            ValueError,
            "^max_pool2d: kernel_size 2×2×2 must be one number, or 2",
        ),
        (lambda: fn.avg_pool1d(zeros(1, 5), 0), ValueError, "^avg_pool1d: kernel_size 0 must be at least 1"),
        (
            lambda: fn.avg_pool2d(IMAGE, 2, divisor_override=0),
            ValueError,
            "^avg_pool2d: divisor_override must not be 0",
        ),
        (lambda: fn.avg_pool2d(IMAGE.int(), 2), TypeError, "^avg_pool2d: there are no means of int32: convert it"),
        (lambda: fn.avg_pool1d(IMAGE[0].byte(), 2), TypeError, "^avg_pool1d: there are no means of uint8: convert it"),
        (
            lambda: fn.adaptive_avg_pool2d(IMAGE.long(), 2),
            TypeError,
            "^adaptive_avg_pool2d: there are no means of int64",
        ),
        (lambda: fn.adaptive_avg_pool2d(IMAGE, 0), ValueError, r"^adaptive_avg_pool2d: from \(5, 5\) to output_size"),
        (
            lambda: fn.adaptive_max_pool2d(IMAGE, (1, 2, 3)),
            ValueError,
            r"^adaptive_max_pool2d: output_size \(1, 2, 3\)",
        ),
        (lambda: fn.pad(IMAGE, (1,)), ValueError, r"^pad: \(1,\) must be pairs"),
        (lambda: fn.pad(zeros(3), (1, 1, 1, 1)), ValueError, r"^pad: \(1, 1, 1, 1\) must be pairs .* shape \(3,\)"),
        (
            lambda: fn.pad(zeros(3), (-2, -2)),
            ValueError,
            r"^pad: \(-2, -2\) cuts off more than there is of shape \(3,\)",
        ),
        (lambda: fn.pad(zeros(3), (1, 1), "mirror"), ValueError, "^pad: mode 'mirror' is not known"),
        (lambda: fn.pad(zeros(3), (1, 1), "reflect", 1.0), ValueError, "^pad: mode 'reflect' .* takes no value"),
        (lambda: fn.pad(zeros(3), (3, 0), "reflect"), ValueError, "^pad: mode 'reflect' cannot add 3 and 0 to axis 0"),
        (
            lambda: fn.pad(zeros(3), (4, 0), "circular"),
            ValueError,
            "^pad: mode 'circular' cannot add 4 and 0 to axis 0",
        ),
        (lambda: fn.pad(zeros(0), (1, 0), "replicate"), ValueError, "^pad: mode 'replicate' cannot add 1 and 0"),
        (lambda: fn.unfold(zeros(5, 5), 2), ValueError, r"^unfold: input has shape \(5, 5\)"),
        (lambda: fn.unfold(IMAGE, 6), ValueError, "^unfold: a window of 6×6 does not fit"),
        (lambda: fn.fold(zeros(1, 2, 3, 4), 3, 2), ValueError, r"^fold: input has shape \(1, 2, 3, 4\)"),
        (
            lambda: fn.fold(zeros(6, 4), 3, 2),
            ValueError,
            r"^fold: input \(6, 4\) needs a multiple of 4 rows and 4 columns",
        ),
        (lambda: fn.interpolate(zeros(5, 5), 2), ValueError, r"^interpolate: input has shape \(5, 5\)"),
        (
            lambda: fn.interpolate(zeros(1, 1, 2, 2, 2), 2, mode="bilinear"),
            ValueError,
            "^interpolate: mode 'bilinear' is",
        ),
        (
            lambda: fn.conv3d(IMAGE[0], zeros(4, 3, 1, 1, 1)),
            ValueError,
            r"^conv3d: input has shape \(3, 5, 5\), but \(N, C, D, H, W\) or",
        ),
        (lambda: fn.conv_transpose3d(zeros(2, 1, 1, 1), WEIGHT), ValueError, "^conv_transpose3d: weight .* 5 axes"),
        (
            lambda: fn.avg_pool3d(IMAGE, (1, 2, 3), padding=1),
            ValueError,
            r"^avg_pool3d: padding \(1, 1, 1\) must",
        ),
        (lambda: fn.lp_pool2d(IMAGE, 2, 7), ValueError, "^lp_pool2d: a window of 7×7 does not fit"),
        (
            lambda: fn.max_unpool2d(IMAGE, IMAGE[0].long(), 2),
            ValueError,
            r"^max_unpool2d: indices have shape \(3, 5, 5\), but .* \(2, 3, 5, 5\)",
        ),
        (
            lambda: fn.max_unpool2d(IMAGE, IMAGE.long(), 2, output_size=(10, 12)),
            ValueError,
            r"^max_unpool2d: output_size \(10, 12\) must lie within a stride \(2, 2\) of \(10, 10\)",
        ),
        (lambda: fn.max_unpool2d(IMAGE, IMAGE.long() + 100, 2), IndexError, "100"),
        (lambda: fn.interpolate(IMAGE.long(), 2), TypeError, "^interpolate: mode 'nearest' is not for int64: convert"),
        (
            lambda: fn.interpolate(IMAGE.byte(), 2, mode="bilinear"),
            TypeError,
            "^interpolate: mode 'bilinear' is not for uint8",
        ),
        (lambda: fn.interpolate(IMAGE), ValueError, "^interpolate: give either size or scale_factor"),
        (lambda: fn.interpolate(IMAGE, 2, 2), ValueError, "^interpolate: give either size or scale_factor"),
        (lambda: fn.interpolate(IMAGE, (2,)), ValueError, r"^interpolate: \(2,\) must be one number, or 2"),
        (lambda: fn.interpolate(IMAGE, 0), ValueError, r"^interpolate: from \(5, 5\) to \(0, 0\)"),
        (lambda: fn.interpolate(IMAGE, 2, mode="cubic"), ValueError, "^interpolate: mode 'cubic' is not known: write"),
        (
            lambda: fn.interpolate(IMAGE, 2, mode="linear"),
            ValueError,
            "^interpolate: mode 'linear' is not for an input",
        ),
        (
            lambda: fn.interpolate(IMAGE, 2, align_corners=True),
            ValueError,
            "^interpolate: mode 'nearest' takes no align",
        ),
    ],
)
def test_errors_name_the_operation_and_what_is_wrong(wrong: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        wrong()


def test_same_padding_gives_the_far_side_the_odd_one() -> None:
    """PyTorch warns here that it has to copy the input, so the table has no row for it."""
    x, weight = numbers(1, 2, 4, 5), numbers(3, 2, 2, 4)
    same = fn.conv2d(x, weight, padding="same")
    np.testing.assert_allclose(same.data, fn.conv2d(fn.pad(x, (1, 2, 0, 1)), weight).data, rtol=1e-12)
    assert same.shape == (1, 3, 4, 5)


@pytest.mark.parametrize(("sizes", "stride"), [((2, 3, 6, 5), 1), ((2, 3, 7, 6), (2, 3))], ids=str)
def test_a_transposed_convolution_is_the_gradient_of_a_convolution(sizes: tuple[int, ...], stride: Any) -> None:
    x, weight = numbers(*sizes), numbers(4, 3, 3, 3)
    out = fn.conv2d(x, weight, stride=stride)
    g = Stream("upstream").uniform(0.5, 1.5, out.shape)
    out.backward(g)
    left = [(size - 3) % step for size, step in zip(sizes[2:], np.broadcast_to(stride, 2), strict=True)]
    transposed = fn.conv_transpose2d(g, weight, stride=stride, output_padding=left)
    np.testing.assert_allclose(transposed.data, x.grad, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("groups", [1, 2])
@pytest.mark.parametrize("sizes", [(3, 2, 4, 4), (3, 2, 2, 2)], ids=["few outputs", "more outputs than windows"])
def test_a_convolution_is_its_composed_twin(sizes: tuple[int, ...], groups: int) -> None:
    x, weight, bias = numbers(*sizes), numbers(8, 2 // groups, 2, 2), numbers(8)
    fused = fn.conv2d(x, weight, bias, groups=groups)
    windows = fused._node.saved[3] if fused._node is not None and fused._node.saved is not None else None
    twin = _convolve.declaration.composed
    assert twin is not None
    g = Stream("upstream").uniform(0.5, 1.5, fused.shape)
    fused.backward(g)
    first = [each.grad for each in (x, weight, bias)]
    for each in (x, weight, bias):
        each.grad = None
    composed = twin(x, weight, bias, windows, groups)
    composed.backward(g)
    np.testing.assert_allclose(fused.data, composed.data, rtol=1e-12, atol=1e-12)
    for ours, theirs in zip(first, (x, weight, bias), strict=True):
        np.testing.assert_allclose(ours, theirs.grad, rtol=1e-12, atol=1e-12)


def test_fold_of_unfold_counts_how_many_windows_see_each_place() -> None:
    x = numbers(1, 1, 3, 4)
    seen = fn.fold(fn.unfold(Tensor(np.ones((1, 1, 3, 4))), 2), (3, 4), 2)
    np.testing.assert_allclose(fn.fold(fn.unfold(x, 2), (3, 4), 2).data, (x * seen).data, rtol=1e-12)


def test_an_average_that_counts_the_padding_divides_by_the_kernel() -> None:
    ones = Tensor(np.ones((1, 1, 2, 2)))
    assert fn.avg_pool2d(ones, 2, 2, 1).tolist() == [[[[0.25, 0.25], [0.25, 0.25]]]]
    assert fn.avg_pool2d(ones, 2, 2, 1, count_include_pad=False).tolist() == [[[[1.0, 1.0], [1.0, 1.0]]]]


def test_integers_are_padded_and_pooled_as_integers() -> None:
    whole = Tensor(np.arange(4).reshape(1, 2, 2))
    assert fn.pad(whole, (1, 0)).dtype == np.int64
    assert fn.max_pool2d(whole, 2).tolist() == [[[3]]]


def test_indices_are_constants_and_the_values_have_the_gradient() -> None:
    x = numbers(1, 1, 4, 4)
    values, indices = fn.max_pool2d(x, 2, return_indices=True)
    assert not indices.requires_grad
    np.testing.assert_array_equal(x.data.reshape(-1)[indices.data], values.data)
    values.backward(np.ones(values.shape))
    expected = np.zeros(16)
    expected[indices.data.reshape(-1)] = 1
    assert x.grad is not None
    np.testing.assert_array_equal(x.grad.reshape(-1), expected)


def test_means_of_int64_are_whole_and_rounded_towards_zero() -> None:
    row = Tensor([[-7, 0, 7, 2, 1, 2]])
    assert fn.avg_pool1d(row, 2).tolist() == [[-3, 4, 1]]
    assert fn.avg_pool1d(row, 2, padding=1, count_include_pad=False).tolist() == [[-7, 3, 1, 2]]
    assert fn.avg_pool2d(row[None], (1, 3), divisor_override=2).dtype == np.dtype("int64")
