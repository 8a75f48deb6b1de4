"""How `softplus` of checkpoint C1 is judged: one node, its number and its local gradient, also far from zero."""

import math

from minitorch.course.judging.checks import But, Message, Wrong, exercise, first_wrong, same_number

FAR = 1000.0
TINY = -40.0  # softplus is about 4e-18 there
DATA = Message("the number in out.data")
LOCAL = Message("the local gradient")


def observe_node(learner, x):
    """Call softplus on a fresh node, and send what came out as it is: its number, parents, sign, local gradients."""
    import math

    class Value:
        def __init__(self, data, _prev=(), _op="", _local_grads=(), label=""):
            self.data, self.grad, self.label = float(data), None, label
            self._prev, self._op, self._local_grads = _prev, _op, _local_grads

        def __repr__(self):
            return f"Value({self.data})"

        def __add__(self, other):
            if isinstance(other, Value):
                return Value(self.data + other.data, (self, other), "+", (1.0, 1.0))
            return Value(self.data + other, (self,), "+", (1.0,))

        def __mul__(self, other):
            if isinstance(other, Value):
                return Value(self.data * other.data, (self, other), "*", (other.data, self.data))
            return Value(self.data * other, (self,), "*", (other,))

        def __pow__(self, n):
            return Value(self.data**n, (self,), "**", (n * self.data ** (n - 1),))

        def __neg__(self):
            return self * -1.0

        def __sub__(self, other):
            return self + (-other)

        __radd__, __rmul__ = __add__, __mul__

        def __rsub__(self, other):
            return -self + other

        def exp(self):
            return Value(math.exp(self.data), (self,), "exp", (math.exp(self.data),))

        def log(self):
            return Value(math.log(self.data), (self,), "log", (1.0 / self.data,))

    node = Value(x["x"])

    def seen(thing):
        """The node by its name, another node in a list, a number as a float, anything else by its type."""
        if thing is node:
            return "node"
        if hasattr(thing, "_prev"):
            return [float(thing.data)]
        is_number = isinstance(thing, (int, float)) and not isinstance(thing, bool)  # np.float64 is a float, too
        return float(thing) if is_number else f"of type {type(thing).__name__}"

    def entries(things):
        return [seen(each) for each in things] if isinstance(things, (tuple, list, set, frozenset, dict)) else []

    out = learner.softplus(node)
    if not all(hasattr(out, name) for name in ("data", "_prev", "_op", "_local_grads")):
        return {"type": type(out).__name__}
    grad = node.grad if node.grad is None else "written"
    operand = {"data": seen(node.data), "grad": grad, "parents": len(node._prev)}
    if out is node:
        return {"type": "Value", "itself": True, "operand": operand}
    return {
        "type": "Value",
        "itself": False,
        "operand": operand,
        "data": seen(out.data),
        "prev type": type(out._prev).__name__,
        "prev": entries(out._prev),
        "local type": type(out._local_grads).__name__,
        "local": entries(out._local_grads),
        "op": out._op if isinstance(out._op, str) else type(out._op).__name__,
    }


@exercise("softplus")
class Softplus:
    """The number and the slope at zero, on both sides, where the power of e is tiny, and where it would overflow."""

    in_order = True

    def inputs(self, rng):
        drawn = [round(float(number), 3) for number in rng.uniform(0.5, 4.0, size=2)]
        return [{"x": x} for x in (0.0, 1.0, -2.0, drawn[0], -drawn[1], 6.0, 12.0, -TINY, TINY, FAR, -FAR)]

    observe = observe_node

    def line(self, x):
        made = f"from minitorch.scalar import Value; out = m.softplus(Value({x['x']!r}))"
        return f"{made}; out.data, out._prev, out._local_grads"

    def judge(self, x, got):
        if got["type"] != "Value":
            return no_node(got["type"])
        number = x["x"]
        small = math.exp(-abs(number))
        value = max(number, 0.0) + math.log1p(small)
        slope = (1.0 if number >= 0 else small) / (1.0 + small)
        if got["itself"]:
            return Wrong("softplus gave back the node that it was given: make a new one, with that node as its parent")
        if got["operand"] != {"data": number, "grad": None, "parents": 0}:
            return Wrong("softplus changed the node that it was given: leave it as it is, and make a new one")
        return first_wrong(
            same_number(got["data"], value, DATA, rtol=1e-9, atol=1e-12),
            _wrong_form(got),
            same_number(got["local"][0], slope, LOCAL, rtol=1e-9, atol=1e-12) if len(got["local"]) == 1 else None,
        ) or _remark(got, value, slope)


def no_node(kind):
    """Say that softplus gave something else than a node."""
    if kind == "NoneType":
        return Wrong("softplus returned None: is a `return` missing?", expected="Value", got="None")
    return Wrong(
        "softplus must return one node: type(node)(number, parents, sign, local gradients)", expected="Value", got=kind
    )


def _wrong_form(got):
    """What is wrong with the parents, or with the form of the local gradients."""
    for name, kind in (("_prev", got["prev type"]), ("_local_grads", got["local type"])):
        if kind not in ("tuple", "list"):
            return Wrong(
                "{name} is no tuple; brackets alone make none: (entry,)", name=name, expected="tuple", got=kind
            )
    shown = {"expected": "(node,)", "got": _shown(got["prev"])}
    if not got["prev"]:
        return Wrong("the new node knows no parents", **shown)
    if got["prev"] != ["node"] and any(isinstance(each, list) for each in got["prev"]):
        return Wrong("the parent must be the node that was given: one operation, with no other nodes between", **shown)
    if got["prev"] != ["node"]:
        return Wrong("the node that was given is the only parent", **shown)
    if len(got["local"]) != 1:
        return Wrong(
            "one parent needs one local gradient; there are {local}",
            local=len(got["local"]),
            expected=1,
            got=len(got["local"]),
        )
    if not isinstance(got["local"][0], float):
        return Wrong("the local gradient must be a plain number", got=_shown(got["local"]))
    return None


def _shown(entries):
    texts = [f"Value({each[0]})" if isinstance(each, list) else str(each) for each in entries]
    return f"({', '.join(texts)}{',' if len(texts) == 1 else ''})"


def _remark(got, value, slope):
    if "list" in (got["prev type"], got["local type"]):
        return But("a tuple, (entry,), is safer than a list: nobody can add to it or take from it later")
    if got["op"] != "softplus":
        return But('_op is not "softplus": a picture would not show what the node does')
    if not (math.isclose(got["data"], value, rel_tol=1e-6) and math.isclose(got["local"][0], slope, rel_tol=1e-6)):
        return But(
            "at -40 the small numbers are lost: beside 1, e to the power -40 is rounded away. math.log1p keeps it"
        )
    return None
