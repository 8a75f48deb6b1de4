"""Mixed precision: another name of `minitorch.compat.amp`, the same module."""

import sys

from minitorch.compat import amp as _amp
from minitorch.compat.amp import *

sys.modules[__name__] = _amp
