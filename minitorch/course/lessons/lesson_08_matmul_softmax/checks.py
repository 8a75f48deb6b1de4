"""How the answers of lesson 08 are judged.

What is expected is worked out in other ways than the solution does it: the product's gradients by einsum, letter by
letter, and everything with a logarithm in it by NumPy's logaddexp, which adds two numbers at a time.
"""

import numpy as np

from minitorch.course.judging.checks import Wrong, exercise, first_wrong, same_array, same_number


def drawn(rng, *shape, away=0.0):
    """Numbers between -2 and 2, rounded so that they can be read."""
    return np.round(rng.uniform(-2.0, 2.0, shape), 2) + away


def changed(got, names):
    """Say which of the learner's inputs was written into."""
    for name in names:
        if name in got["changed"]:
            return Wrong(
                f"your function changed the array {name} that it was given: work on a copy or a new array",
                f"tu función cambió el array {name} que recibió: trabaja con una copia o con un array nuevo",
                expected=f"{name} as it was",
                got=f"{name} changed",
                hint=None,
            )
    return None


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
    """Matrices of unequal sizes, a square one, no rows; batches: equal, missing, of size 1, on either side."""

    def inputs(self, rng):
        return [
            {"g": np.array([[10.0]]), "a": np.array([[1.0, 2.0]]), "b": np.array([[3.0], [4.0]])},
            {
                "g": np.array([[1.0, 10.0], [0.0, -1.0]]),
                "a": np.array([[1.0, 2.0], [3.0, 4.0]]),
                "b": np.array([[5.0, 6.0], [7.0, 8.0]]),
            },
            product_case(rng, (2, 3), (3, 4)),
            product_case(rng, (0, 2), (2, 3)),
            product_case(rng, (2, 2, 2), (2, 2)),
            product_case(rng, (2, 3, 4), (2, 4, 5)),
            product_case(rng, (2, 3, 4), (4, 5)),
            product_case(rng, (3, 4), (2, 4, 5)),
            product_case(rng, (1, 3, 4), (5, 4, 2)),
            product_case(rng, (3, 1, 2, 4), (5, 4, 6)),
        ]

    def observe(learner, x):
        import numpy as np

        given = {name: x[name].copy() for name in ("g", "a", "b")}
        out = learner.matmul_vjp(given["g"], given["a"], given["b"])
        return {
            "out": list(out) if type(out) in (list, tuple) else out,
            "changed": [name for name in given if not np.array_equal(given[name], x[name])],
        }

    def judge(self, x, got):
        out = got["out"]
        if not isinstance(out, list) or len(out) != 2:
            kind = f"{len(out)} things" if isinstance(out, list) else type(out).__name__
            return Wrong(
                "matmul_vjp must return two arrays, (a_grad, b_grad)",
                "matmul_vjp debe devolver dos arrays, (a_grad, b_grad)",
                expected="(a_grad, b_grad)",
                got=kind,
                hint=None,
            )
        a_grad, b_grad = matmul_gradients(x["g"], x["a"], x["b"])
        return first_wrong(
            changed(got, ("g", "a", "b")),
            self.parts(out[0], a_grad, x, "a"),
            self.parts(out[1], b_grad, x, "b"),
            same_array(out[0], a_grad, "a_grad", dtype=np.float64),
            same_array(out[1], b_grad, "b_grad", dtype=np.float64),
        )

    def parts(self, grad, want, x, name):
        """Say that a gradient still holds one part for each matrix of the batch, where its operand was stretched."""
        unsummed = x["g"].shape[:-2] + want.shape[-2:]
        if not isinstance(grad, np.ndarray) or grad.shape != unsummed or unsummed == want.shape:
            return None
        return Wrong(
            f"{name}_grad has the shape {grad.shape}, but {name} has the shape {want.shape}: {name} was stretched",
            f"{name}_grad tiene la forma {grad.shape}, pero {name} tiene la forma {want.shape}: {name} se estiró",
            expected=want,
            got=grad,
            hint=4,
        )


