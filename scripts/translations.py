"""Notebooks in another language: each has the cells of the English one, in the same order, and says what it is made of.

They lie in a folder of the language's name, the Spanish ones in `notebooks/es/`. A Markdown cell there carries a stamp,
`metadata.of`: the hash of the English cell that it was translated from. Where the two no longer agree the translation
has grown old. A code cell has the code of the English one; comments and texts in quotes are its own.
"""

from __future__ import annotations

import ast
import hashlib
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from minitorch import course
from minitorch.course.files.stubs import FIRST_LANGUAGE
from minitorch.course.judging.verdict import Kind
from minitorch.language import languages

STAMP = "of"
WORDS_OF_A_SENTENCE = re.compile(r"\b[A-Za-z]{2,}(?: [A-Za-z]{2,}){3}\b")  # four words in a row
ENGLISH_DOCUMENT = re.compile(r"""\blang=(?:\\?"|'|&quot;)en\b""")


def folders() -> tuple[str, ...]:
    """Return the names of the folders that translated notebooks lie in: the languages other than English."""
    return tuple(lang for lang in languages() if lang != FIRST_LANGUAGE)


def language_of(path: Path) -> str:
    """Return the language of a lesson's notebook."""
    return path.parent.name if path.parent.name in folders() else FIRST_LANGUAGE


def is_translated(path: Path) -> bool:
    """Say whether this is the notebook of a lesson in another language than English."""
    return language_of(path) != FIRST_LANGUAGE


def english_of(path: Path) -> Path:
    """Return the English notebook that belongs to a translated one."""
    return path.parent.parent / path.name


def spanish_of(path: Path) -> Path:
    """Return the Spanish notebook that belongs to an English one; it need not be there."""
    return path.parent / "es" / path.name


def shown_name(path: Path) -> str:
    """Return a notebook's name as it is named in `notebooks/`."""
    return f"{language_of(path)}/{path.name}" if is_translated(path) else path.name


# --------------------------------------------------------------------------------------------------- stamps


def stamp_of(cell: dict[str, Any]) -> str:
    """Return the stamp of what is translated from this cell."""
    return hashlib.sha256("".join(cell["source"]).strip().encode()).hexdigest()[:16]


def renewed(english: dict[str, Any], translated: dict[str, Any]) -> list[str]:
    """Stamp every Markdown cell of a translated notebook anew; return the names of those that change.

    Raises ValueError when the two do not have the same cells.
    """
    if fault := _other_cells(english, translated):
        raise ValueError(fault)
    found = []
    for old, new in zip(english["cells"], translated["cells"], strict=True):
        if new["cell_type"] == "markdown" and new["metadata"].get(STAMP) != stamp_of(old):
            new["metadata"][STAMP] = stamp_of(old)
            found.append(_name(new))
    return found


# --------------------------------------------------------------------------------------------------- faults


def faults(english: dict[str, Any], translated: dict[str, Any], lang: str = "es") -> Iterator[str]:
    """Say what is wrong with a notebook in a language beside the English one."""
    if fault := _other_cells(english, translated):
        yield fault
        return
    for number, (old, new) in enumerate(zip(english["cells"], translated["cells"], strict=True), start=1):
        place = f"cell {number} ({_name(old)})"
        if new["cell_type"] == "markdown":
            stamp = new["metadata"].get(STAMP)
            if stamp is None:
                yield f"{place} has no stamp; once it is translated: python scripts/notebooks.py translated NN"
            elif stamp != stamp_of(old):
                yield f"{place} has grown old: the English one was changed after it was translated"
            continue
        if not same_code("".join(old["source"]), "".join(new["source"])):
            yield f"{place} has other code than the English one"
        if old["metadata"].get("tags") != new["metadata"].get("tags"):
            yield f"{place} has other tags than the English one"
        if fault := untranslated(old, new, lang):
            yield f"{place} {fault}"


