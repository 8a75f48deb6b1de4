"""HTML: a picture as an image with words in its place, and the document that a player lives in, anywhere.

A notebook stores both in one piece: the image, and over it the document in a frame. Where frames are stripped (an
untrusted notebook, a code host) or no script runs, the image is what is seen. Nothing comes from elsewhere.
"""

from __future__ import annotations

import re
import zlib
from base64 import b64encode
from functools import cache
from html import escape

from minitorch.language import language
from minitorch.viz.drawing import theme
from minitorch.viz.drawing.palette import DARK, LIGHT
from minitorch.viz.drawing.player import NARROW, WIDEST, Player

LARGE = 500_000  # bytes; of more the last few hundredths are not worth three times the work

# The program is inflated and then run as a module of the page. Where a browser cannot, what stands there stays.
_LOADER = (
    "const packed=Uint8Array.from(atob('{packed}'),each=>each.charCodeAt(0));"
    "new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'))).text()"
    ".then(program=>document.body.append(Object.assign(document.createElement('script'),"
    "{{type:'module',textContent:program}})))"
)
# What an image does without: words for who points at a part of it, which nobody can, or who does not see it: the alt.
_UNSEEN = re.compile(r"<(title|desc)\b[^>]*>[^<]*</\1>")
_LABELLED = re.compile(r" aria-labelledby=\"[^\"]*\"")
_SHEET = re.compile(r"<style>([^<]*)</style>")
_QUOTED = re.compile(r"(>[^<\"]*\"[^<]*|='[^']*')")  # text in which a quotation mark stands, or between apostrophes
_APOSTROPHE = re.compile(r"=\"[^\"<>]*'[^\"<>]*\"")  # what an attribute says, with an apostrophe
_ESCAPED = {sign: f"%{ord(sign):02X}" for sign in '%#"\n\r\t'} | {"&": "&amp;"}  # in this order: first the %
# A frame's colour scheme is what its document is told of the theme. The image lies below a frame, and only there.
_FRAME = (
    f".minitorch-player{{position:relative;max-width:{WIDEST}px;overflow:hidden;border-radius:10px}}"
    ".minitorch-player{color-scheme:light dark}"
    ".minitorch-player>iframe{position:relative;z-index:1;display:block;box-sizing:border-box;width:100%;border:0}"
    ".minitorch-player>iframe+img{position:absolute;inset:0;width:100%!important;height:100%!important;"
    "object-fit:contain}"
    "body[data-jp-theme-light=true] .minitorch-player{color-scheme:light}"
    "body[data-jp-theme-light=false] .minitorch-player,"
    "body[data-vscode-theme-kind$=dark] .minitorch-player{color-scheme:dark}"
)


def image(drawn: str, told: str) -> str:
    """An SVG document as an image. A bare SVG has no place for an `alt`, and an untrusted notebook hides it."""
    return f'<img alt="{escape(told)}" lang="{language()}" src="{_source(drawn)}">'


def page(title: str, body: str) -> str:
    """A page that holds `body` alone, light or dark as the reader's system is."""
    ground = f"body{{margin:16px;background:{LIGHT['paper']};color:{LIGHT['ink']}}}"
    dark = f"@media(prefers-color-scheme:dark){{body{{background:{DARK['paper']};color:{DARK['ink']}}}}}"
    return f"{_head(title)}<style>{ground}{dark}</style></head><body>{body}</body></html>\n"


def unfolding(title: str, text: str) -> str:
    """Lines of text that open at a click on `title`."""
    return f"<details><summary>{escape(title)}</summary><pre>{escape(text)}</pre></details>"


def document(player: Player, still: str = "") -> str:
    """The player as a page of its own, which fills the window or the frame that it is opened in.

    still: HTML that stands in its place where no script runs.
    """
    look = f"html,body,main{{height:100%}}body{{margin:0 auto;max-width:{player.width}px;overflow:hidden}}"
    return (
        f'{_head(player.title)}<meta name="color-scheme" content="light dark"><style>{look}</style></head>'
        f'<body><main id="player" data-fills>{still}</main><script>{_LOADER.format(packed=_packed(player))}</script>'
        "</body></html>\n"
    )


def framed(player: Player, still: str) -> str:
    """The player as a piece of HTML for a notebook or a page: its document in a frame, laid over `still`, an image."""
    looks = [f"max-width:{player.width}px"] * (player.width != WIDEST)
    looks += ["container-type:inline-size"] * bool(player.narrow)
    wide = f' style="{";".join(looks)}"' if looks else ""
    high = f"@container (max-width:{NARROW}px){{iframe{{height:{player.narrow}px!important}}}}" * bool(player.narrow)
    whole = "allowfullscreen " if player.fills_screen else ""
    return (
        f'<div class="minitorch-player" lang="{language()}"{wide}><style>{_FRAME}{high}</style>'
        f'<iframe sandbox="allow-scripts" {whole}title="{escape(player.title)}" style="height:{player.height}px" '
        f'srcdoc="{escape(document(player))}"></iframe>{still}</div>'
    )


def _source(drawn: str) -> str:
    """An SVG document as the address of an image, in an attribute of HTML.

    It is alone there, so its id can be short and its rules need not name it. It is left readable: base64 would make it
    a third longer.
    """
    name = re.search(r'<svg [^>]*?id="([^"]+)"', drawn)
    if name is not None:
        own = re.escape(name[1])
        drawn = re.sub(rf'([#"]){own}', r"\1m", re.sub(rf"#{own} (?=[.\w])", "", drawn))
    sheet = _SHEET.search(drawn)
    if sheet is not None:
        drawn = f"{drawn[: sheet.start(1)]}{theme.shortened(sheet[1])}{drawn[sheet.end(1) :]}"
    seen = _LABELLED.sub("", _UNSEEN.sub("", drawn)).strip()
    pieces = _QUOTED.split(_APOSTROPHE.sub(lambda said: said[0].replace("'", "&#39;"), seen))
    pieces[::2] = [tags.replace('"', "'") for tags in pieces[::2]]
    single = "".join(pieces)
    for sign, escaped in _ESCAPED.items():
        single = single.replace(sign, escaped)
    return f"data:image/svg+xml,{single}"


def _head(title: str) -> str:
    return (
        f'<!doctype html><html lang="{language()}"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width">'
    )


def _packed(player: Player) -> str:
    """The program, deflated, in letters. Its scripts are the same in many pictures, so they are deflated once."""
    scripts, facts = player.scripts(), player.start().encode()
    begun, packer = _begun(scripts, 9 if len(scripts) + len(facts) < LARGE else 6)
    packer = packer.copy()
    return b64encode(begun + packer.compress(facts) + packer.flush()).decode()


@cache
def _begun(scripts: str, effort: int) -> tuple[bytes, zlib._Compress]:
    """Scripts, deflated as far as they can be before it is known what follows; and what goes on from a copy of it."""
    packer = zlib.compressobj(effort, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(scripts.encode()), packer
