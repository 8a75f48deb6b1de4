"""What is said of the memory of a program: sentences for every form of the picture, and its listing."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from minitorch.language import N_, gettext
from minitorch.viz.drawing.text import aligned, shortened
from minitorch.viz.facts.counting import counted
from minitorch.viz.facts.memory import (
    KINDS,
    Holder,
    Kind,
    Life,
    Phase,
    Place,
    Remaining,
    Role,
    Row,
    Run,
    rows,
    share,
    size,
)

MOST_LEFT = 4  # groups of arrays that are told of; the listing has all
MOST_NAMES = 3
MOST_LEVELS = 6
LISTED = 24  # rows of the listing

_KINDS: dict[Kind, tuple[str, str]] = {
    "parameter": (N_("parameters"), N_("a parameter")),
    "state": (N_("optimizer, buffers"), N_("kept by the optimizer or a module")),
    "input": (N_("given arrays"), N_("given: no operation made it")),
    "gradient": (N_("gradients"), N_("the gradient of a parameter")),
    "activation": (N_("activations"), N_("an activation: saved for the backward pass")),
    "interior": (N_("passing gradients"), N_("a gradient on its way back")),
    "temporary": (N_("temporaries"), N_("a temporary: no gradient rule saved it")),
}
_PHASES: dict[Phase, str] = {
    "before": N_("before"),
    "forward": N_("forward"),
    "within": N_("inside backward"),
    "backward": N_("backward"),
    "collected": N_("gradients handed over"),
    "update": N_("update"),
    "write": N_("in place"),
    "after": N_("after"),
}
_THROUGH: dict[Role, str] = {
    "saved": N_("saved for the backward pass of {ops}"),
    "gradient": N_("a gradient that stays in its node"),
    "value": N_("the value of a result"),
}


def kind(which: Kind) -> str:
    """What arrays of a kind are called."""
    return gettext(_KINDS[which][0])


def phase(which: Phase) -> str:
    """What a phase is called."""
    return gettext(_PHASES[which])


def what(run: Run, moment: int) -> str:
    """What happened at a moment: "backward, 2: linear"."""
    happened = run.moments[moment]
    where = happened.op if happened.place is None else run.places[happened.place].name
    return gettext("{phase}, {where}", phase=phase(happened.phase), where=where) if where else phase(happened.phase)


def at(run: Run, moment: int) -> str:
    """How many bytes are alive at a moment, and of what."""
    last = len(run.moments) - 1
    whole = size(int(run.reached[moment]))
    said = gettext(
        "Moment {number} of {last} ({what}): {size}.", number=moment, last=last, what=what(run, moment), size=whole
    )
    return f"{said} {parts(run, moment)}."


def parts(run: Run, moment: int) -> str:
    """What is alive, in per cent, the largest part first."""
    levels = [int(level) for level in run.levels[moment]]
    order = sorted(range(len(KINDS)), key=lambda number: -levels[number])
    said = [
        gettext("{share} % {kind}", share=share(levels[number], sum(levels)), kind=kind(KINDS[number]))
        for number in order
        if share(levels[number], sum(levels))
    ]
    return ", ".join(said) or size(0)


def summary(run: Run) -> list[str]:
    """The peak, what is left at the end, and what holds most of that."""
    last = len(run.moments) - 1
    peak = run.peak
    found = [
        gettext(
            "Peak {size} at moment {number} of {last} ({what}): {parts}.",
            size=size(int(run.reached[peak])),
            number=peak,
            last=last,
            what=what(run, peak),
            parts=parts(run, peak),
        )
    ]
    if run.moments[peak].inside:
        found.append(
            gettext(
                "Measured by tracemalloc, {size} of the peak was needed inside that moment alone.",
                size=size(run.moments[peak].inside),
            )
        )
    made = sum(left.nbytes for left in run.remaining)
    end = size(int(run.totals[-1]))
    found.append(
        gettext("At the end {size}, of which {made} was made on the way.", size=end, made=size(made))
        if made
        else gettext("At the end {size}; nothing that was made on the way is left.", size=end)
    )
    return [*found, *(_holder(holder) for holder in _named(run)[:1])]


def _named(run: Run) -> list[Holder]:
    """What holds results, has a name, and has a graph or arrays behind it."""
    return [holder for holder in run.holders if holder.name and holder.nbytes and holder.places]


def _holder(holder: Holder) -> str:
    tensors = counted("1 result", "{count} results", holder.tensors)
    places = counted("1 node", "{count} nodes", holder.places)
    return gettext(
        "{name} holds {tensors}, with {places} of the graph and {size} behind.",
        name=holder.name,
        tensors=tensors,
        places=places,
        size=size(holder.nbytes),
    )


def left(run: Run, most: int | None = MOST_LEFT) -> list[str]:
    """What is left of what was made on the way: which arrays, why, and what else holds them."""
    found = [_left(each) for each in run.remaining[:most]]
    if most is not None and len(run.remaining) > most:
        found.append(f"… {gettext('{count} more', count=len(run.remaining) - most)}")
    found += _climb(run)
    named = _named(run)
    found += [_holder(holder) for holder in named[1:most]]
    if any(holder.container and holder.scalar and holder.tensors > 1 for holder in named):
        found.append(
            gettext(
                "A single number that is kept as a Tensor keeps all that it was computed from: keep "
                "loss.item(), or compute it under no_grad()."
            )
        )
    return found


def _left(each: Remaining) -> str:
    what = f"{each.scope}: {each.op}" if each.scope else each.op
    key = N_("{count} × {what}, {shape} {dtype}, {size}") if each.count > 1 else N_("{what}, {shape} {dtype}, {size}")
    found = [
        gettext(key, count=each.count, what=what, shape=each.shape, dtype=each.dtype, size=size(each.nbytes)),
        *([gettext("made at {line}", line=each.line)] if each.line else []),
        gettext(_THROUGH[each.through], ops=", ".join(each.savers)),
    ]
    more = len(each.holders) - MOST_NAMES
    names = [*each.holders[:MOST_NAMES], *([gettext("{count} more", count=more)] if more > 0 else [])]
    found.append(
        gettext("held through {names}", names=", ".join(names))
        if names
        else gettext("what holds it has no name that can be seen from here")
    )
    return "; ".join(found) + "."


def _climb(run: Run) -> list[str]:
    """How much was alive whenever one more of the largest group came, where that grew from one to the next."""
    if not run.remaining or run.remaining[0].count < 3:
        return []
    group = run.remaining[0]
    births = sorted(
        life.birth
        for life in run.lives
        if life.death is None and life.kind == group.kind and life.shape == group.shape
        and _made(run.places[life.place]) == (group.op, group.scope, group.line)
    )  # fmt: skip
    levels = [int(run.totals[birth]) for birth in births]
    if any(after <= before for before, after in pairwise(levels)):
        return []
    shown = [size(level) for level in levels[:MOST_LEVELS]] + (["…"] if len(levels) > MOST_LEVELS else [])
    return [
        gettext(
            "It climbs: when each of the {count} was made, {levels} were alive.",
            count=len(levels),
            levels=", ".join(shown),
        )
    ]


def _made(place: Place) -> tuple[str, str, str]:
    return place.op, place.scope, place.line


def compared(runs: Sequence[Run]) -> list[str]:
    """Each run's peak, beside that of the first, and what is left at the end."""
    first = int(runs[0].reached[runs[0].peak])
    found = []
    for run in runs:
        peak = int(run.reached[run.peak])
        off = share(abs(peak - first), first)
        key = (
            N_(", as much as {other}")
            if not off
            else N_(", {share} % less than {other}")
            if peak < first
            else N_(", {share} % more than {other}")
        )
        less = "" if run is runs[0] else gettext(key, share=off, other=runs[0].name)
        saved = size(int(run.levels[run.peak][KINDS.index("activation")]))
        end = size(int(run.totals[-1]))
        found.append(
            gettext(
                "{name}: peak {size}{less}, of which activations {saved}; at the end {end}.",
                name=run.name,
                size=size(peak),
                less=less,
                saved=saved,
                end=end,
            )
        )
    return found


