"""Known-wrong versions of `at_kink`: each stands for one way to get it wrong."""

import numpy as np

from minitorch.course.judging.misconceptions import known_wrong


@known_wrong(
    "at_kink",
    id="both-sides-together",
    hint=1,
    en="You compared the step up with the step down through the same two points: f(up) against f(down). |x| at 0 is equal on both sides and still has a kink. Compare slopes: right against left.",
    es="Comparaste f(arriba) con f(abajo). |x| en 0 vale igual a los dos lados y aun así tiene un pico. Compara pendientes: la derecha con la izquierda.",
)
def at_kink(f, x, eps=1e-6):
    x = np.array(x, dtype=np.float64)
    kink = np.zeros(x.shape, dtype=bool)
    for index in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[index] += eps
        down[index] -= eps
        kink[index] = abs(f(up) - f(down)) > 0.01
    return kink


@known_wrong(
    "at_kink",
    id="kink-only-at-zero",
    hint=1,
    en="You looked for entries of x that are 0. A kink is where the function bends sharply, and that can be at 1, or nowhere: ask f, not x.",
    es="Buscaste entradas de x que valen 0. Un pico está donde la función se dobla de golpe, y eso puede ser en 1, o en ningún sitio: pregunta a f, no a x.",
)
def at_kink(f, x, eps=1e-6):
    return np.abs(x) < eps


@known_wrong(
    "at_kink",
    id="nan-slips-through",
    hint=3,
    en="You asked whether the difference is large. nan is neither large nor small: nan > 0.01 is False. Where a slope is nan nothing can be judged, so ask whether it is not small.",
    es="Preguntaste si la diferencia es grande. nan no es ni grande ni pequeño: nan > 0.01 es False. Donde una pendiente es nan no se puede juzgar nada: pregunta si no es pequeña.",
)
def at_kink(f, x, eps=1e-6):
    x = np.array(x, dtype=np.float64)
    here = f(x)
    right, left = np.zeros(x.shape), np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[index] += eps
        down[index] -= eps
        right[index] = (f(up) - here) / eps
        left[index] = (here - f(down)) / eps
    return relative_error(right, left, floor=1.0) > 0.01


@known_wrong(
    "at_kink",
    id="no-floor",
    hint=3,
    en="At the lowest point of x * x both slopes are almost 0, one below and one above. In parts of themselves they differ by everything, and still there is no kink: the floor 1.0 is for that.",
    es="En el punto más bajo de x * x las dos pendientes son casi 0, una por debajo y otra por encima. En partes de sí mismas difieren en todo, y no hay pico: para eso está el floor 1.0.",
)
def at_kink(f, x, eps=1e-6):
    x = np.array(x, dtype=np.float64)
    here = f(x)
    right, left = np.zeros(x.shape), np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[index] += eps
        down[index] -= eps
        right[index] = (f(up) - here) / eps
        left[index] = (here - f(down)) / eps
    return np.logical_not(relative_error(right, left, floor=1e-12) <= 0.01)


@known_wrong(
    "at_kink",
    id="default-floor",
    hint=3,
    en="You left relative_error its own floor, 0.001. Asked for is 1.0: slopes are compared in parts of their size only where that is above 1.",
    es="Dejaste a relative_error su propio floor, 0.001. Se pide 1.0: las pendientes se comparan en partes de su tamaño solo donde este pasa de 1.",
)
def at_kink(f, x, eps=1e-6):
    x = np.array(x, dtype=np.float64)
    here = f(x)
    right, left = np.zeros(x.shape), np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[index] += eps
        down[index] -= eps
        right[index] = (f(up) - here) / eps
        left[index] = (here - f(down)) / eps
    return np.logical_not(relative_error(right, left) <= 0.01)


@known_wrong(
    "at_kink",
    id="absolute-difference",
    hint=3,
    en="You compared the difference itself with 0.01. Where slopes are in the thousands, any curve bends by more than that: compare in parts of the slope.",
    es="Comparaste la diferencia misma con 0.01. Donde las pendientes valen miles, cualquier curva se dobla más que eso: compara en partes de la pendiente.",
)
def at_kink(f, x, eps=1e-6):
    x = np.array(x, dtype=np.float64)
    here = f(x)
    right, left = np.zeros(x.shape), np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[index] += eps
        down[index] -= eps
        right[index] = (f(up) - here) / eps
        left[index] = (here - f(down)) / eps
    return np.logical_not(np.abs(right - left) <= 0.01)


