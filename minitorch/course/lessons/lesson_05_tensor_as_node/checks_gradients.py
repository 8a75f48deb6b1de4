"""How the answers of lesson 05 are judged: what arrives at a Tensor, and whether anything is wanted.

The drivers make Tensors without calling `Tensor.__init__`, and set the seven attributes by hand: so an exercise is
judged by itself, whatever the others are like. None of them goes through the constructor.
"""

import numpy as np

from minitorch.course.judging.checks import (
    Message,
    Wrong,
    as_python,
    drawn,
    exercise,
    judged_array,
    same_value,
    with_hint,
)

# ---------------------------------------------------------------------------------------------------------- accumulate


def observe_accumulate(learner, x):
    """Let gradients arrive at Tensors by a line of code; tell what all arrays hold then, and once some have changed."""
    import numpy as np

    def copy(thing):
        return thing.copy() if isinstance(thing, np.ndarray) else thing

    given = {name: array.copy() for name, array in x.items() if name in ("g", "h")}
    tensors = {}
    for name in ("x", "y"):
        if name in x:
            tensors[name] = tensor = learner.Tensor.__new__(learner.Tensor)
            tensor.data, tensor.grad, tensor.requires_grad = x[name].copy(), None, x.get("requires_grad", True)
            tensor._prev, tensor._op, tensor._backward, tensor.label = (), "", None, ""
            if "inner" in x:
                tensor._prev, tensor._op = (learner.Tensor.__new__(learner.Tensor),), "+"
    names = {**tensors, "np": np, **{name: array[()] for name, array in given.items()}}
    seen = {"raised": None}
    for statement in x["code"].split("; "):
        try:
            exec(statement, {}, names)  # noqa: S102 - the text is this file's own
        except ValueError as error:
            if type(error) is not ValueError or "look" not in x:
                raise
            seen["raised"] = type(error).__name__
            break
    seen["grads"] = {name: copy(tensor.grad) for name, tensor in tensors.items()}
    seen["data"] = {name: copy(tensor.data) for name, tensor in tensors.items()}
    seen["given"] = {name: array.copy() for name, array in given.items()}
    for array in (*given.values(), *(tensor.data for tensor in tensors.values())):
        array += 100  # whoever holds the same memory sees it
    seen["grads later"] = {name: copy(tensor.grad) for name, tensor in tensors.items()}
    return seen


