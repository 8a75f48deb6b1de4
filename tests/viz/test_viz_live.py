"""`viz.live`: what the board says of a training is what happened in it, and nothing of it is held or changed."""

import gc
import math
import re
import subprocess
import sys
import weakref
import xml.etree.ElementTree as ET
from itertools import pairwise

import numpy as np
import pytest
from viz_forms import has_every_form

import minitorch as mt
from minitorch import Tensor, nn, optim, viz
from minitorch.data import DataLoader, TensorDataset, spirals
from minitorch.train import fit
from minitorch.viz.drawing import board as drawing
from minitorch.viz.facts.training import MOST_COLUMNS, Losses, Thinned, Training, square

POINTS, CLASSES = (np.asarray(each) for each in spirals(30, seed=1))
LOSS = nn.CrossEntropyLoss()


def network(*widths, seed=3):
    mt.manual_seed(seed)
    layers = [nn.Linear(a, b) for a, b in pairwise(widths)]
    return nn.Sequential(*[part for layer in layers for part in (layer, nn.ReLU())][:-1])


def step(model, optimizer, loss=LOSS):
    value = loss(model(Tensor(POINTS)), Tensor(CLASSES))
    optimizer.zero_grad()
    value.backward()
    optimizer.step()
    return value


def trained(steps=25, lr=0.1, **options):
    model = network(2, 8, 3)
    optimizer = optim.SGD(model.parameters(), lr=lr, momentum=0.9)
    losses = []
    with viz.live(model, optimizer, **options) as board, np.errstate(all="ignore"):
        for _ in range(steps):
            losses.append(float(step(model, optimizer)))
            board.loss(losses[-1])
    return board, model, losses


def test_it_has_every_form(tmp_path):
    has_every_form(lambda: trained()[0], tmp_path)


def test_nothing_of_the_training_is_changed():
    _, followed, losses = trained(boundary=(POINTS, CLASSES), every=1)
    plain = network(2, 8, 3)
    optimizer = optim.SGD(plain.parameters(), lr=0.1, momentum=0.9)
    assert [float(step(plain, optimizer)) for _ in range(25)] == losses
    for mine, theirs in zip(followed.parameters(), plain.parameters(), strict=True):
        np.testing.assert_array_equal(mine.data, theirs.data)
    assert optimizer._before_step == {}


def test_losses_norms_and_ratios_are_those_of_the_training():
    model = network(2, 8, 3)
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    grads, ratios = [], []
    with viz.live(model, optimizer, every=1) as board:
        for _ in range(5):
            before = [each.data.copy() for each in model.parameters()]
            board.loss(step(model, optimizer))
            grads.append([np.linalg.norm(each.grad) for each in model.parameters()])
            pairs = zip(model.parameters(), before, strict=True)
            ratios.append([np.linalg.norm(now.data - then) / np.linalg.norm(then) for now, then in pairs])
    facts = board.facts
    assert facts.names == ("0.weight", "0.bias", "2.weight", "2.bias")
    np.testing.assert_allclose(np.sqrt(facts.squares.columns()), grads, rtol=1e-5)
    np.testing.assert_allclose(np.sqrt(facts.moves.columns() / facts.weights.columns()), ratios, rtol=1e-4)
    assert facts.last_ratios == pytest.approx(ratios[-1], rel=1e-4)
    assert f"0.weight {np.linalg.norm(model[0].weight.grad):15.3g}".split()[1] in board.text()


def test_updates_are_measured_in_one_step_of_so_many_and_gradients_in_each():
    board, _, losses = trained(steps=25, every=10)
    facts = board.facts
    assert (len(facts.squares.columns()), len(facts.moves.columns()), facts.steps) == (25, 3, 25)
    np.testing.assert_array_equal(facts.losses.columns()[:, 0], losses)


