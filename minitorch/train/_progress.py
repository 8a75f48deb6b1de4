"""The progress bar of `fit`: tqdm's, in the terminal and in the notebook."""

from __future__ import annotations

import sys
from typing import Any

__all__ = ["progress_bar"]


def progress_bar(wanted: bool, total: int | None, done: int) -> Any:
    """tqdm's bar for the environment that runs; a silent one if none is wanted, or tqdm is missing (which it says)."""
    if not wanted:
        return Silent()
    try:
        from tqdm.auto import tqdm
    except ModuleNotFoundError:
        sys.stderr.write('No progress bar: tqdm is not installed. pip install "minitorch-course[train]"\n')
        return Silent()
    return tqdm(total=total, initial=done, unit="step", dynamic_ncols=True)


class Silent:
    """A bar that shows nothing."""

    def update(self) -> None:
        """One step more."""

    def set_postfix_str(self, text: str, refresh: bool = True) -> None:
        """Nothing is written."""

    def close(self) -> None:
        """Nothing is left to clear."""
