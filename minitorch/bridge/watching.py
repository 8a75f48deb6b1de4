"""Looking on while PyTorch's engine runs nodes: hooks for one pass, which know their own pass from others."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any, TypeAlias

import torch

from minitorch.bridge import compat

Gradients: TypeAlias = tuple[torch.Tensor | None, ...]
Tell: TypeAlias = Callable[[compat.GradFn, Gradients], None]


@contextmanager
def watched(fns: Sequence[compat.GradFn], before: Tell, after: Tell | None = None) -> Iterator[None]:
    """In the block, the next pass from `fns[0]` tells of each of these nodes what it is given and what it hands on.

    before: called with the gradients of the node's outputs, after every hook of the program's. after: called with the
    gradients of its inputs, one for each edge. Other passes, nested ones or those of other threads, may run the same
    nodes meanwhile: they are not told of.
    """
    own = _OwnPass(fns[0])
    handles: list[Any] = []
    with nullcontext() if any(map(compat.is_custom, fns)) else collector_at_rest():
        try:
            for fn in fns:
                handles.append(fn.register_prehook(_Hook(own, fn, before)))
                if after is not None:
                    handles.append(fn.register_hook(_Hook(own, fn, after)))
            yield
        finally:
            for handle in handles:
                handle.remove()


@contextmanager
def collector_at_rest() -> Iterator[None]:
    """In the block the garbage collector does not look: what is made for each node of a pass goes round in no circle.

    Looking through a large graph while it grows takes longer than the pass. Not for a pass in which a Function of the
    program's own takes part, whose backward may leave circles behind.
    """
    rests = gc.isenabled()
    if rests:
        gc.disable()
    try:
        yield
    finally:
        if rests:
            gc.enable()


class _OwnPass:
    """The first pass to run `top` while the hooks are on. Afterwards it is known by its number."""

    __slots__ = ("number", "top")

    def __init__(self, top: compat.GradFn) -> None:
        self.top = top
        self.number: int | None = None


class _Hook:
    """Tells of one node in our pass and is silent in others.

    An object and not a closure: of those, with their cells, five would be made for each node, and the garbage collector
    would go through the whole graph more often than the pass takes.
    """

    __slots__ = ("_fn", "_own", "_tell")

    def __init__(self, own: _OwnPass, fn: compat.GradFn, tell: Tell) -> None:
        self._own = own
        self._fn = fn
        self._tell = tell

    def __call__(self, gradients: Gradients, _given: Gradients = ()) -> None:
        own = self._own
        number = compat.pass_number()
        if own.number is None and self._fn is own.top:
            own.number = number
        if number == own.number:
            with compat.as_plain_tensors():
                self._tell(self._fn, gradients)
