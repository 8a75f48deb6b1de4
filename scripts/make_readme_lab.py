"""Photograph JupyterLab with lesson 01 for README: `python scripts/make_readme_lab.py`.

The course is laid out anew in a temporary folder. A learner has solved `add` there, made a known mistake in `mul`, and
written no more. `minitorch lab 01` opens it in a headless Chromium, which runs the notebook up to the verdict on `mul`.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from minitorch.course.files.source_code import empty_targets, find
from minitorch.course.judging.mistakes import wrong_source
from minitorch.course.manifest import load
from minitorch.course.setup.workspace import init_course

PICTURE = Path(__file__).resolve().parents[1] / "docs" / "images" / "lab.png"
LESSON, EXERCISE, MISTAKE = load().lesson("01"), "mul", "mul-own-operand"
WINDOW = {"width": 1280, "height": 800}
LONGEST_MS = 120_000
SETTLE_MS = 10_000  # nothing in the page says when the terminal, which is a canvas, has drawn all
COLOURS = 128  # a third of the size of a picture with all of them
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu"]


def half_written() -> str:
    """Return the learner's file: everything after the mistake is untouched."""
    targets = [exercise.target for exercise in LESSON.exercises]
    later = targets[targets.index(load().exercise(EXERCISE).target) + 1 :]
    return empty_targets(wrong_source(EXERCISE, MISTAKE), later)


@contextmanager
def lab(home: Path) -> Iterator[str]:
    """Start JupyterLab on a new course; yield the address that it prints."""
    course = home / "course"
    init_course(course)
    (course / "exercises" / LESSON.file_name).write_text(half_written(), encoding="utf-8")
    kept = {name: text for name, text in os.environ.items() if not name.startswith(("MINITORCH", "JUPYTER", "DISPLAY"))}
    settings = home / "settings" / "@jupyterlab" / "notebook-extension" / "tracker.jupyterlab-settings"
    settings.parent.mkdir(parents=True)
    settings.write_text('{"windowingMode": "none"}')  # cells outside the window stay in the page
    folders = {"JUPYTERLAB_SETTINGS_DIR": str(home / "settings")}
    folders |= {f"JUPYTER_{name}_DIR": str(home / name.lower()) for name in ("CONFIG", "DATA", "RUNTIME")}
    command = [sys.executable, "-m", "minitorch", "--lang", "en", "lab", "01", "--no-browser"]
    with subprocess.Popen(command, cwd=course, env=kept | folders, stdout=subprocess.PIPE, text=True) as server:
        try:
            yield next(line.strip() for line in server.stdout or () if line.strip().startswith("http"))
        finally:
            server.terminate()


def show(page: Page, address: str) -> None:
    """Open the lesson beside the end of `mul`, run it, and bring the verdict on `mul` into view."""
    last = find(half_written(), load().exercise(EXERCISE).target).last
    page.goto(re.sub(r":\d+$", f":{last}", address))
    page.wait_for_selector(".jp-Notebook .jp-CodeCell")
    idle = page.locator("#jp-main-statusbar").get_by_text(re.compile(r"^Python 3 .*\| Idle$"))
    idle.wait_for()
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_text("Run All Cells", exact=True).click()
    check = (
        page.locator(".jp-CodeCell").filter(has=page.locator(".jp-InputArea", has_text=f'check("{EXERCISE}")')).first
    )
    check.get_by_text("own number as its local gradient").first.wait_for()
    idle.wait_for()
    page.locator(".jp-Terminal").click()
    page.keyboard.press("n")  # the next exercise
    page.wait_for_timeout(SETTLE_MS)
    check.locator(".cm-content").click()
    check.evaluate("cell => cell.scrollIntoView({block: 'center'})")
    page.wait_for_timeout(SETTLE_MS)


def main() -> None:
    """Make the picture."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    with tempfile.TemporaryDirectory() as home, lab(Path(home)) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        page = browser.new_page(viewport=WINDOW)
        page.set_default_timeout(LONGEST_MS)
        show(page, address)
        shot = Image.open(io.BytesIO(page.screenshot()))
        browser.close()
    shot.quantize(COLOURS).save(PICTURE, optimize=True)
    print(f"{PICTURE.name}: {PICTURE.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
