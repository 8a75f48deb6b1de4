"""The backward pass over PyTorch's own nodes: PyTorch's engine runs it, and the store watches.

A prehook on a `grad_fn` is shown the gradients that the node is about to use, after every hook of the program's. So
the bits are those of `root.backward()` by construction, with checkpoints, anomaly detection, hooks of any kind, and
Functions that ask for None instead of zeros.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from time import perf_counter

import torch

from minitorch.autograd.grad import Step
from minitorch.bridge import compat
from minitorch.bridge.calls import CallRecorder, Place
from minitorch.bridge.figures import Figures
from minitorch.bridge.stepwise import Film
from minitorch.bridge.watching import Gradients, collector_at_rest, watched
from minitorch.graph.node import GraphNode
from minitorch.graph.store import AutogradGraph


class TorchBackward:
    """One backward pass from `root`, through the operations that `graph` knows; what it does not know is traced.

    gradient: as in `Tensor.backward`. retain_graph: keep what was saved. Raises RuntimeError as `root.backward` does.
    """

    def __init__(
        self,
        graph: AutogradGraph,
        root: torch.Tensor,
        gradient: torch.Tensor | None = None,
        *,
        retain_graph: bool = False,
    ) -> None:
        if not isinstance(root, torch.Tensor):
            raise TypeError(f"TorchBackward begins at a tensor of PyTorch's, not at a {type(root).__name__}")
        if not root.requires_grad:
            raise RuntimeError("backward() starts at a tensor that requires grad; this one does not")
        if gradient is None and root.numel() != 1:
            raise RuntimeError(
                f"only one number has an obvious gradient; for shape {tuple(root.shape)} pass gradient=…"
            )
        if gradient is not None and not isinstance(gradient, torch.Tensor):
            raise TypeError(f"gradient is a tensor of PyTorch's, of the root's shape, not a {type(gradient).__name__}")
        if gradient is not None and gradient.shape != root.shape:
            raise RuntimeError(
                f"gradient has shape {tuple(gradient.shape)}, but the root has shape {tuple(root.shape)}"
            )
        self._recording = CallRecorder(graph)
        self._root = root
        self._gradient = gradient
        self._retain = retain_graph
        with collector_at_rest():
            self._fns = self._reachable()

    @staticmethod
    def takes(root: object) -> bool:
        """True for a tensor of PyTorch."""
        return isinstance(root, torch.Tensor)

    def run(self) -> None:
        """The whole pass: `root.backward()`, which sets `.grad`; each node that it reaches is given its statistics."""
        figures = Figures()
        with watched(list(self._fns), partial(self._note, figures)):
            torch.autograd.backward(self._root, self._gradient, retain_graph=self._retain)
        figures.write()

    def steps(self) -> Iterator[Step[GraphNode]]:
        """The pass, one recorded node at a time. It sets no `.grad` and frees nothing; it may be abandoned.

        PyTorch's engine cannot be stopped half-way: the pass is over before the first step is told, and the gradients
        that are still to be told are held until then. Raises RuntimeError where something in the graph can be run by
        `backward()` alone, as `checkpoint(use_reentrant=True)`.
        """
        graph = self._recording.graph
        if graph.closed:
            raise RuntimeError(
                f"{graph!r} has let go of its leaves, so no step can be told: take the steps before close(), or call "
                f"backward()"
            )
        with compat.as_plain_tensors():
            seed = torch.ones_like(self._root) if self._gradient is None else self._gradient
        film = Film(self._recording, (next(iter(self._fns)), self._root.output_nr), seed)
        ends = [fn for fn, place in self._fns.items() if place is None]
        with (
            watched(list(self._fns), film.arrived, film.handed_on),
            self._grads_kept(),
            _told_what_cannot_be_followed(),
        ):
            found = self._gradients(ends)
        return film.steps(dict(zip(ends, found, strict=True)))

    def measure(self) -> dict[GraphNode, tuple[int, float]]:
        """Bytes kept and seconds of each operation's rules, in a pass that sets no `.grad` and frees nothing.

        Memory that several keep counts once, for the oldest; that of leaves is the program's. What a hook of
        `saved_tensors_hooks` has packed counts as it is kept.
        """
        began: dict[compat.GradFn, float] = {}
        seconds: dict[compat.GradFn, float] = {}

        def before(fn: compat.GradFn, _gradients: Gradients) -> None:
            began[fn] = perf_counter()

        def after(fn: compat.GradFn, _gradients: Gradients) -> None:
            seconds[fn] = perf_counter() - began[fn]

        ends = [fn for fn, place in self._fns.items() if place is None]
        with watched(list(self._fns), before, after), self._grads_kept(), _told_what_cannot_be_followed():
            self._gradients(ends)
        seen = {compat.memory(fn.variable) for fn in ends}
        found: dict[GraphNode, tuple[int, float]] = {}
        for fn, place in sorted(self._fns.items(), key=lambda each: compat.sequence(each[0])):
            if place is not None and fn in seconds:
                kept, took = found.get(place.node, (0, 0.0))
                found[place.node] = kept + _bytes(fn, seen), took + seconds[fn]
        return found

    def _gradients(self, ends: Sequence[compat.GradFn]) -> Sequence[torch.Tensor | None]:
        """What arrives at these leaves, from a pass that frees nothing."""
        leaves = [fn.variable for fn in ends]
        found: Sequence[torch.Tensor | None] = torch.autograd.grad(
            self._root, leaves, self._gradient, retain_graph=True, allow_unused=True
        )
        return found

    def _reachable(self) -> dict[compat.GradFn, Place | None]:
        """Every node that the pass may run, with its place in the store (a leaf's has none); the root's first."""
        top = compat.accumulator(self._root) if self._root.grad_fn is None else self._root.grad_fn
        if self._root.grad_fn is not None:
            self._recording.source(top, self._root.output_nr)
        found: dict[compat.GradFn, Place | None] = {top: None}
        stack = [top]
        while stack:
            fn = stack.pop()
            if not compat.accumulates(fn):
                found[fn] = self._recording.place(fn)
            for to, _ in fn.next_functions:
                if to is not None and to not in found:
                    found[to] = None
                    stack.append(to)
        return found

    def _note(self, figures: Figures, fn: compat.GradFn, gradients: Gradients) -> None:
        place = self._fns[fn]
        if place is None:
            if not self._recording.graph.closed:  # a closed one has let go of its leaves
                figures.of(self._recording.leaf(fn.variable), gradients[0])
            return
        if place.ports:
            for number, port in place.ports.items():
                figures.of(port, gradients[number])
        elif not place.inner:
            first = gradients[0]
            figures.of(place.node, next(filter(_is_there, gradients), None) if first is None else first)

    @contextmanager
    def _grads_kept(self) -> Iterator[None]:
        """After the block, tensors that `retain_grad()` was called on have the `.grad` that they had before it."""
        places = [place for place in self._fns.values() if place is not None]
        nodes = {node for place in places for node in (place.node, *place.ports.values())}
        tensors = [self._recording.graph.tensor(node) for node in nodes]
        kept = [(each, each.grad) for each in tensors if each is not None and each.retains_grad]
        try:
            yield
        finally:
            for tensor, grad in kept:
                tensor.grad = grad


def _is_there(gradient: torch.Tensor | None) -> bool:
    return gradient is not None


def _bytes(fn: compat.GradFn, seen: set[tuple[str, int]]) -> int:
    """What one node keeps and no other has been counted for."""
    count = 0
    for tensor in compat.kept(fn):
        memory = compat.memory(tensor)
        if memory not in seen:
            seen.add(memory)
            count += compat.bytes_of(tensor)
    return count


@contextmanager
def _told_what_cannot_be_followed() -> Iterator[None]:
    """What cannot be followed is refused in a sentence of ours."""
    try:
        yield
    except RuntimeError as error:
        if "_will_engine_execute_node" in str(error):
            raise RuntimeError(
                "a hook of register_multi_grad_hook asks which of its tensors the pass will reach, and only that of "
                "backward() can say so of a leaf: remove it, or call backward()"
            ) from error
        if "use_reentrant" not in str(error):
            raise
        raise RuntimeError(
            "checkpoint(use_reentrant=True) runs a backward pass of its own inside this one, which cannot be followed "
            "step by step: write use_reentrant=False, or call backward()"
        ) from error
