"""What a notebook shows of a Tensor, a module and a training where a cell ends in one.

They know nothing of pictures: `register` tells IPython, where it runs. Their text stays beside it, for terminals and
for notebooks that are not trusted.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from typing import Any

from minitorch.viz.drawing import heat, html, module_tree
from minitorch.viz.facts import heat as heat_facts
from minitorch.viz.facts.module_tree import module_tree as tree_of
from minitorch.viz.views.curve import curve

Shown = Callable[[Any], str | None]


def tensor(x: Any) -> str | None:
    """A Tensor as a heat map; None where its entries are not real numbers."""
    facts = heat_facts.heat(x)
    if facts is None:
        return None
    told = heat.told(facts)
    seen = "".join(str(cells.tolist()) for _, cells in facts.slabs)
    return html.image(heat.draw(facts, f"mh{hashlib.sha256((told + seen).encode()).hexdigest()[:8]}"), told)


def module(model: Any) -> str:
    """A module as a tree that opens."""
    return module_tree.draw(tree_of(model))


def history(record: Any) -> str | None:
    """A training as its curves; None before its first step."""
    return curve(record)._shown() if record.losses else None


TYPES: tuple[tuple[str, str, Shown], ...] = (
    ("minitorch._tensor", "Tensor", tensor),
    ("minitorch.nn.module", "Module", module),
    ("minitorch.train.history", "History", history),
)


def register() -> None:
    """Tells the IPython that runs here how to show them; where none runs, nothing happens."""
    running = sys.modules.get("IPython")
    shell = running.get_ipython() if running is not None else None
    if shell is None:
        return
    formatter = shell.display_formatter.formatters["text/html"]
    for room, name, shown in TYPES:
        formatter.for_type_by_name(room, name, _careful(shown))


def _careful(shown: Shown) -> Shown:
    """The same, but a class that says itself how it is shown is asked, and what cannot be shown has its text alone."""

    def formatted(thing: Any) -> str | None:
        try:
            own = getattr(type(thing), "_repr_html_", None)
            return shown(thing) if own is None else own(thing)
        except Exception:  # noqa: BLE001 - a learner's half-made model: its text stands beside this
            return None

    return formatted
