"""Numbers, names and sentences: every form of a picture says the same thing in the same words."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from unicodedata import bidirectional

from minitorch.language import N_, gettext, ngettext
from minitorch.viz.facts.model import Event, Graph, NodeFacts, Reading, Shape, Trace

NAMED = 8  # names in one sentence; further ones are counted
SHORTEST = 4  # entries; longer arrays are described by their norm


@dataclass(frozen=True, slots=True)
class Signs:
    """How the mathematics is spelled: typeset, or in ASCII for terminals of any age."""

    minus: str
    times: str
    arrow: str


TYPESET = Signs(minus="−", times="×", arrow="←")
ASCII = Signs(minus="-", times="*", arrow="<-")
SETS = N_("{giver} sets the gradient of {target}, its first contribution: grad {arrives}.")
ADDS = N_("{giver} adds to {target}: grad {arrives}, now {value}.")

# The sign that a drawing shows for an operation's tag, where the tag itself is hard to see.
_DRAWN = {"*": "×", "-": "−", "/": "÷", "neg": "−x"}


def number(value: float, signs: Signs = ASCII) -> str:
    """Three significant digits; whole numbers below 100,000 as they are.

    >>> number(0.12345), number(1e-7), number(-2.0), number(1234.0), number(123456.0)
    ('0.123', '1e-7', '-2', '1234', '1.23e5')
    """
    if -100_000 < value < 100_000 and value == int(value):
        text = str(int(value))
    else:
        text = f"{value:.3g}"
        if "e" in text:
            mantissa, _, exponent = text.partition("e")
            text = f"{mantissa}e{int(exponent)}"
    return text.replace("-", signs.minus)


def typeset(sentence: str) -> str:
    """A sentence in ASCII with the signs of a drawing; a hyphen within a name stays.

    >>> typeset("w-1 hands on: grad = 2 * -3 = -6")
    'w-1 hands on: grad = 2 × −3 = −6'
    """
    return re.sub(r"(?<![\w)])-(?=\d|inf)", "−", sentence).replace(" * ", " × ")


def reading(read: Reading, signs: Signs = ASCII) -> str:
    """The entries of a small array, the norm of a larger one; that there are none is said.

    >>> reading(Reading((), 2.0, (2.0,))), reading(Reading((2,), 5.0, (3.0, -4.0))), reading(Reading((64,), 0.5))
    ('2', '[3, -4]', 'norm 0.5')
    """
    if read.values is not None and read.shape == ():
        return number(read.values[0], signs)
    if read.is_empty:
        return gettext("empty")
    if is_written(read):
        assert read.values is not None
        return _nested(read.values, read.shape, signs)
    return gettext("norm {size}", size=number(read.norm, signs)) if is_norm(read) else "0"


def is_norm(read: Reading) -> bool:
    """Whether its norm stands for it: a larger array that is not all zeros."""
    return bool(read.shape) and not (read.is_empty or read.is_zero or is_written(read))


def is_written(read: Reading) -> bool:
    """Whether its entries stand where it is shown."""
    return read.values is not None and len(read.shape) <= 2 and len(read.values) <= SHORTEST


def entries(read: Reading, signs: Signs = ASCII) -> str:
    """Every entry that was written down; the norm where none was."""
    return reading(read, signs) if read.values is None else _nested(read.values, read.shape, signs)


def _nested(values: tuple[float, ...], shape: Shape, signs: Signs) -> str:
    if not shape:
        return number(values[0], signs)
    if 0 in shape:
        return gettext("empty")
    width = math.prod(shape[1:])
    rows = [_nested(values[row * width : (row + 1) * width], shape[1:], signs) for row in range(shape[0])]
    return f"[{', '.join(rows)}]"


def axes(which: tuple[int, ...]) -> str:
    """As in "axis 0" and "axes 0, 1"."""
    return ngettext("axis {which}", "axes {which}", len(which), which=", ".join(map(str, which)))


def gradient(node: NodeFacts, grad: Reading | None, signs: Signs = ASCII) -> str:
    """The state of a gradient in words: constant, freed, no gradient yet, or its value (0 is a value).

    A gradient of another shape than its node, which only a learner's engine makes, says its own.
    """
    if grad is not None:
        odd = node.shape is not None and grad.shape != node.shape
        said = f"grad {grad.shape} {reading(grad, signs)}" if odd else f"grad {reading(grad, signs)}"
        return gettext("constant, with {grad}", grad=said) if node.kind == "constant" else said
    if node.kind == "constant":
        return _constant(node)
    return gettext("gradient freed") if node.freed else gettext("no gradient yet")


def _constant(node: NodeFacts) -> str:
    """A constant, and why it has no numbers where nothing is known of it: no shape, no value."""
    if node.shape is not None or node.holds:
        return gettext("constant")
    return gettext("constant, numbers freed") if node.freed else gettext("constant, numbers not kept")


def ungraded(node: NodeFacts) -> str:
    """The state of a node in a backward pass that has not arrived there. It starts from nothing: nothing is freed."""
    return _constant(node) if node.kind == "constant" else gettext("no gradient yet")


def drawn(op: str) -> str:
    """An operation's tag as a drawing shows it."""
    return _DRAWN.get(op, op)


