"""Value, the scalar engine of the first lessons."""

import gc
import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from programs import FEW

from minitorch.scalar import Value

NUDGE = 1e-6

UNARY: dict[str, tuple[Callable[[Any], Any], list[float]]] = {
    "neg": (lambda x: -x, [-1.5, 0.0, 2.0]),
    "plus a number": (lambda x: x + 2.5, [-1.5, 2.0]),
    "a number plus": (lambda x: 2.5 + x, [-1.5, 2.0]),
    "minus a number": (lambda x: x - 2, [-1.5, 2.0]),
    "a number minus": (lambda x: 2 - x, [-1.5, 2.0]),
    "times a number": (lambda x: x * -3.0, [-1.5, 2.0]),
    "a number times": (lambda x: -3 * x, [-1.5, 2.0]),
    "over a number": (lambda x: x / 4.0, [-1.5, 2.0]),
    "a number over": (lambda x: 4.0 / x, [-1.5, 2.0]),
    "square": (lambda x: x**2, [-1.5, 0.0, 2.0]),
    "cube": (lambda x: x**3, [-1.5, 0.0, 2.0]),
    "power one": (lambda x: x**1, [-1.5, 0.0, 2.0]),
    "power zero": (lambda x: x**0, [-1.5, 0.0, 2.0]),
    "negative power": (lambda x: x**-2, [-1.5, 2.0]),
    "square root": (lambda x: x**0.5, [0.5, 2.0]),
    "number to the power": (lambda x: 2.0**x, [-1.5, 0.0, 2.0]),
    "itself to its power": (lambda x: x**x, [0.5, 2.0]),
    "exp": (lambda x: x.exp(), [-3.0, 0.0, 2.0]),
    "log": (lambda x: x.log(), [0.1, 3.0]),
    "tanh": (lambda x: x.tanh(), [-3.0, 0.0, 0.7]),
    "sigmoid": (lambda x: x.sigmoid(), [-3.0, 0.0, 0.7]),
    "relu": (lambda x: x.relu(), [-1.5, 2.0]),
    "x + x": (lambda x: x + x, [1.5]),
    "x · x": (lambda x: x * x, [-1.5]),
    "x − x": (lambda x: x - x, [1.5]),
    "x / x": (lambda x: x / x, [1.5]),
}
BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "/": lambda x, y: x / y,
    "**": lambda x, y: x**y,
}


def slope(function: Callable[[float], float], at: float) -> float:
    return (function(at + NUDGE) - function(at - NUDGE)) / (2 * NUDGE)


