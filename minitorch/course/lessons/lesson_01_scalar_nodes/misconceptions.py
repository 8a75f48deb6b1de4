"""Known-wrong versions of lesson 01: each stands for one way to get an operator of `Value` wrong."""

from minitorch.course.misconceptions import known_wrong

# ---------------------------------------------------------------------------------------------------------------- add


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


# ---------------------------------------------------------------------------------------------------------------- mul


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


# ---------------------------------------------------------------------------------------------------------------- pow


@known_wrong(
    "pow",
    id="pow-not-lowered",
    hint=2,
    en="You used n · xⁿ: the n came down, but the exponent did not get smaller. One factor x is the one that grows; n - 1 are left.",
    es="Usaste n · xⁿ: la n bajó, pero el exponente no se redujo. Un factor x es el que crece; quedan n - 1.",
)
def __pow__(self, n):
    return Value(self.data**n, (self,), "**", (n * self.data**n,))


@known_wrong(
    "pow",
    id="pow-factor-forgotten",
    hint=1,
    en="You used xⁿ⁻¹ and left out the factor n. All n factors grow with x, and each adds its share.",
    es="Usaste xⁿ⁻¹ y omitiste el factor n. Los n factores crecen con x, y cada uno suma su parte.",
)
def __pow__(self, n):
    return Value(self.data**n, (self,), "**", (self.data ** (n - 1),))


@known_wrong(
    "pow",
    id="pow-both-lowered",
    hint=2,
    en="You used (n - 1) · xⁿ⁻¹. The factor that comes down is n itself; only the exponent gets smaller.",
    es="Usaste (n - 1) · xⁿ⁻¹. El factor que baja es la propia n; solo se reduce el exponente.",
)
def __pow__(self, n):
    return Value(self.data**n, (self,), "**", ((n - 1) * self.data ** (n - 1),))


@known_wrong(
    "pow",
    id="pow-squares-only",
    hint=2,
    en="You used 2x, which is right for x ** 2 and for no other exponent.",
    es="Usaste 2x, que es correcto para x ** 2 y para ningún otro exponente.",
)
def __pow__(self, n):
    return Value(self.data**n, (self,), "**", (2.0 * self.data,))


@known_wrong(
    "pow",
    id="pow-exponent-as-node",
    hint=2,
    en="You made a node of the exponent. n is a constant here: x is the only parent.",
    es="Convertiste el exponente en nodo. Aquí n es una constante: x es el único padre.",
)
def __pow__(self, n):
    return Value(self.data**n, (self, Value(n)), "**", (n * self.data ** (n - 1), 0.0))


@known_wrong(
    "pow",
    id="pow-is-times",
    hint=1,
    en="You multiplied x by n. x ** n is n factors x: x · x · … · x.",
    es="Multiplicaste x por n. x ** n son n factores x: x · x · … · x.",
)
def __pow__(self, n):
    return Value(self.data * n, (self,), "**", (n,))


@known_wrong(
    "pow",
    id="pow-whole-numbers-only",
    hint=2,
    en="You multiplied in a loop, which only works for whole exponents from 0 up. `self.data ** n` works for all.",
    es="Multiplicaste en un bucle, que solo sirve para exponentes enteros desde 0. `self.data ** n` sirve para todos.",
)
def __pow__(self, n):
    out = 1.0
    for _ in range(n):
        out = out * self.data
    return Value(out, (self,), "**", (n * self.data ** (n - 1),))


@known_wrong(
    "pow",
    id="pow-no-comma",
    hint=3,
    en="A tuple of one entry lacks its comma: write (self,) and (number,). Brackets alone make no tuple.",
    es="A una tupla de una entrada le falta la coma: escribe (self,) y (número,). Los paréntesis solos no hacen una tupla.",
)
def __pow__(self, n):
    return Value(self.data**n, (self), "**", (n * self.data ** (n - 1)))


@known_wrong(
    "pow",
    id="pow-brackets-missing",
    hint=3,
    en="Python reads x ** n - 1 as (x ** n) - 1. Put the exponent into brackets: x ** (n - 1).",
    es="Python lee x ** n - 1 como (x ** n) - 1. Pon el exponente entre paréntesis: x ** (n - 1).",
)
def __pow__(self, n):
    return Value(self.data**n, (self,), "**", (n * self.data**n - 1,))


