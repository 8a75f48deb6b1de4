"""Known-wrong versions of `tensor_backward` that go wrong with the seed, or with what must be refused."""

from minitorch.course.judging.misconceptions import known_wrong


@known_wrong(
    "tensor_backward",
    id="any-shape-allowed",
    hint=3,
    en="backward started from an array of several numbers. There is no single slope then: ask for self.data.size == 1, or raise RuntimeError.",
    es="backward empezó en un array de varios números. Entonces no hay una sola pendiente: pide self.data.size == 1, o lanza RuntimeError.",
)
def backward(self):
    if not self.requires_grad:
        raise RuntimeError("a constant")
    order = topological_order(self)
    for node in order:
        if node._prev:
            node.grad = None
    self.accumulate(np.ones_like(self.data))
    for node in reversed(order):
        if node._backward is not None:
            node._backward()


@known_wrong(
    "tensor_backward",
    id="constants-allowed",
    hint=3,
    en="backward started from a constant, and nothing happened, without a word. Nobody there wants a gradient: raise RuntimeError when self.requires_grad is False.",
    es="backward empezó en una constante y no pasó nada, sin aviso. Nadie quiere ahí un gradiente: lanza RuntimeError si self.requires_grad es False.",
)
def backward(self):
    if self.data.size != 1:
        raise RuntimeError("not one number")
    order = topological_order(self)
    for node in order:
        if node._prev:
            node.grad = None
    self.accumulate(np.ones_like(self.data))
    for node in reversed(order):
        if node._backward is not None:
            node._backward()


@known_wrong(
    "tensor_backward",
    id="nothing-refused",
    hint=3,
    en="The walk is right; before it, two questions are missing. More than one number, or a constant: raise RuntimeError.",
    es="El recorrido está bien; antes faltan dos preguntas. Más de un número, o una constante: lanza RuntimeError.",
)
def backward(self):
    order = topological_order(self)
    for node in order:
        if node._prev:
            node.grad = None
    self.accumulate(np.ones_like(self.data))
    for node in reversed(order):
        if node._backward is not None:
            node._backward()


@known_wrong(
    "tensor_backward",
    id="nothing-refused-seed-set",
    hint=3,
    en="Two questions are missing before the walk: more than one number, or a constant, is a RuntimeError. A constant even got a gradient: hand the seed over with accumulate.",
    es="Faltan dos preguntas antes del recorrido: más de un número, o una constante, es un RuntimeError. Una constante incluso recibió un gradiente: entrega la semilla con accumulate.",
)
def backward(self):
    order = topological_order(self)
    for node in order:
        if node._prev:
            node.grad = None
    self.grad = np.ones_like(self.data)
    for node in reversed(order):
        if node._backward is not None:
            node._backward()


@known_wrong(
    "tensor_backward",
    id="shape-must-be-empty",
    hint=3,
    en="You refuse every shape but (). One number may also lie in an array of shape (1,) or (1, 1): ask for data.size.",
    es="Rechazas toda forma que no sea (). Un número también puede estar en un array de forma (1,) o (1, 1): pregunta por data.size.",
)
def backward(self):
    if self.data.shape != ():
        raise RuntimeError("not one number")
    if not self.requires_grad:
        raise RuntimeError("a constant")
    order = topological_order(self)
    for node in order:
        if node._prev:
            node.grad = None
    self.accumulate(np.ones_like(self.data))
    for node in reversed(order):
        if node._backward is not None:
            node._backward()


@known_wrong(
    "tensor_backward",
    id="more-than-one-only",
    hint=3,
    en="An array without any number got through: its size is 0. Asked for is exactly one: size == 1.",
    es="Pasó un array sin ningún número: su size es 0. Se pide exactamente uno: size == 1.",
)
def backward(self):
    if self.data.size > 1:
        raise RuntimeError("more than one number")
    if not self.requires_grad:
        raise RuntimeError("a constant")
    order = topological_order(self)
    for node in order:
        if node._prev:
            node.grad = None
    self.accumulate(np.ones_like(self.data))
    for node in reversed(order):
        if node._backward is not None:
            node._backward()