@pytest.mark.parametrize(("title", "at"), [(title, at) for title, (_, points) in UNARY.items() for at in points])
def test_one_operand_against_differences(title: str, at: float) -> None:
    function = UNARY[title][0]
    x = Value(at)
    function(x).backward()
    assert x.grad == pytest.approx(slope(lambda moved: function(Value(moved)).data, at), rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("op", BINARY)
def test_two_operands_against_differences(op: str) -> None:
    function = BINARY[op]
    x, y = Value(1.7), Value(2.3)
    function(x, y).backward()
    assert x.grad == pytest.approx(slope(lambda moved: function(Value(moved), y).data, 1.7), rel=1e-6)
    assert y.grad == pytest.approx(slope(lambda moved: function(x, Value(moved)).data, 2.3), rel=1e-6)


def test_every_method_and_operator_is_tried() -> None:
    tried = {"neg", "exp", "log", "tanh", "sigmoid", "relu", "dot", "add", "sub", "mul", "truediv", "pow"}
    tried |= {"radd", "rsub", "rmul", "rtruediv", "rpow"}
    plain = {"backward", "data", "grad", "label", "uid", "init", "repr", "float", "module", "slots", "doc"}
    plain |= {"prev", "op", "local_grads", "ancestors", "static_attributes", "firstlineno"}
    assert {name.strip("_") for name in vars(Value)} <= tried | plain


@pytest.mark.parametrize(
    ("make", "op", "local"),
    [
        (lambda v: v + 3, "+", 1.0),
        (lambda v: 3 + v, "+", 1.0),
        (lambda v: v * 3, "*", 3.0),
        (lambda v: 3 * v, "*", 3.0),
        (lambda v: v - 3, "-", 1.0),
        (lambda v: 3 - v, "-", -1.0),
        (lambda v: v / 4, "/", 0.25),
        (lambda v: 8 / v, "/", -2.0),
        (lambda v: v**3, "**", 12.0),
    ],
)
def test_a_python_number_is_folded_into_the_local_gradient(make: Any, op: str, local: float) -> None:
    v = Value(2.0)
    out = make(v)
    assert (out._prev, out._op, out._local_grads) == ((v,), op, (local,))


def test_a_result_remembers_its_parents_its_operation_and_its_local_gradients() -> None:
    x, y = Value(2.0), Value(-3.0)
    out = x * y
    assert (out.data, out._prev, out._op, out._local_grads) == (-6.0, (x, y), "*", (-3.0, 2.0))
    assert (x * x)._prev == (x, x)
    assert x.uid < y.uid < out.uid


def test_no_gradient_yet_is_not_a_gradient_of_zero() -> None:
    x, y = Value(-1.0), Value(2.0)
    assert x.grad is None
    (x.relu() * y).backward()
    assert x.grad == 0.0
    assert x.grad is not None


def test_a_diamond_adds_both_paths() -> None:
    x = Value(0.5)
    (x.exp() * x.tanh() + x).backward()
    tanh = math.tanh(0.5)
    assert x.grad == pytest.approx(math.exp(0.5) * (tanh + 1 - tanh**2) + 1)


def test_paths_of_uneven_depth_are_walked_in_the_right_order() -> None:
    x = Value(1.1)
    deep = x
    for _ in range(20):
        deep = deep * 1.1
    (deep * x + x).backward()
    assert x.grad == pytest.approx(2 * 1.1 * 1.1**20 + 1)


def test_leaf_gradients_accumulate_and_interior_ones_describe_the_latest_pass() -> None:
    x = Value(3.0)
    hidden = x * x
    loss = hidden + hidden
    loss.backward()
    loss.backward()
    assert (x.grad, hidden.grad, loss.grad) == (24.0, 2.0, 1.0)
    x.grad = None
    loss.backward()
    assert x.grad == 12.0


def test_two_losses_that_share_a_hidden_value_give_the_right_sum() -> None:
    x = Value(3.0)
    hidden = x * 2.0
    (hidden * hidden).backward()
    (hidden * 5.0).backward()
    assert x.grad == 2 * 6.0 * 2.0 + 10.0


def test_backward_on_a_leaf_counts_itself() -> None:
    x = Value(3.0)
    x.backward()
    assert x.grad == 1.0


def test_equality_and_hash_are_identity() -> None:
    assert Value(1.0) != Value(1.0)
    assert len({Value(1.0), Value(1.0)}) == 2


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (lambda: Value("2"), TypeError, r"a Value holds one number \(int or float\), not str"),
        (lambda: Value([1.0]), TypeError, "not list"),
        (lambda: Value(1.0) / 0, ZeroDivisionError, "1.0 / 0 divides by zero"),
        (lambda: Value(1.0) / Value(0.0), ZeroDivisionError, "1.0 / 0.0 divides by zero"),
        (lambda: 3 / Value(0.0), ZeroDivisionError, "3 / 0.0 divides by zero"),
        (lambda: Value(0.0) ** -1, ZeroDivisionError, r"0.0 \*\* -1 divides by zero"),
        (lambda: Value(-2.0) ** 0.5, ValueError, r"-2.0 \*\* 0.5 is not a real number: the exponent must be whole"),
        (lambda: (-2) ** Value(2.0), ValueError, r"-2 \*\* Value needs a base above zero"),
        (lambda: Value(-1.0).log(), ValueError, "log needs a number above zero, not -1.0"),
        (lambda: Value(0.0).log(), ValueError, "log needs a number above zero, not 0.0"),
        (lambda: Value(1.0) + "one", TypeError, r"unsupported operand type\(s\) for \+: 'Value' and 'str'"),
        (lambda: Value(1.0) ** None, TypeError, r"unsupported operand type\(s\) for \*\*"),
    ],
)
def test_errors_say_what_is_wrong(wrong: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        wrong()


def test_a_whole_power_of_a_negative_number_is_real() -> None:
    assert (Value(-2.0) ** 3.0).data == -8.0


@pytest.mark.parametrize("at", [709.0, 709.785, 710.0, 1e9])
def test_exp_overflows_to_infinity(at: float) -> None:
    assert Value(at).exp().data == pytest.approx(math.exp(at) if at < 709.7 else math.inf)


def test_powers_overflow_to_infinity() -> None:
    assert (Value(1e200) ** 2).data == math.inf
    assert (10 ** Value(400.0)).data == math.inf
    assert (Value(-1e200) ** 3).data == -math.inf


@pytest.mark.parametrize("at", [-1e4, -40.0, 40.0, 1e4])
def test_sigmoid_and_tanh_never_overflow(at: float) -> None:
    assert Value(at).sigmoid().data == pytest.approx(0.0 if at < 0 else 1.0)
    assert Value(at).tanh().data == math.copysign(1.0, at)


@pytest.mark.parametrize("name", ["exp", "tanh", "relu", "log", "sigmoid"])
def test_nan_stays_nan(name: str) -> None:
    assert math.isnan(getattr(Value(math.nan), name)().data)


def test_repr_tells_label_value_and_gradient() -> None:
    x = Value(2.5, label="x")
    assert repr(x) == "Value(x: 2.5, grad=None)"
    (x * 2).backward()
    assert repr(x) == "Value(x: 2.5, grad=2)"
    assert repr(Value(1 / 3)) == "Value(0.333333, grad=None)"
    assert float(x) == 2.5


def test_graphs_are_freed_without_the_collector() -> None:
    def program() -> None:
        x, y = Value(1.5), Value(2.5)
        loss = (x * y).tanh() + x**2 / y
        loss.backward()

    gc.collect()
    gc.disable()
    try:
        before = sum(type(each) is Value for each in gc.get_objects())
        for _ in range(10):
            program()
        assert sum(type(each) is Value for each in gc.get_objects()) == before
    finally:
        gc.enable()


STEPS: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x.tanh() * y.tanh(),
    "div": lambda x, y: x / (y * y + 1.0),
    "pow": lambda x, y: (x.sigmoid() + 0.5) ** y.tanh(),
    "square": lambda x, y: x.tanh() ** 2,
    "exp": lambda x, y: x.tanh().exp(),
    "log": lambda x, y: (x * x + 1.0).log(),
    "fold": lambda x, y: 1.5 - x / 2.0,
    "base": lambda x, y: 2.0 ** x.tanh(),
}
programs = st.lists(
    st.tuples(st.sampled_from(sorted(STEPS)), st.integers(0, 100), st.integers(0, 100)), min_size=1, max_size=12
)
starts = st.lists(st.floats(-2.0, 2.0), min_size=1, max_size=3)


