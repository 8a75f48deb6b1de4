"""Lesson 21, speed and devices: what a step must cost, what it does cost, and where its arrays live.

The functions take numbers, NumPy arrays and functions. Speeds are per second: operations per second, bytes per second.
At the end of the file stands a pretend device. It is given: a GPU for those who have none, which computes with NumPy
and counts on a clock of its own.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

Array = Any  # a NumPy array
Line = tuple[str, tuple[str, ...]]  # of a program: the name that it computes, and the names that it reads
Layer = tuple[Callable[[Array], Array], Callable[[Array, Array], Array]]  # forward(x), and vjp(g, x)


def roofline(operations: float, moved: float, peak: float, bandwidth: float) -> tuple[float, str]:
    """Return the least seconds that a piece of work takes, and what it waits for: "compute" or "memory".

    operations: how many the work needs. moved: how many bytes it reads and writes. peak: operations per second.
    bandwidth: bytes per second. All numbers, peak and bandwidth above 0. The machine computes and moves at the same
    time, so the slower of the two decides. Where both take equally long, say "compute".

        roofline(6.0, 8.0, 3.0, 1.0): to compute is 2.0 s, to move is 8.0 s, and the result (8.0, "memory")
    """
    computing, moving = operations / peak, moved / bandwidth
    return (computing, "compute") if computing >= moving else (moving, "memory")


def fused_softmax_ce(scores: Array, targets: Array, out: Array) -> float:
    """Return the cross-entropy, and write the gradient of the scores into out: both in one go.

    scores: (N, C), numbers of any size and sign; they are not changed. targets: (N,) whole numbers. out: (N, C), an
    array that is there already, with old numbers in it: overwrite them. Other arrays of (N, C) are allowed, and none is
    needed. The loss is the mean over the rows of -log(softmax of the row at its target), one number; the gradient is
    that of this mean. Neither may be inf or nan.

        scores = [[0., log(3.)]], targets = [0]: returns -log(0.25) = 1.3863; then out is [[-0.75, 0.75]]
    """
    rows = np.arange(len(targets))
    np.subtract(scores, scores.max(axis=1, keepdims=True), out=out)
    wanted = out[rows, targets]
    np.exp(out, out=out)
    sums = out.sum(axis=1)
    out /= sums[:, None]
    out[rows, targets] -= 1.0
    out /= len(targets)
    return float(np.mean(np.log(sums) - wanted))


def xp_of(*things: Any) -> Any:
    """Return the module that computes with these things: numpy, cupy, or the pretend device.

    things: arrays and Python's own int and float (no np.float64), as many as there are, in any order. home(thing) names
    the module that a thing comes from, "builtins" for a Python number. Numbers go with every device. module_of(name) is
    the module. Without any array it is numpy. TypeError where arrays of two modules meet. No number is copied from any
    device.

        xp_of(np.ones(2), 3.0) is np, so xp_of(np.ones(2), 3.0).sum([1., 2.]) is 3.0
        xp_of(2, pretend.asarray([1.0])) is pretend, and xp_of() is np
    """
    homes = {home(thing) for thing in things} - {"builtins"}
    if len(homes) > 1:
        raise TypeError(f"arrays of {' and '.join(sorted(homes))} meet: move one of them first")
    return module_of(homes.pop()) if homes else np


def checkpointed(layers: Sequence[Layer], x: Array, g: Array, every: int) -> Array:
    """Return the gradient of x, where g is that of the last layer's output. Keep few inputs and compute the rest anew.

    layers: pairs (forward, vjp), one layer or more; forward(x) is the layer's output, vjp(g, x) the gradient of its
    input x. x: the input of the first layer. every: a whole number from 1 on. On the way forward keep only the inputs
    of the layers 0, every, 2 · every, and so on. On the way back go from the last such stretch to the first, and
    compute the inputs within a stretch anew from the one that was kept. No forward is called more than twice.

        layers = [square, square, square], where square is (lambda x: x * x, lambda g, x: 2.0 * x * g)
        checkpointed(layers, x=[2.], g=[1.], every=2) is [1024.]: the slope of x**8 at 2
    """
    kept = {}
    for number, (forward, _) in enumerate(layers):
        if number % every == 0:
            kept[number] = x
        x = forward(x)
    for start in reversed(kept):
        stretch = layers[start : start + every]
        inputs = [kept[start]]
        for forward, _ in stretch[:-1]:
            inputs.append(forward(inputs[-1]))
        for (_, vjp), each in zip(reversed(stretch), reversed(inputs)):
            g = vjp(g, each)
    return g


def whole_speedup(seconds: Mapping[str, float], part: str, factor: float) -> float:
    """Return how many times as fast the whole becomes, if one part becomes `factor` times as fast.

    seconds: what was measured for each part, by name, numbers above 0; it is not changed. part: one of the names.
    factor: a number above 0, float("inf") too: then the part takes no time. Parts run one after the other. Returns one
    number, which may be inf.

        whole_speedup({"read": 6.0, "compute": 2.0}, "compute", 2.0) is 8 / 7
    """
    before = sum(seconds.values())
    after = sum(took / factor if name == part else took for name, took in seconds.items())
    return before / after if after else float("inf")


def stopwatch(
    run: Callable[[], Any], synchronize: Callable[[], Any], clock: Callable[[], float], repeats: int
) -> float:
    """Return the seconds that one run takes: the least of so many measurements.

    run() hands the work to a device and may return before it is done. synchronize() waits until all work that was
    handed over is done. clock() tells the seconds. Call run once without measuring it, for the first run does what is
    only done once; then measure `repeats` runs, each by itself, from the moment where the device has nothing left to
    do to the moment where the run is done. repeats: a whole number from 1 on. Returns one number.

        three runs that take 5, 2 and 3 seconds, and repeats = 2: stopwatch(run, synchronize, clock, 2) is 2.0
    """
    run()
    measured = []
    for _ in range(repeats):
        synchronize()
        start = clock()
        run()
        synchronize()
        measured.append(clock() - start)
    return min(measured)


def without_dead_code(lines: Sequence[Line], returned: Sequence[str]) -> list[Line]:
    """Return the lines of a program that are needed, in their order: what nobody uses is left out.

    lines: pairs (name, read), run from the first to the last: a line computes `name` from the names in `read`, a tuple
    that may be empty. A name may be computed again; then its old number is gone. A line may read the name that it
    computes. returned: the names whose numbers are wanted at the end. A line is needed if its number is wanted at the
    end, or read by a needed line. What is given is not changed; the result is a new list of the same pairs.

        without_dead_code([("a", ("x",)), ("b", ("a",)), ("c", ("a",))], ("c",))
        is [("a", ("x",)), ("c", ("a",))]: nobody uses b
    """
    needed, kept = set(returned), []
    for name, read in reversed(lines):
        if name in needed:
            kept.append((name, read))
            needed.discard(name)
            needed.update(read)
    kept.reverse()
    return kept


# ---------------------------------------------------------------------------------------- given: where an array lives


def home(thing: Any) -> str:
    """Return the name of the module that a thing's type comes from (given): "numpy", "cupy", "pretend", "builtins"."""
    return type(thing).__module__.partition(".")[0]


