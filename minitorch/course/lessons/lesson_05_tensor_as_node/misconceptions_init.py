"""Known-wrong versions of `tensor_init`: what a Tensor holds when it is made."""

from minitorch.course.judging.misconceptions import known_wrong


@known_wrong(
    "tensor_init",
    id="callers-array",
    hint=3,
    en="np.asarray hands the caller's own array through: whoever changes it later changes your Tensor. np.array makes a copy.",
    es="np.asarray deja pasar el array de quien llama: si luego lo cambia, cambia tu Tensor. np.array hace una copia.",
)
def __init__(self, data, requires_grad=False, _prev=(), _op=""):
    array = np.asarray(data)
    self.data = array if array.dtype.kind == "f" else array.astype(np.float64)
    self.grad = None
    self.requires_grad = requires_grad
    self._prev = _prev
    self._op = _op
    self._backward = None
    self.label = ""


@known_wrong(
    "tensor_init",
    id="callers-array-float64",
    hint=3,
    en="np.asarray keeps the caller's own array where it holds float64 already, and turns float32 into float64. Copy, and keep floats as they are.",
    es="np.asarray se queda con el array de quien llama si ya es float64, y convierte float32 en float64. Copia, y deja los floats como están.",
)
def __init__(self, data, requires_grad=False, _prev=(), _op=""):
    self.data = np.asarray(data, dtype=np.float64)
    self.grad = None
    self.requires_grad = requires_grad
    self._prev = _prev
    self._op = _op
    self._backward = None
    self.label = ""


@known_wrong(
    "tensor_init",
    id="callers-array-ints",
    hint=3,
    en="np.asarray copies nothing and changes no dtype: the caller's array becomes yours, and whole numbers stay whole. Copy, and make floats.",
    es="np.asarray no copia ni cambia el dtype: el array de quien llama pasa a ser tuyo y los enteros siguen siéndolo. Copia, y hazlos floats.",
)
def __init__(self, data, requires_grad=False, _prev=(), _op=""):
    self.data = np.asarray(data)
    self.grad = None
    self.requires_grad = requires_grad
    self._prev = _prev
    self._op = _op
    self._backward = None
    self.label = ""


@known_wrong(
    "tensor_init",
    id="data-as-given",
    hint=1,
    en="You kept data as it came: a number stays a number, a list a list. A Tensor holds an array: np.array makes one of all three.",
    es="Guardaste data tal como llegó: un número sigue siendo número y una lista, lista. Un Tensor guarda un array: np.array lo hace de los tres.",
)
def __init__(self, data, requires_grad=False, _prev=(), _op=""):
    self.data = data
    self.grad = None
    self.requires_grad = requires_grad
    self._prev = _prev
    self._op = _op
    self._backward = None
    self.label = ""


@known_wrong(
    "tensor_init",
    id="ints-stay-ints",
    hint=1,
    en="Whole numbers stayed whole. A gradient is a slope: it needs floats, so everything that is no float becomes float64.",
    es="Los enteros siguieron enteros. Un gradiente es una pendiente y necesita floats: todo lo que no es float pasa a float64.",
)
def __init__(self, data, requires_grad=False, _prev=(), _op=""):
    self.data = np.array(data)
    self.grad = None
    self.requires_grad = requires_grad
    self._prev = _prev
    self._op = _op
    self._backward = None
    self.label = ""


@known_wrong(
    "tensor_init",
    id="always-float64",
    hint=3,
    en="An array of float32 became float64. Whoever brings floats has chosen their dtype: it stays, and only the rest becomes float64.",
    es="Un array float32 se volvió float64. Quien trae floats ya eligió su dtype: se conserva, y solo lo demás pasa a float64.",
)
def __init__(self, data, requires_grad=False, _prev=(), _op=""):
    self.data = np.array(data, dtype=np.float64)
    self.grad = None
    self.requires_grad = requires_grad
    self._prev = _prev
    self._op = _op
    self._backward = None
    self.label = ""


@known_wrong(
    "tensor_init",
    id="always-float32",
    hint=3,
    en="Everything became float32, as lists do in PyTorch. Here numbers, lists and whole numbers become float64, and floats keep their dtype.",
    es="Todo se volvió float32, como las listas en PyTorch. Aquí números, listas y enteros pasan a float64, y los floats conservan su dtype.",
)
def __init__(self, data, requires_grad=False, _prev=(), _op=""):
    self.data = np.array(data, dtype=np.float32)
    self.grad = None
    self.requires_grad = requires_grad
    self._prev = _prev
    self._op = _op
    self._backward = None
    self.label = ""


@known_wrong(
    "tensor_init",
    id="no-0-d",
    hint=1,
    en="A single number became an array of shape (1,). NumPy has arrays of shape (): np.array(3.0) is one, and a loss has that shape.",
    es="Un solo número se volvió un array de forma (1,). NumPy tiene arrays de forma (): np.array(3.0) lo es, y una pérdida tiene esa forma.",
)
def __init__(self, data, requires_grad=False, _prev=(), _op=""):
    array = np.atleast_1d(np.array(data))
    self.data = array if array.dtype.kind == "f" else array.astype(np.float64)
    self.grad = None
    self.requires_grad = requires_grad
    self._prev = _prev
    self._op = _op
    self._backward = None
    self.label = ""


