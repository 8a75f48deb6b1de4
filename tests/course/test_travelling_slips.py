"""Every known mistake together with each slip that travels with it: it is caught, and both are named.

The edits of the two are made together in the solution, wherever they fit. What is said then has four forms:

- both names: nothing more is asked;
- one name, and in every case the answer does what a version of that mistake does alone: the other one cannot be seen.
  It is not reached, or undone, which is observed each time anew;
- anything else stands in `travelling_slips.toml` under the slip's id, with its reason: `alone` (one of the two is
  named, and the other shows, but not in a way that tells it), `otherwise` (what the two come to together has a name of
  its own), `nothing` (no name), `right` (the two undo each other: the answer is right);
- what is none of these is an error, and so is a row that is no longer true.

There are thousands of combinations, more than `make gates` has time for. It has those that are listed, and of each slip
the first ones with mistakes of different texts. `-m exhaustive` has all, and so has the command that prints what is
found, as the table has it:

    MINITORCH_PATIENCE=8 python tests/course/test_travelling_slips.py add
"""

from __future__ import annotations

import ast
import sys
import tomllib
from collections import defaultdict
from pathlib import Path

import pytest

from minitorch.course import manifest
from minitorch.course.files import source_code
from minitorch.course.judging import diagnosis, mistakes
from minitorch.course.judging.behaviour import Behaviours, batches
from minitorch.course.judging.checks import load_checks
from minitorch.course.judging.judge import judged_case

COURSE = manifest.load()
TABLE = tomllib.loads(Path(__file__).with_name("travelling_slips.toml").read_text(encoding="utf-8"))
FORMS = ("alone", "otherwise", "nothing", "right")
OF_EACH_SLIP = 6  # mistakes that `make gates` looks at with a slip, beside the listed ones


def exercises():
    """The exercises that have slips."""
    found = [(lesson, exercise) for lesson in COURSE.lessons for exercise in lesson.exercises]
    return [pair for pair in found if any(one.travels for one in mistakes.of_exercise(*pair))]


def is_python(definition):
    try:
        ast.parse(source_code.fitted(definition, ""))
    except SyntaxError:
        return False
    return True


def combinations(lesson, exercise):
    """Each mistake with each slip of another text, once, where their edits fit together."""
    known = mistakes.of_exercise(lesson, exercise)
    for place, slip in enumerate(known):
        for other, main in enumerate(known):
            if slip.travels and main.text != slip.text and not (main.travels and other > place):
                definition = mistakes.both(main, slip)
                if definition is not None and is_python(definition):
                    yield main, slip


def listed(exercise):
    """Return slip and form -> the mistakes that the table lists for an exercise."""
    found = {}
    for slip, rows in TABLE.get(exercise.name, {}).items():
        for row in rows:
            (name,) = set(row) & set(FORMS)
            found[slip, name] = row[name]
    return found


def sample(exercise, pairs):
    """Return the listed combinations, and of each slip the first ones with mistakes of different texts."""
    rows = {(slip, main) for (slip, _), mains in listed(exercise).items() for main in mains}
    texts = defaultdict(list)
    kept = []
    for main, slip in pairs:
        is_new = main.text not in texts[slip.id] and len(texts[slip.id]) < OF_EACH_SLIP
        if is_new or (slip.id, main.id) in rows:
            texts[slip.id].append(main.text)
            kept.append((main, slip))
    return kept


def observed(known, pairs):
    """What each combination does in the check's cases, up to one that ends the child."""
    outcomes = defaultdict(list)
    names = [f"{main.id}+{slip.id}" for main, slip in pairs]
    for some in batches(names):
        left = {name: known._definition(name) for name in some}
        for case in range(len(known.cases)):
            if not left:
                break
            for name, outcome in known._run(left, case).items():
                outcomes[name].append(outcome)
                if outcome.ended_the_child:
                    del left[name]
    return [outcomes[name] for name in names]


def form(known, main, slip, outcomes):
    """In which form a combination is named."""
    judged = [judged_case(known.check, x, outcome) for x, outcome in zip(known.cases, outcomes, strict=False)]
    failing = [case for case, finding in enumerate(judged) if not finding.right]
    if not failing:
        return "right"
    found = diagnosis.among(known, outcomes, failing)
    if found is None:
        return "nothing"
    said = {found.mistake.text} | ({found.also.text} if found.also else set())
    if said == {main.text, slip.text}:
        return "both"
    if not said & {main.text, slip.text}:
        return "otherwise"
    if len(said) == 1 and any(does_the_same(known, one.id, outcomes) for one in known._versions if one.text in said):
        return "unseen"
    return "alone"


def does_the_same(known, name, outcomes):
    """Whether a version alone does the same in every case."""
    does = [(known.facts(name, case), known.facts_of(outcome, case)) for case, outcome in enumerate(outcomes)]
    return all(alone and alone.parts == both.parts for alone, both in does)


def forms(lesson, exercise, pairs):
    """The mistakes of which not all is told that can be seen, by slip and form."""
    check, rows = load_checks(lesson)[exercise.name], defaultdict(list)
    with Behaviours.opened(lesson, check) as known:
        for (main, slip), outcomes in zip(pairs, observed(known, pairs), strict=True):
            name = form(known, main, slip, outcomes)
            if name not in ("both", "unseen"):
                rows[slip.id, name].append(main.id)
    return dict(rows)


@pytest.mark.gate
@pytest.mark.parametrize("which", ["sample", pytest.param("all", marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize(("lesson", "exercise"), [pytest.param(*pair, id=pair[1].name) for pair in exercises()])
def test_a_known_mistake_with_a_travelling_slip_is_caught_and_both_are_named(lesson, exercise, which, monkeypatch):
    monkeypatch.setenv("MINITORCH_PATIENCE", "8")  # on a busy machine a version may run out of time
    pairs = list(combinations(lesson, exercise))
    assert forms(lesson, exercise, pairs if which == "all" else sample(exercise, pairs)) == listed(exercise)


def test_every_row_has_a_reason():
    assert set(TABLE) <= {exercise.name for _, exercise in exercises()}
    for row in (row for listed in TABLE.values() for rows in listed.values() for row in rows):
        assert row["reason"].strip()
        assert len(set(row) & set(FORMS)) == 1 == len(row) - 1


def main(names):
    """Print what is found, as the table has it; the reasons are left to be written."""
    for lesson, exercise in exercises():
        if not names or exercise.name in names:
            for (slip, name), mains in sorted(forms(lesson, exercise, list(combinations(lesson, exercise))).items()):
                print(f'[[{exercise.name}.{slip}]]\nreason = ""\n{name} = {mains!r}\n'.replace("'", '"'), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
