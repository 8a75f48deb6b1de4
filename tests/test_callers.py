"""A warning names the line of the user's code, however deep in minitorch it began: read from real processes."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

HEAD = """import warnings
from threading import Thread
import numpy as np
import minitorch as m
from minitorch import nn, optim
from minitorch.nn import functional as F
zero, large, leaf = m.zeros(2), m.tensor([3e38, 3e38]), m.zeros(2, requires_grad=True)
w = nn.Parameter(m.tensor([1e30])); w.grad = np.array([1e30], np.float32)
adam = optim.Adam([w], lr=1.0)
def inner(x):
    return m.log(x)  # {of log in a function}
def quiet():
    with np.errstate(all="ignore"):
        m.log(zero)
layer = nn.Sequential(nn.Flatten(0), nn.Softmax(0))
"""
# Each line, and the words of NumPy's, or minitorch's, warning of it; "" for none.
LINES = {
    "m.log(zero)": "divide by zero encountered in log",
    "leaf.log()": "divide by zero encountered in log",
    "m.sqrt(zero - 1)": "invalid value encountered in sqrt",
    "m.exp(large)": "overflow encountered in exp",
    "zero / zero": "invalid value encountered in divide",
    "leaf / 0": "invalid value encountered in divide",
    "large * large": "overflow encountered in multiply",
    "large.requires_grad_() * large": "overflow encountered in multiply",
    "(large @ large)": "overflow encountered in matmul",
    "large.detach().sum()": "overflow encountered in reduce",
    "np.sum(large.detach())": "overflow encountered in reduce",
    "np.log(zero)": "divide by zero encountered in log",
    "m.tensor([m.inf, 1]).softmax(0)": "invalid value encountered in subtract",
    "layer(m.tensor([m.inf, 1]))": "invalid value encountered in subtract",
    "m.tensor(1e300, dtype='float64').float()": "overflow encountered in cast",
    "m.tensor([1e38, -1e38]).var()": "overflow encountered in multiply",
    "zero.clone().log_()": "divide by zero encountered in log",
    "m.log(m.tril(m.ones(3, 3)))": "divide by zero encountered in log",
    "adam.step()": "overflow encountered in multiply",
    "np.log(np.zeros(2))": "divide by zero encountered in log",
    "thread = Thread(target=lambda: m.log(zero)); thread.start(); thread.join()": "divide by zero encountered in log",
    "for _ in range(3): m.log(zero)": "divide by zero encountered in log",
    "leaf.sqrt().sum().backward()": "",
    "quiet()": "",
    "F.mse_loss(m.ones(1), m.ones(2, 1))": "mse_loss: input has shape (1,) and target (2, 1)",
    "nn.MSELoss()(m.ones(1), m.ones(2, 1))": "mse_loss: input has shape (1,) and target (2, 1)",
    "F.cross_entropy(leaf[None].softmax(1), m.tensor([0]))": "cross_entropy: input is what softmax made",
    "nn.CrossEntropyLoss()(layer(leaf), m.tensor(0))": "cross_entropy: input is what softmax made",
    "F.cross_entropy(leaf[None].log_softmax(1), m.tensor([0])), F.cross_entropy(leaf[None], m.tensor([0]))": "",
    "F.cross_entropy(leaf[None], zero[None].softmax(1)), F.nll_loss(leaf[None].softmax(1), m.tensor([0]))": "",
    "nn.LSTM(1, 1, dropout=0.5)": "LSTM: dropout=0.5 works between layers",
    "m.tensor(leaf)": "tensor: a Tensor is copied and leaves the graph",
    "m.tensor(zero)": "tensor: a Tensor is copied and leaves the graph",
    "zero.new_tensor(leaf)": "new_tensor: a Tensor is copied and leaves the graph",
    "m.as_tensor(leaf), m.clone(leaf), leaf.detach().clone(), m.Tensor(leaf)": "",
    "zero == 1": "== compares Tensors by identity",
    "optim.lr_scheduler.StepLR(optim.SGD([w]), 1).step()": "StepLR.step() came before the first optimizer.step()",
}


def run(folder: Path, text: str, *options: str) -> subprocess.CompletedProcess[str]:
    script = folder / "script.py"
    script.write_text(text, encoding="utf-8")
    command = [sys.executable, *options, str(script)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def told(stderr: str) -> dict[int, str]:
    """Of each line that a warning names, what it says; of a file other than the script under the number 0."""
    found = {}
    for file, line, words in re.findall(r"^(\S+):(\d+): \w+Warning: (.*)$", stderr, re.MULTILINE):
        found[int(line) if file.endswith("script.py") else 0] = words
    return found


def test_each_warning_names_the_line_of_the_script(tmp_path: Path) -> None:
    ran = run(tmp_path, HEAD + "\n".join(LINES) + "\n")
    assert ran.returncode == 0, ran.stderr
    first = HEAD.count("\n") + 1
    found = told(ran.stderr)
    for line, words in enumerate(LINES.values(), first):
        assert found.pop(line, "").startswith(words) is True
        assert (line in told(ran.stderr)) is bool(words)
    assert not found


def test_the_line_of_a_function_is_named_and_not_that_of_its_call(tmp_path: Path) -> None:
    ran = run(tmp_path, HEAD + "inner(zero)\n")
    assert list(told(ran.stderr)) == [HEAD[: HEAD.index("# {")].count("\n") + 1]


@pytest.mark.parametrize(("action", "shown"), [("ignore", 0), ("once", 1), ("default", 2), ("always", 6)])
def test_the_filters_that_were_there_decide(tmp_path: Path, action: str, shown: int) -> None:
    ran = run(tmp_path, HEAD + "for _ in range(3):\n    m.log(zero)\n    m.log(zero + 0)\n", "-W", action)
    assert ran.stderr.count("divide by zero encountered in log") == shown


@pytest.mark.parametrize("before", [True, False])
def test_a_warning_that_is_to_be_an_error_is_one(tmp_path: Path, before: bool) -> None:
    options = ("-W", "error::RuntimeWarning") if before else ()
    later = "" if before else "warnings.simplefilter('error')\n"
    ran = run(
        tmp_path, HEAD + later + "try:\n    m.log(zero)\nexcept RuntimeWarning as error:\n    print(error)\n", *options
    )
    assert (ran.stdout, ran.stderr) == ("divide by zero encountered in log\n", "")
