"""What is said in checkpoints, bug hunts, reviews and checks of notebooks, in English and in Spanish, by key."""

from __future__ import annotations

EN: dict[str, str] = {
    # a checkpoint
    "no_hints_title": "{name}: no hints here",
    "no_hints": (
        "this is a checkpoint: you have met everything that it takes, and you may look it up. "
        "The solution is shown after {name} has passed, or with {command}"
    ),
    # a review
    "review_own": "{count} questions before you begin: {own} about what you met in your checks, {older} from before",
    "review_older": "{count} questions before you begin, from the lessons before this one",
    "review_none": "nothing to look back at yet: this is where the course begins",
    # a bug hunt
    "planted_none": "lesson {lesson} deals no bug; lessons that do: {others}",
    "planted_no_name": "what was dealt defines no {name}; one of these is the wrong one: {names}",
    "planted_head": "{count} functions of lesson {lesson}, and one of them is wrong:",
    "planted_how": "try them on inputs of your own; when you know which, put its name in {command}",
    "planted_head_of": "{count} functions of the lessons {lessons}, and one of them is wrong:",
    "found_no_name": "there is no function {name} here; {more}",
    "found_names": "the functions are: {names}",
    "found_which": "put the name of the wrong function in place of the question mark:",
    "found_no": "not {name}",
    "found_agrees": "`{name}` was checked as your own is: in all {count} cases it is right",
    "found_try": "one of them, to run yourself: {line}",
    "found_calls": (
        "`{name}` does give a wrong answer here, but its own lines are right: it calls another function of these. "
        "Which one?"
    ),
    "found_yes": "✓ yes, it is {name}. {text}",
    "found_later": "you can mend it once you have written your own: {command} must pass first; then run this again",
    "found_mend": "its lines are in {file}: mend them there, save, and run this cell again",
    "found_gone": "{file} does not define {target} any more; delete the file, and its lines are dealt once more",
    "found_not_yet": "{file} is not right yet:",
    "found_mended": "mended: {name} is right in all {count} cases",
    "found_file": "Lesson {lesson}, as it was dealt: mend {name} here. What it calls is found when it is checked.",
    # notebooks
    "notebook_right": "✓ {name}: all {count} cells as in the lesson, on your engine; {own} of your own were run",
    "notebook_wrong": "✗ {name}: {wrong} of {count} cells differ from the lesson; {own} of your own were run",
    "notebook_cell": "cell {cell}, `{source}`, {why}",
    "notebook_no_cell": "the lesson's cell `{source}` {why}",
    "notebook_cell_missing": "is not in your notebook",
    "notebook_raised": "raised {error}",
    "notebook_not_yours": "says that something is not passed, or not yours: {line}",
    "notebook_shows": "shows “{got}” where the lesson shows “{want}”",
    "notebook_less": "ends before the line “{want}” of the lesson",
    "notebook_more": "shows a line more than the lesson: “{got}”",
    "notebook_after": "cell {cell} before it differs, too",
    "notebook_after_changed": "you changed or added cell {cell} before it",
    "notebook_cell_time": "was still running after {limit} s; the cells below it were not run",
    "notebook_time": "was not reached: the notebook was still running after {limit} s",
    "notebook_kernel": "ended the Python process; the cells below it were not run",
    "notebook_missing": "{file} is missing; `minitorch lab` brings it back",
    "notebook_packages": 'to run notebooks {name} is needed: pip install "minitorch-course[lab]"',
    "notebook_alone": "--notebooks runs notebooks in a kernel of their own; leave --in-process and --pdb out",
    # a lecture
    "lecture_minutes": "The lesson takes about {n} minutes by oneself; choose from its slides.",
    "lecture_predict_first": "Predict what will be seen before it is shown.",
    "lecture_done": "{file}: {slides} slides, {steps} steps. Open it in a browser: f is full screen, ? shows the keys",
    "lecture_pages": "{file}: {slides} slides on {pages} pages",
    "lecture_no_folder": "{file} cannot be written: {folder} is no folder that you may write into",
    "lecture_no_notebook": "{file} is missing from this installation: install minitorch-course again",
    "lecture_failed": "a cell of the notebook raised {error}: what it draws is not in the lecture",
    "lecture_there": "{file} is there already and is left as it is: name another file, or remove that one first",
    "lecture_form": "a lecture is written as .html or .pdf, or into a folder as SVG files, not as {form}",
    "lecture_unwritten": "{file} cannot be written: {why}",
}
ES: dict[str, str] = {
    "no_hints_title": "{name}: aquí no hay pistas",
    "no_hints": (
        "esto es un punto de control: ya conoces todo lo que hace falta, y puedes consultarlo. "
        "La solución se muestra cuando {name} está superado, o con {command}"
    ),
    "review_own": (
        "{count} preguntas antes de empezar: {own} sobre lo que encontraste en tus comprobaciones, {older} de antes"
    ),
    "review_older": "{count} preguntas antes de empezar, de las lecciones anteriores",
    "review_none": "todavía no hay nada que repasar: aquí empieza el curso",
    "planted_none": "la lección {lesson} no reparte ningún error; lo hacen: {others}",
    "planted_no_name": "lo que se repartió no define {name}; una de estas es la incorrecta: {names}",
    "planted_head": "{count} funciones de la lección {lesson}, y una de ellas es incorrecta:",
    "planted_how": "pruébalas con tus propias entradas; cuando sepas cuál es, pon su nombre en {command}",
    "planted_head_of": "{count} funciones de las lecciones {lessons}, y una de ellas es incorrecta:",
    "found_no_name": "aquí no hay ninguna función {name}; {more}",
    "found_names": "las funciones son: {names}",
    "found_which": "pon el nombre de la función incorrecta en lugar del signo de interrogación:",
    "found_no": "no es {name}",
    "found_agrees": "`{name}` se comprobó como se comprueba la tuya: en los {count} casos es correcta",
    "found_try": "uno de ellos, para que lo ejecutes: {line}",
    "found_calls": (
        "`{name}` sí da una respuesta incorrecta aquí, pero sus propias líneas son correctas: llama a otra de estas "
        "funciones. ¿A cuál?"
    ),
    "found_yes": "✓ sí, es {name}. {text}",
    "found_later": "podrás corregirla cuando hayas escrito la tuya: antes hay que superar {command}. "
    "Después ejecuta esta celda otra vez",
    "found_mend": "sus líneas están en {file}: corrígelas ahí, guarda y ejecuta esta celda otra vez",
    "found_gone": "{file} ya no define {target}; borra el archivo y sus líneas se reparten de nuevo",
    "found_not_yet": "{file} aún no es correcto:",
    "found_mended": "corregida: {name} es correcta en los {count} casos",
    "found_file": "Lección {lesson}, tal como se repartió: corrige {name} aquí. Lo que llama estará al comprobarla.",
    "notebook_right": "✓ {name}: las {count} celdas como en la lección, con tu motor; se ejecutaron {own} tuyas",
    "notebook_wrong": "✗ {name}: {wrong} de {count} celdas difieren de la lección; se ejecutaron {own} tuyas",
    "notebook_cell": "la celda {cell}, `{source}`, {why}",
    "notebook_no_cell": "la celda `{source}` de la lección {why}",
    "notebook_cell_missing": "no está en tu cuaderno",
    "notebook_raised": "lanzó {error}",
    "notebook_not_yours": "dice que algo no está superado o no es tuyo: {line}",
    "notebook_shows": "muestra «{got}» donde la lección muestra «{want}»",
    "notebook_less": "termina antes de la línea «{want}» de la lección",
    "notebook_more": "muestra una línea más que la lección: «{got}»",
    "notebook_after": "la celda {cell}, anterior, también difiere",
    "notebook_after_changed": "antes cambiaste o añadiste la celda {cell}",
    "notebook_cell_time": "seguía en marcha después de {limit} s; las celdas siguientes no se ejecutaron",
    "notebook_time": "no se alcanzó: el cuaderno seguía en marcha después de {limit} s",
    "notebook_kernel": "terminó el proceso de Python; las celdas siguientes no se ejecutaron",
    "notebook_missing": "falta {file}; `minitorch lab` lo recupera",
    "notebook_packages": 'para ejecutar cuadernos hace falta {name}: pip install "minitorch-course[lab]"',
    "notebook_alone": "--notebooks ejecuta los cuadernos en un kernel propio; quita --in-process y --pdb",
    # una clase
    "lecture_minutes": "A solas la lección dura unos {n} minutos; elige entre sus diapositivas.",
    "lecture_predict_first": "Predice lo que se verá antes de que se muestre.",
    "lecture_done": (
        "{file}: {slides} diapositivas, {steps} pasos. Ábrelo en un navegador: f es pantalla completa, ? muestra las "
        "teclas"
    ),
    "lecture_pages": "{file}: {slides} diapositivas en {pages} páginas",
    "lecture_no_folder": "no se puede escribir {file}: {folder} no es una carpeta en la que puedas escribir",
    "lecture_no_notebook": "falta {file} en esta instalación: vuelve a instalar minitorch-course",
    "lecture_failed": "una celda del cuaderno lanzó {error}: lo que dibuja no está en la clase",
    "lecture_there": "{file} ya existe y se queda como está: nombra otro archivo, o quita ese antes",
    "lecture_form": "una clase se escribe como .html o .pdf, o en una carpeta como archivos SVG, no como {form}",
    "lecture_unwritten": "no se puede escribir {file}: {why}",
}
