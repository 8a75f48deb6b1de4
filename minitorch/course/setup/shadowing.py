"""Files of the learner's that have a module's name: Python finds them first, and what imports the module breaks.

In a notebook the notebook's folder comes behind the standard library and before all installed packages; in a program
its own folder comes first of all, and so does the current folder of `python -m`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.machinery import BuiltinImporter, FrozenImporter
from pathlib import Path

from minitorch.language import N_

OWN = Path(__file__).resolve().parents[2]  # minitorch itself, in a checkout
# What the course imports, and what comes with the kernel and is imported late.
PACKAGES = frozenset(
    {
        "IPython",
        "anywidget",
        "click",
        "cupy",
        "graphviz",
        "ipykernel",
        "ipywidgets",
        "jupyter_client",
        "jupyter_core",
        "jupyterlab",
        "jupyterlab_server",
        "matplotlib",
        "minitorch",
        "nbclient",
        "nbval",
        "nbformat",
        "numpy",
        "prompt_toolkit",
        "pytest",
        "resvg_py",
        "rich",
        "rustworkx",
        "threadpoolctl",
        "torch",
        "tqdm",
        "traitlets",
        "watchfiles",
        "zmq",
    }
)

HIDES = N_(
    "{file} hides the package {name} from every notebook and program beside it: rename it, and restart the kernels"
)


def hiding(folder: Path, names: frozenset[str] = PACKAGES) -> Iterator[tuple[Path, str]]:
    """Yield what lies in a folder and hides one of these modules, and the module's name; not minitorch itself."""
    for path in sorted(folder.glob("*")):
        is_module = path.suffix == ".py" and path.is_file()
        name = path.stem if is_module else path.name
        hides = name in names and (is_module or (path / "__init__.py").is_file())
        if hides and path.resolve() != OWN:
            yield path, name


def modules() -> frozenset[str]:
    """The modules of the standard library that a file can hide: Python finds some of them before it looks at files."""
    found_first = (BuiltinImporter, FrozenImporter)
    return frozenset(
        name for name in sys.stdlib_module_names if not any(finder.find_spec(name) for finder in found_first)
    )


def shown(path: Path, course: Path) -> str:
    """The name of what hides a module, as seen from the course folder; a package's ends in a slash."""
    inside = path.relative_to(course) if path.is_relative_to(course) else path
    return f"{inside.as_posix()}/" if path.is_dir() else inside.as_posix()
