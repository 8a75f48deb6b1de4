"""Known-wrong versions of `div_vjp`: each stands for one way to get it wrong."""

import numpy as np

from minitorch.course.judging.misconceptions import known_wrong


@known_wrong(
    "div_vjp",
    id="div-sign-of-denominator",
    hint=2,
    en="The sign of b_grad is wrong. A larger denominator makes the result smaller, so the local gradient is -a / b**2.",
    es="El signo de b_grad está mal. Un denominador mayor hace menor el resultado, así que el gradiente local es -a / b**2.",
)
def div_vjp(g, a, b):
    return unbroadcast(g / b, a.shape), unbroadcast(g * a / b**2, b.shape)


@known_wrong(
    "div_vjp",
    id="div-no-square",
    hint=1,
    en="The square is missing in b_grad: you divided by b once. b**-1 grows at the rate -1 * b**-2, so b stands there twice.",
    es="Falta el cuadrado en b_grad: dividiste entre b una vez. b**-1 crece a razón de -1 * b**-2, así que b está dos veces.",
)
def div_vjp(g, a, b):
    return unbroadcast(g / b, a.shape), unbroadcast(-g * a / b, b.shape)


@known_wrong(
    "div_vjp",
    id="div-no-square-no-sign",
    hint=1,
    en="b_grad lacks two things, the minus sign and the square. Write a / b as a * b**-1 and take the rule for powers.",
    es="A b_grad le faltan dos cosas, el signo menos y el cuadrado. Escribe a / b como a * b**-1 y usa la regla de las potencias.",
)
def div_vjp(g, a, b):
    return unbroadcast(g / b, a.shape), unbroadcast(g * a / b, b.shape)


@known_wrong(
    "div_vjp",
    id="div-same-rule-for-both",
    hint=1,
    en="Both gradients are g / b. But a stands above and b below: the result shrinks when b grows, and more so where a is large.",
    es="Los dos gradientes son g / b. Pero a está arriba y b abajo: el resultado disminuye cuando b crece, y más donde a es grande.",
)
def div_vjp(g, a, b):
    return unbroadcast(g / b, a.shape), unbroadcast(g / b, b.shape)


@known_wrong(
    "div_vjp",
    id="div-crossed-like-a-product",
    hint=1,
    en="You divided by the other operand on both sides, as if a and b could change places. In a / b they cannot: b_grad is g * -a / b**2.",
    es="Dividiste entre el otro operando en los dos lados, como si a y b pudieran cambiarse. En a / b no pueden: b_grad es g * -a / b**2.",
)
def div_vjp(g, a, b):
    return unbroadcast(g / b, a.shape), unbroadcast(g / a, b.shape)


@known_wrong(
    "div_vjp",
    id="div-numerator-forgotten",
    hint=2,
    en="b_grad lacks a. That would be the rule of 1 / b. A quotient is a times as large as that, so it also falls a times as fast: -a / b**2.",
    es="A b_grad le falta a. Esa sería la regla de 1 / b. El cociente es eso multiplicado por a, y su pendiente también: -a / b**2.",
)
def div_vjp(g, a, b):
    return unbroadcast(g / b, a.shape), unbroadcast(-g / b**2, b.shape)


@known_wrong(
    "div_vjp",
    id="div-brackets-missing",
    hint=2,
    en="`/ b * b` divides and multiplies again: Python goes from left to right. Put brackets, / (b * b), or write / b**2.",
    es="`/ b * b` divide y vuelve a multiplicar: Python va de izquierda a derecha. Pon paréntesis, / (b * b), o escribe / b**2.",
)
def div_vjp(g, a, b):
    return unbroadcast(g / b, a.shape), unbroadcast(-g * a / b * b, b.shape)


@known_wrong(
    "div_vjp",
    id="div-rule-of-mul",
    hint=1,
    en="Those are the gradients of a * b. For every 1 of a, a / b grows by 1 / b.",
    es="Esos son los gradientes de a * b. Por cada 1 de a, a / b crece 1 / b.",
)
def div_vjp(g, a, b):
    return unbroadcast(g * b, a.shape), unbroadcast(g * a, b.shape)


@known_wrong(
    "div_vjp",
    id="div-numerator-by-mul",
    hint=2,
    en="b_grad is right. a_grad is not: the result grows by 1 / b for every 1 of a, so g is divided by b, not multiplied.",
    es="b_grad es correcto. a_grad no: el resultado crece 1 / b por cada 1 de a, así que g se divide entre b, no se multiplica.",
)
def div_vjp(g, a, b):
    return unbroadcast(g * b, a.shape), unbroadcast(-g * a / b**2, b.shape)


