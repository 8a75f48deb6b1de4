"""How the answers of lesson 01 are judged.

The learner's operators run on the learner's own `Value`, which is given up to the operators. What comes back is a
description of the node that came out: its number, its parents by name, its local gradients.
"""

from minitorch.course.judging.checks import But, Wrong, exercise, first_wrong, same_number

DATA = ("out.data", "out.data")
STRANGER = "?"


def observe_operation(learner, x):
    """Run `x["code"]` on one Value for each other entry of `x`; describe the node that comes out."""

    def plain(number):
        is_number = isinstance(number, (int, float)) and not isinstance(number, bool)  # np.float64 is a float, too
        return float(number) if is_number else number

    values = {name: learner.Value(number) for name, number in x.items() if name != "code"}
    out = eval(x["code"], {}, dict(values))  # noqa: S307 - the text is this file's own
    if not isinstance(out, learner.Value):
        return {"no node": plain(out)}
    for attribute in ("_prev", "_local_grads"):
        if not isinstance(getattr(out, attribute), (tuple, list)):
            return {"no tuple": attribute, "type": type(getattr(out, attribute)).__name__}
    names = {id(value): name for name, value in values.items()}
    return {
        "data": plain(out.data),
        "itself": names.get(id(out), ""),
        "parents": [names.get(id(parent), "?") for parent in out._prev],
        "local": [plain(number) for number in out._local_grads],
        "sign": out._op,
        "operands": [plain(value.data) for value in values.values()],
        "their parents": sum(len(value._prev) for value in values.values()),
    }


def judge_operation(x, got, data, slopes, sign):
    """Say what is wrong with a described node; `slopes` is how fast its number grows with each operand, by name."""
    code = x["code"]
    if "no node" in got:
        return no_node(code, got["no node"])
    if "no tuple" in got:
        return Wrong(
            f"the result of {code} has a {got['no tuple']} that is no tuple; brackets alone make none: (x,)",
            f"el resultado de {code} tiene un {got['no tuple']} que no es tupla; los paréntesis solos no bastan: (x,)",
            expected="tuple",
            got=got["type"],
            hint=3,
        )
    before = [number for name, number in x.items() if name != "code"]
    if got["itself"] and got["operands"] == before:
        return Wrong(
            f"the operation {code} gave back its operand {got['itself']} itself: make a new Value",
            f"la operación {code} devolvió su propio operando {got['itself']}: crea un Value nuevo",
            hint=3,
        )
    if got["itself"] or got["operands"] != before or got["their parents"]:
        return Wrong(
            f"the operation {code} changed one of its operands: leave them as they are and make a new Value",
            f"la operación {code} cambió uno de sus operandos: déjalos como están y crea un Value nuevo",
            expected=before,
            got=got["operands"],
            hint=3,
        )
    return first_wrong(
        same_number(got["data"], data, DATA),
        _wrong_parents(code, got["parents"], list(slopes)),
        _wrong_slopes(got, slopes),
    ) or _remark_on_sign(code, got["sign"], sign)


def no_node(code, got):
    """Say that an operation gave something else than a Value."""
    if got is None:
        return Wrong(
            f"the operation {code} gave None: is a `return` missing?",
            f"la operación {code} dio None: ¿falta un `return`?",
            expected="Value",
            got="None",
            hint=3,
        )
    return Wrong(
        f"the operation {code} gave no Value: return Value(...) with the number in it",
        f"la operación {code} no dio un Value: devuelve Value(...) con el número dentro",
        expected="Value",
        got=got,
        hint=3,
    )


def _wrong_parents(code, got, want):
    """Each operand that is a Value must be a parent; nothing else may be."""
    if set(got) == set(want):
        return None
    if STRANGER in got:
        if got.count(STRANGER) == len(got) or "**" in code or not any(sign.isdigit() for sign in code):
            return Wrong(
                f"the result of {code} has other parents than its operands: hand over the operands themselves",
                f"el resultado de {code} tiene otros padres que sus operandos: pasa los propios operandos",
                expected=want,
                got=got,
            )
        return Wrong(
            f"the result of {code} has a parent that is none of its operands: a plain number must not become a node",
            f"el resultado de {code} tiene un padre que no es operando suyo: un número simple no debe volverse nodo",
            expected=want,
            got=got,
        )
    return Wrong(
        f"the parents of {code} are not its operands",
        f"los padres de {code} no son sus operandos",
        expected=want,
        got=got,
    )


def _wrong_slopes(got, want):
    """The local gradients of one parent's places are added: x * x may list x once or twice."""
    parents, local = got["parents"], got["local"]
    if len(parents) != len(local):
        return Wrong(
            f"each parent needs one local gradient: parents {len(parents)}, local gradients {len(local)}",
            f"cada padre necesita un gradiente local: padres {len(parents)}, gradientes locales {len(local)}",
            expected=len(parents),
            got=len(local),
        )
    for number in local:
        wrong = same_number(number, number, ("a local gradient", "un gradiente local"))
        if wrong:
            return Wrong(wrong.reason, got=wrong.got, hint=3)
    for name, slope in want.items():
        total = sum(number for parent, number in zip(parents, local, strict=True) if parent == name)
        wrong = same_number(total, slope, (f"the local gradient for {name}", f"el gradiente local de {name}"))
        if wrong:
            return wrong
    return None


