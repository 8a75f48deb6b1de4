"""fit: the loop that the lessons write by hand, with all that a long training needs around it."""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np

from minitorch.autograd.scope import current_scope
from minitorch.data._generator import generator_state, restore_generator
from minitorch.nn.utils import clip_grad_norm_
from minitorch.ops.random import manual_seed
from minitorch.optim import Optimizer
from minitorch.optim.lr_scheduler import LRScheduler, ReduceLROnPlateau
from minitorch.replay import capture as captured_step
from minitorch.serialization import load, save
from minitorch.train._checks import require_callbacks, require_counts, require_loss, require_parts
from minitorch.train._progress import progress_bar
from minitorch.train.callbacks import Callback
from minitorch.train.evaluation import Metric, evaluate, predict
from minitorch.train.history import History

__all__ = ["fit"]

OWN = ("epoch", "batch", "best", "best_weights", "stale")  # what a checkpoint holds of a Training itself


def fit(
    model: Callable[..., Any],
    loader: Iterable[Any],
    optimizer: Optimizer,
    loss_fn: Metric,
    epochs: int | None = None,
    *,
    steps: int | None = None,
    scheduler: LRScheduler | None = None,
    scheduler_every: Literal["step", "epoch"] = "step",
    valid: Iterable[Any] | None = None,
    metrics: Mapping[str, Metric] | None = None,
    evaluate_every: int | None = None,
    clip_grad_norm: float | None = None,
    patience: int | None = None,
    keep_best: bool = False,
    checkpoint: str | Path | None = None,
    checkpoint_every: int | None = None,
    resume: bool = True,
    progress: bool = True,
    seed: int | None = None,
    callbacks: Iterable[Callback] = (),
    capture: bool = False,
) -> History:
    """Trains `model` on the batches (input, …, target) of `loader` and returns what happened.

    One step is

        loss = loss_fn(model(input, …), target)
        optimizer.zero_grad(); loss.backward(); clip_grad_norm_(…); optimizer.step(); scheduler.step()

    epochs or steps: how long, interrupted runs included. scheduler: stepped after every step or every epoch;
    ReduceLROnPlateau after every evaluation. valid: batches to evaluate on with `loss_fn` and `metrics` (name to
    function of output and target) at the end of every epoch, or every `evaluate_every` steps, and at the end.
    clip_grad_norm: the longest gradient. patience: stop after so many evaluations in a row without a smaller loss (on
    `valid`, else in training). keep_best: end with the weights of the smallest such loss.

    checkpoint: a file that is written after every evaluation, or every `checkpoint_every` steps. If it is there and
    resume is True, training goes on from it and gives the very numbers that it would have given uninterrupted:
    weights, optimizer, scheduler, random numbers, the place in the data and the history are restored. A process may be
    killed at any moment, while writing too. seed: starts the common generator, for dropout and shuffling. callbacks:
    those who are told of every step, as `viz.live()` is, which draws it. capture: the step is traced once and replayed,
    by the contract of `minitorch.capture`, which is quicker for small models and gives the same bits; callbacks would
    find no graph then, and a loss that is no longer a number is noticed after the step instead of before it.

    Raises ValueError for options that contradict each other, an optimizer of another model and a checkpoint of another
    training, TypeError for parts of the wrong kind, FloatingPointError when the loss is no longer a number.

    >>> from minitorch import nn, optim
    >>> from minitorch.data import DataLoader, TensorDataset
    >>> x = np.linspace(-1, 1, 32, dtype=np.float32)[:, None]
    >>> loader = DataLoader(TensorDataset(x, 3 * x + 1), batch_size=8, shuffle=True, generator=0)
    >>> model = nn.Linear(1, 1)
    >>> history = fit(model, loader, optim.SGD(model.parameters(), lr=0.3), nn.MSELoss(), epochs=20, progress=False)
    >>> model.weight.data.round(2), model.bias.data.round(2)
    (array([[3.]], dtype=float32), array([1.], dtype=float32))
    """
    if (epochs is None) == (steps is None):
        raise ValueError("fit: say how long to train: either epochs=… or steps=…")
    if scheduler_every not in ("step", "epoch"):
        raise ValueError(f"fit: scheduler_every must be 'step' or 'epoch', not {scheduler_every!r}")
    if checkpoint is not None and not hasattr(loader, "state_dict"):
        raise TypeError(
            f"fit: a {type(loader).__name__} cannot say where it stands, which a checkpoint must know: use a DataLoader"
        )
    require_parts(model, loader, optimizer, loss_fn, scheduler)
    callbacks = tuple(callbacks)
    require_callbacks(callbacks)
    if capture and callbacks:
        raise ValueError("fit: callbacks look at a graph, which a captured step does not build: leave one out")
    require_counts(0, epochs=epochs, steps=steps)
    require_counts(1, evaluate_every=evaluate_every, patience=patience, checkpoint_every=checkpoint_every)
    if seed is not None:
        manual_seed(seed)
    training = Training(
        model, loader, optimizer, loss_fn, epochs, steps, scheduler, scheduler_every, valid, metrics, evaluate_every,
        clip_grad_norm, patience, keep_best, None if checkpoint is None else Path(checkpoint), checkpoint_every,
        callbacks,
    )  # fmt: skip
    if capture:
        training.captured = True
        training.change = captured_step(training.change, training.model, optimizer)
    if resume:
        training.resume()
    training.run(progress)
    return training.history


