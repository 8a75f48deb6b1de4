"""What a type checker and an editor know of layers, losses, optimisers and data in a user's file."""

import subprocess
import sys
from pathlib import Path

import pytest

USER = '''
import minitorch as mt
from minitorch import nn
from minitorch.nn import functional as F


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(2, 3)
        self.blocks = nn.ModuleList([nn.Linear(3, 3)])

    def forward(self, x: mt.Tensor, times: int = 1) -> mt.Tensor:
        h = self.first(x).relu()
        for block in self.blocks:
            h = block(h)
        return h * times


x = mt.randn(4, 2)
net = Net()
reveal_type(net(x))  # Tensor
reveal_type(net.train().eval())  # Net
reveal_type(net.first.weight)  # Parameter
reveal_type(mt.nn.Linear(2, 3)(x))  # Tensor
reveal_type(nn.Sequential(nn.Linear(2, 3), nn.ReLU())(x))  # Tensor
reveal_type(nn.CrossEntropyLoss()(x, [0, 1, 0, 1]))  # Tensor
reveal_type(nn.LSTM(2, 3)(x)[1][0])  # Tensor
reveal_type(F.gelu(x))  # Tensor
reveal_type(F.linear(x, net.first.weight))  # Tensor
reveal_type(F.cross_entropy(x, [0, 1, 0, 1]))  # Tensor
reveal_type(F.max_pool1d(x, 2))  # Tensor
reveal_type(F.max_pool1d(x, 2, return_indices=True).indices)  # Tensor
'''
WRONG = {
    "net(x, times='twice')": '"str"; expected "int"',
    "nn.Linear(2, '3')": '"str"; expected "int"',
    "F.mse_loss(x, x, reduction='average')": "reduction",
    "nn.MSELoss()(x)": 'Missing positional argument "target"',
}
mypy = pytest.importorskip("mypy.api", reason="mypy is not installed: pip install 'minitorch-course[dev]'")


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What mypy says of the file, and of each wrong line below it."""
    file = tmp_path_factory.mktemp("user") / "user.py"
    file.write_text(USER + "\n".join(WRONG) + "\n", encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", f"--cache-dir={file.parent}", str(file)]
    root = Path(__file__).resolve().parents[2]
    return subprocess.run(command, capture_output=True, text=True, cwd=root).stdout.splitlines()


def test_a_type_checker_knows_what_layers_and_functions_return(told: list[str]) -> None:
    wanted = [line.rpartition("# ")[2] for line in USER.splitlines() if line.startswith("reveal_type")]
    found = [line.rpartition(".")[2].rstrip('"') for line in told if "Revealed type" in line]
    assert found == wanted


def test_a_type_checker_refuses_what_a_layer_would_refuse(told: list[str]) -> None:
    first = len(USER.splitlines()) + 1
    errors = [line for line in told if "error:" in line]
    assert [int(line.split(":")[1]) for line in errors] == list(range(first, first + len(WRONG)))
    assert all(reason in error for reason, error in zip(WRONG.values(), errors, strict=True))
