"""Known-wrong versions of `pow`: each stands for one way to get it wrong."""

from minitorch.course.judging.misconceptions import known_wrong


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
