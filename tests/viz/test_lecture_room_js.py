"""static/lecture.js in a headless Chromium: a lecture has room on the wall, in a window and on paper."""

import pytest
from lecture_page import AT, LETTERS
from viz_comparisons import against, neuron
from viz_pictures import product_and_sum, uneven

from minitorch import viz
from minitorch.scalar import Value

pytestmark = [pytest.mark.browser, pytest.mark.timeout(1800)]

# Of each figure of the hand-out: its words, its size and that of its smallest letters, in millimetres.
FIGURES = """() => [...document.getElementById('player').shadowRoot.querySelectorAll('figure')].map(figure => {
  const mm = 96 / 25.4, { width, height } = figure.getBoundingClientRect(), svg = figure.querySelector('svg');
  const letters = [...(svg?.querySelectorAll('text') ?? [])].filter(each => each.textContent.trim())
    .map(each => parseFloat(getComputedStyle(each).fontSize) * svg.getScreenCTM().a);
  return [figure.innerText, width / mm, height / mm, Math.min(...letters) / mm];
})"""


def chain(links):
    value = Value(1.0, label="x")
    for _ in range(links):
        value = value * 2
    return value


def test_on_the_hand_out_all_can_be_read_and_nothing_stands_there_twice(opened):
    made = viz.lecture(
        viz.slide(question="Which?", code="a = 1", choices=("one", "two"), right="two", answer="Because."),
        viz.slide(viz.step(chain(10)), "A chain", whole=True),
        viz.slide(viz.fan_out(uneven(), "topological"), "Wide"),
        viz.slide(viz.step(product_and_sum()[0]), "A pass", predict=True),
    )
    shown = opened(made)
    shown.page.set_viewport_size({"width": 703, "height": 1032})  # A4 without its margins
    shown.page.emulate_media(media="print")
    shown.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    figures = shown.page.evaluate(FIGURES)
    assert [words for words, *_, least in figures if least < 1.99] == []
    assert all(height < 273 and width < 186.1 for _, width, height, _ in figures)
    words = [words for words, *_ in figures]
    assert sum("Which?" in said for said in words) == 1
    asked = next(said for said in words if "Predict: what will v1" in said)
    assert "Step 2 of 5" in asked, "a prediction stands above what arrived"
    assert shown.root.evaluate("root => { root.focus(); return getComputedStyle(root).outlineStyle; }") == "none"


def test_a_long_question_has_room_and_its_code_is_not_broken(opened):
    code = "\n".join(["p = Value(3.0)", *["    loss = p * p   # " + "of the same length " * 2] * 4])
    asked = viz.slide(
        question="What is p.grad when the loop has ended, and what would it be " + "without that? " * 3,
        code=code,
        choices=("4.8", "10.8", "12", "6"),
        answer="It is not emptied between the steps. " * 4,
    )
    shown = opened(viz.lecture(asked, viz.slide(question="What?", choices=("a", "b"), answer="c")))
    for _ in range(2):
        slide, words = shown.root.locator(".slide").bounding_box(), shown.root.locator("header").bounding_box()
        assert words["y"] >= slide["y"] + 8
        assert words["y"] + words["height"] <= slide["y"] + slide["height"] - 8
        line = shown.root.locator("pre").evaluate(
            "pre => pre.offsetHeight / parseFloat(getComputedStyle(pre).fontSize)"
        )
        assert line < 5 * 1.5
        shown.press("ArrowRight")
    assert shown.root.locator(".slide h2").evaluate("h2 => parseFloat(getComputedStyle(h2).fontSize)") > 40, (
        "short: larger"
    )


def test_what_a_question_says_takes_no_room_from_the_picture(opened):
    loss, long = product_and_sum()[0], "What is it, and why, and since when, and for whom? " * 5
    heights = []
    for question in ("", long):
        shown = opened(viz.lecture(viz.slide(viz.step(loss), "A pass", question=question)))
        shown.press(*["ArrowRight"] * bool(question))
        heights.append(shown.root.locator(".stage").bounding_box())
    assert heights[0] == heights[1]


def test_all_that_several_walks_arrive_at_is_seen(opened):
    shown = opened(viz.lecture(viz.fan_out(uneven())))
    shown.press("End")
    while "side by side" not in shown.words():
        shown.press("ArrowRight")
    hidden, before = [], None
    while shown.at() != before:
        before = shown.at()
        hidden.append(set(shown.page.evaluate(TEXTS_CUT)))
        shown.press("ArrowRight")
    assert len(hidden) <= 3
    assert set.intersection(*hidden) == set()


