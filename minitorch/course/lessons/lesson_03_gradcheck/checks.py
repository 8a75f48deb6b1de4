"""How the answers of lesson 03 are judged.

A function is given as text, and a case reads like code: `x[0] * x[1] (x = [3., 2.])`. The child makes the function of
it; nothing of lessons 01 and 02 is needed.
"""

import math

import numpy as np

from minitorch.course.judging.checks import Wrong, exercise, first_wrong, same_array, same_value
from minitorch.course.texts.text import Text

# Long enough that any other failing case counts as the smaller one and is shown instead.
NO_ENTRIES = "an axis of length 0: there is no entry to nudge, and the result has x's shape all the same"


def touched(got):
    """Say whether the answer changed its input, and when."""
    if got["changed"]:
        return Wrong(
            "x has changed after the call: nudge a copy",
            "x ha cambiado después de la llamada: da el empujoncito a una copia",
            hint=2,
        )
    if got["touched"]:
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
    """One number, an entry of 0, several axes, an axis of length 0; a coarse step; float32, integers; memory order."""

    def inputs(self, rng):
        return [
            {"code": "x * x", "x": np.array(3.0)},
            {"code": "x[0] * x[1]", "x": np.array([3.0, 2.0])},
            {"code": "x[0] * x[1]", "x": np.array([0.0, 2.0])},
            {"code": "x[0] ** 3 + 2 * x[1]", "x": np.array([1.0, 5.0]), "eps": 0.1},
            {"code": "(x ** 3).sum()", "x": np.array([1, 2, 3])},
            {"code": "(x * x).sum()", "x": np.array([2.0, 5.0], np.float32)},
            {"code": "(x * x).sum()", "x": np.array([1.5, -2.5]), "read_only": True},
            {"code": "(x * x).sum()", "x": np.zeros((0, 2)), "about": NO_ENTRIES},
            {"code": "(w * x * x).sum()", "x": draw(rng, 2, 3), "w": draw(rng, 2, 3)},
            {"code": "(w * np.sin(x)).sum()", "x": draw(rng, 2, 1, 3), "w": draw(rng, 2, 1, 3)},
            {"code": "np.sin((w * x).sum())", "x": draw(rng, 3, 2), "w": draw(rng, 3, 2), "layout": "F"},
        ]

    def observe(learner, x):
        import numpy as np

        point = x["x"].copy(order=x.get("layout", "C"))
        point.flags.writeable = not x.get("read_only", False)
        kept, touched = point.copy(), []

        def f(nudged):
            touched.append(not np.array_equal(point, kept))
            return eval(x["code"], {"np": np, "x": nudged, "w": x.get("w")})  # noqa: S307 - the text is this file's own

        named = {"eps": x["eps"]} if "eps" in x else {}
        with np.errstate(all="ignore"):
            got = learner.numeric_grad(f, point, **named)
        return {
            "result": np.asarray(got) if isinstance(got, np.generic) else got,
            "touched": any(touched),
            "changed": not np.array_equal(point, kept),
            "aliased": isinstance(got, np.ndarray) and np.shares_memory(got, point),
        }

    def judge(self, x, got):
        point = x["x"].astype(np.float64)
        want = GRADIENTS[x["code"]](point, x.get("w"), x.get("eps", 0.0))
        what = ("the gradient", "el gradiente")
        wrong = same_array(got["result"], want, what, dtype=np.float64, rtol=1e-7, atol=1e-7)
        return first_wrong(touched(got) if wrong is None or got["changed"] else None, wrong)


# ------------------------------------------------------------------------------------------------ relative_error


