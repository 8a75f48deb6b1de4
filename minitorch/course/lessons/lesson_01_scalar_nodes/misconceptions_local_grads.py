"""Known-wrong versions of `local_grads`: each stands for one way to get it wrong."""

from minitorch.course.judging.misconceptions import known_wrong


@known_wrong(
    "local_grads",
    id="last-place-wins",
    hint=1,
    en="A parent that stands in two places kept the number of the last place only. Both places grow with it: add them.",
    es="Un padre que está en dos lugares se quedó solo con el número del último. Los dos lugares crecen con él: súmalos.",
)
def local_grads(out):
    return dict(zip(out._prev, out._local_grads))


@known_wrong(
    "local_grads",
    id="first-place-wins",
    hint=1,
    en="A parent that stands in two places kept the number of the first place only. Both places grow with it: add them.",
    es="Un padre que está en dos lugares se quedó solo con el número del primero. Los dos lugares crecen con él: súmalos.",
)
def local_grads(out):
    total = {}
    for parent, local in zip(out._prev, out._local_grads):
        total.setdefault(parent, local)
    return total


@known_wrong(
    "local_grads",
    id="places-multiplied",
    hint=1,
    en="You multiplied the numbers of a parent's places. The places act side by side, so their numbers are added.",
    es="Multiplicaste los números de los lugares de un padre. Los lugares actúan uno al lado del otro: sus números se suman.",
)
def local_grads(out):
    total = {}
    for parent, local in zip(out._prev, out._local_grads):
        total[parent] = total.get(parent, 1.0) * local
    return total


@known_wrong(
    "local_grads",
    id="keyed-by-number",
    hint=2,
    en="The keys of your dict are numbers. Two parents may hold the same number: use the Values themselves as keys.",
    es="Las claves de tu dict son números. Dos padres pueden tener el mismo número: usa los Values mismos como claves.",
)
def local_grads(out):
    total = {}
    for parent, local in zip(out._prev, out._local_grads):
        total[parent.data] = total.get(parent.data, 0.0) + local
    return total


@known_wrong(
    "local_grads",
    id="parents-own-numbers",
    hint=2,
    en="You returned each parent's own number. Asked for is how fast out grows with it: that is in out._local_grads.",
    es="Devolviste el número de cada padre. Se pide con qué rapidez crece out con él: eso está en out._local_grads.",
)
def local_grads(out):
    return {parent: parent.data for parent in out._prev}


@known_wrong(
    "local_grads",
    id="grad-of-the-parent",
    hint=2,
    en="You read parent.grad, which nobody has filled in yet. The local gradients are stored in out._local_grads.",
    es="Leíste parent.grad, que nadie ha rellenado todavía. Los gradientes locales están en out._local_grads.",
)
def local_grads(out):
    return {parent: parent.grad for parent in out._prev}


@known_wrong(
    "local_grads",
    id="grandparents-too",
    hint=2,
    en="You walked on to the parents of the parents. Local means one step: the entries of out._prev and no others.",
    es="Seguiste hasta los padres de los padres. Local significa un paso: las entradas de out._prev y ninguna más.",
)
def local_grads(out):
    total, stack = {}, [out]
    while stack:
        node = stack.pop()
        for parent, local in zip(node._prev, node._local_grads):
            total[parent] = total.get(parent, 0.0) + local
            stack.append(parent)
    return total


@known_wrong(
    "local_grads",
    id="tuple-not-dict",
    hint=3,
    en="You returned the bare tuple of numbers. Asked for is a dict that says which number belongs to which parent.",
    es="Devolviste la tupla de números sin más. Se pide un dict que diga qué número pertenece a qué padre.",
)
def local_grads(out):
    return out._local_grads
