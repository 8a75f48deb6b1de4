"""The formula that a rule writes down is the rule."""

import inspect

import numpy as np
import pytest

from minitorch import ops
from minitorch.ops.formula import written

RULES = {
    f"{name}: {argument}": rule
    for name, each in ops.defined()
    if hasattr(each, "declaration") and not each.declaration.variadic
    for argument, (rule, _) in each.declaration.rules.items()
}
NAMES = {name: name for name in ("input", "other", "end", "weight", "tensor", "out", "exponent")}
FORMULAS = {name: text for name, rule in RULES.items() if (text := written(rule, NAMES)) is not None}
PYTHON = {name: getattr(np, name) for name in ("exp", "log", "sin", "cos", "sinh", "cosh", "sqrt", "sign", "abs")}


def test_a_formula_gives_what_its_rule_gives() -> None:
    values = {key: np.float64(0.3 + 0.1 * place) for place, key in enumerate(("g", *NAMES))}
    for name, text in FORMULAS.items():
        asked = [values[each] for each in list(inspect.signature(RULES[name]).parameters)[1:]]
        with np.errstate(invalid="ignore"):  # nothing is said of numbers that an operation is not for
            by_text, by_rule = eval(text, PYTHON | values), RULES[name](values["g"], *asked)
        np.testing.assert_allclose(by_text, by_rule, rtol=1e-5, err_msg=name)


def test_many_rules_are_formulas_and_those_that_ask_for_shapes_are_not() -> None:
    assert len(FORMULAS) > 40
    assert "sum: input" not in FORMULAS
    assert "matmul: input" not in FORMULAS
    assert "floor: input" not in FORMULAS
    assert "pow: input" not in FORMULAS


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (lambda g, x, y: g * (x - (y - 1)), "g * (x - (y - 1))"),
        (lambda g, x, y: g / (x * y) / (x / y), "g / (x * y) / (x / y)"),
        (lambda g, x, y: -(x + y) * g, "-(x + y) * g"),
        (lambda g, x, y: (x * y) ** 2 * g, "(x * y) ** 2 * g"),
        (lambda g, x, y: np.multiply(2, x) - np.sqrt(1 - y * y), "2 * x - sqrt(1 - y ** 2)"),
        (lambda g, x, y: g if x < y else -g, None),
        (lambda g, x, y: g.reshape(x.shape), None),
        (lambda g, x, y: np.where(x, g, y), None),
    ],
)
def test_parentheses_stand_where_they_must(rule, text):
    assert written(rule, {"x": "x", "y": "y"}) == text
