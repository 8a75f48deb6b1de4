"""What a step does: PyTorch's numbers, in place, without a new array, and nobody's gradient touched."""

import copy
import functools
import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from array_count import BYTES, large_array
from optim_problem import NEWTONS, RUNS, STEPS, descend, gradients, run, start

import minitorch
import minitorch.optim as optim
from minitorch import Tensor, no_grad
from minitorch.optim import SGD, Adagrad, Adam, AdamW, RMSprop

GOLDEN = Path(__file__).parent.parent / "golden" / "optim.npz"
KINDS: list[Callable[..., optim.Optimizer]] = [
    SGD,
    functools.partial(SGD, momentum=0.9, weight_decay=0.1, nesterov=True),
    functools.partial(SGD, momentum=0.9, dampening=0.5),
    Adam,
    functools.partial(Adam, weight_decay=0.1, amsgrad=True, maximize=True),
    AdamW,
    RMSprop,
    functools.partial(RMSprop, momentum=0.9, centered=True, weight_decay=0.1),
    functools.partial(Adagrad, lr_decay=0.1),
]
every_kind = pytest.mark.parametrize(
    "kind", KINDS, ids=lambda kind: f"{kind.func.__name__} {json.dumps(kind.keywords)}" if hasattr(kind, "func") else ""
)
every_run = pytest.mark.parametrize(("name", "kind", "options"), RUNS, ids=[name for name, *_ in RUNS])


@functools.cache
def golden() -> dict[str, np.ndarray]:
    with np.load(GOLDEN) as stored:
        names, shapes, values = stored["names"], stored["shapes"], stored["values"]
    ends = np.cumsum(np.prod(shapes, axis=1))
    return {
        str(name): values[end - np.prod(shape) : end].reshape(shape)
        for name, shape, end in zip(names, shapes, ends, strict=True)
    }


def leaf(values: np.ndarray) -> Tensor:
    return Tensor(values, requires_grad=True)


def give(param: Tensor, grad: np.ndarray | None) -> None:
    param.grad = grad


def trained(kind: str, options: dict[str, Any], dtype: str = "float64") -> np.ndarray:
    params = [leaf(values) for values in start(dtype)]
    return run(getattr(optim, kind)(params, **options), params, lambda param: param.data, give)


@every_run
def test_a_run_is_pytorchs_near_in_float32_and_goes_on_when_loaded(
    name: str, kind: str, options: dict[str, Any]
) -> None:
    ours, theirs = trained(kind, options), golden()[name]
    assert ours.shape[0] == STEPS
    np.testing.assert_allclose(ours[[0, 1, 2, 9, 49, 99]], theirs, rtol=1e-12, atol=1e-13)
    narrow = trained(kind, options, "float32")[[0, 1, 2, 9, 49, 99]]
    assert np.all(np.abs(narrow - theirs) <= 2e-4 * np.maximum(1, np.abs(theirs)))

    params = [leaf(values) for values in start()]
    optimizer = getattr(optim, kind)(params, **options)
    run(optimizer, params, lambda param: param.data, give, range(40))
    saved = copy.deepcopy(optimizer.state_dict())
    others = [leaf(param.data) for param in params]
    straight_on = run(optimizer, params, lambda param: param.data, give, range(40, 60))
    other = getattr(optim, kind)(others, lr=123.0)
    other.load_state_dict(saved)
    again = run(other, others, lambda param: param.data, give, range(40, 60))
    np.testing.assert_array_equal(again, straight_on)
    assert saved["state"][0].keys() == other.state_dict()["state"][0].keys() if saved["state"] else not other.state


@every_kind
def test_a_step_is_in_place_and_keeps_dtype_and_memory(kind: Callable[..., optim.Optimizer]) -> None:
    params = [leaf(values) for values in start("float32")]
    memory = [param.data for param in params]
    optimizer = kind(params)
    for step in range(4):
        for param, grad in zip(params, gradients([param.data for param in params], step), strict=True):
            param.grad = grad
        optimizer.step()
    for param, before in zip(params, memory, strict=True):
        assert param.data is before
        assert param.data.dtype == np.float32
        assert all(
            value.dtype == np.float32 and value.shape == param.shape
            for value in optimizer.state[param].values()
            if isinstance(value, np.ndarray)
        )


