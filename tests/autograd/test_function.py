"""Function: PyTorch's way to write an operation of one's own."""

import gc
import weakref
from typing import Any

import numpy as np
import pytest

from minitorch import Tensor, grad, gradcheck, gradgradcheck, no_grad
from minitorch.autograd import Function


def leaf(*values: float) -> Tensor:
    return Tensor(np.array(values), requires_grad=True)


class Cube(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        return x * x * x

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return g * 3 * x * x


class Exp(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        out = x.exp()
        ctx.save_for_backward(out)
        return out

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Tensor:
        (out,) = ctx.saved_tensors
        return g * out


class SumAndProduct(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, y: Tensor, scale: float) -> tuple[Tensor, Tensor]:
        total, product = x + y, (x * y).sum()
        ctx.save_for_backward(x, y, total)
        ctx.scale = scale
        return total * scale, product

    @staticmethod
    def backward(ctx: Any, g_total: Tensor, g_product: Tensor) -> tuple[Any, ...]:
        x, y, _ = ctx.saved_tensors
        assert ctx.needs_input_grad[2] is False
        return g_total * ctx.scale + g_product * y, g_total * ctx.scale + g_product * x, None


@pytest.mark.parametrize("function", [Cube, Exp])
def test_values_and_gradients_of_every_order(function: type[Function]) -> None:
    x = leaf(0.5, -1.0, 2.0)
    assert gradcheck(function.apply, x)
    assert gradgradcheck(function.apply, x)
    (first,) = grad(Exp.apply(x).sum(), x, create_graph=True)
    (second,) = grad(first.sum(), x, create_graph=True)
    np.testing.assert_allclose(second.data, np.exp(x.data))


def test_several_outputs_share_one_backward() -> None:
    x, y = leaf(1.0, 2.0), leaf(3.0, 5.0)
    assert gradcheck(lambda x, y: SumAndProduct.apply(x, y, 2.0), [x, y])
    assert gradgradcheck(lambda x, y: SumAndProduct.apply(x, y, 2.0), [x, y])
    total, product = SumAndProduct.apply(x, y, 2.0)
    assert (total.shape, product.shape) == ((2,), ())
    (total.sum() + product).backward()
    np.testing.assert_array_equal(x.grad, [5.0, 7.0])


def test_an_output_that_nobody_used_has_a_gradient_of_zeros() -> None:
    x, y = leaf(1.0, 2.0), leaf(3.0, 5.0)
    SumAndProduct.apply(x, y, 2.0)[1].backward()
    np.testing.assert_array_equal(x.grad, [3.0, 5.0])


def test_forward_is_not_recorded_and_neither_is_backward() -> None:
    class Watched(Cube):
        @staticmethod
        def backward(ctx: Any, g: Tensor) -> Tensor:
            result = Cube.backward(ctx, g)
            assert not result.requires_grad
            return result

    out = Watched.apply(leaf(2.0))
    assert out._op == "Watched"
    assert [parent.is_leaf for parent in out._prev] == [True]
    out.sum().backward()


def test_under_no_grad_the_result_is_a_constant() -> None:
    with no_grad():
        assert not Cube.apply(leaf(2.0)).requires_grad


def test_the_newer_style_saves_in_setup_context() -> None:
    class Square(Function):
        @staticmethod
        def forward(x: Tensor) -> Tensor:  # type: ignore[override]
            return x * x

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            ctx.save_for_backward(*inputs)

        @staticmethod
        def backward(ctx: Any, g: Tensor) -> Tensor:
            return g * 2 * ctx.saved_tensors[0]

    assert gradcheck(Square.apply, leaf(1.0, 2.0))


def test_what_was_saved_is_freed_with_the_graph() -> None:
    out = Cube.apply(leaf(2.0)).sum()
    out.backward()
    with pytest.raises(RuntimeError, match="retain_graph=True"):
        out.backward()


def test_no_cycle_even_if_an_output_is_saved() -> None:
    gc.collect()
    gc.disable()
    try:
        x, y = leaf(1.0, 2.0), leaf(1.0, 2.0)
        results = [Exp.apply(x), *SumAndProduct.apply(x, y, 1.0)]
        gone = [weakref.ref(each) for each in results]
        del results
        assert not any(each() for each in gone)
    finally:
        gc.enable()


def test_an_argument_that_is_returned_as_it_came_gets_memory_of_its_own() -> None:
    class Same(Function):
        @staticmethod
        def forward(ctx: Any, x: Tensor) -> Tensor:
            return x

        @staticmethod
        def backward(ctx: Any, g: Tensor) -> Tensor:
            return -g

    x = leaf(1.0, 2.0)
    out = Same.apply(x)
    assert out is not x
    assert not np.shares_memory(out.data, x.data)
    out.sum().backward()
    np.testing.assert_array_equal(x.grad, [-1.0, -1.0])


def test_two_gradients_from_one_array_do_not_share_it() -> None:
    class Twice(Function):
        @staticmethod
        def forward(ctx: Any, x: Tensor, y: Tensor) -> Tensor:
            return x + y

        @staticmethod
        def backward(ctx: Any, g: Tensor) -> tuple[Tensor, Tensor]:
            return g, g

    x, y = leaf(1.0, 2.0), leaf(1.0, 2.0)
    Twice.apply(x, y).sum().backward()
    assert not np.shares_memory(x.grad, y.grad)


@pytest.mark.parametrize(
    ("backward", "error", "message"),
    [
        (lambda ctx, g: (g, g, g), RuntimeError, "Wrong.backward returned 3 gradients for 2 arguments of forward"),
        (lambda ctx, g: g, RuntimeError, "Wrong.backward returned 1 gradients for 2 arguments"),
        (
            lambda ctx, g: (g[:1], g),
            RuntimeError,
            r"the gradient rule of Wrong returned shape \(1,\) for an operand of",
        ),
    ],
)
def test_a_wrong_backward_is_named(backward: Any, error: type[Exception], message: str) -> None:
    class Wrong(Function):
        @staticmethod
        def forward(ctx: Any, x: Tensor, y: Tensor) -> Tensor:
            return x + y

    Wrong.backward = staticmethod(backward)  # type: ignore[method-assign]
    with pytest.raises(error, match=message):
        Wrong.apply(leaf(1.0, 2.0), leaf(1.0, 2.0)).sum().backward()


def test_what_is_missing_is_named() -> None:
    class Empty(Function):
        pass

    with pytest.raises(NotImplementedError, match=r"needs a static method forward\(ctx, \*args\)"):
        Empty.apply(leaf(1.0))

    class NoBackward(Function):
        @staticmethod
        def forward(ctx: Any, x: Tensor) -> Tensor:
            return x * 2.0

    with pytest.raises(NotImplementedError, match="needs a static method backward"):
        NoBackward.apply(leaf(1.0)).sum().backward()

    class NoTensor(Function):
        @staticmethod
        def forward(ctx: Any, x: Tensor) -> Any:
            return 3.0

    with pytest.raises(TypeError, match=r"NoTensor\.forward must return Tensors, but output 0 is float"):
        NoTensor.apply(leaf(1.0))


def test_backward_gets_a_gradient_for_every_output_zeros_for_constants() -> None:
    seen: list[Any] = []

    class Ranked(Function):
        @staticmethod
        def forward(ctx: Any, x: Tensor) -> tuple[Tensor, ...]:
            rounded = x * 0.0 + 1.0
            ctx.mark_non_differentiable(rounded)
            return x.argmax(), x * 3.0, rounded, x * 5.0

        @staticmethod
        def backward(ctx: Any, *grads: Tensor) -> Tensor:
            seen.extend((g.tolist(), g.dtype) for g in grads)
            return grads[1] * 3.0 + grads[3] * 5.0

    x = leaf(1.0, 4.0)
    place, triple, rounded, five = Ranked.apply(x)
    assert not place.requires_grad
    assert not rounded.requires_grad
    (triple * 2.0 + five).sum().backward()
    np.testing.assert_array_equal(x.grad, [11.0, 11.0])
    ints, floats = np.dtype(np.int64), np.dtype(np.float64)
    assert seen == [(0, ints), ([2.0, 2.0], floats), ([0.0, 0.0], floats), ([1.0, 1.0], floats)]
