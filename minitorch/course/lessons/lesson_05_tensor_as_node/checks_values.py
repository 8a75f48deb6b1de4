"""How the answers of lesson 05 are judged: what a Tensor holds: its constructor, its comparisons, its detached copy.

The drivers make Tensors without calling `Tensor.__init__`, and set the seven attributes by hand: so an exercise is
judged by itself, whatever the others are like. Only `multiply` and `detach` go through the learner's constructor.
"""

import numpy as np

from minitorch.course.judging.checks import But, Wrong, drawn, exercise, first_wrong, same_array, same_value, with_hint

ATTRIBUTES = ["data", "grad", "requires_grad", "_prev", "_op", "_backward", "label"]


# --------------------------------------------------------------------------------------------------------- tensor_init


def observe_init(learner, x):
    """Make the Tensor that the code asks for; describe its attributes, and whose memory it holds."""
    import numpy as np

    class Parent:
        def __init__(self, name):
            self.name, self.requires_grad = name, True

    a, b = Parent("a"), Parent("b")
    given = x["data"].copy() if isinstance(x["data"], np.ndarray) else x["data"]
    if isinstance(given, np.ndarray):
        given.flags.writeable = False
    names = {"Tensor": learner.Tensor, "data": given, "a": a, "b": b}
    out = eval(x["code"], {}, names)  # noqa: S307 - the text is this file's own
    wanted = ["data", "grad", "requires_grad", "_prev", "_op", "_backward", "label"]
    missing = [name for name in wanted if not hasattr(out, name)]
    if missing:
        return {"missing": missing}
    return {
        "data": out.data,
        "shared": isinstance(given, np.ndarray) and given.size > 0 and np.shares_memory(out.data, given),
        "grad": out.grad,
        "requires_grad": out.requires_grad,
        "_prev": [getattr(parent, "name", "?") for parent in out._prev]
        if isinstance(out._prev, (tuple, list))
        else type(out._prev).__name__,
        "_op": out._op,
        "_backward": type(out._backward).__name__,
        "label": out.label,
    }


@exercise("tensor_init")
class TensorInit:
    """Numbers, lists and arrays of several dtypes; the flag, the parents and the sign; whose memory it is."""

    def inputs(self, rng):
        plain, wanted = "Tensor(data)", "Tensor(data, requires_grad=True)"
        return [
            {"code": plain, "data": 3.0},
            {"code": plain, "data": 3},
            {"code": plain, "data": [1.0, 2.0]},
            {"code": plain, "data": [[1, 2, 3], [4, 5, 6]]},
            {"code": wanted, "data": [1.0, 2.0]},
            {"code": plain, "data": drawn(rng, 2)},
            {"code": wanted, "data": drawn(rng, 2, 3)},
            {"code": plain, "data": np.array([1, 2, 3])},
            {"code": plain, "data": np.array([True, False])},
            {"code": plain, "data": np.array([1.5, 2.5], np.float32)},
            {"code": plain, "data": np.array(2.5)},
            {"code": plain, "data": np.zeros((0, 3))},
            {"code": "Tensor(data, requires_grad=True, _prev=(a, b), _op='*')", "data": drawn(rng, 3)},
            {"code": "Tensor(data, True, (a, a), '*')", "data": [4.0]},
            {"code": "Tensor(data, _prev=(a, b))", "data": drawn(rng, 3)},
        ]

    observe = observe_init

    def judge(self, x, got):
        if "missing" in got:
            names = ", ".join(got["missing"])
            return Wrong(
                f"the Tensor has no attribute {names}: __init__ sets all seven that the top of the file lists",
                f"el Tensor no tiene el atributo {names}: __init__ pone los siete que enumera el principio del archivo",
                expected=ATTRIBUTES,
                hint=2,
            )
        given = np.array(x["data"])
        want = given if given.dtype.kind == "f" else given.astype(np.float64)
        wrong = first_wrong(
            same_array(got["data"], want, "x.data", dtype=want.dtype),
            same_value(got["requires_grad"], "True" in x["code"], "x.requires_grad"),
        )
        if wrong:
            return wrong
        if got["shared"] is not False:
            return Wrong(
                "x.data is the caller's own array: whoever changes that one later changes your Tensor",
                "x.data es el propio array de quien llama: si luego lo cambia, cambia tu Tensor",
                hint=3,
            )
        if got["grad"] is not None:
            return Wrong(
                "x.grad is not None: nothing has arrived yet",
                "x.grad no es None: todavía no ha llegado nada",
                expected="None",
                got=got["grad"],
                hint=2,
            )
        if not isinstance(got["_prev"], list):
            return Wrong(
                f"x._prev is of type {got['_prev']}, and the call gave a tuple: keep it as it is",
                f"x._prev es de tipo {got['_prev']}, y la llamada dio una tupla: guárdala como está",
                hint=2,
            )
        if got["_backward"] != "NoneType":
            return Wrong(
                "x._backward must be None: a fresh Tensor has nobody to hand anything on to",
                "x._backward debe ser None: un Tensor nuevo no tiene a quién entregar nada",
                expected="None",
                got=got["_backward"],
                hint=2,
            )
        parents = ["a", "b"] if "(a, b)" in x["code"] else ["a", "a"] if "(a, a)" in x["code"] else []
        return first_wrong(
            same_value(got["_prev"], parents, "x._prev"),
            same_value(got["_op"], "*" if "*" in x["code"] else "", "x._op"),
            same_value(got["label"], "", "x.label"),
        )


