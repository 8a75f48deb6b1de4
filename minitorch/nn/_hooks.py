"""The hooks of a module's calls as the module keeps them: objects, which are copied and pickled with it."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from minitorch.nn.module import Module


class Before:
    """A hook that is called before `forward` and may change what it is given."""

    __slots__ = ("_hook", "_with_kwargs")

    def __init__(self, hook: Callable[..., Any], with_kwargs: bool) -> None:
        self._hook = hook
        self._with_kwargs = with_kwargs

    def __call__(self, module: Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], Any]:
        """What `forward` is to be given."""
        if not self._with_kwargs:
            given = self._hook(module, args)
            return (args if given is None else given if isinstance(given, tuple) else (given,)), kwargs
        both = self._hook(module, args, kwargs)
        if both is None:
            return args, kwargs
        if not isinstance(both, tuple) or len(both) != 2:
            raise TypeError(
                f"{type(module).__name__}: a forward pre-hook with kwargs returns (args, kwargs) or None, "
                f"not a {type(both).__name__}"
            )
        return both


class After:
    """A hook that is called after `forward` and may return another output. always: after an exception too."""

    __slots__ = ("_hook", "_with_kwargs", "always")

    def __init__(self, hook: Callable[..., Any], with_kwargs: bool, always: bool) -> None:
        self._hook = hook
        self._with_kwargs = with_kwargs
        self.always = always

    def __call__(self, module: Module, args: tuple[Any, ...], kwargs: dict[str, Any], output: Any) -> Any:
        """Another output, or None."""
        return self._hook(module, args, kwargs, output) if self._with_kwargs else self._hook(module, args, output)


def called(
    module: Module, args: tuple[Any, ...], kwargs: dict[str, Any], before: Mapping[int, Any], after: Mapping[int, Any]
) -> Any:
    """`module.forward(*args, **kwargs)` between hooks. After an exception those that are always called come, with None.

    Raises what `forward` or a hook raises; what a hook raises after an exception is a warning.
    """
    heard: set[int] = set()
    try:
        for hook in list(before.values()):
            args, kwargs = hook(module, args, kwargs)
        output = module.forward(*args, **kwargs)
        for key, hook in list(after.items()):
            heard.add(key)
            replacement = hook(module, args, kwargs, output)
            output = output if replacement is None else replacement
    except Exception:
        for key, hook in list(after.items()):
            if hook.always and key not in heard:
                _last_words(hook, module, args, kwargs)
        raise
    return output


def _last_words(hook: After, module: Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    try:
        hook(module, args, kwargs, None)
    except Exception as error:  # noqa: BLE001 (the other exception is the one to be seen)
        warnings.warn(
            f"{type(module).__name__}: a forward hook with always_call=True raised {error!r} after another exception",
            stacklevel=4,
        )
