"""How the answers of lesson 06 are judged: the walk, from one number and from an array.

The drivers make Tensors without calling `Tensor.__init__`, and set the seven attributes by hand: so an exercise is
judged by itself, whatever the others are like. Only what an answer makes goes through the given constructor.
"""

import numpy as np

from minitorch.course.judging.checks import (
    Message,
    Wrong,
    as_python,
    drawn,
    exercise,
    first_wrong,
    judged_array,
    same_array,
)

DEEP = 5000


# ---------------------------------------------------------------------------------------------------------- the driver


def chain(kind, data, length):
    """Given code: a leaf `a`, and a root that begins as a and adds it once more, length times; return both."""
    import numpy as np

    def tensor(data, prev, op):
        made = kind.__new__(kind)
        made.data, made.grad, made.requires_grad = np.array(data), None, True
        made._prev, made._op, made._backward, made.label = prev, op, None, ""
        return made

    def give(node, gradient):
        node.grad = np.array(gradient if node.grad is None else node.grad + gradient)

    def join(left, right):
        out = tensor(left.data + right.data, (left, right), "+")

        def hand_on():
            give(left, out.grad)
            give(right, out.grad)

        out._backward = hand_on
        return out

    root = a = tensor(data, (), "")
    for _ in range(length):
        root = join(root, a)
    return a, root


def observe_walk(learner, x, given):
    """Build the program's graph out of Tensors with closures of the check's own; start a walk at root.

    Where the case has upstream gradients the walk is `backward_from`, with one of them in each call.
    A deep graph is built by given code where the learner's code runs: so many closures would take long from afar.
    """
    import numpy as np

    constants = x.get("constants", "")

    def tensor(data, prev=(), op=""):
        made = learner.Tensor.__new__(learner.Tensor)
        made.data, made.grad = np.array(data), None
        made.requires_grad = any(parent.requires_grad for parent in prev)
        made._prev, made._op, made._backward, made.label = prev if made.requires_grad else (), op, None, ""
        return made

    def give(node, gradient):
        if node.requires_grad:
            gradient = np.array(gradient, dtype=node.data.dtype)
            node.grad = gradient if node.grad is None else np.array(node.grad + gradient)

    def join(left, sign, right):
        out = tensor(left.data + right.data if sign == "+" else left.data * right.data, (left, right), sign)

        def hand_on():
            give(left, out.grad * (1.0 if sign == "+" else right.data))
            give(right, out.grad * (1.0 if sign == "+" else left.data))

        out._backward = hand_on if out.requires_grad else None
        return out

    def add_up(node):
        out = tensor(node.data.sum(), (node,), "sum")
        out._backward = (lambda: give(node, np.full(node.data.shape, out.grad))) if out.requires_grad else None
        return out

    names = {}
    for name, data in x.items():
        if isinstance(data, np.ndarray):
            names[name] = tensor(data)
            names[name].requires_grad = name not in constants
    steps = [step.split() for step in x["code"].split("; ") if step]
    if "deep" in x:  # root = a + a, and then root = root + a so many times
        names["a"], names["root"] = given(learner.Tensor, x["a"], 1 + x["deep"])
        steps = []
    for name, _, *words in steps:
        names[name] = add_up(names[words[1]]) if words[0] == "sum" else join(names[words[0]], words[1], names[words[2]])
    seen = {"raised": None, "grads": []}
    upstream = [array.copy() for array in x.get("upstream", [])]
    for call in range(x["calls"]):
        try:
            if upstream:
                learner.backward_from(names["root"], upstream[call])
            else:
                names["root"].backward()
        except (RuntimeError, ValueError) as error:
            plain = type(error) is RuntimeError or (upstream and type(error) is ValueError)
            if not plain or "look" not in x:
                raise
            seen["raised"] = type(error).__name__
        grads = {name: node.grad for name, node in names.items()}
        seen["grads"].append({name: np.copy(g) if isinstance(g, np.ndarray) else g for name, g in grads.items()})
    if upstream:
        seen["upstream"] = [array.copy() for array in upstream]
        for array in upstream:
            array += 100  # whoever holds the same memory sees it
        later = names["root"].grad
        seen["root later"] = np.copy(later) if isinstance(later, np.ndarray) else later
    return seen


