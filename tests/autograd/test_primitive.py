"""Declaring an operation: rules say by their parameter names what they need, and the engine does the rest."""

from typing import Any

import numpy as np
import pytest

import minitorch
from minitorch import Tensor, gradcheck, no_grad, primitive


def leaf(*values: float) -> Tensor:
    return Tensor(np.array(values), requires_grad=True)


def test_a_rule_may_ask_for_arguments_the_result_shapes_and_parameters() -> None:
    asked: dict[str, Any] = {}

    @primitive
    def scaled(x: Any, factor: float = 2.0) -> Any:
        """x · factor."""
        return x * factor

    def rule(g: Any, x: Any, out: Any, x_shape: Any, out_shape: Any, factor: Any) -> Any:
        asked.update(x=x, out=out, x_shape=x_shape, out_shape=out_shape, factor=factor)
        return g * factor

    scaled.vjp(x=rule)
    x = leaf(1.0, 2.0)
    scaled(x, factor=3.0).sum().backward()
    np.testing.assert_array_equal(x.grad, [3.0, 3.0])
    np.testing.assert_array_equal(asked["x"], [1.0, 2.0])
    np.testing.assert_array_equal(asked["out"], [3.0, 6.0])
    assert (asked["x_shape"], asked["out_shape"], asked["factor"]) == ((2,), (2,), 3.0)


def test_saves_tells_what_each_rule_keeps() -> None:
    assert minitorch.maximum.declaration.saves == {"input": ("input", "other"), "other": ("input", "other")}
    assert minitorch.mul.declaration.saves == {"input": ("other",), "other": ("input",)}
    assert minitorch.exp.declaration.saves == {"input": ("out",)}
    assert minitorch.neg.declaration.saves == {"input": ()}


def test_a_rule_never_sums_over_broadcast_axes_the_engine_does() -> None:
    shapes = []

    def rule(g: Any) -> Any:
        shapes.append(g.shape)
        return g

    plus = primitive(lambda a, b: a + b, name="plus", a=rule, b=rule)
    row, column = leaf(1.0, 2.0, 3.0), Tensor(np.ones((2, 1)), requires_grad=True)
    plus(row, column).sum().backward()
    assert shapes == [(2, 3), (2, 3)]
    np.testing.assert_array_equal(row.grad, [2.0, 2.0, 2.0])
    np.testing.assert_array_equal(column.grad, [[3.0], [3.0]])


def test_only_the_rules_of_wanted_gradients_run() -> None:
    ran = []

    def rule(name: str) -> Any:
        return lambda g: ran.append(name) or g

    plus = primitive(lambda a, b: a + b, name="plus", a=rule("a"), b=rule("b"))
    plus(leaf(1.0), Tensor([2.0])).sum().backward()
    assert ran == ["a"]


def test_an_operation_on_any_number_of_tensors_gets_its_slot() -> None:
    @primitive
    def largest_share(*tensors: Any) -> Any:
        return sum((place + 1) * each for place, each in enumerate(tensors))

    largest_share.vjp(tensors=lambda g, slot: (slot + 1) * g)
    x, y, z = leaf(1.0), Tensor([1.0]), leaf(1.0)
    largest_share(x, y, z).sum().backward()
    assert x.grad is not None
    assert z.grad is not None
    assert (x.grad.tolist(), z.grad.tolist()) == ([1.0], [3.0])


RETURNED: dict[str, Any] = {
    "the upstream gradient": lambda g, x, out: g,
    "a view of it": lambda g, x, out: g[:],
    "its operand": lambda g, x, out: x,
    "its result": lambda g, x, out: out,
    "a view of its operand": lambda g, x, out: x[::1],
    "a read-only array": lambda g, x, out: np.broadcast_to(1.0, g.shape),
    "another dtype": lambda g, x, out: g.astype(np.float32),
    "a list": lambda g, x, out: [1.0, 1.0],
}


@pytest.mark.parametrize("title", RETURNED)
def test_whatever_a_rule_returns_the_leaf_owns_its_gradient(title: str) -> None:
    op = primitive(lambda x: x * 2.0, name="op", x=RETURNED[title])
    x, seed = leaf(1.0, 2.0), np.ones(2)
    out = op(x)
    out.backward(seed)
    assert type(x.grad) is np.ndarray
    assert x.grad.flags.writeable
    assert x.grad.dtype == np.float64
    for other in (x.data, out.data, out.grad, seed):
        assert not np.shares_memory(x.grad, other)


def test_a_variadic_rule_that_returns_an_operand_gives_it_away() -> None:
    @primitive
    def product(*tensors: Any) -> Any:
        return tensors[0] * tensors[1]

    product.vjp(tensors=lambda g, tensors, slot: tensors[1 - slot])
    x, y = leaf(1.0, 2.0), leaf(3.0, 4.0)
    product(x, y).backward(np.ones(2))
    np.testing.assert_array_equal(x.grad, y.data)
    assert not np.shares_memory(x.grad, y.data)
    assert not np.shares_memory(y.grad, x.data)


def test_a_rule_of_an_impossible_shape_is_named() -> None:
    op = primitive(lambda x: x * 2.0, name="doubled", x=lambda g: np.ones((3, 5)))
    with pytest.raises(
        RuntimeError, match=r"gradient rule of doubled returned shape \(3, 5\) for an operand of shape \(2,\)"
    ):
        op(leaf(1.0, 2.0)).sum().backward()


def test_a_rule_for_no_argument_is_refused() -> None:
    with pytest.raises(TypeError, match=r"op: a gradient rule for 'y', but the arguments are \('x',\)"):
        primitive(lambda x: x, name="op", y=lambda g: g)


def test_an_operation_without_a_rule_refuses_what_wants_a_gradient() -> None:
    op = primitive(lambda x: np.sign(x), name="sign")
    assert op(Tensor([-2.0])).data.tolist() == [-1.0]
    with no_grad():
        assert op(leaf(-2.0)).data.tolist() == [-1.0]
    with pytest.raises(TypeError, match="sign has no gradient rule for 'x'"):
        op(leaf(-2.0))


def test_a_custom_operation_carries_its_name_and_docstring() -> None:
    @primitive
    def cube(x: Any) -> Any:
        """x³. dL/dx = g · 3x²."""
        return x**3

    cube.vjp(x=lambda g, x: g * 3 * x * x)
    assert (cube.__name__, cube.__doc__) == ("cube", "x³. dL/dx = g · 3x².")
    assert cube(leaf(2.0))._op == "cube"
    assert gradcheck(cube, leaf(1.0, -2.0))


def test_an_error_inside_a_forward_names_the_operation() -> None:
    @primitive
    def halves(x: Any) -> Any:
        return x.reshape(2, -1)

    halves.vjp(x=lambda g, x_shape: g.reshape(x_shape))
    with pytest.raises(ValueError, match=r"^halves: cannot reshape"):
        halves(leaf(1.0, 2.0, 3.0))


def test_a_rule_for_many_operands_may_name_its_slot_anywhere() -> None:
    def total(*tensors: Any, scale: float = 1.0) -> Any:
        return scale * sum(tensors)

    def rule(g: Any, slot: int, scale: float, tensors_shape: Any) -> Any:
        return g * scale * (slot + 1)

    op = primitive(total, name="total", tensors=rule)
    a, b = leaf(1.0), leaf(2.0)
    op(a, b, scale=3.0).backward()
    assert (a.grad.tolist(), b.grad.tolist()) == ([3.0], [6.0])
