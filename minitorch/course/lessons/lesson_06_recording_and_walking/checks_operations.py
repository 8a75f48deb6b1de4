"""How the answers of lesson 06 are judged: operations with a closure, as a function and as the signs + and *.

The driver makes Tensors without calling `Tensor.__init__`, and sets the seven attributes by hand: so an exercise is
judged by itself, whatever the others are like. Only results go through the given constructor, and `__mul__` through
`multiply`. The judges know no rule: a gradient is the slope of the number `sum(g * result)`, taken with a step in the
imaginary direction, which has no rounding error to speak of.
"""

import numpy as np

from minitorch.course.judging.checks import But, Message, Wrong, as_python, drawn, exercise, judged_array

TINY = 1e-20
HUGE = 1e200  # times itself it is too large for a float

# -------------------------------------------------------------------------------------------------- the driver


def compute(code, multiply, a, b, r, out):
    """Given code: what a case's code gives, run where the learner's Tensors are.

    An array on the left of a sign asks the Tensor itself, and no proxy of it. For a closure it is whether a number grew
    too large for a float on the way.
    """
    import numpy as np

    names = {"multiply": multiply, "a": a, "b": b, "r": r, "out": out}
    if out is None:
        return eval(code, names)  # noqa: S307 - the text is this file's own
    noticed = []
    with np.errstate(over="call", call=lambda kind, _: noticed.append(kind)):
        eval(code, names)  # noqa: S307 - the same
    return len(noticed) > 0


def observe_operation(learner, x, given):
    """Compute with Tensors, then hand the gradients g and h to the result, one after the other; copy what they hold."""
    import numpy as np

    def copy(thing):
        return thing.copy() if isinstance(thing, np.ndarray) else thing

    def tensor(name):
        made = learner.Tensor.__new__(learner.Tensor)
        made.data, made.grad = x[name].copy(), copy(x.get(f"{name}.grad"))
        made.requires_grad = x[f"{name}.requires_grad"]
        made._prev, made._op, made._backward, made.label = (), "", None, ""
        return made

    def grads():
        return {name: copy(operand.grad) for name, operand in names.items()}

    names = {name: tensor(name) for name in "ab" if name in x}
    operands = list(names.values())
    last, row = operands[-1], copy(x.get("r"))
    token = learner.GRAD_ENABLED.set(x.get("GRAD_ENABLED", True))
    try:
        out = given(x["code"], learner.multiply, names["a"], names.get("b"), row, None)
        with np.errstate(over="ignore"):  # the check's own large numbers are no concern of the learner's
            given(x["code"], learner.multiply, last, last, row, None)  # another result in between must change nothing
    finally:
        learner.GRAD_ENABLED.reset(token)
    if not isinstance(out, learner.Tensor):
        return {"no tensor": copy(out)}
    places = {id(operand): name for name, operand in names.items()}
    parents = out._prev if isinstance(out._prev, (tuple, list)) else ()
    seen = {
        "data": copy(out.data),
        "requires_grad": out.requires_grad,
        "parents": [places.get(id(parent), type(parent).__name__) for parent in parents],
        "op": out._op,
        "grads before": grads(),
        "closure": "None" if out._backward is None else "function" if callable(out._backward) else "other",
        "grads": [],
        "out.grad": [],
    }
    arrived = []
    for name in [name for name in "gh" if name in x] if seen["closure"] == "function" else ():
        arrived.append(x[name].copy())
        out.grad = arrived[-1]
        try:
            if "h" in x:
                out._backward()
            else:  # the numbers of this case are so large that a part which nobody wants is seen
                seen["too large"] = given("out._backward()", None, None, None, None, out)
        except TypeError as error:
            if "NoneType" not in str(error):
                raise
            return seen | {"met None": str(error)}
        seen["grads"].append(grads())
        seen["out.grad"].append(copy(out.grad))
    seen["data after"] = {name: copy(operand.data) for name, operand in names.items()}
    for array in (*arrived, *(operand.data for operand in operands), *([] if row is None else [row])):
        array += 100  # whoever holds the same memory sees it
    seen["grads later"] = grads()
    return seen


# --------------------------------------------------------------------------------------------------- the judge


