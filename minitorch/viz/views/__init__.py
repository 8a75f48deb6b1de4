"""Views: one file for each function of `minitorch.viz`, with what it gives back.

    picture    Picture, which has every form once: text, SVG, HTML, DOT, files, notebooks; MovingPicture, with a player
    film       Film: pictures that are drawn ahead, step by step
    reprs      what a notebook shows of a Tensor, a module and a History
    health     the graph of a training's loss with figures of the training, which a board gives
    rearranging            transpose, reshape and getitem, which are one kind of picture
    graph      and every other file: the view of that name

A file with `__all__` is a view: `minitorch.viz` offers what that names. docs/adding-a-view.md shows how to write one.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Any


def public() -> dict[str, Any]:
    """What the views offer: name → function or class."""
    found: dict[str, Any] = {}
    for file in iter_modules(__path__):
        module = import_module(f"{__name__}.{file.name}")
        found |= {name: getattr(module, name) for name in getattr(module, "__all__", ())}
    return found
