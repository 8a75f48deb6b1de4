"""How the answers of lesson 09 are judged.

A case is a line of code, such as `x.sum(axis=1)`, with the arrays it is about. The judges know no rule. All operations
here but max are linear, so the gradient of one entry of x is the sum of g times what the very line gives for an array
that holds 1 there and 0 elsewhere. For max the groups are found in the same way, and the largest numbers of each group
share what arrives at it.
"""

import numpy as np

from minitorch.course.judging.arrays import rewritten
from minitorch.course.judging.checks import Message, Wrong, as_python, drawn, exercise, first_wrong, judged_array

GRADIENT = Message("the gradient of x")
MAKES_NEW = Message(
    "`/=`, `+=`, `.resize` and `.shape = ...` change the array itself. Use what makes a new one: g / n, g + y."
)


def used_memory(shape):
    """Given code: leave memory behind that shows this number when it is used again without being set to 0."""
    import numpy as np

    for _ in range(8):
        np.full(shape, 7.5)


def observe_rule(learner, x, given):
    """Call the rule for the operation in the case's code: what it returned, and its two arrays after the call."""
    import numpy as np

    code = x["code"]
    arrays = {name: x[name].copy(order="F" if x.get("stored") == "by columns" else "C") for name in ("g", "x")}
    if code.startswith("x["):
        name, more = "getitem", (eval("np.s_" + code[1:], {"np": np, **x}),)  # noqa: S307 - the text is this file's own
    else:
        name, _, words = code.removeprefix("x.").partition("(")
        more = {
            "reshape": "lambda *shape: ()",
            "transpose": "lambda axes=None: (axes,)",
            "repeat": "lambda times, axis: (times, axis)",
        }.get(name, "lambda axis=None, keepdims=False: (axis, keepdims)")
        more = eval(f"({more})({words}")  # noqa: S307
    rule = getattr(learner, f"{name}_vjp")
    given(x["x"].shape)
    gradient = rule(arrays["g"], arrays["x"], *more)
    if isinstance(gradient, np.generic):
        gradient = np.asarray(gradient)  # NumPy's arithmetic makes numbers of arrays of shape ()
    return {"gradient": gradient, "after": {name: array.copy() for name, array in arrays.items()}}


UNSET = 7.5  # what used_memory leaves in memory; no gradient of a case is so large and so round


def result_of(x, array, code=None):
    """What the case's line of code gives for another array."""
    return np.asarray(eval(code or x["code"], {"np": np, **x, "x": array}))  # noqa: S307


def unit(shape, place):
    """An array that holds 1.0 at one place."""
    array = np.zeros(shape)
    array[place] = 1.0
    return array


def slopes(x):
    """The gradient of sum(g * operation(x)) for a linear operation, entry by entry."""
    gradient = np.zeros(x["x"].shape)
    for place in np.ndindex(gradient.shape):
        gradient[place] = np.sum(x["g"] * result_of(x, unit(gradient.shape, place)))
    return gradient


def shares(x):
    """The gradient of a maximum: what arrives at a group is shared by its largest numbers."""
    array, groups = x["x"], {}
    for place in np.ndindex(array.shape):
        reached = result_of(x, unit(array.shape, place), x["code"].replace("max", "sum"))
        groups.setdefault(int(np.argmax(reached)), []).append(place)
    gradient = np.zeros(array.shape)
    for group, places in groups.items():
        top = max(array[place] for place in places)
        tied = [place for place in places if array[place] == top]
        for place in tied:
            gradient[place] = x["g"].flat[group] / len(tied)
    return gradient


def counting(*shape):
    """1, 2, 3, ... in that shape."""
    return np.arange(1.0, np.prod(shape, dtype=int) + 1).reshape(shape)


def case(rng, code, array, g=None, **more):
    """A case; g is drawn in the shape of the result where it is not given."""
    x = {"code": code, **more, "g": g, "x": array}
    if g is None:
        x["g"] = drawn(rng, *result_of(x, array).shape)
    else:
        x["g"] = np.array(g)
    return x


def unset(gradient, want, hint):
    """Say that a gradient holds what an earlier array left in memory."""
    fits = isinstance(gradient, np.ndarray) and gradient.shape == want.shape
    if not fits or not np.any((want == 0) & (gradient == UNSET)):
        return None
    return Wrong(
        "the gradient holds numbers that nobody put there: np.empty does not begin with 0, np.zeros does",
        expected=want,
        got=gradient,
        hint=hint,
    )


