"""Known-wrong versions of `backward`: each stands for one way to get it wrong."""

from minitorch.course.judging.misconceptions import known_wrong


@known_wrong(
    "backward",
    id="overwrites",
    hint=3,
    en="A second contribution replaced the first one. Where paths meet, gradients are added: = for the first, += for the rest.",
    es="Una segunda contribución sustituyó a la primera. Donde se juntan caminos, los gradientes se suman: = la primera, += las demás.",
)
def backward(root):
    order = toposort(root)
    root.grad = 1.0
    for node in reversed(order):
        for parent, local in zip(node._prev, node._local_grads):
            parent.grad = local * node.grad


@known_wrong(
    "backward",
    id="adds-to-none",
    hint=3,
    en="You added to a grad that is still None. The first contribution is assigned with =; += is for the later ones.",
    es="Sumaste a un grad que todavía es None. La primera contribución se asigna con =; += es para las siguientes.",
)
def backward(root):
    order = toposort(root)
    for node in order:
        if node._prev:
            node.grad = None
    root.grad = 1.0
    for node in reversed(order):
        for parent, local in zip(node._prev, node._local_grads):
            parent.grad += local * node.grad


@known_wrong(
    "backward",
    id="seed-missing",
    hint=1,
    en="Nothing starts the walk: root.grad is still None. root grows with itself at the rate 1.0.",
    es="Nada inicia el recorrido: root.grad sigue siendo None. root crece consigo mismo a razón de 1.0.",
)
def backward(root):
    order = toposort(root)
    for node in order:
        if node._prev:
            node.grad = None
    for node in reversed(order):
        for parent, local in zip(node._prev, node._local_grads):
            contribution = local * node.grad
            parent.grad = contribution if parent.grad is None else parent.grad + contribution


@known_wrong(
    "backward",
    id="multiplies-none",
    hint=2,
    en="You multiplied by a grad that is still None. Is root given its 1.0 after the reset? And is it node.grad that you hand on, not parent.grad?",
    es="Multiplicaste por un grad que todavía es None. ¿Recibe root su 1.0 después del reinicio? ¿Y entregas node.grad, y no parent.grad?",
)
def backward(root):
    order = toposort(root)
    root.grad = 1.0
    for node in order:
        if node._prev:
            node.grad = None
    for node in reversed(order):
        for parent, local in zip(node._prev, node._local_grads):
            contribution = local * node.grad
            parent.grad = contribution if parent.grad is None else parent.grad + contribution


@known_wrong(
    "backward",
    id="loops-over-none",
    hint=5,
    en="Your loop got None instead of a list. order.reverse() turns the list round in place and returns None: use reversed(order).",
    es="Tu bucle recibió None en vez de una lista. order.reverse() da la vuelta a la propia lista y devuelve None: usa reversed(order).",
)
def backward(root):
    order = toposort(root)
    for node in order:
        if node._prev:
            node.grad = None
    root.grad = 1.0
    for node in order.reverse():
        for parent, local in zip(node._prev, node._local_grads):
            contribution = local * node.grad
            parent.grad = contribution if parent.grad is None else parent.grad + contribution


@known_wrong(
    "backward",
    id="nothing-arrives",
    hint=1,
    en="Every grad is still None: the walk passes by all nodes because nobody gave root its 1.0.",
    es="Todos los grad siguen en None: el recorrido pasa de largo por los nodos porque nadie le dio a root su 1.0.",
)
def backward(root):
    order = toposort(root)
    for node in order:
        if node._prev:
            node.grad = None
    for node in reversed(order):
        if node.grad is None:
            continue
        for parent, local in zip(node._prev, node._local_grads):
            contribution = local * node.grad
            parent.grad = contribution if parent.grad is None else parent.grad + contribution


@known_wrong(
    "backward",
    id="seed-is-data",
    hint=1,
    en="You started with root.data. The walk starts with how fast root grows with itself, and that is 1.0.",
    es="Empezaste con root.data. El recorrido empieza con la rapidez con que root crece consigo mismo, y esa es 1.0.",
)
def backward(root):
    order = toposort(root)
    for node in order:
        if node._prev:
            node.grad = None
    root.grad = root.data
    for node in reversed(order):
        for parent, local in zip(node._prev, node._local_grads):
            contribution = local * node.grad
            parent.grad = contribution if parent.grad is None else parent.grad + contribution


@known_wrong(
    "backward",
    id="upstream-ignored",
    hint=2,
    en="You added up local gradients alone. Along a path the numbers are multiplied: local gradient times the node's own grad.",
    es="Sumaste solo gradientes locales. A lo largo de un camino los números se multiplican: gradiente local por el grad del nodo.",
)
def backward(root):
    order = toposort(root)
    for node in order:
        if node._prev:
            node.grad = None
    root.grad = 1.0
    for node in reversed(order):
        for parent, local in zip(node._prev, node._local_grads):
            parent.grad = local if parent.grad is None else parent.grad + local


