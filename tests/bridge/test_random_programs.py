"""Random programs of views, changes in place, split, assignment and no_grad, compared bit for bit."""

import pytest

torch = pytest.importorskip("torch", reason='PyTorch is not installed: pip install "minitorch-course[torch]"')

from bridge_programs import assert_same_gradients  # noqa: E402
from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402
from torch import nn  # noqa: E402

MOVES = [
    "mul",
    "add",
    "exp_sum",
    "slice",
    "view",
    "transpose",
    "split",
    "setitem",
    "mul_",
    "add_",
    "sub_of_view",
    "no_grad",
    "detach",
    "tanh_",
    "relu",
    "index",
    "cat",
    "copy_",
    "max",
]


def _move(kind: str, x: torch.Tensor, other: torch.Tensor) -> list[torch.Tensor]:
    rows = min(len(x), len(other))
    if kind == "mul":
        return [x[:rows] * other[:rows]]
    if kind == "add":
        return [x + x.mean() + other.sum()]
    if kind == "exp_sum":
        return [x + torch.exp(x / 9).sum(0)]
    if kind == "slice":
        return [x[: max(1, len(x) - 1)]]
    if kind == "view":
        return [x.reshape(-1).view(x.shape), x.unsqueeze(0)[0]]
    if kind == "transpose":
        return [x.t().contiguous().t()]
    if kind == "split":
        return list(x.clone().split(2))
    if kind == "setitem":
        x[0] = other[-1] * 0.5
    if kind == "mul_":
        x.mul_(0.9)
    if kind == "add_":
        x[:rows].add_(other[:rows].clone())
    if kind == "sub_of_view":
        x.view(-1)[1:4].sub_(0.3)
    if kind == "no_grad":
        with torch.no_grad():
            return [x * other.sum()]
    if kind == "detach":
        return [x.detach() + other[:1]]
    if kind == "tanh_":
        x[:, 1:].tanh_()
    if kind == "relu":
        return [nn.functional.relu(x.clone(), inplace=True)]
    if kind == "index":
        return [x[torch.tensor([0, 0, len(x) - 1])]]
    if kind == "cat":
        return [torch.cat([x, other])[:6]]
    if kind == "copy_":
        x[-1].copy_(other[0])
    if kind == "max":
        return [x - x.max(dim=0).values]
    return []


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(MOVES), st.integers(0, 99), st.integers(0, 99)), max_size=14))
def test_random_programs(moves: list[tuple[str, int, int]]) -> None:
    def program(model: nn.Module) -> torch.Tensor:
        made = [model(torch.linspace(-1, 1, 12).view(4, 3)).clone(), model.weight * 2]
        for kind, first, second in moves:
            try:
                made += _move(kind, made[first % len(made)], made[second % len(made)])
            except RuntimeError:
                continue  # PyTorch forbids it: a view of several, or one made under no_grad
        losses = []
        for each in made:
            try:
                losses.append((each * each).sum())
            except RuntimeError:
                continue
        return torch.stack(losses).sum()

    torch.manual_seed(3)
    model = nn.Linear(3, 3).double()
    model.float()
    try:
        program(model).backward()
    except RuntimeError:
        return  # a saved tensor was modified; test_behaviour has that
    model.zero_grad()
    assert_same_gradients(model, program)
