"""Pictures: what every view gives back has the same forms, and each form is written here once.

A view says what it shows: its `title`, its drawing (`svg`), its lines of text (`_listing`) and the words that stand for
the drawing (`_told`). One that shows a graph says how DOT is to draw it, and one that moves what its player is given.
"""

from __future__ import annotations

import gc
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from minitorch.viz.drawing import html, pdf, png
from minitorch.viz.drawing.moments import Moment
from minitorch.viz.drawing.player import Player

DOT = (".gv", ".dot")  # the endings of a graph in the language of Graphviz
LINES = 200  # of text in a notebook; `.text()` has them all


class Picture(ABC):
    """A picture in several forms. A notebook shows it, with words for those who do not see it; a terminal, the listing.

    forms: the endings that `save` knows. Holds no tensors: it shows what was true when the picture was made.
    """

    forms: ClassVar[tuple[str, ...]] = (".svg", ".pdf", ".png", ".html", ".txt")

    @property
    @abstractmethod
    def title(self) -> str:
        """What the picture is called, on a page of its own."""

    @abstractmethod
    def svg(self) -> str:
        """An SVG document, the same bytes for the same facts; light or dark as the reader's system is."""

    @abstractmethod
    def _listing(self, limit: int | None) -> str:
        """The picture as text, of about `limit` lines at most."""

    @abstractmethod
    def _told(self) -> str:
        """The picture in words, for those who do not see it."""

    def moments(self) -> tuple[Moment, ...]:
        """What a lecture shows of it, one after another: here all at once."""
        return (Moment(self.svg(), "", self._told()),)

    def highlights(self) -> tuple[Moment, ...]:
        """Those of its moments that a lecture shows unless it is asked for all."""
        return self.moments()

    def text(self) -> str:
        """The picture as lines of text, with the same numbers."""
        return self._listing(None)

    def html(self, path: str | Path) -> Path:
        """Writes a page of its own that needs no network, light or dark as the reader's system is."""
        path = Path(path)
        path.write_bytes(self._page().encode())
        return path

    def dot(self) -> Any:
        """The graph as a `graphviz.Digraph`, to be laid out by Graphviz. Its `.source` needs no `dot` program.

        Raises ImportError when the graphviz package is missing, ValueError for a picture that shows no graph.
        """
        raise ValueError(
            f"this picture shows no graph, and DOT draws nothing else: "
            f"use .svg(), .text() or .html(path), or save it as {', '.join(self.forms)}"
        )

    def save(self, path: str | Path) -> Path:
        """Writes the picture; the name's ending, one of `forms`, says how. Raises ValueError on another ending.

        .svg, .pdf and .png are the same picture; the last two are light, for paper, and the text of a PDF can be
        selected. .png needs the resvg_py package: ImportError without it.
        """
        return self._saved(Path(path), self._content)

    def _saved(self, path: Path, content: Callable[[str], str | bytes]) -> Path:
        if path.suffix not in self.forms:
            raise ValueError(f"cannot write a picture as {path.suffix or path.name!r}: use {', '.join(self.forms)}")
        made = content(path.suffix)
        path.write_bytes(made if isinstance(made, bytes) else made.encode())
        return path

    def _content(self, form: str) -> str | bytes:
        """What `save` writes."""
        match form:
            case ".txt":
                return f"{self.text()}\n"
            case ".html":
                return self._page()
            case ".gv" | ".dot":
                return str(self.dot().source)
            case _:
                return as_file(self.svg(), form)

    def _shown(self) -> str:
        """The picture as a piece of HTML."""
        return html.image(self.svg(), self._told())

    def _page(self) -> str:
        return html.page(self.title, self._shown())

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        with _uncollected():
            return {"text/html": self._shown(), "text/plain": self._listing(LINES)}

    def __repr__(self) -> str:
        return self._listing(LINES)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Nothing that a picture is made of goes round in circles, so the collector need not look through all of it again
    and again while it grows: a sixth of the time of a large one.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def as_file(drawn: str, form: str) -> str | bytes:
    """An SVG document as .svg, .pdf or .png."""
    return pdf.written(drawn) if form == ".pdf" else png.rendered(drawn) if form == ".png" else drawn


class MovingPicture(Picture):
    """A picture with steps. A notebook keeps its player, which needs no kernel, and a still where no script runs."""

    @abstractmethod
    def _player(self) -> Player:
        """The player and its facts."""

    def _save_moment(self, path: str | Path, drawn: str, told: str, player: Player) -> Path:
        """Writes one step: its drawing, its text, or a player that opens there."""

        def content(form: str) -> str | bytes:
            match form:
                case ".svg" | ".pdf" | ".png":
                    return as_file(drawn, form)
                case ".txt":
                    return f"{told}\n"
                case ".html":
                    return html.document(player, drawn)
                case _:
                    return self._content(form)

        return self._saved(Path(path), content)

    @property
    def _moves(self) -> bool:
        """False where there is one step only: it is then shown as any picture."""
        return True

    def widget(self) -> Any:
        """The player as an anywidget, whose `step` a cell can read and set; the same one each time.

        Raises ImportError when anywidget is missing.
        """
        return self._widget

    @cached_property
    def _widget(self) -> Any:
        return self._player().widget()

    def _shown(self) -> str:
        still = super()._shown()
        return html.framed(self._player(), still) if self._moves else still

    def _page(self) -> str:
        return html.document(self._player(), self.svg()) if self._moves else super()._page()
