"""`import minitorch` stays light. Which room may import from which is in test_rooms.py."""

import json
import subprocess
import sys

HEAVY = ("torch", "cupy", "jupyter", "IPython", "ipywidgets", "matplotlib", "pytest")
HEAVY += ("anywidget", "graphviz", "click", "rich", "rustworkx", "jupyterlab", "jupyter_core", "jupyter_client")


def test_import_minitorch_loads_nothing_that_it_does_not_need():
    program = "import json, sys, minitorch; print(json.dumps(sorted(sys.modules)))"
    loaded = json.loads(subprocess.check_output([sys.executable, "-c", program], text=True))
    assert [name for name in loaded if name.split(".")[0] in HEAVY] == []
    assert [name for name in loaded if name.startswith(("minitorch.viz", "minitorch.course"))] == []
