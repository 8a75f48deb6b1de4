"""What `viz.compare` says in words: its caption, the words that stand for its picture, and its listing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from minitorch.language import N_, gettext
from minitorch.viz.drawing.text import aligned, shortened
from minitorch.viz.facts import births, words
from minitorch.viz.facts.counting import counted
from minitorch.viz.facts.differences import Compared
from minitorch.viz.facts.model import Graph, NodeFacts
from minitorch.viz.facts.surroundings import Part, Rest

TOLD_NODES = 12  # a comparison of more nodes is described as a whole only
TOLD = 8  # differences after the first that are described; further ones are counted
WHERE = {
    "before": N_("before it"),
    "beside": N_("beside it"),
    "between": N_("in between"),
    "after": N_("after it"),
}
COUNTS: dict[str, Callable[[int], str]] = {
    "op": lambda count: counted("1 operation", "{count} operations", count),
    "leaf": lambda count: counted("1 leaf", "{count} leaves", count),
    "constant": lambda count: counted("1 constant", "{count} constants", count),
}
TOTALS = {
    "op": N_("operations, each matched with its counterpart"),
    "leaf": N_("leaves, matched as well"),
    "constant": N_("constants, matched as well"),
}
# What differs, in two words; whatever else it may be is called built differently.
DIFFER: dict[str, Callable[[int], str]] = {
    "value": lambda count: counted("1 value", "{count} values", count),
    "gradient": lambda count: counted("1 gradient", "{count} gradients", count),
    "": lambda count: counted("1 place built in another way", "{count} places built in another way", count),
}


def description(facts: Compared, part: Part | None) -> str:
    """The picture for those who do not see it: the verdict, the differences after the first, where a nan comes from,
    and in a small graph every node.
    """
    found = [
        sentence(facts),
        *(gettext("Also: {difference}.", difference=each) for each in facts.differences[1:][:TOLD]),
    ]
    further = len(facts.differences) - 1 - TOLD
    if further > 0:
        found.append(counted("1 further place differs.", "{count} further places differ.", further))
    for side in (0, 1):
        born = births.told(births_of(facts, side), facts.united, facts.names)
        found += born[:TOLD]
        if len(born) > TOLD:
            found.append(
                counted(
                    "nan or inf is born, or first seen, in 1 further place.",
                    "nan or inf is born, or first seen, in {count} further places.",
                    len(born) - TOLD,
                )
            )
    shown = [place for place in range(len(facts.names)) if _is_shown(facts, place)]
    if len(shown) <= TOLD_NODES:
        nodes = [_told_node(facts, place) for place in shown]
        found.append(f"{'; '.join(nodes)}.")
    for rest in part.rests if part else ():
        found.append(f"{', '.join([rest_where(rest), *rest_lines(facts, rest, None)])}.")
    if part is None:
        found += [f"{count} {said}." for count, said in totals(facts)]
    return " ".join([*found, *filter(None, [note(facts, part)])])


def note(facts: Compared, part: Part | None) -> str:
    """What is to be said below a picture that does not show every node: how much it shows, and what equal means."""
    if part is not None and not part.rests:
        return ""
    equal = gettext(
        "Numbers agree if no further apart than rounding: {share} % of a number, more where larger ones were added up.",
        share=words.number(100 * facts.rounding),
    )
    if part is None:
        return equal
    shown, whole = len(part.items) - len(part.rests), len(facts.names)
    drawn = gettext(
        "Drawn one by one: {shown} of {count} nodes. The stacked boxes count the rest.", shown=shown, count=whole
    )
    return f"{drawn} {equal}"


def rest_where(rest: Rest) -> str:
    """Where a group stands, in two words."""
    return gettext(WHERE[rest.where])


def rest_lines(facts: Compared, rest: Rest, side: int | None) -> list[str]:
    """What a group holds of one side, or of both, and whether it differs."""
    own = (facts.mine, facts.reference)[side or 0]
    nodes = [own[place] or (facts.united.nodes[place] if side is None else None) for place in rest.places]
    kinds = Counter[str](node.kind for node in nodes if node is not None)
    said = [count(kinds[kind]) for kind, count in COUNTS.items() if kinds[kind]]
    lines = [", ".join(said) or gettext("nothing of it")]
    places = {*rest.places}
    differing = Counter(each.kind if each.kind in DIFFER else "" for each in facts.differences if each.place in places)
    values, gradients = facts.values & places, facts.gradients & places
    if differing:
        said = [count(differing[kind]) for kind, count in DIFFER.items() if differing[kind]]
        lines.append(gettext("differ: {what}", what=", ".join(said)))
    elif values or gradients:
        lines.append(gettext("all that was compared agrees"))
    graded = {place for place in places if facts.united.nodes[place].kind != "constant"}
    compared = {"values": len(values), "all": len(places), "gradients": len(gradients), "graded": len(graded)}
    lines.append(gettext("compared: {values} of {all} values, {gradients} of {graded} gradients", **compared))
    born = places & {*sure_births(facts, 0), *sure_births(facts, 1)}
    return (
        [*lines, counted("nan or inf born in 1 place", "nan or inf born in {count} places", len(born))]
        if born
        else lines
    )


def totals(facts: Compared) -> list[tuple[int, str]]:
    """How much there was to compare, where all of it is the same: how many, and of what."""
    pairs = [a for a, b in zip(facts.mine, facts.reference, strict=True) if a is not None and b is not None]
    kinds = Counter[str](node.kind for node in pairs)
    found = [(kinds[kind], gettext(key)) for kind, key in TOTALS.items()]
    for key, compared, whole in (
        (N_("values agree"), facts.values, len(pairs)),
        (N_("gradients agree"), facts.gradients, facts.nodes),
    ):
        more = (
            gettext(" ({count} more are not kept by both graphs, so not compared)", count=whole - len(compared))
            if len(compared) < whole
            else ""
        )
        found.append((len(compared), gettext(key) + more))
    return [each for each in found if each[0]]


def _told_node(facts: Compared, place: int) -> str:
    """A node with what either side holds of it."""
    mine = ", ".join(_told(facts.mine[place], gettext("not here")))
    reference = ", ".join(_told(facts.reference[place], gettext("not there")))
    return gettext("{name}: {mine} here, {reference} there", name=facts.names[place], mine=mine, reference=reference)


def births_of(facts: Compared, side: int) -> dict[int, births.Birth]:
    """Where a nan or an inf comes from in one of the two graphs, by place; what is known for sure first."""
    own = (facts.mine, facts.reference)[side]
    edges = zip(facts.alignment.edges, facts.alignment.owners, strict=True)
    graph = replace(one_side(facts.united, own), edges=tuple(edge for edge, owners in edges if owners[side]))
    found = {place: birth for place, birth in births.births(graph).items() if own[place] is not None}
    return dict(sorted(found.items(), key=lambda each: not each[1].sure))


def sure_births(facts: Compared, side: int) -> list[int]:
    """The places of those that are known to be births, and not only where something of it is first seen."""
    return [place for place, birth in births_of(facts, side).items() if birth.sure]


def sentence(facts: Compared) -> str:
    """The verdict as a sentence."""
    return f"{facts.verdict[0].upper()}{facts.verdict[1:]}."


def caption(facts: Compared) -> str:
    """What stands above the two graphs."""
    more = len(facts.differences) - 1
    rest = "" if more < 1 else counted(" 1 more place differs.", " {count} more places differ.", more)
    return words.typeset(sentence(facts) + rest)


def one_side(united: Graph, own: tuple[NodeFacts | None, ...]) -> Graph:
    """The graph of all places with the nodes of one side; a place that it has not keeps the other side's node."""
    nodes = tuple(
        replace(other if node is None else node, idx=other.idx, label=(node.label if node else "") or other.label)
        for node, other in zip(own, united.nodes, strict=True)
    )
    return Graph(nodes, united.edges, united.root, united.scalar)


