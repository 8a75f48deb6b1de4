"""Known-wrong versions of `numeric_grad`: each stands for one way to get it wrong."""

import numpy as np

from minitorch.course.judging.misconceptions import known_wrong


@known_wrong(
    "numeric_grad",
    id="forward-difference",
    hint=1,
    en="You stepped to one side only, from x upwards (a forward difference). The bend of the curve stays in it: a step to both sides cancels it.",
    es="Diste el paso hacia un solo lado, de x hacia arriba (diferencia hacia delante). La curvatura queda dentro: un paso a cada lado la cancela.",
)
def numeric_grad(f, x, eps=1e-6):
    x = np.array(x, dtype=np.float64)
    gradient = np.zeros(x.shape)
    here = f(x)
    for index in np.ndindex(x.shape):
        nudged = x.copy()
        nudged[index] += eps
        gradient[index] = (f(nudged) - here) / eps
    return gradient


@known_wrong(
    "numeric_grad",
    id="backward-difference",
    hint=1,
    en="You stepped to one side only, from x downwards (a backward difference). The bend of the curve stays in it: a step to both sides cancels it.",
    es="Diste el paso hacia un solo lado, de x hacia abajo (diferencia hacia atrás). La curvatura queda dentro: un paso a cada lado la cancela.",
)
def numeric_grad(f, x, eps=1e-6):
    x = np.array(x, dtype=np.float64)
    gradient = np.zeros(x.shape)
    here = f(x)
    for index in np.ndindex(x.shape):
        nudged = x.copy()
        nudged[index] -= eps
        gradient[index] = (here - f(nudged)) / eps
    return gradient


@known_wrong(
    "numeric_grad",
    id="one-eps-for-two",
    hint=1,
    en="You divided by eps, but your two points are 2 * eps apart. Every slope comes out twice as large.",
    es="Dividiste entre eps, pero tus dos puntos están a 2 * eps. Cada pendiente sale el doble de grande.",
)
def numeric_grad(f, x, eps=1e-6):
    x = np.array(x, dtype=np.float64)
    gradient = np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[index] += eps
        down[index] -= eps
        gradient[index] = (f(up) - f(down)) / eps
    return gradient


@known_wrong(
    "numeric_grad",
    id="two-eps-for-one",
    hint=1,
    en="You stepped to one side only and divided by 2 * eps. Every slope comes out half as large: step to the other side, too.",
    es="Diste el paso hacia un solo lado y dividiste entre 2 * eps. Cada pendiente sale a la mitad: da también el paso al otro lado.",
)
def numeric_grad(f, x, eps=1e-6):
    x = np.array(x, dtype=np.float64)
    gradient = np.zeros(x.shape)
    here = f(x)
    for index in np.ndindex(x.shape):
        nudged = x.copy()
        nudged[index] += eps
        gradient[index] = (f(nudged) - here) / (2 * eps)
    return gradient


@known_wrong(
    "numeric_grad",
    id="brackets-missing",
    hint=1,
    en="You wrote / 2 * eps: Python divides by 2 and then multiplies by eps. Put brackets around the distance: / (2 * eps).",
    es="Escribiste / 2 * eps: Python divide entre 2 y después multiplica por eps. Pon la distancia entre paréntesis: / (2 * eps).",
)
def numeric_grad(f, x, eps=1e-6):
    x = np.array(x, dtype=np.float64)
    gradient = np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[index] += eps
        down[index] -= eps
        gradient[index] = (f(up) - f(down)) / 2 * eps
    return gradient


@known_wrong(
    "numeric_grad",
    id="not-divided",
    hint=1,
    en="You returned the growth itself. A slope is growth divided by distance, and the distance is 2 * eps.",
    es="Devolviste el crecimiento mismo. Una pendiente es crecimiento dividido entre distancia, y la distancia es 2 * eps.",
)
def numeric_grad(f, x, eps=1e-6):
    x = np.array(x, dtype=np.float64)
    gradient = np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[index] += eps
        down[index] -= eps
        gradient[index] = f(up) - f(down)
    return gradient


@known_wrong(
    "numeric_grad",
    id="sides-swapped",
    hint=1,
    en="You subtracted the upper value from the lower one, so every sign is turned round. Growth is f(up) - f(down).",
    es="Restaste el valor de arriba al de abajo, así que todos los signos quedan invertidos. El crecimiento es f(arriba) - f(abajo).",
)
def numeric_grad(f, x, eps=1e-6):
    x = np.array(x, dtype=np.float64)
    gradient = np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[index] += eps
        down[index] -= eps
        gradient[index] = (f(down) - f(up)) / (2 * eps)
    return gradient


