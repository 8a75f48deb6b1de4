"""Files that are no weights, recognised by their first bytes: what one is, and what to do."""

from __future__ import annotations

import codecs
import zipfile
from typing import IO

from minitorch.serialization.npz import DAMAGE

__all__ = ["AGAIN", "recognised"]

AGAIN = "copy or download it again"
LOOKED_AT = 1024  # bytes
CONVERT = (
    "which can run any program: read it in PyTorch, and write it with "
    "numpy.savez('weights.npz', **{k: v.numpy() for k, v in torch.load(path).items()})"
)
MARKS = {
    codecs.BOM_UTF8: "UTF-8 with a byte order mark",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}


def recognised(file: IO[bytes], ending: str) -> str | None:
    """A sentence on a file that could not be read as `ending` says; None for one that is such a file, but damaged."""
    file.seek(0)
    head = file.read(LOOKED_AT)
    start = head.lstrip()[:20].lower()
    if not head:
        return f"it is empty (0 bytes): {AGAIN}"
    if head.startswith(b"version ") and b"git-lfs" in head:
        return "it is a Git LFS pointer, a note that stands for the weights: run `git lfs pull` in its repository"
    if start.startswith((b"<!doctype", b"<html", b"<?xml")):
        return "it is a web page (HTML): a link to a page was saved, or one that refuses: download the file itself"
    for mark, encoding in MARKS.items():
        if head.startswith(mark):
            return f"it is text in {encoding}, which an editor or a shell has written: copy the original file instead"
    if head.startswith(b"PK\x03\x04"):
        return _archive(file, ending)
    if head[8:9] == b"{" and b"\0" in head[:8]:
        return None if ending == ".safetensors" else "it is a safetensors file: rename it to end in .safetensors"
    if head[:1] == b"\x80" and head[1:2] in (b"\2", b"\3", b"\4", b"\5"):
        return f"it is a pickle, {CONVERT}"
    if head.startswith(b"\x93NUMPY"):
        return "it is one array of NumPy, an .npy file: read it with numpy.load"
    if head.startswith(b"\x1f\x8b"):
        return "it is compressed by gzip: unpack it with gunzip or tar -xzf"
    text = codecs.getincrementaldecoder("utf-8")("replace").decode(head)
    if all(each.isprintable() or each.isspace() for each in text) and "\ufffd" not in text:
        line = text.strip().partition("\n")[0][:40].rstrip()
        return f"it is text that begins with {line!r}: get the file with the weights itself"
    return None


def _archive(file: IO[bytes], ending: str) -> str | None:
    try:
        with zipfile.ZipFile(file) as archive:
            names = archive.namelist()
    except zipfile.BadZipFile:
        return f"it is a zip archive that is cut off or damaged: {AGAIN}"
    except DAMAGE:
        return None
    if any(name.endswith("data.pkl") for name in names):
        return f"it is a .pt file of PyTorch, a pickle, {CONVERT}"
    if any(name.endswith(".npy") for name in names):
        return None if ending == ".npz" else "it is an .npz file: rename it to end in .npz"
    return f"it is a zip archive that holds no arrays but {', '.join(names)[:60]!r}: unpack it"
