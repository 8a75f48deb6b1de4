"""Several threads and asyncio tasks with one model: each graph has its own operations and scopes, and no other's."""

import asyncio
import gc
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from minitorch import Tensor
from minitorch.graph import AutogradGraph, autograd_graph
from minitorch.nn import Linear, Module, ReLU, Sequential

EXPECTED = [("body.0", "linear"), ("body.1", "relu"), ("head", "linear"), ("", "exp"), ("", "sum")]


class Waiting(Module):
    """Hands the processor on between its parts, so that others come in between."""

    def __init__(self, wait=lambda: None):
        super().__init__()
        self.body = Sequential(Linear(2, 4), ReLU())
        self.head = Linear(4, 1)
        self.wait = wait

    def forward(self, x):
        hidden = self.body(x)
        self.wait()
        return self.head(hidden).exp()


def batch() -> Tensor:
    return Tensor(np.ones((3, 2), np.float32))


def run(main):
    """`asyncio.run` in a thread of its own: the one of the tests may have a loop that a browser runs in."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, main).result()


def scopes(graph: AutogradGraph) -> list[tuple[str, str]]:
    return [(node.scope, node.op) for node in graph.nodes() if node.op]


def in_turn(count):
    """What lets `count` threads go on only when all of them have come so far."""
    barrier = threading.Barrier(count, timeout=600)
    return barrier.wait


def test_threads_that_record_the_same_model_at_once():
    model = Waiting(in_turn(4))

    def work(_):
        with autograd_graph(model) as graph:
            for _ in range(5):
                loss = model(batch()).sum()
        assert graph.find(loss) is not None
        return scopes(graph)

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(work, range(4))) == [EXPECTED * 5] * 4


def test_a_thread_that_only_evaluates_is_in_no_graph_and_disturbs_none():
    model = Waiting(in_turn(2))
    results = []
    other = threading.Thread(target=lambda: results.append(model(batch()).sum()))
    with autograd_graph(model) as graph:
        other.start()
        loss = model(batch()).sum()
        other.join()
    assert scopes(graph) == EXPECTED
    assert graph.find(loss) is not None
    assert graph.find(results[0]) is None


def test_a_graph_that_ends_while_another_thread_is_in_the_model():
    inside, ended = threading.Event(), threading.Event()

    def wait():
        inside.set()
        assert ended.wait(30)

    model, results = Waiting(wait), []

    def evaluates():
        with autograd_graph(model) as own:
            results.append(model(batch()).sum())
        results.append(scopes(own))

    other = threading.Thread(target=evaluates)
    with autograd_graph(model):
        other.start()
        assert inside.wait(30)
    ended.set()
    other.join()
    assert results[1] == EXPECTED


def test_asyncio_tasks_that_record_the_same_model_in_turns():
    model = Waiting()

    async def work():
        with autograd_graph(model) as graph:
            hidden = model.body(batch())
            await asyncio.sleep(0)
            y = model.head(hidden)
            await asyncio.sleep(0)
            loss = model(batch()).sum()
        assert graph.find(y) is not None
        assert graph.find(loss) is not None
        return scopes(graph)

    async def both():
        return await asyncio.gather(work(), work(), work())

    assert run(both()) == [EXPECTED[:3] + EXPECTED] * 3


def test_a_task_that_is_begun_inside_a_module_goes_on_there_and_moves_nobody_else():
    model, started = Waiting(), []

    async def later():
        return Tensor([1.0, 2.0], requires_grad=True).exp()

    async def work():
        model.wait = lambda: started.append(asyncio.get_running_loop().create_task(later()))
        with autograd_graph(model) as graph:
            loss = model(batch()).sum()
            assert graph.find(await started[0]) is not None
        assert graph.find(loss) is not None
        return scopes(graph)

    assert run(work()) == [*EXPECTED, ("", "exp")]


def test_a_hook_that_begins_a_recording_of_its_own():
    model, inner = Waiting(), Waiting()
    graphs = []

    def hook(_module, _args, output):
        with autograd_graph(inner) as graph:
            inner(batch()).sum()
        graphs.append(graph)
        return output

    model.body.register_forward_hook(hook)
    with autograd_graph(model) as graph:
        loss = model(batch()).sum()
    assert scopes(graph) == EXPECTED
    assert [scopes(each) for each in graphs] == [EXPECTED]
    assert graph.find(loss) is not None


def test_two_models_in_one_graph_each_say_their_own_paths():
    one, other = Waiting(), Waiting()
    with autograd_graph(one, other) as graph:
        graph.scope = "pair"
        loss = one(batch()).sum() + other(batch()).sum()
    named = [[(f"{number}.{scope}".rstrip("."), op) for scope, op in EXPECTED[:-1]] for number in (0, 1)]
    assert scopes(graph) == [*named[0], ("pair", "sum"), *named[1], ("pair", "sum"), ("pair", "add")]
    assert [graph.find(each).name for each in (*one.parameters(), *other.parameters())] == [
        f"{number}.{name}" for number, model in enumerate((one, other)) for name, _ in model.named_parameters()
    ]
    assert {graph.kinds["0"], graph.kinds["1"]} == {"Waiting"}
    assert graph.find(loss) is not None


def test_a_model_is_given_a_name_of_its_own():
    model = Waiting()
    with AutogradGraph().watch(model, "critic") as graph:
        model(batch()).sum()
    assert scopes(graph)[:-1] == [(f"critic.{scope}".rstrip("."), op) for scope, op in EXPECTED[:-1]]
    assert all(node.name.startswith("critic.") for node in graph.nodes() if node.name)


def test_an_unclosed_graph_dies_with_its_last_name():
    model = Waiting()
    gc.collect()
    gc.disable()
    try:
        with autograd_graph(model) as graph:
            model(batch()).sum()
        gone = weakref.ref(graph)
        del graph
        assert gone() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("times", [1, 3])
def test_an_exception_in_one_thread_leaves_nothing_to_another(times):
    model = Waiting()
    hook = model.body.register_forward_hook(lambda *_: 1 / 0)
    for _ in range(times):
        with pytest.raises(ZeroDivisionError), autograd_graph(model):
            model(batch())
    hook.remove()
    with autograd_graph(model) as graph:
        loss = model(batch()).sum()
    assert scopes(graph) == EXPECTED
    assert graph.find(loss) is not None


def test_blocks_that_end_in_another_order_than_they_began_in():
    x = Tensor(1.0, requires_grad=True)

    def turns(graph, results):
        with graph:
            for _ in range(2):
                results.append(x * 2)
                yield

    around, first, second = AutogradGraph(), AutogradGraph(), AutogradGraph()
    mine, one, two = [], [], []
    with around:
        a, b = turns(first, one), turns(second, two)
        for each in (a, b, a, b):
            next(each)
        assert next(a, None) is None  # the block that began first ends first
        two.append(x * 3)
        assert next(b, None) is None
        mine.append(x * 4)
    after = x * 5
    assert [first.find(y) is not None for y in (*one, *two, *mine, after)] == [True] + [False] * 6
    assert all(second.find(y) for y in (one[1], *two))
    assert [around.find(y) is not None for y in (*one, *two, *mine, after)] == [False] * 5 + [True, False]
