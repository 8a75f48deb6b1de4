"""Every optimiser with every option, every schedule, and clipping on the GPU: the same steps, and nothing crosses."""

import math
from typing import Any

import fake_cupy
import numpy as np
import pytest
from fake_cupy import uncounted
from lr_schedules import SCHEDULES
from on_device import difference, optimizer, schedule
from optim_problem import RUNS

from minitorch import Tensor, nn, optim
from minitorch.nn.utils import clip_grad_norm_, clip_grad_value_
from minitorch.serialization import load, save


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run[0])
def test_three_steps_are_the_same(run: Any) -> None:
    expected = optimizer(run, "cpu")
    fake_cupy.transfers.clear()
    found = optimizer(run, "cuda", uncounted)
    assert fake_cupy.transfers == []
    assert all(type(each) is fake_cupy.ndarray for each in found)
    assert difference(found, expected) < 1e-14


@pytest.mark.parametrize("name", SCHEDULES)
def test_a_schedule_is_the_same(name: str) -> None:
    expected = schedule(name, "cpu")
    fake_cupy.transfers.clear()
    found = schedule(name, "cuda", uncounted)
    assert fake_cupy.transfers == []
    assert difference(found, expected) < 1e-14


def weights(device: str, scale: float) -> list[Tensor]:
    made = [Tensor(np.zeros(shape), device=device, requires_grad=True) for shape in ((3, 2), (4,), ())]
    for place, each in enumerate(made):
        each.grad = np.arange(1.0, 1 + each.numel()).reshape(each.shape) * scale * (-1) ** place
    return made


@pytest.mark.parametrize("scale", [1e-3, 1.0, math.inf, math.nan])
@pytest.mark.parametrize("norm_type", [2.0, 1.0, math.inf])
def test_clipping_waits_for_no_number(norm_type: float, scale: float) -> None:
    here, there = weights("cpu", scale), weights("cuda", scale)
    fake_cupy.transfers.clear()
    found = clip_grad_norm_(there, 1.0, norm_type)
    clip_grad_value_(there, 0.4)
    assert fake_cupy.transfers == []
    expected = clip_grad_norm_(here, 1.0, norm_type)
    clip_grad_value_(here, 0.4)
    assert difference([found.data, *[each.grad for each in there]], [expected.data, *[each.grad for each in here]]) == 0


@pytest.mark.parametrize("kind", [optim.SGD, optim.Adam, optim.RMSprop, optim.Adagrad])
@pytest.mark.parametrize(("first", "then"), [("cpu", "cuda"), ("cuda", "cpu")])
def test_a_saved_state_goes_on_on_the_other_device(kind: Any, first: str, then: str, tmp_path: Any) -> None:
    options = {} if kind is optim.Adagrad else {"momentum": 0.9} if kind is not optim.Adam else {"amsgrad": True}

    def steps(params: list[Tensor], count: int, state: Any = None) -> optim.Optimizer:
        made = kind(params, lr=0.1, **options)
        if state is not None:
            made.load_state_dict(state)
        for _ in range(count):
            made.step()
        return made

    whole = weights("cpu", 1.0)
    steps(whole, 4)
    before, after = weights(first, 1.0), weights(then, 1.0)
    save(steps(before, 2).state_dict(), tmp_path / "state.safetensors")
    for old, new in zip(before, after, strict=True):
        new.data = old.to(then).data
    made = steps(after, 2, load(tmp_path / "state.safetensors"))
    assert difference([each.data for each in after], [each.data for each in whole]) < 1e-14
    arrays = [value for state in made.state.values() for value in state.values() if not isinstance(value, int)]
    assert {type(each) for each in arrays} == {fake_cupy.ndarray if then == "cuda" else np.ndarray}


@pytest.mark.parametrize(
    ("kind", "options", "key"),
    [
        (optim.SGD, {"momentum": 0.9}, "momentum_buffer"),
        (optim.Adam, {}, "exp_avg"),
        (optim.RMSprop, {}, "square_avg"),
        (optim.Adagrad, {}, "sum"),
    ],
)
def test_a_model_that_moves_after_the_first_step_takes_its_state_along_when_asked(
    kind: Any, options: Any, key: str
) -> None:
    model, twin = nn.Linear(2, 1, dtype="float64"), nn.Linear(2, 1, dtype="float64")
    twin.load_state_dict(model.state_dict())
    optimizer, same = (kind(each.parameters(), lr=0.1, **options) for each in (model, twin))

    def step(model: nn.Module, optimizer: optim.Optimizer, device: str) -> None:
        model.zero_grad()
        model(Tensor([[1.0, 2.0]], dtype="float64", device=device)).sum().backward()
        optimizer.step()

    step(model, optimizer, "cpu")
    model.to("cuda")
    sentence = rf"^{kind.__name__}: a parameter of shape \(1, 2\) is on cuda:0, but its {key} is on cpu: move the model"
    with pytest.raises(RuntimeError, match=sentence):
        step(model, optimizer, "cuda")
    step(twin, same, "cpu")
    model.load_state_dict(twin.state_dict())
    optimizer.load_state_dict(same.state_dict())
    step(model, optimizer, "cuda")
    step(twin, same, "cpu")
    assert difference([each.data for each in model.parameters()], [each.data for each in twin.parameters()]) < 1e-14


@pytest.mark.parametrize("kind", ["Muon", "LBFGS"])
def test_muon_and_lbfgs_compute_on_the_gpu(kind: str) -> None:
    """The same numbers as on the CPU; LBFGS with its line search, which asks for a few numbers on the way."""
    found = []
    for device in ("cpu", "cuda"):
        x = Tensor(np.arange(6.0).reshape(2, 3) / 7, True, device=device)
        options = {"line_search_fn": "strong_wolfe"} if kind == "LBFGS" else {}
        made = getattr(optim, kind)([x], **options)

        def closure(x: Any = x, made: Any = made) -> Any:
            made.zero_grad()
            loss = ((x - 1) ** 4).sum()
            loss.backward()
            return loss

        for _ in range(6):
            made.step(closure)
        assert x.device.type == device
        found.append(x.detach().cpu().numpy())
    np.testing.assert_allclose(found[1], found[0], rtol=1e-12)
    assert not np.allclose(found[0], np.arange(6.0).reshape(2, 3) / 7, rtol=0, atol=1e-9)
