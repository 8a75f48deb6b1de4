"""torch.func's names: against closed forms, against one another, and against PyTorch where it is installed."""

import numpy as np
import pytest

import minitorch as mt
from minitorch import Tensor, func, nn


def cube(x):
    return (x**3).sum()


def test_gradients_of_gradients():
    x = Tensor(np.array([1.0, -2.0]))
    np.testing.assert_allclose(func.grad(cube)(x).data, 3 * x.data**2)
    np.testing.assert_allclose(func.grad(lambda y: func.grad(cube)(y).sum())(x).data, 6 * x.data)
    assert func.grad(func.grad(func.grad(lambda t: t**4)))(Tensor(2.0)).item() == 48.0
    slope, value = func.grad_and_value(cube)(x)
    assert value.item() == pytest.approx(-7.0)
    assert not slope.requires_grad
    assert not value.requires_grad


def test_several_arguments_trees_and_what_else_the_function_returns():
    x, y = Tensor(2.0), Tensor(3.0)
    both = func.grad(lambda a, b: a * a * b, argnums=(0, 1))(x, y)
    assert [each.item() for each in both] == [12.0, 4.0]
    tree = func.grad(lambda p: p["a"] * p["b"][0])({"a": x, "b": [y]})
    assert (tree["a"].item(), tree["b"][0].item()) == (3.0, 2.0)
    slope, aux = func.grad(lambda a: (a * a, "seen"), has_aux=True)(x)
    assert (slope.item(), aux) == (4.0, "seen")
    assert func.grad(lambda a, b: b * 1.0)(x, y).item() == 0.0


def test_a_function_of_one_example_is_applied_to_a_batch():
    draw = np.random.default_rng(0)
    w, x, y = (Tensor(draw.standard_normal(size)) for size in ((3, 2), (5, 3), (4, 5)))
    np.testing.assert_allclose(func.vmap(lambda a: a @ w)(x).data, x.data @ w.data, rtol=1e-14)
    np.testing.assert_allclose(
        func.vmap(lambda a, b: a @ w + b.sum(), (0, 1))(x, y).data, x.data @ w.data + y.data.sum(0)[:, None]
    )
    np.testing.assert_array_equal(func.vmap(lambda a: a * 2, in_dims=-1, out_dims=1)(x).data, x.data * 2)
    tree = func.vmap(lambda p, c: {"both": (p["a"] * c, p["b"].sum())}, ({"a": 0, "b": None}, None), {"both": (1, 0)})
    out = tree({"a": x, "b": w}, Tensor(3.0))["both"]
    np.testing.assert_array_equal(out[0].data, (x.data * 3.0).T)
    np.testing.assert_allclose(out[1].data, [w.data.sum()] * 5)
    nested = func.vmap(func.vmap(lambda a, b: a * b, (None, 0)), (0, None))(x[:, 0], y[:, 0])
    np.testing.assert_array_equal(nested.data, np.outer(x.data[:, 0], y.data[:, 0]))
    slopes = func.vmap(func.grad(lambda v, a: (a @ v).tanh().sum()), (None, 0))(w, x)
    rows = [np.outer(each, 1 - np.tanh(each @ w.data) ** 2) for each in x.data]
    np.testing.assert_allclose(slopes.data, rows, rtol=1e-12)
    assert mt.vmap is func.vmap
    leaf = Tensor(x.data, requires_grad=True)
    (func.vmap(lambda a: (a * a).sum())(leaf)).sum().backward()
    np.testing.assert_allclose(leaf.grad, 2 * x.data)


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda x: func.vmap(lambda a: a, None)(x), ValueError, "no argument is a batch"),
        (lambda x: func.vmap(lambda a, b: a, (0, 0))(x, x.T), ValueError, "the batches have 5 and 3 examples"),
        (lambda x: func.vmap(lambda a: a, (0, 0))(x), ValueError, "2 in_dims for 1 arguments"),
        (lambda x: func.vmap(lambda a: a, 2)(x), IndexError, r"in_dims has 2 for an argument of shape \(5, 3\)"),
        (lambda x: func.vmap(lambda a, b: a)(x, 2.0), ValueError, "float is no Tensor"),
        (lambda x: func.vmap(lambda a: a.sum().item())(x), TypeError, "must return Tensors, not float"),
    ],
)
def test_what_vmap_cannot_map_is_said(call, error, said):
    with pytest.raises(error, match=f"vmap: .*{said}"):
        call(mt.ones(5, 3))


def test_what_depends_on_a_tensor_outside_can_be_differentiated():
    w = Tensor(3.0, requires_grad=True)
    slope = func.grad(lambda x: w * x * x)(Tensor(2.0))
    slope.backward()
    assert w.grad == 4.0
    x = Tensor(2.0, requires_grad=True)
    (second,) = mt.autograd.grad(func.grad(cube)(x), [x])
    assert second.item() == 12.0


def test_products_with_the_jacobian():
    draw = np.random.default_rng(0)
    matrix, x, v, u = (Tensor(draw.standard_normal(size)) for size in ((3, 2), 2, 2, 3))
    apply = lambda x: (matrix @ x).tanh()  # noqa: E731
    jacobian = func.jacrev(apply)(x)
    value, pull = func.vjp(apply, x)
    np.testing.assert_allclose(pull(u)[0].data, u.data @ jacobian.data, rtol=1e-12)
    again, pushed = func.jvp(apply, (x,), (v,))
    np.testing.assert_allclose(pushed.data, jacobian.data @ v.data, rtol=1e-12)
    np.testing.assert_array_equal(again.data, value.data)
    step = 1e-6
    numeric = np.stack([(apply(x + step * e) - apply(x - step * e)).data / (2 * step) for e in np.eye(2)], axis=1)
    np.testing.assert_allclose(jacobian.data, numeric, rtol=1e-8)
    np.testing.assert_allclose(func.hessian(cube)(x).data, np.diag(6 * x.data), atol=1e-15)
    np.testing.assert_allclose(func.jacfwd(lambda a, b: a * b, argnums=1)(x, v).data, np.diag(x.data))


