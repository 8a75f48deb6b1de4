"""Races: every contender in a process of its own, all of them in turns, so that a busy machine slows all alike.

A process is started once. Each round it begins with the problem's weights again, takes a few steps that do not count,
and then as many as fill ROUND_SECONDS, on the clock of its own CPU time.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

import numpy as np
import pyperf

from benchmarks.steps.workload import Step, Workload

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
CURVE = 8
TOLERANCE = 1e-4
ROUND_SECONDS = 0.005
SLOW_SECONDS = 20.0  # a contender whose rounds took longer than this sits the others out
FEWEST_ROUNDS = 3


class RaceError(Exception):
    """A race that cannot be run, or whose contenders do not compute the same."""


@dataclass(frozen=True)
class Raced:
    """CPU seconds a step, a value for each round, by contender."""

    workload: Workload
    times: dict[str, pyperf.Benchmark]

    def minimum(self, contender: str) -> float:
        """Seconds of a step in the cheapest round: noise only ever adds."""
        return min(self.times[contender].get_values())

    def median(self, contender: str) -> float:
        """Seconds of a step in the round in the middle."""
        return self.times[contender].median()

    def ratio_to(self, contender: str) -> float:
        """How many times as long minitorch takes, by the minima."""
        return self.minimum("minitorch") / self.minimum(contender)

    def is_met(self, contender: str) -> bool:
        """Whether that ratio is within its goal."""
        return self.ratio_to(contender) <= self.workload.goals[contender]


def race(
    workload: Workload,
    contenders: Sequence[str],
    rounds: int = 100,
    seed: int = 0,
    watch: Callable[[int], None] = lambda done: None,
) -> Raced:
    """Checks that the contenders compute the same loss curve, then lets them take turns.

    watch is told how many rounds are done. Raises RaceError when the curves differ, or when a contender fails.
    """
    runners = {name: Runner(workload, name, seed) for name in contenders}
    try:
        require_same_curves(workload.name, {name: runner.losses(CURVE) for name, runner in runners.items()})
        steps = {name: math.ceil(ROUND_SECONDS / runner.seconds(1)) for name, runner in runners.items()}
        times: dict[str, list[float]] = {name: [] for name in contenders}
        spent = dict.fromkeys(contenders, 0.0)
        for done in range(rounds):
            for name, runner in runners.items():
                if done >= FEWEST_ROUNDS and spent[name] > SLOW_SECONDS:
                    continue
                start = time.perf_counter()
                times[name].append(runner.seconds(steps[name]))
                spent[name] += time.perf_counter() - start
            watch(done + 1)
    finally:
        for runner in runners.values():
            runner.stop()
    named = {name: f"{workload.name}: {name}" for name in contenders}
    return Raced(workload, {name: benchmark(named[name], times[name], steps[name]) for name in contenders})


def benchmark(name: str, seconds: Sequence[float], steps: int = 1) -> pyperf.Benchmark:
    """The times of rounds as pyperf keeps them: it does their statistics, and their JSON."""
    return pyperf.Benchmark([pyperf.Run(list(seconds), metadata={"name": name, "unit": "second", "loops": steps})])


def require_same_curves(name: str, curves: dict[str, list[float]]) -> None:
    """Raises RaceError unless all loss curves agree with the first to TOLERANCE, relatively."""
    (baseline, wanted), *others = curves.items()
    for contender, curve in others:
        for step, (have, want) in enumerate(zip(curve, wanted, strict=True)):
            if not abs(have - want) <= TOLERANCE * abs(want):  # nan is never within
                raise RaceError(
                    f"{name}: {contender} and {baseline} do not compute the same: in step {step} the loss of "
                    f"{contender} is {have:.6g}, that of {baseline} {want:.6g}, so their times cannot be compared"
                )


class Runner:
    """A contender's process, told over a pipe what to run."""

    def __init__(self, workload: Workload, contender: str, seed: int) -> None:
        self.contender, self.workload = contender, workload
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, workload, contender, seed), daemon=True)
        before = {name: os.environ.get(name) for name in ONE_THREAD}
        os.environ.update(ONE_THREAD)  # read by BLAS when the process imports it
        try:
            self._process.start()
        finally:
            for name, value in before.items():
                os.environ.pop(name) if value is None else os.environ.update({name: value})
        theirs.close()

    def losses(self, steps: int) -> list[float]:
        """The loss curve from the first step on."""
        return self._answer("losses", steps)

    def seconds(self, steps: int) -> float:
        """CPU seconds a step over that many steps, begun anew."""
        return self._answer("seconds", steps)

    def stop(self) -> None:
        """Ends the process."""
        self._pipe.close()  # which ends its loop
        self._process.join(timeout=5)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()

    def _answer(self, command: str, steps: int) -> Any:
        try:
            self._pipe.send((command, steps))
            failure, answer = self._pipe.recv()
        except (EOFError, BrokenPipeError) as error:
            raise RaceError(f"{self.workload.name}: the process of {self.contender} ended without an answer") from error
        if failure:
            raise RaceError(f"{self.workload.name}: {self.contender} failed:\n{failure}")
        return answer


def _serve(pipe: Connection, workload: Workload, contender: str, seed: int) -> None:
    """The loop of a contender's process: it ends with the pipe."""
    _keep_the_heap()
    commands = {"losses": _losses, "seconds": _seconds}
    problem = workload.draw(np.random.default_rng(seed))
    while True:
        try:
            command, steps = pipe.recv()
        except EOFError:
            return
        try:
            answer = None, commands[command](lambda: workload.step(contender, problem), steps)
        except Exception:  # noqa: BLE001 (whatever it was, whoever asked is told)
            answer = traceback.format_exc(), None
        pipe.send(answer)


def _losses(begin: Callable[[], Step], steps: int) -> list[float]:
    step = begin()
    return [float(step()) for _ in range(steps)]


def _seconds(begin: Callable[[], Step], steps: int) -> float:
    step = begin()
    for _ in range(1 if steps == 1 else 3):
        step()
    start = time.process_time()
    for _ in range(steps):
        step()
    return (time.process_time() - start) / steps


def _keep_the_heap() -> None:
    """What an optimiser of minitorch does for its process, for every contender.

    Else glibc hands the heap back to the system after each step, and a third of a step is page faults.
    """
    np.empty((1 << 25) - (1 << 14), np.uint8)
