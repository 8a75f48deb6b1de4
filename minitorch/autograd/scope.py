"""The ambient settings of the code that is running: is the graph recorded, and which float is the default.

One ContextVar holds one immutable `Scope`, so that every thread and every async task has its own.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from contextvars import ContextVar, Token
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Scope:
    """grad_enabled: operations are recorded. default_dtype: the float that lists and Python numbers become."""

    grad_enabled: bool = True
    default_dtype: np.dtype[Any] = np.dtype(np.float32)  # noqa: RUF009 (a dtype never changes)


_scope: ContextVar[Scope] = ContextVar("minitorch_scope", default=Scope())  # noqa: B039 (a Scope never changes)
current_scope = _scope.get


class _GradMode:
    """A context manager and decorator that sets `grad_enabled`. A class: `@contextmanager` costs four times as much."""

    __slots__ = ("_tokens",)

    grad_enabled: bool

    def __init__(self) -> None:
        self._tokens: list[Token[Scope]] = []  # a stack: the same instance may be entered twice

    def __enter__(self) -> None:
        self._tokens.append(_scope.set(replace(_scope.get(), grad_enabled=self.grad_enabled)))

    def __exit__(self, *exc_info: object) -> None:
        _scope.reset(self._tokens.pop())

    def __call__(self, function: F) -> F:
        if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
            raise TypeError(
                f"{type(self).__name__} cannot decorate the generator {function.__name__}: "
                f"write `with {type(self).__name__}():` inside it"
            )
        mode = type(self)
        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def scoped_coroutine(*args: Any, **kwargs: Any) -> Any:
                with mode():
                    return await function(*args, **kwargs)

            return scoped_coroutine  # type: ignore[return-value]

        @functools.wraps(function)
        def scoped(*args: Any, **kwargs: Any) -> Any:
            with mode():
                return function(*args, **kwargs)

        return scoped  # type: ignore[return-value]


class no_grad(_GradMode):  # noqa: N801 (PyTorch's name)
    """Nothing is recorded inside: results are constants. Context manager and decorator, per thread and task.

    >>> from minitorch import Tensor, no_grad
    >>> x = Tensor(3.0, requires_grad=True)
    >>> with no_grad():
    ...     y = x * x
    >>> y.requires_grad
    False
    """

    grad_enabled = False


class enable_grad(_GradMode):  # noqa: N801 (PyTorch's name)
    """Records again inside a `no_grad` block.

    >>> from minitorch import Tensor, enable_grad, no_grad
    >>> x = Tensor(3.0, requires_grad=True)
    >>> with no_grad(), enable_grad():
    ...     y = x * x
    >>> y.requires_grad
    True
    """

    grad_enabled = True


def is_grad_enabled() -> bool:
    """True where operations are recorded."""
    return _scope.get().grad_enabled


def get_default_dtype() -> np.dtype[Any]:
    """The float that lists and Python numbers become: float32 unless set."""
    return _scope.get().default_dtype


def set_default_dtype(dtype: Any) -> None:
    """Sets the float that lists and Python numbers become, for this thread or task.

    Raises TypeError when `dtype` is not a floating dtype.
    """
    dtype = np.dtype(dtype)
    if dtype.kind != "f":
        raise TypeError(f"the default dtype must be a float such as float32 or float64, not {dtype}")
    _scope.set(replace(_scope.get(), default_dtype=dtype))
