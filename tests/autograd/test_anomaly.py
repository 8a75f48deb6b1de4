"""detect_anomaly names the forward line that made the first NaN or infinity, and the line that changes saved arrays."""

import contextvars
from typing import Any

import numpy as np
import pytest

import minitorch
from minitorch import Tensor, detect_anomaly, grad, is_grad_enabled, primitive
from minitorch.autograd import AnomalyError, Function, checkpoint, set_detect_anomaly


def leaf(*values: float) -> Tensor:
    return Tensor(np.array(values), requires_grad=True)


pytestmark = pytest.mark.filterwarnings("ignore:.*encountered:RuntimeWarning")


def test_the_operation_and_the_line_that_made_the_first_nan_are_named() -> None:
    x = leaf(1.0, -1.0)

    def program() -> None:
        h = x * 2.0
        h = h.log()  # the guilty line
        h.sum()

    with pytest.raises(AnomalyError) as caught, detect_anomaly():
        program()
    text = str(caught.value)
    assert text.startswith("log made nan at index (1,) out of finite numbers, at test_anomaly.py:")
    assert "h = h.log()  # the guilty line" in text


def test_infinities_and_constants_are_noticed() -> None:
    with pytest.raises(AnomalyError, match=r"div made inf at index \(\) out of finite numbers"), detect_anomaly():
        Tensor(np.array(1.0)) / Tensor(np.array(0.0))


def test_an_infinity_that_was_there_before_is_nobodys_fault() -> None:
    with detect_anomaly():
        scores = Tensor(np.array([1.0, 2.0]), requires_grad=True)
        masked = minitorch.where(np.array([True, False]), scores, -np.inf)
        masked.softmax(dim=0)[0].backward()
    assert np.isfinite(scores.grad).all()


def test_a_backward_rule_that_makes_an_infinity_names_the_forward_line() -> None:
    x = leaf(0.0, 4.0)
    with detect_anomaly():
        h = x.sqrt()  # the guilty line
        with pytest.raises(AnomalyError) as caught:
            h.sum().backward()
    text = str(caught.value)
    assert text.startswith("the gradient rule of sqrt (test_anomaly.py:")
    assert "h = x.sqrt()  # the guilty line" in text
    assert "made inf at index (0,)" in text


def test_backward_of_a_graph_that_was_made_before_is_checked_too() -> None:
    x = leaf(0.0, 4.0)
    loss = x.sqrt().sum()
    with detect_anomaly(), pytest.raises(AnomalyError, match=r"sqrt \(made before detect_anomaly\) made inf"):
        loss.backward()
    with detect_anomaly(), pytest.raises(AnomalyError, match="made inf"):
        grad(x.sqrt().sum(), x, create_graph=True)


def test_a_rule_that_returns_a_wrong_shape_is_named() -> None:
    wrong = primitive(lambda x: x * 2, name="wrong", x=lambda g: g[:1])
    x = leaf(1.0, 2.0)
    with (
        detect_anomaly(),
        pytest.raises(RuntimeError, match=r"wrong.* returned shape \(1,\) for an operand of shape \(2,\)"),
    ):
        wrong(x).sum().backward()


def test_the_line_that_changes_a_saved_array_is_named() -> None:
    x = leaf(1.0, 2.0)

    def program() -> None:
        loss = (x * x).sum()
        x.data[0] = 5.0  # the guilty line
        loss.backward()

    with pytest.raises(AnomalyError) as caught, detect_anomaly():
        program()
    text = str(caught.value)
    assert text.startswith("test_anomaly.py:")
    assert "x.data[0] = 5.0  # the guilty line changes an array in place that a recorded operation saved" in text


def test_saved_arrays_are_writeable_again_after_backward_or_with_the_graph() -> None:
    x = leaf(1.0, 2.0)
    with detect_anomaly():
        (x * x).sum().backward()
        x.data -= 0.1 * x.grad
        loss = (x * x).sum()
        assert not x.data.flags.writeable
        del loss
        assert x.data.flags.writeable


