"""How the answers of lesson 10 are judged: the rule of x @ W + b, and the layer."""

import numpy as np

from minitorch.course.judging.arrays import between, rewritten
from minitorch.course.judging.checks import But, Message, Wrong, as_python, exercise, first_wrong, judged_array
from minitorch.course.sandbox.values import type_name
from minitorch.language import both, either

NAMES = ("x", "W", "b")


def gradients(g, x, W):
    """The three gradients of x @ W + b, by the rule with indices."""
    return {"x": np.einsum("ij,kj->ik", g, W), "W": np.einsum("ik,ij->kj", x, g), "b": np.einsum("ij->j", g)}


# ------------------------------------------------------------------------------------------- linear_vjp


@exercise("linear_vjp")
class LinearVjp:
    """One row, several, a square one; then every gradient that may be left out, with the operand that it needs gone."""

    in_order = True

    def inputs(self, rng):
        def case(rows, n_in, n_out, wanted="xWb"):
            arrays = {"g": between(rng, rows, n_out), "x": between(rng, rows, n_in), "W": between(rng, n_in, n_out)}
            return arrays | {"wanted": [name in wanted for name in NAMES]}

        def without(case):
            """The case, with None for the operands that no wanted gradient needs."""
            x_wanted, W_wanted, _ = case["wanted"]
            return case | {"x": case["x"] if W_wanted else None, "W": case["W"] if x_wanted else None}

        row = {"g": np.array([[10.0]]), "x": np.array([[1.0, 2.0]]), "W": np.array([[3.0], [4.0]])}
        two = {"g": np.array([[1.0, 10.0], [2.0, 30.0]]), "x": np.array([[2.0], [3.0]]), "W": np.array([[5.0, 7.0]])}
        return [
            row | {"wanted": [True, True, True]},
            two | {"wanted": [True, True, True]},
            case(4, 3, 2),
            case(2, 2, 2),
            case(4, 3, 2, "Wb"),
            without(case(4, 3, 2, "Wb")),
            case(3, 2, 4, "xb"),
            without(case(3, 2, 4, "x")),
            without(case(2, 2, 2, "W")),
            without(case(4, 2, 3, "b")),
            without(case(3, 2, 2, "")),
            case(0, 3, 2),
        ]

    def line(self, x):
        made = [f"{name} = {as_python(x[name])}" for name in ("g", "x", "W")]
        return "; ".join([*made, f"m.linear_vjp(g, x, W, {tuple(x['wanted'])})"])

    def observe(learner, x):
        import numpy as np

        given = {name: None if x[name] is None else x[name].copy() for name in ("g", "x", "W")}
        try:
            out = learner.linear_vjp(given["g"], given["x"], given["W"], tuple(x["wanted"]))
        except (TypeError, AttributeError, ValueError, IndexError) as error:
            if x["x"] is not None and x["W"] is not None:
                raise
            return {"met None": f"{type(error).__name__}: {error}"}
        if hasattr(out, "__next__"):
            out = list(out)  # a generator of three is as good as a tuple
        if isinstance(out, (tuple, list)):
            out = [np.asarray(each) if isinstance(each, np.generic) else each for each in out]
        return {"out": out, "after": {name: None if array is None else array.copy() for name, array in given.items()}}

    def compared(self, x, got):
        return {"met None": True} if "met None" in got else got

    def judge(self, x, got):
        if "met None" in got:
            gone = [name for name in ("x", "W") if x[name] is None]
            wanted = ", ".join(f"{name}_grad" for name, one in zip(NAMES, x["wanted"], strict=True) if one) or "nothing"
            return Wrong(
                "wanted is {flags}: {wanted} alone. Your function used {gone} all the same, "
                "for a gradient that nobody wants",
                flags=tuple(x["wanted"]),
                wanted=wanted,
                gone=either(gone),
                got=got["met None"],
                hint=3,
            )
        there = [name for name in ("g", "x", "W") if x[name] is not None]
        return first_wrong(rewritten(x, got["after"], *there), *self.of_three(got["out"], x))

    def of_three(self, out, x):
        """What is wrong with what came back: not three things, or one of the three."""
        if not isinstance(out, list) or len(out) != 3:
            yield Wrong(
                "linear_vjp must return three things, (x_grad, W_grad, b_grad), with None for what is not wanted",
                expected="(x_grad, W_grad, b_grad)",
                got=Message("{out} things", out=len(out))
                if isinstance(out, list)
                else "None"
                if out is None
                else Message("one {out}", out=type_name(out)),
                hint=4 if out is not None else None,
            )
            return
        full = {name: x[name] if x[name] is not None else np.zeros((1, 1)) for name in ("x", "W")}
        if x["x"] is None:
            full["x"] = np.zeros((len(x["g"]), 1))
        if x["W"] is None:
            full["W"] = np.zeros((1, x["g"].shape[1]))
        want = gradients(x["g"], full["x"], full["W"])
        for name, wanted, grad in zip(NAMES, x["wanted"], out, strict=True):
            if not wanted and grad is not None:
                yield Wrong(
                    "{name}_grad is not wanted here, so its place must hold None",
                    name=name,
                    expected="None",
                    got=grad,
                    hint=3,
                )
            if wanted and grad is None:
                yield Wrong(
                    "{name}_grad is wanted, and its place holds None",
                    name=name,
                    expected=want[name],
                    got="None",
                    hint=3,
                )
            if wanted:
                step = 2 if name == "b" else 1
                hints = dict.fromkeys(("shape", "numbers", "sign", "factor", "zero", "order", "entry"), step)
                yield judged_array(grad, want[name], f"{name}_grad", hints=hints)