class Rule:
    """What the checks of the seven rules share: `hints` says which hint helps with which property."""

    observe, given = observe_rule, used_memory
    in_order = True
    hints = {"shape": 1, "numbers": 1, "factor": 1, "order": 1, "entry": 1}

    def want(self, x):
        return slopes(x)

    def line(self, x):
        names = [name for name in x if isinstance(x[name], np.ndarray)]
        given = [f"{name} = {as_python(x[name])}" for name in names]
        if "stored" in x:
            given = [text.replace("np.array(", "np.asfortranarray(") for text in given]
        return "; ".join([*given, f"m.{self.name}({', '.join(['g', 'x', *self.more(x['code'])])})"])

    def more(self, code):
        """The texts of the arguments behind g and x."""
        return []

    def special(self, gradient, want, x):
        """What this rule's check has to say beyond the properties of an array."""
        return first_wrong()

    def helps(self, x):
        """Which hint helps with which property, for this case."""
        return self.hints

    def judge(self, x, got):
        gradient, want, hints = got["gradient"], self.want(x), self.helps(x)
        if isinstance(gradient, np.ndarray) and gradient.shape == x["g"].shape != x["x"].shape:
            has_shape_of_g = Wrong(
                "the gradient of x has the shape of g, {shape}, but x has the shape {shape2}",
                shape=gradient.shape,
                shape2=x["x"].shape,
                expected=want,
                got=gradient,
                hint=hints["shape"],
            )
        else:
            has_shape_of_g = None
        return first_wrong(
            rewritten(x, got["after"], "g", "x", hint=MAKES_NEW),
            unset(gradient, want, 2),
            has_shape_of_g,
            self.special(gradient, want, x),
            judged_array(gradient, want, GRADIENT, dtype=np.float64 if x["g"].size else None, hints=hints),
        )


class Reduction(Rule):
    """What the checks of sum, mean and max share."""

    def more(self, code):
        return eval("(lambda axis=None, keepdims=False: [repr(axis), repr(keepdims)])" + code[code.index("(") :])  # noqa: S307


def reductions(rng, name):
    """The cases that a sum and a mean share, the small ones first."""
    two = counting(2, 3)
    return [
        case(rng, f"x.{name}()", counting(2), 12.0),
        case(rng, f"x.{name}(axis=0)", counting(3), 12.0),
        case(rng, f"x.{name}(axis=1)", two, [3.0, 6.0]),
        case(rng, f"x.{name}(axis=0)", two, [2.0, 4.0, 6.0]),
        case(rng, f"x.{name}(axis=-1)", two, [3.0, 6.0]),
        case(rng, f"x.{name}(axis=1)", counting(2, 2), [2.0, 4.0]),
        case(rng, f"x.{name}(axis=1, keepdims=True)", two, [[3.0], [6.0]]),
        case(rng, f"x.{name}(keepdims=True)", two, [[6.0]]),
        case(rng, f"x.{name}(axis=1)", drawn(rng, 2, 1, 3)),
        case(rng, f"x.{name}(axis=1)", drawn(rng, 4, 2, 3)),
        case(rng, f"x.{name}(axis=-2)", drawn(rng, 4, 2, 3)),
        case(rng, f"x.{name}(axis=(0, 2))", drawn(rng, 2, 3, 4)),
        case(rng, f"x.{name}(axis=(-1, 0))", drawn(rng, 2, 3, 4)),
        case(rng, f"x.{name}(axis=(2, 0))", drawn(rng, 2, 3, 4)),
        case(rng, f"x.{name}(axis=(-2, -1))", drawn(rng, 2, 3, 4)),
        case(rng, f"x.{name}(axis=(0, 2), keepdims=True)", drawn(rng, 2, 3, 4)),
        case(rng, f"x.{name}(axis=(1, -1))", drawn(rng, 3, 3, 2, 3)),
        case(rng, f"x.{name}()", np.array(2.0), 3.0),
    ]


@exercise("sum_vjp")
class SumVjp(Reduction):
    """All numbers, one axis, the last one, several, kept or not; square, size 1, one number, none."""

    name = "sum_vjp"
    hints = {"shape": 2, "numbers": 2, "factor": 1, "zero": 1, "sign": 1, "order": 2}

    def helps(self, x):
        return {**self.hints, "entry": 1 if x["g"].size == 1 else 2}

    def inputs(self, rng):
        return [*reductions(rng, "sum"), case(rng, "x.sum(axis=0)", drawn(rng, 0, 40))]


