"""How the answers of lesson 05 are judged: what arrives at a Tensor, and whether anything is wanted.

The drivers make Tensors without calling `Tensor.__init__`, and set the seven attributes by hand: so an exercise is
judged by itself, whatever the others are like. Only `multiply` and `detach` go through the learner's constructor.
"""

import numpy as np

from minitorch.course.judging.checks import Wrong, drawn, exercise, same_array, same_value, with_hint

# ---------------------------------------------------------------------------------------------------------- accumulate


def observe_accumulate(learner, x):
    """Let gradients arrive at Tensors by a line of code; describe what they hold then, and whose memory it is."""
    import numpy as np

    gradients = {name: array.copy() for name, array in x.items() if name in ("g", "h")}
    tensors = {}
    for name in ("x", "y"):
        if name in x:
            tensors[name] = tensor = learner.Tensor.__new__(learner.Tensor)
            tensor.data, tensor.grad, tensor.requires_grad = x[name].copy(), None, x.get("requires_grad", True)
            tensor._prev, tensor._op, tensor._backward, tensor.label = (), "", None, ""
            if "inner" in x:
                tensor._prev, tensor._op = (learner.Tensor.__new__(learner.Tensor),), "+"
    names = {**tensors, "np": np, **{name: array[()] for name, array in gradients.items()}}
    for statement in x["code"].split("; "):
        try:
            exec(statement, {}, names)  # noqa: S102 - the text is this file's own
        except ValueError as error:
            if "x has" not in x:
                raise
            return {"refused": type(error).__name__, "grad": tensors["x"].grad}
    grads = {name: tensor.grad for name, tensor in tensors.items()}
    held = [grad for grad in grads.values() if isinstance(grad, np.ndarray)]
    arrays = [*gradients.values(), *(tensor.data for tensor in tensors.values())]
    return {
        "grads": grads,
        "shared": any(np.shares_memory(grad, array) for grad in held for array in arrays)
        or (len(held) == 2 and np.shares_memory(*held)),
        "changed": [name for name, array in gradients.items() if not np.array_equal(array, x[name])]
        + [f"{name}.data" for name, tensor in tensors.items() if not np.array_equal(tensor.data, x[name])],
    }


