"""Every sentence about a learner's file or notebook that cannot be read."""

from __future__ import annotations

EN = {
    # no text
    "text_no_utf8": (
        "{file}, line {line}, is not UTF-8 text (“{text}”): open the file in your editor and save it with the encoding "
        "UTF-8"
    ),
    "text_coding": (
        "{file}, line {line}, says that it is written in {encoding}: delete that line, and save the file with the "
        "encoding UTF-8"
    ),
    "text_no_mark": (
        "{file} is UTF-16 text without a byte order mark: open it in your editor and save it with the encoding UTF-8"
    ),
    "text_damaged": "{file} begins as {encoding} text and is damaged further down",
    "text_null": "{file}, line {line}, holds a null byte, which no text has: delete it, or write the line anew",
    "text_nulls": "{file} holds nothing but null bytes, as after a crash while it was saved",
    "text_pointer": "{file} is a pointer of Git LFS, not the file itself: `git lfs pull` gets the file",
    "text_page": "{file} is a web page, not the file itself: download the file anew",
    # an exercise file
    "file_lost": (
        "{why}. An older copy may lie in .minitorch/backups; `minitorch reset {stem}` writes the stub, and keeps what "
        "is there"
    ),
    "file_link": "{file} is a link to {target}, where no file is; `minitorch reset {stem}` writes the stub there",
    # a notebook
    "notebook_empty": "{file} is empty ({bytes} bytes)",
    "notebook_conflict": (
        "{file}, line {line}, is a mark of a merge conflict: git left both versions there. Keep one of them, and "
        "delete the lines that begin with <<<<<<<, ======= and >>>>>>>"
    ),
    "notebook_cut": "{file} was cut off: it ends in the middle",
    "notebook_no_json": "{file} is no notebook: it is not JSON from line {line} on",
    "notebook_no_cells": "{file} is no notebook: it is JSON, but holds no cells of a notebook",
    "notebook_old": "{file} has the old notebook format {format}: open it in JupyterLab and save it",
    "notebook_no_outputs": (
        "{file} keeps no outputs to compare with: `minitorch init DIR --outputs` lays out copies that do, and "
        "`minitorch check --notebooks` compares without them"
    ),
    "notebook_mark": (
        "{file} begins with a byte order mark, and Jupyter opens no such notebook: save it as UTF-8 without one"
    ),
    "notebook_way_out": (
        "{why}. To start anew, rename it, so that it stays yours; `minitorch upgrade` then brings the lesson's notebook"
    ),
    "notebook_kept": (
        "{why}. JupyterLab kept your last save: copy {kept} to {file}, after you renamed the one that is there"
    ),
    # no Python
    "syntax": "Python cannot read the file: {text}",
    "syntax_number": "Python cannot read the file: {text}. A product needs its sign: write 2 * x for 2x",
    "syntax_bars": "Python cannot read the file: {text}. The size |a| is written abs(a)",
    "syntax_conflict": (
        "Python cannot read the file: line {line} is a mark of a merge conflict: git left both versions there. Keep "
        "one of them, and delete the lines that begin with <<<<<<<, ======= and >>>>>>>"
    ),
    "syntax_tabs": (
        "Python cannot read the file: tabs and spaces are mixed in the indentation of line {line}: indent every line "
        "with spaces, four for each step"
    ),
    "syntax_written": (
        "Python cannot read the file: {shown} in line {line} is no Python, as in text from a web page: write {instead} "
        "in its place"
    ),
    "syntax_character": (
        "Python cannot read the file: {shown} in line {line} is no Python: delete it, or write it in Python's own signs"
    ),
    "syntax_blank": (
        "Python cannot read the file: {shown} in line {line} is an invisible character, as in text from a web page: "
        "write a blank in its place"
    ),
    "syntax_invisible": (
        "Python cannot read the file: {shown} in line {line} is an invisible character, as in text from a web page: "
        "delete it"
    ),
    "syntax_end": (
        "Python cannot read the file: {text}. The file ends before that is complete. If its last lines are lost, copy "
        "the end back from .minitorch/backups or your editor's history"
    ),
}
ES = {
    "text_no_utf8": (
        "la línea {line} de {file} no es texto UTF-8 («{text}»): abre el archivo en tu editor y guárdalo con la "
        "codificación UTF-8"
    ),
    "text_coding": (
        "la línea {line} de {file} dice que está escrito en {encoding}: borra esa línea y guarda el archivo con la "
        "codificación UTF-8"
    ),
    "text_no_mark": (
        "{file} es texto UTF-16 sin marca de orden de bytes: ábrelo en tu editor y guárdalo con la codificación UTF-8"
    ),
    "text_damaged": "{file} empieza como texto {encoding} y más abajo está dañado",
    "text_null": (
        "la línea {line} de {file} contiene un byte nulo, que ningún texto tiene: bórralo, o escribe la línea de nuevo"
    ),
    "text_nulls": "{file} solo contiene bytes nulos, como después de un fallo mientras se guardaba",
    "text_pointer": "{file} es un puntero de Git LFS, no el propio archivo: `git lfs pull` trae el archivo",
    "text_page": "{file} es una página web, no el propio archivo: descarga el archivo de nuevo",
    "file_lost": (
        "{why}. Puede haber una copia anterior en .minitorch/backups; `minitorch reset {stem}` escribe el stub y "
        "guarda lo que hay"
    ),
    "file_link": (
        "{file} es un enlace a {target}, donde no hay ningún archivo; `minitorch reset {stem}` escribe ahí el stub"
    ),
    "notebook_empty": "{file} está vacío ({bytes} bytes)",
    "notebook_conflict": (
        "la línea {line} de {file} es una marca de un conflicto de fusión: git dejó ahí las dos versiones. Quédate con "
        "una y borra las líneas que empiezan con <<<<<<<, ======= y >>>>>>>"
    ),
    "notebook_cut": "{file} está cortado: termina a la mitad",
    "notebook_no_json": "{file} no es un cuaderno: desde la línea {line} no es JSON",
    "notebook_no_cells": "{file} no es un cuaderno: es JSON, pero no contiene celdas de un cuaderno",
    "notebook_old": "{file} tiene el formato de cuaderno {format}, antiguo: ábrelo en JupyterLab y guárdalo",
    "notebook_no_outputs": (
        "{file} no conserva salidas con las que comparar: `minitorch init CARPETA --outputs` crea copias que sí, y "
        "`minitorch check --notebooks` compara sin ellas"
    ),
    "notebook_mark": (
        "{file} empieza con una marca de orden de bytes, y Jupyter no abre un cuaderno así: guárdalo como UTF-8 "
        "sin ella"
    ),
    "notebook_way_out": (
        "{why}. Para empezar de nuevo, cámbiale el nombre, y así lo conservas; luego `minitorch upgrade` trae el "
        "cuaderno de la lección"
    ),
    "notebook_kept": (
        "{why}. JupyterLab guardó tu última versión: cambia el nombre del archivo que hay y copia {kept} a {file}"
    ),
    "syntax": "Python no entiende el archivo: {text}",
    "syntax_number": "Python no entiende el archivo: {text}. Un producto necesita su signo: escribe 2 * x, no 2x",
    "syntax_bars": "Python no entiende el archivo: {text}. El tamaño |a| se escribe abs(a)",
    "syntax_conflict": (
        "Python no entiende el archivo: la línea {line} es una marca de un conflicto de fusión: git dejó ahí las dos "
        "versiones. Quédate con una y borra las líneas que empiezan con <<<<<<<, ======= y >>>>>>>"
    ),
    "syntax_tabs": (
        "Python no entiende el archivo: en la sangría de la línea {line} se mezclan tabuladores y espacios: usa "
        "solo espacios en todas las líneas, cuatro por nivel"
    ),
    "syntax_written": (
        "Python no entiende el archivo: {shown} en la línea {line} no es Python, como en texto de una página web: "
        "escribe {instead} en su lugar"
    ),
    "syntax_character": (
        "Python no entiende el archivo: {shown} en la línea {line} no es Python: bórralo, o escríbelo con los signos "
        "de Python"
    ),
    "syntax_blank": (
        "Python no entiende el archivo: {shown} en la línea {line} es un carácter invisible, como en texto de una "
        "página web: escribe un espacio en su lugar"
    ),
    "syntax_invisible": (
        "Python no entiende el archivo: {shown} en la línea {line} es un carácter invisible, como en texto de una "
        "página web: bórralo"
    ),
    "syntax_end": (
        "Python no entiende el archivo: {text}. El archivo termina antes de que eso esté completo. Si se perdieron "
        "sus últimas líneas, recupera el final de .minitorch/backups o del historial de tu editor"
    ),
}
