"""fit and the loader where the arrays are not NumPy's: the same numbers, moved only where that is said."""

import sys

import fake_cupy
import pytest

import minitorch
from minitorch import nn, optim
from minitorch.data import DataLoader, TensorDataset, blobs
from minitorch.train import accuracy, evaluate, fit


@pytest.fixture(autouse=True)
def gpu(monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", fake_cupy)
    fake_cupy.transfers.clear()
    yield
    fake_cupy.transfers.clear()


def trained(device, data_device, checkpoint=None, epochs=2):
    minitorch.manual_seed(3)
    model = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 3)).to(device)
    optimizer = optim.AdamW(model.parameters(), lr=0.05)
    data = TensorDataset(*(each.to(data_device) for each in blobs(30, seed=1)))
    loader = DataLoader(data, batch_size=8, shuffle=True, generator=1)
    held_out = DataLoader(data, batch_size=30)
    return model, fit(
        model,
        loader,
        optimizer,
        nn.CrossEntropyLoss(),
        epochs,
        valid=held_out,
        metrics={"accuracy": accuracy},
        checkpoint=checkpoint,
        clip_grad_norm=1.0,
        progress=False,
    )


@pytest.mark.parametrize("data_device", ["cpu", "cuda"])
def test_the_gpu_trains_as_the_cpu_does(data_device):
    model, history = trained("cuda", data_device)
    assert all(type(each.data) is fake_cupy.ndarray for each in model.parameters())
    assert history.losses == pytest.approx(trained("cpu", "cpu")[1].losses, rel=1e-6)


def test_an_interrupted_training_goes_on_on_the_gpu(tmp_path):
    _, expected = trained("cuda", "cuda", epochs=3)
    trained("cuda", "cuda", tmp_path / "run.npz", epochs=1)
    model, history = trained("cuda", "cuda", tmp_path / "run.npz", epochs=3)
    assert history.losses == expected.losses
    assert all(type(each.data) is fake_cupy.ndarray for each in model.parameters())


def test_a_checkpoint_of_the_gpu_goes_on_on_the_cpu(tmp_path):
    trained("cuda", "cuda", tmp_path / "run.npz", epochs=1)
    _, history = trained("cpu", "cpu", tmp_path / "run.npz", epochs=2)
    assert len(history.losses) == 8


def test_samples_of_the_gpu_are_collated_there():
    X, y = (each.to("cuda") for each in blobs(6, classes=2))
    [[inputs, targets]] = DataLoader([(X[number], y[number]) for number in range(6)], batch_size=6)
    assert type(inputs.data) is type(targets.data) is fake_cupy.ndarray
    assert evaluate(lambda x: x, [(inputs, targets)], nn.CrossEntropyLoss())["loss"] > 0
