"""The texts of calls that scripts/witness.py records: what they may name, and what becomes of them.

A text is a Python expression. Its operands are the letters below, and it is evaluated under a fixed seed, so that its
result and its gradients, for an upstream that is fixed too, are the same in every run.
"""

from __future__ import annotations

import ast
import importlib
import math
import pickle
from typing import Any

import numpy as np

import minitorch as mt

LARGEST = 200  # elements of a result that is recorded
SQUARE = [[2.0, 0.5, 0.1], [0.5, 3.0, 0.2], [0.1, 0.2, 1.5]]
OPERANDS = {
    "m": [[0.5, -1.25, 2.0], [3.0, -0.75, 0.1]],
    "n": [[1.5, 0.4, -0.6], [0.7, 2.2, 1.3]],
    "u": [[0.2, 0.5, 0.7], [0.3, 0.9, 0.4]],  # between 0 and 1, as w is
    "w": [[0.6, 0.1, 0.35], [0.8, 0.25, 0.55]],
    "p": [[1.5, 2.25], [3.0, 1.1]],  # above 1
    "s": SQUARE,
    "v": [1.5, -0.5, 2.0],
    "z": 0.7,
    "t": [SQUARE, [[1.0, 0.0, 0.3], [0.2, 2.0, 0.0], [0.0, 0.4, 1.2]]],
    "l": np.sin(np.arange(8.0)).reshape(1, 2, 4),
    "c": np.cos(np.arange(32.0)).reshape(1, 2, 4, 4),
    "e": np.sin(np.arange(32.0) + 0.5).reshape(1, 2, 2, 2, 4),
    "f": np.array([[0.5, -1.25, 2.0], [3.0, -0.75, 0.1]], "float32"),
    "h": np.array([[0.5, -1.25, 2.0], [3.0, -0.75, 0.1]], "float16"),
    "i": [[3, -2, 0], [7, 1, 1]],
    "j": [[1, 2, 2], [1, 4, 1]],
    "k": [1, 0],
    "q": [[0, 1, 1], [1, 0, 0]],
    "b": [[True, False, True], [False, False, True]],
}
# The modules whose names texts use, in the order in which a module stands below its parent.
MODULES = """minitorch minitorch.nn minitorch.nn.functional minitorch.nn.init minitorch.nn.utils minitorch.linalg
    minitorch.special minitorch.optim minitorch.optim.lr_scheduler minitorch.optim.swa_utils minitorch.data
    minitorch.distributions minitorch.func minitorch.train minitorch.amp minitorch.nn.utils.parametrizations"""
FACES = MODULES.split()


def space() -> dict[str, Any]:
    """Return the names that a text may use, made anew: float Tensors are leaves that require a gradient."""
    tensors = {name: mt.Tensor(np.array(value)) for name, value in OPERANDS.items()}
    for tensor in tensors.values():
        tensor.requires_grad_(np.asarray(tensor.data).dtype.kind == "f")
    for module in FACES:
        importlib.import_module(module)
    names = {"mt": mt, "nn": mt.nn, "F": mt.nn.functional, "optim": mt.optim, "np": np, "math": math}
    return names | {each.__name__: each for each in (trained, went_on, scheduled, rates, chained, sequential)} | tensors


def evaluated(text: str, **more: Any) -> tuple[Any, list[Any]]:
    """Evaluate a text under a fixed seed; return its value, and the float operands that it names."""
    names = space() | more
    mt.manual_seed(0)
    value = eval(text, names)
    used = sorted({node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)} & set(OPERANDS))
    return value, [names[name] for name in used if names[name].requires_grad]


def flat(value: Any) -> list[Any]:
    """Return all Tensors in nested sequences that a gradient can come from."""
    if isinstance(value, (tuple, list)):
        return [each for part in value for each in flat(part)]
    return [value] if isinstance(value, mt.Tensor) and value.requires_grad else []


def told(value: Any) -> Any:
    """Return a result as JSON: numbers, shape and dtype; of an object that is neither a number nor a text, its type."""
    if isinstance(value, mt.Tensor):
        value = value.detach().numpy()
    if isinstance(value, (np.ndarray, np.generic)):
        array = np.asarray(value)
        if array.dtype.kind not in "fiub" or array.size > LARGEST:
            return {"type": f"array of {array.dtype}, {array.shape}"}
        digits = {"float16": 5, "float32": 9}.get(str(array.dtype), 14)
        return {
            "dtype": str(array.dtype),
            "shape": list(array.shape),
            "v": " ".join(f"{x:.{digits}g}" for x in array.ravel().tolist()),
        }
    if isinstance(value, dict):
        return [[str(key), told(each)] for key, each in value.items()]
    if isinstance(value, (tuple, list)):
        return [told(each) for each in value]
    if value is None or isinstance(value, (bool, int, float, str)):
        return {"value": repr(value)}
    return {"type": type(value).__name__}


