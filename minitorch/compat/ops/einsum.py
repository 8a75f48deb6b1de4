"""Sums of products, spelled with letters: everything is permuted into one matrix product for each pair of operands."""

from __future__ import annotations

import functools
import math
import string
from collections.abc import Collection, Sequence
from typing import Any

from minitorch._tensor import Tensor
from minitorch.autograd.promotion import require_one_dtype
from minitorch.autograd.tensor_base import TensorBase
from minitorch.errors import ShapeError
from minitorch.ops._dims import accepts_numpy_names, axis_in
from minitorch.ops.creation import as_tensor
from minitorch.types import Shape, TensorLike

__all__ = ["einsum", "tensordot"]

Label = str | int
"""The name of an axis: a letter, or a negative number for one that an ellipsis stands for, counted from the right."""

_LETTERS = string.ascii_uppercase + string.ascii_lowercase  # PyTorch's order of the numbers 0 to 51


def einsum(equation: Any, *operands: Any) -> Tensor:
    """Σ of the product of the operands over every letter that is not in the output: "ij,jk->ik" is a matrix product.

    A letter names an axis. Twice in one operand it means the diagonal; missing after `->`, it is summed over.
    `...` stands for any further axes, which broadcast, as every axis of size 1 does. Without `->` the output has the
    ellipsis, then the letters that come once, in alphabetical order. Spaces are ignored. The operands may also be
    followed by lists of numbers: einsum(x, [0, 1], y, [1, 2], [0, 2]). Several operands are multiplied from left to
    right. The gradient is that of the products, sums and permutations it is made of.

    Raises ValueError when the equation does not fit the shapes.

    >>> einsum("ij,kj->ik", Tensor([[1.0, 2.0]]), Tensor([[3.0, 4.0], [5.0, 6.0]]))
    tensor([[11., 17.]])
    """
    if not isinstance(equation, str):
        equation, operands = _from_lists((equation, *operands))
    elif len(operands) == 1 and isinstance(operands[0], (list, tuple)) and _holds_tensors(operands[0]):
        operands = tuple(operands[0])
    tensors = [as_tensor(each) for each in operands]
    inputs, output = _parsed(equation, tuple([each._data.shape for each in tensors]))
    out, labels = _distinct(tensors[0], inputs[0])
    for place in range(1, len(tensors)):
        wanted = {*output, *[label for each in inputs[place + 1 :] for label in each]}
        out, labels = _multiplied(out, labels, *_distinct(tensors[place], inputs[place]), wanted)
    out, labels = _summed(out, labels, output)
    return out.permute([labels.index(label) for label in output])


@accepts_numpy_names
def tensordot(a: TensorLike, b: TensorLike, dims: Any = 2) -> Tensor:
    """Σ a · b over pairs of axes: the last `dims` of a with the first of b, or those of two lists, pair by pair.

    The result has a's other axes, then b's. dims = 0 is the outer product. Raises ValueError when sizes differ,
    IndexError when an axis does not exist, TypeError when the dtypes differ.

    >>> tensordot(Tensor([[1.0, 2.0]]), Tensor([[3.0, 4.0]]), dims=([1], [1]))
    tensor([[11.]])
    """
    given = (a, b)
    a, b = [as_tensor(each) for each in given]
    require_one_dtype("tensordot", {"a": a._data, "b": b._data}, given)
    pairs = _paired(a._data.shape, b._data.shape, dims)
    a_labels: list[Label] = [f"a{axis}" for axis in range(a._data.ndim)]
    b_labels: list[Label] = [f"b{axis}" for axis in range(b._data.ndim)]
    for a_axis, b_axis in pairs:
        b_labels[b_axis] = a_labels[a_axis]
    summed = {a_labels[a_axis] for a_axis, _ in pairs}
    return _multiplied(a, a_labels, b, b_labels, {*a_labels, *b_labels} - summed)[0]


# -- products --------------------------------------------------------------------------------------------------------