@exercise("relative_error")
class RelativeError:
    """Large, small and negative numbers, both zero, below the floor, nan, no axis, an axis of length 0."""

    def inputs(self, rng):
        a = draw(rng, 2, 3) * np.array([100.0, 1.0, 0.01])
        nan = math.nan
        return [
            {"a": np.array([100.0, 0.0]), "b": np.array([101.0, 0.0])},
            {"a": np.array([1e-9]), "b": np.array([3e-9]), "floor": 1.0},
            {"a": np.array([2.0, -3.0]), "b": np.array([-2.0, 3.0])},
            {"a": np.array([-100.0, -5.0]), "b": np.array([-101.0, -4.0])},
            {"a": np.array([0.0, 0.00001]), "b": np.array([0.0001, 0.0])},
            {"a": np.array(4.0), "b": np.array(5.0)},
            {"a": np.array([1.0, nan, 2.0]), "b": np.array([1.1, 2.0, nan])},
            {"a": np.zeros((0, 2)), "b": np.zeros((0, 2)), "about": NO_ENTRIES},
            {"a": a, "b": a * np.round(rng.uniform(0.9, 1.1, (2, 3)), 3), "floor": 0.01},
        ]

    def observe(learner, x):
        import numpy as np

        a, b = x["a"].copy(), x["b"].copy()
        named = {"floor": x["floor"]} if "floor" in x else {}
        with np.errstate(all="ignore"):
            got = learner.relative_error(a, b, **named)
        same = np.array_equal(a, x["a"], equal_nan=True) and np.array_equal(b, x["b"], equal_nan=True)
        return {"result": np.asarray(got) if isinstance(got, np.generic) else got, "changed": not same}

    def judge(self, x, got):
        pairs = zip(x["a"].ravel().tolist(), x["b"].ravel().tolist(), strict=True)
        floor = x.get("floor", 1e-3)
        errors = [math.nan if a != a or b != b else abs(a - b) / max(abs(a), abs(b), floor) for a, b in pairs]
        want = np.array(errors, dtype=np.float64).reshape(x["a"].shape)
        wrong = same_array(got["result"], want, ("the error", "el error"), dtype=np.float64, rtol=1e-6, atol=1e-12)
        if got["changed"]:
            return Wrong("a or b has changed after the call", "a o b ha cambiado después de la llamada", hint=1)
        return wrong


# ------------------------------------------------------------------------------------------------------- at_kink

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

    def inputs(self, rng):
        mixed = draw(rng, 2, 3)
        mixed[0, 1] = mixed[1, 2] = 0.0
        return [
            {"code": "np.abs(x)", "x": np.array(0.0)},
            {"code": "np.abs(x)", "x": np.array(2.0)},
            {"code": "(x * x).sum()", "x": np.array([0.0, 3.0])},
            {"code": "40 * (x * x).sum()", "x": np.array([0.0])},
            {"code": "np.abs(x).sum()", "x": np.array([0.0, 2.0, -3.0])},
            {"code": "np.maximum(x, 0).sum()", "x": np.array([0.0, -1.5, 0.5])},
            {"code": "np.abs(x - 1).sum()", "x": np.array([1.0, 0.0])},
            {"code": "np.floor(x).sum()", "x": np.array([2.0, 2.5])},
            {"code": "np.sqrt(x).sum()", "x": np.array([0.0, 4.0])},
            {"code": "np.exp(x).sum()", "x": np.array([3.0, -1.0])},
            {"code": "30000 * (x * x).sum()", "x": np.array([1.0, -1.0])},
            {"code": "(x * np.where(x > 0, w, 1)).sum()", "x": np.zeros(3), "w": np.array([1.015, 1.004, 1.3])},
            {"code": "np.abs(x).sum()", "x": np.array([0.005, 0.015]), "eps": 0.01},
            {"code": "np.abs(x).sum()", "x": np.array([-1.0, 0.0]), "read_only": True},
            {"code": "np.abs(x).sum()", "x": np.zeros((2, 0)), "about": NO_ENTRIES},
            {"code": "(w * np.abs(x)).sum()", "x": mixed, "w": draw(rng, 2, 3), "layout": "F"},
        ]

    def observe(learner, x):
        import numpy as np

        point = x["x"].copy(order=x.get("layout", "C"))
        point.flags.writeable = not x.get("read_only", False)
        kept, touched = point.copy(), []

        def f(nudged):
            touched.append(not np.array_equal(point, kept))
            return eval(x["code"], {"np": np, "x": nudged, "w": x.get("w")})  # noqa: S307 - the text is this file's own

        named = {"eps": x["eps"]} if "eps" in x else {}
        with np.errstate(all="ignore"):
            got = learner.at_kink(f, point, **named)
        return {
            "result": np.asarray(got) if isinstance(got, np.generic) else got,
            "touched": any(touched),
            "changed": not np.array_equal(point, kept),
            "aliased": isinstance(got, np.ndarray) and np.shares_memory(got, point),
        }

    def judge(self, x, got):
        want = KINKS[x["code"]](x["x"], x.get("w"), x.get("eps", 1e-6))
        wrong = self.wrong(got["result"], want)
        return first_wrong(touched(got) if wrong is None or got["changed"] else None, wrong)

    def wrong(self, got, want):
        if not isinstance(got, np.ndarray) or got.shape != want.shape or got.dtype != np.bool_:
            return same_array(got, want, dtype=np.bool_)
        for index in np.ndindex(want.shape):
            if got[index] == want[index]:
                continue
            en, es = (f" in entry {list(index)}", f" en la entrada {list(index)}") if index else ("", "")
            if want[index]:
                said = Text(
                    f"f has a kink or a jump{en}, and your answer says smooth",
                    f"f tiene un pico o un salto{es}, y tu respuesta dice que es suave",
                )
            else:
                said = Text(
                    f"f is smooth{en}, and your answer says kink",
                    f"f es suave{es}, y tu respuesta dice que hay un pico",
                )
            return Wrong(said, expected=want.tolist(), got=got.tolist())
        return None


