"""Averaged weights are PyTorch's, and so are the learning rates and the statistics that go with them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minitorch
from minitorch import nn, optim
from minitorch.optim import swa_utils

DRAW = np.random.default_rng(0)
ROWS, TARGETS = DRAW.standard_normal((12, 3)), DRAW.standard_normal((12, 2))
WEIGHTS = [DRAW.standard_normal(shape) for shape in ((4, 3), (4,), (4,), (4,), (2, 4), (2,))]

AVERAGES: dict[str, Any] = {
    "mean": lambda utils: {},
    "mean, one by one": lambda utils: {"avg_fn": utils.get_swa_avg_fn()},
    "mean of lists": lambda utils: {"multi_avg_fn": utils.get_swa_multi_avg_fn()},
    "forgetting": lambda utils: {"multi_avg_fn": utils.get_ema_multi_avg_fn(0.9)},
    "forgetting much, buffers too": lambda utils: {
        "multi_avg_fn": utils.get_ema_multi_avg_fn(0.2),
        "use_buffers": True,
    },
    "forgetting, one by one": lambda utils: {"avg_fn": utils.get_ema_avg_fn(0.9)},
    "own": lambda utils: {"avg_fn": lambda average, new, number: 0.5 * average + 0.5 * new, "use_buffers": True},
}


def trained(m: Any, options: Any) -> dict[str, np.ndarray]:
    """Everything in a model, its average and the learning rates, after a few steps of training."""

    def tensor(values: np.ndarray) -> Any:
        return m.tensor(values.tolist(), dtype=m.float64)

    utils = m.optim.swa_utils
    model = m.nn.Sequential(m.nn.Linear(3, 4), m.nn.BatchNorm1d(4), m.nn.Tanh(), m.nn.Linear(4, 2)).double()
    with m.no_grad():
        for parameter, values in zip(model.parameters(), WEIGHTS, strict=True):
            parameter.copy_(tensor(values))
    optimizer = m.optim.SGD(model.parameters(), lr=0.1, momentum=0.5)
    averaged = utils.AveragedModel(model, **options(utils))
    scheduler, rates = utils.SWALR(optimizer, swa_lr=0.02, anneal_epochs=4), []
    for step in range(7):
        optimizer.zero_grad()
        rows = slice(step, step + 5)
        ((model(tensor(ROWS[rows])) - tensor(TARGETS[rows])) ** 2).mean().backward()
        optimizer.step()
        scheduler.step()
        rates.append(scheduler.get_last_lr()[0])
        if step > 1:
            averaged.update_parameters(model)
    before = {f"before.{name}": value.clone() for name, value in averaged.state_dict().items()}
    batches = [(tensor(ROWS[start : start + 4]), None) for start in (0, 4, 8)]
    utils.update_bn(batches, averaged)
    found = {
        **before,
        **averaged.state_dict(),
        "rates": tensor(np.array(rates)),
        "out": averaged(tensor(ROWS)).detach(),
    }
    assert averaged.training
    assert averaged.module[1].momentum == 0.1
    return {name: np.asarray(value.tolist()) for name, value in found.items()}


@pytest.mark.parametrize("title", AVERAGES)
def test_an_average_is_pytorchs(title: str, torch: Any) -> None:
    ours, theirs = (trained(m, AVERAGES[title]) for m in (minitorch, torch))
    assert list(ours) == list(theirs)
    digits = 1e-6 if title == "mean of lists" else 1e-12  # there PyTorch rounds 1 / (number + 1) to float32
    for name, value in theirs.items():
        np.testing.assert_allclose(ours[name], value, rtol=digits, atol=digits / 100, err_msg=name)


@pytest.mark.parametrize("options", [{}, {"anneal_strategy": "linear"}, {"anneal_epochs": 0}, {"anneal_epochs": 3}])
def test_learning_rates_are_pytorchs_beside_another_scheduler(options: dict[str, Any], torch: Any) -> None:
    rows = []
    for m in (minitorch, torch):
        groups = [{"params": [m.zeros(1, requires_grad=True)], "lr": lr} for lr in (0.5, 0.03)]
        optimizer = m.optim.SGD(groups)
        other = m.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)
        scheduler = m.optim.swa_utils.SWALR(optimizer, swa_lr=[0.1, 0.2], **options)
        rates = []
        for epoch in range(14):
            optimizer.step()
            (other if epoch % 3 == 2 else scheduler).step()
            rates.append([group["lr"] for group in optimizer.param_groups])
        rows.append(rates)
    np.testing.assert_allclose(*rows, rtol=1e-12)


def test_the_mean_is_the_mean_of_all_that_were_given() -> None:
    model = nn.Linear(2, 1)
    averaged = swa_utils.AveragedModel(model)
    given = DRAW.standard_normal((5, 1, 2)).astype(np.float32)
    for weight in given:
        model.weight.data = weight
        averaged.update_parameters(model)
    np.testing.assert_allclose(averaged.module.weight.data, given.mean(axis=0), rtol=1e-6)
    assert averaged.n_averaged.item() == 5
    assert not np.shares_memory(averaged.module.weight.data, model.weight.data)


def test_an_average_goes_on_from_its_state_dict() -> None:
    model = nn.Linear(2, 1)
    first, second = (swa_utils.AveragedModel(model, multi_avg_fn=swa_utils.get_ema_multi_avg_fn(0.5)) for _ in range(2))
    first.update_parameters(model)
    second.load_state_dict(first.state_dict())
    model.weight.data = model.weight.data + 1
    for averaged in (first, second):
        averaged.update_parameters(model)
    assert first.module.weight.equal(second.module.weight)
    assert second.n_averaged.item() == 2


def test_a_model_without_statistics_is_not_run() -> None:
    class Never(nn.Module):
        def forward(self, x: Any) -> Any:
            raise AssertionError

    swa_utils.update_bn([minitorch.ones(2)], Never())


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (
            lambda o: swa_utils.AveragedModel(nn.Linear(1, 1), avg_fn=max, multi_avg_fn=max),
            "^AveragedModel: give avg_fn",
        ),
        (lambda o: swa_utils.get_ema_multi_avg_fn(1.5), "^decay is a share from 0 to 1, not 1.5"),
        (lambda o: swa_utils.SWALR(o, 0.1, anneal_strategy="step"), "^SWALR: anneal_strategy is 'cos' or 'linear'"),
        (lambda o: swa_utils.SWALR(o, 0.1, anneal_epochs=-1), "^SWALR: anneal_epochs is a whole number from 0"),
        (lambda o: swa_utils.SWALR(o, [0.1, 0.2]), "^SWALR: swa_lr has 2 values, but the optimizer has 1 groups"),
    ],
)
def test_what_makes_no_sense_is_refused(wrong: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        wrong(optim.SGD(nn.Linear(1, 1).parameters(), lr=0.1))
