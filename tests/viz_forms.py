"""What is true of every view: its forms, light and dark."""

import xml.etree.ElementTree as ET
from html import escape
from importlib.util import find_spec

import pytest

from minitorch.viz.views.picture import Picture

FORMS = {".svg", ".pdf", ".png", ".html", ".txt"}
FORMS_IN_A_NOTEBOOK = {"text/html", "text/plain"}  # each picture is stored once


def has_every_form(make, folder):
    """Checks the forms of the picture that `make()` gives back; files are written below `folder`."""
    picture = make()
    assert isinstance(picture, Picture)
    drawn = picture.svg()
    assert ET.fromstring(drawn).tag == "{http://www.w3.org/2000/svg}svg"
    assert drawn == make().svg(), "the same facts, other bytes"
    assert "@media(prefers-color-scheme:dark)" in drawn
    assert picture.text() == make().text()
    assert picture._told()
    bundle = picture._repr_mimebundle_()
    assert set(bundle) == FORMS_IN_A_NOTEBOOK
    assert bundle == make()._repr_mimebundle_(), "the same facts, another document"
    assert bundle["text/plain"] == repr(picture)
    page = picture.html(folder / "page.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert f"<title>{escape(picture.title)}</title>" in page
    assert "#14181d" in page, "no dark paper"
    assert 'src="http' not in page
    is_written_in_every_form(picture, folder)


def is_written_in_every_form(picture, folder):
    """Every ending that `forms` names is written, any other refused with a sentence."""
    assert set(picture.forms) >= FORMS
    for form in picture.forms:
        if form == ".png" and not find_spec("resvg_py"):
            continue
        assert picture.save(folder / f"a{form}").stat().st_size > 0
    assert (folder / "a.pdf").read_bytes().startswith(b"%PDF-1.7")
    assert (folder / "a.svg").read_text(encoding="utf-8") == picture.svg()
    assert (folder / "a.txt").read_text(encoding="utf-8") == picture.text() + "\n"
    assert (folder / "a.html").read_text(encoding="utf-8") == picture._page()
    with pytest.raises(
        ValueError, match=r"^cannot write a picture as '\.gif': use \.svg, \.pdf, \.png, \.html, \.txt"
    ) as error:
        picture.save(folder / "a.gif")
    assert str(error.value).endswith(", ".join(picture.forms))
    assert not (folder / "a.gif").exists()
    if {".gv", ".dot"} & {*picture.forms}:
        for form in (".gv", ".dot"):
            assert (folder / f"a{form}").read_text(encoding="utf-8") == picture.dot().source
    else:
        with pytest.raises(ValueError, match=r"shows no graph.*use \.svg\(\), \.text\(\) or \.html\(path\)"):
            picture.dot()
