"""Known-wrong versions of `numeric_grad` that nudge the wrong array, the wrong entries or by the wrong step."""

import numpy as np

from minitorch.course.judging.misconceptions import known_wrong


@known_wrong(
    "numeric_grad",
    id="second-name-for-x",
    hint=2,
    en="y = x makes no copy: it is a second name for the same array. Your first nudge is still in x when you make the second one. np.array(x, dtype=np.float64) copies.",
    es="y = x no copia: es un segundo nombre para el mismo array. Tu primer empujoncito sigue en x cuando das el segundo. np.array(x, dtype=np.float64) copia.",
)
def numeric_grad(f, x, eps=1e-6):
    y = x
    gradient = np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        y[index] = x[index] + eps
        above = f(y)
        y[index] = x[index] - eps
        below = f(y)
        gradient[index] = (above - below) / (2 * eps)
    return gradient


@known_wrong(
    "numeric_grad",
    id="first-axis-collected",
    hint=3,
    en="range(len(x)) counts along the first axis only: with two axes you nudge whole rows, and with none there is no length. np.ndindex(x.shape) names every entry, and np.zeros(x.shape) has a place for each.",
    es="range(len(x)) cuenta solo a lo largo del primer eje: con dos ejes mueves filas enteras, y sin ejes no hay longitud. np.ndindex(x.shape) nombra cada entrada, y np.zeros(x.shape) tiene un lugar para cada una.",
)
def numeric_grad(f, x, eps=1e-6):
    slopes = []
    for index in range(len(x)):
        up, down = np.array(x, dtype=np.float64), np.array(x, dtype=np.float64)
        up[index] += eps
        down[index] -= eps
        slopes.append((f(up) - f(down)) / (2 * eps))
    return np.array(slopes)


@known_wrong(
    "numeric_grad",
    id="step-in-parts-of-x",
    hint=2,
    en="Your step is a part of the entry itself. Where the entry is 0, it does not move at all, and you divide 0 by 0. Add eps and subtract it, whatever the entry holds.",
    es="Tu paso es una parte de la propia entrada. Donde la entrada es 0 no se mueve nada, y divides 0 entre 0. Suma eps y réstalo, valga lo que valga la entrada.",
)
def numeric_grad(f, x, eps=1e-6):
    x = np.array(x, dtype=np.float64)
    gradient = np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[index] *= 1 + eps
        down[index] *= 1 - eps
        gradient[index] = (f(up) - f(down)) / (up[index] - down[index])
    return gradient
