"""Questions about what computes beside the CPU: another name of `minitorch.compat.accelerator`, the same package."""

import sys

from minitorch.compat import accelerator as _accelerator
from minitorch.compat.accelerator import *

sys.modules[__name__] = _accelerator
