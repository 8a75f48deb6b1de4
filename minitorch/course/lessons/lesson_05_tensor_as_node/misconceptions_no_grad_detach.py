"""Known-wrong versions of `no_grad` and of `Tensor.detach`."""

from minitorch.course.judging.misconceptions import known_wrong

# ----------------------------------------------------------------------------------------------------- no_grad


@known_wrong(
    "no_grad",
    id="back-to-true",
    hint=2,
    en="__exit__ always turns recording on. At the end of a block within a block it must stay off: put back what was there before.",
    es="__exit__ siempre enciende el registro. Al final de un bloque dentro de otro debe seguir apagado: repón lo que había antes.",
)
class no_grad:
    def __enter__(self):
        GRAD_ENABLED.set(False)

    def __exit__(self, *error):
        GRAD_ENABLED.set(True)


@known_wrong(
    "no_grad",
    id="never-put-back",
    hint=2,
    en="Recording stays off when the block has ended: from then on nothing learns any more. __exit__ puts back what was there before. Did you read the switch before you turned it?",
    es="El registro sigue apagado al terminar el bloque: desde entonces ya nada aprende. __exit__ repone lo que había antes. ¿Leíste el interruptor antes de moverlo?",
)
class no_grad:
    def __enter__(self):
        GRAD_ENABLED.set(False)

    def __exit__(self, *error):
        return None


@known_wrong(
    "no_grad",
    id="a-variable-of-its-own",
    hint=1,
    en="GRAD_ENABLED = False makes a new variable inside the method, and the switch does not move. It is moved by GRAD_ENABLED.set(False).",
    es="GRAD_ENABLED = False crea una variable nueva dentro del método, y el interruptor no se mueve. Se mueve con GRAD_ENABLED.set(False).",
)
class no_grad:
    def __enter__(self):
        GRAD_ENABLED = False

    def __exit__(self, *error):
        GRAD_ENABLED = True


@known_wrong(
    "no_grad",
    id="not-after-an-error",
    hint=3,
    en="Recording stays off when an error ends the block. __exit__ is called then, too, so that it can tidy up: put the switch back in every case.",
    es="El registro sigue apagado cuando un error termina el bloque. También entonces se llama a __exit__, para que ordene: repón el interruptor en todos los casos.",
)
class no_grad:
    def __enter__(self):
        self.before = GRAD_ENABLED.get()
        GRAD_ENABLED.set(False)

    def __exit__(self, kind, error, trace):
        if kind is None:
            GRAD_ENABLED.set(self.before)


@known_wrong(
    "no_grad",
    id="swallows-errors",
    hint=3,
    en="__exit__ returns True, and that tells Python to forget the error that was raised inside. Return nothing: the error must reach the caller.",
    es="__exit__ devuelve True, y eso le dice a Python que olvide el error que se lanzó dentro. No devuelvas nada: el error debe llegar a quien llama.",
)
class no_grad:
    def __enter__(self):
        self.before = GRAD_ENABLED.get()
        GRAD_ENABLED.set(False)

    def __exit__(self, *error):
        GRAD_ENABLED.set(self.before)
        return True


@known_wrong(
    "no_grad",
    id="swallows-errors-back-to-true",
    hint=2,
    en="Two things: __exit__ turns recording on although a block around may want it off, and by returning True it makes Python forget an error. Put back what was before, and return nothing.",
    es="Dos cosas: __exit__ enciende el registro aunque un bloque exterior lo quiera apagado, y al devolver True hace que Python olvide un error. Repón lo de antes y no devuelvas nada.",
)
class no_grad:
    def __enter__(self):
        GRAD_ENABLED.set(False)

    def __exit__(self, *error):
        GRAD_ENABLED.set(True)
        return True


@known_wrong(
    "no_grad",
    id="one-place-for-all-blocks",
    hint=3,
    en="All your blocks remember in one place, so an inner block overwrites what the outer one must put back. Keep it on self: each block has its own.",
    es="Todos tus bloques recuerdan en un mismo sitio, y el de dentro borra lo que el de fuera debe reponer. Guárdalo en self: cada bloque tiene lo suyo.",
)
class no_grad:
    def __enter__(self):
        no_grad.before = GRAD_ENABLED.get()
        GRAD_ENABLED.set(False)

    def __exit__(self, *error):
        GRAD_ENABLED.set(no_grad.before)


