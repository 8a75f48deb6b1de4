"""The cases of the other tests, each as a function of a device that returns arrays: what a GPU is compared by.

They run on the fake GPU of the tests, and on a real one in `python -m benchmarks.gpu`. `apart` surrounds what is no
part of the case, such as moving its inputs: the fake GPU does not count what crosses there.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import runpy
import sys
import tempfile
import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any
from unittest import mock

import layer_cases
import lr_schedules
import numpy as np
import op_table
import optim_problem
from curves import curve
from example_runs import EXAMPLES, SHORT

import minitorch
import minitorch.nn.functional
import minitorch.optim
from minitorch import Tensor, nn, optim
from minitorch.autograd.tensor_base import constant
from minitorch.backend import moved, to_host

Apart = Callable[[], AbstractContextManager[None]]
nothing: Apart = contextlib.nullcontext

# Made on the host, because nothing else was said, or out of Python's numbers.
MAKE = {
    "arange",
    "as_tensor",
    "empty",
    "eye",
    "full",
    "linspace",
    "ones",
    "rand",
    "randint",
    "randn",
    "tensor",
    "zeros",
}
MIXES = {"setitem: a buffer of constants takes part"}  # the buffer is made on the host
OPERATIONS = [case for case in op_table.CASES if case.draws and case.name not in MIXES]
SECOND = [case for case in op_table.TWICE if case in OPERATIONS]


def tensor_on(device: str) -> Callable[..., Tensor]:
    """Makes Tensors there, of arrays, in their dtype."""
    return functools.partial(Tensor, device=device)


def operation(case: op_table.Case, device: str, apart: Apart = nothing) -> list[Any]:
    """The value, and the gradients of the inputs."""
    with apart():
        tensors = case.tensors(tensor_on(device))
    out = case.call(minitorch, *tensors)
    if out.requires_grad:
        with apart():
            upstream = constant(moved(case.upstream(out.shape), out.device))
        out.backward(upstream)
    return [out.data, *[each.grad for each in tensors]]


def second_gradients(case: op_table.Case, device: str, apart: Apart = nothing) -> list[Any]:
    """d(Σ (d out/d input)²)/d input: the gradients of the gradients."""
    with apart():
        tensors = case.tensors(tensor_on(device))
    leaves = [each for each in tensors if each.requires_grad]
    out = case.call(minitorch, *tensors)
    if not out.requires_grad:
        return []
    with apart():
        upstream = constant(moved(case.upstream(out.shape), out.device))
    first = minitorch.grad(out, leaves, upstream, create_graph=True, allow_unused=True)
    squares = [(each * each).sum() for each in first if each is not None and each.requires_grad]
    if not squares:
        return []
    minitorch.stack(squares).sum().backward()
    return [each.grad for each in leaves]


def layer(case: layer_cases.Case, device: str, apart: Apart = nothing) -> list[Any]:
    """Outputs, gradients of inputs and parameters, and buffers."""
    with apart():
        module, rng = layer_cases.prepared(case, nn, minitorch.tensor)
        module.to(device)
        drawn = [rng.uniform(0.1, 0.9, shape) for shape in case.shapes]
        inputs = [minitorch.tensor(values, device=device, requires_grad=True) for values in drawn]
        fixed = [minitorch.tensor(np.array(values), device=device) for values in case.fixed]
    outputs = layer_cases.flat(case.run(module, *inputs, *fixed))
    with apart():
        seeds = [constant(moved(rng.standard_normal(out.shape), device)) for out in outputs]
    sum((out * seed).sum() for out, seed in zip(outputs, seeds, strict=True)).backward()
    gradients = [leaf.grad for leaf in [*inputs, *module.parameters()]]
    return [*[out.data for out in outputs], *gradients, *[buffer.data for buffer in module.buffers()]]


def optimizer(run: tuple[str, str, dict[str, Any]], device: str, apart: Apart = nothing) -> list[Any]:
    """The parameters after three steps, and the optimiser's state."""
    _, kind, options = run
    with apart():
        params = [Tensor(values, device=device, requires_grad=True) for values in optim_problem.start()]
    made = getattr(optim, kind)(params, **options)
    for step in range(3):
        with apart():
            grads = optim_problem.gradients([to_host(each.data) for each in params], step)
            for param, grad in zip(params, grads, strict=True):
                param.grad = grad
        made.step()
        made.zero_grad(set_to_none=step < 1)
    state = [value for each in params for value in made.state[each].values() if not isinstance(value, (int, float))]
    return [*[each.data for each in params], *state]


def schedule(name: str, device: str, apart: Apart = nothing) -> list[Any]:
    """Learning rates and momentum of forty epochs, and the parameters after them."""

    def leaf(values: np.ndarray) -> Tensor:
        made = Tensor(values, device=device, requires_grad=True)
        made.grad = values / 7
        return made

    with apart():
        made = lr_schedules.optimizer_of(optim, leaf)
    rates = lr_schedules.curve(lr_schedules.SCHEDULES[name], optim.lr_scheduler, made)
    return [rates, *[each.data for group in made.param_groups for each in group["params"]]]


def training(name: str, device: str, steps: int = 10) -> list[Any]:
    """The losses of the first steps of a training."""
    return [np.array(curve(name, minitorch, tensor_on(device), steps, device))]


def example(name: str, device: str) -> list[Any]:
    """Runs an example briefly, to its end, and returns the losses that it would draw."""
    with mock.patch.object(sys, "path", [str(EXAMPLES), *sys.path]), tempfile.TemporaryDirectory() as folder:
        shared = importlib.import_module("shared")
        arguments = [name, *SHORT[name], "--device", device, "--plot", str(Path(folder) / "plot.png")]
        draws = mock.patch.object(shared, "draw_losses", wraps=shared.draw_losses)
        with mock.patch.object(sys, "argv", arguments), draws as drawn:
            runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
        assert Path(arguments[-1]).stat().st_size, "the plot is empty"
    (_, history), _ = drawn.call_args
    return [np.array(history.losses), np.array([record["loss"] for record in history.records])]


def difference(found: list[Any], expected: list[Any]) -> float:
    """The largest difference, relative where numbers are large: max |a - b| / (1 + |b|); nan and ∞ must agree.

    Raises AssertionError for other counts, shapes, dtypes or kinds of numbers.
    """
    assert len(found) == len(expected), f"{len(found)} results instead of {len(expected)}"
    worst = 0.0
    for ours, theirs in zip(found, expected, strict=True):
        assert (ours is None) == (theirs is None), "a gradient is there on one device only"
        if ours is None:
            continue
        ours, theirs = np.asarray(to_host(ours)), np.asarray(theirs)
        assert (ours.shape, ours.dtype) == (theirs.shape, theirs.dtype)
        if theirs.dtype.kind != "f":
            assert np.array_equal(ours, theirs), "integers or bools differ"
            continue
        finite = np.isfinite(theirs)
        assert np.array_equal(ours[~finite], theirs[~finite], equal_nan=True), "nan or infinities differ"
        if finite.any():
            gap = np.abs(ours[finite] - theirs[finite]) / (1 + np.abs(theirs[finite]))
            assert not np.isnan(gap).any(), "a number became nan"
            worst = max(worst, float(gap.max()))
    return worst


def quietly(run: Callable[[], list[Any]]) -> list[Any]:
    """Without NumPy's warnings, of which a GPU has none."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return run()
