"""backward(), grad() and steps(): where a traversal starts, where its gradients are kept, and what is done with them.

`backward` usually adds straight into `node.grad`. A ledger keeps the gradients of a pass where they are for one
program alone: grad(), chosen inputs, create_graph, hooks, detect_anomaly, the steps of a picture and of the graph
store. Gradients are arrays; with create_graph they are Tensors, whose rules are recorded as they run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextvars import copy_context
from typing import TYPE_CHECKING, Any, Generic, NamedTuple

import numpy as np

from minitorch.autograd.backward import (
    LEAVES,
    Entry,
    Ledger,
    P,
    accumulate,
    contribute,
    free,
    freed,
    reduced_axes,
    seed_of,
    traverse,
    unbroadcast,
    unbroadcast_and_cast,
)
from minitorch.autograd.backward_observer import After, observed, observer_of_watchers
from minitorch.autograd.node import Node, ancestors, last_uid
from minitorch.autograd.scope import current_scope, enable_grad, no_grad
from minitorch.autograd.tensor_base import TensorBase, constant
from minitorch.autograd.version import require_unchanged
from minitorch.backend import asarray_like
from minitorch.callers import warn
from minitorch.errors import ShapeError

if TYPE_CHECKING:
    from minitorch._tensor import Tensor


class Contribution(NamedTuple, Generic[P]):
    """One edge of the backward pass: what `node` adds to the gradient of `parent`, its argument number `slot`.

    Over the bridge slot is -1 where `parent` is no argument but another result of the same operation of PyTorch's.

    upstream: the node's own gradient, complete by now, hooks and all. gradient: the contribution, of the parent's
    shape, after summing over `reduced_axes` of the rule's own result. before: the parent's gradient so far, None if
    this is the first contribution.
    """

    node: P
    parent: P
    slot: int
    upstream: Any
    gradient: Any
    before: Any
    reduced_axes: tuple[int, ...] = ()

    @property
    def first(self) -> bool:
        """True for the contribution that sets (`=`); those that follow add (`+=`)."""
        return self.before is None


class Step(NamedTuple, Generic[P]):
    """One node of the backward pass: its gradient, complete by now, hooks and all, and what it gives to its parents.

    arrived: the sum of what it was given, where its hooks have made something else of it; None where not.
    """

    node: P
    gradient: Any
    contributions: tuple[Contribution[P], ...]
    arrived: Any = None


Seeds = dict[Node, Any]
"""The upstream gradient of each root, by its node."""

Pulled = Sequence[tuple[int, P, Any, tuple[int, ...]]]
"""(slot, parent, contribution, the axes that it was summed over) for each parent that wants a gradient."""

Given = list[tuple[int, P, Any, tuple[int, ...], Any]]
"""The same, each with the gradient that the parent had before."""

Visit = tuple[P, Any, Any, Given[P]]
"""A node, its gradient, its gradient as it arrived before hooks, and what it gave its parents: a Step, made quickly."""


def accumulate_in(ledger: Ledger[P], pulled: Pulled[P]) -> Given[P]:
    """Add contributions to the gradients of a ledger, and return each with what its parent had before."""
    given = []
    for slot, parent, c, axes in pulled:
        entry = ledger.setdefault(parent, Entry())
        given.append((slot, parent, c, axes, entry.grad))  # held from here on, so it is not added to in place
        accumulate(entry, c)  # type: ignore[arg-type]  # an Entry stands for a node
    return given


def as_step(visit: Visit[P]) -> Step[P]:
    """Return the same as a record, for a caller that looks at more than the gradient."""
    node, g, arrived, given = visit
    contributions = [Contribution(node, parent, slot, g, c, before, axes) for slot, parent, c, axes, before in given]
    return Step(node, g, tuple(contributions), None if g is arrived else arrived)


def ledger_of(seeds: Mapping[P, Any]) -> Ledger[P]:
    """Return a ledger that holds the upstream gradient of each root."""
    return {node: Entry(g) for node, g in seeds.items()}


def traverse_in_ledger(
    nodes: Sequence[Node],
    ledger: Ledger[Node],
    retain_graph: bool,
    create_graph: bool,
    wanted: set[Node] | None = None,
) -> Iterator[Visit[Node]]:
    """Traverse `nodes`, all that the roots were made from, with hooks and checks, without a look at anybody's `grad`.

    ledger: the upstream gradient of each root; Tensors with create_graph, else arrays, and so is all that comes.
    wanted: traverse only where these nodes can be reached.
    Between two steps recording is switched as create_graph says: not for anybody else's eyes, see `steps`.
    """
    useful = None if wanted is None else _leading_to(wanted, nodes)
    inspect = current_scope().anomaly
    fit: Callable[[Any, Node, Node], Any] = _fit_recorded if create_graph else unbroadcast_and_cast
    observer = observer_of_watchers()

    def give(node: Node, arrived: Any) -> Visit[Node]:
        g = arrived if node.meta is None else hooked(node, arrived)
        rule, parents = node.rule, node.parents
        if rule is None:
            raw: Sequence[tuple[int, Any]] = ()
        else:
            require_unchanged((node,))  # again: a hook of this pass may have written
            raw = rule.pull_recorded(node, g, differentiated) if create_graph else rule.pull(node, g)
        pulled = []
        for slot, c in raw:
            parent = parents[slot]
            if parent is None or (useful is not None and parent not in useful):
                continue
            part = fit(c, parent, node)
            if inspect is not None:
                inspect(node, slot, g, part)
            pulled.append((slot, parent, part, () if part is c else reduced_axes(np.shape(c), parent.shape) or ()))
        if not retain_graph:
            free(node)  # before the sums are made, which lowers the peak of memory
        given = accumulate_in(ledger, pulled)
        if observer is not None:
            sums = [(parent, each) for _, parent, c, _, old in given for each in (c, old, ledger[parent].grad)]
            observer.on_node(node.uid, node.op, [(node, arrived), (node, g), *sums])
        return node, g, arrived, given

    reached = [node for node in nodes if useful is None or node in useful]
    with enable_grad() if create_graph else no_grad():
        yield from traverse(reached, give, ledger=ledger)  # retain_graph stays True: `give` has freed the node


def _leading_to(wanted: set[Node], nodes: Sequence[Node]) -> set[Node]:
    """Return the nodes that a wanted one is reached through, itself included. `nodes` come oldest first."""
    found: set[Node] = set()
    for node in nodes:
        if node in wanted or any(parent in found for parent in node.parents if parent is not None):
            found.add(node)
    return found


def _fit_recorded(c: Any, parent: Node, node: Node) -> Tensor:
    """Return a contribution as a Tensor of the parent's shape and dtype; an array becomes a constant."""
    if not isinstance(c, TensorBase):
        return constant(unbroadcast_and_cast(c, parent, node).copy())
    fitting: Any = c
    if c._data.shape != parent.shape:
        fitting = unbroadcast(fitting, parent.shape, node)
    return fitting if fitting._data.dtype == parent.dtype else fitting.to(parent.dtype)  # type: ignore[no-any-return]


