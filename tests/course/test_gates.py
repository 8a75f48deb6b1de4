"""The gates: what every lesson must keep. They go by the manifest, so a new lesson is held to them on its first day."""

from __future__ import annotations

import ast
import builtins
import os
import random
import re
import shutil
import subprocess
import symtable
import textwrap
import tomllib
import zlib
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import chain
from pathlib import Path

import pytest

from minitorch.course import manifest
from minitorch.course.cards.questions import load_questions
from minitorch.course.files import source_code
from minitorch.course.files.stubs import stub_source
from minitorch.course.judging.behaviour import Behaviours, batches
from minitorch.course.judging.checks import PUBLIC_SEED, check_files, load_checks
from minitorch.course.judging.judge import judge_source, judged_case
from minitorch.course.judging.mistakes import full_source, load_mistakes, of_exercise
from minitorch.course.judging.verdict import Kind

COURSE = manifest.load()
LESSONS = [pytest.param(lesson, id=lesson.stem) for lesson in COURSE.lessons]
EXERCISES = [
    pytest.param(lesson, exercise, id=exercise.name) for lesson in COURSE.lessons for exercise in lesson.exercises
]


def test_there_are_lessons():
    assert COURSE.lessons


@pytest.mark.parametrize("lesson", LESSONS)
def test_untouched_stubs_are_not_started(lesson):
    verdicts = judge_source(lesson, stub_source(lesson))
    assert {verdict.kind for verdict in verdicts.values()} == {Kind.NOT_STARTED}
    assert list(verdicts) == [exercise.name for exercise in lesson.exercises]


@pytest.mark.parametrize("seeds", [1, pytest.param(12, marks=pytest.mark.gate)])
@pytest.mark.parametrize("lesson", LESSONS)
def test_the_solution_passes_with_every_seed(lesson, seeds, monkeypatch):
    monkeypatch.setenv("MINITORCH_PATIENCE", "8")  # on a busy machine a right answer may run out of time
    if seeds == 1:
        assert judged_with(lesson.number, 0) == []
        return
    with ProcessPoolExecutor(os.cpu_count() or 1) as pool:  # Python 3.11 cannot parse in two threads at once
        assert list(chain.from_iterable(pool.map(partial(judged_with, lesson.number), range(seeds)))) == []


def judged_with(number, seed):
    """What a solution does not pass with a seed."""
    lesson = COURSE.lesson(number)
    verdicts = judge_source(lesson, lesson.solution_source(), seed=seed).values()
    return [
        (seed, str(each)) for each in verdicts if each.kind is not Kind.PASSED or not each.checks_run == each.checks > 0
    ]


@pytest.mark.gate
@pytest.mark.parametrize(("lesson", "exercise"), EXERCISES)
def test_every_known_wrong_version_is_caught_and_is_the_first_that_does_what_it_does(lesson, exercise):
    """With the learner's own seed, and with another one it is caught, too. They run as they do for a diagnosis."""
    check = load_checks(lesson)[exercise.name]
    with Behaviours.opened(lesson, check) as known:
        for names in batches(known.names()):
            for case in range(exercise.checks):
                known.look(names, case)
        facts = {name: [known.facts(name, case) for case in range(exercise.checks)] for name in known.names()}
        does = {name: [each and each.exact for each in all_of_it] for name, all_of_it in facts.items()}
    first = {}
    for name, marks in does.items():
        first.setdefault(tuple(marks), name)
    assert {name: first[tuple(marks)] for name, marks in does.items() if first[tuple(marks)] != name} == {}
    for seed in (PUBLIC_SEED, 1 + zlib.crc32(exercise.name.encode()) % 1000):
        assert passing(lesson, check, seed) == []


def passing(lesson, check, seed):
    """The known-wrong versions that nothing is found wrong with, or that hang before they have shown anything."""
    cases, wrong = check.cases(seed), set()
    with Behaviours.opened(lesson, check, seed=seed) as known:
        for names in batches(known.names()):
            left = {name: known._definition(name) for name in names}
            for case, x in enumerate(cases):
                for name, outcome in known._run(left, case).items() if left else ():
                    if not (case == 0 and outcome.kind == "timeout") and not judged_case(check, x, outcome).right:
                        wrong.add(name)
                        del left[name]
        return sorted(set(known.names()) - wrong)


