"""Function: an operation with a forward and a backward of its own, as in PyTorch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from minitorch.autograd.backward import freed
from minitorch.autograd.node import Node
from minitorch.autograd.rules import MultiOutputRule
from minitorch.autograd.scope import current_scope, enable_grad, no_grad
from minitorch.autograd.tensor_base import TensorBase, as_saved, constant, listed, placed
from minitorch.autograd.version import STALE, require_current
from minitorch.backend import is_array, xp

if TYPE_CHECKING:
    from minitorch._tensor import Tensor
    from minitorch.autograd.rules import Differentiate


class Context:
    """Context of a call, from forward to backward. `needs_input_grad`: True for arguments that want a gradient."""

    def __init__(self, needs_input_grad: tuple[bool, ...]) -> None:
        self.needs_input_grad = needs_input_grad
        self._saved: tuple[Any, ...] = ()
        self._constants: tuple[Any, ...] = ()

    def save_for_backward(self, *tensors: Any) -> None:
        """Keep inputs or outputs for backward; they are freed with the graph, and no cycle arises."""
        self._saved = tensors

    @property
    def saved_tensors(self) -> tuple[Tensor, ...]:
        """Tensors that save_for_backward kept, with their nodes."""
        return self._saved

    def mark_non_differentiable(self, *tensors: Any) -> None:
        """Declare outputs that are constants; backward gets zeros for their gradients."""
        self._constants += tensors

    def set_materialize_grads(self, value: bool) -> None:
        """Accept True only: the gradient of an output that nobody used is always zeros here, never None."""
        if not value:
            raise ValueError("set_materialize_grads(False): absent gradients are always zeros here; leave the call out")


class Function:
    """A custom operation: subclass it, write `forward` and `backward`, call `apply`.

    forward(ctx, *args) computes with Tensors, unrecorded, and returns a Tensor or a tuple of them. backward(ctx,
    *grad_outputs) takes one gradient for each output and returns one for each argument of forward, None where there is
    none. With create_graph=True backward is recorded, so what it does with Tensors can be differentiated again.
    `docs/custom-operations.md` compares this with `primitive`.

    >>> from minitorch import Tensor
    >>> class Cube(Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         ctx.save_for_backward(x)
    ...         return x * x * x
    ...     @staticmethod
    ...     def backward(ctx, g):
    ...         x, = ctx.saved_tensors
    ...         return g * 3 * x * x
    >>> x = Tensor(2.0, requires_grad=True)
    >>> Cube.apply(x).backward()
    >>> x.grad
    array(12., dtype=float32)
    """

    @staticmethod
    def forward(ctx: Any, *args: Any) -> Any:
        """Compute the outputs from the arguments."""
        raise NotImplementedError("a Function needs a static method forward(ctx, *args)")

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        """Save what backward needs, after a forward without ctx. Called if a subclass defines it."""

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """Compute the gradients of the arguments from those of the outputs."""
        raise NotImplementedError("a Function needs a static method backward(ctx, *grad_outputs) to be differentiated")

    @classmethod
    def apply(cls, *args: Any) -> Any:
        """Run forward, and record the call if an argument takes part in the graph."""
        if STALE:
            require_current(cls.__name__, args)
        nodes = [each._node if isinstance(each, TensorBase) else None for each in args]
        if not current_scope().grad_enabled:
            nodes = [None] * len(args)
        ctx = Context(tuple([node is not None for node in nodes]))
        with no_grad():
            if cls.setup_context is Function.setup_context:
                results = cls.forward(ctx, *args)
            else:
                results = cls.forward(*args)
                cls.setup_context(ctx, args, results)
        several, outputs = isinstance(results, (tuple, list)), listed(results)
        for number, out in enumerate(outputs):
            if not isinstance(out, TensorBase):
                name = type(out).__name__
                raise TypeError(f"{cls.__name__}.forward must return Tensors, but output {number} is {name}")
        if any(node is not None for node in nodes):
            constants = {id(each) for each in ctx._constants}
            wanted = [n for n, out in enumerate(outputs) if out._data.dtype.kind == "f" and id(out) not in constants]
            made = [_of_its_own(outputs[number], args) for number in wanted]
            saved = (ctx, *[_with_origin(each, args, [outputs[number] for number in wanted]) for each in ctx._saved])
            ctx._saved = ctx._constants = ()
            if made:
                recorded = Call(cls, outputs, wanted).record(made, nodes, saved)
                for number, tensor in zip(wanted, recorded, strict=True):
                    outputs[number] = tensor
        for watch in current_scope().watchers or ():
            arguments = [each._data if isinstance(each, TensorBase) else each for each in args]
            for out in outputs:
                watch(cls.__name__, arguments, out, range(len(args)))
        return tuple(outputs) if several else outputs[0]


class Call(MultiOutputRule):
    """The backward rule of one call of a Function."""

    def __init__(self, function: type[Function], outputs: Sequence[Tensor], wanted: list[int]) -> None:
        super().__init__(function.__name__, [outputs[number] for number in wanted])
        self.function = function
        self.wanted = wanted
        self.constants = {n: (out.shape, out.dtype) for n, out in enumerate(outputs) if n not in wanted}

    def pull(self, node: Node, g: Any) -> list[tuple[int, Any]]:
        """Return the gradients of `backward`, as arrays."""
        with no_grad():
            return [(slot, c._data if isinstance(c, TensorBase) else c) for slot, c in self._ask(node, constant(g))]

    def pull_recorded(self, node: Node, g: Tensor, _differentiate: Differentiate) -> list[tuple[int, Any]]:
        """Return the gradients of `backward`, as recorded Tensors."""
        with enable_grad():
            return [(slot, c if isinstance(c, TensorBase) else constant(c)) for slot, c in self._ask(node, g)]

    def _ask(self, node: Node, g: Tensor) -> list[tuple[int, Any]]:
        if node.saved is None:
            raise freed(node)
        ctx, *saved = node.saved
        ctx._saved = tuple([self._restored(value, origin, node) for value, origin in saved])
        try:
            found = self.function.backward(ctx, *self._upstream(g))
        finally:
            ctx._saved = ()
        gradients, parents = listed(found), node.parents
        if len(gradients) < len(parents) or any(c is not None for c in gradients[len(parents) :]):
            raise RuntimeError(
                f"{self.name}.backward returned {len(gradients)} gradients for {len(parents)} arguments of forward: "
                f"return one for each, None where there is none"
            )
        pairs = zip(parents, gradients, strict=False)
        return [(slot, c) for slot, (parent, c) in enumerate(pairs) if parent is not None and c is not None]

    def _upstream(self, g: Tensor) -> list[Any]:
        """The gradient of each output of forward: zeros for those that are constants."""
        upstream: dict[int, Any] = dict(zip(self.wanted, self.parts(g), strict=True))
        for number, (shape, dtype) in self.constants.items():
            upstream[number] = constant(xp(g._data).zeros(shape, dtype))
        return [upstream[number] for number in sorted(upstream)]

    def _restored(self, value: Any, origin: tuple[str, int] | None, node: Node) -> Any:
        if origin is None:
            return as_saved(value) if is_array(value) else value
        kind, number = origin
        if kind == "argument":
            parent = node.parents[number]
            return as_saved(value) if parent is None else placed(value, parent)
        if len(self.shapes) == 1:
            return placed(value, node)
        row = placed(xp(value).zeros(node.shape, node.dtype), node)  # a path to the node; the values were kept apart
        return self.parts(row)[number] + as_saved(value)


def _of_its_own(out: Tensor, args: Sequence[Any]) -> Tensor:
    """Return a copy of an argument that forward returned as it came; any other output as it is."""
    return constant(out._data.copy()) if any(out is each for each in args) else out


def _with_origin(each: Any, args: Sequence[Any], outputs: list[Tensor]) -> tuple[Any, tuple[str, int] | None]:
    """Return (values, the argument or output that they are): backward gets a Tensor with its node, without a cycle."""
    for kind, tensors in (("argument", args), ("output", outputs)):
        for number, tensor in enumerate(tensors):
            if tensor is each and isinstance(each, TensorBase):
                return each._data, (kind, number)
    return (each._data if isinstance(each, TensorBase) else each), None
