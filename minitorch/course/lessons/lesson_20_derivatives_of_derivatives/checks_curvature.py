"""How the answers of lesson 20 are judged: what is walked back twice, hvp, newton_step and gradient_penalty.

What is expected is worked out from the formulas of the first and second derivatives, written out by hand.
"""

import numpy as np

from minitorch.course.judging.arrays import rewritten
from minitorch.course.judging.checks import (
    Message,
    Wrong,
    as_python,
    drawn,
    exercise,
    first_wrong,
    judged_array,
)

# -------------------------------------------------------------------------------------------- functions with a Hessian

ROSENBROCK = "(1 - p[0]) ** 2 + 100 * (p[1] - p[0] * p[0]) ** 2"
BENT = "(p * p).sum() ** 2 + (p * p * p).sum()"


def bent_hessian(x):
    return 8 * np.outer(x, x) + np.diag(4 * (x @ x) + 6 * x)


# By the expression: the gradient and the Hessian at x.
CURVES = {
    "(p * p * p).sum()": lambda x: (3 * x * x, np.diag(6 * x)),
    "p[0] * p[0] * p[1]": lambda x: (
        np.array([2 * x[0] * x[1], x[0] ** 2]),
        np.array([[2 * x[1], 2 * x[0]], [2 * x[0], 0]]),
    ),
    "(p * p).sum()": lambda x: (2 * x, 2 * np.eye(len(x))),
    "p[0] * p[0] + p[0] * p[1] + 2.0 * p[1] * p[1]": lambda x: (
        np.array([2 * x[0] + x[1], x[0] + 4 * x[1]]),
        np.array([[2.0, 1.0], [1.0, 4.0]]),
    ),
    ROSENBROCK: lambda x: (
        np.array([-2 * (1 - x[0]) - 400 * x[0] * (x[1] - x[0] ** 2), 200 * (x[1] - x[0] ** 2)]),
        np.array([[2 - 400 * x[1] + 1200 * x[0] ** 2, -400 * x[0]], [-400 * x[0], 200.0]]),
    ),
    BENT: lambda x: (4 * (x @ x) * x + 3 * x * x, bent_hessian(x)),
    "p.relu().sum()": lambda x: ((x > 0) * 1.0, np.zeros((len(x), len(x)))),
    "(p.relu() * p.relu()).sum()": lambda x: (2 * x * (x > 0), np.diag(2.0 * (x > 0))),
    "p[0] * p[0] - p[1] * p[1]": lambda x: (np.array([2 * x[0], -2 * x[1]]), np.diag([2.0, -2.0])),
    "0.0001 * (p * p).sum()": lambda x: (2e-4 * x, 2e-4 * np.eye(len(x))),
    "(p * w).sum()": lambda x: (np.array([3.0, -1.0]), np.zeros((2, 2))),
    "(p * 3.0).sum()": lambda x: (np.full(len(x), 3.0), np.zeros((len(x), len(x)))),
}


def no_tensor(got, name):
    """Say that what came back is no Recorded."""
    return Wrong("{name} must return a Recorded", name=name, expected="Recorded", got=got["no tensor"])


def made_a_leaf(wants):
    """Say that x wants a gradient after the call, where it wanted none."""
    if not wants:
        return None
    return Wrong(
        "x was changed: after the call it wants a gradient. Take a leaf of your own",
        expected="x.requires_grad = False",
        got=True,
    )


def product_seen(learner, x):
    """Given code: the product, where f was run and how often a walk went through it, and what became of x and v."""
    import numpy as np

    walks, places, w = [], [], learner.Recorded([3.0, -1.0], requires_grad=True)

    def f(p):
        q = p * 1.0
        places.append(np.array(q.detach().numpy()))
        if q.requires_grad:
            q.register_hook(lambda g: walks.append(1))
        return eval(x["code"], {}, {"p": q, "w": w})  # noqa: S307 - the text is this file's own

    place, v = (learner.Recorded(x[name].copy(), requires_grad=x["leaf"]) for name in ("x", "v"))
    out = learner.hvp(f, place, v)
    if not isinstance(out, learner.Recorded):
        return {"no tensor": type(out).__name__}
    return {
        "out": np.array(out.detach().numpy()),
        "open": out.requires_grad,
        "walks": len(walks),
        "places": places[:9],
        "grads": [None if each.grad is None else np.array(each.grad) for each in (place, v, w)],
        "wants": [place.requires_grad, v.requires_grad],
        "after": {"x": np.array(place.detach().numpy()), "v": np.array(v.detach().numpy())},
    }


