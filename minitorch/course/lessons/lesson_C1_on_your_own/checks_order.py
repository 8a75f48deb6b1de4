"""How `order_by_hand` of checkpoint C1 is judged: the names, their order, and the gradient beside each.

The cases look at one answer three times. What is wanted is worked out from the graph, so every right order passes; and
nothing that is wanted is shown, for whoever has it shown need not work it out.
"""

from minitorch.course.judging.checks import Message, Wrong, exercise

LEAVES = {"x": -1.0, "y": 2.0}
MADE = {  # each node with what it was made from
    "a": ("d", "*", "y"),
    "b": ("x", "+", "d"),
    "c": ("f", "+", "a"),
    "d": ("x", "*", "y"),
    "f": ("b", "*", "b"),
    "root": ("c", "*", "b"),
}
NAMES = (*MADE, *LEAVES)


def parents(name):
    """What a node was made from: one name for each place."""
    return MADE[name][::2] if name in MADE else ()


def children(name):
    """The nodes that were made from a node."""
    return [each for each in NAMES if name in parents(each)]


def numbers():
    """The number in each node."""
    found = dict(LEAVES)
    while len(found) < len(NAMES):
        for name, (left, sign, right) in MADE.items():
            if left in found and right in found:
                found[name] = found[left] + found[right] if sign == "+" else found[left] * found[right]
    return found


def gradients():
    """The gradient of root with respect to each node: over all its places, the local gradient times the child's."""
    data, found = numbers(), {"root": 1.0}

    def local(child, place):
        return 1.0 if MADE[child][1] == "+" else data[parents(child)[1 - place]]

    while len(found) < len(NAMES):
        for name in NAMES:
            if name not in found and all(child in found for child in children(name)):
                found[name] = sum(
                    local(child, place) * found[child]
                    for child in children(name)
                    for place, parent in enumerate(parents(child))
                    if parent == name
                )
    return found


def too_early(order):
    """The first node that stands before a node made from it, and that node; or None."""
    for place, name in enumerate(order):
        late = [child for child in children(name) if child in order[place + 1 :]]
        if late:
            return name, late[0]
    return None


def kind_of(order):
    """What kind of order a list of names is: right, or in which way it is wrong."""
    if too_early(order) is None:
        return "right"
    if too_early(order[::-1]) is None:
        return "forward"
    if order == by_levels(order):
        return "by levels"
    if order in (along_paths(order, 1), along_paths(order, -1)):
        return "along paths"
    return "too early"


def by_levels(order):
    """The same names by their shortest way to root; names at one level stay as they are."""
    level, reached = {"root": 0}, ["root"]
    for name in reached:
        for parent in parents(name):
            if parent not in level:
                level[parent] = level[name] + 1
                reached.append(parent)
    return sorted(order, key=lambda name: level[name])


def along_paths(order, step):
    """The same names as a walk meets them that follows each path to its end; step: first parents first, or last."""
    met, stack = [], ["root"]
    while stack:
        name = stack.pop()
        if name not in met:
            met.append(name)
            stack.extend(parents(name)[::-step])
    return [name for name in met if name in order]


def observe_visits(learner, x):
    """Call order_by_hand, and send what came back: pairs as lists, anything else by its type."""

    def seen(thing):
        is_number = isinstance(thing, (int, float)) and not isinstance(thing, bool)  # np.float64 is a float, too
        return float(thing) if is_number else str(thing) if isinstance(thing, str) else f"a {type(thing).__name__}"

    visits = learner.order_by_hand()
    if not isinstance(visits, (list, tuple)):
        return {"type": type(visits).__name__, "visits": []}
    pairs = [[seen(part) for part in each] if isinstance(each, (list, tuple)) else seen(each) for each in visits]
    return {"type": "list", "visits": pairs}


