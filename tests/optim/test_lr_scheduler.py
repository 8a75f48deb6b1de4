"""Learning rates are PyTorch's, to the last digits; saved and loaded, a schedule goes on; what is wrong is said."""

import json
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from lr_schedules import EPOCHS, SCHEDULES, Build, curve, follow, optimizer_of

import minitorch.optim as optim
from minitorch import Tensor
from minitorch.optim import SGD, Adagrad, Adam, Optimizer, lr_scheduler

GOLDEN = Path(__file__).parent.parent / "golden" / "optim.npz"
every_schedule = pytest.mark.parametrize("build", SCHEDULES.values(), ids=SCHEDULES)


def leaf(values: np.ndarray) -> Tensor:
    return Tensor(values, requires_grad=True)


def sgd(**options: Any) -> SGD:
    return SGD([leaf(np.ones(2))], **{"lr": 1.0, **options})


@pytest.mark.parametrize("name", SCHEDULES)
def test_learning_rates_are_those_of_pytorch(name: str) -> None:
    with np.load(GOLDEN) as stored:
        at = list(stored["names"]).index(f"lr {name}")
        sizes = np.prod(stored["shapes"], axis=1)
        theirs = stored["values"][sizes[:at].sum() :][: sizes[at]].reshape(stored["shapes"][at])
    ours = curve(SCHEDULES[name], lr_scheduler, optimizer_of(optim, leaf))
    np.testing.assert_allclose(ours, theirs, rtol=1e-15, atol=0)


def test_every_scheduler_has_a_golden_curve() -> None:
    made = {type(build(lr_scheduler, optimizer_of(optim, leaf))).__name__ for build in SCHEDULES.values()}
    assert made | {"LRScheduler"} == set(lr_scheduler.__all__)


@every_schedule
def test_saved_in_the_middle_and_loaded_it_goes_on(build: Build) -> None:
    optimizer = optimizer_of(optim, leaf)
    scheduler = build(lr_scheduler, optimizer)
    follow(scheduler, optimizer, range(18))
    saved = json.loads(json.dumps([scheduler.state_dict(), optimizer.state_dict()]))
    straight_on = follow(scheduler, optimizer, range(18, EPOCHS))

    other = optimizer_of(optim, leaf)
    again = build(lr_scheduler, other)
    again.load_state_dict(saved[0])
    other.load_state_dict(saved[1])
    np.testing.assert_array_equal(follow(again, other, range(18, EPOCHS)), straight_on)
    assert "optimizer" not in saved[0]


@pytest.mark.parametrize("name", ["step", "multi step", "exponential", "cosine", "lambda", "linear"])
def test_last_epoch_goes_on_with_a_loaded_optimizer(name: str) -> None:
    kinds: dict[str, Callable[[Any, int], Any]] = {
        "step": lambda o, last: lr_scheduler.StepLR(o, 7, last_epoch=last),
        "multi step": lambda o, last: lr_scheduler.MultiStepLR(o, [3, 10, 10, 25], 0.3, last),
        "exponential": lambda o, last: lr_scheduler.ExponentialLR(o, 0.93, last),
        "cosine": lambda o, last: lr_scheduler.CosineAnnealingLR(o, 40, last_epoch=last),
        "lambda": lambda o, last: lr_scheduler.LambdaLR(o, lambda epoch: 0.9**epoch, last),
        "linear": lambda o, last: lr_scheduler.LinearLR(o, total_iters=20, last_epoch=last),
    }
    optimizer = sgd()
    scheduler = kinds[name](optimizer, -1)
    for _ in range(11):
        optimizer.step()
        scheduler.step()
    other = sgd()
    other.load_state_dict(optimizer.state_dict())
    again = kinds[name](other, 10)
    assert again.last_epoch == scheduler.last_epoch == 11
    assert again.get_last_lr() == scheduler.get_last_lr()


