"""Pictures of computation graphs: in a notebook, in a terminal, in a file.

    viz.graph(x)      the graph behind x, with the values and gradients it has now
    viz.step(loss)    the backward pass of loss, to be stepped through
    viz.fan_out(loss) the same pass by right and wrong algorithms, beside each other
    viz.shapes(loss)  the same pass as a table of gradient shapes, what is wrong marked
    viz.compare(mine, reference)       two graphs of one computation beside each other, the first difference ringed
    viz.unbroadcast(gradient, shape)   how a gradient is summed back to the shape of a stretched operand
    viz.boundary(score, points, labels)   what a classifier says about every place of the plane

The first two take a Tensor, a `scalar.Value` or an AutogradGraph (`minitorch.graph`), of PyTorch's tensors too.
`graph`, `shapes` and `compare` also take what a learner writes with the same attributes: `data`, `_prev`, `_op`.
Importing this loads neither anywidget nor graphviz.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from minitorch.viz.facts.capture import snapshot, trace
from minitorch.viz.facts.differences import compared
from minitorch.viz.facts.shape_rows import shape_rows
from minitorch.viz.views.boundary import Boundary
from minitorch.viz.views.compare import Comparison
from minitorch.viz.views.fan_out import FanOut
from minitorch.viz.views.picture import GraphPicture, Stepper
from minitorch.viz.views.shapes import ShapeTable
from minitorch.viz.views.unbroadcast import Unbroadcast

__all__ = [
    "Boundary",
    "Comparison",
    "FanOut",
    "GraphPicture",
    "ShapeTable",
    "Stepper",
    "Unbroadcast",
    "boundary",
    "compare",
    "fan_out",
    "graph",
    "shapes",
    "step",
    "unbroadcast",
]

Walking = str | Callable[[Any], Any]


def graph(x: Any, *, names: Mapping[str, Any] | None = None) -> GraphPicture:
    """Draws the graph behind `x`, a Tensor or a scalar Value, with the values and gradients it has now.

    names: what to call which Tensor or Value, as in `names={"w": w}`; a Value's own label is used too. Raises TypeError
    when `x` is neither.

    >>> from minitorch.scalar import Value
    >>> x, y = Value(2.0, label="x"), Value(-3.0, label="y")
    >>> graph(x * y + x)
    node  made by  value         gradient
    x     leaf         2  no gradient yet
    y     leaf        -3  no gradient yet
    v1    x * y       -6  no gradient yet
    v2    v1 + x      -4  no gradient yet
    """
    return GraphPicture(snapshot(x, names))


def step(loss: Any, *, names: Mapping[str, Any] | None = None) -> Stepper:
    """The backward pass of `loss`, contribution by contribution. No `.grad` is read or changed: it is computed aside.

    Raises as `loss.backward()` does (a constant, more than one number, a graph that was freed), and ValueError where a
    scalar node does not say its local gradients.

    >>> from minitorch.scalar import Value
    >>> x = Value(3.0, label="x")
    >>> print(step(x * x).text())
    node  made by  value  gradient
    x     leaf         3         6
    v1    x * x        9         1
    <BLANKLINE>
    backward pass from v1: 3 of 3 steps
      1  v1  seed      =  1
      2  x   from v1   =  1 * 3 = 3
      3  x   from v1  +=  1 * 3 = 3  now 6
    """
    return Stepper(trace(loss, names))


def fan_out(
    loss: Any, walk: Walking | Sequence[Walking] | None = None, *, names: Mapping[str, Any] | None = None
) -> FanOut:
    """The backward pass of `loss` by several algorithms: what each node adds up, how often it is visited, who is wrong.

    walk: which of them, one or several; all five by default. "topological": children first, each node once, the right
    one. "recursive": each node hands on its whole gradient whenever something arrives; it counts paths, and what has
    been handed on before counts twice. "paths": each hands on just what has arrived; right, but with one visit for
    each path, 2^n in a chain of n diamonds. "overwrite": = in place of +=. "breadth_first": level by level, too early.
    A function `backward(root)` is run on a copy of the graph whose nodes write down each change of their `.grad`;
    what it raises is shown, and a walk without an end is broken off.

    `loss` is a scalar Value, or a Tensor whose graph holds single numbers only. Raises as `step`, and ValueError for a
    graph of more than 300 nodes, for one with larger Tensors and for a walk that it does not know.

    >>> from minitorch.scalar import Value
    >>> x = Value(2.0, label="x")
    >>> p = x * 3
    >>> seen = fan_out(p + p * p, ["topological", "recursive"], names={"p": p})
    >>> [(walk.name, walk.gradients[0], walk.first_wrong) for walk in seen.walks]
    [('topological', 39.0, None), ('recursive', 63.0, 6)]
    >>> print(seen.walks[1].fault)
    p hands its whole 7 on to x, but 1 of it went there before and counts twice
    """
    return FanOut(loss, walk, names)


def unbroadcast(gradient: Any, shape: Any, *, result: Any = None) -> Unbroadcast:
    r"""How the gradient of a stretched operand of `shape` is summed from the result's gradient, number by number.

    gradient: what arrives, an array or a Tensor; a shape such as (4, 3) stands for a made-up one, 1, 2, 3, …
    shape: the operand's, or an array or a Tensor that has it. result: what some code made of them; where it differs
    from the sum it is marked, and the mistake is named if it is a known one.

    Raises ValueError when `shape` cannot be stretched to the gradient's, TypeError for what is no array and no shape.

    >>> print("\n".join(unbroadcast((4, 3), (3,)).arithmetic()))
    a: 1 + 4 + 7 + 10 = 22
    b: 2 + 5 + 8 + 11 = 26
    c: 3 + 6 + 9 + 12 = 30
    >>> unbroadcast((2, 2), (2,), result=[2.0, 3.0]).problem
    'the mean over axis 0: each number is the sum divided by 2. Every copy adds its whole part'
    """
    return Unbroadcast(gradient, shape, result)


def boundary(score: Callable[[Any], Any], points: Any, labels: Any) -> Boundary:
    """The regions of a classifier of points in the plane, the boundary between them, and the points with their labels.

    score: is given an array of places, (m, 2), and returns m scores, where above 0 is the second class, or (m, classes)
    scores, where the largest wins. Lists of numbers or of Values, arrays and Tensors will do; classes may be up to 4.
    points: (n, 2). labels: n of them, -1 and 1 or 0, 1, … Patterns and shapes tell classes apart, not colours alone.

    Raises ValueError for other shapes and labels, and where a score is not finite.

    >>> seen = boundary(lambda places: places[:, 0] - 1, [[0, 0], [2, 1], [0.5, 1]], [-1, 1, 1])
    >>> print(seen.sentences()[0])
    2 of 3 points lie in the region of their class.
    >>> seen.said.tolist(), seen.regions.shape
    ([0, 1, 0], (16, 31))
    """
    return Boundary(score, points, labels)


def shapes(loss: Any, *, names: Mapping[str, Any] | None = None) -> ShapeTable:
    """The backward pass of `loss` as a table: one row for each edge, in the order of the pass.

    A row has the shape of the gradient that an operation is given, its rule for one operand, the shape of that
    operand's contribution, the axes that are then summed, the operand's shape, and the gradient that it holds.
    Of a learner's graph the table marks what is wrong: a gradient of another shape or dtype than its data, one that is
    missing, one that is not finite, one that a constant holds. Nothing is computed; before a backward pass the table
    says what shapes there will be.

    names: as in `graph`. Raises TypeError when `loss` is neither a Tensor nor a scalar Value.

    >>> from minitorch import Tensor
    >>> import numpy as np
    >>> b = Tensor([0.5, 1.0, 2.0], requires_grad=True)
    >>> loss = (Tensor(np.ones((4, 3), np.float32)) * b).sum()
    >>> shapes(loss, names={"b": b, "loss": loss})
    Gradient shapes of the backward pass from loss
    backward of  g       operand   local rule                  contribution  summed over  to shape  gradient
    seed         -       loss      1                           = ()          -            ()        no gradient yet
    sum -> loss  ()      v1        g, for every number summed  = (4, 3)      -            (4, 3)    no gradient yet
    mul -> v1    (4, 3)  constant  -                           -             -            not kept  constant
    mul -> v1    (4, 3)  b         g * constant                = (4, 3)      axis 0       (3,)      no gradient yet
    3 edges; no gradient yet anywhere: these are the shapes that gradients will have.
    """
    return ShapeTable(shape_rows(loss, names))


def compare(
    mine: Any,
    reference: Any,
    *,
    names: Mapping[str, Any] | None = None,
    reference_names: Mapping[str, Any] | None = None,
) -> Comparison:
    """Two graphs of the same computation beside each other, with the first node that differs ringed and named.

    The graphs are matched from their results upwards, by labels, operations (`"*"` is `"mul"`) and operands, across
    kinds of engine. Values are compared on the way forward, then gradients on the way back, up to the rounding of the
    coarser dtype; nodes that one graph alone has are named. Gradients that the reference does not hold are worked out
    aside where its graph allows it; otherwise they are left out and counted. No `.grad` is changed.

    names, reference_names: what to call which node of either graph, as in `graph`. Raises TypeError when either is
    neither a Tensor nor a scalar Value.

    >>> from minitorch.scalar import Value
    >>> x, y = Value(3.0, label="x"), Value(3.0, label="x")
    >>> mine, reference = Value(9.0, (x, x), "*", (3.0, 0.0)), y * y  # mine forgets one of the two operands
    >>> mine.backward()
    >>> found = compare(mine, reference)
    >>> found.same, found.first, found.differences[0].said
    (False, 'x', 'x.grad is 3 here and 6 there')
    """
    return Comparison(compared(mine, reference, names, reference_names))
