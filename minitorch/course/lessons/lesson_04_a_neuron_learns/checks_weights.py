"""How the answers of lesson 04 are judged: the first weights of a neuron."""

import math

from minitorch.course.judging.checks import Message, Wrong, exercise

LARGE = 1000  # from so many weights on, their spread is looked at


def observe_weights(learner, x):
    """Call init_weights three times and describe the numbers by what is the same for every right answer."""
    import math
    import random

    n = x["n_inputs"]
    rng = random.Random(x["seed"])  # noqa: S311 - weights are no secret
    random.seed(x["seed"] + 1)  # who draws from Python's own generator draws the same in every check
    first = learner.init_weights(n, rng)
    if type(first) is not list:
        return {"no list": first if isinstance(first, (int, float, tuple)) or first is None else type(first).__name__}
    seen = {
        "length": len(first),
        "kinds": sorted({"float" if isinstance(each, float) else type(each).__name__ for each in first}),
    }
    if len(first) != n or seen["kinds"] != ["float"]:
        return seen
    second = learner.init_weights(n, rng)
    farthest = max(map(abs, first)) * math.sqrt(n / 3)
    seen["farthest"] = 1.0 if farthest <= 1 + 1e-9 else math.ceil(10 * farthest) / 10
    short = any(all(each == round(each, places) for each in first) for places in range(7))
    seen |= {"different": len(set(first)), "rounded": short, "as in the next call": second == first}
    if second == first or (n > 1 and seen["different"] == 1):
        return seen
    again = learner.init_weights(n, random.Random(x["seed"]))  # noqa: S311
    seen["as with the same seed"] = again == first
    if n == 1:  # a bound that is too small shows where a few hundred draws have none near it
        most = max(abs(learner.init_weights(n, rng)[0]) for _ in range(300)) / math.sqrt(3)
        seen["reached in many calls"] = math.floor(10 * most + 1e-9) / 10
    if n >= 1000:
        scaled = [weight * math.sqrt(n / 3) for weight in first]
        seen["lowest"], seen["highest"] = float(f"{min(scaled):.1g}"), float(f"{max(scaled):.1g}")
        seen["in the inner half"] = round(sum(abs(each) < 0.5 for each in scaled) / n, 1)
        seen["mean"] = round(4 * sum(scaled) / n) / 4
    return seen


@exercise("init_weights")
class InitWeights:
    """How many, how far, drawn from where: small neurons, and two large ones for the spread."""

    in_order = True

    def inputs(self, rng):
        return [{"n_inputs": n, "seed": int(rng.integers(1000))} for n in (3, 2, 1, 8, 12, 1200, 1201)]

    observe = observe_weights

    def line(self, x):
        call = f"m.init_weights({x['n_inputs']}, rng)"
        if x["n_inputs"] < LARGE:
            return f"import random; rng = random.Random({x['seed']}); {call}, {call}"
        return (
            f"import random; rng = random.Random({x['seed']}); weights = {call}; "
            f"min(weights), max(weights), sum(weights), (3 / {x['n_inputs']}) ** 0.5"
        )

    def compared(self, x, got):
        """The same for every rounding: to how many places, how many are different and how far they reach would tell."""
        if not got.get("rounded") or got["different"] == 1:
            return got
        return {
            name: got[name] for name in ("length", "kinds", "rounded", "as in the next call", "as with the same seed")
        }

    def judge(self, x, got):
        if "no list" in got:
            return self.no_list(x, got["no list"])
        n = x["n_inputs"]
        if "different" not in got:
            kinds = ", ".join(got["kinds"])
            return Wrong(
                "the list must hold {n} floats, one for each input",
                n=n,
                expected=Message("{n} of type float", n=n),
                got=Message("{length} of type {kinds}", length=got["length"], kinds=kinds) if got["length"] else "[]",
                hint=3,
            )
        return self.wrong_source(n, got) or self.wrong_spread(n, got)

    def no_list(self, x, got):
        if got is None:
            return Wrong(
                "init_weights returned None: is a `return` missing?",
                expected=Message("a list of {n_inputs} numbers", n_inputs=x["n_inputs"]),
                got="None",
            )
        return Wrong(
            "init_weights must return a list",
            expected=Message("a list of {n_inputs} numbers", n_inputs=x["n_inputs"]),
            got=got,
            hint=3,
        )

    def wrong_source(self, n, got):
        """What is wrong with where the numbers come from, or None."""
        if n > 1 and got["different"] == 1:
            return Wrong(
                "all weights are equal: draw each one by itself",
                expected=Message("{n} different numbers", n=n),
                got=Message("the same number each time"),
                hint=1,
            )
        if got["as in the next call"] is not False:
            return Wrong("the next call with the same rng gave the same weights: every neuron would be a copy", hint=2)
        if got["as with the same seed"] is not True:
            return Wrong(
                "two generators with one seed gave different weights: draw from the rng that you are given", hint=2
            )
        if got["rounded"]:
            return Wrong(
                "the weights are rounded, so some of many are equal: keep them as they are drawn",
                expected=Message("all the digits that rng gives"),
                got=Message("at most 6 places behind the point"),
                hint=3,
            )
        if got["different"] != n:
            return Wrong(
                "some weights are equal: draw each one by itself, evenly between the bounds",
                expected=Message("{n} different numbers", n=n),
                got=Message("{different} different numbers", different=got["different"]),
                hint=2,
            )
        return None

    def wrong_spread(self, n, got):
        """What is wrong with how far the numbers reach, and how evenly, or None."""
        if got["farthest"] > 1:
            return Wrong(
                "a weight lies beyond the bound",
                expected=Message("all between -{value} and {value}", value=f"{math.sqrt(3 / n):.4g}"),
                got=Message("a weight up to {farthest} times as far out", farthest=f"{got['farthest']:g}"),
                hint=3,
            )
        if got.get("reached in many calls", 1.0) < 0.9:
            return Wrong(
                "in 300 calls no weight comes near the bound: yours is too small",
                expected=Message("weights up to {value} in size", value=f"{math.sqrt(3 / n):.4g}"),
                got=Message(
                    "up to {reached_in_many_calls} times as much, cut to one digit",
                    reached_in_many_calls=f"{got['reached in many calls']:g}",
                ),
                hint=3,
            )
        if n < LARGE:
            return None
        reach = Message(
            "from {lowest} to {highest} times the bound", lowest=f"{got['lowest']:g}", highest=f"{got['highest']:g}"
        )
        if got["lowest"] > -0.9 or got["highest"] < 0.9:
            return Wrong(
                "{n} draws should reach from one bound to the other",
                n=n,
                expected=Message(
                    "from -{value} to {value}, which is -1 to 1 times the bound", value=f"{math.sqrt(3 / n):.4g}"
                ),
                got=reach,
                hint=3,
            )
        even = abs(got["in the inner half"] - 0.5) < 0.11 and got["mean"] == 0
        if not even or (got["lowest"], got["highest"]) != (-1.0, 1.0):
            return Wrong(
                "{n} draws should be spread evenly from one bound to the other",
                n=n,
                expected=Message("as many near 0 as near the bounds, as many below 0 as above"),
                got=Message("{share} in the inner half, {reach}", share=f"{got['in the inner half']:.0%}", reach=reach),
                hint=3,
            )
        return None