@exercise("accumulate")
class Accumulate:
    """One gradient and several, of several shapes and dtypes; constants; wrong shapes; whose memory grad is."""

    def inputs(self, rng):
        once, twice = "x.accumulate(g)", "x.accumulate(g); x.accumulate(h)"
        data = np.array([1.0, 2.0])
        return [
            {"code": once, "x": np.array(1.0), "g": np.array(5.0)},
            {"code": once, "x": data, "g": np.array([10.0, 20.0])},
            {"code": twice, "x": np.array(1.0), "g": np.array(5.0), "h": np.array(-2.0)},
            {"code": f"{twice}; x.accumulate(g)", "x": np.array(1.0), "g": np.array(5.0), "h": np.array(-2.0)},
            {"code": twice, "x": data, "g": np.array([10.0, 20.0]), "h": np.array([3.0, -1.0])},
            {"code": "x.accumulate(g); x.accumulate(g)", "x": data, "g": np.array([10.0, 20.0])},
            {"code": once, "x": data, "g": np.zeros(2)},
            {"code": once, "x": data, "g": np.array([10.0, 20.0]), "requires_grad": False},
            {"code": twice, "x": drawn(rng, 2, 3), "g": drawn(rng, 2, 3), "h": drawn(rng, 2, 3)},
            {
                "code": twice,
                "x": np.array([1.0, 2.0], np.float32),
                "g": np.array([0.5, 4.0]),
                "h": np.array([0.25, -1.0]),
            },
            {"code": once, "x": np.array(2.0, np.float32), "g": np.array(0.5)},
            {"code": "x.accumulate(float(g)); x.accumulate(h)", "x": np.array(1.0)}
            | {"g": np.array(5.0), "h": np.array(-2.0)},
            {"code": once, "x": data, "g": np.array([10, 20])},
            {"code": "x.accumulate(g.T); x.accumulate(h)", "x": drawn(rng, 2, 3)}
            | {"g": drawn(rng, 3, 2), "h": drawn(rng, 2, 3)},
            {"code": "x.accumulate(np.broadcast_to(g, (2, 3))); x.accumulate(h)", "x": drawn(rng, 2, 3)}
            | {"g": drawn(rng, 3), "h": drawn(rng, 2, 3)},
            {"code": "x.accumulate(g); y.accumulate(g); x.accumulate(h)", "x": drawn(rng, 3), "y": drawn(rng, 3)}
            | {"g": drawn(rng, 3), "h": drawn(rng, 3)},
            {"code": "x.accumulate(g); y.accumulate(h)", "x": np.zeros((0, 3)), "y": drawn(rng, 2, 3)}
            | {"g": np.zeros((0, 3)), "h": drawn(rng, 2, 3)},
            {"code": once, "x": data, "g": np.array([10.0, 20.0]), "inner": True},
            {"code": once, "x": data, "g": np.array([10.0]), "x has": "another shape"},
            {"code": once, "x": data, "g": np.array([[10.0, 20.0]]), "x has": "another shape"},
            {"code": once, "x": np.array([[1.0], [2.0]]), "g": np.array([3.0, 4.0]), "x has": "another shape"},
            {"code": once, "x": drawn(rng, 2, 3), "g": drawn(rng, 3, 2), "x has": "another shape"},
            {"code": twice, "x": data, "g": np.array([10.0, 20.0]), "h": np.array(5.0), "x has": "another shape"},
        ]

    observe = observe_accumulate

    def judge(self, x, got):
        steps = [step[:-1].split(".accumulate(") for step in x["code"].split("; ")]
        if "x has" in x:
            return self.wrong_refusal(x, got)
        if "refused" in got:
            return Wrong("accumulate refused a gradient of the right shape", "accumulate rechazó un gradiente correcto")
        if got["changed"]:
            name = got["changed"][0]
            return Wrong(
                f"accumulate changed {name}, which belongs to somebody else",
                f"accumulate cambió {name}, que es de otro",
                hint=3,
            )
        for name, grad in got["grads"].items():
            wrong = self.wrong_grad(x, name, grad, [entry for target, entry in steps if target == name])
            if wrong:
                return wrong
        if got["shared"] is not False:
            return Wrong(
                "grad shares its memory with another array: keep an array of your own",
                "grad comparte su memoria con otro array: guarda un array propio",
                hint=3,
            )
        return None

    def wrong_refusal(self, x, got):
        last = x["code"].rpartition("(")[2][:-1]
        shapes = f"({last}.shape {x[last].shape}, x.data.shape {x['x'].shape})"
        if "refused" not in got:
            return Wrong(
                f"a gradient of another shape was taken {shapes}: raise ValueError",
                f"se aceptó un gradiente de otra forma {shapes}: lanza ValueError",
                expected="ValueError",
                got=got["grads"]["x"],
                hint=4,
            )
        before = None if last == "g" else x["g"]
        if before is None and got["grad"] is None:
            return None
        what = ("x.grad after the refusal", "x.grad después del rechazo")
        return same_array(got["grad"], before, what) if before is not None else same_value(got["grad"], None, what)

    def wrong_grad(self, x, name, grad, arrived):
        if not x.get("requires_grad", True):
            if grad is None:
                return None
            return Wrong(
                f"{name} has requires_grad False, so no gradient may stay there",
                f"{name} tiene requires_grad False, así que ahí no puede quedar ningún gradiente",
                expected="None",
                got=grad,
            )
        entries = {
            "g": x["g"],
            "float(g)": x["g"],
            "h": x.get("h"),
            "g.T": x["g"].T,
            "np.broadcast_to(g, (2, 3))": None,
        }
        if any("broadcast" in entry for entry in arrived):
            entries["np.broadcast_to(g, (2, 3))"] = np.broadcast_to(x["g"], (2, 3))
        want = np.array(sum(entries[entry] for entry in arrived))
        if grad is None:
            return Wrong(
                f"no gradient stayed at {name}: {name}.grad is still None",
                f"en {name} no quedó ningún gradiente: {name}.grad sigue siendo None",
                expected=want,
                got="None",
            )
        wrong = same_array(grad, want, f"{name}.grad", dtype=x[name].dtype)
        right_kind = isinstance(grad, np.ndarray) and grad.dtype == x[name].dtype
        return with_hint(wrong, 2 if right_kind else 3)


# ---------------------------------------------------------------------------------------------------------- wants_grad


