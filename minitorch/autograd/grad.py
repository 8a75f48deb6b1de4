"""The careful walk: gradients in a dictionary instead of in `node.grad`, on arrays or on Tensors.

On Tensors the same rules are recorded as they run, so that a gradient can be differentiated again (create_graph).
Hooks are called here, and under detect_anomaly every contribution is inspected.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from minitorch.autograd.anomaly import inspect_gradient
from minitorch.autograd.backward import LEAVES, fitted, free, quick_walk, reachable, reduced_axes, seed_of, unbroadcast
from minitorch.autograd.handle import Handle, constant
from minitorch.autograd.node import Node, last_uid
from minitorch.autograd.scope import current_scope, enable_grad, no_grad
from minitorch.backend import as_result, beside

if TYPE_CHECKING:
    from minitorch._tensor import Tensor


def gradients(
    seeds: dict[Node, Any],
    keep: Callable[[Node], bool],
    *,
    wanted: set[Node] | None = None,
    retain_graph: bool,
    create_graph: bool,
    newer_than: int = 0,
) -> dict[Node, Any]:
    """d(Σ seed · root)/d(node) for every node that `keep` chooses, without a look at anybody's `grad`.

    seeds: the upstream gradient of each root; Tensors with create_graph, else arrays, and so are the results.
    wanted: walk only where these nodes can be reached. newer_than: nodes up to that number get their gradient and end
    the walk.
    """
    nodes = reachable(seeds, newer_than)
    useful = set(nodes) if wanted is None else _leading_to(wanted, nodes, newer_than)
    ledger, kept = dict(seeds), {}
    inspect = _inspector()
    with np.errstate(all="ignore"), enable_grad() if create_graph else no_grad():
        while nodes:
            node = nodes.pop()
            g = ledger.pop(node, None)
            if g is None:
                continue
            if node.notes is not None:
                g = hooked(node, g)
            if keep(node):
                kept[node] = g
            if node.rule is None or node.uid <= newer_than or node not in useful:
                continue
            for slot, c in node.rule.pull_recorded(node, g, walk) if create_graph else node.rule.pull(node, g):
                parent = node.parents[slot]
                if parent is None or parent not in useful:
                    continue
                c = _fitted(c, parent, node)
                if inspect is not None:
                    inspect(node, slot, g, c)
                ledger[parent] = as_result(ledger[parent] + c) if parent in ledger else c
            if not retain_graph:
                free(node)
    return kept


def _leading_to(wanted: set[Node], nodes: Sequence[Node], newer_than: int) -> set[Node]:
    """The nodes that a wanted one is reached through, itself included. `nodes` come oldest first."""
    found: set[Node] = set()
    for node in nodes:
        below = () if node.uid <= newer_than else node.parents
        if node in wanted or any(parent in found for parent in below if parent is not None):
            found.add(node)
    return found


def walk(compute: Callable[[], Any], g: Any) -> dict[Node, Any]:
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
    return gradients(
        seeds, lambda node: node.uid <= start, retain_graph=recorded, create_graph=recorded, newer_than=start
    )


def _fitted(c: Any, parent: Node, node: Node) -> Any:
    """A contribution, array or Tensor, in the parent's shape and dtype."""
    if not isinstance(c, Handle):
        return fitted(c, parent, node)
    fitting: Any = c
    if fitting.shape != parent.shape:
        fitting = unbroadcast(fitting, parent.shape, node)
    return fitting if fitting.dtype == parent.dtype else fitting.to(parent.dtype)


def hooked(node: Node, g: Any) -> Any:
    """The gradient after the node's hooks, each of which may return another."""
    for hook in list(node.notes.hooks.values()) if node.notes is not None else ():
        changed = hook(g)
        if changed is None:
            continue
        values = _alike(changed, g)
        if values.shape != g.shape:
            raise ValueError(f"a hook of {node!r} returned shape {values.shape} for a gradient of shape {g.shape}")
        g = values
    return g


def _alike(values: Any, g: Any) -> Any:
    """`values` as what g is: a Tensor or an array, of its dtype and on its device."""
    if isinstance(values, Handle) and isinstance(g, Handle):
        return values.to(g)  # type: ignore[attr-defined]
    array = getattr(g, "_data", g)
    alike = beside(array, getattr(values, "_data", values), array.dtype, "what a hook returned")
    return constant(alike) if isinstance(g, Handle) else alike


def _inspector() -> Callable[[Node, int, Any, Any], None] | None:
    return inspect_gradient if current_scope().anomaly else None


