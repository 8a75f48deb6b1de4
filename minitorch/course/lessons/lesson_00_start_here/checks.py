"""How the answers of lesson 00 are judged."""

import numpy as np

from minitorch.course.judging.checks import But, Message, Wrong, exercise, same_number

RESULT = Message("the slope")
PLACE = Message("the place")


@exercise("hello_gradient")
class HelloGradient:
    """The slope of x² + 3x, at round numbers, at zero, below zero and at two numbers drawn by chance."""

    in_order = True

    def inputs(self, rng):
        drawn = [round(float(number), 3) for number in rng.uniform([-9.0, 4.0], [-4.0, 9.0])]
        return [{"x": x} for x in (2.0, 0.0, -1.0, 0.5, *drawn)]

    def observe(learner, x):
        slope = learner.hello_gradient(x["x"])
        is_number = isinstance(slope, (int, float)) and not isinstance(slope, bool)  # np.float64 is a float, too
        return float(slope) if is_number else slope

    def line(self, x):
        return f"m.hello_gradient({x['x']!r})"

    def judge(self, x, got, printed):
        want = 2.0 * x["x"] + 3.0
        if got is None and printed.strip():
            return Wrong("something was printed, and nothing was returned", expected=want, got="None", hint=3)
        wrong = same_number(got, want, RESULT)
        if wrong and same_number(got, want, RESULT, rtol=1e-4, atol=1e-4) is None:
            return But(
                "the slope is right to a few digits only. A tiny step comes close to it; a formula gives it exactly"
            )
        if wrong and same_number(got, want, RESULT, atol=0.11) is None:
            return Wrong(
                "the slope is near, but not near enough: a long step does that, and so does rounding",
                expected=want,
                got=got,
                hint=2,
            )
        if wrong and same_number(got, -want, RESULT, atol=0.11) is None:
            return Wrong("the slope has the right size and the wrong sign", expected=want, got=got, hint=1)
        return wrong


@exercise("flat_place")
class FlatPlace:
    """Where a x² + b x is flat: a lowest place, a highest one, one at zero, and two drawn by chance."""

    in_order = True

    def inputs(self, rng):
        drawn = np.round(rng.uniform([1.5, -4.0], [4.0, -1.5], (2, 2)), 2).tolist()
        cases = [(1.0, -4.0), (3.0, 12.0), (-0.5, 3.0), (2.0, 0.0), *drawn]
        return [{"a": a, "b": b} for a, b in cases]

    def observe(learner, x):
        place = learner.flat_place(x["a"], x["b"])
        is_number = isinstance(place, (int, float)) and not isinstance(place, bool)  # np.float64 is a float, too
        return float(place) if is_number else place

    def line(self, x):
        return f"m.flat_place({x['a']!r}, {x['b']!r})"

    def judge(self, x, got, printed):
        want = -x["b"] / (2.0 * x["a"])
        if got is None and printed.strip():
            return Wrong("the place was printed, but not returned", expected=want, got="None")
        wrong = same_number(got, want, PLACE)
        if wrong and want and same_number(got, -want, PLACE) is None:
            return Wrong("the place has the right size and the wrong sign", expected=want, got=got, hint=3)
        if wrong and same_number(got, want, PLACE, rtol=1e-3, atol=1e-3) is None:
            return But(
                "the place is right to a few digits only. A search comes close to it; solving for x gives it exactly"
            )
        return wrong
