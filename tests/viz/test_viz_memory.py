"""What `viz.memory` says: when arrays come and go, what for, what is left, and what keeps it."""

import gc
import tracemalloc
import weakref

import numpy as np
import pytest
from memory_programs import network, training_step

import minitorch as mt
from minitorch import Tensor, manual_seed, nn, no_grad, viz
from minitorch.autograd import checkpoint
from minitorch.autograd.scope import current_scope
from minitorch.viz.facts.memory import KINDS, rows, size


def kinds_at(run, moment):
    """Kind → bytes, of those that there are."""
    return {kind: int(level) for kind, level in zip(KINDS, run.levels[moment], strict=True) if level}


def life_of(run, name, role="value"):
    """The one array of that role at the place of that name."""
    found = [each for each in run.lives if run.places[each.place].name == name and each.role == role]
    assert len(found) == 1, (name, [place.name for place in run.places])
    return found[0]


def test_a_life_begins_with_the_operation_and_ends_where_backward_has_passed_its_user():
    x = Tensor(np.ones(8, "f"), requires_grad=True)

    def program():
        (x.exp().tanh() * 2).sum().backward()

    (run,) = viz.memory(program, names={"x": x}).runs
    assert [(moment.phase, moment.op) for moment in run.moments] == [
        ("before", ""), ("forward", "exp"), ("forward", "tanh"), ("forward", "mul"), ("forward", "sum"),
        ("backward", "sum"), ("backward", "mul"), ("backward", "tanh"), ("backward", "exp"), ("after", ""),
    ]  # fmt: skip
    exp, tanh, mul = (life_of(run, name) for name in ("exp", "tanh", "mul"))
    assert (exp.kind, exp.birth, exp.death) == ("activation", 1, 8)
    assert (tanh.kind, tanh.birth, tanh.death) == ("activation", 2, 7)
    assert (mul.kind, mul.birth, mul.death) == ("temporary", 3, 5)
    assert (life_of(run, "tanh", "gradient").birth, life_of(run, "tanh", "gradient").death) == (6, 7)
    assert (life_of(run, "x", "gradient").kind, life_of(run, "x", "gradient").death) == ("gradient", None)
    assert [run.places[saver].name for saver in exp.savers] == ["exp"]
    assert run.totals[0] == 32
    assert x.grad is None  # as it was before


def test_a_view_shares_the_bytes_of_what_it_is_a_view_of():
    x = Tensor(np.ones((64, 64), "f"), requires_grad=True)
    (run,) = viz.memory(lambda: x.exp().reshape(32, 128).transpose(0, 1)[3:]).runs
    assert sum(life.nbytes for life in run.lives) == 2 * x.data.nbytes


@pytest.fixture(scope="module")
def compared():
    """A deep chain of layers, run in several ways; the arrays between two layers are much larger than the weights."""
    manual_seed(0)
    layers = [[each for _ in range(3) for each in (nn.Linear(16, 16), nn.Tanh())] for _ in range(6)]
    parts = nn.ModuleList([nn.Sequential(*part) for part in layers])
    x = Tensor(np.ones((256, 16), "f"))

    def forward(call=lambda part, h: part(h)):
        h = x
        for part in parts:
            h = call(part, h)
        return (h * h).mean()

    def retained():
        loss = forward()
        loss.backward(retain_graph=True)
        return loss

    def without():
        with no_grad():
            forward()

    programs = {
        "plain": lambda: forward().backward(),
        "retained": retained,
        "checkpoint": lambda: forward(checkpoint).backward(),
        "no_grad": without,
    }
    return viz.memory(programs, model=parts)


def at_end_of_pass(run):
    last = max(number for number, moment in enumerate(run.moments) if moment.phase == "backward")
    return kinds_at(run, last)


def test_a_checkpoint_lowers_the_peak_and_computes_again(compared):
    plain, _, checked, _ = compared.runs
    assert checked.reached.max() < 0.8 * plain.reached.max()
    assert kinds_at(checked, checked.peak)["activation"] < 0.6 * kinds_at(plain, plain.peak)["activation"]
    assert sum(moment.phase == "within" for moment in checked.moments) == 36
    assert not any(moment.phase == "within" for moment in plain.moments)


def test_retain_graph_keeps_the_activations_after_the_pass(compared):
    plain, retained, *_ = compared.runs
    assert "activation" not in at_end_of_pass(plain)
    assert at_end_of_pass(retained)["activation"] == kinds_at(plain, plain.peak)["activation"]
    assert {each.kind for each in retained.remaining} == {"activation", "temporary", "interior"}
    assert all(each.holders == ("what the function returned",) for each in retained.remaining)
    assert plain.remaining == ()


def test_no_grad_keeps_no_activations_whatever_the_depth(compared):
    plain, _, _, without = compared.runs
    assert not without.levels[:, KINDS.index("activation")].any()
    one = 256 * 16 * 4
    assert without.levels[:, KINDS.index("temporary")].max() <= 4 * one
    assert kinds_at(without, 0) == kinds_at(plain, 0)  # the weights, though no gradient is asked of them


