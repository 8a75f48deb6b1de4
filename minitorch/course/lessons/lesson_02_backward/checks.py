"""How the answers of lesson 02 are judged.

The graphs are made in the child, of small nodes with the four attributes that the lesson asks for; nothing of lesson 01
is needed. A case reads like a program: `p = a * a; root = p + a (a = 3.0)`. With `deep = 5000` the line
`root = root + a` follows 5,000 times.
"""

from minitorch.course.judging import contract
from minitorch.course.judging.checks import Wrong, exercise


def observe_order(learner, x):
    """Build the graph, call toposort, and describe the list by what is the same for every right order.

    For each edge, which end stands first ("<" when it is the parent); for each node, how often it is in the list.
    """

    class Node:
        def __init__(self, data, prev=(), local_grads=()):
            self.data, self.grad, self._prev, self._local_grads = data, None, prev, local_grads

        def __repr__(self):
            return f"Node({self.data})"

    names = {name: Node(number) for name, number in x.items() if type(number) is float}
    nodes = list(names.values())
    steps = [step.split() for step in x["code"].split(";") if step.strip()]
    for name, _, left, sign, right in steps + [["root", "=", "root", "+", "a"]] * x.get("deep", 0):
        a, b = names[left], names[right]
        if sign == "+":
            names[name] = Node(a.data + b.data, (a, b), (1.0, 1.0))
        else:
            names[name] = Node(a.data * b.data, (a, b), (b.data, a.data))
        nodes.append(names[name])

    edges = [(parent, node) for node in nodes for parent in node._prev]
    order = learner.toposort(names["root"])
    if type(order) is not list:
        return {"no list": type(order).__name__}
    if [(parent, node) for node in nodes for parent in node._prev] != edges:
        return {"changed": True}
    again = learner.toposort(names["root"])
    first, times = {}, {}
    for position, node in enumerate(order):
        first.setdefault(id(node), position)
        times[id(node)] = times.get(id(node), 0) + 1
    nowhere = len(order)
    return {
        "edges": "".join(
            "<" if first.get(id(parent), nowhere) < first.get(id(node), nowhere) else ">" for parent, node in edges
        ),
        "times": [times.pop(id(node), 0) for node in nodes],
        "others": len(times),
        "kinds": sorted({type(node).__name__ for node in order if id(node) in times}),
        "root first": len(order) > 1 and order[0] is names["root"],
        "again": type(again) is list and len(again) == len(order),
    }


def graph_of(x):
    """The names of a case's nodes in the order they are made, and its edges as `(parent, node)`."""
    names = [name for name, number in x.items() if type(number) is float]
    edges = []
    for step in filter(None, x["code"].split("; ")):
        name, _, left, _, right = step.split()
        names.append(name)
        edges += [(left, name), (right, name)]
    for _ in range(x.get("deep", 0)):
        names.append("root")
        edges += [("the root before", "root"), ("a", "root")]
    return names, edges


def random_code(rng, operations):
    """A program over a, b and c whose root was made from all its lines, some of them used several times."""
    names, steps = ["a", "b", "c"], []
    for number in range(operations):
        other = names[number + 1] if number < 2 else str(rng.choice(names[:-1]))
        pair = [names[-1] if number else "a", other]
        if rng.random() < 0.5:
            pair.reverse()
        names.append("root" if number == operations - 1 else f"p{number + 1}")
        steps.append(f"{names[-1]} = {pair[0]} {rng.choice(['+', '*'])} {pair[1]}")
    return "; ".join(steps)


