"""Optimisers: what a gradient does to a parameter. `lr_scheduler` changes their learning rates as training goes on.

optimizer, _scratch   what all have in common; room for what a step computes
sgd, adam             the two that most trainings need, AdamW in adam
rmsprop, adadelta     what Adam grew out of; steps measured by the steps before
lbfgs, _line_search   for problems without noise: curvature from the last gradients; how far to go along a direction
swa_utils             weights averaged over steps; imported when it is asked for, as the rare ones of `compat.optim`
"""

from typing import TYPE_CHECKING

from minitorch.lazy_imports import homes_of, lazy_attributes
from minitorch.optim import lr_scheduler
from minitorch.optim.adadelta import Adadelta
from minitorch.optim.adam import Adam, AdamW
from minitorch.optim.lbfgs import LBFGS
from minitorch.optim.optimizer import Optimizer
from minitorch.optim.rmsprop import RMSprop
from minitorch.optim.sgd import SGD

__all__ = ["ASGD", "Adadelta", "Adafactor", "Adagrad", "Adam", "AdamW", "Adamax", "LBFGS", "Muon", "NAdam", "Optimizer"]
__all__ += ["RAdam", "RMSprop", "Rprop", "SGD", "lr_scheduler"]

if TYPE_CHECKING:  # for editors and type checkers, which follow no `__getattr__`
    from minitorch.compat.optim.adafactor import Adafactor
    from minitorch.compat.optim.adaptive import ASGD, Adagrad, Adamax, NAdam, RAdam, Rprop
    from minitorch.compat.optim.muon import Muon
    from minitorch.optim import swa_utils as swa_utils

_LATER = {"swa_utils": "minitorch.optim.swa_utils"} | homes_of(
    "minitorch.compat.optim",
    {
        "adafactor": "Adafactor",
        "adaptive": "ASGD Adagrad Adamax NAdam RAdam Rprop",
        "muon": "Muon",
    },
)

if not TYPE_CHECKING:  # else a checker would believe that there is any name whatever
    __getattr__, __dir__ = lazy_attributes("minitorch.optim", _LATER, __all__)
