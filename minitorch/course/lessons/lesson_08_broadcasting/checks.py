"""How the answers of lesson 08 are judged.

The judges know no rule. A gradient that is summed back is worked out entry by entry, from the place that each copy came
from. The gradients of a rule are slopes of the number `sum(g * result)`, taken with a step in the imaginary direction
(the complex-step derivative of Squire and Trapp, 1998), which has no rounding error to speak of.
"""

import operator

import numpy as np

from minitorch.course.judging.arrays import called, rewritten
from minitorch.course.judging.checks import Message, Wrong, as_python, drawn, exercise, first_wrong, judged_array
from minitorch.course.sandbox.values import type_name

SIGNS = {"+": operator.add, "*": operator.mul, "/": operator.truediv}
TINY = 1e-20


def observe_sum(learner, x):
    """Call unbroadcast: its result, whether that is a NumPy number, and the gradient after the call.

    Where the gradient is a single number already, nothing is summed, and a number that came as one does no harm.
    """
    import numpy as np

    gradient = x["gradient"].copy()
    result = learner.unbroadcast(gradient, tuple(x["shape"]))
    number = isinstance(result, np.generic)
    return {
        "result": np.asarray(result) if number else result,
        "number": number and gradient.ndim > 0,
        "after": gradient.copy(),
    }


def observe_pair(learner, x):
    """Call the rule that the case's code names: what it returned, and its arrays after the call."""
    import numpy as np

    given = {name: x[name].copy() for name in ("g", "mask", "a", "b") if name in x}
    out = getattr(learner, x["code"].partition("(")[0])(*given.values())
    if hasattr(out, "__next__"):
        out = list(out)  # a generator of two is as good as a pair
    if isinstance(out, (tuple, list)):  # NumPy's arithmetic makes numbers of arrays of shape (): here they are as good
        out = [np.asarray(each) if isinstance(each, np.generic) else each for each in out]
    elif isinstance(out, np.generic):
        out = np.asarray(out)
    return {"out": out, "after": {name: array.copy() for name, array in given.items()}}


def summed_back(gradient, shape):
    """The sum over all copies: each entry of the gradient goes to the place that it was copied from."""
    added = gradient.ndim - len(shape)
    total = np.zeros(shape)
    for place in np.ndindex(gradient.shape):
        source = tuple(0 if size == 1 else index for index, size in zip(place[added:], shape, strict=True))
        total[source] += gradient[place]
    return total


def slopes(operation, x):
    """How fast sum(g * operation(a, b)) grows with each entry of a and of b."""
    found = {}
    for name in ("a", "b"):
        found[name] = np.zeros(x[name].shape)
        for place in np.ndindex(x[name].shape):
            moved = {each: x[each].astype(complex) for each in ("a", "b")}
            moved[name][place] += TINY * 1j
            total = np.sum(x["g"] * operation(moved["a"], moved["b"]))
            found[name][place] = total.imag / TINY
    return found


def counting(shape):
    """1, 2, 3, ... in that shape."""
    return np.arange(1.0, np.prod(shape, dtype=int) + 1).reshape(shape)


@exercise("unbroadcast")
class UnbroadcastCheck:
    """Axes of size 1, missing axes, both, neither; square arrays, axes of size 0, one number."""

    def inputs(self, rng):
        small = [
            ((2,), (1,)),
            ((2, 2), (2,)),
            ((2, 3), (3,)),
            ((2, 3), (2, 1)),
            ((2, 3), (1, 3)),
            ((2, 3), (2, 3)),
            ((2, 2), (1, 1)),
            ((2, 4), ()),
        ]
        large = [
            ((1, 4), (4,)),
            ((4, 1), (1,)),
            ((3, 3), (1, 3)),
            ((3, 3), (3, 1)),
            ((4, 2, 3), (3,)),
            ((4, 2, 3), (2, 1)),
            ((4, 2, 3), (4, 1, 3)),
            ((2, 4, 1, 3), (4, 1, 1)),
            ((3, 2, 2, 2), (2,)),
        ]
        empty = [((0, 3), (3,)), ((0, 3), (1, 3)), ((2, 0), (1, 0))]
        return [
            *({"gradient": counting(size), "shape": shape} for size, shape in small),
            *({"gradient": drawn(rng, *size), "shape": shape} for size, shape in large),
            {"gradient": np.array(3.0), "shape": ()},
            *({"gradient": np.zeros(size), "shape": shape} for size, shape in empty),
        ]

    observe = observe_sum
    in_order = True
    hints = {"shape": 3, "numbers": 3, "factor": 1, "order": 2}

    def line(self, x):
        return f"m.unbroadcast({as_python(x['gradient'])}, {x['shape']})"

    def judge(self, x, got):
        gradient, shape, result = x["gradient"], x["shape"], got["result"]
        return first_wrong(
            rewritten(x, {"gradient": got["after"]}, "gradient"),
            self.unchanged(result, gradient, shape),
            judged_array(
                result, summed_back(gradient, shape), hints={**self.hints, "entry": 1 if np.prod(shape) == 1 else 2}
            ),
            self.number(got, gradient, shape),
        )

    def unchanged(self, result, gradient, shape):
        """Say that the gradient came back as it was, where it should have lost something."""
        if not isinstance(result, np.ndarray) or gradient.shape == shape or not np.array_equal(result, gradient):
            return None
        return Wrong(
            "the result is the gradient as it came, of shape {shape}: nothing was summed",
            shape=gradient.shape,
            expected=summed_back(gradient, shape),
            got=result,
            hint=1,
        )

    def number(self, got, gradient, shape):
        """Say that the sum is right, but no array."""
        if got["number"] is False:
            return None
        return Wrong(
            "the value is right, but the result is a NumPy number, not an array of shape {shape}",
            shape=shape,
            expected=summed_back(gradient, shape),
            got="<numpy.float64>",
            hint=4,
        )


