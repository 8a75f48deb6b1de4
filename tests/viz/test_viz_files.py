"""Pictures as PDF and PNG: the same picture as on the screen, its text still text, the same bytes each time."""

import io
import re
import sys
import xml.etree.ElementTree as ET
import zlib
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from viz_pictures import VIEWS, diamond, layer, neuron, odd_labels, product_and_sum, zero_gradients

from minitorch import viz
from minitorch.scalar import Value
from minitorch.viz.drawing import letters, outlines, pdf, png, svg
from minitorch.viz.drawing.letters import Letters
from minitorch.viz.drawing.theme import Theme

needs_resvg = pytest.mark.skipif(find_spec("resvg_py") is None, reason="resvg_py, which draws PNGs, is not installed")

ALL = {
    **VIEWS,
    "layer": lambda: viz.step(layer()[0], names=layer()[1]),
    "attention": lambda: viz.fan_out(diamond()[0]),
    "odd labels": lambda: viz.graph(odd_labels()[0]),
    "zero": lambda: viz.step(zero_gradients()[0]),
}


def drawing(body, form="", size=(120, 60)):
    return svg.document("mtx", "A title", "What is <seen>", size, f"#mtx .p{{fill:#ffffff}}{form}", [body])


def read(path_or_bytes):
    """A PDF as a browser reads it: its one page."""
    pdfium = pytest.importorskip("pypdfium2", reason="pypdfium2 is not installed")
    return pdfium.PdfDocument(path_or_bytes)[0]


def text_of(page):
    return page.get_textpage().get_text_bounded()


def operators(made):
    """What a PDF draws, as its operators in plain text."""
    found = [zlib.decompress(each) for each in re.findall(rb"stream\n(.*?)\nendstream", made, re.DOTALL)]
    return b"\n".join(found).decode("latin-1")


def pixels(image, size):
    return np.asarray(image.convert("L").resize(size), dtype=float) / 255


# -- the same picture ------------------------------------------------------------------------------------------------


