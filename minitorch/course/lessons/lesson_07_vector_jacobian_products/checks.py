"""How `gradcheck_upstream`, `elementwise_vjp` and `dot_product_test` of lesson 07 are judged."""

import numpy as np

from minitorch.course.judging.checks import Message, Wrong, exercise, judged_array

# ---------------------------------------------------------------------------------------------- gradcheck_upstream


@exercise("gradcheck_upstream")
class GradcheckUpstream:
    """Shapes, sizes, signs, seeds; one number, an axis of length 0."""

    in_order = True

    def inputs(self, rng):
        return [
            {"shape": (3,), "seeds": [0]},
            {"shape": (2, 3), "seeds": [0]},
            {"shape": (200,), "seeds": [0]},
            {"shape": (4, 50), "seeds": [7]},
            {"shape": (3, 1, 2), "seeds": [1, 1]},
            {"shape": (5,), "seeds": [1, 2]},
            {"shape": (1,), "seeds": list(range(40))},
            {"shape": (), "seeds": list(range(40))},
            {"shape": (0, 2), "seeds": [3]},
        ]

    def observe(learner, x):
        import numpy as np

        drawn = [learner.gradcheck_upstream(tuple(x["shape"]), seed=seed) for seed in x["seeds"]]
        drawn = [np.asarray(each) if isinstance(each, np.generic) else each for each in drawn]
        return [each.copy() if isinstance(each, np.ndarray) else each for each in drawn]

    def line(self, x):
        return f"[m.gradcheck_upstream({tuple(x['shape'])}, seed=seed) for seed in {x['seeds']}]"

    def compared(self, x, got):
        """What is the same for all numbers that were drawn in one way."""
        return [self.facts(each) for each in got] + [self.between(got)]

    def facts(self, each):
        if not isinstance(each, np.ndarray) or each.dtype != np.float64:
            return {"kind": str(getattr(each, "dtype", type(each).__name__))}
        sizes, signs = np.abs(each), np.sign(each)
        spread = "none"
        if each.size >= 50:
            share = np.mean(signs > 0)
            spread = "up" if share > 0.7 else "down" if share < 0.3 else "both"
        return {
            "shape": each.shape,
            "near 0": bool((sizes < 0.5).any()),
            "large": bool((sizes > 1.5).any()),
            "equal": len(np.unique(each)) < each.size,
            "signs": spread,
            "ones": bool(each.size and np.allclose(sizes, 1.0)),
        }

    def between(self, got):
        if not all(isinstance(each, np.ndarray) for each in got) or len(got) < 2:
            return None
        ups = [bool((each > 0).all()) for each in got]
        return [
            all(each.shape == got[0].shape and np.array_equal(each, got[0]) for each in got),
            len(got) > 9 and (sum(ups) < 5 or sum(ups) > 35),
        ]

    def judge(self, x, got):
        shape = tuple(x["shape"])
        for each in got:
            known = self.facts(each)
            if "shape" not in known or each.shape != shape:
                hints = {"shape": 3, "type": 3, "dtype": 3, "none": 3}
                return judged_array(each, np.zeros(shape), "g", dtype=np.float64, hints=hints, rtol=0, atol=0)
            if known["near 0"] or known["large"]:
                worst = each.flat[int(np.argmax(np.abs(np.abs(each) - 1.0)))]
                return Wrong(
                    "an entry of g has a size outside 0.5 to 1.5", expected="0.5 ... 1.5", got=f"{worst:.4g}", hint=2
                )
            if known["equal"]:
                return Wrong("two entries of g are equal: a rule that mixes them up goes unnoticed", got=each, hint=1)
            if known["signs"] in ("up", "down"):
                return Wrong(
                    "of many entries of g, nearly all have the same sign",
                    got=f"{int((each > 0).sum())} / {each.size} > 0",
                    hint=1,
                )
        return self.wrong_between(x, got)

    def wrong_between(self, x, got):
        if (found := self.between(got)) is None:
            return None
        same, one_sign = found
        if same is not (len(set(x["seeds"])) == 1):
            return Wrong("the same seed must give the same numbers, and another seed other ones", got=got[:2], hint=3)
        if one_sign:
            return Wrong("of g for many seeds, nearly all have the same sign", hint=1)
        return None