@exercise("order_by_hand", limit_s=2)
class OrderByHand:
    """Every node once; each after all that were made from it; beside each its gradient, in any right order."""

    in_order = True

    def inputs(self, rng):
        return ["the names", "their order", "the gradients"]

    observe = observe_visits

    def line(self, x):
        return "m.order_by_hand()"

    def compared(self, x, got):
        """The same for all answers with one mistake: the kind of an order, who is missing, who is there twice."""
        if _wrong_form(got) is not None:
            return {"type": got["type"], "entries": sorted({_form(each) for each in got["visits"]})}
        order = [name for name, _ in got["visits"]]
        if x == "the names":
            missing = [name for name in NAMES if name not in order]
            leaves = "leaves" if set(missing) == set(LEAVES) else ", ".join(missing)
            return {"missing": leaves, "twice": len(set(order)) < len(order), "strangers": set(order) <= set(NAMES)}
        if x == "their order":
            return {"kind": kind_of(_known(order))}
        return dict(got["visits"])

    def judge(self, x, got):
        wrong = _wrong_form(got)
        if wrong is not None:
            return wrong
        order = [name for name, _ in got["visits"]]
        if x == "the names":
            return _wrong_names(order)
        if x == "their order":
            return _wrong_order(_known(order))
        return _wrong_gradients(got["visits"])


def _known(order):
    """The names of the graph, each where it stands first."""
    return [name for name in dict.fromkeys(order) if name in NAMES]


def _form(entry):
    if not isinstance(entry, list):
        return "name" if entry in NAMES else "text" if isinstance(entry, str) else "number"
    return "-".join("text" if isinstance(part, str) else "number" for part in entry)


def _wrong_form(got):
    """What is wrong with the form: it must be a list of pairs, a name and a number each."""
    pairs = Message('a list of pairs: [("root", 1), ...]')
    if got["type"] == "NoneType":
        return Wrong("order_by_hand returned None: is a `return` missing?")
    if got["type"] != "list":
        return Wrong("order_by_hand returned a {type}; it must return {pairs}", type=got["type"], pairs=pairs)
    if not got["visits"]:
        return Wrong("the list is empty: no node is visited")
    for each in got["visits"]:
        if _form(each) == "number-text":
            return Wrong("in a pair the name comes first, then the gradient")
        if _form(each) != "text-number":
            return Wrong("not every entry is a name with a number; it must be {pairs}", pairs=pairs)
    return None


def _wrong_names(order):
    for name in order:
        if name not in NAMES:
            return Wrong("the graph has no node {name}", name=repr(name))
    for name in NAMES:
        if order.count(name) > 1:
            return Wrong(
                "{name} is visited {name2} times; backward visits each node once",
                name=name,
                name2=order.count(name),
                got=", ".join(order),
            )
    missing = [name for name in NAMES if name not in order]
    if missing:
        return Wrong("{missing} is never visited; backward visits every node", missing=missing[0], got=", ".join(order))
    return None


def _wrong_order(order):
    early = too_early(order)
    if early is None:
        return None
    name, child = early
    return Wrong(
        "{name} is visited before {child}, which was made from it: its gradient was not complete yet",
        name=name,
        child=child,
        got=", ".join(order),
    )


def _wrong_gradients(visits):
    """The node nearest to root whose gradient is wrong; which number is right is not said."""
    want, told = gradients(), dict(reversed(visits))
    wrong = [name for name in want if name in told and abs(told[name] - want[name]) > 1e-6]  # children first
    if not wrong:
        return None
    name, shown = wrong[0], ", ".join(f"{each} {gradient:g}" for each, gradient in visits)
    said = Message("the gradient of {name} is not {told}", name=name, told=f"{told[name]:g}")
    if name == "root":
        return Wrong("{said}: how fast does root grow with root itself?", said=said, got=shown)
    if all(child in told for child in children(name)):
        return Wrong("{said}; the nodes made from it have the right ones", said=said, got=shown)
    return Wrong(said, got=shown)
