"""linear, embedding, attention, recurrent cells, and products of matrices, derived from @, e**x and tanh."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from op_table.case import Draw, exactly, indices, positive, signed, spread

import minitorch
from minitorch import Tensor, nn
from minitorch.nn import functional
from twin_table.activations import sigmoid
from twin_table.losses import softmax
from twin_table.row import Row

INF = math.inf


def linear(x: Tensor, weight: Tensor, *bias: Tensor) -> Tensor:
    return x @ weight.T + bias[0] if bias else x @ weight.T


def embedding(numbers: Tensor, weight: Tensor) -> Tensor:
    """One row of the identity for each number, @ weight."""
    return Tensor(np.eye(weight.shape[0])[numbers.data]) @ weight


def padded_embedding(padding: int) -> Callable[..., Tensor]:
    def twin(numbers: Tensor, weight: Tensor) -> Tensor:
        moving = np.ones((weight.shape[0], 1))
        moving[padding] = 0.0
        still = Tensor(weight.data * (1 - moving))
        return embedding(numbers, weight * Tensor(moving) + still)

    return twin


def attention(added: Any = None, scale: float | None = None, shared: int = 1) -> Callable[..., Tensor]:
    """softmax(q @ kᵀ · scale + mask) @ v, and zeros for a query that sees nothing."""

    def twin(q: Tensor, k: Tensor, v: Tensor, *given: Tensor) -> Tensor:
        if shared > 1:
            k, v = (minitorch.stack([t] * shared, dim=-3).reshape(*t.shape[:-3], -1, *t.shape[-2:]) for t in (k, v))
        scores = q @ k.transpose(-2, -1) * (1 / math.sqrt(q.shape[-1]) if scale is None else scale)
        bias = given[0] if given else Tensor(np.zeros(()) if added is None else np.asarray(added, np.float64))
        blind = np.isneginf(np.broadcast_to(bias.data, scores.shape)).all(axis=-1, keepdims=True)
        weights = softmax(minitorch.where(Tensor(blind), Tensor(0.0).double(), scores + bias), -1)
        return (weights * Tensor(1.0 - blind)) @ v

    return twin


def hidden(allowed: Any) -> np.ndarray:
    return np.where(allowed, 0.0, -INF)


def attending(title: str, twin: Callable[..., Tensor], *draws: Draw, mask: Any = None, **options: Any) -> Row:
    def fused(q: Tensor, k: Tensor, v: Tensor, *given: Tensor) -> Any:
        seen = given[0] if given else None if mask is None else Tensor(mask)
        return functional.scaled_dot_product_attention(q, k, v, seen, **options)

    return Row(f"scaled_dot_product_attention: {title}", fused, twin, draws)


def causal(queries: int, keys: int) -> np.ndarray:
    return hidden(np.tri(queries, keys, dtype=bool))


def cell(kind: type[nn.Module], *options: Any) -> Callable[..., Any]:
    """The module's cell with Tensors in place of its parameters."""

    def fused(x: Tensor, *rest: Tensor) -> Any:
        *state, weight_ih, weight_hh, bias_ih, bias_hh = rest
        module = kind(3, 2, *options).double()
        named = {"weight_ih": weight_ih, "weight_hh": weight_hh, "bias_ih": bias_ih, "bias_hh": bias_hh}
        for name, tensor in named.items():
            setattr(module, name, nn.Parameter(tensor.data))
            object.__setattr__(module, name, tensor)
        out = module(x, state[0] if len(state) == 1 else tuple(state))
        return minitorch.cat(out, dim=-1) if isinstance(out, tuple) else out

    return fused


def gates(x: Tensor, weight: Tensor, bias: Tensor, count: int) -> list[Tensor]:
    size = weight.shape[0] // count
    return [x @ weight[i * size : (i + 1) * size].T + bias[i * size : (i + 1) * size] for i in range(count)]


def rnn_cell(x: Tensor, h: Tensor, w: Tensor, u: Tensor, b: Tensor, c: Tensor) -> Tensor:
    return (x @ w.T + b + h @ u.T + c).tanh()


def lstm_cell(x: Tensor, h: Tensor, c: Tensor, w: Tensor, u: Tensor, b: Tensor, d: Tensor) -> Tensor:
    i, f, g, o = (a + e for a, e in zip(gates(x, w, b, 4), gates(h, u, d, 4), strict=True))
    c = sigmoid(f) * c + sigmoid(i) * g.tanh()
    return minitorch.cat([sigmoid(o) * c.tanh(), c], dim=-1)


