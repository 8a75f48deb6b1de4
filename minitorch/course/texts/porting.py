"""Sentences of the command `minitorch port`, in English and in Spanish, by key. Its rules have theirs beside them."""

from __future__ import annotations

EN: dict[str, str] = {
    "port_folder": "{file} is a folder: name one Python file",
    "port_no_file": "there is no file {file}",
    "port_unreadable": "{file} cannot be read: {why}",
    "port_no_text": "{file} is no text: name a Python file or a notebook",
    "port_utf16": "{file} is UTF-16 text, which Python does not read: save it as UTF-8",
    "port_no_python": "{file}, line {line}: {why}",
    "port_write_notebook": "--write changes Python files alone: change the cells by the list above",
    "port_unwritten": "{file} cannot be written: {why}",
    "port_written": "{file} is written; what was there is in {backup}",
    "port_nothing": "{file}: nothing has to change",
    "port_count": "{all} changes, of which {certain} are certain (--write makes them) and {left} are left to you",
    "port_cell": "cell {cell}, line {line}",
    "port_leave_out": "(leave it out)",
}
ES: dict[str, str] = {
    "port_folder": "{file} es una carpeta: nombra un archivo de Python",
    "port_no_file": "no existe el archivo {file}",
    "port_unreadable": "{file} no se puede leer: {why}",
    "port_no_text": "{file} no es texto: nombra un archivo de Python o un cuaderno",
    "port_utf16": "{file} es texto UTF-16, que Python no lee: guárdalo como UTF-8",
    "port_no_python": "{file}, línea {line}: {why}",
    "port_write_notebook": "--write solo cambia archivos de Python: cambia las celdas según la lista de arriba",
    "port_unwritten": "{file} no se puede escribir: {why}",
    "port_written": "{file} está escrito; lo que había queda en {backup}",
    "port_nothing": "{file}: no hay nada que cambiar",
    "port_count": "{all} cambios: {certain} son seguros (los hace --write) y {left} quedan para ti",
    "port_cell": "celda {cell}, línea {line}",
    "port_leave_out": "(quítalo)",
}
