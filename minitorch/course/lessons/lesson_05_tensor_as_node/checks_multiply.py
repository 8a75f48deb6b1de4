"""How the answers of lesson 05 are judged: the first operation with a closure.

The drivers make Tensors without calling `Tensor.__init__`, and set the seven attributes by hand: so an exercise is
judged by itself, whatever the others are like. Only `multiply` and `detach` go through the learner's constructor.
"""

import numpy as np

from minitorch.course.judging.checks import But, Wrong, as_python, drawn, exercise, judged_array

# ------------------------------------------------------------------------------------------------------------ multiply


def observe_multiply(learner, x):
    """Multiply two Tensors, then hand the gradients g and h to the result, one after the other; copy what they hold."""
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
    token = learner.GRAD_ENABLED.set(x.get("GRAD_ENABLED", True))
    try:
        out = eval(x["code"], {"multiply": learner.multiply}, names)  # noqa: S307 - the text is this file's own
        learner.multiply(operands[-1], operands[-1])  # another result in between must change nothing
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
    for gradient in (x["g"], x["h"]) if seen["closure"] == "function" else ():
        arrived.append(gradient.copy())
        out.grad = arrived[-1]
        try:
            out._backward()
        except TypeError as error:
            if "NoneType" not in str(error):
                raise
            return seen | {"met None": str(error)}
        seen["grads"].append(grads())
        seen["out.grad"].append(copy(out.grad))
    seen["data after"] = {name: copy(operand.data) for name, operand in names.items()}
    for array in (*arrived, *(operand.data for operand in operands)):
        array += 100  # whoever holds the same memory sees it
    seen["grads later"] = grads()
    return seen


