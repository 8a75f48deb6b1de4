"""checkpoint: the same gradients, and nothing kept of what happens inside."""

from typing import Any, NamedTuple

import numpy as np
import pytest
from array_count import counted_arrays, large_array

import minitorch
from minitorch import Tensor, gradcheck, gradgradcheck, no_grad
from minitorch.autograd import checkpoint


def leaf(*values: float) -> Tensor:
    return Tensor(np.array(values), requires_grad=True)


def part(x: Tensor, w: Tensor) -> Tensor:
    return (x * w).tanh() * x


def test_gradients_of_every_order_are_those_without_it() -> None:
    x, w = leaf(0.5, -1.0), leaf(2.0, 0.3)
    assert gradcheck(lambda x, w: checkpoint(part, x, w), [x, w])
    assert gradgradcheck(lambda x, w: checkpoint(part, x, w), [x, w])
    part(x, w).sum().backward()
    expected = [x.grad, w.grad]
    x.grad = w.grad = None
    checkpoint(part, x, w).sum().backward()
    np.testing.assert_array_equal([x.grad, w.grad], expected)


def test_what_the_function_closes_over_gets_its_gradient_too() -> None:
    x, w = leaf(0.5, -1.0), leaf(2.0, 0.3)
    hidden = w * 3.0
    checkpoint(lambda x: x * hidden * w, x).sum().backward()
    np.testing.assert_allclose(w.grad, 6 * w.data * x.data)
    np.testing.assert_allclose(hidden.grad, x.data * w.data)


def test_weights_alone_may_want_gradients() -> None:
    w = leaf(2.0, 0.3)
    checkpoint(lambda x: x * w, Tensor(np.array([1.0, 2.0]))).sum().backward()
    np.testing.assert_array_equal(w.grad, [1.0, 2.0])


def test_a_tensor_that_is_an_ancestor_of_another_argument_is_counted_once() -> None:
    assert gradcheck(lambda x: checkpoint(lambda a, b: a * b, x, x * x), leaf(0.5, 2.0))
    assert gradcheck(lambda x: checkpoint(lambda a, b: a * b, x, x), leaf(0.5, 2.0))


def test_nested_checkpoints_and_chains_of_them() -> None:
    def inner(x: Tensor) -> Tensor:
        return checkpoint(lambda x: x.tanh() * 2.0, x)

    def chain(x: Tensor) -> Tensor:
        for _ in range(3):
            x = checkpoint(inner, x)
        return x

    assert gradcheck(chain, leaf(0.5, 2.0))


class Pair(NamedTuple):
    large: Any
    small: Any


def test_several_results_come_in_the_container_that_the_function_chose() -> None:
    x = leaf(1.0, 2.0)
    pair = checkpoint(lambda x: Pair(x * 2.0, x.sum()), x)
    assert isinstance(pair, Pair)
    (pair.large.sum() + pair.small).backward()
    np.testing.assert_array_equal(x.grad, [3.0, 3.0])
    doubled, same, number = checkpoint(lambda x: (x * 2.0, x, 7), x)
    assert same is x
    assert number == 7
    assert doubled._prev


def test_random_numbers_are_drawn_again_as_they_were() -> None:
    x = Tensor(np.ones(50), requires_grad=True)
    out = checkpoint(lambda x: x * minitorch.rand(50, dtype=np.float64), x)
    minitorch.rand(7)
    before = minitorch.autograd.scope.current_scope().random.generator.bit_generator.state
    out.sum().backward()
    np.testing.assert_array_equal(x.grad, out.data)
    after = minitorch.autograd.scope.current_scope().random.generator.bit_generator.state
    assert after == before


def test_inside_nothing_is_kept() -> None:
    def deep(x: Tensor) -> Tensor:
        for _ in range(10):
            x = x.tanh()
        return x

    with counted_arrays() as arrays:
        x = Tensor(large_array(), requires_grad=True)
        h = x
        for _ in range(5):
            h = checkpoint(deep, h)
        assert arrays.live() <= 1 + 5
        loss = h.sum()
        del h
        arrays.forget_peak()
        loss.backward()
        assert arrays.peak() <= 5 + 10 + 8  # the results between the parts, and one part at a time


def test_under_no_grad_it_is_the_function() -> None:
    with no_grad():
        assert not checkpoint(part, leaf(1.0), leaf(2.0)).requires_grad


def test_a_second_backward_names_retain_graph() -> None:
    loss = checkpoint(part, leaf(1.0), leaf(2.0)).sum()
    loss.backward(retain_graph=True)
    loss.backward()
    with pytest.raises(RuntimeError, match="retain_graph=True"):
        loss.backward()


def test_a_function_that_does_something_else_the_second_time_is_caught() -> None:
    runs: list[int] = []

    def fickle(x: Tensor) -> Tensor:
        runs.append(1)
        return x * 2.0 if len(runs) == 1 else x.sum()

    with pytest.raises(
        RuntimeError, match=r"checkpoint: the second run returned shapes \[\(\)\], the first \[\(2,\)\]"
    ):
        checkpoint(fickle, leaf(1.0, 2.0)).sum().backward()


@pytest.mark.parametrize("reentrant", [None, False, True])
def test_pytorchs_use_reentrant_is_accepted_and_not_handed_on(reentrant: bool | None) -> None:
    x, w = leaf(0.5, -1.0), leaf(2.0, 0.3)
    checkpoint(lambda x: x * w, x, use_reentrant=reentrant).sum().backward()
    np.testing.assert_array_equal([x.grad, w.grad], [w.data, x.data])


def test_constants_are_tensors_the_second_time_too() -> None:
    x, mask = Tensor([1.0, 2.0], requires_grad=True), Tensor([0.0, 1.0])

    def kept(x: Tensor, mask: Tensor, *, most: Tensor) -> Tensor:
        return x * mask.unsqueeze(0).view(-1) * most.detach()

    checkpoint(kept, x, mask, most=Tensor(3.0)).sum().backward()
    assert x.grad.tolist() == [0.0, 3.0]


def test_a_hook_of_a_tensor_outside_is_called_once() -> None:
    called: list[float] = []
    w, x = leaf(3.0), leaf(2.0)
    w.register_hook(lambda g: called.append(g.item()) or g * 10)
    checkpoint(lambda x: x * w, x).sum().backward()
    assert called == [2.0]
    np.testing.assert_array_equal(w.grad, [20.0])
