"""Known-wrong versions of `gradcheck` that go wrong with g, with eps or with a shape."""

import numpy as np

from minitorch.course.judging.misconceptions import known_wrong


@known_wrong(
    "gradcheck",
    id="ones-upstream",
    hint=2,
    en="Your g is 1 everywhere. A rule that ignores g, or mixes up its entries, looks right then. Draw a different number for each entry.",
    es="Tu g vale 1 en todas partes. Así parece correcta una regla que ignora g, o que confunde sus entradas. Sortea un número distinto para cada entrada.",
)
def gradcheck(op, rule, x, eps=1e-6, tolerance=1e-5):
    y = np.asarray(op(x))
    g = np.ones(y.shape)

    def f(x):
        return np.sum(g * op(x))

    if at_kink(f, x, eps).any():
        raise ValueError("a kink")
    claimed = np.asarray(rule(g, x))
    if claimed.shape != x.shape:
        return False
    return bool(np.all(relative_error(claimed, numeric_grad(f, x, eps)) <= tolerance))


@known_wrong(
    "gradcheck",
    id="one-number-upstream",
    hint=2,
    en="Your g holds the same number everywhere. A rule that mixes up the entries of g, or adds them all, looks right then: draw a different number for each entry.",
    es="Tu g tiene el mismo número en todas partes. Así parece correcta una regla que confunde las entradas de g, o que las suma todas: sortea uno distinto para cada una.",
)
def gradcheck(op, rule, x, eps=1e-6, tolerance=1e-5):
    y = np.asarray(op(x))
    g = np.full(y.shape, np.random.default_rng(0).uniform(0.5, 1.5))

    def f(x):
        return np.sum(g * op(x))

    if at_kink(f, x, eps).any():
        raise ValueError("a kink")
    claimed = np.asarray(rule(g, x))
    if claimed.shape != x.shape:
        return False
    return bool(np.all(relative_error(claimed, numeric_grad(f, x, eps)) <= tolerance))


@known_wrong(
    "gradcheck",
    id="g-forgotten-in-f",
    hint=1,
    en="The rule got your random g, but the number that you measured did not: it is np.sum(op(x)). Both must speak of the same number, np.sum(g * op(x)).",
    es="La regla recibió tu g aleatorio, pero el número que mediste no: es np.sum(op(x)). Los dos deben hablar del mismo número, np.sum(g * op(x)).",
)
def gradcheck(op, rule, x, eps=1e-6, tolerance=1e-5):
    y = np.asarray(op(x))
    g = np.random.default_rng(0).uniform(0.5, 1.5, y.shape)

    def f(x):
        return np.sum(op(x))

    if at_kink(f, x, eps).any():
        raise ValueError("a kink")
    claimed = np.asarray(rule(g, x))
    if claimed.shape != x.shape:
        return False
    return bool(np.all(relative_error(claimed, numeric_grad(f, x, eps)) <= tolerance))


@known_wrong(
    "gradcheck",
    id="ones-for-the-rule",
    hint=1,
    en="You measured with a random g, but gave the rule another one. Both must speak of the same number: rule(g, x), with the g that is in f.",
    es="Mediste con un g aleatorio, pero diste otro a la regla. Los dos deben hablar del mismo número: rule(g, x), con el g que está en f.",
)
def gradcheck(op, rule, x, eps=1e-6, tolerance=1e-5):
    y = np.asarray(op(x))
    g = np.random.default_rng(0).uniform(0.5, 1.5, y.shape)

    def f(x):
        return np.sum(g * op(x))

    if at_kink(f, x, eps).any():
        raise ValueError("a kink")
    claimed = np.asarray(rule(np.ones(y.shape), x))
    if claimed.shape != x.shape:
        return False
    return bool(np.all(relative_error(claimed, numeric_grad(f, x, eps)) <= tolerance))


@known_wrong(
    "gradcheck",
    id="g-in-the-shape-of-x",
    hint=2,
    en="You drew g in the shape of x. g is what comes from above, so it has the shape of y = op(x), and that may be another.",
    es="Sorteaste g con la forma de x. g es lo que llega desde arriba: tiene la forma de y = op(x), que puede ser otra.",
)
def gradcheck(op, rule, x, eps=1e-6, tolerance=1e-5):
    y = np.asarray(op(x))
    g = np.random.default_rng(0).uniform(0.5, 1.5, x.shape)

    def f(x):
        return np.sum(g * op(x))

    if at_kink(f, x, eps).any():
        raise ValueError("a kink")
    claimed = np.asarray(rule(g, x))
    if claimed.shape != x.shape:
        return False
    return bool(np.all(relative_error(claimed, numeric_grad(f, x, eps)) <= tolerance))


@known_wrong(
    "gradcheck",
    id="zero-in-g",
    hint=2,
    en="An entry of your g is 0. Whatever the rule does there is multiplied by 0, so nobody can see it: draw numbers away from 0.",
    es="Una entrada de tu g es 0. Lo que haga ahí la regla queda multiplicado por 0, y nadie lo ve: sortea números lejos de 0.",
)
def gradcheck(op, rule, x, eps=1e-6, tolerance=1e-5):
    y = np.asarray(op(x))
    g = np.arange(y.size, dtype=np.float64).reshape(y.shape)

    def f(x):
        return np.sum(g * op(x))

    if at_kink(f, x, eps).any():
        raise ValueError("a kink")
    claimed = np.asarray(rule(g, x))
    if claimed.shape != x.shape:
        return False
    return bool(np.all(relative_error(claimed, numeric_grad(f, x, eps)) <= tolerance))


