# ruff: noqa: D102, D103, F401, N815, RET503, SIM102
"""Write every known-wrong version of the course as an edit of its solution: `mistakes/EXERCISE.toml`.

    python scripts/convert_mistakes.py            write the files
    python scripts/convert_mistakes.py compare    rebuild every version from them, and compare it with today's
                                                  (or those of the exercises that are named)

Compared are the syntax tree of the definition, annotations, docstrings and comments aside, and the fingerprint of what
the whole file does on the check's public cases, in a child of its own each time.

Reads the decorated definitions in `misconceptions*.py`. Edits are found by comparing syntax trees: what differs is
narrowed down to the smallest expression that occurs once in the solution's definition, else to whole lines. Where the
edit would be longer than the version itself, the version is kept as code.
"""

from __future__ import annotations

import ast
import itertools
import sys
from dataclasses import dataclass, field
from pathlib import Path

from minitorch.course import diagnosis, manifest, misconceptions, mistakes, sourcecode
from minitorch.course.checks import load_checks

LONG = 116  # a line of TOML


# ------------------------------------------------------------------------------------------ syntax trees


class Plain(ast.NodeTransformer):
    """Takes annotations and docstrings away: neither changes what the code does."""

    def visit_arg(self, node):
        return ast.arg(node.arg)

    def visit_AnnAssign(self, node):
        if node.value is None:
            return None
        return ast.Assign([self.visit(node.target)], self.visit(node.value))

    def _definition(self, node):
        self.generic_visit(node)
        if getattr(node, "returns", None):
            node.returns = None
        if ast.get_docstring(node, clean=False) is not None and len(node.body) > 1:
            node.body = node.body[1:]
        return node

    visit_FunctionDef = visit_ClassDef = _definition


def key(node: ast.AST | str) -> str:
    """Return a text that is equal for equal trees, annotations, docstrings and comments aside."""
    tree = ast.parse(node if isinstance(node, str) else ast.unparse(node))
    return ast.dump(Plain().visit(tree))


# ------------------------------------------------------------------------------------------------ edits


@dataclass
class Text:
    """A definition's text, its tree, and the way from one to the other."""

    text: str
    tree: ast.stmt = field(init=False)
    starts: list[int] = field(init=False)

    def __post_init__(self):
        self.tree = ast.parse(self.text).body[0]
        self.starts = list(itertools.accumulate((len(line) for line in self.text.splitlines(True)), initial=0))
        self.lines = self.text.splitlines(True)

    def at(self, line: int, column: int) -> int:
        return self.starts[line - 1] + len(self.lines[line - 1].encode()[:column].decode())

    def span(self, node) -> tuple[int, int]:
        first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", []))])
        column = node.col_offset
        return self.at(first, column), self.at(node.end_lineno, node.end_col_offset)

    def whole(self, start: int, end: int) -> tuple[int, int]:
        """Widen a span to whole lines."""
        first = self.text.rfind("\n", 0, start) + 1
        last = self.text.find("\n", max(end - 1, first))
        return first, len(self.text) if last < 0 else last + 1

    def lines_of(self, nodes) -> tuple[int, int]:
        return self.whole(self.span(nodes[0])[0], self.span(nodes[-1])[1])


@dataclass
class Splice:
    """What to put in the place of a part of the text, and wider ways to say the same, the narrowest first."""

    start: int
    end: int
    new: str
    wider: list[tuple[int, int, str]] = field(default_factory=list)

    @property
    def cost(self) -> int:
        return self.end - self.start + len(self.new) + 12


def differing(a: ast.AST, b: ast.AST) -> list[tuple[ast.AST, ast.AST]] | None:
    """Return the pairs of child expressions that differ; None where something other than a child differs."""
    if type(a) is not type(b):
        return None
    pairs = []
    for name in a._fields:
        x, y = getattr(a, name, None), getattr(b, name, None)
        if isinstance(x, ast.AST) and isinstance(y, ast.AST):
            pairs += [(x, y)]
        elif isinstance(x, list) and isinstance(y, list):
            if len(x) != len(y) or not all(isinstance(each, ast.AST) for each in [*x, *y]):
                if x != y:
                    return None
                continue
            pairs += list(zip(x, y))
        elif x != y:
            return None
    return [(x, y) for x, y in pairs if ast.dump(x) != ast.dump(y)]


