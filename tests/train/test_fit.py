"""fit: the plain loop and what is around it."""

import sys

import numpy as np
import pytest

import minitorch
import minitorch.serialization
import minitorch.train.loop
from minitorch import Tensor, nn, optim
from minitorch.data import DataLoader, TensorDataset, spirals
from minitorch.nn.utils import clip_grad_norm_
from minitorch.train import History, accuracy, evaluate, fit

LOSS = nn.CrossEntropyLoss()


def points(n=48):
    return TensorDataset(*spirals(n, seed=1))


def shuffled(prefetch=0):
    return DataLoader(points(), batch_size=8, shuffle=True, generator=2, prefetch=prefetch)


def network(dropout=0.0):
    minitorch.manual_seed(4)
    return nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Dropout(dropout), nn.Linear(16, 3))


def trained(model=None, loader=None, *, lr=0.05, **options):
    model = network() if model is None else model
    optimizer = optim.SGD(model.parameters(), lr=lr, momentum=0.9)
    loader = shuffled() if loader is None else loader
    return model, fit(model, loader, optimizer, LOSS, **{"progress": False, **options})


def weights(model):
    return [value.numpy().tobytes() for value in model.state_dict().values()]


def test_it_is_the_plain_loop():
    by_hand = network(dropout=0.2)
    optimizer = optim.SGD(by_hand.parameters(), lr=0.05, momentum=0.9)
    scheduler = optim.lr_scheduler.ExponentialLR(optimizer, 0.99)
    losses = []
    loader = shuffled()
    by_hand.train()
    for _ in range(3):
        for x, y in loader:
            loss = LOSS(by_hand(x), y)
            optimizer.zero_grad()
            loss.backward()
            clip_grad_norm_(by_hand.parameters(), 0.5)
            optimizer.step()
            scheduler.step()
            losses.append(loss.item())
    model = network(dropout=0.2)
    optimizer = optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    scheduler = optim.lr_scheduler.ExponentialLR(optimizer, 0.99)
    history = fit(model, shuffled(), optimizer, LOSS, epochs=3, scheduler=scheduler, clip_grad_norm=0.5, progress=False)
    assert history.losses == losses
    assert weights(model) == weights(by_hand)


def test_prefetch_changes_nothing():
    assert trained(epochs=2)[1].losses == trained(loader=shuffled(prefetch=2), epochs=2)[1].losses


def test_any_list_of_batches_will_do():
    x, y = points().tensors
    _, history = trained(loader=[(x, y)], epochs=2)
    assert len(history.losses) == 2


def test_an_epoch_of_unknown_length():
    order = iter([5, 3, 1, 0])
    _, history = trained(loader=DataLoader(points(), batch_size=3, sampler=order), epochs=1)
    assert len(history.losses) == 2


def test_several_inputs():
    class Sum(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.Linear(2, 3)

        def forward(self, a, b):
            return self.layer(a + b)

    x, y = points().tensors
    _, history = trained(Sum(), [(x, x, y)], steps=1)
    assert history.losses


def test_steps_may_end_within_an_epoch():
    _, history = trained(steps=8)
    assert (len(history.losses), history["epoch"], history["step"]) == (8, [1, 1], [6, 8])


def test_steps_that_end_with_an_epoch_count_it():
    _, history = trained(steps=12)
    assert history["epoch"] == [1, 2]


def test_records_hold_loss_and_metrics():
    held_out = DataLoader(points(), batch_size=20)
    model, history = trained(epochs=3, valid=held_out, metrics={"accuracy": accuracy})
    assert list(history.records[-1]) == ["epoch", "step", "loss", "valid_loss", "accuracy"]
    found = evaluate(model, held_out, LOSS, {"accuracy": accuracy})
    assert (history["valid_loss"][-1], history["accuracy"][-1]) == (found["loss"], found["accuracy"])
    assert history["loss"][0] == pytest.approx(np.mean(history.losses[:6]))


def test_evaluate_every_so_many_steps_and_at_the_end():
    _, history = trained(epochs=2, evaluate_every=5)
    assert history["step"] == [5, 10, 12]


def test_a_scheduler_may_step_every_epoch():
    model = network()
    optimizer = optim.SGD(model.parameters(), lr=1e-3)
    scheduler = optim.lr_scheduler.StepLR(optimizer, 1, gamma=0.5)
    history = fit(
        model, shuffled(), optimizer, LOSS, epochs=2, scheduler=scheduler, scheduler_every="epoch", progress=False
    )
    assert history.rates == [1e-3] * 6 + [5e-4] * 6


def test_a_scheduler_may_wait_for_a_plateau():
    model = network()
    optimizer = optim.SGD(model.parameters(), lr=1e-30)  # too small to change a weight: the loss stays where it is
    scheduler = optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=0, eps=0)
    x, y = points().tensors
    history = fit(model, [(x, y)], optimizer, LOSS, epochs=3, scheduler=scheduler, progress=False)
    assert history.rates == [1e-30, 1e-30, 5e-31]


