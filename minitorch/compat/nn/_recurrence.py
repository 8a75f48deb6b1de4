"""LSTM and GRU through a whole sequence as one operation each; single steps, written out, are their twins.

Forward, σ(x) is (1 + tanh(x/2)) / 2: with the rows of the sigmoids' gates halved, one tanh serves all gates of a step.
Backward, what no step waits for is computed for all steps at once: the slope of each gate times what it is multiplied
by. What is left to a step is one product of these with the gradient, and one with weight_hh.
Source: Werbos, 1990, Backpropagation Through Time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minitorch import Tensor, add, mul, sigmoid, stack, sub, tanh, unbind, where
from minitorch.autograd.primitive import primitive
from minitorch.backend import xp
from minitorch.nn.functional.linear import linear
from minitorch.ops._row_reductions import column_sums, product
from minitorch.ops.index import getitem

State = tuple[Tensor, ...]
"""Hidden state from step to step: (h,), or (h, c) in an LSTM."""


# -- one step, in elementary operations ------------------------------------------------------------------------------


def lstm_step(gates: Any, h: Any, c: Any, weight_hh: Any, bias_hh: Any) -> tuple[Tensor, Tensor]:
    """c' = σ(f) · c + σ(i) · tanh(g) and h' = σ(o) · tanh(c'), with i, f, g, o = gates + h @ weight_hhᵀ + bias_hh."""
    i, f, g, o = _side_by_side(add(gates, linear(h, weight_hh, bias_hh)), 4)
    c = add(mul(sigmoid(f), c), mul(sigmoid(i), tanh(g)))
    return mul(sigmoid(o), tanh(c)), c


def gru_step(gates: Any, h: Any, weight_hh: Any, bias_hh: Any) -> Tensor:
    """h' = n + σ(z) · (h - n) with n = tanh(n_gates + σ(r) · n_state), where r and z are sums of gates and state."""
    r_gates, z_gates, n_gates = _side_by_side(gates, 3)
    r_state, z_state, n_state = _side_by_side(linear(h, weight_hh, bias_hh), 3)
    n = tanh(add(n_gates, mul(sigmoid(add(r_gates, r_state)), n_state)))
    return add(n, mul(sigmoid(add(z_gates, z_state)), sub(h, n)))


def _side_by_side(gates: Any, count: int) -> list[Tensor]:
    """(…, count · H) as `count` times (…, H). Plain slices: `chunk` looks at more than is needed at every step."""
    size = gates.shape[-1] // count
    return [getitem(gates, (..., slice(place * size, (place + 1) * size))) for place in range(count)]


def through_time(
    sequence: Tensor, state: State, step: Callable[[Tensor, State], State], going: Any, backwards: bool
) -> tuple[list[Tensor], State]:
    """step(gates, state) again and again: every h, and the last state. What is not `going` stays as it is."""
    steps = _one_by_one(sequence)
    outputs = []
    for place in range(len(steps) - 1, -1, -1) if backwards else range(len(steps)):
        after = step(steps[place], state)
        if going is not None:
            after = tuple([where(going[place], new, old) for new, old in zip(after, state, strict=True)])
        state = after
        outputs.append(state[0])
    return outputs[::-1] if backwards else outputs, state


def _one_by_one(sequence: Tensor) -> list[Tensor]:
    """The slices along the first axis, cut in halves again and again.

    The gradient of a cut is as large as what it is cut from: T steps cut from the whole would cost T², halves T log T.
    """
    length = sequence.shape[0]
    if length < 4:
        return list(unbind(sequence))
    return _one_by_one(sequence[: length // 2]) + _one_by_one(sequence[length // 2 :])


# -- all steps as one ------------------------------------------------------------------------------------------------


def _halves(weight: Any) -> Any:
    """½ for each row of a sigmoid's gate, 1 for those of the tanh, which is the third gate of both: (gates · H,)."""
    rows, size = weight.shape
    half = xp(weight).empty(rows, weight.dtype)
    half.fill(0.5)
    half[2 * size : 3 * size] = 1
    return half


def _turned(sequence: Any, backwards: bool) -> Any:
    """The steps in the order in which they are made, or back from it."""
    return sequence[::-1] if backwards else sequence


def _lstm(
    gates: Any, h: Any, c: Any, weight: Any, bias: Any, going: Any = None, backwards: bool = False
) -> tuple[Any, Any]:
    steps, n, width = gates.shape
    size = width // 4
    half = _halves(weight)
    rest = 1 - half
    values = _turned(gates, backwards) * half
    values += bias * half
    matrix = (weight * half[:, None]).T
    hs, cs = [xp(gates).empty((steps + 1, n, size), gates.dtype) for _ in range(2)]
    tanhs = xp(gates).empty((steps, n, size), gates.dtype)
    hs[0], cs[0] = h, c
    stays = None if going is None else _turned(np.logical_not(going), backwards)
    for step in range(steps):
        now, c = values[step], cs[step + 1]
        now += product(hs[step], matrix)
        np.tanh(now, out=now)
        now *= half
        now += rest
        np.multiply(now[:, size : 2 * size], cs[step], out=c)
        c += now[:, :size] * now[:, 2 * size : 3 * size]
        np.tanh(c, out=tanhs[step])
        np.multiply(now[:, 3 * size :], tanhs[step], out=hs[step + 1])
        if stays is not None:
            np.copyto(c, cs[step], where=stays[step])
            np.copyto(hs[step + 1], hs[step], where=stays[step])
    out = xp(gates).concatenate((_turned(hs[1:], backwards), cs[steps:]))
    return out, (values, hs, cs, tanhs, [])


def _lstm_composed(
    gates: Any, h: Any, c: Any, weight: Any, bias: Any, going: Any = None, backwards: bool = False
) -> Tensor:
    bias = bias if np.ndim(bias) else None
    outputs, (_, c) = through_time(gates, (h, c), lambda x, s: lstm_step(x, s[0], s[1], weight, bias), going, backwards)
    return stack([*outputs, c])


def _lstm_gradients(g: Any, weight: Any, going: Any, backwards: bool, aux: Any) -> tuple[Any, Any, Any, Any]:
    """Of what goes into the gates, of the first h, of the first c; and the h that each step began from."""
    values, hs, cs, tanhs, _ = aux
    steps, n, size = tanhs.shape
    i, f, new, o = np.moveaxis(values.reshape(steps, n, 4, size), 2, 0)
    slopes = values - values * values
    blocks = slopes.reshape(steps, n, 4, size)
    blocks[:, :, 0] *= new
    blocks[:, :, 1] *= cs[:steps]
    blocks[:, :, 2] = i - i * new * new
    blocks[:, :, 3] *= tanhs
    opened, carried = o - o * tanhs * tanhs, f
    goes = None
    if going is not None:
        goes = _turned(going, backwards)
        slopes *= goes
        opened *= goes
        carried = np.where(goes, f, 1)
    upstream, dc, dh = _turned(g[:steps], backwards), g[steps], None
    for step in range(steps - 1, -1, -1):
        dh = upstream[step] if dh is None else dh + upstream[step]
        dc = dc + dh * opened[step]
        block = blocks[step]
        block[:, :3] *= dc[:, None]
        block[:, 3] *= dh
        dc *= carried[step]
        before = product(slopes[step], weight)
        dh = before if goes is None else before + dh * np.logical_not(goes[step])
    return slopes, dh, dc, hs[:steps]


def _gru(gates: Any, h: Any, weight: Any, bias: Any, going: Any = None, backwards: bool = False) -> tuple[Any, Any]:
    steps, n, width = gates.shape
    size = width // 3
    half = _halves(weight)
    values = _turned(gates, backwards) * half
    matrix, shift = (weight * half[:, None]).T, bias * half
    hs = xp(gates).empty((steps + 1, n, size), gates.dtype)
    news = xp(gates).empty((steps, n, size), gates.dtype)
    hs[0] = h
    stays = None if going is None else _turned(np.logical_not(going), backwards)
    for step in range(steps):
        now, h = values[step], hs[step + 1]
        state = product(hs[step], matrix)
        state += shift
        both, new = now[:, : 2 * size], now[:, 2 * size :]
        both += state[:, : 2 * size]
        np.tanh(both, out=both)
        both *= 0.5
        both += 0.5
        news[step] = state[:, 2 * size :]
        new += both[:, :size] * news[step]
        np.tanh(new, out=new)
        np.subtract(hs[step], new, out=h)
        h *= both[:, size:]
        h += new
        if stays is not None:
            np.copyto(h, hs[step], where=stays[step])
    return xp(gates).ascontiguousarray(_turned(hs[1:], backwards)), (values, hs, news, [])


def _gru_composed(gates: Any, h: Any, weight: Any, bias: Any, going: Any = None, backwards: bool = False) -> Tensor:
    bias = bias if np.ndim(bias) else None
    outputs, _ = through_time(gates, (h,), lambda now, s: (gru_step(now, s[0], weight, bias),), going, backwards)
    return stack(outputs)


def _gru_gradients(g: Any, weight: Any, going: Any, backwards: bool, aux: Any) -> tuple[Any, Any, Any, Any]:
    """Of what the state gives to the gates, of the first h, of n_gates alone; and the h that each step began from."""
    values, hs, news, _ = aux
    steps, n, size = news.shape
    r, z, new = np.moveaxis(values.reshape(steps, n, 3, size), 2, 0)
    of_new = (1 - z) * (1 - new * new)
    slopes = values - values * values
    blocks = slopes.reshape(steps, n, 3, size)
    blocks[:, :, 0] *= of_new * news
    blocks[:, :, 1] *= hs[:steps] - new
    blocks[:, :, 2] = of_new * r
    carried = z
    if going is not None:
        goes = _turned(going, backwards)
        slopes *= goes
        of_new *= goes
        carried = np.where(goes, z, 1)
    upstream, dh = _turned(g, backwards), None
    for step in range(steps - 1, -1, -1):
        dh = upstream[step] if dh is None else dh + upstream[step]
        of_new[step] *= dh
        blocks[step] *= dh[:, None]
        dh = dh * carried[step]
        dh += product(slopes[step], weight)
    return slopes, dh, of_new, hs[:steps]


def _once(gradients: Callable[..., Any]) -> Callable[..., Any]:
    """The gradients of all slots, computed for the first slot that asks in a backward pass and carried for the others.

    A pass asks slot by slot, in their order and with one g: whoever is not behind the last that asked begins a new one.
    """

    def found(slot: int, g: Any, weight: Any, going: Any, backwards: bool, aux: Any) -> Any:
        seen = aux[-1]
        if not seen or seen[0] is not g or seen[1] >= slot:
            seen[:] = [g, slot, gradients(g, weight, going, backwards, aux)]
        seen[1] = slot
        return seen[2]

    return found


_of_lstm, _of_gru = _once(_lstm_gradients), _once(_gru_gradients)


def _gru_wrt_gates(g: Any, weight: Any, going: Any, backwards: bool, aux: Any) -> Any:
    slopes, _, of_new, _ = _of_gru(0, g, weight, going, backwards, aux)
    return _turned(xp(g).concatenate((slopes[:, :, : 2 * weight.shape[1]], of_new), 2), backwards)


def _wrt_weight(slopes: Any, before: Any) -> Any:
    """Σ over steps and sequences of slope · hᵀ, one product for all of them."""
    rows = before.shape[0] * before.shape[1]
    return product(slopes.reshape(rows, slopes.shape[2]).T, before.reshape(rows, before.shape[2]))


lstm_sequence = primitive(
    _lstm,
    """Every h of an LSTM, then the last c: gates (T, N, 4H), h and c (N, H), weight (4H, H) → (T + 1, N, H).

    gates: weight_ih x + bias_ih of all steps; bias (4H), or 0.0 for none. going: bools (T, N, 1), False where a
    sequence has no such step and its state stays. backwards: from the last step to the first.
    """,
    name="lstm",
    composed=_lstm_composed,
    promotes=False,
    gates=lambda g, weight, going, backwards, aux: _turned(_of_lstm(0, g, weight, going, backwards, aux)[0], backwards),
    h=lambda g, weight, going, backwards, aux: _of_lstm(1, g, weight, going, backwards, aux)[1],
    c=lambda g, weight, going, backwards, aux: _of_lstm(2, g, weight, going, backwards, aux)[2],
    weight=lambda g, weight, going, backwards, aux: _wrt_weight(*_of_lstm(3, g, weight, going, backwards, aux)[::3]),
    bias=lambda g, weight, going, backwards, aux: column_sums(_of_lstm(4, g, weight, going, backwards, aux)[0]),
)

gru_sequence = primitive(
    _gru,
    """Every h of a GRU: gates (T, N, 3H), h (N, H), weight (3H, H) → (T, N, H); the rest as in `lstm_sequence`.""",
    name="gru",
    composed=_gru_composed,
    promotes=False,
    gates=_gru_wrt_gates,
    h=lambda g, weight, going, backwards, aux: _of_gru(1, g, weight, going, backwards, aux)[1],
    weight=lambda g, weight, going, backwards, aux: _wrt_weight(*_of_gru(2, g, weight, going, backwards, aux)[::3]),
    bias=lambda g, weight, going, backwards, aux: column_sums(_of_gru(3, g, weight, going, backwards, aux)[0]),
)
