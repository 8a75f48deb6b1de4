"""The tables "When you are stuck": what stands in them, and what a learner can meet, in each language."""

import functools
import re

from messages import messages

from minitorch.course.judging.mistakes import load_mistakes
from minitorch.course.judging.verdict import Kind
from minitorch.course.manifest import Lesson
from minitorch.language import FIELD, Message

HEADS = ("message", "mensaje")
LESSONS = "minitorch/course/lessons/"


def rows_of(section: str) -> list[str]:
    """Return the messages in a table's first column."""
    rows = re.findall(r"^\| (.+?) \| (.+?) \|$", section, re.MULTILINE)
    return [plain(message) for message, _ in rows if message not in HEADS]


def plain(text: str) -> str:
    return re.sub(r"[`*]", "", text).strip()


def catalogue(lesson: Lesson, lang: str) -> list[re.Pattern[str]]:
    """Return what the learner can meet, as patterns: each sentence, and each beginning of one up to a stop."""
    folder = f"{LESSONS}{lesson.folder.name}/"
    said = [Message(id).to(lang) for id, files in of_the_course() if any(is_met(file, folder) for file in files)]
    said = [FIELD.sub("\0", sentence) for sentence in said]
    said += [one.text.to(lang) for one in load_mistakes(lesson)]
    said += [kind.to(lang) for kind in Kind]
    beginnings = {plain(each[: stop.start()]) for each in said for stop in re.finditer(r"[.:;,?](?= |$)|$", each)}
    return [re.compile(re.escape(each).replace("\0", ".+"), re.IGNORECASE) for each in beginnings if len(each) > 8]


@functools.cache
def of_the_course() -> list[tuple[str, list[str]]]:
    """Return the messages of the code without plural forms, and the files that have them."""
    return [(key, files) for key, files in messages().items() if isinstance(key, str)]


def is_met(file: str, folder: str) -> bool:
    """Return whether a learner meets a file's messages: those of the lesson's folder and of the course's machinery."""
    return file.startswith(folder) or (file.startswith("minitorch/course/") and not file.startswith(LESSONS))


def is_said(message: str, known: list[re.Pattern[str]]) -> bool:
    return any(pattern.fullmatch(message.rstrip(".:;,?")) for pattern in known)
