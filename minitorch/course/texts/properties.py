"""What is said of a wrong array, property by property, in English and in Spanish, by key; `messages` says them."""

from __future__ import annotations

EN: dict[str, str] = {
    "array_right_numbers": "{what} holds the right numbers, but its shape is {got} instead of {want}",
    "array_not_finite": "{what} holds {value} where it should hold a finite number",
    "array_all_zero": "every number in {what} is 0",
    "array_sign": "{what} has the right size everywhere, and the wrong sign everywhere",
    "array_factor": "every number in {what} is {factor} times what it should be",
    "array_order": "{what} holds the right numbers, but at other places",
    "array_rewritten": "after the call {name} is another array than before: your function wrote into it",
    "hint_makes_new": "`+=`, `-=`, `*=` and `/=` write into the array itself. `x = x + y` makes a new one.",
    "hint_to_array": "np.asarray(...) makes an array of a list or of a single number.",
    "hint_to_float": "An array of whole numbers cannot hold fractions: np.zeros(shape) makes one of floats.",
}

ES: dict[str, str] = {
    "array_right_numbers": "{what} contiene los números correctos, pero su forma es {got} en vez de {want}",
    "array_not_finite": "{what} contiene {value} donde debería haber un número finito",
    "array_all_zero": "todos los números de {what} son 0",
    "array_sign": "el tamaño de {what} es correcto en todas partes, y el signo es incorrecto en todas partes",
    "array_factor": "cada número de {what} es {factor} veces lo que debería ser",
    "array_order": "{what} contiene los números correctos, pero en otros lugares",
    "array_rewritten": "después de la llamada {name} es otro array que antes: tu función escribió en él",
    "hint_makes_new": "`+=`, `-=`, `*=` y `/=` escriben en el propio array. `x = x + y` crea uno nuevo.",
    "hint_to_array": "np.asarray(...) hace un array de una lista o de un solo número.",
    "hint_to_float": "Un array de enteros no puede contener fracciones: np.zeros(forma) crea uno de tipo float.",
}
