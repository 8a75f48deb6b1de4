"""The training steps that are raced: whoever runs in them computes the same. Small sizes; nothing is timed."""

import dataclasses
import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

from minitorch import Tensor
from minitorch.nn import functional

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
from benchmarks.race import TOLERANCE  # noqa: E402
from benchmarks.steps import VARIANTS, plain, workload_named  # noqa: E402
from benchmarks.steps.chain import Chain  # noqa: E402
from benchmarks.steps.convnet import ConvNet  # noqa: E402
from benchmarks.steps.gpt import GPT  # noqa: E402
from benchmarks.steps.mlp import MLP  # noqa: E402
from benchmarks.steps.scalar import Scalar  # noqa: E402

sys.path.remove(str(ROOT))

SMALL = {
    "scalar": Scalar("scalar", (2, 4, 3, 1), 6, {}),
    "chain": Chain("chain", 20, 3, {}),
    "mlp-sgd": MLP("mlp-sgd", (5, 7, 4, 3), 6, "SGD", {}, lr=0.5),
    "mlp-adam": MLP("mlp-adam", (5, 7, 3), 6, "Adam", {}, lr=0.1),
    "gpt": GPT("gpt", 2, 8, 2, 5, 3, 11, "AdamW", {}, lr=0.01),
    "max pool, padded": ConvNet("cnn", 8, (1, 3, 4), 3, (1, 1), "max", (), 3, "SGD", {}, lr=0.5),
    "average pool, odd": ConvNet("cnn", 7, (2, 3), 3, (1,), "avg", (), 2, "SGD", {}, lr=0.5),
    "lenet": ConvNet("lenet", 12, (1, 2, 3), 3, (2, 0), "max", (6, 5), 3, "SGD", {}, lr=0.5),
}
BY_HAND = {name: workload.contenders[0] for name, workload in SMALL.items()}


def curve(workload, contender: str, seed: int = 1, steps: int = 8) -> list[float]:
    step = workload.step(contender, workload.draw(np.random.default_rng(seed)))
    return [step() for _ in range(steps)]


@pytest.mark.parametrize("name", SMALL)
def test_minitorch_computes_what_was_written_by_hand(name):
    workload = SMALL[name]
    np.testing.assert_allclose(curve(workload, "minitorch"), curve(workload, BY_HAND[name]), rtol=TOLERANCE)


@pytest.mark.parametrize("package", ["torch", "micrograd", "minitorch_signs"])
@pytest.mark.parametrize("name", SMALL)
def test_so_do_the_others(name, package):
    if not package.startswith("minitorch") and importlib.util.find_spec(package) is None:
        pytest.skip(f"{package} is not installed")
    workload = SMALL[name]
    if package in workload.contenders:
        np.testing.assert_allclose(curve(workload, package), curve(workload, BY_HAND[name]), rtol=TOLERANCE)


@pytest.mark.parametrize("name", [name for name in SMALL if name != "chain"])
def test_a_curve_that_agrees_is_one_that_moves(name):
    """Else a gradient that is wrong would not be seen in it."""
    losses = curve(SMALL[name], BY_HAND[name], steps=9)
    same_batch = losses[0], losses[4], losses[8]
    assert abs(same_batch[1] / same_batch[0] - 1) > 30 * TOLERANCE
    assert abs(same_batch[2] / same_batch[1] - 1) > 30 * TOLERANCE


@pytest.mark.parametrize("name", SMALL)
def test_the_seed_draws_the_problem(name):
    workload = SMALL[name]
    draws = [workload.draw(np.random.default_rng(seed)) for seed in (1, 1, 2)]
    first, same, other = [np.concatenate([w.ravel() for w in each.weights.values()]) for each in draws]
    np.testing.assert_array_equal(first, same)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize("name", SMALL)
def test_contenders_leave_the_problem_as_it_was(name):
    workload = SMALL[name]
    problem, untouched = workload.draw(np.random.default_rng(1)), workload.draw(np.random.default_rng(1))
    for contender in (BY_HAND[name], "minitorch"):
        step = workload.step(contender, problem)
        for _ in range(5):
            step()
    for key, weight in untouched.weights.items():
        np.testing.assert_array_equal(problem.weights[key], weight)
    for batch, wanted in zip(problem.batches, untouched.batches, strict=True):
        for array, other in zip(batch, wanted, strict=True):
            np.testing.assert_array_equal(array, other)


@pytest.mark.parametrize("name", [name for name in SMALL if name not in ("scalar", "chain")])
def test_what_is_written_by_hand_stays_in_float32(name):
    workload = SMALL[name]
    kept = []

    @dataclasses.dataclass(frozen=True)
    class Watched(type(workload.draw(np.random.default_rng(0)))):
        def copied_weights(self):
            kept.append(super().copied_weights())
            return kept[-1]

    problem = workload.draw(np.random.default_rng(0))
    step = workload.step("numpy", Watched(problem.weights, problem.batches))
    for _ in range(3):
        step()
    assert {weight.dtype for weight in kept[0].values()} == {np.dtype(np.float32)}
    assert all(np.isfinite(weight).all() for weight in kept[0].values())


