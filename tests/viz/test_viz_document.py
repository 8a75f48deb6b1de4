"""Documents: a player that needs no kernel, as a notebook stores it and as a file, in a headless Chromium."""

import base64
import json
import re
import zlib
from html import unescape
from urllib.parse import unquote
from xml.etree import ElementTree as ET

import pytest
from viz_pictures import product_and_sum, random_values
from widget_page import STATIC

from minitorch import viz
from minitorch.scalar import Value
from minitorch.viz.drawing import html, palette
from minitorch.viz.drawing.player import TEXT, lean, module
from minitorch.viz.drawing.sending import sent

ROOT = product_and_sum()[0]
MAKERS = {"step": viz.step, "fan_out": viz.fan_out}
SAYS_LIGHT, SAYS_DARK = (f"document.body.dataset.jpThemeLight = '{light}'" for light in ("true", "false"))


def program(document):
    """The script that a document runs, inflated."""
    return zlib.decompress(base64.b64decode(re.search(r"atob\('([^']+)'\)", document)[1]), -15).decode()


def source(stored):
    """The document in the frame of what a notebook stores."""
    return unescape(re.search(r'srcdoc="([^"]+)"', stored)[1])


def sanitised(stored):
    """What a code host keeps of it: neither frames nor styles."""
    return re.sub(r"(<div [^>]*>)<style>.*?</style>|<iframe.*?</iframe>", r"\1", stored, flags=re.DOTALL)


# -- what is stored --------------------------------------------------------------------------------------------------


def test_the_program_holds_the_whole_pass_and_the_script_that_the_widget_has():
    player = viz.step(ROOT)._player()
    found = program(html.document(player))
    script, _, start = found.rpartition("\nconst state = ")
    assert script + "export default{render};" == lean(module("graph.js"))
    assert json.loads(start.partition(";\nrender(")[0]) == json.loads(json.dumps(sent(player.state)))


def test_only_comments_and_spaces_that_mean_nothing_are_left_out_of_a_script():
    assert lean("// one (it's)\n/** two\n   * lines' */\n  const a = '../b'; // that's {3}\n") == "\nconst a='../b';"
    assert lean("a /* four */\n  b('/ // /');\n\n") == "a\nb('/ // /');"
    said = "say(`a ( ${one ? `b , ${ c }` : d} = `, \"e ; 'f' , \", / [/,] *, /g);\n"
    assert lean(said) == "say(`a ( ${one ? `b , ${ c }` : d} = `,\"e ; 'f' , \",/ [/,] *, /g);"
    assert lean("return / , /.test(a - -b / 2 / c) ? .5 : x;\n") == "return / , /.test(a - -b / 2 / c)?.5:x;"


@pytest.mark.parametrize("name", sorted(path.name for path in STATIC.iterdir() if path.name.endswith(".js")))
def test_no_text_of_a_script_is_taken_for_code(name):
    """What is left of a script without the texts that `lean` finds has no quotes of its own."""
    assert not re.search("[\"'`]", re.sub(TEXT, "", lean(STATIC.joinpath(name).read_text("utf-8"))))


def test_the_frame_may_run_scripts_and_nothing_else():
    stored = viz.step(ROOT)._repr_mimebundle_()["text/html"]
    assert re.findall(r'<iframe sandbox="([^"]*)"', stored) == ["allow-scripts"]
    assert 'title="Backward pass from loss"' in stored


def test_nothing_in_it_names_another_place():
    for make in MAKERS.values():
        picture = make(ROOT)
        for document in (source(picture._repr_mimebundle_()["text/html"]), html.document(picture._player())):
            written = document + program(document)
            assert set(re.findall(r"https?://[^\"'` \\\\]+", written)) == {"http://www.w3.org/2000/svg"}


def test_the_document_in_the_frame_is_the_saved_file_without_its_still():
    picture = viz.step(ROOT)
    assert picture._page().replace(picture.svg(), "") == source(picture._repr_mimebundle_()["text/html"])


