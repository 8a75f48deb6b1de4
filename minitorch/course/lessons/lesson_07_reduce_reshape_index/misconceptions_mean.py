"""Known-wrong versions of `mean_vjp`: each stands for one way to get it wrong."""

import numpy as np

from minitorch.course.judging.misconceptions import known_wrong


@known_wrong(
    "mean_vjp",
    id="not-divided",
    hint=1,
    en="That is the gradient of the sum. A mean is the sum divided by n, so each number gets g / n.",
    es="Ese es el gradiente de la suma. Una media es la suma dividida entre n, así que cada número recibe g / n.",
)
def mean_vjp(g, x, axis, keepdims):
    return sum_vjp(g, x, axis, keepdims)


@known_wrong(
    "mean_vjp",
    id="divided-by-all",
    hint=2,
    en="You divided by x.size, the count of all numbers. With an axis each mean is of fewer: n is the product of the sizes of the axes that were averaged.",
    es="Dividiste entre x.size, la cuenta de todos los números. Con un eje cada media es de menos: n es el producto de los tamaños de los ejes promediados.",
)
def mean_vjp(g, x, axis, keepdims):
    return sum_vjp(g, x, axis, keepdims) / x.size


@known_wrong(
    "mean_vjp",
    id="divided-by-len",
    hint=2,
    en="You divided by len(x), the size of axis 0, whichever axis was averaged. n is the product of the sizes of the axes that were averaged.",
    es="Dividiste entre len(x), el tamaño del eje 0, sea cual sea el eje promediado. n es el producto de los tamaños de los ejes promediados.",
)
def mean_vjp(g, x, axis, keepdims):
    return sum_vjp(g, x, axis, keepdims) / len(x)


@known_wrong(
    "mean_vjp",
    id="divided-by-the-first-axis",
    hint=2,
    en="You divided by x.shape[0] in every case. n is the product of the sizes of the axes that were averaged, and those may be others.",
    es="Dividiste siempre entre x.shape[0]. n es el producto de los tamaños de los ejes promediados, y pueden ser otros.",
)
def mean_vjp(g, x, axis, keepdims):
    return sum_vjp(g, x, axis, keepdims) / x.shape[0]


@known_wrong(
    "mean_vjp",
    id="divided-by-the-last-axis",
    hint=2,
    en="You divided by x.shape[-1] in every case. n is the product of the sizes of the axes that were averaged, not of the last one.",
    es="Dividiste siempre entre x.shape[-1]. n es el producto de los tamaños de los ejes promediados, no el del último.",
)
def mean_vjp(g, x, axis, keepdims):
    return sum_vjp(g, x, axis, keepdims) / x.shape[-1]


@known_wrong(
    "mean_vjp",
    id="divided-by-the-results",
    hint=2,
    en="You divided by the size of g, the number of means. What counts is how many numbers went into one mean: x.size / g.size of them.",
    es="Dividiste entre el tamaño de g, el número de medias. Lo que cuenta es cuántos números entraron en una media: x.size / g.size.",
)
def mean_vjp(g, x, axis, keepdims):
    return sum_vjp(g, x, axis, keepdims) / g.size


@known_wrong(
    "mean_vjp",
    id="counts-one-axis-only",
    hint=2,
    en="x.shape[axis] takes one axis, and axis may be a tuple. n is then the product of several sizes.",
    es="x.shape[axis] acepta un solo eje, y axis puede ser una tupla. Entonces n es el producto de varios tamaños.",
)
def mean_vjp(g, x, axis, keepdims):
    averaged = x.size if axis is None else x.shape[axis]
    return sum_vjp(g, x, axis, keepdims) / averaged


@known_wrong(
    "mean_vjp",
    id="none-has-no-size",
    hint=2,
    en="x.shape[axis] needs an axis, and None is none: it means that all numbers were averaged, x.size of them. A tuple needs a product of sizes, too.",
    es="x.shape[axis] necesita un eje, y None no lo es: significa que se promediaron todos los números, x.size en total. Una tupla pide además un producto de tamaños.",
)
def mean_vjp(g, x, axis, keepdims):
    return sum_vjp(g, x, axis, keepdims) / x.shape[axis]


@known_wrong(
    "mean_vjp",
    id="sizes-added",
    hint=2,
    en="You added the sizes of several axes. A block of 2 by 4 holds 8 numbers, not 6: multiply the sizes.",
    es="Sumaste los tamaños de varios ejes. Un bloque de 2 por 4 tiene 8 números, no 6: multiplica los tamaños.",
)
def mean_vjp(g, x, axis, keepdims):
    if axis is None:
        averaged = x.size
    else:
        averaged = np.add.reduce([x.shape[each] for each in (axis if isinstance(axis, tuple) else (axis,))])
    return sum_vjp(g, x, axis, keepdims) / averaged


@known_wrong(
    "mean_vjp",
    id="first-of-the-axes",
    hint=2,
    en="You counted the first of several axes and left the others out. n is the product of all their sizes.",
    es="Contaste el primero de varios ejes y dejaste fuera los demás. n es el producto de todos sus tamaños.",
)
def mean_vjp(g, x, axis, keepdims):
    first = axis[0] if isinstance(axis, tuple) else axis
    averaged = x.size if first is None else x.shape[first]
    return sum_vjp(g, x, axis, keepdims) / averaged


