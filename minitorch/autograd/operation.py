"""Declaration of an operation: its forward, its gradient rules, and the values that each of them needs."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Collection, Sequence
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from minitorch.autograd.promotion import in_default_float, require_one_dtype
from minitorch.autograd.rules import EACH, OUT, Backward, Rule
from minitorch.backend import as_result, device_of, is_array
from minitorch.errors import LinAlgError, OperandError, ShapeError

if TYPE_CHECKING:
    from minitorch._tensor import Tensor

# NumPy's spellings of PyTorch's parameter names are accepted everywhere, and what its methods call otherwise.
ALIASES = {"axis": "dim", "keepdims": "keepdim", "axes": "dims", "split_size": "split_size_or_sections"}

_CATCHES = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS


class Declaration:
    """Forward, rules and parameters of one operation.

    composed: for a fused operation, its twin written from elementary ones: the same values and gradients, slower. It is
    differentiated in the place of rules that ask for `aux`; beside other rules it is there for the tests to compare.
    promotes: operands of different dtypes meet in a common one; False where PyTorch refuses to mix floats.
    stretches: operands broadcast to the shape of the result, as those of every ufunc of two arrays do.
    """

    def __init__(
        self,
        name: str,
        forward: Callable[..., Any],
        signature: inspect.Signature,
        composed: Callable[..., Tensor] | None,
        promotes: bool = True,
        stretches: bool = False,
    ) -> None:
        self.name = name
        self.forward = forward
        self.composed = composed
        self.promotes = promotes
        self.stretches = stretches or (isinstance(forward, np.ufunc) and forward.nin > 1)
        self.variadic = any(p.kind is p.VAR_POSITIONAL for p in signature.parameters.values())
        self.labels = tuple(signature.parameters)
        self.defaults = tuple(p.default for p in signature.parameters.values())
        self.required = sum(default is inspect.Parameter.empty for default in self.defaults)
        self.rules: dict[str, tuple[Rule, tuple[str, ...]]] = {}
        self.adders: dict[str, Rule] = {}
        self.slots: tuple[int, ...] = ()
        self.parameters = tuple(range(len(self.labels)))
        self.has_aux = False
        self._dtype = self.labels.index("dtype") if "dtype" in self.labels else None
        self._backwards: dict[tuple[bool, ...], Backward] = {}
        self._plan_variadic = functools.lru_cache(maxsize=64)(self._plan_for_many)

    @property
    def saves(self) -> dict[str, tuple[str, ...]]:
        """For each differentiable argument, the names of what its rule keeps alive."""
        return {argument: names for argument, (_, names) in self.rules.items()}

    def add_rules(self, **rules: Rule) -> None:
        """Declare gradient rules, one per argument. Raises TypeError when a rule asks for what there is not."""
        for argument, rule in rules.items():
            if argument not in self.labels:
                raise TypeError(f"{self.name}: a gradient rule for {argument!r}, but the arguments are {self.labels}")
            names = self._asked(argument, rule)
            for label in names:
                if label != "slot":
                    self.fetch(label)
            self.rules[argument] = (rule, names)
        self.has_aux = any("aux" in names for _, names in self.rules.values())
        if self.has_aux and self.composed is None:
            raise TypeError(f"{self.name}: a rule that asks for aux needs composed=, to be differentiated twice")
        self.slots = tuple(self.labels.index(argument) for argument in self.rules)
        self.parameters = tuple(place for place in range(len(self.labels)) if place not in self.slots)
        self._backwards.clear()

    def _asked(self, argument: str, rule: Rule) -> tuple[str, ...]:
        """Return the names of a rule's parameters, without g. Raises TypeError for what is no such rule."""
        if not callable(rule):
            raise TypeError(
                f"{self.name}: the gradient rule for {argument!r} is {rule!r}, no function: leave it out if "
                f"{argument!r} never gets a gradient"
            )
        if isinstance(rule, FunctionType) and not hasattr(rule, "__wrapped__"):
            code = rule.__code__
            if code.co_argcount and not code.co_kwonlyargcount and not code.co_flags & _CATCHES:
                return code.co_varnames[1 : code.co_argcount]  # nearly always; a signature takes longer
        parameters = list(inspect.signature(rule).parameters.values())
        if not parameters:
            raise TypeError(f"{self.name}: the gradient rule for {argument!r} takes nothing: its first argument is g")
        for each in parameters:
            if each.kind is each.KEYWORD_ONLY:
                raise TypeError(
                    f"{self.name}: the gradient rule for {argument!r} takes {each.name!r} by keyword only, but is "
                    f"given what it asks for in order: take the * out"
                )
        return tuple([each.name for each in parameters[1:]])

    def add_adders(self, **adders: Rule) -> None:
        """Declare, for arguments that have a rule, how its result is added to a gradient in place.

        adder(total, g, …) takes what the rule takes, and changes `total`. For a gradient that is zero nearly
        everywhere: the parts of one Tensor then share one array of zeros, instead of making one each.
        """
        self.adders.update(adders)
        self._backwards.clear()

    def rule_for(self, wanted: tuple[bool, ...]) -> Backward:
        """Return the rule of a node whose parents want gradients as `wanted` says, one flag per differentiable slot."""
        if self.variadic:
            return self._plan_variadic(wanted)
        plan = self._backwards.get(wanted)
        if plan is None:  # planned when first asked for: most combinations never are
            plan = self._backwards[wanted] = self._plan(wanted)
        return plan

    def _plan(self, wanted: tuple[bool, ...]) -> Backward:
        chosen = zip(range(len(wanted)), self.rules.values(), wanted, strict=True)
        return Backward(self, [(slot, rule, names) for slot, (rule, names), want in chosen if want])

    def _plan_for_many(self, wanted: tuple[bool, ...]) -> Backward:
        ((rule, names),) = self.rules.values()
        asked = tuple(label for label in names if label != "slot")

        def of(slot: int) -> Rule:
            return lambda g, *values: rule(g, slot=slot, **dict(zip(asked, values, strict=True)))

        return Backward(self, [(slot, of(slot), asked) for slot, want in enumerate(wanted) if want])

    def fetch(self, label: str) -> Callable[[Sequence[Any], Any], Any]:
        """Return a function of (arguments, out) that gets the value which a rule calls `label`."""
        if label == "out":
            return lambda arguments, out: out
        if label == "out_shape":
            return lambda arguments, out: out.shape
        if label in self.labels or label == "aux":
            place = len(self.labels) if label == "aux" else self.labels.index(label)
            return lambda arguments, out: arguments[place]
        argument = label.removesuffix("_shape")
        if argument != label and argument in self.labels:
            place = self.labels.index(argument)
            if self.variadic:
                return lambda arguments, out: tuple([np.shape(each) for each in arguments[place]])
            return lambda arguments, out: getattr(arguments[place], "shape", ())  # of a Python number ()
        raise TypeError(f"{self.name}: a gradient rule asks for {label!r}, which is neither an argument nor `out`")

    def origin(self, label: str) -> int | None:
        """Return the slot whose node the value called `label` belongs to; OUT, EACH, or None for a parameter."""
        if label == "out":
            return OUT
        if label not in self.rules:
            return None
        return EACH if self.variadic else list(self.rules).index(label)

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        """Return the arguments in the order of the signature, with defaults. Raises TypeError as a function would."""
        if len(args) > len(self.labels):
            raise TypeError(f"{self.name} takes at most {len(self.labels)} arguments ({len(args)} given)")
        bound = [*args, *self.defaults[len(args) :]]
        if not kwargs and len(args) >= self.required:
            return bound
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

    def run(self, arguments: list[Any]) -> Any:
        """Run the forward on plain arrays; what it saves for its own rules (`aux`) is appended to the arguments.

        Raises ValueError that names the operation and the shapes, RuntimeError when devices are mixed.
        """
        try:
            if self.variadic:
                return as_result(self.forward(*arguments[0], **dict(zip(self.labels[1:], arguments[1:], strict=True))))
            out = self.forward(*arguments)
        except (ValueError, IndexError) as error:
            raise operand_error(self.name, self.forward, self._operands(arguments), error) from None
        except TypeError:
            require_one_device(self.name, self._operands(arguments))
            raise
        if self.has_aux:
            out, aux = out
            arguments.append(aux)
        if type(out) is not np.ndarray:
            out = as_result(out)
        if getattr(arguments[0], "dtype", None) is out.dtype:
            return out  # nearly always
        if out.dtype.kind == "f" and (self._dtype is None or arguments[self._dtype] is None):
            count = len(self.labels)
            out = in_default_float(out, arguments, lambda given: self.run(given[:count]))  # behind them stands aux
        return out

    def _operands(self, arguments: list[Any]) -> Sequence[Any]:
        return arguments[0] if self.variadic else arguments

    def require_one_dtype(self, operands: Sequence[Any], given: Collection[Any]) -> None:
        """Raise TypeError when floats of different widths, or floats and integers, would have to be mixed.

        operands: those of the slots, as arrays. given: all arguments as they came.
        """
        if not self.promotes:
            labels = [self.labels[place] for place in self.slots]
            require_one_dtype(self.name, dict(zip(labels, operands, strict=True)), given)


