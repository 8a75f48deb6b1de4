"""What a PyTorch program catches is caught: an error is of the kind that PyTorch raises for the same call.

Each row is a wrong call and what PyTorch raises; where PyTorch is installed, it is asked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minitorch
from minitorch import errors

CALLS: dict[str, tuple[type[Exception], Callable[[Any], Any]]] = {
    # shapes of operands
    "add": (RuntimeError, lambda m: m.zeros(2, 3) + m.zeros(4)),
    "mul of leaves": (RuntimeError, lambda m: m.zeros(2, requires_grad=True) * m.zeros(3, requires_grad=True)),
    "maximum": (RuntimeError, lambda m: m.maximum(m.zeros(2, 3), m.zeros(2))),
    "where": (RuntimeError, lambda m: m.where(m.zeros(2, 3) > 0, m.zeros(2, 3), m.zeros(4))),
    "lt": (RuntimeError, lambda m: m.zeros(2, 3) < m.zeros(4)),
    "isclose": (RuntimeError, lambda m: m.isclose(m.zeros(2), m.zeros(3))),
    "lerp": (RuntimeError, lambda m: m.lerp(m.zeros(2), m.zeros(3), 0.5)),
    "matmul": (RuntimeError, lambda m: m.zeros(2, 3) @ m.zeros(2, 3)),
    "matmul of batches": (RuntimeError, lambda m: m.zeros(2, 2, 3) @ m.zeros(4, 3, 1)),
    "mm": (RuntimeError, lambda m: m.mm(m.zeros(2, 3), m.zeros(3))),
    "bmm": (RuntimeError, lambda m: m.bmm(m.zeros(2, 2, 3), m.zeros(3, 3, 2))),
    "mv": (RuntimeError, lambda m: m.mv(m.zeros(2, 3), m.zeros(2))),
    "dot": (RuntimeError, lambda m: m.dot(m.zeros(2), m.zeros(3))),
    "inner": (RuntimeError, lambda m: m.inner(m.zeros(2, 3), m.zeros(2, 2))),
    "outer": (RuntimeError, lambda m: m.outer(m.zeros(2, 3), m.zeros(2))),
    "addmm": (RuntimeError, lambda m: m.addmm(m.zeros(5), m.zeros(2, 3), m.zeros(3, 4))),
    "trace": (RuntimeError, lambda m: m.trace(m.zeros(3))),
    "einsum": (RuntimeError, lambda m: m.einsum("ij,jk->ik", m.zeros(2, 3), m.zeros(2, 3))),
    "einsum of three axes": (RuntimeError, lambda m: m.einsum("ij", m.zeros(2, 3, 4))),
    "tensordot": (RuntimeError, lambda m: m.tensordot(m.zeros(2, 3), m.zeros(2, 3), 1)),
    "cdist": (RuntimeError, lambda m: m.cdist(m.zeros(2, 3), m.zeros(2, 4))),
    # other shapes
    "reshape": (RuntimeError, lambda m: m.zeros(2, 3).reshape(4, 2)),
    "view": (RuntimeError, lambda m: m.zeros(2, 3).view(4, -1)),
    "permute": (RuntimeError, lambda m: m.zeros(2, 3).permute(0, 0)),
    "permute of too few": (RuntimeError, lambda m: m.zeros(2, 3).permute(0)),
    "expand": (RuntimeError, lambda m: m.zeros(2, 3).expand(2, 4)),
    "broadcast_tensors": (RuntimeError, lambda m: m.broadcast_tensors(m.zeros(2), m.zeros(3))),
    "t": (RuntimeError, lambda m: m.zeros(2, 3, 4).t()),
    "unflatten": (RuntimeError, lambda m: m.zeros(6).unflatten(0, (4, 2))),
    "flatten": (RuntimeError, lambda m: m.zeros(2, 3).flatten(1, 0)),
    "repeat": (RuntimeError, lambda m: m.zeros(2, 3).repeat(2)),
    "movedim": (RuntimeError, lambda m: m.movedim(m.zeros(2, 3), (0, 1), (0, 0))),
    "cat": (RuntimeError, lambda m: m.cat([m.zeros(2, 3), m.zeros(2, 4)])),
    "cat of other axes": (RuntimeError, lambda m: m.cat([m.zeros(2, 3), m.zeros(2, 3, 1)])),
    "stack": (RuntimeError, lambda m: m.stack([m.zeros(2, 3), m.zeros(3)])),
    "stack of nothing": (RuntimeError, lambda m: m.stack([])),
    "split": (RuntimeError, lambda m: m.split(m.zeros(5), [2, 2])),
    "chunk": (RuntimeError, lambda m: m.chunk(m.zeros(5), 0)),
    "diagonal": (RuntimeError, lambda m: m.diagonal(m.zeros(2, 2), 0, 1, 1)),
    "diag": (RuntimeError, lambda m: m.diag(m.zeros(2, 2, 2))),
    "tril": (RuntimeError, lambda m: m.tril(m.zeros(3))),
    "roll": (RuntimeError, lambda m: m.roll(m.zeros(3), (1, 2), (0,))),
    "fliplr": (RuntimeError, lambda m: m.fliplr(m.zeros(3))),
    # axes and places
    "sum over no axis": (IndexError, lambda m: m.zeros(2, 3).sum(dim=2)),
    "sum twice": (RuntimeError, lambda m: m.zeros(2, 3).sum(dim=(0, 0))),
    "softmax": (IndexError, lambda m: m.zeros(2, 3).softmax(dim=2)),
    "max": (IndexError, lambda m: m.zeros(2, 3).max(dim=2)),
    "max of nothing": (RuntimeError, lambda m: m.zeros(0).max()),
    "squeeze": (IndexError, lambda m: m.zeros(2, 3).squeeze(2)),
    "unsqueeze": (IndexError, lambda m: m.zeros(2, 3).unsqueeze(4)),
    "transpose": (IndexError, lambda m: m.zeros(2, 3).transpose(0, 2)),
    "a row": (IndexError, lambda m: m.zeros(2, 3)[2]),
    "too many indices": (IndexError, lambda m: m.zeros(2, 3)[0, 0, 0]),
    "rows": (IndexError, lambda m: m.zeros(2, 3)[m.tensor([0, 5])]),
    "a mask": (IndexError, lambda m: m.zeros(2, 3)[m.tensor([True, False, True])]),
    "floats as places": (IndexError, lambda m: m.zeros(3)[m.tensor([0.0])]),
    "select": (IndexError, lambda m: m.zeros(2, 3).select(0, 2)),
    "narrow": (RuntimeError, lambda m: m.zeros(2, 3).narrow(0, 1, 2)),
    "gather": (RuntimeError, lambda m: m.zeros(2).gather(0, m.tensor([2]))),
    "gather of other axes": (RuntimeError, lambda m: m.zeros(2, 2).gather(0, m.tensor([1]))),
    "index_select": (IndexError, lambda m: m.index_select(m.zeros(2), 0, m.tensor([2]))),
    "scatter": (RuntimeError, lambda m: m.zeros(2).scatter(0, m.tensor([2]), 1.0)),
    "scatter_add": (RuntimeError, lambda m: m.zeros(2).scatter_add(0, m.tensor([5]), m.ones(1))),
    "index_add": (IndexError, lambda m: m.zeros(2).index_add(0, m.tensor([5]), m.ones(1))),
    "index_add of other shapes": (RuntimeError, lambda m: m.zeros(2, 3).index_add(0, m.tensor([0]), m.ones(1, 2))),
    "masked_fill": (RuntimeError, lambda m: m.zeros(2, 3).masked_fill(m.tensor([True, False]), 1.0)),
    "masked_select": (RuntimeError, lambda m: m.masked_select(m.zeros(2, 3), m.tensor([True, False]))),
    "topk": (RuntimeError, lambda m: m.topk(m.zeros(3), 5)),
    "item assignment": (RuntimeError, lambda m: m.zeros(2, 3).__setitem__(0, m.zeros(4))),
    # a Tensor as one number, its memory, its gradient
    "item": (RuntimeError, lambda m: m.zeros(2).item()),
    "truth": (RuntimeError, lambda m: bool(m.zeros(2))),
    "float": (ValueError, lambda m: float(m.zeros(2))),
    "iterating": (TypeError, lambda m: list(m.zeros(()))),
    "len": (TypeError, lambda m: len(m.zeros(()))),
    "lists of unequal lengths": (ValueError, lambda m: m.tensor([[1.0], [1.0, 2.0]])),
    "backward of several": (RuntimeError, lambda m: m.zeros(2, requires_grad=True).mul(2).backward()),
    "backward of a constant": (RuntimeError, lambda m: m.zeros(()).backward()),
    "backward of another shape": (RuntimeError, lambda m: m.zeros(2, requires_grad=True).mul(2).backward(m.ones(3))),
    "add_": (RuntimeError, lambda m: m.zeros(2).add_(m.zeros(3))),
    "add_ that stretches": (RuntimeError, lambda m: m.zeros(1).add_(m.zeros(3))),
    "add_ of floats to integers": (RuntimeError, lambda m: m.tensor([1, 2]).add_(m.tensor([0.5, 0.5]))),
    "copy_": (RuntimeError, lambda m: m.zeros(2).copy_(m.zeros(3))),
    "a gradient of integers": (RuntimeError, lambda m: m.tensor([1, 2]).requires_grad_()),
    "integers that require grad": (RuntimeError, lambda m: m.tensor([1, 2], requires_grad=True)),
    "a parameter of integers": (RuntimeError, lambda m: m.nn.Parameter(m.tensor([1, 2]))),
    "a leaf changed": (RuntimeError, lambda m: m.zeros(2, requires_grad=True).add_(1)),
    # kinds of numbers
    "matmul of kinds": (RuntimeError, lambda m: m.zeros(2, 2) @ m.zeros(2, 2, dtype=m.float64)),
    "matmul of floats and integers": (RuntimeError, lambda m: m.zeros(2, 2) @ m.zeros(2, 2, dtype=m.int64)),
    "linear of integers": (RuntimeError, lambda m: m.nn.functional.linear(m.tensor([[1, 2]]), m.zeros(3, 2))),
    "bits of floats": (RuntimeError, lambda m: m.zeros(2) & m.zeros(2)),
    "conv1d of kinds": (
        RuntimeError,
        lambda m: m.nn.functional.conv1d(m.zeros(1, 1, 3), m.zeros(1, 1, 1, dtype=m.float64)),
    ),
    # numbers that are refused
    "multinomial": (RuntimeError, lambda m: m.multinomial(m.zeros(3), 1)),
    "multinomial of too many": (RuntimeError, lambda m: m.multinomial(m.ones(3), 5)),
    "bernoulli": (RuntimeError, lambda m: m.bernoulli(m.full((2,), 2.0))),
    "arange": (RuntimeError, lambda m: m.arange(3, 0)),
    "normal": (RuntimeError, lambda m: m.normal(m.zeros(2), m.full((2,), -1.0))),
    "randint": (RuntimeError, lambda m: m.randint(3, 3, (2,))),
    "zeros of a negative size": (RuntimeError, lambda m: m.zeros(-1)),
    # linear algebra
    "inv": (RuntimeError, lambda m: m.linalg.inv(m.zeros(2, 2))),
    "inv of a wide one": (RuntimeError, lambda m: m.linalg.inv(m.zeros(2, 3))),
    "solve": (RuntimeError, lambda m: m.linalg.solve(m.zeros(2, 2), m.zeros(2))),
    "solve of other shapes": (RuntimeError, lambda m: m.linalg.solve(m.eye(2), m.zeros(3))),
    "cholesky": (RuntimeError, lambda m: m.linalg.cholesky(m.zeros(2, 2))),
    "det": (RuntimeError, lambda m: m.linalg.det(m.zeros(2, 3))),
    "eigh": (RuntimeError, lambda m: m.linalg.eigh(m.zeros(2, 3))),
    "qr of a vector": (RuntimeError, lambda m: m.linalg.qr(m.zeros(3))),
    "svd of integers": (RuntimeError, lambda m: m.linalg.svd(m.tensor([[1, 2], [3, 4]]))),
    "lstsq": (RuntimeError, lambda m: m.linalg.lstsq(m.zeros(3, 2), m.zeros(2, 1))),
    "matrix_power": (RuntimeError, lambda m: m.linalg.matrix_power(m.zeros(2, 3), 2)),
    # layers, losses
    "Linear": (RuntimeError, lambda m: m.nn.Linear(3, 2)(m.zeros(4, 2))),
    "Conv2d": (RuntimeError, lambda m: m.nn.Conv2d(3, 4, 3)(m.zeros(1, 2, 5, 5))),
    "Conv2d of two axes": (RuntimeError, lambda m: m.nn.Conv2d(3, 4, 3)(m.zeros(5, 5))),
    "a kernel that is too large": (RuntimeError, lambda m: m.nn.Conv2d(1, 1, 3)(m.zeros(1, 1, 2, 2))),
    "MaxPool2d": (RuntimeError, lambda m: m.nn.MaxPool2d(3)(m.zeros(1, 1, 2, 2))),
    "BatchNorm1d": (RuntimeError, lambda m: m.nn.BatchNorm1d(3)(m.zeros(4, 2))),
    "BatchNorm2d of two axes": (ValueError, lambda m: m.nn.BatchNorm2d(3)(m.zeros(4, 3))),
    "BatchNorm1d of one sample": (ValueError, lambda m: m.nn.BatchNorm1d(3)(m.zeros(1, 3))),
    "LayerNorm": (RuntimeError, lambda m: m.nn.LayerNorm(3)(m.zeros(4, 2))),
    "GroupNorm": (RuntimeError, lambda m: m.nn.GroupNorm(2, 4)(m.zeros(4, 2))),
    "Embedding": (IndexError, lambda m: m.nn.Embedding(3, 2)(m.tensor([3]))),
    "Embedding of floats": (RuntimeError, lambda m: m.nn.Embedding(3, 2)(m.zeros(2))),
    "one_hot": (RuntimeError, lambda m: m.nn.functional.one_hot(m.tensor([3]), 2)),
    "LSTM": (RuntimeError, lambda m: m.nn.LSTM(3, 2)(m.zeros(4, 1, 5))),
    "LSTM from another state": (
        RuntimeError,
        lambda m: m.nn.LSTM(3, 2)(m.zeros(4, 1, 3), (m.zeros(1, 2, 2), m.zeros(1, 2, 2))),
    ),
    "GRUCell": (RuntimeError, lambda m: m.nn.GRUCell(3, 2)(m.zeros(4, 5))),
    "PixelShuffle": (RuntimeError, lambda m: m.nn.PixelShuffle(2)(m.zeros(1, 3, 2, 2))),
    "GLU": (RuntimeError, lambda m: m.nn.GLU()(m.zeros(2, 3))),
    "pad": (RuntimeError, lambda m: m.nn.functional.pad(m.zeros(1, 1, 2), (3, 3), mode="reflect")),
    "cross_entropy": (ValueError, lambda m: m.nn.functional.cross_entropy(m.zeros(2, 3), m.tensor([0]))),
    "cross_entropy of no class": (IndexError, lambda m: m.nn.functional.cross_entropy(m.zeros(2, 3), m.tensor([0, 5]))),
    "cross_entropy of floats": (RuntimeError, lambda m: m.nn.functional.cross_entropy(m.zeros(2, 3), m.zeros(2))),
    "nll_loss": (ValueError, lambda m: m.nn.functional.nll_loss(m.zeros(2, 3), m.tensor([0, 1, 2]))),
    "nll_loss of another weight": (
        RuntimeError,
        lambda m: m.nn.functional.nll_loss(m.zeros(2, 3), m.tensor([0, 1]), m.ones(2)),
    ),
    "mse_loss": (RuntimeError, lambda m: m.nn.functional.mse_loss(m.zeros(2), m.zeros(3))),
    "bce": (RuntimeError, lambda m: m.nn.functional.binary_cross_entropy(m.full((2,), 2.0), m.zeros(2))),
    "bce of other shapes": (ValueError, lambda m: m.nn.functional.binary_cross_entropy(m.zeros(2), m.zeros(3))),
    "bce with logits": (ValueError, lambda m: m.nn.functional.binary_cross_entropy_with_logits(m.zeros(2), m.zeros(3))),
    "attention": (
        RuntimeError,
        lambda m: m.nn.functional.scaled_dot_product_attention(m.zeros(1, 2, 3), m.zeros(1, 2, 4), m.zeros(1, 2, 4)),
    ),
    "load_state_dict": (RuntimeError, lambda m: m.nn.Linear(3, 2).load_state_dict({"weight": m.zeros(2, 2)})),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.filterwarnings("ignore:mse_loss")
def test_an_error_is_caught_as_in_pytorch(name: str) -> None:
    kind, call = CALLS[name]
    with pytest.raises(kind):
        call(minitorch)


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.filterwarnings("ignore:Using a target size")
def test_the_kind_is_the_one_that_pytorch_raises(name: str, torch: Any) -> None:
    kind, call = CALLS[name]
    with pytest.raises(kind):
        call(torch)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (errors.ShapeError, ValueError),
        (errors.OperandError, ValueError),
        (errors.IndexingError, IndexError),
        (errors.DtypeError, TypeError),
        (errors.LinAlgError, np.linalg.LinAlgError),
    ],
)
def test_each_is_caught_by_both_words(error: type[Exception], kind: type[Exception]) -> None:
    assert issubclass(error, kind)
    assert issubclass(error, RuntimeError)
    assert str(error("said")) == "said"