@known_wrong(
    "pow",
    id="pow-exponent-lost",
    hint=2,
    en="You used n · x, which is right for x ** 2 and for no other exponent. The exponent n - 1 is missing.",
    es="Usaste n · x, que es correcto para x ** 2 y para ningún otro exponente. Falta el exponente n - 1.",
)
def __pow__(self, n):
    return Value(self.data**n, (self,), "**", (n * self.data,))


# ---------------------------------------------------------------------------------------------------------- reflected


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


# -------------------------------------------------------------------------------------------------------- local_grads


@known_wrong(
    "local_grads",
    id="last-place-wins",
    hint=1,
    en="A parent that stands in two places kept the number of the last place only. Both places grow with it: add them.",
    es="Un padre que está en dos lugares se quedó solo con el número del último. Los dos lugares crecen con él: súmalos.",
)
def local_grads(out):
    return dict(zip(out._prev, out._local_grads))


@known_wrong(
    "local_grads",
    id="first-place-wins",
    hint=1,
    en="A parent that stands in two places kept the number of the first place only. Both places grow with it: add them.",
    es="Un padre que está en dos lugares se quedó solo con el número del primero. Los dos lugares crecen con él: súmalos.",
)
def local_grads(out):
    total = {}
    for parent, local in zip(out._prev, out._local_grads):
        total.setdefault(parent, local)
    return total


@known_wrong(
    "local_grads",
    id="places-multiplied",
    hint=1,
    en="You multiplied the numbers of a parent's places. The places act side by side, so their numbers are added.",
    es="Multiplicaste los números de los lugares de un padre. Los lugares actúan uno al lado del otro: sus números se suman.",
)
def local_grads(out):
    total = {}
    for parent, local in zip(out._prev, out._local_grads):
        total[parent] = total.get(parent, 1.0) * local
    return total


@known_wrong(
    "local_grads",
    id="keyed-by-number",
    hint=2,
    en="The keys of your dict are numbers. Two parents may hold the same number: use the Values themselves as keys.",
    es="Las claves de tu dict son números. Dos padres pueden tener el mismo número: usa los Values mismos como claves.",
)
def local_grads(out):
    total = {}
    for parent, local in zip(out._prev, out._local_grads):
        total[parent.data] = total.get(parent.data, 0.0) + local
    return total


@known_wrong(
    "local_grads",
    id="parents-own-numbers",
    hint=2,
    en="You returned each parent's own number. Asked for is how fast out grows with it: that is in out._local_grads.",
    es="Devolviste el número de cada padre. Se pide con qué rapidez crece out con él: eso está en out._local_grads.",
)
def local_grads(out):
    return {parent: parent.data for parent in out._prev}


@known_wrong(
    "local_grads",
    id="grad-of-the-parent",
    hint=2,
    en="You read parent.grad, which nobody has filled in yet. The local gradients are stored in out._local_grads.",
    es="Leíste parent.grad, que nadie ha rellenado todavía. Los gradientes locales están en out._local_grads.",
)
def local_grads(out):
    return {parent: parent.grad for parent in out._prev}


@known_wrong(
    "local_grads",
    id="grandparents-too",
    hint=2,
    en="You walked on to the parents of the parents. Local means one step: the entries of out._prev and no others.",
    es="Seguiste hasta los padres de los padres. Local significa un paso: las entradas de out._prev y ninguna más.",
)
def local_grads(out):
    total, stack = {}, [out]
    while stack:
        node = stack.pop()
        for parent, local in zip(node._prev, node._local_grads):
            total[parent] = total.get(parent, 0.0) + local
            stack.append(parent)
    return total


@known_wrong(
    "local_grads",
    id="tuple-not-dict",
    hint=3,
    en="You returned the bare tuple of numbers. Asked for is a dict that says which number belongs to which parent.",
    es="Devolviste la tupla de números sin más. Se pide un dict que diga qué número pertenece a qué padre.",
)
def local_grads(out):
    return out._local_grads
