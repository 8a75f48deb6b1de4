"""Settings of PyTorch's libraries: another name of `minitorch.compat.backends`, the same package."""

import sys

from minitorch.compat import backends as _backends
from minitorch.compat.backends import *

sys.modules[__name__] = _backends
