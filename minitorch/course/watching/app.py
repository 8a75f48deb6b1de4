"""`minitorch watch`: checks what you write whenever you save it.

`watch_state` decides, `watch_screen` draws, `watch_files` notices saves, `watch_checks` judges. Here they are put
together: on a whole screen, or as printed lines where no keys can be read.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime as dt
import os
import signal
import sys
from collections.abc import Callable

from prompt_toolkit.application import Application
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import FormattedTextControl, Layout, Window
from prompt_toolkit.output import ColorDepth

from minitorch.course.cards.following import after
from minitorch.course.cards.hint_log import HintLog
from minitorch.course.cards.report import blocks, clean, summary
from minitorch.course.cards.stand_ins import plain
from minitorch.course.course_error import CourseError
from minitorch.course.files.reset import reset_exercise
from minitorch.course.session import Session
from minitorch.course.watching.checks import Checker
from minitorch.course.watching.files import Saves
from minitorch.course.watching.screen import draw
from minitorch.course.watching.state import Check, Effect, Event, HintShown, Key, Leave, Reset, Saved, Told, begin, step
from minitorch.language import Message

NAMED_KEYS = {
    Keys.Up: "up",
    Keys.Down: "down",
    Keys.PageUp: "pageup",
    Keys.PageDown: "pagedown",
    Keys.Home: "home",
    Keys.End: "end",
    Keys.Enter: "enter",
    Keys.Escape: "escape",
    Keys.ControlC: "interrupt",
}
ESCAPE_S = 0.1  # the Escape key is told from the beginning of another key by how long nothing follows
END_SIGNALS = ("SIGTERM", "SIGHUP")


def watch(session: Session, lang: str, at: str | None = None, *, poll: bool = False) -> None:
    """Watch a course folder until the learner leaves, from the exercise `at` or from the first that is not passed.

    Raises CourseError when the course holds no exercise.
    """
    if not session.course.exercises:
        raise CourseError("the course holds no exercise to watch")
    if has_keys():
        asyncio.run(_Screen(session, lang, at, poll=poll).run())
        return
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(watch_plainly(session, lang, poll=poll))


def has_keys() -> bool:
    """Whether keys can be read here and a screen drawn."""
    try:
        terminal = sys.stdin.isatty() and sys.stdout.isatty()
    except (AttributeError, ValueError):  # closed, or none at all
        return False
    return terminal and os.environ.get("TERM", "") not in {"dumb", "unknown"}


class _Screen:
    """The terminal: keys, saves and verdicts become events, and the state that they lead to is drawn."""

    def __init__(self, session: Session, lang: str, at: str | None, *, poll: bool) -> None:
        self.session, self.lang = session, lang
        self.saves = Saves(session.folder, session.course.lessons, poll=poll)
        self.state, self.first = begin(session.course, session.known(), at)
        self.reach = 0
        self.app: Application[None] = Application(
            layout=Layout(Window(FormattedTextControl(self._drawn, show_cursor=False), always_hide_cursor=True)),
            key_bindings=self._keys(),
            full_screen=True,
            mouse_support=False,
            color_depth=ColorDepth.DEPTH_1_BIT if os.environ.get("NO_COLOR") else ColorDepth.DEPTH_4_BIT,
        )
        self.app.ttimeoutlen = ESCAPE_S
        self.app.timeoutlen = ESCAPE_S

    async def run(self) -> None:
        loop = asyncio.get_running_loop()
        self.checker = Checker(self.session, lambda event: _post(loop, self._take, event))
        for name in END_SIGNALS:
            with contextlib.suppress(NotImplementedError, AttributeError, ValueError):
                loop.add_signal_handler(getattr(signal, name), self._leave)
        saves = asyncio.create_task(self._follow())
        try:
            await self.app.run_async(pre_run=lambda: self._perform(self.first))
        finally:
            saves.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await saves
            self.checker.close()

    async def _follow(self) -> None:
        try:
            async for lessons in self.saves:
                self._take(Saved(lessons))
        except Exception as error:  # noqa: BLE001 - it ends the screen, and is raised again where that is closed
            self._leave(error)

    def _take(self, event: Event) -> None:
        """Take one step. Whatever goes wrong here ends the screen first, so that the terminal is whole again."""
        try:
            self.state, effects = step(self.state, event)
            self._perform(effects)
        except Exception as error:  # noqa: BLE001
            self._leave(error)
        self.app.invalidate()

    def _perform(self, effects: list[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Check):
                self.checker.check(effect)
            elif isinstance(effect, Reset):
                self._take(Told(self._reset(effect.name)))
            elif isinstance(effect, HintShown):
                exercise = self.session.course.exercise(effect.name)
                HintLog(self.session.folder).add(exercise, effect.step, self.state.verdicts.get(effect.name))
            elif isinstance(effect, Leave):
                self._leave()

    def _leave(self, error: BaseException | None = None) -> None:
        if not self.app.is_running or self.app.is_done:
            return
        if error is None:
            self.app.exit()
        else:
            self.app.exit(exception=error)

    def _reset(self, name: str) -> Message:
        course, folder = self.session.course, self.session.folder
        exercise = course.exercise(name)
        try:
            done = reset_exercise(folder, course.lesson_of(exercise), exercise, self.lang)
        except CourseError as error:
            return Message.of(str(error))
        return done.told(self.session.folder)

    def _keys(self) -> KeyBindings:
        bindings = KeyBindings()

        @bindings.add(Keys.Any)
        def _(event: KeyPressEvent) -> None:
            if len(event.data) == 1 and event.data.isprintable():  # not a text that was pasted
                self._take(Key(event.data, self.reach))

        @bindings.add(Keys.ControlZ)
        def _(event: KeyPressEvent) -> None:
            event.app.suspend_to_background()

        @bindings.add(Keys.BracketedPaste)
        def _(_event: KeyPressEvent) -> None:
            return

        for key, name in NAMED_KEYS.items():
            bindings.add(key)(self._named(name))
        return bindings

    def _named(self, name: str) -> Callable[[KeyPressEvent], None]:
        return lambda _event: self._take(Key(name, self.reach))

    def _drawn(self) -> StyleAndTextTuples:
        size = self.app.output.get_size()
        try:
            picture = draw(self.state, size.columns, size.rows, self.lang)
        except Exception as error:  # noqa: BLE001
            self._leave(error)
            return []
        self.reach = picture.reach
        pieces: StyleAndTextTuples = []
        encoding = self.app.output.encoding()
        for row in picture.rows:
            pieces += [*((style, plain(text, encoding)) for style, text in row), ("", "\n")]
        return pieces[:-1]


async def watch_plainly(session: Session, lang: str, *, poll: bool = False) -> None:
    """Print the verdicts on a lesson whenever its file was saved. For places without keys; it never ends by itself."""
    _print(
        Message(
            "This is no terminal that keys can be read from, so watch prints the verdicts after "
            "every save. Ctrl-C ends it."
        ).to(lang)
    )
    saves = Saves(session.folder, session.course.lessons, poll=poll)
    async for lessons in saves:
        for number in sorted(lessons):
            lesson = session.course.lesson(number)
            now = dt.datetime.now().astimezone().strftime("%H:%M:%S")
            _print("", Message("{at} · {file} was saved", at=now, file=lesson.file_name).to(lang))
            try:
                verdicts = await asyncio.to_thread(lambda: list(session.check(lesson.exercises)))  # noqa: B023
            except CourseError as error:
                _print(clean(str(error)))
                continue
            HintLog(session.folder).saw(session.course, verdicts)
            for block in blocks(verdicts, lang):
                _print(*block.text_lines())
            coming = after(session, verdicts)
            counted = summary(verdicts, lang, session.course.more_names)
            _print(counted, *([coming.text(lang, terminal=True)] if coming else []))


def _print(*lines: str) -> None:
    print(*lines, sep="\n", flush=True)  # noqa: T201


def _post(loop: asyncio.AbstractEventLoop, take: Callable[[Event], None], event: Event) -> None:
    with contextlib.suppress(RuntimeError):  # the loop has ended, and nobody looks any more
        loop.call_soon_threadsafe(take, event)