# ----------------------------------------------------------------------------------------------- Linear


def observe_layer(learner, x):
    """Make a layer, call it with one or two inputs, then its closures; copy what they hold."""
    import numpy as np

    def copy(thing):
        return thing.copy() if isinstance(thing, np.ndarray) else thing

    class Tensor:
        def __init__(self, data, requires_grad=False, _prev=(), _op=""):
            self.data, self.grad, self.requires_grad = np.array(data, dtype=float), None, requires_grad
            self._prev, self._op, self._backward, self.label = _prev, _op, None, ""

        def result(self, data, parents, op):
            wanted = any(parent.requires_grad for parent in parents)
            return Tensor(data, wanted, tuple(parents) if wanted else (), op)

        def accumulate(self, gradient):
            if self.requires_grad:
                if gradient is None:
                    seen["handed None"].append(names[id(self)])
                    return
                self.grad = np.array(gradient if self.grad is None else self.grad + gradient)
            elif gradient is not None:
                seen["handed to constants"].append(names[id(self)])

        def __matmul__(self, other):
            seen["signs"].append("@")
            return self.result(self.data @ other.data, (self, other), "@")

        def __add__(self, other):
            seen["signs"].append("+")
            return self.result(self.data + other.data, (self, other), "+")

    def asked(g, x, W, wanted):
        seen["asked"].append([bool(each) for each in wanted])
        return rule(g, x, W, wanted)

    seen = {"handed None": [], "handed to constants": [], "signs": [], "asked": [], "outs": [], "grads": []}
    made = {name: Tensor(x[name], name in x["wanted"]) for name in ("x", "y", "W", "b") if name in x}
    names = {id(each): name for name, each in made.items()}
    for name in x.get("left", ()):
        made[name].grad = np.full(made[name].data.shape, 100.0)
    rule, learner.linear_vjp = learner.linear_vjp, asked
    try:
        layer = learner.Linear(made["W"], made["b"])
        listed = layer.parameters()
        seen["parameters"] = type(listed).__name__
        if isinstance(listed, (list, tuple)):
            seen["parameters"] = [names.get(id(each), type(each).__name__) for each in listed]
        for name, moved in x.get("moved", {}).items():
            made[name].data = moved.copy()
        outs = [layer(made[name]) for name in ("x", "y") if name in made]
        for out in outs:
            if not isinstance(out, Tensor):
                seen["outs"].append({"no Tensor": copy(out)})
                return seen
            names[id(out)] = "out"
            seen["outs"].append(
                {
                    "data": copy(out.data),
                    "requires_grad": out.requires_grad,
                    "parents": [names.get(id(parent), "another") for parent in out._prev],
                    "op": out._op,
                    "closure": "None" if out._backward is None else "function" if callable(out._backward) else "other",
                }
            )
        seen["grads before"] = {name: copy(each.grad) for name, each in made.items()}
        for out, g in zip(outs, ("g", "h")):
            out.grad = x[g].copy()
            if callable(out._backward):
                out._backward()
            seen["grads"].append({name: copy(each.grad) for name, each in made.items()})
    finally:
        learner.linear_vjp = rule
    return seen


