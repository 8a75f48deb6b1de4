"""Settings of PyTorch's libraries, which programs read and assign. Nothing here reads them: NumPy and CuPy have none.

cudnn, cuda, mps    one module each, as in PyTorch
"""

from minitorch.compat.backends import cuda, cudnn, mps

__all__ = ["cuda", "cudnn", "mps"]
