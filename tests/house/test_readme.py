"""Every command, link, sample and picture of the README is true."""

import contextlib
import importlib.util
import io
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", README, flags=re.MULTILINE | re.DOTALL)


def load_script(name: str):
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_samples_run_in_order_and_print_what_the_readme_says(tmp_path, monkeypatch):
    pytest.importorskip("anywidget")
    from minitorch.course.setup.workspace import init_course

    init_course(tmp_path / "course")
    monkeypatch.setenv("MINITORCH_COURSE", str(tmp_path / "course"))
    names: dict[str, object] = {}
    printed, expected = [], []
    for language, text in BLOCKS:
        if language == "python":
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                exec(compile(text, "README.md", "exec"), names)
            printed.append(output.getvalue())
        elif language == "text" and not text.startswith("✗"):
            expected.append((len(printed) - 1, text))
    assert expected
    assert [(place, printed[place]) for place, _ in expected] == expected
    assert len(printed) == 3


def test_the_verdict_is_the_one_that_a_learner_gets(tmp_path, monkeypatch):
    from minitorch.course import check
    from minitorch.course.judging.mistakes import wrong_source
    from minitorch.course.setup.workspace import init_course

    init_course(tmp_path / "course")
    stub = tmp_path / "course" / "exercises" / "lesson_01_scalar_nodes.py"
    stub.write_text(wrong_source("mul", "mul-own-operand"), encoding="utf-8")
    monkeypatch.setenv("MINITORCH_COURSE", str(tmp_path / "course"))
    monkeypatch.setenv("MINITORCH_LANG", "en")
    [verdict] = [text for language, text in BLOCKS if language == "text" and text.startswith("✗")]
    assert verdict.strip() == repr(check("mul")).strip()


def test_the_link_of_every_sentence_leads_somewhere():
    links = [link for link in re.findall(r"\]\(([^)]+)\)", README) if not link.startswith("#")]
    assert links
    assert [link for link in links if not (ROOT / link).is_file()] == []


def test_every_place_it_names_exists():
    table = README[README.index("| where | what |") : README.index("| command |")]
    first_cells = [row.split("|")[1] for row in table.splitlines() if row.startswith("| `")]
    places = [place for cell in first_cells for place in re.findall(r"`([^`]+)`", cell)]
    assert len(places) > 8
    here = [ROOT, ROOT / "minitorch"]
    assert [place for place in places if not any((root / place).exists() for root in here)] == []


def test_every_make_command_exists():
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    named = set(re.findall(r"\bmake (\w+)", README))
    assert {"lab", "test"} <= named <= set(targets)


def test_every_minitorch_command_exists():
    pytest.importorskip("click")
    from minitorch.course.cli import cli

    named = set(re.findall(r"minitorch (?:--lang es )?([a-z]+) ?(?:NAME|DIR|\d\d|mul)?`", README))
    assert {"check", "hint", "status", "reset", "doctor", "init"} <= named <= set(cli.commands)


def test_the_picture_is_what_minitorch_draws():
    script = load_script("make_readme_picture")
    assert script.PICTURE.read_text(encoding="utf-8") == script.picture()
