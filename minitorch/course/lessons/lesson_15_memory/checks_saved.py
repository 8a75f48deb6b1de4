"""How the answers of lesson 15 are judged: what is saved, whether it may still be used, and two rows of a table.

As in the other file, identity and life are asked where the learner's code runs, in given code.
"""

import numpy as np

from minitorch.course.judging.checks import (
    Message,
    Wrong,
    as_python,
    drawn,
    exercise,
    first_wrong,
    same_array,
    same_value,
    with_hint,
)

# -------------------------------------------------------------------------------------------------- saved_for_backward


def save(learner, x):
    """Given code: let the function choose; tell what each thing it kept is, and which Variables that keeps alive."""
    import gc
    import weakref

    def variable(array, count):
        made = learner.Variable.__new__(learner.Variable)
        made.data, made.counter, made.node = array, learner.Counter(), None
        made.counter.count = count
        return made

    def described(kept):
        if not isinstance(kept, learner.Kept):
            of = [name for name, thing in named.items() if kept is thing or kept is getattr(thing, "data", None)]
            return {"is": type(kept).__name__, "of": of}
        value = kept.value
        shapes = [name for name, thing in arrays.items() if type(thing) is type(value) is tuple and thing == value]
        same = [name for name, thing in arrays.items() if value is thing] or shapes
        of = same or [type(value).__name__]
        own = [name for name in same if kept.counter is getattr(named[name], "counter", kept.counter)]
        return {"is": "Kept", "of": of, "counter": bool(own), "count": kept.count}

    gc.disable()
    try:
        rules = {operand: eval(f"lambda {names}: None") for operand, names in x["rules"].items()}  # noqa: S307
        arrays = {name: thing if type(thing) is tuple else thing.copy() for name, thing in x["named"].items()}
        changed = x.get("changed", {})
        named = {
            name: thing if type(thing) is tuple else variable(thing, changed.get(name, 0))
            for name, thing in arrays.items()
        }
        out = learner.saved_for_backward(rules, named, x["wanted"])
        if not isinstance(out, dict):
            return {"no dict": None if out is None else type(out).__name__}
        seen = {"kept": {str(name): described(kept) for name, kept in out.items()}}
        alive = {name: weakref.ref(thing) for name, thing in named.items() if type(thing) is not tuple}
        named.clear()
        seen["alive"] = [name for name, there in alive.items() if there() is not None]
        return seen
    finally:
        gc.enable()


