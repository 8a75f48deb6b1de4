"""What the board of a training says, in English and in Spanish, by key."""

from __future__ import annotations

EN: dict[str, str] = {
    "board_title": "Training",
    "board_before": "Before the first step.",
    "board_now": "Step {step}.",
    "board_loss": "Loss {loss}: at first {first}, smallest {low} at step {at}.",
    "board_valid": "On other data {loss} at step {at}.",
    "board_no_loss": "No loss was told: write board.loss(loss) in the loop.",
    "board_finished": "{steps} steps.",
    "board_finished_one": "One step.",
    "board_interrupted": "Interrupted after {steps} steps.",
    "board_interrupted_one": "Interrupted after one step.",
    "board_failed": "Ended by an error after {steps} steps.",
    "board_failed_one": "Ended by an error after one step.",
    "board_largest": "Largest gradient: {name}, norm {norm}.",
    "board_dead": "{name}: {dead} of {units} units let no gradient through for a whole batch.",
    "board_birth_loss": (
        "The loss of step {step} is {value}. It was born in the forward pass of that step: every gradient before it "
        "and every parameter was finite."
    ),
    "board_birth_weight": (
        "The update of step {step} made {name} {value}: the step was too long, and the loss after it is lost."
    ),
    "board_birth_gradient": ("In step {step} the gradient of {name} was the first to become {value}{through}{others}."),
    "board_through": ", through {op}",
    "board_others": "; {count} more followed in that step",
    "board_gradient": "gradient norm",
    "board_ratio": "update / weight",
    "board_units": "dead units: for a whole batch, no gradient goes through",
    "board_relu": "{kind} {number}",
    "board_relus": "all rectifiers",
    "board_several": "{name} ({count})",
    "board_group": "{name} ({count} parameters)",
    "board_whole": "all parameters",
    "board_range": "{low} to {high}",
    "board_dashed": "Dashed: an update of a thousandth of the weight, about what a step of a healthy training is.",
    "board_every": "Updates and dead units are measured in one step of {every}.",
    "board_together": "Each point stands for {count} steps.",
    "board_keys": "← → along the steps, ↑ ↓ from row to row.",
    "board_at": "Steps {first} to {last}: {said}",
    "board_no_plane": "There is no boundary now: {why}.",
    "board_plain": (
        'viz.live: no notebook to draw in; .text(), .svg() and .save("board.html") have the board at any time.'
    ),
    "board_no_widget": (
        "viz.live: the board comes when training has ended; to see it move, install anywidget: "
        'pip install "minitorch-course[viz]".'
    ),
}

ES: dict[str, str] = {
    "board_title": "Entrenamiento",
    "board_before": "Antes del primer paso.",
    "board_now": "Paso {step}.",
    "board_loss": "Pérdida {loss}: al principio {first}, mínimo {low} en el paso {at}.",
    "board_valid": "Con otros datos, {loss} en el paso {at}.",
    "board_no_loss": "No se ha dicho ninguna pérdida: escribe board.loss(loss) en el bucle.",
    "board_finished": "{steps} pasos.",
    "board_finished_one": "Un paso.",
    "board_interrupted": "Interrumpido tras {steps} pasos.",
    "board_interrupted_one": "Interrumpido tras un paso.",
    "board_failed": "Terminado por un error tras {steps} pasos.",
    "board_failed_one": "Terminado por un error tras un paso.",
    "board_largest": "El gradiente más grande: {name}, norma {norm}.",
    "board_dead": "{name}: {dead} de {units} unidades no dejaron pasar ningún gradiente en un lote entero.",
    "board_birth_loss": (
        "La pérdida del paso {step} es {value}. Nació en la pasada hacia adelante de ese paso: todos los gradientes "
        "anteriores y todos los parámetros eran finitos."
    ),
    "board_birth_weight": (
        "La actualización del paso {step} dejó {name} en {value}: el paso era demasiado largo, y la pérdida siguiente "
        "se ha perdido."
    ),
    "board_birth_gradient": (
        "En el paso {step}, el gradiente de {name} fue el primero en ser {value}{through}{others}."
    ),
    "board_through": ", a través de {op}",
    "board_others": "; {count} más lo siguieron en ese paso",
    "board_gradient": "norma del gradiente",
    "board_ratio": "cambio / peso",
    "board_units": "unidades muertas: en un lote entero no pasa ningún gradiente",
    "board_relu": "{kind} {number}",
    "board_relus": "todos los rectificadores",
    "board_several": "{name} ({count})",
    "board_group": "{name} ({count} parámetros)",
    "board_whole": "todos los parámetros",
    "board_range": "{low} a {high}",
    "board_dashed": "Línea discontinua: un cambio de una milésima del peso, como suele ser en un entrenamiento sano.",
    "board_every": "Los cambios y las unidades muertas se miden en un paso de cada {every}.",
    "board_together": "Cada punto reúne {count} pasos.",
    "board_keys": "← → a lo largo de los pasos, ↑ ↓ de fila en fila.",
    "board_at": "Pasos {first} a {last}: {said}",
    "board_no_plane": "Ahora no hay frontera: {why}.",
    "board_plain": (
        'viz.live: no hay cuaderno donde dibujar; .text(), .svg() y .save("board.html") tienen el tablero en todo '
        "momento."
    ),
    "board_no_widget": (
        "viz.live: el tablero aparece al terminar el entrenamiento; para verlo moverse, instala anywidget: "
        'pip install "minitorch-course[viz]".'
    ),
}
