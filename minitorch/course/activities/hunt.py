"""`found("09", "mean_vjp")`: is that the planted bug? Then it is mended, in a file of its own beside the notebook.

A wrong guess is told what speaks against it, as it was observed: the named function was checked as an exercise is.
The right one is told the misconception. Its lines come into `work/mended_09.py`, once the learner has written that
function themselves: until then they would give most of the answer away.
"""

from __future__ import annotations

import difflib
import html
import textwrap
from dataclasses import replace
from pathlib import Path

from minitorch.course.activities.planted import COLOUR, Bug, Deal, dealt, source_of, told
from minitorch.course.cards.report import COLOURS, Card, bar_html, card, frame_html
from minitorch.course.course_error import CourseError
from minitorch.course.files import source_code
from minitorch.course.files.learner_file import LearnerFile
from minitorch.course.judging.judge import FileJudge
from minitorch.course.judging.verdict import Kind, Verdict
from minitorch.course.manifest import Exercise, Lesson
from minitorch.course.mine import loading, merging
from minitorch.course.session import Session
from minitorch.language import Message, languages
from minitorch.serialization.atomic import write_atomically

LONGEST_LINE = 200
PLACEHOLDERS = {"", "?", "…", "..."}  # nothing was claimed yet


def found(session: Session, word: str, name: str, lang: str) -> Card:
    """Judge a claim about the bug that this learner was dealt. name: the function that is held to be wrong.

    Raises CourseError when the lesson has no bug, or no such function.
    """
    deal, bug = dealt(session.course, session.folder, word)
    if name.strip() in PLACEHOLDERS:
        return told(
            Message("put the name of the wrong function in place of the question mark:").to(lang), [deal.names], COLOUR
        )
    exercise = _claimed(deal, name)
    if exercise.name != bug.exercise.name:
        home = session.course.lesson_of(exercise)
        return _not_this_one(deal, source_of(bug, home), home, exercise, lang)
    yes = Message("✓ yes, it is {name}. {text}", name=exercise.name, text=bug.text).to(lang)
    record = session.progress.read(exercise.name)
    if record is None or record.passed_first is None:
        command = f'check("{exercise.name}")'
        return told(
            yes,
            [
                Message(
                    "you can mend it once you have written your own: {command} must pass first; then run this again",
                    command=command,
                ).to(lang)
            ],
            COLOURS[Kind.PASSED],
        )
    return _mended(deal, bug, mending_path(session.folder, deal), yes, lang)


def mending_path(folder: Path, deal: Deal) -> Path:
    """Where the wrong function is mended: beside the notebooks, which nobody collects."""
    return folder / "work" / f"mended_{deal.lesson.number}.py"


def _claimed(deal: Deal, name: str) -> Exercise:
    exercises = {each.name: each for each in deal.exercises} | {each.target: each for each in deal.exercises}
    if name in exercises:
        return exercises[name]
    near = difflib.get_close_matches(name, exercises, n=1, cutoff=0.6)
    more = (
        Message("did you mean {names}?", names=near[0])
        if near
        else Message("the functions are: {names}", names=deal.names)
    )
    raise CourseError("there is no function {name} here; {more}", name=repr(name), more=more)


# ------------------------------------------------------------------------------------------ a wrong guess


def _not_this_one(deal: Deal, source: str, home: Lesson, exercise: Exercise, lang: str) -> Card:
    """Say what speaks against the claim: what the named function did on the cases of its exercise.

    source: the file of the function's lesson, as it was dealt.
    """
    with FileJudge(home, LearnerFile.of(source, home.file_name)) as judge:
        check = judge.checks[exercise.name]
        findings = judge.findings(check)
    head = Message("not {name}", name=exercise.name).to(lang)
    if not all(finding.right for finding in findings):
        return told(
            head,
            [
                Message(
                    "`{name}` does give a wrong answer here, but its own lines are right: it calls "
                    "another function of these. Which one?",
                    name=exercise.name,
                ).to(lang)
            ],
            COLOUR,
        )
    lines = [
        Message(
            "`{name}` was checked as your own is: in all {count} cases it is right",
            name=exercise.name,
            count=len(findings),
        ).to(lang)
    ]
    repeated = [line for finding in findings if (line := check.line(finding.x)) and len(line) <= LONGEST_LINE]
    if repeated:
        lines.append(
            Message("one of them, to run yourself: {line}", line=_on_the_dealt(repeated[-1], deal, home)).to(lang)
        )
    return told(head, lines, COLOUR)


