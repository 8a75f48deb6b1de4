"""How the answers of lesson 03 are judged.

A function is given as text, and a case reads like code: `x[0] * x[1] (x = [3., 2.])`. The child makes the function of
it; nothing of lessons 01 and 02 is needed.
"""

import math

import numpy as np

from minitorch.course.judging.checks import Text, Wrong, exercise, judged_array

NO_ENTRIES = "an axis of length 0: there is no entry to nudge, and the result has x's shape all the same"


def observe_nudges(learner, x):
    """Call the function that a case is for; send its result, and what x held after the call and whenever f ran."""
    import numpy as np

    point = x["x"].copy(order=x.get("layout", "C"))
    point.flags.writeable = not x.get("read_only", False)
    held = []

    def f(nudged):
        held.append(point.copy())
        return eval(x["code"], {"np": np, "x": nudged, "w": x.get("w")})  # noqa: S307 - the text is this file's own

    named = {"eps": x["eps"]} if "eps" in x else {}
    with np.errstate(all="ignore"):
        got = getattr(learner, x["of"])(f, point, **named)
    aliased = isinstance(got, np.ndarray) and np.shares_memory(got, point)
    if isinstance(got, np.generic):
        got = np.asarray(got)
    return {
        "result": got.copy() if isinstance(got, np.ndarray) else got,
        "x after": point.copy(),
        "x held": np.array(held[:200]),
        "aliased": aliased,
    }


def compared_nudges(x, got):
    """The same for all answers with one mistake, however often they call f."""
    return {"result": got["result"], "changed": changed(x, got["x after"]), "touched": changed(x, got["x held"])}


def line_of_nudges(x):
    """The case as statements."""
    entries = repr(x["x"].tolist())
    kind = ", np.float32" if x["x"].dtype == np.float32 else ""
    array = f"np.array({entries}{kind})" if x["x"].size else f"np.zeros({x['x'].shape})"
    array = f"np.asfortranarray({array})" if x.get("layout") == "F" else array
    made = [f"x = {array}"] + (["x.flags.writeable = False"] if x.get("read_only") else [])
    if "w" in x:
        made.insert(0, f"w = np.array({x['w'].tolist()!r})")
    eps = f", eps={x['eps']}" if "eps" in x else ""
    return "; ".join([*made, f"m.{x['of']}(lambda x: {x['code']}, x{eps})"])


def changed(x, arrays):
    """Whether an array, or one of a stack of them, holds anything else than x did before the call."""
    return bool(arrays.size and not np.array_equal(arrays, np.broadcast_to(x["x"], arrays.shape)))


def touched(x, got):
    """Say whether the answer changed its input, and when."""
    if changed(x, got["x after"]):
        return Wrong(
            "x has changed after the call: nudge a copy",
            "x ha cambiado después de la llamada: da el empujoncito a una copia",
            expected=x["x"],
            got=got["x after"],
            hint=2,
        )
    if changed(x, got["x held"]):
        return Wrong(
            "x was changed while f ran, and put back later: nudge a copy",
            "x cambió mientras se ejecutaba f, y después se restauró: da el empujoncito a una copia",
            hint=2,
        )
    if got["aliased"]:
        return Wrong(
            "the result lies in the same memory as x: make an array of its own",
            "el resultado está en la misma memoria que x: crea un array propio",
            hint=2,
        )
    return None


def draw(rng, *shape):
    """Numbers between 0.5 and 2 with random signs and few digits."""
    return np.round(rng.choice([-1.0, 1.0], shape) * rng.uniform(0.5, 2.0, shape), 3)


GRADIENTS = {  # by the function's text: its exact gradient, and for a coarse eps what the formula gives
    "x * x": lambda x, w, eps: 2 * x,
    "x[0] * x[1]": lambda x, w, eps: np.array([x[1], x[0]]),
    "x[0] ** 3 + 2 * x[1]": lambda x, w, eps: np.array([3 * x[0] ** 2 + eps**2, 2.0]),
    "(x ** 3).sum()": lambda x, w, eps: 3 * x**2,
    "(x * x).sum()": lambda x, w, eps: 2 * x,
    "(w * x * x).sum()": lambda x, w, eps: 2 * w * x,
    "(w * np.sin(x)).sum()": lambda x, w, eps: w * np.cos(x),
    "np.sin((w * x).sum())": lambda x, w, eps: w * np.cos((w * x).sum()),
}


