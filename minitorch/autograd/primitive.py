"""One declaration per operation: its forward and its gradient rules stand together.

    mul = primitive(np.multiply, "…", a=lambda g, b: g * b, b=lambda g, a: g * a)

A rule is a vector-Jacobian product. It takes the upstream gradient `g` first, then, *by name*, what it needs:

    a, b, x …      an argument of the operation, as the array it was
    out            the operation's own result
    x_shape        the shape of an argument (`out_shape` of the result)
    dim, keepdim … a parameter of the operation
    slot           for an operation on `*tensors`: which of them the gradient is wanted for

The names are read once, here. A node then keeps exactly the values that the rules of *wanted* gradients name, in one
tuple, and nothing else survives the forward pass. Rules never sum over broadcast axes, never ask who wants a gradient
and never see a Tensor's `.grad`: the engine does that, once, for every operation.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np

from minitorch.autograd.declaration import ALIASES, Declaration, Rule
from minitorch.autograd.handle import Handle, as_array, as_operand, constant
from minitorch.autograd.node import Node, interior
from minitorch.autograd.promotion import unified
from minitorch.autograd.scope import current_scope

if TYPE_CHECKING:
    from minitorch.tensor import Tensor


class Operation(Protocol):
    """An operation as the world sees it: a function of Tensors, with its declaration in reach."""

    __name__: str
    declaration: Declaration

    def __call__(self, *args: Any, **kwargs: Any) -> Tensor:
        """Computes; records a node if an argument takes part in the graph."""
        ...

    def vjp(self, **rules: Rule) -> None:
        """Adds gradient rules, one per argument, for a forward that is written as a function."""
        ...


def primitive(
    forward: Callable[..., Any],
    doc: str = "",
    *,
    name: str = "",
    composed: Callable[..., Tensor] | None = None,
    **rules: Rule,
) -> Operation:
    """Makes a differentiable operation of a forward on arrays and one gradient rule per differentiable argument.

    The module docstring says what a rule may ask for. `doc` becomes the docstring (else the forward's own), `name` the
    tag (else the forward's own, without underscores). A forward that is written as a function may be followed by its
    rules: `op.vjp(x=…)`.

    >>> cube = primitive(lambda x: x * x * x, "x³. dL/dx = g · 3x².", name="cube", x=lambda g, x: g * 3 * x * x)
    >>> from minitorch import Tensor
    >>> x = Tensor(2.0, requires_grad=True)
    >>> cube(x).backward()
    >>> x.grad
    array(12., dtype=float32)
    """
    signature = _signature(forward, rules)
    declaration = Declaration(name or forward.__name__.strip("_"), forward, signature, composed)
    declaration.add_rules(**rules)
    if declaration.variadic:
        function = _variadic(declaration)
    elif isinstance(forward, np.ufunc) and len(rules) == 2:
        function = _binary(declaration)
    else:
        function = _general(declaration)
    function.__name__ = function.__qualname__ = declaration.name
    function.__doc__ = doc or forward.__doc__
    function.__module__ = sys._getframe(1).f_globals["__name__"]
    function.__signature__ = signature
    function.declaration = declaration
    function.vjp = declaration.add_rules
    return cast("Operation", function)


def _signature(forward: Callable[..., Any], rules: dict[str, Rule]) -> inspect.Signature:
    """A NumPy ufunc tells no parameter names: those of its rules are its operands'."""
    if not isinstance(forward, np.ufunc):
        return inspect.signature(forward)
    operand = inspect.Parameter.POSITIONAL_OR_KEYWORD
    return inspect.Signature([inspect.Parameter(label, operand) for label in rules])


def _general(declaration: Declaration) -> Any:
    """The call of an operation with a fixed number of arguments, some of them parameters."""
    count = len(declaration.labels)

    def operation(*args: Any, **kwargs: Any) -> Tensor:
        arguments = declaration.bind(args, kwargs) if kwargs or len(args) != count else list(args)
        slots = declaration.slots
        nodes: list[Node | None] = [None] * count
        for place, value in enumerate(arguments):
            if isinstance(value, Handle):
                arguments[place] = value._data
                nodes[place] = value._node
                if value._node is not None and place not in slots and current_scope().grad_enabled:
                    raise TypeError(f"{declaration.name} has no gradient rule for {declaration.labels[place]!r}")
            elif place in slots:
                arguments[place] = as_array(value) if len(slots) == 1 else as_operand(value)
        if len(slots) > 1:
            for slot, operand in zip(slots, unified([arguments[slot] for slot in slots]), strict=True):
                arguments[slot] = operand
        parents = tuple([nodes[slot] for slot in slots])
        return _record(declaration, parents, arguments, declaration.run(arguments))

    return operation


def _variadic(declaration: Declaration) -> Any:
    """The call of an operation on `*tensors`, each of them a slot; parameters follow by name."""
    parameters = declaration.labels[1:]
    defaults = dict(zip(parameters, declaration.defaults[1:], strict=True))

    def operation(*tensors: Any, **kwargs: Any) -> Tensor:
        given = defaults | {ALIASES.get(key, key): value for key, value in kwargs.items()}
        if len(given) > len(defaults):
            unknown = ", ".join(sorted(set(given) - set(defaults)))
            raise TypeError(f"{declaration.name} has no argument {unknown}; it takes {', '.join(parameters)}")
        arrays = tuple(unified([as_array(each) for each in tensors]))
        parents = tuple([each._node if isinstance(each, Handle) else None for each in tensors])
        try:
            out = declaration.forward(*arrays, **given)
        except (ValueError, IndexError) as error:
            raise type(error)(declaration.complaint(arrays, error)) from None
        return _record(declaration, parents, (arrays, *given.values()), out)

    return operation


def _binary(declaration: Declaration) -> Any:
    """The call of a NumPy function on two operands: `_general` and `_record` with the loops written out.

    Half of the operations of a program are of this kind; writing it out halves what the graph costs them.
    """
    forward, run = declaration.forward, declaration.run
    left, right, both = (declaration.backward(wanted) for wanted in ((True, False), (False, True), (True, True)))
    array, new, scope = np.ndarray, Handle.__new__, current_scope

    def operation(a: Any, b: Any) -> Tensor:
        a_node = b_node = None
        if isinstance(a, Handle):
            a_node = a._node
            a = a._data
        else:
            a = as_operand(a)
        if isinstance(b, Handle):
            b_node = b._node
            b = b._data
        else:
            b = as_operand(b)
        node = b_node if a_node is None else a_node
        if node is None or not scope().grad_enabled:
            return constant(run(unified((a, b))))
        try:
            out = forward(a, b)
        except ValueError:
            out = run((a, b))  # fails again, and says in plain words what is wrong
        if out.dtype is not node.dtype:  # NumPy widened, as PyTorch may not
            a, b = unified((a, b))
            out = forward(a, b)
        if type(out) is not array:
            out = np.asarray(out)
        rule = both if a_node is not None and b_node is not None else left if b_node is None else right
        shape = out.shape
        if a_node is not None and a_node.shape == shape:
            shape = a_node.shape  # one tuple for both nodes
        tensor = new(Handle.tensor_type)
        tensor._data = out
        tensor._node = interior(tensor, rule, a_node, b_node, rule.keep((a, b), out), shape, out.dtype)
        return tensor

    return operation


def _record(
    declaration: Declaration, parents: tuple[Node | None, ...], arguments: Sequence[Any], out: np.ndarray
) -> Tensor:
    """The Tensor around `out`; with a place in the graph if a parent has one and recording is on."""
    tensor = constant(out)
    wanted = tuple([parent is not None for parent in parents])
    if True in wanted and current_scope().grad_enabled:
        rule = declaration.backward(wanted)
        rest = parents[1] if len(parents) == 2 else parents[1:]
        tensor._node = interior(tensor, rule, parents[0], rest, rule.keep(arguments, out), out.shape, out.dtype)
    return tensor
