"""How the answers of lesson 02 are judged.

The graphs are made in the child, of small nodes with the four attributes that the lesson asks for; nothing of lesson 01
is needed. A case reads like a program: `p = a * a; root = p + a (a = 3.0)`. With `deep = 5000` the line
`root = root + a` follows 5,000 times.
"""

from minitorch.course.judging import contract
from minitorch.course.judging.checks import But, Message, Wrong, exercise, with_hint

TELLING = 60  # so many nodes in a row show whether a list is searched for each of them


def observe_order(learner, x):
    """Build the graph, call toposort, and send the list as it is: each node as the number of the line that made it.

    Nodes of other graphs, and what is no node, are sent by type. What became of the graph is sent, too.
    """
    import sys

    import numpy as np

    compared = []

    class Node:
        def __init__(self, data, prev=(), local_grads=()):
            self.data, self.grad, self._prev, self._local_grads = data, None, prev, local_grads

        def __repr__(self):
            return f"Node({self.data})"

    if x.get("deep", 0) < 100:

        class Node(Node):  # it counts how often two different nodes are compared
            def __eq__(self, other):
                compared.append(1)
                return self is other

            __hash__ = object.__hash__

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
    root, place = names["root"], {id(node): number for number, node in enumerate(nodes)}

    limit = sys.getrecursionlimit()
    try:
        order = learner.toposort(root)
        searched = len(compared)
        raised = sys.getrecursionlimit() - limit
        if type(order) is not list:
            return {"type": type(order).__name__}
        order = list(order)
        again = learner.toposort(root)
    finally:
        sys.setrecursionlimit(limit)
    strangers = sorted({type(each).__name__ for each in order if id(each) not in place})
    return {
        "type": "list",
        "strangers": strangers,
        "order": np.array([place.get(id(each), -1) for each in order], dtype=int),
        "again": np.array([place.get(id(each), -1) for each in again], dtype=int) if type(again) is list else None,
        "prev": np.array([place.get(id(each), -1) for node in nodes for each in node._prev], dtype=int),
        "compared": searched,
        "limit raised by": max(0, raised),
    }


def graph_of(x):
    """The names of a case's nodes in the order they are made, and its edges as places `(parent, node)`."""
    latest = {name: place for place, name in enumerate(name for name, number in x.items() if type(number) is float)}
    names, edges = list(latest), []
    steps = [step.split() for step in x["code"].split(";") if step.strip()]
    for name, _, left, _, right in steps + [["root", "=", "root", "+", "a"]] * x.get("deep", 0):
        edges += [(latest[left], len(names)), (latest[right], len(names))]
        latest[name] = len(names)
        names.append(name)
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


def line_of_graph(x, *ends):
    """The case as statements: the graph, made of minitorch's Values with labels, and what is asked of it."""
    leaves = [name for name, number in x.items() if type(number) is float]
    steps = [step.strip() for step in x["code"].split(";") if step.strip()]
    made = [f'{name} = Value({x[name]!r}, label="{name}")' for name in leaves]
    for step in steps:
        name = step.split()[0]
        made += [step, f'{name}.label = "{name}"']
    deep = [f"root = sum([a] * {x['deep']}, root)"] if x.get("deep") else []
    return "; ".join(["from minitorch.scalar import Value", *made, *deep, *ends])


