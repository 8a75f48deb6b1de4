"""How the training step of lesson 11 is judged: on small Tensors whose loss is a bowl, worked out by its formula."""

import numpy as np

from minitorch.course.judging.checks import (
    But,
    Message,
    Wrong,
    exercise,
    first_wrong,
    same_array,
    same_number,
    with_hint,
)


def trained(x):
    """The losses before each call and the parameters' numbers after it: the loss is the sum of w (p - t)².

    Where they act together, the square of the sum of all p - t comes to it.
    """
    numbers, losses, after = {name: array.copy() for name, array in x["start"].items()}, [], []
    for _ in range(x["calls"]):
        far = {name: numbers[name] - x["t"] for name in x["used"]}
        together = sum(array.sum() for array in far.values()) if x["together"] else 0.0
        losses.append(float(sum((x["w"] * array**2).sum() for array in far.values()) + together**2))
        for name, array in far.items():
            numbers[name] = numbers[name] - x["lr"] * 2 * (x["w"] * array + together)
        after.append({name: array.copy() for name, array in numbers.items()})
    return losses, after


def case(start, used, lr, calls=1, w=1.0, t=0.0, left=(), together=False):
    """A case: the numbers of the parameters, which of them the loss uses, and those with a grad left over."""
    arrays = {name: np.array(numbers) for name, numbers in start.items()}
    return {"start": arrays, "used": used, "lr": lr, "calls": calls, "w": w, "t": t} | {
        "left": list(left),
        "together": together,
    }


@exercise("training_step")
class TrainingStep:
    """One step and several, grads left over, a parameter that takes no part, one number alone, steps that overshoot."""

    in_order = True

    def inputs(self, rng):
        low = np.round(rng.uniform(-2.0, 2.0, (2, 3)), 2)
        return [
            case({"p": [3.0, 1.0]}, ["p"], 0.1),
            case({"p": [3.0, 1.0]}, ["p"], 0.1, calls=2),
            case({"p": [3.0, 1.0]}, ["p"], 0.1, left=["p"]),
            case({"W": [[1.0, -2.0], [0.5, 4.0]], "b": [2.0, 0.0]}, ["W", "b"], 0.25, w=0.5, t=1.0),
            case({"p": [3.0, 1.0], "q": [5.0]}, ["p"], 0.1),
            case({"p": [3.0, 1.0], "q": [5.0]}, ["p"], 0.1, calls=2, left=["q"]),
            case({"W": low, "c": 2.0}, ["W", "c"], 0.05, calls=4, w=1.5, t=0.3),
            case({"p": [1.0, -1.0]}, ["p"], 1.5, calls=2),
            case({"p": [3.0, 1.0], "q": [5.0]}, ["p", "q"], 0.05, together=True),
        ]

    def observe(learner, x):
        import numpy as np

        class Tensor:
            def __init__(self, data):
                self.data, self.arrived, self.requires_grad = np.array(data), None, True

            def __sub__(self, other):
                return Tensor(self.data - other)

            @property
            def grad(self):
                if self.arrived is not None and counted:
                    read.append("grad")
                return self.arrived

            @grad.setter
            def grad(self, gradient):
                self.arrived = gradient

        class Loss:
            def __init__(self):
                self.seen = {name: leaves[name].data.copy() for name in x["used"]}
                far = [numbers - x["t"] for numbers in self.seen.values()]
                self.together = sum(each.sum() for each in far) if x["together"] else 0.0
                self.data = np.array(float(sum((x["w"] * each**2).sum() for each in far) + self.together**2))
                self.grad = None

            def backward(self):
                counted.append("backward")
                for name, numbers in self.seen.items():
                    gradient, leaf = 2 * (x["w"] * (numbers - x["t"]) + self.together), leaves[name]
                    leaf.arrived = gradient if leaf.arrived is None else leaf.arrived + gradient

        counted, read, returned, after, arrays = [], [], [], [], False
        leaves = {name: Tensor(array) for name, array in x["start"].items()}
        for name in x["left"]:
            leaves[name].grad = np.full(leaves[name].data.shape, 100.0)
        for _ in range(x["calls"]):
            out = learner.training_step(list(leaves.values()), Loss, x["lr"])
            if isinstance(out, np.ndarray) and out.shape == ():
                out, arrays = float(out), True
            elif isinstance(out, np.floating):
                out = float(out)
            returned.append(out if isinstance(out, float) or out is None else type(out).__name__)
            after.append({name: np.array(leaf.data) for name, leaf in leaves.items()})
        moved = any(not np.array_equal(after[-1][name], x["start"][name]) for name in x["used"])
        why = None if moved else [bool(read), [leaf.arrived is None for leaf in leaves.values()]]
        return {"returned": returned, "after": after, "backward": len(counted), "why": why, "arrays": arrays}

    def compared(self, x, got):
        """An array of shape () is as good as its number: no mistake is told by it."""
        return {name: got[name] for name in got if name != "arrays"}

    def judge(self, x, got):
        losses, after = trained(x)
        wrong = first_wrong(*self.numbers(x, got, after), *self.losses(got, losses))
        if wrong is None and got["arrays"]:
            return But("you returned an array of shape (). A plain number is asked for: float(...) makes one of it.")
        return wrong

    def numbers(self, x, got, after):
        """What is wrong with the parameters' numbers after each call."""
        for call, (have, want) in enumerate(zip(got["after"], after, strict=True), start=1):
            for name in x["start"]:
                if name in x["used"] and np.array_equal(have[name], x["start"][name]):
                    yield Wrong(
                        "{name}.data did not move: backward was not called"
                        if not got["backward"]
                        else "{name}.data did not move, though backward was called",
                        name=name,
                        expected=want[name],
                        got=have[name],
                        hint=2 if not got["backward"] else 3,
                    )
                what = Message("{name}.data after call {call}", name=name, call=call)
                wrong = same_array(have[name], want[name], what, rtol=1e-9)
                yield with_hint(wrong, 2 if call > 1 or x["left"] or name not in x["used"] else 4)

    def losses(self, got, losses):
        """What is wrong with what was returned."""
        for call, (have, want) in enumerate(zip(got["returned"], losses, strict=True), start=1):
            what = Message("what call {call} returned", call=call)
            yield with_hint(same_number(have, want, what, rtol=1e-9), 4 if isinstance(have, float) else 3)
