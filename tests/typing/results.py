"""Results with named fields, and results whose type depends on an argument."""

from typing import assert_type

import minitorch as mt
from minitorch import Tensor

x = mt.tensor([[3.0, 1.0, 2.0]])

# of all one Tensor, along an axis values and indices
assert_type(x.max(), Tensor)
assert_type(x.max(1).values, Tensor)
assert_type(mt.min(x, dim=1).indices, Tensor)
assert_type(mt.max(x, x), Tensor)
assert_type(x.median(), Tensor)
assert_type(x.median(dim=1).values, Tensor)

assert_type(x.sort(descending=True).indices, Tensor)
assert_type(x.topk(2).values, Tensor)
values, indices = mt.topk(x, 2, dim=1)
assert_type(indices, Tensor)
assert_type(x.aminmax().min, Tensor)
assert_type(mt.linalg.slogdet(mt.eye(2)).logabsdet, Tensor)

# tuples
assert_type(mt.split(x, 1, dim=1), tuple[Tensor, ...])
assert_type(x.unbind(0), tuple[Tensor, ...])
assert_type(mt.std_mean(x), tuple[Tensor, Tensor])
assert_type(mt.where(x > 1), tuple[Tensor, ...])
assert_type(mt.nonzero(x), Tensor)
assert_type(x.nonzero(as_tuple=True), tuple[Tensor, ...])
assert_type(mt.unique(x), Tensor)

# Python's own
assert_type(x.equal(x), bool)
assert_type(mt.allclose(x, 1.0), bool)
