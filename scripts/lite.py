"""The course in a browser: JupyterLite with our wheel, built into `build/lite`; `make lite` runs it.

    .venv/bin/python scripts/lite.py                        with what is at hand in build/lite-parts
    .venv/bin/python scripts/lite.py --numpy numpy-….whl    NumPy's wheel for the browser, from Pyodide's release
    .venv/bin/python scripts/lite.py --without-numpy        to look at everything but the course itself

Pyodide's core comes from npm, every wheel from the package index; only NumPy's wheel for the browser is in neither. It
is held against the sum that the lock in npm's package has for it; of the rest pip and npm check the sums. (Pyodide
packs pure wheels anew, so its sums are not the index's.) The lock that is built names what the course needs and nothing
else, all of it beside the page: a reader's browser asks no other address.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PARTS = ROOT / "build" / "lite-parts"
OUT = ROOT / "build" / "lite"
OURS = "minitorch-course"
LOCKED = ("micropip", "ipython", "jedi", "numpy", "click", "rich")  # and what these need, as Pyodide's own lock says
ADDED = {  # not in Pyodide's lock: from the index, in the versions of constraints.txt; and what each needs
    "rustworkx": ("numpy",),
    "comm": ("traitlets",),
    "psygnal": (),
    "typing-extensions": (),
    "ipywidgets": ("comm", "ipython", "traitlets"),
    "anywidget": ("ipywidgets", "psygnal", "typing-extensions"),
}
NEEDS = ("click", "numpy", "rich", "rustworkx", "anywidget")  # our wheel's own dependencies, and a notebook's pictures
KERNEL = "@jupyterlite/pyodide-kernel-extension:kernel"
FOLDERS = {"en": "course", "es": "curso"}  # language -> the course folder that a reader finds

Lock = dict[str, Any]


class LiteError(Exception):
    """What keeps the browser edition from being built, in a sentence."""


@dataclass(frozen=True)
class Wheel:
    """A wheel and what its name says."""

    path: Path

    @property
    def name(self) -> str:
        """The package's normalised name."""
        return normalised(self.path.name.split("-")[0])

    @property
    def version(self) -> str:
        """The package's version."""
        return self.path.name.split("-")[1]

    @property
    def sha256(self) -> str:
        """The sum of its bytes."""
        return hashlib.sha256(self.path.read_bytes()).hexdigest()


def normalised(name: str) -> str:
    """A package's name as indexes write it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def closure(lock: Lock, roots: Iterable[str]) -> set[str]:
    """The packages of a lock that some of them need, themselves included. Raises LiteError for one it has not."""
    found: set[str] = set()
    left = [normalised(each) for each in roots]
    while left:
        name = left.pop()
        if name not in lock["packages"]:
            raise LiteError(f"Pyodide's lock has no package {name}: the lists at the head of scripts/lite.py are old.")
        if name not in found:
            found.add(name)
            left += [normalised(each) for each in lock["packages"][name]["depends"]]
    return found


def held_against(lock: Lock, wheel: Wheel) -> None:
    """Raise LiteError unless a wheel is, byte for byte, the one that the lock names."""
    wanted = lock["packages"][wheel.name]
    if wheel.path.name != wanted["file_name"]:
        raise LiteError(f"{wheel.path.name} is not the file that Pyodide's lock names: {wanted['file_name']}.")
    if wheel.sha256 != wanted["sha256"]:
        raise LiteError(f"{wheel.path.name} does not have the sum that Pyodide's lock has for it; nothing was built.")


def trimmed(lock: Lock, locked: Mapping[str, Wheel], added: Mapping[str, tuple[Wheel, tuple[str, ...]]]) -> Lock:
    """The lock with these packages alone, each a file beside it. added: wheels of other origin, and what they need.

    Raises LiteError when something needs what is not there.
    """
    packages = {
        name: {**lock["packages"][name], "file_name": wheel.path.name, "sha256": wheel.sha256}
        for name, wheel in locked.items()
    }
    for name, (wheel, needs) in added.items():
        packages[name] = {
            "name": name,
            "version": wheel.version,
            "file_name": wheel.path.name,
            "install_dir": "site",
            "sha256": wheel.sha256,
            "package_type": "package",
            "imports": [],
            "depends": list(needs),
            "unvendored_tests": False,
        }
    new = {**lock, "packages": dict(sorted(packages.items()))}
    for name, package in new["packages"].items():
        missing = [each for each in package["depends"] if normalised(each) not in packages]
        if missing:
            raise LiteError(f"{name} needs {', '.join(missing)}, which the trimmed lock would not have.")
    return new


def numpy_wheel(lock: Lock, places: Iterable[Path]) -> Wheel:
    """NumPy's wheel for the browser, from the first of these files and folders that has it. Raises LiteError."""
    name = lock["packages"]["numpy"]["file_name"]
    for place in places:
        path = place / name if place.is_dir() else place
        if path.is_file():
            wheel = Wheel(path)
            held_against(lock, wheel)
            return wheel
    raise LiteError(
        f"NumPy's wheel for the browser is not at hand, so nothing was built: {name} is in no package index, only in "
        f"Pyodide's release for Python {lock['info']['python']}. Take it from there and say --numpy FILE."
    )


