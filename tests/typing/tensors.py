"""What a user writes with Tensors: a type checker knows every result."""

from typing import assert_type

import numpy as np

import minitorch as mt
from minitorch import Tensor

x = mt.randn(2, 2, requires_grad=True)
assert_type(x, Tensor)

# operators
assert_type(x + x, Tensor)
assert_type(2 * x - 1, Tensor)
assert_type(1 / x, Tensor)
assert_type(-(x**2), Tensor)
assert_type(x @ x, Tensor)
assert_type(x + np.ones(2), Tensor)
assert_type(x > 0, Tensor)
assert_type((x > 0) & (x < 1), Tensor)
assert_type(x[0], Tensor)
assert_type(x.T, Tensor)

# methods and functions
assert_type(x.sum(dim=0, keepdim=True), Tensor)
assert_type(x.exp().mean(), Tensor)
assert_type(x.reshape(4, 1), Tensor)
assert_type(x.view((1, -1)), Tensor)
assert_type(x.softmax(1), Tensor)
assert_type(mt.exp(x), Tensor)
assert_type(mt.mul(x, 3.0), Tensor)
assert_type(mt.sum(x, 0), Tensor)
assert_type(mt.cat([x, x], dim=1), Tensor)
assert_type(mt.where(x > 0, x, 0.0), Tensor)
assert_type(mt.linalg.inv(x), Tensor)
assert_type(mt.einsum("ij->i", x), Tensor)

# arrays, lists and numbers go in where Tensors do
assert_type(mt.tensor([[1.0, 2.0]], dtype="float64"), Tensor)
assert_type(mt.as_tensor(np.ones(3)), Tensor)
assert_type(mt.add([1.0, 2.0], np.ones(2)), Tensor)
assert_type(mt.zeros(2, 3), Tensor)
assert_type(mt.ones((2, 3)), Tensor)

# in place, and what a Tensor is to Python
y = mt.zeros(2)
y += 1
assert_type(y, Tensor)
assert_type(y.add_(1), Tensor)
assert_type(list(y), list[Tensor])
assert_type(y.shape, tuple[int, ...])
assert_type(y.requires_grad, bool)
assert_type(len(y), int)

# gradients
x.sum().backward()
assert_type(mt.grad((x * x).sum(), x), tuple[Tensor | None, ...])
with mt.no_grad():
    assert_type(x * 2, Tensor)
