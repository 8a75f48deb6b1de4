"""Rules: for each name, call, comparison and attribute of a program, what must change and what to write there."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

import minitorch
from minitorch import nn
from minitorch.compat.porting import names
from minitorch.compat.porting.imports import import_findings
from minitorch.compat.porting.kinds import NOT_KNOWN, TENSOR_LIKE, word
from minitorch.compat.porting.names import OURS
from minitorch.compat.porting.program_scopes import last_name
from minitorch.compat.porting.rewriting import Edit, Finding, Span, span_of
from minitorch.compat.porting.sentences import say
from minitorch.compat.porting.table import HARMLESS, METHODS, MODULE_METHODS, NAMES, Replacement, missing
from minitorch.compat.porting.tensor_results import FIELDS, is_same_on_arrays, is_tensor_only
from minitorch.compat.porting.visitor import Visitor
from minitorch.language import Text

PICKLED = re.compile(r"\.(pt|pth|ckpt)$")
OF_DTYPES = ("is_floating_point", "is_complex")  # attributes of PyTorch's dtypes
OTHER_FILES = ("open", "load", "dump", "save", "urlretrieve", "download", "get")  # of other packages, with other files
COMPARISONS = {ast.Eq: ("eq", "=="), ast.NotEq: ("ne", "!=")}
MEMBERSHIPS = {ast.In: "in", ast.NotIn: "not in"}
CREATORS = ("tensor", "as_tensor", "from_numpy", "is_tensor", "equal", "allclose")  # take what is no Tensor
SHARED = ("max", "min", "median", "sum", "mean", "std", "var", "view", "sort", "argsort", "repeat", "split", "to")
COMPARED_BY_VALUE = {"row", "tuple", "instance", "module", "class", "function"}


def read(source: str) -> list[Finding]:
    """Return all findings in the order of the lines. Raises SyntaxError for a text that is no Python.

    >>> [finding] = read("from torch import nn")
    >>> finding.edit.template
    'from minitorch import nn'
    """
    tree = ast.parse(source)
    seen = Visitor(tree)
    found = [*import_findings(tree), *Rules(seen).findings()] if seen.names else []
    if sys.version_info < (3, 12):  # before, a syntax tree did not know where in an f-string something is
        inside = [span_of(node) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
        found = [replace(each, edit=None) if _within(each.span, inside) else each for each in found]
    best: dict[Span, Finding] = {}
    for finding in found:  # one for each place, the certain one where there are two
        if finding.span not in best or best[finding.span].edit is None:
            best[finding.span] = finding
    return sorted(best.values(), key=lambda finding: (finding.span[:2], finding.edit is None))


def _within(span: Span, others: Sequence[Span]) -> bool:
    return any(other[:2] <= span[:2] and span[2:] <= other[2:] for other in others)


class Rules:
    """The rules, and the program that they are applied to."""

    def __init__(self, seen: Visitor) -> None:
        """Take a program whose expressions have their kinds."""
        self.seen = seen
        self.parents = seen.parents
        self.path = seen.path
        self.root = seen.root or OURS
        self.told: set[str] = set()

    def findings(self) -> Iterator[Finding]:
        """Apply all rules to all nodes."""
        nodes = list(ast.walk(self.seen.tree))
        for node in nodes:
            if isinstance(node, (ast.Attribute, ast.Name)):
                parent, path = self.parents[node], self.path(node)
                if path and not (isinstance(parent, ast.Attribute) and self.path(parent)):
                    yield from self._name(node, path)
                elif isinstance(node, ast.Attribute) and not path and isinstance(node.ctx, ast.Load):
                    yield from self._method(node)
                    yield from self._array(node)
            elif isinstance(node, ast.Call):
                yield from self._call(node)
            elif isinstance(node, ast.Compare):
                yield from self._comparison(node)
        calls = [node for node in nodes if isinstance(node, ast.Call)]
        if any(self.path(each.func) in ("save", "load") for each in calls):
            yield from self._pickled(nodes, calls)

    def _edit(self, node: ast.expr, why: Text, template: str, /, **given: Any) -> Finding:
        """Fill a template in, where `{t}` is the program's name for PyTorch; without all fields there is no edit."""
        edit = Edit(span_of(node), template, {**given, "t": self.root})
        return Finding(edit.span, why, edit if edit.is_filled else None)

    def _is_called(self, node: ast.expr) -> ast.Call | None:
        parent = self.parents[node]
        return parent if isinstance(parent, ast.Call) and parent.func is node else None

    # -- names and methods that are not here ---------------------------------------------------------------------------

    def _name(self, node: ast.Attribute | ast.Name, path: str) -> Iterator[Finding]:
        place, parent = names.place(path), self.parents[node]
        base: ast.expr = node
        while isinstance(base, ast.Attribute):
            base = base.value
        before = self.seen.names[last_name(base)].partition(".")[2]
        if place.found:
            if isinstance(node, ast.Attribute):  # a name alone is changed by its import
                behind = path.removeprefix(before).removeprefix(".")
                here = f"{names.place(before).path}.{behind}" if before else behind
                if names.place(here).path != here:
                    yield self._edit(node, say("port_moved", name=path, path=place.path), f"{{t}}.{place.path}")
            return
        if path in NAMES and (edit := self._replaced(node, NAMES[path], None)) is not None:
            yield Finding(edit.span, missing(path), edit)
        elif not (
            isinstance(node, ast.Name)  # its import is told of
            or (isinstance(parent, ast.keyword) and parent.arg in HARMLESS)  # the argument goes
            or (before and not names.place(before).found)
        ):
            first = names.first_missing(path)
            if first not in self.told or path == first:
                self.told.add(first)
                yield Finding(span_of(node), missing(path))

    def _method(self, node: ast.Attribute) -> Iterator[Finding]:
        kind, name, of = self.seen[node.value], node.attr, node.value
        given = ("tensor", "likely", "array", "grad?") if name in METHODS else ("tensor", "likely")
        if name in OF_DTYPES and "dtype" in last_name(of):
            template = "{t}.empty(0, dtype={x}).is_floating_point()"
            if name == "is_complex":
                template = "False"
            elif isinstance(of, ast.Attribute) and of.attr == "dtype" and self.seen[of.value] == "tensor":
                template, of = "{t}.is_floating_point({x})", of.value
            yield self._edit(node, say("port_dtype", name=name), template, x=of)
        elif kind in given and not names.is_method(name):
            replacement, function = METHODS.get(name), names.place(name)
            if replacement is None and self._is_called(node) is not None:
                if function.found and callable(function.thing):
                    replacement = Replacement("port_function", call=f"{{t}}.{function.path}({{of}}, {{args}})")
                elif name.endswith("_") and names.is_method(name[:-1]):
                    replacement = Replacement("port_in_place", call=f"{{of}}.copy_({{of}}.{name[:-1]}({{args}}))")
            if replacement is not None:
                yield self._no_method(node, replacement)
            elif kind == "tensor" and name not in FIELDS and not self._is_set(name):
                yield Finding(span_of(node), say("port_no_method", name=name))
        elif name in MODULE_METHODS and not hasattr(nn.Module, name) and self.seen.is_module(kind):
            yield self._no_method(node, MODULE_METHODS[name])

    def _no_method(self, node: ast.Attribute, replacement: Replacement) -> Finding:
        why = say("port_no_method_because", name=node.attr, why=say(replacement.why))
        edit = self._replaced(node, replacement, node.value)
        return Finding(edit.span if edit else span_of(node), why, edit)

    def _is_set(self, name: str) -> bool:
        """Tell an attribute that the program itself sets on an object."""
        return any(
            isinstance(each, ast.Attribute) and each.attr == name and isinstance(each.ctx, ast.Store)
            for each in self.parents
        )

    def _replaced(self, node: ast.expr, replacement: Replacement, owner: ast.expr | None) -> Edit | None:
        """Replace a name, its call, its decorator, or the statement that it is all of."""
        call = self._is_called(node)
        whole = call or node
        above = self.parents[whole]
        first, byte, last, _ = span_of(whole)
        if whole in getattr(above, "decorator_list", []):  # from the @ to the next line's words
            return Edit((first, byte - 1, last + 1, byte - 1), "") if replacement.call == "{0}" else None
        if replacement.gone:
            return Edit(span_of(above), "pass") if isinstance(above, (ast.Expr, ast.Assign)) else None
        template = replacement.value
        given: dict[str, Any] = {}
        if call is not None:
            words = {each.arg: each.value for each in call.keywords}
            template = replacement.call
            if "{args}" not in template and not replacement.ignores and words:
                template = replacement.given[1] if words.keys() == {replacement.given[0]} else ""
            given |= {str(place): each for place, each in enumerate(call.args) if not isinstance(each, ast.Starred)}
            given |= {name: value for name, value in words.items() if name}
            given["args"] = [*call.args, *call.keywords]
        if owner is not None:
            given["of"] = owner
        return self._edit(whole, Text("", ""), template, **given).edit if template else None

    # -- calls ---------------------------------------------------------------------------------------------------------

    def _call(self, node: ast.Call) -> Iterator[Finding]:
        path = self.path(node.func)
        place = names.place(path)
        if path and place.path == "Tensor":
            yield self._constructor(node)
        elif path and place.found:
            yield from self._arguments(node, place.thing, place.path, 0)
        elif not path and isinstance(node.func, ast.Attribute) and self.seen[node.func.value] == "tensor":
            yield from self._arguments(node, getattr(minitorch.Tensor, node.func.attr, None), node.func.attr, 1)

    def _arguments(self, node: ast.Call, thing: object, name: str, skipped: int) -> Iterator[Finding]:
        taken = names.takes(thing)
        if taken is None:
            return
        words, most = taken
        unknown = [each for each in node.keywords if each.arg is not None and each.arg not in words]
        kept = [*node.args, *(each for each in node.keywords if each not in unknown)]
        if not skipped and [each.arg for each in unknown] == ["out"]:
            given = {"out": unknown[0].value, "f": node.func, "args": kept}
            yield self._edit(node, say("port_out", name=name), "{out}.copy_({f}({args}))", **given)
            return
        others = [each for each in unknown if each.arg not in HARMLESS]
        for each in others:
            yield Finding(span_of(each), say("port_argument", name=name, argument=each.arg))
        if harmless := ", ".join(str(each.arg) for each in unknown if each not in others):
            kept = [*node.args, *(each for each in node.keywords if each not in unknown or each in others)]
            why = say("port_harmless", name=name, argument=harmless)
            yield self._edit(node, why, "{f}({args})", f=node.func, args=kept)
        if len(node.args) + skipped > most and not any(isinstance(each, ast.Starred) for each in node.args):
            yield Finding(span_of(node), say("port_places", name=name, most=most - skipped))

    def _constructor(self, node: ast.Call) -> Finding:
        """`torch.Tensor([1, 2])` is float32 whatever it is given, `torch.Tensor(3, 4)` is of that shape."""
        given = [self.seen[each] for each in node.args]
        starred = any(isinstance(each, ast.Starred) for each in node.args)
        if not node.args and not node.keywords:
            template = "{t}.empty(0)"
        elif (len(given) > 1 and not starred) or all(self._is_size(each) for each in node.args):
            template = "{t}.empty({args})"
        elif len(given) == 1 and last_name(node.args[0]) != "shape" and (
            given[0] in ("tensor", "array", "numpy") or word(given[0]) in ("row", "tuple")
        ):  # fmt: skip
            template = "{t}.tensor({args}, dtype={t}.float32)"
        else:
            return Finding(span_of(node), say("port_constructor_perhaps", root=self.root))
        return self._edit(node, say("port_constructor"), template, args=node.args)

    def _is_size(self, node: ast.expr) -> bool:
        """Tell a number, `*sizes`, and the `x.shape` or `x.size()` of a Tensor: another tuple holds values."""
        value = node.value if isinstance(node, ast.Starred) else node
        name = value.func if isinstance(value, ast.Call) and not value.args else value
        shape = isinstance(name, ast.Attribute) and name.attr in ("shape", "size")
        of = self.seen[name.value] if isinstance(name, ast.Attribute) else "none"
        return self.seen[node] == "number" or (shape and (value is not node or of in TENSOR_LIKE))

    def _pickled(self, nodes: Sequence[ast.AST], calls: Sequence[ast.Call]) -> Iterator[Finding]:
        """Files that end in .pt hold a pickle; here they end in .safetensors. In a program that saves or loads any."""
        others = [each for each in calls if not self.path(each.func) and last_name(each.func) in OTHER_FILES]
        inside = {inner for each in others for inner in ast.walk(each)}
        for node in nodes:
            if isinstance(node, ast.Constant) and node not in inside and (ending := PICKLED.search(str(node.value))):
                first, byte, last, end = span_of(node)
                around = end - byte - len(str(node.value).encode())  # the quotes; none inside an f-string
                span = (first, end - around // 2 - len(ending[0]), last, end - around // 2)
                plain = first == last and around in (0, 2)
                yield Finding(span_of(node), say("port_pickle"), Edit(span, ".safetensors") if plain else None)

    # -- Tensors: == asks for identity; .grad and .data are arrays -----------------------------------------------------

    def _comparison(self, node: ast.Compare) -> Iterator[Finding]:
        left, right, op = node.left, node.comparators[0], type(node.ops[0])
        one, other = self.seen[left], self.seen[right]
        if len(node.ops) > 1:
            if any(type(each) in COMPARISONS for each in node.ops) and self.seen[node] == "tensor":
                yield Finding(span_of(node), say("port_chain"))
        elif op in MEMBERSHIPS and one == "tensor" and word(other) in ("row", "tuple") and set(other[1:]) == {"number"}:
            why = say("port_identity", sign=MEMBERSHIPS[op])
            yield self._edit(node, why, f"{{x}}.item() {MEMBERSHIPS[op]} {{y}}", x=left, y=right)
        elif (
            op in COMPARISONS
            and one not in ("array", "numpy")  # an array's own == compares number by number, with a Tensor too
            and not {one, other} & {"text", "none"}
            and not {word(one), word(other)} & COMPARED_BY_VALUE
        ):
            yield from self._equal(node, *COMPARISONS[op])

    def _equal(self, node: ast.Compare, method: str, sign: str) -> Iterator[Finding]:
        left, right = node.left, node.comparators[0]
        one, other = self.seen[left], self.seen[right]
        if one == "tensor" and self.seen.may_be_none(right):
            template = f"({{y}} is {'not None and' if method == 'eq' else 'None or'} {{x}}.{method}({{y}}))"
        elif one == "tensor":
            template = f"{{x}}.{method}({{y}})"
        elif other == "tensor" and one != "likely":
            template = f"{{y}}.{method}({{x}})"
        elif {one, other} & TENSOR_LIKE or (other != "numpy" and self._is_tensor(node)):
            template = f"{{t}}.{method}({{x}}, {{y}})"
        else:
            if {one, other} & NOT_KNOWN and other != "numpy" and self._may_be_mask(node):
                name = ast.unparse(left if one in NOT_KNOWN else right)
                said = {"sign": sign, "name": name, "root": self.root, "method": method}
                yield Finding(span_of(node), say("port_perhaps_identity", **said))
            return
        yield self._edit(node, say("port_identity", sign=sign), template, x=left, y=right)

    def _is_tensor(self, node: ast.expr) -> bool:
        """Tell from its use that a result is a Tensor, or that a Tensor does as well."""
        parent = self.parents[node]
        call = self.parents[parent] if isinstance(parent, ast.keyword) else parent
        if isinstance(call, ast.Call):
            name = self.path(call.func).rpartition(".")[2]
            method = isinstance(call.func, ast.Attribute) and (
                self.seen[call.func.value] == "tensor" or is_tensor_only(call.func, call, self.seen.method_names)
            )
            return method or self.seen[call.func] == "module" or (name[:1].islower() and name not in CREATORS)
        match parent:
            case ast.Attribute():
                return _is_of_tensors(parent)
            case ast.Subscript() if parent.slice is node:
                return self.seen[parent.value] in TENSOR_LIKE
            case ast.BinOp():
                beside = parent.left if parent.right is node else parent.right
                return self.seen[beside] == "tensor" or self._is_tensor(parent)
            case ast.UnaryOp() | ast.Subscript():
                return self._is_tensor(parent)
            case ast.Assign(targets=[ast.Name()]):
                return self.seen[parent.targets[0]] == "tensor"
        return False

    def _may_be_mask(self, node: ast.Compare) -> bool:
        """Tell a result that is used as a Tensor or an array is, not as a bool."""
        parent = self.parents[node]
        if isinstance(parent, ast.Subscript):
            held = self.seen[parent.value]
            return parent.slice is node and held != "numpy" and word(held) != "row"
        return isinstance(parent, ast.Attribute) and hasattr(minitorch.Tensor, parent.attr)

    def _array(self, node: ast.Attribute) -> Iterator[Finding]:
        """`.data` becomes `.detach()`; a method that an array has not is called on a Tensor of the array."""
        parent, owner, call = self.parents[node], node.value, self._is_called(node)
        kind, data, grad = self.seen[owner], say("port_data"), say("port_grad")
        maybe = kind in ("grad?", "data?")
        known = _is_of_tensors(node) and (kind == "grad?" or node.attr in ("cpu", "cuda", "numpy", "clone", "norm"))
        if node.attr == "data" and kind in ("array", "grad?"):  # .grad.data
            yield self._edit(node, grad, "{t}.as_tensor({x})", x=owner)
        elif node.attr == "data" and isinstance(parent, ast.Call) and self.path(parent.func).startswith("nn.init."):
            if kind in TENSOR_LIKE or self.seen[node] == "data?":
                tensor = kind in TENSOR_LIKE
                yield self._edit(node, data, "{x}" if tensor else "{t}.as_tensor({x})", x=owner if tensor else node)
        elif node.attr == "data" and kind in TENSOR_LIKE:
            if self.seen.wants_tensor(node):
                yield self._edit(node, data, "{x}.detach()", x=owner)
        elif node.attr in METHODS:
            return  # another rule replaces the whole
        elif (kind == "array" and not is_same_on_arrays(node, call)) or (
            maybe and (is_tensor_only(node, call, set()) or known)
        ):
            why = data if maybe and isinstance(owner, ast.Attribute) and owner.attr == "data" else grad
            yield self._edit(owner, why, "{t}.as_tensor({x})", x=owner)  # as_tensor of a Tensor is that Tensor
        elif maybe and call is not None and call.args and node.attr in SHARED:
            said = {"name": ast.unparse(owner), "root": self.root, "method": node.attr}
            yield Finding(span_of(node), say("port_perhaps_array", **said))


def _is_of_tensors(node: ast.Attribute) -> bool:
    """Tell a name that a Tensor has and an array has not."""
    return hasattr(minitorch.Tensor, node.attr) and not hasattr(np.ndarray, node.attr)
