"""`minitorch lab`: JupyterLab on the learner's working copies, from its start to its end."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import webbrowser
from pathlib import Path
from types import FrameType
from typing import NoReturn
from urllib.parse import urlsplit

from minitorch.course import manifest
from minitorch.course.files.stubs import write_stubs
from minitorch.course.setup.workspace import Refreshed, WorkspaceError, refresh_notebooks
from minitorch.course.texts.setup import tell

CONFIGURATION = Path(__file__).parent / "jupyter"  # JupyterLab asks no question about news and fetches none
START_SECONDS = 90
STOP_SECONDS = 10


def lab(course: Path, *, browser: bool = True) -> int:
    """Refresh the working copies, open JupyterLab on the first lesson, and stay until it ends.

    Returns JupyterLab's exit status. Where no browser can be shown, only the address is printed.
    """
    if importlib.util.find_spec("jupyterlab") is None:
        raise WorkspaceError(tell("no jupyterlab"))
    course = course.resolve()
    try:
        write_stubs(course / "exercises")
        _tell(refresh_notebooks(course, manifest.material() / "notebooks"))
    except OSError as error:
        raise WorkspaceError(tell("cannot write", folder=course, why=error.strerror)) from None
    page = _first_page(course)
    token = os.environ.get("JUPYTER_TOKEN") or secrets.token_hex(24)
    server = subprocess.Popen(_command(course, page), cwd=course, env=_environment(token))  # noqa: S603
    previous = signal.signal(signal.SIGTERM, _leave)
    try:
        url = _url(server, token)
        if url:
            address = f"{url.rstrip('/')}{page}?token={token}"
            print(tell("address", address=address), flush=True)  # noqa: T201
            if browser and can_show_a_browser():
                webbrowser.open(address)
        return server.wait()
    except KeyboardInterrupt:
        with contextlib.suppress(subprocess.TimeoutExpired, KeyboardInterrupt):
            server.wait(timeout=STOP_SECONDS)  # Ctrl-C reached the server too
        return 0
    finally:
        signal.signal(signal.SIGTERM, previous)
        _end(server)


def can_show_a_browser() -> bool:
    """Whether opening an address would show a window, not take over the terminal or do nothing."""
    if sys.platform in {"win32", "darwin"} or "BROWSER" in os.environ:
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _tell(done: Refreshed) -> None:
    for key, names in (("added", done.added), ("updated", done.updated)):
        if names:
            print(tell(key, names=", ".join(names)))  # noqa: T201
    for name in done.kept:
        print(tell("kept", name=name))  # noqa: T201


def _first_page(course: Path) -> str:
    first = min((course / "work").glob("00_*.ipynb"), default=course / "work")
    return f"/lab/tree/{first.relative_to(course).as_posix()}"


def _command(course: Path, page: str) -> list[str]:
    words = [
        *(sys.executable, "-m", "jupyterlab", "--no-browser", "--log-level=ERROR"),
        f"--ServerApp.root_dir={course}",
        f"--LabApp.default_url={page}",
        "--ServerApp.answer_yes=True",  # one Ctrl-C ends it
    ]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        words.append("--allow-root")  # a container; the server listens on this machine only
    return words


def _environment(token: str) -> dict[str, str]:
    """One BLAS thread, our own kernel before any other, and `minitorch` on the path of JupyterLab's terminals."""
    threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    first = {"PATH": Path(sys.executable).parent, "JUPYTER_CONFIG_PATH": CONFIGURATION}
    paths = {name: os.pathsep.join([str(path), *filter(None, [os.environ.get(name)])]) for name, path in first.items()}
    return {"JUPYTER_PREFER_ENV_PATH": "1", **threads, **os.environ, **paths, "JUPYTER_TOKEN": token}


def _url(server: subprocess.Popen[bytes], token: str) -> str | None:
    """Wait until the server listens where it said it would; None if it ended or did not in time."""
    from jupyter_core.paths import jupyter_runtime_dir

    runtime = Path(jupyter_runtime_dir())
    deadline = time.monotonic() + START_SECONDS
    while server.poll() is None and time.monotonic() < deadline:
        for path in runtime.glob("jpserver-*.json"):
            try:
                known = json.loads(path.read_text(encoding="utf-8"))
            except (OSError, ValueError):
                continue  # another server's file: gone, or half written
            if known.get("token") == token and _answers(known["url"]):
                return str(known["url"])
        time.sleep(0.2)
    return None


def _answers(url: str) -> bool:
    place = urlsplit(url)
    try:
        socket.create_connection((place.hostname, place.port), timeout=1).close()
    except OSError:
        return False
    return True


def _leave(number: int, _frame: FrameType | None) -> NoReturn:
    raise SystemExit(128 + number)


def _end(server: subprocess.Popen[bytes]) -> None:
    if server.poll() is not None:
        return
    server.terminate()
    try:
        server.wait(timeout=STOP_SECONDS)
    except subprocess.TimeoutExpired:
        server.kill()
