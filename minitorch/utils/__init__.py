"""Data sets and checkpointing: another name of `minitorch.compat.utils`, the same package."""

import sys

from minitorch.compat import utils as _utils
from minitorch.compat.utils import *

sys.modules[__name__] = _utils
