"""The graph of `order_by_hand`, for the notebook's picture: `viz.graph(unseen())`."""

from minitorch.course.lessons.lesson_C1_on_your_own.checks_order import LEAVES, MADE
from minitorch.scalar import Value


def unseen() -> Value:
    """Return the root of the graph, with labels and without gradients."""
    nodes = {name: Value(number, label=name) for name, number in LEAVES.items()}

    def node(name: str) -> Value:
        if name not in nodes:
            left, sign, right = MADE[name]
            one, other = node(left), node(right)
            nodes[name] = one + other if sign == "+" else one * other
            nodes[name].label = name
        return nodes[name]

    return node("root")
