"""Players: a script of `static/` and the facts that it shows, as one program for a document and as a widget."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from minitorch.viz.drawing.sending import sent

WIDEST = 1100  # pixels: a wider player has nothing to show there, unless it says so
_IMPORT = re.compile(r'^import \{[^}]*\} from "\./([\w.]+)";\n', re.MULTILINE)
_COMMENT = re.compile(r"^ *(?://.*|/\*\*(?s:.*?)\*/)\n", re.MULTILINE)  # on lines of its own
_REMARK = re.compile(r" +// [^'\"`\n]*$", re.MULTILINE)  # after code; no text of ours goes on over a line's end there
_INDENTATION = re.compile(r"^ +", re.MULTILINE)
_MODEL = "{ get: name => state[name], set: (name, value) => { state[name] = value; }, on() {}, off() {}%s }"
_END = "export default { render };\n"


@dataclass(frozen=True, slots=True)
class Player:
    """A script and what it is given.

    script: its file. title: what the picture is called. state: what the script's model holds: facts, which are sent
    once and are plain JSON or text, and whole numbers that say where the player stands. height: pixels that it needs,
    where nobody can ask it. width: pixels that it can use at most. others: scripts of players that it can show, given
    to it as its model's `players`.
    """

    script: str
    title: str
    state: Mapping[str, Any]
    height: int
    width: int = WIDEST
    others: tuple[str, ...] = ()

    def program(self) -> str:
        """The script with its facts as one ES module, which shows them in the page's element `player`."""
        facts = json.dumps(sent(self.state), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
        script = lean(module(self.script)).replace(_END, "")
        model = _MODEL % (", players" if self.others else "")
        start = f'const state = {facts};\nrender({{ model: {model}, el: document.getElementById("player") }});\n'
        return script + self._players() + start

    def _players(self) -> str:
        """The other scripts, each in a scope of its own."""
        if not self.others:
            return ""
        made = (
            f'"{name}": (() => {{\n{lean(module(name)).replace(_END, "return render;")}}})(),\n' for name in self.others
        )
        return f"const players = {{\n{''.join(made)}}};\n"

    def widget(self) -> Any:
        """The player as an anywidget. Raises ImportError when anywidget is missing."""
        try:
            import anywidget
            import traitlets
        except ImportError:
            raise ImportError(
                "a widget needs anywidget, which is missing. Install it with: pip install 'minitorch-course[viz]'."
            ) from None
        traits: dict[str, Any] = {"_esm": module(self.script), "__module__": __name__}
        for name, value in self.state.items():
            texts = traitlets.Unicode() if isinstance(value, str) else traitlets.Dict()
            trait = traitlets.Int(0, min=0) if isinstance(value, int) else texts
            traits[name] = trait.tag(sync=True)
        return type("PlayerWidget", (anywidget.AnyWidget,), traits)(**self.state)


def module(name: str) -> str:
    """A script of `static/` as one ES module: what it imports from its neighbours stands in it, each of them once."""
    there = {name}

    def whole(name: str) -> str:
        return _IMPORT.sub(imported, _read(name))

    def imported(found: re.Match[str]) -> str:
        if found[1] in there:
            return ""
        there.add(found[1])
        return re.sub(r"^export ", "", whole(found[1]), flags=re.MULTILINE)

    return whole(name)


def lean(script: str) -> str:
    """A script of `static/` without its comments and indentation, which no reader of a document sees."""
    return _INDENTATION.sub("", _REMARK.sub("", _COMMENT.sub("", script)))


def _read(name: str) -> str:
    return files("minitorch.viz.drawing").joinpath("static", name).read_text(encoding="utf-8")
