"""How `count_paths` of lesson 02 is judged, on the graphs of `toposort` and on one with many more paths than nodes."""

from minitorch.course.judging import contract
from minitorch.course.judging.checks import But, Message, Wrong, exercise, same_value
from minitorch.course.lessons.lesson_02_backward.checks import line_of_graph, random_code

DOUBLED = 11  # `root = root + root`, so many times: 4,096 paths, few enough to be walked one by one
OFTEN = 50  # no walk over the order looks at a node's parents so often


def observe_paths(learner, x):
    """Build the graph, call count_paths, and send the answer, how often parents were looked at, and what changed."""

    looked = []

    class Node:
        def __init__(self, data, prev=(), local_grads=()):
            self.data, self.grad, self._prev, self._local_grads = data, None, prev, local_grads

        def __repr__(self):
            return f"Node({self.data})"

    if "doubled" in x:

        class Node(Node):  # it counts how often somebody looks at its parents
            @property
            def _prev(self):
                looked.append(1)
                return self.parents

            @_prev.setter
            def _prev(self, parents):
                self.parents = parents

    names = {name: Node(number) for name, number in x.items() if type(number) is float}
    nodes = list(names.values())
    steps = [step.split() for step in x["code"].split(";") if step.strip()]
    steps += [["root", "=", "root", "+", "a"]] * x.get("deep", 0)
    steps += [["root", "=", "root", "+", "root"]] * x.get("doubled", 0)
    for name, _, left, sign, right in steps:
        a, b = names[left], names[right]
        if sign == "+":
            names[name] = Node(a.data + b.data, (a, b), (1.0, 1.0))
        else:
            names[name] = Node(a.data * b.data, (a, b), (b.data, a.data))
        nodes.append(names[name])
    before = [(node.grad, tuple(map(id, node._prev)), node._local_grads) for node in nodes]
    looked.clear()
    paths = learner.count_paths(names["root"], names[x["to"]])
    often = len(looked) / len(nodes)
    kind = type(paths).__name__
    if not isinstance(paths, bool) and isinstance(paths, (int, float)) and paths == int(paths):
        paths = int(paths)
    after = [(node.grad, tuple(map(id, node._prev)), node._local_grads) for node in nodes]
    return {
        "paths": paths if isinstance(paths, (int, float)) else None,
        "type": kind,
        "often": often,
        "grads": [grad for grad, _, _ in before] == [grad for grad, _, _ in after],
        "graph": [rest for _, *rest in before] == [rest for _, *rest in after],
    }


def paths_of(x):
    """The right number: counted forwards, each node's paths to `to` being those of its parents together."""
    counts = {name: int(name == x["to"]) for name, number in x.items() if type(number) is float}
    steps = [step.split() for step in x["code"].split(";") if step.strip()]
    for name, _, left, _, right in steps:
        counts[name] = 1 if name == x["to"] else counts[left] + counts[right]
    if x["to"] != "root":
        counts["root"] = (counts["root"] + x.get("deep", 0) * counts["a"]) * 2 ** x.get("doubled", 0)
    return counts["root"]


@exercise("count_paths", limit_s=2)
class CountPaths:
    """Short and long paths, one node in two places, no path at all, a deep graph, and one with very many paths."""

    in_order = True

    def inputs(self, rng):
        drawn = random_code(rng, 7)
        return [
            {"a": 2.0, "b": -3.0, "code": "root = a * b", "to": "a"},
            {"a": 2.0, "b": -3.0, "code": "p = a * b; root = p + a", "to": "a"},
            {"a": 3.0, "code": "root = a * a", "to": "a"},
            {"a": 3.0, "code": "p = a * a; q = p * p; root = q + a", "to": "a"},
            {"a": 3.0, "code": "p = a * a; q = p * p; root = q + p", "to": "p"},
            {"a": 3.0, "code": "p = a * a; root = p + a", "to": "root"},
            {"a": 3.0, "b": 2.0, "code": "p = a * a; root = p + a", "to": "b"},
            {"a": 1.1, "b": -0.7, "c": 1.3, "code": drawn, "to": "a"},
            {"a": 1.1, "b": -0.7, "c": 1.3, "code": drawn, "to": "c"},
            {"a": 1.0, "code": "root = a + a", "to": "a", "doubled": DOUBLED},
            {"a": 1.0, "code": "root = a + a", "to": "a", "deep": contract.DEEP},
        ]

    observe = observe_paths

    def line(self, x):
        made = "import functools; root = functools.reduce(lambda node, _: node + node, range({}), root)"
        doubled = [made.format(x["doubled"])] if "doubled" in x else []
        return line_of_graph(x, *doubled, f"m.count_paths(root, {x['to']})")

    def compared(self, x, got):
        """How often somebody looked is told as too often or not."""
        return got | {"often": got["often"] > OFTEN}

    def judge(self, x, got, printed):
        want = paths_of(x)
        if not got["graph"]:
            return Wrong("count_paths changed the graph: leave _prev and _local_grads as they are", hint=3)
        if not got["grads"]:
            return Wrong("count_paths wrote into a node's grad: keep its numbers in a dict of its own", hint=3)
        if got["paths"] is None:
            return _no_number(got["type"], printed)
        wrong = same_value(got["paths"], want, Message("the number of paths"))
        if wrong:
            return wrong
        if got["often"] > OFTEN:
            return Wrong(
                "the number is right, but every path was walked by itself. There are soon too many of "
                "them: visit each node once",
                hint=2,
            )
        if got["type"] == "float":
            return But("a float keeps about 16 digits, and there may be more paths than that: count with whole numbers")
        return None


def _no_number(kind, printed):
    if kind == "NoneType" and printed.strip():
        return Wrong("the number of paths was printed, but not returned", expected="int", got="None")
    if kind == "NoneType":
        return Wrong("count_paths returned None: is a `return` missing?", expected="int", got="None")
    return Wrong("count_paths returned a {kind}; it must return one whole number", kind=kind, expected="int", got=kind)
