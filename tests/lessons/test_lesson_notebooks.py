"""What holds for every lesson's notebook: run, quiet, bilingual, in plain sentences, and true to the course's data.

Lessons of the second edition have rules besides: test_second_edition.py. A checkpoint (`checkpoint = true` in its
manifest) teaches nothing: no hints, no wrong way before the right one, and half as much to read. All else holds for it.
"""

import importlib.util
import re
from pathlib import Path

import nbformat
import pytest
from stuck_tables import catalogue, is_said, rows_of

from minitorch.course import manifest
from minitorch.course.manifest import Lesson

ROOT = Path(__file__).resolve().parents[2]
COURSE = manifest.load()
LONGEST_AVERAGE = 18  # words in a sentence
MOST_IN_A_CHECKPOINT = 100  # sentences: reading takes a third of its time

every_lesson = pytest.mark.parametrize("lesson", COURSE.lessons, ids=lambda lesson: lesson.number)
first_edition = pytest.mark.parametrize(
    "lesson", [lesson for lesson in COURSE.lessons if lesson.edition == 1], ids=lambda lesson: lesson.number
)
every_checkpoint = pytest.mark.parametrize(
    "lesson", [lesson for lesson in COURSE.lessons if lesson.checkpoint], ids=lambda lesson: lesson.number
)


def load_script(name: str):
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


script = load_script("notebooks")


def path_of(lesson: Lesson) -> Path:
    return ROOT / "notebooks" / lesson.notebook_name


def read(lesson: Lesson):
    return nbformat.read(path_of(lesson), as_version=4)


def texts(lesson: Lesson) -> list[str]:
    return [cell.source for cell in read(lesson).cells if cell.cell_type == "markdown"]


def code(lesson: Lesson) -> list[str]:
    return [cell.source for cell in read(lesson).cells if cell.cell_type == "code"]


def outputs(lesson: Lesson):
    return [output for cell in read(lesson).cells if cell.cell_type == "code" for output in cell.outputs]


def sections(lesson: Lesson) -> dict[str, str]:
    """Return the text under each `##` heading; what comes before the first one is called "top"."""
    found, name = {"top": ""}, "top"
    for text in texts(lesson):
        for line in text.splitlines():
            if line.startswith("## "):
                name = line[3:]
                found[name] = ""
            found[name] += f"{line}\n"
    return found


def test_every_notebook_is_a_lesson_and_every_lesson_has_one():
    assert {path.name for path in (ROOT / "notebooks").glob("*.ipynb")} == {
        lesson.notebook_name for lesson in COURSE.lessons
    }


# ----------------------------------------------------------------------------------------------- outputs


@every_lesson
def test_every_cell_was_run_and_normalising_changes_nothing(lesson):
    assert script.faults(path_of(lesson)) == []


@every_lesson
def test_no_output_is_an_error_a_path_or_an_address(lesson):
    shown = outputs(lesson)
    assert shown
    assert [output for output in shown if output.output_type == "error" or output.get("name") == "stderr"] == []
    text = "\n".join(str(output.get("data") or output.get("text")) for output in shown)
    assert re.findall(r"0x[0-9a-f]{6,}|(?<![\w.<])/(?:home|root|Users|opt|tmp|usr)/\S+|[A-Z]:\\\\\S+", text) == []


@every_lesson
def test_every_picture_has_a_text_beside_it(lesson):
    pictures = [output.data for output in outputs(lesson) if "<img " in output.get("data", {}).get("text/html", "")]
    assert pictures
    for data in pictures:
        assert set(data) == {"text/html", "text/plain"}  # each picture is stored once
        said, alt = data["text/plain"], re.search(r'<img alt="([^"]{30,})"', data["text/html"])
        assert alt, data["text/html"][:80]
        if re.match(r"Computation graph of |Backward pass from ", alt[1]):
            assert said.startswith("node ")
        assert len(said.splitlines()) > 1 or said == alt[1]  # a chart that the lesson draws by hand


@every_lesson
def test_it_is_no_larger_than_300_kb(lesson):
    assert path_of(lesson).stat().st_size <= 300_000


@every_lesson
def test_the_checks_were_run_on_untouched_stubs(lesson):
    cards = [cell.outputs[0].data["text/plain"] for cell in read(lesson).cells if cell.source.startswith("check(")]
    assert cards
    assert all(card.endswith("not started") for card in cards)


# ------------------------------------------------------------------------------------- the course's data


@every_lesson
def test_every_exercise_is_checked_in_its_notebook_and_no_other_is(lesson):
    checked = re.findall(r'\bcheck\("(\w+)"\)', "\n".join(code(lesson)))
    assert list(dict.fromkeys(checked)) == [exercise.name for exercise in lesson.exercises]