@known_wrong(
    "at_kink",
    id="absolute-and-nan",
    hint=3,
    en="You asked whether the difference itself is above 0.01. Steep curves bend by more than that, so compare in parts of the slope. And nan is never above anything.",
    es="Preguntaste si la diferencia misma pasa de 0.01. Las curvas empinadas se doblan más que eso: compara en partes de la pendiente. Y nan nunca pasa de nada.",
)
def at_kink(f, x, eps=1e-6):
    x = np.array(x, dtype=np.float64)
    here = f(x)
    right, left = np.zeros(x.shape), np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[index] += eps
        down[index] -= eps
        right[index] = (f(up) - here) / eps
        left[index] = (here - f(down)) / eps
    return np.abs(right - left) > 0.01


@known_wrong(
    "at_kink",
    id="exactly-equal",
    hint=3,
    en="You asked whether the two slopes are equal. On every curve they differ a little, and rounding adds to it: allow one part in a hundred.",
    es="Preguntaste si las dos pendientes son iguales. En toda curva difieren un poco, y el redondeo añade algo: admite una centésima.",
)
def at_kink(f, x, eps=1e-6):
    x = np.array(x, dtype=np.float64)
    here = f(x)
    right, left = np.zeros(x.shape), np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[index] += eps
        down[index] -= eps
        right[index] = (f(up) - here) / eps
        left[index] = (here - f(down)) / eps
    return right != left


@known_wrong(
    "at_kink",
    id="opposite-signs-only",
    hint=1,
    en="You looked for slopes of opposite signs. That finds the kink of |x|, but not that of relu: there the slopes are 0 and 1.",
    es="Buscaste pendientes de signo contrario. Eso encuentra el pico de |x|, pero no el de relu: allí las pendientes son 0 y 1.",
)
def at_kink(f, x, eps=1e-6):
    x = np.array(x, dtype=np.float64)
    here = f(x)
    right, left = np.zeros(x.shape), np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[index] += eps
        down[index] -= eps
        right[index] = (f(up) - here) / eps
        left[index] = (here - f(down)) / eps
    return right * left < 0


@known_wrong(
    "at_kink",
    id="smooth-for-kink",
    hint=3,
    en="You turned the answer round: True where the slopes agree. Asked for is True at a kink.",
    es="Diste la respuesta al revés: True donde las pendientes coinciden. Se pide True en un pico.",
)
def at_kink(f, x, eps=1e-6):
    x = np.array(x, dtype=np.float64)
    here = f(x)
    right, left = np.zeros(x.shape), np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[index] += eps
        down[index] -= eps
        right[index] = (f(up) - here) / eps
        left[index] = (here - f(down)) / eps
    return relative_error(right, left, floor=1.0) <= 0.01


@known_wrong(
    "at_kink",
    id="left-turned-round",
    hint=2,
    en="Your left slope is f(down) - f(x), walked from right to left, so its sign is turned round. Measure both from left to right: f(x) - f(down).",
    es="Tu pendiente izquierda es f(abajo) - f(x), recorrida de derecha a izquierda, así que su signo está invertido. Mide las dos de izquierda a derecha: f(x) - f(abajo).",
)
def at_kink(f, x, eps=1e-6):
    x = np.array(x, dtype=np.float64)
    here = f(x)
    right, left = np.zeros(x.shape), np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[index] += eps
        down[index] -= eps
        right[index] = (f(up) - here) / eps
        left[index] = (f(down) - here) / eps
    return np.logical_not(relative_error(right, left, floor=1.0) <= 0.01)


@known_wrong(
    "at_kink",
    id="not-divided",
    hint=2,
    en="You compared growths, not slopes. For a step of 0.000001 every growth is tiny, and nothing looks like a kink: divide by eps.",
    es="Comparaste crecimientos, no pendientes. Con un paso de 0.000001 todo crecimiento es diminuto y nada parece un pico: divide entre eps.",
)
def at_kink(f, x, eps=1e-6):
    x = np.array(x, dtype=np.float64)
    here = f(x)
    right, left = np.zeros(x.shape), np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[index] += eps
        down[index] -= eps
        right[index] = f(up) - here
        left[index] = here - f(down)
    return np.logical_not(relative_error(right, left, floor=1.0) <= 0.01)