@exercise("multiply")
class Multiply:
    """Two Tensors, one of them twice, constants, no recording; the closure called with two upstream gradients."""

    in_order = True

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
            {"code": "multiply(a, b)"} | small | {"a.requires_grad": True, "b.requires_grad": False},
            case((2, 3), "ab"),
            case((2, 3), "a"),
            case((2, 3), "b"),
            {"code": "multiply(a, b)"}
            | small
            | {"a": np.array([0.0, 3.0]), "b": np.array([5.0, 0.0])}
            | {"a.requires_grad": True, "b.requires_grad": True},
            case((2,), "a", "multiply(a, a)"),
            case((2,), ""),
            case((2,), "ab", GRAD_ENABLED=False),
            case((2,), "a", "multiply(a, a)", GRAD_ENABLED=False),
            case((2, 2), "ab"),
            case((3,), "ab", dtype=np.float32),
            case((2, 1, 3), "ab"),
            case((), "ab"),
            case((), "a", "multiply(a, a)"),
            case((2,), "ab") | {"a.grad": np.array([100.0, 200.0]), "b.grad": np.array([300.0, 400.0])},
        ]

    observe = observe_multiply

    def line(self, x):
        names = [name for name in "ab" if name in x]
        made = [
            f"{name} = m.Tensor({as_python(x[name])}, requires_grad={x[f'{name}.requires_grad']})" for name in names
        ]
        made += [f"{name}.grad = {as_python(x[f'{name}.grad'])}" for name in names if f"{name}.grad" in x]
        call = f"out = m.{x['code']}"
        if not x.get("GRAD_ENABLED", True):
            call = f"switch = m.GRAD_ENABLED.set(False); {call}; m.GRAD_ENABLED.reset(switch)"
        if not self.recorded(x):
            return "; ".join([*made, call, "out.data, out.requires_grad, out._prev, out._backward"])
        arrives = [f"out.grad = {as_python(x[name])}; out._backward()" for name in "gh"]
        return "; ".join([*made, call, *arrives, f"out.data, {', '.join(f'{name}.grad' for name in names)}"])

    def recorded(self, x):
        """Whether the result wants a gradient."""
        return x.get("GRAD_ENABLED", True) and any(x.get(f"{name}.requires_grad") for name in "ab")

    def judge(self, x, got):
        if "no tensor" in got:
            return self.no_tensor(got["no tensor"])
        same = x["code"] == "multiply(a, a)"
        a, b = x["a"], x["a" if same else "b"]
        wrong = judged_array(got["data"], a * b, "out.data", dtype=a.dtype)
        if wrong:
            return wrong
        for name, grad in got["grads before"].items():
            had = x.get(f"{name}.grad")
            if not (grad is None if had is None else isinstance(grad, np.ndarray) and np.array_equal(grad, had)):
                return Wrong(
                    f"{name}.grad is set before anything has arrived at out: hand on in _backward, not in multiply",
                    f"{name}.grad ya tiene valor antes de que llegue nada a out: entrega en _backward, no en multiply",
                    expected="None" if had is None else had,
                    got=grad,
                    hint=3,
                )
        wanted = self.recorded(x)
        return (
            self.wrong_flag(got, wanted)
            or self.wrong_place(got, {"a": a} if same else {"a": a, "b": b}, wanted)
            or (self.wrong_grads(x, got, a, b, same) if wanted else None)
            or self.wrong_memory(x, got)
            or self.remark(got)
        )

    def no_tensor(self, got):
        if got is None:
            return Wrong(
                "multiply returned None: is a `return` missing?",
                "multiply devolvió None: ¿falta un `return`?",
                expected="Tensor",
                got="None",
            )
        return Wrong(
            "multiply must return a Tensor",
            "multiply debe devolver un Tensor",
            expected="Tensor",
            got=got,
            hint=5,
        )

    def wrong_flag(self, got, wanted):
        if got["requires_grad"] is wanted:
            return None
        if got["requires_grad"] is True:
            return Wrong(
                "out.requires_grad is True, though nothing is recorded here or no operand wants a gradient",
                "out.requires_grad es True, aunque aquí no se registra nada o ningún operando quiere gradiente",
                expected=wanted,
                got=True,
                hint=5,
            )
        return Wrong(
            "out.requires_grad must be True: an operand wants a gradient",
            "out.requires_grad debe ser True: un operando quiere gradiente",
            expected=wanted,
            got=got["requires_grad"],
            hint=5,
        )

    def wrong_place(self, got, operands, wanted):
        parents = list(dict.fromkeys(got["parents"]))  # x * x may list x once or twice
        if parents != (list(operands) if wanted else []):
            if not wanted:
                return Wrong(
                    "out wants no gradient, so it has no parents: a constant remembers nothing",
                    "out no quiere gradiente, así que no tiene padres: una constante no recuerda nada",
                    expected="()",
                    got=got["parents"],
                    hint=5,
                )
            return Wrong(
                "the parents in out._prev are not the operands in their order",
                "los padres en out._prev no son los operandos en su orden",
                expected=list(operands),
                got=got["parents"],
                hint=5,
            )
        if not wanted and got["closure"] != "None":
            return Wrong(
                "out wants no gradient, so its _backward stays None: a closure would keep both operands alive",
                "out no quiere gradiente, así que su _backward es None: una clausura mantendría vivos los operandos",
                expected="None",
                got=got["closure"],
                hint=4,
            )
        if "met None" in got:
            return Wrong(
                f"out._backward() met a None: {got['met None']}. Where is out.grad read, and is a grad still None?",
                f"out._backward() se encontró con un None: {got['met None']}. ¿Dónde lees out.grad? ¿Hay un grad None?",
                hint=3,
            )
        if wanted and got["closure"] == "None":
            return Wrong(
                "out._backward is None: nothing will ever arrive at the operands",
                "out._backward es None: a los operandos nunca les llegará nada",
                expected="function",
                got="None",
                hint=4,
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
                            hint=5,
                        )
                    continue
                again = (" after a second call", " tras una segunda llamada") if index else ("", "")
                if grad is None:
                    return Wrong(
                        f"no gradient arrived at {name}{again[0]}",
                        f"a {name} no llegó ningún gradiente{again[1]}",
                        expected=slope,
                        got="None",
                        hint=2,
                    )
                rtol = 1e-5 if a.dtype == np.float32 else 1e-9
                label = (f"{name}.grad{again[0]}", f"{name}.grad{again[1]}")
                slope = slope + x.get(f"{name}.grad", 0.0)
                step = 5 if index or same or f"{name}.grad" in x else 2
                hints = dict.fromkeys(("entry", "factor", "sign", "order", "zero", "shape"), step)
                wrong = judged_array(grad, slope, label, dtype=a.dtype, rtol=rtol, hints=hints)
                if wrong:
                    return wrong
        return None

    def wrong_memory(self, x, got):
        for name, data in got["data after"].items():
            if not np.array_equal(data, x[name]):
                return Wrong(
                    f"{name}.data has changed: an operation leaves its operands as they are",
                    f"{name}.data cambió: una operación deja sus operandos como están",
                    expected=x[name],
                    got=data,
                )
        for upstream, after in zip((x["g"], x["h"]), got["out.grad"], strict=False):
            if not (isinstance(after, np.ndarray) and np.array_equal(after, upstream)):
                return Wrong(
                    "out.grad is not what it was before out._backward(): only read it",
                    "out.grad no es lo que era antes de out._backward(): solo léelo",
                    expected=upstream,
                    got="None" if after is None else after,
                )
        for name, grad in got["grads later"].items():
            if isinstance(grad, np.ndarray) and got["grads"] and not np.array_equal(grad, got["grads"][-1][name]):
                return Wrong(
                    f"{name}.grad shares its memory with out.grad or with data: that was changed later, and it as well",
                    f"{name}.grad comparte su memoria con out.grad o con data: al cambiar esos, cambió también",
                    expected=got["grads"][-1][name],
                    got=grad,
                    hint=5,
                )
        return None

    def remark(self, got):
        if got["requires_grad"] and got["op"] != "*":
            return But(
                'out._op is not "*": the pictures will show the wrong sign',
                'out._op no es "*": los dibujos mostrarán otro signo',
            )
        return None
