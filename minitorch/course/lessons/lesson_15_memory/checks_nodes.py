"""How the answers of lesson 15 are judged: what a node holds, and how a graph is freed.

Who is alive is asked where the learner's code runs, in given code, with the collector off: a driver that is far away
would keep alive what it asks about. Only names, counts and flags come back.
"""

import numpy as np

from minitorch.course.judging.checks import Message, Wrong, exercise, first_wrong, same_value, with_hint

DEEP = 5000


# ------------------------------------------------------------------------------------------------------------ WeakNode


def make_node(learner, x):
    """Given code: make a node, look at it, let the parents' list and then the Variable go, and look again."""
    import gc
    import weakref

    class Parent:
        def __init__(self, name):
            self.name = name

    def variable(array):
        made = learner.Variable.__new__(learner.Variable)
        made.data, made.counter, made.node = array, learner.Counter(), None
        return made

    def look(thing):
        try:
            return thing()
        except Exception as error:  # noqa: BLE001 - what a node says of what is gone may be anything
            return type(error).__name__

    def shown(thing):
        sizes = type(thing) is tuple and all(type(size) is int for size in thing)
        return thing if sizes or thing is None or type(thing) in (str, int) else type(thing).__name__

    def named(parents):
        if not isinstance(parents, (tuple, list)):
            return type(parents).__name__
        return [each.name if isinstance(each, Parent) else shown(each) for each in parents]

    gc.disable()
    try:
        own = variable(x["data"].copy())
        made = [None if name is None else Parent(name) for name in x.get("parents", [])]
        given = tuple(made) if x.get("given as") == "tuple" else iter(made) if x.get("given as") == "iterator" else made
        more = [x["op"], given] if "op" in x else []
        before = dict(vars(own))
        node, second = learner.WeakNode(own, *more), learner.WeakNode(own)
        after = vars(own)
        changed = sorted(name for name in {*before, *after} if before.get(name, gc) is not after.get(name, gc))
        seen = {
            "changed": changed,
            "op": shown(node.op),
            "parents": named(node.parents),
            "a tuple": type(node.parents) is tuple,
            "shape": shown(node.shape),
            "saved": "{}" if node.saved == {} and type(node.saved) is dict else shown(node.saved),
            "saved is its own": node.saved is None or node.saved is not second.saved,
            "grad": shown(node.grad),
            "variable()": "it" if (found := look(node.variable)) is own else shown(found),
        }
        alive, array = weakref.ref(own), weakref.ref(own.data)
        parents = [weakref.ref(each) for each in made if each is not None]
        found = second = before = after = None
        if type(given) is list:
            given.append(Parent("added later"))
        seen["parents later"] = named(node.parents)
        del made, given, more, own
        seen["parents alive"] = all(each() is not None for each in parents)
        seen["Variable alive"], seen["array alive"] = alive() is not None, array() is not None
        seen["variable() later"] = "it" if seen["Variable alive"] else shown(look(node.variable))
        seen["shape later"] = look(lambda: shown(node.shape))
        return seen
    finally:
        gc.enable()