def _other_cells(english: dict[str, Any], translated: dict[str, Any]) -> str:
    old, new = ([cell["cell_type"] for cell in each["cells"]] for each in (english, translated))
    if old == new:
        return ""
    at = next((i for i, kinds in enumerate(zip(old, new)) if kinds[0] != kinds[1]), min(len(old), len(new)))
    return f"has {len(new)} cells, and the English one {len(old)}; from cell {at + 1} on they are not the same"


def _name(cell: dict[str, Any]) -> str:
    return str(cell.get("id", "unnamed"))


# ------------------------------------------------------------------------------------------------- glossary

GLOSSARY_HEAD = """# Glosario

Cada término se explica donde aparece por primera vez; el número entre paréntesis es la lección.

| término | en el código y en inglés | significado |
|---|---|---|
"""
# what the engine raises, in English as PyTorch does: its words, and what they mean
ERRORS = (
    ("do not fit together", "las formas no encajan: alineadas por la derecha, los tamaños deben ser iguales o 1"),
    ("the inner sizes", "en `a @ b` el último tamaño de a debe ser igual al penúltimo de b"),
    ("cannot put", "reshape no añade ni quita números: la forma pedida no tiene tantos"),
    ("does not exist in shape", "el array no tiene ese eje; se cuentan desde 0, y -1 es el último"),
    ("is out of bounds", "no hay tal eje, o no hay tantas entradas en él"),
    ("backward() starts from one number", "backward empieza en un solo número: suma antes, o pásale un gradiente"),
    (
        "was freed by an earlier backward()",
        "una pasada anterior soltó el grafo: pásale a aquella `retain_graph=True`, o calcula el resultado otra vez",
    ),
    ("as in h = h.detach()", "un estado que viene de un paso anterior se corta ahí"),
    (
        "that no variable holds any more",
        "la hoja ya no tiene nombre, lo tiene un resultado: cámbiala in situ, `with no_grad(): w -= lr * w.grad`",
    ),
    (
        "a Tensor that requires grad is no array",
        "un Tensor que quiere gradiente no es un array: `t.detach().numpy()`, o `stack([…])` para una lista",
    ),
    (
        "has changed in place since",
        "se escribió en un array que la pasada hacia atrás todavía necesita: crea uno nuevo",
    ),
    (
        "a leaf that requires grad cannot be changed in place",
        "una hoja que quiere gradiente no se puede cambiar in situ mientras se registra: usa `with no_grad():`",
    ),
    (
        "do not mix",
        "los arrays tienen tipos distintos: convierte el que se nombra, como en `x.to('float32')`",
    ),
    ("does not require grad", "no se puede pedir el gradiente de una constante"),
    ("a constant has no gradient", "una constante no tiene gradiente: créala con `requires_grad=True`"),
    ("only floats can have a gradient", "solo los números con punto decimal pueden tener gradiente"),
    ("a Tensor needs lists of equal lengths", "una de las listas es más corta que su vecina"),
    ("a Tensor holds real numbers or bools", "un Tensor guarda números o valores booleanos, y recibió otra cosa"),
)
ERRORS_HEAD = """
## Los errores del motor

Los errores de `minitorch`, como los de Python, NumPy y PyTorch, están en inglés. Busca estas palabras en el que ves.

| el error dice | significa |
|---|---|
"""
ROW = re.compile(r"\| (.+) \((\w\w)\) \| .+ \| ([^:|]+): (.+) \|")


def spanish_glossary(both: str) -> str:
    """Return the glossary of whoever reads Spanish alone, in the order of the Spanish terms; then the engine's errors.

    both: that of the English folder, each row of which explains a term in both languages: `| term (05) | meaning |
    término: significado |`.
    """
    rows = [(found[3], found[2], found[1], found[4]) for line in both.splitlines() if (found := ROW.fullmatch(line))]
    told = [
        f"| {term} ({number}) | {english} | {meaning} |\n" for term, number, english, meaning in sorted(rows, key=_key)
    ]
    errors = [f"| {words} | {meaning} |\n" for words, meaning in ERRORS]
    return GLOSSARY_HEAD + "".join(told) + ERRORS_HEAD + "".join(errors)