@known_wrong(
    "at_kink",
    id="middle-for-left",
    hint=2,
    en="You compared one side with the slope over both sides. That shows only half of the difference: compare right with left.",
    es="Comparaste un lado con la pendiente sobre los dos lados. Eso muestra solo la mitad de la diferencia: compara la derecha con la izquierda.",
)
def at_kink(f, x, eps=1e-6):
    x = np.array(x, dtype=np.float64)
    here = f(x)
    right, left = np.zeros(x.shape), np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[index] += eps
        down[index] -= eps
        right[index] = (f(up) - here) / eps
        left[index] = (f(up) - f(down)) / (2 * eps)
    return np.logical_not(relative_error(right, left, floor=1.0) <= 0.01)


@known_wrong(
    "at_kink",
    id="one-answer-for-all",
    hint=2,
    en="You returned one answer for all entries. Asked for is an array of bool with x's shape, so that one can see which entry it is.",
    es="Devolviste una sola respuesta para todas las entradas. Se pide un array de bool con la forma de x, para ver qué entrada es.",
)
def at_kink(f, x, eps=1e-6):
    x = np.array(x, dtype=np.float64)
    here = f(x)
    right, left = np.zeros(x.shape), np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[index] += eps
        down[index] -= eps
        right[index] = (f(up) - here) / eps
        left[index] = (here - f(down)) / eps
    return bool(np.any(np.logical_not(relative_error(right, left, floor=1.0) <= 0.01)))


@known_wrong(
    "at_kink",
    id="exactly-zero",
    hint=1,
    en="You looked for entries of x that are exactly 0. A kink is where the function bends sharply, at 1 for |x - 1|, and nowhere for x * x: ask f, not x.",
    es="Buscaste entradas de x que valen exactamente 0. Un pico está donde la función se dobla de golpe, en 1 para |x - 1| y en ningún sitio para x * x: pregunta a f, no a x.",
)
def at_kink(f, x, eps=1e-6):
    return x == 0


@known_wrong(
    "at_kink",
    id="any-for-all",
    hint=2,
    en="Your .any() made one answer out of all entries. Asked for is an array of bool with x's shape; whoever calls can ask .any() of it.",
    es="Tu .any() hizo una sola respuesta de todas las entradas. Se pide un array de bool con la forma de x; quien llama puede pedirle .any().",
)
def at_kink(f, x, eps=1e-6):
    x = np.array(x, dtype=np.float64)
    here = f(x)
    right, left = np.zeros(x.shape), np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[index] += eps
        down[index] -= eps
        right[index] = (f(up) - here) / eps
        left[index] = (here - f(down)) / eps
    return np.any(np.logical_not(relative_error(right, left, floor=1.0) <= 0.01))


@known_wrong(
    "at_kink",
    id="signs-dropped",
    hint=2,
    en="You dropped the signs of the slopes before comparing them. At 0, |x| has the slopes -1 and 1: their sizes are equal, and still there is a kink.",
    es="Quitaste los signos de las pendientes antes de compararlas. En 0, |x| tiene pendientes -1 y 1: su tamaño es igual, y aun así hay un pico.",
)
def at_kink(f, x, eps=1e-6):
    x = np.array(x, dtype=np.float64)
    here = f(x)
    right, left = np.zeros(x.shape), np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[index] += eps
        down[index] -= eps
        right[index] = (f(up) - here) / eps
        left[index] = (here - f(down)) / eps
    return np.logical_not(relative_error(np.abs(right), np.abs(left), floor=1.0) <= 0.01)


@known_wrong(
    "at_kink",
    id="too-generous",
    hint=3,
    en="You allow half of the slope. A kink that turns a slope of 1 into 1.3 is a kink: allow one part in a hundred, 0.01.",
    es="Admites la mitad de la pendiente. Un pico que cambia una pendiente de 1 a 1.3 es un pico: admite una centésima, 0.01.",
)
def at_kink(f, x, eps=1e-6):
    x = np.array(x, dtype=np.float64)
    here = f(x)
    right, left = np.zeros(x.shape), np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[index] += eps
        down[index] -= eps
        right[index] = (f(up) - here) / eps
        left[index] = (here - f(down)) / eps
    return np.logical_not(relative_error(right, left, floor=1.0) <= 0.5)