# ----------------------------------------------------------------------------------------------------- gradcheck

RIGHT = {  # the rules that are right for each op; every other one that stands below is wrong
    "x * x": {"g * 2 * x"},
    "x ** 3": {"g * 3 * x ** 2"},
    "x[::-1]": {"g[::-1]"},
    "np.maximum(x, 0)": {"g * (x > 0)"},
    "np.abs(x)": {"g * np.sign(x)"},
    "np.floor(x)": {"0 * g"},
    "np.sum(x)": {"g * np.ones(3)"},
    "x.sum(axis=0)": {"g * np.ones((2, 3))"},
    "x.sum(axis=1)": {"g[:, None] * np.ones((2, 3))"},
    "x - x.mean()": {"g - g.mean()"},
    "1000000 * x ** 3": {"g * 3000000 * x ** 2"},
    "(x - w) ** 2": {"g * 2 * (x - w)"},
    "w * x": {"g * w"},
}
TWICE = "np.stack([np.abs(x), -np.abs(x)])"  # two kinks that cancel in a plain sum
CLOSE = {("x * x", "g * 2.002 * x", 0.1), ("3 * x", "3.2 * g", 0.1)}  # wrong, but within a generous tolerance


@exercise("gradcheck", limit_s=3)
class Gradcheck:
    """Right rules that a careless check refuses, wrong ones that it lets through, and points that nobody can judge."""

    def inputs(self, rng):
        two, off_zero = np.array([3.0, -1.0]), np.array([1.5, -0.5])
        apart = np.array([[1000.0, 1.0, 1.0], [1.0, 1.0, 1.0]])
        return [
            {"op": "x * x", "rule": "g * 2 * x", "x": two},
            {"op": "x * x", "rule": "g * x", "x": two},
            {"op": "x * x", "rule": "2 * x", "x": two},
            {"op": "-x", "rule": "g", "x": two},
            {"op": "x ** 3", "rule": "g * 3 * x ** 2", "x": np.array(2.0)},
            {"op": "x ** 3", "rule": "g * 3 * x", "x": np.array(2.0)},
            {"op": "x[::-1]", "rule": "g", "x": two},
            {"op": "x[::-1]", "rule": "g[::-1]", "x": two},
            {"op": "np.maximum(x, 0)", "rule": "g * (x > 0)", "x": off_zero},
            {"op": "np.maximum(x, 0)", "rule": "g * (x > 0)", "x": np.array([0.0, 2.0])},
            {"op": "np.abs(x)", "rule": "g * np.sign(x)", "x": np.array([0.0, 1.0])},
            {"op": "np.abs(x)", "rule": "g * np.sign(x)", "x": np.array(0.0)},
            {"op": "np.abs(x)", "rule": "g", "x": np.array([0.0, -1.0])},
            {"op": TWICE, "rule": "(g[0] - g[1]) * np.sign(x)", "x": np.array([0.0, 1.0])},
            {"op": "np.floor(x)", "rule": "0 * g", "x": np.array([2.0, 2.5])},
            {"op": "np.maximum(x, 0)", "rule": "g * (x > 0)", "x": np.array([0.005, 1.0])},
            {"op": "np.maximum(x, 0)", "rule": "g * (x > 0)", "x": np.array([0.005, 1.0]), "eps": 0.01},
            {"op": "np.sum(x)", "rule": "g * np.ones(3)", "x": draw(rng, 3)},
            {"op": "np.sum(x)", "rule": "g", "x": draw(rng, 3)},
            {"op": "np.sum(x)", "rule": "g * np.ones(1)", "x": draw(rng, 3)},
            {"op": "x * x", "rule": "(g * 2 * x)[None]", "x": draw(rng, 3)},
            {"op": "x * x", "rule": "(g * 2 * x)[None]", "x": np.array(3.0)},
            {"op": "np.floor(x)", "rule": "0 * g", "x": off_zero, "tolerance": 0.0},
            {"op": "x.sum(axis=0)", "rule": "g * np.ones((2, 3))", "x": draw(rng, 2, 3)},
            {"op": "x.sum(axis=1)", "rule": "g[:, None] * np.ones((2, 3))", "x": draw(rng, 2, 3)},
            {"op": "x - x.mean()", "rule": "g - g.mean()", "x": draw(rng, 3)},
            {"op": "x - x.mean()", "rule": "0 * x", "x": draw(rng, 3)},
            {"op": "x * x", "rule": "g * 2.002 * x", "x": two},
            {"op": "x * x", "rule": "g * 2.002 * x", "x": two, "tolerance": 0.1},
            {"op": "0.0005 * x", "rule": "g * 0.000505", "x": two},
            {"op": "1000000 * x ** 3", "rule": "g * 3000000 * x ** 2", "x": two},
            {"op": "(x - w) ** 2", "rule": "g * 2 * (x - w)", "x": np.array([0.7, 1.9]), "w": np.array([0.7, 1.9])},
            {"op": "x * x", "rule": "g * 2 * x + np.array([0, np.nan])", "x": two},
            {"op": "x * x", "rule": "g * 2 * x + np.array([0, 0.01])", "x": two},
            {"op": "x * x", "rule": "g * 2 * x + np.array([0.01, 0])", "x": two},
            {"op": "x * x", "rule": "g * 2 * x + np.array([0.01, -0.01])", "x": two},
            {"op": "3 * x", "rule": "3 * g * np.array([1, 1, 1, 1.3])", "x": draw(rng, 4), "tolerance": 0.1},
            {"op": "3 * x", "rule": "3 * g * np.array([1, 1, 1.3, 1.3])", "x": draw(rng, 4), "tolerance": 0.1},
            {"op": "3 * x", "rule": "3.2 * g", "x": draw(rng, 4), "tolerance": 0.1},
            {"op": "w * x", "rule": "g * w", "x": draw(rng, 2, 3), "w": apart},
            {"op": "w * x", "rule": "g * (w + 0.002)", "x": draw(rng, 2, 3), "w": apart},
        ]

    def observe(learner, x):
        import numpy as np

        names = {"np": np, "w": x.get("w")}
        point = x["x"].copy()

        def op(at):
            return eval(x["op"], names | {"x": at})  # noqa: S307 - the text is this file's own

        def rule(g, at):
            return eval(x["rule"], names | {"g": g, "x": at})  # noqa: S307 - the text is this file's own

        named = {name: x[name] for name in ("eps", "tolerance") if name in x}
        try:
            got = learner.gradcheck(op, rule, point, **named)
        except ValueError as error:
            if "broadcast" in str(error):
                raise
            got = "ValueError"
        if isinstance(got, np.bool_):
            got = bool(got)
        return {"answer": got, "changed": not np.array_equal(point, x["x"])}

    def judge(self, x, got):
        op, rule, answer = x["op"], x["rule"], got["answer"]
        if got["changed"]:
            return Wrong("x has changed after the call", "x ha cambiado después de la llamada", hint=2)
        near = {
            "np.maximum(x, 0)": x["x"],
            "np.abs(x)": x["x"],
            TWICE: x["x"],
            "np.floor(x)": x["x"] - np.round(x["x"]),
        }
        if (np.abs(near.get(op, np.array(1.0))) < x.get("eps", 1e-6)).any():
            if answer == "ValueError":
                return None
            return Wrong(
                "there is a kink or a jump at x: nothing can be judged there, so a ValueError is asked for",
                "hay un pico o un salto en x: ahí no se puede juzgar nada, así que se pide un ValueError",
                expected="ValueError",
                got=answer,
                hint=4,
            )
        right = rule in RIGHT.get(op, ()) or (op, rule, x.get("tolerance")) in CLOSE
        if answer == "ValueError":
            return Wrong(
                "gradcheck raised a ValueError, but there is no kink and no jump at x",
                "gradcheck lanzó un ValueError, pero en x no hay ningún pico ni salto",
                expected=right,
                got="ValueError",
                hint=4,
            )
        if type(answer) is bool and answer is not right:
            said = (
                ("this rule is right, and gradcheck refused it", "esta regla es correcta, y gradcheck la rechazó")
                if right
                else ("this rule is wrong, and gradcheck accepted it", "esta regla es falsa, y gradcheck la aceptó")
            )
            unseen = not right and (op == "np.sum(x)" or "[None]" in rule or "nan" in rule)
            return Wrong(*said, expected=right, got=answer, hint=3 if unseen else 1)
        return same_value(answer, right, ("the answer", "la respuesta"))
