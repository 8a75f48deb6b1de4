"""autocast and GradScaler, where older PyTorch programs import them from. They are those of `minitorch.amp`."""

from minitorch.compat.amp import GradScaler, autocast

__all__ = ["GradScaler", "autocast"]
