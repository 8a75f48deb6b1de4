"""The build hook: a wheel carries what every known-wrong version does, so that a learner's machine need not run them.

Making that takes a minute or two, for each version runs in a child. An editable installation gets none: a checkout
makes it for an exercise when somebody's answer to it is wrong.
"""

from __future__ import annotations

import atexit
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class KnownMistakes(BuildHookInterface[Any]):
    """Makes each lesson's table of known mistakes, and lays it beside the lesson's checks."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the tables. version: "standard" for a wheel, "editable" for an editable installation."""
        if version == "editable":
            return
        sys.path.insert(0, self.root)
        from minitorch.course.judging.behaviour import shipped
        from minitorch.course.judging.checks import load_checks
        from minitorch.course.manifest import load

        folder = Path(tempfile.mkdtemp())
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        for lesson in load().lessons:
            path = folder / f"{lesson.stem}.json"
            path.write_bytes(shipped(lesson, load_checks(lesson)))
            build_data["force_include"][str(path)] = str(lesson.known_mistakes.relative_to(self.root))
