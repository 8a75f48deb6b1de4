"""What is said of grading a class, in English and in Spanish, by key; `messages` says it."""

from __future__ import annotations

EN: dict[str, str] = {
    # what was handed in
    "grade_what": (
        "{path} is no folder and no archive: name the folder of submissions, or a file that ends in {endings}"
    ),
    "grade_many": "it holds more than {most} files; the rest was not read",
    "grade_unpacks": "it unpacks to more than {most} MB; the rest was not read",
    "grade_broken": "the archive cannot be read any further ({why})",
    "grade_odd_name": "its name leads out of the archive, or is too long or too deep; it was not read",
    "grade_no_file": "a link, a pipe or a device is not read",
    "grade_encrypted": "it needs a password",
    "grade_ratio": "it is packed more than {most} times; it was not read",
    "grade_full": "the class's files are more than {most} MB; this one was not read",
    "grade_large": "it is larger than {most} MB; it was not read",
    "grade_unread": "it could not be read ({why})",
    "grade_nested": "an archive in an archive is not opened",
    "grade_deep": "folders more than {most} deep are not looked into",
    "grade_misnamed": "it is not named as a lesson's file is, such as {file} or {notebook}, and so was not read",
    "grade_looks_like": "it looks like lesson {lesson}, but it is not named {file} or {notebook}, and so was not "
    "judged: rename it if it is to count",
    "grade_foreign": "an archive of this kind is not opened; one that ends in {endings} is",
    "grade_solutions": (
        "it lies in a folder called solutions, where a clone has the course's own answers, and does not count; if it "
        "is the student's, move it out of that folder"
    ),
    "grade_hidden": "a hidden folder is not looked into",
    "grade_nobody": "no student's name stands before the file's, and it lies in no student's folder",
    "grade_nothing": "nothing to grade was found",
    "grade_not_newest": "does not count: {newest} is newer",
    "grade_alike": "{other} is called nearly the same: if they are one student, give both folders one name",
    "grade_not_before": "does not count: {newest} counts before it",
    "grade_unwritten_notebook": "no exercise of lesson {lesson} is written in it",
    "grade_more_notes": "and {notes} more",
    "grade_more_on_page": "and {notes} more: the class page has them all (`minitorch grade report`)",
    # course.toml and the key
    "toml_broken": "{file} is not written as TOML: {why}",
    "toml_broken_due": '{file}, line {line}: a line of [due] is a lesson and a date, such as "02" = 2026-10-01, or a '
    'time, such as "02" = 2026-10-01T20:00:00 ({why})',
    "toml_unknown": "{file}: there is no key {name}; near it are: {names}",
    "toml_wrong": "{file}: {name} must be {allowed}",
    "toml_stranger": "{file}: extra_days names {name}, and no student is called that",
    "toml_stranger_near": "{file}: extra_days names {name}, and no student is called that; the closest name is {near}",
    "toml_text": "a text",
    "toml_words": 'a list of texts, such as ["01", "02-04"]',
    "toml_choice": "one of {names}",
    "toml_amount": "a number from 0 to 1,000,000",
    "toml_percent": "a number from 0 to 100",
    "toml_days": "a whole number from 0 to 1000",
    "toml_moment": "a date such as 2026-10-01, or a time such as 2026-10-01T20:00:00, without quotation marks",
    "toml_table": "a section of its own, [name]",
    "toml_folder": "a folder beside this file, and {folder} is none",
    "toml_zone": "a time zone such as Europe/Madrid, and {name} is none that is known here",
    "grade_no_own": "{folder} holds no lessons: they belong into lessons/lesson_NN_name/, solutions into solutions/",
    "grade_taken": "{folder}: the name {name} is taken by the course; give the lesson or the exercise another one",
    "grade_backwards": "{word} ends before it begins",
    "grade_unwritten": "{file} cannot be written: {why}",
    "grade_key": "{file} holds no key: it is made by `minitorch grade run`, and belongs to the results beside it",
    "grade_key_open": "{file} can be read by others: chmod 600 {file}",
    # the store
    "grade_no_store": "there are no results in {file}: `minitorch grade run` makes them",
    "grade_store_busy": "{file} is in use by another `minitorch grade`: wait until it has ended",
    "grade_store_broken": "{file} cannot be used as a file of results ({why})",
    "grade_store_format": "{file} was made by another version of minitorch: name another folder with --grades",
    # those who judge
    "grade_insecure": (
        "{address} is open to everybody on the network, and submissions would travel in the clear: use tls://, or add "
        "--insecure"
    ),
    "grade_workers": "--workers must be a number from 1 to {most}",
    "grade_no_dask": 'a cluster needs one more package: pip install "minitorch-course[cluster]"',
    "grade_no_scheduler": "no Dask scheduler answers at {address} ({why})",
    "grade_scheduler_gone": (
        "the Dask scheduler at {address} is gone. What was judged is kept: start a scheduler and give the same command "
        "with its address, and it goes on from there"
    ),
    # a run
    "grade_tier": "sandbox: {tier}",
    "grade_tier_none": (
        "sandbox: none. Nothing keeps the submissions from the files and the network of this account; "
        "--require-sandbox refuses that"
    ),
    "grade_tier_fault": "the sandbox {tier} does not hold on this machine: {why}",
    "grade_required": "no sandbox holds on this machine, and --require-sandbox was given; nothing was run",
    "grade_root": (
        "submissions would run as root: use another account, or add --allow-root where this machine holds nothing else"
    ),
    "grade_nobody_there": (
        "{path} holds no submissions: a folder or a zip for each student belongs there, with files such as {file}"
    ),
    "grade_found": "{students}, {files} of {lessons}; {left} to judge",
    "grade_step": "{student}, lesson {lesson}",
    "grade_failed": "{student}, lesson {lesson}: could not be judged ({why}); the next run tries again",
    "grade_stopped": "stopped after {done} of {files}; the same command goes on from there",
    "grade_done": "{file}: {passed} of {exercises} passed",
    "grade_timeouts": "{answers} ran out of time, in a second try too, alone and with more of it: {names}. If other "
    "work keeps this machine very busy, grade again later with --again, or with MINITORCH_PATIENCE=4 before it",
    "grade_endless": "{files} did not come to an end before any function was called (most often a loop outside of "
    "every function, which more time does not help): {names}",
    # what goes out
    "grade_not_handed_in": "no file of this lesson was found",
    "grade_moodle": "Points by lesson: {lessons}",
    "grade_of_100": "The score is of 100. It is made of these lessons:",
    "grade_counted": "lesson {lesson} points, weight {weight}",
    "grade_dropped": "lesson {lesson} points, dropped: it does not count",
    "grade_late": "lesson {lesson}: {days} late (free days used: {free})",
    "grade_regraded": "{name}: {count} judged anew",
    "grade_regraded_none": "{name}: 0 judged anew: every result is of the check as it is now. Files that students have "
    "changed are read by `minitorch grade run`; --again judges anew all the same",
    "grade_pass_now": "pass now ({count}): {names}",
    "grade_pass_no_more": "pass no more ({count}): {names}",
    "grade_exported": "{file}: {students}",
    "grade_handed": "{file}: stubs and notebooks of {lessons}, no solutions",
    "grade_autograder": (
        "{file}: upload it as Gradescope's autograder, for an assignment of 100 points. It holds the solutions and the "
        "key: show it to no student"
    ),
    "grade_zip": "{file} must end in .zip",
    "grade_there": "{file} is there already and is left as it is: name another file",
    "grade_not_now": "The submission could not be judged. Your instructor sees why; hand it in again later.",
}
ES: dict[str, str] = {
    "grade_what": (
        "{path} no es una carpeta ni un archivo comprimido: indica la carpeta de entregas, o un archivo que termine en "
        "{endings}"
    ),
    "grade_many": "contiene más de {most} archivos; el resto no se leyó",
    "grade_unpacks": "descomprimido ocupa más de {most} MB; el resto no se leyó",
    "grade_broken": "el archivo comprimido no se puede seguir leyendo ({why})",
    "grade_odd_name": "su nombre lleva fuera del archivo comprimido, o es demasiado largo o profundo; no se leyó",
    "grade_no_file": "un enlace, una tubería o un dispositivo no se lee",
    "grade_encrypted": "necesita una contraseña",
    "grade_ratio": "está comprimido más de {most} veces; no se leyó",
    "grade_full": "los archivos de la clase ocupan más de {most} MB; este no se leyó",
    "grade_large": "ocupa más de {most} MB; no se leyó",
    "grade_unread": "no se pudo leer ({why})",
    "grade_nested": "un archivo comprimido dentro de otro no se abre",
    "grade_deep": "no se mira en carpetas a más de {most} niveles",
    "grade_misnamed": "no se llama como el archivo de una lección, por ejemplo {file} o {notebook}, y por eso no se "
    "leyó",
    "grade_looks_like": "parece la lección {lesson}, pero no se llama {file} ni {notebook}, y por eso no se evaluó: "
    "cámbiale el nombre si debe contar",
    "grade_foreign": "un archivo comprimido de este tipo no se abre; sí uno que termine en {endings}",
    "grade_solutions": (
        "está en una carpeta llamada solutions, donde una copia del repositorio tiene las respuestas del curso, y "
        "no cuenta; si es del estudiante, sácalo de esa carpeta"
    ),
    "grade_hidden": "no se mira en carpetas ocultas",
    "grade_nobody": "delante del nombre del archivo no hay el de nadie, ni está en la carpeta de nadie",
    "grade_nothing": "no se encontró nada que calificar",
    "grade_not_newest": "no cuenta: {newest} es más reciente",
    "grade_alike": "{other} se llama casi igual: si son la misma persona, da a las dos carpetas un mismo nombre",
    "grade_not_before": "no cuenta: {newest} cuenta antes",
    "grade_unwritten_notebook": "no contiene ningún ejercicio de la lección {lesson}",
    "grade_more_notes": "y {notes} más",
    "grade_more_on_page": "y {notes} más: todo está en la página de la clase (`minitorch grade report`)",
    "toml_broken": "{file} no está escrito en TOML: {why}",
    "toml_broken_due": '{file}, línea {line}: una línea de [due] es una lección y una fecha, como "02" = 2026-10-01, o '
    'una hora, como "02" = 2026-10-01T20:00:00 ({why})',
    "toml_unknown": "{file}: no existe la clave {name}; se parecen: {names}",
    "toml_wrong": "{file}: {name} debe ser {allowed}",
    "toml_stranger": "{file}: extra_days nombra a {name}, y nadie se llama así",
    "toml_stranger_near": "{file}: extra_days nombra a {name}, y nadie se llama así; el nombre más parecido es {near}",
    "toml_text": "un texto",
    "toml_words": 'una lista de textos, como ["01", "02-04"]',
    "toml_choice": "uno de {names}",
    "toml_amount": "un número de 0 a 1 000 000",
    "toml_percent": "un número de 0 a 100",
    "toml_days": "un número entero de 0 a 1000",
    "toml_moment": "una fecha como 2026-10-01, o una hora como 2026-10-01T20:00:00, sin comillas",
    "toml_table": "una sección propia, [nombre]",
    "toml_folder": "una carpeta junto a este archivo, y {folder} no lo es",
    "toml_zone": "una zona horaria como Europe/Madrid, y {name} no es ninguna que se conozca aquí",
    "grade_no_own": ("en {folder} no hay lecciones: van en lessons/lesson_NN_nombre/, y sus soluciones en solutions/"),
    "grade_taken": "{folder}: el curso ya usa el nombre {name}; da otro a la lección o al ejercicio",
    "grade_backwards": "{word} termina antes de empezar",
    "grade_unwritten": "no se puede escribir {file}: {why}",
    "grade_key": (
        "{file} no contiene ninguna clave: la crea `minitorch grade run`, y va con los resultados que hay a su lado"
    ),
    "grade_key_open": "otras personas pueden leer {file}: chmod 600 {file}",
    "grade_no_store": "no hay resultados en {file}: los crea `minitorch grade run`",
    "grade_store_busy": "otro `minitorch grade` está usando {file}: espera a que termine",
    "grade_store_broken": "{file} no sirve de archivo de resultados ({why})",
    "grade_store_format": "{file} es de otra versión de minitorch: indica otra carpeta con --grades",
    "grade_insecure": (
        "{address} está abierto a toda la red, y las entregas viajarían sin cifrar: usa tls://, o añade --insecure"
    ),
    "grade_workers": "--workers debe ser un número de 1 a {most}",
    "grade_no_dask": 'un clúster necesita un paquete más: pip install "minitorch-course[cluster]"',
    "grade_no_scheduler": "ningún planificador de Dask responde en {address} ({why})",
    "grade_scheduler_gone": (
        "el planificador de Dask en {address} ya no responde. Lo que se juzgó está guardado: arranca un planificador y "
        "repite la misma orden con su dirección, y sigue desde ahí"
    ),
    "grade_tier": "aislamiento: {tier}",
    "grade_tier_none": (
        "aislamiento: ninguno. Nada separa las entregas de los archivos ni de la red de esta cuenta; --require-sandbox "
        "lo impide"
    ),
    "grade_tier_fault": "el aislamiento {tier} no funciona en esta máquina: {why}",
    "grade_required": "en esta máquina ningún aislamiento funciona, y se pidió --require-sandbox; no se ejecutó nada",
    "grade_root": (
        "las entregas se ejecutarían como root: usa otra cuenta, o añade --allow-root si en esta máquina no hay "
        "nada más"
    ),
    "grade_nobody_there": (
        "en {path} no hay entregas: ahí va una carpeta o un zip por estudiante, con archivos como {file}"
    ),
    "grade_found": "{students}, {files} de {lessons}; {left} por juzgar",
    "grade_step": "{student}, lección {lesson}",
    "grade_failed": "{student}, lección {lesson}: no se pudo juzgar ({why}); la próxima vez se intenta de nuevo",
    "grade_stopped": "detenido tras {done} de {files}; la misma orden sigue desde ahí",
    "grade_done": "{file}: {passed} de {exercises} con éxito",
    "grade_timeouts": "sin tiempo suficiente, también en un segundo intento, a solas y con más: {answers} ({names}). "
    "Si esta máquina está muy ocupada con otras cosas, califica luego con --again, o con MINITORCH_PATIENCE=4 delante",
    "grade_endless": "{files} sin llegar al final antes de llamar a ninguna función (casi siempre un bucle fuera de "
    "toda función, al que no le sirve más tiempo): {names}",
    "grade_not_handed_in": "no se encontró ningún archivo de esta lección",
    "grade_moodle": "Puntos por lección: {lessons}",
    "grade_of_100": "La nota es sobre 100. Está hecha de estas lecciones:",
    "grade_counted": "lección {lesson} puntos, peso {weight}",
    "grade_dropped": "lección {lesson} puntos, descartada: no cuenta",
    "grade_late": "lección {lesson}: {days} de retraso (días libres usados: {free})",
    "grade_regraded": "{name}: juzgados de nuevo: {count}",
    "grade_regraded_none": "{name}: 0 juzgados de nuevo: todo resultado es de la comprobación tal como está ahora. Los "
    "archivos que los estudiantes cambiaron los lee `minitorch grade run`; --again los juzga de todas formas",
    "grade_pass_now": "pasan ahora ({count}): {names}",
    "grade_pass_no_more": "ya no pasan ({count}): {names}",
    "grade_exported": "{file}: {students}",
    "grade_handed": "{file}: stubs y cuadernos de {lessons}, sin soluciones",
    "grade_autograder": (
        "{file}: súbelo a Gradescope como autograder, para una tarea de 100 puntos. Contiene las soluciones y la "
        "clave: no lo enseñes a nadie"
    ),
    "grade_zip": "{file} debe terminar en .zip",
    "grade_there": "{file} ya existe y queda como está: indica otro archivo",
    "grade_not_now": "No se pudo juzgar la entrega. Quien da el curso ve por qué; entrégala de nuevo más tarde.",
}