@every_lesson
def test_every_question_is_asked_in_its_notebook_and_no_other_is(lesson):
    asked = re.findall(r'\bquiz\("(\w+)"\)', "\n".join(code(lesson)))
    written = re.findall(r'^id = "(\w+)"', (lesson.folder / "quiz.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(asked) == sorted(written)


@every_lesson
def test_hints_named_in_the_text_exist(lesson):
    names = re.findall(r'\bhint\("(\w+)"', "\n".join(texts(lesson) + code(lesson)))
    assert bool(names) is not lesson.checkpoint
    assert [name for name in names if name not in {exercise.name for exercise in lesson.exercises}] == []


@every_lesson
def test_the_notebook_names_the_lesson_as_the_manifest_does(lesson):
    top = sections(lesson)["top"]
    assert top.startswith(f"# {lesson.number} · {lesson.title.to('en')}\n")
    assert f"about {lesson.minutes} minutes" in " ".join(top.split())
    if lesson.edition == 1:
        assert f"unos {lesson.minutes} minutos" in top
    assert f"exercises/{lesson.file_name}" in "\n".join(texts(lesson))


@every_lesson
def test_it_has_what_every_lesson_has(lesson):
    names = list(sections(lesson))
    assert names[-2:] == ["Recap", "When you are stuck"]
    assert any("Find the planted bug" in name for name in names)
    promise = "This checkpoint shows whether you can" if lesson.checkpoint else "After this lesson you will be able to"
    assert f"**{promise}**" in sections(lesson)["top"]
    assert any("viz." in source for source in code(lesson))
    wrong_first = any("wrong way first" in text.lower() for text in texts(lesson))
    assert wrong_first is not lesson.checkpoint or lesson.edition == 2


@every_checkpoint
def test_a_checkpoint_looks_back_deals_a_bug_and_says_what_to_read_again(lesson):
    first, *rest = code(lesson)
    assert f'review("{lesson.number}")' in first
    assert any(f'found("{lesson.number}", "?")' in source for source in rest)
    assert "there are no hints" in " ".join(sections(lesson)["top"].split())
    assert "what to read again" in sections(lesson)["When you are stuck"]


# ----------------------------------------------------------------------------- what to do when stuck


@every_lesson
def test_every_message_in_the_stuck_table_is_one_that_the_learner_can_meet(lesson):
    messages = rows_of(sections(lesson)["When you are stuck"])
    known = catalogue(lesson, "en")
    assert len(messages) >= 8
    assert [message for message in messages if not is_said(message, known)] == []


def test_an_invented_message_is_seen():
    known = catalogue(COURSE.lessons[0], "en")
    assert is_said("The slope is None; is a return missing?", known)
    assert not is_said("Something went terribly wrong here", known)


# --------------------------------------------------------------------------------------------- prose


@first_edition
def test_every_section_has_its_note_in_spanish(lesson):
    assert [name for name, text in sections(lesson).items() if "> **En español.**" not in text] == []


def english_sentences(lesson: Lesson) -> list[str]:
    prose = "\n\n".join(texts(lesson))
    prose = re.sub(r"```.*?```|\$\$.*?\$\$|<[^>]+>", "", prose, flags=re.DOTALL)
    prose = re.sub(r"^(?:>|\||#).*$", "", prose, flags=re.MULTILINE)
    prose = re.sub(r"^(?:[-*]|\d+\.) ", "\n", prose, flags=re.MULTILINE)
    prose = re.sub(r"`[^`]*`|\$[^$]*\$", "code", prose)
    return [each for each in re.split(r"(?<=[.!?:])\s+|\n\s*\n", prose) if len(each.split()) > 1]


@every_lesson
def test_sentences_are_short(lesson):
    lengths = [len(sentence.split()) for sentence in english_sentences(lesson)]
    assert 30 < len(lengths) < MOST_IN_A_CHECKPOINT if lesson.checkpoint else len(lengths) > 60
    assert sum(lengths) / len(lengths) <= LONGEST_AVERAGE
    assert [sentence for sentence in english_sentences(lesson) if len(sentence.split()) > 36] == []


@every_lesson
def test_one_cell_holds_one_idea(lesson):
    assert max(len(source.splitlines()) for source in code(lesson)) <= 60


def test_the_glossary_is_in_order_and_every_word_is_in_the_lesson_it_names():
    text = (ROOT / "notebooks" / "glossary.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([^|]+?) \((\d\d|[A-Z]\d+)\) \| ([^|]+) \| ([^|]+) \|$", text, re.MULTILINE)
    terms = [term.lower() for term, *_ in rows]
    assert len(terms) > 20
    assert terms == sorted(terms)
    for term, number, *_ in rows:
        prose = " ".join("\n".join(texts(COURSE.lesson(number))).lower().split())
        assert term.lower() in prose.replace("*", ""), f"{term} is not in lesson {number}"
