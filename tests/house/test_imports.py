"""`import minitorch` stays light and changes nothing around it. Which room may import from which: test_rooms.py."""

import json
import platform
import subprocess
import sys

import pytest

PROGRAM = """
import json, sys

before = set(sys.modules)
import {name}
print(json.dumps(sorted(set(sys.modules) - before)))
"""


def loaded(name):
    """Return the modules that importing one loads."""
    return json.loads(subprocess.check_output([sys.executable, "-c", PROGRAM.format(name=name)], text=True))


@pytest.mark.parametrize(("name", "packages"), [("minitorch", {"numpy"}), ("minitorch.graph", {"numpy", "rustworkx"})])
def test_an_import_loads_numpy_alone_and_the_graph_store_rustworkx_too(name, packages):
    found = loaded(name)
    assert {each.partition(".")[0] for each in found} - sys.stdlib_module_names - {"minitorch"} == packages
    assert [each for each in found if each.startswith(("minitorch.viz", "minitorch.course"))] == []


@pytest.mark.skipif(sys.platform != "linux", reason="reads Linux's account of memory")
def test_import_minitorch_needs_no_room_that_it_does_not_use():
    """In an address space of 24 MB more than NumPy alone takes (`ulimit -v`)."""
    program = (
        "import resource, numpy\n"
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


SURROUNDINGS = """
import os, signal, sys, threading, warnings
import numpy as np

def seen():
    handlers = [signal.getsignal(each) for each in signal.valid_signals()]
    return [dict(os.environ), list(warnings.filters), np.geterr(), handlers, threading.active_count(), sys.path[:]]

before = seen()
import minitorch
after = seen()
action, located, *rest = after[1].pop(0)
assert (action, type(located).__module__, *rest) == ("ignore", "minitorch.callers", RuntimeWarning, None, 0)
assert after == before
"""


def test_import_minitorch_changes_nothing_around_it_but_that_numpys_warnings_are_located():
    subprocess.run([sys.executable, "-c", SURROUNDINGS], check=True)