def _on_the_dealt(line: str, deal: Deal, home: Lesson) -> str:
    """A line that runs on the learner's file, made to run on the functions that were dealt."""
    own, theirs = f'm = yours("{home.number}")', f'm = planted("{deal.lesson.number}")'
    return line.replace("import yours;", "import planted;").replace(own, theirs)


# ----------------------------------------------------------------------------------------------- mending


def _mended(deal: Deal, bug: Bug, path: Path, yes: str, lang: str) -> Card:
    """Write the wrong lines for the learner, or judge what they made of them."""
    shown = f"{path.parent.name}/{path.name}"
    if not path.exists():
        try:
            write_atomically(path, _lines_to_mend(deal, bug, lang).encode())
        except OSError as error:
            raise CourseError(
                "{file} cannot be read ({why}); it must be a regular file", file=shown, why=error.strerror
            ) from error
        return told(
            yes,
            [Message("its lines are in {file}: mend them there, save, and run this cell again", file=shown).to(lang)],
            COLOURS[Kind.PASSED],
        )
    file = LearnerFile.read(path)
    if file.problem is not None:
        raise CourseError(file.problem)
    if file.source in {_lines_to_mend(deal, bug, each) for each in languages()}:
        return told(
            yes,
            [Message("its lines are in {file}: mend them there, save, and run this cell again", file=shown).to(lang)],
            COLOURS[Kind.PASSED],
        )
    try:
        compile(file.source, str(path), "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        raise CourseError("{file} cannot be loaded: {error}", file=shown, error=loading.told(error, path)) from error
    if source_code.find(file.source, bug.exercise.target) is None:
        raise CourseError(
            "{file} does not define {target} any more; delete the file, and its lines are dealt once more",
            file=shown,
            target=bug.exercise.target,
        )
    verdict = _judged(bug, file)
    if verdict.passed:
        done = Message("mended: {name} is right in all {count} cases", name=bug.exercise.name, count=verdict.checks).to(
            lang
        )
        return told(f"✓ {done}", [], COLOURS[Kind.PASSED])
    below = card([verdict], lang)
    head = Message("{file} is not right yet:", file=shown).to(lang)
    body = bar_html(COLOUR, f"<strong>{html.escape(head)}</strong>")
    return Card(frame_html(body) + below.html, f"{head}\n{below.text}")


def _judged(bug: Bug, file: LearnerFile) -> Verdict:
    """The verdict on the mended function among the right ones. Lines are counted in a merged text, so none is named."""
    solution, targets = bug.lesson.solution_source(), [each.target for each in bug.lesson.exercises]
    merged = merging.merge(file.source, solution, targets=targets, keep=[bug.exercise.target])
    with FileJudge(bug.lesson, LearnerFile.of(merged.source(), bug.lesson.file_name)) as judge:
        return replace(judge.verdict(bug.exercise.name), place=None)


def _lines_to_mend(deal: Deal, bug: Bug, lang: str) -> str:
    """The wrong function as a file: in its class, where it is a method. What it calls is found beside it."""
    text = textwrap.dedent(source_code.text_of(bug.source(), bug.exercise.target))
    *outer, _ = bug.exercise.target.split(".")
    for name in reversed(outer):
        text = f"class {name}:\n{textwrap.indent(text, '    ')}"
    says = Message(
        "Lesson {lesson}, as it was dealt: mend {name} here. What it calls is found when it is checked.",
        lesson=deal.lesson.number,
        name=bug.exercise.name,
    ).to(lang)
    return f'"""{says}"""\n\nfrom __future__ import annotations\n\n\n{text}'
