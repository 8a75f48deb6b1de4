"""The browser edition in Chromium, cut off from everything but its own folder.

Without NumPy's wheel for the browser: the page, the kernel, files that survive a reload. With it, in
`build/lite-parts/wheels`, every lesson is judged there; elsewhere that is skipped.
"""

from __future__ import annotations

import argparse
import functools
import http.server
import importlib.util
import json
import threading
import zipfile

import lite
import pytest

from minitorch.course import manifest

pytestmark = [pytest.mark.gate, pytest.mark.browser, pytest.mark.index, pytest.mark.timeout(1800)]
COURSE = manifest.load()
BOOT = 300_000  # ms; Pyodide unpacks some twenty wheels
ASK = """async ([code, path]) => {
  const { sessions } = window.jupyterapp.serviceManager;
  window.asked ??= await sessions.startNew({ name: "t", path, type: "notebook", kernel: { name: "python" } });
  const future = window.asked.kernel.requestExecute({ code });
  let said = "";
  future.onIOPub = ({ content }) => {
    said += content.text ?? (content.ename ? `${content.ename}: ${content.evalue}` : "");
  };
  await future.done;
  return said;
}"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves a folder and prints nothing."""

    def log_message(self, *_):
        pass


def built(out, **asked):
    """Build the page into a folder; skip where it cannot be built here, with the sentence that says why."""
    if importlib.util.find_spec("jupyterlite_pyodide_kernel") is None:
        pytest.skip("JupyterLite is not installed: make lite installs it")
    words = {"numpy": None, "pyodide": None, "wheel": None, "without_numpy": False, "out": out}
    try:
        lite.make(argparse.Namespace(**words | asked))
    except lite.LiteError as error:
        pytest.skip(str(error))
    path = out / "jupyter-lite.json"
    settings = json.loads(path.read_text(encoding="utf-8"))
    settings["jupyter-config-data"]["exposeAppInBrowser"] = True  # the test asks the kernel as the page does
    path.write_text(json.dumps(settings), encoding="utf-8")
    return out


class Page:
    """The page of a folder, and a kernel in it."""

    def __init__(self, browser, folder):
        handler = functools.partial(Quiet, directory=folder)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        self.page = browser.new_context().new_page()
        self.page.set_default_timeout(BOOT)
        self.asked_for = []
        self.page.on("request", lambda request: self.asked_for.append(request.url))
        self.page.goto(f"{self.address}/lab/index.html")
        self.page.wait_for_selector(".jp-LauncherCard")

    def reload(self):
        self.page.reload()
        self.page.wait_for_selector(".jp-LauncherCard")

    def says(self, code):
        return self.page.evaluate(ASK, [code, "course/work/asked.ipynb"])

    def outside(self):
        """What was asked of any other address."""
        return [url for url in self.asked_for if not url.startswith((self.address, "data:", "blob:"))]

    def close(self):
        self.page.context.close()
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture(scope="module")
def bare_page(browser, tmp_path_factory):
    """The page without NumPy, with as little of our wheel as a wheel can be."""
    place = tmp_path_factory.mktemp("lite")
    wheel = place / "minitorch_course-0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        info = "minitorch_course-0.dist-info"
        archive.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: minitorch-course\nVersion: 0\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
    page = Page(browser, built(place / "out", wheel=wheel, without_numpy=True))
    yield page
    page.close()


def test_the_page_opens_a_kernel_in_a_course_folder_and_asks_no_other_address(bare_page):
    folders = json.loads(bare_page.says("import os, json; print(json.dumps([os.getcwd(), sorted(os.listdir('..'))]))"))
    assert folders == ["/drive/course/work", ["README.md", "exercises", "language", "work"]]
    assert bare_page.says("import sys; print(sys.platform, hasattr(sys, 'monitoring'))") == "emscripten True\n"
    assert bare_page.outside() == []


def test_what_was_written_survives_a_reload(bare_page):
    """As the course writes: beside its place, then moved there; and in the folder that is hidden."""
    bare_page.says("""
import os, tempfile
for folder, name in (("../exercises", "lesson_01_scalar_nodes.py"), ("../.minitorch/progress", "add.json")):
    os.makedirs(folder, exist_ok=True)
    descriptor, path = tempfile.mkstemp(dir=folder)
    os.write(descriptor, b"kept")
    os.fsync(descriptor)
    os.close(descriptor)
    os.replace(path, f"{folder}/{name}")
""")
    bare_page.reload()
    told = bare_page.says("""
for path in ("../exercises/lesson_01_scalar_nodes.py", "../.minitorch/progress/add.json"):
    print(open(path).read())
""")
    assert told == "kept\nkept\n"


def test_every_lesson_is_judged_there(browser, tmp_path):
    """Where NumPy's wheel for the browser is at hand."""
    page = Page(browser, built(tmp_path / "out"))
    try:
        for lesson in COURSE.lessons:
            path = f"../exercises/{lesson.file_name}"
            page.says(f"open({path!r}, 'w').write({lesson.solution_source()!r})")
            told = page.says(f"from minitorch.course import check; print(check({lesson.number!r}))")
            assert told.count("✓") == len(lesson.exercises), told
        loop = "def add(a, b):\n    while True:\n        pass\n"
        page.says(f"open('../exercises/{COURSE.lesson('01').file_name}', 'a').write({loop!r})")
        assert "still running after 2 s" in page.says("print(check('add'))")
        assert page.outside() == []
    finally:
        page.close()