@needs_resvg
@pytest.mark.parametrize("name", ALL)
def test_a_pdf_and_a_png_show_what_the_svg_shows(name, tmp_path):
    """Letters are of another font, so small squares of the page are compared, not points."""
    image = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
    picture = ALL[name]()
    root = ET.fromstring(picture.svg())
    width, height = int(root.get("width")), int(root.get("height"))
    drawn = image.open(picture.save(tmp_path / "a.png"))
    assert drawn.size == (2 * width, 2 * height)
    page = read(picture.save(tmp_path / "a.pdf"))
    assert page.get_size() == pytest.approx((0.75 * width, 0.75 * height), abs=0.01)
    squares = (width // 12, height // 12)
    apart = np.abs(pixels(page.render(scale=2).to_pil(), squares) - pixels(drawn, squares))
    assert apart.mean() < 0.02
    blank = np.abs(1 - pixels(drawn, squares))
    assert apart.mean() < 0.4 * blank.mean(), "no closer to the picture than an empty page"


@pytest.mark.parametrize("name", ALL)
def test_all_text_of_a_picture_can_be_selected_in_its_pdf(name, tmp_path):
    picture = ALL[name]()
    said = text_of(read(picture.save(tmp_path / "a.pdf")))
    words = {
        word
        for each in ET.fromstring(picture.svg()).iter("{http://www.w3.org/2000/svg}text")
        for word in "".join(each.itertext()).split()
    }
    assert {word for word in words if word not in said} == set()


def test_a_label_that_is_drawn_with_a_rim_is_read_once(tmp_path):
    stepper = viz.step(layer()[0])
    label = "= [−0.121, 0.156, 0.228] (Σ axis 0)"
    assert f">{label}<" in stepper.svg()
    assert text_of(read(stepper.save(tmp_path / "a.pdf"))).count(label) == 1


@needs_resvg
def test_the_same_picture_is_the_same_bytes_and_a_pdf_says_no_date(tmp_path):
    for form in (".pdf", ".png"):
        first = viz.graph(neuron()[0]).save(tmp_path / f"a{form}").read_bytes()
        assert viz.graph(neuron()[0]).save(tmp_path / f"b{form}").read_bytes() == first
        assert b"Date" not in first


def test_a_pdf_tells_its_title_its_language_and_the_picture_in_words(tmp_path, monkeypatch):
    monkeypatch.setenv("MINITORCH_LANG", "es")
    made = viz.graph(product_and_sum()[0]).save(tmp_path / "a.pdf").read_bytes()
    told = ET.fromstring(viz.graph(product_and_sum()[0]).svg()).find("{http://www.w3.org/2000/svg}desc").text
    assert b"/Lang(es)" in made
    assert f"/Alt <feff{told.encode('utf-16-be').hex()}>".encode() in made
    assert f"/Title <feff{'Grafo de cálculo de loss'.encode('utf-16-be').hex()}>".encode() in made


@needs_resvg
def test_no_file_is_left_and_none_is_made_on_the_way(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("tempfile.mkstemp", lambda *_, **__: pytest.fail("a temporary file"))
    for form in (".pdf", ".png"):
        viz.graph(product_and_sum()[0]).save(tmp_path / f"a{form}")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.pdf", "a.png"]


# -- one step --------------------------------------------------------------------------------------------------------


@needs_resvg
def test_a_step_is_saved_in_every_form(tmp_path):
    stepper = viz.step(product_and_sum()[0])
    for form in (".svg", ".pdf", ".png", ".html", ".txt"):
        one, two = (stepper.save(tmp_path / f"{step}{form}", step=step) for step in (1, 2))
        assert one.read_bytes() != two.read_bytes()
    assert (tmp_path / "1.svg").read_text(encoding="utf-8") == stepper.svg(1)
    assert (tmp_path / "1.txt").read_text(encoding="utf-8") == stepper.text(1) + "\n"
    assert "Step 1 of 5. Start at loss" in text_of(read(tmp_path / "1.pdf"))
    with pytest.raises(IndexError, match="there is no step 9"):
        stepper.save(tmp_path / "9.pdf", step=9)


def test_one_walk_of_a_fan_out_is_saved_at_a_step(tmp_path):
    picture = viz.fan_out(diamond()[0], ["topological", "overwrite"])
    said = text_of(read(picture.save(tmp_path / "a.pdf", walk="overwrite", step=3)))
    assert picture.svg("overwrite", 3) == picture.save(tmp_path / "a.svg", walk="overwrite", step=3).read_text("utf-8")
    assert "Step 3 of 9." in said
    with pytest.raises(ValueError, match="this picture has no walk 'recursive'"):
        picture.save(tmp_path / "b.pdf", walk="recursive")


# -- letters ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("face", ["Helvetica", "Helvetica-Bold", "Courier"])
def test_the_widths_of_letters_are_those_of_the_font(face):
    """Measured by the reader of PDFs: an empty box ends where its text does."""
    style = {"font-family": "monospace" if face == "Courier" else "", "font-weight": "bold" if "Bold" in face else ""}
    for letter in "aMÑ.i—€@…":
        piece = Letters().pieces(letter * 3, style)[0]
        assert piece.width == pytest.approx(3 * afm(face)[piece.codes[0]] / 1000), letter


@pytest.mark.parametrize(("font", "table"), [("Symbol", letters._SYMBOL), ("ZapfDingbats", letters._DINGBATS)])
def test_the_signs_have_the_codes_and_widths_of_their_font(font, table):
    known = afm(font)
    for first, signs, widths in table:
        assert len(signs) == len(widths.split())
        assert [known[first + place] for place in range(len(signs))] == [int(each) for each in widths.split()], signs


def afm(font):
    """Code → width, as the font's maker says; for Latin letters by their place in WinAnsi."""
    matplotlib = pytest.importorskip("matplotlib", reason="matplotlib, which has the tables, is not installed")
    names = pytest.importorskip("fontTools.agl")
    lines = Path(matplotlib.get_data_path(), "fonts", "pdfcorefonts", f"{font}.afm").read_text().splitlines()
    rows = [re.match(r"C (-?\d+) ; WX (\d+) ; N (\w+)", line) for line in lines]
    if font in ("Symbol", "ZapfDingbats"):
        return {int(row[1]): int(row[2]) for row in rows if row}
    coded = {}
    for row in filter(None, rows):
        try:
            coded[names.toUnicode(row[3]).encode("cp1252")[0]] = int(row[2])
        except (UnicodeEncodeError, IndexError):
            continue
    return coded


def test_what_no_font_has_is_put_together_drawn_or_a_box_and_stays_what_it_was(tmp_path):
    label = "ŷ₁ᵀ ∂L←−×Σ≠✗ ⋮ 損失"
    x = Value(2.0, label=label)
    page = read(viz.graph(x * x).save(tmp_path / "a.pdf"))
    said = text_of(page)
    for sign in "y₁ᵀ∂L←−×Σ≠✗⋮損失":
        assert sign in said, sign
    fonts = {each.decode() for each in re.findall(rb"/BaseFont/([\w-]+)", (tmp_path / "a.pdf").read_bytes())}
    assert fonts == {"Helvetica", "Helvetica-Bold", "Helvetica-Oblique", "Symbol", "ZapfDingbats"}


# -- how it is read --------------------------------------------------------------------------------------------------


def test_rules_are_read_as_a_browser_reads_them():
    theme = Theme(
        form="@ text{font:700 10px monospace}@ .a>rect{stroke-width:3}@ .m+text{text-anchor:end}@ .a.b{opacity:.5}",
        paint=(("@ rect", "fill", "op"), ("@ .a>rect", "stroke", "line"), ("@ .z", "fill", "zero")),
    )
    body = (
        '<g class="a"><rect width="5" height="5"/><g><rect width="6" height="6"/></g></g>'
        '<rect class="z" width="7" height="7"/><path class="m" d="M0 0h9"/><text x="50" y="9">ab</text>'
    )
    said = operators(pdf.written(drawing(body, theme.sheet("mtx"))))
    assert said.count("3 w") == 1, "a rule for children reached a grandchild, or no child"
    blue, yellow, dark = "0 0.447 0.698 rg", "0.973 0.953 0.71 rg", "0.122 0.282"
    assert said.count(blue) == 2
    assert said.count(yellow) == 1, "a class counts more than an element"
    assert dark not in said, "paper is light"
    assert "/F1 10 Tf 1 0 0 -1 38 9 Tm" in said, "two letters of 6, ending at 50"


def test_a_path_is_what_its_commands_say():
    assert outlines.outline("M1 2h3v-1l1 1zm1 1 2 0") == [
        ("M", ((1, 2),)),
        ("L", ((4, 2),)),
        ("L", ((4, 1),)),
        ("L", ((5, 2),)),
        ("Z", ()),
        ("M", ((2, 3),)),
        ("L", ((4, 3),)),
    ]
    (_, ((x, y),)), *curves = outlines.outline("M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0")
    assert (x, y) == (-4, 0)
    on_the_way = [points[-1] for _, points in curves]
    assert [tuple(map(round, at)) for at in on_the_way] == [(0, 4), (4, 0), (0, -4), (-4, 0)]
    middle = np.mean([points[0] + points[1] for _, points in curves], axis=0)
    assert middle == pytest.approx((0, 0, 0, 0), abs=1e-9)


@pytest.mark.parametrize(
    ("body", "form", "says"),
    [
        ("<image/>", "", "<image>"),
        ('<g transform="skewX(3)"><rect width="1" height="1"/></g>', "", "skewX"),
        ('<path d="M0 0S1 1 2 2"/>', "", "'S'"),
        ('<rect width="1" height="1" fill="red"/>', "", "'red'"),
        ('<rect width="1" height="1"/>', "#mtx rect:hover{fill:#000000}", "rect:hover"),
    ],
)
def test_what_a_pdf_is_not_told_to_draw_is_said(body, form, says):
    with pytest.raises(ValueError, match=re.escape(says)):
        pdf.written(drawing(body, form))


def test_a_picture_too_long_for_a_page_is_made_smaller():
    page = read(io.BytesIO(pdf.written(drawing("", size=(40_000, 100)))))
    assert page.get_size() == pytest.approx((14400, 36))


@needs_resvg
def test_a_picture_too_long_for_an_image_is_made_smaller():
    image = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
    assert image.open(io.BytesIO(png.rendered(drawing("", size=(32_000, 100))))).size == (16_000, 50)


# -- what is missing -------------------------------------------------------------------------------------------------


def test_a_missing_rasteriser_is_one_sentence_and_leaves_no_file(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(ImportError, match=r'resvg_py package, which is missing.*pip install "minitorch-course\[png\]"'):
        viz.graph(Value(1.0)).save(tmp_path / "a.png")
    assert not (tmp_path / "a.png").exists()
    assert viz.graph(Value(1.0)).save(tmp_path / "a.pdf").exists()


@needs_resvg
def test_a_machine_without_fonts_is_told_of_it(monkeypatch, tmp_path):
    monkeypatch.setattr(png, "_writing", lambda families: "")
    with pytest.raises(RuntimeError, match=r"needs a font on this machine, and there is none.*write \.pdf"):
        viz.graph(Value(1.0)).save(tmp_path / "a.png")