def test_one_cycle_cycles_beta1_of_adam() -> None:
    optimizer = Adam([leaf(np.ones(2))], betas=(0.5, 0.99))
    scheduler = lr_scheduler.OneCycleLR(optimizer, 1.0, total_steps=11, pct_start=0.6, anneal_strategy="linear")
    seen = []
    for _ in range(10):
        seen.append(optimizer.param_groups[0]["betas"])
        optimizer.step()
        scheduler.step()
    assert seen[0] == (0.95, 0.99)
    assert min(beta1 for beta1, _ in seen) == pytest.approx(0.85, abs=0.02)
    assert {beta2 for _, beta2 in seen} == {0.99}


def test_two_schedulers_of_one_optimizer_multiply() -> None:
    optimizer = sgd()
    halving = lr_scheduler.ExponentialLR(optimizer, 0.5)
    steps = lr_scheduler.StepLR(optimizer, 2, gamma=0.1)
    for _ in range(2):
        optimizer.step()
        halving.step()
        steps.step()
    assert optimizer.param_groups[0]["lr"] == pytest.approx(0.025)


def test_a_sequence_in_a_sequence() -> None:
    optimizer = sgd()
    inner = lr_scheduler.SequentialLR(
        optimizer, [lr_scheduler.ConstantLR(optimizer, 0.5, 9), lr_scheduler.StepLR(optimizer, 1, 0.5)], [2]
    )
    outer = lr_scheduler.SequentialLR(optimizer, [lr_scheduler.ConstantLR(optimizer, 0.25, 9), inner], [1])
    seen = []
    for _ in range(5):
        seen.append(outer.get_last_lr()[0])
        optimizer.step()
        outer.step()
    assert seen == [0.25, 0.5, 0.5, 1.0, 0.5]


def test_restarts_take_epochs_with_fractions() -> None:
    optimizer = sgd()
    scheduler = lr_scheduler.CosineAnnealingWarmRestarts(optimizer, 2, 2)
    optimizer.step()
    for epoch, expected in [(0.5, 0.8535533905932737), (2.0, 1.0), (4.0, 0.5), (6.0, 1.0), (1.0, 0.5)]:
        scheduler.step(epoch)
        assert optimizer.param_groups[0]["lr"] == pytest.approx(expected)
    assert scheduler.last_epoch == 1
    with pytest.raises(ValueError, match="CosineAnnealingWarmRestarts: epoch must be 0 or more, not -1"):
        scheduler.step(-1)


def test_plateau_takes_a_tensor_and_ignores_nan_as_no_improvement() -> None:
    optimizer = sgd()
    scheduler = lr_scheduler.ReduceLROnPlateau(optimizer, patience=1)
    for loss in (Tensor(2.0), Tensor([1.0]), float("nan"), float("nan")):
        scheduler.step(loss)
    assert scheduler.best == 1.0
    assert optimizer.param_groups[0]["lr"] == pytest.approx(0.1)


def test_plateau_notices_a_group_that_came_later() -> None:
    optimizer = sgd()
    scheduler = lr_scheduler.ReduceLROnPlateau(optimizer, patience=0)
    optimizer.add_param_group({"params": [leaf(np.ones(3))]})
    scheduler.step(1.0)
    with pytest.raises(RuntimeError, match="the optimizer has 2 groups now, but had 1 when the scheduler was made"):
        scheduler.step(1.0)


def test_a_group_that_came_later() -> None:
    optimizer = sgd()
    steps, scaled = lr_scheduler.StepLR(optimizer, 1, 0.5), lr_scheduler.LambdaLR(optimizer, lambda epoch: 1.0)
    optimizer.add_param_group({"params": [leaf(np.ones(3))], "lr": 0.4})
    optimizer.step()
    steps.step()
    assert steps.get_last_lr() == [0.5, 0.2]
    with pytest.raises(ValueError, match="LambdaLR: the optimizer has 2 groups now, but had 1 when the scheduler was"):
        scaled.step()


def test_one_cycle_may_begin_at_its_top() -> None:
    optimizer = sgd(momentum=0.9)
    lr_scheduler.OneCycleLR(optimizer, 1.0, total_steps=10, pct_start=0.1)
    assert optimizer.param_groups[0]["lr"] == 1.0


