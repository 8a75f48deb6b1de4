"""The script that installs PyTorch takes the CPU build or nothing."""

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

FILE = Path(__file__).resolve().parents[2] / "scripts" / "install_pytorch.py"


@pytest.fixture
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("install_pytorch", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def report(*versions: str) -> str:
    return json.dumps({"install": [{"metadata": {"name": "torch", "version": version}} for version in versions]})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (report("2.13.0+cpu"), True),
        (report("2.13.0"), False),
        (report("2.13.0+cu130"), False),
        (report("2.13.0+cpu", "1.0"), False),
        (report(), False),
        ("", False),
        ("{}", False),
    ],
)
def test_only_a_cpu_build_will_do(script: ModuleType, text: str, expected: bool) -> None:
    assert script.is_a_cpu_build(text) is expected


class Pip:
    """Answers the dry run with a report, and writes down every call."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.calls: list[tuple[str, ...]] = []

    def __call__(self, *arguments: str) -> Any:
        self.calls.append(arguments)
        return type("Done", (), {"returncode": 0, "stdout": self.text, "stderr": ""})


def test_nothing_is_installed_where_pip_would_take_another_build(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pip = Pip(report("2.13.0"))
    monkeypatch.setattr(script, "pip", pip)
    assert script.main() == script.NONE_AT_HAND
    assert len(pip.calls) == 1
    assert "--dry-run" in pip.calls[0]
    assert "no CPU build of torch==" in capsys.readouterr().out


def test_the_cpu_build_is_installed_in_the_pinned_version(script: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    pip = Pip(report("2.13.0+cpu"))
    monkeypatch.setattr(script, "pip", pip)
    assert script.main() == 0
    assert "--dry-run" not in pip.calls[1]
    assert pip.calls[1][-2:] == (script.pinned(), "expecttest")
