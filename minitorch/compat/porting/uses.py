"""Names and calls: what is not here under PyTorch's name, and arguments that are not taken."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import minitorch
from minitorch import nn
from minitorch.compat.porting import names
from minitorch.compat.porting.findings import Edit, Finding, Span, Sub, span_of
from minitorch.compat.porting.inference import Inference
from minitorch.compat.porting.instead import HARMLESS, METHODS, MODULE_METHODS, NAMES, Instead
from minitorch.compat.porting.kinds import ARRAY, LIKELY, MAYBE_GRAD, NUMBER, NUMPY, TENSOR, TENSOR_LIKE, Kind
from minitorch.compat.porting.names import OURS
from minitorch.compat.porting.sentences import missing
from minitorch.course.texts.messages import say
from minitorch.language import Text

PICKLED = re.compile(r"\.(pt|pth|ckpt)$")
OF_DTYPES = ("is_floating_point", "is_complex")  # attributes of PyTorch's dtypes
OTHER_FILES = ("open", "load", "dump", "save", "urlretrieve", "download", "get")  # of other packages: not ours to name
FIELD = re.compile(r"\{(\w+)\}")


def use_findings(flow: Inference) -> Iterator[Finding]:
    """Go through all names and calls."""
    told: set[str] = set()
    for node in ast.walk(flow.program.tree):
        if isinstance(node, (ast.Attribute, ast.Name)):
            parent = flow.program.parents[node]
            path = flow.aliases.path(node)
            if path and not (isinstance(parent, ast.Attribute) and flow.aliases.path(parent)):
                yield from _name(flow, node, path, told)
            elif isinstance(node, ast.Attribute) and not path:
                yield from _method(flow, node)
        elif isinstance(node, ast.Call):
            yield from _call(flow, node)
    yield from _pickled(flow)


def _name(flow: Inference, node: ast.Attribute | ast.Name, path: str, told: set[str]) -> Iterator[Finding]:
    place = names.place(path)
    if place.found:
        if not _reached(flow, node, place):
            text = f"{flow.aliases.root or OURS}.{place.path}"
            yield Finding(span_of(node), say("port_moved", name=path, path=place.path), Edit(span_of(node), (text,)))
        return
    if path in NAMES:
        edit = _instead(flow, node, NAMES[path], None)
        if edit is not None:
            yield Finding(edit.span, missing(path), edit)
            return
    parent = flow.program.parents[node]
    if isinstance(node, ast.Name) or (isinstance(parent, ast.keyword) and parent.arg in HARMLESS):
        return  # its import is told of, or its argument goes
    base = _base(node)
    before = flow.aliases.names[base.id].partition(".")[2]
    if before and not names.place(before).found:
        return
    first = names.first_missing(path)
    if first not in told or path == first:
        told.add(first)
        yield Finding(span_of(node), missing(path))


def _base(node: ast.expr) -> ast.Name:
    while isinstance(node, ast.Attribute):
        node = node.value
    assert isinstance(node, ast.Name)
    return node


def _reached(flow: Inference, node: ast.Attribute | ast.Name, place: names.Place) -> bool:
    """Whether the name leads there as it is written, once its import is changed."""
    if isinstance(node, ast.Name):
        return True  # its import says where it is
    before = flow.aliases.names[_base(node).id].partition(".")[2]
    behind = place.asked[len(before) + 1 :] if before else place.asked
    home = names.place(before).path if before else ""
    return names.place(f"{home}.{behind}" if home else behind).path == (f"{home}.{behind}" if home else behind)


# -- methods -----------------------------------------------------------------------------------------------------------


def _method(flow: Inference, node: ast.Attribute) -> Iterator[Finding]:
    kind, name = flow[node.value], node.attr
    if not isinstance(node.ctx, ast.Load):
        return
    if name in OF_DTYPES and (getattr(node.value, "attr", "") == "dtype" or "dtype" in getattr(node.value, "id", "")):
        yield _of_dtype(flow, node)
    elif kind in (TENSOR, LIKELY, *((ARRAY, MAYBE_GRAD) if name in METHODS else ())) and not names.is_method(name):
        yield from _of_tensor(flow, node, kind)
    elif name in MODULE_METHODS and not hasattr(nn.Module, name) and _is_module(flow, kind):
        edit = _instead(flow, node, MODULE_METHODS[name], node.value)
        yield Finding(edit.span if edit else span_of(node), _no_method(name, MODULE_METHODS[name]), edit)


def _of_tensor(flow: Inference, node: ast.Attribute, kind: Kind) -> Iterator[Finding]:
    name = node.attr
    instead = METHODS.get(name)
    function = names.place(name)
    if instead is None and function.found and callable(function.thing) and _called(flow, node):
        instead = Instead("port_function", call=f"{{t}}.{function.path}({{self}}, {{args}})")
    if instead is None and name.endswith("_") and names.is_method(name[:-1]) and _called(flow, node):
        instead = Instead("port_in_place", call=f"{{self}}.copy_({{self}}.{name[:-1]}({{args}}))")
    if instead is not None:
        edit = _instead(flow, node, instead, node.value)
        yield Finding(edit.span if edit else span_of(node), _no_method(name, instead), edit)
    elif kind == TENSOR and not _within_class(flow, node):
        yield Finding(span_of(node), say("port_no_method", name=name))


def _of_dtype(flow: Inference, node: ast.Attribute) -> Finding:
    """`x.dtype.is_floating_point`, or that of a dtype with a name: NumPy's dtypes have no such attribute."""
    of, root = node.value, flow.aliases.root or OURS
    parts: list[str | Sub]
    if node.attr == "is_complex":
        parts = ["False"]
    elif isinstance(of, ast.Attribute) and of.attr == "dtype" and flow[of.value] == TENSOR:
        parts = [f"{root}.is_floating_point(", Sub(of.value), ")"]
    else:  # whatever has that dtype: a module, an array
        parts = [f"{root}.empty(0, dtype=", Sub(of), ").is_floating_point()"]
    return Finding(span_of(node), say("port_dtype", name=node.attr), Edit(span_of(node), tuple(parts)))


