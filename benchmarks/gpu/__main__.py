"""The report for docs/gpu.md, on a machine with a GPU: `python -m benchmarks.gpu`."""

from __future__ import annotations

import datetime as dt
import importlib.metadata
import importlib.util
import platform
import sys
from collections.abc import Iterator

import click
import numpy as np

from benchmarks.gpu import correctness, speed
from minitorch.backend import gpu_number, made_on


def surroundings(device: str) -> Iterator[str]:
    """The date, the GPU and the versions, one a line."""
    import cupy

    runtime = cupy.cuda.runtime
    name = runtime.getDeviceProperties(gpu_number(device) or 0)["name"].decode()
    yield f"* {dt.datetime.now(dt.UTC):%Y-%m-%d}, {name}"
    yield f"* CUDA {runtime.runtimeGetVersion()}, driver {runtime.driverGetVersion()}, {platform.platform()}"
    versions = f"* Python {platform.python_version()}, NumPy {np.__version__}, CuPy {cupy.__version__}"
    if importlib.util.find_spec("torch") is not None:
        versions += f", PyTorch {importlib.metadata.version('torch')}"
    yield versions


@click.command()
@click.option("--device", default="cuda", show_default=True, help="Which GPU: cuda, cuda:1, …")
@click.option("--speeds/--no-speeds", default=True, help="Whether training steps are timed, too.")
@click.option("--every", default=1, show_default=True, help="Of each kind of case only every so many-th: a quick look.")
def main(device: str, speeds: bool, every: int) -> None:
    """Compares the GPU with the CPU, case by case, then times training steps; prints the tables of docs/gpu.md.

    Ends with 1 when a case does not agree, with 2 when there is no GPU.
    """
    try:
        made_on(device, np.zeros, 1)
        families = correctness.families()
    except (RuntimeError, ValueError) as error:
        click.echo(f"No report: {error}", err=True)
        sys.exit(2)
    outcomes = []
    for family in families:
        chosen = dict(list(family.cases.items())[::every])
        click.echo(f"{family.title}: {len(chosen):,} cases", err=True)
        outcomes.append(
            correctness.checked(correctness.Family(family.title, chosen, family.run, family.within), device)
        )
    report = [*surroundings(device), "", *correctness.as_markdown(outcomes)]
    if speeds:
        found = []
        for workload in (*speed.SMALL, *speed.LARGE):
            click.echo(workload.title, err=True)
            found.append(speed.timed(workload, speed.contenders(device)))
        report += ["", *speed.as_markdown(found)]
    click.echo("\n".join(report))
    sys.exit(any(outcome.failures for outcome in outcomes))


if __name__ == "__main__":
    main()
