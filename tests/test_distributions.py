"""Distributions: against integrals and sums of their own densities, against many draws, and live against PyTorch."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minitorch as mt
from minitorch import Tensor, gradcheck, gradgradcheck
from minitorch import distributions as D  # noqa: N812

A, B = np.array([0.3, -1.2, 2.0]), np.array([0.7, 1.5, 2.5])
P = np.array([[0.2, 0.5, 0.3], [0.6, 0.1, 0.3]])
CONTINUOUS: dict[str, tuple[tuple[np.ndarray, ...], np.ndarray]] = {
    "Normal": ((A, B), np.array([0.5, -2.0, 2.0])),
    "Uniform": ((A, A + B), A + 0.3),
    "Exponential": ((B,), np.array([0.5, 2.0, 0.1])),
    "Laplace": ((A, B), np.array([0.5, -2.0, 3.0])),
}
DISCRETE: dict[str, tuple[dict[str, np.ndarray], np.ndarray]] = {
    "Bernoulli": ({"probs": np.array([0.1, 0.7, 0.5])}, np.array([1.0, 0.0, 1.0])),
    "Bernoulli of logits": ({"logits": A}, np.array([1.0, 0.0, 1.0])),
    "Categorical": ({"probs": P * 2}, np.array([2, 0])),
    "Categorical of logits": ({"logits": P}, np.array([2, 0])),
}


def made(name: str, space: Any = D, tensor: Callable[..., Any] = Tensor, **options: Any) -> Any:
    if name in CONTINUOUS:
        return getattr(space, name)(*[tensor(each, **options) for each in CONTINUOUS[name][0]])
    given = {key: tensor(each, **options) for key, each in DISCRETE[name][0].items()}
    return getattr(space, name.split()[0])(**given)


def grid(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Places, one column for each distribution of the batch, and how much of the axis each stands for."""
    d = made(name)
    low, high = (d.low.data, d.high.data) if name == "Uniform" else (d.mean.data - 60 * B, d.mean.data + 60 * B)
    if name == "Exponential":
        low = np.zeros(3)
    edges = np.linspace(low, high, 100_001)
    return (edges[1:] + edges[:-1]) / 2, edges[1:] - edges[:-1]


@pytest.mark.parametrize("name", CONTINUOUS)
def test_mean_variance_entropy_and_cdf_are_integrals_of_the_density(name: str) -> None:
    d, (x, width) = made(name), grid(name)
    log_p = d.log_prob(Tensor(x)).data
    p = np.exp(log_p) * width
    near = {"rtol": 1e-5, "atol": 1e-5}
    np.testing.assert_allclose(p.sum(0), 1, **near)
    np.testing.assert_allclose(d.mean.data, (p * x).sum(0), **near)
    np.testing.assert_allclose(d.variance.data, (p * (x - d.mean.data) ** 2).sum(0), **near)
    np.testing.assert_allclose(d.stddev.data**2, d.variance.data, **near)
    np.testing.assert_allclose(d.entropy().data, -(p * np.where(p > 0, log_p, 0)).sum(0), **near)
    np.testing.assert_allclose(d.perplexity().data, np.exp(d.entropy().data))
    value = CONTINUOUS[name][1]
    np.testing.assert_allclose(d.cdf(Tensor(value)).data, (p * (x <= value)).sum(0), rtol=1e-2)
    np.testing.assert_allclose(d.icdf(d.cdf(Tensor(value))).data, value)


@pytest.mark.parametrize("name", DISCRETE)
def test_probabilities_are_those_of_all_outcomes(name: str) -> None:
    d = made(name)
    outcomes = d.enumerate_support()
    log_p = d.log_prob(outcomes).data
    p = np.exp(log_p)
    np.testing.assert_allclose(p.sum(0), 1)
    np.testing.assert_allclose(d.entropy().data, -(p * log_p).sum(0))
    assert outcomes.shape == (len(p), *d.batch_shape)
    if name.startswith("Bernoulli"):
        np.testing.assert_allclose(d.mean.data, p[1])
        np.testing.assert_allclose(d.variance.data, p[0] * p[1])
    else:
        assert np.isnan(d.mean.data).all()
        assert d.mode.tolist() == p.argmax(0).tolist()