# -- early stopping ----------------------------------------------------------------------------------------------------


def test_patience_ends_a_training_that_gets_no_better():
    x, y = points().tensors
    _, history = trained(loader=[(x, y)], lr=1e-30, epochs=50, patience=2)
    assert history.stopped_early
    assert len(history.records) == 3
    assert "stopped early" in repr(history)


def test_keep_best_ends_with_the_best_weights():
    held_out = DataLoader(points(), batch_size=48)
    model, history = trained(lr=1.5, epochs=6, valid=held_out, keep_best=True)
    assert evaluate(model, held_out, LOSS)["loss"] == min(history["valid_loss"]) < history["valid_loss"][-1]


# -- going on ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("common_generator", [False, True])
@pytest.mark.parametrize(("every", "fails_at"), [(None, 9), (1, 1), (1, 6), (1, 7), (4, 11)])
def test_an_interrupted_training_gives_the_same_numbers(tmp_path, every, fails_at, common_generator):
    def run(path, loss=LOSS):
        model = network(dropout=0.3)
        optimizer = optim.Adam(model.parameters(), lr=0.01)
        scheduler = optim.lr_scheduler.CosineAnnealingLR(optimizer, 18)
        loader = DataLoader(points(), batch_size=8, shuffle=True, generator=None if common_generator else 2)
        options = {"epochs": 3, "scheduler": scheduler, "valid": DataLoader(points(), batch_size=32)}
        options |= {"checkpoint": path, "checkpoint_every": every, "progress": False, "keep_best": True}
        return model, fit(model, loader, optimizer, loss, **options)

    calls = 0

    def failing(output, target):
        nonlocal calls
        calls += 1
        if calls == fails_at:
            raise KeyboardInterrupt
        return LOSS(output, target)

    whole, expected = run(tmp_path / "whole.npz")
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "broken.npz", failing)
    model, history = run(tmp_path / "broken.npz")
    assert history.losses == expected.losses
    assert history.records == expected.records
    assert weights(model) == weights(whole)


def test_a_longer_training_goes_on_from_a_finished_one(tmp_path):
    _, expected = trained(epochs=5)
    trained(epochs=2, checkpoint=tmp_path / "run.npz")
    _, history = trained(epochs=5, checkpoint=tmp_path / "run.npz")
    assert history.losses == expected.losses


def test_a_finished_training_is_restored_and_not_repeated(tmp_path):
    first, history = trained(epochs=2, checkpoint=tmp_path / "run.safetensors")
    again, same = trained(epochs=2, checkpoint=tmp_path / "run.safetensors")
    assert (same.losses, same.records) == (history.losses, history.records)
    assert weights(again) == weights(first)


def test_resume_may_be_switched_off(tmp_path):
    trained(epochs=1, checkpoint=tmp_path / "run.npz")
    _, history = trained(epochs=1, checkpoint=tmp_path / "run.npz", resume=False)
    assert len(history.losses) == 6


