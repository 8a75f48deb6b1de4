"""The tables "When you are stuck": what stands in them, and what a learner can meet, in each language."""

import ast
import re
from pathlib import Path

from minitorch.course.judging import contract
from minitorch.course.judging.mistakes import load_mistakes
from minitorch.course.judging.verdict import Kind
from minitorch.course.manifest import Lesson
from minitorch.course.texts.messages import EN, ES

MESSAGES = {"en": EN, "es": ES}
HEADS = ("message", "mensaje")


def rows_of(section: str) -> list[str]:
    """Return the messages in a table's first column."""
    rows = re.findall(r"^\| (.+?) \| (.+?) \|$", section, re.MULTILINE)
    return [plain(message) for message, _ in rows if message not in HEADS]


def plain(text: str) -> str:
    return re.sub(r"[`*]", "", text).strip()


def catalogue(lesson: Lesson, lang: str) -> list[re.Pattern[str]]:
    """Return what the learner can meet, as patterns: each sentence, and each beginning of one up to a stop."""
    said = [re.sub(r"\{\w+\}", "\0", sentence) for sentence in MESSAGES[lang].values()]
    said += [one.text.to(lang) for one in load_mistakes(lesson)]
    said += [kind.to(lang) for kind in Kind]
    judges = [*lesson.folder.glob("checks*.py"), Path(contract.__file__)]
    said += [sentence for path in judges for sentence in strings(path)]
    beginnings = {plain(each[: stop.start()]) for each in said for stop in re.finditer(r"[.:;,?](?= |$)|$", each)}
    return [re.compile(re.escape(each).replace("\0", ".+"), re.IGNORECASE) for each in beginnings if len(each) > 8]


def strings(path: Path) -> list[str]:
    """Return the texts in a Python file, with a NUL for each field of an f-string."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.JoinedStr):
            found.append("".join(part.value if isinstance(part, ast.Constant) else "\0" for part in node.values))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.append(node.value)
    return found


def is_said(message: str, known: list[re.Pattern[str]]) -> bool:
    return any(pattern.fullmatch(message.rstrip(".:;,?")) for pattern in known)
