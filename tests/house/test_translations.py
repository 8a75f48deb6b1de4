"""scripts/translations.py: what is seen of a Spanish notebook beside the English one."""

import copy
import os
import shutil
from pathlib import Path

import nbformat
import publish
import pytest
import translations
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

import minitorch
import notebooks as script
from minitorch.translations import FILE

GRAPH = {"text/html": '<svg lang="en">', "text/plain": "one picture of one number"}
GRAFO = {"text/html": '<svg lang="es">', "text/plain": "la figura de un solo número"}


def notebook(text: str, code: str, **data: str) -> dict:
    cells = [new_markdown_cell(text), new_code_cell(code, execution_count=1)]
    cells[1].outputs = [new_output("display_data", data=data)] if data else []
    return publish.normalise(new_notebook(cells=cells))


@pytest.fixture
def english() -> dict:
    return notebook("# A title", "print('one')", **GRAPH)


@pytest.fixture
def spanish(english) -> dict:
    """A translation that is up to date."""
    made = notebook("# Un título", "print('uno')  # sí", **GRAFO)
    translations.renewed(english, made)
    return made


def faults(english: dict, spanish: dict) -> list[str]:
    return list(translations.faults(english, spanish))


def test_a_translation_that_is_up_to_date_has_no_fault(english, spanish):
    assert faults(english, spanish) == []


def test_a_cell_whose_english_was_changed_is_named_until_somebody_has_looked(english, spanish):
    english["cells"][0]["source"] = ["# Another title"]
    assert faults(english, spanish) == [
        "cell 1 (a-title-1) has grown old: the English one was changed after it was translated"
    ]
    assert translations.renewed(english, spanish) == ["un-titulo-1"]
    assert faults(english, spanish) == []
    assert translations.renewed(english, spanish) == []


def test_a_cell_that_was_never_stamped_says_what_to_run(english, spanish):
    del spanish["cells"][0]["metadata"]["of"]
    (fault,) = faults(english, spanish)
    assert fault.startswith("cell 1 (a-title-1) has no stamp")
    assert "notebooks.py translated" in fault


def test_normalising_keeps_the_stamp(spanish):
    assert publish.normalise(spanish)["cells"][0]["metadata"]["of"] == spanish["cells"][0]["metadata"]["of"]


def test_a_cell_more_or_less_is_a_fault_and_nothing_is_stamped(english, spanish):
    less = copy.deepcopy(spanish)
    less["cells"].pop()
    assert faults(english, less) == [
        "has 1 cells, and the English one 2; from cell 2 on they are not the same",
    ]
    with pytest.raises(ValueError, match="has 1 cells"):
        translations.renewed(english, less)


def test_other_tags_are_a_fault(english, spanish):
    english["cells"][1]["metadata"]["tags"] = ["verdict"]
    assert faults(english, spanish) == ["cell 2 (a-title-2) has other tags than the English one"]


@pytest.mark.parametrize(
    ("english", "spanish", "is_same"),
    [
        ("x = 1  # one", "x = 1  # uno", True),
        ("print('one', x)", "print('uno', x)", True),
        ("x = 1", "x = 2", False),
        ("print('one', x)", "print('uno', y)", False),
        ("print(f'{a} of {b}')", "print(f'de {b}, {a}')", True),
        ("print(f'{a:>5} of {b}')", "print(f'{a:>9} de {b}')", True),
        ("print(f'{a:.2f}')", "print(f'{a:.3f}')", False),
        ("print(f'{a} of {b}')", "print(f'{a} de {a}')", False),
        ("def f(x):\n    'Twice.'\n    return 2 * x", "def f(x):\n    'Doble.'\n    return 2 * x", True),
        ("check('add')", "check('mul')", False),
        ("quiz('one')\nx", "quiz('one')\nx  # y", True),
        ("%matplotlib inline", "%matplotlib inline", True),
        ("%matplotlib inline", "%matplotlib", False),
    ],
)
def test_code_is_the_same_but_for_comments_and_words(english, spanish, is_same):
    assert translations.same_code(english, spanish) is is_same


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"text/html": '<svg lang="en">', "text/plain": "la figura"}, "a picture or a page in English"),
        ({"text/html": "<iframe srcdoc='<html lang=&quot;en&quot;>'>", "text/plain": "la figura"}, "a page in English"),
        ({"text/html": "<p>", "text/plain": "one picture of one number"}, "as in English: one picture of one"),
        ({"text/html": "<p>", "text/plain": "○ add: not started"}, "no verdict in Spanish"),
    ],
)
def test_an_output_that_is_not_in_spanish_is_seen(english, spanish, data, said):
    spanish["cells"][1]["outputs"] = [new_output("display_data", data=data)]
    (fault,) = faults(english, spanish)
    assert said in fault


