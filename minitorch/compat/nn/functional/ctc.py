"""Connectionist temporal classification: how surprising a sequence of labels is, whose places in time are not known.

Before, between and after the labels of a target may stand blanks, so that all of them lie in a row of states: blank,
l₁, blank, l₂, …, blank. An alignment walks through the row, one state at each time: it stays, goes one on, or jumps
over a blank between two labels that differ. α says how likely the beginnings are that lead to a state.
Source: Graves, Fernández, Gomez and Schmidhuber, 2006, Connectionist Temporal Classification.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from minitorch import Tensor, add, clamp_min, div, exp, gather, mul, reshape, sqrt, sub, where
from minitorch import sum as sum_
from minitorch.autograd.tensor_base import as_array, constant
from minitorch.backend import to_host, xp
from minitorch.errors import DtypeError, IndexingError, OperandError, ShapeError
from minitorch.nn.functional.loss import Reduction, reduced, require_reduction
from minitorch.ops.conversion import cast
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


def _alphas(log_probs: Any, walk: Walk) -> Any:
    """ln α of each state, the probability of its label among it: (T, N, S)."""
    labels = np.broadcast_to(walk.labels, (log_probs.shape[0], *walk.labels.shape))
    seen = clamp_min(gather(log_probs, 2, constant(labels)), NEVER)  # -∞ - -∞ is no number
    first = xp(log_probs).arange(labels.shape[2]) < 2
    alphas = [np.where(first, seen[0], NEVER)]
    for time in range(1, len(labels)):
        before = alphas[-1]
        near = np.logaddexp(before, _later(before, 1))
        alphas.append(np.logaddexp(near, _later(before, 2) + walk.jumps) + seen[time])
    return np.stack(alphas)


def _surprises(alphas: Any, walk: Walk) -> Any:
    """-ln p of each sample's labels, ∞ where no alignment is long enough: (N,)."""
    samples = xp(alphas).arange(len(walk.steps))[:, None]
    ends = alphas[walk.steps[:, None] - 1, samples, walk.ends] + walk.end_counts
    surprise = -np.logaddexp(ends[:, 0], ends[:, 1])
    of_nothing = np.where(walk.end_counts[:, 1] == 0, np.inf, 0).astype(surprise.dtype)
    surprise = np.where(walk.steps == 0, of_nothing, surprise)
    return np.where(surprise > -NEVER / 2, np.inf, surprise)


def _surprise(log_probs: Any, walk: Walk, zero_infinity: bool) -> Tensor:
    """-ln of the probability of all alignments of each sample's labels: (T, N, C) → (N,)."""
    losses: Any = _surprises(_alphas(log_probs, walk), walk)
    possible = np.isfinite(as_array(losses))
    counted = walk.going & possible[:, None] if zero_infinity else walk.going
    every = sum_(where(counted, exp(log_probs), 0.0), (0, 2))
    change = sub(every, every.detach())  # 0, with the gradient e**log_probs
    if not zero_infinity:  # √(0 · x) = 0 has the gradient nan
        change = where(possible, change, sqrt(mul(every, possible)))
    return add(where(possible, losses, 0.0 if zero_infinity else math.inf), change)


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
    if array.dtype.itemsize == 2:  # float16 has no room for NEVER
        rest = (targets, input_lengths, target_lengths, blank, reduction, zero_infinity)
        return cast(ctc_loss(cast(log_probs, np.float32), *rest), array.dtype)
    batched = array.ndim == 3
    if not batched:
        log_probs = reshape(log_probs, (array.shape[0], 1, array.shape[1]))
    lengths = _lengths("target_lengths", target_lengths)
    steps = _lengths("input_lengths", input_lengths)
    walk = _walk(as_array(log_probs), to_host(as_array(targets)), steps, lengths, blank)
    losses = _surprise(log_probs, walk, zero_infinity)
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