# ------------------------------------------------------------------------------------------------------------ compared


def observe_compared(learner, x):
    """Run a line of code over Tensors; return what its last expression is."""
    import numpy as np

    names = {}
    for name, data in x.items():
        if name != "code":
            names[name] = tensor = learner.Tensor.__new__(learner.Tensor)
            tensor.data, tensor.grad, tensor.requires_grad = data.copy(), None, False
            tensor.data.flags.writeable = False
            tensor._prev, tensor._op, tensor._backward, tensor.label = (), "", None, ""
    *statements, last = x["code"].split("; ")
    for statement in statements:
        exec(statement, {}, names)  # noqa: S102 - the text is this file's own
    out = eval(last, {}, names)  # noqa: S307
    return bool(out) if isinstance(out, np.bool_) else out


class Compared:
    """What the judge runs the same line with: Python's own == and hash, and `equal`."""

    def __init__(self, data):
        self.data = data

    def equal(self, other):
        """Same shape, same numbers."""
        return self.data.shape == other.data.shape and bool((self.data == other.data).all())


@exercise("compared")
class ComparedCheck:
    """The same node, another one with the same numbers, sets and dicts, a hash that stays, and `equal`."""

    def inputs(self, rng):
        one, two = np.array([1.0, 2.0]), np.array([1.0, 2.0])
        some = drawn(rng, 2, 3)
        other = some.copy()
        other[1, 2] += 1e-9
        return [
            {"code": "x == x", "x": np.array(3.0)},
            {"code": "x == y", "x": np.array(3.0), "y": np.array(3.0)},
            {"code": "x == 3.0", "x": np.array(3.0)},
            {"code": "x == y", "x": one, "y": two},
            {"code": "x == y", "x": one, "y": drawn(rng, 3)},
            {"code": "x != y", "x": one, "y": two},
            {"code": "x in [y]", "x": one, "y": two},
            {"code": "len({x, y})", "x": one, "y": two},
            {"code": "len({x, x})", "x": one},
            {"code": "{x: 7}[x]", "x": some},
            {"code": "known = {x}; x.data = x.data[1:] + 1; x in known", "x": one},
            {"code": "y.data = x.data; x == y", "x": one, "y": two},
            {"code": "y.data = x.data; len({x, y})", "x": one, "y": two},
            {"code": "hash(x) == hash(y)", "x": one, "y": two},
            {"code": "x.equal(y)", "x": np.array(3.0), "y": np.array(3.0)},
            {"code": "x.equal(y)", "x": one, "y": two},
            {"code": "x.equal(y)", "x": one, "y": np.array([1.0, 5.0])},
            {"code": "x.equal(y)", "x": np.array([1.0, 1.0]), "y": np.array(1.0)},
            {"code": "x.equal(y)", "x": one, "y": np.array([[1.0, 2.0]])},
            {"code": "x.equal(y)", "x": one, "y": np.array([1.0, 2.0, 3.0])},
            {"code": "x.equal(y)", "x": one, "y": np.array([1.0, 2.0], np.float32)},
            {"code": "x.equal(y)", "x": some, "y": other},
            {"code": "x.equal(y)", "x": np.array([1.0, -1.0]), "y": np.array([-1.0, 1.0])},
            {"code": "x.equal(y)", "x": np.array([1.0, -1.0]), "y": np.array([3.0, -3.0])},
            {"code": "x.equal(x)", "x": some},
        ]

    observe = observe_compared

    def judge(self, x, got):
        code = x["code"]
        names = {name: Compared(data) for name, data in x.items() if name != "code"}
        *statements, last = code.split("; ")
        for statement in statements:
            exec(statement, {}, names)  # noqa: S102 - the text is this file's own
        want = eval(last, {}, names)  # noqa: S307
        if code.startswith("hash"):
            if got is True:
                return But(
                    "two different Tensors have the same hash: correct, but sets and dicts of them become slow",
                    "dos Tensor distintos tienen el mismo hash: es correcto, pero sus sets y dicts se vuelven lentos",
                )
            return same_value(got, False, code)
        return with_hint(same_value(got, want, code), 3 if "equal" in code else 2 if "{" in code else 1)


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

    w = tensor(x["x"].copy(), True)
    inner = x["code"] != "leaf.detach()" and x["x.requires_grad"]
    old = tensor(x["x"].copy(), x["x.requires_grad"], (w, w) if inner else (), "*" * inner, hand_on if inner else None)
    old.grad = np.ones_like(old.data) if "grad" in x else None
    kept = ("data", "grad", "requires_grad", "_prev", "_op", "_backward")
    before = [getattr(old, name) for name in kept]
    new = old.detach()
    changed = [name for name, was in zip(kept, before, strict=True) if getattr(old, name) is not was]
    if not isinstance(new, learner.Tensor):
        return {"no tensor": new, "changed": changed}
    return {
        "itself": new is old,
        "changed": changed,
        "data": new.data,
        "shared": isinstance(new.data, np.ndarray) and (new.data.size == 0 or np.shares_memory(new.data, before[0])),
        "requires_grad": new.requires_grad,
        "parents": len(new._prev),
        "closure": new._backward is not None,
        "grad": new.grad,
        "switch": learner.GRAD_ENABLED.get(),
    }


