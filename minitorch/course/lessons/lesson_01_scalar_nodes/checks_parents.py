"""How `reflected` and `local_grads` of lesson 01 are judged: what a result grows with, and how fast."""

from minitorch.course.judging.checks import Message, Wrong, exercise, first_wrong, same_number, with_hint


def drawn(rng, how_many):
    """Numbers that are neither round nor near zero."""
    sizes = rng.uniform(0.5, 5.0, size=how_many) * rng.choice([-1.0, 1.0], size=how_many)
    return [round(float(number), 3) for number in sizes]


@exercise("reflected")
class ReflectedOperators:
    """2 + v, 2 * v and 2 - v: the number, no leaf but v, and how fast the result grows with v."""

    in_order = True

    def inputs(self, rng):
        (drawn_one,) = drawn(rng, 1)
        cases = [("2 + v", 3.0), ("2 * v", 3.0), ("2 - v", 3.0), ("0.5 + v", -1.0), ("2 - v", drawn_one)]
        cases += [("-3 * v", 0.0), ("0 - v", 1e200)]
        return [{"v": v, "code": code} for code, v in cases]

    def observe(learner, x):
        def plain(number):
            is_number = isinstance(number, (int, float)) and not isinstance(number, bool)  # np.float64 is a float, too
            return float(number) if is_number else number

        def is_a_stub(code):
            try:
                eval(code, {}, {"v": learner.Value(x["v"])})  # noqa: S307 - the text is this file's own
            except Exception as error:  # noqa: BLE001 - any other exception comes from something that was written
                trace = error.__traceback__
                while trace.tb_next is not None:
                    trace = trace.tb_next
                return isinstance(error, NotImplementedError) and "Reflected." in trace.tb_frame.f_code.co_qualname
            return False

        if not issubclass(learner.Value, learner.Reflected) and not hasattr(learner.Value, "__radd__"):
            return {"inherited": False}
        if is_a_stub(x["code"]):
            stubs = [code for code in ("2 + v", "2 * v", "2 - v") if is_a_stub(code)]
            if len(stubs) < 3:
                return {"still to write": stubs}
        v = learner.Value(x["v"])
        out = eval(x["code"], {}, {"v": v})  # noqa: S307 - the text is this file's own
        if not isinstance(out, learner.Value):
            return {"type": type(out).__name__, "value": plain(out)}
        if out is v or plain(v.data) != x["v"]:
            return {"type": "Value", "itself": out is v, "v": plain(v.data)}
        nodes, at = [out], 0
        while at < len(nodes) < 50:
            nodes += [parent for parent in nodes[at]._prev if not any(parent is node for node in nodes)]
            at += 1
        places = {id(node): place for place, node in enumerate(nodes)}
        return {
            "type": "Value",
            "data": plain(out.data),
            "itself": False,
            "v": plain(v.data),
            "numbers": [plain(node.data) for node in nodes],
            "parents": [[places[id(parent)] for parent in node._prev] for node in nodes],
            "local": [[plain(number) for number in node._local_grads] for node in nodes],
            "place of v": places.get(id(v), -1),
        }

    def line(self, x):
        return f"v = m.Value({x['v']!r}); vars({x['code']})"

    def judge(self, x, got):
        code = x["code"]
        if "inherited" in got:
            return Wrong("Value does not inherit from Reflected any more: write class Value(Reflected)")
        if "still to write" in got:
            rest = ", ".join(got["still to write"])
            return Wrong("a part is written; still to write: {rest}", rest=rest)
        if got["type"] != "Value":
            return _no_node(code, got["type"], got["value"])
        if got["itself"] or got["v"] != x["v"]:
            return Wrong(
                "the operation {code} changed v: leave it as it is and make a new Value"
                if got["v"] != x["v"]
                else "the operation {code} gave back v itself: the result is a new Value",
                code=code,
                expected=x["v"],
                got=got["v"],
                hint=3,
            )
        left, sign, _ = code.split()
        number, v = float(left), x["v"]
        data, slope = {"+": (number + v, 1.0), "-": (number - v, -1.0), "*": (number * v, number)}[sign]
        slope_of_v = slope_along_all_paths(got["parents"], got["local"], got["place of v"])
        return first_wrong(
            with_hint(same_number(got["data"], data, "out.data"), 1),
            _other_leaves(code, got),
            with_hint(same_number(slope_of_v, slope, Message("the growth with v")), 1),
        )


def slope_along_all_paths(parents, local, place_of_v):
    """How fast node 0 grows with v: over every path to v, the product of its local gradients.

    Each round reaches one edge further away from v, so as many rounds as nodes reach everything.
    """
    slopes = [0.0] * len(parents)
    for _ in parents:
        slopes = [
            1.0 if node == place_of_v else sum(n * slopes[at] for at, n in zip(parents[node], local[node], strict=True))
            for node in range(len(parents))
        ]
    return slopes[0]


def _no_node(code, kind, value):
    if kind == "NoneType":
        return Wrong(
            "the operation {code} gave None: is a `return` missing?", code=code, expected="Value", got="None", hint=3
        )
    return Wrong(
        "the operation {code} gave no Value: compute with self, not with self.data",
        code=code,
        expected="Value",
        got=value,
        hint=3,
    )


