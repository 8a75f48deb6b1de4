"""One lesson's code out of two files: the learner's, with some definitions taken from the solution instead.

The two are merged as syntax trees, so every line keeps the number that it has in its own file: a traceback through the
learner's code names the learner's file and line, whatever was replaced above it. What the solution defines besides and
the learner's file no longer does (an import, a given function) comes along, or a replaced definition would miss it.
"""

from __future__ import annotations

import ast
import copy
import symtable
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from types import CodeType

from minitorch.course.files.source_code import Definition

SHIFT = 1 << 21  # no learner's file has so many lines: what stands further down is the solution's
FUTURE = "__future__"


@dataclass(frozen=True)
class Merged:
    """A merged file."""

    tree: ast.Module
    borrowed: bool  # whether anything of the solution is in it
    changed: tuple[str, ...]  # given functions and methods that the learner's file defines in another way

    def source(self) -> str:
        """The merged file as text; comments and blank lines are lost."""
        return ast.unparse(self.tree)

    def code(self, own_name: str, reference_name: str) -> CodeType:
        """Compile it. The learner's code says that it is from `own_name`, the solution's from `reference_name`."""
        return _signed(compile(self.tree, own_name, "exec", dont_inherit=True), reference_name)


def merge(own: str, solution: str, *, targets: Collection[str], keep: Collection[str]) -> Merged:
    """The file `own` in which each of `targets` that is not in `keep` is the solution's.

    own, solution: the texts of two files. A target is a qualified name: "backward", "Value.__add__", "Reflected".
    Raises SyntaxError when one of them is not Python.
    """
    tree, reference = ast.parse(own), ast.parse(solution)
    changed = tuple(_changed(tree.body, reference.body, targets))
    ast.increment_lineno(reference, SHIFT)
    replaced = {target for target in targets if target not in keep}
    merger = _Merger(replaced, frozenset(keep))
    merger.merge(tree.body, reference.body, symtable.symtable(own, "own", "exec"), "")
    return Merged(tree, merger.borrowed, changed)


@dataclass
class _Merger:
    replaced: Collection[str]
    keep: Collection[str]
    borrowed: bool = False

    def merge(
        self, body: list[ast.stmt], reference: Sequence[ast.stmt], table: symtable.SymbolTable, prefix: str
    ) -> None:
        """Replace what is to be replaced in `body`, and put in what it does not define; each after what precedes it."""
        names = _names_of(table)
        after = _start(body)
        for statement in reference:
            if _is_future(statement):
                after += self._import_future(body, statement)
                continue
            wanted = bound(statement)
            if not wanted:
                continue
            place = _last_binding(body, wanted)
            if wanted <= {self._bare(target, prefix) for target in self.replaced}:
                if place is not None and isinstance(body[place], Definition):
                    body[place] = statement
                else:
                    body.insert(after, statement)
                    place = after
                self.borrowed = True
            elif not wanted <= names and not any(prefix + name in self.keep for name in wanted):
                body.insert(after, statement)
                place = after
                self.borrowed = True
            elif place is not None:
                self._merge_classes(body[place], statement, table, prefix)
            if place is not None:
                after = place + 1

    def _merge_classes(self, own: ast.stmt, reference: ast.stmt, table: symtable.SymbolTable, prefix: str) -> None:
        if not (isinstance(own, ast.ClassDef) and isinstance(reference, ast.ClassDef)):
            return
        if prefix + own.name not in self.keep:
            self.merge(own.body, reference.body, _class_table(table, own.name), f"{prefix}{own.name}.")

    def _import_future(self, body: list[ast.stmt], statement: ast.stmt) -> int:
        """Put a `from __future__` line in, unless there is one; return how many statements came in."""
        if any(ast.dump(statement) == ast.dump(own) for own in body):
            return 0
        body.insert(int(_has_docstring(body)), statement)
        self.borrowed = True
        return 1

    @staticmethod
    def _bare(target: str, prefix: str) -> str:
        """The target's name as it stands in the scope `prefix`; empty when it does not stand there."""
        name = target.removeprefix(prefix) if target.startswith(prefix) else ""
        return "" if "." in name else name


def _class_table(table: symtable.SymbolTable, name: str) -> symtable.SymbolTable:
    return [child for child in table.get_children() if child.get_type() == "class" and child.get_name() == name][-1]


def _names_of(table: symtable.SymbolTable) -> set[str]:
    return {
        symbol.get_name()
        for symbol in table.get_symbols()
        if symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace()
    }


def bound(statement: ast.stmt) -> set[str]:
    """The names that a plain statement binds: a definition, an import or an assignment."""
    if isinstance(statement, Definition):
        return {statement.name}
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return {(alias.asname or alias.name).partition(".")[0] for alias in statement.names}
    if isinstance(statement, ast.Assign):
        return {node.id for target in statement.targets for node in ast.walk(target) if isinstance(node, ast.Name)}
    if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
        return {statement.target.id}
    return set()


def _last_binding(body: Sequence[ast.stmt], names: set[str]) -> int | None:
    """Where one of `names` is bound last; a definition counts before an assignment, as replacing does."""
    found = [index for index, statement in enumerate(body) if names & bound(statement)]
    definitions = [index for index in found if isinstance(body[index], Definition)]
    return (definitions or found)[-1] if found else None


def _start(body: Sequence[ast.stmt]) -> int:
    """The first place at which a statement may stand: below the docstring and the `__future__` lines."""
    start = int(_has_docstring(body))
    while start < len(body) and _is_future(body[start]):
        start += 1
    return start


def _has_docstring(body: Sequence[ast.stmt]) -> bool:
    return bool(body) and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)


def _is_future(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.module == FUTURE


def _changed(
    own: Sequence[ast.stmt], reference: Sequence[ast.stmt], targets: Collection[str], prefix: str = ""
) -> Iterator[str]:
    """Yield the given functions and methods whose code differs between the two files."""
    mine = {statement.name: statement for statement in own if isinstance(statement, Definition)}
    for theirs in reference:
        if not isinstance(theirs, Definition) or theirs.name not in mine or prefix + theirs.name in targets:
            continue
        statement = mine[theirs.name]
        if isinstance(theirs, ast.ClassDef) and isinstance(statement, ast.ClassDef):
            yield from _changed(statement.body, theirs.body, targets, f"{prefix}{theirs.name}.")
        elif _without_words(statement) != _without_words(theirs):
            yield prefix + theirs.name


def _without_words(node: Definition) -> str:
    """A definition's code; what it says, in a docstring or in what it raises, is in the learner's language."""
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    head = [ast.dump(node.args)] if not isinstance(node, ast.ClassDef) else []
    return "\n".join(
        [*head, *(ast.dump(_Silent().visit(copy.deepcopy(each))) for each in [*node.decorator_list, *body])]
    )


class _Silent(ast.NodeTransformer):
    """Takes the sentence out of what is raised."""

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        if isinstance(node.exc, ast.Call):
            node.exc.args = [each for each in node.exc.args if not isinstance(each, (ast.Constant, ast.JoinedStr))]
        return node


def _signed(code: CodeType, reference_name: str) -> CodeType:
    """`code` in which everything that the solution defined carries its own file name and line numbers."""
    constants = tuple(_signed(each, reference_name) if isinstance(each, CodeType) else each for each in code.co_consts)
    code = code.replace(co_consts=constants)
    if code.co_firstlineno > SHIFT:
        code = code.replace(co_filename=reference_name, co_firstlineno=code.co_firstlineno - SHIFT)
    return code
