"""Known-wrong versions of `train_step`: each stands for one way to get it wrong."""

from minitorch.course.judging.misconceptions import known_wrong


@known_wrong(
    "train_step",
    id="no-zero-grad",
    hint=2,
    en="Nobody empties the grads. Leaves add up over calls, so each step also repeats all the steps before it. Call zero_grad first.",
    es="Nadie vacía los grad. Las hojas acumulan entre llamadas, así que cada paso repite también todos los anteriores. Llama primero a zero_grad.",
)
def train_step(parameters, loss_of, backward, lr):
    loss = loss_of()
    backward(loss)
    sgd_step(parameters, lr)
    return loss.data


@known_wrong(
    "train_step",
    id="zero-before-reading",
    hint=2,
    en="You emptied the grads after backward and before sgd_step could read them. Nothing moves. zero_grad belongs before backward.",
    es="Vaciaste los grad después de backward y antes de que sgd_step pudiera leerlos. Nada se mueve. zero_grad va antes de backward.",
)
def train_step(parameters, loss_of, backward, lr):
    loss = loss_of()
    backward(loss)
    zero_grad(parameters)
    sgd_step(parameters, lr)
    return loss.data


@known_wrong(
    "train_step",
    id="zero-at-the-end-only",
    hint=2,
    en="You empty the grads at the end only. What is in them when the call begins gets into the step: empty them before backward.",
    es="Vacías los grad solo al final. Lo que contienen al empezar la llamada entra en el paso: vacíalos antes de backward.",
)
def train_step(parameters, loss_of, backward, lr):
    loss = loss_of()
    backward(loss)
    sgd_step(parameters, lr)
    zero_grad(parameters)
    return loss.data


@known_wrong(
    "train_step",
    id="step-before-backward",
    hint=1,
    en="Nothing moves: the grads are empty when sgd_step would read them, or it is not called at all. The order is zero_grad, backward, sgd_step.",
    es="Nada se mueve: los grad están vacíos cuando sgd_step los leería, o no se lo llama. El orden es zero_grad, backward, sgd_step.",
)
def train_step(parameters, loss_of, backward, lr):
    zero_grad(parameters)
    loss = loss_of()
    sgd_step(parameters, lr)
    backward(loss)
    return loss.data


@known_wrong(
    "train_step",
    id="one-step-late",
    hint=1,
    en="Your step uses the gradients of the call before, and backward comes afterwards. First backward, then sgd_step.",
    es="Tu paso usa los gradientes de la llamada anterior, y backward viene después. Primero backward, luego sgd_step.",
)
def train_step(parameters, loss_of, backward, lr):
    loss = loss_of()
    sgd_step(parameters, lr)
    zero_grad(parameters)
    backward(loss)
    return loss.data


@known_wrong(
    "train_step",
    id="no-backward",
    hint=1,
    en="Nobody computes the gradients: backward is not called. Without it every grad is None, and sgd_step moves nothing.",
    es="Nadie calcula los gradientes: no se llama a backward. Sin ella cada grad es None, y sgd_step no mueve nada.",
)
def train_step(parameters, loss_of, backward, lr):
    zero_grad(parameters)
    loss = loss_of()
    sgd_step(parameters, lr)
    return loss.data


@known_wrong(
    "train_step",
    id="uphill",
    hint=4,
    en="The step goes uphill: the minus is in sgd_step already, and two of them cancel. Give it lr as it is.",
    es="El paso va cuesta arriba: el menos ya está en sgd_step, y dos se anulan. Dale lr tal como es.",
)
def train_step(parameters, loss_of, backward, lr):
    zero_grad(parameters)
    loss = loss_of()
    backward(loss)
    sgd_step(parameters, -lr)
    return loss.data


@known_wrong(
    "train_step",
    id="two-steps-at-once",
    hint=4,
    en="The step is made twice. One call of train_step makes one step.",
    es="El paso se da dos veces. Una llamada a train_step da un solo paso.",
)
def train_step(parameters, loss_of, backward, lr):
    zero_grad(parameters)
    loss = loss_of()
    backward(loss)
    sgd_step(parameters, lr)
    sgd_step(parameters, lr)
    return loss.data


