"""Module: a function with parameters. Layers, losses and whole models are modules made of modules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ParamSpec, Protocol, Self, TypeVar

import numpy as np

from minitorch._tensor import Tensor
from minitorch.autograd.tensor_base import TensorBase
from minitorch.backend import device_of, gpu_number, moved, xp
from minitorch.nn._hook_mixin import HookMixin
from minitorch.nn._state import IncompatibleKeys, collect, load
from minitorch.nn.parameter import change

P = ParamSpec("P")
# Any result. Jedi, which does not read protocols, takes the bound at its word and offers what Tensors have.
R_co = TypeVar("R_co", bound=Tensor | object, covariant=True)


def _unwritten(self: Module, *args: Any, **kwargs: Any) -> Any:
    """Computes the output from the input. Every module writes its own."""
    raise NotImplementedError(f"{type(self).__name__} has no forward: write `def forward(self, input)` in the class")


class Forwards(Protocol[P, R_co]):
    """Protocol of a module's call: it takes what `forward` takes and returns what `forward` returns."""

    _forward_hooks: dict[int, Callable[..., Any]]
    _forward_pre_hooks: dict[int, Callable[..., Any]]
    _backward_hooks: dict[int, Callable[..., Any]]
    _backward_pre_hooks: dict[int, Callable[..., Any]]

    @property
    def forward(self) -> Callable[P, R_co]:
        """Computes the output from the input."""
        ...

    def _between_hooks(self, forward: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Calls `forward`, and every hook."""
        ...


class Module(HookMixin):
    """The base class of all layers and models. A subclass makes its parts in `__init__` and uses them in `forward`.

    Parameters and modules that are assigned to attributes are registered: `parameters()` finds them, `state_dict()`
    names them, `to()` moves them. Calling a module calls its `forward` and its hooks. `__init__` has to call
    `super().__init__()` first.

    >>> class Line(Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.slope = Parameter(Tensor(2.0))
    ...
    ...     def forward(self, x):
    ...         return self.slope * x
    >>> from minitorch.nn import Parameter
    >>> Line()(Tensor([1.0, 2.0]))
    tensor([2., 4.], op=mul)
    >>> list(Line().state_dict())
    ['slope']
    """

    forward: Callable[..., Any] = _unwritten

    # -- calls -------------------------------------------------------------------------------------------------------

    def __call__(self: Forwards[P, R_co], *args: P.args, **kwargs: P.kwargs) -> R_co:
        """`forward(*args, **kwargs)`, between the hooks."""
        try:
            hooked = self._forward_pre_hooks or self._forward_hooks or self._backward_hooks or self._backward_pre_hooks
        except AttributeError:
            raise AttributeError(f"{type(self).__name__}.__init__ has to call super().__init__() first") from None
        if not hooked:
            return self.forward(*args, **kwargs)
        return self._between_hooks(self.forward, args, kwargs)  # type: ignore[no-any-return]

    # -- all at once -------------------------------------------------------------------------------------------------

    def apply(self, fn: Callable[[Module], Any]) -> Self:
        """Calls fn(module) on every module, children first and this one last: to initialise weights, for example."""
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def train(self, mode: bool = True) -> Self:
        """Sets `training` here and below: dropout drops, batch norm counts. Raises ValueError for what is no bool."""
        if not isinstance(mode, bool):
            raise ValueError(f"{type(self).__name__}.train: mode is True or False, not {mode!r}")
        self.training = mode
        for module in self.children():
            module.train(mode)
        return self

    def eval(self) -> Self:
        """`train(False)`: for predictions."""
        return self.train(False)

    def requires_grad_(self, requires_grad: bool = True) -> Self:
        """Sets `requires_grad` of every parameter: `encoder.requires_grad_(False)` freezes a part."""
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forgets the gradients of all parameters. set_to_none=False: those that exist become zeros."""
        for parameter in self.parameters():
            if set_to_none:
                parameter.grad = None
            elif parameter.grad is not None:
                parameter.grad = xp(parameter).zeros_like(parameter.data)

    # -- other dtypes, other devices ---------------------------------------------------------------------------------

    def to(
        self,
        *target: Any,
        dtype: Any = None,
        device: Any = None,
        non_blocking: bool = False,  # noqa: ARG002
    ) -> Self:
        """Moves everything, in place: `to("cuda")`, `to(float64)`, `to("cuda", float64)`, `to(other_tensor)`.

        Parameters stay the objects that an optimiser holds. Only floats change their dtype: counters stay integers.
        non_blocking is accepted for PyTorch's sake, and changes nothing.
        Raises TypeError for a dtype that is no float, ValueError for a device that is not known, RuntimeError where
        CuPy or a GPU is missing.
        """
        for each in target:
            if isinstance(each, bool):  # non_blocking
                continue
            if isinstance(each, TensorBase):
                dtype, device = each._data.dtype, device_of(each._data)
            elif isinstance(each, str) and each.partition(":")[0] in ("cpu", "cuda"):
                device = each
            else:
                dtype = each
        kind = None if dtype is None else self._float_dtype(dtype)
        if device is not None:
            gpu_number(device)  # a name that is not known is an error even where there is nothing to move

        def convert(array: Any) -> Any:
            if kind is not None and array.dtype.kind == "f":
                array = array.astype(kind, copy=False)
            return array if device is None else moved(array, device)

        for module in self.modules():
            for parameter in module.parameters(recurse=False):
                change(parameter, convert)
            for buffer in module.buffers(recurse=False):
                change(buffer, convert)
        return self

    def _float_dtype(self, dtype: Any) -> np.dtype[Any]:
        try:
            kind: np.dtype[Any] = np.dtype(dtype)
        except TypeError:
            raise TypeError(f"{type(self).__name__}.to: {dtype!r} is neither a dtype nor a device") from None
        if kind.kind != "f":
            raise TypeError(f"{type(self).__name__}.to: parameters are floats and cannot become {kind}")
        return kind

    def float(self) -> Self:
        """All floats as float32."""
        return self.to(np.float32)

    def double(self) -> Self:
        """All floats as float64."""
        return self.to(np.float64)

    def half(self) -> Self:
        """All floats as float16."""
        return self.to(np.float16)

    def cpu(self) -> Self:
        """Everything into the memory of the host."""
        return self.to("cpu")

    def cuda(self, device: int | str | None = 0) -> Self:
        """Everything onto a GPU. Raises RuntimeError where CuPy or a GPU is missing."""
        return self.to(device if isinstance(device, str) else f"cuda:{device or 0}")

    # -- all numbers by name -----------------------------------------------------------------------------------------

    def state_dict(
        self, *, destination: dict[str, Any] | None = None, prefix: str = "", keep_vars: bool = False
    ) -> dict[str, Any]:
        """name → Tensor of all parameters and persistent buffers; the Tensors share the module's memory.

        Copy it (`copy.deepcopy`) to keep what training goes on to change. destination: a dict to add to. prefix: goes
        before every name. keep_vars: the parameters themselves, not constants that share their memory.
        """
        found: dict[str, Any] = {}
        collect(self, found, prefix)
        result = {} if destination is None else destination
        result.update(found if keep_vars else {name: tensor.detach() for name, tensor in found.items()})
        return result

    def load_state_dict(
        self,
        state_dict: Mapping[str, Any],
        strict: bool = True,
        assign: bool = False,  # noqa: ARG002
    ) -> IncompatibleKeys:
        """Copies the numbers of `state_dict` (Tensors or arrays) into this module's, and casts to their dtypes.

        assign is accepted for PyTorch's sake: the numbers are copied all the same, so that an optimiser keeps its
        parameters.

        Returns (missing_keys, unexpected_keys). Raises RuntimeError that lists, with `strict`, what is missing and
        unexpected, and always which shapes differ; the module is then unchanged.

        >>> from minitorch.nn import Parameter
        >>> model = Module()
        >>> model.weight = Parameter(Tensor([1.0, 2.0]))
        >>> model.load_state_dict({"weight": np.array([3.0, 4.0])})
        <All keys matched successfully>
        >>> model.weight.tolist()
        [3.0, 4.0]
        """
        return load(self, state_dict, strict)

    # -- text --------------------------------------------------------------------------------------------------------

    def extra_repr(self) -> str:
        """Return the text between the parentheses of `repr`; a subclass writes its own."""
        return ""

    def _get_name(self) -> str:
        return type(self).__name__

    def __repr__(self) -> str:
        return module_text(
            self._get_name(), self.extra_repr(), ((name, repr(each)) for name, each in self._modules.items())
        )


def module_text(kind: str, extra: str, parts: Iterator[tuple[str, str]]) -> str:
    """The text of a module: `Name(extra)` on one line, or with one line and more for each of its parts."""
    lines = extra.splitlines() if extra else []
    below = [f"({name}): " + text.replace("\n", "\n  ") for name, text in parts]
    if not below and len(lines) <= 1:
        return f"{kind}({extra})"
    return f"{kind}(\n  " + "\n  ".join(lines + below) + "\n)"
