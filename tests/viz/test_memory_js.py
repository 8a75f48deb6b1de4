"""static/memory.js in a headless Chromium: a moment lights the arrays that are there, a row the time that it was."""

import gzip
import re

import numpy as np
import pytest
from viz_pictures import remembered, remembered_twice
from widget_page import View, text_of, widget_page

from minitorch import Tensor, viz
from minitorch.viz.drawing import palette
from minitorch.viz.drawing.player import lean
from minitorch.viz.facts.memory import rows, size

pytestmark = [pytest.mark.browser, pytest.mark.timeout(1800)]

SCRIPT = text_of("memory.js")
LIT = "stage => [...stage.querySelectorAll('[data-row]')].map(row => [row.classList.contains('lit'), row.textContent])"


class Player(View):
    def __init__(self, page, index):
        super().__init__(page, index)
        self.stage = self.root.locator(".stage")
        self.facts = self.root.locator(".facts")

    def lit(self):
        """The names of the rows that are lit, with their bytes."""
        return [said for lit, said in self.stage.evaluate(LIT) if lit]

    def kinds(self):
        return self.stage.locator("[data-kind]").all_text_contents()

    def at(self):
        return [self.of("run"), self.of("step")]


@pytest.fixture
def page(browser):
    with widget_page(browser, "memory.js", 1000) as page:
        yield page


@pytest.fixture
def show(page):
    def shown(picture):
        page.evaluate("state => show(state)", picture._player().state)
        return Player(page, page.locator(".root").count() - 1)

    return shown


def test_the_script_is_small_and_our_own():
    assert len(gzip.compress(lean(SCRIPT).encode(), 9)) <= 5_000
    assert not re.search(r"^\s*import\b|\bimport\(|\bfetch\(|XMLHttpRequest|\beval\(|innerHTML", SCRIPT, re.MULTILINE)
    assert re.findall(r"https?://[^\"'` ]+", SCRIPT) == ["http://www.w3.org/2000/svg"]
    assert set(re.findall(r"var\(--([a-z-]+)\)", SCRIPT)) <= set(palette.LIGHT)


def test_each_moment_lights_the_arrays_that_are_there_and_says_their_bytes(show):
    picture = remembered()
    (run,) = picture.runs
    shown, _ = rows(run, 16)
    kinds = np.flatnonzero(run.levels.any(axis=0))
    view = show(picture)
    assert view.of("step") == run.peak
    view.stage.focus()
    view.press("Home")
    for moment in range(len(run.moments)):
        there = [row for row in shown if any(life.is_there(moment) for life in row.lives)]
        assert len(view.lit()) == len(there)
        for said, row in zip(view.lit(), there, strict=True):
            assert said.startswith(run.places[row.place].name)
        assert view.kinds() == [size(int(run.levels[moment, kind])) for kind in kinds]
        assert view.status().startswith(f"Moment {moment} of {len(run.moments) - 1}")
        assert f": {size(int(run.totals[moment]))}. {len(there)} of {len(shown)} rows alive." in view.status()
        view.press("ArrowRight")
    assert view.of("step") == len(run.moments) - 1


def test_a_row_that_is_chosen_lights_its_time_and_tells_its_facts(page, show):
    picture = remembered()
    (run,) = picture.runs
    shown, _ = rows(run, 16)
    view = show(picture)
    view.stage.focus()
    assert view.facts.is_hidden()
    number = next(n for n, row in enumerate(shown) if run.places[row.place].op == "tanh")
    for _ in range(number + 1):
        view.press("ArrowDown")
    life = shown[number].lives[0]
    assert view.stage.locator(".chosen").get_attribute("data-row") == str(number)
    said = view.facts.inner_text()
    assert f"from moment {life.birth} (forward, tanh #1)" in said
    assert "an activation: saved for the backward pass; (6, 3) float64, 144 B" in said
    assert "viz_pictures.py" in said
    span, cursor = view.stage.locator(".span"), view.stage.locator("[data-cursor]")
    state = picture._player().state["memory"]["runs"][0]
    assert float(span.get_attribute("x")) == pytest.approx(state["left"] + state["apart"] * life.birth)
    ends = max(run.end_of(each) for each in shown[number].lives) - life.birth
    assert float(span.get_attribute("width")) == pytest.approx(state["apart"] * ends)
    view.press("Home")
    moved = float(re.search(r"[\d.]+", cursor.get_attribute("transform"))[0])
    assert moved == pytest.approx(state["left"] + state["apart"] / 2)
    assert view.facts.is_visible()  # the row stays chosen while moments go by
    view.press("Escape")
    assert view.facts.is_hidden()
    assert view.stage.locator(".chosen").count() == 0


