"""static/film.js in a headless Chromium: the player of fan-out pictures, as a module and as a page of its own."""

import gzip
import re

import pytest
from viz_pictures import VIEWS, odd_labels, product_and_sum
from widget_page import View, text_of, widget_page

from minitorch import viz
from minitorch.scalar import Value
from minitorch.viz.drawing import palette
from minitorch.viz.drawing.player import lean

pytestmark = [pytest.mark.browser, pytest.mark.timeout(1800)]

SCRIPT = text_of("film.js")
TEXTS = "stage => [...stage.querySelectorAll('text')].map(text => text.textContent)"


def uneven():
    x = Value(2.0, label="x")
    p = x * 3
    root = p + p * p
    p.label, root.label = "p", "root"
    return root


class Player(View):
    """One player."""

    def __init__(self, page, index):
        super().__init__(page, index)
        self.stage = self.root.locator(".stage")

    def texts(self):
        return sorted(self.stage.evaluate(TEXTS))

    def at(self):
        return [self.of("reel"), self.of("step")]

    def chosen(self):
        return self.root.locator("[role=radio][aria-checked=true]").all_inner_texts()


@pytest.fixture
def page(browser):
    with widget_page(browser, "film.js", 1000) as page:
        yield page


@pytest.fixture
def show(page):
    """Shows a film and returns its view."""

    def shown(film):
        page.evaluate("state => show(state)", film._player().state)
        return Player(page, page.locator(".root").count() - 1)

    return shown


def test_the_script_is_small_and_our_own():
    assert len(gzip.compress(lean(SCRIPT).encode(), 9)) <= 5_000
    assert not re.search(r"^\s*import\b|\bimport\(|\bfetch\(|XMLHttpRequest|\beval\(|innerHTML", SCRIPT, re.MULTILINE)
    assert re.findall(r"https?://[^\"'` ]+", SCRIPT) == ["http://www.w3.org/2000/svg"]
    assert set(re.findall(r"var\(--([a-z-]+)\)", SCRIPT)) <= set(palette.LIGHT)


def test_every_step_of_every_walk_shows_what_the_static_picture_shows(page, show):
    seen = viz.fan_out(uneven())
    view = show(seen)
    for number, reel in enumerate(seen._reels):
        page.evaluate(f"views[0].el.shadowRoot.querySelectorAll('[role=radio]')[{number}].click()")
        assert view.chosen() == [reel.name]
        for step, frame in enumerate(reel.frames):
            assert view.at() == [number, step]
            assert view.status() == frame.sentence
            assert "wrong" in (view.root.get_by_role("status").get_attribute("class").split()) or not frame.wrong
            still = page.evaluate(
                f"svg => ({TEXTS})(new DOMParser().parseFromString(svg, 'image/svg+xml'))", seen._document(reel, step)
            )
            assert view.texts() == sorted(still)
            view.stage.focus()
            view.press("ArrowRight")
        page.keyboard.press("Home")


def test_going_back_shows_what_was_there_before(show):
    view = show(viz.fan_out(uneven(), "recursive"))
    view.stage.focus()
    forward = []
    for _ in range(9):
        forward.append((view.status(), view.texts()))
        view.press("ArrowRight")
    for expected in reversed(forward):
        view.press("ArrowLeft")
        assert (view.status(), view.texts()) == expected


def test_the_keyboard_does_everything(page, show):
    view = show(viz.fan_out(uneven()))
    view.stage.focus()
    seen = []
    for key in (
        "ArrowRight",
        "ArrowRight",
        "ArrowLeft",
        "End",
        "ArrowRight",
        "Home",
        "ArrowDown",
        "ArrowUp",
        "ArrowUp",
    ):
        view.press(key)
        seen.append(view.at())
    assert seen == [[0, 1], [0, 2], [0, 1], [0, 7], [0, 7], [0, 0], [1, 0], [0, 0], [5, 0]]
    view.press("2", "End")
    assert view.chosen() == ["recursive"]
    assert "x 63, should be 39" in view.status()
    view.root.get_by_role("radio", name="paths").focus()
    view.press("Enter", "ArrowRight")
    assert view.chosen() == ["overwrite"]
    assert page.evaluate("views[0].el.shadowRoot.activeElement.textContent") == "overwrite"
    page.evaluate("window.heard = []; document.addEventListener('keydown', event => heard.push(event.key))")
    view.press("ArrowRight", " ", "a")
    assert page.evaluate("heard") == []
    assert page.evaluate("views[0].el.getAttribute('data-lm-suppress-shortcuts')") == "true"


