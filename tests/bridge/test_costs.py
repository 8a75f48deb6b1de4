"""What PyTorch's operations cost: bytes that are kept for the backward pass, and seconds of both passes."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from torch import nn  # noqa: E402
from torch.nn import functional as F  # noqa: E402,N812
from torch.utils.checkpoint import checkpoint  # noqa: E402

from minitorch.bridge import record  # noqa: E402
from minitorch.graph import AutogradGraph, costs  # noqa: E402


def _seen_by_hooks(program) -> int:
    """Independently of the store: the bytes that PyTorch packs, each memory once, leaves' own left out."""
    sizes: dict[int, int] = {}
    held = []

    def pack(tensor):
        held.append(tensor)
        if not (tensor.is_leaf and tensor.requires_grad):
            sizes[tensor.untyped_storage().data_ptr()] = tensor.untyped_storage().nbytes()
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        result = program()
    del result
    return sum(sizes.values())


def test_the_bytes_are_those_that_pytorch_packs() -> None:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(4 * 36, 10), nn.Tanh())
    x, y = torch.randn(3, 1, 8, 8), torch.tensor([1, 2, 3])

    def program():
        return F.cross_entropy(model(x), y)

    graph = AutogradGraph(timed=True)
    with record(graph, model=model):
        loss = program()
    found = costs(graph, loss)
    weights = {each.untyped_storage().data_ptr(): each.untyped_storage().nbytes() for each in model.parameters()}
    assert found.by_module()[0].kept in range(
        _seen_by_hooks(program) - sum(weights.values()), _seen_by_hooks(program) + 1
    )
    modules = {each.name: each for each in found.by_module()}
    assert modules["1"].kept == 3 * 4 * 36 * 4  # the result of relu, in float32
    assert modules["4"].kept == 3 * 10 * 4
    assert all(each.forward is not None and each.forward > 0 for each in found)
    assert all(each.backward > 0 for each in found)
    assert all(each.grad is None for each in model.parameters())
    loss.backward()
    assert model[0].weight.grad is not None


def test_calls_are_timed_only_where_it_is_asked_for() -> None:
    x, graph = torch.ones(3, requires_grad=True), AutogradGraph()
    with record(graph):
        loss = x.exp().sum()
    assert [(each.name, each.forward, each.kept) for each in costs(graph, loss)] == [
        ("exp", None, 12),
        ("sum", None, 0),
    ]


def test_nothing_is_unpacked_to_be_counted() -> None:
    ran = []

    def part(h):
        ran.append(1)
        return h.exp().exp()

    x, graph = torch.ones(3, requires_grad=True), AutogradGraph()
    with record(graph):
        loss = checkpoint(part, x, use_reentrant=False).sum()
    assert costs(graph, loss).by_module()[0].kept == 0  # it is made again when it is needed
    assert len(ran) == 2  # forward, and once in the pass
