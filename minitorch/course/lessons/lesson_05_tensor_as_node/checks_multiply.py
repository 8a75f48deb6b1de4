"""How the answers of lesson 05 are judged: the first operation with a closure.

The drivers make Tensors without calling `Tensor.__init__`, and set the seven attributes by hand: so an exercise is
judged by itself, whatever the others are like. Only `multiply` and `detach` go through the learner's constructor.
"""

import numpy as np

from minitorch.course.judging.checks import But, Wrong, drawn, exercise, same_array, same_value, with_hint

# ------------------------------------------------------------------------------------------------------------ multiply


def observe_multiply(learner, x):
    """Multiply two Tensors, then hand the gradients g and h to the result, one after the other."""
    import numpy as np

    def tensor(data, wanted):
        made = learner.Tensor.__new__(learner.Tensor)
        made.data, made.grad, made.requires_grad = data.copy(), None, wanted
        made._prev, made._op, made._backward, made.label = (), "", None, ""
        made.data.flags.writeable = False
        return made

    names = {name: tensor(x[name], x[f"{name}.requires_grad"]) for name in "ab" if name in x}
    for name, operand in names.items():
        operand.grad = x[f"{name}.grad"].copy() if f"{name}.grad" in x else None
    before = {name: operand.grad for name, operand in names.items()}
    operands = list(names.values())
    token = learner.GRAD_ENABLED.set(x.get("GRAD_ENABLED", True))
    try:
        out = eval(x["code"], {"multiply": learner.multiply}, names)  # noqa: S307 - the text is this file's own
        learner.multiply(operands[-1], operands[-1])  # another result in between must change nothing
    finally:
        learner.GRAD_ENABLED.reset(token)
    if not isinstance(out, learner.Tensor):
        return {"no tensor": out}
    places = {id(operand): name for name, operand in names.items()}
    parents = out._prev if isinstance(out._prev, (tuple, list)) else ()
    seen = {
        "data": out.data,
        "requires_grad": out.requires_grad,
        "parents": [places.get(id(parent), "?") for parent in parents],
        "op": out._op,
        "early": {name: operand.grad for name, operand in names.items() if operand.grad is not before[name]},
        "closure": "None" if out._backward is None else "function" if callable(out._backward) else "other",
        "grads": [],
    }
    arrived = []
    for gradient in (x["g"], x["h"]) if seen["closure"] == "function" else ():
        out.grad = gradient.copy()
        out.grad.flags.writeable = False
        arrived.append(out.grad)
        try:
            out._backward()
        except TypeError as error:
            if "NoneType" not in str(error):
                raise
            return seen | {"closure": "met None", "error": str(error)}
        seen["grads"].append({name: operand.grad for name, operand in names.items()})
    held = [operand.grad for operand in operands if isinstance(operand.grad, np.ndarray)]
    others = [*arrived, *(operand.data for operand in operands)]
    seen["shared"] = any(np.shares_memory(grad, other) for grad in held for other in others)
    return seen