@exercise("numeric_grad")
class NumericGrad:
    """Several axes, an entry of 0, a coarse step; float32, integers; memory order; one number, an axis of length 0."""

    in_order = True

    def inputs(self, rng):
        return [
            {"of": "numeric_grad"} | case
            for case in (
                {"code": "x[0] * x[1]", "x": np.array([3.0, 2.0])},
                {"code": "(x * x).sum()", "x": np.array([3.0])},
                {"code": "x[0] ** 3 + 2 * x[1]", "x": np.array([2.0, 5.0]), "eps": 0.1},
                {"code": "(w * x * x).sum()", "x": draw(rng, 2, 3), "w": draw(rng, 2, 3)},
                {"code": "(x * x).sum()", "x": np.array([1.5, -2.5]), "read_only": True},
                {"code": "x[0] * x[1]", "x": np.array([0.0, 2.0])},
                {"code": "(x ** 3).sum()", "x": np.array([1, 2, 3])},
                {"code": "(x * x).sum()", "x": np.array([2.0, 5.0], np.float32)},
                {"code": "(w * np.sin(x)).sum()", "x": draw(rng, 2, 1, 3), "w": draw(rng, 2, 1, 3)},
                {"code": "np.sin((w * x).sum())", "x": draw(rng, 3, 2), "w": draw(rng, 3, 2), "layout": "F"},
                {"code": "x * x", "x": np.array(3.0)},
                {"code": "(x * x).sum()", "x": np.zeros((0, 2)), "about": NO_ENTRIES},
            )
        ]

    observe = observe_nudges

    def line(self, x):
        return line_of_nudges(x)

    def compared(self, x, got):
        return compared_nudges(x, got)

    def judge(self, x, got):
        if changed(x, got["x after"]):
            return touched(x, got)
        point = x["x"].astype(np.float64)
        want = GRADIENTS[x["code"]](point, x.get("w"), x.get("eps", 0.0))
        what, hints = ("the gradient", "el gradiente"), {"factor": 1, "sign": 1, "shape": 3, "numbers": 3, "none": 4}
        if "eps" not in x and point.size > 1:
            hints["entry"] = 2
        wrong = judged_array(got["result"], want, what, hints=hints, rtol=1e-7, atol=1e-7)
        return wrong or touched(x, got)


# ------------------------------------------------------------------------------------------------ relative_error


@exercise("relative_error")
class RelativeError:
    """Large, small and negative numbers, both zero, below the floor, nan, no axis, an axis of length 0."""

    in_order = True

    def inputs(self, rng):
        a = draw(rng, 2, 3) * np.array([100.0, 1.0, 0.01])
        nan = math.nan
        return [
            {"a": np.array([100.0, 2.0]), "b": np.array([101.0, 3.0])},
            {"a": np.array([2.0, -3.0]), "b": np.array([-2.0, 3.0])},
            {"a": np.array([-100.0, -5.0]), "b": np.array([-101.0, -4.0])},
            {"a": np.array([100.0, 0.0]), "b": np.array([101.0, 0.0])},
            {"a": np.array([0.0, 0.00001]), "b": np.array([0.0001, 0.0])},
            {"a": np.array([1e-9]), "b": np.array([3e-9]), "floor": 1.0},
            {"a": a, "b": a * np.round(rng.uniform(0.9, 1.1, (2, 3)), 3), "floor": 0.01},
            {"a": np.array([1.0, nan, 2.0]), "b": np.array([1.1, 2.0, nan])},
            {"a": np.array(4.0), "b": np.array(5.0)},
            {"a": np.zeros((0, 2)), "b": np.zeros((0, 2)), "about": NO_ENTRIES},
        ]

    def observe(learner, x):
        import numpy as np

        a, b = x["a"].copy(), x["b"].copy()
        named = {"floor": x["floor"]} if "floor" in x else {}
        with np.errstate(all="ignore"):
            got = learner.relative_error(a, b, **named)
        if isinstance(got, np.generic):
            got = np.asarray(got)
        return {"result": got.copy() if isinstance(got, np.ndarray) else got, "a after": a, "b after": b}

    def line(self, x):
        a, b = (f"np.array({x[name].tolist()!r})".replace("nan", "np.nan") for name in "ab")
        if not x["a"].size:
            a = b = f"np.zeros({x['a'].shape})"
        floor = f", floor={x['floor']}" if "floor" in x else ""
        return f"m.relative_error({a}, {b}{floor})"

    def compared(self, x, got):
        return {"result": got["result"], "changed": self.changed(x, got)}

    def changed(self, x, got):
        return [name for name in "ab" if not np.array_equal(got[f"{name} after"], x[name], equal_nan=True)]

    def judge(self, x, got):
        pairs = zip(x["a"].ravel().tolist(), x["b"].ravel().tolist(), strict=True)
        floor = x.get("floor", 1e-3)
        errors = [math.nan if a != a or b != b else abs(a - b) / max(abs(a), abs(b), floor) for a, b in pairs]
        want = np.array(errors, dtype=np.float64).reshape(x["a"].shape)
        for name in self.changed(x, got):
            return Wrong(
                f"{name} has changed after the call: work on arrays of your own",
                f"{name} ha cambiado después de la llamada: trabaja con arrays propios",
                expected=x[name],
                got=got[f"{name} after"],
            )
        hints = {"shape": 3, "none": 3, "type": 3, "sign": 2, "factor": 2, "entry": 2, "finite": 2, "zero": 1}
        what = ("the error", "el error")
        return judged_array(got["result"], want, what, hints=hints, rtol=1e-6, atol=1e-12)


# ------------------------------------------------------------------------------------------------------- at_kink