@exercise("toposort")
class Toposort:
    """Every node once, parents before children: short and long paths, equal numbers, a graph too deep to recurse."""

    def inputs(self, rng):
        return [
            {"root": 3.0, "code": ""},
            {"a": 2.0, "b": -3.0, "code": "root = a * b"},
            {"a": 3.0, "code": "root = a * a"},
            {"a": 3.0, "code": "p = a * a; root = a + p"},
            {"a": 3.0, "code": "p = a * a; root = p + a"},
            {"a": 3.0, "code": "p = a * a; q = p * p; root = q + a"},
            {"a": 1.0, "b": 1.0, "code": "p = a * b; root = p + b"},
            {"a": 1.1, "b": -0.7, "c": 1.3, "code": random_code(rng, 8)},
            {"a": 1.0, "code": "root = a + a", "deep": contract.DEEP},
        ]

    observe = observe_order

    def judge(self, x, got):
        if got.get("no list") == "NoneType":
            return Wrong(
                "toposort returned None: is a `return` missing? `list.reverse()` returns None, too",
                "toposort devolvió None: ¿falta un `return`? `list.reverse()` también devuelve None",
                expected="list",
                got="None",
                hint=None,
            )
        if "no list" in got:
            return Wrong(
                "toposort must return a list",
                "toposort debe devolver una lista",
                expected="list",
                got=got["no list"],
                hint=None,
            )
        if "changed" in got:
            return Wrong(
                "toposort changed the graph: leave each _prev as it is",
                "toposort cambió el grafo: deja cada _prev como está",
                hint=None,
            )
        names, edges = graph_of(x)
        times = list(zip(names, got["times"], strict=True))
        if got["kinds"] == ["Node"]:
            return Wrong(
                "the list holds nodes of another graph: something is left over from an earlier call",
                "la lista contiene nodos de otro grafo: algo quedó de una llamada anterior",
                hint=2,
            )
        if got["kinds"] == ["tuple"]:
            return Wrong(
                "the list holds tuples, not nodes: append the node alone",
                "la lista contiene tuplas, no nodos: añade solo el nodo",
                hint=None,
            )
        if got["others"] != 0:
            return Wrong(
                "the list holds things that are no nodes of the graph",
                "la lista contiene cosas que no son nodos del grafo",
                hint=None,
            )
        for name, count in times:
            if type(count) is not int or count != 1:
                return Wrong(
                    f"the node {name} is in the list {count} times" if count else f"the node {name} is not in the list",
                    f"el nodo {name} está {count} veces en la lista"
                    if count
                    else f"el nodo {name} no está en la lista",
                    expected=", ".join(f"{each}: 1" for each, _ in times[:8]),
                    got=", ".join(f"{each}: {how_often}" for each, how_often in times[:8]),
                )
        if got["root first"] is True and "<" in got["edges"]:
            return Wrong(
                "your list begins with root: root must be last, after everything it was made from",
                "tu lista empieza por root: root debe ir al final, después de todo aquello de lo que se hizo",
            )
        if edges and "<" not in got["edges"]:
            return Wrong(
                "every node stands before its parents: root must be last, not first",
                "cada nodo está antes que sus padres: root debe ir al final, no al principio",
                expected="[..., {}, ..., {}, ...]".format(*edges[-1]),
                got="[..., {1}, ..., {0}, ...]".format(*edges[-1]),
            )
        for (parent, name), order in zip(edges, got["edges"], strict=True):
            if order != "<":
                return Wrong(
                    f"the node {name} stands before its parent {parent}",
                    f"el nodo {name} está antes que su padre {parent}",
                    expected=f"[..., {parent}, ..., {name}, ...]",
                    got=f"[..., {name}, ..., {parent}, ...]",
                )
        if got["again"] is not True:
            return Wrong(
                "a second call on the same graph gives another list: something is left over from the first call",
                "una segunda llamada sobre el mismo grafo da otra lista: algo quedó de la primera llamada",
                hint=2,
            )
        return None


@exercise("backward")
class Backward:
    """The contract of every backward pass over numbers, and three graphs more: a lone leaf, zeros, an early hand-on."""

    def inputs(self, rng):
        return [
            {"root": 3.0, "code": "", "calls": 1},
            {"a": 0.0, "code": "p = a * a; q = p * p; root = q + q", "calls": 1},
            {"a": 2.0, "code": "p = a * a; q = p * p; root = p + q", "calls": 1},
            *contract.cases(rng),
        ]

    observe = contract.observe_backward

    def judge(self, x, got):
        return contract.judge(x, got)
