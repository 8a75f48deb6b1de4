"""Known-wrong versions of `add`: each stands for one way to get it wrong."""

from minitorch.course.judging.misconceptions import known_wrong


@known_wrong(
    "add",
    id="add-number-has-no-data",
    hint=2,
    en="You asked a plain number for its .data. In `a + 10` the other operand is an int, and an int has none.",
    es="Le pediste .data a un número simple. En `a + 10` el otro operando es un int, y un int no lo tiene.",
)
def __add__(self, other):
    return Value(self.data + other.data, (self, other), "+", (1.0, 1.0))


@known_wrong(
    "add",
    id="add-constant-as-node",
    hint=2,
    en="You made a node of a constant. In `a + 10` nobody will ever ask for the gradient of 10: a is the only parent.",
    es="Convertiste una constante en nodo. En `a + 10` nadie pedirá nunca el gradiente de 10: a es el único padre.",
)
def __add__(self, other):
    other = other if isinstance(other, Value) else Value(other)
    return Value(self.data + other.data, (self, other), "+", (1.0, 1.0))


@known_wrong(
    "add",
    id="add-operand-values",
    hint=1,
    en="You used the operands' own numbers as local gradients. In a sum every operand acts with strength 1, whatever its number.",
    es="Usaste los números de los operandos como gradientes locales. En una suma cada operando actúa con fuerza 1, valga lo que valga.",
)
def __add__(self, other):
    if isinstance(other, Value):
        return Value(self.data + other.data, (self, other), "+", (self.data, other.data))
    return Value(self.data + other, (self,), "+", (self.data,))


@known_wrong(
    "add",
    id="add-no-node",
    hint=3,
    en="You returned a plain number. It forgets where it came from, so no gradient can ever flow through it.",
    es="Devolviste un número simple. Olvida de dónde viene, así que ningún gradiente podrá pasar por él.",
)
def __add__(self, other):
    return self.data + (other.data if isinstance(other, Value) else other)


@known_wrong(
    "add",
    id="add-parents-forgotten",
    hint=3,
    en="The sum is right, but it does not know its parents. Hand them to Value as the second argument.",
    es="La suma es correcta, pero no conoce a sus padres. Pásalos a Value como segundo argumento.",
)
def __add__(self, other):
    return Value(self.data + (other.data if isinstance(other, Value) else other))


@known_wrong(
    "add",
    id="add-same-parent-once",
    hint=1,
    en="In a + a the Value a stands in two places, but you counted it once. Both places grow with a: 1 + 1.",
    es="En a + a el Value a está en dos lugares, pero lo contaste una vez. Los dos lugares crecen con a: 1 + 1.",
)
def __add__(self, other):
    if not isinstance(other, Value):
        return Value(self.data + other, (self,), "+", (1.0,))
    parents = tuple(dict.fromkeys((self, other)))
    return Value(self.data + other.data, parents, "+", (1.0,) * len(parents))


@known_wrong(
    "add",
    id="add-shared-out",
    hint=1,
    en="You shared the 1 out between the operands. If a alone grows by 0.1, the sum grows by the whole 0.1.",
    es="Repartiste el 1 entre los operandos. Si solo a crece 0.1, la suma crece los 0.1 enteros.",
)
def __add__(self, other):
    if isinstance(other, Value):
        return Value(self.data + other.data, (self, other), "+", (0.5, 0.5))
    return Value(self.data + other, (self,), "+", (1.0,))


@known_wrong(
    "add",
    id="add-changes-self",
    hint=3,
    en="You changed self. Others may still use it: leave both operands as they are and make a new Value.",
    es="Cambiaste self. Otros pueden seguir usándolo: deja los dos operandos como están y crea un Value nuevo.",
)
def __add__(self, other):
    self.data = self.data + (other.data if isinstance(other, Value) else other)
    return self


@known_wrong(
    "add",
    id="add-operand-values-constants-right",
    hint=1,
    en="Beside a plain number it is right, but in a + b you used the operands' own numbers. In a sum every operand acts with strength 1.",
    es="Con un número simple está bien, pero en a + b usaste los números de los operandos. En una suma cada operando actúa con fuerza 1.",
)
def __add__(self, other):
    if isinstance(other, Value):
        return Value(self.data + other.data, (self, other), "+", (self.data, other.data))
    return Value(self.data + other, (self,), "+", (1.0,))


@known_wrong(
    "add",
    id="add-no-comma",
    hint=3,
    en="A tuple of one entry lacks its comma: write (self,) and (number,). Brackets alone make no tuple.",
    es="A una tupla de una entrada le falta la coma: escribe (self,) y (número,). Los paréntesis solos no hacen una tupla.",
)
def __add__(self, other):
    if isinstance(other, Value):
        return Value(self.data + other.data, (self, other), "+", (1.0, 1.0))
    return Value(self.data + other, (self), "+", (1.0))


@known_wrong(
    "add",
    id="add-numbers-as-parents",
    hint=3,
    en="You stored the numbers as parents. The parents are the Values themselves, self and other: numbers lead nowhere back.",
    es="Guardaste los números como padres. Los padres son los propios Values, self y other: un número no lleva a ninguna parte.",
)
def __add__(self, other):
    if isinstance(other, Value):
        return Value(self.data + other.data, (self.data, other.data), "+", (1.0, 1.0))
    return Value(self.data + other, (self.data,), "+", (1.0,))


@known_wrong(
    "add",
    id="add-whole-numbers-only",
    hint=2,
    en="You asked whether other is an int; -0.5 is a float. Ask the other way round: isinstance(other, Value).",
    es="Preguntaste si other es un int; -0.5 es un float. Pregunta al revés: isinstance(other, Value).",
)
def __add__(self, other):
    if isinstance(other, int):
        return Value(self.data + other, (self,), "+", (1.0,))
    return Value(self.data + other.data, (self, other), "+", (1.0, 1.0))


@known_wrong(
    "add",
    id="add-data-forgotten",
    hint=3,
    en="You handed Value(...) a Value where its number belongs. Take the numbers out first: self.data + other.data.",
    es="Le diste a Value(...) un Value donde va su número. Saca antes los números: self.data + other.data.",
)
def __add__(self, other):
    if isinstance(other, Value):
        return Value(self.data + other, (self, other), "+", (1.0, 1.0))
    return Value(self.data + other, (self,), "+", (1.0,))
