"""Every sentence that the course machinery says to a learner, in English and in Spanish, by key.

`say("wrong_shape", what=..., ...)` fills one in. The two languages have the same keys and the same fields (tested).
"""

from __future__ import annotations

from minitorch.compat.porting import sentences as porting_rules
from minitorch.course.texts import activities, class_pages, counts
from minitorch.course.texts import exporting as export_texts
from minitorch.course.texts import grading as grading_texts
from minitorch.course.texts import porting as porting_texts
from minitorch.course.texts import properties as property_texts
from minitorch.course.texts import running as running_texts
from minitorch.course.texts import unreadable as unreadable_texts
from minitorch.course.texts import watching as watch_texts
from minitorch.language import Text, sentence

EN: dict[str, str] = {
    # what a judge finds
    "is_none": "{what} is None; is a `return` missing?",
    "not_a_number": "{what} is of type {type}, not a plain number",
    "not_finite": "{what} is not finite",
    "wrong_number": "{what} is wrong",
    "not_a_list": "{what} is of type {type}, not a list",
    "wrong_length": "{what} has {got} entries instead of {want}",
    "not_an_array": "{what} is of type {type}, not an array",
    "wrong_shape": "{what} has shape {got} instead of {want}",
    "wrong_dtype": "{what} has dtype {got} instead of {want}",
    "wrong_entry": "{what} differs first at {index}",
    "wrong_type": "{what} is of type {got} instead of {want}",
    "wrong_value": "{what} is wrong",
    "unjudgeable": "what came back is of type {type}, and no number or list could be read out of it",
    # what happened instead of an answer
    "error": "`{target}` raised {error}",
    "other_exception": "this input must be refused with `{wanted}`, but `{target}` raised {error}",
    "error_means": "{means} (`{target}` raised {error})",
    "recursion_itself": "`{function}` calls itself at this line, over and over: does it use the very thing it defines?",
    "recursion_together": "functions of this file call one another without end",
    "recursion_deep": (
        "`{function}` calls itself for each step of a path, and this graph has {deep} steps behind one another: Python "
        "allows about 1,000 such calls. A loop with a list of your own has no limit"
    ),
    "still_raises_below": (
        "line {line} still raises NotImplementedError, so Python never reaches what stands below it: delete that line"
    ),
    "still_raises_above": (
        "line {line} still raises NotImplementedError after what you wrote: delete that line once all is written"
    ),
    "thrown_away": "line {line} compares with == and does nothing with the answer; a single = puts a value there",
    "error_power": "`{target}` raised {error}. A power is written ** in Python; ^ is something else",
    "load_error": "the file could not be loaded: {error}",
    "load_error_means": "the file could not be loaded: {means} ({error})",
    "load_exited": "it ended the Python process itself (exit code {code})",
    "load_crashed": "it crashed the Python process ({text})",
    "missing": "the file does not define `{target}`",
    "empty_file": "the file is empty: it does not define `{target}`",
    "not_callable": "`{target}` is of type {type}, not a function",
    "needs": "`{target}` needs `{other}`, which is not started yet",
    "needs_reflected": (
        "in this line a plain number meets a Value, or an array a Tensor, so Python asked `{other}`, which is not "
        "started yet; is a `.data` missing?"
    ),
    "needs_sign": "the sign in this line asks `{other}`, which is not started yet; is a `.data` missing?",
    "and_also": "{first} And: {second}",
    "and_besides": "{first} And this is left: {second}",
    "and_more": "{first} That does not explain everything: something else is wrong as well.",
    "begin_there": "`{other}` does not pass yet: begin there. What happens here: {rest}",
    "arguments": "`{target}` cannot be called as the exercise asks ({error}): keep the line with `def` as it was",
    "returned_none": "the check got None where it went on with a result ({error}); is a `return` missing?",
    "unusable": "the check could not use what your code defines: {error}",
    "unsendable": "what came back is too large to look at: {text}",
    "system_exit": "{what} called sys.exit() instead of returning",
    "exited": "the code ended the Python process itself (exit code {code}) before `{target}` had returned",
    "crashed": "the Python process crashed inside `{target}` ({text})",
    "killed": "the Python process was killed, most often because memory ran out",
    "full": "the code wrote more than 1000 files or 256 MB into the folder that it runs in",
    "memory": "the code asked for more memory than a check may use (1 GiB)",
    "timeout": "{what} was still running after {limit} s",
    "timeout_at": "{what} was still running after {limit} s, at line {line} of {file}",
    "the_file": "the file itself",
    "protocol": "the code wrote into the channel that answers travel through ({text}); nothing it sent there counts",
    "patched": "the file replaces Python's own {names}; a check needs the originals",
    "miscounted": "{run} of {checks} checks were run, so nothing counts: the course itself is at fault",
    # the learner's file
    "file_missing": "{file} is missing; `minitorch reset {stem}` brings it back",
    "file_unreadable": "{file} cannot be read ({why}); it must be a regular file",
    "file_too_large": "{file} is larger than 1 MiB: take out what is no code, such as data or outputs",
    # the frame around a verdict
    "asked": "asked",
    "input": "input",
    "try": "try",
    "expected": "expected",
    "got": "got",
    "at": "at",
    "hint": "hint",
    "printed": "your code printed",
    "line_of": "line {line} of {file}",
    "more_lines": "… {count} more lines",
    "summary": "{passed} of {total} passed",
    "more_open": "{count} more open",
    "more_passed": "{count} more passed",
    "all_done": "all done",
    "not_saved": "progress could not be saved in {folder} ({why}); the verdict stands all the same",
    "set_aside": "the saved progress of {name} could not be read; it was set aside as {file}",
    "no_limit": "running in this process: no time limit and no protection holds",
    "status_title": "your progress",
    "minutes": "{minutes} min",
    "minutes_left": "about {minutes} min left",
    "hours_left": "about {hours} h left",
    "hours": "{hours} h",
    "more_left": "{time} more",
    "more_exercise": "more",
    "points": "{points} of {total} points",
    "point": "{points} point",
    "some_points": "{points} points",
    "done": "done",
    "next_lesson": "all that is required here has passed · after this notebook: lesson {title}, {place}",
    "next_exercise": "next: `{target}` in {place}, then `{ask}`",
    "next_write": "next: write `{target}` in {place}, then `{ask}`",
    "next_mend": "next: mend `{target}` in {place}, then `{ask}`",
    "hints_used": "hints used",
    "step_question": "question",
    "step_pointer": "pointer",
    "step_pseudo_code": "pseudo-code",
    "step_solution": "solution",
    # the check button
    "button_check": "check {names}",
    "button_hint": "hint",
    "button_more": "press “hint” again",
    "button_still": "run this cell to get the buttons “{check}” and “{hint}”",
    "button_running": "checking {names} …",
    "button_done": "checked again",
    "button_same": "checked again: {files} has not changed since the last check. Is it saved (Ctrl+S)?",
    "button_missing": (
        'the check button needs anywidget, which is missing. Install it with: pip install "minitorch-course[viz]". '
        "Until then, run this cell again to check"
    ),
    # an engine of one's own
    "engine_count": "yours {yours} · reference {reference}",
    "engine_yours": "yours",
    "engine_wrong": "{count} of yours not right",
    "engine_unused": "passed, but not used here",
    "engine_file": "lesson {lesson} comes whole from the reference: {reason}",
    "engine_whole": (
        "lesson {lesson} comes whole from the reference: its checks ran your file, but here running it raised {error}"
    ),
    "engine_misfit": (
        "lesson {lesson}: {names} passed in your file, but not beside the reference's pieces; "
        "two mistakes may be making up for each other"
    ),
    "engine_given": "lesson {lesson}: what was given is used as you changed it: {names}",
    "yours_unloadable": "{file} cannot be loaded: {error}",
    "no_engine": "there is no engine {word}; there are 'mine' and 'reference'",
    "engine_first": "lesson {lesson} has no piece of an engine: the first ones are written in lesson 01",
    "engine_no_name": "the engine up to lesson {last} has no {name}; {more}",
    "engine_no_lesson": "this engine has no lesson {lesson}; it has {names}",
    # hints and quizzes
    "hint_missing": "Put the name back as it was, or take the whole file back with `minitorch reset {lesson}`",
    "hint_timeout": "Is there a loop that never ends, or one that grows with every round?",
    "hint_title": "{name}: hint {step} of {steps}",
    "hint_more": "more: {command}",
    "hint_solution": "{name}: the solution",
    "hint_confirm": "{name} has {count} hints and no more; its solution is shown once it has passed, or with {command}",
    "quiz_right": "right",
    "quiz_wrong": "not this one",
    "quiz_how": "to answer, put your letter in: {command}",
    "quiz_still": "run this cell to answer with a click",
    "quiz_again": "choose another answer: you may try as often as you like",
    "quiz_typed_again": "another try: {command}",
    # the command line
    "reset_done": "{what} is back to its stub; your version is kept in {backup} (copy it back to undo this)",
    "link_written": "{file} is a link, so this was written to {written}",
    "reset_missing_file": "{what} was missing and is written anew",
    "reset_nothing": "{what} is untouched: nothing to reset",
    "reset_broken": (
        "{file} does not parse, so {target} cannot be taken out by itself; "
        "`minitorch reset {lesson}` resets the whole file"
    ),
    "reset_missing": ("{file} does not define {target} any more; `minitorch reset {lesson}` resets the whole file"),
    "reset_what": "name an exercise or a lesson to reset, or say --all",
    "no_such": "there is no exercise or lesson {word}; {more}",
    "no_exercise": "there is no exercise {word}; {more}",
    "no_lesson": "there is no lesson {word}; {more}",
    "did_you_mean": "did you mean {names}?",
    "lessons_are": "the lessons are: {names}",
    "exercises_are": "the exercises are: {names}",
    "listed_by": "`minitorch status` lists the lessons, and `minitorch status 01` the exercises of one",
    "no_hint": "{name} has hints 1 to {count}; {step} is none of them",
    "no_question": "there is no question {id}; there is {near}",
    "no_option": "{id} has the options {options}; {letter} is none of them",
    "no_course": (
        "no course folder here: no `exercises/` with lessons in {folder} or above it; "
        "go into your course folder (cd), or make one with `minitorch init DIR`"
    ),
    "no_course_named": "MINITORCH_COURSE names {folder}, which is not a folder",
    "init_done": "course folder laid out in {folder}; next: cd {folder} and `minitorch lab`",
    "init_no_lab": 'JupyterLab is not here yet; `minitorch lab` needs it: pip install "minitorch-course[lab]"',
    **watch_texts.EN,
    **activities.EN | class_pages.EN | counts.EN | export_texts.EN | grading_texts.EN,
    **porting_texts.EN | porting_rules.EN,
    **property_texts.EN,
    **running_texts.EN,
    **unreadable_texts.EN,
    # upgrade
    "upgrade_new": "{file}: new",
    "upgrade_replaced": "{file}: replaced by this version's stub; you had not changed it",
    "upgrade_merged": "{file}: this version's stub with your answers in it ({names})",
    "upgrade_parts": "{file}: brought up to date where you had written nothing yet ({names})",
    "upgrade_kept": "{file}: changed by you, left as it is",
    "upgrade_kept_new": "{file}: changed by you, left as it is; new in this version: {names} (see {stub})",
    "upgrade_backup": "    what was there is kept in {backup}",
    "upgrade_notebook_new": "work/{name}: new",
    "upgrade_notebook_replaced": "work/{name}: replaced by this version's; you had not changed it",
    "upgrade_notebook_kept": (
        "work/{name}: changed by you, left as it is; to get this version's, rename yours and say `minitorch upgrade`"
    ),
    "upgrade_notebook_other": (
        "work/{name}: you have worked in it, so it stays in its language; to get it in this one, rename yours and say "
        "`minitorch upgrade`"
    ),
    "file_busy": "{file} is being written to right now, so it stays as it is; run the command again in a moment",
    "upgrade_fresh": "everything is up to date: nothing to do",
    "upgrade_dry": "nothing was written (--dry-run); `minitorch upgrade` does what is listed above",
    "upgrade_reload": "is one of these files open in an editor? Load it again there before you type",
    "upgrade_folder": "{folder} cannot be written: {why}; what was done so far holds, and `minitorch upgrade` goes on",
    # the doctor
    "doctor_child": "a check runs in a process of its own ({ms} ms)",
    "doctor_child_fault": "a check cannot run in a process of its own: {why}",
    "doctor_fine": "nothing is in the way",
    "doctor_faults": "faults to mend: {count}",
}
ES: dict[str, str] = {
    "is_none": "{what} es None; ¿falta un `return`?",
    "not_a_number": "{what} es de tipo {type}, no un número normal de Python",
    "not_finite": "{what} no es un número finito",
    "wrong_number": "{what} no coincide con lo esperado",
    "not_a_list": "{what} es de tipo {type}, no una lista",
    "wrong_length": "{what} tiene {got} entradas en vez de {want}",
    "not_an_array": "{what} es de tipo {type}, no un array",
    "wrong_shape": "{what} tiene forma {got} en vez de {want}",
    "wrong_dtype": "{what} tiene dtype {got} en vez de {want}",
    "wrong_entry": "{what} difiere por primera vez en {index}",
    "wrong_type": "{what} es de tipo {got} en vez de {want}",
    "wrong_value": "{what} no coincide con lo esperado",
    "unjudgeable": "lo que devolvió tu código es de tipo {type}; no se pudo sacar de ahí ningún número ni lista",
    "error": "`{target}` lanzó {error}",
    "other_exception": "esta entrada debe rechazarse con `{wanted}`, pero `{target}` lanzó {error}",
    "error_means": "{means} (`{target}` lanzó {error})",
    "recursion_itself": "`{function}` se llama a sí misma en esta línea una y otra vez: ¿usa justo lo que define?",
    "recursion_together": "las funciones de este archivo se llaman unas a otras sin fin",
    "recursion_deep": (
        "`{function}` se llama a sí misma en cada paso de un camino, y este grafo tiene {deep} pasos seguidos: Python "
        "permite unas 1.000 llamadas así. Un bucle con una lista propia no tiene límite"
    ),
    "still_raises_below": (
        "la línea {line} aún lanza NotImplementedError, así que Python no llega a lo que escribiste debajo: bórrala"
    ),
    "still_raises_above": (
        "la línea {line} aún lanza NotImplementedError tras lo que escribiste encima: bórrala cuando todo esté escrito"
    ),
    "thrown_away": "la línea {line} compara con == y no hace nada con la respuesta; un solo = pone ahí un valor",
    "error_power": "`{target}` lanzó {error}. En Python una potencia se escribe **; ^ es otra cosa",
    "load_error": "no se pudo cargar el archivo: {error}",
    "load_error_means": "no se pudo cargar el archivo: {means} ({error})",
    "load_exited": "terminó el proceso de Python por su cuenta (código de salida {code})",
    "load_crashed": "hizo caer el proceso de Python ({text})",
    "missing": "el archivo no define `{target}`",
    "empty_file": "el archivo está vacío: no define `{target}`",
    "not_callable": "`{target}` es de tipo {type}, no una función",
    "needs": "`{target}` necesita `{other}`, que está sin empezar",
    "needs_reflected": (
        "en esta línea un número normal de Python se encuentra con un Value, o un array con un Tensor, y Python llamó "
        "a `{other}`, que está sin empezar; ¿falta un `.data`?"
    ),
    "needs_sign": "el signo de esta línea llama a `{other}`, que está sin empezar; ¿falta un `.data`?",
    "and_also": "{first} Y hay otra cosa. {second}",
    "and_besides": "{first} Y queda esto: {second}",
    "and_more": "{first} Eso no lo explica todo: algo más está mal también.",
    "begin_there": "`{other}` aún no está superado: empieza por ahí. Lo que ocurre aquí: {rest}",
    "arguments": "`{target}` no se puede llamar como pide el ejercicio ({error}): deja la línea de `def` como estaba",
    "returned_none": "la comprobación recibió None donde necesitaba un resultado ({error}); ¿falta un `return`?",
    "unusable": "la comprobación no pudo usar lo que define tu código: {error}",
    "unsendable": "lo que devolvió tu código es demasiado grande para revisarlo: {text}",
    "system_exit": "{what} llamó a sys.exit() en vez de devolver un resultado",
    "exited": "el código terminó el proceso de Python (código {code}) antes de que `{target}` devolviera nada",
    "crashed": "el proceso de Python se cayó dentro de `{target}` ({text})",
    "killed": "algo terminó el proceso de Python, casi siempre por falta de memoria",
    "full": "el código escribió más de 1000 archivos o 256 MB en la carpeta en la que se ejecuta",
    "memory": "el código pidió más memoria de la que puede usar una comprobación (1 GiB)",
    "timeout": "{what} seguía en marcha después de {limit} s",
    "timeout_at": "{what} seguía en marcha después de {limit} s, en la línea {line} de {file}",
    "the_file": "el propio archivo",
    "protocol": "el código escribió en el canal por el que viajan las respuestas ({text}); nada de eso cuenta",
    "patched": "el archivo reemplaza {names} de Python; la comprobación necesita los originales",
    "miscounted": "se hicieron {run} de {checks} comprobaciones, así que nada cuenta: el fallo es del curso",
    "file_missing": "falta {file}; `minitorch reset {stem}` lo recupera",
    "file_unreadable": "no se puede leer {file} ({why}); debe ser un archivo normal",
    "file_too_large": "{file} ocupa más de 1 MiB: quita lo que no es código, como datos o resultados",
    "asked": "se pide",
    "input": "entrada",
    "try": "prueba",
    "expected": "esperado",
    "got": "obtenido",
    "at": "en",
    "hint": "pista",
    "printed": "tu código imprimió",
    "line_of": "línea {line} de {file}",
    "more_lines": "… {count} líneas más",
    "summary": "superaste {passed} de {total}",
    "more_open": "extras por hacer: {count}",
    "more_passed": "extras superados: {count}",
    "all_done": "todo hecho",
    "not_saved": "no se pudo guardar el progreso en {folder} ({why}); el veredicto sigue siendo válido",
    "set_aside": "no se pudo leer el progreso guardado de {name}; quedó apartado como {file}",
    "no_limit": "en este mismo proceso: no hay límite de tiempo ni protección",
    "status_title": "tu progreso",
    "minutes": "{minutes} min",
    "minutes_left": "quedan unos {minutes} min",
    "hours_left": "quedan unas {hours} h",
    "hours": "{hours} h",
    "more_left": "{time} de extras",
    "more_exercise": "extra",
    "points": "{points} de {total} puntos",
    "point": "{points} punto",
    "some_points": "{points} puntos",
    "done": "hecho",
    "next_lesson": "aquí ya pasó todo lo obligatorio · después de este cuaderno: lección {title}, {place}",
    "next_exercise": "siguiente: `{target}` en {place}; luego `{ask}`",
    "next_write": "siguiente: escribe `{target}` en {place}; luego `{ask}`",
    "next_mend": "siguiente: corrige `{target}` en {place}; luego `{ask}`",
    "hints_used": "pistas usadas",
    "step_question": "pregunta",
    "step_pointer": "indicación",
    "step_pseudo_code": "pseudocódigo",
    "step_solution": "solución",
    "button_check": "comprobar {names}",
    "button_hint": "pista",
    "button_more": "pulsa «pista» otra vez",
    "button_still": "ejecuta esta celda para tener los botones «{check}» y «{hint}»",
    "button_running": "comprobando {names} …",
    "button_done": "comprobado de nuevo",
    "button_same": (
        "comprobado de nuevo: {files} no ha cambiado desde la última comprobación. ¿Está guardado (Ctrl+S)?"
    ),
    "button_missing": (
        'el botón de comprobar necesita anywidget, que falta. Instálalo con: pip install "minitorch-course[viz]". '
        "Mientras tanto, ejecuta esta celda otra vez para comprobar"
    ),
    "engine_count": "tuyas {yours} · de referencia {reference}",
    "engine_yours": "tuyas",
    "engine_wrong": "{count} de las tuyas con errores",
    "engine_unused": "superado, pero no se usa aquí",
    "engine_file": "la lección {lesson} viene entera de la referencia: {reason}",
    "engine_whole": (
        "la lección {lesson} viene entera de la referencia: las comprobaciones ejecutaron tu archivo, "
        "pero al ejecutarlo aquí lanzó {error}"
    ),
    "engine_misfit": (
        "lección {lesson}: {names} se superó en tu archivo, pero no junto a las piezas de referencia; "
        "puede que dos errores se compensen"
    ),
    "engine_given": "lección {lesson}: lo que venía dado se usa tal como lo cambiaste: {names}",
    "yours_unloadable": "{file} no se puede cargar: {error}",
    "no_engine": "no hay ningún motor {word}; hay 'mine' y 'reference'",
    "engine_first": "la lección {lesson} no tiene ninguna pieza de un motor: las primeras se escriben en la lección 01",
    "engine_no_name": "el motor hasta la lección {last} no tiene {name}; {more}",
    "engine_no_lesson": "este motor no tiene la lección {lesson}; tiene {names}",
    "hint_missing": "Vuelve a poner el nombre como estaba, o recupera el archivo con `minitorch reset {lesson}`",
    "hint_timeout": "¿hay un bucle que no termina nunca, o que crece en cada vuelta?",
    "hint_title": "{name}: pista {step} de {steps}",
    "hint_more": "más: {command}",
    "hint_solution": "{name}: la solución",
    "hint_confirm": (
        "{name} tiene {count} pistas y ninguna más; su solución se muestra cuando está superado, o con {command}"
    ),
    "quiz_right": "correcto",
    "quiz_wrong": "esta no es",
    "quiz_how": "para responder, escribe tu letra aquí: {command}",
    "quiz_still": "ejecuta esta celda para responder con un clic",
    "quiz_again": "elige otra respuesta: puedes probar cuantas veces quieras",
    "quiz_typed_again": "otro intento: {command}",
    "reset_done": "{what} vuelve a ser el stub original; tu versión queda en {backup} (cópiala para deshacerlo)",
    "link_written": "{file} es un enlace, así que esto se escribió en {written}",
    "reset_missing_file": "{what} faltaba y se escribió de nuevo",
    "reset_nothing": "{what} está intacto: no hay nada que deshacer",
    "reset_broken": (
        "{file} tiene un error de sintaxis, así que {target} no se puede restaurar por separado; "
        "`minitorch reset {lesson}` restaura el archivo entero"
    ),
    "reset_missing": ("{file} ya no define {target}; `minitorch reset {lesson}` restaura el archivo entero"),
    "reset_what": "indica qué ejercicio o lección restaurar, o usa --all",
    "no_such": "no hay ningún ejercicio ni lección {word}; {more}",
    "no_exercise": "no hay ningún ejercicio {word}; {more}",
    "no_lesson": "no hay ninguna lección {word}; {more}",
    "did_you_mean": "¿querías decir {names}?",
    "lessons_are": "las lecciones son: {names}",
    "exercises_are": "los ejercicios son: {names}",
    "listed_by": "`minitorch status` muestra las lecciones, y `minitorch status 01` los ejercicios de una",
    "no_hint": "{name} tiene las pistas 1 a {count}; {step} no es ninguna de ellas",
    "no_question": "no hay ninguna pregunta {id}; sí hay {near}",
    "no_option": "{id} tiene las opciones {options}; {letter} no es ninguna de ellas",
    "no_course": (
        "aquí no hay carpeta del curso: ni en {folder} ni por encima hay `exercises/` con lecciones; "
        "entra en la tuya (cd), o crea una con `minitorch init DIR`"
    ),
    "no_course_named": "MINITORCH_COURSE indica {folder}, que no es una carpeta",
    "init_done": "carpeta del curso creada en {folder}; ahora: cd {folder} y `minitorch lab`",
    "init_no_lab": 'JupyterLab aún no está aquí y `minitorch lab` lo necesita: pip install "minitorch-course[lab]"',
    **watch_texts.ES,
    **activities.ES | class_pages.ES | counts.ES | export_texts.ES | grading_texts.ES,
    **porting_texts.ES | porting_rules.ES,
    **property_texts.ES,
    **running_texts.ES,
    **unreadable_texts.ES,
    "upgrade_new": "{file}: nuevo",
    "upgrade_replaced": "{file}: reemplazado por el stub de esta versión; no lo habías cambiado",
    "upgrade_merged": "{file}: el stub de esta versión con tus respuestas dentro ({names})",
    "upgrade_parts": "{file}: puesto al día donde aún no habías escrito nada ({names})",
    "upgrade_kept": "{file}: lo cambiaste tú, queda como estaba",
    "upgrade_kept_new": "{file}: lo cambiaste tú, queda como estaba; nuevo en esta versión: {names} (mira {stub})",
    "upgrade_backup": "    lo que había queda en {backup}",
    "upgrade_notebook_new": "work/{name}: nuevo",
    "upgrade_notebook_replaced": "work/{name}: reemplazado por el de esta versión; no lo habías cambiado",
    "upgrade_notebook_kept": (
        "work/{name}: lo cambiaste tú, queda como estaba; para tener el de esta versión, cambia el nombre del tuyo "
        "y ejecuta `minitorch upgrade`"
    ),
    "upgrade_notebook_other": (
        "work/{name}: trabajaste en él y queda en su idioma; para tenerlo en este, cambia el nombre del tuyo y ejecuta "
        "`minitorch upgrade`"
    ),
    "file_busy": "{file} se está escribiendo en este momento y queda como está; repite la orden dentro de un momento",
    "upgrade_fresh": "todo está al día: no hay nada que hacer",
    "upgrade_dry": "no se escribió nada (--dry-run); `minitorch upgrade` hace lo que se lista arriba",
    "upgrade_reload": "¿tienes abierto alguno de estos archivos en un editor? Vuelve a cargarlo antes de escribir",
    "upgrade_folder": (
        "no se puede escribir en {folder}: {why}; lo ya hecho vale, y `minitorch upgrade` sigue donde quedó"
    ),
    "doctor_child": "cada comprobación se ejecuta en un proceso propio ({ms} ms)",
    "doctor_child_fault": "las comprobaciones no se pueden ejecutar en un proceso propio: {why}",
    "doctor_fine": "todo está en orden",
    "doctor_faults": "fallos por arreglar: {count}",
}


def say(key: str, **fields: object) -> Text:
    """The sentence `key`, its fields filled in; a Text among them speaks each language."""
    return sentence(EN[key], ES[key], **fields)


def counted(noun: str, count: int) -> Text:
    """Say how many: a noun of `counts.py`, as one or as several.

    >>> counted("student", 1).en, counted("student", 3).es
    ('1 student', '3 estudiantes')
    """
    return say("one_" + noun) if count == 1 else say("some_" + noun, count=count)
