"""How the answers of lesson 04 are judged: the steps of training.

The gradient of a training problem is measured by a step into the complex plane, which rounds nothing away.
"""

import math

from minitorch.course.judging.checks import Message, Wrong, exercise, first_wrong, same_number, with_hint
from minitorch.course.lessons.lesson_04_a_neuron_learns.checks_nodes import observe_nodes
from minitorch.language import listed

ENGINE = 'from minitorch.course import engine; e = engine("mine", upto="02"); '  # a line's own Value and backward

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
        if len(got["list"]) != len(x["data"]):
            return Wrong(
                "{data} leaves were in the list that was handed over, and {list} are left: the list "
                "belongs to the caller, so leave it as it is",
                data=len(x["data"]),
                list=len(got["list"]),
                expected=len(x["data"]),
                got=len(got["list"]),
                hint=2,
            )
        others = [
            Message("a new {each}", each=each[0]) if isinstance(each, list) else Message("parameter {each}", each=each)
            for each in got["list"]
        ]
        return Wrong(
            "the list of parameters holds other things than before: the network goes on using the old leaves",
            expected=Message("the same {data} leaves, in their order", data=len(x["data"])),
            got=listed(others) if others else Message("an empty list"),
            hint=2 if "lr" in x else 3,
        )
    if any(got["parents"]):
        return Wrong("a parameter got parents: it must stay a leaf", hint=2)
    return None


def wrong_entry(have, want, what, hint):
    """Compare what the leaves hold, one after another; None is a value like any other."""
    for index, (one, wish) in enumerate(zip(have, want, strict=True)):
        name = Message("{what} of parameters[{index}]", what=what, index=index)
        if one is None and wish is None:
            continue
        if one == "deleted":
            return Wrong(
                "parameters[{index}] has no {what} any more: the attribute must stay",
                index=index,
                what=what,
                expected=wish,
                hint=hint,
            )
        if wish is None:
            return Wrong(
                "{name} must be None: no gradient yet",
                name=name,
                expected="None",
                got=repr(one) if isinstance(one, str) else one,
                hint=hint,
            )
        if one is None:
            return Wrong("{name} became None", name=name, expected=wish, got="None", hint=hint)
        wrong = same_number(one, wish, name, rtol=1e-9)
        if wrong is not None:
            return wrong if hint is None else with_hint(wrong, hint)
    return None


@exercise("sgd_step")
class SgdStep:
    """Positive, negative and missing gradients, zero, an empty list; grads and list stay as they were."""

    in_order = True

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
            thrown_away = got.get("returned", "NoneType") != "NoneType"
            return Wrong(
                "no leaf has moved: what you return is thrown away"
                if thrown_away
                else "no leaf has moved: no data was written",
                expected=moved,
                got=data,
                hint=2,
            )
        uphill = [number + step for number, step in zip(x["data"], steps, strict=True)]
        if all(math.isclose(one, wish, rel_tol=1e-9, abs_tol=1e-12) for one, wish in zip(data, uphill, strict=True)):
            return Wrong(
                "the step went along the gradient, to where the loss grows: go against it, with a minus",
                expected=moved,
                got=data,
                hint=1,
            )
        return None


@exercise("zero_grad")
class ZeroGrad:
    """Every grad is None afterwards, whatever it was; numbers and list stay as they were."""

    in_order = True

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
                "every grad is as it was: nothing new stands in the grad of any parameter",
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
    """One step and several, grads left over from before, a parameter that takes no part, steps that raise the loss."""

    in_order = True

    def inputs(self, rng):
        p, q, up = (round(float(number), 3) for number in rng.uniform([0.5, -2.0, 0.6], [2.0, -0.5, 1.4]))
        return [
            {"code": "p * p", "p": 3.0, "lr": 0.1, "calls": 1},
            {"code": "p * p", "p": 3.0, "lr": 0.1, "calls": 2},
            {"code": "p * p", "p": 3.0, "lr": 0.1, "calls": 1, "p.grad": 100.0},
            {"code": "(p * 2 - 1) ** 2 + q", "p": 1.0, "q": 2.0, "lr": 0.05, "calls": 3},
            {"code": "p * p * q + q", "p": 1.0, "q": -1.0, "r": 4.0, "r.grad": 5.0, "lr": 0.05, "calls": 2},
            {"code": f"(p * {up} + q - 1) ** 2 + p * q", "p": p, "q": q, "lr": 0.04, "calls": 4},
            {"code": "p * p", "p": 3.0, "lr": 1.5, "calls": 2},
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
                what = Message("{name}.data after call {call}", name=name, call=call)
                wrong = same_number(one, wish, what, rtol=1e-9)
                if wrong is not None:
                    return with_hint(wrong, 2 if call > 1 or f"{name}.grad" in x else 4)
        for call, (one, wish) in enumerate(zip(got["returned"], losses, strict=True), start=1):
            what = Message("what call {call} returned", call=call)
            wrong = with_hint(same_number(one, wish, what, rtol=1e-9), 3 if not isinstance(one, float) else 4)
            if wrong is not None:
                return wrong
        return None

    def not_moved(self, got, name, one, wish):
        if got["backward"] == 0:
            why = Message(", and backward was not called: no gradient was computed")
        else:
            why = Message(": the step must find the grads that backward left")
        return Wrong(
            "{name}.data did not move{why}",
            name=name,
            why=why,
            expected=wish,
            got=one,
            hint=2 if got["backward"] else 1,
        )
