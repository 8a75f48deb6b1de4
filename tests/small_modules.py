"""A module with every kind of thing that a module registers, and one made of such: what nn/ is tried on."""

from typing import Any

from minitorch import Tensor
from minitorch.nn import Module, Parameter, Sequential


class Line(Module):
    def __init__(self, n: int = 2) -> None:
        super().__init__()
        self.weight = Parameter(Tensor([1.0] * n))
        self.register_parameter("bias", None)
        self.register_buffer("count", Tensor(0))
        self.register_buffer("scratch", Tensor([0.0]), persistent=False)

    def forward(self, x: Any, twice: bool = False) -> Any:
        return self.weight * x * (2 if twice else 1)

    def extra_repr(self) -> str:
        return f"n={self.weight.numel()}"


class Net(Module):
    def __init__(self) -> None:
        super().__init__()
        self.own = Parameter(Tensor([5.0]))
        self.first = Line()
        self.rest = Sequential(Line(3), Line(2))
        self.nothing = None

    def forward(self, x: Any) -> Any:
        return self.rest[1](self.first(x))


def names(pairs: Any) -> list[str]:
    return [name for name, _ in pairs]
