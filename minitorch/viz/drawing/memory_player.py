"""What the player of a program's memory is given: the drawing of each run, and the numbers behind it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minitorch.language import gettext, language
from minitorch.viz.drawing import controls, memory_words, palette
from minitorch.viz.drawing.memory import LEFT, MOST_ROWS, RIGHT, THEME, WIDTH, Across, patterns, single, together
from minitorch.viz.drawing.player import Player
from minitorch.viz.facts.memory import Run, rows

FRAME = 230  # pixels around the drawing: the bar, the sentences, the keys
TALLEST = 660  # of the drawing; what is more is scrolled to
ID = "m"  # begins the ids in a drawing: a player's are apart from all others


def player(runs: Sequence[Run], title: str, moment: int | None = None) -> Player:
    """The player: of several runs, first all of them side by side; of one, its peak, or the moment that is given."""
    shown = [_run(run, title) for run in runs]
    start = shown[0]["peak"] if moment is None else moment // shown[0]["together"]
    if len(runs) > 1:
        shown.insert(0, _overview(runs, title))
        start = 0
    memory = {
        "title": title,
        "hint": gettext("A button above, or its number, shows one run and its arrays."),
        "choice": gettext("which run"),
        "keys": " ".join(
            [
                gettext(
                    "← → a moment, Home, End, P to the peak; space plays. ↑ ↓ or a click: a row, and when "
                    "it was there. Escape lets it go."
                ),
                *([gettext("Numbers: another run.")] if len(runs) > 1 else []),
            ]
        ),
        "controls": {
            **controls.of_steps(),
            "step": gettext("moment"),
            "moment": " ".join(
                [
                    gettext(
                        "Moment {number} of {last} ({what}): {size}.",
                        number="{number}",
                        last="{last}",
                        what="{what}",
                        size="{size}",
                    ),
                    gettext("{count} of {total} rows alive.", count="{count}", total="{total}"),
                ]
            ),
            "close": gettext("close the details (Escape)"),
        },
        "lang": language(),
        "palette": {"light": palette.LIGHT, "dark": palette.DARK},
        "runs": shown,
    }
    height = FRAME + min(max(each["height"] for each in shown), TALLEST)
    return Player("memory.js", title, {"memory": memory, "run": 0, "step": start}, height)


def _run(run: Run, title: str) -> dict[str, Any]:
    across = Across(run, LEFT, RIGHT)
    heading = f"{title}: {run.name}" if run.name else title
    body, (top, foot, height) = single(run, heading, ID)
    whats = [memory_words.what(run, moment) for moment in across.moments]
    numbers = {said: number for number, said in enumerate(dict.fromkeys(whats))}
    shown, _ = rows(run, MOST_ROWS)
    return {
        "name": run.name,
        "shell": _shell(body, height),
        "top": top,
        "foot": foot,
        "height": height,
        "told": memory_words.told([run], heading),
        "last": len(run.moments) - 1,
        "peak": run.peak // across.together,
        "left": LEFT,
        "apart": across.apart,
        "together": across.together,
        "words": list(numbers),
        "columns": [
            [moment, numbers[said], int(run.reached[moment]), *map(int, run.levels[moment])]
            for moment, said in zip(across.moments, whats, strict=True)
        ],
        "rows": [
            {
                "name": run.places[row.place].name,
                "facts": memory_words.facts(run, row),
                "lives": [[each.birth, run.end_of(each)] for each in row.lives],
            }
            for row in shown
        ],
    }


def _overview(runs: Sequence[Run], title: str) -> dict[str, Any]:
    body, height = together(runs, title, ID)
    return {
        "name": gettext("side by side"),
        "shell": _shell(body, height),
        "height": height,
        "told": memory_words.told(runs, title),
        "peak": 0,
        "top": 0,
        "foot": 0,
        "columns": [],
    }


def _shell(body: Sequence[str], height: int) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{WIDTH}" height="{height}" '
        f'viewBox="0 0 {WIDTH} {height}"><style>{THEME.variables()}</style>{patterns(ID)}{"".join(body)}</svg>'
    )
