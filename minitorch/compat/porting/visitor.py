"""One visitor of a program's syntax tree: the kind of each expression. The program is read and never run.

A name has the kind that was last assigned to it, and after a branch or a loop the join of both paths. A parameter has
the join of its calls' arguments, a call the join of the function's returns, an attribute of `self` the join of its
class's assignments. The tree is visited until these facts stay the same: first with all unknown facts left out of
joins (a list that is still empty adds nothing), then with all of them unknown.
"""

# ruff: noqa: N815 - ast.NodeVisitor calls its methods by the names of the nodes
from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from minitorch.compat.porting import results
from minitorch.compat.porting.imports import imported_names
from minitorch.compat.porting.kinds import (
    ARRAY,
    DISTRIBUTION,
    MAYBE_DATA,
    MAYBE_GRAD,
    MODULE,
    NEVER,
    NOT_KNOWN,
    NOTHING,
    NUMBER,
    NUMPY,
    OTHER,
    TENSOR,
    TENSOR_LIKE,
    TEXT,
    UNKNOWN,
    Kind,
    any_of,
    at,
    either,
    inside,
    row,
    several,
)
from minitorch.compat.porting.names import PYTORCH

WALKS = 8  # at most, of either phase
DEFS = (ast.FunctionDef, ast.AsyncFunctionDef)
Function = ast.FunctionDef | ast.AsyncFunctionDef
Env = dict[str, Kind]
ANNOTATED = {"Tensor": TENSOR, "nn.Parameter": TENSOR, "LongTensor": TENSOR, "FloatTensor": TENSOR, "nn.Module": MODULE}
TYPES = {"int": NUMBER, "float": NUMBER, "bool": NUMBER, "str": TEXT}
SELF = ("to", "cuda", "cpu", "eval", "train", "double", "float", "half", "requires_grad_", "apply")  # return the module
PLAIN_DECORATORS = {"no_grad", "inference_mode", "enable_grad", "staticmethod", "classmethod", "property"}
# Built-in functions: their results by the kinds of their arguments.
BUILTINS: dict[str, Callable[[list[Kind]], Kind]] = {
    **dict.fromkeys(("len", "int", "float", "round", "bool", "isinstance", "hasattr", "id", "hash"), lambda _: NUMBER),
    **dict.fromkeys(("str", "repr", "input", "chr", "format"), lambda _: TEXT),
    **dict.fromkeys(("list", "tuple", "sorted", "reversed", "iter", "tqdm"), lambda given: row(inside(given[0]))),
    **dict.fromkeys(("next", "sum"), lambda given: inside(given[0])),
    **dict.fromkeys(("max", "min"), lambda given: any_of(given) if len(given) > 1 else inside(given[0])),
    "abs": lambda given: given[0],
    "range": lambda _: row(NUMBER),
    "enumerate": lambda given: row(several((NUMBER, inside(given[0])))),
    "zip": lambda given: row(several(map(inside, given))),
}


def last_name(node: ast.AST) -> str:
    """Return `c` for `a.b.c` and for `c`."""
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


