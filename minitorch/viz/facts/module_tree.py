"""The tree of a module: what it is made of, the shapes of its parameters, and how many numbers they hold."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from minitorch.viz.facts.model import Shape

ALIKE = 3  # neighbours of one structure, and they are shown as one


@dataclass(frozen=True, slots=True)
class Held:
    """A parameter or a buffer. shared: where the same one was met before, or ""; trains: it asks for its gradient."""

    name: str
    kind: str
    shape: Shape
    dtype: str
    shared: str
    trains: bool

    @property
    def size(self) -> int:
        """How many numbers it holds."""
        return math.prod(self.shape)


@dataclass(frozen=True, slots=True)
class Branch:
    """A module. extra: what it says of itself; held: its own parameters and buffers; repeated: how many it is."""

    name: str
    kind: str
    extra: str
    evaluating: bool
    held: tuple[Held, ...]
    parts: tuple[Branch, ...]
    repeated: int
    parameters: int  # numbers in all parameters, each counted once
    frozen: int  # of those, how many ask for no gradient
    nbytes: int


def module_tree(module: Any, name: str = "") -> Branch:
    """The tree of a module."""
    return _folded(_branch(module, name, {}, ""))


def _branch(module: Any, name: str, met: dict[int, str], path: str) -> Branch:
    held = []
    parameters = frozen = nbytes = 0
    for kind, owned in (("parameter", module._parameters), ("buffer", module._buffers)):
        for own, tensor in owned.items():
            if tensor is None:
                continue
            shared = met.get(id(tensor), "")
            met.setdefault(id(tensor), f"{path}{own}")
            each = Held(own, kind, tuple(tensor.shape), str(tensor.dtype), shared, bool(tensor.requires_grad))
            held.append(each)
            if not shared:
                nbytes += tensor.data.nbytes
                if kind == "parameter":
                    parameters += each.size
                    frozen += 0 if each.trains else each.size
    parts = []
    for own, part in module._modules.items():
        if part is None:
            continue
        if id(part) in met:
            parts.append(Branch(own, f"→ {met[id(part)]}", "", False, (), (), 1, 0, 0, 0))
            continue
        met[id(part)] = f"{path}{own}"
        parts.append(_branch(part, own, met, f"{path}{own}."))
    return Branch(
        name,
        module._get_name(),
        module.extra_repr(),
        not module.training,
        tuple(held),
        tuple(parts),
        1,
        parameters + sum(part.parameters for part in parts),
        frozen + sum(part.frozen for part in parts),
        nbytes + sum(part.nbytes for part in parts),
    )


def _folded(branch: Branch) -> Branch:
    """The tree with neighbours that are alike shown once."""
    return replace(branch, parts=tuple(_runs([_folded(part) for part in branch.parts])))


def _runs(parts: list[Branch]) -> Iterator[Branch]:
    first = 0
    while first < len(parts):
        after = first + 1
        while after < len(parts) and _structure(parts[after]) == _structure(parts[first]):
            after += 1
        if after - first < ALIKE:
            yield from parts[first:after]
        else:
            run = parts[first:after]
            yield replace(
                run[0],
                name=f"{run[0].name} … {run[-1].name}",
                repeated=len(run),
                parameters=sum(each.parameters for each in run),
                frozen=sum(each.frozen for each in run),
                nbytes=sum(each.nbytes for each in run),
            )
        first = after


def _structure(branch: Branch) -> object:
    """What two modules have in common that are alike. Where something is shared, nothing is."""
    held = tuple((each.name, each.shape, each.dtype, each.trains, each.shared) for each in branch.held)
    own = branch.kind, branch.extra, branch.evaluating, held, branch.repeated
    return own, tuple((part.name, _structure(part)) for part in branch.parts)
