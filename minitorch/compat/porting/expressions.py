"""The kinds of expressions: names, attributes, operators, calls."""

# ruff: noqa: N802, N815 - ast.NodeVisitor calls its methods by the names of the nodes
from __future__ import annotations

import ast
from collections.abc import Callable

from minitorch.compat.porting import results
from minitorch.compat.porting.facts import Facts
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
    instance,
    row,
    several,
)
from minitorch.compat.porting.program import Function

SELF = ("to", "cuda", "cpu", "eval", "train", "double", "float", "half", "requires_grad_", "apply")  # give their module
HARMLESS_DECORATORS = {
    "no_grad",
    "inference_mode",
    "enable_grad",
    "staticmethod",
    "classmethod",
    "property",
    "abstractmethod",
}
# Built-in functions: their results by the kinds of their arguments.
BUILTINS: dict[str, Callable[[list[Kind]], Kind]] = {
    **dict.fromkeys(("len", "int", "float", "round", "bool", "isinstance", "hasattr", "id", "hash"), lambda _: NUMBER),
    **dict.fromkeys(("str", "repr", "input", "chr", "format"), lambda _: TEXT),
    **dict.fromkeys(
        ("list", "tuple", "sorted", "reversed", "iter", "tqdm", "set"), lambda given: row(inside(given[0]))
    ),
    **dict.fromkeys(("next", "sum"), lambda given: inside(given[0])),
    **dict.fromkeys(("max", "min"), lambda given: any_of(given) if len(given) > 1 else inside(given[0])),
    "abs": lambda given: given[0],
    "range": lambda _: row(NUMBER),
    "enumerate": lambda given: row(several((NUMBER, inside(given[0])))),
    "zip": lambda given: row(several(map(inside, given))),
}