@known_wrong(
    "div_vjp",
    id="div-numerator-untouched",
    hint=2,
    en="b_grad is right. a_grad is g itself, as in a sum: but a is divided by b, and so is its gradient.",
    es="b_grad es correcto. a_grad es el propio g, como en una suma: pero a se divide entre b, y su gradiente también.",
)
def div_vjp(g, a, b):
    return unbroadcast(g, a.shape), unbroadcast(-g * a / b**2, b.shape)


@known_wrong(
    "div_vjp",
    id="div-roles-swapped",
    hint=2,
    en="Numerator and denominator have changed roles: that is the rule of b / a. In a / b it is b that stands below.",
    es="Numerador y denominador cambiaron de papel: esa es la regla de b / a. En a / b es b el que está abajo.",
)
def div_vjp(g, a, b):
    return unbroadcast(-g * b / a**2, a.shape), unbroadcast(g / a, b.shape)


@known_wrong(
    "div_vjp",
    id="div-upstream-ignored",
    hint=3,
    en="1 / b and -a / b**2 are the local gradients, and g is missing. Multiply each by g, then sum back.",
    es="1 / b y -a / b**2 son los gradientes locales, y falta g. Multiplica cada uno por g y suma hacia atrás.",
)
def div_vjp(g, a, b):
    ones = np.ones(g.shape)
    return unbroadcast(ones / b, a.shape), unbroadcast(-ones * a / b**2, b.shape)


@known_wrong(
    "div_vjp",
    id="div-upstream-ignored-below",
    hint=3,
    en="a_grad is right. In b_grad g is missing: -a / b**2 is the local gradient, and it is multiplied by what arrives.",
    es="a_grad es correcto. En b_grad falta g: -a / b**2 es el gradiente local, y se multiplica por lo que llega.",
)
def div_vjp(g, a, b):
    return unbroadcast(g / b, a.shape), unbroadcast(-np.ones(g.shape) * a / b**2, b.shape)


@known_wrong(
    "div_vjp",
    id="div-not-summed-back",
    hint=3,
    en="The quotients are right, but they have the shape of the result. Sum each back to the shape of its operand.",
    es="Los cocientes son correctos, pero tienen la forma del resultado. Suma cada uno hacia atrás a la forma de su operando.",
)
def div_vjp(g, a, b):
    return np.asarray(g / b), np.asarray(-g * a / b**2)


@known_wrong(
    "div_vjp",
    id="div-only-a-summed-back",
    hint=3,
    en="b_grad is not summed back. A denominator is often a single number that divides everything: its gradient is a single number, too.",
    es="b_grad no está sumado hacia atrás. Un denominador es a menudo un solo número que divide todo: su gradiente también es un solo número.",
)
def div_vjp(g, a, b):
    return unbroadcast(g / b, a.shape), -g * a / b**2


@known_wrong(
    "div_vjp",
    id="div-only-b-summed-back",
    hint=3,
    en="a_grad is not summed back. The numerator may be stretched as well, as in 1 / x.",
    es="a_grad no está sumado hacia atrás. El numerador también puede estirarse, como en 1 / x.",
)
def div_vjp(g, a, b):
    return g / b, unbroadcast(-g * a / b**2, b.shape)


@known_wrong(
    "div_vjp",
    id="div-summed-too-early",
    hint=3,
    en="You summed g back to b's shape first, and multiplied by -a / b**2 afterwards. Each copy of b divides another entry of a: multiply first, then sum.",
    es="Primero sumaste g a la forma de b y después multiplicaste por -a / b**2. Cada copia de b divide otra entrada de a: primero multiplica, luego suma.",
)
def div_vjp(g, a, b):
    return unbroadcast(g / b, a.shape), unbroadcast(g, b.shape) * (-a / b**2)


@known_wrong(
    "div_vjp",
    id="div-g-overwritten",
    hint=3,
    en="The gradients are right, but `g /= b` has changed g itself. It is out.grad, and others still read it: g / b makes a new array.",
    es="Los gradientes son correctos, pero `g /= b` cambió el propio g. Es out.grad, y otros aún lo leen: g / b crea un array nuevo.",
)
def div_vjp(g, a, b):
    g /= b
    return unbroadcast(g.copy(), a.shape), unbroadcast(-g * a / b, b.shape)


