"""What is written down of the gradients of one pass: four numbers a node, and never a copy of a gradient."""

from __future__ import annotations

import math

import torch

from minitorch.bridge import compat
from minitorch.graph.node import SMALL, GradientStatistics, GraphNode

_COMMON = frozenset((torch.float32, torch.float64, torch.bfloat16, torch.float16))


class Figures:
    """The statistics of a pass. Those of a tensor on a device stay there until `write`: nobody waits at every node."""

    def __init__(self) -> None:
        self._seen: set[int] = set()
        self._later: dict[torch.device, list[tuple[GraphNode, torch.Tensor, int]]] = {}

    def of(self, node: GraphNode, gradient: torch.Tensor | None) -> None:
        """Note the gradient of a node. Of an operation's several inner nodes the first to run has its result."""
        if gradient is None or node.uid in self._seen:
            return
        self._seen.add(node.uid)
        if type(gradient) is torch.Tensor and gradient.is_cpu and gradient.numel() == 1 and _of_one(node, gradient):
            return
        plain = type(gradient) is torch.Tensor and gradient.dtype in _COMMON and gradient.is_cpu
        if plain and _is_dense(gradient) and (count := gradient.numel()):
            node.gradient = statistics(gradient, count)
            return
        values = numbers(gradient)
        if values is None or not values.numel():
            node.gradient = None
        elif values.is_cpu:
            node.gradient = statistics(values, gradient.numel())
        else:
            self._later.setdefault(values.device, []).append((node, _four(values), gradient.numel()))

    def write(self) -> None:
        """Fetch what is still on a device, all at once, and write it down."""
        for waiting in self._later.values():
            rows = torch.stack([four for _, four, _ in waiting]).tolist()
            for (node, _, count), (norm, low, high, nonzero) in zip(waiting, rows, strict=True):
                node.gradient = GradientStatistics(norm, low, high, 1 - nonzero / count)
        self._later.clear()


def _of_one(node: GraphNode, gradient: torch.Tensor) -> bool:
    """Notes a single number; False where it is not to be had, or is no real one."""
    try:
        value = gradient.item()
    except RuntimeError:  # of PyTorch's zeros without memory, of a nested tensor
        return False
    if type(value) is not float:
        return False
    node.single = value
    return True


def numbers(gradient: torch.Tensor) -> torch.Tensor | None:
    """The stored numbers of a gradient, in a dtype that can be computed with; None where there are none to look at.

    Those of a sparse gradient are what is not zero, and one zero if there is any.
    """
    if gradient.is_nested:
        gradient = torch.cat([each.flatten() for each in gradient.unbind()])
    if not gradient.numel() or gradient.is_complex() or not compat.has_numbers(gradient):
        return None
    if not _is_dense(gradient):
        gradient = _with_a_zero(gradient)
    return gradient.float() if gradient.element_size() == 1 else gradient


def _is_dense(tensor: torch.Tensor) -> bool:
    return tensor.layout is torch.strided and not tensor.is_nested


def _with_a_zero(gradient: torch.Tensor) -> torch.Tensor:
    stored = (gradient.to_sparse() if gradient.layout is not torch.sparse_coo else gradient).coalesce().values()
    return stored if stored.numel() == gradient.numel() else torch.cat([stored.flatten(), stored.new_zeros(1)])


def statistics(values: torch.Tensor, count: int) -> GradientStatistics:
    """The norm, the ends and the share of zeros of `count` numbers, of which `values` are those that are stored."""
    stored = values.numel()
    if stored > SMALL:
        norm, low, high, nonzero = map(float, _reduced(values))
    else:  # four kernels cost more than these few numbers
        try:
            few = values.tolist() if values.dim() == 1 else values.flatten().tolist()
        except RuntimeError:  # PyTorch's zeros without memory, which nobody wants to ask for at every node
            few = [0.0] * stored
        nonzero = stored - few.count(0)
        norm, low, high = math.hypot(*few), min(few), max(few)
        if not math.isfinite(norm) and any(map(math.isnan, few)):  # as the kernels have it: one nan makes all of them
            norm = low = high = math.nan
    return GradientStatistics(norm, low, high, 1 - nonzero / count)


def _reduced(values: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    low, high = torch.aminmax(values)
    return torch.linalg.vector_norm(values), low, high, torch.count_nonzero(values)


def _four(values: torch.Tensor) -> torch.Tensor:
    return torch.stack([each.double() for each in _reduced(values)])
