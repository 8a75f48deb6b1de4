"""Known-wrong versions of `softmax`: each stands for one way to get it wrong."""

from minitorch.course.judging.misconceptions import known_wrong


@known_wrong(
    "softmax",
    id="powers-overflow",
    hint=2,
    en="exp(1000) is too large for a float, so inf / inf made nan. Subtract the largest number along axis first: the result stays the same, and no power exceeds 1.",
    es="exp(1000) no cabe en un float, y de inf / inf salió nan. Resta antes el mayor número a lo largo de axis: el resultado no cambia y ninguna potencia pasa de 1.",
)
def softmax(x, axis):
    powers = np.exp(x)
    return powers / powers.sum(axis=axis, keepdims=True)


@known_wrong(
    "softmax",
    id="largest-of-the-whole-array",
    hint=3,
    en="You subtracted the largest number of the whole array. In a row that lies far below it every power rounds to 0, and 0 / 0 is nan. Take the largest along axis.",
    es="Restaste el mayor número de todo el array. En una fila muy por debajo todas las potencias se redondean a 0, y 0 / 0 es nan. Toma el mayor a lo largo de axis.",
)
def softmax(x, axis):
    powers = np.exp(x - x.max())
    return powers / powers.sum(axis=axis, keepdims=True)


@known_wrong(
    "softmax",
    id="axis-0-always",
    hint=1,
    en="You always add up over axis 0. With a row for each example that mixes the examples of a batch: use the axis that is given.",
    es="Siempre sumas sobre el eje 0. Si cada fila es un ejemplo, eso mezcla los ejemplos de un lote: usa el eje axis que se da.",
)
def softmax(x, axis):
    powers = np.exp(x - x.max(axis=0, keepdims=True))
    return powers / powers.sum(axis=0, keepdims=True)


@known_wrong(
    "softmax",
    id="last-axis-always",
    hint=1,
    en="You always add up over the last axis. Use the axis that is given.",
    es="Siempre sumas sobre el último eje. Usa el eje axis que se da.",
)
def softmax(x, axis):
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


@known_wrong(
    "softmax",
    id="whole-array-adds-up-to-1",
    hint=1,
    en="Your numbers add up to 1 over the whole array. They must do so along axis: each row for itself when axis is 1.",
    es="Tus números suman 1 en todo el array. Deben hacerlo a lo largo de axis: cada fila por separado si axis es 1.",
)
def softmax(x, axis):
    powers = np.exp(x - x.max())
    return powers / powers.sum()


@known_wrong(
    "softmax",
    id="whole-array-sum",
    hint=1,
    en="You divided by the sum over the whole array. Each row must add up to 1 by itself: give sum the axis, and keepdims=True.",
    es="Dividiste entre la suma de todo el array. Cada fila debe sumar 1 por sí sola: da a sum el eje axis y keepdims=True.",
)
def softmax(x, axis):
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum()


@known_wrong(
    "softmax",
    id="keepdims-missing",
    hint=3,
    en="max and sum took the axis away. Lined up from the right, the largest numbers of the rows met the columns: keep the axis, with keepdims=True.",
    es="max y sum quitaron el eje. Alineados por la derecha, los mayores de las filas se encontraron con las columnas: conserva el eje con keepdims=True.",
)
def softmax(x, axis):
    powers = np.exp(x - x.max(axis=axis))
    return powers / powers.sum(axis=axis)


@known_wrong(
    "softmax",
    id="sum-without-keepdims",
    hint=3,
    en="The sum took the axis away. Lined up from the right, the sums of the rows divided the columns: sum(axis=axis, keepdims=True).",
    es="La suma quitó el eje. Alineadas por la derecha, las sumas de las filas dividieron las columnas: sum(axis=axis, keepdims=True).",
)
def softmax(x, axis):
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis)


@known_wrong(
    "softmax",
    id="not-divided-by-the-sum",
    hint=1,
    en="The powers are not divided by their sum yet, so they do not add up to 1.",
    es="Las potencias aún no están divididas entre su suma, así que no suman 1.",
)
def softmax(x, axis):
    return np.exp(x - x.max(axis=axis, keepdims=True))


@known_wrong(
    "softmax",
    id="exp-missing",
    hint=1,
    en="You divided the numbers themselves by their sum. A score may be negative, a probability may not: take exp first.",
    es="Dividiste los propios números entre su suma. Una puntuación puede ser negativa, una probabilidad no: toma exp antes.",
)
def softmax(x, axis):
    return x / x.sum(axis=axis, keepdims=True)