@known_wrong(
    "no_grad",
    id="off-when-made",
    hint=1,
    en="The switch moves when the object is made, in __init__. A block begins when it is entered: move the switch in __enter__.",
    es="El interruptor se mueve al crear el objeto, en __init__. Un bloque empieza al entrar en él: mueve el interruptor en __enter__.",
)
class no_grad:
    def __init__(self):
        self.before = GRAD_ENABLED.get()
        GRAD_ENABLED.set(False)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        GRAD_ENABLED.set(self.before)


@known_wrong(
    "no_grad",
    id="remembered-when-made",
    hint=1,
    en="You read the switch when the object is made. By the time the block begins it may stand otherwise: read it in __enter__.",
    es="Lees el interruptor al crear el objeto. Cuando empieza el bloque puede estar de otra manera: léelo en __enter__.",
)
class no_grad:
    def __init__(self):
        self.before = GRAD_ENABLED.get()

    def __enter__(self):
        GRAD_ENABLED.set(False)

    def __exit__(self, *error):
        GRAD_ENABLED.set(self.before)


@known_wrong(
    "no_grad",
    id="turned-over",
    hint=2,
    en="You turn the switch over, whatever it says. A block within a block then turns recording on: set it to False, and put back what was before.",
    es="Das la vuelta al interruptor, esté como esté. Así un bloque dentro de otro enciende el registro: ponlo en False y repón lo de antes.",
)
class no_grad:
    def __enter__(self):
        GRAD_ENABLED.set(not GRAD_ENABLED.get())

    def __exit__(self, *error):
        GRAD_ENABLED.set(not GRAD_ENABLED.get())


@known_wrong(
    "no_grad",
    id="on-inside",
    hint=1,
    en="Within your block recording is on. GRAD_ENABLED is True when operations are recorded: set it to False.",
    es="Dentro de tu bloque el registro está encendido. GRAD_ENABLED es True cuando se registran operaciones: ponlo en False.",
)
class no_grad:
    def __enter__(self):
        self.before = GRAD_ENABLED.get()
        GRAD_ENABLED.set(True)

    def __exit__(self, *error):
        GRAD_ENABLED.set(self.before)


@known_wrong(
    "no_grad",
    id="the-box-replaced",
    hint=1,
    en="GRAD_ENABLED = False threw the switch away and put a plain False in its place; nobody can ask it with get() any more. Turn it: GRAD_ENABLED.set(False).",
    es="GRAD_ENABLED = False tiró el interruptor y puso un simple False en su lugar; ya nadie puede consultarlo con get(). Muévelo: GRAD_ENABLED.set(False).",
)
class no_grad:
    def __enter__(self):
        global GRAD_ENABLED
        GRAD_ENABLED = False

    def __exit__(self, *error):
        global GRAD_ENABLED
        GRAD_ENABLED = True


# ------------------------------------------------------------------------------------------------------ detach


@known_wrong(
    "detach",
    id="flag-copied",
    hint=1,
    en="The new Tensor wants a gradient because the old one does. Detached means that nobody asks any more: it is a constant.",
    es="El Tensor nuevo quiere un gradiente porque el viejo lo quiere. Separado significa que ya nadie pregunta: es una constante.",
)
def detach(self):
    out = type(self)(self.data, requires_grad=self.requires_grad)
    out.data = self.data
    return out


@known_wrong(
    "detach",
    id="flag-copied-and-numbers",
    hint=1,
    en="The new Tensor wants a gradient as the old one does, and its numbers are a copy. Detached means a constant, with the same array.",
    es="El Tensor nuevo quiere un gradiente como el viejo, y sus números son una copia. Separado significa una constante, con el mismo array.",
)
def detach(self):
    return type(self)(self.data, requires_grad=self.requires_grad)


