"""docs/adding-a-view.md: its two files are a view with every form, in a package where nothing else was touched."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from minitorch.viz import drawing, facts
from minitorch.viz.views import film, picture

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "adding-a-view.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"^`([\w/.]+)`:\n\n```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
SHARED = ("tests/viz_forms.py", "tests/viz_pictures.py", "tests/viz/test_viz_forms.py")


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the package and of what every view is tested with, and in it the page's two files."""
    root = tmp_path_factory.mktemp("page")
    shutil.copytree(ROOT / "minitorch", root / "minitorch", ignore=shutil.ignore_patterns("__pycache__"))
    (root / "tests" / "viz").mkdir(parents=True)
    for name in SHARED:
        shutil.copy(ROOT / name, root / name)
    for name, text in FILES.items():
        assert not (ROOT / name).exists(), "the page is about a file that is there already"
        (root / name).write_text(text, encoding="utf-8")
    return root


def run(copy, *words):
    """What Python does in the copy."""
    path = os.pathsep.join([str(copy), str(copy / "tests")])
    environment = {**os.environ, "PYTHONPATH": path}
    return subprocess.run(
        [sys.executable, *words], cwd=copy, env=environment, capture_output=True, text=True, check=False
    )


def test_a_view_is_two_files():
    assert list(FILES) == ["minitorch/viz/views/operations.py", "tests/viz/test_viz_operations.py"]


def test_the_pages_tests_and_those_of_every_view_pass(copy):
    words = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "--doctest-modules")
    done = run(copy, *words, "tests/viz", "minitorch/viz/views/operations.py")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "operations.py" not in done.stdout


def test_viz_offers_the_view_beside_the_others(copy):
    done = run(copy, "-c", "from minitorch import viz; print(viz.__file__); print(*viz.__all__)")
    file, names = done.stdout.splitlines()
    assert Path(file).is_relative_to(copy)
    assert {"operations", "Operations", "graph", "GraphPicture"} <= set(names.split())


def test_a_view_without_a_test_of_its_forms_is_seen(copy):
    mine = copy / "tests" / "viz" / "test_viz_operations.py"
    text = mine.read_text(encoding="utf-8")
    mine.write_text(text.replace("has_every_form(", "print("), encoding="utf-8")
    done = run(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/viz/test_viz_forms.py", "-k", "has_a_test")
    mine.write_text(text, encoding="utf-8")
    assert done.returncode == 1
    assert "['operations'] == []" in done.stdout


@pytest.mark.parametrize("words", [["format", "--check"], ["check"]], ids=["format", "check"])
def test_the_example_is_written_as_the_house_is(copy, words):
    ruff = shutil.which("ruff", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    if ruff is None:
        pytest.skip("ruff is not installed")
    shutil.copy(ROOT / "pyproject.toml", copy)
    done = subprocess.run([ruff, *words, "--no-cache", *FILES], cwd=copy, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_file_that_it_names_exists():
    named = set(re.findall(r"`((?:minitorch|tests)/[\w/.]+)`", PAGE)) - set(FILES)
    assert len(named) >= 5
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_every_function_and_class_that_it_names_exists():
    named = set(re.findall(r"`(capture|words|svg|text|dot)\.(\w+)[`(]", PAGE))
    assert len(named) >= 8
    for file, name in named:
        room = facts if file in ("capture", "words") else drawing
        text = Path(room.__file__).with_name(f"{file}.py").read_text(encoding="utf-8")
        assert re.search(rf"^def {name}\(", text, re.MULTILINE), f"{file}.{name}"
    assert {picture.Picture, picture.MovingPicture} <= set(film.Film.__mro__)
