"""A course folder of an older version: what nobody touched follows, what somebody wrote stays."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from minitorch.course import manifest
from minitorch.course.cli import cli
from minitorch.course.files import reset
from minitorch.course.files.learner_file import LearnerFile
from minitorch.course.files.stubs import stub_source, write_stubs
from minitorch.course.setup import upgrade
from minitorch.course.setup.upgrade import Fate, Stub, plan, read_shipped, shipped_text

ADDED = """
[[exercise]]
name = "half"
target = "half"
checks = 1
asks = { en = "Return half of x.", es = "Devuelve la mitad de x." }
hint = [{ en = "Divide.", es = "Divide." }]
"""
ADDED_CHECK = """

@exercise("half", limit_s=0.5)
class Half:
    def inputs(self, rng):
        return [{"x": 3.0}]

    def observe(learner, x):
        return learner.half(x["x"])

    def judge(self, x, got):
        return same_number(got, x["x"] / 2)
"""
ADDED_SOLUTION = '''

def half(x):
    """Return half of x."""
    return x / 2
'''


@pytest.fixture
def versions(tiny, make_course, solution):
    """The tiny course of yesterday, and of today: one docstring reworded, given code changed, one exercise added."""
    folder = tiny.lessons[0].folder
    now = solution.replace("Return n rows of two ones.", "Return n rows, two ones in each.")
    now = now.replace('"""A box of numbers."""', '"""A box that holds numbers."""') + ADDED_SOLUTION
    lesson, checks = (folder / "lesson.toml").read_text(), (folder / "checks.py").read_text()
    return tiny, make_course(lesson=lesson + ADDED, checks=checks + ADDED_CHECK, solution=now)


@pytest.fixture
def old(versions, tmp_path, monkeypatch):
    """A folder made with yesterday's version; today's is installed."""
    before, after = versions
    shipped = tmp_path / "shipped.json"
    shipped.write_text(shipped_text({}, before))
    shipped.write_text(shipped_text(read_shipped(shipped), after))
    folder = tmp_path / "mine"
    write_stubs(folder / "exercises", before)
    monkeypatch.setattr(manifest, "load", lambda *_: after)
    monkeypatch.setattr(upgrade, "SHIPPED", shipped)
    monkeypatch.delenv("MINITORCH_COURSE", raising=False)
    monkeypatch.setenv("MINITORCH_LANG", "en")
    monkeypatch.chdir(folder)
    return folder


def run(*words: str, code: int = 0) -> str:
    result = CliRunner().invoke(cli, ["upgrade", *words])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == code, result.output
    return result.output


def file_of(folder: Path) -> Path:
    return folder / "exercises" / "lesson_01_tiny.py"


def backups(folder: Path) -> list[Path]:
    return sorted((folder / ".minitorch" / "backups").glob("*"))


def today(versions) -> str:
    return stub_source(versions[1].lessons[0])


def test_a_stub_that_nobody_touched_is_replaced_and_kept_in_a_backup(old, versions):
    before = file_of(old).read_bytes()
    output = run()
    assert "exercises/lesson_01_tiny.py: replaced by this version's stub" in output
    assert file_of(old).read_text() == today(versions)
    (backup,) = backups(old)
    assert backup.read_bytes() == before
    assert f".minitorch/backups/{backup.name}" in output


def test_a_second_time_there_is_nothing_to_do(old):
    run()
    assert run() == "everything is up to date: nothing to do\n"
    assert len(backups(old)) == 1


def test_answers_are_laid_into_the_new_stub_to_the_letter(old, versions):
    stub = file_of(old).read_text()
    answer = '''def double(x):
    """Return twice x."""
    # one and one makes two
    text = """
