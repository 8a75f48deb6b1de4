"""How the steps of lesson 13 are judged: on leaves with given gradients, several calls in a row.

What is expected is worked out from sums over all gradients so far, not step by step as the solutions do it.
"""

import math

import numpy as np

from minitorch.course.judging.checks import (
    Message,
    Wrong,
    exercise,
    first_wrong,
    same_array,
    same_number,
    same_value,
    with_hint,
)


def leaves_of(rng, *shapes, calls):
    """Numbers of parameters, and for each call a gradient for each of them; rounded so that they can be read."""
    data = [np.round(rng.uniform(-2.0, 2.0, shape), 2) for shape in shapes]
    grads = [[np.round(rng.uniform(-3.0, 3.0, shape), 2) for shape in shapes] for _ in range(calls)]
    return {"data": data, "grads": grads}


def arrays(*rows):
    return [None if row is None else np.array(row) for row in rows]


def told(name, number, call):
    """What is looked at: something of a parameter after a call."""
    return Message("{name} of parameter {number} after call {call}", name=name, number=number, call=call)


def unchanged(x, got):
    """Say that a grad was changed, in the call in which it was."""
    for call, (given, seen) in enumerate(zip(x["grads"], got, strict=True), start=1):
        for number, (before, after) in enumerate(zip(given, seen["grads"], strict=True)):
            same = after is None if before is None else isinstance(after, np.ndarray) and np.array_equal(after, before)
            if not same:
                yield Wrong(
                    "the grad of parameter {number} is another one after call {call}: a step changes no grad",
                    number=number,
                    call=call,
                    expected=before,
                    got=after,
                )


def returned_nothing(got):
    """Say that something came back, where nothing is asked for."""
    for seen in got:
        if seen["returned"] is not None:
            yield Wrong("a step returns nothing", expected=None, got=seen["returned"])


# ----------------------------------------------------------------------------------------------------------- momentum


