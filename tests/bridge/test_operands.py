"""What an operation was done to: numbers and tensors, in the order in which they stand in the program."""

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'minitorch-course[torch]'")

from minitorch.bridge import record  # noqa: E402
from minitorch.graph import AutogradGraph  # noqa: E402

Q = torch.tensor([3.0, 5.0], requires_grad=True)
FIRST = torch.tensor([0])


def in_place(change):
    def program():
        h = Q * 1.0
        changed = change(h)
        return h if changed is None else changed

    return program


@pytest.mark.parametrize(
    ("program", "op", "parents", "constants"),
    [
        (lambda: Q - 2, "sub", [0], {1: 2}),
        (lambda: 2 - Q, "sub", [1], {0: 2}),
        (lambda: torch.rsub(Q, 2), "sub", [1], {0: 2}),
        (lambda: Q / 2, "div", [0], {1: 2}),
        (lambda: 2 / Q, "div", [1], {0: 2}),
        (lambda: Q**2, "pow", [0], {1: 2}),
        (lambda: 2**Q, "pow", [1], {0: 2}),
        (lambda: torch.pow(2, Q), "pow", [1], {0: 2}),
        (lambda: Q % 2, "remainder", [0], {1: 2}),
        (lambda: torch.sub(Q, 2, alpha=3), "sub", [0], {1: 2, 2: 3}),
        (lambda: Q.clamp(4, 6), "clamp", [0], {1: 4, 2: 6}),
        (lambda: Q.sum(0), "sum", [0], {}),  # a dimension is no operand
        (lambda: Q.view(2, 1), "view", [0], {}),
        (lambda: Q * True, "mul", [0], {1: True}),
        (lambda: torch.div(Q, 2, rounding_mode=None), "div", [0], {1: 2}),
        (lambda: torch.div(Q, 2, rounding_mode="floor"), "div_floor", [0], {1: 2}),
        (in_place(lambda h: h.div_(2, rounding_mode="trunc")), "div_trunc_", [0], {1: 2}),
        (lambda: Q.clamp(max=4), "clamp_max", [0], {1: 4}),
        (lambda: Q.clamp(None, 4), "clamp_max", [0], {1: 4}),
        (lambda: torch.clip(Q, min=4), "clamp_min", [0], {1: 4}),
        (lambda: Q.clamp(max=6, min=4), "clamp", [0], {1: 4, 2: 6}),
        (lambda: Q.clamp(min=Q.detach()), "clamp_min", [0], {1: [3, 5]}),
        (lambda: Q.clamp_min(4), "clamp_min", [0], {1: 4}),
        (lambda: torch.copysign(Q, -1), "copysign", [0], {1: -1}),
        (lambda: torch.special.xlog1py(2, Q), "special_xlog1py", [1], {0: 2}),
        (lambda: Q.index_fill(0, FIRST, 7), "index_fill", [0], {2: [0], 3: 7}),
        (lambda: Q.scatter(0, FIRST, 7), "scatter", [0], {2: [0], 3: 7}),
        (in_place(lambda h: h.sub_(2)), "sub_", [0], {1: 2}),
        (in_place(lambda h: h.__itruediv__(2)), "div_", [0], {1: 2}),
        (in_place(lambda h: h.clamp_(max=4)), "clamp_max_", [0], {1: 4}),
        (in_place(lambda h: h.fill_(2)), "fill_", [0], {1: 2}),
        (in_place(lambda h: h.__setitem__(0, 7)), "index_put_", [0], {2: 7}),  # 0 says where, and not what
        (in_place(lambda h: h.index_put_((FIRST,), Q.detach()[:1], True)), "index_put_", [0], {1: [0], 2: [3]}),
    ],
)
def test_numbers_are_operands_where_they_stand_for_a_tensor(program, op, parents, constants):
    graph = AutogradGraph()
    with record(graph):
        result = program()
    node = graph.node(result)
    assert node.op == op
    assert [slot for slot, _ in graph.operands(node)] == parents
    found = {each.slot: getattr(each.value, "tolist", lambda value=each.value: value)() for each in node.constants}
    assert found == constants


def test_a_tensor_that_wants_no_gradient_keeps_its_slot():
    graph = AutogradGraph()
    with record(graph):
        result = torch.where(torch.tensor([True, False]), 0.5, Q)
    (flag, half) = graph.node(result).constants
    assert (flag.slot, flag.value.tolist()) == (0, [True, False])
    assert (half.slot, half.value) == (1, 0.5)
    assert [slot for slot, _ in graph.operands(graph.node(result))] == [2]


@pytest.mark.parametrize(
    ("program", "numbers"),
    [
        (lambda x, y: torch.addmm(x, x, y, beta=2, alpha=0.5), [2, 0.5]),
        (lambda x, y: x.addmm(x, y, alpha=3), [3]),
        (lambda x, y: torch.addcmul(x, y, y, value=0.25), [0.25]),
        (lambda x, y: torch.addcdiv(x, y, y), []),
    ],
)
def test_the_numbers_that_scale_a_sum_of_products_are_there(program, numbers) -> None:
    x, y = (torch.eye(2, requires_grad=True) for _ in range(2))
    graph = AutogradGraph()
    with record(graph):
        result = program(x, y)
    assert [each.value for each in graph.find(result).constants] == numbers
    assert all(each.slot >= 3 for each in graph.find(result).constants)


@torch.library.custom_op("minitorch_tests::scaled", mutates_args=())
def scaled(x: torch.Tensor, by: float, often: int = 1, loud: bool = False) -> torch.Tensor:
    return x * by * often


scaled.register_autograd(lambda ctx, g: (g, None, None, None))


@pytest.mark.parametrize(
    ("program", "op", "constants"),
    [
        (lambda: scaled(Q, 2.5), "minitorch_tests::scaled", [(1, 2.5)]),
        (lambda: scaled(Q, by=2.5, often=3, loud=True), "minitorch_tests::scaled", [(1, 2.5), (2, 3)]),
        (lambda: torch.ops.minitorch_tests.scaled(Q, often=3, by=2.5), "minitorch_tests::scaled", [(1, 2.5), (2, 3)]),
        (lambda: torch.ops.aten.mul(Q, 2.5), "mul", [(1, 2.5)]),
        (lambda: torch.ops.aten.addcmul.default(Q, Q, Q, value=3), "addcmul", [(3, 3)]),
    ],
)
def test_a_number_given_to_a_registered_operator_is_recorded(program, op, constants):
    graph = AutogradGraph()
    with record(graph):
        result = program()
    node = graph.node(result)
    assert (node.op, [(each.slot, each.value) for each in node.constants]) == (op, constants)