def hooked(node: Node, g: Any) -> Any:
    """Return the gradient after the node's hooks, each of which may return another."""
    for hook in list(node.meta.hooks.values()) if node.meta is not None else ():
        changed = hook(g)
        if changed is None:
            continue
        values = _alike(changed, g)
        if values.shape != g.shape:
            raise ShapeError(f"a hook of {node!r} returned shape {values.shape} for a gradient of shape {g.shape}")
        g = values
    return g


def _alike(values: Any, g: Any) -> Any:
    """Return `values` as what g is: a Tensor or an array, of its dtype and on its device."""
    if isinstance(values, TensorBase) and isinstance(g, TensorBase):
        return values.to(g)  # type: ignore[attr-defined]
    array = getattr(g, "_data", g)
    alike = asarray_like(array, getattr(values, "_data", values), array.dtype, "what a hook returned")
    return constant(alike) if isinstance(g, TensorBase) else alike


def steps(root: TensorBase, gradient: Any = None) -> Iterator[Step[Node]]:
    """Yield the backward pass of `root` one node at a time, in a ledger: no `.grad` changes, nothing is freed.

    Hooks are called and change what goes on. Starts from no gradient anywhere, whatever earlier passes left. Raises as
    `backward` does, and at once.
    """
    seeds = root_seed(root, gradient)
    nodes, _ = collect_nodes(seeds)
    return _in_own_context(traverse_in_ledger(nodes, ledger_of(seeds), retain_graph=True, create_graph=False))


