"""What a notebook uses; each word says the same every time.

`check`, `check_button`, `engine`, `found`, `here`, `hint`, `planted`, `quiz`, `review`, `status`, `yours`.

    >>> from minitorch.course import check
    >>> check("add")
    ○ add: not started

It is the file on disk that is judged, in a fresh process; what the kernel has defined plays no part.
"""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

from minitorch.course import manifest
from minitorch.course.activities.hunt import found as judge_claim
from minitorch.course.activities.planted import Planted
from minitorch.course.activities.planted import planted as deal_planted
from minitorch.course.activities.review import Review
from minitorch.course.activities.review import review as make_review
from minitorch.course.cards import hints
from minitorch.course.cards.check_button import CheckButton
from minitorch.course.cards.following import verdict_card
from minitorch.course.cards.hint_log import HintLog, ask
from minitorch.course.cards.overview import status_card
from minitorch.course.cards.questions import Quiz, find_quiz
from minitorch.course.cards.report import Card
from minitorch.course.cards.standing import standing
from minitorch.course.course_error import CourseError
from minitorch.course.files.chosen import speak_as_chosen
from minitorch.course.files.course_folder import find_course_folder
from minitorch.course.judging.met import Met
from minitorch.course.mine.assembled import Engine, assemble
from minitorch.course.mine.loading import own_module
from minitorch.course.session import Session
from minitorch.course.setup.carried import take_home as make_zip
from minitorch.course.setup.here import make_here
from minitorch.language import language


def check(*names: str, lang: str | None = None) -> Card:
    """Judge exercises by name, or whole lessons by number ("01"); without a name, the lesson that you are at.

    Raises CourseError when there is no such exercise, or no course folder here.
    """
    session, lang = _session(), _language(lang)
    exercises = session.course.select(names) if names else session.current_lesson().exercises
    verdicts = list(session.check(exercises))
    HintLog(session.folder).saw(session.course, verdicts)
    return verdict_card(session, verdicts, lang)


def check_button(*names: str, lang: str | None = None) -> CheckButton:
    """Judge as `check` does, and show a button that judges again at each press, beside one for the next hint.

    Without ipywidgets it is the card alone, and a sentence that says what to install.
    Raises CourseError when there is no such exercise, or no course folder here.
    """
    session, lang = _session(), _language(lang)
    exercises = session.course.select(names) if names else session.current_lesson().exercises
    return CheckButton(session.course, session.folder, exercises, lang)


def engine(word: str = "mine", upto: str | None = None, *, even_wrong: bool = False, lang: str | None = None) -> Engine:
    """Put an engine together from your own pieces, each missing or failing one from the reference.

        mine = engine("mine", upto="02")
        mine                      shows which pieces are yours
        out = mine.Value(2.0) * mine.Value(3.0)
        mine.backward(out)

    word: "mine", or "reference" for the solutions alone. upto: the last lesson to take part; without it, all do.
    even_wrong: use your pieces that fail as they are, to see what they lead to; the badge says which. A piece that
    never ends, or takes too much memory, still comes from the reference.
    Your pieces are judged by their checks first, as your files are now; a file that has not changed is not judged
    again. Engines share nothing: a change to one, or to your file, leaves another as it is.
    Raises CourseError for another word or an unknown lesson, or when no course folder is here.
    """
    return assemble(word, upto, manifest.load(), _session, _language(lang), even_wrong=even_wrong)


def here(folder: str | Path | None = None, *, lang: str | None = None) -> Card:
    """Make a course folder where the notebook is, unless it lies in one, and bring it up to date.

    folder: another place, such as one on a mounted disk; the kernel's checks then read it there. Running it again
    loses nothing: files that are there stay, and only what nobody has touched follows a newer version.
    Raises CourseError where nothing can be written.
    """
    return make_here(folder, _language(lang))


def hint(name: str, step: int | None = None, *, confirm: bool = False, lang: str | None = None) -> Card:
    """Show the next step of an exercise's hints, or the one that is named.

    They begin with the first, and go on where the last verdict points.
    The last step is the solution: it is shown once the exercise has passed, or with `confirm=True`.
    Raises CourseError when there is no such exercise or step.
    """
    session, lang = _session(), _language(lang)
    exercise = session.course.exercise(name)
    last = f'hint("{name}", {hints.steps(exercise)}, confirm=True)'
    return ask(session, exercise, step, lang, more=f'hint("{name}")', confirm=last, confirmed=confirm).card()


def quiz(id: str, *, lang: str | None = None) -> Quiz:
    """Ask a question of the course; answer it with `quiz("...").answer("b")`. Raises CourseError for an unknown id."""
    return find_quiz(manifest.load(), id, _language(lang), _met())


def review(lesson: str | int | None = None, *, lang: str | None = None) -> Review:
    """Ask four questions before a lesson: two about mistakes that you met, two from earlier lessons.

    lesson: the one that is about to begin; without it, the one that you are at. Answer each as you answer any quiz.
    Raises CourseError when there is no such lesson, or no course folder here.
    """
    return make_review(_session(), None if lesson is None else str(lesson), _language(lang))


def status(*lessons: str, lang: str | None = None) -> Card:
    """Show how far you are: in the whole course, or in the lessons named by number ("01").

    Every exercise with its verdict, points and the hints that were shown; the minutes left, about; what to do next,
    with the file and the function. Verdicts are made again wherever a file has changed.
    Raises CourseError when there is no such lesson, or no course folder here.
    """
    session, lang = _session(), _language(lang)
    found = standing(session, session.course.named_lessons(lessons))
    return status_card(found, lang, session.notes(lang))


def take_home(*, lang: str | None = None) -> Card:
    """Make one zip file of your answers, notebooks and progress, and show a link to download it.

    It brings a course from a browser to a computer: `minitorch init my-course --from minitorch-course.zip`.
    Raises CourseError when there is no course folder here, or it cannot be written.
    """
    lang = _language(lang)
    return make_zip(find_course_folder(), lang)


def planted(lesson: str | int, *, lang: str | None = None) -> Planted:
    """Deal a lesson's functions, one of them wrong: which one, you find out. Your folder is dealt the same each time.

    Raises CourseError when there is no such lesson, or no bug in it, or no course folder here.
    """
    return deal_planted(manifest.load(), find_course_folder(), str(lesson), _language(lang))


def found(lesson: str | int, name: str, *, lang: str | None = None) -> Card:
    """Say which of the functions that `planted` dealt is wrong; a card tells whether it is, and what speaks against it.

    Once you are right, its lines are in `work/mended_NN.py` for you to mend: the same call judges them.
    Raises CourseError when the lesson has no bug, or no such function.
    """
    return judge_claim(_session(), str(lesson), name, _language(lang))


def yours(word: str | int) -> ModuleType:
    """Load your own file of a lesson, wrong or not, as it is on disk now: `yours("08").unbroadcast(g, (3,))`.

    word: the lesson's number, or one of its exercises. What you have not written raises NotImplementedError when it
    is called. Raises CourseError when there is no such lesson, or when the file cannot be loaded.
    """
    return own_module(manifest.load(), find_course_folder(), str(word))


def _language(asked: str | None) -> str:
    """The language to answer in: a kernel that was not started by `minitorch lab` knows the folder's choice, too."""
    speak_as_chosen()
    return language(asked)


def _session() -> Session:
    return Session(manifest.load(), find_course_folder())


def _met() -> Met | None:
    """What was met in this course folder; a question may be asked without one."""
    try:
        return Met(find_course_folder())
    except CourseError:
        return None
