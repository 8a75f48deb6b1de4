"""Derivatives of functions, as PyTorch's torch.autograd.functional: vjp, jvp, jacobian, hessian, hvp, vhp.

Each takes a function of Tensors and the point where it is differentiated, one Tensor or a tuple of them, and answers in
the same form. The inputs are copied first, so that nobody's graph or `.grad` takes part; create_graph=True keeps the
way back to them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from minitorch.autograd.grad import grad
from minitorch.autograd.scope import enable_grad
from minitorch.autograd.tensor_base import TensorBase, as_array, constant, listed
from minitorch.backend import xp
from minitorch.errors import ShapeError

if TYPE_CHECKING:
    from minitorch._tensor import Tensor

Tensors = Any
"""One Tensor, or a tuple of them."""


def vjp(func: Callable[..., Any], inputs: Tensors, v: Any = None, create_graph: bool = False) -> tuple[Any, Any]:
    """Return (func(inputs), vᵀ J): the product of a vector and the Jacobian, one backward pass.

    v: of the outputs' form; may be left out for a single number (1).

    >>> from minitorch import Tensor
    >>> vjp(lambda x: x * x, Tensor([1.0, 2.0]), Tensor([1.0, 10.0]))[1]
    tensor([ 2., 40.])
    """
    with enable_grad():
        leaves = _prepared(inputs, create_graph)
        outputs = func(*leaves)
        ends = _several(outputs, "vjp")
        found = _pulled(ends, leaves, _vectors(v, ends, "vjp", "outputs"), create_graph)
    return _finished(outputs, create_graph), _in_the_form_of(inputs, _finished(found, create_graph))


def jvp(func: Callable[..., Any], inputs: Tensors, v: Any = None, create_graph: bool = False) -> tuple[Any, Any]:
    """Return (func(inputs), J v): the product of the Jacobian and a vector, of the outputs' form.

    uᵀ J is linear in u, so its derivative in u, times v, is J v: two backward passes. v: of the inputs' form; may be
    left out for a single number (1). Source: Townsend, "A new trick for calculating Jacobian vector products", 2017.

    >>> from minitorch import Tensor
    >>> jvp(lambda x: x * x, Tensor([1.0, 2.0]), Tensor([1.0, 10.0]))[1]
    tensor([ 2., 40.])
    """
    with enable_grad():
        leaves = _prepared(inputs, create_graph)
        outputs = func(*leaves)
        ends = _several(outputs, "jvp")
        free = [constant(xp(end).zeros(end.shape, end.dtype)).requires_grad_() for end in ends]
        rows = _pulled(ends, leaves, free, create_graph=True)
        found = _pulled(rows, free, _vectors(v, leaves, "jvp"), create_graph)
    return _finished(outputs, create_graph), _in_the_form_of(outputs, _finished(found, create_graph))


def jacobian(func: Callable[..., Any], inputs: Tensors, create_graph: bool = False) -> Any:
    """Return ∂output/∂input, of shape (*output.shape, *input.shape): one backward pass for each number of the output.

    With several inputs or outputs a tuple (of tuples): `[output][input]`.

    >>> from minitorch import Tensor
    >>> jacobian(lambda x: x * x, Tensor([1.0, 2.0]))
    tensor([[2., 0.],
            [0., 4.]])
    """
    with enable_grad():
        leaves = _prepared(inputs, create_graph)
        outputs = func(*leaves)
        found = [_jacobian_rows(out, leaves, create_graph) for out in _several(outputs, "jacobian")]
    blocks = [_in_the_form_of(inputs, _finished(each, create_graph)) for each in found]
    return _in_the_form_of(outputs, blocks)


def hessian(func: Callable[..., Any], inputs: Tensors, create_graph: bool = False) -> Any:
    """Return ∂²func/∂input∂input of a function with one number as its result, of shape (*input.shape, *input.shape).

    With several inputs a tuple of tuples. Raises ValueError when the function returns more than one number.

    >>> from minitorch import Tensor
    >>> hessian(lambda x: (x * x * x).sum(), Tensor([1.0, 2.0]))
    tensor([[ 6.,  0.],
            [ 0., 12.]])
    """

    def gradient(*leaves: Any) -> Any:
        found = _pulled([_number(func(*leaves), "hessian")], leaves, None, create_graph=True)
        return tuple(found) if isinstance(inputs, (tuple, list)) else found[0]

    return jacobian(gradient, inputs, create_graph)


def hvp(func: Callable[..., Any], inputs: Tensors, v: Any = None, create_graph: bool = False) -> tuple[Any, Any]:
    """Return (func(inputs), H v): the product of the Hessian and a vector, without ever making the Hessian.

    H v = d(∇func · v)/d(inputs). v: of the inputs' form. Source: Pearlmutter, "Fast exact multiplication by the
    Hessian", 1994.

    >>> from minitorch import Tensor
    >>> hvp(lambda x: (x * x * x).sum(), Tensor([1.0, 2.0]), Tensor([1.0, 10.0]))[1]
    tensor([  6., 120.])
    """
    with enable_grad():
        leaves = _prepared(inputs, create_graph)
        output = _number(func(*leaves), "hvp")
        slopes = _pulled([output], leaves, None, create_graph=True)
        found = _pulled(slopes, leaves, _vectors(v, leaves, "hvp"), create_graph)
    return _finished(output, create_graph), _in_the_form_of(inputs, _finished(found, create_graph))


def vhp(func: Callable[..., Any], inputs: Tensors, v: Any = None, create_graph: bool = False) -> tuple[Any, Any]:
    """Return (func(inputs), vᵀ H): the same as hvp, for the Hessian is symmetric.

    >>> from minitorch import Tensor
    >>> vhp(lambda x: (x * x * x).sum(), Tensor([1.0, 2.0]), Tensor([1.0, 10.0]))[1]
    tensor([  6., 120.])
    """
    return hvp(func, inputs, v, create_graph)


def _prepared(inputs: Tensors, create_graph: bool) -> list[Tensor]:
    """Return the inputs to differentiate: new leaves, or results of the originals with create_graph."""
    leaves = []
    for each in listed(inputs):
        if create_graph and isinstance(each, TensorBase) and each.requires_grad:
            leaves.append(each.clone())  # type: ignore[attr-defined]
        else:
            leaves.append(constant(as_array(each).copy()).requires_grad_())
    return leaves


def _several(outputs: Any, name: str) -> list[Tensor]:
    ends = listed(outputs)
    for end in ends:
        if not isinstance(end, TensorBase):
            raise TypeError(f"{name}: the function must return Tensors, not {type(end).__name__}")
    return ends


def _number(output: Any, name: str) -> Tensor:
    (end, *rest) = _several(output, name)
    if rest or end.numel() != 1:
        raise ShapeError(f"{name}: the function must return one number, not shape {end.shape}")
    return end.reshape(())


def _vectors(v: Any, ends: Sequence[TensorBase], name: str, what: str = "inputs") -> list[Tensor]:
    """Return one vector for each of the inputs or outputs; of a single number it may be left out."""
    shapes = [each._data.shape for each in ends]
    if v is None:
        if len(ends) > 1 or ends[0]._data.size != 1:
            raise ShapeError(
                f"{name}: v may be left out only for a single number; pass v of the shapes of the {what}, {shapes}"
            )
        return [constant(ends[0]._data * 0 + 1)]
    vectors = [constant(as_array(each)) if not isinstance(each, TensorBase) else each for each in listed(v)]
    given = [each._data.shape for each in vectors]
    if given != shapes:
        raise ShapeError(f"{name}: v has shapes {given}, but the {what} have {shapes}")
    return vectors  # type: ignore[return-value]


def _pulled(outputs: Sequence[TensorBase], leaves: Sequence[TensorBase], v: Any, create_graph: bool) -> list[Any]:
    """Differentiate Σ v · output in each leaf; zeros where nothing depends on it."""
    upstream = [None] * len(outputs) if v is None else listed(v)
    pairs = [(out, each) for out, each in zip(outputs, upstream, strict=True) if out.requires_grad]
    if not pairs:
        return [constant(leaf._data * 0) for leaf in leaves]
    ends, seeds = [out for out, _ in pairs], [each for _, each in pairs]
    return list(grad(ends, list(leaves), seeds, retain_graph=True, create_graph=create_graph, materialize_grads=True))


def _jacobian_rows(output: Tensor, leaves: Sequence[TensorBase], create_graph: bool) -> list[Tensor]:
    """Return the Jacobian of one output, for each leaf (*output.shape, *leaf.shape)."""
    rows: list[list[Tensor]] = []
    for place in np.ndindex(output.shape):
        unit = xp(output).zeros(output.shape, output.dtype)
        unit[place] = 1
        rows.append(_pulled([output], leaves, constant(unit), create_graph))
    if not rows:
        return [constant(xp(leaf).zeros((*output.shape, *leaf._data.shape), leaf._data.dtype)) for leaf in leaves]
    columns = zip(*rows, strict=True)
    stacked: list[Any] = [np.stack(column) for column in columns]  # NumPy asks the Tensors, which have their own
    return [rows.reshape((*output.shape, *leaf._data.shape)) for rows, leaf in zip(stacked, leaves, strict=True)]


def _finished(results: Any, create_graph: bool) -> Any:
    """Return results without their graph, unless it was asked for."""
    if isinstance(results, (tuple, list)):
        return tuple(_finished(each, create_graph) for each in results)
    return results if create_graph or not isinstance(results, TensorBase) else results.detach()


def _in_the_form_of(model: Any, values: Sequence[Any]) -> Any:
    return tuple(values) if isinstance(model, (tuple, list)) else values[0]