@exercise("detach")
class Detach:
    """Leaves, inner nodes and constants of several shapes and dtypes: the new Tensor, and the old one afterwards."""

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

    def judge(self, x, got):
        if "no tensor" in got:
            return Wrong(
                "detach gave no Tensor: is a `return` missing?"
                if got["no tensor"] is None
                else "detach gave no Tensor: return a new Tensor with the same array",
                "detach no dio un Tensor: ¿falta un `return`?"
                if got["no tensor"] is None
                else "detach no dio un Tensor: devuelve un Tensor nuevo con el mismo array",
                expected="Tensor",
                got=got["no tensor"],
            )
        if got["changed"]:
            return Wrong(
                f"detach changed {got['changed'][0]} of the Tensor itself: leave it as it is and make a new one",
                f"detach cambió {got['changed'][0]} del propio Tensor: déjalo como está y crea uno nuevo",
            )
        if got["itself"] is not False:
            return Wrong(
                "detach gave back the Tensor itself: make a new one",
                "detach devolvió el propio Tensor: crea uno nuevo",
            )
        wrong = first_wrong(
            same_array(got["data"], x["x"], "y.data", dtype=x["x"].dtype),
            same_value(got["requires_grad"], False, "y.requires_grad"),
        )
        if wrong:
            return wrong
        if got["parents"] != 0 or got["closure"] is not False:
            return Wrong(
                "the new Tensor still has a history: no parents and no _backward",
                "el Tensor nuevo aún tiene historia: sin padres y sin _backward",
                expected={"parents": 0, "_backward": False},
                got={"parents": got["parents"], "_backward": got["closure"]},
            )
        if got["grad"] is not None:
            return Wrong(
                "the new Tensor has a gradient already: nothing has arrived there",
                "el Tensor nuevo ya tiene gradiente: ahí no ha llegado nada",
                expected="None",
                got=got["grad"],
            )
        if got["shared"] is not True:
            return Wrong(
                "y.data is a copy: the two share one array, no number is copied",
                "y.data es una copia: los dos comparten un array, no se copia ningún número",
                hint=2,
            )
        if got["switch"] is not True:
            return Wrong(
                "detach turned GRAD_ENABLED off and left it so",
                "detach apagó GRAD_ENABLED y lo dejó así",
            )
        return None
