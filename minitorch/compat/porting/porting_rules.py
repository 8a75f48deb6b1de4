"""Rules: for each name, call, comparison and attribute of a program, what must change and what to write there."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

import minitorch
from minitorch import nn
from minitorch.compat.porting import names
from minitorch.compat.porting.imports import import_findings
from minitorch.compat.porting.kinds import NOT_KNOWN, TENSOR_LIKE, tag
from minitorch.compat.porting.program_scopes import last_name
from minitorch.compat.porting.rewriting import FIELD, Edit, Finding, span_of
from minitorch.compat.porting.table import HARMLESS, METHODS, NAMES, missing
from minitorch.compat.porting.tensor_results import FIELDS, is_same_on_arrays, is_tensor_only
from minitorch.compat.porting.visitor import Visitor
from minitorch.language import Message

PICKLED = re.compile(r"\.(pt|pth|ckpt)$")
FILE_FUNCTIONS = ("open", "load", "dump", "save", "urlretrieve", "download", "get")  # of other packages
OPERATORS = {ast.Eq: ("==", "eq"), ast.NotEq: ("!=", "ne"), ast.In: ("in", ""), ast.NotIn: ("not in", "")}
CREATORS = ("tensor", "as_tensor", "from_numpy", "is_tensor", "equal", "allclose")  # take what is no Tensor
AMBIGUOUS = ("max", "min", "median", "sum", "mean", "std", "var", "view", "sort", "argsort", "repeat", "split", "to")
VALUES = ("tensor", "array", "numpy", "list", "tuple")  # of a Tensor that is made of them
COMPARED_BY_VALUE = {"text", "none", "list", "tuple", "instance", "module", "class", "function"}


def findings_in(source: str) -> list[Finding]:
    """Return all findings in the order of the lines. Raises SyntaxError for a text that is no Python.

    >>> [finding] = findings_in("from torch import nn")
    >>> finding.edit.template
    'from minitorch import nn'
    """
    tree = ast.parse(source)
    seen = Visitor(tree)
    found = [*import_findings(tree), *Rules(seen).findings()] if seen.names else []
    # One for each place, the certain one where there are two.
    best = {each.span: each for each in sorted(found, key=lambda each: each.edit is not None)}
    return sorted(best.values(), key=lambda finding: (finding.span[:2], finding.edit is None))


class Rules:
    """The rules, and the program that they are applied to."""

    def __init__(self, seen: Visitor) -> None:
        """Take a program whose expressions have their kinds."""
        self.program, self.parents, self.path = seen, seen.parents, seen.path
        self.nodes = list(ast.walk(seen.tree))
        self.stored = {at.attr for at in self.nodes if isinstance(at, ast.Attribute) and isinstance(at.ctx, ast.Store)}
        # Before Python 3.12, a syntax tree did not know where in an f-string something is.
        texts = [node for node in self.nodes if isinstance(node, ast.JoinedStr) and sys.version_info < (3, 12)]
        self.formatted = {inner for node in texts for inner in ast.walk(node)}

    def findings(self) -> Iterator[Finding]:
        """Apply all rules to all nodes."""
        for node in self.nodes:
            if isinstance(node, (ast.Attribute, ast.Name)) and (path := self.path(node)):
                if not self.path(self.parents[node]):
                    yield from self._name(node, path)
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                yield from self._method(node)
                yield from self._array(node)
            elif isinstance(node, ast.Call):
                yield from self._call(node)
            elif isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in OPERATORS:
                yield from self._comparison(node, *OPERATORS[type(node.ops[0])])
        yield from self._pickled()

    def _edit(self, node: ast.expr, why: Message, template: str, /, **given: Any) -> Finding:
        """Fill a template in, where `{t}` is the program's name for PyTorch; without all fields there is no edit."""
        given["t"] = self.program.root
        filled = all(given.get(name) is not None for name in FIELD.findall(template)) and node not in self.formatted
        return Finding(span_of(node), why, Edit(span_of(node), template, given) if filled else None)

    def _is_called(self, node: ast.expr) -> ast.Call | None:
        parent = self.parents[node]
        return parent if isinstance(parent, ast.Call) and parent.func is node else None

    # -- names and methods that are not here ---------------------------------------------------------------------------

    def _name(self, node: ast.Attribute | ast.Name, path: str) -> Iterator[Finding]:
        ours, parent = names.resolve(path), self.parents[node]
        if ours:
            if isinstance(node, ast.Attribute) and ours.path != path:  # a name alone is changed by its import
                yield self._edit(
                    node, Message("torch.{name} is called {path} here", name=path, path=ours.path), f"{{t}}.{ours.path}"
                )
            return
        imported = next(self.program.dotted(each) for each in ast.walk(node) if isinstance(each, ast.Name))
        unresolved = not names.resolve(imported.partition(".")[2])  # at its import
        gone = isinstance(parent, ast.keyword) and parent.arg in HARMLESS  # with the argument
        found = self._replaced(node, missing(path), NAMES.get(path, ())[1:])
        if found.edit or not (unresolved or gone):
            yield found

    def _method(self, node: ast.Attribute) -> Iterator[Finding]:
        kind, name = self.program[node.value], node.attr
        key, is_module = f"dtype.{name}" if "dtype" in last_name(node.value) else name, self.program.is_module(kind)
        is_here = hasattr(nn.Module if is_module else minitorch.Tensor, name) or name.startswith("__")
        maybe_tensor = is_module or kind in ("tensor", "likely", "array", "grad?")
        if key in METHODS and (key != name or (maybe_tensor and not is_here)):
            why, *templates = METHODS[key]
            yield self._replaced(
                node,
                Message("there is no method {name} here: {why}", name=name, why=Message(why)),
                templates,
                of=node.value,
            )
        elif kind == "tensor" and not is_here and name not in FIELDS and name not in self.stored:
            yield Finding(
                span_of(node),
                Message(
                    "there is no method {name} here: {why}",
                    name=name,
                    why=Message("use what docs/operators.md lists, or take the line out"),
                ),
            )

    def _replaced(self, node: ast.expr, why: Message, templates: Sequence[str], **given: Any) -> Finding:
        """Replace a name, its call, its decorator, or the statement that it is all of."""
        call = self._is_called(node)
        whole = call or node
        above = self.parents[whole]
        first, byte, last, _ = span_of(whole)
        if whole in getattr(above, "decorator_list", []):  # from the @ to the next line's words
            edits = [Edit((first, byte - 1, last + 1, byte - 1), "")] if "{0}" in templates else []
        elif "pass" in templates:
            edits = [Edit(span_of(above), "pass")] if isinstance(above, (ast.Expr, ast.Assign)) else []
        else:
            if call is not None:
                given |= {str(index): each for index, each in enumerate(call.args) if not isinstance(each, ast.Starred)}
                given |= {each.arg: each.value for each in call.keywords if each.arg}
            edits = [edit for each in templates if (edit := self._edit(whole, why, each, **given).edit)]
        return Finding(edits[0].span, why, edits[0]) if edits else Finding(span_of(node), why)

    # -- calls ---------------------------------------------------------------------------------------------------------

    def _call(self, node: ast.Call) -> Iterator[Finding]:
        path, function = self.path(node.func), node.func
        ours = names.resolve(path)
        if ours and ours.path == "Tensor":
            yield self._constructor(node)
        elif path and ours:
            yield from self._arguments(node, ours.thing, ours.path)
        elif isinstance(function, ast.Attribute) and self.program[function.value] == "tensor":
            yield from self._arguments(node, getattr(minitorch.Tensor, function.attr, None), function.attr)

    def _arguments(self, node: ast.Call, thing: object, name: str) -> Iterator[Finding]:
        taken = names.keywords(thing)
        unknown = {each.arg: each for each in node.keywords if each.arg and taken is not None and each.arg not in taken}
        out = [*unknown] == ["out"]
        gone = [each for each in unknown if out or each in HARMLESS]
        if gone:
            given = {"f": node.func, "args": [*node.args, *(each for each in node.keywords if each.arg not in gone)]}
            why = Message(
                "{name} takes no {argument} here: copy_ writes the result into it"
                if out
                else "{name} takes no {argument} here; it changes no number",
                name=name,
                argument=", ".join(gone),
            )
            template = "{out}.copy_({f}({args}))" if out else "{f}({args})"
            yield self._edit(node, why, template, out=unknown[gone[0]].value, **given)
        for each in unknown.keys() - gone:
            yield Finding(
                span_of(unknown[each]),
                Message(
                    "{name} takes no argument {argument} here: leave it out if the result stays the same",
                    name=name,
                    argument=each,
                ),
            )

    def _constructor(self, node: ast.Call) -> Finding:
        """Rewrite `torch.Tensor([1, 2])`, float32 whatever it is given, and `torch.Tensor(3, 4)`, of that shape."""
        kinds = [self.program[each] for each in node.args]
        starred = any(isinstance(each, ast.Starred) for each in node.args)
        if (len(kinds) > 1 and not starred) or all(map(self._is_size, node.args)):
            template = "{t}.empty({args})" if kinds else "{t}.empty(0)"
        elif len(kinds) == 1 and last_name(node.args[0]) != "shape" and tag(kinds[0]) in VALUES:
            template = "{t}.tensor({args}, dtype={t}.float32)"
        else:
            given = {"name": ast.unparse(node.args[0]), "t": self.program.root}
            return Finding(
                span_of(node),
                Message(
                    "for values, write {t}.tensor({name}, dtype={t}.float32); for a shape, {t}.empty({name})", **given
                ),
            )
        return self._edit(
            node,
            Message("Tensor(…) keeps the type of what it is given; PyTorch's gives float32, or a shape"),
            template,
            args=node.args,
        )

    def _is_size(self, node: ast.expr) -> bool:
        """Tell a number, `*sizes`, and the `x.shape` or `x.size()` of a Tensor: another tuple holds values."""
        match node:
            case ast.Starred(ast.Attribute(attr="shape") | ast.Call(ast.Attribute(attr="size"), [])):
                return True
            case ast.Attribute(of, "shape") | ast.Call(ast.Attribute(of, "size"), []):
                return self.program[of] in TENSOR_LIKE
        return self.program[node] == "number"

    def _pickled(self) -> Iterator[Finding]:
        """Rename .pt files, which hold a pickle, to .safetensors, in a program that saves or loads any."""
        calls = {node: self.path(node.func) for node in self.nodes if isinstance(node, ast.Call)}
        others = [node for node, path in calls.items() if not path and last_name(node.func) in FILE_FUNCTIONS]
        inside = {inner for node in others for inner in ast.walk(node)}
        for node in self.nodes if {"save", "load"}.intersection(calls.values()) else ():
            if isinstance(node, ast.Constant) and node not in inside and (ending := PICKLED.search(str(node.value))):
                first, byte, last, end = span_of(node)
                around = end - byte - len(str(node.value).encode())  # the quotes; none inside an f-string
                span = (first, end - around // 2 - len(ending[0]), last, end - around // 2)
                plain = first == last and around in (0, 2)
                yield Finding(
                    span_of(node),
                    Message(
                        "a .pt file holds a pickle, which can run any program: files here end in .safetensors or .npz"
                    ),
                    Edit(span, ".safetensors") if plain else None,
                )

    # -- Tensors: == asks for identity; .grad and .data are arrays -----------------------------------------------------

    def _comparison(self, node: ast.Compare, sign: str, method: str) -> Iterator[Finding]:
        left, right, template = node.left, node.comparators[0], ""
        one, other = self.program[left], self.program[right]
        if not method and one == "tensor" and tag(other) in ("list", "tuple") and {*other[1:]} == {"number"}:
            template = f"{{x}}.item() {sign} {{y}}"
        elif not method or one in ("array", "numpy") or {tag(one), tag(other)} & COMPARED_BY_VALUE:
            return  # an array's own == compares number by number, with a Tensor too
        elif one == "tensor" and self.program.may_be_none(right):
            template = f"({{y}} is {'not None and' if method == 'eq' else 'None or'} {{x}}.{method}({{y}}))"
        elif one == "tensor":
            template = f"{{x}}.{method}({{y}})"
        elif other == "tensor" and one != "likely":
            template = f"{{y}}.{method}({{x}})"
        elif {one, other} & TENSOR_LIKE or (other != "numpy" and self._is_tensor(node)):
            template = f"{{t}}.{method}({{x}}, {{y}})"
        elif {one, other} & NOT_KNOWN and other != "numpy" and self._may_be_mask(node):
            yield self._undecided(node, left if one in NOT_KNOWN else right, f"{method}(…, …)")
        if template:
            yield self._edit(
                node, Message("{sign} asks here whether both are the same Tensor", sign=sign), template, x=left, y=right
            )

    def _undecided(self, node: ast.expr, unknown: ast.expr, replacement: str) -> Finding:
        given = {"name": ast.unparse(unknown), "instead": f"{self.program.root}.{replacement}"}
        return Finding(
            span_of(node), Message("it is not known what {name} is: if it is a Tensor, write {instead}", **given)
        )

    def _is_tensor(self, node: ast.expr) -> bool:
        """Tell from its use that a result is a Tensor, or that a Tensor does as well."""
        parent = self.parents[node]
        match self.parents[parent] if isinstance(parent, ast.keyword) else parent:
            case ast.Call(func=ast.Attribute(of) as function) as call if not self.path(function):
                tensor = self.program[of] == "tensor" or is_tensor_only(function, call, self.program.method_names)
                return tensor or self.program[function] == "module"
            case ast.Call(func=function):
                name = self.path(function).rpartition(".")[2]
                return self.program[function] == "module" or (name[:1].islower() and name not in CREATORS)
            case ast.Attribute() as attribute:
                return _is_of_tensors(attribute)
            case ast.Subscript(of, part) if part is node:
                return self.program[of] in TENSOR_LIKE
            case ast.BinOp(one, other) as result:
                return "tensor" in (self.program[one], self.program[other]) or self._is_tensor(result)
            case ast.UnaryOp() | ast.Subscript() as result:
                return self._is_tensor(result)
        return False

    def _may_be_mask(self, node: ast.Compare) -> bool:
        """Tell a result that is used as a Tensor or an array is, not as a bool."""
        parent = self.parents[node]
        if isinstance(parent, ast.Subscript):
            return parent.slice is node and tag(self.program[parent.value]) not in ("numpy", "list")
        return isinstance(parent, ast.Attribute) and hasattr(minitorch.Tensor, parent.attr)

    def _array(self, node: ast.Attribute) -> Iterator[Finding]:
        """Rewrite `.data` as `.detach()`, and call a method that an array has not on a Tensor of the array."""
        owner, name, call, parent = node.value, node.attr, self._is_called(node), self.parents[node]
        kind, data, grad, tensor = (
            self.program[owner],
            Message(".data is a NumPy array here; .detach() shares its memory and is a Tensor"),
            Message(".grad and a hook's gradient are NumPy arrays here"),
            "{t}.as_tensor({x})",
        )
        init = isinstance(parent, ast.Call) and self.path(parent.func).startswith("nn.init.")
        maybe = kind in ("grad?", "data?")
        known = _is_of_tensors(node) and (kind == "grad?" or name in ("cpu", "cuda", "numpy", "clone", "norm"))
        if name == "data" and kind in ("array", "grad?"):  # .grad.data
            yield self._edit(node, grad, tensor, x=owner)
        elif name == "data" and init and self.program[node] == "data?":
            yield self._edit(node, data, tensor, x=node)
        elif name == "data" and kind in TENSOR_LIKE and (init or self.program.wants_tensor(node)):
            yield self._edit(node, data, "{x}" if init else "{x}.detach()", x=owner)
        elif name not in METHODS and (  # another rule replaces those
            (kind == "array" and not is_same_on_arrays(node, call))
            or (maybe and (known or is_tensor_only(node, call, set())))
        ):  # as_tensor of a Tensor is that Tensor
            yield self._edit(owner, data if kind == "data?" else grad, tensor, x=owner)
        elif maybe and call is not None and call.args and name in AMBIGUOUS:
            yield self._undecided(node, owner, f"as_tensor({ast.unparse(owner)}).{name}(…)")


def _is_of_tensors(node: ast.Attribute) -> bool:
    """Tell a name that a Tensor has and an array has not."""
    return hasattr(minitorch.Tensor, node.attr) and not hasattr(np.ndarray, node.attr)
