"""HTML that a notebook shows as it is, and the same on a page of its own: colours by theme, nothing from elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from minitorch.viz.drawing.palette import DARK, LIGHT


@dataclass(frozen=True, slots=True)
class Theme:
    """The looks of one piece of HTML. `@` stands for its own id.

    form: what both themes share. paint: (selector, property, colour's name in the palette).
    """

    form: str
    paint: tuple[tuple[str, str, str], ...]

    def style(self, name: str) -> str:
        """The style sheet of the piece whose id is `name`: as JupyterLab or VS Code says, else as the system is."""
        own = f"#{name}"
        light, dark = self._painted(LIGHT), self._painted(DARK)
        return "".join(
            [
                self.form.replace("@", own),
                light.replace("@", own),
                f"\n@media(prefers-color-scheme:dark){{{dark.replace('@', own)}}}",
                f"\n{light.replace('@', f'body[data-jp-theme-light=true] {own}')}",
                f"\n{dark.replace('@', f'body[data-jp-theme-light=false] {own}')}",
                f"\n{dark.replace('@', f'body[data-vscode-theme-kind$=dark] {own}')}",
            ]
        )

    def _painted(self, colours: dict[str, str]) -> str:
        return "".join(
            f"{where}{{{what}{' ' if ':' in what else ':'}{colours[which]}}}" for where, what, which in self.paint
        )


def page(title: str, body: str) -> str:
    """A page that holds `body` alone."""
    ground = f"body{{margin:16px;background:{LIGHT['paper']}}}"
    dark = f"@media(prefers-color-scheme:dark){{body{{background:{DARK['paper']}}}}}"
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{ground}{dark}</style></head>'
        f"<body>{body}</body></html>\n"
    )