@exercise("mean_vjp")
class MeanVjp(Reduction):
    """As for a sum, of at least one number."""

    name = "mean_vjp"
    hints = {"shape": 3, "numbers": 3, "factor": 2, "zero": 1, "sign": 1, "order": 3, "entry": 3}

    def inputs(self, rng):
        return reductions(rng, "mean")


@exercise("max_vjp")
class MaxVjp(Reduction):
    """As for a sum; with ties of two and of three, near misses, and numbers below 0."""

    name = "max_vjp"

    def helps(self, x):
        ties = any(share not in (0.0, *x["g"].ravel()) for share in shares(x).ravel())
        numbers = 3 if ties else 2
        return {"shape": 4, "numbers": 4, "factor": numbers, "zero": numbers, "order": 2, "entry": numbers}

    def special(self, gradient, want, x):
        """Say that more or less goes back than arrived, where there is a gradient in the right shape."""
        fits = isinstance(gradient, np.ndarray) and gradient.shape == want.shape and np.all(np.isfinite(gradient))
        if not fits or np.isclose(gradient.sum(), x["g"].sum()):
            return None
        back, arrived = (float(f"{array.sum():.4g}") for array in (gradient, x["g"]))
        return Wrong(
            "your gradient adds up to {back}, but g adds up to {arrived}: all that arrives goes back, and no more",
            back=back,
            arrived=arrived,
            expected=want,
            got=gradient,
            hint=self.helps(x)["entry"],
        )

    def inputs(self, rng):
        def dice(*shape):  # few different numbers, so many ties
            return rng.integers(1, 4, shape).astype(float)

        def distinct(*shape):
            return rng.permutation(np.arange(1.0, np.prod(shape) + 1)).reshape(shape)

        return [
            case(rng, "x.max()", np.array([1.0, 5.0]), 10.0),
            case(rng, "x.max(axis=0)", np.array([1.0, 5.0, 2.0]), 10.0),
            case(rng, "x.max(axis=1)", np.array([[1.0, 5.0, 2.0], [3.0, 0.0, 4.0]]), [10.0, 20.0]),
            case(rng, "x.max(axis=0)", np.array([[1.0, 5.0, 2.0], [3.0, 0.0, 4.0]]), [10.0, 0.0, 30.0]),
            case(rng, "x.max()", np.array([5.0, 5.0, 1.0]), 10.0),
            case(rng, "x.max()", np.array([6.0, 6.0, 1.0, 6.0]), 12.0),
            case(rng, "x.max(axis=1)", np.array([[1.0, 5.0], [4.0, 4.0]]), [10.0, 20.0]),
            case(rng, "x.max(axis=-1)", np.array([[-1.0, -5.0, -2.0], [-4.0, -3.0, -3.0]]), [10.0, 20.0]),
            case(rng, "x.max(axis=1, keepdims=True)", np.array([[1.0, 5.0, 2.0], [3.0, 0.0, 4.0]]), [[10.0], [20.0]]),
            case(rng, "x.max(keepdims=True)", np.array([[1.0, 5.0], [5.0, 4.0]]), [[10.0]]),
            case(rng, "x.max()", np.array([1.0, 1.000009, 0.5]), 10.0),
            case(rng, "x.max(axis=0)", distinct(3, 3)),
            case(rng, "x.max(axis=1)", drawn(rng, 2, 1, 3)),
            case(rng, "x.max(axis=1)", dice(4, 5, 3)),
            case(rng, "x.max(axis=(0, 2))", dice(2, 3, 4)),
            case(rng, "x.max(axis=(2, 0))", distinct(2, 3, 4)),
            case(rng, "x.max(axis=(-1, 0), keepdims=True)", dice(2, 3, 4)),
            case(rng, "x.max(axis=0)", np.zeros((2, 3))),
            case(rng, "x.max()", np.array(2.0), 3.0),
        ]

    def want(self, x):
        return shares(x)