def downloaded(wanted: Mapping[str, str], folder: Path, abi: str) -> dict[str, Wheel]:
    """Wheels for the browser by name, from the package index. wanted: name -> exact version. Raises LiteError."""
    folder.mkdir(parents=True, exist_ok=True)
    have = {(wheel.name, wheel.version): wheel for wheel in map(Wheel, folder.glob("*.whl"))}
    missing = [f"{name}=={version}" for name, version in wanted.items() if (name, version) not in have]
    if missing:
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "-qq", "--no-deps"]
        only = ["--only-binary", ":all:", "--platform", f"pyemscripten_{abi}_wasm32", "--python-version", "3.14"]
        done = subprocess.run([*pip, *only, "--dest", folder, *missing], check=False)
        if done.returncode:
            raise LiteError(f"pip could not get {', '.join(missing)}: the lines above say why.")
        have = {(wheel.name, wheel.version): wheel for wheel in map(Wheel, folder.glob("*.whl"))}
    return {name: have[name, version] for name, version in wanted.items()}


def core(version: str, folder: Path) -> Path:
    """Pyodide's core, from npm's package. Raises LiteError."""
    there = folder / f"pyodide-{version}"
    if not (there / "package" / "pyodide.mjs").is_file():
        if shutil.which("npm") is None:
            raise LiteError(
                "Pyodide's core comes from npm, and there is no npm here. Install Node, or say --pyodide FOLDER."
            )
        there.mkdir(parents=True, exist_ok=True)
        if subprocess.run(["npm", "pack", "--silent", f"pyodide@{version}"], cwd=there, check=False).returncode:
            raise LiteError(f"npm could not get pyodide {version}: the lines above say why.")
        with tarfile.open(next(there.glob("*.tgz"))) as archive:
            archive.extractall(there, filter="data")
    return there / "package"


def own_wheel(folder: Path) -> Wheel:
    """Our wheel, built from this checkout. Raises LiteError."""
    shutil.rmtree(folder, ignore_errors=True)
    build = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "-qq", "--no-deps"]
    if subprocess.run([*build, "--wheel-dir", folder, ROOT], check=False).returncode:
        raise LiteError("pip could not build our wheel: the lines above say why.")
    return Wheel(next(folder.glob("*.whl")))


