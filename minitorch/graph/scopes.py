"""Module scopes, which say where an operation happened: hooks on a model's modules, only while a graph records.

A model may be used by several threads and asyncio tasks at once, each of which records into a graph of its own or does
not record. All of them come by the hooks. So which modules run is kept in the Scope, which each thread and task has for
itself, and the hooks of a graph do nothing where that graph does not record.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from typing import Any, Protocol, TypeAlias

from minitorch.autograd.scope import Scope, Scoped, current_scope, keep

Meet: TypeAlias = Callable[[Any], None]
Forget: TypeAlias = Callable[[Any, Any], None]  # of a module and a hook


class Recorder(Protocol):
    """What records: it knows what runs, the kinds of modules, and names for parameters."""

    running: Running
    kinds: dict[str, str]

    def label(self, **names: Any) -> Any:
        """Says what to call which tensor."""


class Running:
    """The modules that run, for one graph: a key in the Scope. It refers to nothing, so it keeps nothing alive."""

    __slots__ = ()

    @property
    def path(self) -> str | None:
        """The path of the innermost module that runs here; None in no module, "" in a model itself."""
        stack = current_scope().kept.get(self)
        return stack[-1][1] if stack else None


class Here(Scoped):
    """Inside, a graph records: the hooks of its models say to it what runs."""

    __slots__ = ("running",)

    def __init__(self, running: Running) -> None:
        super().__init__()
        self.running = running

    def changed(self, scope: Scope) -> Scope:
        """The same Scope, in which no module runs yet."""
        return replace(scope, kept={**scope.kept, self.running: ()})

    def again(self) -> Scoped:
        """A fresh manager for the same graph."""
        return type(self)(self.running)


class ModuleScopes:
    """Says which module of a model is running, and names its parameters and the kinds of its modules.

    model: a module of minitorch or of PyTorch, whose hooks are registered alike; what comes after a call comes after an
    exception too. meet: called with what goes into a module, where it is called, and with what comes out of it, inside
    it: what nobody saw being made was made there. closed: says of which modules the calls cannot be hooked. forget:
    takes a hook off a deep copy, where a module does not leave out by itself what `stays_behind`. name: what paths and
    names of parameters begin with.
    """

    def __init__(
        self,
        model: Any,
        meet: Meet | None = None,
        closed: Callable[[Any], bool] | None = None,
        forget: Forget | None = None,
        name: str = "",
    ) -> None:
        self._model = model
        self._meet = meet
        self._closed = closed
        self._forget = forget
        self._name = name
        self._handles: list[Any] = []

    def install(self, graph: Recorder) -> None:
        """Puts the hooks on, and says what to call the parameters."""
        if self._handles:
            return
        running, own, meet, forget = graph.running, id(self), self._meet, self._forget
        for path, module in self._model.named_modules(prefix=self._name):
            graph.kinds[path] = type(module).__name__
            if self._closed is not None and self._closed(module):
                continue
            told = running, own, path, path == self._name, meet, id(module), forget
            self._handles += [
                module.register_forward_pre_hook(_Entering(*told), prepend=True),
                module.register_forward_hook(_Leaving(*told), always_call=True),
            ]
        graph.label(**dict(self._model.named_parameters(prefix=self._name)))

    def remove(self) -> None:
        """Takes the hooks off."""
        while self._handles:
            self._handles.pop().remove()


class _Hook:
    """A hook of one module. A copy of the module has none, and the file of one of PyTorch's one that does nothing."""

    __slots__ = ("_forget", "_meet", "_module", "_own", "_path", "_running", "_whole")

    stays_behind = True

    def __init__(
        self, running: Running, own: int, path: str, whole: bool, meet: Meet | None, module: int, forget: Forget | None
    ) -> None:
        self._meet = meet
        self._running = running
        self._own = own
        self._path = path
        self._whole = whole  # it is the model itself
        self._module = module  # its id: a hook lives as long as its module
        self._forget = forget

    def __getattr__(self, name: str) -> Any:
        if name == "__name__":  # torch.jit.script compiles the hooks of a module by their names
            raise AttributeError(
                "this hook writes down what a module does, and torch.jit.script would compile it with the module: "
                "call torch.jit.script before the recording begins"
            )
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __reduce__(self) -> tuple[Any, ...]:
        return getattr, (nullcontext(), "__exit__")  # takes anything, returns None, and needs no minitorch to be read

    def __deepcopy__(self, memo: dict[Any, Any]) -> Any:
        copied, module = nullcontext().__exit__, memo.get(self._module)
        if module is not None and self._forget is not None:
            memo.setdefault(_Leftovers, _Leftovers(self._forget)).append((module, copied))
        return copied


class _Leftovers(list[tuple[Any, Any]]):
    """Copied hooks, each with the copy of its module. They are taken off when copying ends: with its memo this goes."""

    def __init__(self, forget: Forget) -> None:
        super().__init__()
        self._forget = forget

    def __del__(self) -> None:
        while self:
            self._forget(*self.pop())


class _Entering(_Hook):
    """Before the module runs."""

    __slots__ = ()

    def __call__(self, _module: Any, args: Any) -> None:
        stack = current_scope().kept.get(self._running)
        if stack is None:  # here nobody records into that graph
            return
        if self._meet is not None:
            self._meet(args)
        if self._whole:  # an exception may have left an earlier call of the whole model
            stack = stack[: _last(stack, self._own, None)]
        keep(self._running, (*stack, (self._own, self._path)))


class _Leaving(_Hook):
    """After the module has run."""

    __slots__ = ()

    def __call__(self, _module: Any, _args: Any, output: Any) -> None:
        stack = current_scope().kept.get(self._running)
        if stack is not None and self._meet is not None:
            self._meet(output)
        if stack and (self._own, self._path) in stack:  # with what is above it, where an exception has left modules
            keep(self._running, stack[: _last(stack, self._own, self._path)])


def _last(stack: tuple[tuple[int, str], ...], own: int, path: str | None) -> int:
    """Where the call of a module begins that runs; of any module, the first of the model's. None runs: the end."""
    places = [at for at, entry in enumerate(stack) if entry == (own, path) or (path is None and entry[0] == own)]
    if not places:
        return len(stack)
    return places[0] if path is None else places[-1]