def life(run: Run, each: Life) -> str:
    """When an array was there."""
    born = what(run, each.birth)
    if each.death is None:
        return gettext("from moment {birth} ({born}) to the end, and on", birth=each.birth, born=born)
    return gettext(
        "from moment {birth} ({born}) until moment {death} ({gone})",
        birth=each.birth,
        born=born,
        death=each.death,
        gone=what(run, each.death),
    )


def facts(run: Run, row: Row) -> list[list[str]]:
    """All that is known of a row, as pairs: what, and what of it."""
    place = run.places[row.place]
    found = []
    for each in row.lives:
        said = gettext(_KINDS[each.kind][1])
        found.append([gettext("is"), f"{said}; {each.shape} {each.dtype}, {size(each.nbytes)}"])
        found.append([gettext("alive"), life(run, each)])
        savers = list(dict.fromkeys(run.places[saver].name for saver in each.savers))
        if savers:
            found.append([gettext("saved by"), ", ".join(savers)])
    if place.line:
        found.append([gettext("made at"), place.line])
    return found


def told(runs: Sequence[Run], name: str) -> str:
    """The picture in words."""
    if len(runs) > 1:
        return " ".join([f"{name}.", *compared(runs)])
    return " ".join([f"{name}.", *summary(runs[0]), *left(runs[0])])


