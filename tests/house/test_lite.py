"""The browser edition: the lock names what is needed, all of it beside the page, and NumPy's wheel is the right one."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import lite
import pytest
from lite import ADDED, FOLDERS, LOCKED, NEEDS, OURS, LiteError, Wheel, closure, numpy_wheel, pinned, trimmed

from minitorch.course.files.chosen import chosen_language

NUMPY = "numpy-9.9-cp314-cp314-pyemscripten_2026_0_wasm32.whl"
DEPENDS = {"ipython": ["traitlets", "pure-eval"], "traitlets": [], "pure-eval": [], "numpy": [], "scipy": ["numpy"]}


def entry(name, sha256=""):
    """What Pyodide's lock says of a package."""
    file_name = NUMPY if name == "numpy" else f"{name}-1.0-py3-none-any.whl"
    known = {"install_dir": "site", "package_type": "package", "unvendored_tests": False, "imports": [name]}
    return known | {
        "name": name,
        "version": "1.0",
        "file_name": file_name,
        "sha256": sha256,
        "depends": DEPENDS[name],
    }


@pytest.fixture
def stand_in(tmp_path):
    """A lock as Pyodide's, and wheels that are as little as a wheel can be: name -> wheel."""
    wheels = {}
    for name in [*DEPENDS, "rustworkx", "minitorch_course"]:
        path = tmp_path / (NUMPY if name == "numpy" else f"{name.replace('-', '_')}-1.0-py3-none-any.whl")
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(f"{name}/__init__.py", "")
        wheels[lite.normalised(name)] = Wheel(path)
    packages = {name: entry(name, wheels[name].sha256) for name in DEPENDS}
    info = {"abi_version": "2026_0", "arch": "wasm32", "platform": "emscripten_5_0_3", "python": "3.14.2"}
    return {"info": info, "packages": packages, "tool": {}}, wheels


def test_what_a_package_needs_comes_along_and_nothing_else(stand_in):
    lock, _ = stand_in
    assert closure(lock, ["IPython", "numpy"]) == {"ipython", "traitlets", "pure-eval", "numpy"}
    with pytest.raises(LiteError, match="no package jedi"):
        closure(lock, ["jedi"])


def test_the_trimmed_lock_names_files_beside_it_with_their_sums(stand_in):
    lock, wheels = stand_in
    kept = {name: wheels[name] for name in closure(lock, ["ipython", "numpy"])}
    added = {"rustworkx": (wheels["rustworkx"], ("numpy",)), OURS: (wheels[OURS], ("numpy", "rustworkx"))}
    new = trimmed(lock, kept, added)
    assert sorted(new["packages"]) == ["ipython", OURS, "numpy", "pure-eval", "rustworkx", "traitlets"]
    assert new["info"] == lock["info"]
    for package in new["packages"].values():
        path = wheels[package["name"]].path
        assert package["file_name"] == path.name
        assert package["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
        assert set(package) == set(entry("numpy"))
    assert new["packages"][OURS]["depends"] == ["numpy", "rustworkx"]
    assert "scipy" in lock["packages"]


def test_a_lock_that_lacks_what_something_needs_is_none(stand_in):
    lock, wheels = stand_in
    with pytest.raises(LiteError, match="minitorch-course needs rustworkx"):
        trimmed(lock, {"numpy": wheels["numpy"]}, {OURS: (wheels[OURS], ("numpy", "rustworkx"))})


def test_numpys_wheel_is_found_in_a_file_or_a_folder_and_held_against_its_sum(stand_in, tmp_path):
    lock, wheels = stand_in
    path = wheels["numpy"].path
    assert numpy_wheel(lock, [tmp_path / "nowhere", path]) == numpy_wheel(lock, [tmp_path]) == wheels["numpy"]
    path.write_bytes(path.read_bytes() + b"x")
    with pytest.raises(LiteError, match="does not have the sum"):
        numpy_wheel(lock, [path])
    other = shutil.copy(path, tmp_path / "numpy-9.8-cp314-cp314-pyemscripten_2026_0_wasm32.whl")
    with pytest.raises(LiteError, match="is not the file that Pyodide's lock names"):
        numpy_wheel(lock, [Path(other)])


def test_where_numpys_wheel_is_not_at_hand_a_sentence_says_where_it_is(stand_in, tmp_path):
    lock, _ = stand_in
    with pytest.raises(LiteError) as told:
        numpy_wheel(lock, [tmp_path / "nowhere"])
    assert str(told.value) == (
        f"NumPy's wheel for the browser is not at hand, so nothing was built: {NUMPY} is in no package index, only in "
        "Pyodide's release for Python 3.14.2. Take it from there and say --numpy FILE."
    )


def test_what_is_added_is_pinned_and_needs_what_is_there():
    assert set(ADDED) - set(pinned()) == set()
    assert {each for needs in ADDED.values() for each in needs} - {*ADDED, *LOCKED, "traitlets"} == set()
    assert set(NEEDS) <= {*ADDED, *LOCKED}
    project = tomllib.loads((lite.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(NEEDS) == {re.match(r"[\w-]+", each)[0] for each in project["dependencies"]} | {"anywidget"}


def test_the_page_has_a_course_folder_for_each_language_and_nothing_hidden(stand_in, tmp_path):
    lock, wheels = stand_in
    core = tmp_path / "core"
    core.mkdir()
    for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "package.json"):
        (core / name).write_text(name)
    place = tmp_path / "page"
    lite.lay_out(place, core, lock, [wheels["numpy"]])
    assert json.loads((place / "static" / "pyodide" / "pyodide-lock.json").read_text()) == lock
    assert (place / "static" / "pyodide" / NUMPY).is_file()
    settings = json.loads((place / "jupyter-lite.json").read_text())["jupyter-config-data"]["litePluginSettings"]
    assert settings[lite.KERNEL]["disablePyPIFallback"] is True
    assert settings[lite.KERNEL]["loadPyodideOptions"]["packages"] == sorted(lock["packages"])
    assert [path for path in (place / "files").rglob("*") if path.name.startswith(".")] == []
    for lang, name in FOLDERS.items():
        folder = place / "files" / name
        assert chosen_language(folder) == lang
        assert len(list((folder / "exercises").glob("lesson_*.py"))) == len(
            list((folder / "work").glob("[0-9C]*.ipynb"))
        )


def test_the_script_says_what_is_missing_in_a_sentence(tmp_path):
    """Without JupyterLite, or else without NumPy's wheel."""
    core = tmp_path / "core"
    core.mkdir()
    packages = {name: entry("numpy") | {"name": name, "depends": []} for name in (*LOCKED, "traitlets")}
    (core / "pyodide-lock.json").write_text(json.dumps({"info": {"python": "3.14.2"}, "packages": packages}))
    words = [sys.executable, lite.__file__, "--pyodide", core, "--numpy", tmp_path / "none", "--out", tmp_path / "out"]
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False)
    there = importlib.util.find_spec("jupyterlite_pyodide_kernel") is not None
    assert (done.returncode, done.stdout) == (1, "")
    said = "NumPy's wheel for the browser is not at hand" if there else "JupyterLite is not installed here"
    assert done.stderr.startswith(said)
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()
