"""What a call gives: of PyTorch's functions, of a Tensor's methods, of the program's own functions and classes."""

from __future__ import annotations

import ast

from minitorch.course.porting import results
from minitorch.course.porting.aliases import Aliases
from minitorch.course.porting.kinds import (
    ARRAY,
    MODULE,
    NUMBER,
    NUMPY,
    OTHER,
    RECURRENT,
    TENSOR,
    TENSOR_LIKE,
    TENSORS,
    TEXT,
    UNKNOWN,
    Kind,
    either,
    inside,
    instance,
    row,
    several,
    words,
)
from minitorch.course.porting.program import Function, Program

NUMBER_BUILTINS = words("""
    len int float round bool isinstance hasattr issubclass id hash ord callable
""")
SAME_INSIDE = frozenset(["list", "tuple", "sorted", "reversed", "iter", "set", "frozenset"])


class Calls:
    """The part of a Flow that knows calls."""

    program: Program
    aliases: Aliases
    kinds: dict[ast.AST, Kind]
    given: dict[tuple[ast.AST, str], Kind]
    returned: dict[ast.AST, Kind]
    owned: dict[tuple[str, str], Kind]
    env: dict[str, Kind]

    def kind(self, node: ast.expr) -> Kind:  # noqa: D102 - Flow has it
        raise NotImplementedError

    def call(self, node: ast.Call) -> Kind:
        """What a call gives."""
        arguments = [self.kind(each) for each in node.args]
        named = {each.arg: self.kind(each.value) for each in node.keywords}
        function = node.func
        self._hooks(node)
        if path := self.aliases.path(function):
            return results.of_function(path, node, lambda each: self.kinds.get(each, UNKNOWN))
        if self.aliases.dotted(function).startswith("numpy."):
            return TENSOR if TENSOR in arguments else NUMPY
        if isinstance(function, ast.Name):
            return self._named(function.id, arguments, named)
        if isinstance(function, ast.Attribute):
            return self._method(function, node, arguments, named)
        return self._called(self.kind(function), arguments, named)

    def _hooks(self, node: ast.Call) -> None:
        """A function that is registered as a hook of a Tensor is given an array."""
        if not isinstance(node.func, ast.Attribute) or node.func.attr != "register_hook" or not node.args:
            return
        hook = node.args[0]
        if isinstance(hook, ast.Lambda):
            self.function_of(hook, ARRAY)
        elif isinstance(hook, ast.Name):
            for function in self.program.named(hook.id):
                if function.parameters:
                    self.given[function.node, function.parameters[0][0]] = ARRAY

    def function_of(self, node: ast.Lambda, given: Kind) -> Kind:  # noqa: D102 - Flow has it
        raise NotImplementedError

    def owned_by(self, owner: str, name: str) -> Kind:  # noqa: D102 - Flow has it
        raise NotImplementedError

    def looked_up(self, name: str) -> Kind:  # noqa: D102 - Flow has it
        raise NotImplementedError

    def _named(self, name: str, arguments: list[Kind], named: dict[str | None, Kind]) -> Kind:
        if name in self.program.classes:
            self._give(self.program.methods(name, "__init__"), arguments, named, 1)
            return instance(name)
        functions = self.program.named(name)
        if functions:
            self._give(functions, arguments, named, 0)
            return self._returned(functions)
        held = self.looked_up(name)
        if held != UNKNOWN:
            return self._called(held, arguments, named)
        return self._builtin(name, arguments)

    @staticmethod
    def _builtin(name: str, arguments: list[Kind]) -> Kind:
        first = arguments[0] if arguments else UNKNOWN
        if name in NUMBER_BUILTINS:
            return NUMBER
        if name in ("str", "repr", "input", "chr"):
            return TEXT
        if name == "range":
            return row(NUMBER)
        if name == "enumerate":
            return row(several((NUMBER, inside(first))))
        if name == "zip":
            return row(several(map(inside, arguments)))
        if name in SAME_INSIDE:
            return row(inside(first))
        if name in ("next", "sum"):
            return inside(first)
        if name in ("max", "min"):
            return inside(first) if len(arguments) == 1 else either(first, arguments[1])
        if name in ("abs", "tqdm"):
            return first
        return UNKNOWN

    def _called(self, held: Kind, arguments: list[Kind], named: dict[str | None, Kind]) -> Kind:
        if held == MODULE:
            return TENSOR
        if held == RECURRENT:
            return several((TENSOR, UNKNOWN))
        if held.word == "lambda":
            return held.of[0]
        if held.word == "instance":
            forward = self.program.methods(held.name, "forward") or self.program.methods(held.name, "__call__")
            self._give(forward, arguments, named, 1)
            if not forward and self.program.is_module(held.name):
                return TENSOR
            return self._returned(forward)
        return UNKNOWN

    def _method(
        self, function: ast.Attribute, node: ast.Call, arguments: list[Kind], named: dict[str | None, Kind]
    ) -> Kind:
        owner, name = self.kind(function.value), function.attr
        if owner.word == "instance":
            methods = self.program.methods(owner.name, name)
            self._give(methods, arguments, named, 1)
            if methods:
                return self._returned(methods)
            held = self.owned_by(owner.name, name)
            if held != UNKNOWN:
                return self._called(held, arguments, named)
            if name == "register_buffer" and len(arguments) > 1 and isinstance(node.args[0], ast.Constant):
                self.owned[owner.name, str(node.args[0].value)] = TENSOR
            if name in ("to", "cuda", "cpu", "eval", "train", "double", "float", "requires_grad_", "apply"):
                return owner
        if isinstance(function.value, ast.Call) and getattr(function.value.func, "id", "") == "super":
            return OTHER
        if name == "apply" and isinstance(function.value, ast.Name) and function.value.id in self.program.classes:
            forward = self.program.methods(function.value.id, "forward")
            self._give(forward, [OTHER, *arguments], named, 0)  # its context comes first
            returned = self._returned(forward)
            return TENSOR if returned == UNKNOWN else returned
        if owner in TENSOR_LIKE or (owner == ARRAY and not is_fine(function, node)):
            return results.of_method(name, node)
        if owner == ARRAY:
            return NUMBER if name == "item" else ARRAY
        if owner in (MODULE, RECURRENT) and name in ("to", "cuda", "cpu", "eval", "train", "double", "float", "apply"):
            return owner
        if owner == UNKNOWN and name not in results.TENSOR_ONLY:
            methods = [each for each in self.program.functions if each.owner and each.node.name == name]
            if methods:
                self._give(methods, arguments, named, 1)
                return self._returned(methods)
        return self._of_container(function, owner, arguments, node)

    def _of_container(self, function: ast.Attribute, owner: Kind, arguments: list[Kind], node: ast.Call) -> Kind:
        name = function.attr
        if name in ("append", "add", "insert") and arguments and owner.word == "row":
            added = row(either(inside(owner), arguments[-1]))
            if isinstance(function.value, ast.Name):
                self.env[function.value.id] = added
            elif isinstance(function.value, ast.Attribute) and self.kind(function.value.value).word == "instance":
                place = self.kind(function.value.value).name, function.value.attr
                self.owned[place] = either(self.owned[place], added)
            return OTHER
        if owner.word == "dict":
            values = owner.of[0]
            if name == "items":
                return row(several((TEXT, values)))
            if name in ("values", "keys"):
                return row(values if name == "values" else TEXT)
            if name in ("get", "pop", "setdefault"):
                return values
        if owner.word == "row" and name == "pop":
            return inside(owner)
        if name in results.OF_MODULES:
            return results.OF_MODULES[name]
        if owner == NUMPY:
            return NUMPY
        if owner == TEXT:
            return TEXT
        if owner.word in ("function", "other"):
            return UNKNOWN
        if name in results.TENSOR_ONLY and name != "grad":
            return results.of_method(name, node)
        return TENSORS if name == "split" and arguments and arguments[0] == NUMBER else UNKNOWN

    def _give(self, functions: list[Function], arguments: list[Kind], named: dict[str | None, Kind], skip: int) -> None:
        """Tell a function of the program what it is called with."""
        for function in functions:
            own = [name for name, _, _ in function.parameters][0 if function.static and function.owner else skip :]
            for name, kind in [*zip(own, arguments, strict=False), *named.items()]:
                if name is not None:
                    self.given[function.node, name] = either(self.given[function.node, name], kind)

    def _returned(self, functions: list[Function]) -> Kind:
        found = UNKNOWN
        for function in functions:
            inner = self.returned[function.node]
            found = either(found, row(inner) if function.yields else inner)
        return found


def is_fine(function: ast.Attribute, call: ast.Call | None) -> bool:
    """Whether a NumPy array has the attribute in the same sense: without arguments, whatever comes after it."""
    if function.attr in ("reshape", "item", "tolist"):
        return True
    return function.attr in results.FINE_ON_ARRAYS and (call is None or not (call.args or call.keywords))