@dataclass(eq=False)
class Training:
    """What `fit` was asked for, and how far it has come. Everything that decides the next number is in `state`."""

    model: Any
    loader: Any
    optimizer: Any
    loss_fn: Callable[[Any, Any], Any]
    epochs: int | None
    steps: int | None
    scheduler: Any
    scheduler_every: str
    valid: Any
    metrics: Mapping[str, Metric] | None
    evaluate_every: int | None
    clip_grad_norm: float | None
    patience: int | None
    keep_best: bool
    path: Path | None
    checkpoint_every: int | None
    callbacks: tuple[Callback, ...] = ()

    history: History = field(default_factory=History)
    epoch: int = 0  # how many are finished
    batch: int = 0  # how many batches of the next one are done
    best: float = math.inf
    best_weights: Any = None
    stale: int = 0  # evaluations since the best
    before: float = 0.0  # seconds of earlier runs
    started: float = field(default_factory=time.perf_counter)
    bar: Any = None
    captured: bool = False
    change: Any = None  # one change of the parameters, with the batch that it is given: `changed`, or it captured

    def __post_init__(self) -> None:
        self.change = self.changed

    # -- the loop ------------------------------------------------------------------------------------------------------

    def run(self, progress: bool) -> None:
        """Trains until it is done, then evaluates and writes once more."""
        if not self.step:
            self.save()  # a path that cannot be written to is to be found out now, not after an hour
        self.bar = progress_bar(progress, self._total(), self.step)
        with ExitStack() as at_the_end:
            at_the_end.callback(self._close)
            for each in self.callbacks:
                each.begin(self.model, self.optimizer)
                at_the_end.callback(each.end)
            while not self.done():
                self.pass_over_data()
            if self.step and (not self.history.records or self.history.records[-1]["step"] != self.step):
                self.evaluate()
            self.save()
        if self.keep_best and self.best_weights is not None:
            self.model.load_state_dict(self.best_weights)

    @property
    def step(self) -> int:
        """How many steps were made."""
        return len(self.history.losses)

    def done(self) -> bool:
        """As many steps or epochs as wanted, or patience came to an end."""
        if self.history.stopped_early:
            return True
        return self.step >= self.steps if self.steps is not None else self.epoch >= (self.epochs or 0)

    def pass_over_data(self) -> None:
        """The batches of an epoch, or what is left of it; fewer if training is done before."""
        self.model.train()
        for batch in self.loader:
            self.learn(batch)
            self.batch += 1
            if _is_due(self.step, self.evaluate_every):
                self.evaluate()
            if self.done() and self.batch != _length(self.loader):  # after the last batch the epoch is to be counted
                return
            if _is_due(self.step, self.checkpoint_every or self.evaluate_every):
                self.save()
        if not self.batch:
            raise ValueError("fit: the loader gave no batch: is its dataset empty, or smaller than a batch?")
        self.epoch, self.batch = self.epoch + 1, 0
        self._schedule("epoch")
        if not self.evaluate_every:
            self.evaluate()
        if not self.checkpoint_every and not self.evaluate_every:
            self.save()

    def learn(self, batch: Any) -> None:
        """One step."""
        rate = float(self.optimizer.param_groups[0]["lr"])
        value = float(self.change(batch))
        self._require_finite(value)
        self.history.losses.append(value)
        self.history.rates.append(rate)
        self._schedule("step")
        self.bar.set_postfix_str(f"loss {value:.4f}{self._last_evaluation()}", refresh=False)
        self.bar.update()

    def changed(self, batch: Any) -> Any:
        """The loss on a batch, and the parameters changed for it."""
        output, target = predict(self.model, batch)
        loss = self.loss_fn(output, target)
        require_loss(loss)
        for each in self.callbacks:
            each.loss(loss)
        value = loss if self.captured else float(loss)  # a GPU waits for the number, so once only
        if not self.captured:
            self._require_finite(value)
        self.optimizer.zero_grad()
        loss.backward()
        if self.clip_grad_norm is not None:
            clip_grad_norm_(self.model.parameters(), self.clip_grad_norm)
        self.optimizer.step()
        return value

    def _require_finite(self, loss: float) -> None:
        if not math.isfinite(loss):
            raise FloatingPointError(
                f"fit: the loss is {loss} at step {self.step + 1}: lower the learning rate, clip the gradients, or "
                f"find the operation with minitorch.detect_anomaly()"
            )

    def evaluate(self) -> None:
        """One more record; then patience, and a scheduler that waits for a plateau."""
        records = self.history.records
        since = records[-1]["step"] if records else 0
        record: dict[str, Any] = {"epoch": self.epoch, "step": self.step, "loss": self.history.mean_loss_since(since)}
        if self.valid is not None:
            found = evaluate(self.model, self.valid, self.loss_fn, self.metrics)
            record |= {"valid_loss": found.pop("loss"), **found}
        records.append(record)
        for each in self.callbacks:
            each.evaluated(record)
        judged = record.get("valid_loss", record["loss"])
        self.stale = 0 if judged < self.best else self.stale + 1
        if judged < self.best:
            self.best = judged
            self.best_weights = copy.deepcopy(self.model.state_dict()) if self.keep_best else None
        if self.patience is not None and self.stale >= self.patience:
            self.history.stopped_early = True
        if isinstance(self.scheduler, ReduceLROnPlateau):
            self.scheduler.step(judged)

    def _schedule(self, now: str) -> None:
        """A step of the scheduler, if now is its time."""
        plateau = isinstance(self.scheduler, ReduceLROnPlateau)
        if self.scheduler is not None and self.scheduler_every == now and not plateau:
            self.scheduler.step()

    def _total(self) -> int | None:
        length = _length(self.loader)
        return self.steps if self.steps is not None else length and length * (self.epochs or 0)

    def _last_evaluation(self) -> str:
        shown = self.history.records[-1].items() if self.history.records else ()
        return "".join(f", {name} {value:.4f}" for name, value in shown if name not in ("epoch", "step", "loss"))

    def _close(self) -> None:
        """What is due however training ends."""
        self._note_time()
        self.bar.close()

    def _note_time(self) -> None:
        self.history.seconds = self.before + time.perf_counter() - self.started

    # -- interruption --------------------------------------------------------------------------------------------------

    def save(self) -> None:
        """Writes the checkpoint, if there is to be one."""
        if self.path is None:
            return
        self._note_time()
        save(self.state(), self.path)

    def state(self) -> dict[str, Any]:
        """All that decides how training goes on."""
        parts = {name: part.state_dict() for name, part in self._parts().items()}
        own = {name: getattr(self, name) for name in OWN}
        random = generator_state(current_scope().random.generator)
        curves = {"losses": np.array(self.history.losses), "rates": np.array(self.history.rates)}  # compact in a file
        return {"parts": parts, "own": own, "random": random, "history": vars(self.history) | curves}

    def resume(self) -> None:
        """Goes on from the checkpoint, if there is one. Raises ValueError for one of another training."""
        if self.path is None or not self.path.exists():
            return
        state = load(self.path)
        try:
            for name, part in self._parts().items():
                part.load_state_dict(state["parts"][name])
            for name in OWN:
                setattr(self, name, state["own"][name])
            restore_generator(current_scope().random.generator, state["random"])
            self.history = History(**state["history"])
            self.history.losses = state["history"]["losses"].tolist()
            self.history.rates = state["history"]["rates"].tolist()
        except (KeyError, RuntimeError, TypeError, ValueError, AttributeError) as error:
            raise ValueError(
                f"fit: the checkpoint {self.path} is of another training: {error}. "
                f"Give another path, or pass resume=False to start anew and overwrite it"
            ) from error
        self.before = self.history.seconds

    def _parts(self) -> dict[str, Any]:
        parts = {"model": self.model, "optimizer": self.optimizer, "scheduler": self.scheduler}
        parts |= {"loader": self.loader, "valid": self.valid}
        return {name: part for name, part in parts.items() if hasattr(part, "state_dict")}


def _is_due(step: int, every: int | None) -> bool:
    return step % every == 0 if every else False


def _length(loader: Any) -> int | None:
    """How many batches an epoch has, where that is known beforehand."""
    try:
        return len(loader)
    except TypeError:
        return None
