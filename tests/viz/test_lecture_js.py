"""static/lecture.js in a headless Chromium: a lecture as it is given, from disk, without a network."""

import gzip
import re
import runpy
from pathlib import Path

import pytest
from lecture_page import AT, LETTERS, SIZES, Deck
from viz_pictures import VIEWS, product_and_sum, uneven
from widget_page import STATIC, widget_page

from minitorch import viz
from minitorch.scalar import Value
from minitorch.viz.drawing import palette
from minitorch.viz.drawing.player import lean, module
from minitorch.viz.views.grow import ROOM

pytestmark = [pytest.mark.browser, pytest.mark.timeout(1800)]

IN_PLAYER = LETTERS.replace("() =>", "el =>").replace("document.getElementById('player')", "el")
EXAMPLES = Path(__file__).parents[2] / "examples" / "lectures"


def deck():
    loss = product_and_sum()[0]
    return viz.lecture(
        viz.slide("First\nof all", notes="Greet them."),
        viz.slide(viz.graph(loss), "A graph", notes="Point at it."),
        viz.slide(question="Which?", code="a = 1", choices=("one", "two"), right="two", answer="Because."),
        viz.slide(viz.step(loss), "A pass", predict=True),
        viz.slide(viz.fan_out(uneven(), "breadth_first"), "Too early"),
        title="All kinds",
    )


def test_the_script_is_small_and_our_own():
    script = module("lecture.js")
    assert len(gzip.compress(lean(script).encode(), 9)) <= 7_400  # with theme.js, which all players share
    assert len(gzip.compress(lean(STATIC.joinpath("lecture.js").read_text("utf-8")).encode(), 9)) <= 5_000
    assert not re.search(r"^\s*import\b|\bimport\(|\bfetch\(|XMLHttpRequest|\beval\(|innerHTML", script, re.MULTILINE)
    assert re.findall(r"https?://[^\"'` ]+", script) == ["http://www.w3.org/2000/svg"]
    assert set(re.findall(r"var\(--([a-z-]+)\)", script)) - {
        "unit",
        "rail",
        "words",
        "least",
        "jp-ui-font-family",
    } <= set(palette.LIGHT)


@pytest.mark.parametrize("size", SIZES)
def test_the_last_row_can_read_every_letter(opened, size):
    shown = opened(deck(), size)
    before, screens = None, 0
    while shown.at() != before:
        before, screens = shown.at(), screens + 1
        letters = shown.page.evaluate(LETTERS)
        assert [(said, size) for size, said in letters if size < 24] == [], before
        shown.press("ArrowRight")
    assert screens >= len(deck().pages())


# What happens now and does not lie within the stage as a whole: a marked box, or an arrow's or a marked box's words.
CUT = """() => {
  const root = document.getElementById('player').shadowRoot;
  const room = root.querySelector('.stage').getBoundingClientRect();
  const marked = [...root.querySelectorAll('.stage [data-active], .stage .v, .stage .vg')];
  const parts = marked.flatMap(each => (each.matches('rect') ? [each] : [...each.querySelectorAll('rect, text')]));
  return parts.filter(each => {
    const { left, right, top, bottom, width } = each.getBoundingClientRect();
    const across = left < room.left - 2 || right > room.right + 2;
    return width && (across || top < room.top - 2 || bottom > room.bottom + 2);
  }).map(each => each.textContent || each.outerHTML);
}"""


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ["broadcasting", "chain_rule"])
def test_nothing_that_a_lecture_speaks_of_is_cut_off(opened, name, size):
    shown = opened(runpy.run_path(str(EXAMPLES / f"{name}.py"))["lecture"](), size)
    before, parts = None, {}
    while shown.at() != before:
        before = shown.at()
        assert [(said, size) for size, said in shown.page.evaluate(LETTERS) if size < 24] == [], before
        step = " · ".join(before.split(" · ")[:2])
        parts.setdefault(step, []).append(set(shown.page.evaluate(CUT)))
        shown.press("ArrowRight")
    # a step that is shown in two parts has each thing in one of them
    assert {step: cut for step, each in parts.items() if (cut := set.intersection(*each))} == {}


