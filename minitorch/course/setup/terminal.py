"""The terminals that JupyterLab opens: `minitorch`, `python` and `pytest` in them are this installation's.

A login shell reads the system's profile, which sets PATH anew; a shell's own start file may put another Python first.
So the shell is no login shell, and puts this installation first after it has read the learner's own start file. The
first terminal of a session runs `minitorch watch`; when that is left, the shell is there.
"""

from __future__ import annotations

import os
import shlex
from pathlib import Path

from minitorch.serialization.atomic import write_atomically

BASH = """\
[ -r ~/.bashrc ] && . ~/.bashrc
{path}
{watch}
"""
ZSH = """\
ZDOTDIR="$HOME"
[ -r ~/.zshenv ] && . ~/.zshenv
[ -r ~/.zshrc ] && . ~/.zshrc
{path}
{watch}
"""
PLAIN = "{path}\n{watch}\n"
SET_PATH = 'export PATH={programs}:"$PATH"'
WATCH = "if command rm {mark} 2>/dev/null; then minitorch watch {exercise}; fi"
FISH = "set -gx PATH {programs} $PATH; if command rm {mark} 2>/dev/null; minitorch watch {exercise}; end"


def shell_command(folder: Path, programs: Path, exercise: str, shell: str | None = None) -> list[str] | None:
    """What JupyterLab is to start as a terminal; None where its own choice will do: Windows has no login shells.

    folder: where start files are written. programs: the folder that holds `minitorch` and `python`. exercise: what is
    watched. shell: the learner's, by default the one that `SHELL` names. Raises OSError.
    """
    if os.name == "nt":
        return None
    shell = shell or os.environ.get("SHELL") or "/bin/sh"
    mark = folder / "watch"
    write_atomically(mark, b"removed by the first terminal, which then runs minitorch watch\n")
    words = {name: shlex.quote(str(value)) for name, value in _words(programs, mark, exercise).items()}
    said = {"path": SET_PATH.format(**words), "watch": WATCH.format(**words)}
    name = Path(shell).name
    if name == "bash":
        return [shell, "--rcfile", _written(folder / "bashrc", BASH.format(**said)), "-i"]
    if name == "zsh":
        start = _written(folder / "zsh" / ".zshrc", ZSH.format(**said))
        return ["env", f"ZDOTDIR={Path(start).parent}", shell, "-i"]
    if name == "fish":
        return [shell, "-i", "-C", FISH.format(**words)]
    return ["env", f"ENV={_written(folder / 'shrc', PLAIN.format(**said))}", shell, "-i"]


def _words(programs: Path, mark: Path, exercise: str) -> dict[str, object]:
    return {"programs": programs, "mark": mark, "exercise": exercise}


def _written(path: Path, text: str) -> str:
    write_atomically(path, text.encode())
    return str(path)
