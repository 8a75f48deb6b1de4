"""How the answers of lesson 08 are judged.

What is expected is worked out in other ways than the solution does it: the product's gradients by einsum, letter by
letter, and everything with a logarithm in it by NumPy's logaddexp, which adds two numbers at a time.
"""

import numpy as np

from minitorch.course.judging.checks import (
    Text,
    Wrong,
    as_python,
    exercise,
    first_wrong,
    judged_array,
    same_number,
    with_hint,
)
from minitorch.course.sandbox.values import type_name

MAKES_NEW = Text(
    "`-=`, `*=` and `/=` write into the array itself. `y = x - m` makes a new one.",
    "`-=`, `*=` y `/=` escriben en el propio array. `y = x - m` crea uno nuevo.",
)


def drawn(rng, *shape, away=0.0):
    """Numbers between -2 and 2, rounded so that they can be read."""
    return np.round(rng.uniform(-2.0, 2.0, shape), 2) + away


def rewritten(x, got, *names):
    """Say that an array is another one after the call."""
    for name in names:
        if not isinstance(got["after"][name], np.ndarray) or not np.array_equal(got["after"][name], x[name]):
            return Wrong(
                f"after the call {name} is another array than before: your function wrote into it",
                f"después de la llamada {name} es otro array que antes: tu función escribió en él",
                expected=x[name],
                got=got["after"][name],
                hint=MAKES_NEW,
            )
    return None


def called(name, x, *arguments):
    """The line that makes the arrays of a case, and the call."""
    made = [f"{each} = {as_python(x[each])}" for each in arguments]
    return "; ".join([*made, f"m.{name}({', '.join(arguments)})"])


# ------------------------------------------------------------------------------------------- matmul_vjp


def to_shape(array, shape):
    """Sum an array over what a smaller shape lacks, one axis after the other."""
    while array.ndim > len(shape):
        array = np.add.reduce(array, axis=0)
    for axis, size in enumerate(shape):
        if size == 1 and array.shape[axis] != 1:
            array = np.add.reduce(array, axis=axis, keepdims=True)
    return array


def matmul_gradients(g, a, b):
    """Both gradients by the rule with indices: a_grad[i, k] = sum over j of g[i, j] b[k, j]."""
    return (
        to_shape(np.einsum("...ij,...kj->...ik", g, b), a.shape),
        to_shape(np.einsum("...ik,...ij->...kj", a, g), b.shape),
    )


def product_case(rng, a_shape, b_shape):
    a, b = drawn(rng, *a_shape), drawn(rng, *b_shape)
    return {"g": drawn(rng, *np.matmul(a, b).shape), "a": a, "b": b}


