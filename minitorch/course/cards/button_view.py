"""The check button on a page: two buttons, below them a line on what the last press did and the hint, then the card."""

from __future__ import annotations

import html
import threading
from typing import TYPE_CHECKING

from minitorch.course.cards.live import Live, Parts
from minitorch.course.cards.report import frame_html
from minitorch.language import Message

if TYPE_CHECKING:
    from minitorch.course.cards.check_button import CheckButton


class ButtonView:
    """Shows a CheckButton. Raises ImportError when anywidget is missing."""

    def __init__(self, button: CheckButton) -> None:
        self.button = button
        names = Message("check {names}", names=button.names), Message("hint")
        self.check, self.hint = (name.to(button.lang) for name in names)
        words = Message("run this cell to get the buttons “{check}” and “{hint}”", check=self.check, hint=self.hint).to(
            button.lang
        )
        self.live = Live(button.card(), self.parts(), self.heard, words=words)
        self._lock = threading.Lock()  # a hint may come while a check is running
        button.tell = self.update

    def heard(self, what: str) -> None:
        """Do what was pressed."""
        if what == "check":
            self.button.press()
        elif what == "hint":
            self.button.hint()

    def parts(self) -> Parts:
        """The pieces of the widget, from top to bottom."""
        hint = self.button.hint_card()
        said = html.escape(self.button.said)
        return [
            ("bar", f"<div>{_button('check', self.check)}{_button('hint', self.hint)}</div>"),
            ("said", frame_html(said) if said else ""),
            ("hint", hint.html if hint else ""),
            ("card", self.button.verdict_card().html),
        ]

    def update(self) -> None:
        """Show what the button holds now, in the widget and in the notebook."""
        with self._lock:
            self.live.update(self.button.card(), self.parts())

    def show(self) -> None:
        """Publish the card and the widget into the cell that is running."""
        self.live.show()


def _button(what: str, shown: str) -> str:
    return f'<button type="button" data-say="{what}">{html.escape(shown)}</button>'
