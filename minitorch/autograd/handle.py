"""The old path of tensor_base.py: pickles of earlier versions name it."""

from minitorch.autograd.tensor_base import *
from minitorch.autograd.tensor_base import TensorBase as Handle  # noqa: F401
