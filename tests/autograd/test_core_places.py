"""A Tensor's place in the graph: what a node tells, what is changed in place, and what a mode decorates."""

import asyncio
import inspect
import re
from dataclasses import FrozenInstanceError
from typing import Any

import numpy as np
import pytest

import minitorch
from minitorch import Tensor, enable_grad, inference_mode, no_grad, primitive, set_grad_enabled
from minitorch.autograd import detect_anomaly
from minitorch.autograd.backward import free
from minitorch.autograd.in_place import changed
from minitorch.autograd.node import Node, NodeMeta, last_uid
from minitorch.autograd.rules import MultiOutputRule, UserBackward
from minitorch.autograd.scope import Scoped, current_scope
from minitorch.compat.autograd.anomaly import Lock, follow, is_locked


def leaf(*values: float) -> Tensor:
    return Tensor(np.array(values), requires_grad=True)


def test_a_node_tells_what_made_it() -> None:
    x = leaf(1.0, 2.0)
    y = x * 3
    total = y.sum()
    assert x._node is not None
    assert y._node is not None
    assert total._node is not None
    assert (x._node.op, y._node.op, total._node.op) == ("", "mul", "sum")
    assert (x._op, y._op, Tensor(1.0)._op) == ("", "mul", "")
    assert [node.is_leaf for node in (x._node, y._node)] == [True, False]
    assert (x._node.parents, y._node.parents, total._node.parents) == ((), (x._node, None), (y._node,))
    assert repr(x._node) == f"Node(leaf, shape=(2,), dtype=float64, uid={x._node.uid})"
    assert repr(y._node) == f"Node(mul, shape=(2,), dtype=float64, uid={y._node.uid})"
    assert y._node.tensor is y
    assert (x.grad_fn, y.grad_fn) == (None, y._node)
    assert not hasattr(x._node, "__dict__")


def test_a_node_knows_its_tensor_only_while_the_tensor_is_there() -> None:
    x = leaf(1.0)
    y = x * 2
    old = y._node
    assert old is not None
    y.mul_(3.0)
    assert old.tensor is None
    assert y._node is not old
    assert (y._node == old) is False  # though both refer to y
    assert len({y._node, old}) == 2
    assert y._node is not None
    assert y._node.tensor is y
    new = y._node
    del y
    assert new.tensor is None


def test_numbers_of_creation_only_grow() -> None:
    before = last_uid()
    x = leaf(1.0)
    assert x._node is not None
    assert before < x._node.uid < last_uid()


def test_a_lock_is_on_what_could_be_written_to_and_opens_that_alone() -> None:
    free, locked = np.ones(2), np.ones(2)
    locked.flags.writeable = False
    notes = NodeMeta()
    assert (notes.line, notes.hooks) == ("", {})
    notes.lock = Lock([free, locked, "no array"])
    assert is_locked(free)
    assert not free.flags.writeable
    notes.unlock()
    assert free.flags.writeable
    assert not locked.flags.writeable
    notes.lock = Lock([free])
    del notes
    assert free.flags.writeable
    assert not is_locked(free)


@pytest.mark.parametrize("first", [0, 1])
def test_an_array_and_its_view_are_opened_together_by_the_last_of_their_locks(first: int) -> None:
    whole = np.ones(4)
    view = whole[:2]
    locks = [Lock([whole]), Lock([view])]
    born = whole[2:]
    follow(born)
    locks.pop(first).release()
    assert not whole.flags.writeable
    assert not view.flags.writeable
    locks.pop().release()
    assert whole.flags.writeable
    assert view.flags.writeable
    assert born.flags.writeable


def test_requires_grad_is_switched_on_leaves_alone() -> None:
    x = Tensor(np.ones(2))
    assert x.requires_grad_() is x
    node = x._node
    x.requires_grad = True
    assert x._node is node
    assert x.is_leaf
    y = x * 2
    assert not y.is_leaf
    y.requires_grad = True
    with pytest.raises(RuntimeError, match=r"requires_grad of a result \(mul\) cannot be switched off: use detach"):
        y.requires_grad = False
    x.requires_grad_(False)
    assert not x.requires_grad
    assert x._node is None
    with pytest.raises(TypeError, match="only floats can have a gradient, not int64"):
        Tensor(np.array([1])).requires_grad_()


