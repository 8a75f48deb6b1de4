"""`viz.lecture`: slides, their stops, and every form of them."""

import json
import re
import xml.etree.ElementTree as ET

import pytest
from viz_forms import has_every_form
from viz_pictures import VIEWS, odd_labels, product_and_sum, uneven

from minitorch import viz
from minitorch.scalar import Value
from minitorch.viz.drawing import palette, theme
from minitorch.viz.drawing.deck import as_traits
from minitorch.viz.drawing.moments import Still


def deck():
    loss = product_and_sum()[0]
    return viz.lecture(
        viz.slide("A title\nand more", notes="Wait."),
        viz.slide(viz.graph(loss), "A graph", notes="Say <this> & that"),
        viz.slide(question="Which?", code="a = 1", choices=("one", "two"), right="two", answer="Because."),
        viz.slide(viz.step(loss), "A pass", predict=True),
        title="All kinds",
    )


def kinds(made):
    return [[stop.kind for stop in slide.stops] for slide in made._shown_slides]


def test_it_has_every_form(tmp_path):
    has_every_form(deck, tmp_path)


def test_steps_come_before_the_next_slide_and_questions_before_their_answers():
    assert kinds(deck()) == [["words"], ["picture"], ["question", "answer"], ["picture"] * 11]
    said = [stop.says for stop in deck()._shown_slides[3].stops]
    assert said[1] == "Predict: with which gradient does the pass begin at loss?"
    assert said[2].startswith("Step 1 of 5. Start at loss")
    assert said[3] == "Predict: what will v1 receive from loss, and with which sign, = or +=?"


def test_while_the_room_is_asked_nothing_of_the_answer_is_seen():
    traits = as_traits("t", deck()._shown_slides, "")
    stops = traits["slides"][3]["stops"]
    for before, asked, after in zip(stops[0::2], stops[1::2], stops[2::2], strict=False):
        assert asked["still"] == before["still"] != after["still"]
        assert asked["told"] == before["told"]
        assert asked["focus"] == after["focus"], "the camera is there already"


def test_a_pass_that_is_predicted_is_asked_for_without_being_told_to():
    asking = viz.lecture(viz.step(uneven(), predict=True))
    assert kinds(asking) == kinds(viz.lecture(viz.slide(viz.step(uneven()), predict=True)))


def test_a_question_without_an_answer_has_one_stop_and_with_a_picture_comes_first():
    made = viz.lecture(viz.slide(viz.graph(uneven()), "A", question="Who is first?"))
    assert kinds(made) == [["question", "picture"]]


def test_a_lecture_within_a_lecture_gives_its_slides():
    made = viz.lecture("First", deck(), viz.graph(uneven()), title="Joined")
    assert len(made.slides) == 6
    assert kinds(made)[1:5] == kinds(deck())


@pytest.mark.parametrize("name", [name for name in VIEWS if name != "lecture"])
def test_every_view_can_stand_on_a_slide_in_every_look(name):
    picture = VIEWS[name]()
    made = viz.lecture((picture, "Look"))
    for moment in picture.moments():
        assert ET.fromstring(moment.still.markup()) is not None
        assert not re.search("#[0-9a-f]{6}", moment.still.markup()), "a colour that no look changes"
        assert moment.told
    for look, colours in palette.LOOKS.items():
        used = set(re.findall("#[0-9a-f]{6}", "".join(made.pages(look))))
        assert used <= set(colours.values())


def test_names_of_colours_are_told_from_light_and_dark_together():
    assert len({(palette.LIGHT[name], palette.DARK[name]) for name in palette.LIGHT}) == len(palette.LIGHT)
    kept = theme.Theme("@ text{font:12px serif}", (("@ .p", "fill", "card"), ("@ .q", "border:2px solid", "on-op")))
    assert (
        theme.named(kept.sheet("x"))
        == "#x text{font:12px serif}#x .p{fill:var(--card)}#x .q{border:2px solid var(--on-op)}"
    )
    assert theme.painted(theme.named(kept.sheet("x")), palette.BLACK) == kept.sheet_in("x", palette.BLACK)
    with pytest.raises(ValueError, match="says nothing of the dark"):
        theme.named(kept.sheet_in("x", palette.LIGHT))


