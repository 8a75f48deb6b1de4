"""The text in the bytes of a learner's file or notebook, or the reason why there is none.

UTF-16 and UTF-32 are read where the bytes begin with a byte order mark: Notepad and PowerShell's `>` write it. The mark
leaves no doubt about the text, and what the course writes back is UTF-8. Without the mark it would be a guess.
"""

from __future__ import annotations

import codecs
import re

from minitorch.language import Message

MARKS = (  # that of UTF-32 begins with that of UTF-16
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
LINE_END = re.compile(rb"\r\n?|\n")
CODING = re.compile(rb"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")  # as PEP 263 has it
COMMENT = re.compile(rb"[ \t\f]*(?:#.*)?")
POINTER = re.compile(r"version \S*git-lfs\S*\s+oid sha256:")
PAGE = re.compile(r"\s*<(?:!doctype\s+html|html)\b", re.IGNORECASE)
SHOWN = 60  # letters of a line that is quoted


class NotTextError(ValueError):
    """Bytes that are no text of a program or a notebook.

    why: the sentence that names the file. lost: whether the learner's text is not in them at all.
    """

    def __init__(self, why: Message, *, lost: bool = False) -> None:
        super().__init__(why.to("en"))
        self.why = why
        self.lost = lost


def decoded(data: bytes, shown: str) -> str:
    """Decode bytes, their line ends as they are. Raises NotTextError, which calls the file what `shown` says."""
    encoding = next((name for mark, name in MARKS if data.startswith(mark)), "utf-8")
    if encoding.startswith("utf-8"):
        _no_null_bytes(data, shown)
        _no_other_coding(data, shown)
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        if not encoding.startswith("utf-8"):
            raise NotTextError(
                Message(
                    "{file} begins as {encoding} text and is damaged further down",
                    file=shown,
                    encoding=encoding.upper(),
                ),
                lost=True,
            ) from None
        raise NotTextError(
            Message(
                "{file}, line {line}, is not UTF-8 text (“{text}”): open the file in your editor and "
                "save it with the encoding UTF-8",
                file=shown,
                **_place(data, error.start),
            )
        ) from None
    if POINTER.match(text):
        raise NotTextError(
            Message("{file} is a pointer of Git LFS, not the file itself: `git lfs pull` gets the file", file=shown),
            lost=True,
        )
    if PAGE.match(text):
        raise NotTextError(
            Message("{file} is a web page, not the file itself: download the file anew", file=shown), lost=True
        )
    return text


def _no_null_bytes(data: bytes, shown: str) -> None:
    at = data.find(0)
    if at < 0:
        return
    if not data.strip(b"\0\r\n "):
        raise NotTextError(
            Message("{file} holds nothing but null bytes, as after a crash while it was saved", file=shown), lost=True
        )
    if data.count(0) * 4 > len(data):  # every other byte, or three of four
        raise NotTextError(
            Message(
                "{file} is UTF-16 text without a byte order mark: open it in your editor and save it "
                "with the encoding UTF-8",
                file=shown,
            )
        )
    raise NotTextError(
        Message(
            "{file}, line {line}, holds a null byte, which no text has: delete it, or write the line anew",
            file=shown,
            **_place(data, at),
        )
    )


def _no_other_coding(data: bytes, shown: str) -> None:
    """Raise NotTextError where one of the first two lines names another encoding than UTF-8."""
    for number, line in enumerate(LINE_END.split(data, maxsplit=2)[:2], start=1):
        if found := CODING.match(line):
            name = found[1].decode("ascii", "replace")
            try:
                known = codecs.lookup(name).name
            except LookupError:
                known = name
            if not known.startswith("utf-8"):
                raise NotTextError(
                    Message(
                        "{file}, line {line}, says that it is written in {encoding}: delete that line, and "
                        "save the file with the encoding UTF-8",
                        file=shown,
                        line=number,
                        encoding=name,
                    )
                )
        elif not COMMENT.fullmatch(line):
            return


def _place(data: bytes, at: int) -> dict[str, object]:
    """The number of the line that a byte is in, and the line as an old Windows program would have meant it."""
    number = len(LINE_END.split(data[:at]))
    text = LINE_END.split(data, maxsplit=number)[number - 1].decode("cp1252", "replace").strip()
    return {"line": number, "text": text if len(text) <= SHOWN else f"{text[:SHOWN]}…"}