# ---------------------------------------------------------------------------------- softmax, logsumexp


def log_of_sum(x, axis):
    """Log(sum(exp(x))) along an axis, two numbers at a time: no power of a large number is ever taken."""
    return np.logaddexp.reduce(x, axis=axis)


def along_cases(rng):
    """Arrays and axes: small, then numbers too large for exp, then rows far apart, then more axes."""
    rows = np.array([[0.0, 1.0], [2.0, 0.0]])
    far_apart = np.array([[1000.0, 1001.0, 1002.0], [0.0, 1.0, 2.5], [-1002.0, -1000.0, -1001.0], [3.0, 1.0, 4.0]])
    return [
        {"x": np.array([0.0, 1.0]), "axis": 0},
        {"x": rows, "axis": 1},
        {"x": rows, "axis": 0},
        {"x": np.array([1000.0, 1001.0]), "axis": 0},
        {"x": np.array([-1001.0, -1000.0]), "axis": 0},
        {"x": np.array([5.0]), "axis": 0},
        {"x": np.array([-800.0, 0.0, 800.0]), "axis": 0},
        {"x": np.array([-20000.0, 0.0, 20000.0]), "axis": 0},
        {"x": np.array([[2.0, 0.0, 1.0]]), "axis": 1},
        {"x": far_apart, "axis": 1},
        {"x": far_apart.T.copy(), "axis": 0},
        {"x": drawn(rng, 2, 1, 3), "axis": -1},
        {"x": drawn(rng, 2, 3, 4), "axis": 1},
        {"x": drawn(rng, 3, 2, 4), "axis": -3},
    ]


@exercise("softmax")
class Softmax:
    """Along every axis, for small numbers, for numbers that overflow, and for rows that are far apart."""

    def inputs(self, rng):
        return along_cases(rng)

    def observe(learner, x):
        import numpy as np

        given = x["x"].copy()
        out = learner.softmax(given, x["axis"])
        return {"out": out, "changed": [] if np.array_equal(given, x["x"]) else ["x"]}

    def judge(self, x, got):
        want = np.exp(x["x"] - np.expand_dims(log_of_sum(x["x"], x["axis"]), x["axis"]))
        return first_wrong(
            changed(got, ("x",)),
            self.sums(got["out"], x),
            same_array(got["out"], want, dtype=np.float64, rtol=1e-9),
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
            expected=np.ones(found.shape),
            got=np.asarray(found),
        )


