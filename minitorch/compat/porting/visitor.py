"""Kinds of a program's expressions, found by visiting its syntax tree. The program is read and never run.

A name has the kind that was last assigned to it, and after a branch or a loop the join of both paths. A parameter has
the join of its calls' arguments, a call the join of the function's returns, an attribute of `self` the join of its
class's assignments. The tree is visited several times, until these facts stay the same: first with all unknown facts
left out of joins (a list that is still empty adds nothing), then with all of them unknown.
"""

# ruff: noqa: N815 - ast.NodeVisitor calls its methods by the names of the nodes
from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from minitorch.compat.porting import tensor_results as results
from minitorch.compat.porting.imports import imported_names
from minitorch.compat.porting.kinds import NOT_KNOWN, TENSOR_LIKE, Env, Kind, element, join, join_all, merge, tag
from minitorch.compat.porting.names import OURS, PYTORCH
from minitorch.compat.porting.program_scopes import DEFS, Function, arguments, bindings, decorators, last_name

# The kind of an unknown fact in each visit of the program: a fact is passed on by one call a visit.
PASSES = ("never",) * 4 + ("unknown",) * 4
TYPES: dict[str, Kind] = {"int": "number", "float": "number", "bool": "number", "str": "text", "numpy.ndarray": "numpy"}
TYPES |= {"torch.Tensor": "tensor", "torch.nn.Parameter": "tensor", "torch.LongTensor": "tensor"}
SELF = ("to", "cuda", "cpu", "eval", "train", "double", "float", "half", "requires_grad_", "apply")  # return the module
# Of compared operands, the first of these is the kind of the result.
COMPARED = ("tensor", "likely", "array", "unknown", "never", "grad?", "data?", "numpy")
# Built-in functions: their results by the kinds of their arguments.
BUILTINS: dict[str, Callable[[list[Kind]], Kind]] = {
    **dict.fromkeys(("list", "tuple", "sorted", "tqdm"), lambda given: ("list", element(given[0]))),
    **dict.fromkeys(("next", "sum"), lambda given: element(given[0])),
    "enumerate": lambda given: ("list", ("tuple", "number", element(given[0]))),
    "zip": lambda given: ("list", ("tuple", *map(element, given))),
}


