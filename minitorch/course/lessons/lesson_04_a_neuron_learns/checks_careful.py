"""How the answers of lesson 04 are judged: a step that never makes the loss larger."""

from minitorch.course.judging.checks import Message, Wrong, exercise, same_number, with_hint
from minitorch.course.lessons.lesson_04_a_neuron_learns.checks_nodes import observe_nodes
from minitorch.course.lessons.lesson_04_a_neuron_learns.checks_steps import ENGINE

NAMES = ("p", "q", "r")
TINY = 1e-30  # the length of an imaginary step, which measures a slope and rounds nothing away


def slopes(code, numbers):
    """The slope of the loss with respect to each number."""
    return {
        name: complex(eval(code, {}, numbers | {name: number + TINY * 1j})).imag / TINY  # noqa: S307
        for name, number in numbers.items()
    }


def careful(x):
    """For each call the rates that are tried, the one that helps (else 0.0), and the numbers afterwards."""
    numbers = {name: x[name] for name in NAMES if name in x}
    calls = []
    for _ in range(x["calls"]):
        loss, grads = eval(x["code"], {}, numbers), slopes(x["code"], numbers)  # noqa: S307 - this file's own text
        tried, helped = [], 0.0
        for halvings in range(x["tries"]):
            rate = x["lr"] / 2**halvings
            there = {name: number - rate * grads[name] for name, number in numbers.items()}
            tried.append(rate)
            if eval(x["code"], {}, there) < loss:  # noqa: S307
                numbers, helped = there, rate
                break
        calls.append((tried, helped, numbers))
    return calls


@exercise("careful_step")
class CarefulStep:
    """Steps that help at once, after some halvings, or never; grads left over; a parameter that takes no part."""

    in_order = True

    def inputs(self, rng):
        p, q, up = (round(float(number), 3) for number in rng.uniform([0.5, -2.0, 0.6], [2.0, -0.5, 1.4]))
        return [
            {"code": "p * p", "p": 3.0, "lr": 0.1, "tries": 10, "calls": 1},
            {"code": "p * p", "p": 3.0, "lr": 1.5, "tries": 10, "calls": 1},
            {"code": "p * p", "p": 3.0, "lr": 6.0, "tries": 10, "calls": 1},
            {"code": "p * p", "p": 3.0, "lr": 1.5, "tries": 1, "calls": 1},
            {"code": "p * p", "p": 3.0, "lr": 6.0, "tries": 3, "calls": 1},
            {"code": "p * p", "p": 3.0, "lr": 6.0, "tries": 4, "calls": 1},
            {"code": "p * p", "p": 3.0, "lr": 1.0, "tries": 10, "calls": 1},
            {"code": "p * p", "p": 3.0, "lr": 0.1, "tries": 10, "calls": 2, "p.grad": 100.0},
            {"code": "(p * 2 - 1) ** 2 + q * q", "p": 1.0, "q": 2.0, "r": 4.0, "lr": 2.0, "tries": 6, "calls": 2},
            {"code": f"(p * {up} - 1) ** 2 + (q * p) ** 2", "p": p, "q": q, "lr": 3.0, "tries": 9, "calls": 3},
            {"code": "p * p + q * q", "p": 0.0, "q": 0.0, "lr": 0.5, "tries": 3, "calls": 1},
        ]

    observe = observe_nodes

    def line(self, x):
        names = [name for name in NAMES if name in x]
        made = "; ".join(f"{name} = e.Value({x[name]})" for name in names)
        left = "".join(f"; {name}.grad = {x[f'{name}.grad']}" for name in names if f"{name}.grad" in x)
        numbers = ", ".join(f"{name}.data" for name in names)
        call = f"m.careful_step([{', '.join(names)}], lambda: {x['code']}, e.backward, {x['lr']}, {x['tries']})"
        return f"{ENGINE}{made}{left}; [({call}, {numbers}) for _ in range({x['calls']})]"

    def judge(self, x, got):
        names = [name for name in NAMES if name in x]
        before = [x[name] for name in names]
        for call, (tried, helped, numbers) in enumerate(careful(x), start=1):
            have, returned = got["data"][call - 1], got["returned"][call - 1]
            wrong = self.wrong_place(call, have, list(numbers.values()), before, tried, helped, names)
            if wrong is not None:
                return wrong
            what = Message("the rate that call {call} returned", call=call)
            wrong = same_number(returned, helped, what, rtol=1e-9)
            if wrong is not None:
                return with_hint(wrong, 4)
            before = list(numbers.values())
        if got["backward"] > x["calls"]:
            return Wrong(
                "the numbers are right, but backward ran {backward} times in {calls} call(s): all "
                "tries of a call use the same gradients",
                backward=got["backward"],
                calls=x["calls"],
                expected=x["calls"],
                got=got["backward"],
                hint=2,
            )
        return None

    def wrong_place(self, call, have, want, before, tried, helped, names):
        """What is wrong with where the parameters are after a call, or None."""
        for name, one, wish in zip(names, have, want, strict=True):
            what = Message("{name}.data after call {call}", name=name, call=call)
            wrong = same_number(one, wish, what, rtol=1e-9, atol=1e-12)
            if wrong is None:
                continue
            if not helped and isinstance(one, float):
                return Wrong(
                    "none of the {tried} tries has helped: every number must be as it was before the call",
                    tried=len(tried),
                    expected=before,
                    got=have,
                    hint=1,
                )
            if len(tried) == 1:
                return with_hint(wrong, 4)
            rates = ", ".join(f"{rate:g}" for rate in tried)
            return Wrong(
                "{what} is wrong; the rates to try from the same place are {rates}, and the last of them helps",
                what=what,
                rates=rates,
                expected=wish,
                got=one,
                hint=1,
            )
        return None
