"""Known-wrong versions of `multiply`."""

from minitorch.course.judging.misconceptions import known_wrong


@known_wrong(
    "multiply",
    id="own-operand",
    hint=2,
    en="Each operand got out.grad times its own data. How fast a · b grows with a is told by the other one: out.grad times the data of b.",
    es="Cada operando recibió out.grad por sus propios datos. Con qué rapidez crece a · b con a lo dice el otro: out.grad por los datos de b.",
)
def multiply(a, b):
    out = a.result(a.data * b.data, (a, b), "*")

    def _backward():
        a.accumulate(out.grad * a.data)
        b.accumulate(out.grad * b.data)

    if out.requires_grad:
        out._backward = _backward
    return out


@known_wrong(
    "multiply",
    id="upstream-left-out",
    hint=2,
    en="You handed on the local gradient alone. What came to out counts as well: out.grad times the data of the other operand.",
    es="Entregaste solo el gradiente local. Lo que llegó a out también cuenta: out.grad por los datos del otro operando.",
)
def multiply(a, b):
    out = a.result(a.data * b.data, (a, b), "*")

    def _backward():
        a.accumulate(b.data)
        b.accumulate(a.data)

    if out.requires_grad:
        out._backward = _backward
    return out


@known_wrong(
    "multiply",
    id="upstream-handed-through",
    hint=2,
    en="You handed out.grad on as it came: that is the rule of a + b. In a product each operand's part is multiplied by the other's data.",
    es="Entregaste out.grad tal como llegó: esa es la regla de a + b. En un producto la parte de cada operando se multiplica por los datos del otro.",
)
def multiply(a, b):
    out = a.result(a.data * b.data, (a, b), "*")

    def _backward():
        a.accumulate(out.grad)
        b.accumulate(out.grad)

    if out.requires_grad:
        out._backward = _backward
    return out


@known_wrong(
    "multiply",
    id="at-once",
    hint=3,
    en="You hand gradients on while multiply runs. That is the way forward, and nothing has arrived at out: put the handing on into a function.",
    es="Entregas gradientes mientras se ejecuta multiply. Eso es la ida, y a out no ha llegado nada: pon la entrega en una función.",
)
def multiply(a, b):
    out = a.result(a.data * b.data, (a, b), "*")
    a.accumulate(b.data)
    b.accumulate(a.data)
    return out


@known_wrong(
    "multiply",
    id="closure-called",
    hint=4,
    en="_backward ran inside multiply, when out.grad was still None. Leave the brackets out: out._backward = _backward keeps the function for later.",
    es="_backward se ejecutó dentro de multiply, cuando out.grad aún era None. Quita los paréntesis: out._backward = _backward guarda la función para después.",
)
def multiply(a, b):
    out = a.result(a.data * b.data, (a, b), "*")

    def _backward():
        a.accumulate(out.grad * b.data)
        b.accumulate(out.grad * a.data)

    if out.requires_grad:
        out._backward = _backward()
    return out


@known_wrong(
    "multiply",
    id="closure-called-always",
    hint=4,
    en="_backward ran inside multiply, when out.grad was still None, and for constants, too. Keep the function itself, without brackets, and only if out.requires_grad.",
    es="_backward se ejecutó dentro de multiply, cuando out.grad aún era None, y también con constantes. Guarda la propia función, sin paréntesis, y solo si out.requires_grad.",
)
def multiply(a, b):
    out = a.result(a.data * b.data, (a, b), "*")

    def _backward():
        a.accumulate(out.grad * b.data)
        b.accumulate(out.grad * a.data)

    out._backward = _backward()
    return out


@known_wrong(
    "multiply",
    id="upstream-read-too-early",
    hint=3,
    en="You read out.grad while multiply runs, and kept the None that was there. Read it inside the function: it is filled in just before the call.",
    es="Leíste out.grad mientras se ejecutaba multiply y guardaste el None que había. Léelo dentro de la función: se llena justo antes de llamarla.",
)
def multiply(a, b):
    out = a.result(a.data * b.data, (a, b), "*")
    upstream = out.grad

    def _backward():
        a.accumulate(upstream * b.data)
        b.accumulate(upstream * a.data)

    if out.requires_grad:
        out._backward = _backward
    return out


@known_wrong(
    "multiply",
    id="closure-not-kept",
    hint=4,
    en="The function is written, but nobody keeps it: out._backward is still None, so nothing will ever arrive at a and b.",
    es="La función está escrita, pero nadie la guarda: out._backward sigue en None, así que a a y b nunca llegará nada.",
)
def multiply(a, b):
    out = a.result(a.data * b.data, (a, b), "*")

    def _backward():
        a.accumulate(out.grad * b.data)
        b.accumulate(out.grad * a.data)

    return out


@known_wrong(
    "multiply",
    id="replaces",
    hint=5,
    en="You set grad instead of adding to it. In x * x both places are x, and a second gradient counts as well: hand on with accumulate.",
    es="Asignas grad en vez de sumarle. En x * x los dos lugares son x, y un segundo gradiente también cuenta: entrega con accumulate.",
)
def multiply(a, b):
    out = a.result(a.data * b.data, (a, b), "*")

    def _backward():
        a.grad = out.grad * b.data
        b.grad = out.grad * a.data

    if out.requires_grad:
        out._backward = _backward
    return out


