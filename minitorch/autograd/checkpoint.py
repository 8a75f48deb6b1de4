"""checkpoint: forget what a part of the computation saved, and compute it again in the backward pass."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from minitorch.autograd.backward import freed
from minitorch.autograd.grad import collect_nodes, differentiated
from minitorch.autograd.node import Node, last_uid
from minitorch.autograd.rules import MultiOutputRule
from minitorch.autograd.scope import announce, current_scope
from minitorch.autograd.tensor_base import TensorBase, as_saved, listed, placed
from minitorch.moved import moved_names

if TYPE_CHECKING:
    from minitorch.autograd.rules import Differentiate


def checkpoint(
    function: Callable[..., Any],
    *args: Any,
    use_reentrant: bool | None = None,  # noqa: ARG001 (accepted for PyTorch's sake)
    preserve_rng_state: bool = True,
    **kwargs: Any,
) -> Any:
    """Return function(*args, **kwargs), keeping nothing of what happens inside: the backward pass computes it again.

    Memory for time: of a chain of n parts, one part at a time holds its saved values. Gradients reach the arguments
    and every Tensor that the function closes over (its weights, say). Random numbers are drawn again as they were,
    unless preserve_rng_state is False. Returns what the function returns: a Tensor or a tuple of them. use_reentrant is
    accepted for PyTorch's sake: this does what False means there, and True changes nothing.

    Source: Chen, Xu, Zhang, Guestrin, "Training deep nets with sublinear memory cost", 2016.

    >>> from minitorch import Tensor
    >>> x = Tensor([1.0, 2.0], requires_grad=True)
    >>> checkpoint(lambda x: (x * x).tanh(), x).sum().backward()
    >>> x.grad
    array([0.83994865, 0.00536346], dtype=float32)
    """
    state = current_scope().random.generator.bit_generator.state if preserve_rng_state else None
    start = last_uid()
    results = function(*args, **kwargs)
    several, outputs = isinstance(results, (tuple, list)), listed(results)
    tensors: list[Any] = [out for out in outputs if isinstance(out, TensorBase)]
    recorded = [out for out in tensors if out._node and out._node.uid > start]
    if not recorded:
        return results
    inner, _ = collect_nodes([out._node for out in recorded], newer_than=start)
    outside = [node for node in inner if node.uid <= start]
    places = [number for number, out in enumerate(outputs) if any(out is each for each in recorded)]
    given = dict(zip(kwargs, _placed_anew(kwargs.values()), strict=True))
    closed_over = [tensor._data for node in outside if (tensor := node.tensor) is not None]  # weights, say
    saved = (function, _placed_anew(args), given, state, closed_over)
    rule = Recompute(recorded, places)
    for number, out in zip(places, rule.record(recorded, outside, saved), strict=True):
        outputs[number] = out
        announce(out)
    return _like(results, outputs) if several else outputs[0]


class Recompute(MultiOutputRule):
    """The backward rule of a checkpoint: one node for the part, whose parents are all that the part began from."""

    def __init__(self, outputs: Sequence[TensorBase], places: list[int]) -> None:
        super().__init__("checkpoint", outputs)
        self.places = places

    def pull(self, node: Node, g: Any) -> list[tuple[int, Any]]:
        """Compute the part again and differentiate it, on arrays."""
        return self.pull_recorded(node, g, differentiated)

    def pull_recorded(self, node: Node, g: Any, differentiate: Differentiate) -> list[tuple[int, Any]]:
        """Compute the part again and differentiate it."""
        if node.saved is None:
            raise freed(node)
        function, args, kwargs, state, _read = node.saved

        def again() -> list[Any]:
            outputs = listed(function(*args, **kwargs))
            found = [outputs[number] for number in self.places]
            if [out.shape for out in found] != self.shapes:
                raise RuntimeError(
                    f"checkpoint: the second run returned shapes {[out.shape for out in found]}, "
                    f"the first {self.shapes}: the function must do the same both times"
                )
            return found

        bits = current_scope().random.generator.bit_generator
        now = bits.state
        try:
            if state is not None:
                bits.state = state
            found = differentiate(again, self.parts(g))
        finally:
            if state is not None:
                bits.state = now
        return [(slot, found[parent]) for slot, parent in enumerate(node.parents) if parent in found]


def _placed_anew(values: Iterable[Any]) -> list[Any]:
    """Return the arguments as Tensors of their own at the same nodes, so that the originals may die."""
    return [
        each
        if not isinstance(each, TensorBase)
        else as_saved(each._data)
        if each._node is None
        else placed(each._data, each._node)
        for each in values
    ]


def _like(results: Any, outputs: list[Any]) -> Any:
    """Return the outputs in the container that the function returned them in, a named tuple for one."""
    return results._make(outputs) if hasattr(results, "_make") else type(results)(outputs)


__getattr__, __dir__ = moved_names(__name__)  # checkpoint_sequential