def test_numbers_may_be_the_same_in_both_languages(english, spanish):
    for each in (english, spanish):
        each["cells"][1]["outputs"] = [new_output("execute_result", data={"text/plain": "array([1., 2.])"})]
    assert faults(english, spanish) == []


# ------------------------------------------------------------------------------------------ the command


@pytest.fixture
def shelf(tmp_path, monkeypatch, english, spanish):
    """A folder of one lesson in two languages, and one in English alone."""
    (tmp_path / "es").mkdir()
    for name, made in (("00_one", english), ("es/00_one", spanish), ("01_two", english)):
        (tmp_path / f"{name}.ipynb").write_text(publish.as_text(made), encoding="utf-8")
    monkeypatch.setattr(script, "NOTEBOOKS", tmp_path)
    return tmp_path


def test_a_number_names_both_languages_and_a_path_names_one(shelf):
    paths = sorted(shelf.rglob("*.ipynb"))

    def named(word: str) -> list[str]:
        return [translations.shown_name(path) for path in paths if script.is_named(path, word)]

    assert named("00") == named("00_one") == named("00_one.ipynb") == ["00_one.ipynb", "es/00_one.ipynb"]
    assert named("es/00_one") == named("es/00_one.ipynb") == ["es/00_one.ipynb"]
    assert named("02") == []


def test_check_names_what_has_grown_old_and_translated_renews_it(shelf, english, capsys):
    english["cells"][0]["source"] = ["# One more title"]
    (shelf / "00_one.ipynb").write_text(publish.as_text(publish.normalise(english)), encoding="utf-8")
    assert script.main(["check"]) == 1
    assert "es/00_one.ipynb: cell 1 (one-more-title-1) has grown old" in capsys.readouterr().out
    assert script.main(["translated", "00"]) == 0
    assert capsys.readouterr().out == "es/00_one.ipynb: un-titulo-1\n"
    assert script.main(["check"]) == 0
    before = (shelf / "es" / "00_one.ipynb").read_bytes()
    assert script.main(["translated", "00"]) == 0
    assert (shelf / "es" / "00_one.ipynb").read_bytes() == before


def test_nothing_is_stamped_unless_a_lesson_is_named(shelf, capsys):
    assert script.main(["translated"]) == 2
    assert "translated NAME" in capsys.readouterr().out


def test_on_stubs_and_in_disorder_a_notebook_runs_in_one_language(shelf):
    runs = {
        (translations.shown_name(path), mode)
        for path in sorted(shelf.rglob("*.ipynb"))
        for mode in script.RUNS
        if script.belongs(path, mode)
    }
    every = {(name, mode) for name in ("00_one.ipynb", "es/00_one.ipynb", "01_two.ipynb") for mode in script.RUNS}
    english = {(name, "spanish") for name in ("00_one.ipynb", "01_two.ipynb")}
    assert every - runs == {("es/00_one.ipynb", "stubs"), ("es/00_one.ipynb", "disorder"), *english}