def test_every_variant_has_the_workloads_that_it_changes():
    names = [each.name for each in VARIANTS["goal"]]
    assert [each.name for each in VARIANTS["odd"]] == names
    assert len(set(names)) == len(names)
    assert {each.batch for each in VARIANTS["single"] if hasattr(each, "batch")} == {1}
    assert workload_named("gpt", "odd").layers != workload_named("gpt", "goal").layers


def test_odd_sizes_are_other_sizes():
    for goal, odd in zip(VARIANTS["goal"], VARIANTS["odd"], strict=True):
        assert goal.title != odd.title
        assert goal.goals == odd.goals


@pytest.mark.parametrize(
    "each", [each for variant in VARIANTS.values() for each in variant], ids=lambda each: each.title
)
def test_every_workload_names_its_goals_among_its_contenders(each):
    assert set(each.goals) <= set(each.contenders) - {"minitorch"}


# -- the layers by hand, whose gradients a short curve might not tell apart ------------------------------------------


def arrays(*shapes):
    rng = np.random.default_rng(5)
    return [rng.standard_normal(shape).astype(np.float32) for shape in shapes]


def gradients(function, g, *inputs):
    tensors = [Tensor(each, requires_grad=True) for each in inputs]
    function(*tensors).backward(Tensor(g))
    return [np.asarray(each.grad) for each in tensors]


def assert_close(found, wanted):
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)


def test_gelu_by_hand():
    x, g = arrays((6, 7), (6, 7))
    out, share = plain.gelu(x)
    assert_close(out, functional.gelu(Tensor(x), approximate="tanh").numpy())
    (wanted,) = gradients(lambda x: functional.gelu(x, approximate="tanh"), g, x)
    assert_close(plain.gelu_backward(g.copy(), x, share), wanted)


def test_layer_norm_by_hand():
    x, weight, bias, g = arrays((6, 7), 7, 7, (6, 7))
    out, kept = plain.layer_norm(x, weight, bias)
    assert_close(out, functional.layer_norm(Tensor(x), (7,), Tensor(weight), Tensor(bias)).numpy())
    wanted = gradients(lambda x, w, b: functional.layer_norm(x, (7,), w, b), g, x, weight, bias)
    for found, want in zip(plain.layer_norm_backward(g, weight, kept), wanted, strict=True):
        assert_close(found, want)


def test_embedding_by_hand_adds_up_rows_that_are_picked_twice():
    numbers, (g,) = np.array([2, 0, 2, 2, 4]), arrays((5, 3))
    wanted = np.zeros((6, 3), np.float32)
    np.add.at(wanted, numbers, g)
    assert_close(plain.embedding_backward(g, numbers, 6), wanted)


def test_cross_entropy_by_hand():
    (logits,), target = arrays((4, 5)), np.array([0, 4, 2, 2])
    (wanted,) = gradients(lambda x: functional.cross_entropy(x, Tensor(target)), np.float32(1), logits)
    loss, grad = plain.cross_entropy(logits.copy(), target)
    assert loss == pytest.approx(functional.cross_entropy(Tensor(logits), Tensor(target)).item(), rel=1e-6)
    assert_close(grad, wanted)


@pytest.mark.parametrize("padding", [0, 1, 2])
def test_convolution_by_hand(padding):
    x, weight, bias = arrays((2, 3, 6, 5), (4, 3, 3, 3), 4)
    out, columns = plain.convolution(x, weight, bias, padding)
    assert_close(out, functional.conv2d(Tensor(x), Tensor(weight), Tensor(bias), padding=padding).numpy())
    (g,) = arrays(out.shape)
    wanted = gradients(lambda x, w, b: functional.conv2d(x, w, b, padding=padding), g, x, weight, bias)
    assert_close(plain.convolution_backward_to_input(g, weight, x, padding), wanted[0])
    for found, want in zip(plain.convolution_backward(g, columns, weight), wanted[1:], strict=True):
        assert_close(found, want)


@pytest.mark.parametrize("kind", ["max", "avg"])
def test_pools_by_hand_leave_out_a_last_odd_row_and_know_ties(kind):
    (x,) = arrays((2, 3, 5, 6))
    x = np.round(x)  # many equal numbers
    by_hand = {"max": plain.max_pool, "avg": plain.average_pool}[kind]
    backward = {"max": plain.max_pool_backward, "avg": plain.average_pool_backward}[kind]
    pool = {"max": functional.max_pool2d, "avg": functional.avg_pool2d}[kind]
    out = by_hand(x)
    assert_close(out, pool(Tensor(x), 2).numpy())
    (g,) = arrays(out.shape)
    (wanted,) = gradients(lambda x: pool(x, 2), g, x)
    assert_close(backward(g.copy(), x, out), wanted)
