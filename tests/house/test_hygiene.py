"""What lies in the repository names no machine and no address, and the lists of packages agree with each other."""

import ipaddress
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import addresses
import pytest

ROOT = Path(__file__).resolve().parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT, BUILD_SYSTEM = PYPROJECT["project"], PYPROJECT["build-system"]
ADDRESS = re.compile(r"https?://([^/\s\"'`)>\\]*)")
ALLOWED_HOSTS = {"localhost", "127.0.0.1", "www.w3.org"}  # this machine, and the name of SVG's namespace
MACHINE_PATH = re.compile(r"(?<![\w.~}*)-])/(?:home|root|Users|opt|tmp|mnt|srv)/\w+")
FOUR_NUMBERS = re.compile(r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.])")
REQUIREMENT = re.compile(r"(?P<name>[A-Za-z0-9._-]+)(?:\[[\w,]+\])?(?P<version>[^\[\]]*)")
# The distributions whose name on conda-forge is another one.
CONDA_NAMES = {"graphviz": "python-graphviz", "playwright": "playwright-python", "build": "python-build"}
LEARNERS = frozenset({"lab", "viz", "course"})  # the extras of a learner
# Packages that the index of Python packages has and conda-forge may not: pip installs them.
BY_PIP = {"axe-playwright-python", "pypdfium2", "resvg_py"}
# PyTorch is only ever compared with, and is gigabytes: nothing installs it unasked.
NOT_IN_CONDA = {"torch", "cupy-cuda12x"}  # one comes in other builds there, the other under another name


def tracked_files() -> list[Path]:
    """Return every file that is committed, but for the stubs: what stands in them is the learner's own."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    names = subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT, text=True).split("\0")
    return [ROOT / name for name in names if (ROOT / name).is_file() and not name.startswith("exercises/")]


def text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""  # an array or an image


def foreign_addresses(text: str) -> list[str]:
    hosts = [host for host in ADDRESS.findall(text) if host.split(":")[0] not in ALLOWED_HOSTS and "{" not in host]
    numbers = [word for word in FOUR_NUMBERS.findall(text) if _is_foreign(word)]
    return hosts + numbers


def _is_foreign(word: str) -> bool:
    try:
        return not ipaddress.ip_address(word).is_loopback
    except ValueError:
        return False


def test_no_file_names_an_address():
    """But for those that are made from the one variable, where somebody has published and filled it in."""
    files = [path for path in tracked_files() if path != Path(__file__)]
    if addresses.repository():
        files = [path for path in files if path not in {addresses.README, addresses.CITATION}]
    found = {path.name: foreign_addresses(text_of(path)) for path in files}
    assert {name: hosts for name, hosts in found.items() if hosts} == {}


def test_no_file_names_a_path_of_a_machine():
    found = {path.name: MACHINE_PATH.findall(text_of(path)) for path in tracked_files() if path != Path(__file__)}
    assert {name: paths for name, paths in found.items() if paths} == {}


@pytest.mark.parametrize("text", ["see https://example.org/x", "host = 10.1.2.3", "--index-url http://10.0.0.1/simple"])
def test_the_address_test_sees_an_address(text):
    assert foreign_addresses(text)


@pytest.mark.parametrize("text", ["'/home/ana/x'", "open /opt/thing", '"/Users/ana"'])
def test_the_path_test_sees_a_path(text):
    assert MACHINE_PATH.findall(text)


@pytest.mark.parametrize("text", ["1.2.3.4.5", "127.0.0.1:8888", "http://localhost:8888/lab", "numpy==2.4.6"])
def test_the_address_test_lets_this_machine_through(text):
    assert not foreign_addresses(text)


def test_no_file_is_too_long_to_read():
    code = [path for path in tracked_files() if path.suffix in {".py", ".js"}]
    lengths = {path.relative_to(ROOT).as_posix(): len(text_of(path).splitlines()) for path in code}
    assert {name: length for name, length in lengths.items() if length > 500} == {}


def test_nothing_is_left_to_do():
    marks = re.compile(r"\b(?:TODO|FIXME|XXX|HACK)\b")
    found = [path.name for path in tracked_files() if path != Path(__file__) and marks.search(text_of(path))]
    assert found == []


# --------------------------------------------------------------------------------- lists of packages


def requirements(*, without: frozenset[str] = frozenset()) -> dict[str, str]:
    """Return name -> version range of every dependency and every extra's dependency."""
    lines = list(PROJECT["dependencies"])
    for extra, more in PROJECT["optional-dependencies"].items():
        lines += more if extra not in without else []
    found = {match["name"]: match["version"] for match in map(REQUIREMENT.fullmatch, lines)}
    found.pop(PROJECT["name"], None)
    return found


def conda_requirements(name: str, indent: str = "  ") -> dict[str, str]:
    """Return name -> version range of the packages that a file asks of conda-forge; of pip where indented."""
    text = (ROOT / name).read_text(encoding="utf-8")
    found = re.findall(rf"^{indent}- ([^\s:]+)(?:  #.*)?$", text, flags=re.MULTILINE)
    matches = map(REQUIREMENT.fullmatch, found)
    return {match["name"]: match["version"] for match in matches if match["name"] != "conda-forge"}


def in_conda(wanted: dict[str, str]) -> dict[str, str]:
    """Return the requirements that conda-forge has, under their names there."""
    kept = {name: version for name, version in wanted.items() if name not in NOT_IN_CONDA | BY_PIP}
    return {CONDA_NAMES.get(name, name): version for name, version in kept.items()}


def test_environment_yml_has_what_a_learner_needs_and_nothing_that_pip_fetches():
    others = frozenset(PROJECT["optional-dependencies"]) - LEARNERS
    present = conda_requirements("environment.yml")
    for name in ("pip", "graphviz"):
        assert present.pop(name) == ""
    assert present.pop("python") == PROJECT["requires-python"]
    assert f"hatchling{present.pop('hatchling')}" in BUILD_SYSTEM["requires"]
    assert present == in_conda(requirements(without=others))
    assert "pip:" not in (ROOT / "environment.yml").read_text(encoding="utf-8")


def test_environment_dev_yml_has_the_rest():
    learners = conda_requirements("environment.yml")
    rest = {name: version for name, version in in_conda(requirements()).items() if name not in learners}
    assert conda_requirements("environment-dev.yml") == {"pip": "", **rest}
    everything = requirements()
    assert conda_requirements("environment-dev.yml", " " * 6) == {name: everything[name] for name in BY_PIP}


def test_constraints_are_names_and_exact_versions_only():
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if not line.startswith("# ")]
    assert [line for line in pins if not re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][0-9A-Za-z.]*", line)] == []
    assert pins == sorted(pins, key=str.lower)


def test_every_direct_dependency_is_pinned():
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = {line.split("==")[0].lower() for line in lines}
    assert set(requirements()) - pinned == set()


def test_torch_is_installed_only_when_asked_for():
    asked_for = {
        extra
        for extra, lines in PROJECT["optional-dependencies"].items()
        if any(line.startswith("torch") for line in lines)
    }
    assert asked_for == {"torch"}
    assert not any(
        "[" in line and "torch]" in line for lines in PROJECT["optional-dependencies"].values() for line in lines
    )
    for name in ("Makefile", ".ci/run", "environment.yml", "environment-dev.yml"):
        words = re.sub("minitorch", "", (ROOT / name).read_text(encoding="utf-8"))
        assert "[torch" not in words
        assert not re.search(r"install[^\n]*\btorch", words)
