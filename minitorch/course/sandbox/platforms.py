"""Where the course runs: with processes and threads, or in a browser, where there are none.

`MINITORCH_BROWSER=1` lets every machine do as a browser does; the tests use it, and nothing else needs it.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from minitorch.course.sandbox.runner import Runner


@dataclass(frozen=True, slots=True)
class Platform:
    """What the course may rely on."""

    processes: bool = True  # and threads: where there are none, checks judge in this very process
    deepest: int | None = None  # nodes in a row, at most: a browser's kernel dies when more are let go at once

    @classmethod
    def here(cls) -> Self:
        """The platform of this process."""
        browser = sys.platform == "emscripten" or os.environ.get("MINITORCH_BROWSER") == "1"
        return cls(processes=False, deepest=1000) if browser else cls()


def runner_for(source: str, file_name: str) -> Runner:
    """What runs a file's functions here: a child where processes can be started, otherwise this very process."""
    if Platform.here().processes:
        from minitorch.course.sandbox.runner import Runner

        return Runner(source, file_name)
    from minitorch.course.sandbox.inside import InsideRunner

    return InsideRunner(source, file_name)
