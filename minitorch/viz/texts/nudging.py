"""What is said of a graph whose numbers are changed in the picture, in English and in Spanish, by key."""

from __future__ import annotations

EN: dict[str, str] = {
    "nudge_title": "Nudge the numbers of {root}",
    "nudge_caption": "Finite differences of {root}, with h = {h}: {found}.",
    "nudge_difference": "finite difference",
    "nudge_table": "(f(x + h) - f(x - h)) / 2h, with h = {h}",
    "nudge_wrong": "Your {op} gave {own} where {done} is {right}. Is it wrong, or was a number changed afterwards? "
    "Here all is computed anew.",
    "nudge_slope": "Your {op} says that its local gradient towards {operand} is {own}; that of {done} is {right}.",
    "nudge_own": "Your backward pass left {own} in the grad of {name}; the gradient is {gradient}.",
    "nudge_leaf": "number to nudge",
    "nudge_number": "value of {name}",
    "nudge_plain_of": "number{count} in {name}",
    "nudge_slope_of": "slope below 0 in {name}",
    "nudge_constant": "{name} (constant)",
    "nudge_ungraded": "needs none",
    "nudge_ungraded_why": "A constant needs no gradient, so backward computes none for it. {root} would change with it "
    "all the same: by {found} for each unit, says the finite difference.",
    "nudge_slider": "slider for the value of {name}",
    "nudge_back": "put back",
    "nudge_back_key": "put all numbers back as they were",
    "nudge_h": "h of the finite difference",
    "nudge_panel": "gradient and finite difference",
    "nudge_keys": "Drag a leaf, a green box, or a constant to the side, or give it the keyboard and press ↑ ↓; Shift: "
    "ten times as far. Escape while dragging: back. ← → another box, Enter: its details. + − 0 zoom.",
    "nudge_before": "Change {name}: drag its box to the side, type its number, or use the slider. {root} and "
    "all gradients follow.",
    "nudge_changed": "{name} {step} → {root} {change} (the gradient said {said}).",
    "nudge_changed_constant": "{name} {step} → {root} {change} (a constant has no gradient that could say so).",
    "nudge_reset": "All numbers are as they were.",
    "nudge_was": "was {value}",
    "nudge_gradient": "gradient d{root}/d{name}",
    "nudge_your_gradient": "your backward pass",
    "nudge_rose": "rose by {change}",
    "nudge_fell": "fell by {change}",
    "nudge_equal": "The two are equal.",
    "nudge_agree": "The two agree in {digits} digits.",
    "nudge_coarse": "The two differ by {off}: {root} bends between x − h and x + h. A smaller h comes nearer.",
    "nudge_fine": "The two differ by {off}, from rounding: f(x + h) and f(x − h) have too few digits that are not "
    "alike. A larger h comes nearer.",
    "nudge_still": "h is so small that x + h is x, rounded: nothing moves.",
    "nudge_kink": "{name} = {made} has a kink between x − h and x + h: the slope of {root} is {left} on its left and "
    "{right} on its right, and the finite difference mixes the two.",
    "nudge_rule_relu": "At the kink itself backward has a rule: relu passes nothing on at 0.",
    "nudge_rule_leaky_relu": "At the kink itself backward has a rule: leaky_relu has the slope there that it has "
    "below 0.",
    "nudge_rule_abs": "At the kink itself backward has a rule: abs has the slope 0 at 0.",
    "nudge_rule_tie": "At the kink itself backward has a rule: of two that are equal each gets half.",
    "nudge_plot": "{root} against {name}, from {low} to {high}: the tangent at {name} has the slope {gradient}, the "
    "line through the points at x − h and x + h the slope {found}.",
    "nudge_plot_constant": "{root} against {name}, from {low} to {high}: the line through the points at x − h and "
    "x + h has the slope {found}.",
    "nudge_crossed_kink": "On the way {name} = {made} met its kink.",
    "nudge_crossed_pole": "On the way {name} = {made} met a division by 0.",
    "nudge_pole": "{name} = {made} divides by 0 between x − h and x + h, so f(x + h) and f(x − h) lie on different "
    "branches.",
    "nudge_differ": "The two differ by {off}.",
    "nudge_here": "At x, {what}",
    "nudge_above": "At x + h, {what}",
    "nudge_below": "At x − h, {what}",
    "nudge_log": "{name} = {made} is {value}: {op} needs a number above 0 and gets {operand}.",
    "nudge_sqrt": "{name} = {made} is {value}: a negative number, {operand}, has no square root.",
    "nudge_div": "{name} = {made} is {value}: a division by 0.",
    "nudge_pow": "{name} = {made} is {value}: {operand} to a power that is not whole is no real number.",
    "nudge_zero": "{name} = {made} is {value}: 0 to a negative power is a division by 0.",
    "nudge_large": "{name} = {made} is {value}: it is too large for a float64.",
    "nudge_undefined": "{name} = {made} is {value}: {op} is not defined for what it gets.",
    "nudge_steep": "the slope of {name} = {made} is {value} there.",
}

