"""torch.utils.checkpoint: memory for time, from `minitorch.autograd`."""

from minitorch.autograd.checkpoint import checkpoint
from minitorch.compat.autograd.checkpoint import checkpoint_sequential

__all__ = ["checkpoint", "checkpoint_sequential"]