def listing(runs: Sequence[Run], name: str, limit: int | None) -> str:
    """All of it as text. name: what the picture is called."""
    found: list[str] = []
    if len(runs) > 1:
        found += [name, *_table_of_runs(runs)]
    for run in runs:
        title = run.name if len(runs) > 1 else name
        found += [*([""] if found else []), title, *summary(run), "", *_table_of_kinds(run), ""]
        found += [*_table_of_rows(run), *([""] if run.remaining else []), *left(run, None)]
    if not any(moment.inside for run in runs for moment in run.moments):
        found += [
            "",
            gettext(
                "Counted are arrays that are there after a moment; what an operation needs only inside itself is not."
            ),
        ]
    return "\n".join(shortened(found, limit))


def _table_of_runs(runs: Sequence[Run]) -> list[str]:
    head = [gettext("run"), gettext("moments"), gettext("at the peak"), kind("activation"), gettext("at the end")]
    table = [
        [
            run.name,
            str(len(run.moments) - 1),
            size(int(run.reached[run.peak])),
            size(int(run.levels[run.peak][KINDS.index("activation")])),
            size(int(run.totals[-1])),
        ]
        for run in runs
    ]
    return aligned([head, *table], tuple(head[1:]))


def _table_of_kinds(run: Run) -> list[str]:
    head = [gettext("kind"), gettext("at the peak"), gettext("at the end")]
    table = [
        [kind(which), size(int(run.levels[run.peak][number])), size(int(run.levels[-1][number]))]
        for number, which in enumerate(KINDS)
        if run.levels[:, number].any()
    ]
    table.append([gettext("together"), size(int(run.totals[run.peak])), size(int(run.totals[-1]))])
    return aligned([head, *table], tuple(head[1:]))


def _table_of_rows(run: Run) -> list[str]:
    shown, others = rows(run, LISTED)
    if not shown:
        return []
    bytes_, from_, to = gettext("bytes"), gettext("from"), gettext("until")
    head = [gettext("array"), gettext("kind"), bytes_, from_, to]
    table = [
        [
            run.places[row.place].name,
            kind(each.kind),
            size(each.nbytes),
            str(each.birth),
            gettext("the end") if each.death is None else str(each.death),
        ]
        for row in shown
        for each in row.lives
    ]
    lines = aligned([head, *table], (bytes_, from_, to))
    return [*lines, *([f"… {rest(others)}"] if others else [])]


def rest(others: Sequence[Row]) -> str:
    """The rows that are not shown."""
    return counted("1 smaller one, not shown", "{count} smaller ones, not shown", len(others))