@known_wrong(
    "numeric_grad",
    id="x-left-changed",
    hint=2,
    en="You nudged x itself and left it changed. The caller's array is not yours: nudge a copy, and each entry from the same x.",
    es="Le diste el empujoncito al propio x y lo dejaste cambiado. El array de quien llama no es tuyo: empuja una copia, y cada entrada desde el mismo x.",
)
def numeric_grad(f, x, eps=1e-6):
    gradient = np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        x[index] += eps
        above = f(x)
        x[index] -= 2 * eps
        below = f(x)
        gradient[index] = (above - below) / (2 * eps)
    return gradient


@known_wrong(
    "numeric_grad",
    id="put-back-by-adding",
    hint=2,
    en="You nudged x itself and put it back with + and -. Rounding leaves a trace: 0.7 + eps - eps need not be 0.7. Nudge a copy.",
    es="Empujaste el propio x y lo restauraste con + y -. El redondeo deja huella: 0.7 + eps - eps no tiene por qué ser 0.7. Empuja una copia.",
)
def numeric_grad(f, x, eps=1e-6):
    gradient = np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        x[index] += eps
        above = f(x)
        x[index] -= 2 * eps
        below = f(x)
        x[index] += eps
        gradient[index] = (above - below) / (2 * eps)
    return gradient


@known_wrong(
    "numeric_grad",
    id="put-back-in-place",
    hint=2,
    en="You nudged x itself and put the old number back. While f runs, x is another array, and a read-only x cannot be written at all. Nudge a copy.",
    es="Empujaste el propio x y volviste a poner el número de antes. Mientras f se ejecuta, x es otro array, y en un x de solo lectura no se puede escribir. Empuja una copia.",
)
def numeric_grad(f, x, eps=1e-6):
    gradient = np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        before = x[index]
        x[index] = before + eps
        above = f(x)
        x[index] = before - eps
        below = f(x)
        x[index] = before
        gradient[index] = (above - below) / (2 * eps)
    return gradient


@known_wrong(
    "numeric_grad",
    id="float64-by-name-only",
    hint=2,
    en="np.asarray makes no copy where x is float64 already, so you nudged x itself. np.array(x, dtype=np.float64) always copies.",
    es="np.asarray no copia cuando x ya es float64, así que empujaste el propio x. np.array(x, dtype=np.float64) copia siempre.",
)
def numeric_grad(f, x, eps=1e-6):
    x = np.asarray(x, dtype=np.float64)
    gradient = np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        before = x[index]
        x[index] = before + eps
        above = f(x)
        x[index] = before - eps
        below = f(x)
        x[index] = before
        gradient[index] = (above - below) / (2 * eps)
    return gradient


@known_wrong(
    "numeric_grad",
    id="nudges-pile-up",
    hint=2,
    en="Your copy is never put back, so later entries are measured with earlier ones still nudged. Begin each entry from the same x.",
    es="Tu copia no se restaura nunca, así que las entradas siguientes se miden con las anteriores aún movidas. Empieza cada una desde el mismo x.",
)
def numeric_grad(f, x, eps=1e-6):
    nudged = np.array(x, dtype=np.float64)
    gradient = np.zeros(nudged.shape)
    for index in np.ndindex(nudged.shape):
        nudged[index] += eps
        above = f(nudged)
        nudged[index] -= 2 * eps
        gradient[index] = (above - f(nudged)) / (2 * eps)
    return gradient


@known_wrong(
    "numeric_grad",
    id="float32-kept",
    hint=2,
    en="A float32 holds about 7 digits, so x + 0.000001 is rounded away. An integer loses the nudge altogether. Measure in float64.",
    es="Un float32 guarda unas 7 cifras, así que x + 0.000001 se pierde al redondear. Un entero pierde el empujoncito entero. Mide en float64.",
)
def numeric_grad(f, x, eps=1e-6):
    gradient = np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        nudged = x.copy()
        nudged[index] = x[index] + eps
        above = f(nudged)
        nudged[index] = x[index] - eps
        gradient[index] = (above - f(nudged)) / (2 * eps)
    return gradient


