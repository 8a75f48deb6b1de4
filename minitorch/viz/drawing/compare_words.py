"""What `viz.compare` says in words: its caption, the words that stand for its picture, and its listing."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from minitorch.viz.drawing.text import aligned, shortened
from minitorch.viz.facts import births, words
from minitorch.viz.facts.differences import Compared
from minitorch.viz.facts.model import Graph, NodeFacts
from minitorch.viz.facts.surroundings import Part, Rest
from minitorch.viz.texts.catalogue import counted, say

TOLD_NODES = 12  # a comparison of more nodes is described as a whole only
TOLD = 8  # differences after the first that are described; further ones are counted
WHERE = {
    "before": "compare_before",
    "beside": "compare_beside",
    "between": "compare_between",
    "after": "compare_after",
}
COUNTS = {
    "op": ("graph_operation", "graph_operations"),
    "leaf": ("compare_leaf_one", "fold_leaves"),
    "constant": ("compare_constant_one", "fold_constants"),
}
TOTALS = {"op": "compare_total_op", "leaf": "compare_total_leaf", "constant": "compare_total_constant"}
# What differs, in two words; whatever else it may be is called built differently.
DIFFER = {
    "value": ("compare_values_one", "compare_values"),
    "gradient": ("gradients_one", "gradients"),
    "": ("compare_built_one", "compare_built"),
}


def description(facts: Compared, part: Part | None) -> str:
    """The picture for those who do not see it: the verdict, the differences after the first, where a nan comes from,
    and in a small graph every node.
    """
    found = [sentence(facts), *(say("compare_also", difference=each) for each in facts.differences[1:][:TOLD])]
    further = len(facts.differences) - 1 - TOLD
    if further > 0:
        found.append(counted("compare_further_one", "compare_further", further))
    for side in (0, 1):
        born = births.told(births_of(facts, side), facts.united, facts.names)
        found += born[:TOLD]
        if len(born) > TOLD:
            found.append(counted("compare_unfinite_one", "compare_unfinite", len(born) - TOLD))
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
    equal = say("compare_equal", share=words.number(100 * facts.rounding))
    if part is None:
        return equal
    shown, whole = len(part.items) - len(part.rests), len(facts.names)
    return f"{say('compare_part', shown=shown, count=whole)} {equal}"


def rest_where(rest: Rest) -> str:
    """Where a group stands, in two words."""
    return say(WHERE[rest.where])


def rest_lines(facts: Compared, rest: Rest, side: int | None) -> list[str]:
    """What a group holds of one side, or of both, and whether it differs."""
    own = (facts.mine, facts.reference)[side or 0]
    nodes = [own[place] or (facts.united.nodes[place] if side is None else None) for place in rest.places]
    kinds = Counter[str](node.kind for node in nodes if node is not None)
    said = [counted(*keys, kinds[kind]) for kind, keys in COUNTS.items() if kinds[kind]]
    lines = [", ".join(said) or say("compare_nothing")]
    places = {*rest.places}
    differing = Counter(each.kind if each.kind in DIFFER else "" for each in facts.differences if each.place in places)
    values, gradients = facts.values & places, facts.gradients & places
    if differing:
        said = [counted(*keys, differing[kind]) for kind, keys in DIFFER.items() if differing[kind]]
        lines.append(say("compare_differ", what=", ".join(said)))
    elif values or gradients:
        lines.append(say("compare_agree"))
    graded = {place for place in places if facts.united.nodes[place].kind != "constant"}
    compared = {"values": len(values), "all": len(places), "gradients": len(gradients), "graded": len(graded)}
    lines.append(say("compare_compared", **compared))
    born = places & {*sure_births(facts, 0), *sure_births(facts, 1)}
    return [*lines, counted("compare_born_one", "compare_born", len(born))] if born else lines


def totals(facts: Compared) -> list[tuple[int, str]]:
    """How much there was to compare, where all of it is the same: how many, and of what."""
    pairs = [a for a, b in zip(facts.mine, facts.reference, strict=True) if a is not None and b is not None]
    kinds = Counter[str](node.kind for node in pairs)
    found = [(kinds[kind], say(key)) for kind, key in TOTALS.items()]
    for key, compared, whole in (
        ("compare_total_values", facts.values, len(pairs)),
        ("compare_total_gradients", facts.gradients, facts.nodes),
    ):
        more = say("compare_total_more", count=whole - len(compared)) if len(compared) < whole else ""
        found.append((len(compared), say(key) + more))
    return [each for each in found if each[0]]


def _told_node(facts: Compared, place: int) -> str:
    """A node with what either side holds of it."""
    mine = ", ".join(_told(facts.mine[place], say("compare_not_here")))
    reference = ", ".join(_told(facts.reference[place], say("compare_not_there")))
    return say("compare_told", name=facts.names[place], mine=mine, reference=reference)


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
    rest = "" if more < 1 else counted("compare_more_one", "compare_more", more)
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
    gradient = say("compare_gradient")
    heads = (
        say("list_node"),
        say("compare_made_by"),
        say("compare_mine"),
        gradient,
        say("reference"),
        gradient,
    )
    rows = [["", *heads]]
    rows += [_row(facts, place) for place in reversed(range(len(facts.names))) if _is_shown(facts, place)]
    later = [
        say("compare_also_line", difference=each)
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
    told = _told(mine, say("compare_not_here")), _told(reference, say("compare_not_there"))
    return [mark, facts.names[place], made, *told[0], *told[1]]


def _made(mine: NodeFacts | None, reference: NodeFacts | None) -> str:
    """The operation, with both spellings if they differ."""
    said = [node.op or words.kind(node) for node in (mine, reference) if node is not None]
    return " | ".join(dict.fromkeys(said))


def _told(node: NodeFacts | None, absent: str) -> list[str]:
    if node is None:
        return [absent, "-"]
    shape = "" if node.shape in ((), None) else f"{node.shape} "
    value = say("shapes_not_kept") if node.value is None else words.reading(node.value)
    return [f"{shape}{value}", words.gradient(node, node.grad).removeprefix("grad ")]
