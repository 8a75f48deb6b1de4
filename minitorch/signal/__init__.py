"""Windows of signal processing: another name of `minitorch.compat.signal`, the same package."""

import sys

from minitorch.compat import signal as _signal
from minitorch.compat.signal import *

sys.modules[__name__] = _signal
