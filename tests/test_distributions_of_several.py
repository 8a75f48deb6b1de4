"""Mixtures and normal vectors: against sums and products of their definitions, many draws, and live against PyTorch."""

from typing import Any

import numpy as np
import pytest

import minitorch as mt
from minitorch import Tensor, gradcheck
from minitorch import distributions as D  # noqa: N812

draw = np.random.default_rng(0)
ROOTS = np.tril(draw.standard_normal((2, 3, 3)), -1) + np.eye(3) * [1.0, 0.5, 2.0]
COVARIANCES = ROOTS @ ROOTS.swapaxes(-1, -2)
MATRICES = {"covariance_matrix": COVARIANCES, "precision_matrix": np.linalg.inv(COVARIANCES), "scale_tril": ROOTS}
LOC, VALUES = draw.standard_normal((2, 3)), draw.standard_normal((5, 2, 3))
FACTS = ("mean", "mode", "variance", "stddev", "covariance_matrix", "precision_matrix", "scale_tril")
P = np.array([[0.2, 0.5, 0.3], [0.6, 0.1, 0.3]])
MU, SIGMA = draw.standard_normal((2, 3, 4)), draw.random((2, 3, 4)) + 0.5


def mixture(space: Any = D, tensor: Any = Tensor) -> Any:
    parts = space.Independent(space.Normal(tensor(MU), tensor(SIGMA)), 1)
    return space.MixtureSameFamily(space.Categorical(probs=tensor(P)), parts)


@pytest.mark.parametrize("by", MATRICES)
def test_a_normal_vector_is_what_its_definition_says(by: str) -> None:
    d = D.MultivariateNormal(Tensor(LOC), **{by: Tensor(MATRICES[by])})
    for name, matrix in MATRICES.items():
        np.testing.assert_allclose(getattr(d, name).data, matrix, rtol=1e-10, atol=1e-12)
    off = VALUES - LOC
    length = np.einsum("sbi,bij,sbj->sb", off, MATRICES["precision_matrix"], off)
    half = np.log(np.linalg.det(2 * np.pi * COVARIANCES)) / 2
    np.testing.assert_allclose(d.log_prob(Tensor(VALUES)).data, -length / 2 - half, rtol=1e-10)
    np.testing.assert_allclose(d.entropy().data, half + 1.5, rtol=1e-10)
    wide = d.expand((4, 2))
    np.testing.assert_allclose(
        wide.log_prob(Tensor(VALUES[0])).data, np.tile(-length[0] / 2 - half, (4, 1)), rtol=1e-10
    )


def test_many_normal_vectors_have_the_covariance() -> None:
    mt.manual_seed(0)
    drawn = D.MultivariateNormal(Tensor(LOC[0]), Tensor(COVARIANCES[0])).sample((40_000,))
    np.testing.assert_allclose(drawn.mean(0).data, LOC[0], atol=0.05)
    np.testing.assert_allclose(np.cov(drawn.data.T), COVARIANCES[0], atol=0.15)


def test_normal_vectors_and_mixtures_have_gradients() -> None:
    root, loc = Tensor(ROOTS[0], requires_grad=True), Tensor(LOC, requires_grad=True)

    def density(loc: Tensor, root: Tensor) -> Tensor:
        d = D.MultivariateNormal(loc, root @ root.mT)
        mt.manual_seed(1)
        return d.log_prob(Tensor(VALUES)).sum() + d.entropy().sum() + (d.rsample((2,)) ** 2).sum()

    assert gradcheck(density, [loc, root])
    probs, mu = Tensor(P, requires_grad=True), Tensor(MU, requires_grad=True)

    def of_mixture(probs: Tensor, mu: Tensor) -> Tensor:
        parts = D.Independent(D.Normal(mu, Tensor(SIGMA)), 1)
        return D.MixtureSameFamily(D.Categorical(probs=probs), parts).log_prob(Tensor(MU[:, 0]))

    assert gradcheck(of_mixture, [probs, mu])