class Operation:
    """What the judges of `multiply` and of the signs have in common."""

    in_order = True
    hints = dict.fromkeys(("early", "flag", "place", "closure", "arrived", "memory", "tensor"), 1)

    observe, given = observe_operation, compute

    def case(self, rng, code, shape, wanted, dtype=np.float64, **more):
        """A case of numbers drawn at random; `wanted` names the operands that want a gradient."""
        arrays = {name: drawn(rng, *shape).astype(dtype) for name in ("a", "b", "r", "g", "h")}
        return self.of(code, arrays, wanted) | more

    def of(self, code, arrays, wanted):
        """A case of these arrays: those that the code reads, and the gradients that arrive."""
        words = code.replace("(", " ").replace(",", " ").replace(")", " ").split()
        arrays = {name: array for name, array in arrays.items() if name in words or name in "gh"}
        return {"code": code} | arrays | {f"{name}.requires_grad": name in wanted for name in "ab" if name in arrays}

    def line(self, x):
        names = [name for name in "ab" if name in x]
        made = [
            f"{name} = m.Tensor({as_python(x[name])}, requires_grad={x[f'{name}.requires_grad']})" for name in names
        ]
        made += [f"{name}.grad = {as_python(x[f'{name}.grad'])}" for name in names if f"{name}.grad" in x]
        made += [f"r = {as_python(x['r'])}"] if "r" in x else []
        call = f"out = {x['code'].replace('multiply', 'm.multiply')}"
        if not x.get("GRAD_ENABLED", True):
            call = f"switch = m.GRAD_ENABLED.set(False); {call}; m.GRAD_ENABLED.reset(switch)"
        if not self.recorded(x):
            return "; ".join([*made, call, "out.data, out.requires_grad, out._prev, out._backward"])
        arrives = [f"out.grad = {as_python(x[name])}; out._backward()" for name in "gh" if name in x]
        return "; ".join([*made, call, *arrives, f"out.data, {', '.join(f'{name}.grad' for name in names)}"])

    def recorded(self, x):
        """Whether the result wants a gradient."""
        return x.get("GRAD_ENABLED", True) and any(x.get(f"{name}.requires_grad") for name in "ab")

    def value(self, x, toward="", at=None):
        """What the case's code makes of the arrays; the entry `at` of `toward` is moved by a tiny imaginary step."""
        names = {name: x[name] for name in "abr" if name in x}
        if toward:
            names[toward] = names[toward].astype(complex)
            names[toward][at] += TINY * 1j
        return np.asarray(eval(x["code"], {"multiply": np.multiply}, names))  # noqa: S307 - this file's own text

    def slope(self, x, name, upstream):
        """How fast sum(upstream * result) grows with each entry of an operand."""
        found = np.zeros(x[name].shape)
        for place in np.ndindex(found.shape):
            found[place] = np.sum(upstream * self.value(x, name, place)).imag / TINY
        return found

    def judge(self, x, got):
        if "no tensor" in got:
            return self.no_tensor(x, got["no tensor"])
        wrong = judged_array(got["data"], self.value(x), "out.data", dtype=x["a"].dtype)
        if wrong:
            return wrong
        for name, grad in got["grads before"].items():
            had = x.get(f"{name}.grad")
            if not (grad is None if had is None else isinstance(grad, np.ndarray) and np.array_equal(grad, had)):
                return Wrong(
                    "{name}.grad is set before anything has arrived at out: hand on in _backward, not before",
                    name=name,
                    expected="None" if had is None else had,
                    got=grad,
                    hint=self.hints["early"],
                )
        wanted = self.recorded(x)
        return (
            self.wrong_flag(got, wanted)
            or self.wrong_place(x, got, wanted)
            or self.wrong_waste(x, got)
            or (self.wrong_grads(x, got) if wanted else None)
            or self.wrong_memory(x, got)
            or self.remark(x, got)
        )

    def no_tensor(self, x, got):
        if got is None:
            return Wrong("{code} gave None: is a `return` missing?", code=x["code"], expected="Tensor", got="None")
        return Wrong("{code} must give a Tensor", code=x["code"], expected="Tensor", got=got, hint=self.hints["tensor"])

    def wrong_flag(self, got, wanted):
        if got["requires_grad"] is wanted:
            return None
        if got["requires_grad"] is True:
            return Wrong(
                "out.requires_grad is True, though nothing is recorded here or no operand wants a gradient",
                expected=wanted,
                got=True,
                hint=self.hints["flag"],
            )
        return Wrong(
            "out.requires_grad must be True: an operand wants a gradient",
            expected=wanted,
            got=got["requires_grad"],
            hint=self.hints["flag"],
        )

    def parents(self, x, got):
        """The parents to be judged, each once: x * x may list x once or twice."""
        return list(dict.fromkeys(got["parents"]))

    def wrong_place(self, x, got, wanted):
        operands = [name for name in "ab" if name in x] if wanted else []
        if self.parents(x, got) != operands:
            if not wanted:
                return Wrong(
                    "out wants no gradient, so it has no parents: a constant remembers nothing",
                    expected="()",
                    got=got["parents"],
                    hint=self.hints["place"],
                )
            return Wrong(
                "the parents in out._prev are not the operands in their order",
                expected=operands,
                got=got["parents"],
                hint=self.hints["place"],
            )
        if not wanted and got["closure"] != "None":
            return Wrong(
                "out wants no gradient, so its _backward stays None: a closure would keep both operands alive",
                expected="None",
                got=got["closure"],
                hint=self.hints["closure"],
            )
        if "met None" in got:
            return Wrong(
                "out._backward() met a None: {met_none}. Where is out.grad read, and is a grad still None?",
                met_none=got["met None"],
                hint=self.hints["early"],
            )
        if wanted and got["closure"] == "None":
            return Wrong(
                "out._backward is None: nothing will ever arrive at the operands",
                expected="function",
                got="None",
                hint=self.hints["closure"],
            )
        if wanted and got["closure"] != "function":
            return Wrong(
                "out._backward is no function: put the function itself there, without calling it",
                expected="function",
                got=got["closure"],
                hint=self.hints["closure"],
            )
        return None

    def wrong_waste(self, x, got):
        if not got.get("too large"):
            return None
        kept, other = ("b", "a") if x["a.requires_grad"] else ("a", "b")
        return Wrong(
            "{kept} is a constant, and its part was computed all the same: here out.grad * "
            "{other}.data is too large for a float, and NumPy noticed",
            kept=kept,
            other=other,
            hint=self.hints["memory"],
        )

    def wrong_grads(self, x, got):
        total = 0.0
        names = [name for name in "ab" if name in x]
        for index, upstream in enumerate(x[name] for name in "gh" if name in x):
            total = total + upstream
            for name in names:
                grad = got["grads"][index].get(name)
                if not x[f"{name}.requires_grad"]:
                    if grad is not None:
                        return Wrong(
                            "{name} is a constant: no gradient may stay there",
                            name=name,
                            expected="None",
                            got=grad,
                            hint=self.hints["memory"],
                        )
                    continue
                slope = self.slope(x, name, total)
                again = Message(" after a second call") if index else ""
                if grad is None:
                    return Wrong(
                        "no gradient arrived at {name}{again}",
                        name=name,
                        again=again,
                        expected=slope,
                        got="None",
                        hint=self.hints["arrived"],
                    )
                rtol = 1e-5 if x["a"].dtype == np.float32 else 1e-9
                label = Message("{name}.grad{again}", name=name, again=again)
                later = index or len(names) == 1 or f"{name}.grad" in x
                step = self.hints["memory" if later else "arrived"]
                hints = dict.fromkeys(("entry", "factor", "sign", "order", "zero", "shape"), step)
                slope = slope + x.get(f"{name}.grad", 0.0)
                wrong = judged_array(grad, slope, label, dtype=x["a"].dtype, rtol=rtol, hints=hints)
                if wrong:
                    return wrong
        return None

    def wrong_memory(self, x, got):
        for name, data in got["data after"].items():
            if not np.array_equal(data, x[name]):
                return Wrong(
                    "{name}.data has changed: an operation leaves its operands as they are",
                    name=name,
                    expected=x[name],
                    got=data,
                )
        for upstream, after in zip([x[name] for name in "gh" if name in x], got["out.grad"], strict=False):
            if not (isinstance(after, np.ndarray) and np.array_equal(after, upstream)):
                return Wrong(
                    "out.grad is not what it was before out._backward(): only read it",
                    expected=upstream,
                    got="None" if after is None else after,
                )
        for name, grad in got["grads later"].items():
            if isinstance(grad, np.ndarray) and got["grads"] and not np.array_equal(grad, got["grads"][-1][name]):
                return Wrong(
                    "{name}.grad shares its memory with out.grad or with data: that was changed later, and it as well",
                    name=name,
                    expected=got["grads"][-1][name],
                    got=grad,
                    hint=self.hints["memory"],
                )
        return None

    def remark(self, x, got):
        sign = "+" if "+" in x["code"] else "*"
        if got["requires_grad"] and got["op"] != sign:
            return But('out._op is not "{sign}": the pictures will show the wrong sign', sign=sign)
        return None