# Every text of the picture that is not seen as a whole.
TEXTS_CUT = """() => {
  const root = document.getElementById('player').shadowRoot;
  const room = root.querySelector('.stage').getBoundingClientRect();
  return [...root.querySelectorAll('.stage text')].filter(each => {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    if (left === right) return false; // it is seen only while it moves
    return left < room.left - 2 || right > room.right + 2 || top < room.top - 2 || bottom > room.bottom + 2;
  }).map(each => `${[...each.ownerSVGElement.querySelectorAll("text")].indexOf(each)} ${each.textContent}`);
}"""


def test_a_wrong_rule_is_seen_whole_with_its_result_on_a_small_wall(opened):
    picture = viz.unbroadcast((2, 3), (3,), rule=lambda g, shape: g.mean(axis=0))
    shown = opened(viz.lecture((picture, "The mean is wrong: every copy adds its whole part")))
    before = None
    while shown.at() != before:
        before = shown.at()
        assert shown.page.evaluate(TEXTS_CUT) == [], before
        shown.press("ArrowRight")


@pytest.mark.parametrize("size", ["720", "1080"])
def test_the_bars_of_a_walk_stay_in_sight_from_its_first_view_on(opened, size):
    x = Value(2.0, label="x")
    p = x * 3
    shown = opened(viz.lecture((viz.fan_out(p + p * p, "recursive", names={"p": p}), "A walk")), size)
    before = None
    while shown.at() != before:
        before = shown.at()
        cut = {text.split(" ", 1)[1] for text in shown.page.evaluate(TEXTS_CUT)}
        assert not {"x should be 39", "p should be 13"} & cut, before
        shown.press("ArrowRight")


@pytest.mark.parametrize("points", [[[-1, 0.5], [2, 1], [0, -1.5], [1, 2]], [[-1, 0], [2, 0.4], [0, 1], [1, -0.6]]])
def test_a_boundary_is_seen_as_a_whole_with_its_legend(opened, points):
    shown = opened(viz.lecture((viz.boundary(lambda places: places[:, 0] - 1, points, [-1, 1, -1, 1]), "A neuron")))
    assert shown.at() == "1 / 1"
    assert shown.page.evaluate(TEXTS_CUT) == []


@pytest.mark.parametrize(
    "made",
    [
        lambda: viz.compare(neuron(12, 7), neuron(12)),
        lambda: against(wrong=20),
        lambda: against(wrong=5, nan=30),
        lambda: against(),
        lambda: viz.compare(chain(30), chain(30) + 0.0),
    ],
)
def test_a_comparison_is_seen_in_two_views_at_most_and_read_from_the_last_row(opened, made):
    shown = opened(viz.lecture((made(), "Mine and the reference")), "1080")
    before, views = None, 0
    while shown.at() != before:
        before, views = shown.at(), views + 1
        assert shown.page.evaluate(TEXTS_CUT) == []
        assert [said for size, said in shown.page.evaluate(LETTERS) if size < 23.9] == []
        shown.press("ArrowRight")
    assert views <= 2


def test_in_a_small_window_the_letters_shrink_and_no_box_is_cut(opened):
    x, y, z = (Value(float(at), label=name) for at, name in enumerate("xyz"))
    shown = opened(viz.lecture(viz.slide(viz.grow([x, y, z], x * y, x * y + z), "It grows")))
    shown.page.set_viewport_size({"width": 800, "height": 700})
    shown.page.wait_for_function(f"{AT}.querySelector('.root').style.getPropertyValue('--unit') < 0.5")
    for _ in range(3):
        assert shown.page.evaluate(TEXTS_CUT) == []
        assert [said for size, said in shown.page.evaluate(LETTERS) if size < 13.9] == []
        shown.press("ArrowRight")


def test_the_small_map_covers_nothing(opened):
    shown = opened(viz.lecture((viz.compare(chain(9), chain(9)), "Side by side"), viz.fan_out(uneven(), "overwrite")))
    before, maps = None, 0
    while shown.at() != before:
        before = shown.at()
        if shown.root.locator(".map").count():
            maps += 1
            assert shown.page.evaluate(COVERED) == [], before
        shown.press("ArrowRight")
    assert maps


COVERED = """() => {
  const root = document.getElementById('player').shadowRoot, map = root.querySelector('.map').getBoundingClientRect();
  const within = each => {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    return left < map.right && right > map.left && top < map.bottom && bottom > map.top;
  };
  return [...root.querySelectorAll('.stage text')].filter(within).map(each => each.textContent);
}"""
