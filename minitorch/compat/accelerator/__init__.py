"""Questions of PyTorch programs about what computes beside the CPU, under `torch.accelerator`'s names: a GPU here.

It is there where CuPy is installed and finds a GPU; else the answers are False, None and 0.
"""

from __future__ import annotations

from typing import Any

from minitorch.backend import cuda_is_available, device, gpu_number, gpus
from minitorch.compat.cuda import (
    current_device,
    device_count,
    empty_cache,
    max_memory_allocated,
    memory_allocated,
    reset_peak_memory_stats,
    synchronize,
)

__all__ = ["current_accelerator", "current_device_index", "device_count", "empty_cache", "is_available"]
__all__ += ["max_memory_allocated", "memory_allocated", "reset_peak_memory_stats", "set_device_index", "synchronize"]

is_available = cuda_is_available


def current_accelerator(check_available: bool = False) -> device | None:  # noqa: ARG001 (it is there, or it is None)
    """The device of the GPU, `device("cuda")`; None where there is none.

    >>> used = current_accelerator() or device("cpu")
    >>> used.type in ("cpu", "cuda")
    True
    """
    return device("cuda") if is_available() else None


def current_device_index() -> int:
    """Return the number of the GPU in use. Raises RuntimeError where there is none."""
    gpus()
    return current_device()


def set_device_index(device: Any, /) -> None:
    """Use the GPU of this number, or of this name, in this thread; the device "cuda" stays "cuda:0".

    Raises RuntimeError where there is none, and for the CPU.
    """
    index = device if isinstance(device, int) else gpu_number(device)
    if index is None:
        raise RuntimeError(f"set_device_index: {str(device)!r} is no accelerator: give the number of a GPU")
    gpus(index).cuda.Device(index).use()
