"""`assert_close`: another name of `minitorch.compat.testing`, the same module."""

import sys

from minitorch.compat import testing as _testing
from minitorch.compat.testing import *

sys.modules[__name__] = _testing
