"""Everything that the bridge asks of PyTorch beyond its public names: a new release can break this file alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import cache
from typing import Any

import torch
from torch import overrides
from torch._subclasses.fake_tensor import FakeTensor
from torch.overrides import TorchFunctionMode

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


def base(tensor: torch.Tensor) -> torch.Tensor:
    """What the tensor is a view of, or itself."""
    return tensor if tensor._base is None else tensor._base


def keeps_its_fn(tensor: torch.Tensor) -> bool:
    """True for a tensor that may be asked for its `grad_fn` at any time: that of a view is renewed by asking.

    Not that of a view that a Function has returned: it stays, or PyTorch forbids its use.
    """
    if tensor._base is None:
        return True
    if torch._C._autograd._get_creation_meta(tensor) != torch._C._autograd.CreationMeta.IN_CUSTOM_FUNCTION:
        return False
    try:
        return tensor.grad_fn is not None
    except RuntimeError:  # changed since: the program is told so as soon as it uses it
        return False


def shape(tensor: torch.Tensor) -> tuple[int, ...]:
    """The shape of a tensor; of a nested one that has none, -1 where its parts differ."""
    if not tensor.is_nested or tensor.layout is torch.jagged:
        return tuple(tensor.shape)
    rows: list[list[int]] = tensor._nested_tensor_size().tolist()
    return len(rows), *(ends[0] if len(set(ends)) == 1 else -1 for ends in zip(*rows, strict=True))


def shape_of_output(about: Any) -> tuple[int, ...]:
    """The shape of an output of an operation whose tensor nobody has seen; () where PyTorch does not know it."""
    try:
        return tuple(about.shape)
    except RuntimeError:  # of a nested tensor
        return ()


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


# Inside `with as_plain_tensors():` subclasses of Tensor are not asked: attributes are read as on a plain tensor. This
# and `pass_number` are PyTorch's own, not wrapped: hooks call them at every node.
as_plain_tensors: Callable[[], AbstractContextManager[None]] = torch._C.DisableTorchFunction


def take_off(mode: TorchFunctionMode) -> None:
    """Takes a mode off this thread's stack, wherever it stands: asyncio tasks end in any order."""
    stack: Any = overrides  # PyTorch's own stubs do not name all of it
    above = []
    while stack._len_torch_function_stack():
        top = stack._pop_mode()
        if top is mode:
            break
        above.append(top)
    for each in reversed(above):
        stack._push_mode(each)


def must_pass_through() -> bool:
    """True where tensors are no values (torch.compile, torch.func, torch.jit.trace), and inside a backward pass."""
    compiling: bool = torch.compiler.is_compiling()
    transforming: bool = torch._C._are_functorch_transforms_active()
    return compiling or transforming or torch._C._get_tracing_state() is not None or pass_number() != -1


# Which backward pass of PyTorch's engine this is called in; -1 outside of all.
pass_number: Callable[[], int] = torch._C._current_graph_task_id


def is_compiled(module: torch.nn.Module) -> bool:
    """True for a module of TorchScript's, which takes no hooks of Python's."""
    return isinstance(module, torch.jit.ScriptModule)


def tag_of_registered(func: Callable[..., Any]) -> str:
    """The tag of an operator that was registered with torch.library: mine::scale; of PyTorch's own as aten.add: add.

    "" for what is called in another way.
    """
    if isinstance(func, torch._ops.OpOverload):
        func = func.overloadpacket
    if not isinstance(func, torch._ops.OpOverloadPacket):
        return ""
    space, name = func._qualified_op_name.split("::")
    return name if space == "aten" else f"{space}::{name}"


def parameters_of_registered(func: Callable[..., Any]) -> list[str]:
    """The names of what such an operator takes, in order; of a name that stands for several, those of the first."""
    if isinstance(func, torch._ops.OpOverloadPacket):
        names: Sequence[str] = func._overload_names
        func = getattr(func, names[0])
    return [each.name for each in func._schema.arguments] if isinstance(func, torch._ops.OpOverload) else []


def take_off_hook(module: torch.nn.Module, hook: Any) -> None:
    """Takes a forward hook off a module, wherever it came from."""
    for hooks in (module._forward_pre_hooks, module._forward_hooks):
        for key in [key for key, each in hooks.items() if each is hook]:
            del hooks[key]
            module._forward_hooks_always_called.pop(key, None)


def is_only_zeros(tensor: torch.Tensor) -> bool:
    """True for PyTorch's tensor of zeros without memory, as gradients in forward mode can be."""
    zeros: bool = tensor._is_zerotensor()
    return zeros


def has_numbers(tensor: torch.Tensor) -> bool:
    """False for a tensor of a shape and nothing more: on the meta device, or a fake one as tracers use."""
    return tensor.device.type != "meta" and not isinstance(tensor, FakeTensor)


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


def kept(fn: GradFn) -> list[torch.Tensor]:
    """The tensors that an operation keeps for its gradient, as they are kept: nothing is unpacked."""
    found: list[torch.Tensor] = []
    waiting = [getattr(fn, name) for name in dir(fn) if name.startswith("_raw_saved_")]
    while waiting:
        each = waiting.pop()
        if isinstance(each, torch.Tensor):
            found.append(each)
        elif isinstance(each, (tuple, list)):
            waiting += each
        elif isinstance(each, torch._C._autograd.SavedTensor):
            waiting.append(getattr(each, "data", None))  # older PyTorch does not show it
    return found


def has_memory(tensor: torch.Tensor) -> bool:
    """True where the numbers stand in one piece of memory that can be asked for."""
    return tensor.layout is torch.strided and has_numbers(tensor) and not is_only_zeros(tensor)


def memory(tensor: torch.Tensor) -> tuple[str, int]:
    """Which memory the numbers of a tensor stand in: two of the same share them."""
    if not has_memory(tensor):
        return "tensor", id(tensor)
    return str(tensor.device), tensor.untyped_storage().data_ptr()


def bytes_of(tensor: torch.Tensor) -> int:
    """The bytes of all of its memory, of which a view shows a part."""
    if is_only_zeros(tensor):
        return 0
    if not has_memory(tensor):
        return int(tensor.numel() * tensor.element_size())  # where PyTorch is not installed, its types are unknown
    return int(tensor.untyped_storage().nbytes())