@pytest.mark.parametrize("name", [*CONTINUOUS, *DISCRETE])
def test_many_draws_are_distributed_as_the_density_says(name: str) -> None:
    mt.manual_seed(0)
    d = made(name)
    drawn = d.sample((20_000,))
    assert drawn.shape == (20_000, *d.batch_shape)
    assert not drawn.requires_grad
    if name.startswith("Categorical"):
        for outcome in range(3):
            np.testing.assert_allclose(drawn.eq(outcome).double().mean(0).data, d.probs.data[:, outcome], atol=0.015)
        return
    np.testing.assert_allclose(drawn.mean(0).data, d.mean.data, atol=4 * d.stddev.data.max() / 141)
    np.testing.assert_allclose(drawn.var(0).data, d.variance.data, rtol=0.1)
    mt.manual_seed(0)
    assert made(name).sample((20_000,)).equal(drawn)


@pytest.mark.parametrize("name", CONTINUOUS)
def test_outcomes_and_densities_have_gradients(name: str) -> None:
    parameters, value = CONTINUOUS[name]
    leaves = [Tensor(each, requires_grad=True) for each in parameters]

    def drawn(*given: Tensor) -> Tensor:
        mt.manual_seed(3)
        return getattr(D, name)(*given).rsample((2,))

    def density(*given: Tensor) -> Tensor:
        d = getattr(D, name)(*given)
        return d.log_prob(Tensor(value)) + d.entropy()

    assert gradcheck(drawn, leaves)
    assert gradcheck(density, leaves)
    assert gradgradcheck(density, leaves)


@pytest.mark.parametrize("name", DISCRETE)
def test_probabilities_have_gradients_and_outcomes_none(name: str) -> None:
    given, value = DISCRETE[name]
    (key,) = given
    leaf = Tensor(given[key], requires_grad=True)

    def density(x: Tensor) -> Tensor:
        d = getattr(D, name.split()[0])(**{key: x})
        return d.log_prob(Tensor(value)) + d.entropy()

    assert gradcheck(density, [leaf])
    with pytest.raises(NotImplementedError, match="has no rsample"):
        made(name).rsample()


# -- shapes, checks and Independent ------------------------------------------------------------------------------------


def test_numbers_and_shapes() -> None:
    assert D.Normal(0.0, 1.0).sample().shape == ()
    assert D.Normal(0, 1).loc.dtype == mt.float32
    assert D.Normal(Tensor([[0.0], [1.0]]), Tensor([1.0, 2.0, 3.0])).batch_shape == (2, 3)
    wide = D.Categorical(probs=Tensor(P)).expand((4, 2))
    assert (wide.batch_shape, wide.event_shape, wide.param_shape) == ((4, 2), (), (4, 2, 3))
    assert wide.log_prob(Tensor([1, 0])).shape == (4, 2)
    assert repr(D.Normal(0.0, 1.0)) == "Normal(loc: 0.0, scale: 1.0)"
    assert repr(D.Uniform(Tensor([0.0, 0.0]), 1.0)) == "Uniform(low: (2,), high: (2,))"
    mode = D.Bernoulli(Tensor([0.2, 0.9, 0.5])).mode
    assert mode.tolist()[:2] == [0.0, 1.0]
    assert np.isnan(mode.data[2])


