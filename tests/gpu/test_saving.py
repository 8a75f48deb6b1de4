"""Models that live on the GPU in files, and files in models that live on the GPU."""

from pathlib import Path
from typing import Any

import fake_cupy
import numpy as np
import pytest
from fake_cupy import DEVICE, HOST

import minitorch
from minitorch import nn
from minitorch.serialization import load, save


def model(seed: int) -> nn.Module:
    minitorch.manual_seed(seed)
    return nn.Sequential(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.Flatten(), nn.LSTM(18, 3))


def numbers(model: nn.Module) -> list[Any]:
    return [each.cpu().numpy() for each in model.state_dict().values()]


@pytest.fixture(params=[".safetensors", ".npz"])
def path(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    return tmp_path / f"model{request.param}"


@pytest.mark.parametrize(("first", "then"), [("cuda", "cpu"), ("cpu", "cuda"), ("cuda", "cuda")])
@pytest.mark.parametrize("map_location", [None, "cpu", "cuda"])
def test_a_saved_model_is_loaded_where_the_other_lives(path: Path, first: str, then: str, map_location: Any) -> None:
    one, other = model(1).to(first), model(2).to(then)
    save(one.state_dict(), path)
    other.load_state_dict(load(path, map_location))
    kind = fake_cupy.ndarray if then == "cuda" else np.ndarray
    assert {type(each.data) for each in other.state_dict().values()} == {kind}
    for ours, theirs in zip(numbers(other), numbers(one), strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_each_tensor_crosses_once(path: Path) -> None:
    there = model(1).to("cuda")
    count = len(there.state_dict())
    fake_cupy.transfers.clear()
    save(there.state_dict(), path)
    assert [each.to for each in fake_cupy.transfers] == [HOST] * count
    fake_cupy.transfers.clear()
    there.load_state_dict(load(path))
    assert [each.to for each in fake_cupy.transfers] == [DEVICE] * count


def test_a_file_does_not_say_where_it_was_written(tmp_path: Path) -> None:
    here = model(1)
    save(here.state_dict(), tmp_path / "here.safetensors")
    save(here.to("cuda").state_dict(), tmp_path / "there.safetensors")
    assert (tmp_path / "here.safetensors").read_bytes() == (tmp_path / "there.safetensors").read_bytes()