def test_keys_for_another_picture_are_named_where_there_is_another(show):
    assert "another picture" in show(viz.fan_out(uneven())).root.locator(".keys").inner_text()
    assert "another" not in show(viz.unbroadcast((4, 3), (3,))).root.locator(".keys").inner_text()


def test_a_wide_drawing_shrinks_to_its_column_and_scrolls_before_it_cannot_be_read(show):
    view = show(viz.reshape((16, 32), (32, 16)))  # 840 pixels, in a column of 760
    size = "svg => [svg.getBoundingClientRect().width, svg.viewBox.baseVal.width]"
    wide, drawn = view.stage.locator("svg").evaluate(size)
    assert wide < drawn
    assert 12 * wide / drawn >= 11


def wide():
    """A sum of products of sums, 1,300 pixels wide."""
    x = [Value(float(place), label=f"x{place}") for place in range(3)]
    rows = [sum((each * (place + 2) for each in x), Value(1.0, label=f"b{place}")).tanh() for place in range(4)]
    return sum(rows, Value(0.0, label="c"))


PLACES = """stage => {
  const spot = each => (({left, top, right, bottom}) => [left, top, right, bottom])(each.getBoundingClientRect());
  return ["", "[data-pinned] > rect", "[data-active]", "[data-place=comes]", "[data-place=arrives]"].map(which => {
    const found = which ? stage.querySelector(which) : stage;
    return found && spot(found);
  });
}"""


def test_what_happens_and_the_bars_stay_in_sight_in_a_graph_that_is_wider_than_its_column(show):
    view = show(viz.fan_out(wide(), "topological"))
    steps = int(view.root.get_by_label("step", exact=True).get_attribute("max"))
    scrolled = set()
    view.stage.focus()
    for _ in range(steps - 1):
        view.press("ArrowRight")
        room, bars, active, *_ = view.stage.evaluate(PLACES)
        assert bars[2] <= room[2] + 1
        if active is None:  # it goes on to a node that is not drawn
            continue
        assert room[0] <= active[0]
        assert active[2] <= bars[0]
        assert room[1] <= active[1]
        assert active[3] <= room[3]
        scrolled.add(view.stage.evaluate("stage => stage.scrollLeft"))
    assert len(scrolled) > 3


def test_a_tall_film_scrolls_to_what_has_changed(show):
    view = show(viz.transpose((2, 3, 4), (2, 0, 1)))
    view.stage.evaluate("stage => { stage.style.maxHeight = '420px'; }")
    view.stage.focus()
    view.press(*["ArrowRight"] * 5)
    room, _, _, comes, arrives = view.stage.evaluate(PLACES)
    assert min(comes[1], arrives[1]) >= room[1]
    assert max(comes[3], arrives[3]) <= room[3]
    view.press("Home")
    assert view.stage.evaluate("stage => stage.scrollTop") == 0


def test_what_the_walks_arrive_at_is_said_above_them(show):
    view = show(viz.fan_out(uneven()))
    view.stage.focus()
    view.press("ArrowUp")
    assert view.root.locator(".status").inner_text() == (
        "All walks at their end, side by side. Right: topological, paths. Wrong: recursive, overwrite, breadth_first."
    )


def test_the_scrub_bar_and_play(page, show):
    page.clock.install()
    view = show(viz.fan_out(uneven(), "recursive"))
    scrub = view.root.get_by_label("step", exact=True)
    scrub.fill("4")
    assert view.at() == [0, 4]
    view.stage.focus()
    view.press("Home", " ")
    assert view.at() == [0, 1]  # the first step comes at once
    page.clock.run_for(2500)
    assert view.at() == [0, 3]
    view.root.get_by_role("button", name="pause (space)").click()
    page.clock.run_for(5000)
    assert view.at() == [0, 3]
    view.root.get_by_role("button", name="play (space)").click()
    page.clock.run_for(20_000)
    assert view.at() == [0, 9]