@exercise("saved_for_backward")
class SavedForBackward:
    """Rules that need an operand, the result, a shape; one operand wanted, or all; a Variable changed before."""

    in_order = True
    given = save

    def inputs(self, rng):
        a, b, out = np.array([1.0, 2.0]), np.array([3.0, 4.0]), np.array([3.0, 8.0])
        two = {"a": a, "b": b, "out": out}
        product = {"a": "g, b", "b": "g, a"}
        shapes = {"a_shape": (2,), "b_shape": (2,)}
        divide = {"a": "g, b", "b": "g, out, b"}
        three = {name: np.round(rng.uniform(-2, 2, (2, 2)), 2) for name in ("a", "b", "c", "out")}
        return [
            {"rules": product, "named": two, "wanted": ["a", "b"]},
            {"rules": product, "named": two, "wanted": ["a"]},
            {"rules": product, "named": two, "wanted": ["b"]},
            {"rules": {"a": "g, out"}, "named": {"a": a, "out": out}, "wanted": ["a"]},
            {"rules": {"a": "g", "b": "g"}, "named": two, "wanted": ["a", "b"]},
            {"rules": {"a": "g, a_shape"}, "named": {"a": a, "out": np.array(3.0), "a_shape": (2,)}, "wanted": ["a"]},
            {"rules": divide, "named": two | shapes, "wanted": ["a", "b"]},
            {"rules": divide, "named": two | shapes, "wanted": ["b"], "changed": {"b": 3, "out": 1}},
            {"rules": {"a": "g, b, c", "b": "g, a, c", "c": "g"}, "named": three, "wanted": ["b", "c"]},
            {"rules": product, "named": two, "wanted": []},
        ]

    def observe(learner, x, given):
        return given(learner, x)

    def line(self, x):
        rules = ", ".join(f'"{operand}": lambda {names}: None' for operand, names in x["rules"].items())
        named = ", ".join(
            f'"{name}": {thing if type(thing) is tuple else f"m.Variable({as_python(thing)})"}'
            for name, thing in x["named"].items()
        )
        return f"m.saved_for_backward({{{rules}}}, {{{named}}}, {x['wanted']})"

    def judge(self, x, got):
        if "no dict" in got:
            return Wrong("saved_for_backward must return a dict", expected="dict", got=got["no dict"] or "None", hint=4)
        needed = {name: operand for operand in x["wanted"] for name in x["rules"][operand].split(", ") if name != "g"}
        for name, operand in needed.items():
            if name not in got["kept"]:
                others = [each for each in got["kept"] if each not in needed]
                instead = Message(", but {others} was", others=others[0]) if others else ""
                return Wrong(
                    "the rule of {operand} needs {name}, and it was not kept{instead}",
                    operand=operand,
                    name=name,
                    instead=instead,
                    expected=sorted(needed),
                    got=sorted(got["kept"]),
                    hint=1,
                )
        for name in got["kept"]:
            if name not in needed:
                return Wrong(
                    "{name} was kept, and no rule that will be run needs it",
                    name=name,
                    expected=sorted(needed),
                    got=sorted(got["kept"]),
                    hint=2,
                )
        return self.wrong_kept(x, got)

    def wrong_kept(self, x, got):
        for name, kept in got["kept"].items():
            if kept["is"] != "Kept":
                return Wrong(
                    "what was kept of {name} is no Kept: without its counter nobody will see that it was changed",
                    name=name,
                    expected="Kept",
                    got=kept["is"],
                    hint=3,
                )
            if name not in kept["of"]:
                return Wrong(
                    "what was kept as {name} is not the array of {name} itself",
                    name=name,
                    expected=name,
                    got=", ".join(kept["of"]),
                    hint=3,
                )
            if kept["counter"] is not True or kept["count"] != x.get("changed", {}).get(name, 0):
                return Wrong(
                    "the Kept of {name} has another counter, or another count, than {name}",
                    name=name,
                    expected=x.get("changed", {}).get(name, 0),
                    got=kept["count"],
                    hint=3,
                )
        if got["alive"]:
            return Wrong("what was kept keeps the Variable {alive} alive", alive=got["alive"][0], hint=3)
        return None


# ------------------------------------------------------------------------------------------------------- version_check


def check_versions(learner, x):
    """Given code: ask for what a node of the check's own has saved."""
    from collections import namedtuple

    class Counter:
        count = 0

    class Variable:
        data, counter = None, Counter()

    class Node:
        op, parents, shape, grad = "*", (), (2,), None

        def variable(self):
            return own

    own = Variable()
    own.counter.count = x["own"]
    kept_as = namedtuple("Kept", "value counter count")
    node, counters, arrays = Node(), {}, {}
    if x["saved"] is None:
        node.saved = None
    else:
        node.saved = {}
        for name, (then, now) in x["saved"].items():
            counters[name], arrays[name] = Counter(), x["arrays"][name].copy()
            counters[name].count = now
            node.saved[name] = kept_as(arrays[name], counters[name], then)
    before = None if node.saved is None else dict(node.saved)
    seen = {"raised": None, "values": None}
    try:
        out = learner.version_check(node)
    except RuntimeError as error:
        if type(error) is not RuntimeError:
            raise
        seen["raised"] = "RuntimeError"
    else:
        seen["values"] = type(out).__name__
        if isinstance(out, dict):
            seen["values"] = {
                str(name): "itself" if value is arrays.get(name) else type(value).__name__
                for name, value in out.items()
            }
    seen["node unchanged"] = (
        node.saved == before
        if before is None
        else node.saved is not None and all(node.saved.get(name) is kept for name, kept in before.items())
    )
    seen["counters"] = {name: counter.count for name, counter in counters.items()}
    return seen


