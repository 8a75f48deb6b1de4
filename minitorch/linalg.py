"""Linear algebra: another name of `minitorch.compat.linalg`, the same module."""

import sys

from minitorch.compat import linalg as _linalg
from minitorch.compat.linalg import *

sys.modules[__name__] = _linalg