def test_a_unit_is_dead_that_gives_0_for_a_whole_batch():
    model = network(2, 8, 8, 3)
    model[0].bias.data[:3] = -100.0
    model[2].bias.data[5] = -100.0
    optimizer = optim.SGD(model.parameters(), lr=0.0)
    with viz.live(model, optimizer) as board:
        board.loss(step(model, optimizer))
        with mt.no_grad():
            model(Tensor(POINTS))  # is not part of the training
    hidden = np.maximum(POINTS @ model[0].weight.data.T + model[0].bias.data, 0)
    assert board.facts.units == (8, 8)
    assert board.facts.dead[0] == int((hidden == 0).all(axis=0).sum()) >= 3
    assert f"relu 1: {board.facts.dead[0]} of 8 units let no gradient through for a whole batch." in board.text()


def test_relu_is_seen_however_it_is_called_and_channels_are_units_of_images():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv = nn.Conv2d(1, 4, 3)

        def forward(self, x):
            return nn.functional.relu(self.conv(x)).mean(dim=(2, 3)).relu()

    model = Net()
    model.conv.bias.data[:] = [-100, 1, 1, 1]
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    with viz.live(model, optimizer) as board:
        model(Tensor(np.ones((2, 1, 5, 5), np.float32))).sum().backward()
        optimizer.step()
    assert (board.facts.units, board.facts.dead) == ((4, 4), (1, 1))
    with viz.live(model, optimizer, dead_units=False) as board:
        model(Tensor(np.ones((2, 1, 5, 5), np.float32))).sum().backward()
        optimizer.step()
    assert board.facts.units == ()


FLAT = {  # what is done to x: what it is called, and which of the columns -9, -1, 0.5, 2, 9 let no gradient through
    "relu6": (nn.functional.relu6, "relu6", [1, 1, 0, 0, 1]),
    "hardtanh": (nn.functional.hardtanh, "hardtanh", [1, 1, 0, 1, 1]),
    "hardsigmoid": (nn.functional.hardsigmoid, "hardsigmoid", [1, 0, 0, 0, 1]),
    "hardswish": (nn.functional.hardswish, "hardswish", [1, 0, 0, 0, 0]),
    "maximum": (lambda x: mt.maximum(x, 0), "max(x, 0)", [1, 1, 0, 0, 0]),
    "clamp": (lambda x: x.clamp(min=0), "max(x, 0)", [1, 1, 0, 0, 0]),
    "no slope below 0": (lambda x: nn.functional.leaky_relu(x, 0.0), "leaky_relu", [1, 1, 0, 0, 0]),
    "leaky": (nn.functional.leaky_relu, "", []),
    "elu": (nn.functional.elu, "", []),
}


@pytest.mark.parametrize("name", FLAT)
def test_units_on_a_flat_side_are_dead_and_those_of_operations_without_one_never(name):
    act, called, dead = FLAT[name]
    x = Tensor(np.array([[-9.0, -1, 0.5, 2, 9]] * 4), requires_grad=True)
    optimizer = optim.SGD([x], lr=0.0)
    with viz.live({"x": x}, optimizer) as board:
        act(x).sum().backward()
        optimizer.step()
    assert (x.grad == 0).all(axis=0).tolist() == [bool(each) for each in dead or [0] * 5]  # the engine agrees
    assert board.facts.dead == ((sum(dead),) if dead else ())
    assert board.facts.kinds == ((called,) if dead else ())
    if dead:
        assert f"{called} 1: {sum(dead)} of 5 units let no gradient through for a whole batch." in board.text()
        assert "dead units: for a whole batch, no gradient goes through" in board.svg()


@pytest.mark.parametrize("act", [lambda x: x.clamp(min=1e-6), lambda x: mt.maximum(x, x * 0), lambda x: x.clamp(max=3)])
def test_what_keeps_numbers_apart_is_no_activation(act):
    x = Tensor(np.array([[-9.0, 2]]), requires_grad=True)
    with viz.live({"x": x}, optim.SGD([x], lr=0.0)) as board:
        loss = act(x).sum()
        loss.backward()
        board.loss(loss)
    assert board.facts.units == ()