@known_wrong(
    "numeric_grad",
    id="result-in-xs-dtype",
    hint=3,
    en="np.zeros_like(x) takes over the dtype of x: slopes of an integer array are cut to whole numbers. np.zeros(x.shape) is float64.",
    es="np.zeros_like(x) hereda el dtype de x: las pendientes de un array de enteros se cortan a números enteros. np.zeros(x.shape) es float64.",
)
def numeric_grad(f, x, eps=1e-6):
    gradient = np.zeros_like(x)
    x = np.array(x, dtype=np.float64)
    for index in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[index] += eps
        down[index] -= eps
        gradient[index] = (f(up) - f(down)) / (2 * eps)
    return gradient


@known_wrong(
    "numeric_grad",
    id="all-dtypes-from-x",
    hint=2,
    en="Both the copy and the result have the dtype of x. In float32 the nudge is rounded away, and an integer array cannot hold it. Use float64 for both.",
    es="Tanto la copia como el resultado tienen el dtype de x. En float32 el empujoncito se redondea, y un array de enteros no puede guardarlo. Usa float64 en ambos.",
)
def numeric_grad(f, x, eps=1e-6):
    gradient = np.zeros_like(x)
    for index in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[index] += eps
        down[index] -= eps
        gradient[index] = (f(up) - f(down)) / (2 * eps)
    return gradient


@known_wrong(
    "numeric_grad",
    id="all-entries-at-once",
    hint=2,
    en="You nudged all entries together. That measures the sum of all slopes. Nudge one entry at a time, and leave the others where they are.",
    es="Moviste todas las entradas a la vez. Eso mide la suma de todas las pendientes. Mueve una entrada cada vez y deja las demás donde están.",
)
def numeric_grad(f, x, eps=1e-6):
    x = np.array(x, dtype=np.float64)
    slope = (f(x + eps) - f(x - eps)) / (2 * eps)
    return np.full(x.shape, slope)


@known_wrong(
    "numeric_grad",
    id="one-number-for-all",
    hint=2,
    en="You nudged all entries together and returned one number. A gradient has one number for each entry of x, each measured alone.",
    es="Moviste todas las entradas a la vez y devolviste un solo número. Un gradiente tiene un número por cada entrada de x, medido por separado.",
)
def numeric_grad(f, x, eps=1e-6):
    return (f(x + eps) - f(x - eps)) / (2 * eps)


@known_wrong(
    "numeric_grad",
    id="first-axis-only",
    hint=3,
    en="range(len(x)) counts along the first axis only: with two axes you nudge whole rows, and with none there is no length. Use np.ndindex(x.shape).",
    es="range(len(x)) cuenta solo a lo largo del primer eje: con dos ejes mueves filas enteras, y sin ejes no hay longitud. Usa np.ndindex(x.shape).",
)
def numeric_grad(f, x, eps=1e-6):
    x = np.array(x, dtype=np.float64)
    gradient = np.zeros(x.shape)
    for index in range(len(x)):
        up, down = x.copy(), x.copy()
        up[index] += eps
        down[index] -= eps
        gradient[index] = (f(up) - f(down)) / (2 * eps)
    return gradient


@known_wrong(
    "numeric_grad",
    id="flat-copy",
    hint=3,
    en="reshape(-1) and ravel() give a view of some arrays and a copy of others, such as a transposed one. Then your nudge never reaches f. Use np.ndindex.",
    es="reshape(-1) y ravel() dan una vista de unos arrays y una copia de otros, como uno transpuesto. Entonces tu empujoncito no llega a f. Usa np.ndindex.",
)
def numeric_grad(f, x, eps=1e-6):
    nudged = np.array(x, dtype=np.float64)
    flat = nudged.reshape(-1)
    gradient = np.zeros(flat.shape)
    for index in range(flat.size):
        before = flat[index]
        flat[index] = before + eps
        above = f(nudged)
        flat[index] = before - eps
        below = f(nudged)
        flat[index] = before
        gradient[index] = (above - below) / (2 * eps)
    return gradient.reshape(nudged.shape)


@known_wrong(
    "numeric_grad",
    id="shape-lost",
    hint=3,
    en="You returned a flat row of slopes. The gradient has the shape of x, so that each slope stands where its entry stands.",
    es="Devolviste una fila plana de pendientes. El gradiente tiene la forma de x: cada pendiente está donde está su entrada.",
)
def numeric_grad(f, x, eps=1e-6):
    x = np.array(x, dtype=np.float64)
    slopes = []
    for index in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[index] += eps
        down[index] -= eps
        slopes.append((f(up) - f(down)) / (2 * eps))
    return np.array(slopes)


