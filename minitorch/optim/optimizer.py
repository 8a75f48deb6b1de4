"""Optimizer: parameters in groups, each with options; a state for each parameter; a step that changes them."""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import Any, TypeVar, overload

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.node import RemovableHandle
from minitorch.autograd.scope import enable_grad
from minitorch.autograd.tensor_base import TensorBase
from minitorch.autograd.version import find, version_of, writing
from minitorch.backend import device_of, is_array, keep_freed_memory, moved, xp
from minitorch.optim._scratch import Scratch
from minitorch.types import Shape

Result = TypeVar("Result")
Group = dict[str, Any]
Parameters = Iterable[Tensor | tuple[str, Tensor] | Group]
"""Parameters as an optimiser takes them: Tensors, (name, Tensor) pairs, or a dict for each group."""

StepHook = Callable[..., Any]
"""hook(optimizer, args, kwargs)"""

Moving = tuple[np.ndarray, np.ndarray, dict[str, Any], tuple[np.ndarray, np.ndarray]]


class Optimizer:
    """The base of all optimisers.

    params: the Tensors to change, or (name, Tensor) pairs, or dicts, one for each group: {"params": …, "lr": 0.1}.
    defaults: the options of groups that do not say otherwise.

    A subclass says how one group is changed, in `_update(group)`; or it writes a `step` of its own, which the hooks of
    a step are called around all the same.
    `param_groups` is a list of dicts that may be changed between steps (a scheduler sets their "lr"); `state` maps each
    parameter to its dict of arrays and numbers.

    Raises ValueError for no parameters, the same one twice and one that is no leaf; TypeError for what is no Tensor.

    >>> class SignDescent(Optimizer):
    ...     def _update(self, group):
    ...         for param, grad, state, scratch in self._moving(group):
    ...             param -= group["lr"] * np.sign(grad)
    >>> w = Tensor([1.0, -1.0], requires_grad=True)
    >>> optimizer = SignDescent([w], {"lr": 0.25})
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([ 0.7500, -0.7500], requires_grad=True)
    """

    elementwise = False  # `_update` moves each number by itself, so that it may be given many parameters as one
    _stepping = False  # in a subclass's own step, which calls the hooks

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "step" in vars(cls):
            cls.step = _with_hooks(cls.step)  # type: ignore[method-assign]

    def __init__(self, params: Parameters, defaults: dict[str, Any]) -> None:
        self.defaults = defaults
        self.state: defaultdict[Tensor, dict[str, Any]] = defaultdict(dict)
        self.param_groups: list[Group] = []
        self._scratch = Scratch()
        self._before_step: dict[int, StepHook] = {}
        self._after_step: dict[int, StepHook] = {}
        self._step_name = f"{self._name}.step"
        self._stepped = False  # asked by schedulers, which are to step after the optimiser
        self._require_options(defaults)
        if isinstance(params, (TensorBase, dict, str)) or not isinstance(params, Iterable):
            raise TypeError(
                f"{self._name}: params is a {type(params).__name__}, not a list of Tensors or dicts: "
                f"write model.parameters() or put it into a list"
            )
        entries: list[Any] = list(params)
        if not entries:
            raise ValueError(
                f"{self._name}: the list of parameters is empty: was an iterator used up before? And does the model "
                f"hold its layers in a ModuleList, which registers them, and not in a plain list?"
            )
        for group in entries if isinstance(entries[0], dict) else [{"params": entries}]:
            self.add_param_group(group)
        keep_freed_memory()

    def add_param_group(self, param_group: Group) -> None:
        """One more group: {"params": Tensors, and options that differ from the defaults}.

        Raises as the constructor does.

        >>> from minitorch.optim import SGD
        >>> w, b = Tensor([1.0], requires_grad=True), Tensor([0.0], requires_grad=True)
        >>> optimizer = SGD([w], lr=0.1)
        >>> optimizer.add_param_group({"params": [b], "lr": 0.2})
        >>> [group["lr"] for group in optimizer.param_groups]
        [0.1, 0.2]
        """
        if not isinstance(param_group, dict) or "params" not in param_group:
            raise TypeError(
                f'{self._name}: a group is a dict with "params" and options, not {_shortly(param_group)}: '
                f"put every parameter into a group, or none"
            )
        params: Any = param_group["params"]
        if isinstance(params, (set, frozenset)):
            raise TypeError(f"{self._name}: a set of parameters has no order to save their state by: use a list")
        entries: list[Any] = [params] if isinstance(params, TensorBase) else list(params)
        names = [entry[0] for entry in entries if isinstance(entry, tuple) and len(entry) == 2]
        if names and len(names) != len(entries):
            raise ValueError(f"{self._name}: {len(names)} of {len(entries)} parameters have a name: name all or none")
        tensors = [entry[1] for entry in entries] if names else entries
        self._require_parameters(tensors)
        group = {**self.defaults, **param_group, "params": tensors}
        if names:
            group["param_names"] = names
        if any(("param_names" in other) != ("param_names" in group) for other in self.param_groups):
            raise ValueError(
                f"{self._name}: some groups have names for their parameters and some do not: name all or none"
            )
        self._require_options(group)
        self.param_groups.append(group)

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forgets the gradients of all parameters: None, or zeros with set_to_none=False.

        A parameter whose gradient is None is left alone by `step`; one with a gradient of zeros may still move.
        """
        for group in self.param_groups:
            for param in group["params"]:
                node = param._node
                if node is not None and node.grad is not None:
                    node.grad = None if set_to_none else xp(param).zeros_like(param._data)

    @overload
    def step(self, closure: None = None) -> None: ...
    @overload
    def step(self, closure: Callable[[], Result]) -> Result: ...
    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Changes every parameter that has a gradient, in place. Returns closure(), which is called first, or None.

        closure: computes the loss anew, with gradients, and returns it. A loss that was computed before the step is
        one of other parameters: its backward() raises RuntimeError then, if it needs their numbers.
        """
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        self._stepped = True
        self._call_hooks(self._before_step, (closure,), {})
        for group in self.param_groups:
            try:
                self._update(group)
            except TypeError:
                self._require_state_beside(group)
                raise
        self._call_hooks(self._after_step, (closure,), {})
        return loss

    def _call_hooks(self, hooks: dict[int, StepHook], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        if not self._stepping:
            for hook in list(hooks.values()):
                hook(self, args, kwargs)

    def register_step_pre_hook(self, hook: StepHook) -> RemovableHandle:
        """Calls hook(optimizer, args, kwargs) in every step before a parameter is changed; its gradient is there.

        What it returns changes nothing. The result's remove() takes it away.
        """
        return RemovableHandle(self._before_step, hook)

    def register_step_post_hook(self, hook: StepHook) -> RemovableHandle:
        """Calls hook(optimizer, args, kwargs) at the end of every step.

        >>> from minitorch.optim import SGD
        >>> optimizer = SGD([Tensor([1.0], requires_grad=True)], lr=0.1)
        >>> handle = optimizer.register_step_post_hook(lambda optimizer, args, kwargs: print("a step"))
        >>> optimizer.step()
        a step
        >>> handle.remove()
        >>> optimizer.step()
        """
        return RemovableHandle(self._after_step, hook)

    def state_dict(self) -> dict[str, Any]:
        """{"state": {number of the parameter: its state}, "param_groups": [options and "params": [0, 1, …]]}.

        Parameters are numbered through all groups. The arrays are those that the next step changes: copy what is to
        stay as it is (copy.deepcopy).

        >>> from minitorch.optim import SGD
        >>> w = Tensor([1.0], requires_grad=True)
        >>> optimizer = SGD([w], lr=0.1, momentum=0.9)
        >>> w.sum().backward()
        >>> optimizer.step()
        >>> optimizer.state_dict()["state"]
        {0: {'momentum_buffer': array([1.], dtype=float32)}}
        """
        numbers = {param: number for number, param in enumerate(self._parameters())}
        groups = [{**group, "params": [numbers[param] for param in group["params"]]} for group in self.param_groups]
        return {"state": {numbers[param]: dict(state) for param, state in self.state.items()}, "param_groups": groups}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Takes over what `state_dict()` gave, here or in PyTorch: copies, in each parameter's dtype and device.

        Parameters are matched by their order. Make schedulers first: they set the learning rates that are loaded here.

        Raises ValueError, and changes nothing, if the groups, their sizes or the shapes of arrays are different.
        """
        if "state" not in state_dict or "param_groups" not in state_dict:
            raise ValueError(
                f"{self._name}.load_state_dict: there is no {'param_groups' if 'state' in state_dict else 'state'!r} "
                f"in it: pass what an optimizer's state_dict() gave"
            )
        groups, saved = self.param_groups, copy.deepcopy(state_dict["param_groups"])
        if len(groups) != len(saved):
            raise ValueError(
                f"{self._name}.load_state_dict: {len(saved)} parameter groups are saved, but the optimizer has "
                f"{len(groups)}: make it with the same groups"
            )
        for number, (group, other) in enumerate(zip(groups, saved, strict=True)):
            if len(group["params"]) != len(other["params"]):
                raise ValueError(
                    f"{self._name}.load_state_dict: group {number} has {len(other['params'])} parameters saved, but "
                    f"{len(group['params'])} in the optimizer: make it with the parameters of the same model"
                )
            missing = [option for option in self.defaults if option not in other]
            if missing:
                raise ValueError(
                    f"{self._name}.load_state_dict: group {number} is saved without {missing[0]}: "
                    f"was it saved by another kind of optimizer?"
                )
        numbers = [number for group in saved for number in group["params"]]
        owners = dict(zip(numbers, self._parameters(), strict=True))
        state: defaultdict[Tensor, dict[str, Any]] = defaultdict(dict)
        for number, values in state_dict["state"].items():
            if number not in owners:
                raise ValueError(
                    f"{self._name}.load_state_dict: there is a state for parameter {number!r}, but the groups name "
                    f"parameters 0 to {len(numbers) - 1}: was the file changed?"
                )
            for key, value in values.items():
                state[owners[number]][key] = self._fitting(owners[number], number, key, value)
        names = [{"param_names": group["param_names"]} if "param_names" in group else {} for group in groups]
        self.param_groups = [
            {**named, **other, "params": group["params"]}
            for named, other, group in zip(names, saved, groups, strict=True)
        ]
        self.state = state

    def __repr__(self) -> str:
        lines = [f"{self._name} ("]
        for number, group in enumerate(self.param_groups):
            lines.append(f"Parameter Group {number}")
            lines += [f"    {key}: {group[key]}" for key in sorted(group) if key != "params"]
        return "\n".join([*lines, ")"])

    # -- for subclasses ----------------------------------------------------------------------------------------------

    def _update(self, group: Group) -> None:
        """Changes the parameters of one group in place."""
        raise NotImplementedError(f"{self._name} has no _update(group): write it, or a step() of its own")

    def _moving(self, group: Group) -> Iterator[Moving]:
        """(parameter, gradient, state, two scratch arrays) for each parameter that has a gradient; all on plain arrays.

        The gradient may be read-only, or somebody else's: it is never written into.
        """
        state, scratch, version = self.state, self._scratch.like, find
        written = writing(self._step_name)
        for param in group["params"]:
            node = param._node
            grad = None if node is None else node.grad
            if grad is None:
                continue
            if type(grad) is not np.ndarray and isinstance(grad, TensorBase):  # after create_graph=True
                grad = grad._data
            data = param._data
            (version(id(data)) or version_of(data)).written = written
            yield data, grad, state[param], scratch(data)

    def _require_options(self, options: dict[str, Any]) -> None:
        """Raises ValueError for options that make no sense. Asked for the defaults and for each group."""

    def _require_at_least_zero(self, options: dict[str, Any], *names: str) -> None:
        for name in names:
            if isinstance(options[name], str) or options[name] is None:
                raise TypeError(f"{self._name}: {name} must be a number, not {options[name]!r}")
            if not options[name] >= 0:  # nan is refused, too
                raise ValueError(f"{self._name}: {name} must be 0 or more, not {options[name]}")

    # ----------------------------------------------------------------------------------------------------------------

    @property
    def _name(self) -> str:
        return type(self).__name__

    def _parameters(self) -> Iterator[Tensor]:
        return (param for group in self.param_groups for param in group["params"])

    def _require_parameters(self, tensors: list[Any]) -> None:
        """Raises TypeError for what is no Tensor, ValueError for what is no leaf or given twice."""
        known = set(self._parameters())
        for place, tensor in enumerate(tensors):
            if not isinstance(tensor, Tensor):
                raise TypeError(
                    f"{self._name}: parameter {place} is a {type(tensor).__name__}, not a Tensor: "
                    f"write model.parameters() for those of a model"
                )
            if not tensor.is_leaf:
                raise ValueError(
                    f"{self._name}: parameter {place} of shape {tensor.shape} is no leaf but the result of "
                    f"{tensor._op}: give the Tensor that it was computed from, or make it a leaf, as in "
                    f"w = w.detach().requires_grad_()"
                )
            if tensor in known:
                raise ValueError(
                    f"{self._name}: parameter {place} of shape {tensor.shape} is given twice, and would be changed "
                    f"twice in each step: give it once"
                )
            known.add(tensor)

    def _require_state_beside(self, group: Group) -> None:
        """Raises RuntimeError for a parameter that was moved to another device after the first step."""
        for param in group["params"]:
            for key, value in self.state.get(param, {}).items():
                if is_array(value) and device_of(value) != device_of(param._data):
                    raise RuntimeError(
                        f"{self._name}: a parameter of shape {param.shape} is on {device_of(param._data)}, but its "
                        f"{key} is on {device_of(value)}: move the model before the first step, or let its state "
                        f"follow with optimizer.load_state_dict(optimizer.state_dict())"
                    ) from None

    def _fitting(self, param: Tensor, number: Any, key: str, value: Any) -> Any:
        """A saved value as this parameter's: a copy of an array in its dtype and on its device; "step" as a number."""
        if key == "step":
            return int(value)
        if isinstance(value, TensorBase):
            value = value._data
        if not is_array(value) and not hasattr(value, "__array__"):
            return value
        array: np.ndarray = moved(value if is_array(value) else np.asarray(value), device_of(param._data))
        array = xp(array).array(array, dtype=param._data.dtype)
        if array.shape != self._shape_of(param, key):
            raise ValueError(
                f"{self._name}.load_state_dict: {key} of parameter {number} is saved with shape {array.shape}, but the "
                f"parameter has shape {param.shape}: was it saved for another model?"
            )
        return array

    def _shape_of(self, param: Tensor, key: str) -> Shape:  # noqa: ARG002
        """The shape of what is kept for a parameter under this name: nearly always its own."""
        return param.shape


def _with_hooks(step: Callable[..., Any]) -> Callable[..., Any]:
    """A subclass's own step with the hooks around it, once each, though it may call the step of its base."""

    @wraps(step)
    def stepped(self: Optimizer, *args: Any, **kwargs: Any) -> Any:
        if self._stepping:
            return step(self, *args, **kwargs)
        self._call_hooks(self._before_step, args, kwargs)
        self._stepping = True
        try:
            result = step(self, *args, **kwargs)
        finally:
            self._stepping = False
        self._stepped = True
        self._call_hooks(self._after_step, args, kwargs)
        return result

    return stepped


def descent(param: np.ndarray, grad: np.ndarray, group: Group, room: np.ndarray) -> np.ndarray:
    """Return the direction that a step goes against: ∇ + weight_decay · θ, -∇ for maximize; else `grad` itself."""
    weight_decay, maximize = group["weight_decay"], group["maximize"]
    if weight_decay:
        np.multiply(param, weight_decay, out=room)
        (np.subtract if maximize else np.add)(room, grad, out=room)
        return room
    return np.negative(grad, out=room) if maximize else grad


def move_square(square: np.ndarray, grad: np.ndarray, beta: float, room: np.ndarray) -> None:
    """Let a running average of squares follow: v = β · v + (1 - β) · g², computed in `room`."""
    square *= beta
    np.multiply(grad, grad, out=room)
    room *= 1 - beta
    square += room


def ignored(name: str, options: dict[str, Any]) -> None:
    """Lets PyTorch's choices of kernels pass: foreach, fused and capturable change no number.

    Raises TypeError for an option that is not known, ValueError for differentiable=True.
    """
    unknown = sorted(set(options) - {"foreach", "fused", "capturable", "differentiable"})
    if unknown:
        raise TypeError(f"{name}: there is no option {unknown[0]!r}")
    if options.get("differentiable"):
        raise ValueError(f"{name}: a step is not recorded: compute param - lr * grad yourself to differentiate it")


def _shortly(value: Any) -> str:
    return f"a dict with {', '.join(map(repr, value))}" if isinstance(value, dict) else f"a {type(value).__name__}"