# ------------------------------------------------------------------------------------------------- elementwise_vjp

SLOPES = {
    "exp": np.exp,
    "log": lambda x: 1.0 / x,
    "tanh": lambda x: 1.0 - np.tanh(x) ** 2,
    "relu": lambda x: (x > 0.0) * 1.0,
}


def draw(rng, *shape):
    """Numbers between 0.5 and 2 with random signs and few digits."""
    return np.round(rng.choice([-1.0, 1.0], shape) * rng.uniform(0.5, 2.0, shape), 3)


@exercise("elementwise_vjp")
class ElementwiseVjp:
    """Each name with g of both signs; a g of 0; several axes; read-only arrays; relu at 0; no entries; no rule."""

    in_order = True

    def inputs(self, rng):
        return [
            {"name": "exp", "g": np.array([1.0, 1.0]), "x": np.array([0.0, 1.0])},
            {"name": "exp", "g": np.array([2.0, -3.0]), "x": np.array([0.0, 1.0])},
            {"name": "log", "g": np.array([3.0, -3.0]), "x": np.array([1.0, 2.0])},
            {"name": "tanh", "g": np.array([1.0, -2.0]), "x": np.array([0.5, -1.0])},
            {"name": "relu", "g": np.array([2.0, 5.0]), "x": np.array([1.0, -2.0])},
            {"name": "relu", "g": np.array([-3.0, 5.0]), "x": np.array([2.0, -2.0])},
            {"name": "relu", "g": np.array([-3.0, -5.0, 4.0]), "x": np.array([2.5, -0.5, 0.5])},
            {"name": "tanh", "g": draw(rng, 2, 3), "x": draw(rng, 2, 3), "read_only": True},
            {"name": "exp", "g": draw(rng, 2, 1, 3), "x": draw(rng, 2, 1, 3), "read_only": True},
            {"name": "log", "g": draw(rng, 3, 2), "x": np.abs(draw(rng, 3, 2))},
            {"name": "relu", "g": np.array([7.0, -7.0]), "x": np.array([0.0, 0.0])},
            {"name": "relu", "g": np.array(-1.5), "x": np.array(3.0)},
            {"name": "tanh", "g": np.zeros((0, 2)), "x": np.zeros((0, 2))},
            {"name": "sine", "g": np.array([1.0]), "x": np.array([1.0])},
        ]

    def observe(learner, x):
        import numpy as np

        g, at = x["g"].copy(), x["x"].copy()
        g.flags.writeable = at.flags.writeable = not x.get("read_only", False)
        got = learner.elementwise_vjp(x["name"], g, at)
        if isinstance(got, np.generic):
            got = np.asarray(got)
        changed = [name for name, one in (("g", g), ("x", at)) if not np.array_equal(one, x[name])]
        return {"result": got.copy() if isinstance(got, np.ndarray) else got, "changed": changed}

    def line(self, x):
        g, at = (f"np.array({x[name].tolist()!r})" if x[name].size else "np.zeros((0, 2))" for name in ("g", "x"))
        return f"m.elementwise_vjp({x['name']!r}, {g}, {at})"

    def wanted(self, x):
        return None if x["name"] in SLOPES else "ValueError"

    def judge(self, x, got):
        if x["name"] not in SLOPES:
            return Wrong(
                "there is no rule for {name}, and no ValueError came",
                name=repr(x["name"]),
                expected="ValueError",
                got=got["result"],
                hint=3,
            )
        for name in got["changed"]:
            return Wrong(
                "{name} has changed after the call: return a new array",
                name=name,
                hint=Message("g and x are not yours to change."),
            )
        want = np.asarray(x["g"] * SLOPES[x["name"]](x["x"]))
        hints = {"shape": 1, "none": 3, "type": 3, "sign": 2, "factor": 2, "entry": 2, "numbers": 2, "zero": 2}
        return judged_array(got["result"], want, Message("the gradient"), hints=hints, rtol=1e-9, atol=1e-12)


# ------------------------------------------------------------------------------------------------ dot_product_test

J23 = np.array([[1.0, 2.0, 0.0], [0.0, -1.0, 3.0]])
J22 = np.array([[1.0, 2.0], [3.0, 4.0]])
NEARLY = "(1 + 1e-12)"  # as far from 1 as rounding may lead


