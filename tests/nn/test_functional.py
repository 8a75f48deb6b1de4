"""nn.functional: where its functions stand, and what they say of themselves."""

import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import minitorch
from minitorch import nn
from minitorch.nn import functional

NN = Path(nn.__file__).parent
ONLY_FUNCTIONS = {"unfold"}  # no layer does this


def words(folder: Path) -> set[str]:
    return {path.stem for path in folder.glob("*.py") if not path.stem.startswith("_")}


def test_a_layer_and_its_function_stand_in_files_of_one_name() -> None:
    assert words(NN / "functional") - ONLY_FUNCTIONS <= words(NN)


@pytest.mark.parametrize("place", ["", "functional"])
def test_the_map_in_the_docstring_names_every_file(place: str) -> None:
    said = inspect.getdoc(functional if place else nn) or ""
    files = {path.stem for path in (NN / place).glob("*.py")} - {"__init__", "_sizes"}
    assert files - set(re.findall(r"\w+", said)) == set()


def test_a_function_that_is_called_as_its_file_is_the_function_whoever_imports_what() -> None:
    program = (
        "import minitorch.nn.functional.linear, minitorch.nn.functional.dropout\n"
        "import minitorch.nn.functional.embedding, minitorch.nn.functional.unfold\n"
        "from minitorch.nn import functional\n"
        "print([name for name in functional.__all__ if not callable(getattr(functional, name))])"
    )
    assert subprocess.check_output([sys.executable, "-c", program], text=True).strip() == "[]"
    assert functional.relu is minitorch.relu
