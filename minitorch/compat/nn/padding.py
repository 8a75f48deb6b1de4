"""Padding: layers that put more around the last axes. One for each way to fill it, and for each number of axes."""

from __future__ import annotations

from typing import Any, ClassVar

from minitorch._tensor import Tensor
from minitorch.autograd.tensor_base import as_array
from minitorch.errors import ShapeError
from minitorch.nn import Module, functional
from minitorch.types import Counts, TensorLike

__all__ = ["CircularPad1d", "CircularPad2d", "CircularPad3d", "ConstantPad1d", "ConstantPad2d", "ConstantPad3d"]
__all__ += ["ReflectionPad1d", "ReflectionPad2d", "ReflectionPad3d", "ReplicationPad1d", "ReplicationPad2d"]
__all__ += ["ReplicationPad3d", "ZeroPad1d", "ZeroPad2d", "ZeroPad3d"]


class _Padding(Module):
    """Base of the padding layers. padding: one number for all sides, or (before, after), the last axis first."""

    mode: ClassVar[str]
    axes: ClassVar[int]
    value: float | None = None

    def __init_subclass__(cls, axes: int = 0, mode: str = "constant", **options: Any) -> None:
        super().__init_subclass__(**options)
        if axes:
            cls.axes, cls.mode = axes, mode

    def __init__(self, padding: Counts) -> None:
        super().__init__()
        self.padding = (padding,) * (2 * self.axes) if isinstance(padding, int) else tuple(padding)
        if len(self.padding) != 2 * self.axes:
            sides = ["(left", "right", "top", "bottom", "front", "back)"][: 2 * self.axes]
            named = ", ".join(sides) + ("" if self.axes == 3 else ")")
            raise ShapeError(f"{type(self).__name__}: padding must be one number or {named}, not {self.padding}")

    def forward(self, input: TensorLike) -> Tensor:
        """Return the input with more around its last axes."""
        ndim = as_array(input).ndim
        if self.mode != "constant" and ndim not in (self.axes + 1, self.axes + 2):
            raise ShapeError(
                f"{type(self).__name__}: input must have {self.axes + 1} or {self.axes + 2} axes, not shape "
                f"{as_array(input).shape}"
            )
        return functional.pad(input, self.padding, self.mode, self.value)

    def extra_repr(self) -> str:
        """Return the amounts."""
        return str(self.padding)


class _ConstantPad(_Padding):
    def __init__(self, padding: Counts, value: float) -> None:
        super().__init__(padding)
        self.value = value

    def extra_repr(self) -> str:
        """Return the amounts and the value."""
        return f"padding={self.padding}, value={self.value}"


class ConstantPad1d(_ConstantPad, axes=1):
    """`value` around the last axis: (…, n) → (…, before + n + after). Negative amounts cut off.

    Raises ValueError for another count of amounts.

    >>> from minitorch import Tensor
    >>> ConstantPad1d((1, 2), 7.0)(Tensor([1.0, 2.0]))
    tensor([7., 1., 2., 7., 7.])
    """


class ConstantPad2d(_ConstantPad, axes=2):
    """`value` around an image: (…, H, W) → (…, top + H + bottom, left + W + right).

    >>> from minitorch import Tensor
    >>> ConstantPad2d((1, 0, 0, 1), 7.0)(Tensor([[1.0, 2.0]]))
    tensor([[7., 1., 2.],
            [7., 7., 7.]])
    """


class ConstantPad3d(_ConstantPad, axes=3):
    """`value` around a volume, (…, D, H, W): (left, right, top, bottom, front, back).

    (…, D, H, W) → (…, front + D + back, top + H + bottom, left + W + right).

    >>> from minitorch import Tensor
    >>> ConstantPad3d(1, 7.0)(Tensor([[[1.0]]])).shape
    (3, 3, 3)
    """


class ZeroPad1d(_Padding, axes=1):
    """Zeros around the last axis: (…, n) → (…, before + n + after). Negative amounts cut off.

    >>> from minitorch import Tensor
    >>> ZeroPad1d(1)(Tensor([1.0, 2.0]))
    tensor([0., 1., 2., 0.])
    """


class ZeroPad2d(_Padding, axes=2):
    """Zeros around an image: `padding` for all sides, or (left, right, top, bottom). Negative amounts cut off.

    (…, H, W) → (…, top + H + bottom, left + W + right). Raises ValueError for another count of amounts.

    >>> from minitorch import Tensor
    >>> ZeroPad2d((1, 0, 0, 1))(Tensor([[1.0, 2.0]]))
    tensor([[0., 1., 2.],
            [0., 0., 0.]])
    """


