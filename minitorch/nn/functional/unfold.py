"""Old name of the module of unfold and fold, which stand in `compat`."""

from minitorch.moved import moved_names

__getattr__, __dir__ = moved_names(__name__)
