"""`minitorch grade run`: what an instructor types, and what is said of it."""

from __future__ import annotations

import re
import shutil
import zipfile
from dataclasses import replace

import pytest
from click.testing import CliRunner
from grading_class import NAME, SOLUTION, SQUARED, Here, hand_in, pretend, pretended, write_own

from minitorch.course.cli import cli
from minitorch.course.grading import commands, courses
from minitorch.course.judging.checks import judged_by, lesson_version, load_checks
from minitorch.course.judging.verdict import Kind


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A folder with a class, a course.toml and an instructor's lesson; nothing is run for real."""
    own = write_own(tmp_path / "mine")
    hand_in(tmp_path / "class", ana=SOLUTION, ben=SQUARED)
    (tmp_path / "course.toml").write_text('own_lessons = "mine"\nlessons = ["T1"]\n')
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MINITORCH_LANG", raising=False)
    monkeypatch.setattr(commands, "crew_of", lambda *_: Here(lambda job: pretend(job, own)))
    return tmp_path


def grade(*words: str, lang="en"):
    return CliRunner().invoke(cli, ["grade", *words], env={"MINITORCH_LANG": lang})


RUN = ("run", "class", "--tier", "none", "--allow-root")


def test_a_class_is_graded_and_the_same_command_goes_on(desk):
    first = grade(*RUN)
    assert first.exit_code == 0
    assert "2 students, 2 files of 1 lesson; 2 files to judge" in first.output
    assert "grades/grades.sqlite: 3 of 4 exercises passed" in first.output
    assert "0 files to judge" in grade(*RUN).output
    assert "2 files to judge" in grade(*RUN, "--again").output


def test_it_speaks_spanish(desk):
    said = grade(*RUN, lang="es").output
    assert "2 estudiantes, 2 archivos de 1 lección; 2 archivos por juzgar" in said
    assert "3 de 4 ejercicios con éxito" in said
    assert "aislamiento: ninguno" in said


@pytest.mark.parametrize("lang", ["en", "es"])
def test_one_of_anything_is_no_several(desk, monkeypatch, lang):
    """A class of one student, with one exercise that passed, one that ran out of time, and one note more than fit."""

    def judge(job):
        first, second = pretend(job, desk / "mine")
        return [first, replace(second, verdict=replace(second.verdict, kind=Kind.TIMEOUT, input="x = 3.0"))]

    monkeypatch.setattr(commands, "crew_of", lambda *_: Here(judge))
    monkeypatch.setattr(commands, "NOTES_SHOWN", 1)
    shutil.rmtree(desk / "class" / "ben")
    for name in ("a.rar", "b.rar"):
        (desk / "class" / "ana" / name).touch()
    (desk / "course.toml").write_text('own_lessons = "mine"\nlessons = ["T1"]\n[due]\nT1 = 2020-01-01\n')
    commands_typed = (RUN, ("report",), ("handout", "h.zip"), ("export", "gradescope"), ("export", "csv", "p.csv"))
    said = [grade(*words, lang=lang).output for words in commands_typed]
    said += [path.read_text("utf-8") for path in (desk / "report").rglob("*.html")]
    nouns = "students|files|lessons|notes|answers|hand-ins|exercises|pages|others|days"
    nouns += "|estudiantes|archivos|lecciones|avisos|respuestas|entregas|ejercicios|páginas|días"
    assert re.findall(rf"\b1 (?:required |obligatorios )?(?:{nouns})\b", " ".join(said)) == []
    assert "ana (half_of)" in said[0]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("run", "nowhere", "--tier", "none", "--allow-root"), "is no folder and no archive"),
        ((*RUN, "--lessons", "99"), "99"),
        ((*RUN, "--require-sandbox"), "--require-sandbox was given; nothing was run"),
        ((*RUN, "--course", "other.toml"), "other.toml"),
        (("rnu",), "did you mean run?"),
    ],
)
def test_a_slip_is_one_sentence(desk, words, said):
    done = grade(*words)
    assert done.exit_code == 2
    assert said in done.output
    assert "Traceback" not in done.output


