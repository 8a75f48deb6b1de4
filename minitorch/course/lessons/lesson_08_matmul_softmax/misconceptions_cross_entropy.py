"""Known-wrong versions of `cross_entropy`: each stands for one way to get it wrong."""

from minitorch.course.judging.misconceptions import known_wrong


@known_wrong(
    "cross_entropy",
    id="log-of-a-rounded-softmax",
    hint=1,
    en="-log p is inf: the probability of the target had already rounded to 0 before you took its logarithm. Never take log(softmax): -log p is logsumexp(row) - row[target], and no probability is needed.",
    es="-log p es inf: la probabilidad del objetivo ya se había redondeado a 0 antes del logaritmo. Nunca tomes log(softmax): -log p es logsumexp(fila) - fila[objetivo], y no hace falta ninguna probabilidad.",
)
def cross_entropy(scores, targets):
    p = softmax(scores, 1)
    return -np.log(p[np.arange(len(targets)), targets]).mean()


@known_wrong(
    "cross_entropy",
    id="naive-softmax-inside",
    hint=1,
    en="exp of a large score is inf, and inf / inf is nan. Use your logsumexp, which never takes such a power.",
    es="exp de una puntuación grande es inf, e inf / inf es nan. Usa tu logsumexp, que nunca calcula esa potencia.",
)
def cross_entropy(scores, targets):
    powers = np.exp(scores)
    p = powers / powers.sum(axis=1, keepdims=True)
    return -np.log(p[np.arange(len(targets)), targets]).mean()


@known_wrong(
    "cross_entropy",
    id="naive-logsumexp-inside",
    hint=1,
    en="exp of a large score is inf, and so is the logarithm of the sum. Your logsumexp does the same without the large power.",
    es="exp de una puntuación grande es inf, y también el logaritmo de la suma. Tu logsumexp hace lo mismo sin esa potencia.",
)
def cross_entropy(scores, targets):
    losses = np.log(np.exp(scores).sum(axis=1)) - scores[np.arange(len(targets)), targets]
    return losses.mean()


@known_wrong(
    "cross_entropy",
    id="probability-capped",
    hint=1,
    en="A small number added to the probability (or a limit below it) hides the inf, but caps the loss near 27.6: being wrong by 1000 then costs hardly more than being wrong by 30. logsumexp(row) - row[target] is exact.",
    es="Un número pequeño sumado a la probabilidad (o un límite inferior) oculta el inf, pero topa la pérdida en unos 27.6: fallar por 1000 apenas cuesta entonces más que fallar por 30. logsumexp(fila) - fila[objetivo] es exacto.",
)
def cross_entropy(scores, targets):
    p = softmax(scores, 1)
    return -np.log(p[np.arange(len(targets)), targets] + 1e-12).mean()


@known_wrong(
    "cross_entropy",
    id="summed-not-averaged",
    hint=3,
    en="You summed over the rows. The mean divides by N, so that the loss does not grow with the batch.",
    es="Sumaste las filas. La media divide entre N, para que la pérdida no crezca con el lote.",
)
def cross_entropy(scores, targets):
    return (logsumexp(scores, 1) - scores[np.arange(len(targets)), targets]).sum()


@known_wrong(
    "cross_entropy",
    id="one-loss-for-each-row",
    hint=3,
    en="That is one loss for each row. Return one number, their mean: backward starts from one number.",
    es="Eso es una pérdida por fila. Devuelve un número, su media: backward empieza en un solo número.",
)
def cross_entropy(scores, targets):
    return logsumexp(scores, 1) - scores[np.arange(len(targets)), targets]


@known_wrong(
    "cross_entropy",
    id="mean-over-n-and-c",
    hint=3,
    en="You divided by N · C, the number of scores. Each row has one target, so there are N losses: divide by N.",
    es="Dividiste entre N · C, el número de puntuaciones. Cada fila tiene un objetivo, así que hay N pérdidas: divide entre N.",
)
def cross_entropy(scores, targets):
    losses = logsumexp(scores, 1) - scores[np.arange(len(targets)), targets]
    return losses.sum() / scores.size


