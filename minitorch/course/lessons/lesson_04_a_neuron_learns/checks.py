"""How the answers of lesson 04 are judged.

The nodes are made in the child, of a small Value with the operators that lesson 01 taught and no others. Nothing of
the learner's other lessons is needed. What is expected is worked out in the parent by closed formulas; the gradient of
a training problem by a step into the complex plane, which rounds nothing away.
"""

import math

from minitorch.course.judging.checks import Wrong, exercise, first_wrong, same_number, same_numbers, with_hint

ENGINE = 'from minitorch.course import engine; e = engine("mine", upto="02"); '  # a line's own Value and backward


# ------------------------------------------------------------------------------------- the driver of four exercises


def observe_nodes(learner, x):
    """Call the function that a case is for, on nodes with the operators of lesson 01, and describe what it did."""

    class Value:
        def __init__(self, data, _prev=(), _op="", _local_grads=(), label=""):
            self.data, self.grad, self.label = float(data), None, label
            self._prev, self._op, self._local_grads = _prev, _op, _local_grads

        def __repr__(self):
            return f"Value({self.data})"

        def __add__(self, other):
            if isinstance(other, Value):
                return Value(self.data + other.data, (self, other), "+", (1.0, 1.0))
            return Value(self.data + other, (self,), "+", (1.0,))

        def __mul__(self, other):
            if isinstance(other, Value):
                return Value(self.data * other.data, (self, other), "*", (other.data, self.data))
            return Value(self.data * other, (self,), "*", (other,))

        def __pow__(self, n):
            return Value(self.data**n, (self,), "**", (n * self.data ** (n - 1),))

        def __neg__(self):
            return self * -1.0

        def __sub__(self, other):
            return self + (-other)

        __radd__, __rmul__ = __add__, __mul__

        def __rsub__(self, other):
            return -self + other

    def ordered(root):
        order, seen, stack = [], set(), [(root, False)]
        while stack:
            node, done = stack.pop()
            if done:
                order.append(node)
            elif node not in seen:
                seen.add(node)
                stack.append((node, True))
                stack.extend((parent, False) for parent in node._prev)
        return order

    def plain(thing):
        is_number = isinstance(thing, (int, float)) and not isinstance(thing, bool)
        return float(thing) if is_number else thing

    def entries(things, leaves):
        """What stands in a list now: the places that its leaves had, and what is none of them."""
        places = {id(leaf): place for place, leaf in enumerate(leaves)}
        return [
            places.get(
                id(each), [type(each).__name__, plain(getattr(each, "data", None)), getattr(each, "_prev", ()) != ()]
            )
            for each in things
        ]

    def observe_loss():
        """Call hinge_loss on fresh nodes, and walk back from what it returns."""
        scores = [Value(number) for number in x["scores"]]
        given, labels = list(scores), list(x["labels"])
        loss = learner.hinge_loss(given, labels)
        seen = {"list": entries(given, scores), "scores": [plain(score.data) for score in scores], "labels": labels}
        if not isinstance(loss, Value):
            return seen | {"no node": type(loss).__name__}
        order = ordered(loss)
        grads = dict.fromkeys(order, 0.0) | dict.fromkeys(scores, 0.0) | {loss: 1.0}
        for node in reversed(order):
            for parent, local in zip(node._prev, node._local_grads):
                grads[parent] += float(local) * grads[node]
        reached = [score in order for score in scores]
        return seen | {"loss": plain(loss.data), "grads": [grads[score] for score in scores], "reached": reached}

    def observe_parameters():
        """Give leaves their grads, call the function, and note what the same leaves hold afterwards."""
        leaves = [Value(number) for number in x["data"]]
        for leaf, grad in zip(leaves, x["grad"]):
            leaf.grad = grad
        parameters = list(leaves)
        if "lr" in x:
            returned = learner.sgd_step(parameters, x["lr"])
        else:
            returned = learner.zero_grad(parameters)
        given_back = returned is parameters or (
            isinstance(returned, list) and entries(returned, leaves) == [*range(len(leaves))]
        )
        return {
            "data": [plain(leaf.data) for leaf in leaves],
            "grad": [plain(getattr(leaf, "grad", "deleted")) for leaf in leaves],
            "list": entries(parameters, leaves),
            "parents": [len(leaf._prev) for leaf in leaves],
            "returned": None if given_back else plain(returned),
        }

    def observe_steps():
        """Train the leaves of a small program for some calls of train_step; note their numbers after each call."""
        names = {name: Value(number) for name, number in x.items() if name in ("p", "q", "r")}
        for name, leaf in names.items():
            leaf.grad = x.get(f"{name}.grad")
        calls = {"loss_of": 0, "backward": 0}

        def loss_of():
            calls["loss_of"] += 1
            return eval(x["code"], {}, names)  # noqa: S307 - the text is this check's own

        def backward(loss):
            calls["backward"] += 1
            order = ordered(loss)
            for node in order:
                if node._prev:
                    node.grad = None
            loss.grad = 1.0
            for node in reversed(order):
                for parent, local in zip(node._prev, node._local_grads):
                    part = local * node.grad
                    parent.grad = part if parent.grad is None else parent.grad + part

        parameters, returned, data = list(names.values()), [], []
        for _ in range(x["calls"]):
            returned.append(plain(learner.train_step(parameters, loss_of, backward, x["lr"])))
            data.append([plain(leaf.data) for leaf in names.values()])
        grads = [plain(leaf.grad) for leaf in names.values()]
        return {"returned": returned, "data": data, "grads": grads, **calls}

    return observe_loss() if "scores" in x else observe_steps() if "code" in x else observe_parameters()