@known_wrong(
    "backward",
    id="inner-grads-kept",
    hint=4,
    en="In a second call the inner nodes still held the grad of the first one, and handed it on again. Start them from None.",
    es="En una segunda llamada los nodos interiores aún tenían el grad de la primera y lo entregaron otra vez. Empieza desde None.",
)
def backward(root):
    order = toposort(root)
    root.grad = 1.0
    for node in reversed(order):
        for parent, local in zip(node._prev, node._local_grads):
            contribution = local * node.grad
            parent.grad = contribution if parent.grad is None else parent.grad + contribution


@known_wrong(
    "backward",
    id="leaves-cleared",
    hint=4,
    en="You set the grads of leaves back as well. Leaves add up over calls; only nodes with parents start from None.",
    es="También borraste los grad de las hojas. Las hojas acumulan entre llamadas; solo los nodos con padres empiezan desde None.",
)
def backward(root):
    order = toposort(root)
    for node in order:
        node.grad = None
    root.grad = 1.0
    for node in reversed(order):
        for parent, local in zip(node._prev, node._local_grads):
            contribution = local * node.grad
            parent.grad = contribution if parent.grad is None else parent.grad + contribution


@known_wrong(
    "backward",
    id="wrong-direction",
    hint=2,
    en="You walked from the leaves to root. A node can hand on only what it has received: walk reversed(order), root first.",
    es="Hiciste el recorrido de las hojas a root. Un nodo solo puede entregar lo que recibió: recorre reversed(order), primero root.",
)
def backward(root):
    order = toposort(root)
    for node in order:
        if node._prev:
            node.grad = None
    root.grad = 1.0
    for node in order:
        for parent, local in zip(node._prev, node._local_grads):
            contribution = local * node.grad
            parent.grad = contribution if parent.grad is None else parent.grad + contribution


@known_wrong(
    "backward",
    id="hands-on-too-early",
    hint=2,
    en="A node handed on its grad before all of it had arrived, and then again. Wait until every child has been visited.",
    es="Un nodo entregó su grad antes de que llegara completo, y luego otra vez. Espera a que se hayan visitado todos sus hijos.",
)
def backward(root):
    for node in toposort(root):
        if node._prev:
            node.grad = None
    root.grad = 1.0

    def hand_on(node):
        for parent, local in zip(node._prev, node._local_grads):
            contribution = local * node.grad
            parent.grad = contribution if parent.grad is None else parent.grad + contribution
            hand_on(parent)

    hand_on(root)


@known_wrong(
    "backward",
    id="level-by-level",
    hint=2,
    en="You went level by level (breadth first), so a node with a short and a long path to root handed on too early. Use toposort.",
    es="Fuiste nivel por nivel (en anchura): un nodo con un camino corto y otro largo hasta root entregó demasiado pronto. Usa toposort.",
)
def backward(root):
    queue, seen = [root], {root}
    for node in queue:
        for parent in node._prev:
            if parent not in seen:
                seen.add(parent)
                queue.append(parent)
    for node in queue:
        if node._prev:
            node.grad = None
    root.grad = 1.0
    for node in queue:
        for parent, local in zip(node._prev, node._local_grads):
            contribution = local * node.grad
            parent.grad = contribution if parent.grad is None else parent.grad + contribution


@known_wrong(
    "backward",
    id="path-by-path",
    hint=5,
    en="The numbers are right, but a function of yours calls itself for every level. In a chain of 5,000 nodes Python stops it.",
    es="Los números son correctos, pero una función tuya se llama a sí misma en cada nivel. En una cadena de 5000 nodos Python la detiene.",
)
def backward(root):
    for node in toposort(root):
        if node._prev:
            node.grad = None

    def arrive(node, contribution):
        node.grad = contribution if node.grad is None else node.grad + contribution
        for parent, local in zip(node._prev, node._local_grads):
            arrive(parent, local * contribution)

    arrive(root, 1.0)


@known_wrong(
    "backward",
    id="one-place-lost",
    hint=3,
    en="In x * x the node x stands in two places and must get two contributions. You handed it one.",
    es="En x * x el nodo x está en dos lugares y debe recibir dos contribuciones. Le entregaste una.",
)
def backward(root):
    order = toposort(root)
    for node in order:
        if node._prev:
            node.grad = None
    root.grad = 1.0
    for node in reversed(order):
        for parent, local in dict(zip(node._prev, node._local_grads)).items():
            contribution = local * node.grad
            parent.grad = contribution if parent.grad is None else parent.grad + contribution