@pytest.mark.gate
@pytest.mark.parametrize(("lesson", "exercise"), EXERCISES)
def test_a_file_with_a_known_mistake_gets_its_name(lesson, exercise, monkeypatch):
    """The whole way, as a learner's file goes it: for one of them, another one whenever one is added."""
    monkeypatch.setenv("MINITORCH_PATIENCE", "3")  # on a busy machine a name comes too late
    ones = of_exercise(lesson, exercise)
    one = random.Random(len(ones)).choice(ones)
    verdict = judge_source(lesson, full_source(lesson, one))[exercise.name]
    assert (verdict.kind, verdict.diagnosis) == (Kind.WRONG, one.id)


@pytest.mark.parametrize(("lesson", "exercise"), EXERCISES)
def test_an_exercise_has_at_least_five_known_mistakes_with_texts_of_their_own(lesson, exercise):
    known = of_exercise(lesson, exercise)
    said = {one.text for one in known}  # versions of one mistake share a text
    assert len(said) >= 5
    assert len({text.to("en") for text in said}) == len({text.to("es") for text in said}) == len(said)


@pytest.mark.parametrize(("lesson", "exercise"), EXERCISES)
def test_cases_are_as_many_as_the_manifest_says_and_the_same_every_time(lesson, exercise):
    check = load_checks(lesson)[exercise.name]
    assert len(check.cases()) == exercise.checks
    assert repr(check.cases(3)) == repr(check.cases(3))


@pytest.mark.parametrize(("lesson", "exercise"), EXERCISES)
def test_the_driver_that_is_shipped_has_no_free_names(lesson, exercise):
    check = load_checks(lesson)[exercise.name]
    table = symtable.symtable(check.observe, "observe", "exec")
    assert free_names(table) - {check.observe_name} <= set(dir(builtins))
    (function,) = ast.parse(check.observe).body
    assert [argument.arg for argument in function.args.args] == ["learner", "x", *(["given"] if check.given else [])]


@pytest.mark.parametrize(("lesson", "exercise"), EXERCISES)
def test_what_the_driver_is_given_has_no_free_names(lesson, exercise):
    check = load_checks(lesson)[exercise.name]
    assert free_names(symtable.symtable(check.given, "given", "exec")) - {check.given_name} <= set(dir(builtins))


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_judge_points_to_hints_that_there_are(lesson):
    most = {exercise.name: len(exercise.hints) for exercise in lesson.exercises}
    beyond = []
    for path in check_files(lesson):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            marks = [
                call.args[0].value
                for call in getattr(node, "decorator_list", [])
                if ast.unparse(call.func) == "exercise"
            ]
            last = most[marks[0]] if marks else max(most.values())  # what several exercises share
            beyond += [(path.name, line, step) for line, step in hints_pointed_to(node) if step > last]
    assert beyond == []


def hints_pointed_to(node):
    """Yield each number of a hint that stands in a judge's text, with its line."""
    for call in (each for each in ast.walk(node) if isinstance(each, ast.Call)):
        given = [keyword.value for keyword in call.keywords if keyword.arg in ("hint", "hints")]
        given += call.args[1:] if ast.unparse(call.func) == "with_hint" else []
        for number in (each for value in given for each in ast.walk(value) if isinstance(each, ast.Constant)):
            if type(number.value) is int:
                yield number.lineno, number.value


def free_names(table: symtable.SymbolTable) -> set[str]:
    """Return the global names that a text uses, annotations aside."""
    names = {symbol.get_name() for symbol in table.get_symbols() if symbol.is_global() and symbol.is_referenced()}
    annotations = {"Any", "Case", "dict", "float", "str", "None"}
    return (names - annotations).union(*(free_names(child) for child in table.get_children()))


@pytest.mark.parametrize("lesson", LESSONS)
def test_everything_is_said_in_both_languages(lesson):
    said = [lesson.title, lesson.summary]
    for exercise in lesson.exercises:
        said += [exercise.asks, *exercise.hints]
        assert lesson.checkpoint or len(exercise.hints) >= 3  # a checkpoint has none: the manifest refuses them
    said += [one.text for one in load_mistakes(lesson)]
    for question in load_questions(lesson):
        said += [question.prompt, *(text for option in question.options for text in (option.text, option.reason))]
    for text in said:
        assert text.to("en").strip()
        assert text.to("es").strip()
    for name in ("lesson.toml", "quiz.toml"):
        pairs(tomllib.loads((lesson.folder / name).read_text(encoding="utf-8")), name)


