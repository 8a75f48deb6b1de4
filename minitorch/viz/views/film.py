"""Pictures that are drawn ahead, step by step: a still in several forms, and a player for those that have steps.

A reel is one drawing with places to fill; each of its frames says what stands in which place. The player
(`static/film.js`) puts them there and computes nothing: it is the widget and the page that `.html` writes.
"""

from __future__ import annotations

import hashlib
import json
import textwrap
import warnings
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from html import escape as quoted
from importlib.resources import files
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from minitorch.viz.drawing import palette
from minitorch.viz.drawing.reel import LETTER, Frame, Reel

LINES = 200  # of text in a notebook; `.text()` has them all

Paint = Sequence[tuple[str, str, str]]  # where, what, which colour

_PAGE = """\
<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>{title}</title></head>
<body style="margin:12px;max-width:1100px"><main id="film"></main>
<script type="application/json" id="facts">{film}</script>
<script type="module">
{script}
const state = {{ film: JSON.parse(document.getElementById("facts").textContent), reel: 0, step: 0 }};
const model = {{ get: name => state[name], set: (name, value) => {{ state[name] = value; }}, on() {{}}, off() {{}} }};
render({{ model, el: document.getElementById("film") }});
</script></body></html>
"""


def style(form: str, paint: Paint, name: str) -> str:
    """A style sheet for the picture whose id is `name`: light, and dark where the reader's system is dark.

    form: rules without colours. In both, `@` stands for the picture's own id.
    """
    light, dark = (_rules(paint, colours) for colours in (palette.LIGHT, palette.DARK))
    return (
        f"{form}{light}\n@media(prefers-color-scheme:dark){{{dark}}}".replace("@media", "\0")
        .replace("@", f"#{name}")
        .replace("\0", "@media")
    )


def _rules(paint: Paint, colours: Mapping[str, str]) -> str:
    return "".join(f"{where}{{{what}:{colours[which]}}}" for where, what, which in paint)


