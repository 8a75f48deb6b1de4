"""What is said of folded graphs, in English and in Spanish, by key."""

from __future__ import annotations

EN: dict[str, str] = {
    "keys_pass": (
        "= sets a gradient, += adds to it. ← → one step, Home, End; space plays. ↑ ↓ walk the graph, then ← → beside; "
        "Enter or a click: details. Drag moves; click, then the wheel zooms."
    ),
    "keys_folded": " A click on + opens a group, Escape closes it; a pass steps over what is closed.",
    "keys_graph": "↑ ↓ ← → walk the graph; Enter or a click: details. Drag moves; click, then the wheel zooms.",
    "fold_operations": "{count} operations",
    "fold_nodes": "{count} nodes",
    "fold_leaves": "{count} leaves",
    "fold_constants": "{count} constants",
    "fold_outside": "{count} from outside",
    "fold_results": "{count} results",
    "fold_arrows": "{count} contributions",
    "fold_reached": "{done} of {total} gradients",
    "fold_inside": "Steps {first} to {last} of {total} happen inside {group}: {count} contributions.",
    "fold_during": "Inside {group}: {sentence}",
    "fold_search": "search: a name, an operation, a shape",
    "fold_found": "{place} of {count}",
    "fold_lost": "not found",
    "fold_overview": "overview",
    "fold_caption": "Folded: {shown} boxes stand for {count} nodes.",
    "fold_listing": "folded: {shown} boxes stand for {count} nodes; .text() lists each of them",
}

ES: dict[str, str] = {
    "keys_pass": (
        "= fija un gradiente, += le suma. ← → un paso, Inicio, Fin; la barra espaciadora reproduce. ↑ ↓ recorren el "
        "grafo, y luego ← → los lados; Intro o un clic: detalles. Arrastrar mueve; un clic, y la rueda acerca."
    ),
    "keys_folded": " Un clic en + abre un grupo, Escape lo cierra; lo cerrado se pasa de un salto.",
    "keys_graph": (
        "↑ ↓ ← → recorren el grafo; Intro o un clic: detalles. Arrastrar mueve; un clic, y la rueda acerca."
    ),
    "fold_operations": "{count} operaciones",
    "fold_nodes": "{count} nodos",
    "fold_leaves": "{count} hojas",
    "fold_constants": "{count} constantes",
    "fold_outside": "{count} de fuera",
    "fold_results": "{count} resultados",
    "fold_arrows": "{count} contribuciones",
    "fold_reached": "{done} de {total} gradientes",
    "fold_inside": "Los pasos {first} a {last} de {total} ocurren dentro de {group}: {count} contribuciones.",
    "fold_during": "Dentro de {group}: {sentence}",
    "fold_search": "buscar: un nombre, una operación, una forma",
    "fold_found": "{place} de {count}",
    "fold_lost": "no está",
    "fold_overview": "vista general",
    "fold_caption": "Plegado: {shown} cajas representan {count} nodos.",
    "fold_listing": "plegado: {shown} cajas representan {count} nodos; .text() los muestra todos",
}
