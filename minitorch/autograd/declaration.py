"""What an operation is: its forward, its gradient rules, and what each of them needs."""

from __future__ import annotations

import functools
import inspect
import itertools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from minitorch.autograd.scope import current_scope

if TYPE_CHECKING:
    from minitorch.tensor import Tensor

Rule = Callable[..., Any]
Fetch = Callable[[str], Callable[[Sequence[Any], Any], Any]]
Step = tuple[int, Callable[[Any, tuple[Any, ...]], Any]]

# NumPy's spellings of PyTorch's parameter names are accepted everywhere.
ALIASES = {"axis": "dim", "keepdims": "keepdim", "axes": "dims"}

_NO_VALUES: tuple[Any, ...] = ()


class Backward:
    """What one node does in the backward pass.

    name: the operation's tag. steps: (slot, function) pairs; function(g, saved) is the gradient of parent `slot`.
    keep: function(arguments, out) → the tuple of values that those functions need.
    """

    __slots__ = ("keep", "name", "steps")

    def __init__(self, name: str, rules: Sequence[tuple[int, Rule, tuple[str, ...]]], fetch: Fetch) -> None:
        kept = list(dict.fromkeys(itertools.chain.from_iterable(names for _, _, names in rules)))
        self.name = name
        self.keep = _keeper([fetch(label) for label in kept])
        self.steps: tuple[Step, ...] = tuple(
            (slot, _caller(rule, [kept.index(label) for label in names], len(kept))) for slot, rule, names in rules
        )


def _keeper(
    fetches: list[Callable[[Sequence[Any], Any], Any]],
) -> Callable[[Sequence[Any], Any], tuple[Any, ...]]:
    """One function that gathers the values to save. The short cases are spelled out: it runs once an operation."""
    match fetches:
        case []:
            return lambda arguments, out: _NO_VALUES
        case [one]:
            return lambda arguments, out: (one(arguments, out),)
        case [one, two]:
            return lambda arguments, out: (one(arguments, out), two(arguments, out))
    return lambda arguments, out: tuple([fetch(arguments, out) for fetch in fetches])


def _caller(rule: Rule, places: list[int], saved_count: int) -> Callable[[Any, tuple[Any, ...]], Any]:
    """rule(g, *its own values) as a function of (g, everything that the node saved)."""
    if places == list(range(saved_count)):
        return lambda g, saved: rule(g, *saved)
    match places:
        case []:
            return lambda g, saved: rule(g)
        case [one]:
            return lambda g, saved: rule(g, saved[one])
    return lambda g, saved: rule(g, *[saved[place] for place in places])


