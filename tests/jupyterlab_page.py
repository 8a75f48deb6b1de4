"""JupyterLab as a learner starts it, and a notebook open in it, driven in a headless Chromium."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PATIENCE = 600_000  # ms, for a page on a busy machine
START = (
    "import sys; from pathlib import Path; from minitorch.course.setup.lab import lab; sys.exit(lab(Path(sys.argv[1])))"
)


@contextmanager
def jupyterlab(course: Path, server_says: Path) -> Iterator[str]:
    """Start JupyterLab on a course; yield the address it prints. server_says: where its stderr is written."""
    home = course.parent
    settings = home / "settings" / "@jupyterlab" / "notebook-extension" / "tracker.jupyterlab-settings"
    settings.parent.mkdir(parents=True)
    settings.write_text('{"windowingMode": "none"}')  # cells outside the window stay in the page, for us to read
    with server_says.open("w") as errors:
        server = subprocess.Popen(
            [sys.executable, "-c", START, str(course)],
            env=surroundings(home),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
    try:
        address = next((line.strip() for line in server.stdout if line.strip().startswith("http")), None)
        assert address, f"JupyterLab printed no address; exit status {server.poll()}"
        yield address
    finally:
        server.terminate()
        server.wait(timeout=600)
        server.stdout.close()


def surroundings(home: Path) -> dict[str, str]:
    """An environment whose Jupyter keeps everything below `home`, and knows of no screen."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MINITORCH", "JUPYTER"))}
    environment |= {f"JUPYTER_{name}_DIR": str(home / name.lower()) for name in ("CONFIG", "DATA", "RUNTIME")}
    environment |= {"JUPYTERLAB_SETTINGS_DIR": str(home / "settings"), "MINITORCH_LANG": "en"}
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        environment.pop(name, None)
    return environment


class OpenNotebook:
    """A notebook open in JupyterLab. idle: wait for its kernel, which what was stored does not need."""

    def __init__(self, page, address: str, name: str, *, idle: bool = True) -> None:
        self.page = page
        # A workspace of its own: no other notebook's tab is opened beside it.
        own = re.sub(r"/lab/[^?]*", f"/lab/workspaces/{Path(name).stem}/tree/work/{name}", address)
        page.goto(own.partition("&at=")[0])
        page.wait_for_selector(".jp-Notebook .jp-CodeCell", timeout=PATIENCE)
        if idle:
            self.wait_until_idle()

    def wait_until_idle(self) -> None:
        """Wait until the kernel is there and idle. Whoever runs a cell before is asked to select a kernel.

        The status bar tells; the indicator beside the notebook says idle while the kernel is still being started.
        """
        self.page.locator("#jp-main-statusbar").get_by_text(re.compile(r"^Python 3 .*\| Idle$")).wait_for()

    def run_all(self) -> None:
        """Choose Run → Run All Cells, and wait until every code cell has its number."""
        deadline = time.monotonic() + PATIENCE / 1000
        while self.waiting() and time.monotonic() < deadline:
            if set(self.prompts()) == {"[ ]:"}:  # a page that is still loading lets the choice go by
                self.page.get_by_role("menuitem", name="Run", exact=True).click()
                self.page.get_by_text("Run All Cells", exact=True).click()
                time.sleep(2)
            time.sleep(0.2)
        assert self.waiting() == []
        self.wait_until_idle()

    def waiting(self) -> list[str]:
        """Return the prompts of the code cells that were not run yet, or are running."""
        return [prompt for prompt in self.prompts() if not re.fullmatch(r"\[\d+\]:", prompt)]

    def prompts(self) -> list[str]:
        """Return what stands beside each code cell: [3]: when it was run, [*]: while it waits."""
        prompts = self.page.locator(".jp-CodeCell .jp-InputArea-prompt").all_text_contents()
        return [prompt.strip() for prompt in prompts]

    def cell(self, source: str):
        """Return the first code cell whose source contains `source`."""
        return self.page.locator(".jp-CodeCell").filter(has=self.page.locator(".jp-InputArea", has_text=source)).first

    def run(self, cell) -> None:
        """Run one cell as a reader does: click into it, press Ctrl+Enter."""
        before = cell.locator(".jp-InputPrompt").first.inner_text()
        cell.locator(".cm-content").click()
        self.page.keyboard.press("Control+Enter")
        handle = cell.locator(".jp-InputPrompt").first.element_handle()
        self.page.wait_for_function(
            "([prompt, before]) => { const now = prompt.textContent.trim();"
            " return now !== before && /^\\[\\d+\\]:$/.test(now); }",
            arg=[handle, before.strip()],
            timeout=PATIENCE,
        )

    def save(self, copy: Path, words: str) -> bytes:
        """Press Ctrl+S, and return what the notebook's file holds once `words` stand in it."""
        self.page.keyboard.press("Escape")
        self.page.keyboard.press("Control+s")
        deadline = time.monotonic() + PATIENCE / 1000
        while words.encode() not in (saved := copy.read_bytes()):
            assert time.monotonic() < deadline, "JupyterLab did not save the notebook"
            time.sleep(0.2)
        return saved

    def reopen(self) -> None:
        """Shut the kernel down and load the page anew. The notebook gets a kernel that knows nothing of it."""
        self.page.get_by_role("menuitem", name="Kernel", exact=True).click()
        self.page.get_by_text("Shut Down Kernel", exact=True).click()
        self.page.locator("#jp-main-statusbar").get_by_text("No Kernel").wait_for()
        self.page.reload()
        self.page.wait_for_selector(".jp-Notebook .jp-CodeCell", timeout=PATIENCE)
        self.wait_until_idle()

    def faults(self) -> list[str]:
        """Return the text of every traceback and of everything on stderr."""
        kinds = ("application/vnd.jupyter.error", "application/vnd.jupyter.stderr")
        places = ", ".join(f".jp-OutputArea-output[data-mime-type='{kind}']" for kind in kinds)
        return self.page.locator(places).all_inner_texts()
