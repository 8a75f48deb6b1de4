"""Known-wrong versions of `mul_vjp`: each stands for one way to get it wrong."""

import numpy as np

from minitorch.course.judging.misconceptions import known_wrong


@known_wrong(
    "mul_vjp",
    id="mul-own-operand",
    hint=1,
    en="You multiplied g by the operand itself. a * b grows by b for every 1 of a: each gradient needs the other operand.",
    es="Multiplicaste g por el propio operando. a * b crece b por cada 1 de a: cada gradiente necesita el otro operando.",
)
def mul_vjp(g, a, b):
    return unbroadcast(g * a, a.shape), unbroadcast(g * b, b.shape)


@known_wrong(
    "mul_vjp",
    id="mul-upstream-ignored",
    hint=3,
    en="g is missing. The local gradients are b and a; each is multiplied by what arrives, and only then summed back.",
    es="Falta g. Los gradientes locales son b y a; cada uno se multiplica por lo que llega, y solo entonces se suma hacia atrás.",
)
def mul_vjp(g, a, b):
    ones = np.ones(g.shape)
    return unbroadcast(ones * b, a.shape), unbroadcast(ones * a, b.shape)


@known_wrong(
    "mul_vjp",
    id="mul-operands-returned",
    hint=3,
    en="You returned the operands crossed: those are the local gradients. Multiply each by g, then sum back to the operand's shape.",
    es="Devolviste los operandos cruzados: esos son los gradientes locales. Multiplica cada uno por g y suma hacia atrás a la forma del operando.",
)
def mul_vjp(g, a, b):
    return b, a


@known_wrong(
    "mul_vjp",
    id="mul-local-gradient-missing",
    hint=1,
    en="You handed g on as it is: that is the rule of a + b. In a * b the other operand says how much the result grows.",
    es="Pasaste g tal cual: esa es la regla de a + b. En a * b, el otro operando dice cuánto crece el resultado.",
)
def mul_vjp(g, a, b):
    return unbroadcast(g, a.shape), unbroadcast(g, b.shape)


@known_wrong(
    "mul_vjp",
    id="mul-not-summed-back",
    hint=2,
    en="The products are right, but they have the shape of the result. Sum each back to the shape of its operand.",
    es="Los productos son correctos, pero tienen la forma del resultado. Suma cada uno hacia atrás a la forma de su operando.",
)
def mul_vjp(g, a, b):
    return np.asarray(g * b), np.asarray(g * a)


@known_wrong(
    "mul_vjp",
    id="mul-only-a-summed-back",
    hint=3,
    en="a_grad is summed back, b_grad is not. Either operand may have been stretched, and both at once.",
    es="a_grad está sumado hacia atrás, b_grad no. Cualquiera de los dos pudo estirarse, y también los dos a la vez.",
)
def mul_vjp(g, a, b):
    return unbroadcast(g * b, a.shape), g * a


@known_wrong(
    "mul_vjp",
    id="mul-only-b-summed-back",
    hint=3,
    en="b_grad is summed back, a_grad is not. The left operand may be the smaller one, as in 2 * x or scale * x.",
    es="b_grad está sumado hacia atrás, a_grad no. El operando izquierdo puede ser el menor, como en 2 * x o escala * x.",
)
def mul_vjp(g, a, b):
    return g * b, unbroadcast(g * a, b.shape)


@known_wrong(
    "mul_vjp",
    id="mul-summed-too-early",
    hint=2,
    en="You summed g back first and multiplied afterwards. Each copy has a partner of its own: multiply first, then sum.",
    es="Primero sumaste g hacia atrás y después multiplicaste. Cada copia tiene su propia pareja: primero multiplica, luego suma.",
)
def mul_vjp(g, a, b):
    return unbroadcast(g, a.shape) * b, unbroadcast(g, b.shape) * a


@known_wrong(
    "mul_vjp",
    id="mul-summed-before-and-after",
    hint=2,
    en="You summed twice, once before you multiplied. A sum of products is not a product of sums: multiply by g itself, then sum once.",
    es="Sumaste dos veces, una antes de multiplicar. Una suma de productos no es un producto de sumas: multiplica por g mismo y suma una vez.",
)
def mul_vjp(g, a, b):
    a_grad = unbroadcast(g, a.shape) * unbroadcast(np.ones(g.shape) * b, a.shape)
    b_grad = unbroadcast(g, b.shape) * unbroadcast(np.ones(g.shape) * a, b.shape)
    return a_grad, b_grad


@known_wrong(
    "mul_vjp",
    id="mul-pair-swapped",
    hint=3,
    en="Both gradients are right, but they change places: a_grad, in a's shape, comes first.",
    es="Los dos gradientes son correctos, pero están cambiados de lugar: primero va a_grad, con la forma de a.",
)
def mul_vjp(g, a, b):
    return unbroadcast(g * a, b.shape), unbroadcast(g * b, a.shape)


