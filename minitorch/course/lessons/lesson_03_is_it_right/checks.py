"""How the answers of lesson 03 are judged.

A function is given as text, and a case reads like code: `x * x (x = 3.0)`. The child makes the function of it; nothing
of lessons 01 and 02 is needed. How `find_bug` is judged stands in `checks_find_bug.py`.
"""

import math

from minitorch.course.judging.checks import Message, Wrong, exercise, same_number, with_hint

ONE_BOOL = Message("The answer is True or False.")


def observe_slopes(learner, x):
    """Call the function that a case is for with a function of one number."""
    import math

    import numpy as np

    def f(at):
        return eval(x["code"], {"x": at, "math": math, "nan": math.nan})  # noqa: S307 - the text is this file's own

    named = {"eps": x["eps"]} if "eps" in x else {}
    got = getattr(learner, x["of"])(f, x["x"], **named)
    return bool(got) if isinstance(got, np.bool_) else got


def line_of(x):
    """The case as a statement."""
    eps = f", eps={x['eps']}" if "eps" in x else ""
    code = x["code"].replace("nan", "float('nan')")
    made = "import math; " if "math" in code else ""
    return f"{made}m.{x['of']}(lambda x: {code}, {x['x']}{eps})"


def draw(rng):
    """A number between 0.5 and 2 with a random sign and few digits."""
    return round(float(rng.choice([-1.0, 1.0]) * rng.uniform(0.5, 2.0)), 3)


SLOPES = {  # by the function's text: its exact slope, and for a coarse eps what the formula gives
    "x * x": lambda x, eps: 2 * x,
    "7 - 2 * x": lambda x, eps: -2.0,
    "x ** 3": lambda x, eps: 3 * x**2 + eps**2,
    "x ** 3 - 4 * x": lambda x, eps: 3 * x**2 - 4 + eps**2,
    "x ** 5": lambda x, eps: 5 * x**4 + 10 * x**2 * eps**2 + eps**4,
    "math.sin(x)": lambda x, eps: math.cos(x),
    "1 / x": lambda x, eps: -1 / x**2,
    "5.0": lambda x, eps: 0.0,
}


@exercise("numeric_grad")
class NumericGrad:
    """A square, a line, a curve with a coarse step; at 0, below 0, at whole numbers; a constant."""

    in_order = True

    def inputs(self, rng):
        return [
            {"of": "numeric_grad"} | case
            for case in (
                {"code": "x * x", "x": 3.0},
                {"code": "7 - 2 * x", "x": 1.5},
                {"code": "x ** 3", "x": 2.0, "eps": 0.1},
                {"code": "x ** 3 - 4 * x", "x": -1.5, "eps": 0.5},
                {"code": "x * x", "x": 0.0},
                {"code": "x * x", "x": 5},
                {"code": "math.sin(x)", "x": draw(rng)},
                {"code": "1 / x", "x": draw(rng)},
                {"code": "5.0", "x": 2.0},
                {"code": "x ** 5", "x": 1.0, "eps": 0.1},
            )
        ]

    observe = observe_slopes

    def line(self, x):
        return line_of(x)

    def judge(self, x, got):
        want = SLOPES[x["code"]](x["x"], x.get("eps", 0.0))
        what = Message("the slope")
        hint = 3 if got is None else 2 if x["x"] == 0 else 1
        return with_hint(same_number(got, want, what, rtol=1e-7, atol=1e-7), hint)


# ------------------------------------------------------------------------------------------------ relative_error


@exercise("relative_error")
class RelativeError:
    """Large, small and negative numbers, opposite signs, both zero, below the floor, nan."""

    in_order = True

    def inputs(self, rng):
        near, nan = draw(rng), math.nan
        return [
            {"a": 100.0, "b": 101.0},
            {"a": 3.0, "b": 2.0},
            {"a": 2.0, "b": -2.0},
            {"a": -101.0, "b": -100.0},
            {"a": 5.0, "b": 5.0},
            {"a": 0.0, "b": 0.0},
            {"a": 0.0, "b": 0.0001},
            {"a": 0.002, "b": 0.0},
            {"a": 1e-9, "b": 3e-9, "floor": 1.0},
            {"a": near, "b": round(near * float(rng.uniform(0.9, 1.1)), 3), "floor": 0.01},
            {"a": nan, "b": 2.0},
            {"a": 1.0, "b": nan},
        ]

    def observe(learner, x):
        named = {"floor": x["floor"]} if "floor" in x else {}
        return learner.relative_error(x["a"], x["b"], **named)

    def line(self, x):
        a, b = (str(x[name]).replace("nan", "float('nan')") for name in "ab")
        floor = f", floor={x['floor']}" if "floor" in x else ""
        return f"m.relative_error({a}, {b}{floor})"

    def judge(self, x, got):
        a, b, floor = x["a"], x["b"], x.get("floor", 1e-3)
        want = math.nan if math.isnan(a + b) else abs(a - b) / max(abs(a), abs(b), floor)
        if math.isnan(want) and isinstance(got, float) and not math.isnan(got):
            return Wrong(
                "one of the two is nan, and the error is not",
                expected="nan",
                got=got,
                hint=Message("Whatever is computed from nan is nan."),
            )
        hint = 3 if got is None else 1 if abs(a - b) == got else 2
        return with_hint(same_number(got, want, Message("the error"), rtol=1e-6, atol=1e-12), hint)