def badge(node: NodeFacts) -> str:
    """The operation, and the Python number that took part in it: "× 3", "** 2", "1 −"."""
    if not node.folded:
        return drawn(node.op)
    text = node.folded.replace("-", "−")
    return text.replace("*", "×") if node.op == "*" else text.replace("/", "÷")


def tidy(label: str) -> str:
    r"""A label that stays on its line: what cannot be printed becomes a space.

    One that is written from right to left ends in a mark, so that what follows it is still read from left to right.

    >>> tidy("two\nlines")
    'two lines'
    """
    if label.isascii() and label.isprintable():
        return label
    found = "".join(letter if letter.isprintable() else " " for letter in label)
    leftwards = any(bidirectional(letter) in ("R", "AL") for letter in found)
    return f"{found}\N{LEFT-TO-RIGHT MARK}" if leftwards else found


def names(graph: Graph) -> tuple[str, ...]:
    """One name for each node: the user's label, else v1, v2, … in the order of creation; no two of them are alike.

    A constant without a label is called by its value where that is small, else by its shape, so two of those may be
    alike.
    """
    labels = Counter(node.label for node in graph.nodes if node.kind != "constant")
    letter = next(each for each in ("v", "n", "node", "node_") if not any(_counted(name, each) for name in labels))
    found: list[str] = []
    seen: Counter[str] = Counter()
    unnamed = 0
    for node in graph.nodes:
        if node.kind == "constant":
            found.append(node.label or unlabelled(node))
        elif not node.label:
            unnamed += 1
            found.append(f"{letter}{unnamed}")
        else:
            seen[node.label] += 1
            nth = seen[node.label]
            found.append(node.label if labels[node.label] == 1 else f"{node.label} ({nth})")
    return tuple(found)


def unlabelled(node: NodeFacts) -> str:
    """What to call a constant that has no name.

    >>> unlabelled(NodeFacts(0, "constant", shape=(8, 4)))
    'constant (8, 4)'
    """
    if node.value is not None and is_written(node.value):
        return reading(node.value)
    return f"{gettext('constant')} {node.shape}" if node.shape else gettext("constant")


def listed(names: Sequence[str]) -> str:
    """Names with commas between them; of many the first, and how many more there are."""
    said = ", ".join(names[:NAMED])
    return gettext("{named} and {count} more", named=said, count=len(names) - NAMED) if len(names) > NAMED else said


def results(graph: Graph, names: Sequence[str]) -> str:
    """What the result is called, or all of several. names: of all nodes."""
    return listed([names[end] for end in graph.ends])


def _counted(name: str, letter: str) -> bool:
    return name.startswith(letter) and name[len(letter) :].isdigit()


def kind(node: NodeFacts) -> str:
    """What a node is that no operation made."""
    return gettext("leaf") if node.kind == "leaf" else gettext("constant")


