"""What a gate looks at in turns, because all of it takes too long: a quarter a day, so that four days have all."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")
QUARTERS = 4
DAY = 24 * 60 * 60  # seconds


def todays(things: Sequence[T]) -> list[T]:
    """Those whose turn it is today; with `MINITORCH_ALL=1` all of them."""
    today = int(time.time() // DAY) % QUARTERS
    return list(things) if os.environ.get("MINITORCH_ALL") else list(things[today::QUARTERS])