def backward_of(
    root: Handle,
    gradient: Any = None,
    *,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Any = None,
) -> None:
    """Tensor.backward, which says what this does: by the quick walk, or by the careful one where it must be."""
    retain = create_graph if retain_graph is None else retain_graph
    seed = seed_of(root, gradient)
    top = root._node
    assert top is not None  # seed_of has refused constants
    nodes = reachable([top])
    for node in nodes:
        if node.notes is not None:
            special = True
            break
    else:
        special = create_graph or inputs is not None or current_scope().anomaly
    if not special:
        quick_walk(top, seed, nodes, retain_graph=retain)
        return
    upstream = recorded_seed(gradient, seed) if create_graph else seed
    _accumulate({top: upstream}, nodes, retain_graph=retain, create_graph=create_graph, inputs=inputs)


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
    _accumulate(seeds, reachable(seeds), retain_graph=retain, create_graph=create_graph, inputs=inputs)


def _accumulate(
    seeds: dict[Node, Any], nodes: Sequence[Node], *, retain_graph: bool, create_graph: bool, inputs: Any
) -> None:
    """Adds the gradients to `grad` of the inputs, or of every leaf and every held Tensor if they are None."""
    wanted = None if inputs is None else set(places(_listed(inputs), "backward: inputs"))
    if wanted is not None and not wanted:
        raise ValueError("backward: inputs is empty: name a Tensor, or leave inputs out for all of them")
    found = gradients(
        seeds,
        (lambda node: node.is_leaf or node() is not None) if wanted is None else wanted.__contains__,
        wanted=wanted,
        retain_graph=retain_graph,
        create_graph=create_graph,
    )
    if wanted is None:
        for node in nodes:
            if not node.is_leaf:
                node.grad = None
    for node, g in found.items():
        own: Any = g if isinstance(g, Handle) else g.copy()
        with LEAVES:
            before: Any = node.grad
            if before is None:
                node.grad = own
            else:
                node.grad = as_result((before if create_graph else getattr(before, "_data", before)) + own)


def _listed(values: Any) -> list[Any]:
    return list(values) if isinstance(values, (tuple, list)) else [values]


def _seeds(what: str, roots: Any, upstream: Any, create_graph: bool) -> dict[Node, Any]:
    """The upstream gradient at the place of each root; None, alone or in the sequence, stands for 1."""
    roots, upstream = _listed(roots), _listed(upstream)
    if len(upstream) == 1 and upstream[0] is None:
        upstream *= len(roots)
    if len(upstream) != len(roots):
        name, kind = what.split(": ")
        raise ValueError(f"{name}: {len(upstream)} grad_{kind} for {len(roots)} {kind}")
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
    allow_unused: bool | None = None,
    materialize_grads: bool = False,
) -> tuple[Tensor | None, ...]:
    """d(Σ grad_output · output)/d(input) for each input, as Tensors; nobody's `.grad` changes.

    outputs, inputs: a Tensor or a sequence of them. grad_outputs: the upstream gradient of each output; a scalar's may
    be left out (1). create_graph: the results remember how they were computed and can be differentiated again.
    allow_unused: an input that the outputs do not depend on gives None (zeros with materialize_grads) instead of an
    error.

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
    found = gradients(
        seeds, set(wanted).__contains__, wanted=set(wanted), retain_graph=retain, create_graph=create_graph
    )
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


@dataclass(frozen=True, slots=True)
class Contribution:
    """One edge of the backward pass: what `node` adds to the gradient of `parent`, its argument number `slot`.

    gradient: the contribution, of the parent's shape, after summing over `reduced_axes` of the rule's own result.
    before: the parent's gradient so far, None if this is the first contribution (`first`).
    upstream: the node's own gradient, complete by now.
    """

    node: Node
    parent: Node
    slot: int
    upstream: np.ndarray
    gradient: np.ndarray
    before: np.ndarray | None
    reduced_axes: tuple[int, ...]

    @property
    def first(self) -> bool:
        """True for the contribution that sets (`=`); those that follow add (`+=`)."""
        return self.before is None


def steps(root: Handle, gradient: Any = None) -> Iterator[Contribution]:
    """The backward pass of `root`, one contribution at a time, in a ledger of its own: no `.grad` changes.

    Starts from no gradient anywhere, whatever earlier passes left, and frees nothing. Raises as `backward` does.
    """
    seed = seed_of(root, gradient)
    top = root._node
    assert top is not None
    ledger = {top: seed}
    for node in reversed(reachable([top])):
        upstream = ledger.get(node)
        if upstream is None or node.rule is None:
            continue
        for slot, parent, raw in _raw_contributions(node, upstream):
            c = fitted(raw, parent, node)
            before = ledger.get(parent)
            ledger[parent] = c if before is None else as_result(before + c)
            yield Contribution(node, parent, slot, upstream, c, before, reduced_axes(raw.shape, parent.shape) or ())


def _raw_contributions(node: Node, upstream: np.ndarray) -> list[tuple[int, Node, np.ndarray]]:
    """What the node's rule gives each parent, before it is summed to the parent's shape."""
    assert node.rule is not None
    with np.errstate(all="ignore"):
        found = [(slot, node.parents[slot], as_result(raw)) for slot, raw in node.rule.pull(node, upstream)]
    return [(slot, parent, raw) for slot, parent, raw in found if parent is not None]
