"""Style sheets, light and dark: what every picture wears, its colours taken from the palette."""

from __future__ import annotations

from dataclasses import dataclass

from minitorch.viz.drawing.palette import DARK, LIGHT

_WHERE_DARK = "@media(prefers-color-scheme:dark)"


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

    def _painted(self, colours: dict[str, str], own: str) -> str:
        rules = "".join(_rule(where, what, colours[which]) for where, what, which in self.paint)
        return rules.replace("@", own)


def _rule(where: str, what: str, colour: str) -> str:
    return f"{where}{{{what}{' ' if ':' in what else ':'}{colour}}}"
