"""How the answers of lesson 06 are judged: where nothing is recorded.

The drivers make Tensors without calling `Tensor.__init__`, and set the seven attributes by hand. Only `detach` goes
through the constructor, which is given here.
"""

import numpy as np

from minitorch.course.judging.checks import But, Message, Wrong, as_python, drawn, exercise, judged_array
from minitorch.course.sandbox.values import type_name

NAMES = {"data": "data", "grad": "grad", "requires_grad": "requires_grad", "parents": "_prev", "closure": "_backward"}

# ------------------------------------------------------------------------------------------------------------- no_grad


def observe_no_grad(learner, x):
    """Go in and out of blocks step by step; read the switch after each step."""
    switch = learner.GRAD_ENABLED
    if not hasattr(switch, "set"):
        return {"replaced": switch}
    token = switch.set(x["GRAD_ENABLED"])
    readings, open_blocks, made, swallowed = [], [], None, []
    try:
        for step in x["code"].split(", "):
            if step == "make":
                made = learner.no_grad()
            elif step.startswith("enter"):
                block = made if "it" in step else learner.no_grad()
                type(block).__enter__(block)
                open_blocks.append(block)
            else:
                block = open_blocks.pop()
                error = {"ValueError": ValueError("inside"), "KeyboardInterrupt": KeyboardInterrupt()}.get(
                    step.split()[-1]
                )
                kind = None if error is None else type(error)
                try:
                    swallowed.append(bool(type(block).__exit__(block, kind, error, None)))
                except BaseException as raised:  # the same error, raised again, goes on as well
                    if raised is not error:
                        raise
                    swallowed.append(False)
            readings.append(switch.get())
        if learner.GRAD_ENABLED is not switch:
            return {"replaced": learner.GRAD_ENABLED}
        return {"readings": readings, "swallowed": swallowed}
    finally:
        switch.reset(token)


@exercise("no_grad")
class NoGrad:
    """One block, a block in a block, an error inside, recording off before, the same object twice."""

    in_order = True

    def inputs(self, rng):
        codes = [
            *["enter, leave", "enter, enter, leave, leave", "enter, leave, enter, leave"],
            *[
                "enter, leave by ValueError",
                "enter, leave by KeyboardInterrupt",
                "enter, enter, leave by ValueError, leave",
            ],
            *["make, enter it, leave", "enter, enter, enter, leave, leave, leave"],
            *["make, enter, enter it, leave, leave", "enter, make, leave, enter it, leave"],
        ]
        off = ["enter, leave", "enter, leave by ValueError"]
        return [{"code": code, "GRAD_ENABLED": True} for code in codes] + [
            {"code": code, "GRAD_ENABLED": False} for code in off
        ]

    observe = observe_no_grad

    def line(self, x):
        steps, number, open_blocks = [], 0, []
        for step in x["code"].split(", "):
            if step == "make":
                steps.append("made = m.no_grad()")
            elif step.startswith("enter"):
                number += "it" not in step
                open_blocks.append("made" if "it" in step else f"block{number}")
                steps += [f"block{number} = m.no_grad()"] * ("it" not in step)
                steps.append(f"{open_blocks[-1]}.__enter__()")
            else:
                error = step.split()[-1]
                error = "None, None" if error == "leave" else f"{error}, {error}()"
                steps.append(f"{open_blocks.pop()}.__exit__({error}, None)")
            steps.append("seen.append(m.GRAD_ENABLED.get())")
        return "; ".join([f"m.GRAD_ENABLED.set({x['GRAD_ENABLED']})", "seen = []", *steps, "seen"])

    def judge(self, x, got):
        if "replaced" in got:
            return Wrong(
                "GRAD_ENABLED is no switch any more: something else stands there. Move it: GRAD_ENABLED.set(False)",
                expected=Message("a switch that get() reads"),
                got=got["replaced"],
                hint=4,
            )
        depth, want, steps = 0, [], x["code"].split(", ")
        for step in steps:
            depth += step.startswith("enter") - step.startswith("leave")
            want.append(x["GRAD_ENABLED"] and depth == 0)
        for index, (reading, right) in enumerate(zip(got["readings"], want, strict=True)):
            if reading is not right:
                place = f"{index + 1} ({steps[index]})"
                return Wrong(
                    "GRAD_ENABLED.get() is {reading} after step {place}",
                    reading=self.shown(reading),
                    place=place,
                    expected=want,
                    got=got["readings"],
                    hint=1 if steps[index].startswith("enter") else 2,
                )
        leaves = [step for step in steps if step.startswith("leave")]
        if any(lost and "by" in step for lost, step in zip(got["swallowed"], leaves, strict=True)):
            return Wrong("the error that was raised inside does not get out: __exit__ must not return True", hint=3)
        return None

    def shown(self, reading):
        return reading if isinstance(reading, bool) or reading is None else f"of type {type_name(reading)}"


# -------------------------------------------------------------------------------------------------------------- detach


