"""Looking on while PyTorch's engine runs nodes: hooks for one pass, which know their own pass from others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
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
    try:
        for fn in fns:
            handles.append(fn.register_prehook(own.only(fn, before)))
            if after is not None:
                handles.append(fn.register_hook(own.only(fn, after)))
        yield
    finally:
        for handle in handles:
            handle.remove()


class _OwnPass:
    """The first pass to run `top` while the hooks are on. Afterwards it is known by its number."""

    def __init__(self, top: compat.GradFn) -> None:
        self._top = top
        self._number: int | None = None

    def only(self, fn: compat.GradFn, tell: Tell) -> Callable[..., None]:
        """A hook that tells of our pass and is silent in others."""

        def hook(gradients: Gradients, _given: Gradients = ()) -> None:
            number = compat.pass_number()
            if self._number is None and fn is self._top:
                self._number = number
            if number == self._number:
                with compat.as_plain_tensors():
                    tell(fn, gradients)

        return hook
