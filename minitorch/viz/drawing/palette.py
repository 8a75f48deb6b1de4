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
