"""Old names of modules that moved, most of them to `minitorch.compat`: imports and pickles find them."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import sys
from collections.abc import Callable, Sequence
from types import ModuleType

from minitorch.absent import not_found

# The package, and the modules of it that moved to the package of that name in `minitorch.compat`.
MOVED = {
    "autograd": "anomaly functional",
    "backends": "cuda cudnn mps",
    "cuda": "amp",
    "distributions": "constraints continuous discrete distribution kl mixture multivariate",
    "ops": """aliases bessel combining einsum elementwise equations factors further_products gamma gather_scatter linalg
        matrices normal_curve polynomials running scattering statistics vectors windows""",
    "nn": "_recurrence adaptive_softmax lazy padding recurrent resize unfold",
    "nn.functional": "ctc padding resize",
    "nn.utils": "normed_weights parametrizations parametrize rnn",
    "optim": "adafactor adaptive muon swa_utils",
    "optim.lr_scheduler": "cyclic sequential",
    "signal": "windows",
    "utils": "checkpoint data",
}
NEW_NAMES = {
    f"minitorch.{package}.{name}": f"minitorch.compat.{package}.{name}"
    for package, names in MOVED.items()
    for name in names.split()
} | {
    "minitorch.autograd.formula": "minitorch.ops.formula",
    "minitorch.autograd.telling": "minitorch.autograd.backward_observer",
    "minitorch.compat.ops.lu": "minitorch.compat.ops.factors",
    "minitorch.compat.ops.quantiles": "minitorch.compat.ops.statistics",
    "minitorch.compat.nn.decoder": "minitorch.compat.nn.transformer",
    "minitorch.compat.optim.lr_scheduler.one_cycle": "minitorch.optim.lr_scheduler.one_cycle",
    "minitorch.nn._hooks": "minitorch.nn._hook_mixin",
    "minitorch.nn._owned": "minitorch.nn._registry_view",
    "minitorch.nn._tree": "minitorch.nn._module_base",
    "minitorch.nn.decoder": "minitorch.compat.nn.transformer",
    "minitorch.nn.packed": "minitorch.compat.nn.utils.rnn",
    "minitorch.ops.lu": "minitorch.compat.ops.factors",
    "minitorch.ops.quantiles": "minitorch.compat.ops.statistics",
    "minitorch.ops._brackets": "minitorch.ops.indexing",
    "minitorch.programs": "minitorch.compat.programs",
    "minitorch.rare": "minitorch.lazy_imports",
    "minitorch.rare_methods": "minitorch.lazy_methods",
}

# Modules that are part of another now; a module of the core finds the names of both.
JOINED = {
    "nn": {
        "activation": "rectifier shrink",
        "loss": "class_margins ctc margins similarity",
        "pool": "adaptive_pool mean_pool",
        "recurrent": "cells",
        "resize": "pixels",
    },
    "nn.functional": {
        "activation": "rectifier shrink",
        "loss": "class_margins margins",
        "norm": "similarity",
        "pool": "adaptive_pool mean_pool",
        "resize": "pixels",
    },
    "optim": {"adaptive": "adagrad asgd rprop"},
    "optim.lr_scheduler": {"cyclic": "warm_restarts", "sequential": "plateau"},
}
NEW_NAMES |= {
    f"minitorch.{room}{package}.{old}": NEW_NAMES.get(name := f"minitorch.{package}.{module}", name)
    for package, modules in JOINED.items()
    for module, olds in modules.items()
    for old in olds.split()
    for room in ("", "compat.")
}


class _MovedModules(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finder and loader of a module by its old name: it is the very module of the new one."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002 (the protocol of finders)
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> importlib.machinery.ModuleSpec | None:
        return importlib.machinery.ModuleSpec(fullname, self) if fullname in NEW_NAMES else None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        module = importlib.import_module(NEW_NAMES[spec.name])
        spec.loader_state = module.__spec__  # importlib is about to write `spec` over it
        return module

    def exec_module(self, module: ModuleType) -> None:
        assert module.__spec__ is not None
        module.__spec__ = module.__spec__.loader_state


def find_moved_modules() -> None:
    """Let imports find the modules of `NEW_NAMES`, before all other finders.

    `minitorch.distributions` is `minitorch.compat.distributions`: Python's own finder, which looks for `kl` in the
    folder of that package, would make a second module of the same file.
    """
    if not any(isinstance(finder, _MovedModules) for finder in sys.meta_path):
        sys.meta_path.insert(0, _MovedModules())


def moved_names(module: str, mirror: str = "") -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return the `__getattr__` and `__dir__` of a module some of whose names moved: programs and pickles find them.

    mirror: the module of `minitorch.compat` that has the names; without it, the one of the same path. A package finds
    its modules that moved, and the names of its `__all__`.
    """
    home = f"minitorch.compat.{mirror or module.removeprefix('minitorch.')}"

    def attribute(name: str) -> object:
        if f"{module}.{name}" in NEW_NAMES:
            return importlib.import_module(f"{module}.{name}")
        here = vars(sys.modules[module])
        # An import of a package's submodule asks the package for an attribute first: that must not import the mirror.
        may_be_rare = name in here.get("__all__", ()) if "__path__" in here else not name.startswith("__")
        rare = importlib.import_module(home) if may_be_rare else None
        if not hasattr(rare, name):
            raise not_found(f"module {module!r}", name, [*here, *getattr(rare, "__all__", ())])
        value = getattr(rare, name)
        here[name] = value  # found there the next time
        return value

    def names() -> list[str]:
        return sorted({*vars(sys.modules[module]), *getattr(importlib.import_module(home), "__all__", ())})

    return attribute, names
