"""PyTorch's recordings in several threads and asyncio tasks: each graph has its own operations and scopes."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

torch = pytest.importorskip("torch", reason='PyTorch is not installed: pip install "minitorch-course[torch]"')

from minitorch.bridge import record  # noqa: E402
from minitorch.graph import AutogradGraph  # noqa: E402


def model(wait=lambda: None):
    """Two layers; between them `wait` is called."""
    made = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Tanh(), torch.nn.Sequential(torch.nn.Linear(3, 1)))

    def hook(*_):
        wait()

    made[1].register_forward_hook(hook)
    return made


def batch():
    return torch.ones(4, 2)


def run(main):
    """`asyncio.run` in a thread of its own: the one of the tests may have a loop that a browser runs in."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, main).result()


def scopes(graph):
    return [(node.scope, node.op) for node in graph.nodes() if node.op]


@pytest.fixture(scope="module")
def alone():
    graph = AutogradGraph()
    made = model()
    with record(graph, model=made):
        made(batch()).sum()
    return scopes(graph)


def test_what_one_recording_says_of_itself(alone):
    assert [scope for scope, op in alone if op != "t"] == ["0", "1", "2.0", ""]


def test_threads_that_record_the_same_model_at_once(alone):
    barrier = threading.Barrier(4, timeout=600)
    made = model(barrier.wait)

    def work(_):
        graph = AutogradGraph()
        with record(graph, model=made):
            for _ in range(3):
                made(batch()).sum()
        return scopes(graph)

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(work, range(4))) == [alone * 3] * 4


def test_a_thread_that_only_evaluates_is_in_no_graph_and_never_fails(alone):
    barrier, results = threading.Barrier(2, timeout=600), []
    made = model(barrier.wait)
    other = threading.Thread(target=lambda: results.append(made(batch()).sum()))
    graph = AutogradGraph()
    with record(graph, model=made):
        other.start()
        made(batch()).sum()
        other.join()
    assert len(results) == 1
    assert scopes(graph) == alone


def test_a_recording_that_ends_while_another_thread_is_in_the_model():
    inside, ended, results = threading.Event(), threading.Event(), []

    def wait():
        inside.set()
        assert ended.wait(30)

    made = model(wait)
    other = threading.Thread(target=lambda: results.append(made(batch()).sum()))
    with record(AutogradGraph(), model=made):
        other.start()
        assert inside.wait(30)
    ended.set()
    other.join()
    assert len(results) == 1


def test_asyncio_tasks_that_end_in_another_order_than_they_began(alone):
    made = model()

    async def work(rounds):
        graph = AutogradGraph()
        with record(graph, model=made):
            for _ in range(rounds):
                made(batch()).sum()
                await asyncio.sleep(0)
        return scopes(graph)

    async def all_of_them():
        return await asyncio.gather(*[work(rounds) for rounds in (1, 3, 2)])

    assert run(all_of_them()) == [alone, alone * 3, alone * 2]
    graph = AutogradGraph()
    with record(graph):
        torch.ones(2, requires_grad=True).sum()
    assert [op for _, op in scopes(graph)] == ["sum"]


def test_nothing_is_recorded_any_more_once_the_tasks_are_done():
    async def work(graph, rounds):
        with record(graph):
            for _ in range(rounds):
                await asyncio.sleep(0)

    first, second = AutogradGraph(), AutogradGraph()

    async def both():
        await asyncio.gather(work(first, 1), work(second, 3))

    run(both())
    x = torch.ones(2, requires_grad=True)
    x.sum()
    assert first.find(x) is None
    assert second.find(x) is None


def test_a_hook_that_begins_a_recording_of_its_own(alone):
    inner, graphs = model(), []

    def hook(_module, _args, _output):
        graph = AutogradGraph()
        with record(graph, model=inner):
            inner(batch()).sum()
        graphs.append(scopes(graph))

    made = model()
    made[0].register_forward_hook(hook)
    with record(AutogradGraph(), model=made):
        made(batch()).sum()
    assert graphs == [alone]
