"""The fake CuPy itself: what it must notice, it notices. What it shares with CuPy stands in test_cupy_names.py."""

from collections.abc import Callable, Iterator
from typing import Any

import fake_cupy
import numpy as np
import pytest
from fake_cupy import DEVICE, HOST

X = np.array([[1.0, -2.0, 3.0], [4.0, 5.0, -6.0]])


@pytest.fixture(autouse=True)
def counted() -> Iterator[None]:
    fake_cupy.transfers.clear()
    yield
    fake_cupy.transfers.clear()


def array(values: Any = X, dtype: Any = None) -> Any:
    made = fake_cupy.array(np.array(values, dtype))
    fake_cupy.transfers.clear()
    return made


def host(made: Any) -> np.ndarray:
    return fake_cupy.asnumpy(made)


@pytest.mark.parametrize(
    ("cross", "expected"),
    [
        (float, (HOST, 1)),
        (int, (HOST, 1)),
        (bool, (HOST, 1)),
        (lambda a: a.item(), (HOST, 1)),
        (lambda a: a.tolist(), (HOST, 1)),
        (lambda a: a.get(), (HOST, 1)),
        (fake_cupy.asnumpy, (HOST, 1)),
        (repr, (HOST, 1)),
        (lambda a: f"{a:.2f}", (HOST, 1)),
        (lambda a: a.reshape(1)[a.reshape(1) > 0], (HOST, 1)),
        (lambda a: np.nonzero(a.reshape(1)), (HOST, 1)),
        (lambda a: np.unique(a), (HOST, 1)),
        (lambda a: fake_cupy.asarray(X), (DEVICE, 6)),
        (lambda a: fake_cupy.array([1, 2]), (DEVICE, 2)),
        (lambda a: fake_cupy.array(2.0), (DEVICE, 1)),
        (lambda a: a.reshape(1)[[0, 0]], (DEVICE, 2)),
        (lambda a: a.reshape(1)[np.array([0])], (DEVICE, 1)),
    ],
)
def test_what_crosses_is_written_down(cross: Callable[[Any], Any], expected: tuple[str, int]) -> None:
    cross(array(2.0))
    assert (fake_cupy.transfers[0].to, fake_cupy.transfers[0].size) == expected


@pytest.mark.parametrize(
    "stay",
    [
        lambda a: a * 2.0 + a,
        lambda a: np.where(a > 0, a, 0.0).sum(axis=0),
        lambda a: np.concatenate([a, a])[1:, None],
        lambda a: fake_cupy.zeros((2, 3)) + a,
        lambda a: fake_cupy.asarray(a),
        lambda a: a.copy().astype(np.float32),
        lambda a: np.linalg.norm(a),
        lambda a: np.take(a, np.argsort(a[0]), axis=1),
        lambda a: fake_cupy.lib.stride_tricks.sliding_window_view(a, 2, axis=1),
    ],
)
def test_what_stays_there_is_not(stay: Callable[[Any], Any]) -> None:
    assert type(stay(array())) is fake_cupy.ndarray
    assert fake_cupy.transfers == []


@pytest.mark.parametrize(
    "mix",
    [
        lambda a: a + X,
        lambda a: X + a,
        lambda a: np.add(a, X),
        lambda a: np.where(X > 0, a, 0.0),
        lambda a: np.concatenate([a, X]),
        lambda a: np.take(a, np.array([0])),
        lambda a: a.__setitem__(0, X[0]),
        lambda a: a.__iadd__(X),
        lambda a: np.add(a, [1.0, 2.0, 3.0]),
        lambda a: a @ X.T,
    ],
)
def test_it_meets_no_array_of_the_host(mix: Callable[[Any], Any]) -> None:
    with pytest.raises(TypeError, match="Unsupported type"):
        mix(array())


def test_results_are_never_scalars() -> None:
    a = array()
    for result in (a.sum(), a[0, 0], np.max(a), np.dot(a[0], a[0]), np.array_equal(a, a), np.linalg.norm(a)):
        assert type(result) is fake_cupy.ndarray
        assert result.shape == ()


def test_indices_out_of_range_wrap_around_silently() -> None:
    a, at = array(), array([0, 4])
    expected = X[:, [0, 1]]
    np.testing.assert_array_equal(host(a[:, at]), expected)
    np.testing.assert_array_equal(host(np.take(a, at, axis=1)), expected)
    np.testing.assert_array_equal(host(a.take(at, axis=1)), expected)
    np.testing.assert_array_equal(host(np.take_along_axis(a, array([[4], [-4]]), 1)), [[-2.0], [-6.0]])
    fake_cupy.add.at(a, (array([3]), at[:1]), 10.0)
    assert host(a)[1, 0] == 14.0
    with pytest.raises(IndexError):
        a[2]


@pytest.mark.parametrize(
    ("refused", "message"),
    [
        (lambda a: np.spacing(a), "has no spacing"),
        (lambda a: np.sum(a, where=True), "where"),
        (lambda a: a.max(initial=0.0), "initial"),
        (lambda a: fake_cupy.maximum.accumulate(a), "maximum.accumulate"),
        (lambda a: fake_cupy.multiply.at(a, 0, 2.0), "multiply.at"),
        (lambda a: fake_cupy.add.at(a > 0, 0, True), "does not support bool"),
        (lambda a: fake_cupy.nditer(a), "has no attribute"),
        (lambda a: fake_cupy.linalg.vector_norm(a), "has no attribute"),
        (lambda a: a.setflags(write=False), "setflags"),
        (lambda a: np.asarray(a), "Implicit conversion"),
        (lambda a: range(a), "interpreted as an integer"),
        (lambda a: a[: array(1)], "interpreted as an integer"),
    ],
)
def test_what_cupy_lacks_is_refused(refused: Callable[[Any], Any], message: str) -> None:
    with pytest.raises((TypeError, NotImplementedError, AttributeError), match=message):
        refused(array())


def test_views_know_whose_memory_they_show() -> None:
    a = array()
    assert a.base is None
    assert a.T[0].base is a
    assert (a * 2).base is None
    assert a.astype(np.float64, copy=False) is a
    same = a
    same += 1.0
    assert same is a
    a.T[0] = 0.0
    np.testing.assert_array_equal(host(a)[:, 0], [0.0, 0.0])
