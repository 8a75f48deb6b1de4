"""A large graph, folded: which nodes are drawn as one, and what is inside that, and inside that.

The operations in the order of creation are a row; a group is a stretch of it, so that nothing ever goes out of a group
and comes back in. Stretches are, from outside in: calls of modules, or else what makes a node that the user named;
repetitions; and where there is still too much side by side, sections of a dozen, cut where least is cut. Leaves belong
to the innermost group that has all their consumers.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from minitorch.language import gettext
from minitorch.viz.facts import scopes, words
from minitorch.viz.facts.model import Graph
from minitorch.viz.facts.repeats import repeats

LARGE = 60  # nodes; larger graphs are folded
CROWDED = 28  # things side by side
DOZEN = 12  # in a section
MANY = 9  # sections side by side
REPEATED = 6  # operations that are worth a repetition
A_FEW = 8  # rounds, of a sum, that stand side by side
SAID = 3  # items of a round that are named one by one
NAMED = 3  # operations that are worth a group of their own, where they make a node with a name


@dataclass(slots=True)
class Group:
    """Nodes that are drawn as one. items: what is side by side in it: nodes by their number, and groups.

    title: what it is called; what: what it is, as "Block × 6"; repeated: its items are rounds, one like the other.
    first, stop: the places of its operations in their row. leaves: those that nothing outside takes. nodes: how many
    there are in it, all told.
    """

    title: str
    what: str
    items: list[int | Group]
    first: int
    stop: int
    kind: int  # equal numbers: one like the other
    repeated: bool = False
    leaves: list[int] = field(default_factory=list)
    nodes: int = 0

    def __post_init__(self) -> None:
        self.nodes = self.stop - self.first

    @property
    def groups(self) -> list[Group]:
        """Those of its items that are groups."""
        return [each for each in self.items if isinstance(each, Group)]


class Folding:
    """A graph as a tree of groups.

    top: the group of everything. operations: the row, as numbers of nodes; place_of: where in it each stands. last: for
    each place that of its last consumer, one behind the row for a result. home: the group of each leaf.
    """

    def __init__(
        self, graph: Graph, kinds: Mapping[str, str] | None = None, names: tuple[str, ...] | None = None
    ) -> None:
        self.graph = graph
        self.names = words.names(graph) if names is None else names
        self.operations = [node.idx for node in graph.nodes if node.kind == "op"]
        self._kinds = kinds or {}
        self.home: dict[int, Group] = {}  # of the leaves
        self._numbers: dict[object, int] = {}
        self._alike: dict[object, int] = {}  # modules of one kind with equal parameters: the kind of their group
        self._look_along()
        self.top = Group("", "", self._in_stretches(), 0, len(self.operations), -1)
        self._settle(self.top)
        self._give_leaves()
        self._open_single()

    def _look_along(self) -> None:
        """What is known of each place in the row: its kind, its last consumer, and how much a border there cuts."""
        graph = self.graph
        self.place_of = {idx: place for place, idx in enumerate(self.operations)}
        last = list(range(len(self.operations)))
        self._kind_of = []
        for place, idx in enumerate(self.operations):
            node, operands = graph.nodes[idx], graph.operands[idx]
            for edge in operands:
                if edge.src in self.place_of:
                    last[self.place_of[edge.src]] = place
            self._kind_of.append(self._number((node.op, node.folded, node.shape, len(operands))))
        for end in graph.ends:
            if end in self.place_of:
                last[self.place_of[end]] = len(last)
        opened = [0] * (len(last) + 2)
        for place, end in enumerate(last):
            opened[place + 1] += 1
            opened[end + 1] -= 1
        self.last, self._cut = last, list(accumulate(opened))

    def _number(self, what: object) -> int:
        return self._numbers.setdefault(what, len(self._numbers))

    # -- modules and names -------------------------------------------------------------------------------------------

    def _in_stretches(self) -> list[int | Group]:
        made_in = [self.graph.nodes[idx].scope for idx in self.operations]
        if any(made_in):
            paths = [tuple(scope.split(".")) if scope else () for scope in made_in]
            return self._modules(paths, 0, len(paths), 0)
        return self._named()

    def _modules(self, paths: Sequence[tuple[str, ...]], low: int, high: int, depth: int) -> list[int | Group]:
        """The operations from low to high, those of one module in one group."""
        items: list[int | Group] = []
        place = low
        while place < high:
            part = paths[place][: depth + 1]
            if len(part) == depth:
                items.append(self.operations[place])
                place += 1
                continue
            stop = place
            while stop < high and paths[stop][: depth + 1] == part:
                stop += 1
            inside = self._modules(paths, place, stop, depth + 1)
            path = ".".join(part)
            what = self._kinds.get(path, "")
            alike = len({self._kind(item) for item in inside}) == 1
            if what in scopes.LISTS and not (alike and len(inside) > 1):  # they are called one by one, not as a whole
                items += inside
            elif len(inside) == 1 and isinstance(inside[0], Group) and not what:
                items.append(inside[0])  # a path that is no module of its own
            else:
                key = what or ("" if part[-1].isdigit() else part[-1])
                group = self._group(path, what, inside, place, stop, key)
                if what and part[-1].isdigit():  # one of a list
                    group.kind = self._alike.setdefault((what, *self._owned(path, place, stop)), group.kind)
                items.append(group)
            place = stop
        return items

    def _owned(self, path: str, low: int, high: int) -> list[tuple[str, object]]:
        """A module's parameters that these operations take: what each is called in it, and its shape.

        Modules of one kind whose parameters are alike are alike, though in the first of a row an operation may be
        missing, where what comes in needs no gradient, so that nobody recorded what was done to it.
        """
        nodes = self.graph.nodes
        taken = {edge.src for idx in self.operations[low:high] for edge in self.graph.operands[idx]}
        leaves = [nodes[idx] for idx in taken if nodes[idx].kind == "leaf" and nodes[idx].label.startswith(f"{path}.")]
        return sorted((leaf.label.removeprefix(path), leaf.shape) for leaf in leaves) or [("", low)]

    def _named(self) -> list[int | Group]:
        """Stretches that make a node with a name, and of which nothing else is used later; the inner ones inside."""
        items: list[int | Group] = []
        starts: list[int] = []  # of the items
        for place, idx in enumerate(self.operations):
            items.append(idx)
            starts.append(place)
            if not self.graph.nodes[idx].label or idx in self.graph.ends:
                continue
            first = place
            while first > 0 and self.last[first - 1] <= place:
                first -= 1
            if place - first + 1 >= NAMED:
                at = bisect_left(starts, first)
                group = self._group(self.names[idx], "", items[at:], starts[at], place + 1, "named")
                items[at:], starts[at:] = [group], [starts[at]]
        return items

    def _group(self, title: str, what: str, items: list[int | Group], first: int, stop: int, key: str) -> Group:
        kind = self._number((key, *map(self._kind, items)))
        return Group(title, what, items, first, stop, kind)

    def _kind(self, item: int | Group) -> int:
        return item.kind if isinstance(item, Group) else self._kind_of[self.place_of[item]]

    def first_of(self, item: int | Group) -> int:
        """The place of an item's first operation."""
        return item.first if isinstance(item, Group) else self.place_of[item]

    def stop_of(self, item: int | Group) -> int:
        """The place after an item's last operation."""
        return item.stop if isinstance(item, Group) else self.place_of[item] + 1

    # -- repetitions and sections ------------------------------------------------------------------------------------

    def _settle(self, top: Group) -> None:
        """Folds repetitions, and cuts what is too long, in every group."""
        waiting = [top]
        while waiting:
            group = waiting.pop()
            while len(group.items) == 1 and isinstance(only := group.items[0], Group):
                group.items, group.repeated = only.items, only.repeated
            if not group.repeated:
                group.items = self._repeated(group)
            if len(group.items) > CROWDED:
                group.items = self._sections(group)
            waiting += group.groups

    def _repeated(self, group: Group) -> list[int | Group]:
        """The items with their repetitions folded; a group that is nothing else becomes the repetition itself."""
        items = group.items
        kinds = [self._kind(item) for item in items]
        if group.stop - group.first < REPEATED or len({*kinds}) == len(kinds):
            return items
        weights = [self.stop_of(item) - self.first_of(item) for item in items]
        cuts = [self._cut[self.first_of(item)] for item in items]
        found: list[int | Group] = []
        done = 0

        def comes_in(low: int, high: int) -> int:
            return self._comes_in(self.first_of(items[low]), self.stop_of(items[high - 1]))

        for repeat in repeats(kinds, weights, cuts, comes_in, REPEATED):
            found += items[done : repeat.start - repeat.before]
            done = repeat.stop
            parts = [items[at : at + repeat.period] for at in range(repeat.start, repeat.stop, repeat.period)]
            if repeat.before:  # sums of a few things: the things, and what adds them up
                found.append(self._stretch(items[repeat.start - repeat.before : repeat.start]))
                if repeat.count < A_FEW:
                    for part in parts:
                        found += [self._stretch(part[: repeat.before]), *part[repeat.before :]]
                    continue
            rounds = [part[0] if repeat.period == 1 else self._stretch(part) for part in parts]
            whole = self._stretch(rounds)
            whole.what = f"{self.said(rounds[0])} × {repeat.count}"
            whole.title = _common(rounds) or whole.title
            whole.repeated = True
            if (repeat.start, repeat.stop) == (0, len(items)):
                group.repeated, group.what = True, whole.what
                return rounds
            found.append(whole)
        return found + items[done:]

    def _comes_in(self, first: int, stop: int) -> int:
        """How many results from before are used by the operations from `first` to before `stop`."""
        used = (edge.src for place in range(first, stop) for edge in self.graph.operands[self.operations[place]])
        return len({src for src in used if self.place_of.get(src, first) < first})

    def said(self, item: int | Group) -> str:
        """What an item is, in a word or two."""
        if not isinstance(item, Group):
            return words.badge(self.graph.nodes[item])
        if item.what:
            return item.what
        last = item.title.rpartition(".")[2]
        if item.title and not last.isdigit() and "…" not in item.title:
            return last
        if len(item.items) <= SAID:
            return " → ".join(self.said(each) for each in item.items)
        return gettext("{count} operations", count=item.stop - item.first)

    def _sections(self, group: Group) -> list[int | Group]:
        """A long row in sections of about a dozen, each cut where least is cut nearby."""
        items = group.items
        count = max(2, min(MANY, -(-len(items) // DOZEN)))
        size = len(items) / count
        borders = [0]
        for number in range(1, count):
            middle, spare = round(number * size), int(size / 4)
            near = range(max(borders[-1] + 1, middle - spare), min(len(items) - 1, middle + spare) + 1)
            borders.append(min(near, key=lambda at: (self._cut[self.first_of(items[at])], abs(at - middle))))
        parts = [items[low:high] for low, high in zip(borders, [*borders[1:], len(items)], strict=True)]
        found: list[int | Group] = []
        for part in parts:
            section = self._stretch(part)
            section.repeated = group.repeated
            if group.repeated:
                section.what = f"{self.said(part[0])} × {len(part)}"
            found.append(section)
        return found

    def _stretch(self, items: list[int | Group]) -> Group:
        first, stop = self.first_of(items[0]), self.stop_of(items[-1])
        title = f"{self.names[self.operations[first]]} … {self.names[self.operations[stop - 1]]}"
        return self._group(title, "", items, first, stop, "")

    # -- leaves ------------------------------------------------------------------------------------------------------

    def _give_leaves(self) -> None:
        """Every leaf to the innermost group that has all its consumers."""
        reach: dict[int, tuple[int, int]] = {}
        for edge in self.graph.edges:
            if self.graph.nodes[edge.src].kind != "op":
                place = self.place_of[edge.dst]
                low, high = reach.get(edge.src, (place, place))
                reach[edge.src] = min(low, place), max(high, place)
        owner: list[dict[int, Group]] = []
        self._spans(owner)
        for node in self.graph.nodes:
            if node.kind == "op":
                continue
            low, high = reach.get(node.idx, (0, len(self.operations)))
            found = self.top
            for depth in owner:
                inner = depth.get(low)
                if inner is None or high >= inner.stop:
                    break
                found = inner
                inner.nodes += 1
            found.leaves.append(node.idx)
            self.home[node.idx] = found

    def _open_single(self) -> None:
        """A group of one node is that node."""
        waiting = [self.top]
        while waiting:
            group = waiting.pop()
            group.items = [
                self.operations[each.first] if isinstance(each, Group) and each.nodes == 1 else each
                for each in group.items
            ]
            waiting += group.groups

    def _spans(self, owner: list[dict[int, Group]]) -> None:
        """For each depth: which group an operation is in, by its place."""
        level = self.top.groups
        while level:
            owner.append({place: group for group in level for place in range(group.first, group.stop)})
            level = [inner for group in level for inner in group.groups]


def _common(rounds: Sequence[int | Group]) -> str:
    """The path that modules in a row have in common, as "blocks" of "blocks.0" and "blocks.1"."""
    titles = [each.title.split(".") for each in rounds if isinstance(each, Group) and "…" not in each.title]
    if len(titles) < len(rounds):
        return ""
    shared = titles[0][:-1]
    same = all(title[:-1] == shared for title in titles)
    return ".".join(shared) if same else ""
