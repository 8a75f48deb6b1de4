"""Base of layers that call one function of `nn.functional`, whose arguments are their fields."""

from __future__ import annotations

import functools
from dataclasses import dataclass, fields
from typing import Any, ClassVar, TypeVar, dataclass_transform

from minitorch._tensor import Tensor
from minitorch.nn import functional
from minitorch.nn.module import Module
from minitorch.types import TensorLike

__all__ = ["FunctionLayer", "layer"]

T = TypeVar("T", bound=type[Any])


@dataclass_transform()
def layer(cls: T) -> T:
    """Give a layer the constructor of its annotated fields: Module's, and an attribute for each of them.

    The fields are those of a dataclass. A default is the constructor's alone, and no attribute of the class.
    """
    assign = dataclass(eq=False, repr=False, match_args=False)(cls).__init__

    @functools.wraps(assign)
    def constructor(self: Module, *args: Any, **kwargs: Any) -> None:
        Module.__init__(self)
        assign(self, *args, **kwargs)

    names = [each.name for each in fields(cls)]
    cls.__init__ = constructor
    cls._arguments = tuple([name for name in names if name != "inplace"])
    for name in names:
        if name in vars(cls):
            delattr(cls, name)
    return cls


class FunctionLayer(Module):
    """Layer that is `functional.<function>` of its input and its fields.

    `inplace` is taken and shown for PyTorch's sake, without effect: this engine makes a new Tensor.
    """

    _function: ClassVar[str]
    _arguments: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, function: str = "", **options: Any) -> None:
        super().__init_subclass__(**options)
        if function:
            cls._function = function

    def forward(self, input: TensorLike) -> Tensor:
        """Return the function's result."""
        return self._called(input)  # type: ignore[no-any-return]

    def _called(self, *tensors: Any) -> Any:
        given = {name: getattr(self, name) for name in self._arguments}
        return getattr(functional, self._function)(*tensors, **given)

    def extra_repr(self) -> str:
        """Return the fields."""
        shown = [f"{name}={getattr(self, name)}" for name in self._arguments]
        return ", ".join(shown + ["inplace=True"] * getattr(self, "inplace", False))