AS_BOOLS = Text(
    "np.zeros(x.shape, dtype=bool) is an array of False in x's shape, ready to be filled in.",
    "np.zeros(x.shape, dtype=bool) es un array de False con la forma de x, listo para rellenarlo.",
)
KINKS = {  # by the function's text: where it has a kink or a jump
    "np.abs(x)": lambda x, w, eps: np.abs(x) < eps,
    "np.abs(x).sum()": lambda x, w, eps: np.abs(x) < eps,
    "np.maximum(x, 0).sum()": lambda x, w, eps: np.abs(x) < eps,
    "np.abs(x - 1).sum()": lambda x, w, eps: np.abs(x - 1) < eps,
    "(x * x).sum()": lambda x, w, eps: np.zeros(x.shape, bool),
    "40 * (x * x).sum()": lambda x, w, eps: np.zeros(x.shape, bool),
    "30000 * (x * x).sum()": lambda x, w, eps: np.zeros(x.shape, bool),
    "np.exp(x).sum()": lambda x, w, eps: np.zeros(x.shape, bool),
    "np.floor(x).sum()": lambda x, w, eps: x == np.round(x),
    "np.sqrt(x).sum()": lambda x, w, eps: x == 0.0,
    "(x * np.where(x > 0, w, 1)).sum()": lambda x, w, eps: (x == 0.0) & (w > 1.0102),
    "(w * np.abs(x)).sum()": lambda x, w, eps: np.abs(x) < eps,
}


@exercise("at_kink")
class AtKink:
    """Kinks at zero and elsewhere, a jump, the edge of a domain; and smooth places that look like one."""

    in_order = True

    def inputs(self, rng):
        mixed = draw(rng, 2, 3)
        mixed[0, 1] = mixed[1, 2] = 0.0
        return [
            {"of": "at_kink"} | case
            for case in (
                {"code": "np.abs(x).sum()", "x": np.array([0.0, 2.0])},
                {"code": "(x * x).sum()", "x": np.array([0.0, 3.0])},
                {"code": "np.abs(x).sum()", "x": np.array([0.0, 2.0, -3.0])},
                {"code": "np.maximum(x, 0).sum()", "x": np.array([0.0, -1.5, 0.5])},
                {"code": "np.abs(x - 1).sum()", "x": np.array([1.0, 0.0])},
                {"code": "(w * np.abs(x)).sum()", "x": mixed, "w": draw(rng, 2, 3), "layout": "F"},
                {"code": "np.floor(x).sum()", "x": np.array([2.0, 2.5])},
                {"code": "np.exp(x).sum()", "x": np.array([3.0, -1.0])},
                {"code": "40 * (x * x).sum()", "x": np.array([0.0])},
                {"code": "30000 * (x * x).sum()", "x": np.array([1.0, -1.0])},
                {"code": "(x * np.where(x > 0, w, 1)).sum()", "x": np.zeros(3), "w": np.array([1.015, 1.004, 1.3])},
                {"code": "np.abs(x).sum()", "x": np.array([0.005, 0.015]), "eps": 0.01},
                {"code": "np.abs(x).sum()", "x": np.array([-1.0, 0.0]), "read_only": True},
                {"code": "np.sqrt(x).sum()", "x": np.array([0.0, 4.0])},
                {"code": "np.abs(x)", "x": np.array(0.0)},
                {"code": "np.abs(x)", "x": np.array(2.0)},
                {"code": "np.abs(x).sum()", "x": np.zeros((2, 0)), "about": NO_ENTRIES},
            )
        ]

    observe = observe_nudges

    def line(self, x):
        return line_of_nudges(x)

    def compared(self, x, got):
        return compared_nudges(x, got)

    def judge(self, x, got):
        if changed(x, got["x after"]):
            return touched(x, got)
        want = KINKS[x["code"]](x["x"], x.get("w"), x.get("eps", 1e-6))
        return self.wrong(x, got["result"], want) or touched(x, got)

    def wrong(self, x, got, want):
        if not isinstance(got, np.ndarray) or got.shape != want.shape or got.dtype != np.bool_:
            hints = {"shape": 2, "type": AS_BOOLS, "dtype": AS_BOOLS, "none": 4}
            return judged_array(got, want, dtype=np.bool_, hints=hints)
        for index in np.ndindex(want.shape):
            if got[index] == want[index]:
                continue
            en, es = (f"in entry {list(index)}", f"en la entrada {list(index)}") if index else ("here", "aquí")
            if want[index]:
                said = Text(
                    f"{en} f has a kink or a jump, and your answer says smooth",
                    f"{es} f tiene un pico o un salto, y tu respuesta dice que es suave",
                )
            else:
                said = Text(
                    f"{en} f is smooth, and your answer says kink",
                    f"{es} f es suave, y tu respuesta dice que hay un pico",
                )
            hint = 3 if "sqrt" in x["code"] or not want[index] else 1
            return Wrong(said, expected=want.tolist(), got=got.tolist(), hint=hint)
        return None
