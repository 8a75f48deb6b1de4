"""Where a captured step is used: as a decorator, by fit, and on the page that explains it."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import fake_cupy
import numpy as np
import pytest
from replay_programs import PROGRAMS, mlp, rows

import minitorch
from minitorch import Tensor, nn, optim
from minitorch.data import DataLoader, TensorDataset
from minitorch.replay import capture, captured
from minitorch.train import fit

PAGE = Path(__file__).resolve().parents[2] / "docs" / "replay.md"


def test_the_example_of_the_page_runs(capsys):
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    exec(compile(code, str(PAGE), "exec"), {})
    assert capsys.readouterr().out == "True True\n"


def test_the_source_is_a_page_of_python_that_names_parameters_and_operations():
    training = PROGRAMS["mlp"]()
    step = captured(training.model, *training.optimizers)(training.step)
    for batch in training.batches:
        step(*batch)
    lines = step.source.splitlines()
    assert lines[0] == "def step(x, y):"
    assert any("p0_bias" in line and "# linear1 8" in line for line in lines)
    assert any("# d relu1" in line for line in lines)
    assert any(re.fullmatch(r" +optimizer\.step\(\) +# \w+ moves the parameters in place", line) for line in lines)
    compile(step.source, "step", "exec")
    assert "4 parameters moved as 1" in step.explain()


def test_before_it_is_captured_there_is_no_source():
    training = PROGRAMS["mlp"]()
    step = capture(training.step, training.model, *training.optimizers)
    with pytest.raises(RuntimeError, match="call it three times first"):
        step.source  # noqa: B018 (a property that raises)


@pytest.mark.parametrize("wrong", [(None, 1), (nn.Linear(2, 2), 3.0)])
def test_what_is_no_model_or_optimiser_is_refused(wrong):
    model, optimizer = wrong
    with pytest.raises(TypeError):
        capture(lambda: None, model, optimizer)


def test_an_optimiser_must_be_named():
    with pytest.raises(TypeError, match="optimisers that step in it"):
        capture(lambda: None, nn.Linear(2, 2))


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


def test_fit_gives_the_same_numbers_captured():
    eager, replayed = fitted(False), fitted(True)
    assert eager[0].losses == replayed[0].losses
    assert eager[0].rates == replayed[0].rates
    assert eager[1] == replayed[1]


def test_fit_captured_has_nothing_to_show_to_callbacks():
    with pytest.raises(ValueError, match="callbacks look at a graph"):
        fitted(True, callbacks=[Silent()])


def test_on_a_gpu_the_step_goes_on_eagerly(monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", fake_cupy)
    model = mlp().to("cuda")
    optimizer = optim.SGD(model.parameters(), lr=0.1)

    def step(x, y):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        return loss

    run = capture(step, model, optimizer)
    losses = [run(Tensor(x.data).to("cuda"), Tensor(y.data).to("cuda")).item() for x, y in rows() * 2]
    assert len(set(losses)) == 8
    assert not run.is_captured


def test_the_names_of_a_page_say_what_they_are():
    training = PROGRAMS["convolution"]()
    step = captured(training.model, *training.optimizers)(training.step)
    for batch in training.batches:
        step(*batch)
    text = step.source
    assert "StaleError: something that held when the step was recorded" in text
    assert re.search(r"less\(largest_label, n_3, labels_fit\w*\)", text)
    assert re.search(r"if not labels_fit\w*: raise StaleError", text)
    assert re.search(r"not_equal\(relu1, n_0\w*, mask\) +# d relu1 [\d×]+: where out > 0, or nan", text)
    assert re.search(r"multiply\(relu1_grad_bits, mask, batch_norm1_grad_bits\)", text)
    assert re.search(r"matmul\(p0_weight_as_\w+, columns_\w+, conv1_memory\) +# conv1 [\d×]+: weight @ columns", text)
    assert re.search(r"scores\.dot\(ones_3, cross_entropy1_totals\) +# cross_entropy1 4: Σ of each row", text)
    assert text.startswith("def step(x, y):")  # no random generator, for nothing is drawn
    assert re.search(r"^    return cross_entropy1 ", text, re.MULTILINE)
    assert re.search(r"over_4\b", text)
    assert "_view" not in text
    view = r"    # view: \w+ = .*\n"
    assert re.search(rf"^    # view: conv1 = \w+\(conv1_memory\b.*\n({view})*    add\(conv1, ", text, re.MULTILINE)
    parts = re.findall(
        r"^    # (\w+ pass|update)$", text, re.MULTILINE
    )  # what is asked before anything changes comes early
    assert list(dict.fromkeys(parts)) == ["forward pass", "backward pass", "update"]
    views = re.findall(r"^    # view: (\w+) = ", text, re.MULTILINE)
    assert len(views) == len(set(views)) > 3
    for name in views:  # told of right before it is needed, and none that nobody needs
        before, after = re.split(rf"^    # view: {name} = .*\n", text, flags=re.MULTILINE)
        calls = [line.partition("  # ")[0] for line in before.splitlines() if not line.startswith("    # ")]
        assert not any(re.search(rf"\b{name}(_T)?\b", call) for call in calls)
        assert re.search(rf"\b{name}(_T)?\b", after)
