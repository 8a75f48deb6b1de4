"""Every example in a docstring of the engine is true. They use `Tensor` and `np` without importing them."""

import doctest
import importlib.util
import pkgutil
import types

import numpy as np
import pytest

import minitorch
import minitorch.autograd
import minitorch.nn
import minitorch.ops

PACKAGES = (
    *("minitorch.autograd", "minitorch.nn", "minitorch.nn.functional", "minitorch.ops", "minitorch.optim"),
    *("minitorch.optim.lr_scheduler", "minitorch.serialization"),
    *("minitorch.data", "minitorch.train", "minitorch.graph"),
    *("minitorch.compat", "minitorch.compat.distributions", "minitorch.compat.backends", "minitorch.compat.ops"),
    *("minitorch.compat.nn", "minitorch.compat.nn.functional", "minitorch.compat.nn.utils"),
    *("minitorch.compat.optim", "minitorch.compat.optim.lr_scheduler"),
)
MODULES = [
    "minitorch.backend",
    "minitorch.serialization",
    "minitorch._tensor",
    "minitorch.scalar",
    "minitorch.types",
] + [
    f"{package}.{module.name}"
    for package in PACKAGES
    for module in pkgutil.iter_modules(importlib.import_module(package).__path__)
]


def examples() -> dict[str, list[doctest.DocTest]]:
    """The docstrings with examples of each module, of its attributes too (operations are not functions)."""
    finder = doctest.DocTestFinder(exclude_empty=True)
    parser = doctest.DocTestParser()
    found: dict[str, doctest.DocTest] = {}
    of: dict[str, list[doctest.DocTest]] = {}
    for name in MODULES:
        before = len(found)
        module = importlib.import_module(name)
        names = {"Tensor": minitorch.Tensor, "np": np, **vars(module)}
        for test in finder.find(module, name, globs=names):
            if test.examples:
                found.setdefault(test.name, test)
        for attribute, value in vars(module).items():
            if hasattr(value, "declaration") and value.__module__ == name and value.__doc__:
                test = parser.get_doctest(value.__doc__, names, f"{name}.{attribute}", name, 0)
                if test.examples:
                    found.setdefault(test.name, test)
        if new := list(found.values())[before:]:
            of[name] = new
    return of


EXAMPLES = examples()


@pytest.mark.parametrize("module", EXAMPLES)
def test_examples(module: str) -> None:
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    without_scipy = importlib.util.find_spec("scipy") is None
    for example in EXAMPLES[module]:
        told: list[str] = []
        runner.run(example, out=told.append, clear_globs=False)
        if not (without_scipy and "needs SciPy" in "".join(told)):
            said += told
    assert not said, "".join(said)


def test_every_operation_has_an_example() -> None:
    shown = {example.name.rsplit(".", 1)[-1] for each in EXAMPLES.values() for example in each}
    operations = {
        getattr(module, name).__name__  # an alias is shown under its first name
        for module in (minitorch, minitorch.linalg, minitorch.nn.functional)
        for name in module.__all__
        if getattr(getattr(module, name), "__module__", "").startswith(
            ("minitorch.ops", "minitorch.nn", "minitorch.compat")
        )
        if not isinstance(getattr(module, name), type)
    }
    table = {name for name, each in vars(minitorch.ops.unary).items() if isinstance(each, types.FunctionType)}
    table = {name for name in table & operations if ">>>" not in str(getattr(minitorch, name).__doc__)}
    assert operations - shown == table  # rows of the one table: a line of mathematics each, and the op table's cases
    assert len(table) >= 25
    assert {"cross_entropy", "getitem", "gradcheck", "no_grad", "enable_grad", "primitive", "Tensor"} <= shown
