"""What is said of folded graphs, in English and in Spanish, by key."""

from __future__ import annotations

EN: dict[str, str] = {
    "fold_operations": "{count} operations",
    "fold_nodes": "{count} nodes",
    "fold_leaves": "{count} leaves",
    "fold_constants": "{count} constants",
    "fold_outside": "{count} from outside",
    "fold_results": "{count} results",
    "fold_caption": "Folded: {shown} boxes stand for {count} nodes.",
    "fold_listing": "folded: {shown} boxes stand for {count} nodes; .text() lists each of them",
}

ES: dict[str, str] = {
    "fold_operations": "{count} operaciones",
    "fold_nodes": "{count} nodos",
    "fold_leaves": "{count} hojas",
    "fold_constants": "{count} constantes",
    "fold_outside": "{count} de fuera",
    "fold_results": "{count} resultados",
    "fold_caption": "Plegado: {shown} cajas representan {count} nodos.",
    "fold_listing": "plegado: {shown} cajas representan {count} nodos; .text() los muestra todos",
}
