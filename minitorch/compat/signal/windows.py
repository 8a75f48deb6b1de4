"""Windows under PyTorch's names: `minitorch.signal.windows.hann(8)`. Defined in `minitorch.compat.ops.windows`."""

from minitorch.compat.ops.windows import (
    bartlett,
    blackman,
    cosine,
    exponential,
    gaussian,
    general_cosine,
    general_hamming,
    hamming,
    hann,
    kaiser,
    nuttall,
)

__all__ = ["bartlett", "blackman", "cosine", "exponential", "gaussian", "general_cosine", "general_hamming", "hamming"]
__all__ += ["hann", "kaiser", "nuttall"]
