"""What is said of the figures of a training at the nodes of a graph, in English and in Spanish, by key."""

from __future__ import annotations

EN: dict[str, str] = {
    "grade_title_gradient": "Gradients of the training in the graph of {root}, step {step}",
    "grade_title_update": "Updates of the training in the graph of {root}, step {step}",
    "grade_title_dead": "Dead units of the training in the graph of {root}, step {step}",
    "grade_gradient": "gradient {norm}",
    "grade_update": "update {ratio} of weight",
    "grade_dead": "dead {share} %",
    "grade_at_worst": "worst: {said}",
    "grade_fine": "fine",
    "grade_small": "small",
    "grade_large": "large",
    "grade_zero": "nothing arrives",
    "grade_still": "does not move",
    "grade_missing": "not reached",
    "grade_lost": "lost",
    "grade_vanishing": "vanishing",
    "grade_some_dead": "dead units",
    "grade_all_dead": "all dead",
    "grade_of": "of",
    "grade_figure": "figure",
    "grade_grade": "grade",
    "grade_worst": "To be looked at first: {bad}.",
    "grade_more": "; and {count} more",
    "grade_none_bad": "Nothing is bad.",
    "grade_legend_gradient": (
        "Grey: fine. Yellow: small, more than four powers of ten below the largest gradient. Ringed: "
        "vanishing, more than eight below it, 0, none, or lost to nan or inf. Rectifiers: the share of dead units, "
        "yellow from the first on, ringed where all are dead."
    ),
    "grade_legend_update": (
        "Grey: fine, within a power of ten of a thousandth of the weight. Yellow: small. Ringed: large, 0, "
        "or lost to nan or inf. Rectifiers: the share of dead units, yellow from the first on, "
        "ringed where all are dead."
    ),
    "grade_legend_dead": "Grey: no unit is dead. Yellow: some. Ringed: all of them.",
}

ES: dict[str, str] = {
    "grade_title_gradient": "Gradientes del entrenamiento en el grafo de {root}, paso {step}",
    "grade_title_update": "Cambios de los pesos en el grafo de {root}, paso {step}",
    "grade_title_dead": "Unidades muertas en el grafo de {root}, paso {step}",
    "grade_gradient": "gradiente {norm}",
    "grade_update": "cambio de {ratio} del peso",
    "grade_dead": "muertas: {share} %",
    "grade_at_worst": "peor: {said}",
    "grade_fine": "bien",
    "grade_small": "pequeño",
    "grade_large": "grande",
    "grade_zero": "no llega nada",
    "grade_still": "no se mueve",
    "grade_missing": "no llega",
    "grade_lost": "perdido",
    "grade_vanishing": "se desvanece",
    "grade_some_dead": "hay muertas",
    "grade_all_dead": "todas muertas",
    "grade_of": "de",
    "grade_figure": "cifra",
    "grade_grade": "valoración",
    "grade_worst": "Lo primero que hay que mirar: {bad}.",
    "grade_more": "; y {count} más",
    "grade_none_bad": "No hay nada malo.",
    "grade_legend_gradient": (
        "Gris: bien. Amarillo: pequeño, más de cuatro potencias de diez por debajo del gradiente mayor. Con anillo: "
        "se desvanece, más de ocho por debajo, es 0, falta o se ha perdido en nan o inf. Rectificadores: la "
        "parte de unidades muertas, en amarillo desde la primera, con anillo si lo están todas."
    ),
    "grade_legend_update": (
        "Gris: bien, a lo sumo a una potencia de diez de una milésima del peso. Amarillo: pequeño. Con anillo y "
        "oscuro: grande, 0 o perdido en nan o inf. Rectificadores: la parte de unidades muertas, en amarillo "
        "desde la primera, con anillo si lo están todas."
    ),
    "grade_legend_dead": "Gris: ninguna unidad muerta. Amarillo: algunas. Con anillo: todas.",
}
