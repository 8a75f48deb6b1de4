"""minitorch.accelerator: the answers without a GPU, and with the fake one."""

import sys

import fake_cupy
import pytest

import minitorch
from minitorch import Tensor, accelerator


def test_without_a_gpu_there_is_no_accelerator(monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", None)
    assert not accelerator.is_available()
    assert accelerator.current_accelerator() is accelerator.current_accelerator(check_available=True) is None
    assert (accelerator.device_count(), accelerator.memory_allocated()) == (0, 0)
    accelerator.synchronize()
    for call in (accelerator.current_device_index, lambda: accelerator.set_device_index(0)):
        with pytest.raises(RuntimeError, match="needs CuPy"):
            call()
    with pytest.raises(RuntimeError, match=r"^set_device_index: 'cpu' is no accelerator"):
        accelerator.set_device_index("cpu")


def test_the_accelerator_is_the_gpu(monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", fake_cupy)
    monkeypatch.setattr(fake_cupy, "gpus", 2)
    monkeypatch.setattr(fake_cupy.Device, "used", 0)
    assert accelerator.is_available()
    assert accelerator.device_count() == 2
    found = accelerator.current_accelerator(check_available=True)
    assert found == "cuda"
    assert found.type == "cuda"
    assert Tensor([1.0]).to(found).device == "cuda:0"
    for chosen, index in ((1, 1), ("cuda:0", 0), (minitorch.device("cuda", 1), 1)):
        accelerator.set_device_index(chosen)
        assert accelerator.current_device_index() == index
    accelerator.synchronize()
    with pytest.raises(RuntimeError, match="'cuda:2' is not there"):
        accelerator.set_device_index(2)
