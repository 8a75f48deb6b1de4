"""Files made by hand, byte by byte: what is read, and which harm is refused."""

import io
import json
import math
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from minitorch import Tensor
from minitorch.serialization import UnreadableFileError, load, save


@pytest.fixture(params=[".safetensors", ".npz"])
def path(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    return tmp_path / f"file{request.param}"


@pytest.fixture
def st(tmp_path: Path) -> Path:
    return tmp_path / "hand.safetensors"


# -- safetensors, byte by byte -----------------------------------------------------------------------------------------


def written(path: Path, header: Any, data: bytes = b"", length: int | None = None) -> Path:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes((len(text) if length is None else length).to_bytes(8, "little") + text + data)
    return path


def entry(dtype: Any = "F32", shape: Any = (2,), offsets: Any = (0, 8)) -> dict[str, Any]:
    return {"dtype": dtype, "shape": shape, "data_offsets": offsets}


def test_the_bytes_that_are_written(st: Path) -> None:
    save({"b": Tensor(np.array([1], np.uint8)), "w": Tensor(np.array([[1.0], [-2.0]], np.float32))}, st)
    header = b'{"b":{"dtype":"U8","shape":[1],"data_offsets":[8,9]},'
    header += b'"w":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]}}'
    header += b" " * (-len(header) % 8)
    assert st.read_bytes() == len(header).to_bytes(8, "little") + header + bytes.fromhex("0000803f 000000c0 01")


def test_bytes_made_by_hand(st: Path) -> None:
    header = {
        "__metadata__": {"format": "pt"},
        "w": entry("F32", [2, 1], [0, 8]),
        "half": entry("BF16", [3], [8, 14]),
        "yes": entry("BOOL", [3], [14, 17]),
        "empty": entry("I64", [0, 5], [17, 17]),
    }
    loaded = load(written(st, header, bytes.fromhex("0000803f 000000c0 803f 80bf c07f 00 01 02")))
    assert list(loaded) == ["w", "half", "yes", "empty"]
    assert loaded["w"].tolist() == [[1.0], [-2.0]]
    assert (loaded["half"].dtype, loaded["half"].tolist()[:2]) == (np.float32, [1.0, -1.0])
    assert math.isnan(loaded["half"].tolist()[2])
    assert loaded["yes"].data.view(np.uint8).tolist() == [0, 1, 1]
    assert loaded["empty"].shape == (0, 5)


HOSTILE: list[tuple[Any, bytes, str]] = [
    ([], b"", "its header is no JSON object"),
    (b"{'a': 1}", b"", "its header is no JSON: it is damaged, or no safetensors file"),
    (b"[" * 200_000, b"", "its header is no JSON"),
    (b'{"a":' * 200_000, b"", "its header is no JSON"),
    (b'{"a":"\xff"}', b"", "its header is no JSON"),
    (b'{"a": ' + b"9" * 5000 + b"}", b"", "its header is no JSON"),
    (b'{"a": 1, "a": 2}', b"", "its header has 'a' twice"),
    ({"__metadata__": {"a": 1}}, b"", "__metadata__ in its header is no dict of texts"),
    ({"a" * 1000: 1}, b"", r"cannot be read: its entry …$"),
    ({"a": 1}, b"", "its entry 'a' is not made of dtype, shape and data_offsets"),
    ({"a": {**entry(), "more": 1}}, bytes(8), "its entry 'a' is not made of"),
    ({"a": entry("F8_E4M3")}, bytes(8), "'a' has dtype 'F8_E4M3'; known are BOOL, I8"),
    ({"a": entry(["F32"])}, bytes(8), "'a' has dtype"),
    ({"a": entry(shape=[-2])}, bytes(8), "'a' has a shape that is no list of sizes"),
    ({"a": entry(shape=[2.0])}, bytes(8), "'a' has a shape that is no list of sizes"),
    ({"a": entry(shape=[True, 2])}, bytes(8), "'a' has a shape that is no list of sizes"),
    ({"a": entry(shape="2")}, bytes(8), "'a' has a shape that is no list of sizes"),
    ({"a": entry(shape=[1] * 70)}, bytes(4), "'a' has a shape that is no list of sizes"),
    ({"a": entry(shape=[2**62, 2**62, 0], offsets=[0, 0])}, b"", "which is too large"),
    ({"a": entry(offsets=[0])}, bytes(8), "'a' has data_offsets that are not two places"),
    ({"a": entry(offsets=[-8, 0])}, bytes(8), "'a' has data_offsets that are not two places"),
    ({"a": entry(offsets=[8, 0])}, bytes(8), r"'a' of shape \(2,\) and dtype F32 takes 8 bytes, .* are 8 to 0"),
    (
        {"a": entry(shape=[3])},
        bytes(8),
        r"'a' of shape \(3,\) and dtype F32 takes 12 bytes, and its data_offsets",
    ),
    ({"a": entry(shape=[2**40], offsets=[0, 2**42])}, bytes(8), "'a' ends 4398046511096 bytes behind the end"),
    ({"a": entry(), "b": entry(offsets=[4, 12])}, bytes(12), "'a' and 'b' overlap"),
    ({"a": entry(), "b": entry()}, bytes(8), "'a' and 'b' overlap"),
    ({"a": entry(), "b": entry(offsets=[9, 17])}, bytes(17), "'a' and 'b' have a gap between them"),
    ({"a": entry(offsets=[1, 9])}, bytes(9), "the header and 'a' have a gap between them"),
    ({"a": entry()}, bytes(9), "1 bytes at its end belong to nothing"),
    ({"__metadata__": {"minitorch": "["}}, b"", "its description of what is nested in what makes no sense"),
    ({"__metadata__": {"minitorch": "[" * 100_000}}, b"", "its description of what is nested in what makes no sense"),
    ({"__metadata__": {"minitorch": '{"tensor": "x"}'}}, b"", "its description of what is nested"),
    ({"__metadata__": {"minitorch": '{"dict": [[[], 1]]}'}}, b"", "its description of what is nested"),
    ({"__metadata__": {"minitorch": '{"dict": [1]}'}}, b"", "its description of what is nested"),
    ({"__metadata__": {"minitorch": '{"call": "x"}'}}, b"", "its description of what is nested"),
    ({"__metadata__": {"minitorch": '{"float": "x"}'}}, b"", "its description of what is nested"),
    ({"__metadata__": {"minitorch": "{}"}}, b"", "its description of what is nested"),
    ({"__metadata__": {"minitorch": "[]"}}, b"", "it holds a list instead of a dict"),
]


@pytest.mark.parametrize(("header", "data", "text"), HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_headers(st: Path, header: Any, data: bytes, text: str) -> None:
    with pytest.raises(UnreadableFileError, match=text):
        load(written(st, header, data))


@pytest.mark.parametrize("length", [0, 1, 200, 100_000_001, 2**63, 2**64 - 1])
def test_absurd_lengths_of_a_header(st: Path, length: int) -> None:
    with pytest.raises(UnreadableFileError, match=f"announce a header of {length} bytes in a file of 26"):
        load(written(st, {"a": "bcdefghij"}, b"", length))


@pytest.mark.parametrize("data", [b"", b"1234567", b"\x80\x04K\x01.", b"PK\x03\x04" + bytes(100)])
def test_foreign_files(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    with pytest.raises(UnreadableFileError, match="cannot be read"):
        load(path)


# -- npz ---------------------------------------------------------------------------------------------------------------


@pytest.fixture
def npz(tmp_path: Path) -> Path:
    return tmp_path / "hand.npz"


def npy(array: Any) -> bytes:
    stream = io.BytesIO()
    np.lib.format.write_array(stream, np.asarray(array), allow_pickle=True)
    return stream.getvalue()


def zipped(path: Path, members: list[tuple[str, bytes]], compression: int = zipfile.ZIP_STORED) -> Path:
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return path


def test_numpy_reads_ours_and_we_read_numpys(npz: Path) -> None:
    save({"a.b": Tensor([1.0, 2.0]), "c": Tensor(3)}, npz)
    with np.load(npz) as archive:
        assert {name: archive[name].tolist() for name in archive} == {"a.b": [1.0, 2.0], "c": 3}
    arrays = {"columns": np.asfortranarray(np.arange(6.0).reshape(2, 3)), "big": np.arange(3, dtype=">i4")}
    arrays |= {"bool": np.ones(2, "?"), "scalar": np.array(2.5), "empty": np.zeros((2, 0))}
    for write in (np.savez, np.savez_compressed):
        write(npz, **arrays)
        loaded = load(npz)
        assert list(loaded) == list(arrays)
        for name, array in arrays.items():
            np.testing.assert_array_equal(loaded[name].data, array)
            assert loaded[name].dtype.isnative


def test_a_pickle_in_an_npz_is_never_opened(npz: Path) -> None:
    class Bomb:
        def __reduce__(self) -> Any:
            return pytest.fail, ("a pickle was run",)

    np.savez(npz, a=np.array([Bomb()], dtype=object))
    with pytest.raises(UnreadableFileError, match="'a' holds pickled objects, which could run any program; only plain"):
        load(npz)


def test_hostile_archives(npz: Path) -> None:
    numbers = npy(np.zeros(3))
    lying = numbers.replace(b"(3,), ", b"(10**9,), ").replace(b"(10**9,), ", b"(9999,), ")
    with pytest.warns(UserWarning, match="Duplicate name"):
        zipped(npz, [("a.npy", numbers), ("a.npy", numbers)])
    with pytest.raises(UnreadableFileError, match="it has two arrays of the same name"):
        load(npz)
    cases: list[tuple[list[tuple[str, bytes]], int, str]] = [
        ([("evil.py", b"1")], zipfile.ZIP_STORED, "it is a zip archive that holds no arrays but 'evil.py': unpack it"),
        (
            [("a.npy", numbers), ("evil.py", b"1")],
            zipfile.ZIP_STORED,
            "it holds 'evil.py', which is no .npy: it is not",
        ),
        ([("a.npy", numbers)], zipfile.ZIP_LZMA, "'a.npy' is packed in a way that NumPy does not use"),
        ([("a.npy", lying)], zipfile.ZIP_STORED, r"'a' of shape \(9999,\) takes 79992 bytes, and 2. are there"),
        ([("a.npy", numbers[:-1])], zipfile.ZIP_STORED, r"'a' of shape \(3,\) takes 24 bytes, and 23 are there"),
        ([("a.npy", numbers + b"x")], zipfile.ZIP_STORED, r"'a' of shape \(3,\) takes 24 bytes, and 25 are there"),
        ([("a.npy", b"not numpy")], zipfile.ZIP_STORED, "it is truncated, damaged, or no .npz file"),
        ([("a.npy", b"")], zipfile.ZIP_STORED, "it is truncated, damaged, or no .npz file"),
        ([("a.npy", numbers.replace(b"(3,)", b"(-3,"))], zipfile.ZIP_STORED, "it is truncated, damaged, or no .npz"),
        ([("a.npy", numbers.replace(b"(3,), ", b"(-3,),"))], zipfile.ZIP_STORED, r"'a' of shape \(-3,\) takes -24 byt"),
        ([("a.npy", npy(np.array(["x"])))], zipfile.ZIP_STORED, "'a' holds dtype <U1; only plain numbers are read"),
        ([("a.npy", npy(np.zeros(2, "f4,i4")))], zipfile.ZIP_STORED, "'a' holds dtype .*; only plain numbers are read"),
        ([("a.npy", npy(np.zeros(2, complex)))], zipfile.ZIP_STORED, "'a' holds dtype complex128; only plain numbers"),
        (
            [("a.npy", numbers.replace(b"NUMPY\x01", b"NUMPY\x03"))],
            zipfile.ZIP_STORED,
            r"version \(3, 0\) of the .npy format",
        ),
        ([("__metadata__.npy", npy(np.array([255], np.uint8)))], zipfile.ZIP_STORED, "it is truncated, damaged, or no"),
    ]
    for members, compression, text in cases:
        with pytest.raises(UnreadableFileError, match=text):
            load(zipped(npz, members, compression))


def test_a_zip_bomb_is_not_unpacked(npz: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("minitorch.serialization.npz.ALWAYS_ALLOWED", 1 << 20)
    np.savez_compressed(npz, a=np.zeros(10_000_000))
    with pytest.raises(UnreadableFileError, match=r"its \d+ bytes claim to unpack to 80000\d+"):
        load(npz)
    np.savez_compressed(npz, a=np.zeros(100_000))
    assert load(npz)["a"].shape == (100_000,)