BODIES = ("body", "orelse", "finalbody")


class Differ:
    """Finds the splices that make one definition of another."""

    def __init__(self, old: str, new: str):
        self.old, self.new = Text(old), Text(new)
        self.memo = {}

    def splices(self) -> list[Splice]:
        return self.statement(self.old.tree, self.new.tree)

    def statement(self, a, b) -> list[Splice]:
        """Return how statement a becomes b, narrowly where that can be."""
        place = (id(a), id(b))
        if place not in self.memo:
            self.memo[place] = self._statement(a, b)
        return self.memo[place]

    def _statement(self, a, b):
        if key(a) == key(b):
            return []
        whole = [self.replaced([a], [b])]
        if type(a) is type(b) and hasattr(a, "body"):
            header = self.header(a, b)
            if header is None:
                return whole
            parts = header + [
                each for name in BODIES for each in self.bodies(getattr(a, name, []), getattr(b, name, []))
            ]
            return parts if sum(each.cost for each in parts) <= whole[0].cost else whole
        if hasattr(a, "body") or hasattr(b, "body"):
            return whole
        narrow = self.expression(a, b)
        return [narrow] if narrow else whole

    def header(self, a, b):
        """Return how the part of a compound statement before its body changes; None where that is not simple."""
        if isinstance(a, (ast.FunctionDef, ast.ClassDef)):
            if a.name != b.name or a.decorator_list or b.decorator_list:
                return None
            if isinstance(a, ast.ClassDef):
                return [] if list(map(ast.dump, a.bases)) == list(map(ast.dump, b.bases)) else None
            plain = [ast.unparse(Plain().visit(ast.parse(f"def f({ast.unparse(each.args)}): pass"))) for each in (a, b)]
            if plain[0] == plain[1]:
                return []
            first, last = self.old.span(a)[0], self.old.text.rfind(":", 0, self.old.span(a.body[0])[0])
            start, end = self.new.span(b)[0], self.new.text.rfind(":", 0, self.new.span(b.body[0])[0])
            if [each.arg for each in a.args.args] == [each.arg for each in b.args.args] and len(a.args.defaults) == len(
                b.args.defaults
            ):
                found = []
                for x, y in zip(a.args.defaults, b.args.defaults):
                    if ast.dump(x) != ast.dump(y):
                        s, e = self.old.span(x)
                        arg = a.args.args[len(a.args.args) - len(a.args.defaults) + a.args.defaults.index(x)]
                        s = self.old.span(arg)[0]
                        text = self.old.text[s : self.old.span(x)[0]] + ast.unparse(y)
                        found.append(Splice(s, e, text))
                return found
            return [Splice(first, last + 1, self.new.text[start : end + 1])]
        found = []
        for name in a._fields:
            x, y = getattr(a, name), getattr(b, name)
            if name in BODIES:
                continue
            if isinstance(x, ast.AST) and isinstance(y, ast.AST):
                if ast.dump(x) != ast.dump(y):
                    found.append(self.expression(x, y) or self.plain(x, y))
            elif isinstance(x, list) and any(isinstance(each, ast.AST) for each in [*x, *y]):
                if list(map(ast.dump, x)) != list(map(ast.dump, y)):
                    return None
            elif x != y:
                return None
        for one in found:
            s, e = self.old.span(a)[0], self.old.text.find("\n", one.start)
            one.wider.append((s, e, self.old.text[s : one.start] + one.new + self.old.text[one.end : e]))
        return found

    def plain(self, a, b) -> Splice:
        (s, e), (u, v) = self.old.span(a), self.new.span(b)
        return Splice(s, e, self.new.text[u:v])

    def expression(self, a, b) -> Splice | None:
        """Return the smallest replacement inside a that makes it b, with the wider ones around it."""
        chain = []
        x, y = a, b
        while True:
            if hasattr(x, "lineno") and hasattr(y, "lineno"):
                chain.append((x, y))
            pairs = differing(x, y)
            if pairs is None or len(pairs) != 1:
                break
            x, y = pairs[0]
        ways = []
        for x, y in reversed(chain):
            for opened in (False, True):
                (s, e), (u, v) = self.old.span(x), self.new.span(y)
                if opened:
                    if not (self.new.text[u - 1 : u] == "(" and self.new.text[v : v + 1] == ")"):
                        continue
                    u, v = u - 1, v + 1
                    if self.old.text[s - 1 : s] == "(" and self.old.text[e : e + 1] == ")":
                        s, e = s - 1, e + 1
                top, bottom = self.old.span(a)
                made = self.old.text[top:s] + self.new.text[u:v] + self.old.text[e:bottom]
                try:
                    same = key("(" * isinstance(a, ast.expr) + made + ")" * isinstance(a, ast.expr)) == key(
                        ast.unparse(b)
                    )
                except SyntaxError:
                    same = False
                if same and "\n" not in self.old.text[s:e] + self.new.text[u:v]:
                    small = e - s < 4 or (isinstance(x, (ast.Name, ast.Constant)) and e - s < 8)
                    if not small or x is a:
                        ways.append((s, e, self.new.text[u:v]))
                    break
        if not ways:
            return None
        (s, e, new), *wider = ways
        return Splice(s, e, new, wider)

    def replaced(self, xs, ys) -> Splice:
        """Return the replacement of some statements by others, in whole lines."""
        s, e = self.old.lines_of(xs)
        u, v = self.new.lines_of(ys)
        return Splice(s, e, self.new.text[u:v])

    def bodies(self, xs, ys) -> list[Splice]:
        """Return how one list of statements becomes another: the cheapest way to pair them."""
        if not xs and not ys:
            return []
        if not xs or not ys:
            return [Splice(0, 10**6, "")]  # never worth it: the statement around it is replaced
        n, m = len(xs), len(ys)
        best = {(0, 0): (0, None)}
        for i in range(n + 1):
            for j in range(m + 1):
                ways = []
                if i and j and key(xs[i - 1]) == key(ys[j - 1]):
                    ways.append((best[i - 1, j - 1][0], "same"))
                elif i and j and (type(xs[i - 1]) is type(ys[j - 1])):
                    cost = sum(each.cost for each in self.statement(xs[i - 1], ys[j - 1]))
                    ways.append((best[i - 1, j - 1][0] + cost, "edit"))
                elif i and j:
                    ways.append((best[i - 1, j - 1][0] + self.replaced([xs[i - 1]], [ys[j - 1]]).cost, "edit"))
                if i:
                    s, e = self.old.lines_of([xs[i - 1]])
                    ways.append((best[i - 1, j][0] + e - s + 6, "gone"))
                if j:
                    u, v = self.new.lines_of([ys[j - 1]])
                    ways.append((best[i, j - 1][0] + v - u + 6, "come"))
                if ways:
                    best[i, j] = min(ways)
        steps, i, j = [], n, m
        while i or j:
            what = best[i, j][1]
            steps.append((what, i - 1, j - 1))
            i, j = i - (what != "come"), j - (what != "gone")
        steps.reverse()
        found, k = [], 0
        while k < len(steps):
            what, i, j = steps[k]
            if what == "same":
                k += 1
                continue
            if what == "edit":
                parts = self.statement(xs[i], ys[j])
                near = [k + d for d in (-1, 1) if 0 <= k + d < len(steps) and steps[k + d][0] in {"gone", "come"}]
                if not near or len(parts) > 1 or (parts and not self.is_whole(parts[0])):
                    found += parts
                    k += 1
                    continue
            run = [steps[k]]
            k += 1
            while k < len(steps) and (
                steps[k][0] in {"gone", "come"}
                or (steps[k][0] == "edit" and all(map(self.is_whole, self.statement(xs[steps[k][1]], ys[steps[k][2]]))))
            ):
                run.append(steps[k])
                k += 1
            olds = [xs[i] for what, i, _ in run if what != "come"]
            news = [ys[j] for what, _, j in run if what != "gone"]
            u, v = self.new.lines_of(news) if news else (0, 0)
            if olds:
                s, e = self.old.lines_of(olds)
            else:  # nothing goes: it comes behind what stands before it
                before = max([i for what, i, j in steps[: k - len(run)] if what != "come"], default=-1)
                if before < 0:
                    s = e = self.old.lines_of([xs[0]])[0]
                else:
                    s = e = self.old.lines_of([xs[before]])[1]
            found.append(Splice(s, e, self.new.text[u:v]))
        return found

    def is_whole(self, one: Splice) -> bool:
        return self.old.whole(one.start, one.end) == (one.start, one.end)


