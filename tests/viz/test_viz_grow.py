"""`viz.grow`: a graph that grows, and in which nothing moves that stands."""

import random
from itertools import pairwise

import pytest
from viz_forms import has_every_form

from minitorch import Tensor, viz
from minitorch.scalar import Value


def neuron():
    x, w, b = Value(2.0, label="x"), Value(-1.0, label="w"), Value(0.5, label="b")
    p = x * w
    z = p + b
    out = z.tanh()
    p.label, z.label, out.label = "p", "z", "out"
    return [[x, w], p, [b, z], out, out * w]


def boxes(growth):
    """At each stage, where every box is drawn, by its name."""
    return [growth.where(step) for step in range(growth.steps)]


def test_it_has_every_form(tmp_path):
    has_every_form(lambda: viz.grow(*neuron()), tmp_path)


def test_what_stands_does_not_move():
    stages = boxes(viz.grow(*neuron()))
    assert len(stages) == 5
    for before, after in pairwise(stages):
        assert before.items() <= after.items()
        assert len(after) > len(before)


@pytest.mark.parametrize("seed", range(8))
def test_nothing_moves_and_nothing_overlaps_however_it_grows(seed):
    random.seed(seed)
    values = [Value(float(number), label=f"x{number}") for number in range(3)]
    growth = viz.grow(list(values))
    for number in range(25):
        one, other = random.choice(values), random.choice(values[-6:])
        made = random.choice([one * other, one + other, one.tanh(), one * Value(2.0)])
        made.label = f"v{number}"
        values.append(made)
        growth.add(*values)
    stages = boxes(growth)
    for before, after in pairwise(stages):
        assert {name: after[name] for name in before if name in after and name[0] == "v"} == {
            name: spot for name, spot in before.items() if name[0] == "v"
        }
    shown = growth._scenes[-1].layout
    for number, one in enumerate(shown.boxes):
        assert one.x - one.width / 2 >= 0
        for other in shown.boxes[number + 1 :]:
            if one.row == other.row:
                assert abs(one.x - other.x) >= (one.width + other.width) / 2, "two boxes lie on each other"
    assert all(route.points[0][1] < route.points[-1][1] for route in shown.routes), "an edge goes upwards"


def test_edges_keep_their_ways():
    growth = viz.grow(*neuron())
    ways = [
        {(shown.names[route.source], shown.names[route.target]): route.points for route in shown.layout.routes}
        for shown in growth._scenes
    ]
    for before, after in pairwise(ways):
        assert before.items() <= after.items()


def test_on_the_slide_every_stage_has_the_same_size_and_the_same_corner():
    moments = viz.grow(*neuron()).moments()
    assert len({(moment.still.width, moment.still.height) for moment in moments}) == 1
    x, y = viz.grow(*neuron()).where(0)["x"]
    assert [f'transform="translate({x} {y})"' in moment.drawn for moment in moments] == [True] * 5
    assert all(moment.focus for moment in moments)


def test_it_says_what_is_new_and_where_gradients_have_come():
    stages = neuron()
    growth = viz.grow(*stages)
    stages[-1].backward()
    growth.add(stages[-1], *stages[0])
    said = [moment.sentence for moment in growth.moments()]
    assert said[0] == "New: x, w."
    assert said[1:3] == ["New: p = x × w.", "New: b, z = p + b."]
    assert said[5].startswith("Gradients have arrived at x, w")
    assert boxes(growth)[5] == boxes(growth)[4]


def test_a_cell_that_ran_anew_puts_its_nodes_where_they_stood():
    x = Value(2.0, label="x")
    growth = viz.grow(x, x * 3)
    again = Value(5.0, label="x")
    growth.add(again * 3)
    assert growth.steps == 3
    assert boxes(growth)[2] == boxes(growth)[1]
    assert growth.add(again * 3).steps == 3, "the same once more is no stage"


def test_tensors_grow_with_their_constants():
    x = Tensor([[1.0, 2.0], [3.0, 4.0]])
    w = Tensor([1.0, -1.0], requires_grad=True)
    y = x * w
    growth = viz.grow(w, y, y.sum(), names={"x": x, "w": w, "y": y})
    assert boxes(growth)[1].keys() == {"x", "w", "y"}
    assert boxes(growth)[1].items() <= boxes(growth)[2].items()


def test_what_cannot_grow_is_refused_in_a_sentence():
    with pytest.raises(TypeError, match=r"Tensors or scalar Values, all of one kind, not Value, Tensor"):
        viz.grow([Value(1.0), Tensor([1.0], requires_grad=True)])
    with pytest.raises(TypeError, match="a picture needs a Tensor or a scalar Value, not int"):
        viz.grow(Value(1.0), 3)
    with pytest.raises(TypeError, match="none of these Tensors has a graph"):
        viz.grow(Tensor([1.0]))
    with pytest.raises(RuntimeError, match="a graph grows with the cells of a notebook: in a script"):
        viz.grow()


@pytest.fixture
def shell():
    """A shell of IPython's, in which cells can be run."""
    interactiveshell = pytest.importorskip("IPython.core.interactiveshell")
    made = interactiveshell.InteractiveShell.instance()
    yield made
    interactiveshell.InteractiveShell.clear_instance()


def test_it_grows_while_cells_run(shell, capsys):
    for cell in (
        "from minitorch import viz; from minitorch.scalar import Value; old = Value(1.0, label='old')",
        "seen = viz.grow()",
        "x = Value(2.0, label='x')",
        "n = 3",
        "p = x * 3; p.label = 'p'",
        "p + undefined",
        "root = p * x + old; root.label = 'root'",
        "root.backward()",
    ):
        shell.run_cell(cell)
    growth = shell.user_ns["seen"]
    assert [moment.sentence.split(".")[0] for moment in growth.moments()] == [
        "New: x",
        "New: p = x × 3",
        "New: old, v1 = p × x, root = v1 + old",
        "Gradients have arrived at old, x, p, v1, root",
    ]
    stages = boxes(growth)
    for before, after in pairwise(stages):
        assert before.items() <= after.items()
    shell.run_cell("seen.stop(); q = root * 2")
    assert growth.steps == 4
    capsys.readouterr()


def test_it_speaks_spanish(monkeypatch):
    monkeypatch.setenv("MINITORCH_LANG", "es")
    assert viz.grow(Value(1.0, label="x")).moments()[0].sentence == "Nuevo: x."