class Expressions(Facts):
    """The part of the inference that visits expressions."""

    def visit_Constant(self, node: ast.Constant) -> Kind:
        """None, a text or a number."""
        return NOTHING if node.value is None else TEXT if isinstance(node.value, (str, bytes)) else NUMBER

    def visit_JoinedStr(self, node: ast.JoinedStr) -> Kind:
        """An f-string is a text."""
        self.generic_visit(node)
        return TEXT

    def visit_Name(self, node: ast.Name) -> Kind:
        """Return the kind of the name here, or in a scope around."""
        if node.id in self.program.shared:
            return self.known("shared", node.id)
        if node.id in self.env:
            return self.env[node.id]
        scope: ast.AST | None = self.scope
        while scope is not None:
            if ("held", scope, node.id) in self.facts:
                return self.known("held", scope, node.id)
            if scope is not self.scope and ("given", scope, node.id) in self.facts:
                return self.known("given", scope, node.id)
            if scope in self.program.bindings and self.program.bindings[scope][node.id]:
                return self.default
            scope = self.program.outer.get(scope)
        if node.id in self.program.classes:
            return Kind("class", name=node.id)
        return Kind("function", name=node.id) if self.program.named(node.id) else UNKNOWN

    def visit_Attribute(self, node: ast.Attribute) -> Kind:
        """`a.b`, by what `a` is."""
        if dotted := self.aliases.dotted(node):
            return NUMBER if dotted.endswith((".pi", ".inf", ".nan", ".e")) else UNKNOWN
        owner, name = self.visit(node.value), node.attr
        call = self.program.parents[node]
        if results.is_tensor_only(node, call, self.program.method_names):
            self.prove(node.value)
        if owner.word == "instance":
            for each in self.program.mro(owner.name):
                if ("owned", each, name) in self.facts:
                    return self.known("owned", each, name)
            if self.program.methods(owner.name, name):
                functions = self.program.methods(owner.name, name)
                return self._returned(functions) if "property" in functions[0].decorators else UNKNOWN
            owner = MODULE if self.program.base_of(owner.name) not in ("", "nn.Module") else UNKNOWN
        if name == "data" and (owner in TENSOR_LIKE or owner == ARRAY):
            return TENSOR if owner == ARRAY or self.program.wants_tensor(node) else ARRAY
        if name == "grad" and owner in TENSOR_LIKE:
            return ARRAY
        if name == "data" and owner == MAYBE_GRAD:
            return TENSOR
        if name in ("data", "grad") and owner in NOT_KNOWN and not _calls(call, node):
            return MAYBE_DATA if name == "data" else MAYBE_GRAD
        if owner in TENSOR_LIKE or owner == ARRAY:
            return results.of_attribute(name)
        if owner.word == "module":
            return TENSOR if name.startswith(("weight", "bias", "running_")) else UNKNOWN
        if owner.word == "row" and at(owner, 0) == TENSOR:
            return TENSOR  # .values of a named tuple: a list has methods alone
        if owner == DISTRIBUTION:
            return TENSOR if name in results.OF_DISTRIBUTIONS else UNKNOWN
        if name == "saved_tensors":
            return row(TENSOR)
        return row(NUMBER) if name == "shape" else NUMPY if owner == NUMPY else owner if owner == NEVER else UNKNOWN

    def visit_Subscript(self, node: ast.Subscript) -> Kind:
        """An element, or a part."""
        kind = self.visit(node.value)
        self.visit(node.slice)
        if isinstance(node.slice, ast.Slice):
            return row(inside(kind)) if kind.word == "tuple" else kind
        try:
            return at(kind, ast.literal_eval(node.slice))
        except ValueError:
            return at(kind, None)

    def visit_BinOp(self, node: ast.BinOp) -> Kind:
        """An operator's result."""
        return self.operated(self.visit(node.left), self.visit(node.right))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Kind:
        """The operand's kind; `not` gives a bool."""
        kind = self.visit(node.operand)
        return NUMBER if isinstance(node.op, ast.Not) else kind

    def visit_BoolOp(self, node: ast.BoolOp) -> Kind:
        """One of the operands."""
        return any_of([self.visit(value) for value in node.values])

    def visit_IfExp(self, node: ast.IfExp) -> Kind:
        """Either side."""
        self.visit(node.test)
        return either(self.visit(node.body), self.visit(node.orelse))

    def visit_Compare(self, node: ast.Compare) -> Kind:
        """A bool for each element, or one."""
        kinds = [self.visit(each) for each in (node.left, *node.comparators)]
        if any(isinstance(op, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for op in node.ops):
            return NUMBER
        return next((kind for kind in (TENSOR, *TENSOR_LIKE, ARRAY, *NOT_KNOWN, NUMPY) if kind in kinds), NUMBER)

    def visit_Tuple(self, node: ast.Tuple) -> Kind:
        """A kind for each position."""
        kinds = [self.visit(each) for each in node.elts]
        return row(any_of(kinds)) if any(isinstance(each, ast.Starred) for each in node.elts) else several(kinds)

    def visit_List(self, node: ast.List | ast.Set) -> Kind:
        """One kind for all elements."""
        return row(any_of([self.visit(each) for each in node.elts]))

    visit_Set = visit_List

    def visit_Dict(self, node: ast.Dict) -> Kind:
        """One kind for all values."""
        for key in node.keys:
            if key is not None:
                self.visit(key)
        return Kind("dict", (any_of([self.visit(value) for value in node.values]),))

    def visit_ListComp(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> Kind:
        """A row of its elements."""
        before = dict(self.env)
        for each in node.generators:
            kind = inside(self.visit(each.iter))
            for name in ast.walk(each.target):  # its own names, which the scope around does not hold
                if isinstance(name, ast.Name):
                    self.env[name.id] = UNKNOWN
            self._bind_inside(each.target, kind)
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
        elif isinstance(target, (ast.Tuple, ast.List)):
            for place, each in enumerate(target.elts):
                self._bind_inside(each, at(kind, place))

    def visit_Starred(self, node: ast.Starred) -> Kind:
        """What is unpacked."""
        return inside(self.visit(node.value))

    def visit_NamedExpr(self, node: ast.NamedExpr) -> Kind:
        """Bind, and give the same."""
        kind = self.visit(node.value)
        self.bind(node.target, kind)
        return kind

    def visit_Lambda(self, node: ast.Lambda) -> Kind:
        """A function of its body."""
        before = dict(self.env)
        for arg in node.args.args:
            self.env[arg.arg] = self.facts.get(("given", node, arg.arg), self.default)
        kind = self.visit(node.body)
        self.env = before
        return Kind("lambda", (kind,))

    def visit_Call(self, node: ast.Call) -> Kind:
        """What the function gives, which is told what it is called with."""
        kinds = [self.visit(each) for each in node.args]
        named = {each.arg: self.visit(each.value) for each in node.keywords}
        function = node.func
        if path := self.aliases.path(function):
            if path.startswith("nn.functional.") and node.args:
                self.prove(node.args[0])
            return results.of_function(path, node, kinds)
        if self.aliases.dotted(function).startswith("numpy."):
            made = self.aliases.dotted(function).split(".")[1] in results.ARRAY_MAKERS
            return NUMPY if made or not {TENSOR, *TENSOR_LIKE, *NOT_KNOWN} & set(kinds) else UNKNOWN
        if isinstance(function, ast.Attribute):
            return self._method(function, node, kinds, named)
        held = self.visit(function)
        if held == UNKNOWN and isinstance(function, ast.Name) and kinds and function.id in BUILTINS:
            return BUILTINS[function.id](kinds)
        return self._called(held, node, kinds, named)

    def _called(self, held: Kind, node: ast.Call, kinds: list[Kind], named: dict[str | None, Kind]) -> Kind:
        match held.word:
            case "module":
                if node.args:
                    self.prove(node.args[0])
                return held.of[0]
            case "lambda":
                return held.of[0]
            case "function":
                return self._given(self.program.named(held.name), kinds, named, 0)
            case "class":
                self._given(self.program.methods(held.name, "__init__"), kinds, named, 1)
                return instance(held.name)
            case "instance":
                methods = self.program.methods(held.name, "forward") or self.program.methods(held.name, "__call__")
                if not methods and self.program.is_module(held.name):
                    return TENSOR
                return self._given(methods, kinds, named, 1)
        return held if held == NEVER else UNKNOWN

    def _method(
        self, function: ast.Attribute, node: ast.Call, kinds: list[Kind], named: dict[str | None, Kind]
    ) -> Kind:
        attribute = self.visit(function)
        owner, name = self[function.value], function.attr
        if name in ("apply", "register_hook") and node.args:
            self._hand(node.args[0], kinds[0], MODULE if name == "apply" else ARRAY)
        if name == "apply" and owner.word == "class":
            returned = self._given(self.program.methods(owner.name, "forward"), [OTHER, *kinds], named, 0)
            return TENSOR if returned in NOT_KNOWN else returned
        if owner.word == "instance":
            methods = self.program.methods(owner.name, name)
            if methods:
                return self._given(methods, kinds, named, 0 if "staticmethod" in methods[0].decorators else 1)
            if attribute != UNKNOWN:
                return self._called(attribute, node, kinds, named)
            if not self.program.is_module(owner.name):
                return UNKNOWN
            if name == "register_buffer" and len(kinds) > 1 and isinstance(node.args[0], ast.Constant):
                self.learn("owned", owner.name, node.args[0].value, kind=TENSOR)
            if name in SELF:
                return owner
        if owner.word == "module" and name in SELF:
            return owner
        if owner in TENSOR_LIKE or (owner == ARRAY and not results.is_same_on_arrays(function, node)):
            return results.of_method(name, node, kinds)
        if owner == ARRAY:
            return NUMBER if name == "item" else ARRAY
        if owner in NOT_KNOWN and results.is_tensor_only(function, node, self.program.method_names):
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
            self.bind(function.value, row(either(inside(owner), added)))
            return NOTHING
        if owner.word == "dict":
            whole = {"items": row(several((TEXT, owner.of[0]))), "values": row(owner.of[0]), "keys": row(TEXT)}
            return whole.get(name, owner.of[0] if name in ("get", "pop", "setdefault") else UNKNOWN)
        if owner.word == "row" and name in ("pop", "popleft"):
            return inside(owner)
        return owner if owner in (NUMPY, TEXT, NEVER) else UNKNOWN

    def _hand(self, node: ast.expr, kind: Kind, given: Kind) -> None:
        """Tell the first parameter of a function that is handed over what it will be called with."""
        if isinstance(node, ast.Lambda) and node.args.args:
            self.learn("given", node, node.args.args[0].arg, kind=given)
            self.visit(node)
        elif kind.word == "function":
            self._given(self.program.named(kind.name), [given], {}, 0)

    def _given(self, functions: list[Function], kinds: list[Kind], named: dict[str | None, Kind], skip: int) -> Kind:
        """Tell a function of the program its arguments, and return what it gives."""
        for function in functions:
            own = [name for name, _, _ in function.parameters][skip:]
            for name, kind in [*zip(own, kinds, strict=False), *named.items()]:
                self.learn("given", function.node, name, kind=kind)
        return self._returned(functions)

    def _returned(self, functions: list[Function]) -> Kind:
        changed = any(function.decorators - HARMLESS_DECORATORS for function in functions)
        return UNKNOWN if changed or not functions else any_of(self.known("returned", each.node) for each in functions)


def _calls(parent: ast.AST, node: ast.expr) -> bool:
    return isinstance(parent, ast.Call) and parent.func is node
