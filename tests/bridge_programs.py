"""PyTorch programs, and what their gradients are once by PyTorch's engine and once by the bridge's executor."""

import copy
from collections.abc import Callable
from typing import Any

import torch
from torch import nn
from torch.nn import functional as F  # noqa: N812
from torch.utils.checkpoint import checkpoint

from minitorch.bridge import TorchBackward, record
from minitorch.graph import AutogradGraph

Program = Callable[[nn.Module], torch.Tensor]


def assert_same_gradients(model: nn.Module, program: Program) -> AutogradGraph:
    """Bit for bit, the loss and every parameter's gradient."""
    theirs, ours = copy.deepcopy(model), copy.deepcopy(model)
    torch.manual_seed(1)
    expected = program(theirs)
    expected.backward()
    graph = AutogradGraph()
    torch.manual_seed(1)
    with record(graph, model=ours):
        loss = program(ours)
    assert torch.equal(loss, expected)
    TorchBackward(graph, loss).run()
    for (name, p), q in zip(theirs.named_parameters(), ours.parameters(), strict=True):
        assert (p.grad is None) == (q.grad is None), name
        assert p.grad is None or torch.equal(p.grad, q.grad), name
    assert graph.is_acyclic()
    return graph


class Block(nn.Module):
    """A GPT block written out by hand."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.before_attention, self.before_mlp = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width), nn.Dropout(0.1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        B, T, C = x.shape
        q, k, v = self.qkv(self.before_attention(x)).split(C, dim=2)
        q, k, v = (each.view(B, T, self.heads, C // self.heads).transpose(1, 2) for each in (q, k, v))
        scores = (q @ k.transpose(-2, -1)) * (C // self.heads) ** -0.5
        mask = torch.tril(torch.ones(T, T)) == 0
        y = F.softmax(scores.masked_fill(mask, float("-inf")), dim=-1) @ v
        x = x + self.out(y.transpose(1, 2).contiguous().view(B, T, C))
        return x + self.mlp(self.before_mlp(x))


class GPT(nn.Module):
    """Two blocks; the embedding is the head's weight too."""

    def __init__(self) -> None:
        super().__init__()
        self.token, self.position = nn.Embedding(11, 16), nn.Embedding(8, 16)
        self.blocks = nn.Sequential(Block(16, 4), Block(16, 4))
        self.norm = nn.LayerNorm(16)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        x = self.token(tokens) + self.position(torch.arange(tokens.shape[1]))
        return F.linear(self.norm(self.blocks(x)), self.token.weight)


class Mix(torch.autograd.Function):
    """Several tensors in, two out, and arguments that are none."""

    @staticmethod
    def forward(ctx: Any, k: int, x: torch.Tensor, name: str, y: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        ctx.save_for_backward(x, y)
        ctx.k = k
        return x * y * k, x + y

    @staticmethod
    def backward(ctx: Any, *g: torch.Tensor) -> tuple[Any, ...]:
        x, y = ctx.saved_tensors
        return None, g[0] * y * ctx.k + g[1], None, g[0] * x * ctx.k + g[1]


def _data(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(7))


X, LABELS = _data(8, 10), torch.arange(8) % 4


def _views(m: nn.Module) -> torch.Tensor:
    h = m(X).clone()
    left, flat = h[:, :5], h.view(-1)
    left.mul_(2)
    h[0] = 3.0
    flat[3:9].mul_(1.5)
    tail = flat[20:].detach()
    h[2:4] += tail[:20]
    with torch.no_grad():
        scale = h.abs().max()
    flat.div_(scale)
    a, b = h[:, :10], h[:, 10:]
    return (a * b).sum() + (h * h).sum() + left.sum() + flat.topk(4).values.sum()


def _several_results(m: nn.Module) -> torch.Tensor:
    h = m(X)
    a, b, _ = h.split([8, 8, 4], dim=1)
    low, high = torch.aminmax(b, dim=0)
    return (a * h.max(dim=1).values[:, None]).sum() + h.topk(3).values.prod(1).sum() + (low - high).square().sum()


def _checkpointed(reentrant: bool) -> Program:
    x = X.clone().requires_grad_()
    return lambda m: F.cross_entropy(checkpoint(m, x, use_reentrant=reentrant), LABELS)


def _lstm(m: nn.Module) -> torch.Tensor:
    out, (h, c) = m(_data(6, 2, 10))
    return out.square().sum() + (h * c).sum()


def _einsum(m: nn.Module) -> torch.Tensor:
    h = m(X)
    return torch.einsum("ij,kj->ik", h, h).gather(1, (torch.arange(24) % 8).view(8, 3)).square().sum()


def _function(m: nn.Module) -> torch.Tensor:
    product, total = Mix.apply(2, m(X), "name", m(X).exp())
    return product.sum() + (total * product).mean() + Mix.apply(1, total, "", X.sum())[0].sum()


def _residual(m: nn.Module) -> torch.Tensor:
    x = m(X)
    z = x + torch.exp(x)
    return (z + torch.sin(x) * z + x / 3 + x * x).sum()


def programs() -> dict[str, tuple[nn.Module, Program]]:
    """Name → a model and a function of it."""
    torch.manual_seed(0)
    mlp = nn.Sequential(nn.Linear(10, 20), nn.Tanh(), nn.Dropout(0.5), nn.Linear(20, 4))
    net = [
        nn.Conv2d(3, 6, 3),
        nn.BatchNorm2d(6),
        nn.ReLU(inplace=True),
        nn.Dropout(0.3),
        nn.Flatten(),
        nn.Linear(216, 4),
    ]
    layer = nn.TransformerEncoderLayer(16, 4, 32)
    tokens = torch.arange(24).view(3, 8) % 11
    linear = nn.Linear(10, 20)
    return {
        "mlp": (mlp, lambda m: F.cross_entropy(m(X), LABELS)),
        "convnet": (nn.Sequential(*net), lambda m: F.cross_entropy(m(_data(8, 3, 8, 8)), LABELS)),
        "transformer encoder layer": (layer, lambda m: m(_data(5, 3, 16)).square().sum()),
        "gpt": (GPT(), lambda m: F.cross_entropy(m(tokens).view(-1, 11), tokens.roll(-1, 1).view(-1))),
        "lstm": (nn.LSTM(10, 7, 2, bidirectional=True, dropout=0.2), _lstm),
        "views in place": (linear, _views),
        "several results": (linear, _several_results),
        "custom function": (linear, _function),
        "checkpoint": (mlp, _checkpointed(False)),
        "reentrant checkpoint": (mlp, _checkpointed(True)),
        "einsum and gather": (linear, _einsum),
        "residual": (linear, _residual),
    }
