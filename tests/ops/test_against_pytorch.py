"""The same cases, live against the PyTorch that is installed: the self-check of scripts/make_golden.py.

`make test` compares with the golden values; this runs where continuous integration has PyTorch at hand.
"""

import itertools
from typing import Any

import numpy as np
import pytest
from golden import golden
from op_table import CASES, Case, run

import minitorch
import minitorch.nn.functional
from minitorch import Tensor

torch: Any = pytest.importorskip("torch", reason="PyTorch is not installed: its committed golden values are compared")


def require_agreement(case: Case) -> None:
    for dtype, near in ((np.float64, {"rtol": 1e-7, "atol": 1e-10}), (np.float32, {"rtol": 1e-4, "atol": 1e-4})):
        with np.errstate(all="ignore"):
            ours, theirs = run(case, minitorch, Tensor, dtype), run(case, torch, torch.tensor, dtype)
        ours, theirs = [ours.value, *ours.gradients], [theirs.value, *theirs.gradients]
        kept = golden()[case.name][1] if dtype is np.float64 else theirs
        for mine, given, stored in zip(ours, theirs, kept, strict=True):
            assert mine.dtype == given.dtype, case.name
            np.testing.assert_allclose(mine, given, **near, err_msg=case.name)
            np.testing.assert_allclose(stored, given, rtol=1e-9, atol=1e-12, err_msg=case.name)


@pytest.mark.filterwarnings("ignore:(var|std)")  # PyTorch warns where the result is nan
@pytest.mark.filterwarnings("ignore:.*is deprecated")  # old names, which programs still use
@pytest.mark.filterwarnings("ignore:index_reduce.* is in beta")
@pytest.mark.filterwarnings("ignore:Using padding='same' with even kernel")
@pytest.mark.parametrize("op", sorted({case.op for case in CASES}))
def test_pytorch_agrees_and_the_golden_values_are_those_that_it_gives_now(op: str) -> None:
    for case in CASES:
        if case.op == op:
            require_agreement(case)


SHOWN: list[Any] = [
    [1e10, 1.5],
    [[1.0, -2.0], [3.0, 4.5]],
    [],
    [True, False],
    3,
    1.5,
    [1e-5, 1.0],
    [0.1, 1234.5],
    [0.1, 12345.5],
    [1, -20],
    [float("nan"), 1.0],
    [float("inf"), 1.5, -1.0],
    [1e8],
    [123456789.0],
    [-0.0, 0.0],
    [0.001, 100.0],
    [0.001, 1000.0],
    [[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]],
]


@pytest.mark.parametrize("values", SHOWN, ids=str)
def test_repr_is_pytorchs(values: Any) -> None:
    assert repr(Tensor(values)) == repr(torch.tensor(values))


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64"])
def test_repr_of_other_dtypes_is_pytorchs_without_its_module_name(dtype: str) -> None:
    theirs = repr(torch.tensor([1, 2], dtype=getattr(torch, dtype)))
    assert repr(Tensor([1, 2], dtype=dtype)) == theirs.replace("torch.", "")


PROMOTED: dict[str, Any] = {
    "float32 vector": np.ones(2, np.float32),
    "float64 vector": np.ones(2),
    "int64 vector": np.ones(2, np.int64),
    "bool vector": np.ones(2, np.bool_),
    "float32 number": np.array(1.0, np.float32),
    "float64 number": np.array(1.0),
    "int64 number": np.array(1),
}


@pytest.mark.parametrize("op", ["add", "mul", "div", "pow", "maximum"])
def test_promotion_is_pytorchs(op: str) -> None:
    plain = {"Python int": 2, "Python float": 2.0, "NumPy float": np.float64(2.0)}
    others = PROMOTED if op == "maximum" else PROMOTED | plain  # PyTorch's maximum takes tensors only
    for left, right in itertools.product(PROMOTED, others):
        if op == "pow" and left == right == "bool vector":
            continue  # PyTorch has no power of bools
        a, b = PROMOTED[left], others[right]
        theirs = getattr(torch, op)(torch.tensor(a), b if right in plain else torch.tensor(b))
        ours = getattr(minitorch, op)(Tensor(a), b if right in plain else Tensor(b))
        assert str(ours.dtype) == str(theirs.dtype).removeprefix("torch."), (left, right)
