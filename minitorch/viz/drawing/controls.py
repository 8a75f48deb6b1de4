"""What the controls of players say: their scripts hold no words of their own."""

from __future__ import annotations

from minitorch.language import gettext


def of_steps() -> dict[str, str]:
    """Words for the bar that goes through steps, by the names that static/theme.js and the players know."""
    return {
        "first": gettext("first step (Home)"),
        "previous": gettext("previous step (left arrow)"),
        "next": gettext("next step (right arrow)"),
        "last": gettext("last step (End)"),
        "play": gettext("play"),
        "playKey": gettext("play (space)"),
        "pause": gettext("pause"),
        "pauseKey": gettext("pause (space)"),
        "step": gettext("step"),
    }


def of_graph() -> dict[str, str]:
    """The same, and what else is said around a graph; `{…}` is what the script fills in."""
    return {
        **of_steps(),
        "step": gettext("step of the backward pass"),
        "speed": gettext("speed: {speed} (s)", speed="{speed}"),
        "slow": gettext("slow"),
        "normal": gettext("normal"),
        "fast": gettext("fast"),
        "stepNumber": gettext("step {step}", step="{step}"),
        "smaller": gettext("zoom out (-)"),
        "larger": gettext("zoom in (+)"),
        "fit": gettext("fit"),
        "fitKey": gettext("show all of it (0)"),
        "details": gettext("details"),
        "close": gettext("close the details (Escape)"),
        "value": gettext("value {value}", value="{value}"),
        "gradient": gettext("gradient"),
    }
