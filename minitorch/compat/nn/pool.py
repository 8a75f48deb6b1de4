"""Max pools of rows and of volumes, and the layers that undo a max pool."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from minitorch._tensor import Tensor
from minitorch.nn import functional
from minitorch.nn.functional._windows import per_axis
from minitorch.nn.module import Module
from minitorch.nn.pool import MaxPool
from minitorch.types import Counts, TensorLike

__all__ = ["MaxPool1d", "MaxPool3d", "MaxUnpool1d", "MaxUnpool2d", "MaxUnpool3d"]


class MaxPool1d(MaxPool):
    """MaxPool2d on rows: (N, C, L) or (C, L) → (…, windows).

    >>> from minitorch import Tensor
    >>> MaxPool1d(2)(Tensor([[1.0, 3.0, 2.0, 5.0]]))
    tensor([[3., 5.]])
    """

    _pool = staticmethod(functional.max_pool1d)


class MaxPool3d(MaxPool):
    """MaxPool2d with one axis more: (N, C, D, H, W) or (C, D, H, W) → (…, windows, windows, windows).

    >>> from minitorch import Tensor
    >>> MaxPool3d((2, 1, 2))(Tensor([[[[1.0, 3.0]], [[2.0, 0.0]]]]))
    tensor([[[[3.]]]])
    """

    _pool = staticmethod(functional.max_pool3d)


class _MaxUnpool(Module):
    """Base of the unpooling layers: arguments, one number for each axis, and forward."""

    axes: int
    _unpool: Callable[..., Tensor]

    def __init__(self, kernel_size: Counts, stride: Counts | None = None, padding: Counts = 0) -> None:
        super().__init__()
        name = type(self).__name__
        self.kernel_size = per_axis(name, "kernel_size", kernel_size, self.axes)
        self.stride = self.kernel_size if stride is None else per_axis(name, "stride", stride, self.axes)
        self.padding = per_axis(name, "padding", padding, self.axes)

    def forward(self, input: TensorLike, indices: TensorLike, output_size: Sequence[int] | None = None) -> Tensor:
        """Return each number where it was found, zeros elsewhere. output_size: which of the possible sizes is meant."""
        return self._unpool(input, indices, self.kernel_size, self.stride, self.padding, output_size)

    def extra_repr(self) -> str:
        """Return the arguments."""
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class MaxUnpool1d(_MaxUnpool):
    """MaxUnpool2d on rows: (N, C, windows) or (C, windows) → (…, L).

    >>> from minitorch import Tensor
    >>> MaxUnpool1d(2)(Tensor([[3.0, 5.0]]), Tensor([[1, 2]]))
    tensor([[0., 3., 5., 0.]])
    """

    axes = 1
    _unpool = staticmethod(functional.max_unpool1d)


class MaxUnpool2d(_MaxUnpool):
    """Each number put back where MaxPool2d(…, return_indices=True) found it: (N, C, h, w) or (C, h, w) → (…, H, W).

    Zeros stand elsewhere. The sizes are (h - 1) · stride - 2 padding + kernel_size, or those of output_size.
    Raises ValueError when shapes do not fit. Source: Zeiler and Fergus, 2014.

    >>> from minitorch import Tensor
    >>> MaxUnpool2d(2)(Tensor([[[3.0]]]), Tensor([[[1]]]))
    tensor([[[0., 3.],
             [0., 0.]]])
    """

    axes = 2
    _unpool = staticmethod(functional.max_unpool2d)


class MaxUnpool3d(_MaxUnpool):
    """MaxUnpool2d with one axis more: (N, C, d, h, w) or (C, d, h, w) → (…, D, H, W).

    >>> from minitorch import Tensor
    >>> MaxUnpool3d(2)(Tensor([[[[3.0]]]]), Tensor([[[[7]]]])).shape
    (1, 2, 2, 2)
    """

    axes = 3
    _unpool = staticmethod(functional.max_unpool3d)