def test_a_file_that_cannot_be_read_is_told_with_the_student(desk):
    (desk / "class" / "eva").mkdir()
    (desk / "class" / "eva" / NAME).write_bytes("# -*- coding: latin-1 -*-\n# é".encode("latin-1"))
    (desk / "class" / "uwe").mkdir()
    (desk / "class" / "uwe" / NAME).write_bytes("x = 1".encode("utf-16-le"))
    output = grade(*RUN).output
    assert f"eva: eva/{NAME}" in output
    assert f"uwe: uwe/{NAME}" in output


def test_a_folder_without_hand_ins_is_told_what_belongs_there(desk):
    (desk / "empty").mkdir()
    done = grade("run", "empty", "--tier", "none", "--allow-root")
    assert (done.exit_code, f"with files such as {NAME}" in done.output) == (2, True)


def test_points_are_of_lessons_that_were_handed_in_where_nobody_says_which(desk):
    """A run of one lesson and an export without any word do not count the other lessons as nothing."""
    (desk / "course.toml").write_text('own_lessons = "mine"\n')
    assert grade(*RUN, "--lessons", "T1").exit_code == 0
    assert grade("export", "csv").output.splitlines()[1].startswith("ana,100.0,2.0,2.0")
    assert grade("export", "csv", "--lessons", "01,T1").output.splitlines()[1].startswith("ana,50.0")
    assert grade("report").exit_code == 0
    assert "2 hand-ins of 1 lesson" in (desk / "report" / "class.html").read_text("utf-8")


def test_a_name_with_more_days_that_no_student_has_is_told_with_the_closest_one(desk):
    """It is no error: that student may hand in later. What is printed for another program stays clean."""
    with (desk / "course.toml").open("a") as file:
        file.write('[extra_days]\nbenn = 1\nana = 2\n"Zoë Ximénez" = 3\n')
    near = "course.toml: extra_days names benn, and no student is called that; the closest name is ben\n"
    other = "course.toml: extra_days names Zoë Ximénez, and no student is called that\n"
    for words in (RUN, ("report",), ("export", "csv")):
        done = grade(*words)
        assert done.exit_code == 0, done.output
        assert other + near in done.stderr
        assert "names ana" not in done.output
    assert done.stdout.startswith("student,total")
    assert "el nombre más parecido es ben" in grade("report", lang="es").stderr


def test_root_is_refused(desk, monkeypatch):
    monkeypatch.setattr("os.geteuid", lambda: 0)
    done = grade("run", "class", "--tier", "none")
    assert (done.exit_code, "--allow-root" in done.output) == (2, True)
    assert not (desk / "grades").exists()


def test_what_ran_out_of_time_is_counted_with_a_way_on(desk, monkeypatch):
    def slow(job):
        results = pretend(job, desk / "mine")
        return [replace(each, verdict=replace(each.verdict, kind=Kind.TIMEOUT, input="x = 3.0")) for each in results]

    assert "ran out of time" not in grade(*RUN).output
    monkeypatch.setattr(commands, "crew_of", lambda *_: Here(slow))
    done = grade(*RUN, "--again")
    assert done.exit_code == 0
    assert (
        "4 answers ran out of time, in a second try too, alone and with more of it: ana (twice_of, half_of), ben ("
        in (done.output)
    )
    assert "MINITORCH_PATIENCE=4" in done.output


@pytest.mark.parametrize(
    ("lang", "said"), [("en", "1 file did not come to an end"), ("es", "1 archivo sin llegar al final")]
)
def test_a_file_that_never_ends_is_no_answer_that_more_time_helps(desk, monkeypatch, lang, said):
    """Nothing in it was called: its verdicts have no input. It is named, and nobody is told to grade again."""

    def endless(job):
        late = {"kind": Kind.TIMEOUT, "input": None if job.student == "ana" else "x = 3.0"}
        return [replace(each, verdict=replace(each.verdict, **late)) for each in pretend(job, desk / "mine")]

    monkeypatch.setattr(commands, "crew_of", lambda *_: Here(endless))
    output = grade(*RUN, lang=lang).output
    assert said in output
    assert f"ana/{NAME}" in output
    assert f"ben/{NAME}" not in output
    assert ("2 answers ran" if lang == "en" else "con más: 2 respuestas") in output
    (desk / "class" / "ben" / NAME).unlink()
    (desk / "grades" / "grades.sqlite").unlink()
    assert "MINITORCH_PATIENCE" not in grade(*RUN, lang=lang).output