def _remark_on_sign(code, got, want):
    if type(got) is str and got == want:
        return None
    return But(
        f'_op is not "{want}": the picture of {code} would not show its sign',
        f'_op no es "{want}": el dibujo de {code} no mostraría su signo',
    )


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

    def inputs(self, rng):
        a, b, c = drawn(rng, 3)
        return [
            {"a": 2.0, "b": -3.0, "code": "a + b"},
            {"a": 2.0, "code": "a + 10"},
            {"a": 3.0, "code": "a + a"},
            {"a": 0.0, "code": "a + -0.5"},
            {"a": a, "b": b, "code": "a + b"},
            {"a": 1e200, "b": -1e-200, "code": "a + b"},
            {"a": c, "code": "a + 1000.0"},
        ]

    observe = observe_operation

    def judge(self, x, got):
        a, b = sides(x)
        slopes = {"a": 2.0} if x["code"] == "a + a" else {name: 1.0 for name in "ab" if name in x}
        return judge_operation(x, got, a + b, slopes, "+")


@exercise("mul")
class Mul:
    """The product's number, its parents, and the other factor as each local gradient."""

    def inputs(self, rng):
        a, b, c = drawn(rng, 3)
        return [
            {"a": 2.0, "b": -3.0, "code": "a * b"},
            {"a": 2.0, "code": "a * 10"},
            {"a": 3.0, "code": "a * a"},
            {"a": 0.0, "b": 4.0, "code": "a * b"},
            {"a": 0.0, "code": "a * -0.5"},
            {"a": a, "b": b, "code": "a * b"},
            {"a": 1e150, "b": -1e-150, "code": "a * b"},
            {"a": c, "code": "a * 0"},
        ]

    observe = observe_operation

    def judge(self, x, got):
        a, b = sides(x)
        slopes = (
            {"a": 2.0 * a}
            if x["code"] == "a * a"
            else {name: slope for name, slope in (("a", b), ("b", a)) if name in x}
        )
        return judge_operation(x, got, a * b, slopes, "*")


@exercise("pow")
class Pow:
    """The power's number, one parent, and n · x to the power n - 1, for whole, negative and fractional n."""

    def inputs(self, rng):
        a = abs(drawn(rng, 1)[0])
        cases = [(3.0, 2), (2.0, 3), (-2.0, 3), (5.0, 1), (4.0, 0), (0.0, 2), (4.0, 0.5), (2.0, -1), (a, 2.5)]
        return [{"x": x, "code": f"x ** {n}"} for x, n in cases]

    observe = observe_operation

    def judge(self, x, got):
        base, n = sides(x)
        return judge_operation(x, got, base**n, {"x": n * base ** (n - 1.0)}, "**")


@exercise("reflected")
class ReflectedOperators:
    """2 + v, 2 * v and 2 - v: the number, no leaf but v, and how fast the result grows with v."""

    def inputs(self, rng):
        (drawn_one,) = drawn(rng, 1)
        cases = [("2 + v", 3.0), ("2 * v", 3.0), ("2 - v", 3.0), ("0.5 + v", -1.0), ("-3 * v", 0.0), ("0 - v", 1e200)]
        return [{"v": v, "code": code} for code, v in [*cases, ("2 - v", drawn_one)]]

    def observe(learner, x):
        def plain(number):
            is_number = isinstance(number, (int, float)) and not isinstance(number, bool)  # np.float64 is a float, too
            return float(number) if is_number else number

        def run(code, v):
            return eval(code, {}, {"v": v})  # noqa: S307 - the text is this file's own

        def is_a_stub(code):
            try:
                run(code, learner.Value(x["v"]))
            except Exception as error:  # noqa: BLE001 - any other exception comes from something that was written
                trace = error.__traceback__
                while trace.tb_next is not None:
                    trace = trace.tb_next
                return isinstance(error, NotImplementedError) and "Reflected." in trace.tb_frame.f_code.co_qualname
            return False

        if not issubclass(learner.Value, learner.Reflected) and not hasattr(learner.Value, "__radd__"):
            return {"not inherited": True}
        v = learner.Value(x["v"])
        stubs = [code for code in ("2 + v", "2 * v", "2 - v") if is_a_stub(code)]
        if 0 < len(stubs) < 3:
            return {"still to write": stubs}
        out = run(x["code"], v)
        if not isinstance(out, learner.Value):
            return {"no node": plain(out)}
        if out is v or v.data != x["v"]:
            return {"changed": plain(v.data)}
        nodes, at = [out], 0
        while at < len(nodes) < 50:
            nodes += [parent for parent in nodes[at]._prev if not any(parent is node for node in nodes)]
            at += 1
        places = {id(node): place for place, node in enumerate(nodes)}
        return {
            "data": plain(out.data),
            "nodes": [
                {
                    "parents": [places[id(parent)] for parent in node._prev],
                    "local": [plain(number) for number in node._local_grads],
                    "is v": node is v,
                }
                for node in nodes
            ],
        }

    def judge(self, x, got):
        code = x["code"]
        if "still to write" in got:
            rest = ", ".join(got["still to write"])
            return Wrong(f"a part is written; still to write: {rest}", f"una parte está escrita; falta: {rest}")
        if "not inherited" in got:
            return Wrong(
                "Value does not inherit from Reflected any more: write class Value(Reflected)",
                "Value ya no hereda de Reflected: escribe class Value(Reflected)",
                hint=None,
            )
        if "no node" in got:
            return no_node(code, got["no node"])
        if "changed" in got:
            return Wrong(
                f"the operation {code} changed v: leave it as it is and make a new Value",
                f"la operación {code} cambió v: déjalo como está y crea un Value nuevo",
                expected=x["v"],
                got=got["changed"],
                hint=3,
            )
        nodes = got["nodes"]
        leaves = [node for node in nodes if not node["parents"]]
        number, v = sides(x)
        data, slope = {"+": (number + v, 1.0), "-": (number - v, -1.0), "*": (number * v, number)}[code.split()[1]]
        return first_wrong(
            same_number(got["data"], data, DATA),
            None if leaves and all(node["is v"] for node in leaves) else _more_than_v(code, len(leaves)),
            same_number(slope_along_all_paths(nodes), slope, ("the growth with v", "el crecimiento con v")),
        )


