"""Build a release and try it as somebody would who has never seen the repository: `make release`.

    python scripts/release.py [PYTHON ...]

What is committed is built, nothing else: a wheel and a source archive in dist/. The index's own checker reads both.
Then, for every PYTHON (by default each of python3.11 to python3.14 that is here), the wheel is installed into an
environment of its own, where both commands, `init`, `doctor` and lesson 01, open and solved, say what they should.
Uploading is left to whoever holds the name on the index; what to type is printed at the end.
"""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import minitorch

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
PYTHONS = ("python3.11", "python3.12", "python3.13", "python3.14")


class ReleaseError(Exception):
    """A step of the release failed; the message says which and how."""


def run(*words: object, cwd: Path, expect: int = 0) -> str:
    """Run a program as it would run outside of the repository; return what it said."""
    hidden = ("PYTHON", "MINITORCH", "VIRTUAL_ENV")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
    command = [str(word) for word in words]
    done = subprocess.run(
        command, cwd=cwd, env=environment | {"MINITORCH_LANG": "en"}, capture_output=True, text=True, check=False
    )
    said = done.stdout + done.stderr
    if done.returncode != expect:
        raise ReleaseError(f"{' '.join(command)} ended with {done.returncode}, not {expect}:\n{said}")
    return said


def build(place: Path) -> tuple[Path, Path]:
    """Build what is committed; return the source archive and the wheel, in dist/."""
    archive = subprocess.check_output(["git", "archive", "--format=tar", "HEAD"], cwd=ROOT)
    with tarfile.open(fileobj=io.BytesIO(archive)) as packed:
        packed.extractall(place / "source", filter="data")
    shutil.rmtree(DIST, ignore_errors=True)
    run(sys.executable, "-m", "build", "--outdir", DIST, place / "source", cwd=place)
    [source], [wheel] = DIST.glob("*.tar.gz"), DIST.glob("*.whl")
    for path in (source, wheel):
        if f"-{minitorch.__version__}" not in path.name:
            raise ReleaseError(f"{path.name} is not of version {minitorch.__version__}: commit first")
    return source, wheel


def pythons() -> list[str]:
    """Return each Python of the supported ones that is here and answers to its name."""
    found = []
    for name in PYTHONS:
        path = shutil.which(name)
        if path and subprocess.run([path, "--version"], capture_output=True, check=False).returncode == 0:
            found.append(path)
    return found


def try_out(wheel: Path, python: str, place: Path) -> str:
    """Install the wheel for one Python and go through a first quarter of an hour; return that Python's version."""
    place.mkdir()
    run(python, "-m", "venv", place / "env", cwd=place)
    programs = place / "env" / ("Scripts" if os.name == "nt" else "bin")
    own = programs / "python"
    pip = [own, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    run(*pip, "--constraint", ROOT / "constraints.txt", wheel, cwd=place)
    for name in ("minitorch", "minitorch-course"):
        expected(run(programs / name, "--version", cwd=place), f"minitorch {minitorch.__version__}")
    run(programs / "minitorch-course", "init", "mycourse", cwd=place)
    course = place / "mycourse"
    expected(run(programs / "minitorch", "doctor", cwd=course), "nothing is in the way")
    expected(run(programs / "minitorch", "check", "01", cwd=course, expect=1), "not started")
    lesson = "from minitorch.course import manifest; print(manifest.load().lesson('01').solution)"
    shutil.copy(run(own, "-c", lesson, cwd=place).strip(), course / "exercises")
    expected(run(programs / "minitorch", "check", "01", cwd=course), "4 of 4 passed")
    return run(own, "--version", cwd=place).strip()


def expected(said: str, words: str) -> None:
    """Raise ReleaseError where a program did not say what it should."""
    if words not in said:
        raise ReleaseError(f"these words were expected: {words!r}; what was said:\n{said}")


def main(named: list[str]) -> int:
    """Go through the list; return 0 if every point of it holds."""
    tried = []
    with tempfile.TemporaryDirectory(prefix="minitorch-release-") as folder:
        place = Path(folder)
        try:
            source, wheel = build(place)
            print(f"built       {source.name}, {wheel.name} ({wheel.stat().st_size / 1e6:.1f} MB)", flush=True)
            run(sys.executable, "-m", "twine", "check", "--strict", source, wheel, cwd=place)
            print("checked     by twine: an index can show them", flush=True)
            for number, python in enumerate(named or pythons()):
                tried.append(try_out(wheel, python, place / f"try-{number}"))
                print(f"tried       {tried[-1]}: init, doctor, lesson 01 open and solved", flush=True)
        except ReleaseError as error:
            print(f"FAILED      {error}", file=sys.stderr)
            return 1
    if not tried:
        print(f"FAILED      none of {', '.join(PYTHONS)} is here to try the wheel in", file=sys.stderr)
        return 1
    missing = [name for name in PYTHONS if not named and not any(name.removeprefix("python") in each for each in tried)]
    if missing:
        print(f"not tried   {', '.join(missing)}: not here")
    print(f"\nIt can be released. To do so: git tag v{minitorch.__version__}, then python -m twine upload dist/*")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