class Film:
    """A picture with steps, or one that stands still. A notebook shows the player, the SVG and the text.

    What draws it is in the subclasses: `_reels`, `_still`, `_words`, and the style.
    """

    title: str
    _form: str
    _paint: Paint
    _choice = "what to show"
    _keys = "← → one step, Home, End; space plays. ↑ ↓ or a number: another picture."

    @property
    def _reels(self) -> tuple[Reel, ...]:
        raise NotImplementedError

    def _still(self) -> tuple[Reel, int]:
        """The reel and the step that stand for the whole where nothing moves."""
        raise NotImplementedError

    def _words(self, limit: int | None) -> str:
        raise NotImplementedError

    @cached_property
    def _id(self) -> str:
        """Ids in a page start with it: pictures of different content keep apart."""
        return f"mf{hashlib.sha256(self._words(None).encode()).hexdigest()[:8]}"

    def text(self) -> str:
        """The picture as lines of text, with the same numbers."""
        return self._words(None)

    def svg(self) -> str:
        """An SVG document, the same bytes for the same facts; light or dark as the reader's system is."""
        return self._document(*self._still())

    def html(self, path: str | Path) -> Path:
        """Writes a page that works without a network: the player if there are steps, and nothing to install."""
        path = Path(path)
        path.write_text(self._page(), encoding="utf-8")
        return path

    def save(self, path: str | Path) -> Path:
        """Writes the picture; the name's ending says how: .svg, .txt or .html. Raises ValueError on another ending."""
        path = Path(path)
        writers: dict[str, Callable[[], str]] = {
            ".svg": self.svg,
            ".txt": lambda: f"{self.text()}\n",
            ".html": self._page,
        }
        if path.suffix not in writers:
            raise ValueError(f"cannot write a picture as {path.suffix or path.name!r}: use {', '.join(writers)}")
        path.write_text(writers[path.suffix](), encoding="utf-8")
        return path

    @cached_property
    def widget(self) -> Any:
        """The anywidget. Raises ImportError when anywidget is missing."""
        try:
            import anywidget
            import traitlets
        except ImportError:
            raise ImportError(
                "stepping needs anywidget, which is missing. Install it with: pip install 'minitorch-course[viz]'."
            ) from None
        traits = {
            "_esm": _script(),
            "film": traitlets.Dict().tag(sync=True),
            "reel": traitlets.Int(0, min=0).tag(sync=True),
            "step": traitlets.Int(0, min=0).tag(sync=True),
            "__module__": __name__,
        }
        return type("FilmWidget", (anywidget.AnyWidget,), traits)(film=self._as_traits())

    def _document(self, reel: Reel, step: int, caption: bool = False) -> str:
        """One frame as an SVG document; with a caption where there is no status line beside it."""
        name, frame = self._id, reel.frames[step]
        told = frame.alternative or frame.sentence
        lines = textwrap.wrap(frame.sentence, int((reel.width - 36) / LETTER)) if caption else []
        height = reel.height + 18 * len(lines)
        below = "".join(
            f'<text class="f" x="18" y="{reel.height + 18 * number + 6}">{escape(line)}</text>'
            for number, line in enumerate(lines)
        )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" id="{name}" role="img" aria-labelledby="{name}t {name}d"'
            f' width="{reel.width}" height="{height}" viewBox="0 0 {reel.width} {height}">'
            f'<title id="{name}t">{escape(reel.title)}</title><desc id="{name}d">{escape(told)}</desc>'
            f"<style>{style(self._form, self._paint, name)}</style>"
            f'<rect class="p" width="{reel.width}" height="{height}" rx="10"/>{reel.still(step)}{below}</svg>\n'
        )

    def _as_traits(self) -> dict[str, Any]:
        """All that the player needs, as plain JSON."""
        rules = "".join(f"{where}{{{what}:var(--{which})}}" for where, what, which in self._paint)
        sheet = f"{self._form}{rules}".replace("@ ", "svg ").replace("@", "svg")
        return {
            "title": self.title,
            "choice": self._choice,
            "keys": self._keys,
            "palette": {"light": palette.LIGHT, "dark": palette.DARK},
            "reels": [
                {
                    "name": reel.name,
                    "title": reel.title,
                    "shell": f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{reel.width}" '
                    f'height="{reel.height}" viewBox="0 0 {reel.width} {reel.height}">'
                    f"<style>{sheet}</style>{reel.shell}</svg>",
                    "frames": _changes(reel.frames),
                }
                for reel in self._reels
            ],
        }

    def _page(self) -> str:
        film = json.dumps(self._as_traits(), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return _PAGE.format(
            title=escape(self.title),
            film=film.replace("<", "\\u003c"),
            script=_script().replace("export default { render };\n", ""),
        )

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        reel, step = self._still()
        drawn = self._document(reel, step)
        alt = f"{reel.title}. {reel.frames[step].alternative or reel.frames[step].sentence}"
        source = f"data:image/svg+xml;base64,{b64encode(drawn.encode()).decode()}"
        still = {
            "text/html": f'<img alt="{quoted(alt)}" src="{source}">',
            "image/svg+xml": drawn,
            "text/plain": self._words(LINES),
        }
        if not any(len(each.frames) > 1 for each in self._reels):
            return still
        try:
            bundle = self.widget._repr_mimebundle_()
        except ImportError as error:
            warnings.warn(f"{error} Until then the picture stands still.", stacklevel=2)
            return still
        return {**dict((bundle[0] if isinstance(bundle, tuple) else bundle) or {}), **still}

    def __repr__(self) -> str:
        return self._words(LINES)


def _script() -> str:
    return files("minitorch.viz.drawing").joinpath("static", "film.js").read_text(encoding="utf-8")


def _changes(frames: Sequence[Frame]) -> list[dict[str, Any]]:
    """The frames, each with what is not as it was in the one before."""
    found = []
    before: Mapping[str, str] = {}
    for frame in frames:
        places = {name: content for name, content in frame.places.items() if before.get(name) != content}
        found.append(
            {"places": places, "sentence": frame.sentence, "wrong": frame.wrong, "alternative": frame.alternative}
        )
        before = frame.places
    return found
