"""Every case of the op table has the value and the gradients that PyTorch computed in float64."""

import numpy as np
import pytest
from golden import checksum, golden
from op_table import CASES, Case, run

import minitorch
import minitorch.nn.functional
from minitorch import Tensor


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_value_and_gradients_are_those_of_pytorch(case: Case) -> None:
    inputs, (value, *gradients) = golden()[case.name]
    assert checksum(case.inputs()) == inputs, "the table changed: run scripts/make_golden.py"
    with np.errstate(all="ignore"):  # the cases at infinity
        got = run(case, minitorch, Tensor)
    assert got.value.shape == value.shape
    np.testing.assert_allclose(got.value, value, rtol=1e-7, atol=1e-10)
    for ours, theirs in zip(got.gradients, gradients, strict=True):
        assert ours.shape == theirs.shape
        np.testing.assert_allclose(ours, theirs, rtol=1e-7, atol=1e-10)


def test_no_golden_value_is_left_over() -> None:
    assert set(golden()) == {case.name for case in CASES}
