"""Known-wrong versions of `wants_grad`."""

from minitorch.course.judging.misconceptions import known_wrong


@known_wrong(
    "wants_grad",
    id="all-parents",
    hint=2,
    en="You want all parents to want one. weight * data has one that does not, and the weight must learn all the same: one is enough (any).",
    es="Pides que todos los padres lo quieran. En peso * dato uno no lo quiere, y el peso debe aprender igual: basta uno (any).",
)
def wants_grad(parents):
    return GRAD_ENABLED.get() and all(parent.requires_grad for parent in parents)


@known_wrong(
    "wants_grad",
    id="all-of-some-parents",
    hint=2,
    en="You want all parents to want one, if there are any. But the weight in weight * data must learn although the data want nothing: one is enough (any).",
    es="Pides que todos los padres lo quieran, si los hay. Pero el peso de peso * dato debe aprender aunque el dato no quiera nada: basta uno (any).",
)
def wants_grad(parents):
    return GRAD_ENABLED.get() and len(parents) > 0 and all(parent.requires_grad for parent in parents)


@known_wrong(
    "wants_grad",
    id="first-parent-only",
    hint=2,
    en="You look at the first parent only. In data * weight the weight is the second: look at each of them.",
    es="Miras solo el primer padre. En dato * peso el peso es el segundo: míralos todos.",
)
def wants_grad(parents):
    return GRAD_ENABLED.get() and len(parents) > 0 and parents[0].requires_grad


@known_wrong(
    "wants_grad",
    id="first-parent-returned",
    hint=2,
    en="Your loop returns in its first round, whatever the first parent says. Return True as soon as one wants a gradient, and False after the loop.",
    es="Tu bucle vuelve en la primera vuelta, diga lo que diga el primer padre. Devuelve True cuando uno quiere gradiente, y False después del bucle.",
)
def wants_grad(parents):
    if not GRAD_ENABLED.get():
        return False
    for parent in parents:
        return parent.requires_grad


@known_wrong(
    "wants_grad",
    id="two-parents-only",
    hint=2,
    en="You look at exactly two parents. A sum has one, a leaf none, some operations three: any(...) takes as many as there are.",
    es="Miras exactamente dos padres. Una suma tiene uno, una hoja ninguno, otras operaciones tres: any(...) toma los que haya.",
)
def wants_grad(parents):
    return GRAD_ENABLED.get() and (parents[0].requires_grad or parents[1].requires_grad)


@known_wrong(
    "wants_grad",
    id="switch-ignored",
    hint=3,
    en="The rule does not ask the switch, or asks the box and not what lies in it. GRAD_ENABLED.get() is the answer; the box itself always counts as true.",
    es="La regla no consulta el interruptor, o consulta la caja y no lo que hay en ella. La respuesta es GRAD_ENABLED.get(); la caja misma siempre cuenta como verdadera.",
)
def wants_grad(parents):
    return any(parent.requires_grad for parent in parents)


@known_wrong(
    "wants_grad",
    id="switch-only",
    hint=1,
    en="You ask the switch alone. The result of constants is a constant, also when operations are recorded: look at the parents.",
    es="Consultas solo el interruptor. El resultado de constantes es una constante, también cuando se registran operaciones: mira los padres.",
)
def wants_grad(parents):
    return GRAD_ENABLED.get()


@known_wrong(
    "wants_grad",
    id="or-for-and",
    hint=1,
    en="One of the two conditions is enough for you. Both must hold: recording is on, and some parent wants a gradient.",
    es="Te basta una de las dos condiciones. Deben cumplirse ambas: el registro está encendido y algún padre quiere un gradiente.",
)
def wants_grad(parents):
    return GRAD_ENABLED.get() or any(parent.requires_grad for parent in parents)


@known_wrong(
    "wants_grad",
    id="leaves-only",
    hint=1,
    en="You count parents that are leaves only, so the flag stops after one operation. Inner nodes hand the gradient on: they count as well.",
    es="Cuentas solo los padres que son hojas, así que la marca se detiene tras una operación. Los nodos interiores entregan el gradiente: también cuentan.",
)
def wants_grad(parents):
    return GRAD_ENABLED.get() and any(parent.requires_grad and not parent._prev for parent in parents)


@known_wrong(
    "wants_grad",
    id="those-with-a-gradient",
    hint=1,
    en="You ask whether a gradient has arrived. It is asked on the way forward, when none has: requires_grad says whether one is wanted.",
    es="Preguntas si ya llegó un gradiente. Se pregunta en la ida, cuando aún no llegó ninguno: requires_grad dice si se quiere.",
)
def wants_grad(parents):
    return GRAD_ENABLED.get() and any(parent.grad is not None for parent in parents)


@known_wrong(
    "wants_grad",
    id="a-list-of-flags",
    hint=2,
    en="You returned one answer for each parent. Asked for is one answer for all of them: any(...) makes one out of many.",
    es="Devolviste una respuesta por padre. Se pide una sola para todos: any(...) hace una de muchas.",
)
def wants_grad(parents):
    return GRAD_ENABLED.get() and [parent.requires_grad for parent in parents]


@known_wrong(
    "wants_grad",
    id="switch-upside-down",
    hint=3,
    en="The switch works the wrong way round: GRAD_ENABLED.get() is True when operations are recorded.",
    es="El interruptor funciona al revés: GRAD_ENABLED.get() es True cuando se registran operaciones.",
)
def wants_grad(parents):
    return not GRAD_ENABLED.get() and any(parent.requires_grad for parent in parents)


@known_wrong(
    "wants_grad",
    id="none-instead-of-false",
    hint=2,
    en="Where nobody wants a gradient you return nothing, and nothing is None. The answer there is False.",
    es="Cuando nadie quiere un gradiente no devuelves nada, y nada es None. Ahí la respuesta es False.",
)
def wants_grad(parents):
    for parent in parents:
        if GRAD_ENABLED.get() and parent.requires_grad:
            return True


@known_wrong(
    "wants_grad",
    id="box-is-never-true",
    hint=3,
    en="Your answer is always False. Do you compare GRAD_ENABLED itself with True? It is the box; what lies in it is GRAD_ENABLED.get().",
    es="Tu respuesta es siempre False. ¿Comparas GRAD_ENABLED mismo con True? Es la caja; lo que hay en ella es GRAD_ENABLED.get().",
)
def wants_grad(parents):
    return GRAD_ENABLED is True and any(parent.requires_grad for parent in parents)


@known_wrong(
    "wants_grad",
    id="any-parent-at-all",
    hint=2,
    en="any(parents) asks whether there is a parent, for every Tensor counts as true. Ask each of them for its requires_grad.",
    es="any(parents) pregunta si hay algún padre, porque todo Tensor cuenta como verdadero. Pregúntale a cada uno por su requires_grad.",
)
def wants_grad(parents):
    return GRAD_ENABLED.get() and any(parents)
