"""What the checks say was expected and what came: words exist in both languages, and only code is the same in both."""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest

from minitorch.course import manifest
from minitorch.course.judging import compare

COURSE = manifest.load()
JUDGES = sorted(path for lesson in COURSE.lessons for path in lesson.folder.glob("checks*.py"))
TOLD = ("expected", "got")
SHOWN = {"function", "numpy", "float64", "nan", "inf", "LinAlgError"}  # what Python shows, and no solution writes
TRANSLATED_OR_CODE = {"Message", "counted", "get", "join"}
PICKED = (ast.Subscript, ast.Compare)  # a key or a comparison chooses what is said, and is not said itself


@cache
def names_of_code() -> frozenset[str]:
    """Every word that is Python or stands as a name in a solution; short words that are English too are left out."""
    found = set(dir(builtins)) | set(keyword.kwlist) | SHOWN
    for lesson in COURSE.lessons:
        for node in ast.walk(ast.parse(lesson.solution_source())):
            found |= {getattr(node, field, None) for field in ("id", "attr", "arg", "name")}
    return frozenset(filter(None, found)) - {"and", "or", "not", "is", "in", "from", "as", "for", "with"}


def said(node: ast.AST) -> Iterator[str]:
    """The texts in an expression that stand as they are in every language."""
    if isinstance(node, PICKED) or (isinstance(node, ast.Call) and _name(node) in TRANSLATED_OR_CODE):
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    for part in [node.body, node.orelse] if isinstance(node, ast.IfExp) else ast.iter_child_nodes(node):
        yield from said(part)


def _name(call: ast.Call) -> str:
    return getattr(call.func, "id", getattr(call.func, "attr", ""))


def in_one_language(source: str) -> list[str]:
    """Name each text of `expected=` and `got=` that holds a word, and is no Message."""
    found = []
    for node in ast.walk(ast.parse(source)):
        for given in node.keywords if isinstance(node, ast.Call) else ():
            if given.arg in TOLD:
                words = {text: set(re.findall(r"[^\W\d]{2,}", text)) for text in said(given.value)}
                found += [f"line {given.value.lineno}: {text!r}" for text in words if words[text] - names_of_code()]
    return found


@pytest.mark.parametrize("path", [*JUDGES], ids=lambda path: f"{path.parent.name}/{path.name}")
def test_words_in_what_was_expected_and_what_came_exist_in_spanish(path):
    assert in_one_language(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('Wrong("a", expected="an array", got="None")', ["line 1: 'an array'"]),
        ('Wrong("a", got=f"{n} graphs")', ["line 1: ' graphs'"]),
        ('Wrong("a", got="None" if x else f"some {kind}")', ["line 1: 'some '"]),
        ('Wrong("a", got=Message("an array"))', []),
        ('Wrong("a", got=seen["of others"], expected="requires_grad = True")', []),
    ],
)
def test_a_word_without_spanish_is_seen(source, found):
    assert in_one_language(source) == found


def test_the_place_of_a_number_in_an_array_is_told_in_both():
    wrong = compare.same_array(*map(np.array, ([1.0, 2.0], [1.0, 3.0])))
    want = compare.show(np.array([1.0, 3.0]))
    assert (wrong.expected.to("en"), wrong.expected.to("es")) == (f"3.0 in {want}", f"3.0 en {want}")
    assert wrong.got.to("en").startswith("2.0 in [")
    assert wrong.got.to("es").startswith("2.0 en [")
