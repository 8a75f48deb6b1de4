"""nn.init: distributions, identities, what manual_seed gives again, and what is refused."""

import math
import sys
from collections.abc import Callable
from typing import Any

import fake_cupy
import numpy as np
import pytest

import minitorch
from minitorch import Tensor
from minitorch.nn import Parameter, init

DRAWING: dict[str, Callable[..., Any]] = {
    "uniform_": lambda t, **k: init.uniform_(t, -2.0, 3.0, **k),
    "normal_": lambda t, **k: init.normal_(t, 1.0, 2.0, **k),
    "trunc_normal_": lambda t, **k: init.trunc_normal_(t, 0.5, 1.0, -1.0, 1.5, **k),
    "xavier_uniform_": lambda t, **k: init.xavier_uniform_(t, 2.0, **k),
    "xavier_normal_": init.xavier_normal_,
    "kaiming_uniform_": lambda t, **k: init.kaiming_uniform_(t, math.sqrt(5), **k),
    "kaiming_normal_": lambda t, **k: init.kaiming_normal_(t, mode="fan_out", nonlinearity="relu", **k),
    "orthogonal_": init.orthogonal_,
    "sparse_": lambda t, **k: init.sparse_(t, 0.3, **k),
}
OTHERS: dict[str, Callable[..., Any]] = {
    "constant_": lambda t: init.constant_(t, 2.5),
    "ones_": init.ones_,
    "zeros_": init.zeros_,
    "eye_": init.eye_,
}


def zeros(*shape: int, dtype: Any = np.float64) -> Tensor:
    return Tensor(np.zeros(shape, dtype))


def kolmogorov(values: np.ndarray, cumulative: Callable[[float], float]) -> float:
    """The largest distance between the share of values below x and what it should be, in its own unit: below 2."""
    ordered = np.sort(values.ravel())
    wanted = np.array([cumulative(x) for x in ordered])
    return float(np.abs(np.arange(ordered.size) / ordered.size - wanted).max() * math.sqrt(ordered.size))


def gauss(x: float) -> float:
    return 0.5 * math.erfc(-x / math.sqrt(2))


# -- all of them -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fill", [*DRAWING.values(), *OTHERS.values()], ids=[*DRAWING, *OTHERS])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_fills_a_parameter_in_place_and_records_nothing(fill: Any, dtype: Any) -> None:
    p = Parameter(zeros(6, 4, dtype=dtype))
    memory = p.data
    assert fill(p) is p
    assert p.data is memory
    assert p.is_leaf
    assert p.requires_grad
    assert p.dtype == dtype
    assert np.isfinite(p.data).all()


@pytest.mark.parametrize("fill", DRAWING.values(), ids=DRAWING)
def test_the_seed_gives_the_same_again_and_a_generator_is_used(fill: Any) -> None:
    minitorch.manual_seed(3)
    first, second = fill(zeros(5, 4)), fill(zeros(5, 4))
    assert not first.equal(second)
    minitorch.manual_seed(3)
    assert fill(zeros(5, 4)).equal(first)
    own = [fill(zeros(5, 4), generator=np.random.default_rng(0)) for _ in range(2)]
    assert own[0].equal(own[1])
    assert fill(zeros(5, 4)).equal(second)  # the common generator was left alone


@pytest.mark.parametrize("fill", [*DRAWING.values(), *OTHERS.values()], ids=[*DRAWING, *OTHERS])
def test_the_same_numbers_on_the_gpu(monkeypatch: pytest.MonkeyPatch, fill: Any) -> None:
    monkeypatch.setitem(sys.modules, "cupy", fake_cupy)
    minitorch.manual_seed(1)
    here = fill(zeros(4, 4))
    minitorch.manual_seed(1)
    there = fill(zeros(4, 4).to("cuda"))
    assert type(there.data) is fake_cupy.ndarray
    assert there.cpu().equal(here)


@pytest.mark.parametrize("name", init.__all__)
def test_what_is_no_tensor(name: str) -> None:
    if name == "calculate_gain":
        return
    extra = {"constant_": (1.0,), "sparse_": (0.5,)}.get(name, ())
    with pytest.raises(TypeError, match=r"needs a Tensor that it can fill, not a ndarray"):
        getattr(init, name)(np.zeros((3, 3, 3)), *extra)


@pytest.mark.parametrize("name", ["uniform_", "normal_", "trunc_normal_", "xavier_uniform_", "kaiming_normal_"])
@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0)])
def test_nothing_to_fill(name: str, shape: Any) -> None:
    assert getattr(init, name)(zeros(*shape)).shape == shape
    assert init.orthogonal_(zeros(*shape)).shape == shape


