"""What an editor and a type checker know. The files of tests/typing are those of users, checked under mypy --strict."""

import importlib
import inspect
import pickle
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import minitorch
from minitorch import ops

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "tests" / "typing").glob("*.py"))
EXPECTED = re.compile(r"# error: (\S+)$")
REPORTED = re.compile(r"(?P<path>[^:]+):(?P<line>\d+): error: .*\[(?P<kind>[\w-]+)\]$")
PUBLIC = {
    **{name: getattr(minitorch, name) for name in minitorch.__all__},
    **{f"linalg.{name}": getattr(minitorch.linalg, name) for name in minitorch.linalg.__all__},
    **{f"nn.functional.{name}": getattr(minitorch.nn.functional, name) for name in minitorch.nn.functional.__all__},
}
OPERATIONS = {
    name: each
    for name, each in PUBLIC.items()
    if inspect.isfunction(each) and each.__module__.startswith(("minitorch.ops", "minitorch.nn.functional"))
}


def test_a_type_checker_knows_every_result_and_reports_every_mistake():
    mypy = pytest.importorskip("mypy", reason="mypy is among the tools of development")
    command = [sys.executable, "-m", mypy.__name__, "--strict", *map(str, FILES)]
    out = subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True).stdout
    found = [match for line in out.splitlines() if (match := REPORTED.match(line))]
    reported = {(Path(each["path"]).name, int(each["line"]), each["kind"]) for each in found}
    wanted = {
        (path.name, number, match[1])
        for path in FILES
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if (match := EXPECTED.search(line))
    }
    assert len(wanted) > 15
    assert reported == wanted, out


@pytest.mark.parametrize("path", [each for each in FILES if each.stem != "mistakes"], ids=lambda path: path.stem)
def test_what_a_type_checker_is_told_is_what_happens(path):
    runpy.run_path(str(path))


def test_the_package_says_that_it_is_typed():
    assert (Path(minitorch.__file__).parent / "py.typed").is_file()


def test_every_operation_says_its_signature_and_its_source_and_is_called_as_the_place_where_it_stands():
    for name, operation in OPERATIONS.items():
        signature = inspect.signature(operation)
        kinds = [each.kind for each in signature.parameters.values()]
        assert inspect.Parameter.VAR_KEYWORD not in kinds, name
        assert signature.return_annotation not in (inspect.Signature.empty, "Any"), name
        forward = inspect.unwrap(operation)
        if not hasattr(operation, "declaration") or forward is not operation:  # NumPy's function has no source of ours
            source = inspect.getsource(operation)
            assert "def operation(" not in source, name
            assert "def either(" not in source, name
            assert forward.__name__.strip("_") in source, name
        module = importlib.import_module(operation.__module__)
        assert getattr(module, operation.__name__) is operation, name
        assert getattr(module, name.rpartition(".")[2], None) is operation, f"{name} stands in {module}"
        assert pickle.loads(pickle.dumps(operation)) is operation, name


def test_the_operators_too():
    for operation in (ops.arithmetic.plain_add, ops.arithmetic.plain_div, ops.index.pick, ops.products.matmul):
        assert pickle.loads(pickle.dumps(operation)) is operation


def test_jedi_completes_what_comes_of_an_operation():
    jedi = pytest.importorskip("jedi", reason="jedi comes with IPython")
    head = "import minitorch as mt\nx = mt.Tensor([1.0])\n"
    for expression in ("mt.randn(2).", "(x + x).", "x.sum().", "mt.exp(x).", "x.max(0).values.", "mt.cat([x, x])."):
        script = jedi.Script(head + expression, path=str(ROOT / "tests" / "typing" / "asked.py"))
        names = {each.name for each in script.complete(3, len(expression))}
        assert {"backward", "shape", "reshape"} <= names, expression
    for expression, parameters in (("mt.sum(", {"input", "dim", "keepdim"}), ("mt.topk(", {"input", "k", "dim"})):
        found = jedi.Interpreter(head + expression, [{"mt": minitorch}]).get_signatures(3, len(expression))
        assert any(parameters <= {each.name for each in one.params} for one in found), expression
