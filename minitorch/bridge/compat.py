"""Everything that the bridge asks of PyTorch beyond its public names: a new release can break this file alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import cache
from typing import Any

import torch

GradFn = Any  # a node of PyTorch's own graph


def sequence(fn: GradFn) -> int:
    """PyTorch's engine runs, of the nodes that are ready, the one with the highest number first."""
    number: int = fn._sequence_nr()
    return number


def next_sequence() -> int:
    """The number that the next node of this thread will have."""
    number: int = torch._C._autograd._get_sequence_nr()
    return number


def outputs(fn: GradFn) -> Sequence[Any]:
    """Shape, dtype and device of each output of the operation; one gradient arrives for each."""
    found: Sequence[Any] = fn._input_metadata
    return found


def version(tensor: torch.Tensor) -> int:
    """How often the tensor, or a view that shares its storage, was changed in place."""
    number: int = tensor._version
    return number


def base(tensor: torch.Tensor) -> torch.Tensor:
    """What the tensor is a view of, or itself."""
    return tensor if tensor._base is None else tensor._base


def hooks(tensor: torch.Tensor) -> dict[int, Callable[[torch.Tensor], torch.Tensor | None]] | None:
    """What `register_hook` put on the tensor: PyTorch's own dictionary, so that removed hooks leave it."""
    found: dict[int, Callable[[torch.Tensor], torch.Tensor | None]] | None = tensor._backward_hooks
    return found


@cache
def _accumulator() -> type:
    return type(accumulator(torch.zeros((), requires_grad=True)))


def accumulates(fn: GradFn) -> bool:
    """True for the node at the end of the graph that adds to a leaf's `.grad`."""
    return isinstance(fn, _accumulator())


def accumulator(leaf: torch.Tensor) -> GradFn:
    """The node that adds to the leaf's `.grad`."""
    with torch.enable_grad():
        view: GradFn = leaf.view_as(leaf).grad_fn
    return view.next_functions[0][0]


def is_custom(fn: GradFn) -> bool:
    """True for a node of a `torch.autograd.Function`, whose backward is written in Python."""
    return isinstance(fn, torch._C._FunctionBase)


def name_of(fn: GradFn) -> str:
    """The operation's tag: MulBackward0 is mul, the node of a Function called Square is Square."""
    name: str = fn.name().rsplit("::", 1)[-1]
    name = name.rstrip("0123456789").removesuffix("Backward") or name
    if is_custom(fn):
        return name
    return "".join("_" + each.lower() if each.isupper() and at else each.lower() for at, each in enumerate(name))


def pack_hook() -> tuple[bool, Any]:
    """Whether saved tensors are somebody's business already (or may be nobody's), and the pack hook if there is one."""
    autograd: Any = torch._C._autograd  # PyTorch's own stubs do not name all of it
    if not autograd._saved_tensors_hooks_is_enabled():
        return True, None
    top = autograd._top_saved_tensors_default_hooks(True)
    return top is not None, top and top[0]


def as_plain_tensors() -> AbstractContextManager[None]:
    """Inside, subclasses of Tensor are not asked: attributes are read and calls made as on a plain tensor."""
    context: AbstractContextManager[None] = torch._C.DisableTorchFunction()
    return context


def must_pass_through() -> bool:
    """True under torch.compile and torch.func, whose tensors are not values, and inside a backward pass."""
    compiling: bool = torch.compiler.is_compiling()
    transforming: bool = torch._C._are_functorch_transforms_active()
    return compiling or transforming or torch._C._current_graph_task_id() != -1


def in_backward_pass(work: Callable[[], None]) -> None:
    """Calls `work` as PyTorch's engine calls a node: saved tensors can be let go of, checkpoints know their pass."""
    if torch._C._current_graph_task_id() != -1:
        work()
        return
    with torch.enable_grad(), as_plain_tensors():
        start = torch.zeros((), requires_grad=True, device="cpu").view(())
        register: Callable[..., Any] = start.register_hook  # PyTorch gives it no types
        register(lambda _: work())
    torch.autograd.backward(start)


def call(fn: GradFn, gradients: Sequence[torch.Tensor | None]) -> Sequence[torch.Tensor | None]:
    """The gradients of the operation's inputs, one for each of its edges."""
    if not is_custom(fn):
        found = fn(*gradients)
        return found if isinstance(found, tuple) else (found,)
    given = [_zeros(about) if g is None else g for g, about in zip(gradients, outputs(fn), strict=True)]
    found = fn.apply(*given)
    found = found if isinstance(found, tuple) else (found,)
    # One result for each argument of forward, one edge for each argument that is a tensor; those that want a gradient
    # are marked on both sides, in the same order.
    wanted = iter([g for g, needed in zip(found, fn.needs_input_grad, strict=False) if needed])
    return [None if to is None else next(wanted, None) for to, _ in fn.next_functions]


def _zeros(about: Any) -> torch.Tensor:
    return torch.zeros(tuple(about.shape), dtype=about.dtype, device=about.device)


def let_go(fn: GradFn) -> None:
    """Frees what a custom Function saved; only inside `in_backward_pass`."""
    if is_custom(fn) and hasattr(fn, "maybe_clear_saved_tensors"):
        fn.maybe_clear_saved_tensors()


def fitted(gradient: torch.Tensor, fn: GradFn, number: int) -> torch.Tensor:
    """The gradient as PyTorch's engine hands it on: of the shape and the dtype of output `number` of `fn`."""
    about = outputs(fn)[number]
    if about.is_nested_tensor:
        return gradient
    if gradient.shape != tuple(about.shape):
        gradient = gradient.sum_to_size(tuple(about.shape))
    if gradient.is_complex() and not about.dtype.is_complex:
        gradient = gradient.real
    return gradient if gradient.dtype == about.dtype else gradient.to(about.dtype)
