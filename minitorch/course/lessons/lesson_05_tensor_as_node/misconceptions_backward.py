"""Known-wrong versions of `tensor_backward` that go wrong on the walk."""

from minitorch.course.judging.misconceptions import known_wrong


@known_wrong(
    "tensor_backward",
    id="inner-kept",
    hint=4,
    en="In a second call the inner nodes still held what the first one brought, and handed it on again. They start from None in every call.",
    es="En la segunda llamada los nodos interiores conservaban lo de la primera y lo volvieron a entregar. En cada llamada empiezan desde None.",
)
def backward(self):
    if self.data.size != 1:
        raise RuntimeError("not one number")
    if not self.requires_grad:
        raise RuntimeError("a constant")
    order = topological_order(self)
    self.accumulate(np.ones_like(self.data))
    for node in reversed(order):
        if node._backward is not None:
            node._backward()


@known_wrong(
    "tensor_backward",
    id="inner-kept-seed-set",
    hint=4,
    en="Inner nodes must start from None in every call. You set self alone anew; the nodes between it and the leaves handed the first call's part on again.",
    es="Los nodos interiores deben empezar desde None en cada llamada. Solo renovaste self; los nodos entre él y las hojas volvieron a entregar lo de la primera.",
)
def backward(self):
    if self.data.size != 1:
        raise RuntimeError("not one number")
    if not self.requires_grad:
        raise RuntimeError("a constant")
    order = topological_order(self)
    self.grad = np.ones_like(self.data)
    for node in reversed(order):
        if node._backward is not None:
            node._backward()


@known_wrong(
    "tensor_backward",
    id="leaves-set-back",
    hint=4,
    en="You set the grads of leaves back as well, so a second call forgets the first. Leaves collect: only nodes with parents start from None.",
    es="También reinicias los grad de las hojas, así que la segunda llamada olvida la primera. Las hojas acumulan: solo los nodos con padres empiezan desde None.",
)
def backward(self):
    if self.data.size != 1:
        raise RuntimeError("not one number")
    if not self.requires_grad:
        raise RuntimeError("a constant")
    order = topological_order(self)
    for node in order:
        node.grad = None
    self.accumulate(np.ones_like(self.data))
    for node in reversed(order):
        if node._backward is not None:
            node._backward()


@known_wrong(
    "tensor_backward",
    id="zeros-for-everybody",
    hint=4,
    en="Every node got zeros to begin with, constants as well, and the leaves lost what an earlier call had brought. Only inner nodes are set back, and to None.",
    es="Todos los nodos recibieron ceros al empezar, también las constantes, y las hojas perdieron lo de una llamada anterior. Solo se reinician los nodos interiores, y a None.",
)
def backward(self):
    if self.data.size != 1:
        raise RuntimeError("not one number")
    if not self.requires_grad:
        raise RuntimeError("a constant")
    order = topological_order(self)
    for node in order:
        node.grad = np.zeros_like(node.data)
    self.grad = np.ones_like(self.data)
    for node in reversed(order):
        if node._backward is not None:
            node._backward()


@known_wrong(
    "tensor_backward",
    id="leaves-first",
    hint=2,
    en="You walked from the leaves to self. A node can hand on only what has arrived: children first, so reversed(order).",
    es="Recorriste desde las hojas hacia self. Un nodo solo puede entregar lo que ya le llegó: primero los hijos, así que reversed(order).",
)
def backward(self):
    if self.data.size != 1:
        raise RuntimeError("not one number")
    if not self.requires_grad:
        raise RuntimeError("a constant")
    order = topological_order(self)
    for node in order:
        if node._prev:
            node.grad = None
    self.accumulate(np.ones_like(self.data))
    for node in order:
        if node._backward is not None:
            node._backward()


@known_wrong(
    "tensor_backward",
    id="level-by-level",
    hint=2,
    en="You went level by level. Where paths have different lengths a node hands on before everything has arrived: take topological_order, from its end.",
    es="Fuiste nivel por nivel. Si los caminos tienen longitudes distintas, un nodo entrega antes de que llegue todo: usa topological_order, desde el final.",
)
def backward(self):
    if self.data.size != 1:
        raise RuntimeError("not one number")
    if not self.requires_grad:
        raise RuntimeError("a constant")
    order, seen = [self], {self}
    for node in order:
        for parent in node._prev:
            if parent not in seen:
                seen.add(parent)
                order.append(parent)
    for node in order:
        if node._prev:
            node.grad = None
    self.accumulate(np.ones_like(self.data))
    for node in order:
        if node._backward is not None:
            node._backward()


