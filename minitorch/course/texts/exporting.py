"""What is said of an engine that is exported or reported on, there and here, in English and in Spanish, by key."""

from __future__ import annotations

EN: dict[str, str] = {
    "export_name": "{name} is no name for the package: take letters, digits and _, and no name that Python has already",
    "export_there": "{folder} holds something already and is left as it is: name a new folder, or an empty one",
    "export_unwritten": "{folder} cannot be written: {why}",
    "export_done": "{folder}: the package {name}, {own} of {all} pieces are yours",
    "export_borrowed": "the reference's, each marked in a comment: {names}",
    "export_next": "try it: cd {folder}, then python -m {name}, and pytest",
    "export_mark": "from the reference: this piece is not yours yet",
    "export_reference": "reference",
    "export_doc": "An autograd engine, written piece by piece.",
    "export_main": "Train a network on two moons, and say what came of it.",
    "export_main_told": "{steps} steps in {seconds} s: loss {first} -> {last}",
    "export_main_share": "{share} of the points are told rightly",
    "report_title": "My engine",
    "report_made": "Written in the course minitorch. This page was made on {date}; it needs no network.",
    "report_pieces": "{own} of {all} pieces of the engine are mine; {passed} of {required} required exercises passed.",
    "report_does": "What it does",
    "report_moons": "Two moons, one number at a time",
    "report_moons_told": "A network of {numbers} numbers on my scalar engine. {steps} steps in {seconds} s took its "
    "loss from {first} to {last}; it tells {share} % of 100 points rightly.",
    "report_spirals": "Three spirals, on arrays",
    "report_spirals_told": "A network of {numbers} numbers on my Tensor. {steps} steps in {seconds} s took its loss "
    "from {first} to {last}; it tells {share} % of 300 points rightly that it had never seen.",
    "report_gpt": "A tiny GPT, and one of its blocks",
    "report_gpt_told": "A GPT of {numbers} numbers on my Tensor reads little stories, character by character. {steps} "
    "steps in {seconds} s took its loss from {first} to {last}, and to {left} on stories that it had never read. "
    "This is what it writes then:",
    "report_raised": "could not be shown: the engine raised {error}",
    "report_loss": "loss",
    "report_step": "step",
    "report_map": "Lesson by lesson",
    "report_lesson": "lesson",
    "report_required": "required",
    "report_more": "more",
    "report_code": "What I wrote",
    "report_no_code": "No piece has passed yet.",
    "report_done": "{file}: {own} of {all} pieces are yours. Open it in a browser; it needs no network",
    "report_there": "{file} is there already and no report, so it is left as it is: name another file",
    "report_form": "a report is written as .html, not as {form}",
    "report_unwritten": "{file} cannot be written: {why}",
    "report_waits": "training on your engine …",
    "export_readme": """# {name}

An autograd engine on NumPy: {own} of its {all} pieces were written by me, in the course minitorch.

    python -m pip install -e .[test]
    python -m {name}     # trains a network on two moons
    pytest               # each gradient against central differences

Each `lesson_*.py` is a lesson's code. `{name}.Value` is the node that holds one number, `{name}.Tensor` the one that
holds an array.

| lesson | whose | pieces |
|---|---|---|
{table}

Pieces of the reference, the functions that the lessons give, `classes.py`, `operators.py`, `moons.py` and the tests are
the course's, under the MIT licence.
""",
}
ES: dict[str, str] = {
    "export_name": (
        "{name} no sirve de nombre para el paquete: usa letras, cifras y _, y ningún nombre que Python ya tenga"
    ),
    "export_there": "{folder} ya contiene algo y se queda como está: nombra una carpeta nueva, o una vacía",
    "export_unwritten": "no se puede escribir {folder}: {why}",
    "export_done": "{folder}: el paquete {name}, {own} de {all} piezas son tuyas",
    "export_borrowed": "de la referencia, cada una marcada en un comentario: {names}",
    "export_next": "pruébalo: cd {folder}, después python -m {name}, y pytest",
    "export_mark": "de la referencia: esta pieza aún no es tuya",
    "export_reference": "referencia",
    "export_doc": "Un motor de autograd, escrito pieza a pieza.",
    "export_main": "Entrena una red con dos lunas, y di qué salió de ahí.",
    "export_main_told": "{steps} pasos en {seconds} s: pérdida {first} -> {last}",
    "export_main_share": "acierta en el {share} de los puntos",
    "report_title": "Mi motor",
    "report_made": "Escrito en el curso minitorch. Esta página se hizo el {date}; no necesita red.",
    "report_pieces": (
        "{own} de las {all} piezas del motor son mías; están superados {passed} de {required} ejercicios obligatorios."
    ),
    "report_does": "Lo que hace",
    "report_moons": "Dos lunas, un número a la vez",
    "report_moons_told": "Una red de {numbers} números sobre mi motor escalar. En {steps} pasos y {seconds} s su "
    "pérdida bajó de {first} a {last}; acierta en el {share} % de 100 puntos.",
    "report_spirals": "Tres espirales, con arrays",
    "report_spirals_told": "Una red de {numbers} números sobre mi Tensor. En {steps} pasos y {seconds} s su pérdida "
    "bajó de {first} a {last}; acierta en el {share} % de 300 puntos que nunca había visto.",
    "report_gpt": "Un GPT diminuto, y uno de sus bloques",
    "report_gpt_told": "Un GPT de {numbers} números sobre mi Tensor lee historias breves, carácter por carácter. En "
    "{steps} pasos y {seconds} s su pérdida bajó de {first} a {last}, y a {left} en historias que nunca había leído. "
    "Esto es lo que escribe entonces:",
    "report_raised": "no se pudo mostrar: el motor lanzó {error}",
    "report_loss": "pérdida",
    "report_step": "paso",
    "report_map": "Lección por lección",
    "report_lesson": "lección",
    "report_required": "obligatorios",
    "report_more": "además",
    "report_code": "Lo que escribí",
    "report_no_code": "Todavía no hay ninguna pieza superada.",
    "report_done": "{file}: {own} de {all} piezas son tuyas. Ábrelo en un navegador; no necesita red",
    "report_there": "{file} ya existe y no es un informe, así que se queda como está: nombra otro archivo",
    "report_form": "un informe se escribe como .html, no como {form}",
    "report_unwritten": "no se puede escribir {file}: {why}",
    "report_waits": "entrenando con tu motor …",
    "export_readme": """# {name}

Un motor de autograd sobre NumPy: {own} de sus {all} piezas las escribí yo, en el curso minitorch.

    python -m pip install -e .[test]
    python -m {name}     # entrena una red con dos lunas
    pytest               # cada gradiente frente a diferencias centrales

Cada `lesson_*.py` es el código de una lección. `{name}.Value` es el nodo que guarda un número, `{name}.Tensor` el que
guarda un array.

| lección | de quién | piezas |
|---|---|---|
{table}

Las piezas de la referencia, las funciones que dan las lecciones, `classes.py`, `operators.py`, `moons.py` y las pruebas
son del curso, con licencia MIT.
""",
}
