"""docs/adding-an-operation.md: its blocks, laid into a copy of the package, are an operation that all tests accept."""

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "adding-an-operation.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^`([\w/.]+)`, ([^\n]+):\n\n```\w+\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
# What PyTorch would write into the golden values: here the operation itself, by NumPy's own function.
GOLDEN = """
import sys, json
import numpy as np
from golden import FILE, checksum
from op_table import CASES
import minitorch
from op_table import run
stored = dict(np.load(FILE))
index, values = json.loads(str(stored["index"])), [stored["values"]]
for case in (each for each in CASES if each.op == "logaddexp2"):
    result = run(case, minitorch, minitorch.Tensor)
    np.testing.assert_allclose(result.value, np.logaddexp2(*case.inputs()))
    arrays = [result.value, *result.gradients]
    index[case.name] = [checksum(case.inputs()), *[list(array.shape) for array in arrays]]
    values += [array.reshape(-1) for array in arrays]
stored |= {"values": np.concatenate(values), "index": np.array(json.dumps(index))}
np.savez_compressed(FILE, **stored)
"""


def put(text: str, where: str, block: str) -> str:
    """The file with a block of the page in its place."""
    if where == "at the end":
        return f"{text}\n{block}"
    if where == "in `__all__`":
        end = next(node.end_lineno for node in ast.parse(text).body if ast.unparse(node).startswith("__all__ ="))
        lines = text.splitlines(keepends=True)
        return "".join([*lines[: end - 1], block, *lines[end - 1 :]])
    (name,) = re.fullmatch(r"below `(\w+)`", where).groups()
    assert len(re.findall(rf"^    {name} = .*\n", text, re.MULTILINE)) == 1
    return re.sub(rf"^(    {name} = .*\n)", rf"\1{block}", text, flags=re.MULTILINE)


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the package and of the tests of operations, and in it what the page adds."""
    root = tmp_path_factory.mktemp("page")
    ignored = shutil.ignore_patterns("__pycache__")
    for folder in ("minitorch", "docs", *(f"tests/{name}" for name in ("op_table", "golden", "ops", "gpu"))):
        shutil.copytree(ROOT / folder, root / folder, ignore=ignored)
    shared = [f"tests/{path.name}" for path in (ROOT / "tests").iterdir() if path.suffix in {".py", ".json"}]
    for name in (*shared, "pyproject.toml"):
        shutil.copy(ROOT / name, root / name)
    (root / "tests" / "house").mkdir()
    shutil.copy(ROOT / "tests" / "house" / "test_typing.py", root / "tests" / "house" / "test_typing.py")
    shutil.copytree(ROOT / "tests" / "typing", root / "tests" / "typing")
    for name, where, block in BLOCKS:
        path = root / name
        path.write_text(put(path.read_text(encoding="utf-8"), where, block), encoding="utf-8")
    done = run(root, "-c", GOLDEN)
    assert done.returncode == 0, done.stderr
    return root


def run(root, *words, **more):
    """What Python does in the copy."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(root), str(root / "tests")]), **more}
    command = [sys.executable, *words]
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)


def test_an_operation_is_two_places_and_a_method_one_line():
    assert {name for name, _, _ in BLOCKS} == {
        "minitorch/ops/arithmetic.py",
        "tests/op_table/arithmetic.py",
        "minitorch/_tensor.py",
    }
    assert not any("logaddexp2" in (ROOT / name).read_text(encoding="utf-8") for name, _, _ in BLOCKS)


@pytest.mark.gate
def test_the_commands_of_the_page_pass(copy):
    written = run(copy, "-m", "pytest", "-q", "tests/test_numpy_protocol.py", "-k", "page", MINITORCH_WRITE_GOLDEN="1")
    assert written.returncode == 0, written.stdout
    assert "| `np.logaddexp2` | `minitorch.logaddexp2` |" in (copy / "docs" / "numpy.md").read_text(encoding="utf-8")
    commands = [line.split() for line in re.findall(r"^    pytest (tests/.*)$", PAGE, re.MULTILINE)]
    assert len(commands) == 2
    not_here = ("-k", "not type_checker and not promised")  # mypy reads the whole package, and the list is PyTorch's
    for words in [commands[0], [*commands[1], *not_here]]:
        done = run(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words)
        assert done.returncode == 0, done.stdout
        assert re.search(r"\d+ passed", done.stdout)


def test_the_operation_is_everywhere(copy):
    program = """
import inspect, numpy as np, minitorch as mt
from minitorch.viz.facts.formulas import STRETCHING, formula
x = mt.Tensor([1.0, 2.0], requires_grad=True)
print(mt.logaddexp2(x, 0.0)._op, x.logaddexp2(0.0)._op, np.logaddexp2(x, 0.0)._op, "logaddexp2" in STRETCHING)
print(inspect.signature(mt.logaddexp2))
"""
    done = run(copy, "-c", program)
    assert done.stdout.splitlines() == [
        "logaddexp2 logaddexp2 logaddexp2 True",
        "(input: 'TensorLike', other: 'TensorLike') -> 'Tensor'",
    ], done.stderr


def test_what_the_page_names_exists():
    named = set(re.findall(r"`((?:minitorch|tests|docs|scripts)/[\w/.]+)`", PAGE))
    assert len(named) > 8
    assert [name for name in named if not (ROOT / name).exists()] == []
    sources = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "minitorch" / "ops").glob("*.py"))
    for name in ("picking", "replacing", "norming", "answers", "accepts_numpy_names", "sizes_in_a_row", "_cat"):
        assert f"`{name}" in PAGE or f"@{name}" in PAGE
        assert f"def {name}(" in sources
