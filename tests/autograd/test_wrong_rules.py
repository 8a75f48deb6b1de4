"""A rule or a forward that cannot work is told so in one sentence, at its declaration where that can be known."""

import numpy as np
import pytest

from minitorch import Tensor, primitive


def leaf():
    return Tensor([1.0, 2.0, 3.0], requires_grad=True)


@pytest.mark.parametrize("options", [{}, {"create_graph": True}], ids=["arrays", "create_graph"])
@pytest.mark.parametrize(
    ("given", "said"),
    [
        (None, r"the gradient rule of wrong returned None for an operand of shape \(3,\): return an array of that"),
        ("g", r"the gradient rule of wrong returned a str for an operand of shape \(3,\): return an array of that"),
    ],
)
def test_a_rule_that_returns_no_array(given, said, options):
    wrong = primitive(lambda x: x * 2, name="wrong", x=lambda g: given)
    with pytest.raises(TypeError, match=said):
        wrong(leaf()).sum().backward(**options)


def test_a_rule_that_returns_a_tensor():
    wrong = primitive(lambda x: x * 2, name="wrong", x=lambda g: Tensor(g) * 2)
    with pytest.raises(TypeError, match="the gradient rule of wrong returned a Tensor where arrays are asked for"):
        wrong(leaf()).sum().backward()


@pytest.mark.parametrize(
    ("declare", "said"),
    [
        (lambda: primitive(lambda x, *, k=1: x * k, name="f", x=lambda g: g), "f: .* 'k' cannot be keyword-only: take"),
        (lambda: primitive(lambda x, **more: x, name="f", x=lambda g: g), r"f: \*\*more names no arguments"),
        (lambda: primitive(lambda x, *more: x, name="f", x=lambda g: g), r"f: \*more must come first, before 'x'"),
        (lambda: primitive(np.exp), r"exp: np.exp takes 1 operand, but 0 gradient rules were given: .* primitive\(np"),
        (lambda: primitive(np.add, x=lambda g: g), "add: np.add takes 2 operands, but 1 gradient rules were given"),
        (lambda: primitive(lambda x: x, name="f", x=None), "f: the gradient rule for 'x' is None, no function: leave"),
        (
            lambda: primitive(lambda x: x, name="f", x=lambda: 0),
            "f: the gradient rule for 'x' takes nothing: its",
        ),
        (lambda: primitive(lambda x: x, name="f", x=lambda g, *, out: g), "f: .* takes 'out' by keyword only, but is"),
    ],
)
def test_what_cannot_work_is_refused_at_its_declaration(declare, said):
    with pytest.raises(TypeError, match=said):
        declare()
