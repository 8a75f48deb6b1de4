"""How the answers of lesson 05 are judged: what a Tensor holds: its constructor, its comparisons, its detached copy.

The drivers make Tensors without calling `Tensor.__init__`, and set the seven attributes by hand: so an exercise is
judged by itself, whatever the others are like. None of them goes through the constructor.
"""

import numpy as np

from minitorch.course.judging.checks import (
    But,
    Wrong,
    as_python,
    drawn,
    exercise,
    judged_array,
    same_value,
    with_hint,
)

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
    names = {"Tensor": learner.Tensor, "data": given, "a": a, "b": b}
    out = eval(x["code"], {}, names)  # noqa: S307 - the text is this file's own
    wanted = ["data", "grad", "requires_grad", "_prev", "_op", "_backward", "label"]
    missing = [name for name in wanted if not hasattr(out, name)]
    if missing:
        return {"missing": missing}
    seen = {"data": out.data.copy() if isinstance(out.data, np.ndarray) else out.data}
    if isinstance(given, np.ndarray):
        seen["given"] = given.copy()
        given[...] = 1 - given if given.dtype != bool else ~given  # the caller goes on and changes the array
        seen["data later"] = out.data.copy() if isinstance(out.data, np.ndarray) else out.data
    return seen | {
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

    in_order = True

    def inputs(self, rng):
        plain, wanted = "Tensor(data)", "Tensor(data, requires_grad=True)"
        return [
            {"code": plain, "data": [1.0, 2.0]},
            {"code": plain, "data": 3.0},
            {"code": plain, "data": 3},
            {"code": plain, "data": [[1, 2, 3], [4, 5, 6]]},
            {"code": wanted, "data": [1.0, 2.0]},
            {"code": plain, "data": drawn(rng, 2)},
            {"code": wanted, "data": drawn(rng, 2, 3)},
            {"code": plain, "data": np.array([1, 2, 3])},
            {"code": plain, "data": np.array([True, False])},
            {"code": plain, "data": np.array([1.5, 2.5], np.float32)},
            {"code": plain, "data": np.array([1.5, 2.5], np.float16)},
            {"code": plain, "data": np.array(2.5)},
            {"code": plain, "data": np.zeros((0, 3))},
            {"code": "Tensor(data, requires_grad=True, _prev=(a, b), _op='*')", "data": drawn(rng, 3)},
            {"code": "Tensor(data, True, (a, a), '*')", "data": [4.0]},
            {"code": "Tensor(data, _prev=(a, b))", "data": drawn(rng, 3)},
        ]

    observe = observe_init

    def line(self, x):
        call = x["code"].replace("Tensor(", "m.Tensor(").replace("data,", f"{as_python(x['data'])},")
        call = call.replace("(data)", f"({as_python(x['data'])})")
        parents = "a, b = m.Tensor(1.0), m.Tensor(2.0); " if "_prev" in call or "(a, a)" in call else ""
        return f"{parents}x = {call}; {', '.join(f'x.{name}' for name in ATTRIBUTES)}"

    def compared(self, x, got):
        data = got.get("data")
        return got | {"dtype": str(data.dtype)} if isinstance(data, np.ndarray) else got

    def judge(self, x, got):
        if "missing" in got:
            names = ", ".join(got["missing"])
            return Wrong(
                "the Tensor has no attribute {names}: __init__ sets all seven that the top of the file lists",
                names=names,
                expected=ATTRIBUTES,
                hint=2,
            )
        given = np.array(x["data"])
        want = given if given.dtype.kind == "f" else given.astype(np.float64)
        wrong = judged_array(got["data"], want, "x.data", dtype=want.dtype, hints=self.hints(given))
        if wrong:
            return wrong
        if got["requires_grad"] is not ("True" in x["code"]):
            return Wrong(
                "x.requires_grad is not what the call says",
                expected="True" in x["code"],
                got="None" if got["requires_grad"] is None else got["requires_grad"],
                hint=2,
            )
        if "given" in got and not np.array_equal(got["given"], given):
            return Wrong(
                "the array that was handed in has changed: it belongs to the caller",
                expected=given,
                got=got["given"],
                hint=3,
            )
        if "data later" in got and not np.array_equal(got["data later"], got["data"]):
            return Wrong(
                "the caller changed its own array afterwards, and x.data changed with it: x.data must be a copy",
                expected=got["data"],
                got=got["data later"],
                hint=3,
            )
        if got["grad"] is not None:
            return Wrong("x.grad is not None: nothing has arrived yet", expected="None", got=got["grad"], hint=2)
        if not isinstance(got["_prev"], list):
            return Wrong(
                "x._prev is of type {prev}, and the call gave a tuple: keep it as it is", prev=got["_prev"], hint=2
            )
        if got["_backward"] != "NoneType":
            return Wrong(
                "x._backward must be None: a fresh Tensor has nobody to hand anything on to",
                expected="None",
                got=got["_backward"],
                hint=2,
            )
        parents = ["a", "b"] if "(a, b)" in x["code"] else ["a", "a"] if "(a, a)" in x["code"] else []
        for name, want in (("_prev", parents), ("_op", "*" if "*" in x["code"] else ""), ("label", "")):
            if type(got[name]) is not type(want) or got[name] != want:
                return Wrong(
                    "x.{name} is not what the call and the list at the top of the file say",
                    name=name,
                    expected=repr(want),
                    got="None" if got[name] is None else got[name],
                    hint=2,
                )
        return None

    def hints(self, given):
        """Which hint helps, by the property of data that is wrong."""
        dtype = 3 if given.dtype.kind == "f" else 1
        return {"none": 4, "type": 1, "shape": 1, "numbers": 1, "dtype": dtype}


# ------------------------------------------------------------------------------------------------------------ compared


def observe_compared(learner, x):
    """Run a line of code over Tensors; return what its last expression is."""
    import numpy as np

    names = {}
    for name, data in x.items():
        if name != "code":
            names[name] = tensor = learner.Tensor.__new__(learner.Tensor)
            tensor.data, tensor.grad, tensor.requires_grad = data.copy(), None, False
            tensor._prev, tensor._op, tensor._backward, tensor.label = (), "", None, ""

    def is_a_stub(method, *arguments):
        try:
            method(names["x"], *arguments)
        except Exception as error:  # noqa: BLE001 - any other exception comes from something that was written
            trace = error.__traceback__
            while trace.tb_next is not None:
                trace = trace.tb_next
            return isinstance(error, NotImplementedError) and "Compared." in trace.tb_frame.f_code.co_qualname
        return False

    *statements, last = x["code"].split("; ")
    try:
        for statement in statements:
            exec(statement, {}, names)  # noqa: S102 - the text is this file's own
        out = eval(last, {}, names)  # noqa: S307
    except NotImplementedError:
        methods = learner.Compared
        calls = {"__eq__": [names["x"]], "__hash__": [], "equal": [names["x"]]}
        stubs = [name for name, arguments in calls.items() if is_a_stub(getattr(methods, name), *arguments)]
        if not 0 < len(stubs) < len(calls):
            raise
        return {"still to write": stubs}
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

    in_order = True

    def inputs(self, rng):
        one, two = np.array([1.0, 2.0]), np.array([1.0, 2.0])
        some = drawn(rng, 2, 3)
        other = some.copy()
        other[1, 2] += 1e-9
        return [
            {"code": "x == x", "x": one},
            {"code": "x == y", "x": one, "y": two},
            {"code": "x != y", "x": one, "y": two},
            {"code": "x in [y]", "x": one, "y": two},
            {"code": "len({x, y})", "x": one, "y": two},
            {"code": "len({x, x})", "x": one},
            {"code": "{x: 7}[x]", "x": some},
            {"code": "x == y", "x": one, "y": drawn(rng, 3)},
            {"code": "x == 3.0", "x": one},
            {"code": "x == None", "x": one},
            {"code": "x == [1.0, 2.0]", "x": one},
            {"code": "known = {x}; x.data = x.data[1:] + 1; x in known", "x": one},
            {"code": "y.data = x.data; x == y", "x": one, "y": two},
            {"code": "y.data = x.data; len({x, y})", "x": one, "y": two},
            {"code": "hash(x) == hash(y)", "x": one, "y": two},
            {"code": "x.equal(y)", "x": one, "y": two},
            {"code": "x.equal(y)", "x": one, "y": np.array([1.0, 5.0])},
            {"code": "x.equal(y)", "x": one, "y": np.array([1.0, 2.0, 3.0])},
            {"code": "x.equal(y)", "x": one, "y": np.array([[1.0, 2.0]])},
            {"code": "x.equal(y)", "x": one, "y": np.array([1.0, 2.0], np.float32)},
            {"code": "x.equal(y)", "x": np.array([1.0, -1.0]), "y": np.array([-1.0, 1.0])},
            {"code": "x.equal(y)", "x": np.array([1.0, -1.0]), "y": np.array([3.0, -3.0])},
            {"code": "x.equal(y)", "x": np.array([1.0, 1.0]), "y": np.array(1.0)},
            {"code": "x.equal(y)", "x": some, "y": other},
            {"code": "x.equal(x)", "x": some},
            {"code": "x == x", "x": np.array(3.0)},
            {"code": "x == y", "x": np.array(3.0), "y": np.array(3.0)},
            {"code": "x.equal(y)", "x": np.array(3.0), "y": np.array(3.0)},
            {"code": "x.equal(y)", "x": np.zeros((0, 2)), "y": np.zeros((0, 3))},
        ]

    observe = observe_compared

    def line(self, x):
        made = [f"{name} = m.Tensor({as_python(data)})" for name, data in x.items() if name != "code"]
        return "; ".join([*made, x["code"]])

    def judge(self, x, got):
        if isinstance(got, dict):
            rest = ", ".join(f"`{name}`" for name in got["still to write"])
            return Wrong("a part is written; still to write: {rest}", rest=rest)
        code = x["code"]
        names = {name: Compared(data) for name, data in x.items() if name != "code"}
        *statements, last = code.split("; ")
        for statement in statements:
            exec(statement, {}, names)  # noqa: S102 - the text is this file's own
        want = eval(last, {}, names)  # noqa: S307
        if code.startswith("hash"):
            if got is True:
                return But("two different Tensors have the same hash: correct, but sets and dicts of them become slow")
            return same_value(got, False, code)
        return with_hint(same_value(got, want, f"`{last}`"), 3 if "equal" in code else 2 if "{" in code else 1)
