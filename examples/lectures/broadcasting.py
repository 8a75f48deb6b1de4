"""A lecture of ten minutes on broadcasting: `python examples/lectures/broadcasting.py` writes broadcasting.html.

Open the file in any browser; f is full screen, → goes on, n shows the notes, ? all the keys. Nothing is loaded from
anywhere. A second file, broadcasting.pdf, has a page for each step, for the room to take home.
"""

from __future__ import annotations

import numpy as np

from minitorch import Tensor, viz
from minitorch.scalar import Value
from minitorch.viz import Lecture, slide


def one_entry() -> list[Value]:
    """One bias, added to two numbers: all that is made, in order."""
    x0, b, x1 = Value(10.0, label="x0"), Value(1.0, label="b"), Value(40.0, label="x1")
    y0, y1 = x0 + b, x1 + b
    loss = y0 + y1
    y0.label, y1.label, loss.label = "y0", "y1", "loss"
    return [x0, b, x1, y0, y1, loss]


def stretched() -> tuple[Tensor, dict[str, Tensor]]:
    """A bias of shape (3,), added to a table of shape (2, 3)."""
    x = Tensor(np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]))
    b = Tensor(np.array([0.5, 1.0, 2.0]), requires_grad=True)
    y = x + b
    loss = y.sum()
    return loss, {"x": x, "b": b, "y": y, "loss": loss}


def lecture() -> Lecture:
    """The slides, in order."""
    loss, names = stretched()
    *leaves, y0, y1, sum_ = one_entry()
    mean = viz.unbroadcast((2, 3), (3,), rule=lambda g, shape: g.mean(axis=0))
    return viz.lecture(
        slide("Broadcasting, backwards\nwhat is stretched on the way there is summed on the way back"),
        slide(
            question="Which shape does x + b have?",
            code="x.shape   # (2, 3)\nb.shape   #    (3,)",
            choices=("an error", "(2, 3)", "(2, 3, 3)"),
            right="(2, 3)",
            answer="Shapes are lined up at the right. The missing axis of b is added on the left, and stretched.",
            notes="Write both shapes on the board, one below the other, lined up at the right.",
        ),
        slide(
            question="One b is added to two numbers. What is the gradient of b?",
            code="y0 = x0 + b\ny1 = x1 + b\nloss = y0 + y1",
            choices=("1", "2", "0.5"),
            right="2",
            answer="b reaches the loss along two paths, and where paths meet you add.",
            notes="The last lecture has it already: nothing here is new but the shapes.",
        ),
        slide(
            viz.grow(leaves, y0, y1, sum_),
            "An entry that is used twice is a leaf with two arrows",
            notes="Let the graph grow: y0, y1, then the loss.",
        ),
        slide(viz.step(sum_), "Each use hands back its part: = and then +=", predict=True),
        slide(
            viz.unbroadcast((2, 3), (3,)),
            "Stretched along axis 0, summed over axis 0",
            question="b has 3 entries, the gradient of y has 6. What is the gradient of b?",
            notes="The small letters say whose copy a cell is. Go column by column.",
        ),
        slide(
            mean,
            "The mean is wrong: every copy adds its whole part",
            notes="Most wrong answers in lesson 08 are this one. Ask why a mean looks right: its shape is.",
        ),
        slide(
            viz.unbroadcast((2, 3), (2, 1)),
            "An axis of size 1 is summed too, and stays",
            notes="keepdims=True for the axes of size 1; those that were missing go.",
        ),
        slide(viz.graph(loss, names=names), "The dashed arrow is the stretched one", notes="b alone is."),
        slide(viz.step(loss, names=names), "The same in the graph: the gradient has the shape of the data"),
        slide(viz.shapes(loss, names=names), "Read it row by row: what arrives, what is summed, what shape is left"),
        slide(
            "Missing axes: summed, and gone\naxes of size 1: summed, and kept\na gradient has the shape of its data",
            notes="Lesson 08 asks for exactly this as a function of ten lines.",
        ),
        title="Broadcasting, backwards",
    )


def main() -> None:
    """Write both files beside where it is run."""
    made = lecture()
    for name in ("broadcasting.html", "broadcasting.pdf"):
        print(made.save(name))


if __name__ == "__main__":
    main()