@exercise("version_check")
class VersionCheck:
    """Arrays changed after they were kept, before, or not at all; a node that needs nothing; a freed one."""

    in_order = True
    given = check_versions

    def inputs(self, rng):
        arrays = {"a": np.array([1.0, 2.0]), "b": drawn(rng, 2), "out": drawn(rng, 2)}
        cases = [
            {"b": (0, 0)},
            {"b": (0, 1)},
            {"b": (3, 3)},
            {"a": (0, 0), "b": (0, 0)},
            {"a": (0, 0), "b": (0, 2), "out": (0, 0)},
            {"a": (2, 2), "b": (0, 0), "out": (1, 2)},
            {"a": (3, 5), "b": (1, 1)},
            {},
            None,
        ]
        made = [{"saved": saved, "arrays": {name: arrays[name] for name in saved or {}}, "own": 0} for saved in cases]
        made[3]["own"] = 1  # the node's own result was changed, and no rule reads it
        return made

    def observe(learner, x, given):
        return given(learner, x)

    def line(self, x):
        made = ["count = lambda number: type('Counter', (), {'count': number})()"]
        kept = [
            f'"{name}": m.Kept({as_python(x["arrays"][name])}, count({now}), {then})'
            for name, (then, now) in (x["saved"] or {}).items()
        ]
        saved = None if x["saved"] is None else f"{{{', '.join(kept)}}}"
        return "; ".join(
            [
                *made,
                f"node = type('Node', (), {{'op': '*', 'saved': {saved}, 'variable': lambda self: None}})()",
                "m.version_check(node)",
            ]
        )

    def refused(self, x):
        """Why this case must be refused, in two languages; or None."""
        if x["saved"] is None:
            return Message("the node has been freed")
        for name, (then, now) in x["saved"].items():
            if then != now:
                return Message("{name} was changed in place after it was kept", name=name)
        return None

    def wanted(self, x):
        return "RuntimeError" if self.refused(x) else None

    def judge(self, x, got):
        refused = self.refused(x)
        hint = 1 if x["saved"] is None else 2
        if refused and got["raised"] is None:
            return Wrong(
                "{refused}, and version_check did not refuse: raise RuntimeError",
                refused=refused,
                expected="RuntimeError",
                got=got["values"],
                hint=hint,
            )
        if not refused and got["raised"] is not None:
            return Wrong(
                "nothing was freed, nothing that is saved was changed, and version_check raised RuntimeError",
                hint=1 if x["saved"] == {} else 2,
            )
        return self.wrong_values(x, got, refused)

    def wrong_values(self, x, got, refused):
        if not refused:
            want = dict.fromkeys(x["saved"], "itself")
            if got["values"] != want:
                return Wrong(
                    "the result must be a dict with the values themselves, by name",
                    expected=want,
                    got="None" if got["values"] == "NoneType" else got["values"],
                    hint=3,
                )
        if got["node unchanged"] is not True:
            return Wrong("node.saved is not what it was: looking frees nothing", hint=3)
        now = {name: counts[1] for name, counts in (x["saved"] or {}).items()}
        return same_value(got["counters"], now, Message("the counts after the call"))


# ------------------------------------------------------------------------------------------------------------- two_ops


def declared(learner, x):
    """Given code: let two operations be declared, and run the one that the case asks for."""
    import inspect

    import numpy as np

    class Operation:
        def __init__(self, forward, rules):
            self.forward, self.rules = forward, rules

        def __call__(self, *arrays):
            return self.forward(*arrays)

    made = []

    def declare(forward, doc="", *, name="", **rules):
        made.append(Operation(forward, rules))
        return made[-1]

    out = learner.two_ops(declare)
    if not isinstance(out, (tuple, list)) or len(out) != 2 or not all(isinstance(each, Operation) for each in out):
        inside = [type(each).__name__ for each in out] if isinstance(out, (tuple, list)) else type(out).__name__
        return {"returned": inside, "declared": len(made)}
    operation = out[0 if x["code"].startswith("sigmoid") else 1]
    names = x["code"].partition("(")[2].rstrip(")").split(", ")
    arrays = {name: x[name].copy() for name in names}
    result = np.array(operation.forward(*arrays.values()))
    operation.forward(*(array + 1.0 for array in arrays.values()))  # as another node would, before the way back
    try:
        taken = inspect.signature(operation.forward).parameters.values()
        called = [each.name for each in taken if each.default is each.empty]
    except ValueError:  # of one of NumPy's functions, which does not say
        called = names
    seen = {"forward": result, "rules": {}, "called": called}
    for operand, rule in operation.rules.items():
        takes = list(inspect.signature(rule).parameters)
        at_hand = {"g": x["g"].copy(), **{name: array.copy() for name, array in arrays.items()}, "out": result.copy()}
        unknown = [name for name in takes if name not in at_hand]
        seen["rules"][operand] = {"takes": takes, "unknown": unknown}
        if not unknown:
            seen["rules"][operand]["gradient"] = np.asarray(rule(*(at_hand[name] for name in takes)))
    return seen


