"""Connectionist temporal classification: how surprising a sequence of labels is, whose places in time are not known.

Before, between and after the labels of a target may stand blanks, so that all of them lie in a row of states: blank,
l₁, blank, l₂, …, blank. An alignment walks through the row, one state at each time: it stays, goes one on, or jumps
over a blank between two labels that differ. Forward, α says how likely the beginnings are that lead to a state;
backward, β, how likely the ends are from there on. Their product is the share of the alignments through that state.
Source: Graves, Fernández, Gomez and Schmidhuber, 2006, Connectionist Temporal Classification.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.primitive import primitive
from minitorch.autograd.tensor_base import as_array
from minitorch.backend import to_host, xp
from minitorch.errors import DtypeError, IndexingError, OperandError, ShapeError
from minitorch.nn.functional.loss import Reduction, reduced, require_reduction
from minitorch.ops.arithmetic import add, div, sub
from minitorch.ops.movement import reshape
from minitorch.ops.reduce import sum as sum_
from minitorch.types import TensorLike

__all__ = ["ctc_loss"]

NEVER = -1e30
"""The logarithm of what cannot be: -∞ would make nan of the gradients of `logaddexp`."""


class Walk(NamedTuple):
    """Transitions that alignments may take, for N samples with S states each.

    labels: (N, S), the class of each state. jumps: (N, S), 0 where a state is reached over a blank too, else NEVER.
    ends: (N, 2), the two last states. end_counts: (N, 2), 0, or NEVER for the second of a sample without labels.
    steps: (N,), how many times there are. going: (T, N, 1), True as long as there are.
    """

    labels: Any
    jumps: Any
    ends: Any
    end_counts: Any
    steps: Any
    going: Any


def _later(states: Any, count: int) -> Any:
    """The number of each state at the state `count` later."""
    empty = xp(states).full((states.shape[0], count), NEVER, states.dtype)
    return np.concatenate([empty, states[:, :-count]], axis=1)[:, : states.shape[1]]


def _alphas(log_probs: Any, walk: Walk) -> tuple[Any, Any]:
    """ln p of each state's label, and ln α, the label's own probability among it: (T, N, S) both."""
    labels = np.broadcast_to(walk.labels, (log_probs.shape[0], *walk.labels.shape))
    seen = np.take_along_axis(log_probs, labels, 2)
    first = xp(log_probs).arange(labels.shape[2]) < 2
    alphas = [np.where(first, seen[0], NEVER)]
    for time in range(1, len(labels)):
        before = alphas[-1]
        near = np.logaddexp(before, _later(before, 1))
        alphas.append(np.logaddexp(near, _later(before, 2) + walk.jumps) + seen[time])
    return seen, np.stack(alphas)


def _betas(seen: Any, walk: Walk) -> Any:
    """ln β, without the state's own label: (T, N, S). It is α's walk from the end, and from behind."""
    there = xp(seen)
    places = there.arange(seen.shape[2])
    ends = (places == walk.ends[:, :1]) | (places == walk.ends[:, 1:]) & (walk.end_counts[:, 1:] == 0)
    at_end = np.where(ends, 0, NEVER).astype(seen.dtype)
    betas = there.empty(seen.shape, seen.dtype)
    beta = there.full(seen.shape[1:], NEVER, seen.dtype)
    for time in reversed(range(len(seen))):
        if time + 1 < len(seen):
            ahead = beta + seen[time + 1]
            near = np.logaddexp(ahead, _later(ahead[:, ::-1], 1)[:, ::-1])
            beta = np.logaddexp(near, _later((ahead + walk.jumps)[:, ::-1], 2)[:, ::-1])
        beta = np.where((walk.steps == time + 1)[:, None], at_end, beta)
        betas[time] = beta
    return betas


def _surprises(alphas: Any, walk: Walk) -> Any:
    """-ln p of each sample's labels, ∞ where no alignment is long enough: (N,)."""
    samples = xp(alphas).arange(len(walk.steps))[:, None]
    ends = alphas[walk.steps[:, None] - 1, samples, walk.ends] + walk.end_counts
    surprise = -np.logaddexp(ends[:, 0], ends[:, 1])
    of_nothing = np.where(walk.end_counts[:, 1] == 0, np.inf, 0).astype(surprise.dtype)
    surprise = np.where(walk.steps == 0, of_nothing, surprise)
    return np.where(surprise > -NEVER / 2, np.inf, surprise)


def _ctc(log_probs: Any, walk: Walk, zero_infinity: bool) -> tuple[Any, Any]:
    seen, alphas = _alphas(log_probs, walk)
    losses = _surprises(alphas, walk).astype(log_probs.dtype, copy=False)
    return np.where(np.isinf(losses), 0, losses) if zero_infinity else losses, (seen, alphas, losses)


def _ctc_composed(log_probs: Any, walk: Walk, zero_infinity: bool) -> Any:
    losses = _surprises(_alphas(log_probs, walk)[1], walk)
    counted = walk.going
    if zero_infinity:
        possible = np.isfinite(as_array(losses))
        losses, counted = np.where(possible, losses, 0), counted & possible[:, None]
    every = sum_(np.where(counted, np.exp(log_probs), 0), (0, 2))
    return add(losses, sub(every, every.detach()))


def _ctc_wrt_log_probs(g: Any, aux: Any, log_probs: Any, walk: Walk, zero_infinity: bool) -> Any:
    seen, alphas, losses = aux
    possible = np.isfinite(losses)
    shares = np.exp(alphas + _betas(seen, walk) + np.where(possible, losses, 0)[:, None])
    slopes = np.exp(log_probs)
    samples = xp(seen).arange(len(losses))
    for state in range(shares.shape[2]):  # a label may be there twice: one state after the other
        slopes[:, samples, walk.labels[:, state]] -= shares[:, :, state]
    slopes = np.where(possible[:, None], slopes, 0 if zero_infinity else np.nan)
    return np.where(walk.going, slopes * g[:, None], 0)


