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
    minitorch status 08
""",
    "hint": """Muestra la siguiente pista de un ejercicio, o la que nombres por su número.

Empiezan con una pregunta, siguen con una indicación y con pseudocódigo; el último paso es la solución. Continúan donde
señala el último veredicto.
""",
    "reset": """Restaura el stub de ejercicios o de lecciones enteras.

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
    "lab": """Abre JupyterLab en una lección, o donde te quedaste.

El cuaderno está a la izquierda; a su lado, tu archivo de ejercicios, en la primera función que falta, y debajo una
terminal en la que corre `minitorch watch`. Los cuadernos que cambiaste nunca se sobrescriben.

\b
    minitorch lab
    minitorch lab 08
""",
    "lecture": """Hace una clase de una lección: sus figuras con una frase cada una, sus preguntas con las respuestas.

ARCHIVO es una página HTML que no necesita red, lecture_02_backward.html si no se nombra; con .pdf tiene una página por
paso, y sin terminación es una carpeta de archivos SVG. Lo que ya existe se queda como está. De un backward largo se
omiten los pasos a lo largo de una cadena, y de varios recorridos se ve entero uno; --all lo muestra todo.

\b
    minitorch lecture 02
    minitorch lecture 02 regla_de_la_cadena.pdf
    minitorch lecture 04 --all
""",
    "report": """Hace una página HTML de lo que has hecho: tu motor en acción, hasta dónde llegas, tu código.

Entrena tu motor, lo que tarda unos segundos. ARCHIVO es my_engine.html si no se nombra; un informe que ya existe se
escribe de nuevo.

\b
    minitorch report
    minitorch report ana.html
""",
    "export": """Escribe tu motor en DIR, como un paquete propio.

Se instala, entrena las lunas de la lección 04 y tiene sus pruebas. Cada pieza tuya que pasa está ahí como la
escribiste, con sus comentarios; donde falta una, está la de la referencia, y un comentario lo dice.

\b
    minitorch export ../mi_motor
    minitorch export ../motor_de_ana --name anagrad
""",
    "port": """Lista lo que debe cambiar en un programa de PyTorch para que funcione con minitorch.

Cada línea dice qué hay, qué escribir en su lugar y por qué. El programa se lee y nunca se ejecuta. Una línea con un
signo de exclamación queda para ti: --write hace todas las demás. El código de salida es 0 si nada queda para ti,
1 si algo queda y 2 si el archivo no se puede leer.

\b
    minitorch port entrenar.py
    minitorch port entrenar.py --write
""",
    "init": """Crea una carpeta del curso en DIR.""",
    "test": """Prueba minitorch mismo, en una copia del repositorio: estilo, tipos, cuadernos, cada prueba unitaria.

Es lo que hace `make test`. `python -m minitorch test` instala antes lo que necesita, como haría make. Tus
respuestas no se miran: eso lo hace `minitorch check --all`.
""",
    "grade": """Califica a una clase: de una carpeta de entregas a resultados que se quedan.

El código de las entregas se ejecuta aparte, en el mejor aislamiento que funcione en esta máquina. Lo que se decide
sobre el curso (lecciones, puntos, plazos) está en course.toml, si existe.
""",
    "grade run": """Juzga lo que entregó una clase.

ENTREGAS es una carpeta, o un zip o tar: con una carpeta o un zip por estudiante, o con archivos como los que exportan
Moodle y Canvas. Lo que ya tiene resultado no se juzga otra vez: si se interrumpe, la misma orden sigue desde ahí.
El código de salida es 0 solo si se pudo juzgar todo.

\b
    minitorch grade run entregas/
    minitorch grade run entregas.zip --lessons 01-04 --workers 4
""",
    "grade regrade": """Juzga de nuevo un ejercicio de una clase.

Es para un ejercicio cuya comprobación se corrigió. Lo entregado se lee de los resultados: un archivo que un
estudiante cambió después lo juzga `minitorch grade run`. Un resultado de la comprobación tal como está ahora se
queda; --again también lo juzga de nuevo.

\b
    minitorch grade regrade --exercise mul
""",
    "grade export": """Escribe puntos para otro programa.

FORM es csv, json, junit, gradescope, nbgrader o moodle. Sin --lessons, y sin lecciones en course.toml, son las
lecciones de las que se entregó algo. Sin ARCHIVO se imprimen. Con gradescope, ARCHIVO es una carpeta (gradescope si
no se nombra): un results.json por estudiante, con la nota sobre 100.

\b
    minitorch grade export csv notas.csv
    minitorch grade export gradescope
""",
    "grade handout": """Hace la carpeta con la que empiezan los estudiantes.

Contiene stubs y cuadernos, y ninguna solución. ARCHIVO es un zip.

\b
    minitorch grade handout primavera.zip --lessons 00-08
    minitorch --lang es grade handout primavera.zip
""",
    "grade autograder": """Hace el zip con el que juzga Gradescope.

Contiene las soluciones y la clave: no lo enseñes a nadie.

Los puntos y pesos son los de course.toml, y la nota es sobre 100; los plazos y días de retraso son los de Gradescope.

\b
    minitorch grade autograder leccion_03.zip --lessons 03
""",
    "grade report": """Escribe páginas sobre una clase y sus estudiantes.

Dicen qué ideas le faltan a la clase y quién necesita ayuda, y hay una página por estudiante. Van a CARPETA,
class.html y students/, en el idioma de course.toml o en el de --lang. Son HTML sencillo sin scripts; se pueden
imprimir o devolver tal como están.

\b
    minitorch grade report
    minitorch grade report semana-3 --lessons 05-07
    minitorch --lang es grade report en-espanol
""",
    "grade doctor": """Prueba qué detienen los aislamientos de esta máquina.

Cada uno se prueba acto por acto. Después, cientos de archivos dañinos o rotos pasan por el mejor que funcione, o por
el que se nombre: ninguno puede cobrar puntos, colgarse ni dejar nada atrás. El código de salida es 0 solo si todo se
cumple.

\b
    minitorch grade doctor --quick
    minitorch grade doctor --tier landlock
""",
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
    "TEXT": "TEXTO",
    "STEP": "PASO",
    "SUBMISSIONS": "ENTREGAS",
    "FORM": "FORMA",
    "FOLDER": "CARPETA",
    "PATH": "RUTA",
    "ADDRESS": "DIRECCIÓN",
    "INTEGER": "ENTERO",
    "What the package is imported as; my_engine if not named.": (
        "Con qué nombre se importa el paquete; my_engine si no se nombra."
    ),
    "Check the whole course.": "Comprueba el curso entero.",
    "Run your notebooks on your engine, and compare what they show.": (
        "Ejecuta tus cuadernos con tu motor y compara lo que muestran."
    ),
    "Make the changes that are certain; what was there is kept beside it.": (
        "Hace los cambios seguros; lo que había se guarda al lado."
    ),
    "Print what was found as JSON.": "Imprime lo hallado como JSON.",
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
    "Folder of the results; grades if not named.": "Carpeta de los resultados; grades si no se nombra.",
    "What counts and how much; course.toml if there is one.": "Qué cuenta y cuánto; course.toml si existe.",
    "Lessons to grade, such as 01-04,08; may be repeated.": (
        "Lecciones que se califican, como 01-04,08; se puede repetir."
    ),
    "How many processes judge; as many as there are processors if not named.": (
        "Cuántos procesos juzgan; tantos como procesadores si no se dice."
    ),
    "Let the workers of a Dask cluster judge: its scheduler's address.": (
        "Que juzguen los procesos de un clúster de Dask: la dirección de su planificador."
    ),
    "Talk to a scheduler over an open network all the same.": "Habla con un planificador aunque la red sea abierta.",
    "Sandbox to use; the best one that holds here if not named.": (
        "Aislamiento que se usa; si no se dice, el mejor que funcione aquí."
    ),
    "Run nothing where no sandbox holds.": "No ejecuta nada donde no funcione ningún aislamiento.",
    "The exercise whose check was mended.": "El ejercicio cuya comprobación se corrigió.",
    "Put the corpus through this one.": "Con qué aislamiento se prueban los archivos.",
    "Try the tiers alone, without the corpus.": "Prueba solo los aislamientos, sin los archivos.",
    "Run submissions even as root.": "Ejecuta entregas incluso como root.",
    "Judge again what has a result already.": "Juzga de nuevo lo que ya tiene resultado.",
    "The zip file that take_home() made.": "El archivo zip que hizo take_home().",
    "Keep the outputs of the notebooks: `pytest --nbval work/` compares.": (
        "Conserva las salidas de los cuadernos: `pytest --nbval work/` las compara."
    ),
    "Only print the address.": "Solo imprime la dirección.",
    "All steps, also of long passes.": "Todos los pasos, también los de un backward largo.",
    "Language of the answers; MINITORCH_LANG sets it for good.": (
        "Idioma de las respuestas; MINITORCH_LANG lo fija para siempre."
    ),
    "Show the version and exit.": "Muestra la versión y termina.",
    "Show this message and exit.": "Muestra este mensaje y termina.",
}
# What click says of a slip, as a pattern; what is said of it in English, for a third language's catalogue (English has
# click's own words); and the same in Spanish. In the order in which they are tried.
SLIPS: tuple[tuple[str, str, str], ...] = (
    (
        r"No such command '(.+)'; did you mean (.+)\?",
        "There is no command '{0}'; did you mean {1}?",
        "No existe la orden '{0}'; ¿querías decir {1}?",
    ),
    (r"No such command '(.+)'\.?", "There is no command '{0}'.", "No existe la orden '{0}'."),
    (
        r"No such option:? '?(--?[\w-]+)'?\.? \(?(?:Possible options: |Did you mean )(.+?)[?)]+",
        "There is no option {0}. Did you mean {1}?",
        "No existe la opción {0}. ¿Querías decir {1}?",
    ),
    (r"No such option:? '?(--?[\w-]+)'?\.?", "There is no option {0}.", "No existe la opción {0}."),
    (r"Missing argument '(.+)'\.", "The argument {0} is missing.", "Falta el argumento {0}."),
    (
        r"Option '(.+)' requires an argument\.",
        "The option {0} needs a value.",
        "La opción {0} necesita un valor.",
    ),
    (r"Option '(.+)' does not take a value\.", "The option {0} takes no value.", "La opción {0} no lleva valor."),
    (r"Got unexpected extra arguments? \((.+)\)", "Too much: {0}", "Sobra: {0}"),
    (
        r"Invalid value for '(.+?)': '(.*)' is not one of (.+)\.",
        "'{1}' is no value for {0}: only {2}.",
        "'{1}' no vale para {0}: solo {2}.",
    ),
    (
        r"Invalid value for '(.+?)': '(.*)' is not a valid integer\.",
        "'{1}' is no value for {0}: a whole number is needed.",
        "'{1}' no vale para {0}: hace falta un número entero.",
    ),
)
# The lines around it, in English and in Spanish.
TRY = ("Try '{command} {option}' for help.", "Prueba '{command} {option}' para ver la ayuda.")
FAULT = ("Error: {message}", "Error: {message}")