def test_callable_objects_are_saved_functions_are_not() -> None:
    class Decay:
        def __init__(self, rate: float) -> None:
            self.rate = rate

        def __call__(self, epoch: int) -> float:
            return self.rate**epoch

    optimizer = optimizer_of(optim, leaf)
    scheduler = lr_scheduler.LambdaLR(optimizer, [Decay(0.5), lambda epoch: 1.0])
    saved = scheduler.state_dict()
    assert saved["lr_lambdas"] == [{"rate": 0.5}, None]
    other = lr_scheduler.LambdaLR(optimizer_of(optim, leaf), [Decay(0.1), lambda epoch: 1.0])
    other.load_state_dict(saved)
    assert [scale(1) for scale in other.lr_lambdas] == [0.5, 1.0]
    assert saved["lr_lambdas"] == [{"rate": 0.5}, None]


# -- the order of the two steps ----------------------------------------------------------------------------------------


def test_a_scheduler_that_steps_first_warns_once() -> None:
    optimizer = sgd()
    scheduler = lr_scheduler.StepLR(optimizer, 2)
    with pytest.warns(UserWarning, match="came before the first") as caught:
        scheduler.step()
    assert [str(each.message) for each in caught] == [
        (
            "StepLR.step() came before the first optimizer.step(), which skips the first learning rate: "
            "call optimizer.step() first"
        )
    ]
    assert Path(caught[0].filename).name == Path(__file__).name
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scheduler.step()


def test_an_optimizer_with_a_step_of_its_own_is_not_watched() -> None:
    class Own(Optimizer):
        def step(self, closure: Any = None) -> None:
            pass

    lr_scheduler.StepLR(Own([leaf(np.ones(2))], {"lr": 1.0}), 2).step()


# -- errors ------------------------------------------------------------------------------------------------------------

