"""Backward passes by right and wrong algorithms: what they compute, where they first go wrong, how it is shown."""

import contextlib
import math
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from viz_pictures import backward, diamonds, random_values, uneven

from minitorch import Tensor, viz
from minitorch.viz.facts import walks
from minitorch.viz.facts.scalars import trace
from minitorch.viz.facts.single_numbers import graph_of_numbers
from minitorch.viz.facts.watched_walk import LOOKS

GOLDEN = Path(__file__).with_name("golden")
SPACE = "{http://www.w3.org/2000/svg}"


def walk_of(root, which):
    return viz.fan_out(root, which).walks[0]


# -- as learners write them ----------------------------------------------------------------------------------------


def backward_from_zeros(root):
    nodes = {root}
    stack = [root]
    while stack:
        for parent in stack.pop()._prev:
            if parent not in nodes:
                nodes.add(parent)
                stack.append(parent)
    for node in nodes:
        node.grad = 0.0
    root.grad = 1.0
    for node in sorted(nodes, key=lambda node: -node.uid):
        for parent, local in zip(node._prev, node._local_grads, strict=True):
            parent.grad += local * node.grad


def recursive(root):
    root.grad = 1.0

    def visit(node):
        for parent, local in zip(node._prev, node._local_grads, strict=True):
            given = local * node.grad
            parent.grad = given if parent.grad is None else parent.grad + given
            visit(parent)

    visit(root)


def paths(node, part=1.0):
    node.grad = part if node.grad is None else node.grad + part
    for parent, local in zip(node._prev, node._local_grads, strict=True):
        paths(parent, local * part)


def level_by_level(root):
    root.grad = 1.0
    queue, seen = [root], {root}
    for node in queue:
        for parent, local in zip(node._prev, node._local_grads, strict=True):
            given = local * node.grad
            parent.grad = given if parent.grad is None else parent.grad + given
            if parent not in seen:
                seen.add(parent)
                queue.append(parent)


def overwriting(root):
    root.grad = 1.0
    for node in sorted(all_of(root), key=lambda node: -node.uid):
        for parent, local in zip(node._prev, node._local_grads, strict=True):
            parent.grad = local * node.grad


def all_of(root):
    found, stack = {root}, [root]
    while stack:
        for parent in stack.pop()._prev:
            if parent not in found:
                found.add(parent)
                stack.append(parent)
    return found


# -- what the walks compute ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_the_right_walk_has_the_engines_gradients(seed):
    root = random_values(30, seed)
    seen = viz.fan_out(root, ["topological", "paths"])
    engine = trace(root, {}).gradients()
    for walk in seen.walks:
        if walk.stopped:
            continue
        assert walk.is_right
        assert walk.first_wrong is None
        for idx, grad in enumerate(walk.gradients):
            assert math.isclose(grad or 0.0, engine[idx].values[0] if idx in engine else 0.0, abs_tol=1e-12)


def test_nothing_of_the_graph_itself_changes():
    root = uneven()
    root.backward()
    before = [node.grad for node in sorted(all_of(root), key=lambda node: node.uid)]
    viz.fan_out(root, [recursive, "overwrite"])
    assert [node.grad for node in sorted(all_of(root), key=lambda node: node.uid)] == before


def test_each_wrong_walk_is_wrong_in_the_known_way():
    found = {walk.name: walk for walk in viz.fan_out(uneven()).walks}
    assert {name: walk.gradients[0] for name, walk in found.items()} == {
        "topological": 39.0,
        "recursive": 1 * 3 + 7 * 3 + 13 * 3,  # the whole of p, each time that something arrives there
        "paths": 39.0,
        "overwrite": 6 * 3,  # the last contribution to p alone
        "breadth_first": 1 * 3,  # p before q has given anything
    }
    assert {name: (walk.first_wrong, walk.fault) for name, walk in found.items() if not walk.is_right} == {
        "recursive": (6, "p hands its whole 7 on to x, but 1 of it went there before and counts twice"),
        "overwrite": (4, "p held 1, which is overwritten and lost"),
        "breadth_first": (5, "p has handed on already: the 6 that arrives now never gets to x"),
    }
    assert [found["recursive"].visits, found["topological"].visits] == [(0, 3, 1, 1), (0, 1, 1, 1)]


@pytest.mark.parametrize("count", [1, 3, 10, 40])
def test_a_chain_of_n_diamonds_has_2_to_the_n_paths_and_they_are_not_walked(count):
    graph = graph_of_numbers(diamonds(count))
    assert walks.paths(graph)[0] == 2**count


@pytest.mark.parametrize("count", [1, 2, 6])
def test_the_path_by_path_walk_visits_every_node_once_for_each_path(count):
    root = diamonds(count)
    seen = viz.fan_out(root, ["paths", "topological"])
    inner = [node.idx for node in seen.graph.nodes if not node.is_leaf]
    by_path, once = seen.walks
    assert [by_path.visits[idx] for idx in inner] == [seen.paths[idx] for idx in inner]
    assert [once.visits[idx] for idx in inner] == [1] * len(inner)
    assert by_path.is_right
    assert by_path.total == 1 + sum(len(seen.graph.operands[idx]) * seen.paths[idx] for idx in inner)


def test_a_walk_that_would_never_end_is_cut_short_and_says_how_long_it_would_take():
    walk = walk_of(diamonds(40), "paths")
    inner = 4 * (2**40 - 1)  # a diamond with k paths to its end makes 2k + 2k moves
    assert walk.total == walks.WORK
    assert len(walk.moves) == walks.SHOWN
    assert walk.stopped == f"broken off after 60,000 steps: it would take {inner + 1:,}"
    assert not walk.is_right
    text = viz.fan_out(diamonds(9)).text("recursive")
    hidden = 1 + 4 * (2**9 - 1) - walks.SHOWN
    assert f"… and {hidden:,} more steps" in text
    assert f"{hidden:,} more steps" in viz.fan_out(diamonds(9)).svg("recursive")


