"""How `gradcheck` of lesson 07 is judged: rules as text, right and wrong ones, at smooth points and at kinks."""

import numpy as np

from minitorch.course.judging.checks import Message, Wrong, exercise, same_value, with_hint


def draw(rng, *shape):
    """Numbers between 0.5 and 2 with random signs and few digits."""
    return np.round(rng.choice([-1.0, 1.0], shape) * rng.uniform(0.5, 2.0, shape), 3)


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
    "3 * x": {"3 * g"},
    "A @ x": {"g @ A"},
}
COARSE = "x ** 3 + x"  # at 0 a step of 0.01 measures a slope of 1.0001: no rule agrees with that within 0.00001
TWICE = "np.stack([np.abs(x), -np.abs(x)])"  # two kinks that cancel in a plain sum
CLOSE = {("x * x", "g * 2.002 * x", 0.1), ("3 * x", "3.2 * g", 0.1)}  # wrong, but within a generous tolerance
OTHER_SHAPE = {("np.sum(x)", "g"), ("np.sum(x)", "g * np.ones(1)"), ("x * x", "(g * 2 * x)[None]")}


@exercise("gradcheck", limit_s=3)
class Gradcheck:
    """Right rules that a careless check refuses, wrong ones that it lets through, and points that nobody can judge."""

    in_order = True

    def inputs(self, rng):
        two, off_zero = np.array([3.0, -1.0]), np.array([1.5, -0.5])
        apart = np.array([[1000.0, 1.0, 1.0], [1.0, 1.0, 1.0]])
        return [
            {"op": "x * x", "rule": "g * 2 * x", "x": two},
            {"op": "x * x", "rule": "g * x", "x": two},
            {"op": "x * x", "rule": "2 * x", "x": two},
            {"op": "-x", "rule": "g", "x": two},
            {"op": "x[::-1]", "rule": "g", "x": two},
            {"op": "x[::-1]", "rule": "g[::-1]", "x": two},
            {"op": "3 * x", "rule": "3 * np.abs(g)", "x": two},
            {"op": "3 * x", "rule": "3 * np.maximum(g, 0)", "x": two},
            {"op": "3 * x", "rule": "3 * np.abs(g)", "x": np.array(2.0)},
            {"op": "3 * x", "rule": "-3 * np.abs(g)", "x": np.array(2.0)},
            {"op": "A @ x", "rule": "g @ A", "x": two},
            {"op": "A @ x", "rule": "A @ g", "x": two},
            {"op": "np.maximum(x, 0)", "rule": "g * (x > 0)", "x": off_zero},
            {"op": "np.maximum(x, 0)", "rule": "g * (g > 0)", "x": np.array([1.5, 0.5])},
            {"op": "np.maximum(x, 0)", "rule": "g * (x > 0)", "x": np.array([0.0, 2.0])},
            {"op": "np.abs(x)", "rule": "g * np.sign(x)", "x": np.array([0.0, 1.0])},
            {"op": "np.abs(x)", "rule": "g", "x": np.array([0.0, -1.0])},
            {"op": TWICE, "rule": "(g[0] - g[1]) * np.sign(x)", "x": np.array([0.0, 1.0])},
            {"op": "np.abs(x)", "rule": "(g * np.sign(x))[None]", "x": np.array([0.0, 1.0])},
            {"op": "np.floor(x)", "rule": "0 * g", "x": np.array([2.0, 2.5])},
            {"op": "np.maximum(x, 0)", "rule": "g * (x > 0)", "x": np.array([0.005, 1.0])},
            {"op": "np.maximum(x, 0)", "rule": "g * (x > 0)", "x": np.array([0.005, 1.0]), "eps": 0.01},
            {"op": "np.sum(x)", "rule": "g * np.ones(3)", "x": draw(rng, 3)},
            {"op": "np.sum(x)", "rule": "g", "x": draw(rng, 3)},
            {"op": "np.sum(x)", "rule": "g * np.ones(1)", "x": draw(rng, 3)},
            {"op": "x * x", "rule": "(g * 2 * x)[None]", "x": draw(rng, 3)},
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
            {"op": COARSE, "rule": "g * (3 * x ** 2 + 1)", "x": np.array([0.0, 0.0]), "eps": 0.01},
            {"op": "x ** 3", "rule": "g * 3 * x ** 2", "x": np.array(2.0)},
            {"op": "x ** 3", "rule": "g * 3 * x", "x": np.array(2.0)},
            {"op": "np.abs(x)", "rule": "g * np.sign(x)", "x": np.array(0.0)},
            {"op": "x * x", "rule": "(g * 2 * x)[None]", "x": np.array(3.0)},
        ]

    def given():
        """Let shared generators draw the same numbers in every run: a g drawn anew gets the same verdict each time."""
        import random

        import numpy as np

        random.seed(0)
        np.random.seed(0)  # noqa: NPY002 - it is the one that learners use

    def observe(learner, x, given):
        import numpy as np

        given()
        names = {"np": np, "w": x.get("w"), "A": np.array([[1.0, 2.0], [3.0, 4.0]])}
        point = x["x"].copy()

        def op(at):
            return eval(x["op"], names | {"x": at})  # noqa: S307 - the text is this file's own

        def rule(g, at):
            return eval(x["rule"], names | {"g": g, "x": at})  # noqa: S307 - the text is this file's own

        named = {name: x[name] for name in ("eps", "tolerance") if name in x}
        try:
            got = learner.gradcheck(op, rule, point, **named)
        except ValueError as error:
            if "array" in str(error) or "broadcast" in str(error):
                raise  # NumPy's own
            return {"raised": "ValueError", "text": str(error)[:200], "x after": point}
        return {"answer": bool(got) if isinstance(got, np.bool_) else got, "x after": point}

    def line(self, x):
        arrays = ["A = np.array([[1.0, 2.0], [3.0, 4.0]])"] if "A" in x["op"] else []
        arrays += [f"{name} = np.array({x[name].tolist()!r})" for name in ("w", "x") if name in x]
        named = "".join(f", {name}={x[name]}" for name in ("eps", "tolerance") if name in x)
        return "; ".join([*arrays, f"m.gradcheck(lambda x: {x['op']}, lambda g, x: {x['rule']}, x{named})"])

    def wanted(self, x):
        return "ValueError" if self.at_a_kink(x) else None

    def compared(self, x, got):
        """The same for every text of an error."""
        kept = {name: value for name, value in got.items() if name in ("answer", "raised")}
        return kept | {"changed": not np.array_equal(got["x after"], x["x"])}

    def at_a_kink(self, x):
        near = {
            "np.maximum(x, 0)": x["x"],
            "np.abs(x)": x["x"],
            TWICE: x["x"],
            "np.floor(x)": x["x"] - np.round(x["x"]),
        }
        return bool((np.abs(near.get(x["op"], np.array(1.0))) < x.get("eps", 1e-6)).any())

    def judge(self, x, got):
        op, rule = x["op"], x["rule"]
        if not np.array_equal(got["x after"], x["x"]):
            return Wrong(
                "x has changed after the call",
                expected=x["x"],
                got=got["x after"],
                hint=Message("Nudge copies of x, never x itself."),
            )
        if self.at_a_kink(x):
            if "raised" in got:
                return None
            return Wrong(
                "there is a kink or a jump at x: nothing can be judged there, so a ValueError is wanted",
                expected="ValueError",
                got=got["answer"],
                hint=4,
            )
        right = rule in RIGHT.get(op, ()) or (op, rule, x.get("tolerance")) in CLOSE
        if "raised" in got:
            return Wrong(
                "gradcheck raised a ValueError of its own, but f has no kink and no jump at x",
                expected=right,
                got=f"ValueError: {got['text']}",
                hint=4,
            )
        answer = got["answer"]
        if answer is True and op == COARSE:
            return Wrong(
                "with eps = 0.01 the measured slope is 1.0001, too far from the rule's 1.0, and gradcheck accepted it",
                expected=False,
                got=True,
                hint=Message("numeric_grad takes eps, too."),
            )
        if type(answer) is bool and answer is not right:
            said = (
                Message("this rule is right, and gradcheck refused it")
                if right
                else Message("this rule is wrong, and gradcheck accepted it")
            )
            if (op, rule) in OTHER_SHAPE:
                said = Message("this rule's gradient has another shape than x, and gradcheck accepted it")
            return Wrong(said, expected=right, got=answer, hint=self.hint(x, right))
        wrong = same_value(answer, right, Message("the answer"))
        return wrong and with_hint(
            wrong,
            Message("The answer is one bool, True or False, for the whole rule: np.all(...) makes one of many."),
        )

    def hint(self, x, right):
        """What helps with a rule that was judged wrongly: the number that is measured, g, shapes or entries."""
        if right:
            return 1
        op, rule = x["op"], x["rule"]
        if op == "np.sum(x)" or "[None]" in rule or "nan" in rule or "np.array" in rule or op == "w * x":
            return 3
        return 2 if "g" not in rule or "(g" in rule or op in ("x[::-1]", "x - x.mean()") else None
