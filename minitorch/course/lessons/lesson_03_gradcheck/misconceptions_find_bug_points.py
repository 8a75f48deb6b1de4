"""Known-wrong versions of `find_bug` that try the programs at points where a bug cannot be seen."""

import numpy as np

from minitorch.course.judging.misconceptions import known_wrong


@known_wrong(
    "find_bug",
    id="round-point",
    hint=3,
    en="You tried a = b = 1 alone. There n * a ** n and n * a ** (n - 1) are equal, and so are a and b: two bugs hide. Try points that are not round.",
    es="Probaste solo a = b = 1. Ahí n * a ** n y n * a ** (n - 1) son iguales, y también a y b: se esconden dos errores. Prueba puntos que no sean redondos.",
)
def find_bug(engine):
    def agrees(program, x):
        def op(x):
            return np.array(program(*(engine(number) for number in x.tolist())).data)

        def rule(g, x):
            leaves = [engine(number) for number in x.tolist()]
            program(*leaves).backward()
            return g * np.array([0.0 if leaf.grad is None else leaf.grad for leaf in leaves])

        return gradcheck(op, rule, x)

    points = [np.array([1.0, 1.0])]
    for name, program in PROGRAMS.items():
        if not all(agrees(program, x) for x in points):
            return name
    return None


@known_wrong(
    "find_bug",
    id="a-is-one",
    hint=3,
    en="You tried a = 1 only. There n * a ** n and n * a ** (n - 1) are equal, so the power rule hides: 1 and 0 are poor test points.",
    es="Probaste solo a = 1. Ahí n * a ** n y n * a ** (n - 1) son iguales, y la regla de la potencia se esconde: 1 y 0 son malos puntos de prueba.",
)
def find_bug(engine):
    def agrees(program, x):
        def op(x):
            return np.array(program(*(engine(number) for number in x.tolist())).data)

        def rule(g, x):
            leaves = [engine(number) for number in x.tolist()]
            program(*leaves).backward()
            return g * np.array([0.0 if leaf.grad is None else leaf.grad for leaf in leaves])

        return gradcheck(op, rule, x)

    points = [np.array([1.0, 2.0])]
    for name, program in PROGRAMS.items():
        if not all(agrees(program, x) for x in points):
            return name
    return None


@known_wrong(
    "find_bug",
    id="equal-numbers",
    hint=3,
    en="You gave both leaves the same number. Then a rule that uses its own operand's number looks right: try numbers unlike each other.",
    es="Diste a las dos hojas el mismo número. Así parece correcta una regla que usa el número de su propio operando: prueba números distintos.",
)
def find_bug(engine):
    def agrees(program, x):
        def op(x):
            return np.array(program(*(engine(number) for number in x.tolist())).data)

        def rule(g, x):
            leaves = [engine(number) for number in x.tolist()]
            program(*leaves).backward()
            return g * np.array([0.0 if leaf.grad is None else leaf.grad for leaf in leaves])

        return gradcheck(op, rule, x)

    points = [np.array([1.3, 1.3]), np.array([-0.6, -0.6])]
    for name, program in PROGRAMS.items():
        if not all(agrees(program, x) for x in points):
            return name
    return None


@known_wrong(
    "find_bug",
    id="equal-and-positive",
    hint=3,
    en="You tried one number above zero for both leaves. A product that uses its own operand hides there, and what relu does below zero, too: take unlike numbers, of both signs.",
    es="Probaste un solo número mayor que cero para las dos hojas. Ahí se esconden un producto que usa su propio operando y lo que relu hace bajo cero: toma números distintos, de ambos signos.",
)
def find_bug(engine):
    def agrees(program, x):
        def op(x):
            return np.array(program(*(engine(number) for number in x.tolist())).data)

        def rule(g, x):
            leaves = [engine(number) for number in x.tolist()]
            program(*leaves).backward()
            return g * np.array([0.0 if leaf.grad is None else leaf.grad for leaf in leaves])

        return gradcheck(op, rule, x)

    points = [np.array([1.3, 1.3])]
    for name, program in PROGRAMS.items():
        if not all(agrees(program, x) for x in points):
            return name
    return None


@known_wrong(
    "find_bug",
    id="above-zero-only",
    hint=3,
    en="You tried a above zero only. What relu does below zero was never asked: try numbers of both signs.",
    es="Probaste a solo por encima de cero. Nunca preguntaste qué hace relu por debajo: prueba números de ambos signos.",
)
def find_bug(engine):
    def agrees(program, x):
        def op(x):
            return np.array(program(*(engine(number) for number in x.tolist())).data)

        def rule(g, x):
            leaves = [engine(number) for number in x.tolist()]
            program(*leaves).backward()
            return g * np.array([0.0 if leaf.grad is None else leaf.grad for leaf in leaves])

        return gradcheck(op, rule, x)

    points = [np.array([1.3, -0.7]), np.array([0.6, 1.7])]
    for name, program in PROGRAMS.items():
        if not all(agrees(program, x) for x in points):
            return name
    return None


@known_wrong(
    "find_bug",
    id="below-zero-only",
    hint=3,
    en="You tried a below zero only. What relu does above zero was never asked: try numbers of both signs.",
    es="Probaste a solo por debajo de cero. Nunca preguntaste qué hace relu por encima: prueba números de ambos signos.",
)
def find_bug(engine):
    def agrees(program, x):
        def op(x):
            return np.array(program(*(engine(number) for number in x.tolist())).data)

        def rule(g, x):
            leaves = [engine(number) for number in x.tolist()]
            program(*leaves).backward()
            return g * np.array([0.0 if leaf.grad is None else leaf.grad for leaf in leaves])

        return gradcheck(op, rule, x)

    points = [np.array([-1.3, 0.7]), np.array([-0.6, 1.7])]
    for name, program in PROGRAMS.items():
        if not all(agrees(program, x) for x in points):
            return name
    return None


@known_wrong(
    "find_bug",
    id="at-the-kink",
    hint=3,
    en="You tried a = 0. relu has a kink there, and gradcheck rightly refuses to judge: choose points away from kinks.",
    es="Probaste a = 0. relu tiene ahí un pico, y gradcheck se niega con razón a juzgar: elige puntos lejos de los picos.",
)
def find_bug(engine):
    def agrees(program, x):
        def op(x):
            return np.array(program(*(engine(number) for number in x.tolist())).data)

        def rule(g, x):
            leaves = [engine(number) for number in x.tolist()]
            program(*leaves).backward()
            return g * np.array([0.0 if leaf.grad is None else leaf.grad for leaf in leaves])

        return gradcheck(op, rule, x)

    points = [np.array([0.0, 0.0])]
    for name, program in PROGRAMS.items():
        if not all(agrees(program, x) for x in points):
            return name
    return None
