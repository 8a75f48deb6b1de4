"""scripts/prose.py: each rule finds its wrong sentence, and what is red today is on the list, which only shrinks."""

import json

import prose
import prose_texts
import pytest

TERM = {"01": {"leaf|leaves": "hoja"}}


@pytest.fixture(scope="module")
def red() -> list[prose.Hit]:
    return prose.everything()


def found(rule: prose.Rule, sentence: str) -> list[str]:
    """Return the forms that a rule finds in a sentence, in the first kind of text that it is for."""
    kind = rule.kinds[0] if rule.kinds else "page"
    text = prose_texts.Text(kind, rule.language, prose_texts.plain(kind, sentence))
    return [hit.form for hit in prose.hits("sentence", text) if hit.rule == rule.name]


@pytest.mark.parametrize("rule", prose.rules(), ids=lambda rule: rule.name)
def test_a_rule_finds_its_wrong_sentence_and_not_its_right_one(rule):
    assert found(rule, rule.wrong)
    assert found(rule, rule.right) == []
    assert rule.write
    assert set(rule.kinds) <= prose_texts.KINDS


def test_no_two_rules_have_one_name():
    names = [rule.name for rule in prose.rules()]
    assert len(names) == len(set(names))


def test_what_is_red_is_what_the_list_has(red):
    counts, today = prose.counted(red), prose.listed()
    beyond = prose.above(counts, today)
    assert [str(hit) for hit in red if (hit.path, hit.rule) in beyond] == [], "write what is proposed"
    assert prose.above(today, counts) == set(), "run python scripts/prose.py --update"
    assert prose.TODAY.read_text(encoding="utf-8") == prose.written(today)


def lines_of(root, name: str, text: str) -> list[str]:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return [str(hit) for hit in prose.banned(root)]


def test_a_form_is_named_with_file_line_and_replacement(tmp_path):
    (line,) = lines_of(
        tmp_path, "docs/made-up.md", "# Title\n\nThe gradient goes back through\nthe whole table of slopes.\n"
    )
    assert line.startswith("docs/made-up.md:4: 'table of slopes' (table-of-slopes): write matrix, array or Jacobian")


def test_a_form_is_found_across_lines_and_not_in_code(tmp_path):
    text = "A table of\nslopes, but not `a table of slopes` and not\n\n```python\ntable of slopes\n```\n"
    (line,) = lines_of(tmp_path, "README.md", text)
    assert line.startswith("README.md:1: 'table of slopes'")


def test_a_notebook_is_read_by_the_lines_of_its_file(tmp_path):
    cells = [
        {"cell_type": "code", "source": ["so_much = 'So much for this.'"], "outputs": []},
        {"cell_type": "markdown", "source": ["## Title\n", "\n", "So much for this. $out = 1$"]},
    ]
    text = json.dumps({"cells": cells}, indent=1, ensure_ascii=False)
    row = 1 + [line.strip() for line in text.split("\n")].index('"So much for this. $out = 1$"')
    found = lines_of(tmp_path, "notebooks/01_made_up.ipynb", text)
    assert [line.partition(" (")[0] for line in found] == [
        f"notebooks/01_made_up.ipynb:{row}: 'So much for'",
        f"notebooks/01_made_up.ipynb:{row}: 'out'",
    ]


def test_docstrings_comments_and_messages_are_read(tmp_path):
    text = '"""What it holds.\n\nSo much for it.\n"""\n\nx = 1  # so much for x\nraise ValueError(f"so much for {x}")\n'
    found = lines_of(tmp_path, "minitorch/made_up.py", text)
    assert sorted(line.split(" ")[0].split(":")[1] + line.partition("(")[2].partition(")")[0] for line in found) == [
        *("1opens-with-what", "3so-much-for", "6so-much-for", "7so-much-for"),
    ]


def test_lessons_and_catalogues_are_read_by_language(tmp_path):
    (line,) = lines_of(
        tmp_path, "minitorch/lesson.toml", '[hint]\nen = "0,5 is a pair."\nes = "Aquí es 0,5 al final."\n'
    )
    assert line.startswith("minitorch/lesson.toml:3: '0,5' (coma-decimal)")
    (tmp_path / "minitorch/lesson.toml").unlink()
    (line,) = lines_of(tmp_path, "minitorch/es.po", 'msgid "0,5 here"\nmsgstr ""\n"Aquí es 0,5 al final."\n')
    assert line.startswith("minitorch/es.po:3: '0,5' (coma-decimal)")


def course(root, cell: str, head: str):
    """Write a course of one lesson and a glossary, in both languages."""
    for folder in (root / "notebooks", root / "notebooks" / "es"):
        folder.mkdir(parents=True)
        notebook = {"cells": [{"cell_type": "markdown", "source": [cell]}]}
        (folder / "01_made_up.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
        (folder / "glossary.md").write_text(f"| term | meaning |\n|---|---|\n{head}", encoding="utf-8")
    return [(hit.rule, hit.form) for hit in prose.vocabulary(root, TERM)]


ROW = "| leaf (01) | a node without parents |\n| hoja (leaf) (01) | un nodo sin padres |\n"


@pytest.mark.parametrize(
    ("cell", "head", "rules"),
    [
        ("A **leaf** is made by hand: una **hoja**.", ROW, []),
        ("Two **leaves**, dos **hojas**.", ROW.replace("leaf (01)", "leaf (02)"), ["term-in-glossary"]),
        ("A leaf, una hoja.", ROW, ["term-in-bold", "term-in-bold"]),
        ("A **node**.", ROW, ["term-in-its-lesson", "term-in-its-lesson"]),
        ("A **leaf**, una **hoja**.", ROW + ROW, ["term-in-glossary", "term-in-glossary"]),
    ],
)
def test_a_term_is_used_in_bold_in_its_lesson_and_defined_once(tmp_path, cell, head, rules):
    assert sorted(rule for rule, _ in course(tmp_path, cell, head)) == rules


def test_a_lesson_introduces_every_term_in_both_languages():
    terms = prose.lessons()
    assert all(english and spanish for each in terms.values() for english, spanish in each.items())
    names = [english for each in terms.values() for english in each]
    assert len(names) == len(set(names))


LISTED = {"a.md": {"whoever": 3, "bend": 1}, "gone.md": {"walk": 2}}
NOW = {"a.md": {"whoever": 5}, "b.md": {"walk": 1}}


def test_the_update_never_raises_a_number():
    assert prose.lowered(LISTED, NOW) == {"a.md": {"whoever": 3, "bend": 0}}
    assert "bend" not in prose.written(prose.lowered(LISTED, NOW))


def test_the_command_names_what_is_new_and_lowers_the_rest(tmp_path, monkeypatch, capsys):
    hits = [prose.Hit("a.md", 7, "whoever", "whoever", "a learner")] * 5 + [
        prose.Hit("b.md", 2, "walk", "walk", "traverse")
    ]
    monkeypatch.setattr(prose, "everything", lambda: hits)
    monkeypatch.setattr(prose, "TODAY", tmp_path / "today.toml")
    prose.TODAY.write_text(prose.written(LISTED), encoding="utf-8")
    assert prose.main([]) == 1
    assert "a.md:7: 'whoever' (whoever): write a learner\n" in capsys.readouterr().out
    assert prose.main(["--update"]) == 1
    assert prose.listed() == {"a.md": {"whoever": 3}}
    with pytest.raises(SystemExit):
        prose.main(["--start", "whoever"])
    assert "may only go down" in capsys.readouterr().err
    assert prose.main(["--start", "walk"]) == 1
    assert prose.listed() == {"a.md": {"whoever": 3}, "b.md": {"walk": 1}}