@every_kind
def test_steps_after_the_first_allocate_no_array(kind: Callable[..., optim.Optimizer]) -> None:
    params = [leaf(large_array()) for _ in range(3)]
    for param in params:
        param.grad = param.data
    optimizer = kind(params)
    optimizer.step()
    tracemalloc.start()
    try:
        optimizer.step()
        optimizer.step()
        assert tracemalloc.get_traced_memory()[1] < BYTES / 8
    finally:
        tracemalloc.stop()


@every_kind
def test_scratch_memory_is_as_large_as_two_of_the_largest_parameter(kind: Callable[..., optim.Optimizer]) -> None:
    params = [leaf(np.ones(shape, np.float32)) for shape in [(3,), (10, 10), (4, 5), ()]]
    optimizer = kind(params)
    for param in params:
        param.grad = np.ones(param.shape)
    optimizer.step()
    assert [memory.size for memory in optimizer._scratch._memory.values()] == [2 * 100]
    lent = [array for pair in optimizer._scratch._lent.values() for array in pair]
    memory = next(iter(optimizer._scratch._memory.values()))
    optimizer.step()
    assert all(np.shares_memory(array, memory) for array in lent if array.size >= 100)
    assert not any("scratch" in key for state in optimizer.state_dict()["state"].values() for key in state)


@every_kind
def test_gradients_are_not_written_into_be_they_read_only_or_shared(kind: Callable[..., optim.Optimizer]) -> None:
    first, second = leaf(np.ones(3)), leaf(np.ones(3))
    shared = np.array([1.0, -2.0, 3.0])
    shared.flags.writeable = False
    first._node.grad = second._node.grad = shared  # type: ignore[union-attr]
    optimizer = kind([first, second])
    for _ in range(3):
        optimizer.step()
    np.testing.assert_array_equal(shared, [1.0, -2.0, 3.0])
    np.testing.assert_array_equal(first.data, second.data)
    assert not any(
        np.shares_memory(value, shared)
        for state in optimizer.state.values()
        for value in state.values()
        if isinstance(value, np.ndarray)
    )


@every_kind
def test_a_parameter_without_a_gradient_stays_and_gets_no_state(kind: Callable[..., optim.Optimizer]) -> None:
    used, unused, frozen = leaf(np.ones(2)), leaf(np.ones(2)), Tensor(np.ones(2))
    used.grad = np.ones(2)
    optimizer = kind([used, unused, frozen])
    optimizer.step()
    np.testing.assert_array_equal(unused.data, [1, 1])
    np.testing.assert_array_equal(frozen.data, [1, 1])
    assert unused not in optimizer.state
    assert frozen not in optimizer.state


@every_kind
def test_gradients_that_are_tensors_count(kind: Callable[..., optim.Optimizer]) -> None:
    param, plain = leaf(np.array([1.0, 2.0])), leaf(np.array([1.0, 2.0]))
    (param**3).sum().backward(create_graph=True)
    (plain**3).sum().backward()
    assert isinstance(param.grad, Tensor)
    for each in (param, plain):
        kind([each]).step()
    np.testing.assert_array_equal(param.data, plain.data)
    param.grad = None  # the graph and the gradient hold each other


def test_a_parameter_that_gets_new_memory_or_another_dtype_goes_on() -> None:
    param = leaf(np.ones(3))
    optimizer = SGD([param], lr=0.5)
    param.grad = np.ones(3)
    optimizer.step()
    param.data = np.zeros(3)
    optimizer.step()
    np.testing.assert_array_equal(param.data, [-0.5] * 3)


def test_a_learning_rate_of_numpy_keeps_float32() -> None:
    param = leaf(np.ones(3, np.float32))
    for kind in KINDS:
        param.grad = np.ones(3)
        kind([param], lr=np.float64(0.1)).step()
        assert param.data.dtype == np.float32


def test_step_calls_the_closure_with_gradients_and_returns_the_loss() -> None:
    param = leaf(np.array([2.0]))
    optimizer = SGD([param], lr=0.25)

    def closure() -> Tensor:
        optimizer.zero_grad()
        loss = (param * param).sum()
        loss.backward()
        return loss

    with no_grad():
        assert optimizer.step(closure).item() == 4.0
    assert param.item() == 1.0
    assert optimizer.step() is None


# -- curvature and matrices --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "options"), NEWTONS, ids=[name for name, _ in NEWTONS])
def test_lbfgs_goes_where_pytorch_s_goes(name: str, options: dict[str, Any]) -> None:
    ours = descend(lambda params: optim.LBFGS(params, **options), leaf)
    np.testing.assert_allclose(ours, golden()[name], rtol=1e-7, atol=1e-9)