@exercise("weak_node")
class WeakNode:
    """A leaf and results, parents in several containers, a constant among them; what is alive once others let go."""

    in_order = True
    given = make_node

    def inputs(self, rng):
        return [
            {"data": np.array([1.0, 2.0])},
            {"data": np.array([1.0, 2.0]), "op": "*", "parents": ["a", "b"], "given as": "tuple"},
            {"data": np.array([[1.0, 2.0, 3.0]]), "op": "+", "parents": ["a", "b"], "given as": "list"},
            {"data": np.array(3.0), "op": "sum", "parents": ["a"], "given as": "iterator"},
            {"data": np.round(rng.uniform(-1, 1, (2, 3)), 2), "op": "*", "parents": [None, "b"], "given as": "list"},
            {"data": np.zeros((0, 2)), "op": "*", "parents": ["a", "a"], "given as": "tuple"},
        ]

    def observe(learner, x, given):
        return given(learner, x)

    def judge(self, x, got):
        parents = x.get("parents", [])
        return first_wrong(
            with_hint(same_value(got["op"], x.get("op", ""), "node.op"), 1),
            self.wrong_parents(parents, got),
            with_hint(same_value(got["shape"], x["data"].shape, "node.shape"), 1),
            self.wrong_beginning(got),
            self.wrong_change(got),
            self.wrong_variable(got),
            self.wrong_later(x, parents, got),
        )

    def wrong_parents(self, parents, got):
        wrong = with_hint(same_value(got["parents"], parents, "node.parents"), 2)
        if wrong or got["a tuple"] is True:
            return wrong
        return Wrong("node.parents is not a tuple: make one of whatever was handed over", hint=2)

    def wrong_beginning(self, got):
        if got["saved"] != "{}":
            return Wrong(
                "node.saved must begin as an empty dict: None would say that the node has been freed",
                expected="{}",
                got="None" if got["saved"] is None else got["saved"],
                hint=1,
            )
        if got["saved is its own"] is not True:
            return Wrong("two nodes share one dict saved: what one keeps, the other keeps", hint=1)
        return with_hint(same_value(got["grad"], None, "node.grad"), 1)

    def wrong_change(self, got):
        if not got["changed"]:
            return None
        return Wrong("the Variable was changed: its {changed} is not what it was", changed=got["changed"][0], hint=1)

    def wrong_variable(self, got):
        if got["variable()"] == "it":
            return None
        return Wrong(
            "node.variable() did not give the Variable, although it is there",
            expected="Variable",
            got=got["variable()"] or "None",
            hint=3,
        )

    def wrong_later(self, x, parents, got):
        if got["parents alive"] is not True:
            return Wrong(
                "nobody else held the parents, and the node let them go: a node holds its parents strongly", hint=2
            )
        if got["parents later"] != parents:
            return Wrong(
                "the list of parents was changed after the call, and node.parents changed with it",
                expected=parents,
                got=got["parents later"],
                hint=2,
            )
        if got["Variable alive"] is not False:
            return Wrong(
                "only the node was left, and the Variable is still there: something in the node holds it strongly",
                expected="None",
                got="Variable",
                hint=3,
            )
        if got["array alive"] is not False:
            return Wrong("the Variable is gone, but its array is still there: something in the node holds it", hint=3)
        gone = with_hint(same_value(got["variable() later"], None, Message("node.variable(), later,")), 3)
        shape = Message("node.shape, once the Variable is gone,")
        return gone or with_hint(same_value(got["shape later"], x["data"].shape, shape), 1)


# ------------------------------------------------------------------------------------------------------- release_graph


def free(learner, x):
    """Given code: make a graph of nodes of the check's own, free it, once or twice, and tell what each node holds."""
    import numpy as np

    class Node:
        def __init__(self, name, parents):
            self.name, self.op, self.parents, self.shape = name, "+" if parents else "", tuple(parents), (2,)
            self.saved, self.grad = {"b": name} if parents else {}, np.ones(2)

    nodes = {name: Node(name, ()) for name in x["leaves"]}
    for step in x["graph"].split("; "):
        name, _, *parents = step.split()
        nodes[name] = Node(name, [nodes.get(each) for each in parents])
    for name in x.get("saves nothing", []):
        nodes[name].saved = {}
    for name in x.get("freed before", []):
        nodes[name].saved = nodes[name].grad = None
    for _ in range(x.get("deep", 0)):
        nodes["root"] = Node("root", [nodes["root"]])
    inner = {name for name, node in nodes.items() if node.parents}
    returned = [learner.release_graph(nodes["root"]) for _ in range(x["calls"])]
    saved = {name: getattr(node, "saved", "gone") for name, node in nodes.items()}
    return {
        "returned": [int(each) if isinstance(each, np.integer) else each for each in returned],
        "saved": {name: None if kept is None else str(kept) for name, kept in saved.items()},
        "grad": {name: None if node.grad is None else "there" for name, node in nodes.items()},
        "parents": {
            name: [None if each is None else each.name for each in node.parents] for name, node in nodes.items()
        },
        "places": all(node.shape == (2,) and node.op == ("+" if name in inner else "") for name, node in nodes.items()),
    }