@exercise("sgd_momentum")
class SgdMomentum:
    """One step with a velocity and without; several, another lr in each; one without a gradient; a number alone."""

    in_order = True

    def inputs(self, rng):
        one = {"data": arrays([1.0, 2.0]), "grads": [arrays([3.0, -1.0])], "velocities": arrays([10.0, 0.0])}
        rest = {"data": arrays([0.0]), "grads": [arrays([1.0])] * 3, "velocities": arrays([0.0])}
        skipped = {
            "data": arrays([1.0], [2.0], [3.0]),
            "grads": [arrays([1.0], None, [-1.0]), arrays(None, [6.0], [0.5])],
            "velocities": arrays([0.0], [4.0], [1.0]),
        }
        several = leaves_of(rng, (2, 3), (3,), calls=4)
        zeros = [np.zeros_like(each) for each in several["data"]]
        return [
            {**one, "lr": [0.1], "momentum": 0.5},
            {**rest, "lr": [1.0, 1.0, 1.0], "momentum": 0.5},
            {**rest, "lr": [1.0, 0.5, 0.25], "momentum": 0.5},
            {**several, "velocities": zeros, "lr": [0.1, 0.1, 0.2, 0.05], "momentum": 0.9},
            {**skipped, "lr": [0.5, 0.5], "momentum": 0.5},
            {**one, "lr": [0.1], "momentum": 0.0},
            {
                "data": arrays(2.0),
                "grads": [arrays(1.0)] * 2,
                "velocities": arrays(0.0),
                "lr": [0.5, 0.5],
                "momentum": 0.9,
            },
        ]

    def observe(learner, x):
        import numpy as np

        class Leaf:
            def __init__(self, data):
                self.data, self.grad = data, None

        leaves = [Leaf(each.copy()) for each in x["data"]]
        velocities = [each.copy() for each in x["velocities"]]
        seen, earlier = [], []
        for lr, grads in zip(x["lr"], x["grads"]):
            for leaf, grad in zip(leaves, grads):
                leaf.grad = None if grad is None else grad.copy()
            given = [leaf.grad for leaf in leaves if leaf.grad is not None]
            out = learner.sgd_momentum(leaves, velocities, lr, x["momentum"])
            spoilt = [call for call, grad, kept in earlier if not np.array_equal(grad, kept)]
            earlier += [(len(seen) + 1, grad, np.array(grad)) for grad in given]
            seen.append(
                {
                    "returned": None if out is None else type(out).__name__,
                    "data": [np.array(leaf.data) for leaf in leaves],
                    "grads": [None if leaf.grad is None else np.array(leaf.grad) for leaf in leaves],
                    "velocities": [np.array(each) for each in velocities],
                    "spoilt": spoilt,
                }
            )
        return seen

    def judge(self, x, got):
        return first_wrong(*self.numbers(x, got), *unchanged(x, got), self.spoilt(got), *returned_nothing(got))

    def spoilt(self, got):
        """Say that a grad of an earlier call was changed by a later one."""
        for call, seen in enumerate(got, start=1):
            for earlier in seen["spoilt"]:
                return Wrong(
                    "call {call} changed the grad of call {earlier}: the array of a grad lay in "
                    "velocities and was written into",
                    call=call,
                    earlier=earlier,
                    hint=4,
                )
        return None

    def numbers(self, x, got):
        """What is wrong with data and velocities after each call."""
        for number, start in enumerate(x["data"]):
            before, moved = [], np.zeros_like(start)
            for call, seen in enumerate(got, start=1):
                grad = x["grads"][call - 1][number]
                if grad is not None:
                    before.append(grad)
                fading = x["momentum"] ** np.arange(len(before), -1, -1)  # of the first velocity, and of each gradient
                kept = [x["velocities"][number], *before]
                velocity = sum(each * share for each, share in zip(kept, fading, strict=True))
                if grad is not None:
                    moved = moved + x["lr"][call - 1] * velocity
                what = told(Message("the velocity"), number, call)
                yield with_hint(same_array(seen["velocities"][number], velocity, what), 3 if grad is None else 2)
                what = told("data", number, call)
                yield with_hint(same_array(seen["data"][number], start - moved, what), 3 if grad is None else 1)


# --------------------------------------------------------------------------------------------------------------- Adam