def test_what_could_not_be_judged_makes_the_exit_status_one(desk, monkeypatch):
    def fails(job):
        raise MemoryError("no room")

    monkeypatch.setattr(commands, "crew_of", lambda *_: Here(fails))
    done = grade(*RUN)
    assert done.exit_code == 1
    assert "could not be judged (MemoryError: no room); the next run tries again" in done.output


def test_ctrl_c_says_how_to_go_on(desk, monkeypatch):
    def interrupted(job):
        raise KeyboardInterrupt

    class Stopped(Here):
        def submit(self, job):
            return self.judge(job)

    monkeypatch.setattr(commands, "crew_of", lambda *_: Stopped(interrupted))
    done = grade(*RUN)
    assert done.exit_code == 130
    assert "stopped after 0 of 2 files; the same command goes on from there" in done.output
    assert "Traceback" not in done.output


def test_names_on_the_screen_are_clean(desk):
    hand_in(desk / "class", **{"mal\u202e\x1b[31m": "x = 1"})
    output = grade(*RUN).output
    assert "\x1b" not in output
    assert "\u202e" not in output


def test_what_was_found_is_exported(desk):
    grade(*RUN)
    assert grade("export", "csv").output.splitlines()[1].startswith("ana,100.0,2.0,2.0")
    assert grade("export", "csv", "grades.csv").output == "grades.csv: 2 students\n"
    assert (desk / "grades.csv").read_text().startswith("student,total,T1")
    assert '"diagnosis": "square"' in grade("export", "json").output
    assert "Elevaste" not in grade("export", "json").output
    assert grade("export", "junit").output.startswith("<?xml")
    assert grade("export", "gradescope").output == "gradescope: 2 students\n"
    assert sorted(path.name for path in (desk / "gradescope").iterdir()) == ["ana.json", "ben.json"]


def test_without_results_there_is_nothing_to_export(desk):
    done = grade("export", "csv")
    assert (done.exit_code, "'minitorch grade run' makes them" in done.output) == (2, True)


def test_a_mended_check_is_graded_anew_and_it_is_said_whom_it_changes(desk, monkeypatch):
    grade(*RUN)
    again = ("regrade", "--exercise", "twice_of", "--tier", "none", "--allow-root")
    hand_in(desk / "class", ben=SOLUTION)
    said = grade(*again).output
    assert "twice_of: 0 judged anew: every result is of the check as it is now." in said
    assert "Files that students have changed are read by `minitorch grade run`" in said
    checks = desk / "mine" / "lessons" / "lesson_T1_twice" / "checks.py"
    checks.write_text(checks.read_text() + "\n# mended\n")
    for cached in (courses.versions, courses.course_with, judged_by, lesson_version, load_checks):
        cached.cache_clear()
    passes = [pretended("twice_of", courses.versions(lesson(desk))["twice_of"], True)]
    monkeypatch.setattr(commands, "crew_of", lambda *_: Here(lambda job: passes))
    said = grade(*again).output
    assert "twice_of: 2 judged anew" in said
    assert "pass now (1): ben" in said
    assert grade("export", "csv").output.splitlines()[2].startswith("ben,100.0")


def lesson(desk):
    return courses.course_with(desk / "mine").lesson("T1")


def test_a_handout_and_an_autograder_are_made(desk):
    assert grade("handout", "spring.zip").output == "spring.zip: stubs and notebooks of 1 lesson, no solutions\n"
    with zipfile.ZipFile(desk / "spring.zip") as archive:
        assert f"spring/exercises/{NAME}" in archive.namelist()
    assert "show it to no student" in grade("autograder", "g.zip").output
    with zipfile.ZipFile(desk / "g.zip") as archive:
        assert {"setup.sh", "run_autograder", "key", "course.toml", f"own/solutions/{NAME}"} <= set(archive.namelist())
        assert archive.read("key") == (desk / "grades" / "key").read_bytes()
    assert "is there already" in grade("handout", "spring.zip").output
