"""Known-wrong versions of `logsumexp`: each stands for one way to get it wrong."""

from minitorch.course.judging.misconceptions import known_wrong


@known_wrong(
    "logsumexp",
    id="sum-overflows",
    hint=1,
    en="exp(1000) is too large for a float, so the sum is inf; exp(-1000) rounds to 0, so the logarithm is -inf. Take out the largest number first, and add it back after the logarithm.",
    es="exp(1000) no cabe en un float y la suma es inf; exp(-1000) se redondea a 0 y el logaritmo es -inf. Saca antes el mayor número y súmalo de nuevo después del logaritmo.",
)
def logsumexp(x, axis):
    return np.log(np.exp(x).sum(axis=axis))


@known_wrong(
    "logsumexp",
    id="largest-not-added-back",
    hint=2,
    en="You subtracted the largest number and did not add it back. A softmax does not notice; here every result is too small by it.",
    es="Restaste el mayor número y no lo volviste a sumar. Un softmax no lo nota; aquí a cada resultado le falta ese número.",
)
def logsumexp(x, axis):
    return np.log(np.exp(x - x.max(axis=axis, keepdims=True)).sum(axis=axis))


@known_wrong(
    "logsumexp",
    id="largest-subtracted-again",
    hint=2,
    en="You subtracted the largest number once more where it must be added: log(exp(m) * s) = m + log(s).",
    es="Restaste otra vez el mayor número donde hay que sumarlo: log(exp(m) * s) = m + log(s).",
)
def logsumexp(x, axis):
    largest = x.max(axis=axis, keepdims=True)
    return np.log(np.exp(x - largest).sum(axis=axis)) - largest.squeeze(axis)


@known_wrong(
    "logsumexp",
    id="largest-multiplied",
    hint=2,
    en="You multiplied by the largest number after the logarithm. A factor inside a logarithm becomes a summand outside: log(exp(m) * s) = m + log(s).",
    es="Multiplicaste por el mayor número después del logaritmo. Un factor dentro del logaritmo se vuelve un sumando fuera: log(exp(m) * s) = m + log(s).",
)
def logsumexp(x, axis):
    largest = x.max(axis=axis, keepdims=True)
    return np.log(np.exp(x - largest).sum(axis=axis)) * largest.squeeze(axis)


@known_wrong(
    "logsumexp",
    id="one-largest-for-all",
    hint=3,
    en="You took one largest number for the whole array. Rows far below it round to 0, and log(0) is -inf. Each row needs its own: take it along axis.",
    es="Tomaste un solo mayor número para todo el array. Las filas muy por debajo se redondean a 0, y log(0) es -inf. Cada fila necesita el suyo: tómalo a lo largo de axis.",
)
def logsumexp(x, axis):
    return np.log(np.exp(x - x.max()).sum(axis=axis)) + x.max()


@known_wrong(
    "logsumexp",
    id="max-lost-its-axis",
    hint=3,
    en="max took the axis away, so x - max lined up from the right: rows met the largest numbers of other rows. Subtract with keepdims=True.",
    es="max quitó el eje, y x - max se alineó por la derecha: las filas se encontraron con los mayores de otras filas. Resta con keepdims=True.",
)
def logsumexp(x, axis):
    largest = x.max(axis=axis)
    return np.log(np.exp(x - largest).sum(axis=axis)) + largest


@known_wrong(
    "logsumexp",
    id="axis-kept",
    hint=3,
    en="The numbers are right, but the axis is still there with size 1. A sum takes its axis away: squeeze it out at the end.",
    es="Los números están bien, pero el eje sigue ahí con tamaño 1. Una suma quita su eje: elimínalo al final con squeeze.",
)
def logsumexp(x, axis):
    largest = x.max(axis=axis, keepdims=True)
    return np.log(np.exp(x - largest).sum(axis=axis, keepdims=True)) + largest


@known_wrong(
    "logsumexp",
    id="sum-meets-kept-axis",
    hint=3,
    en="log(sum) has lost the axis, the largest number still has it: added, the two stretch into a table of all pairs. Let both keep the axis, or neither.",
    es="log(suma) perdió el eje y el mayor número aún lo tiene: al sumarlos se estiran en una tabla de todos los pares. Que los dos conserven el eje, o ninguno.",
)
def logsumexp(x, axis):
    largest = x.max(axis=axis, keepdims=True)
    return np.log(np.exp(x - largest).sum(axis=axis)) + largest


@known_wrong(
    "logsumexp",
    id="summed-over-everything",
    hint=1,
    en="You summed over the whole array and got one number. Sum along axis: one result for each row when axis is 1.",
    es="Sumaste todo el array y obtuviste un solo número. Suma a lo largo de axis: un resultado por fila si axis es 1.",
)
def logsumexp(x, axis):
    return x.max() + np.log(np.exp(x - x.max()).sum())


@known_wrong(
    "logsumexp",
    id="along-the-last-axis",
    hint=1,
    en="You always sum along the last axis. Use the axis that is given.",
    es="Siempre sumas a lo largo del último eje. Usa el eje axis que se da.",
)
def logsumexp(x, axis):
    largest = x.max(axis=-1, keepdims=True)
    return np.log(np.exp(x - largest).sum(axis=-1)) + largest.squeeze(-1)


@known_wrong(
    "logsumexp",
    id="along-axis-0",
    hint=1,
    en="You always sum along axis 0. Use the axis that is given.",
    es="Siempre sumas a lo largo del eje 0. Usa el eje axis que se da.",
)
def logsumexp(x, axis):
    largest = x.max(axis=0)
    return np.log(np.exp(x - largest).sum(axis=0)) + largest


