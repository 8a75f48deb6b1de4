"""Players: a script of `static/` and the facts that it shows, as one program for a document and as a widget."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from minitorch.viz.drawing.sending import sent

WIDEST = 1100  # pixels: a wider player has nothing to show there, unless it says so
NARROW = 600  # pixels: up to here what stands beside a graph stands below it
_IMPORT = re.compile(r'^import \{[^}]*\} from "\./([\w.]+)";\n', re.MULTILINE)
_STRING = r"""(?P<quote>["'])(?:[^"'\\\n]|\\.|(?!(?P=quote))["'])*(?P=quote)"""
_REGEX = r"(?:(?<=[(!])|(?<=[=:&|?,] )|(?<=return ))/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\]|\\.)*\])+/"
_TEMPLATE = r"`(?:[^`$]|\$(?!\{)|\$\{(?:[^`}]|`[^`]*`)*\})*`"  # with others in it, which have none in them
TEXT = rf"{_STRING}|{_TEMPLATE}|{_REGEX}"  # in which spaces mean something
_SIGN = r"[{}()[\],;:?=<>&|*]"  # + and - keep their spaces: a - -b
_COMMENT = r"\s*(?://[^\n]*|/\*(?s:.*?)\*/)"
_UNSEEN = re.compile(rf"(?P<text>{TEXT})|{_COMMENT}|\s+(?={_SIGN})|(?<={_SIGN})\s+|(?<=\n)\s+")
_MODEL = "{ get: name => state[name], set: (name, value) => { state[name] = value; }, on() {}, off() {}%s }"
_END = "\nexport default { render };\n"


@dataclass(frozen=True, slots=True)
class Player:
    """A script and what it is given.

    script: its file. title: what the picture is called. state: what the script's model holds: facts, which are sent
    once and are plain JSON or text, and whole numbers that say where the player stands. height: pixels that it needs,
    where nobody can ask it. width: pixels that it can use at most. others: scripts of players that it can show, given
    to it as its model's `players`. fills_screen: whether it may fill the whole screen from a frame. narrow: pixels of
    height that it needs where it is at most `NARROW` wide and sets its parts below each other; 0 where it never does.
    """

    script: str
    title: str
    state: Mapping[str, Any]
    height: int
    width: int = WIDEST
    others: tuple[str, ...] = ()
    fills_screen: bool = False
    narrow: int = 0

    def program(self) -> str:
        """The scripts with their facts as one ES module, which shows them in the page's element `player`."""
        return self.scripts() + self.start()

    def scripts(self) -> str:
        """What is the same in every player of this kind."""
        return f"{_carried(self.script)}\n{self._players()}"

    def start(self) -> str:
        """The facts, and what shows them."""
        facts = json.dumps(sent(self.state), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
        model = _MODEL % (", players" if self.others else "")
        return f'const state = {facts};\nrender({{ model: {model}, el: document.getElementById("player") }});\n'

    def _players(self) -> str:
        """The other scripts, each in a scope of its own."""
        if not self.others:
            return ""
        made = (f'"{name}": (() => {{\n{_carried(name)}\nreturn render;}})(),\n' for name in self.others)
        return f"const players = {{\n{''.join(made)}}};\n"

    def widget(self) -> Any:
        """The player as an anywidget. Raises ImportError when anywidget is missing."""
        try:
            import anywidget
            import traitlets
        except ImportError:
            raise ImportError(
                'a widget needs anywidget, which is missing. Install it with: pip install "minitorch-course[viz]".'
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
    """A script of `static/` without its comments, its indentation and the spaces beside its signs.

    No reader of a document sees them. Every statement ends in a semicolon or a brace, so that no line has to.
    """
    return _UNSEEN.sub(r"\g<text>", script)


@functools.cache
def _carried(name: str) -> str:
    """A script as a document carries it."""
    return lean(module(name).removesuffix(_END))


def _read(name: str) -> str:
    return files("minitorch.viz.drawing").joinpath("static", name).read_text(encoding="utf-8")
