"""How the answers of lesson 21 are judged.

What is expected is worked out in other ways than the solutions do it: the loss and its gradient row by row, with
log-sum-exp; the gradient of a chain with everything kept; the seconds of a run from the list of what each run takes.
"""

import math

import numpy as np

from minitorch.course.judging.arrays import between, called, rewritten
from minitorch.course.judging.checks import (
    Message,
    Wrong,
    as_python,
    exercise,
    first_wrong,
    judged_array,
    same_number,
    with_hint,
)
from minitorch.course.sandbox.values import type_name

# ----------------------------------------------------------------------------------------------------------- roofline


@exercise("roofline")
class Roofline:
    """More to move; more to compute; many operations and few bytes; both alike; nothing to compute; large numbers."""

    in_order = True

    def inputs(self, rng):
        names = ("operations", "moved", "peak", "bandwidth")
        cases = [(6.0, 8.0, 3.0, 1.0), (12.0, 4.0, 3.0, 2.0), (10.0, 40.0, 1.0, 8.0), (40.0, 10.0, 8.0, 1.0)]
        cases += [(12.0, 8.0, 3.0, 2.0), (0.0, 8.0, 3.0, 2.0), (6.0, 0.0, 3.0, 2.0), (2e9, 2.4e10, 5e10, 2e10)]
        drawn = [round(float(each), 2) for each in rng.uniform(1.0, 9.0, 4)]
        return [dict(zip(names, case, strict=True)) for case in [*cases, drawn]]

    def line(self, x):
        return f"m.roofline({x['operations']}, {x['moved']}, {x['peak']}, {x['bandwidth']})"

    def observe(learner, x):
        out = learner.roofline(x["operations"], x["moved"], x["peak"], x["bandwidth"])
        return list(out) if isinstance(out, (tuple, list)) else out

    def judge(self, x, got):
        computing, moving = x["operations"] / x["peak"], x["moved"] / x["bandwidth"]
        want, bound = max(computing, moving), "memory" if moving > computing else "compute"
        if not isinstance(got, list) or len(got) != 2:
            return Wrong(
                "roofline must return two things: the seconds, and what the work waits for",
                expected=f"({want:g}, {bound!r})",
                got="None"
                if got is None
                else f"{len(got)} things"
                if isinstance(got, list)
                else f"one {type_name(got)}",
                hint=None if got is None else 3,
            )
        named = None
        if got[1] != bound:
            named = Wrong(
                Message(
                    "{computing} s to compute and {moving} s to move, and what it waits for is {got}",
                    computing=f"{computing:g}",
                    moving=f"{moving:g}",
                    got=repr(got[1]),
                ),
                expected=bound,
                got=got[1],
                hint=3,
            )
        return first_wrong(with_hint(same_number(got[0], want, Message("the number of seconds")), 2), named)


# -------------------------------------------------------------------------------------------------------------- fused


def rows_of_losses(scores, targets):
    """The loss of each row, and its gradient, by log-sum-exp."""
    totals = np.array([np.logaddexp.reduce(row) for row in scores])
    one_hot = np.eye(scores.shape[1])[targets]
    return totals - (scores * one_hot).sum(axis=1), np.exp(scores - totals[:, None]) - one_hot


@exercise("fused_softmax_ce")
class FusedSoftmaxCe:
    """One row; several; a square; one row of large scores; rows far apart; a share that is 0; one class."""

    in_order = True

    def inputs(self, rng):
        def case(scores, targets):
            scores = np.array(scores)
            return {"scores": scores, "targets": np.array(targets), "out": np.full(scores.shape, 7.0)}

        return [
            case([[0.0, 1.0]], [0]),
            case([[1.0, 3.0, 2.0]], [2]),
            case([[0.0, 1.0, 2.0], [1.0, -1.0, 0.5]], [0, 2]),
            case(between(rng, 3, 3), [1, 1, 0]),
            case(between(rng, 4, 2), [0, 1, 1, 0]),
            case([[1000.0, 1001.0]], [1]),
            case([[0.0, 1.0], [2000.0, 2001.0]], [1, 0]),
            case([[0.0, 1000.0]], [0]),
            case([[3.0]], [0]),
            case(between(rng, 5, 4), rng.integers(0, 4, 5)),
        ]

    def line(self, x):
        return called("fused_softmax_ce", x, "scores", "targets", "out") + "; out"

    def observe(learner, x):
        import warnings

        import numpy as np

        given = {name: x[name].copy() for name in ("scores", "targets", "out")}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a nan is told by the verdict
            loss = learner.fused_softmax_ce(given["scores"], given["targets"], given["out"])
        if isinstance(loss, np.floating) or (isinstance(loss, np.ndarray) and loss.shape == ()):
            loss = float(loss)
        return {"loss": loss, "after": {name: array.copy() for name, array in given.items()}}

    def judge(self, x, got):
        losses, slopes = rows_of_losses(x["scores"], x["targets"])
        out = got["after"]["out"]
        untouched = None
        if isinstance(out, np.ndarray) and np.array_equal(out, x["out"]):
            untouched = Wrong(
                "after the call out holds the numbers that it held before",
                expected=slopes / len(losses),
                got=out,
                hint=2,
            )
        hints = {"shape": 2, "entry": 4, "factor": 4, "finite": 1, "zero": 4, "numbers": 4}
        return first_wrong(
            rewritten(x, got["after"], "scores", "targets"),
            with_hint(same_number(got["loss"], float(losses.mean()), Message("the loss"), rtol=1e-9), 3),
            untouched,
            judged_array(out, slopes / len(losses), "out", hints=hints, rtol=1e-8, atol=1e-12),
        )