def observe_wants_grad(learner, x):
    """Call the rule on Tensors with the flags of the case, recording on or off."""

    def tensor(name):
        made = learner.Tensor.__new__(learner.Tensor)
        made.data, made.grad, made.requires_grad = None, x.get(f"{name}.grad"), x.get(f"{name}.requires_grad")
        made._prev, made._op, made._backward, made.label = (), "", None, name
        return made

    names = {name: tensor(name) for name in "cdwy"}
    names["y"]._prev, names["y"]._op = (names["w"], names["w"]), "*"
    token = learner.GRAD_ENABLED.set(x["GRAD_ENABLED"])
    try:
        parents = eval(x["code"].partition("(")[2][:-1], {}, names)  # noqa: S307 - the text is this file's own
        out = learner.wants_grad(parents)
        return {"out": out, "switch": learner.GRAD_ENABLED.get()}
    finally:
        learner.GRAD_ENABLED.reset(token)


@exercise("wants_grad")
class WantsGrad:
    """No parent, one, two and three of them, constants first and last, inner nodes; recording on and off."""

    def inputs(self, rng):
        flags = {"c": False, "d": False, "w": True, "y": True}
        asked = [
            *[("(w,)", True), ("(c,)", True), ("(w, w)", True), ("(c, w)", True), ("(w, c)", True), ("(c, d)", True)],
            *[("(y,)", True), ("(y, c)", True), ("[c, d, y]", True), ("()", True), ("(w,)", False), ("(c, w)", False)],
            *[("(c,)", False), ("()", False)],
        ]
        return [
            {"code": f"wants_grad({parents})"}
            | {f"{name}.requires_grad": flag for name, flag in flags.items() if name in parents}
            | {"GRAD_ENABLED": on}
            for parents, on in asked
        ] + [{"code": "wants_grad((w,))", "w.requires_grad": True, "w.grad": np.array([1.0]), "GRAD_ENABLED": True}]

    observe = observe_wants_grad

    def judge(self, x, got):
        if got["switch"] is not x["GRAD_ENABLED"]:
            return Wrong(
                "wants_grad changed GRAD_ENABLED: it only reads it",
                "wants_grad cambió GRAD_ENABLED: solo lo lee",
                expected=x["GRAD_ENABLED"],
                got=got["switch"],
            )
        flags = [flag for name, flag in x.items() if name.endswith("requires_grad")]
        return same_value(got["out"], x["GRAD_ENABLED"] and True in flags)


# ------------------------------------------------------------------------------------------------------------- no_grad


def observe_no_grad(learner, x):
    """Go in and out of blocks step by step; read the switch after each step."""
    switch = learner.GRAD_ENABLED
    token = switch.set(x["GRAD_ENABLED"])
    readings, open_blocks, made, swallowed = [], [], None, False
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
                    swallowed = bool(type(block).__exit__(block, kind, error, None)) or swallowed
                except BaseException as raised:  # the same error, raised again, goes on as well
                    if raised is not error:
                        raise
            readings.append(switch.get())
        return {"readings": readings, "swallowed": swallowed}
    finally:
        switch.reset(token)


@exercise("no_grad")
class NoGrad:
    """One block, a block in a block, an error inside, recording off before, the same object twice."""

    def inputs(self, rng):
        codes = [
            *["enter, leave", "enter, enter, leave, leave", "enter, leave, enter, leave"],
            *[
                "enter, leave by ValueError",
                "enter, leave by KeyboardInterrupt",
                "enter, enter, leave by ValueError, leave",
            ],
            *["make", "make, enter it, leave", "enter, enter, enter, leave, leave, leave"],
            *["make, enter, enter it, leave, leave", "enter, make, leave, enter it, leave"],
        ]
        off = ["enter, leave", "enter, leave by ValueError"]
        return [{"code": code, "GRAD_ENABLED": True} for code in codes] + [
            {"code": code, "GRAD_ENABLED": False} for code in off
        ]

    observe = observe_no_grad

    def judge(self, x, got):
        depth, want, steps = 0, [], x["code"].split(", ")
        for step in steps:
            depth += step.startswith("enter") - step.startswith("leave")
            want.append(x["GRAD_ENABLED"] and depth == 0)
        for index, (reading, right) in enumerate(zip(got["readings"], want, strict=True)):
            if reading is not right:
                place = f"{index + 1} ({steps[index]})"
                return Wrong(
                    f"GRAD_ENABLED is {reading} after step {place}",
                    f"GRAD_ENABLED es {reading} después del paso {place}",
                    expected=want,
                    got=got["readings"],
                    hint=1 if steps[index].startswith("enter") else 2,
                )
        if got["swallowed"] is not False:
            return Wrong(
                "the error that was raised inside does not get out: __exit__ must not return True",
                "el error que se lanzó dentro no sale: __exit__ no debe devolver True",
                hint=3,
            )
        return None
