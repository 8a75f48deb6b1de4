"""Weights that are computed: as PyTorch computes them, under its names, through training, copies and files."""

from __future__ import annotations

import copy
import pickle
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minitorch
from minitorch import Tensor, nn
from minitorch.nn.utils import parametrizations, parametrize

IMAGE = (2, 3, 4, 4)


def named(kind: str, layer: Callable[[Any], Any], name: str = "weight", **options: Any) -> Callable[[Any], Any]:
    """A layer of either library with one of its named parametrizations."""
    return lambda nn: getattr(nn.utils.parametrizations, kind)(layer(nn), name, **options)


def older(kind: str, layer: Callable[[Any], Any], **options: Any) -> Callable[[Any], Any]:
    return lambda nn: getattr(nn.utils, kind)(layer(nn), **options)


def linear(nn: Any) -> Any:
    return nn.Linear(3, 4)


MADE: dict[str, tuple[Callable[[Any], Any], tuple[int, ...]]] = {
    **{f"weight_norm {dim}": (named("weight_norm", linear, dim=dim), (5, 3)) for dim in (0, 1, None, -1)},
    **{f"older weight_norm {dim}": (older("weight_norm", linear, dim=dim), (5, 3)) for dim in (0, 1, None)},
    "weight_norm of images": (named("weight_norm", lambda nn: nn.Conv2d(3, 4, 2)), IMAGE),
    "spectral_norm": (named("spectral_norm", linear), (5, 3)),
    "spectral_norm of a bias": (named("spectral_norm", linear, "bias"), (5, 3)),
    "spectral_norm of images": (named("spectral_norm", lambda nn: nn.Conv2d(3, 4, 2), n_power_iterations=2), IMAGE),
    "spectral_norm, transposed": (named("spectral_norm", lambda nn: nn.ConvTranspose2d(3, 4, 2)), IMAGE),
    "older spectral_norm": (older("spectral_norm", linear, n_power_iterations=2), (5, 3)),
    "older spectral_norm, transposed": (older("spectral_norm", lambda nn: nn.ConvTranspose2d(3, 4, 2)), IMAGE),
    **{
        f"orthogonal {n} to {m}, {by}, {fixed}": (
            named("orthogonal", lambda nn, n=n, m=m: nn.Linear(n, m), orthogonal_map=by, use_trivialization=fixed),
            (4, n),
        )
        for n, m in ((3, 3), (2, 4), (4, 2))
        for by in (None, "matrix_exp", "cayley", "householder")
        for fixed in (True, False)
    },
    "one after the other": (
        lambda nn: nn.utils.parametrizations.weight_norm(nn.utils.parametrizations.spectral_norm(linear(nn), "bias")),
        (5, 3),
    ),
}


@pytest.mark.parametrize("name", MADE)
def test_against_installed_pytorch(name: str, torch: Any) -> None:
    """Text, names and three steps of training; the state moves from here to there."""
    make, shape = MADE[name]
    ours = make(nn).double()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = make(torch.nn).double()
    assert repr(ours) == repr(theirs)
    assert list(ours.state_dict()) == list(theirs.state_dict())
    theirs.load_state_dict({label: torch.tensor(value.numpy()) for label, value in ours.state_dict().items()})
    x = np.random.default_rng(0).standard_normal(shape)
    optimizers = [module.optim.SGD(model.parameters(), 0.1) for module, model in ((minitorch, ours), (torch, theirs))]
    for _ in range(3):
        outs = ours(Tensor(x)), theirs(torch.tensor(x))
        np.testing.assert_allclose(outs[0].detach().numpy(), outs[1].detach().numpy(), rtol=1e-10, atol=1e-10)
        for out, optimizer in zip(outs, optimizers, strict=True):
            optimizer.zero_grad()
            (out * out).sum().backward()
            optimizer.step()
    for (label, mine), given in zip(ours.state_dict().items(), theirs.state_dict().values(), strict=True):
        np.testing.assert_allclose(mine.numpy(), given.numpy(), rtol=1e-9, atol=1e-10, err_msg=label)


@pytest.mark.parametrize("name", [name for name in MADE if "older" not in name])
def test_copies_pickles_and_states(name: str) -> None:
    make, shape = MADE[name]
    module = make(nn).double().eval()
    x = Tensor(np.random.default_rng(0).standard_normal(shape))
    again = make(nn).double().eval()
    again.load_state_dict(module.state_dict())
    for twin in (copy.deepcopy(module), pickle.loads(pickle.dumps(module)), again):
        assert repr(twin) == repr(module)
        np.testing.assert_array_equal(twin(x).data, module(x).data)
        for one, other in zip(twin.parameters(), module.parameters(), strict=True):
            assert one.data is not other.data


