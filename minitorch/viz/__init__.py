"""Pictures of computation graphs: in a notebook, in a terminal, in a file.

    viz.graph(x)      the graph behind x, with the values and gradients it has now
    viz.step(loss)    the backward pass of loss, to be stepped through

Both take a Tensor, a `scalar.Value` or an AutogradGraph (`minitorch.graph`), of PyTorch's tensors too. Importing this
loads neither anywidget nor graphviz.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from minitorch.viz.capture import snapshot, trace
from minitorch.viz.picture import GraphPicture, Stepper

__all__ = ["GraphPicture", "Stepper", "graph", "step"]


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