@exercise("adam_step")
class AdamStep:
    """The first step, and several; other betas; a large eps; decay; a parameter without a gradient; gradients of 0."""

    in_order = True

    def inputs(self, rng):
        usual = {"betas": (0.9, 0.999), "eps": 1e-8, "weight_decay": 0.0}
        several = leaves_of(rng, (2, 2), (3,), calls=4)
        skipped = {
            "data": arrays([1.0], [2.0]),
            "grads": [
                arrays([4.0], None),
                arrays([1.0], [-2.0]),
                arrays(None, [1.0]),
                arrays(None, None),
                arrays([2.0], None),
            ],
        }
        return [
            {**usual, "data": arrays([1.0]), "grads": [arrays([4.0])], "lr": 0.1},
            {**usual, "data": arrays([1.0]), "grads": [arrays([4.0]), arrays([1.0])], "lr": 0.1},
            {**usual, **several, "lr": 0.05},
            {**usual, **several, "lr": 0.05, "betas": (0.5, 0.75)},
            {**usual, **several, "lr": 0.05, "eps": 0.5},
            {**usual, **several, "lr": 0.05, "weight_decay": 0.4},
            {**usual, **skipped, "lr": 0.1, "weight_decay": 0.2},
            {**usual, "data": arrays([3.0]), "grads": [arrays([0.0]), arrays([0.0])], "lr": 0.1},
            {**usual, "data": arrays(2.0), "grads": [arrays(-1.0), arrays(3.0)], "lr": 0.1, "weight_decay": 0.1},
        ]

    def observe(learner, x):
        import numpy as np

        class Leaf:
            def __init__(self, data):
                self.data, self.grad = data, None

        leaves = [Leaf(each.copy()) for each in x["data"]]
        state = {
            "step": 0,
            "first": [np.zeros_like(each) for each in x["data"]],
            "second": [np.zeros_like(each) for each in x["data"]],
        }
        seen = []
        for grads in x["grads"]:
            for leaf, grad in zip(leaves, grads):
                leaf.grad = None if grad is None else grad.copy()
            out = learner.adam_step(leaves, state, x["lr"], x["betas"], x["eps"], x["weight_decay"])
            step = state["step"]
            seen.append(
                {
                    "returned": None if out is None else type(out).__name__,
                    "data": [np.array(leaf.data) for leaf in leaves],
                    "grads": [None if leaf.grad is None else np.array(leaf.grad) for leaf in leaves],
                    "step": step if type(step) is int else type(step).__name__,
                    "first": [np.array(each) for each in state["first"]],
                    "second": [np.array(each) for each in state["second"]],
                }
            )
        return seen

    def judge(self, x, got):
        return first_wrong(*self.numbers(x, got), *unchanged(x, got), *returned_nothing(got))

    def numbers(self, x, got):
        """What is wrong with the count, the data and the two lists after each call."""
        beta1, beta2 = x["betas"]
        for number, start in enumerate(x["data"]):
            data, before = start, []
            for call, seen in enumerate(got, start=1):
                yield with_hint(same_value(seen["step"], call, Message("the count of steps")), 3)
                grad = x["grads"][call - 1][number]
                if grad is not None:
                    before.append(grad)
                    first, second = mean_of(before, beta1), mean_of([each * each for each in before], beta2)
                    corrected = first / (1 - beta1**call), second / (1 - beta2**call)
                    data = data * (1 - x["lr"] * x["weight_decay"])
                    data = data - x["lr"] * corrected[0] / (np.sqrt(corrected[1]) + x["eps"])
                else:
                    first = mean_of(before, beta1) if before else np.zeros_like(start)
                    second = mean_of([each * each for each in before], beta2) if before else np.zeros_like(start)
                for name, want in (("first", first), ("second", second)):
                    what = told(name, number, call)
                    yield with_hint(same_array(seen[name][number], want, what), 2)
                what = told("data", number, call)
                yield with_hint(same_array(seen["data"][number], data, what), 4 if x["weight_decay"] else 3)


def mean_of(values, beta):
    """The running mean of values from the first to the last: each share fades by beta."""
    shares = (1 - beta) * beta ** np.arange(len(values) - 1, -1, -1)
    return sum(each * share for each, share in zip(values, shares, strict=True))


# ----------------------------------------------------------------------------------------------------------- clipping


