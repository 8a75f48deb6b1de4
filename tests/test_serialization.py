"""save and load: what survives, and what files are refused."""

import contextlib
import math
import os
import stat
import sys
from collections import OrderedDict
from pathlib import Path
from typing import Any

import fake_cupy
import numpy as np
import pytest

import minitorch
from minitorch import Tensor
from minitorch.nn import Module, Parameter
from minitorch.serialization import UnreadableFileError, load, save
from minitorch.serialization.atomic import write_atomically

DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
DTYPES += ["float16", "float32", "float64"]


@pytest.fixture(params=[".safetensors", ".npz"])
def path(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    return tmp_path / f"file{request.param}"


def same(a: Any, b: Any) -> bool:
    """Equal in values, types, dtypes and shapes, all the way down; dicts in their order too; nan is nan."""
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a.items(), b.items(), strict=True))
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, Tensor):
        return same(a.data, b.data)
    if isinstance(a, (np.ndarray, np.generic)):
        return (a.dtype, a.shape, a.tobytes()) == (b.dtype, b.shape, b.tobytes())
    return repr(a) == repr(b)


# -- what survives -----------------------------------------------------------------------------------------------------


def test_a_state_dict_of_every_dtype(path: Path) -> None:
    state = {dtype: Tensor(np.arange(6).reshape(2, 3).astype(dtype)) for dtype in DTYPES}
    state |= {"scalar": Tensor(2.5), "empty": Tensor(np.zeros((0, 3))), "nan": Tensor([math.nan, math.inf, -0.0])}
    state |= {"transposed": Tensor(np.arange(6.0).reshape(2, 3).T), "every.other": Tensor(np.arange(10)[::2])}
    save(state, path)
    assert same(load(path), state)


def test_a_checkpoint_survives_exactly(path: Path) -> None:
    generator = np.random.default_rng(1)
    checkpoint = {
        "model": {"0.weight": Tensor([1.0, 2.0]), "0.bias": Tensor([3.0])},
        "model.0": {"weight": Tensor([9.0])},
        "optimizer": {
            "state": {0: {"step": 3, "exp_avg": np.zeros(2)}, 1: {}},
            "param_groups": [{"lr": 1e-3, "betas": (0.9, 0.999), "amsgrad": False, "params": [0, 1]}],
        },
        "generator": generator.bit_generator.state,
        "best": math.inf,
        "floats": [0.1, -0.0, 1e22, 5e-324, math.nan, -math.inf, 1.0],
        "texts": ["", "ü\n\x00\u2028", '"', "\ud800"],
        "numbers": (2**200, -1, True, None, 1),
        "scalars": [np.float32(0.1), np.float64(0.1), np.int64(3), np.bool_(True)],
        ("a", 1): {None: [], True: {}, 1.5: (), "__metadata__": Tensor(1.0)},
        "__metadata__": {},
        "": Tensor([5.0]),
    }
    save(checkpoint, path)
    loaded = load(path)
    assert same(loaded, checkpoint)
    generator.bit_generator.state = loaded["generator"]


@pytest.mark.parametrize(
    "obj", [{}, {"__metadata__": Tensor(1.0)}, {1: Tensor(1.0)}, {"a": np.zeros(2)}, {"a": {}}, {"a": 1}]
)
def test_small_dicts(path: Path, obj: Any) -> None:
    save(obj, path)
    assert same(load(path), obj)


