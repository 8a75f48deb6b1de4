"""Rare names are imported when first asked for, and modules that moved are found by their old names."""

import copy
import importlib
import importlib.machinery
import subprocess
import sys
from pathlib import Path

import pytest

import minitorch
from minitorch import nn, optim
from minitorch.moved import NEW_NAMES

LATE = """
import sys, minitorch, minitorch.nn, minitorch.optim
loaded = lambda: sorted(name for name in sys.modules if name.startswith("minitorch.compat"))
assert loaded() == [], loaded()
minitorch.nn.CTCLoss()
assert "minitorch.compat.nn.loss" in loaded() and "minitorch.compat.ops.bessel" not in loaded()
"""


def test_nothing_rare_is_imported_before_it_is_asked_for():
    subprocess.run([sys.executable, "-c", LATE], check=True)


def test_an_old_name_is_the_very_module_of_the_new_one_and_no_file_stands_there():
    for old, named in NEW_NAMES.items():
        new = importlib.import_module(named)
        spec = copy.copy(new.__spec__.__dict__)
        sys.modules.pop(old, None)  # imported by another test, perhaps
        assert importlib.import_module(old) is new
        assert (new.__name__, new.__spec__.name) == (named, named)
        assert new.__spec__.__dict__ == spec
        folder = Path(minitorch.__file__).parent.joinpath(*old.split(".")[1:-1])
        assert importlib.machinery.PathFinder.find_spec(old, [str(folder)]) is None


@pytest.mark.parametrize("name", ["accelerator", "backends", "cuda", "distributions", "signal", "utils"])
def test_a_package_that_moved_is_the_same_under_both_names(name):
    new = importlib.import_module(f"minitorch.compat.{name}")
    assert importlib.import_module(f"minitorch.{name}") is getattr(minitorch, name) is new
    assert new.__spec__.name == f"minitorch.compat.{name}"


@pytest.mark.parametrize("folder", ["backends", "cuda", "distributions", "signal", "utils"])
def test_a_type_checker_finds_each_module_of_a_package_that_moved(folder):
    package = Path(minitorch.__file__).parent
    stubs = {path.stem for path in (package / folder).glob("*.pyi")}
    assert stubs == {path.stem for path in (package / "compat" / folder).glob("*.py")} - {"__init__"}


def test_a_function_is_found_though_a_module_of_its_name_moved():
    importlib.import_module("minitorch.nn.unfold")
    assert callable(nn.functional.unfold)
    assert callable(nn.functional.fold)


@pytest.mark.parametrize(
    ("module", "name"),
    [(minitorch, "lgamma"), (nn, "CTCLoss"), (nn.functional, "ctc_loss"), (optim, "Rprop"), (nn.utils, "weight_norm")],
)
def test_a_rare_name_is_completed_in_an_editor(module, name):
    assert name in dir(module)
    assert getattr(module, name).__name__ == name


@pytest.mark.parametrize(
    ("module", "wrong", "right"),
    [(nn, "CTCLos", "CTCLoss"), (optim, "RProp", "Rprop"), (minitorch.linalg, "slogdett", "slogdet")],
)
def test_a_misspelt_rare_name_is_answered_with_the_right_one(module, wrong, right):
    public = module.__name__.replace(".compat", "")
    with pytest.raises(AttributeError, match=rf"^module '{public}' has no attribute '{wrong}': did you mean '{right}'"):
        getattr(module, wrong)


def test_a_misspelt_module_is_not_found():
    with pytest.raises(ModuleNotFoundError, match=r"minitorch\.nn\.adaptive_pol"):
        importlib.import_module("minitorch.nn.adaptive_pol")
