"""Beside PyTorch: random options, states that move both ways, random schedules. Runs where PyTorch is installed."""

from typing import Any

import numpy as np
import pytest
from lr_schedules import SCHEDULES, Build, curve, follow, optimizer_of
from optim_problem import RUNS, STEPS, run, start

import minitorch.optim as optim
from minitorch import Tensor

torch = pytest.importorskip("torch", reason="compares with PyTorch")


def leaf(values: np.ndarray) -> Tensor:
    return Tensor(values, requires_grad=True)


def give(param: Tensor, grad: np.ndarray | None) -> None:
    param.grad = grad


def torch_leaf(values: np.ndarray) -> Any:
    return torch.tensor(values, requires_grad=True)


def torch_give(param: Any, grad: np.ndarray | None) -> None:
    param.grad = None if grad is None else torch.tensor(grad)


def random_options(seed: int) -> tuple[str, dict[str, Any]]:
    draw = np.random.default_rng(seed)
    kind = ("SGD", "Adam", "AdamW", "RMSprop", "Adagrad")[seed % 5]
    often = lambda value: value if draw.random() < 0.6 else type(value)(0)  # noqa: E731
    options: dict[str, Any] = {
        "lr": float(10 ** draw.uniform(-4, -1)),
        "weight_decay": often(float(draw.uniform(0, 0.5))),
        "maximize": bool(draw.random() < 0.3),
    }
    if kind == "SGD":
        options["momentum"] = often(float(draw.uniform(0.1, 0.95)))
        options["nesterov"] = bool(options["momentum"] and draw.random() < 0.5)
        options["dampening"] = 0 if options["nesterov"] else often(float(draw.uniform(0, 1)))
    if kind.startswith("Adam"):
        options["betas"] = (float(draw.uniform(0, 0.99)), float(draw.uniform(0.3, 0.9999)))
        options["amsgrad"] = bool(draw.random() < 0.5)
    if kind == "RMSprop":
        options["alpha"] = float(draw.uniform(0.5, 0.999))
        options["momentum"] = often(float(draw.uniform(0.1, 0.9)))
        options["centered"] = bool(draw.random() < 0.5)
    if kind == "Adagrad":
        options["lr_decay"] = often(float(draw.uniform(0, 0.3)))
        options["initial_accumulator_value"] = often(float(draw.uniform(0, 1)))
    if kind != "SGD":
        options["eps"] = float(10 ** draw.uniform(-10, -2))
    return kind, options


@pytest.mark.parametrize("kind", range(5))
def test_random_options(kind: int) -> None:
    for seed in range(kind, 100, 5):
        require_the_same_run(*random_options(seed))


def require_the_same_run(kind: str, options: dict[str, Any]) -> None:
    ours, theirs = [leaf(values) for values in start()], [torch_leaf(values) for values in start()]
    got = run(getattr(optim, kind)(ours, **options), ours, lambda param: param.data, give)
    expected = run(
        getattr(torch.optim, kind)(theirs, **options, foreach=False),
        theirs,
        lambda param: param.detach().numpy(),
        torch_give,
    )
    np.testing.assert_allclose(got, expected, rtol=1e-11, atol=1e-12, err_msg=f"{kind} {options}")


