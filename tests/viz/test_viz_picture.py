"""`viz.graph` and `viz.step` as a user meets them: forms, files, missing packages, imports."""

import doctest
import importlib
import json
import pkgutil
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from html import unescape
from html.parser import HTMLParser
from urllib.parse import unquote

import pytest
from viz_pictures import PICTURES, layer, odd_labels, product_and_sum, random_values, zero_gradients

from minitorch import viz
from minitorch.scalar import Value
from minitorch.viz.facts.model import from_json


def test_a_graph_shows_itself_as_an_image_and_text_and_is_stored_once():
    root, _ = product_and_sum()
    picture = viz.graph(root)
    bundle = picture._repr_mimebundle_()
    assert set(bundle) == {"text/html", "text/plain"}
    assert bundle["text/plain"] == picture.text()
    assert repr(picture) == picture.text()


class Image(HTMLParser):
    """Reads the only tag of a picture's HTML."""

    def handle_starttag(self, tag, attributes):
        assert (tag, [name for name, _ in attributes]) == ("img", ["alt", "lang", "src"])
        self.alt, _, self.source = (content for _, content in attributes)


def image(picture):
    found = Image()
    found.feed(picture._repr_mimebundle_()["text/html"])
    return found


def in_light_and_dark(sheet):
    """What a style sheet says in the light, and in the dark the rules that have colours."""
    if "var(--" not in sheet:
        light, _, dark = sheet.removesuffix("}").partition("\n@media(prefers-color-scheme:dark){")
        return light.replace("}\n", "}"), dark
    colours, dark_ones, rules = re.fullmatch(r"svg\{(.*?)\}@media[^{]*\{svg\{(.*?)\}\}(.*)", sheet, re.DOTALL).groups()
    painted = []
    for each in (colours, dark_ones):
        named = dict(re.findall(r"--(\w):(#\w+)", each))
        painted.append(re.sub(r"var\(--(\w)\)", lambda found: named[found[1]], rules))  # noqa: B023
    return painted[0], painted[1][painted[1].index(".p{") :]


def seen_of(drawn):
    """What is seen of an SVG document: all but its id and the words for those who point at a part of it."""
    root = ET.fromstring(drawn)
    name = root.attrib.pop("id")
    root.attrib.pop("aria-labelledby", None)
    for above in root.iter():
        for each in [each for each in above if each.tag.endswith(("}title", "}desc"))]:
            above.remove(each)
    sheet = root.find("{http://www.w3.org/2000/svg}style")
    sheet.text = " or ".join(in_light_and_dark(sheet.text.replace(f"#{name} ", "")))
    text = ET.tostring(root, encoding="unicode").strip()
    return re.sub(rf"(?<=[#\"]){name}", "m", re.sub(rf"#{name} ", "", text))


@pytest.mark.parametrize("maker", PICTURES.values(), ids=PICTURES)
def test_the_html_is_the_same_picture_with_words_in_its_place(maker):
    root, names = maker()
    picture = viz.graph(root, names=names)
    shown = image(picture)
    start, _, encoded = shown.source.partition(",")
    assert start == "data:image/svg+xml"
    assert seen_of(unquote(encoded)) == seen_of(picture.svg())
    assert shown.alt.startswith("Computation graph of ")


def test_the_words_name_every_node_of_a_small_graph_and_its_gradient_once_it_has_one():
    root, names = product_and_sum()
    before = image(viz.graph(root, names=names)).alt
    assert before == (
        "Computation graph of loss. loss = −4: 2 operations on x, y. Numbers on the arrows: local gradients. "
        "x = 2; y = −3; v1 = x * y = −6; loss = v1 + x = −4."
    )
    root.backward()
    after = image(viz.graph(root, names=names)).alt
    assert after.endswith(" x = 2, grad −2; y = −3, grad 2; v1 = x * y = −6, grad 1; loss = v1 + x = −4, grad 1.")


def test_the_words_of_a_large_graph_stay_short():
    root = random_values(55)
    still = re.search(r'<img alt="([^"]*)"', viz.graph(root, fold=False)._repr_mimebundle_()["text/html"])
    alt = still[1]
    assert "operations on" in alt
    assert len(alt) < 300


def test_a_picture_shows_the_graph_as_it_was():
    root, _ = product_and_sum()
    before = viz.graph(root)
    svg = before.svg()
    root.backward()
    assert before.svg() == svg
    assert "no gradient yet" not in viz.graph(root).text()


@pytest.mark.parametrize("maker", PICTURES.values(), ids=PICTURES)
def test_the_same_graph_gives_the_same_bytes(maker):
    pictures = [viz.step(*[root], names=names) for root, names in (maker(), maker())]
    assert pictures[0].svg() == pictures[1].svg()
    assert pictures[0].text() == pictures[1].text()
    assert pictures[0].graph.topology == pictures[1].graph.topology


