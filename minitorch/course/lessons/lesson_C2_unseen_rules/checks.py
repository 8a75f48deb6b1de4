"""How the answers of checkpoint C2 are judged.

A case is a line of code, such as `np.cumsum(x, axis=0)`, with the arrays it is about. The judges know no rule. A
running sum and a stack are linear, so the gradient of one entry is the sum of g times what the very line gives where
that entry is 1 and all others are 0. Of clip they know that an entry which it leaves alone lies inside.
"""

import numpy as np

from minitorch.course.judging.checks import But, Message, Wrong, as_python, drawn, exercise, first_wrong, judged_array

GRADIENT = Message("the gradient of x")


def observe_rule(learner, x):
    """Call the rule for the operation in the case's code: what it returned, and all arrays after the call."""
    import numpy as np

    arrays = {name: value.copy() for name, value in x.items() if name != "code"}
    name, _, words = x["code"].removeprefix("np.").partition("(")
    arguments = eval(f"(g, {words.replace('axis=', '')}", {"np": np, **arrays})  # noqa: S307 - this file's own text
    returned = getattr(learner, f"{name}_vjp")(*arguments)

    def seen(thing):
        """NumPy's arithmetic makes numbers of arrays of shape (); an array that is seen is a copy."""
        is_numpy = isinstance(thing, (np.ndarray, np.generic))
        return np.array(thing) if is_numpy else thing

    several = isinstance(returned, (list, tuple)) or (name == "stack" and np.ndim(returned) > 0)
    return {
        "type": type(returned).__name__,
        "gradient": [seen(each) for each in returned] if several else seen(returned),
        "after": {name: array.copy() for name, array in arrays.items()},
    }


def counting(*shape):
    """1, 2, 3, ... in that shape."""
    return np.arange(1.0, np.prod(shape, dtype=int) + 1).reshape(shape)


def result_of(code, arrays):
    """What the case's line of code gives for these arrays."""
    return np.asarray(eval(code, {"np": np, **arrays}))  # noqa: S307 - the text is this file's own


def case(rng, code, g=None, **arrays):
    """A case; g is drawn in the shape of the result where it is not given."""
    if g is None:
        g = drawn(rng, *result_of(code, arrays).shape)
    return {"code": code, "g": np.array(g), **arrays}


def slopes(x, name):
    """The gradient of the array `name` in sum(g * operation) for a linear operation, entry by entry."""
    others = {each: np.zeros(value.shape) for each, value in x.items() if each not in ("code", "g")}
    gradient = np.zeros(x[name].shape)
    for place in np.ndindex(gradient.shape):
        unit = np.zeros(gradient.shape)
        unit[place] = 1.0
        gradient[place] = np.sum(x["g"] * result_of(x["code"], {**others, name: unit}))
    return gradient


def rewritten(x, got):
    """Say that an array is another one after the call."""
    for name, after in got["after"].items():
        if not np.array_equal(after, x[name]):
            return Wrong(
                "after the call {name} is another array than before: your function wrote into it",
                name=name,
                expected=x[name],
                got=after,
            )
    return None


class Rule:
    """What the three checks share."""

    in_order = True
    observe = observe_rule

    def line(self, x):
        given = [f"{name} = {as_python(x[name])}" for name in x if name != "code"]
        name, _, words = x["code"].removeprefix("np.").partition("(")
        return "; ".join([*given, f"m.{name}_vjp(g, {words.replace('axis=', '')}"])

    def want(self, x):
        return slopes(x, "x")

    def judge(self, x, got):
        dtype = np.float64 if x["g"].size else None
        return first_wrong(rewritten(x, got), judged_array(got["gradient"], self.want(x), GRADIENT, dtype=dtype))


@exercise("cumsum_vjp")
class CumsumVjp(Rule):
    """One axis to three; first, last, in the middle, counted from the end; square, size 1, nothing at all."""

    def inputs(self, rng):
        return [
            case(rng, "np.cumsum(x, axis=0)", [1.0, 10.0], x=counting(2)),
            case(rng, "np.cumsum(x, axis=0)", [1.0, 10.0, 100.0], x=counting(3)),
            case(rng, "np.cumsum(x, axis=1)", [[1.0, 10.0], [2.0, 20.0]], x=counting(2, 2)),
            case(rng, "np.cumsum(x, axis=0)", [[1.0, 10.0], [2.0, 20.0]], x=counting(2, 2)),
            case(rng, "np.cumsum(x, axis=0)", [-1.0, 3.0, -5.0, 2.0], x=drawn(rng, 4)),
            case(rng, "np.cumsum(x, axis=1)", x=drawn(rng, 2, 3)),
            case(rng, "np.cumsum(x, axis=-1)", x=drawn(rng, 3, 2)),
            case(rng, "np.cumsum(x, axis=1)", x=drawn(rng, 2, 3, 4)),
            case(rng, "np.cumsum(x, axis=-2)", x=drawn(rng, 4, 2, 3)),
            case(rng, "np.cumsum(x, axis=-3)", x=drawn(rng, 3, 3, 2)),
            case(rng, "np.cumsum(x, axis=2)", x=drawn(rng, 2, 2, 3)),
            case(rng, "np.cumsum(x, axis=1)", x=drawn(rng, 2, 1, 3)),
            case(rng, "np.cumsum(x, axis=0)", x=drawn(rng, 0, 3)),
        ]


