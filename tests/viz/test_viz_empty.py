"""Pictures of what is empty yet: before the first step, without parameters, without gradients, of one leaf alone."""

import numpy as np
import pytest
from viz_forms import has_every_form

from minitorch import Tensor, nn, optim, viz
from minitorch.graph import AutogradGraph
from minitorch.scalar import Value
from minitorch.train import History
from minitorch.viz.views import reprs
from minitorch.viz.views.grow import Growth


def leaf():
    return Tensor(2.0, requires_grad=True)


def stored_leaf():
    graph = AutogradGraph()
    graph.leaf(leaf(), backend="minitorch")
    return graph


def without_gradients():
    model = nn.Linear(2, 2)
    for parameter in model.parameters():
        parameter.requires_grad_(False)
    with viz.live(model) as board:
        board.loss(1.0)
    return board


def failed_at_once():
    with pytest.raises(KeyError), viz.live(nn.Linear(2, 2)) as board:
        raise KeyError
    return board


EMPTY = {
    "live of a model": lambda: viz.live(nn.Linear(2, 3)),
    "live of a model and its optimiser": lambda: viz.live(nn.Linear(2, 3), optim.SGD([leaf()], lr=0.1)),
    "live of a dict": lambda: viz.live({"w": leaf()}),
    "live of nothing": viz.live,
    "live of an empty module": lambda: viz.live(nn.Sequential()),
    "live of a boundary": lambda: viz.live(nn.Linear(2, 3), boundary=(np.zeros((3, 2)), [0, 1, 2])),
    "live that failed at once": failed_at_once,
    "live without gradients": without_gradients,
    "grow": Growth,
    "lecture of a live": lambda: viz.lecture(viz.live()),
    "lecture of a grow": lambda: viz.lecture(Growth()),
    "memory of a pass": lambda: viz.memory(lambda: None),
    "graph of a leaf": lambda: viz.graph(leaf()),
    "step of a leaf": lambda: viz.step(leaf()),
    "shapes of a leaf": lambda: viz.shapes(leaf()),
    "grow of a leaf": lambda: viz.grow(leaf()),
    "nudge of a Value": lambda: viz.nudge(Value(2.0)),
    "fan_out of a Value": lambda: viz.fan_out(Value(2.0)),
    "graph of a stored leaf": lambda: viz.graph(stored_leaf()),
    "graph of a folded leaf": lambda: viz.graph(leaf(), fold=True, model=nn.Sequential()),
    "graph of a constant": lambda: viz.graph(Tensor(2.0)),
    "graph of no numbers": lambda: viz.graph(Tensor(np.zeros((0, 3)), requires_grad=True) * 2),
    "step of a leaf, predicted": lambda: viz.step(leaf(), predict=True),
    "shapes of a constant": lambda: viz.shapes(Tensor(2.0)),
    "compare of leaves": lambda: viz.compare(leaf(), Value(2.0)),
    "getitem of nothing": lambda: viz.getitem((3,), []),
    "reshape of no numbers": lambda: viz.reshape((0,), (0, 1)),
    "unbroadcast of no numbers": lambda: viz.unbroadcast((0, 3), (3,)),
}


@pytest.mark.parametrize("name", EMPTY)
def test_it_is_drawn_in_every_form(name, tmp_path):
    has_every_form(EMPTY[name], tmp_path)
    if isinstance(EMPTY[name](), viz.Live):
        EMPTY[name]().widget()


@pytest.mark.parametrize("name", [name for name in EMPTY if name.startswith("live of")])
def test_before_the_first_step_the_board_says_so(name):
    board = EMPTY[name]()
    assert "Before the first step." in board.text()
    assert "Before the first step." in board.svg()


REFUSED = {
    "memory": (lambda: viz.memory().svg(), RuntimeError, "nothing is recorded yet: write `with viz.memory"),
    "curve": (lambda: viz.curve([]), ValueError, "there is no number to draw a curve of"),
    "history": (lambda: viz.curve(History()), ValueError, "there is no number to draw a curve of"),
    "lecture": (viz.lecture, ValueError, "a lecture without slides: give it"),
    "descent": (lambda: viz.descent(np.sum, []), ValueError, "a path is points in the plane"),
    "boundary": (lambda: viz.boundary(np.sum, np.zeros((0, 2)), []), ValueError, "points in the plane have the shape"),
    "store": (lambda: viz.graph(AutogradGraph()), ValueError, "is empty: compute something inside its"),
    "pass of a store": (lambda: viz.step(AutogradGraph()), RuntimeError, "keep the loss in a variable"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_where_there_is_nothing_to_draw_it_says_what_to_give(name):
    make, error, message = REFUSED[name]
    with pytest.raises(error, match=message):
        make()


def test_a_module_without_layers_and_a_training_without_steps_are_shown():
    assert "Sequential" in reprs.module(nn.Sequential())
    assert reprs.history(History()) is None
    assert "no entries" in reprs.tensor(Tensor(np.zeros((0, 3))))


def test_what_has_no_gradient_is_left_out_of_the_norm_of_its_group():
    tensors = {f"body.{number}.weight": Tensor([3.0], requires_grad=number > 0) for number in range(20)}
    with viz.live(tensors) as board:
        sum(each * 2 for each in tensors.values()).sum().backward()
        board.loss(1.0)
    assert f">{np.sqrt(19 * 4):.3g}<" in board.svg()