def gru_cell(x: Tensor, h: Tensor, w: Tensor, u: Tensor, b: Tensor, c: Tensor) -> Tensor:
    (xr, xz, xn), (hr, hz, hn) = gates(x, w, b, 3), gates(h, u, c, 3)
    z = sigmoid(xz + hz)
    return (1.0 - z) * (xn + sigmoid(xr + hr) * hn).tanh() + z * h


def sequence(kind: type[nn.Module]) -> Callable[..., Any]:
    """The module's whole sequence with Tensors in place of its parameters: all outputs, then the last state."""

    def fused(x: Tensor, *rest: Tensor) -> Any:
        *state, weight_ih, weight_hh, bias_ih, bias_hh = rest
        module = kind(3, 2).double()
        named = {"weight_ih": weight_ih, "weight_hh": weight_hh, "bias_ih": bias_ih, "bias_hh": bias_hh}
        for name, tensor in named.items():
            object.__setattr__(module, f"{name}_l0", tensor)
        first = [each.unsqueeze(0) for each in state]
        out, last = module(x.unsqueeze(1), first[0] if len(first) == 1 else tuple(first))
        return minitorch.cat([out, *last] if len(first) > 1 else [out, last])

    return fused


def step_by_step(cell: Callable[..., Tensor], states: int) -> Callable[..., Tensor]:
    """The cell again and again, on one sequence (T, 3)."""

    def twin(x: Tensor, *rest: Tensor) -> Tensor:
        state, parameters = list(rest[:states]), rest[states:]
        outputs = []
        for step in range(x.shape[0]):
            after = cell(x[step : step + 1], *state, *parameters)
            state = [after[:, 2 * place : 2 * place + 2] for place in range(states)]
            outputs.append(state[0])
        return minitorch.cat([*outputs, *state]).reshape(-1, 1, 2)

    return twin


def sequence_inputs(count: int, states: int, steps: int) -> list[Draw]:
    return [signed(steps, 3), *cell_inputs(count, states, 1)[1:]]


def cell_inputs(count: int, states: int, batch: int) -> list[Draw]:
    rows = 2 * count
    return [
        signed(batch, 3),
        *[signed(batch, 2)] * states,
        signed(rows, 3),
        signed(rows, 2),
        signed(rows),
        signed(rows),
    ]


QKV = signed(2, 3, 2), signed(2, 5, 2), signed(2, 5, 3)
SEEN = np.array([[True, True, False, True, True], [False] * 5, [True] * 5])
PAIRED: dict[str, tuple[Callable[..., Any], Callable[..., Any], list[Draw]]] = {
    "mm": (minitorch.mm, lambda a, b: a @ b, [signed(2, 3), signed(3, 4)]),
    "bmm": (minitorch.bmm, lambda a, b: a @ b, [signed(2, 1, 3), signed(2, 3, 4)]),
    "mv": (minitorch.mv, lambda a, b: a @ b, [signed(2, 3), signed(3)]),
    "dot": (minitorch.dot, lambda a, b: (a * b).sum(), [signed(3), signed(3)]),
    "inner": (minitorch.inner, lambda a, b: a @ b.T, [signed(2, 3), signed(4, 3)]),
    "outer": (minitorch.outer, lambda a, b: a.reshape(-1, 1) * b, [signed(3), signed(4)]),
    "trace": (minitorch.trace, lambda a: a.diagonal().sum(), [signed(3, 4)]),
    "addmm": (
        lambda c, a, b: minitorch.addmm(c, a, b, beta=0.5, alpha=2.0),
        lambda c, a, b: 0.5 * c + 2.0 * (a @ b),
        [signed(4), signed(2, 3), signed(3, 4)],
    ),
    "baddbmm": (
        lambda c, a, b: minitorch.baddbmm(c, a, b, beta=0.5, alpha=2.0),
        lambda c, a, b: 0.5 * c + 2.0 * (a @ b),
        [signed(2, 2, 4), signed(2, 2, 3), signed(2, 3, 4)],
    ),
    "lerp": (minitorch.lerp, lambda a, b, t: a + t * (b - a), [signed(3, 4), signed(4), signed(3, 1)]),
    "hypot": (minitorch.hypot, lambda a, b: (a * a + b * b).sqrt(), [positive(3, 4), signed(4)]),
    "logaddexp": (minitorch.logaddexp, lambda a, b: (a.exp() + b.exp()).log(), [signed(3, 4), signed(4)]),
    "xlogy": (minitorch.xlogy, lambda a, b: a * b.log(), [signed(3, 4), positive(4)]),
    "square": (minitorch.square, lambda a: a * a, [signed(3, 4)]),
    "rsqrt": (minitorch.rsqrt, lambda a: 1.0 / a.sqrt(), [positive(3, 4)]),
    "nansum": (lambda a: minitorch.nansum(a, 1), lambda a: a.sum(1), [signed(3, 4)]),
    "prod": (
        lambda a: minitorch.prod(a, 1),
        lambda a: a[:, 0] * a[:, 1] * a[:, 2],
        [exactly([[1.5, -2.0, 3.0], [0.0, 2.0, 3.0], [0.0, 0.0, 4.0]])],
    ),
    "cumsum": (
        lambda a: minitorch.cumsum(a, 1),
        lambda a: minitorch.stack([a[:, : end + 1].sum(1) for end in range(4)], dim=1),
        [signed(3, 4)],
    ),
    "cumprod": (
        lambda a: minitorch.cumprod(a, 0),
        lambda a: minitorch.stack([a[0], a[0] * a[1], a[0] * a[1] * a[2]]),
        [exactly([[1.5, 0.0], [-2.0, 2.0], [3.0, 4.0]])],
    ),
    "nuclear norm": (
        lambda a: minitorch.norm(a, "nuc"),
        lambda a: minitorch.linalg.svdvals(a).sum(),
        [spread(3, 2)],
    ),
}