def test_an_optimizer_with_a_step_of_its_own_is_followed():
    class Mine(optim.Optimizer):
        def step(self, closure=None):
            with mt.no_grad():
                for group in self.param_groups:
                    for param in group["params"]:
                        param.data -= 0.5 * param.grad

    w = Tensor([3.0, 4.0], requires_grad=True)
    optimizer = Mine([w], {})
    with viz.live({"w": w}, optimizer, every=1) as board:
        for _ in range(3):
            optimizer.zero_grad()
            loss = (w * w).sum() / 2
            loss.backward()
            optimizer.step()
            board.loss(loss)
    assert board.facts.steps == 3
    np.testing.assert_allclose(np.sqrt(board.facts.squares.columns()[:, 0]), [5, 2.5, 1.25])
    assert board.facts.last_ratios == (0.5,)


def test_a_training_that_is_over_is_not_held():
    model = network(2, 8, 3)
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    with viz.live(model, optimizer, boundary=(POINTS, CLASSES)) as board:
        loss = step(model, optimizer)
        board.loss(loss)
        hidden = weakref.ref(loss)
        del loss
        assert hidden() is None, "a loss and its graph are held while training goes on"
    held = [weakref.ref(model), weakref.ref(optimizer), weakref.ref(model[0].weight)]
    del model, optimizer
    gc.collect()
    assert [each() for each in held] == [None, None, None]
    assert board.text()


