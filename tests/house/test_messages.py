"""scripts/messages.py: which messages the code has, and what is wrong with a language's file."""

from __future__ import annotations

import ast

import messages
import pytest

from minitorch.language import Message
from minitorch.translations import FILE

SPANISH = messages.LOCALE / "es"
CODE = '''
import click
from x import Message, N_, Wrong, counted, gettext, ngettext

Message("one {a}", a=1)
gettext("two " "halves")
Wrong("three" if a else f"{b}", hint=1)
f"{gettext('four')} {Message('{signs}: {alone}')}"
TABLE = {"key": N_("five")}
ngettext("one node", "{count} nodes", n)
Message.counted("one edge", "{count} edges", n, x="no message")
words.counted(one, many, n)
Message(key)
print("no message")

@cli.command()
@click.option("--x", help="Six.")
def seven(x):
    """Seven.

    \\b
        minitorch seven
    """
'''


def said(source: str) -> list[messages.Key]:
    return [key for key in messages.in_code(source) if messages.has_words(key)]


def test_what_is_read_off_code():
    assert sorted(map(str, said(CODE))) == sorted(
        map(
            str,
            [
                "one {a}",
                "two halves",
                "three",
                "four",
                "five",
                "Six.",
                "Seven.",
                "    minitorch seven",
                ("one node", "{count} nodes"),
                ("one edge", "{count} edges"),
            ],
        )
    )


def test_every_message_is_translated_and_none_is_stale():
    assert [*messages.faults(SPANISH)] == []


def test_no_message_is_put_together_in_the_code():
    """An f-string has no English that a translation could be found by; what only authors of lessons meet is English."""
    found = []
    for path in [*(messages.ROOT / "minitorch").rglob("*.py"), *(messages.ROOT / "site").glob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = getattr(node.func, "attr", getattr(node.func, "id", "")) if isinstance(node, ast.Call) else ""
            called = name in (messages.ONE | messages.SEVERAL) - {"CourseError"}
            if called and node.args and isinstance(node.args[0], (ast.JoinedStr, ast.BinOp)):
                found.append(f"{path.name}, line {node.lineno}")
    assert found == []


def test_the_file_is_as_update_writes_it(tmp_path):
    path = tmp_path / "es" / FILE
    path.parent.mkdir(parents=True)
    path.write_bytes((SPANISH / FILE).read_bytes())
    assert messages.update(tmp_path / "es") == []
    assert path.read_bytes() == (SPANISH / FILE).read_bytes(), "run `make translations`"


@pytest.fixture
def german(tmp_path, monkeypatch):
    """A language whose file was begun, and a root with one module of code."""
    (tmp_path / "minitorch").mkdir()
    (tmp_path / "minitorch" / "a.py").write_text(
        'Message("the {row} is wrong")\nngettext("one node", "{count} nodes", 3)\nN_("the loss")\n', encoding="utf-8"
    )
    monkeypatch.setattr(messages, "ROOT", tmp_path)
    monkeypatch.setattr(messages.messages, "__defaults__", (tmp_path,))
    messages.update(tmp_path / "de")
    return tmp_path / "de"


def edit(folder, old: str, new: str) -> None:
    path = folder / FILE
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_a_new_language_has_each_message_empty_and_they_are_named_with_their_file(german):
    assert [*messages.faults(german)] == [
        'minitorch/a.py: not translated: "the {row} is wrong"',
        'minitorch/a.py: not translated: "one node"',
        'minitorch/a.py: not translated: "the loss"',
    ]


def translated(folder) -> None:
    edit(folder, 'wrong"\nmsgstr ""', 'wrong"\nmsgstr "die {row} stimmt nicht"')
    edit(folder, 'msgstr[0] ""\nmsgstr[1] ""', 'msgstr[0] "ein Knoten"\nmsgstr[1] "{count} Knoten"')
    edit(folder, 'loss"\nmsgstr ""', 'loss"\nmsgstr "der Verlust"')


def test_what_is_translated_is_kept_and_what_the_code_no_longer_says_is_taken_out(german, monkeypatch):
    translated(german)
    assert [*messages.faults(german)] == []
    code = german.parent / "minitorch" / "a.py"
    code.write_text(code.read_text(encoding="utf-8").replace('N_("the loss")', 'N_("the risk")'), encoding="utf-8")
    assert [*messages.faults(german)] == [
        'minitorch/a.py: not translated: "the risk"',
        'the code does not say "the loss"',
    ]
    assert messages.update(german) == ["the loss"]
    assert "die {row} stimmt nicht" in (german / FILE).read_text(encoding="utf-8")
    monkeypatch.setenv("MINITORCH_LANGUAGES", str(german.parent))
    assert Message("the {row} is wrong", row="Zeile").to("de") == "die Zeile stimmt nicht"


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("die {row}", "die {Zeile}", 'has other fields than "the {row} is wrong"'),
        ("die {row}", "die Zeile", 'has other fields than "the {row} is wrong"'),
        ("ein Knoten", "{n} Knoten", 'has other fields than "one node"'),
        ('\nmsgid "the loss"', '\n#, fuzzy\nmsgid "the loss"', 'marked fuzzy, so not shown: "the loss"'),
        ('msgstr[1] "{count} Knoten"\n', "", 'not translated: "one node"'),
        ('msgid "the loss"', 'loose\nmsgid "the loss"', "minitorch.po cannot be read"),
    ],
)
def test_what_is_wrong_is_red_with_file_and_sentence(german, capsys, old, new, fault):
    translated(german)
    edit(german, old, new)
    assert messages.main(["check", str(german)]) == 1
    assert fault in capsys.readouterr().out
