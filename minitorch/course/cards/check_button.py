"""The check button: a verdict that is made anew from the files on disk at each press, and the hints beside it.

Here is what a press does; `button_view` puts it on a page.
"""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from minitorch.course.cards import hints
from minitorch.course.cards.following import verdict_card
from minitorch.course.cards.hint_log import HintLog, ask
from minitorch.course.cards.report import Card, frame_html, notes_html
from minitorch.course.course_error import CourseError
from minitorch.course.files.course_folder import read_exercises
from minitorch.course.judging.verdict import Verdict
from minitorch.course.manifest import Course, Exercise
from minitorch.course.sandbox.platforms import Platform
from minitorch.course.session import Session
from minitorch.language import N_, Message

if TYPE_CHECKING:
    from minitorch.course.cards.button_view import ButtonView


class CheckButton:
    """Exercises that are judged once when this is made, and again at each press.

    A press during a run is kept: when the run ends, the files are judged once more if they have changed since it
    began. So the last verdict is about the files as they were at the last press, and nothing is judged twice.
    """

    def __init__(self, course: Course, folder: Path, exercises: Sequence[Exercise], lang: str) -> None:
        self.course, self.folder, self.exercises, self.lang = course, folder, tuple(exercises), lang
        self.said = ""  # one line on what the last press did
        self.tell: Callable[[], None] = lambda: None  # called whenever there is something new to show
        self._verdicts: list[Verdict] = []
        self._judged: dict[str, str] = {}  # the files that the verdicts are about: name -> hash
        self._hint: tuple[Exercise, Card] | None = None
        self._log = HintLog(folder)
        self._lock = threading.Lock()
        self._running = self._pressed_again = False
        self._thread: threading.Thread | None = None
        self._view: ButtonView | None = None
        self._verdict_card = self._judge()

    @property
    def names(self) -> str:
        """What is checked: exercises by name, or a whole lesson by number."""
        lesson = self.course.lesson_of(self.exercises[0])
        if len(self.exercises) > 1 and self.exercises == lesson.exercises:
            return lesson.number
        return ", ".join(exercise.name for exercise in self.exercises)

    def card(self) -> Card:
        """The verdicts, and below them the hint that was asked for last."""
        hint = self.hint_card()
        return self._verdict_card if hint is None else _below(self._verdict_card, hint)

    def verdict_card(self) -> Card:
        """The verdicts alone."""
        return self._verdict_card

    def hint_card(self) -> Card | None:
        """The hint that was asked for last, as long as its exercise has not passed."""
        return None if self._hint is None else self._hint[1]

    def press(self) -> None:
        """Judge the files as they are now: in the background, where there are threads."""
        with self._lock:
            self._pressed_again = self._running
            if self._running:
                return
            self._running = True
        if not Platform.here().processes:
            self._run()
            return
        context = contextvars.copy_context()  # where a kernel keeps the request that it answers
        self._thread = threading.Thread(target=context.run, args=(self._run,), daemon=True)
        self._thread.start()

    def wait(self, timeout: float | None = None) -> None:
        """Wait until nothing is being judged. Raises TimeoutError when that takes longer than `timeout` seconds."""
        if self._thread is not None:
            self._thread.join(timeout)
            if self._thread.is_alive():
                raise TimeoutError(f"{self.names} was still being checked after {timeout} s")

    def hint(self) -> None:
        """Show the next step of the hints to the first exercise that has not passed.

        They go on after the hint on the verdict's card, and anew when the verdict is another one. The solution comes
        last, and only once the exercise has passed.
        """
        name = next((verdict.exercise for verdict in self._verdicts if not verdict.passed), self.exercises[0].name)
        exercise = self.course.exercise(name)
        given = ask(
            Session(self.course, self.folder),
            exercise,
            None,
            self.lang,
            more=Message("press “hint” again").to(self.lang),
            confirm=f'hint("{name}", {hints.steps(exercise)}, confirm=True)',
            log=self._log,
        )
        self._hint = (exercise, given.card())
        self.tell()

    def _run(self) -> None:
        """Judge until no press is waiting: the work of one thread."""
        try:
            while True:
                unchanged = self._judged if any(not verdict.passed for verdict in self._verdicts) else None
                self._say(N_("checking {names} …"), names=self.names)
                try:
                    self._verdict_card = self._judge()
                except CourseError as error:
                    self._verdict_card = _sentence(str(error))
                files = ", ".join(f"exercises/{name}" for name in self._judged)
                self._say(
                    N_("checked again: {files} has not changed since the last check. Is it saved (Ctrl+S)?")
                    if self._judged == unchanged
                    else N_("checked again"),
                    files=files,
                )
                with self._lock:
                    if not self._pressed_again or self._files() == self._judged:
                        self._running = False
                        return
                    self._pressed_again = False
        except BaseException:
            with self._lock:
                self._running = False
            raise

    def _judge(self) -> Card:
        """Judge the files once. What is changed while they are read counts as changed since."""
        self._judged = self._files()
        session = Session(self.course, self.folder)
        self._verdicts = list(session.check(self.exercises))
        self._log.saw(self.course, self._verdicts)
        if self._hint and self._hint[0].name in {verdict.exercise for verdict in self._verdicts if verdict.passed}:
            self._hint = None
        return verdict_card(session, self._verdicts, self.lang)

    def _files(self) -> dict[str, str]:
        lessons = {exercise.lesson: self.course.lesson_of(exercise) for exercise in self.exercises}
        return {each.file_name: read_exercises(self.folder, each).sha256 for each in lessons.values()}

    def _say(self, key: str, **fields: str) -> None:
        self.said = Message(key, **fields).to(self.lang)
        self.tell()

    def _ipython_display_(self) -> None:
        from minitorch.course.cards.button_view import ButtonView

        if self._view is None:
            try:
                self._view = ButtonView(self)
            except ImportError:
                display: Any = import_module("IPython.display").display
                display(
                    _below(
                        self.card(),
                        _sentence(
                            Message(
                                "the check button needs anywidget, which is missing. Install it with: pip install "
                                '"minitorch-course[viz]". Until then, run this cell again to check'
                            ).to(self.lang)
                        ),
                    )
                )
                return
        self._view.show()

    def __repr__(self) -> str:
        return self.card().text


def _sentence(text: str) -> Card:
    return Card(frame_html(notes_html([text])), text)


def _below(above: Card, below: Card) -> Card:
    return Card(above.html + below.html, f"{above.text}\n{below.text}")