@exercise("accumulate")
class Accumulate:
    """One gradient and several, of several shapes and dtypes; constants; wrong shapes; whose memory grad is."""

    in_order = True

    def inputs(self, rng):
        once, twice = "x.accumulate(g)", "x.accumulate(g); x.accumulate(h)"
        data, g, h = np.array([1.0, 2.0]), np.array([10.0, 20.0]), np.array([30.0, -1.0])
        small, more, less = np.array(1.0), np.array(5.0), np.array(-2.0)
        wide = {"x": drawn(rng, 2, 3), "h": drawn(rng, 2, 3)}
        return [
            {"code": once, "x": data, "g": g},
            {"code": twice, "x": data, "g": g, "h": h},
            {"code": "x.accumulate(g); x.accumulate(g)", "x": data, "g": g},
            {"code": once, "x": data, "g": g, "inner": True},
            {"code": once, "x": data, "g": g, "requires_grad": False},
            {"code": once, "x": data, "g": g, "look": True},
            {"code": "x.accumulate([10.0, 20.0]); x.accumulate(h)", "x": data, "h": h},
            {"code": once, "x": data, "g": np.zeros(2)},
            {"code": twice, "g": drawn(rng, 2, 3)} | wide,
            {"code": "x.accumulate(g); y.accumulate(g); x.accumulate(h)", "x": drawn(rng, 3), "y": drawn(rng, 3)}
            | {"g": drawn(rng, 3), "h": drawn(rng, 3)},
            {"code": twice, "x": np.array([1.0, 2.0], np.float32), "g": np.array([0.5, 4.0]), "h": h},
            {"code": once, "x": data, "g": np.array([10, 20])},
            {"code": "x.accumulate(g.T); x.accumulate(h)", "g": drawn(rng, 3, 2)} | wide,
            {"code": "x.accumulate(np.broadcast_to(g, (2, 3))); x.accumulate(h)", "g": drawn(rng, 3)} | wide,
            {"code": once, "x": np.array([1.0, 2.0, 3.0]), "g": np.array([10.0]), "look": True},
            {"code": once, "x": np.array([1.0, 2.0, 3.0]), "g": np.array([[1.0, 2.0, 3.0]]), "look": True},
            {"code": once, "x": np.array([[1.0], [2.0]]), "g": np.array([3.0, 4.0]), "look": True},
            {"code": once, "x": drawn(rng, 2, 3), "g": drawn(rng, 3, 2), "look": True},
            {"code": "x.accumulate(g); x.accumulate(5.0)", "x": np.array([1.0, 2.0, 3.0])}
            | {"g": np.array([1.0, 2.0, 3.0]), "look": True},
            {"code": "x.accumulate(5.0)", "x": np.array([1.0, 2.0, 3.0]), "look": True},
            {"code": twice, "g": drawn(rng, 2, 3), "look": True} | wide,
            {"code": once, "x": small, "g": more},
            {"code": twice, "x": small, "g": more, "h": less},
            {"code": f"{twice}; x.accumulate(g)", "x": small, "g": more, "h": less},
            {"code": once, "x": np.array(2.0, np.float32), "g": np.array(0.5)},
            {"code": "x.accumulate(float(g)); x.accumulate(h)", "x": small, "g": more, "h": less},
            {"code": "x.accumulate(g); y.accumulate(h)", "x": np.zeros((0, 3)), "y": drawn(rng, 2, 3)}
            | {"g": np.zeros((0, 3)), "h": drawn(rng, 2, 3)},
        ]

    observe = observe_accumulate

    def line(self, x):
        tensors = [name for name in ("x", "y") if name in x]
        made = [f"{name} = {as_python(x[name])}" for name in ("g", "h") if name in x]
        flag = x.get("requires_grad", True)
        made += [f"{name} = m.Tensor({as_python(x[name])}, requires_grad={flag})" for name in tensors]
        return "; ".join([*made, x["code"], ", ".join(f"{name}.grad" for name in tensors)])

    def wanted(self, x):
        return "ValueError" if any(np.shape(each) != x[name].shape for name, each in self.arrivals(x)) else None

    def arrivals(self, x):
        """The gradients of a case, each with the name of the Tensor that it arrives at."""
        arrays = {name: x[name] for name in ("g", "h") if name in x}
        calls = [statement[:-1].split(".accumulate(") for statement in x["code"].split("; ")]
        return [(name, eval(entry, {"np": np}, arrays)) for name, entry in calls]  # noqa: S307 - this file's own text

    def judge(self, x, got):
        wanted = self.wanted(x)
        if got["raised"] is not None and not wanted:
            return Wrong("accumulate raised ValueError for a gradient that has the shape of data", hint=4)
        for name in got["given"]:
            if not np.array_equal(got["given"][name], x[name]):
                return Wrong(
                    "accumulate wrote into {name}, the array that was handed in: it belongs to somebody else",
                    name=name,
                    expected=x[name],
                    got=got["given"][name],
                    hint=3,
                )
        for name in got["data"]:
            wrong = judged_array(got["data"][name], x[name], f"{name}.data", dtype=x[name].dtype)
            if wrong:
                return Wrong(
                    "accumulate changed {name}.data: a gradient belongs in grad",
                    name=name,
                    expected=x[name],
                    got=got["data"][name],
                )
        return self.wrong_refusal(x, got) if wanted else self.wrong_grads(x, got)

    def wrong_grads(self, x, got):
        for name, grad in got["grads"].items():
            arrived = [np.asarray(each) for target, each in self.arrivals(x) if target == name]
            wrong = self.wrong_grad(x, name, grad, arrived)
            if wrong:
                return wrong
            if isinstance(grad, np.ndarray) and not np.array_equal(got["grads later"][name], grad):
                return Wrong(
                    "{name}.grad shares its memory with another array: that one was changed later, and grad with it",
                    name=name,
                    expected=grad,
                    got=got["grads later"][name],
                    hint=3,
                )
        return None

    def wrong_grad(self, x, name, grad, arrived):
        if not x.get("requires_grad", True):
            return (
                None
                if grad is None
                else Wrong(
                    "{name} has requires_grad False, so no gradient may stay there",
                    name=name,
                    expected="None",
                    got=grad,
                    hint=1,
                )
            )
        want = np.asarray(sum(arrived[1:], start=arrived[0])).astype(x[name].dtype)
        if grad is None:
            return Wrong(
                "no gradient stayed at {name}: {name}.grad is still None", name=name, expected=want, got="None", hint=2
            )
        if len(arrived) > 1:
            for place, one in (("first", arrived[0]), ("last", arrived[-1])):
                if isinstance(grad, np.ndarray) and np.array_equal(grad, one) and not np.array_equal(one, want):
                    return Wrong(
                        "{count} gradients arrived at {name}, and {name}.grad holds the first one alone"
                        if place == "first"
                        else "{count} gradients arrived at {name}, and {name}.grad holds the last one alone",
                        count=len(arrived),
                        name=name,
                        expected=want,
                        got=grad,
                        hint=2,
                    )
        hints = {"type": 3, "dtype": 3, "shape": 4, "numbers": 4, "entry": 2, "factor": 2, "sign": 2, "zero": 2}
        return judged_array(grad, want, f"{name}.grad", dtype=x[name].dtype, hints=hints)

    def wrong_refusal(self, x, got):
        *before, (name, last) = self.arrivals(x)
        if got["raised"] is None:
            return Wrong(
                "a gradient of shape {last} was taken for data of shape {shape}: raise ValueError",
                last=np.shape(last),
                shape=x[name].shape,
                expected="ValueError",
                got=got["grads"][name],
                hint=4,
            )
        want = None if not before else np.asarray(before[0][1])
        grad = got["grads"][name]
        if (grad is None) != (want is None) or (want is not None and not np.array_equal(grad, want)):
            return Wrong(
                "ValueError was raised, but grad is not what it was before: look at the shapes first",
                expected="None" if want is None else want,
                got="None" if grad is None else grad,
                hint=4,
            )
        return None