def test_a_jacobian_has_the_form_of_its_argument():
    draw = np.random.default_rng(0)
    tree = {"w": Tensor(draw.standard_normal((3, 2))), "rest": [Tensor(draw.standard_normal(3))]}
    x = Tensor(draw.standard_normal(2))
    found = func.jacrev(lambda p, x: p["w"] @ x + p["rest"][0] ** 2)(tree, x)
    np.testing.assert_allclose(found["w"].data, np.einsum("ij,k->ijk", np.eye(3), x.data))
    np.testing.assert_allclose(found["rest"][0].data, np.diag(2 * tree["rest"][0].data))
    both = func.jacrev(lambda p: (p["w"].sum(), p["rest"][0] * 3))(tree)
    assert both[0]["w"].equal(mt.ones(3, 2, dtype=mt.float64))
    assert both[1]["rest"][0].equal(3 * mt.eye(3, dtype=mt.float64))
    assert both[1]["w"].shape == (3, 3, 2)


def test_a_module_with_other_weights():
    model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
    x = mt.randn(5, 3)
    before, out = {name: each.detach().clone() for name, each in model.named_parameters()}, model(x)
    other = {name: each * 0 for name, each in before.items()}
    assert func.functional_call(model, other, (x,)).equal(mt.zeros(5, 1))
    assert func.functional_call(model, [other, before], x).equal(out)
    assert model(x).equal(out)
    slopes = func.grad(lambda p: (func.functional_call(model, p, (x,)) ** 2).mean())(before)
    wanted = mt.autograd.grad((model(x) ** 2).mean(), list(model.parameters()))
    for ours, theirs in zip(slopes.values(), wanted, strict=True):
        np.testing.assert_allclose(ours.data, theirs.data, rtol=1e-5, atol=1e-7)
    with pytest.raises(KeyError, match=r"functional_call: Sequential has no parameter or buffer '3\.weight'"):
        func.functional_call(model, {"3.weight": x}, (x,))
    with pytest.raises(ValueError, match="shape"):
        func.functional_call(model, {"0.weight": mt.ones(2, 2)}, (x,))
    assert model(x).equal(out)


def test_modules_of_one_class_are_stacked_and_called_as_one():
    models = [nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3)).eval() for _ in range(3)]
    parameters, buffers = func.stack_module_state(models)
    assert list(parameters) == [name for name, _ in models[0].named_parameters()]
    assert list(buffers) == [name for name, _ in models[0].named_buffers()]
    for place, model in enumerate(models):
        for name, each in [*model.named_parameters(), *model.named_buffers()]:
            assert {**parameters, **buffers}[name][place].equal(each)
    assert all(each.is_leaf and each.requires_grad for each in parameters.values())
    assert not any(each.requires_grad for each in buffers.values())
    x = mt.randn(4, 2)
    out = func.vmap(lambda p, b: func.functional_call(models[0], (p, b), (x,)))(parameters, buffers)
    np.testing.assert_array_equal(out.data, np.stack([model(x).data for model in models]))
    out.sum().backward()
    assert parameters["0.weight"].grad.shape == (3, 3, 2)
    assert models[0][0].weight.grad is None
    frozen = [nn.Linear(2, 3).requires_grad_(False) for _ in range(2)]
    assert not func.stack_module_state(frozen)[0]["bias"].requires_grad


@pytest.mark.parametrize(
    ("models", "said"),
    [
        ([], "give one module or more"),
        ([nn.Linear(2, 2), nn.Tanh()], "of one class, not Linear, Tanh"),
        ([nn.Linear(2, 2), nn.Linear(2, 2).eval()], "some of the modules train and some do not"),
        ([nn.Linear(2, 2), nn.Linear(2, 2).requires_grad_(False)], "'weight' wants gradients in some"),
    ],
)
def test_modules_that_cannot_be_stacked_are_told(models, said):
    with pytest.raises(RuntimeError, match=f"stack_module_state: .*{said}"):
        func.stack_module_state(models)


def test_a_weight_that_is_held_twice_is_replaced_twice():
    model = nn.Sequential(nn.Linear(2, 2, bias=False), nn.Linear(2, 2, bias=False))
    model[1].weight = model[0].weight
    out = func.functional_call(model, {"0.weight": 2 * mt.eye(2)}, mt.ones(1, 2))
    assert out.tolist() == [[4.0, 4.0]]


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (lambda: func.grad(lambda x: 3.0)(Tensor(1.0)), TypeError, "^grad: the function must return a Tensor"),
        (lambda: func.grad(lambda x: x)(mt.ones(2)), ValueError, r"^grad: the function must return one number"),
    ],
)
def test_what_has_no_gradient_is_refused(wrong, error, message):
    with pytest.raises(error, match=message):
        wrong()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_pytorch_agrees():
    torch = pytest.importorskip("torch", reason="compares with PyTorch")
    values = np.array([0.5, -1.5])
    ours, theirs = Tensor(values), torch.tensor(values)
    f = lambda x: (x.sin() * x.exp()).sum()  # noqa: E731
    np.testing.assert_allclose(func.hessian(f)(ours).data, torch.func.hessian(f)(theirs).numpy(), rtol=1e-12)
    np.testing.assert_allclose(func.grad(f)(ours).data, torch.func.grad(f)(theirs).numpy(), rtol=1e-12)