@known_wrong(
    "div_vjp",
    id="div-g-overwritten-first",
    hint=3,
    en="`g /= b` writes into g itself: b_grad then starts from a g that is divided already. g / b makes a new array.",
    es="`g /= b` escribe en el propio g: b_grad parte entonces de un g ya dividido. g / b crea un array nuevo.",
)
def div_vjp(g, a, b):
    g /= b
    return unbroadcast(g, a.shape), unbroadcast(-g * a / b**2, b.shape)


@known_wrong(
    "div_vjp",
    id="div-one-gradient",
    hint=3,
    en="You returned one array. A quotient has two operands, above and below: return a_grad, b_grad.",
    es="Devolviste un solo array. Un cociente tiene dos operandos, arriba y abajo: return a_grad, b_grad.",
)
def div_vjp(g, a, b):
    return unbroadcast(g / b, a.shape)


@known_wrong(
    "div_vjp",
    id="div-numerator-and-sign-forgotten",
    hint=2,
    en="In b_grad the minus sign and a are missing: g / b**2 is neither. The local gradient toward b is -a / b**2.",
    es="En b_grad faltan el signo menos y a: no basta g / b**2. El gradiente local hacia b es -a / b**2.",
)
def div_vjp(g, a, b):
    return unbroadcast(g / b, a.shape), unbroadcast(g / b**2, b.shape)


@known_wrong(
    "div_vjp",
    id="div-sign-only",
    hint=1,
    en="b_grad is a_grad's rule with a minus sign. How fast the result shrinks depends on a and on b squared: -a / b**2.",
    es="b_grad es la regla de a_grad con signo menos. Con qué rapidez disminuye el resultado depende de a y de b al cuadrado: -a / b**2.",
)
def div_vjp(g, a, b):
    return unbroadcast(g / b, a.shape), unbroadcast(-g / b, b.shape)


@known_wrong(
    "div_vjp",
    id="div-squared-above",
    hint=2,
    en="In b_grad you multiplied by b**2. b**-2 is one divided by b squared: the square stands below.",
    es="En b_grad multiplicaste por b**2. b**-2 es uno dividido entre b al cuadrado: el cuadrado va abajo.",
)
def div_vjp(g, a, b):
    return unbroadcast(g / b, a.shape), unbroadcast(-g * a * b**2, b.shape)


@known_wrong(
    "div_vjp",
    id="div-upstream-ignored-above",
    hint=3,
    en="b_grad is right. In a_grad g is missing: 1 / b is the local gradient, and it is multiplied by what arrives.",
    es="b_grad es correcto. En a_grad falta g: 1 / b es el gradiente local, y se multiplica por lo que llega.",
)
def div_vjp(g, a, b):
    return unbroadcast(np.ones(g.shape) / b, a.shape), unbroadcast(-g * a / b**2, b.shape)


@known_wrong(
    "div_vjp",
    id="div-pair-swapped",
    hint=3,
    en="Both gradients are right, but they change places: first the one of the numerator, in a's shape.",
    es="Los dos gradientes son correctos, pero están cambiados de lugar: primero el del numerador, con la forma de a.",
)
def div_vjp(g, a, b):
    return unbroadcast(-g * a / b**2, b.shape), unbroadcast(g / b, a.shape)


@known_wrong(
    "div_vjp",
    id="div-sums-multiplied",
    hint=3,
    en="You summed g and the local gradients apart and multiplied the sums. Each copy of b divides another entry of a: multiply copy by copy, then sum once.",
    es="Sumaste por separado g y los gradientes locales y multiplicaste las sumas. Cada copia de b divide otra entrada de a: multiplica copia por copia y suma una vez.",
)
def div_vjp(g, a, b):
    local = -a / b**2 + 0 * g
    return unbroadcast(g / b, a.shape), unbroadcast(g, b.shape) * unbroadcast(local, b.shape)


@known_wrong(
    "div_vjp",
    id="div-inner-step-missing",
    hint=1,
    en="a_grad is right. b_grad is the gradient of 1 / b, not of b. One step along the path is missing: 1 / b grows at the rate -1 / b**2 for every 1 of b.",
    es="a_grad es correcto. b_grad es el gradiente de 1 / b, no el de b. Falta un paso del camino: 1 / b crece a razón de -1 / b**2 por cada 1 de b.",
)
def div_vjp(g, a, b):
    return mul_vjp(g, a, 1 / b)
