"""gradcheck believes right rules, catches planted wrong ones, and says where."""

from typing import Any

import numpy as np
import pytest

import minitorch
from minitorch import GradcheckError, Tensor, gradcheck, primitive


def inputs(*shapes: tuple[int, ...]) -> list[Tensor]:
    rng = np.random.default_rng(0)
    return [Tensor(rng.uniform(0.5, 2.0, shape)) for shape in shapes]


def product(**rules: Any) -> Any:
    right = {"a": lambda g, b: g * b, "b": lambda g, a: g * a}
    return primitive(lambda a, b: a * b, name="product", **(right | rules))


WRONG: dict[str, Any] = {
    "sign": product(a=lambda g, b: -g * b),
    "factor": product(b=lambda g, a: 2 * g * a),
    "own operand": product(a=lambda g, a: g * a),
    "upstream gradient forgotten": product(a=lambda g, b: b),
    "nothing": product(b=lambda g: g * 0),
    "not a number": product(b=lambda g: g * np.nan),
}


def test_a_right_rule_passes() -> None:
    assert gradcheck(product(), inputs((2, 3), (2, 3))) is True


@pytest.mark.parametrize("mistake", WRONG)
def test_a_planted_mistake_is_caught(mistake: str) -> None:
    with pytest.raises(GradcheckError, match=r"gradcheck of product, input [01], index"):
        gradcheck(WRONG[mistake], inputs((2, 3), (2, 3)))


class Forgetful(minitorch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return 2 * ctx.saved_tensors[0]


FORGETFUL: dict[str, Any] = {
    "a rule": lambda x: product(a=lambda g, b: b)(x, Tensor([1.0, 2.0])),
    "a Function": Forgetful.apply,
    "below another operation": lambda x: Forgetful.apply(x).exp(),
    "above another operation": lambda x: Forgetful.apply(x.exp()),
    "g squared": lambda x: product(a=lambda g, b: g * g * b)(x, Tensor([1.0, 2.0])),
}


@pytest.mark.parametrize("mistake", FORGETFUL)
def test_a_backward_that_does_not_multiply_by_g_is_told(mistake: str) -> None:
    with pytest.raises(GradcheckError, match=r"nudging .*; twice the upstream gradient g does not give twice the grad"):
        gradcheck(FORGETFUL[mistake], inputs((2,)))


@pytest.mark.parametrize("mistake", [name for name in WRONG if name != "upstream gradient forgotten"])
def test_another_mistake_is_not_called_that(mistake: str) -> None:
    with pytest.raises(GradcheckError) as caught:
        gradcheck(WRONG[mistake], inputs((2, 3), (2, 3)))
    assert "upstream" not in str(caught.value)


def test_a_mistake_that_a_sum_hides_is_caught() -> None:
    """Σ softmax is 1 whatever x is: with an upstream gradient of ones a rule that gives 0 would look right."""
    wrong = primitive(minitorch.softmax.declaration.forward, name="wrong", input=lambda g, out: out * 0)
    with pytest.raises(GradcheckError):
        gradcheck(lambda x: wrong(x, -1), inputs((2, 3)))


def test_a_missing_sum_over_broadcast_axes_is_caught() -> None:
    wrong = product(b=lambda g, a: (g * a)[:1].reshape(3))  # the first row's share instead of the sum
    with pytest.raises(GradcheckError, match="input 1"):
        gradcheck(wrong, inputs((2, 3), (3,)))


def test_a_rule_that_overwrites_instead_of_adding_is_caught() -> None:
    def doubled(x: Tensor) -> Tensor:
        out = Tensor(x.data + x.data, requires_grad=x.requires_grad, _prev=(x, x), _op="doubled")

        def _backward() -> None:
            x.grad = out.grad
            x.grad = out.grad

        out._backward = _backward
        return out

    with pytest.raises(GradcheckError, match="doubled"):
        gradcheck(doubled, inputs((3,)))


def test_the_report_names_op_input_index_analytic_and_numeric_value() -> None:
    wrong = primitive(lambda x: x * x, name="square", x=lambda g, x: g * x)
    with pytest.raises(GradcheckError) as caught:
        gradcheck(wrong, Tensor([[1.0, 0.0], [0.0, 3.0]]))
    text = str(caught.value)
    assert "square" in text
    assert "input 0" in text
    assert "index (0, 0)" in text
    analytic, numeric = [float(part.split()[0].rstrip(",")) for part in text.split(" says ")[1:]]
    assert numeric == pytest.approx(2 * analytic, rel=1e-6)


def test_a_large_input_is_checked_along_directions() -> None:
    assert gradcheck(minitorch.tanh, inputs((20, 20)))
    wrong = primitive(np.tanh, name="wrong", x=lambda g, out: g * (1 - out))
    with pytest.raises(GradcheckError, match="random direction 0"):
        gradcheck(wrong, inputs((20, 20)))


def test_one_wrong_entry_of_many_is_caught() -> None:
    def rule(g: Any, x: Any) -> Any:
        gradient = g * 2 * x
        gradient[7, 7] += 0.5
        return gradient

    with pytest.raises(GradcheckError):
        gradcheck(primitive(lambda x: x * x, name="square", x=rule), inputs((20, 20)))


def test_inputs_are_copied_and_keep_values_dtype_and_gradient() -> None:
    x = Tensor(np.array([1.0, 2.0], np.float32), requires_grad=True)
    array = np.array([3.0, 4.0])
    gradcheck(lambda a, b: a * b, [x, array])
    assert x.grad is None
    assert x.dtype == np.float32
    np.testing.assert_array_equal(x.data, [1.0, 2.0])
    np.testing.assert_array_equal(array, [3.0, 4.0])


def test_a_function_that_changes_its_input_is_caught() -> None:
    def meddling(x: Tensor) -> Tensor:
        out = x * 2.0
        x.data[0] = 5.0
        return out

    with pytest.raises(GradcheckError, match="changed its input 0 in place"):
        gradcheck(meddling, inputs((2,)))


def test_integer_inputs_are_held_fixed() -> None:
    assert gradcheck(lambda x, at: x[at], [Tensor([1.0, 2.0]), Tensor([0, 0, 1])])


def test_inputs_without_requires_grad_are_held_fixed_when_another_has_it() -> None:
    fixed = primitive(lambda a, b: a * b, name="half", a=lambda g, b: g * b)
    x = Tensor([1.0, 2.0], requires_grad=True)
    assert gradcheck(fixed, [x, Tensor([3.0, 4.0])])


def test_nothing_to_check_is_refused() -> None:
    with pytest.raises(TypeError, match="none of the inputs is a float, so there is no gradient to check"):
        gradcheck(lambda x: x, Tensor([1, 2]))
    with pytest.raises(TypeError, match="none of the inputs is a float"):
        gradcheck(lambda: Tensor(1.0), [])


def test_a_result_that_depends_on_no_input_is_refused() -> None:
    with pytest.raises(GradcheckError, match="the result does not depend on any input"):
        gradcheck(lambda x: x.detach() * 2.0, Tensor([1.0]))
    with pytest.raises(GradcheckError, match="the result does not depend on any input"):
        gradcheck(lambda x: 3.0, Tensor([1.0]))


def test_an_input_that_is_not_used_has_gradient_zero() -> None:
    assert gradcheck(lambda x, unused: x * 2.0, inputs((2,), (3,)))


def test_float32_rounding_does_not_disturb() -> None:
    assert gradcheck(lambda x: x.exp().sum(), Tensor(np.array([1.0, 2.0, 3.0], np.float32)))