ROWS = [
    *[
        Row(
            f"linear of {shape} with {weight}, bias {bias}",
            functional.linear,
            linear,
            [signed(*shape), signed(*weight), *rest],
        )
        for shape, weight in [((4, 3), (5, 3)), ((1, 3), (2, 3)), ((3,), (2, 3)), ((2, 3, 7), (1, 7)), ((0, 3), (2, 3))]
        for bias, rest in [
            ("none", []),
            ("one each", [signed(weight[0])]),
            ("one for all", [signed(1)]),
            ("a number", [signed()]),
        ]
    ],
    Row(
        "linear, huge",
        functional.linear,
        linear,
        [exactly([[1e150, -1e150]]), exactly([[1e150, 1e150]]), exactly([1e-150])],
    ),
    Row("embedding: matrix", functional.embedding, embedding, [indices([2, 0, 2], [2, 1, 1]), signed(4, 3)]),
    Row("embedding: batch 1", functional.embedding, embedding, [indices(1), signed(4, 3)]),
    Row("embedding: no numbers", functional.embedding, embedding, [indices(), signed(4, 3)]),
    Row(
        "embedding: padding",
        lambda n, w: functional.embedding(n, w, padding_idx=-2),
        padded_embedding(-2),
        [indices([2, 0, 2], [2, 1, 1]), signed(4, 3)],
    ),
    attending("batch", attention(), *QKV),
    attending("batch 1", attention(), signed(1, 1, 2), signed(1, 1, 2), signed(1, 1, 3)),
    attending("no queries", attention(), signed(2, 0, 2), signed(2, 5, 2), signed(2, 5, 3)),
    attending("matrices", attention(), signed(3, 2), signed(5, 2), signed(5, 3)),
    attending("scale", attention(scale=0.3), *QKV, scale=0.3),
    attending("causal", attention(causal(3, 3)), signed(2, 3, 2), signed(2, 3, 2), signed(2, 3, 1), is_causal=True),
    attending("causal, odd", attention(causal(3, 5)), *QKV, is_causal=True),
    attending("bools, one sees nothing", attention(hidden(SEEN)), *QKV, mask=SEEN),
    attending("a learnt mask", attention(), *QKV, signed(2, 3, 5)),
    attending("a learnt mask, broadcast", attention(), *QKV, signed(3, 5)),
    attending("huge", attention(), exactly([[1000.0], [-1000.0], [0.0]]), exactly([[1.0], [0.0]]), signed(2, 2)),
    attending(
        "heads that share",
        attention(shared=2),
        signed(1, 4, 3, 2),
        signed(1, 2, 5, 2),
        signed(1, 2, 5, 2),
        enable_gqa=True,
    ),
    *[
        Row(f"{kind.__name__} of batch {batch}", cell(kind), twin, cell_inputs(count, states, batch))
        for batch in (3, 1)
        for kind, twin, count, states in [
            (nn.RNNCell, rnn_cell, 1, 1),
            (nn.LSTMCell, lstm_cell, 4, 2),
            (nn.GRUCell, gru_cell, 3, 1),
        ]
    ],
    *[
        Row(f"{kind.__name__} of {steps} steps", sequence(kind), step_by_step(twin, states), draws)
        for steps in (1, 3)
        for kind, twin, states, draws in [
            (nn.LSTM, lstm_cell, 2, sequence_inputs(4, 2, steps)),
            (nn.GRU, gru_cell, 1, sequence_inputs(3, 1, steps)),
        ]
    ],
    *[Row(name, *both, draws) for name, (*both, draws) in PAIRED.items()],
]
