"""How the answers of lesson 05 are judged: the walk.

The drivers make Tensors without calling `Tensor.__init__`, and set the seven attributes by hand: so an exercise is
judged by itself, whatever the others are like. Only `multiply` and `detach` go through the learner's constructor.
"""

import numpy as np

from minitorch.course.judging.checks import Wrong, drawn, exercise, first_wrong, same_array, with_hint

DEEP = 5000


# ----------------------------------------------------------------------------------------------------- tensor_backward


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


def observe_tensor_backward(learner, x, given):
    """Build the program's graph out of Tensors with closures of the check's own; call backward on root.

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
    try:
        for _ in range(x["calls"]):
            names["root"].backward()
    except RuntimeError as error:
        if type(error) is not RuntimeError or "refused" not in x:
            raise
        return {"refused": True, "grads": {name: node.grad for name, node in names.items()}}
    return {"grads": {name: node.grad for name, node in names.items()}}


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


@exercise("tensor_backward")
class TensorBackward:
    """Arrays of several shapes, a node used twice, uneven paths, constants, a second call; what must be refused."""

    def inputs(self, rng):
        two, three = drawn(rng, 2, 3), drawn(rng, 2, 3)
        uneven = "p = a * b; q = p * p; r = q + p; s = r * b; root = sum s"
        return [
            {"root": np.array(3.0), "code": "", "calls": 1},
            {"a": np.array(3.0), "b": np.array(2.0), "code": "root = a * b", "calls": 1},
            {"a": np.array(3.0), "code": "p = a * a; root = p + a", "calls": 1},
            {"a": np.array(3.0), "b": np.array(2.0), "code": "p = a * a; root = b + p", "calls": 1},
            {"a": np.array([1.0, 2.0]), "code": "p = a * a; root = sum p", "calls": 1},
            {"a": drawn(rng, 1, 1), "b": drawn(rng, 1, 1), "code": "root = a * b", "calls": 1},
            {"a": two, "b": three, "code": "p = a * b; root = sum p", "calls": 1},
            {"a": two, "b": three, "code": uneven, "calls": 1},
            {"a": two, "b": three, "code": uneven, "calls": 1, "constants": "b"},
            {"a": drawn(rng), "b": drawn(rng), "code": "p = a * a; q = p * p; root = p + q", "calls": 1},
            {"a": np.array(3.0), "code": "p = a * a; root = p + a", "calls": 2},
            {"a": two, "b": three, "code": uneven, "calls": 2},
            {"root": np.array(3.0), "b": two, "code": "", "calls": 2},
            {"a": np.array([1.5, 2.0], np.float32), "code": "p = a * a; root = sum p", "calls": 1},
            {"a": np.array([1.0, 2.0]), "code": "root = a * a", "calls": 1, "refused": "two numbers"},
            {"root": np.array([1.0, 2.0]), "code": "", "calls": 1, "refused": "two numbers"},
            {"a": np.zeros(0), "code": "p = a * a; root = p + a", "calls": 1, "refused": "no number"},
            {"root": np.array(3.0), "code": "", "calls": 1, "constants": "root", "refused": "a constant"},
            {"a": np.array(3.0), "code": "root = a * a", "calls": 1, "constants": "a", "refused": "a constant"},
            {"a": np.array(1.0), "code": "root = a + a", "calls": 1, "deep": DEEP},
        ]

    observe, given = observe_tensor_backward, chain

    def judge(self, x, got):
        if "refused" in x:
            return self.wrong_refusal(x, got)
        grads = got["grads"]
        if "deep" in x:
            return first_wrong(
                same_array(grads["root"], np.array(1.0), "root.grad"),
                same_array(grads["a"], np.array(2.0 + x["deep"]), "a.grad"),
            )
        values = run_program(x)
        leaves = [name for name, array in x.items() if isinstance(array, np.ndarray)]
        for name in [*leaves, *(name for name in values if name not in leaves)]:
            if name in x.get("constants", "") or name not in x["code"] + "root":
                if grads[name] is not None:
                    return Wrong(
                        f"{name} is a constant or takes no part in root: no gradient may stay there",
                        f"{name} es una constante o no interviene en root: ahí no puede quedar ningún gradiente",
                        expected="None",
                        got=grads[name],
                    )
                continue
            slope = np.zeros(values[name].shape)
            for at in np.ndindex(*slope.shape):
                slope[at] = run_program(x, name, at)["root"].imag.sum() * 1e20
            if grads[name] is None:
                return Wrong(
                    f"no gradient arrived at {name}",
                    f"a {name} no llegó ningún gradiente",
                    expected=slope,
                    got="None",
                )
            again = (" after a second call", " tras una segunda llamada") if x["calls"] == 2 else ("", "")
            calls = x["calls"] if name in leaves else 1
            label = (f"{name}.grad{again[0]}", f"{name}.grad{again[1]}")
            wrong = same_array(grads[name], calls * slope, label, dtype=values[name].dtype, rtol=1e-6)
            if wrong:
                return with_hint(wrong, 1 if name == "root" and x["calls"] == 1 else 4 if x["calls"] == 2 else 2)
        return None

    def wrong_refusal(self, x, got):
        what = {
            "two numbers": ("root holds more than one number", "root tiene más de un número"),
            "no number": ("root holds no number at all", "root no tiene ningún número"),
            "a constant": ("root is a constant", "root es una constante"),
        }[x["refused"]]
        if "refused" not in got:
            return Wrong(
                f"{what[0]}, and backward did not refuse: raise RuntimeError",
                f"{what[1]}, y backward no lo rechazó: lanza RuntimeError",
                expected="RuntimeError",
                got=got["grads"]["root"],
                hint=3,
            )
        left = [name for name, grad in got["grads"].items() if grad is not None]
        if left:
            return Wrong(
                f"backward refused, but left a gradient at {left[0]}: look before you begin",
                f"backward lo rechazó, pero dejó un gradiente en {left[0]}: mira antes de empezar",
                expected="None",
                got=got["grads"][left[0]],
                hint=3,
            )
        return None