@known_wrong(
    "mul_vjp",
    id="mul-g-overwritten",
    hint=2,
    en="`g *= b` writes into g itself, so the second product starts from a spoilt g. g * b makes a new array.",
    es="`g *= b` escribe en el propio g, y el segundo producto parte de un g estropeado. g * b crea un array nuevo.",
)
def mul_vjp(g, a, b):
    g *= b
    a_grad = unbroadcast(g, a.shape)
    return a_grad, unbroadcast(g * a, b.shape)


@known_wrong(
    "mul_vjp",
    id="mul-g-overwritten-at-the-end",
    hint=2,
    en="Both gradients are right, but `g *= a` has changed g itself. It is out.grad, and others still read it: write g * a.",
    es="Los dos gradientes son correctos, pero `g *= a` cambió el propio g. Es out.grad, y otros aún lo leen: escribe g * a.",
)
def mul_vjp(g, a, b):
    a_grad = unbroadcast(g * b, a.shape)
    g *= a
    return a_grad, unbroadcast(g, b.shape)


@known_wrong(
    "mul_vjp",
    id="mul-added-along-the-path",
    hint=2,
    en="You added g and the local gradient. Along a path you multiply: lesson 02, section 1.",
    es="Sumaste g y el gradiente local. A lo largo de un camino se multiplica: lección 02, sección 1.",
)
def mul_vjp(g, a, b):
    return unbroadcast(g + b, a.shape), unbroadcast(g + a, b.shape)


@known_wrong(
    "mul_vjp",
    id="mul-result-handed-on",
    hint=1,
    en="You multiplied g by a * b, the result. The local gradient toward a is b alone: how much the result grows, not how large it is.",
    es="Multiplicaste g por a * b, el resultado. El gradiente local hacia a es solo b: cuánto crece el resultado, no cuánto vale.",
)
def mul_vjp(g, a, b):
    return unbroadcast(g * a * b, a.shape), unbroadcast(g * a * b, b.shape)


@known_wrong(
    "mul_vjp",
    id="mul-one-gradient",
    hint=3,
    en="You returned one array, but there are two operands, and each gets a gradient of its own: return a_grad, b_grad.",
    es="Devolviste un solo array, pero hay dos operandos, y cada uno recibe su gradiente: return a_grad, b_grad.",
)
def mul_vjp(g, a, b):
    return unbroadcast(g * b, a.shape)


@known_wrong(
    "mul_vjp",
    id="mul-same-for-both",
    hint=1,
    en="Both gradients are made with b. Toward b the partner is a: the result grows by a for every 1 of b.",
    es="Los dos gradientes están hechos con b. Hacia b la pareja es a: el resultado crece a por cada 1 de b.",
)
def mul_vjp(g, a, b):
    return unbroadcast(g * b, a.shape), unbroadcast(g * b, b.shape)


@known_wrong(
    "mul_vjp",
    id="mul-always-axis-0",
    hint=3,
    en="You wrote the formula for one pair of shapes, where every row of a uses b. Either operand may be stretched, along any axis: unbroadcast(..., b.shape) and unbroadcast(..., a.shape) read the shapes.",
    es="Escribiste la fórmula para un solo par de formas, donde cada fila de a usa b. Cualquiera de los dos puede estirarse, por cualquier eje: unbroadcast(..., b.shape) y unbroadcast(..., a.shape) leen las formas.",
)
def mul_vjp(g, a, b):
    return g * b, (g * a).sum(axis=0)


@known_wrong(
    "mul_vjp",
    id="mul-partner-summed-back",
    hint=2,
    en="You brought the other operand to this one's shape and left g as it is. What is summed back is the product: multiply g by the other operand first, in the shape of the result.",
    es="Llevaste el otro operando a la forma de este y dejaste g como está. Lo que se suma hacia atrás es el producto: multiplica antes g por el otro operando, en la forma del resultado.",
)
def mul_vjp(g, a, b):
    return g * unbroadcast(b, a.shape), g * unbroadcast(a, b.shape)


@known_wrong(
    "mul_vjp",
    id="mul-divided-out-of-the-result",
    hint=3,
    en="You divided the result by an operand to get the other one back. Where an entry is 0 that is 0 / 0, which gives nan. You have the other operand itself: multiply by it.",
    es="Dividiste el resultado entre un operando para recuperar el otro. Donde una entrada es 0 eso es 0 / 0, y da nan. Tienes el otro operando: multiplica por él.",
)
def mul_vjp(g, a, b):
    out = a * b
    with np.errstate(all="ignore"):
        return unbroadcast(g * out / a, a.shape), unbroadcast(g * out / b, b.shape)
