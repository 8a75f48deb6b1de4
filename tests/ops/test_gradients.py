"""Every smooth case of the op table: nudging the inputs confirms the gradients, and no two of them share memory."""

import itertools

import numpy as np
import pytest
from golden import takes_gradient
from op_table import CASES, SMOOTH, TWICE, Case

import minitorch
import minitorch.nn.functional
from minitorch import Tensor, gradcheck, gradgradcheck

DIFFERENTIABLE = [case for case in CASES if takes_gradient(case.name)]
NUDGED = [case for case in SMOOTH if takes_gradient(case.name)]
NUDGED_TWICE = [case for case in TWICE if takes_gradient(case.name)]


def evaluated(case: Case, tensors: list[Tensor]) -> Tensor:
    with np.errstate(all="ignore"):  # the cases at infinity
        return case.call(minitorch, *tensors)


@pytest.mark.parametrize("case", NUDGED, ids=lambda case: case.name)
def test_gradcheck(case: Case) -> None:
    assert gradcheck(lambda *tensors: case.call(minitorch, *tensors), case.tensors(Tensor))


@pytest.mark.parametrize("case", NUDGED_TWICE, ids=lambda case: case.name)
def test_gradgradcheck(case: Case) -> None:
    assert gradgradcheck(lambda *tensors: case.call(minitorch, *tensors), case.tensors(Tensor))


@pytest.mark.parametrize("case", DIFFERENTIABLE, ids=lambda case: case.name)
def test_leaf_grad_aliases_nothing(case: Case) -> None:
    tensors = case.tensors(Tensor)
    leaves = [tensor for tensor in tensors if tensor.requires_grad]
    out = evaluated(case, tensors)
    seed = case.upstream(out.shape)
    out.backward(seed, retain_graph=True)
    first = [leaf.grad for leaf in leaves]
    out.backward(seed)
    held = [seed, out.data, out.grad, *first, *[t.data for t in tensors], *[leaf.grad for leaf in leaves]]
    arrays = [array for array in held if array is not None]
    for grad in [*first, *[leaf.grad for leaf in leaves], out.grad]:
        if grad is not None:
            assert grad.flags.writeable
            assert not any(np.shares_memory(grad, array) for array in arrays if array is not grad)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_inputs_are_never_changed(case: Case) -> None:
    tensors = case.tensors(Tensor)
    out = evaluated(case, tensors)
    value = out.data.copy()
    if out.requires_grad:
        out.backward(case.upstream(out.shape))
    for tensor, array in zip(tensors, case.inputs(), strict=True):
        np.testing.assert_array_equal(tensor.data, array)
    np.testing.assert_array_equal(out.data, value)


@pytest.mark.parametrize("case", [case for case in DIFFERENTIABLE if len(case.draws) > 1], ids=lambda case: case.name)
def test_a_gradient_does_not_depend_on_who_else_wants_one(case: Case) -> None:
    everyone = case.tensors(Tensor)
    floats = [place for place, tensor in enumerate(everyone) if tensor.requires_grad]
    seed = case.upstream(evaluated(case, everyone).shape)
    evaluated(case, everyone).backward(seed)
    for wanted in itertools.product((False, True), repeat=len(floats)):
        chosen = {place for place, want in zip(floats, wanted, strict=True) if want}
        some = [Tensor(array, requires_grad=place in chosen) for place, array in enumerate(case.inputs())]
        out = evaluated(case, some)
        assert out.requires_grad == bool(chosen)
        if not chosen:
            continue
        out.backward(seed)
        for place, tensor in enumerate(some):
            if place in chosen:
                np.testing.assert_array_equal(tensor.grad, everyone[place].grad)
            else:
                assert tensor.grad is None