SMALL = {
    "a": np.array([2.0, 3.0]),
    "b": np.array([5.0, 7.0]),
    "r": np.array([4.0, 6.0]),
    "g": np.array([1.0, 10.0]),
    "h": np.array([2.0, 0.0]),
}


@exercise("multiply")
class Multiply(Operation):
    """Two Tensors, one of them twice, constants, no recording; the closure called with two upstream gradients."""

    hints = {"early": 3, "flag": 5, "place": 5, "closure": 4, "arrived": 2, "memory": 5, "tensor": 5}

    def inputs(self, rng):
        both, square = "multiply(a, b)", "multiply(a, a)"
        zeros = SMALL | {"a": np.array([0.0, 3.0]), "b": np.array([5.0, 0.0])}
        large = {"a": np.array([HUGE]), "b": np.array([1.0 / HUGE]), "g": np.array([HUGE])}
        had = {"a.grad": np.array([100.0, 200.0]), "b.grad": np.array([300.0, 400.0])}
        return [
            self.of(both, SMALL, "ab"),
            self.of(both, SMALL, "a"),
            self.case(rng, both, (2, 3), "ab"),
            self.case(rng, both, (2, 3), "a"),
            self.case(rng, both, (2, 3), "b"),
            self.of(both, zeros, "ab"),
            self.case(rng, square, (2,), "a"),
            self.case(rng, both, (2,), ""),
            self.case(rng, both, (2,), "ab", GRAD_ENABLED=False),
            self.case(rng, square, (2,), "a", GRAD_ENABLED=False),
            self.case(rng, both, (2, 2), "ab"),
            self.case(rng, both, (3,), "ab", np.float32),
            self.case(rng, both, (2, 1, 3), "ab"),
            self.case(rng, both, (), "ab"),
            self.case(rng, square, (), "a"),
            self.case(rng, both, (2,), "ab") | had,
            self.of(both, large, "a"),
            self.of(both, large | {"a": large["b"], "b": large["a"]}, "b"),
        ]


