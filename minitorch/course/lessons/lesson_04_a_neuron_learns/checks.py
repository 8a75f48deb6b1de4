"""How the answers of lesson 04 are judged.

The nodes are made in the child, of a small Value with the operators that lesson 01 taught and no others. Nothing of
the learner's other lessons is needed. What is expected is worked out in the parent by closed formulas; the gradient of
a training problem by a step into the complex plane, which rounds nothing away.
"""

import math

from minitorch.course.judging.checks import Wrong, exercise, first_wrong, same_number, same_numbers

SEED = 2**31


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

        def __radd__(self, other):
            return self + other

        def __rmul__(self, other):
            return self * other

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
        if thing is None:
            return None
        is_number = isinstance(thing, (int, float)) and not isinstance(thing, bool)
        return float(thing) if is_number else type(thing).__name__

    def observe_loss():
        """Call hinge_loss on fresh nodes, and walk back from what it returns."""
        scores = [Value(number) for number in x["scores"]]
        given, labels = list(scores), list(x["labels"])
        loss = learner.hinge_loss(given, labels)
        if not isinstance(loss, Value):
            return {"no node": type(loss).__name__}
        order = ordered(loss)
        grads = dict.fromkeys(order, 0.0) | dict.fromkeys(scores, 0.0) | {loss: 1.0}
        for node in reversed(order):
            for parent, local in zip(node._prev, node._local_grads):
                grads[parent] += float(local) * grads[node]
        left = [score.data for score in scores] == x["scores"] and given == scores and labels == x["labels"]
        return {
            "loss": loss.data,
            "grads": [grads[score] for score in scores],
            "reached": [score in order for score in scores],
            "left alone": left,
        }

    def observe_parameters():
        """Give leaves their grads, call the function, and note what the same leaves hold afterwards."""
        leaves = [Value(number) for number in x["data"]]
        for leaf, grad in zip(leaves, x["grad"]):
            leaf.grad = grad
        parameters = list(leaves)
        if "lr" in x:
            learner.sgd_step(parameters, x["lr"])
        else:
            learner.zero_grad(parameters)
        return {
            "data": [plain(leaf.data) for leaf in leaves],
            "grad": [plain(getattr(leaf, "grad", "deleted")) for leaf in leaves],
            "same leaves": len(parameters) == len(leaves) and all(map(lambda a, b: a is b, parameters, leaves)),
            "left in the list": len(parameters),
            "still leaves": all(leaf._prev == () for leaf in leaves),
            "kinds": sorted({type(each).__name__ for each in parameters}),
            "new ones have parents": any(getattr(each, "_prev", ()) for each in parameters),
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

    def judge(self, x, got):
        if "no node" in got:
            kind = got["no node"]
            if kind == "NoneType":
                return Wrong(
                    "hinge_loss returned None: is a `return` missing?",
                    "hinge_loss devolvió None: ¿falta un `return`?",
                    expected="Value",
                    got="None",
                    hint=None,
                )
            return Wrong(
                "hinge_loss must return a node: backward starts from it",
                "hinge_loss debe devolver un nodo: backward empieza en él",
                expected="Value",
                got=kind,
                hint=3,
            )
        if got["left alone"] is not True:
            return Wrong(
                "hinge_loss changed the scores or the labels that it was given",
                "hinge_loss cambió las puntuaciones o las etiquetas que recibió",
                hint=None,
            )
        margins = [label * score for score, label in zip(x["scores"], x["labels"], strict=True)]
        count = len(margins)
        loss = math.fsum(max(0.0, 1.0 - margin) for margin in margins) / count
        grads = [-label / count if margin < 1.0 else 0.0 for margin, label in zip(margins, x["labels"], strict=True)]
        wrong_loss = same_number(got["loss"], loss, ("the loss", "la pérdida"), rtol=1e-9)
        if wrong_loss is None and any(want and not there for want, there in zip(grads, got["reached"], strict=True)):
            return Wrong(
                "the number is right, but the loss was not made from the scores: no gradient can reach them",
                "el número es correcto, pero la pérdida no se hizo de las puntuaciones: ningún gradiente les llega",
                expected=grads,
                got=got["grads"],
                hint=3,
            )
        label = ("the gradient of scores", "el gradiente de scores")
        return first_wrong(wrong_loss, same_numbers(got["grads"], grads, label, rtol=1e-9))


# ------------------------------------------------------------------------------------------------ sgd_step, zero_grad


def wrong_list(x, got):
    """What is wrong with the list of parameters, or None."""
    if got["same leaves"] is not True:
        return Wrong(
            "the list of parameters holds other things than before: the network goes on using the old leaves",
            "la lista de parámetros contiene otras cosas que antes: la red sigue usando las hojas viejas",
            expected=f"the same {len(x['data'])} leaves",
            got=f"{got['left in the list']} entries, not the same ones",
            hint=2,
        )
    if got["still leaves"] is not True:
        return Wrong(
            "a parameter got parents: it must stay a leaf",
            "un parámetro recibió padres: debe seguir siendo una hoja",
            hint=2,
        )
    return None


def wrong_entry(have, want, what, where):
    """Compare what the leaves hold, one after another; None is a value like any other."""
    for index, (one, wish) in enumerate(zip(have, want, strict=True)):
        if one is None and wish is None:
            continue
        name = (f"{what} of parameters[{index}]", f"{what} de parameters[{index}]")
        if isinstance(one, str):
            return Wrong(
                f"{name[0]} is of type {one}: a plain number must stand there",
                f"{name[1]} es de tipo {one}: ahí debe haber un número simple",
                expected=wish,
                got=one,
                hint=where,
            )
        if wish is None:
            return Wrong(
                f"{name[0]} must be None: no gradient yet",
                f"{name[1]} debe ser None: todavía no hay gradiente",
                expected="None",
                got=one,
                hint=where,
            )
        wrong = same_number(one, wish, name, rtol=1e-9)
        if wrong is not None:
            return wrong
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
            {"data": [1.5], "grad": [None], "lr": 0.5},
            {"data": [], "grad": [], "lr": 0.5},
            {"data": [3.0, -1.0], "grad": [0.5, 4.0], "lr": 0.25},
            {"data": [3.0, -1.0, 2.0], "grad": [0.5, None, -4.0], "lr": 0.25},
            {"data": [0.0, 2.0], "grad": [3.0, 7.0], "lr": 2.0},
            {"data": drawn[:3], "grad": drawn[3:], "lr": round(float(rng.uniform(0.02, 0.4)), 3)},
        ]

    observe = observe_nodes

    def judge(self, x, got):
        moved = [
            number if grad is None else number - x["lr"] * grad
            for number, grad in zip(x["data"], x["grad"], strict=True)
        ]
        wrong_grad = wrong_entry(got["grad"], x["grad"], "grad", None)
        if wrong_grad is not None:
            wrong_grad = Wrong(
                "sgd_step changed a grad: it only reads them, and emptying them is the work of zero_grad",
                "sgd_step cambió un grad: solo los lee, y vaciarlos es tarea de zero_grad",
                expected=x["grad"],
                got=got["grad"],
                hint=None,
            )
        return first_wrong(wrong_list(x, got), wrong_entry(got["data"], moved, "data", 2), wrong_grad)


