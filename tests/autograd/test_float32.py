"""float32 stays float32 in training: every Tensor, gradient, saved value, state and buffer, and every value on the way.

A float64 number that NumPy computed is enough to widen all that comes after it, which then costs twice as much.
"""

import functools
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import layer_cases
import numpy as np
import pytest
from small_models import MAKE, nodes, training

import minitorch
from minitorch import Tensor, nn, optim
from minitorch.optim import lr_scheduler

FLOAT32 = np.dtype(np.float32)
PACKAGE = str(Path(minitorch.__file__).parent)
OPTIMIZERS: dict[str, Callable[..., optim.Optimizer]] = {
    "SGD": optim.SGD,
    "SGD with momentum": functools.partial(optim.SGD, momentum=0.9, nesterov=True, weight_decay=0.1),
    "Adam": functools.partial(optim.Adam, weight_decay=0.1, amsgrad=True),
    "AdamW": optim.AdamW,
    "RMSprop": functools.partial(optim.RMSprop, momentum=0.9, centered=True, weight_decay=0.1),
    "Adagrad": functools.partial(optim.Adagrad, lr_decay=0.1, weight_decay=0.1),
}
# What is computed in float64 on purpose, once for each geometry, and then kept in the dtype of the input.
EXACT = {
    ("pool.py", "_counts"),  # how many numbers are in each window
    ("pool.py", "_divisor"),
    ("resize.py", "_taps"),  # the places between numbers, and the weights of their neighbours
    ("resize.py", "_linear"),
    ("resize.py", "_cubic"),
    ("resize.py", "_resampled"),
    ("resize.py", "interpolate"),
}


def is_wide(value: Any) -> bool:
    """A float64 of NumPy, array or number; Python's floats adapt to the array that they meet."""
    if isinstance(value, Tensor):
        value = value.data
    return isinstance(value, (np.ndarray, np.generic)) and value.dtype in (np.float64, np.longdouble)


def flat(value: Any) -> Iterator[Any]:
    if isinstance(value, (tuple, list)):
        for each in value:
            yield from flat(each)
    elif isinstance(value, dict):
        for each in value.values():
            yield from flat(each)
    else:
        yield value


def wide_values(action: Callable[[], Any]) -> list[str]:
    """Where, in functions of minitorch, a local variable or a result was a float64 of NumPy."""
    found: list[str] = []

    def look(frame: FrameType, event: str, result: Any) -> None:
        code = frame.f_code
        if event != "return" or not code.co_filename.startswith(PACKAGE):
            return
        if (Path(code.co_filename).name, code.co_name) in EXACT:
            return
        names = {**frame.f_locals, "its result": result}
        found.extend(f"{code.co_qualname}: {name}" for name, value in names.items() if any(map(is_wide, flat(value))))

    sys.setprofile(look)
    try:
        action()
    finally:
        sys.setprofile(None)
    return sorted(set(found))


def wide_places(out: Tensor) -> list[str]:
    """The nodes behind a result that are float64, that saved one or that hold a gradient of one."""
    return [
        f"{node}"
        for node in nodes(out)
        if node.dtype != FLOAT32 or any(map(is_wide, [*flat(node.saved or ()), node.grad]))
    ]


@pytest.mark.parametrize("title", MAKE)
@pytest.mark.parametrize("kind", OPTIMIZERS)
def test_a_training_step_knows_no_float64(title: str, kind: str) -> None:
    each = training(title, OPTIMIZERS[kind])
    assert wide_places(nn.functional.cross_entropy(each.model(each.input), each.labels)) == []
    schedule = lr_scheduler.CosineAnnealingLR(each.optimizer, T_max=10)
    for _ in range(3):
        assert wide_values(each.step) == []
        schedule.step()
    for parameter in each.model.parameters():
        assert parameter.dtype == parameter.grad.dtype == FLOAT32
        state = [value for value in each.optimizer.state[parameter].values() if isinstance(value, np.ndarray)]
        assert {array.dtype for array in state} <= {FLOAT32}
    assert {np.asarray(buffer).dtype for buffer in each.model.buffers()} <= {FLOAT32, np.dtype(np.int64)}


@pytest.mark.parametrize("case", layer_cases.CASES, ids=lambda case: case.name)
def test_every_layer_and_loss_stays_float32(case: layer_cases.Case) -> None:
    module = case.make(nn).train(case.train)
    rng = case.rng()
    drawn = [rng.uniform(0.1, 0.9, shape) for shape in case.shapes]
    inputs = [Tensor(values.astype(np.float32), requires_grad=True) for values in drawn]
    fixed = [np.array(values) for values in case.fixed]
    fixed = [values.astype(np.float32) if values.dtype.kind == "f" else values for values in fixed]

    def step() -> None:
        outputs = layer_cases.flat(case.run(module, *inputs, *map(Tensor, fixed)))
        loss = sum((out * 0.5).sum() for out in outputs)
        assert wide_places(loss) == []
        loss.backward()
        assert {out.dtype for out in outputs} <= {FLOAT32}

    assert wide_values(step) == []
    gradients = [each.grad for each in (*inputs, *module.parameters()) if each.grad is not None]
    assert {gradient.dtype for gradient in gradients} <= {FLOAT32}
    assert {np.asarray(buffer).dtype for buffer in module.buffers()} <= {FLOAT32, np.dtype(np.int64)}


X = Tensor(np.array([0.5, 1.5, 2.5], np.float32), requires_grad=True)
NUMBERS: dict[str, Callable[[], Tensor]] = {
    "a Python float": lambda: X * 1.5 + 2.0 - 0.5 / X,
    "a Python int": lambda: (X + 1) / 3 - X**2,
    "a mean": lambda: X - X.mean(),
    "a 0-d result": lambda: X / X.sum() * X.std(),
    "one number of many": lambda: X * X[1] - X.max(),
    "a NumPy float32": lambda: X * np.float32(2),
    "a NumPy float64 alone": lambda: X * np.sqrt(2.0),
    "a norm": lambda: X / minitorch.linalg.vector_norm(X),
}


@pytest.mark.parametrize("title", NUMBERS)
def test_a_number_beside_float32_widens_nothing(title: str) -> None:
    X.grad = None
    out = NUMBERS[title]()
    assert out.dtype == FLOAT32
    assert wide_places(out) == []
    out.sum().backward()
    assert X.grad.dtype == FLOAT32


def test_clipping_the_norm_of_gradients_keeps_them_float32() -> None:
    each = training("MLP")
    each.step()
    for clip in (nn.utils.clip_grad_norm_, nn.utils.clip_grad_value_):
        clip(each.model.parameters(), 0.01)
    assert {parameter.grad.dtype for parameter in each.model.parameters()} == {FLOAT32}


def test_a_float64_is_noticed_in_the_graph_and_on_the_way() -> None:
    assert len(wide_places(X + Tensor(np.ones(3)))) == 1
    assert wide_values(lambda: (X.detach() * np.ones(3)).float()) != []  # float32 again at the end
