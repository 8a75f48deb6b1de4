"""The site: every lesson with its pictures, the manual and the interface, in English and in Spanish, without a network.

    python site/make.py            # into build/site; open build/site/index.html, or serve the folder
    python site/make.py FOLDER

English stands at the top of the folder and Spanish in `es/`. The lectures are made first, where they are not there yet:
see lectures.py. Where `make lite` has built the browser edition, with NumPy, it comes along in `browser/`, and the
first page leads to it. A warning of Sphinx's, as of a link that leads nowhere, is an error.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
ICON = '<link rel="icon" href="../_static/favicon.svg">'
BROWSER = "browser"  # where the browser edition is
NEEDS = ("sphinx", "myst_nb", "furo", "latex2mathml")


def main() -> int:
    """Build both trees, side by side."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build" / "site")
    folder = parser.parse_args().folder.resolve()
    missing = [name for name in NEEDS if importlib.util.find_spec(name) is None]
    if missing:
        print(f"The site needs {', '.join(missing)}: pip install -c constraints.txt -e '.[site]'", file=sys.stderr)
        return 1
    import lectures
    from staging import LANGUAGES, edition, stage

    talks = lectures.make()
    began = time.monotonic()
    workshop = ROOT / "build" / "site-work"
    shutil.rmtree(workshop, ignore_errors=True)
    lite = edition(ROOT / "build" / "lite")
    stage(workshop, BROWSER if lite else "")
    runs = {lang: _sphinx(workshop / lang, workshop / "made" / lang, lang) for lang in LANGUAGES}
    failed = [lang for lang, run in runs.items() if run.wait()]
    if failed:
        print(f"The site was not built: see above what is wrong in {' and '.join(failed)}", file=sys.stderr)
        return 1
    for lang in LANGUAGES:
        html = workshop / "made" / lang / "html"
        _without_leftovers(html)
        shutil.copytree(talks / lang, html / "lectures", ignore=shutil.ignore_patterns("*.mark"))
        _with_an_icon(html / "lectures")
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    shutil.move(workshop / "made" / "en" / "html", folder)
    shutil.move(workshop / "made" / "es" / "html", folder / "es")
    if lite:
        shutil.copytree(lite, folder / BROWSER)
    (folder / ".nojekyll").touch()  # a static host that knows Jekyll would leave out _static
    shutil.rmtree(workshop)
    pages = sum(BROWSER not in path.relative_to(folder).parts for path in folder.rglob("*.html"))
    print(f"{pages} pages in {time.monotonic() - began:.0f} s: {folder / 'index.html'}")
    return 0


def _sphinx(sources: Path, into: Path, lang: str) -> subprocess.Popen[bytes]:
    """Sphinx at work on one language. It is told the language of pictures that it has drawn, too."""
    words = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", "-c", str(HERE)]
    words += ["-d", str(into / "doctrees"), "-D", f"language={lang}", str(sources), str(into / "html")]
    return subprocess.Popen(words, cwd=sources, env={**os.environ, "MINITORCH_LANG": lang})


def _without_leftovers(html: Path) -> None:
    """What Sphinx lays down and no reader asks for."""
    (html / ".buildinfo").unlink(missing_ok=True)
    shutil.rmtree(html / "_sources", ignore_errors=True)
    for path in (html / "_static").rglob("*.map"):
        path.unlink()


def _with_an_icon(folder: Path) -> None:
    """A browser that is told of no icon asks the server for one: lectures get that of the site."""
    for path in folder.glob("*.html"):
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace("<head>", f"<head>{ICON}", 1), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
