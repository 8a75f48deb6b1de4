"""An operation of many leaves: they are drawn with it on one screen."""

import re

import numpy as np

import minitorch as mt
from minitorch import viz


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
