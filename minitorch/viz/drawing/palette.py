"""Okabe and Ito's colours, and tints of them to write on. Every text has a contrast of 4.5 or more in both themes."""

from __future__ import annotations

LIGHT = {
    "paper": "#ffffff", "card": "#ffffff", "ink": "#1b1f24", "soft": "#57606a", "line": "#6e7781",
    "op": "#0072b2", "on-op": "#ffffff", "leaf": "#009e73", "leaf-card": "#eef8f4",
    "some": "#fde5c8", "on-some": "#6b3000", "zero": "#f8f3b5", "on-zero": "#4d4600", "freed": "#e4e7ea",
    "back": "#d55e00", "on-back": "#a84400", "wide": "#cc79a7", "on-wide": "#8a3a69",
}  # fmt: skip
DARK = {
    "paper": "#14181d", "card": "#1e242b", "ink": "#e9ecef", "soft": "#aab2bb", "line": "#8b949e",
    "op": "#56b4e9", "on-op": "#06131c", "leaf": "#009e73", "leaf-card": "#17302a",
    "some": "#53300a", "on-some": "#ffd9a8", "zero": "#45400f", "on-zero": "#f5ea75", "freed": "#343c45",
    "back": "#e69f00", "on-back": "#ffc04d", "wide": "#cc79a7", "on-wide": "#e6a3c8",
}  # fmt: skip

# What does not change with the theme. `@` stands for the picture's own id, so that two pictures on a page stay apart.
_FORM = """\
@ text{font:13px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;text-anchor:middle}
@ tspan{font-weight:700}
@ .o>rect,@ .k>rect{stroke-width:1.5}@ .l>rect{stroke-width:2}@ .k>rect{stroke-dasharray:2 3}
@ .r>rect,@ .v>rect{stroke-width:3.5}@ .d>rect{stroke-dasharray:7 4}@ .u{font-weight:700}
@ .b,@ .g,@ .z,@ .y{stroke-width:17;stroke-linecap:round}@ .b{stroke-width:20}
@ .t,@ .w{font-size:12px}@ .w{font-style:italic}
@ .e{fill:none;stroke-width:1.5}@ .e>path{marker-end:url(@a)}
@ .e>.x{stroke-width:3;stroke-dasharray:9 3;marker-end:url(@x)}
@ .e>.c,@ .e>.h{stroke-width:2.5;marker-end:none;marker-start:url(@b)}@ .e>.h{stroke-width:5}
@ .m text{font-size:12px;stroke-width:5;paint-order:stroke;text-anchor:start}
@ .m>.q{text-anchor:end}@ .m>.c{font-weight:700}
@ .f{font-size:12px;text-anchor:start}
"""
_PAINT = (
    ("@ .p", "fill", "paper"),
    ("@ text", "fill", "ink"),
    ("@ .w,@ .m text,@ .f", "fill", "soft"),
    ("@ .m text", "stroke", "paper"),
    ("@ .o>rect,@ .k>rect", "fill", "card"),
    ("@ .o>rect,@ .b", "stroke", "op"),
    ("@ .o>.u", "fill", "on-op"),
    ("@ .l>rect", "fill", "leaf-card"),
    ("@ .l>rect", "stroke", "leaf"),
    ("@ .k>rect", "stroke", "soft"),
    ("@ .g", "stroke", "some"),
    ("@ .g+text", "fill", "on-some"),
    ("@ .z", "stroke", "zero"),
    ("@ .z+text", "fill", "on-zero"),
    ("@ .y", "stroke", "freed"),
    ("@ .v>rect", "stroke", "back"),
    ("@ .e", "stroke", "line"),
    ("@a", "fill", "line"),
    ("@ .e>.x", "stroke", "wide"),
    ("@x", "fill", "wide"),
    ("@ .m>.x", "fill", "on-wide"),
    ("@ .e>.c,@ .e>.h", "stroke", "back"),
    ("@b", "fill", "back"),
    ("@ .m>.c", "fill", "on-back"),
)


def style(name: str) -> str:
    """The style sheet of the picture whose id is `name`: light, and dark where the reader's system is dark."""
    own = f"#{name}"
    light, dark = _painted(LIGHT).replace("@", own), _painted(DARK).replace("@", own)
    return f"{_FORM.replace('@', own)}{light}\n@media(prefers-color-scheme:dark){{{dark}}}"


def _painted(colours: dict[str, str]) -> str:
    return "".join(f"{where}{{{what}:{colours[which]}}}" for where, what, which in _PAINT)
