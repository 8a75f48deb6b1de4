"""Large graphs, folded: modules and repetitions are one box each, and what a box says is true of what is inside."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from viz_models import LARGE, chain, encoder, gpt, scalar_mlp, unet, unrolled
from viz_pictures import random_values

from minitorch import Tensor, nn, viz
from minitorch.graph import autograd_graph
from minitorch.scalar import Value
from minitorch.viz.facts import scopes
from minitorch.viz.facts.capture import snapshot, trace
from minitorch.viz.facts.folding import CROWDED, Folding, Group
from minitorch.viz.facts.levels import level_of
from minitorch.viz.facts.repeats import Repeat, repeats

READABLE = 1060  # pixels: a wider picture has text of less than 11 px in a notebook of 900


def size_of(svg):
    return tuple(map(int, re.search(r' width="(\d+)" height="(\d+)"', svg).groups()))


def boxes(picture):
    """Title → what it is, in the first picture of a graph."""
    return {name: node.op for name, node in zip(picture._level.names, picture._level.graph.nodes, strict=True)}


def everything(group):
    """A group and all those in it."""
    found, waiting = [], [group]
    while waiting:
        found.append(waiting.pop())
        waiting += found[-1].groups
    return found


def folding_of(maker):
    model, loss = maker()
    kinds = scopes.kinds_of(model)
    return Folding(scopes.with_scopes(snapshot(loss, scopes.parameters_of(model)), kinds), kinds)


# -- what is folded --------------------------------------------------------------------------------------------------


def test_a_gpt_of_six_blocks_is_eight_boxes():
    model, loss = gpt()
    picture = viz.graph(loss, model=model)
    assert len(picture.graph.nodes) == 223
    assert list(boxes(picture).items())[:6] == [
        ("token", "Embedding"), ("place", "Embedding"), ("v3", "add"), ("blocks", "Block × 6"),
        ("norm", "LayerNorm"), ("head", "Linear"),
    ]  # fmt: skip
    assert len(boxes(picture)) == 8


@pytest.mark.parametrize("maker", [gpt, encoder, unet])
def test_the_modules_that_are_worked_out_from_parameters_are_those_that_hooks_see(maker):
    """At the ends of a module, where nothing tells, an operation may be left in the module around it."""
    model, loss = maker()
    worked_out = scopes.with_scopes(snapshot(loss, scopes.parameters_of(model)), scopes.kinds_of(model))
    with autograd_graph(model) as graph:
        maker(model)
    seen = [node.scope for node in graph.nodes() if node.op]
    mine = [node.scope for node in worked_out.nodes if node.kind == "op"]
    assert all(f"{one}.".startswith(f"{other}.") or not other for one, other in zip(seen, mine, strict=True))
    assert sum(one == other for one, other in zip(seen, mine, strict=True)) > 0.85 * len(seen)


def test_a_recorded_graph_needs_no_model():
    model = nn.Sequential(*(nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 4), nn.Tanh()) for _ in range(12)))
    with autograd_graph(model) as graph:
        loss = model(Tensor([[1.0, 2.0, 3.0, 4.0]])).sum()
    picture = viz.graph(graph)
    assert loss.requires_grad
    assert "Sequential × 12" in boxes(picture).values()


def test_without_a_model_the_repetition_is_still_seen_and_begins_where_a_block_begins():
    picture = viz.graph(gpt()[1])
    assert "21 operations × 6" in boxes(picture).values()
    (round_,) = [group for group in everything(Folding(picture.graph).top) if group.repeated]
    assert [picture.graph.nodes[each.items[0]].op for each in round_.groups] == ["layer_norm"] * 6


def test_an_unrolled_cell_is_one_box():
    cell, loss = unrolled()
    assert "16 operations × 30" in boxes(viz.graph(loss, model=cell)).values()


def test_a_network_of_scalars_is_one_box_a_point_and_the_sum_of_them():
    found = boxes(viz.graph(scalar_mlp()[1]))
    assert list(found.values()).count("+") == 3
    assert sum("operations" in op for op in found.values()) == 4


def test_what_makes_a_named_node_is_called_by_its_name():
    values = []
    for unit in range(12):
        x, y = Value(1.0), Value(2.0)
        h = ((x * y).tanh() + (x + y).exp() * x).tanh()
        h.label = f"h{unit}"
        values.append(h)
    total = values[0]
    for each in values[1:]:
        total = total * each
    found = boxes(viz.graph(total))
    assert {"h0", "h11"} <= {title for group in everything(Folding(snapshot(total)).top) for title in [group.title]}
    assert len(found) < 40


def test_the_skips_of_a_unet_are_arrows_between_its_stages():
    model, loss = unet()
    level = viz.graph(loss, model=model)._level
    stages = {name: place for place, name in enumerate(level.names)}
    ends = {(edge.src, edge.dst) for edge in level.graph.edges}
    cats = [place for place, node in enumerate(level.graph.nodes) if node.op == "cat"]
    assert [(stages[f"down.{number}"], cat) in ends for number, cat in zip((2, 1, 0), cats, strict=True)] == [True] * 3


def test_graphs_of_sixty_nodes_are_drawn_as_they_are():
    root = random_values(50)
    assert len(snapshot(root).nodes) <= 60
    assert "Folded" not in viz.graph(root).svg()
    assert "Folded" in viz.graph(root, fold=True).svg()
    assert "Folded" not in viz.graph(chain(100)[1], fold=False).svg()


def test_what_names_no_parameters_is_refused():
    with pytest.raises(TypeError, match="model is a Module, which names its parameters, not a int"):
        viz.graph(chain(3)[1], model=3)


# -- truth -----------------------------------------------------------------------------------------------------------

FAMILIES = {**LARGE, "random": lambda: (None, random_values(1500)), "leaf": lambda: (None, Value(1.0))}


@pytest.mark.parametrize("maker", FAMILIES.values(), ids=FAMILIES)
def test_every_node_is_in_one_place_and_no_group_is_crowded(maker):
    folding = folding_of(maker)
    seen = []
    for group in everything(folding.top):
        seen += [each for each in group.items if not isinstance(each, Group)] + group.leaves
        assert len(group.items) <= CROWDED
        assert group is folding.top or group.nodes > 1
    assert sorted(seen) == list(range(len(folding.graph.nodes)))


@pytest.mark.parametrize("maker", FAMILIES.values(), ids=FAMILIES)
def test_every_arrow_of_the_graph_is_at_one_level_or_comes_in_from_outside(maker):
    folding = folding_of(maker)
    carried = []
    for group in everything(folding.top):
        level = level_of(folding, group)
        nodes = level.graph.nodes
        assert all(edge.src < edge.dst for edge in level.graph.edges)
        assert [node.idx for node in nodes] == list(range(len(nodes)))
        for edge, numbers in zip(level.graph.edges, level.carried, strict=True):
            carried += [] if edge.src in level.outside else numbers
    assert sorted(carried) == list(range(len(folding.graph.edges)))


@pytest.mark.parametrize("maker", FAMILIES.values(), ids=FAMILIES)
def test_a_box_has_the_shape_the_value_and_the_gradient_of_its_result(maker):
    model, loss = maker()
    loss.backward()
    folding = Folding(snapshot(loss, scopes.parameters_of(model)))
    level = level_of(folding, folding.top)
    for node, shows in zip(level.graph.nodes, level.shows, strict=True):
        if len(shows) == 1:
            whole = folding.graph.nodes[shows[0]]
            assert (node.shape, node.value, node.grad, node.freed) == (
                whole.shape, whole.value, whole.grad, whole.freed,
            )  # fmt: skip
        else:
            norms = [folding.graph.nodes[each].grad.norm for each in shows if folding.graph.nodes[each].grad]
            assert (node.grad is None) == (not norms)
            assert not norms or node.grad.norm == pytest.approx(sum(each**2 for each in norms) ** 0.5)


@pytest.mark.parametrize("maker", FAMILIES.values(), ids=FAMILIES)
def test_a_folded_pass_ends_with_the_gradients_of_the_whole(maker):
    model, loss = maker()
    whole = trace(loss, scopes.parameters_of(model))
    folding = Folding(scopes.with_scopes(whole.graph), scopes.kinds_of(model))
    level = level_of(folding, folding.top)
    ends, final = level.trace(whole).gradients(), whole.gradients()
    assert len(level.trace(whole).events) == len(whole.events)
    for place, shows in enumerate(level.shows):
        if len(shows) == 1:
            assert ends.get(place) == final.get(shows[0])


@given(st.lists(st.integers(0, 2), max_size=30))
def test_repetitions_are_rounds_one_like_the_other_and_do_not_overlap(row):
    found = repeats(row, [2] * len(row), [1] * len(row), lambda low, high: high - low, 1)
    taken = []
    for each in found:
        first = row[each.start : each.start + each.period]
        assert row[each.start : each.stop] == first * each.count
        assert each.count > 1
        assert row[each.start - each.before : each.start] == first[: each.before]
        taken += range(each.start - each.before, each.stop)
    assert len(taken) == len(set(taken))


def test_a_round_begins_where_least_is_cut():
    row = [3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 4]
    after = [2, 1, 2, 2, 1, 2, 2, 1, 2, 2, 1]
    before = [1, 2, 2, 1, 2, 2, 1, 2, 2, 1, 1]
    ones = [3] * len(row)
    assert repeats(row, ones, after, lambda *_: 0, 1) == [Repeat(1, 3, 3)]
    assert repeats(row, ones, before, lambda *_: 0, 1) == [Repeat(0, 3, 3)]


# -- what is seen ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("maker", FAMILIES.values(), ids=FAMILIES)
def test_the_first_picture_can_be_read_in_a_notebook(maker):
    model, loss = maker()
    width, _ = size_of(viz.graph(loss, model=model).svg())
    assert width <= READABLE


def test_every_box_says_its_whole_name_when_it_is_pointed_at():
    model, loss = gpt()
    svg = viz.graph(loss, model=model).svg()
    assert "<title>blocks, Block × 6, (4, 8, 8), 210 nodes</title>" in svg
    x = Value(2.0, label="a name that is far too long for any box at all")
    assert f"<title>{x.label}</title>" in viz.graph(x * x).svg()


def test_long_names_keep_their_ends_and_two_of_them_are_never_alike():
    deep = "transformer.encoder.layers"
    names = {f"{deep}.{layer}.linear1.weight": Tensor([1.0], requires_grad=True) for layer in (0, 1)}
    one, other = names.values()
    svg = viz.graph(one * other, names=names).svg()
    assert "…yers.0.linear1.weight" in svg
    assert "…yers.1.linear1.weight" in svg
    twins = {f"{head}.encoder.layers.0.linear1.weight": Tensor([1.0], requires_grad=True) for head in ("left", "right")}
    one, other = twins.values()
    shown = re.findall(r"<tspan>([^<]*)</tspan>", viz.graph(one * other, names=twins).svg())
    assert len(set(shown)) == 2


def test_a_listing_that_is_too_long_is_folded_and_says_so():
    model, loss = gpt()
    picture = viz.graph(loss, model=model)
    assert repr(picture).endswith("8 boxes stand for 223 nodes; .text() lists each of them")
    assert "Block × 6(v3)" in repr(picture)
    assert len(picture.text().splitlines()) > 150
    stepper = viz.step(loss, model=model)
    assert "8 boxes stand for 223 nodes" in repr(stepper)


def test_a_step_of_a_folded_pass_is_drawn_and_said(monkeypatch):
    model, loss = gpt()
    stepper = viz.step(loss, model=model)
    before, middle, end = stepper.svg(0), stepper.svg(60), stepper.svg()
    assert before.count("no gradient yet") > middle.count("no gradient yet") > 0
    assert "Step 60 of" in middle
    assert 'class="w"' not in end
    monkeypatch.setenv("MINITORCH_LANG", "es")
    assert "Plegado: 8 cajas representan 223 nodos." in viz.graph(loss, model=model).svg()


@pytest.mark.parametrize(
    ("lang", "label", "why"),
    [
        ("en", "stays closed", "This group does not open: the picture has 2,000 boxes already."),
        ("es", "no se abre", "Este grupo no se abre: la imagen ya tiene 2\N{NARROW NO-BREAK SPACE}000 cajas."),
    ],
)
def test_a_group_that_stays_closed_says_why(monkeypatch, lang, label, why):
    """What a document has room for is opened; beyond that a group has no sign, and says so when it is pointed at."""
    monkeypatch.setenv("MINITORCH_LANG", lang)
    nodes = viz.graph(random_values(6000))._player().state["scene"]["nodes"]
    groups = [node for node in nodes if "shows" in node and node["kind"] == "op" and node["badge"]]
    closed = [node for node in groups if "level" not in node]
    assert 0 < len(closed) < len(groups)
    for node in groups:
        assert (why in node["told"]) == (node in closed)
        assert (label in dict(node["facts"])) == (node in closed)
    small = viz.graph(chain(200)[1])._player().state["scene"]["nodes"]
    assert not any(label in dict(node["facts"]) for node in small)


class InAList(nn.Module):
    """A model that keeps its layers where nothing registers them."""

    def __init__(self):
        super().__init__()
        self.layers = [nn.Linear(2, 2), nn.Linear(2, 1)]
        self.head = nn.Linear(1, 1)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return self.head(x)


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "Not among model.parameters(): v1, v2, v3, v4. Layers in a plain list are not registered"),
        ("es", "Fuera de model.parameters(): v1, v2, v3, v4. Las capas de una lista normal no se registran"),
    ],
)
def test_leaves_that_the_model_does_not_know_are_told(lang, said, monkeypatch):
    monkeypatch.setenv("MINITORCH_LANG", lang)
    model = InAList()
    loss = model(Tensor([[1.0, 2.0]])).sum()
    for picture in (viz.graph(loss, model=model), viz.graph(loss, model=model, fold=True), viz.step(loss, model=model)):
        assert said in picture.text()
        assert said in picture._told()
    with viz.live(model) as board:
        loss.backward()
        board.loss(loss)
    assert said in board.graph(loss)._told()
    assert said[:20] not in viz.graph(loss).text()
    named = {"w": model.head.weight, "b": model.head.bias}
    assert said[:20] not in viz.graph(loss, model=nn.ModuleList(model.layers), names=named).text()
