"""What is said of a name that is not here."""

from __future__ import annotations

from minitorch.compat.porting.instead import NAMES, SUBJECTS
from minitorch.course.texts.messages import say
from minitorch.language import Text


def missing(path: str) -> Text:
    """Why `torch.<path>` is not here, and what instead."""
    if path in NAMES:
        return say("port_absent_because", name=path, why=say(NAMES[path].why))
    parts = path.split(".")
    for count in range(len(parts), 0, -1):
        subject = SUBJECTS.get(".".join(parts[:count]))
        if subject is not None:
            return say("port_absent_because", name=path, why=say(subject))
    return say("port_absent", name=path)