@pytest.mark.parametrize("size", SIZES)
def test_the_pictures_own_player_can_be_read_too(opened, size):
    shown = opened(viz.lecture(viz.step(product_and_sum()[0]), viz.unbroadcast((2, 3), (3,))), size)
    for slide in ("1", "2"):
        shown.press(slide, "Enter", "o")
        inner = shown.root.locator(".live > div")
        assert inner.locator(".status").is_visible()
        assert [(said, size) for size, said in inner.evaluate(IN_PLAYER) if size < 24] == []
        shown.press("Escape")


def test_a_clicker_goes_through_the_steps_and_then_on(opened):
    shown = opened(deck())
    seen = []
    for key in ("PageDown", " ", "ArrowRight", "ArrowRight", "Enter", "PageUp", "ArrowLeft", "Shift+Space"):
        shown.press(key)
        seen.append(shown.at())
    assert seen == [
        "2 / 5",
        "3 / 5 · 1/2",
        "3 / 5 · 2/2",
        "4 / 5 · 1/11",
        "4 / 5 · 2/11",
        "4 / 5 · 1/11",
        "3 / 5 · 2/2",
        "3 / 5 · 1/2",
    ]
    shown.press("End")
    assert shown.at().startswith("5 / 5 · 1/")
    shown.press("Home")
    assert shown.at() == "1 / 5"
    shown.press("ArrowLeft")
    assert shown.at() == "1 / 5"
    shown.press("4")
    assert shown.root.locator(".typed").inner_text() == "→ 4"
    shown.press("Enter")
    assert shown.at() == "4 / 5 · 1/11"
    shown.press("ArrowDown", "ArrowUp", "9", "9", "Enter")
    assert shown.at().startswith("5 / 5")


def test_the_answer_is_not_there_before_it_is_asked_for(opened):
    shown = opened(deck())
    shown.press("3", "Enter")
    assert "Which?" in shown.words()
    assert "Because." not in shown.root.inner_text()
    assert shown.root.locator(".right").count() == 0
    shown.press("ArrowRight")
    assert "Because." in shown.words()
    assert shown.root.locator(".right").inner_text() == "two"


def test_steps_do_not_move_what_stands(opened):
    shown = opened(deck(), "1080")
    shown.press("4", "Enter")
    views = set()
    for _ in range(11):
        views.add(shown.view())
        shown.press("ArrowRight")
    assert len(views) == 1


def test_the_camera_follows_what_happens_where_it_is_too_large(opened):
    shown = opened(deck())
    shown.press("5", "Enter")
    assert shown.root.locator(".map .seen").count() == 1
    seen = []
    for _ in range(8):
        room = shown.root.locator(".stage").bounding_box()
        if "1/2" not in shown.at():  # where it is given from
            for active in shown.root.locator(".stage rect[data-active]").all():
                seen.append(shown.at())
                box = active.bounding_box()
                assert box["y"] >= room["y"] - 1
                assert box["y"] + box["height"] <= room["y"] + room["height"] + 1
        shown.press("ArrowRight")
    assert seen


def test_colours_go_round_and_begin_with_the_systems(opened):
    shown = opened(deck(), color_scheme="dark")
    seen = [shown.ground()]
    for _ in range(5):
        shown.press("s")
        seen.append(shown.ground())
    dark, white = "rgb(20, 24, 29)", "rgb(255, 255, 255)"
    assert seen == [dark, white, dark, white, white, dark]
    shown.press("2", "Enter", "s", "s", "s", "s")
    inks = shown.root.evaluate(
        "root => [...root.querySelectorAll('.stage rect')].map(each => getComputedStyle(each).stroke)"
    )
    assert set(inks) <= {"rgb(0, 0, 0)", "none"}


