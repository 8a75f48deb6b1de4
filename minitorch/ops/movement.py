"""Shapes and axes: the same numbers in another shape or order. Nothing is copied that can be viewed.

As in PyTorch, a view shares its memory with what it was made from; only `clone` always copies. `rearrange` holds what
mirrors, repeats and picks.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from minitorch.autograd.primitive import primitive
from minitorch.autograd.tensor_base import TensorBase, as_array, constant
from minitorch.errors import ShapeError
from minitorch.moved import moved_names
from minitorch.ops._dims import accepts_numpy_names, as_axes, axis_in, listed, shapes_of, sizes_in_a_row
from minitorch.types import Sizes, TensorLike

if TYPE_CHECKING:
    from minitorch._tensor import Tensor

__all__ = [
    "reshape",
    "view",
    "flatten",
    "unflatten",
    "ravel",
    "squeeze",
    "unsqueeze",
    "permute",
    "transpose",
    "swapaxes",
    "swapdims",
    "movedim",
    "t",
    "expand",
    "broadcast_to",
    "meshgrid",
    "clone",
    "contiguous",
]

# -- another shape -----------------------------------------------------------------------------------------------------


@primitive
def reshape(input: Any, shape: Sizes) -> Any:
    """The same numbers in `shape`; one size may be -1. dL/dinput = g in input's shape.

    A view where the memory allows it, else a copy. Raises ValueError when the sizes do not multiply to the same number.

    >>> reshape(Tensor([1.0, 2.0, 3.0, 4.0]), (2, -1))
    tensor([[1., 2.],
            [3., 4.]])
    """
    try:
        return input.reshape(shape)
    except ValueError:
        raise ShapeError(
            f"cannot put {input.size} numbers of shape {input.shape} into shape {as_axes(shape)}"
        ) from None


reshape.vjp(input=lambda g, input_shape: g.reshape(input_shape))

view = sizes_in_a_row(
    primitive(
        reshape.declaration.forward,
        """`reshape`, under the name of PyTorch's method. dL/dinput = g in input's shape.

        PyTorch refuses to view what is not contiguous; here it is copied, as by `reshape`.

        >>> view(Tensor([1.0, 2.0, 3.0, 4.0]), 2, -1).shape
        (2, 2)
        """,
        name="view",
        input=lambda g, input_shape: g.reshape(input_shape),
    )
)


def flatten(input: TensorLike, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """The axes from `start_dim` to `end_dim`, that one included, as a single axis. A single number becomes one element.

    A Tensor is returned as it is where that is one axis. Raises ValueError when start_dim comes after end_dim.

    >>> flatten(Tensor(np.zeros((2, 3, 4))), 1).shape
    (2, 12)
    """
    shape = as_array(input).shape or (1,)
    first, last = axis_in(shape, start_dim, "flatten"), axis_in(shape, end_dim, "flatten")
    if first > last:
        raise ShapeError(f"flatten: start_dim {start_dim} comes after end_dim {end_dim} in shape {shape}")
    if first == last and isinstance(input, TensorBase) and input.shape == shape:
        return input
    return reshape(input, (*shape[:first], math.prod(shape[first : last + 1]), *shape[last + 1 :]))


@accepts_numpy_names
def unflatten(input: TensorLike, dim: int, sizes: Sizes) -> Tensor:
    """The axis `dim` as several, of the given sizes; one of them may be -1. It undoes `flatten`.

    Raises ValueError when the sizes do not multiply to the axis's size.

    >>> unflatten(Tensor(np.zeros((2, 12))), 1, (3, -1)).shape
    (2, 3, 4)
    """
    shape = as_array(input).shape
    axis = axis_in(shape, dim, "unflatten")
    try:
        parts = np.empty(shape[axis], np.bool_).reshape(sizes).shape
    except ValueError:
        raise ShapeError(
            f"unflatten: the {shape[axis]} elements of axis {dim} of shape {shape} do not fit sizes {as_axes(sizes)}"
        ) from None
    return reshape(input, (*shape[:axis], *parts, *shape[axis + 1 :]))


def ravel(input: TensorLike) -> Tensor:
    """All the numbers along one axis, row by row. dL/dinput = g in input's shape.

    >>> ravel(Tensor([[1.0, 2.0], [3.0, 4.0]]))
    tensor([1., 2., 3., 4.])
    """
    return reshape(input, (-1,))


@primitive
def squeeze(input: Any, dim: int | Sizes | None = None) -> Any:
    """Without the axes of size 1; with `dim`, without those of them that have size 1. dL/dinput = g with them back.

    >>> squeeze(Tensor([[1.0, 2.0]])).shape
    (2,)
    """
    shape = input.shape or (1,)
    asked = range(len(shape)) if dim is None else as_axes(dim)
    for axis in asked:
        if not -len(shape) <= axis < len(shape):
            raise IndexError(f"axis {axis} does not exist in shape {input.shape}")
    gone = {axis % len(shape) for axis in asked}
    if len(gone) < len(asked):
        raise ShapeError(f"dims {as_axes(dim)} name an axis of shape {input.shape} twice")
    return input.reshape([size for axis, size in enumerate(input.shape) if size != 1 or axis not in gone])


squeeze.vjp(input=lambda g, input_shape: g.reshape(input_shape))


@primitive
def unsqueeze(input: Any, dim: int) -> Any:
    """A new axis of size 1 at `dim`. dL/dinput = g without it.

    >>> unsqueeze(Tensor([1.0, 2.0]), 0).shape
    (1, 2)
    """
    return np.expand_dims(input, dim)


unsqueeze.vjp(input=lambda g, input_shape: g.reshape(input_shape))

# -- another order of the axes -----------------------------------------------------------------------------------------


@primitive
def permute(input: Any, dims: Sizes) -> Any:
    """The axes in the order `dims`. dL/dinput = g with the axes put back (the inverse permutation).

    >>> permute(Tensor([[1.0, 2.0, 3.0]]), (1, 0)).shape
    (3, 1)
    """
    if sorted(axis % max(input.ndim, 1) for axis in dims) != list(range(input.ndim)):
        raise ShapeError(f"dims {as_axes(dims)} must name each of the {input.ndim} axes of shape {input.shape} once")
    return np.transpose(input, dims)


def _axes_put_back(g: Any, dims: Sizes) -> Any:
    order = [axis % g.ndim for axis in dims]
    return np.transpose(g, [order.index(axis) for axis in range(g.ndim)])


permute.vjp(input=_axes_put_back)


@primitive
def transpose(input: Any, dim0: int, dim1: int) -> Any:
    """Axes `dim0` and `dim1` exchanged. dL/dinput = g with the two exchanged again.

    >>> transpose(Tensor([[1.0, 2.0, 3.0]]), 0, 1).shape
    (3, 1)
    """
    if input.ndim == 0 and {dim0, dim1} <= {0, -1}:  # a single number may be asked as if it had one axis
        return input
    return np.swapaxes(input, dim0, dim1)


transpose.vjp(input=lambda g, dim0, dim1: transpose.raw(g, dim0, dim1))

swapaxes = swapdims = transpose


def movedim(input: TensorLike, source: int | Sizes, destination: int | Sizes) -> Tensor:
    """The axes `source` moved to the places `destination`; the others keep their order around them.

    Raises ValueError when an axis is named twice or when there are not as many places as axes.

    >>> movedim(Tensor(np.zeros((2, 3, 4))), 0, -1).shape
    (3, 4, 2)
    """
    shape = as_array(input).shape
    sources = [axis_in(shape or (1,), axis, "movedim") for axis in as_axes(source)]
    places = [axis_in(shape or (1,), axis, "movedim") for axis in as_axes(destination)]
    if not len(sources) == len(places) == len(set(sources)) == len(set(places)):
        raise ShapeError(f"movedim: source {source} and destination {destination} must name as many axes, each once")
    others = iter([axis for axis in range(len(shape)) if axis not in sources])
    origin = dict(zip(places, sources, strict=True))
    return permute(input, [origin[axis] if axis in origin else next(others) for axis in range(len(shape))])


def t(input: TensorLike) -> Tensor:
    """The transpose of a matrix; a vector or a single number stays as it is.

    Raises ValueError for more than two axes.

    >>> t(Tensor([[1.0, 2.0, 3.0]])).shape
    (3, 1)
    """
    shape = as_array(input).shape
    if len(shape) > 2:
        raise ShapeError(f"t: shape {shape} has more than two axes: write transpose(input, dim0, dim1)")
    return permute(input, tuple(range(len(shape)))[::-1])


# -- repeated without copying ------------------------------------------------------------------------------------------


@primitive(stretches=True)
def expand(input: Any, size: Sizes) -> Any:
    """input repeated, without copying, to `size`; -1 keeps a size. dL/dinput = Σ g over the repeated axes.

    Raises ValueError when an axis that is not of size 1 would have to change.

    >>> expand(Tensor([[1.0], [2.0]]), (2, 3))
    tensor([[1., 1., 1.],
            [2., 2., 2.]])
    """
    new = len(size) - input.ndim
    sizes = [input.shape[axis - new] if each == -1 and axis >= new else each for axis, each in enumerate(size)]
    try:
        return np.broadcast_to(input, sizes)
    except ValueError:
        raise ShapeError(
            f"shape {input.shape} cannot be expanded to {as_axes(size)}: only axes of size 1 repeat"
        ) from None


expand.vjp(input=lambda g: g)  # the engine sums over stretched axes, for this operation as for all

broadcast_to = primitive(
    expand.declaration.forward,
    """`expand`, under NumPy's name. dL/dinput = Σ g over the repeated axes.

    >>> broadcast_to(Tensor([1.0, 2.0]), (2, 2))
    tensor([[1., 2.],
            [1., 2.]])
    """,
    name="broadcast_to",
    stretches=True,
    input=lambda g: g,
)


def meshgrid(*tensors: TensorLike, indexing: str = "ij") -> tuple[Tensor, ...]:
    """The coordinates of all points of a grid: one Tensor for each axis, from the coordinates along that axis.

    tensors: vectors or single numbers, n of them; each result has n axes, (len(first), len(second), …).
    indexing: "ij", or "xy" for plots: the first two axes exchanged, (len(second), len(first), …).

    >>> x, y = meshgrid(Tensor([1.0, 2.0]), Tensor([3.0, 4.0, 5.0]))
    >>> y
    tensor([[3., 4., 5.],
            [3., 4., 5.]])
    """
    tensors = tuple(listed(tensors))
    arrays = [as_array(each) for each in tensors]
    if any(each.ndim > 1 for each in arrays):
        raise ShapeError(f"meshgrid: shapes {shapes_of(arrays)}: each must be a vector or a single number")
    if indexing not in ("ij", "xy"):
        raise ValueError(f"meshgrid: indexing is 'ij' or 'xy', not {indexing!r}")
    axes = list(range(len(arrays)))  # the axis that each of the tensors lies along
    if indexing == "xy":
        axes[:2] = axes[:2][::-1]
    sizes = [arrays[axis].size for axis in axes]
    return tuple(
        expand(reshape(each, [sizes[axis] if place == axis else 1 for place in range(len(axes))]), sizes)
        for each, axis in zip(tensors, axes, strict=True)
    )


# -- copies ------------------------------------------------------------------------------------------------------------


@primitive
def clone(input: Any) -> Any:
    """A copy that stays in the graph. dL/dinput = g.

    >>> clone(Tensor([1.0, 2.0]))
    tensor([1., 2.])
    """
    return input.copy()


clone.vjp(input=lambda g: g)


def contiguous(input: TensorLike) -> Tensor:
    """The same numbers, row by row in memory: input itself if they lie so already, else a copy.

    >>> contiguous(transpose(Tensor([[1.0, 2.0]]), 0, 1)).data.flags.c_contiguous
    True
    """
    array = as_array(input)
    if not array.flags.c_contiguous:
        return clone(input)
    return input if isinstance(input, TensorBase) else constant(array)


if TYPE_CHECKING:  # names that moved, for editors and type checkers
    from minitorch.compat.ops.rearrange import *
else:
    __getattr__, __dir__ = moved_names(__name__, "ops.rearrange")
