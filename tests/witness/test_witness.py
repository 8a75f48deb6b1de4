"""The second edition's record: nothing that it holds is lost, and a loss is named."""

import copy
import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest
import witness

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "witness.py"


@pytest.fixture(scope="module")
def recorded():
    return witness.recorded()


@pytest.mark.gate
@pytest.mark.parametrize("part", witness.PARTS)
def test_nothing_differs_from_the_second_edition(part):
    if part == "types" and importlib.util.find_spec("mypy") is None:
        pytest.skip("mypy is among the tools of development, and is not installed")
    command = [sys.executable, str(SCRIPT), "compare", "--only", part]
    done = subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "0 differences from tests/witness/edition2.json.xz\n"), done.stderr


@pytest.mark.gate
def test_every_method_of_a_tensor_is_called(recorded):
    """But for memory that nobody has written, another device, and methods that are called by hand."""
    texts = "\n".join([*recorded["methods"]["calls"], *recorded["in_place"]])
    missing = {
        each for each in recorded["methods"]["parameters"] if not each.startswith("_") and f".{each}" not in texts
    }
    assert missing == {"cuda", "new_empty", "register_post_accumulate_grad_hook", "tensor_type"}


def only(entries, text):
    return {text: copy.deepcopy(entries[text])}


def test_another_value_is_named(recorded):
    was = only(recorded["in_place"], "m.clone().add_(n)")
    entry = was["m.clone().add_(n)"]
    entry["out"]["v"] = entry["out"]["v"].replace("2", "2.00001", 1)
    entry["grads"][0]["dtype"] = "float32"
    found = list(witness.PARTS["in_place"][1](was))
    assert found == ["another value: m.clone().add_(n)", "another gradient: m.clone().add_(n)"]


def test_another_second_gradient_is_named(recorded):
    was = only(recorded["second"], "mt.exp(m)")
    was["mt.exp(m)"]["second"][0]["v"] = "nan" + was["mt.exp(m)"]["second"][0]["v"].lstrip("-.0123456789")
    assert list(witness.PARTS["second"][1](was)) == ["another second gradient: mt.exp(m)"]


def test_what_is_gone_is_named(recorded):
    was = {"calls": {"m.gone()": {"out": None}}, "parameters": {"gone": [], "exp": ["base"]}}
    *lines, last = witness.PARTS["methods"][1](was)
    assert lines == ["method gone: Tensor.gone", "parameters gone: Tensor.exp: base"]
    assert last.startswith("no result any more: m.gone(): AttributeError: ")
    text = "nn.Sigmoid() | (it(f), it.eval()(f))"
    lost = copy.deepcopy(recorded["pickles"]["objects"][text])
    lost["pickle"] = witness.base64.b64encode(b"cminitorch.nn\nGone\n.").decode()
    was = {"objects": {text: lost}, "places": {"minitorch.exp": "minitorch.gone exp"}}
    first, second = witness.PARTS["pickles"][1](was)
    assert first.startswith(f"no result any more: {text}: AttributeError: ")
    assert second == "a pickle finds no more: minitorch.exp, as minitorch.gone.exp"


def test_a_page_and_a_name_that_are_gone_are_named(recorded):
    was = {"pages": ["minitorch.gone.rst", "minitorch.nn.rst"], "names": ["minitorch.exp", "minitorch.gone"]}
    assert list(witness.PARTS["pages"][1](was)) == ["page gone: minitorch.gone.rst", "name gone: minitorch.gone"]
