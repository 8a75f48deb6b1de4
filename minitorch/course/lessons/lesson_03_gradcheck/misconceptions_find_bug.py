"""Known-wrong versions of `find_bug` that go wrong in how a program is tried, or in what is answered."""

import numpy as np

from minitorch.course.judging.misconceptions import known_wrong


@known_wrong(
    "find_bug",
    id="last-in-the-list",
    hint=4,
    en="You went on after the first failure and returned the last name. A wrong `add` also spoils `backward`, which is made of additions: stop at the first.",
    es="Seguiste después del primer fallo y devolviste el último nombre. Un `add` falso también estropea `backward`, que está hecho de sumas: detente en el primero.",
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

    points = [np.array([1.3, -0.7]), np.array([-0.6, 1.7])]
    found = None
    for name, program in PROGRAMS.items():
        if not all(agrees(program, x) for x in points):
            found = name
    return found


@known_wrong(
    "find_bug",
    id="list-of-names",
    hint=4,
    en="You returned a list. Asked for is the first name alone, or None.",
    es="Devolviste una lista. Se pide solo el primer nombre, o None.",
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

    points = [np.array([1.3, -0.7]), np.array([-0.6, 1.7])]
    return [name for name, program in PROGRAMS.items() if not all(agrees(program, x) for x in points)]


@known_wrong(
    "find_bug",
    id="first-program-only",
    hint=4,
    en="Your loop ends after its first round: `return None` stands inside it. None is right only when all programs have been tried.",
    es="Tu bucle acaba en la primera vuelta: `return None` está dentro. None solo es correcto cuando se han probado todos los programas.",
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

    points = [np.array([1.3, -0.7]), np.array([-0.6, 1.7])]
    for name, program in PROGRAMS.items():
        if not all(agrees(program, x) for x in points):
            return name
        return None


@known_wrong(
    "find_bug",
    id="right-ones-named",
    hint=4,
    en="You returned a program that agrees. Asked for is the first that does not: `if not gradcheck(...)`.",
    es="Devolviste un programa que coincide. Se pide el primero que no coincide: `if not gradcheck(...)`.",
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

    points = [np.array([1.3, -0.7]), np.array([-0.6, 1.7])]
    for name, program in PROGRAMS.items():
        if all(agrees(program, x) for x in points):
            return name
    return None


@known_wrong(
    "find_bug",
    id="none-in-an-array",
    hint=2,
    en="A leaf that the result was not made from keeps grad None, and nobody can calculate with None. It has no effect on the result: its gradient is 0.0.",
    es="Una hoja de la que no se hizo el resultado conserva grad None, y con None no se puede calcular. No influye en el resultado: su gradiente es 0.0.",
)
def find_bug(engine):
    def agrees(program, x):
        def op(x):
            return np.array(program(*(engine(number) for number in x.tolist())).data)

        def rule(g, x):
            leaves = [engine(number) for number in x.tolist()]
            program(*leaves).backward()
            return g * np.array([leaf.grad for leaf in leaves])

        return gradcheck(op, rule, x)

    points = [np.array([1.3, -0.7]), np.array([-0.6, 1.7])]
    for name, program in PROGRAMS.items():
        if not all(agrees(program, x) for x in points):
            return name
    return None


@known_wrong(
    "find_bug",
    id="none-as-nan",
    hint=2,
    en="np.array(..., dtype=float) makes nan of None, and nan agrees with nothing. A leaf without effect on the result has the gradient 0.0.",
    es="np.array(..., dtype=float) convierte None en nan, y nan no coincide con nada. Una hoja que no influye en el resultado tiene gradiente 0.0.",
)
def find_bug(engine):
    def agrees(program, x):
        def op(x):
            return np.array(program(*(engine(number) for number in x.tolist())).data)

        def rule(g, x):
            leaves = [engine(number) for number in x.tolist()]
            program(*leaves).backward()
            return g * np.array([leaf.grad for leaf in leaves], dtype=float)

        return gradcheck(op, rule, x)

    points = [np.array([1.3, -0.7]), np.array([-0.6, 1.7])]
    for name, program in PROGRAMS.items():
        if not all(agrees(program, x) for x in points):
            return name
    return None


@known_wrong(
    "find_bug",
    id="rule-never-agrees",
    hint=2,
    en="Even the engine whose rules are all right fails your test, at the first program. Did you multiply .grad (not .data) by g, and leave the comparing to gradcheck?",
    es="Incluso el motor que tiene todas sus reglas bien falla en tu prueba, en el primer programa. ¿Multiplicaste .grad (no .data) por g, y dejaste la comparación a gradcheck?",
)
def find_bug(engine):
    def agrees(program, x):
        def op(x):
            return np.array(program(*(engine(number) for number in x.tolist())).data)

        def rule(g, x):
            leaves = [engine(number) for number in x.tolist()]
            program(*leaves).backward()
            return np.array([0.0 if leaf.grad is None else leaf.grad for leaf in leaves])

        return gradcheck(op, rule, x)

    points = [np.array([1.3, -0.7]), np.array([-0.6, 1.7])]
    for name, program in PROGRAMS.items():
        if not all(agrees(program, x) for x in points):
            return name
    return None


@known_wrong(
    "find_bug",
    id="backward-not-called",
    hint=2,
    en="Nobody called backward, so no gradient was ever computed: every grad is still None.",
    es="Nadie llamó a backward, así que no se calculó ningún gradiente: todos los grad siguen en None.",
)
def find_bug(engine):
    def agrees(program, x):
        def op(x):
            return np.array(program(*(engine(number) for number in x.tolist())).data)

        def rule(g, x):
            leaves = [engine(number) for number in x.tolist()]
            program(*leaves)
            return g * np.array([0.0 if leaf.grad is None else leaf.grad for leaf in leaves])

        return gradcheck(op, rule, x)

    points = [np.array([1.3, -0.7]), np.array([-0.6, 1.7])]
    for name, program in PROGRAMS.items():
        if not all(agrees(program, x) for x in points):
            return name
    return None


@known_wrong(
    "find_bug",
    id="leaves-used-again",
    hint=2,
    en="You made the leaves once for all programs. Grads of leaves add up over calls of backward, and what the last program left spoils the next: make new leaves each time.",
    es="Creaste las hojas una sola vez para todos los programas. Los grad de las hojas se acumulan entre llamadas, y lo que dejó un programa estropea el siguiente: crea hojas nuevas cada vez.",
)
def find_bug(engine):
    points = [np.array([1.3, -0.7]), np.array([-0.6, 1.7])]
    kept = {id(x): [engine(number) for number in x.tolist()] for x in points}
    for name, program in PROGRAMS.items():
        for point in points:

            def op(x, program=program):
                return np.array(program(*(engine(number) for number in x.tolist())).data)

            def rule(g, x, program=program, leaves=kept[id(point)]):
                program(*leaves).backward()
                return g * np.array([0.0 if leaf.grad is None else leaf.grad for leaf in leaves])

            if not gradcheck(op, rule, point):
                return name
    return None


@known_wrong(
    "find_bug",
    id="backward-twice",
    hint=2,
    en="You called backward twice on the same leaves. Grads of leaves add up over calls, so every gradient is twice as large: one call, on new leaves.",
    es="Llamaste dos veces a backward con las mismas hojas. Los grad de las hojas se acumulan, así que cada gradiente sale el doble: una sola llamada, con hojas nuevas.",
)
def find_bug(engine):
    def agrees(program, x):
        def op(x):
            return np.array(program(*(engine(number) for number in x.tolist())).data)

        def rule(g, x):
            leaves = [engine(number) for number in x.tolist()]
            out = program(*leaves)
            out.backward()
            out.backward()
            return g * np.array([0.0 if leaf.grad is None else leaf.grad for leaf in leaves])

        return gradcheck(op, rule, x)

    points = [np.array([1.3, -0.7]), np.array([-0.6, 1.7])]
    for name, program in PROGRAMS.items():
        if not all(agrees(program, x) for x in points):
            return name
    return None


@known_wrong(
    "find_bug",
    id="sizes-compared",
    hint=2,
    en="You compared sizes and dropped the signs. Then a lost minus is never found: leave the comparing to gradcheck.",
    es="Comparaste tamaños y perdiste los signos. Así un menos perdido no se descubre nunca: deja la comparación a gradcheck.",
)
def find_bug(engine):
    points = [np.array([1.3, -0.7]), np.array([-0.6, 1.7])]
    for name, program in PROGRAMS.items():
        for x in points:
            leaves = [engine(number) for number in x.tolist()]
            program(*leaves).backward()
            claimed = [abs(leaf.grad or 0.0) for leaf in leaves]
            measured = numeric_grad(lambda at: program(*(engine(number) for number in at.tolist())).data, x)
            if not np.allclose(claimed, np.abs(measured), atol=1e-5):
                return name
    return None


@known_wrong(
    "find_bug",
    id="node-for-number",
    hint=2,
    en="Your op returns the node itself. gradcheck calculates with numbers: return .data.",
    es="Tu op devuelve el nodo mismo. gradcheck calcula con números: devuelve .data.",
)
def find_bug(engine):
    def agrees(program, x):
        def op(x):
            return program(*(engine(number) for number in x.tolist()))

        def rule(g, x):
            leaves = [engine(number) for number in x.tolist()]
            program(*leaves).backward()
            return g * np.array([0.0 if leaf.grad is None else leaf.grad for leaf in leaves])

        return gradcheck(op, rule, x)

    points = [np.array([1.3, -0.7]), np.array([-0.6, 1.7])]
    for name, program in PROGRAMS.items():
        if not all(agrees(program, x) for x in points):
            return name
    return None


@known_wrong(
    "find_bug",
    id="sums-compared",
    hint=2,
    en="You compared the sum of the gradients. What one leaf gets too much, the other may get too little: compare leaf by leaf, as gradcheck does.",
    es="Comparaste la suma de los gradientes. Lo que una hoja recibe de más, la otra puede recibirlo de menos: compara hoja por hoja, como hace gradcheck.",
)
def find_bug(engine):
    points = [np.array([1.3, -0.7]), np.array([-0.6, 1.7])]
    for name, program in PROGRAMS.items():
        for x in points:
            leaves = [engine(number) for number in x.tolist()]
            program(*leaves).backward()
            claimed = sum(leaf.grad or 0.0 for leaf in leaves)
            measured = numeric_grad(lambda at: program(*(engine(number) for number in at.tolist())).data, x)
            if abs(claimed - measured.sum()) > 1e-5:
                return name
    return None


@known_wrong(
    "find_bug",
    id="order-of-its-own",
    hint=4,
    en="You went through the programs in an order of your own. Asked for is the first in PROGRAMS that fails; an engine may have several wrong rules.",
    es="Recorriste los programas en un orden tuyo. Se pide el primero de PROGRAMS que falla; un motor puede tener varias reglas falsas.",
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

    points = [np.array([1.3, -0.7]), np.array([-0.6, 1.7])]
    for name, program in sorted(PROGRAMS.items()):
        if not all(agrees(program, x) for x in points):
            return name
    return None


@known_wrong(
    "find_bug",
    id="never-a-bug",
    hint=1,
    en="You found no bug in any engine. Compare what the engine says with what gradcheck measures, for each program in PROGRAMS.",
    es="No encontraste errores en ningún motor. Compara lo que dice el motor con lo que mide gradcheck, para cada programa de PROGRAMS.",
)
def find_bug(engine):
    return None


@known_wrong(
    "find_bug",
    id="yes-or-no",
    hint=4,
    en="You returned True or False. Asked for is the name of the program, or None.",
    es="Devolviste True o False. Se pide el nombre del programa, o None.",
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

    points = [np.array([1.3, -0.7]), np.array([-0.6, 1.7])]
    return all(agrees(program, x) for program in PROGRAMS.values() for x in points)


@known_wrong(
    "find_bug",
    id="backward-left-out",
    hint=4,
    en="You tested the rules and not the walk: the last entry of PROGRAMS never ran. A wrong order spoils right rules.",
    es="Probaste las reglas y no el recorrido: la última entrada de PROGRAMS no se ejecutó nunca. Un orden falso estropea reglas correctas.",
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

    points = [np.array([1.3, -0.7]), np.array([-0.6, 1.7])]
    for name, program in list(PROGRAMS.items())[:-1]:
        if not all(agrees(program, x) for x in points):
            return name
    return None