@known_wrong(
    "tensor_backward",
    id="one-step-only",
    hint=2,
    en="Only self handed something on; what lies behind its parents got nothing. Call the _backward of every node, children first.",
    es="Solo self entregó algo; lo que está detrás de sus padres no recibió nada. Llama al _backward de cada nodo, primero los hijos.",
)
def backward(self):
    if self.data.size != 1:
        raise RuntimeError("not one number")
    if not self.requires_grad:
        raise RuntimeError("a constant")
    order = topological_order(self)
    for node in order:
        if node._prev:
            node.grad = None
    self.accumulate(np.ones_like(self.data))
    if self._backward is not None:
        self._backward()


@known_wrong(
    "tensor_backward",
    id="path-by-path",
    hint=2,
    en="You called backward again for the parents, path by path. A node that is used twice then hands on twice, and what it has is counted again: walk topological_order once.",
    es="Llamaste otra vez a backward para los padres, camino por camino. Un nodo que se usa dos veces entrega dos veces, y lo suyo se cuenta de nuevo: recorre topological_order una vez.",
)
def backward(self):
    if self.data.size != 1:
        raise RuntimeError("not one number")
    if not self.requires_grad:
        raise RuntimeError("a constant")

    def visit(node):
        if node._backward is not None:
            node._backward()
        for parent in node._prev:
            visit(parent)

    for node in topological_order(self):
        if node._prev:
            node.grad = None
    self.accumulate(np.ones_like(self.data))
    visit(self)


@known_wrong(
    "tensor_backward",
    id="calls-none",
    hint=2,
    en="You called the _backward of a leaf, and that is None. Leaves have nobody to hand on to: ask before you call.",
    es="Llamaste al _backward de una hoja, y es None. Las hojas no tienen a quién entregar: pregunta antes de llamar.",
)
def backward(self):
    if self.data.size != 1:
        raise RuntimeError("not one number")
    if not self.requires_grad:
        raise RuntimeError("a constant")
    order = topological_order(self)
    for node in order:
        if node._prev:
            node.grad = None
    self.accumulate(np.ones_like(self.data))
    for node in reversed(order):
        node._backward()


@known_wrong(
    "tensor_backward",
    id="loops-over-none",
    hint=5,
    en="Your loop got None instead of a list. order.reverse() turns the list round in place and returns None: use reversed(order).",
    es="Tu bucle recibió None en vez de una lista. order.reverse() da la vuelta a la propia lista y devuelve None: usa reversed(order).",
)
def backward(self):
    if self.data.size != 1:
        raise RuntimeError("not one number")
    if not self.requires_grad:
        raise RuntimeError("a constant")
    order = topological_order(self)
    for node in order:
        if node._prev:
            node.grad = None
    self.accumulate(np.ones_like(self.data))
    for node in order.reverse():
        if node._backward is not None:
            node._backward()


@known_wrong(
    "tensor_backward",
    id="stops-at-a-leaf",
    hint=2,
    en="Your walk ends at the first leaf. A leaf may stand before inner nodes in the order: pass it by and go on.",
    es="Tu recorrido termina en la primera hoja. Una hoja puede estar antes que nodos interiores: pasa de largo y sigue.",
)
def backward(self):
    if self.data.size != 1:
        raise RuntimeError("not one number")
    if not self.requires_grad:
        raise RuntimeError("a constant")
    order = topological_order(self)
    for node in order:
        if node._prev:
            node.grad = None
    self.accumulate(np.ones_like(self.data))
    for node in reversed(order):
        if node._backward is None:
            break
        node._backward()


@known_wrong(
    "tensor_backward",
    id="nothing-refused-nothing-forgotten",
    hint=4,
    en="The walk itself is right. Missing are the refusals (more than one number, a constant: RuntimeError) and that inner nodes start from None in every call.",
    es="El recorrido en sí está bien. Faltan los rechazos (más de un número, una constante: RuntimeError) y que los nodos interiores empiecen desde None en cada llamada.",
)
def backward(self):
    self.accumulate(np.ones_like(self.data))
    for node in reversed(topological_order(self)):
        if node._backward is not None:
            node._backward()


@known_wrong(
    "tensor_backward",
    id="lesson-02-as-it-was",
    hint=1,
    en="This is lesson 02 word for word: the seed is the number 1.0, and nothing is refused. grad is an array here, np.ones_like(self.data); and only one number may start.",
    es="Esto es la lección 02 al pie de la letra: la semilla es el número 1.0 y no se rechaza nada. Aquí grad es un array, np.ones_like(self.data), y solo un número puede empezar.",
)
def backward(self):
    order = topological_order(self)
    for node in order:
        if node._prev:
            node.grad = None
    self.grad = 1.0
    for node in reversed(order):
        if node._backward is not None:
            node._backward()