@FEW
@given(programs, starts)
def test_random_programs_agree_with_central_differences(
    program: list[tuple[str, int, int]], start: list[float]
) -> None:
    def evaluate(numbers: list[float]) -> tuple[list[Value], Value]:
        leaves = [Value(number) for number in numbers]
        pool = list(leaves)
        for name, left, right in program:
            pool.append(STEPS[name](pool[left % len(pool)], pool[right % len(pool)]))
        total = Value(0.0)
        for value in pool[len(pool) // 2 :]:
            total = total + value
        return leaves, total

    leaves, total = evaluate(start)
    total.backward()
    for place, leaf in enumerate(leaves):
        ahead, behind = list(start), list(start)
        ahead[place] += NUDGE
        behind[place] -= NUDGE
        numeric = (evaluate(ahead)[1].data - evaluate(behind)[1].data) / (2 * NUDGE)
        assert (leaf.grad or 0.0) == pytest.approx(numeric, rel=1e-5, abs=1e-7)


@given(st.lists(st.tuples(*[st.tuples(st.floats(-5, 5), st.booleans())] * 2), max_size=6), st.booleans())
@FEW
def test_a_dot_product_is_the_sum_of_its_products(pairs: Any, with_start: bool) -> None:
    def made() -> tuple[list[Any], list[Any], Any, list[Value]]:
        left, right = (
            ([Value(n) if is_node else n for n, is_node in each] for each in zip(*pairs)) if pairs else ([], [])
        )
        start: Any = Value(0.5) if with_start else 0.5
        return left, right, start, [each for each in (*left, *right, start) if isinstance(each, Value)]

    left, right, start, nodes = made()
    fused = Value.dot(left, right, start)
    left, right, start, twins = made()
    composed = sum((a * b for a, b in zip(left, right)), start) + Value(0.0)
    fused.backward()
    composed.backward()
    assert fused.data == pytest.approx(composed.data, abs=1e-12)
    assert [each.grad for each in nodes] == pytest.approx([each.grad for each in twins], abs=1e-12)
    assert set(fused._prev) == set(nodes)


def test_a_dot_product_of_a_vector_with_itself_counts_it_twice() -> None:
    v = [Value(2.0), Value(-3.0)]
    Value.dot(v, v).backward()
    assert [each.grad for each in v] == [4.0, -6.0]


def test_a_dot_product_needs_equal_lengths() -> None:
    with pytest.raises(ValueError, match="2 factors on the left and 1 on the right"):
        Value.dot([Value(1.0), Value(2.0)], [3.0])
