"""The careful walk: one generator of contributions, with the gradients in a ledger instead of in `node.grad`.

Read by everything that the quick walk cannot do: grad(), backward() of several roots, create_graph, chosen inputs,
hooks, detect_anomaly, the steps of a picture and of the graph store. Gradients are arrays; with create_graph they are
Tensors, whose rules are recorded as they run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextvars import copy_context
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

import numpy as np

from minitorch.autograd.anomaly import inspect_gradient
from minitorch.autograd.backward import LEAVES, fitted, free, freed, quick_walk, reduced_axes, seed_of, unbroadcast
from minitorch.autograd.handle import Handle, constant
from minitorch.autograd.node import Node, ancestors, last_uid
from minitorch.autograd.scope import current_scope, enable_grad, no_grad
from minitorch.autograd.telling import listeners, telling
from minitorch.autograd.version import require_unchanged
from minitorch.backend import as_result, beside
from minitorch.errors import ShapeError

if TYPE_CHECKING:
    from minitorch._tensor import Tensor

P = TypeVar("P")
"""A place in a graph: a Node, or a GraphNode of the store."""


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


Pulled = Sequence[tuple[int, P, Any, tuple[int, ...]]]
"""(slot, parent, contribution, the axes that it was summed over) for each parent that wants a gradient."""

Passed = tuple[P, Any, Any, Pulled[P], list[Any]]
"""What the walk says of a node, as quickly as can be: itself, its gradient, the gradient as it arrived before hooks,
what it gives its parents, and what each of them had before."""


def contributions(
    nodes: Sequence[P],
    seeds: dict[P, Any],
    pull: Callable[[P, Any], Pulled[P]],
    complete: Callable[[P, Any], Any] | None = None,
    passed: Callable[[P, list[tuple[P, Any]]], None] | None = None,
) -> Iterator[Passed[P]]:
    """The walk itself: from the newest of `nodes` to the oldest, those that a gradient reaches.

    pull: what a node with that gradient gives to its parents. complete: the gradient of a node to which nothing more
    will be added, as it goes on from there. passed: told of each node, and of the gradients that it had to do with.
    """
    ledger = dict(seeds)
    for node in reversed(nodes):
        arrived = ledger.pop(node, None)
        if arrived is None:
            continue
        g = arrived if complete is None else complete(node, arrived)
        pulled, had = pull(node, g), []
        for _, parent, c, _ in pulled:
            before = ledger.get(parent)
            total = c if before is None else before + c
            ledger[parent] = np.asarray(total) if isinstance(total, np.generic) else total
            had.append(before)
        if passed is not None:
            pairs = zip(pulled, had, strict=True)
            given = [(parent, each) for (_, parent, c, _), old in pairs for each in (c, old, ledger[parent])]
            passed(node, [(node, arrived), (node, g), *given])
        yield node, g, arrived, pulled, had


def told(passed: Passed[P]) -> Step[P]:
    """The same as a record, for who looks at more than the gradient."""
    node, g, arrived, pulled, had = passed
    given = [
        Contribution(node, parent, slot, g, c, before, axes)
        for (slot, parent, c, axes), before in zip(pulled, had, strict=True)
    ]
    return Step(node, g, tuple(given), None if g is arrived else arrived)


def careful_walk(
    nodes: Sequence[Node],
    seeds: dict[Node, Any],
    *,
    wanted: set[Node] | None = None,
    retain_graph: bool,
    create_graph: bool,
    newer_than: int = 0,
) -> Iterator[Passed[Node]]:
    """The contributions of `nodes`, all that the roots were made from, without a look at anybody's `grad`.

    seeds: the upstream gradient of each root; Tensors with create_graph, else arrays, and so is all that comes.
    wanted: walk only where these nodes can be reached. newer_than: nodes up to that number end the walk.
    Between two steps recording is switched as create_graph says: not for anybody else's eyes, see `steps`.
    """
    useful = set(nodes) if wanted is None else _leading_to(wanted, nodes, newer_than)
    inspect = inspect_gradient if current_scope().anomaly else None
    fit: Callable[[Any, Node, Node], Any] = _recorded if create_graph else fitted
    complete = hooked if any(node.notes is not None for node in nodes) else None
    listening = None if current_scope().watchers is None else listeners()

    def pull(node: Node, g: Any) -> Pulled[Node]:
        if node.rule is None or node.uid <= newer_than or node not in useful:
            return ()
        require_unchanged((node,))
        rule, parents = node.rule, node.parents
        given = []
        for slot, raw in rule.pull_recorded(node, g, differentiated) if create_graph else rule.pull(node, g):
            parent = parents[slot]
            if parent is None or parent not in useful:
                continue
            c = fit(raw, parent, node)
            if inspect is not None:
                inspect(node, slot, g, c)
            given.append((slot, parent, c, () if c is raw else reduced_axes(np.shape(raw), parent.shape) or ()))
        if not retain_graph:
            free(node)
        return given

    with np.errstate(all="ignore"), enable_grad() if create_graph else no_grad():
        yield from contributions(nodes, seeds, pull, complete, None if listening is None else listening.passed)


def _leading_to(wanted: set[Node], nodes: Sequence[Node], newer_than: int) -> set[Node]:
    """The nodes that a wanted one is reached through, itself included. `nodes` come oldest first."""
    found: set[Node] = set()
    for node in nodes:
        below = () if node.uid <= newer_than else node.parents
        if node in wanted or any(parent in found for parent in below if parent is not None):
            found.add(node)
    return found


def _recorded(c: Any, parent: Node, node: Node) -> Tensor:
    """A contribution as a Tensor of the parent's shape and dtype; what a rule made of plain numbers is a constant."""
    if not isinstance(c, Handle):
        return constant(fitted(c, parent, node).copy())
    fitting: Any = c
    if c._data.shape != parent.shape:
        fitting = unbroadcast(fitting, parent.shape, node)
    return fitting if fitting._data.dtype == parent.dtype else fitting.to(parent.dtype)  # type: ignore[no-any-return]