class Visitor(ast.NodeVisitor):
    """The kinds of a program's expressions, by node."""

    def __init__(self, tree: ast.Module) -> None:
        """Visit the program until no fact changes."""
        self.tree = tree
        self.names = imported_names(tree)
        top = [alias.asname or alias.name.split(".")[0] for node in _scope(tree) if isinstance(node, ast.Import)
               for alias in node.names]  # fmt: skip
        self.root = next((name for name in top if self.names.get(name) == PYTORCH), "")
        self.parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
        nodes = list(self.parents)
        self.classes = {node.name: node for node in nodes if isinstance(node, ast.ClassDef)}
        self.functions: list[Function] = [node for node in nodes if isinstance(node, DEFS)]
        self.method_names = {each.name for each in self.functions if self.owner(each)}
        self.shared = {name for node in nodes if isinstance(node, (ast.Global, ast.Nonlocal)) for name in node.names}
        self.bound = {scope: _bindings(scope) for scope in (tree, *self.functions)}
        self.kinds: dict[ast.AST, Kind] = {}
        self.rebound: set[ast.AST] = set()  # uses of an imported name that stands for something else there
        self.facts: dict[tuple[Any, ...], Kind] = {}  # they hold in the whole program; a fact only ever grows
        self.scope: ast.AST = tree
        self.env: Env = {}
        self.sure = True  # outside of branches
        for self.default in (NEVER, UNKNOWN):
            for _ in range(WALKS):
                before = dict(self.facts)
                self._visit_scope(tree, tree.body, {})
                for function in self.functions:
                    self._visit_scope(function, function.body, self._parameters(function))
                if self.facts == before:
                    break

    def __getitem__(self, node: ast.AST) -> Kind:
        return self.kinds.get(node, UNKNOWN)

    def dotted(self, node: ast.AST) -> str:
        """Return the dotted name of `F.relu`, `torch.nn.functional.relu`; "" for anything else."""
        if isinstance(node, ast.Attribute):
            before = self.dotted(node.value)
            return f"{before}.{node.attr}" if before else ""
        return self.names.get(node.id, "") if isinstance(node, ast.Name) and node not in self.rebound else ""

    def path(self, node: ast.AST) -> str:
        """Return the same after `torch.`; "" where it is not PyTorch's."""
        head, _, path = self.dotted(node).partition(".")
        return path if head == PYTORCH else ""

    # -- the program's functions and classes ---------------------------------------------------------------------------

    def owner(self, function: Function) -> str:
        """Return the class that a function is a method of; "" for none."""
        parent = self.parents[function]
        return parent.name if isinstance(parent, ast.ClassDef) else ""

    def outer(self, node: ast.AST) -> ast.AST | None:
        """Return the function around a node, or the program; None around the program."""
        while (found := self.parents.get(node)) is not None and not isinstance(found, (*DEFS, ast.Module)):
            node = found
        return found

    def mro(self, name: str, seen: frozenset[str] = frozenset()) -> Iterator[str]:
        """Iterate over a class of the program and its base classes within the program."""
        if name in self.classes and name not in seen:
            yield name
            for base in self.classes[name].bases:
                if isinstance(base, ast.Name):
                    yield from self.mro(base.id, seen | {name})

    def base_of(self, name: str) -> str:
        """Return the first of PyTorch's classes that a class inherits from; "" for none."""
        paths = [self.path(base) for each in self.mro(name) for base in self.classes[each].bases]
        found = next((path for path in paths if path), "")
        return found.replace("nn.modules.module.", "nn.").replace("autograd.function.", "autograd.")

    def is_module(self, kind: Kind) -> bool:
        """Tell a layer, or an object of a class of layers."""
        return kind.word == "module" or (kind.word == "instance" and self.base_of(kind.name).startswith("nn."))

    def _named(self, name: str, owner: str = "") -> list[Function]:
        """Return the functions of a name; with an owner, its method or the inherited one."""
        for each in self.mro(owner) if owner else [""]:
            found = [one for one in self.functions if one.name == name and self.owner(one) == each]
            if found:
                return found
        return []

    # -- facts ---------------------------------------------------------------------------------------------------------

    def _learn(self, *fact: Any, kind: Kind) -> None:
        self.facts[fact] = either(self.facts.get(fact, NEVER), kind)

    def _known(self, *fact: Any) -> Kind:
        found = self.facts.get(fact, NEVER)
        return self.default if found == NEVER else found

    def _prove(self, node: ast.AST) -> None:
        """Take a name for a Tensor from here on: the line before would have failed otherwise."""
        if isinstance(node, ast.Name) and self.env.get(node.id) in (UNKNOWN, NEVER):
            self.env[node.id] = TENSOR
            if self.bound[self.scope][node.id] == 1 and self.sure:
                self._learn("used", self.scope, node.id, kind=TENSOR)

    def _used(self, scope: ast.AST, name: str, kind: Kind) -> Kind:
        once = kind in (UNKNOWN, NEVER) and self.bound[scope][name] == 1
        return TENSOR if once and ("used", scope, name) in self.facts else kind

    def _bind(self, target: ast.expr, kind: Kind) -> None:
        """Assign a kind to a name, an attribute, an element, or each of several."""
        match target:
            case ast.Name(name):
                kind = self._used(self.scope, name, kind)
                self.env[name] = kind
                self._learn("held", self.scope, name, kind=kind)
            case ast.Attribute():
                if (owner := self.visit(target.value)).word == "instance":
                    self._learn("owned", owner.name, target.attr, kind=kind)
            case ast.Tuple() | ast.List():
                starred = any(isinstance(each, ast.Starred) for each in target.elts)
                for place, each in enumerate(target.elts):
                    self._bind(each, inside(kind) if starred else at(kind, place))
            case ast.Starred():
                self._bind(target.value, row(kind))
            case ast.Subscript():
                self.visit(target.slice)
                if (held := self.visit(target.value)).word == "dict":
                    self._bind(target.value, either(held, Kind("dict", (kind,))))
        self.kinds[target] = kind

    def _annotated(self, node: ast.expr | None) -> Kind:
        """Return the kind that an annotation names."""
        match node:
            case ast.Constant(value=None):
                return NOTHING
            case ast.BinOp():
                return either(self._annotated(node.left), self._annotated(node.right))
            case ast.Subscript():
                parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
                kinds = [self._annotated(part) for part in parts]
                match last_name(node.value).lower():
                    case "optional" | "union":
                        return any_of(kinds)
                    case "tuple" if not isinstance(parts[-1], ast.Constant):
                        return several(kinds)
                    case "dict" | "mapping":
                        return Kind("dict", (kinds[-1],))
                    case "list" | "sequence" | "iterable" | "iterator" | "tuple":
                        return row(kinds[0])
            case ast.Name(id) if id in TYPES or id in self.classes:
                return TYPES.get(id) or Kind("instance", name=id)
            case ast.Name() | ast.Attribute():
                return NUMPY if self.dotted(node) == "numpy.ndarray" else ANNOTATED.get(self.path(node), UNKNOWN)
        return UNKNOWN

    # -- statements ----------------------------------------------------------------------------------------------------

    def visit(self, node: ast.AST) -> Kind:
        """Visit a node; the kind of an expression is remembered."""
        kind = super().visit(node) or UNKNOWN
        if isinstance(node, ast.expr):
            self.kinds[node] = kind
        return kind

    def _visit_scope(self, scope: ast.AST, body: Sequence[ast.stmt], env: Env) -> None:
        self.scope, self.env = scope, env
        self._block(body)

    def _parameters(self, function: Function) -> Env:
        env = {}
        owner = self.owner(function)
        decorators = _decorators(function)
        for place, (arg, default) in enumerate(_arguments(function)):
            kind = self._annotated(arg.annotation)
            if place == 0 and owner and "staticmethod" not in decorators:
                kind = Kind("class" if "classmethod" in decorators else "instance", name=owner)
            elif place and function.name == "backward" and self.base_of(owner) == "autograd.Function":
                kind = TENSOR
            elif kind == UNKNOWN:
                self.scope, self.env = self.outer(function) or self.tree, {}
                given = self.facts.get(("given", function, arg.arg), NEVER)
                given = either(given, self.visit(default) if default else NEVER)
                kind = self.default if given == NEVER else given
            env[arg.arg] = self._used(function, arg.arg, kind)
        return env

    def may_be_none(self, node: ast.expr) -> bool:
        """Tell a parameter whose default is None and that is not known to be a Tensor."""
        scope = self.outer(node)
        given = _arguments(scope) if isinstance(scope, DEFS) and isinstance(node, ast.Name) else []
        default = next((default for arg, default in given if arg.arg == last_name(node)), None)
        return isinstance(default, ast.Constant) and default.value is None and self[node] != TENSOR

    def _block(self, body: Sequence[ast.stmt]) -> None:
        for statement in body:
            self.visit(statement)

    def _branches(self, branches: Sequence[tuple[Sequence[ast.stmt], Env]]) -> None:
        """Visit blocks of which one is run, each with what its test tells of a name, and join their ends."""
        before, sure = dict(self.env), self.sure
        after: Env = {}
        self.sure = False
        for body, asked in branches:
            self.env = {**before, **asked}
            self._block(body)
            if not body or not isinstance(body[-1], (ast.Return, ast.Raise)):
                after = _joined(after, self.env)
        self.env, self.sure = after or before, sure

    def visit_Import(self, node: ast.Import | ast.ImportFrom) -> None:
        """Give a name back to its import."""
        for alias in node.names:
            self.env.pop(alias.asname or alias.name.split(".")[0], None)

    visit_ImportFrom = visit_Import

    def visit_Assign(self, node: ast.Assign) -> None:
        """Bind each target. `torch = None` after a failed import binds no name."""
        kind = self.visit(node.value)
        for target in node.targets:
            if not (isinstance(node.value, ast.Constant) and last_name(target) in self.names):
                self._bind(target, kind)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """Bind to the annotated kind, or else to the value's."""
        said, kind = self._annotated(node.annotation), self.visit(node.value) if node.value else UNKNOWN
        self._bind(node.target, kind if said == UNKNOWN else said)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        """`a += b` is bound as `a + b`."""
        self._bind(node.target, _operated(self.visit(node.target), self.visit(node.value)))

    def visit_Return(self, node: ast.Return) -> None:
        """Add to the result of the function's calls."""
        if node.value is not None:
            self._learn("returned", self.scope, kind=self.visit(node.value))

    def visit_Yield(self, node: ast.Yield) -> None:
        """Add to the elements that the generator's calls give."""
        if node.value is not None:
            self._learn("returned", self.scope, kind=row(self.visit(node.value)))

    def visit_If(self, node: ast.If) -> None:
        """Join both branches, each with what the test tells of a name's type."""
        self.visit(node.test)
        negated = isinstance(node.test, ast.UnaryOp)
        asked = self._asked(node.test.operand if isinstance(node.test, ast.UnaryOp) else node.test)
        self._branches([(node.body, {} if negated else asked), (node.orelse, asked if negated else {})])

    def _asked(self, test: ast.expr) -> Env:
        """Return the kind of x after `isinstance(x, torch.Tensor)`, `torch.is_tensor(x)`, `type(x) == nn.Linear`."""
        match test:
            case ast.Call(func=ast.Name("isinstance"), args=[ast.Name(name), of]):
                pass
            case ast.Compare(ast.Call(func=ast.Name("type"), args=[ast.Name(name)]), [ast.Eq() | ast.Is()], [of]):
                pass
            case ast.Call(args=[ast.Name(name)]) if self.path(test.func) == "is_tensor":
                return {name: TENSOR}
            case _:
                return {}
        types = of.elts if isinstance(of, ast.Tuple) else [of]
        kinds = [self._annotated(each) for each in types]
        layers = all(self.path(each).startswith("nn.") for each in types) and kinds != [TENSOR]
        return {name: MODULE if layers else any_of(kinds)}

    def visit_For(self, node: ast.For | ast.AsyncFor | ast.While) -> None:
        """Visit the body twice: at its beginning stand also the names that it binds."""
        for _ in range(2):
            kind = self.visit(node.test if isinstance(node, ast.While) else node.iter)
            before = dict(self.env)
            if not isinstance(node, ast.While):
                self._bind(node.target, inside(kind))
            self._block(node.body)
            self.env = _joined(before, self.env)
        self._block(node.orelse)

    visit_AsyncFor = visit_While = visit_For

    def visit_With(self, node: ast.With | ast.AsyncWith) -> None:
        """Bind the contexts' names, of which nothing is known."""
        for item in node.items:
            self.visit(item.context_expr)
            if item.optional_vars is not None:
                self._bind(item.optional_vars, UNKNOWN)
        self._block(node.body)

    visit_AsyncWith = visit_With

    def visit_Try(self, node: ast.Try | ast.TryStar) -> None:
        """Join the handlers, each of which may follow the body."""
        self._block(node.body)
        self._branches([([], {}), *((handler.body, {}) for handler in node.handlers)])
        self._block([*node.orelse, *node.finalbody])

    visit_TryStar = visit_Try

    def visit_Match(self, node: ast.Match) -> None:
        """Join the cases."""
        self.visit(node.subject)
        self._branches([([], {}), *((case.body, {}) for case in node.cases)])

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """Give the names of the class's body to its objects."""
        before, self.env = self.env, dict(self.env)
        self._block([each for each in node.body if isinstance(each, (ast.Assign, ast.AnnAssign))])
        for name in self.env.keys() - before.keys():
            self._learn("owned", node.name, name, kind=self.env[name])
        self.env = before

    def visit_FunctionDef(self, node: Function) -> None:
        """Visit the decorators: the body is a scope of its own."""
        for decorator in node.decorator_list:
            self.visit(decorator)

    visit_AsyncFunctionDef = visit_FunctionDef

    # -- expressions ---------------------------------------------------------------------------------------------------

    def visit_Constant(self, node: ast.Constant) -> Kind:
        """None, a text or a number."""
        return NOTHING if node.value is None else TEXT if isinstance(node.value, (str, bytes)) else NUMBER

    def visit_JoinedStr(self, node: ast.JoinedStr) -> Kind:
        """An f-string is a text."""
        self.generic_visit(node)
        return TEXT

    def visit_Name(self, node: ast.Name) -> Kind:
        """Look a name up in its scope and in the scopes around it."""
        name = node.id
        self.rebound.add(node)
        if name in self.shared:
            return UNKNOWN
        if name in self.env:
            return self.env[name]
        scope: ast.AST | None = self.scope
        while scope is not None:
            imported = name in self.names
            for fact in (("held", scope, name), ("given", scope, name)):
                if fact in self.facts and not (imported and scope is self.scope):
                    return self._known(*fact)
            if self.bound[scope][name] and not imported:
                return self.default
            scope = self.outer(scope)
        self.rebound.discard(node)
        if name in self.classes:
            return Kind("class", name=name)
        return Kind("function", name=name) if self._named(name) else UNKNOWN

    def visit_Attribute(self, node: ast.Attribute) -> Kind:
        """Return the kind of `a.b` by the kind of a."""
        owner, name = self.visit(node.value), node.attr
        if dotted := self.dotted(node):
            return NUMBER if dotted.endswith((".pi", ".inf", ".nan", ".e")) else UNKNOWN
        call = self.parents[node]
        if results.is_tensor_only(node, call, self.method_names):
            self._prove(node.value)
        if owner.word == "instance":
            for each in self.mro(owner.name):
                if ("owned", each, name) in self.facts:
                    return self._known("owned", each, name)
            if functions := self._named(name, owner.name):
                return self._returned(functions) if "property" in _decorators(functions[0]) else UNKNOWN
            owner = MODULE if self.base_of(owner.name) not in ("", "nn.Module") else UNKNOWN
        if name == "data" and (owner in TENSOR_LIKE or owner == ARRAY):
            return TENSOR if owner == ARRAY or self.wants_tensor(node) else ARRAY
        if name == "grad" and owner in TENSOR_LIKE:
            return ARRAY
        if name == "data" and owner == MAYBE_GRAD:
            return TENSOR
        if name in ("data", "grad") and owner in NOT_KNOWN and not (isinstance(call, ast.Call) and call.func is node):
            return MAYBE_DATA if name == "data" else MAYBE_GRAD
        if owner in TENSOR_LIKE or owner == ARRAY:
            return results.of_attribute(name)
        if owner.word == "module":
            return TENSOR if name.startswith(("weight", "bias", "running_")) else UNKNOWN
        if (owner.word == "row" and at(owner, 0) == TENSOR) or (
            owner == DISTRIBUTION and name in results.OF_DISTRIBUTIONS
        ):
            return TENSOR  # .values of a named tuple: a list has methods alone
        if name in ("shape", "saved_tensors"):
            return row(NUMBER if name == "shape" else TENSOR)
        return owner if owner in (NUMPY, NEVER) else UNKNOWN

    def wants_tensor(self, node: ast.Attribute) -> bool:
        """Tell a `.data` that is used as a Tensor from one that an array can take the place of."""
        parent = self.parents[node]
        if isinstance(parent, ast.Attribute):
            return parent.attr not in ("shape", "ndim", "dtype", "item", "tolist")
        if isinstance(parent, ast.Subscript):
            return isinstance(parent.ctx, ast.Load) and parent.value is node
        computed = (ast.BinOp, ast.UnaryOp, ast.AugAssign, ast.keyword, ast.Call)
        return isinstance(node.ctx, ast.Load) and not isinstance(parent, computed)

    def visit_Subscript(self, node: ast.Subscript) -> Kind:
        """Return the kind of an element, or of a part."""
        kind = self.visit(node.value)
        self.visit(node.slice)
        if isinstance(node.slice, ast.Slice):
            return row(inside(kind)) if kind.word == "tuple" else kind
        return at(kind, node.slice.value if isinstance(node.slice, ast.Constant) else None)

    def visit_BinOp(self, node: ast.BinOp) -> Kind:
        """Return the kind of an operator's result."""
        return _operated(self.visit(node.left), self.visit(node.right))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Kind:
        """Return the operand's kind; `not` gives a bool."""
        kind = self.visit(node.operand)
        return NUMBER if isinstance(node.op, ast.Not) else kind

    def visit_BoolOp(self, node: ast.BoolOp) -> Kind:
        """Return the join of the operands."""
        return any_of([self.visit(value) for value in node.values])

    def visit_IfExp(self, node: ast.IfExp) -> Kind:
        """Return the join of both sides."""
        self.visit(node.test)
        return either(self.visit(node.body), self.visit(node.orelse))

    def visit_Compare(self, node: ast.Compare) -> Kind:
        """Return the kind of a bool for each element, or of one bool."""
        kinds = [self.visit(each) for each in (node.left, *node.comparators)]
        if any(isinstance(op, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for op in node.ops):
            return NUMBER
        return next((kind for kind in (TENSOR, *TENSOR_LIKE, ARRAY, *NOT_KNOWN, NUMPY) if kind in kinds), NUMBER)

    def visit_Tuple(self, node: ast.Tuple | ast.List | ast.Set) -> Kind:
        """Return a kind for each position of a tuple, and one for all elements of a list."""
        kinds = [self.visit(each) for each in node.elts]
        starred = any(isinstance(each, ast.Starred) for each in node.elts)
        return several(kinds) if isinstance(node, ast.Tuple) and not starred else row(any_of(kinds))

    visit_List = visit_Set = visit_Tuple

    def visit_Dict(self, node: ast.Dict) -> Kind:
        """Return one kind for all values."""
        for key in filter(None, node.keys):
            self.visit(key)
        return Kind("dict", (any_of([self.visit(value) for value in node.values]),))

    def visit_ListComp(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> Kind:
        """Return a row of the element's kind. The loop's names end with it."""
        before = dict(self.env)
        for each in node.generators:
            self._bind_inside(each.target, inside(self.visit(each.iter)))
            for test in each.ifs:
                self.visit(test)
        if isinstance(node, ast.DictComp):
            self.visit(node.key)
        kind = self.visit(node.value if isinstance(node, ast.DictComp) else node.elt)
        self.env = before
        return Kind("dict", (kind,)) if isinstance(node, ast.DictComp) else row(kind)

    visit_SetComp = visit_GeneratorExp = visit_DictComp = visit_ListComp

    def _bind_inside(self, target: ast.expr, kind: Kind) -> None:
        if isinstance(target, ast.Name):
            self.env[target.id] = self.kinds[target] = kind
        for place, each in enumerate(getattr(target, "elts", ())):
            self._bind_inside(each, UNKNOWN if isinstance(each, ast.Starred) else at(kind, place))

    def visit_Starred(self, node: ast.Starred) -> Kind:
        """Return the kind of the elements that are unpacked."""
        return inside(self.visit(node.value))

    def visit_NamedExpr(self, node: ast.NamedExpr) -> Kind:
        """Bind, and return the same."""
        kind = self.visit(node.value)
        self._bind(node.target, kind)
        return kind

    def visit_Lambda(self, node: ast.Lambda) -> Kind:
        """Return a function of its body."""
        before = dict(self.env)
        for arg in node.args.args:
            self.env[arg.arg] = self.facts.get(("given", node, arg.arg), self.default)
        kind = self.visit(node.body)
        self.env = before
        return Kind("lambda", (kind,))

    # -- calls ---------------------------------------------------------------------------------------------------------

    def visit_Call(self, node: ast.Call) -> Kind:
        """Return the kind of a function's result; the function learns the kinds of its arguments."""
        function = node.func
        held = UNKNOWN if isinstance(function, ast.Attribute) else self.visit(function)
        kinds = [self.visit(each) for each in node.args]
        named = {each.arg: self.visit(each.value) for each in node.keywords}
        if isinstance(function, ast.Attribute):
            held = self.visit(function)
        if path := self.path(function):
            if path.startswith("nn.functional.") and node.args:
                self._prove(node.args[0])
            return results.of_function(path, node, kinds)
        if self.dotted(function).startswith("numpy."):
            made = self.dotted(function).split(".")[1] in results.ARRAY_MAKERS
            return NUMPY if made or not {*TENSOR_LIKE, *NOT_KNOWN} & set(kinds) else UNKNOWN
        if isinstance(function, ast.Attribute):
            return self._method(function, held, node, kinds, named)
        if held == UNKNOWN and isinstance(function, ast.Name) and kinds and function.id in BUILTINS:
            return BUILTINS[function.id](kinds)
        return self._called(held, node, kinds, named)

    def _called(self, held: Kind, node: ast.Call, kinds: list[Kind], named: dict[str | None, Kind]) -> Kind:
        match held.word:
            case "module":
                if node.args:
                    self._prove(node.args[0])
                return held.of[0]
            case "lambda":
                return held.of[0]
            case "function":
                return self._given(self._named(held.name), kinds, named, 0)
            case "class":
                self._given(self._named("__init__", held.name), kinds, named, 1)
                return Kind("instance", name=held.name)
            case "instance":
                methods = self._named("forward", held.name) or self._named("__call__", held.name)
                return TENSOR if not methods and self.is_module(held) else self._given(methods, kinds, named, 1)
        return held if held == NEVER else UNKNOWN

    def _method(
        self, function: ast.Attribute, attribute: Kind, node: ast.Call, kinds: list[Kind], named: dict[str | None, Kind]
    ) -> Kind:
        owner, name = self[function.value], function.attr
        if name in ("apply", "register_hook") and node.args:
            self._hand_over(node.args[0], kinds[0], MODULE if name == "apply" else ARRAY)
        if name == "apply" and owner.word == "class":
            returned = self._given(self._named("forward", owner.name), [OTHER, *kinds], named, 0)
            return TENSOR if returned in NOT_KNOWN else returned
        if owner.word == "instance":
            if methods := self._named(name, owner.name):
                return self._given(methods, kinds, named, 0 if "staticmethod" in _decorators(methods[0]) else 1)
            if attribute != UNKNOWN:
                return self._called(attribute, node, kinds, named)
            if not self.is_module(owner):
                return UNKNOWN
            if name == "register_buffer" and len(kinds) > 1 and isinstance(node.args[0], ast.Constant):
                self._learn("owned", owner.name, node.args[0].value, kind=TENSOR)
        if owner.word in ("instance", "module") and name in SELF:
            return owner
        if owner == ARRAY and results.is_same_on_arrays(function, node):
            return NUMBER if name == "item" else ARRAY
        only = owner in NOT_KNOWN and results.is_tensor_only(function, node, self.method_names)
        if only or owner in TENSOR_LIKE or owner == ARRAY:
            return results.of_method(name, node, kinds)
        if owner == DISTRIBUTION:
            return TENSOR if name in results.OF_DISTRIBUTIONS else UNKNOWN
        if owner.word in ("instance", "module") or name in ("parameters", "named_parameters"):
            return results.OF_MODULES.get(name, UNKNOWN)
        return self._of_container(function, owner, kinds)

    def _of_container(self, function: ast.Attribute, owner: Kind, kinds: list[Kind]) -> Kind:
        name = function.attr
        if owner.word == "row" and name in ("append", "add", "insert", "extend") and kinds:
            added = inside(kinds[-1]) if name == "extend" else kinds[-1]
            self._bind(function.value, row(either(inside(owner), added)))
            return NOTHING
        if owner.word == "dict":
            whole = {"items": row(several((TEXT, owner.of[0]))), "values": row(owner.of[0]), "keys": row(TEXT)}
            return whole.get(name, owner.of[0] if name in ("get", "pop", "setdefault") else UNKNOWN)
        if owner.word == "row" and name in ("pop", "popleft"):
            return inside(owner)
        return owner if owner in (NUMPY, TEXT, NEVER) else UNKNOWN

    def _hand_over(self, node: ast.expr, kind: Kind, given: Kind) -> None:
        """Give a function that is an argument itself the kind of its first parameter."""
        if isinstance(node, ast.Lambda) and node.args.args:
            self._learn("given", node, node.args.args[0].arg, kind=given)
            self.visit(node)
        elif kind.word == "function":
            self._given(self._named(kind.name), [given], {}, 0)

    def _given(self, functions: list[Function], kinds: list[Kind], named: dict[str | None, Kind], skip: int) -> Kind:
        """Give functions of the program their arguments, and return the kind of their result."""
        for function in functions:
            own = [arg.arg for arg, _ in _arguments(function)][skip:]
            for name, kind in [*zip(own, kinds, strict=False), *named.items()]:
                self._learn("given", function, name, kind=kind)
        return self._returned(functions)

    def _returned(self, functions: list[Function]) -> Kind:
        changed = any(_decorators(function) - PLAIN_DECORATORS for function in functions)
        return UNKNOWN if changed or not functions else any_of(self._known("returned", each) for each in functions)


def _scope(scope: ast.AST) -> Iterator[ast.AST]:
    """Iterate over the nodes of a function or of the program, without those inside its functions."""
    for node in ast.iter_child_nodes(scope):
        yield node
        if not isinstance(node, (*DEFS, ast.Lambda)):
            yield from _scope(node)


def _bindings(scope: ast.AST) -> Counter[str]:
    """Count the bindings of each name in a scope."""
    found = (
        getattr(node, "arg", "") if isinstance(node, ast.arg) else node.id
        for node in _scope(scope)
        if isinstance(node, ast.arg) or (isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load))
    )
    return Counter(found)


def _decorators(function: Function) -> set[str]:
    return {last_name(each.func if isinstance(each, ast.Call) else each) for each in function.decorator_list}


def _arguments(function: Function) -> list[tuple[ast.arg, ast.expr | None]]:
    """Return each parameter and its default, but `*args` and `**kwargs`."""
    args = function.args
    places = [*args.posonlyargs, *args.args]
    defaults = [*[None] * (len(places) - len(args.defaults)), *args.defaults, *args.kw_defaults]
    return list(zip([*places, *args.kwonlyargs], defaults, strict=True))


def _joined(one: Env, other: Env) -> Env:
    return {name: either(one.get(name, NEVER), other.get(name, NEVER)) for name in one | other}


def _operated(one: Kind, other: Kind) -> Kind:
    """Return the kind of an operator's result."""
    for kind in (TEXT, TENSOR, ARRAY, MAYBE_GRAD, NEVER, UNKNOWN, MAYBE_DATA, NUMPY):
        if kind in (one, other):
            return UNKNOWN if kind == MAYBE_DATA else kind
    if {one.word, other.word} & {"row", "tuple"}:
        return one if other == NUMBER else row(either(inside(one), inside(other)))
    return either(one, other) if {one, other} <= {NUMBER, *TENSOR_LIKE} else UNKNOWN
