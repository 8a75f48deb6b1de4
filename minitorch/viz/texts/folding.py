"""What is said of folded graphs, in English and in Spanish, by key."""

from __future__ import annotations

EN: dict[str, str] = {
    "fold_keys": " A click on + opens a group, Escape closes it.",
    "fold_keys_pass": " A pass steps over what is closed.",
    "fold_leaves": "{count} leaves",
    "fold_constants": "{count} constants",
    "fold_outside": "{count} from outside",
    "fold_results": "{count} results",
    "fold_arrows": "{count} contributions",
    "fold_reached": "{done} of {total} gradients",
    "fold_inside": "Steps {first} to {last} of {total} happen inside {group}: {count} contributions.",
    "fold_during": "Inside {group}: {sentence}",
    "fold_closed": "stays closed",
    "fold_closed_why": "This group does not open: the picture has {most} boxes already. Draw a Tensor of it by itself.",
    "fold_search": "search: a name, an operation, a shape",
    "fold_found": "{place} of {count}",
    "fold_lost": "not found",
    "fold_overview": "overview",
    "fold_caption": "Folded: {shown} boxes stand for {count} nodes.",
    "fold_listing": "folded: {shown} boxes stand for {count} nodes; .text() lists each of them",
}

ES: dict[str, str] = {
    "fold_keys": " Un clic en + abre un grupo, Escape lo cierra.",
    "fold_keys_pass": " Un grupo cerrado se recorre de un salto.",
    "fold_leaves": "{count} hojas",
    "fold_constants": "{count} constantes",
    "fold_outside": "{count} de fuera",
    "fold_results": "{count} resultados",
    "fold_arrows": "{count} contribuciones",
    "fold_reached": "{done} de {total} gradientes",
    "fold_inside": "Los pasos {first} a {last} de {total} ocurren dentro de {group}: {count} contribuciones.",
    "fold_during": "Dentro de {group}: {sentence}",
    "fold_closed": "no se abre",
    "fold_closed_why": (
        "Este grupo no se abre: la imagen ya tiene {most} cajas. Dibuja por separado un tensor de su interior."
    ),
    "fold_search": "buscar: un nombre, una operación, una forma",
    "fold_found": "{place} de {count}",
    "fold_lost": "no está",
    "fold_overview": "vista general",
    "fold_caption": "Plegado: {shown} cajas representan {count} nodos.",
    "fold_listing": "plegado: {shown} cajas representan {count} nodos; .text() los muestra todos",
}
