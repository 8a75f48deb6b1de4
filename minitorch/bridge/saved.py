"""The tensors that an operation saves for its backward pass, in boxes that the executor can empty."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch.autograd.graph import saved_tensors_hooks

from minitorch.bridge import compat


class Box:
    """One saved tensor, detached: a `grad_fn` that saved its own result would otherwise hold itself."""

    __slots__ = ("tensor", "version")

    def __init__(self, tensor: torch.Tensor) -> None:
        with compat.as_plain_tensors():
            self.tensor: torch.Tensor | None = tensor.detach()
            self.version = compat.version(tensor)


class Saved:
    """The pack and unpack hooks of one operation.

    PyTorch holds the boxes, not this object: when its own backward pass lets go of them they are gone.
    """

    __slots__ = ("_opened",)

    def __init__(self) -> None:
        self._opened: list[Box] | None = None

    def open(self) -> None:
        """From now on the boxes that are opened are listed."""
        self._opened = []

    def close(self) -> list[Box]:
        """The boxes that were opened since `open`."""
        opened, self._opened = self._opened or [], None
        return opened

    def pack(self, tensor: torch.Tensor) -> Box:
        """Called by PyTorch when the operation saves a tensor."""
        return Box(tensor)

    def unpack(self, box: Box) -> torch.Tensor:
        """Called by PyTorch when the backward pass needs it. Raises RuntimeError when it was freed or modified."""
        tensor = box.tensor
        if tensor is None:
            raise RuntimeError(
                "Trying to backward through the graph a second time: the saved tensors have been freed. "
                "Specify retain_graph=True the first time"
            )
        if compat.version(tensor) != box.version:
            raise RuntimeError(
                f"one of the variables needed for gradient computation has been modified by an inplace operation: "
                f"[{tensor.type()} {list(tensor.shape)}] is at version {compat.version(tensor)}; expected version "
                f"{box.version} instead"
            )
        if self._opened is not None:
            self._opened.append(box)
        return tensor


@contextmanager
def saving() -> Iterator[Saved | None]:
    """What is saved in this block goes into boxes, unless somebody else, such as checkpoint, decides how to save.

    Where two recordings see the same call, both get the boxes of the outer one.
    """
    taken, hook = compat.pack_hook()
    if taken:
        owner = getattr(hook, "__self__", None)
        yield owner if isinstance(owner, Saved) else None
        return
    saved = Saved()
    with saved_tensors_hooks(saved.pack, saved.unpack):
        yield saved
