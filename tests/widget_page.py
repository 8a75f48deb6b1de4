"""A page in a headless Chromium that shows a widget of minitorch.viz, with our own model instead of Jupyter's."""

import re
from contextlib import contextmanager
from importlib.resources import files

from minitorch.viz.drawing.player import module

STATIC = files("minitorch.viz.drawing").joinpath("static")
ADDRESS = "http://127.0.0.1:9/"  # nothing listens there: every request is answered here
KINDS = {"": "text/html", "js": "text/javascript", "css": "text/css", "ico": "image/x-icon"}
PAGE = """<!doctype html><meta charset="utf-8"><title>t</title><body style="margin: 0"><script type="module">
import widget from "./SCRIPT";
class Model {
  constructor(state) { this.state = state; this.heard = {}; this.saved = 0; }
  get(name) { return this.state[name]; }
  set(name, value) {
    if (this.state[name] === value) return;
    this.state[name] = value;
    for (const act of this.heard[`change:${name}`] ?? []) act();
  }
  save_changes() { this.saved += 1; }
  on(event, act) { (this.heard[event] ??= []).push(act); }
  off(event, act) { this.heard[event] = this.heard[event].filter(each => each !== act); }
}
window.views = [];
window.show = (state, model = new Model(state)) => {
  const el = document.body.appendChild(document.createElement("div"));
  el.style.width = "760px";
  views.push({ model, el, stop: widget.render({ model, el }) });
};
window.ready = true;
</script>"""


def text_of(name):
    """The text of a script as the widget is given it: what it imports from its neighbours stands in it."""
    return module(name)


@contextmanager
def widget_page(browser, script, width, motion="reduce"):
    """An empty page with the script loaded. Fails on an error in it, and on a request beyond the folder of scripts.

    motion: what its reader wants of it; "no-preference" to see light on its way.
    """
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme="light", reduced_motion=motion)
    page = context.new_page()
    beyond, errors = [], []
    served = {path.name: text_of(path.name) for path in STATIC.iterdir() if path.name.endswith(".js")}
    served |= {"": PAGE.replace("SCRIPT", script), "favicon.ico": ""}

    def answer(route):
        name = route.request.url.removeprefix(ADDRESS)
        if name not in served:
            beyond.append(route.request.url)
            return route.abort()
        kind = KINDS[name.rpartition(".")[2]]
        return route.fulfill(body=served[name], content_type=f"{kind}; charset=utf-8")

    page.route("http*://**/*", answer)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(ADDRESS)
    page.wait_for_function("window.ready")
    yield page
    context.close()
    assert (beyond, errors) == ([], [])


class View:
    """One widget on the page, as a reader sees it."""

    def __init__(self, page, index):
        self.page, self.index = page, index
        self.root = page.locator(".root").nth(index)

    def press(self, *keys):
        """Press keys, wherever the page has its focus."""
        for key in keys:
            self.page.keyboard.press(key)

    def status(self):
        """What a screen reader is told."""
        return self.root.get_by_role("status").inner_text()

    def of(self, name):
        """What the model holds."""
        return self.page.evaluate(f"views[{self.index}].model.get('{name}')")


class Stepper(View):
    """One stepper."""

    def __init__(self, page, index):
        super().__init__(page, index)
        self.scrub = self.root.get_by_label("step of the backward pass")
        self.svg = self.root.locator(".canvas > svg")

    def states(self):
        """Node → (what its box says about the gradient, whether that looks like some, zero or none)."""
        found = self.root.locator(".box").evaluate_all(
            "boxes => boxes.map(b => [b.dataset.node, b.querySelector('.state').textContent, b.getAttribute('class')])"
        )
        return {int(node): (state, re.search(r"\b(some|zero|none)\b", look)[0]) for node, state, look in found}

    def edges(self):
        """Edge → (its classes, its label)."""
        found = self.root.locator(".edge").evaluate_all(
            "edges => edges.map(e => [e.dataset.edge, e.getAttribute('class'), e.querySelector('text').textContent])"
        )
        return {int(edge): (set(look.split()), label) for edge, look, label in found}

    def node(self, number):
        return self.root.locator(f".box[data-node='{number}']").first

    def step(self):
        return self.of("step")
