"""Known-wrong versions of `getitem_vjp`: each stands for one way to get it wrong."""

import numpy as np

from minitorch.course.judging.misconceptions import known_wrong


@known_wrong(
    "getitem_vjp",
    id="repeats-lost",
    hint=3,
    en="An entry that was picked twice got only its last gradient. gradient[index] += g (or = g) reads first and writes then, so repeats overwrite each other. np.add.at adds them one after the other.",
    es="Una entrada que se eligió dos veces recibió solo su último gradiente. gradient[index] += g (o = g) primero lee y luego escribe, y los repetidos se pisan. np.add.at los suma uno tras otro.",
)
def getitem_vjp(g, x, index):
    gradient = np.zeros_like(x)
    gradient[index] += g
    return gradient


@known_wrong(
    "getitem_vjp",
    id="shape-of-g",
    hint=2,
    en="Your zeros have the shape of g, of what was picked. The gradient has the shape of x, of what it was picked from.",
    es="Tus ceros tienen la forma de g, de lo que se eligió. El gradiente tiene la forma de x, de donde se eligió.",
)
def getitem_vjp(g, x, index):
    gradient = np.zeros_like(g)
    np.add.at(gradient, index, g)
    return gradient


@known_wrong(
    "getitem_vjp",
    id="index-ignored",
    hint=1,
    en="You handed g on as it came. A gradient has its array's shape: zeros in the shape of x, and g at the places that were picked.",
    es="Entregaste g tal como llegó. Un gradiente tiene la forma de su array: ceros con la forma de x, y g en los lugares elegidos.",
)
def getitem_vjp(g, x, index):
    return g


@known_wrong(
    "getitem_vjp",
    id="picked-again",
    hint=2,
    en="You picked from g with the index. On the way back it works the other way round: the index says where in the zeros each entry of g belongs.",
    es="Elegiste en g con el índice. De vuelta funciona al revés: el índice dice a qué lugar de los ceros va cada entrada de g.",
)
def getitem_vjp(g, x, index):
    return g[index]


@known_wrong(
    "getitem_vjp",
    id="spread-over-all",
    hint=1,
    en="You stretched g over the whole array. Only what was picked has an effect on the result: everything else gets 0.",
    es="Estiraste g por todo el array. Solo lo elegido influye en el resultado: lo demás recibe 0.",
)
def getitem_vjp(g, x, index):
    return g * np.ones_like(x)


@known_wrong(
    "getitem_vjp",
    id="whole-numbers",
    hint=2,
    en="Your zeros are whole numbers (an integer dtype), and gradients do not fit in there. Make zeros of floats, as x's numbers are: np.zeros_like(x).",
    es="Tus ceros son números enteros (dtype entero), y los gradientes no caben ahí. Crea ceros de tipo float, como los números de x: np.zeros_like(x).",
)
def getitem_vjp(g, x, index):
    gradient = np.zeros(x.shape, dtype=int)
    np.add.at(gradient, index, g)
    return gradient


@known_wrong(
    "getitem_vjp",
    id="whole-numbers-assigned",
    hint=2,
    en="Your zeros are whole numbers (an integer dtype): what is written there is cut off after the point. Make zeros of floats, as x's numbers are, and add with np.add.at, so that repeats count.",
    es="Tus ceros son números enteros (dtype entero): lo que se escribe ahí pierde los decimales. Crea ceros de tipo float, como los números de x, y suma con np.add.at para que cuenten los repetidos.",
)
def getitem_vjp(g, x, index):
    gradient = np.zeros(x.shape, dtype=int)
    gradient[index] = g
    return gradient


@known_wrong(
    "getitem_vjp",
    id="starts-from-x",
    hint=2,
    en="You added g to a copy of x. The gradient starts from zeros: what was not picked has no effect on the result.",
    es="Sumaste g a una copia de x. El gradiente empieza en ceros: lo que no se eligió no influye en el resultado.",
)
def getitem_vjp(g, x, index):
    gradient = x.copy()
    np.add.at(gradient, index, g)
    return gradient


@known_wrong(
    "getitem_vjp",
    id="writes-into-x",
    hint=2,
    en="You wrote into x itself, and x is the parameter's data. Make an array of your own: zeros in the shape of x.",
    es="Escribiste en el propio x, y x son los datos del parámetro. Crea un array propio: ceros con la forma de x.",
)
def getitem_vjp(g, x, index):
    np.add.at(x, index, g)
    return x


@known_wrong(
    "getitem_vjp",
    id="writes-zeros-into-x",
    hint=2,
    en="`gradient = x` makes no copy: it is a second name for x, so your zeros erased the parameter's data. np.zeros_like(x) makes a new array.",
    es="`gradient = x` no hace copia: es otro nombre de x, así que tus ceros borraron los datos del parámetro. np.zeros_like(x) crea un array nuevo.",
)
def getitem_vjp(g, x, index):
    gradient = x
    gradient[...] = 0.0
    np.add.at(gradient, index, g)
    return gradient


