"""Gradients of gradients: create_graph, grad(), and what they leave alone."""

import gc
import weakref

import numpy as np
import pytest
from hypothesis import given
from programs import FEW, Program, central_differences, programs

import minitorch
from minitorch import Tensor, grad, no_grad


def leaf(*values: float) -> Tensor:
    return Tensor(np.array(values), requires_grad=True)


def test_derivatives_of_tanh_to_the_fourth_order() -> None:
    x = Tensor(np.array(0.7), requires_grad=True)
    y, t = x.tanh(), np.tanh(0.7)
    s = 1 - t * t
    expected = [s, -2 * t * s, -2 * s * s + 4 * t * t * s, 16 * t * s * s - 8 * t**3 * s]
    for value in expected:
        (y,) = grad(y, x, create_graph=True)
        assert y.item() == pytest.approx(value, rel=1e-13)


def test_the_hessian_of_a_chain_of_matrices_agrees_with_central_differences() -> None:
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(3, 4)), rng.normal(size=(4, 2))

    def slope(values: np.ndarray) -> np.ndarray:
        x = Tensor(values, requires_grad=True)
        (g,) = grad(((x @ a).tanh() @ b).softmax(dim=-1).square().sum(), x)
        return g.data

    point = rng.normal(size=(2, 3))
    found = minitorch.autograd.functional.hessian(
        lambda x: ((x @ a).tanh() @ b).softmax(dim=-1).square().sum(), Tensor(point)
    )
    for at in np.ndindex(point.shape):
        step = np.zeros(point.shape)
        step[at] = 1e-6
        numeric = (slope(point + step) - slope(point - step)) / 2e-6
        np.testing.assert_allclose(found.data[at], numeric, rtol=1e-5, atol=1e-9)


@FEW
@given(programs(longest=5))
def test_second_derivatives_of_random_programs_agree_with_central_differences(program: Program) -> None:
    def directional(leaves: list[Tensor], create_graph: bool) -> Tensor:
        """Σ weight · gradient of the loss: one number whose gradient takes second derivatives."""
        slopes = grad(program.loss(leaves), leaves, create_graph=create_graph, materialize_grads=True)
        weights = [np.cos(np.arange(slope.numel())).reshape(slope.shape) for slope in slopes]
        total = Tensor(np.zeros(()))
        for slope, weight in zip(slopes, weights, strict=True):
            total = total + (slope * weight).sum()
        return total

    leaves = [Tensor(array, requires_grad=True) for array in program.inputs()]
    if not program.loss(leaves).requires_grad:
        return
    number = directional(leaves, create_graph=True)
    found = grad(number, leaves, materialize_grads=True) if number.requires_grad else [t * 0 for t in leaves]
    numeric = central_differences(
        lambda arrays: directional([Tensor(each, requires_grad=True) for each in arrays], False).item(),
        program.inputs(),
    )
    for ours, expected in zip(found, numeric, strict=True):
        np.testing.assert_allclose(ours.data, expected, rtol=1e-4, atol=1e-6)


def test_grad_leaves_every_grad_alone_and_returns_tensors() -> None:
    x = leaf(1.0, 2.0)
    x.grad = np.array([5.0, 5.0])
    h = x * x
    (g,) = grad(h.sum(), x)
    assert isinstance(g, Tensor)
    assert not g.requires_grad
    np.testing.assert_array_equal(g.data, [2.0, 4.0])
    np.testing.assert_array_equal(x.grad, [5.0, 5.0])
    assert h.grad is None


def test_grad_of_an_interior_tensor() -> None:
    x = leaf(1.0, 2.0)
    h = x * 3.0
    g_h, g_x = grad((h * h).sum(), [h, x])
    np.testing.assert_array_equal(g_h.data, [6.0, 12.0])
    np.testing.assert_array_equal(g_x.data, [18.0, 36.0])


def test_grad_takes_several_outputs_and_their_upstream_gradients() -> None:
    x = leaf(1.0, 2.0)
    (g,) = grad([x * 2.0, x * x], x, [Tensor(np.array([1.0, 0.0])), np.array([0.0, 10.0])])
    np.testing.assert_array_equal(g.data, [2.0, 40.0])
    (twice,) = grad([x.sum(), x.sum()], x)
    np.testing.assert_array_equal(twice.data, [2.0, 2.0])


def test_an_upstream_gradient_may_take_part_in_the_graph() -> None:
    x, v = leaf(1.0, 2.0), leaf(3.0, 4.0)
    (g,) = grad(x * x, x, v, create_graph=True)
    (by_v,) = grad(g.sum(), v)
    np.testing.assert_array_equal(by_v.data, [2.0, 4.0])


def test_the_result_shares_no_memory() -> None:
    x, seed = leaf(1.0, 2.0), np.ones(2)
    (g,) = grad(x + 0.0, x, seed)
    assert not np.shares_memory(g.data, seed)
    assert g.data.flags.writeable