@known_wrong(
    "numeric_grad",
    id="list-of-slopes",
    hint=3,
    en="You returned a list of slopes. Asked for is an array of x's shape: make np.zeros(x.shape) first and fill it.",
    es="Devolviste una lista de pendientes. Se pide un array con la forma de x: crea primero np.zeros(x.shape) y rellénalo.",
)
def numeric_grad(f, x, eps=1e-6):
    x = np.array(x, dtype=np.float64)
    slopes = []
    for index in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[index] += eps
        down[index] -= eps
        slopes.append(float((f(up) - f(down)) / (2 * eps)))
    return slopes


@known_wrong(
    "numeric_grad",
    id="eps-of-its-own",
    hint=1,
    en="You used a step of your own. eps is an argument: whoever calls chooses how large the step is.",
    es="Usaste un paso tuyo. eps es un argumento: quien llama elige el tamaño del paso.",
)
def numeric_grad(f, x, eps=1e-6):
    eps = 1e-6
    x = np.array(x, dtype=np.float64)
    gradient = np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[index] += eps
        down[index] -= eps
        gradient[index] = (f(up) - f(down)) / (2 * eps)
    return gradient


@known_wrong(
    "numeric_grad",
    id="others-at-zero",
    hint=2,
    en="You nudged an array of zeros, not x. The slope is asked for at x: all other entries stay where they stand in x.",
    es="Moviste un array de ceros, no x. Se pide la pendiente en x: las demás entradas se quedan donde están en x.",
)
def numeric_grad(f, x, eps=1e-6):
    gradient = np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        step = np.zeros(x.shape)
        step[index] = eps
        gradient[index] = (f(step) - f(-step)) / (2 * eps)
    return gradient


@known_wrong(
    "numeric_grad",
    id="copy-forgotten",
    hint=2,
    en="up = down = x.copy(), or up = down, makes two names for one array: both nudges land in it. Make two copies.",
    es="up = down = x.copy() da dos nombres a un mismo array: los dos empujoncitos caen en él. Haz dos copias.",
)
def numeric_grad(f, x, eps=1e-6):
    x = np.array(x, dtype=np.float64)
    gradient = np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        up = down = x.copy()
        up[index] += eps
        down[index] -= eps
        gradient[index] = (f(up) - f(down)) / (2 * eps)
    return gradient


@known_wrong(
    "numeric_grad",
    id="range-of-size",
    hint=3,
    en="range(x.size) counts all entries, but x[5] asks for row 5, not for entry 5. And an array of shape () has no rows. Use np.ndindex(x.shape).",
    es="range(x.size) cuenta todas las entradas, pero x[5] pide la fila 5, no la entrada 5. Y un array de forma () no tiene filas. Usa np.ndindex(x.shape).",
)
def numeric_grad(f, x, eps=1e-6):
    x = np.array(x, dtype=np.float64)
    gradient = np.zeros(x.shape)
    for index in range(x.size):
        up, down = x.copy(), x.copy()
        up[index] += eps
        down[index] -= eps
        gradient[index] = (f(up) - f(down)) / (2 * eps)
    return gradient


@known_wrong(
    "numeric_grad",
    id="two-axes-only",
    hint=3,
    en="Two loops, over rows and columns, fit arrays with two axes and no others. np.ndindex(x.shape) goes through all entries, whatever the shape.",
    es="Dos bucles, de filas y columnas, sirven para arrays de dos ejes y para ningún otro. np.ndindex(x.shape) recorre todas las entradas, sea cual sea la forma.",
)
def numeric_grad(f, x, eps=1e-6):
    x = np.array(x, dtype=np.float64)
    gradient = np.zeros(x.shape)
    for row in range(x.shape[0]):
        for column in range(x.shape[1]):
            up, down = x.copy(), x.copy()
            up[row, column] += eps
            down[row, column] -= eps
            gradient[row, column] = (f(up) - f(down)) / (2 * eps)
    return gradient


@known_wrong(
    "numeric_grad",
    id="measured-in-float32",
    hint=2,
    en="You measured in float32. It holds about 7 digits, and a nudge of 0.000001 is lost in the last ones: make the copy float64.",
    es="Mediste en float32. Guarda unas 7 cifras, y un empujoncito de 0.000001 se pierde en las últimas: haz la copia en float64.",
)
def numeric_grad(f, x, eps=1e-6):
    x = np.array(x, dtype=np.float32)
    gradient = np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[index] += eps
        down[index] -= eps
        gradient[index] = (f(up) - f(down)) / (2 * eps)
    return gradient
