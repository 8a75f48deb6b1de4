"""`viz.program`: the calls of a replayed step, and which of its results share which memory."""

import ast
import re

import pytest
from viz_forms import has_every_form

import minitorch
from minitorch import Tensor, nn, optim, viz


def captured(model, shape, *, calls=5):
    optimizer = optim.SGD(model.parameters(), lr=0.1)

    @minitorch.captured(model, optimizer)
    def step(x):
        optimizer.zero_grad()
        loss = (model(x) ** 2).mean()
        loss.backward()
        optimizer.step()
        return loss

    minitorch.manual_seed(0)
    x = minitorch.randn(*shape)
    for _ in range(calls):
        step(x)
    return step


def small():
    return captured(nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3)), (16, 4))


def large():
    layers = [
        nn.Conv2d(1, 4, 3),
        nn.BatchNorm2d(4),
        nn.GELU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(36, 8),
        nn.GELU(),
    ]
    return captured(nn.Sequential(*layers, nn.Linear(8, 3)), (5, 1, 8, 8))


def wide():
    """More pieces of memory than are drawn: every result has another size."""
    sizes = range(3, 40)
    return captured(nn.Sequential(*[nn.Linear(a, a + 1) for a in sizes]), (2, 3))


@pytest.mark.parametrize("make", [small, large, wide])
def test_it_has_every_form(make, tmp_path):
    step = make()
    has_every_form(lambda: viz.program(step), tmp_path)


def _results(step):
    return [slot for each in step.program.instructions for slot in each.results]


@pytest.mark.parametrize("make", [small, large])
def test_the_places_are_those_of_the_page(make):
    """The page's own arrays say which of them begin at the same byte, and its text where each is named."""
    step = make()
    facts = viz.program(step).facts
    page = ast.parse(step.source).body[0].body[:-1]
    named = [{each.id for each in ast.walk(line) if isinstance(each, ast.Name)} for line in page]
    assert len(page) == len(facts.lines)
    slots = [slot for each in step.program.instructions for slot in (*each.slots(), *each.writes)]
    copied = {slot for each in step.program.instructions if each.call == "copyto" for slot in each.writes}
    buffers = {step.page.called(slot) for slot in slots if slot.kind == "buffer" and not (slot.owner or slot in copied)}
    shared = {}
    for name in buffers - {""}:
        shared.setdefault(step.page.names[name].__array_interface__["data"][0], set()).add(name)
    assert sorted(map(sorted, shared.values())) == sorted(
        sorted(stay.name for stay in place.stays) for place in facts.places
    )
    stays = [stay for place in facts.places for stay in place.stays]
    memories = {step.page.called(slot.memory) for slot in [*slots, *_results(step)]} - {""}
    results = sorted({name.removesuffix("_bits") for name in memories}, key=len, reverse=True)

    def result(name):  # a result may be written by way of a view alone, whose name begins with its own
        return next((each for each in results if f"{name}_".startswith(f"{each}_")), "")

    for stay in stays:
        mine = stay.name.removesuffix("_bits")
        lines = [number for number, names in enumerate(named) if mine in map(result, names)]
        assert stay.first == lines[0]
        assert stay.last >= lines[-1], "a view of it may be read later, under another name"


@pytest.mark.parametrize("make", [small, large, wide])
def test_what_shares_a_place_follows_one_another(make):
    facts = viz.program(make()).facts
    assert any(len(place.stays) > 1 for place in facts.places)
    for place in facts.places:
        for one, next_one in zip(place.stays, place.stays[1:], strict=False):
            assert one.last <= next_one.first
            assert not one.kept


def test_gradients_and_what_the_step_returns_live_on():
    step = small()
    facts = viz.program(step).facts
    kept = [stay for place in facts.places for stay in place.stays if stay.kept]
    assert len(kept) == 4 + 1
    assert {stay.last for stay in kept} == {len(facts.lines) - 1}


def test_forward_comes_before_backward_and_the_update_last():
    parts = [line.part for line in viz.program(small()).facts.lines]
    assert parts == sorted(parts, key=["forward", "backward", "update"].index)
    assert parts[-1] == "update"


def test_of_a_long_program_the_calls_of_an_operation_are_one_row():
    facts = viz.program(large()).facts
    rows = facts.rows()
    assert len(rows) < len(facts.lines)
    assert [line for row in rows for line in range(row.first, row.last + 1)] == list(range(len(facts.lines)))
    assert all(len({facts.lines[line].operation for line in range(row.first, row.last + 1)}) == 1 for row in rows)


def test_what_is_not_drawn_is_said_and_the_text_has_it():
    picture = viz.program(wide())
    most = len(picture.facts.places)
    assert most > 22
    assert f"Not drawn: {most - 22} smaller pieces of memory" in picture.svg()
    assert re.search(rf"\b{most}$", picture.text(), re.MULTILINE)


def test_the_words_tell_what_the_picture_shows(monkeypatch):
    picture = viz.program(small())
    facts = picture.facts
    assert f"{len(facts.lines)} calls: " in picture._told()
    assert f"{facts.results} results lie in {len(facts.places)} pieces of memory" in picture._told()
    monkeypatch.setenv("MINITORCH_LANG", "es")
    assert "trozos de memoria" in picture._told()
    assert "hacia adelante" in picture.svg()


def test_a_step_that_is_not_captured_is_refused():
    with pytest.raises(TypeError, match=r"it draws a step that minitorch\.capture has made, not a function"):
        viz.program(lambda x: x)
    with pytest.raises(RuntimeError, match="this step is not captured yet: call it twice first"):
        viz.program(captured(nn.Linear(2, 1), (3, 2), calls=1))


def test_a_picture_keeps_no_arrays():
    step = small()
    picture = viz.program(step)
    before = picture.svg()
    step(Tensor(minitorch.randn(16, 4).numpy()))
    assert picture.svg() == before
