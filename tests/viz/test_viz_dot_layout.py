"""`engine="dot"`: Graphviz says where everything stands; where it does not, our own layout, and a sentence."""

import os
import re
import shutil
import subprocess
from itertools import pairwise

import pytest
from viz_models import encoder, gpt, unet, unrolled
from viz_pictures import PICTURES, product_and_sum

from minitorch import viz
from minitorch.viz.drawing.dot_layout import Graphviz
from minitorch.viz.drawing.levels import Levels

MODELS = {"gpt": gpt, "encoder": encoder, "unet": unet, "unrolled": lambda: unrolled(4)}
needs_dot = pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")


@pytest.fixture
def instead(tmp_path, monkeypatch):
    """Puts a shell script in the place of `dot`, or nothing at all."""

    def put(script):
        if script:
            program = tmp_path / "dot"
            program.write_text(f"#!/bin/sh\n{script}\n")
            program.chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path))

    return put


def scenes(picture):
    return Levels(picture._scene, picture._folding if picture._folds else None)._scenes


def rows(layout):
    """The boxes of each row, from left to right."""
    found = [[] for _ in layout.heights]
    for box in sorted(layout.boxes, key=lambda box: box.x):
        found[box.row].append(box)
    return found


@needs_dot
@pytest.mark.parametrize("maker", MODELS.values(), ids=MODELS)
@pytest.mark.parametrize("fold", [None, False])
def test_no_box_lies_on_another_and_no_arrow_runs_down_through_one(maker, fold):
    model, loss = maker()
    picture = viz.graph(loss, model=model, fold=fold, engine="dot")
    for scene in scenes(picture):
        for row in rows(scene.layout):
            assert all(a.x + a.width / 2 < b.x - b.width / 2 for a, b in pairwise(row))
        boxes = scene.layout.boxes
        for route in scene.layout.routes:
            assert boxes[route.source].row < boxes[route.target].row
            for (x, top), (_, foot) in zip(route.points[1:-1:2], route.points[2:-1:2], strict=True):
                assert not any(
                    abs(box.x - x) < box.width / 2 and top < box.y + box.height and box.y < foot for box in boxes
                )
    assert picture._scene.note == ""


@needs_dot
@pytest.mark.parametrize("maker", [unet, lambda: (None, product_and_sum()[0])])
def test_boxes_stand_in_the_rows_and_in_the_order_that_dot_gives_them(maker):
    model, loss = maker()
    layout = viz.graph(loss, model=model, engine="dot")._scene.layout
    boxes = "".join(f'{n} [width="{box.width / 72}"];' for n, box in enumerate(layout.boxes))
    arrows = "".join(f"{route.source}->{route.target};" for route in layout.routes)
    looks = "ordering=in;node [shape=box,fixedsize=true];"
    plain = subprocess.run(
        ["dot", "-Tplain"], input=f"digraph {{{looks}{boxes}{arrows}}}", capture_output=True, text=True, check=True
    ).stdout
    height = {int(n): float(y) for n, y in re.findall(r"^node (\d+) \S+ (\S+)", plain, re.MULTILINE)}
    levels = sorted(set(height.values()), reverse=True)
    assert [box.row for box in layout.boxes] == [levels.index(height[n]) for n in range(len(layout.boxes))]


@needs_dot
@pytest.mark.parametrize("maker", PICTURES.values(), ids=PICTURES)
def test_it_says_what_our_own_layout_says(maker):
    root, names = maker()
    own, dot = viz.graph(root, names=names), viz.graph(root, names=names, engine="dot")
    assert dot.text() == own.text()
    assert sorted(re.findall(r">([^<>]+)</text>", dot.svg())) == sorted(re.findall(r">([^<>]+)</text>", own.svg()))
    assert dot.svg() == viz.graph(root, names=names, engine="dot").svg()


@needs_dot
def test_the_stepper_has_it_too():
    root, names = product_and_sum()
    assert viz.step(root, names=names, engine="dot").svg(3).startswith("<svg")


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("", "Placed by minitorch's own layout: the program dot, of Graphviz, is not installed."),
        ("echo broken >&2; exit 1", "Placed by minitorch's own layout: dot ended with an error."),
    ],
)
def test_without_dot_our_own_layout_stands_in_and_one_sentence_says_so(instead, script, said):
    instead(script)
    model, loss = unet()
    own, picture = viz.graph(loss, model=model), viz.graph(loss, model=model, engine="dot")
    assert picture._scene.layout == own._scene.layout
    assert said in picture.svg()  # in its words, and below it, in as many lines as it takes
    assert said in " ".join(re.findall(r'<text class="f"[^>]*>([^<]*)<', picture.svg()))
    assert said in picture._player().state["scene"]["keys"]
    assert "own layout" not in own.svg()


def test_a_dot_that_takes_too_long_is_not_waited_for_and_not_asked_again(instead, tmp_path):
    instead(f'echo asked >> "{tmp_path}/times"; exec {shutil.which("sleep")} 3600')
    arrange = Graphviz(seconds=0.3)
    before = os.times().elapsed
    found = [arrange([(100, 40), (100, 40)], [True, False], [(0, 1)], [0], [0]) for _ in range(3)]
    assert os.times().elapsed - before < 1800
    assert found[0] == found[1] == found[2]
    assert arrange.note == "Placed by minitorch's own layout: dot took longer than 0.3 s."
    assert (tmp_path / "times").read_text() == "asked\n"


def test_the_sentence_is_in_spanish_too(instead, monkeypatch):
    instead("")
    monkeypatch.setenv("MINITORCH_LANG", "es")
    assert "el programa dot, de Graphviz, no está instalado" in viz.graph(product_and_sum()[0], engine="dot").svg()


@pytest.mark.parametrize("view", [viz.graph, viz.step])
def test_another_engine_is_refused(view):
    with pytest.raises(ValueError, match=r"^engine is 'own' or 'dot', not 'neato'$"):
        view(product_and_sum()[0], engine="neato")
