"""Lesson 00, start here: the slope of one function.

Check it with `check("hello_gradient")` in the notebook, or `minitorch check hello_gradient` in a terminal.
"""


def f(x: float) -> float:
    """Return x² + 3x, the function that the lesson is about (given). One number in, one number out."""
    return x * x + 3.0 * x


def hello_gradient(x: float) -> float:
    """Return the slope of f at x: how fast f(x) grows when x grows a little.

    x: one number. Returns one number: the growth of f per unit of x.

    f is a sum, so its slope is a sum as well: the slope of x² plus the slope of 3x.

        hello_gradient(2.0) is 7.0: a step of 0.01 from 2.0 raises f by about 0.07
    """
    raise NotImplementedError


def flat_place(a: float, b: float) -> float:
    """Return the x at which the curve a x² + b x is flat: its slope is zero there.

    a, b: one number each, and a is not 0. Nobody hands x over: it is what is looked for. Returns one number.

        flat_place(1.0, -4.0) is 2.0: left of it x² - 4x falls, right of it it grows
    """
    raise NotImplementedError
