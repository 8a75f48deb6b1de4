"""Recurrent networks: a state goes through a sequence and is changed by every input; and their cells, one step each.

Every step works with `gates`: what the input says, input @ weight_ihᵀ + bias_ih, which needs no state and is computed
for a whole sequence at once. The matrices of the gates lie one below the other: one product makes all of them.

LSTM and GRU make all steps of a layer in one operation (_recurrence.py); RNN, and an LSTM with proj_size, one by one.

Shapes: input (T, N, input_size), or (N, T, input_size) with batch_first, or without N, or a PackedSequence, whose
outputs are one, too. There are `num_layers` layers,
each of which reads what the one below wrote; with `bidirectional`, each has a second network that reads from the end,
and the two outputs lie side by side. Parameters have PyTorch's names: weight_ih_l0, weight_hh_l0, bias_ih_l0,
bias_hh_l0, then _l1 for the next layer and _l0_reverse for the other direction.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import InitVar
from typing import Any, ClassVar

import numpy as np

from minitorch import Tensor, add, cat, empty, relu, squeeze, stack, tanh, transpose, unsqueeze
from minitorch.autograd.tensor_base import as_array, constant
from minitorch.backend import moved, xp
from minitorch.callers import warn
from minitorch.compat.nn._recurrence import State, gru_sequence, gru_step, lstm_sequence, lstm_step, through_time
from minitorch.compat.nn.function_layer import layer
from minitorch.compat.nn.utils.rnn import PackedSequence, pack_padded_sequence, pad_packed_sequence
from minitorch.errors import ShapeError
from minitorch.nn import Module, Parameter, functional
from minitorch.nn._sizes import require_sizes
from minitorch.nn.linear import start_uniform
from minitorch.ops.index import getitem
from minitorch.types import Shape, TensorLike

__all__ = ["GRUCell", "LSTMCell", "RNNCell", "GRU", "LSTM", "RNN"]


# -- one step ----------------------------------------------------------------------------------------------------------


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
        name, shape, size = type(self).__name__, as_array(input).shape, self.input_size
        if len(shape) not in (1, 2) or shape[-1] != size:
            raise ShapeError(f"{name}: input must have shape (N, {size}) or ({size},), not {shape}")
        wanted = (*shape[:-1], self.hidden_size)
        if state is None:
            return zeros_like_parameter(self.weight_hh, wanted)
        if (given := as_array(state).shape) != wanted:
            raise ShapeError(f"{name}: {label} has shape {given}, but an input of shape {shape} needs {wanted}")
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


# -- over sequences ----------------------------------------------------------------------------------------------------


class Recurrent(Module):
    """Base of RNN, LSTM and GRU: parameters, the way through layers, directions and time, and the shapes."""

    input_size: int
    hidden_size: int
    num_layers: int
    bias: bool
    batch_first: bool
    dropout: float
    bidirectional: bool
    proj_size: int
    gates: ClassVar[int]
    _fused: ClassVar[Any] = None
    """All steps as one operation, where there is one."""

    def __post_init__(self, device: Any, dtype: Any) -> None:
        name = type(self).__name__
        self.proj_size = getattr(self, "proj_size", 0)
        sizes = {each: getattr(self, each) for each in ("input_size", "hidden_size", "num_layers", "proj_size")}
        require_sizes(name, **sizes)
        if self.hidden_size < 1 or self.num_layers < 1 or not 0 <= self.proj_size < self.hidden_size:
            raise ValueError(
                f"{name}: hidden_size={self.hidden_size} and num_layers={self.num_layers} must be at least 1, "
                f"and proj_size={self.proj_size} below hidden_size"
            )
        if not 0.0 <= self.dropout <= 1.0:
            raise ValueError(f"{name}: dropout must be a probability between 0 and 1, not {self.dropout}")
        if self.dropout and self.num_layers == 1:
            warn(f"{name}: dropout={self.dropout} works between layers, and there is one layer only")
        self.dropout = float(self.dropout)
        directions = ("", "_reverse")[: self._directions]
        self._suffixes = [f"_l{layer}{direction}" for layer in range(self.num_layers) for direction in directions]
        rows, seen = self.gates * self.hidden_size, self.proj_size or self.hidden_size
        for place, suffix in enumerate(self._suffixes):
            first_layer = place < self._directions
            shapes: dict[str, Shape] = {
                "weight_ih": (rows, self.input_size if first_layer else seen * self._directions),
                "weight_hh": (rows, seen),
                "bias_ih": (rows,),
                "bias_hh": (rows,),
                "weight_hr": (self.proj_size, self.hidden_size),
            }
            for label, shape in shapes.items():
                if (self.bias or "bias" not in label) and (self.proj_size or label != "weight_hr"):
                    self.register_parameter(label + suffix, Parameter(empty(shape, device=device, dtype=dtype)))
        self.reset_parameters()

    @property
    def _directions(self) -> int:
        return 2 if self.bidirectional else 1

    def reset_parameters(self) -> None:
        """Draws all parameters again, uniform in ±1/√hidden_size."""
        start_uniform(self.hidden_size, *self.parameters())

    def extra_repr(self) -> str:
        """The sizes, and what is not as it is by default."""
        usual = {
            "proj_size": 0,
            "num_layers": 1,
            "bias": True,
            "batch_first": False,
            "dropout": 0,
            "bidirectional": False,
        }
        shown = {name: getattr(self, name) for name in usual}
        unusual = [f", {name}={value}" for name, value in shown.items() if value != usual[name]]
        return f"{self.input_size}, {self.hidden_size}" + "".join(unusual)

    def forward(self, input: Any, hx: TensorLike | None = None) -> tuple[Any, Tensor]:
        """All outputs and the last state; `hx`, the first one, is zeros unless given."""
        output, (h,) = self._run(input, {"hx": (hx, self.hidden_size)})
        return output, h

    def _step(self, gates: Any, state: State, weight_hh: Any, bias_hh: Any, weight_hr: Any) -> State:
        """The next state."""
        raise NotImplementedError

    def _run(self, input: Any, states: dict[str, tuple[Any, int]]) -> tuple[Any, State]:
        """The outputs and the last state. states: for h, and c, the first one or None, and the size that it has."""
        if isinstance(input, PackedSequence):
            padded, lengths = pad_packed_sequence(input, self.batch_first)
            going = lengths.data[None, :] > np.arange(int(lengths.data.max()))[:, None]  # (T, N)
            output, last = self._run_padded(padded, states, moved(going[..., None], padded.device))
            return input._replace(data=_packed_again(input, output, lengths, self.batch_first)), last
        return self._run_padded(input, states, None)

    def _run_padded(self, input: TensorLike, states: dict[str, tuple[Any, int]], going: Any) -> tuple[Tensor, State]:
        """As `_run`; `going` says which sequences have each step, (T, N, 1), or None for all."""
        shape = as_array(input).shape
        batched = self._is_batch(shape)
        swapped = batched and self.batch_first
        sequence: Any = unsqueeze(input, 1) if not batched else transpose(input, 0, 1) if swapped else input
        firsts = [self._first(shape, batched, name, *given) for name, given in states.items()]
        final_states: list[State] = []
        for level in range(self.num_layers):
            if level:
                sequence = functional.dropout(sequence, self.dropout, self.training)
            outputs = []
            for place in range(level * self._directions, (level + 1) * self._directions):
                state = tuple([getitem(first, place) for first in firsts])  # each (N, size)
                output, state = self._through_time(sequence, state, self._suffixes[place], going)
                outputs.append(output)
                final_states.append(state)
            sequence = outputs[0] if len(outputs) == 1 else cat(outputs, -1)
        final = tuple([stack(each) for each in zip(*final_states)])  # each (num_layers · directions, N, size)
        if not batched:
            return squeeze(sequence, 1), tuple([squeeze(each, 1) for each in final])
        return transpose(sequence, 0, 1) if swapped else sequence, final

    def _through_time(self, sequence: Any, state: State, suffix: str, going: Any) -> tuple[Tensor, State]:
        """One layer in one direction: all outputs, (T, N, size), and the last state."""
        labels = ("weight_ih", "weight_hh", "bias_ih", "bias_hh", "weight_hr")
        weights: list[Any] = [getattr(self, label + suffix, None) for label in labels]
        weight_ih, weight_hh, bias_ih, bias_hh, weight_hr = weights
        gates = functional.linear(sequence, weight_ih, bias_ih)  # one product for all inputs
        backwards = suffix.endswith("_reverse")
        if weight_hr is None and self._fused is not None:
            out = self._fused(gates, *state, weight_hh, 0.0 if bias_hh is None else bias_hh, going, backwards)
            steps = len(gates)
            last = out[0 if backwards else steps - 1]
            return (out, (last,)) if len(state) == 1 else (out[:steps], (last, out[steps]))
        outputs, state = through_time(
            gates, state, lambda now, state: self._step(now, state, weight_hh, bias_hh, weight_hr), going, backwards
        )
        return stack(outputs), state

    def _is_batch(self, shape: Shape) -> bool:
        order = "N, T" if self.batch_first else "T, N"
        if len(shape) not in (2, 3) or shape[-1] != self.input_size:
            raise ShapeError(
                f"{type(self).__name__}: input must have shape ({order}, {self.input_size}) or (T, {self.input_size}), "
                f"not {shape}"
            )
        if shape[1 if self.batch_first and len(shape) == 3 else 0] == 0:
            raise ShapeError(f"{type(self).__name__}: input of shape {shape} has no steps: at least one is needed")
        return len(shape) == 3

    def _first(self, shape: Shape, batched: bool, label: str, state: TensorLike | None, size: int) -> Any:
        """A state to start from, (num_layers · directions, N, size): zeros if there is none."""
        n = (shape[0 if self.batch_first else 1],) if batched else ()
        wanted = (len(self._suffixes), *n, size)
        if state is None:
            return zeros_like_parameter(self.weight_ih_l0, (len(self._suffixes), *(n or (1,)), size))
        if as_array(state).shape != wanted:
            raise ShapeError(
                f"{type(self).__name__}: {label} has shape {as_array(state).shape}, but an input of shape {shape} "
                f"needs {wanted}"
            )
        return state if batched else unsqueeze(state, 1)


@layer
class RNN(Recurrent):
    """h' = tanh(weight_ih x + bias_ih + weight_hh h + bias_hh), or relu, for each x of a sequence.

    input (T, N, input_size), (N, T, input_size) with batch_first, or without N → all h, (T, N, hidden_size), and the
    last h of each layer, (num_layers, N, hidden_size); `bidirectional` doubles hidden_size in the first and num_layers
    in the second. dropout: between layers, while training. Parameters start uniform in ±1/√hidden_size.

    Raises ValueError when shapes do not fit. Source: Elman, 1990, Finding Structure in Time.

    >>> from minitorch import Tensor
    >>> out, h = RNN(3, 4, num_layers=2)(Tensor(np.ones((5, 1, 3), "f")))
    >>> out.shape, h.shape
    ((5, 1, 4), (2, 1, 4))
    """

    gates = 1

    input_size: int
    hidden_size: int
    num_layers: int = 1
    nonlinearity: str = "tanh"
    bias: bool = True
    batch_first: bool = False
    dropout: float = 0.0
    bidirectional: bool = False
    device: InitVar[Any] = None
    dtype: InitVar[Any] = None

    def __post_init__(self, device: Any, dtype: Any) -> None:
        require_nonlinearity("RNN", self.nonlinearity)
        super().__post_init__(device, dtype)

    def _step(self, gates: Any, state: State, weight_hh: Any, bias_hh: Any, _weight_hr: Any) -> State:
        return (rnn_step(gates, state[0], weight_hh, bias_hh, NONLINEARITIES[self.nonlinearity]),)


@layer
class _Gated(Recurrent):
    input_size: int
    hidden_size: int
    num_layers: int = 1
    bias: bool = True
    batch_first: bool = False
    dropout: float = 0.0
    bidirectional: bool = False


@layer
class GRU(_Gated):
    """A gated recurrent unit, for each x of a sequence; the mathematics is that of GRUCell, all else that of RNN.

    (T, N, input_size) → (T, N, hidden_size), (num_layers, N, hidden_size). Raises ValueError when shapes do not fit.
    Source: Cho et al., 2014, Learning Phrase Representations using RNN Encoder-Decoder.

    >>> from minitorch import Tensor
    >>> out, h = GRU(3, 4, bidirectional=True)(Tensor(np.ones((5, 1, 3), "f")))
    >>> out.shape, h.shape
    ((5, 1, 8), (2, 1, 4))
    """

    gates = 3
    _fused = staticmethod(gru_sequence)

    device: InitVar[Any] = None
    dtype: InitVar[Any] = None


@layer
class LSTM(_Gated):
    """A long short-term memory, for each x of a sequence; the mathematics is that of LSTMCell, all else that of RNN.

    (T, N, input_size) → (T, N, hidden_size), and a pair (h, c), each (num_layers, N, hidden_size). proj_size: h is
    weight_hr · h of this size, which makes weight_hh smaller.
    Raises ValueError when shapes do not fit. Source: Hochreiter and Schmidhuber, 1997, Long Short-Term Memory;
    Sak et al., 2014, for proj_size.

    >>> from minitorch import Tensor
    >>> out, (h, c) = LSTM(3, 4, batch_first=True)(Tensor(np.ones((2, 5, 3), "f")))
    >>> out.shape, h.shape, c.shape
    ((2, 5, 4), (1, 2, 4), (1, 2, 4))
    """

    gates = 4
    _fused = staticmethod(lstm_sequence)

    proj_size: int = 0
    device: InitVar[Any] = None
    dtype: InitVar[Any] = None

    def forward(  # type: ignore[override]
        self, input: Any, hx: tuple[TensorLike, TensorLike] | None = None
    ) -> tuple[Any, tuple[Tensor, Tensor]]:
        """All outputs and the last (h, c); `hx`, the first pair, is zeros unless given."""
        if hx is not None and not (isinstance(hx, (tuple, list)) and len(hx) == 2):
            raise TypeError(f"LSTM: hx is a pair (h, c), not a {type(hx).__name__}")
        h, c = (None, None) if hx is None else hx
        states = {"h": (h, self.proj_size or self.hidden_size), "c": (c, self.hidden_size)}
        output, (h, c) = self._run(input, states)
        return output, (h, c)

    def _step(self, gates: Any, state: State, weight_hh: Any, bias_hh: Any, weight_hr: Any) -> State:
        h, c = lstm_step(gates, state[0], state[1], weight_hh, bias_hh)
        return (h if weight_hr is None else functional.linear(h, weight_hr)), c


def _packed_again(input: PackedSequence, output: Any, lengths: Any, batch_first: bool) -> Tensor:
    return pack_padded_sequence(output, lengths, batch_first, input.sorted_indices is None).data
