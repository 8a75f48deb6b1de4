"""Noticing that a learner's file was saved: as the system tells it, and by looking, where the system tells nothing.

`watchfiles` waits for the system's notices. A network file system or a container's mount may lose them without a word,
so the files' times are looked at every other second as well; twice a second with `poll`, or where there are no notices.
That look alone decides what has changed, and it costs one call to the system for each lesson.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from pathlib import Path

from watchfiles import awatch

from minitorch.course.files.course_folder import exercise_path
from minitorch.course.manifest import Lesson

LOOK_MS = 2000
POLL_MS = 500
STEP_MS = 50
DEBOUNCE_MS = 400
SETTLE_S = 0.1  # a file that stays the same for so long is written
SETTLE_LOOKS = 12  # a file that is empty or gone for longer than these looks is meant to be

Stamp = tuple[int, int, int] | None  # time, size and number of a file; None where there is none


class Saves:
    """The saves below one course folder, from the moment that this is made.

    async for lessons in Saves(folder, course.lessons): ...     # the numbers of the lessons whose files changed
    """

    def __init__(self, folder: Path, lessons: Iterable[Lesson], *, poll: bool = False) -> None:
        self.folder = folder / "exercises"
        self.paths = {lesson.number: exercise_path(folder, lesson) for lesson in lessons}
        self.poll = poll
        self.seen = self._look()

    async def __aiter__(self) -> AsyncIterator[frozenset[str]]:
        """Wait for saves. It never ends by itself."""
        async for _ in self._moments():
            if await asyncio.to_thread(self._look) != self.seen:
                changed = await self._settled()
                if changed:
                    yield changed

    async def _moments(self) -> AsyncIterator[None]:
        """Yield whenever it is worth looking: at a notice of the system, and every so often."""
        while not self.poll:
            try:
                async for _ in awatch(
                    self.folder,
                    watch_filter=None,
                    debounce=DEBOUNCE_MS,
                    step=STEP_MS,
                    rust_timeout=LOOK_MS,
                    yield_on_timeout=True,
                    recursive=False,
                ):
                    yield
            except FileNotFoundError:  # the folder is gone, and may come back
                await asyncio.sleep(POLL_MS / 1000)
                yield
            except (OSError, RuntimeError):  # the system has no notices to give here
                self.poll = True
        while True:
            await asyncio.sleep(POLL_MS / 1000)
            yield

    async def _settled(self) -> frozenset[str]:
        """Wait until the files stay as they are; return the lessons whose files are other ones than before.

        Editors write in steps: some empty the file first, some move it away and a new one into its place.
        """
        now = await asyncio.to_thread(self._look)
        for _ in range(SETTLE_LOOKS):
            await asyncio.sleep(SETTLE_S)
            before, now = now, await asyncio.to_thread(self._look)
            whole = all(stamp is not None and stamp[1] for number, stamp in now.items() if stamp != self.seen[number])
            if now == before and whole:
                break
        changed = frozenset(number for number, stamp in now.items() if stamp != self.seen[number])
        self.seen = now
        return changed

    def _look(self) -> dict[str, Stamp]:
        return {number: _stamp(path) for number, path in self.paths.items()}


def _stamp(path: Path) -> Stamp:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
