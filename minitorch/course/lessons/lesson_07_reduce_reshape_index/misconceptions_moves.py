"""Known-wrong versions of `reshape_vjp` and `transpose_vjp`: each stands for one way to get it wrong."""

import numpy as np

from minitorch.course.judging.misconceptions import known_wrong


@known_wrong(
    "reshape_vjp",
    id="shape-of-g-kept",
    hint=1,
    en="You handed g on in its own shape. A gradient has its array's shape: bring g back to x.shape.",
    es="Entregaste g con su propia forma. Un gradiente tiene la forma de su array: devuelve g a x.shape.",
)
def reshape_vjp(g, x):
    return g


@known_wrong(
    "reshape_vjp",
    id="transposed-instead",
    hint=2,
    en="You transposed g. For some shapes the result looks right, but transposing swaps rows and columns, and reshape never moves a number out of its row-by-row order.",
    es="Transpusiste g. Con algunas formas el resultado parece correcto, pero transponer cambia filas por columnas, y reshape nunca saca un número de su orden fila por fila.",
)
def reshape_vjp(g, x):
    return g.T


@known_wrong(
    "reshape_vjp",
    id="transposed-first",
    hint=2,
    en="The shape is right, but you transposed g before, or read it column by column, which is the same. That changes the order of the numbers, and reshape had kept it, row by row.",
    es="La forma es correcta, pero antes transpusiste g, o lo leíste columna por columna, que es lo mismo. Eso cambia el orden de los números, y reshape lo había conservado, fila por fila.",
)
def reshape_vjp(g, x):
    return g.T.reshape(x.shape)


@known_wrong(
    "reshape_vjp",
    id="column-order",
    hint=2,
    en="You read and wrote the numbers column by column (Fortran order). reshape goes row by row, so its way back does, too.",
    es="Leíste y escribiste los números columna por columna (orden de Fortran). reshape va fila por fila, y su camino de vuelta también.",
)
def reshape_vjp(g, x):
    return g.reshape(x.shape, order="F")


@known_wrong(
    "reshape_vjp",
    id="order-of-the-memory",
    hint=3,
    en="You read the numbers as they lie in memory. The same array can be stored by rows or by columns; reshape goes by the rows that you see, not by the memory.",
    es="Leíste los números como están en la memoria. El mismo array puede guardarse por filas o por columnas; reshape va por las filas que ves, no por la memoria.",
)
def reshape_vjp(g, x):
    return g.reshape(x.shape, order="A")


@known_wrong(
    "reshape_vjp",
    id="flattened",
    hint=3,
    en="You made one long row of g. The order is right, the shape is not yet: x.shape.",
    es="Hiciste de g una sola fila larga. El orden es correcto, la forma todavía no: x.shape.",
)
def reshape_vjp(g, x):
    return g.ravel()


@known_wrong(
    "reshape_vjp",
    id="two-axes-only",
    hint=3,
    en="x.shape[0] and the rest make two axes. x may have any number of them: use x.shape as a whole.",
    es="x.shape[0] y el resto dan dos ejes. x puede tener cualquier número de ellos: usa x.shape entero.",
)
def reshape_vjp(g, x):
    return g.reshape(x.shape[0], -1)


@known_wrong(
    "reshape_vjp",
    id="forward-again",
    hint=1,
    en="You reshaped x, so its values came back, not the gradient. It is g that has to go back to x's shape.",
    es="Cambiaste la forma de x, así que volvieron sus valores, no el gradiente. Es g lo que tiene que volver a la forma de x.",
)
def reshape_vjp(g, x):
    return x.reshape(g.shape)


@known_wrong(
    "reshape_vjp",
    id="reshape-upstream-ignored",
    hint=1,
    en="You returned ones: that is the local gradient of a number that only moves. It carries g back: 1 times g.",
    es="Devolviste unos: ese es el gradiente local de un número que solo se mueve. Lleva g de vuelta: 1 por g.",
)
def reshape_vjp(g, x):
    return np.ones_like(x)


@known_wrong(
    "reshape_vjp",
    id="stretched-instead",
    hint=2,
    en="You stretched g. Stretching makes copies; reshape made none: as many numbers go back as came.",
    es="Estiraste g. Estirar hace copias; reshape no hizo ninguna: vuelven tantos números como vinieron.",
)
def reshape_vjp(g, x):
    return np.broadcast_to(g, x.shape)


@known_wrong(
    "reshape_vjp",
    id="resized-in-place",
    hint=3,
    en="g.resize changes g itself, and g still belongs to the result's node. g.reshape(x.shape) leaves it as it is.",
    es="g.resize cambia el propio g, y g aún pertenece al nodo del resultado. g.reshape(x.shape) lo deja como está.",
)
def reshape_vjp(g, x):
    g.resize(x.shape, refcheck=False)
    return g


