"""Training steps, each written by hand in NumPy and as a user of minitorch, or of PyTorch, writes it."""

from __future__ import annotations

from benchmarks.steps.chain import Chain
from benchmarks.steps.convnet import ConvNet
from benchmarks.steps.gpt import GPT
from benchmarks.steps.mlp import MLP
from benchmarks.steps.scalar import Scalar
from benchmarks.steps.workload import Workload, changed

_SCALAR = Scalar("scalar", (2, 16, 16, 1), 100, {"floats": 15, "micrograd": 1 / 60, "torch": 0.05})
_CHAIN = Chain("chain-1", 10_000, 1, {"torch": 0.7})
_LONG_ROWS = changed(_CHAIN, name="chain-1000", size=1000)
_SMALL = MLP("mlp-sgd", (64, 64, 64, 10), 64, "SGD", {"numpy": 1.30, "torch": 0.60}, lr=0.1)
_LARGE = MLP("mlp-large", (784, 256, 256, 10), 128, "SGD", {"numpy": 1.06, "torch": 0.95}, lr=0.1)
_GPT = GPT("gpt", 4, 64, 4, 64, 8, 97, "AdamW", {"numpy": 1.12, "torch": 0.95}, lr=1e-3)
_CNN = ConvNet("cnn", 8, (1, 8, 16), 3, (1, 1), "max", (), 64, "SGD", {"numpy": 1.18, "torch": 1.2}, lr=0.1)
_LENET = ConvNet("lenet", 28, (1, 6, 16), 5, (2, 0), "max", (120, 84), 64, "SGD", {"numpy": 1.10, "torch": 1.5}, lr=0.1)
_ADAM = changed(_SMALL, name="mlp-adam", optimizer="Adam", goals={"numpy": 1.20, "torch": 0.50}, lr=1e-3)

_GOAL = (_SCALAR, _CHAIN, _LONG_ROWS, _SMALL, _ADAM, _LARGE, _GPT, _CNN, _LENET)
_ODD = (
    changed(_SCALAR, widths=(2, 9, 13, 5, 1), points=63),
    changed(_CHAIN, length=7_000, size=7),
    changed(_LONG_ROWS, length=3_000, size=333),
    changed(_SMALL, widths=(37, 51, 29, 45, 33, 7), batch=49),
    changed(_ADAM, widths=(37, 51, 29, 45, 33, 7), batch=49),
    changed(_LARGE, widths=(500, 333, 101, 17), batch=77),
    changed(_GPT, layers=3, width=60, heads=5, context=45, batch=5, vocabulary=61),
    changed(_CNN, size=11, channels=(3, 7, 13), pool="avg", batch=33),
    changed(_LENET, size=25, channels=(3, 5, 11), hidden=(61,), batch=21),
)

VARIANTS: dict[str, tuple[Workload, ...]] = {
    "goal": _GOAL,
    "odd": _ODD,
    "single": (changed(_SCALAR, points=1), *(changed(each, batch=1) for each in _GOAL if hasattr(each, "batch"))),
}


def workload_named(name: str, variant: str) -> Workload:
    """The workload of that name."""
    return next(each for each in VARIANTS[variant] if each.name == name)
