"""`minitorch doctor` on a sound machine, and with one thing broken at a time."""

import contextlib
import errno
import importlib.metadata
import os
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

import pytest

from minitorch.course.files.stubs import write_stubs
from minitorch.course.setup import doctor
from minitorch.course.setup.doctor import diagnose
from minitorch.course.setup.workspace import init_course

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def course(tmp_path):
    init_course(tmp_path / "course")
    return tmp_path / "course"


def faults(course):
    return [finding.text for finding in diagnose(course) if finding.level == "fault"]


def test_nothing_is_wrong_with_a_sound_machine(course):
    pytest.importorskip("jupyterlab")
    assert faults(course) == []
    assert "the engine works: the gradient of x*x at 3 is 6.0" in [finding.text for finding in diagnose(course)]


def without(monkeypatch, gone):
    """Let a distribution look as if it were not installed."""
    real = importlib.metadata.version

    def version(name):
        if name == gone:
            raise importlib.metadata.PackageNotFoundError(name)
        return real(name)

    monkeypatch.setattr(importlib.metadata, "version", version)


def test_a_missing_package_is_named_with_what_installs_it(course, monkeypatch):
    without(monkeypatch, "rustworkx")
    assert faults(course) == ["rustworkx is missing. Install it with: pip install minitorch-course"]


@pytest.mark.parametrize(
    ("name", "extra"), [("anywidget", "viz"), ("graphviz", "viz"), ("jupyterlab", "lab"), ("watchfiles", "course")]
)
def test_what_an_extra_brings_is_no_fault_where_it_is_missing(course, monkeypatch, name, extra):
    without(monkeypatch, name)
    assert faults(course) == []
    [told] = [each.text for each in diagnose(course) if each.text.startswith(f"{name} is not installed. Only ")]
    assert told.endswith(f': pip install "minitorch-course[{extra}]"')
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert any(each.startswith(name) for each in extras[extra])


def test_a_package_that_cannot_be_imported_is_named_with_why(course, monkeypatch):
    monkeypatch.setitem(sys.modules, "rustworkx", None)
    [fault] = faults(course)
    assert fault.startswith("rustworkx is installed but cannot be imported: ")


def test_an_old_python_is_named(course, monkeypatch):
    monkeypatch.setattr(doctor, "OLDEST_PYTHON", (99, 0))
    assert any("is too old" in fault for fault in faults(course))


def test_a_missing_stub_is_named(course):
    missing = min((course / "exercises").iterdir())
    missing.unlink()
    assert faults(course) == [f"exercise files missing: {missing.name}. `minitorch lab` writes them anew"]


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT, errno.EROFS])
def test_a_course_folder_that_takes_no_bytes_is_a_fault_with_its_reason(course, monkeypatch, code):
    """The folder's mode says that it may be written to; a full disk says otherwise, and only when asked."""

    def full(*_):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "fsync", full)
    before = sorted(course.rglob("*"))
    fault, temporary = faults(course)
    assert temporary.startswith("checks cannot work in ")
    assert fault == f"{course} cannot be written ({os.strerror(code)}), so your progress and notebooks cannot be kept"
    assert sorted(course.rglob("*")) == before


@pytest.fixture
def small_disk(tmp_path):
    """A disk of one megabyte."""
    if sys.platform != "linux" or subprocess.call(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", tmp_path]):
        pytest.skip("needs a disk that can be filled")
    yield tmp_path
    subprocess.check_call(["umount", tmp_path])


@pytest.mark.gate
def test_a_disk_that_is_full_is_a_fault_and_one_that_is_nearly_full_a_note(small_disk):
    course = small_disk / "course"
    write_stubs(course / "exercises")
    assert faults(course) == []
    assert [finding.text for finding in diagnose(course) if finding.text.startswith("only 0 MB are free on the disk")]
    with contextlib.suppress(OSError), (small_disk / "much").open("wb") as file:
        while file.write(bytes(1 << 10)):
            file.flush()
    [fault] = faults(course)
    assert fault.startswith(f"{course} cannot be written (No space left on device)")


def test_a_temporary_folder_that_is_full_is_a_fault(course, monkeypatch):
    def full(*_, **__):
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found")

    monkeypatch.setattr(tempfile, "gettempdir", full)
    assert [fault for fault in faults(course) if "No usable temporary directory found" in fault and "TMPDIR" in fault]


def within(bytes_of_address_space: int, *words: str):
    """Run the command in little memory; return it when it is done."""
    code = (
        "import resource, sys, minitorch\n"
        f"resource.setrlimit(resource.RLIMIT_AS, ({bytes_of_address_space},) * 2)\n"
        "from minitorch.course.cli import main\nsys.argv[0] = 'minitorch'\nmain()\n"
    )
    command = [sys.executable, "-c", code, *words]
    env = {**os.environ, "MINITORCH_LANG": "en", "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(Path.cwd())}
    return subprocess.run(command, capture_output=True, text=True, env=env, check=False)


@pytest.mark.skipif(sys.platform != "linux", reason="bounds of address space hold on Linux")
def test_little_memory_is_a_sentence_and_no_traceback(course):
    said = within(240 << 20, "--version").stderr
    assert said == "minitorch needs 256 MB of memory; a program may use only 240 MB here (`ulimit -v`)\n"
    assert "a program may use 900 MB of memory here" in within(900 << 20, "doctor").stdout


def test_a_kernel_of_another_python_is_named(course, tmp_path, monkeypatch):
    pytest.importorskip("jupyter_client")
    kernel = tmp_path / "jupyter" / "kernels" / "python3"
    kernel.mkdir(parents=True)
    (kernel / "kernel.json").write_text(
        '{"argv": ["elsewhere/python", "-m", "x"], "display_name": "x", "language": "x"}'
    )
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path / "jupyter"))
    assert [fault for fault in faults(course) if "elsewhere/python" in fault]


def test_no_course_folder_is_a_note_not_a_fault():
    assert any("minitorch init" in finding.text for finding in diagnose(None))
    assert not faults(None)


def test_missing_programs_are_notes(course, monkeypatch):
    monkeypatch.setattr(doctor.shutil, "which", lambda _name: None)
    levels = {finding.level for finding in diagnose(course) if "is not installed" in finding.text}
    assert levels == {"note"}


def test_it_speaks_spanish(course, monkeypatch):
    monkeypatch.setenv("MINITORCH_LANG", "es")
    assert any("el motor funciona" in finding.text for finding in diagnose(course))
