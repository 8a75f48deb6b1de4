"""Old names of modules that moved, most of them to `minitorch.compat`: imports and pickles find them."""

from __future__ import annotations

import functools
import importlib
import importlib.abc
import importlib.machinery
import sys
from collections.abc import Sequence
from types import ModuleType

# The package, and the modules of it that moved to the package of that name in `minitorch.compat`.
MOVED = {
    "autograd": "anomaly functional",
    "backends": "cuda cudnn mps",
    "cuda": "amp",
    "distributions": "constraints continuous discrete distribution kl mixture multivariate",
    "ops": """aliases bessel combining einsum elementwise equations factors further_products gamma gather_scatter linalg
        lu matrices normal_curve polynomials quantiles running scattering statistics vectors windows""",
    "nn": """_recurrence adaptive_pool adaptive_softmax cells class_margins ctc lazy margins mean_pool padding pixels
        rectifier recurrent resize shrink similarity unfold""",
    "nn.functional": """adaptive_pool class_margins ctc margins mean_pool padding pixels rectifier resize shrink
        similarity""",
    "nn.utils": "normed_weights parametrizations parametrize rnn",
    "optim": "adafactor adagrad adaptive asgd muon rprop swa_utils",
    "optim.lr_scheduler": "cyclic one_cycle plateau sequential",
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
    "minitorch.compat.nn.decoder": "minitorch.compat.nn.transformer",
    "minitorch.nn._hooks": "minitorch.nn._hook_mixin",
    "minitorch.nn._owned": "minitorch.nn._registry_view",
    "minitorch.nn._tree": "minitorch.nn._module_base",
    "minitorch.nn.decoder": "minitorch.compat.nn.transformer",
    "minitorch.nn.packed": "minitorch.compat.nn.utils.rnn",
    "minitorch.ops._brackets": "minitorch.ops.indexing",
    "minitorch.programs": "minitorch.compat.programs",
    "minitorch.rare": "minitorch.lazy_imports",
    "minitorch.rare_methods": "minitorch.lazy_methods",
}

# A module of which some names moved, and the module of `minitorch.compat` that has them.
SPLIT = {
    "autograd": "autograd.anomaly",
    "autograd.checkpoint": "autograd.checkpoint",
    "ops": "ops",
    "ops.arithmetic": "ops.arithmetic",
    "ops.joining": "ops.combining",
    "ops.movement": "ops.rearrange",
    "ops.norms": "ops.norms",
    "ops.random": "ops.random",
    "ops.rearrange": "ops.rearrange",
    "ops.sort": "ops.sort",
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
    The modules of `SPLIT` find the names that moved from them.
    """
    if not any(isinstance(finder, _MovedModules) for finder in sys.meta_path):
        sys.meta_path.insert(0, _MovedModules())
    for old, new in SPLIT.items():
        vars(sys.modules[f"minitorch.{old}"])["__getattr__"] = functools.partial(_moved_attribute, old, new)


def _moved_attribute(old: str, new: str, name: str) -> object:
    """Return a module of a package that moved, or a name of a module that did."""
    if f"minitorch.{old}.{name}" in NEW_NAMES:
        return importlib.import_module(f"minitorch.{old}.{name}")
    if not name.startswith("__") and hasattr(module := importlib.import_module(f"minitorch.compat.{new}"), name):
        return getattr(module, name)
    raise AttributeError(f"module 'minitorch.{old}' has no attribute {name!r}")
