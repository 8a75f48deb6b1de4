"""Further rearrangements: repeated one by one, mirrored, shifted, on diagonals, in the shape of others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, overload

import numpy as np

from minitorch.autograd.primitive import primitive
from minitorch.autograd.tensor_base import as_array, constant
from minitorch.backend import device_of, moved, to_host, xp
from minitorch.errors import ShapeError
from minitorch.ops._dims import accepts_numpy_names, as_axes, axis_in, listed
from minitorch.ops.index import picking
from minitorch.ops.movement import expand, movedim, reshape, view
from minitorch.ops.rearrange import _diag, flip
from minitorch.types import Shape, Sizes, TensorLike

if TYPE_CHECKING:
    from minitorch._tensor import Tensor

__all__ = ["repeat_interleave", "fliplr", "flipud", "roll", "diag_embed", "reshape_as", "view_as", "expand_as"]
__all__ += ["broadcast_tensors", "atleast_1d", "atleast_2d", "atleast_3d"]


_each_picked = picking("repeat_interleave")


@accepts_numpy_names
def repeat_interleave(
    input: TensorLike, repeats: Any = None, dim: int | None = None, *, output_size: int | None = None
) -> Tensor:
    """Each element repeated in place: as often as the number says, or as its own count in a vector says.

    Without `dim`, of the flattened input. dL/dinput = Σ g over each element's copies. `repeat_interleave(counts)` alone
    gives the place that each copy comes from. output_size: how long the axis becomes, if known. Raises ValueError for
    negative counts, for a wrong number of them, and for another output_size.

    >>> repeat_interleave(Tensor([1.0, 2.0]), 2)
    tensor([1., 1., 2., 2.])
    >>> repeat_interleave(Tensor([[1.0], [2.0]]), Tensor([1, 2]), dim=0)
    tensor([[1.],
            [2.],
            [2.]])
    """
    if repeats is None:
        counts = as_array(input)
        return constant(_places(counts, counts.size, device_of(counts)))
    if dim is None:
        input, dim = reshape(input, (-1,)), 0
    array = as_array(input)
    axis = axis_in(array.shape, dim, "repeat_interleave")
    counts = as_array(repeats)
    if counts.size == 1 and (times := counts.item()) >= 0:
        places = xp(array).arange(array.shape[axis]).repeat(int(times))
    else:
        places = _places(counts, array.shape[axis], device_of(array))
    out = _each_picked(input, (slice(None),) * axis + (places,))
    if output_size not in (None, out.shape[axis]):
        raise ShapeError(f"repeat_interleave: output_size {output_size}, but the repeats add up to {out.shape[axis]}")
    return out


def _places(counts: Any, size: int, device: str) -> Any:
    counts = to_host(counts)
    if counts.shape != (size,) or counts.dtype.kind not in "iu" or (counts < 0).any():
        wanted = f"one integer ≥ 0 for each of {size} elements, or a single one"
        raise ShapeError(f"repeat_interleave: repeats of shape {counts.shape} must be {wanted}")
    return moved(np.repeat(np.arange(size), counts), device)


def fliplr(input: TensorLike) -> Tensor:
    """Left and right exchanged: flipped along axis 1. Raises ValueError for fewer than two axes.

    >>> fliplr(Tensor([[1.0, 2.0], [3.0, 4.0]]))
    tensor([[2., 1.],
            [4., 3.]])
    """
    shape = as_array(input).shape
    if len(shape) < 2:
        raise ShapeError(f"fliplr: shape {shape} has fewer than two axes: write flip(input, 0)")
    return flip(input, (1,))


def flipud(input: TensorLike) -> Tensor:
    """Up and down exchanged: flipped along axis 0. Raises ValueError for a single number.

    >>> flipud(Tensor([[1.0, 2.0], [3.0, 4.0]]))
    tensor([[3., 4.],
            [1., 2.]])
    """
    if as_array(input).ndim == 0:
        raise ShapeError("flipud: a single number has no axis to be flipped along")
    return flip(input, (0,))


@primitive
def roll(input: Any, shifts: int | Sizes, dims: int | Sizes | None = None) -> Any:
    """Moved on by `shifts` along `dims`; what leaves at one end enters at the other. dL/dinput = g moved back.

    Without `dims` the flattened numbers move, and the shape stays. Raises ValueError unless there is one shift a dim.

    >>> roll(Tensor([1.0, 2.0, 3.0]), 1)
    tensor([3., 1., 2.])
    """
    axes = None if dims is None else as_axes(dims) or None
    if len(as_axes(shifts)) != (1 if axes is None else len(axes)):
        raise ShapeError(f"shifts {shifts} and dims {dims} must be as many")
    return np.roll(input, shifts, axes)


roll.vjp(input=lambda g, shifts, dims: roll.raw(g, tuple([-shift for shift in as_axes(shifts)]), dims))


def diag_embed(input: TensorLike, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """The last axis on the diagonal of square matrices of zeros: (…, n) → (…, n, n), or the axes dim1 and dim2.

    offset: above the main diagonal if positive, below if negative; the matrices are larger by it. Raises ValueError
    for a single number.

    >>> diag_embed(Tensor([1.0, 2.0]))
    tensor([[1., 0.],
            [0., 2.]])
    """
    shape = as_array(input).shape
    if not shape:
        raise ShapeError("diag_embed: a single number has no axis to lay on a diagonal")
    size = shape[-1] + abs(offset)
    return movedim(_diag(input, (*shape[:-1], size, size), offset, -2, -1), (-2, -1), (dim1, dim2))


def reshape_as(input: TensorLike, other: TensorLike) -> Tensor:
    """The same numbers in other's shape. dL/dinput = g in input's shape; other gets none.

    >>> reshape_as(Tensor([1.0, 2.0]), Tensor([[0.0], [0.0]])).shape
    (2, 1)
    """
    return reshape(input, as_array(other).shape)


def view_as(input: TensorLike, other: TensorLike) -> Tensor:
    """`reshape_as`, under the name of PyTorch's method.

    >>> view_as(Tensor([1.0, 2.0]), Tensor([[0.0], [0.0]])).shape
    (2, 1)
    """
    return view(input, as_array(other).shape)


def expand_as(input: TensorLike, other: TensorLike) -> Tensor:
    """input repeated, without copying, to other's shape. dL/dinput = Σ g over the repeated axes; other gets none.

    >>> expand_as(Tensor([1.0]), Tensor([0.0, 0.0]))
    tensor([1., 1.])
    """
    return expand(input, as_array(other).shape)


def broadcast_tensors(*tensors: TensorLike) -> tuple[Tensor, ...]:
    """All of them expanded to the one shape that they broadcast to.

    Raises ValueError when there is none.

    >>> a, b = broadcast_tensors(Tensor([[1.0], [2.0]]), Tensor([3.0, 4.0]))
    >>> b
    tensor([[3., 4.],
            [3., 4.]])
    """
    shape = common_shape("broadcast_tensors", [as_array(each).shape for each in tensors])
    return tuple(expand(each, shape) for each in tensors)


def common_shape(name: str, shapes: Sequence[Shape]) -> Shape:
    """The shape to which all of them broadcast. Raises ValueError that names `name` where they do not fit."""
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        message = f"shapes {' and '.join(map(str, shapes))} do not fit together: each axis must be equal or 1"
        raise ShapeError(f"{name}: {message}, from the right") from None


class _Growing(Protocol):
    """One Tensor, or several: each with more axes."""

    @overload
    def __call__(self, tensor: Tensor | np.ndarray[Any, Any] | np.generic | float, /) -> Tensor: ...
    @overload
    def __call__(self, tensors: list[Any] | tuple[Any, ...], /) -> tuple[Tensor, ...]: ...
    @overload
    def __call__(self, first: TensorLike, second: TensorLike, /, *others: TensorLike) -> tuple[Tensor, ...]: ...


def _growing(grow: Callable[[Shape], Shape]) -> _Growing:
    """Make the operation of how a shape grows, with its name and docstring."""

    def grown(*tensors: Any) -> Any:
        out = tuple([reshape(each, grow(as_array(each).shape)) for each in listed(tensors)])
        return out[0] if len(tensors) == 1 and listed(tensors) is tensors else out

    for each in ("__module__", "__name__", "__qualname__", "__doc__"):
        setattr(grown, each, getattr(grow, each))
    return grown


@_growing
def atleast_1d(shape: Shape) -> Shape:
    """Single numbers as vectors of one element. Several tensors, or a list of them, give a tuple.

    >>> atleast_1d(Tensor(1.0))
    tensor([1.])
    """
    return shape or (1,)


@_growing
def atleast_2d(shape: Shape) -> Shape:
    """Vectors as matrices of one row, (n,) → (1, n). Several tensors, or a list of them, give a tuple.

    >>> atleast_2d(Tensor([1.0, 2.0])).shape
    (1, 2)
    """
    return (1,) * (2 - len(shape)) + shape


@_growing
def atleast_3d(shape: Shape) -> Shape:
    """With three axes or more: (n,) → (1, n, 1) and (m, n) → (m, n, 1). Several tensors, or a list, give a tuple.

    >>> atleast_3d(Tensor([1.0, 2.0])).shape
    (1, 2, 1)
    """
    return (1,) * (2 - len(shape)) + shape + (1,) * (len(shape) < 3)