def test_in_place_takes_no_second_array():
    x = Tensor(np.ones((64, 64), "f"))

    def anew():
        y = x.clone()
        for _ in range(3):
            y = y + 1.0

    def in_place():
        y = x.clone()
        for _ in range(3):
            y += 1.0

    one = x.data.nbytes
    first, second = viz.memory({"anew": anew, "in place": in_place}, names={"x": x}).runs
    assert [int(run.reached.max()) // one for run in (first, second)] == [3, 2]
    assert [moment.phase for moment in second.moments].count("write") == 3


def test_the_optimizers_buffers_and_the_batches_are_told_apart():
    model, optimizer, program, x = training_step()
    (run,) = viz.memory(program, model=model, optimizer=optimizer, names={"x": x}).runs
    weights = sum(each.data.nbytes for each in model.parameters())
    end = kinds_at(run, len(run.moments) - 1)
    assert end["parameter"] == weights
    assert end["state"] >= 2 * weights  # two averages, and room to compute in
    assert end["input"] == x.data.nbytes
    assert "0.weight exp_avg" in {place.name for place in run.places}
    assert [moment.op for moment in run.moments if moment.phase == "update"] == ["Adam", "Adam"]
    assert run.places[run.moments[1].place].scope == "0"


# -- what is left ------------------------------------------------------------------------------------------------------


def test_a_planted_leak_climbs_and_is_named_with_its_line_and_what_holds_it():
    model, x = network()
    losses = []
    with viz.memory(model=model, names={"x": x}) as seen:
        for _ in range(5):
            loss = (model(x) ** 2).mean()
            losses.append(loss)
    (run,) = seen.runs
    ends = [number for number, moment in enumerate(run.moments) if moment.op == "mean"]
    levels = [int(run.totals[end]) for end in ends]
    steps = np.diff(levels)
    kept = 4 * x.data.nbytes  # three tanh, and what the last layer gave, for the square: it is the third tanh
    assert steps.min() >= kept - x.data.nbytes
    (largest, *_) = run.remaining
    assert (largest.count, largest.op, largest.shape, largest.kind) == (5, "tanh", (16, 32), "activation")
    assert largest.holders[0] == "losses"
    assert "test_viz_memory.py" in largest.line
    assert "loss = (model(x) ** 2).mean()" in largest.line
    (holder, *_) = run.holders
    assert (holder.name, holder.tensors, holder.scalar, holder.container) == ("losses", 5, True, True)
    said = seen.text()
    assert "losses holds 5 results, with 40 nodes of the graph" in said
    assert "It climbs" in said
    assert "keep loss.item()" in said
    assert "losses" in seen._told()


def test_nothing_is_left_of_a_healthy_loop_and_the_text_says_so():
    model, optimizer, program, x = training_step()
    seen = viz.memory(program, model=model, optimizer=optimizer, names={"x": x})
    assert seen.runs[0].remaining == ()
    assert "nothing that was made on the way is left" in seen.text()


class Trainer:
    def __init__(self):
        self.last = None
        self.history = {"outputs": []}


def test_holders_are_named_through_attributes_keys_and_arrays():
    model, x = network(1)
    trainer = Trainer()
    with viz.memory(model=model) as seen:
        trainer.last = model(x)
        trainer.history["outputs"].append(model(x).detach())
        arrays = [model(x).data]
    held = {name for each in seen.runs[0].remaining for name in each.holders}
    assert held == {"trainer.last", "trainer.history['outputs']", "arrays"}
    assert len(arrays) == 1


def test_what_has_no_name_is_said_to_have_none():
    model, x = network(1)
    hidden = iter([model(x) for _ in range(0)])

    def keeping():
        kept = model(x)
        while True:
            yield kept

    with viz.memory(model=model) as seen:
        hidden = keeping()
        next(hidden)
    assert all(each.holders == () for each in seen.runs[0].remaining)
    assert "no name that can be seen" in seen.text()


def test_nothing_is_kept_alive_by_the_recording_or_the_picture():
    references = []

    def watched():
        model, x = network()

        def program():
            loss = (model(x) ** 2).mean()
            references.extend(map(weakref.ref, (loss, loss.data)))
            loss.backward()
            references.append(weakref.ref(model[0].weight.grad))
            return loss

        seen = viz.memory(program, model=model)
        assert [each() for each in references] == [None] * 3
        with viz.memory(model=model) as block:
            loss = program()
        model.zero_grad()
        del loss
        assert [each() for each in references] == [None] * 6
        references[:] = [weakref.ref(model), weakref.ref(x)]
        return seen, block

    gc.collect()
    gc.disable()
    try:
        seen, block = watched()
    finally:
        gc.enable()
    gc.collect()
    assert [each() for each in references] == [None] * 2
    assert seen.runs[0].totals.max() == block.runs[0].totals.max()


def test_recording_changes_no_number():
    first, second = [], []
    for losses, watched in ((first, False), (second, True)):
        model, optimizer, program, _ = training_step()
        if watched:
            with viz.memory(model=model, optimizer=optimizer):
                program()
        else:
            program()
        losses.extend(each.data.tobytes() for each in model.parameters())
    assert first == second


def test_inside_a_moment_is_measured_where_it_is_asked_for():
    x = Tensor(np.ones((512, 512), "f"), requires_grad=True)
    plain, measured = (viz.memory(lambda: nn.functional.gelu(x), inside=inside).runs[0] for inside in (False, True))
    assert plain.moments[1].inside == 0
    assert measured.moments[1].inside >= x.data.nbytes  # at least one array that lives inside gelu only
    assert measured.reached.max() > measured.totals.max()
    assert not tracemalloc.is_tracing()


@pytest.mark.parametrize(
    ("nbytes", "said"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1_000, "1 kB"),
        (1_536, "1.54 kB"),
        (131_072, "131 kB"),
        (999_600, "1 MB"),
        (2**31, "2.15 GB"),
    ],
)
def test_bytes_are_said_in_thousands(nbytes, said):
    assert size(nbytes) == said


