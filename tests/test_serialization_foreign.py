"""Files that are no weights: load says what they are, and what to do."""

import io
import pickle
import subprocess
import sys
import zipfile

import numpy as np
import pytest

import minitorch
from minitorch import Tensor, UnreadableFileError, load, save

WEB = "https:" + "//"  # apart, for no file of the repository names an address
POINTER = f"version {WEB}git-lfs.github.com/spec/v1\noid sha256:{'4d' * 32}\nsize 548105171\n".encode()
PAGE = b"\n<!DOCTYPE html>\n<html><head><title>Sign in</title></head></html>\n"


def zipped(**files: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "/").replace("_pkl", ".pkl"), content)
    return out.getvalue()


def saved(kind: str) -> bytes:
    out = io.BytesIO()
    if kind == "npz":
        np.savez(out, w=np.ones(3))
    else:
        save({"w": Tensor([1.0, 2.0])}, out)
    return out.getvalue()


PT = zipped(archive__data_pkl=b"\x80\x02}q\x00.", archive__data__0=b"\0" * 8)
LEGACY = pickle.dumps(0x1950A86A20F9469CFC6C, 2) + pickle.dumps({"w": [1.0]}, 2)  # as torch.save began before 1.6
TEXT = "weights of the net, {}\n"

# the content, the ending that it was given, what is said
FOREIGN = {
    "a pointer": (POINTER, "both", r"it is a Git LFS pointer, .*: run `git lfs pull`"),
    "a page": (PAGE, "both", r"it is a web page \(HTML\): .* download the file itself"),
    "a .pt": (
        PT,
        "both",
        r"it is a \.pt file of PyTorch, a pickle, .*: read it in PyTorch, and write it with numpy\.savez",
    ),
    "an old .pt": (
        LEGACY,
        "both",
        r"it is a pickle, which can run any program.*: read it .*, and write it with numpy\.savez",
    ),
    "nothing": (b"", "both", r"it is empty \(0 bytes\): .* again"),
    "text": (TEXT.encode(), "both", r"it is text that begins with 'weights of the net, {}'"),
    "UTF-16": (TEXT.encode("utf-16"), "both", r"it is text in UTF-16.*: copy the original"),
    "a BOM": (TEXT.encode("utf-8-sig"), "both", r"it is text in UTF-8 with a byte order mark.*: copy the original"),
    "an .npz": (saved("npz"), "safetensors", r"it is an \.npz file: rename it to end in \.npz"),
    "a safetensors": (saved("safetensors"), "npz", r"it is a safetensors file: rename it to end in \.safetensors"),
    "an .npy": (b"\x93NUMPY\x01\x00" + bytes(90), "both", r"it is one array of NumPy, an \.npy file: .*numpy\.load"),
    "gzip": (b"\x1f\x8b\x08" + bytes(30), "both", r"it is compressed by gzip: .*gunzip"),
    "another zip": (zipped(readme=b"a"), "both", r"it is a zip archive .*'readme'.*: unpack it"),
    "a part of an .npz": (
        saved("npz")[:-30],
        "both",
        r"it is a zip archive that is cut off or damaged: copy or download it again",
    ),
    "a part of a .pt": (PT[:-30], "both", r"it is a zip archive that is cut off or damaged: copy or download it again"),
    "a part of a safetensors": (
        saved("safetensors")[:-3],
        "safetensors",
        r".*it is truncated: copy or download it again",
    ),
    "a part of a header": (
        saved("safetensors")[:30],
        "safetensors",
        r".*it is truncated, .*: copy or download it again",
    ),
}
CASES = [
    (name, ending)
    for name, (_, endings, _) in FOREIGN.items()
    for ending in (("safetensors", "npz") if endings == "both" else (endings,))
]


@pytest.mark.parametrize(("name", "ending"), CASES)
def test_a_foreign_file_is_called_what_it_is(tmp_path, name, ending):
    content, _, words = FOREIGN[name]
    path = tmp_path / f"weights.{ending}"
    path.write_bytes(content)
    with pytest.raises(UnreadableFileError, match=f"^load: .*weights.{ending} cannot be read: {words}") as caught:
        load(path)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500 + len(str(path))


@pytest.mark.parametrize("name", [name for name in FOREIGN if name not in ("nothing", "an .npz", "a safetensors")])
def test_an_open_file_is_called_what_it_is(name):
    content, _, words = FOREIGN[name]
    with pytest.raises(UnreadableFileError, match=f"^load: the open file cannot be read: {words}"):
        load(io.BytesIO(content))


def test_the_way_out_of_a_pickle_works(tmp_path):
    """The line that the sentence gives, on a stand-in for PyTorch whose load gives arrays."""
    line = "numpy.savez('weights.npz', **{k: v.numpy() for k, v in torch.load(path).items()})"
    (tmp_path / "weights.npz").write_bytes(PT)
    with pytest.raises(UnreadableFileError) as caught:
        load(tmp_path / "weights.npz")
    assert line in str(caught.value)
    program = (
        f"import numpy, minitorch as torch; torch.load = lambda path: {{'w': torch.ones(2)}}; path = 'a.pt'; {line}"
    )
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=True)
    assert load(tmp_path / "weights.npz")["w"].equal(minitorch.ones(2))
