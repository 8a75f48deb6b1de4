"""What every case of the op table keeps, one test a case: a failure names each claim that is broken.

The claims are the functions of `CLAIMS`; each says in its first lines which cases it holds for.
"""

import gc
import itertools
import sys
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from golden import checksum, golden, takes_gradient
from op_table import CASES, Case, Result, run

import minitorch
import minitorch.nn.functional
from minitorch import Tensor, gradcheck, gradgradcheck
from minitorch.lazy_imports import HOMES

FLOAT32, INT64 = np.dtype(np.float32), np.dtype(np.int64)
METHODS = {name for name in (*minitorch.__all__, *HOMES) if hasattr(Tensor, name)}


class AsMethods:
    """The namespace of the op table with `m.op(x, …)` spelled `x.op(…)`."""

    nn = minitorch.nn
    special, linalg = minitorch.special, minitorch.linalg

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def call(*operands: Any, **options: Any) -> Any:
            first, *rest = operands or (options.pop("input"),)
            return getattr(first, name)(*rest, **options)

        def where(condition: Tensor, taken: Any, other: Any) -> Any:
            return (
                taken.where(condition, other) if isinstance(taken, Tensor) else minitorch.where(condition, taken, other)
            )

        if name == "where":
            return where
        if name == "polygamma":
            return lambda n, x: x.polygamma(n)
        return call if name in METHODS else getattr(minitorch, name)


def require_near(got: Result, wanted: list[np.ndarray], near: dict[str, float]) -> None:
    for ours, exact in zip([got.value, *got.gradients], wanted, strict=True):
        assert ours.shape == exact.shape
        np.testing.assert_allclose(ours, exact, **near)


# -- the claims: `got` is the case, run in float64 -------------------------------------------------------------------


def value_and_gradients_are_those_of_pytorch(case: Case, got: Result) -> None:
    inputs, wanted = golden()[case.name]
    assert checksum(case.inputs()) == inputs, "the table changed: run scripts/make_golden.py"
    require_near(got, wanted, {"rtol": 1e-7, "atol": 1e-10})


def float32_stays_float32_and_near(case: Case, got: Result) -> None:
    narrow = run(case, minitorch, Tensor, np.float32)
    if case.title.startswith("indices"):
        assert narrow.value.dtype == INT64
    else:
        assert {narrow.value.dtype, *[gradient.dtype for gradient in narrow.gradients]} == {FLOAT32}
    if case.smooth:
        require_near(narrow, golden()[case.name][1], {"rtol": 1e-4, "atol": 1e-4})


def constants_make_constants_of_the_same_values(case: Case, got: Result) -> None:
    out = case.call(minitorch, *[Tensor(array) for array in case.inputs()])
    assert not out.requires_grad
    assert out._prev == ()
    np.testing.assert_array_equal(out.data, got.value)


def data_and_grad_are_arrays_of_one_shape_and_dtype_and_nothing_is_changed(case: Case, got: Result) -> None:
    tensors = case.tensors(Tensor)
    out = case.call(minitorch, *tensors)
    value = out.data.copy()
    assert type(out.data) is np.ndarray
    if out.requires_grad:
        out.backward(case.upstream(out.shape))
    for tensor, array in zip(tensors, case.inputs(), strict=True):
        np.testing.assert_array_equal(tensor.data, array)
    np.testing.assert_array_equal(out.data, value)
    for tensor in [t for t in (*tensors, out) if t.grad is not None]:
        assert type(tensor.grad) is np.ndarray
        assert tensor.grad.shape == tensor.shape
        assert tensor.grad.dtype == tensor.dtype


def a_method_is_the_free_function(case: Case, got: Result) -> None:
    if case.op in METHODS:
        method = run(case, AsMethods(), Tensor)
        np.testing.assert_array_equal(method.value, got.value)
        for ours, theirs in zip(method.gradients, got.gradients, strict=True):
            np.testing.assert_array_equal(ours, theirs)


def no_gradient_shares_memory(case: Case, got: Result) -> None:
    if not takes_gradient(case.name):
        return
    tensors = case.tensors(Tensor)
    leaves = [tensor for tensor in tensors if tensor.requires_grad]
    out = case.call(minitorch, *tensors)
    seed = case.upstream(out.shape)
    out.backward(seed, retain_graph=True)
    first = [leaf.grad for leaf in leaves]
    out.backward(seed)
    values = [seed, out.data, *[tensor.data for tensor in tensors]]
    for grads in (first, [leaf.grad for leaf in leaves]):
        known = [*grads, *([] if any(out is each for each in tensors) else [out.grad])]
        known = [grad for grad in known if grad is not None]
        for place, grad in enumerate(known):
            assert grad.flags.writeable
            assert not any(np.shares_memory(grad, array) for array in [*values, *known[:place]])


def a_gradient_does_not_depend_on_who_else_wants_one(case: Case, got: Result) -> None:
    if not takes_gradient(case.name) or len(case.draws) < 2:
        return
    everyone = case.tensors(Tensor)
    floats = [place for place, tensor in enumerate(everyone) if tensor.requires_grad]
    out = case.call(minitorch, *everyone)
    seed = case.upstream(out.shape)
    out.backward(seed)
    for wanted in itertools.product((False, True), repeat=len(floats)):
        chosen = {place for place, want in zip(floats, wanted, strict=True) if want}
        some = [Tensor(array, requires_grad=place in chosen) for place, array in enumerate(case.inputs())]
        out = case.call(minitorch, *some)
        assert out.requires_grad == bool(chosen)
        if not chosen:
            continue
        out.backward(seed)
        for place, tensor in enumerate(some):
            if place in chosen:
                np.testing.assert_array_equal(tensor.grad, everyone[place].grad)
            else:
                assert tensor.grad is None


