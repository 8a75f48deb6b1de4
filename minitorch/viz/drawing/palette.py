"""Okabe and Ito's colours, and tints of them to write on. Every text has a contrast of 4.5 or more in both themes.

For a bright room there are two more on white: stronger ones, whose texts have a contrast of 7 or more, and black alone.
"""

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
STRONG = {
    "paper": "#ffffff", "card": "#ffffff", "ink": "#000000", "soft": "#000000", "line": "#000000",
    "op": "#003f66", "on-op": "#ffffff", "leaf": "#004d38", "leaf-card": "#ffffff",
    "some": "#ffc98a", "on-some": "#000000", "zero": "#fff27a", "on-zero": "#000000", "freed": "#d0d4d8",
    "back": "#8a3200", "on-back": "#6e2800", "wide": "#7a1552", "on-wide": "#5c0f3d",
}  # fmt: skip
BLACK = {
    "paper": "#ffffff", "card": "#ffffff", "ink": "#000000", "soft": "#000000", "line": "#000000",
    "op": "#000000", "on-op": "#ffffff", "leaf": "#000000", "leaf-card": "#ffffff",
    "some": "#d9d9d9", "on-some": "#000000", "zero": "#f0f0f0", "on-zero": "#000000", "freed": "#ffffff",
    "back": "#000000", "on-back": "#000000", "wide": "#000000", "on-wide": "#000000",
}  # fmt: skip
LOOKS = {"light": LIGHT, "dark": DARK, "strong": STRONG, "black": BLACK}
