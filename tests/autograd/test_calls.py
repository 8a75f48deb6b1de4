"""What a training step calls, counted: no slow function of NumPy, and few Python functions for each operation.

Counts do not depend on the machine. A name here has a form that does the same in a small part of the time.
"""

import contextlib
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import fake_cupy
import numpy as np
import pytest
from small_models import MAKE, Training, nodes, training

import minitorch
from minitorch import Tensor, nn

every_model = pytest.mark.parametrize("title", MAKE)

# What has a quick form, named beside it, and how often it may be called in one step.
SLOW = {
    "einsum": 0,  # matmul on views
    "pad": 0,  # zeros and a slice
    "ndarray.var": 0,  # the mean of the squares of what is centred
    "ndarray.std": 0,
    "zeros_like": 0,  # zeros
    "ones_like": 0,
    "full_like": 0,
    "expand_dims": 0,  # reshape
    "_GeneratorContextManagerBase.__init__": 0,  # a class with __enter__ and __exit__
    "errstate.__enter__": 1,  # around the whole backward pass, not around each operation
    "where": 0,  # a product with the mask
    "ufunc.at": 0,
}
IN_A_GPT = SLOW | {
    "where": 2,  # the mask of attention; indices that may count from the end: no gradients
    "ufunc.at": 1,  # the gradient of the embedding, where rows fall on one place
}
# Python functions called for each recorded operation, with backward, the modules around it and the optimiser's step.
PYTHON_CALLS = {"MLP": 45, "convnet": 52, "GPT block": 43}


def calls(step: Callable[[], Any]) -> tuple[Counter[str], int]:
    """How often each function was called, of C too; and how many calls were of Python functions."""
    found: Counter[str] = Counter()
    python = 0

    def count(frame: FrameType, event: str, function: Any) -> None:
        nonlocal python
        if event == "call" and frame.f_code.co_name not in ("<listcomp>", "<genexpr>", "<dictcomp>", "<setcomp>"):
            python += 1  # Python 3.12 calls no function for a comprehension
            found[frame.f_code.co_qualname] += 1
        elif event == "c_call":
            found[function.__qualname__] += 1

    sys.setprofile(count)
    try:
        step()
    finally:
        sys.setprofile(None)
    return found, python


def warm(title: str) -> Training:
    """After two steps: states exist, geometries and rules are planned."""
    each = training(title)
    each.step()
    each.step()
    return each


def too_often(found: Counter[str], allowed: dict[str, int]) -> dict[str, int]:
    return {name: found[name] for name, most in allowed.items() if found[name] > most}


@every_model
def test_a_step_calls_no_slow_function(title: str) -> None:
    found, _ = calls(warm(title).step)
    assert too_often(found, IN_A_GPT if title == "GPT block" else SLOW) == {}


@every_model
def test_python_functions_for_each_operation_are_few(title: str) -> None:
    each = warm(title)
    recorded = sum(not node.is_leaf for node in nodes(nn.functional.cross_entropy(each.model(each.input), each.labels)))
    _, python = calls(each.step)
    assert python <= PYTHON_CALLS[title] * recorded


CHAINS: dict[str, tuple[Callable[[Tensor, Tensor], Tensor], int, int]] = {
    "add": (lambda h, c: h + c, 10, 12),
    "mul": (lambda h, c: h * c, 11, 12),
    "tanh": (lambda h, c: h.tanh(), 26, 12),
}


@pytest.mark.parametrize("title", CHAINS)
def test_an_operation_of_a_chain_is_a_handful_of_calls(title: str) -> None:
    """Of Python and of C, forward and backward: what a chain of 200 calls more than one of 100."""
    op, built, walked = CHAINS[title]
    constant = Tensor(np.ones(1))

    def run(length: int) -> tuple[int, int]:
        h = Tensor(np.ones(1), requires_grad=True)

        def forward() -> None:
            nonlocal h
            for _ in range(length):
                h = op(h, constant)

        return calls(forward)[0].total(), calls(lambda: h.backward(np.ones(1)))[0].total()

    run(10)
    (short, short_walk), (long, long_walk) = run(100), run(200)
    assert long - short <= 100 * built
    assert long_walk - short_walk <= 100 * walked


@contextlib.contextmanager
def noted_functions(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counter[str]]:
    """Every function, ufunc and operator that arrays of the fake GPU are asked for: operators of NumPy call nothing."""
    found: Counter[str] = Counter()
    called = fake_cupy.called

    def noted(place: str, name: str, *rest: Any) -> Any:
        found[name] += 1
        return called(place, name, *rest)

    with monkeypatch.context() as patched:
        patched.setitem(sys.modules, "cupy", fake_cupy)
        patched.setattr(fake_cupy, "called", noted)
        yield found


@every_model
def test_a_step_takes_no_power(title: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """x · x · x takes a three-hundredth of the time of x**3."""
    with noted_functions(monkeypatch) as found:
        training(title, device="cuda").step()
    assert found["multiply"] > 0
    assert found["power"] == found["float_power"] == 0


def test_a_power_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    with noted_functions(monkeypatch) as found:
        x = Tensor(np.ones(3, np.float32), device="cuda")
        minitorch.pow(x, 2.5)
        x.data**3
    assert found["power"] == 2


@contextlib.contextmanager
def recording() -> Iterator[None]:
    yield


WASTE: dict[str, Callable[[Any], Any]] = {
    "einsum": lambda x: np.einsum("ij->j", x),
    "pad": lambda x: np.pad(x, 1),
    "ndarray.var": lambda x: x.var(-1),
    "zeros_like": np.zeros_like,
    "expand_dims": lambda x: np.expand_dims(x, 0),
    "errstate.__enter__": lambda x: np.errstate(all="ignore").__enter__(),
    "where": lambda x: np.where(x > 0, x, 0),
    "ufunc.at": lambda x: np.add.at(x, 0, 1.0),
    "_GeneratorContextManagerBase.__init__": lambda x: recording(),
}


def test_a_slow_function_is_noticed() -> None:
    def slow(x: Any) -> Any:
        with np.errstate():
            for name, waste in WASTE.items():
                for _ in range(SLOW[name] + 1):
                    waste(x.copy())
        return x * 1.0

    wasteful = minitorch.primitive(slow, name="wasteful", x=lambda g: g)
    found, _ = calls(lambda: wasteful(Tensor(np.ones((2, 2)), requires_grad=True)))
    assert too_often(found, SLOW).keys() >= WASTE.keys()
