"""The pages of the interface: what each module offers in its `__all__`, and nothing that it keeps to itself."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType

from minitorch.nn import Module

# In the order in which somebody meets them. minitorch.bridge is not there: it cannot be imported without PyTorch.
MODULES = (
    "minitorch",
    "minitorch.scalar",
    "minitorch.linalg",
    "minitorch.nn",
    "minitorch.nn.functional",
    "minitorch.nn.init",
    "minitorch.nn.utils",
    "minitorch.optim",
    "minitorch.optim.lr_scheduler",
    "minitorch.data",
    "minitorch.train",
    "minitorch.serialization",
    "minitorch.replay",
    "minitorch.graph",
    "minitorch.viz",
    "minitorch.course",
)
INTRODUCTION = """\
The interface
=============

Everything that minitorch offers by name, and nothing else. Names and arguments are PyTorch's wherever PyTorch has them.
The operations of ``minitorch`` are methods of Tensor, too: ``x.sum(dim=0)`` is ``minitorch.sum(x, dim=0)``.
``minitorch.bridge``, which records models of PyTorch, is left out: it can only be read where PyTorch is installed.

"""


def write(folder: Path) -> None:
    """Write a page for each module, for `minitorch` one for each file of operations, and one that leads to all."""
    folder.mkdir(parents=True)
    entries = []
    for name in MODULES:
        module = importlib.import_module(name)
        pages = dict(_of_the_face(module)) if name == "minitorch" else {name: (_first_line(module), module.__all__)}
        for title, (about, names) in pages.items():
            page = f"{title.replace(': ', '.').replace(' ', '_')}"
            (folder / f"{page}.rst").write_text(_page(title, about, name, names), encoding="utf-8")
            entries.append((page, about))
    lines = [INTRODUCTION, *(f"- :doc:`{page}`: {about}" for page, about in entries), ""]
    lines += [".. toctree::", "   :hidden:", "", *(f"   {page}" for page, _ in entries), ""]
    (folder / "index.rst").write_text("\n".join(lines), encoding="utf-8")


def _of_the_face(module: ModuleType) -> Iterator[tuple[str, tuple[str, list[str]]]]:
    """Title -> what it is about, and its names: Tensor and gradients first, then a page for each family."""
    groups: dict[str, list[str]] = {}
    homes: dict[str, str] = {}
    for name in module.__all__:
        thing = getattr(module, name)
        home = getattr(thing, "__module__", "")
        if inspect.ismodule(thing):
            continue
        family = home.rpartition(".")[2] if home.startswith(("minitorch.ops.", "minitorch.compat.ops.")) else ""
        homes.setdefault(family, home)  # the core's file, whose names come first, where compat has one of that name
        groups.setdefault(family, []).append(name)
    about = "Tensor, the scopes in which nothing is recorded, gradients of gradients, and the dtypes."
    yield "minitorch", (about, groups.pop(""))
    for name in sorted(groups):
        also = " functions" * (f"minitorch.{name}" in MODULES)  # a module of that name has a page of its own
        yield f"minitorch: {name}{also}", (_first_line(importlib.import_module(homes[name])), groups[name])


def _first_line(module: ModuleType) -> str:
    said = (module.__doc__ or "").partition("\n")[0]
    return said.partition(" (")[0].replace("`", "``")


def _page(title: str, about: str, name: str, names: Iterable[str]) -> str:
    module = importlib.import_module(name)
    lines = [title, "=" * len(title), "", about, "", f".. currentmodule:: {name}", ""]
    for each in names:
        lines += [*_directive(each, getattr(module, each)), ""]
    return "\n".join(lines)


def _directive(name: str, thing: object) -> list[str]:
    if inspect.ismodule(thing):
        return []
    if inspect.isclass(thing):
        # The members of a class stand there, and those of its bases before these: layers share a private base.
        own = [each.__name__ for each in Module.__mro__[:-1]]
        last = "object" if name == "Tensor" else ", ".join(own) if issubclass(thing, Module) and name not in own else ""
        inherited = [f"   :inherited-members: {last}"] if last else []
        return [f".. autoclass:: {name}", "   :members:", *inherited]
    if callable(thing):
        return [f".. autofunction:: {name}"]
    return [f".. py:data:: {name}", "", f"   ``{thing!r}``"]
