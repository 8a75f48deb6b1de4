"""Functions that differ from another in the number of axes alone, as conv1d and conv3d from conv2d."""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, TypeVar, overload

__all__ = ["with_axes"]

Function = TypeVar("Function", bound=Callable[..., Any])
P = ParamSpec("P")
R = TypeVar("R")


@overload
def with_axes(
    axes: int, general: Callable[Concatenate[str, int, P], R]
) -> Callable[[Callable[[], None]], Callable[P, R]]: ...
@overload
def with_axes(axes: int, general: Callable[..., Any], like: Function) -> Callable[[Callable[[], None]], Function]: ...
def with_axes(axes: int, general: Any, like: Any = None) -> Any:  # noqa: ARG001 (for type checkers)
    """Return a decorator that gives a function, of which the name and the docstring are written, parameters and body.

    general: called with the name, the number of axes and the arguments. like: for type checkers, a function of the
    same parameters that has overloads.
    """
    signature = inspect.signature(general)
    signature = signature.replace(parameters=list(signature.parameters.values())[2:])

    def decorated(declared: Callable[[], None]) -> Any:
        name = declared.__name__
        # A copy of that name: Python's TypeErrors say it.
        body = types.FunctionType(general.__code__, general.__globals__, name, general.__defaults__)
        body.__qualname__ = name

        def call(*arguments: Any, **options: Any) -> Any:
            return body(name, axes, *arguments, **options)

        # Tracebacks and the replay ask the code for its name, and doctest the globals for the module.
        code = call.__code__.replace(co_name=name)
        function: Any = types.FunctionType(code, declared.__globals__, name, None, call.__closure__)
        functools.update_wrapper(function, declared)
        function.__signature__ = signature
        function.__annotations__ = {k: v for k, v in general.__annotations__.items() if k not in ("name", "axes")}
        return function

    return decorated