def test_black_help_notes_and_full_screen(opened):
    shown = opened(deck())
    black, help_, notes = (shown.root.locator(each) for each in (".black", ".help", ".notes"))
    shown.press("b")
    assert black.is_visible()
    shown.press("b", "?")
    assert black.is_hidden()
    assert "full screen" in help_.inner_text()
    shown.press("Escape", "n")
    assert help_.is_hidden()
    assert "Greet them." in notes.inner_text()
    assert "Next: A graph" in notes.inner_text()
    assert re.search(r"\d\d:\d\d · 0:0\d", notes.inner_text())
    shown.press("ArrowRight")
    assert "Point at it." in notes.inner_text()
    shown.press("n")
    assert notes.is_hidden()
    shown.press("f")
    shown.page.wait_for_function("document.fullscreenElement?.id === 'player'")
    shown.press("f")
    shown.page.wait_for_function("!document.fullscreenElement")


def test_the_speakers_window_goes_along_both_ways(opened):
    shown = opened(deck())
    with shown.page.expect_popup() as popup:
        shown.press("p")
    second = popup.value
    second.wait_for_function(f"{AT}?.querySelector('footer span').textContent")
    speaker = Deck(second)
    assert "Greet them." in speaker.root.locator(".notes").inner_text()
    shown.press("ArrowRight")
    second.wait_for_function(f"{AT}.querySelector('footer span').textContent === '2 / 5'")
    speaker.press("ArrowRight", "ArrowRight")
    shown.page.wait_for_function(f"{AT}.querySelector('footer span').textContent === '3 / 5 · 2/2'")


def test_the_pictures_own_player_has_the_keys_until_escape_or_the_clicker(opened):
    shown = opened(deck())
    shown.press("4", "Enter", "ArrowRight", "ArrowRight", "o")
    inner = shown.root.locator(".live > div")
    assert inner.locator(".count").inner_text() == "1 / 5"
    shown.press("ArrowRight")
    assert inner.locator(".count").inner_text() == "2 / 5"
    shown.press("Escape")
    assert inner.count() == 0
    assert shown.at() == "4 / 5 · 3/11"
    shown.press("o", "PageDown")
    assert inner.count() == 0
    assert shown.at() == "4 / 5 · 4/11"


def test_the_player_begins_where_the_slide_is(opened):
    asked = viz.slide(viz.unbroadcast((2, 3), (3,)), "Summed", question="What is it?")
    several = viz.slide(viz.fan_out(uneven(), ["topological", "breadth_first"]), whole=True)
    shown = opened(viz.lecture(asked, several))
    shown.press("o")
    inner = shown.root.locator(".live > div")
    assert inner.locator(".status").inner_text() == "The operand (3,): each entry has a letter."
    shown.press("Escape", "2", "Enter")
    while "breadth_first" not in shown.words():
        shown.press("ArrowRight")
    shown.press("ArrowRight", "o")
    assert inner.locator(".status").inner_text().startswith("Step 1 of 6. Start at root")
    assert inner.locator("select, [aria-checked=true], [aria-pressed=true]").first.is_visible()


def test_a_pass_is_predicted_on_the_slide(opened):
    shown = opened(viz.lecture(viz.step(product_and_sum()[0], predict=True)))
    shown.press("o")
    field = shown.root.locator(".live input[type=text], .live input:not([type])").first
    field.fill("1")
    shown.press("Enter")
    assert shown.at() == "1 / 1 · 1/11"
    shown.press("Escape")
    assert shown.root.locator(".live > div").count() == 0


def test_a_screen_reader_hears_slides_and_steps(opened):
    shown = opened(deck())
    assert shown.root.get_attribute("aria-label") == "All kinds"
    status = shown.root.get_by_role("status")
    shown.press("4", "Enter", "ArrowRight", "ArrowRight")
    assert status.inner_text().startswith("Step 1 of 5. Start at loss")
    assert "Backward pass from loss, step 1 of 5" in shown.root.locator(".stage svg").get_attribute("aria-label")
    assert all(button.get_attribute("aria-label") for button in shown.root.locator("footer button").all())