def test_the_longest_training_takes_no_more_room_and_every_step_counts():
    rows = np.random.default_rng(0).normal(size=(5000, 3))
    means, losses = Thinned(3), Losses()
    for row in rows:
        means.add(row)
        losses.add(float(row[0]))
    together = means.together
    assert together == losses.together == 32
    whole = rows[: len(rows) // together * together].reshape(-1, together, 3)
    assert len(means.columns()) == len(whole) <= MOST_COLUMNS
    np.testing.assert_allclose(means.columns(), whole.mean(axis=1))
    first = whole[:, :, 0]
    expected = np.stack([first.mean(axis=1), first.min(axis=1), first.max(axis=1)], axis=1)
    np.testing.assert_allclose(losses.columns(), expected)


@np.errstate(all="ignore")
def test_a_norm_is_lost_only_where_an_entry_is():
    assert square(np.full(4, 1e25, np.float32)) == pytest.approx(4e50, rel=1e-5)
    assert square(np.full(4, 1e-25, np.float32)) == pytest.approx(4e-50, rel=1e-5)
    assert square(np.zeros((2, 2), np.float32)) == 0
    assert square(np.arange(6.0).reshape(2, 3).T) == 55
    assert math.isnan(square(np.array([1, np.nan], np.float32)))
    assert square(np.array([1, -np.inf], np.float32)) == math.inf


# -- where a number was lost -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("told_after", [True, False])
def test_a_gradient_that_is_lost_is_marked_at_the_parameter_that_the_pass_came_to_first(told_after):
    early, late = Tensor([1.0], requires_grad=True), Tensor([0.0], requires_grad=True)
    optimizer = optim.SGD([early, late], lr=0.0)
    with viz.live({"late": late, "early": early}, optimizer) as board, np.errstate(all="ignore"):
        for number in range(4):
            optimizer.zero_grad()
            loss = ((early * 2) * late.sqrt() if number == 2 else early * late).sum()
            if not told_after:
                board.loss(loss)
            loss.backward()
            optimizer.step()
            if told_after:
                board.loss(loss)
    found = board.birth
    assert (found.kind, found.step, found.name, found.value, found.op) == ("gradient", 3, "late", math.inf, "sqrt")
    assert "In step 3 the gradient of late was the first to become inf, through sqrt." in board.text()
    assert board.svg().count('class="tr"') == 2  # over the loss, and in its row
    assert re.search(r'<text class="tx tb( te)?"[^>]*>inf</text>', board.svg())


def test_of_several_lost_gradients_the_one_nearest_to_the_loss_is_named():
    first, second = Tensor([2.0], requires_grad=True), Tensor([0.0], requires_grad=True)
    optimizer = optim.SGD([second, first], lr=0.0)
    with viz.live({"second": second, "first": first}, optimizer) as board, np.errstate(all="ignore"):
        loss = ((first.log() * 0 + second).sqrt() * 0).sum()
        loss.backward()
        optimizer.step()
        board.loss(loss)
    assert (board.birth.name, board.birth.op, board.birth.others) == ("second", "add", 1)


def test_a_loss_that_is_lost_with_all_gradients_finite_was_born_in_its_forward_pass():
    w = Tensor([1.0], requires_grad=True)
    optimizer = optim.SGD([w], lr=0.0)
    with viz.live({"w": w}, optimizer) as board, np.errstate(all="ignore"):
        for number in range(3):
            optimizer.zero_grad()
            loss = (w if number < 1 else w * 0).log().sum()
            board.loss(loss)
            if np.isfinite(float(loss)):
                loss.backward()
                optimizer.step()
    assert (board.birth.kind, board.birth.step, board.birth.value) == ("loss", 2, -math.inf)
    assert "The loss of step 2 is -inf. It was born in the forward pass" in board.text()


def test_an_update_that_overflows_is_named_with_its_parameter():
    w = Tensor([2.0], requires_grad=True)
    optimizer = optim.SGD([w], lr=3e38)
    with viz.live({"w": w}, optimizer) as board, np.errstate(all="ignore"):
        for _ in range(2):
            board.loss(loss := (w * w).sum())
            loss.backward()
            optimizer.step()
    assert (board.birth.kind, board.birth.step, board.birth.name, board.birth.value) == ("weight", 1, "w", -math.inf)
    assert "The update of step 1 made w -inf: the step was too long" in board.text()


def test_where_fit_gives_up_the_board_is_there():
    model = network(2, 8, 3)
    board = viz.live()
    loader = DataLoader(TensorDataset(POINTS, CLASSES), batch_size=15)
    optimizer = optim.SGD(model.parameters(), lr=1e38)
    with pytest.raises(FloatingPointError, match="the loss is nan"), np.errstate(all="ignore"):
        fit(model, loader, optimizer, LOSS, epochs=9, progress=False, callbacks=[board])
    assert board.facts.state == "failed"
    assert f"tep {board.birth.step}" in board.text()


# -- around it ---------------------------------------------------------------------------------------------------------


def test_fit_tells_it_everything():
    model = network(2, 8, 3)
    board = viz.live(title="Spirals")
    loader = DataLoader(TensorDataset(POINTS, CLASSES), batch_size=10)
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    history = fit(model, loader, optimizer, LOSS, epochs=4, valid=loader, progress=False, callbacks=[board])
    np.testing.assert_allclose(board.facts.losses.columns()[:, 0], history.losses)
    assert board.facts.valid == list(zip(history["step"], history["valid_loss"], strict=True))
    assert board.facts.state == "finished"
    assert board.title == "Spirals"
    assert "On other data" in board.text()


def test_an_interrupted_loop_leaves_the_whole_board_and_takes_its_hooks_off():
    model = network(2, 8, 3)
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    board = viz.live(model, optimizer)

    def loop():
        with board:
            for number in range(9):
                board.loss(step(model, optimizer))
                if number == 4:
                    raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        loop()
    assert board.facts.state == "interrupted"
    assert board.text().splitlines()[1] == "Interrupted after 5 steps."
    assert (optimizer._before_step, optimizer._after_step) == ({}, {})
    step(model, optimizer)
    assert board.facts.steps == 5


def test_without_an_optimizer_a_step_is_looked_at_when_its_loss_is_told():
    w = Tensor([3.0, 4.0], requires_grad=True)
    with viz.live({"w": w}) as board:
        for _ in range(2):
            w.grad = None
            loss = (w * w).sum() / 2
            loss.backward()
            w.data -= 0.5 * w.grad
            board.loss(loss.item())
    assert board.facts.steps == 2
    np.testing.assert_allclose(np.sqrt(board.facts.squares.columns()[:, 0]), [5, 2.5])


def test_the_boundary_is_the_models_at_the_end_and_its_mode_is_as_it_was():
    board, model, _ = trained(boundary=(POINTS, CLASSES))
    expected = model(Tensor(board.facts.plane.points.astype(np.float32))).data.argmax(axis=1)
    assert board.facts.plane.said.tolist() == expected.tolist()
    assert model.training
    assert board.facts.plane.sentences()[0] in board.text()
    lost, _, _ = trained(boundary=(POINTS, CLASSES), lr=1e38, steps=4)
    assert lost.facts.plane.odd == "nan"
    assert "The score is nan at 100 % of the picture: no class, crossed out." in lost.text()
    assert "crossed out" in lost.svg()


def test_many_parameters_are_put_together_by_module_and_their_norms_with_them():
    facts = Training(tuple(f"body.{block}.{part}.weight" for block in range(9) for part in ("a", "b")), 1)
    assert [(name, len(members)) for name, members in facts.groups(9)] == [(f"body.{n}", 2) for n in range(9)]
    assert len(facts.groups(18)) == 18
    assert facts.groups(3) == [("body", list(range(18)))]
    assert facts.groups(0) == [("", list(range(18)))]


def test_a_frame_is_small_and_the_still_has_its_numbers():
    board, _, _ = trained(steps=3000, lr=0.01)
    frame = board._frame()
    assert len(frame.encoded()) < 10_000
    left, right = board._shell.loss
    paths = [each.get("d") for each in ET.fromstring(board.svg()).iter() if each.get("data-curve") is not None]
    assert len(paths) == len(frame.curves) == 2 + 2 * 4 + 1
    spots = [tuple(map(float, spot.split())) for spot in re.split("[ML]", paths[1]) if spot]
    assert len(spots) == frame.curves[1][0]
    assert all(left <= x <= right for x, _ in spots)
    low, high, log = frame.scales["loss"]
    line = board.facts.loss_line()
    shares = 1 - (np.array([y for _, y in spots]) - drawing.TOP) / drawing.TALL
    assert not log
    np.testing.assert_allclose(low + shares * (high - low), line.y, atol=(high - low) / 1500)


def test_it_speaks_spanish(monkeypatch):
    monkeypatch.setenv("MINITORCH_LANG", "es")
    board, _, _ = trained()
    assert board.text().startswith("Entrenamiento\n25 pasos.\nPérdida ")
    assert "norma del gradiente" in board.svg()
    assert "Training" not in board.svg()


def test_names_of_the_user_are_never_markup():
    w = Tensor([1.0], requires_grad=True)
    with viz.live({"<script>&": w}, title="<b>") as board:
        (w * w).sum().backward()
        board.loss(1.0)
    assert "<script" not in board.svg()
    ET.fromstring(board.svg())


def test_a_script_hears_one_sentence_and_has_the_board_all_the_same(tmp_path):
    code = (
        "from minitorch import Tensor, optim, viz\n"
        "w = Tensor([1.0], requires_grad=True); o = optim.SGD([w], lr=0.1)\n"
        "with viz.live({'w': w}, o) as board:\n"
        "    (w * w).sum().backward(); o.step(); board.loss(1.0)\n"
        "print(board.text())\n"
        "import sys; assert 'anywidget' not in sys.modules and 'IPython' not in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (0, 1), done.stderr
    assert done.stderr.startswith("viz.live: no notebook to draw in")
    assert done.stdout.startswith("Training\nOne step.")


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: viz.live(every=0), ValueError, "from 1 on, not 0"),
        (lambda: viz.live().__enter__(), TypeError, r"viz\.live\(model, optimizer\)"),
        (lambda: viz.live(nn.ReLU()).__enter__(), ValueError, "no parameter to follow"),
        (lambda: viz.live(network(2, 3), object()).__enter__(), TypeError, "a object has no hooks of a step"),
        (lambda: viz.live().loss(1.0), RuntimeError, "no training is followed"),
        (
            lambda: viz.live({"w": Tensor([1.0], requires_grad=True)}, boundary=(POINTS, CLASSES)).__enter__(),
            TypeError,
            "a model that is called, not of a dict",
        ),
        (lambda: viz.live(network(2, 3), boundary=(POINTS, [7] * 90)).__enter__(), ValueError, "labels"),
    ],
)
def test_what_cannot_be_followed_is_refused_in_one_sentence(make, error, message):
    with pytest.raises(error, match=message):
        make()


