"""Known-wrong versions of `cross_entropy_vjp`: each stands for one way to get it wrong."""

from minitorch.course.judging.misconceptions import known_wrong


@known_wrong(
    "cross_entropy_vjp",
    id="not-divided-by-n",
    hint=2,
    en="The 1/N is missing. The loss is a mean over N rows, so each row has 1/N of the say.",
    es="Falta el 1/N. La pérdida es una media de N filas, así que cada fila aporta 1/N.",
)
def cross_entropy_vjp(g, scores, targets):
    gradient = softmax(scores, 1)
    gradient[np.arange(len(targets)), targets] -= 1.0
    return g * gradient


@known_wrong(
    "cross_entropy_vjp",
    id="sign-turned",
    hint=1,
    en="The sign is turned round: one-hot minus p. A larger score of the target makes the loss smaller, so its gradient p - 1 is negative.",
    es="El signo está invertido: one-hot menos p. Una puntuación mayor del objetivo reduce la pérdida, así que su gradiente p - 1 es negativo.",
)
def cross_entropy_vjp(g, scores, targets):
    gradient = -softmax(scores, 1)
    gradient[np.arange(len(targets)), targets] += 1.0
    return gradient * (g / len(targets))


@known_wrong(
    "cross_entropy_vjp",
    id="g-not-used",
    hint=2,
    en="g is not used. The loss may be one part of something larger; g says how fast that grows with the loss. Multiply by it.",
    es="No usas g. La pérdida puede ser parte de algo mayor; g dice con qué rapidez crece eso con la pérdida. Multiplica por g.",
)
def cross_entropy_vjp(g, scores, targets):
    gradient = softmax(scores, 1)
    gradient[np.arange(len(targets)), targets] -= 1.0
    return gradient / len(targets)


@known_wrong(
    "cross_entropy_vjp",
    id="divided-by-n-and-c",
    hint=2,
    en="You divided by N · C. The mean runs over the N rows: divide by N.",
    es="Dividiste entre N · C. La media recorre las N filas: divide entre N.",
)
def cross_entropy_vjp(g, scores, targets):
    gradient = softmax(scores, 1)
    gradient[np.arange(len(targets)), targets] -= 1.0
    return gradient * (g / scores.size)


@known_wrong(
    "cross_entropy_vjp",
    id="divided-by-classes",
    hint=2,
    en="You divided by C, the number of classes. The mean runs over the N rows: divide by N.",
    es="Dividiste entre C, el número de clases. La media recorre las N filas: divide entre N.",
)
def cross_entropy_vjp(g, scores, targets):
    gradient = softmax(scores, 1)
    gradient[np.arange(len(targets)), targets] -= 1.0
    return gradient * (g / scores.shape[1])


@known_wrong(
    "cross_entropy_vjp",
    id="one-hot-not-divided",
    hint=2,
    en="You divided the probabilities by N, but took away a whole 1 at the target. The 1/N stands before the bracket: (p - one-hot) / N. Each row of it adds up to 0.",
    es="Dividiste las probabilidades entre N, pero quitaste un 1 entero en el objetivo. El 1/N va delante del paréntesis: (p - one-hot) / N. Cada fila suma 0.",
)
def cross_entropy_vjp(g, scores, targets):
    gradient = softmax(scores, 1) / len(targets)
    gradient[np.arange(len(targets)), targets] -= 1.0
    return g * gradient


@known_wrong(
    "cross_entropy_vjp",
    id="one-hot-not-multiplied-by-g",
    hint=2,
    en="You took away the 1 after multiplying by g and 1/N. It belongs inside the bracket: g * (p - one-hot) / N.",
    es="Restaste el 1 después de multiplicar por g y por 1/N. Va dentro del paréntesis: g * (p - one-hot) / N.",
)
def cross_entropy_vjp(g, scores, targets):
    gradient = softmax(scores, 1) * (g / len(targets))
    gradient[np.arange(len(targets)), targets] -= 1.0
    return gradient


@known_wrong(
    "cross_entropy_vjp",
    id="whole-columns-lowered",
    hint=3,
    en="p[:, targets] -= 1 lowers whole columns, in every row. One entry in each row: p[np.arange(N), targets].",
    es="p[:, targets] -= 1 baja columnas enteras, en todas las filas. Una entrada en cada fila: p[np.arange(N), targets].",
)
def cross_entropy_vjp(g, scores, targets):
    gradient = softmax(scores, 1)
    gradient[:, targets] -= 1.0
    return gradient * (g / len(targets))


@known_wrong(
    "cross_entropy_vjp",
    id="whole-rows-lowered",
    hint=3,
    en="p[targets] -= 1 lowers whole rows: targets counts columns. One entry in each row: p[np.arange(N), targets].",
    es="p[targets] -= 1 baja filas enteras: targets cuenta columnas. Una entrada en cada fila: p[np.arange(N), targets].",
)
def cross_entropy_vjp(g, scores, targets):
    gradient = softmax(scores, 1)
    gradient[targets] -= 1.0
    return gradient * (g / len(targets))