@known_wrong(
    "multiply",
    id="replaces-where-wanted",
    hint=5,
    en="You spare the constants, and set grad instead of adding to it. In x * x both places are x: hand on with accumulate, it knows all that.",
    es="Respetas las constantes, pero asignas grad en vez de sumarle. En x * x los dos lugares son x: entrega con accumulate, que sabe todo eso.",
)
def multiply(a, b):
    out = a.result(a.data * b.data, (a, b), "*")

    def _backward():
        if a.requires_grad:
            a.grad = out.grad * b.data
        if b.requires_grad:
            b.grad = out.grad * a.data

    if out.requires_grad:
        out._backward = _backward
    return out


@known_wrong(
    "multiply",
    id="adds-without-accumulate",
    hint=5,
    en="You add to grad by hand, and give constants one as well. accumulate refuses constants and makes an array in every case: hand on with it.",
    es="Sumas a grad a mano y también le das uno a las constantes. accumulate rechaza las constantes y siempre crea un array: entrega con él.",
)
def multiply(a, b):
    out = a.result(a.data * b.data, (a, b), "*")

    def _backward():
        a.grad = (0 if a.grad is None else a.grad) + out.grad * b.data
        b.grad = (0 if b.grad is None else b.grad) + out.grad * a.data

    if out.requires_grad:
        out._backward = _backward
    return out


@known_wrong(
    "multiply",
    id="adds-in-place-to-none",
    hint=5,
    en="a.grad is None until something arrives, and += cannot add to None. accumulate tells the first gradient from the later ones: hand on with it.",
    es="a.grad es None hasta que llega algo, y += no puede sumar a None. accumulate distingue el primer gradiente de los demás: entrega con él.",
)
def multiply(a, b):
    out = a.result(a.data * b.data, (a, b), "*")

    def _backward():
        a.grad += out.grad * b.data
        b.grad += out.grad * a.data

    if out.requires_grad:
        out._backward = _backward
    return out


@known_wrong(
    "multiply",
    id="one-operand-only",
    hint=2,
    en="Only a gets its part. A product grows with both operands: b gets out.grad times the data of a.",
    es="Solo a recibe su parte. Un producto crece con los dos operandos: b recibe out.grad por los datos de a.",
)
def multiply(a, b):
    out = a.result(a.data * b.data, (a, b), "*")

    def _backward():
        a.accumulate(out.grad * b.data)

    if out.requires_grad:
        out._backward = _backward
    return out


@known_wrong(
    "multiply",
    id="own-data-of-out",
    hint=2,
    en="You multiplied out.data in: that is a · b itself. The slope toward a is b alone, times what came to out.",
    es="Multiplicaste por out.data: eso es el propio a · b. La pendiente hacia a es solo b, por lo que llegó a out.",
)
def multiply(a, b):
    out = a.result(a.data * b.data, (a, b), "*")

    def _backward():
        a.accumulate(out.grad * out.data)
        b.accumulate(out.grad * out.data)

    if out.requires_grad:
        out._backward = _backward
    return out


@known_wrong(
    "multiply",
    id="late-binding",
    hint=3,
    en="Your loop makes functions that all read its variables later, when they hold the last round's operands. So one operand got both parts. A closure sees variables, not the numbers they had.",
    es="Tu bucle crea funciones que leen sus variables después, cuando ya tienen los operandos de la última vuelta. Así un operando recibió las dos partes. Una clausura ve variables, no los valores que tenían.",
)
def multiply(a, b):
    out = a.result(a.data * b.data, (a, b), "*")
    steps = []
    for operand, other in ((a, b), (b, a)):
        steps.append(lambda: operand.accumulate(out.grad * other.data))

    def _backward():
        for step in steps:
            step()

    if out.requires_grad:
        out._backward = _backward
    return out


@known_wrong(
    "multiply",
    id="closure-always",
    hint=4,
    en="A result that wants no gradient has got a _backward. It is never called, but keeps both operands in memory: set it only if out.requires_grad.",
    es="Un resultado que no quiere gradiente tiene un _backward. Nunca se llama, pero mantiene los operandos en memoria: ponlo solo si out.requires_grad.",
)
def multiply(a, b):
    out = a.result(a.data * b.data, (a, b), "*")

    def _backward():
        a.accumulate(out.grad * b.data)
        b.accumulate(out.grad * a.data)

    out._backward = _backward
    return out


@known_wrong(
    "multiply",
    id="flag-not-handed-on",
    hint=5,
    en="out does not want a gradient although an operand does: the flag stops here, and nothing reaches the operands. a.result(...) asks wants_grad.",
    es="out no quiere gradiente aunque un operando sí: la marca se detiene aquí y nada llega a los operandos. a.result(...) consulta wants_grad.",
)
def multiply(a, b):
    out = Tensor(a.data * b.data, _prev=(a, b), _op="*")

    def _backward():
        a.accumulate(out.grad * b.data)
        b.accumulate(out.grad * a.data)

    out._backward = _backward
    return out


