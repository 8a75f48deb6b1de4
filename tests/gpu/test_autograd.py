"""Derivatives of every kind, operations of one's own, random numbers and starts of weights: the GPU as the CPU."""

from collections.abc import Callable
from typing import Any

import fake_cupy
import numpy as np
import pytest
from fake_cupy import DEVICE, HOST, uncounted
from on_device import difference

import minitorch
from minitorch import Tensor, nn
from minitorch.autograd import Function, checkpoint, functional
from minitorch.autograd.primitive import primitive
from minitorch.nn import init

X, V = np.array([[0.5, -1.0, 2.0], [1.5, 0.3, -0.7]]), np.array([[1.0, 2.0, -1.0], [0.5, 0.0, 3.0]])


class Cube(Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * x * x

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        (x,) = ctx.saved_tensors
        return g * 3 * x * x


@primitive
def sine(input: Any) -> Any:
    """sin x. dL/dx = g · cos x."""
    return np.sin(input)


sine.vjp(input=lambda g, input: g * np.cos(input))


def of_a_leaf(run: Callable[[Tensor], Tensor]) -> Callable[[Tensor, Tensor], list[Any]]:
    """The value and the gradient."""

    def values(x: Tensor, v: Tensor) -> list[Any]:
        leaf = x.detach().requires_grad_()
        out = run(leaf)
        (out * v).sum().backward()
        return [out.data, leaf.grad]

    return values


def of_the_function(run: Callable[..., Any]) -> Callable[[Tensor, Tensor], list[Any]]:
    def values(x: Tensor, v: Tensor) -> list[Any]:
        found = run(x, v)
        return [each.data for each in (found if isinstance(found, tuple) else (found,))]

    return values


def twice(x: Tensor) -> Tensor:
    (first,) = minitorch.grad((x**4).sum(), [x], create_graph=True)
    return first * x


def hooked(x: Tensor) -> Tensor:
    y = x * x
    y.register_hook(lambda g: g * 2)
    return y.exp()


DERIVATIVES = {
    "a checkpoint": of_a_leaf(lambda x: checkpoint(lambda x: (x * x).sin(), x)),
    "a Function": of_a_leaf(Cube.apply),
    "a primitive": of_a_leaf(sine),
    "a gradient of a gradient": of_a_leaf(twice),
    "a hook": of_a_leaf(hooked),
    "a change in place": of_a_leaf(lambda x: (x * 2).mul_(3.0).add_(x)),
    "jacobian": of_the_function(lambda x, v: functional.jacobian(lambda x: (x * x).sum(1), x)),
    "hessian": of_the_function(lambda x, v: functional.hessian(lambda x: (x**3).sum(), x)),
    "vjp": of_the_function(lambda x, v: functional.vjp(lambda x: x.exp() * x, x, v)),
    "jvp": of_the_function(lambda x, v: functional.jvp(lambda x: x.exp() * x, x, v)),
    "hvp": of_the_function(lambda x, v: functional.hvp(lambda x: (x**3).sum(), x, v)),
    "vhp": of_the_function(lambda x, v: functional.vhp(lambda x: (x**3).sum(), x, v)),
}


@pytest.mark.parametrize("name", DERIVATIVES)
def test_derivatives_are_the_same_and_stay_there(name: str) -> None:
    expected = DERIVATIVES[name](Tensor(X), Tensor(V))
    x, v = Tensor(X, device="cuda"), Tensor(V, device="cuda")
    fake_cupy.transfers.clear()
    found = DERIVATIVES[name](x, v)
    assert fake_cupy.transfers == []
    assert all(type(each) is fake_cupy.ndarray for each in found)
    assert difference(found, expected) < 1e-12


def test_every_function_of_autograd_functional_is_here() -> None:
    public = {
        name for name, value in vars(functional).items() if getattr(value, "__module__", "") == functional.__name__
    }
    assert {name for name in public if not name.startswith("_")} <= set(DERIVATIVES)


def test_gradcheck_says_that_it_nudges_on_the_cpu() -> None:
    with pytest.raises(
        RuntimeError, match=r"^gradcheck: input 0 is on cuda:0, but nudging is done on cpu: pass x\.cpu"
    ):
        minitorch.gradcheck(lambda x: x * x, Tensor(X, device="cuda", requires_grad=True))


def test_anomalies_are_named() -> None:
    x = Tensor([-1.0, 1.0], device="cuda", requires_grad=True)
    with minitorch.detect_anomaly(), pytest.raises(RuntimeError, match="nan"):
        x.log().sum().backward()


# -- random numbers ----------------------------------------------------------------------------------------------------


def drawn(make: Callable[[str], Tensor], device: str) -> np.ndarray:
    minitorch.manual_seed(5)
    made = make(device)
    assert made.is_cuda == (device == "cuda")
    return made.detach().cpu().numpy()


def zeros(*shape: int) -> Callable[[str], Tensor]:
    return lambda device: minitorch.zeros(*shape, device=device)


DRAWS: dict[str, Callable[[str], Tensor]] = {
    "rand": lambda device: minitorch.rand(3, 2, device=device),
    "randn": lambda device: minitorch.randn(3, 2, device=device),
    "randint": lambda device: minitorch.randint(0, 9, (5,), device=device),
    "randperm": lambda device: minitorch.randperm(6, device=device),
    "multinomial": lambda device: minitorch.multinomial(Tensor([0.2, 0.5, 0.3], device=device), 2),
    "dropout": lambda device: nn.Dropout(0.4)(minitorch.ones(4, 5, device=device)),
    "dropout2d": lambda device: nn.Dropout2d(0.4)(minitorch.ones(4, 5, 2, 2, device=device)),
    "attention with dropout": lambda device: nn.MultiheadAttention(4, 2, dropout=0.5, device=device)(
        *[minitorch.ones(3, 1, 4, device=device)] * 3, need_weights=False
    )[0],
    "LSTM with dropout": lambda device: nn.LSTM(3, 2, 2, dropout=0.5, device=device)(
        minitorch.ones(4, 1, 3, device=device)
    )[0],
    "encoder": lambda device: nn.TransformerEncoderLayer(4, 2, 8, dropout=0.3, device=device)(
        minitorch.ones(3, 1, 4, device=device)
    ),
}


@pytest.mark.parametrize("name", DRAWS)
def test_a_seed_draws_the_same_numbers_on_both_devices(name: str) -> None:
    np.testing.assert_allclose(drawn(DRAWS[name], "cuda"), drawn(DRAWS[name], "cpu"), rtol=1e-6)


@pytest.mark.parametrize("layer", [nn.Linear, nn.Bilinear, nn.Conv2d, nn.Embedding, nn.LSTM, nn.MultiheadAttention])
def test_a_layer_starts_with_the_same_weights_on_both_devices(layer: Any) -> None:
    sizes = {nn.Bilinear: (4, 4, 4), nn.Conv2d: (2, 4, 3)}.get(layer, (4, 2))

    def weights(device: str) -> list[Any]:
        minitorch.manual_seed(5)
        return [each.data for each in layer(*sizes, device=device).parameters()]

    assert {type(each) for each in weights("cuda")} == {fake_cupy.ndarray}
    assert difference(weights("cuda"), weights("cpu")) == 0


@pytest.mark.parametrize("fill", [init.normal_, init.kaiming_uniform_, init.orthogonal_, init.trunc_normal_])
def test_a_start_goes_up_once(fill: Callable[[Tensor], Tensor]) -> None:
    with uncounted():
        there = minitorch.zeros(4, 4, device="cuda")
    fill(there)
    assert {each.to for each in fake_cupy.transfers} == {DEVICE}
    assert len(fake_cupy.transfers) == 1


def test_dropout_sends_its_mask_up_and_nothing_down() -> None:
    x = minitorch.ones(4, 5, device="cuda").requires_grad_()
    fake_cupy.transfers.clear()
    nn.Dropout(0.4)(x).sum().backward()
    assert [(each.to, each.size) for each in fake_cupy.transfers] == [(DEVICE, 20)]
    assert HOST not in {each.to for each in fake_cupy.transfers}