@exercise("logsumexp")
class LogSumExp:
    """Along every axis, for small numbers, for numbers that overflow, and for rows that are far apart."""

    def inputs(self, rng):
        return along_cases(rng)

    def observe(learner, x):
        import numpy as np

        given = x["x"].copy()
        out = learner.logsumexp(given, x["axis"])
        if isinstance(out, (float, np.floating)):  # one number, however it is held
            out = np.asarray(out, dtype=np.float64)
        return {"out": out, "changed": [] if np.array_equal(given, x["x"]) else ["x"]}

    def judge(self, x, got):
        want = log_of_sum(x["x"], x["axis"])
        return first_wrong(
            changed(got, ("x",)),
            self.bounds(got["out"], x),
            same_array(got["out"], want, dtype=np.float64, rtol=1e-9),
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
    """Scores and targets: one row, as many rows as classes, repeated targets, confident and wrong."""
    return [
        {"scores": np.array([[0.0, 1.0]]), "targets": np.array([0])},
        {"scores": np.array([[0.0, 1.0]]), "targets": np.array([1])},
        {"scores": np.array([[1.0, 0.0], [0.0, 3.0]]), "targets": np.array([1, 1])},
        {"scores": np.array([[0.0, 1000.0]]), "targets": np.array([0])},
        {"scores": np.array([[1000.0, 1001.0], [-1000.0, -1002.0]]), "targets": np.array([1, 0])},
        {"scores": drawn(rng, 3, 3), "targets": np.array([2, 0, 2])},
        {"scores": drawn(rng, 2, 4), "targets": rng.permutation(4)[:2]},
        {"scores": drawn(rng, 5, 3), "targets": np.array([1, 2, 0, 2, 2])},
        {"scores": drawn(rng, 4, 3) + np.array([[0.0], [900.0], [-900.0], [40.0]]), "targets": np.array([0, 2, 1, 1])},
    ]


@exercise("cross_entropy")
class CrossEntropy:
    """One row, several rows, more classes than rows, scores that overflow, a target whose probability rounds to 0."""

    def inputs(self, rng):
        return class_cases(rng)

    def observe(learner, x):
        import numpy as np

        given = {name: x[name].copy() for name in ("scores", "targets")}
        out = learner.cross_entropy(given["scores"], given["targets"])
        if isinstance(out, np.floating) or (isinstance(out, np.ndarray) and out.shape == ()):
            out = float(out)
        return {"out": out, "changed": [name for name in given if not np.array_equal(given[name], x[name])]}

    def judge(self, x, got):
        scores, targets = x["scores"], x["targets"]
        picked = np.take_along_axis(scores, targets[:, None], 1)[:, 0]
        want = float(np.average(log_of_sum(scores, 1) - picked))
        if want > 100 and isinstance(got["out"], float) and 5 < got["out"] < want - 100:
            return Wrong(
                "the loss stops growing: a probability that rounds to 0 was kept away from 0. The exact way takes no "
                "logarithm of a probability",
                "la pérdida deja de crecer: se evitó que una probabilidad se redondeara a 0. El camino exacto no toma "
                "el logaritmo de ninguna probabilidad",
                expected=want,
                got=got["out"],
            )
        return first_wrong(changed(got, ("scores", "targets")), same_number(got["out"], want))


@exercise("cross_entropy_vjp")
class CrossEntropyVjp:
    """As for cross_entropy, with an upstream gradient that is not 1; once it is an array of shape ()."""

    def inputs(self, rng):
        upstream = [1.0, -2.0, 3.0, 0.5, *(float(number) for number in drawn(rng, 4, away=3.0))]
        cases = [{"g": g} | case for g, case in zip(upstream, class_cases(rng))]
        return [*cases, {"g": np.array(0.7)} | class_cases(rng)[-1]]

    def observe(learner, x):
        import numpy as np

        given = {name: x[name].copy() for name in ("scores", "targets")}
        out = learner.cross_entropy_vjp(x["g"], given["scores"], given["targets"])
        return {"out": out, "changed": [name for name in given if not np.array_equal(given[name], x[name])]}

    def judge(self, x, got):
        scores, targets = x["scores"], x["targets"]
        chances = np.exp(scores - log_of_sum(scores, 1)[:, None])
        right = np.equal.outer(targets, np.arange(scores.shape[1]))
        want = float(x["g"]) * (chances - right) / len(scores)
        return first_wrong(
            changed(got, ("scores", "targets")),
            self.balance(got["out"], scores),
            same_array(got["out"], want, dtype=np.float64),
        )

    def balance(self, out, scores):
        """Say that a row of the gradient does not add up to 0, where it has the right shape."""
        if not isinstance(out, np.ndarray) or out.shape != scores.shape or not np.all(np.isfinite(out)):
            return None
        sums = out.sum(axis=1)
        if np.allclose(sums, 0.0, rtol=0, atol=1e-9):
            return None
        return Wrong(
            "the rows of the gradient do not add up to 0: a shift of all scores of a row changes no loss",
            "las filas del gradiente no suman 0: desplazar todas las puntuaciones de una fila no cambia la pérdida",
            expected=np.zeros(len(scores)),
            got=sums,
        )