class Visitor(ast.NodeVisitor):
    """Kinds of a program's expressions, by node."""

    def __init__(self, tree: ast.Module) -> None:
        """Visit the program until no fact changes."""
        self.tree, self.names = tree, imported_names(tree)
        self.parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
        self.classes = {node.name: node for node in self.parents if isinstance(node, ast.ClassDef)}
        self.shadowed: set[ast.AST] = set()  # uses of an imported name that stands for something else there
        self.bases: dict[str, str] = {}  # of each class: the first of PyTorch's that it inherits from
        for name, node in self.classes.items():
            found = [self.path(base) or self.bases.get(last_name(base), "") for base in node.bases]
            self.bases[name] = next(filter(None, found), "")
        self.functions: list[Function] = [node for node in self.parents if isinstance(node, DEFS)]
        self.method_names = {each.name for each in self.functions if self.class_of(each)}
        outward = [node.names for node in self.parents if isinstance(node, (ast.Global, ast.Nonlocal))]
        self.declared = {name for given in outward for name in given}
        self.bound: dict[ast.AST, Counter[str]] = {scope: bindings(scope) for scope in (tree, *self.functions)}
        roots = (name for name, path in self.names.items() if path == PYTORCH and self.bound[tree][name])
        self.root = next(roots, OURS)
        self.kinds: dict[ast.AST, Kind] = {}
        self.facts: dict[tuple[Any, ...], Kind] = {}  # they hold in the whole program; a fact only ever grows
        self.scope: ast.AST = tree
        self.env: Env = {}
        self.certain = True  # outside of branches
        self.default: Kind
        for self.default in PASSES:
            for scope in (tree, *self.functions):
                env = {} if isinstance(scope, ast.Module) else self._parameters(scope)
                self.scope, self.env = scope, env
                self._block(scope.body)

    def __getitem__(self, node: ast.AST) -> Kind:
        return self.kinds.get(node, "unknown")

    def dotted(self, node: ast.AST) -> str:
        """Return the dotted name of `F.relu`, `torch.nn.functional.relu`; "" for anything else."""
        if isinstance(node, ast.Attribute):
            before = self.dotted(node.value)
            return f"{before}.{node.attr}" if before else ""
        return self.names.get(node.id, "") if isinstance(node, ast.Name) and node not in self.shadowed else ""

    def path(self, node: ast.AST) -> str:
        """Return the same after `torch.`; "" where it is not PyTorch's."""
        head, _, path = self.dotted(node).partition(".")
        return path if head == PYTORCH else ""

    # -- the program's functions and classes ---------------------------------------------------------------------------

    def class_of(self, function: Function) -> str:
        """Return the class that a function is a method of; "" for none."""
        return parent.name if isinstance(parent := self.parents[function], ast.ClassDef) else ""

    def enclosing(self, node: ast.AST) -> ast.AST | None:
        """Return the function around a node, or the program; None around the program."""
        while (found := self.parents.get(node)) is not None and not isinstance(found, (*DEFS, ast.Module)):
            node = found
        return found

    def is_module(self, kind: Kind) -> bool:
        """Tell a layer, or an object of a class of layers."""
        return tag(kind) == "module" or (tag(kind) == "instance" and self.bases[kind[1]].startswith("nn."))

    def _functions(self, name: str, owner: str = "") -> list[Function]:
        """Return the functions of a name; with an owner, its methods."""
        return [each for each in self.functions if each.name == name and self.class_of(each) == owner]

    # -- facts ---------------------------------------------------------------------------------------------------------

    def _add_fact(self, *fact: Any, kind: Kind) -> None:
        self.facts[fact] = join(self.facts.get(fact, "never"), kind)

    def _fact(self, *fact: Any) -> Kind:
        return self.facts.get(fact, self.default)

    def _infer_tensor(self, node: ast.AST) -> None:
        """Take a name for a Tensor from here on: the line before would have failed otherwise."""
        if isinstance(node, ast.Name) and self.env.get(node.id) in ("unknown", "never"):
            self.env[node.id] = "tensor"
            if self.bound[self.scope][node.id] == 1 and self.certain:
                self._add_fact("used", self.scope, node.id, kind="tensor")

    def _inferred(self, scope: ast.AST, name: str, kind: Kind) -> Kind:
        return "tensor" if kind in ("unknown", "never") and ("used", scope, name) in self.facts else kind

    def _bind(self, target: ast.expr, kind: Kind) -> None:
        """Assign a kind to a name, an attribute, an element, or each of several."""
        match target:
            case ast.Name(name):
                kind = self._inferred(self.scope, name, kind)
                self.env[name] = kind
                self._add_fact("held", self.scope, name, kind=kind)
            case ast.Attribute(of, name):
                if tag(owner := self.visit(of)) == "instance":
                    self._add_fact("owned", owner[1], name, kind=kind)
            case ast.Tuple(parts) | ast.List(parts):
                for index, each in enumerate(parts):
                    self._bind(each, element(kind, index))
            case ast.Subscript():
                self.generic_visit(target)
        self.kinds[target] = kind

    def _annotation(self, node: ast.expr | None) -> Kind:
        """Return the kind that an annotation names."""
        layer = node is not None and self.path(node).startswith("nn.")
        name = (self.dotted(node) or last_name(node)) if node else ""
        return TYPES.get(name, "module" if layer else "unknown")

    # -- statements ----------------------------------------------------------------------------------------------------

    def visit(self, node: ast.AST) -> Kind:
        """Visit a node; the kind of an expression is remembered."""
        kind: Kind = super().visit(node) or "unknown"
        if isinstance(node, ast.expr):
            self.kinds[node] = kind
        return kind

    def _parameters(self, function: Function) -> Env:
        """Return the kinds of a function's parameters: what they are annotated as, given, or their defaults."""
        env: Env = {}
        owner, marks = self.class_of(function), decorators(function)
        backward = function.name == "backward" and self.bases.get(owner, "").startswith("autograd.")
        for index, (arg, default) in enumerate(arguments(function)):
            kind = self._annotation(arg.annotation)
            if index == 0 and owner and "staticmethod" not in marks:
                kind = ("class" if "classmethod" in marks else "instance", owner)
            elif index and backward:
                kind = "tensor"
            elif kind == "unknown":
                self.scope, self.env = self.enclosing(function) or self.tree, {}
                kind = self.visit(default) if default else "never"
                kind = join(self.facts.get(("given", function, arg.arg), "never"), kind)
                kind = self.default if kind == "never" else kind
            env[arg.arg] = self._inferred(function, arg.arg, kind)
        return env

    def may_be_none(self, node: ast.expr) -> bool:
        """Tell a parameter whose default is None and that is not known to be a Tensor."""
        scope = self.enclosing(node)
        given = arguments(scope) if isinstance(scope, DEFS) and self[node] != "tensor" else []
        defaults = [default for arg, default in given if arg.arg == getattr(node, "id", "")]
        return any(isinstance(default, ast.Constant) and default.value is None for default in defaults)

    def _block(self, body: Sequence[ast.stmt]) -> None:
        for statement in body:
            self.visit(statement)

    def visit_Assign(self, node: ast.Assign) -> None:
        """Bind each target. `torch = None` after a failed import binds no name."""
        kind = self.visit(node.value)
        for target in node.targets:
            if not (isinstance(node.value, ast.Constant) and last_name(target) in self.names):
                self._bind(target, kind)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """Bind to the annotated kind, or else to the value's."""
        kind, said = self.visit(node.value or node.annotation), self._annotation(node.annotation)
        self._bind(node.target, kind if said == "unknown" else said)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        """Bind `a += b` as `a + b`."""
        read = ast.Name(node.target.id, ast.Load()) if isinstance(node.target, ast.Name) else node.target
        self._bind(node.target, results.operator_kind(self.visit(read), self.visit(node.value)))

    def visit_Return(self, node: ast.Return) -> None:
        """Add to the result of the function's calls."""
        if node.value is not None:
            self._add_fact("returned", self.scope, kind=self.visit(node.value))

    def visit_If(self, node: ast.If) -> None:
        """Join both branches, one of them with what the test tells of a name's type."""
        self.visit(node.test)
        before, after, sure = dict(self.env), Env(), self.certain
        asked, self.certain = self._narrowed(getattr(node.test, "operand", node.test)), False
        for body in (node.body, node.orelse):
            self.env = before | (asked if (body is node.orelse) == isinstance(node.test, ast.UnaryOp) else {})
            self._block(body)
            if not body or not isinstance(body[-1], (ast.Return, ast.Raise)):
                after = merge(after, self.env)
        self.env, self.certain = after or before, sure

    def _narrowed(self, test: ast.expr) -> Env:
        """Return the kind of x after `isinstance(x, torch.Tensor)`, `torch.is_tensor(x)`, `type(x) == nn.Linear`."""
        match test:
            case ast.Call(function, [ast.Name(name)]) if self.path(function) == "is_tensor":
                return {name: "tensor"}
            case ast.Call(ast.Name("isinstance"), [ast.Name(name), types]) | ast.Compare(
                ast.Call(ast.Name("type"), [ast.Name(name)]), [ast.Eq() | ast.Is()], [types]
            ):
                return {name: join_all(map(self._annotation, types.elts if isinstance(types, ast.Tuple) else [types]))}
        return {}

    def visit_For(self, node: ast.For | ast.AsyncFor | ast.While) -> None:
        """Visit the body twice: at its beginning stand also the names that it binds."""
        for _ in range(2):
            kind = self.visit(node.test if isinstance(node, ast.While) else node.iter)
            before = dict(self.env)
            if not isinstance(node, ast.While):
                self._bind(node.target, element(kind))
            self._block(node.body)
            self.env = merge(before, self.env)
        self._block(node.orelse)

    visit_AsyncFor = visit_While = visit_For

    def visit_ClassDef(self, node: ast.ClassDef | Function) -> None:
        """Leave out a class and a function: methods and functions are scopes of their own."""

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef

    # -- expressions ---------------------------------------------------------------------------------------------------

    def visit_Constant(self, node: ast.Constant) -> Kind:
        """Return the kind of a constant: None, a text or a number."""
        return "none" if node.value is None else "text" if isinstance(node.value, (str, bytes)) else "number"

    def visit_Name(self, node: ast.Name) -> Kind:
        """Look a name up in its scope and in the scopes around it."""
        name = node.id
        if not isinstance(node.ctx, ast.Load):  # bound by a with, a walrus …
            self._bind(node, "unknown")
        self.shadowed.add(node)
        if name in self.declared:
            return "unknown"
        if name in self.env:
            return self.env[name]
        scope: ast.AST | None = self.scope
        while scope is not None:
            for fact in (("held", scope, name), ("given", scope, name)):
                if fact in self.facts and not (name in self.names and scope is self.scope):
                    return self._fact(*fact)
            scope = self.enclosing(scope)
        self.shadowed.discard(node)
        return ("class", name) if name in self.classes else ("function", name) if self._functions(name) else "unknown"

    def visit_Attribute(self, node: ast.Attribute) -> Kind:
        """Return the kind of `a.b` by the kind of a."""
        owner, name = self.visit(node.value), node.attr
        call = self.parents[node]
        if results.is_tensor_only(node, call, self.method_names):
            self._infer_tensor(node.value)
        if tag(owner) == "instance":
            if ("owned", owner[1], name) in self.facts:
                return self._fact("owned", owner[1], name)
            owner = "module" if self.bases[owner[1]] not in ("", "nn.Module") else "unknown"
        if name == "data" and owner in ("array", "grad?", *TENSOR_LIKE):
            return "array" if owner in TENSOR_LIKE and not self.wants_tensor(node) else "tensor"
        if name == "grad" and owner in TENSOR_LIKE:
            return "array"
        if name in ("data", "grad") and owner in NOT_KNOWN and not (isinstance(call, ast.Call) and call.func is node):
            return f"{name}?"
        if owner == "array" or owner in TENSOR_LIKE:
            return "tensor" if name in results.FIELDS else results.of_member(name)
        if tag(owner) == "module":
            return "tensor" if name.startswith(("weight", "bias", "running_")) else "unknown"
        if name == "saved_tensors":
            return ("list", "tensor")
        return owner if owner in ("numpy", "never") else "tensor" if owner == ("list", "tensor") else "unknown"

    def wants_tensor(self, node: ast.Attribute) -> bool:
        """Tell a `.data` that is used as a Tensor from one that an array can take the place of."""
        parent = self.parents[node]
        if isinstance(parent, ast.Attribute):
            return parent.attr not in ("shape", "ndim", "dtype", "item", "tolist")
        computed = (ast.BinOp, ast.UnaryOp, ast.AugAssign, ast.keyword, ast.Call)
        return isinstance(node.ctx, ast.Load) and not isinstance(parent, computed)

    def visit_Subscript(self, node: ast.Subscript) -> Kind:
        """Return the kind of an element, or of a part."""
        kind = self.visit(node.value)
        self.visit(node.slice)
        return kind if isinstance(node.slice, ast.Slice) else element(kind, getattr(node.slice, "value", None))

    def visit_BinOp(self, node: ast.BinOp) -> Kind:
        """Return the kind of an operator's result."""
        return results.operator_kind(self.visit(node.left), self.visit(node.right))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Kind:
        """Return the operand's kind."""
        return self.visit(node.operand)

    def visit_IfExp(self, node: ast.IfExp) -> Kind:
        """Return the join of both sides."""
        self.visit(node.test)
        return join(self.visit(node.body), self.visit(node.orelse))

    def visit_Compare(self, node: ast.Compare) -> Kind:
        """Return the kind of a bool for each element, or of one bool."""
        given = [self.visit(each) for each in (node.left, *node.comparators)]
        if any(isinstance(op, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for op in node.ops):
            return "number"
        return next((kind for kind in COMPARED if kind in given), "number")

    def visit_Tuple(self, node: ast.Tuple | ast.List | ast.Set) -> Kind:
        """Return a kind for each position of a tuple, and one for all elements of a list."""
        given = [self.visit(each) for each in node.elts]
        if not given or any(isinstance(each, ast.Starred) for each in node.elts):
            return ("list", "unknown")  # a list that is empty here is filled elsewhere
        return ("tuple", *given) if isinstance(node, ast.Tuple) else ("list", join_all(given))

    visit_List = visit_Set = visit_Tuple

    def visit_ListComp(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> Kind:
        """Return a list of the element's kind. The loop's names end with it."""
        before = dict(self.env)
        for each in node.generators:
            self._bind(each.target, element(self.visit(each.iter)))
            for test in each.ifs:
                self.visit(test)
        parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        kind = [self.visit(each) for each in parts][-1]
        self.env = before
        return "unknown" if isinstance(node, ast.DictComp) else ("list", kind)

    visit_SetComp = visit_GeneratorExp = visit_DictComp = visit_ListComp

    def visit_Lambda(self, node: ast.Lambda) -> Kind:
        """Visit the body with the arguments that the function is known to be given."""
        before = dict(self.env)
        self.env |= {arg.arg: self._fact("given", node, arg.arg) for arg in node.args.args}
        self.visit(node.body)
        self.env = before
        return "unknown"

    # -- calls ---------------------------------------------------------------------------------------------------------

    def visit_Call(self, node: ast.Call) -> Kind:
        """Return the kind of a function's result; the function learns the kinds of its arguments."""
        function, given = node.func, [self.visit(each) for each in node.args]
        held = self.visit(function)
        for each in node.keywords:
            self.visit(each.value)
        if path := self.path(function):
            if path.startswith("nn.functional.") and node.args:
                self._infer_tensor(node.args[0])
            return results.of_function(path, node, given)
        if self.dotted(function).startswith("numpy."):
            made = self.dotted(function).split(".")[1] in results.ARRAY_MAKERS
            return "numpy" if made or not {*TENSOR_LIKE, *NOT_KNOWN} & set(given) else "unknown"
        if isinstance(function, ast.Attribute):
            return self._method(node, function, self[function.value], held)
        if held == "unknown" and isinstance(function, ast.Name) and given and function.id in BUILTINS:
            return BUILTINS[function.id](given)
        return self._called(node, held)

    def _called(self, node: ast.Call, held: Kind) -> Kind:
        match held:
            case "module":
                if node.args:
                    self._infer_tensor(node.args[0])
                return "tensor"
            case ("function", name):
                return self._calls(self._functions(name), node, 0)
            case ("class", name):
                self._calls(self._functions("__init__", name), node, 1)
                return ("instance", name)
            case ("instance", name):
                methods = self._functions("forward", name) or self._functions("__call__", name)
                return "tensor" if not methods and self.is_module(held) else self._calls(methods, node, 1)
        return held if held == "never" else "unknown"

    def _method(self, node: ast.Call, function: ast.Attribute, owner: Kind, held: Kind) -> Kind:
        name, first = function.attr, node.args[0] if node.args else None
        if name in ("apply", "register_hook") and first is not None:
            self._callback(first, "module" if name == "apply" else "array")
        if name == "apply" and tag(owner) == "class":
            returned = self._calls(self._functions("forward", owner[1]), node, 1)
            return "tensor" if returned in NOT_KNOWN else returned
        if tag(owner) == "instance":
            if methods := self._functions(name, owner[1]):
                return self._calls(methods, node, 0 if "staticmethod" in decorators(methods[0]) else 1)
            if held != "unknown":
                return self._called(node, held)
            if name == "register_buffer" and len(node.args) > 1 and isinstance(first, ast.Constant):
                self._add_fact("owned", owner[1], first.value, kind="tensor")
        if tag(owner) in ("instance", "module") and name in SELF:
            return owner
        if owner == "array" and results.is_same_on_arrays(function, node):
            return "array"
        only = owner in NOT_KNOWN and results.is_tensor_only(function, node, self.method_names)
        if only or owner in TENSOR_LIKE or owner == "array":
            return results.of_member(name)
        if tag(owner) in ("instance", "module") or name in ("parameters", "named_parameters"):
            return results.OF_MODULES.get(name, "unknown")
        return owner if owner in ("numpy", "text", "never") else "unknown"

    def _callback(self, node: ast.expr, kind: Kind) -> None:
        """Give a function that is an argument itself the kind of its first parameter."""
        functions = self._functions(self[node][1]) if tag(self[node]) == "function" else []
        for function in [node] if isinstance(node, ast.Lambda) else functions:
            for arg in function.args.args[:1]:
                self._add_fact("given", function, arg.arg, kind=kind)

    def _calls(self, functions: list[Function], call: ast.Call, skip: int) -> Kind:
        """Give functions of the program a call's arguments, and return the kind of their result."""
        for function in functions:
            own = [arg.arg for arg, _ in arguments(function)][skip:]
            named = [(each.arg, self[each.value]) for each in call.keywords]
            for name, kind in [*zip(own, map(self.__getitem__, call.args), strict=False), *named]:
                self._add_fact("given", function, name, kind=kind)
        return join_all(self._fact("returned", each) for each in functions) if functions else "unknown"