def edits(old: str, new: str) -> list[list[str]] | None:
    """Return the changes that make `new` of `old`, each found once in `old`; None where that is not possible."""
    differ = Differ(old, new)
    splices = sorted(differ.splices(), key=lambda one: (one.start, one.end))
    if any(one.end > len(old) for one in splices) or any(a.end > b.start for a, b in itertools.pairwise(splices)):
        return None

    def made(s, e):
        text, last = "", s
        for one in splices:
            if s <= one.start and one.end <= e:
                text, last = text + old[last : one.start] + one.new, one.end
        return text + old[last:e]

    if key(made(0, len(old))) != key(new):
        return None
    regions = []
    for one in splices:
        ways = [(one.start, one.end), *[(s, e) for s, e, _ in one.wider]]
        regions.append(next((way for way in ways if old.count(old[slice(*way)]) == 1 and way[1] > way[0]), ways[-1]))
    while True:
        regions = merged(regions, {one.start for one in splices if one.start == one.end})
        if covered := [
            r
            for r in regions
            if any(
                r[0] < c < r[1]
                for one in splices
                for c in (one.start, one.end)
                if not r[0] <= one.start <= one.end <= r[1]
            )
        ]:
            (s, e) = covered[0]
            inside = [one for one in splices if one.start < e and one.end > s]
            regions[regions.index((s, e))] = (min(s, *[o.start for o in inside]), max(e, *[o.end for o in inside]))
            continue
        bad = next((n for n, (s, e) in enumerate(regions) if e == s or old.count(old[s:e]) != 1), None)
        if bad is None:
            break
        regions[bad] = widened(differ.old, *regions[bad])
    return [tidy(old, old[s:e], made(s, e)) for s, e in regions]


