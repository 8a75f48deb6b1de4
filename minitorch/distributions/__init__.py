"""Probability distributions: another name of `minitorch.compat.distributions`, the same package."""

import sys

from minitorch.compat import distributions as _distributions
from minitorch.compat.distributions import *

sys.modules[__name__] = _distributions
