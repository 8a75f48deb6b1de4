"""Optimisers: what a gradient does to a parameter. `lr_scheduler` changes their learning rates as training goes on.

optimizer, _scratch   what all have in common; room for what a step computes
sgd, adam             the two that most trainings need, AdamW in adam
rmsprop, adagrad      the two that Adam grew out of
adaptive              its relatives: Adamax, NAdam, RAdam, Adadelta
asgd                  descent beside the average of its parameters
rprop                 steps that heed signs alone, for whole data sets
adafactor             Adam's denominator from one number for each row and column
muon                  for matrices: steps whose directions are about equally long
lbfgs, _line_search   for problems without noise: curvature from the last gradients; how far to go along a direction
swa_utils             weights averaged over steps; imported when it is asked for
"""

import importlib
from typing import TYPE_CHECKING

from minitorch.optim import lr_scheduler
from minitorch.optim.adafactor import Adafactor
from minitorch.optim.adagrad import Adagrad
from minitorch.optim.adam import Adam, AdamW
from minitorch.optim.adaptive import Adadelta, Adamax, NAdam, RAdam
from minitorch.optim.asgd import ASGD
from minitorch.optim.lbfgs import LBFGS
from minitorch.optim.muon import Muon
from minitorch.optim.optimizer import Optimizer
from minitorch.optim.rmsprop import RMSprop
from minitorch.optim.rprop import Rprop
from minitorch.optim.sgd import SGD

__all__ = ["ASGD", "Adadelta", "Adafactor", "Adagrad", "Adam", "AdamW", "Adamax", "LBFGS", "Muon", "NAdam", "Optimizer"]
__all__ += ["RAdam", "RMSprop", "Rprop", "SGD", "lr_scheduler"]

if TYPE_CHECKING:
    from minitorch.optim import swa_utils as swa_utils

if not TYPE_CHECKING:  # else a checker would believe that there is any name whatever

    def __getattr__(name: str) -> object:
        """The part that is imported when it is asked for. Raises AttributeError that says which name was meant."""
        if name == "swa_utils":
            return importlib.import_module("minitorch.optim.swa_utils")
        from minitorch.absent import not_found

        raise not_found("module 'minitorch.optim'", name, __all__)
