"""`minitorch watch` as a real process in a pseudo-terminal: what is on the screen, and how the terminal is left."""

from __future__ import annotations

import contextlib
import os
import signal
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from minitorch.course.files.chosen import chosen_language, keep_language

fcntl = pytest.importorskip("fcntl")
pty = pytest.importorskip("pty")
termios = pytest.importorskip("termios")
pyte = pytest.importorskip("pyte")

PATIENCE_S = 600  # for a busy machine: nothing here measures time
# The course is the tiny one of these tests: its folders are named on the command line.
PROGRAM = """
import sys
from pathlib import Path
from minitorch.course import manifest
root = Path(sys.argv.pop(1))
tiny = manifest.load(root / "lessons", root / "solutions")
manifest.load = lambda *_: tiny
from minitorch.course.cli import main
sys.argv[0] = "minitorch"
main()
"""


class Terminal:
    """A process in a pseudo-terminal, and what a terminal would show of it."""

    def __init__(self, words: list[str], folder: Path, columns: int = 80, rows: int = 24, **environment: str) -> None:
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.raw = b""
        self.lock = threading.Lock()
        self.master, self.slave = pty.openpty()
        self.resize(columns, rows)
        self.before = termios.tcgetattr(self.slave)
        self.process = subprocess.Popen(
            words,
            cwd=folder,
            stdin=self.slave,
            stdout=self.slave,
            stderr=self.slave,
            start_new_session=True,
            env={**os.environ, "TERM": "xterm-256color", "MINITORCH_LANG": "en", **environment},
        )
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        with contextlib.suppress(OSError):
            while part := os.read(self.master, 65536):
                with self.lock:
                    self.raw += part
                    self.stream.feed(part)

    def text(self) -> str:
        with self.lock:
            return "\n".join(line.rstrip() for line in self.screen.display)

    def press(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def resize(self, columns: int, rows: int) -> None:
        with self.lock:
            self.screen.resize(rows, columns)
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def wait_for(self, *words: str) -> str:
        """Return the screen once all of these words stand on it."""
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            screen = self.text()
            if all(word in screen for word in words):
                return screen
            time.sleep(0.02)
        raise AssertionError(f"waited for {words} on this screen:\n{self.text()}")

    def ended(self) -> int:
        return self.process.wait(PATIENCE_S)

    def is_as_it_was(self) -> bool:
        """Whether keys are echoed again and the other screen, which was switched to, has been left."""
        now = termios.tcgetattr(self.slave)
        deadline = time.monotonic() + PATIENCE_S
        while self.raw.rfind(b"\x1b[?1049l") < self.raw.rfind(b"\x1b[?1049h") and time.monotonic() < deadline:
            time.sleep(0.02)
        left = self.raw.rfind(b"\x1b[?1049l") > self.raw.rfind(b"\x1b[?1049h")
        shown = self.raw.rfind(b"\x1b[?25h") > self.raw.rfind(b"\x1b[?25l")
        return now == self.before and left and shown

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.slave)
        os.close(self.master)


@pytest.fixture
def open_watch(tiny, course_folder):
    """Start `minitorch watch` on the tiny course."""
    opened = []
    root = tiny.lessons[0].folder.parent.parent

    def start(*words: str, **more) -> Terminal:
        opened.append(Terminal([sys.executable, "-c", PROGRAM, str(root), "watch", *words], course_folder, **more))
        return opened[-1]

    yield start
    for terminal in opened:
        terminal.close()


@pytest.fixture
def file(course_folder) -> Path:
    return course_folder / "exercises" / "lesson_01_tiny.py"


def test_a_learners_round(open_watch, file, solution):
    terminal = open_watch()
    terminal.wait_for("○ double: not started", "Next: write double in exercises/lesson_01_tiny.py", "checked")
    file.write_text(solution.replace("return 2 * x", "print('here', x)\n    return x * x"))
    screen = terminal.wait_for("✗ double: wrong. You squared x.", "│ here 3.0", "expected  6.0", "got       9.0")
    assert "Multiply by 2." not in screen
    terminal.press("h")
    terminal.wait_for("double: hint 2 of 4", "Multiply by 2.")
    file.write_text(solution.replace("return sum(self.things)", "raise NotImplementedError"))
    terminal.wait_for("✓ double: passed", "2 of 3 passed", "Passed. Next: total (", "Press n or Enter", "checked")
    terminal.press("n")
    terminal.wait_for("total (3 of 3)", "○ total: not started")
    file.write_text(solution)
    terminal.wait_for("✓ total: passed", "Passed, and so is everything else: 3 of 3.")
    terminal.press("q")
    assert terminal.ended() == 0
    assert terminal.is_as_it_was()


def test_keys_react_while_a_check_hangs_and_the_next_save_ends_it(open_watch, file, solution, tiny):
    checks = tiny.lessons[0].folder / "checks.py"
    checks.write_text(checks.read_text().replace("limit_s=0.5", f"limit_s={10 * PATIENCE_S}"))
    terminal = open_watch()
    terminal.wait_for("○ double: not started", "checked")
    file.write_text(solution.replace("return 2 * x", "while True: pass"))
    terminal.wait_for("checking … 3 to go")
    terminal.press("l")
    terminal.wait_for("> ○ double")
    terminal.press("l")
    terminal.wait_for("checking … 3 to go", "h hint")
    file.write_text(solution)
    terminal.wait_for("✓ double: passed", "3 of 3 passed")
    file.write_text(solution.replace("return 2 * x", "while True: pass"))
    terminal.wait_for("checking … 3 to go")
    terminal.press("q")
    assert terminal.ended() == 0
    assert terminal.is_as_it_was()


