"""Pictures of computation graphs: in a notebook, in a terminal, in a file.

    viz.graph(x)      the graph behind x, with the values and gradients it has now
    viz.step(loss)    the backward pass of loss, to be stepped through; step(loss, predict=True) asks each number first
    viz.nudge(f)      the graph of single numbers, which you change: values, gradients and finite differences follow
    viz.fan_out(loss) the same pass by right and wrong algorithms, beside each other
    viz.shapes(loss)  the same pass as a table of gradient shapes, what is wrong marked
    viz.compare(mine, reference)       two graphs of one computation beside each other, the first difference ringed
    viz.transpose(x, axes)  viz.reshape(x, shape)  viz.getitem(x, index)   where numbers go, and their gradients
    viz.unbroadcast(gradient, shape)   how a gradient is summed back to the shape of a stretched operand
    viz.boundary(score, points, labels)   what a classifier says about every place of the plane
    viz.descent(f, paths)              level lines of a function of two numbers, and paths across it, step by step
    viz.live(model, optimizer)         the board of a training, around its loop or as a callback of fit;
                                       its .graph(loss) is the graph with the training's figures in it
    viz.memory(program)                which arrays are alive while a program runs, and what keeps them
    viz.program(step)                  the calls of a captured step, and which results share which memory
    viz.curve(losses)                  curves of numbers, and of the History of a training
    viz.grow(x, p, loss)               a graph whose operations appear, stage by stage or as the cells of a notebook run
    viz.lecture(*pictures)             slides to teach from, in one file: step by step, with questions and notes

The first two take a Tensor, a `scalar.Value` or an AutogradGraph (`minitorch.graph`), of PyTorch's tensors too; `graph`
takes several results as well, as a model returns them: a tuple, a dict, a dataclass.
Of more than 60 nodes they draw modules, repetitions and chains as one box each, which opens; `model=` names modules.
`graph`, `nudge`, `shapes` and `compare` also take what a learner writes, with the attributes `data`, `_prev`, `_op`.
Importing this loads neither anywidget nor graphviz. Where IPython runs, a Tensor, a module or a History at the end of a
cell is then shown as a heat map, a tree that opens, or curves; their text stays beside it.

Four rooms, and imports run one way through them:

    texts/     every sentence, in English and in Spanish
    facts/     what is true of a graph: capture, model, words, and the facts of each view
    drawing/   pictures of facts: scene, layout, svg, text, html, dot, theme, player, and static/ for the browser
    views/     what the functions give back: picture (every form, once), film, and a file for each view

A view is added by its file in views/ and its test: docs/adding-a-view.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from minitorch.viz import views
from minitorch.viz.views import reprs

if TYPE_CHECKING:  # what editors and mypy know by name; any other view is Any to them
    from typing import Any

    from minitorch.viz.views.boundary import Boundary as Boundary
    from minitorch.viz.views.boundary import boundary as boundary
    from minitorch.viz.views.compare import Comparison as Comparison
    from minitorch.viz.views.compare import compare as compare
    from minitorch.viz.views.curve import Curve as Curve
    from minitorch.viz.views.curve import curve as curve
    from minitorch.viz.views.descent import Descent as Descent
    from minitorch.viz.views.descent import descent as descent
    from minitorch.viz.views.fan_out import FanOut as FanOut
    from minitorch.viz.views.fan_out import fan_out as fan_out
    from minitorch.viz.views.graph import GraphPicture as GraphPicture
    from minitorch.viz.views.graph import graph as graph
    from minitorch.viz.views.grow import Growth as Growth
    from minitorch.viz.views.grow import grow as grow
    from minitorch.viz.views.health import Health as Health
    from minitorch.viz.views.lecture import Lecture as Lecture
    from minitorch.viz.views.lecture import Slide as Slide
    from minitorch.viz.views.lecture import lecture as lecture
    from minitorch.viz.views.lecture import slide as slide
    from minitorch.viz.views.live import Live as Live
    from minitorch.viz.views.live import live as live
    from minitorch.viz.views.memory import Memory as Memory
    from minitorch.viz.views.memory import memory as memory
    from minitorch.viz.views.nudge import Nudge as Nudge
    from minitorch.viz.views.nudge import nudge as nudge
    from minitorch.viz.views.program import ProgramPicture as ProgramPicture
    from minitorch.viz.views.program import program as program
    from minitorch.viz.views.rearranging import Getitem as Getitem
    from minitorch.viz.views.rearranging import Reshape as Reshape
    from minitorch.viz.views.rearranging import Transpose as Transpose
    from minitorch.viz.views.rearranging import getitem as getitem
    from minitorch.viz.views.rearranging import reshape as reshape
    from minitorch.viz.views.rearranging import transpose as transpose
    from minitorch.viz.views.shapes import ShapeTable as ShapeTable
    from minitorch.viz.views.shapes import shapes as shapes
    from minitorch.viz.views.step import Stepper as Stepper
    from minitorch.viz.views.step import step as step
    from minitorch.viz.views.unbroadcast import Unbroadcast as Unbroadcast
    from minitorch.viz.views.unbroadcast import unbroadcast as unbroadcast

    def __getattr__(name: str) -> Any: ...


globals().update(views.public())
reprs.register()
__all__ = sorted(views.public())  # noqa: PLE0605 - each view names its own