def test_what_is_no_number_is_refused_by_name() -> None:
    with pytest.raises(TypeError, match="complex numbers"):
        Tensor(1.0) + 1j
    with pytest.raises(TypeError, match="complex numbers"):
        Tensor(1.0) + np.ones(2, np.complex64)
    with pytest.raises(TypeError, match=r"a Tensor holds real numbers or bools, not str \("):
        Tensor(1.0) + "a"
    with pytest.raises(ValueError, match="lists of equal lengths"):
        minitorch.add(Tensor(1.0), [[1.0], [1.0, 2.0]])


def test_a_recorded_change_keeps_the_dtype_and_a_wider_operand_gets_its_gradient() -> None:
    x, wide = Tensor(np.ones(2, np.float32), requires_grad=True), leaf(2.0, 3.0)
    y = x * 1
    y.mul_(wide)
    assert y.dtype == np.float32
    assert y._node is not None
    assert y._node.dtype == np.float32
    y.sum().backward()
    np.testing.assert_array_equal(x.grad, [2.0, 3.0])
    np.testing.assert_array_equal(wide.grad, [1.0, 1.0])
    assert wide.grad is not None
    assert wide.grad.dtype == np.float64


def test_freeing_twice_and_freeing_a_hand_made_node() -> None:
    x = leaf(2.0)
    y = x * 2
    y._backward = lambda: None
    assert y._node is not None
    free(y._node)
    free(y._node)
    assert y._op == "mul"
    with pytest.raises(RuntimeError, match="this hand-made _backward was freed by a backward pass"):
        y._backward()


def test_a_hand_made_rule_of_a_node_without_a_name_says_a_tensor() -> None:
    rule = UserBackward("")
    with pytest.raises(RuntimeError, match="the hand-made _backward of a Tensor"):
        rule.pull_recorded(Node(Tensor(1.0)), Tensor(1.0), None)


@pytest.mark.parametrize("mode", [no_grad(), enable_grad(), inference_mode(), inference_mode(False)])
def test_a_decorated_function_keeps_its_name_and_restores_the_mode(mode: Any) -> None:
    def function(value: int, *, more: int) -> tuple[int, int, bool]:
        """Says what it was given."""
        return value, more, minitorch.is_grad_enabled()

    decorated = mode(function)
    assert decorated.__name__ == "function"
    assert decorated.__doc__ == "Says what it was given."
    inside = decorated(1, more=2)
    with mode:
        assert inside == (1, 2, minitorch.is_grad_enabled())
    assert minitorch.is_grad_enabled()


def test_a_decorated_coroutine_is_a_coroutine_still() -> None:
    @no_grad()
    async def function() -> bool:
        """Waits."""
        await asyncio.sleep(0)
        return minitorch.is_grad_enabled()

    assert inspect.iscoroutinefunction(function)
    assert function.__name__ == "function"
    assert asyncio.run(function()) is False
    assert minitorch.is_grad_enabled()


def test_generators_of_both_kinds_are_refused_by_name() -> None:
    def one() -> Any:
        yield 1

    async def other() -> Any:
        yield 1

    for function in (one, other):
        with pytest.raises(
            TypeError, match=rf"no_grad cannot decorate the generator {function.__name__}: write `with no_grad\(\):`"
        ):
            no_grad()(function)


def test_set_grad_enabled_counts_at_once_and_as_a_decorator_only_inside() -> None:
    set_grad_enabled(False)
    assert not minitorch.is_grad_enabled()
    set_grad_enabled(1)
    assert minitorch.is_grad_enabled()
    decorated = set_grad_enabled(False)(minitorch.is_grad_enabled)
    assert minitorch.is_grad_enabled()
    assert decorated() is False
    assert minitorch.is_grad_enabled()


def test_seeding_keeps_the_generator_that_somebody_holds() -> None:
    generator = minitorch.autograd.scope.current_scope().random.generator
    minitorch.manual_seed(3)
    first = generator.random(2)
    minitorch.manual_seed(3)
    np.testing.assert_array_equal(generator.random(2), first)
    assert minitorch.autograd.scope.current_scope().random.generator is generator


