"""What the board of a training says in words, and the numbers of its table."""

from __future__ import annotations

import math

from minitorch.viz.facts import words
from minitorch.viz.facts.training import Birth, Training
from minitorch.viz.texts.catalogue import say


def sentences(facts: Training, signs: words.Signs = words.ASCII) -> list[str]:
    """Where the training stands, what was lost and where, and which units are dead."""
    found = [_state(facts)]
    if facts.told:
        loss, first, low = (words.number(each, signs) for each in (facts.loss, facts.first_loss, facts.best[0]))
        found.append(say("board_loss", loss=loss, first=first, low=low, at=facts.best[1]))
    elif facts.steps > 1:
        found.append(say("board_no_loss"))
    if facts.valid:
        step, loss_then = facts.valid[-1]
        found.append(say("board_valid", loss=words.number(loss_then, signs), step=step, at=step))
    if facts.birth is not None:
        found.append(birth(facts.birth, signs))
    known = [(math.sqrt(square), name) for square, name in zip(facts.last, facts.names, strict=False) if square > 0]
    known = [each for each in known if math.isfinite(each[0])]
    if known and facts.birth is None:
        norm, name = max(known)
        found.append(say("board_largest", name=name, norm=words.number(norm, signs)))
    for name, dead, units in zip(rectifiers(facts), facts.dead, facts.units, strict=True):
        if dead:
            found.append(say("board_dead", name=name, dead=dead, units=units))
    if facts.unplaced:
        found.append(say("board_no_plane", why=facts.unplaced))
    elif facts.plane is not None:
        found += [facts.plane.sentences()[0], *facts.plane.odd_sentences()]
    return found


def _state(facts: Training) -> str:
    steps = max(facts.steps, facts.told)
    if not steps:
        return say("board_before")
    ends = {
        "finished": ("board_finished_one", "board_finished"),
        "interrupted": ("board_interrupted_one", "board_interrupted"),
        "failed": ("board_failed_one", "board_failed"),
    }
    if facts.state not in ends:
        return say("board_now", step=steps)
    one, many = ends[facts.state]
    return say(one if steps == 1 else many, steps=steps)


def birth(lost: Birth, signs: words.Signs = words.ASCII) -> str:
    """Where a number was first lost."""
    value = words.number(lost.value, signs)
    through = say("board_through", op=lost.op) if lost.op else ""
    others = say("board_others", count=lost.others) if lost.others else ""
    keys = {"loss": "board_birth_loss", "gradient": "board_birth_gradient", "weight": "board_birth_weight"}
    return say(keys[lost.kind], step=lost.step, value=value, name=lost.name, through=through, others=others)


def rectifiers(facts: Training) -> list[str]:
    """What the rectifiers are called, in the order in which a forward pass comes to them."""
    if facts.relus > len(facts.units):
        return [say("board_several", name=say("board_relus"), count=facts.relus)]
    return [say("board_relu", kind=kind, number=number) for number, kind in enumerate(facts.kinds, start=1)]


def group(name: str, count: int) -> str:
    """What a row of several parameters is called."""
    if not name:
        return say("board_several", name=say("board_whole"), count=count)
    return say("board_group", name=name, count=count) if count > 1 else name