@known_wrong(
    "detach",
    id="parents-copied",
    hint=1,
    en="The new Tensor still names its parents, so the whole graph behind it stays in memory. Detached means: no history, _prev is ().",
    es="El Tensor nuevo aún nombra a sus padres, así que todo el grafo sigue en memoria. Separado significa sin historia: _prev es ().",
)
def detach(self):
    out = type(self)(self.data, _prev=self._prev, _op=self._op)
    out.data = self.data
    return out


@known_wrong(
    "detach",
    id="parents-and-numbers-copied",
    hint=1,
    en="The new Tensor keeps the history and copies the numbers. It should be the other way round: no parents, and the same array.",
    es="El Tensor nuevo conserva la historia y copia los números. Debe ser al revés: sin padres y con el mismo array.",
)
def detach(self):
    return type(self)(self.data, _prev=self._prev, _op=self._op)


@known_wrong(
    "detach",
    id="itself-is-its-parent",
    hint=1,
    en="You made a result with self as its parent: an operation more, not an end. Detached means: no parents and no flag.",
    es="Hiciste un resultado con self como padre: una operación más, no un final. Separado significa sin padres y sin marca.",
)
def detach(self):
    out = self.result(self.data, (self,), "detach")
    out.data = self.data
    return out


@known_wrong(
    "detach",
    id="numbers-copied",
    hint=2,
    en="The history is gone; good. But __init__ copied the numbers. The two share one array: set out.data = self.data afterwards.",
    es="La historia ya no está; bien. Pero __init__ copió los números. Los dos comparten un array: después pon out.data = self.data.",
)
def detach(self):
    return type(self)(self.data)


@known_wrong(
    "detach",
    id="self-changed",
    hint=1,
    en="You took the history from self itself, so the graph is broken there and backward stops early. Leave self alone and make a new Tensor.",
    es="Le quitaste la historia al propio self: el grafo queda roto ahí y backward se detiene antes. Deja self en paz y crea un Tensor nuevo.",
)
def detach(self):
    self.requires_grad = False
    self._prev = ()
    self._backward = None
    return self


@known_wrong(
    "detach",
    id="flag-of-self-changed",
    hint=1,
    en="You turned the flag of self off and gave self back. Others still need its gradient: leave self as it is and make a new Tensor.",
    es="Apagaste la marca del propio self y lo devolviste. Otros aún necesitan su gradiente: deja self como está y crea un Tensor nuevo.",
)
def detach(self):
    self.requires_grad = False
    return self


@known_wrong(
    "detach",
    id="self-returned",
    hint=1,
    en="You gave self back, with its history. The caller wants a second Tensor: the same array, without a past.",
    es="Devolviste self, con su historia. Quien llama quiere un segundo Tensor: el mismo array, sin pasado.",
)
def detach(self):
    return self


@known_wrong(
    "detach",
    id="array-returned",
    hint=1,
    en="You gave the array alone. The result is a Tensor again, so that one can go on computing with it: put the array into a new one.",
    es="Diste solo el array. El resultado vuelve a ser un Tensor, para poder seguir calculando con él: pon el array en uno nuevo.",
)
def detach(self):
    return self.data


@known_wrong(
    "detach",
    id="nothing-returned",
    hint=3,
    en="You made the new Tensor and did not give it back. The last line is return out.",
    es="Creaste el Tensor nuevo y no lo devolviste. La última línea es return out.",
)
def detach(self):
    out = type(self)(self.data)
    out.data = self.data


@known_wrong(
    "detach",
    id="switched-off",
    hint=1,
    en="You turned recording off for the whole program. detach ends the history of one Tensor and touches nothing else.",
    es="Apagaste el registro de todo el programa. detach termina la historia de un solo Tensor y no toca nada más.",
)
def detach(self):
    GRAD_ENABLED.set(False)
    out = type(self)(self.data)
    out.data = self.data
    return out


@known_wrong(
    "detach",
    id="gradient-taken-along",
    hint=1,
    en="The new Tensor took the gradient along. It belongs to the node that it arrived at: the new one starts with None.",
    es="El Tensor nuevo se llevó el gradiente. Pertenece al nodo al que llegó: el nuevo empieza con None.",
)
def detach(self):
    out = type(self)(self.data)
    out.data = self.data
    out.grad = self.grad
    return out
