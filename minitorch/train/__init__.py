"""Training without writing the loop: `fit`, with a progress bar, evaluation, early stopping and exact resumption.

loop, _checks          `fit`, and what it looks at before it trains
evaluation, history    how good a model is on other data; what happened
callbacks, _progress   who else is told of it: callbacks, and the bar
"""

from minitorch.train.callbacks import Callback
from minitorch.train.evaluation import accuracy, evaluate
from minitorch.train.history import History
from minitorch.train.loop import fit

__all__ = ["Callback", "History", "accuracy", "evaluate", "fit"]