def observe_product(learner, x, given):
    """What `product_seen` saw; all of it happens beside the learner's code."""
    return given(learner, x)


@exercise("hvp", limit_s=4)
class Hvp:
    """Cubes; a mixed product; Rosenbrock; many inputs, walks counted; x, v that want a gradient; relu; straight f."""

    in_order = True
    observe, given = observe_product, product_seen

    def inputs(self, rng):
        def case(code, x, v, leaf=False):
            return {"code": code, "x": np.array(x), "v": np.array(v), "leaf": leaf}

        return [
            case("(p * p * p).sum()", [1.0, 2.0], [1.0, 1.0]),
            case("p[0] * p[0] * p[1]", [3.0, 2.0], [1.0, 2.0]),
            case(ROSENBROCK, [-1.2, 1.0], [1.0, 2.0]),
            case(BENT, drawn(rng, 6), drawn(rng, 6)),
            case("(p * p * p).sum()", drawn(rng, 3), drawn(rng, 3), leaf=True),
            case("(p.relu() * p.relu()).sum()", [1.0, -2.0], [3.0, 5.0]),
            case("(p * p).sum()", [0.0, 0.0], [1.0, 2.0]),
            case("p.relu().sum()", [1.0, -2.0], [1.0, 2.0]),
            case("(p * 3.0).sum()", [1.0, -2.0], [1.0, 2.0], leaf=True),
            case("(p * w).sum()", [1.0, -2.0], [1.0, 2.0]),
        ]

    def line(self, x):
        leaf = ", requires_grad=True" if x["leaf"] else ""
        place, v = (f"m.Recorded({as_python(x[name])}{leaf})" for name in ("x", "v"))
        w = "w = m.Recorded([3.0, -1.0], requires_grad=True); " if "w" in x["code"] else ""
        return f"{w}m.hvp(lambda p: {x['code']}, {place}, {v}).numpy()"

    def compared(self, x, got):
        return got if "no tensor" in got else {**got, "walks": got["walks"] > 4, "places": self.beside(x, got) is None}

    def judge(self, x, got):
        if "no tensor" in got:
            return no_tensor(got, "hvp")
        _, hessian = CURVES[x["code"]](x["x"])
        kept = None
        for name, each in zip("xvw", got["grads"], strict=True):
            if each is not None and kept is None:
                kept = Wrong("{name}.grad was written", name=name, expected=None, got=each, hint=2)
        for name, wants in zip("xv", got["wants"], strict=True):
            if wants is not x["leaf"] and kept is None:
                kept = Wrong(
                    "{name} was changed: after the call {name}.requires_grad is {wants}",
                    name=name,
                    wants=wants,
                    expected=x["leaf"],
                    got=wants,
                    hint=2,
                )
        walks = None
        if got["walks"] > 4:
            walks = Wrong(
                "{walks} walks went back through f, which has {x} inputs: two are enough",
                walks=got["walks"],
                x=len(x["x"]),
                expected="2",
                got=str(got["walks"]),
                hint=1,
            )
        beside, near = self.beside(x, got), None
        if beside is not None:
            near = Wrong(
                "f was run beside x: a difference of two slopes is rounded, and H @ v can be had exactly, at x",
                expected=x["x"],
                got=beside,
                hint=1,
            )
        still = None
        if got["open"]:
            still = Wrong("the product still needs a gradient: detach it", expected="requires_grad = False", got=True)
        return first_wrong(
            rewritten(x, got["after"], "x", "v"),
            judged_array(got["out"], hessian @ x["v"], "H @ v", rtol=1e-8, atol=1e-10),
            near,
            kept,
            walks,
            still,
        )

    def beside(self, x, got):
        """The first place other than x where f was run, or None."""
        return next((each for each in got["places"] if not np.array_equal(each, x["x"])), None)


# ------------------------------------------------------------------------------------------------------------- Newton


