"""Automatic differentiation in reverse mode: operations are recorded, and a backward pass traverses the record.

The whole idea, in eight lines (the rest of this package makes it quick, general, and hard to use wrongly):

    >>> def backward(root):
    ...     root.grad = np.ones(root.shape)
    ...     for node in reversed(ancestors([root])):  # newest first: parents are always made before their children
    ...         for slot, vjp in () if node.is_leaf else node.rule.steps:  # one rule for each operand
    ...             parent = node.parents[slot]
    ...             c = unbroadcast(vjp(node.grad, node.saved), parent.shape)
    ...             parent.grad = c if parent.grad is None else parent.grad + c
    ...         node.saved = None if node.saved else ()  # what the rules needed is dropped on the way

    >>> from minitorch import Tensor
    >>> from minitorch.autograd.backward import unbroadcast
    >>> from minitorch.autograd.node import ancestors
    >>> x = Tensor([1.0, 2.0, 3.0], requires_grad=True)
    >>> y = (x * x + x).sum()
    >>> backward(y._node)
    >>> x.grad
    array([3., 5., 7.])

    node.py          Node: one operation or leaf: rule, parents, saved values, gradient; and its ancestors
    scope.py         where the code runs: is it recorded, which float is the default, who watches (one ContextVar)
    tensor_base.py   TensorBase: values and a node (handle.py is its old path); identity.py says what `==` means
    operation.py     Declaration: forward, rules, and the values that their parameter names save
    primitive.py     the decorator that makes an operation, and the call that computes and records
    promotion.py     where a dtype comes from: how operands of different dtypes meet, the cast of a gradient back
    rules.py         the rule of a node: declared, assigned by the user, or for a whole call of several outputs
    backward.py      the backward pass: traverse → contribute → accumulate; unbroadcast
    grad.py          backward(), grad(), steps(): where a pass starts, and whether it adds to `.grad` or to a ledger
    backward_observer.py                         BackwardObserver: what a watcher hears of a pass
    in_place.py      changing a Tensor in place; version.py: version counters, stale views
    function.py, checkpoint.py                   an operation with a backward of its own; a part computed twice
    gradcheck.py     is a gradient right? (jacobian and the like, detect_anomaly: minitorch.compat.autograd)

Where a file is called as its function is (backward, grad, checkpoint, gradcheck), `minitorch.autograd.grad` is the
function; what else the file has comes with `from minitorch.autograd.grad import …`.
"""

from typing import TYPE_CHECKING

from minitorch.autograd.checkpoint import checkpoint
from minitorch.autograd.function import Function
from minitorch.autograd.grad import backward, grad
from minitorch.autograd.gradcheck import GradcheckError, gradcheck, gradgradcheck
from minitorch.autograd.scope import enable_grad, inference_mode, is_grad_enabled, no_grad, set_grad_enabled
from minitorch.moved import moved_names

if TYPE_CHECKING:  # names that moved, for editors and type checkers
    from minitorch.compat.autograd import functional
    from minitorch.compat.autograd.anomaly import AnomalyError, detect_anomaly, set_detect_anomaly
else:
    __getattr__, __dir__ = moved_names(__name__, "autograd.anomaly")

__all__ = [
    "AnomalyError",
    "Function",
    "GradcheckError",
    "backward",
    "checkpoint",
    "detect_anomaly",
    "enable_grad",
    "functional",
    "grad",
    "gradcheck",
    "gradgradcheck",
    "inference_mode",
    "is_grad_enabled",
    "no_grad",
    "set_detect_anomaly",
    "set_grad_enabled",
]
