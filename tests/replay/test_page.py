"""The page that explains a captured step, its memory, and where steps are captured: as a decorator, and by fit."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from replay_programs import PROGRAMS, mlp

import minitorch
from minitorch import nn, optim
from minitorch.data import DataLoader, TensorDataset
from minitorch.replay import capture, captured
from minitorch.train import fit

DOCS = Path(__file__).resolve().parents[2] / "docs" / "replay.md"


def captured_of(name):
    training = PROGRAMS[name]()
    step = captured(training.model, *training.optimizers)(training.step)
    for batch in training.batches * 2:
        step(*batch)
    return step


def test_the_example_of_the_docs_runs(capsys):
    (code,) = re.findall(r"```python\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)
    exec(compile(code, str(DOCS), "exec"), {})
    assert capsys.readouterr().out == "True True\n"


def test_the_contract_is_said_in_the_docstring_and_in_the_docs():
    contract = re.search(r"A captured step is a function of .*? changed\s+something else\.", capture.__doc__, re.DOTALL)
    assert " ".join(contract[0].split()) in " ".join(DOCS.read_text("utf-8").replace("*", "").split())


def test_the_source_names_parameters_and_operations_and_says_formulas():
    step = captured_of("mlp")
    lines = step.source.splitlines()
    assert lines[0] == "def step(x, y):"
    assert re.search(r"add\(linear1, p0_bias, linear1\) +# linear1 8×7: linear1 \+ p0_bias", step.source)
    assert any("# d relu1" in line for line in lines)
    assert any(re.fullmatch(r" +optimizer\.step\(\) +# \w+ moves the parameters in place", line) for line in lines)
    assert any(re.search(r"x\.dot\(p0_weight_T, linear1\) +# linear1 8×7: x @ p0_weight_T", line) for line in lines)
    assert "4 parameters moved as 1" in step.explain()
    assert len(step.page.lines) == len(step.program.instructions)


def test_the_names_of_a_page_say_what_they_are():
    text = captured_of("convolution").source
    assert "StaleError: something that held when the step was traced" in text
    assert "views, made once: " in text
    assert re.search(r"if not labels_fit\w*: raise StaleError", text)
    assert re.search(r"scores\.dot\(ones_3, totals_\d\) +# cross_entropy1 4: scores @ ones_3", text)
    assert re.search(r"^    return cross_entropy1 ", text, re.MULTILINE)
    assert re.search(r"over_4\b", text)
    parts = re.findall(r"^    # (\w+ pass|update)$", text, re.MULTILINE)
    assert list(dict.fromkeys(parts)) == ["forward pass", "backward pass", "update"]


@pytest.mark.parametrize("name", PROGRAMS)
def test_each_page_runs_and_each_name_in_it_is_made_or_told_of(name):
    step = captured_of(name)
    compile(step.source, "step", "exec")
    code = [line.partition("  # ")[0] for line in step.source.splitlines() if not line.startswith("    # ")]
    told = [line for line in step.source.splitlines() if line.startswith("    # ")]
    used = set(re.findall(r"\b[A-Za-z_]\w*", "\n".join(code[1:])))
    written = [step.page.called(slot) for each in step.program.instructions for slot in (*each.results, *each.writes)]
    arrays = {name for name in used if isinstance(step.page.names.get(name), np.ndarray)}
    assert arrays <= {*written, *re.findall(r"\w+", "\n".join(told))}


def test_before_it_is_captured_there_is_no_source():
    training = PROGRAMS["mlp"]()
    step = capture(training.step, training.model, *training.optimizers)
    with pytest.raises(RuntimeError, match="call it twice first"):
        step.source  # noqa: B018 (a property that raises)


class Silent:
    """A callback that does nothing."""

    def begin(self, *_):
        pass

    loss = evaluated = end = begin


def fitted(capture, **options):
    minitorch.manual_seed(0)
    model = mlp(nn.Dropout(0.2))
    rng = np.random.default_rng(0)
    data = TensorDataset(rng.standard_normal((22, 5)).astype("float32"), rng.integers(0, 3, 22))
    loader = DataLoader(data, batch_size=8, shuffle=True, generator=1)
    optimizer = optim.Adam(model.parameters(), lr=0.02)
    scheduler = optim.lr_scheduler.CosineAnnealingLR(optimizer, 20)
    options |= {"epochs": 8, "scheduler": scheduler, "valid": loader, "clip_grad_norm": 0.5, "progress": False}
    history = fit(model, loader, optimizer, nn.CrossEntropyLoss(), capture=capture, **options)
    return history, [param.data.tobytes() for param in model.parameters()]


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_fit_gives_the_same_numbers_captured():
    eager, replayed = fitted(False), fitted(True)
    assert eager[0].losses == replayed[0].losses
    assert eager[0].rates == replayed[0].rates
    assert eager[1] == replayed[1]


def test_fit_captured_has_nothing_to_show_to_callbacks():
    with pytest.raises(ValueError, match="callbacks look at a graph"):
        fitted(True, callbacks=[Silent()])