@exercise("reshape_vjp")
class ReshapeVjp(Rule):
    """To more axes, to fewer, to one, to none; square, and a gradient that is stored by columns."""

    name = "reshape_vjp"
    hints = {"shape": 3, "numbers": 3, "factor": 1, "zero": 1, "order": 2, "entry": 1}

    def inputs(self, rng):
        return [
            case(rng, "x.reshape(1, 2)", counting(2), [[10.0, 20.0]]),
            case(rng, "x.reshape(4)", counting(2, 2), [10.0, 20.0, 30.0, 40.0]),
            case(rng, "x.reshape(3, 2)", counting(2, 3), 10 * counting(3, 2)),
            case(rng, "x.reshape(2, 3)", counting(6), 10 * counting(2, 3)),
            case(rng, "x.reshape(2, 2)", counting(2, 2), [[10.0, 20.0], [30.0, 50.0]]),
            case(rng, "x.reshape(-1)", drawn(rng, 3, 3)),
            case(rng, "x.reshape(6, 4)", drawn(rng, 2, 3, 4)),
            case(rng, "x.reshape(4, 3, 2)", drawn(rng, 2, 3, 4)),
            case(rng, "x.reshape(2, 3, 2)", drawn(rng, 3, 4)),
            case(rng, "x.reshape(5, 1, 2)", drawn(rng, 1, 2, 5, 1)),
            case(rng, "x.reshape(3, 4)", drawn(rng, 2, 6), stored="by columns"),
            case(rng, "x.reshape(())", np.array([[2.0]]), 3.0),
            case(rng, "x.reshape(1, 1)", np.array(2.0), [[3.0]]),
        ]


@exercise("transpose_vjp")
class TransposeVjp(Rule):
    """Swaps, cycles of three and of four, axes counted from the end, None; equal sizes, size 1, one axis."""

    name = "transpose_vjp"
    hints = {"shape": 1, "numbers": 1, "factor": 1, "zero": 1, "entry": 1}

    def more(self, code):
        return [code.removeprefix("x.transpose(").removesuffix(")") or "None"]

    def helps(self, x):
        special = "-" in x["code"] or x["code"].endswith("()")
        return {**self.hints, "shape": 3 if special else 1, "order": 3 if special else 2}

    def inputs(self, rng):
        return [
            case(rng, "x.transpose((1, 0))", counting(2, 2), 10 * counting(2, 2)),
            case(rng, "x.transpose((1, 0))", counting(2, 3), 10 * counting(3, 2)),
            case(rng, "x.transpose()", counting(2, 3), 10 * counting(3, 2)),
            case(rng, "x.transpose((0, 1))", counting(2, 3), 10 * counting(2, 3)),
            case(rng, "x.transpose((1, 2, 0))", counting(1, 2, 3), 10 * counting(2, 3, 1)),
            case(rng, "x.transpose((1, 2, 0))", counting(2, 2, 2), 10 * counting(2, 2, 2)),
            case(rng, "x.transpose((0,))", counting(5), [10.0, 20.0, 40.0, 80.0, 160.0]),
            case(rng, "x.transpose((2, 0, 1))", drawn(rng, 2, 3, 4)),
            case(rng, "x.transpose((0, 2, 1))", drawn(rng, 2, 3, 4)),
            case(rng, "x.transpose()", drawn(rng, 2, 3, 4)),
            case(rng, "x.transpose((-1, 0, 1))", drawn(rng, 2, 3, 4)),
            case(rng, "x.transpose((0, -1, -2))", drawn(rng, 2, 3, 4)),
            case(rng, "x.transpose((1, 3, 0, 2))", drawn(rng, 2, 3, 4, 5)),
            case(rng, "x.transpose((3, 1, 0, 2))", drawn(rng, 2, 2, 3, 2)),
            case(rng, "x.transpose()", drawn(rng, 2, 3, 2, 4)),
        ]