def _in_own_context(passes: Iterator[Visit[Node]]) -> Iterator[Step[Node]]:
    """Yield each step, made in a context of its own: what a caller switches between two steps does not reach it."""
    context = copy_context()
    try:
        while (visit := context.run(next, passes, None)) is not None:
            yield as_step(visit)
    finally:
        context.run(passes.close)  # type: ignore[attr-defined]


def collect_nodes(roots: Iterable[Node], newer_than: int = 0) -> tuple[list[Node], bool]:
    """Return the nodes that a pass from the roots visits, oldest first, and whether one of them has a NodeMeta.

    Nodes up to number `newer_than` end the search. Raises RuntimeError if a part is freed already.
    """
    nodes = ancestors(roots, (lambda node: node.uid <= newer_than) if newer_than else None)
    found_meta = False
    for node in reversed(nodes):
        if node.saved is None and node.uid > newer_than:
            raise freed(node, nodes[nodes.index(node) + 1 :])
        if node.meta is not None:
            found_meta = True
    return nodes, found_meta


def differentiated(compute: Callable[[], Any], g: Any) -> dict[Node, Any]:
    """Run `compute`, recorded, and return d(its result · g)/d(each node that it began from).

    g: a Tensor, and then so are the results; or an array. What `compute` returns may be a tuple, and g then is one too.
    """
    start = last_uid()
    with enable_grad():
        outputs = compute()
    pairs = zip(outputs, g, strict=True) if isinstance(outputs, (tuple, list)) else [(outputs, g)]
    seeds: Seeds = {}
    for out, upstream in pairs:
        if isinstance(out, TensorBase) and out._node is not None:
            seeds[out._node] = seeds[out._node] + upstream if out._node in seeds else upstream
    recorded = any(isinstance(each, TensorBase) for each in seeds.values())
    nodes, _ = collect_nodes(seeds, newer_than=start)
    ledger, inner = ledger_of(seeds), [node for node in nodes if node.uid > start]
    for _ in traverse_in_ledger(inner, ledger, retain_graph=recorded, create_graph=recorded):
        pass
    return {node: entry.grad for node, entry in ledger.items()}  # what was not traversed: the nodes outside


def backward(
    tensors: Any,
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Any = None,
) -> None:
    """Tensor.backward from several Tensors at once: sets `grad` to d(Σ grad_tensor · tensor), in one pass.

    tensors: a Tensor or a sequence of them. grad_tensors: the upstream gradient of each; a scalar's may be left out or
    None (1). The rest, and what is raised, is as in Tensor.backward.

    >>> from minitorch import Tensor
    >>> x = Tensor([1.0, 2.0], requires_grad=True)
    >>> backward([x.sum(), x * x], [None, Tensor([10.0, 1.0])])
    >>> x.grad
    array([21.,  5.], dtype=float32)
    """
    seeds = _seeds("backward: tensors", tensors, grad_tensors, create_graph)
    run_backward(seeds, retain_graph, create_graph, inputs)


def run_backward(
    seeds: Seeds, retain_graph: bool | None, create_graph: bool, inputs: Any = None, after: After | None = None
) -> None:
    """Run the pass that starts from these gradients, as Tensor.backward says.

    after: called with each node of the pass and its gradient. Where a ledger is used, it is called for a leaf twice:
    with the gradient of this pass, and with the sum of that and what the leaf had before.
    """
    retain = create_graph if retain_graph is None else retain_graph
    nodes, has_meta = collect_nodes(seeds)
    with observed(seeds.items()) as observer:
        if has_meta or create_graph or inputs is not None or current_scope().anomaly is not None:
            _accumulate_from_ledger(nodes, seeds, inputs, retain, create_graph, after)
            return
        _clear(nodes, seeds)
        for node, seed in seeds.items():
            if node.is_leaf:
                accumulate(node, seed)
            else:
                node.grad = seed
        arrives = after if observer is None else observer.before_each(after)
        for _ in traverse(nodes, contribute, retain_graph=retain, arrives=arrives):
            pass


