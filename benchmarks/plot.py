"""The ratios as a picture: how long a step of minitorch takes beside the others, and how long it may take."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

from benchmarks.race import Raced
from benchmarks.table import NAMES, ratio

# Okabe and Ito's blue, vermillion and grey: told apart with any eyes; the shape of the mark says it once more.
MET, MISSED, NO_GOAL = "#0072b2", "#d55e00", "#767676"
FORMATS = (".png", ".svg")


class PlotError(Exception):
    """A picture that cannot be made."""


def checked_path(path: Path) -> Path:
    """The path, if a picture can be written there. Raises PlotError: asked before anything is measured."""
    if path.suffix not in FORMATS:
        raise PlotError(f"the plot is written as {' or '.join(FORMATS)}, not as {path.name}")
    if not path.parent.is_dir():
        raise PlotError(f"there is no directory {path.parent} to write {path.name} into")
    _pyplot()
    return path


def save(found: list[Raced], path: Path) -> None:
    """Writes the picture: a panel for each contender, a line for each workload, both axes of ratios in powers of 2."""
    plt = _pyplot()
    contenders = [name for name in NAMES if any(name in raced.times for raced in found)]
    heights = [sum(name in raced.times for raced in found) for name in contenders]
    figure, axes = plt.subplots(
        len(contenders),
        figsize=(10, 0.42 * sum(heights) + 0.8 * len(contenders) + 0.6),
        height_ratios=[height + 0.5 for height in heights],
        squeeze=False,
        layout="constrained",
    )
    for axis, contender in zip(axes[:, 0], contenders, strict=True):
        _draw(axis, contender, [raced for raced in found if contender in raced.times])
    figure.suptitle("CPU time of one training step of minitorch, as a multiple of another's (less is better)")
    with plt.rc_context({"svg.fonttype": "none"}):  # letters stay letters: they can be read out, and searched
        # Without metadata, the same figures are the same file.
        nothing = dict.fromkeys(("Creator", "Date", "Format", "Type"))
        figure.savefig(path, dpi=150, metadata=nothing if path.suffix == ".svg" else None)
    plt.close(figure)


def _draw(axis: Any, contender: str, found: list[Raced]) -> None:
    axis.axvline(1, color=NO_GOAL, linewidth=0.8)
    values = []
    for place, raced in enumerate(found):
        value, goal = raced.ratio_to(contender), raced.workload.goals.get(contender)
        is_met = goal is None or value <= goal
        color = NO_GOAL if goal is None else MET if is_met else MISSED
        axis.plot(value, place, marker="o" if is_met else "X", markersize=8, color=color)
        said = ratio(value)
        values.append(value)
        if goal is not None:
            axis.plot(goal, place, marker="|", markersize=16, markeredgewidth=2, color="black")
            said += f"  (goal {ratio(goal)}, {'met' if is_met else 'missed'})"
            values.append(goal)
        axis.annotate(
            said, (1.01, place), xycoords=axis.get_yaxis_transform(), annotation_clip=False, va="center", size=8
        )
    axis.set_xscale("log", base=2)
    axis.set_xlim(min(0.5, *values) / 1.2, max(2.0, *values) * 1.2)
    axis.xaxis.set_major_formatter(lambda x, _: f"{x:g}×" if x >= 1 else f"1/{1 / x:g}")
    axis.set_yticks(range(len(found)), [textwrap.fill(raced.workload.title, 40) for raced in found], size=8)
    axis.set_ylim(len(found) - 0.4, -0.6)
    axis.set_title(f"beside {NAMES[contender]}", loc="left", size=10)
    axis.grid(axis="x", color="#dddddd", linewidth=0.6)
    axis.set_axisbelow(True)
    axis.spines[["top", "right", "left"]].set_visible(False)
    axis.tick_params(left=False)


def _pyplot() -> Any:
    try:
        import matplotlib as mpl
    except ModuleNotFoundError as error:
        raise PlotError('--plot needs matplotlib: pip install "minitorch-course[examples]"') from error
    mpl.use("agg")  # no window, whatever the surroundings
    from matplotlib import pyplot as plt

    return plt
