"""`import minitorch` stays light, and imports run one way: course → viz → graph → nn, optim, data → engine."""

import ast
import json
import platform
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "minitorch"
HEAVY = ("torch", "cupy", "jupyter", "IPython", "ipywidgets", "matplotlib", "pytest")
HEAVY += ("anywidget", "graphviz", "click", "rich", "rustworkx", "jupyterlab", "jupyter_core", "jupyter_client")
LAYERS = {"__main__": 5, "course": 5, "viz": 4, "graph": 3, "bridge": 3, "train": 2}
LAYERS |= dict.fromkeys(("nn", "optim", "data", "serialization"), 1)  # all others are the engine
MODULES = sorted(
    path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py" and "lessons" not in path.parts
)


def test_import_minitorch_loads_nothing_that_it_does_not_need():
    program = "import json, sys, minitorch; print(json.dumps(sorted(sys.modules)))"
    loaded = json.loads(subprocess.check_output([sys.executable, "-c", program], text=True))
    assert [name for name in loaded if name.split(".")[0] in HEAVY] == []
    assert [name for name in loaded if name.startswith(("minitorch.viz", "minitorch.course"))] == []


@pytest.mark.skipif(sys.platform != "linux", reason="reads Linux's account of memory")
def test_import_minitorch_needs_no_room_that_it_does_not_use():
    """In an address space of 24 MB more than NumPy alone takes (`ulimit -v`)."""
    program = (
        "import resource, numpy, rustworkx\n"
        "pages = int(open('/proc/self/statm').read().split()[0])\n"
        "room = pages * resource.getpagesize() + (24 << 20)\n"
        "resource.setrlimit(resource.RLIMIT_AS, (room, room))\n"
        "import minitorch"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stderr == ""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="glibc's malloc and its thresholds")
@pytest.mark.parametrize("optimiser", [True, False])
def test_a_training_process_keeps_its_memory_and_no_other_process_is_touched(optimiser):
    """Two blocks of 8 MB, taken and freed again and again: pages come anew each time, unless an optimiser was made."""
    program = (
        "import gc, resource, sys, numpy as np, minitorch as mt\n"
        "if sys.argv[1] == 'True':\n"
        "    mt.optim.SGD([mt.Tensor([1.0], requires_grad=True)], lr=0.1)\n"
        "def step(): blocks = [np.ones(1 << 20), np.ones(1 << 20)]\n"
        "def faults(): return resource.getrusage(resource.RUSAGE_SELF).ru_minflt\n"
        "step(); before = faults()\n"
        "for _ in range(10): step()\n"
        "print(faults() - before)"
    )
    words = [sys.executable, "-c", program, str(optimiser)]
    faults = int(subprocess.check_output(words, text=True))
    assert (faults < 1000) == optimiser


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_imports_run_one_way(path):
    own = layer(path.relative_to(PACKAGE).with_suffix("").parts)
    wrong = [name for name in imported(path) if layer(name.split(".")[1:]) > own]
    assert wrong == []


def layer(parts):
    return LAYERS.get(parts[0], 0) if parts else 0


def imported(path: Path) -> list[str]:
    """Return the full names of our own modules that a file imports, inside functions too."""
    package = ["minitorch", *path.relative_to(PACKAGE).parent.parts]
    names = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            names += [f"{module}.{alias.name}" for alias in node.names]
    return [name for name in names if name.split(".")[0] == "minitorch"]


def test_the_one_way_test_sees_a_wrong_import(tmp_path, monkeypatch):
    wrong = tmp_path / "autograd" / "node.py"
    wrong.parent.mkdir()
    wrong.write_text("def draw():\n    from minitorch import viz\n    from ..course import check\n")
    monkeypatch.setattr(sys.modules[__name__], "PACKAGE", tmp_path)
    assert imported(wrong) == ["minitorch.viz", "minitorch.course.check"]
    with pytest.raises(AssertionError):
        test_imports_run_one_way(wrong)


SURROUNDINGS = """
import os, signal, sys, threading, warnings
import numpy as np

def seen():
    handlers = [signal.getsignal(each) for each in signal.valid_signals()]
    return [dict(os.environ), list(warnings.filters), np.geterr(), handlers, threading.active_count(), sys.path[:]]

before = seen()
import minitorch
assert seen() == before
"""


def test_import_minitorch_changes_nothing_around_it():
    subprocess.run([sys.executable, "-c", SURROUNDINGS], check=True)
