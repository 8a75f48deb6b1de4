"""Callbacks of `fit`, and the hooks of a step: who follows a training is told of everything and changes nothing."""

import math

import numpy as np
import pytest

import minitorch
from minitorch import Tensor, nn, optim
from minitorch.data import DataLoader, TensorDataset, spirals
from minitorch.train import Callback, fit

LOSS = nn.CrossEntropyLoss()


class Diary(Callback):
    """Writes down what it is told."""

    def __init__(self):
        self.told = []

    def begin(self, model, optimizer):
        self.told.append(("begin", type(model).__name__, type(optimizer).__name__))

    def loss(self, loss):
        self.told.append(("loss", float(loss), loss._node is not None))

    def evaluated(self, record):
        self.told.append(("evaluated", record["step"]))

    def end(self):
        self.told.append(("end",))


def trained(lr=0.1, **options):
    minitorch.manual_seed(4)
    model = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 3))
    loader = DataLoader(TensorDataset(*spirals(24, seed=1)), batch_size=8)
    optimizer = optim.SGD(model.parameters(), lr=lr)
    return model, fit(model, loader, optimizer, LOSS, progress=False, **options)


def test_it_is_told_of_the_beginning_every_loss_every_evaluation_and_the_end():
    diary = Diary()
    _, history = trained(epochs=2, callbacks=[diary])
    steps = [("loss", loss, True) for loss in history.losses]
    half = len(steps) // 2
    assert diary.told == [
        ("begin", "Sequential", "SGD"),
        *steps[:half],
        ("evaluated", half),
        *steps[half:],
        ("evaluated", 2 * half),
        ("end",),
    ]


def test_a_training_gives_the_same_numbers_with_it():
    plain, followed = trained(steps=5), trained(steps=5, callbacks=[Diary(), Diary()])
    assert plain[1].losses == followed[1].losses
    np.testing.assert_array_equal(plain[0][0].weight.data, followed[0][0].weight.data)


def test_a_loss_that_is_no_number_is_told_before_fit_gives_up_and_then_the_end():
    diary = Diary()
    with pytest.raises(FloatingPointError, match="the loss is nan"), np.errstate(all="ignore"):
        trained(lr=1e38, steps=9, callbacks=[diary])
    assert diary.told[-1] == ("end",)
    assert math.isnan(diary.told[-2][1])


def test_all_are_told_of_the_end_though_one_fails():
    class Broken(Diary):
        def begin(self, model, optimizer):
            raise OSError("no room")

    first = Diary()
    with pytest.raises(OSError, match="no room"):
        trained(steps=2, callbacks=[first, Broken()])
    assert [each[0] for each in first.told] == ["begin", "end"]


@pytest.mark.parametrize(("wrong", "message"), [(Diary, "the class Diary: call it"), (print, "builtin_function")])
def test_what_is_no_callback_is_refused_before_anything_is_trained(wrong, message):
    with pytest.raises(TypeError, match=f"methods begin, loss, evaluated, end, and one of callbacks is .*{message}"):
        trained(steps=1, callbacks=[wrong])


@pytest.mark.parametrize("kind", [optim.SGD, optim.Adam, optim.RMSprop, optim.Adagrad])
def test_hooks_of_a_step_see_the_numbers_before_and_after_it(kind):
    weight = Tensor([1.0, 2.0], requires_grad=True)
    optimizer = kind([weight], lr=0.1)
    seen = []

    def note(optimizer, args, kwargs):
        seen.append((type(optimizer), weight.data.tolist(), weight.grad.tolist()))

    handles = [optimizer.register_step_pre_hook(note), optimizer.register_step_post_hook(note)]
    (weight * weight).sum().backward()
    optimizer.step()
    assert [each[0] for each in seen] == [kind, kind]
    assert seen[0][1:] == ([1.0, 2.0], [2.0, 4.0])
    assert seen[1][1:] == (weight.data.tolist(), [2.0, 4.0])
    assert seen[1][1] != seen[0][1]
    for handle in handles:
        handle.remove()
    optimizer.step()
    assert len(seen) == 2