@exercise("toposort")
class Toposort:
    """Every node once, parents before children: short and long paths, equal numbers, a graph too deep to recurse."""

    in_order = True

    def inputs(self, rng):
        return [
            {"a": 2.0, "b": -3.0, "code": "root = a * b"},
            {"a": 2.0, "b": -3.0, "code": "p = a * b; root = p + a"},
            {"a": 3.0, "code": "p = a * a; root = a + p"},
            {"a": 3.0, "code": "p = a * a; root = p + a"},
            {"a": 3.0, "code": "root = a * a"},
            {"a": 3.0, "code": "p = a * a; q = p * p; root = q + a"},
            {"a": 3.0, "code": "p = a * a; q = a + a; root = p * q"},
            {"a": 3.0, "b": 2.0, "code": "p = a + b; q = p * a; r = q + p; root = r * b"},
            {"a": 1.0, "b": 1.0, "code": "p = a * b; root = p + b"},
            {"a": 1.1, "b": -0.7, "c": 1.3, "code": random_code(rng, 8)},
            {"root": 3.0, "code": ""},
            {"a": 1.0, "code": "root = a + a", "deep": TELLING},
            {"a": 1.0, "code": "root = a + a", "deep": contract.DEEP},
        ]

    observe = observe_order

    def line(self, x):
        shown = "len(m.toposort(root))" if x.get("deep") else "[node.label for node in m.toposort(root)]"
        return line_of_graph(x, shown)

    def compared(self, x, got):
        """The same for all lists with one mistake: which end of each edge is first, how often each node is there."""
        if got["type"] != "list" or got["strangers"]:
            return {name: got[name] for name in ("type", "strangers") if name in got}
        names, edges = graph_of(x)
        order, prev = got["order"].tolist(), [parent for parent, _ in edges]
        first = {place: position for position, place in reversed(list(enumerate(order)))}
        nowhere = len(order)
        return {
            "edges": "".join("<" if first.get(p, nowhere) < first.get(n, nowhere) else ">" for p, n in edges),
            "times": [order.count(place) for place in range(len(names))] if len(names) < 1000 else len(order),
            "again": got["again"] is not None and len(got["again"]) == len(order),
            "graph kept": got["prev"].tolist() == prev,
        }

    def judge(self, x, got):
        if got["type"] != "list":
            return _no_list(got["type"])
        names, edges = graph_of(x)
        labels = _labels(names)
        if got["prev"].tolist() != [parent for parent, _ in edges]:
            return Wrong("toposort changed the graph: leave each _prev as it is")
        if got["strangers"]:
            return _strangers(got["strangers"])
        order = got["order"].tolist()
        shown = {"expected": _one_right_order(labels), "got": _shown(labels[place] for place in order)}
        wrong = _wrong_times(labels, order, shown) or _wrong_order(labels, edges, order, shown)
        if wrong:
            return wrong
        if got["again"] is None or sorted(got["again"].tolist()) != sorted(order):
            return Wrong(
                "a second call on the same graph gives another list: something is left over from the first call", hint=2
            )
        return _remark(got, len(edges))


def _no_list(kind):
    if kind == "NoneType":
        return Wrong(
            "toposort returned None: is a `return` missing? `list.reverse()` returns None, too",
            expected="list",
            got="None",
        )
    known = {
        "set": Message("a set has no order"),
        "list_reverseiterator": Message("reversed(...) is no list: list(reversed(...)) is"),
    }.get(kind, Message("asked for is a list"))
    return Wrong(
        "toposort returned a {kind}: {known}",
        kind=kind,
        known=known,
        expected="list",
        got=kind,
        hint=Message("list(...) makes a list of it.") if kind != "set" else None,
    )


def _strangers(kinds):
    if kinds == ["Node"]:
        return Wrong("the list holds nodes of another graph: something is left over from an earlier call", hint=2)
    if kinds == ["tuple"]:
        return Wrong("the list holds tuples, not nodes: append the node alone")
    return Wrong(
        "the list holds things that are no nodes of the graph, of type {kinds}",
        kinds=", ".join(kinds),
        hint=Message("Append the nodes themselves, not their numbers."),
    )


def _wrong_times(labels, order, shown):
    for place, name in enumerate(labels):
        count = order.count(place) if len(labels) < 1000 else 1
        if count == 0:
            return Wrong("the node {name} is not in the list", name=name, **shown, hint=2)
        if count > 1:
            return Wrong("the node {name} is in the list {count} times", name=name, count=count, **shown, hint=2)
    if sorted(order) != list(range(len(labels))):
        return Wrong(
            "the graph has {labels} nodes, and the list holds other ones, or some of them twice",
            labels=len(labels),
            expected=len(labels),
            got=len(order),
            hint=2,
        )
    return None