@known_wrong(
    "cross_entropy_vjp",
    id="targets-subtracted",
    hint=3,
    en="You subtracted the class numbers themselves. A target is a name, not an amount: it says at which column of its row the 1 is taken away.",
    es="Restaste los propios números de clase. Un objetivo es un nombre, no una cantidad: dice en qué columna de su fila se resta el 1.",
)
def cross_entropy_vjp(g, scores, targets):
    return (softmax(scores, 1) - targets[:, None]) * (g / len(targets))


@known_wrong(
    "cross_entropy_vjp",
    id="softmax-over-the-batch",
    hint=1,
    en="Your probabilities add up to 1 over the batch, axis 0. The classes of one example compete: axis 1.",
    es="Tus probabilidades suman 1 sobre el lote, el eje 0. Compiten las clases de un ejemplo: eje 1.",
)
def cross_entropy_vjp(g, scores, targets):
    gradient = softmax(scores, 0)
    gradient[np.arange(len(targets)), targets] -= 1.0
    return gradient * (g / len(targets))


@known_wrong(
    "cross_entropy_vjp",
    id="one-hot-missing",
    hint=1,
    en="The 1 at the target is missing: that is the gradient of logsumexp alone. The loss is logsumexp minus the target's score.",
    es="Falta el 1 en el objetivo: ese es el gradiente de logsumexp solo. La pérdida es logsumexp menos la puntuación del objetivo.",
)
def cross_entropy_vjp(g, scores, targets):
    return softmax(scores, 1) * (g / len(targets))


@known_wrong(
    "cross_entropy_vjp",
    id="softmax-missing",
    hint=1,
    en="You subtracted the one-hot from the scores. What is compared with it are the probabilities: softmax of the scores.",
    es="Restaste el one-hot de las puntuaciones. Lo que se compara con él son las probabilidades: el softmax de las puntuaciones.",
)
def cross_entropy_vjp(g, scores, targets):
    gradient = scores.copy()
    gradient[np.arange(len(targets)), targets] -= 1.0
    return gradient * (g / len(targets))


@known_wrong(
    "cross_entropy_vjp",
    id="of-the-probability",
    hint=1,
    en="-1/p is the gradient of the probability, not of the scores. One step is missing: through the softmax, to every score of the row.",
    es="-1/p es el gradiente de la probabilidad, no de las puntuaciones. Falta un paso: a través del softmax, hasta cada puntuación de la fila.",
)
def cross_entropy_vjp(g, scores, targets):
    rows = np.arange(len(targets))
    gradient = np.zeros(scores.shape)
    gradient[rows, targets] = -1.0 / softmax(scores, 1)[rows, targets]
    return gradient * (g / len(targets))


@known_wrong(
    "cross_entropy_vjp",
    id="target-column-only",
    hint=1,
    en="Only the target's score got a gradient. The other scores act as well, through the sum in the softmax: theirs is p.",
    es="Solo la puntuación del objetivo recibió gradiente. Las otras también actúan, a través de la suma del softmax: el suyo es p.",
)
def cross_entropy_vjp(g, scores, targets):
    rows = np.arange(len(targets))
    gradient = np.zeros(scores.shape)
    gradient[rows, targets] = softmax(scores, 1)[rows, targets] - 1.0
    return gradient * (g / len(targets))


@known_wrong(
    "cross_entropy_vjp",
    id="scores-written-into",
    hint=3,
    en="You wrote into scores. An array with a second name is still the same array: the scores are those of the graph, so work on a copy.",
    es="Escribiste en scores. Un array con un segundo nombre sigue siendo el mismo: las puntuaciones son las del grafo, así que trabaja con una copia.",
)
def cross_entropy_vjp(g, scores, targets):
    gradient = scores
    gradient -= gradient.max(axis=1, keepdims=True)
    np.exp(gradient, out=gradient)
    gradient /= gradient.sum(axis=1, keepdims=True)
    gradient[np.arange(len(targets)), targets] -= 1.0
    return gradient * (g / len(targets))


@known_wrong(
    "cross_entropy_vjp",
    id="powers-without-a-shift",
    hint=1,
    en="exp of a large score is inf, and inf / inf is nan. Use your softmax, which shifts the scores first.",
    es="exp de una puntuación grande es inf, e inf / inf es nan. Usa tu softmax, que antes desplaza las puntuaciones.",
)
def cross_entropy_vjp(g, scores, targets):
    gradient = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    gradient[np.arange(len(targets)), targets] -= 1.0
    return gradient * (g / len(targets))