def nudging_the_inputs_confirms_the_gradients(case: Case, got: Result) -> None:
    if case.smooth and takes_gradient(case.name):
        assert gradcheck(lambda *tensors: case.call(minitorch, *tensors), case.tensors(Tensor))


def nudging_the_inputs_confirms_the_gradients_of_gradients(case: Case, got: Result) -> None:
    if case.smooth and case.twice and takes_gradient(case.name):
        assert gradgradcheck(lambda *tensors: case.call(minitorch, *tensors), case.tensors(Tensor))


def transposed_in_memory(array: np.ndarray) -> np.ndarray:
    return np.asfortranarray(array)


def every_second(array: np.ndarray) -> np.ndarray:
    wide = np.full([2 * size for size in array.shape], 9, array.dtype)
    seen = wide[(slice(None, None, 2),) * array.ndim]
    seen[...] = array
    return seen


def backwards(array: np.ndarray) -> np.ndarray:
    turned = (slice(None, None, -1),) * array.ndim
    return array[turned].copy()[turned]


def how_arrays_lie_in_memory_makes_no_difference(case: Case, got: Result) -> None:
    for layout in (transposed_in_memory, every_second, backwards):

        def laid(array: np.ndarray, requires_grad: bool, layout: Any = layout) -> Tensor:
            return Tensor(layout(array) if array.ndim else array, requires_grad=requires_grad)

        other = run(case, minitorch, laid)
        require_near(other, [got.value, *got.gradients], {"rtol": 1e-9, "atol": 1e-12})


def recorded_gradients_are_the_computed_ones(case: Case, got: Result) -> None:
    """With create_graph=True a rule runs on Tensors, and a fused operation is its `composed=` twin."""
    if not takes_gradient(case.name):
        return
    tensors = case.tensors(Tensor)
    out = case.call(minitorch, *tensors)
    variables, seed = [tensor for tensor in tensors if tensor.requires_grad], Tensor(case.upstream(out.shape))
    found = minitorch.grad(out, variables, seed, create_graph=True, materialize_grads=True)
    require_near(
        Result(got.value, [each.data for each in found]), [got.value, *got.gradients], {"rtol": 1e-9, "atol": 1e-12}
    )


def no_reference_cycle_is_made(case: Case, got: Result) -> None:
    tensors = case.tensors(Tensor)
    leaves = [tensor._node for tensor in tensors if tensor.requires_grad]
    holders = [sys.getrefcount(node) for node in leaves]
    gc.disable()  # only reference counts free memory
    try:
        for differentiate in (True, False):
            out = case.call(minitorch, *tensors)
            if any(out is tensor for tensor in tensors):
                continue  # nothing was to be done, and nothing was made
            gone = weakref.ref(out)
            if differentiate and out.requires_grad:
                out.backward(np.ones(out.shape))
            del out
            assert gone() is None
            assert [sys.getrefcount(node) for node in leaves] == holders  # no node above them is left
    finally:
        gc.enable()


CLAIMS: list[Callable[[Case, Result], None]] = [
    value_and_gradients_are_those_of_pytorch,
    float32_stays_float32_and_near,
    constants_make_constants_of_the_same_values,
    data_and_grad_are_arrays_of_one_shape_and_dtype_and_nothing_is_changed,
    a_method_is_the_free_function,
    no_gradient_shares_memory,
    a_gradient_does_not_depend_on_who_else_wants_one,
    how_arrays_lie_in_memory_makes_no_difference,
    recorded_gradients_are_the_computed_ones,
    no_reference_cycle_is_made,
    nudging_the_inputs_confirms_the_gradients,
    nudging_the_inputs_confirms_the_gradients_of_gradients,
]


def broken_claims(case: Case) -> list[Exception]:
    """What a case does not keep, each with the name of the claim on it."""
    found = []
    quiet = {} if case.smooth else {"all": "ignore"}  # at infinity and at nan; of a smooth case, a warning is an error
    with np.errstate(**quiet):
        got = run(case, minitorch, Tensor)
        for claim in CLAIMS:
            try:
                claim(case, got)
            except Exception as error:  # noqa: BLE001 (whatever it was, the next claim is tried, and all are shown)
                error.add_note(f"broken: {claim.__name__.replace('_', ' ')}")
                found.append(error)
    return found


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_case(case: Case) -> None:
    if broken := broken_claims(case):
        raise ExceptionGroup("; ".join(error.__notes__[-1] for error in broken), broken)


def test_every_case_has_its_golden_value_and_none_is_left_over() -> None:
    names = {case.name for case in CASES}
    differing = {"missing": sorted(names - set(golden())), "left over": sorted(set(golden()) - names)}
    assert not any(differing.values()), f"run scripts/make_golden.py: {differing}"


def test_every_claim_is_tried_by_many_cases() -> None:
    taking = [case for case in CASES if takes_gradient(case.name)]
    assert len([case for case in CASES if case.op in METHODS]) > 1500
    assert len([case for case in taking if len(case.draws) > 1]) > 600
    assert len([case for case in taking if case.smooth]) > 1800
    assert len([case for case in taking if case.smooth and case.twice]) > 1700