@exercise("operators")
class Operators(Operation):
    """Both signs, with a Tensor, a number and an array on either side; one Tensor twice, constants, no recording."""

    hints = {"early": 2, "flag": 5, "place": 5, "closure": 2, "arrived": 1, "memory": 5, "tensor": 5}

    def inputs(self, rng):
        had = {"a.grad": np.array([100.0, 200.0]), "b.grad": np.array([300.0, 400.0])}
        codes = ["a + 10.0", "a * 10.0", "10.0 + a", "10.0 * a", "a + r", "a * r", "r + a", "r * a"]
        return [
            self.of("a + b", SMALL, "ab"),
            self.of("a * b", SMALL, "ab"),
            self.of("a + b", SMALL, "a"),
            self.of("a + b", SMALL, "b"),
            self.of("a * b", SMALL, "b"),
            *(self.of(code, SMALL, "a") for code in codes),
            self.of("a + a", SMALL, "a"),
            self.of("a * a", SMALL, "a"),
            self.of("a + 3", SMALL, "a"),
            self.case(rng, "a + b", (2,), ""),
            self.case(rng, "a + b", (2,), "ab", GRAD_ENABLED=False),
            self.of("a + 10.0", SMALL, ""),
            self.case(rng, "a + b", (2, 3), "ab"),
            self.case(rng, "a + b", (), "ab"),
            self.case(rng, "a + 10.0", (), "a"),
            self.case(rng, "a + b", (2,), "ab") | had,
        ]

    def parents(self, x, got):
        """What a number or an array has become may stand among the parents, or be left out."""
        found = super().parents(x, got)
        return found if "b" in x else [name for name in found if name != "Tensor"]
