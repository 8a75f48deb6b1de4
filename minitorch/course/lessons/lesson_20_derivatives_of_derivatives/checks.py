"""How the answers of lesson 20 are judged: what goes forward, dual numbers and jvp.

What is expected is worked out from the formulas of the derivatives, written out by hand.
"""

import numpy as np

from minitorch.course.judging.checks import (
    Message,
    Wrong,
    exercise,
    first_wrong,
    same_number,
    with_hint,
)


def numbers(rng, count, low=0.5, high=2.0):
    """So many floats between low and high, rounded so that they can be read."""
    return [round(float(each), 2) for each in rng.uniform(low, high, count)]


# --------------------------------------------------------------------------------------------------------------- Dual

# By the expression: value and tangent, from a, b and their tangents da, db.
RULES = {
    "a + b": lambda a, b, da, db: (a + b, da + db),
    "a - b": lambda a, b, da, db: (a - b, da - db),
    "a * b": lambda a, b, da, db: (a * b, da * b + a * db),
    "a * a": lambda a, b, da, db: (a * a, 2 * a * da),
    "a + 2.0": lambda a, b, da, db: (a + 2, da),
    "2.0 + a": lambda a, b, da, db: (a + 2, da),
    "a - 2.0": lambda a, b, da, db: (a - 2, da),
    "2.0 - a": lambda a, b, da, db: (2 - a, -da),
    "a * 2": lambda a, b, da, db: (2 * a, 2 * da),
    "1 - a": lambda a, b, da, db: (1 - a, -da),
    "a * 5.0": lambda a, b, da, db: (5 * a, 5 * da),
    "5.0 * a": lambda a, b, da, db: (5 * a, 5 * da),
    "a.exp()": lambda a, b, da, db: (np.exp(a), np.exp(a) * da),
    "a.relu()": lambda a, b, da, db: (max(a, 0.0), da if a > 0 else 0.0),
    "(a * b).exp() - a * a": lambda a, b, da, db: (
        np.exp(a * b) - a * a,
        np.exp(a * b) * (da * b + a * db) - 2 * a * da,
    ),
}


@exercise("dual")
class DualNumbers:
    """Each operation with two Duals, with a number on either side; relu beside its kink and at it; all in one."""

    in_order = True

    def inputs(self, rng):
        def case(code, a, da, b=None, db=None):
            return {"code": code, "a": (a, da)} | ({} if b is None else {"b": (b, db)})

        two = [case(code, 3.0, 2.0, 5.0, -7.0) for code in ("a + b", "a - b", "a * b")]
        one = ["a * a", "a + 2.0", "2.0 + a", "a - 2.0", "2.0 - a", "a * 5.0", "5.0 * a", "a * 2", "1 - a"]
        alone = [case(code, 3.0, 2.0) for code in one]
        curved = [case("a.exp()", 0.5, 3.0), case("a.relu()", 3.0, 2.0), case("a.relu()", 3.0, -2.0)]
        curved.append(case("a.relu()", -1.0, 2.0))
        return [*two, *alone, *curved, case("a.relu()", 0.0, 2.0), case("(a * b).exp() - a * a", *numbers(rng, 4))]

    def line(self, x):
        made = "; ".join(f"{name} = m.Dual{x[name]}" for name in ("a", "b") if name in x)
        return f"{made}; out = {x['code']}; (out.value, out.tangent)"

    def observe(learner, x):
        given = {name: learner.Dual(*x[name]) for name in ("a", "b") if name in x}
        out = eval(x["code"], {}, given)  # noqa: S307 - the text is this file's own
        if isinstance(out, (int, float)) or out is None:
            return {"no dual": type(out).__name__}
        return {
            "value": out.value,
            "tangent": out.tangent,
            "after": {name: (each.value, each.tangent) for name, each in given.items()},
        }

    def judge(self, x, got):
        if "no dual" in got:
            return Wrong("{code} must be a Dual", code=x["code"], expected="Dual", got=got["no dual"])
        (a, da), (b, db) = x["a"], x.get("b", (0.0, 0.0))
        value, tangent = RULES[x["code"]](a, b, da, db)
        for name, after in got["after"].items():
            if tuple(after) != tuple(x[name]):
                return Wrong("{name} was changed: make a new Dual", name=name, expected=x[name], got=after)
        hint = 2 if "*" in x["code"] else 3
        return first_wrong(
            with_hint(same_number(got["value"], float(value), Message("the value of {code}", code=x["code"])), 1),
            with_hint(
                same_number(got["tangent"], float(tangent), Message("the tangent of {code}", code=x["code"])),
                hint,
            ),
        )


