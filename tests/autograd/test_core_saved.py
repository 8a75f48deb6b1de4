"""What a Function and a checkpoint keep for backward, and at which place in the graph it comes back."""

import weakref
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import minitorch
from minitorch import Tensor, grad
from minitorch.autograd import Function, checkpoint
from minitorch.autograd.function import Context
from minitorch.autograd.scope import Scope, Scoped


def leaf(*values: float) -> Tensor:
    return Tensor(np.array(values), requires_grad=True)


class ExpAndSquare(Function):
    """Saves both of its outputs, something that is neither argument nor output, and no Tensor at all."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> tuple[Tensor, Tensor]:
        out, square = x.exp(), x * x
        ctx.save_for_backward(out, square, x + 1, "a word", None, x)
        return out, square

    @staticmethod
    def backward(ctx: Any, g: Tensor, h: Tensor) -> Tensor:
        out, square, more, word, nothing, x = ctx.saved_tensors
        assert isinstance(more, Tensor)
        assert not more.requires_grad
        np.testing.assert_array_equal(more.data, x.data + 1)
        np.testing.assert_array_equal(square.data, x.data * x.data)
        assert (word, nothing) == ("a word", None)
        return g * out + h * 2 * x


def test_outputs_come_back_with_their_values_and_their_history() -> None:
    x = leaf(0.5, -1.0)
    out, square = ExpAndSquare.apply(x)
    (first,) = grad((out * 3 + square).sum(), x, create_graph=True)
    assert first is not None
    np.testing.assert_allclose(first.data, 3 * np.exp(x.data) + 2 * x.data)
    (second,) = grad(first.sum(), x)
    assert second is not None
    np.testing.assert_allclose(second.data, 3 * np.exp(x.data) + 2)


class Times(Function):
    """x · y, with both saved; one of them may be a constant or a plain number."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, y: Any) -> Tensor:
        ctx.save_for_backward(x, y)
        return x * y

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> tuple[Any, ...]:
        x, y = ctx.saved_tensors
        return g * y, g * x


def test_a_constant_argument_comes_back_as_a_constant_tensor_and_a_number_as_it_was() -> None:
    x = leaf(2.0, 3.0)
    for other in (Tensor(np.array([5.0, 7.0])), 4.0):
        (found,) = grad(Times.apply(x, other).sum(), x)
        assert found is not None
        np.testing.assert_array_equal(found.data, np.broadcast_to(getattr(other, "data", other), 2))
        Times.apply(x, other).sum().backward()
    np.testing.assert_array_equal(x.grad, [5.0 + 4.0, 7.0 + 4.0])


def test_the_places_of_arguments_are_those_of_forward() -> None:
    x, y = leaf(2.0), leaf(5.0)
    (by_x,) = grad(Times.apply(x, y).sum(), x, create_graph=True)
    assert by_x is not None
    assert by_x.item() == 5.0
    (mixed,) = grad(by_x.sum(), y)
    assert mixed is not None
    assert mixed.item() == 1.0


def test_backward_may_return_arrays_as_well_as_tensors() -> None:
    class AsArray(Function):
        @staticmethod
        def forward(ctx: Any, x: Tensor) -> Tensor:
            return x * 2

        @staticmethod
        def backward(ctx: Any, g: Tensor) -> Any:
            return np.full(2, 2.0) * g.data

    x = leaf(1.0, 2.0)
    AsArray.apply(x).sum().backward()
    np.testing.assert_array_equal(x.grad, [2.0, 2.0])
    (found,) = grad(AsArray.apply(x).sum(), x, create_graph=True)
    assert isinstance(found, Tensor)
    np.testing.assert_array_equal(found.data, [2.0, 2.0])


def test_further_gradients_are_refused_unless_they_are_none() -> None:
    def returning(*extra: Any) -> Any:
        class Some(Function):
            @staticmethod
            def forward(ctx: Any, x: Tensor) -> Tensor:
                return x * 2

            @staticmethod
            def backward(ctx: Any, g: Tensor) -> tuple[Any, ...]:
                return (g * 2, *extra)

        return Some

    x = leaf(1.0)
    returning(None, None).apply(x).sum().backward()
    np.testing.assert_array_equal(x.grad, [2.0])
    with pytest.raises(RuntimeError, match=r"Some.backward returned 2 gradients for 1 arguments of forward"):
        returning(Tensor(1.0)).apply(x).sum().backward()


def test_what_was_saved_cannot_be_asked_for_outside_of_backward() -> None:
    kept: list[Any] = []

    class Keeping(Function):
        @staticmethod
        def forward(ctx: Any, x: Tensor) -> Tensor:
            ctx.save_for_backward(x)
            kept.append(ctx)
            return x * 2

        @staticmethod
        def backward(ctx: Any, g: Tensor) -> Tensor:
            assert len(ctx.saved_tensors) == 1
            return g * 2

    x = leaf(1.0)
    out = Keeping.apply(x)
    assert kept[0].saved_tensors == ()
    out.sum().backward()
    assert kept[0].saved_tensors == ()