def run_program(x, toward="", at=None):
    """The names of a program's arrays; the entry `at` of the node `toward` is moved by a tiny imaginary step."""

    def moved(name, array):
        if name == toward:
            array = array.astype(complex)
            array[at] += 1e-20j
        return array

    names = {name: moved(name, array) for name, array in x.items() if isinstance(array, np.ndarray)}
    steps = [step.split() for step in x["code"].split("; ") if step]
    for name, _, *words in steps:
        if words[0] == "sum":
            value = names[words[1]].sum()
        else:
            left, right = names[words[0]], names[words[2]]
            value = left + right if words[1] == "+" else left * right
        names[name] = moved(name, np.array(value))
    return names


# ----------------------------------------------------------------------------------------------------------- the judge


class Walk:
    """What the judges of both walks have in common."""

    in_order = True
    what = "backward"
    fine = Message("root holds one number and wants a gradient")

    observe, given = observe_walk, chain

    def line(self, x):
        """A line for the programs that `multiply` alone can run; the others are shown as they are."""
        if "+" in x["code"] or "sum" in x["code"]:
            return None
        leaves, constants = [name for name in x if isinstance(x[name], np.ndarray)], x.get("constants", "")
        wanted = {name: not (name in constants or name == constants) for name in leaves}
        made = [f"{name} = m.Tensor({as_python(x[name])}, requires_grad={wanted[name]})" for name in leaves]
        steps = [step.split() for step in x["code"].split("; ") if step]
        made += [f"{name} = m.multiply({left}, {right})" for name, _, left, _, right in steps]
        names = dict.fromkeys([*leaves, *(step[0] for step in steps)])
        walks = [f"m.backward_from(root, {as_python(g)})" for g in x["upstream"]] if "upstream" in x else []
        return "; ".join(
            [*made, *(walks or ["root.backward()"] * x["calls"]), ", ".join(f"{name}.grad" for name in names)]
        )

    def leaves(self, x):
        return [name for name, thing in x.items() if isinstance(thing, np.ndarray)]

    def refused(self, x):
        """Which exception this case must be refused with, and why; None where it must not."""
        if "deep" in x:
            return None
        root, constants = run_program(x)["root"], x.get("constants", "")
        if "upstream" not in x and root.size > 1:
            return "RuntimeError", Message("root holds {count} numbers", count=root.size)
        if "upstream" not in x and root.size == 0:
            return "RuntimeError", Message("root holds no number at all")
        if constants == "root" or all(name in constants for name in self.leaves(x)):
            return "RuntimeError", Message("root is a constant")
        for g in x.get("upstream", []):
            if g.shape != root.shape:
                why = Message("root has shape {root}, and the gradient {gradient}", root=root.shape, gradient=g.shape)
                return "ValueError", why
        return None

    def wanted(self, x):
        refused = self.refused(x)
        return refused and refused[0]

    def judge(self, x, got):
        refused = self.refused(x)
        if refused:
            return self.wrong_refusal(got, *refused)
        if got["raised"] is not None:
            return self.wrongly_refused(got["raised"])
        for call, grads in enumerate(got["grads"], 1):
            wrong = self.wrong_deep(x, grads) if "deep" in x else self.wrong_grads(x, grads, call)
            if wrong:
                return wrong
        return self.wrong_memory(x, got) if "upstream" in x else None

    def wrong_grads(self, x, grads, call):
        values = run_program(x)
        leaves = self.leaves(x)
        seeds = x.get("upstream", [np.ones_like(values["root"])] * x["calls"])
        for name in ["root", *leaves, *(name for name in values if name not in leaves)]:
            again = Message(" after a second call") if call == 2 else ""
            if name in x.get("constants", "") or name not in f"{x['code']} root".replace(";", "").split():
                if grads[name] is not None:
                    return Wrong(
                        "{name} is a constant or takes no part in root: no gradient may stay there",
                        name=name,
                        expected="None",
                        got=grads[name],
                    )
                continue
            slope = np.zeros(values[name].shape)
            for at in np.ndindex(*slope.shape):
                seed = sum(seeds[:call]) if name in leaves else seeds[call - 1]
                slope[at] = (seed * run_program(x, name, at)["root"].imag).sum() * 1e20
            if grads[name] is None:
                return Wrong(
                    "no gradient stayed at {name}{again}",
                    name=name,
                    again=again,
                    expected=slope,
                    got="None",
                    hint=1 if name == "root" else 2,
                )
            label = Message("{name}.grad{again}", name=name, again=again)
            step = 4 if call == 2 else 1 if name == "root" else 2
            hints = dict.fromkeys(
                ("type", "shape", "numbers", "dtype", "entry", "factor", "sign", "zero", "order"), step
            )
            wrong = judged_array(grads[name], slope, label, dtype=values[name].dtype, rtol=1e-6, hints=hints)
            if wrong:
                return wrong
        return None

    def wrong_deep(self, x, grads):
        seed = x.get("upstream", [np.array(1.0)])[0]
        return first_wrong(
            same_array(grads["root"], seed, "root.grad"),
            same_array(grads["a"], seed * (2.0 + x["deep"]), "a.grad"),
        )

    def wrongly_refused(self, raised):
        return Wrong("{fine}, but {what} raised {raised}", fine=self.fine, what=self.what, raised=raised, hint=3)

    def wrong_refusal(self, got, error, why):
        (grads,) = got["grads"]
        if got["raised"] is None:
            return Wrong(
                "{why}, and {what} did not refuse: raise {error}",
                why=why,
                what=self.what,
                error=error,
                expected=error,
                got="None" if grads["root"] is None else grads["root"],
                hint=3,
            )
        if got["raised"] != error:
            return Wrong(
                "{why}, and {what} raised {raised}: the exercise asks for {error}",
                why=why,
                what=self.what,
                raised=got["raised"],
                error=error,
                expected=error,
                got=got["raised"],
                hint=3,
            )
        left = [name for name, grad in grads.items() if grad is not None]
        if left:
            return Wrong(
                "{what} refused, but left a gradient at {left}: look before you begin",
                what=self.what,
                left=left[0],
                expected="None",
                got=grads[left[0]],
                hint=3,
            )
        return None

    def wrong_memory(self, x, got):
        for before, after in zip(x["upstream"], got["upstream"], strict=True):
            if not (isinstance(after, np.ndarray) and np.array_equal(after, before)):
                return Wrong(
                    "the gradient that was handed over is another array after the call: only read it",
                    expected=before,
                    got=after,
                )
        (*_, last) = got["grads"]
        if "deep" not in x and not np.array_equal(got["root later"], last["root"]):
            return Wrong(
                "root.grad is the array that was handed over: when that one changed later, root.grad changed with it",
                expected=last["root"],
                got=got["root later"],
                hint=2,
            )
        return None


