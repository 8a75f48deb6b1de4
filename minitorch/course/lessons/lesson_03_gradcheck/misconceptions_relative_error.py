"""Known-wrong versions of `relative_error`: each stands for one way to get it wrong."""

import numpy as np

from minitorch.course.judging.misconceptions import known_wrong


@known_wrong(
    "relative_error",
    id="absolute-only",
    hint=1,
    en="You returned the difference alone. An error of 1 is small beside 1000 and all of it beside 1: divide by the size of the numbers.",
    es="Devolviste solo la diferencia. Un error de 1 es pequeño al lado de 1000 y lo es todo al lado de 1: divide entre el tamaño de los números.",
)
def relative_error(a, b, floor=1e-3):
    return np.abs(a - b)


@known_wrong(
    "relative_error",
    id="floor-forgotten",
    hint=2,
    en="Where both numbers are 0 you divide 0 by 0, and that is nan. Where both are almost 0, noise looks like a large error. That is what floor is for.",
    es="Donde los dos números son 0 divides 0 entre 0, y eso es nan. Donde los dos son casi 0, el ruido parece un error grande. Para eso está floor.",
)
def relative_error(a, b, floor=1e-3):
    return np.abs(a - b) / np.maximum(np.abs(a), np.abs(b))


@known_wrong(
    "relative_error",
    id="one-side-only",
    hint=2,
    en="You divided by the size of b alone. Where b is 0 and a is large, the error explodes: take the larger of the two.",
    es="Dividiste solo entre el tamaño de b. Donde b es 0 y a es grande, el error se dispara: toma el mayor de los dos.",
)
def relative_error(a, b, floor=1e-3):
    return np.abs(a - b) / np.maximum(np.abs(b), floor)


@known_wrong(
    "relative_error",
    id="one-side-only-a",
    hint=2,
    en="You divided by the size of a alone. Where a is 0 and b is large, the error explodes: take the larger of the two.",
    es="Dividiste solo entre el tamaño de a. Donde a es 0 y b es grande, el error se dispara: toma el mayor de los dos.",
)
def relative_error(a, b, floor=1e-3):
    return np.abs(a - b) / np.maximum(np.abs(a), floor)


@known_wrong(
    "relative_error",
    id="one-side-no-floor",
    hint=2,
    en="You divided by the size of b alone, with no floor. Where b is 0, you divide by 0: take the largest of |a|, |b| and floor.",
    es="Dividiste solo entre el tamaño de b y sin floor. Donde b es 0, divides entre 0: toma el mayor de |a|, |b| y floor.",
)
def relative_error(a, b, floor=1e-3):
    return np.abs(a - b) / np.abs(b)


@known_wrong(
    "relative_error",
    id="floor-added",
    hint=2,
    en="You added the floor. Then it shrinks every error a little. It is a lower bound for the divisor: the largest of |a|, |b| and floor.",
    es="Sumaste floor. Así reduce un poco todos los errores. Es un límite inferior del divisor: el mayor de |a|, |b| y floor.",
)
def relative_error(a, b, floor=1e-3):
    return np.abs(a - b) / (np.maximum(np.abs(a), np.abs(b)) + floor)


@known_wrong(
    "relative_error",
    id="sum-for-largest",
    hint=2,
    en="You divided by |a| + |b|. Asked for is the largest of |a|, |b| and floor; the sum makes the error about half as large.",
    es="Dividiste entre |a| + |b|. Se pide el mayor de |a|, |b| y floor; la suma deja el error en casi la mitad.",
)
def relative_error(a, b, floor=1e-3):
    return np.abs(a - b) / np.maximum(np.abs(a) + np.abs(b), floor)


@known_wrong(
    "relative_error",
    id="sum-and-floor",
    hint=2,
    en="You divided by |a| + |b| + floor. Asked for is the largest of the three, not their sum.",
    es="Dividiste entre |a| + |b| + floor. Se pide el mayor de los tres, no su suma.",
)
def relative_error(a, b, floor=1e-3):
    return np.abs(a - b) / (np.abs(a) + np.abs(b) + floor)


