"""Bitwise logic: on bools the logical operations that `&`, `|`, `^` and `~` spell; on integers, bit by bit."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from minitorch.autograd.handle import as_operand, constant
from minitorch.autograd.operation import Declaration, unified
from minitorch.types import TensorLike

__all__ = ["bitwise_and", "bitwise_not", "bitwise_or", "bitwise_xor"]


@functools.cache
def _declared(name: str, function: Callable[..., Any]) -> Declaration:
    """A declaration without rules, whose errors name the operation."""
    return Declaration(name, function, inspect.Signature(), None, promotes=True)


def _bits(name: str, function: Callable[..., Any], *operands: TensorLike) -> Any:
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