def _multiplied(
    left: Tensor, left_labels: list[Label], right: Tensor, right_labels: list[Label], wanted: Collection[Label]
) -> tuple[Tensor, list[Label]]:
    """The product of two tensors whose axes have distinct labels, summed over the labels that are not `wanted`."""
    sizes = _sizes([(left._data.shape, left_labels), (right._data.shape, right_labels)])
    left, left_labels = _without_stretched(left, left_labels, sizes)
    right, right_labels = _without_stretched(right, right_labels, sizes)
    left, left_labels = _summed(left, left_labels, {*wanted, *right_labels})
    right, right_labels = _summed(right, right_labels, {*wanted, *left_labels})
    batch = [label for label in left_labels if label in right_labels and label in wanted]
    common = [label for label in left_labels if label in right_labels and label not in wanted]
    rows = [label for label in left_labels if label not in right_labels]
    columns = [label for label in right_labels if label not in left_labels]
    left = _in_order(left, left_labels, [*batch, *rows, *common])
    right = _in_order(right, right_labels, [*batch, *common, *columns])
    outer, first, inner, last = ([sizes[label] for label in part] for part in (batch, rows, common, columns))
    if not common:  # nothing to sum: the numbers are multiplied where they are
        left = left.reshape((*outer, *first, *[1] * len(last)))
        return left * right.reshape((*outer, *[1] * len(first), *last)), [*batch, *rows, *columns]
    pair = {"the left operand": left._data, "the right operand": right._data}
    require_one_dtype("einsum", pair, pair.values())
    left = left.reshape(*outer, math.prod(first), math.prod(inner))
    right = right.reshape(*outer, math.prod(inner), math.prod(last))
    return (left @ right).reshape((*outer, *first, *last)), [*batch, *rows, *columns]


def _sizes(operands: Sequence[tuple[Shape, Sequence[Label]]]) -> dict[Label, int]:
    """The size of each label; 1 gives way to another size."""
    sizes: dict[Label, int] = {}
    for shape, labels in operands:
        for label, size in zip(labels, shape, strict=True):
            if sizes.get(label, 1) == 1:
                sizes[label] = size
    return sizes


def _without_stretched(tensor: Tensor, labels: list[Label], sizes: dict[Label, int]) -> tuple[Tensor, list[Label]]:
    """The tensor without the axes of size 1 that the other operand's larger one would stretch."""
    own = [label for label, size in zip(labels, tensor._data.shape, strict=True) if size == sizes[label]]
    return tensor if own == labels else tensor.reshape([sizes[label] for label in own]), own


def _summed(tensor: Tensor, labels: list[Label], wanted: Collection[Label]) -> tuple[Tensor, list[Label]]:
    gone = tuple([axis for axis, label in enumerate(labels) if label not in wanted])
    return tensor.sum(gone) if gone else tensor, [label for label in labels if label in wanted]


def _in_order(tensor: Tensor, labels: list[Label], wanted: list[Label]) -> Tensor:
    return tensor if labels == wanted else tensor.permute([labels.index(label) for label in wanted])


def _distinct(tensor: Tensor, labels: list[Label]) -> tuple[Tensor, list[Label]]:
    """A label that comes twice becomes one axis, the diagonal of the two."""
    while len(set(labels)) < len(labels):
        twice = next(label for label in labels if labels.count(label) > 1)
        first = labels.index(twice)
        second = labels.index(twice, first + 1)
        tensor = tensor.diagonal(0, first, second)
        labels = [label for axis, label in enumerate(labels) if axis not in (first, second)] + [twice]
    return tensor, labels


# -- what was asked for ------------------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=256)
def _parsed(equation: str, shapes: tuple[Shape, ...]) -> tuple[list[list[Label]], list[Label]]:
    """The labels of each operand's axes and of the output's. Nobody changes what is returned: it is remembered."""
    terms, arrow, output = equation.replace(" ", "").partition("->")
    split = terms.split(",")
    if not shapes or len(split) != len(shapes):
        raise ShapeError(f"einsum: {equation!r} describes {len(split)} operands, but {len(shapes)} were given")
    for term in (*split, output):
        _require_letters(term, equation)
    inputs: list[list[Label]] = []
    hidden = 0  # the most axes that an ellipsis stands for
    for place, (term, shape) in enumerate(zip(split, shapes, strict=True)):
        named = len(term.replace("...", ""))
        if named > len(shape) or (named < len(shape) and "..." not in term):
            remedy = "" if named > len(shape) else ": name them all or write ..."
            described = f"{term!r} in {equation!r} names {named} axes"
            raise ShapeError(f"einsum: {described}, but operand {place} has shape {shape}{remedy}")
        inputs.append(_labelled(term, len(shape) - named))
        hidden = max(hidden, len(shape) - named)
    letters = terms.replace(",", "").replace("...", "")
    if not arrow:
        output = "..." + "".join(sorted(letter for letter in letters if letters.count(letter) == 1))
    for letter in output.replace("...", ""):
        if output.count(letter) > 1 or letter not in letters:
            problem = "comes more than once in" if letter in letters else "is in no operand, but in"
            raise ShapeError(f"einsum: the letter {letter!r} {problem} the output {output!r} of {equation!r}")
    _require_sizes(shapes, inputs)
    return inputs, _labelled(output, hidden)


