"""Known-wrong versions of `mul`: each stands for one way to get it wrong."""

from minitorch.course.judging.misconceptions import known_wrong


@known_wrong(
    "mul",
    id="mul-own-operand",
    hint=1,
    en="You used each operand's own number as its local gradient. In a * b, a acts with the strength of b, and b with that of a.",
    es="Usaste el número de cada operando como su propio gradiente local. En a * b, a actúa con la fuerza de b, y b con la de a.",
)
def __mul__(self, other):
    if isinstance(other, Value):
        return Value(self.data * other.data, (self, other), "*", (self.data, other.data))
    return Value(self.data * other, (self,), "*", (other,))


@known_wrong(
    "mul",
    id="mul-own-operand-everywhere",
    hint=1,
    en="You used self's own number as its local gradient, beside constants too. In a * 10, a acts with strength 10.",
    es="Usaste el número de self como su propio gradiente local, también junto a constantes. En a * 10, a actúa con fuerza 10.",
)
def __mul__(self, other):
    if isinstance(other, Value):
        return Value(self.data * other.data, (self, other), "*", (self.data, other.data))
    return Value(self.data * other, (self,), "*", (self.data,))


@known_wrong(
    "mul",
    id="mul-own-operand-no-numbers",
    hint=1,
    en="You used each operand's own number as its local gradient; it must be the other one. And `a * 10` needs a case of its own.",
    es="Usaste el número de cada operando como su propio gradiente local; debe ser el otro. Y `a * 10` necesita un caso aparte.",
)
def __mul__(self, other):
    return Value(self.data * other.data, (self, other), "*", (self.data, other.data))


@known_wrong(
    "mul",
    id="mul-own-operand-constant-as-node",
    hint=1,
    en="You used each operand's own number as its local gradient; it must be the other one. And a constant must not become a node.",
    es="Usaste el número de cada operando como su propio gradiente local; debe ser el otro. Y una constante no debe volverse nodo.",
)
def __mul__(self, other):
    other = other if isinstance(other, Value) else Value(other)
    return Value(self.data * other.data, (self, other), "*", (self.data, other.data))


@known_wrong(
    "mul",
    id="mul-constant-as-node",
    hint=3,
    en="You made a node of a constant. In `a * 10` a is the only parent, and 10 is its local gradient.",
    es="Convertiste una constante en nodo. En `a * 10` a es el único padre, y 10 es su gradiente local.",
)
def __mul__(self, other):
    other = other if isinstance(other, Value) else Value(other)
    return Value(self.data * other.data, (self, other), "*", (other.data, self.data))


@known_wrong(
    "mul",
    id="mul-number-has-no-data",
    hint=3,
    en="You asked a plain number for its .data. In `a * 10` the other operand is an int, and an int has none.",
    es="Le pediste .data a un número simple. En `a * 10` el otro operando es un int, y un int no lo tiene.",
)
def __mul__(self, other):
    return Value(self.data * other.data, (self, other), "*", (other.data, self.data))


@known_wrong(
    "mul",
    id="mul-ones",
    hint=1,
    en="You kept the local gradients of a sum, 1 and 1. A product grows with a as fast as b says.",
    es="Dejaste los gradientes locales de una suma, 1 y 1. Un producto crece con a tan rápido como diga b.",
)
def __mul__(self, other):
    if isinstance(other, Value):
        return Value(self.data * other.data, (self, other), "*", (1.0, 1.0))
    return Value(self.data * other, (self,), "*", (1.0,))


@known_wrong(
    "mul",
    id="mul-constant-counts-one",
    hint=3,
    en="Two Values come out right, but in `a * 10` the local gradient must be 10, not 1.",
    es="Con dos Values sale bien, pero en `a * 10` el gradiente local debe ser 10, no 1.",
)
def __mul__(self, other):
    if isinstance(other, Value):
        return Value(self.data * other.data, (self, other), "*", (other.data, self.data))
    return Value(self.data * other, (self,), "*", (1.0,))


@known_wrong(
    "mul",
    id="mul-product-as-gradient",
    hint=2,
    en="You used the product itself as local gradient. When a grows by 1, the product grows by b, not by a · b.",
    es="Usaste el producto mismo como gradiente local. Cuando a crece 1, el producto crece b, no a · b.",
)
def __mul__(self, other):
    if isinstance(other, Value):
        out = self.data * other.data
        return Value(out, (self, other), "*", (out, out))
    return Value(self.data * other, (self,), "*", (self.data * other,))


@known_wrong(
    "mul",
    id="mul-same-parent-once",
    hint=1,
    en="In a * a the Value a stands in two places, but you counted it once. Each place grows with a: a + a.",
    es="En a * a el Value a está en dos lugares, pero lo contaste una vez. Cada lugar crece con a: a + a.",
)
def __mul__(self, other):
    if not isinstance(other, Value):
        return Value(self.data * other, (self,), "*", (other,))
    if other is self:
        return Value(self.data * self.data, (self,), "*", (self.data,))
    return Value(self.data * other.data, (self, other), "*", (other.data, self.data))


@known_wrong(
    "mul",
    id="mul-no-node",
    hint=1,
    en="You returned a plain number. It forgets where it came from, so no gradient can ever flow through it.",
    es="Devolviste un número simple. Olvida de dónde viene, así que ningún gradiente podrá pasar por él.",
)
def __mul__(self, other):
    return self.data * (other.data if isinstance(other, Value) else other)


@known_wrong(
    "mul",
    id="mul-no-comma",
    hint=3,
    en="A tuple of one entry lacks its comma: write (self,) and (number,). Brackets alone make no tuple.",
    es="A una tupla de una entrada le falta la coma: escribe (self,) y (número,). Los paréntesis solos no hacen una tupla.",
)
def __mul__(self, other):
    if isinstance(other, Value):
        return Value(self.data * other.data, (self, other), "*", (other.data, self.data))
    return Value(self.data * other, (self), "*", (other))


@known_wrong(
    "mul",
    id="mul-values-as-gradients",
    hint=3,
    en="Your local gradients are Values. They must be numbers: other.data and self.data.",
    es="Tus gradientes locales son Values. Deben ser números: other.data y self.data.",
)
def __mul__(self, other):
    if isinstance(other, Value):
        return Value(self.data * other.data, (self, other), "*", (other, self))
    return Value(self.data * other, (self,), "*", (other,))


@known_wrong(
    "mul",
    id="mul-ones-constants-right",
    hint=1,
    en="Beside a plain number it is right, but in a * b you kept 1 and 1, as in a sum. A product grows with a as fast as b says.",
    es="Con un número simple está bien, pero en a * b dejaste 1 y 1, como en una suma. Un producto crece con a tan rápido como diga b.",
)
def __mul__(self, other):
    if isinstance(other, Value):
        return Value(self.data * other.data, (self, other), "*", (1.0, 1.0))
    return Value(self.data * other, (self,), "*", (other,))


@known_wrong(
    "mul",
    id="mul-data-forgotten",
    hint=3,
    en="You handed Value(...) a Value where its number belongs. Take the numbers out first: self.data * other.data.",
    es="Le diste a Value(...) un Value donde va su número. Saca antes los números: self.data * other.data.",
)
def __mul__(self, other):
    if isinstance(other, Value):
        return Value(self.data * other, (self, other), "*", (other.data, self.data))
    return Value(self.data * other, (self,), "*", (other,))
