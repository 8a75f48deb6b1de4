"""An operation of many leaves: they are drawn with it on one screen."""

import re

import numpy as np

import minitorch as mt
from minitorch import viz
from minitorch.scalar import Value


def joined(count):
    leaves = [mt.Tensor(np.ones((1 + at % 3, 2), np.float32), requires_grad=True) for at in range(count)]
    names = {f"x{at}": leaf for at, leaf in enumerate(leaves)}
    whole = mt.cat(leaves)
    return (whole * whole).sum(), names


def width(svg):
    return int(re.search(r'width="(\d+)"', svg)[1])


def test_many_leaves_of_one_operation_are_one_box_beside_it():
    loss, names = joined(20)
    for picture in (viz.graph(loss, names=names), viz.step(loss, names=names)):
        drawn = picture.svg()
        assert width(drawn) <= 800
        assert ">20 leaves<" in re.sub(r"</?tspan>", "", drawn)
        assert ">cat<" in drawn
        for name in names:
            assert re.search(rf"^ *{name}\b", picture.text(), re.MULTILINE)


def test_a_few_leaves_stay_as_they_are_and_all_can_be_asked_for():
    loss, names = joined(8)
    assert "8 leaves" not in viz.graph(loss, names=names).svg()
    loss, names = joined(20)
    assert "20 leaves" not in viz.graph(loss, names=names, fold=False).svg()


def test_walks_of_a_wide_graph_are_compared_without_it():
    """The bars of a graph of 4,000 pixels would be too small to be read beside it."""
    layer = [Value(0.1 * at) for at in range(9)]
    for _ in range(2):
        layer = [sum((each * 0.3 for each in layer), Value(0.1)).tanh() for _ in range(4)]
    loss = sum(layer, Value(0.0))
    picture = viz.fan_out(loss)
    assert width(picture.svg()) <= 1060
    assert f"The graph of {len(picture.graph.nodes)} nodes is too wide" in picture.svg()
    assert width(picture.svg("topological")) > 1060