# --------------------------------------------------------------------------------------------------------- hinge_loss


def mixed_points(rng):
    """Scores and labels: of both labels one far on its side, one near the line, one on the wrong side."""
    points = []
    for label in (1, -1):
        for low, high in ((1.2, 3.0), (0.1, 0.9), (-2.0, -0.1)):
            points.append((round(float(rng.uniform(low, high)) * label, 3), label))
    chosen = [points[place] for place in rng.permutation(len(points))]
    return {"scores": [score for score, _ in chosen], "labels": [label for _, label in chosen]}


@exercise("hinge_loss")
class HingeLoss:
    """The number and the gradient of every score, away from the kink: near, far and wrong points of both labels."""

    def inputs(self, rng):
        return [
            {"scores": [0.25], "labels": [1]},
            {"scores": [0.25], "labels": [-1]},
            {"scores": [2.5], "labels": [1]},
            {"scores": [-2.5], "labels": [-1]},
            {"scores": [-2.5], "labels": [1]},
            {"scores": [2.5, 0.25], "labels": [1, 1]},
            {"scores": [0.5, -2.0], "labels": [-1, -1]},
            {"scores": [3.0, -1.5, 2.0], "labels": [1.0, -1.0, 1.0]},
            {"scores": [0.25, -0.5, 2.0, -3.0], "labels": [1, 1, -1, -1]},
            mixed_points(rng),
        ]

    observe = observe_nodes

    def line(self, x):
        return (
            f"{ENGINE}scores = [e.Value(s) for s in {x['scores']}]; loss = m.hinge_loss(scores, {x['labels']}); "
            "e.backward(loss); loss.data, [score.grad for score in scores]"
        )

    def judge(self, x, got):
        if "no node" in got:
            return self.no_node(got["no node"])
        same_scores = got["list"] == list(range(len(x["scores"]))) and got["scores"] == x["scores"]
        if not same_scores or got["labels"] != x["labels"]:
            return Wrong(
                "hinge_loss changed the scores or the labels that it was given",
                "hinge_loss cambió las puntuaciones o las etiquetas que recibió",
            )
        margins = [label * score for score, label in zip(x["scores"], x["labels"], strict=True)]
        count = len(margins)
        loss = math.fsum(max(0.0, 1.0 - margin) for margin in margins) / count
        grads = [-label / count if margin < 1.0 else 0.0 for margin, label in zip(margins, x["labels"], strict=True)]
        wrong_loss = same_number(got["loss"], loss, ("the loss", "la pérdida"), rtol=1e-9)
        if wrong_loss is not None:
            return self.wrong_loss(wrong_loss, margins)
        if any(want and not there for want, there in zip(grads, got["reached"], strict=True)):
            return Wrong(
                "the number is right, but the loss was not made from the scores: no gradient can reach them",
                "el número es correcto, pero la pérdida no se hizo de las puntuaciones: ningún gradiente les llega",
                expected=grads,
                got=got["grads"],
                hint=3,
            )
        label = ("the loss is right, but the gradient of scores", "la pérdida es correcta, pero el gradiente de scores")
        return with_hint(same_numbers(got["grads"], grads, label, rtol=1e-9), 3)

    def no_node(self, got):
        if got == "NoneType":
            return Wrong(
                "hinge_loss returned None: is a `return` missing?",
                "hinge_loss devolvió None: ¿falta un `return`?",
                expected="Value",
                got="None",
            )
        if got in ("list", "tuple", "dict"):
            return Wrong(
                f"hinge_loss returned a {got}: the loss is one node, made of all points",
                f"hinge_loss devolvió algo de tipo {got}: la pérdida es un solo nodo, hecho de todos los puntos",
                expected="Value",
                got=got,
                hint=4,
            )
        return Wrong(
            "hinge_loss must return a node: backward starts from it",
            "hinge_loss debe devolver un nodo: backward empieza en él",
            expected="Value",
            got=got,
            hint=3,
        )

    def wrong_loss(self, wrong, margins):
        if len(margins) > 1:
            return with_hint(wrong, 4)  # the smaller inputs, of one point, are right where this one is shown
        (margin,) = margins
        if margin < 1:
            return with_hint(wrong, 1)
        return Wrong(
            f"this point is right by far (label * score is {margin:g}): it costs nothing",
            f"este punto acierta de sobra (label * score es {margin:g}): no cuesta nada",
            expected=wrong.expected,
            got=wrong.got,
            hint=2,
        )


