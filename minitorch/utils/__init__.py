"""Where PyTorch programs look for data sets and for checkpointing.

data          what `minitorch.data` offers of PyTorch's names
checkpoint    checkpoint and checkpoint_sequential
"""

from minitorch.utils import checkpoint, data

__all__ = ["checkpoint", "data"]
