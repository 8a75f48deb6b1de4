"""The contract that every backward pass over numbers must keep: cases, drivers and a judge to build checks from.

A case is a small program over named leaves, and reads like one:

    {"a": 3.0, "b": 2.0, "code": "p = a * b; root = p + a", "calls": 1}

`cases` draws programs with everything that tends to go wrong: constants, one node in two places, a diamond, parents at
uneven depth, an upstream gradient that is random and different on every branch, a leaf that takes no part, a second
call, very large beside very small numbers, a graph too deep for recursion. Two drivers run them in the child:
`observe_values` on the learner's own `Value` with operators and `backward()`, `observe_backward` on plain nodes with
the learner's function `backward(root)`; there a / b is one node, too. The judge knows no reference implementation: it
differentiates the program by numbers that carry their slope along, and by finite differences over the forwards that
were observed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from minitorch.course.judging.compare import Wrong, first_wrong, same_number
from minitorch.language import Message

Case = dict[str, Any]
NOT_LEAVES = frozenset({"code", "calls", "deep"})
DEEP = 5000
STEP = 1e-4  # of a finite difference, relative to the leaf


def cases(rng: np.random.Generator) -> list[Case]:
    """The contract's ten programs, the small ones first, with leaves away from zero."""

    def leaves(names: str) -> dict[str, float]:
        signs = rng.choice([-1.0, 1.0], len(names))
        return {name: round(float(sign * rng.uniform(0.5, 3.0)), 3) for name, sign in zip(names, signs)}

    up = [round(float(weight), 3) for weight in rng.uniform([0.3, 1.3], [0.9, 1.9])]
    diamond = "p = a * b; q = a + b; root = p * q"
    return [
        leaves("ab") | {"code": "root = a * b", "calls": 1},
        leaves("a") | {"code": "p = 3 * a; root = p + 5", "calls": 1},
        leaves("a") | {"code": "root = a * a", "calls": 1},
        leaves("ab") | {"code": "root = a + 2", "calls": 1},
        leaves("ab") | {"code": diamond, "calls": 1},
        leaves("abc") | {"code": f"p = a * b; q = a + c; u = p * {up[0]}; v = q * {-up[1]}; root = u + v", "calls": 1},
        leaves("ab") | {"code": "p = a * b; q = p * p; r = q * b; s = p + r; root = s + p", "calls": 1},
        leaves("ab") | {"code": diamond, "calls": 2},
        {"a": 3e8, "b": -2e-8, "code": "p = a * b; q = p + b; root = q * a", "calls": 1},
        leaves("a") | {"code": "root = a + 1", "calls": 1, "deep": DEEP},
    ]


def observe_backward(learner: Any, x: Case) -> dict[str, Any]:
    """Driver: the learner's function `backward(root)` on plain nodes with data, grad, _prev and _local_grads."""

    class Node:
        def __init__(self, data: float, prev: Any = (), local_grads: Any = ()) -> None:
            self.data, self.grad, self._prev, self._local_grads = data, None, prev, local_grads

        def __repr__(self) -> str:
            return f"Node({self.data})"

    def join(sign: str, left: Any, right: Any) -> Any:
        numbers = [side.data if isinstance(side, Node) else side for side in (left, right)]
        a, b = numbers
        slopes = {"+": (1.0, 1.0), "*": (b, a)}.get(sign) or (1.0 / b, -a / b**2)
        data = a + b if sign == "+" else a * b if sign == "*" else a / b
        sides = [(side, slope) for side, slope in zip((left, right), slopes) if isinstance(side, Node)]
        return Node(data, tuple(side for side, _ in sides), tuple(slope for _, slope in sides))

    def forward(leaves: dict[str, float]) -> dict[str, Any]:
        names = {name: Node(number) for name, number in leaves.items()}
        steps = [step.split() for step in x["code"].split(";") if step.strip()] + [
            ["root", "=", "root", "+", "a"]
        ] * x.get("deep", 0)
        for name, _, left, sign, right in steps:
            sides = [names[side] if side in names else float(side) for side in (left, right)]
            names[name] = join(sign, *sides)
        return names

    def plain(number: Any) -> Any:
        is_number = isinstance(number, (int, float)) and not isinstance(number, bool)  # np.float64 is a float, too
        return float(number) if is_number else number

    leaves = {name: number for name, number in x.items() if type(number) is float}
    names = forward(leaves)
    returned = [learner.backward(names["root"]) for _ in range(x["calls"])]
    ahead = {}
    for name, number in leaves.items():
        step = 1e-4 * max(abs(number), 1e-12)
        ahead[name] = [forward(leaves | {name: number + h})["root"].data for h in (step, -step)]
    grads = {name: plain(node.grad) for name, node in names.items()}
    return {"data": names["root"].data, "grads": grads, "ahead": ahead, "returned": type(returned[0]).__name__}


