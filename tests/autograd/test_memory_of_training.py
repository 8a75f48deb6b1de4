"""What training keeps: nothing from step to step, and at the peak no more than has to be alive."""

import gc
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from array_count import BYTES, LENGTH, counted_arrays
from small_models import MAKE, training

from minitorch import Tensor, nn, no_grad, optim
from minitorch.nn.functional import mse_loss

STEPS = 1000
every_model = pytest.mark.parametrize("title", MAKE)


@pytest.fixture
def _no_collector() -> Iterator[None]:
    """Only reference counts free memory; what is left over at the end is looked at, not thrown away."""
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    yield
    gc.set_debug(0)
    gc.garbage.clear()
    gc.enable()


def traced_bytes() -> int:
    """What is allocated now, without the empty tuples and lists that Python keeps for later.

    Only a collection empties those stores; frozen objects take no part in it, so that it frees no garbage.
    """
    gc.freeze()
    gc.collect()
    gc.unfreeze()
    return tracemalloc.get_traced_memory()[0]


def growth(step: Callable[[], object], steps: int) -> int:
    """How many bytes more are allocated after many steps than after a hundred."""
    tracemalloc.start()
    try:
        for _ in range(100):
            step()
        before = traced_bytes()
        for _ in range(steps):
            step()
        return traced_bytes() - before
    finally:
        tracemalloc.stop()


def garbage_of_ours() -> list[Any]:
    """Unreachable objects that only the collector would free: ours, and arrays."""
    gc.collect()
    return [
        each for each in gc.garbage if type(each).__module__.startswith("minitorch") or isinstance(each, np.ndarray)
    ]


@every_model
@pytest.mark.usefixtures("_no_collector")
def test_a_thousand_steps_without_the_collector_leave_nothing_behind(title: str) -> None:
    each = training(title)
    assert growth(each.step, STEPS) < 8 * STEPS  # an object of Python is 16 bytes at least, an array 112
    assert garbage_of_ours() == []


@pytest.mark.usefixtures("_no_collector")
def test_a_leaked_array_is_noticed() -> None:
    each, kept = training("MLP"), []
    assert growth(lambda: kept.append(each.step().data), 100) > 100 * 100


@pytest.mark.usefixtures("_no_collector")
def test_a_reference_cycle_is_noticed() -> None:
    each = training("MLP")

    def step() -> None:
        loss = each.step()
        hidden = loss * 2.0
        hidden.register_hook(lambda g: hidden.data)  # a node that holds the Tensor that holds it

    assert growth(step, 100) > 100 * 100
    assert garbage_of_ours() != []


WIDE = 256
assert WIDE * WIDE == LENGTH


def tower(layers: int, *kinds: Callable[[], nn.Module]) -> nn.Module:
    """Linear layers as wide as a batch is long, so that weights and activations are arrays of one size."""
    parts = [part for _ in range(layers) for part in (nn.Linear(WIDE, WIDE, bias=False), *[kind() for kind in kinds])]
    return nn.Sequential(*parts).double()


@pytest.mark.parametrize("layers", [10, 100])
@pytest.mark.parametrize(
    ("kinds", "most"),
    [
        pytest.param((nn.ReLU,), 4, id="ReLU"),
        pytest.param((lambda: nn.GELU("tanh"), lambda: nn.LayerNorm(WIDE)), 4, id="GELU by tanh, LayerNorm"),
        pytest.param((nn.SiLU, lambda: nn.RMSNorm(WIDE)), 4, id="SiLU, RMSNorm"),
        pytest.param((nn.Tanh, lambda: nn.BatchNorm1d(WIDE)), 4, id="Tanh, BatchNorm1d"),
        pytest.param((nn.GELU,), 7, id="GELU"),  # the error function is two quotients of polynomials
    ],
)
def test_forward_under_no_grad_takes_few_activations_however_deep(
    layers: int, kinds: tuple[Callable[[], nn.Module], ...], most: int
) -> None:
    model, x = tower(layers, *kinds), Tensor(np.ones((WIDE, WIDE)))
    with counted_arrays() as arrays, no_grad():
        out = model(x)
        assert arrays.live() == 1
        assert arrays.peak() <= most
        del out


def peak_in_arrays(model: nn.Module, steps: int = 5) -> float:
    """The peak of some steps of training, in arrays of LENGTH float64 numbers; of a model that is there already."""
    x, target = Tensor(np.ones((WIDE, WIDE))), Tensor(np.zeros((WIDE, WIDE)))
    optimizer = optim.SGD(model.parameters(), lr=0.001)
    tracemalloc.start()
    try:
        for _ in range(steps):
            optimizer.zero_grad()
            loss = mse_loss(model(x), target)
            loss.backward()
            optimizer.step()
        return tracemalloc.get_traced_memory()[1] / BYTES
    finally:
        tracemalloc.stop()


def test_the_peak_of_a_deep_network_is_what_must_be_alive() -> None:
    """After forward an activation for each layer, after backward a gradient for each, in between some of both."""
    layers = 100
    assert peak_in_arrays(tower(layers, nn.ReLU)) + layers <= 1.05 * (layers + layers)  # with the weights


def test_a_layer_that_keeps_an_array_too_many_is_noticed() -> None:
    class Wasteful(nn.Module):
        def forward(self, x: Tensor) -> Tensor:
            return x.relu().tanh()  # as many arrays again

    layers = 20
    assert peak_in_arrays(tower(layers, Wasteful)) + layers > 1.05 * (layers + layers)
