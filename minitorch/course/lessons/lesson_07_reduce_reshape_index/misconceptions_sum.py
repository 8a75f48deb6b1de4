"""Known-wrong versions of `sum_vjp`: each stands for one way to get it wrong."""

import numpy as np

from minitorch.course.judging.misconceptions import known_wrong


@known_wrong(
    "sum_vjp",
    id="axis-not-put-back",
    hint=2,
    en="You stretched g without putting the summed axis back. Shapes are lined up at the right, so g lands on the last axis, or nowhere: put the axis back at its place, with size 1.",
    es="Estiraste g sin devolver el eje sumado. Las formas se alinean por la derecha, así que g cae en el último eje, o en ninguno: devuelve el eje a su lugar, con tamaño 1.",
)
def sum_vjp(g, x, axis, keepdims):
    return np.broadcast_to(g, x.shape)


@known_wrong(
    "sum_vjp",
    id="axis-not-put-back-times-ones",
    hint=2,
    en="You let NumPy line g and ones up by itself: it does so at the right, and the summed axis is still missing in g. Put it back at its place, with size 1.",
    es="Dejaste que NumPy alineara g con los unos por su cuenta: lo hace por la derecha, y a g le falta el eje sumado. Devuélvelo a su lugar, con tamaño 1.",
)
def sum_vjp(g, x, axis, keepdims):
    return g * np.ones_like(x)


@known_wrong(
    "sum_vjp",
    id="axis-not-put-back-filled",
    hint=2,
    en="You filled an array of x's shape with g as it came. g has lost the summed axis: put it back at its place, with size 1, before you fill.",
    es="Rellenaste un array con la forma de x con g tal como llegó. g perdió el eje sumado: devuélvelo a su lugar, con tamaño 1, antes de rellenar.",
)
def sum_vjp(g, x, axis, keepdims):
    return np.full(x.shape, g)


@known_wrong(
    "sum_vjp",
    id="keepdims-put-back-twice",
    hint=3,
    en="With keepdims=True the summed axis is still in g, with size 1. You put in another one: only an axis that is gone must be put back.",
    es="Con keepdims=True el eje sumado sigue en g, con tamaño 1. Pusiste otro más: solo hay que devolver un eje que desapareció.",
)
def sum_vjp(g, x, axis, keepdims):
    if axis is not None:
        g = np.expand_dims(g, axis)
    return np.broadcast_to(g, x.shape)


@known_wrong(
    "sum_vjp",
    id="keepdims-put-back-twice-times-ones",
    hint=3,
    en="With keepdims=True nothing is missing in g, but you put an axis in all the same. The product with ones then has an axis too many: look at keepdims first.",
    es="Con keepdims=True a g no le falta nada, pero le pusiste un eje igualmente. El producto con unos tiene entonces un eje de más: mira antes keepdims.",
)
def sum_vjp(g, x, axis, keepdims):
    if axis is not None:
        g = np.expand_dims(g, axis)
    return g * np.ones_like(x)


@known_wrong(
    "sum_vjp",
    id="keepdims-upside-down",
    hint=3,
    en="You asked keepdims the wrong way round. True means: the summed axis is still there. Put it back when keepdims is False.",
    es="Preguntaste keepdims al revés. True significa: el eje sumado sigue ahí. Devuélvelo cuando keepdims es False.",
)
def sum_vjp(g, x, axis, keepdims):
    if axis is not None and keepdims:
        g = np.expand_dims(g, axis)
    return np.broadcast_to(g, x.shape)


@known_wrong(
    "sum_vjp",
    id="none-has-no-place",
    hint=3,
    en="axis=None names no place, so np.expand_dims cannot take it. All axes were summed and g is one number: it fits every shape as it is.",
    es="axis=None no nombra ningún lugar, así que np.expand_dims no lo acepta. Se sumaron todos los ejes y g es un solo número: encaja tal cual en cualquier forma.",
)
def sum_vjp(g, x, axis, keepdims):
    if not keepdims:
        g = np.expand_dims(g, axis)
    return np.broadcast_to(g, x.shape)


@known_wrong(
    "sum_vjp",
    id="negative-axis-inserted",
    hint=2,
    en="An axis counted from the end counts in x's shape, and you counted in g's, which lacks the axis. So it lands one place too early, as with list.insert(-1, 1). np.expand_dims counts rightly; so does axis % x.ndim.",
    es="Un eje contado desde el final cuenta en la forma de x, y tú contaste en la de g, a la que le falta el eje. Cae un lugar antes, como con list.insert(-1, 1). np.expand_dims cuenta bien; axis % x.ndim también.",
)
def sum_vjp(g, x, axis, keepdims):
    if axis is not None and not keepdims:
        shape = list(g.shape)
        for each in sorted(axis) if isinstance(axis, tuple) else [axis]:
            shape.insert(each, 1)
        g = g.reshape(shape)
    return np.broadcast_to(g, x.shape)


