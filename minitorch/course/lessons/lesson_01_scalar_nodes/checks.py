"""How `add`, `mul` and `pow` of lesson 01 are judged.

The learner's operators run on the learner's own `Value`, which is given up to the operators. What comes back is the
node that came out as it is: its number, its parents by name, its local gradients, and of what type they are.
"""

from minitorch.course.judging.checks import But, Message, Wrong, exercise, first_wrong, same_number, with_hint

DATA = "out.data"
KEEP_OPERANDS = Message("Work the number out, and hand it to a new Value: return Value(number, ...).")


def observe_operation(learner, x):
    """Run `x["code"]` on one Value for each number of `x`, and send what came out as it is."""
    values = {name: learner.Value(number) for name, number in x.items() if name != "code"}
    names = {id(value): name for name, value in values.items()}

    def seen(thing):
        """An operand by its name, another Value in a list, a number as a float, anything else as it is."""
        if isinstance(thing, learner.Value):
            return names.get(id(thing)) or [seen(thing.data)]
        is_number = isinstance(thing, (int, float)) and not isinstance(thing, bool)  # np.float64 is a float, too
        return float(thing) if is_number else thing

    def entries(things):
        return [seen(each) for each in things] if isinstance(things, (tuple, list, set, frozenset, dict)) else []

    try:
        out = eval(x["code"], {}, dict(values))  # noqa: S307 - the text is this file's own
    except ZeroDivisionError:
        if x != {"x": 0.0, "code": "x ** 0"}:
            raise
        return {"type": "Value", "divided": True}
    if not isinstance(out, learner.Value):
        return {"type": type(out).__name__, "value": seen(out)}
    operands = [seen(value.data) for value in values.values()]
    their_parents = sum(len(value._prev) for value in values.values())
    their_grads = sum(value.grad is not None for value in values.values())
    theirs = {"their parents": their_parents, "their grads": their_grads}
    if id(out) in names:
        return {"type": "Value", "itself": names[id(out)], "operands": operands} | theirs
    return {
        "type": "Value",
        "itself": "",
        "data": seen(out.data),
        "prev type": type(out._prev).__name__,
        "prev": entries(out._prev),
        "local type": type(out._local_grads).__name__,
        "local": entries(out._local_grads),
        "op": out._op,
        "operands": operands,
        **theirs,
    }


def line_of_operation(x):
    """The case as statements: its Values, and everything that the result holds."""
    names = [name for name in x if name != "code"]
    values = ", ".join(f"m.Value({x[name]!r})" for name in names)
    return f"{', '.join(names)} = {values}; vars({x['code']})"


def judge_operation(x, got, data, slopes, sign, hints, places=None):
    """Say what is wrong with a node.

    slopes: how fast its number grows with each operand, by name. hints: by number, what helps with a wrong local
    gradient ("slope") and with a plain number that became a node ("constant"); the third one is about the form.
    places: in how many places of `_prev` each operand stands, where the exercise says so.
    """
    code = x["code"]
    if got["type"] != "Value":
        return no_node(code, got["type"], got["value"])
    changed = _changed_operands(x, got)
    if changed is not None:
        return changed
    return (
        first_wrong(
            same_number(got["data"], data, DATA),
            _no_tuple(code, "_prev", got["prev type"]),
            _no_tuple(code, "_local_grads", got["local type"]),
            _wrong_parents(x, got["prev"], list(slopes), hints),
            _wrong_slopes(code, got, slopes, hints),
            _wrong_places(code, got["prev"], places or {}),
        )
        or _remark_on_lists(got)
        or _remark_on_sign(code, got["op"], sign)
    )


def no_node(code, kind, value):
    """Say that an operation gave something else than a Value."""
    if kind == "NoneType":
        return Wrong(
            "the operation {code} gave None: is a `return` missing?", code=code, expected="Value", got="None", hint=3
        )
    if kind in ("tuple", "list", "dict", "set"):
        return Wrong(
            "the operation {code} gave a {kind}, not one Value: return Value(...) and nothing around it",
            code=code,
            kind=kind,
            expected="Value",
            got=value,
            hint=3,
        )
    return Wrong(
        "the operation {code} gave no Value: return Value(...) with the number in it",
        code=code,
        expected="Value",
        got=value,
        hint=3,
    )


def _changed_operands(x, got):
    code, before = x["code"], [number for name, number in x.items() if name != "code"]
    if got["their grads"]:
        return Wrong(
            "the operation {code} wrote into the grad of an operand: only backward does that",
            code=code,
            hint=KEEP_OPERANDS,
        )
    if got["operands"] == before and not got["their parents"]:
        if not got["itself"]:
            return None
        return Wrong(
            "the operation {code} gave back its operand {itself} itself: make a new Value",
            code=code,
            itself=got["itself"],
            hint=KEEP_OPERANDS,
        )
    return Wrong(
        "the operation {code} changed one of its operands: leave them as they are and make a new Value",
        code=code,
        expected=before,
        got=got["operands"],
        hint=KEEP_OPERANDS,
    )