@known_wrong(
    "logsumexp",
    id="mean-of-the-powers",
    hint=1,
    en="You took the mean of the powers. The sum is asked for: your result is too small by log(n).",
    es="Tomaste la media de las potencias. Se pide la suma: a tu resultado le falta log(n).",
)
def logsumexp(x, axis):
    largest = x.max(axis=axis, keepdims=True)
    return np.log(np.exp(x - largest).mean(axis=axis)) + largest.squeeze(axis)


@known_wrong(
    "logsumexp",
    id="largest-only",
    hint=1,
    en="That is the largest number alone. The others add something, a lot when they lie close to it.",
    es="Eso es solo el mayor número. Los demás aportan algo, y mucho si están cerca.",
)
def logsumexp(x, axis):
    return x.max(axis=axis)


@known_wrong(
    "logsumexp",
    id="log-before-sum",
    hint=1,
    en="log and exp cancelled each other, so you only added the numbers. First exp, then the sum, then log.",
    es="log y exp se cancelaron, así que solo sumaste los números. Primero exp, luego la suma, luego log.",
)
def logsumexp(x, axis):
    return x.sum(axis=axis)


@known_wrong(
    "logsumexp",
    id="log-missing",
    hint=1,
    en="The logarithm is missing: that is the sum of the powers.",
    es="Falta el logaritmo: eso es la suma de las potencias.",
)
def logsumexp(x, axis):
    return np.exp(x).sum(axis=axis)


@known_wrong(
    "logsumexp",
    id="x-overwritten",
    hint=3,
    en="x -= ... writes into the array that you were given, and whoever gave it to you still needs it. Make a new array.",
    es="x -= ... escribe en el array que recibiste, y quien te lo dio aún lo necesita. Crea un array nuevo.",
)
def logsumexp(x, axis):
    largest = x.max(axis=axis, keepdims=True)
    x -= largest
    return np.log(np.exp(x).sum(axis=axis)) + largest.squeeze(axis)


@known_wrong(
    "logsumexp",
    id="min-taken-out",
    hint=2,
    en="You took out the smallest number. Numbers far above it still overflow: take out the largest.",
    es="Sacaste el menor número. Los que están muy por encima siguen desbordando: saca el mayor.",
)
def logsumexp(x, axis):
    smallest = x.min(axis=axis, keepdims=True)
    return np.log(np.exp(x - smallest).sum(axis=axis)) + smallest.squeeze(axis)


@known_wrong(
    "logsumexp",
    id="one-largest-and-not-added-back",
    hint=2,
    en="You subtracted the largest number of the whole array, and did not add it back. Take it along axis, and add it after the logarithm.",
    es="Restaste el mayor número de todo el array y no lo volviste a sumar. Tómalo a lo largo de axis y súmalo después del logaritmo.",
)
def logsumexp(x, axis):
    return np.log(np.exp(x - x.max()).sum(axis=axis))


@known_wrong(
    "logsumexp",
    id="sum-without-its-axis",
    hint=1,
    en="The largest number is taken along axis, but the sum runs over the whole array: give sum the axis, too.",
    es="El mayor número se toma a lo largo de axis, pero la suma recorre todo el array: da también a sum el eje axis.",
)
def logsumexp(x, axis):
    largest = x.max(axis=axis, keepdims=True)
    return largest + np.log(np.exp(x - largest).sum())


@known_wrong(
    "logsumexp",
    id="every-axis-of-size-1-removed",
    hint=3,
    en="squeeze() without an argument takes away every axis of size 1, also one that belongs to x. Say which: squeeze(axis).",
    es="squeeze() sin argumento quita todos los ejes de tamaño 1, también uno propio de x. Di cuál: squeeze(axis).",
)
def logsumexp(x, axis):
    largest = x.max(axis=axis, keepdims=True)
    return (np.log(np.exp(x - largest).sum(axis=axis, keepdims=True)) + largest).squeeze()


@known_wrong(
    "logsumexp",
    id="axis-put-back-by-hand",
    hint=3,
    en="[:, None] puts the axis back for rows of a matrix only. keepdims=True keeps it wherever it is.",
    es="[:, None] repone el eje solo para las filas de una matriz. keepdims=True lo conserva esté donde esté.",
)
def logsumexp(x, axis):
    largest = x.max(axis=axis)
    return np.log(np.exp(x - largest[:, None]).sum(axis=axis)) + largest


@known_wrong(
    "logsumexp",
    id="along-axis-1",
    hint=1,
    en="You always use axis 1, and here there is no such axis, or another one was meant. Use the axis that is given.",
    es="Siempre usas el eje 1, y aquí no existe o se pedía otro. Usa el eje axis que se da.",
)
def logsumexp(x, axis):
    largest = x.max(axis=1, keepdims=True)
    return np.log(np.exp(x - largest).sum(axis=1)) + largest.squeeze(1)


@known_wrong(
    "logsumexp",
    id="every-axis-squeezed",
    hint=3,
    en="squeeze() takes away every axis of size 1, also one that x had itself. Then the largest numbers are lined up with other rows. Name the axis: squeeze(axis).",
    es="squeeze() quita todos los ejes de tamaño 1, también uno que x ya tenía. Entonces los mayores números se alinean con otras filas. Nombra el eje: squeeze(axis).",
)
def logsumexp(x, axis):
    largest = x.max(axis=axis, keepdims=True)
    return np.log(np.exp(x - largest).sum(axis=axis)) + largest.squeeze()