# ------------------------------------------------------------------------------------------------ sgd_step, zero_grad


def leaves_line(x, call):
    """A line that makes the leaves of a case, calls the function and looks at what the leaves hold then."""
    return (
        f'Value = yours("01").Value; ps = [Value(n) for n in {x["data"]}]; '
        f'[setattr(p, "grad", g) for p, g in zip(ps, {x["grad"]})]; {call}; [(p.data, p.grad) for p in ps]'
    )


def wrong_list(x, got):
    """What is wrong with the list of parameters, or None."""
    if got["list"] != list(range(len(x["data"]))):
        others = [f"a new {each[0]}" if isinstance(each, list) else f"parameter {each}" for each in got["list"]]
        return Wrong(
            "the list of parameters holds other things than before: the network goes on using the old leaves",
            "la lista de parámetros contiene otras cosas que antes: la red sigue usando las hojas viejas",
            expected=f"the same {len(x['data'])} leaves, in their order",
            got=", ".join(others) or "an empty list",
            hint=2 if "lr" in x else 3,
        )
    if any(got["parents"]):
        return Wrong(
            "a parameter got parents: it must stay a leaf",
            "un parámetro recibió padres: debe seguir siendo una hoja",
            hint=2,
        )
    return None


def wrong_entry(have, want, what, hint):
    """Compare what the leaves hold, one after another; None is a value like any other."""
    for index, (one, wish) in enumerate(zip(have, want, strict=True)):
        name = (f"{what} of parameters[{index}]", f"{what} de parameters[{index}]")
        if one is None and wish is None:
            continue
        if one == "deleted":
            return Wrong(
                f"parameters[{index}] has no {what} any more: the attribute must stay",
                f"parameters[{index}] ya no tiene {what}: el atributo debe seguir ahí",
                expected=wish,
                hint=hint,
            )
        if wish is None:
            return Wrong(
                f"{name[0]} must be None: no gradient yet",
                f"{name[1]} debe ser None: todavía no hay gradiente",
                expected="None",
                got=one,
                hint=hint,
            )
        if one is None:
            return Wrong(f"{name[0]} became None", f"{name[1]} pasó a ser None", expected=wish, got="None", hint=hint)
        wrong = same_number(one, wish, name, rtol=1e-9)
        if wrong is not None:
            return wrong if hint is None else with_hint(wrong, hint)
    return None