def hooked(node: Node, g: Any) -> Any:
    """The gradient after the node's hooks, each of which may return another."""
    for hook in list(node.notes.hooks.values()) if node.notes is not None else ():
        changed = hook(g)
        if changed is None:
            continue
        values = _alike(changed, g)
        if values.shape != g.shape:
            raise ShapeError(f"a hook of {node!r} returned shape {values.shape} for a gradient of shape {g.shape}")
        g = values
    return g


def _alike(values: Any, g: Any) -> Any:
    """`values` as what g is: a Tensor or an array, of its dtype and on its device."""
    if isinstance(values, Handle) and isinstance(g, Handle):
        return values.to(g)  # type: ignore[attr-defined]
    array = getattr(g, "_data", g)
    alike = beside(array, getattr(values, "_data", values), array.dtype, "what a hook returned")
    return constant(alike) if isinstance(g, Handle) else alike


def steps(root: Handle, gradient: Any = None) -> Iterator[Step[Node]]:
    """The backward pass of `root`, one node at a time, in a ledger of its own: no `.grad` changes, nothing is freed.

    Hooks are called and change what goes on. Starts from no gradient anywhere, whatever earlier passes left. Raises as
    `backward` does, and at once.
    """
    seed = seed_of(root, gradient)
    assert root._node is not None  # seed_of has refused constants
    nodes, _ = unfreed([root._node])
    return _apart(careful_walk(nodes, {root._node: seed}, retain_graph=True, create_graph=False))


def _apart(walk: Iterator[Passed[Node]]) -> Iterator[Step[Node]]:
    """A record of each step, the walk in a context of its own: for who does things of his own between two of them."""
    context = copy_context()
    try:
        while (passed := context.run(next, walk, None)) is not None:
            yield told(passed)
    finally:
        context.run(walk.close)  # type: ignore[attr-defined]


