"""A rule's formula: a gradient rule that is run on symbols writes itself down.

>>> written(lambda g, other: g * other, {"other": "w"})
'g * w'
>>> written(lambda g, input: -g / (1 - input * input), {"input": "x"})
'-g / (1 - x ** 2)'
"""

from __future__ import annotations

import inspect
import math
import operator
from collections.abc import Callable, Mapping
from typing import Any

SUM, PRODUCT, POWER, ATOM = range(4)  # how tightly a formula holds together
_FUNCTIONS = {name: name for name in ("exp", "log", "sin", "cos", "sinh", "cosh", "sqrt", "sign")} | {"absolute": "abs"}
_OPERATORS = {"add": operator.add, "subtract": operator.sub, "multiply": operator.mul, "divide": operator.truediv}
_OPERATORS |= {"power": operator.pow}
_CONSTANTS = {math.log(2): "log(2)", math.log(10): "log(10)"}


def written(rule: Callable[..., Any], names: Mapping[str, str]) -> str | None:
    """The formula of a rule in Python's and NumPy's signs; None if it asks for more than `names`, or is no formula.

    names: what to call the values that the rule asks for. The upstream gradient is g.
    """
    asked = list(inspect.signature(rule).parameters)[1:]
    if any(name not in names for name in asked):
        return None
    try:
        found = rule(Symbol("g"), *[Symbol(names[name]) for name in asked])
    except (AttributeError, ImportError, TypeError):  # it asks for shapes or comparisons, or SciPy, which no symbol has
        return None
    return found.text if isinstance(found, Symbol) else None


class Symbol:
    """A formula that stands for its value. binds: what kind of formula, and so where it needs parentheses."""

    __slots__ = ("binds", "text")

    def __init__(self, text: str, binds: int = ATOM) -> None:
        self.text = text
        self.binds = binds

    def __add__(self, other: Any) -> Symbol:
        return Symbol(f"{self.text} + {_within(other, SUM)}", SUM)

    def __radd__(self, other: Any) -> Symbol:
        return Symbol(f"{_within(other, SUM)} + {self.text}", SUM)

    def __sub__(self, other: Any) -> Symbol:
        return Symbol(f"{self.text} - {_within(other, PRODUCT)}", SUM)

    def __rsub__(self, other: Any) -> Symbol:
        return Symbol(f"{_within(other, SUM)} - {_within(self, PRODUCT)}", SUM)

    def __mul__(self, other: Any) -> Symbol:
        if isinstance(other, Symbol) and other.text == self.text and self.binds == ATOM:
            return Symbol(f"{self.text} ** 2", POWER)
        return Symbol(f"{_within(self, PRODUCT)} * {_within(other, PRODUCT)}", PRODUCT)

    def __rmul__(self, other: Any) -> Symbol:
        return Symbol(f"{_within(other, PRODUCT)} * {_within(self, PRODUCT)}", PRODUCT)

    def __truediv__(self, other: Any) -> Symbol:
        return Symbol(f"{_within(self, PRODUCT)} / {_within(other, POWER)}", PRODUCT)

    def __rtruediv__(self, other: Any) -> Symbol:
        return Symbol(f"{_within(other, PRODUCT)} / {_within(self, POWER)}", PRODUCT)

    def __pow__(self, other: Any) -> Symbol:
        return Symbol(f"{_within(self, ATOM)} ** {_within(other, ATOM)}", POWER)

    def __neg__(self) -> Symbol:
        return Symbol(f"-{_within(self, PRODUCT)}", PRODUCT)

    def __array_ufunc__(self, ufunc: Any, method: str, *operands: Any, **options: Any) -> Any:
        if ufunc.__name__ in _OPERATORS:
            left, right = [each if isinstance(each, Symbol) else Symbol(_within(each, ATOM)) for each in operands]
            return _OPERATORS[ufunc.__name__](left, right)
        if ufunc.__name__ not in _FUNCTIONS:
            return NotImplemented
        return Symbol(f"{_FUNCTIONS[ufunc.__name__]}({_within(operands[0], SUM)})")

    def __array_function__(self, function: Any, types: Any, operands: Any, options: Any) -> Any:
        return NotImplemented


def _within(value: Any, least: int) -> str:
    """The text of an operand, in parentheses if it holds together less than it must there."""
    if not isinstance(value, Symbol):
        return _CONSTANTS.get(value) or f"{value:g}"
    return value.text if value.binds >= least else f"({value.text})"