def _other_leaves(code, got):
    """What the result was made from must be v alone."""
    others = [
        number
        for place, (number, parents) in enumerate(zip(got["numbers"], got["parents"], strict=True))
        if not parents and place != got["place of v"]
    ]
    if got["place of v"] < 0:
        return Wrong(
            "the result of {code} does not know v: it must be made of v with your operators",
            code=code,
            expected="v",
            got=", ".join(f"Value({number})" for number in others),
            hint=3,
        )
    if not others:
        return None
    return Wrong(
        "the result of {code} has a leaf besides v: the plain number must not become a node",
        code=code,
        expected="v",
        got=", ".join(["v", *(f"Value({number})" for number in others)]),
        hint=3,
    )


# -------------------------------------------------------------------------------------------------- local_grads

MOST_NUMBERS = 1e6  # larger than any number in a case, and smaller than any id


@exercise("local_grads")
class LocalGrads:
    """The direct parents, each once, with the local gradients of all the places it stands in added up."""

    in_order = True

    def inputs(self, rng):
        g, h, k = drawn(rng, 3)
        numbers = {"a": 2.0, "b": -3.0, "c": 2.0}
        places = [
            ("ab", [-3.0, 2.0]),
            ("a", [10.0]),
            ("aa", [3.0, 3.0]),
            ("aba", [0.5, 4.0, 1.5]),
            ("aba", [g, h, k]),
            ("ac", [g, k]),
            ("", []),
        ]
        return [
            {name: numbers[name] for name in numbers if name in names} | {"_prev": list(names), "_local_grads": local}
            for names, local in places
        ]

    def observe(learner, x):
        def plain(number):
            is_number = isinstance(number, (int, float)) and not isinstance(number, bool)  # np.float64 is a float, too
            return float(number) if is_number else number

        d = learner.Value(7.0)
        made = {name: learner.Value(x[name], (d,), "*", (5.0,)) for name in dict.fromkeys(x["_prev"])}
        parents = tuple(made[name] for name in x["_prev"])
        out = learner.Value(1.5, parents, "?" if parents else "", tuple(x["_local_grads"]))
        result = learner.local_grads(out)
        names = {id(value): name for name, value in [*made.items(), ("d", d), ("out", out)]}
        if not isinstance(result, dict):
            entries = list(result) if isinstance(result, (list, tuple)) else []
            pairs = [list(each) if isinstance(each, (list, tuple)) else [each] for each in entries]
            seen = [[names.get(id(each)) or plain(each) for each in pair] for pair in pairs]
            return {"type": type(result).__name__, "entries": seen}
        keys = [names.get(id(key)) or [plain(key)] for key in result]
        return {
            "type": "dict",
            "numbers": {key: plain(number) for key, number in zip(keys, result.values()) if isinstance(key, str)},
            "other keys": [key[0] for key in keys if not isinstance(key, str)],
        }

    def line(self, x):
        names = list(dict.fromkeys(x["_prev"]))
        made = [f"{name} = m.Value({x[name]!r}, (d,), '*', (5.0,))" for name in names]
        prev = f"({', '.join(x['_prev'])}{',' if len(x['_prev']) == 1 else ''})"
        out = f"out = m.Value(1.5, {prev}, {'?' if names else ''!r}, {tuple(x['_local_grads'])!r})"
        return "; ".join(["d = m.Value(7.0)"] * bool(names) + [*made, out, "m.local_grads(out)"])

    def compared(self, x, got):
        """The same for every number that an id may be."""
        if "other keys" not in got:
            return got
        keys = ["an id" if isinstance(key, float) and key > MOST_NUMBERS else key for key in got["other keys"]]
        return got | {"other keys": keys}

    def judge(self, x, got):
        want = {}
        for name, number in zip(x["_prev"], x["_local_grads"], strict=True):
            want[name] = want.get(name, 0.0) + number
        if got["type"] != "dict":
            return _no_dict(got["type"], want)
        numbers, others = got["numbers"], got["other keys"]
        if others:
            return Wrong(
                "the keys of the dict must be the parents themselves, and there are others",
                expected=_shown(want),
                got=", ".join([*numbers, *(repr(key) for key in others)]),
                hint=2,
            )
        extra = next((name for name in numbers if name not in want), None)
        if extra is not None:
            whose = {"out": Message("is the node itself")}.get(extra, Message("is a parent of a parent"))
            return Wrong(
                "the dict has an entry for {extra}, which {whose}, not a direct parent of out",
                extra=extra,
                whose=whose,
                expected=_shown(want),
                got=_shown(numbers),
                hint=2,
            )
        missing = next((name for name in want if name not in numbers), None)
        if missing is not None:
            return Wrong(
                "the dict has no entry for {missing}, which is a parent of out",
                missing=missing,
                expected=_shown(want),
                got=_shown(numbers),
                hint=2,
            )
        return first_wrong(
            *(
                with_hint(
                    same_number(numbers[name], number, Message("the number for {name}", name=name)),
                    1 if x["_prev"].count(name) > 1 else 2,
                )
                for name, number in want.items()
            )
        )


def _no_dict(kind, want):
    if kind == "NoneType":
        return Wrong(
            "local_grads returned None here: is a `return` missing, or is it inside the loop?",
            expected=_shown(want),
            got="None",
            hint=3,
        )
    return Wrong(
        "local_grads returned a {kind}; the exercise asks for a dict {parent: number}",
        kind=kind,
        expected=_shown(want),
        got=kind,
        hint=3,
    )


def _shown(numbers):
    """A dict as it reads, with the names of the Values as keys."""
    return "{" + ", ".join(f"{name}: {number}" for name, number in numbers.items()) + "}"