def both_shapes(first, second):
    """Two shapes, in words."""
    return Message("shapes {shape} and {shape2}", shape=first.shape, shape2=second.shape)


def beside(wrong_one, right_one, wrong):
    """The same finding, with the remark that the other gradient is right."""
    return wrong and Wrong(
        "{right} is right here, {wrong} is not: {why}",
        right=right_one,
        wrong=wrong_one,
        why=wrong.reason,
        expected=wrong.expected,
        got=wrong.got,
        hint=wrong.hint,
    )


class Pair:
    """What the checks of the three rules share."""

    in_order = True

    def inputs(self, rng):
        two = np.array([2.0, 3.0]), np.array([5.0, -2.0]), np.array([1.0, 10.0])
        number = np.array([3.0, -4.0, 1.0]), np.array(2.0), np.array([1.0, 10.0, 2.0])
        left = np.array(4.0), np.array([2.0, -5.0, 1.0]), np.array([1.0, 10.0, 2.0])
        bias = np.array([[1.0, -2.0], [0.0, 4.0]]), np.array([2.0, 5.0]), np.array([[1.0, 2.0], [3.0, 10.0]])
        none = np.array(3.0), np.array(2.0), np.array(10.0)
        shapes = [
            ((3,), (2, 3)),
            ((2, 1), (3,)),
            ((2, 3), (2, 3)),
            ((3, 3), (3,)),
            ((3, 3), (3, 1)),
            ((1, 3), (4, 1)),
            ((4,), (1, 1)),
            ((4, 1, 3), (2, 1)),
            ((2, 3), (4, 1, 1)),
        ]
        drawings = [(drawn(rng, *a), drawn(rng, *b), drawn(rng, *np.broadcast_shapes(a, b))) for a, b in shapes]
        empty = np.zeros((0, 8)), drawn(rng, 8), np.zeros((0, 8))
        return [
            {"code": f"{self.name}(g, a, b)", "g": g, "a": a, "b": b}
            for a, b, g in [two, number, left, bias, *drawings, none, empty]
        ]

    def line(self, x):
        return called(self.name, x, "g", "a", "b")

    def operation(self, x):
        """What the rule is the way back of, a function of a and b."""
        return SIGNS[self.sign]

    def judge(self, x, got):
        out, want = got["out"], slopes(self.operation(x), x)
        return first_wrong(
            rewritten(x, got["after"], *got["after"]),
            self.not_two(out),
            *self.of_both(out, want, x),
        )

    def not_two(self, out):
        """Say that something else came back than two things."""
        if isinstance(out, list) and len(out) == 2:
            return None
        if out is None:
            return Wrong(
                "{name} returned None: is a `return` missing?", name=self.name, expected="(a_grad, b_grad)", got="None"
            )
        return Wrong(
            "{name} must return two arrays, one gradient for each operand",
            name=self.name,
            expected="(a_grad, b_grad)",
            got=Message("{out} things", out=len(out))
            if isinstance(out, list)
            else Message("one {out}", out=type_name(out)),
            hint=3,
        )

    def of_both(self, out, want, x):
        """What is wrong with the two gradients, if two came back."""
        if not isinstance(out, list) or len(out) != 2:
            return []
        swapped = [judged_array(out[0], want["b"]), judged_array(out[1], want["a"])]
        if swapped == [None, None] and x["a"].shape != x["b"].shape:
            return [
                Wrong(
                    "both gradients are right, but the pair is the wrong way round: a_grad comes first",
                    expected=both_shapes(x["a"], x["b"]),
                    got=both_shapes(x["b"], x["a"]),
                    hint=3,
                )
            ]
        a_wrong, b_wrong = (self.of_one(side, grad, want, x) for side, grad in zip("ab", out, strict=True))
        return [a_wrong if b_wrong else beside("a_grad", "b_grad", a_wrong), beside("b_grad", "a_grad", b_wrong)]

    def of_one(self, side, grad, want, x):
        """What is wrong with one gradient: its shape, a sign, a factor, or its numbers."""
        stretched = x[side].shape != x["g"].shape
        if isinstance(grad, np.ndarray) and stretched and grad.shape == x["g"].shape:
            return Wrong(
                "{side}_grad has the shape of g, {shape}, but {side} has the shape {shape2}: sum it back",
                side=side,
                shape=grad.shape,
                shape2=x[side].shape,
                expected=want[side],
                got=grad,
                hint=self.sums,
            )
        numbers = self.sums if stretched else self.local
        hints = {"shape": self.sums, "numbers": self.sums, "sign": self.local, "factor": self.local}
        return judged_array(grad, want[side], f"{side}_grad", hints={**hints, "order": numbers, "entry": numbers})


