"""Free functions and methods are the same operations, and NumPy's parameter names mean PyTorch's."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minitorch
import minitorch.nn.functional
from minitorch import Tensor

X = Tensor(np.arange(6.0).reshape(2, 3) ** 1.5)
SPELLINGS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "sum": (minitorch.sum, {"dim": 1, "keepdim": True}),
    "mean": (minitorch.mean, {"dim": 1, "keepdim": True}),
    "var": (minitorch.var, {"dim": 1, "keepdim": True}),
    "amax": (minitorch.amax, {"dim": 1, "keepdim": True}),
    "max": (lambda x, **axes: minitorch.max(x, **axes).values, {"dim": 1, "keepdim": True}),
    "logsumexp": (minitorch.logsumexp, {"dim": 1, "keepdim": True}),
    "softmax": (minitorch.softmax, {"dim": 1}),
    "log_softmax": (minitorch.log_softmax, {"dim": 1}),
    "unsqueeze": (minitorch.unsqueeze, {"dim": 1}),
    "squeeze": (lambda x, **axes: minitorch.squeeze(x.reshape(2, 1, 3), **axes), {"dim": 1}),
    "permute": (minitorch.permute, {"dims": (1, 0)}),
    "cat": (lambda x, **axes: minitorch.cat([x, x], **axes), {"dim": 1}),
    "stack": (lambda x, **axes: minitorch.stack([x, x], **axes), {"dim": 1}),
    "functional softmax": (minitorch.nn.functional.softmax, {"dim": 1}),
    "method sum": (Tensor.sum, {"dim": 1, "keepdim": True}),
    "method max": (lambda x, **axes: x.max(**axes).values, {"dim": 1, "keepdim": True}),
}
NUMPY_NAMES = {"dim": "axis", "dims": "axes", "keepdim": "keepdims"}


@pytest.mark.parametrize("name", SPELLINGS)
def test_axis_and_keepdims_mean_dim_and_keepdim(name: str) -> None:
    operation, options = SPELLINGS[name]
    by_torch = operation(X, **options)
    by_numpy = operation(X, **{NUMPY_NAMES[key]: value for key, value in options.items()})
    assert by_numpy.equal(by_torch)
    assert by_numpy.shape == by_torch.shape


@pytest.mark.parametrize("name", ["sum", "mean", "var", "amax", "logsumexp"])
def test_dim_and_keepdim_may_be_positional(name: str) -> None:
    operation = getattr(minitorch, name)
    positional = operation(X, 1, 1, True) if name == "var" else operation(X, 1, True)
    assert positional.equal(operation(X, dim=1, keepdim=True))


def test_reshape_permute_and_expand_take_a_tuple_or_its_parts() -> None:
    assert X.reshape(3, 2).equal(X.reshape((3, 2)))
    assert X.permute(1, 0).equal(X.permute((1, 0)))
    assert X.unsqueeze(0).expand(4, -1, -1).equal(X.unsqueeze(0).expand((4, -1, -1)))
    assert minitorch.expand(X, (4, 2, 3)).equal(X.expand(4, 2, 3))


def test_a_numpy_integer_names_an_axis() -> None:
    for operation in (minitorch.sum, minitorch.mean, minitorch.var, minitorch.amax):
        x = Tensor(X.data, requires_grad=True)
        operation(x, dim=np.int64(1)).sum().backward()
        assert x.grad is not None


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: minitorch.sum(X, axes=1), "sum has no argument 'axes'; it takes input, dim, keepdim, dtype"),
        (lambda: minitorch.sum(X, 1, dim=1), "sum was given 'dim' twice"),
        (lambda: minitorch.softmax(X), "softmax needs the argument 'dim'"),
        (lambda: minitorch.sum(X, 1, True, None, 3), r"sum takes at most 4 arguments \(5 given\)"),
    ],
)
def test_wrong_arguments_are_refused_in_plain_words(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        call()