@exercise("linear")
class TheLayer:
    """One row, several; constants of every kind; two calls of one layer; numbers that move; grads that are there."""

    in_order = True
    observe = observe_layer

    def inputs(self, rng):
        def case(rows, n_in, n_out, wanted="xWb", second=0, **more):
            shapes = {"x": (rows, n_in), "W": (n_in, n_out), "b": (n_out,), "g": (rows, n_out)}
            if second:
                shapes |= {"y": (second, n_in), "h": (second, n_out)}
            return {name: between(rng, *shape) for name, shape in shapes.items()} | {"wanted": wanted} | more

        row = {"x": np.array([[1.0, 2.0]]), "W": np.array([[3.0], [4.0]]), "b": np.array([5.0])}
        row |= {"g": np.array([[10.0]])}
        return [
            row | {"wanted": "Wb"},
            row | {"wanted": "xWb"},
            case(4, 3, 2),
            case(4, 3, 2, "Wb"),
            case(4, 3, 2, "x"),
            case(3, 2, 4, "b"),
            case(2, 2, 2, "xW"),
            case(2, 3, 2, ""),
            case(3, 2, 2, "Wb", second=2),
            case(3, 2, 2, "xWb", moved={"W": between(rng, 2, 2), "b": between(rng, 2)}),
            case(3, 2, 2, "xyWb", second=3),
            case(2, 3, 4, "xWb", left=["W", "b"]),
        ]

    def compared(self, x, got):
        return {"signs": True, "parameters": got["parameters"]} if got["signs"] else got

    def judge(self, x, got):
        return first_wrong(*self.made(x, got), *self.arrived(x, got)) or self.remark(x, got)

    def made(self, x, got):
        """What is wrong before anything goes back: the list of parameters, the numbers, the node."""
        if got["parameters"] != ["W", "b"]:
            yield Wrong(
                "parameters() must return the list [W, b], the very Tensors that the layer was made with",
                expected="['W', 'b']",
                got=got["parameters"],
                hint=2,
            )
        for place, out in zip("xy", got["outs"]):
            yield from self.node(x, place, out, got["signs"])

    def node(self, x, place, out, signs):
        """What is wrong with one result."""
        if "no Tensor" in out:
            yield Wrong(
                "the layer must return what x.result(...) makes, and returned {no_tensor}",
                no_tensor=type_name(out["no Tensor"]),
                got=out["no Tensor"],
                hint=4,
            )
            return
        if signs:
            yield Wrong(
                "you used {operators} on Tensors, which makes a node for each. This layer is one operation: "
                "compute with the arrays in .data, and make one node with x.result",
                operators=both(signs),
                hint=1,
            )
        numbers = x | x.get("moved", {})
        step = 2 if "moved" in x else 1
        hints = dict.fromkeys(("shape", "numbers", "sign", "factor", "zero", "order", "entry"), step)
        want = x[place] @ numbers["W"] + numbers["b"]
        yield judged_array(out["data"], want, f"Linear(W, b)({place}).data", hints=hints)
        wanted = any(name in x["wanted"] for name in (place, "W", "b"))
        if out["requires_grad"] is not wanted:
            yield Wrong(
                "the result's requires_grad is {requires_grad}: does one of x, W and b want a gradient?",
                requires_grad=out["requires_grad"],
                expected=wanted,
                got=out["requires_grad"],
                hint=4,
            )
        if wanted and sorted(out["parents"]) != sorted([place, "W", "b"]):
            yield Wrong(
                "the result's parents must be the three Tensors x, W and b themselves",
                expected=[place, "W", "b"],
                got=out["parents"],
                hint=4,
            )
        closure = "function" if wanted else "None"
        if out["closure"] != closure:
            yield Wrong(
                "out._backward must be the function itself"
                if wanted
                else "nobody wants a gradient here, so out._backward must stay None",
                expected=closure,
                got=out["closure"],
                hint=4,
            )

    def arrived(self, x, got):
        """What is wrong with the gradients: too early, for a constant, not there, or with other numbers."""
        if any(out.get("closure") == "other" or "no Tensor" in out for out in got["outs"]):
            return
        left = {name: np.full(x[name].shape, 100.0) for name in x.get("left", ())}
        for name, grad in got["grads before"].items():
            if not (np.array_equal(grad, left[name]) if name in left else grad is None):
                yield Wrong(
                    "{name}.grad holds something before out._backward() was called: the closure does that later",
                    name=name,
                    expected=left.get(name, "None"),
                    got=grad,
                    hint=3,
                )
        W = (x | x.get("moved", {}))["W"]
        total = dict(left)
        for call, (place, g, grads) in enumerate(zip("xy", "gh", got["grads"])):
            for name, grad in gradients(x[g], x[place], W).items():
                name = place if name == "x" else name
                total[name] = grad + total.get(name, 0.0)
            yield from self.of_call(x, call, place, grads, total)
        yield from self.unwanted(x, got)

    def of_call(self, x, call, place, grads, total):
        """What is wrong after one call of a closure."""
        after = Message(" after the second call") if call else ""
        for name in (place, "W", "b"):
            if name not in x["wanted"]:
                continue
            label = Message("{name}.grad{after}", name=name, after=after)
            if grads[name] is None:
                yield Wrong(
                    "no gradient arrived at {name}{after}",
                    name=name,
                    after=after,
                    expected=total[name],
                    got="None",
                    hint=3,
                )
            hints = dict.fromkeys(("shape", "numbers", "sign", "factor", "zero", "order", "entry"), 3)
            yield judged_array(grads[name], total[name], label, hints=hints)

    def unwanted(self, x, got):
        """A gradient that was computed for a constant."""
        for place, wanted in zip("xy", got["asked"]):
            right = [name in x["wanted"] for name in (place, "W", "b")]
            if wanted != right:
                yield Wrong(
                    "the closure asked linear_vjp for other gradients than are wanted: a constant needs none",
                    expected=tuple(right),
                    got=tuple(wanted),
                    hint=3,
                )
        for name in got["handed to constants"]:
            yield Wrong(
                "{name} is a constant, and yet a gradient was computed for it",
                name=name,
                expected="None",
                got=Message("an array"),
                hint=3,
            )

    def remark(self, x, got):
        """What is right and could be better: the sign that pictures show."""
        if got["outs"] and got["outs"][0]["requires_grad"] and got["outs"][0]["op"] != "affine":
            return But('out._op is not "affine": the pictures will show another word')
        return None
