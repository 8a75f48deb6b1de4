"""NumPy's names for PyTorch's parameters."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar, cast

from minitorch.autograd.operation import ALIASES

F = TypeVar("F", bound=Callable[..., Any])


def accepts_numpy_names(function: F) -> F:
    """Lets a function of `dim` and `keepdim` be called with `axis` and `keepdims` too, as every primitive can be."""

    @functools.wraps(function)
    def either(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **{ALIASES.get(key, key): value for key, value in kwargs.items()})

    return cast("F", either)
