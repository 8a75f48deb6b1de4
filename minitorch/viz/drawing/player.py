"""Players: a script of `static/` and the facts that it shows, as a widget and as a page that needs no network."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any
from xml.sax.saxutils import escape

_IMPORT = re.compile(r'^import \{[^}]*\} from "\./([\w.]+)";\n', re.MULTILINE)
_PAGE = """\
<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>{title}</title></head>
<body style="margin:12px;max-width:1100px"><main id="player"></main>
<script type="application/json" id="facts">{facts}</script>
<script type="module">
{script}
const state = JSON.parse(document.getElementById("facts").textContent);
const model = {{ get: name => state[name], set: (name, value) => {{ state[name] = value; }}, on() {{}}, off() {{}} }};
render({{ model, el: document.getElementById("player") }});
</script></body></html>
"""


@dataclass(frozen=True, slots=True)
class Player:
    """A script and what it is given.

    script: its file. title: of the page. state: what the script's model holds: facts, which are sent once and are
    plain JSON, and whole numbers that say where the player stands.
    """

    script: str
    title: str
    state: Mapping[str, Any]

    def page(self) -> str:
        """The player as a page of its own."""
        facts = json.dumps(self.state, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
        script = module(self.script).replace("export default { render };\n", "")
        return _PAGE.format(title=escape(self.title), facts=facts.replace("<", "\\u003c"), script=script)

    def widget(self) -> Any:
        """The player as an anywidget. Raises ImportError when anywidget is missing."""
        try:
            import anywidget
            import traitlets
        except ImportError:
            raise ImportError(
                "stepping needs anywidget, which is missing. Install it with: pip install 'minitorch-course[viz]'."
            ) from None
        traits: dict[str, Any] = {"_esm": module(self.script), "__module__": __name__}
        for name, value in self.state.items():
            trait = traitlets.Int(0, min=0) if isinstance(value, int) else traitlets.Dict()
            traits[name] = trait.tag(sync=True)
        return type("PlayerWidget", (anywidget.AnyWidget,), traits)(**self.state)


def module(name: str) -> str:
    """A script of `static/` as one ES module: what it imports from its neighbours stands in it."""
    return _IMPORT.sub(lambda found: re.sub(r"^export ", "", module(found[1]), flags=re.MULTILINE), _read(name))


def _read(name: str) -> str:
    return files("minitorch.viz.drawing").joinpath("static", name).read_text(encoding="utf-8")
