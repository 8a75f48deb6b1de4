"""Run every test, two groups at a time: `make test` has two processors at least, and pytest uses one.

    python scripts/tests.py [WORDS FOR PYTEST ...]

What a group prints is shown when it is done. The exit status is 0 only if all groups pass.
"""

from __future__ import annotations

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
AT_ONCE = 2
GATES = "tests/course/test_gates.py"
COURSE = ("tests/course", "tests/lessons", "tests/house", "tests/viz")
GROUPS = {  # every folder of tests/ is in one of them, a new one too
    "the course": (*COURSE, f"--ignore={GATES}"),
    "the engine": ("tests", *(f"--ignore={folder}" for folder in COURSE)),
    "the gates": (GATES,),
}


def run(name: str, words: list[str]) -> int:
    """Run one group, and show what it printed when it is done."""
    start = time.monotonic()
    # Two processes cannot keep one memory of the last run's failures.
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *GROUPS[name], *words]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    sys.stdout.buffer.write(b"\n%s, %d s\n" % (name.encode(), time.monotonic() - start) + done.stdout)
    sys.stdout.flush()
    return done.returncode


def main(words: list[str]) -> int:
    """Run all groups."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return max(pool.map(lambda name: run(name, words), GROUPS))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