def listing(facts: Compared, limit: int | None) -> str:
    """The verdict, then one line a node, newest first, then what else differs."""
    gradient = gettext("its gradient")
    heads = (
        gettext("node"),
        gettext("made by"),
        gettext("mine"),
        gradient,
        gettext("reference"),
        gradient,
    )
    rows = [["", *heads]]
    rows += [_row(facts, place) for place in reversed(range(len(facts.names))) if _is_shown(facts, place)]
    later = [
        gettext("also: {difference}", difference=each)
        for each in shortened([str(each) for each in facts.differences[1:]], limit)
    ]
    return "\n".join([facts.verdict, *shortened(aligned(rows, ()), limit), *later])


def _is_shown(facts: Compared, place: int) -> bool:
    nodes = [node for node in (facts.mine[place], facts.reference[place]) if node is not None]
    return any(node.kind != "constant" or node.label for node in nodes)


def _row(facts: Compared, place: int) -> list[str]:
    """The cells of one node: a mark where it differs, its name, how it was made, and what either side holds."""
    differing = [each.place for each in facts.differences]
    mark = "" if place not in differing else "!=>" if place == differing[0] else "!="
    mine, reference = facts.mine[place], facts.reference[place]
    made = _made(mine, reference)
    told = _told(mine, gettext("not here")), _told(reference, gettext("not there"))
    return [mark, facts.names[place], made, *told[0], *told[1]]


def _made(mine: NodeFacts | None, reference: NodeFacts | None) -> str:
    """The operation, with both spellings if they differ."""
    said = [node.op or words.kind(node) for node in (mine, reference) if node is not None]
    return " | ".join(dict.fromkeys(said))


def _told(node: NodeFacts | None, absent: str) -> list[str]:
    if node is None:
        return [absent, "-"]
    shape = "" if node.shape in ((), None) else f"{node.shape} "
    value = gettext("not kept") if node.value is None else words.reading(node.value)
    return [f"{shape}{value}", words.gradient(node, node.grad).removeprefix("grad ")]
