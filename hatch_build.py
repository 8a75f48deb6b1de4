"""What a build adds: a wheel carries what every known-wrong version does, so that no learner's machine need run them.

Making that takes a minute or two, for each version runs in a child. An editable installation gets none: a checkout
makes it for an exercise when somebody's answer to it is wrong.

Its notebooks keep their outputs: `minitorch check --notebooks` and `minitorch init --outputs` compare with them.

The addresses of the project, and those in README as an index shows it, are made from the one name in pyproject.toml.
"""

from __future__ import annotations

import atexit
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface


class Addresses(MetadataHookInterface):
    """Gives the package its addresses, and its README those of what it links to."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Fill in what pyproject.toml calls dynamic."""
        sys.path.insert(0, str(Path(self.root) / "scripts"))
        import addresses

        named = addresses.repository()
        readme = addresses.elsewhere(addresses.README.read_text(encoding="utf-8"), named)
        metadata["readme"] = {"content-type": "text/markdown", "text": readme}
        metadata["urls"] = addresses.urls(named)


class Material(BuildHookInterface[Any]):
    """Lays into a wheel the tables of known mistakes and the notebooks."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make both. version: "standard" for a wheel, "editable" for an editable installation, which gets neither."""
        if version == "editable":
            return
        self.folder = Path(tempfile.mkdtemp())
        atexit.register(shutil.rmtree, self.folder, ignore_errors=True)
        into = build_data["force_include"]
        into.update(self.known_mistakes())
        into.update(self.notebooks())

    def known_mistakes(self) -> Iterator[tuple[str, str]]:
        """Each lesson's table, and where it is beside the lesson's checks."""
        sys.path.insert(0, self.root)
        from minitorch.course.judging.behaviour import shipped
        from minitorch.course.judging.checks import load_checks
        from minitorch.course.manifest import load

        for lesson in load().lessons:
            path = self.folder / f"{lesson.stem}.json"
            path.write_bytes(shipped(lesson, load_checks(lesson)))
            yield str(path), str(lesson.known_mistakes.relative_to(self.root))

    def notebooks(self) -> Iterator[tuple[str, str]]:
        """Every file of notebooks/ with its stored outputs, and where it is in the package."""
        shown = Path(self.root) / "notebooks"
        for source in sorted([*shown.rglob("*.ipynb"), *shown.rglob("*.md"), shown / "conftest.py"]):
            yield str(source), f"minitorch/course/material/notebooks/{source.relative_to(shown).as_posix()}"