@known_wrong(
    "tensor_backward",
    id="seed-is-a-number",
    hint=1,
    en="self.grad is the number 1.0. grad is an array with data's shape and dtype in every node, in the first one as well: np.ones_like(self.data).",
    es="self.grad es el número 1.0. grad es un array con la forma y el dtype de data en cada nodo, también en el primero: np.ones_like(self.data).",
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
    self.grad = 1.0
    for node in reversed(order):
        if node._backward is not None:
            node._backward()


@known_wrong(
    "tensor_backward",
    id="seed-of-shape-empty",
    hint=1,
    en="The seed has shape () and dtype float64, whatever data has. It goes by data: np.ones_like(self.data).",
    es="La semilla tiene forma () y dtype float64, sea como sea data. Sigue a data: np.ones_like(self.data).",
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
    self.grad = np.array(1.0)
    for node in reversed(order):
        if node._backward is not None:
            node._backward()


@known_wrong(
    "tensor_backward",
    id="seed-of-shape-one",
    hint=1,
    en="np.ones(1) has shape (1,), and a loss has shape (). The seed goes by data: np.ones_like(self.data).",
    es="np.ones(1) tiene forma (1,), y una pérdida tiene forma (). La semilla sigue a data: np.ones_like(self.data).",
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
    self.grad = np.ones(1)
    for node in reversed(order):
        if node._backward is not None:
            node._backward()


@known_wrong(
    "tensor_backward",
    id="seed-without-dtype",
    hint=1,
    en="The seed has data's shape, but is float64 where data is float32. np.ones_like takes over both.",
    es="La semilla tiene la forma de data, pero es float64 donde data es float32. np.ones_like copia las dos cosas.",
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
    self.grad = np.ones(self.data.shape)
    for node in reversed(order):
        if node._backward is not None:
            node._backward()


@known_wrong(
    "tensor_backward",
    id="root-is-a-leaf",
    hint=4,
    en="Here self is a leaf, and its second seed replaced the first. Leaves collect over calls: hand the seed over with accumulate.",
    es="Aquí self es una hoja, y su segunda semilla sustituyó a la primera. Las hojas acumulan entre llamadas: entrega la semilla con accumulate.",
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
    self.grad = np.ones_like(self.data)
    for node in reversed(order):
        if node._backward is not None:
            node._backward()


@known_wrong(
    "tensor_backward",
    id="seed-is-own-data",
    hint=1,
    en="The walk starts with self.data. It starts with how fast self grows with itself, and that is 1: np.ones_like(self.data).",
    es="El recorrido empieza con self.data. Empieza con la rapidez con que self crece consigo mismo, y esa es 1: np.ones_like(self.data).",
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
    self.accumulate(self.data)
    for node in reversed(order):
        if node._backward is not None:
            node._backward()


@known_wrong(
    "tensor_backward",
    id="no-seed",
    hint=1,
    en="The walk has no seed: self.grad is None when the first closure multiplies by it. Give self ones first.",
    es="El recorrido no tiene semilla: self.grad es None cuando la primera clausura multiplica por él. Dale antes unos a self.",
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
    for node in reversed(order):
        if node._backward is not None:
            node._backward()


@known_wrong(
    "tensor_backward",
    id="seed-taken-away",
    hint=4,
    en="You gave the seed first and then set every inner node back, self among them. Set back first, then give the seed.",
    es="Diste la semilla primero y luego reiniciaste todo nodo interior, self incluido. Primero reinicia, luego da la semilla.",
)
def backward(self):
    if self.data.size != 1:
        raise RuntimeError("not one number")
    if not self.requires_grad:
        raise RuntimeError("a constant")
    order = topological_order(self)
    self.grad = np.ones_like(self.data)
    for node in order:
        if node._prev:
            node.grad = None
    for node in reversed(order):
        if node._backward is not None:
            node._backward()


@known_wrong(
    "tensor_backward",
    id="another-error",
    hint=3,
    en="You refuse the right things with another kind of error. Asked for is RuntimeError, as PyTorch raises it.",
    es="Rechazas lo correcto, pero con otro tipo de error. Se pide RuntimeError, como hace PyTorch.",
)
def backward(self):
    if self.data.size != 1 or not self.requires_grad:
        raise ValueError("no")
    order = topological_order(self)
    for node in order:
        if node._prev:
            node.grad = None
    self.accumulate(np.ones_like(self.data))
    for node in reversed(order):
        if node._backward is not None:
            node._backward()


@known_wrong(
    "tensor_backward",
    id="refused-with-assert",
    hint=3,
    en="An assert raises AssertionError, and none at all under python -O. Refuse with raise RuntimeError(...).",
    es="Un assert lanza AssertionError, y con python -O nada en absoluto. Rechaza con raise RuntimeError(...).",
)
def backward(self):
    assert self.data.size == 1 and self.requires_grad
    order = topological_order(self)
    for node in order:
        if node._prev:
            node.grad = None
    self.accumulate(np.ones_like(self.data))
    for node in reversed(order):
        if node._backward is not None:
            node._backward()


@known_wrong(
    "tensor_backward",
    id="length-asked",
    hint=3,
    en="len(...) is the number of rows, and a 0-d array has none: that is the error. How many numbers there are in all is data.size.",
    es="len(...) es el número de filas, y un array 0-d no tiene: de ahí el error. Cuántos números hay en total lo dice data.size.",
)
def backward(self):
    if len(self.data) != 1:
        raise RuntimeError("not one number")
    if not self.requires_grad:
        raise RuntimeError("a constant")
    order = topological_order(self)
    for node in order:
        if node._prev:
            node.grad = None
    self.accumulate(np.ones_like(self.data))
    for node in reversed(order):
        if node._backward is not None:
            node._backward()
