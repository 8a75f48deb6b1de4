"""What the controls of players say: their scripts hold no words of their own."""

from __future__ import annotations

from minitorch.viz.texts.catalogue import say


def of_steps() -> dict[str, str]:
    """Words for the bar that goes through steps, by the names that static/theme.js and the players know."""
    return {
        "first": say("player_first"),
        "previous": say("player_previous"),
        "next": say("player_next"),
        "last": say("player_last"),
        "play": say("player_play"),
        "playKey": say("player_play_key"),
        "pause": say("player_pause"),
        "pauseKey": say("player_pause_key"),
        "step": say("player_step"),
    }


def of_graph() -> dict[str, str]:
    """The same, and what else is said around a graph; `{…}` is what the script fills in."""
    return {
        **of_steps(),
        "step": say("player_pass_step"),
        "speed": say("player_speed", speed="{speed}"),
        "slow": say("player_slow"),
        "normal": say("player_normal"),
        "fast": say("player_fast"),
        "stepNumber": say("player_step_number", step="{step}"),
        "smaller": say("player_smaller"),
        "larger": say("player_larger"),
        "fit": say("player_fit"),
        "fitKey": say("player_fit_key"),
        "details": say("player_details"),
        "close": say("player_close"),
        "value": say("player_value_spoken", value="{value}"),
        "gradient": say("list_gradient"),
    }
