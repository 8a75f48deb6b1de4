"""Data sets and checkpointing under `torch.utils`'s names.

data          what `minitorch.data` offers of PyTorch's names
checkpoint    checkpoint and checkpoint_sequential
"""

from typing import TYPE_CHECKING

from minitorch.compat.utils import checkpoint, data

__all__ = ["checkpoint", "data"]

if not TYPE_CHECKING:  # else a checker would believe that there is any name whatever

    def __getattr__(name: str) -> object:
        """Raises AttributeError that says which name was meant, or why there is none."""
        from minitorch.absent import not_found

        raise not_found("module 'minitorch.utils'", name, __all__)