@exercise("matmul_vjp")
class MatmulVjp:
    """Matrices of unequal sizes, a square one; batches: equal, missing, of size 1, on either side; no rows."""

    in_order = True

    def inputs(self, rng):
        return [
            {"g": np.array([[10.0]]), "a": np.array([[1.0, 2.0]]), "b": np.array([[3.0], [4.0]])},
            {"g": np.array([[1.0, 10.0]]), "a": np.array([[2.0]]), "b": np.array([[5.0, 7.0]])},
            {
                "g": np.array([[1.0, 10.0], [0.0, -1.0]]),
                "a": np.array([[1.0, 2.0], [3.0, 4.0]]),
                "b": np.array([[5.0, 6.0], [7.0, 8.0]]),
            },
            product_case(rng, (2, 3), (3, 4)),
            product_case(rng, (2, 2, 2), (2, 2)),
            product_case(rng, (2, 2, 1), (2, 1, 2)),
            product_case(rng, (2, 3, 4), (2, 4, 5)),
            product_case(rng, (2, 3, 4), (4, 5)),
            product_case(rng, (3, 4), (2, 4, 5)),
            product_case(rng, (1, 3, 4), (5, 4, 2)),
            product_case(rng, (3, 1, 2, 4), (5, 4, 6)),
            product_case(rng, (0, 2), (2, 3)),
        ]

    def line(self, x):
        return called("matmul_vjp", x, "g", "a", "b")

    def observe(learner, x):
        import numpy as np

        given = {name: x[name].copy() for name in ("g", "a", "b")}
        out = learner.matmul_vjp(given["g"], given["a"], given["b"])
        if hasattr(out, "__next__"):
            out = list(out)  # a generator of two is as good as a pair
        if isinstance(out, (tuple, list)):
            out = [np.asarray(each) if isinstance(each, np.generic) else each for each in out]
        return {"out": out, "after": {name: array.copy() for name, array in given.items()}}

    def judge(self, x, got):
        return first_wrong(rewritten(x, got, "g", "a", "b"), *self.of_both(got["out"], x))

    def of_both(self, out, x):
        """What is wrong with what came back: not two things, or one of the two."""
        if not isinstance(out, list) or len(out) != 2:
            yield Wrong(
                "matmul_vjp must return two arrays, (a_grad, b_grad)",
                "matmul_vjp debe devolver dos arrays, (a_grad, b_grad)",
                expected="(a_grad, b_grad)",
                got=f"{len(out)} things"
                if isinstance(out, list)
                else "None"
                if out is None
                else f"one {type_name(out)}",
                hint=5 if out is not None else None,
            )
            return
        want = dict(zip("ab", matmul_gradients(x["g"], x["a"], x["b"]), strict=True))
        if x["a"].shape != x["b"].shape and judged_array(out[0], want["b"]) is judged_array(out[1], want["a"]) is None:
            yield Wrong(
                "both gradients are right, but the pair is the wrong way round: a_grad comes first",
                "los dos gradientes son correctos, pero el par está al revés: a_grad va primero",
                expected=f"shapes {x['a'].shape} and {x['b'].shape}",
                got=f"shapes {x['b'].shape} and {x['a'].shape}",
                hint=5,
            )
        yield from (self.of_one(name, grad, want[name], x) for name, grad in zip("ab", out, strict=True))

    def of_one(self, name, grad, want, x):
        """What is wrong with one gradient: the batch, its shape, a sign, a factor, or its numbers."""
        unsummed = x["g"].shape[:-2] + want.shape[-2:]
        if isinstance(grad, np.ndarray) and grad.shape == unsummed != want.shape:
            return Wrong(
                f"{name}_grad has the shape {grad.shape}, but {name} has the shape {want.shape}: {name} was stretched",
                f"{name}_grad tiene la forma {grad.shape}, pero {name} tiene la forma {want.shape}: {name} se estiró",
                expected=want,
                got=grad,
                hint=4,
            )
        batch = 2 if x["g"].ndim == 2 else 3
        hints = {"shape": batch, "numbers": 2, "sign": 1, "factor": 1, "zero": 1, "order": 2, "entry": batch}
        return judged_array(grad, want, f"{name}_grad", hints=hints)


# ---------------------------------------------------------------------------------- softmax, logsumexp


LARGE = 100.0  # from here on a power may overflow, and the hints about that help


def log_of_sum(x, axis):
    """Log(sum(exp(x))) along an axis, two numbers at a time: no power of a large number is ever taken."""
    return np.logaddexp.reduce(x, axis=axis)


def along_cases(rng):
    """Arrays and axes: small, then more axes, then numbers too large for exp, rows far apart, and one number alone."""
    rows = np.array([[0.0, 1.0], [2.0, 0.0]])
    far_apart = np.array([[1000.0, 1001.0, 1002.0], [0.0, 1.0, 2.5], [-1002.0, -1000.0, -1001.0], [3.0, 1.0, 4.0]])
    return [
        {"x": np.array([0.0, 1.0]), "axis": 0},
        {"x": rows, "axis": 1},
        {"x": rows, "axis": 0},
        {"x": np.array([[2.0, 0.0, 1.0]]), "axis": 1},
        {"x": np.array([[2.0, 0.0, 1.0], [0.0, 1.0, 4.0]]), "axis": 1},
        {"x": drawn(rng, 2, 1, 3), "axis": -1},
        {"x": drawn(rng, 2, 3, 4), "axis": 1},
        {"x": drawn(rng, 3, 2, 4), "axis": -3},
        {"x": np.array([1000.0, 1001.0]), "axis": 0},
        {"x": np.array([-1001.0, -1000.0]), "axis": 0},
        {"x": np.array([-800.0, 0.0, 800.0]), "axis": 0},
        {"x": np.array([-20000.0, 0.0, 20000.0]), "axis": 0},
        {"x": far_apart, "axis": 1},
        {"x": far_apart.T.copy(), "axis": 0},
        {"x": np.array([5.0]), "axis": 0},
        {"x": np.array([3.0, 3.0]), "axis": 0},
    ]