@exercise("dot_product_test")
class DotProductTest:
    """Pairs that are each other's way back and pairs that are not; shapes; arrays with axes; numbers of all sizes."""

    in_order = True

    def inputs(self, rng):
        v2, g2, v3 = np.array([1.0, -1.0]), np.array([2.0, 5.0]), np.array([1.0, -2.0, 0.5])
        eye = np.eye(3)
        return [
            {"jvp": "J @ v", "vjp": "g @ J", "v": v2, "g": g2, "J": J22, "right": True},
            {"jvp": "J @ v", "vjp": "J @ g", "v": v2, "g": g2, "J": J22, "right": False},
            {"jvp": "J @ v", "vjp": "g @ J", "v": v3, "g": g2, "J": J23, "right": True},
            {"jvp": "J @ v", "vjp": "2 * g @ J", "v": v3, "g": g2, "J": J23, "right": False},
            {"jvp": "J @ v", "vjp": "-(g @ J)", "v": v3, "g": g2, "J": J23, "right": False},
            {"jvp": "v[::-1]", "vjp": "g", "v": v3, "g": draw(rng, 3), "J": eye, "right": False},
            {"jvp": "v[::-1]", "vjp": "g[::-1]", "v": v3, "g": draw(rng, 3), "J": eye, "right": True},
            {
                "jvp": "v.sum(axis=0)",
                "vjp": "g + 0 * v",
                "v": draw(rng, 2, 3),
                "g": draw(rng, 3),
                "J": eye,
                "right": True,
            },
            {"jvp": "v.sum(axis=0)", "vjp": "g", "v": draw(rng, 2, 3), "g": draw(rng, 3), "J": eye, "right": False},
            {"jvp": "J[0] @ v", "vjp": "g @ J", "v": v3, "g": g2, "J": J23[[0, 0]], "right": False},
            {"jvp": "v.ravel()", "vjp": "g", "v": draw(rng, 2, 3), "g": draw(rng, 6), "J": eye, "right": False},
            {"jvp": "1e6 * J @ v", "vjp": f"1e6 * g @ J * {NEARLY}", "v": v3, "g": g2, "J": J23, "right": True},
            {"jvp": "-1e6 * J @ v", "vjp": f"-1e6 * g @ J * {NEARLY}", "v": v3, "g": g2, "J": J23, "right": True},
            {"jvp": "J @ v", "vjp": "g @ J + 0.001", "v": v3, "g": g2, "J": J23, "tolerance": 0.1, "right": True},
            {"jvp": "J @ v", "vjp": "g @ J * np.nan", "v": v3, "g": g2, "J": J23, "right": False},
            {"jvp": "J @ v", "vjp": "g @ J + 1e-12", "v": v3, "g": np.array([7.0, 6.0]), "J": J23, "right": True},
        ]

    def observe(learner, x):
        import numpy as np

        names = {"np": np, "J": x["J"]}

        def jvp(v):
            return eval(x["jvp"], names | {"v": v})  # noqa: S307 - the text is this file's own

        def vjp(g):
            return eval(x["vjp"], names | {"g": g, "v": x["v"]})  # noqa: S307 - the text is this file's own

        named = {"tolerance": x["tolerance"]} if "tolerance" in x else {}
        got = learner.dot_product_test(jvp, vjp, x["v"].copy(), x["g"].copy(), **named)
        return bool(got) if isinstance(got, np.bool_) else got

    def line(self, x):
        made = "; ".join(f"{name} = np.array({x[name].tolist()!r})" for name in ("J", "v", "g"))
        tolerance = f", tolerance={x['tolerance']}" if "tolerance" in x else ""
        return f"{made}; m.dot_product_test(lambda v: {x['jvp']}, lambda g: {x['vjp']}, v, g{tolerance})"

    def judge(self, x, got):
        if got is x["right"]:
            return None
        if type(got) is not bool:
            return Wrong(
                "the answer is neither True nor False",
                expected=x["right"],
                got=got if got is not None else "None",
                hint=3,
            )
        said = (
            Message("vjp is right for this jvp, and the test refused it")
            if x["right"]
            else Message("vjp is wrong for this jvp, and the test accepted it")
        )
        return Wrong(said, expected=x["right"], got=got, hint=2)
