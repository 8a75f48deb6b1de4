"""Training without writing the loop: `fit`, with a progress bar, evaluation, early stopping and exact resumption."""

from minitorch.train.evaluation import accuracy, evaluate
from minitorch.train.history import History
from minitorch.train.loop import fit

__all__ = ["History", "accuracy", "evaluate", "fit"]