def test_a_superseded_check_leaves_nothing_in_the_progress(open_watch, file, solution, tiny, course_folder):
    """What a killed process answers is no evidence: it must not be saved as a verdict."""
    checks = tiny.lessons[0].folder / "checks.py"
    checks.write_text(checks.read_text().replace("limit_s=0.5", f"limit_s={10 * PATIENCE_S}"))
    file.write_text(solution.replace("return 2 * x", "while True: pass"))
    terminal = open_watch()
    terminal.wait_for("checking … 3 to go")
    time.sleep(1)
    terminal.press("q")
    assert terminal.ended() == 0
    assert not (course_folder / ".minitorch" / "progress" / "double.json").exists()


def test_reset_asks_and_keeps_a_backup(open_watch, file, course_folder):
    mine = file.read_text().replace("raise NotImplementedError", "return x * x", 1)
    file.write_text(mine)
    terminal = open_watch()
    terminal.wait_for("You squared x.")
    terminal.press("r")
    terminal.wait_for("Take double back to its stub?")
    terminal.press("n")
    terminal.press("r")
    terminal.press("y")
    terminal.wait_for(
        "double is back to its stub; your version is kept in\n.minitorch/backups", "○ double: not started"
    )
    (backup,) = (course_folder / ".minitorch" / "backups").iterdir()
    assert backup.read_text() == mine


@pytest.mark.parametrize("end", ["\x03", signal.SIGTERM, signal.SIGHUP], ids=["ctrl-c", "sigterm", "sighup"])
def test_however_it_ends_the_terminal_is_as_it_was(open_watch, end):
    terminal = open_watch()
    terminal.wait_for("○ double: not started")
    if isinstance(end, str):
        terminal.press(end)
    else:
        terminal.process.send_signal(end)
    assert terminal.ended() == 0
    assert terminal.is_as_it_was()


def test_after_an_exception_the_terminal_is_as_it_was(tiny, course_folder):
    program = PROGRAM.replace(
        "from minitorch.course.cli import main",
        "from minitorch.course.cli import main\n"
        "from minitorch.course.watching import app\n"
        "def boom(*_): raise RuntimeError('boom')\n"
        "app.step = boom",
    )
    root = tiny.lessons[0].folder.parent.parent
    terminal = Terminal([sys.executable, "-c", program, str(root), "watch"], course_folder)
    try:
        assert terminal.ended() == 1
        assert terminal.is_as_it_was()
        terminal.wait_for("RuntimeError: boom")
    finally:
        terminal.close()


def test_it_follows_the_size_of_the_window(open_watch):
    terminal = open_watch(columns=100, rows=30)
    terminal.wait_for("○ double: not started", "q quit")
    terminal.resize(60, 20)
    terminal.process.send_signal(signal.SIGWINCH)
    deadline = time.monotonic() + PATIENCE_S
    while len(terminal.text().splitlines()[1]) != 60 and time.monotonic() < deadline:
        time.sleep(0.02)
    screen = terminal.wait_for("○ double: not started", "h hint", "q quit")
    assert screen.splitlines()[1] == "─" * 60


def test_without_colours_nothing_is_lost_and_no_colour_is_sent(open_watch, file):
    file.write_text(file.read_text().replace("raise NotImplementedError", "return x * x", 1))
    terminal = open_watch(NO_COLOR="1")
    terminal.wait_for("✗ double: wrong. You squared x.")
    colours = [f"{code}".encode() for code in (*range(30, 38), *range(90, 98), 38)]
    sent = [part.split(b"m")[0].split(b";") for part in terminal.raw.split(b"\x1b[")[1:] if b"m" in part[:12]]
    assert [codes for codes in sent if set(codes) & set(colours)] == []


def test_a_pasted_text_is_no_key(open_watch):
    terminal = open_watch()
    terminal.wait_for("○ double: not started")
    terminal.press("\x1b[200~qqq l\x1b[201~")
    terminal.press("?")
    terminal.wait_for("any key goes back")


def test_it_begins_where_it_is_told(open_watch):
    open_watch("total", "--lang", "es").wait_for("total (3 de 3)", "○ total: sin empezar", "q salir")


def test_it_speaks_the_language_that_the_folder_was_made_in(open_watch, course_folder):
    keep_language(course_folder, "es")
    terminal = open_watch(MINITORCH_LANG="")
    terminal.wait_for("○ double: sin empezar", "q salir")
    terminal.press("q")
    terminal.process.wait(PATIENCE_S)
    assert chosen_language(course_folder) == "es"


def test_a_name_that_does_not_exist_gets_one_line(open_watch):
    terminal = open_watch("toal")
    terminal.wait_for("there is no exercise or lesson 'toal'; did you mean total?")
    assert terminal.ended() == 2


def test_without_a_terminal_it_prints_the_verdicts_after_every_save(tiny, course_folder, file, solution):
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        pytest.skip("these tests run in the background of a shell, where Ctrl-C is ignored by all that they start")
    root = tiny.lessons[0].folder.parent.parent
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(root), "watch"],
        cwd=course_folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "MINITORCH_LANG": "en", "PYTHONUTF8": "1"},
    )
    try:
        assert process.stdout is not None
        assert "This is no terminal" in process.stdout.readline()
        time.sleep(1)
        file.write_text(solution.replace("return 2 * x", "return x * x"))
        lines = [process.stdout.readline()]
        while "of 3 passed" not in lines[-1]:
            lines.append(process.stdout.readline())
        assert "was saved" in "".join(lines)
        assert "✗ double: wrong. You squared x.\n" in lines
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_S) == 0
    finally:
        process.kill()
        process.communicate()
