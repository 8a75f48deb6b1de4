"""Style sheets, light and dark: what every picture wears, its colours taken from the palette."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from minitorch.viz.drawing.palette import DARK, LIGHT

PAPER = ("@ .p", "fill", "paper"), ("@ text", "fill", "ink")  # what most pictures are painted on, and their letters
_WHERE_DARK = "@media(prefers-color-scheme:dark)"
_RULE = re.compile(r"[^{}]+\{[^{}]*\}")
_COLOUR = re.compile(r"#[0-9a-f]{6}")
_CALLED = {(light, DARK[name]): name for name, light in LIGHT.items()}


@dataclass(frozen=True, slots=True)
class Theme:
    """The looks of one kind of picture. `@` stands for the picture's own id, so that two on a page stay apart.

    form: rules without colours. paint: (selector, property, the colour's name in the palette); a property may come
    with the beginning of its value, as in "border-bottom:2px solid". motion: rules for a player alone, as they are.
    """

    form: str
    paint: tuple[tuple[str, str, str], ...]
    motion: str = ""

    def __add__(self, more: Theme) -> Theme:
        """This theme, and after it what another one adds."""
        return Theme(self.form + more.form, self.paint + more.paint, self.motion + more.motion)

    def sheet(self, name: str) -> str:
        """The style sheet of the picture whose id is `name`: light, and dark where the reader's system is dark."""
        own = f"#{name}"
        return f"{self.form.replace('@', own)}{self._painted(LIGHT, own)}\n{_WHERE_DARK}{{{self._painted(DARK, own)}}}"

    def sheet_in(self, name: str, colours: Mapping[str, str]) -> str:
        """The style sheet of the picture whose id is `name`, in these colours alone."""
        own = f"#{name}"
        return f"{self.form.replace('@', own)}{self._painted(colours, own)}"

    def notebook_sheet(self, name: str) -> str:
        """The same for HTML in a notebook: JupyterLab and VS Code say what is dark, elsewhere the system does."""
        told = (
            ("body[data-jp-theme-light=true]", LIGHT),
            ("body[data-jp-theme-light=false]", DARK),
            ("body[data-vscode-theme-kind$=dark]", DARK),
        )
        return "\n".join([self.sheet(name), *(self._painted(colours, f"{where} #{name}") for where, colours in told)])

    def variables(self) -> str:
        """The style sheet of a drawing in a player, where static/theme.js sets the colours: `--ink` and the others."""
        rules = "".join(_rule(where, what, f"var(--{which})") for where, what, which in self.paint)
        return f"{self.form}{rules}".replace("@ ", "svg ").replace("@", "svg") + self.motion

    def _painted(self, colours: Mapping[str, str], own: str) -> str:
        rules = "".join(_rule(where, what, colours[which]) for where, what, which in self.paint)
        return rules.replace("@", own)


def _rule(where: str, what: str, colour: str) -> str:
    return f"{where}{{{what}{' ' if ':' in what else ':'}{colour}}}"


def named(sheet: str) -> str:
    """A style sheet that `Theme.sheet` wrote with the colours' names in it, `var(--ink)` for light and dark alike.

    Each colour is known by what it is in the light and what it is in the dark: no two have both in common. Raises
    ValueError for a sheet that is not light first and dark after it.
    """
    light, is_there, dark = sheet.partition(f"\n{_WHERE_DARK}{{")
    if not is_there:
        raise ValueError("a style sheet says nothing of the dark, so the names of its colours cannot be told")
    in_dark = _RULE.findall(dark)
    in_light = list(_RULE.finditer(light))[-len(in_dark) :]
    form = light[: in_light[0].start()]
    return form + "".join(_with_names(one[0], other) for one, other in zip(in_light, in_dark, strict=True))


def shortened(sheet: str) -> str:
    """A style sheet that `Theme.sheet` wrote, its rules said once for light and dark: the same looks, in a browser.

    One that says nothing of the dark stays as it is.
    """
    if f"\n{_WHERE_DARK}{{" not in sheet:
        return sheet
    once = named(sheet)
    used = [name for name in LIGHT if f"var(--{name})" in once]
    letters = dict(zip(used, "abcdefghijklmnopqrstuvwxyz", strict=False))
    light, dark = (";".join(f"--{letters[name]}:{colours[name]}" for name in used) for colours in (LIGHT, DARK))
    rules = re.sub(r"var\(--([\w-]+)\)", lambda found: f"var(--{letters[found[1]]})", once.replace("}\n", "}"))
    return f"svg{{{light}}}{_WHERE_DARK}{{svg{{{dark}}}}}{rules}"


def painted(sheet: str, colours: Mapping[str, str]) -> str:
    """A style sheet that `named` gave, in these colours."""
    return re.sub(r"var\(--([\w-]+)\)", lambda found: colours[found[1]], sheet)


def _with_names(light: str, dark: str) -> str:
    names = (_CALLED[pair] for pair in zip(_COLOUR.findall(light), _COLOUR.findall(dark), strict=True))
    return _COLOUR.sub(lambda _: f"var(--{next(names)})", light)