def pairs(table: object, place: str) -> None:
    """Wherever a table speaks one of the languages, it speaks both."""
    if isinstance(table, list):
        for index, each in enumerate(table):
            pairs(each, f"{place}[{index}]")
    elif isinstance(table, dict):
        assert ("en" in table) == ("es" in table), place
        for key, each in table.items():
            pairs(each, f"{place}.{key}")


def words_in(figure: str) -> list[str]:
    """The lines of a question's figure that say something in words: in a comment, or in the place of code."""
    return [line for line in figure.splitlines() if re.search(r"#.*[a-z]{3,}|\b(?:array|is|sum) of\b|\w is \W", line)]


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_question_shows_no_english_words_to_a_spanish_learner(lesson):
    """Code is the same in both languages, its comments are not."""
    same = [
        line
        for question in load_questions(lesson)
        for line in words_in(question.figure.to("en"))
        if line in question.figure.to("es").splitlines()
    ]
    assert same == []


def test_words_in_a_figure_are_seen():
    assert words_in("y = x[rows]   # 5., 7., 5.\nx is of shape (2,)\ng is (3, 4)\ng = y   # it arrives") == [
        "x is of shape (2,)",
        "g is (3, 4)",
        "g = y   # it arrives",
    ]


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_wrong_option_of_a_quiz_is_tied_to_a_mistake_that_exists(lesson):
    questions = load_questions(lesson)
    assert questions
    so_far = [earlier for earlier in COURSE.lessons if earlier.order <= lesson.order]
    known = {one.id for earlier in so_far for one in load_mistakes(earlier)}
    for question in questions:
        for option in question.options:
            assert (option.mistake is None) == option.correct
            assert option.correct or option.mistake in known, (question.id, option.mistake)


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_stub_gives_no_answer_away(lesson):
    stub, solution = stub_source(lesson), lesson.solution_source()
    for exercise in lesson.exercises:
        body = source_code.text_of(stub, exercise.target)
        assert "raise NotImplementedError" in body
        assert body != source_code.text_of(solution, exercise.target)
        assert ast.get_docstring(ast.parse(textwrap.dedent(body)).body[0])


@pytest.mark.parametrize(("lesson", "exercise"), EXERCISES)
def test_a_diagnosis_does_not_hold_an_answer_of_one_line(lesson, exercise):
    answer = ast.parse(textwrap.dedent(source_code.text_of(lesson.solution_source(), exercise.target))).body[0]
    returned = [
        line for line in answer.body if not (isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant))
    ]
    if len(returned) == 1 and isinstance(returned[0], ast.Return) and returned[0].value:
        line = ast.unparse(returned[0].value)
        told = [
            one.id for one in of_exercise(lesson, exercise) if line in one.text.to("en") or line in one.text.to("es")
        ]
        assert told == [], line


def test_ids_of_questions_are_used_once_in_the_course():
    ids = [question.id for lesson in COURSE.lessons for question in load_questions(lesson)]
    assert len(ids) == len(set(ids))


def test_the_exercises_in_the_repository_are_the_untouched_stubs():
    """As git has them: a clone in which a learner has solved some stays green."""
    root = manifest.material()
    if shutil.which("git") is None or not (root / ".git").exists():
        pytest.skip("not a git checkout")
    for lesson in COURSE.lessons:
        name = f"exercises/{lesson.file_name}"
        kept = subprocess.run(["git", "show", f"HEAD:{name}"], cwd=root, capture_output=True, check=False)
        if kept.returncode != 0:
            pytest.skip(f"{name} is not committed yet")
        assert kept.stdout.decode() == stub_source(lesson)


def test_the_lessons_lie_where_the_package_says():
    assert {path.name for path in Path(manifest.lessons_root()).glob("lesson_*")} == {
        lesson.stem for lesson in COURSE.lessons
    }
