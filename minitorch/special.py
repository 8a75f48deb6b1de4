"""Special functions: another name of `minitorch.compat.special`, the same module."""

import sys

from minitorch.compat import special as _special
from minitorch.compat.special import *

sys.modules[__name__] = _special
