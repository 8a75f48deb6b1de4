"""Random programs run on minitorch and on PyTorch: the same value, gradients and second derivatives."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from programs import FEW, Program, programs

from minitorch import Tensor, grad

torch: Any = pytest.importorskip("torch", reason="PyTorch is not installed: central differences judge the programs")


def weighted(slopes: Any, as_tensor: Any) -> Any:
    """One number made of all first derivatives."""
    total: Any = 0.0
    for slope in slopes:
        if slope is not None:
            weights = np.cos(np.arange(float(slope.numel()))).reshape(tuple(slope.shape))
            total = total + (slope * as_tensor(weights)).sum()
    return total


@FEW
@given(programs(longest=8))
def test_value_gradients_and_second_derivatives_are_pytorchs(program: Program) -> None:
    ours = [Tensor(array, requires_grad=True) for array in program.inputs()]
    theirs = [torch.tensor(array, requires_grad=True) for array in program.inputs()]
    our_loss, their_loss = program.loss(ours), program.loss(theirs)
    np.testing.assert_allclose(our_loss.item(), their_loss.item(), rtol=1e-12, atol=1e-13)
    our_slopes = grad(our_loss, ours, create_graph=True, allow_unused=True)
    their_slopes = torch.autograd.grad(their_loss, theirs, create_graph=True, allow_unused=True)
    for our, their in zip(our_slopes, their_slopes, strict=True):
        assert (our is None) == (their is None)
        if our is not None:
            np.testing.assert_allclose(our.data, their.detach().numpy(), rtol=1e-10, atol=1e-12)
    our_number, their_number = weighted(our_slopes, Tensor), weighted(their_slopes, torch.tensor)
    if not their_number.requires_grad:
        return
    our_seconds = grad(our_number, ours, materialize_grads=True) if our_number.requires_grad else [x * 0 for x in ours]
    their_seconds = torch.autograd.grad(their_number, theirs, materialize_grads=True)
    for our, their in zip(our_seconds, their_seconds, strict=True):
        np.testing.assert_allclose(our.data, their.detach().numpy(), rtol=1e-8, atol=1e-10)