@known_wrong(
    "cross_entropy_vjp",
    id="p-times-1-minus-p",
    hint=1,
    en="p · (1 - p) is how the probability of the target grows with its own score. The loss has a logarithm in front of it, and every score of the row takes part: p - one-hot.",
    es="p · (1 - p) es cómo crece la probabilidad del objetivo con su propia puntuación. La pérdida lleva un logaritmo delante, y participan todas las puntuaciones de la fila: p - one-hot.",
)
def cross_entropy_vjp(g, scores, targets):
    p = softmax(scores, 1)
    return p * (1.0 - p) * (g / len(targets))


@known_wrong(
    "cross_entropy_vjp",
    id="class-before-the-target",
    hint=3,
    en="The 1 is taken away one column too far to the left. Classes are counted from 0, like the columns.",
    es="El 1 se resta una columna demasiado a la izquierda. Las clases se cuentan desde 0, como las columnas.",
)
def cross_entropy_vjp(g, scores, targets):
    gradient = softmax(scores, 1)
    gradient[np.arange(len(targets)), targets - 1] -= 1.0
    return gradient * (g / len(targets))


@known_wrong(
    "cross_entropy_vjp",
    id="neither-g-nor-n",
    hint=2,
    en="p - one-hot is the heart of it. Two factors are missing: 1/N from the mean, and g from upstream.",
    es="p - one-hot es el núcleo. Faltan dos factores: 1/N por la media y g, que viene de arriba.",
)
def cross_entropy_vjp(g, scores, targets):
    gradient = softmax(scores, 1)
    gradient[np.arange(len(targets)), targets] -= 1.0
    return gradient


@known_wrong(
    "cross_entropy_vjp",
    id="only-the-one-divided",
    hint=2,
    en="Only the 1 at the target is divided by N, not the probabilities. The 1/N stands before the bracket: (p - one-hot) / N.",
    es="Solo el 1 del objetivo está dividido entre N, no las probabilidades. El 1/N va delante del paréntesis: (p - one-hot) / N.",
)
def cross_entropy_vjp(g, scores, targets):
    gradient = softmax(scores, 1)
    gradient[np.arange(len(targets)), targets] -= 1.0 / len(targets)
    return g * gradient


@known_wrong(
    "cross_entropy_vjp",
    id="one-taken-everywhere",
    hint=3,
    en="You took 1 away at every class. One-hot has its 1 at the target only.",
    es="Restaste 1 en todas las clases. El one-hot tiene su 1 solo en el objetivo.",
)
def cross_entropy_vjp(g, scores, targets):
    return (softmax(scores, 1) - 1.0) * (g / len(targets))


@known_wrong(
    "cross_entropy_vjp",
    id="one-added",
    hint=1,
    en="You added 1 at the target. What is true is subtracted from what is claimed: p - 1 there.",
    es="Sumaste 1 en el objetivo. Lo que es cierto se resta de lo que se afirma: allí es p - 1.",
)
def cross_entropy_vjp(g, scores, targets):
    gradient = softmax(scores, 1)
    gradient[np.arange(len(targets)), targets] += 1.0
    return gradient * (g / len(targets))


@known_wrong(
    "cross_entropy_vjp",
    id="target-replaced",
    hint=3,
    en="= -1 replaces the probability at the target. -= 1 takes 1 away from it, and p stays in: p - 1.",
    es="= -1 sustituye la probabilidad del objetivo. -= 1 le resta 1, y p se conserva: p - 1.",
)
def cross_entropy_vjp(g, scores, targets):
    gradient = softmax(scores, 1)
    gradient[np.arange(len(targets)), targets] = -1.0
    return gradient * (g / len(targets))


@known_wrong(
    "cross_entropy_vjp",
    id="rows-averaged-away",
    hint=2,
    en="You averaged over the rows. The mean of the loss gives each row a factor 1/N; every score keeps a gradient of its own, so the shape is (N, C).",
    es="Promediaste las filas. La media de la pérdida da a cada fila un factor 1/N; cada puntuación conserva su gradiente, así que la forma es (N, C).",
)
def cross_entropy_vjp(g, scores, targets):
    gradient = softmax(scores, 1)
    gradient[np.arange(len(targets)), targets] -= 1.0
    return g * gradient.mean(axis=0)


@known_wrong(
    "cross_entropy_vjp",
    id="index-lists-swapped",
    hint=3,
    en="The two lists of indices are swapped: first the rows 0, 1, 2, ..., then the columns, which are the targets.",
    es="Las dos listas de índices están intercambiadas: primero las filas 0, 1, 2, ..., luego las columnas, que son los objetivos.",
)
def cross_entropy_vjp(g, scores, targets):
    gradient = softmax(scores, 1)
    gradient[targets, np.arange(len(targets))] -= 1.0
    return gradient * (g / len(targets))