@known_wrong(
    "relative_error",
    id="smaller-for-larger",
    hint=2,
    en="You divided by the smaller of the two. Where one of them is 0, any difference then looks enormous: take the larger.",
    es="Dividiste entre el menor de los dos. Donde uno es 0, cualquier diferencia parece enorme: toma el mayor.",
)
def relative_error(a, b, floor=1e-3):
    return np.abs(a - b) / np.maximum(np.minimum(np.abs(a), np.abs(b)), floor)


@known_wrong(
    "relative_error",
    id="signed",
    hint=2,
    en="Your error can be negative, and then it passes every test for `small`. The difference needs np.abs.",
    es="Tu error puede ser negativo, y entonces supera cualquier prueba de `pequeño`. A la diferencia le falta np.abs.",
)
def relative_error(a, b, floor=1e-3):
    return (a - b) / np.maximum(np.maximum(np.abs(a), np.abs(b)), floor)


@known_wrong(
    "relative_error",
    id="signs-lost",
    hint=1,
    en="You took the sign away before subtracting. 2 and -2 are then equal, and a lost sign is never found: |a - b|, not |a| - |b|.",
    es="Quitaste el signo antes de restar. Así 2 y -2 son iguales, y un signo perdido no se descubre nunca: |a - b|, no |a| - |b|.",
)
def relative_error(a, b, floor=1e-3):
    a, b = np.abs(a), np.abs(b)
    return np.abs(a - b) / np.maximum(np.maximum(a, b), floor)


@known_wrong(
    "relative_error",
    id="divisor-signed",
    hint=2,
    en="You took the larger of a and b with their signs. Negative numbers have a size as well: np.abs before np.maximum.",
    es="Tomaste el mayor de a y b con sus signos. Los números negativos también tienen tamaño: np.abs antes de np.maximum.",
)
def relative_error(a, b, floor=1e-3):
    return np.abs(a - b) / np.maximum(np.maximum(a, b), floor)


@known_wrong(
    "relative_error",
    id="floor-of-its-own",
    hint=2,
    en="You used a floor of your own. floor is an argument: whoever calls says below which size only the difference counts.",
    es="Usaste un floor tuyo. floor es un argumento: quien llama dice por debajo de qué tamaño solo cuenta la diferencia.",
)
def relative_error(a, b, floor=1e-3):
    return np.abs(a - b) / np.maximum(np.maximum(np.abs(a), np.abs(b)), 1e-3)


@known_wrong(
    "relative_error",
    id="tiny-floor-of-its-own",
    hint=2,
    en="You put in a tiny number of your own, to be safe from 0. floor is the argument for that, and it is much larger: below it, differences are noise.",
    es="Pusiste un número diminuto tuyo, para evitar el 0. Para eso está el argumento floor, y es mucho mayor: por debajo, las diferencias son ruido.",
)
def relative_error(a, b, floor=1e-3):
    return np.abs(a - b) / np.maximum(np.maximum(np.abs(a), np.abs(b)), 1e-8)


@known_wrong(
    "relative_error",
    id="floor-on-the-error",
    hint=2,
    en="You put the floor under the error itself. It belongs under the divisor: max(|a|, |b|, floor).",
    es="Pusiste floor debajo del propio error. Va debajo del divisor: max(|a|, |b|, floor).",
)
def relative_error(a, b, floor=1e-3):
    return np.maximum(np.abs(a - b) / np.maximum(np.abs(a), np.abs(b)), floor)


@known_wrong(
    "relative_error",
    id="largest-only",
    hint=3,
    en="You returned the largest error alone. Asked for is one error for each entry: whoever looks for the wrong entry wants to know where it is.",
    es="Devolviste solo el mayor error. Se pide un error por entrada: quien busca la entrada equivocada quiere saber dónde está.",
)
def relative_error(a, b, floor=1e-3):
    return np.max(np.abs(a - b) / np.maximum(np.maximum(np.abs(a), np.abs(b)), floor))


@known_wrong(
    "relative_error",
    id="mean-of-all",
    hint=3,
    en="You returned the mean. One wrong entry among a thousand right ones disappears in it: give each entry its own error.",
    es="Devolviste la media. Una entrada falsa entre mil correctas desaparece en ella: da a cada entrada su propio error.",
)
def relative_error(a, b, floor=1e-3):
    return np.mean(np.abs(a - b) / np.maximum(np.maximum(np.abs(a), np.abs(b)), floor))


