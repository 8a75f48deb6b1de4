"""A model at a glance: its layers, the shapes that they give, their parameters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from minitorch._tensor import Tensor
from minitorch.autograd.scope import no_grad
from minitorch.nn.module import Module

HEADS = ("layer", "kind", "output", "parameters")


class Layer(NamedTuple):
    """One module of a model: its dotted name, its class, the shape of what it gave, how many numbers are its own."""

    name: str
    kind: str
    shape: tuple[int, ...] | tuple[tuple[int, ...], ...] | None
    parameters: int


class Summary:
    """Result of `summary`: `layers`, a row each; `parameters`, `trainable` and `bytes` of all of the model."""

    def __init__(self, layers: Sequence[Layer], model: Module) -> None:
        """Count each parameter once, however many modules share it."""
        self.layers = list(layers)
        self.parameters = sum(each.numel() for each in model.parameters())
        self.trainable = sum(each.numel() for each in model.parameters() if each.requires_grad)
        self.bytes = sum(each.numel() * each.dtype.itemsize for each in model.parameters())

    def __repr__(self) -> str:
        rows = [HEADS, *(_cells(each) for each in self.layers)]
        wide = [max(len(row[column]) for row in rows) for column in range(len(HEADS))]
        lines = []
        for *words, count in rows:
            padded = [word.ljust(size) for word, size in zip(words, wide, strict=False)]
            lines.append("  ".join([*padded, count.rjust(wide[-1])]))
        end = f"{self.parameters:,} parameters, {self.trainable:,} of them trained, {self.bytes:,} bytes"
        return "\n".join((*lines, end))


def summary(model: Module, *inputs: Any, **keywords: Any) -> Summary:
    """Lists a model's layers with the shape of what each gives for an input, and its own number of parameters.

    The model is called once, as `model(*inputs, **keywords)`, in evaluation mode and without a graph: no statistics and
    no mode are changed by it. A layer that is called several times shows its last shape, one that is not called none.
    Whatever the call raises comes through. Raises TypeError for what is no Module.

    >>> from minitorch import nn, zeros
    >>> nn.summary(nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2)), zeros(16, 4))
    layer  kind        output   parameters
           Sequential  (16, 2)           0
    0      Linear      (16, 8)          40
    1      ReLU        (16, 8)           0
    2      Linear      (16, 2)          18
    58 parameters, 58 of them trained, 232 bytes
    """
    if not isinstance(model, Module):
        raise TypeError(f"summary: the model is a Module, not a {type(model).__name__}")
    modules = list(model.named_modules())
    modes = [each.training for _, each in modules]
    shapes: dict[int, Any] = {}
    hooks = [each.register_forward_hook(_record_shapes(shapes)) for _, each in modules]
    try:
        model.eval()
        with no_grad():
            model(*inputs, **keywords)
    finally:
        for hook in hooks:
            hook.remove()
        for (_, each), mode in zip(modules, modes, strict=True):
            each.training = mode
    return Summary([_layer(name, each, shapes) for name, each in modules], model)


def _record_shapes(shapes: dict[int, Any]) -> Any:
    def note(module: Module, _: Any, output: Any) -> None:
        shapes[id(module)] = _shape(output)

    return note


def _layer(name: str, module: Module, shapes: dict[int, Any]) -> Layer:
    own = sum(each.numel() for each in module.parameters(recurse=False))
    return Layer(name, type(module).__name__, shapes.get(id(module)), own)


def _shape(output: Any) -> Any:
    """The shape of a Tensor, those of several; None for anything else."""
    if isinstance(output, Tensor):
        return output.shape
    if isinstance(output, (tuple, list)):
        found = tuple(shape for shape in map(_shape, output) if shape is not None)
        return found or None
    return None


def _cells(layer: Layer) -> tuple[str, str, str, str]:
    return layer.name, layer.kind, "" if layer.shape is None else str(layer.shape), f"{layer.parameters:,}"