def test_a_label_ends_neither_the_frame_nor_the_script(tmp_path):
    odd = product_and_sum()[0]
    odd.label = "\"'</script></iframe><img src=x onerror=alert(1)>"
    stored = viz.step(odd)._repr_mimebundle_()["text/html"]
    assert stored.count("<iframe") == stored.count("</iframe>") == stored.count("<img ") == 1
    assert source(stored).count("<script") == source(stored).count("</script>") == 1


def test_an_image_says_what_its_drawing_says_whatever_quotes_stand_in_it():
    drawn = (
        """<svg xmlns="http://www.w3.org/2000/svg" id="m1"><style>#m1 text{font-family:"A B"}</style>"""
        """<g class="it's" id="m1a">it's "so", 100 % &amp; = "x's"</g><text fill='url("#m1a")'>"</text></svg>\n"""
    )
    address = re.search(r'src="([^"]*)"', html.image(drawn, "told"))[1]
    found = ET.fromstring(unquote(unescape(address).removeprefix("data:image/svg+xml,")))
    own = drawn.replace("#m1 text", "text").replace("m1", "m")
    assert ET.tostring(found) == ET.tostring(ET.fromstring(own))


def test_it_stays_within_its_budget():
    seen = viz.step(random_values(60))
    assert len(seen.graph.nodes) >= 60
    for written in (seen._page(), seen._repr_mimebundle_()["text/html"]):  # as a file, and in a notebook
        assert len(written.encode()) <= 60_000


# -- in a browser ----------------------------------------------------------------------------------------------------


@pytest.fixture
def opened(browser, tmp_path):
    """Opens HTML from disk, with the network refused."""
    contexts = []

    def open_it(written, **how):
        context = browser.new_context(offline=True, viewport={"width": 900, "height": 800}, **how)
        contexts.append(context)
        page = context.new_page()
        page.errors = []
        page.on("pageerror", lambda error: page.errors.append(str(error)))
        path = tmp_path / "page.html"
        path.write_text(written, encoding="utf-8")
        page.goto(path.as_uri())
        return page

    yield open_it
    for context in contexts:
        context.close()


def old(written):
    """The same in a browser of before 2023, which inflates nothing."""
    return written.replace("DecompressionStream", "NothingOfTheKind")


def stored(picture):
    return f"<!doctype html><body>{picture._repr_mimebundle_()['text/html']}<p>below</p></body>"


def sees(page, what):
    """Whether anything is seen of `what` in the page: it looks otherwise without it."""
    place = page.locator(".minitorch-player")
    place.scroll_into_view_if_needed()
    before = place.screenshot()
    page.locator(what).evaluate("each => { each.style.visibility = 'hidden'; }")
    return place.screenshot() != before


@pytest.mark.browser
@pytest.mark.parametrize("name", MAKERS)
def test_what_a_notebook_stores_is_alive_with_no_network_and_no_kernel(opened, name):
    page = opened(stored(MAKERS[name](ROOT)))
    frame = page.frame_locator("iframe")
    frame.locator(".root").wait_for()
    scrub = frame.get_by_role("slider")
    scrub.focus()
    page.keyboard.press("Home")
    start = frame.get_by_role("status").inner_text()
    page.keyboard.press("End")
    assert frame.get_by_role("status").inner_text() != start
    assert scrub.input_value() == scrub.get_attribute("max")
    assert not sees(page, "img")  # the player covers it
    assert page.errors == []


@pytest.mark.browser
@pytest.mark.parametrize("name", MAKERS)
def test_where_frames_are_stripped_the_still_is_seen_with_its_words(opened, name):
    page = opened(sanitised(stored(MAKERS[name](ROOT))))
    still = page.locator("img")
    assert still.evaluate("each => each.complete && each.naturalWidth") > 200
    assert len(still.get_attribute("alt")) > 60
    assert sees(page, "img")
    assert still.bounding_box()["height"] == still.evaluate("each => each.naturalHeight")