def test_a_checkpoint_takes_what_is_no_tensor_and_lets_its_arguments_die() -> None:
    x = leaf(1.0, 2.0)
    middle = x * 3
    gone = weakref.ref(middle)
    out = checkpoint(lambda t, power, *, scale, shift: t**power * scale + shift, middle, 2, scale=5.0, shift=x)
    del middle
    assert gone() is None
    out.sum().backward()
    np.testing.assert_array_equal(x.grad, 2 * 9 * x.data * 5.0 + 1)


def test_a_checkpoint_of_something_made_before_it_is_that_very_thing() -> None:
    x = leaf(1.0)
    made = x * 2
    assert checkpoint(lambda t: made, x) is made
    assert checkpoint(lambda t: 7, x) == 7
    first, second, third = checkpoint(lambda t: (made, t * 2, 7), x)
    assert first is made
    assert third == 7
    assert second._op != "mul"
    second.sum().backward()
    np.testing.assert_array_equal(x.grad, [2.0])


def test_the_second_run_leaves_the_random_numbers_where_they_were_only_if_it_put_them_back() -> None:
    def noisy(t: Tensor) -> Tensor:
        return t * minitorch.rand(2)

    for preserve in (True, False):
        minitorch.manual_seed(0)
        out = checkpoint(noisy, leaf(1.0, 2.0), preserve_rng_state=preserve)
        state = minitorch.rand(3).data
        minitorch.manual_seed(0)
        out_again = checkpoint(noisy, leaf(1.0, 2.0), preserve_rng_state=preserve)
        out_again.sum().backward()
        assert np.array_equal(minitorch.rand(3).data, state) is preserve
        del out


def test_watchers_are_told_of_a_functions_arguments_as_arrays() -> None:
    heard: list[Any] = []

    class Listening(Scoped):
        def changed(self, scope: Scope) -> Scope:
            return replace(scope, watchers=(lambda *what: heard.append(what),))

    with Listening():
        out = Times.apply(leaf(2.0), 4.0)
    name, arguments, result, slots = heard[-1]
    assert (name, list(slots)) == ("Times", [0, 1])
    assert type(arguments[0]) is np.ndarray
    assert arguments[1] == 4.0
    assert result is out


def test_a_result_that_a_checkpoint_returns_twice_counts_twice() -> None:
    def twice(t: Tensor) -> tuple[Tensor, Tensor]:
        y = t * t
        return y, y

    x = leaf(3.0)
    first, second = checkpoint(twice, x)
    (first * 2 + second * 5).sum().backward()
    np.testing.assert_array_equal(x.grad, [7 * 6.0])


def test_calling_backward_by_hand_on_a_freed_call_says_so() -> None:
    x = leaf(2.0)
    for y in (Times.apply(x, x), checkpoint(lambda t: t * t, x)):
        y.sum().backward()
        with pytest.raises(RuntimeError, match=r"was freed by an earlier backward\(\)"):
            y._backward()


@pytest.mark.parametrize("shapes", [(2, 3), (3, 2)])
def test_a_second_run_of_another_shape_is_caught_whichever_is_larger(shapes: tuple[int, int]) -> None:
    left = list(shapes)
    x = leaf(1.0)
    out = checkpoint(lambda t: t * np.ones(left.pop(0)), x)
    with pytest.raises(RuntimeError, match="the function must do the same both times"):
        out.sum().backward()


class Arrivals:
    """A watcher that notes what no call of an operation made."""

    def __init__(self) -> None:
        self.heard: list[Any] = []

    def __call__(self, *what: Any) -> None:
        """Operations: not noted."""

    def arrived(self, tensor: Any, former: Any) -> None:
        self.heard.append((tensor, former))


def test_watchers_are_told_of_checkpoints_and_of_changes_in_place() -> None:
    arrivals = Arrivals()

    class Listening(Scoped):
        def changed(self, scope: Scope) -> Scope:
            return replace(scope, watchers=(lambda *what: None, arrivals))

    x = leaf(1.0)
    with Listening():
        out = checkpoint(lambda t: t * t, x)
        assert arrivals.heard == [(out, None)]
        y = x * 2
        y.add_(1.0)
    assert [tensor is y for tensor, _ in arrivals.heard] == [False, True]
    former = arrivals.heard[1][1]
    assert former is not y
    assert former._op == "add"


def test_gradients_of_unused_outputs_are_always_zeros() -> None:
    ctx = Context((True,))
    ctx.set_materialize_grads(True)
    with pytest.raises(ValueError, match="absent gradients are always zeros here"):
        ctx.set_materialize_grads(False)


def test_what_is_declared_a_constant_in_several_calls_adds_up() -> None:
    class Parts(Function):
        @staticmethod
        def forward(ctx: Any, x: Tensor) -> tuple[Tensor, ...]:
            first, second, third = x * 1, x * 2, x * 3
            ctx.mark_non_differentiable(first)
            ctx.mark_non_differentiable(third)
            return first, second, third

        @staticmethod
        def backward(ctx: Any, *grads: Tensor) -> Tensor:
            return grads[1] * 2

    assert [each.requires_grad for each in Parts.apply(leaf(1.0))] == [False, True, False]


def test_the_parents_of_a_checkpoint_are_what_it_began_from_and_nothing_older() -> None:
    x = leaf(1.0)
    middle = x * 2 + 1
    out = checkpoint(lambda t: t * t, middle)
    assert out._node is not None
    assert set(out._node.parents) == {middle._node}
