"""`minitorch.signal.windows`, where programs look for it.

windows    the windows of signal processing
"""

from minitorch.compat.signal import windows

__all__ = ["windows"]