def test_a_walk_that_is_right_by_luck_is_called_right():
    assert walk_of(diamonds(3), "breadth_first").is_right


def test_a_tensor_of_one_number_will_do():
    x = Tensor(0.5, requires_grad=True)
    y = x * x
    root = (y * 3.0 + x.exp()).tanh()
    seen = viz.fan_out(root, names={"x": x, "y": y})
    root.backward()
    assert seen.names[0] == "x"
    assert math.isclose(seen.walks[0].gradients[0], float(x.grad), rel_tol=1e-6)
    assert {walk.name for walk in seen.walks if not walk.is_right} == {"overwrite"}


# -- a learner's own -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (backward, "topological"),
        (recursive, "recursive"),
        (paths, "paths"),
        (level_by_level, "breadth_first"),
        (overwriting, "overwrite"),
    ],
)
@pytest.mark.parametrize("maker", [uneven, lambda: diamonds(3), lambda: random_values(14, 3)])
def test_a_function_is_seen_to_do_what_the_same_algorithm_does(function, name, maker):
    own, built_in = viz.fan_out(maker(), [function, name]).walks
    assert own.gradients == built_in.gradients
    assert own.is_right == built_in.is_right
    assert (own.first_wrong is None) == (built_in.first_wrong is None)
    if name in ("recursive", "paths"):  # the order of the others is free
        assert own.visits == built_in.visits
        assert own.total == built_in.total
        assert own.fault == built_in.fault


def test_a_function_may_start_from_zeros_and_add_attributes():
    walk = walk_of(uneven(), backward_from_zeros)
    assert walk.is_right
    assert [move.kind for move in walk.moves] == ["seed", "add", "add", "add", "add", "add"]

    def marks(root):
        root.mark = 1
        backward(root)

    assert walk_of(uneven(), marks).is_right


def test_a_wrong_product_is_shown_where_it_arrives():
    def adds(root):
        root.grad = 1.0
        for node in sorted(all_of(root), key=lambda node: -node.uid):
            for parent, local in zip(node._prev, node._local_grads, strict=True):
                parent.grad = (parent.grad or 0.0) + local + node.grad

    walk = walk_of(uneven(), adds)
    assert (walk.first_wrong, walk.fault) == (2, "2 arrives at p from root, not 1 * 1 = 1")
    assert "(not 1 * 1)" in viz.fan_out(uneven(), adds).text("adds")


def test_a_wrong_seed_and_a_dropped_gradient_are_named():
    def twice(root):
        backward(root)
        root.grad = 2.0

    def no_seed(root):
        root.grad = 0.5

    def forgets(root):
        backward(root)
        for node in all_of(root):
            node.grad = None

    assert walk_of(uneven(), no_seed).fault.startswith("the seed is 0.5")
    assert "thrown away" in walk_of(uneven(), forgets).fault
    assert not walk_of(uneven(), twice).is_right


def test_what_a_function_raises_is_shown():
    def none_plus(root):
        root.grad = 1.0
        for parent, local in zip(root._prev, root._local_grads, strict=True):
            parent.grad += local * root.grad

    seen = viz.fan_out(uneven(), none_plus)
    assert seen.walks[0].stopped.startswith("TypeError: unsupported operand type(s) for +=: 'NoneType'")
    assert [move.kind for move in seen.walks[0].moves] == ["seed"]
    assert "✗ TypeError" in seen.text()
    ET.fromstring(seen.svg())

    def deep(root):
        deep(root)

    def array(root):
        root.grad = [1.0]

    assert walk_of(uneven(), deep).stopped.startswith("RecursionError")
    assert "must be one number or None, not list" in walk_of(uneven(), array).stopped


def test_a_function_that_runs_in_circles_is_ended_even_if_it_swallows_every_exception():
    def circles(root):
        while True:
            with contextlib.suppress(Exception):
                root.grad  # noqa: B018

    assert f"{LOOKS:,}" in walk_of(uneven(), circles).stopped


def test_two_functions_of_one_name_are_told_apart():
    assert [walk.name for walk in viz.fan_out(uneven(), [backward, backward]).walks] == ["backward", "backward (2)"]


# -- what is refused -----------------------------------------------------------------------------------------------


def test_what_cannot_be_shown_is_refused_in_one_sentence():
    with pytest.raises(ValueError, match="there is no walk 'depth': use 'topological', 'recursive'"):
        viz.fan_out(uneven(), "depth")
    with pytest.raises(ValueError, match="there is no walk to show"):
        viz.fan_out(uneven(), [])
    with pytest.raises(TypeError, match="needs a Tensor or a scalar Value"):
        viz.fan_out(3.0)
    with pytest.raises(ValueError, match="holds 300 nodes, and the graph has"):
        viz.fan_out(diamonds(101))
    with pytest.raises(ValueError, match=r"needs graphs of single numbers, and a leaf has the shape \(3,\)"):
        viz.fan_out(Tensor([1.0, 2.0, 3.0], requires_grad=True).sum())
    seen = viz.fan_out(uneven(), "recursive")
    with pytest.raises(ValueError, match="this picture has no walk 'paths': it has 'recursive'"):
        seen.svg("paths")
    for beyond in (-1, 10):
        with pytest.raises(IndexError, match="has the steps 0 to 9"):
            seen.text("recursive", beyond)
