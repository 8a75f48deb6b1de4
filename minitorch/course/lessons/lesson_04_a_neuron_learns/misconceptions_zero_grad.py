"""Known-wrong versions of `zero_grad`: each stands for one way to get it wrong."""

from minitorch.course.judging.misconceptions import known_wrong


@known_wrong(
    "zero_grad",
    id="zero-not-none",
    hint=1,
    en="You set grad to 0.0. In this course None means no gradient yet, and 0.0 means no effect on the loss. Set it to None.",
    es="Pusiste grad en 0.0. En este curso None significa que todavía no hay gradiente, y 0.0 que no influye en la pérdida. Ponlo en None.",
)
def zero_grad(parameters):
    for parameter in parameters:
        parameter.grad = 0.0


@known_wrong(
    "zero_grad",
    id="zero-where-a-number-was",
    hint=1,
    en="You set those grads to 0.0 that held a number. Emptied means None, for all of them: no gradient yet.",
    es="Pusiste en 0.0 los grad que tenían un número. Vaciado significa None, para todos: todavía no hay gradiente.",
)
def zero_grad(parameters):
    for parameter in parameters:
        if parameter.grad is not None:
            parameter.grad = 0.0


@known_wrong(
    "zero_grad",
    id="times-zero",
    hint=1,
    en="You computed with the old grad. It may be None, and 0 is not the aim anyway: assign None.",
    es="Calculaste con el grad anterior. Puede ser None, y además 0 no es la meta: asigna None.",
)
def zero_grad(parameters):
    for parameter in parameters:
        parameter.grad *= 0.0


@known_wrong(
    "zero_grad",
    id="minus-itself",
    hint=1,
    en="You subtracted the old grad from itself. It may be None, and 0 is not the aim anyway: assign None.",
    es="Restaste el grad anterior de sí mismo. Puede ser None, y además 0 no es la meta: asigna None.",
)
def zero_grad(parameters):
    for parameter in parameters:
        parameter.grad -= parameter.grad


@known_wrong(
    "zero_grad",
    id="only-a-name",
    hint=2,
    en="Every grad is as it was. Setting a name of your function to None changes no node: assign to parameter.grad.",
    es="Cada grad quedó como estaba. Poner en None un nombre de tu función no cambia ningún nodo: asigna a parameter.grad.",
)
def zero_grad(parameters):
    for parameter in parameters:
        grad = parameter.grad
        grad = None


@known_wrong(
    "zero_grad",
    id="data-emptied",
    hint=3,
    en="You set the numbers in data to 0, and all that was learned is gone. It is grad that has to be emptied, and data stays.",
    es="Pusiste en 0 los números de data, y se pierde todo lo aprendido. Lo que hay que vaciar es grad; data queda igual.",
)
def zero_grad(parameters):
    for parameter in parameters:
        parameter.data = 0.0


@known_wrong(
    "zero_grad",
    id="data-emptied-too",
    hint=3,
    en="The grads are empty, but you set the numbers in data to 0 as well, and all that was learned is gone. Leave data as it is.",
    es="Los grad están vacíos, pero también pusiste en 0 los números de data, y se pierde todo lo aprendido. Deja data como está.",
)
def zero_grad(parameters):
    for parameter in parameters:
        parameter.data = 0.0
        parameter.grad = None


@known_wrong(
    "zero_grad",
    id="zeros-skipped",
    hint=3,
    en="A grad of 0.0 stayed. `if parameter.grad` is false for 0.0 too: zero is a gradient, and it has to go like any other.",
    es="Un grad de 0.0 se quedó. `if parameter.grad` también es falso con 0.0: cero es un gradiente, y debe irse como cualquier otro.",
)
def zero_grad(parameters):
    for parameter in parameters:
        if parameter.grad:
            parameter.grad = None


@known_wrong(
    "zero_grad",
    id="first-grad-only",
    hint=3,
    en="Only the first parameter was emptied: a return stands inside the loop. Go through all of them.",
    es="Solo se vació el primer parámetro: hay un return dentro del bucle. Recórrelos todos.",
)
def zero_grad(parameters):
    for parameter in parameters:
        parameter.grad = None
        return


@known_wrong(
    "zero_grad",
    id="list-has-no-grad",
    hint=3,
    en="You asked the list for its grad. A list has none: each of the parameters in it has one. Use a loop.",
    es="Le pediste grad a la lista. Una lista no lo tiene: lo tiene cada uno de sus parámetros. Usa un bucle.",
)
def zero_grad(parameters):
    parameters.grad = None


@known_wrong(
    "zero_grad",
    id="list-emptied",
    hint=3,
    en="You emptied the list of parameters. They must stay in it, each with grad None.",
    es="Vaciaste la lista de parámetros. Deben seguir en ella, cada uno con grad None.",
)
def zero_grad(parameters):
    parameters.clear()


@known_wrong(
    "zero_grad",
    id="fresh-leaves",
    hint=3,
    en="You put fresh leaves into the list. Their grads are None, but the network holds the old ones, with the old grads.",
    es="Pusiste hojas nuevas en la lista. Sus grad son None, pero la red tiene las viejas, con los grad viejos.",
)
def zero_grad(parameters):
    for index, parameter in enumerate(parameters):
        parameters[index] = type(parameter)(parameter.data)


@known_wrong(
    "zero_grad",
    id="grad-deleted",
    hint=3,
    en="You deleted the attribute grad. backward asks for it: it must be there and hold None.",
    es="Borraste el atributo grad. backward pregunta por él: debe existir y contener None.",
)
def zero_grad(parameters):
    for parameter in parameters:
        del parameter.grad


@known_wrong(
    "zero_grad",
    id="entries-become-none",
    hint=3,
    en="You put None into the list, in place of the parameters. They must stay in it: None belongs into the grad of each.",
    es="Pusiste None en la lista, en lugar de los parámetros. Deben seguir en ella: None va en el grad de cada uno.",
)
def zero_grad(parameters):
    for index in range(len(parameters)):
        parameters[index] = None