def _wrong_order(labels, edges, order, shown):
    position = {place: index for index, place in enumerate(order)}
    late = [(parent, node) for parent, node in edges if position[parent] > position[node]]
    if late and len(late) == len(edges):
        return Wrong("every node stands before its parents: root must be last, not first", **shown, hint=1)
    if late and order[0] == len(labels) - 1:
        return Wrong(
            "your list begins with root. Each node stands there as soon as it was reached, before its parents",
            **shown,
            hint=1,
        )
    if late:
        parent, node = (labels[place] for place in late[0])
        return Wrong("the node {node} stands before its parent {parent}", node=node, parent=parent, **shown, hint=1)
    return None


def _remark(got, edges):
    if got["limit raised by"]:
        return But(
            "your function raises Python's recursion limit. A deeper graph needs it higher still, "
            "and at some depth Python crashes; a list used as a stack has no such end"
        )
    if got["compared"] > 8 * edges:
        return But(
            "your function searches a list for every node. That takes ever longer as the graph "
            "grows: a set knows at once whether a node is in it"
        )
    return None


def _labels(names):
    """The names of the nodes; of several roots in a row all but the last are numbered."""
    if names.count("root") < 2:
        return names
    first = names.index("root")
    return [name if place < first else f"root{place - first}" for place, name in enumerate(names[:-1])] + ["root"]


def _one_right_order(labels):
    """The nodes in the order in which they were made: one of the right orders."""
    shown = _shown(labels)
    return Message("{shown} or another right order", shown=shown) if len(labels) > 2 else shown


def _shown(labels):
    labels = list(labels)
    return f"[{', '.join(labels if len(labels) < 14 else [*labels[:5], '...', *labels[-5:]])}]"


# ------------------------------------------------------------------------------------------------------ backward


@exercise("backward")
class Backward:
    """The contract of every backward pass over numbers, and more: a lone leaf, zeros, an early hand-on, a / a."""

    in_order = True

    def inputs(self, rng):
        gentle, *rest = contract.cases(rng)
        return [
            {"a": 3.0, "b": 2.0, "code": "root = a * b", "calls": 1},
            gentle,
            {"a": 3.0, "b": 2.0, "code": "p = a * b; root = p + a", "calls": 1},
            {"a": 2.0, "code": "p = a * a; q = p * p; root = p + q", "calls": 1},
            *rest[:-1],
            {"a": 0.0, "code": "p = a * a; q = p * p; root = q + q", "calls": 1},
            {"a": 2.0, "code": "p = a / a; root = p + a", "calls": 1},
            {"root": 3.0, "code": "", "calls": 1},
            rest[-1],
        ]

    observe = contract.observe_backward

    def line(self, x):
        leaves = [name for name, number in x.items() if type(number) is float]
        shown = ", ".join(f"{name}.grad" for name in dict.fromkeys([*leaves, "root"]))
        return line_of_graph(x, *["m.backward(root)"] * x["calls"], f"({shown},)")

    def compared(self, x, got):
        """What was returned tells a mistake only where it holds the gradients."""
        return got | {"returned": got["returned"] if got["returned"] in ("dict", "list") else ""}

    def judge(self, x, got):
        grads = got["grads"]
        if all(grad is None for grad in grads.values()):
            return _nothing_written(got["returned"])
        if grads["root"] is None:
            return Wrong(
                "root.grad is None when backward returns, though other nodes have a grad",
                expected=1.0,
                got="None",
                hint=1,
            )
        wrong = contract.judge(x, got)
        return with_hint(wrong, 4) if wrong and x["calls"] > 1 else wrong


def _nothing_written(returned):
    if returned not in ("NoneType", "Node"):
        return Wrong(
            "backward returned a {returned}, and every node's grad is still None: write each number into node.grad",
            returned=returned,
            expected="root.grad = 1.0",
            got="None",
            hint=5,
        )
    return Wrong(
        "every grad is None when backward returns: it wrote none, or it cleared them again",
        expected="root.grad = 1.0",
        got="None",
        hint=1,
    )
