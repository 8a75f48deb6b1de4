"""Known-wrong versions of `sgd_step`: each stands for one way to get it wrong."""

from minitorch.course.judging.misconceptions import known_wrong


@known_wrong(
    "sgd_step",
    id="ascent",
    hint=1,
    en="You stepped along the gradient. It points to where the loss grows: go against it, with a minus.",
    es="Diste el paso a favor del gradiente. Este apunta hacia donde crece la pérdida: ve en contra, con un menos.",
)
def sgd_step(parameters, lr):
    for parameter in parameters:
        if parameter.grad is not None:
            parameter.data += lr * parameter.grad


@known_wrong(
    "sgd_step",
    id="lr-ignored",
    hint=4,
    en="You subtracted the whole gradient. The learning rate says how much of it: lr * grad.",
    es="Restaste el gradiente entero. La tasa de aprendizaje dice cuánto de él: lr * grad.",
)
def sgd_step(parameters, lr):
    for parameter in parameters:
        if parameter.grad is not None:
            parameter.data -= parameter.grad


@known_wrong(
    "sgd_step",
    id="lr-divides",
    hint=4,
    en="You divided by the learning rate. A smaller lr must give a smaller step: lr times grad.",
    es="Dividiste entre la tasa de aprendizaje. Un lr menor debe dar un paso menor: lr por grad.",
)
def sgd_step(parameters, lr):
    for parameter in parameters:
        if parameter.grad is not None:
            parameter.data -= parameter.grad / lr


@known_wrong(
    "sgd_step",
    id="update-recorded",
    hint=2,
    en="Nothing moved: your result never went into the leaf. p = p - lr * grad makes a new node and only renames it p. Assign to p.data.",
    es="Nada se movió: tu resultado nunca llegó a la hoja. p = p - lr * grad crea un nodo nuevo y solo le da el nombre p. Asigna a p.data.",
)
def sgd_step(parameters, lr):
    for parameter in parameters:
        if parameter.grad is not None:
            parameter = parameter - lr * parameter.grad


@known_wrong(
    "sgd_step",
    id="update-recorded-none-multiplied",
    hint=2,
    en="Two things. p = p - lr * grad makes a new node and leaves the leaf as it is: change p.data. And a grad may be None: ask first.",
    es="Dos cosas. p = p - lr * grad crea un nodo nuevo y deja la hoja igual: cambia p.data. Y un grad puede ser None: pregunta antes.",
)
def sgd_step(parameters, lr):
    for parameter in parameters:
        parameter = parameter - lr * parameter.grad


@known_wrong(
    "sgd_step",
    id="update-recorded-in-the-list",
    hint=2,
    en="You put new nodes into the list. They remember the step as an operation, and the network still holds the old leaves. Change p.data.",
    es="Pusiste nodos nuevos en la lista. Recuerdan el paso como una operación, y la red sigue teniendo las hojas viejas. Cambia p.data.",
)
def sgd_step(parameters, lr):
    for index, parameter in enumerate(parameters):
        if parameter.grad is not None:
            parameters[index] = parameter - lr * parameter.grad


@known_wrong(
    "sgd_step",
    id="update-in-the-list-none-multiplied",
    hint=2,
    en="Two things. You put new nodes into the list, and the network still holds the old leaves: change p.data. And a grad may be None.",
    es="Dos cosas. Pusiste nodos nuevos en la lista, y la red sigue teniendo las hojas viejas: cambia p.data. Y un grad puede ser None.",
)
def sgd_step(parameters, lr):
    for index, parameter in enumerate(parameters):
        parameters[index] = parameter - lr * parameter.grad


@known_wrong(
    "sgd_step",
    id="new-leaves-in-the-list",
    hint=2,
    en="You put fresh leaves into the list. Their numbers are right, but the network still holds the old ones. Change p.data in place.",
    es="Pusiste hojas nuevas en la lista. Sus números son correctos, pero la red sigue teniendo las viejas. Cambia p.data en su sitio.",
)
def sgd_step(parameters, lr):
    for index, parameter in enumerate(parameters):
        if parameter.grad is not None:
            parameters[index] = type(parameter)(parameter.data - lr * parameter.grad)


@known_wrong(
    "sgd_step",
    id="data-becomes-a-node",
    hint=2,
    en="You put a node into data. The step is arithmetic with plain numbers: parameter.data minus lr * parameter.grad.",
    es="Pusiste un nodo en data. El paso es aritmética con números simples: parameter.data menos lr * parameter.grad.",
)
def sgd_step(parameters, lr):
    for parameter in parameters:
        if parameter.grad is not None:
            parameter.data = parameter - lr * parameter.grad


@known_wrong(
    "sgd_step",
    id="data-becomes-a-node-none-multiplied",
    hint=2,
    en="Two things. You put a node into data: the step is arithmetic with parameter.data. And a grad may be None: ask first.",
    es="Dos cosas. Pusiste un nodo en data: el paso es aritmética con parameter.data. Y un grad puede ser None: pregunta antes.",
)
def sgd_step(parameters, lr):
    for parameter in parameters:
        parameter.data = parameter - lr * parameter.grad


@known_wrong(
    "sgd_step",
    id="none-multiplied",
    hint=3,
    en="You multiplied by a grad that is None. A parameter that got no gradient stays where it is: ask `is not None` first.",
    es="Multiplicaste por un grad que es None. Un parámetro que no recibió gradiente se queda donde está: pregunta antes `is not None`.",
)
def sgd_step(parameters, lr):
    for parameter in parameters:
        parameter.data -= lr * parameter.grad


