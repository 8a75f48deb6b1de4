"""Cells, one step of a recurrent network: the state after one more input. recurrent.py goes through sequences.

Every step works with `gates`: what the input says, input @ weight_ihᵀ + bias_ih, which needs no state and is computed
for a whole sequence at once. The matrices of the gates lie one below the other: one product makes all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import InitVar
from typing import Any, ClassVar

from minitorch._tensor import Tensor
from minitorch.autograd.tensor_base import as_array, constant
from minitorch.backend import xp
from minitorch.compat.nn._recurrence import gru_step, lstm_step
from minitorch.compat.nn.function_layer import layer
from minitorch.errors import ShapeError
from minitorch.nn import functional
from minitorch.nn._sizes import require_sizes
from minitorch.nn.linear import start_uniform
from minitorch.nn.module import Module
from minitorch.nn.parameter import Parameter
from minitorch.ops.arithmetic import add
from minitorch.ops.creation import empty
from minitorch.ops.unary import relu, tanh
from minitorch.types import Shape, TensorLike

__all__ = ["GRUCell", "LSTMCell", "RNNCell"]

NONLINEARITIES: dict[str, Callable[[Any], Tensor]] = {"tanh": tanh, "relu": relu}


def rnn_step(gates: Any, h: Any, weight_hh: Any, bias_hh: Any, nonlinearity: Callable[[Any], Tensor]) -> Tensor:
    """h' = tanh(gates + h @ weight_hhᵀ + bias_hh), or relu."""
    return nonlinearity(add(gates, functional.linear(h, weight_hh, bias_hh)))


