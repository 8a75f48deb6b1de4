"""A softmax over very many classes whose rare ones share few weights, and its loss."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import InitVar
from typing import Any, NamedTuple

import numpy as np

from minitorch import Tensor, add, argmax, cat, gather, index_add, log_softmax, mean, neg, reshape
from minitorch.autograd.tensor_base import as_array, constant
from minitorch.backend import to_host, xp
from minitorch.compat.nn.function_layer import layer
from minitorch.errors import ShapeError
from minitorch.nn import Linear, Module, ModuleList, Sequential
from minitorch.ops.index import getitem
from minitorch.types import TensorLike

__all__ = ["AdaptiveLogSoftmaxWithLoss"]


class ASMoutput(NamedTuple):
    """Result of the layer: the logarithm of each target's probability, and the mean of their negatives."""

    output: Tensor
    loss: Tensor


@layer
class AdaptiveLogSoftmaxWithLoss(Module):
    """ln of the target's probability among n_classes, the frequent ones first: (N, in_features), (N,) → (N,) and ().

    The classes before cutoffs[0] have a weight each in the head, and so has each cluster, from one cutoff to the next.
    Within cluster i the classes are told apart by in_features / div_valueⁱ⁺¹ numbers alone, for the rows that need it:
    ln p(class) = ln p(cluster) + ln p(class | cluster). Also (in_features,), () → () and ().

    Raises ValueError for cutoffs that are not increasing between 1 and n_classes - 1 and when shapes do not fit,
    IndexError for a class that does not exist.
    Source: Grave, Joulin, Cissé, Grangier and Jégou, 2017, Efficient softmax approximation for GPUs.

    >>> from minitorch import Tensor
    >>> layer = AdaptiveLogSoftmaxWithLoss(4, 10, cutoffs=[2, 5])
    >>> out, loss = layer(Tensor([[0.0] * 4] * 3), Tensor([0, 3, 9]))
    >>> out.exp().detach()  # 1/4, 1/4 · 1/3, 1/4 · 1/5
    tensor([0.2500, 0.0833, 0.0500])
    """

    in_features: int
    n_classes: int
    cutoffs: Sequence[int]
    div_value: float = 4.0
    head_bias: bool = False
    device: InitVar[Any] = None
    dtype: InitVar[Any] = None

    def __post_init__(self, device: Any, dtype: Any) -> None:
        cutoffs, n_classes = self.cutoffs, self.n_classes
        bounds = [0, *cutoffs, n_classes]
        if len(bounds) < 3 or sorted(set(bounds)) != bounds or any(int(bound) != bound for bound in bounds):
            raise ValueError(
                f"AdaptiveLogSoftmaxWithLoss: cutoffs must be increasing integers between 1 and {n_classes - 1}, "
                f"not {list(cutoffs)}"
            )
        self.cutoffs = [*cutoffs, n_classes]
        self.shortlist_size = self.cutoffs[0]
        self.n_clusters = len(self.cutoffs) - 1
        self.head_size = self.shortlist_size + self.n_clusters
        made: dict[str, Any] = {"device": device, "dtype": dtype}
        self.head = Linear(self.in_features, self.head_size, bias=self.head_bias, **made)
        self.tail = ModuleList()
        for place in range(self.n_clusters):
            size = int(self.in_features // self.div_value ** (place + 1))
            count = self.cutoffs[place + 1] - self.cutoffs[place]
            narrow = Linear(self.in_features, size, bias=False, **made)
            self.tail.append(Sequential(narrow, Linear(size, count, bias=False, **made)))

    def reset_parameters(self) -> None:
        """Draws all weights again."""
        layers: list[Any] = [self.head, *[each for pair in self.tail for each in pair.children()]]
        for each in layers:
            each.reset_parameters()

    def forward(self, input_: TensorLike, target_: TensorLike) -> ASMoutput:
        """(output, loss): ln p of each target, and the mean of their negatives."""
        shape, labels = as_array(input_).shape, to_host(as_array(target_))
        if len(shape) not in (1, 2) or labels.shape != shape[:-1]:
            raise ShapeError(
                f"AdaptiveLogSoftmaxWithLoss: input has shape {shape} and target {labels.shape}, "
                f"but (N, {self.in_features}) with (N,) is needed, or both without N"
            )
        wrong = labels[(labels < 0) | (labels >= self.n_classes)]
        if wrong.size:
            raise IndexError(
                f"AdaptiveLogSoftmaxWithLoss: class {wrong[0]} in target, but the classes are 0 to {self.n_classes - 1}"
            )
        rows, labels = reshape(input_, (-1, shape[-1])), labels.reshape(-1)
        there = xp(as_array(input_))
        cluster = np.searchsorted(self.cutoffs, labels, side="right") - 1  # -1: in the shortlist
        column = np.where(cluster < 0, labels, self.shortlist_size + cluster)
        out = gather(log_softmax(self.head(rows), 1), 1, constant(there.asarray(column[:, None])))
        for place in np.unique(cluster[cluster >= 0]).tolist():
            inside = np.flatnonzero(cluster == place)
            within = constant(there.asarray((labels[inside] - self.cutoffs[place])[:, None]))
            at = constant(there.asarray(inside))
            log_shares = gather(log_softmax(self.tail[place](getitem(rows, at)), 1), 1, within)
            out = index_add(out, 0, at, log_shares)
        out = reshape(out, shape[:-1])
        return ASMoutput(out, mean(neg(out)))

    def log_prob(self, input: TensorLike) -> Tensor:
        """ln p of every class: (N, in_features) → (N, n_classes)."""
        head, size = log_softmax(self.head(input), 1), self.shortlist_size
        parts = [getitem(head, (slice(None), slice(size)))]
        for place, tail in enumerate(self.tail):
            share = getitem(head, (slice(None), slice(size + place, size + place + 1)))
            parts.append(add(log_softmax(tail(input), 1), share))
        return cat(parts, 1)

    def predict(self, input: TensorLike) -> Tensor:
        """The head's favourite class of each row or, where that is a cluster, the likeliest of all: (N, …) → (N,)."""
        favourite = as_array(argmax(self.head(input), 1))
        of_all = as_array(argmax(self.log_prob(input), 1))
        return constant(np.where(favourite < self.shortlist_size, favourite, of_all))