# --------------------------------------------------------------------------------------------------------------- xp_of


def module_seen(learner, x):
    """Given code: the module that xp_of returned, and how often numbers were copied."""
    import numpy as np

    made = {"numpy": np.ones(2), "number": 3.0, "whole": 2}
    made["pretend"] = learner.pretend.asarray(np.array([1.0, 2.0]))
    made["empty"] = learner.pretend.asarray(np.array([]))
    made["cupy"] = type("ndarray", (), {"__module__": "cupy"})()  # of a third module, which need not be installed
    before = learner.pretend.copies
    try:
        out = learner.xp_of(*[made[each] for each in x["things"]])
    except TypeError as error:
        if str(error).startswith("xp_of()"):
            raise
        name = "TypeError"
    except ImportError:
        if "cupy" not in x["things"]:
            raise
        name = "TypeError"  # whoever fetches the module first cannot do so here
    else:
        name = None if out is None else out if isinstance(out, str) else f"module {out.__name__}"
    return {"out": name, "copies": learner.pretend.copies - before}


def observe_module(learner, x, given):
    """What `module_seen` saw; all of it happens beside the learner's code."""
    return given(learner, x)


@exercise("xp_of")
class XpOf:
    """An array of NumPy; one of the device; two; numbers beside them; nothing; two modules, early and late."""

    in_order = True
    observe, given = observe_module, module_seen

    def inputs(self, rng):
        cases = ["numpy", "pretend", "numpy numpy", "pretend pretend", "pretend number", "number pretend"]
        cases += ["numpy number", "number numpy", "number", "", "numpy pretend", "pretend numpy"]
        cases += ["pretend number numpy", "numpy numpy pretend", "number number pretend", "pretend empty"]
        cases += ["whole pretend", "numpy whole", "pretend cupy"]
        return [{"things": case.split()} for case in cases]

    def line(self, x):
        made = {"numpy": "np.ones(2)", "pretend": "m.pretend.asarray([1.0, 2.0])", "number": "3.0", "whole": "2"}
        made |= {"empty": "m.pretend.asarray([])", "cupy": "type('ndarray', (), {'__module__': 'cupy'})()"}
        return f"m.xp_of({', '.join(made[each] for each in x['things'])})"

    def wanted(self, x):
        return "TypeError" if len({"numpy", "pretend", "cupy"} & set(x["things"])) > 1 else None

    def judge(self, x, got):
        want = self.wanted(x) or ("module pretend" if {"pretend", "empty"} & set(x["things"]) else "module numpy")
        given = ", ".join(x["things"]) or "nothing"
        copied = None
        if got["copies"]:
            copied = Wrong(
                "{copies} times numbers were copied from the device to the host",
                copies=got["copies"],
                expected="0",
                got=str(got["copies"]),
                hint=1,
            )
        if want == "TypeError" and got["out"] != "TypeError":
            return Wrong(
                "arrays of two modules meet, and xp_of did not refuse: raise TypeError",
                expected="TypeError",
                got=got["out"],
                hint=2,
            )
        named = None
        if got["out"] != want:
            named = Wrong(
                "given {given}, the result is {out}, not the {want}",
                given=given,
                out=got["out"],
                want=want,
                expected=want,
                got=got["out"],
                hint=2 if got["out"] == "TypeError" else 3,
            )
        return first_wrong(copied, named)