def _no_tuple(code, name, kind):
    if kind in ("tuple", "list"):
        return None
    if kind in ("set", "frozenset", "dict"):
        return Wrong(
            "the result of {code} has a {kind} as its {name}. Its order counts: write a tuple, (x, y)",
            code=code,
            kind=kind,
            name=name,
            expected="tuple",
            got=kind,
            hint=3,
        )
    if kind in ("Value", "int", "float"):
        return Wrong(
            "the result of {code} has a {name} that is no tuple; brackets alone make none: (x,)",
            code=code,
            name=name,
            expected="tuple",
            got=kind,
            hint=3,
        )
    return Wrong(
        "the result of {code} has a {name} of type {kind}, not a tuple: number, parents, sign, gradients",
        code=code,
        name=name,
        kind=kind,
        expected="tuple",
        got=kind,
        hint=3,
    )


def _wrong_parents(x, got, want, hints):
    """Each operand that is a Value must be a parent; nothing else may be."""
    code = x["code"]
    if all(isinstance(each, str) for each in got) and set(got) == set(want):
        return None
    shown = {"expected": _shown(want), "got": _shown(got)}
    numbers = [each for each in got if isinstance(each, float)]
    if not got:
        return Wrong(
            "the result of {code} knows no parents: they are the second argument of Value", code=code, **shown, hint=3
        )
    if numbers and any(isinstance(each, str) for each in got):
        number = _shown_number(numbers[0])
        return Wrong(
            "{number} is among the parents of {code}, but it is a plain number: only Values are parents",
            number=number,
            code=code,
            **shown,
            hint=hints["constant"],
        )
    if numbers:
        return Wrong(
            "the parents of {code} are plain numbers: hand over the Values themselves", code=code, **shown, hint=3
        )
    strangers = [each[0] for each in got if isinstance(each, list)]
    constants = [float(side) for side in code.split()[::2] if side not in x]
    if strangers and set(strangers) <= set(constants) and set(want) <= {each for each in got if isinstance(each, str)}:
        return Wrong(
            "{constants} became a node and a parent of {code}: plain numbers make no nodes",
            constants=_shown_number(constants[0]),
            code=code,
            **shown,
            hint=hints["constant"],
        )
    if strangers:
        return Wrong(
            "the result of {code} has other parents than its operands: hand over the operands themselves",
            code=code,
            **shown,
            hint=3,
        )
    missing = next((name for name in want if name not in got), None)
    if missing is not None:
        return Wrong("{missing} is missing among the parents of {code}", missing=missing, code=code, **shown, hint=3)
    return Wrong("the parents of {code} are not its operands", code=code, **shown)


def _shown(parents):
    """Parents as a tuple reads: names, numbers, and Values that are no operands."""
    texts = [f"Value({each[0]})" if isinstance(each, list) else str(each) for each in parents]
    return f"({', '.join(texts)}{',' if len(texts) == 1 else ''})"


def _shown_number(number):
    return f"{number:g}"


def _wrong_slopes(code, got, slopes, hints):
    """The local gradients of one parent's places are added: x * x may list x once or twice."""
    parents, local = got["prev"], got["local"]
    if len(parents) != len(local):
        return Wrong(
            "each parent needs one local gradient: parents {parents}, local gradients {local}",
            parents=len(parents),
            local=len(local),
            expected=len(parents),
            got=len(local),
            hint=3,
        )
    for number in local:
        wrong = same_number(number, number, Message("a local gradient"))
        if wrong:
            named = number if isinstance(number, str) else "Value"
            kind = Message("A local gradient is a number. {named} is a Value: its number is {named}.data.", named=named)
            if isinstance(number, (str, list)):
                return Wrong("a local gradient is a Value, not a plain number", got=_shown(local), hint=kind)
            return Wrong(wrong.reason, got=wrong.got, hint=3)
    for name, slope in slopes.items():
        places = [number for parent, number in zip(parents, local, strict=True) if parent == name]
        wrong = same_number(sum(places), slope, Message("the local gradient for {name}", name=name))
        if wrong and len(places) > 1:
            return Wrong(
                "in {code} the parent {name} stands in two places, and the sum of its local gradients is wrong",
                code=code,
                name=name,
                expected=_shown([slope / len(places)] * len(places)),
                got=_shown(places),
                hint=hints["slope"],
            )
        if wrong:
            return with_hint(wrong, hints["slope"])
    return None


def _wrong_places(code, got, places):
    """What grows as it should may still stand in too few places, or in too many."""
    for name, count in places.items():
        if got.count(name) == count:
            continue
        there = {1: Message("one place")}.get(count, Message("{count} places", count=count))
        return Wrong(
            "in {code} the Value {name} stands in {there}, and its _prev must say so",
            code=code,
            name=name,
            there=there,
            expected=_shown([name] * count),
            got=_shown(got),
            hint=3,
        )
    return None


