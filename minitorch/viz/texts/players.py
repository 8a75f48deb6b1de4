"""What the controls of players say, in English and in Spanish, by key."""

from __future__ import annotations

EN: dict[str, str] = {
    "player_first": "first step (Home)",
    "player_previous": "previous step (left arrow)",
    "player_next": "next step (right arrow)",
    "player_last": "last step (End)",
    "player_play": "play",
    "player_play_key": "play (space)",
    "player_pause": "pause",
    "player_pause_key": "pause (space)",
    "player_speed": "speed: {speed} (s)",
    "player_slow": "slow",
    "player_normal": "normal",
    "player_fast": "fast",
    "player_step": "step",
    "player_pass_step": "step of the backward pass",
    "player_step_number": "step {step}",
    "player_smaller": "zoom out (-)",
    "player_larger": "zoom in (+)",
    "player_fit": "fit",
    "player_fit_key": "show all of it (0)",
    "player_details": "details",
    "player_close": "close the details (Escape)",
    "player_value_spoken": "value {value}",
    "player_pass_keys": "= sets a gradient, += adds to it. ← → one step, Home, End; space plays, s: speed. ↑ ↓ go to "
    "a box; there the arrows walk, and comma and full stop step. Enter or a click: details. Drag moves; click, then "
    "the wheel zooms.",
    "player_graph_keys": "↑ ↓ go to a box; there the arrows walk. Enter or a click: details. Drag moves; click, "
    "then the wheel zooms.",
    "player_film_keys": "← → one step, Home, End; space plays.",
    "player_film_choice": "↑ ↓ or a number: another picture.",
}

ES: dict[str, str] = {
    "player_first": "primer paso (Inicio)",
    "player_previous": "paso anterior (flecha izquierda)",
    "player_next": "paso siguiente (flecha derecha)",
    "player_last": "último paso (Fin)",
    "player_play": "reproducir",
    "player_play_key": "reproducir (espacio)",
    "player_pause": "pausa",
    "player_pause_key": "pausa (espacio)",
    "player_speed": "velocidad: {speed} (s)",
    "player_slow": "lenta",
    "player_normal": "normal",
    "player_fast": "rápida",
    "player_step": "paso",
    "player_pass_step": "paso del recorrido hacia atrás",
    "player_step_number": "paso {step}",
    "player_smaller": "alejar (-)",
    "player_larger": "acercar (+)",
    "player_fit": "ajustar",
    "player_fit_key": "mostrarlo todo (0)",
    "player_details": "detalles",
    "player_close": "cerrar los detalles (Escape)",
    "player_value_spoken": "valor {value}",
    "player_pass_keys": "= fija un gradiente, += le suma. ← → un paso, Inicio, Fin; espacio reproduce, s: velocidad. "
    "↑ ↓ van a una caja; allí las flechas recorren el grafo, y coma y punto avanzan por los pasos. Intro o un clic: "
    "detalles. Arrastrar lo mueve; tras un clic, la rueda acerca y aleja.",
    "player_graph_keys": "↑ ↓ van a una caja; allí las flechas recorren el grafo. Intro o un clic: detalles. Arrastrar "
    "lo mueve; tras un clic, la rueda acerca y aleja.",
    "player_film_keys": "← → un paso, Inicio, Fin; espacio reproduce.",
    "player_film_choice": "↑ ↓ o un número: otra figura.",
}
