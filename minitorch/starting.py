"""`python -m minitorch lab` and `test` in a checkout: what `make lab` and `make test` do, where there is no make.

Both need more than NumPy. Where the Python that was called has it, the command goes on in that one; else in `.venv`,
which is made and filled as the Makefile does it, and marked in the same way. This file needs nothing but Python, for it
runs before NumPy is there, and in an older Python to say so.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parents[1]
OLDEST = (3, 11)
NEEDS = {"lab": ("jupyterlab",), "test": ("jupyterlab", "mypy", "pytest", "ruff")}
EXTRAS = {"lab": ".[lab]", "test": ".[lab,test,dev]"}
ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
# What `make test` runs once all is installed: modules and scripts for Python.
STEPS = (
    "-m ruff check .",
    "-m ruff format --check --quiet .",
    "scripts/prose.py",
    "-m mypy",
    "-m pytest -q -rs --numprocesses logical --maxprocesses 8 --dist loadfile --nbval notebooks --ignore=notebooks/es",
    "-m pytest -q -rs --numprocesses logical --maxprocesses 8 --dist worksteal -m",
)
UNIT = "not gate and not live"  # the marks of the last step, one word for Python


def N_(message: str) -> str:  # noqa: N802 (as `minitorch.language` has it, which cannot be imported yet)
    """Return a message as it is; `make translations` finds it here."""
    return message


TEXTS = {
    "old": N_("minitorch needs Python 3.11 or newer, and this is {version}."),
    "numpy": N_("minitorch needs NumPy, which is missing: pip install minitorch-course"),
    "hidden": N_("{file} hides NumPy: rename it, and start anew"),
    "making": N_("Making an environment in .venv"),
    "no venv": N_("Python could not make an environment. On Debian and Ubuntu: apt install python3-venv"),
    "installing": N_("Installing what `{what}` needs (once; this takes a minute or two)"),
    "failed": N_("Installing failed: the lines above say why. The first run needs a network."),
    "no tests": N_(
        "The tests are in the repository, and this is an installed package. `minitorch doctor` looks over one."
    ),
    "elsewhere": N_(
        "Those who write minitorch run these tests on Linux. One that needs Linux may fail here, not be skipped."
    ),
}


def sentence(key: str, **values: str) -> str:
    """A sentence in the reader's language. An old Python, which cannot read that file, speaks English."""
    if sys.version_info < OLDEST:
        return TEXTS[key].format(**values)
    from minitorch.language import gettext

    return gettext(TEXTS[key], **values)


def cannot_import() -> NoReturn:
    """Say what minitorch lacks; where `python -m minitorch lab` was typed in a checkout, get it and go on there.

    Raises ImportError; SystemExit where the command was typed.
    """
    typed = sys.argv[:1] == ["-m"] and sys.orig_argv[-len(sys.argv)] == "minitorch"
    old = sys.version_info < OLDEST
    found = None if old else importlib.util.find_spec("numpy")
    if old:
        told = sentence("old", version=".".join(map(str, sys.version_info[:3])))
    elif found is not None and found.origin is not None:
        told = sentence("hidden", file=found.origin)
    else:
        if typed:
            set_out(sys.argv[1:])
        told = sentence("numpy")
    if typed:
        sys.exit(told)
    raise ImportError(told)


def set_out(words: list[str]) -> None:
    """Return where a command can run in this Python; else set up `.venv`, run it there, and leave with its status.

    words: what was typed behind `minitorch`.
    """
    what = next((word for word in words if word in NEEDS), "")
    before = words[: words.index(what)] if what else words
    if not what or (before and before[0] != "--lang") or {"-h", "--help"} & set(words) or not is_checkout():
        return
    if _is_own():
        if not _is_fresh(what):
            _install(what)
        return
    if _has(what):
        return
    if not _is_whole():
        _make()
    if not _is_fresh(what):
        _install(what)
    _go_on([str(_python()), "-m", "minitorch", *words])


def _go_on(command: list[str]) -> NoReturn:
    """Run a command in the place of this process, which Ctrl-C and signals then reach."""
    if os.name == "posix":
        os.execv(command[0], command)  # noqa: S606
    running = subprocess.Popen(command)  # noqa: S603
    while True:
        try:
            sys.exit(running.wait())
        except KeyboardInterrupt:
            continue  # it reached the command, too, which ends by itself


def run_tests() -> int:
    """Run what `make test` runs in a checkout, up to the first step that fails; return its exit status."""
    if sys.platform != "linux":
        print(sentence("elsewhere"), flush=True)  # noqa: T201
    environment = {**os.environ, **ONE_THREAD}
    for step in STEPS:
        words = [*step.split(), *([UNIT] if step.endswith(" -m") else [])]
        if status := subprocess.call([sys.executable, *words], cwd=ROOT, env=environment):  # noqa: S603
            return status
    return 0


def is_checkout() -> bool:
    """Return whether this is the repository, and no installed package."""
    return all((ROOT / name).exists() for name in ("pyproject.toml", "constraints.txt", "tests", "exercises"))


def _has(what: str) -> bool:
    """Return whether this Python has minitorch installed and what a command needs."""
    try:
        importlib.metadata.version("minitorch-course")
    except importlib.metadata.PackageNotFoundError:
        return False
    return all(importlib.util.find_spec(name) for name in ("numpy", *NEEDS[what]))


def _home() -> Path:
    return ROOT / ".venv"


def _python() -> Path:
    return _home() / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def _is_own() -> bool:
    return Path(sys.prefix).resolve() == _home().resolve()


def _is_whole() -> bool:
    """Return whether `.venv` works: one that was moved or copied does not, and is made anew."""
    try:
        made_in = (_home() / "made-in").read_text(encoding="utf-8")
    except OSError:
        made_in = str(ROOT)
    return _python().exists() and made_in == str(ROOT)


def _is_fresh(what: str) -> bool:
    """Return whether `.venv` has had everything installed since that last changed."""
    try:
        mark = (_home() / f".{what}").stat().st_mtime
    except OSError:
        return False
    return all(mark >= (ROOT / name).stat().st_mtime for name in ("pyproject.toml", "constraints.txt"))


def _make() -> None:
    print(sentence("making"), flush=True)  # noqa: T201
    if subprocess.call([sys.executable, "-m", "venv", "--clear", str(_home())]):  # noqa: S603
        sys.exit(sentence("no venv"))


def _install(what: str) -> None:
    print(sentence("installing", what=what), flush=True)  # noqa: T201
    pip = [str(_python()), "-m", "pip", "--disable-pip-version-check", "install", "-qq"]
    if subprocess.call([*pip, "--constraint", "constraints.txt", "--editable", EXTRAS[what]], cwd=ROOT):  # noqa: S603
        sys.exit(sentence("failed"))
    (_home() / "made-in").write_text(str(ROOT), encoding="utf-8")
    for name in {what, "lab"}:
        (_home() / f".{name}").touch()
