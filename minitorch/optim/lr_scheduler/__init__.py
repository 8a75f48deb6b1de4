"""Learning rates that change as training goes on. `scheduler.step()` comes after `optimizer.step()`."""

from typing import TYPE_CHECKING

from minitorch.lazy_imports import homes_of, lazy_attributes
from minitorch.optim.lr_scheduler.cosine import CosineAnnealingLR
from minitorch.optim.lr_scheduler.factors import LambdaLR, StepLR
from minitorch.optim.lr_scheduler.one_cycle import OneCycleLR
from minitorch.optim.lr_scheduler.scheduler import LRScheduler

__all__ = ["ChainedScheduler", "ConstantLR", "CosineAnnealingLR", "CosineAnnealingWarmRestarts", "CyclicLR"]
__all__ += ["ExponentialLR", "LRScheduler", "LambdaLR", "LinearLR", "MultiStepLR", "MultiplicativeLR"]
__all__ += ["OneCycleLR", "PolynomialLR", "ReduceLROnPlateau", "SequentialLR", "StepLR"]

if TYPE_CHECKING:  # for editors and type checkers, which follow no `__getattr__`
    from minitorch.compat.optim.lr_scheduler.cyclic import CosineAnnealingWarmRestarts, CyclicLR
    from minitorch.compat.optim.lr_scheduler.factors import (
        ConstantLR,
        ExponentialLR,
        LinearLR,
        MultiplicativeLR,
        MultiStepLR,
        PolynomialLR,
    )
    from minitorch.compat.optim.lr_scheduler.sequential import ChainedScheduler, ReduceLROnPlateau, SequentialLR

_LATER = homes_of(
    "minitorch.compat.optim.lr_scheduler",
    {
        "cyclic": "CosineAnnealingWarmRestarts CyclicLR",
        "factors": "ConstantLR ExponentialLR LinearLR MultiplicativeLR MultiStepLR PolynomialLR",
        "sequential": "ChainedScheduler ReduceLROnPlateau SequentialLR",
    },
)

if not TYPE_CHECKING:  # else a checker would believe that there is any name whatever
    __getattr__, __dir__ = lazy_attributes("minitorch.optim.lr_scheduler", _LATER, __all__)