def test_a_model_is_saved_and_loaded(path: Path) -> None:
    class Model(Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = Parameter(Tensor([1.0, 2.0]))
            self.tied = self.weight
            self.register_buffer("count", Tensor(3))

    model, other = Model(), Model()
    other.weight.data *= 0
    save(model.state_dict(), path)
    assert repr(other.load_state_dict(load(path))) == "<All keys matched successfully>"
    assert other.weight.tolist() == [1.0, 2.0]
    save(OrderedDict(model.state_dict(keep_vars=True)), path)
    loaded = load(path)["weight"]
    assert type(loaded) is Tensor
    assert not loaded.requires_grad


def test_what_is_loaded_can_be_changed_and_shares_nothing(path: Path) -> None:
    save({"a": Tensor([1.0, 2.0]), "b": Tensor([True])}, path)
    first, second = load(path), load(path)
    first["a"].data[0] = 7
    first["b"].data[0] = False
    assert second["a"].tolist() == [1.0, 2.0]
    assert second["b"].tolist() == [True]


def test_the_same_numbers_give_the_same_bytes(path: Path) -> None:
    save({"a": Tensor([1.0]), "b": 1}, path)
    first = path.read_bytes()
    save({"a": Tensor([1.0]), "b": 1}, path)
    assert path.read_bytes() == first


def test_from_and_to_the_gpu(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", fake_cupy)
    save({"a": Tensor([1.0, 2.0], device="cuda")}, path)
    assert load(path)["a"].device == "cpu"
    assert load(path, map_location="cuda")["a"].device == "cuda:0"
    with pytest.raises(ValueError, match="device 'gpu' is not known"):
        load(path, "gpu")


# -- what is not saved -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("obj", "error", "text"),
    [
        ([1], TypeError, "save: give a dict, not a list"),
        (Module(), TypeError, r"save: give a dict, as Module.state_dict\(\) gives it, not a Module"),
        ({"a": {"b": len}}, TypeError, "save: a.b is a builtin_function_or_method; only Tensors, arrays, numbers"),
        ({"a": [{1, 2}]}, TypeError, "save: a.0 is a set; only"),
        ({"a": np.array(["x"])}, TypeError, "save: a has dtype <U1, which cannot be saved"),
        ({"a": np.array([None])}, TypeError, "save: a has dtype object, which cannot be saved"),
        ({"a": 1j}, TypeError, "save: a is a complex; only"),
    ],
)
def test_what_cannot_be_saved(path: Path, obj: Any, error: Any, text: str) -> None:
    path.write_bytes(b"old")
    with pytest.raises(error, match=text):
        save(obj, path)
    assert path.read_bytes() == b"old"
    assert list(path.parent.iterdir()) == [path]


def test_what_contains_itself(path: Path) -> None:
    endless: dict[str, Any] = {}
    endless["me"] = endless
    with pytest.raises(ValueError, match=r"save: me.me.me… is nested deeper than 100: does it contain itself\?"):
        save(endless, path)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("model.pt", r"model.pt has to end in .safetensors or .npz, .*; this ending means a pickle, which can run any"),
        ("model.txt", r"model.txt has to end in .safetensors or .npz, which says its format$"),
        ("model", r"model has to end in .safetensors or .npz, which says its format$"),
    ],
)
def test_other_endings(tmp_path: Path, name: str, text: str) -> None:
    with pytest.raises(ValueError, match=f"save: {text}"):
        save({}, tmp_path / name)
    with pytest.raises(ValueError, match=f"load: {text}"):
        load(tmp_path / name)


def test_an_npz_name_that_a_zip_would_change(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"save: 'a\\x00b' cannot be a name in an .npz file"):
        save({"a\0b": Tensor(1.0)}, tmp_path / "x.npz")


def test_what_is_nested_as_deep_as_may_be(path: Path) -> None:
    deep: Any = Tensor([1.0])
    for _ in range(100):
        deep = {"a": deep}
    save(deep, path)
    assert same(load(path), deep)


# -- files as a whole --------------------------------------------------------------------------------------------------


def test_the_ending_may_be_in_capitals_and_the_path_a_text(tmp_path: Path) -> None:
    save({"a": Tensor(1.0)}, str(tmp_path / "X.SafeTensors"))
    assert load(str(tmp_path / "X.SafeTensors"))["a"].item() == 1.0


