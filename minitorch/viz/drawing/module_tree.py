"""Modules as trees that open: each with the shapes of what it holds and how many parameters that is."""

from __future__ import annotations

import hashlib
from html import escape

from minitorch.language import gettext, language
from minitorch.viz.drawing.theme import Theme
from minitorch.viz.facts.module_tree import Branch, Held

OPEN = 12  # parts, or fewer, of a module at the top, and it stands open

THEME = Theme(
    form="""\
@{font:13px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;border-radius:10px;padding:8px 12px}
@{max-width:max-content;overflow-x:auto;line-height:1.7}@ ul{list-style:none;margin:0;padding:0 0 0 20px}
@ li{margin:0;padding:0}@ li.l{padding-left:16px}@ summary{cursor:pointer}@ b{font-weight:700}
@ code{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;padding:0}
@ .n{border-radius:8px;padding:1px 7px}
""",
    paint=(
        ("@", "background", "paper"),
        ("@,@ li,@ summary,@ code", "color", "ink"),
        ("@ code", "background", "paper"),
        ("@ i", "color", "soft"),
        ("@ .n", "background", "some"),
        ("@ .n", "color", "on-some"),
    ),
)


def draw(tree: Branch) -> str:
    """The tree as a piece of HTML with a style sheet of its own. It opens without a script."""
    body = _part(tree, opened=True)
    name = f"mm{hashlib.sha256(body.encode()).hexdigest()[:8]}"
    return f'<div id="{name}" lang="{language()}"><style>{THEME.notebook_sheet(name)}</style>{body}</div>'


def _part(branch: Branch, opened: bool, within: Branch | None = None) -> str:
    head = _head(branch, within)
    if not (branch.parts or branch.held):
        return head
    below = [f'<li class="l">{_held(each)}</li>' for each in branch.held]
    for part in branch.parts:
        inner = _part(part, opened and len(branch.parts) <= OPEN and bool(part.parts), branch)
        below.append(f"<li>{inner}</li>" if part.parts or part.held else f'<li class="l">{inner}</li>')
    state = " open" if opened else ""
    return f"<details{state}><summary>{head}</summary><ul>{''.join(below)}</ul></details>"


def _head(branch: Branch, within: Branch | None) -> str:
    """A module in one line: its name, its kind, what it says of itself, and its parameters."""
    extra = " ".join(branch.extra.split())
    said = [
        f"<b>{escape(branch.name)}</b> " if branch.name else "",
        escape(branch.kind),
        f"<code>({escape(extra)})</code>" if extra else "",
        f" {escape(gettext('× {count}, all alike', count=branch.repeated))}" if branch.repeated > 1 else "",
    ]
    if branch.parameters or within is None:
        said.append(f' <span class="n">{escape(_counted(branch.parameters))}</span>')
    notes = [gettext("evaluating")] if branch.evaluating > (within is not None and within.evaluating) else []
    if branch.frozen:
        notes.append(gettext("{count} of them frozen", count=f"{branch.frozen:,}"))
    if branch.nbytes and within is None:
        notes.append(gettext("{size} in memory", size=_size(branch.nbytes)))
    return "".join(said) + (f" <i>{escape(', '.join(notes))}</i>" if notes else "")


def _held(each: Held) -> str:
    notes = [gettext("parameter") if each.kind == "parameter" else gettext("buffer"), each.dtype]
    if each.shared:
        notes.append(gettext("the same as {name}", name=each.shared))
    if each.kind == "parameter" and not each.trains:
        notes.append(gettext("requires no grad"))
    return f"<b>{escape(each.name)}</b> {each.shape} <i>{escape(', '.join(notes))}</i>"


def _counted(count: int) -> str:
    if count == 1:
        return gettext("1 parameter")
    return gettext("{count} parameters", count=f"{count:,}") if count else gettext("no parameters")


def _size(nbytes: int) -> str:
    """As in "1.2 MB"; whole bytes below a thousand."""
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if nbytes >= size:
            return f"{nbytes / size:.3g} {unit}"
    return f"{nbytes} B"
