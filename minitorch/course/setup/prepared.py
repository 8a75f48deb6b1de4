"""The workspace that `minitorch lab 08` opens: a notebook, beside it the exercises and a terminal that watches them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from minitorch.course.files import source_code
from minitorch.course.files.course_folder import read_exercises
from minitorch.course.manifest import Course, Exercise, Lesson
from minitorch.course.session import Session

TERMINAL = "watch"  # the terminal's name


@dataclass(frozen=True, slots=True)
class Start:
    """Where a session of work begins."""

    lesson: Lesson
    exercise: Exercise  # the first that is not known to pass
    line: int  # where it begins in the learner's file

    @property
    def notebook(self) -> str:
        """The notebook, as it is named from the course folder."""
        return f"work/{self.lesson.notebook_name}"

    @property
    def file(self) -> str:
        """The file of exercises, as it is named from the course folder."""
        return f"exercises/{self.lesson.file_name}"

    @property
    def workspace(self) -> str:
        """The name of JupyterLab's workspace."""
        return f"lesson-{self.lesson.number}"

    @property
    def page(self) -> str:
        """The address behind the server's, without a token."""
        return f"/lab/workspaces/{self.workspace}"

    @property
    def at(self) -> str:
        """The place in the file of exercises, as the address names it."""
        return f"{self.file}:{self.line}"


def start(course: Course, folder: Path, word: str | None) -> Start:
    """Where to begin in the lesson that `word` names, or where the learner left off. Nothing is judged for this.

    Raises CourseError when there is no such lesson.
    """
    passed = {name for name, record in Session(course, folder).known().items() if record.verdict.passed}
    unfinished = [each for each in course.lessons if any(one.name not in passed for one in each.exercises)]
    lesson = course.lesson(word) if word is not None else (unfinished or course.lessons)[0]
    exercise = next((one for one in lesson.exercises if one.name not in passed), lesson.exercises[0])
    return Start(lesson, exercise, _line(folder, lesson, exercise))


def _line(folder: Path, lesson: Lesson, exercise: Exercise) -> int:
    source = read_exercises(folder, lesson).source
    try:
        span = source_code.find(source, exercise.target)
    except (SyntaxError, ValueError, RecursionError):
        span = source_code.guess_span(source, exercise.target)
    return span.first if span else 1


def layout(start: Start) -> str:
    """JupyterLab's file of the workspace."""
    notebook, editor, terminal = f"notebook:{start.notebook}", f"editor:{start.file}", f"terminal:{TERMINAL}"
    right = _split("vertical", [0.62, 0.38], [_tabs(editor), _tabs(terminal)])
    dock = _split("horizontal", [0.55, 0.45], [_tabs(notebook), right])
    collapsed = {"collapsed": True, "visible": True, "widgets": []}
    data = {
        "layout-restorer:data": {
            "main": {"dock": dock, "current": notebook},
            "down": {"size": 0, "collapsed": True, "widgets": []},
            "left": {**collapsed, "widgets": ["filebrowser"]},  # with a "current" one JupyterLab opens it all the same
            "right": collapsed,
        },
        notebook: {"data": {"path": start.notebook, "factory": "Notebook"}},
        editor: {"data": {"path": start.file, "factory": "Editor"}},
        terminal: {"data": {"name": TERMINAL}},
    }
    return json.dumps({"data": data, "metadata": {"id": start.workspace}})


def _tabs(widget: str) -> dict[str, Any]:
    return {"type": "tab-area", "currentIndex": 0, "widgets": [widget]}


def _split(orientation: str, sizes: list[float], children: list[dict[str, Any]]) -> dict[str, Any]:
    return {"type": "split-area", "orientation": orientation, "sizes": sizes, "children": children}