@known_wrong(
    "sum_vjp",
    id="negative-axis-not-found",
    hint=2,
    en="You looked for the axis among 0, 1, 2, ..., and -1 is none of them. An axis counted from the end is axis % x.ndim counted from the beginning.",
    es="Buscaste el eje entre 0, 1, 2, ..., y -1 no es ninguno de ellos. Un eje contado desde el final es axis % x.ndim contado desde el principio.",
)
def sum_vjp(g, x, axis, keepdims):
    if axis is None:
        return np.broadcast_to(g, x.shape)
    axes = axis if isinstance(axis, tuple) else (axis,)
    shape = [1 if each in axes else size for each, size in enumerate(x.shape)]
    return np.broadcast_to(g.reshape(shape), x.shape)


@known_wrong(
    "sum_vjp",
    id="one-axis-only",
    hint=2,
    en="axis may be a tuple: several axes were summed at once, and a tuple is no place in a list. Put each of them back; np.expand_dims takes a tuple.",
    es="axis puede ser una tupla: se sumaron varios ejes a la vez, y una tupla no es un lugar de una lista. Devuelve cada uno; np.expand_dims acepta una tupla.",
)
def sum_vjp(g, x, axis, keepdims):
    if axis is None:
        return np.broadcast_to(g, x.shape)
    shape = list(x.shape)
    shape[axis] = 1
    return np.broadcast_to(g.reshape(shape), x.shape)


@known_wrong(
    "sum_vjp",
    id="axes-one-by-one",
    hint=2,
    en="You put several axes back one after the other, in the order in which they were named. Each number counts in the full shape of x: put them back all at once, or count them from 0 and begin with the smallest.",
    es="Devolviste varios ejes uno tras otro, en el orden en que se nombraron. Cada número cuenta en la forma completa de x: devuélvelos todos a la vez, o cuéntalos desde 0 y empieza por el menor.",
)
def sum_vjp(g, x, axis, keepdims):
    if axis is not None and not keepdims:
        for each in axis if isinstance(axis, tuple) else (axis,):
            g = np.expand_dims(g, each)
    return np.broadcast_to(g, x.shape)


@known_wrong(
    "sum_vjp",
    id="always-the-last-axis",
    hint=2,
    en="You always put the axis back at the end. It belongs where it was summed away: at `axis`.",
    es="Siempre devolviste el eje al final. Va donde la suma lo quitó: en `axis`.",
)
def sum_vjp(g, x, axis, keepdims):
    if axis is not None and not keepdims:
        g = g[..., None]
    return np.broadcast_to(g, x.shape)


