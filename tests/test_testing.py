"""testing.assert_close: what it lets pass and what it says, and the same verdicts as PyTorch's."""

from typing import Any

import numpy as np
import pytest

import minitorch as mt
from minitorch.testing import assert_close

NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("actual", "expected", "said"),
    [
        (mt.zeros(2), mt.zeros(3), r"the shapes differ: \(2,\) where \(3,\) is expected"),
        (mt.zeros(2), mt.zeros(2).double(), "the dtypes differ: float32 where float64 is expected"),
        (
            {"a": [mt.tensor([[1.0, 2.0], [3.0, 4.0]])]},
            {"a": [mt.tensor([[1.0, 2.5], [3.0, 9.0]])]},
            r"\['a'\]\[0\]: 2 of 4 numbers differ, by 5 at most, at index \(1, 1\): 4.0 where 9.0 is expected",
        ),
        ({"a": 1}, {"b": 1}, "the keys differ: missing 'b', too many 'a'"),
        ([1], [1, 2], "the lengths differ: 1 where 2 is expected"),
        (mt.tensor([True, False]), mt.tensor([True, True]), r"1 of 2 numbers differ, by 1 at most, at index \(1,\)"),
        (None, 1, "one of them is None"),
        (mt.tensor([0.0, NAN]), mt.tensor([0.0, NAN]), r"1 of 2 numbers differ, by nan at most, at index \(1,\)"),
    ],
)
def test_a_difference_is_told_with_its_place(actual: Any, expected: Any, said: str) -> None:
    with pytest.raises(AssertionError, match=f"assert_close: {said}"):
        assert_close(actual, expected)


def test_what_passes_and_what_is_asked_for() -> None:
    assert_close(mt.tensor([1.0, NAN]), mt.tensor([1.0, NAN]), equal_nan=True)
    assert_close((mt.ones(2), [1]), [np.ones(2, np.float32), (1,)])
    assert_close(mt.ones(2), mt.ones(2).double(), check_dtype=False)
    assert_close(None, None)
    with pytest.raises(AssertionError, match=r"^mine$"):
        assert_close(1.0, 2.0, msg="mine")
    with pytest.raises(AssertionError, match=r"^here: assert_close: 1 of 1"):
        assert_close(1.0, 2.0, msg=lambda said: f"here: {said}")
    with pytest.raises(ValueError, match="give both rtol and atol, or neither"):
        assert_close(1.0, 1.0, rtol=1.0)
    with pytest.raises(TypeError, match="str holds no numbers to compare"):
        assert_close("a", "a")


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int64", "bool"])
def test_pytorch_gives_the_same_verdicts(torch: Any, dtype: str) -> None:
    for value in (0.0, 1.0, 300.0, *([INF] if dtype.startswith("float") else [])):
        for off in (0.0, 5e-8, 1.5e-7, 5e-6, 2e-5, 1e-3, 0.1, 1.0):
            pair = [np.array([value], dtype), np.array([value * (1 + off) + off / 4], dtype)]
            verdicts = []
            for space, tensor in ((mt, mt.tensor), (torch, torch.tensor)):
                try:
                    space.testing.assert_close(*map(tensor, pair))
                except AssertionError:
                    verdicts.append(False)
                else:
                    verdicts.append(True)
            assert verdicts[0] == verdicts[1], (value, off)
