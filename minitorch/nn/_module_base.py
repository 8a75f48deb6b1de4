"""The tree of modules: what a module owns by name, parameters, buffers and other modules, and walks over it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from minitorch._tensor import Tensor
from minitorch.nn._registry_view import KINDS, Kind, RegistryView
from minitorch.nn.parameter import Buffer, Parameter

if TYPE_CHECKING:
    from minitorch.nn.module import Module


class ModuleBase:
    """The part of a Module that knows what it owns. Assigning an attribute registers it, by its type.

    All values are ordinary attributes, in `__dict__`: a layer looks for its weight in every call. `_names` says which
    of them are registered, as what, and in which order; `_parameters`, `_buffers` and `_modules` are views of both.
    Walks read the two themselves, in half of the time.
    """

    training: bool
    _names: dict[Kind, dict[str, None]]
    _non_persistent_buffers_set: set[str]

    def __init__(self) -> None:
        set_plainly = super().__setattr__  # the names come before the rules that fill them
        set_plainly("training", True)
        set_plainly("_names", {kind: {} for kind in KINDS})
        set_plainly("_non_persistent_buffers_set", set())

    @property
    def _parameters(self) -> RegistryView:
        return RegistryView(self, "_parameters")

    @property
    def _buffers(self) -> RegistryView:
        return RegistryView(self, "_buffers")

    @property
    def _modules(self) -> RegistryView:
        return RegistryView(self, "_modules")

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for copies and pickles: a shallow copy registers for itself what it is given later."""
        own = {kind: dict(names) for kind, names in self._names.items()}
        return {**self.__dict__, "_names": own, "_non_persistent_buffers_set": set(self._non_persistent_buffers_set)}

    # -- by attribute ------------------------------------------------------------------------------------------------

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, Parameter):
            self._forget(name, "_parameters")
            self.register_parameter(name, value)
        elif isinstance(value, ModuleBase):
            self._forget(name, "_modules")
            self.add_module(name, value)
        elif isinstance(value, Buffer):
            self._forget(name, "_buffers")
            self.register_buffer(name, value, value.persistent)
        else:
            self._require_replaceable(name, value)
            super().__setattr__(name, value)

    def _forget(self, name: str, kind: Kind) -> None:
        """Takes the name away from another kind of thing that had it; the same kind keeps its place in the order.

        Raises AttributeError before `super().__init__()`.
        """
        if "_names" not in self.__dict__:
            raise AttributeError(
                f"{type(self).__name__}: call super().__init__() before assigning {kind[1:]} such as self.{name}"
            )
        self.__dict__.pop(name, None)
        self._non_persistent_buffers_set.discard(name)
        for other in KINDS:
            if other != kind:
                self._names[other].pop(name, None)

    def _require_replaceable(self, name: str, value: Any) -> None:
        """Raises TypeError where a plain value may not take the place of something registered.

        None may, and a Tensor in the place of a buffer.
        """
        names = self.__dict__.get("_names")
        if names is None or value is None:
            return
        if name in names["_buffers"] and not isinstance(value, Tensor):
            raise TypeError(f"{self._named(name)} is a buffer: assign a Tensor or None, not a {_kind(value)}")
        for kind, what in (("_parameters", "Parameter"), ("_modules", "Module")):
            if name in names[kind]:
                raise TypeError(
                    f"{self._named(name)} is a {what}: assign a {what} or None, not a {_kind(value)}; "
                    f"`del` it first to use the name for something else"
                )

    def __getattr__(self, name: str) -> Any:
        """Asked for what is not there: raises AttributeError that says why."""
        kind = type(self).__name__
        if "_names" not in self.__dict__ and not name.startswith("__"):
            raise AttributeError(f"{kind} has no {name!r}: its __init__ has to call super().__init__() first")
        raise AttributeError(f"{kind!r} object has no attribute {name!r}", name=name, obj=self)

    def __delattr__(self, name: str) -> None:
        super().__delattr__(name)
        for names in self.__dict__.get("_names", {}).values():
            names.pop(name, None)
        self.__dict__.get("_non_persistent_buffers_set", set()).discard(name)

    def __dir__(self) -> list[str]:
        return sorted(name for name in super().__dir__() if not name[:1].isdigit())

    # -- by call -----------------------------------------------------------------------------------------------------

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Adds a parameter; None keeps the name for one that is not there (a Linear without bias).

        Raises TypeError for what is no Parameter, KeyError for a name that is taken or contains a dot.
        """
        self._require_free(name, "_parameters", "parameter")
        if param is not None and not isinstance(param, Parameter):
            raise TypeError(f"{self._named(name)}: a parameter is a Parameter or None, not a {_kind(param)}")
        self._names["_parameters"][name] = None
        self.__dict__[name] = param

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Adds a Tensor that is no parameter; `persistent=False` keeps it out of `state_dict()`.

        Raises TypeError for what is no Tensor, KeyError for a name that is taken or contains a dot.
        """
        self._require_free(name, "_buffers", "buffer")
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(f"{self._named(name)}: a buffer is a Tensor or None, not a {_kind(tensor)}")
        self._names["_buffers"][name] = None
        self.__dict__[name] = tensor
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def add_module(self, name: str, module: Any) -> None:
        """Adds a module, which can then be reached as an attribute.

        Raises TypeError for what is no Module, KeyError for a name that is taken or contains a dot.
        """
        self._require_free(name, "_modules", "module")
        if module is not None and not isinstance(module, ModuleBase):
            hint = f": call it, as in {module.__name__}(…)" if isinstance(module, type) else ""
            raise TypeError(f"{self._named(name)}: a module is a Module or None, not a {_kind(module)}{hint}")
        self._names["_modules"][name] = None
        self.__dict__[name] = module

    def register_module(self, name: str, module: Module | None) -> None:
        """`add_module` by its other name."""
        self.add_module(name, module)

    def _require_free(self, name: Any, owned: Kind, what: str) -> None:
        kind = type(self).__name__
        if "_names" not in self.__dict__:
            raise AttributeError(f"{kind}: call super().__init__() before registering the {what} {name!r}")
        if not isinstance(name, str):
            raise TypeError(f"{kind}: the name of a {what} is a string, not {name!r}")
        if not name or "." in name:
            raise KeyError(f"{kind}: the name of a {what} is not empty and has no dot, unlike {name!r}")
        if hasattr(self, name) and name not in self._names[owned]:
            raise KeyError(f"{kind}: the name {name!r} is taken, so no {what} can have it")

    def _named(self, name: str) -> str:
        return f"{type(self).__name__}.{name}"

    # -- walks -------------------------------------------------------------------------------------------------------

    def named_modules(
        self, memo: set[Any] | None = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Module]]:
        """(name, module) of this module (name "") and all below it, parents first; names are joined by dots.

        memo: modules that are passed over, and that this walk adds to. remove_duplicate: a module that is in two
        places appears once.
        """
        memo = set() if memo is None else memo
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self  # type: ignore[misc]
        here = self.__dict__
        for name in self._names["_modules"]:
            module = here[name]
            if module is not None:
                yield from module.named_modules(memo, f"{prefix}.{name}" if prefix else name, remove_duplicate)

    def modules(self) -> Iterator[Module]:
        """This module and all below it, each once."""
        return (module for _, module in self.named_modules())

    def named_children(self) -> Iterator[tuple[str, Module]]:
        """(name, module) of the modules directly below this one, each once."""
        seen: set[Any] = set()
        here = self.__dict__
        for name in self._names["_modules"]:
            module = here[name]
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def children(self) -> Iterator[Module]:
        """The modules directly below this one, each once."""
        return (module for _, module in self.named_children())

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """(name, parameter), this module's before those of the modules below it.

        A shared parameter appears once, unless remove_duplicate=False. recurse=False: this module's only.
        """
        return self._named_members("_parameters", prefix, recurse, remove_duplicate)

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """All parameters, each once: what an optimiser is given."""
        return (parameter for _, parameter in self.named_parameters(recurse=recurse))

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """(name, buffer), in the order of `named_parameters`."""
        return self._named_members("_buffers", prefix, recurse, remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """All buffers, each once."""
        return (buffer for _, buffer in self.named_buffers(recurse=recurse))

    def _named_members(
        self, owned: Kind, prefix: str, recurse: bool, remove_duplicate: bool
    ) -> Iterator[tuple[str, Any]]:
        modules: Any = self.named_modules(None, prefix, remove_duplicate) if recurse else [(prefix, self)]
        seen: set[Any] = set()
        for path, module in modules:
            here = module.__dict__
            for name in module._names[owned]:
                member = here[name]
                if member is None or member in seen:
                    continue
                if remove_duplicate:
                    seen.add(member)
                yield (f"{path}.{name}" if path else name), member

    # -- by path -----------------------------------------------------------------------------------------------------

    def get_submodule(self, target: str) -> Module:
        """The module at a path such as "encoder.0"; "" is this one. Raises AttributeError where there is none."""
        module: Any = self
        for name in target.split(".") if target else ():
            if name not in module._modules or module._modules[name] is None:
                present = ", ".join(module._modules) or "none"
                raise AttributeError(
                    f"get_submodule: {type(module).__name__} has no module {name!r} (of {target!r}); it has: {present}"
                )
            module = module._modules[name]
        return module  # type: ignore[no-any-return]

    def get_parameter(self, target: str) -> Parameter:
        """The parameter at a path such as "encoder.0.weight". Raises AttributeError where there is none."""
        return self._member("get_parameter", "_parameters", target)  # type: ignore[no-any-return]

    def get_buffer(self, target: str) -> Tensor:
        """The buffer at a path such as "encoder.1.running_mean". Raises AttributeError where there is none."""
        return self._member("get_buffer", "_buffers", target)  # type: ignore[no-any-return]

    def _member(self, function: str, owned: Kind, target: str) -> Any:
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        member = getattr(module, owned).get(name)
        if member is None:
            present = ", ".join(getattr(module, owned)) or "none"
            raise AttributeError(
                f"{function}: {type(module).__name__} has no {owned[1:-1]} {name!r} (of {target!r}); it has: {present}"
            )
        return member


def _kind(value: Any) -> str:
    return f"class {value.__name__}" if isinstance(value, type) else type(value).__name__
