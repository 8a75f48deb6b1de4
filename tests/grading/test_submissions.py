"""What a class handed in: whose it is, what counts, and a reason for everything that is not read."""

from __future__ import annotations

import io
import os
import stat
import tarfile
import zipfile

import pytest
from grading_class import NAME, SOLUTION

from minitorch.course import manifest
from minitorch.course.course_error import CourseError
from minitorch.course.grading import archives, submissions
from minitorch.course.grading.submissions import clean_name, read_class, read_student

STEM = NAME.removesuffix(".py")


def zipped(files: dict[str, str | bytes], date=(2026, 10, 1, 12, 0, 0)) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name, date), text, zipfile.ZIP_DEFLATED)
    return data.getvalue()


def tarred(files: dict[str, str], mode="w:gz") -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode=mode) as archive:
        for name, text in files.items():
            info = tarfile.TarInfo(name)
            info.size, info.mtime = len(text.encode()), 1_790_000_000
            archive.addfile(info, io.BytesIO(text.encode()))
    return data.getvalue()


def whose(intake) -> dict[str, str]:
    return {each.student: each.place for each in intake.hand_ins}


def reasons(intake) -> str:
    return " | ".join(f"{note.student}: {note.place}: {note.reason.to('en')}" for note in intake.notes)


def test_a_folder_for_each_student(tmp_path, lessons):
    for student in ("ana", "ben"):
        (tmp_path / student / "exercises").mkdir(parents=True)
        (tmp_path / student / "exercises" / NAME).write_text(SOLUTION)
    (tmp_path / "eva").mkdir()
    intake = read_class(tmp_path, lessons)
    assert intake.students == ("ana", "ben", "eva")
    assert whose(intake) == {"ana": f"ana/exercises/{NAME}", "ben": f"ben/exercises/{NAME}"}
    assert intake.hand_ins[0].file.source == SOLUTION
    assert reasons(intake) == "eva: : nothing to grade was found"


@pytest.mark.parametrize(
    ("name", "student"),
    [
        (f"Ana García_4711_assignsubmission_file_{NAME}", "Ana García_4711"),
        (f"garciaana_12345_67890_{NAME}", "garciaana_12345"),
        (f"garciaana_LATE_12345_67891_{STEM}-2.py", "garciaana_12345"),
        (f"ana_2024_01_{NAME}", "ana_2024_01"),
        (f"ana {STEM} (1).py", "ana"),
        (f"ANA_{NAME.upper()}", "ANA"),
    ],
)
def test_files_as_moodle_and_canvas_export_them(tmp_path, lessons, name, student):
    (tmp_path / name).write_text(SOLUTION)
    assert whose(read_class(tmp_path, lessons)) == {student: name}


def test_students_whose_names_look_alike_stay_apart(tmp_path, lessons):
    for name in ("ana\u202e", "ana", "group_2024_01", "group_2024_02"):
        (tmp_path / name).mkdir()
        (tmp_path / name / NAME).write_text(SOLUTION)
    students = read_class(tmp_path, lessons).students
    assert len(students) == 4
    assert "\u202e" not in "".join(students)
    assert {"group_2024_01", "group_2024_02"} < set(students)


def test_one_student_under_two_names_is_asked_about(tmp_path, lessons):
    for name in ("Ana García", "ana_garcía", "ana"):
        (tmp_path / name).mkdir()
        (tmp_path / name / NAME).write_text(SOLUTION)
    intake = read_class(tmp_path, lessons)
    assert len(intake.students) == 3
    assert reasons(intake).startswith("ana_garcía: : Ana García is called nearly the same")
    assert reasons(intake).count("nearly the same") == 1


def test_one_zip_of_a_class_with_a_zip_for_each_and_a_folder_around_it(tmp_path, lessons):
    inner = zipped({NAME: SOLUTION})
    for name, data in {
        "flat.zip": zipped({"ana.zip": inner, "ben.zip": inner}),
        "around.zip": zipped({"term/ana.zip": inner, "term/ben.zip": inner}),
        "folders.tar.gz": tarred({f"ana/{NAME}": SOLUTION, f"ben/work/{NAME}": SOLUTION}),
        "export.zip": zipped({f"term/ana_{NAME}": SOLUTION, f"term/ben_{NAME}": SOLUTION}),
        "mixed.tar": tarred({f"term/ana/{NAME}": SOLUTION, f"term/ben/a/{NAME}": SOLUTION}, "w"),
    }.items():
        (tmp_path / name).write_bytes(data)
        assert set(whose(read_class(tmp_path / name, lessons))) == {"ana", "ben"}, name