@exercise("clip_vjp")
class ClipVjp(Rule):
    """Inside, above, below, at the bounds; g of both signs; bounds on one side of 0, infinite, equal; one number."""

    def inputs(self, rng):
        across = np.round(rng.permutation(np.linspace(-2.4, 2.4, 12)), 3)
        return [
            case(rng, "np.clip(x, 0.0, 1.0)", [3.0, 10.0], x=np.array([0.5, 4.0])),
            case(rng, "np.clip(x, 0.0, 1.0)", [3.0, 10.0], x=np.array([-2.0, 0.5])),
            case(rng, "np.clip(x, -1.0, 1.0)", [-3.0, -10.0, -100.0], x=np.array([-2.0, 0.5, 2.0])),
            case(rng, "np.clip(x, 2.0, 5.0)", [1.0, 10.0, 100.0, -7.0], x=np.array([1.0, 3.0, 6.0, -3.0])),
            case(rng, "np.clip(x, 0.0, 1.0)", [3.0, 10.0, 100.0], x=np.array([0.25, 1.0, 2.0])),
            case(rng, "np.clip(x, -1.0, 1.0)", [3.0, 10.0, 100.0], x=np.array([-1.0, 0.25, -2.0])),
            case(rng, "np.clip(x, -5.0, -2.0)", [0.5, 3.0, -10.0, 100.0], x=np.array([-4.0, -2.0, -1.0, 3.0])),
            case(rng, "np.clip(x, -1.0, 1.5)", x=across.reshape(3, 4)),
            case(rng, "np.clip(x, -np.inf, 1.0)", x=across.reshape(2, 2, 3)),
            case(rng, "np.clip(x, -1.0, np.inf)", x=across),
            case(rng, "np.clip(x, 2.0, 2.0)", [1.0, 10.0, 100.0], x=counting(3)),
            case(rng, "np.clip(x, 0.0, 1.0)", -3.0, x=np.array(0.5)),
        ]

    def want(self, x):
        inside = result_of(x["code"], {"x": x["x"]}) == x["x"]
        return np.where(inside, x["g"], 0.0)


@exercise("stack_vjp")
class StackVjp(Rule):
    """Two arrays and three; the new axis first, last, in the middle, counted from the end; equal sizes, size 1."""

    def inputs(self, rng):
        square, tens = [[1.0, 2.0], [30.0, 40.0]], [[1.0, 10.0], [2.0, 20.0], [3.0, 30.0]]
        a, b, c = counting(2), 10.0 * counting(2), 100.0 * counting(2)

        def pair(*shape):
            return {"a": drawn(rng, *shape), "b": drawn(rng, *shape)}

        return [
            case(rng, "np.stack([a, b], axis=0)", square, a=a, b=b),
            case(rng, "np.stack([a, b], axis=1)", square, a=a, b=b),
            case(rng, "np.stack([a, b], axis=1)", tens, a=counting(3), b=10.0 * counting(3)),
            case(rng, "np.stack([a, b, c], axis=0)", tens, a=a, b=b, c=c),
            case(rng, "np.stack([a, b], axis=1)", **pair(2, 3)),
            case(rng, "np.stack([a, b], axis=-1)", **pair(2, 3)),
            case(rng, "np.stack([a, b], axis=2)", **pair(2, 2)),
            case(rng, "np.stack([a, b, c], axis=-2)", **pair(2, 3), c=drawn(rng, 2, 3)),
            case(rng, "np.stack([a, b], axis=0)", **pair(3, 1)),
            case(rng, "np.stack([a], axis=1)", [[1.0], [10.0], [100.0]], a=counting(3)),
            case(rng, "np.stack([a, a], axis=0)", [[1.0, 2.0], [30.0, 40.0]], a=a),
            case(rng, "np.stack([a, b], axis=0)", [5.0, 7.0], a=np.array(2.0), b=np.array(3.0)),
        ]

    def judge(self, x, got):
        names = x["code"].partition("[")[2].partition("]")[0].split(", ")
        wrong = rewritten(x, got) or _no_list(got, names)
        if wrong is not None:
            return wrong
        for place, (name, gradient) in enumerate(zip(names, got["gradient"], strict=True)):
            label = Message("entry {place} of your list", place=place)
            wrong = judged_array(gradient, self.want_of(x, names, place, name), label)
            if wrong is not None:
                return wrong
        if got["type"] == "ndarray":
            return But(
                "one array holds all the gradients; a list of arrays says more plainly that each belongs to an array"
            )
        return None

    def want_of(self, x, names, place, name):
        """The gradient of one place of the list: the same array may stand in several."""
        alone = [f"<{each}>" if other == place else each for other, each in enumerate(names)]
        code = x["code"].replace(f"[{', '.join(names)}]", f"[{', '.join(alone)}]").replace(f"<{name}>", "it")
        return slopes({**x, "code": code, "it": x[name]}, "it")


def _no_list(got, names):
    """What is wrong with the form of what stack_vjp returned."""
    if got["type"] == "NoneType":
        return Wrong("stack_vjp returned None: is a `return` missing?", expected="list", got="None")
    if got["type"] not in ("list", "tuple", "ndarray") or not isinstance(got["gradient"], list):
        return Wrong(
            "stack_vjp must return a list of arrays, one for each array that went in", expected="list", got=got["type"]
        )
    if len(got["gradient"]) != len(names):
        return Wrong(
            "{names} arrays went in, so {names} gradients come back; you returned {gradient}",
            names=len(names),
            gradient=len(got["gradient"]),
            expected=len(names),
            got=len(got["gradient"]),
        )
    return None
