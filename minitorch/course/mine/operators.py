"""The learner's Tensor with signs: a class in which `a + b`, `a @ b` and `a.sum()` call given functions.

The lessons write the rules as functions, `add(a, b)`; lesson 05 writes the class. Putting the two together changes
neither: a new class inherits from the learner's and holds the methods.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Function = Callable[..., Any]


def with_operators(base: type, functions: Mapping[str, Function]) -> type:
    """A subclass of `base` with each method whose function is among `functions`.

    functions: by name, "add", "matmul", "sum"; each takes the tensor first. A number or an array may stand on either
    side of + - * / and @; what becomes of it is the function's business.
    """
    made = (_methods(name)(function) for name, function in functions.items() if name in NAMES)
    methods = {name: method for each in made for name, method in each.items()}
    given = {
        "__array_ufunc__": None,  # with an array on the left NumPy hands over instead of taking the tensor apart
        "__module__": base.__module__,
        "__qualname__": base.__qualname__,
        "__doc__": base.__doc__,
    }
    return type(base.__name__, (base,), given | methods)


def _binary(sign: str) -> Callable[[Function], dict[str, Any]]:
    def methods(function: Function) -> dict[str, Any]:
        def forward(self: Any, other: Any) -> Any:
            return function(self, other)

        def reflected(self: Any, other: Any) -> Any:
            return function(other, self)

        return {f"__{sign}__": forward, f"__r{sign}__": reflected}

    return methods


def _named(name: str) -> Callable[[Function], dict[str, Any]]:
    def methods(function: Function) -> dict[str, Any]:
        def method(self: Any, *words: Any, **named: Any) -> Any:
            return function(self, *words, **named)

        return {name: method}

    return methods


def _reshape(function: Function) -> dict[str, Any]:
    def reshape(self: Any, *shape: Any) -> Any:
        return function(self, _as_one(shape))

    return {"reshape": reshape}


def _transpose(function: Function) -> dict[str, Any]:
    def transpose(self: Any, *axes: Any) -> Any:
        return function(self, _as_one(axes)) if axes else function(self)

    return {"transpose": transpose, "T": property(transpose)}


def _as_one(words: tuple[Any, ...]) -> tuple[Any, ...]:
    """`(2, 3)` for both `x.reshape(2, 3)` and `x.reshape((2, 3))`."""
    return tuple(words[0]) if len(words) == 1 and isinstance(words[0], tuple | list) else words


BINARY = {"add": "add", "sub": "sub", "mul": "mul", "div": "truediv", "matmul": "matmul"}
SPECIAL: dict[str, Callable[[Function], dict[str, Any]]] = {
    "neg": lambda function: {"__neg__": lambda self: function(self)},
    "getitem": lambda function: {"__getitem__": lambda self, index: function(self, index)},
    "reshape": _reshape,
    "transpose": _transpose,
}
METHODS = ("sum", "mean", "max", "relu", "exp", "log")
NAMES = (*BINARY, *SPECIAL, *METHODS)


def _methods(name: str) -> Callable[[Function], dict[str, Any]]:
    """What makes methods of the function called `name`."""
    if name in BINARY:
        return _binary(BINARY[name])
    return SPECIAL.get(name) or _named(name)
