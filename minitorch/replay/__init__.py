"""Capture and replay."""

from minitorch.replay.step import capture