# ---------------------------------------------------------------------------------------------------------- wants_grad


def observe_wants_grad(learner, x):
    """Call the rule on Tensors with the flags of the case, recording on or off."""
    import numpy as np

    def tensor(name):
        made = learner.Tensor.__new__(learner.Tensor)
        made.data, made.grad, made.requires_grad = (
            np.array([1.0]),
            x.get(f"{name}.grad"),
            x.get(f"{name}.requires_grad"),
        )
        made._prev, made._op, made._backward, made.label = (), "", None, name
        return made

    names = {name: tensor(name) for name in "cdwy"}
    names["y"]._prev, names["y"]._op = (names["w"], names["w"]), "*"
    token = learner.GRAD_ENABLED.set(x["GRAD_ENABLED"])
    try:
        parents = eval(x["code"].partition("(")[2][:-1], {}, names)  # noqa: S307 - the text is this file's own
        out = learner.wants_grad(parents)
        return {"out": bool(out) if isinstance(out, np.bool_) else out, "switch": learner.GRAD_ENABLED.get()}
    finally:
        learner.GRAD_ENABLED.reset(token)


@exercise("wants_grad")
class WantsGrad:
    """No parent, one, two and three of them, constants first and last, inner nodes; recording on and off."""

    in_order = True

    def inputs(self, rng):
        flags = {"c": False, "d": False, "w": True, "y": True}
        asked = [
            *[("(w,)", True), ("(c,)", True), ("(w, w)", True), ("(c, w)", True), ("(w, c)", True), ("(c, d)", True)],
            *[
                ("(y,)", True),
                ("(y, c)", True),
                ("[c, d, y]", True),
                ("(c, w, d)", True),
                ("()", True),
                ("(w,)", False),
            ],
            *[("(c, w)", False), ("(c,)", False), ("()", False), ("(c, y)", False)],
        ]
        return [
            {"code": f"wants_grad({parents})"}
            | {f"{name}.requires_grad": flag for name, flag in flags.items() if name in parents}
            | {"GRAD_ENABLED": on}
            for parents, on in asked
        ] + [{"code": "wants_grad((w,))", "w.requires_grad": True, "w.grad": np.array([1.0]), "GRAD_ENABLED": True}]

    observe = observe_wants_grad

    def line(self, x):
        flags = [f"{name[0]} = m.Tensor([1.0], {flag})" for name, flag in x.items() if name.endswith("requires_grad")]
        flags = ["y = m.Tensor([1.0], True, (1.0, 2.0), '*')" if flag[0] == "y" else flag for flag in flags]
        if x["GRAD_ENABLED"]:
            return "; ".join([*flags, f"m.{x['code']}"])
        off = ["switch = m.GRAD_ENABLED.set(False)", f"out = m.{x['code']}", "m.GRAD_ENABLED.reset(switch)", "out"]
        return "; ".join([*flags, *off])

    def judge(self, x, got):
        on = x["GRAD_ENABLED"]
        if got["switch"] is not on:
            return Wrong("wants_grad changed GRAD_ENABLED: it only reads it", expected=on, got=got["switch"], hint=3)
        flags = [flag for name, flag in x.items() if name.endswith("requires_grad")]
        if not isinstance(got["out"], bool):
            return with_hint(same_value(got["out"], on and True in flags), 2)
        if got["out"] == (on and True in flags):
            return None
        if not on:
            why = Message("recording is off")
        elif not flags:
            why = Message("there is no parent")
        elif True in flags:
            why = Message("one of the parents has requires_grad")
        else:
            why = Message("none of the parents has requires_grad")
        return Wrong(
            "{why}, and the answer was {out}",
            why=why,
            out=got["out"],
            expected=on and True in flags,
            got=got["out"],
            hint=3 if not on else 2 if True in flags else 1,
        )
