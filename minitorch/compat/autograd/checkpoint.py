"""checkpoint_sequential: a chain of functions as a few checkpoints."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from minitorch.autograd.checkpoint import checkpoint


def checkpoint_sequential(
    functions: Iterable[Callable[..., Any]],
    segments: int,
    input: Any,
    use_reentrant: bool | None = None,  # noqa: ARG001 (accepted for PyTorch's sake)
    preserve_rng_state: bool = True,
) -> Any:
    """Call the functions, or the modules of a Sequential, in order; all parts but the last are checkpoints.

    segments: how many parts of about the same length there are. Raises ValueError unless there is a function for each.

    >>> from minitorch import Tensor
    >>> x = Tensor([1.0, 2.0], requires_grad=True)
    >>> checkpoint_sequential([lambda x: x * x, lambda x: x * 3], 2, x).sum().backward()
    >>> x.grad
    array([ 6., 12.], dtype=float32)
    """
    parts = list(functions)
    if not 1 <= segments <= len(parts):
        raise ValueError(f"checkpoint_sequential: {len(parts)} functions cannot make {segments} segments")

    def run(part: list[Callable[..., Any]], value: Any) -> Any:
        for function in part:
            value = function(value)
        return value

    size = len(parts) // segments
    for start in range(0, size * (segments - 1), size):
        input = checkpoint(run, parts[start : start + size], input, preserve_rng_state=preserve_rng_state)
    return run(parts[size * (segments - 1) :], input)
