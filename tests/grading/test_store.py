"""The file of results and the key: nothing twice, nothing lost, one writer."""

from __future__ import annotations

import os
import sqlite3
import stat

import pytest
from grading_class import SOLUTION, SQUARED, pretended

from minitorch.course.course_error import CourseError
from minitorch.course.grading import keys
from minitorch.course.grading.keys import Key
from minitorch.course.grading.store import Store


def test_a_result_that_is_there_stays(store, take):
    [hand_in] = take(ana=SOLUTION).hand_ins
    store.add(hand_in, "seed", [pretended("twice_of", "v1", True)])
    store.add(hand_in, "seed", [pretended("twice_of", "v1", False)])
    [graded] = store.graded()
    assert graded.results["twice_of"].verdict.passed
    store.add(hand_in, "seed", [pretended("twice_of", "v1", False)], again=True)
    [graded] = store.graded()
    assert not graded.results["twice_of"].verdict.passed
    assert graded.results["twice_of"].verdict.diagnosis == "square"


def test_missing_is_what_has_no_result_of_this_text_check_and_seed(store, take):
    [hand_in] = take(ana=SOLUTION).hand_ins
    versions = {"twice_of": "v1", "half_of": "v1"}
    assert store.missing(hand_in, "seed", versions) == ("twice_of", "half_of")
    store.add(hand_in, "seed", [pretended("twice_of", "v1", True)])
    assert store.missing(hand_in, "seed", versions) == ("half_of",)
    assert store.missing(hand_in, "other", versions) == ("twice_of", "half_of")
    assert store.missing(hand_in, "seed", versions | {"twice_of": "v2"}) == ("twice_of", "half_of")
    [changed] = take(ana=SOLUTION + "#").hand_ins
    assert store.missing(changed, "seed", versions) == ("twice_of", "half_of")


def test_only_the_text_that_was_handed_in_last_counts(store, take):
    [first] = take(ana=SOLUTION).hand_ins
    store.add(first, "seed", [pretended("twice_of", "v1", True)])
    [second] = take(ana=SQUARED).hand_ins
    [graded] = store.graded()
    assert graded.results == {}
    store.add(second, "seed", [pretended("twice_of", "v1", False)])
    [graded] = store.graded()
    assert graded.source == SQUARED
    assert "x * x" in graded.function("twice_of")
    assert graded.function("nothing") is None
    [back] = take(ana=SOLUTION).hand_ins
    assert store.missing(back, "seed", {"twice_of": "v1"}) == ()


def test_a_function_is_found_in_a_file_that_is_no_python(store, take):
    take(ana=SQUARED + "\ndef broken(:\n")
    [graded] = store.graded()
    assert "return x * x" in graded.function("twice_of")


def test_what_could_not_be_judged_is_there_until_it_is(store, take):
    [hand_in] = take(ana=SOLUTION).hand_ins
    store.fail(hand_in, "it died")
    assert [each.failure for each in store.graded()] == ["it died"]
    store.add(hand_in, "seed", [pretended("twice_of", "v1", True)])
    assert [each.failure for each in store.graded()] == [None]


def test_odd_texts_are_kept(store, take, tmp_path):
    [hand_in] = take(ana="x = '\u202e\x07'\n").hand_ins
    assert [each.source for each in store.graded()] == ["x = '\u202e\x07'\n"]
    assert [each.file.sha256 for each in store.hand_ins()] == [hand_in.file.sha256]


def test_one_writes(store, take, tmp_path):
    take(ana=SOLUTION)
    with pytest.raises(CourseError, match="in use by another"):
        Store(store.path)


def test_others_read_what_is_there_while_one_writes(store, take):
    [hand_in] = take(ana=SOLUTION).hand_ins
    with Store(store.path, writes=False) as before:
        store.add(hand_in, "seed", [pretended("twice_of", "v1", True)])
        assert [set(each.results) for each in before.graded()] == [set()]
    with Store(store.path, writes=False) as after:
        assert [set(each.results) for each in after.graded()] == [{"twice_of"}]


def test_the_next_one_writes_once_the_first_is_closed(store, take):
    take(ana=SOLUTION)
    store.close()
    with Store(store.path) as again:
        assert [each.student for each in again.graded()] == ["ana"]


def test_a_file_that_is_something_else_is_one_sentence(tmp_path):
    path = tmp_path / "grades.sqlite"
    with pytest.raises(CourseError, match="there are no results"):
        Store(path, writes=False)
    path.write_bytes(b"not a data base" * 100)
    with pytest.raises(CourseError, match="cannot be used as a file of results"):
        Store(path)
    path.unlink()
    base = sqlite3.connect(path)
    base.execute("PRAGMA user_version=99")
    base.close()
    with pytest.raises(CourseError, match="another version"):
        Store(path)


def test_the_key_is_made_once_and_is_its_owners_alone(tmp_path):
    path = tmp_path / "key"
    made = keys.read_or_make(path)
    assert len(made.secret) == 16
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert keys.read_or_make(path) == made
    assert made.secret.hex() not in repr(made) + made.id
    path.chmod(0o644)
    if os.name == "posix":
        with pytest.raises(CourseError, match="chmod 600"):
            keys.read(path)


@pytest.mark.parametrize("text", ["", "zz", "00" * 15, "é"])
def test_a_file_that_holds_no_key_is_one_sentence(tmp_path, text):
    path = tmp_path / "key"
    path.write_text(text)
    path.chmod(0o600)
    with pytest.raises(CourseError, match="holds no key"):
        keys.read(path)


def test_each_student_and_lesson_has_a_seed_of_its_own():
    key = Key(b"0" * 16)
    seeds = {key.seed(student, lesson) for student in ("ana", "ben") for lesson in ("01", "02")}
    assert len(seeds) == 4
    assert key.seed("ana", "01") == Key(b"0" * 16).seed("ana", "01")
    assert key.seed("ana", "01") != Key(b"1" * 16).seed("ana", "01")
    assert max(seeds) > 1 << 100
