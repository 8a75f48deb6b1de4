"""Every sentence that the course says about a learner's folder and machine, in English and in Spanish."""

from __future__ import annotations

from minitorch.language import language, spoken

TEXTS: dict[str, dict[str, str]] = {
    "en": {
        "is a course": "{folder} already holds a course. Nothing was changed. To go on: cd into it and run "
        "`minitorch lab`.",
        "in use": "{folder} is not empty. Nothing was changed. Name a new folder, for example: "
        "minitorch init my-course",
        "in a course": "{folder} would lie inside the course in {course}. Nothing was changed. Name a folder outside "
        "it, for example: minitorch init {free}",
        "lost link": "{folder} is a link to {target}, and it leads nowhere. Name another folder.",
        "cannot write": "{folder} cannot be written: {why}.",
        "no jupyterlab": 'JupyterLab is not installed here. Install it with: pip install "minitorch-course[lab]"',
        "address": "\nThe course is open at:\n\n    {address}\n\nTo stop, press Ctrl-C here.\n",
        "added": "New in work/: {names}",
        "updated": "Brought up to date in work/ (you had not changed them): {names}",
        "kept": "work/{name} is yours and was left as it is. This version of the course has a newer one: to get "
        "it, rename yours and start again.",
        "other language": "Left as they are in work/, in the language that they have, for you have worked in them: "
        "{names}. To get one in this language, rename yours and start again.",
        "here": "Your course folder is {folder}: your answers go into `exercises/`. Running this again replaces "
        "nothing that you wrote.",
        "here file": "{folder} is a file, so no course can lie in it. Name a folder.",
        "here colab": "This machine is lent to you, and its files go with it. To keep yours, mount your Drive with "
        "`from google.colab import drive; drive.mount('drive')`, then run `here('drive/MyDrive/minitorch')`.",
        "here binder": "This machine is lent to you, and its files go with it. Download `exercises/` to keep yours.",
        "taken": "minitorch-course.zip holds your answers, your notebooks and your progress. Download it; on a "
        "computer, `minitorch init my-course --from minitorch-course.zip` makes a course folder of it.",
        "brought": "{folder}: a course with {files} files of yours. To begin: cd {folder}, then minitorch lab",
        "zip unreadable": "{file} cannot be read as a zip file of a course ({why}); nothing was made. Make it "
        "anew, with `take_home()` in a notebook.",
        "zip empty": "{file} holds no answers of a course (exercises/lesson_….py); nothing was made. Make it with "
        "`take_home()` in a notebook.",
        "zip too large": "{file} holds more than {files} files or {most} MB; nothing was made.",
        "folder readme": """# My minitorch course

Start with `minitorch lab`: it opens JupyterLab on `work/00_start_here.ipynb`.

- `work/` holds the notebooks. They are yours to change.
- `exercises/` holds the functions that you write. They are the only place where your answers live.

`minitorch status` shows where you are. `minitorch check` judges what you wrote, `minitorch watch` does so whenever you
save. `minitorch doctor` looks for faults of the installation. After `pip install --upgrade`, `minitorch upgrade` brings
this folder up to date and leaves what you wrote.
""",
        "python": "Python {version}",
        "python old": "Python {version} is too old: the course needs 3.11 or newer",
        "package": "{name} {version}",
        "package missing": "{name} is missing. Install it with: pip install minitorch-course",
        "optional course": "{name} is not installed. Only `minitorch watch` needs it: "
        'pip install "minitorch-course[course]"',
        "optional lab": "{name} is not installed. Only `minitorch lab` and notebooks need it: "
        'pip install "minitorch-course[lab]"',
        "optional viz": "{name} is not installed. Only some pictures in notebooks need it: "
        'pip install "minitorch-course[viz]"',
        "package broken": "{name} is installed but cannot be imported: {why}",
        "numpy old": "numpy {version} is too old: the course needs 2 or newer",
        "engine": "the engine works: the gradient of x*x at 3 is {value}",
        "engine wrong": "the engine is broken: the gradient of x*x at 3 came out as {value}, not 6.0",
        "dot": "dot, optional, for pictures laid out by Graphviz: {path}",
        "dot missing": "dot is not installed. Only pictures laid out by Graphviz need it; the course does not",
        "chromium": "Chromium, optional, for the browser tests: {path}",
        "chromium missing": "Chromium is not installed. Only the browser tests need it; the course does not",
        "no course": "there is no course folder here. Go into yours (cd), or make one with: minitorch init my-course",
        "course": "course folder: {folder}",
        "course locked": "{folder} cannot be written ({why}), so your progress and notebooks cannot be kept",
        "disk low": "only {free} MB are free on the disk of {folder}: soon nothing can be saved",
        "disk": "room on the disk of {folder}: {free} MB",
        "temporary": "checks work in {folder}",
        "temporary full": "checks cannot work in {folder} ({why}); another folder can be named in TMPDIR",
        "memory": "memory that a program may use: no bound below 1 GiB",
        "memory low": "a program may use {have} MB of memory here (`ulimit -v`); a check may need up to {enough} MB",
        "little memory": "minitorch needs {least} MB of memory; a program may use only {have} MB here (`ulimit -v`)",
        "stubs": "exercise files: all {count} are there",
        "stubs missing": "exercise files missing: {names}. `minitorch lab` writes them anew",
        "hides package": "{file} hides the package {name} from every notebook and program beside it: rename it, and "
        "restart the kernels",
        "hides in root": "{file} hides the module {name} from `python -m minitorch` and `python -m pytest` in "
        "{folder}: rename it; until then use the commands `minitorch` and `pytest`",
        "hides module": "{file} hides the module {name} from programs that are started in {folder}: rename it",
        "kernel": "the notebooks run in this Python: {path}",
        "kernel other": "the notebooks would run in another Python: {path}. Start JupyterLab with `minitorch lab`",
        "kernel missing": "JupyterLab knows no Python to run the notebooks in. Install: pip install ipykernel",
        "threads": "array threads: 1 (`minitorch lab` and every check set it)",
        "threads many": "array threads: not set in this terminal, which is fine: `minitorch lab` and every check use 1",
        "products": "products of matrices: {library} {version}, kernels for {kernels}",
        "products slow": "products of matrices: {library} {version}, kernels for {kernels}. "
        "With {setting} set before Python starts, one takes {part} of the time here",
    },
    "es": {
        "is a course": "{folder} ya contiene un curso. No se cambió nada. Para seguir: entra en ella con cd y "
        "ejecuta `minitorch lab`.",
        "in use": "{folder} no está vacía. No se cambió nada. Indica una carpeta nueva, por ejemplo: "
        "minitorch init mi-curso",
        "in a course": "{folder} quedaría dentro del curso que está en {course}. No se cambió nada. Indica una carpeta "
        "fuera de él, por ejemplo: minitorch init {free}",
        "lost link": "{folder} es un enlace a {target} y no lleva a ninguna parte. Indica otra carpeta.",
        "cannot write": "No se puede escribir en {folder}: {why}.",
        "no jupyterlab": 'JupyterLab no está instalado aquí. Instálalo con: pip install "minitorch-course[lab]"',
        "address": "\nEl curso está abierto en:\n\n    {address}\n\nPara terminar, pulsa Ctrl-C aquí.\n",
        "added": "Nuevo en work/: {names}",
        "updated": "Puesto al día en work/ (no los habías cambiado): {names}",
        "kept": "work/{name} es tuyo y quedó como estaba. Esta versión del curso trae uno más nuevo: para "
        "tenerlo, cambia el nombre del tuyo y empieza otra vez.",
        "other language": "Quedan como estaban en work/, en el idioma que tienen, porque trabajaste en ellos: {names}. "
        "Para tener uno en este idioma, cambia el nombre del tuyo y empieza otra vez.",
        "here": "Tu carpeta del curso es {folder}: tus respuestas van en `exercises/`. Ejecutar esto otra vez no "
        "reemplaza nada de lo que escribiste.",
        "here file": "{folder} es un archivo, y en él no cabe un curso. Indica una carpeta.",
        "here colab": "Esta máquina es prestada, y sus archivos se van con ella. Para conservar los tuyos, monta tu "
        "Drive con `from google.colab import drive; drive.mount('drive')` y ejecuta "
        "`here('drive/MyDrive/minitorch')`.",
        "here binder": "Esta máquina es prestada, y sus archivos se van con ella. Descarga `exercises/` para conservar "
        "los tuyos.",
        "taken": "minitorch-course.zip guarda tus respuestas, tus cuadernos y tu progreso. Descárgalo; en una "
        "computadora, `minitorch init mi-curso --from minitorch-course.zip` hace con él una carpeta del curso.",
        "brought": "{folder}: un curso con {files} archivos tuyos. Para empezar: cd {folder}, y luego minitorch lab",
        "zip unreadable": "{file} no se puede leer como archivo zip de un curso ({why}); no se creó nada. "
        "Hazlo de nuevo, con `take_home()` en un cuaderno.",
        "zip empty": "{file} no contiene respuestas de un curso (exercises/lesson_….py); no se creó nada. Hazlo con "
        "`take_home()` en un cuaderno.",
        "zip too large": "{file} contiene más de {files} archivos o {most} MB; no se creó nada.",
        "folder readme": """# Mi curso de minitorch

Empieza con `minitorch lab`: abre JupyterLab en `work/00_start_here.ipynb`.

- `work/` contiene los cuadernos. Son tuyos: puedes cambiarlos.
- `exercises/` contiene las funciones que escribes. Son el único lugar donde viven tus respuestas.

`minitorch status` muestra dónde estás. `minitorch check` juzga lo que escribiste; `minitorch watch` lo hace cada vez
que guardas. `minitorch doctor` busca fallos de la instalación. Después de `pip install --upgrade`, `minitorch upgrade`
pone esta carpeta al día y deja lo que escribiste.
""",
        "python": "Python {version}",
        "python old": "Python {version} es demasiado antiguo: el curso necesita 3.11 o posterior",
        "package": "{name} {version}",
        "package missing": "falta {name}. Instálalo con: pip install minitorch-course",
        "optional course": "{name} no está instalado. Solo lo necesita `minitorch watch`: "
        'pip install "minitorch-course[course]"',
        "optional lab": "{name} no está instalado. Solo lo necesitan `minitorch lab` y los cuadernos: "
        'pip install "minitorch-course[lab]"',
        "optional viz": "{name} no está instalado. Solo lo necesitan algunas figuras en los cuadernos: "
        'pip install "minitorch-course[viz]"',
        "package broken": "{name} está instalado pero no se puede importar: {why}",
        "numpy old": "numpy {version} es demasiado antiguo: el curso necesita 2 o posterior",
        "engine": "el motor funciona: el gradiente de x*x en 3 es {value}",
        "engine wrong": "el motor está roto: el gradiente de x*x en 3 dio {value}, no 6.0",
        "dot": "dot, opcional, para las figuras dispuestas por Graphviz: {path}",
        "dot missing": "dot no está instalado. Solo lo necesitan las figuras dispuestas por Graphviz; el curso no",
        "chromium": "Chromium, opcional, para las pruebas con navegador: {path}",
        "chromium missing": "Chromium no está instalado. Solo lo necesitan las pruebas con navegador; el curso no",
        "no course": "aquí no hay una carpeta del curso. Entra en la tuya, o crea una con: minitorch init mi-curso",
        "course": "carpeta del curso: {folder}",
        "course locked": "no se puede escribir en {folder} ({why}): no se guardarán tu progreso ni tus cuadernos",
        "disk low": "solo quedan {free} MB libres en el disco de {folder}: pronto no se podrá guardar nada",
        "disk": "espacio en el disco de {folder}: {free} MB",
        "temporary": "las comprobaciones trabajan en {folder}",
        "temporary full": "las comprobaciones no pueden trabajar en {folder} ({why}); indica otra en TMPDIR",
        "memory": "memoria que puede usar un programa: sin límite por debajo de 1 GiB",
        "memory low": "aquí un programa puede usar {have} MB de memoria (`ulimit -v`); una comprobación puede "
        "necesitar hasta {enough} MB",
        "little memory": "minitorch necesita {least} MB de memoria, y aquí un programa solo puede usar {have} MB "
        "(`ulimit -v`)",
        "stubs": "archivos de ejercicios: están los {count}",
        "stubs missing": "faltan archivos de ejercicios: {names}. `minitorch lab` los escribe de nuevo",
        "hides package": "{file} oculta el paquete {name} a todo cuaderno y programa que esté a su lado: cámbiale el "
        "nombre y reinicia los kernels",
        "hides in root": "{file} oculta el módulo {name} a `python -m minitorch` y `python -m pytest` en {folder}: "
        "cámbiale el nombre; hasta entonces usa las órdenes `minitorch` y `pytest`",
        "hides module": "{file} oculta el módulo {name} a los programas que se inician en {folder}: cámbiale el nombre",
        "kernel": "los cuadernos se ejecutan en este Python: {path}",
        "kernel other": "los cuadernos se ejecutarían en otro Python: {path}. Abre JupyterLab con `minitorch lab`",
        "kernel missing": "JupyterLab no conoce un Python para los cuadernos. Instala: pip install ipykernel",
        "threads": "hilos de cálculo: 1 (`minitorch lab` y cada comprobación lo fijan)",
        "threads many": "hilos de cálculo: no hace falta fijarlos aquí; `minitorch lab` y cada comprobación usan 1",
        "products": "productos de matrices: {library} {version}, con kernels para {kernels}",
        "products slow": "productos de matrices: {library} {version}, con kernels para {kernels}. "
        "Si fijas {setting} antes de iniciar Python, aquí uno tarda {part} de lo que tarda ahora",
    },
}


def tell(key: str, lang: str | None = None, **values: object) -> str:
    """The sentence for `key` in a language; without one, in the learner's."""
    return spoken(TEXTS["en"][key], TEXTS["es"][key], language(lang), values)
