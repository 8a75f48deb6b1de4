"""Known-wrong versions of `reflected`: each stands for one way to get it wrong."""

from minitorch.course.judging.misconceptions import known_wrong


@known_wrong(
    "reflected",
    id="radd-missing",
    hint=1,
    en="There is no __radd__. In `2 + v` Python asks the int 2 first; it gives up, and then v has no answer either.",
    es="No hay __radd__. En `2 + v` Python pregunta primero al int 2; este se rinde, y v tampoco tiene respuesta.",
)
class Reflected:
    def __rmul__(self, other):
        return self * other

    def __rsub__(self, other):
        return -self + other


@known_wrong(
    "reflected",
    id="rmul-missing",
    hint=1,
    en="There is no __rmul__. In `2 * v` Python asks the int 2 first; it gives up, and then v has no answer either.",
    es="No hay __rmul__. En `2 * v` Python pregunta primero al int 2; este se rinde, y v tampoco tiene respuesta.",
)
class Reflected:
    def __radd__(self, other):
        return self + other

    def __rsub__(self, other):
        return -self + other


@known_wrong(
    "reflected",
    id="rsub-missing",
    hint=1,
    en="There is no __rsub__. In `2 - v` Python asks the int 2 first; it gives up, and then v has no answer either.",
    es="No hay __rsub__. En `2 - v` Python pregunta primero al int 2; este se rinde, y v tampoco tiene respuesta.",
)
class Reflected:
    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other


@known_wrong(
    "reflected",
    id="rsub-swapped",
    hint=1,
    en="You computed v - 2 for 2 - v. A sum and a product may be swapped; a difference changes its sign.",
    es="Calculaste v - 2 en lugar de 2 - v. Una suma y un producto se pueden intercambiar; una resta cambia de signo.",
)
class Reflected:
    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __rsub__(self, other):
        return self - other


@known_wrong(
    "reflected",
    id="asks-itself-again",
    hint=2,
    en="You wrote the number on the left again. So Python asks the same method again, without end: put self on the left.",
    es="Volviste a escribir el número a la izquierda. Python pregunta otra vez al mismo método, sin fin: pon self a la izquierda.",
)
class Reflected:
    def __radd__(self, other):
        return other + self

    def __rmul__(self, other):
        return other * self

    def __rsub__(self, other):
        return other - self


@known_wrong(
    "reflected",
    id="number-as-node",
    hint=3,
    en="You made a node of the number on the left. It is a constant: v is the only leaf of the result.",
    es="Convertiste en nodo el número de la izquierda. Es una constante: v es la única hoja del resultado.",
)
class Reflected:
    def __radd__(self, other):
        return Value(other) + self

    def __rmul__(self, other):
        return Value(other) * self

    def __rsub__(self, other):
        return Value(other) - self


@known_wrong(
    "reflected",
    id="plain-number-back",
    hint=3,
    en="You returned a plain number. It forgets that it came from v: compute with self, not with self.data.",
    es="Devolviste un número simple. Olvida que viene de v: calcula con self, no con self.data.",
)
class Reflected:
    def __radd__(self, other):
        return other + self.data

    def __rmul__(self, other):
        return other * self.data

    def __rsub__(self, other):
        return other - self.data