class Declaration:
    """Forward, rules and parameters of one operation.

    composed: for a fused operation, its twin written from elementary ones: the same values and gradients, slower.
    """

    def __init__(
        self,
        name: str,
        forward: Callable[..., Any],
        signature: inspect.Signature,
        composed: Callable[..., Tensor] | None,
    ) -> None:
        self.name = name
        self.forward = forward
        self.composed = composed
        self.variadic = any(p.kind is p.VAR_POSITIONAL for p in signature.parameters.values())
        self.labels = tuple(signature.parameters)
        self.defaults = tuple(p.default for p in signature.parameters.values())
        self.rules: dict[str, tuple[Rule, tuple[str, ...]]] = {}
        self.slots: tuple[int, ...] = ()
        self._backwards: dict[tuple[bool, ...], Backward] = {}
        self._plan_variadic = functools.lru_cache(maxsize=64)(self._plan_for_many)

    @property
    def saves(self) -> dict[str, tuple[str, ...]]:
        """For each differentiable argument, the names of what its rule keeps alive."""
        return {argument: names for argument, (_, names) in self.rules.items()}

    def add_rules(self, **rules: Rule) -> None:
        """Declares gradient rules, one per argument. Raises TypeError when a rule asks for what there is not."""
        for argument, rule in rules.items():
            if argument not in self.labels:
                raise TypeError(f"{self.name}: a gradient rule for {argument!r}, but the arguments are {self.labels}")
            names = tuple(inspect.signature(rule).parameters)[1:]
            for label in names:
                if label != "slot":
                    self._fetch(label)
            self.rules[argument] = (rule, names)
        self.slots = tuple(self.labels.index(argument) for argument in self.rules)
        if not self.variadic:
            for wanted in itertools.product((False, True), repeat=len(self.slots)):
                self._backwards[wanted] = self._plan(wanted)

    def backward(self, wanted: tuple[bool, ...]) -> Backward:
        """What a node does whose parents want gradients as told by `wanted`, one flag per differentiable slot."""
        return self._plan_variadic(wanted) if self.variadic else self._backwards[wanted]

    def _plan(self, wanted: tuple[bool, ...]) -> Backward:
        chosen = zip(range(len(wanted)), self.rules.values(), wanted, strict=True)
        return Backward(self.name, [(slot, rule, names) for slot, (rule, names), want in chosen if want], self._fetch)

    def _plan_for_many(self, wanted: tuple[bool, ...]) -> Backward:
        ((rule, names),) = self.rules.values()
        kept = tuple(label for label in names if label != "slot")
        bound = [(slot, functools.partial(rule, slot=slot), kept) for slot, want in enumerate(wanted) if want]
        return Backward(self.name, bound, self._fetch)

    def _fetch(self, label: str) -> Callable[[Sequence[Any], Any], Any]:
        """How to get the value that a rule calls `label` from (arguments, out)."""
        if label == "out":
            return lambda arguments, out: out
        if label == "out_shape":
            return lambda arguments, out: out.shape
        if label in self.labels:
            place = self.labels.index(label)
            return lambda arguments, out: arguments[place]
        argument = label.removesuffix("_shape")
        if argument != label and argument in self.labels:
            place = self.labels.index(argument)
            if self.variadic:
                return lambda arguments, out: tuple([np.shape(each) for each in arguments[place]])
            return lambda arguments, out: np.shape(arguments[place])
        raise TypeError(f"{self.name}: a gradient rule asks for {label!r}, which is neither an argument nor `out`")

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        """The arguments in the order of the signature, defaults filled in. Raises TypeError as a function would."""
        if len(args) > len(self.labels):
            raise TypeError(f"{self.name} takes at most {len(self.labels)} arguments ({len(args)} given)")
        bound = [*args, *self.defaults[len(args) :]]
        for key, value in kwargs.items():
            label = key if key in self.labels else ALIASES.get(key, key)
            if label not in self.labels:
                raise TypeError(f"{self.name} has no argument {key!r}; it takes {', '.join(self.labels)}")
            place = self.labels.index(label)
            if place < len(args):
                raise TypeError(f"{self.name} was given {label!r} twice")
            bound[place] = value
        for label, value in zip(self.labels, bound, strict=True):
            if value is inspect.Parameter.empty:
                raise TypeError(f"{self.name} needs the argument {label!r}")
        return bound

    def run(self, arguments: Sequence[Any]) -> np.ndarray:
        """The forward on plain arrays. Raises ValueError that names the operation and the shapes."""
        try:
            out: np.ndarray = self.forward(*arguments)
        except (ValueError, IndexError) as error:
            raise type(error)(self.complaint(arguments, error)) from None
        if type(out) is not np.ndarray:
            out = np.asarray(out)
        # exp of an integer, say, is the default float, as in PyTorch; NumPy alone would give float64
        if out.dtype.kind == "f" and not any(_is_float_array(each) for each in arguments):
            out = out.astype(current_scope().default_dtype, copy=False)
        return out

    def complaint(self, arguments: Sequence[Any], error: Exception) -> str:
        """What is wrong, in one sentence that begins with the operation's name."""
        text = str(error)
        if isinstance(self.forward, np.ufunc) or not text:
            shapes = " and ".join(str(np.shape(each)) for each in arguments)
            return f"{self.name}: shapes {shapes} do not fit together: each axis must be equal or 1, from the right"
        return text if text.startswith(self.name) else f"{self.name}: {text}"


def _is_float_array(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind == "f"
