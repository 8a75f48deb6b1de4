"""The call that is written out for two operands leaves the same nodes behind as the general one."""

import itertools

import numpy as np
import pytest

import minitorch as mt
from minitorch import Tensor, no_grad
from minitorch.autograd.primitive import _general


def binary_operations():
    """Every operation whose forward is a NumPy function of two operands, by name."""
    modules = [value for value in vars(mt.ops).values() if getattr(value, "__name__", "").startswith("minitorch.ops.")]
    found = [each for module in modules for each in vars(module).values() if hasattr(each, "declaration")]
    ufuncs = {each.declaration: each for each in found if isinstance(each.declaration.forward, np.ufunc)}
    return [each for declaration, each in ufuncs.items() if declaration.labels == ("input", "other")]


OPERATIONS = binary_operations()
OPERANDS = {
    "leaf": lambda: Tensor([1.0, 2.0, 3.0], requires_grad=True),
    "wide": lambda: Tensor(np.array([[2.0], [1.5]]), requires_grad=True),
    "single": lambda: Tensor(2.0, requires_grad=True),
    "single and wide": lambda: Tensor(np.array(2.0), requires_grad=True),
    "result": lambda: Tensor([1.0, 2.0, 3.0], requires_grad=True) * 2,
    "constant": lambda: Tensor([1.0, 2.0, 3.0]),
    "integers": lambda: Tensor(np.array([1, 2, 3])),
    "array": lambda: np.array([1.0, 2.0, 3.0], np.float32),
    "number": lambda: 1.5,
    "integer": lambda: 2,
}


def test_the_operations_are_found():
    assert {"add", "mul", "sub", "div", "maximum"} <= {each.declaration.name for each in OPERATIONS}


def described(out):
    """What a node keeps, arrays as their numbers: only the general call saves a narrower operand widened already."""
    node = out._node
    if node is None:
        return out.data.dtype, out.data.tolist(), None
    saved = [value.tolist() if isinstance(value, np.ndarray) else value for value in node.saved]
    return out.data.dtype, out.data.tolist(), node.rule, node.parents, saved, node.shape, node.dtype, node.op


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda each: each.declaration.name)
def test_both_calls_leave_the_same_node(operation):
    general = _general(operation.declaration)
    for left, right in itertools.product(OPERANDS, repeat=2):
        if not isinstance(OPERANDS[left](), Tensor) and not isinstance(OPERANDS[right](), Tensor):
            continue
        a, b = OPERANDS[left](), OPERANDS[right]()
        assert described(operation(a, b)) == described(general(a, b)), (left, right)
        if isinstance(a, Tensor):
            assert described(operation(a, a)) == described(general(a, a)), left
        with no_grad():
            assert described(operation(a, b)) == described(general(a, b)), (left, right)