@exercise("multiply")
class Multiply:
    """Two Tensors, one of them twice, constants, no recording; the closure called with two upstream gradients."""

    def inputs(self, rng):
        def case(shape, wanted, code="multiply(a, b)", dtype=np.float64, **more):
            arrays = {name: drawn(rng, *shape).astype(dtype) for name in ("a", "b", "g", "h")}
            arrays = {name: array for name, array in arrays.items() if name in code or name in "gh"}
            flags = {f"{name}.requires_grad": name in wanted for name in "ab" if name in arrays}
            return {"code": code} | arrays | flags | more

        small = {
            "a": np.array([2.0, 3.0]),
            "b": np.array([5.0, 7.0]),
            "g": np.array([1.0, 10.0]),
            "h": np.array([2.0, 0.0]),
        }
        return [
            {"code": "multiply(a, b)"} | small | {"a.requires_grad": True, "b.requires_grad": True},
            case((), "ab"),
            case((), "a", "multiply(a, a)"),
            case((2, 3), "ab"),
            case((2, 3), "a"),
            case((2, 3), "b"),
            case((2,), "a", "multiply(a, a)"),
            case((2,), ""),
            case((2,), "ab", GRAD_ENABLED=False),
            case((2,), "a", "multiply(a, a)", GRAD_ENABLED=False),
            case((2, 2), "ab"),
            case((3,), "ab", dtype=np.float32),
            case((2, 1, 3), "ab"),
            case((2,), "ab") | {"a.grad": np.array([100.0, 200.0]), "b.grad": np.array([300.0, 400.0])},
        ]

    observe = observe_multiply

    def judge(self, x, got):
        if "no tensor" in got:
            return Wrong(
                "multiply gave no Tensor: is a `return` missing?",
                "multiply no dio un Tensor: ¿falta un `return`?",
                expected="Tensor",
                got=got["no tensor"],
                hint=4,
            )
        same = x["code"] == "multiply(a, a)"
        a, b = x["a"], x["a" if same else "b"]
        wrong = same_array(got["data"], a * b, "out.data", dtype=a.dtype)
        if wrong:
            return wrong
        wanted = x.get("GRAD_ENABLED", True) and any(flag is True for name, flag in x.items() if "requires" in name)
        early = list(got["early"])
        if early:
            return Wrong(
                f"{early[0]}.grad is set before anything has arrived at out: hand on in _backward, not in multiply",
                f"{early[0]}.grad ya tiene valor antes de que llegue nada a out: entrega en _backward, no en multiply",
                expected="None",
                got=got["early"][early[0]],
                hint=3,
            )
        return (
            same_value(got["requires_grad"], wanted, "out.requires_grad")
            or self.wrong_place(got, {"a": a} if same else {"a": a, "b": b}, wanted)
            or (self.wrong_grads(x, got, a, b, same) if wanted else None)
            or self.remark(got)
        )

    def wrong_place(self, got, operands, wanted):
        parents = list(dict.fromkeys(got["parents"]))  # x * x may list x once or twice
        if parents != (list(operands) if wanted else []):
            if not wanted:
                return Wrong(
                    "out wants no gradient, so it has no parents: a constant remembers nothing",
                    "out no quiere gradiente, así que no tiene padres: una constante no recuerda nada",
                    expected=[],
                    got=got["parents"],
                )
            return Wrong(
                "the parents in out._prev are not the operands in their order",
                "los padres en out._prev no son los operandos en su orden",
                expected=list(operands),
                got=got["parents"],
            )
        if not wanted and got["closure"] != "None":
            return Wrong(
                "out wants no gradient, so its _backward stays None: a closure would keep both operands alive",
                "out no quiere gradiente, así que su _backward es None: una clausura mantendría vivos los operandos",
                expected="None",
                got=got["closure"],
                hint=4,
            )
        if wanted and got["closure"] == "met None":
            return Wrong(
                "out._backward met a None: read out.grad when it is called, and add to no grad that is still None",
                "out._backward se encontró con un None: lee out.grad al llamarla, y no sumes a un grad que aún es None",
                got=got["error"],
                hint=3,
            )
        if wanted and got["closure"] != "function":
            return Wrong(
                "out._backward is no function: put the function itself there, without calling it",
                "out._backward no es una función: pon ahí la propia función, sin llamarla",
                expected="function",
                got=got["closure"],
                hint=4,
            )
        return None

    def wrong_grads(self, x, got, a, b, same):
        total = 0.0
        for index, upstream in enumerate((x["g"], x["h"])):
            total = total + upstream
            slopes = {"a": total * (b + a if same else b)} | ({} if same else {"b": total * a})
            for name, slope in slopes.items():
                grad = got["grads"][index].get(name)
                if not x[f"{name}.requires_grad"]:
                    if grad is not None:
                        return Wrong(
                            f"{name} is a constant: no gradient may stay there",
                            f"{name} es una constante: ahí no puede quedar ningún gradiente",
                            expected="None",
                            got=grad,
                        )
                    continue
                if grad is None:
                    return Wrong(
                        f"no gradient arrived at {name}",
                        f"a {name} no llegó ningún gradiente",
                        expected=slope,
                        got="None",
                        hint=2,
                    )
                again = (" after a second call", " tras una segunda llamada") if index else ("", "")
                rtol = 1e-5 if a.dtype == np.float32 else 1e-9
                label = (f"{name}.grad{again[0]}", f"{name}.grad{again[1]}")
                slope = slope + x.get(f"{name}.grad", 0.0)
                wrong = with_hint(same_array(grad, slope, label, dtype=a.dtype, rtol=rtol), 5 if index else 2)
                if wrong:
                    return wrong
        if got["shared"] is not False:
            return Wrong(
                "a gradient shares its memory with out.grad or with the data of an operand",
                "un gradiente comparte su memoria con out.grad o con los datos de un operando",
            )
        return None

    def remark(self, got):
        if got["requires_grad"] and got["op"] != "*":
            return But(
                'out._op is not "*": the pictures will show the wrong sign',
                'out._op no es "*": los dibujos mostrarán otro signo',
            )
        return None