@known_wrong(
    "relative_error",
    id="scaled-by-the-largest-entry",
    hint=3,
    en="You divided every entry by the size of the largest one. Beside it, a small entry may be wrong altogether: each has a scale of its own.",
    es="Dividiste todas las entradas entre el tamaño de la mayor. A su lado, una pequeña puede ser del todo falsa: cada una tiene su escala.",
)
def relative_error(a, b, floor=1e-3):
    return np.abs(a - b) / max(np.abs(a).max(initial=0.0), np.abs(b).max(initial=0.0), floor)


@known_wrong(
    "relative_error",
    id="python-max",
    hint=2,
    en="Python's max compares whole arrays and cannot. np.maximum takes the larger of two, entry by entry.",
    es="El max de Python compara arrays enteros y no puede. np.maximum toma el mayor de dos, entrada por entrada.",
)
def relative_error(a, b, floor=1e-3):
    return np.abs(a - b) / max(np.abs(a), np.abs(b), floor)


@known_wrong(
    "relative_error",
    id="nan-made-harmless",
    hint=3,
    en="You turned nan into a number. A gradient that is nan is as wrong as can be: leave the nan in, it must not look like a small error.",
    es="Convertiste nan en un número. Un gradiente nan es de lo más falso que hay: deja el nan, no debe parecer un error pequeño.",
)
def relative_error(a, b, floor=1e-3):
    return np.nan_to_num(np.abs(a - b) / np.maximum(np.maximum(np.abs(a), np.abs(b)), floor))


@known_wrong(
    "relative_error",
    id="squared",
    hint=2,
    en="You squared the difference. Squares make small errors look far smaller: np.abs takes the sign away and nothing else.",
    es="Elevaste la diferencia al cuadrado. Los cuadrados hacen que un error pequeño parezca mucho menor: np.abs solo quita el signo.",
)
def relative_error(a, b, floor=1e-3):
    return (a - b) ** 2 / np.maximum(np.maximum(np.abs(a), np.abs(b)), floor)


@known_wrong(
    "relative_error",
    id="yes-or-no",
    hint=3,
    en="You returned True and False. Asked for is how large the error is; whether that is small enough, the caller decides.",
    es="Devolviste True y False. Se pide cuánto vale el error; si es bastante pequeño lo decide quien llama.",
)
def relative_error(a, b, floor=1e-3):
    return np.isclose(a, b)


@known_wrong(
    "relative_error",
    id="three-for-maximum",
    hint=2,
    en="np.maximum takes two arrays; a third argument is a place to write the result to. For the largest of three, call it twice.",
    es="np.maximum toma dos arrays; un tercer argumento es un lugar donde escribir el resultado. Para el mayor de tres, llámalo dos veces.",
)
def relative_error(a, b, floor=1e-3):
    return np.abs(a - b) / np.maximum(np.abs(a), np.abs(b), floor)


@known_wrong(
    "relative_error",
    id="lengths-compared",
    hint=3,
    en="You compared the lengths of whole arrays (norms). One large entry then hides a small wrong one: give each entry its own error.",
    es="Comparaste las longitudes de arrays enteros (normas). Una entrada grande esconde entonces una pequeña falsa: da a cada entrada su propio error.",
)
def relative_error(a, b, floor=1e-3):
    return np.linalg.norm(a - b) / max(np.linalg.norm(a), np.linalg.norm(b), floor)


@known_wrong(
    "relative_error",
    id="undivided-below-the-floor",
    hint=2,
    en="Below the floor you returned the difference undivided. Then the error leaps where the floor begins: divide by the floor there.",
    es="Por debajo de floor devolviste la diferencia sin dividir. Así el error da un salto donde empieza floor: divide ahí entre floor.",
)
def relative_error(a, b, floor=1e-3):
    scale = np.maximum(np.abs(a), np.abs(b))
    return np.where(scale < floor, np.abs(a - b), np.abs(a - b) / scale)