def unfreed(roots: Iterable[Node], newer_than: int = 0) -> tuple[list[Node], bool]:
    """All that the roots were made from, oldest first, and whether one of them has hooks or the like.

    Nodes up to number `newer_than` end the search. Raises RuntimeError if a part is freed already.
    """
    nodes = ancestors(roots, (lambda node: node.uid <= newer_than) if newer_than else None)
    noted = False
    for node in reversed(nodes):
        if node.saved is None and node.uid > newer_than:
            raise freed(node, nodes[nodes.index(node) + 1 :])
        if node.notes is not None:
            noted = True
    return nodes, noted


def differentiated(compute: Callable[[], Any], g: Any) -> dict[Node, Any]:
    """Runs `compute`, recorded, and gives d(its result · g)/d(each place in the graph that it began from).

    g: a Tensor, and then so are the results; or an array. What `compute` returns may be a tuple, and g then is one too.
    """
    start = last_uid()
    with enable_grad():
        outputs = compute()
    pairs = zip(outputs, g, strict=True) if isinstance(outputs, (tuple, list)) else [(outputs, g)]
    seeds: dict[Node, Any] = {}
    for out, upstream in pairs:
        if isinstance(out, Handle) and out._node is not None:
            seeds[out._node] = seeds[out._node] + upstream if out._node in seeds else upstream
    recorded = any(isinstance(each, Handle) for each in seeds.values())
    nodes, _ = unfreed(seeds, newer_than=start)
    walk = careful_walk(nodes, seeds, retain_graph=recorded, create_graph=recorded, newer_than=start)
    return {node: found for node, found, _, _, _ in walk if node.uid <= start}


def backward_of(
    root: Handle,
    gradient: Any = None,
    *,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Any = None,
    after: Callable[[Node, Any], None] | None = None,
) -> None:
    """Tensor.backward, which says what this does: by the quick walk, or by the careful one where it must be.

    after: told of each node that a gradient reaches, and of its gradient; of a leaf's with what it had before.
    """
    retain = create_graph if retain_graph is None else retain_graph
    seed = seed_of(root, gradient)
    top = root._node
    assert top is not None  # seed_of has refused constants
    nodes, noted = unfreed([top])
    scope = current_scope()
    watched = None if scope.watchers is None else listeners()
    try:
        if watched is not None:
            watched.begun([(top, seed)])
        if not (noted or create_graph or inputs is not None or scope.anomaly):
            told = after if watched is None else watched.beside(after)
            quick_walk(top, seed, nodes, retain_graph=retain, after=told)
            return
        upstream = recorded_seed(gradient, seed) if create_graph else seed
        _accumulate(nodes, {top: upstream}, inputs, retain_graph=retain, create_graph=create_graph, after=after)
    finally:
        if watched is not None:
            watched.ended()


def backward(
    tensors: Any,
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Any = None,
) -> None:
    """Tensor.backward from several Tensors at once: sets `grad` to d(Σ grad_tensor · tensor), in one walk.

    tensors: a Tensor or a sequence of them. grad_tensors: the upstream gradient of each; a scalar's may be left out or
    None (1). The rest, and what is raised, is as in Tensor.backward.

    >>> from minitorch import Tensor
    >>> x = Tensor([1.0, 2.0], requires_grad=True)
    >>> backward([x.sum(), x * x], [None, Tensor([10.0, 1.0])])
    >>> x.grad
    array([21.,  5.], dtype=float32)
    """
    seeds = _seeds("backward: tensors", tensors, grad_tensors, create_graph)
    retain = create_graph if retain_graph is None else retain_graph
    nodes, _ = unfreed(seeds)
    with telling(seeds.items()):
        _accumulate(nodes, seeds, inputs, retain_graph=retain, create_graph=create_graph)


