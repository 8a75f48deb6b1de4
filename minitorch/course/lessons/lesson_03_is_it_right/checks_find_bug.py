"""How the answers to `find_bug` of lesson 03 are judged.

The child makes an engine of numbers, one or two for each rule; which of them are wrong, and what the engine is called,
is known here alone. Nothing of lessons 01 and 02 is needed.
"""

from minitorch.course.judging.checks import Message, Wrong, exercise, same_value, with_hint

RIGHT = (1.0, 1.0, 1.0, 1.0, -1.0, 1.0, 1.0, 0.0, 0.0)  # the rules of a right engine
PLACES = {"add": (0, 1), "mul": (2,), "pow": (3,), "neg": (4,), "exp": (5,), "relu": (6, 7), "backward": (8,)}
PLANTED = [
    (None, Message("all rules are right"), {}),
    ("neg", Message("-a passes the gradient on as it is"), {"neg": (1.0,)}),
    ("exp", Message("the gradient of exp is 0"), {"exp": (0.0,)}),
    ("pow", Message("a ** n has the slope n * a ** n"), {"pow": (0.0,)}),
    ("mul", Message("in a * b each uses its own number"), {"mul": (0.0,)}),
    ("backward", Message("it walks level by level"), {"backward": (1.0,)}),
    ("add", Message("in a + b a counts twice, b not at all"), {"add": (2.0, 0.0)}),
    ("neg", Message("neg and exp are both wrong"), {"neg": (1.0,), "exp": (0.0,)}),
    ("relu", Message("relu has the slope 1 below 0, too"), {"relu": (1.0, 1.0)}),
    ("relu", Message("relu has the slope 0 above 0, too"), {"relu": (0.0, 0.0)}),
    ("exp", Message("exp forgets its parent, and no gradient arrives"), {"exp": (None,)}),
]
OVERRIDES = {  # the same in a line: a Value of minitorch's with one rule replaced
    "neg": '"__neg__": lambda a: Value(-a.data, (a,), "neg", (1.0,))',
    "exp": '"exp": lambda a: Value(np.exp(a.data), (a,), "exp", (0.0,))',
    "pow": '"__pow__": lambda a, n: Value(a.data**n, (a,), "**", (n * a.data**n,))',
    "mul": '"__mul__": lambda a, b: Value(a.data * b.data, (a, b), "*", (a.data, b.data))',
    "add": '"__add__": lambda a, b: Value(a.data + b.data, (a, b), "+", (2.0, 0.0))',
    "relu": '"relu": lambda a: Value(max(a.data, 0.0), (a,), "relu", ({0}))',
}


def rules(wrong):
    """All numbers of an engine as one list."""
    numbers = list(RIGHT)
    for name, ones in wrong.items():
        for place, number in zip(PLACES[name], ones, strict=True):
            numbers[place] = number
    return numbers


def planted(x):
    """What was planted in a case's engine."""
    return next(row for row in PLANTED if rules(row[2]) == x["rules"])


def show_name(name):
    return "None" if name is None else repr(name)


@exercise("find_bug", limit_s=3)
class FindBug:
    """A right engine, the lesson's five planted bugs, four that hide at some points or behind the order, a lost one."""

    in_order = True

    def inputs(self, rng):
        return [{"rules": rules(wrong)} for *_, wrong in PLANTED]

    def observe(learner, x):
        import math

        add_a, add_b, other, lowered, minus, kept, above, below, by_levels = x["rules"]
        walks = []  # of each walk: how many leaves still held a gradient

        class Node:
            def __init__(self, data, prev=(), local_grads=()):
                self.data, self.grad, self._prev, self._local_grads = float(data), None, prev, local_grads

            def __repr__(self):
                return f"Node({self.data})"

            def __add__(self, term):
                return Node(self.data + term.data, (self, term), (add_a, add_b))

            def __mul__(self, factor):
                pair = (factor.data, self.data)
                return Node(self.data * factor.data, (self, factor), pair if other else pair[::-1])

            def __pow__(self, n):
                return Node(self.data**n, (self,), (n * self.data ** (n - lowered),))

            def __neg__(self):
                return Node(-self.data, (self,), (minus,))

            def exp(self):
                out = math.exp(self.data)
                return Node(out) if kept is None else Node(out, (self,), (kept * out,))

            def relu(self):
                return Node(max(self.data, 0.0), (self,), (above if self.data > 0 else below,))

            def order(self):
                found, seen = [], set()

                def visit(node):
                    if node not in seen:
                        seen.add(node)
                        for parent in node._prev:
                            visit(parent)
                        found.append(node)

                visit(self)
                return found[::-1]

            def level_by_level(self):
                found = [self]
                for node in found:
                    found += [parent for parent in dict.fromkeys(node._prev) if parent not in found]
                return found

            def backward(self):
                order = self.level_by_level() if by_levels else self.order()
                walks.append(sum(node.grad is not None for node in order if not node._prev))
                for node in order:
                    if node._prev:
                        node.grad = None
                self.grad = 1.0
                for node in order:
                    for parent, local in zip(node._prev, node._local_grads):
                        part = local * node.grad
                        parent.grad = part if parent.grad is None else parent.grad + part

        name = learner.find_bug(Node)
        return {"name": name, "walks": len(walks), "held": max(walks, default=0)}

    def line(self, x):
        name, _, wrong = planted(x)
        value = "from minitorch.scalar import Value; "
        if name is None:
            return f"{value}m.find_bug(Value)"
        if not set(wrong) <= set(OVERRIDES) or wrong.get("exp") == (None,):
            return None
        slopes = {"relu": "1.0," if rules(wrong)[7] else "0.0,"}
        methods = ", ".join(OVERRIDES[each].replace("{0}", slopes.get(each, "")) for each in wrong)
        return f'{value}E = type("E", (Value,), {{{methods}}}); m.find_bug(E)'

    def compared(self, x, got):
        """The name, and whether backward was called, on new leaves or on old ones."""
        return {"name": got["name"], "walked": got["walks"] > 0, "held": got["held"] > 0}

    def judge(self, x, got):
        (want, what, _), name = planted(x), got["name"]
        shown = {"expected": show_name(want), "got": show_name(name) if name is None or isinstance(name, str) else name}
        if not got["walks"]:
            return Wrong("nobody called backward on this engine's nodes, so it was not tested", **shown, hint=2)
        if want is None and isinstance(name, str):
            return Wrong(
                "all rules of this engine are right, and find_bug named {name}", name=repr(name), **shown, hint=2
            )
        if want is not None and name is None:
            return Wrong("in this engine {what}, and find_bug found nothing", what=what, **shown, hint=3)
        if isinstance(name, str) and name != want:
            return Wrong(
                "in this engine {what}, and find_bug named {name}",
                what=what,
                name=repr(name),
                **shown,
                hint=4 if got["held"] == 0 else 2,
            )
        wrong = same_value(name, want, Message("the name"))
        return wrong and with_hint(
            wrong,
            Message("One name as text, or None."),
        )
