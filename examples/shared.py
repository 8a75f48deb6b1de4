"""What the examples share: options on the command line, matplotlib drawing into files, and the curve of a training."""

import argparse
from pathlib import Path
from types import ModuleType
from typing import Any

from minitorch.train import History


def options(description: str, **settings: tuple[Any, str]) -> argparse.Namespace:
    """The command line's answers. Each setting is a default, whose type it keeps, and one line of help."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    for name, (default, what) in settings.items():
        kind = {"action": "store_true"} if isinstance(default, bool) else {"type": type(default), "default": default}
        parser.add_argument(f"--{name}", help=what, **kind)
    parser.add_argument("--device", help="where it trains: cpu, or cuda with an NVIDIA GPU", default="cpu")
    return parser.parse_args()


def pyplot() -> ModuleType:
    """matplotlib.pyplot, which opens no window. Ends the program with one sentence where it is missing."""
    try:
        import matplotlib as mpl
    except ModuleNotFoundError:
        raise SystemExit('The plot needs matplotlib: pip install "minitorch-course[examples]"') from None
    mpl.use("Agg")
    from matplotlib import pyplot as plt

    return plt


def draw_losses(axes: Any, history: History) -> Any:
    """The loss of every step, and that on the held-out data where there was some. Returns the figure."""
    axes.plot(range(1, len(history.losses) + 1), history.losses, linewidth=0.6, alpha=0.5, label="training, each step")
    if "valid_loss" in history.records[-1]:
        axes.plot(history["step"], history["valid_loss"], marker="o", markersize=3, label="held-out data")
    axes.set(xlabel="step", ylabel="loss (nats)", yscale="log", title="Loss")
    axes.legend(frameon=False)
    return axes.figure


def saved(figure: Any, path: str) -> None:
    """Writes the figure and says where."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120, bbox_inches="tight")
    print(f"Plot: {path}")
