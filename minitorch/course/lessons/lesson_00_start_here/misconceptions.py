"""Known-wrong versions of lesson 00: each stands for one way to get the slope of x² + 3x wrong."""

from minitorch.course.judging.misconceptions import known_wrong


@known_wrong(
    "hello_gradient",
    id="returns-nothing",
    hint=3,
    en="The function returns None. Whatever it works out, a line with `return` must hand it back.",
    es="La función devuelve None. Lo que calcule, debe entregarlo una línea con `return`.",
)
def hello_gradient(x):
    slope = 2.0 * x + 3.0


@known_wrong(
    "hello_gradient",
    id="prints-instead",
    hint=3,
    en="You printed the slope. A print only shows a number; `return` hands it to whoever called the function.",
    es="Imprimiste la pendiente. Un print solo muestra un número; `return` se lo entrega a quien llamó a la función.",
)
def hello_gradient(x):
    print(2.0 * x + 3.0)


@known_wrong(
    "hello_gradient",
    id="value-not-slope",
    hint=1,
    en="You returned f(x), the height of the curve. Asked for is its slope: how fast the height changes.",
    es="Devolviste f(x), la altura de la curva. Se pide su pendiente: con qué rapidez cambia la altura.",
)
def hello_gradient(x):
    return x * x + 3.0 * x


@known_wrong(
    "hello_gradient",
    id="returns-text",
    hint=3,
    en="You returned text that looks like a number. Return the number itself, without quotes, str() or an f-string.",
    es="Devolviste un texto que parece un número. Devuelve el número mismo, sin comillas, str() ni f-string.",
)
def hello_gradient(x):
    return str(2.0 * x + 3.0)


@known_wrong(
    "hello_gradient",
    id="factor-2-forgotten",
    hint=2,
    en="You took x as the slope of x². It is 2x: both factors of x · x grow when x grows.",
    es="Tomaste x como pendiente de x². Es 2x: los dos factores de x · x crecen cuando crece x.",
)
def hello_gradient(x):
    return x + 3.0


@known_wrong(
    "hello_gradient",
    id="straight-part-forgotten",
    hint=2,
    en="You left out the slope of 3x. Only a number that stands alone has slope 0; 3x grows by 3 for every 1 of x.",
    es="Dejaste fuera la pendiente de 3x. Solo un número suelto tiene pendiente 0; 3x crece 3 por cada 1 de x.",
)
def hello_gradient(x):
    return 2.0 * x


@known_wrong(
    "hello_gradient",
    id="straight-part-kept",
    hint=2,
    en="You took the slope of x² but kept 3x as it was. Its slope is 3, the same at every x.",
    es="Tomaste la pendiente de x², pero dejaste 3x como estaba. Su pendiente es 3, igual en todo x.",
)
def hello_gradient(x):
    return 2.0 * x + 3.0 * x


@known_wrong(
    "hello_gradient",
    id="only-the-example",
    hint=2,
    en="You always return 7, the answer of the example. The slope of a curve changes from place to place.",
    es="Siempre devuelves 7, la respuesta del ejemplo. La pendiente de una curva cambia de un lugar a otro.",
)
def hello_gradient(x):
    return 7.0


@known_wrong(
    "hello_gradient",
    id="a-whole-step",
    hint=1,
    en="You took a step of 1 and measured the growth. On a curve that is too far: the slope has changed on the way.",
    es="Diste un paso de 1 y mediste el crecimiento. En una curva es demasiado: la pendiente cambió por el camino.",
)
def hello_gradient(x):
    return f(x + 1.0) - f(x)


@known_wrong(
    "hello_gradient",
    id="square-part-kept",
    hint=2,
    en="You took the slope of 3x but kept x² as it was. The slope of x² is 2x.",
    es="Tomaste la pendiente de 3x, pero dejaste x² como estaba. La pendiente de x² es 2x.",
)
def hello_gradient(x):
    return x * x + 3.0


@known_wrong(
    "hello_gradient",
    id="exponent-kept",
    hint=2,
    en="The 2 came down, but x kept its exponent. The slope of x² is 2x, not 2x².",
    es="El 2 bajó, pero x conservó su exponente. La pendiente de x² es 2x, no 2x².",
)
def hello_gradient(x):
    return 2.0 * x * x + 3.0


@known_wrong(
    "hello_gradient",
    id="growth-not-divided",
    hint=1,
    en="You measured how much f grows in one small step. Divide that by the step: the slope is the growth for every 1 of x.",
    es="Mediste cuánto crece f en un paso pequeño. Divídelo entre el paso: la pendiente es el crecimiento por cada 1 de x.",
)
def hello_gradient(x):
    return f(x + 0.01) - f(x)


@known_wrong(
    "hello_gradient",
    id="returns-a-tuple",
    hint=3,
    en="You returned a tuple: the comma at the end of the line makes one. Take the comma away.",
    es="Devolviste una tupla: la crea la coma al final de la línea. Quita la coma.",
)
def hello_gradient(x):
    return (2.0 * x + 3.0,)


@known_wrong(
    "hello_gradient",
    id="coarse-step",
    hint=2,
    en="You measured with a step of 0.01. On a curve the slope changes on the way, so you are off by the step; a formula is exact.",
    es="Mediste con un paso de 0.01. En una curva la pendiente cambia por el camino, y te desvías lo que mide el paso; una fórmula es exacta.",
)
def hello_gradient(x):
    return (f(x + 0.01) - f(x)) / 0.01
