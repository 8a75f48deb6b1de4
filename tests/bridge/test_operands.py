"""What an operation was done to: numbers and tensors, in the order in which they stand in the program."""

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'minitorch-course[torch]'")

from minitorch.bridge import record  # noqa: E402
from minitorch.graph import AutogradGraph  # noqa: E402

Q = torch.tensor([3.0, 5.0], requires_grad=True)


def in_place(change):
    def program():
        h = Q * 1.0
        return change(h)

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
        (lambda: Q * True, "mul", [0], {}),
        (in_place(lambda h: h.sub_(2)), "sub_", [0], {1: 2}),
        (in_place(lambda h: h.__itruediv__(2)), "div_", [0], {1: 2}),
    ],
)
def test_numbers_are_operands_where_they_stand_for_a_tensor(program, op, parents, constants):
    graph = AutogradGraph()
    with record(graph):
        result = program()
    node = graph.node(result)
    assert node.op == op
    assert [slot for slot, _ in graph.operands(node)] == parents
    assert {each.slot: each.value for each in node.constants} == constants


def test_a_tensor_that_wants_no_gradient_keeps_its_slot():
    graph = AutogradGraph()
    with record(graph):
        result = torch.where(torch.tensor([True, False]), 0.5, Q)
    (flag, half) = graph.node(result).constants
    assert (flag.slot, flag.value.tolist()) == (0, [True, False])
    assert (half.slot, half.value) == (1, 0.5)
    assert [slot for slot, _ in graph.operands(graph.node(result))] == [2]