def lay_out(place: Path, pyodide: Path, lock: Lock, wheels: Iterable[Wheel]) -> None:
    """Lay out what JupyterLite builds from: Pyodide with the lock and the wheels, the settings, course folders."""
    from minitorch.course.files.chosen import FILE as LANGUAGE_FILE
    from minitorch.course.files.course_folder import private_folder
    from minitorch.course.setup.workspace import init_course

    shutil.rmtree(place, ignore_errors=True)
    static = place / "static" / "pyodide"
    static.mkdir(parents=True)
    for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "package.json"):
        shutil.copy(pyodide / name, static)
    for wheel in wheels:
        shutil.copy(wheel.path, static)
    (static / "pyodide-lock.json").write_text(json.dumps(lock, indent=1), encoding="utf-8")
    kernel = {"disablePyPIFallback": True, "loadPyodideOptions": {"packages": sorted(lock["packages"])}}
    settings = {"appName": "minitorch", "litePluginSettings": {KERNEL: kernel}}
    page = {"jupyter-lite-schema-version": 0, "jupyter-config-data": settings}
    (place / "jupyter-lite.json").write_text(json.dumps(page, indent=1), encoding="utf-8")
    for lang, name in FOLDERS.items():
        folder = place / "files" / name
        init_course(folder, lang)
        shutil.rmtree(private_folder(folder))  # JupyterLite serves no hidden files
        (folder / ".gitignore").unlink()
        (folder / LANGUAGE_FILE).write_text(f"{lang}\n", encoding="ascii")


def build(place: Path, out: Path) -> None:
    """Let JupyterLite build the page. Raises LiteError."""
    shutil.rmtree(out, ignore_errors=True)
    words = ["build", "--lite-dir", place, "--output-dir", out, "--contents", place / "files", "--apps", "lab"]
    command = [sys.executable, "-m", "jupyterlite_core", *map(str, words), "--no-sourcemaps"]
    done = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)
    if done.returncode:
        raise LiteError(f"JupyterLite could not be built:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")


def pinned() -> dict[str, str]:
    """Package -> its version in constraints.txt."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pairs = (line.split("==") for line in lines if "==" in line)
    return {normalised(name): version for name, version in pairs}


def make(asked: argparse.Namespace) -> None:
    """Build the page. Raises LiteError."""
    if importlib.util.find_spec("jupyterlite_pyodide_kernel") is None:
        raise LiteError(
            "JupyterLite is not installed here: pip install --constraint constraints.txt --editable '.[lite]'"
        )
    from jupyterlite_pyodide_kernel.constants import PYODIDE_VERSION

    pyodide = asked.pyodide or core(PYODIDE_VERSION, PARTS)
    lock = json.loads((pyodide / "pyodide-lock.json").read_text(encoding="utf-8"))
    names = closure(lock, LOCKED) - {"numpy"}
    places = [asked.numpy] if asked.numpy else [PARTS / "wheels", pyodide]
    numpy = [] if asked.without_numpy else [numpy_wheel(lock, places)]
    abi, versions = lock["info"]["abi_version"], pinned()
    wheels = downloaded({name: lock["packages"][name]["version"] for name in names}, PARTS / "wheels", abi)
    others = downloaded({name: versions[name] for name in ADDED if name not in names}, PARTS / "wheels", abi)
    own = Wheel(asked.wheel) if asked.wheel else own_wheel(PARTS / "own")

    def needed(needs: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(each for each in needs if numpy or each != "numpy")

    added = {name: (wheel, needed(ADDED[name])) for name, wheel in others.items()}
    added[OURS] = own, needed(NEEDS)
    locked = wheels | {wheel.name: wheel for wheel in numpy}
    every = [*locked.values(), *(wheel for wheel, _ in added.values())]
    lay_out(PARTS / "page", pyodide, trimmed(lock, locked, added), every)
    build(PARTS / "page", asked.out)
    size = sum(path.stat().st_size for path in asked.out.rglob("*") if path.is_file())
    print(f"{asked.out}: {size >> 20} MB; serve it with: python -m http.server --directory {asked.out}")


def main() -> int:
    """Build the page, or say in a sentence why not."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--numpy", type=Path, help="NumPy's wheel for the browser, or a folder that has it")
    parser.add_argument("--pyodide", type=Path, help="a folder with Pyodide's core, instead of npm's package")
    parser.add_argument("--wheel", type=Path, help="our wheel, instead of building it")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--without-numpy", action="store_true", help="build a page whose kernel cannot import NumPy")
    try:
        make(parser.parse_args())
    except LiteError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