def test_calling_backward_by_hand_on_a_leaf_or_a_constant_does_nothing() -> None:
    x = leaf(1.0)
    x._backward()
    Tensor(1.0)._backward()
    assert x.grad is None


def test_what_is_neither_a_number_nor_complex_is_called_by_its_type() -> None:
    with pytest.raises(TypeError, match=r"not ndarray \(timedelta64"):
        Tensor(1.0) + np.array([1], "m8[s]")
    with pytest.raises(TypeError, match=r"not list \(object\)"):
        minitorch.add(Tensor(1.0), [None])


def test_numbers_among_those_of_several_tensors_that_were_changed_are_refused() -> None:
    product = primitive(
        lambda *tensors: tensors[0] * tensors[1],
        name="product",
        tensors=lambda g, tensors, slot: g * tensors[1 - slot],
    )
    x, c = leaf(2.0), Tensor(np.array([3.0]))
    result = product(x, c)
    c.add_(1.0)
    with pytest.raises(RuntimeError, match=r"product saved numbers .* which add_ has changed in place since"):
        result.sum().backward()


def test_numbers_that_others_saved_beside_arrays_forbid_nothing() -> None:
    scaled = primitive(lambda x, factor: x * factor, name="scaled", x=lambda g, x, factor: g * factor)
    result = scaled(leaf(2.0), 3.0)
    c = Tensor(np.array([3.0]))
    held = c.data
    c.add_(1.0)
    np.testing.assert_array_equal(held, [4.0])
    assert result.requires_grad


def test_a_mode_must_say_what_it_changes_and_a_row_how_it_goes_back() -> None:
    with pytest.raises(NotImplementedError), Scoped():
        pass
    rule = MultiOutputRule("row", [Tensor([1.0, 2.0])])
    x = leaf(1.0)
    assert x._node is not None
    with pytest.raises(NotImplementedError):
        rule.pull(x._node, np.ones(1))
    with pytest.raises(NotImplementedError):
        rule.pull_recorded(x._node, x, lambda compute, g: {})


def test_a_recorded_change_by_something_narrower_keeps_the_dtype_too() -> None:
    x, narrow = leaf(2.0), Tensor(np.ones(1, np.float32), requires_grad=True)
    y = x * 1
    changed(y, "replaced", lambda _: narrow * 3)
    assert y.dtype == np.float64
    y.sum().backward()
    np.testing.assert_array_equal(narrow.grad, [3.0])
    assert x.grad is None


@pytest.mark.parametrize("shape", [(1, 2), (3, 2), (2, 1, 2)])
def test_a_change_in_place_never_grows_a_tensor(shape: tuple[int, ...]) -> None:
    message = rf"mul_: the result has shape {re.escape(str(np.broadcast_shapes(shape, (2,))))}, which does not fit into"
    for tensor in (Tensor(np.ones(2)), leaf(1.0, 1.0) * 1):
        with pytest.raises(ValueError, match=message):
            tensor.mul_(np.ones(shape))


def test_a_scope_never_changes() -> None:
    with pytest.raises(FrozenInstanceError):
        current_scope().grad_enabled = False  # type: ignore[misc]


def test_what_detect_anomaly_locked_is_free_after_the_backward_pass() -> None:
    numbers = np.array([2.0])
    with detect_anomaly():
        y = leaf(1.0) * Tensor(numbers)
        saved = y._node.saved[0]  # type: ignore[index, union-attr]
        assert not saved.flags.writeable
        y.sum().backward()
    assert saved.flags.writeable
    assert y.requires_grad


@pytest.mark.parametrize("dtype", [bool, np.complex64, np.int32, np.uint8, object])
def test_no_default_dtype_but_a_float(dtype: Any) -> None:
    before = minitorch.get_default_dtype()
    with pytest.raises(TypeError, match="the default dtype must be a float"):
        minitorch.set_default_dtype(dtype)
    assert minitorch.get_default_dtype() == before