@exercise("sgd_step")
class SgdStep:
    """Positive, negative and missing gradients, zero, an empty list; grads and list stay as they were."""

    def inputs(self, rng):
        drawn = [round(float(number), 3) for number in rng.normal(size=6)]
        return [
            {"data": [1.0], "grad": [2.0], "lr": 0.1},
            {"data": [1.0], "grad": [-2.0], "lr": 0.1},
            {"data": [1.5], "grad": [0.0], "lr": 0.5},
            {"data": [3.0, -1.0], "grad": [0.5, 4.0], "lr": 0.25},
            {"data": [0.0, 2.0], "grad": [3.0, 7.0], "lr": 2.0},
            {"data": [1.5], "grad": [None], "lr": 0.5},
            {"data": [3.0, -1.0, 2.0], "grad": [0.5, None, -4.0], "lr": 0.25},
            {"data": drawn[:3], "grad": drawn[3:], "lr": round(float(rng.uniform(0.02, 0.4)), 3)},
            {"data": [], "grad": [], "lr": 0.5},
        ]

    observe = observe_nodes

    def line(self, x):
        return leaves_line(x, f"m.sgd_step(ps, {x['lr']})")

    def judge(self, x, got):
        steps = [0.0 if grad is None else x["lr"] * grad for grad in x["grad"]]
        moved = [number - step for number, step in zip(x["data"], steps, strict=True)]
        wrong = first_wrong(
            wrong_list(x, got),
            self.wrong_direction(x, got, steps),
            wrong_entry(got["data"], moved, "data", 3 if None in x["grad"] else 4),
        )
        if wrong or got["grad"] == x["grad"]:
            return wrong
        return Wrong(
            "sgd_step changed a grad: it only reads them, and emptying them is the work of zero_grad",
            "sgd_step cambió un grad: solo los lee, y vaciarlos es tarea de zero_grad",
            expected=x["grad"],
            got=got["grad"],
        )

    def wrong_direction(self, x, got, steps):
        """What can be said of all leaves at once: none moved, or all went the wrong way."""
        data = got["data"]
        if not any(steps) or not all(isinstance(one, float) for one in data):
            return None
        moved = [number - step for number, step in zip(x["data"], steps, strict=True)]
        if data == x["data"]:
            thrown_away = got["returned"] is not None
            return Wrong(
                "no leaf has moved: " + ("what you return is thrown away" if thrown_away else "no data was written"),
                "ninguna hoja se movió: " + ("lo que devuelves se pierde" if thrown_away else "no se escribió en data"),
                expected=moved,
                got=data,
                hint=2,
            )
        uphill = [number + step for number, step in zip(x["data"], steps, strict=True)]
        if all(math.isclose(one, wish, rel_tol=1e-9, abs_tol=1e-12) for one, wish in zip(data, uphill, strict=True)):
            return Wrong(
                "the step went along the gradient, to where the loss grows: go against it, with a minus",
                "el paso fue a favor del gradiente, hacia donde crece la pérdida: ve en contra, con un menos",
                expected=moved,
                got=data,
                hint=1,
            )
        return None


@exercise("zero_grad")
class ZeroGrad:
    """Every grad is None afterwards, whatever it was; numbers and list stay as they were."""

    def inputs(self, rng):
        drawn = [round(float(number), 3) for number in rng.normal(size=8)]
        return [
            {"data": [1.0], "grad": [2.0]},
            {"data": [3.0, -1.0], "grad": [0.5, -4.0]},
            {"data": [1.0], "grad": [0.0]},
            {"data": [3.0, -1.0, 2.0], "grad": [0.5, None, -4.0]},
            {"data": drawn[:4], "grad": drawn[4:]},
            {"data": [], "grad": []},
        ]

    observe = observe_nodes

    def line(self, x):
        return leaves_line(x, "m.zero_grad(ps)")

    def judge(self, x, got):
        as_they_were = [grad for grad in x["grad"] if grad is not None] and got["grad"] == x["grad"]
        if not wrong_list(x, got) and as_they_were and got["data"] == x["data"]:
            return Wrong(
                "every grad is as it was: nothing was assigned to the grad of a parameter",
                "cada grad quedó como estaba: no se asignó nada al grad de ningún parámetro",
                expected=[None] * len(x["grad"]),
                got=got["grad"],
                hint=2,
            )
        return first_wrong(
            wrong_list(x, got),
            wrong_entry(got["data"], x["data"], "data", 3),
            wrong_entry(got["grad"], [None] * len(x["grad"]), "grad", 1),
        )