# ------------------------------------------------------------------------------------------------------- at_kink

WEAK = "x * (1.015 if x > 0 else 1)"
WEAKER = "x * (1.004 if x > 0 else 1)"
EDGE = "math.sqrt(x) if x >= 0 else nan"
KINKS = {  # by the function's text: whether there is a kink or a jump within eps of x
    "abs(x)": lambda x, eps: abs(x) < eps,
    "max(x, 0.0)": lambda x, eps: abs(x) < eps,
    "max(0.0, -x)": lambda x, eps: abs(x) < eps,
    "0.3 * abs(x)": lambda x, eps: abs(x) < eps,
    "abs(x - 1)": lambda x, eps: abs(x - 1) < eps,
    "math.floor(x)": lambda x, eps: abs(x - round(x)) < eps,
    EDGE: lambda x, eps: x < eps,
    WEAK: lambda x, eps: abs(x) < eps,
}


@exercise("at_kink")
class AtKink:
    """Kinks at zero and elsewhere, a jump, the edge of a domain; and smooth places that look like one."""

    in_order = True

    def inputs(self, rng):
        return [
            {"of": "at_kink"} | case
            for case in (
                {"code": "abs(x)", "x": 0.0},
                {"code": "abs(x)", "x": 2.0},
                {"code": "x * x", "x": 3.0},
                {"code": "max(x, 0.0)", "x": 0.0},
                {"code": "max(0.0, -x)", "x": 0.0},
                {"code": "max(x, 0.0)", "x": draw(rng)},
                {"code": "abs(x - 1)", "x": 1.0},
                {"code": "x * x", "x": 0.0},
                {"code": "40 * x * x", "x": 0.0},
                {"code": "30000 * x * x", "x": 1.0},
                {"code": "math.floor(x)", "x": 2.0},
                {"code": "abs(x)", "x": 0.005, "eps": 0.01},
                {"code": "x * x", "x": 0.0, "eps": 0.004},
                {"code": "0.3 * abs(x)", "x": 0.0},
                {"code": WEAK, "x": 0.0},
                {"code": WEAKER, "x": 0.0},
                {"code": EDGE, "x": 0.0},
            )
        ]

    observe = observe_slopes

    def line(self, x):
        return line_of(x)

    def judge(self, x, got):
        want = bool(KINKS.get(x["code"], lambda x, eps: False)(x["x"], x.get("eps", 1e-6)))
        if got is want:
            return None
        if type(got) is not bool:
            return Wrong(
                "the answer is neither True nor False",
                expected=want,
                got=got if got is not None else "None",
                hint=ONE_BOOL,
            )
        said = (
            Message("f has a kink or a jump here, and your answer says smooth")
            if want
            else Message("f is smooth here, and your answer says kink")
        )
        return Wrong(said, expected=want, got=got, hint=3 if x["code"] == EDGE or not want else 1)


# ---------------------------------------------------------------------------------------------------------- bend

BENDS = {  # by the function's text: its exact bend, and for a coarse eps what three points give
    "x * x": lambda x, eps: 2.0,
    "7 - 2 * x": lambda x, eps: 0.0,
    "x ** 3": lambda x, eps: 6 * x,
    "x ** 4": lambda x, eps: 12 * x**2 + 2 * eps**2,
    "3 * x - 5 * x * x": lambda x, eps: -10.0,
    "math.cos(x)": lambda x, eps: -math.cos(x),
}


@exercise("bend")
class Bend:
    """A parabola, a line, a curve that bends down, a coarse step, a point where the bend is 0."""

    in_order = True

    def inputs(self, rng):
        return [
            {"of": "bend"} | case
            for case in (
                {"code": "x * x", "x": 5.0},
                {"code": "7 - 2 * x", "x": 5.0},
                {"code": "3 * x - 5 * x * x", "x": 1.0},
                {"code": "x ** 3", "x": 2.0},
                {"code": "x ** 3", "x": 0.0},
                {"code": "x ** 4", "x": 1.5, "eps": 0.1},
                {"code": "x ** 4", "x": -1.0, "eps": 0.5},
                {"code": "math.cos(x)", "x": draw(rng)},
            )
        ]

    observe = observe_slopes

    def line(self, x):
        return line_of(x)

    def judge(self, x, got):
        want = BENDS[x["code"]](x["x"], x.get("eps", 0.0))
        hint = 3 if got is None else 2 if "eps" in x else 1
        return with_hint(same_number(got, want, Message("the bend"), rtol=1e-5, atol=1e-5), hint)
