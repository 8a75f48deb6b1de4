"""docs/for-pytorch-users.md: both columns of its lines are run, in both frameworks, and `port` writes the second."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import minitorch
from minitorch.compat.porting.porting_rules import findings_in
from minitorch.compat.porting.rewriting import rewritten

PAGE = Path(__file__).resolve().parents[2] / "docs" / "for-pytorch-users.md"
TABLE = PAGE.read_text(encoding="utf-8").partition("<!-- lines -->")[2].partition("<!-- end of the lines -->")[0]
LINES = re.findall(r"^\| `(.+?)` \| `(.+?)` \|", TABLE, re.MULTILINE)
BEFORE = """import torch
from torch import nn
x = torch.tensor([[0.0, -0.25], [0.75, 0.0]])
y = torch.tensor([[1.0, 2.0], [0.5, 4.0]])
t = torch.tensor([0, 1])
a = torch.tensor(2)
p = torch.tensor([3.0, 4.0], requires_grad=True)
(p * p / 2).sum().backward()
model = nn.Linear(2, 1)
nn.init.constant_(model.weight, 0.5)
nn.init.constant_(model.bias, 0.25)
"""


def value(program: str) -> np.ndarray:
    *lines, last = program.splitlines()
    names: dict = {}
    exec("\n".join(lines), names)
    found = eval(last, names)
    return np.asarray(found.detach().numpy() if hasattr(found, "detach") else found)


def ours(program: str) -> str:
    return rewritten(program, findings_in(program))


@pytest.mark.parametrize(("theirs", "here"), LINES, ids=[each for each, _ in LINES])
def test_port_writes_the_second_column(theirs, here):
    assert ours(BEFORE + theirs).splitlines()[-1] == here
    assert ours(BEFORE + here).splitlines()[-1] == here


@pytest.mark.parametrize(("theirs", "here"), LINES, ids=[each for each, _ in LINES])
@pytest.mark.filterwarnings("ignore:.torch.jit:DeprecationWarning")
def test_both_columns_give_the_same_and_the_second_runs_in_both(theirs, here):
    pytest.importorskip("torch")
    want = value(BEFORE + theirs)
    there = value(BEFORE + here)
    got = value(ours(BEFORE) + here)
    np.testing.assert_array_equal(there, want)
    assert there.dtype == got.dtype
    np.testing.assert_allclose(got, want, rtol=1e-6)


def test_the_way_back_is_written_with_names_that_are_here():
    back = PAGE.read_text(encoding="utf-8").partition("## The way back")[2]
    imports = re.findall(r"^\| `((?:import|from) .+?)` \| `(.+?)` \|", back, re.MULTILINE)
    assert len(imports) == 4
    for here, theirs in imports:
        exec(here, {})
        names: dict = {}
        exec(ours(theirs), names)
        assert names


def test_there_are_lines():
    assert len(LINES) >= 15
    assert minitorch.tensor([1, 2]).dtype == minitorch.int64
