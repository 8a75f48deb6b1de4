"""What the command line says by itself, in Spanish: the help of each command, of each option, and click's own words.

The English stands at the commands; a test holds the two against each other, so that none is missing here.
"""

from __future__ import annotations

HELP: dict[str, str] = {
    "cli": """Aprende retropropagación escribiéndola: comprueba ejercicios, pide pistas, mira hasta dónde has llegado.

Funciona desde cualquier lugar dentro de tu carpeta del curso. Una primera vuelta:

\b
    minitorch lab              abre los cuadernos
    minitorch check            comprueba la lección en la que estás
    minitorch hint add         da una pista para un ejercicio
""",
    "check": """Juzga lo que escribiste.

Nombra ejercicios, o lecciones por su número; sin nombre es la primera lección sin terminar.
El código de salida es 0 solo si todo lo que se pidió está superado.

\b
    minitorch check add mul
    minitorch check 01
    minitorch check --all
    minitorch check --notebooks 01
""",
    "status": """Muestra el mapa del curso con lo superado hasta ahora, o las lecciones que nombres.

\b
    minitorch status
    minitorch status 06
""",
    "hint": """Muestra la siguiente pista de un ejercicio, o la que nombres por su número.

Empiezan con una pregunta, siguen con una indicación y con pseudocódigo; el último paso es la solución. Continúan donde
señala el último veredicto.
""",
    "reset": """Devuelve ejercicios o lecciones enteras a su stub.

Restaurar un ejercicio cambia esa definición y nada más del archivo. Lo que había se guarda antes en una copia con
fecha, en .minitorch/backups.
""",
    "watch": """Comprueba lo que escribes cada vez que lo guardas.

Una pantalla muestra lo que imprimió tu código, el veredicto, pistas cuando las pides y lo que viene después. Empieza
por el primer ejercicio sin superar, o por el que nombres. Nada avanza hasta que tú lo digas.

\b
    h pista       l lista de ejercicios   a comprobar todo
    n siguiente   p anterior              r restaurar
    ? ayuda       q salir
""",
    "upgrade": """Pone al día una carpeta del curso hecha con una versión anterior.

Lo que escribiste queda como está. Los stubs y cuadernos que nunca tocaste se cambian por los de esta versión, se
añaden los nuevos, y de cada archivo de ejercicios que cambia se guarda antes una copia con fecha, en
.minitorch/backups.
""",
    "doctor": """Busca lo que pueda estorbar.

Python, los paquetes, la carpeta del curso, el kernel de los cuadernos, el proceso en que se ejecutan las
comprobaciones.

El código de salida es 0 solo si no hay ningún fallo.
""",
    "lab": """Abre JupyterLab con tus cuadernos.

Los cuadernos que cambiaste nunca se sobrescriben.
""",
    "lecture": """Hace una clase de una lección: sus figuras con una frase cada una, sus preguntas con las respuestas.

Una página HTML que no necesita red; .pdf tiene una página por paso, y un ARCHIVO sin terminación es una carpeta de
archivos SVG. Un archivo que ya existe se queda como está.

\b
    minitorch lecture 02
    minitorch lecture 02 regla_de_la_cadena.pdf
""",
    "init": """Crea una carpeta del curso en DIR.""",
}
WORDS: dict[str, str] = {
    "Usage: ": "Uso: ",
    "Options": "Opciones",
    "Commands": "Órdenes",
    "[OPTIONS]": "[OPCIONES]",
    "COMMAND [ARGS]...": "ORDEN [ARGUMENTOS]...",
    "NAME": "NOMBRE",
    "LESSON": "LECCIÓN",
    "FILE": "ARCHIVO",
    "STEP": "PASO",
    "INTEGER": "ENTERO",
    "Check the whole course.": "Comprueba el curso entero.",
    "Run your notebooks on your engine, and compare what they show.": (
        "Ejecuta tus cuadernos con tu motor y compara lo que muestran."
    ),
    "Print the verdicts as JSON.": "Imprime los veredictos como JSON.",
    "Run your code in this process: no time limit, no protection.": (
        "Ejecuta tu código en este mismo proceso: sin límite de tiempo ni protección."
    ),
    "As --in-process; open the debugger where an exception is raised.": (
        "Como --in-process; abre el depurador donde se lanza una excepción."
    ),
    "Which step; without it, the next one.": "Qué paso; sin él, el siguiente.",
    "Show the solution even though the exercise has not passed.": (
        "Muestra la solución aunque el ejercicio no esté superado."
    ),
    "Reset every file of the course.": "Restaura todos los archivos del curso.",
    "Look at the files twice a second; for a disk that tells of no changes.": (
        "Mira los archivos dos veces por segundo; para un disco que no avisa de los cambios."
    ),
    "Show what would be done; write nothing.": "Muestra lo que se haría; no escribe nada.",
    "Only print the address.": "Solo imprime la dirección.",
    "Language of the answers; MINITORCH_LANG sets it for good.": (
        "Idioma de las respuestas; MINITORCH_LANG lo fija para siempre."
    ),
    "Show the version and exit.": "Muestra la versión y termina.",
    "Show this message and exit.": "Muestra este mensaje y termina.",
}
# What click says of a slip, as a pattern, and the same in Spanish. In the order in which they are tried.
SLIPS: tuple[tuple[str, str], ...] = (
    (r"No such command '(.+)'; did you mean (.+)\?", r"No existe la orden '\1'; ¿querías decir \2?"),
    (r"No such command '(.+)'\.?", r"No existe la orden '\1'."),
    (
        r"No such option:? '?(--?[\w-]+)'?\.? \(?(?:Possible options: |Did you mean )(.+?)[?)]+",
        r"No existe la opción \1. ¿Querías decir \2?",
    ),
    (r"No such option:? '?(--?[\w-]+)'?\.?", r"No existe la opción \1."),
    (r"Missing argument '(.+)'\.", r"Falta el argumento \1."),
    (r"Option '(.+)' requires an argument\.", r"La opción \1 necesita un valor."),
    (r"Option '(.+)' does not take a value\.", r"La opción \1 no lleva valor."),
    (r"Got unexpected extra arguments? \((.+)\)", r"Sobra: \1"),
    (r"Invalid value for '(.+?)': '(.*)' is not one of (.+)\.", r"'\2' no vale para \1: solo \3."),
    (
        r"Invalid value for '(.+?)': '(.*)' is not a valid integer\.",
        r"'\2' no vale para \1: hace falta un número entero.",
    ),
)
TRY = "Prueba '{command} {option}' para ver la ayuda."
