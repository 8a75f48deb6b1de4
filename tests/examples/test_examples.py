"""Every example runs, draws its plot, and is short enough to be read."""

import os
import subprocess
import sys

import pytest
from example_runs import EXAMPLES, SHORT


def run(name, *options, **environment):
    command = [sys.executable, str(EXAMPLES / f"{name}.py"), *options]
    surroundings = os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", **environment}
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=1800, env=surroundings)


def test_every_example_is_tested():
    assert {path.stem for path in EXAMPLES.glob("*.py")} - {"shared"} == set(SHORT)


@pytest.mark.parametrize("name", SHORT)
def test_help_says_what_it_does_and_with_which_settings(name):
    done = run(name, "--help")
    assert done.returncode == 0
    assert all(option in done.stdout for option in ("--seed", "--plot", "--lr", "--device", "(default: "))


@pytest.mark.parametrize("name", SHORT)
def test_it_runs_and_draws(name, tmp_path):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    plot = tmp_path / "plots" / "plot.png"
    done = run(name, *SHORT[name], "--plot", str(plot))
    assert done.returncode == 0, done.stderr
    assert plot.read_bytes().startswith(b"\x89PNG")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("name", SHORT)
def test_missing_matplotlib_is_said_in_one_sentence(name, tmp_path):
    (tmp_path / "matplotlib.py").write_text("raise ModuleNotFoundError(name='matplotlib')")
    done = run(name, PYTHONPATH=str(tmp_path))
    assert done.returncode == 1
    assert done.stderr == 'The plot needs matplotlib: pip install "minitorch-course[examples]"\n'


@pytest.mark.parametrize("name", SHORT)
def test_it_is_short(name):
    assert len((EXAMPLES / f"{name}.py").read_text(encoding="utf-8").splitlines()) <= 80


def test_the_digits_are_read(tmp_path):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    done = run("digits_mlp", "--plot", str(tmp_path / "plot.png"))
    [share] = [line.split("%")[0] for line in done.stdout.splitlines() if "test digits" in line]
    assert float(share) >= 98.0
