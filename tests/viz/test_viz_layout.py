"""Where boxes and edges go, for graphs of any shape."""

import os
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import pytest
from effort import lines_run
from hypothesis import given
from hypothesis import strategies as st
from viz_pictures import random_values

from minitorch.scalar import Value
from minitorch.viz.drawing.layout import COLUMN_GAP, COPIES_FROM, ROW_GAP, layout
from minitorch.viz.drawing.scene import scene
from minitorch.viz.facts.capture import snapshot, trace


@st.composite
def graphs(draw):
    """Any acyclic graph: sizes, which nodes are leaves, edges, ports and labels."""
    count = draw(st.integers(1, 40))
    sizes = draw(st.lists(st.tuples(st.integers(10, 300), st.integers(20, 80)), min_size=count, max_size=count))
    leaves, edges, ports = [], [], []
    for node in range(count):
        operands = draw(st.lists(st.integers(0, node - 1), max_size=4)) if node else []
        leaves.append(not operands)
        edges += [(operand, node) for operand in operands]
        ports += [round((slot - (len(operands) - 1) / 2) * 18) for slot in range(len(operands))]
    labels = draw(st.lists(st.integers(0, 120), min_size=len(edges), max_size=len(edges)))
    return sizes, leaves, edges, ports, labels


@given(graphs())
def test_no_two_boxes_overlap(graph):
    boxes = layout(*graph).boxes
    for a, b in combinations(boxes, 2):
        beside = abs(a.x - b.x) >= (a.width + b.width) / 2 + COLUMN_GAP - 2
        above = a.y + a.height + ROW_GAP - 2 <= b.y or b.y + b.height + ROW_GAP - 2 <= a.y
        assert beside or above


@given(graphs())
def test_every_edge_runs_down_from_box_to_box(graph):
    _, _, edges, ports, _ = graph
    found = layout(*graph)
    for (upper, lower), port, route in zip(edges, ports, found.routes, strict=True):
        source, target = found.boxes[route.source], found.boxes[route.target]
        assert (source.node, target.node) == (upper, lower)
        (x0, y0), (x1, y1) = route.points[0], route.points[-1]
        assert y0 == source.y + source.height
        assert abs(x0 - source.x) <= source.width / 2
        assert (x1, y1) == (target.x + port, target.y)
        rows = [y for _, y in route.points]
        assert rows == sorted(rows)
        assert rows[0] < rows[-1]


@given(graphs())
def test_every_node_is_drawn_within_the_picture(graph):
    sizes = graph[0]
    found = layout(*graph)
    assert [box.node for box in found.boxes[: len(sizes)]] == list(range(len(sizes)))
    for box in found.boxes:
        assert (box.width, box.height) == sizes[box.node]
        assert box.x - box.width / 2 >= 0
        assert box.x + box.width / 2 <= found.width
        assert box.y >= 0
        assert box.y + box.height <= found.height


@given(graphs())
def test_leaves_that_are_used_often_are_drawn_once_for_each_consumer(graph):
    _, leaves, edges, _, _ = graph
    boxes = layout(*graph).boxes
    for node in range(len(leaves)):
        consumers = [lower for upper, lower in edges if upper == node]
        often = leaves[node] and len(consumers) >= COPIES_FROM
        drawings = [box for box in boxes if box.node == node]
        assert len(drawings) == (len(set(consumers)) if often else 1)
        assert [box.copy for box in drawings] == [False] + [True] * (len(drawings) - 1)


@given(graphs())
def test_the_same_graph_is_laid_out_the_same(graph):
    assert layout(*graph) == layout(*graph)


@given(st.integers(0, 1000))
def test_labels_above_neighbouring_operations_do_not_run_into_each_other(seed):
    drawn = scene(trace(random_values(25, seed)))
    spots = []
    for edge, label in enumerate(drawn.labels):
        x, y, to_left = drawn.label_spot(edge)
        spots.append((x - label.width, x, y) if to_left else (x, x + label.width, y))
    for (left, right, y), (other_left, other_right, other_y) in combinations(spots, 2):
        assert y != other_y or right <= other_left + 2 or other_right <= left + 2


def test_leaves_stand_right_above_their_first_consumer():
    x, y = Value(1.0), Value(2.0)
    out = ((x.tanh().tanh() + 1.0) * y).tanh()
    found = scene(snapshot(out)).layout
    leaf, consumer = found.boxes[1], found.boxes[5]
    below = sorted({box.y + box.height // 2 for box in found.boxes})
    assert below.index(consumer.y + consumer.height // 2) - below.index(leaf.y + leaf.height // 2) == 1


def test_a_chain_runs_straight_down():
    value = Value(1.0)
    for _ in range(30):
        value = value * Value(2.0)
    boxes = [box for box in scene(snapshot(value)).layout.boxes if box.node % 2 == 0 and box.node > 0]
    assert len({box.x for box in boxes}) == 1


def test_a_tree_has_no_crossings_and_stands_over_its_root():
    values = [Value(1.0) for _ in range(8)]
    while len(values) > 1:
        values = [a + b for a, b in zip(values[::2], values[1::2], strict=True)]
    found = scene(snapshot(values[0])).layout
    operations = found.boxes[8:]
    assert [box.x for box in operations[:4]] == sorted(box.x for box in operations[:4])
    assert found.boxes[-1].x == pytest.approx((operations[0].x + operations[3].x) / 2, abs=2)


def test_no_family_of_graphs_costs_much_more_than_another():
    def chain(count):
        value = Value(1.0)
        for _ in range(count):
            value = value + 1.0
        return value

    def fan(count):
        """One inner result that everything after it uses: without a budget its edges would take count² dummies."""
        first = value = Value(1.0).tanh()
        for _ in range(count // 2):
            value = value + first * 2.0
        return value

    def star(count):
        return sum([Value(1.0) for _ in range(count // 2)], Value(0.0))

    lines = []
    for family in (chain, fan, star, random_values):
        graph = snapshot(family(2000))
        lines.append(lines_run(lambda graph=graph: scene(graph)) / len(graph.nodes))
    assert max(lines) < 20 * min(lines)


def test_two_processes_draw_the_same_bytes():
    program = (
        "from viz_pictures import PICTURES; from minitorch import viz, scalar; from hashlib import sha256;"
        "print(sha256(''.join(viz.graph(r, names=n).svg() + viz.step(r, names=n).svg() + viz.step(r, names=n).text()"
        " for r, n in (make() for make in PICTURES.values())).encode()).hexdigest())"
    )
    tests = Path(__file__).parents[1]
    printed = {
        subprocess.check_output(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join([str(tests), str(tests.parent)])},
        )
        for seed in ("1", "2")
    }
    assert len(printed) == 1
