"""How the answers of lesson 10 are judged: the rules of a matrix product, and of x @ x.T.

What is expected is worked out in another way than the solution does it: by einsum, letter by letter.
"""

import numpy as np

from minitorch.course.judging.arrays import between, called, rewritten
from minitorch.course.judging.checks import (
    Message,
    Wrong,
    exercise,
    first_wrong,
    judged_array,
)
from minitorch.course.sandbox.values import type_name

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
    a, b = between(rng, *a_shape), between(rng, *b_shape)
    return {"g": between(rng, *np.matmul(a, b).shape), "a": a, "b": b}


def observe_matmul(learner, x):
    """Call matmul_vjp on copies; what came back, and the copies after it."""
    import numpy as np

    given = {name: x[name].copy() for name in ("g", "a", "b")}
    out = learner.matmul_vjp(given["g"], given["a"], given["b"])
    if hasattr(out, "__next__"):
        out = list(out)  # a generator of two is as good as a pair
    if isinstance(out, (tuple, list)):
        out = [np.asarray(each) if isinstance(each, np.generic) else each for each in out]
    return {"out": out, "after": {name: array.copy() for name, array in given.items()}}


def observe_batched(learner, x):
    """Call batched_vjp on copies; what came back, and the copies after it."""
    import numpy as np

    given = {name: x[name].copy() for name in ("g", "a", "b")}
    out = learner.batched_vjp(given["g"], given["a"], given["b"])
    if hasattr(out, "__next__"):
        out = list(out)  # a generator of two is as good as a pair
    if isinstance(out, (tuple, list)):
        out = [np.asarray(each) if isinstance(each, np.generic) else each for each in out]
    return {"out": out, "after": {name: array.copy() for name, array in given.items()}}


SMALL = (
    {"g": np.array([[10.0]]), "a": np.array([[1.0, 2.0]]), "b": np.array([[3.0], [4.0]])},
    {"g": np.array([[1.0, 10.0]]), "a": np.array([[2.0]]), "b": np.array([[5.0, 7.0]])},
    {
        "g": np.array([[1.0, 10.0], [0.0, -1.0]]),
        "a": np.array([[1.0, 2.0], [3.0, 4.0]]),
        "b": np.array([[5.0, 6.0], [7.0, 8.0]]),
    },
)


class OfAProduct:
    """How a rule for a @ b is judged: a pair, the right way round, each of its operand's shape."""

    in_order = True
    name = ""
    pair = 4  # the hint that says what is returned

    def line(self, x):
        return called(self.name, x, "g", "a", "b")

    def judge(self, x, got):
        return first_wrong(rewritten(x, got["after"], "g", "a", "b"), *self.of_both(got["out"], x))

    def of_both(self, out, x):
        """What is wrong with what came back: not two things, or one of the two."""
        if not isinstance(out, list) or len(out) != 2:
            yield Wrong(
                "{name} must return two arrays, (a_grad, b_grad)",
                name=self.name,
                expected="(a_grad, b_grad)",
                got=Message("{out} things", out=len(out))
                if isinstance(out, list)
                else "None"
                if out is None
                else Message("one {out}", out=type_name(out)),
                hint=self.pair if out is not None else None,
            )
            return
        want = dict(zip("ab", matmul_gradients(x["g"], x["a"], x["b"]), strict=True))
        a, b = x["a"].shape, x["b"].shape
        if a != b and judged_array(out[0], want["b"]) is judged_array(out[1], want["a"]) is None:
            yield Wrong(
                "both gradients are right, but the pair is the wrong way round: a_grad comes first",
                expected=Message("shapes {a} and {b}", a=a, b=b),
                got=Message("shapes {b} and {a}", b=b, a=a),
                hint=self.pair,
            )
        yield from (self.of_one(name, grad, want[name], x) for name, grad in zip("ab", out, strict=True))


@exercise("matmul_vjp")
class MatmulVjp(OfAProduct):
    """Matrices with two axes: a row and a column, a square one, unequal sizes, no rows."""

    name = "matmul_vjp"
    observe = observe_matmul

    def inputs(self, rng):
        shapes = [((2, 3), (3, 4)), ((4, 3), (3, 2)), ((1, 3), (3, 2)), ((3, 3), (3, 3)), ((0, 2), (2, 3))]
        return [*SMALL, *(product_case(rng, *pair) for pair in shapes)]

    def of_one(self, name, grad, want, x):
        """What is wrong with one gradient."""
        hints = {"shape": 3, "numbers": 2, "sign": 1, "factor": 1, "zero": 1, "order": 2, "entry": 2, "none": 3}
        return judged_array(grad, want, f"{name}_grad", hints=hints)


@exercise("batched")
class Batched(OfAProduct):
    """Matrices of unequal sizes, a square one; batches: equal, missing, of size 1, on either side; no rows."""

    name = "batched_vjp"
    pair = 5
    observe = observe_batched

    def inputs(self, rng):
        return [
            *SMALL,
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

    def of_one(self, name, grad, want, x):
        """What is wrong with one gradient: the batch, its shape, a sign, a factor, or its numbers."""
        unsummed = x["g"].shape[:-2] + want.shape[-2:]
        if isinstance(grad, np.ndarray) and grad.shape == unsummed != want.shape:
            return Wrong(
                "{name}_grad has the shape {shape}, but {name} has the shape {shape2}: {name} was stretched",
                name=name,
                shape=grad.shape,
                shape2=want.shape,
                expected=want,
                got=grad,
                hint=4,
            )
        batch = 2 if x["g"].ndim == 2 else 3
        hints = {"shape": batch, "numbers": 2, "sign": 2, "factor": 2, "zero": 2, "order": 2, "entry": batch}
        return judged_array(grad, want, f"{name}_grad", hints=hints)


# --------------------------------------------------------------------------------------------- gram_vjp


@exercise("gram_vjp")
class GramVjp:
    """Few rows and many, one row, one column, a symmetric g, a square x, no rows."""

    in_order = True

    def inputs(self, rng):
        def case(n, k):
            return {"g": between(rng, n, n), "x": between(rng, n, k)}

        symmetric = between(rng, 3, 3)
        return [
            {"g": np.array([[1.0, 10.0], [0.0, 0.0]]), "x": np.array([[1.0], [2.0]])},
            {"g": np.array([[5.0]]), "x": np.array([[2.0, -1.0]])},
            case(2, 3),
            case(4, 2),
            case(3, 3),
            {"g": symmetric + symmetric.T, "x": between(rng, 3, 2)},
            case(0, 2),
        ]

    def line(self, x):
        return called("gram_vjp", x, "g", "x")

    def observe(learner, x):
        import numpy as np

        given = {name: x[name].copy() for name in ("g", "x")}
        out = learner.gram_vjp(given["g"], given["x"])
        out = np.asarray(out) if isinstance(out, np.generic) else out
        return {"out": out, "after": {name: array.copy() for name, array in given.items()}}

    def judge(self, x, got):
        want = np.einsum("ij,jk->ik", x["g"], x["x"]) + np.einsum("ji,jk->ik", x["g"], x["x"])
        hints = {"shape": 2, "numbers": 2, "sign": 1, "factor": 1, "zero": 1, "order": 3, "entry": 3, "none": 1}
        return first_wrong(rewritten(x, got["after"], "g", "x"), judged_array(got["out"], want, hints=hints))