def _remark_on_lists(got):
    lists = [
        name for name, kind in (("_prev", got["prev type"]), ("_local_grads", got["local type"])) if kind == "list"
    ]
    if not lists:
        return None
    return But(
        "{lists} is a list. A tuple, (x, y), is safer: nobody can add to it or take from it later", lists=lists[0]
    )


def _remark_on_sign(code, got, want):
    if type(got) is str and got == want:
        return None
    return But('_op is not "{want}": the picture of {code} would not show its sign', want=want, code=code)


def sides(x):
    """The numbers to the left and to the right of the sign in `x["code"]`."""
    left, _, right = x["code"].split()
    return tuple(x[side] if side in x else float(side) for side in (left, right))


def drawn(rng, how_many):
    """Numbers that are neither round nor near zero."""
    sizes = rng.uniform(0.5, 5.0, size=how_many) * rng.choice([-1.0, 1.0], size=how_many)
    return [round(float(number), 3) for number in sizes]


@exercise("add")
class Add:
    """The sum's number, its parents, and 1 as each local gradient; numbers beside Values make no node."""

    in_order = True

    def inputs(self, rng):
        a, b, c = drawn(rng, 3)
        return [
            {"a": 2.0, "b": -3.0, "code": "a + b"},
            {"a": 2.0, "code": "a + 10"},
            {"a": 3.0, "code": "a + a"},
            {"a": a, "b": b, "code": "a + b"},
            {"a": c, "code": "a + 1000.0"},
            {"a": 0.0, "code": "a + -0.5"},
            {"a": 4.0, "code": "a + 0"},
            {"a": 1.5, "b": 1.5, "code": "a + b"},
            {"a": 1e200, "b": -1e-200, "code": "a + b"},
        ]

    observe = observe_operation

    def line(self, x):
        return line_of_operation(x)

    def judge(self, x, got):
        a, b = sides(x)
        slopes = {"a": 2.0} if x["code"] == "a + a" else {name: 1.0 for name in "ab" if name in x}
        return judge_operation(x, got, a + b, slopes, "+", {"slope": 1, "constant": 2})


@exercise("mul")
class Mul:
    """The product's number, its parents, and the other factor as each local gradient."""

    in_order = True

    def inputs(self, rng):
        a, b, c = drawn(rng, 3)
        return [
            {"a": 2.0, "b": -3.0, "code": "a * b"},
            {"a": 2.0, "code": "a * 10"},
            {"a": 3.0, "code": "a * a"},
            {"a": a, "b": b, "code": "a * b"},
            {"a": c, "code": "a * -0.5"},
            {"a": 0.0, "b": 4.0, "code": "a * b"},
            {"a": 0.0, "code": "a * -0.5"},
            {"a": 4.0, "code": "a * 1"},
            {"a": 1.5, "b": 1.5, "code": "a * b"},
            {"a": c, "code": "a * 0"},
            {"a": 1e150, "b": -1e-150, "code": "a * b"},
        ]

    observe = observe_operation

    def line(self, x):
        return line_of_operation(x)

    def judge(self, x, got):
        a, b = sides(x)
        slopes = (
            {"a": 2.0 * a}
            if x["code"] == "a * a"
            else {name: slope for name, slope in (("a", b), ("b", a)) if name in x}
        )
        places = {"a": 2} if x["code"] == "a * a" else None
        return judge_operation(x, got, a * b, slopes, "*", {"slope": 2, "constant": 3}, places)


AT_ZERO = {"x": 0.0, "code": "x ** 0"}


def _remark_on_zero(got):
    what = Message("divides by zero there") if "divided" in got else Message("says something else there")
    return But(
        "x ** 0 is 1 also at x = 0, and its local gradient is 0. Your rule {what}: n == 0 needs a case of its own",
        what=what,
    )


@exercise("pow")
class Pow:
    """The power's number, one parent, and n · x to the power n - 1, for whole, negative and fractional n."""

    in_order = True

    def inputs(self, rng):
        a = abs(drawn(rng, 1)[0])
        cases = [(3.0, 2), (2.0, 3), (-2.0, 3), (-3.0, 2), (4.0, 0.5), (2.0, -1), (a, 2.5)]
        cases += [(5.0, 1), (4.0, 0), (0.0, 2), (0.0, 1), (0.0, 0)]
        return [{"x": x, "code": f"x ** {n}"} for x, n in cases]

    observe = observe_operation

    def line(self, x):
        return line_of_operation(x)

    def compared(self, x, got):
        """0 to the power 0 is remarked on, and tells no mistakes apart."""
        return {} if x == AT_ZERO else got

    def judge(self, x, got):
        base, n = sides(x)
        if x == AT_ZERO:
            return None if got.get("local") == [0.0] else _remark_on_zero(got)
        slopes = {"x": n * base ** (n - 1.0)}
        return judge_operation(x, got, base**n, slopes, "**", {"slope": 1, "constant": 2}, {"x": 1})
