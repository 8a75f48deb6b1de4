"""Tensors, their operators and methods, and gradients of gradients."""

from typing import Any, reveal_type

import numpy as np

import minitorch as mt
from minitorch import Tensor
from minitorch.autograd import Function

x = mt.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
reveal_type(x)
reveal_type(x + 1)
reveal_type(2 / x)
reveal_type(x @ x.T)
reveal_type(x > 0)
reveal_type(x[0, 1])
reveal_type(x[x > 1])
reveal_type(x.shape)
reveal_type(x.dtype)
reveal_type(x.grad)
reveal_type(x.data)
reveal_type(x.detach().numpy())
reveal_type(x.sum().item())
reveal_type(x.tolist())
reveal_type(x.size())
reveal_type(x.size(0))
reveal_type(x.numel())
reveal_type(x.max(dim=1))
reveal_type(x.max())
reveal_type(x.max(1).values)
reveal_type(x.sort().indices)
reveal_type(x.topk(1))
reveal_type(x.unbind())
reveal_type(x.split(1))
reveal_type(x.to("float64"))
reveal_type(x.view(-1))
reveal_type(x.permute(1, 0))
reveal_type(x.detach().add_(1).relu_().mul_(2))
reveal_type(x.detach().fill_(0.5))
reveal_type(x.clone().requires_grad_())
reveal_type(x.backward)
reveal_type(mt.grad(x.sum(), [x]))
reveal_type(mt.autograd.grad(x.sum(), x))
reveal_type(mt.cat([x, x], dim=1))
reveal_type(mt.where(x > 1, x, 0.0))
reveal_type(mt.einsum("ij,jk->ik", x, x))
reveal_type(mt.arange(3))
reveal_type(mt.unique(x))
reveal_type(mt.meshgrid(mt.arange(2), mt.arange(3)))
reveal_type(mt.from_numpy(np.ones(2)))
reveal_type(mt.Generator().manual_seed(1))
reveal_type(mt.rand(2, generator=mt.Generator()))
reveal_type(mt.allclose(x, x))
reveal_type(mt.is_grad_enabled())
reveal_type(mt.float32)
for row in x:
    reveal_type(row)


class Double(Function):
    """2 · x, with a rule of its own."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        """2 · x."""
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Tensor:
        """2 · g."""
        return g * 2


reveal_type(Double.apply(x))
reveal_type(mt.func.grad(lambda v: (v**2).sum())(x))
reveal_type(mt.func.vmap(lambda v: v.sum())(x))