@known_wrong(
    "sum_vjp",
    id="repeated-in-place",
    hint=2,
    en="You repeated each number of g and cut the row to x's shape. The copies then lie side by side in the last axis, whichever axis was summed. Only an axis put back at its place says which way to copy.",
    es="Repetiste cada número de g y cortaste la fila a la forma de x. Las copias quedan entonces una junto a otra en el último eje, sea cual sea el eje sumado. Solo un eje devuelto a su lugar dice hacia dónde copiar.",
)
def sum_vjp(g, x, axis, keepdims):
    return np.repeat(g, x.size // g.size).reshape(x.shape)


@known_wrong(
    "sum_vjp",
    id="repeated-as-a-whole",
    hint=2,
    en="You repeated g as a whole until x's shape was full. That copies along the first axis, whichever axis was summed. Put the axis back at its place, and stretch.",
    es="Repetiste g entero hasta llenar la forma de x. Eso copia por el primer eje, sea cual sea el eje sumado. Devuelve el eje a su lugar y estira.",
)
def sum_vjp(g, x, axis, keepdims):
    return np.resize(g, x.shape)


@known_wrong(
    "sum_vjp",
    id="g-handed-on",
    hint=1,
    en="You handed g on as it came. A gradient has its array's shape: every number that was added gets a gradient, so g must be spread over x's shape.",
    es="Entregaste g tal como llegó. Un gradiente tiene la forma de su array: cada número que se sumó recibe uno, así que hay que repartir g por la forma de x.",
)
def sum_vjp(g, x, axis, keepdims):
    return g


@known_wrong(
    "sum_vjp",
    id="upstream-ignored",
    hint=1,
    en="You returned ones: that is the local gradient. What arrives comes along: 1 times g.",
    es="Devolviste unos: ese es el gradiente local. Lo que llega también cuenta: 1 por g.",
)
def sum_vjp(g, x, axis, keepdims):
    return np.ones_like(x)


@known_wrong(
    "sum_vjp",
    id="shared-out",
    hint=1,
    en="You divided g among the numbers. In a sum nothing is divided: each of them gets all of g. Dividing is the rule of the mean.",
    es="Dividiste g entre los números. En una suma no se divide nada: cada uno recibe g entero. Dividir es la regla de la media.",
)
def sum_vjp(g, x, axis, keepdims):
    shared = g / (x.size / g.size) if g.size else g
    if axis is not None and not keepdims:
        shared = np.expand_dims(shared, axis)
    return np.broadcast_to(shared, x.shape)


@known_wrong(
    "sum_vjp",
    id="summed-again",
    hint=1,
    en="You added up g, too. The sum was made on the way forward; on the way back each number gets the one entry of g that belongs to its sum.",
    es="Sumaste también g. La suma se hizo hacia delante; hacia atrás cada número recibe la única entrada de g que corresponde a su suma.",
)
def sum_vjp(g, x, axis, keepdims):
    return np.full(x.shape, g.sum())


@known_wrong(
    "sum_vjp",
    id="times-x",
    hint=1,
    en="You multiplied by x. The local gradient of a sum is 1, whatever numbers are added.",
    es="Multiplicaste por x. El gradiente local de una suma es 1, sean cuales sean los números.",
)
def sum_vjp(g, x, axis, keepdims):
    if axis is not None and not keepdims:
        g = np.expand_dims(g, axis)
    return g * x


@known_wrong(
    "sum_vjp",
    id="shape-set-in-place",
    hint=3,
    en="You gave g itself another shape. g still belongs to the result's node: make a new array, with np.expand_dims or g.reshape.",
    es="Le diste otra forma al propio g. g aún pertenece al nodo del resultado: crea un array nuevo, con np.expand_dims o g.reshape.",
)
def sum_vjp(g, x, axis, keepdims):
    if axis is not None and not keepdims:
        g.resize(np.expand_dims(g, axis).shape, refcheck=False)
    return np.broadcast_to(g, x.shape)


@known_wrong(
    "sum_vjp",
    id="put-back-without-asking",
    hint=3,
    en="You put the axis back in every case. Nothing is missing when keepdims=True kept it, and axis=None names no place: ask for both before np.expand_dims.",
    es="Devolviste el eje en todos los casos. No falta nada cuando keepdims=True lo conservó, y axis=None no nombra ningún lugar: pregunta por los dos antes de np.expand_dims.",
)
def sum_vjp(g, x, axis, keepdims):
    return np.broadcast_to(np.expand_dims(g, axis), x.shape)


@known_wrong(
    "sum_vjp",
    id="put-back-without-asking-times-ones",
    hint=3,
    en="You put the axis back in every case, then multiplied by ones. With keepdims=True that is an axis too many, and axis=None names no place: ask for both first.",
    es="Devolviste el eje en todos los casos y luego multiplicaste por unos. Con keepdims=True sobra un eje, y axis=None no nombra ningún lugar: pregunta antes por los dos.",
)
def sum_vjp(g, x, axis, keepdims):
    return np.expand_dims(g, axis) * np.ones_like(x)


@known_wrong(
    "sum_vjp",
    id="reshaped-only",
    hint=2,
    en="g.reshape(x.shape) makes no copies, and g has fewer numbers than x. Put the summed axis back with size 1, then stretch.",
    es="g.reshape(x.shape) no hace copias, y g tiene menos números que x. Devuelve el eje sumado con tamaño 1 y luego estira.",
)
def sum_vjp(g, x, axis, keepdims):
    return g.reshape(x.shape)


@known_wrong(
    "sum_vjp",
    id="not-stretched",
    hint=4,
    en="The summed axis is back, but with size 1. Each number that was added gets its own copy: stretch to x.shape.",
    es="El eje sumado ha vuelto, pero con tamaño 1. Cada número que se sumó recibe su propia copia: estira hasta x.shape.",
)
def sum_vjp(g, x, axis, keepdims):
    if axis is not None and not keepdims:
        g = np.expand_dims(g, axis)
    return g


@known_wrong(
    "sum_vjp",
    id="axis-put-in-front",
    hint=2,
    en="You put the missing axis in front. That is right for axis=0 only: it belongs where it was summed away, at `axis`.",
    es="Pusiste delante el eje que falta. Eso solo vale para axis=0: va donde la suma lo quitó, en `axis`.",
)
def sum_vjp(g, x, axis, keepdims):
    while g.ndim < x.ndim:
        g = g[None]
    return np.broadcast_to(g, x.shape)


@known_wrong(
    "sum_vjp",
    id="axes-sorted-as-they-stand",
    hint=2,
    en="You sorted the axes as they stand, and -1 sorts before 0 although it is the last axis. Count them from 0 first, axis % x.ndim, or hand the whole tuple to np.expand_dims.",
    es="Ordenaste los ejes tal como están, y -1 queda delante de 0 aunque es el último eje. Cuéntalos antes desde 0, axis % x.ndim, o dale la tupla entera a np.expand_dims.",
)
def sum_vjp(g, x, axis, keepdims):
    if axis is not None and not keepdims:
        for each in sorted(axis if isinstance(axis, tuple) else (axis,)):
            g = np.expand_dims(g, each)
    return np.broadcast_to(g, x.shape)


@known_wrong(
    "sum_vjp",
    id="axes-sorted-as-they-stand-times-ones",
    hint=2,
    en="Putting the axes back in their order is right, but -1 sorts before 0 although it is the last axis. Count them from 0 before you sort: axis % x.ndim.",
    es="Devolver los ejes en su orden es correcto, pero -1 queda delante de 0 aunque es el último eje. Cuéntalos desde 0 antes de ordenarlos: axis % x.ndim.",
)
def sum_vjp(g, x, axis, keepdims):
    if axis is not None and not keepdims:
        for each in sorted(axis if isinstance(axis, tuple) else (axis,)):
            g = np.expand_dims(g, each)
    return np.ones_like(x) * g