S = lr_scheduler
REFUSED: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: S.StepLR(3, 2), TypeError, "StepLR: int is no Optimizer: pass the optimizer first"),
    (lambda: S.OneCycleLR("sgd", 1.0, 5), TypeError, "OneCycleLR: str is no Optimizer: pass the optimizer first"),
    (lambda: S.ReduceLROnPlateau(None), TypeError, "ReduceLROnPlateau: NoneType is no Optimizer"),
    (
        lambda: S.ExponentialLR(sgd(), 0.5, last_epoch=3),
        ValueError,
        'ExponentialLR: last_epoch=3 continues a schedule, but group 0 has no "initial_lr": load',
    ),
    (lambda: S.StepLR(sgd(), 0), ValueError, "StepLR: step_size must be 1 or more, not 0"),
    (lambda: S.CosineAnnealingLR(sgd(), 0), ValueError, "CosineAnnealingLR: T_max must be 1 or more, not 0"),
    (lambda: S.ConstantLR(sgd(), 1.5), ValueError, "ConstantLR: factor must be from 0 to 1, not 1.5"),
    (lambda: S.LinearLR(sgd(), 0), ValueError, "LinearLR: start_factor must be above 0 and at most 1, not 0"),
    (lambda: S.LinearLR(sgd(), end_factor=2), ValueError, "LinearLR: end_factor must be from 0 to 1, not 2"),
    (
        lambda: S.LambdaLR(sgd(), [abs, abs]),
        ValueError,
        "LambdaLR: lr_lambda has 2 values, but the optimizer has 1 groups: give one for each",
    ),
    (
        lambda: S.CosineAnnealingWarmRestarts(sgd(), 0),
        ValueError,
        "CosineAnnealingWarmRestarts: T_0 must be a whole number from 1, not 0",
    ),
    (lambda: S.CosineAnnealingWarmRestarts(sgd(), 2, 1.5), ValueError, "T_mult must be a whole number from 1, not 1.5"),
    (
        lambda: S.OneCycleLR(sgd(), 1.0),
        ValueError,
        "OneCycleLR: how long is the cycle? Give total_steps, or epochs and steps_per_epoch",
    ),
    (lambda: S.OneCycleLR(sgd(), 1.0, 0), ValueError, "OneCycleLR: total_steps must be a whole number from 1, not 0"),
    (
        lambda: S.OneCycleLR(sgd(), 1.0, epochs=2, steps_per_epoch=2.5),
        ValueError,
        "OneCycleLR: steps_per_epoch must be a whole number from 1, not 2.5",
    ),
    (
        lambda: S.OneCycleLR(sgd(), 1.0, 9, pct_start=2.0),
        ValueError,
        "OneCycleLR: pct_start must be from 0 to 1, not 2.0",
    ),
    (
        lambda: S.OneCycleLR(sgd(), 1.0, 9, anneal_strategy="sin"),
        ValueError,
        "OneCycleLR: anneal_strategy must be 'cos' or 'linear', not 'sin'",
    ),
    (
        lambda: S.OneCycleLR(Adagrad([leaf(np.ones(2))]), 1.0, 9),
        ValueError,
        "OneCycleLR: Adagrad has no momentum to cycle: set cycle_momentum=False",
    ),
    (
        lambda: S.OneCycleLR(sgd(), [1.0, 2.0], 9),
        ValueError,
        "OneCycleLR: max_lr has 2 values, but the optimizer has 1",
    ),
    (
        lambda: curve(lambda m, o: m.OneCycleLR(o, 1.0, 5), S, optimizer_of(optim, leaf)),
        ValueError,
        "OneCycleLR: step 6 comes after the last of total_steps=5: call step() once after each batch",
    ),
    (
        lambda: S.ReduceLROnPlateau(sgd(), factor=1.0),
        ValueError,
        "ReduceLROnPlateau: factor must be below 1, not 1.0: it makes the learning rate smaller",
    ),
    (
        lambda: S.ReduceLROnPlateau(sgd(), "low"),
        ValueError,
        "ReduceLROnPlateau: mode must be 'min' or 'max', not 'low'",
    ),
    (
        lambda: S.ReduceLROnPlateau(sgd(), threshold_mode="x"),
        ValueError,
        "ReduceLROnPlateau: threshold_mode must be 'rel' or 'abs', not 'x'",
    ),
    (lambda: S.ReduceLROnPlateau(sgd(), min_lr=[0, 0]), ValueError, "ReduceLROnPlateau: min_lr has 2 values, but the"),
    (lambda: S.SequentialLR(sgd(), [], []), ValueError, "SequentialLR: the list of schedulers is empty"),
    (
        lambda: S.SequentialLR(sgd(), [S.StepLR(sgd(), 1)], [3]),
        ValueError,
        "SequentialLR: 1 schedulers need 0 milestones between them, not 1",
    ),
    (
        lambda: S.SequentialLR(sgd(), [S.StepLR(sgd(), 1)], []),
        ValueError,
        "SequentialLR: schedulers[0], a StepLR, belongs to another optimizer: make all of them with this one",
    ),
    (
        lambda: S.SequentialLR(sgd(), [S.ReduceLROnPlateau(sgd())], []),
        ValueError,
        "SequentialLR: schedulers[0] is a ReduceLROnPlateau, whose step() needs a measure: step it yourself",
    ),
    (lambda: S.SequentialLR(sgd(), [3], []), TypeError, "SequentialLR: schedulers[0] is a int, not a scheduler"),
    (
        lambda: S.StepLR(sgd(), 1).load_state_dict({}),
        ValueError,
        "StepLR.load_state_dict: there is no last_epoch in it: pass what a scheduler's state_dict() gave",
    ),
    (
        lambda: sequence().load_state_dict({"last_epoch": 3, "_schedulers": [{}]}),
        ValueError,
        "SequentialLR.load_state_dict: 1 schedulers are saved, but there are 3: make it with the same schedulers",
    ),
    (lambda: S.LRScheduler(sgd()), NotImplementedError, "LRScheduler has no get_lr(): return a learning rate for each"),
]


def sequence() -> Any:
    return SCHEDULES["sequence"](lr_scheduler, optimizer_of(optim, leaf))


@pytest.mark.parametrize(("wrong", "kind", "text"), REFUSED, ids=[text for *_, text in REFUSED])
def test_what_is_wrong_is_said_in_one_sentence(wrong: Callable[[], Any], kind: type[Exception], text: str) -> None:
    with pytest.raises(kind, match=re.escape(text)) as caught:
        wrong()
    assert "\n" not in str(caught.value)