def _key(row: tuple[str, ...]) -> tuple[str, str]:
    plain = unicodedata.normalize("NFD", row[0].lower())
    return "".join(letter for letter in plain if not unicodedata.combining(letter)), row[1]


# ----------------------------------------------------------------------------------------------------- code

OF_THE_COURSE = set(course.__all__)


def same_code(english: str, translated: str) -> bool:
    """Say whether two cells do the same, comments and texts in quotes set aside; names for the course do count."""
    if english == translated:
        return True
    try:
        return _skeleton(english) == _skeleton(translated)
    except SyntaxError:  # a command of IPython's
        return False


def _skeleton(source: str) -> str:
    return ast.dump(_Blank().visit(ast.parse(source)))


class _Blank(ast.NodeTransformer):
    """Takes the words out of a program. Of a text with fields, the fields stay, in any order."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Leave a call of the course as it is: its names are no words."""
        if isinstance(node.func, ast.Name) and node.func.id in OF_THE_COURSE:
            return node
        return self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        """Empty a text."""
        return ast.Constant("") if isinstance(node.value, str) else node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        """Keep the fields, not what stands between them, nor how wide they are."""
        fields = [each for each in node.values if isinstance(each, ast.FormattedValue)]
        parts: list[ast.expr] = [
            ast.FormattedValue(self.visit(each.value), each.conversion, _precision(each.format_spec)) for each in fields
        ]
        return ast.JoinedStr(sorted(parts, key=ast.dump))


def _precision(spec: ast.expr | None) -> ast.expr | None:
    """Return what follows the width in a field's format; columns may be wider in another language."""
    if not (isinstance(spec, ast.JoinedStr) and all(isinstance(each, ast.Constant) for each in spec.values)):
        return spec
    text = "".join(str(each.value) for each in spec.values if isinstance(each, ast.Constant))
    kept = re.sub(r"^(?:.?[<>^])?\d*", "", text)
    return ast.JoinedStr([ast.Constant(kept)])


# -------------------------------------------------------------------------------------------------- outputs


def untranslated(english: dict[str, Any], translated: dict[str, Any], lang: str = "es") -> str:
    """Say what in the output of a translated cell is still in English; or nothing."""
    if fault := verdict_untranslated(english, translated, lang):
        return fault
    for old, new in zip(_bundles(english), _bundles(translated)):
        if any(ENGLISH_DOCUMENT.search("".join(each)) for each in new.values() if isinstance(each, (str, list))):
            return "shows a picture or a page in English"
        said = "".join(new.get("text/plain", ""))
        if said == "".join(old.get("text/plain", "")) and (same := WORDS_OF_A_SENTENCE.search(said)):
            return f"says the same as in English: {same[0]} …"
    return ""


def verdict_untranslated(english: dict[str, Any], translated: dict[str, Any], lang: str = "es") -> str:
    """Say whether a verdict is not in the language where the English cell shows one; nothing is solved."""
    english_word, word = (Kind.NOT_STARTED.to(each) for each in (FIRST_LANGUAGE, lang))
    text = shown_text(translated)
    is_translated_too = (word in text) == (english_word in shown_text(english)) and english_word not in text
    named = "Spanish" if lang == "es" else lang
    return "" if is_translated_too else f"shows no verdict in {named}:\n{text}"


def shown_text(cell: dict[str, Any]) -> str:
    """Return what a cell shows, as plain text."""
    texts = [output.get("text") or output.get("data", {}).get("text/plain", "") for output in cell["outputs"]]
    return "\n".join("".join(text) for text in texts)


def _bundles(cell: dict[str, Any]) -> list[dict[str, Any]]:
    return [output["data"] for output in cell["outputs"] if "data" in output]
