"""What is said of a step that is replayed, in English and in Spanish, by key."""

from __future__ import annotations

EN: dict[str, str] = {
    "program_title": "A step, replayed: {calls}",
    "program_calls": "{count} calls",
    "program_calls_one": "1 call",
    "program_update": "gradients and update",
    "program_row": "{operation} · {calls}",
    "program_memory": "memory that stays",
    "program_kept": "it lives on after the step",
    "program_told": "{calls}: {forward} forward, {backward} backward, {update} for gradients and the update.",
    "program_places": "{results} results lie in {places} pieces of memory, {size} in all.",
    "program_shared": "Piece {piece} is used most often: {names}, one after the other.",
    "program_left_out": "Not drawn: {places} smaller pieces of memory; the text has all of them.",
    "program_rows_left_out": "Not drawn: the last {rows} rows; the text has all of them.",
    "program_column_line": "line",
    "program_column_call": "call",
    "program_column_operation": "operation",
    "program_column_memory": "memory",
    "program_more": "… and {count} more lines",
}

ES: dict[str, str] = {
    "program_title": "Un paso que se repite: {calls}",
    "program_calls": "{count} llamadas",
    "program_calls_one": "1 llamada",
    "program_update": "gradientes y ajuste",
    "program_row": "{operation} · {calls}",
    "program_memory": "memoria que permanece",
    "program_kept": "sigue viva después del paso",
    "program_told": "{calls}: {forward} hacia adelante, {backward} hacia atrás, {update} para gradientes y el ajuste.",
    "program_places": "{results} resultados ocupan {places} trozos de memoria, {size} en total.",
    "program_shared": "El trozo {piece} es el que más se usa: {names}, uno tras otro.",
    "program_left_out": "Sin dibujar: {places} trozos de memoria más pequeños; el texto los tiene todos.",
    "program_rows_left_out": "Sin dibujar: las últimas {rows} filas; el texto las tiene todas.",
    "program_column_line": "línea",
    "program_column_call": "llamada",
    "program_column_operation": "operación",
    "program_column_memory": "memoria",
    "program_more": "… y {count} líneas más",
}