@known_wrong(
    "at_kink",
    id="all-entries-at-once",
    hint=2,
    en="You nudged all entries together. Then one kink marks them all: nudge one entry at a time.",
    es="Moviste todas las entradas a la vez. Así un solo pico las marca a todas: mueve una entrada cada vez.",
)
def at_kink(f, x, eps=1e-6):
    x = np.array(x, dtype=np.float64)
    right = np.full(x.shape, (f(x + eps) - f(x)) / eps)
    left = np.full(x.shape, (f(x) - f(x - eps)) / eps)
    return np.logical_not(relative_error(right, left, floor=1.0) <= 0.01)


@known_wrong(
    "at_kink",
    id="eps-of-its-own",
    hint=2,
    en="You used a step of your own. eps is an argument: whoever measures with a large step must know about every kink that lies within it.",
    es="Usaste un paso tuyo. eps es un argumento: quien mide con un paso grande debe saber de todo pico que quede dentro.",
)
def at_kink(f, x, eps=1e-6):
    eps = 1e-6
    x = np.array(x, dtype=np.float64)
    here = f(x)
    right, left = np.zeros(x.shape), np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[index] += eps
        down[index] -= eps
        right[index] = (f(up) - here) / eps
        left[index] = (here - f(down)) / eps
    return np.logical_not(relative_error(right, left, floor=1.0) <= 0.01)


@known_wrong(
    "at_kink",
    id="x-left-changed",
    hint=2,
    en="You nudged x itself and left it changed. The caller's array is not yours: nudge a copy.",
    es="Empujaste el propio x y lo dejaste cambiado. El array de quien llama no es tuyo: empuja una copia.",
)
def at_kink(f, x, eps=1e-6):
    here = f(x)
    right, left = np.zeros(x.shape), np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        x[index] += eps
        right[index] = (f(x) - here) / eps
        x[index] -= 2 * eps
        left[index] = (here - f(x)) / eps
    return np.logical_not(relative_error(right, left, floor=1.0) <= 0.01)


@known_wrong(
    "at_kink",
    id="first-axis-only",
    hint=2,
    en="range(len(x)) counts along the first axis only: with two axes you nudge whole rows, and with none there is no length. Use np.ndindex(x.shape).",
    es="range(len(x)) cuenta solo a lo largo del primer eje: con dos ejes mueves filas enteras, y sin ejes no hay longitud. Usa np.ndindex(x.shape).",
)
def at_kink(f, x, eps=1e-6):
    x = np.array(x, dtype=np.float64)
    here = f(x)
    right, left = np.zeros(x.shape), np.zeros(x.shape)
    for index in range(len(x)):
        up, down = x.copy(), x.copy()
        up[index] += eps
        down[index] -= eps
        right[index] = (f(up) - here) / eps
        left[index] = (here - f(down)) / eps
    return np.logical_not(relative_error(right, left, floor=1.0) <= 0.01)


@known_wrong(
    "at_kink",
    id="always-smooth",
    hint=1,
    en="You say smooth everywhere. Measure the slope on each side, and compare.",
    es="Dices que todo es suave. Mide la pendiente a cada lado y compara.",
)
def at_kink(f, x, eps=1e-6):
    return np.zeros(x.shape, dtype=bool)


@known_wrong(
    "at_kink",
    id="bend-for-kink",
    hint=1,
    en="You looked at how much the curve bends (the slopes' difference divided by eps once more). Every curve bends: only the difference of the slopes themselves tells a kink.",
    es="Miraste cuánto se dobla la curva (la diferencia de pendientes dividida otra vez entre eps). Toda curva se dobla: solo la diferencia de las pendientes mismas delata un pico.",
)
def at_kink(f, x, eps=1e-6):
    x = np.array(x, dtype=np.float64)
    here = f(x)
    right, left = np.zeros(x.shape), np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[index] += eps
        down[index] -= eps
        right[index] = (f(up) - here) / eps
        left[index] = (here - f(down)) / eps
    return np.logical_not(np.abs(right - left) / eps <= 0.01)
