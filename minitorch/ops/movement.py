"""The same numbers in another shape or order. None of these copies what it can view, as in PyTorch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from minitorch.autograd.handle import as_array
from minitorch.autograd.primitive import primitive
from minitorch.ops.spelling import accepts_numpy_names
from minitorch.types import Shape, TensorLike


@primitive
def reshape(x: Any, shape: Shape) -> Any:
    """The same numbers in `shape`; one size may be -1. dL/dx = g in x's shape.

    Raises ValueError when the sizes do not multiply to the same number.

    >>> reshape(Tensor([1.0, 2.0, 3.0, 4.0]), (2, -1))
    tensor([[1., 2.],
            [3., 4.]])
    """
    try:
        return np.reshape(x, shape)
    except ValueError:
        raise ValueError(f"cannot put {x.size} numbers of shape {x.shape} into shape {_as_tuple(shape)}") from None


reshape.vjp(x=lambda g, x_shape: g.reshape(x_shape))


@primitive
def permute(x: Any, dims: Shape) -> Any:
    """The axes in the order `dims`. dL/dx = g with the axes put back (the inverse permutation).

    >>> permute(Tensor([[1.0, 2.0, 3.0]]), (1, 0)).shape
    (3, 1)
    """
    if sorted(axis % max(x.ndim, 1) for axis in dims) != list(range(x.ndim)):
        raise ValueError(f"dims {_as_tuple(dims)} must name each of the {x.ndim} axes of shape {x.shape} once")
    return np.transpose(x, dims)


permute.vjp(x=lambda g, dims: np.transpose(g, np.argsort([axis % g.ndim for axis in dims])))


@primitive
def transpose(x: Any, dim0: int, dim1: int) -> Any:
    """Axes `dim0` and `dim1` exchanged. dL/dx = g with the two exchanged again.

    >>> transpose(Tensor([[1.0, 2.0, 3.0]]), 0, 1).shape
    (3, 1)
    """
    return _exchanged(x, dim0, dim1)


def _exchanged(x: Any, dim0: int, dim1: int) -> Any:
    if x.ndim == 0 and {dim0, dim1} <= {0, -1}:  # a single number may be asked as if it had one axis
        return x
    return np.swapaxes(x, dim0, dim1)


transpose.vjp(x=_exchanged)


@primitive
def unsqueeze(x: Any, dim: int) -> Any:
    """A new axis of size 1 at `dim`. dL/dx = g without it.

    >>> unsqueeze(Tensor([1.0, 2.0]), 0).shape
    (1, 2)
    """
    return np.expand_dims(x, dim)


unsqueeze.vjp(x=lambda g, x_shape: g.reshape(x_shape))


@primitive
def squeeze(x: Any, dim: int | Shape | None = None) -> Any:
    """Without the axes of size 1; with `dim`, without those of them that have size 1. dL/dx = g with them back.

    >>> squeeze(Tensor([[1.0, 2.0]])).shape
    (2,)
    """
    asked = range(x.ndim) if dim is None else dim if isinstance(dim, (tuple, list)) else [dim]
    gone = {axis % max(x.ndim, 1) for axis in asked}
    for axis in asked:
        if not -max(x.ndim, 1) <= axis < max(x.ndim, 1):
            raise IndexError(f"axis {axis} does not exist in shape {x.shape}")
    return x.reshape([size for axis, size in enumerate(x.shape) if size != 1 or axis not in gone])


squeeze.vjp(x=lambda g, x_shape: g.reshape(x_shape))


@primitive
def expand(x: Any, shape: Shape) -> Any:
    """x repeated, without copying, to `shape`; -1 keeps a size. dL/dx = Σ g over the repeated axes.

    Raises ValueError when an axis that is not of size 1 would have to change.

    >>> expand(Tensor([[1.0], [2.0]]), (2, 3))
    tensor([[1., 1., 1.],
            [2., 2., 2.]])
    """
    new = len(shape) - x.ndim
    sizes = [x.shape[axis - new] if size == -1 and axis >= new else size for axis, size in enumerate(shape)]
    try:
        return np.broadcast_to(x, sizes)
    except ValueError:
        raise ValueError(
            f"shape {x.shape} cannot be expanded to {_as_tuple(shape)}: only axes of size 1 repeat"
        ) from None


expand.vjp(x=lambda g: g)  # the engine sums over stretched axes, for this operation as for all


@primitive
def _cat(*tensors: Any, dim: int) -> Any:
    if len({each.ndim for each in tensors}) > 1:
        raise ValueError(f"shapes {_shapes(tensors)} must have the same number of axes")
    if tensors[0].ndim == 0:
        raise ValueError("single numbers have no axis to be joined along: use stack")
    if not -tensors[0].ndim <= dim < tensors[0].ndim:
        raise IndexError(f"axis {dim} does not exist in shapes {_shapes(tensors)}")
    try:
        return np.concatenate(tensors, axis=dim)
    except ValueError:
        raise ValueError(f"shapes {_shapes(tensors)} may differ along axis {dim} only") from None


def _cat_wrt(g: Any, tensors_shape: tuple[Shape, ...], dim: int, slot: int) -> Any:
    start = int(np.sum([shape[dim] for shape in tensors_shape[:slot]], dtype=np.int64))
    stop = start + tensors_shape[slot][dim]
    return g[(slice(None),) * (dim % g.ndim) + (slice(start, stop),)]


_cat.vjp(tensors=_cat_wrt)


@primitive
def _stack(*tensors: Any, dim: int) -> Any:
    if len({each.shape for each in tensors}) > 1:
        raise ValueError(f"shapes {_shapes(tensors)} must all be equal")
    return np.stack(tensors, axis=dim)


_stack.vjp(tensors=lambda g, dim, slot: g[(slice(None),) * (dim % g.ndim) + (slot,)])


@accepts_numpy_names
def cat(tensors: Sequence[TensorLike], dim: int = 0) -> Any:
    """The tensors joined along the existing axis `dim`. Each gets its own slice of g.

    Raises ValueError when there are none or when they differ along another axis.

    >>> cat([Tensor([1.0, 2.0]), Tensor([3.0])])
    tensor([1., 2., 3.])
    """
    return _cat(*_some(tensors, "cat"), dim=dim)


@accepts_numpy_names
def stack(tensors: Sequence[TensorLike], dim: int = 0) -> Any:
    """The tensors laid side by side along a new axis `dim`. Each gets its own slice of g.

    Raises ValueError when there are none or when their shapes differ.

    >>> stack([Tensor([1.0, 2.0]), Tensor([3.0, 4.0])], dim=1)
    tensor([[1., 3.],
            [2., 4.]])
    """
    return _stack(*_some(tensors, "stack"), dim=dim)


def _some(tensors: Sequence[TensorLike], name: str) -> Sequence[TensorLike]:
    if len(tensors) == 0:
        raise ValueError(f"{name}: at least one tensor is needed")
    return tensors


def _shapes(tensors: Sequence[Any]) -> str:
    return " and ".join(str(as_array(each).shape) for each in tensors)


def _as_tuple(shape: Any) -> Any:
    return tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