def test_the_seed_decides_all_random_numbers():
    def losses(seed):
        loader = DataLoader(points(), batch_size=8, shuffle=True)
        return trained(network(dropout=0.5), loader, epochs=1, seed=seed)[1].losses

    assert losses(1) == losses(1) != losses(2)


# -- what is refused ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"epochs": 1, "steps": 1}])
def test_how_long_must_be_said_once(options):
    with pytest.raises(ValueError, match=r"^fit: say how long to train"):
        trained(**options)


def other():
    return optim.SGD(nn.Linear(2, 3).parameters(), lr=0.1)


@pytest.mark.parametrize(
    ("changes", "kind", "message"),
    [
        ({"model": nn.Linear}, TypeError, r"model is the class Linear: call it, as in Linear\(…\)"),
        ({"loss_fn": nn.MSELoss}, TypeError, r"loss_fn is the class MSELoss: call it, as in MSELoss\(…\)"),
        ({"optimizer": optim.SGD}, TypeError, r"optimizer is the class SGD: call it"),
        (
            {"optimizer": LOSS},
            TypeError,
            r"optimizer is a CrossEntropyLoss: the order is fit\(model, loader, optimizer",
        ),
        (
            {"loader": points()},
            TypeError,
            "loader is a TensorDataset, which gives single samples: put it into a DataLo",
        ),
        ({"loader": 3}, TypeError, "loader is a int, which gives no batches: use a DataLoader"),
        ({"optimizer": other()}, ValueError, r"the SGD has no parameter of this Sequential: make it with model.parame"),
        ({"scheduler": optim.lr_scheduler.StepLR(other(), 3)}, ValueError, "the StepLR belongs to another optimizer"),
        ({"epochs": 1.5}, TypeError, "epochs must be an integer, not 1.5"),
        ({"epochs": -1}, ValueError, "epochs must be at least 0, not -1"),
        ({"evaluate_every": 0}, ValueError, "evaluate_every must be at least 1, not 0"),
        ({"patience": 0}, ValueError, "patience must be at least 1, not 0"),
        ({"loss_fn": lambda output, target: 3.0}, TypeError, "loss_fn returned a float, which has no gradient"),
        ({"loss_fn": nn.CrossEntropyLoss(reduction="none")}, ValueError, r"loss_fn returned shape \(8,\), but a loss"),
    ],
)
def test_parts_that_do_not_fit_are_refused(changes, kind, message):
    model = network()
    parts = {"model": model, "loader": shuffled(), "optimizer": optim.SGD(model.parameters(), lr=0.1), "loss_fn": LOSS}
    with pytest.raises(kind, match=f"^fit: {message}"):
        fit(**{**parts, "epochs": 1, "progress": False, **changes})


def test_a_checkpoint_of_another_training_is_refused(tmp_path):
    path = tmp_path / "run.npz"
    trained(epochs=1, checkpoint=path)
    with pytest.raises(ValueError, match=r"(?s)^fit: the checkpoint .*run\.npz is of another training: .*resume=False"):
        trained(nn.Linear(2, 3), epochs=1, checkpoint=path)
    with pytest.raises(
        ValueError, match="is of another training: DataLoader: the state is of a loader with batch_size"
    ):
        trained(loader=DataLoader(points(), batch_size=4), epochs=1, checkpoint=path)
    minitorch.serialization.save({"weight": Tensor([1.0])}, path)
    with pytest.raises(ValueError, match="is of another training"):
        trained(epochs=1, checkpoint=path)


def test_a_path_that_cannot_be_written_to_is_found_out_before_the_first_step(tmp_path):
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        trained(loader=shuffled(), epochs=1, checkpoint=tmp_path / "missing" / "run.npz")
    with pytest.raises(ValueError, match=r"run\.txt has to end in"):
        trained(epochs=1, checkpoint=tmp_path / "run.txt")


