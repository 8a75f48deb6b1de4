"""Generator: a source of random numbers of one's own, as PyTorch makes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from minitorch.autograd.tensor_base import as_array
from minitorch.backend import device, gpu_number, to_host
from minitorch.default_generator import fresh_seed
from minitorch.errors import OperandError
from minitorch.ops.creation import from_numpy

if TYPE_CHECKING:
    from minitorch._tensor import Tensor

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
        """Device that it was made for."""
        return device(self._device)

    def manual_seed(self, seed: int) -> Self:
        """Starts again from `seed`, of which the 64 lowest bits count, and returns the Generator itself."""
        self._seed = int(seed) % 2**64
        self.bit_generator.state = np.random.PCG64(self._seed).state
        return self

    def seed(self) -> int:
        """Starts from a seed that the operating system gives, and returns it."""
        return self.manual_seed(fresh_seed()).initial_seed()

    def initial_seed(self) -> int:
        """The seed that it was started from."""
        return self._seed

    def get_state(self) -> Any:
        """All that decides the next numbers, as a Tensor of bytes."""
        return written_state(self.bit_generator, self._seed)

    def set_state(self, new_state: Any) -> None:
        """Goes on from what `get_state` or `get_rng_state` gave. Raises ValueError for anything else."""
        self._seed = read_state(self.bit_generator, new_state, "set_state")

    def __reduce__(self) -> Any:
        return _again, (self._device, self.get_state())


def written_state(bits: Any, seed: int) -> Tensor:
    """The state of a PCG64 and the seed that it was started from, as a Tensor of bytes."""
    state = bits.state
    numbers = (state["state"]["state"], state["state"]["inc"], state["has_uint32"], state["uinteger"], seed)
    return from_numpy(np.frombuffer(b"".join(each.to_bytes(16, "little") for each in numbers), np.uint8).copy())


def read_state(bits: Any, new_state: Any, name: str) -> int:
    """Sets the state that `written_state` wrote, and returns its seed. Raises OperandError for anything else."""
    raw = to_host(as_array(new_state)).tobytes()
    if len(raw) != 80:
        raise OperandError(f"{name}: {len(raw)} bytes are no state of a generator: give what get_state() returned")
    numbers = [int.from_bytes(raw[start : start + 16], "little") for start in range(0, 80, 16)]
    inner = {"state": numbers[0], "inc": numbers[1]}
    bits.state = {"bit_generator": "PCG64", "state": inner, "has_uint32": numbers[2], "uinteger": numbers[3]}
    return numbers[4]


def _again(device: str, state: Any) -> Generator:
    generator = Generator(device)
    generator.set_state(state)
    return generator
