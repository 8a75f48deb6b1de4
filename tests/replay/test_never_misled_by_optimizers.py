"""What made a replay do something else than its step: hooks and optimisers that do more than move numbers.

And what a step that is refused had changed by then, and other threads that draw random numbers.
"""

from __future__ import annotations

from contextlib import nullcontext

import numpy as np
import pytest

import minitorch
from minitorch import Tensor, nn, optim
from minitorch.nn import functional
from minitorch.optim.lr_scheduler import LambdaLR
from minitorch.replay import capture
from minitorch.replay.state import State

CALLS = 12


def by_descent(parameters):
    return optim.SGD(parameters, lr=0.1)


def squares(model, x):
    return (model(x) ** 2).mean()


class Training:
    """A net of one layer and its step, as it stands or captured."""

    def __init__(self, wrap, make=by_descent, around=lambda: None, score=squares, rate=None) -> None:
        minitorch.manual_seed(0)
        self.model = nn.Linear(3, 4)
        self.optimizer = make(self.model.parameters())
        self.seen = []
        scheduler = None if rate is None else LambdaLR(self.optimizer, rate)

        def step(x):
            around()
            self.optimizer.zero_grad()
            loss = score(self.model, x)
            loss.backward()
            self.optimizer.step()
            if scheduler is not None:
                scheduler.step()
            return loss

        self.step = wrap(step, self.model, self.optimizer)

    def losses(self, calls=CALLS):
        return [self.step(minitorch.randn(4, 3)).detach().numpy().tobytes() for _ in range(calls)]

    def numbers(self):
        left = [each.data.tobytes() for each in self.model.parameters()]
        return left + [None if each.grad is None else each.grad.tobytes() for each in self.model.parameters()]


def plain(step, *_):
    return step


def clipping(training):
    def clip(optimizer, *_):
        nn.utils.clip_grad_norm_(training.model.parameters(), 0.1)

    training.optimizer.register_step_pre_hook(clip)


def counting(training):
    training.optimizer.register_step_post_hook(lambda *_: training.seen.append(1))


def an_average(training):
    average = minitorch.zeros(4, 3)
    training.optimizer.register_step_post_hook(
        lambda *_: average.mul_(0.5).add_(training.model.weight.detach(), alpha=0.5)
    )
    training.seen.append(average)


def a_gradient_that_is_kept(training):
    kept = []

    def keep(*_):
        training.seen.append(kept[-1].tobytes() if kept else b"")
        kept.append(training.model.weight.grad)

    training.optimizer.register_step_pre_hook(keep)


@pytest.mark.parametrize("hook", [clipping, counting, an_average, a_gradient_that_is_kept])
@pytest.mark.parametrize("later", [False, True])
def test_hooks_of_an_optimiser_run_once_a_step(hook, later):
    outcomes = []
    for wrap in (plain, capture):
        training = Training(wrap)
        losses = training.losses(6 if later else 0)
        hook(training)
        with pytest.warns(RuntimeWarning, match="its optimiser, SGD, has hooks") if wrap is capture else nullcontext():
            losses += training.losses()
        seen = [each.data.tobytes() if isinstance(each, Tensor) else each for each in training.seen]
        outcomes.append((losses, training.numbers(), seen))
    assert outcomes[0] == outcomes[1]


def test_when_the_hook_is_gone_the_step_is_captured():
    training = Training(capture)
    hook = training.optimizer.register_step_post_hook(lambda *_: training.seen.append(1))
    training.losses(3)
    assert not training.step.is_captured
    hook.remove()
    training.losses(4)
    assert training.step.is_captured
    assert len(training.seen) == 3


class Slower(optim.SGD):
    """Smaller steps from one to the next, and no gradients after it."""

    steps = 0

    def step(self, closure=None):
        """One step."""
        self.steps += 1
        for group in self.param_groups:
            group["lr"] = 0.1 / self.steps
        super().step(closure)
        self.zero_grad()


class Replacing(optim.Optimizer):
    """Puts new arrays into the parameters."""

    def __init__(self, parameters):
        super().__init__(parameters, {})

    def step(self, closure=None):
        """One step."""
        for each in self.param_groups[0]["params"]:
            each.data = each.data - 0.05 * each.grad


