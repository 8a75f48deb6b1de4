"""Hooks of a module: functions that are called before and after `forward`, and as gradients come back through it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from minitorch._tensor import Tensor
from minitorch.autograd.function import Function
from minitorch.autograd.node import RemovableHandle
from minitorch.autograd.scope import is_grad_enabled
from minitorch.callers import warn
from minitorch.nn._module_base import ModuleBase

Hooks = dict[int, Callable[..., Any]]


class HookMixin(ModuleBase):
    """The part of a Module that has hooks."""

    _forward_hooks: Hooks
    _forward_pre_hooks: Hooks
    _backward_hooks: Hooks
    _backward_pre_hooks: Hooks

    def __init__(self) -> None:
        super().__init__()
        self._forward_hooks = {}
        self._forward_pre_hooks = {}
        self._backward_hooks = {}
        self._backward_pre_hooks = {}

    def __getstate__(self) -> dict[str, Any]:
        """Return the state, without the hooks that stay behind when a module is copied: those of a recording."""
        state = super().__getstate__()
        for kind in ("_forward_hooks", "_forward_pre_hooks"):
            hooks = state.get(kind, {})
            going = {key: each for key, each in hooks.items() if not getattr(each.hook, "stays_behind", False)}
            if len(going) < len(hooks):
                state[kind] = going
        return state

    def register_forward_pre_hook(
        self, hook: Callable[..., Any], *, prepend: bool = False, with_kwargs: bool = False
    ) -> RemovableHandle:
        """Calls hook(module, args) before every `forward`; what it returns, if anything, becomes the arguments.

        with_kwargs: the hook is called with (module, args, kwargs) and returns both or None. prepend: it comes before
        those that are registered already.
        """
        return RemovableHandle(self._forward_pre_hooks, _Before(hook, with_kwargs), prepend)

    def register_forward_hook(
        self,
        hook: Callable[..., Any],
        *,
        prepend: bool = False,
        with_kwargs: bool = False,
        always_call: bool = False,
    ) -> RemovableHandle:
        """Calls hook(module, args, output) after every `forward`; what it returns, if anything, becomes the output.

        with_kwargs: the hook is called with (module, args, kwargs, output). prepend: it comes before those that are
        registered already. always_call: it is called after a `forward` that raised, too, with None for the output.

        >>> from minitorch.nn import Sequential
        >>> model = Sequential()
        >>> with model.register_forward_hook(lambda module, args, output: output + 1):
        ...     model(Tensor([1.0, 2.0]))
        tensor([2., 3.])
        """
        return RemovableHandle(self._forward_hooks, _After(hook, with_kwargs, always_call), prepend)

    def register_full_backward_pre_hook(self, hook: Callable[..., Any], prepend: bool = False) -> RemovableHandle:
        """Calls hook(module, grad_output) when the gradients of the module's outputs are there.

        grad_output: a tuple of Tensors, None for an output without gradient. What the hook returns, if anything, goes
        on in its place. prepend: it comes before those that are registered already.
        """
        return RemovableHandle(self._backward_pre_hooks, hook, prepend)

    def register_full_backward_hook(self, hook: Callable[..., Any], prepend: bool = False) -> RemovableHandle:
        """Calls hook(module, grad_input, grad_output) when the gradients of the module's inputs are there.

        grad_input, grad_output: tuples of Tensors, as a Function's backward gets them: zeros where no gradient arrives,
        None for what is no Tensor and for a constant output; arguments by name have no place. What the hook returns, if
        anything, goes on in the place of grad_input. Where no input requires grad, it is called when the gradients of
        the outputs are there. prepend: it comes before those that are registered already.

        >>> from minitorch.nn import Linear
        >>> model = Linear(2, 1)
        >>> def seen(module, grad_input, grad_output):
        ...     print(grad_output[0], grad_input[0].shape)
        >>> with model.register_full_backward_hook(seen):
        ...     model(Tensor([[1.0, 2.0]], requires_grad=True)).sum().backward()
        tensor([[1.]]) (1, 2)
        """
        return RemovableHandle(self._backward_hooks, hook, prepend)

    def _between_hooks(self, forward: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """forward(*args, **kwargs), and every hook.

        Raises what `forward` or a hook raises; what a hook that is always called raises after that is a warning.
        """
        called: set[int] = set()
        try:
            for before in list(self._forward_pre_hooks.values()):
                args, kwargs = before(self, args, kwargs)
            backward_hooks = None
            if self._backward_hooks or self._backward_pre_hooks:
                backward_hooks = _BackwardHooks(self)
                args = backward_hooks.wrap_inputs(args)
            output = forward(*args, **kwargs)
            for key, after in list(self._forward_hooks.items()):
                called.add(key)
                replacement = after(self, args, kwargs, output)
                output = output if replacement is None else replacement
            return output if backward_hooks is None else backward_hooks.wrap_outputs(output)
        except Exception:
            for key, hook in list(self._forward_hooks.items()):
                if getattr(hook, "always_call", False) and key not in called:
                    _call_after_error(hook, self, args, kwargs)
            raise


def _call_after_error(
    hook: Callable[..., Any], module: HookMixin, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> None:
    try:
        hook(module, args, kwargs, None)
    except Exception as error:  # noqa: BLE001 (the other exception is the one to be seen)
        warn(f"{type(module).__name__}: a forward hook with always_call=True raised {error!r} after another exception")


class _Before:
    """A forward pre-hook, called in one way however it wants to be; it is copied and pickled with its module."""

    __slots__ = ("hook", "with_kwargs")

    def __init__(self, hook: Callable[..., Any], with_kwargs: bool) -> None:
        self.hook = hook
        self.with_kwargs = with_kwargs

    def __call__(self, module: HookMixin, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], Any]:
        """Return the arguments for `forward`."""
        if not self.with_kwargs:
            given = self.hook(module, args)
            return (args if given is None else given if isinstance(given, tuple) else (given,)), kwargs
        both = self.hook(module, args, kwargs)
        if both is None:
            return args, kwargs
        if not isinstance(both, tuple) or len(both) != 2:
            raise TypeError(
                f"{type(module).__name__}: a forward pre-hook with kwargs returns (args, kwargs) or None, "
                f"not a {type(both).__name__}"
            )
        return both


class _After:
    """A forward hook, called in one way however it wants to be."""

    __slots__ = ("always_call", "hook", "with_kwargs")

    def __init__(self, hook: Callable[..., Any], with_kwargs: bool, always_call: bool) -> None:
        self.hook = hook
        self.with_kwargs = with_kwargs
        self.always_call = always_call

    def __call__(self, module: HookMixin, args: tuple[Any, ...], kwargs: dict[str, Any], output: Any) -> Any:
        return self.hook(module, args, kwargs, output) if self.with_kwargs else self.hook(module, args, output)


class ModuleHook(Function):
    """The identity. Backward calls `on_gradients` with the gradients and passes on its result."""

    @staticmethod
    def forward(ctx: Any, on_gradients: Callable[..., Any], *tensors: Tensor) -> Any:
        """The Tensors as they are, and those that are constants stay constants."""
        ctx.on_gradients = on_gradients
        ctx.mark_non_differentiable(*[each for each in tensors if not each.requires_grad])
        return tensors

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        """Return what `on_gradients` returns for the gradients."""
        return (None, *ctx.on_gradients(gradients))


class _BackwardHooks:
    """Backward hooks in one call of a module: outputs and inputs pass a ModuleHook, which reports their gradients."""

    def __init__(self, module: HookMixin) -> None:
        self.module = module
        self.hooks = list(module._backward_hooks.values())
        self.pre_hooks = list(module._backward_pre_hooks.values())
        self.inputs: list[int] = []
        self.input_count = 0
        self.outputs: list[int] = []
        self.output_count = 0
        self.grad_output: tuple[Any, ...] | None = None

    def wrap_inputs(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the arguments, with the Tensors behind a ModuleHook."""
        self.input_count = len(args)
        tensors = [place for place, each in enumerate(args) if isinstance(each, Tensor)]
        self.inputs, behind = _behind_hook(args, tensors, self.on_input_gradients)
        return tuple(behind)

    def wrap_outputs(self, output: Any) -> Any:
        """Return the output, with its Tensors behind a ModuleHook."""
        several = isinstance(output, (tuple, list))
        if not several and not isinstance(output, Tensor):
            warn(
                f"{type(self.module).__name__}: backward hooks need a Tensor or a tuple of Tensors for an output, and "
                f"this is a {type(output).__name__}: they are not called"
            )
            return output
        outputs = output if several else (output,)
        self.output_count = len(outputs)
        taking = [place for place, each in enumerate(outputs) if isinstance(each, Tensor) and each.requires_grad]
        self.outputs, behind = _behind_hook(outputs, taking, self.on_output_gradients)
        if not several:
            return behind[0]
        return output._make(behind) if hasattr(output, "_make") else type(output)(behind)

    def on_output_gradients(self, gradients: Sequence[Any]) -> Sequence[Any]:
        """Call the pre-hooks with the gradients of all outputs and, where no input has a gradient, the hooks."""
        name = type(self.module).__name__
        grad_output = _with_none(self.outputs, gradients, self.output_count)
        for hook in self.pre_hooks:
            changed = hook(self.module, grad_output)
            grad_output = grad_output if changed is None else _as_many(name, "grad_output", changed, grad_output)
        if self.inputs:
            self.grad_output = grad_output
        else:
            nothing = (None,) * self.input_count
            for hook in self.hooks:
                changed = hook(self.module, nothing, grad_output)
                if changed is not None and any(each is not None for each in changed):
                    raise RuntimeError(f"{name}: no input requires grad, so a backward hook has no gradient to replace")
        return [grad_output[place] for place in self.outputs]

    def on_input_gradients(self, gradients: Sequence[Any]) -> Sequence[Any]:
        """Call the hooks with the gradients of all inputs."""
        if self.grad_output is None:  # they came to the inputs, but not by way of the outputs
            return gradients
        name = type(self.module).__name__
        grad_input = _with_none(self.inputs, gradients, self.input_count)
        for hook in self.hooks:
            changed = hook(self.module, grad_input, self.grad_output)
            grad_input = grad_input if changed is None else _as_many(name, "grad_input", changed, grad_input)
        self.grad_output = None
        return [grad_input[place] for place in self.inputs]


def _behind_hook(
    values: Sequence[Any], places: list[int], on_gradients: Callable[..., Any]
) -> tuple[list[int], list[Any]]:
    """Return the positions, none without gradients; and the values, those at the positions behind a ModuleHook."""
    behind = list(values)
    if not is_grad_enabled() or not any(behind[place].requires_grad for place in places):
        return [], behind
    made = ModuleHook.apply(on_gradients, *[behind[place] for place in places])
    for place, tensor in zip(places, made, strict=True):
        behind[place] = tensor
    return places, behind


def _with_none(places: Sequence[int], values: Sequence[Any], count: int) -> tuple[Any, ...]:
    row: list[Any] = [None] * count
    for place, value in zip(places, values, strict=True):
        row[place] = value
    return tuple(row)


def _as_many(name: str, what: str, changed: Any, wanted: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the result of a hook as a tuple. Raises RuntimeError unless it has an entry for each gradient."""
    row = tuple(changed) if isinstance(changed, (tuple, list)) else (changed,)
    if len(row) != len(wanted):
        raise RuntimeError(
            f"{name}: a backward hook returned {len(row)} gradients in the place of {what}, which has {len(wanted)}: "
            f"return one for each, None where there is none"
        )
    return row