def slope_along_all_paths(nodes):
    """How fast the first node grows with v: over every path to v, the product of its local gradients.

    Each round reaches one edge further away from v, so as many rounds as nodes reach everything.
    """
    slopes = [0.0] * len(nodes)
    for _ in nodes:
        slopes = [
            1.0 if node["is v"] else sum(n * slopes[at] for at, n in zip(node["parents"], node["local"], strict=True))
            for node in nodes
        ]
    return slopes[0]


def _more_than_v(code, leaves):
    if leaves == 1:
        return Wrong(
            f"the result of {code} does not know v: it must be made of v with your operators",
            f"el resultado de {code} no conoce a v: debe hacerse a partir de v con tus operadores",
            expected="v",
            got=STRANGER,
        )
    return Wrong(
        f"the result of {code} has a leaf besides v: the plain number must not become a node",
        f"el resultado de {code} tiene otra hoja además de v: el número simple no debe volverse nodo",
        expected="v",
        got=", ".join(["v", *"?" * (leaves - 1)]),
    )


@exercise("local_grads")
class LocalGrads:
    """The direct parents, each once, with the local gradients of all the places it stands in added up."""

    def inputs(self, rng):
        g, h, k = drawn(rng, 3)
        numbers = {"a": 2.0, "b": -3.0, "c": 2.0}
        places = [
            ("ab", [-3.0, 2.0]),
            ("", []),
            ("a", [10.0]),
            ("aa", [3.0, 3.0]),
            ("aba", [g, h, k]),
            ("ac", [g, k]),
        ]
        return [
            {name: numbers[name] for name in numbers if name in names} | {"_prev": list(names), "_local_grads": local}
            for names, local in places
        ]

    def observe(learner, x):
        def plain(number):
            is_number = isinstance(number, (int, float)) and not isinstance(number, bool)  # np.float64 is a float, too
            return float(number) if is_number else number

        deep = learner.Value(7.0)
        made = {name: learner.Value(x[name], (deep,), "*", (5.0,)) for name in x["_prev"]}
        parents = tuple(made[name] for name in x["_prev"])
        out = learner.Value(1.5, parents, "?" if parents else "", tuple(x["_local_grads"]))
        result = learner.local_grads(out)
        if not isinstance(result, dict):
            return {"no dict": type(result).__name__}
        names = {id(value): name for name, value in [*made.items(), ("_prev[0]._prev[0]", deep), ("out", out)]}
        return {
            "numbers": {names.get(id(key), f"<{type(key).__name__}>"): plain(number) for key, number in result.items()},
            "entries": len(result),
        }

    def judge(self, x, got):
        if "no dict" in got:
            if got["no dict"] == "NoneType":
                return Wrong(
                    "local_grads returned None here: is a `return` missing, or is it inside the loop?",
                    "local_grads devolvió None aquí: ¿falta un `return`, o está dentro del bucle?",
                    expected="dict",
                    got="None",
                    hint=3,
                )
            return Wrong(
                "local_grads must return a dict {parent: number}",
                "local_grads debe devolver un dict {padre: número}",
                expected="dict",
                got=got["no dict"],
                hint=3,
            )
        want = {}
        for name, number in zip(x["_prev"], x["_local_grads"], strict=True):
            want[name] = want.get(name, 0.0) + number
        numbers = got["numbers"]
        if set(numbers) != set(want) or got["entries"] != len(want):
            return Wrong(
                "the keys of the dict are not the direct parents of out, each once",
                "las claves del dict no son los padres directos de out, cada uno una vez",
                expected=list(want),
                got=list(numbers),
            )
        return first_wrong(
            *(
                same_number(numbers[name], number, (f"the number for {name}", f"el número de {name}"))
                for name, number in want.items()
            )
        )
