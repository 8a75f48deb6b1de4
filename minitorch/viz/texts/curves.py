"""What is said of curves, in English and in Spanish, by key."""

from __future__ import annotations

EN: dict[str, str] = {
    "curve_title": "Curves",
    "curve_loss": "loss",
    "curve_place": "place",
    "curve_unnamed": "The curve",
    "curve_line": (
        "{name}: {first} at {across} {start}, {last} at {across} {end}; "
        "smallest {low} at {at_low}, largest {high} at {at_high}."
    ),
    "curve_point": "{name}: {first} at {across} {start}.",
    "curve_unfinite": "{name} is {number} at {across} {place}: the first number that has no place.",
    "curve_unplaced": "{count} numbers of {name} are 0 or less: an axis of powers of ten has no place for them.",
    "curve_together": "{name}: each point stands for {count} numbers, the line for their mean, the band for all.",
}

ES: dict[str, str] = {
    "curve_title": "Curvas",
    "curve_loss": "pérdida",
    "curve_place": "posición",
    "curve_unnamed": "La curva",
    "curve_line": (
        "{name}: {first} ({across} {start}), {last} ({across} {end}); "
        "mínimo {low} ({at_low}), máximo {high} ({at_high})."
    ),
    "curve_point": "{name}: {first} ({across} {start}).",
    "curve_unfinite": "{name} es {number} ({across} {place}): el primer número sin lugar en la figura.",
    "curve_unplaced": "{count} números de {name} son 0 o menos: un eje de potencias de diez no tiene lugar para ellos.",
    "curve_together": "{name}: cada punto reúne {count} números; la línea es su media, la banda los abarca todos.",
}