@exercise("tensor_backward")
class TensorBackward(Walk):
    """Arrays of several shapes, a node used twice, uneven paths, constants, a second call; what must be refused."""

    def inputs(self, rng):
        two, three, x, y = drawn(rng, 2, 3), drawn(rng, 2, 3), np.array([3.0]), np.array([2.0])
        uneven = "p = a * b; q = p * p; r = q + p; s = r * b; root = sum s"
        return [
            {"a": x, "b": y, "code": "root = a * b", "calls": 1},
            {"a": x, "code": "p = a * a; root = p * a", "calls": 1},
            {"a": x, "code": "p = a * a; root = p * a", "calls": 2},
            {"a": x, "b": y, "code": "p = a * b; q = p * b; r = q * p; root = r * a", "calls": 1, "look": True},
            {"a": x, "b": y, "code": "p = a * b; root = p * p", "calls": 1, "constants": "b"},
            {"a": np.array([1.0, 2.0]), "code": "p = a * a; root = sum p", "calls": 1, "look": True},
            {"a": np.array(3.0), "b": np.array(2.0), "code": "root = a * b", "calls": 1},
            {"a": np.array(3.0), "b": np.array(2.0), "code": "p = a * a; root = b + p", "calls": 1},
            {"root": np.array(3.0), "code": "", "calls": 1, "look": True},
            {"a": drawn(rng, 1, 1), "b": drawn(rng, 1, 1), "code": "root = a * b", "calls": 1},
            {"a": two, "b": three, "code": "p = a * b; root = sum p", "calls": 1},
            {"a": two, "b": three, "code": uneven, "calls": 1, "look": True},
            {"a": two, "b": three, "code": uneven, "calls": 1, "constants": "b"},
            {"a": drawn(rng), "b": drawn(rng), "code": "p = a * a; q = p * p; root = p + q", "calls": 1},
            {"a": np.array(3.0), "code": "p = a * a; root = p + a", "calls": 2},
            {"a": two, "b": three, "code": uneven, "calls": 2},
            {"root": np.array([3.0]), "code": "", "calls": 2},
            {"a": np.array([1.5, 2.0], np.float32), "code": "p = a * a; root = sum p", "calls": 1},
            {"a": np.array([1.0, 2.0, 3.0, 4.0]), "code": "p = a * a; root = p * a", "calls": 1, "look": True},
            {"root": np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), "code": "", "calls": 1, "look": True},
            {"root": np.array([3.0]), "code": "", "calls": 1, "constants": "root", "look": True},
            {"a": x, "b": y, "code": "p = a * a; root = p * b", "calls": 1, "constants": "ab", "look": True},
            {"a": np.zeros(0), "code": "p = a * a; root = p + a", "calls": 1, "look": True},
            {"a": np.array(1.0), "code": "root = a + a", "calls": 1, "deep": DEEP},
        ]