class ZeroPad3d(_Padding, axes=3):
    """Zeros around a volume, (…, D, H, W): (left, right, top, bottom, front, back).

    (…, D, H, W) → (…, front + D + back, top + H + bottom, left + W + right).

    >>> from minitorch import Tensor
    >>> ZeroPad3d(1)(Tensor([[[1.0]]])).shape
    (3, 3, 3)
    """


class ReflectionPad1d(_Padding, axes=1, mode="reflect"):
    """The inside mirrored, without the edge, around the last axis: (N, C, n) or (C, n) → (…, before + n + after).

    Raises ValueError for more than there is to copy, other axes and another count of amounts.

    >>> from minitorch import Tensor
    >>> ReflectionPad1d((2, 1))(Tensor([[1.0, 2.0, 3.0]]))
    tensor([[3., 2., 1., 2., 3., 2.]])
    """


class ReflectionPad2d(_Padding, axes=2, mode="reflect"):
    """The inside mirrored, without the edge itself, around an image: (N, C, H, W) or (C, H, W) → the same, larger.

    Raises ValueError for more than there is to copy, other axes and another count of amounts.

    >>> from minitorch import Tensor
    >>> ReflectionPad2d(1)(Tensor(np.ones((1, 3, 3)))).shape
    (1, 5, 5)
    """


class ReflectionPad3d(_Padding, axes=3, mode="reflect"):
    """The inside mirrored, without the edge itself, around a volume: (N, C, D, H, W) or (C, D, H, W) → larger.

    Raises ValueError for more than there is to copy, other axes and another count of amounts.

    >>> from minitorch import Tensor
    >>> ReflectionPad3d(1)(Tensor(np.ones((1, 3, 3, 3)))).shape
    (1, 5, 5, 5)
    """


class ReplicationPad1d(_Padding, axes=1, mode="replicate"):
    """The edge repeated around the last axis: (N, C, n) or (C, n) → (…, before + n + after).

    Raises ValueError for more than there is to copy, other axes and another count of amounts.

    >>> from minitorch import Tensor
    >>> ReplicationPad1d((2, 1))(Tensor([[1.0, 2.0, 3.0]]))
    tensor([[1., 1., 1., 2., 3., 3.]])
    """


class ReplicationPad2d(_Padding, axes=2, mode="replicate"):
    """The edge repeated around an image: (N, C, H, W) or (C, H, W) → the same, larger.

    Raises ValueError for more than there is to copy, other axes and another count of amounts.

    >>> from minitorch import Tensor
    >>> ReplicationPad2d(1)(Tensor(np.ones((1, 3, 3)))).shape
    (1, 5, 5)
    """


class ReplicationPad3d(_Padding, axes=3, mode="replicate"):
    """The edge repeated around a volume: (N, C, D, H, W) or (C, D, H, W) → larger.

    Raises ValueError for more than there is to copy, other axes and another count of amounts.

    >>> from minitorch import Tensor
    >>> ReplicationPad3d(1)(Tensor(np.ones((1, 3, 3, 3)))).shape
    (1, 5, 5, 5)
    """


class CircularPad1d(_Padding, axes=1, mode="circular"):
    """The other side around the last axis: (N, C, n) or (C, n) → (…, before + n + after).

    Raises ValueError for more than there is to copy, other axes and another count of amounts.

    >>> from minitorch import Tensor
    >>> CircularPad1d((2, 1))(Tensor([[1.0, 2.0, 3.0]]))
    tensor([[2., 3., 1., 2., 3., 1.]])
    """


class CircularPad2d(_Padding, axes=2, mode="circular"):
    """The other side around an image: (N, C, H, W) or (C, H, W) → the same, larger.

    Raises ValueError for more than there is to copy, other axes and another count of amounts.

    >>> from minitorch import Tensor
    >>> CircularPad2d(1)(Tensor(np.ones((1, 3, 3)))).shape
    (1, 5, 5)
    """


class CircularPad3d(_Padding, axes=3, mode="circular"):
    """The other side around a volume: (N, C, D, H, W) or (C, D, H, W) → larger.

    Raises ValueError for more than there is to copy, other axes and another count of amounts.

    >>> from minitorch import Tensor
    >>> CircularPad3d(1)(Tensor(np.ones((1, 3, 3, 3)))).shape
    (1, 5, 5, 5)
    """