@known_wrong(
    "train_step",
    id="backward-twice",
    hint=4,
    en="backward ran twice, and leaves add up: every gradient is doubled. One loss, one backward.",
    es="backward corrió dos veces, y las hojas acumulan: cada gradiente sale doble. Una pérdida, un backward.",
)
def train_step(parameters, loss_of, backward, lr):
    zero_grad(parameters)
    loss = loss_of()
    backward(loss)
    backward(loss)
    sgd_step(parameters, lr)
    return loss.data


@known_wrong(
    "train_step",
    id="loss-after-the-step",
    hint=4,
    en="You returned the loss after the step. What is asked for is the one that the step was made from; it costs no second forward pass.",
    es="Devolviste la pérdida después del paso. Se pide aquella con la que se dio el paso; no cuesta una segunda pasada hacia delante.",
)
def train_step(parameters, loss_of, backward, lr):
    zero_grad(parameters)
    loss = loss_of()
    backward(loss)
    sgd_step(parameters, lr)
    return loss_of().data


@known_wrong(
    "train_step",
    id="keeps-the-graph",
    hint=3,
    en="You returned the node. Whoever collects the losses keeps every graph in memory with it: return its number, loss.data.",
    es="Devolviste el nodo. Quien guarde las pérdidas mantendrá con él cada grafo en la memoria: devuelve su número, loss.data.",
)
def train_step(parameters, loss_of, backward, lr):
    zero_grad(parameters)
    loss = loss_of()
    backward(loss)
    sgd_step(parameters, lr)
    return loss


@known_wrong(
    "train_step",
    id="step-returns-nothing",
    hint=3,
    en="The step is right, but nothing is returned. Return the loss before the step: loss.data.",
    es="El paso es correcto, pero no se devuelve nada. Devuelve la pérdida antes del paso: loss.data.",
)
def train_step(parameters, loss_of, backward, lr):
    zero_grad(parameters)
    loss = loss_of()
    backward(loss)
    sgd_step(parameters, lr)


@known_wrong(
    "train_step",
    id="loss-of-not-called",
    hint=3,
    en="You used loss_of itself as the loss. It is a function: loss_of(), with brackets, computes the node.",
    es="Usaste loss_of como si fuera la pérdida. Es una función: loss_of(), con paréntesis, calcula el nodo.",
)
def train_step(parameters, loss_of, backward, lr):
    zero_grad(parameters)
    backward(loss_of)
    sgd_step(parameters, lr)
    return loss_of.data


@known_wrong(
    "train_step",
    id="backward-as-a-method",
    hint=3,
    en="Your Value has no method backward: your backward of lesson 02 is a function, and it is given to you. Call backward(loss).",
    es="Tu Value no tiene un método backward: tu backward de la lección 02 es una función, y la recibes. Llama a backward(loss).",
)
def train_step(parameters, loss_of, backward, lr):
    zero_grad(parameters)
    loss = loss_of()
    loss.backward()
    sgd_step(parameters, lr)
    return loss.data


@known_wrong(
    "train_step",
    id="backward-without-the-loss",
    hint=3,
    en="backward was called without a node. It has to know where the walk begins: backward(loss).",
    es="Se llamó a backward sin un nodo. Tiene que saber dónde empieza el recorrido: backward(loss).",
)
def train_step(parameters, loss_of, backward, lr):
    zero_grad(parameters)
    loss = loss_of()
    backward()
    sgd_step(parameters, lr)
    return loss.data


@known_wrong(
    "train_step",
    id="backward-from-the-number",
    hint=3,
    en="You gave backward the plain number in the loss. A number has no parents: give it the node, backward(loss).",
    es="Le diste a backward el número simple de la pérdida. Un número no tiene padres: dale el nodo, backward(loss).",
)
def train_step(parameters, loss_of, backward, lr):
    zero_grad(parameters)
    loss = loss_of().data
    backward(loss)
    sgd_step(parameters, lr)
    return loss


@known_wrong(
    "train_step",
    id="own-step-multiplies-none",
    hint=2,
    en="You made the step here and multiplied by a grad that is None. Call your sgd_step: it passes by parameters that got no gradient.",
    es="Diste el paso aquí mismo y multiplicaste por un grad que es None. Llama a tu sgd_step: deja como están los parámetros sin gradiente.",
)
def train_step(parameters, loss_of, backward, lr):
    zero_grad(parameters)
    loss = loss_of()
    backward(loss)
    for parameter in parameters:
        parameter.data -= lr * parameter.grad
    return loss.data
