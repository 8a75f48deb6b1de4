"""Known-wrong versions of `max_vjp`: each stands for one way to get it wrong."""

import numpy as np

from minitorch.course.judging.misconceptions import known_wrong


@known_wrong(
    "max_vjp",
    id="everyone-gets-it",
    hint=1,
    en="You gave g to every number, as for a sum. Only the largest of each group moves the result: the others get 0.",
    es="Diste g a todos los números, como en una suma. Solo el mayor de cada grupo mueve el resultado: los demás reciben 0.",
)
def max_vjp(g, x, axis, keepdims):
    return sum_vjp(g, x, axis, keepdims)


@known_wrong(
    "max_vjp",
    id="ties-in-full",
    hint=3,
    en="In a tie you gave all of g to each of the equal numbers, so more goes back than arrived. k equal numbers share g: 1 / k each.",
    es="En un empate diste g entero a cada uno de los números iguales, así que vuelve más de lo que llegó. k números iguales se reparten g: 1 / k cada uno.",
)
def max_vjp(g, x, axis, keepdims):
    largest = x == x.max(axis=axis, keepdims=True)
    return sum_vjp(g, x, axis, keepdims) * largest


@known_wrong(
    "max_vjp",
    id="first-tie-only",
    hint=3,
    en="In a tie you gave g to the first of the equal numbers alone, as argmax finds it. Equal numbers share g evenly here.",
    es="En un empate diste g solo al primero de los números iguales, como lo encuentra argmax. Aquí los números iguales se reparten g por igual.",
)
def max_vjp(g, x, axis, keepdims):
    out = np.zeros_like(x)
    spread = sum_vjp(g, x, axis, keepdims)
    ids = sum_vjp(np.arange(g.size).reshape(g.shape), x, axis, keepdims)
    for group in range(g.size):
        members = np.argwhere(ids == group)
        best = tuple(members[np.argmax([x[tuple(each)] for each in members])])
        out[best] = spread[best]
    return out


@known_wrong(
    "max_vjp",
    id="argmax-takes-one-axis",
    hint=2,
    en="argmax takes one axis, not a tuple, and in a tie it finds the first number only. Compare x with the largest of its group: that works for any axes, and shows all of them.",
    es="argmax acepta un eje, no una tupla, y en un empate encuentra solo el primer número. Compara x con el mayor de su grupo: sirve para cualquier eje y los muestra todos.",
)
def max_vjp(g, x, axis, keepdims):
    out = np.zeros_like(x)
    if axis is None:
        out.flat[x.argmax()] = g.item()
        return out
    best = x.argmax(axis=axis, keepdims=True)
    np.put_along_axis(out, best, g if keepdims else np.expand_dims(g, axis), axis)
    return out


@known_wrong(
    "max_vjp",
    id="argmax-of-all",
    hint=2,
    en="x.argmax() finds one place in the whole array. With an axis every group has a largest number of its own. In a tie it finds only the first.",
    es="x.argmax() encuentra un solo lugar en todo el array. Con un eje, cada grupo tiene su propio número mayor. Y en un empate encuentra solo el primero.",
)
def max_vjp(g, x, axis, keepdims):
    out = np.zeros_like(x)
    out.flat[x.argmax()] = g.sum()
    return out


@known_wrong(
    "max_vjp",
    id="argmax-of-all-assigned",
    hint=2,
    en="x.argmax() is one place in the whole array, and g may hold several numbers: they do not fit there. Every group has a largest number of its own.",
    es="x.argmax() es un solo lugar de todo el array, y g puede tener varios números: ahí no caben. Cada grupo tiene su propio número mayor.",
)
def max_vjp(g, x, axis, keepdims):
    out = np.zeros_like(x)
    out[np.unravel_index(x.argmax(), x.shape)] = g
    return out


@known_wrong(
    "max_vjp",
    id="largest-of-all",
    hint=2,
    en="You compared with the largest number of the whole array. With an axis every group has its own: x.max(axis=axis, keepdims=True).",
    es="Comparaste con el número mayor de todo el array. Con un eje, cada grupo tiene el suyo: x.max(axis=axis, keepdims=True).",
)
def max_vjp(g, x, axis, keepdims):
    largest = x == x.max()
    return sum_vjp(g, x, axis, keepdims) * largest / largest.sum()


