"""Generator: a source of random numbers of one's own, as PyTorch makes it."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from minitorch.backend import device, gpu_number
from minitorch.ops.creation import from_numpy

__all__ = ["Generator"]


class Generator(np.random.Generator):
    """A NumPy Generator with PyTorch's methods, for every `generator=`: `Generator().manual_seed(1)`.

    Numbers are drawn on the host whatever the device is, so that they are the same on all. Its numbers are those that
    `minitorch.manual_seed` starts with the same seed; PyTorch's are others.

    >>> from minitorch import randn
    >>> randn(3, generator=Generator().manual_seed(1)).equal(randn(3, generator=Generator().manual_seed(1)))
    True
    """

    def __init__(self, device: Any = "cpu") -> None:
        gpu_number(device)
        self._device = str(device)
        self._seed = 67280421310721  # PyTorch's default
        super().__init__(np.random.PCG64(self._seed))

    @property
    def device(self) -> device:
        """What it was made for."""
        return device(self._device)

    def manual_seed(self, seed: int) -> Self:
        """Starts again from `seed`, of which the 64 lowest bits count, and returns the Generator itself."""
        self._seed = int(seed) % 2**64
        self.bit_generator.state = np.random.PCG64(self._seed).state
        return self

    def seed(self) -> int:
        """Starts from a seed that the operating system gives, and returns it."""
        drawn = int(np.random.PCG64().random_raw())
        return self.manual_seed(drawn).initial_seed()

    def initial_seed(self) -> int:
        """The seed that it was started from."""
        return self._seed

    def get_state(self) -> Any:
        """All that decides the next numbers, as a Tensor of bytes."""
        state = self.bit_generator.state
        numbers = (state["state"]["state"], state["state"]["inc"], state["has_uint32"], state["uinteger"], self._seed)
        return from_numpy(np.frombuffer(b"".join(each.to_bytes(16, "little") for each in numbers), np.uint8).copy())

    def set_state(self, new_state: Any) -> None:
        """Goes on from what `get_state` gave. Raises ValueError for anything else."""
        raw = np.asarray(new_state).tobytes()
        if len(raw) != 80:
            raise ValueError(f"set_state: {len(raw)} bytes are no state of a Generator: give what get_state() returned")
        numbers = [int.from_bytes(raw[start : start + 16], "little") for start in range(0, 80, 16)]
        inner = {"state": numbers[0], "inc": numbers[1]}
        self.bit_generator.state = {
            "bit_generator": "PCG64",
            "state": inner,
            "has_uint32": numbers[2],
            "uinteger": numbers[3],
        }
        self._seed = numbers[4]

    def __reduce__(self) -> Any:
        return _again, (self._device, self.get_state())


def _again(device: str, state: Any) -> Generator:
    generator = Generator(device)
    generator.set_state(state)
    return generator