def test_the_stepper_is_stored_as_a_document_over_its_last_picture_beside_the_text():
    root, _ = product_and_sum()
    stepper = viz.step(root)
    bundle = stepper._repr_mimebundle_()
    assert set(bundle) == {"text/html", "text/plain"}
    assert bundle["text/plain"] == stepper.text()
    assert bundle["text/html"].count("<iframe") == 1
    still = unescape(re.search(r' src="data:image/svg\+xml,([^"]+)"', bundle["text/html"])[1])
    assert seen_of(unquote(still)) == seen_of(stepper.svg())


def test_as_a_widget_it_is_one_widget_and_the_whole_pass_is_sent_once():
    root, _ = product_and_sum()
    stepper = viz.step(root)
    widget = stepper.widget()
    assert stepper.widget() is widget
    sent = widget.get_state(["scene", "step"])
    assert sent["step"] == 0
    assert len(sent["scene"]["events"]) == len(stepper.steps) == 5
    assert sent["scene"]["events"][3]["sentence"] == "Step 4 of 5. × (v1) adds to x: grad += 1 × −3 = −3, now −2."
    assert len(json.dumps(sent)) < 10_000
    widget.close()


def test_steps_count_from_before_the_pass_to_its_end():
    root, _ = product_and_sum()
    stepper = viz.step(root)
    assert [event.kind for event in stepper.steps] == ["seed", "set", "set", "add", "set"]
    for beyond in (-1, 6):
        with pytest.raises(IndexError, match="this pass has the steps 0 to 5"):
            stepper.svg(beyond)
        with pytest.raises(IndexError, match=f"there is no step {beyond}"):
            stepper.text(beyond)


def test_without_anywidget_the_stepper_is_the_same_and_its_widget_says_what_to_install(monkeypatch):
    root, _ = product_and_sum()
    with_it = viz.step(root)._repr_mimebundle_()
    monkeypatch.setitem(sys.modules, "anywidget", None)
    stepper = viz.step(root)
    assert stepper._repr_mimebundle_() == with_it
    with pytest.raises(ImportError, match=r'pip install "minitorch-course\[viz\]"'):
        stepper.widget()


def test_importing_viz_loads_neither_anywidget_nor_graphviz():
    program = (
        "import sys; from minitorch import viz; from minitorch.scalar import Value; x = Value(1.0);"
        "viz.graph(x * x).svg(); viz.step(x * x).svg(1);"
        "print([n for n in ('anywidget', 'graphviz', 'ipywidgets', 'traitlets', 'IPython') if n in sys.modules])"
    )
    assert subprocess.check_output([sys.executable, "-c", program], text=True).strip() == "[]"


# -- files -------------------------------------------------------------------------------------------------------


def test_pictures_are_written_as_the_name_says(tmp_path):
    root, names = layer()
    for picture in (viz.graph(root, names=names), viz.step(root, names=names)):
        assert picture.save(tmp_path / "a.svg").read_text(encoding="utf-8") == picture.svg()
        assert picture.save(str(tmp_path / "a.txt")).read_text(encoding="utf-8") == picture.text() + "\n"
        assert picture.save(tmp_path / "a.gv").read_text(encoding="utf-8").startswith("digraph")
        facts = from_json(picture.save(tmp_path / "a.json").read_text(encoding="utf-8"))
        assert facts in (picture.graph, getattr(picture, "trace", None))
    with pytest.raises(ValueError, match=r"cannot write a picture as '\.gif': use \.svg, \.pdf"):
        picture.save(tmp_path / "a.gif")


def test_dot_needs_no_dot_program(monkeypatch):
    monkeypatch.setenv("PATH", "")
    root, _ = product_and_sum()
    source = viz.graph(root).dot().source
    assert 'label="+\nloss = -4' in source.replace("\\n", "\n")
    assert source.count("->") == 4
    assert viz.step(root).dot().source == source


def test_dot_escapes_labels():
    root, _ = odd_labels()
    source = viz.graph(root).dot().source
    assert r"\"&'|{x}\\n" in source
    if shutil.which("dot"):
        drawn = viz.graph(root).dot().pipe(format="svg").decode()
        assert "&lt;b&gt;&quot;&amp;" in drawn
        assert "<script" not in drawn


def test_dot_tells_broadcasting_and_states():
    loss, names = layer()
    loss.backward()
    source = viz.graph(loss, names=names).dot().source
    assert "stretched along axis 0" in source
    assert "gradient freed" in source
    root, _ = zero_gradients()
    assert "no gradient yet" in viz.graph(root).dot().source


def test_a_missing_graphviz_package_is_one_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "graphviz", None)
    with pytest.raises(ImportError, match=r'the graphviz package is missing.*pip install "minitorch-course\[viz\]"'):
        viz.graph(Value(1.0)).dot()


# -- documentation -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["minitorch.viz", *(module.name for module in pkgutil.walk_packages(viz.__path__, "minitorch.viz."))]
)
def test_examples_in_docstrings_are_true(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0
