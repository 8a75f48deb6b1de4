"""How the answers of lesson 05 are judged: the walk.

The drivers make Tensors without calling `Tensor.__init__`, and set the seven attributes by hand: so an exercise is
judged by itself, whatever the others are like. Only `multiply` and `detach` go through the learner's constructor.
"""

import numpy as np

from minitorch.course.judging.checks import Wrong, as_python, drawn, exercise, first_wrong, judged_array, same_array

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
    seen = {"raised": None, "grads": []}
    for _ in range(x["calls"]):
        try:
            names["root"].backward()
        except RuntimeError as error:
            if type(error) is not RuntimeError or "look" not in x:
                raise
            seen["raised"] = type(error).__name__
        grads = {name: node.grad for name, node in names.items()}
        seen["grads"].append({name: np.copy(g) if isinstance(g, np.ndarray) else g for name, g in grads.items()})
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


@exercise("tensor_backward")
class TensorBackward:
    """Arrays of several shapes, a node used twice, uneven paths, constants, a second call; what must be refused."""

    in_order = True

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

    observe, given = observe_tensor_backward, chain

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
        return "; ".join([*made, *["root.backward()"] * x["calls"], ", ".join(f"{name}.grad" for name in names)])

    def wanted(self, x):
        return "RuntimeError" if self.refused(x) else None

    def refused(self, x):
        """Why backward must refuse to start from this case's root, in two languages; None where it must not."""
        if "deep" in x:
            return None
        root = run_program(x)["root"]
        if root.size > 1:
            return f"root holds {root.size} numbers", f"root tiene {root.size} números"
        if root.size == 0:
            return "root holds no number at all", "root no tiene ningún número"
        constants = x.get("constants", "")
        if constants == "root" or all(name in constants for name in x if isinstance(x[name], np.ndarray)):
            return "root is a constant", "root es una constante"
        return None

    def judge(self, x, got):
        refused = self.refused(x)
        if refused:
            return self.wrong_refusal(got, refused)
        if got["raised"] is not None:
            return Wrong(
                "root holds one number and wants a gradient, but backward raised RuntimeError",
                "root tiene un número y quiere gradiente, pero backward lanzó RuntimeError",
                hint=3,
            )
        if "deep" in x:
            (grads,) = got["grads"]
            return first_wrong(
                same_array(grads["root"], np.array(1.0), "root.grad"),
                same_array(grads["a"], np.array(2.0 + x["deep"]), "a.grad"),
            )
        for call in range(1, x["calls"] + 1):
            wrong = self.wrong_grads(x, got["grads"][call - 1], call)
            if wrong:
                return wrong
        return None

    def wrong_grads(self, x, grads, call):
        values = run_program(x)
        leaves = [name for name, array in x.items() if isinstance(array, np.ndarray)]
        for name in ["root", *leaves, *(name for name in values if name not in leaves)]:
            again = (" after a second call", " tras una segunda llamada") if call == 2 else ("", "")
            if name in x.get("constants", "") or name not in f"{x['code']} root".replace(";", "").split():
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
                    f"no gradient stayed at {name}{again[0]}",
                    f"en {name} no quedó ningún gradiente{again[1]}",
                    expected=slope,
                    got="None",
                    hint=1 if name == "root" else 2,
                )
            label = (f"{name}.grad{again[0]}", f"{name}.grad{again[1]}")
            step = 4 if call == 2 else 1 if name == "root" else 2
            hints = dict.fromkeys(
                ("type", "shape", "numbers", "dtype", "entry", "factor", "sign", "zero", "order"), step
            )
            total = call * slope if name in leaves else slope
            wrong = judged_array(grads[name], total, label, dtype=values[name].dtype, rtol=1e-6, hints=hints)
            if wrong:
                return wrong
        return None

    def wrong_refusal(self, got, what):
        (grads,) = got["grads"]
        if got["raised"] is None:
            return Wrong(
                f"{what[0]}, and backward did not refuse: raise RuntimeError",
                f"{what[1]}, y backward no lo rechazó: lanza RuntimeError",
                expected="RuntimeError",
                got="None" if grads["root"] is None else grads["root"],
                hint=3,
            )
        left = [name for name, grad in grads.items() if grad is not None]
        if left:
            return Wrong(
                f"backward refused, but left a gradient at {left[0]}: look before you begin",
                f"backward lo rechazó, pero dejó un gradiente en {left[0]}: mira antes de empezar",
                expected="None",
                got=grads[left[0]],
                hint=3,
            )
        return None
