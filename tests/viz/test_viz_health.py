"""`board.graph`: the graph of a training's loss, in which parameters and rectifiers say how they are."""

import gc
import math
from itertools import pairwise

import numpy as np
import pytest
from viz_forms import has_every_form
from viz_models import gpt

import minitorch as mt
from minitorch import Tensor, nn, optim, viz
from minitorch.viz.facts.training import DECADES, HEALTHY

POINTS = np.random.default_rng(0).normal(size=(12, 2)).astype("f")
CLASSES = np.arange(12) % 3


def network(*widths):
    mt.manual_seed(3)
    layers = [nn.Linear(a, b) for a, b in pairwise(widths)]
    return nn.Sequential(*[part for layer in layers for part in (layer, nn.ReLU())][:-1])


def trained(model=None, lr=0.1, steps=1, **options):
    model = model or network(2, 8, 8, 3)
    optimizer = optim.SGD(model.parameters(), lr=lr)
    with viz.live(model, optimizer, every=1, **options) as board, np.errstate(all="ignore"):
        for _ in range(steps):
            loss = nn.functional.cross_entropy(model(Tensor(POINTS)), Tensor(CLASSES))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            board.loss(loss)
    return board, model, loss


def grades(picture):
    return {name: (grade.said, grade.word) for name, grade in picture.graded.named}


@pytest.fixture(scope="module")
def dead():
    """A network whose second layer is dead, and half of whose first one is."""
    model = network(2, 8, 8, 3)
    model[2].bias.data[:] = -100.0
    model[0].bias.data[:4] = -100.0
    return trained(model)


@pytest.mark.parametrize("by", ["gradient", "update", "dead"])
def test_it_has_every_form(dead, by, tmp_path):
    board, _, loss = dead
    has_every_form(lambda: board.graph(loss, by), tmp_path)


def test_every_parameter_says_its_gradient_and_every_rectifier_its_dead_units(dead):
    board, model, loss = dead
    said = grades(board.graph(loss))
    assert set(said) == {*dict(model.named_parameters()), "relu 1", "relu 2"}
    assert said["0.weight"] == ("gradient 0", "nothing arrives")
    assert said["4.bias"] == (f"gradient {np.linalg.norm(model[4].bias.grad):.3g}", "fine")
    assert said["relu 2"] == ("dead 100 %", "all dead")
    hidden = POINTS @ model[0].weight.data.T + model[0].bias.data
    share = round(100 * float((hidden <= 0).all(axis=0).mean()))
    assert said["relu 1"] == (f"dead {share} %", "dead units")
    assert set(grades(board.graph(loss, by="dead"))) == {"relu 1", "relu 2"}


@pytest.mark.parametrize(
    ("ratio", "word"),
    [
        (HEALTHY, "fine"), (HEALTHY * 9, "fine"), (HEALTHY / 9, "fine"), (0.3, "large"), (HEALTHY / 11, "small"),
        (0.0, "does not move"), (math.inf, "lost"),
    ],
)  # fmt: skip
def test_an_update_is_measured_by_the_line_that_the_board_dashes(dead, ratio, word):
    board, _, loss = trained()
    board.facts.last_ratios = (ratio, *board.facts.last_ratios[1:])
    assert grades(board.graph(loss, by="update"))["0.weight"][1] == word


@pytest.mark.parametrize(
    ("decades", "word"), [(DECADES / 2 - 0.5, "fine"), (DECADES / 2 + 0.5, "small"), (DECADES + 0.5, "vanishing")]
)
def test_a_gradient_is_measured_by_the_scale_of_the_board(decades, word):
    board, _, loss = trained()
    largest = max(board.facts.last)
    board.facts.last = [largest * 10 ** (-2 * decades), *[largest] * (len(board.facts.last) - 1)]
    assert grades(board.graph(loss))["0.weight"][1] == word


def test_a_gradient_that_is_lost_or_missing_says_so():
    board, _, loss = trained()
    board.facts.last = [math.nan, -1.0, *board.facts.last[2:]]
    said = grades(board.graph(loss))
    assert (said["0.weight"], said["0.bias"]) == (("gradient nan", "lost"), ("no gradient", "not reached"))


