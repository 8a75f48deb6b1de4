"""Every view in Spanish: no English word is left in a picture, a table, a page or a player; every node by keyboard."""

import re

import pytest
from viz_pictures import VIEWS, layer, neuron, stacked
from widget_page import STATIC

from minitorch import viz

DONE = tuple(VIEWS)
OWN = ("style.js", "theme.js")  # rules of style; they are no sentences
# Words of English sentences that are no words of Spanish ones, nor names of operations and of gradients.
ENGLISH = re.compile(
    r"\b(?:the|of|from|step|steps|value|node|made by|shape|leaf|and|is|are|for|with|no gradient|play|first|last|next|"
    r"previous|zoom|fit|show|close|details|each|number|numbers|stretched|summed|now|operations?|wrong|right)\b"
)


@pytest.fixture
def spanish(monkeypatch):
    monkeypatch.setenv("MINITORCH_LANG", "es")


def words_of(markup):
    """What a reader sees or hears of a page or a drawing: texts, titles, words in place of pictures."""
    markup = re.sub(r"<(style|script)\b.*?</\1>|data:image[^\"]*", " ", markup, flags=re.DOTALL)
    spoken = re.findall(r'(?:alt|title|aria-label)="([^"]*)"', markup)
    return " ".join([re.sub(r"<[^>]*>", " ", markup), *spoken])


@pytest.mark.parametrize("name", DONE)
def test_a_picture_and_its_text_are_spanish(spanish, name):
    picture = VIEWS[name]()
    for said in (picture.title, picture.text(), words_of(picture.svg()), picture._told()):
        spoken = said.replace("paso a paso", "").replace("optimizer.step()", "")  # a call is code in any language
        assert ENGLISH.findall(spoken) == [], said


@pytest.mark.parametrize("maker", [layer, stacked, neuron])
def test_graphs_with_broadcasting_arrays_and_constants_are_spanish(spanish, maker):
    root, names = maker()
    for picture in (viz.graph(root, names=names), viz.step(root, names=names)):
        for said in (picture.title, picture.text(), words_of(picture.svg()), picture._told(), picture.dot().source):
            assert ENGLISH.findall(re.sub(r"shape=\w+|^\tnode ", "", said, flags=re.MULTILINE)) == [], said


def test_a_page_says_its_language(spanish, tmp_path):
    for name in ("graph", "step"):
        page = VIEWS[name]().html(tmp_path / "a.html").read_text(encoding="utf-8")
        assert '<html lang="es">' in page
        assert ENGLISH.findall(words_of(page)) == []


@pytest.mark.parametrize("script", sorted(path.name for path in STATIC.iterdir() if path.name not in OWN))
def test_a_script_says_nothing_by_itself(script):
    """What it says comes from Python: names of elements, classes and keys are no sentences."""
    source = re.sub(
        r"//[^\n]*|/\*.*?\*/|const [A-Z]+ = (?:[A-Z]+ \+ )*`.*?`;|class(?:Name)?: \"[^\"]*\"|\"@media[^\"]*\"",
        "",
        STATIC.joinpath(script).read_text("utf-8"),
        flags=re.DOTALL,
    )
    texts = re.findall(r'"([^"\n]*)"|`([^`]*)`', source)
    assert [
        each
        for pair in texts
        for each in pair
        if re.search(r"[a-z]{3,} \(?[a-z]{2,}", re.sub(r"\$\{.*?\}|<.*>", "", each))
    ] == []


@pytest.mark.browser
def test_the_controls_of_a_stepper_are_spanish(spanish, browser, tmp_path):
    page = browser.new_page()
    page.goto(VIEWS["step"]().html(tmp_path / "a.html").as_uri())
    page.locator("#player .box").first.wait_for()
    page.locator("#player .box").last.click()
    said = page.evaluate(
        "[...document.querySelector('#player').shadowRoot.querySelectorAll('*')].flatMap("
        "e => [e.getAttribute('title'), e.getAttribute('aria-label'), ['STYLE', 'svg'].includes(e.tagName) ? '' :"
        " [...e.childNodes].filter(n => n.nodeType === 3).map(n => n.data).join(' ')]).filter(Boolean).join(' | ')"
    )
    page.close()
    assert "primer paso (Inicio)" in said
    assert "gradiente" in said
    assert ENGLISH.findall(said) == []


@pytest.mark.browser
def test_the_keyboard_reaches_every_node_and_every_control(browser, tmp_path):
    root, names = layer()
    stepper = viz.step(root, names=names)
    page = browser.new_page()
    page.goto(stepper.html(tmp_path / "a.html").as_uri())
    page.locator("#player .box").first.wait_for()
    inside = "document.querySelector('#player').shadowRoot.activeElement"
    controls = page.locator("#player button:enabled, #player input").count()
    reached = set()
    for _ in range(controls + 1):
        page.keyboard.press("Tab")
        reached.add(page.evaluate(f"{inside}?.getAttribute('aria-label') ?? {inside}?.tagName"))
    assert len(reached) >= controls + 1, "every control, and the graph itself"
    page.keyboard.press("ArrowUp")
    nodes = set()
    for _ in stepper._scene.layout.boxes:
        page.keyboard.press("ArrowRight")
        nodes.add(page.evaluate(f"{inside}.dataset.node"))
    page.close()
    assert nodes == {str(node.idx) for node in stepper.graph.nodes}


@pytest.mark.parametrize("name", DONE)
@pytest.mark.parametrize("lang", ["en", "es"])
def test_whatever_a_picture_is_shown_as_it_says_its_language(monkeypatch, name, lang):
    monkeypatch.setenv("MINITORCH_LANG", lang)
    picture = VIEWS[name]()
    assert re.match(rf'<svg [^>]*\blang="{lang}"', picture.svg())
    assert re.match(rf'<(?:div|img) [^>]*\blang="{lang}"', picture._repr_mimebundle_()["text/html"])
    if hasattr(picture, "_player"):
        (facts,) = [each for each in picture._player().state.values() if isinstance(each, dict)][:1]
        assert facts["lang"] == lang
