"""Known-wrong versions of `gradcheck` that go wrong at kinks, or where the two gradients are compared."""

import numpy as np

from minitorch.course.judging.misconceptions import known_wrong


@known_wrong(
    "gradcheck",
    id="errors-added",
    hint=3,
    en="You added the errors of all entries. Many small ones, each within the tolerance, then look like a large one: compare each with the tolerance.",
    es="Sumaste los errores de todas las entradas. Muchos pequeños, cada uno dentro de tolerance, parecen entonces uno grande: compara cada uno con tolerance.",
)
def gradcheck(op, rule, x, eps=1e-6, tolerance=1e-5):
    y = np.asarray(op(x))
    g = np.random.default_rng(0).uniform(0.5, 1.5, y.shape)

    def f(x):
        return np.sum(g * op(x))

    if at_kink(f, x, eps).any():
        raise ValueError("a kink")
    claimed = np.asarray(rule(g, x))
    if claimed.shape != x.shape:
        return False
    return bool(np.sum(relative_error(claimed, numeric_grad(f, x, eps))) <= tolerance)


@known_wrong(
    "gradcheck",
    id="kinks-judged",
    hint=4,
    en="You judged at a kink. There is no gradient there: a right rule is refused, or any rule passes by chance. Ask at_kink first and raise a ValueError.",
    es="Juzgaste en un pico. Ahí no hay gradiente: se rechaza una regla correcta, o pasa cualquiera por azar. Pregunta primero a at_kink y lanza un ValueError.",
)
def gradcheck(op, rule, x, eps=1e-6, tolerance=1e-5):
    y = np.asarray(op(x))
    g = np.random.default_rng(0).uniform(0.5, 1.5, y.shape)

    def f(x):
        return np.sum(g * op(x))

    claimed = np.asarray(rule(g, x))
    if claimed.shape != x.shape:
        return False
    return bool(np.all(relative_error(claimed, numeric_grad(f, x, eps)) <= tolerance))


@known_wrong(
    "gradcheck",
    id="kink-is-false",
    hint=4,
    en="At a kink you answered False, and blamed a rule that may be right. Nothing can be judged there: raise a ValueError.",
    es="En un pico respondiste False, y culpaste a una regla que puede ser correcta. Ahí no se puede juzgar nada: lanza un ValueError.",
)
def gradcheck(op, rule, x, eps=1e-6, tolerance=1e-5):
    y = np.asarray(op(x))
    g = np.random.default_rng(0).uniform(0.5, 1.5, y.shape)

    def f(x):
        return np.sum(g * op(x))

    if at_kink(f, x, eps).any():
        return False
    claimed = np.asarray(rule(g, x))
    if claimed.shape != x.shape:
        return False
    return bool(np.all(relative_error(claimed, numeric_grad(f, x, eps)) <= tolerance))


@known_wrong(
    "gradcheck",
    id="kink-is-true",
    hint=4,
    en="At a kink you answered True, though nothing was compared. No evidence is no pass: raise a ValueError.",
    es="En un pico respondiste True, aunque no se comparó nada. Sin prueba no hay aprobado: lanza un ValueError.",
)
def gradcheck(op, rule, x, eps=1e-6, tolerance=1e-5):
    y = np.asarray(op(x))
    g = np.random.default_rng(0).uniform(0.5, 1.5, y.shape)

    def f(x):
        return np.sum(g * op(x))

    if at_kink(f, x, eps).any():
        return True
    claimed = np.asarray(rule(g, x))
    if claimed.shape != x.shape:
        return False
    return bool(np.all(relative_error(claimed, numeric_grad(f, x, eps)) <= tolerance))


@known_wrong(
    "gradcheck",
    id="kinks-left-out",
    hint=4,
    en="You left the entries at a kink out and judged the others. The answer then says right about entries that nobody looked at: raise a ValueError.",
    es="Dejaste fuera las entradas que están en un pico y juzgaste las demás. La respuesta dice entonces que es correcto lo que nadie miró: lanza un ValueError.",
)
def gradcheck(op, rule, x, eps=1e-6, tolerance=1e-5):
    y = np.asarray(op(x))
    g = np.random.default_rng(0).uniform(0.5, 1.5, y.shape)

    def f(x):
        return np.sum(g * op(x))

    claimed = np.asarray(rule(g, x))
    if claimed.shape != x.shape:
        return False
    errors = relative_error(claimed, numeric_grad(f, x, eps))
    return bool(np.all(errors[~at_kink(f, x, eps)] <= tolerance))


