"""What is said of a classifier's regions, in English and in Spanish, by key."""

from __future__ import annotations

EN: dict[str, str] = {
    "boundary_title": "Decision boundary",
    "boundary_right": "{right} of {count} points lie in the region of their class.",
    "boundary_outlined": " The others are outlined.",
    "boundary_class": "Class {name}: {share} % of the picture, {points}, {lost} on the wrong side.",
    "boundary_plane": "Across: from {left} to {right}. Upwards: from {low} to {high}.",
    "points_one": "1 point",
    "points": "{count} points",
    "boundary_legend": "{region} region of class {name}, {mark} its points, {wrong} its points elsewhere",
    "boundary_odd": "The score is {value} at {share} % of the picture: no class, crossed out. {points} there.",
    "boundary_odd_legend": "{region} the score is {value}",
    "boundary_or": " or ",
    "boundary_line": "1 dashed line is drawn over the plane.",
    "boundary_lines": "{count} dashed lines are drawn over the plane.",
}

ES: dict[str, str] = {
    "boundary_title": "Frontera de decisión",
    "boundary_right": "{right} de {count} puntos están en la región de su clase.",
    "boundary_outlined": " Los demás llevan un borde.",
    "boundary_class": "Clase {name}: {share} % de la imagen, {points}, {lost} en el lado equivocado.",
    "boundary_plane": "En horizontal: de {left} a {right}. En vertical: de {low} a {high}.",
    "points_one": "1 punto",
    "points": "{count} puntos",
    "boundary_legend": "{region} región de la clase {name}, {mark} sus puntos, {wrong} sus puntos en otra región",
    "boundary_odd": "La puntuación es {value} en el {share} % de la imagen: sin clase, tachado. Ahí hay {points}.",
    "boundary_odd_legend": "{region} la puntuación es {value}",
    "boundary_or": " o ",
    "boundary_line": "Sobre el plano hay 1 recta a trazos.",
    "boundary_lines": "Sobre el plano hay {count} rectas a trazos.",
}
