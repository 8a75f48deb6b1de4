"""The graph as an explicit store beside the tape: for looking, stepping and checking.

Whoever records calls `record` once an operation, after it has succeeded:

    node = graph.record("mul", [(0, x), (1, w)], out, backend="torch", pull=pull, value=small_numbers_or_None)

    op       the operation's tag
    inputs   (slot, tensor) for each operand that takes part in the graph, slots as in the operation's own signature.
             A tensor that the graph does not know yet becomes a leaf, held until `close`. Instead of a tensor, the
             GraphNode itself may be given: a call with several outputs is a node without a tensor (`output=None`),
             and each output a node whose one input is the call
    output   the result; remembered weakly. A tensor recorded twice (changed in place) has moved on to the newer place
    backend  "minitorch", "torch", …: `graph.passes[backend]`, a class like passes.BackendPass, does its backward pass
    pull     pull(gradient of output) → (slot, gradient of that input) pairs, for a backend without a class of its own;
             freed by a backward pass and by `close`

The store holds facts and weak references; only leaves are held, and only until it is closed. Nothing here is global.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Collection, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, NoReturn, Self

import rustworkx

from minitorch.autograd.node import by_creation, next_uid
from minitorch.autograd.scope import current_scope
from minitorch.autograd.tensor_base import TensorBase
from minitorch.graph.nan_finder import NanFinder
from minitorch.graph.node import Constant, GraphNode, Pull
from minitorch.graph.recording import Recording, take
from minitorch.graph.refs import ReferenceManager
from minitorch.graph.scopes import ModuleScopes, Running
from minitorch.graph.structure import Structure

if TYPE_CHECKING:
    from minitorch.graph.passes import BackendPass
    from minitorch.nn.module import Module

MAX_NODES = 1_000_000
SWEEP_AFTER = 10_000  # tensors that have gone: a training loop inside one block does not grow


class GraphFullError(RuntimeError):
    """A graph has as many nodes as it was allowed to have, and all of them are needed."""


class AutogradGraph(Structure):
    """Operations as nodes, operands as edges, on a `rustworkx.PyDiGraph`. Recording keeps no intermediate alive.

    refs: the ReferenceManager to use, a new one by default. name: for messages. max_nodes: recording more raises
    GraphFullError. find_nan: at the first nan of a result or, in `GraphExecutor.backward`, of a gradient, raise
    NanError (a FloatingPointError) that names operation and module; this is one more look at every number. timed: each
    call of PyTorch's is timed, for `costs`. `with graph:` records every minitorch operation of this thread or task; of
    nested graphs the innermost records. Leaving the block by an exception closes the graph.

    >>> x, w = Tensor(2.0, requires_grad=True), Tensor(3.0, requires_grad=True)
    >>> with AutogradGraph() as graph:
    ...     y = (x * w).exp()
    >>> [node.op or "leaf" for node in graph.nodes()]
    ['leaf', 'leaf', 'mul', 'exp']
    >>> graph.alive() == [graph.find(x), graph.find(w), graph.find(y)]
    True
    """

    def __init__(
        self,
        refs: ReferenceManager | None = None,
        *,
        name: str = "",
        max_nodes: int | None = None,
        find_nan: bool = False,
        timed: bool = False,
    ) -> None:
        limit = MAX_NODES if max_nodes is None else max_nodes
        if not isinstance(limit, int):
            raise TypeError(f"max_nodes is a whole number, not a {type(limit).__name__}")
        if limit < 1:
            raise ValueError(f"max_nodes must be at least 1, not {limit}")
        super().__init__()
        if refs is not None and not isinstance(refs, ReferenceManager):
            raise TypeError(f"refs is a ReferenceManager, or left out; this is a {type(refs).__name__}")
        self.refs = ReferenceManager() if refs is None else refs
        self.refs.take()
        self.name = name
        self.max_nodes = limit
        self.scope = ""  # of what is recorded next, outside of modules and in a model itself
        self.running = Running()
        self.passes: dict[str, type[BackendPass]] = {}  # how other backends go backward
        self.closed = False
        self.nan_finder = NanFinder() if find_nan else None
        self.seconds: dict[int, float] | None = {} if timed else None  # uid → what the call took
        self.names: dict[int, str] = {}  # uid → what to call a leaf that has not been seen yet
        self.kinds: dict[str, str] = {}  # path of a watched module → what kind it is of
        self._named: dict[int, tuple[weakref.ref[Any], str]] = {}
        self._lock = threading.RLock()
        self._recording: Recording | None = None
        self._scopes: list[ModuleScopes] = []

    @property
    def place(self) -> str:
        """Where in its models the code of this thread or task runs: the path of a module; else `scope`."""
        stack = current_scope().kept.get(self.running)
        return stack[-1][1] or self.scope if stack else self.scope

    # -- recording ---------------------------------------------------------------------------------------------------

    def record(
        self,
        op: str,
        inputs: Sequence[tuple[int, Any]],
        output: Any,
        *,
        backend: str,
        pull: Pull | None = None,
        name: str = "",
        value: Any = None,
        shape: tuple[int, ...] | None = None,
        dtype: Any = None,
        constants: tuple[Constant, ...] = (),
    ) -> GraphNode:
        """Adds one operation that has just happened; the module's docstring says what the arguments are.

        shape, dtype: of the output, where they are not to be read off it. Raises RuntimeError on a closed graph,
        GraphFullError beyond `max_nodes`; then nothing is added.
        """
        self.require_open()
        with self._lock:
            known = [(slot, self._known(each), each) for slot, each in inputs]
            self.reserve(1 + sum(uid is None for _, uid, _ in known), {uid for _, uid, _ in known})
            parents = [
                (slot, self.leaf(each, backend=backend).uid if uid is None else uid) for slot, uid, each in known
            ]
            if output is not None:
                shape = tuple(output.shape) if shape is None else shape
                dtype = output.dtype if dtype is None else dtype
            node = GraphNode(next_uid(), op, shape or (), dtype, backend, name, self.place, value, pull, constants)
            return self.add(node, parents, output)

    def record_on(
        self,
        parents: Sequence[tuple[int, int]],
        op: str,
        output: Any,
        backend: str,
        value: Any,
        constants: tuple[Constant, ...],
    ) -> GraphNode:
        """`record` for whoever knows the places of all operands: (slot, uid) pairs of nodes that are in this graph."""
        with self._lock:
            self.reserve(1, [uid for _, uid in parents])
            uid, shape = next_uid(), tuple(output.shape)
            node = GraphNode(uid, op, shape, output.dtype, backend, "", self.place, value, None, constants)
            return self.add(node, parents, output)

    def leaf(
        self,
        tensor: Any,
        *,
        backend: str,
        name: str = "",
        value: Any = None,
        shape: tuple[int, ...] | None = None,
    ) -> GraphNode:
        """Adds a leaf, held until `close`; the node that it has already, if it is known.

        shape: where it is not to be read off the tensor.
        """
        self.require_open()
        with self._lock:
            node = self.find(tensor)
            if node is not None:
                return node
            self.reserve(1)
            name = name or self._name_of(tensor)
            shape = tuple(tensor.shape) if shape is None else shape
            node = GraphNode(next_uid(), "", shape, tensor.dtype, backend, name, "", value)
            return self.add(node, (), tensor, strong=True)

    def add(
        self, node: GraphNode, parents: Sequence[tuple[int, int]], tensor: Any = None, *, strong: bool = False
    ) -> GraphNode:
        """Adds a finished node below (slot, uid) parents that are in the graph; `reserve` has made room for it."""
        index, drawn = self._index, self._graph
        own = index[node.uid] = drawn.add_node(node)
        for slot, parent in parents:
            drawn.add_edge(index[parent], own, slot)
        if tensor is not None:
            self.refs.hold(node.uid, tensor, strong=strong)
            if self.nan_finder is not None:
                self.nan_finder.look(self, node, tensor)
        return node

    def crowded(self, count: int = 1) -> bool:
        """Whether there may be no room for `count` nodes before a sweep."""
        return len(self._index) + count > self.max_nodes or len(self.refs.gone) >= SWEEP_AFTER

    def reserve(self, count: int, keep: Collection[int | None] = ()) -> None:
        """Makes room for `count` nodes, sweeping if that helps; never the nodes in `keep`. Raises GraphFullError."""
        if self.crowded(count):
            self.sweep(keep)
            if len(self._index) + count > self.max_nodes:
                raise GraphFullError(
                    f"{self!r} is full (max_nodes={self.max_nodes}): close it, record less in one graph, "
                    f"or allow more with AutogradGraph(max_nodes=…)"
                )

    def remove(self, node: GraphNode) -> None:
        """Takes out one node, and the edges to its parents."""
        self._graph.remove_node(self._index.pop(node.uid))

    def _known(self, source: Any) -> int | None:
        """The uid of an input; None for a tensor that was never seen."""
        node = source if isinstance(source, GraphNode) else self.find(source)
        if node is not None and node.uid not in self._index:
            raise KeyError(f"{node!r} is not in {self!r}: it belongs to another graph, or was swept")
        return None if node is None else node.uid

    def require_open(self) -> None:
        """Raises RuntimeError that says what to do on a closed graph."""
        if self.closed:
            raise RuntimeError(f"{self!r} cannot record: make a new AutogradGraph")

    def label(self, **names: Any) -> Self:
        """Says what to call which tensor: `graph.label(w=w, loss=loss)`. Leaves can be named before they are used.

        Raises TypeError for what is no tensor.
        """
        for name, tensor in names.items():
            if not hasattr(type(tensor), "shape"):  # PyTorch's parameters may have none before the first call
                raise TypeError(f"label({name}=…) names a tensor; this is a {type(tensor).__name__}")
            node = self.find(tensor)
            if node is not None:
                node.name = name
            elif isinstance(tensor, TensorBase):
                if tensor._node is not None:
                    self.names[tensor._node.uid] = name
            else:
                self._named[id(tensor)] = weakref.ref(tensor), name
        return self

    def _name_of(self, tensor: Any) -> str:
        """What another library's tensor is to be called that was named before it was used."""
        known, name = self._named.get(id(tensor), (None, ""))
        return name if known is not None and known() is tensor else ""

    def watch(self, model: Module, name: str = "") -> Self:
        """Names what happens inside the model's modules, and its parameters, while this graph records.

        name: what these names begin with, so that two models in one graph can be told apart. Raises TypeError
        for a module of PyTorch and for what is no module, RuntimeError on a closed graph.
        Hooks are on the modules only between the beginning and the end of the `with` block.

        >>> from minitorch.nn import Linear, ReLU, Sequential
        >>> model = Sequential(Linear(2, 3), ReLU())
        >>> with AutogradGraph().watch(model) as graph:
        ...     y = model(Tensor([[1.0, 2.0]]))
        >>> [(node.name, node.scope, node.op) for node in graph.nodes()]
        [('0.weight', '', ''), ('0.bias', '', ''), ('', '0', 'linear'), ('', '1', 'relu')]
        """
        self.require_open()
        if any(kind.__module__.partition(".")[0] == "torch" for kind in type(model).__mro__):
            raise TypeError(
                f"{type(model).__name__} is a module of PyTorch, and this would record nothing of it: "
                f"write `with minitorch.bridge.record(graph, model=model):`"
            )
        if not hasattr(model, "named_modules"):
            raise TypeError(f"watch(model) takes a Module, not a {type(model).__name__}")
        scopes = ModuleScopes(model, name=name)
        self._scopes.append(scopes)
        if self._recording is not None:
            scopes.install(self)
        return self

    def __enter__(self) -> Self:
        self.require_open()
        if self._recording is not None:
            raise RuntimeError(f"{self!r} records already: give every block, thread and task a graph of its own")
        recording = Recording(self)
        recording.__enter__()
        self._recording = recording
        for scopes in self._scopes:
            scopes.install(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        recording, self._recording = self._recording, None
        for scopes in self._scopes:
            scopes.remove()
        if recording is not None:
            recording.__exit__(kind, error, trace)
        if kind is not None:
            self.close()

    @classmethod
    def from_tensor(cls, tensor: Any, refs: ReferenceManager | None = None, **options: Any) -> Self:
        """The graph behind a minitorch Tensor, traced after the fact: what recording would have seen of its ancestors.

        Modules leave no trace, so there are no scopes; values are those of tensors that are still alive. Raises
        TypeError for another kind of tensor, RuntimeError for a constant.

        >>> x = Tensor([1.0, 2.0], requires_grad=True)
        >>> [node.op or "leaf" for node in AutogradGraph.from_tensor((x * x).sum()).nodes()]
        ['leaf', 'mul', 'sum']
        """
        if not isinstance(tensor, TensorBase):
            raise TypeError(f"from_tensor traces minitorch Tensors, not a {type(tensor).__name__}")
        if tensor._node is None:
            raise RuntimeError("from_tensor: a constant has no graph: nothing it was made from has requires_grad=True")
        graph = cls(refs, **options)
        graph.node(tensor)
        return graph

    # -- looking -----------------------------------------------------------------------------------------------------

    def find(self, tensor: Any) -> GraphNode | None:
        """The node of this very tensor, by identity; None when it is not in the graph."""
        if isinstance(tensor, TensorBase):
            uid = None if tensor._node is None else tensor._node.uid
        else:
            uid = self.refs.uid_of(tensor)
        index = None if uid is None else self._index.get(uid)
        return None if index is None else self._graph[index]

    def node(self, tensor: Any) -> GraphNode:
        """The node of this tensor; a minitorch Tensor that nobody saw being made is traced first.

        Raises KeyError when it is not in the graph, TypeError for what is no tensor.
        """
        if not hasattr(tensor, "shape"):
            raise TypeError(f"a node is found by its tensor; this is a {type(tensor).__name__}")
        found = self.find(tensor)
        if found is None and isinstance(tensor, TensorBase) and tensor._node is not None and not self.closed:
            with self._lock:
                take(self, tensor._node)
            found = self.find(tensor)
        if found is None:
            raise KeyError(f"{self!r} does not know this {type(tensor).__name__}: it was not recorded, or was swept")
        return found

    def tensor(self, node: GraphNode) -> Any:
        """The tensor at this node; None when it is gone, or was changed in place and has moved on to another node."""
        tensor = self.refs.tensor(node.uid)
        if isinstance(tensor, TensorBase):
            return tensor if tensor._node is not None and tensor._node.uid == node.uid else None
        return tensor if tensor is not None and self.refs.uid_of(tensor) == node.uid else None

    def reverse_toposort(self, root: GraphNode | Any = None) -> list[GraphNode]:
        """The root and all that it was made from, newest first: children always before parents. All nodes if None."""
        if root is None:
            return self.nodes()[::-1]
        own = self._at(root if isinstance(root, GraphNode) else self.node(root))
        found = [self._graph[index] for index in (own, *rustworkx.ancestors(self._graph, own))]
        return sorted(found, key=by_creation, reverse=True)

    def alive(self) -> list[GraphNode]:
        """The nodes whose tensors somebody holds (leaves: this graph itself), in the order of creation."""
        return [node for node in self.nodes() if self.tensor(node) is not None]

    def ends(self) -> list[GraphNode]:
        """The living results that nothing alive was made from, in the order of creation: where a pass may begin."""
        self.sweep()
        return [node for node in self.alive() if node.op and not self._graph.out_degree(self._index[node.uid])]

    # -- letting go --------------------------------------------------------------------------------------------------

    def sweep(self, keep: Collection[int | None] = (), *, leaves: bool = False) -> int:
        """Drops the nodes whose tensors have gone and that nothing else descends from; returns how many.

        A node is looked at once when its tensor goes, and once more for each child that is dropped: a sweep costs what
        it drops. keep: uids that stay. leaves: no longer hold leaves from which nothing alive descends, as the inputs
        of earlier steps; those that the program holds, as parameters, stay known. Raises TypeError for another `keep`.
        """
        if not isinstance(keep, Collection) or not all(uid is None or isinstance(uid, int) for uid in keep):
            raise TypeError(f"sweep(keep=…) takes the uids of nodes that stay, as in keep=[node.uid], not {keep!r}")
        if not isinstance(leaves, bool):
            raise TypeError(f"sweep(leaves=…) takes True or False, not {leaves!r}")
        count = self._sweep(keep)
        if leaves:
            with self._lock:
                for uid in self.refs.held:
                    if uid not in keep and not self._graph.out_degree(self._index[uid]):
                        self.refs.loosen(uid)
            count += self._sweep(keep)
        return count

    def _sweep(self, keep: Collection[int | None]) -> int:
        dropped: list[GraphNode] = []  # dies last, when rustworkx is not at work: a destructor may run any code
        with self._lock:
            stack = list(self.refs.departed())
            while stack:
                uid = stack.pop()
                index = self._index.get(uid)
                if index is None or uid in keep or self._graph.out_degree(index):
                    continue
                if self.tensor(self._graph[index]) is not None:
                    continue
                stack.extend(parent.uid for parent in self._graph.predecessors(index))
                dropped.append(self._graph[index])
                self.remove(dropped[-1])
        return len(dropped)

    def close(self) -> None:
        """Lets go of the leaves, of what waits to be differentiated, and of watched models; the facts stay.

        Nothing more is recorded. A second time changes nothing.
        """
        if self.closed:
            return
        self.closed = True
        with self._lock:
            for scopes in self._scopes:
                scopes.remove()
            self._scopes.clear()
            self.refs.close()
            self.names.clear()
            self._named.clear()
            freed = [(node, node.pull) for node in self._graph.nodes()]  # dies last, as in `sweep`
            for node, _ in freed:
                node.pull = None

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            f"{self!r} cannot be pickled or copied, for it refers to living tensors: trace a result again with "
            f"from_tensor; viz.graph(graph).save(…) keeps the picture"
        )

    def __repr__(self) -> str:
        name = f" {self.name!r}" if self.name else ""
        return f"<AutogradGraph{name}: {len(self)} nodes, {self._graph.num_edges()} edges{', closed' * self.closed}>"
