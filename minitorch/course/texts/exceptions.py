"""What common exceptions mean, in plain words: the type, a pattern of its message, and the sentence in both languages.

The first row that fits is used. A sentence says what must be so wherever Python or NumPy raises this; `{0}`, `{1}` are
the pattern's groups. The exception's own text and the learner's line are shown beside it.
"""

from __future__ import annotations

ROWS: tuple[tuple[str, str, str, str], ...] = (
    # -------------------------------------------------------------------------------------------------- the keyboard
    (
        "EOFError",
        r"EOF when reading a line",
        "a check runs the file without a keyboard, so `input()` reads nothing: take the value from an argument",
        "una comprobación ejecuta el archivo sin teclado, y `input()` no lee nada: toma el valor de un argumento",
    ),
    (
        "BdbQuit",
        r"",
        "a check runs the file without a keyboard, so `breakpoint()` stops it: delete it, or use `check --pdb`",
        "una comprobación ejecuta el archivo sin teclado, y `breakpoint()` lo detiene: bórralo, o usa `check --pdb`",
    ),
    # ---------------------------------------------------------------------------------------- None, and plain numbers
    (
        "TypeError",
        r"'NoneType' object is not callable",
        "what is called in this line is None",
        "lo que se llama en esta línea es None",
    ),
    (
        "TypeError|AttributeError|ValueError",
        r".*'NoneType'.*",
        "something in this line is None: ask `is None` before you use it, or look where a `return` is missing",
        "algo en esta línea es None: pregunta `is None` antes de usarlo, o mira dónde falta un `return`",
    ),
    (
        "AttributeError",
        r"'(int|float|bool|complex|numpy\.(?:float|int|bool)\w*)' object has no attribute '(\w+)'",
        "a plain number ({0}) stands in this line where one with `.{1}` is expected: look at its type first",
        "en esta línea hay un número normal de Python ({0}) donde se espera algo con `.{1}`: mira antes de qué tipo es",
    ),
    (
        "AttributeError",
        r"'numpy\.ndarray' object has no attribute '(requires_grad|accumulate|result|grad|_backward|_prev|_op|label)'",
        (
            "an array stands where a Tensor is needed: only a Tensor has `.{0}`. In one calculation take `.data` of "
            "every Tensor; what gets a gradient is the Tensor itself, never its `.data`"
        ),
        (
            "hay un array donde hace falta un Tensor: solo un Tensor tiene `.{0}`. En un mismo cálculo toma `.data` de "
            "todos los Tensores; quien recibe un gradiente es el propio Tensor, nunca su `.data`"
        ),
    ),
    (
        "AttributeError",
        r"'numpy\.ndarray' object has no attribute '(zero_|norm|clone|detach|numpy|backward|add_|sub_|mul_|div_)'",
        (
            "`.grad` and `.data` are NumPy arrays, and an array has no `.{0}`, as PyTorch's tensors have: write "
            "`np.linalg.norm(g)`, `g.copy()`, `g *= 0.5`, or `p.grad = None` to clear a gradient"
        ),
        (
            "`.grad` y `.data` son arrays de NumPy, y un array no tiene `.{0}`, como los tensores de PyTorch: escribe "
            "`np.linalg.norm(g)`, `g.copy()`, `g *= 0.5`, o `p.grad = None` para borrar un gradiente"
        ),
    ),
    (
        "AttributeError",
        r"'(list|tuple|dict|set|str|generator|numpy\.ndarray|function|method)' object has no attribute '(\w+)'",
        "a {0} has no `.{1}`: this line expects something else there",
        "un objeto {0} no tiene `.{1}`: esta línea espera ahí otra cosa",
    ),
    (
        "AttributeError",
        r"'?(\w+)'? object has no attribute '(\w+)'",
        "no `.{1}` was ever set on this {0}: is the name spelt as in the exercise?",
        "a este {0} nunca se le puso `.{1}`: ¿está escrito el nombre como en el ejercicio?",
    ),
    (
        "AttributeError",
        r"module '(\S+)' has no attribute '(\w+)'",
        "the module {0} has no `{1}`: is it called otherwise?",
        "el módulo {0} no tiene `{1}`: ¿se llama de otro modo?",
    ),
    (
        "TypeError",
        r"len\(\) of unsized object|object of type '(?:int|float|numpy\.\w+)' has no len\(\)",
        "a single number has no length: an array of shape () comes here as well",
        "un número solo no tiene longitud: aquí llega también un array de forma ()",
    ),
    (
        "TypeError",
        r"iteration over a 0-d array|'(?:int|float|numpy\.float64)' object is not iterable",
        "a single number cannot be walked through: an array of shape (), or a plain number, comes here as well",
        "un número solo no se puede recorrer: aquí llega también un array de forma (), o un número normal de Python",
    ),
    (
        "TypeError|IndexError",
        r"'(int|float)' object is not subscriptable|invalid index to scalar variable.*",
        "a single number has no entries to pick with [...]",
        "un número solo no tiene entradas que elegir con [...]",
    ),
    (
        "TypeError",
        r"'([\w.]+)' object is not iterable",
        "this line walks through something of type {0}, and that has no entries",
        "esta línea recorre algo de tipo {0}, que no tiene entradas",
    ),
    (
        "TypeError",
        r"'([\w.]+)' object is not subscriptable",
        "this line takes [...] of something of type {0}, and that has no entries",
        "esta línea toma [...] de algo de tipo {0}, que no tiene entradas",
    ),
    (
        "TypeError",
        r"'([\w.]+)' object is not callable",
        "something of type {0} is called here like a function: is a pair of brackets too many, or a name used twice?",
        "aquí se llama como función a algo de tipo {0}: ¿sobran paréntesis, o se usó un nombre dos veces?",
    ),
    (
        "TypeError",
        r"'(tuple|str)' object does not support item assignment",
        "a {0} cannot be changed: make a list of it first, list(...)",
        "un objeto {0} no se puede cambiar: haz antes una lista, list(...)",
    ),
    (
        "TypeError",
        r"(list|tuple|string) indices must be integers or slices, not (\S+)",
        "the entries of a {0} are picked with whole numbers, and this line takes a {1}",
        "las entradas de un objeto {0} se eligen con números enteros, y esta línea usa un {1}",
    ),
    (
        "TypeError",
        r"only (?:integer scalar|length-1|0-dimensional) arrays can be converted .*",
        "an array with several numbers stands here where one number is wanted",
        "aquí hay un array de varios números donde se quiere uno solo",
    ),
    (
        "TypeError",
        r"'(\S+)' object cannot be interpreted as an integer",
        "a whole number is wanted here, and it is of type {0}",
        "aquí se quiere un número entero, y es de tipo {0}",
    ),
    (
        "TypeError",
        r"can only concatenate (\w+) \(not \"(\S+)\"\) to \w+",
        "+ on a {0} appends, it does not add numbers: a {0} and a {1} do not go together",
        "+ sobre un objeto {0} lo alarga, no suma números: un {0} y un {1} no encajan",
    ),
    (
        "TypeError",
        r"can't multiply sequence by non-int of type '(\S+)'",
        "* on a list or tuple repeats it, it does not multiply its numbers",
        "* sobre una lista o tupla la repite, no multiplica sus números",
    ),
    (
        "TypeError",
        r"unsupported operand type\(s\) for (\S+)(?: or pow\(\))?: '(\S+)' and '(\S+)'",
        "{0} stands between a {1} and a {2} in this line, and Python knows no such operation",
        "en esta línea hay {0} entre un {1} y un {2}, y Python no conoce esa operación",
    ),
    (
        "TypeError",
        r"bad operand type for unary (\S): '(\S+)'",
        "{0} stands before a {1} in this line, and Python knows no such operation",
        "en esta línea hay {0} delante de un {1}, y Python no conoce esa operación",
    ),
    (
        "TypeError",
        r"'(\S+)' not supported between instances of '(\S+)' and '(\S+)'",
        "a {1} and a {2} cannot be compared with {0}",
        "un {1} y un {2} no se pueden comparar con {0}",
    ),
    (
        "TypeError",
        r"unhashable type: '(\S+)'",
        "a {0} can be no key of a dict and no member of a set",
        "un objeto {0} no puede ser clave de un dict ni estar en un set",
    ),
    (
        "TypeError",
        r"(\S+\(\)) missing (\d+) required .*|(\S+\(\)) takes .* positional arguments? but .*",
        "this line calls a function with too few or too many arguments",
        "esta línea llama a una función con demasiados o con muy pocos argumentos",
    ),
    (
        "TypeError",
        r"(\S+\(\)) got an unexpected keyword argument '(\w+)'",
        "{0} knows no argument called {1}",
        "{0} no tiene ningún argumento llamado {1}",
    ),
    # ----------------------------------------------------------------------------------------------------------- arrays
    (
        "TypeError",
        r"(?:The )?numpy boolean (?:negative|subtract), the `-` operator, .*",
        "an array of True and False has no minus: ~ turns True into False and False into True",
        "un array de True y False no tiene menos: ~ cambia True por False y False por True",
    ),
    (
        "ValueError",
        r"The truth value of an array .*",
        "`if`, `and`, `or`, `not` want one yes or no, and here stands an array of them: .any() or .all() makes one",
        "`if`, `and`, `or` y `not` quieren un solo sí o no, y aquí hay un array de ellos: .any() o .all() da uno",
    ),
    (
        "ValueError",
        r"operands could not be broadcast together with (?:remapped )?shapes (.*)",
        "the shapes {0} do not fit: lined up at the right, sizes must be equal, or 1",
        "las formas {0} no encajan: alineadas por la derecha, los tamaños deben ser iguales, o 1",
    ),
    (
        "ValueError",
        r"non-broadcastable output operand with shape (\(.*?\)) doesn't match the broadcast shape (\(.*?\))",
        "an in-place operation keeps the shape {0}, but the result needs {1}",
        "una operación en el propio array conserva la forma {0}, pero el resultado necesita {1}",
    ),
    (
        "ValueError",
        r"could not broadcast input array from shape (\(.*?\)) into shape (\(.*?\))",
        "an array of shape {0} does not fit into a place of shape {1}",
        "un array de forma {0} no cabe en un lugar de forma {1}",
    ),
    (
        "ValueError",
        r"matmul: .*|shapes .* not aligned: .*",
        "for @ the last size on the left must equal the last but one on the right, and batch axes must fit",
        "para @ el último tamaño de la izquierda debe ser igual al penúltimo de la derecha, y los ejes de lote encajar",
    ),
    (
        "ValueError",
        r"cannot reshape array of size (\d+) into shape (.*)",
        "reshape neither adds nor drops numbers: {0} of them do not fill the shape {1}",
        "reshape no añade ni quita números: {0} no llenan la forma {1}",
    ),
    (
        "ValueError",
        r"axes don't match array|repeated axis in transpose",
        "transpose wants each axis of the array exactly once",
        "transpose quiere cada eje del array exactamente una vez",
    ),
    (
        "ValueError",
        r"duplicate value in 'axis'",
        "an axis is named twice here",
        "aquí se nombra dos veces un eje",
    ),
    (
        "AxisError",
        r"axis (-?\d+) is out of bounds for array of dimension (\d+)",
        "there is no axis {0} here: the array is {1}-dimensional, and axes are counted from 0",
        "aquí no hay eje {0}: la dimensión del array es {1}, y los ejes se cuentan desde 0",
    ),
    (
        "ValueError",
        r"cannot select an axis to squeeze out which has size not equal to one",
        "squeeze drops axes of size 1 only",
        "squeeze solo quita ejes de tamaño 1",
    ),
    (
        "ValueError",
        r"(?:assignment destination|output array) is read-only",
        "this line writes into an array that it was given: make a new one, others still need it as it is",
        "esta línea escribe en un array que recibió: crea uno nuevo, otros aún lo necesitan como está",
    ),
    (
        "UFuncTypeError|_UFuncOutputCastingError",
        r"Cannot cast ufunc '(\w+)' output from dtype\('(\w+)'\) to dtype\('(\w+)'\).*",
        "an array of whole numbers ({2}) cannot take the result in place: begin with an array of floats",
        "un array de enteros ({2}) no puede guardar el resultado: empieza con un array de decimales",
    ),
    (
        "ValueError",
        r"setting an array element with a sequence.*",
        "one entry has room for one number, and gets several",
        "en una entrada cabe un número, y recibe varios",
    ),
    (
        "IndexError",
        r"index (-?\d+) is out of bounds for axis (\d+) with size (\d+)",
        "axis {1} has {2} entries here, so there is no entry {0}",
        "el eje {1} tiene aquí {2} entradas, así que no hay entrada {0}",
    ),
    (
        "IndexError",
        r"too many indices for array: array is (\d+)-dimensional, but (\d+) were indexed",
        "this line picks along {1} axes, and the array is {0}-dimensional",
        "esta línea elige a lo largo de {1} ejes, y la dimensión del array es {0}",
    ),
    (
        "IndexError",
        r"arrays used as indices must be of integer .*|only integers, slices .*",
        "this picks entries with something that is no whole number, slice or mask",
        "aquí se eligen entradas con algo que no es un entero, un slice ni una máscara",
    ),
    (
        "IndexError",
        r"(list|tuple|string|pop from empty list)(?: .*)?",
        "this line asks for an entry that is not there",
        "esta línea pide una entrada que no existe",
    ),
    ("ZeroDivisionError", r".*", "this line divides by 0", "esta línea divide entre 0"),
    (
        "OverflowError",
        r".*",
        "the number in this line grows too large for a float",
        "el número de esta línea se hace demasiado grande para un decimal",
    ),
    # ------------------------------------------------------------------------------------------------------------ names
    (
        "UnboundLocalError",
        r".*'(\w+)'.*",
        "`{0}` is given a value somewhere in this function, so it is the function's own, and here it has none yet",
        "`{0}` recibe un valor en algún punto de esta función, así que es suya, y aquí aún no tiene ninguno",
    ),
    (
        "NameError",
        r"name '(\w+)' is not defined.*",
        "nothing in the file is called `{0}`: is it spelt as where it was made, or is an import missing?",
        "nada en el archivo se llama `{0}`: ¿lo escribiste igual que donde se creó, o falta un import?",
    ),
    (
        "KeyError",
        r".*",
        "the dict has no entry for this key yet: d.get(key, 0) gives 0 where there is none",
        "el dict aún no tiene entrada para esta clave: d.get(key, 0) da 0 donde no la hay",
    ),
    (
        "ModuleNotFoundError|ImportError",
        r"No module named '(\S+)'",
        "there is no module {0} here: NumPy and Python's own are what an exercise may use",
        "aquí no hay ningún módulo {0}: un ejercicio puede usar NumPy y los de Python",
    ),
    (
        "ValueError",
        r"(?:not enough|too many) values to unpack .*",
        "the names on the left of = are not as many as the values on the right",
        "los nombres a la izquierda de = no son tantos como los valores de la derecha",
    ),
    (
        "AssertionError",
        r".*",
        "an `assert` in this line was not fulfilled",
        "un `assert` en esta línea no se cumplió",
    ),
    (
        "RuntimeError",
        r"(?:dictionary|Set|deque) (?:changed size|mutated) during iteration",
        "this loop changes what it walks through: walk through a copy, list(...)",
        "este bucle cambia lo que recorre: recorre una copia, list(...)",
    ),
)
