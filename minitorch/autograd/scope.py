"""Scope: the settings of the code that is running, such as recording and the default float.

One ContextVar holds one immutable `Scope`, so that every thread and every async task has its own.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from contextvars import ContextVar, Token
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np

from minitorch.default_generator import DefaultGenerator

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Scope:
    """Settings of a thread or task.

    grad_enabled: operations are recorded. default_dtype: the float that lists and Python numbers become.

    watchers: functions of (name, arguments, result, slots of the operands among the arguments) that are told of every
    operation, and by their methods, if they have them, of what `announce` says (`arrived`), of changes in place that
    are not recorded (`wrote`) and of backward passes (backward_observer.py); None for nobody.
    anomaly: a function of (node, slot, upstream gradient, contribution) that inspects each contribution of a backward
    pass, or None. random: where random numbers come from. kept: what packages above keep for this thread or task, each
    by a key of its own; it is replaced, never changed.
    """

    grad_enabled: bool = True
    default_dtype: np.dtype[Any] = np.dtype(np.float32)  # noqa: RUF009 (a dtype never changes)
    watchers: tuple[Callable[..., None], ...] | None = None
    anomaly: Callable[[Any, int, Any, Any], None] | None = None
    random: DefaultGenerator = DefaultGenerator()  # noqa: RUF009 (shared by all threads, as one sequence of numbers)
    kept: Mapping[Any, Any] = field(default_factory=dict)


_scope: ContextVar[Scope] = ContextVar("minitorch_scope", default=Scope())  # noqa: B039 (a Scope never changes)
current_scope = _scope.get


def change(**fields: Any) -> None:
    """Change the Scope for the code of this thread or task that follows, until the block around it ends."""
    _scope.set(replace(_scope.get(), **fields))


def keep(key: Any, value: Any) -> None:
    """Keep a value by its key for the code of this thread or task that follows, until the block around it ends."""
    change(kept={**_scope.get().kept, key: value})


class Scoped:
    """A context manager and decorator that changes the Scope. A class: `@contextmanager` costs four times as much."""

    __slots__ = ("_tokens",)

    def __init__(self) -> None:
        self._tokens: list[Token[Scope]] = []  # a stack: the same instance may be entered twice

    def changed(self, scope: Scope) -> Scope:
        """Return the Scope inside, made from the one outside."""
        raise NotImplementedError

    def again(self) -> Scoped:
        """Return a fresh manager of the same kind, for one call of a decorated function."""
        return type(self)()

    def __enter__(self) -> None:
        self._tokens.append(_scope.set(self.changed(_scope.get())))

    def __exit__(self, *exc_info: Any) -> None:
        _scope.reset(self._tokens.pop())

    def __call__(self, function: F) -> F:
        """Decorate a function or a coroutine. Raises TypeError for a generator, which outlives the call."""
        if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
            raise TypeError(
                f"{type(self).__name__} cannot decorate the generator {function.__name__}: "
                f"write `with {type(self).__name__}():` inside it"
            )
        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def scoped_coroutine(*args: Any, **kwargs: Any) -> Any:
                with self.again():
                    return await function(*args, **kwargs)

            return scoped_coroutine  # type: ignore[return-value]

        @functools.wraps(function)
        def scoped(*args: Any, **kwargs: Any) -> Any:
            with self.again():
                return function(*args, **kwargs)

        return scoped  # type: ignore[return-value]


class _GradMode(Scoped):
    """Sets `grad_enabled`. `@no_grad` without parentheses decorates too, as PyTorch allows."""

    grad_enabled = True

    def __new__(cls, function: Any = None) -> Any:
        """Return a manager; or, given a function, that function decorated."""
        manager = super().__new__(cls)
        if function is None or isinstance(function, bool):
            return manager
        manager.__init__()  # type: ignore[misc]
        return manager(function)

    def __init__(self, _function: Any = None) -> None:
        super().__init__()

    def changed(self, scope: Scope) -> Scope:
        """Return the same Scope, recording or not."""
        return replace(scope, grad_enabled=self.grad_enabled)


class SetAtOnce(Scoped):
    """Changes the Scope as told by `mode`: at once when it is made, until the block that it opens ends."""

    __slots__ = ("mode",)

    def __init__(self, mode: bool) -> None:
        super().__init__()
        self.mode = bool(mode)
        super().__enter__()

    def __enter__(self) -> None:
        """Change nothing: it is in force since it was made."""

    def again(self) -> Scoped:
        """Return a fresh manager with the same mode."""
        return type(self)(self.mode)

    def __call__(self, function: F) -> F:
        """Decorate a function, and change nothing else."""
        super().__exit__()
        return super().__call__(function)


class no_grad(_GradMode):  # noqa: N801 (PyTorch's name)
    """Record nothing inside: results are constants. Context manager and decorator, per thread and task.

    >>> from minitorch import Tensor, no_grad
    >>> x = Tensor(3.0, requires_grad=True)
    >>> with no_grad():
    ...     y = x * x
    >>> y.requires_grad
    False
    """

    grad_enabled = False


class enable_grad(_GradMode):  # noqa: N801 (PyTorch's name)
    """Record again inside a `no_grad` block.

    >>> from minitorch import Tensor, enable_grad, no_grad
    >>> x = Tensor(3.0, requires_grad=True)
    >>> with no_grad(), enable_grad():
    ...     y = x * x
    >>> y.requires_grad
    True
    """

    grad_enabled = True


class inference_mode(_GradMode):  # noqa: N801 (PyTorch's name)
    """Record nothing inside, as under `no_grad`; here the two are the same, for constants carry no bookkeeping.

    mode: False records again.

    >>> from minitorch import Tensor, inference_mode
    >>> x = Tensor(3.0, requires_grad=True)
    >>> with inference_mode():
    ...     y = x * x
    >>> y.requires_grad
    False
    """

    def __new__(cls, mode: Any = True) -> Any:
        """Return a manager; or, given a function, that function decorated."""
        return super().__new__(cls, mode)

    def __init__(self, mode: bool = True) -> None:
        super().__init__()
        self.mode = mode
        self.grad_enabled = not mode

    def again(self) -> Scoped:
        """Return a fresh manager with the same mode."""
        return inference_mode(self.mode)


class set_grad_enabled(SetAtOnce):  # noqa: N801 (PyTorch's name)
    """Record or not, as told: at once when called, until the block that it opens ends.

    >>> from minitorch import Tensor, set_grad_enabled
    >>> x = Tensor(3.0, requires_grad=True)
    >>> with set_grad_enabled(False):
    ...     y = x * x
    >>> y.requires_grad
    False
    """

    def changed(self, scope: Scope) -> Scope:
        """Return the same Scope, recording or not."""
        return replace(scope, grad_enabled=self.mode)


def announce(tensor: Any, former: Any = None) -> None:
    """Tell the watchers of a node that no call of an operation made.

    former: the result whose values and history `tensor` has taken over, for a change in place.
    """
    for watch in _scope.get().watchers or ():
        arrived = getattr(watch, "arrived", None)
        if arrived is not None:
            arrived(tensor, former)


def is_grad_enabled() -> bool:
    """Return True where operations are recorded."""
    return _scope.get().grad_enabled


def get_default_dtype() -> np.dtype[Any]:
    """Return the float that lists and Python numbers become: float32 unless set."""
    return _scope.get().default_dtype


def set_default_dtype(dtype: Any) -> None:
    """Set the float that lists and Python numbers become, for this thread or task.

    Raises TypeError when `dtype` is not a floating dtype.
    """
    dtype = np.dtype(dtype)
    if dtype.kind != "f":
        raise TypeError(f"the default dtype must be a float such as float32 or float64, not {dtype}")
    change(default_dtype=dtype)