def test_the_drawing_tells_grades_apart_by_words_and_rings_too(dead):
    board, _, loss = dead
    picture = board.graph(loss)
    drawn = picture.svg()
    assert drawn.count('class="nn"') == sum(grade.level == 2 for _, grade in picture.graded.named) == 6
    assert drawn.count(">nothing arrives</text>") == 5
    assert ">dead 100 %</text>" in drawn
    assert ">all dead</text>" in drawn
    assert ": dead units</text>" in drawn
    assert ": fine</text>" in drawn
    assert "no gradient yet" not in drawn, "boxes without a figure are silent"


def test_words_alone_have_the_facts_and_the_legend(dead):
    board, _, loss = dead
    picture = board.graph(loss)
    for told in (picture.text(), picture._told(), picture.svg()):
        assert "To be looked at first: 0.weight, gradient 0: nothing arrives; " in told
    assert "Grey: fine. Yellow: small" in picture._told()
    assert picture.text().splitlines()[0] == "Gradients of the training in the graph of v6, step 1"


def test_in_spanish(dead, monkeypatch):
    monkeypatch.setenv("MINITORCH_LANG", "es")
    board, _, loss = dead
    picture = board.graph(loss, by="update")
    assert "Lo primero que hay que mirar" in picture._told()
    assert ">todas muertas</text>" in picture.svg()
    assert "no se mueve" in picture.text()


def test_a_module_says_the_worst_of_what_it_holds_and_the_player_says_it_too():
    model, _ = gpt()
    optimizer = optim.SGD(model.parameters(), lr=0.01)
    with viz.live(model, optimizer, every=1) as board:
        loss = gpt(model)[1]
        loss.backward()
        optimizer.step()
        board.loss(loss)
    facts = board.facts
    facts.last_ratios = tuple(0.3 if name == "blocks.3.mlp.2.bias" else HEALTHY for name in facts.names)
    picture = board.graph(loss, by="update")
    scene = picture._player().state["scene"]
    holders = {node["title"] for node in scene["nodes"] if node["born"]}
    assert {"blocks.3", "blocks.3.mlp", "blocks.3.mlp.2.bias"} <= holders
    assert not any(title.startswith("blocks.2") for title in holders)
    whole = next(node for node in scene["nodes"] if node["title"] == "blocks.3")
    assert (whole["nothing"], whole["look"], whole["born"]["said"]) == ("worst: update 0.3 of weight", "odd", "large")
    assert "Ringed: large" in scene["keys"]


def test_a_training_without_a_model_knows_its_parameters_while_they_live():
    w = Tensor([1.0, 2.0], requires_grad=True)
    with viz.live({"w": w}) as board:
        loss = (w * w).sum()
        loss.backward()
        board.loss(loss)
    assert grades(board.graph(loss)) == {"w": ("gradient 4.47", "fine")}
    assert "w2" in board.graph(loss, names={"w2": w}).svg()
    with pytest.raises(ValueError, match=r"board\.graph: no update was measured: give viz.live the optimizer"):
        board.graph(loss, by="update")
    with pytest.raises(ValueError, match=r"board\.graph: no operation of this graph was watched for dead units"):
        board.graph(loss, by="dead")


def test_nothing_is_kept_alive_by_the_board():
    board, model, loss = trained()
    held = board._model
    del model, loss
    gc.collect()
    assert held() is None
    assert [each() for each in board._followed.values()] == [None] * 6


def test_what_cannot_be_said_is_said_in_a_sentence(dead):
    board, _, loss = dead
    with pytest.raises(RuntimeError, match=r"board\.graph: no step was heard yet"):
        viz.live(network(2, 3)).graph(loss)
    with pytest.raises(ValueError, match="is no loss of the watched model: its graph has none of the parameters 0"):
        board.graph((Tensor([1.0], requires_grad=True) * 2).sum())
    with pytest.raises(ValueError, match="by is 'gradient', 'update' or 'dead', not 'norm'"):
        board.graph(loss, by="norm")
