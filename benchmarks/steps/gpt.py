"""A small GPT: embeddings, blocks of causal attention and an MLP, and the logits of the next character."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.steps import plain
from benchmarks.steps.workload import BATCHES, NetworkWorkload, Problem, Step, uniform

Array = np.ndarray


@dataclass(frozen=True)
class GPT(NetworkWorkload):
    """A batch of texts (batch, context), each character to be foretold from those before it."""

    name: str
    layers: int
    width: int
    heads: int
    context: int
    batch: int
    vocabulary: int
    optimizer: str
    goals: dict[str, float]
    lr: float

    @property
    def title(self) -> str:
        return (
            f"GPT, {self.layers} layers, width {self.width}, {self.heads} heads, context {self.context}, "
            f"vocabulary {self.vocabulary}, batch {self.batch}, {self.optimizer}"
        )

    def draw(self, rng: np.random.Generator) -> Problem:
        width = self.width
        weights = {
            "token.weight": (0.02 * rng.standard_normal((self.vocabulary, width))).astype(np.float32),
            "place.weight": (0.02 * rng.standard_normal((self.context, width))).astype(np.float32),
        }

        def add_linear(name: str, n: int, m: int) -> None:
            weights[f"{name}.weight"], weights[f"{name}.bias"] = uniform(rng, (m, n), n), uniform(rng, (m,), n)

        def add_norm(name: str) -> None:
            weights[f"{name}.weight"] = np.ones(width, np.float32)
            weights[f"{name}.bias"] = np.zeros(width, np.float32)

        for layer in range(self.layers):
            block = f"body.{layer}."
            add_norm(block + "norm_1")
            add_norm(block + "norm_2")
            add_linear(block + "qkv", width, 3 * width)
            add_linear(block + "out", width, width)
            add_linear(block + "mlp.0", width, 4 * width)
            add_linear(block + "mlp.2", 4 * width, width)
        add_norm(f"body.{self.layers}")
        add_linear(f"body.{self.layers + 1}", width, self.vocabulary)
        texts = [rng.integers(0, self.vocabulary, (self.batch, self.context + 1)) for _ in range(BATCHES)]
        return Problem(weights, [(text[:, :-1].copy(), text[:, 1:].copy()) for text in texts])

    def network(self, torch: Any) -> Any:
        nn = torch.nn
        width, heads, context = self.width, self.heads, self.context

        class Block(nn.Module):
            def __init__(self) -> None:
                super().__init__()
                self.norm_1, self.norm_2 = nn.LayerNorm(width), nn.LayerNorm(width)
                self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
                self.mlp = nn.Sequential(
                    nn.Linear(width, 4 * width), nn.GELU(approximate="tanh"), nn.Linear(4 * width, width)
                )

            def forward(self, x: Any) -> Any:  # (B, T, C)
                q, k, v = self.qkv(self.norm_1(x)).unflatten(-1, (3, heads, -1)).permute(2, 0, 3, 1, 4)
                seen = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)  # (B, heads, T, C / heads)
                x = x + self.out(seen.transpose(1, 2).flatten(2))
                return x + self.mlp(self.norm_2(x))

        vocabulary, layers = self.vocabulary, self.layers

        class Network(nn.Module):
            def __init__(self) -> None:
                super().__init__()
                self.token, self.place = nn.Embedding(vocabulary, width), nn.Embedding(context, width)
                blocks = [Block() for _ in range(layers)]
                self.body = nn.Sequential(*blocks, nn.LayerNorm(width), nn.Linear(width, vocabulary))

            def forward(self, numbers: Any) -> Any:
                x = self.token(numbers) + self.place(torch.arange(numbers.shape[1], device=numbers.device))
                return self.body(x).flatten(0, 1)

        return Network()

    def by_numpy(self, problem: Problem) -> Step:
        weights, batches = problem.copied_weights(), problem.rounds()
        update = plain.optimizer(self.optimizer, weights, self.lr)
        blocks = [Block(weights, f"body.{layer}.", self) for layer in range(self.layers)]
        norm, head = f"body.{self.layers}", f"body.{self.layers + 1}"
        vocabulary, width = self.vocabulary, self.width

        def step() -> float:
            numbers, y = next(batches)
            numbers, shape = numbers.reshape(-1), (*numbers.shape, width)
            x = weights["token.weight"][numbers]
            x.reshape(shape)[...] += weights["place.weight"]
            for block in blocks:
                x = block.forward(x)
            normal, kept = plain.layer_norm(x, weights[f"{norm}.weight"], weights[f"{norm}.bias"])
            logits = plain.linear(normal, weights[f"{head}.weight"], weights[f"{head}.bias"])
            loss, g = plain.cross_entropy(logits, y.reshape(-1))

            grads = {f"{head}.weight": g.T @ normal, f"{head}.bias": plain.column_sums(g)}
            g, grads[f"{norm}.weight"], grads[f"{norm}.bias"] = plain.layer_norm_backward(
                g @ weights[f"{head}.weight"], weights[f"{norm}.weight"], kept
            )
            for block in reversed(blocks):
                g = block.backward(g, grads)
            grads["token.weight"] = plain.embedding_backward(g, numbers, vocabulary)
            grads["place.weight"] = g.reshape(shape).sum(0)
            update(grads)
            return loss

        return step


class Block:
    """A block by hand, on rows (B · T, C). `forward` keeps what `backward` needs."""

    def __init__(self, weights: dict[str, Array], name: str, sizes: GPT) -> None:
        self.weights = {key.removeprefix(name): value for key, value in weights.items() if key.startswith(name)}
        self.name = name
        self.batch, self.context = sizes.batch, sizes.context
        self.heads, self.width = sizes.heads, sizes.width
        self.scale = 1 / math.sqrt(sizes.width // sizes.heads)
        unseen = ~np.tri(sizes.context, dtype=bool)
        self.mask = np.where(unseen, np.float32(-np.inf), np.float32(0))
        self.kept: Any = None

    def forward(self, x: Array) -> Array:
        """(B · T, C) → (B · T, C)."""
        w = self.weights
        normal_1, kept_1 = plain.layer_norm(x, w["norm_1.weight"], w["norm_1.bias"])
        qkv = plain.linear(normal_1, w["qkv.weight"], w["qkv.bias"])
        q, k, v = self._by_head(qkv)
        q = q * self.scale
        shares = q @ k.swapaxes(-1, -2)
        shares += self.mask
        shares -= plain.row_maxima(shares)
        np.exp(shares, out=shares)
        shares /= plain.row_sums(shares)[..., None]
        seen = (shares @ v).transpose(0, 2, 1, 3).reshape(x.shape)
        middle = plain.linear(seen, w["out.weight"], w["out.bias"])
        middle += x
        normal_2, kept_2 = plain.layer_norm(middle, w["norm_2.weight"], w["norm_2.bias"])
        hidden = plain.linear(normal_2, w["mlp.0.weight"], w["mlp.0.bias"])
        active, share = plain.gelu(hidden)
        out = plain.linear(active, w["mlp.2.weight"], w["mlp.2.bias"])
        out += middle
        self.kept = normal_1, kept_1, q, k, v, shares, seen, normal_2, kept_2, hidden, active, share
        return out

    def backward(self, g: Array, grads: dict[str, Array]) -> Array:
        """The gradient of x; those of the weights are put into `grads`. g is used up."""
        w = self.weights
        normal_1, kept_1, q, k, v, shares, seen, normal_2, kept_2, hidden, active, share = self.kept
        self.kept = None
        inner = self._linear_backward("mlp.2", g, active, grads)
        inner = plain.gelu_backward(inner, hidden, share)
        inner = self._linear_backward("mlp.0", inner, normal_2, grads)
        g += self._norm_backward("norm_2", inner, kept_2, w, grads)

        inner = self._linear_backward("out", g, seen, grads)
        inner = inner.reshape(self.batch, self.context, self.heads, -1).transpose(0, 2, 1, 3)
        qkv_grad = np.empty((3, *q.shape), q.dtype)
        np.matmul(shares.swapaxes(-1, -2), inner, out=qkv_grad[2])
        scores = inner @ v.swapaxes(-1, -2)
        scores -= np.vecdot(scores, shares)[..., None]
        scores *= shares
        np.matmul(scores, k, out=qkv_grad[0])
        qkv_grad[0] *= self.scale
        np.matmul(scores.swapaxes(-1, -2), q, out=qkv_grad[1])
        rows = qkv_grad.transpose(1, 3, 0, 2, 4).reshape(len(g), 3 * self.width)
        inner = self._linear_backward("qkv", rows, normal_1, grads)
        g += self._norm_backward("norm_1", inner, kept_1, w, grads)
        return g

    def _by_head(self, qkv: Array) -> Array:
        return qkv.reshape(self.batch, self.context, 3, self.heads, -1).transpose(2, 0, 3, 1, 4)

    def _linear_backward(self, name: str, g: Array, x: Array, grads: dict[str, Array]) -> Array:
        grads[f"{self.name}{name}.weight"] = g.T @ x
        grads[f"{self.name}{name}.bias"] = plain.column_sums(g)
        return g @ self.weights[f"{name}.weight"]

    def _norm_backward(self, name: str, g: Array, kept: Any, w: Any, grads: dict[str, Array]) -> Array:
        g, grads[f"{self.name}{name}.weight"], grads[f"{self.name}{name}.bias"] = plain.layer_norm_backward(
            g, w[f"{name}.weight"], kept
        )
        return g