@exercise("softmax")
class Softmax:
    """Along every axis, for small numbers, for numbers that overflow, and for rows that are far apart."""

    in_order = True

    def inputs(self, rng):
        return along_cases(rng)

    def line(self, x):
        return f"m.softmax({as_python(x['x'])}, {x['axis']})"

    def observe(learner, x):
        given = x["x"].copy()
        return {"out": learner.softmax(given, x["axis"]), "after": {"x": given.copy()}}

    def judge(self, x, got):
        want = np.exp(x["x"] - np.expand_dims(log_of_sum(x["x"], x["axis"]), x["axis"]))
        hints = {"shape": 3, "numbers": 3, "finite": 2, "zero": 2, "order": 1}
        hints |= {"entry": 2} if np.abs(x["x"]).max() > LARGE else {}
        return first_wrong(
            rewritten(x, got, "x"),
            self.sums(got["out"], x),
            judged_array(got["out"], want, hints=hints, rtol=1e-9),
        )

    def sums(self, out, x):
        """Say that the numbers do not add up to 1, where there are numbers in the right shape."""
        if not isinstance(out, np.ndarray) or out.shape != x["x"].shape or not np.all(np.isfinite(out)):
            return None
        found = out.sum(axis=x["axis"])
        if np.allclose(found, 1.0, rtol=0, atol=1e-9):
            return None
        return Wrong(
            f"along axis {x['axis']} the numbers do not add up to 1",
            f"a lo largo del eje {x['axis']} los números no suman 1",
            expected=f"sums of {[1.0] * found.size}",
            got=f"sums of {[float(f'{each:.12g}') for each in np.ravel(found)]}"
            if found.size <= 4
            else f"{found.size} sums, first {found.flat[0]:.6g}",
            hint=1,
        )


@exercise("logsumexp")
class LogSumExp:
    """Along every axis, for small numbers, for numbers that overflow, and for rows that are far apart."""

    in_order = True

    def inputs(self, rng):
        return along_cases(rng)

    def line(self, x):
        return f"m.logsumexp({as_python(x['x'])}, {x['axis']})"

    def observe(learner, x):
        import numpy as np

        given = x["x"].copy()
        out = learner.logsumexp(given, x["axis"])
        if isinstance(out, (float, np.floating)):  # one number, however it is held
            out = np.asarray(out, dtype=np.float64)
        return {"out": out, "after": {"x": given.copy()}}

    def judge(self, x, got):
        want = log_of_sum(x["x"], x["axis"])
        hints = {"shape": 3, "numbers": 3, "finite": 1, "zero": 2, "sign": 2, "factor": 2, "order": 3}
        hints |= {"entry": 2} if np.abs(x["x"]).max() > LARGE else {}
        return first_wrong(
            rewritten(x, got, "x"),
            self.bounds(got["out"], x),
            judged_array(got["out"], want, hints=hints, rtol=1e-9),
        )

    def bounds(self, out, x):
        """Say that a result is smaller than the largest number or too far above it, where it has the right shape."""
        largest = x["x"].max(axis=x["axis"])
        if not isinstance(out, np.ndarray) or out.shape != largest.shape or not np.all(np.isfinite(out)):
            return None
        if np.any(out < largest - 1e-9):
            return Wrong(
                "a result is smaller than the largest number along axis: the sum of the powers is at least its power",
                "un resultado es menor que el mayor número a lo largo de axis: la suma de las potencias es al menos "
                "la potencia de ese número",
                expected=np.asarray(log_of_sum(x["x"], x["axis"])),
                got=out,
                hint=2,
            )
        if np.any(out > largest + np.log(x["x"].shape[x["axis"]]) + 1e-9):
            return Wrong(
                "a result is too large: n powers, none above that of the largest number, add at most log(n) to it",
                "un resultado es demasiado grande: n potencias, ninguna mayor que la del mayor número, le suman como "
                "mucho log(n)",
                expected=np.asarray(log_of_sum(x["x"], x["axis"])),
                got=out,
                hint=2,
            )
        return None