def test_a_class_of_one_is_not_taken_for_a_folder_around_it(tmp_path, lessons):
    (tmp_path / "a.zip").write_bytes(zipped({f"ana/exercises/{NAME}": SOLUTION}))
    assert set(whose(read_class(tmp_path / "a.zip", lessons))) == {"ana"}
    (tmp_path / "b.zip").write_bytes(zipped({f"ana/{NAME}": SOLUTION}))
    assert set(whose(read_class(tmp_path / "b.zip", lessons))) == {"ana"}


def test_of_two_hand_ins_the_newest_counts_and_it_is_said(tmp_path, lessons):
    for place, text, when in (("old", "# old", 1_700_000_000), ("new", "# new", 1_800_000_000)):
        path = tmp_path / "ana" / place / NAME
        path.parent.mkdir(parents=True)
        path.write_text(text)
        os.utime(path, (when, when))
    intake = read_class(tmp_path, lessons)
    assert intake.hand_ins[0].file.source == "# new"
    assert reasons(intake) == f"ana: ana/old/{NAME}: does not count: ana/new/{NAME} is newer"


def test_a_newest_one_that_cannot_be_read_does_not_hide_the_one_before(tmp_path, lessons):
    (tmp_path / "ana" / "a").mkdir(parents=True)
    (tmp_path / "ana" / "a" / NAME).write_text(SOLUTION)
    (tmp_path / "ana" / NAME).write_bytes(b"\xff\xfe\x00")
    intake = read_class(tmp_path, lessons)
    assert intake.hand_ins[0].place == f"ana/a/{NAME}"
    assert f"ana: ana/{NAME}: " in reasons(intake)


def test_links_pipes_and_giants_are_rows_with_reasons(tmp_path, lessons):
    secret = tmp_path / "secret.py"
    secret.write_text("secret = 1")
    students = tmp_path / "class"
    for student in ("link", "pipe", "giant", "linked_folder", "folder"):
        (students / student).mkdir(parents=True)
    (students / "link" / NAME).symlink_to(secret)
    os.mkfifo(students / "pipe" / NAME)
    (students / "giant" / NAME).write_bytes(b"#" * (1 << 21))
    (students / "linked_folder" / "exercises").symlink_to(tmp_path)
    (students / "folder" / NAME).mkdir()
    intake = read_class(students, lessons)
    problems = {each.student: each.file.problem.to("en") for each in intake.hand_ins}
    assert set(problems) == {"link", "pipe", "giant"}
    assert "a link, a pipe or a device is not read" in problems["link"]
    assert problems["giant"].startswith(f"giant/{NAME} ")
    assert "secret" not in str(intake)
    assert "linked_folder: linked_folder/exercises: a link" in reasons(intake)
    assert "folder: : nothing to grade was found" in reasons(intake)


def link_in_tar() -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as archive:
        info = tarfile.TarInfo(NAME)
        info.type, info.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(info)
    return data.getvalue()


def link_in_zip() -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        info = zipfile.ZipInfo(NAME)
        info.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(info, "/etc/passwd")
    return data.getvalue()


def cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def encrypted() -> bytes:
    data = bytearray(zipped({NAME: SOLUTION}))
    at = data.index(b"PK\1\2")
    data[at + 8] |= 1
    return bytes(data)


