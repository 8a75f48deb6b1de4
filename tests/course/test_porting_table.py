"""What the table of `minitorch port` says to write instead gives what PyTorch gives: each line is executed."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import minitorch
from minitorch.compat.porting import names
from minitorch.compat.porting.porting_rules import findings_in
from minitorch.compat.porting.rewriting import rewritten
from minitorch.compat.porting.table import HARMLESS, METHODS, NAMES, SUBJECTS
from minitorch.language import Message

BEFORE = """import torch
import numpy
from torch import nn
torch.set_default_dtype(torch.float64)
x = torch.tensor([[0.5, -0.25], [0.75, 0.125]])
y = torch.tensor([[1.0, 2.0], [0.5, 4.0]])
m = nn.Linear(2, 1)
nn.init.constant_(m.weight, 0.5)
nn.init.constant_(m.bias, 0.25)
"""
# Each line of the tables, in a program: what is compared is the value of the last line.
EXAMPLES = {
    "mps.is_available": "torch.mps.is_available()",
    "jit.script": "torch.jit.script(m)(x)",
    "jit.trace": "torch.jit.trace(torch.abs, (x,))(x)",
    "nn.DataParallel": "nn.DataParallel(m)(x)",
    "nn.parallel.DistributedDataParallel": None,  # only PyTorch's own process group runs it
    "autograd.Variable": "torch.autograd.Variable(x, requires_grad=True) + torch.autograd.Variable(y)",
    "autograd.variable.Variable": "torch.autograd.variable.Variable(x)",
    "cuda.set_device": "torch.cuda.set_device(0)\nx",
    "set_num_interop_threads": "torch.set_num_interop_threads(1)\nx",
    "set_printoptions": "torch.set_printoptions(precision=4)\nx",
    "pin_memory": None,  # PyTorch's needs a GPU
    "share_memory_": "x.share_memory_()",
    "is_sparse": "x.is_sparse",
    "is_same_size": "x.is_same_size(y)",
    "share_memory": "m.share_memory()\nm(x)",
    "dtype.is_floating_point": "x.dtype.is_floating_point",
    "dtype.is_complex": "x.dtype.is_complex",
    "bfloat16": None,  # other numbers; ours stay as they are
}
NOT_HERE = ("cuda.set_device", "mps.is_available", "set_num_interop_threads")  # of PyTorch's process, not compared


def value(program: str) -> np.ndarray:
    *lines, last = program.splitlines()
    names_ = {}
    exec("\n".join(lines), names_)
    found = eval(last, names_)
    return np.asarray(found.detach().numpy() if hasattr(found, "detach") else found)


def ours(program: str) -> str:
    return rewritten(program, findings_in(program))


@pytest.fixture(autouse=True)
def dtype_as_it_was():
    before = minitorch.get_default_dtype()
    yield
    minitorch.set_default_dtype(before)


@pytest.mark.parametrize("name", [*NAMES, *METHODS])
def test_what_to_write_instead_gives_the_same(name):
    line = EXAMPLES[name]
    if line is None:
        pytest.skip("PyTorch itself does not run it here")
    torch = pytest.importorskip("torch")
    got = value(ours(BEFORE + line))
    before = torch.get_default_dtype()
    try:
        if name in NOT_HERE:
            return
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # PyTorch's own, about its old names
            want = value(BEFORE + line)
    finally:
        torch.set_default_dtype(before)
    np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-12)


def test_a_line_about_a_name_that_has_come_is_not_findings_in():
    assert names.resolve("relu")
    assert [finding.span[0] for finding in findings_in("import torch\ntorch.relu(torch.ones(2))\n")] == [1]


def test_each_reason_is_said():
    for why in {why for why, *_ in (*NAMES.values(), *METHODS.values())} | set(SUBJECTS):
        assert Message(why).to("es") != why


def test_a_harmless_argument_is_none_that_changes_a_result():
    assert not HARMLESS & {"lr", "dim", "input", "reduction"}
