"""How the answers of lesson 05 are judged: how many bytes some Tensors hold.

The driver makes Tensors without calling `Tensor.__init__`, and sets the seven attributes by hand.
"""

import numpy as np

from minitorch.course.judging.checks import Message, Wrong, as_python, drawn, exercise, same_value

# ---------------------------------------------------------------------------------------------------------- bytes_held


def observe_bytes(learner, x):
    """Make the Tensors of the case, let the function count, and look whether it changed any of them."""
    import numpy as np

    names = {}
    for name in "xyz":
        if name in x:
            names[name] = tensor = learner.Tensor.__new__(learner.Tensor)
            tensor.data, tensor.grad = x[name].copy(), np.copy(x[f"{name}.grad"]) if f"{name}.grad" in x else None
            tensor.requires_grad = x.get(f"{name}.requires_grad", True)
            tensor._prev, tensor._op, tensor._backward, tensor.label = (), "", None, ""
            if x.get("inner") == name:
                tensor._prev, tensor._op = (names["x"], names["x"]), "*"
    out = eval(x["code"], {"bytes_held": learner.bytes_held}, names)  # noqa: S307 - the text is this file's own
    kept = {name: [tensor.data.copy(), tensor.grad is None] for name, tensor in names.items()}
    return {"out": int(out) if isinstance(out, np.integer) else out, "kept": kept}


@exercise("bytes_held")
class BytesHeld:
    """Gradients there and not, a Tensor listed twice, equal numbers in two Tensors, several dtypes and shapes."""

    in_order = True

    def inputs(self, rng):
        two, some = np.array([1.0, 2.0]), drawn(rng, 2, 3)
        single = np.array([1.5, 2.5, 3.5], np.float32)
        return [
            {"code": "bytes_held([x])", "x": two},
            {"code": "bytes_held([x])", "x": two, "x.grad": np.array([10.0, 20.0])},
            {"code": "bytes_held([x, x])", "x": two},
            {"code": "bytes_held([x, y])", "x": two, "y": some},
            {"code": "bytes_held([x, y])", "x": two, "y": two},
            {"code": "bytes_held([x, y])", "x": two, "y": some, "y.grad": some},
            {"code": "bytes_held([x])", "x": single},
            {"code": "bytes_held([x, y])", "x": single, "x.grad": single, "y": two},
            {"code": "bytes_held([x])", "x": two, "x.requires_grad": False},
            {"code": "bytes_held([x, y, x])", "x": two, "x.grad": two, "y": some, "inner": "y"},
            {"code": "bytes_held([y])", "x": two, "y": some, "inner": "y"},
            {"code": "bytes_held((x, y, z))", "x": two, "x.grad": np.zeros(2), "y": some, "y.grad": some, "z": single},
            {"code": "bytes_held([x])", "x": np.array(3.0), "x.grad": np.array(0.0)},
            {"code": "bytes_held([x])", "x": np.zeros((0, 3)), "x.grad": np.zeros((0, 3))},
            {"code": "bytes_held([])"},
        ]

    observe = observe_bytes

    def line(self, x):
        made = []
        for name in [name for name in "xyz" if name in x]:
            made.append(
                f"{name} = m.Tensor({as_python(x[name])}, requires_grad={x.get(f'{name}.requires_grad', True)})"
            )
            if x.get("inner") == name:
                made[-1] = made[-1].replace(", requires_grad=True)", ", True, (x, x), '*')")
            if f"{name}.grad" in x:
                made.append(f"{name}.grad = {as_python(x[f'{name}.grad'])}")
        return "; ".join([*made, f"m.{x['code']}"])

    def judge(self, x, got):
        listed = {name for name in "xyz" if name in x["code"].partition("(")[2]}
        want = sum(x[name].nbytes + (x[name].nbytes if f"{name}.grad" in x else 0) for name in listed)
        for name, (data, empty) in got["kept"].items():
            if not np.array_equal(data, x[name]) or empty is not (f"{name}.grad" not in x):
                return Wrong("bytes_held changed {name}: it only counts", name=name, hint=2)
        wrong = same_value(got["out"], want, Message("the number of bytes"))
        if wrong is None:
            return None
        if got["out"] is None:
            return Wrong("bytes_held returned None: is a `return` missing?", expected=want, got="None", hint=4)
        hint = 3 if "x, x" in x["code"] or "y, x" in x["code"] else 1 if f"{max(listed, default='x')}.grad" in x else 2
        return Wrong(wrong.reason, expected=want, got=got["out"], hint=hint)