# --------------------------------------------------------------------------------------------------------- train_step


def trained(x):
    """The losses before each step and the numbers after it; a slope is measured by a tiny imaginary step."""
    tiny = 1e-30
    numbers = {name: x[name] for name in ("p", "q", "r") if name in x}
    losses, data = [], []
    for _ in range(x["calls"]):
        losses.append(eval(x["code"], {}, numbers))  # noqa: S307 - the text is this file's own
        slopes = {
            name: complex(eval(x["code"], {}, numbers | {name: number + tiny * 1j})).imag / tiny  # noqa: S307
            for name, number in numbers.items()
        }
        numbers = {name: number - x["lr"] * slopes[name] for name, number in numbers.items()}
        data.append(list(numbers.values()))
    return losses, data


@exercise("train_step")
class TrainStep:
    """One step and several, grads left over from before, a parameter that takes no part."""

    def inputs(self, rng):
        p, q, up = (round(float(number), 3) for number in rng.uniform([0.5, -2.0, 0.6], [2.0, -0.5, 1.4]))
        return [
            {"code": "p * p", "p": 3.0, "lr": 0.1, "calls": 1},
            {"code": "p * p", "p": 3.0, "lr": 0.1, "calls": 2},
            {"code": "p * p", "p": 3.0, "lr": 0.1, "calls": 1, "p.grad": 100.0},
            {"code": "(p * 2 - 1) ** 2 + q", "p": 1.0, "q": 2.0, "lr": 0.05, "calls": 3},
            {"code": "p * p * q + q", "p": 1.0, "q": -1.0, "r": 4.0, "r.grad": 5.0, "lr": 0.05, "calls": 2},
            {"code": f"(p * {up} + q - 1) ** 2 + p * q", "p": p, "q": q, "lr": 0.04, "calls": 4},
        ]

    observe = observe_nodes

    def line(self, x):
        names = [name for name in ("p", "q", "r") if name in x]
        made = "; ".join(f"{name} = e.Value({x[name]})" for name in names)
        left = "".join(f"; {name}.grad = {x[f'{name}.grad']}" for name in names if f"{name}.grad" in x)
        leaves = ", ".join(names)
        numbers = ", ".join(f"{name}.data" for name in names)
        call = f"m.train_step([{leaves}], lambda: {x['code']}, e.backward, {x['lr']})"
        return f"{ENGINE}{made}{left}; [({call}, {numbers}) for _ in range({x['calls']})]"

    def judge(self, x, got):
        losses, data = trained(x)
        names = [name for name in ("p", "q", "r") if name in x]
        for call, (have, want) in enumerate(zip(got["data"], data, strict=True), start=1):
            for name, one, wish in zip(names, have, want, strict=True):
                if one == x[name] != wish:
                    return self.not_moved(got, name, one, wish)
                what = (f"{name}.data after call {call}", f"{name}.data tras la llamada {call}")
                wrong = same_number(one, wish, what, rtol=1e-9)
                if wrong is not None:
                    return with_hint(wrong, 2 if call > 1 or f"{name}.grad" in x else 4)
        for call, (one, wish) in enumerate(zip(got["returned"], losses, strict=True), start=1):
            what = (f"what call {call} returned", f"lo que devolvió la llamada {call}")
            wrong = with_hint(same_number(one, wish, what, rtol=1e-9), 3 if not isinstance(one, float) else 4)
            if wrong is not None:
                return wrong
        return None

    def not_moved(self, got, name, one, wish):
        if got["backward"] == 0:
            why = (
                ", and backward was not called: nobody computed a gradient",
                ", y no se llamó a backward: no hay gradientes",
            )
        else:
            why = (
                ": the step must find the grads that backward left",
                ": el paso debe encontrar los grad que dejó backward",
            )
        return Wrong(
            f"{name}.data did not move{why[0]}",
            f"{name}.data no se movió{why[1]}",
            expected=wish,
            got=one,
            hint=2 if got["backward"] else 1,
        )