def tidy(old, before, text):
    """A line for a line is said without its indentation."""
    if before.count("\n") == 1 and text.count("\n") == 1 and before.endswith("\n") and text.endswith("\n"):
        if old.count(before.strip()) == 1 and len(text) - len(text.lstrip()) == len(before) - len(before.lstrip()):
            return [before.strip(), text.strip()]
    return [before, text]


def widened(text: Text, s, e):
    """Return the span in whole lines, or one line longer where it is in whole lines already."""
    first, last = text.whole(s, e) if e > s else (s, e)
    if (first, last) != (s, e):
        return first, last
    if first > text.text.find("\n") + 1:
        return text.text.rfind("\n", 0, first - 1) + 1, last
    return first, text.whole(last, last + 1)[1]


def merged(spans, inserted):
    """Return the spans with those that overlap made one, and those between which something is inserted."""
    out = []
    for s, e in sorted(set(spans)):
        if out and (s < out[-1][1] or (s == out[-1][1] and s in inserted)):
            out[-1] = (out[-1][0], max(e, out[-1][1]))
        else:
            out.append((s, e))
    return out


# ------------------------------------------------------------------------------------------------- TOML


def quoted(text: str) -> str:
    """Return a text as a TOML string, in the form that needs no escapes where there is one."""
    if "\n" in text:
        assert "'''" not in text
        return f"'''\n{text}'''"
    if '"' not in text and "\\" not in text:
        return f'"{text}"'
    if "'" not in text:
        return f"'{text}'"
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def said(change: list[list[str]]) -> str:
    """Return `change = ...`, on one line where it fits."""
    pairs = [f"[{quoted(old)}, {quoted(new)}]" for old, new in change]
    line = f"change = [{', '.join(pairs)}]"
    if len(pairs) == 1 and ("\n" in line or len(line) <= LONG):
        return line
    if "\n" not in line and len(line) <= LONG:
        return line
    if len(pairs) == 1:
        (old, new) = change[0]
        return f"change = [[\n    {quoted(old)},\n    {quoted(new)},\n]]"
    rows = []
    for (old, new), pair in zip(change, pairs):
        fits = "\n" in pair or len(pair) <= LONG - 4
        rows.append(f"    {pair},\n" if fits else f"    [\n        {quoted(old)},\n        {quoted(new)},\n    ],\n")
    return "change = [\n" + "".join(rows) + "]"


