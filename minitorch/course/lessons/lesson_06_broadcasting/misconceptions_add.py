"""Known-wrong versions of `add_vjp`: each stands for one way to get it wrong."""

import numpy as np

from minitorch.course.judging.misconceptions import known_wrong


@known_wrong(
    "add_vjp",
    id="add-not-summed-back",
    hint=2,
    en="You returned g for both. g has the shape of the result: an operand that was stretched needs it summed back to its own shape.",
    es="Devolviste g para los dos. g tiene la forma del resultado: un operando que se estiró lo necesita sumado hacia atrás a su propia forma.",
)
def add_vjp(g, a, b):
    return g, g


@known_wrong(
    "add_vjp",
    id="add-only-a-summed-back",
    hint=2,
    en="Only a_grad is summed back. b may be the one that was stretched, and often is: a bias stands on the right.",
    es="Solo se suma hacia atrás a_grad. El estirado puede ser b, y a menudo lo es: un sesgo suele estar a la derecha.",
)
def add_vjp(g, a, b):
    return unbroadcast(g, a.shape), g


@known_wrong(
    "add_vjp",
    id="add-only-b-summed-back",
    hint=2,
    en="Only b_grad is summed back. a may be stretched just as well, and both may be at once.",
    es="Solo se suma hacia atrás b_grad. a puede estirarse igual, y también los dos a la vez.",
)
def add_vjp(g, a, b):
    return g, unbroadcast(g, b.shape)


@known_wrong(
    "add_vjp",
    id="add-shape-of-a-for-both",
    hint=3,
    en="Both gradients have the shape of a. Each operand gets its own: the second one is summed back to b.shape.",
    es="Los dos gradientes tienen la forma de a. Cada operando recibe el suyo: el segundo se suma hacia atrás a b.shape.",
)
def add_vjp(g, a, b):
    a_grad = unbroadcast(g, a.shape)
    return a_grad, a_grad


@known_wrong(
    "add_vjp",
    id="add-pair-swapped",
    hint=3,
    en="The pair is the wrong way round: first the gradient of a, in a's shape, then that of b.",
    es="El par está al revés: primero el gradiente de a, con la forma de a, y después el de b.",
)
def add_vjp(g, a, b):
    return unbroadcast(g, b.shape), unbroadcast(g, a.shape)


@known_wrong(
    "add_vjp",
    id="add-upstream-ignored",
    hint=2,
    en="You returned ones and left g out. 1 is the local gradient: it is multiplied by what arrives, and g arrives.",
    es="Devolviste unos y dejaste g fuera. 1 es el gradiente local: se multiplica por lo que llega, y lo que llega es g.",
)
def add_vjp(g, a, b):
    return np.ones(a.shape), np.ones(b.shape)


@known_wrong(
    "add_vjp",
    id="add-copies-counted",
    hint=2,
    en="You counted the copies: a sum of ones. What is summed is what arrives at each copy, and that is g.",
    es="Contaste las copias: una suma de unos. Lo que se suma es lo que llega a cada copia, y eso es g.",
)
def add_vjp(g, a, b):
    ones = np.ones(g.shape)
    return unbroadcast(ones, a.shape), unbroadcast(ones, b.shape)


@known_wrong(
    "add_vjp",
    id="add-multiplied-by-the-other",
    hint=1,
    en="That is the rule of a * b. A sum grows by 1 for every 1 of either operand, whatever the other one is: g goes on as it is.",
    es="Esa es la regla de a * b. Una suma crece 1 por cada 1 de cualquiera de los dos, sea cual sea el otro: g pasa tal cual.",
)
def add_vjp(g, a, b):
    return unbroadcast(g * b, a.shape), unbroadcast(g * a, b.shape)


@known_wrong(
    "add_vjp",
    id="add-multiplied-by-own",
    hint=1,
    en="You multiplied g by the operand itself. The local gradient of a sum is 1, whatever a and b hold.",
    es="Multiplicaste g por el propio operando. El gradiente local de una suma es 1, contengan lo que contengan a y b.",
)
def add_vjp(g, a, b):
    return unbroadcast(g * a, a.shape), unbroadcast(g * b, b.shape)


@known_wrong(
    "add_vjp",
    id="add-b-negated",
    hint=1,
    en="b_grad has the wrong sign: that would be a - b. In a + b the result grows with b.",
    es="b_grad tiene el signo cambiado: eso sería a - b. En a + b el resultado crece con b.",
)
def add_vjp(g, a, b):
    return unbroadcast(g, a.shape), unbroadcast(-g, b.shape)


@known_wrong(
    "add_vjp",
    id="add-shared-out",
    hint=1,
    en="You shared g out, half to each. A gradient is not divided: the result grows by 1 with a, and by 1 with b.",
    es="Repartiste g, la mitad a cada uno. Un gradiente no se divide: el resultado crece 1 con a, y 1 con b.",
)
def add_vjp(g, a, b):
    return unbroadcast(g / 2, a.shape), unbroadcast(g / 2, b.shape)


@known_wrong(
    "add_vjp",
    id="add-one-gradient",
    hint=3,
    en="You returned one array. The rule returns two, one for each operand: return a_grad, b_grad.",
    es="Devolviste un solo array. La regla devuelve dos, uno por operando: return a_grad, b_grad.",
)
def add_vjp(g, a, b):
    return unbroadcast(g, a.shape)


@known_wrong(
    "add_vjp",
    id="add-shape-of-b-for-both",
    hint=3,
    en="Both gradients have the shape of b. The first one belongs to a: it is summed back to a.shape.",
    es="Los dos gradientes tienen la forma de b. El primero pertenece a a: se suma hacia atrás a a.shape.",
)
def add_vjp(g, a, b):
    b_grad = unbroadcast(g, b.shape)
    return b_grad, b_grad


@known_wrong(
    "add_vjp",
    id="add-one-stretched-at-most",
    hint=2,
    en="You sum back one operand at most. Both may be stretched at once, (2, 1) + (3,) for example: ask for each by itself, without else.",
    es="Sumas hacia atrás como mucho un operando. Los dos pueden estirarse a la vez, por ejemplo (2, 1) + (3,): mira cada uno por separado, sin else.",
)
def add_vjp(g, a, b):
    if a.shape != g.shape:
        return unbroadcast(g, a.shape), g
    return g, unbroadcast(g, b.shape)


@known_wrong(
    "add_vjp",
    id="add-ones-like-g",
    hint=2,
    en="You returned ones in the shape of g. Two steps are missing: 1 times what arrives, which is g, and then the sum back to each operand's shape.",
    es="Devolviste unos con la forma de g. Faltan dos pasos: 1 por lo que llega, que es g, y después la suma hacia atrás a la forma de cada operando.",
)
def add_vjp(g, a, b):
    return np.ones_like(g), np.ones_like(g)


@known_wrong(
    "add_vjp",
    id="add-always-axis-0",
    hint=2,
    en="You summed b_grad over axis 0, as for a bias that every row uses, and a_grad not at all. Either operand may be stretched, along any axis: their shapes say which. unbroadcast reads them.",
    es="Sumaste b_grad sobre el eje 0, como para un sesgo que se suma a cada fila, y a_grad sobre ninguno. Cualquiera de los dos puede estirarse, por cualquier eje: lo dicen sus formas. unbroadcast las lee.",
)
def add_vjp(g, a, b):
    return g, g.sum(axis=0)
