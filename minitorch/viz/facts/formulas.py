"""Operations as the pictures know them: other names, local rules, and the shape of what a rule returns."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from string import Formatter
from typing import Final

import numpy as np

from minitorch import ops
from minitorch.autograd.operation import Declaration
from minitorch.language import N_, gettext
from minitorch.ops.formula import written
from minitorch.ops.index import pick, replace, unindex
from minitorch.viz.facts.model import Shape

# The declarations of our own operations; some share a tag, and the first of those is the plain one.
_DECLARED: Final = [each.declaration for _, each in ops.defined() if hasattr(each, "declaration")]
_BY_TAG: Final = {each.name: each for each in reversed(_DECLARED)}

# Operations whose operands are stretched to the shape of the result.
STRETCHING: Final = frozenset(each.name for each in _DECLARED if each.stretches)

# Every spelling of an operation's tag that is not the engine's own, in lower case.
SYNONYMS: Final[Mapping[str, str]] = {
    spelling: name
    for name, spellings in {
        "add": "+ plus",
        "sub": "- − subtract minus rsub",
        "mul": "* × · multiply times",
        "div": "/ ÷ divide truediv true_divide rdiv",
        "neg": "negative negate",
        "pow": "** ^ power",
        "matmul": "@ mm bmm dot",
        "log": "ln",
        "sigmoid": "σ",
        "max": "amax",
        "reshape": "view",
        "transpose": "t .t permute",
        "getitem": "[] index slice",
        "cross_entropy": "cross_entropy_loss",
    }.items()
    for spelling in spellings.split()
}

COMMUTATIVE: Final = frozenset({"add", "mul", "maximum", "minimum", "hypot", "logaddexp"})

# One formula for each operand, where the rule does not write itself down as plainly; a, b and c are the operands by
# name, out the result. Python's and NumPy's signs.
FORMULAS: Final[Mapping[str, tuple[str, ...]]] = {
    "pow": ("g * {b} * {a} ** ({b} - 1)", "g * {out} * log({a})"),
    "abs": ("g * sign({a})",),
    "relu": ("g * ({a} > 0)",),
    "linear": ("g @ {b}", "g.T @ {a}", N_("g, summed over its rows")),
    "affine": ("g @ {b}.T", "{a}.T @ g", N_("g, summed over its rows")),
    "conv": (
        N_("g * kernel, added where each window lay"),
        N_("g * windows of {a}, summed"),
        N_("g, summed over samples and places"),
    ),
    "layer_norm": (
        N_("g, back through mean and spread of {a}"),
        N_("g * normalised {a}, summed"),
        N_("g, summed over its rows"),
    ),
}

# Rules that only move numbers, or that a formula would not make plainer; most are messages.
_TOLD: Final[Mapping[str, str]] = {
    "sum": N_("g, for every number summed"),
    "max": N_("g, to the largest"),
    "min": N_("g, to the smallest"),
    "amin": N_("g, to the smallest"),
    "transpose": N_("g, its axes put back"),
    "getitem": N_("zeros, with g added at the index"),
    "embedding": N_("zeros, with g added at the rows"),
    "logsumexp": "g * softmax({a})",
    "softmax": N_("(g - the sum of g * {out}) * {out}"),
    "log_softmax": N_("g - softmax({a}) * the sum of g"),
    "cross_entropy": N_("g * (softmax({a}) - one-hot targets) / rows"),
    "max_pool": N_("g, to the largest of each window"),
    "cat": N_("the part of g that came from here"),
    "stack": N_("the part of g that came from here"),
}

_RESHAPING: Final = frozenset({"reshape", "squeeze", "unsqueeze"})

# Their shape is that of an index, which the graph does not keep.
_PLACING = {unindex.declaration.forward, replace.declaration.forward}
_PLACED: Final = frozenset(each.name for each in _DECLARED if each.forward in _PLACING)


def canonical(op: str, operands: int) -> str:
    """The engine's name of an operation, whatever it is called elsewhere.

    >>> canonical("*", 2), canonical("-", 1), canonical("Tanh", 1)
    ('mul', 'neg', 'tanh')
    """
    plain = op.strip().lower()
    plain = plain if plain in SYNONYMS else plain.strip("_ ")
    name = SYNONYMS.get(plain, plain)
    return "neg" if name == "sub" and operands == 1 else name


def declared(name: str) -> Declaration:
    """Our own operation of that name. Raises KeyError where there is none."""
    found: Declaration = _BY_TAG[name]
    return found


def formula(op: str, slot: int, names: tuple[str, ...], shapes: tuple[Shape | None, ...], out: str, to: Shape) -> str:
    """The local rule of operand number `slot` as the course writes it; the operation's name where that is not known.

    names, shapes: of all the operands. out, to: name and shape of the result.

    >>> formula("mul", 0, ("x", "w"), ((3,), (3,)), "v1", (3,))
    'g * w'
    """
    name = canonical(op, len(names))
    own = shapes[slot]
    by_letter = {"out": out, **dict(zip("abc", map(_grouped, names), strict=False))}
    if name == "matmul" and own is not None:
        found = _matmul_rule(slot, own, to)
    elif name == "mean" and own is not None:
        return gettext("g / {count}, for every number averaged", count=_averaged(own, to))
    elif name == "linear" and slot == 1 and len(to) > 2:
        found = N_("g.T @ {a}, all rows in one")
    elif name in _RESHAPING and own is not None:
        found = f"g.reshape({own})"
    else:
        known = FORMULAS.get(name) or _formulas(name)
        found = known[slot] if slot < len(known) else _TOLD.get(_as_getitem(name), "")
    if not found or {letter for _, letter, _, _ in Formatter().parse(found) if letter} - by_letter.keys():
        return (
            gettext("rule of {op}", op=op) if op else gettext("rule of the operation")
        )  # not known, or of an operand that is no node
    return gettext(found, **by_letter)


def _as_getitem(tag: str) -> str:
    """The tag `getitem` for whatever picks as brackets do: gather, take, select."""
    declared = _BY_TAG.get(tag)
    return "getitem" if declared is not None and declared.forward is pick.declaration.forward else tag


@functools.cache
def _formulas(tag: str) -> tuple[str, ...]:
    """The formulas of our own operation of that tag, as its rules write them down; none if one of them cannot."""
    declared = _BY_TAG.get(tag)
    if declared is None or declared.variadic:
        return ()
    names = {"out": "{out}"} | {label: f"{{{letter}}}" for label, letter in zip(declared.rules, "abc", strict=False)}
    found = [written(rule, names) for rule, _ in declared.rules.values()]
    return tuple([each for each in found if each is not None]) if None not in found else ()


def _grouped(name: str) -> str:
    """A name that can be part of a formula: a negative number stands in parentheses."""
    return f"({name})" if name.startswith("-") else name


def _averaged(own: Shape, to: Shape) -> int:
    """How many numbers make one mean."""
    return math.prod(own) // max(math.prod(to), 1)


def _matmul_rule(slot: int, own: Shape, to: Shape) -> str:
    """The shapes of one operand and of the result say how many axes the other operand has."""
    match len(own), len(to):
        case 1, 0:
            return ("g * {b}", "g * {a}")[slot]
        case 2, 2:
            return ("g @ {b}.T", "{a}.T @ g")[slot]
        case axes, more if 2 <= axes <= more:
            return ("g @ {b}.mT", "{a}.mT @ g")[slot]
    return ""


def contribution_shape(op: str, slot: int, shapes: tuple[Shape | None, ...], to: Shape, ours: bool) -> Shape | None:
    """The shape of what a rule returns for operand number `slot`, before it is summed to the operand's own.

    shapes: of all the operands; to: of the result. ours: the rules are minitorch's, some of which sum by themselves.
    None where it is not known.

    >>> contribution_shape("add", 1, ((64, 16), (16,)), (64, 16), ours=True)
    (64, 16)
    """
    own = shapes[slot]
    name = op if ours else canonical(op, len(shapes))
    if own is None or name in _PLACED:
        return None
    if name in STRETCHING or name == "prelu":
        return to
    if name in ("addmm", "baddbmm") and slot == 0:
        return to
    if name == "matmul":
        return _matmul_shape(slot, own, to, ours)
    if name == "inner" and () in shapes:
        return to
    if name == "linear" and slot == 2:
        return to[-1:]
    if name == "masked_softmax" and slot == 1:
        return to
    if name == "solve":
        return _solve_shape(slot, own, to)
    return (
        own if ours or name in FORMULAS or _formulas(name) or name in _TOLD or name in {"mean", *_RESHAPING} else None
    )


def _matmul_shape(slot: int, own: Shape, to: Shape, ours: bool) -> Shape:
    if len(own) == 1:  # a vector: with a vector it makes a number, with matrices it is used by each of them
        return (*to[:-1], *own) if to else own
    if len(to) < len(own):  # the other one is a vector
        return own
    if ours and slot == 1 and len(own) == 2:  # one product of tall matrices: no axis is left to sum
        return own
    return (*to[:-2], *own[-2:])


def _solve_shape(slot: int, own: Shape, to: Shape) -> Shape:
    if slot == 1:
        return to
    return (*np.broadcast_shapes(to[:-2], own[:-2]), *own[-2:])
