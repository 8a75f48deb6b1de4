"""Gradients: how operations are recorded, and the walk back over what was recorded.

The whole idea, in eight lines (the rest of this room makes it quick, general, and hard to use wrongly):

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

    node.py          one place in the graph: rule, parents, what it saved, its gradient; and all that it was made from
    scope.py         where the code runs: is it recorded, which float is the default, who watches (one ContextVar)
    handle.py        the part of a Tensor that the graph knows: values and a place; identity.py says what `==` means
    operation.py     what an operation is: forward, rules, what their parameter names save, which dtype operands meet in
    primitive.py     the decorator that makes an operation, and the call that computes and records
    rules.py         what a node does backwards: by declared rules, by hand, or for a whole call of several outputs
    formula.py       a rule, run on symbols, written down as a formula
    backward.py      the quick walk, straight into `.grad`: what `loss.backward()` usually is
    grad.py          the careful walk, in a ledger: grad(), several roots, create_graph, hooks, steps to look at
    telling.py       what watchers hear of a backward pass
    in_place.py      changing a Tensor in place; version.py: when memory was written to, so that no gradient is wrong
    function.py, checkpoint.py                   an operation with a backward of its own; a part computed twice
    functional.py, gradcheck.py, anomaly.py      jacobian and the like; is a gradient right; where a NaN was made
    locks.py         what anomaly.py makes read-only, and when it is opened

Where a file is called as its function is (backward, grad, checkpoint, gradcheck), `minitorch.autograd.grad` is the
function; what else the file has comes with `from minitorch.autograd.grad import …`.
"""

from minitorch.autograd import functional
from minitorch.autograd.anomaly import AnomalyError, detect_anomaly, set_detect_anomaly
from minitorch.autograd.checkpoint import checkpoint
from minitorch.autograd.function import Function
from minitorch.autograd.grad import backward, grad
from minitorch.autograd.gradcheck import GradcheckError, gradcheck, gradgradcheck
from minitorch.autograd.scope import enable_grad, inference_mode, is_grad_enabled, no_grad, set_grad_enabled

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