def test_a_truncated_checkpoint_is_refused(tmp_path):
    path = tmp_path / "run.npz"
    trained(epochs=1, checkpoint=path)
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(minitorch.serialization.UnreadableFileError, match=r"run\.npz cannot be read"):
        trained(epochs=1, checkpoint=path)


def test_a_loader_that_cannot_say_where_it_stands_is_refused_with_a_checkpoint(tmp_path):
    with pytest.raises(TypeError, match=r"^fit: a list cannot say where it stands"):
        trained(loader=[(1, 2)], epochs=1, checkpoint=tmp_path / "run.npz")


def test_a_loss_that_is_no_number_ends_the_training():
    with pytest.raises(FloatingPointError, match=r"^fit: the loss is nan at step 1: lower the learning rate"):
        trained(loader=[(Tensor([[float("nan")] * 2]), Tensor([0]))], epochs=1)


def test_an_empty_loader_is_refused():
    with pytest.raises(ValueError, match=r"^fit: the loader gave no batch"):
        trained(loader=[], epochs=1)
    with pytest.raises(ValueError, match=r"^evaluate: the loader gave no batch"):
        evaluate(network(), [], LOSS)


def test_a_batch_without_a_target_is_refused():
    with pytest.raises(TypeError, match=r"need batches \(input, …, target\), not Tensor"):
        trained(loader=[Tensor([1.0])], epochs=1)


# -- what is seen ------------------------------------------------------------------------------------------------------


def test_the_progress_bar_counts_steps(capsys):
    pytest.importorskip("tqdm", reason="tqdm is not installed")
    trained(epochs=2, progress=True)
    assert "12/12" in capsys.readouterr().err


def test_missing_tqdm_is_said_once_and_trains(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "tqdm", None)
    monkeypatch.delitem(sys.modules, "tqdm.auto", raising=False)
    _, history = trained(epochs=1, progress=True)
    assert capsys.readouterr().err == 'No progress bar: tqdm is not installed. pip install "minitorch-course[train]"\n'
    assert history.losses


def test_evaluate_counts_samples_and_leaves_the_mode_alone():
    model = network(dropout=0.5)
    whole = evaluate(model, DataLoader(points(), batch_size=48), LOSS)["loss"]
    parts = evaluate(model, DataLoader(points(), batch_size=20), LOSS)["loss"]
    assert parts == pytest.approx(whole, rel=1e-6)
    assert model.training
    model.eval()
    evaluate(model, DataLoader(points(), batch_size=48), LOSS)
    assert not model.training


def test_a_long_history_is_shown_shortly():
    records = [{"epoch": number, "step": 10 * number, "loss": 1.0} for number in range(1, 41)]
    lines = repr(History([1.0] * 400, [0.1] * 400, records, 2.0)).splitlines()
    assert lines[0] == "History: 400 steps, 40 epochs, 2.0 s"
    assert len(lines) == 14
    assert lines[-1].split() == ["40", "400", "1.0000"]
    with pytest.raises(KeyError, match="no column 'accuracy': there are epoch, step, loss"):
        History([], [], records)["accuracy"]


@pytest.mark.parametrize(
    ("options", "written"),
    [
        ({}, [0, 6, 12, 12]),
        ({"evaluate_every": 5}, [0, 5, 10, 12]),
        ({"checkpoint_every": 4}, [0, 4, 8, 12, 12]),
        ({"checkpoint_every": 4, "evaluate_every": 5}, [0, 4, 8, 12, 12]),
    ],
)
def test_a_checkpoint_is_written_before_the_first_step_when_it_is_due_and_at_the_end(
    tmp_path, monkeypatch, options, written
):
    steps = []
    monkeypatch.setattr(minitorch.train.loop, "save", lambda state, path: steps.append(len(state["history"]["losses"])))
    trained(epochs=2, checkpoint=tmp_path / "run.npz", **options)
    assert steps == written
