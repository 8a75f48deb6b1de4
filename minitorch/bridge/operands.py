"""What a call of PyTorch's is called, and what it was done to."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import torch
from torch.overrides import get_testing_overrides

from minitorch.bridge import compat
from minitorch.graph.node import SMALL, Constant

_PLAIN = {"truediv": "div", "getitem": "index", "setitem": "index_put_"}
_OPERATORS = frozenset({"add", "sub", "mul", "div", "pow", "matmul", "floordiv", "mod"})
# Where a plain number stands for a tensor; elsewhere (a dimension, a rate) it says how, and not on what.
_TAKES_NUMBERS = (
    _OPERATORS
    | frozenset(("subtract", "multiply", "divide", "true_divide", "floor_divide", "fmod", "remainder", "float_power"))
    | frozenset(("where", "masked_fill", "clamp", "clip", "clamp_min", "clamp_max", "lerp", "copysign", "fill"))
    | frozenset(f"{name}_{mode}" for name in ("div", "divide", "true_divide") for mode in ("floor", "trunc"))
    | frozenset(("xlogy", "special_xlogy", "special_xlog1py"))
)
_IS_GIVEN_LAST = frozenset(("index_put", "index_fill", "scatter"))  # numbers before it say where
_IS_SCALED = frozenset(("addmm", "addmv", "addr", "addbmm", "baddbmm", "addcmul", "addcdiv"))  # by what comes last
_ONE_SIDED = frozenset(("clamp", "clip", "clamp_", "clip_"))


@cache
def op_name(func: Callable[..., Any]) -> str:
    """The tag of an operation: torch.add, Tensor.add, + and the reflected + are all add; += is add_."""
    name = compat.tag_of_registered(func) or getattr(func, "__name__", "call")
    if name == "__get__":  # an attribute such as Tensor.T
        name = getattr(getattr(func, "__self__", None), "__name__", "attribute")
    if name == "rsub":
        return "sub"
    if not (name.startswith("__") and name.endswith("__")):
        return name
    name = _plain(name.strip("_"))
    if _plain(name[1:]) in _OPERATORS:
        return _plain(name[1:]) if name[0] == "r" else _plain(name[1:]) + "_"
    return name


def _plain(name: str) -> str:
    return _PLAIN.get(name, name)


def as_written(func: Callable[..., Any], args: Sequence[Any], named: Mapping[str, Any]) -> tuple[str, list[Any]]:
    """The tag of a call and its operands. A clamp with one end is a clamp_min or a clamp_max, a division that rounds a
    div_floor or a div_trunc.
    """
    op, operands = op_name(func), in_order(func, args, named)
    if op in _ONE_SIDED and (len(operands) < 3 or operands[1] is None or operands[2] is None):
        end = "max" if operands[1] is None else "min"
        op = f"clamp_{end}_" if op.endswith("_") else f"clamp_{end}"
        operands = [each for each in operands if each is not None]
    if named.get("rounding_mode") is not None:
        op = f"{op.rstrip('_')}_{named['rounding_mode']}{'_' * op.endswith('_')}"
    return op, operands


def in_order(func: Callable[..., Any], args: Sequence[Any], named: Mapping[str, Any]) -> list[Any]:
    """The operands as they stand in the program: PyTorch is given 2 - q as q.__rsub__(2).

    Those given by name stand where the function's own parameters do: `torch.sub(other=a, input=b)` is b - a.
    """
    operands = flat(args)
    if named:
        places = _parameters(func)
        for name in sorted(named, key=lambda each: places.get(each, len(places))):
            operands += [None] * (places.get(name, 0) - len(operands))  # what the program has left out
            _collect((named[name],), operands)
    return [operands[1], operands[0], *operands[2:]] if _is_reflected(func) and len(operands) > 1 else operands


@cache
def _parameters(func: Callable[..., Any]) -> Mapping[str, int]:
    """The parameters of a function of PyTorch's by name, and where each stands."""
    registered = compat.parameters_of_registered(func)
    if registered:
        return {name: place for place, name in enumerate(registered)}
    known = get_testing_overrides().get(func, func)
    try:
        return {name: place for place, name in enumerate(inspect.signature(known).parameters)}
    except (TypeError, ValueError):  # one written in C that is not among them
        return {"input": 0, "self": 0}


@cache
def _is_reflected(func: Callable[..., Any]) -> bool:
    name = getattr(func, "__name__", "")
    return name == "rsub" or (name.startswith("__r") and _plain(name.strip("_")[1:]) in _OPERATORS)


def constants_of(op: str, operands: Sequence[Any]) -> tuple[Constant, ...]:
    """The operands that take no part in the graph: tensors that want no gradient, numbers that stand for a tensor."""
    found = []
    first, last = _numbers(op, len(operands))
    theirs = "::" in op
    for slot, each in enumerate(operands):
        if isinstance(each, torch.Tensor):
            if not each.requires_grad:
                found.append(Constant(slot, compat.shape(each), small(each)))
        elif (
            first <= slot < last
            and isinstance(each, (int, float, complex))
            and not (theirs and isinstance(each, bool))
            and not (first and each is True)
        ):
            found.append(Constant(slot, (), each))
    return tuple(found)


@cache
def _numbers(op: str, count: int) -> tuple[int, int]:
    """Where plain numbers stand for tensors among so many operands: the first slot, and the one after the last."""
    name = op.rstrip("_")
    if "::" in op:  # what somebody has registered: only they know which number scales
        return 0, count
    if name in _TAKES_NUMBERS:
        return 0, 3
    if name in _IS_SCALED:
        return 3, count
    return (3 if name == "scatter" else count - 1, count) if name in _IS_GIVEN_LAST else (0, 0)


def small(tensor: torch.Tensor) -> Any:
    """A copy of the numbers, if they are few and at hand."""
    if (
        tensor.numel() > SMALL
        or tensor.layout is not torch.strided
        or not tensor.is_cpu
        or tensor.is_nested
        or (type(tensor) is not torch.Tensor and not compat.has_numbers(tensor))
    ):
        return None
    plain = tensor.detach()
    return np.array((plain.float() if plain.element_size() == 1 and plain.is_floating_point() else plain).tolist())


def flat(thing: Any) -> list[Any]:
    """Every operand, those in lists and dictionaries too."""
    found: list[Any] = []
    _collect((thing,), found)
    return found


def _collect(things: Iterable[Any], found: list[Any]) -> None:
    for each in things:
        if isinstance(each, (tuple, list)):
            _collect(each, found)
        elif isinstance(each, dict):
            _collect(each.values(), found)
        else:
            found.append(each)