# -------------------------------------------------------------------------------------- cross-entropy


def class_cases(rng):
    """Scores and targets: one row, several, as many as classes, repeated targets; then confident and wrong."""
    return [
        {"scores": np.array([[0.0, 1.0]]), "targets": np.array([0])},
        {"scores": np.array([[0.0, 1.0]]), "targets": np.array([1])},
        {"scores": np.array([[1.0, 0.0], [0.0, 3.0]]), "targets": np.array([1, 1])},
        {"scores": np.array([[1.0, 0.0, 2.0], [0.0, 3.0, 1.0]]), "targets": np.array([0, 2])},
        {"scores": drawn(rng, 3, 3), "targets": np.array([2, 0, 2])},
        {"scores": drawn(rng, 2, 4), "targets": rng.permutation(4)[:2]},
        {"scores": drawn(rng, 5, 3), "targets": np.array([1, 2, 0, 2, 2])},
        {"scores": np.array([[0.0, 1000.0]]), "targets": np.array([0])},
        {"scores": np.array([[1000.0, 1001.0], [-1000.0, -1002.0]]), "targets": np.array([1, 0])},
        {"scores": drawn(rng, 4, 3) + np.array([[0.0], [900.0], [-900.0], [40.0]]), "targets": np.array([0, 2, 1, 1])},
    ]


@exercise("cross_entropy")
class CrossEntropy:
    """One row, several rows, more classes than rows, scores that overflow, a target whose probability rounds to 0."""

    in_order = True

    def inputs(self, rng):
        return class_cases(rng)

    def line(self, x):
        return called("cross_entropy", x, "scores", "targets")

    def observe(learner, x):
        import numpy as np

        given = {name: x[name].copy() for name in ("scores", "targets")}
        out = learner.cross_entropy(given["scores"], given["targets"])
        if isinstance(out, np.floating) or (isinstance(out, np.ndarray) and out.shape == ()):
            out = float(out)
        return {"out": out, "after": {name: array.copy() for name, array in given.items()}}

    def judge(self, x, got):
        scores, targets, out = x["scores"], x["targets"], got["out"]
        picked = np.take_along_axis(scores, targets[:, None], 1)[:, 0]
        want = float(np.average(log_of_sum(scores, 1) - picked))
        return first_wrong(
            rewritten(x, got, "scores", "targets"),
            self.kind(out, want, scores),
            self.size(out, want, len(scores)),
            self.number(out, want),
        )

    def number(self, out, want):
        """Say that the loss is another number, or none."""
        wrong = same_number(out, want)
        return with_hint(wrong, 2 if np.isfinite(out) else 1) if isinstance(out, float) else wrong

    def kind(self, out, want, scores):
        """Say that several losses came back where one number is wanted."""
        if not isinstance(out, np.ndarray) or not out.ndim:
            return None
        return Wrong(
            f"an array of shape {out.shape} came back; the loss of {scores.shape[0]} rows is one number, their mean",
            f"volvió un array de forma {out.shape}; la pérdida de {scores.shape[0]} filas es un solo número, su media",
            expected=want,
            got=out,
            hint=3 if out.shape == scores.shape[:1] else 2,
        )

    def size(self, out, want, rows):
        """Say what is wrong with the size or the sign of the loss as a whole."""
        if not isinstance(out, float) or not np.isfinite(out) or np.isclose(out, want):
            return None
        if want > 100 and 5 < out < want - 100:
            en = (
                "the loss stops growing. It does so where a probability is kept away from 0. The exact way takes no "
                "logarithm of a probability"
            )
            es = (
                "la pérdida deja de crecer. Eso pasa si se evita que una probabilidad llegue a 0. El camino exacto no "
                "toma el logaritmo de ninguna probabilidad"
            )
            return Wrong(en, es, expected=want, got=out, hint=1)
        if np.isclose(out, -want):
            return Wrong(
                "the loss has the right size and the wrong sign: log p is negative, the loss is -log p",
                "la pérdida tiene el tamaño correcto y el signo incorrecto: log p es negativo, la pérdida es -log p",
                expected=want,
                got=out,
                hint=2,
            )
        if rows > 1 and np.isclose(out, rows * want):
            return Wrong(
                f"the loss is {rows} times what it should be, and there are {rows} rows: a mean is a sum divided by N",
                f"la pérdida es {rows} veces lo que debería ser, y hay {rows} filas: una media es una suma entre N",
                expected=want,
                got=out,
                hint=3,
            )
        if out < 0:
            return Wrong(
                "the loss is negative: -log p never is, because a probability is at most 1",
                "la pérdida es negativa: -log p nunca lo es, porque una probabilidad es como mucho 1",
                expected=want,
                got=out,
                hint=2,
            )
        return None