@exercise("add_vjp")
class AddVjp(Pair):
    """Both gradients of a + b: stretched on one side, on both, on none."""

    name, sign, local, sums = "add_vjp", "+", 1, 2
    observe = observe_pair


@exercise("mul_vjp")
class MulVjp(Pair):
    """Both gradients of a * b: stretched on one side, on both, on none."""

    name, sign, local, sums = "mul_vjp", "*", 1, 2
    observe = observe_pair


@exercise("div_vjp")
class DivVjp(Pair):
    """Both gradients of a / b: stretched on one side, on both, on none."""

    name, sign, local, sums = "div_vjp", "/", 2, 3
    observe = observe_pair


@exercise("where_vjp")
class WhereVjp(Pair):
    """Both gradients of np.where(mask, a, b): the mask stretched, one operand, both, none."""

    name, local, sums = "where_vjp", 2, 3
    observe = observe_pair

    def operation(self, x):
        return lambda a, b: np.where(x["mask"], a, b)

    def inputs(self, rng):
        yes, no = True, False
        gentle = [
            ([yes, no], [2.0, 3.0], [5.0, -2.0], [1.0, 10.0]),
            ([yes, no, yes], [3.0, -4.0, 1.0], 2.0, [1.0, 10.0, 2.0]),
            ([yes, no, no], 4.0, [2.0, -5.0, 1.0], [1.0, 10.0, 2.0]),
            ([[yes, yes], [no, yes]], [[1.0, -2.0], [0.0, 4.0]], [2.0, 5.0], [[1.0, 2.0], [3.0, 10.0]]),
            ([yes, no], [[1.0, -2.0], [0.0, 4.0]], [[6.0, 5.0], [0.0, 7.0]], [[1.0, 2.0], [3.0, 10.0]]),
        ]
        shapes = [
            ((2, 3), (3,), (2, 3)),
            ((2, 3), (2, 1), (3,)),
            ((2, 1), (2, 3), (2, 3)),
            ((3, 3), (3, 3), (3, 1)),
            ((4, 1), (1, 3), (4, 1)),
            ((4, 1, 1), (3,), (2, 1)),
            ((2, 3), (), (1,)),
        ]
        cases = [[np.array(each) for each in case] for case in gentle]
        for mask, a, b in shapes:
            chosen = np.arange(np.prod(mask)).reshape(mask) % 3 != 1
            result = np.broadcast_shapes(mask, a, b)
            cases.append([chosen, drawn(rng, *a), drawn(rng, *b), drawn(rng, *result)])
        one = np.array(3.0), np.array(2.0), np.array(10.0)
        cases += [[np.array(True), *one], [np.array(False), *one]]
        cases.append([np.zeros((0, 8), bool), np.zeros((0, 8)), drawn(rng, 8), np.zeros((0, 8))])
        return [{"code": "where_vjp(g, mask, a, b)", "g": g, "mask": mask, "a": a, "b": b} for mask, a, b, g in cases]

    def line(self, x):
        return called("where_vjp", x, "g", "mask", "a", "b")