def test_missing_files_and_folders(path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load(path)
    with pytest.raises(FileNotFoundError, match=r"save: there is no folder .*missing: make it first"):
        save({}, path.parent / "missing" / path.name)
    path.mkdir()
    with pytest.raises(UnreadableFileError, match="is a folder or a device, not a file"):
        load(path)


def test_a_failed_save_leaves_the_old_file_and_no_other(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save({"a": Tensor(1.0)}, path)

    def full(*_: Any) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no space left"):
        save({"a": Tensor(2.0)}, path)
    monkeypatch.undo()
    assert load(path)["a"].item() == 1.0
    assert list(path.parent.iterdir()) == [path]


def test_the_disk_is_asked_before_the_name_changes(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    fsync, replace = os.fsync, Path.replace
    monkeypatch.setattr(os, "fsync", lambda descriptor: (calls.append("fsync"), fsync(descriptor)))
    monkeypatch.setattr(Path, "replace", lambda self, target: (calls.append("replace"), replace(self, target)))
    save({"a": Tensor(1.0)}, path)
    assert calls[:2] == ["fsync", "replace"]


@pytest.mark.skipif(os.name != "posix", reason="modes and links are POSIX's")
def test_the_mode_and_a_link_stay(path: Path) -> None:
    save({"a": Tensor(1.0)}, path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    path.chmod(0o600)
    link = path.with_name("link" + path.suffix)
    link.symlink_to(path)
    save({"a": Tensor(2.0)}, link)
    assert link.is_symlink()
    assert load(path)["a"].item() == 2.0
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_package_has_one_atomic_writer() -> None:
    package = Path(minitorch.__file__).parent
    writers = {path.relative_to(package) for path in package.rglob("*.py") if "mkstemp" in path.read_text("utf-8")}
    assert writers == {Path("serialization", "atomic.py")}


@pytest.mark.skipif(os.name != "posix", reason="modes and links are POSIX's")
def test_bytes_are_written_through_a_link_and_into_a_folder_that_is_not_there_yet(tmp_path: Path) -> None:
    record, link = tmp_path / "folder" / "record", tmp_path / "link"
    link.symlink_to(record)
    for content in (b"old", b"new"):
        write_atomically(link, content)
        assert link.is_symlink()
        assert record.read_bytes() == content


def test_the_next_write_removes_what_killed_writers_left(tmp_path: Path) -> None:
    path = tmp_path / "record[1].json"
    left, young, others = (
        tmp_path / f".{name}.tmp" for name in ("record[1].json.abc", "record[1].json.xyz", "other.abc")
    )
    for file in (left, young, others):
        file.write_bytes(b"half")
    for file in (left, others):
        os.utime(file, (1.0, 1.0))
    write_atomically(path, b"whole")
    assert {file.name for file in tmp_path.iterdir()} == {path.name, young.name, others.name}


def test_every_truncated_file_is_refused(path: Path) -> None:
    save({"model": {"a": Tensor([1.0, 2.0]), "b": Tensor([3])}, "epoch": 1}, path)
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        with pytest.raises(UnreadableFileError, match="cannot be read"):
            load(path)


def test_a_damaged_file_is_refused_or_read_as_numbers(path: Path) -> None:
    """Whatever byte is wrong: one kind of error, or a dict."""
    save({"model": {"a": Tensor([1.0, 2.0]), "b": Tensor([True])}, "epoch": (1, math.inf)}, path)
    whole = path.read_bytes()
    generator = np.random.default_rng(0)
    for place in range(len(whole)):
        for value in {0, 255, whole[place] ^ 1, int(generator.integers(256))}:
            path.write_bytes(whole[:place] + bytes([value]) + whole[place + 1 :])
            with contextlib.suppress(UnreadableFileError):
                assert isinstance(load(path), dict)


# -- beside the safetensors package ------------------------------------------------------------------------------------


def test_safetensors_reads_ours_and_we_read_theirs(tmp_path: Path) -> None:
    st = tmp_path / "weights.safetensors"
    package = pytest.importorskip("safetensors.numpy", reason="safetensors is not installed")
    arrays = {dtype: np.arange(6).reshape(2, 3).astype(dtype) for dtype in DTYPES}
    arrays |= {"scalar": np.array(2.5), "empty": np.zeros((0, 3)), "ü.0": np.ones(1)}
    save({name: Tensor(array) for name, array in arrays.items()}, st)
    theirs = package.load_file(st)
    assert set(theirs) == set(arrays)
    assert all(same(theirs[name], array) for name, array in arrays.items())
    package.save_file(arrays, st, metadata={"format": "np"})
    ours = load(st)
    assert set(ours) == set(arrays)
    assert all(same(ours[name].data, array) for name, array in arrays.items())
    save({"model": {"w": Tensor([1.0])}, "epoch": 3}, st)
    assert package.load_file(st)["model.w"].tolist() == [1.0]


def test_weights_move_to_pytorch_and_back(tmp_path: Path, torch: Any) -> None:
    st = tmp_path / "weights.safetensors"
    package = pytest.importorskip("safetensors.torch", reason="safetensors is not installed")
    theirs = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4))
    ours = minitorch.nn.Sequential(minitorch.nn.Linear(3, 4), minitorch.nn.BatchNorm1d(4))
    package.save_file(theirs.state_dict(), st)
    ours.load_state_dict(load(st))
    assert all(np.array_equal(ours.state_dict()[name].data, t.numpy()) for name, t in theirs.state_dict().items())
    ours[0].weight.data *= 2
    save(ours.state_dict(), st)
    theirs.load_state_dict(package.load_file(st))
    assert np.array_equal(theirs[0].weight.detach().numpy(), ours[0].weight.data)
    package.save_file({"w": torch.tensor([1.5, -3.0], dtype=torch.bfloat16)}, st)
    assert load(st)["w"].tolist() == [1.5, -3.0]