def _clear(nodes: Sequence[Node], seeds: Seeds) -> None:
    """Forget the gradients of results; those of leaves, to which this pass adds, become arrays.

    Raises RuntimeError where saved numbers were written to since, before any gradient has changed.
    """
    require_unchanged(nodes)
    dropped = False
    for node in nodes:
        if node.rule is not None:
            if dropped and node not in seeds and warn_of_replaced_leaf(node):
                dropped = False  # one warning is enough
            node.grad = None
        elif node.grad is not None:
            if node() is None:
                dropped = True
            _make_array(node)


def _make_array(node: Node) -> None:
    """Make the gradient of a node an array, where an earlier create_graph=True has left a Tensor."""
    if isinstance(node.grad, TensorBase):
        with LEAVES:
            node.grad = getattr(node.grad, "_data", node.grad)


def warn_of_replaced_leaf(node: Node) -> bool:
    """Warn where the node's Tensor has a dropped leaf's name, as after `w = w - lr * w.grad`; return True if so.

    The leaf's Tensor is gone, with a gradient of an earlier pass; the node's is held, comes from that leaf alone, and
    no pass has been there. In `w = rand(3, requires_grad=True) - 0.5`, which is meant, the result has the next number.
    """
    parents = [parent for parent in node.parents if parent is not None]
    if len(parents) != 1 or node.grad is not None or node() is None:
        return False
    (leaf,) = parents
    if not leaf.is_leaf or leaf.grad is None or leaf() is not None or leaf.shape != node.shape:
        return False
    if node.uid == leaf.uid + 1:
        return False
    warn(
        f"backward() goes on into a leaf of shape {leaf.shape} that no variable holds any more: the result of "
        f"{node.op} has its name, as after w = w - lr * w.grad, and every step walks through all earlier ones. "
        f"Change the leaf itself, as in `with no_grad(): w -= lr * w.grad`, then clear it by `w.grad = None`"
    )
    return True


def _accumulate_from_ledger(
    nodes: Sequence[Node], seeds: Seeds, inputs: Any, retain_graph: bool, create_graph: bool, after: After | None
) -> None:
    """Add the gradients to `grad` of the inputs, or of every leaf and every held Tensor if they are None.

    They are added at the end: a pass that a hook or detect_anomaly breaks off leaves every `grad` as it was.
    """
    wanted = None if inputs is None else set(places(_listed(inputs), "backward: inputs"))
    if wanted is not None and not wanted:
        raise ValueError("backward: inputs is empty: name a Tensor, or leave inputs out for all of them")
    found: dict[Node, Any] = {}
    for node, g, _, _ in traverse_in_ledger(nodes, ledger_of(seeds), retain_graph, create_graph, wanted):
        if (node.is_leaf or node() is not None) if wanted is None else node in wanted:
            found[node] = g
        if after is not None:
            after(node, g)
    if wanted is None:
        for node in nodes:
            if not node.is_leaf:
                node.grad = None
    with enable_grad() if create_graph else no_grad():
        for node, g in found.items():
            if not create_graph:
                _make_array(node)
            accumulate(node, g.clone() if create_graph else g.copy())
            if after is not None and node.is_leaf:
                after(node, node.grad)
    for node in found:
        tensor = node.tensor
        for hook in list(node.meta.post_accumulate_hooks.values()) if node.meta and tensor is not None else ():
            hook(tensor)


def _listed(values: Any) -> list[Any]:
    """Return one Tensor, array or number, or any collection of them, as a list."""
    return list(values) if isinstance(values, Iterable) and not hasattr(values, "__array__") else [values]