def _no_method(name: str, instead: Instead) -> Text:
    return say("port_no_method_because", name=name, why=say(instead.why))


def _called(flow: Inference, node: ast.Attribute) -> bool:
    parent = flow.program.parents[node]
    return isinstance(parent, ast.Call) and parent.func is node


def _within_class(flow: Inference, node: ast.Attribute) -> bool:
    """Whether the program sets an attribute of this name on something itself."""
    return any(
        isinstance(each, ast.Attribute) and each.attr == node.attr and isinstance(each.ctx, ast.Store)
        for each in ast.walk(flow.program.tree)
    )


def _is_module(flow: Inference, kind: Kind) -> bool:
    return kind.word in ("module", "recurrent") or (kind.word == "instance" and flow.program.is_module(kind.name))


# -- calls -------------------------------------------------------------------------------------------------------------


def _call(flow: Inference, node: ast.Call) -> Iterator[Finding]:
    path = flow.aliases.path(node.func)
    if path:
        place = names.place(path)
        if not place.found:
            return
        if place.path == "Tensor":
            yield from _constructor(flow, node)
            return
        yield from _arguments(node, place.thing, place.path, 0)
    elif isinstance(node.func, ast.Attribute) and flow[node.func.value] == TENSOR:
        method = getattr(minitorch.Tensor, node.func.attr, None)
        if callable(method):
            yield from _arguments(node, method, node.func.attr, 1)


def _arguments(node: ast.Call, thing: object, name: str, places: int) -> Iterator[Finding]:
    taken = names.takes(thing)
    if taken is None:
        return
    words, most = taken
    unknown = [each for each in node.keywords if each.arg is not None and each.arg not in words]
    harmless = [each for each in unknown if each.arg in HARMLESS]
    out = next((each for each in unknown if each.arg == "out" and places == 0), None)
    if out is not None and len(unknown) == 1:
        parts = (
            Sub(out.value, atom=True),
            ".copy_(",
            Sub(node.func),
            "(",
            *_given([*node.args, *_without(node, [out])]),
            "))",
        )
        yield Finding(span_of(node), say("port_out", name=name), Edit(span_of(node), parts))
        return
    for each in unknown:
        if each not in harmless:
            yield Finding(span_of(each), say("port_argument", name=name, argument=each.arg))
    if harmless:
        said = ", ".join(str(each.arg) for each in harmless)
        parts = (Sub(node.func, atom=True), "(", *_given([*node.args, *_without(node, harmless)]), ")")
        yield Finding(span_of(node), say("port_harmless", name=name, argument=said), Edit(span_of(node), parts))
    starred = any(isinstance(each, ast.Starred) for each in node.args)
    if len(node.args) + places > most and not starred:
        yield Finding(span_of(node), say("port_places", name=name, most=most - places))


def _without(node: ast.Call, left_out: list[ast.keyword]) -> list[ast.keyword]:
    return [each for each in node.keywords if each not in left_out]


def _given(arguments: list[ast.expr | ast.keyword]) -> Iterator[str | Sub]:
    for place, each in enumerate(arguments):
        before = ", " if place else ""
        if isinstance(each, ast.keyword):
            yield before + (f"{each.arg}=" if each.arg else "**")
            yield Sub(each.value)
        elif isinstance(each, ast.Starred):
            yield f"{before}*"
            yield Sub(each.value)
        else:
            yield before
            yield Sub(each)


def _constructor(flow: Inference, node: ast.Call) -> Iterator[Finding]:
    """`torch.Tensor([1, 2])` is float32 whatever it is given, `torch.Tensor(3, 4)` is of that shape."""
    root, kinds = flow.aliases.root or OURS, [flow[each] for each in node.args]
    parts: list[str | Sub] = []
    if not node.args and not node.keywords:
        parts = [f"{root}.empty(0)"]
    elif (len(kinds) > 1 and not any(isinstance(each, ast.Starred) for each in node.args)) or all(
        kind == NUMBER or _is_shape(flow, each) for kind, each in zip(kinds, node.args, strict=True)
    ):
        parts = [f"{root}.empty(", *_given(list(node.args)), ")"]
    elif (
        len(kinds) == 1
        and _last_name(node.args[0]) != "shape"
        and (kinds[0] in (TENSOR, ARRAY, NUMPY) or kinds[0].word in ("row", "tuple"))
    ):
        parts = [f"{root}.tensor(", Sub(node.args[0]), f", dtype={root}.float32)"]
    if parts:
        yield Finding(span_of(node), say("port_constructor"), Edit(span_of(node), tuple(parts)))
    else:
        yield Finding(span_of(node), say("port_constructor_perhaps", root=root))


