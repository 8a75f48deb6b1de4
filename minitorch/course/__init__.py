"""The course: lessons, checks that name the mistake, progress. `check("add")` judges the file on disk.

    >>> from minitorch.course import check, check_button, engine, found, here, hint, planted, quiz, review, status
    >>> from minitorch.course import take_home, yours

Nothing here is imported by `import minitorch`; the names below are looked up when they are first asked for.

- `notebook.py`, `cli.py`, `pytest_plugin.py`: the three doors: a notebook, the command `minitorch`, `pytest exercises/`
- `command_line.py`: the command's help pages and what it says of a slip, in the learner's language
- `course_error.py`: the error that speaks the learner's language
- `pytest_guard.py`: what must not run beside the judge in pytest's process
- `manifest.py`: the list of lessons; `session.py`: checking the files on disk, which all three doors go through
- `files/`: the learner's files, read and written
- `sandbox/`: learner's code runs in a child; `judging/`: its values become a verdict that names the mistake
- `cards/`: verdicts, hints, quizzes and progress as they are shown; `watching/`: `minitorch watch`
- `activities/`: bug hunts and reviews
- `mine/`: `engine("mine")`, put together from what the learner wrote
- `grading/`: a class's hand-ins judged, and what they are worth
- `porting/`: what of a PyTorch program must change, so that it runs here
- `setup/`: a learner's folder and machine; `lessons/`: the lessons' data and checks
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from minitorch.course.notebook import (
        check,
        check_button,
        engine,
        found,
        here,
        hint,
        planted,
        quiz,
        review,
        status,
        take_home,
        yours,
    )

__all__ = [
    "check",
    "check_button",
    "engine",
    "found",
    "here",
    "hint",
    "planted",
    "quiz",
    "review",
    "status",
    "take_home",
    "yours",
]


def __getattr__(name: str) -> object:
    """Import the notebook interface only when one of its names is used."""
    if name in __all__:
        from minitorch.course import notebook

        return getattr(notebook, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