@known_wrong(
    "gradcheck",
    id="one-plain-number-upstream",
    hint=2,
    en="Your g is one plain number: uniform(0.5, 1.5) without a shape. g has the shape of y, with a different number in each entry.",
    es="Tu g es un solo número: uniform(0.5, 1.5) sin forma. g tiene la forma de y, con un número distinto en cada entrada.",
)
def gradcheck(op, rule, x, eps=1e-6, tolerance=1e-5):
    y = np.asarray(op(x))
    g = np.random.default_rng(0).uniform(0.5, 1.5)

    def f(x):
        return np.sum(g * op(x))

    if at_kink(f, x, eps).any():
        raise ValueError("a kink")
    claimed = np.asarray(rule(g, x))
    if claimed.shape != x.shape:
        return False
    return bool(np.all(relative_error(claimed, numeric_grad(f, x, eps)) <= tolerance))


@known_wrong(
    "gradcheck",
    id="kinks-of-the-plain-sum",
    hint=4,
    en="You looked for kinks of np.sum(op(x)). Two of them can cancel in a plain sum: look at the very f that you measure, with g in it.",
    es="Buscaste picos de np.sum(op(x)). En una suma simple dos picos pueden cancelarse: mira la misma f que mides, con g dentro.",
)
def gradcheck(op, rule, x, eps=1e-6, tolerance=1e-5):
    y = np.asarray(op(x))
    g = np.random.default_rng(0).uniform(0.5, 1.5, y.shape)

    def f(x):
        return np.sum(g * op(x))

    if at_kink(lambda at: np.sum(op(at)), x, eps).any():
        raise ValueError("a kink")
    claimed = np.asarray(rule(g, x))
    if claimed.shape != x.shape:
        return False
    return bool(np.all(relative_error(claimed, numeric_grad(f, x, eps)) <= tolerance))


@known_wrong(
    "gradcheck",
    id="eps-not-passed-on",
    hint=4,
    en="You passed eps neither to at_kink nor to numeric_grad. Whoever calls chooses the step: both need it.",
    es="No pasaste eps ni a at_kink ni a numeric_grad. Quien llama elige el paso: los dos lo necesitan.",
)
def gradcheck(op, rule, x, eps=1e-6, tolerance=1e-5):
    y = np.asarray(op(x))
    g = np.random.default_rng(0).uniform(0.5, 1.5, y.shape)

    def f(x):
        return np.sum(g * op(x))

    if at_kink(f, x).any():
        raise ValueError("a kink")
    claimed = np.asarray(rule(g, x))
    if claimed.shape != x.shape:
        return False
    return bool(np.all(relative_error(claimed, numeric_grad(f, x)) <= tolerance))


@known_wrong(
    "gradcheck",
    id="shape-of-y-compared",
    hint=3,
    en="You compared the claim's shape with that of y. The rule takes g, shaped like y, and returns the gradient of x: it has x's shape.",
    es="Comparaste la forma de la respuesta con la de y. La regla recibe g, con la forma de y, y devuelve el gradiente de x: tiene la forma de x.",
)
def gradcheck(op, rule, x, eps=1e-6, tolerance=1e-5):
    y = np.asarray(op(x))
    g = np.random.default_rng(0).uniform(0.5, 1.5, y.shape)

    def f(x):
        return np.sum(g * op(x))

    if at_kink(f, x, eps).any():
        raise ValueError("a kink")
    claimed = np.asarray(rule(g, x))
    if claimed.shape != y.shape:
        return False
    return bool(np.all(relative_error(claimed, numeric_grad(f, x, eps)) <= tolerance))


@known_wrong(
    "gradcheck",
    id="axes-counted-only",
    hint=3,
    en="You compared the number of axes. (1,) and (3,) both have one, and NumPy stretches the first: compare the whole shapes.",
    es="Comparaste el número de ejes. (1,) y (3,) tienen uno cada una, y NumPy estira la primera: compara las formas enteras.",
)
def gradcheck(op, rule, x, eps=1e-6, tolerance=1e-5):
    y = np.asarray(op(x))
    g = np.random.default_rng(0).uniform(0.5, 1.5, y.shape)

    def f(x):
        return np.sum(g * op(x))

    if at_kink(f, x, eps).any():
        raise ValueError("a kink")
    claimed = np.asarray(rule(g, x))
    if claimed.ndim != x.ndim:
        return False
    return bool(np.all(relative_error(claimed, numeric_grad(f, x, eps)) <= tolerance))


@known_wrong(
    "gradcheck",
    id="g-drawn-anew",
    hint=2,
    en="Your f draws a new g in every call, so it never returns the same number twice, and that looks like a jump everywhere. Draw g once, before f, and give the rule the same one.",
    es="Tu f sortea un g nuevo en cada llamada: nunca devuelve dos veces el mismo número, y eso parece un salto en todas partes. Sortea g una sola vez, antes de f, y dale el mismo a la regla.",
)
def gradcheck(op, rule, x, eps=1e-6, tolerance=1e-5):
    y = np.asarray(op(x))
    rng = np.random.default_rng(0)

    def f(x):
        return np.sum(rng.uniform(0.5, 1.5, y.shape) * op(x))

    if at_kink(f, x, eps).any():
        raise ValueError("a kink")
    g = rng.uniform(0.5, 1.5, y.shape)
    claimed = np.asarray(rule(g, x))
    if claimed.shape != x.shape:
        return False
    return bool(np.all(relative_error(claimed, numeric_grad(f, x, eps)) <= tolerance))