@exercise("cross_entropy_vjp")
class CrossEntropyVjp:
    """As for cross_entropy, with an upstream gradient that is not 1; once it is an array of shape ()."""

    in_order = True

    def inputs(self, rng):
        upstream = [1.0, -2.0, 3.0, 2.0, 0.5, *(float(number) for number in drawn(rng, 5, away=3.0))]
        cases = [{"g": g} | case for g, case in zip(upstream, class_cases(rng), strict=True)]
        return [*cases, {"g": np.array(0.7)} | class_cases(rng)[4]]

    def line(self, x):
        return called("cross_entropy_vjp", x, "g", "scores", "targets")

    def observe(learner, x):
        given = {name: x[name].copy() for name in ("scores", "targets")}
        out = learner.cross_entropy_vjp(x["g"], given["scores"], given["targets"])
        return {"out": out, "after": {name: array.copy() for name, array in given.items()}}

    def judge(self, x, got):
        scores, targets, out = x["scores"], x["targets"], got["out"]
        chances = np.exp(scores - log_of_sum(scores, 1)[:, None])
        right = np.equal.outer(targets, np.arange(scores.shape[1]))
        want = float(x["g"]) * (chances - right) / len(scores)
        hints = {"shape": 2, "numbers": 2, "finite": 1, "sign": 1, "factor": 2, "zero": 1, "order": 3, "entry": 1}
        wrong = judged_array(out, want, ("the gradient of scores", "el gradiente de scores"), hints=hints)
        return first_wrong(rewritten(x, got, "scores", "targets"), self.balance(out, scores, wrong))

    def balance(self, out, scores, wrong):
        """Say beside a wrong entry what its row adds up to, where that is not 0."""
        if (
            wrong is None
            or not isinstance(out, np.ndarray)
            or out.shape != scores.shape
            or not np.all(np.isfinite(out))
        ):
            return wrong
        sums = out.sum(axis=1)
        row = int(np.argmax(np.abs(sums)))
        if wrong.hint != 1 or np.isclose(sums[row], 0.0, atol=1e-9):
            return wrong
        total = f"{sums[row]:.6g}"
        return Wrong(
            f"row {row} of the gradient adds up to {total}. It must add up to 0, since a shift of all scores of a row "
            "changes no loss",
            f"la fila {row} del gradiente suma {total}. Debe sumar 0, porque desplazar todas las puntuaciones de una "
            "fila no cambia la pérdida",
            expected=wrong.expected,
            got=wrong.got,
            hint=2,
        )