@exercise("zero_grad")
class ZeroGrad:
    """Every grad is None afterwards, whatever it was; numbers and list stay as they were."""

    def inputs(self, rng):
        drawn = [round(float(number), 3) for number in rng.normal(size=8)]
        return [
            {"data": [1.0], "grad": [2.0]},
            {"data": [1.0], "grad": [0.0]},
            {"data": [1.0], "grad": [None]},
            {"data": [], "grad": []},
            {"data": [3.0, -1.0, 2.0], "grad": [0.5, None, -4.0]},
            {"data": drawn[:4], "grad": drawn[4:]},
        ]

    observe = observe_nodes

    def judge(self, x, got):
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

    def judge(self, x, got):
        losses, data = trained(x)
        names = [name for name in ("p", "q", "r") if name in x]
        for call, (have, want) in enumerate(zip(got["data"], data, strict=True), start=1):
            for name, one, wish in zip(names, have, want, strict=True):
                if one == x[name] != wish:
                    return Wrong(
                        f"{name}.data did not move: the step must write into the leaf, by the grad that backward left",
                        f"{name}.data no se movió: el paso debe escribir en la hoja, con el grad que dejó backward",
                        expected=wish,
                        got=one,
                        hint=2,
                    )
                what = (f"{name}.data after call {call}", f"{name}.data tras la llamada {call}")
                wrong = same_number(one, wish, what, rtol=1e-9)
                if wrong is not None:
                    return wrong
        for call, (one, wish) in enumerate(zip(got["returned"], losses, strict=True), start=1):
            what = (f"what call {call} returned", f"lo que devolvió la llamada {call}")
            wrong = same_number(one, wish, what, rtol=1e-9)
            if wrong is not None:
                return wrong
        return None


