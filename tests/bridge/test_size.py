"""Long chains and large arrays, each in a process of its own."""

import subprocess
import sys

import pytest

pytest.importorskip("torch", reason='PyTorch is not installed: pip install "minitorch-course[torch]"')

LONG = """
import torch
from minitorch.bridge import TorchBackward, record
from minitorch.graph import AutogradGraph
torch.set_num_threads(1)
x = torch.ones(1, requires_grad=True)
for backward in (True, False):
    graph = AutogradGraph()
    with record(graph):
        y = x
        for _ in range(300_000):
            y = y + 1.0
    assert len(graph) == 300_001
    if backward:
        TorchBackward(graph, y).run()
        assert x.grad.item() == 1.0
    del y
    del graph
print("done")
"""

PEAK = """
import sys
import torch
torch.set_num_threads(1)
from minitorch.bridge import TorchBackward, record
from minitorch.graph import AutogradGraph
SIZE = 1_000_000  # float32: 4 MB
def chain(x):
    for _ in range(25):
        x = x.sin() * x
    return x.sum()
def run(x):
    graph = AutogradGraph()
    if sys.argv[1] == "bridge":
        with record(graph):
            loss = chain(x)
        TorchBackward(graph, loss).run()
    else:
        loss = chain(x)
        loss.backward()
x = torch.ones(SIZE, requires_grad=True)
with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], profile_memory=True) as profile:
    run(x)
events = [each for each in profile.profiler.kineto_results.events() if each.name() == "[memory]"]
live = peak = 0
for each in sorted(events, key=lambda each: each.start_ns()):
    live += each.nbytes()
    peak = max(peak, live)
print(peak / (4 * SIZE))
"""


def _run(program: str, *arguments: str) -> str:
    ran = subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, timeout=1800, check=False
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    return ran.stdout


def test_a_chain_of_300_000_operations_is_recorded_run_and_dropped() -> None:
    assert _run(LONG) == "done\n"


def test_the_peak_is_that_of_pytorch_within_two_arrays() -> None:
    assert float(_run(PEAK, "bridge")) <= float(_run(PEAK, "torch")) + 2