def _require_letters(term: str, equation: str) -> None:
    rest = term.replace("...", "", 1)
    wrong = next((letter for letter in rest if letter not in _LETTERS), None)
    if wrong is not None:
        raise ShapeError(
            f"einsum: {wrong!r} in {equation!r}: only letters, one ... an operand, commas and one -> are known"
        )


def _labelled(term: str, hidden: int) -> list[Label]:
    before, dots, after = term.partition("...")
    return [*before, *(range(-hidden, 0) if dots else ()), *after]


def _require_sizes(shapes: Sequence[Shape], inputs: Sequence[Sequence[Label]]) -> None:
    """Raises ValueError unless the sizes of each label are equal; 1 may meet another in another operand."""
    sizes = _sizes(list(zip(shapes, inputs, strict=True)))
    for place, (shape, labels) in enumerate(zip(shapes, inputs, strict=True)):
        for axis, (label, size) in enumerate(zip(labels, shape, strict=True)):
            first = shape[labels.index(label)]
            wanted = sizes[label] if size == first else first
            if size != wanted and not (size == 1 and size == first):
                name = repr(label) if isinstance(label, str) else "..."
                raise ShapeError(
                    f"einsum: {name} has size {size} at axis {axis} of operand {place}, of shape {shape}, "
                    f"but size {wanted} elsewhere"
                )


def _holds_tensors(values: Sequence[Any]) -> bool:
    return any(isinstance(each, TensorBase) or getattr(each, "ndim", 0) for each in values)


def _from_lists(arguments: Sequence[Any]) -> tuple[str, tuple[Any, ...]]:
    """(x, [0, 1], y, [1, 2], [0, 2]) as ("AB,BC->AC", (x, y))."""
    pairs = len(arguments) // 2
    equation = ",".join(_spelled(arguments[2 * place + 1]) for place in range(pairs))
    if len(arguments) % 2:
        equation += f"->{_spelled(arguments[-1])}"
    return equation, tuple(arguments[0 : 2 * pairs : 2])


def _spelled(numbers: Sequence[Any]) -> str:
    for number in numbers:
        if number is not Ellipsis and not 0 <= number < len(_LETTERS):
            raise ShapeError(f"einsum: {number} in a list of axes is not between 0 and {len(_LETTERS) - 1}")
    return "".join("..." if number is Ellipsis else _LETTERS[number] for number in numbers)


def _paired(a_shape: Shape, b_shape: Shape, dims: Any) -> list[tuple[int, int]]:
    """The pairs of axes that tensordot sums over, counted from the front."""
    if isinstance(dims, int):
        if not 0 <= dims <= min(len(a_shape), len(b_shape)):
            raise ShapeError(f"tensordot: dims {dims} of shapes {a_shape} and {b_shape}: each needs so many axes")
        dims = (range(len(a_shape) - dims, len(a_shape)), range(dims))
    a_dims, b_dims = (list(each) for each in dims)
    if len(a_dims) != len(b_dims):
        raise ShapeError(f"tensordot: dims {a_dims} and {b_dims} must name the same number of axes")
    axes = []
    for shape, chosen in ((a_shape, a_dims), (b_shape, b_dims)):
        axes.append([axis_in(shape, axis, "tensordot") for axis in chosen])
        if len({*axes[-1]}) < len(chosen):
            raise ShapeError(f"tensordot: dims {chosen} name an axis of shape {shape} twice")
    pairs = list(zip(*axes, strict=True))
    for p, q in pairs:
        if a_shape[p] != b_shape[q] and 1 not in (a_shape[p], b_shape[q]):
            both = f"axis {p} of shape {a_shape} and axis {q} of shape {b_shape}"
            raise ShapeError(f"tensordot: {both} differ in size: {a_shape[p]} and {b_shape[q]}")
    return pairs
