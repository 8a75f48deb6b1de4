"""Errors that are of two kinds at once: the one that Python has for them, and the RuntimeError that PyTorch raises.

What does not fit is a ValueError to Python, and a program written for PyTorch waits for a RuntimeError. Each of
these is caught by both words:

    OperandError      a number, a size or an option that an operation cannot take; ShapeError: shapes that do not fit
    IndexingError     an index that an operation cannot take: of what is not there, or no index
    DtypeError        a kind of numbers that an operation cannot take
    LinAlgError       a matrix that cannot be inverted or factored
"""

from __future__ import annotations

import numpy as np

__all__ = ["DtypeError", "LinAlgError", "OperandError", "IndexingError", "ShapeError"]


class OperandError(ValueError, RuntimeError):
    """A number, size or option that an operation cannot take. A ValueError, and a RuntimeError as in PyTorch.

    >>> from minitorch import multinomial, zeros
    >>> try:
    ...     multinomial(zeros(3), 1)
    ... except RuntimeError as error:
    ...     print(error)
    multinomial: 1 places with a weight are needed in every row of shape (3,)
    """


class ShapeError(OperandError):
    """Shapes that do not fit together, or not the operation. A ValueError, and a RuntimeError as in PyTorch.

    >>> from minitorch import zeros
    >>> try:
    ...     zeros(2, 3) @ zeros(2, 3)
    ... except RuntimeError as error:
    ...     print(error)
    matmul: shapes (2, 3) and (2, 3): the inner sizes 3 and 2 must be equal
    """


class IndexingError(IndexError, RuntimeError):
    """An index that an operation cannot take. An IndexError, and a RuntimeError as PyTorch's `gather` raises it.

    >>> from minitorch import tensor
    >>> try:
    ...     tensor([1.0, 2.0]).gather(0, tensor([2]))
    ... except RuntimeError as error:
    ...     print(error)
    gather: index 2 is out of bounds for axis 0 with size 2 (the Tensor has shape (2,))
    """


class DtypeError(TypeError, RuntimeError):
    """A kind of numbers that an operation cannot take. A TypeError, and a RuntimeError as in PyTorch.

    >>> from minitorch import tensor
    >>> try:
    ...     tensor([1, 2]).requires_grad_()
    ... except RuntimeError as error:
    ...     print(error)
    only floats can have a gradient, not int64: use Tensor(values, dtype='float32')
    """


class LinAlgError(np.linalg.LinAlgError, RuntimeError):
    """A matrix that cannot be inverted or factored. NumPy's error of this name, and a RuntimeError as in PyTorch.

    >>> from minitorch import linalg, zeros
    >>> try:
    ...     linalg.cholesky(zeros(2, 2))
    ... except RuntimeError as error:
    ...     print(error)
    cholesky: the matrix of shape (2, 2) is not positive definite
    """
