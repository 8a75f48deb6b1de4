"""Lesson 19 at work: the GPT on the lessons' engine is the package's, number by number, and a report shows it."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from minitorch.course import engine
from minitorch.course.mine import exhibits, gpt

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks import capstone

TINY = {"characters": 59, "width": 8, "heads": 2, "layers": 2, "context": 12}


def test_the_gpt_of_the_lessons_learns_as_the_packages_does_step_by_step():
    lessons, package, *_ = capstone.losses(40, 4, TINY)
    assert np.abs(np.array(lessons) - package).max() < 1e-4
    assert lessons[-1] < lessons[0] - 0.3


def test_it_has_the_parameters_that_the_pencil_counts():
    reference = engine("reference", upto="19")
    model = reference.GPT(59, 32, 2, 2, 32, np.random.default_rng(0))
    assert sum(each.data.size for each in model.parameters()) == 28_384
    large = reference.GPT(59, 64, 4, 2, 64, np.random.default_rng(0))
    assert sum(each.data.size for each in large.parameters()) == 107_968 == 111_803 - 64 * 59 - 59


def test_a_report_shows_the_gpt_once_all_of_its_pieces_are_the_learners(monkeypatch):
    for name in ("moons", "spirals", "gpt"):
        monkeypatch.setattr(exhibits, f"_{name}", lambda engine, name=name: name)

    def shown(*borrowed):
        owner = {piece: "reference" if piece in borrowed else "yours" for piece in gpt.PIECES}
        return list(exhibits.exhibits(SimpleNamespace(owner=owner.__getitem__)))

    assert shown() == ["moons", "spirals", "gpt"]
    assert shown("lm_loss") == ["moons", "spirals"]


def test_an_exhibit_of_the_gpt_says_what_was_measured(monkeypatch):
    real = gpt.train
    monkeypatch.setattr(gpt, "train", lambda engine: real(engine, steps=4, length=30))
    exhibit = exhibits._gpt(engine("reference"))
    assert "28,384 numbers" in exhibit.told.to("en")
    assert "4 steps" in exhibit.told.to("en")
    assert "from 4.09" in exhibit.told.to("en")
    assert len(exhibit.written) == len(gpt.START) + 30
    assert exhibit.written.startswith(gpt.START)
    assert "norm_1.gain" in exhibit.pictures[1].text()


@pytest.mark.gate
def test_the_training_of_a_report_gets_far_below_the_line_of_pairs():
    done = gpt.train(engine("reference", upto="19"))
    assert done.held_out < 1.6
    assert done.losses[0] == pytest.approx(np.log(59), abs=0.05)