@known_wrong(
    "getitem_vjp",
    id="times-picked",
    hint=1,
    en="You multiplied g by the numbers that were picked. Picking a number changes nothing about it: the local gradient is 1.",
    es="Multiplicaste g por los números elegidos. Elegir un número no lo cambia: el gradiente local es 1.",
)
def getitem_vjp(g, x, index):
    gradient = np.zeros_like(x)
    np.add.at(gradient, index, g * x[index])
    return gradient


@known_wrong(
    "getitem_vjp",
    id="counts-only",
    hint=1,
    en="You counted how often each entry was picked: that is the local gradient. Add the entries of g instead of ones.",
    es="Contaste cuántas veces se eligió cada entrada: ese es el gradiente local. Suma las entradas de g en vez de unos.",
)
def getitem_vjp(g, x, index):
    gradient = np.zeros_like(x)
    np.add.at(gradient, index, 1.0)
    return gradient


@known_wrong(
    "getitem_vjp",
    id="marked-only",
    hint=1,
    en="You wrote 1 where something was picked. What goes there is what arrived, g; and a place that was picked twice gets both.",
    es="Escribiste 1 donde se eligió algo. Ahí va lo que llegó, g; y un lugar elegido dos veces recibe los dos.",
)
def getitem_vjp(g, x, index):
    gradient = np.zeros_like(x)
    gradient[index] = 1.0
    return gradient


@known_wrong(
    "getitem_vjp",
    id="repeats-averaged",
    hint=3,
    en="You took the mean of the gradients of an entry that was picked several times. Contributions are added: two uses, two gradients.",
    es="Tomaste la media de los gradientes de una entrada elegida varias veces. Las contribuciones se suman: dos usos, dos gradientes.",
)
def getitem_vjp(g, x, index):
    gradient, times = np.zeros_like(x), np.zeros_like(x)
    np.add.at(gradient, index, g)
    np.add.at(times, index, 1.0)
    return gradient / np.maximum(times, 1.0)


@known_wrong(
    "getitem_vjp",
    id="first-axis-only",
    hint=3,
    en="Your loop expects a list of rows. An index may be a single number, a slice or a tuple as well, and none of these can be walked through like that: np.add.at takes all of them.",
    es="Tu bucle espera una lista de filas. Un índice puede ser también un número, un slice o una tupla, y esos no se recorren así: np.add.at los acepta todos.",
)
def getitem_vjp(g, x, index):
    gradient = np.zeros_like(x)
    for row, arrived in zip(index, g):
        gradient[row] += arrived
    return gradient


@known_wrong(
    "getitem_vjp",
    id="add-at-returns-none",
    hint=3,
    en="np.add.at changes the array that it is given and returns None. Call it on a line of its own, then return the array.",
    es="np.add.at cambia el array que recibe y devuelve None. Llámalo en una línea propia y luego devuelve el array.",
)
def getitem_vjp(g, x, index):
    return np.add.at(np.zeros_like(x), index, g)


@known_wrong(
    "getitem_vjp",
    id="first-axis-only-counted",
    hint=3,
    en="You went through the index with enumerate, as if it were a list of rows. It may be a single number, a slice or a tuple as well: np.add.at takes all of them.",
    es="Recorriste el índice con enumerate, como si fuera una lista de filas. Puede ser también un número, un slice o una tupla: np.add.at los acepta todos.",
)
def getitem_vjp(g, x, index):
    gradient = np.zeros_like(x)
    for number, row in enumerate(index):
        gradient[row] += g[number]
    return gradient


@known_wrong(
    "getitem_vjp",
    id="repeats-lost-in-tuples",
    hint=3,
    en="You add repeats only where the index is an array by itself. In a tuple, as in x[:, columns], there may be an array, too: np.add.at takes every index.",
    es="Sumas los repetidos solo si el índice es un array por sí solo. En una tupla, como en x[:, columnas], también puede haber un array: np.add.at acepta cualquier índice.",
)
def getitem_vjp(g, x, index):
    gradient = np.zeros_like(x)
    if isinstance(index, np.ndarray):
        np.add.at(gradient, index, g)
    else:
        gradient[index] = g
    return gradient


@known_wrong(
    "getitem_vjp",
    id="whole-numbers-added",
    hint=2,
    en="Your zeros are whole numbers (an integer dtype): with += a float is cut off after the point there, or refused. Make zeros of floats with np.zeros_like(x), and add with np.add.at, so that repeats count.",
    es="Tus ceros son números enteros (dtype entero): con += un float pierde ahí los decimales, o se rechaza. Crea ceros de tipo float con np.zeros_like(x), y suma con np.add.at para que cuenten los repetidos.",
)
def getitem_vjp(g, x, index):
    gradient = np.zeros(x.shape, dtype=int)
    gradient[index] += g
    return gradient
