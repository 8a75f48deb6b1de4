"""How the answers to `find_bug` of lesson 03 are judged.

The child makes an engine with a planted bug for each case; nothing of lessons 01 and 02 is needed.
"""

from minitorch.course.judging.checks import Wrong, exercise, same_value

ENGINES = {  # what is planted -> the name that must be found
    "all rules right": None,
    "neg: the sign is lost": "neg",
    "exp: the gradient is 0": "exp",
    "pow: n * x ** n": "pow",
    "mul: its own operand": "mul",
    "backward: level by level": "backward",
    "add: 2 for a, 0 for b": "add",
    "neg and exp: two bugs": "neg",
    "relu: 1 below zero, too": "relu",
    "relu: 0 above zero, too": "relu",
}


def show_name(name):
    return None if name is not None and not isinstance(name, str) else repr(name)


@exercise("find_bug", limit_s=3)
class FindBug:
    """A right engine, the five planted bugs of the lesson, and four that hide at some points or behind the order."""

    def inputs(self, rng):
        return [{"engine": planted} for planted in ENGINES]

    def observe(learner, x):
        import math

        planted, walks = x["engine"], []  # of each walk: did a leaf still hold a gradient?

        class Node:
            def __init__(self, data, prev=(), local_grads=()):
                self.data, self.grad, self._prev, self._local_grads = float(data), None, prev, local_grads

            def __repr__(self):
                return f"Node({self.data})"

            def __add__(self, other):
                pair = (2.0, 0.0) if planted == "add: 2 for a, 0 for b" else (1.0, 1.0)
                return Node(self.data + other.data, (self, other), pair)

            def __mul__(self, other):
                pair = (other.data, self.data)
                return Node(
                    self.data * other.data, (self, other), pair[::-1] if planted == "mul: its own operand" else pair
                )

            def __pow__(self, n):
                slope = n * self.data ** (n if planted == "pow: n * x ** n" else n - 1)
                return Node(self.data**n, (self,), (slope,))

            def __neg__(self):
                return Node(-self.data, (self,), (1.0 if planted.startswith("neg") else -1.0,))

            def exp(self):
                out = math.exp(self.data)
                return Node(out, (self,), (0.0 if "exp" in planted else out,))

            def relu(self):
                below = 1.0 if planted == "relu: 1 below zero, too" else 0.0
                above = 0.0 if planted == "relu: 0 above zero, too" else 1.0
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
                order = self.level_by_level() if planted == "backward: level by level" else self.order()
                walks.append(any(node.grad is not None for node in order if not node._prev))
                for node in order:
                    if node._prev:
                        node.grad = None
                self.grad = 1.0
                for node in order:
                    for parent, local in zip(node._prev, node._local_grads):
                        part = local * node.grad
                        parent.grad = part if parent.grad is None else parent.grad + part

        name = learner.find_bug(Node)
        return {"name": name, "walked": bool(walks), "leaves used again": any(walks)}

    def judge(self, x, got):
        want, name = ENGINES[x["engine"]], got["name"]
        if not got["walked"]:
            return Wrong(
                "nobody called backward on this engine's nodes, so it was not tested",
                "nadie llamó a backward en los nodos de este motor, así que no se probó",
                expected=show_name(want),
                got=show_name(name),
                hint=2,
            )
        if want is None and isinstance(name, str):
            return Wrong(
                f"all rules of this engine are right, and find_bug named {name!r}",
                f"todas las reglas de este motor son correctas, y find_bug nombró {name!r}",
                expected="None",
                got=show_name(name),
                hint=2,
            )
        if want is not None and name is None:
            return Wrong(
                "this engine has a wrong rule, and find_bug found none",
                "este motor tiene una regla falsa, y find_bug no encontró ninguna",
                expected=show_name(want),
                got="None",
                hint=3,
            )
        return same_value(name, want, ("the name", "el nombre"))
