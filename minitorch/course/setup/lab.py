"""`minitorch lab`: JupyterLab on the learner's working copies, from its start to its end."""

from __future__ import annotations

import contextlib
import importlib.metadata
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
from minitorch.course.files.course_folder import private_folder
from minitorch.course.setup import prepared, shadowing, terminal
from minitorch.course.setup.workspace import Refreshed, WorkspaceError, bring_up_to_date
from minitorch.language import N_, gettext, language

CONFIGURATION = Path(__file__).parent / "jupyter"  # no question about news, and none are fetched; frames stay
START_SECONDS = 90
STOP_SECONDS = 10
MOST_NAMES = 6  # of notebooks that are told one by one: a new folder gets dozens


def lab(course: Path, lesson: str | None = None, *, browser: bool = True) -> int:
    """Refresh the working copies, open JupyterLab on a lesson, and stay until it ends.

    lesson: any name of it; without one, the first that is not finished. Returns JupyterLab's exit status. Where no
    browser can be shown, only the address is printed. Raises CourseError when there is no such lesson.
    """
    if importlib.util.find_spec("jupyterlab") is None:
        raise WorkspaceError(
            gettext('JupyterLab is not installed here. Install it with: pip install "minitorch-course[lab]"')
        )
    course = course.resolve()
    _tell(bring_up_to_date(course, language()))
    _tell_of_hidden_packages(course)
    try:
        begin = prepared.start(manifest.load(), course, lesson)
        shell = _prepare(course, begin)
        _put_menus_into(language(), course)
    except OSError as error:
        raise WorkspaceError(gettext("{folder} cannot be written: {why}.", folder=course, why=error.strerror)) from None
    token = os.environ.get("JUPYTER_TOKEN") or secrets.token_hex(24)
    environment = _environment(course, token)
    server = subprocess.Popen(_command(course, begin.page, shell), cwd=course, env=environment)  # noqa: S603
    previous = signal.signal(signal.SIGTERM, _leave)
    try:
        url = _url(server, token)
        if url:
            address = f"{url.rstrip('/')}{begin.page}?token={token}&at={begin.at}"
            print(  # noqa: T201
                gettext("\nThe course is open at:\n\n    {address}\n\nTo stop, press Ctrl-C here.\n", address=address),
                flush=True,
            )
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


def _tell_of_hidden_packages(course: Path) -> None:
    """Name each file that hides a package: beside `work/minitorch.py` no notebook can."""
    for path, name in shadowing.hiding(course / "work"):
        print(  # noqa: T201
            gettext(shadowing.HIDES, file=shadowing.shown(path, course), name=name),
            flush=True,
        )


def _tell(done: Refreshed) -> None:
    for key, names in (
        (N_("New in work/: {names}"), done.added),
        (N_("Brought up to date in work/ (you had not changed them): {names}"), done.updated),
    ):
        if names:
            shown = names if len(names) <= MOST_NAMES else (names[0], "…", names[-1])
            print(gettext(key, names=", ".join(shown)))  # noqa: T201
    for name in done.kept:
        print(  # noqa: T201
            gettext(
                "work/{name} is yours and was left as it is. This version of the course has a newer "
                "one: to get it, rename yours and start again.",
                name=name,
            )
        )
    if done.other:
        print(  # noqa: T201
            gettext(
                "Left as they are in work/, in the language that they have, for you have worked in "
                "them: {names}. To get one in this language, rename yours and start again.",
                names=", ".join(done.other),
            )
        )


def _own_folder(course: Path) -> Path:
    return private_folder(course) / "lab"


def _prepare(course: Path, begin: prepared.Start) -> list[str] | None:
    """Write the workspace, and what terminals start with; return the shell's command. Raises OSError."""
    from jupyterlab_server.workspaces_handler import WorkspacesManager

    workspaces = _own_folder(course) / "workspaces"
    workspaces.mkdir(parents=True, exist_ok=True)
    WorkspacesManager(str(workspaces)).save(begin.workspace, prepared.layout(begin))
    return terminal.shell_command(_own_folder(course), Path(sys.executable).parent, begin.exercise.name)


def _put_menus_into(lang: str, course: Path) -> None:
    """Have JupyterLab's menus in a language whose pack is installed; what was chosen in them counts more.

    Raises OSError.
    """
    packs = sorted(each.name for each in importlib.metadata.entry_points(group="jupyterlab.languagepack"))
    locale = next((name for name in packs if name.partition("_")[0] == lang), "default")
    settings = _own_folder(course) / "labconfig" / "default_setting_overrides.json"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text(json.dumps({"@jupyterlab/translation-extension:plugin": {"locale": locale}}), encoding="utf-8")


def _command(course: Path, page: str, shell: list[str] | None) -> list[str]:
    words = [
        *(sys.executable, "-P"),  # a learner's typing.py in the course folder is no module of the server's
        *("-m", "jupyterlab", "--no-browser", "--log-level=ERROR", "--LabApp.log_level=ERROR"),
        f"--ServerApp.root_dir={course}",
        f"--LabApp.default_url={page}",
        f"--LabApp.extra_labextensions_path={CONFIGURATION / 'labextensions'}",
        "--ServerApp.answer_yes=True",  # one Ctrl-C ends it
    ]
    if shell is not None:
        words.append(f"--ServerApp.terminado_settings={ {'shell_command': shell} }")
    if _can_encrypt():
        words.append("--KernelManager.transport_encryption=auto")  # or each kernel warns that it is overheard
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        words.append("--allow-root")  # a container; the server listens on this machine only
    return words


def _can_encrypt() -> bool:
    """Whether kernels can speak encrypted with the server."""
    import zmq
    from jupyter_client.manager import KernelManager

    return bool(KernelManager.class_traits().get("transport_encryption")) and zmq.has("curve")


def _environment(course: Path, token: str) -> dict[str, str]:
    """One BLAS thread, our own kernel before any other, `minitorch` on the path, and workspaces of our own."""
    threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    first = {"PATH": [Path(sys.executable).parent], "JUPYTER_CONFIG_PATH": [_own_folder(course), CONFIGURATION]}
    paths = {
        name: os.pathsep.join([*map(str, own), *filter(None, [os.environ.get(name)])]) for name, own in first.items()
    }
    own = {"JUPYTER_TOKEN": token, "JUPYTERLAB_WORKSPACES_DIR": str(_own_folder(course) / "workspaces")}
    return {"JUPYTER_PREFER_ENV_PATH": "1", **threads, **os.environ, **paths, **own}


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