# ------------------------------------------------------------------------------------------------------- init_weights


def observe_weights(learner, x):
    """Call init_weights three times and describe the numbers by what is the same for every right answer."""
    import math
    import random

    n = x["n_inputs"]
    rng = random.Random(x["seed"])  # noqa: S311 - weights are no secret
    first = learner.init_weights(n, rng)
    if type(first) is not list:
        return {"no list": type(first).__name__}
    kinds = sorted({"float" if isinstance(each, float) else type(each).__name__ for each in first})
    if len(first) != n or kinds != ["float"]:
        return {"length": len(first), "kinds": kinds}
    second = learner.init_weights(n, rng)
    all_equal = n > 1 and len(set(first)) == 1
    if all_equal or second == first:
        return {"all equal": all_equal, "the next call gives others": second != first}
    again = learner.init_weights(n, random.Random(x["seed"]))  # noqa: S311
    scaled = [weight * math.sqrt(n / 3) for weight in first]
    seen = {
        "all equal": False,
        "all different": len(set(first)) == n,
        "the next call gives others": True,
        "the same rng gives the same": again == first,
        "within the bound": all(abs(each) <= 1 + 1e-9 for each in scaled),
    }
    if n >= 1000:
        seen["lowest"], seen["highest"] = round(min(scaled), 1), round(max(scaled), 1)
        seen["even"] = 0.42 < sum(abs(each) < 0.5 for each in scaled) / n < 0.58 and abs(sum(scaled)) < 0.15 * n
    return seen


@exercise("init_weights")
class InitWeights:
    """How many, how far, drawn from where: small neurons, and two large ones for the spread."""

    def inputs(self, rng):
        return [{"n_inputs": n, "seed": int(rng.integers(SEED))} for n in (2, 1, 3, 8, 12, 1200, 1201)]

    observe = observe_weights

    def judge(self, x, got):
        n = x["n_inputs"]
        if "no list" in got:
            return Wrong(
                "init_weights must return a list",
                "init_weights debe devolver una lista",
                expected=f"a list of {n} numbers",
                got=got["no list"],
                hint=3,
            )
        if "kinds" in got:
            return Wrong(
                f"the list must hold {n} floats, one for each input",
                f"la lista debe contener {n} float, uno por cada entrada",
                expected=f"{n} of type float",
                got=f"{got['length']} of type {', '.join(got['kinds']) or 'nothing'}",
                hint=3,
            )
        if got["all equal"] is not False:
            return Wrong(
                "all weights are equal: draw each one by itself",
                "todos los pesos son iguales: saca cada uno por separado",
                hint=1,
            )
        if got["the next call gives others"] is not True:
            return Wrong(
                "the next call with the same rng gave the same weights: every neuron would be a copy",
                "la siguiente llamada con el mismo rng dio los mismos pesos: cada neurona sería una copia",
                hint=2,
            )
        if got["the same rng gives the same"] is not True:
            return Wrong(
                "two generators with one seed gave different weights: draw from the rng that you are given",
                "dos generadores con una misma semilla dieron pesos distintos: usa el rng que recibes",
                hint=2,
            )
        if got["all different"] is not True:
            return Wrong(
                "some weights are equal: draw each one by itself, evenly between the bounds",
                "algunos pesos son iguales: saca cada uno por separado, por igual entre los límites",
                hint=2,
            )
        if got["within the bound"] is not True:
            return Wrong(
                "a weight lies beyond the bound",
                "un peso está más allá del límite",
                expected=f"all between -{math.sqrt(3 / n):.4g} and {math.sqrt(3 / n):.4g}",
                hint=3,
            )
        if n < 1000:
            return None
        reach = f"between {got['lowest']} and {got['highest']} times the bound"
        whole = (got["lowest"], got["highest"]) == (-1.0, 1.0)
        if not whole or got["even"] is not True:
            return Wrong(
                f"{n} draws should be spread evenly from one bound to the other",
                f"{n} números deberían repartirse por igual de un límite al otro",
                expected="evenly between -1 and 1 times the bound",
                got=f"{reach}, not evenly" if whole else reach,
                hint=3,
            )
        return None