def observe_values(learner: Any, x: Case) -> dict[str, Any]:
    """Driver: the learner's class `Value`, its operators `+` and `*`, and its method `backward()`."""

    def forward(leaves: dict[str, float]) -> dict[str, Any]:
        names = {name: learner.Value(number) for name, number in leaves.items()}
        steps = [step.split() for step in x["code"].split(";") if step.strip()] + [
            ["root", "=", "root", "+", "a"]
        ] * x.get("deep", 0)
        for name, _, left, sign, right in steps:
            one, other = (names[side] if side in names else float(side) for side in (left, right))
            names[name] = one + other if sign == "+" else one * other
        return names

    def plain(number: Any) -> Any:
        is_number = isinstance(number, (int, float)) and not isinstance(number, bool)  # np.float64 is a float, too
        return float(number) if is_number else number

    leaves = {name: number for name, number in x.items() if type(number) is float}
    names = forward(leaves)
    for _ in range(x["calls"]):
        names["root"].backward()
    ahead = {}
    for name, number in leaves.items():
        step = 1e-4 * max(abs(number), 1e-12)
        ahead[name] = [plain(forward(leaves | {name: number + h})["root"].data) for h in (step, -step)]
    grads = {name: plain(node.grad) for name, node in names.items()}
    return {"data": plain(names["root"].data), "grads": grads, "ahead": ahead}


def judge(x: Mapping[str, Any], got: Any) -> Wrong | None:
    """Say what is wrong with an observed program: its value, a gradient that is missing, too many, or wrong."""
    leaves, nodes = _leaves(x), _names(x)
    if not isinstance(got, dict) or not {"data", "grads", "ahead"} <= set(got):
        raise TypeError("not what the contract's drivers return")
    value, _ = run(x)
    slopes = {name: run(x, name)[1] for name in nodes}
    taking_part = _taking_part(x)
    return first_wrong(
        same_number(got["data"], value, Message("the number in root.data"), rtol=1e-9),
        *(_wrong_gradient(x, name, got["grads"].get(name), slopes[name], name in taking_part) for name in nodes),
        *(_disagrees(x, name, got) for name in leaves if name in taking_part),
    )


def run(x: Mapping[str, Any], toward: str = "") -> tuple[float, float]:
    """The program's value and its slope toward the node `toward`: every number carries its slope along."""
    names = {name: (number, float(name == toward)) for name, number in _leaves(x).items()}
    for name, left, sign, right in _steps(x):
        (a, da), (b, db) = (names.get(side) or (float(side), 0.0) for side in (left, right))
        value, slope = _joined(sign, a, b, da, db)
        names[name] = (value, 1.0 if name == toward else slope)
    return names["root"]


def _joined(sign: str, a: float, b: float, da: float, db: float) -> tuple[float, float]:
    """One step: its value, and its slope where a and b have the slopes da and db."""
    if sign == "+":
        return a + b, da + db
    return (a * b, da * b + a * db) if sign == "*" else (a / b, (da * b - a * db) / b**2)


def _leaves(x: Mapping[str, Any]) -> dict[str, float]:
    return {name: number for name, number in x.items() if name not in NOT_LEAVES}


def _steps(x: Mapping[str, Any]) -> list[tuple[str, str, str, str]]:
    written = [step.split() for step in x["code"].split(";") if step.strip()]
    steps = [(name, left, sign, right) for name, _, left, sign, right in written]
    return steps + [("root", "root", "+", "a")] * x.get("deep", 0)


def _names(x: Mapping[str, Any]) -> list[str]:
    """The leaves and inner nodes, the leaves first: a wrong leaf is the easier one to look at."""
    return list(dict.fromkeys([*_leaves(x), *(step[0] for step in _steps(x))]))


def _taking_part(x: Mapping[str, Any]) -> set[str]:
    """The names that the root depends on."""
    parts = {"root"}
    for name, left, _, right in reversed(_steps(x)):
        if name in parts:
            parts |= {left, right}
    return parts


def _wrong_gradient(x: Mapping[str, Any], name: str, grad: object, slope: float, takes_part: bool) -> Wrong | None:
    if not takes_part:
        if grad is None:
            return None
        return Wrong(
            "the leaf {name} takes no part in root, so no gradient may arrive there",
            name=name,
            expected="None",
            got=grad,
        )
    is_leaf = name in _leaves(x)
    if grad is None:
        return Wrong("no gradient arrived at {name}", name=name, expected=slope, got="None")
    calls = x["calls"] if is_leaf else 1
    return same_number(grad, calls * slope, _label(x, name), rtol=1e-9, atol=1e-300)


def _label(x: Mapping[str, Any], name: str) -> Message:
    label = Message("the number in {name}.grad", name=name)
    if x["calls"] == 1:
        return label
    return Message("{what} after call {number}", what=label, number=x["calls"])


def _disagrees(x: Mapping[str, Any], name: str, got: Any) -> Wrong | None:
    """Compare a leaf's gradient with the finite difference of the forwards that were observed."""
    number = _leaves(x)[name]
    plus, minus = got["ahead"][name]
    step = STEP * max(abs(number), 1e-12)
    slope = x["calls"] * (plus - minus) / (2 * step)
    noise = 1e-14 * max(abs(plus), abs(minus)) / step
    label = _label(x, name)
    return same_number(got["grads"][name], slope, label, rtol=1e-5, atol=1e-12 + 10 * noise)
