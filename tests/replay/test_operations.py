"""Steps of one operation or two, captured: the same bits, or a sentence that says why not."""

from __future__ import annotations

import numpy as np
import pytest
from replay_programs import Training, left, run

import minitorch as mt
from minitorch import Tensor, nn, optim
from minitorch.distributions import Normal
from minitorch.nn import functional


def put(model, x):
    kept = mt.zeros(8, 4)
    kept[2] = model(x)[2]
    return kept.sum()


def in_place(model, x):
    y = model(x)
    y *= 2
    y += 1
    return y.pow(2).sum()


def without_recording(model, x):
    with mt.no_grad():
        target = model(x) * 2
    return (model(x) - target).pow(2).mean()


def gradient_penalty(model, x):
    point = x.clone().requires_grad_()
    (g,) = mt.grad(model(point).sum(), [point], create_graph=True)
    return (g.pow(2).sum() - 1) ** 2


def classes(x):
    return mt.argmax(x[:, :4], dim=1)


def each_row(x):
    return classes(x)[:, None].expand(8, 4)


LOSSES = {
    "topk": lambda model, x: model(x).topk(2)[0].sum(),
    "sort": lambda model, x: (model(x).sort(-1)[0] * mt.arange(4)).sum(),
    "cumsum": lambda model, x: model(x).cumsum(-1).pow(2).mean(),
    "where": lambda model, x: mt.where(model(x) > 0, model(x), 0.1 * model(x)).sum(),
    "masked_fill": lambda model, x: model(x).masked_fill(model(x) > 0.3, 0.0).sum(),
    "einsum": lambda model, x: mt.einsum("ij,ik->jk", model(x), model(x)).sum(),
    "max of rows": lambda model, x: model(x).max(dim=1)[0].sum(),
    "std and var": lambda model, x: model(x).std() + model(x).var(0).sum(),
    "norm": lambda model, x: model(x).norm() + mt.linalg.norm(model(x)),
    "logsumexp": lambda model, x: mt.logsumexp(model(x), -1).sum(),
    "cat and stack": lambda model, x: mt.cat([model(x), x], 1).sum() + mt.stack([model(x), model(x) * 2]).mean(),
    "chunk": lambda model, x: sum((part**2).sum() for part in model(x).chunk(2, 1)),
    "in place": in_place,
    "gather": lambda model, x: model(x).gather(1, mt.argmax(model(x), dim=1, keepdim=True)).sum(),
    "index by tensor": lambda model, x: model(x)[mt.argsort(x[:, 0])][:3].sum(),
    "prod": lambda model, x: model(x).prod(1).sum(),
    "clamp": lambda model, x: (model(x).abs() * model(x).sign()).clamp(-0.5, 0.5).sum(),
    "pow": lambda model, x: (model(x).abs() + 1).pow(2.5).sum() + (model(x) ** 3).sum(),
    "gradient penalty": gradient_penalty,
    "nll": lambda model, x: functional.nll_loss(functional.log_softmax(model(x), -1), mt.argmax(x[:, :4], dim=1)),
    "random numbers": lambda model, x: (model(x) + mt.randn(8, 4) * 0.1).pow(2).mean(),
    "randperm": lambda model, x: model(x[mt.randperm(8)])[:4].pow(2).mean(),
    "bernoulli": lambda model, x: (model(x) * mt.bernoulli(mt.full((8, 4), 0.5))).sum(),
    "detach": lambda model, x: (model(x) * model(x).detach()).sum(),
    "no_grad": without_recording,
    "weights": lambda model, x: model(x).pow(2).mean() + sum((p**2).sum() for p in model.parameters()) * 0.01,
    "pad, roll, flip": lambda model, x: functional.pad(model(x), (1, 1)).roll(1, 0).flip(1).pow(2).sum(),
    "an unused parameter": lambda model, x: model[0](x).sum(),
    "expand": lambda model, x: (model(x)[:, :, None].expand(8, 4, 3) * 2).sum(),
    "a distribution": lambda model, x: Normal(model(x), functional.softplus(x[:, :4])).rsample().pow(2).mean(),
    "class weights": lambda model, x: functional.cross_entropy(model(x), classes(x), mt.arange(4) + 0.5),
    "ignored rows": lambda model, x: functional.cross_entropy(model(x), classes(x), ignore_index=1),
    "weights, ignored rows, smoothed": lambda model, x: functional.cross_entropy(
        model(x), classes(x), mt.arange(4) + 0.5, ignore_index=2, label_smoothing=0.1
    ),
    "a sum of weighted rows": lambda model, x: functional.nll_loss(
        functional.log_softmax(model(x), -1), classes(x), mt.arange(4) + 0.5, ignore_index=0, reduction="sum"
    ),
    "weighted rows": lambda model, x: functional.cross_entropy(
        model(x), classes(x), mt.arange(4) + 0.5, ignore_index=3, reduction="none"
    ).mean(),
    "probabilities": lambda model, x: functional.binary_cross_entropy(mt.sigmoid(model(x)), mt.sigmoid(x[:, :4])),
    "remainders": lambda model, x: (model(x) * (classes(x) % 2)[:, None]).sum() + (model(x) * (x % 0.5)[:, :4]).sum(),
    "quotients": lambda model, x: (model(x) * (classes(x) // (classes(x) + 1))[:, None]).pow(2).sum(),
    "a power of NumPy's": lambda model, x: (model(x) ** np.float32(2)).sum(),
    "scatter_add": lambda model, x: mt.zeros(8, 4).scatter_add(0, each_row(x), model(x)).pow(2).sum(),
    "index_add": lambda model, x: mt.zeros(8, 4).index_add(0, classes(x), model(x)).pow(2).sum(),
    "conv1d": lambda model, x: functional.conv1d(model(x)[:, None, :], mt.ones(2, 1, 2)).sum(),
}
EAGER = {"written into zeros": put}

# Rules whose result *is* the gradient of a parameter; some of NumPy's functions in them take no `out`.
DIRECT = {
    "a constant": lambda p, x: (p.row * mt.arange(4)).sum() + (p.other * 2).sum() + p.matrix.sum(),
    "the same for two": lambda p, x: ((p.row + p.other) * x[0]).sum() + p.matrix.sum() * 0.1,
    "inner": lambda p, x: mt.inner(p.row, x).sum() + mt.inner(p.matrix, x).pow(2).sum() + p.other.sum(),
    "where": lambda p, x: mt.where(x[0] > 0, p.row, p.other).sum() + (p.matrix @ p.row).sum(),
    "cumsum": lambda p, x: (p.row.cumsum(0) * x[0]).sum() + p.other.cumsum(0)[2] + p.matrix.cumsum(1).sum(),
    "einsum": lambda p, x: mt.einsum("i,bi->b", p.row, x).sum() + mt.einsum("ij,bi->bj", p.matrix, x).pow(2).sum(),
    "index": lambda p, x: p.row[Tensor([0, 0, 1])].sum() * x[0, 0] + p.matrix[1:3].sum() + p.other.flip(0)[:2].sum(),
    "sort": lambda p, x: (p.row.sort()[0] * x[0]).sum() + p.other.max() + p.matrix.topk(2)[0].sum(),
    "roll": lambda p, x: (p.row.roll(1) * x[0]).sum() + (p.matrix.roll(1, 0) * x).sum() + p.other.repeat(2).sum(),
    "triangles": lambda p, x: (p.matrix.tril() * x).sum() + p.row.norm() + p.other.std(),
    "kron": lambda p, x: mt.kron(p.row, p.other).sum() + p.matrix.diagonal().sum() * x.sum(),
    "pad": lambda p, x: functional.pad(p.row, (1, 1)).pow(2).sum() + p.matrix.trace() + p.other.logsumexp(0),
    "inverse": lambda p, x: mt.linalg.inv(p.matrix + 5 * mt.eye(4)).sum() + p.row.sum() + p.other.sum(),
}


class Parameters(nn.Module):
    def __init__(self):
        super().__init__()
        rng = np.random.default_rng(1)
        for name, shape in (("row", 4), ("other", 4), ("matrix", (4, 4))):
            setattr(self, name, nn.Parameter(Tensor(rng.standard_normal(shape).astype("float32"))))


def training(loss_of):
    return training_of(nn.Sequential(nn.Linear(5, 6), nn.Tanh(), nn.Linear(6, 4)), optim.Adam, loss_of, (8, 5))


def training_of(model, kind, loss_of, shape):
    optimizer = kind(model.parameters(), lr=0.01)

    def step(x):
        optimizer.zero_grad()
        loss = loss_of(model, x)
        loss.backward()
        optimizer.step()
        return loss

    rng = np.random.default_rng(0)
    batches = [(Tensor(rng.standard_normal(shape).astype("float32")),) for _ in range(3)]
    return Training(model, [optimizer], step, batches)


@pytest.mark.parametrize("name", LOSSES)
@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_the_bits_are_the_same(name):
    eager, one, _ = run(lambda: training(LOSSES[name]), captured=False, steps=10)
    replayed, other, step = run(lambda: training(LOSSES[name]), captured=True, steps=10)
    assert step.is_captured
    assert replayed == eager
    assert left(other) == left(one)


@pytest.mark.parametrize("kind", [optim.SGD, optim.Adam])
@pytest.mark.parametrize("name", DIRECT)
def test_a_gradient_is_where_the_optimiser_looks_for_it_whatever_made_it(name, kind):
    def made():
        return training_of(Parameters(), kind, DIRECT[name], (4, 4))

    eager, one, _ = run(made, captured=False, steps=8)
    replayed, other, step = run(made, captured=True, steps=8)
    assert step.is_captured
    assert replayed == eager
    assert left(other) == left(one)


@pytest.mark.parametrize("name", EAGER)
def test_what_is_refused_goes_on_eagerly(name):
    eager, one, _ = run(lambda: training(EAGER[name]), captured=False, steps=6)
    with pytest.warns(RuntimeWarning, match="this step is not captured, and goes on eagerly: it "):
        replayed, other, step = run(lambda: training(EAGER[name]), captured=True, steps=6)
    assert not step.is_captured
    assert replayed == eager
    assert left(other) == left(one)