@exercise("release_graph")
class ReleaseGraph:
    """Chains, a shared node, constants, a root that is a leaf; nodes freed before; a second call; a deep graph."""

    in_order = True
    given = free

    def inputs(self, rng):
        diamond = "p = a b; q = p a; r = p b; root = q r"
        return [
            {"leaves": "ab", "graph": "root = a b", "calls": 1},
            {"leaves": "ab", "graph": "p = a b; root = p", "calls": 1},
            {"leaves": "a", "graph": "p = a a; root = p None", "calls": 1},
            {"leaves": "ab", "graph": diamond, "calls": 1},
            {"leaves": "ab", "graph": "p = a b; q = p b; root = a q", "saves nothing": ["q"], "calls": 1},
            {"leaves": "ab", "graph": "p = a b; root = p b", "calls": 2},
            {"leaves": "ab", "graph": "p = a b; q = p; root = q b", "freed before": ["p"], "calls": 1},
            {"leaves": ["root"], "graph": "p = root", "calls": 1},
            {"leaves": "a", "graph": "root = a", "calls": 1, "deep": DEEP},
        ]

    def observe(learner, x, given):
        return given(learner, x)

    def line(self, x):
        if "deep" in x:
            return None
        made = ['node = lambda *parents: type("Node", (), {"op": "", "parents": parents, "saved": {}, "grad": 1.0})()']
        made += [f"{name} = node()" for name in x["leaves"]]
        for step in x["graph"].split("; "):
            name, _, *parents = step.split()
            made.append(f"{name} = node({', '.join(parents)})")
        made += [f"{name}.saved = None" for name in x.get("freed before", [])]
        return "; ".join([*made, ", ".join(["m.release_graph(root)"] * x["calls"])])

    def judge(self, x, got):
        parents = {name: [] for name in x["leaves"]}
        for step in x["graph"].split("; "):
            name, _, *names = step.split()
            parents[name] = [None if each == "None" else each for each in names]
        behind, waiting = {}, ["root"]
        while waiting:
            name = waiting.pop()
            behind[name] = True
            waiting.extend(each for each in parents[name] if each is not None)
        inner = [name for name in parents if name in behind and parents[name]]
        wanted = len([name for name in inner if name not in x.get("freed before", [])]) + x.get("deep", 0)
        return (
            self.wrong_leaves(x, got)
            or self.wrong_inner(parents, inner, got, "deep" in x)
            or self.wrong_places(got)
            or with_hint(self.wrong_count(got["returned"], [wanted] + [0] * (x["calls"] - 1)), 4)
        )

    def wrong_leaves(self, x, got):
        for name in x["leaves"]:
            if got["grad"][name] is None:
                return Wrong(
                    "{name} is a leaf, and its grad is gone: that is what the training waits for",
                    name=name,
                    expected=f"{name}.grad",
                    got="None",
                    hint=1,
                )
            if got["saved"][name] is None:
                return Wrong("{name} is a leaf and has been freed: a leaf keeps everything", name=name, hint=1)
        return None

    def wrong_inner(self, parents, inner, got, deep):
        for name in inner:
            if got["saved"][name] == "gone":
                return Wrong(
                    "{name} has no attribute saved any more: it stays, and None says that the node has been freed",
                    name=name,
                    expected=f"{name}.saved = None",
                    got=f"del {name}.saved",
                    hint=2,
                )
            if got["saved"][name] is not None:
                return Wrong(
                    "{name}.saved is still a dict: None alone says that the node has been freed",
                    name=name,
                    expected="None",
                    got=got["saved"][name],
                    hint=2,
                )
            if got["grad"][name] is not None:
                return Wrong(
                    "{name}.grad is still there: an inner node needs it no more",
                    name=name,
                    expected="None",
                    got=f"{name}.grad",
                    hint=2,
                )
            if got["parents"][name] != parents[name] and not (deep and name == "root"):
                return Wrong(
                    "{name}.parents is not what it was: the places of the graph stay, only what they keep goes",
                    name=name,
                    expected=parents[name],
                    got=got["parents"][name],
                    hint=3,
                )
        return None

    def wrong_places(self, got):
        if got["places"]:
            return None
        return Wrong("op or shape of a node is not what it was: only saved and grad go", hint=3)

    def wrong_count(self, returned, want):
        for call, (got, number) in enumerate(zip(returned, want), 1):
            again = Message("the result of call {call}", call=call)
            wrong = same_value(got, number, again)
            if wrong:
                return wrong
        return None
