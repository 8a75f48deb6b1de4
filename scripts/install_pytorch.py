"""Installs PyTorch's CPU build for the tests, where pip has one at hand; exits with 3, changing nothing, where not.

    .venv/bin/python scripts/install_pytorch.py

The package index's own build brings gigabytes of CUDA packages. So pip is asked first which file it would take, and
nothing is installed unless that file says that it is the CPU build.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NONE_AT_HAND = 3
BESIDE = "expecttest"  # what PyTorch's own samples of calls are imported with


def pinned() -> str:
    """The version that constraints.txt names, as pip takes it."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return next(line for line in lines if line.startswith("torch=="))


def pip(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs pip in this environment."""
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def is_a_cpu_build(report: str) -> bool:
    """Whether pip's report names one file, whose version ends with +cpu."""
    try:
        found = json.loads(report)["install"]
    except (ValueError, KeyError):
        return False
    return len(found) == 1 and found[0]["metadata"]["version"].endswith("+cpu")


def main() -> int:
    """Asks, then installs."""
    wanted = pinned()
    asked = pip("install", "--dry-run", "--no-deps", "--quiet", "--ignore-installed", "--report", "-", wanted)
    if asked.returncode != 0 or not is_a_cpu_build(asked.stdout):
        print(f"no CPU build of {wanted} is at hand: what compares with PyTorch live is skipped")
        return NONE_AT_HAND
    done = pip("install", "--quiet", "--constraint", str(ROOT / "constraints.txt"), wanted, BESIDE)
    print(done.stderr, end="", file=sys.stderr)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