@known_wrong(
    "cross_entropy",
    id="divided-by-c",
    hint=3,
    en="You divided by C, the number of classes. There is one loss for each row: divide by N.",
    es="Dividiste entre C, el número de clases. Hay una pérdida por fila: divide entre N.",
)
def cross_entropy(scores, targets):
    losses = logsumexp(scores, 1) - scores[np.arange(len(targets)), targets]
    return losses.sum() / scores.shape[1]


@known_wrong(
    "cross_entropy",
    id="minus-sign",
    hint=2,
    en="The sign is turned round: you returned the mean of log p, which is never positive. A loss is small when all is well: -log p.",
    es="El signo está invertido: devolviste la media de log p, que nunca es positiva. Una pérdida es pequeña cuando todo va bien: -log p.",
)
def cross_entropy(scores, targets):
    return (scores[np.arange(len(targets)), targets] - logsumexp(scores, 1)).mean()


@known_wrong(
    "cross_entropy",
    id="whole-columns-picked",
    hint=2,
    en="scores[:, targets] takes whole columns, an (N, N) table. One entry from each row: scores[np.arange(N), targets] pairs the two lists.",
    es="scores[:, targets] toma columnas enteras, una tabla (N, N). Una entrada de cada fila: scores[np.arange(N), targets] empareja las dos listas.",
)
def cross_entropy(scores, targets):
    return (logsumexp(scores, 1)[:, None] - scores[:, targets]).mean()


@known_wrong(
    "cross_entropy",
    id="rows-picked",
    hint=2,
    en="scores[targets] takes whole rows: targets counts classes, and classes are columns. Pick scores[np.arange(N), targets].",
    es="scores[targets] toma filas enteras: targets cuenta clases, y las clases son columnas. Elige scores[np.arange(N), targets].",
)
def cross_entropy(scores, targets):
    return (logsumexp(scores, 1)[:, None] - scores[targets]).mean()


@known_wrong(
    "cross_entropy",
    id="over-the-batch",
    hint=2,
    en="You took logsumexp over axis 0, the batch: that compares examples with each other. The classes of one example compete: axis 1.",
    es="Tomaste logsumexp sobre el eje 0, el lote: eso compara ejemplos entre sí. Compiten las clases de un ejemplo: eje 1.",
)
def cross_entropy(scores, targets):
    logs = scores - logsumexp(scores, 0)
    return -logs[np.arange(len(targets)), targets].mean()


@known_wrong(
    "cross_entropy",
    id="log-missing",
    hint=2,
    en="That is the mean of 1 - p, without a logarithm. It can hardly tell a bad answer from a hopeless one; the loss is -log p.",
    es="Eso es la media de 1 - p, sin logaritmo. Apenas distingue una mala respuesta de una desastrosa; la pérdida es -log p.",
)
def cross_entropy(scores, targets):
    p = softmax(scores, 1)
    return (1.0 - p[np.arange(len(targets)), targets]).mean()


@known_wrong(
    "cross_entropy",
    id="minus-p",
    hint=2,
    en="That is the mean of -p. The logarithm is missing: the loss is -log p.",
    es="Eso es la media de -p. Falta el logaritmo: la pérdida es -log p.",
)
def cross_entropy(scores, targets):
    p = softmax(scores, 1)
    return -p[np.arange(len(targets)), targets].mean()


@known_wrong(
    "cross_entropy",
    id="score-alone",
    hint=2,
    en="You used the target's score alone. A score says nothing without the others of its row: subtract it from logsumexp of the row.",
    es="Usaste solo la puntuación del objetivo. Una puntuación no dice nada sin las demás de su fila: réstala del logsumexp de la fila.",
)
def cross_entropy(scores, targets):
    return -scores[np.arange(len(targets)), targets].mean()