@known_wrong(
    "softmax",
    id="shifted-then-no-exp",
    hint=1,
    en="You subtracted the largest number, but never took exp.",
    es="Restaste el mayor número, pero nunca tomaste exp.",
)
def softmax(x, axis):
    shifted = x - x.max(axis=axis, keepdims=True)
    return shifted / shifted.sum(axis=axis, keepdims=True)


@known_wrong(
    "softmax",
    id="divided-by-the-largest",
    hint=2,
    en="Dividing by the largest number is no harmless shift: it changes every ratio. Subtract it: exp(x - m) = exp(x) / exp(m), and exp(m) cancels.",
    es="Dividir entre el mayor número no es inofensivo: cambia todas las proporciones. Réstalo: exp(x - m) = exp(x) / exp(m), y exp(m) se cancela.",
)
def softmax(x, axis):
    powers = np.exp(x / x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


@known_wrong(
    "softmax",
    id="smallest-subtracted",
    hint=2,
    en="You subtracted the smallest number. Then the largest one still overflows when they are far apart: subtract the largest.",
    es="Restaste el menor número. Así el mayor sigue desbordando cuando están lejos: resta el mayor.",
)
def softmax(x, axis):
    powers = np.exp(x - x.min(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


@known_wrong(
    "softmax",
    id="x-changed-in-place",
    hint=3,
    en="x -= ... writes into the array that you were given. The scores are still needed by whoever gave them to you: make a new array.",
    es="x -= ... escribe en el array que recibiste. Quien te dio las puntuaciones aún las necesita: crea un array nuevo.",
)
def softmax(x, axis):
    x -= x.max(axis=axis, keepdims=True)
    powers = np.exp(x)
    return powers / powers.sum(axis=axis, keepdims=True)


@known_wrong(
    "softmax",
    id="sign-of-the-scores",
    hint=1,
    en="The sign of x is turned round: the largest score got the smallest probability.",
    es="El signo de x está invertido: la mayor puntuación recibió la menor probabilidad.",
)
def softmax(x, axis):
    powers = np.exp(x.min(axis=axis, keepdims=True) - x)
    return powers / powers.sum(axis=axis, keepdims=True)


@known_wrong(
    "softmax",
    id="scores-clipped",
    hint=2,
    en="Clipping makes different scores equal: 1000 and 1001 both became the limit. Subtract the largest instead: that changes nothing and never overflows.",
    es="Recortar iguala puntuaciones distintas: 1000 y 1001 quedaron las dos en el límite. Resta el mayor: eso no cambia nada y nunca desborda.",
)
def softmax(x, axis):
    powers = np.exp(np.clip(x, -500.0, 500.0))
    return powers / powers.sum(axis=axis, keepdims=True)


@known_wrong(
    "softmax",
    id="mean-subtracted",
    hint=2,
    en="You subtracted the mean. A score may lie far above it and still overflow: only the largest makes sure that no power exceeds 1.",
    es="Restaste la media. Una puntuación puede estar muy por encima y desbordar igual: solo la mayor asegura que ninguna potencia pase de 1.",
)
def softmax(x, axis):
    powers = np.exp(x - x.mean(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


@known_wrong(
    "softmax",
    id="axis-1-always",
    hint=1,
    en="You always use axis 1, and here there is no such axis, or another one was meant. Use the axis that is given.",
    es="Siempre usas el eje 1, y aquí no existe o se pedía otro. Usa el eje axis que se da.",
)
def softmax(x, axis):
    powers = np.exp(x - x.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


@known_wrong(
    "softmax",
    id="loop-over-the-first-axis",
    hint=1,
    en="Your loop goes along the first axis, whatever axis says. NumPy's max and sum take axis themselves: no loop is needed.",
    es="Tu bucle recorre el primer eje, diga lo que diga axis. El max y el sum de NumPy reciben axis: no hace falta ningún bucle.",
)
def softmax(x, axis):
    found = []
    for row in x:
        powers = np.exp(row - row.max())
        found.append(powers / powers.sum())
    return np.array(found)


@known_wrong(
    "softmax",
    id="overflow-and-lost-axis",
    hint=2,
    en="Two things: exp of a large score overflows, so subtract the largest first; and sum took the axis away, so keep it with keepdims=True.",
    es="Dos cosas: exp de una puntuación grande desborda, así que resta antes el mayor; y sum quitó el eje, así que consérvalo con keepdims=True.",
)
def softmax(x, axis):
    powers = np.exp(x)
    return powers / powers.sum(axis=axis)
