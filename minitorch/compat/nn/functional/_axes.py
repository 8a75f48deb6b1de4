"""Functions that differ from another in the number of axes alone, as conv1d and conv3d from conv2d."""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["with_axes"]

Function = TypeVar("Function", bound=Callable[..., Any])


def with_axes(axes: int, like: Function, general: Callable[..., Any]) -> Callable[[Callable[[], None]], Function]:
    """Return a decorator that gives a function, of which the name and the docstring are written, parameters and body.

    like: the function that has the same parameters and other axes. general: called with the name, the number of axes
    and the arguments.
    """

    def decorated(declared: Callable[[], None]) -> Function:
        name = declared.__name__

        def call(*arguments: Any, **options: Any) -> Any:
            return general(name, axes, *arguments, **options)

        # Tracebacks, doctest and the replay ask the code for its name and the globals for its module.
        code = call.__code__.replace(co_name=name)
        function: Any = types.FunctionType(code, declared.__globals__, name, None, call.__closure__)
        functools.update_wrapper(function, declared)
        function.__signature__ = inspect.signature(like)
        return function  # type: ignore[no-any-return]

    return decorated