# -------------------------------------------------------------------------------------------------------- checkpoints


def slope_of_the_chain(x):
    """The gradient of x with every input kept: layer i is a x, turned round, + b x²."""
    place, inputs = x["x"], []
    for a, b in x["layers"]:
        inputs.append(place)
        place = a * place[::-1] + b * place * place
    gradient = x["g"]
    for (a, b), each in zip(reversed(x["layers"]), reversed(inputs), strict=True):
        gradient = a * gradient[::-1] + 2 * b * each * gradient
    return gradient


@exercise("checkpointed")
class Checkpointed:
    """Two layers kept singly; in one stretch; stretches of equal length; a shorter last one; one layer; many."""

    in_order = True

    def inputs(self, rng):
        def case(count, every, size=2):
            layers = [[round(float(each), 2) for each in rng.uniform(0.5, 1.2, 2)] for _ in range(count)]
            return {
                "layers": layers,
                "x": rng.uniform(0.1, 0.5, size).round(2),
                "g": between(rng, size),
                "every": every,
            }

        gentle = {"layers": [[0.0, 1.0]] * 3, "x": np.array([2.0]), "g": np.array([1.0]), "every": 2}
        cases = [(2, 1), (2, 2), (4, 2), (3, 3), (5, 2), (7, 3), (1, 1), (1, 4), (6, 4), (3, 10), (9, 3, 1)]
        return [*(case(*each) for each in cases[:2]), gentle, *(case(*each) for each in cases[2:])]

    def line(self, x):
        layers = ", ".join(
            f"(lambda x: {a} * x[::-1] + {b} * x * x, lambda g, x: {a} * g[::-1] + 2 * {b} * x * g)"
            for a, b in x["layers"]
        )
        return f"m.checkpointed([{layers}], {as_python(x['x'])}, {as_python(x['g'])}, {x['every']})"

    def observe(learner, x):
        import numpy as np

        def layer(number, a, b):
            def forward(place):
                events.append(["forward", number])
                return a * place[::-1] + b * place * place

            def vjp(g, place):
                events.append(["vjp", number])
                return a * g[::-1] + 2 * b * place * g

            return forward, vjp

        events, place, g = [], x["x"].copy(), x["g"].copy()
        layers = [layer(number, a, b) for number, (a, b) in enumerate(x["layers"])]
        out = learner.checkpointed(layers, place, g, x["every"])
        out = np.array(out) if isinstance(out, np.ndarray) else out
        return {"out": out, "events": events[:500], "after": {"x": np.array(place), "g": np.array(g)}}

    def compared(self, x, got):
        return {"out": got["out"], "found": [self.calls(x, got)], "after": got["after"]}

    def calls(self, x, got):
        """What the calls show, beside the numbers: "", or what is not as it should be."""
        count, every, done = len(x["layers"]), x["every"], set()
        times = [0] * count
        early = False
        for what, number in got["events"]:
            if what == "vjp":
                done.add(number)
            else:
                times[number] += 1
                following = (number // every + 1) * every
                early = early or (times[number] == 2 and following < count and following not in done)
        if max(times) > 2:
            return f"too often {times.index(max(times))} {max(times)}"
        last = (count - 1) // every * every  # the last stretch may be run when it is needed, and then once
        if any(times[number - 1] < 2 for number in range(last) if number % every):
            return "kept"
        return "early" if early else ""

    def judge(self, x, got):
        want = slope_of_the_chain(x)
        found, told = self.calls(x, got), None
        if found.startswith("too often"):
            _, _, number, times = found.split()
            told = Wrong(
                "forward of layer {number} was called {times} times; twice is the most",
                number=number,
                times=times,
                expected="2",
                got=times,
                hint=2,
            )
        elif found == "kept":
            told = Wrong(
                "the gradient is right, but an input inside a stretch was not computed anew: it had been kept", hint=1
            )
        elif found == "early":
            told = Wrong("the inputs of a stretch were computed anew before the stretch behind it was done", hint=2)
        return first_wrong(
            rewritten(x, got["after"], "x", "g"),
            judged_array(got["out"], want, hints={"entry": 3, "factor": 3, "shape": 4, "zero": 4}, rtol=1e-9),
            told,
        )


# ---------------------------------------------------------------------------------------------- more: speeding up


@exercise("whole_speedup")
class WholeSpeedup:
    """A small part; a large one; three parts; no change; a part that takes no time; nothing else there; slower."""

    in_order = True

    def inputs(self, rng):
        drawn = {name: round(float(each), 2) for name, each in zip("abcd", rng.uniform(1.0, 9.0, 4), strict=True)}
        cases = [({"read": 6.0, "compute": 2.0}, "compute", 4.0), ({"read": 1.0, "compute": 9.0}, "compute", 3.0)]
        cases += [({"read": 3.0, "compute": 4.0, "write": 5.0}, "write", 2.5), (drawn, "c", 7.0)]
        cases += [({"read": 3.0, "compute": 4.0}, "read", 1.0), ({"read": 2.0, "compute": 6.0}, "compute", math.inf)]
        cases += [({"compute": 5.0}, "compute", 10.0), ({"compute": 5.0}, "compute", math.inf)]
        cases += [({"read": 3.0, "compute": 5.0}, "compute", 0.5)]
        return [{"seconds": seconds, "part": part, "factor": factor} for seconds, part, factor in cases]

    def line(self, x):
        factor = 'float("inf")' if math.isinf(x["factor"]) else x["factor"]
        return f"m.whole_speedup({x['seconds']}, {x['part']!r}, {factor})"

    def observe(learner, x):
        seconds = dict(x["seconds"])
        out = learner.whole_speedup(seconds, x["part"], x["factor"])
        return {"out": out, "after": dict(seconds)}

    def judge(self, x, got):
        rest = math.fsum(took for name, took in x["seconds"].items() if name != x["part"])
        left = rest + (0.0 if math.isinf(x["factor"]) else x["seconds"][x["part"]] / x["factor"])
        want = (rest + x["seconds"][x["part"]]) / left if left else math.inf
        changed = None
        if got["after"] != x["seconds"]:
            changed = Wrong("after the call seconds holds other numbers than before: make new ones", hint=2)
        if want == math.inf and got["out"] != math.inf:
            return Wrong(
                "nothing is left that takes time, so the result is inf", expected="inf", got=got["out"], hint=3
            )
        what = Message("how many times as fast")
        return first_wrong(None if want == math.inf else with_hint(same_number(got["out"], want, what), 2), changed)


@exercise("stopwatch")
class Stopwatch:
    """One repeat; several; a disturbed one; a slow first run; a device that waits; work from before; no device."""

    in_order = True

    def inputs(self, rng):
        drawn = [round(float(each), 2) for each in rng.uniform(5.0, 9.0, 8)]
        cases = [([5.0, 2.0, 3.0], 2, 0.0), ([4.0, 4.0], 1, 0.0), ([90.0, 6.0, 5.0, 7.0], 3, 0.0)]
        cases += [([2.0, 6.0], 1, 0.0), ([9.0, 5.0, 40.0, 4.0, 6.0], 4, 0.0), ([9.0, 3.0, 5.0], 2, 50.0)]
        cases += [([60.0, 7.0], 1, 30.0), (drawn, 7, 0.0)]
        found = [{"takes": takes, "repeats": repeats, "before": before} for takes, repeats, before in cases]
        return [
            {**each, "device": device} for each in found for device in (True, False) if device or not each["before"]
        ]

    def observe(learner, x):
        def run():
            took = x["takes"][min(state["runs"], len(x["takes"]) - 1)]
            state["runs"] += 1
            if x["device"]:
                state["now"] += 0.25
                state["done"] = max(state["done"], state["now"]) + took
            else:
                state["now"] += took

        def synchronize():
            state["now"] = max(state["now"], state["done"])

        def clock():
            return state["now"]

        state = {"now": 100.0, "done": 100.0 + x["before"], "runs": 0}
        out = learner.stopwatch(run, synchronize, clock, x["repeats"])
        return {"out": out, "runs": state["runs"]}

    def judge(self, x, got):
        want = min(x["takes"][1 : x["repeats"] + 1]) + (0.25 if x["device"] else 0.0)
        counted, wanted = None, x["repeats"] + 1
        if got["runs"] != wanted:
            counted = Wrong(
                "run was called {runs} times, not {wanted}: once to warm up, {repeats} to measure",
                runs=got["runs"],
                wanted=wanted,
                repeats=x["repeats"],
                expected=wanted,
                got=got["runs"],
                hint=1,
            )
        out = same_number(got["out"], want, Message("the number of seconds"), rtol=1e-9)
        return first_wrong(counted, with_hint(out, 2 if x["device"] else 4))