@known_wrong(
    "gradcheck",
    id="kink-only-where-all-are",
    hint=4,
    en="You raised the error only where every entry stands at a kink. One is enough to make its measured slope worthless: .any(), not .all().",
    es="Lanzaste el error solo donde todas las entradas están en un pico. Basta una para que su pendiente medida no valga nada: .any(), no .all().",
)
def gradcheck(op, rule, x, eps=1e-6, tolerance=1e-5):
    y = np.asarray(op(x))
    g = np.random.default_rng(0).uniform(0.5, 1.5, y.shape)

    def f(x):
        return np.sum(g * op(x))

    if at_kink(f, x, eps).all():
        raise ValueError("a kink")
    claimed = np.asarray(rule(g, x))
    if claimed.shape != x.shape:
        return False
    return bool(np.all(relative_error(claimed, numeric_grad(f, x, eps)) <= tolerance))


@known_wrong(
    "gradcheck",
    id="eps-not-passed-to-at-kink",
    hint=4,
    en="You called at_kink without your eps. With a large step a kink within reach is missed: pass the same eps that you measure with.",
    es="Llamaste a at_kink sin tu eps. Con un paso grande se escapa un pico que queda al alcance: pasa el mismo eps con que mides.",
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
    return bool(np.all(relative_error(claimed, numeric_grad(f, x, eps)) <= tolerance))


@known_wrong(
    "gradcheck",
    id="shape-not-compared",
    hint=3,
    en="You did not compare shapes. NumPy stretches a claim of another shape to that of x without a word, and then it looks right.",
    es="No comparaste las formas. NumPy estira sin avisar una respuesta de otra forma hasta la de x, y entonces parece correcta.",
)
def gradcheck(op, rule, x, eps=1e-6, tolerance=1e-5):
    y = np.asarray(op(x))
    g = np.random.default_rng(0).uniform(0.5, 1.5, y.shape)

    def f(x):
        return np.sum(g * op(x))

    if at_kink(f, x, eps).any():
        raise ValueError("a kink")
    claimed = np.asarray(rule(g, x))
    return bool(np.all(relative_error(claimed, numeric_grad(f, x, eps)) <= tolerance))


@known_wrong(
    "gradcheck",
    id="nan-passes",
    hint=3,
    en="You asked whether an error is above the tolerance. nan is above nothing, so a gradient of nan passes. Ask whether all errors are <= tolerance.",
    es="Preguntaste si algún error pasa de tolerance. nan no pasa de nada, así que un gradiente nan se acepta. Pregunta si todos los errores son <= tolerance.",
)
def gradcheck(op, rule, x, eps=1e-6, tolerance=1e-5):
    y = np.asarray(op(x))
    g = np.random.default_rng(0).uniform(0.5, 1.5, y.shape)

    def f(x):
        return np.sum(g * op(x))

    if at_kink(f, x, eps).any():
        raise ValueError("a kink")
    claimed = np.asarray(rule(g, x))
    if claimed.shape != x.shape:
        return False
    return not bool(np.any(relative_error(claimed, numeric_grad(f, x, eps)) > tolerance))


@known_wrong(
    "gradcheck",
    id="mean-error",
    hint=3,
    en="You compared the mean error. One wrong entry among many right ones is averaged away: every entry must be within the tolerance.",
    es="Comparaste el error medio. Una entrada falsa entre muchas correctas se diluye en la media: cada entrada debe quedar dentro de tolerance.",
)
def gradcheck(op, rule, x, eps=1e-6, tolerance=1e-5):
    y = np.asarray(op(x))
    g = np.random.default_rng(0).uniform(0.5, 1.5, y.shape)

    def f(x):
        return np.sum(g * op(x))

    if at_kink(f, x, eps).any():
        raise ValueError("a kink")
    claimed = np.asarray(rule(g, x))
    if claimed.shape != x.shape:
        return False
    return bool(np.mean(relative_error(claimed, numeric_grad(f, x, eps))) <= tolerance)


@known_wrong(
    "gradcheck",
    id="one-right-entry-is-enough",
    hint=3,
    en="You were content when any entry is right. Every entry must be within the tolerance: .all(), not .any().",
    es="Te conformaste con que alguna entrada sea correcta. Cada entrada debe quedar dentro de tolerance: .all(), no .any().",
)
def gradcheck(op, rule, x, eps=1e-6, tolerance=1e-5):
    y = np.asarray(op(x))
    g = np.random.default_rng(0).uniform(0.5, 1.5, y.shape)

    def f(x):
        return np.sum(g * op(x))

    if at_kink(f, x, eps).any():
        raise ValueError("a kink")
    claimed = np.asarray(rule(g, x))
    if claimed.shape != x.shape:
        return False
    return bool(np.any(relative_error(claimed, numeric_grad(f, x, eps)) <= tolerance))


@known_wrong(
    "gradcheck",
    id="first-entry-only",
    hint=3,
    en="You compared the first entry alone. The wrong one may be any: every entry must be within the tolerance.",
    es="Comparaste solo la primera entrada. La falsa puede ser cualquiera: cada entrada debe quedar dentro de tolerance.",
)
def gradcheck(op, rule, x, eps=1e-6, tolerance=1e-5):
    y = np.asarray(op(x))
    g = np.random.default_rng(0).uniform(0.5, 1.5, y.shape)

    def f(x):
        return np.sum(g * op(x))

    if at_kink(f, x, eps).any():
        raise ValueError("a kink")
    claimed = np.asarray(rule(g, x))
    if claimed.shape != x.shape:
        return False
    return bool(np.ravel(relative_error(claimed, numeric_grad(f, x, eps)))[0] <= tolerance)


@known_wrong(
    "gradcheck",
    id="absolute-error",
    hint=3,
    en="You compared the difference alone. Where gradients are in the millions, rounding is larger than that; where they are tiny, a wrong one passes. Use relative_error.",
    es="Comparaste solo la diferencia. Donde los gradientes valen millones, el redondeo es mayor; donde son diminutos, pasa uno falso. Usa relative_error.",
)
def gradcheck(op, rule, x, eps=1e-6, tolerance=1e-5):
    y = np.asarray(op(x))
    g = np.random.default_rng(0).uniform(0.5, 1.5, y.shape)

    def f(x):
        return np.sum(g * op(x))

    if at_kink(f, x, eps).any():
        raise ValueError("a kink")
    claimed = np.asarray(rule(g, x))
    if claimed.shape != x.shape:
        return False
    return bool(np.all(np.abs(claimed - numeric_grad(f, x, eps)) <= tolerance))


@known_wrong(
    "gradcheck",
    id="length-of-the-difference",
    hint=3,
    en="You compared the lengths of whole gradients (a norm). Beside one large entry, a small one may be wrong and nobody sees it: compare entry by entry.",
    es="Comparaste la longitud de gradientes enteros (una norma). Al lado de una entrada grande, una pequeña puede ser falsa sin que se vea: compara entrada por entrada.",
)
def gradcheck(op, rule, x, eps=1e-6, tolerance=1e-5):
    y = np.asarray(op(x))
    g = np.random.default_rng(0).uniform(0.5, 1.5, y.shape)

    def f(x):
        return np.sum(g * op(x))

    if at_kink(f, x, eps).any():
        raise ValueError("a kink")
    claimed = np.asarray(rule(g, x))
    if claimed.shape != x.shape:
        return False
    measured = numeric_grad(f, x, eps)
    scale = max(np.linalg.norm(claimed), np.linalg.norm(measured), 1e-3)
    return bool(np.linalg.norm(claimed - measured) / scale <= tolerance)


@known_wrong(
    "gradcheck",
    id="sums-compared",
    hint=3,
    en="You compared the sums of the two gradients. Two errors of opposite signs cancel in a sum: compare entry by entry.",
    es="Comparaste las sumas de los dos gradientes. Dos errores de signo contrario se cancelan en una suma: compara entrada por entrada.",
)
def gradcheck(op, rule, x, eps=1e-6, tolerance=1e-5):
    y = np.asarray(op(x))
    g = np.random.default_rng(0).uniform(0.5, 1.5, y.shape)

    def f(x):
        return np.sum(g * op(x))

    if at_kink(f, x, eps).any():
        raise ValueError("a kink")
    claimed = np.asarray(rule(g, x))
    if claimed.shape != x.shape:
        return False
    return bool(relative_error(claimed.sum(), numeric_grad(f, x, eps).sum()) <= tolerance)


@known_wrong(
    "gradcheck",
    id="signs-not-compared",
    hint=3,
    en="You compared sizes and dropped the signs. A rule that loses the minus sign then passes: subtract first, np.abs afterwards.",
    es="Comparaste tamaños y perdiste los signos. Así pasa una regla que pierde el signo menos: primero resta, después np.abs.",
)
def gradcheck(op, rule, x, eps=1e-6, tolerance=1e-5):
    y = np.asarray(op(x))
    g = np.random.default_rng(0).uniform(0.5, 1.5, y.shape)

    def f(x):
        return np.sum(g * op(x))

    if at_kink(f, x, eps).any():
        raise ValueError("a kink")
    claimed = np.asarray(rule(g, x))
    if claimed.shape != x.shape:
        return False
    return bool(np.all(relative_error(np.abs(claimed), np.abs(numeric_grad(f, x, eps))) <= tolerance))


@known_wrong(
    "gradcheck",
    id="answer-turned-round",
    hint=3,
    en="You turned the answer round. True means that the rule agrees with the measurement.",
    es="Diste la respuesta al revés. True significa que la regla coincide con la medición.",
)
def gradcheck(op, rule, x, eps=1e-6, tolerance=1e-5):
    y = np.asarray(op(x))
    g = np.random.default_rng(0).uniform(0.5, 1.5, y.shape)

    def f(x):
        return np.sum(g * op(x))

    if at_kink(f, x, eps).any():
        raise ValueError("a kink")
    claimed = np.asarray(rule(g, x))
    if claimed.shape != x.shape:
        return True
    return not bool(np.all(relative_error(claimed, numeric_grad(f, x, eps)) <= tolerance))


@known_wrong(
    "gradcheck",
    id="tolerance-of-its-own",
    hint=3,
    en="You used a tolerance of your own. It is an argument: whoever calls says how exact a gradient must be.",
    es="Usaste una tolerancia tuya. Es un argumento: quien llama dice cómo de exacto debe ser un gradiente.",
)
def gradcheck(op, rule, x, eps=1e-6, tolerance=1e-5):
    y = np.asarray(op(x))
    g = np.random.default_rng(0).uniform(0.5, 1.5, y.shape)

    def f(x):
        return np.sum(g * op(x))

    if at_kink(f, x, eps).any():
        raise ValueError("a kink")
    claimed = np.asarray(rule(g, x))
    if claimed.shape != x.shape:
        return False
    return bool(np.all(relative_error(claimed, numeric_grad(f, x, eps)) <= 1e-5))


@known_wrong(
    "gradcheck",
    id="tolerance-too-generous",
    hint=3,
    en="You allow one part in a hundred whatever the caller asks for. A factor of 1.001 in a rule is a bug, and it is accepted: use tolerance.",
    es="Admites una centésima, pida lo que pida quien llama. Un factor de 1.001 en una regla es un error, y se acepta: usa tolerance.",
)
def gradcheck(op, rule, x, eps=1e-6, tolerance=1e-5):
    y = np.asarray(op(x))
    g = np.random.default_rng(0).uniform(0.5, 1.5, y.shape)

    def f(x):
        return np.sum(g * op(x))

    if at_kink(f, x, eps).any():
        raise ValueError("a kink")
    claimed = np.asarray(rule(g, x))
    if claimed.shape != x.shape:
        return False
    return bool(np.all(relative_error(claimed, numeric_grad(f, x, eps)) <= 0.01))


@known_wrong(
    "gradcheck",
    id="error-returned",
    hint=3,
    en="You returned the error itself. Asked for is a verdict: True when every error is at most tolerance, otherwise False.",
    es="Devolviste el error mismo. Se pide un veredicto: True cuando todos los errores son como mucho tolerance; si no, False.",
)
def gradcheck(op, rule, x, eps=1e-6, tolerance=1e-5):
    y = np.asarray(op(x))
    g = np.random.default_rng(0).uniform(0.5, 1.5, y.shape)

    def f(x):
        return np.sum(g * op(x))

    if at_kink(f, x, eps).any():
        raise ValueError("a kink")
    claimed = np.asarray(rule(g, x))
    if claimed.shape != x.shape:
        return False
    return float(np.max(relative_error(claimed, numeric_grad(f, x, eps))))


@known_wrong(
    "gradcheck",
    id="array-of-answers",
    hint=3,
    en="You returned one answer for each entry. Asked for is one for the whole rule: np.all(...).",
    es="Devolviste una respuesta por entrada. Se pide una sola para toda la regla: np.all(...).",
)
def gradcheck(op, rule, x, eps=1e-6, tolerance=1e-5):
    y = np.asarray(op(x))
    g = np.random.default_rng(0).uniform(0.5, 1.5, y.shape)

    def f(x):
        return np.sum(g * op(x))

    if at_kink(f, x, eps).any():
        raise ValueError("a kink")
    claimed = np.asarray(rule(g, x))
    if claimed.shape != x.shape:
        return False
    return relative_error(claimed, numeric_grad(f, x, eps)) <= tolerance


@known_wrong(
    "gradcheck",
    id="wrong-is-an-error",
    hint=4,
    en="You raised a ValueError for a wrong rule. Asked for is False; the ValueError is for points where nothing can be judged.",
    es="Lanzaste un ValueError para una regla falsa. Se pide False; el ValueError es para los puntos donde no se puede juzgar nada.",
)
def gradcheck(op, rule, x, eps=1e-6, tolerance=1e-5):
    y = np.asarray(op(x))
    g = np.random.default_rng(0).uniform(0.5, 1.5, y.shape)

    def f(x):
        return np.sum(g * op(x))

    if at_kink(f, x, eps).any():
        raise ValueError("a kink")
    claimed = np.asarray(rule(g, x))
    if claimed.shape != x.shape:
        raise ValueError("another shape")
    if not np.all(relative_error(claimed, numeric_grad(f, x, eps)) <= tolerance):
        raise ValueError("wrong")
    return True
