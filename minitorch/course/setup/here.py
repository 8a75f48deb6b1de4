"""A course folder where a notebook is: for Colab, Binder, and a notebook that came alone."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from minitorch.course.cards.code_words import code_html, code_plain
from minitorch.course.cards.report import Card
from minitorch.course.files.course_folder import find_course_folder
from minitorch.course.setup import shadowing
from minitorch.course.setup.workspace import WorkspaceError, bring_up_to_date
from minitorch.course.texts.error import CourseError
from minitorch.course.texts.setup import tell


def make_here(folder: str | Path | None, lang: str) -> Card:
    """Make the folder, or bring it up to date; a card says where it is, and where it does not last."""
    if folder is None:
        try:
            place = find_course_folder()
        except CourseError:
            place = Path.cwd()
    else:
        place = Path(folder).expanduser().resolve()
        if place.exists() and not place.is_dir():
            raise WorkspaceError(tell("here file", lang, folder=place))
    bring_up_to_date(place, lang)
    if folder is not None:
        os.environ["MINITORCH_COURSE"] = str(place)  # the commands that are typed into a cell read it there, too
    lines = [tell("here", lang, folder=place)]
    if folder is None and (host := _lent()):
        lines.append(tell(host, lang))
    for path, name in shadowing.hiding(Path.cwd()):
        lines.append(tell("hides package", lang, file=shadowing.shown(path, place), name=name))
    return Card("".join(f"<p>{code_html(line)}</p>" for line in lines), "\n".join(map(code_plain, lines)))


def _lent() -> str:
    """The sentence about a machine that is lent for an hour or two; "" where the machine is one's own."""
    if "google.colab" in sys.modules:
        return "here colab"
    return "here binder" if "BINDER_SERVICE_HOST" in os.environ else ""