@exercise("two_ops")
class TwoOps:
    """Each operation: its numbers, its gradients for g of both signs, and what its rules take."""

    in_order = True
    given = declared

    def inputs(self, rng):
        one, other = "sigmoid(x)", "log_ratio(a, b)"
        a, b = np.array([2.0, 3.0]), np.array([4.0, 0.5])
        far = {"a": np.round(rng.uniform(0.5, 3.0, (2, 3)), 2), "b": np.round(rng.uniform(0.5, 3.0, (2, 3)), 2)}
        return [
            {"code": one, "x": np.array([0.0, 1.0]), "g": np.array([1.0, 1.0])},
            {"code": one, "x": drawn(rng, 2, 3), "g": drawn(rng, 2, 3)},
            {"code": one, "x": np.array(-2.0), "g": np.array(3.0)},
            {"code": one, "x": np.array([-15.0, 12.0]), "g": np.array([1e6, 1e6])},
            {"code": other, "a": a, "b": b, "g": np.array([1.0, 1.0])},
            {"code": other, **far, "g": drawn(rng, 2, 3)},
            {"code": other, "a": np.array(2.0), "b": np.array(5.0), "g": np.array(-1.0)},
        ]

    def observe(learner, x, given):
        return given(learner, x)

    def judge(self, x, got):
        if "returned" in got:
            return Wrong(
                "two_ops must return what `declare` gave for the two operations, as a pair",
                expected="(sigmoid, log_ratio)",
                got=got["returned"],
                hint=1,
            )
        names, numbers, slopes = self.right(x)
        wrong = with_hint(same_array(got["forward"], numbers, Message("the forward")), 2)
        if wrong:
            return wrong
        if sorted(got["rules"]) == names != got["called"]:
            return Wrong(
                "the forward calls its operands {called}, and the rules are for {names}",
                called=", ".join(got["called"]),
                names=", ".join(names),
                expected=names,
                got=got["called"],
                hint=1,
            )
        if sorted(got["rules"]) != names:
            return Wrong(
                "each operand of the forward needs one rule, under its name",
                expected=names,
                got=sorted(got["rules"]),
                hint=1,
            )
        return first_wrong(*(self.wrong_rule(name, got["rules"][name], slopes[name]) for name in names))

    def right(self, x):
        """The operands' names, the numbers, and the slopes by a tiny step in the imaginary direction, times g."""
        if x["code"].startswith("sigmoid"):
            names, forward = ["x"], lambda x: 1 / (1 + np.exp(-x))
        else:
            names, forward = ["a", "b"], lambda a, b: np.log(a) - np.log(b)
        arrays = {name: x[name] for name in names}
        slopes = {name: x["g"] * forward(**{**arrays, name: x[name] + 1e-20j}).imag * 1e20 for name in names}
        return names, forward(**arrays), slopes

    def wrong_rule(self, name, seen, slope):
        if seen["unknown"]:
            return Wrong(
                "the rule of {name} takes {unknown}: neither g, nor an operand, nor out",
                name=name,
                unknown=seen["unknown"][0],
                hint=1,
            )
        wrong = same_array(seen["gradient"], slope, Message("the gradient of {name}", name=name))
        if wrong:
            return with_hint(wrong, 3)
        if len(set(seen["takes"]) - {"g"}) > 1 or (name == "x" and "x" in seen["takes"]):
            return Wrong(
                "the rule of {name} keeps more than it needs, or x where out is enough",
                name=name,
                expected=["g", "out" if name == "x" else name],
                got=seen["takes"],
                hint=4,
            )
        return None