def test_an_unused_input_is_named_or_none_or_zeros() -> None:
    x, unused = leaf(1.0), leaf(2.0, 3.0)
    with pytest.raises(RuntimeError, match=r"do not depend on inputs\[1\]: pass allow_unused=True"):
        grad((x * x).sum(), [x, unused])
    assert grad((x * x).sum(), [x, unused], allow_unused=True)[1] is None
    zeros = grad((x * x).sum(), [x, unused], materialize_grads=True)[1]
    assert zeros is not None
    np.testing.assert_array_equal(zeros.data, [0.0, 0.0])


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda x: grad(x * x, x), RuntimeError, "starts from one number"),
        (lambda x: grad(Tensor(1.0), x), RuntimeError, r"grad: outputs\[0\] does not require grad"),
        (lambda x: grad([x, x], x, [None]), RuntimeError, "starts from one number"),
        (
            lambda x: grad(x * x, x, np.ones(3)),
            ValueError,
            r"gradient has shape \(3,\), but the Tensor has shape \(2,\)",
        ),
    ],
)
def test_what_grad_refuses(call: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call(leaf(1.0, 2.0))  # type: ignore[operator]


def test_grad_frees_the_graph_unless_told() -> None:
    x = leaf(1.0, 2.0)
    loss = (x * x).sum()
    grad(loss, x, retain_graph=True)
    grad(loss, x)
    with pytest.raises(RuntimeError, match="retain_graph=True"):
        grad(loss, x)


def test_create_graph_retains_the_graph() -> None:
    x = leaf(1.0, 2.0)
    loss = (x**3).sum()
    (g,) = grad(loss, x, create_graph=True)
    grad(g.sum(), x)
    grad(loss, x)
    with pytest.raises(RuntimeError, match="retain_graph=True"):
        grad(loss, x)


def test_backward_with_create_graph_makes_grad_a_tensor() -> None:
    x = leaf(1.0, 2.0)
    (x**3).sum().backward(create_graph=True)
    assert isinstance(x.grad, Tensor)
    slope = x.grad
    x.grad = None
    (slope * slope).sum().backward()
    np.testing.assert_allclose(x.grad, 2 * 3 * np.array([1.0, 4.0]) * 6 * np.array([1.0, 2.0]))


def test_a_plain_backward_after_create_graph_adds_arrays() -> None:
    x = leaf(1.0, 2.0)
    (x * x).sum().backward(create_graph=True)
    (x * x).sum().backward()
    assert type(x.grad) is np.ndarray
    np.testing.assert_array_equal(x.grad, [4.0, 8.0])


def test_create_graph_works_under_no_grad() -> None:
    x = leaf(2.0)
    y = (x**3).sum()
    with no_grad():
        (g,) = grad(y, x, create_graph=True)
    assert g.requires_grad


def test_without_create_graph_nothing_is_recorded() -> None:
    x = leaf(2.0)
    (g,) = grad((x**3).sum(), x)
    assert not g.requires_grad


def test_a_hand_made_backward_cannot_be_differentiated_twice() -> None:
    x = leaf(1.0, 2.0)
    out = Tensor(x.data**2, requires_grad=True, _prev=(x,), _op="by hand")

    def _backward() -> None:
        x.grad = (x.grad if x.grad is not None else 0) + 2 * x.data * out.grad

    out._backward = _backward
    np.testing.assert_array_equal(grad(out.sum(), x, retain_graph=True)[0].data, [2.0, 4.0])
    assert x.grad is None
    with pytest.raises(RuntimeError, match="cannot record the hand-made _backward of by hand"):
        grad(out.sum(), x, create_graph=True)


def test_backward_into_chosen_inputs_changes_no_other() -> None:
    x, w = leaf(1.0, 2.0), leaf(3.0, 4.0)
    h = x * w
    (h * h).sum().backward(inputs=[w, h])
    assert x.grad is None
    np.testing.assert_array_equal(w.grad, [6.0, 32.0])
    np.testing.assert_array_equal(h.grad, [6.0, 16.0])
    (x * w).sum().backward(inputs=w)
    np.testing.assert_array_equal(w.grad, [7.0, 34.0])
    with pytest.raises(RuntimeError, match=r"inputs\[0\] does not require grad"):
        (x * w).sum().backward(inputs=[Tensor(1.0)])


def test_second_order_leaves_no_cycle_behind() -> None:
    gc.collect()
    gc.disable()
    try:
        x = leaf(1.0, 2.0)
        (g,) = grad((x.tanh() ** 2).sum(), x, create_graph=True)
        (h,) = grad((g * g).sum(), x, create_graph=True)
        gone = [weakref.ref(g), weakref.ref(h)]
        del g, h
        assert [each() for each in gone] == [None, None]
    finally:
        gc.enable()


def test_an_inner_gradient_inside_an_outer_one() -> None:
    """The loss of one step of gradient descent, differentiated in the starting point."""
    w = Tensor(np.array(2.0), requires_grad=True)
    (slope,) = grad(w**4, w, create_graph=True)
    stepped = (w - 0.1 * slope) ** 2
    (found,) = grad(stepped, w)
    value = 2.0
    assert found.item() == pytest.approx(2 * (value - 0.4 * value**3) * (1 - 1.2 * value**2))
