"""Every sentence that `minitorch watch` says, in English and in Spanish, by key; `messages` says them."""

from __future__ import annotations

EN: dict[str, str] = {
    "watch_lesson": "lesson {number} · {title} · {name} ({index} of {count})",
    "watch_file": "file",
    "watch_checking": "checking …",
    "watch_checking_more": "checking … {count} to go",
    "watch_checked": "checked {at}",
    "watch_fault": "a check could not be made: {why}",
    "watch_write": "Next: write {target} in {file} and save.",
    "watch_mend": "Next: change {target} and save. Stuck? h shows a hint.",
    "watch_change": "Next: change {target} and save.",
    "watch_no_hints": "A checkpoint has no hints: you have met everything that it takes, and you may look it up.",
    "watch_go_on": "Passed. Next: {name} ({place}). Press n or Enter when you are ready.",
    "watch_all_passed": "Passed, and so is everything else: {total} of {total}.",
    "watch_broken": "✗ passed before and does not any more: {names}. l shows the list; Enter goes there.",
    "watch_progress": "{passed} of {total} passed · lesson {number}: {here} of {count}",
    "watch_progress_more": "more: {passed} of {total}",
    "watch_keys": "h hint · l list · a check all · r reset · n next · p previous · ? help · q quit",
    "watch_list_title": "the exercises: {shown}",
    "watch_filter_all": "all",
    "watch_filter_open": "those still open",
    "watch_filter_passed": "those passed",
    "watch_list_empty": "none",
    "watch_list_keys": "↑ ↓ or k j move · Enter go there · f all, open, passed · l back",
    "watch_more_above": "↑ {count} more",
    "watch_more_below": "↓ {count} more",
    "watch_ask_reset": "Take {name} back to its stub? Your version is kept in a backup. y yes · any other key no",
    "watch_ask_solution": "Show the solution of {name}? y yes · any other key no",
    "watch_ask_skip": "{name} has not passed. Press n again to leave it for later and go to {next}.",
    "watch_first": "this is the first exercise",
    "watch_only_this": "this is the only one left",
    "watch_all_checked": "everything is checked: {passed} of {total} passed",
    "watch_help": (
        "Change an exercise in your editor and save: it is checked at once. Nothing moves on until you say so.\n"
        "\n"
        "h  a hint on this exercise; again: the next step\n"
        "l  the list of exercises, to go to any of them\n"
        "a  check the whole course again\n"
        "r  take this exercise back to its stub (asks first, keeps a backup)\n"
        "n  the next exercise that has not passed; Enter does the same after a pass\n"
        "p  the exercise before this one\n"
        "↑ ↓  or k j: scroll what does not fit\n"
        "q  quit; Ctrl-C does the same"
    ),
    "watch_any_key": "any key goes back",
    "watch_plain": (
        "This is no terminal that keys can be read from, so watch prints the verdicts after every save. Ctrl-C ends it."
    ),
    "watch_saved": "{at} · {file} was saved",
    "watch_packages": 'watch needs {name}, which is missing; install it with: pip install "minitorch-course[course]"',
    "watch_no_exercises": "the course holds no exercise to watch",
}
ES: dict[str, str] = {
    "watch_lesson": "lección {number} · {title} · {name} ({index} de {count})",
    "watch_file": "archivo",
    "watch_checking": "comprobando …",
    "watch_checking_more": "comprobando … faltan {count}",
    "watch_checked": "comprobado a las {at}",
    "watch_fault": "no se pudo comprobar: {why}",
    "watch_write": "Ahora: escribe {target} en {file} y guarda.",
    "watch_mend": "Ahora: cambia {target} y guarda. ¿Sin ideas? h muestra una pista.",
    "watch_change": "Ahora: cambia {target} y guarda.",
    "watch_no_hints": "Un punto de control no tiene pistas: ya conoces todo lo que hace falta, y puedes consultarlo.",
    "watch_go_on": "Superado. Siguiente: {name} ({place}). Pulsa n o Intro cuando quieras seguir.",
    "watch_all_passed": "Superado, y todo lo demás también: {total} de {total}.",
    "watch_broken": "✗ estaba superado y ya no lo está: {names}. l muestra la lista; Intro va ahí.",
    "watch_progress": "superaste {passed} de {total} · lección {number}: {here} de {count}",
    "watch_progress_more": "extras: {passed} de {total}",
    "watch_keys": ("h pista · l lista · a comprobar todo · r restaurar · n siguiente · p anterior · ? ayuda · q salir"),
    "watch_list_title": "los ejercicios: {shown}",
    "watch_filter_all": "todos",
    "watch_filter_open": "los pendientes",
    "watch_filter_passed": "los superados",
    "watch_list_empty": "ninguno",
    "watch_list_keys": "↑ ↓ o k j mover · Intro ir ahí · f todos, pendientes, superados · l volver",
    "watch_more_above": "↑ {count} más",
    "watch_more_below": "↓ {count} más",
    "watch_ask_reset": "¿Restaurar el stub de {name}? Se guarda una copia de tu versión. s sí · otra tecla no",
    "watch_ask_solution": "¿Mostrar la solución de {name}? s sí · otra tecla no",
    "watch_ask_skip": "{name} aún no está superado. Pulsa n otra vez para dejarlo y pasar a {next}.",
    "watch_first": "este es el primer ejercicio",
    "watch_only_this": "este es el único que queda",
    "watch_all_checked": "todo está comprobado: superaste {passed} de {total}",
    "watch_help": (
        "Cambia un ejercicio en tu editor y guarda: se comprueba al momento. Nada avanza hasta que tú lo digas.\n"
        "\n"
        "h  una pista de este ejercicio; otra vez: el paso siguiente\n"
        "l  la lista de ejercicios, para ir a cualquiera\n"
        "a  comprobar otra vez todo el curso\n"
        "r  restaurar el stub de este ejercicio (pregunta antes y guarda una copia)\n"
        "n  el siguiente ejercicio sin superar; Intro hace lo mismo tras superar uno\n"
        "p  el ejercicio anterior a este\n"
        "↑ ↓  o k j: desplazar lo que no cabe\n"
        "q  salir; Ctrl-C hace lo mismo"
    ),
    "watch_any_key": "cualquier tecla vuelve",
    "watch_plain": (
        "Esto no es un terminal del que se puedan leer teclas: watch imprime los veredictos cada vez que guardas. "
        "Ctrl-C lo termina."
    ),
    "watch_saved": "{at} · se guardó {file}",
    "watch_packages": 'watch necesita {name}, que falta; instálalo con: pip install "minitorch-course[course]"',
    "watch_no_exercises": "el curso no tiene ningún ejercicio",
}
