"""What several tests of pictures stand on."""

import pytest
from lecture_page import AT, SIZES, Deck


@pytest.fixture
def opened(browser, tmp_path):
    """Opens a lecture from disk, with the network refused."""
    contexts = []

    def open_it(made, size="720", **how):
        context = browser.new_context(offline=True, viewport=SIZES[size], **how)
        contexts.append(context)
        page = context.new_page()
        page.errors = []
        page.on("pageerror", lambda error: page.errors.append(str(error)))
        page.goto(made.save(tmp_path / "lecture.html").as_uri())
        page.wait_for_function(f"{AT}?.querySelector('footer span').textContent")
        return Deck(page)

    yield open_it
    for context in contexts:
        assert [error for page in context.pages for error in getattr(page, "errors", [])] == []
        context.close()