# -- distributions -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fill", "half_width"),
    [
        (init.xavier_uniform_, math.sqrt(6 / (30 + 50))),
        (lambda t: init.xavier_uniform_(t, gain=3.0), 3 * math.sqrt(6 / (30 + 50))),
        (init.kaiming_uniform_, math.sqrt(6 / 30)),
        (lambda t: init.kaiming_uniform_(t, a=math.sqrt(5)), 1 / math.sqrt(30)),
        (lambda t: init.kaiming_uniform_(t, mode="fan_out", nonlinearity="tanh"), 5 / 3 * math.sqrt(3 / 50)),
    ],
)
def test_uniform_kinds(fill: Any, half_width: float) -> None:
    minitorch.manual_seed(0)
    values = np.concatenate([fill(zeros(10, 6, 5)).data.ravel() for _ in range(30)])
    assert kolmogorov(values, lambda x: (x / half_width + 1) / 2) < 2
    assert np.abs(values).max() <= half_width


@pytest.mark.parametrize(
    ("fill", "std"),
    [
        (init.xavier_normal_, math.sqrt(2 / (30 + 50))),
        (lambda t: init.xavier_normal_(t, 0.5), 0.5 * math.sqrt(2 / (30 + 50))),
        (init.kaiming_normal_, math.sqrt(2 / 30)),
        (lambda t: init.kaiming_normal_(t, 1.0, "fan_out"), 1 / math.sqrt(50)),
        (lambda t: init.kaiming_normal_(t, nonlinearity="selu"), 0.75 / math.sqrt(30)),
    ],
)
def test_normal_kinds(fill: Any, std: float) -> None:
    minitorch.manual_seed(0)
    values = np.concatenate([fill(zeros(10, 6, 5)).data.ravel() for _ in range(30)])
    assert kolmogorov(values, lambda x: gauss(x / std)) < 2


@pytest.mark.parametrize(
    ("mean", "std", "a", "b"),
    [
        (0.0, 1.0, -2.0, 2.0),
        (0.0, 0.02, -2.0, 2.0),
        (1.0, 2.0, 0.5, 0.7),
        (0.0, 1.0, 3.0, 100.0),
        (0.0, 1.0, -50.0, -8.0),
        (5.0, 1.0, -math.inf, 4.0),
        (0.0, 1.0, -1.0, math.inf),
        (0.0, 1.0, 30.0, 31.0),
    ],
)
def test_truncated_normal(mean: float, std: float, a: float, b: float) -> None:
    minitorch.manual_seed(0)
    values = init.trunc_normal_(zeros(5000), mean, std, a, b).data
    assert values.min() >= a
    assert values.max() <= b
    side = -1 if b < mean or a + b < 2 * mean else 1  # the tail in which erfc is exact
    low, high = sorted((side * (a - mean) / std, side * (b - mean) / std))
    upper = [math.erfc(x / math.sqrt(2)) for x in (low, high)]

    def cumulative(x: float) -> float:
        below = (upper[0] - math.erfc(side * (x - mean) / std / math.sqrt(2))) / (upper[0] - upper[1])
        return below if side > 0 else 1 - below

    assert kolmogorov(values, cumulative) < 2


def test_truncated_normal_at_one_point_and_in_float32() -> None:
    assert init.trunc_normal_(zeros(3), a=1.0, b=1.0).tolist() == [1.0] * 3
    thin = init.trunc_normal_(zeros(1000, dtype=np.float32), a=0.1, b=0.1000001)
    assert (thin.data >= np.float32(0.1)).all()


@pytest.mark.parametrize("shape", [(5, 3), (3, 5), (4, 4), (6, 2, 2), (3, 2, 5)])
def test_orthogonal(shape: Any) -> None:
    minitorch.manual_seed(0)
    q = init.orthogonal_(zeros(*shape), gain=2.0).data.reshape(shape[0], -1)
    small = q @ q.T if q.shape[0] <= q.shape[1] else q.T @ q
    np.testing.assert_allclose(small, 4 * np.eye(len(small)), atol=1e-12)


def test_orthogonal_prefers_no_sign() -> None:
    minitorch.manual_seed(0)
    corners = [init.orthogonal_(zeros(2, 2)).data[0, 0] for _ in range(400)]
    assert kolmogorov(np.array(corners), lambda x: 1 - math.acos(x) / math.pi) < 2


def test_sparse() -> None:
    minitorch.manual_seed(0)
    values = init.sparse_(zeros(50, 40), sparsity=0.25, std=3.0).data
    assert ((values == 0).sum(axis=0) == 13).all()
    assert len({tuple(column) for column in (values == 0).T}) > 30
    assert kolmogorov(values[values != 0], lambda x: gauss(x / 3)) < 2


# -- identities and constants ------------------------------------------------------------------------------------------


def test_eye_of_any_shape() -> None:
    np.testing.assert_array_equal(init.eye_(zeros(2, 3)).data, np.eye(2, 3))
    assert init.constant_(zeros(2), 2.5).tolist() == [2.5, 2.5]