def test_lbfgs_reaches_the_bottom_and_goes_on_from_a_saved_state() -> None:
    losses = descend(lambda params: optim.LBFGS(params, line_search_fn="strong_wolfe"), leaf, calls=8)[:, 0]
    assert losses[-1] < losses[0] / 20
    x, other = leaf(np.array([3.0, -2.0])), leaf(np.array([3.0, -2.0]))

    def closure(optimizer: optim.Optimizer, x: Tensor) -> Callable[[], Tensor]:
        def compute() -> Tensor:
            optimizer.zero_grad()
            loss = (x**4).sum() + x.prod()
            loss.backward()
            return loss

        return compute

    first, second = (optim.LBFGS([each], max_iter=3, line_search_fn="strong_wolfe") for each in (x, other))
    first.step(closure(first, x))
    second.load_state_dict(copy.deepcopy(first.state_dict()))
    other.data[...] = x.data
    first.step(closure(first, x))
    second.step(closure(second, other))
    np.testing.assert_array_equal(other.data, x.data)


@pytest.mark.parametrize("shape", [(4, 4), (6, 3), (3, 6)])
def test_muon_steps_in_all_directions_alike(shape: tuple[int, int]) -> None:
    draw = np.random.default_rng(0)
    w = leaf(draw.standard_normal(shape))
    before, grad = w.data.copy(), draw.standard_normal(shape) * np.logspace(0, -2, shape[1])
    w.grad = grad
    optim.Muon([w], lr=0.1, weight_decay=0.0).step()
    step = (before - w.data) / 0.1 / np.sqrt(max(1, shape[0] / shape[1]))
    assert np.all(np.abs(np.linalg.svd(step, compute_uv=False) - 1) < 0.5)
    u, _, vt = np.linalg.svd(grad, full_matrices=False)
    assert np.sum((u @ vt) * step) > 0.8 * min(shape)


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (lambda w: optim.LBFGS([w]).step(), TypeError, "^LBFGS: step needs a closure"),
        (lambda w: optim.LBFGS([w], line_search_fn="armijo"), ValueError, "^LBFGS: line_search_fn is None or"),
        (lambda w: optim.LBFGS([{"params": [w]}, {"params": [leaf(np.ones(1))]}]), ValueError, "^LBFGS: all param"),
        (lambda w: optim.Muon([w]), ValueError, "^Muon: every parameter must be a matrix, not of shape"),
        (lambda w: optim.Adamax([w], betas=(1.0, 0.5)), ValueError, "^Adamax: betas must be two numbers"),
        (lambda w: optim.Adadelta([w], rho=2), ValueError, "^Adadelta: rho must be from 0 to 1"),
        (lambda w: optim.SGD([w], lr=0.1, momentun=0.9), TypeError, "^SGD: there is no option 'momentun'"),
        (lambda w: optim.Adam([w], differentiable=True), ValueError, "^Adam: a step is not recorded"),
    ],
)
def test_what_makes_no_sense_is_refused(wrong: Callable[[Tensor], Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        wrong(leaf(np.ones(3)))


@pytest.mark.parametrize("kind", ["SGD", "Adam", "AdamW", "RMSprop", "Adagrad", "Adamax", "NAdam", "RAdam", "Adadelta"])
def test_choices_of_kernels_are_accepted(kind: str) -> None:
    getattr(optim, kind)([leaf(np.ones(3))], lr=0.1, foreach=True, fused=True, capturable=False)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_nadam_keeps_its_product_in_the_default_dtype_as_pytorch_does(dtype: str) -> None:
    torch = pytest.importorskip("torch")
    start, ours, theirs = np.array([0.3, -0.7, 1.1]), minitorch.get_default_dtype(), torch.get_default_dtype()
    ends = []
    try:
        for framework in (minitorch, torch):
            framework.set_default_dtype(getattr(framework, dtype))
            w = framework.tensor(start, requires_grad=True)
            optimizer = framework.optim.NAdam([w], lr=5e-3)
            for _ in range(4):
                optimizer.zero_grad()
                ((w - 1) ** 2).sum().backward()
                optimizer.step()
            ends.append(w.detach().numpy())
    finally:
        minitorch.set_default_dtype(ours)
        torch.set_default_dtype(theirs)
    np.testing.assert_allclose(ends[0], ends[1], rtol=1e-14)
