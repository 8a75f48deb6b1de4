"""Questions of PyTorch programs about GPUs, under `torch.cuda`'s names. Without CuPy and a GPU the answers are "none".

amp    autocast and GradScaler, where older programs look for them
"""

from __future__ import annotations

from typing import Any

from minitorch.backend import cuda_is_available, gpu_number, gpus
from minitorch.compat.cuda import amp
from minitorch.random import get_rng_state, initial_seed, manual_seed, seed, set_rng_state

__all__ = ["amp", "current_device", "device_count", "empty_cache", "get_device_name", "get_rng_state"]
__all__ += ["get_rng_state_all", "initial_seed", "is_available", "is_bf16_supported", "manual_seed", "manual_seed_all"]
__all__ += ["max_memory_allocated", "memory_allocated", "reset_peak_memory_stats", "seed", "seed_all", "set_rng_state"]
__all__ += ["set_rng_state_all", "synchronize"]

is_available = cuda_is_available
manual_seed_all = manual_seed
seed_all = seed


def get_rng_state_all() -> list[Any]:
    """No state: numbers are drawn on the host, and `minitorch.get_rng_state` has the one that there is.

    >>> get_rng_state_all()
    []
    """
    return []


def set_rng_state_all(new_states: Any) -> None:
    """Does nothing, for there is nothing that `get_rng_state_all` could have given."""


def device_count() -> int:
    """Return the number of GPUs: 0 without CuPy.

    >>> device_count() >= 0
    True
    """
    return int(gpus().cuda.runtime.getDeviceCount()) if is_available() else 0


def current_device() -> int:
    """The number of the GPU in use. Raises RuntimeError where there is none."""
    return int(gpus().cuda.Device().id)


def get_device_name(device: Any = None) -> str:
    """Return the name of the GPU. Raises RuntimeError where there is none."""
    number = device if isinstance(device, int) else gpu_number("cuda" if device is None else device) or 0
    name: bytes = gpus(number).cuda.runtime.getDeviceProperties(number)["name"]
    return name.decode()


def synchronize(device: Any = None) -> None:  # noqa: ARG001
    """Waits until the GPU has done what was asked of it; without one there is nothing to wait for."""
    if is_available():
        gpus().cuda.Device().synchronize()


def empty_cache() -> None:
    """Gives the GPU's memory that is not in use back to the driver.

    >>> empty_cache()
    """
    if is_available():
        gpus().get_default_memory_pool().free_all_blocks()


def memory_allocated(device: Any = None) -> int:  # noqa: ARG001
    """Return the bytes of the GPU's memory are in use: 0 without a GPU.

    >>> memory_allocated() >= 0
    True
    """
    return int(gpus().get_default_memory_pool().used_bytes()) if is_available() else 0


def max_memory_allocated(device: Any = None) -> int:  # noqa: ARG001
    """Return the bytes that the program holds on the GPU, in use or kept for later: CuPy records no peak.

    >>> max_memory_allocated() >= 0
    True
    """
    return int(gpus().get_default_memory_pool().total_bytes()) if is_available() else 0


def reset_peak_memory_stats(device: Any = None) -> None:
    """Does nothing: there is no record of a peak."""


def is_bf16_supported(including_emulation: bool = True) -> bool:  # noqa: ARG001
    """False: neither NumPy nor CuPy computes in bfloat16."""
    return False