@known_wrong(
    "max_vjp",
    id="largest-of-all-ties-in-full",
    hint=2,
    en="You compared with the largest number of the whole array: with an axis every group has its own. And equal numbers share g: 1 / k each.",
    es="Comparaste con el número mayor de todo el array: con un eje, cada grupo tiene el suyo. Y los números iguales se reparten g: 1 / k cada uno.",
)
def max_vjp(g, x, axis, keepdims):
    return sum_vjp(g, x, axis, keepdims) * (x == x.max())


@known_wrong(
    "max_vjp",
    id="ties-of-all-groups",
    hint=3,
    en="You counted the largest numbers of all groups together. Each group shares what arrived at it: count along the axis only, and keep the axis.",
    es="Contaste juntos los números mayores de todos los grupos. Cada grupo reparte lo que le llegó: cuenta solo por el eje, y conserva el eje.",
)
def max_vjp(g, x, axis, keepdims):
    largest = x == x.max(axis=axis, keepdims=True)
    return sum_vjp(g, x, axis, keepdims) * largest / largest.sum()


@known_wrong(
    "max_vjp",
    id="half-each",
    hint=3,
    en="You gave half to each number of a tie. That is right for two; three of them get a third each: count the equal numbers of the group.",
    es="Diste la mitad a cada número de un empate. Eso vale para dos; tres reciben un tercio cada uno: cuenta los números iguales del grupo.",
)
def max_vjp(g, x, axis, keepdims):
    largest = x == x.max(axis=axis, keepdims=True)
    shared = np.where(largest.sum(axis=axis, keepdims=True) > 1, 0.5, 1.0)
    return sum_vjp(g, x, axis, keepdims) * largest * shared


@known_wrong(
    "max_vjp",
    id="ties-get-nothing",
    hint=3,
    en="In a tie nobody got anything, so what arrived was lost. k equal numbers share g: 1 / k each.",
    es="En un empate nadie recibió nada, y lo que llegó se perdió. k números iguales se reparten g: 1 / k cada uno.",
)
def max_vjp(g, x, axis, keepdims):
    largest = x == x.max(axis=axis, keepdims=True)
    alone = largest.sum(axis=axis, keepdims=True) == 1
    return sum_vjp(g, x, axis, keepdims) * largest * alone


