"""What `minitorch watch` shows, as text, for one situation at a time."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.cells import cell_len

from minitorch.course.judging.verdict import Kind, Place, Verdict
from minitorch.course.watching.screen import draw, plain
from minitorch.course.watching.state import Checked, Key, Saved, begin, step
from minitorch.language import Message

WRONG = Verdict(
    "double",
    "01",
    Kind.WRONG,
    Message.of({"en": "You squared x.", "es": "Elevaste x al cuadrado."}),
    Message.of({"en": "Return twice x.", "es": "Devuelve el doble de x."}),
    input="x = 3.0",
    expected="6.0",
    got="9.0",
    diagnosis="square",
    hint=Message.of({"en": "Multiply by 2.", "es": "Multiplica por 2."}),
    printed="x is 3.0\n",
)


@pytest.fixture
def shown(tiny):
    """Return the screen on one verdict, and after some keys."""

    def show(verdict: Verdict = WRONG, *keys: str, size: tuple[int, int] = (80, 24), lang: str = "en") -> str:
        state, _ = begin(tiny, {}, "double")
        state, _ = step(state, Checked(1, verdict, 6, "10:00:00"))
        for key in keys:
            state, _ = step(state, Key(key))
        return plain(draw(state, *size, lang).rows)

    return show


def test_one_screen(shown):
    assert shown().splitlines() == [
        "lesson 01 · Tiny · double (1 of 3)",
        "─" * 80,
        "    file      exercises/lesson_01_tiny.py:6",
        "    asked     Return twice x.",
        "",
        "✗ double: wrong. You squared x.",
        "    input     x = 3.0",
        "    expected  6.0",
        "    got       9.0",
        "",
        "your code printed:",
        "│ x is 3.0",
        *[""] * 7,
        "─" * 80,
        "░" * 30 + "  0 of 3 passed · lesson 01: 0 of 3",
        "Next: change double and save. Stuck? h shows a hint.",
        "checking … 2 to go",
        "h hint · l list · a check all · r reset · n next · p previous · ? help · q quit",
    ]


def test_a_low_pane_shows_the_verdict_before_what_was_printed(shown):
    assert "✗ double: wrong. You squared x." in shown(size=(65, 14))


def test_a_hint_is_shown_on_request_only(shown):
    assert "Multiply by 2." not in shown()
    assert "double: hint 2 of 4\n    Multiply by 2.\nmore: h" in shown(WRONG, "h")


def test_what_is_not_required_is_counted_apart_and_comes_last(tiny):
    first = tiny.lessons[0]
    exercises = tuple(replace(each, required=each.name != "grid") for each in first.exercises)
    course = replace(tiny, lessons=(replace(first, exercises=exercises),))
    state, _ = begin(course, {}, "double")
    state, _ = step(state, Checked(1, replace(WRONG, kind=Kind.PASSED)))
    screen = plain(draw(state, 100, 24, "en").rows)
    assert "  1 of 2 passed · lesson 01: 1 of 2 · more: 0 of 1" in screen
    assert state.following() == "total"
    state, _ = step(state, Checked(1, replace(WRONG, exercise="total", kind=Kind.PASSED)))
    assert state.following() == "grid"
    state, _ = step(state, Key("l"))
    listed = plain(draw(state, 80, 24, "es").rows)
    assert "01 Diminuta  2/2 + 0/1" in listed
    assert "grid" in listed.split(" · extra")[0].splitlines()[-1]
    state, _ = begin(course, {}, "grid")
    assert plain(draw(state, 80, 24, "en").rows).startswith("lesson 01 · Tiny · grid (2 of 3) · more")


def test_spanish(shown):
    screen = shown(WRONG, "h", lang="es")
    for words in ("Elevaste x al cuadrado", "Multiplica por 2.", "pista · l lista", "tu código imprimió"):
        assert words in screen


def test_the_help_names_every_key_of_the_bottom_line(shown):
    for lang in ("en", "es"):
        keys = [item[0] for item in shown(lang=lang, size=(100, 24)).splitlines()[-1].split(" · ")]
        lines = shown(WRONG, "?", lang=lang, size=(100, 30)).splitlines()
        assert len(keys) == 8
        assert [key for key in keys if key != "?" and not any(line.startswith(f"{key}  ") for line in lines)] == []


@pytest.mark.parametrize("size", [(80, 24), (60, 24), (60, 15), (40, 24), (20, 10), (200, 60), (80, 3), (1, 1)])
@pytest.mark.parametrize("lang", ["en", "es"])
def test_it_fits(shown, size, lang):
    long = replace(WRONG, input="[" + "1.5, " * 60 + "]", printed="漢字 " * 50 + "\n" + "line\n" * 80)
    for keys in ([], ["h"], ["l"], ["?"], ["r"], ["n"]):
        rows = shown(long, *keys, size=size, lang=lang).splitlines()
        assert len(rows) <= size[1]
        assert max((cell_len(row) for row in rows), default=0) <= max(20, min(size[0], 100))


def test_at_60_columns_no_key_is_cut(shown):
    screen = shown(size=(60, 24))
    assert "h hint" in screen
    assert "q quit" in screen


def test_much_that_was_printed_leaves_room_for_the_verdict(shown):
    screen = shown(replace(WRONG, printed="".join(f"{n}\n" for n in range(100))), "h")
    assert "│ 0\n" in screen
    assert "more lines" in screen
    assert "✗ double: wrong. You squared x." in screen
    assert "Multiply by 2." in screen


def test_what_does_not_fit_says_so_and_can_be_scrolled_to(tiny, shown):
    long = replace(WRONG, input="1.5, " * 40)
    screen = shown(long, size=(60, 13))
    assert "↓" in screen
    state, _ = begin(tiny, {}, "double")
    state, _ = step(state, Checked(1, long))
    picture = draw(state, 60, 13, "en")
    assert picture.reach > 0
    state, _ = step(state, Key("end", picture.reach))
    assert "got       9.0" in plain(draw(state, 60, 13, "en").rows)


def test_nothing_that_the_learners_code_says_reaches_the_terminal_as_a_command(shown):
    nasty = replace(WRONG, printed="\x1b[2J\x07\u202e", input="\x1b]0;x\x07", got="\x9b1m")
    screen = shown(nasty)
    assert not {"\x1b", "\x07", "\u202e", "\x9b"} & set(screen)
    assert r"\x1b[2J\x07\u202e" in screen


def test_a_caret_stays_below_the_place_that_it_means(shown):
    place = Place("lesson_01_tiny.py", 9, "", "    return 2 * * x", 16)
    broken = replace(WRONG, kind=Kind.ERROR, input=None, expected=None, got=None, hint=None, printed="", place=place)
    lines = shown(broken).splitlines()
    at = next(number for number, line in enumerate(lines) if "return 2 * * x" in line)
    assert lines[at + 1].index("^") == lines[at].index("* x")


def test_a_wide_label_of_a_verdict_is_told_by_its_sign_and_its_word_not_by_colour(shown):
    for kind in Kind:
        sign = shown(replace(WRONG, kind=kind)).split(" double: ")[0][-1]
        assert sign in "○✗!◷✓"
        assert f"{sign} double: {kind.value}" in shown(replace(WRONG, kind=kind))


def test_the_list_shows_signs_counts_the_cursor_and_where_one_is(tiny):
    state, _ = begin(tiny, {}, "double")
    state, _ = step(state, Checked(1, WRONG))
    state, _ = step(state, Key("l"))
    state, _ = step(state, Key("j"))
    lines = plain(draw(state, 80, 24, "en").rows).splitlines()[2:7]
    assert lines == [
        "the exercises: all",
        "01 Tiny  0/3",
        "  ✗ double             wrong ◂",
        "> … grid",
        "  … total",
    ]


def test_a_save_keeps_the_last_verdict_on_the_screen_until_there_is_a_new_one(tiny):
    state, _ = begin(tiny, {}, "double")
    state, _ = step(state, Checked(1, WRONG))
    state, _ = step(state, Saved(frozenset({"01"})))
    screen = plain(draw(state, 80, 24, "en").rows)
    assert "You squared x." in screen
    assert "checking … 3 to go" in screen
