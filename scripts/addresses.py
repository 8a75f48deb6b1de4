"""Where the repository, its site and its one-click starts are: everything that names an owner, made from one variable.

    python scripts/addresses.py    write badges and starts into README.md, and the address into CITATION.cff

The variable is `[tool.minitorch] repository` in pyproject.toml, OWNER/NAME on the code host. It is empty as long as
nobody has published a copy: then there are no badges, and a wheel names no address. Beside it, `released` says whether
an index of packages has one: README names pipx only then.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
README, CITATION = ROOT / "README.md", ROOT / "CITATION.cff"
FIRST = "00_start_here.ipynb"
COLAB_BRANCH = "colab"  # where the publisher's workflow lays the copies that scripts/colab.py makes
PLACE = r"(?<=<!-- {0} -->\n).*?(?=<!-- end of {0} -->)"
READ_HERE = """\
**To read only.** `make site` builds the course as a website, its pictures alive: open `build/site/index.html`."""
READ_THERE = "**In a browser.** [Read the course]({site}), or open it with a badge above. Nothing is installed."
MAKE = """\
**With make.** `make lab` installs JupyterLab and minitorch into `.venv` and opens the course; `make test` runs the
   tests. Another Python: `make lab PYTHON=python3.12`."""
COMMAND_HERE = "**Without make.** `python3 -m minitorch lab` does the same; on Windows, `py -m minitorch lab`."
COMMAND_THERE = """\
**One command.** `pipx run minitorch-course init mycourse` lays out a folder with every exercise and notebook.
   `pip install "minitorch-course[lab]"` brings JupyterLab, and `minitorch lab` in that folder opens the course."""
LINK = re.compile(r"(?P<before>\]\()(?P<path>(?!#|\w+:)[^)]+)(?=\))")
PICTURE = re.compile(r"(?P<before>!\[[^\]]*\]\(|<img [^>]*src=\")(?P<path>(?!\w+:)[^)\"]+)(?=[)\"])")
SHAPE = re.compile(r"[\w-]+/[\w.-]+")

# Without a scheme, for no file of the repository names an address.
CODE, RAW, CODESPACES = "github.com", "raw.githubusercontent.com", "codespaces.new"
BINDER, COLAB, PAGES = "mybinder.org", "colab.research.google.com", "github.io"


def published() -> dict[str, Any]:
    """Return what pyproject.toml says of where minitorch is to be had."""
    return dict(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["minitorch"])


def repository() -> str:
    """Return OWNER/NAME, or "" where none is named. Raises ValueError for another form."""
    named = published()["repository"]
    if named and not SHAPE.fullmatch(named):
        raise ValueError(f"[tool.minitorch] repository in pyproject.toml is {named!r}; write OWNER/NAME, or nothing")
    return str(named)


def site(named: str) -> str:
    """Return the address of the published site, where the browser edition is, too."""
    owner, name = named.split("/")
    return f"https://{owner.lower()}.{PAGES}/{name}/"


def urls(named: str) -> dict[str, str]:
    """Return what a package index shows beside the package: `[project.urls]`."""
    if not named:
        return {}
    code = f"https://{CODE}/{named}"
    return {
        "Homepage": site(named),
        "Repository": code,
        "Changelog": f"{code}/blob/HEAD/CHANGELOG.md",
        "Issues": f"{code}/issues",
    }


def colab(named: str, name: str) -> str:
    """Return the address at which Colab opens the copy of a notebook."""
    return f"https://{COLAB}/github/{named}/blob/{COLAB_BRANCH}/{name}"


def badges(named: str, released: bool) -> str:
    """Return the README's line of one-click starts: a code space, Binder, and Colab, which needs a release."""
    if not named:
        return ""
    places = [
        (f"https://{CODE}/codespaces/badge.svg", f"https://{CODESPACES}/{named}", "Open in Codespaces"),
        (f"https://{BINDER}/badge_logo.svg", f"https://{BINDER}/v2/gh/{named}/HEAD?{_lab()}", "Open in Binder"),
    ]
    if released:
        places.append((f"https://{COLAB}/assets/colab-badge.svg", colab(named, FIRST), "Open in Colab"))
    return "".join(f"[![{text}]({mark})]({to})\n" for mark, to, text in places)


def _lab() -> str:
    return f"urlpath=lab/tree/work/{FIRST}"


def starts(named: str, released: bool) -> str:
    """Return the README's three starts: the first works for the reader without anything else to build."""
    command = COMMAND_THERE if released else COMMAND_HERE
    ways = [READ_THERE.format(site=site(named)), MAKE, command] if named else [MAKE, command, READ_HERE]
    return "".join(f"{number}. {way}\n" for number, way in enumerate(ways, start=1))


def filled(text: str, named: str, released: bool) -> str:
    """Return the README with its badges and starts. Raises ValueError when it has no place for them."""
    for name, what in (("badges", badges(named, released)), ("starts", starts(named, released))):
        place = re.compile(PLACE.format(name), re.DOTALL)
        if not place.search(text):
            raise ValueError(
                f"README.md has no place for {name}: <!-- {name} --> and <!-- end of {name} -->, a line each"
            )
        text = place.sub(lambda _, what=what: what, text)
    return text


def elsewhere(text: str, named: str) -> str:
    """Return the README as a package index shows it: what it links to is in the repository, not beside it."""
    if not named:
        return text
    text = PICTURE.sub(rf"\g<before>https://{RAW}/{named}/HEAD/\g<path>", text)
    return LINK.sub(rf"\g<before>https://{CODE}/{named}/blob/HEAD/\g<path>", text)


def cited(text: str, named: str) -> str:
    """Return CITATION.cff with the repository's address, or without one."""
    kept = [line for line in text.splitlines() if not line.startswith("repository-code:")]
    return "\n".join([*kept, *([f"repository-code: https://{CODE}/{named}"] if named else [])]) + "\n"


if __name__ == "__main__":
    shown = filled(README.read_text(encoding="utf-8"), repository(), published()["released"])
    README.write_text(shown, encoding="utf-8")
    CITATION.write_text(cited(CITATION.read_text(encoding="utf-8"), repository()), encoding="utf-8")
    print(f"README.md and CITATION.cff: {repository() or 'no repository is named in pyproject.toml'}")
