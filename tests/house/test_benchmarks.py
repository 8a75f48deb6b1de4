"""The table of operations measures every operation, and what it compares is the same computation. Nothing is timed."""

import inspect
import sys
from pathlib import Path

import numpy as np
import pytest

import minitorch
import minitorch.nn.functional

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
from benchmarks.operations import LIMIT, Measured  # noqa: E402
from benchmarks.pairs import NOT_MEASURED, PAIRS, RANDOM  # noqa: E402

sys.path.remove(str(ROOT))


def exported() -> set[str]:
    functions = {name for name in minitorch.__all__ if inspect.isfunction(getattr(minitorch, name))}
    of_linalg = {name for name in minitorch.linalg.__all__ if inspect.isfunction(getattr(minitorch.linalg, name))}
    return {*functions, *minitorch.nn.functional.__all__, *(f"linalg.{name}" for name in of_linalg)}


def test_nearly_every_operation_is_measured():
    """A new operation may come without a measured pair; one by one they would make the table of `make bench` untrue."""
    missing = sorted(exported() - set(PAIRS) - NOT_MEASURED)
    assert len(missing) <= 5, f"add a pair for some of these to benchmarks/pairs: {missing}"


def test_the_table_names_nothing_else():
    assert set(PAIRS) - exported() == set()
    assert NOT_MEASURED - set(minitorch.__all__) - exported() == set()
    assert NOT_MEASURED & set(PAIRS) == set()
    assert RANDOM - set(PAIRS) == set()


@pytest.mark.parametrize("letter", sorted({name[0] for name in PAIRS}))
def test_both_forms_compute_the_same_on_about_100_000_numbers(letter):
    for name in (name for name in PAIRS if name[0] == letter):
        require_the_same(name, PAIRS[name])


def require_the_same(name, pair):
    ours, plain = pair.ours(*pair.tensors()), pair.plain(*pair.arrays)
    if not isinstance(plain, tuple):
        ours, plain = (ours,), (plain,)
    assert any(80_000 <= np.size(each) <= 210_000 for each in (*pair.arrays, *plain)), name
    assert len(ours) == len(plain), name
    for one, other in zip(ours, plain, strict=True):
        values, wanted = np.asarray(getattr(one, "data", one)), np.asarray(other)
        assert values.shape == wanted.shape, name
        assert values.dtype == wanted.dtype, name
        if name not in RANDOM:
            np.testing.assert_allclose(values, wanted, rtol=1e-4, atol=1e-5, err_msg=name)


def test_a_ratio_has_a_verdict():
    assert Measured("exp", ours=2 * LIMIT, plain=2.0).is_met
    assert not Measured("exp", ours=2 * LIMIT + 0.1, plain=2.0).is_met