@known_wrong(
    "sgd_step",
    id="stops-at-none",
    hint=3,
    en="You stopped at the first parameter without a gradient. Pass by that one alone, and go on with the others: continue, not return or break.",
    es="Te detuviste en el primer parámetro sin gradiente. Deja pasar solo ese y sigue con los demás: continue, no return ni break.",
)
def sgd_step(parameters, lr):
    for parameter in parameters:
        if parameter.grad is None:
            return
        parameter.data -= lr * parameter.grad


@known_wrong(
    "sgd_step",
    id="all-or-nothing",
    hint=3,
    en="One grad is None, and no parameter moved at all. Those that have a gradient make their step all the same.",
    es="Un grad es None, y no se movió ningún parámetro. Los que tienen gradiente dan su paso de todos modos.",
)
def sgd_step(parameters, lr):
    if all(parameter.grad is not None for parameter in parameters):
        for parameter in parameters:
            parameter.data -= lr * parameter.grad


@known_wrong(
    "sgd_step",
    id="step-empties-the-grads",
    hint=4,
    en="The numbers are right, but you emptied the grads as well. That is the work of zero_grad: a step only reads them.",
    es="Los números son correctos, pero además vaciaste los grad. Esa es tarea de zero_grad: un paso solo los lee.",
)
def sgd_step(parameters, lr):
    for parameter in parameters:
        if parameter.grad is not None:
            parameter.data -= lr * parameter.grad
            parameter.grad = None


@known_wrong(
    "sgd_step",
    id="step-zeroes-the-grads",
    hint=4,
    en="The numbers are right, but you set the grads to 0.0 as well. A step only reads them; zero_grad empties them, and to None.",
    es="Los números son correctos, pero además pusiste los grad en 0.0. Un paso solo los lee; los vacía zero_grad, y con None.",
)
def sgd_step(parameters, lr):
    for parameter in parameters:
        if parameter.grad is not None:
            parameter.data -= lr * parameter.grad
            parameter.grad = 0.0


@known_wrong(
    "sgd_step",
    id="old-number-lost",
    hint=4,
    en="The step took the place of the number. Subtract it from what is there: -= where you wrote = -.",
    es="El paso ocupó el lugar del número. Réstalo de lo que hay: -= donde escribiste = -.",
)
def sgd_step(parameters, lr):
    for parameter in parameters:
        if parameter.grad is not None:
            parameter.data = -lr * parameter.grad


@known_wrong(
    "sgd_step",
    id="grad-moved",
    hint=2,
    en="You changed grad, and data stayed. The gradient says where to go; what goes there is the number in data.",
    es="Cambiaste grad, y data quedó igual. El gradiente dice adónde ir; lo que va es el número en data.",
)
def sgd_step(parameters, lr):
    for parameter in parameters:
        if parameter.grad is not None:
            parameter.grad -= lr * parameter.grad


@known_wrong(
    "sgd_step",
    id="step-by-data",
    hint=4,
    en="You subtracted lr times the number itself, so every parameter shrinks. The step is lr times its gradient.",
    es="Restaste lr por el propio número, así que cada parámetro se encoge. El paso es lr por su gradiente.",
)
def sgd_step(parameters, lr):
    for parameter in parameters:
        if parameter.grad is not None:
            parameter.data -= lr * parameter.data


@known_wrong(
    "sgd_step",
    id="direction-only",
    hint=4,
    en="You used the sign of the gradient alone. A steep slope makes a larger step than a flat one: lr times grad.",
    es="Usaste solo el signo del gradiente. Una pendiente fuerte da un paso mayor que una suave: lr por grad.",
)
def sgd_step(parameters, lr):
    for parameter in parameters:
        if parameter.grad is not None:
            parameter.data -= lr * ((parameter.grad > 0) - (parameter.grad < 0))


@known_wrong(
    "sgd_step",
    id="first-parameter-only",
    hint=4,
    en="Only the first parameter moved: a return stands inside the loop. All of them make their step.",
    es="Solo se movió el primer parámetro: hay un return dentro del bucle. Todos dan su paso.",
)
def sgd_step(parameters, lr):
    for parameter in parameters:
        if parameter.grad is not None:
            parameter.data -= lr * parameter.grad
        return


@known_wrong(
    "sgd_step",
    id="step-divided-by-their-number",
    hint=4,
    en="You divided by the number of parameters. Each has its own gradient, and its step does not depend on how many others there are.",
    es="Dividiste entre el número de parámetros. Cada uno tiene su gradiente, y su paso no depende de cuántos otros haya.",
)
def sgd_step(parameters, lr):
    for parameter in parameters:
        if parameter.grad is not None:
            parameter.data -= lr * parameter.grad / len(parameters)


@known_wrong(
    "sgd_step",
    id="always-downward",
    hint=1,
    en="You took the gradient without its sign, so every parameter goes down. Where the gradient is negative, the parameter has to go up.",
    es="Tomaste el gradiente sin su signo, así que todo parámetro baja. Donde el gradiente es negativo, el parámetro tiene que subir.",
)
def sgd_step(parameters, lr):
    for parameter in parameters:
        if parameter.grad is not None:
            parameter.data -= lr * abs(parameter.grad)


@known_wrong(
    "sgd_step",
    id="none-becomes-zero",
    hint=3,
    en="The numbers are right, but you wrote 0.0 over the grads that are None. None says that no gradient arrived: only read it.",
    es="Los números son correctos, pero escribiste 0.0 sobre los grad que son None. None dice que no llegó ningún gradiente: solo léelo.",
)
def sgd_step(parameters, lr):
    for parameter in parameters:
        if parameter.grad is None:
            parameter.grad = 0.0
        parameter.data -= lr * parameter.grad