def lines(change) -> int:
    return sum(max(1, old.count("\n")) + max(1, new.count("\n")) for old, new in change)


def version(old: str, new: str) -> str:
    """Return the line or lines that say how the version differs from the solution."""
    change = edits(old, new)
    code = new.strip("\n") + "\n"
    if change is None or lines(change) > code.count("\n") + (len(change) < 3):
        return f"code = '''\n{code}'''"
    return said(change)


def convert(lesson: manifest.Lesson, exercise: manifest.Exercise) -> str:
    solution = sourcecode.bare(sourcecode.text_of(lesson.solution_source(), exercise.target))
    blocks = []
    for one in misconceptions.of_exercise(lesson, exercise):
        head = (
            f'[[mistake]]\nid = "{one.id}"\nhint = {one.hint}\nen = {quoted(one.text.en)}\nes = {quoted(one.text.es)}\n'
        )
        blocks.append(head + version(solution, sourcecode.bare(one.source)) + "\n")
    return "\n".join(blocks)


def compare(*exercises: str) -> None:
    """Say how many versions are rebuilt with the same syntax tree and the same fingerprint; fail at any that is not."""
    trees = prints = total = 0
    for lesson in manifest.load().lessons:
        checks = load_checks(lesson)
        before = {(one.exercise, one.id): one for one in misconceptions.load_misconceptions(lesson)}
        after = {(one.exercise, one.id): one for one in mistakes.load_mistakes(lesson)}
        assert sorted(before) == sorted(after), lesson.stem
        for name, one in after.items():
            if exercises and one.exercise not in exercises:
                continue
            check, today = checks[one.exercise], before[name]
            assert (one.text, one.hint) == (today.text, today.hint), name
            total += 1
            trees += key(sourcecode.bare(one.source)) == key(sourcecode.bare(today.source))
            outcomes = (diagnosis.observe(lesson, check, each) for each in (one, today))
            rebuilt, kept = (diagnosis.fingerprint(each, check, lesson) for each in outcomes)
            prints += rebuilt == kept
    print(f"{total} versions: {trees} syntax trees equal, {prints} fingerprints equal")
    if not total == trees == prints:
        sys.exit(1)


def main() -> None:
    if sys.argv[1:2] == ["compare"]:
        return compare(*sys.argv[2:])
    for lesson in manifest.load().lessons:
        folder = lesson.folder / "mistakes"
        folder.mkdir(exist_ok=True)
        for exercise in lesson.exercises:
            (folder / f"{exercise.name}.toml").write_text(convert(lesson, exercise), encoding="utf-8")


if __name__ == "__main__":
    main()
