"""How an operation takes its arguments, and what it says when they do not fit."""

from typing import Any

import numpy as np
import pytest

import minitorch
from minitorch import Tensor, no_grad, primitive


def leaf(*values: float) -> Tensor:
    return Tensor(np.array(values), requires_grad=True)


affine = primitive(
    lambda x, factor, shift=0.0, axis=None: x * factor + shift,
    name="affine",
    x=lambda g, factor: g * factor,
)
joined = primitive(
    lambda *tensors, dim=0: np.concatenate(tensors, axis=dim),
    name="joined",
    tensors=lambda g, tensors_shape, dim, slot: np.split(g, np.cumsum([s[dim] for s in tensors_shape])[:-1], axis=dim)[
        slot
    ],
)


def test_defaults_are_filled_in_and_names_may_come_in_any_order() -> None:
    x = leaf(1.0, 2.0)
    for result in (affine(x, 3.0), affine(x, factor=3.0), affine(factor=3.0, x=x), affine(x, 3.0, 0.0, None)):
        np.testing.assert_array_equal(result.data, [3.0, 6.0])
    np.testing.assert_array_equal(affine(x, 3.0, shift=1.0).data, [4.0, 7.0])


@pytest.mark.parametrize(
    ("args", "kwargs", "message"),
    [
        ((), {"factor": 1.0}, "affine needs the argument 'x'"),
        (([1.0],), {}, "affine needs the argument 'factor'"),
        (([1.0],), {"shift": 1.0}, "affine needs the argument 'factor'"),
        (([1.0], 2.0, 3.0, None, 4.0), {}, r"affine takes at most 4 arguments \(5 given\)"),
        (([1.0], 2.0), {"factor": 3.0}, "affine was given 'factor' twice"),
        (([1.0], 2.0), {"x": 3.0}, "affine was given 'x' twice"),
        (([1.0], 2.0), {"scale": 3.0}, "affine has no argument 'scale'; it takes x, factor, shift, axis"),
    ],
)
def test_arguments_that_do_not_fit_are_named(args: Any, kwargs: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        affine(*args, **kwargs)


def test_an_operations_own_name_for_a_parameter_goes_before_numpys_spelling() -> None:
    np.testing.assert_array_equal(affine([1.0], 2.0, axis=7).data, [2.0])
    np.testing.assert_array_equal(minitorch.sum(leaf(1.0, 2.0), axis=0, keepdims=True).data, [3.0])


def test_an_operation_on_many_tensors_takes_its_parameters_by_name() -> None:
    x, y = Tensor(np.ones((2, 1)), requires_grad=True), np.full((2, 2), 2.0)
    result = joined(x, y, axis=1)
    assert result.shape == (2, 3)
    (result * np.array([[5.0, 1.0, 1.0], [7.0, 1.0, 1.0]])).sum().backward()
    np.testing.assert_array_equal(x.grad, [[5.0], [7.0]])
    assert joined(y, y).shape == (4, 2)
    with pytest.raises(TypeError, match="joined has no argument foo; it takes dim"):
        joined(x, y, foo=1)
    with pytest.raises(TypeError, match="joined has no argument bar, foo; it takes dim"):
        joined(x, y, foo=1, bar=2)


def test_many_tensors_of_different_dtypes_meet_in_the_wider_one() -> None:
    narrow, wide = Tensor(np.ones(2, np.float32), requires_grad=True), leaf(2.0)
    result = joined(narrow, wide)
    assert result.dtype == np.float64
    result.sum().backward()
    assert narrow.grad is not None
    assert narrow.grad.dtype == np.float32
    assert joined(np.ones(1, np.float32), np.ones(1, np.float32)).dtype == np.float32


def test_many_tensors_whose_shapes_do_not_fit_name_the_operation() -> None:
    with pytest.raises(ValueError, match=r"^joined: "):
        joined(np.ones((2, 2)), np.ones((2, 3)))


def test_a_parameter_may_be_a_constant_tensor_but_not_one_that_wants_a_gradient() -> None:
    x, factor = leaf(1.0, 2.0), leaf(3.0)
    np.testing.assert_array_equal(affine(x, Tensor(np.array([3.0]))).data, [3.0, 6.0])
    with pytest.raises(TypeError, match="affine has no gradient rule for 'factor'"):
        affine(x, factor)
    with no_grad():
        np.testing.assert_array_equal(affine(x, factor).data, [3.0, 6.0])


def test_raw_computes_on_arrays_and_records_when_a_tensor_is_among_the_arguments() -> None:
    assert type(affine.raw(np.ones(2), 3.0)) is np.ndarray
    recorded = affine.raw(leaf(1.0), 3.0)
    assert isinstance(recorded, Tensor)
    assert recorded.requires_grad


def test_a_rule_that_is_replaced_counts_from_then_on() -> None:
    op = primitive(lambda x: x * 2, name="op", x=lambda g: g * 2)
    x = leaf(1.0)
    op(x).sum().backward()
    op.vjp(x=lambda g: g * 5)
    op(x).sum().backward()
    np.testing.assert_array_equal(x.grad, [7.0])


def test_a_rule_with_aux_needs_a_twin() -> None:
    with pytest.raises(TypeError, match="op: a rule that asks for aux needs composed="):
        primitive(lambda x: (x, x), name="op", x=lambda g, aux: g)
    twin = primitive(lambda x: (x * x, 2 * x), name="square", composed=lambda x: x * x, x=lambda g, aux: g * aux)
    x = leaf(3.0)
    twin(x).sum().backward()
    np.testing.assert_array_equal(x.grad, [6.0])
    (first,) = minitorch.grad(twin(x).sum(), x, create_graph=True)
    assert first is not None
    (second,) = minitorch.grad(first.sum(), x)
    assert second is not None
    assert second.item() == 2.0


def test_a_twin_is_given_the_arguments_in_their_order() -> None:
    op = primitive(
        lambda a, b, power: (a**power * b, a**power),
        name="op",
        composed=lambda a, b, power: a**power * b,
        b=lambda g, aux: g * aux,
        a=lambda g, b, a, aux, power: g * b * power * aux / a,
    )
    a, b = leaf(2.0), leaf(5.0)
    for create_graph in (False, True):
        by_a, by_b = minitorch.grad(op(a, b, 3).sum(), [a, b], create_graph=create_graph)
        assert by_a is not None
        assert by_b is not None
        assert (by_a.item(), by_b.item()) == (60.0, 8.0)


def test_what_promotes_not_refuses_other_dtypes() -> None:
    strict = primitive(lambda x, y: x * y, name="strict", promotes=False, x=lambda g, y: g * y, y=lambda g, x: g * x)
    with pytest.raises(TypeError, match=r"strict: float64 and float32 do not mix: convert x, as in x.to\('float32'\)"):
        strict(leaf(1.0), np.ones(1, np.float32))
    np.testing.assert_array_equal(strict(leaf(2.0), 3.0).data, [6.0])
    assert strict(Tensor(np.ones(1, np.float32), requires_grad=True), 3.0).dtype == np.float32


def test_a_function_of_integers_gives_the_default_float_and_of_half_floats_half() -> None:
    assert minitorch.exp(np.array([1, 2])).dtype == np.float32
    assert minitorch.exp(np.array([True])).dtype == np.float32
    assert minitorch.exp(np.array([1.0], np.float16)).dtype == np.float16
    np.testing.assert_allclose(minitorch.exp(np.array([True])).data, np.exp(np.float32(1)), rtol=1e-6)
    assert minitorch.exp(np.array([1.0])).dtype == np.float64


def test_an_operation_looks_like_the_function_it_is() -> None:
    assert affine.__name__ == affine.__qualname__ == "affine"
    assert affine.__module__ == __name__
    import inspect

    assert list(inspect.signature(affine).parameters) == ["x", "factor", "shift", "axis"]
    assert list(inspect.signature(minitorch.mul).parameters) == ["input", "other"]
    decorated = primitive(name="called")(lambda x: x)
    assert decorated.__name__ == "called"
    assert primitive(np.negative, "doc", input=lambda g: -g).__name__ == "negative"


def test_who_takes_part_decides_which_rules_are_kept() -> None:
    x, y = leaf(2.0), leaf(3.0)
    for left, right, kept in ((x, y.detach(), [3.0]), (x.detach(), y, [2.0])):
        node = (left * right)._node
        assert node is not None
        assert node.saved is not None
        assert [each.tolist() for each in node.saved] == [kept]
        assert [parent is None for parent in node.parents] == [left is not x, right is not y]
    both = (x * y)._node
    assert both is not None
    assert both.parents == (x._node, y._node)


def test_an_integer_result_of_floats_is_a_constant() -> None:
    x = leaf(2.0, 1.0)
    assert not (x > 1.5).requires_grad
    assert not minitorch.argmax(x).requires_grad


def test_rules_on_many_tensors_can_be_differentiated_again() -> None:
    product = primitive(
        lambda *tensors: tensors[0] * tensors[1] * tensors[2],
        name="product",
        tensors=lambda g, tensors, slot: g * np.prod([1.0]) * tensors[slot - 1] * tensors[slot - 2],
    )
    a, b, c = leaf(2.0), leaf(3.0), leaf(5.0)
    (by_a,) = minitorch.grad(product(a, b, c).sum(), a, create_graph=True)
    assert by_a is not None
    assert by_a.item() == 15.0
    by_b, by_c = minitorch.grad(by_a.sum(), [b, c])
    assert by_b is not None
    assert by_c is not None
    assert (by_b.item(), by_c.item()) == (5.0, 3.0)


def test_all_arguments_by_place_and_one_of_them_by_name_again() -> None:
    with pytest.raises(TypeError, match="affine was given 'shift' twice"):
        affine([1.0], 2.0, 3.0, None, shift=4.0)


def test_a_type_error_of_the_forward_itself_is_passed_on() -> None:
    def picky(*_: Any) -> Any:
        raise TypeError("only on Sundays")

    for op in (
        primitive(lambda x: picky(), name="op", x=lambda g: g),
        primitive(lambda *tensors: picky(), name="op", tensors=lambda g, slot: g),
    ):
        with pytest.raises(TypeError, match="only on Sundays"):
            op(np.ones(2))
    two = primitive(lambda x, y: picky(), name="op", x=lambda g: g, y=lambda g: g)
    with pytest.raises(TypeError, match="only on Sundays"):
        two(1.0, 2.0)


def test_integers_among_many_tensors_do_not_widen_the_floats() -> None:
    assert joined(np.ones(1, np.float32), np.ones(1, np.int64)).dtype == np.float32


def test_a_single_number_in_an_array_does_not_widen_what_has_axes() -> None:
    x = Tensor(np.ones(2, np.float32), requires_grad=True)
    for other in (np.array(2.0), Tensor(np.array(2.0))):
        for result in (x * other, other * x):
            assert isinstance(result, Tensor)
            assert result.dtype == np.float32
    single = Tensor(np.float32(1), requires_grad=True)
    assert (single * np.ones(2)).dtype == np.float64
    assert (single * np.ones(())).dtype == np.float64


def test_whole_numbers_made_of_floats_are_constants_though_there_is_a_rule() -> None:
    whole = primitive(lambda x: x.astype(np.int64), name="whole", x=lambda g: g)
    assert not whole(leaf(1.5)).requires_grad


def test_a_rule_that_is_recorded_gets_constants_as_they_are() -> None:
    seen: list[Any] = []

    def rule(g: Any, y: Any) -> Any:
        seen.append(type(y))
        return g * y

    op = primitive(lambda x, y: x * y, name="op", x=rule, y=lambda g, x: g * x)
    x = leaf(2.0)
    for y in (np.array([3.0]), Tensor(np.array([3.0])), 3.0, leaf(3.0)):
        (found,) = minitorch.grad(op(x, y).sum(), x, create_graph=True)
        assert found is not None
        assert found.item() == 3.0
    assert seen == [np.ndarray, np.ndarray, float, Tensor]


def test_an_operation_may_be_made_by_name_alone() -> None:
    op = primitive(forward=lambda x: x * 2, doc="Twice.", name="twice", x=lambda g: g * 2)
    assert (op.__name__, op.__doc__) == ("twice", "Twice.")
    with pytest.raises(TypeError, match="positional"):
        primitive(lambda x: x, "doc", "name")  # type: ignore[call-overload]


@pytest.mark.parametrize("label", ["a", "aux_shape", "inp", "z", "z_shape"])
def test_a_rule_that_asks_for_nothing_known_is_refused(label: str) -> None:
    rule = eval(f"lambda g, {label}: g")
    with pytest.raises(TypeError, match=rf"op: a gradient rule asks for '{label}', which is neither"):
        primitive(lambda x: x, name="op", x=rule)


def test_a_comparison_of_whole_numbers_is_bools() -> None:
    assert minitorch.gt(np.array([1, 2]), 1).dtype == np.bool_
    assert minitorch.add(np.array([1, 2]), 1).dtype == np.int64


def test_whole_numbers_made_of_others_stay_whole_and_a_dtype_that_is_asked_for_is_given() -> None:
    assert minitorch.sum(np.array([True, True])).dtype == np.int64
    average = primitive(lambda x, dtype=None: np.mean(x, dtype=dtype), name="average", x=lambda g: g)
    assert average(np.array([1, 2])).dtype == np.float32
    assert average(np.array([1, 2]), dtype=np.float64).dtype == np.float64


def test_bools_made_of_floats_are_constants_though_there_is_a_rule() -> None:
    positive = primitive(lambda x: x > 0, name="positive", x=lambda g: g)
    assert not positive(leaf(1.5)).requires_grad


def test_integers_do_not_widen_the_floats_of_an_operation_on_two() -> None:
    op = primitive(lambda x, y: x * y, name="op", x=lambda g, y: g * y, y=lambda g, x: g * x)
    x = Tensor(np.ones(2, np.float32), requires_grad=True)
    assert op(x, np.array([2, 3])).dtype == np.float32
    assert op(np.array([2, 3]), x).dtype == np.float32


def test_no_tensors_at_all_are_refused_in_the_operations_name() -> None:
    with pytest.raises(ValueError, match=r"^joined: "):
        joined()


def test_a_list_among_two_operands_becomes_an_array_of_the_default_float() -> None:
    op = primitive(lambda x, y: np.multiply(x, y), name="op", x=lambda g, y: g * y, y=lambda g, x: g * x)
    x = Tensor(np.ones(2, np.float32), requires_grad=True)
    result = op(x, [2.0, 3.0])
    assert result.dtype == np.float32
    assert result._node is not None
    assert result._node.saved is not None
    (saved,) = result._node.saved
    assert type(saved) is np.ndarray
    assert saved.dtype == np.float32


def test_a_rule_can_be_asked_to_contribute_by_itself() -> None:
    x = leaf(2.0)
    node = (x * 3)._node
    assert node is not None
    assert node.rule is not None
    node.grad = np.ones(1)
    node.rule.contribute(node)
    np.testing.assert_array_equal(x.grad, [3.0])


def test_the_first_argument_that_is_missing_is_named() -> None:
    op = primitive(lambda x, a, b, c=0: x, name="op", x=lambda g: g)
    with pytest.raises(TypeError, match="op needs the argument 'a'"):
        op(np.ones(1))
    with pytest.raises(TypeError, match="op needs the argument 'b'"):
        op(np.ones(1), 1)
