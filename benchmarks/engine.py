"""The times of the engine, a script of pyperf: what a node costs, and an import.

`python -m benchmarks.engine chain|million|scalar|import`, with pyperf's options: it repeats in fresh processes,
calibrates, and writes JSON. Times are CPU time, but for those of whole programs.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np
import pyperf

LENGTH = 10_000
MILLION = 1_000_000
SIZES = {"1": 1, "1,000": 1_000}
PARTS = ("forward", "backward", "free")
PROGRAMS = {
    "import numpy": "import numpy",
    "first gradient": "from minitorch import Tensor; x = Tensor(2.0, requires_grad=True); (x * x).backward()",
}


def chain(loops: int, size: int, length: int, part: str) -> float:
    """CPU seconds that one part of so many chains of additions takes: forward, backward, or freeing the graph."""
    from minitorch import Tensor

    spent = dict.fromkeys(PARTS, 0.0)
    for _ in range(loops):
        x, one = Tensor(np.ones(size, np.float32), requires_grad=True), Tensor(np.ones(size, np.float32))
        seed = np.ones(size, np.float32)
        times = [time.process_time()]
        y = x
        for _ in range(length):
            y = y + one
        times.append(time.process_time())
        y.backward(seed)
        times.append(time.process_time())
        del y
        times.append(time.process_time())
        for name, start, stop in zip(PARTS, times, times[1:], strict=False):
            spent[name] += stop - start
    return spent[part]


def scalar_chain(loops: int) -> float:
    """CPU seconds of so many chains of `v * 1.001 + w` in the scalar engine, forward and backward."""
    from minitorch.scalar import Value

    start = time.process_time()
    for _ in range(loops):
        w, v = Value(0.5), Value(1.0)
        for _ in range(LENGTH // 2):
            v = v * 1.001 + w
        v.backward()
    return time.process_time() - start


def _pass_on(command: list[str], arguments: Any) -> None:
    command.append(arguments.part)


def main() -> None:
    """Measures one group, in processes of pyperf's."""
    runner = pyperf.Runner(program_args=("-m", "benchmarks.engine"), add_cmdline_args=_pass_on)
    runner.argparser.add_argument("part", choices=("chain", "million", "scalar", "import"))
    asked = runner.parse_args().part
    if asked == "chain":
        for title, size in SIZES.items():
            for part in PARTS:
                name = f"chain of {title}: {part}"
                runner.bench_time_func(name, chain, size, LENGTH, part, inner_loops=LENGTH)
    elif asked == "million":
        for part in PARTS[:2]:
            runner.bench_time_func(f"million: {part}", chain, 1, MILLION, part, inner_loops=MILLION)
    elif asked == "scalar":
        runner.bench_time_func("scalar chain", scalar_chain, inner_loops=LENGTH)
    else:
        for name, program in PROGRAMS.items():
            runner.bench_command(name, [sys.executable, "-c", program])


if __name__ == "__main__":
    main()
