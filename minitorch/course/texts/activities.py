"""What is said in checkpoints, bug hunts, reviews and checks of notebooks, in English and in Spanish, by key."""

from __future__ import annotations

EN: dict[str, str] = {
    # a checkpoint
    "no_hints_title": "{name}: no hints here",
    "no_hints": (
        "this is a checkpoint: you have met everything that it takes, and you may look it up. "
        "The solution is shown after {name} has passed, or with {command}"
    ),
}
ES: dict[str, str] = {
    "no_hints_title": "{name}: aquí no hay pistas",
    "no_hints": (
        "esto es un punto de control: ya conoces todo lo que hace falta, y puedes consultarlo. "
        "La solución se muestra cuando {name} está superado, o con {command}"
    ),
}