@pytest.mark.parametrize("kind", [Slower, Replacing])
def test_an_optimiser_of_ones_own_is_left_to_the_eager_step(kind):
    outcomes = []
    for wrap in (plain, capture):
        training = Training(wrap, make=kind)
        message = f"its optimiser is of a class of your own, {kind.__name__}, whose step may change anything"
        with pytest.warns(RuntimeWarning, match=message) if wrap is capture else nullcontext():
            outcomes.append((training.losses(), training.numbers(), vars(training.optimizer).get("steps")))
    assert outcomes[0] == outcomes[1]


class Counted:
    """A class with an attribute that counts."""

    calls = 0


def of_a_class():
    Counted.calls += 1


OTHER = nn.Linear(2, 2)


def of_requires_grad():
    OTHER.weight.requires_grad_(not OTHER.weight.requires_grad)


@pytest.mark.parametrize("change", [of_a_class, of_requires_grad])
def test_what_a_refused_step_has_changed_is_put_back(change):
    outcomes = []
    for wrap in (plain, capture):
        Counted.calls = 0
        OTHER.weight.requires_grad_(True)
        training = Training(wrap, around=change)
        with pytest.warns(RuntimeWarning, match=r"calls|requires_grad") if wrap is capture else nullcontext():
            outcomes.append((training.losses(5), training.numbers(), Counted.calls, OTHER.weight.requires_grad))
    assert outcomes[0] == outcomes[1]


def test_the_random_stream_of_others_goes_on_where_a_step_draws_nothing():
    minitorch.manual_seed(0)
    first, second = minitorch.rand(1).item(), minitorch.rand(1).item()
    minitorch.manual_seed(0)
    state = State({}, [])
    assert minitorch.rand(1).item() == first  # as a thread that prepares the next batch does meanwhile
    state.restore(draws=False)
    assert minitorch.rand(1).item() == second
    state.restore()
    assert minitorch.rand(1).item() == first


def a_branch_behind_a_draw(model, x):
    loss = (functional.dropout(model(x)) ** 2).mean()
    return loss if loss > 0 else -loss


def a_question_about_what_is_changed(model, x):
    model.weight.data *= 0.5
    return functional.max_pool1d(functional.dropout(model(x))[:, None], 2).pow(2).mean()


@pytest.mark.parametrize("score", [a_branch_behind_a_draw, a_question_about_what_is_changed])
def test_a_step_that_is_refused_has_drawn_once(score):
    outcomes = []
    for wrap in (plain, capture):
        training = Training(wrap, score=score)
        with pytest.warns(RuntimeWarning, match="not captured") if wrap is capture else nullcontext():
            outcomes.append((training.losses(6), training.numbers(), minitorch.rand(1).item()))
    assert outcomes[0] == outcomes[1]


def pooled(model, x):
    return functional.max_pool1d(functional.dropout(model(x))[:, None], 2).mean()


def test_a_replay_that_finds_another_answer_puts_the_random_stream_back():
    """A pool asks whether there is a nan behind numbers that are drawn."""
    outcomes = []
    for wrap in (plain, capture):
        training, found = Training(wrap, score=pooled), []
        for number in range(12):
            x = minitorch.ones(4, 3)
            if number in (7, 8, 10):
                x.data[2, 1] = np.nan
            found.append((str(training.step(x).item()), minitorch.rand(1).item()))
        outcomes.append(found)
    assert outcomes[0] == outcomes[1]
    assert training.step.is_captured


def counting_in_a_list(seen):
    return lambda epoch: seen.append(epoch) or 0.5**epoch


def counting_in_a_dict(seen):
    calls = {"n": 0}

    def rate(_):
        calls["n"] += 1
        seen[:] = [calls["n"]]
        return 0.5 ** calls["n"]

    return rate


def one_after_the_other(seen):
    rates = iter([0.9**number for number in range(100)])
    return lambda _: seen.append(1) or next(rates)


@pytest.mark.parametrize("make", [counting_in_a_list, counting_in_a_dict, one_after_the_other])
def test_functions_of_a_scheduler_run_once_a_step(make):
    outcomes = []
    for wrap in (plain, capture):
        seen = []
        training = Training(wrap, rate=make(seen))
        with pytest.warns(RuntimeWarning, match="not captured") if wrap is capture else nullcontext():
            outcomes.append((training.losses(8), training.numbers(), seen))
    assert outcomes[0] == outcomes[1]