@exercise("getitem_vjp")
class GetitemVjp(Rule):
    """Numbers, slices, both; arrays of places with repeats, in pairs, on a later axis; masks, None, ...; nothing."""

    name = "getitem_vjp"

    def more(self, code):
        return [f"np.s_{code.removeprefix('x')}"]

    def helps(self, x):
        repeats = np.any(slopes({**x, "g": np.ones(x["g"].shape)}) > 1)
        numbers = 3 if repeats else 2
        return {"shape": 2, "numbers": 2, "dtype": 2, "zero": 1, "factor": 1, "order": 2, "entry": numbers}

    def special(self, gradient, want, x):
        """Say that something arrived where nothing was picked."""
        picked = slopes({**x, "g": np.ones(x["g"].shape)})
        if not isinstance(gradient, np.ndarray) or gradient.shape != want.shape or not np.any(gradient[picked == 0]):
            return None
        place = tuple(int(i) for i in np.argwhere((picked == 0) & (gradient != 0))[0])
        return Wrong(
            "the gradient is not 0 at {place}, a place that was not picked",
            place=list(place),
            expected=want,
            got=gradient,
            hint=1,
        )

    def inputs(self, rng):
        twice = np.array([0, 2, 0])
        return [
            case(rng, "x[1]", counting(2), 10.5),
            case(rng, "x[1:]", counting(3), [10.5, 20.5]),
            case(rng, "x[rows]", counting(3), [10.5, 20.0], rows=np.array([2, 0])),
            case(rng, "x[rows]", counting(3), [10.5, 20.0, 30.0], rows=twice),
            case(rng, "x[-1]", counting(2, 2), [10.5, 20.5]),
            case(rng, "x[:, 1]", counting(2, 2), [10.5, 20.5]),
            case(rng, "x[1, 0]", counting(2, 2), 10.5),
            case(rng, "x[::-2]", counting(5), [1.5, 2.0, 3.0]),
            case(rng, "x[rows]", drawn(rng, 3, 2), rows=twice),
            case(rng, "x[rows]", drawn(rng, 3), rows=np.array([-1, 2, 2, 0])),
            case(rng, "x[rows]", drawn(rng, 4), rows=rng.permutation(4)),
            case(rng, "x[:, columns]", drawn(rng, 2, 4), columns=np.array([3, 0, 3, 3])),
            case(rng, "x[rows, columns]", drawn(rng, 3, 4), rows=twice, columns=np.array([1, 3, 1])),
            case(rng, "x[rows]", drawn(rng, 5, 3), rows=rng.integers(0, 5, (4, 2)) * np.array([1, 0])),
            case(rng, "x[mask]", drawn(rng, 2, 3), mask=np.array([[True, False, True], [False, True, False]])),
            case(rng, "x[..., 0]", drawn(rng, 2, 3, 2)),
            case(rng, "x[None, 1:, 0]", drawn(rng, 3, 2)),
            case(rng, "x[7:7]", drawn(rng, 40)),
        ]


@exercise("repeat_vjp")
class RepeatVjp(Rule):
    """One axis to three; first, last, in the middle, counted from the end; square, size 1, a single copy."""

    name = "repeat_vjp"
    hints = {"shape": 2, "numbers": 2, "factor": 1, "zero": 1, "sign": 1, "order": 2}

    def helps(self, x):
        return {**self.hints, "shape": 3 if "-" in x["code"] else 2, "entry": 1 if x["x"].ndim == 1 else 2}

    def more(self, code):
        return eval("(lambda times, axis: [repr(times), repr(axis)])" + code[code.index("(") :])  # noqa: S307

    def inputs(self, rng):
        return [
            case(rng, "x.repeat(2, axis=0)", counting(2), [1.0, 2.0, 30.0, 40.0]),
            case(rng, "x.repeat(1, axis=0)", counting(3), [10.0, 20.0, 30.0]),
            case(rng, "x.repeat(3, axis=0)", counting(2), [1.0, 2.0, 4.0, 10.0, 20.0, 40.0]),
            case(rng, "x.repeat(2, axis=1)", counting(2, 2), [[1.0, 2.0, 3.0, 5.0], [10.0, 20.0, 30.0, 50.0]]),
            case(rng, "x.repeat(2, axis=0)", counting(2, 2), [[1.0, 2.0], [3.0, 5.0], [10.0, 20.0], [30.0, 50.0]]),
            case(rng, "x.repeat(2, axis=-1)", drawn(rng, 3, 2)),
            case(rng, "x.repeat(3, axis=0)", drawn(rng, 2, 3)),
            case(rng, "x.repeat(3, axis=1)", drawn(rng, 2, 3, 4)),
            case(rng, "x.repeat(2, axis=-2)", drawn(rng, 2, 3, 4)),
            case(rng, "x.repeat(2, axis=-3)", drawn(rng, 2, 3, 4)),
            case(rng, "x.repeat(4, axis=2)", drawn(rng, 3, 1, 2)),
            case(rng, "x.repeat(3, axis=1)", drawn(rng, 2, 1, 3)),
        ]
