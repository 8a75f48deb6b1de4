"""A lecture of ten minutes on the chain rule: `python examples/lectures/chain_rule.py` writes chain_rule.html.

Open the file in any browser; f is full screen, → goes on, n shows the notes, ? all the keys. Nothing is loaded from
anywhere. A second file, chain_rule.pdf, has a page for each step, for the room to take home.
"""

from __future__ import annotations

from minitorch import viz
from minitorch.scalar import Value
from minitorch.viz import Lecture, slide


def one_path() -> Value:
    """x, times 3, times 5."""
    x = Value(2.0, label="x")
    p = x * 3
    root = p * 5
    p.label, root.label = "p", "root"
    return root


def two_paths() -> Value:
    """x reaches root through p, and directly."""
    x, y = Value(3.0, label="x"), Value(2.0, label="y")
    p = x * y
    root = p + x
    p.label, root.label = "p", "root"
    return root


def uneven() -> Value:
    """A short and a long path from x to root; both lead through p."""
    x = Value(2.0, label="x")
    p = x * 3
    q = p * p
    root = p + q
    p.label, q.label, root.label = "p", "q", "root"
    return root


def lecture() -> Lecture:
    """The slides, in order."""
    return viz.lecture(
        slide(
            "The chain rule\nwhat a node owes its ancestors", notes="Wait until it is quiet. One question carries it."
        ),
        slide(
            viz.graph(one_path()),
            "p grows by 3 for every 1 of x, and root by 5 for every 1 of p",
            notes="Numbers on the arrows are local gradients: each node knows its own and no other.",
        ),
        slide(
            question="How much does root grow for every 1 of x?",
            code="p = x * 3\nroot = p * 5",
            choices=("3 + 5 = 8", "5", "3 * 5 = 15"),
            right="3 * 5 = 15",
            answer="Measured: (root(2.001) - root(2)) / 0.001 = 15. Along a path you multiply.",
            notes="Hands up for each answer before the next key. 8 gets many hands: let somebody defend it.",
        ),
        slide(
            viz.step(one_path()),
            "Along a path you multiply",
            notes="The seed is 1: root grows with itself one to one. Say each product aloud.",
        ),
        slide(
            question="Now x acts in two ways. What is the gradient of x?",
            code="x, y = 3, 2\np = x * y\nroot = p + x",
            choices=("2, the longer path", "1, the shorter path", "2 + 1 = 3, both", "2 * 1 = 2"),
            right="2 + 1 = 3, both",
            answer="Nudge x by 1: p grows by 2, and root by 2 + 1. Where paths meet you add.",
            notes="Half a minute in pairs.",
        ),
        slide(
            viz.step(two_paths()),
            "Where paths meet you add: = for the first, += for every later one",
            predict=True,
            notes="Before each step the room says the number and the sign. The last step is the one that matters.",
        ),
        slide(
            viz.graph(uneven()),
            "Who may hand on its gradient first: p or q?",
            notes="p stands next to root. It is tempting to visit it second.",
        ),
        slide(
            viz.fan_out(uneven(), "breadth_first"),
            "Level by level: p hands on before it has everything",
            notes="39 is right. 3 is what comes out: p was never asked again.",
        ),
        slide(
            viz.fan_out(uneven(), "topological"),
            "Children first: every node is complete before it hands on",
            notes="Each node is visited once, however many paths there are.",
        ),
        slide(
            "Multiply along a path\nadd where paths meet\nchildren first, each node once",
            notes="That is the whole of backpropagation. The exercises of lesson 02 begin here.",
        ),
        title="The chain rule",
    )


def main() -> None:
    """Write both files beside where it is run."""
    made = lecture()
    for name in ("chain_rule.html", "chain_rule.pdf"):
        print(made.save(name))


if __name__ == "__main__":
    main()