def test_a_click_goes_to_its_moment_and_chooses_the_row_that_it_meets(show):
    picture = remembered()
    view = show(picture)
    state = picture._player().state["memory"]["runs"][0]
    image = view.stage.locator("svg").first.bounding_box()
    zoom = image["width"] / 760
    third = image["x"] + zoom * (state["left"] + state["apart"] * 3.5)
    view.page.mouse.click(third, image["y"] + zoom * (state["top"] + 50))
    assert view.of("step") == 3
    assert view.facts.is_hidden()
    row = view.stage.locator("[data-row='1']").bounding_box()
    view.page.mouse.click(third, row["y"] + row["height"] / 2)
    name = view.stage.locator("[data-row='1'] .nm").text_content()
    assert name in view.facts.inner_text()
    view.facts.get_by_role("button", name="close the details (Escape)").click()
    assert view.facts.is_hidden()


def test_the_keyboard_goes_to_the_peak_plays_and_takes_another_run(page, show):
    page.clock.install()
    picture = remembered_twice()
    view = show(picture)
    assert view.root.locator(".bar").is_hidden()
    assert view.status() == "A button above, or its number, shows one run and its arrays."
    assert "kept: peak" in view.stage.locator("svg").get_attribute("aria-label")
    view.stage.focus()
    view.press("2")
    freed = picture.runs[0]
    assert view.at() == [1, freed.peak]
    assert view.root.locator("[role=radio][aria-checked=true]").all_inner_texts() == ["freed"]
    view.press("Home", " ")
    assert view.at() == [1, 1]
    page.clock.run_for(1100)
    assert view.at() == [1, 4]
    view.press(" ", "p")
    assert view.at() == [1, freed.peak]
    view.root.get_by_role("radio", name="freed").focus()
    view.press("ArrowRight")
    assert view.at() == [2, picture.runs[1].peak]
    assert page.evaluate("views[0].el.shadowRoot.activeElement.textContent") == "kept"
    view.press("1")
    assert view.root.locator(".bar").is_hidden()
    page.evaluate("window.heard = []; document.addEventListener('keydown', event => heard.push(event.key))")
    view.press("ArrowRight", "a")
    assert page.evaluate("heard") == []


def test_a_screen_reader_hears_the_moment_and_the_row(show):
    view = show(remembered())
    assert view.root.get_by_role("status").get_attribute("aria-live") == "polite"
    image = view.stage.locator("svg").first
    assert image.get_attribute("role") == "img"
    assert "losses holds 3 results" in image.get_attribute("aria-label")
    view.stage.focus()
    view.press("ArrowLeft", "ArrowDown")
    assert view.root.get_by_label("moment", exact=True).get_attribute("aria-valuetext") == view.status()
    assert view.facts.get_attribute("aria-label") == view.stage.locator(".chosen .nm").text_content()
    assert all(button.get_attribute("aria-label") for button in view.root.locator(".bar button").all())


def test_two_views_of_one_model_go_together_and_one_taken_away_hears_nothing(page, show):
    first = show(remembered())
    page.evaluate("show(null, views[0].model)")
    second = Player(page, 1)
    first.stage.focus()
    first.press("Home", "ArrowRight")
    assert (second.status(), second.lit()) == (first.status(), first.lit())
    page.evaluate("views.forEach(view => view.stop())")
    assert page.evaluate("Object.values(views[0].model.heard).flat().length") == 0


def test_many_moments_stand_in_few_columns_and_the_peak_among_them(show):
    x = Tensor(np.ones(4), requires_grad=True)

    def program():
        y = x
        for _ in range(700):
            y = y.tanh()
        y.sum().backward()

    picture = viz.memory(program, names={"x": x})
    (run,) = picture.runs
    view = show(picture)
    view.stage.focus()
    assert f"Moment {run.peak} of {len(run.moments) - 1}" in view.status()
    assert size(int(run.totals.max())) in view.status()
    view.press("End")
    assert view.of("step") < 500


def test_names_of_the_user_are_never_markup(page, show):
    x = Tensor([1.0], requires_grad=True)
    view = show(viz.memory(lambda: x.exp(), names={"<b>&'\"</b><script>alert(1)</script>": x}))
    assert page.locator("script").count() == 1
    assert view.stage.locator("b").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_opens_from_disk_without_a_network(browser, tmp_path, scheme):
    path = remembered().html(tmp_path / "memory.html")
    context = browser.new_context(offline=True, color_scheme=scheme)
    page = context.new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(path.as_uri())
    view = Player(page, 0)
    view.stage.focus()
    view.press("Home", "ArrowRight")
    assert view.status().startswith("Moment 1 of")
    context.close()
    assert errors == []