def test_a_screen_reader_hears_every_step(show):
    view = show(viz.fan_out(uneven(), ["recursive", "topological"]))
    status = view.root.get_by_role("status")
    assert status.get_attribute("aria-live") == "polite"
    image = view.stage.locator("svg").first
    assert image.get_attribute("role") == "img"
    view.stage.focus()
    view.press("ArrowRight")
    assert image.get_attribute("aria-label") == view.status()
    assert view.root.get_by_label("step", exact=True).get_attribute("aria-valuetext") == view.status()
    assert view.root.get_by_role("radiogroup").get_attribute("aria-label") == "which algorithm walks"
    assert all(button.get_attribute("aria-label") for button in view.root.locator(".bar button").all())
    view.press("3")
    assert "recursive ✗ wrong" in image.get_attribute("aria-label")
    assert view.root.locator(".bar").is_hidden()  # one picture: nothing to step through


def test_two_views_of_one_model_step_together_and_a_view_taken_away_hears_nothing(page, show):
    first = show(viz.fan_out(uneven()))
    page.evaluate("show(null, views[0].model)")
    second = Player(page, 1)
    first.stage.focus()
    first.press("2", "ArrowRight", "ArrowRight")
    assert (second.status(), second.chosen()) == (first.status(), ["recursive"])
    assert page.evaluate("views[0].model.saved") == 0
    page.evaluate("views.forEach(view => view.stop())")
    assert page.evaluate("Object.values(views[0].model.heard).flat().length") == 0


def test_the_theme_follows_jupyterlab_else_the_system(page, show):
    view = show(viz.fan_out(product_and_sum()[0], "topological"))
    card = view.stage.locator(".o > rect").first.element_handle()

    def wait_for(colour):
        page.wait_for_function("([card, colour]) => getComputedStyle(card).fill === colour", arg=[card, colour])

    wait_for("rgb(255, 255, 255)")
    page.emulate_media(color_scheme="dark")
    wait_for("rgb(30, 36, 43)")
    page.evaluate("document.body.dataset.jpThemeLight = 'true'")
    wait_for("rgb(255, 255, 255)")


def test_labels_are_text_and_never_markup(page, show):
    view = show(viz.fan_out(odd_labels()[0]))
    view.stage.focus()
    view.press("End")
    assert page.locator("script").count() == 1
    assert view.stage.locator("b").count() == 0
    assert any(text.endswith("</script> = 2") for text in view.texts())


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_opens_from_disk_without_a_network(browser, tmp_path, scheme):
    path = viz.fan_out(uneven()).html(tmp_path / "walks.html")
    context = browser.new_context(offline=True, color_scheme=scheme)
    page = context.new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(path.as_uri())
    view = Player(page, 0)
    view.stage.focus()
    view.press("2", "End")
    assert "x 63, should be 39" in view.status()
    context.close()
    still = VIEWS["boundary"]().html(tmp_path / "still.html")
    page = browser.new_page()
    page.goto(still.as_uri())
    assert page.locator("img").get_attribute("alt").startswith("Decision boundary")
    assert page.locator(".bar").count() == 0  # one step: there is nothing to play
    page.close()
    assert errors == []


FITS = """() => [...document.querySelectorAll('svg g[transform] > rect:first-child')].flatMap(rect => {
  const box = rect.getBBox();
  return [...rect.parentNode.querySelectorAll('text')].filter(text => {
    const { x, width } = text.getBBox();
    return x < box.x + 2 || x + width > box.x + box.width - 2;
  }).map(text => text.textContent);
})"""
WITHIN = """() => {
  const { width, height } = document.querySelector('svg').viewBox.baseVal;
  const place = document.querySelector('svg').getBoundingClientRect();
  return [...document.querySelectorAll('svg text')].filter(text => {
    const box = text.getBoundingClientRect();
    return box.left < place.left || box.right > place.left + width || box.bottom > place.top + height;
  }).map(text => text.textContent);
}"""


@pytest.mark.parametrize("maker", [uneven, lambda: odd_labels()[0], lambda: product_and_sum()[0]])
def test_every_text_fits(page, maker):
    seen = viz.fan_out(maker())
    for svg in (seen.svg(), *(seen.svg(walk.name) for walk in seen.walks), seen.svg("recursive", 3)):
        page.set_content(svg)
        assert page.evaluate(FITS) == []
        assert page.evaluate(WITHIN) == []


@pytest.mark.parametrize(
    ("have", "want"), [((4, 3), (3,)), ((2, 4, 3), (4, 1)), ((5, 2, 9, 3), (1, 9, 1)), ((9, 9), ())]
)
def test_every_text_of_the_microscope_fits(page, have, want):
    for result in (None, [1.0, 2.0]):
        page.set_content(viz.unbroadcast(have, want, result=result).svg())
        assert page.evaluate(WITHIN) == []
