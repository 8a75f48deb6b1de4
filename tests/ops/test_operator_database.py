"""PyTorch's own samples and wrong calls, of every entry of its database of operators that is here, run on both."""

import importlib
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minitorch
from minitorch import Tensor

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "operators.md").read_text(encoding="utf-8")


def listed(title: str) -> set[str]:
    """The names in code under a title of the page."""
    part = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert part is not None
    body = (
        part[1]
        if title == "Here"
        else "\n".join(row.split("|")[2] for row in part[1].splitlines() if row.count("|") > 2)
    )
    return {name for name in re.findall(r"`([\w.]+)`", body) if not name.startswith("minitorch")}


HERE, ABSENT = listed("Here"), listed("Without a meaning here") | listed("Not here")
OTHERWISE = {"__rdiv__": "__rtruediv__", **{name: f"{name}_" for name in ("cauchy", "geometric", "log_normal")}}
OTHERWISE |= {"exponential": "exponential_", "uniform": "uniform_"}


def exists(name: str) -> bool:
    space: Any = minitorch
    name = OTHERWISE.get(name, name)
    for part in name.split("."):
        space = getattr(space, part, None)
    return callable(space) or hasattr(Tensor, name)


def test_the_page_is_true_of_what_is_here() -> None:
    assert len(HERE) > 490
    assert [name for name in sorted(HERE) if not exists(name)] == []


def test_the_page_is_true_of_what_is_not() -> None:
    assert len(ABSENT) > 80
    assert [name for name in sorted(ABSENT) if exists(name)] == [], "run: python scripts/operators.py"
    assert set() == HERE & ABSENT


# -- live --------------------------------------------------------------------------------------------------------------

live = pytest.mark.live
MOST = 60  # samples of an entry

# Entries that are compared less closely: how far the numbers may be apart.
NEAR = {
    **{f"special.bessel_{kind}": 1e-6 for kind in ("j0", "j1", "y0", "y1")},  # PyTorch's are off by 4e-7 near 5
    "nn.functional.hardsigmoid": 1e-7,  # PyTorch divides by 6 in float32
}
# How many samples may differ, and why.
OTHER = {
    "normal in_place": 1,  # with a negative deviation, which is refused
    "histogramdd": MOST,  # with edges in no order, which are refused
    "linalg.norm subgradients_at_zero": 24,  # the second derivative at 0 is 0 here and nan there
    "nn.functional.avg_pool2d": 1,  # with an empty list for the stride
    "nn.functional.batch_norm": 2,  # of no channels
    "nn.functional.multi_margin_loss": 2,  # of a score alone, without an axis of classes
    "nn.functional.multilabel_margin_loss": 1,
}
# What PyTorch refuses and minitorch does not, beside Python numbers in the place of Tensors.
TAKEN = {
    "narrow": 1,  # a start that is a bool
    "multinomial": 1,  # weights that are integers
    "mean": 1,  # integers, whose mean is a float
    "nn.functional.max_pool1d": 2,  # no samples
    "nn.functional.max_pool3d": 1,
}
REFUSED = (ValueError, TypeError, LookupError, RuntimeError, AttributeError, ArithmeticError)


@pytest.fixture(scope="module")
def database() -> Any:
    """PyTorch's database; its import takes seconds, so nothing else asks for it."""
    pytest.importorskip("torch", reason="PyTorch is not installed")
    pytest.importorskip("expecttest", reason="expecttest is not installed, which PyTorch's own tests need")
    return importlib.import_module("operator_database")


@pytest.fixture
def quiet() -> Iterator[None]:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


@live
@pytest.mark.parametrize("name", sorted(HERE))
def test_pytorchs_samples_agree(database: Any, quiet: None, name: str) -> None:
    for key in database.keys_of(name):
        near, differences = NEAR.get(key, 1e-9), []
        for sample in database.samples(database.ENTRIES[key], MOST):
            try:
                difference = database.compared(key, sample, near, max(near, 1e-10))
            except database.UnlikeError:
                continue
            except REFUSED as error:
                difference = str(error)
            if difference:
                differences.append(f"{key}: {difference}: {sample}")
        assert len(differences) <= OTHER.get(key, 0), differences[0]


@live
@pytest.mark.parametrize("name", sorted(HERE))
def test_what_pytorch_refuses_is_refused(database: Any, quiet: None, name: str) -> None:
    for key in database.keys_of(name):
        taken = []
        for why, call in database.refusals(key):
            if not why:
                continue  # a Python number for a Tensor: it is an operand here
            try:
                call()
            except REFUSED:
                continue
            taken.append(why)
        assert len(taken) <= TAKEN.get(key, 0), taken


@live
def test_the_page_is_the_one_that_the_script_writes(database: Any) -> None:
    assert importlib.import_module("operators").page() == PAGE, "run: python scripts/operators.py"