def _accumulate(
    nodes: Sequence[Node],
    seeds: dict[Node, Any],
    inputs: Any,
    *,
    retain_graph: bool,
    create_graph: bool,
    after: Callable[[Node, Any], None] | None = None,
) -> None:
    """Adds the gradients to `grad` of the inputs, or of every leaf and every held Tensor if they are None."""
    wanted = None if inputs is None else set(places(_listed(inputs), "backward: inputs"))
    if wanted is not None and not wanted:
        raise ValueError("backward: inputs is empty: name a Tensor, or leave inputs out for all of them")
    found: dict[Node, Any] = {}
    walk = careful_walk(nodes, seeds, wanted=wanted, retain_graph=retain_graph, create_graph=create_graph)
    for node, g, _, _, _ in walk:
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
            own = g.clone() if create_graph else g.copy()
            with LEAVES:
                before: Any = node.grad
                if before is None:
                    node.grad = own
                else:
                    node.grad = as_result((before if create_graph else getattr(before, "_data", before)) + own)
            if after is not None and node.is_leaf:
                after(node, node.grad)
    for node in found:
        tensor = node.tensor
        for settled in list(node.notes.settled.values()) if node.notes is not None and tensor is not None else ():
            settled(tensor)


def _listed(values: Any) -> list[Any]:
    """One Tensor, array or number, or any collection of them, as a list."""
    return list(values) if isinstance(values, Iterable) and not hasattr(values, "__array__") else [values]


def _seeds(what: str, roots: Any, upstream: Any, create_graph: bool) -> dict[Node, Any]:
    """The upstream gradient at the place of each root; None, alone or in the sequence, stands for 1."""
    roots, upstream = _listed(roots), _listed(upstream)
    if len(upstream) == 1 and upstream[0] is None:
        upstream *= len(roots)
    if len(upstream) != len(roots):
        name, kind = what.split(": ")
        raise ShapeError(f"{name}: {len(upstream)} grad_{kind} for {len(roots)} {kind}")
    seeds: dict[Node, Any] = {}
    for place, root, g in zip(places(roots, what), roots, upstream, strict=True):
        seed: Any = seed_of(root, g)
        if create_graph:
            seed = recorded_seed(g, seed)
        seeds[place] = seeds[place] + seed if place in seeds else seed
    return seeds


def recorded_seed(gradient: Any, seed: np.ndarray) -> Any:
    """The upstream gradient as a Tensor: the very one that was given, if it was one, for it may be part of a graph."""
    return gradient if isinstance(gradient, Handle) and gradient._data.dtype == seed.dtype else constant(seed)


def places(tensors: Sequence[Any], what: str) -> list[Node]:
    """The place of each Tensor in the graph. Raises RuntimeError for one that has none."""
    nodes = []
    for number, tensor in enumerate(tensors):
        if not isinstance(tensor, Handle) or tensor._node is None:
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
    nodes, _ = unfreed(seeds)
    aims = set(wanted)
    with telling(seeds.items()):
        walk = careful_walk(nodes, seeds, wanted=aims, retain_graph=retain, create_graph=create_graph)
        found = {node: g for node, g, _, _, _ in walk if node in aims}
    return tuple(
        [
            _result(found.get(node), leaf, number, bool(allow_unused) or materialize_grads, materialize_grads)
            for number, (node, leaf) in enumerate(zip(wanted, leaves, strict=True))
        ]
    )


def _result(g: Any, leaf: Handle, number: int, allow_unused: bool, zeros: bool) -> Tensor | None:
    """One gradient as grad() returns it: a Tensor with memory of its own."""
    if g is None:
        if not allow_unused:
            raise RuntimeError(
                f"grad: the outputs do not depend on inputs[{number}]: pass allow_unused=True to get None for it"
            )
        return constant(leaf._data * 0) if zeros else None
    return g if isinstance(g, Handle) else constant(g.copy())  # type: ignore[return-value]