@known_wrong(
    "reshape_vjp",
    id="shape-taken-apart",
    hint=3,
    en="reshape(*x.shape) hands over each size by itself. A single number has shape () and no sizes, so nothing is handed over: give the shape as a whole, g.reshape(x.shape).",
    es="reshape(*x.shape) entrega cada tamaño por separado. Un solo número tiene forma () y ningún tamaño, así que no se entrega nada: da la forma entera, g.reshape(x.shape).",
)
def reshape_vjp(g, x):
    return g.reshape(*x.shape)


@known_wrong(
    "reshape_vjp",
    id="written-by-columns",
    hint=2,
    en='You read g row by row but wrote it column by column. Row by row both times: no order="F", no .T.',
    es='Leíste g fila por fila pero lo escribiste columna por columna. Fila por fila las dos veces: sin order="F" ni .T.',
)
def reshape_vjp(g, x):
    return g.ravel().reshape(x.shape, order="F")


@known_wrong(
    "reshape_vjp",
    id="shape-set-in-place",
    hint=3,
    en="`g.shape = ...` changes g itself, and g still belongs to the result's node. g.reshape(x.shape) leaves it as it is.",
    es="`g.shape = ...` cambia el propio g, y g aún pertenece al nodo del resultado. g.reshape(x.shape) lo deja como está.",
)
def reshape_vjp(g, x):
    g.shape = x.shape
    return g


@known_wrong(
    "reshape_vjp",
    id="reshape-times-x",
    hint=1,
    en="You multiplied by x. A number that only moves keeps its size: the local gradient is 1.",
    es="Multiplicaste por x. Un número que solo se mueve conserva su tamaño: el gradiente local es 1.",
)
def reshape_vjp(g, x):
    return g.reshape(x.shape) * x


# ------------------------------------------------------------------------------------------------------ transpose_vjp


@known_wrong(
    "transpose_vjp",
    id="same-permutation",
    hint=2,
    en="You applied axes once more. That undoes a swap, but a cycle of three goes one step further round. You need the inverse: the permutation that puts each axis back.",
    es="Aplicaste axes otra vez. Eso deshace un intercambio, pero un ciclo de tres da un paso más. Necesitas la inversa: la permutación que devuelve cada eje a su lugar.",
)
def transpose_vjp(g, x, axes):
    return g.transpose(axes)


@known_wrong(
    "transpose_vjp",
    id="axes-read-backwards",
    hint=2,
    en="You read axes from right to left. That is another permutation, not the inverse: at place axes[i] of the inverse stands i.",
    es="Leíste axes de derecha a izquierda. Eso es otra permutación, no la inversa: en el lugar axes[i] de la inversa está i.",
)
def transpose_vjp(g, x, axes):
    return g.transpose(axes[::-1] if axes is not None else None)


@known_wrong(
    "transpose_vjp",
    id="always-reversed",
    hint=2,
    en="g.T always reverses the axes. That is right for axes=None and for two swapped axes; any other permutation needs its own inverse.",
    es="g.T siempre invierte los ejes. Eso vale para axes=None y para dos ejes intercambiados; cualquier otra permutación necesita su propia inversa.",
)
def transpose_vjp(g, x, axes):
    return g.T


@known_wrong(
    "transpose_vjp",
    id="last-two-swapped",
    hint=2,
    en="You swapped the last two axes. x may have any number of axes, and axes says where each of them went: undo that.",
    es="Intercambiaste los dos últimos ejes. x puede tener cualquier número de ejes, y axes dice adónde fue cada uno: deshaz eso.",
)
def transpose_vjp(g, x, axes):
    return np.swapaxes(g, -1, -2)


@known_wrong(
    "transpose_vjp",
    id="negative-axes-sorted",
    hint=3,
    en="You sorted axes as they stand, and -1 sorts before 0 although it is the last axis. Make numbers from 0 on of them first: axis % x.ndim.",
    es="Ordenaste axes tal como está, y -1 queda delante de 0 aunque es el último eje. Conviértelos antes en números desde 0: axis % x.ndim.",
)
def transpose_vjp(g, x, axes):
    return g.transpose() if axes is None else g.transpose([int(each) for each in np.argsort(axes)])


@known_wrong(
    "transpose_vjp",
    id="negative-axes-looked-up",
    hint=3,
    en="You looked each axis up in axes, and the last one may be written -1 there. Make numbers from 0 on of them first: axis % x.ndim.",
    es="Buscaste cada eje en axes, y el último puede estar escrito ahí como -1. Conviértelos antes en números desde 0: axis % x.ndim.",
)
def transpose_vjp(g, x, axes):
    return g.transpose() if axes is None else g.transpose([axes.index(axis) for axis in range(x.ndim)])