def module_of(name: str) -> Any:
    """Return the module of that name (given)."""
    return pretend if name == "pretend" else importlib.import_module(name)


# --------------------------------------------------------------------------------------------- given: a pretend device


class DeviceArray:
    """An array on the pretend device (given). It meets its like and Python's numbers, and no array of NumPy."""

    __module__ = "pretend"
    __array_ufunc__ = None  # then NumPy leaves it to the methods below

    def __init__(self, host: Array) -> None:
        """Hold the numbers."""
        self._host = host

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape, which the host knows without asking the device."""
        return self._host.shape

    def __array__(self, *args: Any, **options: Any) -> Array:
        """Refuse to become an array of NumPy in silence."""
        raise TypeError("this array is on the pretend device: copy it with get()")

    def __add__(self, other: Any) -> DeviceArray:
        """Return self + other."""
        return pretend.compute(np.add, self, other)

    def __sub__(self, other: Any) -> DeviceArray:
        """Return self - other."""
        return pretend.compute(np.subtract, self, other)

    def __mul__(self, other: Any) -> DeviceArray:
        """Return self * other."""
        return pretend.compute(np.multiply, self, other)

    def __truediv__(self, other: Any) -> DeviceArray:
        """Return self / other."""
        return pretend.compute(np.divide, self, other)

    def __matmul__(self, other: Any) -> DeviceArray:
        """Return self @ other."""
        return pretend.compute(np.matmul, self, other)

    __radd__, __rmul__ = __add__, __mul__

    def get(self) -> Array:
        """Return a copy as an array of NumPy: wait for the device, then copy."""
        return pretend.to_host(self)

    def __float__(self) -> float:
        """Return the one number: a copy to the host, too."""
        return float(self.get())

    def __bool__(self) -> bool:
        """Say whether the one number is not 0: a copy to the host, too."""
        return bool(self.get())


class Pretend:
    """The module of the pretend device (given). Its clock counts microseconds that nobody has to wait for."""

    __name__ = "pretend"
    LAUNCH, PER_NUMBER, COPY = 5.0, 0.001, 10.0  # microseconds: to hand work over; for each number; for each copy

    def __init__(self) -> None:
        """Begin with no work and no copies, at 0 microseconds."""
        self.now = self.done = 0.0
        self.copies = 0

    def asarray(self, numbers: Any) -> DeviceArray:
        """Return the numbers as an array on the device."""
        return DeviceArray(np.array(numbers, dtype=np.float64))

    def exp(self, x: DeviceArray) -> DeviceArray:
        """Return exp, entry by entry."""
        return self.compute(np.exp, x)

    def sum(self, x: DeviceArray, **options: Any) -> DeviceArray:
        """Return the sum, along an axis or of everything."""
        return self.compute(np.sum, x, **options)

    def max(self, x: DeviceArray, **options: Any) -> DeviceArray:
        """Return the largest, along an axis or of everything."""
        return self.compute(np.max, x, **options)

    def compute(self, function: Any, *operands: Any, **options: Any) -> DeviceArray:
        """Hand work over: the host goes on at once, and the device begins when it has done what came before."""
        for each in operands:
            if not isinstance(each, (DeviceArray, int, float)):
                raise TypeError(
                    f"the pretend device cannot compute with {home(each)}.{type(each).__name__}: asarray moves it"
                )
        hosts = [each._host if isinstance(each, DeviceArray) else each for each in operands]
        out = np.asarray(function(*hosts, **options))
        self.now += self.LAUNCH
        size = max(np.size(each) for each in [*hosts, out])
        self.done = max(self.done, self.now) + self.PER_NUMBER * size
        return DeviceArray(out)

    def synchronize(self) -> None:
        """Wait until the device has done everything."""
        self.now = max(self.now, self.done)

    def to_host(self, x: DeviceArray) -> Array:
        """Wait, copy, and count the copy."""
        self.synchronize()
        self.now += self.COPY
        self.copies += 1
        return x._host.copy()

    def clock(self) -> float:
        """Return the microseconds on the host's clock."""
        return self.now


pretend = Pretend()
