"""The five examples with `--device cuda`: the losses that they have on the CPU, and only what is named here crosses."""

import fake_cupy
import pytest
from example_runs import SHORT
from fake_cupy import Reason
from on_device import difference, example

REASONS = (
    Reason("the model goes up when it is made, the batches one by one, a character that was drawn", to_device="if"),
    Reason("labels and characters are looked at and written, answers are drawn", to_host="ib"),
    Reason("the loss of every step, how many were right; what is drawn: filters, chances of a character", to_host="f"),
)


@pytest.mark.parametrize("name", SHORT)
def test_an_example_trains_on_the_gpu_as_on_the_cpu(name: str) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    expected = example(name, "cpu")
    fake_cupy.transfers.clear()
    found = example(name, "cuda")
    assert [each for each in fake_cupy.transfers if not any(reason.covers(each) for reason in REASONS)] == []
    assert {each.to for each in fake_cupy.transfers} == {fake_cupy.HOST, fake_cupy.DEVICE}
    assert difference(found, expected) < 2e-4