@known_wrong(
    "multiply",
    id="nothing-kept",
    hint=5,
    en="The product is right, but it is a leaf: no parents, no flag, so nothing reaches the operands. a.result(data, parents, op) keeps all that.",
    es="El producto es correcto, pero es una hoja: sin padres ni marca, nada llega a los operandos. a.result(data, parents, op) guarda todo eso.",
)
def multiply(a, b):
    out = Tensor(a.data * b.data)

    def _backward():
        a.accumulate(out.grad * b.data)
        b.accumulate(out.grad * a.data)

    if out.requires_grad:
        out._backward = _backward
    return out


@known_wrong(
    "multiply",
    id="flag-of-both",
    hint=5,
    en="You worked the flag out by yourself and forgot the switch, so parents are kept when nothing is to be recorded. a.result(...) asks wants_grad.",
    es="Calculaste la marca por tu cuenta y olvidaste el interruptor: se guardan padres cuando no hay que registrar nada. a.result(...) consulta wants_grad.",
)
def multiply(a, b):
    out = Tensor(a.data * b.data, requires_grad=a.requires_grad or b.requires_grad, _prev=(a, b), _op="*")

    def _backward():
        a.accumulate(out.grad * b.data)
        b.accumulate(out.grad * a.data)

    if out.requires_grad:
        out._backward = _backward
    return out


@known_wrong(
    "multiply",
    id="parents-kept-by-constants",
    hint=5,
    en="A result that wants no gradient still has parents. They would stay in memory for nothing: a constant has none. a.result(...) sees to it.",
    es="Un resultado que no quiere gradiente aún tiene padres. Se quedarían en memoria para nada: una constante no tiene. a.result(...) se ocupa.",
)
def multiply(a, b):
    out = Tensor(a.data * b.data, requires_grad=wants_grad((a, b)), _prev=(a, b), _op="*")

    def _backward():
        a.accumulate(out.grad * b.data)
        b.accumulate(out.grad * a.data)

    if out.requires_grad:
        out._backward = _backward
    return out


@known_wrong(
    "multiply",
    id="tensors-for-arrays",
    hint=5,
    en="You multiplied two Tensors, and a Tensor has no *: that is what you are writing here. The arrays in them have one: a.data * b.data.",
    es="Multiplicaste dos Tensor, y un Tensor no tiene *: eso es lo que escribes aquí. Los arrays que contienen sí: a.data * b.data.",
)
def multiply(a, b):
    out = a.result(a * b, (a, b), "*")

    def _backward():
        a.accumulate(out.grad * b.data)
        b.accumulate(out.grad * a.data)

    if out.requires_grad:
        out._backward = _backward
    return out


@known_wrong(
    "multiply",
    id="tensors-in-the-closure",
    hint=2,
    en="The forward is right; in _backward you multiplied an array by a Tensor. Take the array in it: out.grad * b.data.",
    es="La ida está bien; en _backward multiplicaste un array por un Tensor. Toma el array que contiene: out.grad * b.data.",
)
def multiply(a, b):
    out = a.result(a.data * b.data, (a, b), "*")

    def _backward():
        a.accumulate(out.grad * b)
        b.accumulate(out.grad * a)

    if out.requires_grad:
        out._backward = _backward
    return out


@known_wrong(
    "multiply",
    id="matrix-product",
    hint=1,
    en="@ is the matrix product. Asked for is entry by entry: out[0] = a[0] · b[0], with the sign *.",
    es="@ es el producto de matrices. Se pide entrada por entrada: out[0] = a[0] · b[0], con el signo *.",
)
def multiply(a, b):
    out = a.result(a.data @ b.data, (a, b), "*")

    def _backward():
        a.accumulate(out.grad * b.data)
        b.accumulate(out.grad * a.data)

    if out.requires_grad:
        out._backward = _backward
    return out


@known_wrong(
    "multiply",
    id="nothing-returned",
    hint=4,
    en="Everything is set, but multiply returns nothing. Its last line is return out.",
    es="Todo está puesto, pero multiply no devuelve nada. Su última línea es return out.",
)
def multiply(a, b):
    out = a.result(a.data * b.data, (a, b), "*")

    def _backward():
        a.accumulate(out.grad * b.data)
        b.accumulate(out.grad * a.data)

    if out.requires_grad:
        out._backward = _backward


@known_wrong(
    "multiply",
    id="own-gradient",
    hint=2,
    en="You multiplied the operand's own grad in. What is handed on comes from above: out.grad, times the data of the other operand.",
    es="Multiplicaste por el grad del propio operando. Lo que se entrega viene de arriba: out.grad, por los datos del otro operando.",
)
def multiply(a, b):
    out = a.result(a.data * b.data, (a, b), "*")

    def _backward():
        a.accumulate(a.grad * b.data)
        b.accumulate(b.grad * a.data)

    if out.requires_grad:
        out._backward = _backward
    return out
