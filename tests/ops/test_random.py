"""Random numbers: the same seed gives the same numbers, and they are distributed as they should be."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minitorch
from minitorch import Tensor
from minitorch.ops.random import normal_, uniform_

DRAWS: dict[str, Callable[..., Tensor]] = {
    "rand": lambda **options: minitorch.rand(4, **options),
    "randn": lambda **options: minitorch.randn(4, **options),
    "randint": lambda **options: minitorch.randint(0, 1000, (4,), **options),
    "randperm": lambda **options: minitorch.randperm(20, **options),
    "rand_like": lambda **options: minitorch.rand_like(minitorch.zeros(4), **options),
    "randn_like": lambda **options: minitorch.randn_like(minitorch.zeros(4), **options),
    "randint_like": lambda **options: minitorch.randint_like(minitorch.zeros(4), 1000, **options),
    "normal": lambda **options: minitorch.normal(minitorch.zeros(4), 1.0, **options),
    "bernoulli": lambda **options: minitorch.bernoulli(minitorch.full((40,), 0.5), **options),
    "multinomial": lambda **options: minitorch.multinomial(minitorch.ones(50), 20, **options),
    "multinomial again": lambda **options: minitorch.multinomial(minitorch.ones(50), 20, True, **options),
    "uniform_": lambda **options: uniform_(minitorch.zeros(4), **options),
    "normal_": lambda **options: normal_(minitorch.zeros(4), **options),
}


@pytest.mark.parametrize("name", DRAWS)
def test_the_same_seed_gives_the_same_numbers(name: str) -> None:
    minitorch.manual_seed(5)
    first, second = DRAWS[name](), DRAWS[name]()
    minitorch.manual_seed(5)
    assert DRAWS[name]().equal(first)
    assert not second.equal(first)


@pytest.mark.parametrize("name", DRAWS)
def test_a_generator_of_ones_own_leaves_the_common_one_alone(name: str) -> None:
    minitorch.manual_seed(5)
    expected = minitorch.rand(2)
    minitorch.manual_seed(5)
    first = DRAWS[name](generator=np.random.default_rng(1))
    assert minitorch.rand(2).equal(expected)
    assert DRAWS[name](generator=np.random.default_rng(1)).equal(first)


def test_any_integer_is_a_seed() -> None:
    for seed in (0, -1, 2**70, np.int64(3)):
        minitorch.manual_seed(seed)
        first = minitorch.rand(2)
        minitorch.manual_seed(seed)
        assert minitorch.rand(2).equal(first)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_moments(dtype: str) -> None:
    minitorch.manual_seed(0)
    uniform = minitorch.rand(20_000, dtype=dtype)
    normal = minitorch.randn(20_000, dtype=dtype)
    assert uniform.dtype == normal.dtype == np.dtype(dtype)
    assert 0 <= uniform.data.min() <= uniform.data.max() <= 1
    values = [uniform.data.mean(dtype=float), uniform.data.var(dtype=float)]
    values += [normal.data.mean(dtype=float), normal.data.var(dtype=float)]
    np.testing.assert_allclose(values, [0.5, 1 / 12, 0.0, 1.0], atol=0.03)


def test_integers_cover_their_range_and_nothing_else() -> None:
    minitorch.manual_seed(0)
    assert set(minitorch.randint(2, 5, (200,)).tolist()) == {2, 3, 4}
    assert set(minitorch.randint(3, (200,)).tolist()) == {0, 1, 2}
    assert set(minitorch.randint(low=-1, high=1, size=(200,)).tolist()) == {-1, 0}
    assert sorted(minitorch.randperm(9).tolist()) == list(range(9))


def test_normal_with_means_and_deviations() -> None:
    minitorch.manual_seed(0)
    drawn = minitorch.normal(Tensor([[-5.0], [5.0]]), minitorch.full((10_000,), 2.0))
    assert drawn.shape == (2, 10_000)
    np.testing.assert_allclose(drawn.data.mean(axis=1), [-5, 5], atol=0.1)
    np.testing.assert_allclose(drawn.data.std(axis=1), [2, 2], atol=0.1)
    assert minitorch.normal(Tensor(1.0), Tensor(1.0)).shape == ()
    assert minitorch.normal(0.0, 1.0, (2, 3)).dtype == np.dtype(np.float32)


def test_bernoulli_draws_as_often_as_told() -> None:
    minitorch.manual_seed(0)
    drawn = minitorch.bernoulli(Tensor(np.tile([[0.0], [0.2], [1.0]], 10_000)))
    np.testing.assert_allclose(drawn.data.mean(axis=1), [0, 0.2, 1], atol=0.02)
    assert set(np.unique(drawn.data)) == {0.0, 1.0}
    assert minitorch.bernoulli(minitorch.zeros(3, dtype="int64"), 1.0).tolist() == [1, 1, 1]


@pytest.mark.parametrize("replacement", [False, True])
def test_multinomial_draws_in_proportion(replacement: bool) -> None:
    minitorch.manual_seed(0)
    weights = np.tile([0.0, 1.0, 3.0, 0.0, 4.0, 0.0], (8_000, 1))
    drawn = minitorch.multinomial(Tensor(weights), 2, replacement)
    assert drawn.shape == (8_000, 2)
    assert drawn.dtype == np.dtype(np.int64)
    share = np.bincount(drawn.data[:, 0], minlength=6) / 8_000
    np.testing.assert_allclose(share, [0, 1 / 8, 3 / 8, 0, 4 / 8, 0], atol=0.02)
    again = float(np.mean(drawn.data[:, 0] == drawn.data[:, 1]))
    assert abs(again - (26 / 64 if replacement else 0)) < 0.02


def test_the_results_are_constants_and_leaves_when_asked_to() -> None:
    x = minitorch.rand(3, requires_grad=True)
    assert x.requires_grad
    assert x.is_leaf
    drawn = [minitorch.rand_like(x), minitorch.normal(x, x), minitorch.bernoulli(x), minitorch.multinomial(x, 2)]
    assert not any(each.requires_grad for each in drawn)


def test_in_place_keeps_the_tensor_and_its_memory() -> None:
    x = minitorch.zeros(1000)
    data = x.data
    assert uniform_(x, 2, 3) is x
    assert x.data is data
    assert 2 <= data.min() <= data.max() <= 3
    assert normal_(x, mean=10, std=0.1) is x
    assert abs(data.mean() - 10) < 0.1
    assert data.dtype == np.float32


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (lambda: minitorch.rand(2, dtype="int64"), TypeError, "^rand: only floats are drawn, not int64: use randint"),
        (lambda: minitorch.randint(3, 3, (2,)), ValueError, "^randint: there is no integer from 3 to below 3"),
        (lambda: minitorch.randint(3), TypeError, "^randint: needs low, high and size"),
        (lambda: minitorch.normal(0.0, 1.0), TypeError, "^normal: two numbers need a size"),
        (lambda: minitorch.normal(0.0, -1.0, (2,)), ValueError, "^normal: std must not be negative"),
        (lambda: minitorch.normal(0.0, Tensor([1.0, -1.0])), ValueError, "^normal: std must not be negative"),
        (lambda: minitorch.bernoulli(Tensor([0.5, 1.5])), ValueError, "^bernoulli: every probability must be between"),
        (lambda: minitorch.bernoulli(Tensor([0.5, np.nan])), ValueError, "^bernoulli: every probability"),
        (lambda: minitorch.multinomial(Tensor([1.0, -1.0]), 1), ValueError, "^multinomial: weights must be finite and"),
        (lambda: minitorch.multinomial(Tensor([1.0, 0.0]), 2), ValueError, "^multinomial: 2 places with a weight"),
        (lambda: minitorch.multinomial(Tensor([0.0]), 1, True), ValueError, "^multinomial: 1 places with a weight"),
        (lambda: minitorch.multinomial(Tensor(1.0), 1), ValueError, r"^multinomial: 1 samples of shape \(\)"),
        (lambda: uniform_(minitorch.zeros(1), 1, 0), ValueError, "^uniform_: the lower bound 1 is above"),
        (lambda: normal_(minitorch.zeros(1), 0, -1), ValueError, "^normal_: std -1 must not be negative"),
    ],
)
def test_errors_say_what_is_wrong(wrong: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        wrong()