@pytest.mark.parametrize(("name", "kind", "options"), RUNS, ids=[name for name, *_ in RUNS])
def test_a_state_moves_both_ways(name: str, kind: str, options: dict[str, Any]) -> None:
    theirs = [torch_leaf(values) for values in start()]
    their_optimizer = getattr(torch.optim, kind)(theirs, **options, foreach=False)
    run(their_optimizer, theirs, lambda param: param.detach().numpy(), torch_give, range(30))

    ours = [leaf(param.detach().numpy()) for param in theirs]
    our_optimizer = getattr(optim, kind)(ours)
    our_optimizer.load_state_dict(their_optimizer.state_dict())
    for number, state in their_optimizer.state_dict()["state"].items():
        given = {key for key, value in state.items() if value is not None}
        assert given == our_optimizer.state_dict()["state"].get(number, {}).keys()
    got = run(our_optimizer, ours, lambda param: param.data, give, range(30, 60))

    again = [torch_leaf(param.data) for param in ours]
    again_optimizer = getattr(torch.optim, kind)(again, foreach=False)
    saved = our_optimizer.state_dict()
    tensors = {
        number: {key: torch.tensor(value) if key != "step" else value for key, value in state.items()}
        for number, state in saved["state"].items()
    }
    again_optimizer.load_state_dict({"state": tensors, "param_groups": saved["param_groups"]})

    expected = run(their_optimizer, theirs, lambda param: param.detach().numpy(), torch_give, range(30, STEPS))
    np.testing.assert_allclose(got, expected[:30], rtol=1e-11, atol=1e-12)
    last = run(again_optimizer, again, lambda param: param.detach().numpy(), torch_give, range(60, STEPS))
    np.testing.assert_allclose(last, expected[30:], rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("build", SCHEDULES.values(), ids=SCHEDULES)
@pytest.mark.parametrize("kind", ["SGD", "Adam"])
def test_schedules(build: Build, kind: str) -> None:
    ours = curve(build, optim.lr_scheduler, optimizer_of(optim, leaf, kind))
    theirs = curve(build, torch.optim.lr_scheduler, optimizer_of(torch.optim, torch_leaf, kind))
    np.testing.assert_allclose(ours, theirs, rtol=1e-15, atol=0)


@pytest.mark.parametrize("build", SCHEDULES.values(), ids=SCHEDULES)
def test_a_schedule_of_pytorch_goes_on_here(build: Build) -> None:
    theirs = optimizer_of(torch.optim, torch_leaf)
    scheduler = build(torch.optim.lr_scheduler, theirs)
    follow(scheduler, theirs, range(18))
    ours = optimizer_of(optim, leaf)
    again = build(optim.lr_scheduler, ours)
    again.load_state_dict(scheduler.state_dict())
    ours.load_state_dict(theirs.state_dict())
    np.testing.assert_allclose(
        follow(again, ours, range(18, 40)), follow(scheduler, theirs, range(18, 40)), rtol=1e-15, atol=0
    )


def random_schedule(seed: int) -> Build:
    """A schedule drawn at random, the same one for both modules."""

    def build(m: Any, o: Any) -> Any:
        draw = np.random.default_rng(seed)
        count = int(draw.integers(1, 4))

        def one() -> Any:
            kind = int(draw.integers(6))
            number, share = int(draw.integers(1, 12)), float(draw.uniform(0.1, 0.9))
            return [
                lambda: m.StepLR(o, number, share),
                lambda: m.ExponentialLR(o, share),
                lambda: m.CosineAnnealingLR(o, number, share / 1000),
                lambda: m.LinearLR(o, share, total_iters=number),
                lambda: m.ConstantLR(o, share, number),
                lambda: m.CosineAnnealingWarmRestarts(o, number, 1 + number % 3),
            ][kind]()

        milestones = sorted(int(each) for each in draw.choice(np.arange(1, 30), count - 1, replace=False))
        return m.SequentialLR(o, [one() for _ in range(count)], milestones)

    return build


def test_random_sequences() -> None:
    for seed in range(60):
        build = random_schedule(seed)
        ours = curve(build, optim.lr_scheduler, optimizer_of(optim, leaf))
        theirs = curve(build, torch.optim.lr_scheduler, optimizer_of(torch.optim, torch_leaf))
        np.testing.assert_allclose(ours, theirs, rtol=1e-14, atol=1e-18, err_msg=f"seed {seed}")


def test_pytorch_warns_about_the_order_of_steps_too() -> None:
    for module, tensor in ((optim, leaf), (torch.optim, torch_leaf)):
        scheduler = module.lr_scheduler.StepLR(optimizer_of(module, tensor), 2)
        with pytest.warns(UserWarning, match=r"optimizer\.step\(\)"):
            scheduler.step()
