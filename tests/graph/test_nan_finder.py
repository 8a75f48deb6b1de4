"""`find_nan` names the operation and the module that made the first nan, and is silent where there is none."""

import re

import numpy as np
import pytest

from minitorch import Tensor, nn
from minitorch.graph import AutogradGraph, GraphExecutor, NanError, autograd_graph
from minitorch.nn import functional


class Distance(nn.Module):
    def forward(self, x):
        return ((x * x).sum(axis=1)).sqrt()


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2, bias=False)
        self.distance = Distance()

    def forward(self, x):
        return self.distance(self.layer(x))


def test_a_result_names_operation_module_and_count():
    x = Tensor([1.0, -1.0, -4.0], requires_grad=True)
    graph = AutogradGraph(find_nan=True)
    graph.scope = "distance"
    with np.errstate(invalid="ignore"), pytest.raises(NanError) as caught, graph:
        (x * 2).sqrt()
    assert str(caught.value) == "sqrt in distance made nan in 2 of 3 numbers, shape (3,)"
    assert graph.closed
    assert isinstance(caught.value, FloatingPointError)


def test_infinite_numbers_are_no_error_and_are_named_where_a_nan_comes_of_them():
    x = Tensor([1000.0, 1.0], requires_grad=True)
    with np.errstate(all="ignore"), AutogradGraph(find_nan=True):
        big = x.exp()
        with pytest.raises(NanError, match=r"sub made nan in 1 of 2 numbers, shape \(2,\); exp had given it infinite"):
            big - big


def test_a_mask_of_minus_infinity_is_fine():
    scores = Tensor(np.zeros((3, 3), np.float32), requires_grad=True)
    mask = np.triu(np.ones((3, 3), bool), 1)
    with AutogradGraph(find_nan=True) as graph:
        loss = (scores.masked_fill(mask, -np.inf).softmax(1) ** 2).sum()
    GraphExecutor(graph).backward(loss)
    assert np.isfinite(scores.grad).all()


def test_a_leaf_that_comes_with_nan_is_named_before_anything_is_computed():
    x = Tensor([1.0, np.nan], requires_grad=True)
    graph = AutogradGraph(find_nan=True).label(x=x)
    with graph, pytest.raises(NanError, match=r"the leaf x holds nan in 1 of 2 numbers before anything was computed"):
        x * 2


def test_a_gradient_rule_that_makes_nan_is_named_with_its_module():
    model = Model()
    with np.errstate(all="ignore"), autograd_graph(model, find_nan=True) as graph:
        loss = (model(Tensor([[0.0, 0.0], [1.0, 2.0]], requires_grad=True)) * 0).sum()
        found = re.escape("gradient rule of sqrt in distance made nan")
        with pytest.raises(NanError, match=found):
            GraphExecutor(graph).backward(loss)


def test_without_it_nothing_is_looked_at():
    x = Tensor([-1.0], requires_grad=True)
    with np.errstate(invalid="ignore"), AutogradGraph() as graph:
        loss = x.sqrt().sum()
    GraphExecutor(graph).backward(loss)
    assert np.isnan(x.grad).all()


def test_a_training_step_without_nan_is_silent():
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
    with autograd_graph(model, find_nan=True) as graph:
        loss = functional.cross_entropy(model(Tensor(np.ones((5, 4), np.float32))), Tensor([0, 1, 2, 0, 1]))
    GraphExecutor(graph).backward(loss)