def observe_detach(learner, x):
    """Detach a Tensor that stands in a graph; describe the new one, and what has become of the old one."""
    import numpy as np

    def tensor(data, wanted, prev=(), op="", backward=None):
        made = learner.Tensor.__new__(learner.Tensor)
        made.data, made.grad, made.requires_grad = data, None, wanted
        made._prev, made._op, made._backward, made.label = prev, op, backward, ""
        return made

    def hand_on():
        pass

    def copy(thing):
        return thing.copy() if isinstance(thing, np.ndarray) else thing

    def described(node):
        return {
            "data": copy(node.data),
            "grad": copy(node.grad),
            "requires_grad": node.requires_grad,
            "parents": ["w" if parent is w else type(parent).__name__ for parent in node._prev],
            "closure": node._backward is not None,
        }

    w = tensor(x["x"].copy(), True)
    inner = x["code"] != "leaf.detach()" and x["x.requires_grad"]
    old = tensor(x["x"].copy(), x["x.requires_grad"], (w, w) if inner else (), "*" * inner, hand_on if inner else None)
    old.grad = np.ones_like(old.data) if "grad" in x else None
    array, before = old.data, described(old)
    new = old.detach()
    after = described(old)
    seen = {"before": before, "after": after, "array": old.data is array, "switch": learner.GRAD_ENABLED.get()}
    if not isinstance(new, learner.Tensor):
        return seen | {"no tensor": copy(new)}
    seen |= {"itself": new is old, "new": described(new), "same array": new.data is old.data}
    array += 100  # a step changes the array of the old one
    return seen | {"data later": copy(new.data)}


@exercise("detach")
class Detach:
    """Leaves, inner nodes and constants of several shapes and dtypes: the new Tensor, and the old one afterwards."""

    in_order = True

    def inputs(self, rng):
        inner, leaf = "x.detach()", "leaf.detach()"
        return [
            {"code": inner, "x": np.array(3.0), "x.requires_grad": True},
            {"code": inner, "x": np.array([1.0, 2.0]), "x.requires_grad": True},
            {"code": leaf, "x": np.array([1.0, 2.0]), "x.requires_grad": True},
            {"code": inner, "x": np.array([1.0, 2.0]), "x.requires_grad": False},
            {"code": inner, "x": drawn(rng, 2, 3), "x.requires_grad": True, "grad": "ones"},
            {"code": inner, "x": np.array([1.5, 2.5], np.float32), "x.requires_grad": True},
            {"code": inner, "x": np.zeros((0, 3)), "x.requires_grad": True, "grad": "ones"},
        ]

    observe = observe_detach

    def line(self, x):
        data, wanted = as_python(x["x"]), x["x.requires_grad"]
        if x["code"] == "leaf.detach()" or not wanted:
            made = f"x = m.Tensor({data}, requires_grad={wanted})"
        else:
            made = f"w = m.Tensor({data}, requires_grad=True); x = w.result(w.data, (w, w), '*')"
        made += "; x.grad = np.ones_like(x.data)" if "grad" in x else ""
        return f"{made}; y = x.detach(); y.data is x.data, y.requires_grad, y._prev, y.grad"

    def judge(self, x, got):
        wrong = self.wrong_old(got)
        if wrong:
            return wrong
        if "no tensor" in got:
            nothing = got["no tensor"] is None
            return Wrong(
                "detach returned None: is a `return` missing?" if nothing else "detach must return a new Tensor",
                expected="Tensor",
                got="None" if nothing else got["no tensor"],
                hint=None if nothing else 3,
            )
        if got["itself"] is not False:
            return Wrong("detach gave back the Tensor itself: make a new one", hint=1)
        return self.wrong_new(x, got["new"]) or self.wrong_memory(got)

    def wrong_old(self, got):
        """What has become of the Tensor that was detached, or of the switch, and should not; or None."""
        for name, was in got["before"].items():
            now = got["after"][name]
            same = np.array_equal(was, now) if isinstance(was, np.ndarray) else now is was or now == was
            if not same or (name == "data" and got["array"] is not True):
                return Wrong(
                    "detach changed {names} of the Tensor itself: leave it as it is and make a new one",
                    names=NAMES[name],
                    hint=1,
                )
        if got["switch"] is not True:
            return Wrong("detach turned GRAD_ENABLED off and left it so")
        return None

    def wrong_new(self, x, new):
        wrong = judged_array(new["data"], x["x"], "y.data", dtype=x["x"].dtype, hints={"dtype": 2, "type": 2})
        if wrong:
            return wrong
        if new["requires_grad"] is not False:
            return Wrong(
                "y.requires_grad must be False: a detached Tensor is a constant",
                expected="False",
                got=new["requires_grad"],
                hint=1,
            )
        if new["parents"] or new["closure"] is not False:
            return Wrong(
                "the new Tensor still has a history: it must have no parents, and None as _backward",
                expected="_prev = (), _backward = None",
                got=Message(
                    "{parents} parents, _backward is set" if new["closure"] else "{parents} parents, _backward is None",
                    parents=len(new["parents"]),
                ),
                hint=1,
            )
        if new["grad"] is not None:
            return Wrong(
                "the new Tensor has a gradient already: nothing has arrived there",
                expected="None",
                got=new["grad"],
                hint=3,
            )
        return None

    def wrong_memory(self, got):
        if got["same array"] is True:
            return None
        if np.array_equal(got["data later"], got["new"]["data"]) and got["after"]["data"].size:
            return Wrong(
                "y.data is a copy: the two share one array, no number is copied",
                expected=Message("x.data was changed, and y.data with it"),
                got=Message("x.data was changed, and y.data was not"),
                hint=2,
            )
        return But("y.data is a view of the numbers, not x.data itself: correct, but y.data is x.data gives False")
