"""Cards that answer a press: a small widget that shows pieces of HTML and tells which button was pressed.

A notebook gets two outputs. The first is the card by itself, plain HTML, which a page can show when no kernel runs: in
a file that was saved, on a code host. The second is the widget, which takes the place of the first while it lives. When
the file is reopened, JupyterLab finds no model for it and would say so: the card hides what does not live below it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.resources import files
from typing import Any

from minitorch.course.cards.report import Card

Parts = Sequence[tuple[str, str]]  # (name, HTML); "said" and "hint" are read aloud when they change
STILL = "minitorch-still"
# What JupyterLab draws of any other output says its MIME type; live.js gives its own the class.
_HIDE_STALE = (
    f".jp-OutputArea-child:has(.{STILL})"
    "+.jp-OutputArea-child:not(:has([data-mime-type],.minitorch-live)){display:none}"
)


class Live:
    """A widget and the card that is kept beside it. Raises ImportError when anywidget is missing.

    heard: is told what a button says, `data-say="..."`. replies: what to show at once for it, where that is known.
    words: what stands for the widget on a page that has none.
    """

    def __init__(
        self,
        card: Card,
        parts: Parts,
        heard: Callable[[str], None],
        *,
        words: str,
        replies: Mapping[str, Parts] | None = None,
    ) -> None:
        anywidget: Any = import_module("anywidget")
        traits: Any = import_module("traitlets")
        self._page: Any = import_module("IPython.display")
        kinds = {"parts": traits.List().tag(sync=True), "replies": traits.Dict().tag(sync=True)}
        looks = {"_esm": _static("live.js"), "_css": _static("live.css"), "__module__": __name__}
        made = type("LiveCard", (anywidget.AnyWidget,), looks | kinds)
        given = {say: _plain(reply) for say, reply in (replies or {}).items()}
        self.widget = made(parts=_plain(parts), replies=given)
        self.widget.on_msg(lambda _widget, content, _buffers: heard(content["say"]))
        self._card, self._words = card, words
        self._still = self._page.DisplayHandle()
        self._shown = False

    def update(self, card: Card, parts: Parts | None = None) -> None:
        """Show something else, in the widget and in the notebook."""
        self._card = card
        if parts is not None:
            self.widget.parts = _plain(parts)
        if self._shown:
            self._still.update(_kept(card))

    def show(self) -> None:
        """Publish the card and the widget into the cell that is running."""
        self._still.display(_kept(self._card))
        bundle = self.widget._repr_mimebundle_()
        data = bundle[0] if isinstance(bundle, tuple) else bundle
        self._page.display({**(data or {}), "text/plain": self._words}, raw=True)
        self._shown = True


def _plain(parts: Parts) -> list[list[str]]:
    return [list(each) for each in parts]


def _kept(card: Card) -> Card:
    return Card(f'<div class="{STILL}"><style>{_HIDE_STALE}</style>{card.html}</div>', card.text)


def _static(name: str) -> str:
    return files("minitorch.course.cards").joinpath("static", name).read_text(encoding="utf-8")
