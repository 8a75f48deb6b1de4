"""Questions about GPUs: another name of `minitorch.compat.cuda`, the same package."""

import sys

from minitorch.compat import cuda as _cuda
from minitorch.compat.cuda import *

sys.modules[__name__] = _cuda
