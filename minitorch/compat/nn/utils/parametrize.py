"""Parametrizations: a weight of a module that is computed, from what is trained in its place, whenever it is read.

A parametrized module is of a class made for it, which has a property for each such weight: reading it calls the
`ParametrizationList` of that name in `module.parametrizations`, which owns what the weight is computed from.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any

from minitorch import Tensor, no_grad
from minitorch.compat.nn.container import ModuleDict
from minitorch.nn import Module, ModuleList
from minitorch.nn.parameter import Parameter, change
from minitorch.types import Shape

__all__ = ["ParametrizationList", "cached", "is_parametrized", "register_parametrization", "remove_parametrizations"]
__all__ += ["type_before_parametrizations"]

_known: ContextVar[dict[tuple[int, str], Any] | None] = ContextVar("minitorch_parametrized", default=None)


class ParametrizationList(ModuleList):
    """The parametrizations of one weight, the first one innermost, beside what they compute it from.

    That is `original`, or `original0`, `original1`, … where the way back gives several Tensors.
    `register_parametrization` makes one.
    """

    def __init__(self, modules: Sequence[Module], original: Tensor, unsafe: bool = False) -> None:
        super().__init__(modules)
        self.unsafe = unsafe
        shape, dtype = original.shape, original.dtype
        value: Any = original
        with no_grad():
            for module in reversed(modules):
                with suppress(NotImplementedError):
                    value = module.right_inverse(value) if hasattr(module, "right_inverse") else value
        self.is_tensor = isinstance(value, Tensor)
        self.ntensors = 1 if self.is_tensor else len(value)
        if self.is_tensor:
            change(original, lambda old: value._data)
            parts = [original]
        else:
            kind = type(original)
            parts = [kind(part.detach()).requires_grad_(original.requires_grad) for part in value]
        for name, part in zip(self._originals(), parts, strict=True):
            (self.register_parameter if isinstance(part, Parameter) else self.register_buffer)(name, part)  # type: ignore[arg-type]
        if not unsafe:
            _require_like(self(), shape, dtype)

    def _originals(self) -> list[str]:
        return ["original"] if self.is_tensor else [f"original{place}" for place in range(self.ntensors)]

    def right_inverse(self, value: Tensor) -> None:
        """Changes the originals so that the weight becomes `value`, as near as the parametrizations allow.

        Raises RuntimeError where one of them has no way back, ValueError for other shapes.
        """
        with no_grad():
            found: Any = value
            for module in reversed(list(self)):
                if not hasattr(module, "right_inverse"):
                    raise RuntimeError(
                        f"{type(module).__name__} has no right_inverse, so that nothing can be assigned to the weight "
                        f"that it computes: write `def right_inverse(self, value)` in the class"
                    )
                found = module.right_inverse(found)
            for name, part in zip(self._originals(), [found] if self.is_tensor else found, strict=True):
                original = getattr(self, name)
                if original.shape != part.shape:
                    raise ValueError(f"right_inverse: {name} has shape {original.shape}, but would get {part.shape}")
                original.copy_(part)

    def forward(self) -> Tensor:
        """The weight."""
        first, *rest = self
        made: Tensor = first(*[getattr(self, name) for name in self._originals()])
        for each in rest:
            made = each(made)
        return made


def _require_like(made: Any, shape: Shape, dtype: Any) -> None:
    """Raises ValueError unless what was computed for a weight has its shape and dtype."""
    if not isinstance(made, Tensor) or made.shape != shape or made.dtype != dtype:
        found = f"{made.dtype} {made.shape}" if isinstance(made, Tensor) else f"a {type(made).__name__}"
        raise ValueError(
            f"register_parametrization: the weight is {dtype} {shape}, but what is computed for it is {found}: "
            f"keep both, or write unsafe=True"
        )


def _property(name: str) -> property:
    """Reading computes the weight, or remembers it inside `cached()`; assigning goes the way back."""

    def computed(self: Module) -> Any:
        known, key = _known.get(), (id(self), name)
        if known is None:
            return self.parametrizations[name]()
        if key not in known:
            known[key] = self.parametrizations[name]()
        return known[key]

    return property(computed, lambda self, value: self.parametrizations[name].right_inverse(value))


def _change_class(module: Module) -> None:
    """Gives a module the class that fits its parametrizations: its own where there are none any more."""
    kind = type_before_parametrizations(module)
    if len(module.parametrizations) == 0:
        del module.parametrizations
        module.__class__ = kind
    else:
        module.__class__ = _parametrized(kind, tuple(module.parametrizations))


def _parametrized(kind: type, names: tuple[str, ...]) -> type:
    """A class like `kind` that computes these weights. Copies and pickles are of a class made again."""

    def reduced(self: Module, protocol: Any) -> Any:  # noqa: ARG001
        return _blank, (kind, names), self.__getstate__()

    members = {"_before_parametrizations": kind, "__reduce_ex__": reduced, "__module__": kind.__module__}
    return type(f"Parametrized{kind.__name__}", (kind,), members | {name: _property(name) for name in names})


def _blank(kind: type, names: tuple[str, ...]) -> Any:
    made: Any = _parametrized(kind, names)
    return made.__new__(made)


def register_parametrization(
    module: Module, tensor_name: str, parametrization: Module, *, unsafe: bool = False
) -> Module:
    """Has `module.tensor_name` computed by the parametrization, from an original that is trained in its place.

    The original is parametrization.right_inverse(the weight so far) if there is such a method, one Tensor or several,
    else the weight. On a weight that has a parametrization, the new one comes after it. Assigning to the weight goes
    the way back. Names in the state_dict: `parametrizations.NAME.original`, or `original0` and so on. unsafe: the shape
    and dtype may change. Returns the module. Raises ValueError for a name that is no parameter or buffer.

    >>> from minitorch.nn import Linear
    >>> class Symmetric(Module):
    ...     def forward(self, x):
    ...         return x.tril() + x.tril(-1).T
    >>> layer = register_parametrization(Linear(2, 2), "weight", Symmetric())
    >>> layer.weight.eq(layer.weight.T).all()
    tensor(True)
    >>> list(layer.state_dict())
    ['bias', 'parametrizations.weight.original']
    """
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        known: Any = module.parametrizations[tensor_name]
        if not unsafe:
            before = known()
            _require_like(parametrization(before), before.shape, before.dtype)
        known.append(parametrization)
        known.unsafe |= unsafe
        return module
    original = {**module._parameters, **module._buffers}.get(tensor_name)
    if original is None:
        raise ValueError(
            f"register_parametrization: {type(module).__name__} has no parameter or buffer {tensor_name!r}"
        )
    found = ParametrizationList([parametrization], original, unsafe)
    delattr(module, tensor_name)
    if not is_parametrized(module):
        module.parametrizations = ModuleDict()
    module.parametrizations[tensor_name] = found
    _change_class(module)
    return module


def remove_parametrizations(module: Module, tensor_name: str, leave_parametrized: bool = True) -> Module:
    """Undoes `register_parametrization`: the weight as it is becomes a parameter again. Returns the module.

    leave_parametrized=False: the original does instead. Raises ValueError for a weight without parametrizations, and
    for False where there are several originals.

    >>> from minitorch.nn import Linear
    >>> from minitorch.nn.utils.parametrizations import weight_norm
    >>> remove_parametrizations(weight_norm(Linear(2, 3)), "weight")
    Linear(in_features=2, out_features=3, bias=True)
    """
    if not is_parametrized(module, tensor_name):
        raise ValueError(f"remove_parametrizations: {type(module).__name__} has no parametrization of {tensor_name!r}")
    known: Any = module.parametrizations[tensor_name]
    if not leave_parametrized and not known.is_tensor:
        raise ValueError(
            f"remove_parametrizations: {tensor_name!r} has {known.ntensors} originals, none of which is the weight: "
            f"leave it parametrized"
        )
    original = getattr(known, known._originals()[0])
    with no_grad():
        made = known()
    if known.is_tensor:
        change(original, lambda old: made._data if leave_parametrized else old)
    else:
        original = type(original)(made).requires_grad_(original.requires_grad)
    del module.parametrizations[tensor_name]
    _change_class(module)
    (module.register_parameter if isinstance(original, Parameter) else module.register_buffer)(tensor_name, original)
    return module


def is_parametrized(module: Module, tensor_name: str | None = None) -> bool:
    """True if the module has parametrizations, of this weight if a name is given.

    >>> from minitorch.nn import Linear
    >>> is_parametrized(Linear(2, 3))
    False
    """
    found = getattr(module, "parametrizations", None)
    if not isinstance(found, ModuleDict):
        return False
    return len(found) > 0 if tensor_name is None else tensor_name in found


def type_before_parametrizations(module: Module) -> type:
    """The class of a module, without the one that parametrizations made of it.

    >>> from minitorch.nn import Linear
    >>> from minitorch.nn.utils.parametrizations import weight_norm
    >>> type_before_parametrizations(weight_norm(Linear(2, 3))).__name__
    'Linear'
    """
    kind: type = getattr(type(module), "_before_parametrizations", type(module))
    return kind


@contextmanager
def cached() -> Iterator[None]:
    """Inside, each parametrized weight is computed once and then remembered: for networks that read it often.

    >>> from minitorch.nn import Linear
    >>> from minitorch.nn.utils.parametrizations import weight_norm
    >>> layer = weight_norm(Linear(2, 3))
    >>> with cached():
    ...     layer.weight is layer.weight
    True
    """
    token = _known.set(_known.get() or {})
    try:
        yield
    finally:
        _known.reset(token)