def test_an_array_that_was_read_only_before_stays_so() -> None:
    fixed = np.array([1.0, 2.0])
    fixed.flags.writeable = False
    c = minitorch.from_numpy(fixed)
    with detect_anomaly():
        (leaf(1.0, 2.0) * c).sum().backward()
    assert not fixed.flags.writeable


def test_gradients_are_those_without_it() -> None:
    x = leaf(0.5, 2.0)
    with detect_anomaly():
        loss = ((x.tanh() * x).softmax(dim=0) ** 2).sum()
        loss.backward()
    inside, x.grad = x.grad, None
    ((x.tanh() * x).softmax(dim=0) ** 2).sum().backward()
    np.testing.assert_array_equal(inside, x.grad)


def test_functions_are_watched_too() -> None:
    class Reciprocal(Function):
        @staticmethod
        def forward(ctx: Any, x: Tensor) -> Tensor:
            return Tensor(np.array([np.nan]))

        @staticmethod
        def backward(ctx: Any, g: Tensor) -> Tensor:
            return g

    with pytest.raises(AnomalyError, match="Reciprocal made nan at index"), detect_anomaly():
        Reciprocal.apply(leaf(1.0))


def test_it_decorates_nests_and_ends() -> None:
    @detect_anomaly()
    def log(x: Tensor) -> Tensor:
        return x.log()

    with pytest.raises(AnomalyError):
        log(Tensor([-1.0]))
    with detect_anomaly(), detect_anomaly():
        assert is_grad_enabled()
    assert np.isnan(Tensor([-1.0]).log().item())


def test_it_is_set_as_told_until_its_block_ends() -> None:
    with set_detect_anomaly(True):
        with set_detect_anomaly(False):
            assert np.isnan(Tensor([-1.0]).log().data)
        with pytest.raises(AnomalyError):
            Tensor([-1.0]).log()
    assert np.isnan(Tensor([-1.0]).log().data)


@pytest.mark.parametrize("part", [lambda function, *args: function(*args), checkpoint], ids=["plain", "checkpoint"])
def test_a_weight_and_views_of_it_may_be_changed_once_the_graph_is_freed(part: Any) -> None:
    weight, x = leaf(1.0, 2.0, 3.0, 4.0), leaf(0.5, 0.25)

    def squares(x: Tensor) -> Tensor:
        first, last = weight[:2], weight[2:]
        return (weight * weight).sum() + (first * x).sum() + (last * x).sum()

    with detect_anomaly():
        for _ in range(2):
            weight.grad = None
            part(squares, x).backward()
            np.testing.assert_allclose(weight.grad, 2 * weight.data + [0.5, 0.25, 0.5, 0.25])
            with minitorch.no_grad():
                weight.sub_(0.125)
    weight.data[0] = 7.0


def test_a_view_that_was_made_meanwhile_may_be_changed_afterwards() -> None:
    with detect_anomaly():
        shown = leaf(1.0, 2.0).tanh().view(2, 1)
        wide = shown.expand(2, 3)
        shown.sum().backward()
        shown.detach().zero_()
        with pytest.raises(RuntimeError, match=r"an expanded view\?"):
            wide.detach().zero_()
    assert shown.tolist() == [[0.0], [0.0]]


def test_what_a_checkpoint_let_go_of_may_be_changed_before_backward() -> None:
    x = leaf(1.0, 2.0)
    with detect_anomaly():
        result = checkpoint(lambda x: x.tanh().view(2, 1), x)
        result.detach().zero_()
        result.sum().backward()
    np.testing.assert_allclose(x.grad, 1 - np.tanh([1.0, 2.0]) ** 2)


def test_a_change_too_early_is_named_without_a_block_too() -> None:
    def program() -> None:
        set_detect_anomaly(True)
        x = leaf(1.0, 2.0)
        h = x.exp()
        kept = (h * h).sum()
        h.detach().mul_(2)  # the guilty line
        kept.backward()

    with pytest.raises(
        AnomalyError, match=r"test_anomaly.py:\d+: h.detach\(\).mul_\(2\)  # the guilty line changes an"
    ):
        contextvars.copy_context().run(program)