@exercise("backward_from")
class BackwardFrom(Walk):
    """Roots of several shapes and gradients of both signs; a second call with another one; what must be refused."""

    what = "backward_from"
    fine = Message("root wants a gradient, and this one has its shape")

    def inputs(self, rng):
        a, b, two, three = np.array([2.0, 3.0]), np.array([5.0, 7.0]), drawn(rng, 2, 3), drawn(rng, 2, 3)
        g, h, wide, other = np.array([1.0, -10.0]), np.array([3.0, 0.5]), drawn(rng, 2, 3), drawn(rng, 2, 3)
        uneven = "p = a * b; q = p * p; r = q + p; s = r * b; root = s * a"

        def case(code, *upstream, **more):
            return {"code": code, "upstream": list(upstream), "calls": len(upstream)} | more

        return [
            case("root = a * b", g, a=a, b=b),
            case("p = a * a; root = p * a", g, a=a),
            case("root = a * b", g, a=a, b=b, constants="b"),
            case("root = a * b", g, h, a=a, b=b),
            case("p = a * a; root = p + a", g, h, a=a),
            case("", g, root=a),
            case("", g, h, root=a),
            case("p = a * b; root = p * p", g, a=a, b=b, look=True),
            case(uneven, wide, a=two, b=three),
            case(uneven, wide, other, a=two, b=three, constants="b"),
            case("root = a * b", np.array(-4.0), a=np.array(3.0), b=np.array(2.0)),
            case("root = a * a", np.array([[0.0]]), a=np.array([[1.5]])),
            case("root = a * a", np.array([2.0, -1.0]), a=np.array([1.5, 2.0], np.float32)),
            case("root = a * b", g, a=a, b=b, constants="ab", look=True),
            case("", g, root=a, constants="root", look=True),
            case("root = a * b", np.array([1.0]), a=a, b=b, look=True),
            case("root = a * b", np.array(2.0), a=a, b=b, look=True),
            case("p = a * b; root = sum p", g, a=a, b=b, look=True),
            case("root = a * b", drawn(rng, 3, 2), a=two, b=three, look=True),
            case("root = a + a", np.array(-3.0), a=np.array(1.0), deep=DEEP),
        ]
