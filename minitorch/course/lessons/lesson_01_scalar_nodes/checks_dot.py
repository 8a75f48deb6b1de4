"""How `dot` of lesson 01 is judged: many products and their sum as one node, whose parents may stand in any order."""

from minitorch.course.judging.checks import But, Message, Wrong, exercise, same_number, with_hint


@exercise("dot")
class Dot:
    """The sum of the products, every Value of both lists as a parent, and its partner's number as its slope."""

    in_order = True

    def inputs(self, rng):
        sizes = rng.uniform(0.5, 5.0, size=6) * rng.choice([-1.0, 1.0], size=6)
        a, b, c, d, e, f = (round(float(number), 3) for number in sizes)
        four = {"a": 2.0, "b": -3.0, "c": 4.0, "d": 0.5}
        six = {"a": a, "b": b, "c": c, "d": d, "e": e, "f": f}
        return [
            {"a": 2.0, "b": -3.0, "left": ["a"], "right": ["b"]},
            four | {"left": ["a", "b"], "right": ["c", "d"]},
            six | {"left": ["a", "b", "c"], "right": ["d", "e", "f"]},
            four | {"left": ["a", "b"], "right": ["c", "c"]},
            {"a": 3.0, "b": -2.0, "left": ["a", "b"], "right": ["a", "b"]},
            {"a": 3.0, "b": -2.0, "left": ["a", "b"], "right": ["b", "a"]},
            {"a": 0.0, "b": 4.0, "c": 5.0, "d": 0.0, "left": ["a", "b"], "right": ["c", "d"]},
        ]

    def observe(learner, x):
        values = {name: learner.Value(number) for name, number in x.items() if name not in ("left", "right")}
        names = {id(value): name for name, value in values.items()}

        def seen(thing):
            """An operand by its name, another Value in a list, a number as a float, anything else by its type."""
            if isinstance(thing, learner.Value):
                return names.get(id(thing)) or [seen(thing.data)]
            is_number = isinstance(thing, (int, float)) and not isinstance(thing, bool)  # np.float64 is a float, too
            return float(thing) if is_number else {"type": type(thing).__name__}

        def entries(things):
            return [seen(each) for each in things] if isinstance(things, (tuple, list)) else []

        out = learner.dot([values[name] for name in x["left"]], [values[name] for name in x["right"]])
        if not isinstance(out, learner.Value):
            return {"type": type(out).__name__, "value": seen(out)}
        return {
            "type": "Value",
            "data": seen(out.data),
            "types": [type(out._prev).__name__, type(out._local_grads).__name__],
            "prev": entries(out._prev),
            "local": entries(out._local_grads),
            "operands": [seen(value.data) for value in values.values()],
        }

    def line(self, x):
        names = [name for name in x if name not in ("left", "right")]
        values = ", ".join(f"m.Value({x[name]!r})" for name in names)
        return f"{', '.join(names)} = {values}; vars(m.dot([{', '.join(x['left'])}], [{', '.join(x['right'])}]))"

    def compared(self, x, got):
        """The same for every order of the parents, as long as each keeps its local gradient."""
        if got["type"] != "Value" or len(got["prev"]) != len(got["local"]):
            return got
        pairs = sorted(zip(got["prev"], got["local"], strict=True), key=repr)
        return {name: fact for name, fact in got.items() if name not in ("prev", "local")} | {"pairs": pairs}

    def judge(self, x, got):
        if got["type"] != "Value":
            return _no_node(got["type"], got["value"])
        before = [number for name, number in x.items() if name not in ("left", "right")]
        if got["operands"] != before:
            return Wrong(
                "dot changed one of its operands: leave them as they are and make a new Value",
                expected=before,
                got=got["operands"],
                hint=3,
            )
        pairs = list(zip(x["left"], x["right"], strict=True))
        return (
            with_hint(same_number(got["data"], sum(x[a] * x[b] for a, b in pairs), "out.data"), 1)
            or _wrong_form(got["types"])
            or _wrong_parents([*x["left"], *x["right"]], got["prev"])
            or _wrong_slopes(x, pairs, got)
            or _remark_on_lists(got["types"])
        )


def _no_node(kind, value):
    if kind == "NoneType":
        return Wrong("dot gave None: is a `return` missing?", expected="Value", got="None", hint=3)
    return Wrong(
        "dot gave a {kind}, no Value: return one Value(...) with the number in it",
        kind=kind,
        expected="Value",
        got=value if isinstance(value, float) else kind,
        hint=3,
    )


def _wrong_form(types):
    for name, kind in zip(("_prev", "_local_grads"), types, strict=True):
        if kind not in ("tuple", "list"):
            return Wrong(
                "{name} of the result is of type {kind}; it must be a tuple with an entry for each place",
                name=name,
                kind=kind,
                expected="tuple",
                got=kind,
                hint=3,
            )
    return None


def _wrong_parents(want, got):
    if sorted(map(repr, got)) == sorted(map(repr, want)):
        return None
    shown = {"expected": ", ".join(want), "got": ", ".join(map(_name, got))}
    if any(isinstance(each, list) for each in got):
        return Wrong(
            "between the operands and the result of dot there are other nodes: it must be one node", **shown, hint=2
        )
    if any(not isinstance(each, str) for each in got):
        return Wrong("among the parents of the result there is something that is no Value", **shown, hint=2)
    return Wrong(
        "the parents must be all Values of both lists, an entry for each place where one stands", **shown, hint=2
    )


def _wrong_slopes(x, pairs, got):
    parents, local = got["prev"], got["local"]
    if not all(isinstance(parent, str) for parent in parents):
        return None  # what stands there instead is said of the parents
    if len(parents) != len(local):
        return Wrong(
            "each parent needs one local gradient: parents {parents}, local gradients {local}",
            parents=len(parents),
            local=len(local),
            expected=len(parents),
            got=len(local),
            hint=2,
        )
    if any(not isinstance(number, float) for number in local):
        return Wrong(
            "a local gradient is no plain number: take the .data of the partner",
            got=", ".join(map(_name, local)),
            hint=3,
        )
    for name in dict.fromkeys(parents):
        slope = sum(x[b] for a, b in pairs if a == name) + sum(x[a] for a, b in pairs if b == name)
        places = sum(number for parent, number in zip(parents, local, strict=True) if parent == name)
        wrong = same_number(places, slope, Message("how fast out grows with {name}", name=name))
        if wrong:
            return with_hint(wrong, 1)
    return None


def _name(thing):
    """A parent as it reads: an operand's name, another Value, a number, or the type of something else."""
    if isinstance(thing, dict):
        return thing["type"]
    return f"Value({thing[0]})" if isinstance(thing, list) else str(thing)


def _remark_on_lists(types):
    if "list" not in types:
        return None
    name = "_prev" if types[0] == "list" else "_local_grads"
    return But("{name} is a list. A tuple, (x, y), is safer: nobody can add to it or take from it later", name=name)
