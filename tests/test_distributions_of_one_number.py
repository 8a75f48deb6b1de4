"""Distributions over a single number: batch_shape (), and what was computed by PyTorch 2.13 for each."""

from typing import Any

import numpy as np
import pytest

import minitorch as mt
from minitorch import Tensor
from minitorch import distributions as D  # noqa: N812

NAN, INF = float("nan"), float("inf")

# name: (distribution, value, log_prob at value, mean, variance, entropy, outcomes that can be enumerated)
ONE: dict[str, tuple[Any, Any, float, float, float, float, list[float] | None]] = {
    "Normal": (lambda: D.Normal(0.5, 2.0), 1.0, -1.6433, 0.5, 4.0, 2.1121, None),
    "Uniform": (lambda: D.Uniform(0.0, 2.0), 1.0, -0.6931, 1.0, 0.3333, 0.6931, None),
    "Exponential": (lambda: D.Exponential(2.0), 1.0, -1.3069, 0.5, 0.25, 0.3069, None),
    "Laplace": (lambda: D.Laplace(0.0, 1.0), 1.0, -1.6931, 0.0, 2.0, 1.6931, None),
    "Bernoulli": (lambda: D.Bernoulli(0.3), 1.0, -1.2040, 0.3, 0.21, 0.6109, [0.0, 1.0]),
    "Bernoulli of logits": (lambda: D.Bernoulli(logits=0.3), 1.0, -0.5544, 0.5744, 0.2445, 0.6820, [0.0, 1.0]),
    "Categorical": (lambda: D.Categorical(Tensor([0.2, 0.8])), 1, -0.2231, NAN, NAN, 0.5004, [0, 1]),
    "Categorical of logits": (lambda: D.Categorical(logits=Tensor([0.2, 0.8])), 1, -0.4375, NAN, NAN, 0.6501, [0, 1]),
    "Categorical of one": (lambda: D.Categorical(Tensor([3.0])), 0, 0.0, NAN, NAN, 0.0, [0]),
    "Independent": (lambda: D.Independent(D.Bernoulli(0.3), 0), 1.0, -1.2040, 0.3, 0.21, 0.6109, [0.0, 1.0]),
}


@pytest.mark.parametrize("name", ONE)
def test_every_method_answers_for_a_single_number(name: str) -> None:
    make, value, log_prob, mean, variance, entropy, outcomes = ONE[name]
    d = make()
    near = {"rtol": 1e-3, "atol": 1e-3}
    assert (d.batch_shape, d.event_shape) == ((), ())
    for given in (value, Tensor(value), Tensor([value]), Tensor([[value]])):
        answer = d.log_prob(given)
        assert answer.shape == getattr(given, "shape", ())
        np.testing.assert_allclose(answer.numpy(), log_prob, **near)
    for answer, expected in ((d.mean, mean), (d.variance, variance), (d.entropy(), entropy)):
        assert answer.shape == ()
        np.testing.assert_allclose(answer.numpy(), expected, **near)
    for shape in ((), (3,), (2, 3), [2], (0,)):
        drawn = d.sample(shape)
        assert drawn.shape == tuple(shape)
        assert d.log_prob(drawn).shape == tuple(shape)
        assert d.support.check(drawn).shape == tuple(shape)
    assert d.has_enumerate_support == (outcomes is not None)
    if outcomes is not None:
        assert d.enumerate_support().tolist() == d.enumerate_support(expand=False).tolist() == outcomes
    for shape in ((), (3,), (2, 3)):
        wide = d.expand(shape)
        assert wide.log_prob(wide.sample()).shape == wide.entropy().shape == shape
        assert wide.log_prob(wide.sample((5,))).shape == (5, *shape)
    assert D.kl_divergence(d, make()).tolist() == 0.0


def test_the_step_of_reinforce_with_one_environment() -> None:
    scores = Tensor([0.0, 1.0], requires_grad=True)
    d = D.Categorical(logits=scores)
    action = d.sample()
    (-d.log_prob(action) * 2.0).backward()
    probs = np.exp([0.0, 1.0]) / np.exp([0.0, 1.0]).sum()
    np.testing.assert_allclose(scores.grad, 2 * (probs - np.eye(2)[action.item()]), rtol=1e-5)


def test_outcomes_of_several_axes_are_not_enumerated() -> None:
    both = D.Independent(D.Bernoulli(mt.tensor([0.5, 0.5])), 1)
    assert not both.has_enumerate_support
    with pytest.raises(NotImplementedError, match="Independent has too many outcomes to enumerate"):
        both.enumerate_support()


def test_a_vector_of_another_size_is_no_outcome() -> None:
    normal = D.MultivariateNormal(mt.zeros(2), mt.eye(2))
    with pytest.raises(ValueError, match=r"a value of shape \(1,\) does not fit"):
        normal.log_prob(Tensor([1.0]))
    of_one = D.MultivariateNormal(mt.zeros(1), mt.eye(1))
    with pytest.raises(ValueError, match=r"a value of shape \(3, 2\) does not fit"):
        of_one.log_prob(mt.zeros(3, 2))
