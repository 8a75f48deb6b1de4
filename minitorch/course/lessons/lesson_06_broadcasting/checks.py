"""How the answers of lesson 06 are judged.

The judges know no rule. A gradient that is summed back is worked out entry by entry, from the place that each copy came
from. The gradients of a rule are slopes of the number `sum(g * result)`, taken with a step in the imaginary direction
(the complex-step derivative of Squire and Trapp, 1998), which has no rounding error to speak of.
"""

import operator

import numpy as np

from minitorch.course.judging.checks import Wrong, drawn, exercise, first_wrong, same_array
from minitorch.course.sandbox.values import type_name

SIGNS = {"+": operator.add, "*": operator.mul, "/": operator.truediv}
TINY = 1e-20


def observe_sum(learner, x):
    """Call unbroadcast; say whether it changed the gradient that it was given."""
    import numpy as np

    gradient = x["gradient"].copy()
    result = learner.unbroadcast(gradient, tuple(x["shape"]))
    if gradient.ndim == 0 and isinstance(result, np.generic):
        result = np.asarray(result)  # nothing was summed: a NumPy number that came in as one does no harm
    return {"result": result, "changed": not np.array_equal(gradient, x["gradient"])}


def observe_pair(learner, x):
    """Call the rule for the operation in the case's code; say which of its three arrays it changed."""
    import numpy as np

    sign = x["code"].partition(") ")[2][0]
    rule = getattr(learner, {"+": "add_vjp", "*": "mul_vjp", "/": "div_vjp"}[sign])
    given = {name: x[name].copy() for name in ("g", "a", "b")}
    pair = rule(given["g"], given["a"], given["b"])
    changed = [name for name, array in given.items() if not np.array_equal(array, x[name])]
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        kind = "one array" if isinstance(pair, (np.ndarray, np.generic)) else type(pair).__name__
        return {"no pair": kind, "changed": changed}
    # NumPy's arithmetic makes numbers of arrays of shape (): here they are as good
    pair = [np.asarray(each) if isinstance(each, np.generic) else each for each in pair]
    return {"a_grad": pair[0], "b_grad": pair[1], "changed": changed}


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
    """Missing axes, axes of size 1, both, neither; one number, square arrays, axes of size 0."""

    def inputs(self, rng):
        small = [
            ((2, 2), (2,)),
            ((2, 3), (3,)),
            ((2, 3), (2, 1)),
            ((2, 3), (1, 3)),
            ((2, 3), (2, 3)),
            ((2, 3), ()),
            ((3,), (1,)),
            ((2, 2), (1, 1)),
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
            *({"shape": shape, "gradient": counting(size)} for size, shape in small),
            *({"shape": shape, "gradient": drawn(rng, *size)} for size, shape in large),
            {"shape": (), "gradient": np.array(3.0), "code": "a single number: gradient = np.array(3.0)"},
            *(
                {"shape": shape, "gradient": np.zeros(size), "code": f"an axis of size 0: gradient = np.zeros({size})"}
                for size, shape in empty
            ),
        ]

    observe = observe_sum

    def judge(self, x, got):
        result, gradient, shape = got["result"], x["gradient"], x["shape"]
        if got["changed"] is not False:
            return Wrong(
                "unbroadcast changed the gradient that it was given: others still need it",
                "unbroadcast cambió el gradiente que recibió: otros aún lo necesitan",
                hint=None,
            )
        want = summed_back(gradient, shape)
        if type_name(result).startswith("numpy.float"):
            return Wrong(
                f"the result is a NumPy number, not an array of shape {shape}: sum gives one where no axis is left",
                f"el resultado es un número de NumPy, no un array de forma {shape}: sum lo da si no queda ningún eje",
                expected=want,
                got=f"<{type_name(result)}>",
                hint=3 if shape else 4,
            )
        if isinstance(result, np.ndarray) and result.shape == gradient.shape != shape:
            return Wrong(
                f"the result still has the shape of the gradient, {gradient.shape}: nothing was summed",
                f"el resultado todavía tiene la forma del gradiente, {gradient.shape}: no se sumó nada",
                expected=want,
                got=result,
            )
        return same_array(result, want, dtype=np.float64)