def made_by(graph: Graph, node: NodeFacts, name: tuple[str, ...]) -> str:
    """How a node was made, as code would say it: "x * y", "matmul(x, W)", "leaf".

    >>> made_by(Graph((NodeFacts(0, "leaf"),), (), 0, True), NodeFacts(0, "leaf"), ("x",))
    'leaf'
    """
    if node.kind != "op":
        return kind(node)
    operands = [name[edge.src] for edge in graph.operands[node.idx]]
    if node.folded and len(operands) == 1:
        return f"{operands[0]} {node.folded}" if node.folded.startswith(node.op) else f"{node.folded} {operands[0]}"
    if len(operands) == 2 and node.op and not node.op[0].isalnum():
        return f"{operands[0]} {node.op} {operands[1]}"
    return f"{node.op or 'op'}({', '.join(operands)})"


def equals(event: Event) -> str:
    """The sign of an assignment: `=` for what comes first, `+=` for what is added."""
    return "+=" if event.kind == "add" else "="


def giver(trace: Trace, event: Event, name: tuple[str, ...]) -> str:
    """Where a change of a gradient comes from: the seed, a hook, or the node at the other end of the edge."""
    if event.kind in ("hook", "seed"):
        return gettext("a hook") if event.kind == "hook" else gettext("seed")
    return gettext("from {giver}", giver=name[_source(trace, event).idx])


def _source(trace: Trace, event: Event) -> NodeFacts:
    """The operation that gives a contribution: at the other end of the edge, or the one whose result this node is."""
    graph = trace.graph
    return graph.nodes[graph.operands[event.node][0].src if event.edge is None else graph.edges[event.edge].dst]


def sentence(trace: Trace, step: int, name: tuple[str, ...], signs: Signs = ASCII) -> str:
    """What the picture shows after `step` events, for a status line and for a screen reader."""
    total = len(trace.events)
    if step == 0:
        kept = any(node.grad is not None for node in trace.graph.nodes)
        return gettext(
            "Step 0 of {total}. Before the backward pass, which starts from no gradient: those "
            "that the graph holds are left out."
            if kept
            else "Step 0 of {total}. Before the backward pass: no gradient yet anywhere.",
            total=total,
        )
    event = trace.events[step - 1]
    return gettext(
        "Step {step} of {total}. {happening}", step=step, total=total, happening=_happening(trace, event, name, signs)
    )


def _happening(trace: Trace, event: Event, name: tuple[str, ...], signs: Signs) -> str:
    """The middle of a sentence: who gives what to whom, and what that makes."""
    target = name[event.node]
    if event.kind == "hook":
        return gettext(
            "A hook of {target} makes another gradient of it: grad = {value}.",
            target=target,
            value=reading(event.after, signs),
        )
    if event.kind == "seed":
        return gettext(
            "Start at {target}: grad = {value}, the seed.", target=target, value=reading(event.contribution, signs)
        )
    source = _source(trace, event)
    called = name[source.idx]
    giver = called if source.label else f"{badge(source) if signs is TYPESET else source.op} ({called})"
    arrives = f"{equals(event)} {arithmetic(trace.graph, event, signs)}"
    now = reading(event.after, signs)
    said = gettext(
        SETS if event.kind == "set" else ADDS,
        giver=giver,
        target=target,
        arrives=arrives,
        value=now,
    )
    inside = (
        gettext(" Inside that operation, {target} goes into another of its results.", target=target)
        if event.edge is None
        else ""
    )
    return f"{said}{_reduction(event, target, signs)}{inside}"


def arithmetic(graph: Graph, event: Event, signs: Signs = ASCII) -> str:
    """A contribution, with the chain rule written out where it is one product: "1 * -3 = -3"."""
    total = reading(event.contribution, signs)
    local = None if event.edge is None else graph.edges[event.edge].local
    if local is None or event.upstream is None:
        return total
    return f"{reading(event.upstream, signs)} {signs.times} {number(local, signs)} = {total}"


def _reduction(event: Event, target: str, signs: Signs) -> str:
    if not event.reduced_axes:
        return ""
    before = "" if event.reduced_from is None else f" {signs.arrow} {event.reduced_from}"
    key = (
        N_(" Adds to {target}: {shape}, summed over {axes}.")
        if event.kind == "add"
        else N_(" Goes to {target}: {shape}, summed over {axes}.")
    )
    return gettext(key, target=target, shape=f"{event.contribution.shape}{before}", axes=axes(event.reduced_axes))