_ALSO_RUNTIME: dict[type[Exception], type[Exception]] = {ValueError: OperandError, np.linalg.LinAlgError: LinAlgError}


def operand_error(name: str, forward: Callable[..., Any], arguments: Sequence[Any], error: Exception) -> Exception:
    """Return the error that says what is wrong with a forward's arguments, in one sentence that begins with the name.

    A bare ValueError, as NumPy raises it, becomes one that PyTorch's programs catch; any other kind stays what it is.
    """
    text = str(error)
    if isinstance(forward, np.ufunc) or not text or "broadcast together" in text:
        shapes = " and ".join(str(each.shape) for each in arguments if is_array(each))
        return ShapeError(f"{name}: shapes {shapes} do not fit together: each axis must be equal or 1, from the right")
    kind = _ALSO_RUNTIME.get(type(error), type(error))
    return kind(text if text.startswith(name) else f"{name}: {text}")


def require_one_device(name: str, arguments: Sequence[Any]) -> None:
    """Raise RuntimeError when the arrays among the arguments are not all in one place."""
    devices = list(dict.fromkeys(device_of(each) for each in arguments if is_array(each)))
    if len(devices) > 1:
        raise RuntimeError(
            f"{name}: one operand is on {devices[0]} and another on {devices[1]}: move the other with "
            f".to({devices[0]!r})"
        )
