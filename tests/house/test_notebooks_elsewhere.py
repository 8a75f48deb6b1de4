"""The committed notebooks where no Jupyter is: as HTML, opened from disk, and as a code host shows them."""

import re
from pathlib import Path

import pytest
from players import is_alive

from minitorch.course import manifest

pytestmark = [pytest.mark.browser, pytest.mark.timeout(1800)]
NOTEBOOKS = sorted((manifest.material() / "notebooks").glob("*.ipynb"))
STRIPPED = re.compile(r"<(script|style|iframe)\b.*?</\1>| (?:style|class)=\"[^\"]*\"", re.DOTALL)


@pytest.fixture(scope="module")
def converted(tmp_path_factory) -> dict[str, Path]:
    """Each notebook as nbconvert writes it: name -> page."""
    exporter = pytest.importorskip("nbconvert").HTMLExporter()
    folder = tmp_path_factory.mktemp("converted")
    pages = {}
    for path in NOTEBOOKS:
        text, _ = exporter.from_filename(str(path))
        pages[path.stem] = folder / f"{path.stem}.html"
        pages[path.stem].write_text(text, encoding="utf-8")
    return pages


def images(page):
    """The pictures of the outputs: (their words, whether they show anything)."""
    found = "all => all.map(each => [each.alt, each.complete && each.naturalWidth > 0])"
    return page.locator("img[src^='data:image/svg+xml']").evaluate_all(found)


@pytest.mark.parametrize("name", [path.stem for path in NOTEBOOKS])
def test_converted_to_html_every_player_is_alive_without_a_network(browser, converted, name):
    context = browser.new_context(offline=True, viewport={"width": 1200, "height": 900})
    page = context.new_page()
    page.route(re.compile("^https?:"), lambda route: route.abort())  # what nbconvert's own page asks for
    page.goto(converted[name].as_uri(), wait_until="domcontentloaded")
    frames = [frame for frame in page.frames if frame.parent_frame]
    assert len(frames) == converted[name].read_text(encoding="utf-8").count("<iframe sandbox")
    for frame in frames:
        frame.locator(".root").wait_for()
        assert is_alive(frame)
    assert all(shown for _, shown in images(page))
    context.close()


@pytest.mark.parametrize("name", [path.stem for path in NOTEBOOKS])
def test_where_scripts_styles_and_frames_are_stripped_every_picture_is_seen(browser, converted, tmp_path, name):
    page_of_a_host = tmp_path / "host.html"
    whole = converted[name].read_text(encoding="utf-8")
    page_of_a_host.write_text(STRIPPED.sub("", whole), encoding="utf-8")
    context = browser.new_context(offline=True, java_script_enabled=False)
    page = context.new_page()
    page.goto(page_of_a_host.as_uri())
    found = images(page)
    assert len(found) == whole.count('src="data:image/svg+xml')
    assert all(shown and len(words) > 30 for words, shown in found)
    assert page.frames == [page.main_frame]
    assert page.locator("img[src^='data:image/svg+xml']").count() == sum(
        each.is_visible() for each in page.locator("img[src^='data:image/svg+xml']").all()
    )
    context.close()
