"""Links to a learner's files, for a card in a notebook and for a terminal.

JupyterLab opens a relative link of a card by itself, and goes to the line that `#line=` names. It would open the file
over the notebook; so the link asks for a place beside it first, or for the one where another file is open already.
"""

from __future__ import annotations

import html
import os
from dataclasses import dataclass
from pathlib import Path

LINK = "color:var(--jp-content-link-color,#0b57d0);text-decoration:underline"
# JupyterLab has put the file's path into the link by now; where it has not, nothing is done, and the link is any link.
BESIDE = (
    "const found=/\\/files\\/([^?#]*)(?:\\?[^#]*)?(#.*)?$/.exec(this.href);"
    "if(found&&document.querySelector('.jp-Notebook')){"
    "event.preventDefault();event.stopImmediatePropagation();"
    "const open=document.querySelector('.jp-Document:has(>.jp-FileEditor)'),run=document.createElement('span');"
    "run.dataset.commandlinkerCommand='apputils:run-all-enabled';"
    "run.dataset.commandlinkerArgs=JSON.stringify({commands:['docmanager:open','rendermime:handle-local-link'],"
    "args:{path:decodeURIComponent(found[1]),id:found[2]||'',factory:'Editor',"
    "options:open?{mode:'tab-after',ref:open.id}:{mode:'split-right'}}});"
    "this.parentNode.append(run);run.click();run.remove()}"
)


@dataclass(frozen=True, slots=True)
class Links:
    """Links into one course folder, as seen from the current directory: a kernel's is its notebook's folder."""

    folder: Path

    def href(self, name: str, line: int | None = None) -> str | None:
        """The relative address of a file of the course; None where it is missing, or where we stand outside."""
        here, folder = Path.cwd().resolve(), self.folder.resolve()
        if not here.is_relative_to(folder) or not (folder / name).is_file():
            return None
        address = Path(os.path.relpath(folder / name, here)).as_posix()
        return f"{address}#line={line - 1}" if line else address  # JupyterLab counts lines from 0

    def html(self, shown: str, name: str, line: int | None = None) -> str:
        """`shown`, which is HTML, as a link to a file; as it is where there can be none."""
        href = self.href(name, line)
        if href is None:
            return shown
        beside = f' onclick="{html.escape(BESIDE)}"' if name.endswith(".py") else ""
        there = html.escape(href)
        return f'<a href="{there}" data-goes="{there}"{beside} style="{LINK}">{shown}</a>'

    def uri(self, name: str) -> str:
        """The address of a file for a terminal."""
        return (self.folder.resolve() / name).as_uri()