# ---------------------------------------------------------------------------------------------------------------- jvp

# By the expression: the value at x, and the gradient there.
SLOPES = {
    "p[0] * p[1]": lambda x: (x[0] * x[1], [x[1], x[0]]),
    "p[0] * p[0]": lambda x: (x[0] ** 2, [2 * x[0]]),
    "p[0] - p[1] * p[1] * p[2]": lambda x: (x[0] - x[1] ** 2 * x[2], [1.0, -2 * x[1] * x[2], -(x[1] ** 2)]),
    "(p[0] * p[1]).exp()": lambda x: (np.exp(x[0] * x[1]), [np.exp(x[0] * x[1]) * x[1], np.exp(x[0] * x[1]) * x[0]]),
    "p[0].exp() * p[1]": lambda x: (np.exp(x[0]) * x[1], [np.exp(x[0]) * x[1], np.exp(x[0])]),
    "p[0].relu() + 0.0 * p[1]": lambda x: (max(x[0], 0.0), [float(x[0] > 0), 0.0]),
    "5.0": lambda x: (5.0, [0.0] * len(x)),
    "5": lambda x: (5.0, [0.0] * len(x)),
}


def pass_seen(learner, x):
    """Given code: what jvp returned, how often f was run, and whether both lists are as they were."""
    runs = []

    def f(p):
        runs.append(1)
        return eval(x["code"], {}, {"p": p})  # noqa: S307 - the text is this file's own

    numbers, speeds = list(x["x"]), list(x["v"])
    try:
        out = learner.jvp(f, numbers, speeds)
    except ValueError:
        out = "ValueError"
    seen = {"out": list(out) if isinstance(out, (tuple, list)) else out, "runs": len(runs)}
    return seen | {"as it was": numbers == x["x"] and speeds == x["v"]}


def observe_pass(learner, x, given):
    """What `pass_seen` saw; all of it happens beside the learner's code."""
    return given(learner, x)


@exercise("jvp")
class Jvp:
    """One input; two, along an axis and slanted; three; a curve; inputs at rest; an f without x; lengths differ."""

    in_order = True
    observe, given = observe_pass, pass_seen

    def inputs(self, rng):
        def case(code, x, v):
            return {"code": code, "x": x, "v": v}

        return [
            case("p[0] * p[0]", [3.0], [1.0]),
            case("p[0] * p[1]", [3.0, 4.0], [1.0, 0.0]),
            case("p[0] * p[1]", [3.0, 4.0], [2.0, 5.0]),
            case("p[0] - p[1] * p[1] * p[2]", numbers(rng, 3), numbers(rng, 3, 1.2, 3.0)),
            case("(p[0] * p[1]).exp()", numbers(rng, 2), [-1.0, 3.0]),
            case("p[0].relu() + 0.0 * p[1]", [-2.0, 1.0], [1.0, 1.0]),
            case("p[0].exp() * p[1]", numbers(rng, 2), [0.0, 2.0]),
            case("p[0] * p[1]", [3.0, 4.0], [0.0, 0.0]),
            case("5.0", [1.0], [1.0]),
            case("5", [1.0], [1.0]),
            case("p[0] * p[1]", [3.0, 4.0], [1.0]),
            case("p[0] * p[1]", [3.0, 4.0], [1.0, 1.0, 1.0]),
        ]

    def line(self, x):
        return f"m.jvp(lambda p: {x['code']}, {x['x']}, {x['v']})"

    def wanted(self, x):
        return None if len(x["x"]) == len(x["v"]) else "ValueError"

    def judge(self, x, got):
        out = got["out"]
        if self.wanted(x):
            if out == "ValueError":
                return None
            return Wrong(
                "x and v differ in length, and jvp did not refuse: raise ValueError",
                expected="ValueError",
                got=out,
                hint=3,
            )
        value, slope = SLOPES[x["code"]](x["x"])
        tangent = float(np.dot(slope, x["v"]))
        if not isinstance(out, list) or len(out) != 2:
            return Wrong(
                "jvp must return two numbers: the value and the tangent", expected=(float(value), tangent), got=out
            )
        if got["runs"] != 1:
            return Wrong(
                "f was run {runs} times: one pass gives both numbers",
                runs=got["runs"],
                expected="1",
                got=str(got["runs"]),
                hint=2,
            )
        if not got["as it was"]:
            return Wrong(
                "after the call the list x or v holds something else than before: make a new list for f", hint=2
            )
        return first_wrong(
            with_hint(same_number(out[0], float(value), Message("the value")), 2),
            with_hint(same_number(out[1], tangent, Message("the tangent")), 1),
        )
