"""Bases of layers and losses that call one function of `nn.functional`, whose arguments are their fields."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, fields
from typing import Any, ClassVar, TypeVar, dataclass_transform

from minitorch._tensor import Tensor
from minitorch.nn import Module, functional
from minitorch.nn.functional.loss import Reduction
from minitorch.nn.loss import Loss
from minitorch.types import TensorLike

__all__ = ["FunctionLayer", "FunctionLoss", "layer"]

T = TypeVar("T", bound=type[Any])


@dataclass_transform()
def layer(cls: T) -> T:
    """Give a layer the constructor of its annotated fields: Module's, and an attribute for each of them.

    The fields are those of a dataclass. A default is the constructor's alone, and no attribute of the class.
    """
    assign = dataclass(eq=False, repr=False, match_args=False)(cls).__init__
    # Warnings name the innermost line outside of minitorch's files: dataclass would say "<string>".
    assign.__code__ = assign.__code__.replace(co_filename=__file__)

    @functools.wraps(assign)
    def constructor(self: Module, *args: Any, **kwargs: Any) -> None:
        Module.__init__(self)
        assign(self, *args, **kwargs)

    cls.__init__ = constructor
    cls._arguments = tuple([each.name for each in fields(cls) if each.name != "inplace"])
    for name in inspect.signature(assign).parameters:
        if name in vars(cls):
            delattr(cls, name)
    return cls


class _Function(Module):
    """Base of modules that call `functional.<function>` with their fields as arguments of those names.

    `inplace` is taken and shown for PyTorch's sake, without effect: this engine makes a new Tensor.
    """

    _function: ClassVar[Callable[..., Tensor]]
    _arguments: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, function: str = "", **options: Any) -> None:
        super().__init_subclass__(**options)
        if function:
            cls._function = staticmethod(getattr(functional, function))

    def _called(self, *tensors: Any) -> Tensor:
        return self._function(*tensors, **{name: getattr(self, name) for name in self._arguments})

    def extra_repr(self) -> str:
        """The fields."""
        shown = [f"{name}={getattr(self, name)}" for name in self._arguments]
        return ", ".join(shown + ["inplace=True"] * getattr(self, "inplace", False))


class FunctionLayer(_Function):
    """Layer that is a function of one input."""

    def forward(self, input: TensorLike) -> Tensor:
        """Return the function's result."""
        return self._called(input)


@layer
class FunctionLoss(_Function, Loss):
    """Loss that is a function of an input and a target; its weights are buffers."""

    _: KW_ONLY
    reduction: Reduction = "mean"

    _reductions: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        Loss.__init__(self, self.reduction, *self._reductions)
        for name in [each for each in ("weight", "pos_weight") if each in self._arguments]:
            value = getattr(self, name)
            delattr(self, name)
            self.register_buffer(name, value)

    def forward(self, input: TensorLike, target: TensorLike) -> Tensor:
        """Return the loss."""
        return self._called(input, target)

    def extra_repr(self) -> str:
        """Nothing, as in PyTorch."""
        return ""
