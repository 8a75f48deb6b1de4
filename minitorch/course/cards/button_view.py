"""The check button on a page: two buttons, a line on what the last press did, and the card.

A notebook gets two outputs. The first is the card by itself, which a page can show when no kernel runs: in a file that
was saved, on a code host. The second is the widget, whose own card takes the place of the first while it lives.
"""

from __future__ import annotations

import html
import threading
from importlib import import_module
from typing import TYPE_CHECKING, Any

from minitorch.course.cards.report import Card, frame_html
from minitorch.course.texts.messages import say

if TYPE_CHECKING:
    from minitorch.course.cards.check_button import CheckButton

LIVE, STILL = "minitorch-live", "minitorch-still"
ONE_CARD = f"<style>.jp-OutputArea:has(.{LIVE}) .{STILL} {{ display: none }}</style>"


class ButtonView:
    """Shows a CheckButton. Raises ImportError when ipywidgets is missing."""

    def __init__(self, button: CheckButton) -> None:
        widgets: Any = import_module("ipywidgets")
        self._page: Any = import_module("IPython.display")
        self.button = button
        self.still = self._page.DisplayHandle()
        names = say("button_check", names=button.names), say("button_hint")
        self.check, self.hint = (
            widgets.Button(description=name.to(button.lang), layout=widgets.Layout(width="auto")) for name in names
        )
        self.said, self.card = widgets.HTML(), widgets.HTML()
        self.box = widgets.VBox([widgets.HBox([self.check, self.hint]), self.said, self.card])
        self.box.add_class(LIVE)
        self.check.on_click(lambda _: button.press())
        self.hint.on_click(lambda _: button.hint())
        self._shown = False
        self._lock = threading.Lock()  # a hint may come while a check is running
        button.tell = self.update
        self.update()

    def update(self) -> None:
        """Show what the button holds now, in the widget and in the notebook."""
        with self._lock:
            card = self.button.card()
            self.said.value = frame_html(f'<div role="status">{html.escape(self.button.said)}</div>')
            self.card.value = ONE_CARD + card.html
            if self._shown:
                self.still.update(_still(card))

    def show(self) -> None:
        """Publish the card and the widget into the cell that is running."""
        self.still.display(_still(self.button.card()))
        words = say("button_still", check=self.check.description, hint=self.hint.description).to(self.button.lang)
        self._page.display({**self.box._repr_mimebundle_(), "text/plain": words}, raw=True)
        self._shown = True


def _still(card: Card) -> Card:
    return Card(f'<div class="{STILL}">{card.html}</div>', card.text)
