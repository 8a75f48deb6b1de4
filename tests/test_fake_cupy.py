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


CROSSES: list[tuple[Callable[[Any], Any], str, int]] = [
    (float, HOST, 1),
    (int, HOST, 1),
    (bool, HOST, 1),
    (lambda a: a.item(), HOST, 1),
    (lambda a: a.tolist(), HOST, 1),
    (fake_cupy.asnumpy, HOST, 1),
    (repr, HOST, 1),
    (lambda a: f"{a:.2f}", HOST, 1),
    (lambda a: a.reshape(1)[a.reshape(1) > 0], HOST, 1),
    (lambda a: np.nonzero(a.reshape(1)), HOST, 1),
    (lambda a: fake_cupy.asarray(X), DEVICE, 6),
    (lambda a: fake_cupy.array([1, 2]), DEVICE, 2),
    (lambda a: a.reshape(1)[[0, 0]], DEVICE, 2),
    (lambda a: a.reshape(1)[np.array([0])], DEVICE, 1),
]
STAYS: list[Callable[[Any], Any]] = [
    lambda a: a * 2.0 + a,
    lambda a: np.where(a > 0, a, 0.0).sum(axis=0),
    lambda a: np.concatenate([a, a])[1:, None],
    lambda a: fake_cupy.zeros((2, 3)) + a,
    lambda a: fake_cupy.asarray(a),
    lambda a: np.take(a, np.argsort(a[0]), axis=1),
    lambda a: fake_cupy.lib.stride_tricks.sliding_window_view(a, 2, axis=1),
    lambda a: a[0, 0],  # never a scalar
    lambda a: np.array_equal(a, a),
    lambda a: np.linalg.norm(a),
]


def test_what_crosses_is_written_down_and_what_stays_is_not() -> None:
    for cross, to, size in CROSSES:
        made = array(2.0)
        cross(made)
        assert (fake_cupy.transfers[0].to, fake_cupy.transfers[0].size) == (to, size)
    for stay in STAYS:
        assert type(stay(array())) is fake_cupy.ndarray
        assert fake_cupy.transfers == []


MIXES: list[Callable[[Any], Any]] = [
    lambda a: a + X,
    lambda a: X + a,
    lambda a: np.where(X > 0, a, 0.0),
    lambda a: np.concatenate([a, X]),
    lambda a: np.take(a, np.array([0])),
    lambda a: a.__setitem__(0, X[0]),
    lambda a: a.__iadd__(X),
    lambda a: np.add(a, [1.0, 2.0, 3.0]),
]


def test_it_meets_no_array_of_the_host() -> None:
    for mix in MIXES:
        with pytest.raises(TypeError, match="Unsupported type"):
            mix(array())


def test_indices_out_of_range_wrap_around_silently() -> None:
    a, at = array(), array([0, 4])
    for taken in (a[:, at], np.take(a, at, axis=1), a.take(at, axis=1)):
        np.testing.assert_array_equal(fake_cupy.asnumpy(taken), X[:, [0, 1]])
    found = fake_cupy.asnumpy(np.take_along_axis(a, array([[4], [-4]]), 1))
    np.testing.assert_array_equal(found, [[-2.0], [-6.0]])
    fake_cupy.add.at(a, (array([3]), at[:1]), 10.0)
    assert float(a[1, 0]) == 14.0


# What CuPy lacks beside the table of test_cupy_names.py, whose rows a real array of CuPy refuses too.
LACKING: dict[str, Callable[[Any], Any]] = {
    "has no spacing": lambda a: np.spacing(a),
    "does not support bool": lambda a: fake_cupy.add.at(a > 0, 0, True),
    "has no attribute 'nditer'": lambda a: fake_cupy.nditer(a),
    "has no attribute 'vector_norm'": lambda a: fake_cupy.linalg.vector_norm(a),
    "interpreted as an integer": lambda a: a[: array(1)],
    "Wrong type of arguments for cupy_invert$": lambda a: np.invert(a),
}


def test_what_cupy_lacks_is_refused() -> None:
    for message, refused in LACKING.items():
        with pytest.raises((TypeError, AttributeError), match=message):
            refused(array())
