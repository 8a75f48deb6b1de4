"""What `minitorch watch` does at every key, save and verdict, told without a terminal."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from minitorch.course.judging.progress import Record
from minitorch.course.judging.verdict import Kind, Verdict
from minitorch.course.watching.screen import draw, plain
from minitorch.course.watching.state import (
    Ask,
    Check,
    Checked,
    Failed,
    Filter,
    HintShown,
    Key,
    Leave,
    Page,
    Reset,
    Saved,
    Told,
    begin,
    step,
)
from minitorch.language import Message

NAMES = ("double", "grid", "total")


MULTIPLY = Message.of(
    {"en": "Multiply by 2.", "es": "Multiplica por 2."}
)  # the second hint, where the diagnosis "square" points


def verdict(name: str, kind: Kind = Kind.PASSED, **more) -> Verdict:
    if more.get("diagnosis") == "square":
        more["hint"] = MULTIPLY
    return Verdict(
        name,
        "01",
        kind,
        more.pop("reason", Message("")),
        Message.of({"en": "Asked.", "es": "Pedido."}),
        checks=1,
        **more,
    )


def record(name: str, kind: Kind = Kind.PASSED, **more) -> Record:
    passed = kind.passed
    return Record(verdict(name, kind, **more), "", "", "2026-01-01" if passed else None)


def after(state, *events):
    """Return the state after some events, and the effects of the last; a key may be given as its name."""
    effects = []
    for event in events:
        state, effects = step(state, Key(event) if isinstance(event, str) else event)
    return state, effects


@pytest.fixture
def fresh(tiny):
    """Just opened, on a folder where nothing is known."""
    return begin(tiny, {})[0]


@pytest.fixture
def at_double(tiny):
    """At the first exercise, which is wrong; nothing is being checked."""
    known = {name: record(name, Kind.WRONG if name == "double" else Kind.NOT_STARTED) for name in NAMES}
    state, _ = begin(tiny, known)
    return after(state, Checked(1, verdict("double", Kind.WRONG, diagnosis="square"), 7, "10:00:00"))[0]


# ------------------------------------------------------------------------------------------------- opening


def test_it_begins_with_what_is_on_the_screen_and_then_judges_the_rest(tiny):
    state, effects = begin(tiny, {"double": record("double")})
    assert (state.current, effects) == ("grid", [Check(1, ("grid", "total"))])


def test_what_is_known_is_believed_but_for_the_exercise_on_the_screen(tiny):
    known = {name: record(name, Kind.WRONG) for name in NAMES}
    assert begin(tiny, known)[1] == [Check(1, ("double",))]


def test_it_opens_at_the_first_exercise_that_does_not_pass(fresh):
    state, _ = after(fresh, Checked(1, verdict("double")))
    assert state.current == "grid"
    state, _ = after(state, Checked(1, verdict("grid", Kind.WRONG)), Checked(1, verdict("total", Kind.WRONG)))
    assert state.current == "grid"
    state, _ = after(state, Saved(frozenset({"01"})), Checked(2, verdict("grid")))
    assert state.current == "grid"


@pytest.mark.parametrize("event", [Key("x"), Saved(frozenset({"01"}))])
def test_once_something_was_done_it_never_moves_on_by_itself(fresh, event):
    state, _ = after(fresh, event)
    state, _ = after(state, *(Checked(state.job, verdict(name)) for name in NAMES))
    assert state.current == "double"


def test_with_everything_passed_it_opens_at_an_end(fresh):
    state, _ = after(fresh, *(Checked(1, verdict(name)) for name in NAMES))
    assert state.current in NAMES
    assert "3 of 3" in plain(draw(state, 80, 24, "en").rows)


def test_it_can_be_told_where_to_begin(tiny):
    state, effects = begin(tiny, {"total": record("total")}, "total")
    assert state.current == "total"
    assert effects == [Check(1, ("total", "double", "grid"))]
    assert after(state, Checked(1, verdict("total")))[0].current == "total"


# --------------------------------------------------------------------------------------------------- saves


def test_a_save_has_its_file_judged_the_exercise_on_the_screen_first(at_double):
    state, _ = after(at_double, "l", "j", "enter")
    assert state.current == "grid"
    state, effects = after(state, Saved(frozenset({"01"})))
    assert effects == [Check(state.job, ("grid", "double", "total"))]


def test_a_verdict_of_an_older_job_is_not_believed(at_double):
    state, _ = after(at_double, Saved(frozenset({"01"})))
    assert after(state, Checked(1, verdict("double"))) == (state, [])
    assert after(state, Failed(1, "old news")) == (state, [])


def test_when_it_passes_it_says_so_and_waits(at_double):
    state, _ = after(at_double, Saved(frozenset({"01"})))
    state, effects = after(state, *(Checked(state.job, verdict(name)) for name in ("double", "total")))
    assert (state.current, effects) == ("double", [])
    assert "Passed. Next: grid (exercises/lesson_01_tiny.py). Press n or Enter" in plain(draw(state, 80, 24, "en").rows)


def test_a_check_that_could_not_be_made_is_told_and_the_next_save_tries_again(at_double):
    state, _ = after(at_double, Saved(frozenset({"01"})))
    state, _ = after(state, Failed(state.job, "no process could be started"))
    assert "a check could not be made: no process could be started" in plain(draw(state, 80, 24, "en").rows)
    state, effects = after(state, Saved(frozenset({"01"})))
    assert effects[0].names == NAMES
    assert state.fault == ""


# ---------------------------------------------------------------------------------------------------- keys


@pytest.mark.parametrize("key", ["q", "interrupt"])
def test_quit(at_double, key):
    assert after(at_double, key)[1] == [Leave()]


def test_ctrl_c_quits_from_everywhere(at_double):
    for keys in (["l"], ["?"], ["r"], ["n"]):
        assert after(at_double, *keys, "interrupt")[1] == [Leave()]


def test_next_asks_before_it_leaves_an_exercise_open(at_double):
    state, effects = after(at_double, "n")
    assert (state.current, state.asking, effects) == ("double", Ask.SKIP, [])
    assert after(state, "x")[0].current == "double"
    assert after(state, "n")[0].current == "grid"


def test_enter_goes_on_only_after_a_pass(at_double):
    assert after(at_double, "enter")[0] == at_double
    state, _ = after(at_double, Saved(frozenset({"01"})))
    state, _ = after(state, Checked(state.job, verdict("double")), "enter")
    assert state.current == "grid"


def test_next_passes_over_what_has_passed_and_comes_back_to_what_was_left(tiny):
    known = {"double": record("double", Kind.WRONG), "grid": record("grid"), "total": record("total", Kind.WRONG)}
    state, _ = begin(tiny, known)
    state, _ = after(state, "n", "n")
    assert state.current == "total"
    state, _ = after(state, Checked(1, verdict("total")), "n")
    assert state.current == "double"
    note = after(state, "p")[0].note
    assert (note.to("en"), note.to("es")) == ("this is the first exercise", "este es el primer ejercicio")


def test_an_earlier_answer_that_breaks_is_told_until_it_passes_again(tiny):
    state, _ = begin(tiny, {name: record(name) for name in NAMES}, "total")
    assert "does not any more" not in plain(draw(state, 80, 24, "en").rows)
    state, _ = after(state, Saved(frozenset({"01"})))
    state, _ = after(state, Checked(state.job, verdict("double", Kind.WRONG)), "?", "?")  # keys do not wipe it away
    assert "✗ passed before and does not any more: double." in plain(draw(state, 80, 24, "en").rows)
    assert "✗ estaba superado y ya no lo está: double." in plain(draw(state, 80, 24, "es").rows)
    state, _ = after(state, Saved(frozenset({"01"})))
    state, _ = after(state, Checked(state.job, verdict("double")))
    assert state.broken() == []


def test_an_answer_that_was_taken_back_to_its_stub_is_not_called_broken(tiny):
    state, _ = begin(tiny, {name: record(name) for name in NAMES}, "total")
    state, _ = after(state, Checked(state.job, verdict("double", Kind.NOT_STARTED)))
    assert state.broken() == []
    state, _ = after(state, Checked(state.job, verdict("total", Kind.WRONG)))  # the one on the screen tells itself
    assert state.broken() == []


def test_previous_goes_back_by_one_whatever_its_verdict(tiny):
    state, _ = begin(tiny, {name: record(name) for name in NAMES}, "total")
    assert after(state, "p")[0].current == "grid"


def test_hints_come_in_steps_from_where_the_diagnosis_points_and_the_solution_asks_first(at_double):
    state, effects = after(at_double, "h")
    assert (state.hint, effects) == (2, [HintShown("double", 2)])
    state, effects = after(state, "h")
    assert (state.hint, effects) == (3, [HintShown("double", 3)])
    state, effects = after(state, "h")
    assert (state.hint, state.asking, effects) == (3, Ask.SOLUTION, [])
    assert after(state, "x")[0].hint == 3
    for yes in ("y", "s"):
        shown, effects = after(state, yes)
        assert effects == [HintShown("double", 4)]
        assert "return 2 * x" in plain(draw(shown, 80, 24, "en").rows)


def test_the_solution_asks_nothing_where_the_exercise_has_passed_before(at_double):
    state = replace(at_double, solved=frozenset({"double"}))
    assert after(state, "h", "h", "h")[0].hint == 4


def test_a_hint_stays_while_the_mistake_is_the_same_and_goes_with_it(at_double):
    state, _ = after(at_double, "h", Saved(frozenset({"01"})))
    same, _ = after(state, Checked(state.job, verdict("double", Kind.WRONG, diagnosis="square")))
    assert same.hint == 2
    other, _ = after(state, Checked(state.job, verdict("double", Kind.WRONG, diagnosis="silent")))
    assert other.hint == 0


def test_reset_asks_first(at_double):
    state, effects = after(at_double, "r")
    assert (state.asking, effects) == (Ask.RESET, [])
    for key in ("n", "r", "enter", "escape", "h"):
        assert after(state, key)[1] == []
    state, effects = after(state, "y")
    assert effects == [Reset("double")]
    told, _ = after(state, Told(Message.of({"en": "It is back.", "es": "Ya está."})), Saved(frozenset({"01"})))
    assert "It is back." in plain(draw(told, 80, 24, "en").rows)


def test_a_save_takes_a_question_about_the_old_text_away(at_double):
    assert after(at_double, "r", Saved(frozenset({"01"})))[0].asking is None


def test_check_all_judges_the_whole_course_and_says_how_it_stands(at_double):
    state, effects = after(at_double, "a")
    assert effects == [Check(state.job, NAMES)]
    state, _ = after(state, *(Checked(state.job, verdict(name)) for name in NAMES))
    assert "everything is checked: 3 of 3 passed" in plain(draw(state, 80, 24, "en").rows)
    assert state.current == "double"


def test_the_list_moves_filters_and_goes_where_it_is_told(at_double):
    state, _ = after(at_double, Saved(frozenset({"01"})))
    state, _ = after(state, Checked(state.job, verdict("grid")), "l")
    assert (state.page, state.cursor) == (Page.LIST, "double")
    assert after(state, "j", "down", "j")[0].cursor == "total"
    assert after(state, "j", "up", "k")[0].cursor == "double"
    assert after(state, "end")[0].cursor == "total"
    opened, _ = after(state, "f")
    assert (opened.shown, opened.listed()) == (Filter.OPEN, ["double", "total"])
    passed, _ = after(opened, "f")
    assert (passed.listed(), passed.cursor) == (["grid"], "grid")
    gone, _ = after(passed, "enter")
    assert (gone.page, gone.current) == (Page.EXERCISE, "grid")
    for key in ("l", "q", "escape"):
        back, effects = after(passed, key)
        assert (back.page, back.current, effects) == (Page.EXERCISE, "double", [])


def test_an_empty_list_chooses_nothing(at_double):
    state, _ = after(at_double, "l", "f", "f", "j", "enter")
    assert (state.page, state.listed(), state.current) == (Page.LIST, [], "double")
    assert "none" in plain(draw(state, 80, 24, "en").rows)


def test_what_is_gone_to_is_judged_before_the_rest(fresh):
    state, effects = after(fresh, "l", "end", "enter")
    assert effects == [Check(state.job, ("total", "double", "grid"))]


def test_help_goes_with_any_key(at_double):
    assert after(at_double, "?")[0].page is Page.HELP
    assert after(at_double, "?", "q") == (at_double, [])


def test_scrolling_stays_within_what_there_is(at_double):
    assert step(at_double, Key("down", 3))[0].scroll == 1
    assert step(at_double, Key("pagedown", 3))[0].scroll == 3
    assert step(at_double, Key("up", 3))[0].scroll == 0


KEYS = st.sampled_from([*"hlarnp?qyjkfs x", "up", "down", "pageup", "pagedown", "home", "end", "enter", "escape"])
EVENTS = st.one_of(
    st.builds(Key, KEYS, st.integers(0, 5)),
    st.just(Saved(frozenset({"01"}))),
    st.builds(lambda name, kind: ("verdict", name, kind), st.sampled_from(NAMES), st.sampled_from(Kind)),
)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(events=st.lists(EVENTS, max_size=25), width=st.integers(20, 110), height=st.integers(1, 40))
def test_whatever_happens_there_is_a_screen_and_only_keys_move_on(tiny, events, width, height):
    state, _ = begin(tiny, {}, "double")
    for event in events:
        if isinstance(event, tuple):
            event = Checked(state.job, verdict(event[1], event[2], printed="a\nb\nc\nd\ne\nf"), 3, "10:00:00")
        before = state.current
        state, _ = step(state, event)
        assert isinstance(event, Key) or state.current == before
        assert state.current in NAMES
        for lang in ("en", "es"):
            rows = draw(state, width, height, lang).rows
            assert len(rows) <= height
            assert max(len(line) for line in plain(rows).splitlines() or [""]) <= width