def test_a_mixture_is_the_sum_of_its_parts() -> None:
    d = mixture()
    x = MU[:, 0] + 0.3
    each = np.exp(-(((x[:, None] - MU) / SIGMA) ** 2) / 2) / (SIGMA * np.sqrt(2 * np.pi))
    np.testing.assert_allclose(d.log_prob(Tensor(x)).data, np.log((P * each.prod(-1)).sum(-1)), rtol=1e-10)
    mean = (P[..., None] * MU).sum(1)
    np.testing.assert_allclose(d.mean.data, mean)
    variance = (P[..., None] * (SIGMA**2 + MU**2)).sum(1) - mean**2
    np.testing.assert_allclose(d.variance.data, variance)
    mt.manual_seed(0)
    drawn = d.sample((40_000,))
    assert drawn.shape == (40_000, 2, 4)
    np.testing.assert_allclose(drawn.mean(0).data, mean, atol=0.05)
    np.testing.assert_allclose(drawn.var(0).data, variance, rtol=0.05)
    shared = D.MixtureSameFamily(D.Categorical(probs=Tensor(P[0])), D.Normal(Tensor(MU[..., 0]), 1.0))
    assert (shared.batch_shape, shared.sample((5,)).shape, shared.expand((7, 2)).sample().shape) == (
        (2,),
        (5, 2),
        (7, 2),
    )
    with pytest.raises(NotImplementedError, match="has no rsample"):
        d.rsample()


def test_a_distribution_is_expanded_whatever_was_asked_of_it() -> None:
    chosen = D.Categorical(probs=Tensor([0.25, 0.75]))
    assert chosen.logits.shape == (2,)
    assert chosen.expand((3,)).probs.tolist() == [[0.25, 0.75]] * 3
    assert D.Normal(0.0, 1.0).expand(()).batch_shape == ()


WRONG = [
    (lambda: D.MultivariateNormal(mt.zeros(2)), ValueError, "give one of .*, not 0 of them"),
    (lambda: D.MultivariateNormal(mt.zeros(3), mt.eye(2)), ValueError, r"loc of shape \(3,\) and cov.* do not fit"),
    (lambda: D.MultivariateNormal(mt.zeros(3, 2), mt.ones(2, 2, 2)), ValueError, "do not broadcast"),
    (lambda: D.MultivariateNormal(mt.zeros(2), -mt.eye(2)), ValueError, "must be symmetric and positive definite"),
    (lambda: D.MultivariateNormal(mt.zeros(2), scale_tril=mt.ones(2, 2)), ValueError, "must be lower triangular"),
    (lambda: D.MixtureSameFamily(1, D.Normal(mt.zeros(2), 1.0)), TypeError, "must be a Categorical, not int"),
    (lambda: D.MixtureSameFamily(D.Categorical(mt.ones(2)), 1), TypeError, "must be a distribution, not int"),
    (lambda: D.MixtureSameFamily(D.Categorical(mt.ones(3)), D.Normal(0.0, 1.0)), ValueError, "do not fit components"),
    (
        lambda: D.kl_divergence(*[D.MultivariateNormal(mt.zeros(n), mt.eye(n)) for n in (2, 3)]),
        ValueError,
        "vectors of 2 and of 3 numbers",
    ),
]


@pytest.mark.parametrize(("call", "kind", "words"), WRONG)
def test_what_is_wrong_is_said(call: Any, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        call()


@pytest.mark.parametrize("by", MATRICES)
@pytest.mark.parametrize(("loc", "matrix"), [(LOC, slice(None)), (LOC, 0), (LOC[0], slice(None)), (LOC[0], 0)])
def test_pytorchs_normal_vectors_agree(torch: Any, by: str, loc: np.ndarray, matrix: Any) -> None:
    found = []
    for space, tensor in ((D, Tensor), (torch.distributions, torch.tensor)):
        p = space.MultivariateNormal(tensor(loc), **{by: tensor(MATRICES[by][matrix])})
        q = space.MultivariateNormal(tensor(LOC[1]), tensor(COVARIANCES[1] + np.eye(3)))
        out = [getattr(p, name) for name in FACTS]
        out += [p.log_prob(tensor(VALUES)), p.entropy(), space.kl_divergence(p, q), space.kl_divergence(q, p)]
        found.append([np.asarray(each) for each in out])
    for ours, theirs in zip(*found, strict=True):
        assert ours.shape == theirs.shape
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-12)


def test_pytorchs_mixture_agrees(torch: Any) -> None:
    found = []
    for space, tensor in ((D, Tensor), (torch.distributions, torch.tensor)):
        d = mixture(space, tensor)
        line = space.MixtureSameFamily(d.mixture_distribution, space.Normal(tensor(MU[..., 0]), tensor(SIGMA[..., 0])))
        out = [d.mean, d.variance, d.log_prob(tensor(MU[:, 1])), line.cdf(tensor([0.5, -0.5])), line.mean]
        found.append([np.asarray(each) for each in out])
    for ours, theirs in zip(*found, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-10)