def test_the_hand_out_has_every_step(opened):
    pdfium = pytest.importorskip("pypdfium2")
    shown = opened(deck(), color_scheme="dark")
    shown.press("4", "Enter")
    document = pdfium.PdfDocument(shown.page.pdf(format="A4", print_background=True))
    text = "".join(page.get_textpage().get_text_range() for page in document)
    for said in ("First", "Because.", "Step 5 of 5", "Predict: what will v1"):
        assert said in text.replace("\r\n", " ")
    assert len(document) >= 4
    assert shown.at() == "4 / 5 · 1/11"


def test_what_people_write_is_text(opened):
    odd = "</script><b>&\"'"
    shown = opened(
        viz.lecture(viz.slide(odd, notes=odd), viz.slide(question=odd, code=odd, choices=(odd,), answer=odd))
    )
    assert shown.words() == odd
    shown.press("ArrowRight", "ArrowRight", "n")
    assert shown.page.locator("b").count() == 0
    assert shown.words().count(odd) == 4


PLACES = """() => Object.fromEntries([...views[0].el.shadowRoot.querySelectorAll('.stage g[transform]')].map(box => {
  const { x, y } = box.querySelector('rect').getBoundingClientRect();
  return [box.querySelector('title').textContent, [Math.round(x), Math.round(y)]];
}))"""


def test_while_cells_run_nothing_moves_on_the_screen(browser):
    x, y = Value(2.0, label="x"), Value(3.0, label="y")
    stages = [[x, y], x * y, x * y + x]
    with widget_page(browser, "lecture.js", 1920) as page:
        growth = viz.grow(stages[0])
        page.evaluate("state => { show(state); views[0].el.style.width = '1900px'; }", growth._player(ROOM).state)
        page.wait_for_timeout(100)
        before = page.evaluate(PLACES)
        assert before.keys() == {"x", "y"}
        for stage in stages[1:]:
            growth.add(*stages[0], stage)
            state = growth._player(ROOM).state
            page.evaluate(
                """({ deck, stop }) => { const { model } = views[0]; model.state.deck = deck;
                model.set('stop', stop); for (const act of model.heard['change:deck']) act(); }""",
                state,
            )  # both at once, and of the smaller one the page is told first
            after = page.evaluate(PLACES)
            assert before.items() <= after.items()
            assert len(after) > len(before)
            before = after


def test_it_lives_in_a_notebooks_frame(browser, tmp_path):
    page = browser.new_context(offline=True, viewport={"width": 900, "height": 800}).new_page()
    (tmp_path / "page.html").write_text(deck()._repr_mimebundle_()["text/html"], encoding="utf-8")
    page.goto((tmp_path / "page.html").as_uri())
    frame = page.frame_locator("iframe")
    frame.locator(".slide").click()
    assert frame.locator("footer span").first.inner_text().startswith("2 / 5")
    page.keyboard.press("ArrowDown")
    assert frame.locator("footer span").first.inner_text() == "3 / 5 · 1/2"
    page.keyboard.press("f")
    page.wait_for_function("document.fullscreenElement?.tagName === 'IFRAME'")
    page.keyboard.press("f")
    page.wait_for_function("!document.fullscreenElement")
    page.context.close()


def test_no_picture_in_a_frame_takes_the_focus_or_scrolls_the_page(browser, tmp_path):
    page = browser.new_context(offline=True, viewport={"width": 900, "height": 800}).new_page()
    framed = "".join(make()._repr_mimebundle_()["text/html"] for make in VIEWS.values())
    (tmp_path / "page.html").write_text(f'<p style="height:3000px"></p>{framed}', encoding="utf-8")
    page.goto((tmp_path / "page.html").as_uri())
    players = [frame for frame in page.frames if frame != page.main_frame]
    assert len(players) > 2
    for player in players:
        player.wait_for_function(f"{AT}?.querySelector('.root')")
    assert page.evaluate("[scrollY, document.activeElement.tagName]") == [0, "BODY"]
    page.context.close()
