"""How much is done for a picture, counted: a clock says something else on every machine, a count does not."""

import gc
import itertools
import re
from collections import Counter

import pytest
from viz_pictures import random_values

from benchmarks.pictures import chain, tangle
from minitorch import viz
from minitorch.viz.drawing import layout, ordering, placing, step
from minitorch.viz.drawing.scene import scene
from minitorch.viz.facts.capture import snapshot


@pytest.fixture
def calls(monkeypatch):
    """Counts the calls of functions, each given by its module and its name."""
    counted = Counter()

    def count(module, name):
        real = getattr(module, name)

        def counting(*args, **fields):
            counted[name] += 1
            return real(*args, **fields)

        monkeypatch.setattr(module, name, counting)
        return counted

    return count


def test_a_row_is_placed_twice_and_once_more_where_leaves_stand(calls):
    counted = calls(placing, "_settle")
    rows = len(scene(snapshot(tangle(60)[0])).layout.heights)
    assert 2 * rows <= counted["_settle"] <= 2.5 * rows


def test_rows_are_no_longer_sorted_where_that_brings_nothing(calls):
    counted = calls(ordering, "_sort")
    rows = len(scene(snapshot(tangle(60)[0])).layout.heights)
    assert counted["_sort"] <= 3 * rows


def crossings(drawn):
    """How many pairs of arrows cross, gap by gap."""
    gaps = {}
    for route in drawn.routes:
        for number, (above, below) in enumerate(zip(route.points[::2], route.points[1::2], strict=True)):
            gaps.setdefault(drawn.boxes[route.source].row + number, []).append((above[0], below[0]))
    pairs = (pair for gap in gaps.values() for pair in itertools.combinations(gap, 2))
    return sum((a - c) * (b - d) < 0 for (a, b), (c, d) in pairs)


def test_less_work_has_not_made_more_crossings():
    """As many as when every row was sorted six times and placed eleven times."""
    drawn = [scene(snapshot(random_values(40, seed))).layout for seed in range(12)]
    assert sum(map(crossings, drawn)) <= 751


@pytest.mark.parametrize("family", [tangle, chain])
def test_a_cell_stores_sixty_thousand_bytes_of_sixty_nodes(family):
    assert len(viz.step(family(60)[0])._repr_mimebundle_()["text/html"].encode()) <= 60_000


def test_an_arrow_that_runs_upright_through_rows_is_one_stroke():
    """Neither is its end in one row written down as where it goes on, nor what is known of its place again."""
    drawn = viz.graph(tangle(60)[0]).svg()
    assert not re.search(r"[vV]-?\d+[vV]", drawn)
    assert not re.search(r'd="[^"]*c[^"]*[A-Z]', drawn)


def test_the_collector_rests_while_a_cell_is_made_and_is_as_it_was_afterwards():
    picture = viz.graph(tangle(500)[0])
    gc.collect()  # the next one of these is then far away
    before = [each["collections"] for each in gc.get_stats()]
    bundle = picture._repr_mimebundle_()
    assert [each["collections"] for each in gc.get_stats()][1:] == before[1:]
    assert gc.isenabled()
    assert bundle == picture._repr_mimebundle_()
    gc.disable()
    try:
        picture._repr_mimebundle_()
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_rounds_that_are_alike_are_laid_out_once(calls):
    counted = calls(layout, "place")
    picture = viz.graph(chain(500)[0])
    levels = len(picture._player().state["scene"]["levels"])
    assert 0 < counted["place"] < levels / 2


def test_words_that_every_node_says_are_asked_for_once(calls):
    """Asking reads the environment, which takes as long as the rest of what is said of a node."""
    counted = calls(step, "gettext")
    picture = viz.graph(tangle(500)[0])
    picture._player()
    assert counted["gettext"] <= 100