no margin here
"""
    return x + x if text else  0
'''
    empty = 'def double(x):\n    """Return twice x."""\n    raise NotImplementedError\n'
    assert empty in stub
    file_of(old).write_text(stub.replace(empty, answer))
    assert "this version's stub with your answers in it (double)" in run()
    assert file_of(old).read_text() == today(versions).replace(empty, answer)
    assert len(backups(old)) == 1


def test_a_method_with_a_text_at_the_margin_stays_to_the_letter(old, versions):
    empty = '        """Return the sum."""\n        raise NotImplementedError\n'
    answer = '        text = """\nat the margin\n"""\n        return sum(self.things) + 0 * len(text)\n'
    file_of(old).write_text(file_of(old).read_text().replace(empty, answer))
    assert "(total)" in run()
    assert file_of(old).read_text() == today(versions).replace(empty, answer)


def test_windows_line_ends_are_no_change_and_are_kept(old, versions):
    file_of(old).write_bytes(file_of(old).read_bytes().replace(b"\n", b"\r\n"))
    run()
    assert file_of(old).read_bytes() == today(versions).replace("\n", "\r\n").encode()
    assert run() == "everything is up to date: nothing to do\n"


def test_windows_line_ends_are_kept_around_answers(old, versions):
    text = file_of(old).read_text().replace("raise NotImplementedError", "return x + x", 1)
    file_of(old).write_bytes(text.replace("\n", "\r\n").encode())
    run()
    wanted = today(versions).replace("raise NotImplementedError", "return x + x", 1)
    assert file_of(old).read_bytes() == wanted.replace("\n", "\r\n").encode()


def test_in_a_file_of_ones_own_only_untouched_definitions_follow(old, versions):
    mine = file_of(old).read_text().replace("import numpy as np", "import numpy as np\nimport math  # mine")
    mine = mine.replace("raise NotImplementedError", "return 2*x   # mine  ", 1)
    file_of(old).write_text(mine)
    output = run()
    assert file_of(old).read_text() == mine.replace("Return n rows of two ones.", "Return n rows, two ones in each.")
    assert "brought up to date where you had written nothing yet (grid)" in output
    assert "new in this version: half (see .minitorch/stubs/lesson_01_tiny.py)" in output
    assert (old / ".minitorch" / "stubs" / "lesson_01_tiny.py").read_text() == today(versions)
    assert backups(old)[0].read_text() == mine


def test_a_helper_that_an_answer_needs_is_never_lost(old, versions, tmp_path):
    """The new frame has dropped an import that the answer uses: the file stays."""
    after = versions[1]
    solution = after.lessons[0].solution
    solution.write_text(solution.read_text().replace("import numpy as np", "import numpy").replace("np.", "numpy."))
    mine = file_of(old).read_text().replace("raise NotImplementedError", "return float(np.add(x, x))", 1)
    file_of(old).write_text(mine)
    run()
    assert "import numpy as np" in file_of(old).read_text()
    assert "return float(np.add(x, x))" in file_of(old).read_text()


def test_a_definition_whose_new_head_needs_other_names_does_not_follow(old, versions):
    solution = versions[1].lessons[0].solution
    solution.write_text(solution.read_text().replace("def grid(n):", "def grid(n: Count):"))
    mine = file_of(old).read_text() + "\nmine = 1\n"
    file_of(old).write_text(mine)
    run()
    assert file_of(old).read_text() == mine


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("raise NotImplementedError", "return ((", 1),
        lambda text: text.replace("def double", "def duble"),
        lambda text: text + "\ndef double(x):\n    return x\n",
        lambda text: "",
        lambda text: "\ufeff" + text + "# mine\n",
    ],
    ids=["broken", "renamed", "twice", "empty", "marked"],
)
def test_no_line_that_the_learner_wrote_is_ever_lost(old, change):
    before = file_of(old).read_text()
    mine = change(before)
    file_of(old).write_text(mine, encoding="utf-8")
    run()
    left = set(file_of(old).read_text(encoding="utf-8").splitlines())
    assert [line for line in set(mine.splitlines()) - set(before.splitlines()) if line not in left] == []


def test_a_missing_file_is_written(old, versions):
    file_of(old).unlink()
    (old / ".minitorch").mkdir()
    assert "exercises/lesson_01_tiny.py: new" in run()
    assert file_of(old).read_text() == today(versions)


def test_a_file_that_is_no_text_stays(old):
    file_of(old).write_bytes(b"\xff\xfe\x00")
    assert "begins as UTF-16 text and is damaged" in run()
    assert file_of(old).read_bytes() == b"\xff\xfe\x00"


def test_a_link_stays_one_and_the_file_that_it_names_is_brought_up_to_date(old, versions):
    elsewhere = old / "elsewhere.py"
    file_of(old).rename(elsewhere)
    before = elsewhere.read_bytes()
    file_of(old).symlink_to(elsewhere)
    told = run()
    assert "replaced by this version's stub" in told
    assert f"is a link, so this was written to {elsewhere}" in told
    assert file_of(old).is_symlink()
    assert elsewhere.read_text() == today(versions)
    assert [each.read_bytes() for each in (old / ".minitorch" / "backups").iterdir()] == [before]


def test_a_link_that_leads_nowhere_stays_and_is_told(old):
    file_of(old).unlink()
    file_of(old).symlink_to(old / "gone.py")
    assert "gone.py, where no file is" in run()
    assert file_of(old).is_symlink()


def test_a_file_that_is_saved_while_it_is_looked_at_stays(old, monkeypatch):
    def saved_again(path: Path) -> LearnerFile:
        file = real(path)
        path.write_text("mine = 1\n", encoding="utf-8")
        return file

    real = LearnerFile.read
    monkeypatch.setattr(LearnerFile, "read", saved_again)
    assert "is being written to right now" in run(code=2)
    assert file_of(old).read_text() == "mine = 1\n"


def test_what_notepad_wrote_as_utf_16_is_brought_up_to_date_as_utf_8(old, versions):
    text = file_of(old).read_text().replace("\n", "\r\n")
    file_of(old).write_bytes(text.encode("utf-16"))
    assert "replaced by this version's stub" in run()
    assert file_of(old).read_bytes() == today(versions).replace("\n", "\r\n").encode()
    assert [each.read_bytes().decode("utf-16") for each in (old / ".minitorch" / "backups").iterdir()] == [text]


def test_a_dry_run_says_the_same_and_writes_nothing(old):
    before = {path: path.read_bytes() for path in old.rglob("*") if path.is_file()}
    said = run("--dry-run").splitlines()
    assert {path: path.read_bytes() for path in old.rglob("*") if path.is_file()} == before
    assert said[-1].startswith("nothing was written")
    done = [line for line in run().splitlines() if not line.startswith(" ")]
    assert done[:-1] == said[:-1]


def test_interrupted_between_two_writes_it_can_be_run_again(old, versions, monkeypatch):
    real = reset.write_atomically

    def stopped(path: Path, data: bytes, **options: object) -> None:
        if path == file_of(old).resolve():
            raise KeyboardInterrupt
        real(path, data, **options)

    before = file_of(old).read_bytes()
    monkeypatch.setattr(reset, "write_atomically", stopped)
    with pytest.raises(KeyboardInterrupt):
        upgrade.upgrade(old.resolve(), versions[1])
    assert file_of(old).read_bytes() == before
    monkeypatch.setattr(reset, "write_atomically", real)
    run()
    assert file_of(old).read_text() == today(versions)


def test_a_folder_that_cannot_be_written_is_told_in_one_sentence(old, monkeypatch):
    def refused(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(reset, "back_up", refused)
    assert "cannot be written: Permission denied; what was done so far holds" in run(code=2)


def test_notebooks_that_were_changed_stay(old):
    run()
    book = old / "work" / "00_start_here.ipynb"
    book.write_text("mine")
    run()
    assert book.read_text() == "mine"


def test_spanish(old):
    assert "reemplazado por el stub de esta versión" in run("--lang", "es")


def test_a_stub_that_was_never_shipped_counts_as_the_learners_own(old, versions):
    after = versions[1]
    stubs = read_shipped(upgrade.SHIPPED)["lesson_01_tiny.py"]
    assert len(stubs) == 2
    lesson = after.lessons[0]
    assert plan(old, lesson, stubs).fate is Fate.REPLACED
    assert plan(old, lesson, stubs[:1]).fate is Fate.KEPT


# -------------------------------------------------------------------------------------- the committed list


def test_todays_stubs_are_in_the_list_of_what_was_shipped():
    """After a stub has changed: MINITORCH_WRITE_GOLDEN=1 pytest tests/course/test_upgrade.py. It only ever grows."""
    known, course = read_shipped(), manifest.load()
    if os.environ.get("MINITORCH_WRITE_GOLDEN"):
        upgrade.SHIPPED.write_text(shipped_text(known, course), encoding="utf-8")
        known = read_shipped()
    missing = [
        (lesson.file_name, stub.lang)
        for lesson in course.lessons
        for stub in upgrade.todays(lesson)
        if stub not in known.get(lesson.file_name, [])
    ]
    assert missing == [], "run this test with MINITORCH_WRITE_GOLDEN=1"


def test_the_list_loses_nothing_when_it_is_written_anew(versions):
    known = read_shipped()
    once = shipped_text(known, versions[0])
    for name, stubs in known.items():
        assert all(stub.file in once and stub.frame in once for stub in stubs), name


def test_a_hash_overlooks_line_ends_and_nothing_else():
    one = "def f(x):\n    return x\n"
    assert Stub.of(one, ["f"]) == Stub.of(one.replace("\n", "\r\n"), ["f"])
    assert Stub.of(one, ["f"]) != Stub.of(one.replace("return x", "return  x"), ["f"])