@known_wrong(
    "backward",
    id="zero-taken-for-nothing",
    hint=3,
    en="You passed by a node whose grad is 0.0. Zero is a gradient too, and its parents must get theirs: ask `is None`.",
    es="Pasaste de largo por un nodo cuyo grad es 0.0. Cero también es un gradiente, y sus padres deben recibir el suyo: pregunta `is None`.",
)
def backward(root):
    order = toposort(root)
    for node in order:
        if node._prev:
            node.grad = None
    root.grad = 1.0
    for node in reversed(order):
        if not node.grad:
            continue
        for parent, local in zip(node._prev, node._local_grads):
            contribution = local * node.grad
            parent.grad = contribution if parent.grad is None else parent.grad + contribution


@known_wrong(
    "backward",
    id="local-left-out",
    hint=2,
    en="You handed on node.grad as it is. Each edge multiplies it by its local gradient first.",
    es="Entregaste node.grad tal cual. Cada arista lo multiplica antes por su gradiente local.",
)
def backward(root):
    order = toposort(root)
    for node in order:
        if node._prev:
            node.grad = None
    root.grad = 1.0
    for node in reversed(order):
        for parent, local in zip(node._prev, node._local_grads):
            contribution = node.grad
            parent.grad = contribution if parent.grad is None else parent.grad + contribution


@known_wrong(
    "backward",
    id="added-along-the-path",
    hint=2,
    en="You added the local gradient to node.grad. Along a path the two are multiplied.",
    es="Sumaste el gradiente local a node.grad. A lo largo de un camino se multiplican.",
)
def backward(root):
    order = toposort(root)
    for node in order:
        if node._prev:
            node.grad = None
    root.grad = 1.0
    for node in reversed(order):
        for parent, local in zip(node._prev, node._local_grads):
            contribution = local + node.grad
            parent.grad = contribution if parent.grad is None else parent.grad + contribution


@known_wrong(
    "backward",
    id="seed-for-every-node",
    hint=1,
    en="You gave every node the 1.0. It is the seed of root alone; the others get what their children hand them.",
    es="Le diste el 1.0 a cada nodo. Es la semilla solo de root; los demás reciben lo que les entregan sus hijos.",
)
def backward(root):
    order = toposort(root)
    for node in order:
        if node._prev:
            node.grad = None
    root.grad = 1.0
    for node in reversed(order):
        node.grad = 1.0
        for parent, local in zip(node._prev, node._local_grads):
            contribution = local * node.grad
            parent.grad = contribution if parent.grad is None else parent.grad + contribution


@known_wrong(
    "backward",
    id="reset-during-the-walk",
    hint=4,
    en="You set grads back to None in the middle of the walk, and lost what had arrived. Do it for all inner nodes before the walk.",
    es="Pusiste los grad a None en medio del recorrido y perdiste lo que había llegado. Hazlo antes, con todos los nodos interiores.",
)
def backward(root):
    order = toposort(root)
    root.grad = 1.0
    for node in reversed(order):
        for parent in node._prev:
            parent.grad = None
        for parent, local in zip(node._prev, node._local_grads):
            contribution = local * node.grad
            parent.grad = contribution if parent.grad is None else parent.grad + contribution


@known_wrong(
    "backward",
    id="reset-after-the-walk",
    hint=4,
    en="You set the inner grads back to None after the walk, so nobody can read them. Do it at the start of the next call.",
    es="Pusiste los grad interiores a None después del recorrido, y nadie puede leerlos. Hazlo al comienzo de la llamada siguiente.",
)
def backward(root):
    order = toposort(root)
    root.grad = 1.0
    for node in reversed(order):
        for parent, local in zip(node._prev, node._local_grads):
            contribution = local * node.grad
            parent.grad = contribution if parent.grad is None else parent.grad + contribution
    for node in order:
        if node._prev and node is not root:
            node.grad = None


@known_wrong(
    "backward",
    id="path-by-path-on-old-grads",
    hint=2,
    en="You followed every path by itself: a chain of 5,000 nodes ends the recursion. And in a second call the inner nodes keep their old grads.",
    es="Seguiste cada camino por separado: una cadena de 5000 nodos acaba con la recursión. Y en otra llamada los nodos interiores guardan lo viejo.",
)
def backward(root):
    root.grad = 1.0

    def hand_on(node, grad):
        for parent, local in zip(node._prev, node._local_grads):
            contribution = local * grad
            parent.grad = contribution if parent.grad is None else parent.grad + contribution
            hand_on(parent, contribution)

    hand_on(root, 1.0)
