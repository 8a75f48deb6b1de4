"""Old name of the module of unfold and fold, which stand in `compat`."""

from minitorch.lazy_imports import homes_of, lazy_attributes

_HOMES = homes_of("minitorch.compat.nn.functional", {"unfold": "fold unfold"})
__getattr__, __dir__ = lazy_attributes(__name__, _HOMES, ())