def _seeds(what: str, roots: Any, upstream: Any, create_graph: bool) -> Seeds:
    """Return the upstream gradient of each root, by its node; None, alone or in the sequence, stands for 1."""
    roots, upstream = _listed(roots), _listed(upstream)
    if len(upstream) == 1 and upstream[0] is None:
        upstream *= len(roots)
    if len(upstream) != len(roots):
        name, kind = what.split(": ")
        raise ShapeError(f"{name}: {len(upstream)} grad_{kind} for {len(roots)} {kind}")
    seeds: Seeds = {}
    for place, root, g in zip(places(roots, what), roots, upstream, strict=True):
        seed = root_seed(root, g, create_graph)[place]
        seeds[place] = seeds[place] + seed if place in seeds else seed
    return seeds


def root_seed(root: TensorBase, gradient: Any, create_graph: bool = False) -> Seeds:
    """Return the upstream gradient of one root, by its node; a Tensor with create_graph."""
    seed: Any = seed_of(root, gradient)
    assert root._node is not None  # seed_of has refused constants
    if create_graph:  # the very Tensor that was given, for it may be part of a graph
        seed = gradient if isinstance(gradient, TensorBase) and gradient._data.dtype == seed.dtype else constant(seed)
    return {root._node: seed}


def places(tensors: Sequence[Any], what: str) -> list[Node]:
    """Return the node of each Tensor. Raises RuntimeError for one that has none."""
    nodes = []
    for number, tensor in enumerate(tensors):
        if not isinstance(tensor, TensorBase) or tensor._node is None:
            raise RuntimeError(f"{what}[{number}] does not require grad: no gradient can be asked for it")
        nodes.append(tensor._node)
    return nodes


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,  # noqa: ARG001 (accepted for PyTorch's sake)
    allow_unused: bool | None = None,
    materialize_grads: bool = False,
) -> tuple[Tensor | None, ...]:
    """d(Σ grad_output · output)/d(input) for each input, as Tensors; nobody's `.grad` changes.

    outputs, inputs: a Tensor or a sequence of them. grad_outputs: the upstream gradient of each output; a scalar's may
    be left out (1). create_graph: the results remember how they were computed and can be differentiated again.
    allow_unused: an input that the outputs do not depend on gives None (zeros with materialize_grads) instead of an
    error. only_inputs is accepted for PyTorch's sake, and always true.

    Raises RuntimeError for an input or output without requires_grad, for an unused input and for a freed graph;
    ValueError for a grad_output of another shape and for no inputs at all. Source: Griewank and Walther, 2008,
    chapters 3 and 5.

    >>> from minitorch import Tensor
    >>> x = Tensor(2.0, requires_grad=True)
    >>> first, = grad(x**3, x, create_graph=True)
    >>> second, = grad(first, x)
    >>> first.item(), second.item()
    (12.0, 12.0)
    """
    leaves = _listed(inputs)
    if not leaves:
        raise ValueError("grad: inputs is empty: name the Tensors whose gradients are asked for")
    if materialize_grads and allow_unused is False:
        raise ValueError("grad: materialize_grads=True gives zeros for an unused input: leave allow_unused=False out")
    wanted = places(leaves, "grad: inputs")
    seeds = _seeds("grad: outputs", outputs, grad_outputs, create_graph)
    retain = create_graph if retain_graph is None else retain_graph
    nodes, _ = collect_nodes(seeds)
    aims = set(wanted)
    with observed(seeds.items()):
        passes = traverse_in_ledger(nodes, ledger_of(seeds), retain, create_graph, aims)
        found = {node: g for node, g, _, _ in passes if node in aims}
    return tuple(
        [
            _result(found.get(node), leaf, number, bool(allow_unused) or materialize_grads, materialize_grads)
            for number, (node, leaf) in enumerate(zip(wanted, leaves, strict=True))
        ]
    )


def _result(g: Any, leaf: TensorBase, number: int, allow_unused: bool, zeros: bool) -> Tensor | None:
    """Return one gradient of grad(): a Tensor with memory of its own."""
    if g is None:
        if not allow_unused:
            raise RuntimeError(
                f"grad: the outputs do not depend on inputs[{number}]: pass allow_unused=True to get None for it"
            )
        return constant(leaf._data * 0) if zeros else None
    return g if isinstance(g, TensorBase) else constant(g.copy())  # type: ignore[return-value]
