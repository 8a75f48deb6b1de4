"""The built site as a reader meets it: its pages as files, and served from this machine alone."""

import re
import threading
from contextlib import contextmanager
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urldefrag, urlsplit

LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src", "use": "href"}


class Page(HTMLParser):
    """A page's ids, the addresses that it links to, and those that a browser loads unasked."""

    def __init__(self, path):
        super().__init__(convert_charrefs=True)
        self.ids, self.links, self.loaded = set(), [], []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        said = dict(attrs)
        self.ids.add(said.get("id"))
        if tag == "a" and said.get("href"):
            self.links.append(said["href"])
        if tag == "link" and said.get("rel") not in {"next", "prev", "index", "search"}:
            self.loaded.append(said["href"])
        if said.get(LOADED.get(tag)):
            self.loaded.append(said[LOADED[tag]])


def pages(site):
    """All but those of the browser edition, where that was built beside it: they are JupyterLite's."""
    found = (path.relative_to(site).as_posix() for path in site.rglob("*.html"))
    return sorted(name for name in found if not name.startswith("browser/"))


def is_outside(address):
    return bool(re.match(r"(?:[a-z]+:)?//", address))


def broken(site):
    """Each link to a file or a place of the site that is not there, with the page that it stands on."""
    read = {name: Page(site / name) for name in pages(site)}
    found = []
    for name, page in read.items():
        for address in page.links + page.loaded:
            target, anchor = urldefrag(address)
            if is_outside(address) or urlsplit(address).scheme:
                continue
            file = unquote(target.partition("?")[0])
            path = ((site / name).parent / file if file else site / name).resolve()
            if not path.is_file() or not path.is_relative_to(site):
                found.append((name, address))
            elif anchor and path.suffix == ".html" and not address.startswith("#"):
                ids = read[path.relative_to(site).as_posix()].ids
                found += [] if unquote(anchor) in ids else [(name, address)]
            elif anchor and unquote(anchor) not in page.ids:
                found.append((name, address))
    return found


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


@contextmanager
def served(site):
    """The address of the site, as long as the block runs."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=site))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def opened(browser, address, theme="light", width=1280):
    """A page of the browser, and what went wrong on it: words on the console, errors, requests to elsewhere."""
    context = browser.new_context(color_scheme=theme, viewport={"width": width, "height": 844})
    page, wrong = context.new_page(), []
    page.on("console", lambda said: wrong.append(said.text) if said.type in {"error", "warning"} else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))

    def answer(route):
        if route.request.url.startswith(address):
            return route.continue_()
        wrong.append(route.request.url)
        return route.abort()

    page.route("http*://**/*", answer)
    try:
        yield page, wrong
    finally:
        context.close()