@layer
class Cell(Module):
    """Base of the cells: two matrices of as many gates as the cell has, and two biases."""

    input_size: int
    hidden_size: int
    bias: bool = True

    gates: ClassVar[int]

    def __post_init__(self, device: Any, dtype: Any) -> None:  # type: ignore[override]
        require_sizes(type(self).__name__, input_size=self.input_size, hidden_size=self.hidden_size)
        rows = self.gates * self.hidden_size
        self.weight_ih = Parameter(empty(rows, self.input_size, device=device, dtype=dtype))
        self.weight_hh = Parameter(empty(rows, self.hidden_size, device=device, dtype=dtype))
        self.bias_ih = Parameter(empty(rows, device=device, dtype=dtype)) if self.bias else None
        self.bias_hh = Parameter(empty(rows, device=device, dtype=dtype)) if self.bias else None
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draws all of them again."""
        start_uniform(self.hidden_size, *self.parameters())

    def extra_repr(self) -> str:
        """The sizes, and what is not as it is by default."""
        return f"{self.input_size}, {self.hidden_size}" + ("" if self.bias else f", bias={self.bias}")

    def _gates(self, input: TensorLike) -> Tensor:
        return functional.linear(input, self.weight_ih, self.bias_ih)

    def _start(self, input: TensorLike, state: TensorLike | None, label: str = "hx") -> Any:
        """The state to start from, of shape (N, hidden_size), or without N as the input is: zeros if there is none."""
        name, shape = type(self).__name__, as_array(input).shape
        if len(shape) not in (1, 2) or shape[-1] != self.input_size:
            raise ShapeError(
                f"{name}: input must have shape (N, {self.input_size}) or ({self.input_size},), not {shape}"
            )
        wanted = (*shape[:-1], self.hidden_size)
        if state is None:
            return zeros_like_parameter(self.weight_hh, wanted)
        if as_array(state).shape != wanted:
            raise ShapeError(
                f"{name}: {label} has shape {as_array(state).shape}, but an input of shape {shape} needs {wanted}"
            )
        return state


@layer
class RNNCell(Cell):
    """h' = tanh(weight_ih x + bias_ih + weight_hh h + bias_hh), or relu: (N, input_size) → (N, hidden_size).

    Parameters start uniform in ±1/√hidden_size. N may be missing. Raises ValueError when shapes do not fit.
    Source: Elman, 1990, Finding Structure in Time.

    >>> from minitorch import Tensor
    >>> RNNCell(3, 4)(Tensor(np.ones((2, 3), "f"))).shape
    (2, 4)
    """

    gates = 1

    nonlinearity: str = "tanh"
    device: InitVar[Any] = None
    dtype: InitVar[Any] = None

    def __post_init__(self, device: Any, dtype: Any) -> None:
        super().__post_init__(device, dtype)
        require_nonlinearity("RNNCell", self.nonlinearity)

    def forward(self, input: TensorLike, hx: TensorLike | None = None) -> Tensor:
        """The next state; `hx`, the state before, is zeros unless given."""
        h = self._start(input, hx)
        return rnn_step(self._gates(input), h, self.weight_hh, self.bias_hh, NONLINEARITIES[self.nonlinearity])

    def extra_repr(self) -> str:
        """The sizes, and what is not as it is by default."""
        return super().extra_repr() + ("" if self.nonlinearity == "tanh" else f", nonlinearity={self.nonlinearity}")


@layer
class LSTMCell(Cell):
    """One step of an LSTM: input (N, input_size) and (h, c) → the next (h, c), each (N, hidden_size).

    i, f, g, o = weight_ih x + bias_ih + weight_hh h + bias_hh; c' = σ(f) · c + σ(i) · tanh(g); h' = σ(o) · tanh(c').
    Parameters start uniform in ±1/√hidden_size. N may be missing. Raises ValueError when shapes do not fit.
    Source: Hochreiter and Schmidhuber, 1997, Long Short-Term Memory; Gers et al., 2000, Learning to Forget.

    >>> from minitorch import Tensor
    >>> h, c = LSTMCell(3, 4)(Tensor(np.ones((2, 3), "f")))
    >>> h.shape, c.shape
    ((2, 4), (2, 4))
    """

    gates = 4

    device: InitVar[Any] = None
    dtype: InitVar[Any] = None

    def forward(self, input: TensorLike, hx: tuple[TensorLike, TensorLike] | None = None) -> tuple[Tensor, Tensor]:
        """The next (h, c); `hx`, the two before, are zeros unless given."""
        h, c = (None, None) if hx is None else hx
        h, c = self._start(input, h, "h"), self._start(input, c, "c")
        return lstm_step(self._gates(input), h, c, self.weight_hh, self.bias_hh)


@layer
class GRUCell(Cell):
    """One step of a GRU: (N, input_size) → (N, hidden_size).

    Of weight_ih, weight_hh and the biases, a third each belongs to r, z and n: r and z = σ(weight_ih x + bias_ih +
    weight_hh h + bias_hh), n = tanh(weight_ih x + bias_ih + r · (weight_hh h + bias_hh)), h' = (1 - z) · n + z · h.
    Parameters start uniform in ±1/√hidden_size. N may be missing.
    Raises ValueError when shapes do not fit. Source: Cho et al., 2014, Learning Phrase Representations.

    >>> from minitorch import Tensor
    >>> GRUCell(3, 4)(Tensor(np.ones((2, 3), "f"))).shape
    (2, 4)
    """

    gates = 3

    device: InitVar[Any] = None
    dtype: InitVar[Any] = None

    def forward(self, input: TensorLike, hx: TensorLike | None = None) -> Tensor:
        """The next state; `hx`, the state before, is zeros unless given."""
        h = self._start(input, hx)
        return gru_step(self._gates(input), h, self.weight_hh, self.bias_hh)


def zeros_like_parameter(parameter: Parameter, shape: Shape) -> Tensor:
    """Return zeros of the parameter's dtype, on its device."""
    return constant(xp(parameter).zeros(shape, parameter.dtype))


def require_nonlinearity(name: str, nonlinearity: str) -> None:
    """Raises ValueError unless it is known."""
    if nonlinearity not in NONLINEARITIES:
        raise ValueError(f"{name}: nonlinearity must be 'tanh' or 'relu', not {nonlinearity!r}")
