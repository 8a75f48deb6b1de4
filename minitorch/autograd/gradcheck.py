"""gradcheck: compare a gradient with central differences of the function."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from minitorch.autograd.grad import grad
from minitorch.autograd.tensor_base import TensorBase, as_array, constant, listed
from minitorch.backend import device_of, on_gpu
from minitorch.types import TensorLike

if TYPE_CHECKING:
    from minitorch._tensor import Tensor

Inputs: TypeAlias = "TensorLike | Sequence[TensorLike]"
_EVERY_ENTRY_UP_TO = 64
_DIRECTIONS = 8


class GradcheckError(AssertionError):
    """An analytic gradient that central differences do not confirm."""


def gradcheck(
    fn: Callable[..., Any], inputs: Inputs, *, eps: float = 1e-6, atol: float = 1e-6, rtol: float = 1e-4, seed: int = 0
) -> bool:
    """Compare the gradients of `fn` with central differences in float64; return True or raise GradcheckError.

    For f(inputs) = Σ w · fn(inputs), with random weights w (a plain sum would hide what a wrong rule does with g):

        df/dx ≈ (f(x + eps) - f(x - eps)) / (2 eps), error O(eps²)

    for every entry of an input with up to 64 numbers, and along 8 random directions for larger ones. The inputs are
    copied to float64 and never changed; integer inputs and inputs without `requires_grad` (unless none has it) are
    held fixed. `fn` may return several Tensors. Stay away from kinks: no gradient is right there.

    Raises GradcheckError that names operation, input, index, analytic and numeric value, and a backward that forgets to
    multiply by its upstream gradient; TypeError if nothing
    can be checked. Source: Griewank and Walther, 2008, chapter 1.

    >>> gradcheck(lambda x: x * x, Tensor([1.0, 2.0]))
    True
    """
    points, checked = _points(inputs)
    rng = np.random.default_rng(seed)
    tensors = [_leaf(point, place in checked) for place, point in enumerate(points)]
    results = _differentiable(fn(*tensors))
    if not results:
        raise GradcheckError("gradcheck: the result does not depend on any input (is something detached?)")
    name = results[0]._op or "a leaf"
    weights = [rng.uniform(0.5, 1.5, result.shape) for result in results]
    before = [point.copy() for point in points]
    for result, weight in zip(results, weights, strict=True):
        result.backward(weight, retain_graph=True)
    _require_unchanged(tensors, before)

    def value(place: int, point: np.ndarray) -> float:
        moved = [_leaf(point if at == place else each, at in checked) for at, each in enumerate(points)]
        outs = _differentiable(fn(*moved))
        return float(sum([np.sum(weight * out._data) for weight, out in zip(weights, outs, strict=True)]))

    for place in checked:
        found = tensors[place].grad
        gradient = np.zeros(points[place].shape) if found is None else found
        if gradient.shape != points[place].shape:
            shapes = f"the gradient has shape {gradient.shape}, the input {points[place].shape}"
            raise GradcheckError(f"gradcheck of {name}, input {place}: {shapes}")
        for where, direction in _directions(points[place].shape, rng):
            analytic = float(np.sum(gradient * direction))
            ahead, behind = points[place] + eps * direction, points[place] - eps * direction
            numeric = (value(place, ahead) - value(place, behind)) / (2 * eps)
            if not abs(analytic - numeric) <= atol + rtol * abs(numeric):
                raise GradcheckError(
                    f"gradcheck of {name}, input {place}, {where}: "
                    f"the gradient says {analytic:.8g}, nudging the input says {numeric:.8g}"
                    + _unscaled(results, weights, tensors[place], gradient)
                )
    return True


def gradgradcheck(
    fn: Callable[..., Any], inputs: Inputs, *, eps: float = 1e-6, atol: float = 1e-6, rtol: float = 1e-4, seed: int = 0
) -> bool:
    """Check the second derivatives of `fn`, by gradcheck of its gradient.

    Checks the function (inputs, g) → dΣ(g · fn(inputs))/d(inputs), made with create_graph=True, in the inputs and in
    the upstream gradients g. What is compared, what is held fixed and what is raised is as in gradcheck.

    >>> gradgradcheck(lambda x: x * x * x, Tensor([1.0, 2.0]))
    True
    """
    points, checked = _points(inputs)
    rng = np.random.default_rng(seed)
    outputs = _differentiable(fn(*[_leaf(point, place in checked) for place, point in enumerate(points)]))
    upstream = [_leaf(rng.uniform(0.5, 1.5, out.shape), True) for out in outputs]
    given = [_leaf(point, place in checked) for place, point in enumerate(points)]

    def first(*arguments: Any) -> tuple[Any, ...]:
        tensors, seeds = arguments[: len(points)], list(arguments[len(points) :])
        wanted = [tensors[place] for place in checked]
        return grad(_differentiable(fn(*tensors)), wanted, seeds, create_graph=True, materialize_grads=True)

    return gradcheck(first, [*given, *upstream], eps=eps, atol=atol, rtol=rtol, seed=seed)


def _unscaled(results: Sequence[Tensor], weights: Sequence[np.ndarray], input: Tensor, gradient: np.ndarray) -> str:
    """Say that a backward ignores g, where twice the upstream gradient does not give twice the gradient."""
    input.grad = None
    for result, weight in zip(results, weights, strict=True):
        result.backward(2 * weight, retain_graph=True)
    twice = np.zeros(gradient.shape) if input.grad is None else input.grad
    if np.allclose(twice, 2 * gradient, equal_nan=True):
        return ""
    return (
        "; twice the upstream gradient g does not give twice the gradient, so a backward on the way does not multiply "
        "by g: multiply its local derivative by g, once"
    )


def _points(inputs: Inputs) -> tuple[list[np.ndarray], list[int]]:
    """Return the inputs as float64 arrays (integers as they are), and the places of those that are differentiated."""
    given = listed(inputs)
    arrays = [as_array(each) for each in given]
    for place, array in enumerate(arrays):
        if on_gpu(array):
            raise RuntimeError(
                f"gradcheck: input {place} is on {device_of(array)}, but nudging is done on cpu: pass x.cpu()"
            )
    asked = [isinstance(each, TensorBase) and each.requires_grad for each in given]
    checked = [
        place for place, array in enumerate(arrays) if array.dtype.kind == "f" and (asked[place] or not any(asked))
    ]
    if not checked:
        raise TypeError("gradcheck: none of the inputs is a float, so there is no gradient to check")
    return [array.astype(np.float64) if array.dtype.kind == "f" else array for array in arrays], checked


def _leaf(point: np.ndarray, requires_grad: bool) -> Tensor:
    return constant(np.array(point)).requires_grad_(requires_grad)


def _differentiable(results: Any) -> list[Tensor]:
    """Return the Tensors among the results that take part in the graph."""
    return [each for each in listed(results) if isinstance(each, TensorBase) and each.requires_grad]  # type: ignore[misc]


def _directions(shape: tuple[int, ...], rng: np.random.Generator) -> list[tuple[str, np.ndarray]]:
    """Return directions of central differences: each element of a small input, random unit vectors for a large one."""
    if math.prod(shape) > _EVERY_ENTRY_UP_TO:
        random = [rng.standard_normal(shape) for _ in range(_DIRECTIONS)]
        return [(f"random direction {k}", direction / np.linalg.norm(direction)) for k, direction in enumerate(random)]
    size = math.prod(shape)
    units = np.eye(size).reshape(size, *shape)
    return [(f"index {tuple(map(int, at))}", unit) for at, unit in zip(np.ndindex(shape), units, strict=True)]


def _require_unchanged(tensors: Sequence[Tensor], before: Sequence[np.ndarray]) -> None:
    for place, (tensor, array) in enumerate(zip(tensors, before, strict=True)):
        if not np.array_equal(tensor.data, array, equal_nan=array.dtype.kind == "f"):
            raise GradcheckError(f"gradcheck: the function changed its input {place} in place")
