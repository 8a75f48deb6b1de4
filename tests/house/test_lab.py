"""`minitorch lab`: prints an address that answers, opens no browser where there is none, and ends when told to."""

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from types import SimpleNamespace

import pytest

from minitorch.course.setup import lab
from minitorch.course.setup.workspace import Refreshed, WorkspaceError, init_course

START = (
    "import sys; from pathlib import Path; from minitorch.course.setup.lab import lab; sys.exit(lab(Path(sys.argv[1])))"
)
TRACKER = "/lab/api/settings/@jupyterlab/notebook-extension:tracker"
POSIX = pytest.mark.skipif(os.name != "posix", reason="sends POSIX signals")


@pytest.fixture
def course(tmp_path, monkeypatch):
    monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "runtime"))
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER", "JUPYTER_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    init_course(tmp_path / "course")
    return tmp_path / "course"


def start(course: Path) -> tuple[subprocess.Popen[str], str]:
    """Start the course as a learner does; return the process and the address it printed."""
    process = subprocess.Popen(
        [sys.executable, "-c", START, str(course)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL,
        text=True,
        start_new_session=True,  # its own group, as a terminal would make
    )
    for line in process.stdout:
        if line.strip().startswith("http"):
            return process, line.strip()
    pytest.fail(f"no address was printed; exit status {process.wait()}")


@POSIX
@pytest.mark.gate
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_lab_prints_an_address_that_answers_and_ends_when_told(course, number):
    pytest.importorskip("jupyterlab")
    if number == signal.SIGINT and signal.getsignal(number) == signal.SIG_IGN:
        pytest.skip("these tests run in the background of a shell, where Ctrl-C is ignored by all that they start")
    process, address = start(course)
    try:
        assert "/lab/workspaces/lesson-00?token=" in address
        assert re.search(r"&at=exercises/lesson_00_start_here\.py:\d+$", address)
        with urllib.request.urlopen(address, timeout=600) as page:
            assert page.status == 200
        with urllib.request.urlopen(address.replace("/lab/workspaces/lesson-00", TRACKER), timeout=600) as found:
            settings = json.load(found)["schema"]["properties"]["windowingMode"]
        assert settings["default"] == "defer"  # a player that is scrolled out of sight is at its step when it is back
    finally:
        if number == signal.SIGINT:
            os.killpg(process.pid, number)  # Ctrl-C reaches every process of the terminal
        else:
            process.send_signal(number)
        process.wait(timeout=600)
        process.stdout.close()
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(address, timeout=5)


def test_without_jupyterlab_one_sentence_says_what_to_install(course, monkeypatch):
    monkeypatch.setattr(lab.importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(WorkspaceError, match=r'pip install "minitorch-course\[lab\]"'):
        lab.lab(course)


@pytest.mark.parametrize(
    ("names", "shown"),
    [(["00.ipynb", "01.ipynb"], "00.ipynb, 01.ipynb"), ([f"{n}.ipynb" for n in range(26)], "0.ipynb, …, 25.ipynb")],
)
def test_a_new_folder_says_what_is_in_it_on_one_line(capsys, monkeypatch, names, shown):
    monkeypatch.setenv("MINITORCH_LANG", "en")
    lab._tell(Refreshed(tuple(names), (), ()))
    assert capsys.readouterr().out == f"New in work/: {shown}\n"


def test_a_file_that_hides_a_package_is_named_before_the_course_opens(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("MINITORCH_LANG", "en")
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "minitorch.py").touch()
    lab._tell_of_hidden_packages(tmp_path)
    assert capsys.readouterr().out.startswith("work/minitorch.py hides the package minitorch from every notebook")


@pytest.mark.parametrize(
    ("platform", "variables", "shows"),
    [
        ("linux", {}, False),
        ("linux", {"DISPLAY": ":0"}, True),
        ("linux", {"WAYLAND_DISPLAY": "wayland-0"}, True),
        ("linux", {"BROWSER": "firefox"}, True),
        ("darwin", {}, True),
        ("win32", {}, True),
    ],
)
def test_a_browser_is_opened_only_where_it_can_be_seen(course, monkeypatch, platform, variables, shows):
    monkeypatch.setattr(sys, "platform", platform)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert lab.can_show_a_browser() is shows


def test_jupyterlab_runs_with_one_array_thread_and_minitorch_on_its_path(monkeypatch, tmp_path):
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    monkeypatch.setenv("OMP_NUM_THREADS", "4")
    environment = lab._environment(tmp_path, "secret")
    assert environment["OPENBLAS_NUM_THREADS"] == "1"
    assert environment["OMP_NUM_THREADS"] == "4"  # asked for by the learner
    assert environment["PATH"].split(os.pathsep)[0] == str(Path(sys.executable).parent)
    assert environment["JUPYTER_TOKEN"] == "secret"


@pytest.mark.parametrize(("lang", "locale"), [("es", "es_ES"), ("de", "de_DE"), ("en", "default"), ("fr", "default")])
def test_menus_are_in_the_language_of_the_course_where_its_pack_is_installed(monkeypatch, tmp_path, lang, locale):
    jupyter = pytest.importorskip("jupyter_server.services.config.manager")
    packs = [SimpleNamespace(name=name) for name in ("de_DE", "es_ES", "zh_CN")]
    monkeypatch.setattr(lab.importlib.metadata, "entry_points", lambda *, group: packs)
    lab._put_menus_into(lang, tmp_path)
    settings = jupyter.ConfigManager(read_config_path=jupyter_folders(lab._environment(tmp_path, "secret")))
    assert settings.get("default_setting_overrides")["@jupyterlab/translation-extension:plugin"] == {"locale": locale}
    assert settings.get("default_setting_overrides")["@jupyterlab/notebook-extension:tracker"]  # ours are still read


def jupyter_folders(environment: dict[str, str]) -> list[str]:
    """Where JupyterLab looks for settings."""
    return [f"{folder}/labconfig" for folder in environment["JUPYTER_CONFIG_PATH"].split(os.pathsep)]