class Pair:
    """What the checks of the three rules share."""

    def inputs(self, rng):
        two = np.array([2.0, 3.0]), np.array([5.0, -1.0]), np.array([1.0, 10.0])
        bias = np.array([[1.0, -2.0], [0.0, 4.0]]), np.array([2.0, 5.0]), np.array([[1.0, 2.0], [3.0, 10.0]])
        number = np.array([3.0, -4.0]), np.array(2.0), np.array([1.0, 10.0])
        left = np.array(4.0), np.array([2.0, -5.0]), np.array([1.0, 10.0])
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
            ((0, 8), (8,)),
        ]
        drawings = [(drawn(rng, *a), drawn(rng, *b), drawn(rng, *np.broadcast_shapes(a, b))) for a, b in shapes]
        return [
            {"code": f"a {a.shape} {self.sign} b {b.shape}", "g": g, "a": a, "b": b}
            for a, b, g in [none, two, bias, number, left, *drawings]
        ]

    def judge(self, x, got):
        if got["changed"]:
            names = ", ".join(map(str, got["changed"]))
            return Wrong(
                f"{self.name} changed an array that it was given: {names}. `+=`, `*=`, `/=` write into the array",
                f"{self.name} cambió un array que recibió: {names}. `+=`, `*=` y `/=` escriben en el propio array",
                hint=None,
            )
        if got.get("no pair") == "NoneType":
            return Wrong(
                f"{self.name} returned None: is a `return` missing?",
                f"{self.name} devolvió None: ¿falta un `return`?",
                expected="(a_grad, b_grad)",
                got="None",
                hint=None,
            )
        if "no pair" in got:
            return Wrong(
                f"{self.name} must return two arrays: return a_grad, b_grad",
                f"{self.name} debe devolver dos arrays: return a_grad, b_grad",
                expected="(a_grad, b_grad)",
                got=got["no pair"],
                hint=None,
            )
        want = slopes(SIGNS[self.sign], x)
        swapped = [same_array(got[f"{side}_grad"], want[other]) for side, other in ("ab", "ba")]
        if swapped == [None, None] and x["a"].shape != x["b"].shape:
            return Wrong(
                "a_grad has the shape of b, and b_grad the shape of a: the pair is the wrong way round",
                "a_grad tiene la forma de b, y b_grad la de a: el par está al revés",
                hint=None,
            )
        wrong_shapes = [self.shape_of(side, x, got[f"{side}_grad"], want[side]) for side in ("a", "b")]
        return first_wrong(
            *wrong_shapes,
            same_array(got["a_grad"], want["a"], "a_grad", dtype=np.float64),
            same_array(got["b_grad"], want["b"], "b_grad", dtype=np.float64),
        )

    def shape_of(self, side, x, grad, want):
        """Say when a gradient has the shape of the result instead of its operand's."""
        if not isinstance(grad, np.ndarray) or grad.shape == x[side].shape or grad.shape != x["g"].shape:
            return None
        return Wrong(
            f"{side}_grad has the shape of g, {grad.shape}, but {side} has the shape {x[side].shape}: sum it back",
            f"{side}_grad tiene la forma de g, {grad.shape}, pero {side} tiene la forma {x[side].shape}: súmalo",
            expected=want,
            got=grad,
            hint=3 if self.sign == "/" else 2,
        )


@exercise("add_vjp")
class AddVjp(Pair):
    """Both gradients of a + b: stretched on one side, on both, on none."""

    name, sign = "add_vjp", "+"
    observe = observe_pair


@exercise("mul_vjp")
class MulVjp(Pair):
    """Both gradients of a * b: stretched on one side, on both, on none."""

    name, sign = "mul_vjp", "*"
    observe = observe_pair


@exercise("div_vjp")
class DivVjp(Pair):
    """Both gradients of a / b: stretched on one side, on both, on none."""

    name, sign = "div_vjp", "/"
    observe = observe_pair