class Doubled(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x * 2.0

    def right_inverse(self, value: Tensor) -> Tensor:
        return value / 2.0


class Positive(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x.exp()


class Summed(nn.Module):
    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        return x + y

    def right_inverse(self, value: Tensor) -> tuple[Tensor, Tensor]:
        return value * 0.25, value * 0.75


def test_a_weight_begins_as_it_was_and_may_be_assigned() -> None:
    layer = nn.Linear(2, 3)
    before, own = layer.weight.detach().numpy().copy(), layer.weight
    parametrize.register_parametrization(layer, "weight", Doubled())
    assert layer.parametrizations.weight.original is own  # so that an optimiser that was made before holds it
    np.testing.assert_allclose(layer.weight.detach().numpy(), before, rtol=1e-6)
    layer.weight = Tensor(np.ones((3, 2), np.float32))
    np.testing.assert_array_equal(own.data, np.full((3, 2), 0.5, np.float32))
    with pytest.raises(ValueError, match=r"^right_inverse: original has shape \(3, 2\), but would get \(2,\)"):
        layer.weight = Tensor([1.0, 2.0])
    parametrize.register_parametrization(layer, "weight", Positive())
    np.testing.assert_allclose(layer.weight.detach().numpy(), np.full((3, 2), np.e), rtol=1e-6)
    with pytest.raises(RuntimeError, match=r"^Positive has no right_inverse"):
        layer.weight = Tensor(np.ones((3, 2), np.float32))


@pytest.mark.parametrize("leave", [True, False])
def test_a_parametrization_is_removed(leave: bool) -> None:
    layer = nn.Linear(2, 3)
    parametrize.register_parametrization(layer, "weight", Positive())
    parametrize.register_parametrization(layer, "bias", Doubled())
    original, made = layer.parametrizations.weight.original, layer.weight.detach().numpy()
    expected = made if leave else original.detach().numpy().copy()
    assert parametrize.remove_parametrizations(layer, "weight", leave) is layer
    assert layer.weight is original
    np.testing.assert_array_equal(layer.weight.data, expected)
    assert not parametrize.is_parametrized(layer, "weight")
    assert parametrize.is_parametrized(layer)
    parametrize.remove_parametrizations(layer, "bias")
    assert type(layer) is nn.Linear
    assert list(layer.state_dict()) == ["weight", "bias"]


def test_several_originals_and_a_buffer() -> None:
    layer = nn.BatchNorm1d(3)
    parametrize.register_parametrization(layer, "running_var", Summed())
    assert [name for name, _ in layer.named_buffers()][-2:] == [
        "parametrizations.running_var.original0",
        "parametrizations.running_var.original1",
    ]
    np.testing.assert_array_equal(layer.running_var.data, np.ones(3, np.float32))
    with pytest.raises(ValueError, match=r"^remove_parametrizations: .running_var. has 2 originals, none of"):
        parametrize.remove_parametrizations(layer, "running_var", leave_parametrized=False)
    parametrize.remove_parametrizations(layer, "running_var")
    assert "running_var" in dict(layer.named_buffers())


def test_inside_of_cached_a_weight_is_computed_once() -> None:
    layer = parametrizations.weight_norm(nn.Linear(2, 3))
    assert layer.weight is not layer.weight
    with parametrize.cached():
        first = layer.weight
        with parametrize.cached():
            assert layer.weight is first
        assert layer.weight is first
    assert layer.weight is not first


def test_older_norms_are_removed_as_the_weight_is() -> None:
    for norm, undo in (
        (nn.utils.weight_norm, nn.utils.remove_weight_norm),
        (nn.utils.spectral_norm, nn.utils.remove_spectral_norm),
    ):
        layer: Any = norm(nn.Linear(2, 3))
        x = Tensor(np.ones((1, 2), np.float32))
        layer.eval()
        expected = layer(x).detach().numpy()
        undo(layer)
        assert list(layer.state_dict()) == ["bias", "weight"]
        np.testing.assert_allclose(layer(x).detach().numpy(), expected, rtol=1e-6)


class Longer(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return minitorch.cat([x, x])


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (
            lambda: parametrize.register_parametrization(nn.Linear(2, 3), "gain", Doubled()),
            ValueError,
            "^register_parametrization: Linear has no parameter or buffer 'gain'",
        ),
        (
            lambda: parametrize.register_parametrization(nn.Linear(2, 3), "weight", Longer()),
            ValueError,
            r"^register_parametrization: the weight is float32 \(3, 2\), but .* it is float32 \(6, 2\): keep both",
        ),
        (
            lambda: parametrize.register_parametrization(
                parametrizations.weight_norm(nn.Linear(2, 3)), "weight", Longer()
            ),
            ValueError,
            r"^register_parametrization: the weight is float32 \(3, 2\)",
        ),
        (
            lambda: parametrize.remove_parametrizations(nn.Linear(2, 3), "weight"),
            ValueError,
            "^remove_parametrizations: Linear has no parametrization of 'weight'",
        ),
        (lambda: nn.utils.weight_norm(nn.Linear(2, 3), "gain"), ValueError, "^weight_norm: Linear has no .* 'gain'"),
        (
            lambda: nn.utils.weight_norm(nn.utils.weight_norm(nn.Linear(2, 3))),
            RuntimeError,
            "^weight_norm: 'weight' of Linear has one already",
        ),
        (
            lambda: nn.utils.remove_spectral_norm(nn.Linear(2, 3)),
            ValueError,
            "^remove_spectral_norm: 'weight' of Linear has no spectral_norm",
        ),
        (
            lambda: parametrizations.spectral_norm(nn.Linear(2, 3), n_power_iterations=0),
            ValueError,
            "^spectral_norm: n_power_iterations must be 1 or more, not 0",
        ),
        (lambda: parametrizations.spectral_norm(nn.Linear(2, 3), dim=2), IndexError, "^spectral_norm: dim 2 is not"),
        (lambda: parametrizations.spectral_norm(nn.Linear(2, 3), "gain"), ValueError, "^spectral_norm: .* 'gain'"),
        (
            lambda: parametrizations.orthogonal(nn.Linear(2, 3), "bias"),
            ValueError,
            r"^orthogonal: 'bias' has shape \(3,",
        ),
        (lambda: parametrizations.orthogonal(nn.Linear(2, 3), "gain"), ValueError, "^orthogonal: Linear has no"),
        (
            lambda: parametrizations.orthogonal(nn.Linear(2, 3), orthogonal_map="polar"),
            ValueError,
            "^orthogonal: orthogonal_map is 'matrix_exp', 'cayley' or 'householder', not 'polar'",
        ),
    ],
)
def test_errors_say_what_to_do(wrong: Callable[[], object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        wrong()
