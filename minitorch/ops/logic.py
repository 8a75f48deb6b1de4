"""Comparisons, logic and bits, and what kind of number. The results are constants: no gradient passes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from minitorch.autograd.identity import refuse_bool
from minitorch.autograd.operation import operand_error, require_one_device
from minitorch.autograd.promotion import promoted
from minitorch.autograd.tensor_base import as_array, as_operand, constant
from minitorch.backend import as_result
from minitorch.errors import DtypeError
from minitorch.ops._ufuncs import answers
from minitorch.types import TensorLike

if TYPE_CHECKING:
    from minitorch._tensor import Tensor

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


def judged(name: str, judge: Callable[..., Any], *operands: TensorLike, options: tuple[Any, ...] = ()) -> Tensor:
    """judge(*operands, *options) as a constant. The operands meet in one dtype, as those of arithmetic do."""
    return constant(_called(name, judge, *promoted([as_operand(each) for each in operands]), *options))


def _called(name: str, judge: Callable[..., Any], *arguments: Any) -> Any:
    """judge(*arguments) as an array, with errors that name the operation."""
    try:
        return as_result(judge(*arguments))
    except ValueError as error:
        raise operand_error(name, judge, arguments, error) from None
    except TypeError:
        require_one_device(name, arguments)
        raise


# -- comparisons -------------------------------------------------------------------------------------------------------


@answers(np.equal)
def eq(input: TensorLike, other: TensorLike) -> Tensor:
    """input = other, number by number; nan equals nothing. The operator == of Tensors asks for the same Tensor.

    >>> eq(Tensor([1.0, 2.0]), 2)
    tensor([False,  True])
    """
    return judged("eq", np.equal, input, other)


@answers(np.not_equal)
def ne(input: TensorLike, other: TensorLike) -> Tensor:
    """input ≠ other, number by number.

    >>> ne(Tensor([1.0, 2.0]), 2)
    tensor([ True, False])
    """
    return judged("ne", np.not_equal, input, other)


@answers(np.less)
def lt(input: TensorLike, other: TensorLike) -> Tensor:
    """input < other, number by number.

    >>> lt(Tensor([1.0, 2.0]), 2)
    tensor([ True, False])
    """
    return judged("lt", np.less, input, other)


@answers(np.less_equal)
def le(input: TensorLike, other: TensorLike) -> Tensor:
    """input ≤ other, number by number.

    >>> le(Tensor([1.0, 2.0]), 1)
    tensor([ True, False])
    """
    return judged("le", np.less_equal, input, other)


@answers(np.greater)
def gt(input: TensorLike, other: TensorLike) -> Tensor:
    """input > other, number by number.

    >>> gt(Tensor([1.0, 2.0]), 1)
    tensor([False,  True])
    """
    return judged("gt", np.greater, input, other)


@answers(np.greater_equal)
def ge(input: TensorLike, other: TensorLike) -> Tensor:
    """input ≥ other, number by number.

    >>> ge(Tensor([1.0, 2.0]), 2)
    tensor([False,  True])
    """
    return judged("ge", np.greater_equal, input, other)


def isclose(
    input: TensorLike, other: TensorLike, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> Tensor:
    """|input - other| ≤ atol + rtol · |other|, number by number; infinities are close to themselves alone.

    equal_nan: nan is close to nan. Raises ValueError for a negative tolerance.

    >>> isclose(Tensor([1.0, 2.0]), Tensor([1.000001, 2.1]))
    tensor([ True, False])
    """
    if min(rtol, atol) < 0:
        raise ValueError(f"isclose: rtol {rtol} and atol {atol} must not be negative")
    return judged("isclose", np.isclose, input, other, options=(rtol, atol, equal_nan))


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
    return left.shape == right.shape and bool(_called("equal", np.equal, left, right).all())


# -- logic: every number but 0 is true ---------------------------------------------------------------------------------


def _logical(name: str, judge: Callable[..., Any], *operands: Any) -> Tensor:
    for each in operands:
        if isinstance(each, bool):
            refuse_bool(name, "an operand", each)
    return judged(name, judge, *operands)


@answers(np.logical_and)
def logical_and(input: TensorLike, other: TensorLike) -> Tensor:
    """True where both are not 0.

    >>> logical_and(Tensor([True, True]), Tensor([True, False]))
    tensor([ True, False])
    """
    return _logical("logical_and", np.logical_and, input, other)


@answers(np.logical_or)
def logical_or(input: TensorLike, other: TensorLike) -> Tensor:
    """True where one of the two, or both, are not 0.

    >>> logical_or(Tensor([True, False]), Tensor([True, False]))
    tensor([ True, False])
    """
    return _logical("logical_or", np.logical_or, input, other)


@answers(np.logical_xor)
def logical_xor(input: TensorLike, other: TensorLike) -> Tensor:
    """True where one of the two, not both, is not 0.

    >>> logical_xor(Tensor([True, True]), Tensor([True, False]))
    tensor([False,  True])
    """
    return _logical("logical_xor", np.logical_xor, input, other)


@answers(np.logical_not)
def logical_not(input: TensorLike) -> Tensor:
    """True where x is 0.

    >>> logical_not(Tensor([True, False]))
    tensor([False,  True])
    """
    return _logical("logical_not", np.logical_not, input)


# -- what kind of number -----------------------------------------------------------------------------------------------


@answers(np.isfinite)
def isfinite(input: TensorLike) -> Tensor:
    """True where x is neither infinite nor nan.

    >>> isfinite(Tensor([1.0, np.inf, np.nan]))
    tensor([ True, False, False])
    """
    return judged("isfinite", np.isfinite, input)


@answers(np.isinf)
def isinf(input: TensorLike) -> Tensor:
    """True where x is infinite.

    >>> isinf(Tensor([1.0, -np.inf, np.nan]))
    tensor([False,  True, False])
    """
    return judged("isinf", np.isinf, input)


@answers(np.isnan)
def isnan(input: TensorLike) -> Tensor:
    """True where x is nan.

    >>> isnan(Tensor([1.0, np.inf, np.nan]))
    tensor([False, False,  True])
    """
    return judged("isnan", np.isnan, input)


# -- bits: on bools the logical operations that &, |, ^ and ~ spell; on integers, bit by bit ---------------------------


def bits_of(name: str, function: Callable[..., Any], *operands: Any) -> Tensor:
    for each in operands:
        if isinstance(each, bool):
            refuse_bool(name, "an operand", each)
    given = promoted([as_operand(each) for each in operands])
    for each in given:
        dtype = np.result_type(each)
        if dtype.kind == "f":
            raise DtypeError(
                f"{name}: bits are those of integers and bools, not of {dtype}: compare first, as in x > 0"
            )
    return constant(_called(name, function, *given))


@answers(np.bitwise_and)
def bitwise_and(input: TensorLike, other: TensorLike) -> Tensor:
    """input & other. No gradient. Raises TypeError for floats.

    >>> bitwise_and(Tensor([True, True]), Tensor([True, False]))
    tensor([ True, False])
    """
    return bits_of("bitwise_and", np.bitwise_and, input, other)


@answers(np.bitwise_or)
def bitwise_or(input: TensorLike, other: TensorLike) -> Tensor:
    """input | other. No gradient. Raises TypeError for floats.

    >>> bitwise_or(Tensor([4, 1]), 2)
    tensor([6, 3])
    """
    return bits_of("bitwise_or", np.bitwise_or, input, other)


@answers(np.bitwise_xor)
def bitwise_xor(input: TensorLike, other: TensorLike) -> Tensor:
    """input ^ other. No gradient. Raises TypeError for floats.

    >>> bitwise_xor(Tensor([True, True]), Tensor([True, False]))
    tensor([False,  True])
    """
    return bits_of("bitwise_xor", np.bitwise_xor, input, other)


@answers(np.invert)
def bitwise_not(input: TensorLike) -> Tensor:
    """~input. No gradient. Raises TypeError for floats.

    >>> bitwise_not(Tensor([True, False]))
    tensor([False,  True])
    """
    return bits_of("bitwise_not", np.bitwise_not, input)
