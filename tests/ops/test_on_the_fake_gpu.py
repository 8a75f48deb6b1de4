"""Every case of the op table on a device that is not the host: the same numbers, and none that crosses over unasked."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import fake_cupy
import numpy as np
import pytest
from fake_cupy import DEVICE, HOST, Transfer
from golden import takes_gradient
from op_table import CASES, TWICE, Case

import minitorch
import minitorch.nn.functional
from minitorch import Tensor
from minitorch.autograd.handle import constant
from minitorch.backend import moved, to_host


@dataclass(frozen=True)
class Reason:
    """Why an operation lets numbers cross, and which: the kinds of dtypes that go to the host and to the device."""

    why: str
    to_host: str = ""
    to_device: str = ""

    def covers(self, each: Transfer) -> bool:
        return each.dtype.kind in {HOST: self.to_host, DEVICE: self.to_device}[each.to]


RANGE = Reason("a GPU wraps wrong indices around silently: the smallest and the largest are looked at", to_host="iu")
SHAPE = Reason("the shape of the result depends on the numbers", to_host="iu")
COUNTS = Reason("how often each is repeated, or where to cut, is the shape of the result", to_host="iu", to_device="iu")
ANSWER = Reason("the answer is one Python bool", to_host="b")
PROBABILITY = Reason("a probability that is none, or a negative deviation, is refused: one bool", to_host="b")
WRITTEN = Reason("a list or a number that the user wrote goes up", to_device="biu")
TABLE = Reason("windows that differ in size: which places each has follows from shapes alone", to_device="biuf")
DRAWN = Reason("drawn on the host, so that a seed gives the same numbers on both devices", to_device="biuf")
WEIGHED = Reason("drawn on the host, by weights that must be there", to_host="f", to_device="iu")
LABELS = Reason(
    "class numbers, with the weights of classes, are checked and looked up", to_host="iuf", to_device="biuf"
)
PRODUCTS = Reason("CuPy cannot multiply at repeated indices", to_host="iuf", to_device="f")
MOVES = Reason("moving is what it is for", to_host="f", to_device="f")

ASKS: dict[str, tuple[Reason, ...]] = {
    **dict.fromkeys(("gather", "take", "take_along_dim", "index_select", "embedding"), (RANGE,)),
    **dict.fromkeys(("index_add", "index_copy", "index_fill", "scatter_add"), (RANGE,)),
    **dict.fromkeys(("index_add_", "index_copy_", "index_fill_", "scatter_", "scatter_add_"), (RANGE,)),
    **dict.fromkeys(("getitem", "setitem"), (RANGE, SHAPE, WRITTEN)),
    **dict.fromkeys(("index_put", "index_put_"), (RANGE, SHAPE)),
    "scatter": (RANGE, PRODUCTS),
    **dict.fromkeys(("nonzero", "argwhere", "unique", "masked_select", "bincount", "one_hot", "arange"), (SHAPE,)),
    **dict.fromkeys(("repeat_interleave", "tensor_split"), (COUNTS,)),
    **dict.fromkeys(("equal", "allclose"), (ANSWER,)),
    "binary_cross_entropy": (PROBABILITY,),
    **dict.fromkeys(("normal", "bernoulli"), (PROBABILITY, DRAWN)),
    **dict.fromkeys(("rand_like", "randn_like", "randint_like", "dropout", "dropout2d"), (DRAWN,)),
    "multinomial": (WEIGHED,),
    **dict.fromkeys(("nll_loss", "cross_entropy"), (LABELS,)),
    **dict.fromkeys(("avg_pool1d", "avg_pool2d", "interpolate"), (TABLE,)),
    **dict.fromkeys(("adaptive_avg_pool1d", "adaptive_avg_pool2d"), (TABLE,)),
    **dict.fromkeys(("adaptive_max_pool1d", "adaptive_max_pool2d"), (TABLE,)),
    "searchsorted": (WRITTEN,),
    "to": (MOVES,),
}
# They make Tensors from Python's numbers, or make them on the host because nothing else was said.
MAKE = {
    "arange",
    "as_tensor",
    "eye",
    "full",
    "linspace",
    "ones",
    "rand",
    "randint",
    "randn",
    "tensor",
    "zeros",
    "empty",
}
MIXES = {"setitem: a buffer of constants takes part"}  # the buffer is made on the host

ON_A_GPU = [case for case in CASES if case.draws and case.name not in MIXES]


@pytest.fixture(autouse=True)
def gpu(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(sys.modules, "cupy", fake_cupy)
    fake_cupy.transfers.clear()
    yield
    fake_cupy.transfers.clear()


def uploaded(array: np.ndarray, requires_grad: bool = False) -> Tensor:
    return constant(fake_cupy.asarray(array)).requires_grad_(requires_grad)


def evaluated(case: Case, tensor: Callable[..., Tensor]) -> tuple[Tensor, list[Any], list[Transfer]]:
    """The result, the gradients of the inputs, and what has crossed during forward and backward."""
    tensors = case.tensors(tensor)
    fake_cupy.transfers.clear()
    out = case.call(minitorch, *tensors)
    crossed = list(fake_cupy.transfers)
    if out.requires_grad:
        seed = moved(case.upstream(out.shape), out.device)
        fake_cupy.transfers.clear()
        out.backward(constant(seed))
        crossed += fake_cupy.transfers
    return out, [each.grad for each in tensors], crossed


def squared_gradients(case: Case, tensor: Callable[..., Tensor]) -> list[Any]:
    """d(Σ (d out/d input)²)/d input: the gradients of the gradients."""
    tensors = case.tensors(tensor)
    leaves = [each for each in tensors if each.requires_grad]
    out = case.call(minitorch, *tensors)
    seed = constant(moved(case.upstream(out.shape), out.device))
    first = minitorch.grad(out, leaves, seed, create_graph=True, allow_unused=True)
    squares = [(each * each).sum() for each in first if each is not None and each.requires_grad]
    if not squares:
        return []
    minitorch.stack(squares).sum().backward()
    return [each.grad for each in leaves]


def assert_same(ours: Any, theirs: Any) -> None:
    assert (ours is None) == (theirs is None)
    if ours is not None:
        assert ours.dtype == theirs.dtype
        np.testing.assert_allclose(to_host(ours), theirs, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("case", ON_A_GPU, ids=lambda case: case.name)
def test_the_gpu_computes_what_the_cpu_computes(case: Case) -> None:
    with np.errstate(all="ignore"):
        expected, exact, _ = evaluated(case, Tensor)
        out, gradients, crossed = evaluated(case, uploaded)
    assert type(out.data) is fake_cupy.ndarray or case.op in MAKE or MOVES in ASKS.get(case.op, ())
    assert_same(out.data, expected.data)
    for ours, theirs in zip(gradients, exact, strict=True):
        assert ours is None or type(ours) is fake_cupy.ndarray
        assert_same(ours, theirs)
    assert [each for each in crossed if not any(reason.covers(each) for reason in ASKS.get(case.op, ()))] == []


@pytest.mark.parametrize(
    "case", [case for case in TWICE if case in ON_A_GPU and takes_gradient(case.name)], ids=lambda case: case.name
)
def test_gradients_of_gradients_too(case: Case) -> None:
    with np.errstate(all="ignore"):
        expected, found = squared_gradients(case, Tensor), squared_gradients(case, uploaded)
    for ours, theirs in zip(found, expected, strict=True):
        assert ours is None or type(ours) is fake_cupy.ndarray
        assert_same(ours, theirs)


@pytest.mark.parametrize("op", ASKS)
def test_every_reason_is_needed(op: str) -> None:
    crossed = [each for case in ON_A_GPU if case.op == op for each in evaluated(case, uploaded)[2]]
    for reason in ASKS[op]:
        assert any(reason.covers(each) for each in crossed), reason.why


def test_a_transfer_that_nobody_allowed_is_seen() -> None:
    x = uploaded(np.ones(3), requires_grad=True)
    fake_cupy.transfers.clear()
    float((x * 2).sum())
    assert [(each.to, each.why, each.size) for each in fake_cupy.transfers] == [(HOST, "item", 1)]