def test_black_and_white_has_no_colour_at_all():
    for colour in palette.BLACK.values():
        assert colour[1:3] == colour[3:5] == colour[5:7]


def test_where_it_happens_is_found_in_the_drawing():
    moments = viz.step(product_and_sum()[0]).moments()
    assert all(moment.focus is not None for moment in moments)
    width, height = moments[3].focus[2:]
    assert 0 < width < moments[3].still.width
    assert 0 < height < moments[3].still.height
    assert [moment.focus for moment in viz.graph(uneven()).moments()] == [None]
    assert Still(viz.graph(uneven()).svg()).least == 13


def test_a_page_a_step_as_svg_and_as_pdf(tmp_path):
    made = deck()
    count = sum(map(len, kinds(made)))
    folder = made.save(tmp_path / "pages")
    names = sorted(each.name for each in folder.iterdir())
    assert names == [f"{number:02}.svg" for number in range(1, count + 1)]
    for name in names:
        root = ET.fromstring((folder / name).read_text(encoding="utf-8"))
        assert (root.get("width"), root.get("height")) == ("1920", "1080")
    pdfium = pytest.importorskip("pypdfium2")
    document = pdfium.PdfDocument(made.save(tmp_path / "a.pdf"))
    assert len(document) == count
    texts = [page.get_textpage().get_text_range() for page in document]
    assert "A title" in texts[0]
    assert "Because." not in texts[2]
    assert "Because." in texts[3]
    assert {page.get_size() for page in document} == {(1440, 810)}
    with pytest.raises(ValueError, match=r"holds drawings already, such as 01\.svg: name an empty folder"):
        made.save(folder)


def test_the_letters_of_every_page_are_large_enough():
    for drawn in viz.lecture((viz.step(uneven()), "A pass"), viz.unbroadcast((4, 3), (3,))).pages():
        scale = float(re.search(r"scale\(([\d.]+)\)", drawn)[1])
        inner = re.search(r'<g id="[^"]+" transform[^>]*>(.*)</g></g>', drawn, re.DOTALL)[1]
        sizes = [float(size) for size in re.findall(r"font(?:-size)?:(?:\d+ )?([\d.]+)px", inner)]
        assert min(sizes) * scale >= 23.99


def test_a_fan_out_goes_through_one_walk_and_shows_how_the_others_end():
    picture = viz.fan_out(uneven())
    first, last = picture.walks[0], len(picture.walks)
    assert len(kinds(viz.lecture(picture))[0]) == len(first.moves) + 2 + (last - 1) + 1
    every = kinds(viz.lecture(viz.slide(picture, whole=True)))[0]
    assert len(every) == sum(len(walk.moves) + 2 for walk in picture.walks) + 1
    said = [moment.sentence for moment in picture.highlights()]
    assert set(said) <= {moment.sentence for moment in picture.moments()}
    alone = viz.fan_out(uneven(), "breadth_first")
    assert alone.highlights() == alone.moments()


def test_a_microscope_says_on_a_slide_what_it_shows_once():
    *_, last = viz.unbroadcast((2, 3), (3,), rule=lambda g, shape: g.mean(axis=0)).moments()
    assert last.sentence.startswith("Your result is wrong: the mean over axis 0")
    assert "summed over axis 0, back to" in last.told, "who does not see it is told everything"
    assert "Your result is wrong" not in last.still.body
    assert "1 + 4" not in last.still.body


def test_when_a_gradient_arrives_nothing_is_marked_that_was_there():
    arrives = viz.unbroadcast((2, 3), (3,)).moments()[2]
    assert arrives.sentence.startswith("Backward: a gradient (2, 3) arrives")
    assert arrives.focus[1] > 100, "the panel of the way there stands above"


def test_a_table_comes_in_parts_that_can_be_read_from_afar():
    loss = product_and_sum()[0]
    moments = viz.shapes(loss).moments()
    assert [moment.still.width <= 680 for moment in moments] == [True] * len(moments)
    assert all(">operand<" in moment.still.body for moment in moments)
    assert moments[-1].sentence.endswith("these are the shapes that gradients will have.")
    long = viz.shapes(sum((uneven() for _ in range(4)), start=uneven())).moments()
    assert len(long) > 2
    assert max(moment.still.body.count("→") for moment in long) <= 9


