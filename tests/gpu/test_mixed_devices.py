"""A layer here and its input there: one sentence that names both places and says what to do."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from on_device import tensor_on

import minitorch
from minitorch import Tensor, nn
from minitorch.nn import functional

PAGE = Path(__file__).resolve().parents[2] / "docs" / "gpu.md"
SENTENCE = re.compile(
    r"\w+: (one operand is on (cpu|cuda:0) and another on (cpu|cuda:0): move the other with \.to\('(cpu|cuda:0)'\)"
    r"|input is on (cpu|cuda:0), but \w+ on (cpu|cuda:0): move \w+ with \.to\('(cpu|cuda:0)'\)"
    r"|the index is on a GPU and the Tensor is not: move the index with \.to\('cpu'\))"
)
LAYERS: dict[str, tuple[Callable[[], nn.Module], tuple[int, ...]]] = {
    "Linear": (lambda: nn.Linear(3, 2), (2, 3)),
    "Conv2d": (lambda: nn.Conv2d(1, 2, 3), (2, 1, 5, 5)),
    "ConvTranspose2d": (lambda: nn.ConvTranspose2d(1, 2, 3), (2, 1, 5, 5)),
    "BatchNorm2d": (lambda: nn.BatchNorm2d(1), (2, 1, 5, 5)),
    "BatchNorm2d in eval": (lambda: nn.BatchNorm2d(1).eval(), (2, 1, 5, 5)),
    "BatchNorm2d plain": (lambda: nn.BatchNorm2d(1, affine=False), (2, 1, 5, 5)),
    "InstanceNorm2d": (lambda: nn.InstanceNorm2d(1, track_running_stats=True), (2, 1, 5, 5)),
    "LayerNorm": (lambda: nn.LayerNorm(3), (2, 3)),
    "RMSNorm": (lambda: nn.RMSNorm(3), (2, 3)),
    "GroupNorm": (lambda: nn.GroupNorm(1, 3), (2, 3)),
    "PReLU": (lambda: nn.PReLU(), (2, 3)),
    "RNN": (lambda: nn.RNN(3, 2), (4, 2, 3)),
    "GRU": (lambda: nn.GRU(3, 2), (4, 2, 3)),
    "LSTM": (lambda: nn.LSTM(3, 2), (4, 2, 3)),
    "TransformerEncoderLayer": (lambda: nn.TransformerEncoderLayer(4, 2, 4), (3, 2, 4)),
}


@pytest.mark.parametrize("name", LAYERS)
@pytest.mark.parametrize("place", ["cpu", "cuda"])
def test_a_layer_on_one_device_and_its_input_on_the_other(name: str, place: str) -> None:
    make, shape = LAYERS[name]
    layer = make().to("cuda" if place == "cpu" else "cpu")
    with pytest.raises(RuntimeError) as raised:
        layer(minitorch.randn(*shape, device=place))
    assert SENTENCE.fullmatch(str(raised.value))


LOSSES: dict[str, Callable[[Any, Any], Any]] = {
    name: getattr(functional, name)
    for name in ("mse_loss", "l1_loss", "huber_loss", "binary_cross_entropy", "kl_div", "cross_entropy")
}


@pytest.mark.parametrize("name", LOSSES)
@pytest.mark.parametrize("place", ["cpu", "cuda"])
def test_an_output_on_one_device_and_a_target_of_floats_on_the_other(name: str, place: str) -> None:
    other = "cuda" if place == "cpu" else "cpu"
    with pytest.raises(RuntimeError) as raised:
        LOSSES[name](minitorch.rand(2, 3, device=place), minitorch.rand(2, 3, device=other))
    assert SENTENCE.fullmatch(str(raised.value))


@pytest.mark.parametrize("options", [{}, {"ignore_index": 0}, {"label_smoothing": 0.1}])
def test_class_numbers_go_up_and_do_not_come_down(options: dict[str, Any]) -> None:
    logits, labels = np.zeros((2, 3)), np.array([0, 1])
    there = tensor_on("cuda")
    expected = functional.cross_entropy(Tensor(logits), Tensor(labels), **options).item()
    assert functional.cross_entropy(there(logits), Tensor(labels), **options).item() == pytest.approx(expected)
    with pytest.raises(RuntimeError, match=r"^cross_entropy: input is on cpu, but target on cuda:0: move target with"):
        functional.cross_entropy(Tensor(logits), there(labels), **options)
    with pytest.raises(RuntimeError, match=r"^cross_entropy: input is on cpu, but weight on cuda:0: move weight with"):
        functional.cross_entropy(Tensor(logits), Tensor(labels), weight=there(np.ones(3)), **options)


@pytest.mark.parametrize("padding_idx", [None, 1])
def test_row_numbers_go_up_and_do_not_come_down(padding_idx: Any) -> None:
    table, numbers = np.arange(6.0).reshape(3, 2), np.array([2, 1])
    there = tensor_on("cuda")
    found = functional.embedding(Tensor(numbers), there(table), padding_idx)
    np.testing.assert_array_equal(found.cpu().numpy(), table[numbers])
    with pytest.raises(RuntimeError, match=r"^embedding: the index is on a GPU and the Tensor is not: move the index"):
        functional.embedding(there(numbers), Tensor(table), padding_idx)


def test_the_program_of_the_page_runs() -> None:
    [program] = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    names: dict[str, Any] = {}
    exec(program, names)
    assert names["x"].is_cuda
    assert names["loss"].is_cuda
