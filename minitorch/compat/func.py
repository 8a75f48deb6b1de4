"""Functions of functions, as torch.func has them: grad, vjp, jvp, jacrev, hessian, vmap; a module with other weights.

Each takes a function and gives one back, and they may stand inside one another: `grad(grad(f))`. What they return is
part of the graph only where it depends on a Tensor outside that wants gradients.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, cast

from minitorch._tensor import Tensor
from minitorch.autograd import functional
from minitorch.autograd.grad import grad as pulled_back
from minitorch.autograd.node import ancestors
from minitorch.autograd.scope import enable_grad
from minitorch.autograd.tensor_base import TensorBase, as_array, constant
from minitorch.errors import OperandError, ShapeError
from minitorch.lazy_imports import lazy_attributes
from minitorch.nn import Module
from minitorch.ops.joining import stack

__all__ = ["functional_call", "grad", "grad_and_value", "hessian", "jacfwd", "jacrev", "jvp", "stack_module_state"]
__all__ += ["vjp", "vmap"]


def functional_call(
    module: Module,
    parameter_and_buffer_dicts: Mapping[str, Any] | Sequence[Mapping[str, Any]],
    args: Any = None,
    kwargs: Mapping[str, Any] | None = None,
) -> Any:
    """module(*args, **kwargs) with other Tensors in the places of its parameters and buffers, for this call alone.

    parameter_and_buffer_dicts: name → Tensor, as named_parameters() has it, or several such dicts; whatever they do not
    name stays. A parameter that the module holds twice is replaced in both places. args: one argument, or a tuple.
    Raises KeyError for a name that the module does not have.

    >>> from minitorch import nn
    >>> layer = nn.Linear(2, 1, bias=False)
    >>> functional_call(layer, {"weight": Tensor([[1.0, 10.0]])}, Tensor([2.0, 3.0]))
    tensor([32.])
    """
    given = parameter_and_buffer_dicts
    replaced = dict(given) if isinstance(given, Mapping) else {key: one[key] for one in given for key in one}
    held = {**dict(module.named_parameters(remove_duplicate=False)), **dict(module.named_buffers())}
    unknown = [name for name in replaced if name not in held]
    if unknown:
        raise KeyError(f"functional_call: {type(module).__name__} has no parameter or buffer {unknown[0]!r}")
    by_object = {id(held[name]): value for name, value in replaced.items()}
    owners = dict(module.named_modules())
    before = []
    try:
        for name, tensor in held.items():
            if id(tensor) in by_object:
                path, _, last = name.rpartition(".")
                own = vars(owners[path])
                before.append((own, last, tensor))
                own[last] = by_object[id(tensor)]
        arguments = () if args is None else args if isinstance(args, tuple) else (args,)
        return module(*arguments, **(kwargs or {}))
    finally:
        for own, last, tensor in before:
            own[last] = tensor


def stack_module_state(models: Sequence[Module]) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """The parameters of several modules of one class, stacked along a new first axis, and their buffers: two dicts.

    The stacked parameters are leaves of their own, for `functional_call` in `vmap`; one wants gradients where theirs
    do. Raises ValueError for no module, for modules of several classes, for some that train among some that do not, and
    for a parameter that wants gradients in some of them.

    >>> from minitorch import nn
    >>> parameters, buffers = stack_module_state([nn.Linear(3, 2) for _ in range(4)])
    >>> parameters["weight"].shape, buffers
    ((4, 2, 3), {})
    """
    if not models:
        raise OperandError("stack_module_state: give one module or more")
    if len({type(each) for each in models}) > 1:
        kinds = ", ".join(sorted({type(each).__name__ for each in models}))
        raise OperandError(f"stack_module_state: the modules must be of one class, not {kinds}")
    if len({each.training for each in models}) > 1:
        raise OperandError(
            "stack_module_state: some of the modules train and some do not: call .eval() or .train() on all"
        )
    parameters = _stacked_leaves([dict(each.named_parameters()) for each in models])
    return parameters, _stacked_leaves([dict(each.named_buffers()) for each in models])


def _stacked_leaves(held: list[dict[str, Tensor]]) -> dict[str, Tensor]:
    """Name → leaf around copies of what all of them hold under that name."""
    out = {}
    for name in held[0]:
        wanted = {each[name].requires_grad for each in held}
        if len(wanted) > 1:
            raise OperandError(f"stack_module_state: {name!r} wants gradients in some of the modules and not in others")
        out[name] = stack([each[name].detach() for each in held]).requires_grad_(wanted.pop())
    return out


def grad(func: Callable[..., Any], argnums: int | tuple[int, ...] = 0, has_aux: bool = False) -> Callable[..., Any]:
    """The function that gives the gradient of func, whose result is one number, in its argument number `argnums`.

    An argument may be a Tensor, or a dict, list or tuple of them; the gradient has its form. Several argnums give a
    tuple. has_aux: func returns (number, aux), and the gradient comes as (gradient, aux).
    Raises TypeError for a result that is no Tensor, ValueError for more than one number.

    >>> grad(grad(lambda x: x**3))(Tensor(2.0))
    tensor(12.)
    """
    both = grad_and_value(func, argnums, has_aux)

    @wraps(func)
    def gradient(*args: Any, **kwargs: Any) -> Any:
        slopes, value = both(*args, **kwargs)
        return (slopes, value[1]) if has_aux else slopes

    return gradient


def grad_and_value(
    func: Callable[..., Any], argnums: int | tuple[int, ...] = 0, has_aux: bool = False
) -> Callable[..., Any]:
    """As `grad`, but the function gives (gradient, value), and (gradient, (value, aux)) with has_aux.

    >>> grad_and_value(lambda x: x**3)(Tensor(2.0))
    (tensor(12.), tensor(8.))
    """
    places = (argnums,) if isinstance(argnums, int) else tuple(argnums)

    @wraps(func)
    def both(*args: Any, **kwargs: Any) -> Any:
        with enable_grad():
            inside: list[Tensor] = []
            given = list(args)
            for place in places:
                given[place] = _mapped(given[place], lambda each: _leaf(each, inside))
            result = func(*given, **kwargs)
            value, aux = result if has_aux else (result, None)
            if not isinstance(value, TensorBase):
                raise TypeError(f"grad: the function must return a Tensor, not {type(value).__name__}")
            if value._data.size != 1:
                raise ShapeError(f"grad: the function must return one number, not shape {value._data.shape}")
            found = iter(_pulled([value], inside, None))
        slopes = [_mapped(given[place], lambda _: _outside(next(found), inside)) for place in places]
        value = _outside(value, inside)
        return slopes[0] if isinstance(argnums, int) else tuple(slopes), (value, aux) if has_aux else value

    return both


def vjp(func: Callable[..., Any], *primals: Any) -> tuple[Any, Callable[..., tuple[Any, ...]]]:
    """(func(*primals), a function that takes a vector of the result's form to the vector times the Jacobian).

    >>> value, pull = vjp(lambda x: x * x, Tensor([1.0, 2.0]))
    >>> pull(Tensor([1.0, 10.0]))
    (tensor([ 2., 40.]),)
    """
    with enable_grad():
        inside: list[Tensor] = []
        given = [_mapped(each, lambda one: _leaf(one, inside)) for each in primals]
        value = func(*given)
    ends = list(value) if isinstance(value, (tuple, list)) else [value]

    def pull(cotangents: Any) -> tuple[Any, ...]:
        seeds = list(cotangents) if isinstance(cotangents, (tuple, list)) else [cotangents]
        found = iter(_pulled(ends, inside, seeds))
        return tuple(_mapped(each, lambda _: _outside(next(found), inside)) for each in given)

    return _mapped(value, lambda one: _outside(one, inside)), pull


def jvp(func: Callable[..., Any], primals: tuple[Any, ...], tangents: tuple[Any, ...]) -> tuple[Any, Any]:
    """(func(*primals), the Jacobian times the tangents).

    >>> jvp(lambda x: x * x, (Tensor([1.0, 2.0]),), (Tensor([1.0, 10.0]),))
    (tensor([1., 4.]), tensor([ 2., 40.]))
    """
    return functional.jvp(func, tuple(primals), tuple(tangents), _wanted((*primals, *tangents)))


def jacrev(func: Callable[..., Any], argnums: int = 0) -> Callable[..., Any]:
    """The function that gives the Jacobian of func in its argument number `argnums`, one backward pass a number.

    The argument may be a Tensor, or a dict, list or tuple of them: the Jacobians have its form.

    >>> jacrev(lambda x: x * x)(Tensor([1.0, 2.0]))
    tensor([[2., 0.],
            [0., 4.]])
    """

    @wraps(func)
    def jacobian(*args: Any) -> Any:
        given, of_one = args[argnums], _of_one(func, args, argnums)
        if not isinstance(given, (Mapping, tuple, list)):
            return functional.jacobian(of_one, given, _wanted(args))
        parts: list[Any] = []
        _mapped(given, parts.append)
        rows = functional.jacobian(lambda *each: of_one(_in_form(given, each)), tuple(parts), _wanted((*args, *parts)))
        several = bool(rows) and isinstance(rows[0], tuple)  # the function gave several Tensors
        return tuple(_in_form(given, each) for each in rows) if several else _in_form(given, rows)

    return jacobian


jacfwd = jacrev


def hessian(func: Callable[..., Any], argnums: int = 0) -> Callable[..., Any]:
    """The function that gives the second derivatives of func, whose result is one number.

    >>> hessian(lambda x: (x**3).sum())(Tensor([1.0, 2.0]))
    tensor([[ 6.,  0.],
            [ 0., 12.]])
    """

    @wraps(func)
    def second(*args: Any) -> Any:
        return functional.hessian(_of_one(func, args, argnums), args[argnums], _wanted(args))

    return second


def vmap(
    func: Callable[..., Any],
    in_dims: Any = 0,
    out_dims: Any = 0,
    randomness: str = "error",  # noqa: ARG001 (accepted for PyTorch's sake)
    *,
    chunk_size: int | None = None,  # noqa: ARG001
) -> Callable[..., Any]:
    """The function that applies func to each example of a batch, and stacks what comes of them.

    in_dims: the batch's axis in each argument, None where all examples share it; one for all, or a tuple with the form
    of the arguments. out_dims: where the axis stands in the results. func is called once for each example, so this is
    as quick as a loop: where time counts, write func for a batch. randomness and chunk_size are accepted for PyTorch's
    sake: examples draw one after the other.

    Raises ValueError where no argument has a batch or two have batches of different sizes, IndexError for an axis that
    an argument does not have, TypeError for a result that is no Tensor.

    >>> vmap(grad(lambda w, x: (w @ x).exp()), in_dims=(None, 0))(Tensor([0.0, 0.0]), Tensor([[1.0, 2.0], [3.0, 4.0]]))
    tensor([[1., 2.],
            [3., 4.]])
    """

    @wraps(func)
    def mapped(*args: Any, **kwargs: Any) -> Any:
        axes = in_dims if isinstance(in_dims, (tuple, list)) else (in_dims,) * len(args)
        if len(axes) != len(args):
            raise ValueError(f"vmap: {len(axes)} in_dims for {len(args)} arguments")
        sizes: list[int] = []
        example = _batch((args, kwargs), (axes, 0), sizes)
        if not sizes:
            raise ValueError("vmap: no argument is a batch: in_dims is None for each of them")
        if len(set(sizes)) > 1:
            raise ValueError(f"vmap: the batches have {sizes[0]} and {max(sizes, key=sizes[0].__ne__)} examples")
        examples = [example(number) for number in range(sizes[0])]
        return _stacked([func(*given, **named) for given, named in examples], out_dims)

    return mapped


def _batch(value: Any, axis: Any, sizes: list[int]) -> Callable[[int], Any]:
    """Return a function that gives an example of an argument by its number; `sizes` notes how many there are."""
    if axis is None:
        return lambda number: value
    if isinstance(value, Mapping):
        of = axis if isinstance(axis, Mapping) else dict.fromkeys(value, axis)
        by_key = {key: _batch(each, of[key], sizes) for key, each in value.items()}
        return lambda number: {key: at(number) for key, at in by_key.items()}
    if isinstance(value, (tuple, list)):
        axes = axis if isinstance(axis, (tuple, list)) else [axis] * len(value)
        parts = [_batch(each, one, sizes) for each, one in zip(value, axes, strict=True)]
        return lambda number: type(value)(at(number) for at in parts)
    if not isinstance(value, TensorBase):
        raise ValueError(f"vmap: {type(value).__name__} is no Tensor and has no batch: give None for it in in_dims")
    place = range(-value._data.ndim, value._data.ndim)
    if axis not in place:
        raise IndexError(f"vmap: in_dims has {axis} for an argument of shape {value._data.shape}")
    sizes.append(value._data.shape[axis])
    return lambda number: cast("Tensor", value).select(axis, number)


def _stacked(results: list[Any], out_dims: Any) -> Any:
    """The results of all examples as one: the Tensors in one place of each are stacked."""
    first = results[0]
    if isinstance(first, Mapping):
        of = out_dims if isinstance(out_dims, Mapping) else dict.fromkeys(first, out_dims)
        return {key: _stacked([each[key] for each in results], of[key]) for key in first}
    if isinstance(first, (tuple, list)):
        axes = out_dims if isinstance(out_dims, (tuple, list)) else [out_dims] * len(first)
        return type(first)(_stacked(list(each), axis) for *each, axis in zip(*results, axes, strict=True))
    if not isinstance(first, Tensor):
        raise TypeError(f"vmap: the function must return Tensors, not {type(first).__name__}")
    return stack(results, out_dims)


def _of_one(func: Callable[..., Any], args: tuple[Any, ...], place: int) -> Callable[[Any], Any]:
    place %= len(args)
    return lambda each: func(*args[:place], each, *args[place + 1 :])


def _wanted(args: Any) -> bool:
    """True if one of the Tensors wants gradients: then the way back to it is kept."""
    return any(isinstance(each, TensorBase) and each.requires_grad for each in args)


def _mapped(tree: Any, function: Callable[[Any], Any]) -> Any:
    """The tree with function(leaf) for every leaf; dicts, lists and tuples are its branches."""
    if isinstance(tree, Mapping):
        return {key: _mapped(each, function) for key, each in tree.items()}
    if isinstance(tree, (tuple, list)):
        return type(tree)(_mapped(each, function) for each in tree)
    return function(tree)


def _in_form(tree: Any, values: Sequence[Any]) -> Any:
    """The tree with these values for its leaves."""
    found = iter(values)
    return _mapped(tree, lambda _: next(found))


def _leaf(value: Any, inside: list[Tensor]) -> Tensor:
    """Return the leaf by which an argument is differentiated: one of our own, or a copy that leads back to it."""
    if isinstance(value, Tensor) and value.requires_grad:
        inside.append(value.clone())
    else:
        inside.append(constant(as_array(value).copy()).requires_grad_())
    return inside[-1]


def _pulled(ends: list[Any], leaves: list[Tensor], seeds: Any) -> list[Any]:
    """The gradients in every leaf, zeros where nothing depends on it; to be differentiated again."""
    pairs = [(end, None if seeds is None else seed) for end, seed in zip(ends, seeds or ends, strict=True)]
    pairs = [(end, seed) for end, seed in pairs if isinstance(end, TensorBase) and end.requires_grad]
    if not pairs:
        return [constant(leaf._data * 0) for leaf in leaves]
    ends, seeds = [end for end, _ in pairs], [seed for _, seed in pairs]
    options: dict[str, Any] = {"retain_graph": True, "create_graph": True, "materialize_grads": True}
    return list(pulled_back(ends, leaves, None if seeds[0] is None else seeds, **options))


def _outside(value: Any, inside: list[Tensor]) -> Any:
    """The value; a constant, if all that it was made from that wants gradients are leaves of our own."""
    if not isinstance(value, Tensor) or value._node is None:
        return value
    own = {id(each._node) for each in inside if each.is_leaf}
    others = [node for node in ancestors([value._node]) if node.is_leaf and id(node) not in own]
    return value if others else value.detach()


if not TYPE_CHECKING:  # else a checker would believe that there is any name whatever
    __getattr__, __dir__ = lazy_attributes("minitorch.func", {}, __all__)