HOSTILE = {
    "link.tar": (link_in_tar(), "a link, a pipe or a device is not read"),
    "link.zip": (link_in_zip(), "a link, a pipe or a device is not read"),
    "out.zip": (zipped({f"../../{NAME}": SOLUTION}), "leads out of the archive"),
    "out.tar": (tarred({f"/etc/{NAME}": SOLUTION}, "w"), "leads out of the archive"),
    "deep.zip": (zipped({"d/" * 40 + NAME: SOLUTION}), "too deep"),
    "bomb.zip": (zipped({NAME: b"\0" * (64 << 20)}), "packed more than 200 times"),
    "many.zip": (zipped({f"f{n}.txt": "" for n in range(2100)}), "more than 2000 files"),
    "cut.zip": (cut(zipped({NAME: os.urandom(4000)})), "cannot be read any further"),
    "cut.tar.gz": (cut(tarred({NAME: SOLUTION * 9})), "cannot be read any further"),
    "noise.zip": (b"no archive at all", "cannot be read any further"),
    "noise.tgz": (b"\x1f\x8b" + b"\xff" * 500, "cannot be read any further"),
    "secret.zip": (encrypted(), "needs a password"),
    "nested.zip": (zipped({"again.zip": zipped({NAME: SOLUTION})}), "an archive in an archive"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_students_archive_that_means_harm_is_a_row_and_the_class_is_read(tmp_path, lessons, name):
    data, reason = HOSTILE[name]
    (tmp_path / f"mal {name}").write_bytes(data)
    (tmp_path / "ana.zip").write_bytes(zipped({NAME: SOLUTION}))
    intake = read_class(tmp_path, lessons)
    told = reasons(intake) + " ".join(each.file.problem.to("en") for each in intake.hand_ins if each.file.problem)
    assert reason in told
    assert [each.student for each in intake.hand_ins if each.file.problem is None] == ["ana"]
    assert intake.students == ("ana", f"mal {name.split('.')[0]}")


def test_a_tar_that_unpacks_without_end_is_cut_off(tmp_path, lessons, monkeypatch):
    bound = archives.Bounds(2000, 1 << 20)
    monkeypatch.setattr(archives, "STUDENT", bound)
    (tmp_path / "mal.tar.gz").write_bytes(tarred({"zeros.txt": "0" * (4 << 20), NAME: SOLUTION}))
    intake = read_class(tmp_path, lessons)
    assert "unpacks to more than 1 MB" in reasons(intake)
    assert intake.hand_ins == ()


def test_what_is_no_lesson_is_told_and_what_hides_is_left_aside(tmp_path, lessons):
    (tmp_path / "ana" / ".minitorch" / "backups").mkdir(parents=True)
    (tmp_path / "ana" / ".minitorch" / "backups" / NAME).write_text("# old")
    (tmp_path / "ana" / f"._{NAME}").write_bytes(b"\0\1")
    (tmp_path / "ana" / "homework.py").write_text("")
    intake = read_class(tmp_path, lessons)
    assert intake.hand_ins == ()
    assert reasons(intake).startswith("ana: ana/homework.py: it is not named as a lesson's file is, such as")
    assert len(intake.notes) == 1


def test_files_of_lessons_that_are_not_graded_now_are_left_without_a_word(tmp_path, lessons):
    """Students hand in the whole folder, week after week."""
    (tmp_path / "ana").mkdir()
    (tmp_path / "ana" / NAME).write_text(SOLUTION)
    (tmp_path / "ana" / "lesson_05_tensor_as_node.py").write_text("")
    (tmp_path / "ana" / "lesson_05.py").write_text("")
    intake = read_class(tmp_path, lessons, manifest.load().lessons)
    assert reasons(intake).startswith("ana: ana/lesson_05.py: it is not named as a lesson's file is")
    assert len(intake.notes) == 1
    assert whose(intake) == {"ana": f"ana/{NAME}"}


def test_a_thousand_odd_files_do_not_fill_the_page(tmp_path, lessons):
    (tmp_path / "ana").mkdir()
    for number in range(100):
        (tmp_path / "ana" / f"x{number}.py").touch()
    notes = read_class(tmp_path, lessons).notes
    assert len(notes) == submissions.MOST_NOTES + 1
    assert notes[-1].reason.to("en") == f"and {100 - submissions.MOST_NOTES} notes more"


def test_a_lessons_file_that_is_nobodys_is_told(tmp_path, lessons):
    (tmp_path / NAME).write_text(SOLUTION)
    assert "no student's name stands before the file's" in reasons(read_class(tmp_path, lessons))


def test_one_students_folder(tmp_path, lessons):
    (tmp_path / NAME).write_text(SOLUTION)
    assert whose(read_student(tmp_path, "ana", lessons)) == {"ana": NAME}


def test_what_is_no_folder_and_no_archive_is_one_sentence(tmp_path, lessons):
    (tmp_path / "notes.txt").write_text("")
    with pytest.raises(CourseError, match="no folder and no archive"):
        read_class(tmp_path / "notes.txt", lessons)
    with pytest.raises(CourseError, match=r"missing\.zip"):
        read_class(tmp_path / "missing.zip", lessons)


def test_names_are_cleaned():
    assert clean_name("  a\u202en\x00a\n\tb ") == "a n a b"
    assert clean_name("\x07") == "?"
    assert len(clean_name("x" * 999)) == submissions.LONGEST_STUDENT