def upstreams(outs: list[Any], shift: float) -> list[Any]:
    """Return a fixed upstream for each output. All differ: else the gradients of a - b would cancel each other."""
    made = []
    for number, out in enumerate(outs):
        numbers = np.cos(shift + 0.7 * number + np.arange(out.numel())).reshape(out.shape)
        made.append(mt.Tensor(numbers.astype(out.data.dtype), requires_grad=True))
    return made


def gradients(outs: list[Any], inputs: list[Any], upstream: list[Any], **how: bool) -> list[Any]:
    """Return the gradient with respect to each of `inputs`, None where there is none."""
    return list(mt.grad(outs, inputs, upstream, allow_unused=True, **how)) if outs and inputs else []


def first_order(text: str, **more: Any) -> dict[str, Any]:
    """Return the result of a text and its gradients."""
    value, inputs = evaluated(text, **more)
    outs = flat(value)
    return {"out": told(value), "grads": told(gradients(outs, inputs, upstreams(outs, 0.5)))}


def second_order(text: str) -> dict[str, Any]:
    """Return the gradients, and theirs with respect to operands and upstream: zeros where there is none."""
    value, inputs = evaluated(text)
    outs = flat(value)
    upstream = upstreams(outs, 0.5)
    once = gradients(outs, inputs, upstream, create_graph=True)
    if not once:
        return {"grads": [], "second": []}
    again = flat(once)
    twice = gradients(again, inputs + upstream, upstreams(again, 1.5)) or [None] * len(inputs + upstream)
    return {
        "grads": told([mt.zeros_like(x) if g is None else g for g, x in zip(once, inputs, strict=True)]),
        "second": told([mt.zeros_like(x) if g is None else g for g, x in zip(twice, inputs + upstream, strict=True)]),
    }


def unpickled(then: str, data: bytes) -> dict[str, Any]:
    """Return the result of a text in which `it` is what a pickle holds."""
    return first_order(then, it=pickle.loads(data))


# -------------------------------------------------------------------------------------------- objects that texts make


def trained(kind: Any, **options: Any) -> list[Any]:
    """Return a parameter, an optimiser of it after two steps, and the optimiser's state."""
    parameter = mt.nn.Parameter(mt.Tensor(np.array(OPERANDS["m"])))
    optimizer = kind([parameter], lr=0.1, **options)
    steps(parameter, optimizer)
    return [parameter, optimizer, optimizer.state_dict()]


def steps(parameter: Any, optimizer: Any) -> None:
    """Take two steps down a bowl."""

    def closure() -> Any:
        optimizer.zero_grad()
        loss = ((parameter - 1) ** 2 * mt.Tensor(np.array(OPERANDS["n"]))).sum()
        loss.backward()
        return loss

    for _ in range(2):
        optimizer.step(closure)


def went_on(parameter: Any, optimizer: Any, state: dict[str, Any]) -> list[Any]:
    """Return the parameter after two more steps: by the optimiser, and by a new one that was given the state."""
    copy = mt.nn.Parameter(parameter.detach().clone())
    fresh = type(optimizer)([copy], lr=0.5)
    fresh.load_state_dict(state)
    for pair in ((parameter, optimizer), (copy, fresh)):
        steps(*pair)
    return [parameter.detach(), copy.detach()]


def scheduled(kind: Any, *args: Any, **options: Any) -> list[Any]:
    """Return an optimiser, a scheduler of it after two steps, and the scheduler's state."""
    optimizer = mt.optim.SGD([mt.nn.Parameter(mt.zeros(2))], lr=0.1)
    scheduler = kind(optimizer, *args, **options)
    rates(optimizer, scheduler, None)
    return [optimizer, scheduler, scheduler.state_dict()]


def rates(optimizer: Any, scheduler: Any, state: dict[str, Any] | None) -> list[float]:
    """Return the learning rates of two steps, and of two from `state`."""
    found = []
    for number in range(4 if state else 2):
        if number == 2:
            scheduler.load_state_dict(state)
        optimizer.step()
        scheduler.step(*[1.0] * (type(scheduler).__name__ == "ReduceLROnPlateau"))
        found.append(optimizer.param_groups[0]["lr"])
    return found


def chained(optimizer: Any) -> Any:
    """Return two schedulers at once."""
    made = mt.optim.lr_scheduler
    return made.ChainedScheduler([made.ExponentialLR(optimizer, 0.9), made.StepLR(optimizer, 2)])


def sequential(optimizer: Any) -> Any:
    """Return two schedulers, one after the other."""
    made = mt.optim.lr_scheduler
    return made.SequentialLR(optimizer, [made.ConstantLR(optimizer), made.ExponentialLR(optimizer, 0.9)], [1])
