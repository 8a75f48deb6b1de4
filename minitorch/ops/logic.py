"""Comparisons, logic and bits, and what kind of number. The results are constants: no gradient passes."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from minitorch.autograd.handle import as_array, as_operand, constant
from minitorch.autograd.identity import refuse_bool
from minitorch.autograd.operation import Declaration, unified
from minitorch.types import TensorLike

__all__ = [
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "isclose",
    "allclose",
    "equal",
    "logical_and",
    "logical_or",
    "logical_xor",
    "logical_not",
    "isfinite",
    "isinf",
    "isnan",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "bitwise_not",
]


@functools.cache
def _declared(name: str, judge: Callable[..., Any]) -> Declaration:
    """A declaration without rules, whose errors name the operation."""
    return Declaration(name, judge, inspect.Signature(), None, promotes=True)


def _judged(name: str, judge: Callable[..., Any], *operands: TensorLike, options: tuple[Any, ...] = ()) -> Any:
    """judge(*operands, *options) as a constant. The operands meet in one dtype, as those of arithmetic do."""
    arrays = unified([as_operand(each) for each in operands])
    return constant(_declared(name, judge).run([*arrays, *options]))


# -- comparisons -------------------------------------------------------------------------------------------------------


def eq(input: TensorLike, other: TensorLike) -> Any:
    """input = other, number by number; nan equals nothing. The operator == of Tensors asks for the same Tensor.

    >>> eq(Tensor([1.0, 2.0]), 2)
    tensor([False,  True])
    """
    return _judged("eq", np.equal, input, other)


def ne(input: TensorLike, other: TensorLike) -> Any:
    """input ≠ other, number by number.

    >>> ne(Tensor([1.0, 2.0]), 2)
    tensor([ True, False])
    """
    return _judged("ne", np.not_equal, input, other)


def lt(input: TensorLike, other: TensorLike) -> Any:
    """input < other, number by number.

    >>> lt(Tensor([1.0, 2.0]), 2)
    tensor([ True, False])
    """
    return _judged("lt", np.less, input, other)


def le(input: TensorLike, other: TensorLike) -> Any:
    """input ≤ other, number by number.

    >>> le(Tensor([1.0, 2.0]), 1)
    tensor([ True, False])
    """
    return _judged("le", np.less_equal, input, other)


def gt(input: TensorLike, other: TensorLike) -> Any:
    """input > other, number by number.

    >>> gt(Tensor([1.0, 2.0]), 1)
    tensor([False,  True])
    """
    return _judged("gt", np.greater, input, other)


def ge(input: TensorLike, other: TensorLike) -> Any:
    """input ≥ other, number by number.

    >>> ge(Tensor([1.0, 2.0]), 2)
    tensor([False,  True])
    """
    return _judged("ge", np.greater_equal, input, other)


def isclose(
    input: TensorLike, other: TensorLike, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> Any:
    """|input - other| ≤ atol + rtol · |other|, number by number; infinities are close to themselves alone.

    equal_nan: nan is close to nan. Raises ValueError for a negative tolerance.

    >>> isclose(Tensor([1.0, 2.0]), Tensor([1.000001, 2.1]))
    tensor([ True, False])
    """
    if min(rtol, atol) < 0:
        raise ValueError(f"isclose: rtol {rtol} and atol {atol} must not be negative")
    return _judged("isclose", np.isclose, input, other, options=(rtol, atol, equal_nan))


def allclose(
    input: TensorLike, other: TensorLike, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> bool:
    """True when `isclose` holds everywhere: a Python bool.

    >>> allclose(Tensor([1.0, 2.0]), Tensor([1.000001, 2.0]))
    True
    """
    return bool(np.all(isclose(input, other, rtol, atol, equal_nan).data))


def equal(input: TensorLike, other: TensorLike) -> bool:
    """True when shape and values agree: a Python bool.

    >>> equal(Tensor([1.0, 2.0]), Tensor([1.0, 2.0]))
    True
    """
    left, right = as_array(input), as_array(other)
    return left.shape == right.shape and bool(_declared("equal", np.equal).run([left, right]).all())


# -- logic: every number but 0 is true ---------------------------------------------------------------------------------


def _logical(name: str, judge: Callable[..., Any], *operands: TensorLike) -> Any:
    for each in operands:
        refuse_bool(name, "an operand", each)
    return _judged(name, judge, *operands)


def logical_and(input: TensorLike, other: TensorLike) -> Any:
    """True where both are not 0.

    >>> logical_and(Tensor([True, True]), Tensor([True, False]))
    tensor([ True, False])
    """
    return _logical("logical_and", np.logical_and, input, other)


def logical_or(input: TensorLike, other: TensorLike) -> Any:
    """True where one of the two, or both, are not 0.

    >>> logical_or(Tensor([True, False]), Tensor([True, False]))
    tensor([ True, False])
    """
    return _logical("logical_or", np.logical_or, input, other)


def logical_xor(input: TensorLike, other: TensorLike) -> Any:
    """True where one of the two, not both, is not 0.

    >>> logical_xor(Tensor([True, True]), Tensor([True, False]))
    tensor([False,  True])
    """
    return _logical("logical_xor", np.logical_xor, input, other)


def logical_not(input: TensorLike) -> Any:
    """True where x is 0.

    >>> logical_not(Tensor([True, False]))
    tensor([False,  True])
    """
    return _logical("logical_not", np.logical_not, input)


# -- what kind of number -----------------------------------------------------------------------------------------------


def isfinite(input: TensorLike) -> Any:
    """True where x is neither infinite nor nan.

    >>> isfinite(Tensor([1.0, np.inf, np.nan]))
    tensor([ True, False, False])
    """
    return _judged("isfinite", np.isfinite, input)


def isinf(input: TensorLike) -> Any:
    """True where x is infinite.

    >>> isinf(Tensor([1.0, -np.inf, np.nan]))
    tensor([False,  True, False])
    """
    return _judged("isinf", np.isinf, input)


def isnan(input: TensorLike) -> Any:
    """True where x is nan.

    >>> isnan(Tensor([1.0, np.inf, np.nan]))
    tensor([False, False,  True])
    """
    return _judged("isnan", np.isnan, input)


# -- bits: on bools the logical operations that &, |, ^ and ~ spell; on integers, bit by bit ---------------------------


def _bits(name: str, function: Callable[..., Any], *operands: TensorLike) -> Any:
    for each in operands:
        refuse_bool(name, "an operand", each)
    given = unified([as_operand(each) for each in operands])
    for each in given:
        dtype = np.result_type(each)
        if dtype.kind == "f":
            raise TypeError(f"{name}: bits are those of integers and bools, not of {dtype}: compare first, as in x > 0")
    return constant(_declared(name, function).run(given))


def bitwise_and(input: TensorLike, other: TensorLike) -> Any:
    """input & other. No gradient. Raises TypeError for floats.

    >>> bitwise_and(Tensor([True, True]), Tensor([True, False]))
    tensor([ True, False])
    """
    return _bits("bitwise_and", np.bitwise_and, input, other)


def bitwise_or(input: TensorLike, other: TensorLike) -> Any:
    """input | other. No gradient. Raises TypeError for floats.

    >>> bitwise_or(Tensor([4, 1]), 2)
    tensor([6, 3])
    """
    return _bits("bitwise_or", np.bitwise_or, input, other)


def bitwise_xor(input: TensorLike, other: TensorLike) -> Any:
    """input ^ other. No gradient. Raises TypeError for floats.

    >>> bitwise_xor(Tensor([True, True]), Tensor([True, False]))
    tensor([False,  True])
    """
    return _bits("bitwise_xor", np.bitwise_xor, input, other)


def bitwise_not(input: TensorLike) -> Any:
    """~input. No gradient. Raises TypeError for floats.

    >>> bitwise_not(Tensor([True, False]))
    tensor([False,  True])
    """
    return _bits("bitwise_not", np.bitwise_not, input)