@known_wrong(
    "transpose_vjp",
    id="none-sorted",
    hint=3,
    en="axes may be None, and None cannot be sorted: it reverses the axes, and reversing them again undoes it. Axes such as -1 must become numbers from 0 on, too.",
    es="axes puede ser None, y None no se puede ordenar: invierte los ejes, e invertirlos otra vez lo deshace. Además, ejes como -1 tienen que volverse números desde 0.",
)
def transpose_vjp(g, x, axes):
    return g.transpose([int(each) for each in np.argsort(axes)])


@known_wrong(
    "transpose_vjp",
    id="none-walked-through",
    hint=3,
    en="The inverse is right, but axes may be None, which has no entries to go through: it reverses the axes, and reversing them again undoes it.",
    es="La inversa es correcta, pero axes puede ser None, que no tiene entradas que recorrer: invierte los ejes, e invertirlos otra vez lo deshace.",
)
def transpose_vjp(g, x, axes):
    back = [0] * x.ndim
    for place, axis in enumerate(axes):
        back[axis] = place
    return g.transpose(back)


@known_wrong(
    "transpose_vjp",
    id="none-left-alone",
    hint=3,
    en="You took axes=None for 'nothing was moved'. It reverses the axes, as x.T does: reverse them again.",
    es="Tomaste axes=None por 'no se movió nada'. Invierte los ejes, como x.T: vuelve a invertirlos.",
)
def transpose_vjp(g, x, axes):
    if axes is None:
        return g
    back = [0] * x.ndim
    for place, axis in enumerate(axes):
        back[axis] = place
    return g.transpose(back)


@known_wrong(
    "transpose_vjp",
    id="reshaped-instead",
    hint=1,
    en="The shape is right, the places are not: you reshaped g. reshape keeps the order row by row, transpose changes it. The axes must be put back.",
    es="La forma es correcta, los lugares no: cambiaste la forma de g. reshape conserva el orden fila por fila, transpose lo cambia. Hay que devolver los ejes a su sitio.",
)
def transpose_vjp(g, x, axes):
    return g.reshape(x.shape)


@known_wrong(
    "transpose_vjp",
    id="not-put-back",
    hint=1,
    en="You handed g on with its axes as they came. A gradient has its array's shape: put the axes back in the order of x.",
    es="Entregaste g con los ejes como llegaron. Un gradiente tiene la forma de su array: devuelve los ejes al orden de x.",
)
def transpose_vjp(g, x, axes):
    return g


@known_wrong(
    "transpose_vjp",
    id="x-transposed",
    hint=1,
    en="You transposed x, so its values came back, not the gradient. It is g whose axes have to be put back.",
    es="Transpusiste x, así que volvieron sus valores, no el gradiente. Son los ejes de g los que hay que devolver a su sitio.",
)
def transpose_vjp(g, x, axes):
    return x.transpose(axes)


@known_wrong(
    "transpose_vjp",
    id="transpose-upstream-ignored",
    hint=1,
    en="You returned ones: that is the local gradient of a number that only moves. It carries g along: 1 times g, at its old place.",
    es="Devolviste unos: ese es el gradiente local de un número que solo se mueve. Lleva g consigo: 1 por g, en su lugar de antes.",
)
def transpose_vjp(g, x, axes):
    return np.ones_like(x)


@known_wrong(
    "transpose_vjp",
    id="negative-axes-not-in-dict",
    hint=3,
    en="Your table of axes has -1 where you ask for the last one by its number. Make numbers from 0 on of them first: axis % x.ndim.",
    es="Tu tabla de ejes tiene -1 donde preguntas por el último con su número. Conviértelos antes en números desde 0: axis % x.ndim.",
)
def transpose_vjp(g, x, axes):
    if axes is None:
        return g.transpose()
    place_of = {axis: place for place, axis in enumerate(axes)}
    return g.transpose([place_of[axis] for axis in range(x.ndim)])


@known_wrong(
    "transpose_vjp",
    id="axes-read-backwards-and-none",
    hint=2,
    en="axes[::-1] reads axes from right to left. That is not the inverse: at place axes[i] of the inverse stands i. And axes may be None, which cannot be read at all: it reverses the axes.",
    es="axes[::-1] lee axes de derecha a izquierda. Eso no es la inversa: en el lugar axes[i] de la inversa está i. Además, axes puede ser None, que no se puede leer: invierte los ejes.",
)
def transpose_vjp(g, x, axes):
    return g.transpose(axes[::-1])