def test_independent_axes_are_one_outcome() -> None:
    base = D.Normal(Tensor(np.zeros((2, 3))), Tensor(B))
    both = D.Independent(base, 1)
    assert (both.batch_shape, both.event_shape) == ((2,), (3,))
    value = Tensor(np.stack([A, B]))
    np.testing.assert_allclose(both.log_prob(value).data, base.log_prob(value).sum(-1).data)
    np.testing.assert_allclose(both.entropy().data, base.entropy().sum(-1).data)
    assert both.has_rsample
    assert both.rsample((5,)).shape == (5, 2, 3)
    assert both.expand((7, 2)).batch_shape == (7, 2)
    assert bool(both.support.check(value).all())
    assert both.support.check(value).shape == (2,)
    other = D.Independent(D.Normal(Tensor(np.ones((2, 3))), 2.0), 1)
    np.testing.assert_allclose(D.kl_divergence(both, other).data, D.kl_divergence(base, other.base_dist).sum(-1).data)
    assert repr(D.Independent(D.Normal(0.0, 1.0).expand((2,)), 1)) == "Independent(Normal(loc: (2,), scale: (2,)), 1)"


WRONG: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: D.Normal(0.0, -1.0), ValueError, "Normal: scale must be above 0, everywhere in shape"),
    (lambda: D.Normal(float("nan"), 1.0), ValueError, "Normal: loc must be real"),
    (lambda: D.Uniform(1.0, 1.0), ValueError, "Uniform: low must be below high"),
    (lambda: D.Exponential(0.0), ValueError, "Exponential: rate must be above 0"),
    (lambda: D.Exponential(1.0).log_prob(-1.0), ValueError, "Exponential: a value must be 0 or above"),
    (lambda: D.Uniform(0.0, 1.0).log_prob(2.0), ValueError, r"Uniform: a value must be from 0\.0 to 1\.0"),
    (lambda: D.Bernoulli(1.5), ValueError, "Bernoulli: probs must be from 0 to 1"),
    (lambda: D.Bernoulli(), ValueError, "Bernoulli: give probs or logits, and not both"),
    (lambda: D.Bernoulli(0.5).log_prob(0.5), ValueError, "Bernoulli: a value must be 0 or 1"),
    (lambda: D.Categorical(probs=0.5), ValueError, "Categorical: a single number tells no probabilities"),
    (
        lambda: D.Categorical(probs=Tensor([-1.0, 2.0])),
        ValueError,
        "Categorical: probs must be 0 or above, with the sum",
    ),
    (
        lambda: D.Categorical(probs=Tensor(P)).log_prob(3),
        ValueError,
        "Categorical: a value must be whole and from 0 to 2",
    ),
    (lambda: D.Normal(Tensor(A), 1.0).log_prob(Tensor([1.0, 2.0])), ValueError, r"shape \(2,\) does not fit batch and"),
    (lambda: D.Independent(D.Normal(0.0, 1.0), 1), ValueError, r"Independent: 1 axes of a batch of shape \(\)"),
    (
        lambda: D.kl_divergence(D.Normal(0.0, 1.0), D.Bernoulli(0.5)),
        NotImplementedError,
        "no formula for Normal and Be",
    ),
    (lambda: D.register_kl(int, D.Normal), TypeError, "is no class derived from Distribution"),
    (lambda: D.Categorical(probs=Tensor(P)).cdf(1), NotImplementedError, "Categorical says no cdf"),
]


