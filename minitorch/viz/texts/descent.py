"""What is said of paths across a function of two numbers, in English and in Spanish, by key."""

from __future__ import annotations

EN: dict[str, str] = {
    "descent_title": "Paths across a function of two numbers",
    "descent_levels": "Level lines at {levels}.",
    "descent_path": "{name}: height {start} at the start, {end} after {steps}.",
    "descent_own": "the path",
    "descent_leaves": "It leaves the picture at step {step}.",
    "descent_lost": "From step {step} on it is nowhere: {value}.",
    "descent_frame": "Step {step}. Heights: {heights}.",
    "descent_begin": "The rings show where the paths begin. Heights: {heights}.",
    "descent_steps_one": "1 step",
    "descent_steps": "{count} steps",
    "descent_map": "digits: how high, from 0 at the lowest to 9; letters: points of the paths",
    "descent_odd": "The function is {value} at {share} % of the picture: no level lines there.",
}

ES: dict[str, str] = {
    "descent_title": "Caminos por una función de dos números",
    "descent_levels": "Curvas de nivel en {levels}.",
    "descent_path": "{name}: altura {start} al principio, {end} tras {steps}.",
    "descent_own": "el camino",
    "descent_leaves": "Sale de la imagen en el paso {step}.",
    "descent_lost": "Desde el paso {step} no está en ningún lugar: {value}.",
    "descent_frame": "Paso {step}. Alturas: {heights}.",
    "descent_begin": "Los anillos muestran dónde empiezan los caminos. Alturas: {heights}.",
    "descent_steps_one": "1 paso",
    "descent_steps": "{count} pasos",
    "descent_map": "cifras: qué tan alto, de 0 en lo más bajo a 9; letras: puntos de los caminos",
    "descent_odd": "La función es {value} en el {share} % de la imagen: ahí no hay curvas de nivel.",
}