def test_a_moment_is_drawn_and_saved_and_a_lecture_shows_where_phases_end(compared, tmp_path):
    plain = compared.runs[0]
    pages = compared.moments()
    assert len(pages) == 1 + sum(len(run.turns) for run in compared.runs)
    assert plain.turns[0] == 0
    assert plain.peak in plain.turns
    assert len({page.drawn for page in pages}) == len(pages)
    assert "checkpoint: peak" in pages[0].told
    assert "data-row" not in pages[1].drawn  # a slide has room for the bytes alone
    assert pages[1].sentence.startswith("Moment 0 of")
    early, late = compared.svg("plain", 1), compared.svg("plain", plain.peak)
    assert early.count('class="row lit"') < late.count('class="row lit"')
    assert late == compared.svg("plain")
    for form in (".svg", ".html", ".txt"):
        assert "checkpoint" in compared.save(tmp_path / f"a{form}", "checkpoint", 3).read_text(encoding="utf-8")
    assert compared._player().state["step"] == 0
    with pytest.raises(ValueError, match="a moment is one of a run: say which"):
        compared.svg(moment=3)
    with pytest.raises(IndexError, match="there is no moment 9999"):
        compared.svg("plain", 9999)


def test_what_a_rule_computes_when_its_gradient_is_recorded_is_inside_the_pass():
    x = Tensor(np.ones(4, "f"), requires_grad=True)
    (run,) = viz.memory(lambda: mt.autograd.grad((x**3).sum(), x, create_graph=True)).runs
    phases = [moment.phase for moment in run.moments]
    assert phases[:3] == ["before", "forward", "forward"]
    assert "within" in phases
    assert phases[-2:] == ["backward", "after"]


def test_recordings_may_be_nested_and_nothing_keeps_watching_afterwards():
    x = Tensor(np.ones(4, "f"), requires_grad=True)
    with viz.memory() as outer:
        inner = viz.memory(lambda: (x * 2).sum().backward())
    assert [len(seen.runs[0].moments) for seen in (outer, inner)] == [6, 6]

    def fails():
        x.exp() / x.reshape(3, 3)

    broken = viz.memory()
    with pytest.raises(ValueError, match="reshape"), broken:
        fails()
    assert broken.runs[0].moments[1].op == "exp"
    with pytest.raises(ZeroDivisionError):
        viz.memory(lambda: 1 / 0)
    assert current_scope().watchers is None
    assert "At the end 0 B" in viz.memory(lambda: None).text()


def test_parameters_leave_room_for_what_comes_and_goes(compared):
    run = compared.runs[0]
    shown, others = rows(run, 16)
    standing = [row for row in shown if row.lives[0].kind in ("parameter", "input")]
    assert (len(shown), len(standing)) == (15, 5)
    assert len(shown) + len(others) == len({life.place for life in run.lives})
    assert [row.birth for row in shown] == sorted(row.birth for row in shown)
    lightest = min(row.weight for row in shown if row not in standing)
    assert lightest >= max(row.weight for row in others if row.lives[0].kind not in ("parameter", "input"))


def test_what_cannot_be_recorded_is_refused():
    with pytest.raises(TypeError, match="a program is a function of no arguments, or several by name, not a Tensor"):
        viz.memory(Tensor([1.0]))
    with pytest.raises(ValueError, match="the mapping of programs is empty"):
        viz.memory({})
    with pytest.raises(TypeError, match="names are of Tensors; x is a list"):
        viz.memory(lambda: None, names={"x": [1.0]})
    seen = viz.memory()
    with pytest.raises(RuntimeError, match="nothing is recorded yet"):
        seen.svg()
    with seen:
        pass
    with pytest.raises(RuntimeError, match="make a new one"), seen:
        pass
    with pytest.raises(ValueError, match="there is no run 'b': there are a"):
        viz.memory({"a": lambda: None}).svg("b")
