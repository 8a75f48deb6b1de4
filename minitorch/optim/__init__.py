"""Optimisers: what a gradient does to a parameter. `lr_scheduler` changes their learning rates as training goes on.

optimizer, _scratch   what all have in common; room for what a step computes
sgd, adam             the two that most trainings need, AdamW in adam
rmsprop, adagrad      the two that Adam grew out of
"""

from minitorch.optim import lr_scheduler
from minitorch.optim.adagrad import Adagrad
from minitorch.optim.adam import Adam, AdamW
from minitorch.optim.optimizer import Optimizer
from minitorch.optim.rmsprop import RMSprop
from minitorch.optim.sgd import SGD

__all__ = ["Adagrad", "Adam", "AdamW", "Optimizer", "RMSprop", "SGD", "lr_scheduler"]
