"""nn.functional: where its functions stand, and what they say of themselves."""

import inspect
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minitorch
from minitorch import Tensor, nn
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
    assert functional.sigmoid is minitorch.sigmoid


NO_LAYERS = {
    "Buffer",
    "Module",
    "ModuleDict",
    "ModuleList",
    "Parameter",
    "ParameterDict",
    "ParameterList",
    "Sequential",
}


def test_every_function_and_every_layer_says_which_shapes_it_makes_of_which() -> None:
    said = {name: (inspect.getdoc(getattr(functional, name)) or "").partition(">>>")[0] for name in functional.__all__}
    assert [name for name, text in said.items() if not re.search(r"\).* → (\(|the same)", text)] == []
    layers = [name for name in nn.__all__ if name[0].isupper() and name not in NO_LAYERS]
    said = {name: (inspect.getdoc(getattr(nn, name)) or "").partition(">>>")[0] for name in layers}
    assert [name for name, text in said.items() if "→ " not in text] == []


def test_the_gradient_of_softsign_is_nan_where_its_value_is() -> None:
    """As in PyTorch, which subtracts two quotients that are both infinite over infinite."""
    x = Tensor([np.inf, -np.inf, np.nan, 1.0, -3.0], requires_grad=True)
    with np.errstate(invalid="ignore"):
        out = functional.softsign(x)
        out.backward(np.ones(5, np.float32))
    np.testing.assert_array_equal(out.data, [np.nan, np.nan, np.nan, 0.5, -0.75])
    np.testing.assert_array_equal(x.grad, [np.nan, np.nan, np.nan, 0.25, 1 / 16])


@pytest.mark.parametrize(("name", "like"), [("conv1d", "conv2d"), ("conv3d", "conv2d"), ("max_pool3d", "max_pool2d")])
def test_a_function_of_other_axes_has_its_own_name_and_the_same_parameters(name: str, like: str) -> None:
    function = getattr(functional, name)
    assert (function.__name__, function.__code__.co_name) == (name, name)
    assert inspect.signature(function) == inspect.signature(getattr(functional, like))
    with pytest.raises(TypeError, match=rf"^{name}\(\) missing 2 required positional arguments: 'input'"):
        function()


@pytest.mark.parametrize(
    ("module", "name"), [(nn.conv, "ConvTranspose2d"), (nn.norm, "GroupNorm"), (functional.conv, "conv1d")]
)
def test_a_module_has_the_rare_names_that_its_mirror_in_compat_holds(module: Any, name: str) -> None:
    assert getattr(module, name).__module__ == module.__name__.replace("minitorch", "minitorch.compat")
    assert name in dir(module)
    with pytest.raises(AttributeError, match=f"did you mean '{name}'"):
        getattr(module, f"{name}x")
