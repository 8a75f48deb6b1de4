"""Lesson 16, convolution: one small window at every place of an image, and the way back.

The functions take NumPy arrays of floats and return new ones; they change nothing that they are given.

    x         (N, C, H, W): N images, C channels in each, H rows, W columns
    kernel    how wide and how high a window is, a whole number: every window here is a square
    stride    how far a window moves on, downwards and to the right, a whole number
    padding   how many rows and columns of zeros are put around an image, on each of its four sides
    weights   (F, C, kernel, kernel): F filters, each with a square of weights for every channel
    g         the gradient that arrives at a result: an array of the result's shape

A window that would reach beyond the last row or column is left out. At the end of the file stand two operations on
Tensors. They are given, and call your functions.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any  # a NumPy array


def output_size(size: int, kernel: int, stride: int, padding: int) -> int:
    """Return how many windows fit along one side of an image.

    size: how long the side is, in pixels. kernel, stride: whole numbers from 1 on. padding: a whole number, 0 or more.
    Returns a whole number, an int, 1 or more. Raises ValueError when not even one window fits into the padded side.

        output_size(8, 3, 1, 0) is 6: the windows begin at 0, 1, 2, 3, 4 and 5
    """
    raise NotImplementedError


def im2col(x: Array, kernel: int, stride: int, padding: int) -> Array:
    """Return the windows of each image, one row for each place of the window.

    x: (N, C, H, W), not always a square. Returns an array of shape (N, P, C * kernel * kernel). P counts the places of
    the window: from left to right, and then the next row of places. Within a row stand the numbers of channel 0, row by
    row, then those of channel 1, and so on.

        x = [[[[1., 2., 3.], [4., 5., 6.]]]], of shape (1, 1, 2, 3); kernel = 2, stride = 1, padding = 0
        the result is [[[1., 2., 4., 5.], [2., 3., 5., 6.]]], of shape (1, 2, 4)
    """
    raise NotImplementedError


def conv2d_vjp(g: Array, x: Array, weights: Array, stride: int, padding: int) -> tuple[Array, Array, Array]:
    """Return the gradients of x, of weights and of bias, where g is the gradient of convolve(x, weights, bias, ...).

    What convolve does stands further down in this file. x: (N, C, H, W), weights: (F, C, kernel, kernel), bias: (F,),
    which is not needed here. g: (N, F, H_out, W_out).
    Returns (x_grad, weights_grad, bias_grad), with the shapes of x, of weights and of bias.

        x = [[[[1., 2., 3.]]]], weights = [[[[10.]]]], stride = 2, padding = 0, g = [[[[1., 5.]]]]
        x_grad is [[[[10., 0., 50.]]]], weights_grad is [[[[16.]]]], bias_grad is [6.]
    """
    raise NotImplementedError


def maxpool_vjp(g: Array, x: Array, kernel: int, stride: int) -> Array:
    """Return the gradient of x, where g is the gradient of largest_of_windows(x, kernel, stride).

    That function stands further down in this file; max_pool, the operation on Tensors, calls it. It takes the largest
    number of each window of each channel; there is no padding, windows may overlap, and pixels that no window reaches
    get 0. Only the largest number of a window has a gradient. In a tie of k equal numbers each gets 1 / k of it, as in
    lesson 09. x: (N, C, H, W), g: (N, C, H_out, W_out). Returns an array of x's shape.

        x = [[[[1., 7., 3., 3.], [2., 0., 3., 1.]]]], kernel = 2, stride = 2, g = [[[[10., 30.]]]]
        the result is [[[[0., 10., 10., 10.], [0., 0., 10., 0.]]]]
    """
    raise NotImplementedError


def conv_transpose1d(y: Array, kernel: Array, stride: int) -> Array:
    """Return y made longer: every number lays down a copy of the kernel, multiplied by itself, and copies add up.

    This is the transpose of a convolution in one dimension. The copy of y[i] begins at place i * stride. y: (n,), with
    n from 1 on. kernel: (k,), an array. stride: a whole number from 1 on, at times larger than k. The result ends where
    the last copy ends.

        y = [1., 10.], kernel = [1., 2., 3.], stride = 1:  the result is [1., 12., 23., 30.]
        y = [1., 10.], kernel = [1., 2., 3.], stride = 2:  the result is [1., 2., 13., 20., 30.]
    """
    raise NotImplementedError


# ------------------------------------------------------------------------------------ given: on arrays


def convolve(x: Array, weights: Array, bias: Array, stride: int = 1, padding: int = 0) -> Array:
    """Return what each filter makes of each window: its weights times the window's numbers, added up, plus its bias.

    x: (N, C, H, W), weights: (F, C, kernel, kernel), bias: (F,). Returns (N, F, H_out, W_out) (given).
    """
    filters, _, kernel, _ = weights.shape
    columns = im2col(x, kernel, stride, padding)  # (N, P, C * kernel * kernel)
    out = columns @ weights.reshape(filters, -1).T + bias  # (N, P, F)
    down, across = (output_size(side, kernel, stride, padding) for side in x.shape[2:])
    return out.transpose(0, 2, 1).reshape(len(x), filters, down, across)


def largest_of_windows(x: Array, kernel: int, stride: int) -> Array:
    """Return the largest number of each window of each channel. x: (N, C, H, W) (given)."""
    windows = np.lib.stride_tricks.sliding_window_view(x, (kernel, kernel), axis=(2, 3))
    return windows[:, :, ::stride, ::stride].max(axis=(4, 5))


# ------------------------------------------------------------------------------------ given: on Tensors


def conv2d(x: Any, weights: Any, bias: Any, stride: int = 1, padding: int = 0) -> Any:
    """Return convolve(x, weights, bias, stride, padding) as a Tensor, one node (given)."""
    out = x.result(convolve(x.data, weights.data, bias.data, stride, padding), (x, weights, bias), "conv2d")

    def _backward() -> None:
        x_grad, weights_grad, bias_grad = conv2d_vjp(out.grad, x.data, weights.data, stride, padding)
        x.accumulate(x_grad)
        weights.accumulate(weights_grad)
        bias.accumulate(bias_grad)

    if out.requires_grad:
        out._backward = _backward
    return out


def max_pool(x: Any, kernel: int, stride: int) -> Any:
    """Return the largest number of each window of each channel as a Tensor, one node (given)."""
    out = x.result(largest_of_windows(x.data, kernel, stride), (x,), "max_pool")

    def _backward() -> None:
        x.accumulate(maxpool_vjp(out.grad, x.data, kernel, stride))

    if out.requires_grad:
        out._backward = _backward
    return out
