"""Gradients clipped, parameters in one vector."""

import math
import sys
from typing import Any

import fake_cupy
import numpy as np
import pytest

import minitorch
from minitorch import Tensor
from minitorch.nn import Parameter, utils

GRADIENTS = [np.array([[3.0, -4.0]]), np.array([12.0, 0.0, 0.5]), np.array(-1.0)]
NORM_TYPES = [2.0, 1.0, 3.5, math.inf, 0.0]


def parameters(gradients: list[Any] = GRADIENTS) -> list[Parameter]:
    made = [Parameter(np.zeros(np.shape(each))) for each in gradients]
    for parameter, gradient in zip(made, gradients, strict=True):
        parameter.grad = gradient
    return made


def gradients(of: list[Parameter]) -> np.ndarray:
    return np.concatenate([each.grad.ravel() for each in of])


@pytest.mark.parametrize(
    ("norm_type", "norm"), list(zip(NORM_TYPES, [math.sqrt(170.25), 20.5, None, 12.0, 3.0], strict=True))
)
def test_clip_grad_norm(norm_type: float, norm: Any) -> None:
    row = parameters()
    before, arrays = gradients(row), [each.grad for each in row]
    total = utils.clip_grad_norm_(iter(row), 2.0, norm_type)
    assert isinstance(total, Tensor)
    assert total.shape == ()
    wanted = (np.abs(before) ** norm_type).sum() ** (1 / norm_type) if norm is None else norm
    assert total.item() == pytest.approx(wanted, rel=1e-14)
    np.testing.assert_allclose(gradients(row), before * (2.0 / (wanted + 1e-6)), rtol=1e-14)
    assert all(each.grad is array for each, array in zip(row, arrays, strict=True))


def test_a_short_gradient_stays_bit_for_bit() -> None:
    row = parameters()
    before = gradients(row)
    utils.clip_grad_norm_(row, 100.0)
    np.testing.assert_array_equal(gradients(row), before)


def test_one_tensor_none_and_those_without_a_gradient() -> None:
    p = parameters()[0]
    assert utils.clip_grad_norm_(p, 1.0).item() == 5.0
    assert utils.clip_grad_norm_([], 1.0).item() == 0.0
    assert utils.clip_grad_norm_([Parameter(np.zeros(2))], 1.0).item() == 0.0
    assert utils.clip_grad_norm_([Parameter(np.zeros(2)), *parameters()], 1.0, math.inf).item() == 12.0
    assert utils.clip_grad_norm_(parameters([np.zeros((0, 2)), *GRADIENTS]), 1.0, math.inf).item() == 12.0


def test_float32_stays_float32() -> None:
    p = Parameter(Tensor([1.0, 2.0]))
    p.grad = np.array([3.0, 4.0])
    assert utils.clip_grad_norm_(p, 1.0).dtype == np.float32
    assert p.grad.dtype == np.float32


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_gradients_that_are_not_finite(bad: float) -> None:
    row = parameters([np.array([1.0, bad]), np.array([1.0])])
    with pytest.raises(RuntimeError, match=f"clip_grad_norm_: the norm of the gradients is {bad}, so they cannot be"):
        utils.clip_grad_norm_(row, 1.0, error_if_nonfinite=True)
    assert row[1].grad.item() == 1.0
    utils.clip_grad_norm_(row, 1.0)
    assert math.isnan(row[1].grad.item()) == math.isnan(bad)


def test_clip_grad_value() -> None:
    row = parameters()
    array = row[0].grad
    utils.clip_grad_value_(row, 2.5)
    assert [each.grad.tolist() for each in row] == [[[2.5, -2.5]], [2.5, 0.0, 0.5], -1.0]
    assert row[0].grad is array


@pytest.mark.parametrize("bad", [-1.0, math.nan])
def test_negative_lengths(bad: float) -> None:
    with pytest.raises(ValueError, match=f"max_norm is a length and not negative, unlike {bad}"):
        utils.clip_grad_norm_(parameters(), bad)
    with pytest.raises(ValueError, match=f"clip_value is a bound and not negative, unlike {bad}"):
        utils.clip_grad_value_(parameters(), bad)


def test_parameters_to_vector_and_back() -> None:
    row = [Parameter(np.arange(4.0).reshape(2, 2)), Parameter(np.array(9.0))]
    vector = utils.parameters_to_vector(row)
    assert vector.tolist() == [0, 1, 2, 3, 9]
    (vector * vector).sum().backward()
    assert row[0].grad.tolist() == [[0, 2], [4, 6]]
    new = Tensor(np.arange(5.0) * 10)
    utils.vector_to_parameters(new, iter(row))
    assert [each.tolist() for each in row] == [[[0, 10], [20, 30]], 40]
    new.data[:] = -1
    assert row[1].item() == 40


def test_vectors_that_do_not_fit() -> None:
    row = [Parameter(np.zeros(2))]
    with pytest.raises(ValueError, match=r"vector_to_parameters: 2 numbers are needed, and vec has shape \(3,\)"):
        utils.vector_to_parameters(Tensor([1.0, 2.0, 3.0]), row)
    with pytest.raises(TypeError, match="vector_to_parameters: needs a Tensor, not a list"):
        utils.vector_to_parameters([1.0, 2.0], row)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="parameters_to_vector: there are no parameters"):
        utils.parameters_to_vector([])


def test_on_the_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", fake_cupy)
    p = Parameter(Tensor([0.0, 0.0], device="cuda"))
    p.grad = np.array([3.0, 4.0])
    norm = utils.clip_grad_norm_([p], 1.0)
    assert norm.device == "cuda:0"
    assert norm.item() == 5.0
    assert type(p.grad) is fake_cupy.ndarray
    utils.clip_grad_value_([p], 0.1)
    assert p.grad.tolist() == pytest.approx([0.1, 0.1])
    utils.vector_to_parameters(Tensor([1.0, 2.0]), [p])
    assert (p.device, p.tolist()) == ("cuda:0", [1.0, 2.0])


@pytest.mark.parametrize("norm_type", NORM_TYPES)
@pytest.mark.parametrize("max_norm", [0.0, 1.0, 1000.0])
@pytest.mark.parametrize("bad", [0.0, math.nan, math.inf])
def test_clipping_is_pytorchs(norm_type: float, max_norm: float, bad: float, torch: Any) -> None:
    ours = parameters([*GRADIENTS, np.array([bad])])
    theirs = [torch.nn.Parameter(torch.tensor(each.data)) for each in ours]
    for our, their in zip(ours, theirs, strict=True):
        their.grad = torch.tensor(our.grad)
    total = utils.clip_grad_norm_(ours, max_norm, norm_type)
    wanted = torch.nn.utils.clip_grad_norm_(theirs, max_norm, norm_type)
    np.testing.assert_allclose(total.item(), wanted.item(), rtol=1e-12)
    np.testing.assert_allclose(gradients(ours), np.concatenate([each.grad.numpy().ravel() for each in theirs]), 1e-12)
    utils.clip_grad_value_(ours, 0.05)
    torch.nn.utils.clip_grad_value_(theirs, 0.05)
    np.testing.assert_allclose(gradients(ours), np.concatenate([each.grad.numpy().ravel() for each in theirs]), 1e-12)


def test_a_gradient_that_is_a_tensor_is_clipped_too() -> None:
    p = Parameter(np.array([3.0, 4.0]))
    (p * p / 2).sum().backward(create_graph=True)
    assert utils.clip_grad_norm_(p, 1.0).item() == 5.0
    assert minitorch.as_tensor(p.grad).tolist() == pytest.approx([0.6, 0.8], rel=1e-6)
    p.grad = None
