"""One declaration per operation: its forward and its gradient rules stand together.

    mul = primitive(np.multiply, "…", input=lambda g, other: g * other, other=lambda g, input: g * input)

A rule is a vector-Jacobian product. It takes the upstream gradient `g` first, then, *by name*, what it needs:

    input, other … an argument of the operation, as the array it was
    out            the operation's own result
    input_shape    the shape of an argument (`out_shape` of the result)
    dim, keepdim … a parameter of the operation
    slot           for an operation on `*tensors`: which of them the gradient is wanted for
    aux            what the forward computed on the way and hands to its own rules: it then returns (out, aux)

The names are read once, here. A node then keeps exactly the values that the rules of *wanted* gradients name, in one
tuple, and nothing else survives the forward pass. Rules never sum over broadcast axes, never ask who wants a gradient
and never see a Tensor's `.grad`: the engine does that, once, for every operation.

A rule is written in NumPy's functions, which dispatch on the type of what they are given. On arrays they compute; on
CuPy arrays they compute on the GPU; on Tensors they are operations themselves, so that gradients can be differentiated
again. What needs a buffer of its own is therefore an operation too, and called as `op.raw(…)`: arrays in, array out,
and recorded when one of them is a Tensor. A rule that asks for `aux` cannot run on Tensors, so its operation names a
twin (`composed=`) made of elementary operations, which is differentiated instead.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ParamSpec, overload

import numpy as np

from minitorch.autograd.identity import as_values
from minitorch.autograd.node import Node, interior
from minitorch.autograd.operation import ALIASES, Declaration
from minitorch.autograd.promotion import promoted
from minitorch.autograd.rules import Rule
from minitorch.autograd.scope import Scope, current_scope
from minitorch.autograd.tensor_base import TensorBase, as_array, as_operand, constant
from minitorch.autograd.version import STALE, require_current
from minitorch.backend import as_result
from minitorch.types import OfOne, OfTwo, Operation

if TYPE_CHECKING:
    from minitorch._tensor import Tensor

__all__ = ["OfOne", "OfTwo", "Operation", "primitive"]

P = ParamSpec("P")


@overload
def primitive(forward: np.ufunc, doc: str = "", *, name: str = "", input: Any) -> OfOne: ...
@overload
def primitive(
    forward: np.ufunc, doc: str = "", *, name: str = "", place: str = "", input: Any, other: Any
) -> OfTwo: ...
@overload
def primitive(forward: Callable[P, Any], doc: str = "", **options: Any) -> Operation[P]: ...
@overload
def primitive(forward: None = None, doc: str = "", **options: Any) -> Callable[[Callable[P, Any]], Operation[P]]: ...
def primitive(
    forward: Callable[..., Any] | None = None,
    doc: str = "",
    *,
    name: str = "",
    place: str = "",
    composed: Callable[..., Tensor] | None = None,
    promotes: bool = True,
    stretches: bool = False,
    **rules: Rule,
) -> Any:
    """Make a differentiable operation of a forward on arrays and one gradient rule per differentiable argument.

    The module docstring says what a rule may ask for. `doc` becomes the docstring (else the forward's own), `name` the
    tag (else the forward's own, without underscores); where an operation is assigned to a name that is not its tag,
    `place` is that name, for pickle. `composed` is the twin of a fused operation; `promotes=False` refuses operands of
    different dtypes; `stretches` says that operands broadcast to the shape of the result, as those of a ufunc do. A
    forward that is written as a function is decorated with `@primitive` or `@primitive(name=…)` and followed by its
    rules: `op.vjp(x=…)`.

    >>> cube = primitive(lambda x: x * x * x, "x³. dL/dx = g · 3x².", name="cube", x=lambda g, x: g * 3 * x * x)
    >>> from minitorch import Tensor
    >>> x = Tensor(2.0, requires_grad=True)
    >>> cube(x).backward()
    >>> x.grad
    array(12., dtype=float32)
    """
    module = sys._getframe(1).f_globals["__name__"]

    def operation(function: Callable[..., Any], place: str) -> Any:
        tag = name or function.__name__.strip("_")
        signature = _signature(function, tag, rules)
        declaration = Declaration(tag, function, signature, composed, promotes, stretches)
        declaration.add_rules(**rules)
        made = _call_of(declaration)
        made.__name__ = made.__qualname__ = place if place.isidentifier() else tag  # a lambda has no place
        made.__doc__ = doc or function.__doc__
        made.__module__ = module
        made.__signature__ = signature
        if not isinstance(function, np.ufunc):
            made.__wrapped__ = function  # what an editor and IPython's `??` show
        made.declaration = declaration
        made.raw = _raw_of(function, made)
        made.vjp = declaration.add_rules
        return made

    if forward is None:
        return lambda f: operation(f, f.__name__ if f.__name__.isidentifier() else name)  # a lambda has no name
    return operation(forward, place or name or forward.__name__)


def _call_of(declaration: Declaration) -> Any:
    if declaration.variadic:
        return _variadic(declaration)
    if isinstance(declaration.forward, np.ufunc) and declaration.labels == ("input", "other"):
        return _binary(declaration)
    return _general(declaration)


def _raw_of(forward: Callable[..., Any], function: Callable[..., Any]) -> Callable[..., Any]:
    def raw(*args: Any, **kwargs: Any) -> Any:
        for each in args:
            if isinstance(each, TensorBase):
                return function(*args, **kwargs)
        return forward(*args, **kwargs)

    return raw


def _signature(forward: Callable[..., Any], name: str, rules: dict[str, Rule]) -> inspect.Signature:
    """Return the parameters of an operation. Those of a NumPy ufunc, which tells no names, are called as its rules are.

    Raises TypeError for parameters that an operation cannot hand over, and for a ufunc with too few rules.
    """
    if not isinstance(forward, np.ufunc):
        signature = inspect.signature(forward)
        several = [each.name for each in signature.parameters.values() if each.kind is each.VAR_POSITIONAL]
        for place, each in enumerate(signature.parameters.values()):
            if each.kind is each.VAR_KEYWORD:
                raise TypeError(f"{name}: **{each.name} names no arguments: write out those that the forward takes")
            if each.kind is each.KEYWORD_ONLY and not several:
                raise TypeError(
                    f"{name}: the forward is handed its arguments in order, so {each.name!r} cannot be keyword-only: "
                    f"take the * out"
                )
            if several and place == 0 and each.kind is not each.VAR_POSITIONAL:
                raise TypeError(f"{name}: *{several[0]} must come first, before {each.name!r}")
        return signature.replace(return_annotation="Tensor")
    if len(rules) != forward.nin:
        raise TypeError(
            f"{name}: np.{forward.__name__} takes {forward.nin} operand{'s' * (forward.nin > 1)}, but {len(rules)} "
            f"gradient rules were given: a ufunc tells no names, so name each operand by its rule, as in "
            f"primitive(np.exp, input=lambda g, out: g * out)"
        )
    operand = inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = [inspect.Parameter(label, operand, annotation="TensorLike") for label in rules]
    return inspect.Signature(parameters, return_annotation="Tensor")


def _general(declaration: Declaration) -> Any:
    """Return the call of an operation with a fixed number of arguments, some of them parameters."""
    count = len(declaration.labels)

    def operation(*args: Any, **kwargs: Any) -> Tensor:
        if STALE:
            require_current(declaration.name, args)
        arguments = declaration.bind(args, kwargs) if kwargs or len(args) != count else list(args)
        slots = declaration.slots
        for place in declaration.parameters:
            if isinstance(arguments[place], TensorBase):
                arguments[place] = _constant_data(declaration, place, arguments[place])
        if len(slots) < 2:  # of one operand, as most functions: without the lists below a call is 0.7 µs quicker
            node = None
            for place in slots:
                value = arguments[place]
                if isinstance(value, TensorBase):
                    node = value._node
                    arguments[place] = value._data
                else:
                    arguments[place] = as_values(declaration.name, value)
            out = declaration.run(arguments)
            return _recorded(declaration, _NONE if node is None else _ONE, node, (), arguments, out)
        parents: list[Node | None] = []
        dtypes: list[Any] = []
        for place in slots:
            value = arguments[place]
            if isinstance(value, TensorBase):
                parents.append(value._node)
                arguments[place] = value = value._data
                dtypes.append(value.dtype)
            else:
                parents.append(None)
                arguments[place] = value = as_operand(value)
                dtypes.append(getattr(value, "dtype", None))
        if dtypes.count(dtypes[0]) != len(dtypes):
            operands = [arguments[place] for place in slots]
            declaration.require_one_dtype(operands, (*args, *kwargs.values()))
            for place, operand in zip(slots, promoted(operands), strict=True):
                arguments[place] = operand
        return _record(declaration, parents, arguments, declaration.run(arguments))

    return operation


def _constant_data(declaration: Declaration, place: int, value: TensorBase) -> np.ndarray:
    """Return the values of a Tensor given for a parameter. Raises TypeError if its gradient is wanted."""
    if value._node is not None and current_scope().grad_enabled:
        raise TypeError(f"{declaration.name} has no gradient rule for {declaration.labels[place]!r}")
    return value._data


def _variadic(declaration: Declaration) -> Any:
    """Return the call of an operation on `*tensors`, each of them a slot; parameters follow by name."""
    parameters = declaration.labels[1:]
    defaults = dict(zip(parameters, declaration.defaults[1:], strict=True))

    def operation(*tensors: Any, **kwargs: Any) -> Tensor:
        if STALE:
            require_current(declaration.name, tensors)
        given = defaults
        if kwargs:
            given = defaults | {ALIASES.get(key, key): value for key, value in kwargs.items()}
        if len(given) > len(defaults):
            unknown = ", ".join(sorted(set(given) - set(defaults)))
            raise TypeError(f"{declaration.name} has no argument {unknown}; it takes {', '.join(parameters)}")
        arrays = tuple([each._data if isinstance(each, TensorBase) else as_array(each) for each in tensors])
        if len({each.dtype for each in arrays}) > 1:
            arrays = tuple(promoted(arrays))
        parents = [each._node if isinstance(each, TensorBase) else None for each in tensors]
        arguments = [arrays, *given.values()]
        return _record(declaration, parents, arguments, declaration.run(arguments))

    return operation


def _binary(declaration: Declaration) -> Any:
    """Return the call of a NumPy function on two operands: `_general` and `_record` with the loops written out.

    Half of the operations of a program are of this kind; writing it out halves what the graph costs them.
    """
    forward, run = declaration.forward, declaration.run
    left, right, both = (declaration.rule_for(wanted) for wanted in ((True, False), (False, True), (True, True)))
    array, new, scope = np.ndarray, TensorBase.__new__, current_scope

    def operation(input: Any, other: Any) -> Tensor:
        if STALE:
            require_current(declaration.name, (input, other))
        a_node = b_node = None
        if isinstance(input, TensorBase):
            a_node = input._node
            a = input._data
        else:
            a = as_operand(input)
        if isinstance(other, TensorBase):
            b_node = other._node
            b = other._data
        else:
            b = as_operand(other)
        node = b_node if a_node is None else a_node
        mode = scope()
        if node is None or not mode.grad_enabled:
            tensor = constant(run(promoted((a, b))))
            return tensor if mode.watchers is None else _watched(mode, declaration, (a, b), tensor)
        try:
            out = forward(a, b)
        except (ValueError, TypeError):
            out = run([a, b])  # fails again, and says in plain words what is wrong
        shape = out.shape
        if out.dtype is not node.dtype or (shape and not node.shape):  # NumPy may widen: promotion.py
            a, b = promoted((a, b))
            out = forward(a, b)
        if type(out) is not array:
            out = as_result(out)
        rule = both if a_node is not None and b_node is not None else left if b_node is None else right
        if a_node is not None and a_node.shape == shape:
            shape = a_node.shape  # one tuple for both nodes
        tensor = new(TensorBase.tensor_type)
        tensor._data = out
        tensor._node = interior(tensor, rule, a_node, b_node, rule.keep((a, b), out), shape, out.dtype)
        return tensor if mode.watchers is None else _watched(mode, declaration, (a, b), tensor)

    return operation


_ONE, _NONE = (True,), (False,)


def _record(declaration: Declaration, parents: list[Node | None], arguments: Sequence[Any], out: np.ndarray) -> Tensor:
    """Return the Tensor around `out`; with a node if a parent has one and recording is on."""
    rest = parents[1] if len(parents) == 2 else tuple(parents[1:])
    wanted = tuple([parent is not None for parent in parents])
    return _recorded(declaration, wanted, parents[0], rest, arguments, out)


def _recorded(
    declaration: Declaration,
    wanted: tuple[bool, ...],
    first: Node | None,
    rest: Any,
    arguments: Sequence[Any],
    out: Any,
) -> Tensor:
    """Return the Tensor that `_record` describes; the parents come as a Node holds them, in `first` and `rest`.

    wanted: which parents there are. `constant` is written out, as each operation runs this.
    """
    tensor: Tensor = TensorBase.__new__(TensorBase.tensor_type)
    tensor._data = out
    tensor._node = None
    mode = current_scope()
    if True in wanted and mode.grad_enabled and out.dtype.kind == "f":
        rule = declaration.rule_for(wanted)
        tensor._node = interior(tensor, rule, first, rest, rule.keep(arguments, out), out.shape, out.dtype)
    return tensor if mode.watchers is None else _watched(mode, declaration, arguments, tensor)


def _watched(mode: Scope, declaration: Declaration, arguments: Sequence[Any], tensor: Tensor) -> Tensor:
    """Call the watchers of operations; without what the forward hands to its own rules (`aux`)."""
    given = arguments[: len(declaration.labels)]
    for watch in mode.watchers or ():
        watch(declaration.name, given, tensor, declaration.slots)
    return tensor
