"""Every sentence about running what a learner wrote: its time, its folder, what else would run with it."""

from __future__ import annotations

EN = {
    "out_of_memory": "there is not enough memory here; `minitorch doctor` says how much a program may use",
    "pytest_stopped": (
        "nothing was judged: pytest would run or obey {file} in the process that judges. Move it out of the course "
        "folder, or say `minitorch check --all`, which judges without it"
    ),
    "browser_covers": (
        "in the browser your code runs beside the course: an endless loop is stopped and its line named, but a hang "
        "inside one call of NumPy, memory and isolation are not covered; should the kernel stop answering, restart it"
    ),
    # time that is shared
    "exercise_ran_out": (
        "the {checks} calls of `{target}` have {limit} s together, and only {calls} were answered in that time; "
        "each call by itself was within its limit"
    ),
    "file_ran_out": (
        "the checks of this file have {limit} s together, and `{longest}` took {seconds} s of them, so {calls} of "
        "{checks} calls were answered here. `minitorch check {name}` checks this one by itself"
    ),
    "file_ran_out_loading": (
        "the checks of this file have {limit} s together, and running the file itself took them, so {calls} of "
        "{checks} calls were answered here"
    ),
}
ES = {
    "out_of_memory": "aquí no hay memoria suficiente; `minitorch doctor` dice cuánta puede usar un programa",
    "pytest_stopped": (
        "no se comprobó nada: pytest ejecutaría u obedecería {file} en el mismo proceso que comprueba. Sácalo de la "
        "carpeta del curso, o usa `minitorch check --all`, que comprueba sin él"
    ),
    "browser_covers": (
        "en el navegador tu código se ejecuta junto al curso: un bucle sin fin se detiene y se nombra su línea, pero "
        "no están cubiertos un bloqueo dentro de una sola llamada a NumPy, la memoria ni el aislamiento; si el kernel "
        "deja de responder, reinícialo"
    ),
    "exercise_ran_out": (
        "las {checks} llamadas a `{target}` tienen {limit} s en total, y en ese tiempo solo {calls} recibieron "
        "respuesta; cada llamada por sí sola estuvo dentro de su límite"
    ),
    "file_ran_out": (
        "las comprobaciones de este archivo tienen {limit} s en total, y `{longest}` gastó {seconds} s, así que aquí "
        "solo {calls} de {checks} llamadas recibieron respuesta. `minitorch check {name}` comprueba solo este"
    ),
    "file_ran_out_loading": (
        "las comprobaciones de este archivo tienen {limit} s en total, y ejecutar el propio archivo los gastó, así que "
        "aquí solo {calls} de {checks} llamadas recibieron respuesta"
    ),
}
