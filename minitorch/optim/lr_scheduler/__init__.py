"""Learning rates that change as training goes on. `scheduler.step()` comes after `optimizer.step()`."""

from minitorch.optim.lr_scheduler.cosine import CosineAnnealingLR, CosineAnnealingWarmRestarts
from minitorch.optim.lr_scheduler.cyclic import CyclicLR
from minitorch.optim.lr_scheduler.factors import (
    ConstantLR,
    ExponentialLR,
    LambdaLR,
    LinearLR,
    MultiplicativeLR,
    MultiStepLR,
    PolynomialLR,
    StepLR,
)
from minitorch.optim.lr_scheduler.one_cycle import OneCycleLR
from minitorch.optim.lr_scheduler.plateau import ReduceLROnPlateau
from minitorch.optim.lr_scheduler.scheduler import LRScheduler
from minitorch.optim.lr_scheduler.sequential import ChainedScheduler, SequentialLR

__all__ = [
    "ChainedScheduler",
    "ConstantLR",
    "CosineAnnealingLR",
    "CosineAnnealingWarmRestarts",
    "CyclicLR",
    "ExponentialLR",
    "LRScheduler",
    "LambdaLR",
    "LinearLR",
    "MultiStepLR",
    "MultiplicativeLR",
    "OneCycleLR",
    "PolynomialLR",
    "ReduceLROnPlateau",
    "SequentialLR",
    "StepLR",
]