@known_wrong(
    "tensor_init",
    id="grad-starts-at-zero",
    hint=2,
    en="grad starts as an array of zeros. Zeros claim that nothing depends on this Tensor; nothing has arrived yet, and that is None.",
    es="grad empieza como un array de ceros. Ceros afirman que nada depende de este Tensor; aún no ha llegado nada, y eso es None.",
)
def __init__(self, data, requires_grad=False, _prev=(), _op=""):
    array = np.array(data)
    self.data = array if array.dtype.kind == "f" else array.astype(np.float64)
    self.grad = np.zeros_like(self.data)
    self.requires_grad = requires_grad
    self._prev = _prev
    self._op = _op
    self._backward = None
    self.label = ""


@known_wrong(
    "tensor_init",
    id="grad-is-a-number",
    hint=2,
    en="grad starts as the number 0.0. It is None until something arrives, and then an array of data's shape, never a single number.",
    es="grad empieza como el número 0.0. Es None hasta que llega algo, y luego un array con la forma de data, nunca un número suelto.",
)
def __init__(self, data, requires_grad=False, _prev=(), _op=""):
    array = np.array(data)
    self.data = array if array.dtype.kind == "f" else array.astype(np.float64)
    self.grad = 0.0
    self.requires_grad = requires_grad
    self._prev = _prev
    self._op = _op
    self._backward = None
    self.label = ""


@known_wrong(
    "tensor_init",
    id="zeros-for-those-who-want-one",
    hint=2,
    en="You gave zeros to every Tensor that wants a gradient. To want one and to have one are two things: grad is None until something arrives.",
    es="Diste ceros a todo Tensor que quiere un gradiente. Quererlo y tenerlo son dos cosas: grad es None hasta que llega algo.",
)
def __init__(self, data, requires_grad=False, _prev=(), _op=""):
    array = np.array(data)
    self.data = array if array.dtype.kind == "f" else array.astype(np.float64)
    self.grad = np.zeros_like(self.data) if requires_grad else None
    self.requires_grad = requires_grad
    self._prev = _prev
    self._op = _op
    self._backward = None
    self.label = ""


@known_wrong(
    "tensor_init",
    id="flag-lost",
    hint=2,
    en="requires_grad came in as True and is False on the Tensor: the flag of the call was not kept.",
    es="requires_grad llegó como True y en el Tensor es False: no guardaste lo que se pidió en la llamada.",
)
def __init__(self, data, requires_grad=False, _prev=(), _op=""):
    array = np.array(data)
    self.data = array if array.dtype.kind == "f" else array.astype(np.float64)
    self.grad = None
    self.requires_grad = False
    self._prev = _prev
    self._op = _op
    self._backward = None
    self.label = ""


@known_wrong(
    "tensor_init",
    id="everybody-wants-one",
    hint=2,
    en="Every Tensor wants a gradient now. Data that nobody trains are constants: requires_grad is what the call says, False by default.",
    es="Ahora todo Tensor quiere un gradiente. Los datos que nadie entrena son constantes: requires_grad es lo que dice la llamada; por defecto, False.",
)
def __init__(self, data, requires_grad=False, _prev=(), _op=""):
    array = np.array(data)
    self.data = array if array.dtype.kind == "f" else array.astype(np.float64)
    self.grad = None
    self.requires_grad = True
    self._prev = _prev
    self._op = _op
    self._backward = None
    self.label = ""


@known_wrong(
    "tensor_init",
    id="parents-as-set",
    hint=2,
    en="You keep the parents in a set. In x * x the parent x has two places, and an operation's operands have an order: keep the tuple.",
    es="Guardas los padres en un set. En x * x el padre x ocupa dos lugares, y los operandos tienen un orden: guarda la tupla.",
)
def __init__(self, data, requires_grad=False, _prev=(), _op=""):
    array = np.array(data)
    self.data = array if array.dtype.kind == "f" else array.astype(np.float64)
    self.grad = None
    self.requires_grad = requires_grad
    self._prev = set(_prev)
    self._op = _op
    self._backward = None
    self.label = ""


@known_wrong(
    "tensor_init",
    id="parents-lost",
    hint=2,
    en="_prev and _op stay empty whatever the call says. Without them backward finds no way: keep both as they come.",
    es="_prev y _op quedan vacíos diga lo que diga la llamada. Sin ellos backward no encuentra camino: guarda los dos como llegan.",
)
def __init__(self, data, requires_grad=False, _prev=(), _op=""):
    array = np.array(data)
    self.data = array if array.dtype.kind == "f" else array.astype(np.float64)
    self.grad = None
    self.requires_grad = requires_grad
    self._prev = ()
    self._op = ""
    self._backward = None
    self.label = ""


@known_wrong(
    "tensor_init",
    id="closure-that-does-nothing",
    hint=2,
    en="_backward starts as a function that does nothing. Here None says that there is nobody to hand on to, and backward asks for it.",
    es="_backward empieza como una función que no hace nada. Aquí None dice que no hay a quién entregar, y backward pregunta por ello.",
)
def __init__(self, data, requires_grad=False, _prev=(), _op=""):
    array = np.array(data)
    self.data = array if array.dtype.kind == "f" else array.astype(np.float64)
    self.grad = None
    self.requires_grad = requires_grad
    self._prev = _prev
    self._op = _op
    self._backward = lambda: None
    self.label = ""


@known_wrong(
    "tensor_init",
    id="four-of-seven",
    hint=2,
    en="You kept what came in, and forgot what begins empty: grad and _backward start as None, label as an empty text.",
    es="Guardaste lo que llegó y olvidaste lo que empieza vacío: grad y _backward empiezan en None, label como texto vacío.",
)
def __init__(self, data, requires_grad=False, _prev=(), _op=""):
    array = np.array(data)
    self.data = array if array.dtype.kind == "f" else array.astype(np.float64)
    self.requires_grad = requires_grad
    self._prev = _prev
    self._op = _op