def marks(board):
    """What is written beside rings: whether on their left, the place of the ring and of the text."""
    ring = r'<circle class="tr" cx="([\d.]+)"[^>]*/><text class="tx tb( te)?" x="([\d.]+)"'
    return [(bool(left), float(cx), float(x)) for cx, left, x in re.findall(ring, board.svg())]


def test_the_number_beside_a_ring_is_off_the_numbers_of_the_axis():
    early, _, _ = trained(lr=1e30)
    assert early.birth.step <= 3
    assert marks(early)
    assert all(not left and x > cx for left, cx, x in marks(early))
    late, _, _ = trained(steps=2, lr=1e30)
    assert any(left and x < cx for left, cx, x in marks(late))


def test_the_line_of_a_healthy_update_is_drawn_where_the_scale_has_a_place_for_it():
    assert '<path class="td" d="M' in trained(lr=0.1)[0].svg()
    assert "Dashed: " in trained(lr=0.1)[0].svg()
    without = trained(lr=1e30)[0].svg()
    assert f"M{drawing.RATIO} " not in "".join(re.findall(r'<path class="td"[^>]*>', without))
    assert "Dashed: " not in without


def test_a_line_of_one_point_is_a_mark_that_is_seen():
    board, _, _ = trained(steps=1)
    paths = [each.get("d") for each in ET.fromstring(board.svg()).iter() if each.get("data-curve") is not None]
    assert paths[1].count("a1.5 1.5 ") == 2
    assert "h0" not in "".join(paths)