def test_the_same_lecture_is_the_same_bytes(tmp_path):
    for form in ("html", "pdf", "svg"):
        one, other = deck().save(tmp_path / f"1.{form}"), deck().save(tmp_path / f"2.{form}")
        assert one.read_bytes() == other.read_bytes()


def test_what_people_write_is_never_markup():
    odd = "</script><b>&\"'"
    made = viz.lecture(
        viz.slide(viz.graph(odd_labels()[0]), odd, notes=odd), viz.slide(question=odd, code=odd, answer=odd)
    )
    for drawn in made.pages():
        assert ET.fromstring(drawn) is not None
        assert "<b>" not in drawn
    assert made._page().count("<script") == made._page().count("</script>") == 1
    assert json.dumps(made._player().state)


def test_the_outline_says_it_all():
    lines = deck().text().splitlines()
    assert lines[0] == "All kinds. Slides: 4. Steps: 15."
    assert lines[1:4] == ["1. A title", "   - and more", "   Notes: Wait."]
    assert "      B) two" in lines
    assert "   Answer: two Because." in lines


def test_it_speaks_spanish(monkeypatch):
    monkeypatch.setenv("MINITORCH_LANG", "es")
    made = deck()
    assert made._told() == "All kinds. Diapositivas: 4. Pasos: 15."
    assert made._shown_slides[3].stops[1].says.startswith("Predice: ¿con qué gradiente")


def test_what_is_no_slide_is_refused_in_a_sentence():
    with pytest.raises(TypeError, match=r"a slide needs a picture, such as viz\.graph\(x\), or a sentence, not int"):
        viz.lecture(3)
    with pytest.raises(ValueError, match="a slide with nothing on it"):
        viz.slide()
    with pytest.raises(ValueError, match="a lecture without slides"):
        viz.lecture()
    with pytest.raises(ValueError, match=r"the right answer 'c' is none of the choices 'a', 'b'"):
        viz.slide(question="?", choices=("a", "b"), right="c")
    with pytest.raises(ValueError, match=r"there is no look 'pink': it is one of 'light', 'dark', 'strong', 'black'"):
        viz.lecture("A", look="pink")


def texts(page):
    return ["".join(each.itertext()) for each in ET.fromstring(page).iter("{http://www.w3.org/2000/svg}text")]


def chain(links):
    value = Value(1.0, label="x")
    for _ in range(links):
        value = value * 2
    return value


def test_an_answer_of_several_lines_has_them_on_a_page_too():
    answer = viz.lecture(viz.slide(question="What is printed?", answer="first 1\nsecond 2")).pages()[1]
    assert {"first 1", "second 2"} <= set(texts(answer))


def test_a_picture_that_is_too_large_for_a_page_has_several():
    made = viz.lecture((viz.graph(chain(12)), "A chain"))
    corners = [texts(page)[-1] for page in made.pages()]
    assert len(corners) > 1
    assert corners == [f"1 · {part}/{len(corners)}" for part in range(1, len(corners) + 1)]
    assert len(viz.lecture((viz.graph(chain(1)), "A pair")).pages()) == 1


def test_of_a_long_pass_the_steps_along_a_chain_are_left_out_unless_asked_for():
    x, y = Value(2.0, label="x"), Value(3.0, label="y")
    loss = x * y
    for _ in range(9):
        loss = loss * 2
    passing = viz.step(loss)
    said = [moment.sentence.partition(".")[0] for moment in passing.highlights()]
    assert said == ["Step 0 of 12", "Step 1 of 12", "Step 10 of 12", "Step 11 of 12", "Step 12 of 12"]
    assert [len(kinds(viz.lecture(viz.slide(passing, whole=whole)))[0]) for whole in (False, True)] == [5, 13]
    predicted = viz.slide(passing, predict=True).shown.stops
    assert len(predicted) == 25, "what arrives can be predicted where it was seen what is handed on"
    assert len(viz.step(x * y).highlights()) == len(viz.step(x * y).moments())