def _is_shape(flow: Inference, node: ast.expr) -> bool:
    """`*sizes`, or the `x.shape` or `x.size()` of a Tensor: a tuple with a shape's numbers holds values."""
    if isinstance(node, ast.Starred):
        node, any_owner = node.value, True
    else:
        any_owner = False
    if isinstance(node, ast.Call) and not node.args:
        node = node.func
    name = node.attr if isinstance(node, ast.Attribute) else ""
    return name in ("shape", "size") and (any_owner or flow[node.value] in TENSOR_LIKE)  # type: ignore[attr-defined]


def _pickled(flow: Inference) -> Iterator[Finding]:
    """Files that end in .pt hold a pickle; here they end in .safetensors. In a program that saves or loads any."""
    calls = [node for node in ast.walk(flow.program.tree) if isinstance(node, ast.Call)]
    if not any(flow.aliases.path(each.func) in ("save", "load") for each in calls):
        return
    others = {inner for each in calls if not flow.aliases.path(each.func) and _last_name(each.func) in OTHER_FILES
              for inner in ast.walk(each)}  # fmt: skip
    for node in ast.walk(flow.program.tree):
        if isinstance(node, ast.Constant) and PICKLED.search(str(node.value)) and node not in others:
            yield Finding(span_of(node), say("port_pickle"), _ending(node))


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _ending(node: ast.Constant) -> Edit | None:
    first, byte, last, end = span_of(node)
    ending = PICKLED.search(str(node.value))
    around = end - byte - len(str(node.value).encode())  # the quotes; none inside an f-string
    if ending is None or first != last or around not in (0, 2):
        return None
    return Edit((first, end - around // 2 - len(ending[0]), last, end - around // 2), (".safetensors",))


# -- what is written instead -------------------------------------------------------------------------------------------


def _instead(flow: Inference, node: ast.expr, instead: Instead, owner: ast.expr | None) -> Edit | None:
    """What to write for a name: for its call, for itself, or for the statement that it is all of."""
    parent = flow.program.parents[node]
    call = parent if isinstance(parent, ast.Call) and parent.func is node else None
    decorated = call or node
    above = flow.program.parents[decorated]
    decorators = getattr(above, "decorator_list", [])
    if decorated in decorators:
        return _undecorated(decorated) if instead.call == "{0}" else None
    if instead.gone:
        statement = above if isinstance(above, (ast.Expr, ast.Assign)) else None
        return Edit(span_of(statement), ("pass",)) if statement is not None else None
    if call is not None and instead.call:
        template = _template(instead, call)
        parts = _filled(template, flow.aliases.root or OURS, call, owner) if template else None
        return None if parts is None else Edit(span_of(call), parts)
    if call is None and instead.value:
        parts = _filled(instead.value, flow.aliases.root or OURS, None, owner)
        return None if parts is None else Edit(span_of(node), parts)
    return None


def _template(instead: Instead, call: ast.Call) -> str:
    """Which of a call's replacements is meant; "" where the call says more than any of them."""
    words = {each.arg for each in call.keywords}
    if "{args}" in instead.call or instead.ignores or not words:
        return instead.call
    return instead.given[1] if words == {instead.given[0]} else ""


def _undecorated(node: ast.expr) -> Edit:
    first, byte, last, _ = span_of(node)
    span: Span = (first, byte - 1, last + 1, byte - 1)  # from the @ to where the next line's words begin
    return Edit(span, ("",))


def _filled(template: str, root: str, call: ast.Call | None, owner: ast.expr | None) -> tuple[str | Sub, ...] | None:
    parts: list[str | Sub] = []
    here = 0
    for found in FIELD.finditer(template):
        parts.append(template[here : found.start()])
        here = found.end()
        follows = template[here : here + 1] in (".", "[") or template[here : here + 2].startswith(" ")
        word = found[1]
        if word == "t":
            parts.append(root)
        elif word == "self":
            if owner is None:
                return None
            parts.append(Sub(owner, atom=follows))
        elif call is None:
            return None
        elif word == "args":
            given = list(_given([*call.args, *call.keywords]))
            if not given:  # a comma before or after nothing
                parts[-1] = str(parts[-1]).removesuffix(", ")
            parts += given
        elif not word.isdigit():
            parts += [Sub(each.value) for each in call.keywords if each.arg == word]
        elif len(call.args) <= int(word) or isinstance(call.args[int(word)], ast.Starred):
            return None
        else:
            parts.append(Sub(call.args[int(word)], atom=follows))
    parts.append(template[here:])
    return tuple(parts)
