"""What the board of a training says in words, and the numbers of its table."""

from __future__ import annotations

import math

from minitorch.language import N_, gettext, ngettext
from minitorch.viz.facts import words
from minitorch.viz.facts.training import Birth, Training


def sentences(facts: Training, signs: words.Signs = words.ASCII) -> list[str]:
    """Where the training stands, what was lost and where, and which units are dead."""
    found = [_state(facts)]
    if facts.told:
        loss, first, low = (words.number(each, signs) for each in (facts.loss, facts.first_loss, facts.best[0]))
        found.append(
            gettext(
                "Loss {loss}: at first {first}, smallest {low} at step {at}.",
                loss=loss,
                first=first,
                low=low,
                at=facts.best[1],
            )
        )
    elif facts.steps > 1:
        found.append(gettext("No loss was told: write board.loss(loss) in the loop."))
    if facts.valid:
        step, loss_then = facts.valid[-1]
        found.append(
            gettext("On other data {loss} at step {at}.", loss=words.number(loss_then, signs), step=step, at=step)
        )
    if facts.birth is not None:
        found.append(birth(facts.birth, signs))
    known = [(math.sqrt(square), name) for square, name in zip(facts.last, facts.names, strict=False) if square > 0]
    known = [each for each in known if math.isfinite(each[0])]
    if known and facts.birth is None:
        norm, name = max(known)
        found.append(gettext("Largest gradient: {name}, norm {norm}.", name=name, norm=words.number(norm, signs)))
    for name, dead, units in zip(rectifiers(facts), facts.dead, facts.units, strict=True):
        if dead:
            found.append(
                gettext(
                    "{name}: {dead} of {units} units let no gradient through for a whole batch.",
                    name=name,
                    dead=dead,
                    units=units,
                )
            )
    if facts.unplaced:
        found.append(gettext("There is no boundary now: {why}.", why=facts.unplaced))
    elif facts.plane is not None:
        found += [facts.plane.sentences()[0], *facts.plane.odd_sentences()]
    return found


def _state(facts: Training) -> str:
    steps = max(facts.steps, facts.told)
    if not steps:
        return gettext("Before the first step.")
    match facts.state:
        case "finished":
            return ngettext("One step.", "{count} steps.", steps)
        case "interrupted":
            return ngettext("Interrupted after one step.", "Interrupted after {count} steps.", steps)
        case "failed":
            return ngettext("Ended by an error after one step.", "Ended by an error after {count} steps.", steps)
    return gettext("Step {step}.", step=steps)


def birth(lost: Birth, signs: words.Signs = words.ASCII) -> str:
    """Where a number was first lost."""
    value = words.number(lost.value, signs)
    through = gettext(", through {op}", op=lost.op) if lost.op else ""
    others = gettext("; {count} more followed in that step", count=lost.others) if lost.others else ""
    keys = {
        "loss": N_(
            "The loss of step {step} is {value}. It was born in the forward pass of that step: "
            "every gradient before it and every parameter was finite."
        ),
        "gradient": N_("In step {step} the gradient of {name} was the first to become {value}{through}{others}."),
        "weight": N_(
            "The update of step {step} made {name} {value}: the step was too long, and the loss after it is lost."
        ),
    }
    return gettext(keys[lost.kind], step=lost.step, value=value, name=lost.name, through=through, others=others)


def rectifiers(facts: Training) -> list[str]:
    """What the rectifiers are called, in the order in which a forward pass comes to them."""
    if facts.relus > len(facts.units):
        return [gettext("{name} ({count})", name=gettext("all rectifiers"), count=facts.relus)]
    return [gettext("{kind} {number}", kind=kind, number=number) for number, kind in enumerate(facts.kinds, start=1)]


def group(name: str, count: int) -> str:
    """What a row of several parameters is called."""
    if not name:
        return gettext("{name} ({count})", name=gettext("all parameters"), count=count)
    return gettext("{name} ({count} parameters)", name=name, count=count) if count > 1 else name
