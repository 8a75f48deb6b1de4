"""The newest figures of a training, each with a grade: what viz.live says of a parameter or a rectifier, at its node.

The grades are those of the board. An update of a thousandth of the weight is a healthy one, and one that is more than a
power of ten away from that is small or large. A gradient is told apart from the largest one over eight powers of ten:
in the lower half of them it is small, below them it vanishes. A rectifier is named as soon as one unit of it is dead;
where all are, nothing comes through it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from minitorch.language import N_, gettext
from minitorch.viz.facts import words
from minitorch.viz.facts.flat_sides import FLAT, KINDS
from minitorch.viz.facts.model import Graph, NodeFacts
from minitorch.viz.facts.training import DECADES, HEALTHY, NONE, Training

By = Literal["gradient", "update", "dead"]
BYS: tuple[str, ...] = get_args(By)
WORST = 2  # the level that is ringed
SAID = 4  # bad ones that are named in a sentence
NEAR = 10.0  # times a healthy update, or a tenth of it


@dataclass(frozen=True, slots=True)
class Grade:
    """said: the figure, as "gradient 0.3". word: what it is worth, as "vanishing". level: 0 fine, 1 to look at, 2 bad.

    weight: of two grades of one level the heavier is the worse.
    """

    said: str
    word: str
    level: int
    weight: float = 0.0

    @property
    def rank(self) -> tuple[int, float]:
        """The larger, the worse."""
        return self.level, self.weight


@dataclass(frozen=True)
class Graded:
    """The grades in one graph. at: by node. named: (name, grade) of each parameter and rectifier. legend: in words."""

    at: Mapping[int, Grade]
    named: Sequence[tuple[str, Grade]]
    legend: str

    @property
    def ranked(self) -> list[tuple[str, Grade]]:
        """Those with a name, the worst first."""
        return sorted(self.named, key=lambda each: each[1].rank, reverse=True)

    @property
    def told(self) -> str:
        """The worst ones by name, or that there is none, and the legend."""
        bad = [(name, grade) for name, grade in self.ranked if grade.level == WORST]
        first = "; ".join(f"{name}, {grade.said}: {grade.word}" for name, grade in bad[:SAID])
        more = gettext("; and {count} more", count=len(bad) - SAID) if len(bad) > SAID else ""
        worst = gettext("To be looked at first: {bad}.", bad=f"{first}{more}") if bad else gettext("Nothing is bad.")
        return f"{worst} {self.legend}"


def graded(facts: Training, graph: Graph, by: By, called: Mapping[str, str]) -> Graded:
    """The figures of a training at the nodes of a graph. called: what a watched parameter is called there.

    Raises ValueError where the graph has nothing of what was watched, or nothing was measured.
    """
    leaves = {node.label: node.idx for node in graph.nodes if node.kind == "leaf" and node.label}
    place = {name: leaves.get(called.get(name, name)) for name in facts.names}
    if not any(idx is not None for idx in place.values()):
        raise ValueError(
            f"board.graph: this is no loss of the watched model: its graph has none of the parameters "
            f"{', '.join(facts.names[:3])}; give the loss of the same model, and model=… or names=… where the training "
            f"has ended and the model is gone"
        )
    at: dict[int, Grade] = {}
    named: list[tuple[str, Grade]] = []
    for name, grade in [] if by == "dead" else zip(facts.names, _of_parameters(facts, by), strict=True):
        idx = place[name]
        if idx is not None and grade is not None:
            at[idx] = grade
            named.append((name, grade))
    found = _rectifiers(facts, graph)
    for number, (node, (dead, units)) in enumerate(zip(found, facts.each_dead, strict=False)):
        at[node.idx] = _of_units(dead, units)
        named.append((gettext("{kind} {number}", kind=facts.kinds[number], number=number + 1), at[node.idx]))
    if not named:
        raise ValueError(NOTHING[by])
    return Graded(at, named, gettext(LEGENDS[by]))


LEGENDS = {
    "gradient": N_(
        "Grey: fine. Yellow: small, more than four powers of ten below the largest gradient. Ringed: vanishing, more "
        "than eight below it, 0, none, or lost to nan or inf. Rectifiers: the share of dead units, yellow from the "
        "first on, ringed where all are dead."
    ),
    "update": N_(
        "Grey: fine, within a power of ten of a thousandth of the weight. Yellow: small. Ringed: large, 0, or lost to "
        "nan or inf. Rectifiers: the share of dead units, yellow from the first on, ringed where all are dead."
    ),
    "dead": N_("Grey: no unit is dead. Yellow: some. Ringed: all of them."),
}
NOTHING = {
    "gradient": "board.graph: no gradient was seen: tell the loss after the backward pass, or give the optimizer",
    "update": "board.graph: no update was measured: give viz.live the optimizer, whose steps it measures",
    "dead": 'board.graph: no operation of this graph was watched for dead units: ask by="gradient" or by="update"',
}


def _of_parameters(facts: Training, by: By) -> list[Grade | None]:
    if by == "update":
        return [None if ratio is None else _of_update(ratio) for ratio in _all(facts.last_ratios, facts)]
    norms = [None if square in (None, NONE) else math.sqrt(square) for square in _all(facts.last, facts)]
    largest = max((norm for norm in norms if norm is not None and math.isfinite(norm)), default=0.0)
    return [_of_gradient(norm, largest) for norm in norms] if facts.last else [None] * len(norms)


def _all(row: Sequence[float | None], facts: Training) -> Sequence[float | None]:
    return row or [None] * len(facts.names)


def _of_gradient(norm: float | None, largest: float) -> Grade:
    if norm is None:
        return Grade(gettext("no gradient"), gettext("not reached"), 2)
    said = gettext("gradient {norm}", norm=words.number(norm, words.TYPESET))
    if not math.isfinite(norm):
        return Grade(said, gettext("lost"), 2, math.inf)
    if norm == 0:
        return Grade(said, gettext("nothing arrives"), 2, DECADES + 1.0)
    below = math.log10(largest / norm)
    if below > DECADES:
        return Grade(said, gettext("vanishing"), 2, below)
    return Grade(said, gettext("small"), 1, below) if below > DECADES / 2 else Grade(said, gettext("fine"), 0, below)


def _of_update(ratio: float) -> Grade:
    said = gettext("update {ratio} of weight", ratio=words.number(ratio, words.TYPESET))
    if not math.isfinite(ratio):
        return Grade(said, gettext("lost"), 2, math.inf)
    if ratio == 0:
        return Grade(said, gettext("does not move"), 2, 0.0)
    away = math.log10(ratio / HEALTHY)
    if abs(away) <= math.log10(NEAR):
        return Grade(said, gettext("fine"), 0, abs(away))
    return Grade(said, gettext("large"), 2, away) if away > 0 else Grade(said, gettext("small"), 1, -away)


def _of_units(dead: int, units: int) -> Grade:
    share = dead / max(units, 1)
    said = gettext("dead {share} %", share=words.number(round(100 * share), words.TYPESET))
    if not dead:
        return Grade(said, gettext("fine"), 0)
    return Grade(said, gettext("all dead" if dead == units else "dead units"), 2 if dead == units else 1, share)


def _rectifiers(facts: Training, graph: Graph) -> list[NodeFacts]:
    """The nodes of the watched rectifiers, in their order; none where the graph has others than were watched."""
    found: list[NodeFacts] = []
    for node in graph.nodes:
        if node.op not in FLAT:
            continue
        wanted = facts.kinds[len(found)] if len(found) < len(facts.kinds) else ""
        if wanted in KINDS[node.op] and _has_a_flat_side(graph, node):
            found.append(node)
    return found if len(found) == len(facts.kinds) else []


def _has_a_flat_side(graph: Graph, node: NodeFacts) -> bool:
    """Whether a maximum is one of a Tensor and 0."""
    if KINDS[node.op] != ("max(x, 0)",):
        return True
    known = [graph.nodes[edge.src] for edge in graph.operands[node.idx]]
    return len(known) == 1 or any(each.value is not None and each.value.is_zero and each.shape == () for each in known)


def table(found: Graded) -> list[list[str]]:
    """The rows of a listing, the worst first."""
    head = [gettext("of"), gettext("figure"), gettext("grade")]
    return [head, *([name, grade.said, grade.word] for name, grade in found.ranked)]


def worst(grades: Sequence[Grade]) -> Grade:
    """What a box says that holds several."""
    found = max(grades, key=lambda grade: grade.rank)
    return found if len(grades) == 1 else Grade(gettext("worst: {said}", said=found.said), found.word, *found.rank)
