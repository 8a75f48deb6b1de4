"""A course folder where a notebook is: for Colab, Binder, and a notebook that came alone."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from minitorch.course.cards.code_words import code_html, code_plain
from minitorch.course.cards.report import Card
from minitorch.course.course_error import CourseError
from minitorch.course.files.course_folder import find_course_folder
from minitorch.course.setup import shadowing
from minitorch.course.setup.workspace import WorkspaceError, bring_up_to_date
from minitorch.language import N_, Message, language


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
            raise WorkspaceError(
                Message("{folder} is a file, so no course can lie in it. Name a folder.", folder=place).to(
                    language(lang)
                )
            )
    bring_up_to_date(place, lang)
    if folder is not None:
        os.environ["MINITORCH_COURSE"] = str(place)  # the commands that are typed into a cell read it there, too
    lines = [
        Message(
            "Your course folder is {folder}: your answers go into `exercises/`. Running this "
            "again replaces nothing that you wrote.",
            folder=place,
        ).to(language(lang))
    ]
    if folder is None and (host := _lent()):
        lines.append(Message(host).to(language(lang)))
    for path, name in shadowing.hiding(Path.cwd()):
        lines.append(Message(shadowing.HIDES, file=shadowing.shown(path, place), name=name).to(language(lang)))
    return Card("".join(f"<p>{code_html(line)}</p>" for line in lines), "\n".join(map(code_plain, lines)))


def _lent() -> str:
    """The sentence about a machine that is lent for an hour or two; "" where the machine is one's own."""
    if "google.colab" in sys.modules:
        return N_(
            "This machine is lent to you, and its files go with it. To keep yours, mount your Drive with `from "
            "google.colab import drive; drive.mount('drive')`, then run `here('drive/MyDrive/minitorch')`."
        )
    return (
        N_("This machine is lent to you, and its files go with it. Download `exercises/` to keep yours.")
        if "BINDER_SERVICE_HOST" in os.environ
        else ""
    )
