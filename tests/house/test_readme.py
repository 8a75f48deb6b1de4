"""Every command, link, sample and picture of the README is true."""

import contextlib
import io
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import addresses
import make_readme_picture as picture
import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", README, flags=re.MULTILINE | re.DOTALL)


def test_the_samples_run_in_order_and_print_what_the_readme_says(tmp_path, monkeypatch):
    pytest.importorskip("anywidget")
    from minitorch.course.setup.workspace import init_course

    init_course(tmp_path / "course")
    monkeypatch.setenv("MINITORCH_COURSE", str(tmp_path / "course"))
    names: dict[str, object] = {}
    printed, expected = [], []
    for language, text in BLOCKS:
        if language == "python":
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                exec(compile(text, "README.md", "exec"), names)
            printed.append(output.getvalue())
        elif language == "text":
            expected.append((len(printed) - 1, text))
    assert expected
    assert [(place, printed[place]) for place, _ in expected] == expected
    assert len(printed) == 1


def test_the_link_of_every_sentence_leads_somewhere():
    written = addresses.filled(README, "", released=False)  # those that are made: test_addresses.py
    links = [link for link in re.findall(r"(?:\]\(|src=\")([^)\"]+)", written) if not link.startswith("#")]
    assert links
    assert [link for link in links if not (ROOT / link).is_file()] == []


def test_every_file_that_it_names_exists():
    named = re.findall(r"`(?:python )?([\w./]+(?:/|\.py|\.yml|\.npz))(?: --help)?`", README)
    made = {"work/", "build/site/index.html"}
    assert len(set(named) - made) > 3
    assert [name for name in named if name not in made and not (ROOT / name).exists()] == []


def test_it_is_read_in_two_minutes():
    english = README[: README.index("## En español")]
    words = re.sub(r'alt="[^"]*"|!\[[^\]]*\]', "", english).split()
    assert len(words) <= 650


def test_every_make_command_exists():
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    named = set(re.findall(r"\bmake (\w+)", README))
    assert {"lab", "test"} <= named <= set(targets)


def test_every_minitorch_command_exists():
    pytest.importorskip("click")
    from minitorch.course.cli import cli

    named = set(re.findall(r"`(?:(?:python3|py) -m )?minitorch (?:--lang es )?([a-z]+)\b", README))
    assert {"lab", "check", "init", "upgrade", "grade", "port"} <= named <= set(cli.commands)


def test_the_picture_is_what_minitorch_draws():
    assert f'src="docs/images/{picture.PICTURE.name}"' in README
    assert picture.PICTURE.read_text(encoding="utf-8") == picture.picture()
    assert picture.PICTURE.stat().st_size < 30_000
    assert (picture.PICTURE.parent / "lab.png").stat().st_size < 200_000


def elements(root, step):
    """What is seen of a picture at a step, in its order: all of a still; of the moving one what its style shows."""
    drawn = list(root.iter())
    style = next(each.text for each in drawn if each.tag.endswith("style"))
    hidden = {name for name in re.findall(r"@keyframes mt\w+?(at\d+)\{", style) if not is_seen(style, name, step)}
    for part in list(root)[5:]:
        yield from visible(part, hidden)


def visible(part, hidden):
    classes = part.get("class", "").split()
    if hidden & set(classes):
        return
    kept = " ".join(each for each in classes if not re.fullmatch(r"at\d+", each))
    yield part.tag, kept, part.get("d"), part.get("transform"), (part.text or "").strip()
    for each in part:
        yield from visible(each, hidden)


def is_seen(style, name, step):
    frames = re.search(rf"@keyframes mt\w+?{name}\{{((?:[\d.]+%\{{\w+:\w+\}})+)\}}", style)[1]
    whole = picture.STEP_S * (len(picture.stills()) - 1) + picture.LAST_S
    now = 100 * picture.STEP_S * (step + 0.5) / whole
    changes = [(float(at), seen) for at, seen in re.findall(r"([\d.]+)%\{\w+:(\w+)\}", frames)]
    return [seen for at, seen in changes if at <= now][-1] == "visible"


@pytest.mark.parametrize("step", range(len(picture.stills())))
def test_at_each_of_its_moments_the_picture_shows_what_the_stepper_shows_at_that_step(step):
    moving = ET.fromstring(picture.PICTURE.read_text(encoding="utf-8"))
    still = ET.fromstring(picture.stills()[step])
    assert list(elements(moving, step)) == list(elements(still, step))


@pytest.mark.browser
@pytest.mark.parametrize(("motion", "moves"), [("no-preference", True), ("reduce", False)])
def test_the_picture_moves_and_shows_the_last_step_before_and_after(browser, motion, moves):
    """A code host may show its first moment alone: there every gradient has arrived."""
    page = browser.new_page(reduced_motion=motion)
    page.set_content(picture.PICTURE.read_text(encoding="utf-8"))
    assert page.evaluate("document.getAnimations().length > 0") is moves
    seen = "[...document.querySelectorAll('text')].filter(each => getComputedStyle(each).visibility === 'visible')"
    for moment in ("each.pause(); each.currentTime = 0", "each.finish()"):
        page.evaluate(f"for (const each of document.getAnimations()) {{ {moment} }}")
        words = page.evaluate(f"{seen}.map(each => each.textContent)")
        assert any(each.startswith(f"Step {picture.RESTS_AT} of {picture.RESTS_AT}") for each in words)
        assert not any("no gradient" in each for each in words)
    page.close()