ES: dict[str, str] = {
    "nudge_title": "Mueve los números de {root}",
    "nudge_caption": "Diferencias finitas de {root}, con h = {h}: {found}.",
    "nudge_difference": "diferencia finita",
    "nudge_table": "(f(x + h) - f(x - h)) / 2h, con h = {h}",
    "nudge_wrong": "Tu {op} dio {own} donde {done} es {right}. ¿Está mal, o cambió un número después? Aquí todo se "
    "calcula de nuevo.",
    "nudge_slope": "Tu {op} dice que su gradiente local hacia {operand} es {own}; el de {done} es {right}.",
    "nudge_own": "Tu pasada hacia atrás dejó {own} en el grad de {name}; el gradiente es {gradient}.",
    "nudge_leaf": "número que se mueve",
    "nudge_number": "valor de {name}",
    "nudge_plain_of": "número{count} en {name}",
    "nudge_slope_of": "pendiente bajo 0 en {name}",
    "nudge_constant": "{name} (constante)",
    "nudge_ungraded": "no lo necesita",
    "nudge_ungraded_why": "Una constante no necesita gradiente: backward no calcula ninguno para ella. Aun así, {root} "
    "cambiaría con ella: {found} por unidad, dice la diferencia finita.",
    "nudge_slider": "deslizador del valor de {name}",
    "nudge_back": "restablecer",
    "nudge_back_key": "devolver todos los números a como estaban",
    "nudge_h": "h de la diferencia finita",
    "nudge_panel": "gradiente y diferencia finita",
    "nudge_keys": "Arrastra hacia un lado una hoja (caja verde) o una constante, o llega a ella con Tab y pulsa ↑ ↓; "
    "Mayús: diez veces más. Escape al arrastrar: vuelve. ← → otra caja, Intro: sus detalles. + − 0 acercan y alejan.",
    "nudge_before": "Cambia {name}: arrastra su caja hacia un lado, escribe su número o usa el deslizador. {root} y "
    "todos los gradientes lo siguen.",
    "nudge_changed": "{name} {step} → {root} {change} (el gradiente decía {said}).",
    "nudge_changed_constant": "{name} {step} → {root} {change} (una constante no tiene gradiente que lo diga).",
    "nudge_reset": "Todos los números están como estaban.",
    "nudge_was": "era {value}",
    "nudge_gradient": "gradiente d{root}/d{name}",
    "nudge_your_gradient": "tu pasada hacia atrás",
    "nudge_rose": "subió {change}",
    "nudge_fell": "bajó {change}",
    "nudge_equal": "Los dos son iguales.",
    "nudge_agree": "Los dos coinciden en {digits} cifras.",
    "nudge_coarse": "Los dos difieren en {off}: {root} se curva entre x − h y x + h. Una h menor se acerca más.",
    "nudge_fine": "Los dos difieren en {off}, por el redondeo: f(x + h) y f(x − h) se distinguen en muy pocas cifras. "
    "Una h mayor se acerca más.",
    "nudge_still": "h es tan pequeña que x + h, redondeado, es x: nada se mueve.",
    "nudge_kink": "{name} = {made} tiene un quiebre entre x − h y x + h: la pendiente de {root} es {left} a su "
    "izquierda y {right} a su derecha, y la diferencia finita mezcla las dos.",
    "nudge_rule_relu": "En el quiebre mismo backward sigue una regla: relu no deja pasar nada en 0.",
    "nudge_rule_leaky_relu": "En el quiebre mismo backward sigue una regla: leaky_relu tiene en 0 la pendiente que "
    "tiene por debajo de 0.",
    "nudge_rule_abs": "En el quiebre mismo backward sigue una regla: abs tiene pendiente 0 en 0.",
    "nudge_rule_tie": "En el quiebre mismo backward sigue una regla: si los dos son iguales, la mitad para cada uno.",
    "nudge_plot": "{root} frente a {name}, de {low} a {high}: la tangente en {name} tiene pendiente {gradient}; la "
    "recta por los puntos en x − h y x + h, pendiente {found}.",
    "nudge_plot_constant": "{root} frente a {name}, de {low} a {high}: la recta por los puntos en x − h y x + h tiene "
    "pendiente {found}.",
    "nudge_crossed_kink": "Por el camino {name} = {made} dio con su quiebre.",
    "nudge_crossed_pole": "Por el camino {name} = {made} dio con una división entre 0.",
    "nudge_pole": "{name} = {made} divide entre 0 entre x − h y x + h: f(x + h) y f(x − h) están en ramas distintas.",
    "nudge_differ": "Los dos difieren en {off}.",
    "nudge_here": "En x, {what}",
    "nudge_above": "En x + h, {what}",
    "nudge_below": "En x − h, {what}",
    "nudge_log": "{name} = {made} es {value}: {op} necesita un número mayor que 0 y recibe {operand}.",
    "nudge_sqrt": "{name} = {made} es {value}: un número negativo, {operand}, no tiene raíz cuadrada.",
    "nudge_div": "{name} = {made} es {value}: una división entre 0.",
    "nudge_pow": "{name} = {made} es {value}: {operand} elevado a un exponente no entero no es un número real.",
    "nudge_zero": "{name} = {made} es {value}: 0 elevado a un exponente negativo es una división entre 0.",
    "nudge_large": "{name} = {made} es {value}: es demasiado grande para un float64.",
    "nudge_undefined": "{name} = {made} es {value}: {op} no está definida para lo que recibe.",
    "nudge_steep": "la pendiente de {name} = {made} es {value}.",
}
