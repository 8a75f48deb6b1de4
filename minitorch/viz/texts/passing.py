"""What is said of a backward pass, contribution by contribution, in English and in Spanish, by key."""

from __future__ import annotations

EN: dict[str, str] = {
    "no_gradient": "no gradient yet",
    "freed": "gradient freed",
    "empty": "empty",
    "norm": "norm {size}",
    "constant": "constant",
    "constant_freed": "constant, numbers freed",
    "constant_unkept": "constant, numbers not kept",
    "constant_with": "constant, with {grad}",
    "pass_before": "Step 0 of {total}. Before the backward pass: no gradient yet anywhere.",
    "pass_before_kept": "Step 0 of {total}. Before the backward pass, which starts from no gradient: those that the "
    "graph holds are left out.",
    "pass_step": "Step {step} of {total}. {happening}",
    "pass_hook": "A hook of {target} makes another gradient of it: grad = {value}.",
    "pass_seed": "Start at {target}: grad = {value}, the seed.",
    "pass_set": "{giver} sets the gradient of {target}, its first contribution: grad {arrives}.",
    "pass_add": "{giver} adds to {target}: grad {arrives}, now {value}.",
    "pass_inside": " Inside that operation, {target} goes into another of its results.",
    "pass_goes_summed": " Goes to {target}: {shape}, summed over {axes}.",
    "pass_adds_summed": " Adds to {target}: {shape}, summed over {axes}.",
    "axis": "axis {which}",
    "axes": "axes {which}",
}

ES: dict[str, str] = {
    "no_gradient": "aún sin gradiente",
    "freed": "gradiente liberado",
    "empty": "vacío",
    "norm": "norma {size}",
    "constant": "constante",
    "constant_freed": "constante, números liberados",
    "constant_unkept": "constante, números no guardados",
    "constant_with": "constante, con {grad}",
    "pass_before": "Paso 0 de {total}. Antes de la pasada hacia atrás: aún no hay ningún gradiente.",
    "pass_before_kept": "Paso 0 de {total}. Antes de la pasada hacia atrás, que parte sin ningún gradiente: los que "
    "guarda el grafo no se muestran.",
    "pass_step": "Paso {step} de {total}. {happening}",
    "pass_hook": "Un gancho de {target} lo convierte en otro gradiente: grad = {value}.",
    "pass_seed": "Se empieza en {target}: grad = {value}, la semilla.",
    "pass_set": "{giver} fija el gradiente de {target}, su primera contribución: grad {arrives}.",
    "pass_add": "{giver} suma a {target}: grad {arrives}, ahora {value}.",
    "pass_inside": " Dentro de esa operación, {target} entra en otro de sus resultados.",
    "pass_goes_summed": " Llega a {target}: {shape}, sumado sobre {axes}.",
    "pass_adds_summed": " Se suma a {target}: {shape}, sumado sobre {axes}.",
    "axis": "el eje {which}",
    "axes": "los ejes {which}",
}