@pytest.mark.parametrize(("lang", "said"), [("en", "0 (2 parameters)"), ("es", "0 (2 parámetros)")])
def test_a_row_of_several_parameters_says_what_it_counts(lang, said, monkeypatch):
    monkeypatch.setenv("MINITORCH_LANG", lang)
    model = network(*[2] * 9, 3)
    with viz.live(model, optim.SGD(model.parameters(), lr=0.1)) as board:
        pass
    assert said in board.svg()


@pytest.mark.parametrize(("lang", "said"), [("en", "One step."), ("es", "Un paso.")])
def test_one_step_is_one(lang, said, monkeypatch):
    monkeypatch.setenv("MINITORCH_LANG", lang)
    assert said in trained(steps=1)[0].text()


def test_the_loss_of_a_step_stands_above_the_number_of_that_step():
    board, *_ = trained(steps=4)
    drawn = board.svg()
    ticks = {said: float(x) for x, said in re.findall(r'<text class="ts tm" x="([\d.]+)" [^>]*>(\d+)</text>', drawn)}
    assert list(ticks) == ["1", "2", "3", "4"]
    (line,) = re.findall(r'<path class="tc tw t0"[^>]* d="M([^"]*)"', drawn)
    assert [float(spot.split()[0]) for spot in line.split("L")] == pytest.approx([*ticks.values()], abs=1)
