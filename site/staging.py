"""What Sphinx reads, laid out in a folder for each language: pages of our own, the notebooks, docs/, the interface."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import api_pages
import lectures
from lectures import LANGUAGES

from minitorch import viz
from minitorch.course import manifest
from minitorch.language import N_, Message, speaking
from minitorch.scalar import Value

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
NOTEBOOKS = ROOT / "notebooks"
OWN_SUMMARY = re.compile(r"^> \*\*En español[:.]\*\*.*?(?:\n\n|\Z)", re.MULTILINE | re.DOTALL)
OF_THE_ROOT = {"CHANGELOG.md": "changes.md", "CONTRIBUTING.md": "contributing.md", "SECURITY.md": "security.md"}


def stage(folder: Path, browser: str = "") -> None:
    """Lay out everything, and `pages.json` beside it: which pages there are in which language.

    browser: the folder of the site that the browser edition will be in, "" where none was built.
    """
    for lang in LANGUAGES:
        there = folder / lang
        shutil.copytree(HERE / lang, there)
        _course(there / "course", lang)
        if browser:
            _start_in(browser, there / "index.md", lang)
        with (there / "lectures.md").open("a", encoding="utf-8") as page:
            page.writelines(_lectures(lang))
        _glossary(there / "course" / "glossary.md", lang)
        _words_of_the_theme(there / "locale", lang)
        (there / "hero.html").write_text(_hero(lang), encoding="utf-8")
    _manual(folder / "en")
    api_pages.write(folder / "en" / "api")
    pages = {lang: sorted(_names(folder / lang)) for lang in LANGUAGES}
    for lang in LANGUAGES:
        (folder / lang / "pages.json").write_text(json.dumps(pages), encoding="utf-8")


def _names(folder: Path) -> Iterator[str]:
    for path in folder.rglob("*"):
        if path.suffix in {".md", ".rst", ".ipynb"}:
            yield path.relative_to(folder).with_suffix("").as_posix()


IN_THE_BROWSER = Message("Work in the browser")


def edition(built: Path) -> Path | None:
    """What `make lite` has built, if a course can be done in it: one without NumPy is there to be looked at."""
    lock = built / "static" / "pyodide" / "pyodide-lock.json"
    return built if lock.is_file() and "numpy" in json.loads(lock.read_text(encoding="utf-8"))["packages"] else None


def _start_in(browser: str, page: Path, lang: str) -> None:
    """One more start on the first page: the browser edition, behind the first lesson."""
    text = page.read_text(encoding="utf-8")
    up = "" if lang == "en" else "../"
    start = f'</a> <a href="{up}{browser}/index.html">{IN_THE_BROWSER.to(lang)}</a> <a '
    page.write_text(text.replace("</a> <a ", start, 1), encoding="utf-8")


# -------------------------------------------------------------------------------------------- the course


COURSE = Message("The course")
INTRODUCTION = N_(
    "{count} lessons, about {hours} hours on the core path. A lesson is a notebook: you predict, run, look, and write "
    "functions that are checked at once. Here you read them and play with every picture; "
    "[to write and be checked](../start.md), take the course home."
)
READ = Message(
    "This is the lesson's notebook after it was run: play its pictures. <a "
    'href="../start.html">To write and be checked</a>, take it home.',
)
CLOSURES = Message("From closures to the op table")


def _course(folder: Path, lang: str) -> None:
    """The notebooks in the order of the course, a page that lists them, and the page that two of them lead to."""
    folder.mkdir()
    lessons = manifest.load().lessons
    lines = [f"# {COURSE.to(lang)}", ""]
    hours = round(sum(each.minutes for each in lessons) / 60)
    lines += [Message(INTRODUCTION, count=len(lessons), hours=hours).to(lang), "", '<ol class="lessons">']
    for lesson in lessons:
        name = lesson.notebook_name.removesuffix(".ipynb")
        source = NOTEBOOKS / lesson.notebook_name if lang == "en" else NOTEBOOKS / lang / lesson.notebook_name
        notebook = readable(json.loads(source.read_text(encoding="utf-8")), READ.to(lang))
        (folder / f"{name}.ipynb").write_text(json.dumps(notebook, ensure_ascii=False), encoding="utf-8")
        minutes = Message("about {count} minutes", count=lesson.minutes).to(lang)
        lines.append(
            f'<li><a href="{name}.html"><span class="number">{lesson.number}</span> {lesson.title.to(lang)}</a>'
            f"<p>{_marked(lesson.summary.to(lang))} <small>{minutes}</small></p></li>"
        )
    lines += ["</ol>", "", "```{toctree}", ":hidden:", ""]
    lines += [lesson.notebook_name.removesuffix(".ipynb") for lesson in lessons]
    lines += [f"{CLOSURES.to(lang)} <from_closures_to_the_op_table>", "```", ""]
    (folder / "index.md").write_text("\n".join(lines), encoding="utf-8")
    shutil.copy(NOTEBOOKS / ("" if lang == "en" else lang) / "from_closures_to_the_op_table.md", folder)


def _marked(sentence: str) -> str:
    """A sentence in which code stands between backticks, as HTML."""
    plain = sentence.replace("&", "&amp;").replace("<", "&lt;")
    return re.sub(r"`([^`]+)`", r'<code class="literal">\1</code>', plain)


def readable(notebook: dict[str, Any], about: str) -> dict[str, Any]:
    """A notebook as a page of the site: without the way to the other language, which stands above every page, without
    what is said instead of a button where no kernel is, and with links as they are here. about: said below its title.
    """
    first = notebook["cells"][0]
    title, _, text = "".join(first["source"]).partition("\n")
    first["source"] = f'{title}\n\n<p class="about">{about}</p>\n{text}'
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            text = OWN_SUMMARY.sub("", "".join(cell["source"]))
            cell["source"] = text.replace("](../", "](")
            continue
        kept: list[dict[str, Any]] = []
        for output in cell["outputs"]:
            instead_of_a_button = set(output.get("data", ())) == {"text/plain"} and kept and _is_still(kept[-1])
            kept += [] if instead_of_a_button else [output]
        cell["outputs"] = kept
    return notebook


def _is_still(output: dict[str, Any]) -> bool:
    return "minitorch-still" in "".join(output.get("data", {}).get("text/html", ()))


GLOSSARY = Message(
    "# Glossary\n\nEach term is explained where it first appears; the number in brackets is "
    "the lesson.\n\n| term | meaning |\n|---|---|\n",
)


def _glossary(path: Path, lang: str) -> None:
    """The rows of the glossary, with the column of one language, and the lesson of each as a link."""
    names = {lesson.number: lesson.notebook_name for lesson in manifest.load().lessons}
    rows = []
    for line in (NOTEBOOKS / "glossary.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        number = re.search(r"\((\w\w)\)$", cells[0])
        if number:
            term = f"{cells[0][: number.start()]}([{number[1]}]({names[number[1]]}))"
            rows.append(f"| {term} | {cells[1 if lang == 'en' else 2]} |")
    path.write_text(GLOSSARY.to(lang) + "\n".join(rows) + "\n", encoding="utf-8")


OPEN = Message("open")


def _lectures(lang: str) -> Iterator[str]:
    """The rows of the page that leads to the lecture of each lesson."""
    for lesson in manifest.load().lessons:
        there = f"lectures/{lectures.name_of(lesson)}"
        about = f"{lesson.number} {lesson.title.to(lang)}"
        slides = f'<a href="{there}.html" aria-label="{OPEN.to(lang)}: {about}">{OPEN.to(lang)}</a>'
        pages = f'<a href="{there}.pdf" aria-label="PDF: {about}">PDF</a>'
        yield f"| [{about}](course/{lesson.notebook_name}) | {slides} | {pages} |\n"


# -------------------------------------------------------------------------------------------- the rest


def _manual(folder: Path) -> None:
    """docs/, and the pages of the root that belong to it: only in English."""
    shutil.copytree(ROOT / "docs", folder / "docs")
    for name, there in OF_THE_ROOT.items():
        shutil.copy(ROOT / name, folder / there)


def _hero(lang: str) -> str:
    """The picture of the first page: a backward pass to go through, drawn anew with the site. It fits on a phone."""
    return _speaking(lang, lambda: viz.step(_two_ways())._repr_mimebundle_()["text/html"])


def _two_ways() -> Value:
    x, w = Value(2.0, label="x"), Value(-3.0, label="w")
    product = x * w
    product.label = "x·w"
    out = product + x
    out.label = "out"
    return out


def _speaking(lang: str, draw: Callable[[], str]) -> str:
    """What is drawn while pictures speak a language."""
    with speaking(lang):
        return draw()


def _words_of_the_theme(folder: Path, lang: str) -> None:
    """What the theme says in English alone."""
    source = HERE / "locale" / f"{lang}.po"
    if source.exists():
        there = folder / lang / "LC_MESSAGES"
        there.mkdir(parents=True)
        shutil.copy(source, there / "sphinx.po")