def step_seen(learner, x):
    """Given code: where the step led, or how it was refused, and what became of x."""
    import numpy as np

    place = learner.Recorded(x["x"].copy())
    try:
        out = learner.newton_step(lambda p: eval(x["code"], {}, {"p": p}), place)  # noqa: S307 - this file's own text
    except ValueError as error:  # LinAlgError is one
        return {"refused": type(error).__name__}
    if not isinstance(out, learner.Recorded):
        return {"no tensor": type(out).__name__}
    seen = {"out": np.array(out.detach().numpy()), "after": {"x": np.array(place.detach().numpy())}}
    return seen | {"open": out.requires_grad, "wants": place.requires_grad}


def observe_step(learner, x, given):
    """What `step_seen` saw; all of it happens beside the learner's code."""
    return given(learner, x)


@exercise("newton_step", limit_s=4)
class NewtonStep:
    """A round bowl; a slanted one; Rosenbrock, at the start and nearer; many inputs; a saddle; flat; no inverse."""

    in_order = True
    observe, given = observe_step, step_seen

    def inputs(self, rng):
        slanted = "p[0] * p[0] + p[0] * p[1] + 2.0 * p[1] * p[1]"
        cases = [("(p * p).sum()", [3.0, -1.0]), (slanted, [3.0, 2.0]), (ROSENBROCK, [-1.2, 1.0])]
        cases += [(ROSENBROCK, [0.5, 0.0]), (BENT, np.abs(drawn(rng, 4))), ("p[0] * p[0] - p[1] * p[1]", [1.0, 2.0])]
        cases += [("0.0001 * (p * p).sum()", [2.0, 1.0]), ("(p * 3.0).sum()", [1.0, 2.0])]
        return [{"code": code, "x": np.array(x)} for code, x in cases]

    def line(self, x):
        return f"m.newton_step(lambda p: {x['code']}, m.Recorded({as_python(x['x'])})).numpy()"

    def wanted(self, x):
        return "LinAlgError" if x["code"] == "(p * 3.0).sum()" else None

    def judge(self, x, got):
        if "no tensor" in got:
            return no_tensor(got, "newton_step")
        slope, hessian = CURVES[x["code"]](x["x"])
        if self.wanted(x):
            if got.get("refused") == "LinAlgError":
                return None
            if "refused" in got:
                return Wrong(
                    "newton_step raised {refused}, where NumPy's LinAlgError is asked for: let it come through",
                    refused=got["refused"],
                    expected="LinAlgError",
                    got=got["refused"],
                    hint=2,
                )
            return Wrong(
                "the Hessian has no inverse, and newton_step did not refuse: let LinAlgError come through",
                expected="LinAlgError",
                got=got["out"],
                hint=2,
            )
        want = x["x"] - np.linalg.inv(hessian) @ slope
        if "refused" in got:
            return Wrong(
                "newton_step raised {refused}, but this Hessian has an inverse",
                refused=got["refused"],
                expected=want,
                got=got["refused"],
                hint=2,
            )
        still = None
        if got["open"]:
            still = Wrong(
                "the new place still needs a gradient: make it of an array, or detach it",
                expected="requires_grad = False",
                got=True,
                hint=3,
            )
        return first_wrong(
            rewritten(x, got["after"], "x"),
            self.scaled(x["x"], got["out"], want),
            judged_array(got["out"], want, Message("the new place"), rtol=1e-7, atol=1e-9),
            made_a_leaf(got["wants"]),
            still,
        )

    def scaled(self, start, out, want):
        """Say that the step goes the right way but is longer or shorter than Newton's."""
        if not isinstance(out, np.ndarray) or out.shape != want.shape or not np.all(np.isfinite(out)):
            return None
        step, whole = out - start, want - start
        factor = float(step @ whole / (whole @ whole))
        if abs(factor - 1) < 1e-6 or factor < 1e-3 or not np.allclose(step, factor * whole, rtol=1e-6, atol=1e-9):
            return None
        return Wrong(
            "the step goes the right way, and is {factor} times as long as one whole step of Newton's",
            factor=f"{factor:.4g}",
            expected=want,
            got=out,
            hint=1,
        )


