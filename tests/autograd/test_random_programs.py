"""Random programs: their gradients are right, share no memory, and come out the same step by step."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from programs import FEW, Program, central_differences, programs

from minitorch import Tensor
from minitorch.autograd.grad import steps


def leaves_of(program: Program) -> list[Tensor]:
    return [Tensor(array, requires_grad=True) for array in program.inputs()]


@FEW
@given(programs())
def test_gradients_agree_with_central_differences(program: Program) -> None:
    leaves = leaves_of(program)
    program.loss(leaves).backward()
    expected = central_differences(
        lambda arrays: program.loss([Tensor(array) for array in arrays]).item(), program.inputs()
    )
    for leaf, numeric in zip(leaves, expected, strict=True):
        np.testing.assert_allclose(
            np.zeros(leaf.shape) if leaf.grad is None else leaf.grad, numeric, rtol=1e-5, atol=1e-7
        )


@FEW
@given(programs(), st.data())
def test_no_two_gradients_share_memory(program: Program, data: st.DataObject) -> None:
    leaves = leaves_of(program)
    pool = program.run(leaves)
    held = [t for t in pool if t in leaves or data.draw(st.booleans(), label="held")]
    root = pool[-1]
    seed = np.ones(root.shape)
    del pool
    root.backward(seed, retain_graph=True)
    kept = [tensor.grad for tensor in (*held, root)]
    root.backward(seed)
    reached = list({id(t): t for t in (*held, root) if t.grad is not None}.values())
    once = {id(array): array for array in (*kept, *[t.grad for t in reached]) if array is not None}
    others = [seed, *[tensor.data for tensor in (*held, root)]]
    gradients = list(once.values())
    for place, gradient in enumerate(gradients):
        assert gradient.flags.writeable
        assert not any(np.shares_memory(gradient, other) for other in (*gradients[:place], *others))
    for tensor in reached:
        assert type(tensor.grad) is np.ndarray
        assert (tensor.grad.shape, tensor.grad.dtype) == (tensor.shape, tensor.dtype)


@FEW
@given(programs(longest=6))
def test_steps_fold_to_the_gradients_and_leave_every_grad_untouched(program: Program) -> None:
    leaves = leaves_of(program)
    loss = program.loss(leaves)
    if not loss.requires_grad:
        return
    folded: dict[object, np.ndarray] = {}
    order = []
    for step in (each for taken in steps(loss) for each in taken.contributions):
        assert step.first == (step.parent not in folded)
        assert step.gradient.shape == step.parent.shape
        folded[step.parent] = step.gradient if step.before is None else step.before + step.gradient
        order.append(step.node.uid)
    assert order == sorted(order, reverse=True)
    assert all(leaf.grad is None for leaf in leaves)
    loss.backward()  # nothing was freed
    for leaf in leaves:
        if leaf.grad is None:
            assert leaf._node not in folded
        else:
            np.testing.assert_array_equal(leaf.grad, folded[leaf._node])


def test_steps_start_from_nothing_whatever_earlier_passes_left() -> None:
    x = Tensor([1.0, 2.0], requires_grad=True)
    loss = (x * x).sum()
    loss.backward(retain_graph=True)
    loss.backward(retain_graph=True)
    last = [each for step in steps(loss) for each in step.contributions if each.parent is x._node][-1]
    assert last.before is not None
    np.testing.assert_array_equal(last.before + last.gradient, [2.0, 4.0])
    np.testing.assert_array_equal(x.grad, [4.0, 8.0])


def test_steps_tell_which_axes_were_summed() -> None:
    bias = Tensor([1.0, 2.0], requires_grad=True)
    column = Tensor([[1.0], [2.0], [3.0]], requires_grad=True)
    total = (bias + column).sum()
    reduced = {each.parent: each.reduced_axes for step in steps(total) for each in step.contributions}
    assert reduced[bias._node] == (0,)
    assert reduced[column._node] == (1,)
    assert reduced[total._prev[0]] == ()


def test_steps_refuse_what_backward_refuses() -> None:
    x = Tensor([1.0, 2.0], requires_grad=True)
    loss = (x * x).sum()
    loss.backward()
    with pytest.raises(RuntimeError, match="retain_graph=True"):
        next(steps(loss))
    with pytest.raises(RuntimeError, match="on a constant"):
        next(steps(Tensor(1.0)))
    with pytest.raises(RuntimeError, match="starts from one number"):
        next(steps(x * 2.0))
