"""A training that is killed, again and again, ends with the numbers of one that is not. Real processes, real kills."""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

PROGRAM = Path(__file__).with_name("killed.py")

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")


def started(checkpoint, *options):
    command = [sys.executable, str(PROGRAM), str(checkpoint), *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def outcome(checkpoint, *options):
    process = started(checkpoint, *options)
    printed, _ = process.communicate(timeout=6000)
    assert process.returncode == 0
    return printed


def deaths(checkpoint, *options):
    """Runs until the process dies or ends. Returns its exit status."""
    process = started(checkpoint, *options)
    process.communicate(timeout=6000)
    return process.returncode


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    return outcome(tmp_path_factory.mktemp("undisturbed") / "run.npz")


@pytest.mark.gate
@pytest.mark.parametrize(("ending", "prefetch"), [("npz", "0"), ("safetensors", "2")])
def test_killed_at_random_moments(tmp_path, undisturbed, ending, prefetch):
    checkpoint = tmp_path / f"run.{ending}"
    chance = random.Random(ending)
    killed = 0
    for longest in (0.02, 0.04, 0.06, 0.08, 0.1, 0.12):
        process = started(checkpoint, "--prefetch", prefetch)
        assert process.stdout.readline() == "ready\n"
        time.sleep(chance.uniform(0.0, longest))
        process.kill()
        process.communicate(timeout=600)
        killed += process.returncode == -signal.SIGKILL
    assert killed
    assert outcome(checkpoint, "--prefetch", prefetch) == undisturbed


@pytest.mark.parametrize("moment", ["--die-before-replacing", "--die-while-flushing"])
@pytest.mark.parametrize("ending", ["npz", "safetensors"])
def test_killed_while_a_checkpoint_is_written(tmp_path, undisturbed, ending, moment):
    checkpoint = tmp_path / f"run.{ending}"
    assert deaths(checkpoint, moment, "1") == -signal.SIGKILL
    assert not checkpoint.exists()
    assert deaths(checkpoint, moment, "20") == -signal.SIGKILL
    before = checkpoint.read_bytes()
    assert deaths(checkpoint, moment, "1") == -signal.SIGKILL
    assert checkpoint.read_bytes() == before
    assert outcome(checkpoint) == undisturbed


def test_a_finished_training_is_not_trained_on(tmp_path, undisturbed):
    checkpoint = tmp_path / "run.npz"
    assert outcome(checkpoint) == outcome(checkpoint) == undisturbed