@known_wrong(
    "max_vjp",
    id="divided-by-the-group",
    hint=3,
    en="You divided by the size of the group, as for a mean. Only the equal largest numbers share g: divide by how many of these there are.",
    es="Dividiste entre el tamaño del grupo, como en una media. Solo los mayores iguales se reparten g: divide entre cuántos son.",
)
def max_vjp(g, x, axis, keepdims):
    largest = x == x.max(axis=axis, keepdims=True)
    return sum_vjp(g, x, axis, keepdims) * largest / (x.size // g.size)


@known_wrong(
    "max_vjp",
    id="nearly-equal-counted",
    hint=2,
    en="You counted numbers that are nearly the largest, too. They do not move the result: compare with ==. The largest number is one of x's own, so nothing was rounded.",
    es="Contaste también números que son casi el mayor. No mueven el resultado: compara con ==. El mayor es uno de los propios números de x, así que nada se redondeó.",
)
def max_vjp(g, x, axis, keepdims):
    largest = np.isclose(x, x.max(axis=axis, keepdims=True))
    return sum_vjp(g, x, axis, keepdims) * largest / largest.sum(axis=axis, keepdims=True)


@known_wrong(
    "max_vjp",
    id="max-upstream-ignored",
    hint=2,
    en="You returned the shares alone: that is the local gradient. Each share is multiplied by what arrives at its group, g.",
    es="Devolviste solo las partes: ese es el gradiente local. Cada parte se multiplica por lo que llega a su grupo, g.",
)
def max_vjp(g, x, axis, keepdims):
    largest = x == x.max(axis=axis, keepdims=True)
    return largest / largest.sum(axis=axis, keepdims=True)


@known_wrong(
    "max_vjp",
    id="times-the-largest",
    hint=1,
    en="You multiplied by x. When the largest number grows by 1, the result grows by 1: the local gradient is 1, not the number.",
    es="Multiplicaste por x. Cuando el número mayor crece 1, el resultado crece 1: el gradiente local es 1, no el número.",
)
def max_vjp(g, x, axis, keepdims):
    largest = x == x.max(axis=axis, keepdims=True)
    return sum_vjp(g, x, axis, keepdims) * x * largest / largest.sum(axis=axis, keepdims=True)


@known_wrong(
    "max_vjp",
    id="max-without-its-axis",
    hint=2,
    en="x.max(axis) has lost the axis, so it cannot be lined up with x. Keep it with keepdims=True, in the comparison and in the count.",
    es="x.max(axis) perdió el eje, así que no se puede alinear con x. Consérvalo con keepdims=True, en la comparación y en la cuenta.",
)
def max_vjp(g, x, axis, keepdims):
    largest = x == x.max(axis=axis)
    return sum_vjp(g, x, axis, keepdims) * largest / largest.sum(axis=axis, keepdims=True)


@known_wrong(
    "max_vjp",
    id="max-with-the-given-keepdims",
    hint=2,
    en="You passed keepdims on to x.max. For the comparison with x the axis must stay, whatever the caller asked for: keepdims=True.",
    es="Le pasaste keepdims a x.max. Para comparar con x el eje tiene que quedarse, pida lo que pida quien llama: keepdims=True.",
)
def max_vjp(g, x, axis, keepdims):
    largest = x == x.max(axis=axis, keepdims=keepdims)
    return sum_vjp(g, x, axis, keepdims) * largest / largest.sum(axis=axis, keepdims=keepdims)


@known_wrong(
    "max_vjp",
    id="count-without-its-axis",
    hint=3,
    en="Your count of the ties has lost the axis, so it is lined up with the wrong one, or with none. Keep it: largest.sum(axis=axis, keepdims=True).",
    es="Tu cuenta de los empates perdió el eje, así que se alinea con otro, o con ninguno. Consérvalo: largest.sum(axis=axis, keepdims=True).",
)
def max_vjp(g, x, axis, keepdims):
    largest = x == x.max(axis=axis, keepdims=True)
    return sum_vjp(g, x, axis, keepdims) * largest / largest.sum(axis=axis)


@known_wrong(
    "max_vjp",
    id="g-without-its-axis",
    hint=4,
    en="The largest numbers and the ties are right, but g has lost the axis and is lined up at the right. Spread it as sum_vjp does.",
    es="Los mayores y los empates son correctos, pero g perdió el eje y se alinea por la derecha. Repártelo como hace sum_vjp.",
)
def max_vjp(g, x, axis, keepdims):
    largest = x == x.max(axis=axis, keepdims=True)
    return g * largest / largest.sum(axis=axis, keepdims=True)


@known_wrong(
    "max_vjp",
    id="max-keepdims-put-back-twice",
    hint=4,
    en="With keepdims=True the axis is still in g. You put in another one, so the result has an axis too many: let sum_vjp do the spreading.",
    es="Con keepdims=True el eje sigue en g. Pusiste otro más, y al resultado le sobra un eje: deja que sum_vjp reparta.",
)
def max_vjp(g, x, axis, keepdims):
    largest = x == x.max(axis=axis, keepdims=True)
    if axis is not None:
        g = np.expand_dims(g, axis)
    return g * largest / largest.sum(axis=axis, keepdims=True)


@known_wrong(
    "max_vjp",
    id="mask-times-g",
    hint=4,
    en="Finding the largest numbers is right. Two things are missing: g has lost the axis, so spread it as sum_vjp does, and equal numbers share it, 1 / k each.",
    es="Encontrar los mayores es correcto. Faltan dos cosas: g perdió el eje, así que repártelo como hace sum_vjp, y los números iguales se lo reparten, 1 / k cada uno.",
)
def max_vjp(g, x, axis, keepdims):
    return g * (x == x.max(axis=axis, keepdims=True))


@known_wrong(
    "max_vjp",
    id="the-smallest",
    hint=1,
    en="You found the smallest number of each group. The result is the largest, so that is the one that moves it.",
    es="Encontraste el número menor de cada grupo. El resultado es el mayor, así que es ese el que lo mueve.",
)
def max_vjp(g, x, axis, keepdims):
    smallest = x == x.min(axis=axis, keepdims=True)
    return sum_vjp(g, x, axis, keepdims) * smallest / smallest.sum(axis=axis, keepdims=True)
