"""What crosses in a step of training: the batch goes up; of labels and tokens one look, and of the loss one number."""

import runpy
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fake_cupy
import numpy as np
import pytest
from curves import TRAININGS
from fake_cupy import DEVICE, HOST
from on_device import difference, training

import minitorch
from minitorch import Tensor, nn, optim
from minitorch.data import CharacterWindows, DataLoader, TensorDataset
from minitorch.train import fit

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def crossings(run: Callable[[int], Any]) -> Counter[tuple[str, str, int]]:
    """(to, kind of dtype, how many numbers), each as often as it happens in one step: what three more steps add."""
    counts = []
    for steps in (2, 5):
        fake_cupy.transfers.clear()
        run(steps)
        counts.append(Counter((each.to, each.dtype.kind, each.size) for each in fake_cupy.transfers))
    more = counts[1] - counts[0]
    assert all(count % 3 == 0 for count in more.values())
    return Counter({what: count // 3 for what, count in more.items()})


EXPECTED = {
    # name: numbers of the batch and of its target; in tokens and labels, the smallest and the largest, and one bool
    "MLP, SGD with momentum and weight decay": {(DEVICE, "f", 160): 1, (DEVICE, "i", 16): 1, (HOST, "b", 1): 1},
    "MLP, AdamW": {(DEVICE, "f", 160): 1, (DEVICE, "i", 16): 1, (HOST, "b", 1): 1},
    "CNN with batch norm, Adam": {(DEVICE, "f", 384): 1, (DEVICE, "i", 6): 1, (HOST, "b", 1): 1},
    "LSTM, Adam": {(DEVICE, "f", 105): 1, (DEVICE, "f", 10): 1},
    "transformer, AdamW, warm-up, cosine, clipping": {(DEVICE, "i", 32): 2, (HOST, "i", 2): 2, (HOST, "b", 1): 1},
}


@pytest.mark.parametrize("name", TRAININGS)
def test_a_training_has_the_same_losses_and_nothing_crosses_unasked(name: str) -> None:
    assert difference(training(name, "cuda"), training(name, "cpu")) < 1e-9
    loss = {(HOST, "f", 1): 1}
    assert crossings(lambda steps: training(name, "cuda", steps)) == EXPECTED[name] | loss


def test_a_step_of_the_gpt_example_crosses_five_times(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(EXAMPLES)
    gpt = runpy.run_path(str(EXAMPLES / "tiny_gpt.py"), run_name="tiny_gpt")["GPT"]
    minitorch.manual_seed(0)
    windows = CharacterWindows(minitorch.randint(0, 7, (80,)), 8)
    model = gpt(7, 8, 1, 8).to("cuda")
    optimizer = optim.AdamW(model.parameters(), 1e-3)

    def run(steps: int) -> None:
        loader = DataLoader(windows, batch_size=4, shuffle=True)
        loss_fn = lambda logits, y: nn.functional.cross_entropy(logits.flatten(0, 1), y.flatten())  # noqa: E731
        fit(model, loader, optimizer, loss_fn, steps=steps, clip_grad_norm=1.0, progress=False)

    assert crossings(run) == {
        (DEVICE, "i", 32): 2,  # the characters, and those that follow
        (HOST, "i", 2): 1,  # the smallest and the largest character
        (HOST, "b", 1): 1,  # are all labels classes?
        (HOST, "f", 1): 1,  # the loss
    }


def test_data_that_is_there_already_is_picked_by_row_numbers() -> None:
    minitorch.manual_seed(0)
    data = TensorDataset(minitorch.randn(40, 3, device="cuda"), minitorch.randn(40, 2, device="cuda"))
    model = nn.Linear(3, 2).to("cuda")
    optimizer = optim.SGD(model.parameters(), 0.1)

    def run(steps: int) -> None:
        fit(model, DataLoader(data, batch_size=8), optimizer, nn.MSELoss(), steps=steps, progress=False)

    assert crossings(run) == {(DEVICE, "i", 8): 2, (HOST, "f", 1): 1}


def test_a_wrong_class_is_named_all_the_same() -> None:
    logits = Tensor(np.zeros((2, 3)), device="cuda")
    with pytest.raises(IndexError, match=r"^cross_entropy: class 3 in target, but the classes are 0 to 2"):
        nn.functional.cross_entropy(logits, Tensor([0, 3], device="cuda"))
    with pytest.raises(IndexError, match=r"^embedding: number -1 is out of range: there are the rows 0 to 1"):
        nn.functional.embedding(Tensor([0, -1], device="cuda"), logits)