@known_wrong(
    "mean_vjp",
    id="multiplied",
    hint=1,
    en="You multiplied by n. Of n numbers each moves the mean by one n-th of its own step: divide.",
    es="Multiplicaste por n. De n números, cada uno mueve la media una n-ésima parte de su paso: divide.",
)
def mean_vjp(g, x, axis, keepdims):
    return sum_vjp(g, x, axis, keepdims) * (x.size // g.size)


@known_wrong(
    "mean_vjp",
    id="divided-twice",
    hint=1,
    en="You divided by n twice. Each number moves the mean by one n-th of its step: divide once.",
    es="Dividiste dos veces entre n. Cada número mueve la media una n-ésima parte de su paso: divide una vez.",
)
def mean_vjp(g, x, axis, keepdims):
    averaged = x.size // g.size
    return sum_vjp(g / averaged, x, axis, keepdims) / averaged


@known_wrong(
    "mean_vjp",
    id="not-spread",
    hint=3,
    en="You divided g by n and handed it on in its own shape. Every number of x gets a gradient: spread it over x's shape, as for a sum.",
    es="Dividiste g entre n y lo entregaste con su propia forma. Cada número de x recibe un gradiente: repártelo por la forma de x, como en una suma.",
)
def mean_vjp(g, x, axis, keepdims):
    return g / (x.size // g.size)


@known_wrong(
    "mean_vjp",
    id="mean-axis-not-put-back",
    hint=3,
    en="n is right, but you stretched g / n without putting the averaged axis back at its place. Spread g as sum_vjp does.",
    es="n es correcto, pero estiraste g / n sin devolver a su lugar el eje promediado. Reparte g como hace sum_vjp.",
)
def mean_vjp(g, x, axis, keepdims):
    return np.broadcast_to(g / (x.size // g.size), x.shape)


@known_wrong(
    "mean_vjp",
    id="mean-axis-not-put-back-times-ones",
    hint=3,
    en="n is right, but the product with ones lines g / n up at the right: the averaged axis must be put back first, as in sum_vjp.",
    es="n es correcto, pero el producto con unos alinea g / n por la derecha: antes hay que devolver el eje promediado, como en sum_vjp.",
)
def mean_vjp(g, x, axis, keepdims):
    return np.ones_like(x) * g / (x.size // g.size)


@known_wrong(
    "mean_vjp",
    id="mean-upstream-ignored",
    hint=1,
    en="You returned 1 / n everywhere: that is the local gradient. It is multiplied by what arrives, g.",
    es="Devolviste 1 / n en todas partes: ese es el gradiente local. Se multiplica por lo que llega, g.",
)
def mean_vjp(g, x, axis, keepdims):
    return np.full(x.shape, g.size / x.size)


@known_wrong(
    "mean_vjp",
    id="mean-of-g",
    hint=3,
    en="You took the mean of g. The mean was made on the way forward; on the way back each number gets g / n from its own mean.",
    es="Tomaste la media de g. La media se hizo hacia delante; hacia atrás cada número recibe g / n de su propia media.",
)
def mean_vjp(g, x, axis, keepdims):
    return np.full(x.shape, g.mean())


@known_wrong(
    "mean_vjp",
    id="divides-in-place",
    hint=3,
    en="`g /= n` divides the array of the result's node itself. Another step may still need it: g / n makes a new array.",
    es="`g /= n` divide el propio array del nodo del resultado. Otro paso aún puede necesitarlo: g / n crea un array nuevo.",
)
def mean_vjp(g, x, axis, keepdims):
    g /= x.size // g.size
    return sum_vjp(g, x, axis, keepdims)


@known_wrong(
    "mean_vjp",
    id="divides-a-view",
    hint=3,
    en="np.broadcast_to returns a view that is read-only: its rows are one and the same memory, so `/=` cannot write there. gradient / n makes a new array.",
    es="np.broadcast_to devuelve una vista de solo lectura: sus filas son la misma memoria, así que `/=` no puede escribir ahí. gradient / n crea un array nuevo.",
)
def mean_vjp(g, x, axis, keepdims):
    gradient = sum_vjp(g, x, axis, keepdims)
    gradient /= x.size // g.size
    return gradient


@known_wrong(
    "mean_vjp",
    id="negative-axis-not-counted",
    hint=2,
    en="You looked for the axis among 0, 1, 2, ..., and -1 is none of them, so n stayed 1. An axis counted from the end is axis % x.ndim; or take x.size / g.size.",
    es="Buscaste el eje entre 0, 1, 2, ..., y -1 no es ninguno de ellos, así que n quedó en 1. Un eje contado desde el final es axis % x.ndim; o usa x.size / g.size.",
)
def mean_vjp(g, x, axis, keepdims):
    averaged = 1
    for each, size in enumerate(x.shape):
        if axis is None or each in np.atleast_1d(axis):
            averaged *= size
    return sum_vjp(g, x, axis, keepdims) / averaged
