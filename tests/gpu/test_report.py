"""`python -m benchmarks.gpu`, which is for machines with a GPU: on the fake one, everything but the figures is real."""

import sys
from types import SimpleNamespace
from typing import Any

import fake_cupy
import numpy as np
import pytest
from click.testing import CliRunner

from benchmarks.gpu import correctness, speed
from benchmarks.gpu.__main__ import main
from benchmarks.steps.gpt import GPT
from benchmarks.steps.mlp import MLP


def test_a_sample_of_every_family_agrees() -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    result = CliRunner().invoke(main, ["--every", "61", "--no-speeds"])
    assert result.exit_code == 0, result.output
    rows = [line for line in result.stdout.splitlines() if line.startswith("| ")]
    assert len(rows) == 1 + 7
    for row in rows[1:]:
        _, _, count, agree, *_ = map(str.strip, row.split("|"))
        assert count == agree != "0"
    assert "fake" in result.stdout
    assert f"NumPy {np.__version__}" in result.stdout


def test_every_family_has_all_cases() -> None:
    sizes = {family.title: len(family.cases) for family in correctness.families()}
    assert min(sizes.values()) >= 5
    assert sizes["operations: values and gradients"] > 2000


def test_a_case_that_differs_or_fails_is_named_and_the_others_go_on() -> None:
    def run(case: str, device: str) -> list[Any]:
        if case == "broken" and device == "cuda":
            raise NotImplementedError("CuPy has no such\nfunction")
        return [np.ones(3) + (1e-3 if case == "wrong" and device == "cuda" else 0.0)]

    family = correctness.Family("three", {"broken": "broken", "wrong": "wrong", "right": "right"}, run, 1e-9)
    outcome = correctness.checked(family, "cuda")
    assert list(outcome.failures) == ["broken", "wrong"]
    text = "\n".join(correctness.as_markdown([outcome]))
    assert "| three | 3 | 1 | 0.0e+00 | 1e-09 |" in text
    assert "`broken`: NotImplementedError: CuPy has no such function" in text
    assert "`wrong`: the numbers differ by 5.0e-04" in text


@pytest.mark.parametrize(
    "workload",
    [
        MLP("mlp", (5, 7, 3), 4, "SGD", {}, lr=0.1),
        GPT("gpt", 1, 8, 2, 6, 2, 11, "AdamW", {}, lr=1e-3),
        *[each for each in speed.SMALL if each.name == "lenet"],
    ],
    ids=lambda workload: workload.name,
)
def test_a_step_is_timed_after_the_curves_were_compared(workload: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "ROUNDS", 1)
    found = speed.timed(workload, speed.contenders("cuda"), seconds=0.0)
    assert set(found.seconds) == {"minitorch, GPU", "minitorch, CPU"}
    assert all(seconds > 0 for seconds in found.seconds.values())
    table = list(speed.as_markdown([found]))
    assert len({line.count("|") for line in table}) == 1
    assert workload.title in table[2]


def test_a_step_of_the_clock_reads_no_loss() -> None:
    workload = MLP("mlp", (5, 7, 3), 4, "SGD", {}, lr=0.1)
    on_the_gpu = next(each for each in speed.contenders("cuda") if each.device == "cuda")
    step = speed.step_of(on_the_gpu, workload, workload.draw(np.random.default_rng(0)))
    fake_cupy.transfers.clear()
    step()
    assert [(each.to, each.dtype.kind, each.size) for each in fake_cupy.transfers] == [(fake_cupy.HOST, "b", 1)]


@pytest.mark.parametrize(
    ("module", "sentence"),
    [
        (None, "No report: device 'cuda' needs CuPy: pip install \"minitorch-course[cuda]\""),
        (
            SimpleNamespace(cuda=SimpleNamespace(runtime=SimpleNamespace(getDeviceCount=lambda: 1 / 0))),
            "No report: device 'cuda' needs an NVIDIA driver, and CuPy finds none: division by zero",
        ),
        (
            SimpleNamespace(cuda=SimpleNamespace(runtime=SimpleNamespace(getDeviceCount=lambda: 0))),
            "No report: device 'cuda' needs a GPU, and CuPy finds none: stay on 'cpu'",
        ),
    ],
)
def test_without_a_gpu_it_says_so_in_one_sentence(module: Any, sentence: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", module)
    result = CliRunner().invoke(main, [])
    assert result.exit_code == 2
    assert result.output == sentence + "\n"