# ------------------------------------------------------------------------------------------------------------ penalty

# By the expression: the length of each row's gradient, and how it changes with w, one row each.
LENGTHS = {
    "x @ w": lambda x, w: (np.full(len(x), np.linalg.norm(w)), np.tile(w / np.linalg.norm(w), (len(x), 1))),
    "(x * x) @ w": lambda x, w: (
        2 * np.linalg.norm(x * w, axis=1),
        2 * x * x * w / np.linalg.norm(x * w, axis=1)[:, None],
    ),
    "(x @ w) * (x @ w)": lambda x, w: (
        2 * np.abs(x @ w) * np.linalg.norm(w),
        2 * (np.sign(x @ w)[:, None] * x * np.linalg.norm(w) + np.abs(x @ w)[:, None] * w / np.linalg.norm(w)),
    ),
}


def penalty_seen(learner, x):
    """Given code: the penalty, whether the walk for the slope was recorded, and the gradient that is left at w."""
    import numpy as np

    w = learner.Recorded(x["w"].copy(), requires_grad=True)
    rows = learner.Recorded(x["x"].copy())
    recorded = []

    def f(inputs):
        inside = inputs * 1.0
        if inside.requires_grad:
            inside.register_hook(lambda g: recorded.append(g.requires_grad))
        return eval(x["code"], {}, {"x": inside, "w": w})  # noqa: S307 - the text is this file's own

    out = learner.gradient_penalty(f, rows)
    if not isinstance(out, learner.Recorded):
        return {"no tensor": type(out).__name__}
    early = w.grad is not None
    if out.requires_grad and tuple(out.shape) == () and not early:
        out.backward()
    return {
        "out": np.array(out.detach().numpy()),
        "open": out.requires_grad,
        "early": early,
        "recorded": any(recorded),
        "wants": rows.requires_grad,
        "grad": None if w.grad is None else np.array(w.grad),
        "after": {"x": np.array(rows.detach().numpy())},
    }


def observe_penalty(learner, x, given):
    """What `penalty_seen` saw; all of it happens beside the learner's code."""
    return given(learner, x)


@exercise("gradient_penalty", limit_s=4)
class GradientPenalty:
    """One example; three of one slope; lengths that differ; as many examples as inputs; slopes that bend; flat ones."""

    in_order = True
    observe, given = observe_penalty, penalty_seen

    def inputs(self, rng):
        cases = [("x @ w", np.array([[1.0, 2.0]]), np.array([3.0, 4.0])), ("x @ w", drawn(rng, 3, 2), drawn(rng, 2))]
        for code, n, d in (("(x * x) @ w", 4, 3), ("(x * x) @ w", 2, 2), ("(x @ w) * (x @ w)", 3, 2)):
            cases.append((code, np.abs(drawn(rng, n, d)), np.abs(drawn(rng, d))))
        cases.append(("x @ w", drawn(rng, 3, 2), np.array([0.3, 0.4])))
        return [{"code": code, "x": x, "w": w} for code, x, w in cases]

    def line(self, x):
        w = f"w = m.Recorded({as_python(x['w'])}, requires_grad=True)"
        return f"{w}; m.gradient_penalty(lambda x: {x['code']}, m.Recorded({as_python(x['x'])})).item()"

    def judge(self, x, got):
        if "no tensor" in got:
            return no_tensor(got, "gradient_penalty")
        lengths, changes = LENGTHS[x["code"]](x["x"], x["w"])
        grad = (2 * (lengths - 1)[:, None] * changes).mean(axis=0)
        if got["early"]:
            return Wrong(
                "w.grad was written before anyone walked back from the penalty: use grad, not backward", hint=1
            )
        shut = None
        if not got["open"]:
            shut = Wrong(
                "the penalty is a constant: nothing goes back to the parameters of f",
                expected="requires_grad = True",
                got=False,
                hint=2,
            )
        return first_wrong(
            rewritten(x, got["after"], "x"),
            judged_array(got["out"], np.array(((lengths - 1) ** 2).mean()), Message("the penalty"), rtol=1e-8),
            shut,
            judged_array(got["grad"], grad, "w.grad", rtol=1e-8) if got["open"] else None,
            made_a_leaf(got["wants"]),
        )