@exercise("clip_grad_norm")
class ClipGradNorm:
    """Too long and short enough, one array and several, a grad that is None, all zeros, exactly as long as allowed."""

    in_order = True

    def inputs(self, rng):
        drawn = leaves_of(rng, (2, 3), (4,), calls=1)["grads"][0]
        return [
            {"grads": arrays([3.0, 4.0]), "max_norm": 1.0},
            {"grads": arrays([3.0], [0.0, 4.0]), "max_norm": 1.0},
            {"grads": arrays([3.0], [0.0, 4.0]), "max_norm": 10.0},
            {"grads": arrays([0.5, -0.5], [0.5, -0.5]), "max_norm": 0.8},
            {"grads": drawn, "max_norm": 2.0},
            {"grads": arrays([3.0], None, [4.0]), "max_norm": 2.5},
            {"grads": arrays([6.0], [8.0]), "max_norm": 10.0},
            {"grads": arrays([0.0, 0.0]), "max_norm": 1.0},
            {"grads": arrays(None, -5.0), "max_norm": 1.0},
            {"grads": arrays(None, None), "max_norm": 1.0},
        ]

    def observe(learner, x):
        import numpy as np

        class Leaf:
            def __init__(self, grad):
                self.data = np.ones(2 if grad is None else grad.shape)
                self.grad = None if grad is None else grad.copy()

        leaves = [Leaf(each) for each in x["grads"]]
        out = learner.clip_grad_norm(leaves, x["max_norm"])
        if isinstance(out, np.floating) or (isinstance(out, np.ndarray) and out.shape == ()):
            out = float(out)
        return {
            "returned": out if isinstance(out, (float, int)) or out is None else type(out).__name__,
            "grads": [None if leaf.grad is None else np.array(leaf.grad) for leaf in leaves],
            "moved": [not np.array_equal(leaf.data, np.ones_like(leaf.data)) for leaf in leaves],
        }

    def judge(self, x, got):
        numbers = np.concatenate([np.zeros(0), *(each.ravel() for each in x["grads"] if each is not None)])
        norm = float(np.linalg.norm(numbers))
        factor = min(1.0, x["max_norm"] / norm) if norm else 1.0
        wrongs = []
        for number, (before, after) in enumerate(zip(x["grads"], got["grads"], strict=True)):
            what = Message("the grad of parameter {number}", number=number)
            if before is None:
                wrongs.append(with_hint(same_value(after, None, what), 2))
            else:
                wrongs.append(with_hint(same_array(after, before * factor, what), 3 if factor < 1 else 2))
        found = got["returned"]
        what = Message("what came back")
        wrongs.append(with_hint(same_number(float(found) if isinstance(found, int) else found, norm, what), 1))
        if any(got["moved"]):
            wrongs.append(Wrong("a parameter's data changed: clipping changes grads alone"))
        return first_wrong(*wrongs)


# ------------------------------------------------------------------------------------------------------ learning rate


@exercise("cosine_lr")
class CosineLr:
    """The way up, the top, half-way, the end and after it; no warm-up; a final rate that is not 0."""

    in_order = True

    def inputs(self, rng):
        peak = round(float(rng.uniform(0.5, 2.0)), 2)
        return [
            *({"step": step, "steps": 10, "peak": 1.0, "warmup": 2, "final": 0.0} for step in (0, 1, 2, 6, 10)),
            *({"step": step, "steps": 20, "peak": 2.0, "warmup": 5, "final": 0.5} for step in (3, 4, 10, 19, 20)),
            *({"step": step, "steps": 8, "peak": peak, "warmup": 0, "final": 0.1} for step in (0, 3, 7)),
            {"step": 30, "steps": 10, "peak": 1.0, "warmup": 2, "final": 0.0},
            {"step": 31, "steps": 20, "peak": 2.0, "warmup": 5, "final": 0.5},
            {"step": 0, "steps": 20, "peak": 2.0, "warmup": 5, "final": 0.5},
        ]

    def line(self, x):
        return f"m.cosine_lr({x['step']}, {x['steps']}, {x['peak']}, {x['warmup']}, {x['final']})"

    def observe(learner, x):
        import numpy as np

        rate = learner.cosine_lr(x["step"], x["steps"], x["peak"], x["warmup"], x["final"])
        if isinstance(rate, np.floating) or (isinstance(rate, np.ndarray) and rate.shape == ()):
            return float(rate)
        return float(rate) if type(rate) is int else rate

    def judge(self, x, got):
        if x["step"] < x["warmup"]:
            want, hint = x["peak"] / x["warmup"] * (x["step"] + 1), 2
        elif x["step"] >= x["steps"]:
            want, hint = x["final"], 3
        else:
            turned = (x["step"] - x["warmup"]) / (x["steps"] - x["warmup"]) * math.pi / 2
            want, hint = x["final"] + (x["peak"] - x["final"]) * math.cos(turned) ** 2, 3
        return with_hint(same_number(got, want, Message("the rate"), rtol=1e-9, atol=1e-12), hint)


