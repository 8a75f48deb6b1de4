"""scripts/mutants.py: what counts as a mutant, where it stands, and which tests can notice it."""

import json
import sys
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"

SOURCE = """
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import decimal

def outer(a: int, *, b: int = 1) -> int:
    c = a + b
    def inner(x: float) -> float:
        return x * c
    return inner(2)

class Thing:
    size: int = 3

    def double(self) -> int:
        return self.size * 2
"""

if sys.platform == "win32":
    pytest.skip("the script forks", allow_module_level=True)


@pytest.fixture
def mutants(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    import mutants

    return mutants


@pytest.fixture
def runner(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    import mutants_pytest

    return mutants_pytest


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("a: int", "a: float", True),
        ("-> int:\n    c", "-> float:\n    c", True),
        ("if TYPE_CHECKING", "if not TYPE_CHECKING", True),
        ("a + b", "a - b", False),
        ("b: int = 1", "b: int = 2", False),
        ("size: int = 3", "size: int = 4", False),
    ],
)
def test_annotations_and_imports_for_type_checkers_run_nothing(mutants: Any, old: str, new: str, same: bool) -> None:
    assert old in SOURCE
    assert mutants.same_program(SOURCE, SOURCE.replace(old, new)) is same


def test_what_is_no_program_is_left_aside(mutants: Any) -> None:
    assert mutants.compiles(SOURCE)
    assert not mutants.compiles(SOURCE.replace("a: int, *,", "a: int, +,"))


def test_a_change_is_told_by_its_lines(mutants: Any) -> None:
    assert mutants.change(SOURCE, SOURCE.replace("a + b", "a - b")) == {
        "line": 8,
        "before": "c = a + b",
        "after": "c = a - b",
    }
    assert mutants.change("a\nb\n", "a\n") == {"line": 2, "before": "b", "after": ""}


def test_a_line_is_noticed_by_the_tests_that_call_a_function_around_it(mutants: Any) -> None:
    calls = {"m.py:7": ["t1"], "m.py:9": ["t2"], "m.py:16": ["", "t3"], "": ["t9"]}
    assert sorted(mutants.around(SOURCE, 10)) == [7, 9]
    assert mutants.tests_that_call(mutants.around(SOURCE, 10), "m.py", calls) == {"t1", "t2", "t9"}
    assert mutants.tests_that_call(mutants.around(SOURCE, 17), "m.py", calls) is None, "it runs at import"
    assert mutants.tests_that_call(mutants.around(SOURCE, 14), "m.py", calls) is None, "it is no function"


def exchanged(runner: Any, old: str, new: str) -> list[str | None]:
    pairs = runner.exchanges(*(compile(text, "m.py", "exec", dont_inherit=True) for text in (old, new)))
    return [pair and pair[0].co_qualname for pair in pairs]


def test_code_is_exchanged_in_functions_and_nowhere_else(runner: Any) -> None:
    assert exchanged(runner, SOURCE, SOURCE) == []
    assert exchanged(runner, SOURCE, SOURCE.replace("a + b", "a - b")) == ["outer"]
    assert exchanged(runner, SOURCE, SOURCE.replace("x * c", "x / c")) == ["outer", "outer.<locals>.inner"]
    assert exchanged(runner, SOURCE, SOURCE.replace("size * 2", "size * 3")) == ["Thing.double"]
    assert None in exchanged(runner, SOURCE, SOURCE.replace("= 3", "= 4"))
    assert None in exchanged(runner, SOURCE, SOURCE.replace("b: int = 1", "b: int = 2"))
    assert None in exchanged(runner, SOURCE, SOURCE.replace("x * c", "x * 2")), "the closure is another"


def test_exchanged_code_runs_in_the_function_that_lives(runner: Any) -> None:
    names: dict[str, Any] = {}
    old, new = (compile(text, "m.py", "exec") for text in (SOURCE, SOURCE.replace("a + b", "a - b")))
    exec(old, names)
    living = names["outer"]
    assert type(living) is FunctionType
    assert living(5) == 12
    for _, after in runner.exchanges(old, new):
        living.__code__ = after
    assert living(5) == 8


def test_results_are_kept_and_a_run_goes_on_where_it_ended(mutants: Any, tmp_path: Path) -> None:
    results = mutants.Results(tmp_path / "results.jsonl")
    three = [mutants.Mutant("m.py", "abc", "AddNot", number) for number in range(3)]
    row = {"killer": "", "seconds": 0.1, "line": 1, "before": "a", "after": "b"}
    results.add(three[0], outcome="killed", **row)
    results.add(three[1], outcome="survived", **row)
    again = mutants.Results(tmp_path / "results.jsonl")
    assert again.open(three, again=False) == [three[2]]
    assert again.open(three, again=True) == three[1:]
    assert [json.loads(line)["outcome"] for line in (tmp_path / "results.jsonl").read_text().splitlines()] == [
        "killed",
        "survived",
    ]


def test_every_equivalent_mutant_has_a_reason_and_stands_in_a_file_that_is_there(mutants: Any) -> None:
    listed = mutants.equivalent()
    assert listed
    for (file, before, after), reason in listed.items():
        assert (SCRIPTS.parent / file).exists()
        assert before != after
        assert len(reason.split()) >= 3


def test_a_statement_is_removed_and_a_bare_declaration_is_not(mutants: Any) -> None:
    pytest.importorskip("cosmic_ray", reason="Cosmic Ray is not installed")
    source = '"""Doc."""\nx: int\ny = 1\nif y:\n    print(y)\n'
    from cosmic_ray.ast import ast_nodes, get_ast
    from mutants_made import operators

    operator = operators()["RemoveStatement"]

    places = [each for node in ast_nodes(get_ast(source)) for each in operator.mutation_positions(node)]
    assert len(places) == 2
    mutant = mutants.Mutant("m.py", "", "RemoveStatement", 1)
    assert mutants.mutated(source, mutant) == source.replace("print(y)", "pass")