@pytest.mark.browser
def test_where_nothing_can_be_inflated_the_still_is_seen_whole_through_the_frame(opened):
    for scheme in ("light", "dark"):
        page = opened(old(stored(viz.step(ROOT))), color_scheme=scheme)
        page.wait_for_timeout(300)
        assert page.frame_locator("iframe").locator(".root").count() == 0
        still, frame = page.locator("img").bounding_box(), page.locator("iframe").bounding_box()
        assert (still["height"], still["width"]) == (frame["height"], frame["width"])
        assert sees(page, "img")


@pytest.mark.browser
def test_a_saved_file_shows_the_still_where_no_script_runs_and_the_player_where_one_does(opened):
    written = viz.step(ROOT)._page()
    for page in (opened(written, java_script_enabled=False), opened(old(written))):
        assert page.locator("main > svg").is_visible()
    page = opened(written)
    page.locator(".root").wait_for()
    assert not page.locator("main > svg").is_visible()


@pytest.mark.browser
def test_the_theme_of_a_notebook_reaches_the_frame_and_changes_with_it(opened):
    page = opened(stored(viz.step(ROOT)), color_scheme="null")  # no word from the system
    root = page.frame_locator("iframe").locator(".root")
    root.wait_for()
    for say, colours in ((SAYS_DARK, palette.DARK), (SAYS_LIGHT, palette.LIGHT), (SAYS_DARK, palette.DARK)):
        page.evaluate(say)
        page.frame_locator("iframe").locator(f".root[style*='--paper: {colours['paper']}']").wait_for()


@pytest.mark.browser
def test_the_keyboard_goes_in_steps_and_comes_out_again(opened):
    page = opened("<button>before</button>" + stored(viz.step(ROOT)) + "<button>after</button>")
    frame = page.frame_locator("iframe")
    frame.locator(".box").first.wait_for()
    page.get_by_text("before").focus()
    for _ in range(12):
        page.keyboard.press("Tab")
        if frame.get_by_role("slider").evaluate("each => each.getRootNode().activeElement === each"):
            break
    page.keyboard.press("ArrowRight")
    assert frame.locator(".count").inner_text() == "1 / 5"
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.get_by_text("after").evaluate("each => document.activeElement === each"):
            return
    pytest.fail("the keyboard did not come out of the frame")


@pytest.mark.browser
def test_a_wheel_over_it_scrolls_the_page(opened):
    page = opened(stored(viz.step(ROOT)) + "<div style='height: 3000px'></div>")
    page.frame_locator("iframe").locator(".box").first.wait_for()
    page.locator("iframe").hover()
    page.mouse.wheel(0, 300)
    page.wait_for_function("scrollY > 100")


@pytest.mark.browser
@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("width", [500, 900, 1920])
def test_the_whole_drawing_is_in_view_without_scrolling(opened, name, width):
    page = opened(stored(MAKERS[name](ROOT)))
    page.set_viewport_size({"width": width, "height": 900})
    frame = page.frame_locator("iframe")
    stage = frame.locator(".stage")
    stage.wait_for()
    assert stage.evaluate("each => each.scrollHeight <= each.clientHeight")
    below = frame.locator(".keys").bounding_box()
    box = page.locator("iframe").bounding_box()
    assert below["y"] + below["height"] <= box["y"] + box["height"]


@pytest.mark.browser
@pytest.mark.parametrize(("wide", "below"), [(360, True), (480, True), (800, False), (1400, False)])
def test_in_a_narrow_pane_the_frame_grows_and_both_graph_and_curve_are_in_sight(browser, tmp_path, wide, below):
    made = tmp_path / "cell.html"
    made.write_text(viz.nudge(Value(2.0, label="x") * 3 + 1)._repr_mimebundle_()["text/html"], encoding="utf-8")
    page = browser.new_page(viewport={"width": wide, "height": 700})
    page.goto(made.as_uri())
    frame = page.frame_locator("iframe")
    facts, graph = frame.locator(".facts"), frame.locator(".stage svg").first
    facts.locator(".plot").wait_for()
    beside, drawn = facts.bounding_box(), graph.bounding_box()
    hidden = facts.evaluate("node => node.scrollHeight - node.clientHeight")
    page.close()
    assert (beside["y"] >= drawn["y"] + drawn["height"] - 1) is below
    assert hidden <= 1
    assert drawn["height"] >= 200