# ---------------------------------------------------------------------------------------------------------- curvature


@exercise("sharpest")
class Sharpest:
    """Bowls and a saddle, straight and turned; other places; another start; a plane; a matrix; one round."""

    in_order = True

    def inputs(self, rng):
        turned = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        three = np.round(turned @ np.diag([6.0, 2.0, 1.0]) @ turned.T, 6)
        return [
            {"H": np.diag([2.0, 10.0]), "x": np.zeros(2), "start": np.array([1.0, 1.0]), "cubic": 0.0},
            {"H": np.diag([2.0, 10.0]), "x": np.array([3.0, -1.0]), "start": np.array([5.0, 1.0]), "cubic": 0.0},
            {
                "H": np.array([[3.0, 1.0], [1.0, 3.0]]),
                "x": np.array([1.0, 2.0]),
                "start": np.array([1.0, 0.0]),
                "cubic": 0.0,
            },
            {"H": three, "x": np.array([1.0, -1.0, 2.0]), "start": np.array([1.0, 2.0, 3.0]), "cubic": 0.0},
            {"H": np.diag([1.0, -8.0]), "x": np.zeros(2), "start": np.array([1.0, 0.5]), "cubic": 0.0},
            {"H": np.diag([1.0, 2.0]), "x": np.array([0.0, 2.0]), "start": np.array([1.0, 1.0]), "cubic": 3.0},
            {"H": np.diag([0.5]), "x": np.array([4.0]), "start": np.array([100.0]), "cubic": 0.0},
            {"H": np.zeros((2, 2)), "x": np.ones(2), "start": np.array([1.0, 0.0]), "cubic": 0.0},
            {"H": np.diag([1.0, 2.0, 3.0, 9.0]), "x": np.ones((2, 2)), "start": np.ones((2, 2)), "cubic": 0.0},
            {"H": np.diag([2.0, 10.0]), "x": np.zeros(2), "start": np.array([1.0, 1.0]), "cubic": 0.0, "rounds": 1},
            {"H": np.diag([1.0, -1.5]), "x": np.zeros(2), "start": np.array([1.0, 1.0]), "cubic": 0.0},
        ]

    def observe(learner, x):
        import numpy as np

        def gradient_of(place):
            places.append(np.array(place))
            return (x["H"] @ place.ravel()).reshape(place.shape) + x["cubic"] * place * place

        places, at, start = [], x["x"].copy(), x["start"].copy()
        rounds = {"rounds": x["rounds"]} if "rounds" in x else {}
        out = learner.sharpest(gradient_of, at, start, **rounds)
        if isinstance(out, np.floating) or (isinstance(out, np.ndarray) and out.shape == ()):
            out = float(out)
        near = all(each.shape == x["x"].shape and np.abs(each - x["x"]).max() < 1e-3 for each in places)
        return {
            "out": out,
            "near": bool(near),
            "kept": bool(np.array_equal(at, x["x"]) and np.array_equal(start, x["start"])),
        }

    def judge(self, x, got):
        H = x["H"] + 2 * x["cubic"] * np.diag(x["x"].ravel())
        values = np.linalg.eigvalsh(H)
        want = float(values[np.abs(values).argmax()])
        if x.get("rounds") == 1:  # measured along the start alone
            start = x["start"] / np.linalg.norm(x["start"])
            want = float(start @ H @ start)
        wrong = None
        if not got["near"]:
            wrong = Wrong(
                "the gradient was asked for far away from x: eps times a direction of length 1 is the farthest"
            )
        changed = None
        if not got["kept"]:
            changed = Wrong("x or start was changed: make new arrays")
        what = Message("the largest curvature")
        return first_wrong(
            with_hint(same_number(got["out"], want, what, rtol=1e-6, atol=1e-6), 3),
            with_hint(wrong, 1),
            with_hint(changed, 2),
        )
