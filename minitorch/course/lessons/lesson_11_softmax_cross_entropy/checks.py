"""How the answers of lesson 11 are judged.

What is expected is worked out in other ways than the solution does it: everything with a logarithm in it by
NumPy's logaddexp, which adds two numbers at a time.
"""

import numpy as np

from minitorch.course.judging.arrays import between, called, rewritten
from minitorch.course.judging.checks import (
    Message,
    Wrong,
    as_python,
    exercise,
    first_wrong,
    judged_array,
    same_number,
    with_hint,
)

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
        {"x": between(rng, 2, 1, 3), "axis": -1},
        {"x": between(rng, 2, 3, 4), "axis": 1},
        {"x": between(rng, 3, 2, 4), "axis": -3},
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
            rewritten(x, got["after"], "x"),
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
        ones, sums = [1.0] * found.size, [float(f"{each:.12g}") for each in np.ravel(found)]
        return Wrong(
            "along axis {axis} the numbers do not add up to 1",
            axis=x["axis"],
            expected=Message("sums of {ones}", ones=ones),
            got=Message("sums of {sums}", sums=sums)
            if found.size <= 4
            else Message("{size} sums, first {flat}", size=found.size, flat=f"{found.flat[0]:.6g}"),
            hint=1,
        )


@exercise("softmax_vjp")
class SoftmaxVjp:
    """One row; rows and columns that must not mix; three axes; upstream numbers of both signs; large scores."""

    in_order = True

    def inputs(self, rng):
        rows, square = np.array([[0.0, 1.0, 2.0], [1.0, 1.0, 0.0]]), np.array([[0.0, 1.0], [2.0, 0.0]])
        return [
            {"g": np.array([1.0, 0.0]), "x": np.array([0.0, 1.0]), "axis": 0},
            {"g": np.array([1.0, -2.0, 3.0]), "x": np.array([0.0, 1.0, 2.0]), "axis": 0},
            {"g": np.array([[1.0, 0.0, -1.0], [2.0, 5.0, 0.0]]), "x": rows, "axis": 1},
            {"g": np.array([[1.0, -3.0], [2.0, 4.0]]), "x": square, "axis": 1},
            {"g": np.array([[1.0, -3.0], [2.0, 4.0]]), "x": square, "axis": 0},
            {"g": between(rng, 2, 3, 4), "x": between(rng, 2, 3, 4), "axis": 1},
            {"g": between(rng, 2, 3, 4), "x": between(rng, 2, 3, 4), "axis": -1},
            {"g": between(rng, 3, 2, 4), "x": between(rng, 3, 2, 4), "axis": -3},
            {"g": np.array([[2.0, 2.0, 2.0]]), "x": np.array([[0.0, 1.0, 3.0]]), "axis": 1},
            {"g": np.array([2.0, -1.0]), "x": np.array([1000.0, 1001.0]), "axis": 0},
            {"g": between(rng, 2, 3), "x": np.array([[900.0, 901.0, 900.0], [-900.0, -900.0, -902.0]]), "axis": 1},
            {"g": np.array([3.0]), "x": np.array([5.0]), "axis": 0},
            {"g": between(rng, 3, 1), "x": between(rng, 3, 1), "axis": 1},
        ]

    def line(self, x):
        return f"m.softmax_vjp({as_python(x['g'])}, {as_python(x['x'])}, {x['axis']})"

    def observe(learner, x):
        given = {name: x[name].copy() for name in ("g", "x")}
        out = learner.softmax_vjp(given["g"], given["x"], x["axis"])
        return {"out": out, "after": {name: array.copy() for name, array in given.items()}}

    def judge(self, x, got):
        p = np.exp(x["x"] - np.expand_dims(log_of_sum(x["x"], x["axis"]), x["axis"]))
        last = np.moveaxis(p, x["axis"], -1)
        table = last[..., :, None] * (np.eye(last.shape[-1]) - last[..., None, :])  # d p[k] / d x[j], in full
        want = np.moveaxis(np.einsum("...k,...kj->...j", np.moveaxis(x["g"], x["axis"], -1), table), -1, x["axis"])
        hints = {"shape": 3, "numbers": 3, "finite": 1, "sign": 2, "factor": 2, "zero": 1, "order": 3, "entry": 2}
        return first_wrong(
            rewritten(x, got["after"], "g", "x"),
            self.shift(got["out"], want, x),
            judged_array(got["out"], want, Message("the gradient of x"), hints=hints, rtol=1e-9),
        )

    def shift(self, out, want, x):
        """Say that the gradient does not add up to 0 along axis, where there are numbers in the right shape."""
        if not isinstance(out, np.ndarray) or out.shape != want.shape or not np.all(np.isfinite(out)):
            return None
        sums = np.ravel(out.sum(axis=x["axis"]))
        found = float(sums[np.argmax(np.abs(sums))])
        if abs(found) < 1e-9:
            return None
        return Wrong(
            "along axis {axis} the gradient adds up to {found}, not to 0. It must, since the same "
            "number added to all scores changes no probability",
            axis=x["axis"],
            found=f"{found:.6g}",
            expected=want,
            got=out,
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
            rewritten(x, got["after"], "x"),
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
                expected=np.asarray(log_of_sum(x["x"], x["axis"])),
                got=out,
                hint=2,
            )
        if np.any(out > largest + np.log(x["x"].shape[x["axis"]]) + 1e-9):
            return Wrong(
                "a result is too large: n powers, none above that of the largest number, add at most log(n) to it",
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
        {"scores": between(rng, 3, 3), "targets": np.array([2, 0, 2])},
        {"scores": between(rng, 2, 4), "targets": rng.permutation(4)[:2]},
        {"scores": between(rng, 5, 3), "targets": np.array([1, 2, 0, 2, 2])},
        {"scores": np.array([[0.0, 1000.0]]), "targets": np.array([0])},
        {"scores": np.array([[1000.0, 1001.0], [-1000.0, -1002.0]]), "targets": np.array([1, 0])},
        {
            "scores": between(rng, 4, 3) + np.array([[0.0], [900.0], [-900.0], [40.0]]),
            "targets": np.array([0, 2, 1, 1]),
        },
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
            rewritten(x, got["after"], "scores", "targets"),
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
            "an array of shape {shape} came back; the loss of {shape2} rows is one number, their mean",
            shape=out.shape,
            shape2=scores.shape[0],
            expected=want,
            got=out,
            hint=3 if out.shape == scores.shape[:1] else 2,
        )

    def size(self, out, want, rows):
        """Say what is wrong with the size or the sign of the loss as a whole."""
        if not isinstance(out, float) or not np.isfinite(out) or np.isclose(out, want):
            return None
        if want > 100 and 5 < out < want - 100:
            return Wrong(
                "the loss stops growing. It does so where a probability is kept away from 0. The "
                "exact way takes no logarithm of a probability",
                expected=want,
                got=out,
                hint=1,
            )
        if np.isclose(out, -want):
            return Wrong(
                "the loss has the right size and the wrong sign: log p is negative, the loss is -log p",
                expected=want,
                got=out,
                hint=2,
            )
        if rows > 1 and np.isclose(out, rows * want):
            return Wrong(
                "the loss is {rows} times what it should be, and there are {rows} rows: a mean is a sum divided by N",
                rows=rows,
                expected=want,
                got=out,
                hint=3,
            )
        if out < 0:
            return Wrong(
                "the loss is negative: -log p never is, because a probability is at most 1",
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
        upstream = [1.0, -2.0, 3.0, 2.0, 0.5, *(float(number) for number in between(rng, 5, away=3.0))]
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
        wrong = judged_array(out, want, Message("the gradient of scores"), hints=hints)
        return first_wrong(rewritten(x, got["after"], "scores", "targets"), self.balance(out, scores, wrong))

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
            "row {row} of the gradient adds up to {total}. It must add up to 0, since a shift of "
            "all scores of a row changes no loss",
            row=row,
            total=total,
            expected=wrong.expected,
            got=wrong.got,
            hint=2,
        )