@pytest.mark.gate
def test_a_spanish_notebook_is_run_in_spanish_in_every_mode(shelf, monkeypatch):
    made = new_notebook(
        cells=[new_code_cell("from minitorch.course import check"), new_code_cell('check("hello_gradient")')]
    )
    for name in ("00_one", "es/00_one"):
        (shelf / f"{name}.ipynb").write_text(publish.as_text(made), encoding="utf-8")
    assert script.main(["run", "00"]) == 0
    english, spanish = (nbformat.read(shelf / f"{name}.ipynb", as_version=4) for name in ("00_one", "es/00_one"))
    assert "not started" in translations.shown_text(english.cells[1])
    assert "sin empezar" in translations.shown_text(spanish.cells[1])
    path = shelf / "es" / "00_one.ipynb"
    shutil.copy(Path(script.__file__).parents[1] / "notebooks" / "conftest.py", shelf / "es")
    assert script.solved(path) == script.in_disorder(path) == ""
    with script.course_folder(language="es") as env:
        monkeypatch.setenv("MINITORCH_COURSE", env["MINITORCH_COURSE"])
        assert script.on_stubs(path) == ""
        path.write_text(path.read_text(encoding="utf-8").replace("sin empezar", "no empezado"), encoding="utf-8")
        assert "not passed: ○ hello_gradient: sin empezar" in script.on_stubs(path)


@pytest.fixture
def german(tmp_path, monkeypatch) -> None:
    """A language with one message."""
    (tmp_path / "de" / FILE).parent.mkdir(parents=True)
    (tmp_path / "de" / FILE).write_text('msgid "not started"\nmsgstr "nicht begonnen"\n', encoding="utf-8")
    monkeypatch.setenv("MINITORCH_LANGUAGES", str(tmp_path))


def test_a_notebook_has_the_language_of_its_folder(german):
    paths = [Path("notebooks") / folder / "01_x.ipynb" for folder in ("", "es", "de", "fr")]
    assert [translations.language_of(path) for path in paths] == ["en", "es", "de", "en"]
    assert [translations.shown_name(path) for path in paths[:3]] == ["01_x.ipynb", "es/01_x.ipynb", "de/01_x.ipynb"]
    assert translations.english_of(paths[2]) == paths[0]


@pytest.mark.parametrize(("shown", "fault"), [("nicht begonnen", ""), ("not started", "shows no verdict in de")])
def test_a_verdict_in_a_third_language(german, shown, fault):
    old, new = (notebook("# A", "check()", **{"text/plain": said}) for said in ("not started", shown))
    translations.renewed(old, new)
    told = " ".join(translations.faults(old, new, "de"))
    assert (fault in told) if fault else told == ""


def test_the_spanish_glossary_has_each_term_in_the_order_of_the_spanish_ones():
    both = "# Both\n\n| term | meaning | es |\n|---|---|---|\n"
    both += "| path (02) | a way | camino: una ruta: así |\n| axis (05) | a direction | ámbar: un eje |\n"
    assert translations.spanish_glossary(both).splitlines()[6:8] == [
        "| ámbar (05) | axis | un eje |",
        "| camino (02) | path | una ruta: así |",
    ]


def test_the_spanish_glossary_is_up_to_date():
    notebooks = Path(script.__file__).resolve().parents[1] / "notebooks"
    made = translations.spanish_glossary((notebooks / "glossary.md").read_text(encoding="utf-8"))
    path = notebooks / "es" / "glossary.md"
    if os.environ.get("MINITORCH_WRITE_GOLDEN"):
        path.write_text(made, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == made, "MINITORCH_WRITE_GOLDEN=1 with this test writes it anew"
    rows = [line for line in (notebooks / "glossary.md").read_text(encoding="utf-8").splitlines() if line[:2] == "| "]
    assert made.partition("## ")[0].count("\n| ") == len(rows)  # both have a head


def test_the_engine_says_what_the_glossary_explains():
    engine = [path for path in Path(minitorch.__file__).parent.rglob("*.py") if "course" not in path.parts]
    said = "\n".join(path.read_text(encoding="utf-8") for path in engine)
    assert [words for words, _ in translations.ERRORS if words not in said] == []