@pytest.mark.parametrize("groups", [1, 2])
def test_dirac_passes_its_input(groups: int) -> None:
    weight = init.dirac_(zeros(4, 2, 3, 3), groups)
    x = Tensor(np.arange(2.0 * groups * 25).reshape(1, 2 * groups, 5, 5))
    out = minitorch.nn.functional.conv2d(x, weight, padding=1, groups=groups).data
    if groups == 2:
        np.testing.assert_array_equal(out, x.data)
    else:
        np.testing.assert_array_equal(out[:, :2], x.data)
        assert (out[:, 2:] == 0).all()


def test_gains() -> None:
    gains = {"linear": 1, "conv2d": 1, "sigmoid": 1, "tanh": 5 / 3, "relu": math.sqrt(2), "selu": 0.75}
    assert {name: init.calculate_gain(name) for name in gains} == gains
    assert init.calculate_gain("leaky_relu") == math.sqrt(2 / (1 + 0.01**2))
    assert init.calculate_gain("leaky_relu", 2) == math.sqrt(2 / 5)


# -- refusals ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: init.uniform_(zeros(2), 2.0, 1.0), "uniform_: the lower bound 2.0 is above the upper bound 1.0"),
        (lambda: init.normal_(zeros(2), 0.0, -1.0), "normal_: std -1.0 must not be negative"),
        (lambda: init.trunc_normal_(zeros(2), a=2.0, b=1.0), "trunc_normal_: bounds 2.0 and 1.0 and std 1.0: a is not"),
        (lambda: init.trunc_normal_(zeros(2), std=0.0), "trunc_normal_: .* std is positive"),
        (lambda: init.xavier_uniform_(zeros(2)), r"a Tensor of shape \(2,\) has no fan_in and fan_out, which need 2"),
        (lambda: init.kaiming_normal_(zeros(2, 2), mode="in"), "kaiming: mode is 'fan_in' or 'fan_out', not 'in'"),
        (
            lambda: init.kaiming_normal_(zeros(2, 2), nonlinearity="gelu"),
            "no gain is known for 'gelu'; known are conv",
        ),
        (lambda: init.calculate_gain("leaky_relu", True), "the slope of leaky_relu is a number, not True"),
        (lambda: init.eye_(zeros(2)), r"eye_: fills a matrix, not a Tensor of shape \(2,\)"),
        (lambda: init.sparse_(zeros(2, 2, 2), 0.1), r"sparse_: fills a matrix, not a Tensor of shape \(2, 2, 2\)"),
        (lambda: init.dirac_(zeros(2, 2)), r"dirac_: fills the weight of a convolution, \(out, in, \*kernel\), not a"),
        (lambda: init.dirac_(zeros(3, 2, 3), 2), "dirac_: 2 groups do not divide the 3 output channels"),
        (lambda: init.orthogonal_(zeros(2)), r"orthogonal_: needs 2 axes or more, not shape \(2,\)"),
    ],
)
def test_refusals(call: Any, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        call()


# -- beside PyTorch ----------------------------------------------------------------------------------------------------


def test_identities_gains_and_fans_are_pytorchs(torch: Any) -> None:
    for shape, groups in [((4, 2, 3), 1), ((4, 2, 3), 2), ((6, 2, 4, 3), 3), ((2, 3, 1, 2, 2), 2)]:
        theirs = torch.nn.init.dirac_(torch.zeros(shape), groups).numpy()
        np.testing.assert_array_equal(init.dirac_(zeros(*shape), groups).data, theirs)
    for name in ("linear", "conv_transpose3d", "sigmoid", "tanh", "relu", "leaky_relu", "selu"):
        assert init.calculate_gain(name) == torch.nn.init.calculate_gain(name)
    for shape in [(3, 2), (3, 2, 5), (4, 1, 2, 3)]:
        theirs = torch.nn.init._calculate_fan_in_and_fan_out(torch.zeros(shape))
        assert init._calculate_fan_in_and_fan_out(zeros(*shape)) == theirs


def test_two_samples_of_each_kind_come_from_one_distribution(torch: Any) -> None:
    """Ours and PyTorch's, by the largest distance between the two empirical distributions."""
    torch.manual_seed(0)
    minitorch.manual_seed(0)
    for name in ("trunc_normal_", "xavier_uniform_", "xavier_normal_", "kaiming_uniform_", "kaiming_normal_"):
        ours = np.sort(getattr(init, name)(zeros(80, 50)).data.ravel())
        theirs = np.sort(getattr(torch.nn.init, name)(torch.zeros(80, 50)).numpy().ravel())
        everything = np.concatenate((ours, theirs))
        shares = [np.searchsorted(each, everything, side="right") / each.size for each in (ours, theirs)]
        assert np.abs(shares[0] - shares[1]).max() * math.sqrt(ours.size / 2) < 2, name