@known_wrong(
    "cross_entropy",
    id="bits",
    hint=2,
    en="You took the logarithm to base 2. Here log is the natural one, the inverse of exp: then the gradient needs no factor.",
    es="Tomaste el logaritmo en base 2. Aquí log es el natural, el inverso de exp: así el gradiente no necesita ningún factor.",
)
def cross_entropy(scores, targets):
    losses = logsumexp(scores, 1) - scores[np.arange(len(targets)), targets]
    return losses.mean() / np.log(2.0)


@known_wrong(
    "cross_entropy",
    id="counted-from-1",
    hint=2,
    en="You took targets - 1. Classes are counted from 0, like the columns.",
    es="Tomaste targets - 1. Las clases se cuentan desde 0, como las columnas.",
)
def cross_entropy(scores, targets):
    return (logsumexp(scores, 1) - scores[np.arange(len(targets)), targets - 1]).mean()


@known_wrong(
    "cross_entropy",
    id="largest-score-not-target",
    hint=2,
    en="You judged the network by its own favourite: the largest score of the row. The loss looks at the score of the target.",
    es="Juzgaste a la red por su propia favorita: la mayor puntuación de la fila. La pérdida mira la puntuación del objetivo.",
)
def cross_entropy(scores, targets):
    return (logsumexp(scores, 1) - scores.max(axis=1)).mean()


@known_wrong(
    "cross_entropy",
    id="every-class-counts",
    hint=2,
    en="You added -log p of all classes. Only the target's counts: the others act through the sum in the softmax.",
    es="Sumaste -log p de todas las clases. Solo cuenta la del objetivo: las demás actúan a través de la suma del softmax.",
)
def cross_entropy(scores, targets):
    return (logsumexp(scores, 1)[:, None] - scores).sum(axis=1).mean()


@known_wrong(
    "cross_entropy",
    id="scores-changed",
    hint=1,
    en="scores -= ... writes into the array that you were given. The backward pass needs the scores as they were: make a new array.",
    es="scores -= ... escribe en el array que recibiste. La pasada hacia atrás necesita las puntuaciones tal como eran: crea un array nuevo.",
)
def cross_entropy(scores, targets):
    scores -= scores.max(axis=1, keepdims=True)
    return (np.log(np.exp(scores).sum(axis=1)) - scores[np.arange(len(targets)), targets]).mean()


@known_wrong(
    "cross_entropy",
    id="rows-met-columns",
    hint=2,
    en="logsumexp along axis 1 has the shape (N,). Lined up with scores (N, C) from the right, the rows' numbers met the columns. Pick the targets' scores first: then both are (N,).",
    es="logsumexp sobre el eje 1 tiene forma (N,). Alineado por la derecha con scores (N, C), los números de las filas se encontraron con las columnas. Elige antes las puntuaciones de los objetivos: así los dos son (N,).",
)
def cross_entropy(scores, targets):
    logs = scores - logsumexp(scores, 1)
    return -logs[np.arange(len(targets)), targets].mean()


@known_wrong(
    "cross_entropy",
    id="indices-swapped",
    hint=2,
    en="The two lists of indices are swapped: first the rows 0, 1, 2, ..., then the columns, which are the targets.",
    es="Las dos listas de índices están intercambiadas: primero las filas 0, 1, 2, ..., luego las columnas, que son los objetivos.",
)
def cross_entropy(scores, targets):
    return (logsumexp(scores, 1) - scores[targets, np.arange(len(targets))]).mean()


@known_wrong(
    "cross_entropy",
    id="squared-error",
    hint=2,
    en="That is the mean square of p minus one-hot. It hardly punishes a sure mistake; the cross-entropy is -log p of the target.",
    es="Eso es la media de los cuadrados de p menos one-hot. Apenas castiga un error seguro; la entropía cruzada es -log p del objetivo.",
)
def cross_entropy(scores, targets):
    p = softmax(scores, 1)
    p[np.arange(len(targets)), targets] -= 1.0
    return (p * p).mean()