_surprise = primitive(
    _ctc,
    "-ln of the probability of all alignments of each sample's labels: (T, N, C) → (N,).",
    name="ctc_loss",
    composed=_ctc_composed,
    log_probs=_ctc_wrt_log_probs,
)


def ctc_loss(
    log_probs: TensorLike,
    targets: TensorLike,
    input_lengths: Any,
    target_lengths: Any,
    blank: int = 0,
    reduction: Reduction = "mean",
    zero_infinity: bool = False,
) -> Tensor:
    """-ln p(targets), where p sums over all ways to stretch the labels over time: (T, N, C) → (), or (N,) for "none".

    log_probs: logarithms of probabilities of C classes, as log_softmax gives them, one of which is `blank`; also
    (T, C). targets: class numbers, (N, S), or all after one another, (Σ target_lengths,). input_lengths,
    target_lengths: how much of each counts, (N,). "mean" divides each loss by its target's length first.
    zero_infinity: 0 in the place of the ∞ of a target that is too long for its time, and of its gradient.

    dL/dlog_probs = g · (e**log_probs - share of the alignments that have the class then): the gradient that
    log_softmax hands on as it is, as PyTorch's. Raises ValueError when shapes and lengths do not fit, IndexError for a
    class that does not exist.

    >>> half = Tensor([[[0.5, 0.5]], [[0.5, 0.5]]]).log()
    >>> ctc_loss(half, Tensor([[1]]), [2], [1])  # of four equally likely, three: "1 1", "blank 1", "1 blank"
    tensor(0.2877)
    """
    require_reduction("ctc_loss", reduction)
    array = as_array(log_probs)
    if array.ndim not in (2, 3) or array.dtype.kind != "f":
        raise ShapeError(f"ctc_loss: log_probs must be floats (T, N, C) or (T, C), not {array.dtype} {array.shape}")
    batched = array.ndim == 3
    if not batched:
        log_probs = reshape(log_probs, (array.shape[0], 1, array.shape[1]))
    lengths = _lengths("target_lengths", target_lengths)
    walk = _walk(
        as_array(log_probs), to_host(as_array(targets)), _lengths("input_lengths", input_lengths), lengths, blank
    )
    losses = _surprise(log_probs, walk, bool(zero_infinity))
    if reduction == "mean":
        losses = div(losses, xp(array).asarray(np.maximum(lengths, 1), array.dtype))
    return reduced(losses if batched else reshape(losses, ()), reduction)


def _lengths(name: str, given: Any) -> np.ndarray:
    """Lengths as integers of the host, (N,)."""
    lengths = np.atleast_1d(to_host(as_array(given)))
    if lengths.dtype.kind not in "iu":
        raise DtypeError(f"ctc_loss: {name} must be integers, not {lengths.dtype}")
    return lengths.astype(np.int64, copy=False)


def _walk(log_probs: Any, targets: np.ndarray, steps: np.ndarray, lengths: np.ndarray, blank: int) -> Walk:
    """The states of each sample. Raises for what does not fit."""
    times, count, classes = log_probs.shape
    if not 0 <= blank < classes:
        raise OperandError(f"ctc_loss: blank is class {blank}, but the classes are 0 to {classes - 1}")
    if steps.shape != (count,) or lengths.shape != (count,):
        raise OperandError(
            f"ctc_loss: {count} samples need as many input_lengths and target_lengths, "
            f"not {steps.size} and {lengths.size}"
        )
    if count and (steps.min() < 0 or steps.max() > times or lengths.min() < 0):
        raise OperandError(
            f"ctc_loss: input_lengths {steps.tolist()} must lie between 0 and {times}, and target_lengths "
            f"{lengths.tolist()} not be negative"
        )
    if targets.dtype.kind not in "iu":
        raise DtypeError(f"ctc_loss: targets must hold class numbers, which are integers, not {targets.dtype}")
    longest = int(lengths.max(initial=0))
    counted = np.arange(longest) < lengths[:, None]
    labels = np.full((count, longest), blank)
    if targets.ndim == 1 and targets.size == lengths.sum():
        labels[counted] = targets
    elif targets.ndim == 2 and len(targets) == count and targets.shape[1] >= longest:
        labels[counted] = targets[:, :longest][counted]
    else:
        raise ShapeError(
            f"ctc_loss: targets have shape {targets.shape}, but ({count}, {longest} or more) or "
            f"({lengths.sum()},) is needed for target_lengths {lengths.tolist()}"
        )
    wrong = labels[(labels < 0) | (labels >= classes)]
    if wrong.size:
        raise IndexingError(f"ctc_loss: class {wrong[0]} in targets, but the classes are 0 to {classes - 1}")
    states = np.full((count, 2 * longest + 1), blank)
    states[:, 1::2] = labels
    jumps = np.full(states.shape, NEVER, log_probs.dtype)
    jumps[:, 3::2][labels[:, 1:] != labels[:, :-1]] = 0
    ends = np.stack([2 * lengths, np.maximum(2 * lengths - 1, 0)], axis=1)
    end_counts = np.where(np.stack([lengths >= 0, lengths > 0], axis=1), 0, NEVER).astype(log_probs.dtype)
    going = (np.arange(times)[:, None] < steps)[..., None]
    return Walk(*[xp(log_probs).asarray(each) for each in (states, jumps, ends, end_counts, steps, going)])