@pytest.mark.parametrize(("call", "kind", "words"), WRONG)
def test_what_is_wrong_is_said(call: Callable[[], Any], kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        call()


def test_checks_can_be_left_out() -> None:
    assert D.Uniform(0.0, 1.0, validate_args=False).log_prob(2.0).item() == -np.inf
    with np.errstate(invalid="ignore"):
        assert np.isnan(D.Normal(0.0, -1.0, validate_args=False).log_prob(0.0).item())


# -- divergences -------------------------------------------------------------------------------------------------------

PAIRS = [
    *[(name, name) for name in ("Normal", "Exponential", "Laplace")],
    *[(name, "Normal") for name in ("Uniform", "Exponential", "Laplace")],
]


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_a_divergence_is_the_integral_that_defines_it(first: str, second: str) -> None:
    p, (x, width) = made(first), grid(first)
    shifted = [each * 1.3 + 0.1 for each in CONTINUOUS[second][0]]
    q = getattr(D, second)(*[Tensor(each) for each in shifted])
    log_p, log_q = p.log_prob(Tensor(x)).data, q.log_prob(Tensor(x)).data
    integral = (np.exp(log_p) * (log_p - log_q) * width).sum(0)
    np.testing.assert_allclose(D.kl_divergence(p, q).data, integral, rtol=1e-5, atol=1e-6)
    same = D.kl_divergence(p, made(first)).data
    np.testing.assert_allclose(same, 0, atol=1e-12)


@pytest.mark.parametrize("name", ["Bernoulli", "Categorical"])
def test_a_divergence_of_outcomes_is_the_sum_that_defines_it(name: str) -> None:
    p, q = made(name), made(f"{name} of logits")
    outcomes = p.enumerate_support()
    log_p, log_q = p.log_prob(outcomes).data, q.log_prob(outcomes).data
    np.testing.assert_allclose(D.kl_divergence(p, q).data, (np.exp(log_p) * (log_p - log_q)).sum(0))


def test_a_divergence_is_infinite_where_what_comes_out_cannot() -> None:
    never = D.Categorical(probs=Tensor([1.0, 0.0]))
    half = D.Categorical(probs=Tensor([0.5, 0.5]))
    assert D.kl_divergence(half, never).item() == np.inf
    assert D.kl_divergence(never, half).item() == pytest.approx(np.log(2))
    assert D.kl_divergence(D.Bernoulli(0.5), D.Bernoulli(1.0)).item() == np.inf
    assert D.kl_divergence(D.Uniform(0.0, 2.0), D.Uniform(0.0, 1.0)).item() == np.inf
    assert D.kl_divergence(D.Uniform(0.0, 1.0), D.Uniform(0.0, 2.0)).item() == pytest.approx(np.log(2))


# -- live --------------------------------------------------------------------------------------------------------------

FACTS = ["mean", "variance", "stddev", "mode", "entropy", "log_prob", "cdf", "icdf", "support", "perplexity"]


@pytest.mark.parametrize("name", [*CONTINUOUS, *DISCRETE])
def test_pytorch_agrees(torch: Any, name: str) -> None:
    ours = made(name, requires_grad=True)
    theirs = made(name, torch.distributions, torch.tensor, requires_grad=True)
    value = (CONTINUOUS | DISCRETE)[name][1]
    for fact in FACTS[:8]:
        if fact in ("cdf", "icdf") and name not in CONTINUOUS:
            continue
        given = np.array([0.2, 0.9, 0.5]) if fact == "icdf" else value
        found = []
        for d, tensor in ((ours, Tensor), (theirs, torch.tensor)):
            out = getattr(d, fact)
            out = out(tensor(given)) if fact in ("log_prob", "cdf", "icdf") else out() if fact == "entropy" else out
            found.append(np.asarray(out.detach()))
        np.testing.assert_allclose(*found, rtol=1e-10, err_msg=fact)
        assert found[0].shape == found[1].shape
    assert repr(ours).replace("(3,)", "torch.Size([3])").replace("(2, 3)", "torch.Size([2, 3])") == repr(theirs)


@pytest.mark.parametrize(("first", "second"), [*PAIRS, ("Uniform", "Uniform"), ("Bernoulli", "Bernoulli of logits")])
def test_pytorchs_divergences_agree(torch: Any, first: str, second: str) -> None:
    slopes = []
    for space, tensor in ((D, Tensor), (torch.distributions, torch.tensor)):
        p = made(first, space, tensor, requires_grad=True)
        q = made(second, space, tensor, requires_grad=True)
        out = space.kl_divergence(p, q)
        slopes.append(np.asarray(out.detach()))
    np.testing.assert_allclose(*slopes, rtol=1e-10, atol=1e-12)
