"""What is said of the places where a nan or an inf comes from, in English and in Spanish, by key."""

from __future__ import annotations

EN: dict[str, str] = {
    "birth_mark": "{what} born here",
    "birth_mark_back": "{what} born here, backward",
    "birth_mark_given": "{what} given",
    "birth_mark_seen": "{what} first seen here",
    "birth_mark_seen_back": "{what} first seen here, backward",
    "birth_given": "{name} holds {what} from the start.",
    "birth_forward": "{what} is born in {name} on the way forward: what went in was finite.",
    "birth_backward": "{what} is born in {name} on the way back: the gradient that it was given was finite.",
    "birth_seen": "{what} is first seen in {name} on the way forward; numbers before it are not kept.",
    "birth_seen_back": "{what} is first seen in the gradient of {name}; those that it was made from are not kept.",
}

ES: dict[str, str] = {
    "birth_mark": "{what} nace aquí",
    "birth_mark_back": "{what} nace aquí, hacia atrás",
    "birth_mark_given": "{what} de entrada",
    "birth_mark_seen": "{what} se ve aquí primero",
    "birth_mark_seen_back": "{what} se ve aquí primero, hacia atrás",
    "birth_given": "{name} contiene {what} desde el principio.",
    "birth_forward": "{what} nace en {name} en la pasada hacia adelante: lo que entró era finito.",
    "birth_backward": "{what} nace en {name} en la pasada hacia atrás: el gradiente que recibió era finito.",
    "birth_seen": "{what} se ve primero en {name}, en la pasada hacia adelante; los números anteriores no se guardan.",
    "birth_seen_back": "{what} se ve primero en el gradiente de {name}; aquellos de los que salió no se guardan.",
}
